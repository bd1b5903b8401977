#pragma once

#include "engine/data/sample_id.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// Position of a sample relative to one of its neighbours and to that neighbour's ball.
struct NeighborRelation {
    SampleId neighbor;
    double distance = 0.0;
    /// Radius of the neighbour's ball: min(NND_k, median) within the real set for a real neighbour, NND_k within the
    /// synthetic set for a synthetic one.
    double radius = 0.0;
    bool inside = false; ///< distance <= radius

    /// Distance from the ball's surface as a share of its radius: distance / radius - 1; 0 inside, infinite for radius
    /// 0.
    double relativeGap() const noexcept;
};

/// The stored nearest neighbours of a sample in a set, ascending by (distance, row), at most `count`.
/// @param model index of the model whose synthetic set is used for a real sample; for a synthetic sample, its own model
///         is used
/// @param side set in which the neighbours lie; a sample is never its own neighbour
std::vector<NeighborRelation> nearestSamples(const AuditResult& audit, std::size_t model, SampleId sample, Side side,
                                             std::size_t count);

/// Explains a sample's score in one or two plain sentences, with three significant digits:
/// "Outside every real ball: its nearest real sample is 3.42 away, 18 % beyond that sample's radius (2.90)."
/// @param model as in nearestSamples()
std::string explainSample(const AuditResult& audit, std::size_t model, SampleId sample);

/// Rank of a value among all values of its column.
struct Standing {
    std::size_t below = 0;              ///< number of smaller values
    std::size_t equal = 0;              ///< number of equal values, itself included
    std::size_t total = 0;              ///< number of values that are not NaN
    double percentile() const noexcept; ///< mid-rank in [0, 1]
};

/// Ranks the value of a row. @return all zero when the value is NaN
Standing standingOf(std::span<const double> values, std::size_t row);

} // namespace assay
