#include "engine/metrics/topological/point_distances.h"

#include "engine/base/parallel.h"
#include "engine/metrics/topological/point_kernels.h"

#include <algorithm>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kBlock = PointDistances::kBlock;
constexpr std::size_t kQueries = PointDistances::kQueries;
constexpr std::size_t kLine = 16; ///< floats

std::size_t linesOf(std::size_t dim) {
    return (dim + kLine - 1) / kLine;
}

/// Pairs of a query and a point that are measured on their own: for more it is quicker to measure all.
constexpr std::size_t kMostMeasured = kBlock * kQueries / 4;

} // namespace

std::size_t PointDistances::bytesPerRow(std::size_t dim) noexcept {
    return (dim + linesOf(dim) * kLine) * sizeof(float) + RoundedPoints::bytesPerRow(dim);
}

PointDistances::PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads,
                               const JobContext& job)
    : rows_(rows), dim_(dim), padded_(linesOf(dim) * kLine), values_(makeLargeArray<float>(blocks() * kBlock * dim)),
      rounded_(points, rows, dim, threads, job) {
    if (rounded_.tell())
        lines_ = makeLargeArray<float>(blocks() * kBlock * padded_);
    parallelFor(blocks(), threads, job, [&](std::size_t block, unsigned) { fillBlock(points, block); });
}

void PointDistances::fillBlock(const std::vector<float>& points, std::size_t block) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, rows_ - first);
    float* values = values_.get() + first * dim_;
    for (std::size_t c = 0; c < dim_; ++c) {
        for (std::size_t r = 0; r < count; ++r)
            values[c * kBlock + r] = points[(first + r) * dim_ + c];
        std::fill_n(values + c * kBlock + count, kBlock - count, std::numeric_limits<float>::quiet_NaN());
    }
    if (!lines_)
        return;
    float* lines = lines_.get() + first * padded_;
    std::fill_n(lines, kBlock * padded_, 0.0F);
    for (std::size_t r = 0; r < count; ++r)
        std::copy_n(points.data() + (first + r) * dim_, dim_, lines + r * padded_);
}

PointDistances::Queries PointDistances::queries(const std::array<const float*, kQueries>& points, float limit) const {
    Queries queries{points, limit, false, {}, {}};
    for (std::size_t q = 0; q < kQueries; ++q) {
        const auto rounded = rounded_.query(points[q], limit);
        if (!rounded)
            return queries;
        queries.rounded[q] = *rounded;
        std::copy_n(points[q], dim_, queries.padded[q]);
    }
    queries.areRounded = true;
    return queries;
}

void PointDistances::near(const Queries& queries, std::size_t block, std::span<Found, kQueries> found) const {
    constexpr std::size_t kRoom = kBlock + 16; // whole vectors are written
    for (Found& one : found)
        if (one.row.size() < one.count + kRoom) {
            one.row.resize(2 * one.row.size() + kRoom);
            one.squared.resize(one.row.size());
        }
    const PointSearch search{.block = values_.get() + block * dim_ * kBlock,
                             .lines = lines_ ? lines_.get() + block * kBlock * padded_ : nullptr,
                             .queries = queries,
                             .dim = dim_,
                             .padded = padded_,
                             .firstRow = static_cast<std::uint32_t>(block * kBlock)};
    PointMasks marked; // NOLINT(cppcoreguidelines-pro-type-member-init)
    if (queries.areRounded && rounded_.mark(queries.rounded, block, marked) <= kMostMeasured)
        appendNearMarked(search, marked, found);
    else
        appendNear(search, found);
}

} // namespace assay
