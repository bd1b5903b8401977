#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct PairTables;
struct RealAnalysis;

/// One step from Density to Clipped Density.
struct DensityStep {
    std::string_view metric;          ///< id of a metric in the catalogue
    std::string_view change;          ///< description, for people, of the change from the previous step
    double value = 0.0;               ///< value of the metric
    double overOccurring = 0.0;       ///< share of synthetic samples that contribute more than k balls
    double largestContribution = 0.0; ///< largest contribution of one synthetic sample, in units of k balls
};

/// Histogram of the real balls by their number of synthetic samples.
struct BallOccupancy {
    /// Smallest number of synthetic samples per class: 0, 1-5, 6-100, 101-1000, 1001-10000, more.
    static constexpr std::array<std::uint32_t, 6> kFrom{0, 1, 6, 101, 1001, 10001};
    static constexpr std::array<std::string_view, 6> kNames{"0",        "1-5",        "6-100",
                                                            "101-1000", "1001-10000", "more than 10000"};
    std::array<std::size_t, 6> balls{};        ///< real balls per class, N in total
    std::array<std::size_t, 6> clippedBalls{}; ///< real balls per class with radii clipped to their median, N in total
};

/// A real sample whose ball contains many synthetic samples.
struct FullBall {
    std::uint32_t row = 0;          ///< row of the real set
    std::uint32_t count = 0;        ///< number of synthetic samples in its ball
    std::uint32_t clippedCount = 0; ///< number of synthetic samples in its clipped ball
    double radius = 0.0;            ///< distance to its k-th real neighbour
    double radiusToMedian = 0.0;    ///< radius divided by the median radius; NaN if the median is 0
};

/// Explains the value of Density. Source: Salvy, Talbot, Thirion, ICLR 2026, tables 2 to 6.
struct Diagnostics {
    static constexpr std::size_t kFullestBalls = 20;

    std::vector<DensityStep> densitySteps;
    BallOccupancy occupancy;
    /// Non-empty balls with most synthetic samples, at most kFullestBalls, descending, ties by row.
    std::vector<FullBall> fullestBalls;
    /// Share of all ball memberships that belong to these balls, in [0, 1]; 0 for no memberships.
    double fullestShare = 0.0;
};

/// Computes the diagnostics from the finished neighbour passes. O(N + M).
Diagnostics diagnose(const RealAnalysis& real, const PairTables& pair, std::size_t k);

} // namespace assay
