#include "engine/subsets/what_if/confusion_counts.h"

#include <algorithm>

namespace assay {

ConfusionCounts::ConfusionCounts(std::shared_ptr<const PredictedClasses> classes) : classes_(std::move(classes)) {
    std::vector<bool> occurs(classes_->names.size(), false);
    for (const auto* side : {&classes_->actual, &classes_->predicted})
        for (const std::uint32_t code : *side)
            if (code != PredictedClasses::kNone)
                occurs[code] = true;
    std::vector<std::size_t> places(occurs.size(), 0);
    for (std::uint32_t code = 0; code < occurs.size(); ++code)
        if (occurs[code]) {
            places[code] = shown_.size();
            shown_.push_back(code);
        }
    totals_.assign(shown_.size(), 0);
    for (std::uint32_t row = 0; row < classes_->actual.size(); ++row)
        if (classes_->actual[row] != PredictedClasses::kNone) {
            const std::size_t actual = places[classes_->actual[row]];
            ++totals_[actual];
            cells_[keyOf({actual, places[classes_->predicted[row]]})].push_back(row);
        }
    for (const Place& place : filledCells())
        if (place.first != place.second)
            largestError_ = std::max(largestError_, shareAt(place));
}

std::size_t ConfusionCounts::countAt(Place place) const {
    const auto at = cells_.find(keyOf(place));
    return at == cells_.end() ? 0 : at->second.size();
}

double ConfusionCounts::shareAt(Place place) const {
    const std::size_t total = totals_[place.first];
    return total == 0 ? 0.0 : static_cast<double>(countAt(place)) / static_cast<double>(total);
}

std::vector<ConfusionCounts::Place> ConfusionCounts::filledCells() const {
    std::vector<Place> places;
    places.reserve(cells_.size());
    for (const auto& cell : cells_)
        places.emplace_back(cell.first / shown_.size(), cell.first % shown_.size());
    std::ranges::sort(places);
    return places;
}

std::size_t ConfusionCounts::largestCount() const {
    std::size_t largest = 0;
    for (const auto& cell : cells_)
        largest = std::max(largest, cell.second.size());
    return largest;
}

std::vector<std::uint32_t> ConfusionCounts::samplesIn(const std::vector<Place>& cells) const {
    std::vector<std::uint32_t> samples;
    for (const Place& place : cells)
        if (const auto at = cells_.find(keyOf(place)); at != cells_.end())
            samples.insert(samples.end(), at->second.begin(), at->second.end());
    std::ranges::sort(samples);
    return samples;
}

} // namespace assay
