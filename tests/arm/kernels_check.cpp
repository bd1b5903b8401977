// The kernels against plain loops, on ARM: without Qt, oneDNN or threads, so that a cross compiler and an emulator are
// enough (docs/testing.md). engine_tests checks the same kernels more closely on this machine's instruction sets.
#include "engine/math/products/cosine_kernel.h"
#include "engine/math/products/kernels.h"
#include "engine/math/products/panels.h"
#include "engine/metrics/topological/point_distances.h"
#include "engine/neighbors/pairs/outside_probability_kernels.h"
#include "engine/neighbors/products/tile_kernels.h"
#include "engine/neighbors/tree/leaf_kernels.h"
#include "tests/cuda/support/check.h"
#include "tests/support/matrices.h"
#include "tests/support/plain_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

constexpr std::size_t kDims[] = {1, 2, 7, 8, 9, 16, 17, 31, 33, 100, 256, 1000};

void distancesAreThoseDefined() {
    for (const std::size_t dim : kDims) {
        const Matrix set = gaussian(9, dim, 1, 3.0F, 100.0F);
        const std::vector<std::uint32_t> rows{5, 1, 8, 0, 3};
        std::vector<double> squared(rows.size());
        kernels().squaredDistances(set.view().rowData(2), set.view(), rows, squared.data());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const float* row = set.view().rowData(rows[r]);
            const double expected = test::plainSquaredDistance(set.view().rowData(2), row, dim);
            CHECK_ABOUT(squared[r] == expected, std::to_string(dim));
            CHECK_ABOUT(kernels().squaredDistance(set.view().rowData(2), row, dim) == expected, std::to_string(dim));
        }
    }
}

void distancesForProbabilitiesAreNear() {
    for (const std::size_t dim : kDims) {
        const Matrix set = gaussian(8, dim, 2);
        std::vector<const float*> rows;
        for (std::size_t r = 1; r < set.rows; ++r)
            rows.push_back(set.view().rowData(r));
        std::vector<double> squared(rows.size());
        squaredDistancesNear(set.view().rowData(0), rows.data(), rows.size(), dim, squared.data());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double expected = test::plainSquaredDistance(set.view().rowData(0), rows[r], dim);
            CHECK_ABOUT(std::abs(squared[r] - expected) <= 1e-14 * expected, std::to_string(dim));
        }
    }
}

void leavesFindWhatIsNear() {
    for (const std::size_t dim : {1U, 7U, 8U, 9U, 33U}) {
        const Matrix points = test::grid(dim, kBlockPoints, 3, 4);
        const Matrix queries = test::grid(dim, kBlockPoints, 4, 4);
        const std::vector<float> limits(kBlockPoints, static_cast<float>(2 * dim));
        PointHits hits{};
        leafKernels().pointsNearPoints(points.values.data(), dim,
                                       {queries.values.data(), ~std::uint64_t{0}, limits.data()}, hits);
        for (std::size_t q = 0; q < kBlockPoints; ++q) {
            std::size_t count = 0;
            for (std::size_t p = 0; p < kBlockPoints; ++p) {
                float squared = 0.0F;
                for (std::size_t c = 0; c < dim; ++c)
                    squared +=
                        std::pow(points.values[c * kBlockPoints + p] - queries.values[c * kBlockPoints + q], 2.0F);
                if (squared > limits[q])
                    continue;
                CHECK(hits.position[q][count] == p && hits.squared[q][count] == squared);
                ++count;
            }
            CHECK(hits.count[q] == count);
        }
        const std::vector<float> low(dim, 1.0F);
        const std::vector<float> high(dim, 2.0F);
        const std::vector<float> half(kBlockPoints, static_cast<float>(dim) / 2.0F);
        const std::uint64_t near =
            leafKernels().pointsNearBox(points.values.data(), dim, low.data(), high.data(), half.data());
        for (std::size_t p = 0; p < kBlockPoints; ++p) {
            float squared = 0.0F;
            for (std::size_t c = 0; c < dim; ++c)
                squared += points.values[c * kBlockPoints + p] < 1.0F || points.values[c * kBlockPoints + p] > 2.0F;
            CHECK((near >> p & 1) == (squared <= half[p] ? 1U : 0U));
        }
    }
    std::vector<float> values(48);
    for (std::size_t i = 0; i < 41; ++i)
        values[i] = static_cast<float>(i * 17 % 41);
    for (std::size_t rank = 1; rank <= 41; ++rank)
        CHECK(leafKernels().smallest(values.data(), 41, rank) == static_cast<float>(rank - 1));
    const std::vector<float> low(16, 0.0F);
    const std::vector<float> high(16, 1.0F);
    const std::vector<float> farLow(16, 3.0F);
    const std::vector<float> farHigh(16, 4.0F);
    CHECK(leafKernels().boxDistance(low.data(), high.data(), farLow.data(), farHigh.data(), 16) == 64.0F);
}

void tilesSelectWhatLimitsAdmit() {
    for (const std::size_t columns : {1U, 3U, 4U, 5U, 16U, 63U, 384U, 513U}) {
        std::mt19937 random(static_cast<unsigned>(columns));
        std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
        std::vector<float> values[6];
        for (auto& v : values)
            for (std::size_t c = 0; c < columns; ++c)
                v.push_back(uniform(random));
        TileRow row{-0.02F, 0.6F, 0.1F, -0.05F, 0.9F, 0.8F, 0.0F};
        std::vector<float> most(columns);
        const TileKernels& kernel = tileKernels();
        kernel.findMost({&row.reach, &row.level, 1}, {1.0F, 0.0F}, &row.most);
        kernel.findMost({values[4].data(), values[5].data(), columns}, {row.residual, row.offset}, most.data());
        const TileColumns terms{values[0].data(), values[1].data(), values[2].data(), values[3].data(),
                                values[4].data(), values[5].data(), most.data(),      columns};
        std::vector<std::int32_t> product(columns);
        for (std::int32_t& p : product)
            p = static_cast<std::int32_t>(random() % 100) - 50;
        std::vector<float> estimates[2];
        std::vector<std::uint32_t> indices[2];
        TileHits hits[2];
        for (int side = 0; side < 2; ++side) {
            estimates[side].resize(columns + 16);
            indices[side].resize(columns + 16);
            hits[side] = {estimates[side].data(), indices[side].data(), 0};
        }
        std::vector<float> all(columns);
        std::vector<std::uint32_t> near(columns + 16);
        kernel.selectInteger(product.data(), row, terms, hits[0], hits[1]);
        kernel.estimateInteger(product.data(), row, terms, all.data());
        const std::size_t nearCount = kernel.selectNear(product.data(), row, terms, near.data());
        std::size_t count[3] = {};
        for (std::size_t j = 0; j < columns; ++j) {
            const float scale = row.factor * terms.step[j];
            const float norms = row.term + terms.term[j];
            const float estimate = static_cast<float>(product[j]) * scale + norms;
            const float rowReach = row.reach + terms.residual[j];
            const float columnReach = terms.reach[j] + row.residual;
            CHECK(all[j] == estimate);
            if (estimate <= std::max(row.most, most[j]))
                CHECK(near[count[2]++] == j);
            if (estimate <= rowReach * rowReach && estimate + terms.offset[j] <= row.level) {
                CHECK(indices[0][count[0]] == j && estimates[0][count[0]] == estimate);
                ++count[0];
            }
            if (estimate <= columnReach * columnReach && estimate + row.offset <= terms.level[j]) {
                CHECK(indices[1][count[1]] == j && estimates[1][count[1]] == estimate);
                ++count[1];
            }
        }
        CHECK(hits[0].count == count[0] && hits[1].count == count[1] && nearCount == count[2]);
    }
}

void tilesRoundAndMultiplyRows() {
    for (const std::size_t dim : kDims) {
        const Matrix rows = gaussian(20, dim, 5);
        std::vector<std::int8_t> integers(rows.rows * dim);
        std::vector<std::int32_t> sums(rows.rows);
        for (std::size_t r = 0; r < rows.rows; ++r) {
            const QuantizedRow found = tileKernels().quantizeRow(rows.view().rowData(r), dim, &integers[r * dim]);
            double norm = 0.0;
            double residual = 0.0;
            for (std::size_t c = 0; c < dim; ++c) {
                const auto value = static_cast<double>(rows.view().rowData(r)[c]);
                const double rest = value - static_cast<double>(found.step) * integers[r * dim + c];
                norm += value * value;
                residual += rest * rest;
            }
            CHECK(std::abs(static_cast<double>(found.squaredNorm) - norm) <= 1e-4 * norm);
            CHECK(std::abs(static_cast<double>(found.squaredResidual) - residual) <= 1e-4 * residual + 1e-7 * norm);
            sums[r] = std::accumulate(&integers[r * dim], &integers[r * dim] + dim, 0);
            CHECK(found.sum == sums[r]);
        }
        const std::vector<std::uint32_t> columns{3, 0, 19, 7, 7, 1, 12, 5, 2, 11};
        std::vector<std::int32_t> product(columns.size());
        tileKernels().integerProducts(integers.data(), {integers.data(), sums.data(), dim}, columns, product.data());
        for (std::size_t n = 0; n < columns.size(); ++n)
            CHECK(product[n] == std::inner_product(integers.begin(),
                                                   integers.begin() + static_cast<std::ptrdiff_t>(dim),
                                                   &integers[columns[n] * dim], 0));
    }
    const Matrix values = gaussian(1, 500, 6);
    std::vector<float> sorted = values.values;
    std::sort(sorted.begin(), sorted.end());
    for (const std::size_t k : {1U, 33U, 250U, 500U}) {
        const float found = tileKernels().atLeastKthSmallest(values.values.data(), sorted.size(), k);
        CHECK(found >= sorted[k - 1]);
        CHECK(std::upper_bound(sorted.begin(), sorted.end(), found) - sorted.begin() <=
              static_cast<std::ptrdiff_t>(k + k / 16 + 1));
    }
}

void panelsMultiply() {
    for (const std::size_t depth : {1U, 63U, 64U, 300U}) {
        const Matrix a = gaussian(depth, kPanelWidth<float>, 7);
        const Matrix b = gaussian(depth, kPanelWidth<float>, 8);
        std::vector<double> tile(kTileRows * kTileColumns<float>);
        multiplyPanels(Panels<float>{.depth = depth,
                                     .chunk = 64,
                                     .a = a.values.data(),
                                     .b = {b.values.data(), a.values.data(), b.values.data()},
                                     .wanted = 2},
                       tile.data());
        for (std::size_t v = 0; v < kTileRows; ++v)
            for (std::size_t w = 0; w < 2 * kPanelWidth<float>; ++w) {
                const Matrix& other = w < kPanelWidth<float> ? b : a;
                double sum = 0.0;
                double sizes = 0.0;
                for (std::size_t k = 0; k < depth; ++k) {
                    const double product =
                        static_cast<double>(a.values[k * kPanelWidth<float> + v]) *
                        static_cast<double>(other.values[k * kPanelWidth<float> + w % kPanelWidth<float>]);
                    sum += product;
                    sizes += std::abs(product);
                }
                CHECK(std::abs(tile[v * kTileColumns<float> + w] - sum) <= 65.0 * 0x1p-24 * sizes);
            }
    }
}

void pointsAreFoundInTheirOrder() {
    for (const std::size_t dim : {1U, 5U, 16U, 33U}) {
        const Matrix block = gaussian(dim, PointDistances::kBlock, 9);
        const Matrix queries = gaussian(PointDistances::kQueries, dim, 10);
        PointDistances::Queries of{};
        of.limit = static_cast<float>(2 * dim);
        for (std::size_t q = 0; q < PointDistances::kQueries; ++q)
            of.points[q] = queries.view().rowData(q);
        std::array<PointDistances::Found, PointDistances::kQueries> found;
        for (PointDistances::Found& one : found) {
            one.row.resize(PointDistances::kBlock + 16);
            one.squared.resize(one.row.size());
        }
        appendNear({.block = block.values.data(), .queries = of, .dim = dim, .firstRow = 1000}, found);
        for (std::size_t q = 0; q < PointDistances::kQueries; ++q) {
            std::size_t next = 0;
            for (std::size_t p = 0; p < PointDistances::kBlock; ++p) {
                double squared = 0.0;
                for (std::size_t c = 0; c < dim; ++c)
                    squared += std::pow(
                        static_cast<double>(block.view().rowData(c)[p]) - static_cast<double>(of.points[q][c]), 2);
                if (next < found[q].count && found[q].row[next] == 1000 + p)
                    CHECK(std::abs(static_cast<double>(found[q].squared[next++]) - squared) <= 1e-5 * squared);
                else
                    CHECK(squared > static_cast<double>(of.limit) * (1.0 - 1e-5));
            }
            CHECK(next == found[q].count);
        }
    }
}

void cosinesAreRight() {
    std::vector<float> squared(101);
    for (std::size_t i = 0; i < squared.size(); ++i)
        squared[i] = static_cast<float>(i) * 0.01F * 3.7F;
    std::vector<float> values(squared.size());
    cosineKernel(squared.data(), squared.size(), 3.7F, values.data());
    for (std::size_t i = 0; i < squared.size(); ++i) {
        const double share = std::sqrt(static_cast<double>(squared[i]) / 3.7);
        const double expected = squared[i] <= 3.7F ? std::cos(std::numbers::pi / 2.0 * share) : 0.0;
        CHECK(std::abs(static_cast<double>(values[i] / kKernelUnit) - expected) < 4e-7);
    }
}

} // namespace

int main() {
    using assay::cuda::test::run;
    std::printf("%s\n", instructionSet());
    run("distances are those defined", distancesAreThoseDefined);
    run("distances for probabilities are near", distancesForProbabilitiesAreNear);
    run("leaves find what is near", leavesFindWhatIsNear);
    run("tiles select what limits admit", tilesSelectWhatLimitsAdmit);
    run("tiles round and multiply rows", tilesRoundAndMultiplyRows);
    run("panels multiply", panelsMultiply);
    run("points are found in their order", pointsAreFoundInTheirOrder);
    run("cosines are right", cosinesAreRight);
    return assay::cuda::test::verdict();
}
