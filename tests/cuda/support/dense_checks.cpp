#include "tests/cuda/support/device_checks.h"

#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/pass.h"
#include "tests/cuda/support/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

namespace assay::cuda::test {
namespace {

struct Shape {
    std::size_t rows, dim;
};

/// Sums in long double.
DoubleMatrix plainGram(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    DoubleMatrix product(set.dim, set.dim);
    for (std::size_t i = 0; i < set.dim; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            long double sum = 0.0L;
            for (std::size_t r = 0; r < set.rows; ++r) {
                const long double s = scale.empty() ? 1.0L : static_cast<long double>(scale[r]);
                sum += (set.rowData(r)[i] * s - static_cast<long double>(mean[i])) *
                       (set.rowData(r)[j] * s - static_cast<long double>(mean[j]));
            }
            product.at(i, j) = static_cast<double>(sum);
        }
    return product;
}

/// Sums of slices of rows, added in the order of the rows: a device's to the last bit.
DoubleMatrix gramInSlices(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    DoubleMatrix product(set.dim, set.dim);
    const auto element = [&](std::size_t row, std::size_t c) {
        return gramElement(set.rowData(row)[c], scale.empty() ? 1.0 : scale[row], mean[c]);
    };
    for (std::size_t i = 0; i < set.dim; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t first = 0; first < set.rows; first += kSliceRows) {
                double sum = 0.0;
                for (std::size_t r = first; r < std::min<std::size_t>(set.rows, first + kSliceRows); ++r)
                    sum = fused(element(r, i), element(r, j), sum);
                product.at(i, j) += sum;
            }
    return product;
}

std::string shapeText(MatrixView set) {
    return std::to_string(set.rows) + " x " + std::to_string(set.dim);
}

// One row, one column, edges of tiles and of slices of rows.
constexpr Shape kGramShapes[] = {{1, 1}, {1, 70}, {3, 1}, {600, 1}, {511, 64}, {513, 65}, {1030, 130}};

/// Small whole numbers and powers of two: every order of summation gives the same.
void gramOfWholeNumbers(Device& device) {
    for (const Shape& shape : kGramShapes)
        for (const bool scaled : {false, true}) {
            const Matrix set = grid(shape.rows, shape.dim, 3, 9);
            std::vector<double> mean(shape.dim);
            for (std::size_t c = 0; c < shape.dim; ++c)
                mean[c] = static_cast<double>(c % 5) - 1.0;
            std::vector<double> scale(scaled ? shape.rows : 0);
            for (std::size_t r = 0; r < scale.size(); ++r)
                scale[r] = r % 3 == 0 ? 0.5 : 2.0;
            const auto product = gramOnDevice(device, set.view(), mean, scale, {});
            CHECK_ABOUT(product && product->values == plainGram(set.view(), mean, scale).values, shapeText(set.view()));
        }
}

/// Far from the origin, where single precision would be noise.
void gramIsDoublePrecision(Device& device) {
    const Matrix set = shifted(gaussian(700, 67, 4), 1000.0F);
    const std::vector<double> scale(set.rows, 1.0 / 3.0);
    for (const bool scaled : {false, true}) {
        const std::vector<double> means(set.dim, scaled ? 1000.0 / 3.0 : 1000.0);
        const std::span<const double> scales = scaled ? std::span<const double>(scale) : std::span<const double>();
        const auto product = gramOnDevice(device, set.view(), means, scales, {});
        CHECK(product && product->values == gramInSlices(set.view(), means, scales).values);
        const DoubleMatrix expected = plainGram(set.view(), means, scales);
        double most = 0.0;
        for (std::size_t i = 0; product && i < set.dim; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                most = std::max(most, std::abs(product->at(i, j) - expected.at(i, j)) /
                                          std::sqrt(expected.at(i, i) * expected.at(j, j)));
        CHECK_ABOUT(product && most < 1e-12, std::to_string(most * 1e12) + "e-12");
    }
}

} // namespace

void checkOverflow(Device& device, std::size_t rows) {
    constexpr std::size_t kNearest = 4;
    const Matrix equal = repeated(gaussian(1, 3, 5), rows);
    const Frame frame = Frame::of(equal.view(), {equal.view()}, 1, {});
    const PassShape shape{.rowsX = equal.rows, .dim = equal.dim, .kX = kNearest, .precision = Precision::Single};
    const PassInput input{equal.view(), {}, shape, frame, {}, {}, {}};
    PassPlan plan = *planPass(shape, ~std::size_t{0});
    plan.capacity = 384;
    plan.measureAbove = 128;
    plan.bytes = PassMemory::carve(shape, plan, nullptr).bytes;
    const PassOutput output = Pass(device, plan, input).run(blockPairsOf(plan), {}, [] {});
    CHECK(output.xToY == directNeighbors(equal.view(), equal.view(), kNearest, true));
}

void checkGram(Device& device) {
    gramOfWholeNumbers(device);
    gramIsDoublePrecision(device);
}

LayoutCase layoutCase(std::size_t rows, unsigned seed) {
    LayoutCase layout;
    std::mt19937 random(seed);
    std::vector<std::map<std::uint32_t, float>> edges(rows);
    for (std::size_t row = 0; rows > 1 && row < rows; ++row)
        for (int e = 0; e < 4; ++e) {
            const std::size_t other = random() % (rows - rows / 10); // the last tenth may have no edge
            if (other == row || row >= rows - rows / 10)
                continue;
            const float weight = static_cast<float>(1 + random() % 100) / 100.0F;
            edges[row][static_cast<std::uint32_t>(other)] = weight;
            edges[other][static_cast<std::uint32_t>(row)] = weight;
        }
    layout.graph.begin.push_back(0);
    for (const auto& ofRow : edges) {
        for (const auto& [neighbor, weight] : ofRow) {
            layout.graph.neighbor.push_back(neighbor);
            layout.graph.weight.push_back(weight);
        }
        layout.graph.begin.push_back(layout.graph.neighbor.size());
    }
    for (std::size_t row = 0; row < rows; ++row) {
        LayoutPosition position{};
        for (int c = 0; c < 3; ++c)
            position.at[c] = static_cast<float>(random() % 2000) / 100.0F - 10.0F;
        layout.start.push_back(position);
    }
    layout.plan = {20, seed};
    return layout;
}

void checkLayout(Device& device) {
    for (const std::size_t rows : {1U, 2U, 127U, 128U, 1000U}) {
        const LayoutCase layout = layoutCase(rows, static_cast<unsigned>(rows));
        std::vector<LayoutPosition> from = layout.start;
        std::vector<LayoutPosition> to(rows);
        for (std::size_t number = 0; number < layout.plan.rounds; ++number) {
            LayoutRound round = layout.plan.round(number, rows);
            round.begin = layout.graph.begin.data();
            round.neighbor = layout.graph.neighbor.data();
            round.weight = layout.graph.weight.data();
            round.from = from.data();
            for (std::uint32_t row = 0; row < rows; ++row)
                to[row] = round.moved(row);
            from.swap(to);
        }
        const auto found = layoutOnDevice(device, layout.graph, layout.start, layout.plan, {});
        CHECK_ABOUT(found && *found == from, std::to_string(rows) + " rows");
        CHECK(rows < 2 || from != layout.start);
    }
}

} // namespace assay::cuda::test
