#pragma once

#include "engine/subsets/what_if/useful_what_if.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay {

/// Real samples by their class (rows) and the class that a classifier trained on the synthetic set takes them for
/// (columns), of the classes that occur. Never changes.
class ConfusionCounts {
public:
    /// Row and column of a cell, in [0, size()).
    using Place = std::pair<std::size_t, std::size_t>;

    /// @param classes not null
    explicit ConfusionCounts(std::shared_ptr<const PredictedClasses> classes);

    const PredictedClasses& classes() const noexcept { return *classes_; }
    std::size_t size() const noexcept { return shown_.size(); }
    const std::string& nameAt(std::size_t place) const { return classes_->names[shown_[place]]; }
    /// Real samples of a class.
    std::size_t totalOf(std::size_t row) const { return totals_[row]; }
    std::size_t countAt(Place place) const;
    /// Share of a class's real samples in a cell; 0 for a class without any.
    double shareAt(Place place) const;
    /// Every cell that holds samples, row by row.
    std::vector<Place> filledCells() const;
    /// Largest number of samples in a cell.
    std::size_t largestCount() const;
    /// Largest share of a class that is taken for one other class; 0 without errors.
    double largestError() const noexcept { return largestError_; }
    /// Real samples in the cells, ascending.
    std::vector<std::uint32_t> samplesIn(const std::vector<Place>& cells) const;

private:
    std::size_t keyOf(Place place) const { return place.first * shown_.size() + place.second; }

    std::shared_ptr<const PredictedClasses> classes_;
    std::vector<std::uint32_t> shown_; ///< indices into PredictedClasses::names, those that occur
    std::vector<std::size_t> totals_;  ///< per shown class: its real samples
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> cells_; ///< samples of those that hold some, by keyOf()
    double largestError_ = 0.0;
};

} // namespace assay
