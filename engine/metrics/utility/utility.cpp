#include "engine/metrics/utility/utility.h"

#include "engine/base/random.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kFolds = 5;

/// Elements at some places.
template <typename T>
std::vector<T> at(const std::vector<T>& values, std::span<const std::uint32_t> places) {
    std::vector<T> chosen;
    chosen.reserve(places.size());
    for (const std::uint32_t place : places)
        chosen.push_back(values[place]);
    return chosen;
}

/// Trains on some samples and predicts others: both as places among the labelled samples of a set.
using TrainAndPredict = std::function<void(std::span<const std::uint32_t> training, std::span<const std::uint32_t> test,
                                           const ComputeContext& context)>;

/// Places among the labelled rows of a set, in an order that depends on the rows' values and labels alone.
/// @param labelled ascending
std::vector<std::uint32_t> placesByContent(const EmbeddingSet& set, const std::vector<std::uint32_t>& labelled,
                                           const ComputeContext& context) {
    if (labelled.empty())
        return {};
    std::vector<std::uint32_t> rows = contentOrder(set.matrix(), labelled, context.seed, context.threads);
    const auto nameOf = [&](std::uint32_t row) -> const std::string& {
        return set.labels().names[set.labels().code[row]];
    };
    for (std::size_t first = 0; first < rows.size();) { // equal rows stand together
        std::size_t last = first + 1;
        while (last < rows.size() && std::ranges::equal(set.matrix().row(rows[first]), set.matrix().row(rows[last])))
            ++last;
        std::ranges::sort(std::span(rows).subspan(first, last - first), {}, nameOf);
        first = last;
    }
    for (std::uint32_t& row : rows)
        row = static_cast<std::uint32_t>(std::ranges::lower_bound(labelled, row) - labelled.begin());
    return rows;
}

/// Units of some rows of a set, numbered in the order of the rows: groups, if there are any, else empty.
std::vector<std::uint32_t> unitsOf(const EmbeddingSet& set, std::span<const std::uint32_t> rows) {
    return set.hasGroups() ? renumbered(at(unitsByGroup(set.groups()), rows)) : std::vector<std::uint32_t>();
}

/// Five parts of the samples at some places, drawn at random; each is predicted from the four others.
/// @param unit of the sample at each place, whose samples stay together; empty: each by itself
void inFolds(const std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& unit,
             const ComputeContext& context, const TrainAndPredict& run) {
    const std::size_t units = unit.empty() ? places.size() : groupsIn(unit);
    const std::vector<std::uint32_t> order = Random(streamSeed(context.seed, "utility folds")).order(units);
    std::vector<std::size_t> foldOf(units);
    for (std::size_t i = 0; i < units; ++i)
        foldOf[order[i]] = i % kFolds;
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        std::vector<std::uint32_t> training;
        std::vector<std::uint32_t> test;
        for (std::size_t i = 0; i < places.size(); ++i)
            (foldOf[unit.empty() ? i : unit[i]] == fold ? test : training).push_back(places[i]);
        const auto share = [](std::size_t part) { return static_cast<double>(part) / static_cast<double>(kFolds); };
        run(training, test, context.part(share(fold), share(fold + 1)));
    }
}

/// Probabilities of all classes for samples that several classifiers predict.
class JoinedProbabilities {
public:
    JoinedProbabilities(std::size_t rows, std::size_t classes) : classes_(classes) {
        joined_.values.assign(rows * classes, 0.0F);
        for (std::size_t c = 0; c < classes; ++c)
            joined_.known.push_back(static_cast<std::uint32_t>(c));
    }

    void put(const ClassProbabilities& found, std::span<const std::uint32_t> places) {
        const std::size_t known = found.known.size();
        for (std::size_t r = 0; r < places.size(); ++r)
            for (std::size_t c = 0; c < known; ++c)
                joined_.values[places[r] * classes_ + found.known[c]] = found.values[r * known + c];
        joined_.converged = joined_.converged && found.converged;
    }

    const ClassProbabilities& get() const { return joined_; }

private:
    std::size_t classes_;
    ClassProbabilities joined_;
};

/// Rows of the labelled samples at these places, standardised.
StandardRows rowsAt(const RealUtility& utility, const EmbeddingSet& set, const std::vector<std::uint32_t>& labelled,
                    std::span<const std::uint32_t> places, const ComputeContext& context) {
    return StandardRows::of(set.matrix(), at(labelled, places), utility.moments, context);
}

void classifyHeldOut(RealUtility& utility, const CommonLabels& labels, const ComputeContext& context) {
    const std::vector<std::uint32_t> places = placesByContent(*utility.real, labels.rows[0], context);
    const StandardRows training = rowsAt(utility, *utility.real, labels.rows[0], places, context);
    const StandardRows test = StandardRows::of(utility.test->matrix(), labels.rows[1], utility.moments, context);
    utility.classes = testOf(classify(training, at(labels.code[0], places), test, context), labels.code[1],
                             labels.names.size(), context);
}

void classifyInFolds(RealUtility& utility, const CommonLabels& labels, const ComputeContext& context) {
    const std::vector<std::uint32_t>& rows = labels.rows[0];
    JoinedProbabilities joined(rows.size(), labels.names.size());
    const std::vector<std::uint32_t> places = placesByContent(*utility.real, rows, context);
    inFolds(
        places, unitsOf(*utility.real, at(rows, places)), context,
        [&](std::span<const std::uint32_t> training, std::span<const std::uint32_t> test, const ComputeContext& part) {
            const std::vector<std::uint32_t> code = at(labels.code[0], training);
            joined.put(classify(rowsAt(utility, *utility.real, rows, training, part), code,
                                rowsAt(utility, *utility.real, rows, test, part), part),
                       test);
        });
    utility.classes = testOf(joined.get(), labels.code[0], labels.names.size(), context);
}

void regressHeldOut(RealUtility& utility, const CommonLabels& labels, const ComputeContext& context) {
    const std::vector<std::uint32_t> places = placesByContent(*utility.real, labels.rows[0], context);
    utility.numbers = regress(
        {rowsAt(utility, *utility.real, labels.rows[0], places, context), at(numbersOf(*utility.real), places)},
        {StandardRows::of(utility.test->matrix(), labels.rows[1], utility.moments, context), numbersOf(*utility.test)},
        context);
}

void regressInFolds(RealUtility& utility, const CommonLabels& labels, const ComputeContext& context) {
    const std::vector<std::uint32_t>& rows = labels.rows[0];
    const std::vector<double> numbers = numbersOf(*utility.real);
    std::vector<double> predicted(rows.size());
    bool converged = true;
    const std::vector<std::uint32_t> places = placesByContent(*utility.real, rows, context);
    inFolds(
        places, unitsOf(*utility.real, at(rows, places)), context,
        [&](std::span<const std::uint32_t> training, std::span<const std::uint32_t> test, const ComputeContext& part) {
            const RegressionTest found =
                regress({rowsAt(utility, *utility.real, rows, training, part), at(numbers, training)},
                        {rowsAt(utility, *utility.real, rows, test, part), at(numbers, test)}, part);
            for (std::size_t r = 0; r < test.size(); ++r)
                predicted[test[r]] = found.predicted[r];
            converged = converged && found.converged;
        });
    utility.numbers = compared(std::move(predicted), numbers);
    utility.numbers.converged = converged;
}

bool allEqual(const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [&](double number) { return number == numbers.front(); });
}

/// Why the real set's labels allow no utility; empty if they do.
std::string_view objectionTo(const EmbeddingSet& real, LabelKind kind) {
    const ClassLabels& labels = real.labels();
    if (!real.hasLabels())
        return no_utility::kNoRealLabels;
    if (labels.classified() < 2 * kFolds)
        return no_utility::kFewSamples;
    if (kind == LabelKind::Numbers)
        return labels.classCount() < 2 ? no_utility::kSameNumber : std::string_view();
    if (labels.classCount() < 2)
        return no_utility::kOneRealClass;
    return 2 * labels.classCount() > labels.classified() ? no_utility::kNoClasses : std::string_view();
}

/// Whether training classifiers takes so long that an audit is not the place for it. An audit of 50,000 samples, 1,024
/// features and ten classes is within the limit; a thousand classes take minutes already at a fifth of it.
bool takesTooLong(const EmbeddingSet& real, bool byHeldOut) {
    constexpr double kMaxWork = 2.5e9; // samples x features x classes, of all trainings
    const double trainings = byHeldOut ? 1.0 : static_cast<double>(kFolds - 1); // a fold trains on all but a fifth
    return static_cast<double>(real.labels().classified()) * static_cast<double>(real.dim()) *
               static_cast<double>(real.labels().classCount()) * trainings >
           kMaxWork;
}

/// Whether models can be tested on this set.
bool canTest(const EmbeddingSet* set, const EmbeddingSet& real, LabelKind kind) {
    if (set == nullptr || !set->hasLabels())
        return false;
    if (kind == LabelKind::Numbers)
        return numbersOf(*set).size() > 1;
    const CommonLabels labels = commonLabels({&real, set});
    std::size_t common = 0;
    const std::vector<std::uint32_t> first = labels.counts(0);
    const std::vector<std::uint32_t> second = labels.counts(1);
    for (std::size_t c = 0; c < first.size(); ++c)
        common += first[c] > 0 && second[c] > 0 ? 1 : 0;
    return common > 1;
}

} // namespace

RealUtility utilityBasis(const std::shared_ptr<const EmbeddingSet>& real,
                         const std::shared_ptr<const EmbeddingSet>& heldOut, const ComputeContext& context) {
    RealUtility utility;
    utility.kind = real->hasLabels() ? kindOf(*real) : LabelKind::Classes;
    utility.whyNot = objectionTo(*real, utility.kind);
    if (!utility.whyNot.empty())
        return utility;
    const bool byHeldOut = canTest(heldOut.get(), *real, utility.kind);
    if (utility.kind == LabelKind::Classes && takesTooLong(*real, byHeldOut)) {
        utility.whyNot = no_utility::kTooLong;
        return utility;
    }
    utility.real = real;
    utility.testedOn = byHeldOut ? TestedOn::HeldOut : TestedOn::Real;
    utility.test = byHeldOut ? heldOut : real;
    utility.moments = columnMoments(real->matrix(), context.threads, context.job.silent());
    return utility;
}

RealUtility realUtility(const std::shared_ptr<const EmbeddingSet>& real,
                        const std::shared_ptr<const EmbeddingSet>& heldOut, const ComputeContext& context) {
    RealUtility utility = utilityBasis(real, heldOut, context);
    if (!utility.whyNot.empty())
        return utility;
    const bool byHeldOut = utility.testedOn == TestedOn::HeldOut;
    const CommonLabels labels = commonLabels({real.get(), utility.test.get()});
    if (utility.kind == LabelKind::Classes)
        (byHeldOut ? classifyHeldOut : classifyInFolds)(utility, labels, context);
    else
        (byHeldOut ? regressHeldOut : regressInFolds)(utility, labels, context);
    return utility;
}

namespace {

/// Drops the labelled rows of a set that are not kept.
void keepOnly(CommonLabels& labels, std::size_t set, std::span<const std::uint32_t> kept) {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> code;
    for (std::size_t r = 0; r < labels.rows[set].size(); ++r)
        if (std::ranges::binary_search(kept, labels.rows[set][r])) {
            rows.push_back(labels.rows[set][r]);
            code.push_back(labels.code[set][r]);
        }
    labels.rows[set] = std::move(rows);
    labels.code[set] = std::move(code);
}

bool haveCommon(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    for (std::size_t c = 0; c < a.size(); ++c)
        if (a[c] > 0 && b[c] > 0)
            return true;
    return false;
}

constexpr std::size_t kTest = UtilityScores::kTest;
constexpr std::size_t kReal = UtilityScores::kReal;
constexpr std::size_t kTraining = UtilityScores::kTraining;

SyntheticUtility classUtility(const std::shared_ptr<const RealUtility>& byReal, const EmbeddingSet& synthetic,
                              CommonLabels labels, const ComputeContext& context) {
    if (!haveCommon(labels.counts(kTraining), labels.counts(kReal)))
        return {no_utility::kNothingInCommon, {}, {}};
    if (labels.classesIn(kTraining) < 2)
        return {no_utility::kOneClass, {}, {}};
    const auto rowsOf = [&](const EmbeddingSet& set, std::size_t which) {
        return StandardRows::of(set.matrix(), labels.rows[which], byReal->moments, context);
    };
    auto scores = std::make_shared<UtilityScores>();
    scores->byReal = byReal;
    scores->trainedOn = labels.rows[kTraining].size();
    const std::size_t classes = labels.names.size();
    StandardRows samples = rowsOf(*byReal->test, kTest);
    const std::size_t tested = samples.rows;
    if (byReal->testedOn == TestedOn::HeldOut) { // the real samples behind them, for the same classifier
        const StandardRows real = rowsOf(*byReal->real, kReal);
        samples.values.insert(samples.values.end(), real.values.begin(), real.values.end());
        samples.rows += real.rows;
    }
    const std::vector<std::uint32_t> places = placesByContent(synthetic, labels.rows[kTraining], context);
    const ClassProbabilities all = classify(rowsAt(*byReal, synthetic, labels.rows[kTraining], places, context),
                                            at(labels.code[kTraining], places), samples, context);
    const auto part = [&](std::size_t first, std::size_t last) {
        const std::size_t known = all.known.size();
        return ClassProbabilities{{all.values.begin() + static_cast<std::ptrdiff_t>(first * known),
                                   all.values.begin() + static_cast<std::ptrdiff_t>(last * known)},
                                  all.known,
                                  all.converged};
    };
    scores->test = testOf(part(0, tested), labels.code[kTest], classes, context);
    scores->realTest = byReal->testedOn == TestedOn::Real
                           ? scores->test
                           : testOf(part(tested, samples.rows), labels.code[kReal], classes, context);
    scores->labels = std::move(labels);
    return {{}, std::move(scores), {}};
}

SyntheticUtility numberUtility(const std::shared_ptr<const RealUtility>& byReal, const EmbeddingSet& synthetic,
                               const CommonLabels& labels, const ComputeContext& context) {
    std::vector<double> numbers;
    {
        const std::vector<double> all = numbersOf(synthetic);
        if (all.empty())
            return {no_utility::kNotNumbers, {}, {}};
        const std::vector<std::uint32_t> labelled = commonLabels({&synthetic}).rows[0];
        for (const std::uint32_t row : labels.rows[kTraining])
            numbers.push_back(
                all[static_cast<std::size_t>(std::ranges::lower_bound(labelled, row) - labelled.begin())]);
    }
    if (numbers.size() < 2)
        return {no_utility::kFewSamples, {}, {}};
    if (allEqual(numbers))
        return {no_utility::kSameNumber, {}, {}};
    auto scores = std::make_shared<NumberUtilityScores>();
    scores->byReal = byReal;
    scores->trainedOn = numbers.size();
    scores->actual = numbersOf(*byReal->test);
    const std::vector<std::uint32_t> places = placesByContent(synthetic, labels.rows[kTraining], context);
    scores->test = regress(
        {rowsAt(*byReal, synthetic, labels.rows[kTraining], places, context), at(numbers, places)},
        {StandardRows::of(byReal->test->matrix(), labels.rows[kTest], byReal->moments, context), scores->actual},
        context);
    return {{}, {}, std::move(scores)};
}

} // namespace

SyntheticUtility syntheticUtility(const std::shared_ptr<const RealUtility>& byReal, const EmbeddingSet& synthetic,
                                  const ComputeContext& context, std::span<const std::uint32_t> kept) {
    if (!byReal->whyNot.empty())
        return {byReal->whyNot, {}, {}};
    if (!synthetic.hasLabels())
        return {no_utility::kNoLabels, {}, {}};
    CommonLabels labels = commonLabels({byReal->test.get(), byReal->real.get(), &synthetic});
    if (!kept.empty())
        keepOnly(labels, kTraining, kept);
    return byReal->kind == LabelKind::Classes ? classUtility(byReal, synthetic, std::move(labels), context)
                                              : numberUtility(byReal, synthetic, labels, context);
}

std::size_t utilityBytes(std::size_t training, std::size_t tested, std::size_t dim, std::size_t classes) {
    // Standardised rows, twice while they are joined, outputs twice; sorting scores for each group of classes.
    constexpr std::size_t kSorting = 512;
    return linearModelBytes(training, dim, classes) + tested * (2 * (dim + classes) * sizeof(float) + kSorting);
}

namespace metrics {
namespace {

/// One value per real sample from one per labelled real sample.
std::vector<double> perRealSample(const MetricInputs& in, const std::vector<double>& values) {
    const UtilityScores& scores = in.get<UtilityScores>();
    std::vector<double> all(in.real.set->rows(), kNaN);
    for (std::size_t r = 0; r < values.size(); ++r)
        all[scores.labels.rows[kReal][r]] = values[r];
    return all;
}

/// Units of the labelled samples of a test set.
std::vector<std::uint32_t> testUnits(const EmbeddingSet& test) {
    return unitsOf(test, rowsWhere(test.rows(), [&](std::size_t row) { return test.hasLabel(row); }));
}

/// The same draws for every model of an audit.
/// @param unit kept by reference
Resampling ofTestSet(const Resampling& how, const std::vector<std::uint32_t>& unit) {
    return {how.count, streamSeed(how.seed, "utility"), how.threads, unit};
}

} // namespace

double utilityAccuracy(const MetricInputs& in) {
    return in.get<UtilityScores>().test.accuracy;
}
double utilityAuc(const MetricInputs& in) {
    return in.get<UtilityScores>().test.auc;
}
double realUtilityAccuracy(const MetricInputs& in) {
    return in.get<UtilityScores>().byReal->classes.accuracy;
}
double realUtilityAuc(const MetricInputs& in) {
    return in.get<UtilityScores>().byReal->classes.auc;
}
double utilityR2(const MetricInputs& in) {
    return in.get<NumberUtilityScores>().test.r2;
}
double realUtilityR2(const MetricInputs& in) {
    return in.get<NumberUtilityScores>().byReal->numbers.r2;
}
std::vector<double> utilityCorrect(const MetricInputs& in) {
    return perRealSample(in, in.get<UtilityScores>().realTest.correct);
}
std::vector<double> utilityProbability(const MetricInputs& in) {
    return perRealSample(in, in.get<UtilityScores>().realTest.probability);
}

TestResamples resampledUtility(const MetricInputs& in, const Resampling& how, TrainedOn set) {
    const UtilityScores& scores = in.get<UtilityScores>();
    const RealUtility& real = *scores.byReal;
    return resampled(set == TrainedOn::Synthetic ? scores.test : real.classes, ofTestSet(how, testUnits(*real.test)),
                     in.job.silent());
}
std::vector<double> resampledUtilityR2(const MetricInputs& in, const Resampling& how, TrainedOn set) {
    const NumberUtilityScores& scores = in.get<NumberUtilityScores>();
    const RealUtility& real = *scores.byReal;
    return resampledR2(set == TrainedOn::Synthetic ? scores.test : real.numbers, scores.actual,
                       ofTestSet(how, testUnits(*real.test)), in.job.silent());
}

} // namespace metrics

namespace {

/// Share of right answers among the samples of each class; 0 for a class without samples.
std::vector<double> accuracies(const std::vector<std::uint32_t>& code, const std::vector<double>& correct,
                               const std::vector<std::uint32_t>& counts) {
    std::vector<double> shares(counts.size(), 0.0);
    for (std::size_t r = 0; r < code.size(); ++r)
        shares[code[r]] += correct[r] / static_cast<double>(counts[code[r]]);
    return shares;
}

void addClasses(UtilityReport& report, const UtilityScores& scores) {
    const CommonLabels& labels = scores.labels;
    report.classes = labels.names;
    const std::vector<std::uint32_t> tested = labels.counts(UtilityScores::kTest);
    const std::vector<std::uint32_t> training = labels.counts(UtilityScores::kTraining);
    const std::vector<double> bySynthetic = accuracies(labels.code[UtilityScores::kTest], scores.test.correct, tested);
    const std::vector<double> byReal =
        accuracies(labels.code[UtilityScores::kTest], scores.byReal->classes.correct, tested);
    for (std::uint32_t c = 0; c < tested.size(); ++c)
        if (tested[c] > 0)
            report.byClass.push_back({c, tested[c], training[c], bySynthetic[c], byReal[c]});
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cells;
    for (std::size_t r = 0; r < scores.test.predicted.size(); ++r)
        ++cells[{labels.code[UtilityScores::kTest][r], scores.test.predicted[r]}];
    for (const auto& [cell, count] : cells)
        report.confusion.push_back({cell.first, cell.second, count});
}

} // namespace

UtilityReport reportOf(const SyntheticUtility& utility, const RealUtility& real) {
    UtilityReport report;
    report.whyNot = utility.whyNot;
    if (!utility.whyNot.empty())
        return report;
    report.testedOn = real.testedOn == TestedOn::HeldOut ? "held_out" : "real";
    if (utility.classes != nullptr) {
        report.trainedOn = utility.classes->trainedOn;
        report.tested = utility.classes->test.correct.size();
        report.converged = utility.classes->test.converged && real.classes.converged;
        addClasses(report, *utility.classes);
    } else {
        report.trainedOn = utility.numbers->trainedOn;
        report.tested = utility.numbers->actual.size();
        report.converged = utility.numbers->test.converged && real.numbers.converged;
    }
    return report;
}

} // namespace assay
