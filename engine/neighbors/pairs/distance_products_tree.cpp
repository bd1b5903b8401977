#include "engine/neighbors/pairs/distance_product_kernels.h"
#include "engine/neighbors/pairs/distance_products.h"
#include "engine/neighbors/search/float_bounds.h"
#include "engine/neighbors/tree/block_scan.h"
#include "engine/neighbors/tree/point_tree.h"

#include "engine/base/parallel.h"
#include "engine/data/gather_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

/// Rows that ask, and the tree of the set that they ask about.
class TreeProducts {
public:
    TreeProducts(const PointTree& queries, const PointTree& base, double within, double scale)
        : queries_(queries), base_(base), reach_(ProductInSteps::logarithm(within * within)),
          limit_(FloatBounds(base.set().dim).outside(within * within * scale * scale)) {}

    /// @return one per row of the queries' set
    std::vector<ProductInSteps> find(unsigned threads, const JobContext& job) const {
        std::vector<ProductInSteps> product(queries_.set().rows);
        std::vector<BlockScan> scans(resolveThreads(threads), BlockScan(queries_, base_));
        parallelFor(queries_.blocks(), threads, job, [&](std::size_t block, unsigned worker) {
            // Nothing is near the places behind the last query.
            alignas(64) std::array<float, kBlockPoints> limits;
            limits.fill(-1.0F);
            std::fill_n(limits.begin(), queries_.pointsIn(block), limit_);
            scans[worker].run(
                block, limits.data(), [&] { return limit_; }, job,
                [&](std::size_t q, const BlockHits& hits) {
                    const std::uint32_t row = queries_.rowsIn(block)[q];
                    multiply(row, hits, product[row]);
                    if (product[row].isNegligible())
                        limits[q] = -1.0F; // settled
                });
        });
        return product;
    }

private:
    void multiply(std::size_t row, const BlockHits& hits, ProductInSteps& product) const {
        std::array<const float*, kBlockPoints> at{};
        std::array<double, kBlockPoints> squared{};
        for (std::size_t h = 0; h < hits.count(); ++h)
            at[h] = base_.set().rowData(hits.row(h));
        squaredDistancesNear(queries_.set().rowData(row), at.data(), hits.count(), base_.set().dim, squared.data());
        for (std::size_t h = 0; h < hits.count(); ++h)
            product.take(ProductInSteps::factor(reach_, ProductInSteps::logarithm(squared[h])));
    }

    const PointTree& queries_;
    const PointTree& base_;
    std::int64_t reach_; ///< logarithm of the squared reach
    float limit_;        ///< on squared distances as the tree has them
};

std::vector<double> productsOf(const ProductSide& side, const PointTree& base, double scale, unsigned threads,
                               const JobContext& job) {
    std::vector<double> products;
    if (side.asked.empty())
        return products;
    const std::vector<float> values = gatherRows(side.set, side.asked);
    const PointTree queries({values.data(), side.asked.size(), side.set.dim}, scale, threads, job.part({}, 0.0, 0.1));
    for (const ProductInSteps& product :
         TreeProducts(queries, base, side.within, scale).find(threads, job.part({}, 0.1, 1.0)))
        products.push_back(product.root());
    return products;
}

} // namespace

DistanceProducts distanceProductsByTree(const ProductSide& a, const ProductSide& b, unsigned threads,
                                        const JobContext& job) {
    DistanceProducts products;
    if (a.asked.empty() && b.asked.empty())
        return products;
    const double scale = unitScale({a.set, b.set}, job.part({}, 0.0, 0.05));
    // One tree after the other: an audit that was asked to keep its memory small holds one copy at a time.
    if (!a.asked.empty())
        products.a = productsOf(a, PointTree(b.set, scale, threads, job.part({}, 0.05, 0.1)), scale, threads,
                                job.part({}, 0.1, 0.5));
    if (!b.asked.empty())
        products.b = productsOf(b, PointTree(a.set, scale, threads, job.part({}, 0.5, 0.55)), scale, threads,
                                job.part({}, 0.55, 1.0));
    return products;
}

} // namespace assay
