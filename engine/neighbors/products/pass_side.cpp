#include "engine/neighbors/products/pass_side.h"

#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/tile_product.h"

#include <array>
#include <atomic>
#include <cmath>
#include <unistd.h>
#include <utility>

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

/// Bytes of stored rows that the last-level cache surely has room for beside everything else.
std::size_t cachedBytes() {
    constexpr std::size_t kMin = std::size_t{4} << 20;
    constexpr std::size_t kMost = std::size_t{12} << 20;
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::clamp(cache > 0 ? static_cast<std::size_t>(cache) / 2 : 0, kMin, kMost);
}

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

CandidateMeasurement::CandidateMeasurement(const SearchSide& side, CandidateLists& lists, NearestMeasured& nearest,
                                           BallCounter& balls)
    : side_(side), lists_(lists), nearest_(nearest), balls_(balls), chosen_(side.queries.rows, 0),
      next_(side.queries.rows, 0) {}

std::size_t CandidateMeasurement::measure(std::size_t query, const JobContext& job) {
    const std::size_t all = side_.base.rows;
    const std::size_t lowest = chooseLowest(query);
    measureChosen(query, all, job);
    const std::size_t doubtful = chooseDoubtful(query);
    measureChosen(query, all, job);
    lists_.truncate(query, 0);
    return lowest + doubtful;
}

std::size_t CandidateMeasurement::chooseLowest(std::size_t query) {
    const bool more = lists_.list(query).size() > lists_.k();
    const float kth = more ? lists_.tightenLimit(query) : std::numeric_limits<float>::infinity();
    const std::span<Candidate> list = lists_.list(query);
    std::size_t lowest = 0;
    for (Candidate& candidate : list) { // without branches: which ones are low cannot be predicted
        const bool isLow = candidate.estimate <= kth;
        std::swap(candidate, list[lowest]);
        lowest += isLow ? 1 : 0;
    }
    return choose(query, lowest);
}

std::size_t CandidateMeasurement::chooseDoubtful(std::size_t query) {
    const std::span<Candidate> list = lists_.list(query);
    const PruningLimit limit = PruningLimit::of(lists_.limit(query), side_.queryOperand->bounds(query));
    std::size_t doubtful = 0;
    for (const Candidate& candidate : list.subspan(chosen_[query])) {
        if (limit.admits(candidate.estimate, side_.baseOperand->bounds(candidate.index)))
            list[doubtful++] = candidate;
        else if (lists_.keepsBeyondLimit(query))
            balls_.count(query, candidate.index, side_.bounds(query, candidate.index, candidate.estimate));
    }
    lists_.truncate(query, doubtful);
    return choose(query, doubtful);
}

std::size_t CandidateMeasurement::choose(std::size_t query, std::size_t number) {
    std::ranges::sort(lists_.list(query).first(number), {}, &Candidate::index);
    chosen_[query] = static_cast<std::uint32_t>(number);
    next_[query] = 0;
    return number;
}

void CandidateMeasurement::measureChosen(std::size_t query, std::size_t endRow, const JobContext& job) {
    const std::span<const Candidate> chosen = lists_.list(query).first(chosen_[query]);
    std::uint32_t& next = next_[query];
    NearestMeasured::Row nearest(nearest_, query);
    constexpr std::size_t kAtOnce = 64;
    std::array<std::uint32_t, kAtOnce> rows;
    std::array<double, kAtOnce> squared;
    while (next < chosen.size() && chosen[next].index < endRow) {
        job.throwIfStopped();
        std::size_t count = 0;
        for (; count < kAtOnce && next < chosen.size() && chosen[next].index < endRow; ++next)
            rows[count++] = chosen[next].index;
        kernels().squaredDistances(side_.queries.rowData(query), side_.base, {rows.data(), count}, squared.data());
        for (std::size_t c = 0; c < count; ++c) {
            const double distance = std::sqrt(squared[c]);
            nearest.add(rows[c], distance);
            if (lists_.keepsBeyondLimit(query))
                balls_.count(query, rows[c], distance);
        }
    }
    if (next < chosen.size())
        return nearest.merge();
    nearest.finish();
    lowerLimit(query);
}

void CandidateMeasurement::lowerLimit(std::size_t query) {
    const double furthest = nearest_.furthest(query) * side_.scale;
    lists_.lower(query, roundUp(furthest * furthest));
}

void CandidateMeasurement::prefetch(std::size_t query) const noexcept {
    constexpr std::size_t kPerLine = 64 / sizeof(Candidate);
    const std::span<const Candidate> list = lists_.list(query);
    for (std::size_t c = 0; c < list.size(); c += kPerLine)
        __builtin_prefetch(&list[c]);
}

PassSide::PassSide(const SearchSide& search, const SideQuery& side, std::size_t capacity,
                   std::optional<Shortcut> projection)
    : lists(search, side.k, capacity), balls(side, search.base),
      nearest(search.queries.rows, side.k, search.firstIndex), measurement(search, lists, nearest, balls),
      search_(search), operand_(search.queryOperand), other_(search.baseOperand), reach_(operand_->rows()),
      level_(operand_->rows()), ballDistance_(balls.any() ? operand_->rows() : 0), ballLimit_(ballDistance_.size()),
      shortcut_(projection), nearReach_(projection ? operand_->rows() : 0), nearLevel_(nearReach_.size()) {
    for (std::size_t row = 0; row < ballLimit_.size(); ++row) {
        const double radius = balls.radius(row) * search.scale;
        ballDistance_[row] = radius >= 0.0 ? roundUp(radius * radius) : -std::numeric_limits<float>::infinity();
        ballLimit_[row] = PruningLimit::of(ballDistance_[row], operand_->bounds(row));
    }
    // Most rows in a ball are measured as neighbours anyway: the ball is decided then.
    if (balls.any() && side.k > 0)
        for (std::size_t row = 0; row < reach_.size(); ++row)
            lists.setKept(row, ballDistance_[row]);
    for (std::size_t row = 0; row < reach_.size(); ++row)
        refresh(row);
}

void PassSide::start(NeighborTable known) {
    nearest.start(std::move(known));
    for (std::size_t row = 0; row < reach_.size(); ++row) {
        measurement.lowerLimit(row);
        onLimitLowered(row);
    }
}

void PassSide::refresh(std::size_t row) {
    const PruningLimit list = lists.pruningLimit(row);
    reach_[row] = list.reach;
    level_[row] = list.level;
    const bool withBall = countsBallsImmediately(row);
    if (withBall) {
        reach_[row] = std::max(list.reach, ballLimit_[row].reach);
        level_[row] = std::max(list.level, ballLimit_[row].level);
    }
    if (!shortcut_)
        return;
    const float limit = withBall ? std::max(lists.admitted(row), ballDistance_[row]) : lists.admitted(row);
    const PruningLimit near = PruningLimit::of(shortcut_->limitFor(limit), shortcut_->own->bounds(row));
    nearReach_[row] = near.reach;
    nearLevel_[row] = near.level;
}

void PassSide::onLimitLowered(std::size_t row) {
    // More neighbours within the ball than the list is for: keeping them all would overflow it again and again.
    if (balls.any() && lists.limit(row) < ballDistance_[row])
        lists.setKept(row, -std::numeric_limits<float>::infinity());
    refresh(row);
}

void PassSide::takeBoth(std::size_t row, std::size_t other, float estimate, const JobContext& job) {
    const RowBounds& bounds = other_->bounds(other);
    if (ballLimit_[row].admits(estimate, bounds))
        balls.count(row, other, search_.bounds(row, other, estimate));
    if (lists.k() > 0 && lists.pruningLimit(row).admits(estimate, bounds) &&
        lists.add(row, {estimate, static_cast<std::uint32_t>(other)}))
        compact(row, job);
}

void PassSide::take(std::size_t row, const TileHits& hits, std::size_t first, const JobContext& job) {
    if (countsBallsImmediately(row)) {
        for (std::size_t h = 0; h < hits.count; ++h)
            takeBoth(row, first + hits.column[h], hits.estimate[h], job);
        return;
    }
    for (std::size_t added = 0; added < hits.count;) {
        added += lists.add(row, hits, added, first);
        if (lists.isFull(row))
            compact(row, job);
    }
}

void PassSide::compact(std::size_t row, const JobContext& job) {
    if (!lists.compact(row))
        measurement.measure(row, job);
    refresh(row);
}

void PassSide::lowerLimitsBySample(bool self, unsigned threads, const JobContext& job) {
    if (lists.k() == 0)
        return;
    const std::size_t rank = lists.k() + (self ? 1 : 0);
    if (shortcut_)
        lowerLimitsThroughProjection(rank, threads, job);
    else
        lowerLimitsDirectly(rank, threads, job);
}

void PassSide::lowerLimitsDirectly(std::size_t rank, unsigned threads, const JobContext& job) {
    // Enough to exclude nine tenths of a large set, little beside it.
    const std::size_t sampleRows = std::clamp<std::size_t>(other_->rows() / 32, 256, 512);
    if (rank > sampleRows || other_->rows() < 8 * sampleRows)
        return;
    const ProductOperand sample = other_->sampled(sampleRows);
    const std::size_t edge = tileEdge(operand_->dim());
    parallelRanges(operand_->rows(), edge, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        TileProduct product;
        product.multiply({operand_, {first, last - first}}, {&sample, {0, sampleRows}});
        std::vector<float> estimates(sampleRows);
        for (std::size_t row = first; row < last; ++row) {
            product.estimates(row - first, estimates.data());
            lists.lowerBySample(row, estimates, {}, sample, rank);
            onLimitLowered(row);
        }
    });
}

void PassSide::lowerLimitsThroughProjection(std::size_t rank, unsigned threads, const JobContext& job) {
    // ProjectedRows rows find the nearest few of a larger sample at little cost; these are multiplied out.
    const std::size_t sampleRows =
        std::min(other_->rows() / 4, std::clamp<std::size_t>(other_->rows() / 6, 2048, 8192));
    const std::size_t fewest = rank + rank / 2;
    if (fewest > sampleRows)
        return;
    const ProductOperand sample = other_->sampled(sampleRows);
    const ProductOperand near = shortcut_->other->sampled(sampleRows);
    const TileColumns terms = sample.tileColumns(0, sampleRows);
    const TileKernels& kernel = tileKernels();
    constexpr std::size_t kEdge = 64;
    parallelRanges(operand_->rows(), kEdge, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        TileProduct product;
        product.multiply({shortcut_->own, {first, last - first}}, {&near, {0, sampleRows}});
        std::vector<float> estimates(sampleRows);
        std::vector<std::uint32_t> candidates(sampleRows + 1);
        std::vector<std::int32_t> products(sampleRows);
        for (std::size_t i = first; i < last; ++i) {
            product.estimates(i - first, estimates.data());
            const float bound = kernel.atLeastKthSmallest(estimates.data(), sampleRows, fewest);
            std::size_t count = 0;
            for (std::uint32_t c = 0; c < sampleRows; ++c) { // without branches: which ones are near can't be predicted
                candidates[count] = c;
                count += estimates[c] <= bound ? 1 : 0;
            }
            kernel.integerProducts(operand_->integerRow(i), sample.integerRows(0), {candidates.data(), count},
                                   products.data());
            const TileRow row = operand_->tileRow(i);
            for (std::size_t n = 0; n < count; ++n) {
                const std::uint32_t c = candidates[n];
                estimates[n] =
                    static_cast<float>(products[n]) * (row.factor * terms.step[c]) + (row.term + terms.term[c]);
            }
            lists.lowerBySample(i, {estimates.data(), count}, {candidates.data(), count}, sample, rank);
            onLimitLowered(i);
        }
    });
}

void PassSide::settle(unsigned threads, const JobContext& job) {
    const std::size_t queries = lists.k() == 0 ? 0 : lists.queries();
    // Runs work(query) for all queries; @return the sum of what it returns
    const auto forQueries = [&](const JobContext& part, const auto& work) {
        constexpr std::size_t kQueriesPerTask = 64;
        std::atomic<std::size_t> sum = 0;
        parallelRanges(queries, kQueriesPerTask, threads, part, [&](std::size_t first, std::size_t last, unsigned) {
            std::size_t found = 0;
            for (std::size_t q = first; q < last; ++q) {
                measurement.prefetch(std::min(q + 1, last - 1));
                found += work(q);
            }
            sum += found;
        });
        return sum.load();
    };
    const std::size_t rows = other_->rows();
    const std::size_t partRows = std::max<std::size_t>(1, cachedBytes() / sizeof(float) / operand_->dim());
    const std::size_t parts = (rows + partRows - 1) / partRows;
    if (parts <= 1) {
        forQueries(job, [&](std::size_t q) { return measurement.measure(q, job); });
        return;
    }
    // Every part costs a sweep over the queries: worth it while each finds a few rows to measure in it.
    constexpr std::size_t kRowsPerPart = 4;
    const auto inParts = [&](std::size_t chosen, const JobContext& part) {
        const std::size_t sweeps = chosen >= kRowsPerPart * parts * queries ? parts : 1;
        for (std::size_t p = 0; p < sweeps; ++p) {
            const std::size_t end = p + 1 < sweeps ? (p + 1) * partRows : rows;
            forQueries(part.step(p, sweeps), [&](std::size_t q) {
                measurement.measureChosen(q, end, job);
                return std::size_t{0};
            });
        }
    };
    inParts(forQueries(job.part({}, 0.0, 0.1), [&](std::size_t q) { return measurement.chooseLowest(q); }),
            job.part({}, 0.1, 0.7));
    inParts(forQueries(job.part({}, 0.7, 0.75), [&](std::size_t q) { return measurement.chooseDoubtful(q); }),
            job.part({}, 0.75, 1.0));
}

} // namespace assay
