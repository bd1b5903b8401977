#include "engine/metrics/topological/point_distances.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <limits>

namespace assay {

std::size_t PointDistances::bytesPerRow(std::size_t dim) noexcept {
    return dim * sizeof(float);
}

PointDistances::PointDistances(const std::vector<float>& points, std::size_t rows, std::size_t dim, unsigned threads,
                               const JobContext& job)
    : rows_(rows), dim_(dim), values_(makeLargeArray<float>(blocks() * kBlock * dim)) {
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
}

void PointDistances::near(const Queries& queries, std::size_t block, std::span<Found, kQueries> found) const {
    constexpr std::size_t kRoom = kBlock + 16; // whole vectors are written
    for (Found& one : found)
        if (one.row.size() < one.count + kRoom) {
            one.row.resize(2 * one.row.size() + kRoom);
            one.squared.resize(one.row.size());
        }
    const PointSearch search{.block = values_.get() + block * dim_ * kBlock,
                             .queries = queries,
                             .dim = dim_,
                             .firstRow = static_cast<std::uint32_t>(block * kBlock)};
    appendNear(search, found);
}

} // namespace assay
