#pragma once

#include "engine/audit/result/model_contrast.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <memory>
#include <vector>

namespace assay {

/// The scores of two models and their differences (first minus second) with 95 % intervals, a row per score that has
/// one: those that the data tell apart first, then in the catalogue's order.
class DifferencesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ScoreColumn, FirstColumn, SecondColumn, DifferenceColumn, IntervalColumn, VerdictColumn, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setContrast(std::shared_ptr<const ModelContrast> contrast);
    /// The difference of a row.
    const MetricDifference& difference(int row) const { return shown_[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const QModelIndex& index) const;

    std::shared_ptr<const ModelContrast> contrast_;
    std::vector<MetricDifference> shown_;
};

/// The table of DifferencesModel. An interval is drawn about a line at 0; those without 0 in bold colours.
class DifferencesTable : public QTableView {
    Q_OBJECT

public:
    explicit DifferencesTable(QWidget* parent);

    void show(std::shared_ptr<const ModelContrast> contrast);
    const DifferencesModel& differences() const noexcept { return *model_; }

private:
    DifferencesModel* model_;
};

} // namespace assay
