#pragma once

#include "widgets/link/view_state.h"

#include <QAbstractTableModel>

namespace assay {

/// The features of the current model's embedding, those that differ most from the real set's first: how far the two
/// distributions are apart, how far chance alone would put them, and the mean and standard deviation of each.
class FeaturesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Feature, Distance, ByChance, RealMean, RealDeviation, SyntheticMean, SyntheticDeviation, Columns };
    /// SortRole: the number of a cell; of a feature's name its column in the embedding.
    enum Role { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows the state's current model.
    void setState(const ViewState& state);
    /// Name of a feature: from its file, else "feature 3".
    QString nameOf(int row) const;
    /// Column of the embedding.
    std::uint32_t featureOf(int row) const { return at(row).feature; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const FeatureDifference& at(int row) const;
    /// The same in the unit of the file.
    FeatureDifference inFileAt(int row) const;
    double valueAt(const QModelIndex& index) const;
    QString toolTip(const QModelIndex& index) const;

    ViewState state_;
};

} // namespace assay
