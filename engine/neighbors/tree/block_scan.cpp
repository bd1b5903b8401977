#include "engine/neighbors/tree/block_scan.h"

#include "engine/math/products/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// Points beyond k that a list may hold before it is shortened: few, so that limits are tight.
std::size_t spareFor(std::size_t k) {
    return std::max<std::size_t>(32, k / 2);
}

} // namespace

BlockNeighbors::BlockNeighbors(MatrixView queries, MatrixView base, double scale, NearestMeasured& nearest)
    : queries_(queries), base_(base), k_(nearest.k()), scale_(scale), bounds_(base.dim), full_(k_ + spareFor(k_)),
      capacity_((full_ + kBlockPoints + 15) / 16 * 16), squared_(kBlockPoints * capacity_),
      row_(kBlockPoints * capacity_), nearest_(nearest) {}

void BlockNeighbors::start(std::span<const std::uint32_t> queryRows) {
    queryRows_ = queryRows;
    count_.fill(0);
    limitsChanged_ = true;
    limit_.fill(-1.0F);
    std::fill_n(limit_.begin(), queryRows.size(), std::numeric_limits<float>::infinity());
}

void BlockNeighbors::findFarthest() {
    constexpr std::size_t kTogether = 16;
    std::array<float, kTogether> most;
    most.fill(-1.0F);
    for (std::size_t q = 0; q < kBlockPoints; q += kTogether)
        for (std::size_t l = 0; l < kTogether; ++l)
            most[l] = limit_[q + l] > most[l] ? limit_[q + l] : most[l];
    farthest_ = *std::max_element(most.begin(), most.end());
    limitsChanged_ = false;
}

void BlockNeighbors::shrink(std::size_t q) {
    limitsChanged_ = true;
    if (nearest_.isEmpty(queryRows_[q])) {
        dropFar(q);
        if (count_[q] <= k_ + spareFor(k_) / 2)
            return;
    }
    measure(q);
}

void BlockNeighbors::dropFar(std::size_t q) {
    float* const squared = squared_.data() + q * capacity_;
    std::uint32_t* const row = row_.data() + q * capacity_;
    const float limit = bounds_.limitOver(leafKernels().smallest(squared, count_[q], k_));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_[q]; ++i) {
        squared[kept] = squared[i];
        row[kept] = row[i];
        kept += squared[i] <= limit ? 1 : 0;
    }
    count_[q] = static_cast<std::uint32_t>(kept);
    limit_[q] = std::min(limit_[q], limit);
}

void BlockNeighbors::measure(std::size_t q) {
    const float* query = queries_.rowData(queryRows_[q]);
    const std::uint32_t* row = row_.data() + q * capacity_;
    const auto squaredDistance = kernels().squaredDistance;
    NearestMeasured::Row nearest(nearest_, queryRows_[q]);
    for (std::size_t i = 0; i < count_[q]; ++i)
        // Among duplicates of the query only the index decides: nothing to measure.
        if (nearest.wants(row[i], 0.0))
            nearest.add(row[i], std::sqrt(squaredDistance(query, base_.rowData(row[i]), base_.dim)));
    nearest.finish();
    count_[q] = 0;
    const double scaled = nearest_.furthest(queryRows_[q]) * scale_;
    if (std::isfinite(scaled))
        limit_[q] = std::min(limit_[q], bounds_.outside(scaled * scaled));
}

void BlockNeighbors::finish() {
    for (std::size_t q = 0; q < queryRows_.size(); ++q) {
        if (nearest_.isEmpty(queryRows_[q]) && count_[q] > k_)
            dropFar(q);
        measure(q);
    }
}

} // namespace assay
