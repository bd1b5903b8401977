#include "engine/metrics/verdicts/verdicts.h"

#include "engine/math/statistics/conformal.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/verdicts/copy_ratio.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace assay {
namespace {

std::vector<double> difference(std::vector<double> first, std::span<const double> second) {
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i] -= second[i];
    return first;
}

/// Entropy terms h of the k-th neighbour distances in a table whose base set has n rows.
std::vector<double> entropyOf(const NeighborTable& table, std::size_t n, std::size_t k, const MetricInputs& in) {
    return metrics::entropyTerms(table.distancesAt(k), n, k, in.real.set->dim());
}

/// Results of one test.
struct TestScores {
    std::vector<double> p;
    std::vector<double> goodP; ///< p-values of the calibration samples among themselves
    std::vector<double>
        margin; ///< 0 at the (upper) median calibration value, 1 at the most extreme one; NaN if undefined
};

TestScores test(std::span<const double> values, std::vector<double> calibration, Extreme end) {
    TestScores scores{conformalPValues(values, calibration, end), conformalPValues(calibration, calibration, end),
                      std::vector<double>(values.size(), kNaN)};
    const auto all = static_cast<double>(calibration.size());
    for (double& p : scores.goodP) // each counts itself, once
        p = std::min(1.0, (p * (1.0 + all) - 1.0) / all);
    std::erase_if(calibration, [](double value) { return std::isnan(value); });
    if (calibration.empty())
        return scores;
    const double upperMedian = orderStatistic(std::span(calibration), calibration.size() / 2);
    const auto [low, high] = std::minmax_element(calibration.begin(), calibration.end());
    const double extreme = end == Extreme::High ? *high : *low;
    for (std::size_t j = 0; j < values.size(); ++j)
        scores.margin[j] = values[j] == extreme ? 1.0 : (values[j] - upperMedian) / (extreme - upperMedian);
    return scores;
}

std::vector<double> logs(std::vector<double> values) {
    return metrics::mapped(std::move(values), [](double value) { return std::log(value); });
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

VerdictScores judgeSynthetic(const MetricInputs& in, const HeldOutDistances* heldOut, double falseDiscoveryRate) {
    const NeighborTable& real = in.real.neighbors;
    const NeighborTable& toReal = in.pair.syntheticToReal;
    const NeighborTable& own = in.pair.syntheticToSynthetic;
    const std::size_t n = real.rows();
    const std::size_t m = own.rows();
    const std::size_t few = densityNeighbors(n, m);

    VerdictScores scores;
    scores.logDensityRatio = difference(entropyOf(toReal, n, few, in), entropyOf(own, m - 1, few, in));
    scores.copyRatio = copyRatios(toReal, real);
    std::vector<double> goodSurprise, goodDensityRatio, goodCopyRatio;
    if (heldOut != nullptr) {
        const auto& [heldOutToReal, heldOutToSynthetic] = *heldOut;
        goodSurprise = entropyOf(heldOutToReal, n, in.k, in);
        goodDensityRatio = difference(entropyOf(heldOutToReal, n, few, in), entropyOf(heldOutToSynthetic, m, few, in));
        goodCopyRatio = copyRatios(heldOutToReal, real);
    } else {
        goodSurprise = entropyOf(real, n - 1, in.k, in);
        goodDensityRatio = difference(entropyOf(real, n - 1, few, in), entropyOf(in.pair.realToSynthetic, m, few, in));
        goodCopyRatio = copyRatiosWithin(real);
    }
    // Ratios by their logarithms, so that a margin means the same at either end.
    TestScores unrealistic = test(entropyOf(toReal, n, in.k, in), std::move(goodSurprise), Extreme::High);
    TestScores overRepresented = test(scores.logDensityRatio, goodDensityRatio, Extreme::High);
    TestScores copy = test(logs(scores.copyRatio), logs(goodCopyRatio), Extreme::Low);

    // The strongest evidence names what is wrong; of equal evidence what is worst to ship.
    const std::array<std::pair<const TestScores*, Verdict>, 3> tests{
        {{&copy, Verdict::Copy}, {&overRepresented, Verdict::OverRepresented}, {&unrealistic, Verdict::Unrealistic}}};
    scores.pAny.resize(m);
    scores.sidakP.resize(m);
    scores.evidence.resize(m);
    std::vector<Verdict> suspicion(m);
    for (std::size_t j = 0; j < m; ++j) {
        const auto& [strongest, verdict] = *std::min_element(
            tests.begin(), tests.end(), [j](const auto& a, const auto& b) { return a.first->p[j] < b.first->p[j]; });
        const double least = strongest->p[j];
        scores.pAny[j] = std::min(1.0, static_cast<double>(tests.size()) * least);
        scores.sidakP[j] = sidak(least, tests.size());
        scores.evidence[j] = strongest->margin[j];
        suspicion[j] = verdict;
    }
    scores.qAny = benjaminiHochberg(scores.pAny);
    scores.verdict.resize(m);
    for (std::size_t j = 0; j < m; ++j)
        scores.verdict[j] =
            static_cast<double>(rejected(scores.qAny[j], falseDiscoveryRate) ? suspicion[j] : Verdict::Good);
    std::vector<double> goodP(goodCopyRatio.size());
    for (std::size_t i = 0; i < goodP.size(); ++i)
        goodP[i] = std::min(1.0, static_cast<double>(tests.size()) *
                                     std::min({unrealistic.goodP[i], overRepresented.goodP[i], copy.goodP[i]}));
    scores.good = {{"p_unrealistic", std::move(unrealistic.goodP)},
                   {"p_over_represented", std::move(overRepresented.goodP)},
                   {"p_copy", std::move(copy.goodP)},
                   {"p_any", std::move(goodP)},
                   {"log_density_ratio", std::move(goodDensityRatio)},
                   {"copy_ratio", std::move(goodCopyRatio)}};
    scores.pUnrealistic = std::move(unrealistic.p);
    scores.pOverRepresented = std::move(overRepresented.p);
    scores.pCopy = std::move(copy.p);
    return scores;
}

CoverageVerdicts judgeReal(const MetricInputs& in, std::vector<double> calibration, double falseDiscoveryRate) {
    CoverageVerdicts scores;
    const std::size_t n = in.real.neighbors.rows();
    const std::size_t m = in.pair.syntheticToSynthetic.rows();
    scores.coverageRatio =
        difference(entropyOf(in.pair.realToSynthetic, m, in.k, in), entropyOf(in.real.neighbors, n - 1, in.k, in));
    scores.pUncovered = conformalPValues(scores.coverageRatio, std::move(calibration), Extreme::High);
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
