#pragma once

#include "widgets/link/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace assay {

/// The utility of a model's samples by class, a class a row: how many samples were tested, the shares that are
/// classified correctly after training on the synthetic and on the real set, and what is lost between the two.
class ClassUtilityModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Class, Tested, Synthetic, Real, Lost, Columns };
    /// SortRole: a number. ShareRole: a share in [0, 1] to draw, nothing for other cells.
    enum Role { SortRole = Qt::UserRole, ShareRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setState(const ViewState& state);

    /// Real samples of a class.
    SampleSet samplesOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    double numberAt(const QModelIndex& index) const;

    ViewState state_;
    std::vector<ClassUtility> rows_;
};

} // namespace assay
