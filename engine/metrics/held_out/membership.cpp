#include "engine/metrics/held_out/membership.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr double kLowShare = 0.05;

/// Place in ascending order of the smallest distance that more than 1 % of `rows` held-out samples reach.
constexpr std::size_t firstBeyond(std::size_t rows) {
    return rows / 100;
}

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> result(values.begin(), values.end());
    std::ranges::sort(result);
    return result;
}

/// Ratios of the nearest to the second nearest distance.
std::vector<double> ratiosOf(const NeighborTable& nearest) {
    std::vector<double> ratios(nearest.rows(), kNaN);
    if (nearest.k < 2)
        return {};
    for (std::size_t row = 0; row < ratios.size(); ++row) {
        const double second = nearest.distanceAt(row, 1);
        ratios[row] = second > 0.0 ? nearest.distanceAt(row, 0) / second : 0.0;
    }
    return ratios;
}

double quantileOrNone(std::vector<double> values, double share) {
    return values.empty() ? kNaN : quantile(std::span(values), share);
}

/// How often each of `rows` rows, or units, is drawn.
std::vector<double> drawn(std::size_t rows, std::uint64_t seed) {
    std::vector<double> counts(rows, 0.0);
    Random random(seed);
    for (std::size_t draw = 0; draw < rows; ++draw)
        ++counts[random.below(rows)];
    return counts;
}

/// Sums of the elements before each place: one more than `values`.
std::vector<double> sumsBefore(const std::vector<double>& values) {
    std::vector<double> sums(values.size() + 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[i + 1] = sums[i] + values[i];
    return sums;
}

/// Distances in ascending order, and the units that are drawn together.
struct DrawnDistances {
    std::vector<double> distance;
    std::vector<std::uint32_t> unit; ///< per distance; empty: each is drawn by itself
    std::size_t units = 0;

    DrawnDistances(std::span<const double> distances, std::span<const std::uint32_t> unitOf)
        : distance(sorted(distances)), units(distances.size()) {
        if (unitOf.empty())
            return;
        std::vector<std::uint32_t> order(distances.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return distances[row]; });
        unit.resize(order.size());
        std::ranges::transform(order, unit.begin(), [&](std::uint32_t row) { return unitOf[row]; });
        units = *std::ranges::max_element(unit) + std::size_t{1};
    }

    /// How often each distance is drawn.
    std::vector<double> draw(std::uint64_t seed) const {
        std::vector<double> counts = drawn(units, seed);
        if (unit.empty())
            return counts;
        std::vector<double> ofRows(unit.size());
        std::ranges::transform(unit, ofRows.begin(), [&](std::uint32_t one) { return counts[one]; });
        return ofRows;
    }
};

/// Both sets, and where each real distance lies among the held-out ones.
class SortedDistances {
public:
    SortedDistances(DrawnDistances real, DrawnDistances heldOut)
        : real_(std::move(real)), heldOut_(std::move(heldOut)) {
        for (const double distance : real_.distance) {
            const auto low = std::ranges::lower_bound(heldOut_.distance, distance);
            const auto high = std::ranges::upper_bound(heldOut_.distance, distance);
            nearer_.push_back(static_cast<std::size_t>(low - heldOut_.distance.begin()));
            notFarther_.push_back(static_cast<std::size_t>(high - heldOut_.distance.begin()));
        }
    }

    std::pair<double, double> resample(std::uint64_t seed, std::size_t index) const {
        const std::vector<double> realDraws = real_.draw(Random::forItem(streamSeed(seed, "members"), index).next());
        const std::vector<double> heldOutDraws =
            sumsBefore(heldOut_.draw(Random::forItem(streamSeed(seed, "others"), index).next()));
        const double all = heldOutDraws.back();
        double sum = 0.0;
        for (std::size_t i = 0; i < realDraws.size(); ++i)
            sum += realDraws[i] * (all - 0.5 * (heldOutDraws[nearer_[i]] + heldOutDraws[notFarther_[i]]));
        const auto beyond = static_cast<double>(firstBeyond(static_cast<std::size_t>(all)));
        // The first place up to which more than 1 % are drawn.
        const auto at = std::ranges::upper_bound(heldOutDraws, beyond) - heldOutDraws.begin() - 1;
        const double threshold = heldOut_.distance[static_cast<std::size_t>(at)];
        double below = 0.0;
        for (std::size_t i = 0; i < realDraws.size() && real_.distance[i] < threshold; ++i)
            below += realDraws[i];
        const double rows = std::accumulate(realDraws.begin(), realDraws.end(), 0.0);
        return {sum / (rows * all), below / rows};
    }

private:
    DrawnDistances real_;
    DrawnDistances heldOut_;
    std::vector<std::size_t> nearer_;     ///< per real distance: held-out ones below it
    std::vector<std::size_t> notFarther_; ///< per real distance: held-out ones up to it
};

} // namespace

RecordDistances recordDistances(const NeighborTable& nearest) {
    const std::vector<double> distances = nearest.distancesAt(1);
    const std::vector<double> ratios = ratiosOf(nearest);
    return {quantileOrNone(distances, kLowShare), quantileOrNone(distances, 0.5), quantileOrNone(ratios, kLowShare),
            quantileOrNone(ratios, 0.5)};
}

MembershipScores membershipScores(std::span<const double> real, std::vector<double> heldOut) {
    MembershipScores scores;
    const std::vector<double> others = sorted(heldOut);
    const auto all = static_cast<double>(others.size());
    scores.threshold = others[firstBeyond(others.size())];
    scores.rank.reserve(real.size());
    std::size_t picked = 0;
    double ties = 0.0;
    for (const double distance : real) {
        const auto low = std::ranges::lower_bound(others, distance);
        const auto high = std::upper_bound(low, others.end(), distance);
        scores.rank.push_back(static_cast<double>(others.end() - high) / all);
        ties += static_cast<double>(high - low) / all;
        picked += distance < scores.threshold ? 1 : 0;
    }
    scores.auc = metrics::meanOf(scores.rank) + 0.5 * ties / static_cast<double>(real.size());
    scores.tpr1 = static_cast<double>(picked) / static_cast<double>(real.size());
    scores.heldOutDistance = std::move(heldOut);
    return scores;
}

MembershipResamples resampleMembership(std::span<const double> real, const MembershipScores& scores,
                                       const Resampling& how, const JobContext& job) {
    const SortedDistances distances({real, scores.realUnit}, {scores.heldOutDistance, scores.heldOutUnit});
    MembershipResamples result{std::vector<double>(how.count), std::vector<double>(how.count)};
    parallelFor(how.count, how.threads, job, [&](std::size_t b, unsigned) {
        std::tie(result.auc[b], result.tpr1[b]) = distances.resample(how.seed, b);
    });
    return result;
}

namespace metrics {

double dcr5(const MetricInputs& in) {
    return quantileOrNone(in.pair.synthetic.nearest.distancesAt(1), kLowShare);
}
double dcrMedian(const MetricInputs& in) {
    return quantileOrNone(in.pair.synthetic.nearest.distancesAt(1), 0.5);
}
double nndr5(const MetricInputs& in) {
    return quantileOrNone(ratiosOf(in.pair.synthetic.nearest), kLowShare);
}
double nndrMedian(const MetricInputs& in) {
    return quantileOrNone(ratiosOf(in.pair.synthetic.nearest), 0.5);
}

} // namespace metrics

namespace {

constexpr std::size_t kMinHeldOut = 20;
constexpr std::size_t kAlarmsPerHeldOut = 100; ///< one false alarm per as many held-out samples
constexpr double kReportedP = 0.005;
constexpr double kReportedExcess = 0.01;
constexpr double kMarkingP = 0.001;
constexpr double kMarkingExcess = 0.05;

/// Share of the samples whose nearest neighbour is of their own set.
double shareNearerToOwn(std::span<const double> toOwn, std::span<const double> toOther) {
    std::size_t nearer = 0;
    for (std::size_t i = 0; i < toOwn.size(); ++i)
        nearer += toOwn[i] < toOther[i] ? 1 : 0;
    return static_cast<double>(nearer) / static_cast<double>(toOwn.size());
}

} // namespace

bool PickedOut::isReported() const noexcept {
    return p <= kReportedP && share() - falseAlarms() >= kReportedExcess;
}

bool PickedOut::marks() const noexcept {
    return p <= kMarkingP && share() - falseAlarms() >= kMarkingExcess;
}

std::optional<PickedOut> pickedOut(std::span<const double> real, std::span<const double> heldOut) {
    if (heldOut.size() < kMinHeldOut || real.empty())
        return std::nullopt;
    std::vector<double> others(heldOut.begin(), heldOut.end());
    const std::size_t rank = std::max<std::size_t>(1, others.size() / kAlarmsPerHeldOut);
    const auto at = others.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(others.begin(), at, others.end());
    PickedOut result{.real = real.size(), .heldOut = others.size(), .threshold = *at};
    const auto isPicked = [&](double distance) { return distance <= result.threshold; };
    result.picked = static_cast<std::size_t>(std::ranges::count_if(real, isPicked));
    result.alarms = static_cast<std::size_t>(std::ranges::count_if(others, isPicked));
    // Ties hide the order: all of them count as alarms, and the next held-out sample ends the real ones.
    if (result.alarms > rank || std::ranges::find(real, result.threshold) != real.end())
        ++result.alarms;
    if (result.alarms <= result.heldOut)
        result.p = exceedanceProbability(result.picked, result.real, result.alarms, result.heldOut);
    return result;
}

bool isNearerToHeldOut(std::span<const double> real, std::span<const double> heldOut) {
    constexpr double kLimit = 0.45;
    constexpr double kDeviations = 1.96;
    if (real.size() < 2 || heldOut.size() < 2)
        return false;
    std::vector<double> distances(real.begin(), real.end());
    distances.insert(distances.end(), heldOut.begin(), heldOut.end());
    std::vector<std::uint8_t> isHeldOut(distances.size(), 0);
    std::fill(isHeldOut.begin() + static_cast<std::ptrdiff_t>(real.size()), isHeldOut.end(), std::uint8_t{1});
    const RocArea ranked = rocArea(distances, isHeldOut);
    return ranked.area + kDeviations * std::sqrt(ranked.variance) < kLimit;
}

bool NearestNeighborAccuracy::isUnlike() const noexcept {
    constexpr double kMin = 0.55;
    constexpr double kDeviations = 2.6;
    return accuracy >= kMin && accuracy - kDeviations * deviation > 0.5;
}

NearestNeighborAccuracy heldOutAccuracy(const RealAndHeldOutDistances& distances) {
    if (distances.realToReal.empty() || distances.heldOutToReal.empty())
        return {};
    const double ofReal = shareNearerToOwn(distances.realToReal, distances.realToHeldOut);
    const double ofHeldOut = shareNearerToOwn(distances.heldOutToHeldOut, distances.heldOutToReal);
    const double variance = ofReal * (1.0 - ofReal) / static_cast<double>(distances.realToReal.size()) +
                            ofHeldOut * (1.0 - ofHeldOut) / static_cast<double>(distances.heldOutToReal.size());
    return {(ofReal + ofHeldOut) / 2.0, std::sqrt(variance) / 2.0};
}

} // namespace assay
