// Salvy et al. 2026: ClippedDensityCoverage and the older metrics in its faster code. Radii come from kneighbors;
// distances of pairs are exact and come from a ball tree. Balls are closed, except for clipped coverage.
#include "engine/compat/published_distances.h"

#include "engine/math/products/kernels.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/balls/ball_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace assay::compat {
namespace {

/// Reproduces a rounding effect of the tree search, which finds all pairs up to the largest radius by squared distance.
/// A pair at exactly that distance is lost if the square of the radius is below the squared distance.
void excludeLostBoundary(std::vector<double>& radius, const NeighborTable& own, const EmbeddingSet& of, std::size_t k) {
    const FitMethod method = fitMethod(k + 1, of);
    const MatrixView set = of.matrix();
    const double largest = *std::max_element(radius.begin(), radius.end());
    bool lost = false;
    for (std::size_t i = 0; i < own.rows() && !lost; ++i)
        if (neighborDistance(own.distanceAt(i, k - 1), method) == largest)
            lost = kernels().squaredDistance(set.rowData(i), set.rowData(own.indexAt(i, k - 1)), set.dim) >
                   largest * largest;
    if (lost)
        for (double& r : radius)
            r = std::min(r, std::nextafter(largest, 0.0));
}

double meanShare(const std::vector<std::uint32_t>& counts, std::size_t k) {
    std::vector<double> shares(counts.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = std::min(static_cast<double>(counts[i]) / static_cast<double>(k), 1.0);
    return pairwiseSum(shares) / static_cast<double>(shares.size());
}

/// The program reads only the K nearest neighbours of every real sample, so some are left out if more lie at the same
/// distance. Here those with higher rows are left out.
double realFidelity(const CompatInputs& in, const std::vector<double>& clipped) {
    const NeighborTable& table = in.real.neighbors;
    const FitMethod method = fitMethod(in.real.k + 1, *in.real.set);
    std::vector<std::uint32_t> holding(table.rows(), 0);
    for (std::size_t i = 0; i < holding.size(); ++i)
        for (std::size_t rank = 0; rank < in.real.k; ++rank)
            if (neighborDistance(table.distanceAt(i, rank), method) <= clipped[i])
                ++holding[table.indexAt(i, rank)];
    return meanShare(holding, in.real.k);
}

/// Per real sample: how many of its K nearest synthetic samples are strictly nearer than its radius.
std::vector<std::uint32_t> strictlyInside(const CompatInputs& in, const std::vector<double>& radius) {
    const NeighborTable& table = in.model.tables->real.nearest;
    const FitMethod method = fitMethod(in.real.k, *in.model.set);
    std::vector<std::uint32_t> inside(radius.size(), 0);
    for (std::size_t i = 0; i < radius.size(); ++i)
        for (std::size_t rank = 0; rank < in.real.k; ++rank)
            inside[i] += neighborDistance(table.distanceAt(i, rank), method) < radius[i] ? 1 : 0;
    return inside;
}

/// Share of rows with at least 3 samples of the other set within the distance to the 9th nearest neighbour in the own
/// set, where the row itself is the first; empty if too few neighbours are stored.
std::optional<double> coverOf(const NeighborTable& own, const NeighborTable& other, const EmbeddingSet& of) {
    constexpr std::size_t kOwn = 8; // the ninth, themselves being the first
    constexpr std::size_t kOther = 3;
    if (own.k < kOwn || other.k < kOther)
        return std::nullopt;
    const FitMethod method = fitMethod(kOwn + 1, of);
    std::size_t covered = 0;
    for (std::size_t row = 0; row < own.rows(); ++row)
        covered += other.distanceAt(row, kOther - 1) <= neighborDistance(own.distanceAt(row, kOwn - 1), method) ? 1 : 0;
    return static_cast<double>(covered) / static_cast<double>(own.rows());
}

void addIfKnown(std::vector<CompatValue>& values, const char* name, std::optional<double> value) {
    if (value)
        values.push_back({name, {*value}});
}

} // namespace

std::vector<CompatValue> salvy(const CompatInputs& in) {
    const std::size_t k = in.real.k;
    const PairTables& tables = *in.model.tables;
    const std::vector<double> radius = neighborDistances(in.real.radius, fitMethod(k + 1, *in.real.set));
    const double middle = median(radius);
    std::vector<double> clipped = radius;
    for (double& r : clipped)
        r = std::min(r, middle);

    std::vector<double> realBalls = radius;
    std::vector<double> clippedBalls = clipped;
    std::vector<double> syntheticBalls = neighborDistances(tables.syntheticRadius, fitMethod(k + 1, *in.model.set));
    excludeLostBoundary(realBalls, in.real.neighbors, *in.real.set, k);
    excludeLostBoundary(clippedBalls, in.real.neighbors, *in.real.set, k);
    excludeLostBoundary(syntheticBalls, tables.syntheticToSynthetic, *in.model.set, k);
    const PassResult counted = countBalls(in, realBalls, clippedBalls, syntheticBalls);

    const double precision = shareHeld(counted.b.holding);
    const double recall = shareHeld(counted.a.holding);
    const double coverage = shareHeld(counted.a.inside);
    const double density =
        total(counted.b.holding) / static_cast<double>(counted.b.holding.size()) / static_cast<double>(k);
    const double ratio = meanShare(counted.b.innerHolding, k) / realFidelity(in, clipped);
    const std::vector<std::uint32_t> inside = strictlyInside(in, radius);
    // Where the coverage is a value of f itself, the program's rounding decides whether that value is below it, not
    // alike in all versions of NumPy: here it is not.
    const std::size_t below = metrics::coveragesBelow(std::accumulate(inside.begin(), inside.end(), std::uint64_t{0}),
                                                      radius.size(), tables.syntheticRadius.size(), k);
    std::vector<CompatValue> values{
        {"Precision", {precision}},
        {"Recall", {recall}},
        {"Density", {density}},
        {"Coverage", {coverage}},
        {"symRecall", {std::min(recall, coverage)}},
        {"symPrecision", {std::min(precision, shareHeld(counted.b.inside))}},
        {"ClippedDensity", {std::min(ratio, 1.0)}},
        {"ClippedDensity_can_exceed_one", {ratio}},
        {"ClippedCoverage", {static_cast<double>(below) / static_cast<double>(tables.syntheticRadius.size() + 1)}},
        {"ClippedCoverage_without_g", {meanShare(inside, k)}}};
    addIfKnown(values, "PrecisionCover", coverOf(tables.syntheticToSynthetic, tables.synthetic.nearest, *in.model.set));
    addIfKnown(values, "RecallCover", coverOf(in.real.neighbors, tables.real.nearest, *in.real.set));
    for (const auto& [name, id] : {std::pair("P-precision", "p_precision"), std::pair("P-recall", "p_recall")})
        if (in.model.hasMetric(id))
            values.push_back({name, {in.model.metric(id)}});
    return values;
}

} // namespace assay::compat
