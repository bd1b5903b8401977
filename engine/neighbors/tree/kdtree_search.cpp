#include "engine/neighbors/tree/kdtree_search.h"

#include "engine/base/compute_context.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/float_bounds.h"
#include "engine/neighbors/search/query_check.h"
#include "engine/neighbors/tree/block_neighbors.h"
#include "engine/neighbors/tree/block_scan.h"
#include "engine/neighbors/tree/point_tree.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace assay {
namespace {

void checkDimension(std::size_t dim) {
    if (dim > FloatBounds::kMostDimensions)
        throw Error(ErrorKind::InvalidArgument, "k-d tree: expected at most " +
                                                    std::to_string(FloatBounds::kMostDimensions) + " columns, found " +
                                                    std::to_string(dim));
}

/// What a worker needs for its own.
struct NearestWorker {
    NearestWorker(const PointTree& queries, const PointTree& points, std::size_t k)
        : scan(queries, points), nearest(queries.set(), points.set(), k, points.scale()) {}

    BlockScan scan;
    BlockNeighbors nearest;
};

/// Finds the k nearest points of the queries of every `every`-th block; of a tree with itself: other points.
void searchBlocks(const PointTree& queries, const PointTree& points, std::size_t every, NeighborTable& table,
                  const ComputeContext& context) {
    const unsigned threads = context.threads;
    std::vector<std::unique_ptr<NearestWorker>> workers(resolveThreads(threads));
    parallelFor((queries.blocks() + every - 1) / every, threads, context.job, [&](std::size_t t, unsigned worker) {
        if (!workers[worker])
            workers[worker] = std::make_unique<NearestWorker>(queries, points, table.k);
        NearestWorker& mine = *workers[worker];
        const std::size_t b = t * every;
        mine.nearest.start(queries.rowsIn(b));
        mine.scan.run(
            b, mine.nearest.limits(), [&] { return mine.nearest.farthest(); }, context.job,
            [&](std::size_t q, const BlockHits& hits) { mine.nearest.add(q, hits); });
        mine.nearest.finish(table);
    });
}

NeighborTable nearest(const PointTree& queries, const PointTree& points, std::size_t k, const ComputeContext& context) {
    NeighborTable table = noNeighbors(queries.set().rows, k);
    if (k > 0)
        searchBlocks(queries, points, 1, table, context);
    return table;
}

struct BallCounts {
    std::vector<std::uint32_t> inside, insideInner;   ///< per centre
    std::vector<std::uint32_t> holding, holdingInner; ///< per point
};

/// Counts the points in balls around centres. Where the table of the centres' neighbours reaches beyond the ball it
/// has the answer; the others are searched.
class BallCount {
public:
    /// @param known neighbours of the centres among the points; k = 0 for none
    BallCount(const PointTree& centres, const PointTree& points, const NeighborTable& known,
              std::span<const double> radius, std::span<const double> inner)
        : centres_(centres), points_(points), known_(known), radius_(radius), inner_(inner), bounds_(points.set().dim) {
    }

    BallCounts run(unsigned threads, const JobContext& job) {
        BallCounts counts;
        if (radius_.empty())
            return counts;
        const std::size_t rows = points_.set().rows;
        const bool both = !inner_.empty();
        counts.inside.assign(radius_.size(), 0);
        counts.insideInner.assign(both ? radius_.size() : 0, 0);
        counts.holding.assign(rows, 0);
        counts.holdingInner.assign(both ? rows : 0, 0);
        // Balls of different centres share points, so each worker counts for itself.
        std::vector<Worker> workers;
        for (unsigned w = 0; w < resolveThreads(threads); ++w)
            workers.emplace_back(centres_, points_);
        parallelFor(centres_.blocks(), threads, job, [&](std::size_t b, unsigned worker) {
            Worker& mine = workers[worker];
            mine.holding.resize(rows, 0);
            mine.holdingInner.resize(both ? rows : 0, 0);
            countBlock(b, mine, counts, job);
        });
        for (const Worker& mine : workers) {
            addCounts(counts.holding, mine.holding);
            addCounts(counts.holdingInner, mine.holdingInner);
        }
        return counts;
    }

private:
    struct Worker {
        Worker(const PointTree& centres, const PointTree& points) : scan(centres, points) {}
        BlockScan scan;
        std::vector<std::uint32_t> holding, holdingInner;
    };

    void take(std::size_t centre, std::size_t row, double distance, Worker& mine, BallCounts& counts) const {
        if (!(distance <= radius_[centre]))
            return;
        ++counts.inside[centre];
        ++mine.holding[row];
        if (!inner_.empty() && distance <= inner_[centre]) {
            ++counts.insideInner[centre];
            ++mine.holdingInner[row];
        }
    }

    /// Counts from the table of neighbours. @return whether that was all
    bool countKnown(std::size_t centre, Worker& mine, BallCounts& counts) const {
        const std::size_t k = known_.k;
        if (k == 0 || (k < points_.set().rows && known_.distanceAt(centre, k - 1) <= radius_[centre]))
            return false;
        for (std::size_t rank = 0; rank < k && known_.distanceAt(centre, rank) <= radius_[centre]; ++rank)
            take(centre, known_.indexAt(centre, rank), known_.distanceAt(centre, rank), mine, counts);
        return true;
    }

    void countBlock(std::size_t b, Worker& mine, BallCounts& counts, const JobContext& job) const {
        const auto rows = centres_.rowsIn(b);
        std::array<float, kBlockPoints> limit;
        limit.fill(-1.0F);
        float farthest = -1.0F;
        for (std::size_t q = 0; q < rows.size(); ++q) {
            if (!(radius_[rows[q]] >= 0.0) || countKnown(rows[q], mine, counts))
                continue;
            limit[q] = bounds_.outside(scaledSquare(radius_[rows[q]]));
            farthest = std::max(farthest, limit[q]);
        }
        if (farthest < 0.0F)
            return;
        // Unlike in a search for neighbours a point of the other tree with the same index is no exception here: the
        // trees are two, even of one set.
        mine.scan.run(
            b, limit.data(), [&] { return farthest; }, job,
            [&](std::size_t q, const BlockHits& hits) {
                const std::size_t centre = rows[q];
                const float sure = bounds_.inside(scaledSquare(inner_.empty() ? radius_[centre] : inner_[centre]));
                for (std::size_t h = 0; h < hits.count(); ++h) {
                    const double distance = hits.squared[h] <= sure ? 0.0 : measured(centre, hits.row(h));
                    take(centre, hits.row(h), distance, mine, counts);
                }
            });
    }

    double measured(std::size_t centre, std::size_t row) const {
        return directDistance(centres_.set(), centre, points_.set(), row);
    }
    double scaledSquare(double radius) const { return std::pow(std::max(radius, 0.0) * points_.scale(), 2); }

    const PointTree& centres_;
    const PointTree& points_;
    const NeighborTable& known_;
    std::span<const double> radius_;
    std::span<const double> inner_;
    FloatBounds bounds_;
};

/// The answer where one of the sets has no rows.
CrossResult nothingNear(const CrossQuery& query) {
    CrossResult result;
    result.insideBallA.resize(query.radiusA.size());
    result.insideInnerBallA.resize(query.innerRadiusA.size());
    result.ballsAHolding.resize(query.radiusA.empty() ? 0 : query.b.rows);
    result.innerBallsAHolding.resize(query.innerRadiusA.empty() ? 0 : query.b.rows);
    result.insideBallB.resize(query.radiusB.size());
    result.ballsBHolding.resize(query.radiusB.empty() ? 0 : query.a.rows);
    return result;
}

} // namespace

NeighborTable KdTreeSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    checkDimension(set.dim);
    const JobContext build = job.part({}, 0.0, 0.05);
    const double scale = unitScale({set}, build);
    const PointTree tree(set, scale, threads_, build);
    return nearest(tree, tree, k, {.threads = threads_, .job = job.part({}, 0.05, 1.0)});
}

double KdTreeSearch::estimatedSeconds(MatrixView set, std::size_t k, const JobContext& job) const {
    using Clock = std::chrono::steady_clock;
    const auto secondsSince = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    checkSelfQuery(set, k);
    checkDimension(set.dim);
    const auto start = Clock::now();
    const double scale = unitScale({set}, job);
    const PointTree tree(set, scale, threads_, job);
    const double building = secondsSince(start);
    const std::size_t every = std::max<std::size_t>(1, tree.blocks() / (4 * std::size_t{resolveThreads(threads_)}));
    const std::size_t searched = (tree.blocks() + every - 1) / every;
    NeighborTable table = noNeighbors(set.rows, k);
    const auto startSearch = Clock::now();
    searchBlocks(tree, tree, every, table, {.threads = threads_, .job = job});
    return building + secondsSince(startSearch) * static_cast<double>(tree.blocks()) / static_cast<double>(searched);
}

CrossResult KdTreeSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    checkDimension(query.a.dim);
    if (query.a.rows == 0 || query.b.rows == 0)
        return nothingNear(query);
    CrossResult result;
    const JobContext build = job.part({}, 0.0, 0.05);
    const double scale = unitScale({query.a, query.b}, build);
    const PointTree treeA(query.a, scale, threads_, build.part({}, 0.0, 0.5));
    const PointTree treeB(query.b, scale, threads_, build.part({}, 0.5, 1.0));
    result.aToB = nearest(treeA, treeB, query.kAToB, {.threads = threads_, .job = job.part({}, 0.05, 0.45)});
    result.bToA = nearest(treeB, treeA, query.kBToA, {.threads = threads_, .job = job.part({}, 0.45, 0.85)});
    BallCounts a =
        BallCount(treeA, treeB, result.aToB, query.radiusA, query.innerRadiusA).run(threads_, job.part({}, 0.85, 0.95));
    BallCounts b = BallCount(treeB, treeA, result.bToA, query.radiusB, {}).run(threads_, job.part({}, 0.95, 1.0));
    result.insideBallA = std::move(a.inside);
    result.insideInnerBallA = std::move(a.insideInner);
    result.ballsAHolding = std::move(a.holding);
    result.innerBallsAHolding = std::move(a.holdingInner);
    result.insideBallB = std::move(b.inside);
    result.ballsBHolding = std::move(b.holding);
    return result;
}

} // namespace assay
