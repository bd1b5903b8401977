#include "widgets/sample/visited_samples.h"

namespace assay {
namespace {

constexpr std::size_t kMaxVisited = 1000;

} // namespace

void VisitedSamples::visit(SampleId sample) {
    if (at(0) == sample)
        return;
    visited_.resize(static_cast<std::size_t>(place_ + 1));
    visited_.push_back(sample);
    if (visited_.size() > kMaxVisited)
        visited_.erase(visited_.begin());
    place_ = static_cast<std::ptrdiff_t>(visited_.size()) - 1;
}

void VisitedSamples::clear() {
    visited_.clear();
    place_ = -1;
}

std::optional<SampleId> VisitedSamples::at(std::ptrdiff_t steps) const {
    const std::ptrdiff_t place = place_ + steps;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(visited_.size()))
        return std::nullopt;
    return visited_[static_cast<std::size_t>(place)];
}

void VisitedSamples::move(std::ptrdiff_t steps) {
    if (at(steps))
        place_ += steps;
}

} // namespace assay
