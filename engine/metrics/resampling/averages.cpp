#include "engine/metrics/resampling/averages.h"

#include "engine/metrics/balls/authenticity.h"
#include "engine/metrics/balls/classic.h"
#include "engine/metrics/balls/clipped.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace assay::averages {
namespace {

std::vector<double> above(std::span<const std::uint32_t> counts, std::size_t bound) {
    std::vector<double> flags(counts.size());
    for (std::size_t i = 0; i < flags.size(); ++i)
        flags[i] = counts[i] > bound ? 1.0 : 0.0;
    return flags;
}

std::vector<double> realFidelity(const MetricInputs& in) {
    std::vector<double> shares(in.real.clippedBallsHolding.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = static_cast<double>(std::min<std::size_t>(in.real.clippedBallsHolding[i], in.k)) /
                    static_cast<double>(in.k);
    return shares;
}

/// Entropy term of each real sample minus H(R).
std::vector<double> realEntropyTerms(const MetricInputs& in) {
    std::vector<double> terms =
        metrics::entropyTerms(in.real.radius, in.real.set->rows() - 1, in.k, in.real.set->dim());
    for (double& term : terms)
        term -= in.real.entropy;
    return terms;
}

/// Rarity of every synthetic sample; `none` for samples outside every ball.
std::vector<double> rarityTerms(const MetricInputs& in, double none) {
    std::vector<double> terms = metrics::rarityPerSample(in);
    for (double& term : terms)
        term = std::isnan(term) ? none : term;
    return terms;
}

/// `outside` for synthetic samples outside every ball, `inside` for the other ones.
std::vector<double> outsideOrInside(const MetricInputs& in, double outside, double inside) {
    std::vector<double> terms = metrics::rarityPerSample(in);
    for (double& term : terms)
        term = std::isnan(term) ? outside : inside;
    return terms;
}

template <Verdict which>
std::vector<double> judged(const MetricInputs& in) {
    std::vector<double> flags = in.get<VerdictScores>().verdict;
    for (double& flag : flags)
        flag = flag == static_cast<double>(which) ? 1.0 : 0.0;
    return flags;
}

std::vector<double> notZero(std::vector<double> values) {
    for (double& value : values)
        value = value != 0.0 ? 1.0 : 0.0;
    return values;
}

/// 1 for samples whose adjusted p-value is above 1/2, else 0; estimated_bad counts them.
std::vector<double> likelyGood(const MetricInputs& in) {
    std::vector<double> flags = in.get<VerdictScores>().sidakP;
    for (double& flag : flags)
        flag = flag > 0.5 ? 1.0 : 0.0;
    return flags;
}

constexpr Term kFidelity{Side::Synthetic, "fidelity"};
constexpr Term kClippedBallCount{Side::Synthetic, "clipped_ball_count"};
constexpr Term kBallCount{Side::Synthetic, "ball_count"};
constexpr Term kAuthentic{Side::Synthetic, "authentic"};
constexpr Term kPceTerm{Side::Synthetic, "pce"};
constexpr Term kReTerm{Side::Synthetic, "re"};
constexpr Term kInSomeBall{Side::Synthetic, "", [](const MetricInputs& in) { return above(in.pair.ballsHolding, 0); }};
constexpr Term kInManyBalls{Side::Synthetic, "",
                            [](const MetricInputs& in) { return above(in.pair.ballsHolding, in.k); }};
constexpr Term kInManyClippedBalls{Side::Synthetic, "",
                                   [](const MetricInputs& in) { return above(in.pair.clippedBallsHolding, in.k); }};
constexpr Term kBallHoldsReal{Side::Synthetic, "ball_holds_real"};

constexpr Term kRealFidelity{Side::Real, "", realFidelity};
constexpr Term kCoverageTerm{Side::Real, "coverage"};
constexpr Term kRceTerm{Side::Real, "rce"};
constexpr Term kRealEntropyTerm{Side::Real, "", realEntropyTerms};
constexpr Term kBallHoldsSynthetic{Side::Real, "", [](const MetricInputs& in) { return above(in.pair.insideBall, 0); }};
constexpr Term kInSyntheticBall{Side::Real, "",
                                [](const MetricInputs& in) { return above(in.pair.syntheticBallsHolding, 0); }};

constexpr Term kPPrecisionTerm{Side::Synthetic, "p_precision"};
constexpr Term kPRecallTerm{Side::Real, "p_recall"};
constexpr Term kPrecisionCovered{Side::Synthetic, "precision_covered"};
constexpr Term kRecallCovered{Side::Real, "recall_covered"};
constexpr Term kRarityOrNone{Side::Synthetic, "", [](const MetricInputs& in) { return rarityTerms(in, 0.0); }};
constexpr Term kHasRarity{Side::Synthetic, "", [](const MetricInputs& in) { return outsideOrInside(in, 0.0, 1.0); }};
constexpr Term kHasNoRarity{Side::Synthetic, "", [](const MetricInputs& in) { return outsideOrInside(in, 1.0, 0.0); }};

constexpr Term kRejectedTerm{Side::Synthetic, "",
                             [](const MetricInputs& in) { return notZero(in.get<VerdictScores>().verdict); }};
constexpr Term kUnrealisticTerm{Side::Synthetic, "", judged<Verdict::Unrealistic>};
constexpr Term kOverRepresentedTerm{Side::Synthetic, "", judged<Verdict::OverRepresented>};
constexpr Term kCopyTerm{Side::Synthetic, "", judged<Verdict::Copy>};
constexpr Term kLikelyGood{Side::Synthetic, "", likelyGood};
constexpr Term kMissedTerm{Side::Real, "",
                           [](const MetricInputs& in) { return notZero(in.get<CoverageVerdicts>().coverageVerdict); }};

/// Estimate of shareNotUniform(): twice the share of values above 1/2 is the share of good samples; the rest is bad.
Combine restIsBad(const MetricInputs& in, bool) {
    return [m = static_cast<double>(in.get<VerdictScores>().sidakP.size())](std::span<const double> means, double) {
        return std::max(0.0, 1.0 - 2.0 * means[0] - 2.0 / m);
    };
}

/// Mean over the samples that have a value: the mean over all samples, where missing values count 0, divided by the
/// share of samples with a value.
Combine meanOfThose(const MetricInputs&, bool) {
    return [](std::span<const double> means, double) { return means[0] / means[1]; };
}

Combine perNeighbor(const MetricInputs& in, bool) {
    return [k = static_cast<double>(in.k)](std::span<const double> means, double) { return means[0] / k; };
}

Combine smaller(const MetricInputs&, bool) {
    return [](std::span<const double> means, double) { return std::min(means[0], means[1]); };
}

/// Mean of the first term minus the real set's entropy, which is the mean of the second term over the real samples.
Combine lessEntropy(const MetricInputs&, bool) {
    return [](std::span<const double> means, double) { return means[0] - means[1]; };
}

Combine entropy(const MetricInputs& in, bool) {
    return [whole = in.real.entropy](std::span<const double> means, double) { return whole + means[0]; };
}

/// Mean fidelity divided by the real set's mean fidelity. The shift contains how the ratio, numerator included, varies
/// with the sampling of the real set. Without shifts the denominator is resampled as if its terms were independent.
Combine ratio(const MetricInputs& in, bool shifted) {
    return [shifted, whole = metrics::clippedDensityReal(in)](std::span<const double> means, double shift) {
        return shifted ? std::max(0.0, means[0] / whole + shift) : means[0] / means[1];
    };
}

Combine realMean(const MetricInputs& in, bool shifted) {
    return [shifted, whole = metrics::clippedDensityReal(in)](std::span<const double> means, double shift) {
        return shifted ? std::clamp(whole + shift, 0.0, 1.0) : means[0];
    };
}

/// Mean coverage. Every term depends on both sets; the shift contains how the mean varies with their sampling. Without
/// shifts the terms are resampled.
Combine coverageMean(const MetricInputs& in, bool shifted) {
    return [shifted, whole = metrics::clippedCoverageUnnormalized(in)](std::span<const double> means, double shift) {
        return shifted ? std::clamp(whole + shift, 0.0, 1.0) : means[0];
    };
}

Finish atMostOne(const MetricInputs&) {
    return [](double ratio) { return std::min(ratio, 1.0); };
}

/// Maps the raw statistic to clipped_coverage: the share of m whose expected coverage is smaller.
Finish calibrated(const MetricInputs& in) {
    const auto shortfall = std::make_shared<const std::vector<double>>(
        metrics::coverageShortfall(in.pair.insideBall.size(), in.pair.clippedBallsHolding.size(), in.k));
    return [shortfall](double coverage) {
        if (std::isnan(coverage))
            return coverage;
        const auto end = std::partition_point(shortfall->begin(), shortfall->end(),
                                              [missing = 1.0 - coverage](double value) { return value > missing; });
        return static_cast<double>(end - shortfall->begin()) / static_cast<double>(shortfall->size());
    };
}

} // namespace

const Average kClippedDensity{{&kFidelity, &kRealFidelity}, ratio, &HalfShifts::clippedDensity, atMostOne};
const Average kClippedDensityUnclipped{{&kFidelity, &kRealFidelity}, ratio, &HalfShifts::clippedDensity};
const Average kClippedDensityUnnormalized{{&kFidelity}};
const Average kClippedDensityReal{{&kRealFidelity}, realMean, &HalfShifts::realFidelity};
const Average kClippedCoverage{{&kCoverageTerm}, coverageMean, &HalfShifts::coverage, calibrated};
const Average kClippedCoverageUnnormalized{{&kCoverageTerm}, coverageMean, &HalfShifts::coverage};
const Average kDensityClippedRadii{{&kClippedBallCount}, perNeighbor};
const Average kOverOccurring{{&kInManyBalls}};
const Average kOverOccurringClippedRadii{{&kInManyClippedBalls}};
const Average kAuthenticity{{&kAuthentic}};
const Average kPce{{&kPceTerm, &kRealEntropyTerm}, lessEntropy};
const Average kRce{{&kRceTerm, &kRealEntropyTerm}, lessEntropy};
const Average kRe{{&kReTerm, &kRealEntropyTerm}, lessEntropy};
const Average kRealEntropy{{&kRealEntropyTerm}, entropy};
const Average kPrecision{{&kInSomeBall}};
const Average kRecall{{&kInSyntheticBall}};
const Average kDensity{{&kBallCount}, perNeighbor};
const Average kCoverage{{&kBallHoldsSynthetic}};
const Average kSymPrecision{{&kInSomeBall, &kBallHoldsReal}, smaller};
const Average kSymRecall{{&kInSyntheticBall, &kBallHoldsSynthetic}, smaller};
const Average kPPrecision{{&kPPrecisionTerm}};
const Average kPRecall{{&kPRecallTerm}};
const Average kPrecisionCover{{&kPrecisionCovered}};
const Average kRecallCover{{&kRecallCovered}};
const Average kRarity{{&kRarityOrNone, &kHasRarity}, meanOfThose};
const Average kRarityOutside{{&kHasNoRarity}};
const Average kVerdictRejected{{&kRejectedTerm}};
const Average kVerdictUnrealistic{{&kUnrealisticTerm}};
const Average kVerdictOverRepresented{{&kOverRepresentedTerm}};
const Average kVerdictCopy{{&kCopyTerm}};
const Average kEstimatedBad{{&kLikelyGood}, restIsBad};
const Average kCoverageMissed{{&kMissedTerm}};

} // namespace assay::averages
