#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_visitor.h"
#include "engine/neighbors/search/float_bounds.h"
#include "engine/neighbors/tree/block_scan.h"
#include "engine/neighbors/tree/point_tree.h"

#include "engine/base/parallel.h"
#include "engine/data/gather_rows.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

/// Hands the pairs that trees of both sets propose to a PairVisitor, measured.
class TreeVisits {
public:
    /// @param queries in the order of PairSets::queryRow @param base in the order of PairSets::baseRow
    TreeVisits(PairVisitor& visitor, const PairSets& sets, const PointTree& queries, const PointTree& base,
               double scale)
        : visitor_(visitor), sets_(sets), queries_(queries), base_(base), scale_(scale), bounds_(sets.base.dim) {
        if (!sets.weight.empty()) {
            const auto [least, most] = std::minmax_element(sets.weight.begin(), sets.weight.end());
            least_ = *least;
            most_ = *most;
        }
    }

    void run(unsigned threads, const JobContext& job) const {
        std::vector<BlockScan> scans(resolveThreads(threads), BlockScan(queries_, base_));
        parallelFor(queries_.blocks(), threads, job, [&](std::size_t block, unsigned worker) {
            const auto queries = queries_.rowsIn(block);
            alignas(64) std::array<float, kBlockPoints> limits;
            limits.fill(-1.0F);
            std::transform(queries.begin(), queries.end(), limits.begin(),
                           [&](std::uint32_t query) { return limit(query); });
            scans[worker].run(
                block, limits.data(), [&] { return *std::max_element(limits.begin(), limits.end()); }, job,
                [&](std::size_t q, const BlockHits& hits) {
                    for (std::size_t h = 0; h < hits.count(); ++h)
                        visit(queries[q], hits.row(h));
                    limits[q] = limit(queries[q]);
                });
        });
    }

private:
    /// On squared distances as the tree stores them; -1 for a query that no row matters to.
    float limit(std::size_t query) const {
        const double reach = visitor_.reach(query, least_, most_);
        return reach < 0.0 ? -1.0F : bounds_.outside(reach * scale_ * reach * scale_);
    }

    void visit(std::size_t query, std::size_t place) const {
        const std::uint32_t row = sets_.baseRow[place];
        const double weight = sets_.weight.empty() ? 0.0 : sets_.weight[place];
        if (visitor_.reach(query, weight, weight) >= 0.0 && !visitor_.isKnown(query, row))
            visitor_.visit(query, row, weight, directDistance(sets_.queries, sets_.queryRow[query], sets_.base, row));
    }

    PairVisitor& visitor_;
    const PairSets& sets_;
    const PointTree& queries_;
    const PointTree& base_;
    double scale_;
    FloatBounds bounds_;
    double least_ = 0.0; ///< weights
    double most_ = 0.0;
};

} // namespace

void visitByTree(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job) {
    if (sets.queryRow.empty() || sets.baseRow.empty())
        return;
    const JobContext build = job.part({}, 0.0, 0.0);
    const std::vector<float> queryValues = gatherRows(sets.queries, sets.queryRow);
    const std::vector<float> baseValues = gatherRows(sets.base, sets.baseRow);
    const MatrixView queryRows{queryValues.data(), sets.queryRow.size(), sets.queries.dim};
    const MatrixView baseRows{baseValues.data(), sets.baseRow.size(), sets.base.dim};
    const double scale = unitScale({queryRows, baseRows}, build);
    const PointTree queries(queryRows, scale, threads, build);
    const PointTree base(baseRows, scale, threads, build);
    TreeVisits(visitor, sets, queries, base, scale).run(threads, job);
}

} // namespace assay
