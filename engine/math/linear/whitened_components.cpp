#include "engine/math/linear/whitened_components.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/products/float_product.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr std::size_t kExactDim = 512;      // up to here all eigenvectors are computed
constexpr std::size_t kDoubleDim = 128;     // up to here products are summed in double precision
constexpr double kRoundingVariance = 1e-12; // a smaller share of the largest variance is rounding of the values

/// Directions as columns of a row-major d x q matrix.
struct Directions {
    std::vector<float> values;
    std::size_t count = 0;
};

/// Applies X and X^T to a few directions.
class ScatterProducts {
public:
    ScatterProducts(MatrixView set, const ComputeContext& context) : set_(set), context_(context) {}

    /// X V: rows x count.
    std::vector<float> image(const Directions& directions) const {
        std::vector<float> values(set_.rows * directions.count);
        parallelRanges(set_.rows, rowsAtOnce(), context_.threads, context_.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           multiply({set_.rowData(first), last - first, set_.dim},
                                    {directions.values.data(), set_.dim, directions.count}, Into::Replace,
                                    values.data() + first * directions.count);
                       });
        return values;
    }

    /// X^T (X V): d x count. Sums of a fixed number of stripes, in their order.
    std::vector<float> apply(const Directions& directions) const {
        const std::size_t rows = rowsAtOnce();
        const std::size_t blocks = (set_.rows + rows - 1) / rows;
        std::vector<std::vector<float>> stripes(std::min(kStripes, blocks));
        parallelFor(stripes.size(), context_.threads, context_.job.silent(), [&](std::size_t stripe, unsigned) {
            std::vector<float>& sum = stripes[stripe];
            sum.assign(set_.dim * directions.count, 0.0F);
            std::vector<float> part(rows * directions.count);
            for (std::size_t block = stripe; block < blocks; block += stripes.size()) {
                context_.job.throwIfStopped();
                const std::size_t first = block * rows;
                const std::size_t length = std::min(rows, set_.rows - first);
                multiply({set_.rowData(first), length, set_.dim},
                         {directions.values.data(), set_.dim, directions.count}, Into::Replace, part.data());
                multiply({set_.rowData(first), length, set_.dim, FloatFactor::Use::Transposed},
                         {part.data(), length, directions.count}, Into::Add, sum.data());
            }
        });
        std::vector<float> total = std::move(stripes.front());
        for (std::size_t stripe = 1; stripe < stripes.size(); ++stripe)
            std::ranges::transform(total, stripes[stripe], total.begin(), std::plus());
        return total;
    }

private:
    static constexpr std::size_t kStripes = 16;

    std::size_t rowsAtOnce() const {
        constexpr std::size_t kValuesAtOnce = std::size_t{1} << 19;
        return std::clamp<std::size_t>(kValuesAtOnce / set_.dim, 32, 512);
    }

    MatrixView set_;
    const ComputeContext& context_;
};

/// An orthonormal basis of the directions.
Directions orthonormal(Directions directions, std::size_t dim) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(dim);
    const auto columns = static_cast<Eigen::Index>(directions.count);
    Eigen::Map<RowMajor> matrix(directions.values.data(), rows, columns);
    const Eigen::HouseholderQR<Eigen::MatrixXf> factor(matrix);
    matrix = factor.householderQ() * Eigen::MatrixXf::Identity(rows, columns);
    return directions;
}

/// A basis of about the subspace of the leading components.
Directions leadingSubspace(MatrixView set, std::size_t count, const ComputeContext& context) {
    constexpr std::size_t kMoreDirections = 10;
    constexpr std::size_t kIterations = 4;
    Directions directions{{}, std::min(set.dim, count + kMoreDirections)};
    directions.values.resize(set.dim * directions.count);
    Random random(context.seed);
    for (float& value : directions.values)
        value = static_cast<float>(random.bell());
    const ScatterProducts products(set, context);
    for (std::size_t i = 0; i < kIterations; ++i) {
        context.job.checkpoint(static_cast<double>(i) / kIterations);
        directions.values = products.apply(directions);
        directions = orthonormal(std::move(directions), set.dim);
    }
    return directions;
}

/// Exact components of a set of few dimensions.
WhitenedComponents exactComponents(MatrixView set, std::size_t count, const ComputeContext& context) {
    const std::vector<double> mean(set.dim, 0.0);
    const JobContext job = context.job.part({}, 0.0, 0.5);
    const Eigendecomposition pairs =
        symmetricEigendecomposition(set.dim <= kDoubleDim ? gramOf(columnsOf(set, mean), context.threads, job)
                                                          : floatGram(set, mean, {}, context.threads, job),
                                    context.job);
    const double least = kRoundingVariance * pairs.values.back();
    std::size_t kept = 0;
    while (kept < std::min(count, set.dim) && pairs.values[set.dim - 1 - kept] > least)
        ++kept;
    DoubleMatrix directions(kept, set.dim);
    for (std::size_t c = 0; c < kept; ++c) {
        const std::size_t from = set.dim - 1 - c; // eigenvalues ascend
        const double deviation = std::sqrt(pairs.values[from] / static_cast<double>(set.rows));
        std::transform(pairs.vectors.row(from), pairs.vectors.row(from) + set.dim, directions.row(c),
                       [deviation](double value) { return value / deviation; });
    }
    if (kept == 0)
        return {{}, set.rows, 0};
    std::vector<const float*> rows(set.rows);
    for (std::size_t r = 0; r < set.rows; ++r)
        rows[r] = set.rowData(r);
    return {projectRows(rows, std::vector<float>(set.dim, 0.0F), directions, context.threads,
                        context.job.part({}, 0.5, 1.0)),
            set.rows, kept};
}

} // namespace

WhitenedComponents whitenedComponents(MatrixView set, std::size_t count, const ComputeContext& context) {
    if (set.dim <= kExactDim)
        return exactComponents(set, count, context);
    const Directions basis = leadingSubspace(set, count, context.part(0.0, 0.8));
    const std::vector<float> reduced = ScatterProducts(set, context).image(basis);
    return exactComponents({reduced.data(), set.rows, basis.count}, count, context.part(0.8, 1.0));
}

} // namespace assay
