#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Finds the points near a few others in some tens of dimensions. Squared distances are taken directly, in float32: too
/// few dimensions for a product to pay, and no cancellation.
class PointDistances {
public:
    static constexpr std::size_t kBlock = 256; ///< points looked at in one call
    static constexpr std::size_t kQueries = 4; ///< for how many points at once

    /// Rows found near one point, ascending by row as long as blocks are looked at in their order.
    struct Found {
        std::size_t count = 0;
        std::vector<std::uint32_t> row; ///< count of them; there may be room behind
        std::vector<float> squared;
    };

    /// Points whose neighbours are looked for.
    struct Queries {
        std::array<const float*, kQueries> points; ///< to dim values each
        float limit;                               ///< on squared distances
    };

    /// @param points rows x dim, copied @param threads 0 for every core
    /// @throws Cancelled
    PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads = 1,
                   const JobContext& job = {});

    /// Memory that it takes.
    static std::size_t bytesPerRow(std::size_t dim) noexcept;

    std::size_t blocks() const noexcept { return (rows_ + kBlock - 1) / kBlock; }

    /// Adds the points of a block at a squared distance of at most the queries' limit.
    void near(const Queries& queries, std::size_t block, std::span<Found, kQueries> found) const;

private:
    void fillBlock(const std::vector<float>& points, std::size_t block);

    std::size_t rows_;
    std::size_t dim_;
    LargeArray<float> values_; ///< per block: dim x kBlock; not a number behind the last point, which is near nothing
};

/// A block of points and what is looked for in it.
struct PointSearch {
    const float* block; ///< coordinates of its points: dim x PointDistances::kBlock
    const PointDistances::Queries& queries;
    std::size_t dim;
    std::uint32_t firstRow;
};

/// Adds the block's points at a squared distance of at most the queries' limit. There is room for a block and 16 more.
void appendNear(const PointSearch& of, std::span<PointDistances::Found, PointDistances::kQueries> found);

} // namespace assay
