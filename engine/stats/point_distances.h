#pragma once

#include "engine/job/large_array.h"
#include "engine/stats/rounded_points.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Finds the points near a few others in some tens of dimensions. Squared distances are taken directly, in float32: too
/// few dimensions for a product to pay, and no cancellation. Where the processor allows, only those between points that
/// are near when rounded to bytes.
class PointDistances {
public:
    static constexpr std::size_t kBlock = RoundedPoints::kBlock;     ///< points looked at in one call
    static constexpr std::size_t kQueries = RoundedPoints::kQueries; ///< for how many points at once

    /// What was found near one point, ascending by row as long as blocks are looked at in their order.
    struct Found {
        std::size_t count = 0;
        std::vector<std::uint32_t> row; ///< count of them; there may be room behind
        std::vector<float> squared;
    };

    /// Points whose neighbours are looked for.
    struct Queries {
        std::array<const float*, kQueries> points; ///< to dim values each
        float limit;                               ///< on squared distances
        bool areRounded;
        std::array<RoundedPoints::Query, kQueries> rounded;
        alignas(64) float padded[kQueries][RoundedPoints::kMostDims]; ///< with zeros behind them, if they are rounded
    };

    /// @param points rows x dim, copied @param threads 0 for every core
    /// @throws Cancelled
    PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads = 1,
                   const JobContext& job = {});

    /// Memory that it takes.
    static std::size_t bytesPerRow(std::size_t dim) noexcept;

    std::size_t blocks() const noexcept { return (rows_ + kBlock - 1) / kBlock; }

    /// @param points kQueries pointers to dim values each, which have to outlive the result
    Queries queries(const std::array<const float*, kQueries>& points, float limit) const;

    /// Adds the points of a block at a squared distance of at most the queries' limit.
    void near(const Queries& queries, std::size_t block, std::span<Found, kQueries> found) const;

private:
    void fillBlock(const std::vector<float>& points, std::size_t block);

    std::size_t rows_;
    std::size_t dim_;
    std::size_t padded_;       ///< dim, and up to a whole line of memory
    LargeArray<float> values_; ///< per block: dim x kBlock; not a number behind the last point, which is near nothing
    LargeArray<float> lines_;  ///< rows x padded, zeros behind each point; only if points were rounded
    RoundedPoints rounded_;
};

/// What kernels are whole multiples of 1 / this of: sums of fewer than 2^31 are exact in double precision, in any
/// order.
constexpr float kKernelUnit = 0x1p22F;

/// The kernel cos(pi/2 d / h) of some distances, times kKernelUnit and rounded to whole numbers; 0 beyond h.
/// @param squared d^2 @param squaredBandwidth h^2; for 0 the kernel is 1 at no distance
/// @param values `count` whole numbers from 0 to kKernelUnit
void cosineKernel(const float* squared, std::size_t count, float squaredBandwidth, float* values);

/// Rows of weights or sums, `width` values each, a multiple of kWeightLanes. Weights are whole numbers.
struct WeightedRows {
    static constexpr std::size_t kWeightLanes = 8;
    const float* weights;
    double* sums;
    std::size_t width;
};

/// Adds to the sums of row `i`, for each h < count, values[h] times the weights of rows[h], and to those of rows[h]
/// values[h] times the weights of row `i`.
void addBothWays(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
                 std::size_t count);

} // namespace assay
