#include "engine/neighbors/backends/cpu_backends.h"

#include "engine/base/compute_context.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_scans.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/result_collectors.h"
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
    if (dim > FloatBounds::kMaxDimensions)
        throw Error(ErrorKind::InvalidArgument, "k-d tree: expected at most " +
                                                    std::to_string(FloatBounds::kMaxDimensions) + " columns, found " +
                                                    std::to_string(dim));
}

/// Buffers of one worker.
struct NearestWorker {
    NearestWorker(const PointTree& queries, const PointTree& points, NearestMeasured& found)
        : scan(queries, points), nearest(queries.set(), points.set(), points.scale(), found) {}

    BlockScan scan;
    BlockNeighbors nearest;
};

/// Finds the k nearest points of the queries of every `every`-th block; of a tree with itself: other points.
void searchBlocks(const PointTree& queries, const PointTree& points, std::size_t every, NearestMeasured& found,
                  const ComputeContext& context) {
    const unsigned threads = context.threads;
    std::vector<std::unique_ptr<NearestWorker>> workers(resolveThreads(threads));
    parallelFor((queries.blocks() + every - 1) / every, threads, context.job, [&](std::size_t t, unsigned worker) {
        if (!workers[worker])
            workers[worker] = std::make_unique<NearestWorker>(queries, points, found);
        NearestWorker& mine = *workers[worker];
        const std::size_t b = t * every;
        mine.nearest.start(queries.rowsIn(b));
        mine.scan.run(
            b, mine.nearest.limits(), [&] { return mine.nearest.farthest(); }, context.job,
            [&](std::size_t q, const BlockHits& hits) { mine.nearest.add(q, hits); });
        mine.nearest.finish();
    });
}

NeighborTable nearestPoints(const PointTree& queries, const PointTree& points, std::size_t k,
                            const ComputeContext& context) {
    NearestMeasured found(queries.set().rows, k);
    if (k > 0)
        searchBlocks(queries, points, 1, found, context);
    return found.takeTable();
}

/// Counts balls by trees: from the table of the centres' neighbours where it reaches beyond the ball, else by a search.
class CountedBalls : public PairHandler {
public:
    /// @param known neighbours of the centres among the points; k = 0 for none
    CountedBalls(const PointTree& points, const NeighborTable& known, BallCounter& balls)
        : points_(points), known_(known), balls_(balls) {}

    double farthest(std::size_t centre, const PlaceRange&) const override {
        return isListed(centre) ? -1.0 : balls_.radius(centre);
    }

    void take(const ProposedPairs& pairs, const JobContext&) override {
        for (std::size_t pair = 0; pair < pairs.place.size(); ++pair)
            balls_.count(pairs.query, pairs.place[pair], pairs.bounds(pair));
    }

    void countListed(std::size_t centre) {
        if (!isListed(centre))
            return;
        for (std::size_t rank = 0; rank < known_.k && known_.distanceAt(centre, rank) <= balls_.radius(centre); ++rank)
            balls_.count(centre, known_.indexAt(centre, rank), known_.distanceAt(centre, rank));
    }

private:
    /// Whether all points of the ball are among the known neighbours.
    bool isListed(std::size_t centre) const {
        const std::size_t k = known_.k;
        return k > 0 && (k == points_.set().rows || known_.distanceAt(centre, k - 1) > balls_.radius(centre));
    }

    const PointTree& points_;
    const NeighborTable& known_;
    BallCounter& balls_;
};

/// Counts the balls of one side.
/// @param found of `side`, with its neighbours
void countBalls(const PointTree& centres, const PointTree& points, const SideQuery& side, SideResult& found,
                SideResult& other, const ComputeContext& context) {
    BallCounter balls(side, points.set());
    if (!balls.any())
        return;
    CountedBalls counted(points, found.nearest, balls);
    parallelRanges(centres.set().rows, 1024, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t centre = first; centre < last; ++centre)
                           counted.countListed(centre);
                   });
    scanTrees(centres, points, counted, context.threads, context.job);
    balls.addTo(found, other);
}

} // namespace

NeighborTable KdTreeSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    requireNeighbors(set.rows, k);
    checkDimension(set.dim);
    const JobContext build = job.part({}, 0.0, 0.05);
    const double scale = unitScale({set}, build);
    const PointTree tree(set, scale, threads_, build);
    return nearestPoints(tree, tree, k, {.threads = threads_, .job = job.part({}, 0.05, 1.0)});
}

double KdTreeSearch::estimatedSeconds(MatrixView set, std::size_t k, const JobContext& job) const {
    using Clock = std::chrono::steady_clock;
    const auto secondsSince = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    requireNeighbors(set.rows, k);
    checkDimension(set.dim);
    const auto start = Clock::now();
    const double scale = unitScale({set}, job);
    const PointTree tree(set, scale, threads_, job);
    const double building = secondsSince(start);
    const std::size_t every = std::max<std::size_t>(1, tree.blocks() / (4 * std::size_t{resolveThreads(threads_)}));
    const std::size_t searched = (tree.blocks() + every - 1) / every;
    NearestMeasured found(set.rows, k);
    const auto startSearch = Clock::now();
    searchBlocks(tree, tree, every, found, {.threads = threads_, .job = job});
    return building + secondsSince(startSearch) * static_cast<double>(tree.blocks()) / static_cast<double>(searched);
}

PassResult KdTreeSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    requireSides(a, b);
    checkDimension(a.rows.dim);
    PassResult found;
    if (a.rows.rows == 0 || b.rows.rows == 0) {
        BallCounter(a, b.rows).addTo(found.a, found.b);
        BallCounter(b, a.rows).addTo(found.b, found.a);
        return found;
    }
    const JobContext build = job.part({}, 0.0, 0.05);
    const double scale = unitScale({a.rows, b.rows}, build);
    const PointTree treeA(a.rows, scale, threads_, build.part({}, 0.0, 0.5));
    const PointTree treeB(b.rows, scale, threads_, build.part({}, 0.5, 1.0));
    found.a.nearest = nearestPoints(treeA, treeB, a.k, {.threads = threads_, .job = job.part({}, 0.05, 0.45)});
    found.b.nearest = nearestPoints(treeB, treeA, b.k, {.threads = threads_, .job = job.part({}, 0.45, 0.85)});
    countBalls(treeA, treeB, a, found.a, found.b, {.threads = threads_, .job = job.part({}, 0.85, 0.95)});
    countBalls(treeB, treeA, b, found.b, found.a, {.threads = threads_, .job = job.part({}, 0.95, 1.0)});
    return found;
}

} // namespace assay
