#include "tests/cuda/support/dense_checks.h"

#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/device_accelerator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/plain_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <string>

namespace assay::cuda::test {
namespace {

using Epilogue = ProductJob::Epilogue;
using Layout = DenseVectors::Layout;

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
        const DoubleMatrix expected = plainGram(set.view(), means, scales);
        double most = 0.0;
        for (std::size_t i = 0; product && i < set.dim; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                most = std::max(most, std::abs(product->at(i, j) - expected.at(i, j)) /
                                          std::sqrt(expected.at(i, i) * expected.at(j, j)));
        CHECK_ABOUT(product && most < 1e-12, std::to_string(most * 1e12) + "e-12");
    }
}

constexpr unsigned kPoison = 0xA5;

/// A matrix in device memory.
struct OnDevice {
    OnDevice(Device& device, const Matrix& matrix) : piece(device, matrix.values.size() * sizeof(float)) {
        device.upload(piece.base(), matrix.values.data(), matrix.values.size() * sizeof(float));
    }
    float* data() const { return reinterpret_cast<float*>(piece.base()); }
    DeviceBuffer piece;
};

/// Whole numbers about zero.
Matrix wholeNumbers(std::size_t rows, std::size_t dim, unsigned seed) {
    return shifted(grid(rows, dim, seed, 7), -3.0F);
}

struct ProductCase {
    std::size_t x, y, depth, slice;
};
// One of everything, edges of tiles, of what is in shared memory at a time and of slices.
constexpr ProductCase kProducts[] = {{1, 1, 1, 0},       {1, 200, 3, 0},    {129, 1, 17, 0}, {128, 64, 16, 0},
                                     {130, 65, 33, 0},   {200, 3, 7, 4},    {3, 70, 40, 16}, {131, 129, 10, 10},
                                     {200, 200, 37, 12}, {260, 130, 5, 100}};

/// The layouts of the factors, and what follows the product.
struct ProductForm {
    Layout x, y;
    Epilogue after;
};

std::vector<ProductForm> productForms() {
    std::vector<ProductForm> forms;
    for (const Layout x : {Layout::VectorsAreRows, Layout::VectorsAreColumns})
        for (const Layout y : {Layout::VectorsAreRows, Layout::VectorsAreColumns})
            for (const Epilogue after : {Epilogue::None, Epilogue::Relu, Epilogue::MaskByActivation})
                forms.push_back({x, y, after});
    return forms;
}

/// Vectors of whole numbers, stored as rows or as columns.
Matrix storedVectors(Layout layout, std::size_t count, std::size_t depth, unsigned seed) {
    return layout == Layout::VectorsAreRows ? wholeNumbers(count, depth, seed) : wholeNumbers(depth, count, seed);
}

/// @param job with its pointers into the host's memory
float plainElement(const ProductJob& job, std::size_t part, std::size_t place) {
    const std::size_t slice = job.slice == 0 ? job.depth : job.slice;
    float sum = 0.0F;
    for (std::size_t k = part * slice; k < std::min<std::size_t>(job.depth, (part + 1) * slice); ++k)
        sum += job.x.at(static_cast<std::uint32_t>(place / job.y.count), static_cast<std::uint32_t>(k)) *
               job.y.at(static_cast<std::uint32_t>(place % job.y.count), static_cast<std::uint32_t>(k));
    return withEpilogue(job, place, sum);
}

/// What a device makes of a job, whose pointers are into the host's memory; poison where nothing is written.
std::vector<float> productOn(Device& device, const ProductJob& host, const Matrix& x, const Matrix& y,
                             const Matrix& activation) {
    const OnDevice xThere(device, x);
    const OnDevice yThere(device, y);
    const OnDevice liveThere(device, activation);
    std::vector<float> values(host.parts() * host.partStride);
    const DeviceBuffer product(device, values.size() * sizeof(float));
    device.fill(product.base(), kPoison, values.size() * sizeof(float));
    ProductJob job = host;
    job.x.data = xThere.data();
    job.y.data = yThere.data();
    job.activation = liveThere.data();
    job.product = reinterpret_cast<float*>(product.base());
    device.multiply(job);
    device.download(values.data(), product.base(), values.size() * sizeof(float));
    return values;
}

/// Whole numbers, so that every order of summation gives the same.
bool isPlainProduct(Device& device, const ProductCase& of, const ProductForm& form) {
    const Matrix x = storedVectors(form.x, of.x, of.depth, 1);
    const Matrix y = storedVectors(form.y, of.y, of.depth, 2);
    const Matrix activation = wholeNumbers(of.x, of.y, 3);
    ProductJob job;
    job.x = {x.values.data(), static_cast<std::uint32_t>(of.x), static_cast<std::uint32_t>(x.dim), form.x};
    job.y = {y.values.data(), static_cast<std::uint32_t>(of.y), static_cast<std::uint32_t>(y.dim), form.y};
    job.depth = static_cast<std::uint32_t>(of.depth);
    job.slice = static_cast<std::uint32_t>(of.slice);
    job.after = form.after;
    job.activation = activation.values.data();
    job.partStride = of.x * of.y + 5; // what lies between is not the product's
    const std::vector<float> found = productOn(device, job, x, y, activation);
    bool same = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t place = i % job.partStride;
        same = same && (place < of.x * of.y ? found[i] == plainElement(job, i / job.partStride, place)
                                            : bitsOf(found[i]) == 0x01010101U * kPoison);
    }
    return same;
}

constexpr Shape kTrainingShapes[] = {{1, 1}, {1, 5}, {7, 1}, {130, 70}, {513, 3}, {1030, 20}};

void lossesAndGradients(Device& device) {
    std::mutex inUse;
    for (const Shape& shape : kTrainingShapes) {
        const Matrix set = gaussian(shape.rows, shape.dim, 1);
        const std::vector<std::uint8_t> held = everyFifth(shape.rows);
        const OneClassRows rows{set.view(), held, 0.01};
        const std::vector<float> weights = weightsFor(shape.dim);
        const auto descent = descentOnDevice(device, inUse, rows);
        CHECK(descent != nullptr);
        const OneClassLosses losses = descent->compute(weights, {});
        const PlainDescent plain = plainDescent(rows, weights);
        const std::string about = shapeText(set.view());
        CHECK_ABOUT(std::abs(losses.training / plain.losses.training - 1.0) < 1e-5, about);
        CHECK_ABOUT(shape.rows < 3 ? std::isnan(losses.validation)
                                   : std::abs(losses.validation / plain.losses.validation - 1.0) < 1e-5,
                    about);
        double largest = 0.0;
        double off = 0.0;
        for (std::size_t w = 0; w < weights.size(); ++w) {
            largest = std::max(largest, std::abs(plain.gradient[w]));
            off = std::max(off, std::abs(static_cast<double>(descent->gradient()[w]) - plain.gradient[w]));
        }
        CHECK_ABOUT(off <= 1e-5 * largest, about + ": " + std::to_string(off / largest * 1e6) + "e-6");
        const std::vector<float> before(descent->gradient().begin(), descent->gradient().end());
        descent->compute(weights, {}); // again: what is on the device is as it was
        CHECK_ABOUT(std::equal(before.begin(), before.end(), descent->gradient().begin()), about);
    }
}

} // namespace

void checkGram(Device& device) {
    gramOfWholeNumbers(device);
    gramIsDoublePrecision(device);
}

void checkProducts(Device& device) {
    for (const ProductCase& of : kProducts)
        for (const ProductForm& form : productForms())
            CHECK_ABOUT(isPlainProduct(device, of, form), std::to_string(of.x) + " x " + std::to_string(of.y) + " x " +
                                                              std::to_string(of.depth) + " in slices of " +
                                                              std::to_string(of.slice));
}

void checkOneClass(Device& device) {
    lossesAndGradients(device);
}

std::vector<std::uint8_t> everyFifth(std::size_t rows) {
    std::vector<std::uint8_t> flags(rows);
    for (std::size_t r = 0; r < rows; ++r)
        flags[r] = r % 5 == 2 ? 1 : 0;
    return flags;
}

/// Even in +-1/sqrt(fan-in), near enough.
std::vector<float> weightsFor(std::size_t dim) {
    std::vector<float> weights = scaled(gaussian(1, OneClassNetwork::weightCount(dim), 9), 0.04F).values;
    const float inputs = 8.0F / std::sqrt(static_cast<float>(dim));
    for (std::size_t w = 0; w < OneClassNetwork::kHidden * dim; ++w)
        weights[w] *= inputs;
    return weights;
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
