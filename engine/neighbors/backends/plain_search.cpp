#include "engine/neighbors/backends/plain_search.h"

#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/ball_counter.h"
#include "engine/neighbors/search/nearest_measured.h"

namespace assay {
namespace {

/// @param isOwnSet the queries are the base's rows, none of which is its own neighbour
NeighborTable measureAll(const SideQuery& asked, MatrixView base, bool isOwnSet, BallCounter& balls, unsigned threads,
                         const JobContext& job) {
    NearestMeasured nearest(asked.rows.rows, asked.k);
    parallelFor(asked.rows.rows, threads, job, [&](std::size_t query, unsigned) {
        NearestMeasured::Row row(nearest, query);
        for (std::size_t other = 0; other < base.rows; ++other) {
            if (isOwnSet && other == query)
                continue;
            const double distance = directDistance(asked.rows, query, base, other);
            const auto index = static_cast<std::uint32_t>(other);
            if (asked.k > 0 && row.wants(index, distance))
                row.add(index, distance);
            if (balls.any())
                balls.count(query, other, distance);
        }
        row.finish();
    });
    return nearest.takeTable();
}

} // namespace

NeighborTable PlainSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    requireNeighbors(set.rows, k);
    BallCounter none({set}, set);
    return measureAll({set, k}, set, true, none, threads_, job);
}

PassResult PlainSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    requireSides(a, b);
    PassResult found;
    BallCounter ballsA(a, b.rows);
    BallCounter ballsB(b, a.rows);
    found.a.nearest = measureAll(a, b.rows, false, ballsA, threads_, job.part({}, 0.0, 0.5));
    found.b.nearest = measureAll(b, a.rows, false, ballsB, threads_, job.part({}, 0.5, 1.0));
    ballsA.addTo(found.a, found.b);
    ballsB.addTo(found.b, found.a);
    return found;
}

} // namespace assay
