#include "engine/neighbors/products/pass_side.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <unistd.h>
#include <utility>

namespace assay {
namespace {

/// Bytes of stored rows that the last-level cache surely has room for beside everything else.
std::size_t cachedBytes() {
    constexpr std::size_t kMin = std::size_t{4} << 20;
    constexpr std::size_t kMost = std::size_t{12} << 20;
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::clamp(cache > 0 ? static_cast<std::size_t>(cache) / 2 : 0, kMin, kMost);
}

} // namespace

PassSide::PassSide(const SearchSide& search, const SideQuery& side, std::size_t capacity)
    : lists(search, side.k, capacity), balls(side, search.base),
      nearest(search.queries.rows, side.k, search.firstIndex), measurement(search, lists, nearest, balls),
      search_(search), operand_(search.queryOperand), other_(search.baseOperand), reach_(operand_->rows()),
      level_(operand_->rows()), ballDistance_(balls.any() ? operand_->rows() : 0), ballLimit_(ballDistance_.size()) {
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
    const bool withBall = ballAtOnce(row);
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

void PassSide::use(const Shortcut& shortcut) {
    shortcut_ = shortcut;
    nearReach_.resize(operand_->rows());
    nearLevel_.resize(operand_->rows());
    for (std::size_t row = 0; row < nearReach_.size(); ++row)
        refresh(row);
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
    if (ballAtOnce(row)) {
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
