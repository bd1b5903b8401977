#include "engine/metrics/resampling/averages.h"

#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/tables/row_functions.h"
#include "engine/metrics/utility/utility.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace assay {

std::optional<Bounds> exactShareBounds(std::span<const double> flags) {
    constexpr std::size_t kFew = 8;
    const auto ones = static_cast<std::size_t>(std::ranges::count(flags, 1.0));
    const auto zeros = static_cast<std::size_t>(std::ranges::count(flags, 0.0));
    if (flags.empty() || ones + zeros < flags.size() || std::min(ones, zeros) >= kFew)
        return std::nullopt;
    return clopperPearson(ones, flags.size());
}

namespace averages {
namespace {

using metrics::TrainedOn;

std::vector<double> realFidelity(const MetricInputs& in) {
    return metrics::realFidelity(in.real);
}

std::vector<double> realEntropyTerms(const MetricInputs& in) {
    return metrics::realEntropyTerms(in.real);
}

/// Rarity of each synthetic sample; 0 outside every ball.
std::vector<double> rarityOrZero(const MetricInputs& in) {
    return metrics::mapped(in.get<NearPairScores>().rarity,
                           [](double rarity) { return std::isnan(rarity) ? 0.0 : rarity; });
}

std::vector<double> hasRarity(const MetricInputs& in) {
    return metrics::mapped(metrics::isOutsideEveryBall(in), [](double outside) { return 1.0 - outside; });
}

/// 1 for samples whose p-value is above 1/2, else 0; estimated_bad counts them.
std::vector<double> likelyGood(const MetricInputs& in) {
    return metrics::mapped(in.get<VerdictScores>().pAny, [](double p) { return p > 0.5 ? 1.0 : 0.0; });
}

template <ColumnFunction values>
constexpr const Term* kSynthetic = &kTerm<Side::Synthetic, values>;
template <ColumnFunction values>
constexpr const Term* kReal = &kTerm<Side::Real, values>;

constexpr const Term* kFidelity = kSynthetic<metrics::fidelity>;
constexpr const Term* kRealFidelity = kReal<realFidelity>;
constexpr const Term* kCoverageTerm = kReal<metrics::coveragePerReal>;
constexpr const Term* kRealEntropyTerm = kReal<realEntropyTerms>;

/// Estimate of shareNotUniform(): twice the share of values above 1/2 is the share of good samples; the rest is bad.
Combine restIsBad(const MetricInputs& in) {
    return [m = static_cast<double>(in.get<VerdictScores>().pAny.size())](std::span<const double> means) {
        return std::max(0.0, 1.0 - 2.0 * means[0] - 2.0 / m);
    };
}

/// Share of rejected samples and the estimate of others, which is not resampled.
Combine addSubtle(const MetricInputs& in) {
    return [subtle = in.get<SetTests>().bad.subtle](std::span<const double> means) { return means[0] + subtle; };
}

/// Mean over the samples that have a value: the mean over all samples, where missing values count 0, divided by the
/// share of samples with a value.
Combine meanOfThose(const MetricInputs&) {
    return [](std::span<const double> means) { return means[0] / means[1]; };
}

Combine perNeighbor(const MetricInputs& in) {
    return [k = static_cast<double>(in.k)](std::span<const double> means) { return means[0] / k; };
}

Combine smaller(const MetricInputs&) {
    return [](std::span<const double> means) { return std::min(means[0], means[1]); };
}

/// Mean of the first term minus the real set's entropy, which is the mean of the second term over the real samples.
Combine lessEntropy(const MetricInputs&) {
    return [](std::span<const double> means) { return means[0] - means[1]; };
}

Combine entropy(const MetricInputs& in) {
    return [whole = in.real.entropy](std::span<const double> means) { return whole + means[0]; };
}

/// Mean fidelity divided by the real set's mean fidelity.
Combine ratio(const MetricInputs&) {
    return [](std::span<const double> means) { return means[0] / means[1]; };
}

template <std::vector<double> MembershipResamples::*values>
std::vector<double> membership(const MetricInputs& in, const Resampling& how) {
    return resampleMembership(in.pair.real.nearest.distancesAt(1), in.get<MembershipScores>(), how, in.job.silent()).*
           values;
}

template <TrainedOn set, std::vector<double> TestResamples::*values>
std::vector<double> utility(const MetricInputs& in, const Resampling& how) {
    return metrics::resampledUtility(in, how, set).*values;
}

template <TrainedOn set>
std::vector<double> utilityR2(const MetricInputs& in, const Resampling& how) {
    return metrics::resampledUtilityR2(in, how, set);
}

/// Bounds of the smaller of two shares where both are near an end.
template <ColumnFunction first, ColumnFunction second>
std::optional<Bounds> exactSmaller(const MetricInputs& in) {
    const std::optional<Bounds> a = exactShareBounds(first(in));
    const std::optional<Bounds> b = exactShareBounds(second(in));
    if (!a || !b)
        return std::nullopt;
    return Bounds{std::min(a->low, b->low), std::min(a->high, b->high)};
}

/// Density and its variant with clipped radii, counted by balls instead of by samples.
template <std::vector<std::uint32_t> SideResult::*Inside>
double samplesPerBall(const MetricInputs& in) {
    const std::vector<std::uint32_t>& inside = in.pair.real.*Inside;
    const double samples = static_cast<double>(in.pair.syntheticRadius.size());
    return metrics::meanOf(metrics::asNumbers(inside)) * static_cast<double>(inside.size()) /
           (samples * static_cast<double>(in.k));
}

Finish atMostOne(const MetricInputs&) {
    return [](double ratio) { return std::clamp(ratio, 0.0, 1.0); };
}

/// Maps the raw statistic to clipped_coverage: the share of m whose expected coverage is smaller.
Finish calibrated(const MetricInputs& in) {
    const auto shortfall = std::make_shared<const std::vector<double>>(
        metrics::coverageShortfall(in.pair.real.inside.size(), in.pair.synthetic.innerHolding.size(), in.k));
    return [shortfall](double coverage) {
        if (std::isnan(coverage))
            return coverage;
        const auto end = std::partition_point(shortfall->begin(), shortfall->end(),
                                              [missing = 1.0 - coverage](double value) { return value > missing; });
        return static_cast<double>(end - shortfall->begin()) / static_cast<double>(shortfall->size());
    };
}

} // namespace

const Average kClippedDensity{
    .terms = {kFidelity, kRealFidelity}, .combine = ratio, .finish = atMostOne, .raw = "clipped_density_unclipped"};
const Average kClippedDensityUnclipped{{kFidelity, kRealFidelity}, ratio};
const Average kClippedDensityReal{{kRealFidelity}};
const Average kClippedCoverage{.terms = {kCoverageTerm},
                               .finish = calibrated,
                               .raw = "clipped_coverage_unnormalized",
                               .exact = metrics::exactCoverageBounds};
const Average kClippedCoverageUnnormalized{.terms = {kCoverageTerm}, .exact = metrics::exactCoverageBounds};
const Average kDensityClippedRadii{.terms = {kSynthetic<memberOf<&PairTables::synthetic, &SideResult::innerHolding>>},
                                   .combine = perNeighbor,
                                   .replicate = samplesPerBall<&SideResult::insideInner>};
const Average kPce{{kSynthetic<metrics::pcePerSample>, kRealEntropyTerm}, lessEntropy};
const Average kRce{{kReal<metrics::rcePerSample>, kRealEntropyTerm}, lessEntropy};
const Average kRe{{kSynthetic<metrics::rePerSample>, kRealEntropyTerm}, lessEntropy};
const Average kRealEntropy{{kRealEntropyTerm}, entropy};
const Average kDensity{.terms = {kSynthetic<memberOf<&PairTables::synthetic, &SideResult::holding>>},
                       .combine = perNeighbor,
                       .replicate = samplesPerBall<&SideResult::inside>};
const Average kSymPrecision{
    .terms = {kSynthetic<isAboveZero<&PairTables::synthetic, &SideResult::holding>>,
              kSynthetic<metrics::ballHoldsReal>},
    .combine = smaller,
    .exact = exactSmaller<isAboveZero<&PairTables::synthetic, &SideResult::holding>, metrics::ballHoldsReal>};
const Average kSymRecall{.terms = {kReal<isAboveZero<&PairTables::real, &SideResult::holding>>,
                                   kReal<isAboveZero<&PairTables::real, &SideResult::inside>>},
                         .combine = smaller,
                         .exact = exactSmaller<isAboveZero<&PairTables::real, &SideResult::holding>,
                                               isAboveZero<&PairTables::real, &SideResult::inside>>};
const Average kRarity{{kSynthetic<rarityOrZero>, kSynthetic<hasRarity>}, meanOfThose};
const Average kEstimatedBad{{kSynthetic<likelyGood>}, restIsBad};
const Average kBadShare{{kSynthetic<metrics::isRejected>}, addSubtle};
const Average kMembershipAuc{.own = membership<&MembershipResamples::auc>};
const Average kMembershipTpr{.own = membership<&MembershipResamples::tpr1>};
const Average kUtilityAccuracy{.own = utility<TrainedOn::Synthetic, &TestResamples::accuracy>};
const Average kUtilityAuc{.own = utility<TrainedOn::Synthetic, &TestResamples::auc>};
const Average kUtilityR2{.own = utilityR2<TrainedOn::Synthetic>};
const Average kRealUtilityAccuracy{.own = utility<TrainedOn::Real, &TestResamples::accuracy>};
const Average kRealUtilityAuc{.own = utility<TrainedOn::Real, &TestResamples::auc>};
const Average kRealUtilityR2{.own = utilityR2<TrainedOn::Real>};

} // namespace averages
} // namespace assay
