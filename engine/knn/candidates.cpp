#include "engine/knn/candidates.h"

#include "engine/knn/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

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
float atLeastKthSmallest(std::span<const float> values, std::size_t k) {
    constexpr int kHalvings = 16;
    const auto countAtMost = tileKernels().countAtMost;
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    float below = *lowest;
    float above = *highest; // at least k values are at most this, always
    for (int step = 0; step < kHalvings; ++step) {
        const float middle = below + (above - below) / 2.0F;
        const std::size_t found = countAtMost(values.data(), values.size(), middle);
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

/// One query's row of the table while its candidates are measured.
class CandidateLists::Nearest {
public:
    Nearest(CandidateLists& lists, std::size_t query)
        : side_(lists.side_), query_(query), k_(lists.k()), count_(lists.measured_[query]),
          distance_(lists.table_.distance.data() + query * k_), index_(lists.table_.index.data() + query * k_) {}

    void measure(std::uint32_t index) {
        const Measured found{directDistance(side_.queries, query_, side_.base, index), index};
        if (count_ == k_ && !(found < Measured{distance_[k_ - 1], index_[k_ - 1]}))
            return;
        std::size_t place = count_ < k_ ? count_++ : k_ - 1;
        for (; place > 0 && found < Measured{distance_[place - 1], index_[place - 1]}; --place) {
            distance_[place] = distance_[place - 1];
            index_[place] = index_[place - 1];
        }
        distance_[place] = found.distance;
        index_[place] = found.index;
    }

private:
    const SearchSide& side_;
    std::size_t query_;
    std::size_t k_;
    std::uint32_t& count_;
    double* distance_;
    std::uint32_t* index_;
};

CandidateLists::CandidateLists(const SearchSide& side, std::size_t k)
    : side_(side), capacity_(k == 0 ? 0 : std::max<std::size_t>(4 * k, k + 96)),
      items_(std::make_unique_for_overwrite<Candidate[]>(side.queries.rows * capacity_)), count_(side.queries.rows, 0),
      limit_(side.queries.rows,
             k == 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity()),
      measured_(side.queries.rows, 0) {
    table_.k = k;
    table_.index.resize(side.queries.rows * k);
    table_.distance.resize(side.queries.rows * k);
}

bool CandidateLists::add(std::size_t query, const TileHits& hits, std::size_t first, const JobContext& job) {
    const auto offset = static_cast<std::uint32_t>(first);
    bool changed = false;
    for (std::size_t done = 0; done < hits.count;) {
        Candidate* list = items_.get() + query * capacity_;
        const std::size_t before = count_[query];
        const std::size_t taken = std::min(hits.count - done, capacity_ - before);
        for (std::size_t h = 0; h < taken; ++h)
            list[before + h] = {hits.estimate[done + h], hits.column[done + h] + offset};
        done += taken;
        count_[query] += static_cast<std::uint32_t>(taken);
        if (count_[query] == capacity_) {
            compact(query, job);
            changed = true;
        }
    }
    return changed;
}

void CandidateLists::lowerToMeasured(std::size_t query) {
    if (measured_[query] < k())
        return;
    const double last = table_.distance[(query + 1) * k() - 1] * side_.scale;
    lower(query, roundUp(last * last));
}

void CandidateLists::tightenLimit(std::size_t query) {
    Candidate* list = items_.get() + query * capacity_;
    const std::size_t count = count_[query];
    constexpr std::size_t kOnStack = 512;
    std::array<float, kOnStack> small;
    std::vector<float> large(count > kOnStack ? count : 0);
    const std::span<float> estimates(large.empty() ? small.data() : large.data(), count);
    for (std::size_t c = 0; c < count; ++c)
        estimates[c] = list[c].estimate;
    const RowBounds& own = side_.queryOperand->bounds(query);
    if (count >= k()) {
        // The k with the lowest estimates are k rows within the largest of their upper bounds.
        const float kth = atLeastKthSmallest(estimates, k());
        double furthest = 0.0;
        for (std::size_t c = 0; c < count; ++c)
            if (list[c].estimate <= kth)
                furthest = std::max(
                    furthest, PairBounds::of(own, side_.baseOperand->bounds(list[c].index), list[c].estimate).high);
        lower(query, roundUp(furthest));
    }
    // Residuals and offsets differ little between rows: their extremes save looking each of them up.
    const Gate gate = Gate::of(limit_[query], own);
    const double root = static_cast<double>(gate.reach) + static_cast<double>(side_.baseOperand->largestResidual());
    const double level = static_cast<double>(gate.level) - static_cast<double>(side_.baseOperand->smallestOffset());
    const float most = roundUp(std::min(root * root, level));
    std::uint32_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) { // without branches: which ones stay cannot be predicted
        const Candidate candidate = list[c];
        list[kept] = candidate;
        kept += candidate.estimate <= most ? 1 : 0;
    }
    count_[query] = kept;
}

void CandidateLists::compact(std::size_t query, const JobContext& job) {
    tightenLimit(query);
    // Compaction has to free a good part of the list, or the next one comes after a handful of proposals.
    if (count_[query] > capacity_ - capacity_ / 4)
        settle(query, job);
}

void CandidateLists::settle(std::size_t query, const JobContext& job) {
    Candidate* list = items_.get() + query * capacity_;
    if (count_[query] > k())
        tightenLimit(query);
    const std::size_t count = count_[query];
    count_[query] = 0;
    // The lowest estimates first: what they measure excludes most of the others.
    const std::size_t first = std::min(count, k());
    if (first < count)
        std::nth_element(list, list + first, list + count,
                         [](const Candidate& a, const Candidate& b) { return a.estimate < b.estimate; });
    Nearest nearest(*this, query);
    const auto measure = [&](const Candidate* from, const Candidate* to) {
        for (; from < to; ++from) {
            // Candidates lie anywhere in the set: without a hint each one starts with a wait for memory.
            if (from + 1 < to)
                prefetchRow(side_.base, from[1].index);
            job.throwIfStopped();
            nearest.measure(from->index);
        }
    };
    measure(list, list + first);
    lowerToMeasured(query);
    const Gate gate = this->gate(query);
    const Candidate* doubtful = std::partition(list + first, list + count, [&](const Candidate& candidate) {
        return gate.admits(candidate.estimate, side_.baseOperand->bounds(candidate.index));
    });
    measure(list + first, doubtful);
    lowerToMeasured(query);
}

} // namespace assay
