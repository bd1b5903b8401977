#include "engine/neighbors/products/candidates.h"

#include "engine/math/products/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kMostOnStack = 1024;

} // namespace

double directDistance(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    return std::sqrt(kernels().squaredDistance(a.rowData(rowA), b.rowData(rowB), a.dim));
}

NeighborTable noNeighbors(std::size_t queries, std::size_t k) {
    return {k, std::vector<std::uint32_t>(queries * k, kNoNeighbor),
            std::vector<double>(queries * k, std::numeric_limits<double>::infinity())};
}

/// One query's row of the table while its candidates are measured.
class CandidateLists::Nearest {
public:
    Nearest(CandidateLists& lists, std::size_t query)
        : firstIndex_(lists.side_.firstIndex), k_(lists.k()), count_(lists.measured_[query]),
          distance_(lists.table_.distance.data() + query * k_), index_(lists.table_.index.data() + query * k_) {}

    bool full() const noexcept { return count_ == k_; }

    /// Takes a measured row in. Until there are k of them they stand as they come: order() has to follow.
    void take(std::uint32_t index, double distance) {
        const Measured found{distance, firstIndex_ + index};
        if (full()) {
            insert(found);
            return;
        }
        distance_[count_] = found.distance;
        index_[count_] = found.index;
        if (++count_ == k_)
            order();
    }

    /// Puts what was taken in ascending order.
    void order() {
        std::array<Measured, kMostOnStack> few;
        std::vector<Measured> many(count_ <= kMostOnStack ? 0 : count_);
        Measured* all = count_ <= kMostOnStack ? few.data() : many.data();
        for (std::uint32_t n = 0; n < count_; ++n)
            all[n] = {distance_[n], index_[n]};
        std::sort(all, all + count_);
        for (std::uint32_t n = 0; n < count_; ++n) {
            distance_[n] = all[n].distance;
            index_[n] = all[n].index;
        }
    }

private:
    void insert(const Measured& found) {
        if (!(found < Measured{distance_[k_ - 1], index_[k_ - 1]}))
            return;
        std::size_t place = k_ - 1;
        for (; place > 0 && found < Measured{distance_[place - 1], index_[place - 1]}; --place) {
            distance_[place] = distance_[place - 1];
            index_[place] = index_[place - 1];
        }
        distance_[place] = found.distance;
        index_[place] = found.index;
    }

    std::uint32_t firstIndex_;
    std::size_t k_;
    std::uint32_t& count_;
    double* distance_;
    std::uint32_t* index_;
};

/// Upper bound on the squared distances of a query to some rows, from the largest of their estimates and errors.
class CandidateLists::Furthest {
public:
    explicit Furthest(float largestEstimate) : estimate_(largestEstimate) {}

    void add(float estimate, const RowBounds& row) {
        above_ = std::max(above_, static_cast<double>(estimate) + static_cast<double>(row.above));
        worst_.residual = std::max(worst_.residual, row.residual);
        worst_.slack = std::max(worst_.slack, row.slack);
    }

    float from(const RowBounds& query) {
        worst_.above = roundUp(above_ - static_cast<double>(estimate_));
        return roundUp(PairBounds::of(query, worst_, estimate_).high);
    }

private:
    float estimate_;
    double above_ = -std::numeric_limits<double>::infinity();
    RowBounds worst_{0.0F, 0.0F, 0.0F, 0.0F};
};

CandidateLists::CandidateLists(const SearchSide& side, std::size_t k, std::size_t capacity)
    : side_(side), capacity_(k == 0 ? 0 : std::max(k + 64, std::min(capacity, std::max(kMostOnStack, 4 * k)))),
      items_(makeLargeArray<Candidate>(side.queries.rows * capacity_)), count_(side.queries.rows, 0),
      limit_(side.queries.rows,
             k == 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity()),
      ball_(side.queries.rows, -std::numeric_limits<float>::infinity()), measured_(side.queries.rows, 0),
      chosen_(side.queries.rows, 0), next_(side.queries.rows, 0) {
    table_.k = k;
    table_.index.resize(side.queries.rows * k);
    table_.distance.resize(side.queries.rows * k);
}

void CandidateLists::decideBalls(BallCounter& balls) {
    balls_ = &balls;
    for (std::size_t query = 0; query < ball_.size(); ++query)
        ball_[query] = balls.limit(query);
}

void CandidateLists::start(NeighborTable known) {
    table_ = std::move(known);
    for (std::size_t query = 0; query < queries(); ++query) {
        const std::uint32_t* row = table_.index.data() + query * k();
        measured_[query] = static_cast<std::uint32_t>(std::find(row, row + k(), kNoNeighbor) - row);
        lowerToMeasured(query);
    }
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
    if (k() == 0 || measured_[query] < k())
        return;
    const double last = table_.distance[(query + 1) * k() - 1] * side_.scale;
    lower(query, roundUp(last * last));
}

void CandidateLists::prime(std::size_t query, std::span<const float> estimates, std::span<const std::uint32_t> rows,
                           const ProductOperand& sample, std::size_t rank) {
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
    if (count >= k()) {
        std::array<float, kMostOnStack> fewEstimates;
        std::array<Candidate, kMostOnStack> fewNearest;
        const bool few = count <= kMostOnStack;
        std::vector<float> manyEstimates(few ? 0 : count);
        std::vector<Candidate> manyNearest(few ? 0 : count);
        float* estimates = few ? fewEstimates.data() : manyEstimates.data();
        Candidate* nearest = few ? fewNearest.data() : manyNearest.data();
        for (std::size_t c = 0; c < count; ++c)
            estimates[c] = list[c].estimate;
        kth = kernel.atLeastKthSmallest(estimates, count, k());
        // The k with the lowest estimates are k rows within the largest of their upper bounds.
        std::copy_n(list, count, nearest);
        const std::size_t lowest = kernel.keepAtMost(nearest, count, kth);
        Furthest furthest(kth);
        for (std::size_t c = 0; c < lowest; ++c)
            furthest.add(nearest[c].estimate, side_.baseOperand->bounds(nearest[c].index));
        lower(query, furthest.from(own));
    }
    // Residuals and offsets differ little between rows: their extremes save looking each of them up.
    const float most = gate(query).most(*side_.baseOperand);
    count_[query] = static_cast<std::uint32_t>(kernel.keepAtMost(list, count, most));
    return kth;
}

void CandidateLists::compact(std::size_t query, const JobContext& job) {
    tightenLimit(query);
    // Compaction has to free a good part of the list, or the next one comes after a handful of proposals.
    const std::size_t enough = capacity_ - capacity_ / 4;
    if (count_[query] > enough)
        dropExcluded(query);
    if (count_[query] > enough)
        settle(query, job);
}

void CandidateLists::dropExcluded(std::size_t query) {
    Candidate* list = items_.get() + query * capacity_;
    const Gate gate = this->gate(query);
    const Candidate* end = std::partition(list, list + count_[query], [&](const Candidate& candidate) {
        return gate.admits(candidate.estimate, side_.baseOperand->bounds(candidate.index));
    });
    count_[query] = static_cast<std::uint32_t>(end - list);
}

std::size_t CandidateLists::chooseLowest(std::size_t query) {
    Candidate* list = items_.get() + query * capacity_;
    const float kth = count_[query] > k() ? tightenLimit(query) : std::numeric_limits<float>::infinity();
    std::size_t lowest = 0;
    for (std::size_t c = 0; c < count_[query]; ++c) { // without branches: which ones are low cannot be predicted
        const Candidate candidate = list[c];
        list[c] = list[lowest];
        list[lowest] = candidate;
        lowest += candidate.estimate <= kth ? 1 : 0;
    }
    return choose(query, lowest);
}

std::size_t CandidateLists::chooseDoubtful(std::size_t query) {
    Candidate* list = items_.get() + query * capacity_;
    const Candidate* end = list + count_[query];
    const Gate gate = Gate::of(limit_[query], side_.queryOperand->bounds(query));
    std::size_t doubtful = 0;
    for (const Candidate* candidate = list + chosen_[query]; candidate < end; ++candidate) {
        if (gate.admits(candidate->estimate, side_.baseOperand->bounds(candidate->index)))
            list[doubtful++] = *candidate;
        else if (decidesBall(query))
            balls_->visit(query, candidate->index, candidate->estimate);
    }
    count_[query] = static_cast<std::uint32_t>(doubtful);
    return choose(query, doubtful);
}

std::size_t CandidateLists::choose(std::size_t query, std::size_t number) {
    Candidate* list = items_.get() + query * capacity_;
    std::sort(list, list + number, [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
    chosen_[query] = static_cast<std::uint32_t>(number);
    next_[query] = 0;
    return number;
}

void CandidateLists::measureChosen(std::size_t query, std::size_t endRow, const JobContext& job) {
    const Candidate* list = items_.get() + query * capacity_;
    const std::uint32_t chosen = chosen_[query];
    std::uint32_t& next = next_[query];
    Nearest nearest(*this, query);
    constexpr std::size_t kAtOnce = 64;
    std::array<std::uint32_t, kAtOnce> rows;
    std::array<double, kAtOnce> squared;
    while (next < chosen && list[next].index < endRow) {
        job.throwIfStopped();
        std::size_t count = 0;
        while (count < kAtOnce && next + count < chosen && list[next + count].index < endRow) {
            rows[count] = list[next + count].index;
            ++count;
        }
        kernels().squaredDistances(side_.queries.rowData(query), side_.base.data, side_.base.dim, rows.data(), count,
                                   squared.data());
        for (std::size_t c = 0; c < count; ++c) {
            const double distance = std::sqrt(squared[c]);
            nearest.take(rows[c], distance);
            if (decidesBall(query))
                balls_->decide(query, rows[c], distance);
        }
        next += static_cast<std::uint32_t>(count);
    }
    if (next < chosen)
        return;
    if (!nearest.full())
        nearest.order();
    lowerToMeasured(query);
}

std::size_t CandidateLists::settle(std::size_t query, const JobContext& job) {
    const std::size_t all = side_.base.rows;
    const std::size_t lowest = chooseLowest(query);
    measureChosen(query, all, job);
    const std::size_t doubtful = chooseDoubtful(query);
    measureChosen(query, all, job);
    count_[query] = 0;
    return lowest + doubtful;
}

std::size_t CandidateLists::tighten(std::size_t query) {
    if (count_[query] > k())
        tightenLimit(query);
    dropExcluded(query);
    return count_[query];
}

} // namespace assay
