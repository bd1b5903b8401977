#include "engine/neighbors/products/candidates.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kMaxOnStack = 1024;

/// Upper bound on the squared distances of a query to some rows, from the largest of their estimates and errors.
class Furthest {
public:
    explicit Furthest(float largestEstimate) : estimate_(largestEstimate) {}

    void add(float estimate, const RowBounds& row) {
        above_ = std::max(above_, static_cast<double>(estimate) + static_cast<double>(row.above));
        worst_.residual = std::max(worst_.residual, row.residual);
        worst_.slack = std::max(worst_.slack, row.slack);
    }

    float from(const RowBounds& query) {
        worst_.above = roundUp(above_ - static_cast<double>(estimate_));
        return roundUp(boundsOf(query, worst_, estimate_).high);
    }

private:
    float estimate_;
    double above_ = -std::numeric_limits<double>::infinity();
    RowBounds worst_{0.0F, 0.0F, 0.0F, 0.0F};
};

} // namespace

CandidateLists::CandidateLists(const SearchSide& side, std::size_t k, std::size_t capacity)
    : side_(side), k_(k),
      capacity_(k == 0 ? 0 : std::max(shortest(k), std::min(capacity, std::max(kMaxOnStack, 4 * k)))),
      items_(makeLargeArray<Candidate>(side.queries.rows * capacity_)), count_(side.queries.rows, 0),
      limit_(side.queries.rows,
             k == 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity()),
      kept_(side.queries.rows, -std::numeric_limits<float>::infinity()) {}

std::size_t CandidateLists::add(std::size_t query, const TileHits& hits, std::size_t from, std::size_t first) {
    const auto offset = static_cast<std::uint32_t>(first);
    Candidate* end = items_.get() + query * capacity_ + count_[query];
    const std::size_t added = std::min(hits.count - from, capacity_ - count_[query]);
    for (std::size_t h = 0; h < added; ++h)
        end[h] = {hits.estimate[from + h], hits.column[from + h] + offset};
    count_[query] += static_cast<std::uint32_t>(added);
    return added;
}

void CandidateLists::lowerBySample(std::size_t query, std::span<const float> estimates,
                                   std::span<const std::uint32_t> rows, const ProductOperand& sample,
                                   std::size_t rank) {
    const float limit = tileKernels().atLeastKthSmallest(estimates.data(), estimates.size(), rank);
    Furthest furthest(limit);
    for (std::size_t c = 0; c < estimates.size(); ++c)
        if (estimates[c] <= limit)
            furthest.add(estimates[c], sample.bounds(rows.empty() ? c : rows[c]));
    lower(query, furthest.from(side_.queryOperand->bounds(query)));
}

float CandidateLists::tightenLimit(std::size_t query) {
    const TileKernels& kernel = tileKernels();
    Candidate* list = items_.get() + query * capacity_;
    const std::size_t count = count_[query];
    const RowBounds& own = side_.queryOperand->bounds(query);
    float kth = std::numeric_limits<float>::infinity();
    if (count >= k_) {
        std::array<float, kMaxOnStack> fewEstimates;
        std::array<Candidate, kMaxOnStack> fewNearest;
        const bool few = count <= kMaxOnStack;
        std::vector<float> manyEstimates(few ? 0 : count);
        std::vector<Candidate> manyNearest(few ? 0 : count);
        float* estimates = few ? fewEstimates.data() : manyEstimates.data();
        Candidate* nearest = few ? fewNearest.data() : manyNearest.data();
        for (std::size_t c = 0; c < count; ++c)
            estimates[c] = list[c].estimate;
        kth = kernel.atLeastKthSmallest(estimates, count, k_);
        // The k with the lowest estimates are k rows within the largest of their upper bounds.
        std::copy_n(list, count, nearest);
        const std::size_t lowest = kernel.keepAtMost(nearest, count, kth);
        Furthest furthest(kth);
        for (std::size_t c = 0; c < lowest; ++c)
            furthest.add(nearest[c].estimate, side_.baseOperand->bounds(nearest[c].index));
        lower(query, furthest.from(own));
    }
    // Residuals and offsets differ little between rows: their extremes save looking each of them up.
    const float most = pruningLimit(query).most(*side_.baseOperand);
    count_[query] = static_cast<std::uint32_t>(kernel.keepAtMost(list, count, most));
    return kth;
}

bool CandidateLists::compact(std::size_t query) {
    tightenLimit(query);
    // Compaction has to free a good part of the list, or the next one comes after a handful of candidates.
    const std::size_t enough = capacity_ - capacity_ / 4;
    if (count_[query] > enough)
        dropExcluded(query);
    return count_[query] <= enough;
}

void CandidateLists::dropExcluded(std::size_t query) {
    const std::span<Candidate> listed = list(query);
    const PruningLimit limit = pruningLimit(query);
    const auto end = std::partition(listed.begin(), listed.end(), [&](const Candidate& candidate) {
        return limit.admits(candidate.estimate, side_.baseOperand->bounds(candidate.index));
    });
    truncate(query, static_cast<std::size_t>(end - listed.begin()));
}

std::size_t CandidateLists::tighten(std::size_t query) {
    if (count_[query] > k_)
        tightenLimit(query);
    dropExcluded(query);
    return count_[query];
}

} // namespace assay
