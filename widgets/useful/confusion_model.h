#pragma once

#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/link/linked_view.h"

#include <QAbstractTableModel>

#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay {

/// Real samples by their class (rows) and the class that a classifier trained on the synthetic set takes them for
/// (columns).
class ConfusionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// HeatRole: of errors, the share of the class's samples, divided by the largest such share: in (0, 1]; nothing for
    /// other cells. RightRole: whether the cell is of right answers. CountRole: number of samples.
    enum Role { HeatRole = Qt::UserRole, RightRole, CountRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// @param classes null: an empty table
    void setClasses(std::shared_ptr<const PredictedClasses> classes);
    const PredictedClasses* classes() const noexcept { return classes_.get(); }

    /// One cell that holds samples.
    struct Count {
        QString actual;
        QString predicted;
        std::size_t samples;
    };
    /// Every cell that holds samples.
    std::vector<Count> counts() const;

    /// Largest share of a class that is taken for one other class; 0 without errors.
    double largestError() const noexcept { return largestError_; }
    /// Real samples, ascending, in the cells that `holds` is true of.
    std::vector<std::uint32_t> samplesIn(const std::function<bool(const QModelIndex& cell)>& holds) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Key of a cell in `cells_`.
    std::size_t keyOf(std::size_t row, std::size_t column) const { return row * shown_.size() + column; }
    QModelIndex cellOf(std::size_t key) const;
    QString nameAt(int place) const;

    std::shared_ptr<const PredictedClasses> classes_;
    std::vector<std::uint32_t> shown_; ///< indices into PredictedClasses::names, those that occur
    std::vector<std::size_t> totals_;  ///< per shown class: its real samples
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> cells_; ///< samples of those that hold some
    double largestError_ = 0.0;
};

} // namespace assay
