#include "engine/metrics/set_tests/set_tests.h"

#include "engine/base/parallel.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/sample_units.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kLengthsAtOnce = 256;

/// Median of each feature.
std::vector<double> featureMedians(const ComparedRows& set, std::size_t rows, const ComputeContext& context) {
    constexpr std::size_t kFeaturesAtOnce = 16; // a line of memory of each row
    std::vector<double> medians(set.set.dim);
    parallelRanges(medians.size(), kFeaturesAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       constexpr std::size_t kMedianRowsBetweenChecks = 1 << 16;
                       std::vector<std::vector<float>> values(last - first, std::vector<float>(rows));
                       for (std::size_t r = 0; r < rows; ++r) {
                           if (r % kMedianRowsBetweenChecks == 0)
                               context.job.throwIfStopped();
                           const auto row = set.row(r).subspan(first, last - first);
                           for (std::size_t f = 0; f < row.size(); ++f)
                               values[f][r] = row[f];
                       }
                       for (std::size_t f = first; f < last; ++f) {
                           context.job.throwIfStopped();
                           medians[f] = quantile(std::span(values[f - first]), 0.5);
                       }
                   });
    return medians;
}

/// Lengths of rows about 0 and about the median of their set.
struct RowLengths {
    std::vector<double> whole;
    std::vector<double> aboutMedian;

    RowLengths(const ComparedRows& set, std::size_t rows, const ComputeContext& context)
        : whole(rows), aboutMedian(rows) {
        const std::vector<double> medians = featureMedians(set, rows, context);
        parallelRanges(rows, kLengthsAtOnce, context.threads, context.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           for (std::size_t r = first; r < last; ++r) {
                               const auto row = set.row(r);
                               for (std::size_t c = 0; c < row.size(); ++c) {
                                   const auto value = static_cast<double>(row[c]);
                                   whole[r] += value * value;
                                   aboutMedian[r] += (value - medians[c]) * (value - medians[c]);
                               }
                               whole[r] = std::sqrt(whole[r]);
                               aboutMedian[r] = std::sqrt(aboutMedian[r]);
                           }
                       });
    }

    bool areOne() const {
        constexpr double kRelativeDeviation = 1e-4;
        const auto count = static_cast<double>(whole.size());
        const double mean = std::accumulate(whole.begin(), whole.end(), 0.0) / count;
        double variance = 0.0;
        for (const double length : whole)
            variance += (length - mean) * (length - mean) / count;
        return std::sqrt(variance) < kRelativeDeviation * mean;
    }
};

std::optional<double> otherScale(std::vector<double> real, std::vector<double> synthetic) {
    constexpr double kFactor = 3.0;
    constexpr double kDeviations = 3.3;
    std::vector<double> lengths = real;
    lengths.insert(lengths.end(), synthetic.begin(), synthetic.end());
    std::vector<std::uint8_t> isSynthetic(lengths.size(), 0);
    std::fill(isSynthetic.begin() + static_cast<std::ptrdiff_t>(real.size()), isSynthetic.end(), std::uint8_t{1});
    const auto ratioAt = [&](double share) {
        const double ofReal = quantile(std::span(real), share);
        return ofReal > 0.0 ? quantile(std::span(synthetic), share) / ofReal : 0.0;
    };
    const double middle = ratioAt(0.5);
    const double outer = ratioAt(0.9); // heavy tails, and rows of zeros, move one of them alone
    const bool isLarger = std::min(middle, outer) > kFactor;
    const bool isSmaller = middle > 0.0 && std::max(middle, outer) < 1.0 / kFactor;
    if (!isLarger && !isSmaller)
        return std::nullopt;
    const RocArea roc = rocArea(lengths, isSynthetic);
    // Lengths that do not overlap have no variance by their placements, not even three of them: at least that of two
    // samples of one law.
    const auto n = static_cast<double>(real.size());
    const auto m = static_cast<double>(synthetic.size());
    const double variance = std::max(roc.variance, (n + m + 1.0) / (12.0 * n * m));
    return std::abs(roc.area - 0.5) > kDeviations * std::sqrt(variance) ? std::optional(middle) : std::nullopt;
}

} // namespace

ScaleTest testScale(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context) {
    const std::size_t dim = real.set.dim;
    RowLengths ofReal(real, featureRows(real.size(), dim), context);
    RowLengths ofSynthetic(synthetic, featureRows(synthetic.size(), dim), context);
    ScaleTest result;
    if (dim > 1 && ofReal.areOne() != ofSynthetic.areOne())
        result.unitLength = ofReal.areOne() ? Side::Real : Side::Synthetic;
    result.factor = otherScale(std::move(ofReal.aboutMedian), std::move(ofSynthetic.aboutMedian));
    return result;
}

double RowOrderTest::excess() const noexcept {
    return rows == 0 ? 0.0 : (static_cast<double>(beside) - static_cast<double>(apart)) / static_cast<double>(rows);
}

RowOrderTest testRowOrder(const NeighborTable& real) {
    constexpr std::size_t kBeside = 5;
    constexpr std::size_t kApart = 20; // as many rows beyond it
    constexpr double kSortedByClass = 0.65;
    RowOrderTest result{.rows = real.rows()};
    for (std::size_t row = 0; row < result.rows; ++row) {
        const std::size_t nearest = real.indexAt(row, 0);
        const std::size_t gap = std::max(row, nearest) - std::min(row, nearest);
        result.beside += gap <= kBeside ? 1 : 0;
        result.apart += gap > kApart && gap <= kApart + kBeside ? 1 : 0;
    }
    const std::size_t successes = result.beside / 2;
    const std::size_t trials = (result.beside + result.apart) / 2;
    result.pValue = atLeastSuccesses(static_cast<double>(successes), static_cast<double>(trials), kSortedByClass);
    return result;
}

namespace {

constexpr double kQuantile = 1.96;

/// Per-sample terms of the two scores.
struct Terms {
    std::vector<double> fidelity;
    std::vector<double> realFidelity;
    std::vector<double> coverage;
};

/// Terms of one real sample of each unit, from the neighbour lists.
Terms termsOfUnits(const MetricInputs& in, const RealPartition& partition) {
    const std::vector<double>& radius = partition.distances.kth;
    std::vector<double> radii;
    std::vector<bool> stands(partition.unit.size(), false);
    for (const std::uint32_t row : partition.rows) {
        radii.push_back(radius[row]);
        stands[row] = true;
    }
    const double limit = median(radii);
    const auto share = [&](std::size_t count) {
        return static_cast<double>(std::min(count, in.k)) / static_cast<double>(in.k);
    };
    Terms terms;
    const NeighborTable& toReal = in.pair.synthetic.nearest;
    for (std::size_t row = 0; row < toReal.rows(); ++row) {
        std::size_t holding = 0;
        for (std::size_t rank = 0; rank < toReal.k; ++rank)
            if (const std::uint32_t ball = toReal.indexAt(row, rank);
                stands[ball] && toReal.distanceAt(row, rank) <= std::min(radius[ball], limit))
                ++holding;
        terms.fidelity.push_back(share(holding));
    }
    for (const std::uint32_t row : partition.rows) {
        const NeighborTable& own = in.real.neighbors;
        std::size_t holding = 0;
        for (std::size_t rank = 0; rank < own.k; ++rank)
            if (const std::uint32_t ball = own.indexAt(row, rank);
                stands[ball] && partition.unit[ball] != partition.unit[row] &&
                own.distanceAt(row, rank) <= std::min(radius[ball], limit))
                ++holding;
        terms.realFidelity.push_back(share(holding));
        std::size_t inside = 0;
        while (inside < in.k && in.pair.real.nearest.distanceAt(row, inside) <= radius[row])
            ++inside;
        terms.coverage.push_back(share(inside));
    }
    return terms;
}

/// @param in whose real set has its partition. O((N + M) k)
UnitScores unitScores(const MetricInputs& in) {
    const RealPartition& partition = *in.real.partition;
    const Terms terms = partition.isTrivial()
                            ? Terms{metrics::fidelity(in), metrics::realFidelity(in.real), metrics::coveragePerReal(in)}
                            : termsOfUnits(in, partition);
    const auto n = static_cast<double>(terms.realFidelity.size());
    const auto m = static_cast<double>(terms.fidelity.size());
    const metrics::Moments synthetic = metrics::momentsOf(terms.fidelity);
    const metrics::Moments real = metrics::momentsOf(terms.realFidelity);
    const metrics::Moments coverage = metrics::momentsOf(terms.coverage);
    constexpr double kMin = 1e-12;
    UnitScores scores;
    const double ratio = synthetic.mean / std::max(real.mean, kMin);
    const double half = kQuantile * ratio *
                        std::hypot(synthetic.deviation / std::sqrt(m) / std::max(synthetic.mean, kMin),
                                   real.deviation / std::sqrt(n) / std::max(real.mean, kMin));
    scores.clippedDensity = {ratio, ratio - half, ratio + half};
    const auto calibrated = [&](double mean) {
        const double covered = std::clamp(mean, 0.0, 1.0) * static_cast<double>(in.k) * n;
        const auto below = metrics::coveragesBelow(static_cast<std::uint64_t>(std::llround(covered)),
                                                   terms.realFidelity.size(), terms.fidelity.size(), in.k);
        return static_cast<double>(below) / (m + 1.0);
    };
    const double around = kQuantile * coverage.deviation * std::sqrt(1.0 / n + 1.0 / m);
    scores.clippedCoverage = {calibrated(coverage.mean), calibrated(coverage.mean - around),
                              calibrated(coverage.mean + around)};
    return scores;
}

/// Beyond this share of missed real samples their regions and shares say nothing more.
constexpr double kHopeless = 0.9;

/// Whether something beside the p-values says that the model is not like the real set.
bool somethingDiffers(const SetTests& tests, const VerdictScores& verdicts, double rejected) {
    constexpr double kGood = 0.95;
    const FeatureTests& features = tests.features;
    return tests.toldApart.strongest() || !features.features.empty() || !features.pairs.empty() ||
           !features.lostCategories.empty() || !features.newCategories.empty() || !features.otherShares.empty() ||
           (verdicts.beyondAll && verdicts.beyondAll->excess > 0.5 * rejected) ||
           tests.scores.clippedDensity.high < kGood;
}

/// Estimated share of bad samples beyond those that are rejected, without what shares of classes or regions explain.
double subtleShare(const SetTestInputs& inputs, const SetTests& tests, double rejected, double missed) {
    const VerdictScores& verdicts = inputs.in.get<VerdictScores>();
    const bool classesDiffer = tests.classes && (tests.classes->tooManyMissing || !tests.classes->lost.empty() ||
                                                 !tests.classes->over.empty() || !tests.classes->under.empty());
    double explained = classesDiffer ? tests.classes->explainedSurplus : 0.0;
    if (!classesDiffer && missed < kHopeless)
        explained = std::max(explained, tests.regions.explainedSurplus());
    const double share = metrics::estimatedBad(inputs.in) - rejected - explained;
    const RealPartition& partition = *inputs.in.real.partition;
    const std::size_t realUnits = partition.byGroup ? partition.rows.size() : partition.unit.size();
    const double least =
        std::max(0.05, 2.5 * std::sqrt(1.0 / static_cast<double>(realUnits) +
                                       1.0 / static_cast<double>(inputs.units.count(inputs.synthetic.rows()))));
    return share >= least && somethingDiffers(tests, verdicts, rejected) ? share : 0.0;
}

} // namespace

ComparedRows comparedRows(const EmbeddingSet& real, const RealPartition& partition, const ComputeContext& context) {
    return inContentOrder(real.matrix(), partition.rows, context.seed, context.threads);
}

SetTests testSets(const SetTestInputs& inputs) {
    const MetricInputs& in = inputs.in;
    const ComputeContext whole{in.seed, in.threads, in.job, in.accelerator};
    const ComparedRows real = comparedRows(inputs.real, *in.real.partition, whole);
    const ComparedRows synthetic = inContentOrder(inputs.synthetic.matrix(), inputs.units.rows, in.seed, in.threads);
    SetTests tests;
    const bool byGroup = in.real.partition->byGroup || !inputs.units.rows.empty();
    if (byGroup && std::min(real.size(), synthetic.size()) < kFewestGroups) {
        tests.bad.rejected = metrics::verdictRejected(in);
        return tests;
    }
    tests.scale = testScale(real, synthetic, whole.part(0.0, 0.05));
    if (!in.real.partition->byGroup)
        tests.order = testRowOrder(in.real.neighbors);
    tests.features = testFeatures(real, synthetic, {inputs.real.preparation().get(), inputs.real.source().columnNames},
                                  whole.part(0.05, 0.4));
    if (inputs.units.areKnown) // else samples of one group may be in both folds
        tests.toldApart = toldApart(real, synthetic, whole.part(0.4, 0.8));
    if (inputs.real.hasLabels() && inputs.synthetic.hasLabels()) {
        tests.labels = commonLabels({&inputs.real, &inputs.synthetic});
        const LabelledRows ofReal = labelledRows(real, tests.labels, 0);
        const LabelledRows ofSynthetic = labelledRows(synthetic, tests.labels, 1);
        const std::size_t classes = tests.labels.names.size();
        if (kindOf(inputs.real) == LabelKind::Classes) {
            tests.classes =
                classShares(countsOf(ofReal.code, classes), countsOf(ofSynthetic.code, classes), whole.part(0.8, 0.85));
            if (!inputs.units.rows.empty())
                tests.classes->keepMissing(countsOf(tests.labels.code[1], classes));
            tests.training = trainingLoss(ofReal, ofSynthetic, whole.part(0.85, 0.95));
        }
    }
    if (inputs.units.areKnown)
        tests.regions = regionShares(inputs.regions, synthetic, inputs.search, in.job.silent());
    if (inputs.ofUnits)
        tests.scores = unitScores(*inputs.ofUnits);
    else if (inputs.units.areKnown)
        tests.scores = unitScores(in);
    tests.bad.rejected = metrics::verdictRejected(in);
    const double missed = in.results.has(kResultType<CoverageVerdicts>) ? metrics::coverageMissed(in) : 0.0;
    tests.bad.subtle = subtleShare(inputs, tests, tests.bad.rejected, missed);
    return tests;
}

namespace metrics {

double badShare(const MetricInputs& in) {
    return in.get<SetTests>().bad.value();
}

} // namespace metrics

} // namespace assay
