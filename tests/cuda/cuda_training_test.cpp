// Products in single precision and one-class training, whose kernels and the code around them run on the host
// (simulated/, support/emulated_device.h), against plain sums.
#include "engine/cuda/cuda_device.h"
#include "engine/cuda/device_one_class.h"
#include "engine/cuda/device_piece.h"
#include "engine/job/error.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"
#include "tests/cuda/support/emulated_device.h"
#include "tests/cuda/support/plain_network.h"

#include <cmath>
#include <limits>
#include <string>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

using After = ProductJob::After;
using Rows = DenseVectors::Rows;

constexpr unsigned kPoison = 0xA5;

/// A matrix in device memory.
struct OnDevice {
    OnDevice(Device& device, const Matrix& matrix) : piece(device, matrix.values.size() * sizeof(float)) {
        device.upload(piece.base(), matrix.values.data(), matrix.values.size() * sizeof(float));
    }
    float* data() const { return reinterpret_cast<float*>(piece.base()); }
    DevicePiece piece;
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

/// Every layout of the factors; whole numbers, so that every order of summation gives the same.
void productsOfWholeNumbers(Device& device) {
    for (const ProductCase& of : kProducts)
        for (const Rows rowsX : {Rows::Vectors, Rows::Elements})
            for (const Rows rowsY : {Rows::Vectors, Rows::Elements})
                for (const After after : {After::Nothing, After::Rectify, After::PassWhereLive}) {
                    const auto stored = [&](Rows rows, std::size_t count, unsigned seed) {
                        return rows == Rows::Vectors ? wholeNumbers(count, of.depth, seed)
                                                     : wholeNumbers(of.depth, count, seed);
                    };
                    const Matrix x = stored(rowsX, of.x, 1);
                    const Matrix y = stored(rowsY, of.y, 2);
                    const Matrix live = wholeNumbers(of.x, of.y, 3);
                    const OnDevice xThere(device, x);
                    const OnDevice yThere(device, y);
                    const OnDevice liveThere(device, live);
                    ProductJob job;
                    job.x = {xThere.data(), static_cast<std::uint32_t>(of.x), static_cast<std::uint32_t>(x.dim), rowsX};
                    job.y = {yThere.data(), static_cast<std::uint32_t>(of.y), static_cast<std::uint32_t>(y.dim), rowsY};
                    job.depth = static_cast<std::uint32_t>(of.depth);
                    job.slice = static_cast<std::uint32_t>(of.slice);
                    job.after = after;
                    job.live = liveThere.data();
                    job.partStride = of.x * of.y + 5;
                    const DevicePiece product(device, job.parts() * job.partStride * sizeof(float));
                    job.product = reinterpret_cast<float*>(product.base());
                    device.fill(job.product, kPoison, job.parts() * job.partStride * sizeof(float));
                    device.multiply(job);
                    std::vector<float> found(job.parts() * job.partStride);
                    device.download(found.data(), product.base(), found.size() * sizeof(float));
                    ProductJob host = job;
                    host.x.data = x.values.data();
                    host.y.data = y.values.data();
                    host.live = live.values.data();
                    const std::size_t slice = of.slice == 0 ? of.depth : of.slice;
                    bool same = true;
                    for (std::size_t i = 0; i < found.size(); ++i) {
                        const std::size_t part = i / job.partStride;
                        const std::size_t place = i % job.partStride;
                        if (place >= of.x * of.y) { // not the product's
                            same = same && bitsOf(found[i]) == 0x01010101U * kPoison;
                            continue;
                        }
                        float sum = 0.0F;
                        for (std::size_t k = part * slice; k < std::min(of.depth, (part + 1) * slice); ++k)
                            sum += host.x.at(static_cast<std::uint32_t>(place / of.y), static_cast<std::uint32_t>(k)) *
                                   host.y.at(static_cast<std::uint32_t>(place % of.y), static_cast<std::uint32_t>(k));
                        same = same && found[i] == afterProduct(host, place, sum);
                    }
                    CHECK_ABOUT(same, std::to_string(of.x) + " x " + std::to_string(of.y) + " x " +
                                          std::to_string(of.depth) + " in slices of " + std::to_string(of.slice));
                }
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

struct Shape {
    std::size_t rows, dim;
};
constexpr Shape kShapes[] = {{1, 1}, {1, 5}, {7, 1}, {130, 70}, {513, 3}, {1030, 20}};

void lossesAndGradients(Device& device) {
    std::mutex inUse;
    for (const Shape& shape : kShapes) {
        const Matrix set = gaussian(shape.rows, shape.dim, 1);
        const std::vector<std::uint8_t> held = everyFifth(shape.rows);
        const OneClassRows rows{set.view(), held, 0.01};
        const std::vector<float> weights = weightsFor(shape.dim);
        const auto descent = descentOnDevice(device, inUse, rows);
        CHECK(descent != nullptr);
        const OneClassLosses losses = descent->compute(weights, {});
        const PlainDescent plain = plainDescent(rows, weights);
        const std::string about = std::to_string(shape.rows) + " x " + std::to_string(shape.dim);
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

/// Loss and gradient after two steps along the gradient, in the order of OneClassDescent.
std::vector<float> afterTwoSteps(Device& device, const OneClassRows& rows) {
    std::mutex inUse;
    std::vector<float> weights = weightsFor(rows.set.dim);
    const auto descent = descentOnDevice(device, inUse, rows);
    CHECK(descent != nullptr);
    for (int step = 0; step < 2 && descent; ++step) {
        weights[0] = static_cast<float>(descent->compute(weights, {}).training);
        for (std::size_t w = 1; w < weights.size(); ++w)
            weights[w] -= 1e-4F * descent->gradient()[w];
    }
    return weights;
}

std::size_t leastMemory(const OneClassRows& rows) {
    std::mutex inUse;
    for (std::size_t bytes = 1 << 12;; bytes += bytes / 8) {
        EmulatedOptions options;
        options.memory = bytes;
        EmulatedDevice device(options);
        if (descentOnDevice(device, inUse, rows))
            return bytes;
    }
}

void trainingIsTheSameInAnyMemory() {
    const Matrix set = gaussian(2100, 3, 2);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    const OneClassRows rows{set.view(), held, 0.01};
    EmulatedDevice wide;
    const std::vector<float> expected = afterTwoSteps(wide, rows);
    CHECK(wide.loads == 1); // and stays there
    EmulatedOptions options;
    options.memory = leastMemory(rows);
    EmulatedDevice narrow(options);
    CHECK(afterTwoSteps(narrow, rows) == expected);
    CHECK(narrow.loads == 10); // five chunks, twice
    CHECK(narrow.largestUse <= options.memory);
    const simulated::Machine before = simulated::machine();
    for (const bool backwards : {false, true}) {
        simulated::machine().backwards = backwards;
        simulated::machine().memory = backwards ? options.memory : before.memory;
        const auto device = openCudaDevice(0, 1);
        CHECK(afterTwoSteps(*device, rows) == expected);
    }
    simulated::machine().backwards = false;
    simulated::machine().memory = before.memory;
}

void declinesWhatDoesNotFit() {
    std::mutex inUse;
    const Matrix set = gaussian(100, 10, 3);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    const auto device = openCudaDevice(0, 1);
    simulated::machine().largestAllocation = 1000;
    CHECK(descentOnDevice(*device, inUse, {set.view(), held, 0.01}) == nullptr);
    simulated::machine().largestAllocation = ~std::size_t{0};
}

/// Values that single precision cannot hold show in the loss.
void overflowIsSeen() {
    std::mutex inUse;
    Matrix set = gaussian(20, 4, 4);
    for (float& value : set.values)
        value *= 1e38F;
    const std::vector<std::uint8_t> held(set.rows, 0);
    const auto device = openCudaDevice(0, 1);
    const auto descent = descentOnDevice(*device, inUse, {set.view(), held, 0.01});
    CHECK(!std::isfinite(descent->compute(scaled({weightsFor(4), 1, 1}, 100.0F).values, {}).training));
}

void stopsBetweenChunks() {
    std::mutex inUse;
    const Matrix set = gaussian(3000, 2, 5);
    const std::vector<std::uint8_t> held = everyFifth(set.rows);
    EmulatedOptions options;
    options.memory = leastMemory({set.view(), held, 0.01});
    EmulatedDevice device(options);
    const auto descent = descentOnDevice(device, inUse, {set.view(), held, 0.01});
    std::stop_source source;
    double furthest = 0.0;
    const JobContext job(source.get_token(), [&](const Progress& progress) {
        furthest = progress.fraction;
        if (progress.fraction > 0.3)
            source.request_stop();
    });
    bool cancelled = false;
    try {
        descent->compute(weightsFor(2), job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    CHECK(cancelled);
    CHECK(furthest < 0.6);
}

} // namespace

int main() {
    EmulatedDevice emulated;
    run("products of whole numbers", [] { productsOfWholeNumbers(*openCudaDevice(0, 1)); });
    run("products of whole numbers, emulated", [&] { productsOfWholeNumbers(emulated); });
    run("losses and gradients", [] { lossesAndGradients(*openCudaDevice(0, 1)); });
    run("losses and gradients, emulated", [&] { lossesAndGradients(emulated); });
    run("training is the same in any memory", trainingIsTheSameInAnyMemory);
    run("declines what does not fit", declinesWhatDoesNotFit);
    run("overflow is seen", overflowIsSeen);
    run("stops between chunks", stopsBetweenChunks);
    CHECK(simulated::machine().handles.none());
    return verdict();
}
