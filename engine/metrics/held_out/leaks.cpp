#include "engine/metrics/held_out/leaks.h"

#include "engine/math/statistics/rank_statistics.h"
#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace assay {
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
