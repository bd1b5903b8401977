#include "engine/metrics/verdicts/verdicts.h"

#include "engine/math/statistics/conformal.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/verdicts/copy_ratio.h"
#include "engine/metrics/verdicts/density_ratio.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace assay {
namespace {

/// Results of one test.
struct TestScores {
    std::vector<double> p;
    std::vector<double> goodP; ///< p-values of the calibration samples among themselves
};

/// Takes the p-values of `counted` where it has any. They are no smaller than conformal ones can be: 1 / (1 + number of
/// calibration values).
void takeCounted(std::vector<double>& p, std::span<const double> counted, std::size_t calibration) {
    for (std::size_t i = 0; i < counted.size(); ++i)
        if (!std::isnan(counted[i]))
            p[i] = std::max(counted[i], 1.0 / (1.0 + static_cast<double>(calibration)));
}

TestScores test(std::span<const double> values, const std::vector<double>& calibration, Extreme end) {
    TestScores scores{conformalPValues(values, calibration, end), conformalPValues(calibration, calibration, end)};
    const auto all = static_cast<double>(calibration.size());
    for (double& p : scores.goodP) // each counts itself, once
        p = std::min(1.0, (p * (1.0 + all) - 1.0) / all);
    return scores;
}

/// Per value: 0 at the (upper) median calibration value, 1 at the most extreme one. An infinite median or extreme value
/// is replaced by the nearest finite calibration value, so that samples beyond it can still be compared. NaN without
/// calibration values.
std::vector<double> margins(std::vector<double> values, std::vector<double> calibration, Extreme end) {
    std::erase_if(calibration, [](double value) { return std::isnan(value); });
    if (calibration.empty())
        return std::vector<double>(values.size(), kNaN);
    const double sign = end == Extreme::High ? 1.0 : -1.0;
    for (std::vector<double>* scores : {&values, &calibration})
        for (double& score : *scores)
            score *= sign;
    const double extreme = *std::ranges::max_element(calibration);
    double centre = orderStatistic(std::span(calibration), calibration.size() / 2);
    double edge = extreme;
    std::erase_if(calibration, [](double value) { return std::isinf(value); });
    if (!calibration.empty()) {
        const auto [low, high] = std::ranges::minmax_element(calibration);
        centre = std::clamp(centre, *low, *high);
        edge = *high;
    }
    const double reach = edge > centre ? edge - centre : 0.0;
    return metrics::mapped(std::move(values), [=](double value) {
        if (value == extreme || value == centre)
            return value == extreme ? 1.0 : 0.0;
        return (value - centre) / reach; // x / 0 is infinite: as far as can be
    });
}

std::vector<double> logs(std::vector<double> values) {
    return metrics::mapped(std::move(values), [](double value) { return std::log(value); });
}

/// The statistics of some samples, which the three tests compare with those of good samples.
struct Statistics {
    std::vector<double> distance;     ///< to the k-th nearest real sample
    std::vector<double> densityRatio; ///< of the synthetic to the real set, in nats
    std::vector<double> copyRatio;
    std::vector<double> countedP; ///< equalRowPValues() of the synthetic to the real set
};

/// How one set of samples sees both sets.
struct Seen {
    const NeighborTable& toReal;
    const NeighborTable& toSynthetic;
    const EqualCounts& equal;
    std::size_t real;      ///< real samples without the sample itself
    std::size_t synthetic; ///< synthetic samples without the sample itself
};

Statistics statisticsOf(const MetricInputs& in, const Seen& seen, std::vector<double> copyRatio) {
    const std::size_t few = densityNeighbors(in.real.neighbors.rows(), in.pair.syntheticToSynthetic.rows());
    const std::vector<double> toReal = seen.toReal.distancesAt(few);
    const std::vector<double> toSynthetic = seen.toSynthetic.distancesAt(few);
    const SeenSet real{toReal, seen.equal.inReal, seen.real};
    const SeenSet synthetic{toSynthetic, seen.equal.inSynthetic, seen.synthetic};
    return {seen.toReal.distancesAt(in.k), logDensityRatios(real, synthetic, in.real.set->dim()), std::move(copyRatio),
            equalRowPValues(real, synthetic, kDensityNeighbors)};
}

/// Statistics of the samples that calibrate the tests.
Statistics goodStatistics(const MetricInputs& in, const HeldOutDistances* heldOut, const EqualRowCounts& equal) {
    const NeighborTable& real = in.real.neighbors;
    const std::size_t n = real.rows();
    const std::size_t m = in.pair.syntheticToSynthetic.rows();
    if (heldOut != nullptr)
        return statisticsOf(in, {heldOut->toReal, heldOut->toSynthetic, equal.ofHeldOut, n, m},
                            copyRatios(heldOut->toReal, real));
    return statisticsOf(in, {real, in.pair.realToSynthetic, equal.ofReal, n - 1, m}, copyRatiosWithin(real));
}

/// Whether a sample is rejected. The definition compares p with q rank / P; the tolerance keeps rounding errors from
/// changing the result.
bool rejected(double adjusted, double falseDiscoveryRate) {
    return adjusted <= falseDiscoveryRate * (1.0 + 1e-12);
}

double shareNotZero(std::span<const double> values) {
    const auto zeros = std::count(values.begin(), values.end(), 0.0);
    return 1.0 - static_cast<double>(zeros) / static_cast<double>(values.size());
}

} // namespace

std::size_t densityNeighbors(std::size_t realRows, std::size_t syntheticRows) noexcept {
    return std::min({kDensityNeighbors, realRows - 1, syntheticRows - 1});
}

double notAuthenticShare(const NeighborTable& real) {
    const std::vector<double> ratios = copyRatiosWithin(real);
    const auto copies = std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio <= 1.0; });
    return static_cast<double>(copies) / static_cast<double>(ratios.size());
}

bool needsEqualCounts(const MetricInputs& in, const HeldOutDistances* heldOut) {
    const std::size_t few = densityNeighbors(in.real.neighbors.rows(), in.pair.syntheticToSynthetic.rows());
    return hasZeroDistance(in.pair.syntheticToSynthetic, few) ||
           hasZeroDistance(heldOut != nullptr ? heldOut->toSynthetic : in.pair.realToSynthetic, few) ||
           hasZeroDistance(in.real.neighbors, in.k);
}

VerdictScores judgeSynthetic(const MetricInputs& in, const HeldOutDistances* heldOut, const EqualRowCounts& equal,
                             double falseDiscoveryRate) {
    const NeighborTable& toReal = in.pair.syntheticToReal;
    const NeighborTable& own = in.pair.syntheticToSynthetic;
    const std::size_t m = own.rows();
    Statistics given = statisticsOf(in, {toReal, own, equal.ofSynthetic, in.real.neighbors.rows(), m - 1},
                                    copyRatios(toReal, in.real.neighbors));
    Statistics good = goodStatistics(in, heldOut, equal);
    TestScores unrealistic = test(given.distance, good.distance, Extreme::High);
    TestScores overRepresented = test(given.densityRatio, good.densityRatio, Extreme::High);
    takeCounted(overRepresented.p, given.countedP, good.densityRatio.size());
    takeCounted(overRepresented.goodP, good.countedP, good.densityRatio.size());
    TestScores copy = test(given.copyRatio, good.copyRatio, Extreme::Low);
    // By logarithms, so that a margin means the same at either end.
    const std::vector<double> far = margins(logs(given.distance), logs(good.distance), Extreme::High);
    const std::vector<double> dense = margins(given.densityRatio, good.densityRatio, Extreme::High);
    const std::vector<double> near = margins(logs(given.copyRatio), logs(good.copyRatio), Extreme::Low);

    // The strongest evidence names what is wrong; of equal evidence what is worst to ship.
    struct Test {
        const std::vector<double>& p;
        const std::vector<double>& margin;
        Verdict verdict;
    };
    const std::array<Test, 3> tests{{{copy.p, near, Verdict::Copy},
                                     {overRepresented.p, dense, Verdict::OverRepresented},
                                     {unrealistic.p, far, Verdict::Unrealistic}}};
    VerdictScores scores;
    scores.pAny.resize(m);
    scores.sidakP.resize(m);
    scores.evidence.resize(m);
    std::vector<Verdict> suspicion(m);
    for (std::size_t j = 0; j < m; ++j) {
        const Test& strongest = *std::ranges::min_element(tests, {}, [j](const Test& test) { return test.p[j]; });
        const double least = strongest.p[j];
        scores.pAny[j] = std::min(1.0, static_cast<double>(tests.size()) * least);
        scores.sidakP[j] = sidak(least, tests.size());
        scores.evidence[j] = strongest.margin[j];
        suspicion[j] = strongest.verdict;
    }
    scores.qAny = benjaminiHochberg(scores.pAny);
    scores.verdict.resize(m);
    for (std::size_t j = 0; j < m; ++j)
        scores.verdict[j] =
            static_cast<double>(rejected(scores.qAny[j], falseDiscoveryRate) ? suspicion[j] : Verdict::Good);
    std::vector<double> goodP(good.copyRatio.size());
    for (std::size_t i = 0; i < goodP.size(); ++i)
        goodP[i] = std::min(1.0, static_cast<double>(tests.size()) *
                                     std::min({unrealistic.goodP[i], overRepresented.goodP[i], copy.goodP[i]}));
    scores.good = {{"p_unrealistic", std::move(unrealistic.goodP)},
                   {"p_over_represented", std::move(overRepresented.goodP)},
                   {"p_copy", std::move(copy.goodP)},
                   {"p_any", std::move(goodP)},
                   {"log_density_ratio", std::move(good.densityRatio)},
                   {"copy_ratio", std::move(good.copyRatio)}};
    scores.logDensityRatio = std::move(given.densityRatio);
    scores.copyRatio = std::move(given.copyRatio);
    scores.pUnrealistic = std::move(unrealistic.p);
    scores.pOverRepresented = std::move(overRepresented.p);
    scores.pCopy = std::move(copy.p);
    return scores;
}

CoverageVerdicts judgeReal(const MetricInputs& in, std::vector<double> calibration, const EqualCounts& equal,
                           double falseDiscoveryRate) {
    CoverageVerdicts scores;
    const std::vector<double> toReal = in.real.neighbors.distancesAt(in.k);
    const std::vector<double> toSynthetic = in.pair.realToSynthetic.distancesAt(in.k);
    const SeenSet synthetic{toSynthetic, equal.inSynthetic, in.pair.syntheticToSynthetic.rows()};
    const SeenSet real{toReal, equal.inReal, in.real.neighbors.rows() - 1};
    const std::size_t calibrated = calibration.size();
    scores.coverageRatio = logDensityRatios(synthetic, real, in.real.set->dim());
    scores.pUncovered = conformalPValues(scores.coverageRatio, std::move(calibration), Extreme::High);
    takeCounted(scores.pUncovered, equalRowPValues(synthetic, real, kMissedRows), calibrated);
    scores.qUncovered = benjaminiHochberg(scores.pUncovered);
    scores.coverageVerdict = metrics::mapped(scores.qUncovered, [&](double q) {
        return static_cast<double>(rejected(q, falseDiscoveryRate) ? CoverageVerdict::Missed
                                                                   : CoverageVerdict::Covered);
    });
    return scores;
}

namespace metrics {

std::vector<double> isRejected(const MetricInputs& in) {
    return isNotZero(in.get<VerdictScores>().verdict);
}
std::vector<double> isMissed(const MetricInputs& in) {
    return isNotZero(in.get<CoverageVerdicts>().coverageVerdict);
}

double verdictRejected(const MetricInputs& in) {
    return shareNotZero(in.get<VerdictScores>().verdict);
}
double coverageMissed(const MetricInputs& in) {
    return shareNotZero(in.get<CoverageVerdicts>().coverageVerdict);
}
double estimatedBad(const MetricInputs& in) {
    return shareNotUniform(in.get<VerdictScores>().sidakP);
}

} // namespace metrics
} // namespace assay
