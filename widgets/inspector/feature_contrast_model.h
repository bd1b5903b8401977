#pragma once

#include "engine/report/scores/sample_comparison.h"
#include "widgets/link/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace assay {

/// The features of the inspected sample beside those of its nearest one of the other set, the most different first.
class FeatureContrastModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Feature, Own, Nearest, Difference, Columns };
    /// The difference in standard deviations of the real set, a double.
    static constexpr int DifferenceRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setContrasts(const ViewState& state, std::vector<FeatureContrast> contrasts, const QString& own,
                      const QString& nearest);
    /// Shows no more than so many rows.
    void setMost(int rows);
    int featureCount() const noexcept { return static_cast<int>(contrasts_.size()); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString textOf(const FeatureContrast& contrast, int column) const;

    std::shared_ptr<const RealAnalysis> real_; ///< names of the features
    std::vector<FeatureContrast> contrasts_;
    QString own_;
    QString nearest_;
    int most_ = 0;
};

} // namespace assay
