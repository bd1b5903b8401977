#include "engine/knn/candidates.h"

#include "engine/knn/kernels.h"
#include "engine/knn/product_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// Asks for the first KiB of a row; the processor's own prefetcher follows from there.
void prefetchRow(MatrixView set, std::size_t row) {
    constexpr std::size_t kFloatsPerLine = 16;
    const float* data = set.rowData(row);
    for (std::size_t c = 0; c < std::min<std::size_t>(set.dim, 16 * kFloatsPerLine); c += kFloatsPerLine)
        __builtin_prefetch(data + c);
}

/// A value that at least k and, ties apart, not many more than k of the values are at most: an upper bound on the k-th
/// smallest that is found by counting, several times faster than by partial sorting.
float atLeastKthSmallest(const float* values, std::size_t count, std::size_t k, float lowest, float highest) {
    constexpr int kHalvings = 16;
    const auto countAtMost = kernels().countAtMost;
    float below = lowest;
    float above = highest; // at least k values are at most this, always
    for (int step = 0; step < kHalvings; ++step) {
        const float middle = below + (above - below) / 2.0F;
        const std::size_t found = countAtMost(values, count, middle);
        if (found < k) {
            below = middle;
            continue;
        }
        above = middle;
        if (found <= k + k / 16)
            break;
    }
    return above;
}

} // namespace

double directDistance(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    return std::sqrt(kernels().squaredDistance(a.rowData(rowA), b.rowData(rowB), a.dim));
}

CandidateLists::CandidateLists(const SearchSide& side, std::size_t k)
    : side_(side), k_(k), capacity_(k == 0 ? 0 : std::max<std::size_t>(4 * k, k + 96)),
      items_(std::make_unique_for_overwrite<Candidate[]>(side.queries.rows * capacity_)), count_(side.queries.rows, 0),
      limit_(side.queries.rows,
             k == 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity()) {}

void CandidateLists::tightenLimit(std::size_t query) {
    Candidate* list = items_.get() + query * capacity_;
    const std::size_t count = count_[query];
    // In float, for speed: the margin below makes up for the rounding of the sums, at most 2^-24 of their magnitude.
    constexpr std::size_t kOnStack = 256;
    std::array<float, kOnStack> small;
    std::vector<float> large(count > kOnStack ? count : 0);
    float* high = large.empty() ? small.data() : large.data();
    float lowest = std::numeric_limits<float>::infinity();
    float highest = -std::numeric_limits<float>::infinity();
    for (std::size_t c = 0; c < count; ++c) {
        high[c] = list[c].low + side_.baseSlack[list[c].index];
        lowest = std::min(lowest, high[c]);
        highest = std::max(highest, high[c]);
    }
    const float kth = atLeastKthSmallest(high, count, k_, lowest, highest);
    const double magnitude = std::max(std::abs(static_cast<double>(lowest)), std::abs(static_cast<double>(highest)));
    const float limit =
        std::min(limit_[query], roundUp(static_cast<double>(kth) + static_cast<double>(side_.querySlack[query]) +
                                        magnitude * 0x1p-23));
    limit_[query] = limit;
    std::uint32_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) { // without branches: which ones stay cannot be predicted
        const Candidate candidate = list[c];
        list[kept] = candidate;
        kept += candidate.low <= limit ? 1 : 0;
    }
    count_[query] = kept;
}

void CandidateLists::compact(std::size_t query) {
    tightenLimit(query);
    // Compaction has to free a good part of the buffer, or the next one comes after a handful of proposals.
    if (count_[query] > capacity_ - capacity_ / 4)
        measureAndKeepNearest(query);
}

std::vector<Measured> CandidateLists::nearestOf(std::size_t query) const {
    const Candidate* list = items_.get() + query * capacity_;
    std::vector<Measured> measured(count_[query]);
    for (std::size_t c = 0; c < measured.size(); ++c) {
        // Candidates lie anywhere in the set: without a hint each one starts with a wait for memory.
        if (c + 1 < measured.size())
            prefetchRow(side_.base, list[c + 1].index);
        measured[c] = {directDistance(side_.queries, query, side_.base, list[c].index), list[c].index};
    }
    const std::size_t keep = std::min(k_, measured.size());
    std::partial_sort(measured.begin(), measured.begin() + static_cast<std::ptrdiff_t>(keep), measured.end());
    measured.resize(keep);
    return measured;
}

void CandidateLists::measureAndKeepNearest(std::size_t query) {
    const std::vector<Measured> nearest = nearestOf(query);
    Candidate* list = items_.get() + query * capacity_;
    for (std::size_t c = 0; c < nearest.size(); ++c) {
        const double scaled = nearest[c].distance * side_.scale;
        list[c] = {roundDown(scaled * scaled), nearest[c].index};
    }
    count_[query] = static_cast<std::uint32_t>(nearest.size());
    const double last = nearest.back().distance * side_.scale;
    limit_[query] = std::min(limit_[query], roundUp(last * last));
}

void CandidateLists::finish(std::size_t query, NeighborTable& table) {
    if (count_[query] > k_)
        tightenLimit(query);
    const std::vector<Measured> nearest = nearestOf(query);
    for (std::size_t rank = 0; rank < nearest.size(); ++rank) {
        table.index[query * k_ + rank] = nearest[rank].index;
        table.distance[query * k_ + rank] = nearest[rank].distance;
    }
}

} // namespace assay
