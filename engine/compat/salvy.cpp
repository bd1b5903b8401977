// Salvy et al. 2026: ClippedDensityCoverage and the older metrics in its faster code. Radii come from kneighbors,
// distances of pairs exactly from a ball tree; balls are closed but for clipped coverage.
#include "engine/compat/published_distances.h"

#include "engine/knn/kernels.h"
#include "engine/metrics/families.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay::compat {
namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

/// The tree is asked for all pairs up to the largest radius, by squares: a pair at exactly that distance is lost where
/// the square of the root comes out below the squared distance.
void loseEdge(std::vector<double>& radius, const NeighborTable& own, MatrixView set, std::size_t k) {
    const double largest = *std::max_element(radius.begin(), radius.end());
    bool lost = false;
    for (std::size_t i = 0; i < own.rows() && !lost; ++i)
        if (neighborDistance(own.distanceAt(i, k - 1), set.dim) == largest)
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

/// Of every real sample only the K nearest are looked at, so of more at the same distance some are left out: here those
/// of higher rows.
double realFidelity(const CompatInputs& in, const std::vector<double>& clipped) {
    const NeighborTable& table = in.real.neighbors;
    const std::size_t dim = in.real.set->dim();
    std::vector<std::uint32_t> holding(table.rows(), 0);
    for (std::size_t i = 0; i < holding.size(); ++i)
        for (std::size_t rank = 0; rank < in.real.k; ++rank)
            if (neighborDistance(table.distanceAt(i, rank), dim) <= clipped[i])
                ++holding[table.indexAt(i, rank)];
    return meanShare(holding, in.real.k);
}

/// Mean share of the K nearest synthetic samples that are strictly nearer than the real sample's radius.
double strictCoverage(const CompatInputs& in, const std::vector<double>& radius) {
    const NeighborTable& table = in.model.tables.realToSynthetic;
    const std::size_t dim = in.real.set->dim();
    std::vector<std::uint32_t> inside(radius.size(), 0);
    for (std::size_t i = 0; i < radius.size(); ++i)
        for (std::size_t rank = 0; rank < in.real.k; ++rank)
            inside[i] += neighborDistance(table.distanceAt(i, rank), dim) < radius[i] ? 1 : 0;
    return meanShare(inside, in.real.k);
}

/// Share of rows with at least 3 samples of the other set within the distance to their 9th nearest of their own, which
/// counts themselves; nothing where fewer neighbours are stored.
std::optional<double> coverOf(const NeighborTable& own, const NeighborTable& other, std::size_t dim) {
    constexpr std::size_t kOwn = 8; // the ninth, themselves being the first
    constexpr std::size_t kOther = 3;
    if (own.k < kOwn || other.k < kOther)
        return std::nullopt;
    std::size_t covered = 0;
    for (std::size_t row = 0; row < own.rows(); ++row)
        covered += other.distanceAt(row, kOther - 1) <= neighborDistance(own.distanceAt(row, kOwn - 1), dim) ? 1 : 0;
    return static_cast<double>(covered) / static_cast<double>(own.rows());
}

void addIfKnown(std::vector<CompatValue>& values, const char* name, std::optional<double> value) {
    if (value)
        values.push_back({name, {*value}});
}

} // namespace

std::vector<CompatValue> salvy(const CompatInputs& in) {
    const std::size_t dim = in.real.set->dim();
    const std::size_t k = in.real.k;
    const PairTables& tables = in.model.tables;
    const std::vector<double> radius = neighborDistances(in.real.radius, dim);
    const double middle = median(radius);
    std::vector<double> clipped = radius;
    for (double& r : clipped)
        r = std::min(r, middle);

    std::vector<double> realBalls = radius;
    std::vector<double> clippedBalls = clipped;
    std::vector<double> syntheticBalls = neighborDistances(tables.syntheticRadius, dim);
    loseEdge(realBalls, in.real.neighbors, in.real.set->matrix(), k);
    loseEdge(clippedBalls, in.real.neighbors, in.real.set->matrix(), k);
    loseEdge(syntheticBalls, tables.syntheticToSynthetic, in.model.set->matrix(), k);
    const CrossResult counted = countBalls(in, realBalls, clippedBalls, syntheticBalls);

    const double precision = shareHeld(counted.ballsAHolding);
    const double recall = shareHeld(counted.ballsBHolding);
    const double coverage = shareHeld(counted.insideBallA);
    const double density =
        total(counted.ballsAHolding) / static_cast<double>(counted.ballsAHolding.size()) / static_cast<double>(k);
    const double ratio = meanShare(counted.innerBallsAHolding, k) / realFidelity(in, clipped);
    const double covered = strictCoverage(in, radius);
    const std::size_t below =
        metrics::coverageShortfallsAbove(1.0 - covered, radius.size(), tables.syntheticRadius.size(), k);
    std::vector<CompatValue> values{
        {"Precision", {precision}},
        {"Recall", {recall}},
        {"Density", {density}},
        {"Coverage", {coverage}},
        {"symRecall", {std::min(recall, coverage)}},
        {"symPrecision", {std::min(precision, shareHeld(counted.insideBallB))}},
        {"ClippedDensity", {std::min(ratio, 1.0)}},
        {"ClippedDensity_can_exceed_one", {ratio}},
        {"ClippedCoverage", {static_cast<double>(below) / static_cast<double>(tables.syntheticRadius.size() + 1)}},
        {"ClippedCoverage_without_g", {covered}}};
    addIfKnown(values, "PrecisionCover", coverOf(tables.syntheticToSynthetic, tables.syntheticToReal, dim));
    addIfKnown(values, "RecallCover", coverOf(in.real.neighbors, tables.realToSynthetic, dim));
    for (const auto& [name, id] : {std::pair("P-precision", "p_precision"), std::pair("P-recall", "p_recall")})
        if (in.model.hasMetric(id))
            values.push_back({name, {in.model.metric(id)}});
    return values;
}

} // namespace assay::compat
