#pragma once

#include "widgets/link/view_state.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace assay {

/// The real samples whose balls hold most synthetic samples of the current model, fullest first until a heading sorts
/// them: each with how many its ball holds, how many when it is clipped, and its radius.
class FullBallsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SampleColumn, CountColumn, ClippedColumn, RadiusColumn, RatioColumn, ColumnCount };
    /// SampleRole: SampleId of the row. IdRole, ClassRole: what it is called, of what class; empty without classes.
    enum Role { SampleRole = Qt::UserRole, IdRole, ClassRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows the state's current model.
    void setState(const ViewState& state);
    const ViewState& state() const noexcept { return state_; }
    SampleId sampleAt(int row) const { return {SetId::Real, ballAt(row).row}; }
    /// Row of a sample; nothing where it is not listed.
    std::optional<int> rowOf(SampleId sample) const;
    /// Every id that is listed.
    QStringList ids() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    const FullBall& ballAt(int row) const { return balls_[static_cast<std::size_t>(row)]; }
    QString text(const QModelIndex& index) const;
    QString toolTip(int row) const;
    QString meaning(int column) const;
    double key(const FullBall& ball, int column) const;

    ViewState state_;
    std::vector<FullBall> balls_;
};

} // namespace assay
