#pragma once

#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/tables/heat_table.h"

#include <QCoreApplication>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace assay {

/// Real samples by their class (rows) and the class that a classifier trained on the synthetic set takes them for
/// (columns). Never changes.
class ConfusionCounts {
    Q_DECLARE_TR_FUNCTIONS(assay::ConfusionCounts)

public:
    /// @param classes not null
    explicit ConfusionCounts(std::shared_ptr<const PredictedClasses> classes);

    const PredictedClasses& classes() const noexcept { return *classes_; }

    /// One cell that holds samples.
    struct Count {
        QString actual;
        QString predicted;
        std::size_t samples;
    };
    /// Every cell that holds samples, row by row.
    std::vector<Count> counts() const;
    std::size_t countAt(HeatPlace place) const;

    /// Largest share of a class that is taken for one other class; 0 without errors.
    double largestError() const noexcept { return largestError_; }
    /// Real samples in the cells, ascending.
    std::vector<std::uint32_t> samplesIn(const std::vector<HeatPlace>& cells) const;

    /// Of these counts: errors are shaded by their share of the class beside the largest such share, right answers are
    /// the diagonal. The content keeps the counts.
    static HeatContent heatContent(const std::shared_ptr<const ConfusionCounts>& counts);

private:
    /// Key of a cell in `cells_`.
    std::size_t keyOf(HeatPlace place) const { return place.row * shown_.size() + place.column; }
    HeatPlace placeOf(std::size_t key) const { return {key / shown_.size(), key % shown_.size()}; }
    QString nameAt(std::size_t place) const;
    HeatCell cellAt(HeatPlace place) const;
    QString textOf(HeatPlace place) const;

    std::shared_ptr<const PredictedClasses> classes_;
    std::vector<std::uint32_t> shown_; ///< indices into PredictedClasses::names, those that occur
    std::vector<std::size_t> totals_;  ///< per shown class: its real samples
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> cells_; ///< samples of those that hold some
    double largestError_ = 0.0;
};

} // namespace assay
