#include "engine/neighbors/pairs/distance_product_kernels.h"
#include "engine/neighbors/pairs/distance_products.h"
#include "engine/neighbors/search/float_bounds.h"
#include "engine/neighbors/tree/leaf_kernels.h"
#include "engine/neighbors/tree/point_tree.h"

#include "engine/base/parallel.h"

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
        parallelFor(queries_.blocks(), threads, job, [&](std::size_t block, unsigned) {
            PointHits hits; // NOLINT(cppcoreguidelines-pro-type-member-init)
            // Nothing is near the places behind the last query.
            alignas(64) std::array<float, kBlockPoints> limits;
            limits.fill(-1.0F);
            std::fill_n(limits.begin(), queries_.pointsIn(block), limit_);
            std::vector<std::size_t> open{0};
            while (!open.empty()) {
                job.throwIfStopped();
                const std::size_t node = open.back();
                open.pop_back();
                if (!inReach(block, node))
                    continue;
                if (base_.node(node).blocks == 1) {
                    meet(block, base_.node(node).firstBlock, limits, hits, product);
                    continue;
                }
                open.push_back(base_.rightOf(node));
                open.push_back(PointTree::leftOf(node));
            }
        });
        return product;
    }

private:
    bool inReach(std::size_t queryBlock, std::size_t node) const {
        const std::size_t from = queries_.leafOf(queryBlock);
        return leafKernels().boxDistance(queries_.low(from), queries_.high(from), base_.low(node), base_.high(node),
                                         base_.paddedDim()) <= limit_;
    }

    void meet(std::size_t queryBlock, std::size_t block, std::array<float, kBlockPoints>& limits, PointHits& hits,
              std::vector<ProductInSteps>& product) const {
        const std::size_t leaf = base_.leafOf(block);
        const std::size_t dim = base_.set().dim;
        std::uint64_t near = leafKernels().pointsNearBox(queries_.block(queryBlock), dim, base_.low(leaf),
                                                         base_.high(leaf), limits.data());
        const auto rows = queries_.rowsIn(queryBlock);
        leafKernels().pointsNearPoints(base_.block(block), queries_.block(queryBlock), dim, near, limits.data(), hits);
        for (; near != 0; near &= near - 1) {
            const auto q = static_cast<std::size_t>(__builtin_ctzll(near));
            if (hits.count[q] == 0)
                continue;
            multiply(rows[q], base_.rowsIn(block), hits, q, product[rows[q]]);
            if (product[rows[q]].isNegligible())
                limits[q] = -1.0F; // settled
        }
    }

    void multiply(std::size_t row, std::span<const std::uint32_t> baseRows, const PointHits& hits, std::size_t q,
                  ProductInSteps& product) const {
        std::array<const float*, kBlockPoints> at{};
        std::array<double, kBlockPoints> squared{};
        for (std::size_t h = 0; h < hits.count[q]; ++h)
            at[h] = base_.set().rowData(baseRows[hits.position[q][h]]);
        squaredDistancesNear(queries_.set().rowData(row), at.data(), hits.count[q], base_.set().dim, squared.data());
        for (std::size_t h = 0; h < hits.count[q]; ++h)
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
    std::vector<float> values;
    values.reserve(side.asked.size() * side.set.dim);
    for (const std::uint32_t row : side.asked)
        values.insert(values.end(), side.set.rowData(row), side.set.rowData(row) + side.set.dim);
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
