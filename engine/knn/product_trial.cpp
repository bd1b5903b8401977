#include "engine/knn/product_trial.h"

#include "engine/knn/tile_pass.h"
#include "engine/knn/tile_product.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace assay {
namespace {

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

ProductTrial tryProduct(const SearchSide& side, std::size_t k, const JobContext& job) {
    constexpr std::size_t kQueries = 32;
    constexpr std::size_t kRoomy = 4096; // the trial is to find out how long lists become
    const std::size_t queries = std::min(kQueries, side.queries.rows);
    k = std::min(k, side.base.rows);
    if (queries == 0 || k == 0)
        return {};
    const ProductOperand operand = side.queryOperand->sampled(queries);
    std::vector<float> stored;
    stored.reserve(queries * side.queries.dim);
    for (std::size_t q = 0; q < queries; ++q) {
        const auto row = side.queries.row(q * side.queries.rows / queries);
        stored.insert(stored.end(), row.begin(), row.end());
    }
    const SearchSide sample{
        {stored.data(), queries, side.queries.dim}, side.base, &operand, side.baseOperand, side.scale};
    PassSide querySide(sample, k, kRoomy, BallSide{});
    PassSide baseSide({side.base, sample.queries, side.baseOperand, &operand, side.scale}, 0, 0, BallSide{});
    runTiles(querySide, baseSide, 1, job.part({}, 0.0, 1.0));
    double listed = 0.0;
    double measured = 0.0;
    for (std::size_t q = 0; q < queries; ++q)
        listed += static_cast<double>(querySide.lists.tighten(q));
    for (std::size_t q = 0; q < queries; ++q)
        measured += static_cast<double>(querySide.lists.settle(q, job));
    return {listed / static_cast<double>(queries), measured / static_cast<double>(queries)};
}

double secondsPerMeasurement(MatrixView set) {
    // Few rows and twice: a pass measures part by part, with each part in the cache.
    constexpr std::size_t kBytes = std::size_t{512} << 10;
    const std::size_t rows = std::clamp<std::size_t>(kBytes / sizeof(float) / set.dim, 2, 256);
    const std::size_t used = std::min(rows, set.rows);
    double sum = 0.0;
    const auto once = [&] {
        for (std::size_t r = 0; r < used; ++r)
            sum += directDistance(set, 0, set, r);
    };
    once();
    const double seconds = secondsOf(once);
    // Coming from a cache that is shared by all cores costs about as much again; the sum is used so that it is
    // computed.
    return sum < 0.0 ? 0.0 : 2.0 * seconds / static_cast<double>(used);
}

bool integersPossible(std::size_t dim) {
    return ProductOperand::integersFit(dim) && integerProductsAreExact();
}

ProductOperand someInSinglePrecision(MatrixView set, const Frame& frame, const JobContext& job) {
    return ProductOperand::of({set.data, std::min<std::size_t>(set.rows, 128), set.dim}, frame, Precision::Single, 1,
                              job.part({}, 0.0, 0.0));
}

bool integersPay(const ProductTrial& trial, std::size_t k, double pairs, MatrixView set, const ProductOperand& integers,
                 const ProductOperand& someSingle) {
    // Hardly more to measure than with floats: nothing to weigh, and no kernel to compile for the weighing.
    if (trial.measured <= 1.5 * static_cast<double>(k))
        return true;
    const double extra = std::max(0.0, trial.measured - static_cast<double>(k)) * secondsPerMeasurement(set);
    return secondsPerProduct(integers) * pairs + extra < secondsPerProduct(someSingle) * pairs;
}

double secondsPerProduct(const ProductOperand& operand) {
    constexpr std::size_t kEdge = 128; // large enough for the rate, over in a fraction of a millisecond
    constexpr int kRounds = 3;         // the first one compiles the library's kernel
    const std::size_t rows = std::min(kEdge, operand.rows());
    TileProduct product;
    double least = 0.0;
    for (int round = 0; round < kRounds; ++round) {
        const double seconds = secondsOf([&] { product.multiply(operand, {0, rows}, operand, {0, rows}); });
        least = round == 0 ? seconds : std::min(least, seconds);
    }
    return least / static_cast<double>(rows * rows);
}

std::size_t listCapacity(const ProductTrial& trial, std::size_t k, std::size_t queriesOfBothSides) {
    constexpr std::size_t kMemory = std::size_t{256} << 20;
    const auto wanted = k + static_cast<std::size_t>(2.0 * trial.listed);
    const std::size_t affordable = kMemory / sizeof(Candidate) / std::max<std::size_t>(queriesOfBothSides, 1);
    return std::max(3 * k, std::min(wanted, affordable));
}

} // namespace assay
