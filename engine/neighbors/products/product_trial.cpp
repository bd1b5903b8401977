#include "engine/neighbors/products/product_trial.h"

#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/tile_product.h"

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

/// Whether neighbours are hardly nearer than other rows, as among independent coordinates: no few directions hold most
/// of the variance then, and looking for them is in vain.
bool looksEven(const ProductTrial& trial) {
    constexpr double kEven = 0.7;
    double usual = 0.0; // squared distance: twice the mean squared distance from the centre
    double nearest = 0.0;
    for (std::size_t q = 0; q < trial.queries.size(); ++q) {
        usual += 2.0 * static_cast<double>(trial.side.queryOperand->tileRow(trial.queries[q]).term);
        nearest += static_cast<double>(trial.limits[q]);
    }
    return nearest > kEven * usual;
}

/// Seconds that one product of a row with another one anywhere in a tile takes.
double secondsPerSingleProduct(const ProductOperand& operand) {
    constexpr std::size_t kRows = 384;
    constexpr std::size_t kAtOnce = 16;
    const std::size_t rows = std::min(kRows, operand.rows());
    std::vector<std::uint32_t> columns(kAtOnce);
    std::vector<std::int32_t> products(kAtOnce);
    double least = 0.0;
    for (int round = 0; round < 3; ++round) {
        const double seconds = secondsOf([&] {
            for (std::size_t r = 0; r < rows; ++r) {
                for (std::size_t c = 0; c < kAtOnce; ++c) // scattered, ascending
                    columns[c] = static_cast<std::uint32_t>((c * rows + (r * 7) % rows) / kAtOnce);
                tileKernels().integerProducts(operand.integerRow(r), operand.integerRows(0), columns, products.data());
            }
        });
        least = round == 0 ? seconds : std::min(least, seconds);
    }
    return least / static_cast<double>(rows * kAtOnce);
}

/// Seconds that measuring one row takes in a pass.
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

/// Seconds that one product of two rows takes in a tile of their own precision.
double secondsPerProduct(const ProductOperand& operand) {
    constexpr std::size_t kEdge = 128; // large enough for the rate, over in a fraction of a millisecond
    constexpr int kRounds = 3;         // the first one compiles the library's kernel
    const std::size_t rows = std::min(kEdge, operand.rows());
    TileProduct product;
    double least = 0.0;
    for (int round = 0; round < kRounds; ++round) {
        const double seconds = secondsOf([&] {
            product.multiply({&operand, {0, rows}}, {&operand, {0, rows}});
            if (operand.precision() == Precision::Integer)
                for (std::size_t r = 0; r < rows; ++r) // which may be made only now
                    product.integerRow(r);
        });
        least = round == 0 ? seconds : std::min(least, seconds);
    }
    return least / static_cast<double>(rows * rows);
}

/// Share of all pairs that a projection leaves to be multiplied out, when limits are as low as they will be.
double shareLeft(const SubspaceProjection& map, const ProductTrial& trial, const Frame& frame, const JobContext& job) {
    const SearchSide& side = trial.side;
    constexpr std::size_t kBaseRows = 512;
    const std::size_t queries = trial.queries.size();
    const std::size_t rows = std::min(kBaseRows, side.base.rows);
    if (queries == 0)
        return 0.0;
    const std::vector<float> queryRows = evenlySpaced(side.queries, queries);
    const std::vector<float> baseRows = evenlySpaced(side.base, rows);
    const ProjectedRows own = map.project({queryRows.data(), queries, side.queries.dim}, frame, 1, job);
    const ProjectedRows other = map.project({baseRows.data(), rows, side.base.dim}, frame, 1, job);
    const Shortcut shortcut{&own.operand, &other.operand, map.stretch(), own.slack + other.slack};
    TileProduct product;
    product.multiply({&own.operand, {0, queries}}, {&other.operand, {0, rows}});
    std::vector<float> estimates(rows);
    std::size_t left = 0;
    for (std::size_t q = 0; q < queries; ++q) {
        product.estimates(q, estimates.data());
        const PruningLimit limit = PruningLimit::of(shortcut.limitFor(trial.limits[q]), own.operand.bounds(q));
        for (std::size_t r = 0; r < rows; ++r)
            left += limit.admits(estimates[r], other.operand.bounds(r)) ? 1 : 0;
    }
    return static_cast<double>(left) / static_cast<double>(queries * rows);
}

/// Whether products of projected rows, and of the whole ones where these leave this share of pairs, take less time
/// than products of whole rows throughout.
bool projectionPays(double shareLeft, std::size_t projectedDims, const ProductOperand& integers) {
    // While limits are still falling about twice as many pairs are left; deciding on one of them costs half as much as
    // multiplying it out. It has to pay for the preparation, too.
    constexpr double kPerPairLeft = 3.0;
    constexpr double kWorthwhile = 0.6;
    const double all = secondsPerProduct(integers);
    const double near = all * static_cast<double>(projectedDims) / static_cast<double>(integers.dim());
    return near + kPerPairLeft * shareLeft * secondsPerSingleProduct(integers) < kWorthwhile * all;
}

} // namespace

ProductTrial tryProduct(const SearchSide& side, std::size_t k, const JobContext& job) {
    constexpr std::size_t kQueries = 32;
    constexpr std::size_t kRoomy = 4096; // the trial is to find out how long lists become
    const std::size_t queries = std::min(kQueries, side.queries.rows);
    ProductTrial trial{.side = side, .k = k};
    k = std::min(k, side.base.rows);
    if (queries == 0 || k == 0)
        return trial;
    const ProductOperand operand = side.queryOperand->sampled(queries);
    const std::vector<float> stored = evenlySpaced(side.queries, queries);
    const SearchSide sample{
        {stored.data(), queries, side.queries.dim}, side.base, &operand, side.baseOperand, side.scale};
    trial.queries = evenlySpacedRows(side.queries.rows, queries);
    PassSide querySide(sample, {sample.queries, k}, kRoomy);
    PassSide baseSide({side.base, sample.queries, side.baseOperand, &operand, side.scale}, {side.base}, 0);
    runTiles(querySide, baseSide, 1, job.part({}, 0.0, 1.0));
    for (std::size_t q = 0; q < queries; ++q) {
        trial.listed += static_cast<double>(querySide.lists.tighten(q));
        trial.measured += static_cast<double>(querySide.measurement.measure(q, job));
        trial.limits.push_back(querySide.lists.limit(q));
    }
    trial.listed /= static_cast<double>(queries);
    trial.measured /= static_cast<double>(queries);
    return trial;
}

bool integersPossible(std::size_t dim) {
    return ProductOperand::integersFit(dim) && integerProductsAreExact();
}

ProductOperand someInSinglePrecision(MatrixView set, const Frame& frame, const JobContext& job) {
    return ProductOperand::of(MatrixView{set.data, std::min<std::size_t>(set.rows, 128), set.dim}, frame,
                              Precision::Single, 1, job.part({}, 0.0, 0.0));
}

bool integersPay(const ProductTrial& trial, const ProductOperand& someSingle) {
    const auto k = static_cast<double>(trial.k);
    // Hardly more to measure than with floats: nothing to weigh, and no kernel to compile for the weighing.
    if (trial.measured <= 1.5 * k)
        return true;
    const double extra = std::max(0.0, trial.measured - k) * secondsPerMeasurement(trial.side.queries);
    const double products = static_cast<double>(trial.side.base.rows) / 2.0; // each serves a query of either side
    return secondsPerProduct(*trial.side.queryOperand) * products + extra < secondsPerProduct(someSingle) * products;
}

std::optional<SubspaceProjection> projectionThatPays(const ProductTrial& a, const ProductTrial& b, const Frame& frame,
                                                     const JobContext& job) {
    // One dimension more for what is left out makes whole vectors. More dimensions exclude little more.
    constexpr std::size_t kDims = 63;
    if (a.side.queries.dim < 4 * (kDims + 1))
        return std::nullopt;
    // A side that wants no neighbours may want balls of any size: nothing was tried that could tell.
    if (a.queries.empty() || b.queries.empty() || looksEven(a))
        return std::nullopt;
    const JobContext quiet = job.part({}, 0.0, 0.0);
    SubspaceProjection map = SubspaceProjection::of(a.side.queries, frame, kDims, quiet);
    const double shareA = shareLeft(map, a, frame, quiet);
    const double share = shareA + (&a == &b ? shareA : shareLeft(map, b, frame, quiet));
    if (!projectionPays(share, map.dims(), *a.side.queryOperand))
        return std::nullopt;
    return map;
}

std::size_t listCapacity(const ProductTrial& trial, std::size_t k, std::size_t queriesOfBothSides) {
    const auto wanted = k + static_cast<std::size_t>(2.0 * trial.listed);
    const std::size_t affordable = kListBytes / sizeof(Candidate) / std::max<std::size_t>(queriesOfBothSides, 1);
    return std::max(3 * k, std::min(wanted, affordable));
}

} // namespace assay
