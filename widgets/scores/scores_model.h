#pragma once

#include "engine/audit/result/compare.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace assay {

/// Every aggregate of every model: a metric a row, in the catalogue's order, a model a column. Metrics that no model
/// has are left out. Where the current model is compared with another, a last column has their differences.
class ScoresModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Roles of cells. BestRole: whether the score is the best of its row; false for neutral scores and if all are
    /// equal. CurrentRole: whether its column is the current model's. SearchRole: all that a search looks into.
    /// SuspiciousRole: whether its model has (!). VerdictRole, of differences: a word where the interval excludes 0,
    /// nothing where not. Of row headers: MarkRole, an arrow (directionMark()). Of column headers: CurrentRole,
    /// SuspiciousRole, and NamesRole: the model's without the mark, both of the differences with it.
    enum Role { BestRole = Qt::UserRole, CurrentRole, SearchRole, SuspiciousRole, VerdictRole, MarkRole, NamesRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setAudit(std::shared_ptr<const AuditResult> audit);
    /// Which model's column is marked, and which other one it is compared with.
    void setCurrent(std::size_t model, std::optional<std::size_t> other = {});

    int modelCount() const { return static_cast<int>(audit_ ? audit_->models.size() : 0); }
    /// Whether a column is that of the differences: the one after the models'.
    bool isDifference(int column) const { return other_ && column == modelCount(); }
    const Metric& metricAt(int row) const { return *metrics_[static_cast<std::size_t>(row)]; }
    /// Metrics of the catalogue that no model has; empty without models.
    const std::vector<const Metric*>& absent() const noexcept { return absent_; }
    /// Whether nothing more is being computed of any model.
    bool isComplete() const;

    /// Text after the name of a suspicious model.
    static QString suspicionMark() { return tr(" (!)"); }

    /// Some rows as tab-separated text with headers: title, id, unit, direction, and each model's value in full
    /// precision, as spreadsheets read it; nothing for a missing one. Then, in a comparison, the difference, its
    /// interval, and whether that excludes 0.
    QString toTsv(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ModelAudit& modelAt(int column) const { return *audit_->models[static_cast<std::size_t>(column)]; }
    bool isSuspicious(int column) const { return suspicious_[static_cast<std::size_t>(column)]; }
    const ModelAudit& current() const { return *audit_->models[current_]; }
    const MetricDifference* differenceAt(int row) const;
    void compare(std::optional<std::size_t> other);
    bool isBest(int row, int column) const;
    QString cellToolTip(int row, int column) const;
    QVariant metricHeader(const Metric& metric, int role) const;
    QVariant modelHeader(int column, int role) const;
    QVariant differenceData(int row, int role) const;
    QVariant differenceHeader(int role) const;
    QStringList differenceNames() const;
    QStringList fields(int row) const;

    std::shared_ptr<const AuditResult> audit_;
    std::vector<const Metric*> metrics_;
    std::vector<const Metric*> absent_;
    std::vector<double> best_;     ///< of each row; NaN for none
    std::vector<bool> suspicious_; ///< of each model
    std::size_t current_ = 0;
    std::optional<std::size_t> other_;          ///< what the current model is compared with
    std::vector<MetricDifference> differences_; ///< of the current model and that one
};

} // namespace assay
