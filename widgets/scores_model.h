#pragma once

#include "engine/audit/audit_result.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace assay {

/// Every aggregate of every model: a metric a row, in the catalogue's order, a model a column. Metrics that no model
/// has are left out.
class ScoresModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Of cells. BestRole: whether it is the best of its row, false where no direction is better or all are equal.
    /// CurrentRole: whether its column is the current model's. SearchRole: all that a search looks into.
    /// SuspiciousRole: whether its model has (!). Of row headers: MarkRole, an arrow (directionMark()). Of column
    /// headers: CurrentRole, SuspiciousRole, and NameRole, the name without the mark.
    enum Role { BestRole = Qt::UserRole, CurrentRole, SearchRole, SuspiciousRole, MarkRole, NameRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setAudit(std::shared_ptr<const AuditResult> audit);
    /// Which model's column is marked.
    void setCurrent(std::size_t model);

    const Metric& metricAt(int row) const { return *metrics_[static_cast<std::size_t>(row)]; }
    /// Metrics of the catalogue that no model has; empty without models.
    const std::vector<const Metric*>& absent() const noexcept { return absent_; }

    /// What follows the name of a suspicious model.
    static QString suspicionMark() { return tr(" (!)"); }

    /// Some rows as tab-separated text with headers: title, id, unit, direction, and each model's value in full
    /// precision, as spreadsheets read it; nothing for a missing one.
    QString toTsv(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ModelAudit& modelAt(int column) const { return *audit_->models[static_cast<std::size_t>(column)]; }
    bool isSuspicious(int column) const { return suspicious_[static_cast<std::size_t>(column)]; }
    bool isBest(int row, int column) const;
    QString cellToolTip(int row, int column) const;
    QVariant metricHeader(const Metric& metric, int role) const;
    QVariant modelHeader(int column, int role) const;

    std::shared_ptr<const AuditResult> audit_;
    std::vector<const Metric*> metrics_;
    std::vector<const Metric*> absent_;
    std::vector<double> best_;     ///< of each row; NaN for none
    std::vector<bool> suspicious_; ///< of each model
    std::size_t current_ = 0;
};

} // namespace assay
