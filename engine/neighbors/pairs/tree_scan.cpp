#include "engine/neighbors/pairs/pair_scans.h"

#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/tree/block_scan.h"

#include <algorithm>
#include <array>
#include <vector>

namespace assay {
namespace {

class Scanner {
public:
    /// @param queries, base trees of a scan's rows in the order of their places
    Scanner(const PointTree& queries, const PointTree& base, PairHandler& handler)
        : queries_(queries), base_(base), handler_(handler), bounds_(base.set().dim) {}

    void run(unsigned threads, const JobContext& job) const {
        std::vector<BlockScan> scans(resolveThreads(threads), BlockScan(queries_, base_));
        parallelFor(queries_.blocks(), threads, job, [&](std::size_t block, unsigned worker) {
            const auto queries = queries_.rowsIn(block);
            alignas(64) std::array<float, kBlockPoints> limits;
            limits.fill(-1.0F);
            std::transform(queries.begin(), queries.end(), limits.begin(),
                           [&](std::uint32_t query) { return limit(query); });
            std::array<std::uint32_t, kBlockPoints> places; // NOLINT(cppcoreguidelines-pro-type-member-init)
            scans[worker].run(
                block, limits.data(), [&] { return *std::max_element(limits.begin(), limits.end()); }, job,
                [&](std::size_t q, const BlockHits& hits) {
                    for (std::size_t h = 0; h < hits.count(); ++h)
                        places[h] = hits.row(h);
                    handler_.take({.query = queries[q],
                                   .place = {places.data(), hits.count()},
                                   .worker = worker,
                                   .estimate = hits.squared,
                                   .unit = 1.0 / (base_.scale() * base_.scale()),
                                   .direct = &bounds_},
                                  job);
                    limits[q] = limit(queries[q]);
                });
        });
    }

private:
    /// On scaled squared distances; -1 for a query that no row matters to.
    float limit(std::size_t query) const {
        const double farthest = handler_.farthest(query, {0, base_.set().rows}) * base_.scale();
        return farthest < 0.0 ? -1.0F : bounds_.outside(farthest * farthest);
    }

    const PointTree& queries_;
    const PointTree& base_;
    PairHandler& handler_;
    FloatBounds bounds_;
};

} // namespace

void scanTrees(const PointTree& queries, const PointTree& base, PairHandler& handler, unsigned threads,
               const JobContext& job) {
    Scanner(queries, base, handler).run(threads, job);
}

void scanByTree(const TreeScan& scan, PairHandler& handler, unsigned threads, const JobContext& job) {
    const PairRows& rows = scan.rows;
    const std::vector<float> queryValues = gatherRows(rows.queries, rows.query);
    const std::vector<float> baseValues = gatherRows(rows.base, rows.baseRow);
    const PointTree queries({queryValues.data(), rows.query.size(), rows.queries.dim}, scan.scale, threads,
                            job.part({}, 0.0, 0.05));
    const PointTree base({baseValues.data(), rows.baseRow.size(), rows.base.dim}, scan.scale, threads,
                         job.part({}, 0.05, 0.1));
    scanTrees(queries, base, handler, threads, job.part({}, 0.1, 1.0));
}

} // namespace assay
