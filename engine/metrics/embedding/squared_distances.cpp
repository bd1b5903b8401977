#include "engine/metrics/embedding/squared_distances.h"

#include "engine/base/parallel.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/tile_product.h"

#include <Eigen/Core>

#include <algorithm>

namespace assay {
namespace {

std::vector<double> squaredNorms(const ProductOperand& operand) {
    std::vector<double> norms(operand.rows());
    for (std::size_t r = 0; r < norms.size(); ++r) {
        const float* row = operand.singleRow(r);
        for (std::size_t c = 0; c < operand.dim(); ++c)
            norms[r] += static_cast<double>(row[c]) * static_cast<double>(row[c]);
    }
    return norms;
}

} // namespace

SquaredDistances::SquaredDistances(MatrixView rows, MatrixView centres, unsigned threads, const JobContext& job)
    : rows_(rows), centres_(centres), threads_(resolveThreads(threads)),
      frame_(Frame::of(centres, {rows, centres}, threads, job)),
      rowOperand_(ProductOperand::of(rows, frame_, Precision::Single, threads, job)),
      centreOperand_(ProductOperand::of(centres, frame_, Precision::Single, threads, job)),
      rowNorm_(squaredNorms(rowOperand_)), centreNorm_(squaredNorms(centreOperand_)) {}

void SquaredDistances::each(const JobContext& job,
                            const std::function<void(std::size_t, std::span<const float>)>& take) const {
    const std::size_t blocks = (rows_.rows + kBlock - 1) / kBlock;
    parallelFor(blocks, threads_, job, [&](std::size_t b, unsigned) {
        const Range block{b * kBlock, std::min(kBlock, rows_.rows - b * kBlock)};
        std::vector<float> squared(block.count * centres_.rows);
        TileProduct product;
        for (std::size_t first = 0; first < centres_.rows; first += kEdge) {
            job.throwIfStopped();
            const Range columns{first, std::min(kEdge, centres_.rows - first)};
            product.multiply(rowOperand_, block, centreOperand_, columns);
            for (std::size_t r = 0; r < block.count; ++r)
                fill(block.first + r, product.singleRow(r), columns, squared.data() + r * centres_.rows + first);
        }
        for (std::size_t r = 0; r < block.count; ++r)
            take(block.first + r, {squared.data() + r * centres_.rows, centres_.rows});
    });
}

void SquaredDistances::fill(std::size_t row, const float* products, const Range& columns, float* squared) const {
    constexpr double kCancelled = 1e-2; // share of the squared norms below which the products have lost their digits
    using Values = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, kEdge, 1>;
    const auto count = static_cast<Eigen::Index>(columns.count);
    const double scale = 1.0 / static_cast<double>(frame_.scale); // a power of two
    const Values both = Eigen::Map<const Eigen::ArrayXd>(centreNorm_.data() + columns.first, count) + rowNorm_[row];
    const Values found = both - 2.0 * Eigen::Map<const Eigen::ArrayXf>(products, count).cast<double>();
    Eigen::Map<Eigen::ArrayXf>(squared, count) = (found * (scale * scale)).cast<float>();
    if (!(found < kCancelled * both).any())
        return;
    for (std::size_t c = 0; c < columns.count; ++c)
        if (const auto i = static_cast<Eigen::Index>(c); found[i] < kCancelled * both[i])
            squared[c] = static_cast<float>(
                kernels().squaredDistance(rows_.rowData(row), centres_.rowData(columns.first + c), rows_.dim));
}

} // namespace assay
