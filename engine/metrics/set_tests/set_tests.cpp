#include "engine/metrics/set_tests/set_tests.h"

#include "engine/data/embedding_set.h"
#include "engine/data/gather_rows.h"
#include "engine/metrics/set_tests/labelled_rows.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

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
    const double least = std::max(0.05, 2.5 * std::sqrt(1.0 / static_cast<double>(inputs.real.rows()) +
                                                        1.0 / static_cast<double>(inputs.synthetic.rows())));
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
    const ComparedRows synthetic = inContentOrder(inputs.synthetic.matrix(), {}, in.seed, in.threads);
    SetTests tests;
    tests.scale = testScale(real, synthetic, whole.part(0.0, 0.05));
    tests.order = testRowOrder(in.real.neighbors);
    tests.features = testFeatures(real, synthetic, {inputs.real.preparation().get(), inputs.real.source().columnNames},
                                  whole.part(0.05, 0.4));
    tests.toldApart = toldApart(real, synthetic, whole.part(0.4, 0.8));
    if (inputs.real.hasLabels() && inputs.synthetic.hasLabels()) {
        tests.labels = commonLabels({&inputs.real, &inputs.synthetic});
        const LabelledRows ofReal = labelledRows(real, tests.labels, 0);
        const LabelledRows ofSynthetic = labelledRows(synthetic, tests.labels, 1);
        const std::size_t classes = tests.labels.names.size();
        if (kindOf(inputs.real) == LabelKind::Classes) {
            tests.classes =
                classShares(countsOf(ofReal.code, classes), countsOf(ofSynthetic.code, classes), whole.part(0.8, 0.85));
            tests.training = trainingLoss(ofReal, ofSynthetic, whole.part(0.85, 0.95));
        }
    }
    tests.regions = regionShares(inputs.regions, synthetic, inputs.search, in.job.silent());
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
