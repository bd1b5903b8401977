#pragma once

#include "engine/data/sample_id.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// How a sample lies to one of its neighbours and to that neighbour's ball.
struct NeighborRelation {
    SampleId neighbor;
    double distance = 0.0;
    /// Of the neighbour's ball: R_i = min(NNDr_k, median) for a real neighbour, NNDs_k for a synthetic one.
    double radius = 0.0;
    bool inside = false; ///< distance <= radius

    /// By what share of its radius the sample misses the ball; 0 inside, infinite for a ball of radius 0.
    double missShare() const noexcept;
};

/// The nearest samples of a set, ascending by (distance, row), at most `count` and at most as many as are stored.
/// @param model the model whose synthetic set is meant; for a synthetic sample that sample's own model is used
/// @param side which set to look in; a sample is never its own neighbour
std::vector<NeighborRelation> nearestSamples(const AuditResult& audit, std::size_t model, SampleId sample, Side side,
                                             std::size_t count);

/// One or two plain sentences that say why the sample scored as it did, with three significant digits:
/// "Outside every real ball: its nearest real sample is 3.42 away, 18 % beyond that sample's radius (2.90)."
/// @param model as in nearestSamples
std::string explainSample(const AuditResult& audit, std::size_t model, SampleId sample);

/// Where a value stands among all values of its column.
struct Standing {
    std::size_t below = 0;              ///< values smaller than it
    std::size_t equal = 0;              ///< values equal to it, itself included
    std::size_t total = 0;              ///< values that are numbers
    double percentile() const noexcept; ///< mid-rank in [0, 1]
};

/// @return all zero when the value is NaN
Standing standingOf(std::span<const double> values, std::size_t row);

} // namespace assay
