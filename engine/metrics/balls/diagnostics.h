#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct PairTables;
struct RealAnalysis;

/// One step on the way from Density to Clipped Density.
struct DensityStep {
    std::string_view metric;          ///< id in the catalogue
    std::string_view change;          ///< what this step does that the one before does not, for people
    double value = 0.0;               ///< of the metric
    double overOccurring = 0.0;       ///< share of synthetic samples that weigh more than k balls in it
    double largestContribution = 0.0; ///< of one synthetic sample, in units of k balls
};

/// How many real balls hold so many synthetic samples.
struct BallOccupancy {
    /// The fewest synthetic samples of each class: 0, 1-5, 6-100, 101-1000, 1001-10000, more.
    static constexpr std::array<std::uint32_t, 6> kFrom{0, 1, 6, 101, 1001, 10001};
    static constexpr std::array<std::string_view, 6> kNames{"0",        "1-5",        "6-100",
                                                            "101-1000", "1001-10000", "more than 10000"};
    std::array<std::size_t, 6> balls{};        ///< real balls of each class, N in all
    std::array<std::size_t, 6> clippedBalls{}; ///< the same with radii clipped to their median
};

/// A real sample whose ball holds many synthetic samples.
struct FullBall {
    std::uint32_t row = 0;          ///< of the real set
    std::uint32_t count = 0;        ///< synthetic samples in its ball
    std::uint32_t clippedCount = 0; ///< in its clipped ball
    double radius = 0.0;            ///< distance to its k-th real neighbour
    double radiusToMedian = 0.0;    ///< radius relative to the median of all; not a number where that is 0
};

/// Why Density is what it is. Source: Salvy, Talbot, Thirion, ICLR 2026, tables 2 to 6.
struct Diagnostics {
    static constexpr std::size_t kFullestBalls = 20;

    std::vector<DensityStep> densitySteps;
    BallOccupancy occupancy;
    std::vector<FullBall> fullestBalls; ///< at most kFullestBalls, fullest first, ties by row; empty balls left out
    double fullestShare = 0.0;          ///< of all memberships in real balls, those in the fullest balls; 0 for none
};

/// Reads the finished passes. O(N + M).
Diagnostics diagnose(const RealAnalysis& real, const PairTables& pair, std::size_t k);

} // namespace assay
