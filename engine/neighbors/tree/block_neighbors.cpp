#include "engine/neighbors/tree/block_neighbors.h"

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

BlockNeighbors::BlockNeighbors(MatrixView queries, MatrixView base, std::size_t k, double scale)
    : queries_(queries), base_(base), k_(k), scale_(scale), bounds_(base.dim), full_(k + spareFor(k)),
      capacity_((full_ + kBlockPoints + 15) / 16 * 16), squared_(kBlockPoints * capacity_),
      row_(kBlockPoints * capacity_) {}

void BlockNeighbors::start(std::span<const std::uint32_t> queryRows) {
    queryRows_ = queryRows;
    count_.fill(0);
    limitsChanged_ = true;
    limit_.fill(-1.0F);
    std::fill_n(limit_.begin(), queryRows.size(), std::numeric_limits<float>::infinity());
    for (auto& measured : measured_)
        measured.clear();
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
    if (measured_[q].empty()) {
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
    std::vector<Measured>& found = measured_[q];
    const std::size_t before = found.size();
    for (std::size_t i = 0; i < count_[q]; ++i) {
        // Among duplicates of the query only the index decides: nothing to measure.
        if (before == k_ && found[k_ - 1].distance == 0.0 && row[i] > found[k_ - 1].index)
            continue;
        const Measured next{std::sqrt(squaredDistance(query, base_.rowData(row[i]), base_.dim)), row[i]};
        if (before < k_ || next < found[k_ - 1])
            found.push_back(next);
    }
    count_[q] = 0;
    if (found.size() > before) {
        std::sort(found.begin(), found.end());
        found.resize(std::min(found.size(), k_));
    }
    if (found.size() == k_) {
        const double scaled = found.back().distance * scale_;
        limit_[q] = std::min(limit_[q], bounds_.outside(scaled * scaled));
    }
}

void BlockNeighbors::finish(NeighborTable& table) {
    for (std::size_t q = 0; q < queryRows_.size(); ++q) {
        if (measured_[q].empty() && count_[q] > k_)
            dropFar(q);
        measure(q);
        const std::size_t first = std::size_t{queryRows_[q]} * k_;
        for (std::size_t rank = 0; rank < k_; ++rank) {
            table.index[first + rank] = measured_[q][rank].index;
            table.distance[first + rank] = measured_[q][rank].distance;
        }
    }
}

} // namespace assay
