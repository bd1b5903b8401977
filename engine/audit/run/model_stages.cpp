#include "engine/audit/findings/findings.h"
#include "engine/audit/result/intervals.h"
#include "engine/audit/run/audit_cost.h"
#include "engine/audit/run/further_passes.h"
#include "engine/audit/run/stages.h"
#include "engine/base/find_by.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/centre.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/features/table_differences.h"
#include "engine/metrics/held_out/feature_likelihood.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/utility/utility.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/group_tests.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace assay {
namespace {

ComputeContext contextOf(const ModelState& state, const JobContext& job) {
    return {state.options.seed, state.options.threads, job, state.search.accelerator()};
}

/// Job without progress of its own, for work whose steps would each restart it. Progress advances when the stage is
/// finished.
JobContext withoutProgress(const JobContext& job) {
    return job.part({}, 0.0, 0.0);
}

void findNeighbors(ModelState& state, const JobContext& job) {
    const RealAnalysis& real = state.real;
    const EmbeddingSet& set = *state.audit.set;
    const AuditOptions& options = state.options;
    const std::size_t realRows = real.set->rows();
    const std::size_t rows = set.rows();
    const PassCost cost(options.backend, set.dim());
    const double selfShare = cost.within(rows) / (cost.within(rows) + cost.between(realRows, rows));
    PairTables tables;
    tables.syntheticToSynthetic =
        state.search.within(set.matrix(), ownNeighbors(options, rows - 1), job.part({}, 0.0, selfShare));
    tables.syntheticRadius = tables.syntheticToSynthetic.distancesAt(options.k);
    PassResult pass = state.search.between(
        {real.set->matrix(), crossNeighbors(options, rows), real.radius, real.innerRadius},
        {set.matrix(), crossNeighbors(options, realRows), tables.syntheticRadius}, job.part({}, selfShare, 1.0));
    tables.real = std::move(pass.a);
    tables.synthetic = std::move(pass.b);
    state.audit.diagnostics = diagnose(real, tables, options.k);
    state.audit.tables = std::make_shared<const PairTables>(std::move(tables));
    state.results.putReference(*state.audit.tables);
}

/// Numbers of equal samples, if the verdicts need them.
EqualRowCounts equalSamples(const ModelState& state, const MetricInputs& in, const HeldOutTables* heldOut) {
    if (!needsEqualCounts(in, heldOut))
        return {};
    const EmbeddingSet* heldOutSet = heldOut != nullptr ? state.heldOut->set.get() : nullptr;
    return countEqualSamples({*state.real.set, *state.audit.set, heldOutSet}, state.search, contextOf(state, in.job));
}

MatrixView rowsOf(const EmbeddingSet& set) {
    return set.isWhole() ? set.matrix() : MatrixView{nullptr, set.rows(), set.dim()};
}

/// Share of synthetic samples that are copies of held-out ones, by the copy test with the sides exchanged.
double copiesOfHeldOut(const ModelState& state, const SampleUnits& units, const PassResult& cross,
                       const NeighborSearch& search, const JobContext& job) {
    constexpr std::size_t kFewest = 30;
    const std::shared_ptr<const EmbeddingSet>& heldOut = state.heldOut->set;
    if (heldOut->rows() < kFewest || heldOut->rows() <= state.options.k)
        return 0.0;
    RealAnalysis exchanged;
    exchanged.set = heldOut;
    exchanged.k = state.options.k;
    exchanged.neighbors = state.heldOut->tables->syntheticToSynthetic;
    exchanged.radius = exchanged.neighbors.distancesAt(exchanged.k);
    const ComputeContext context = contextOf(state, job);
    exchanged.partition = std::make_shared<const RealPartition>(
        partitionReal(*heldOut, exchanged.neighbors, exchanged.k, &search, context));
    PairTables tables;
    tables.syntheticToSynthetic = state.audit.tables->syntheticToSynthetic;
    tables.synthetic.nearest = cross.a.nearest;
    tables.real.nearest = cross.b.nearest;
    tables.synthetic.holding.assign(tables.synthetic.nearest.rows(), 0); // which word fits does not matter here
    const MetricInputs in{.real = exchanged,
                          .pair = tables,
                          .k = exchanged.k,
                          .seed = state.options.seed,
                          .threads = state.options.threads,
                          .job = job};
    EqualRowCounts equal;
    if (needsEqualCounts(in, nullptr))
        equal = countEqualSamples({*heldOut, *state.audit.set, nullptr}, state.search, context);
    const VerdictScores verdicts = judgeSynthetic({in, *exchanged.partition, state.audit.set->matrix(), nullptr, equal,
                                                   &search, state.options.falseDiscoveryRate, units});
    const auto copies = std::ranges::count(verdicts.verdict, static_cast<double>(Verdict::Copy));
    return static_cast<double>(copies) / static_cast<double>(verdicts.verdict.size());
}

/// Whether training samples can be picked out, and whether the two sets of real samples are exchanged.
/// @param units of the synthetic set
HeldOutTests testHeldOut(const ModelState& state, const VerdictScores& verdicts, const HeldOutTables& heldOut,
                         const SampleUnits& units, double exchangedCopies) {
    HeldOutTests tests;
    std::vector<double> real;
    for (const std::uint32_t row : state.real.partition->rows)
        real.push_back(state.audit.tables->real.nearest.distanceAt(row, 0));
    const std::vector<double> all = heldOut.toSynthetic.distancesAt(1);
    const std::vector<bool> clean = cleanHeldOut(heldOut, *state.real.partition);
    const std::vector<bool> stands = heldOut.units.stands(all.size());
    std::vector<double> held;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (clean[row] && stands[row])
            held.push_back(all[row]);
    tests.pickedOut = pickedOut(real, held);
    tests.copiesOfHeldOut = exchangedCopies;
    const auto copies = static_cast<double>(std::ranges::count(verdicts.verdict, static_cast<double>(Verdict::Copy))) /
                        static_cast<double>(verdicts.verdict.size());
    const std::size_t m = units.count(verdicts.verdict.size());
    constexpr double kSurely = 0.03;
    constexpr double kMin = 0.05;
    const auto exchanged = static_cast<std::size_t>(std::llround(exchangedCopies * static_cast<double>(m)));
    tests.swapped = isNearerToHeldOut(real, heldOut.units.of(all)) ||
                    (clopperPearson(exchanged, m).low >= kSurely && exchangedCopies >= std::max(kMin, 2.0 * copies));
    return tests;
}

/// Verdicts on both sides, calibrated on the real and the held-out samples.
void judge(ModelState& state, const JobContext& job) {
    const MetricInputs in = state.inputs(withoutProgress(job));
    const double rate = state.options.falseDiscoveryRate;
    const EmbeddingSet& real = *state.real.set;
    const EmbeddingSet& set = *state.audit.set;
    const bool whole = real.isWhole() && set.isWhole() && (state.heldOut == nullptr || state.heldOut->set->isWhole());
    std::optional<RowSearch> search;
    if (whole)
        search.emplace(state.search, largerOf(set, real).matrix(), state.options, in.job);
    const NeighborSearch* rows = whole ? &**search : nullptr;
    const RealPartition& partition = *state.real.partition;
    const ComputeContext context = contextOf(state, in.job);
    const SampleUnits units = whole ? sampleUnits(set, partition, context) : SampleUnits{};
    PassResult toHeldOut;
    std::optional<HeldOutTables> heldOut;
    double exchangedCopies = 0.0;
    if (state.heldOut != nullptr) {
        const EmbeddingSet& held = *state.heldOut->set;
        const std::size_t neighbors = std::min(kDensityNeighbors, set.rows());
        const std::size_t back = whole ? std::min(crossNeighbors(state.options, held.rows()), held.rows()) : 0;
        toHeldOut =
            state.search.between({set.matrix(), back}, {held.matrix(), std::max(neighbors, state.options.k)}, in.job);
        const PairTables& known = *state.heldOut->tables;
        heldOut.emplace(HeldOutTables{rowsOf(held), known.synthetic.nearest, toHeldOut.b.nearest,
                                      known.syntheticToSynthetic, known.real.nearest});
        if (whole) {
            heldOut->units = sampleUnits(held, partition, context);
            heldOut->realUnit = realUnitsOf(held, real, partition);
            exchangedCopies = copiesOfHeldOut(state, units, toHeldOut, *rows, in.job);
        }
        MembershipScores membership =
            membershipScores(state.audit.tables->real.nearest.distancesAt(1), toHeldOut.b.nearest.distancesAt(1));
        membership.heldOut = recordDistances(known.synthetic.nearest);
        if (partition.byGroup)
            membership.realUnit = partition.unit;
        membership.heldOutUnit = heldOut->units.unit;
        state.results.put(std::move(membership));
    }
    const HeldOutTables* calibration = heldOut ? &*heldOut : nullptr;
    const EqualRowCounts equal = equalSamples(state, in, calibration);
    VerdictScores verdicts = judgeSynthetic({in, partition, rowsOf(set), calibration, equal, rows, rate, units});
    if (calibration != nullptr)
        state.results.put(testHeldOut(state, verdicts, *calibration, units, exchangedCopies));
    state.audit.good = std::move(verdicts.good);
    state.results.put(std::move(verdicts));
    if (partition.byGroup)
        state.results.put(testGroups(state.real, in.pair.synthetic.nearest, units));
    state.results.put(units);
    if (!whole || !units.areKnown) // several samples of one new group could be missed samples of others
        return;
    Relabelling labels;
    if (units.count(set.rows()) < set.rows() || (partition.byGroup && !partition.isTrivial())) {
        std::optional<UnitTables> one = tablesOfUnits(state, units, *rows, in.job);
        if (one) {
            labels = drawLabels(one->real, *one->real.partition, one->model.set->matrix(), *one->model.tables, *rows,
                                context)
                         .ofRows(partition);
            state.results.put(std::move(*one));
        }
    } else {
        labels = drawLabels(state.real, partition, set.matrix(), *state.audit.tables, *rows, context);
    }
    if (!labels.coverageRatio.empty())
        state.results.put(judgeReal(in, partition, labels, rate));
    state.results.put(std::move(labels));
}

/// Tests of the sets as a whole.
void testWholeSets(ModelState& state, const JobContext& job) {
    const EmbeddingSet& set = *state.audit.set;
    const RowSearch search(state.search, set.matrix(), state.options, withoutProgress(job));
    const MetricInputs in = state.inputs(withoutProgress(job)); // several classifiers, each with a progress of its own
    const UnitTables* one = state.results.find<UnitTables>();
    SetTests tests =
        testSets({in, *state.real.set, set, state.results.get<RealRegions>(), *search, state.results.get<SampleUnits>(),
                  one != nullptr ? std::optional(one->inputs()) : std::nullopt});
    state.audit.modeCounts = tests.regions.counts;
    state.results.put(std::move(tests));
}

void summarize(ModelState& state, const JobContext& job) {
    state.results.put(summarizeRows(state.audit.set->matrix(), state.options.threads, job));
}

void embed(ModelState& state, const JobContext& job) {
    state.results.put(IdentityEmbedding{EvaluationTables::of(
        state.results.get<RealCentre>(), state.real.neighbors.distancesAt(1), state.audit.tables->real.nearest,
        {state.audit.set->matrix(), state.results.get<RowSummary>().mean}, contextOf(state, job))});
}

void embedOneClass(ModelState& state, const JobContext& job) {
    state.results.put(OneClassEmbedding{
        inOneClass(state.results.get<RealOneClass>(), *state.real.set, *state.audit.set, state.options, job)});
}

void compareRows(ModelState& state, const JobContext& job) {
    RowScores scores = scoreRows(state.real.set->matrix(), state.results.get<RealRows>(), state.audit.set->matrix(),
                                 state.results.get<RowSummary>(), contextOf(state, job));
    if (!std::isnan(scores.published))
        state.results.put(PublishedFrechet{scores.published});
    if (!scores.influence.empty())
        state.results.put(FrechetInfluence{std::move(scores.influence)});
    if (!scores.infinity.sizes.empty())
        state.results.put(scores.infinity);
    state.results.put(std::move(scores));
}

void compareFeatures(ModelState& state, const JobContext& job) {
    const EmbeddingSet& real = *state.real.set;
    const EmbeddingSet& set = *state.audit.set;
    const unsigned threads = state.options.threads;
    state.audit.featureDifferences = featureDifferences(real.matrix(), set.matrix(), threads, job.part({}, 0.0, 0.6));
    state.audit.tableDifferences =
        tableDifferences(real, set, state.audit.featureDifferences, contextOf(state, job.part({}, 0.6, 0.8)));
    state.audit.classMeans = compareClassMeans(real, set, threads, job.part({}, 0.8, 1.0));
}

void findNearPairs(ModelState& state, const JobContext& job) {
    state.results.put(findNearPairScores(state.inputs(job)));
}

void findLikelihood(ModelState& state, const JobContext& job) {
    state.results.put(featureLikelihood(*state.results.get<HeldOutBasis>().likelihood, state.audit.set->matrix(),
                                        state.options.seed, state.options.threads, withoutProgress(job)));
}

void findUtility(ModelState& state, const JobContext& job) {
    const std::shared_ptr<const RealUtility>& real = state.described->utility;
    const SyntheticUtility utility = syntheticUtility(real, *state.audit.set, contextOf(state, job));
    state.audit.utility = reportOf(utility, *real);
    if (utility.classes != nullptr)
        state.results.put(UtilityScores(*utility.classes));
    if (utility.numbers != nullptr)
        state.results.put(NumberUtilityScores(*utility.numbers));
}

/// Catalogue rows whose required product this audit has.
template <typename Row>
std::vector<const Row*> availableOf(std::span<const Row> catalog, const StageResults& results) {
    std::vector<const Row*> rows;
    for (const Row& row : catalog)
        if (results.has(row.needs))
            rows.push_back(&row);
    return rows;
}

/// Computes the aggregates and per-sample columns that are not computed yet. Each is fast and independent of the
/// others, so they run in parallel.
void computeValues(ModelState& state, const JobContext& job) {
    MetricInputs inputs = state.inputs(job.silent()); // for threads beside the job's own
    const auto metrics = availableOf(metricCatalog(), state.results);
    const auto columns = availableOf(columnCatalog(), state.results);
    std::vector<MetricValue> metricValues(metrics.size());
    std::vector<ColumnValues> columnValues(columns.size());
    parallelFor(metrics.size() + columns.size(), inputs.threads, inputs.job, [&](std::size_t row, unsigned) {
        if (row < metrics.size()) {
            const Metric& metric = *metrics[row];
            const MetricValue* known = findBy(state.audit.metrics, &MetricValue::id, metric.id);
            metricValues[row] = known != nullptr ? *known : MetricValue{metric.id, metric.compute(inputs)};
            return;
        }
        const Column& column = *columns[row - metrics.size()];
        ColumnValues* known = findBy(state.audit.columns, &ColumnValues::id, column.id);
        columnValues[row - metrics.size()] =
            known != nullptr ? std::move(*known) : ColumnValues{column.id, column.compute(inputs)};
    });
    state.audit.metrics = std::move(metricValues);
    state.audit.columns = std::move(columnValues);
}

void computeCurves(ModelState& state, const JobContext& job) {
    const MetricInputs inputs = state.inputs(withoutProgress(job));
    for (const Curve* curve : availableOf(curveCatalog(), state.results)) {
        job.throwIfStopped();
        state.audit.curves.push_back(curve->compute(inputs));
        state.audit.curves.back().id = curve->id;
    }
}

void resample(ModelState& state, const JobContext& job) {
    Uncertainty uncertainty = resampleMetrics(state.inputs(job), state.audit, state.real.partition->unit);
    if (const auto* infinity = state.results.find<FrechetInfinity>();
        infinity != nullptr && !std::isnan(infinity->value))
        insertInterval(uncertainty.intervals, {"frechet_infinity", infinity->low, infinity->high});
    state.audit.intervals = std::move(uncertainty.intervals);
    state.audit.resamples = std::move(uncertainty.resamples);
}

/// Findings and the summary, with examples of the samples that the findings are about.
void findFindings(ModelState& state, const JobContext& job) {
    ModelAudit& audit = state.audit;
    const auto* rows = state.results.find<RowScores>();
    const FindingInputs in{state.real,
                           state.described,
                           state.heldOut,
                           audit,
                           state.options.falseDiscoveryRate,
                           state.results.find<VerdictScores>(),
                           state.results.find<Relabelling>(),
                           state.results.find<HeldOutTests>(),
                           state.results.find<SetTests>(),
                           state.results.find<SampleUnits>(),
                           rows != nullptr ? &rows->tail : nullptr,
                           state.results.find<GroupTests>()};
    audit.findings = withExamples(findingsOf(in), audit.findings, in, contextOf(state, withoutProgress(job)));
    audit.summary = summaryOf(in, audit.findings);
}

StageMemory neighborMemory(const AuditShape& shape) {
    const std::size_t both = shape.realRows + shape.rows;
    StageMemory need = passMemory(both, shape.dim, ownNeighbors(shape.options, std::max(shape.realRows, shape.rows)));
    need.kept = both * kScalarBytes + kNeighborBytes * (shape.rows * ownNeighbors(shape.options, shape.rows) +
                                                        shape.rows * crossNeighbors(shape.options, shape.realRows) +
                                                        shape.realRows * crossNeighbors(shape.options, shape.rows));
    return need;
}

/// Memory for rows that are copied to be searched again; at most all rows.
StageMemory gatheredMemory(const AuditShape& shape) {
    return whileRunning(shape, gatheredBytes(std::max(shape.realRows, shape.rows), shape.dim));
}

/// Memory for copies of queries and base rows, for the p-values of both sides and for the groups of equal rows.
StageMemory verdictMemory(const AuditShape& shape) {
    constexpr std::size_t kBytesPerRow = 224;
    const std::size_t both = shape.realRows + shape.rows;
    // Two distances of each row that a draw of labels looks at: 200 draws of up to 1,500 rows, else 40 of up to 8,000.
    constexpr std::size_t kDrawnBytes = 2 * sizeof(double);
    const std::size_t drawn = (both <= 1500 ? 200 * both : 40 * std::min<std::size_t>(both, 8000)) * kDrawnBytes;
    std::size_t bytes = 2 * gatheredMemory(shape).working + both * kBytesPerRow + drawn;
    if (shape.heldOutRows > 0) { // neighbours in both directions, and a copy of the model's own
        const std::size_t lists = 2 * std::max(shape.options.storedNeighbors, kDensityNeighbors);
        bytes += (shape.rows + shape.heldOutRows) * (lists * kNeighborBytes + kBytesPerRow) +
                 2 * gatheredBytes(shape.heldOutRows, shape.dim);
    }
    StageMemory need = whileRunning(shape, bytes);
    if (shape.grouped && shape.fullCatalog) // tables of one sample of each group, at most of all samples
        need.kept += neighborMemory(shape).kept + gatheredBytes(both, shape.dim);
    return need;
}

/// Memory for the rows of a scan of near pairs, packed, and their counters.
StageMemory nearPairMemory(const AuditShape& shape) {
    constexpr std::size_t kBytesPerRow = 64;
    return whileRunning(shape, (shape.realRows + shape.rows) * (shape.dim * sizeof(float) + kBytesPerRow));
}

/// Memory for the rows that are gathered for tests of whole sets.
StageMemory setTestMemory(const AuditShape& shape) {
    const std::size_t rows = classifierRows(shape.realRows, shape.dim) + classifierRows(shape.rows, shape.dim);
    constexpr std::size_t kCopies = 4;       // standardised rows, components, and products of them
    constexpr std::size_t kProducts = 1'000; // of 30 components, in two copies
    constexpr std::size_t kBytesPerRow = 64;
    return whileRunning(shape, rows * (kCopies * shape.dim + kProducts) * sizeof(float) +
                                   (shape.realRows + shape.rows) * kBytesPerRow);
}

/// Memory for a number per row: for each k of the curve over k.
StageMemory perRowMemory(const AuditShape& shape) {
    constexpr std::size_t kBytesPerRow = 512;
    return whileRunning(shape, (shape.realRows + shape.rows) * kBytesPerRow);
}

/// Memory for a number per row and resampled term, and for the tables of the sets without a group of rows.
StageMemory intervalMemory(const AuditShape& shape) {
    const std::size_t neighbors =
        std::max(shape.options.k, shape.options.cover.neighbors()) + std::max(shape.options.k, shape.options.cover.k);
    return whileRunning(shape, perRowMemory(shape).working +
                                   jackknifeBytes(shape.realRows, shape.rows, neighbors, shape.options.threads));
}

StageMemory columnMemory(const AuditShape& shape) {
    return {(shape.realRows + shape.rows) * columnCatalog().size() * sizeof(double), 0, 0};
}

/// Memory for both sets in the one-class embedding and the neighbour search in it.
StageMemory oneClassMemory(const AuditShape& shape) {
    if (!shape.options.oneClass)
        return {};
    const std::size_t both = shape.realRows + shape.rows;
    StageMemory need = passMemory(both, shape.dim, 1);
    need.working += both * shape.dim * sizeof(float);
    need.lean += both * shape.dim * sizeof(float);
    return need;
}

StageMemory rowMemory(const AuditShape& shape) {
    const RowScoresNeed need = rowScoresNeed(shape.rows, shape.dim);
    return whileRunning(shape, need.kept + need.working);
}

/// Sixteen sorted features of both sets for each thread; then all pairs of features.
StageMemory featureMemory(const AuditShape& shape) {
    const std::size_t rows = featureRows(shape.realRows, shape.dim) + featureRows(shape.rows, shape.dim);
    const std::size_t features = std::min(shape.dim, std::size_t{16} * resolveThreads(shape.options.threads));
    constexpr std::size_t kBytesPerPair = 112; // means of products of both sets, and half a comparison
    const std::size_t paired = std::min(shape.dim, CorrelationDifferences::kMaxFeatures);
    return whileRunning(shape, std::max(rows * features * sizeof(float), paired * paired * kBytesPerPair));
}

StageMemory utilityMemory(const AuditShape& shape) {
    const std::size_t tested = shape.realRows + shape.heldOutRows;
    return whileRunning(shape, shape.labels > 0 ? utilityBytes(shape.rows, tested, shape.dim, shape.labels) : 0);
}

StageMemory likelihoodMemory(const AuditShape& shape) {
    if (shape.heldOutRows == 0)
        return {};
    return whileRunning(shape, featureLikelihoodBytes(shape.realRows, shape.heldOutRows, shape.rows, shape.dim));
}

/// Memory for the samples of findings, and for the choice of examples among them.
StageMemory findingMemory(const AuditShape& shape) {
    constexpr std::size_t kFindingsPerRow = 4; // of one side that name the same row
    constexpr std::size_t kBytesPerRow = kFindingsPerRow * (sizeof(std::uint32_t) + sizeof(std::uint8_t));
    StageMemory need = whileRunning(shape, exampleBytes(std::max(shape.realRows, shape.rows), shape.dim));
    need.kept = shape.fullCatalog ? (shape.realRows + shape.rows) * kBytesPerRow : 0;
    return need;
}
/// The same where the findings of the earlier phase are replaced.
StageMemory secondFindingMemory(const AuditShape& shape) {
    const StageMemory first = findingMemory(shape);
    return {0, first.kept + first.working, first.kept + first.lean};
}

double neighborCost(const AuditShape& shape) {
    const PassCost cost = costs(shape);
    return cost.within(shape.rows) + cost.between(shape.realRows, shape.rows);
}
/// Cost of a part of the whole catalogue.
template <double CatalogCost::*part>
double catalogCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).catalog(shape.realRows, shape.rows).*part : 0.0;
}
double summaryCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).reading(shape.rows) : 0.0;
}
double embeddingCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).reading(shape.realRows + shape.rows) : 0.0;
}
double oneClassCost(const AuditShape& shape) {
    // One more search, of one side for one neighbour.
    return shape.fullCatalog && shape.options.oneClass ? 0.3 * neighborCost(shape) : 0.0;
}
double likelihoodCost(const AuditShape& shape) {
    return shape.heldOutRows > 0 ? catalogCost<&CatalogCost::likelihood>(shape) : 0.0;
}
double utilityCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).utility(linearModelProducts(shape.rows, shape.dim, shape.labels)) : 0.0;
}
double firstValueCost(const AuditShape& shape) {
    return costs(shape).values(shape.realRows + shape.rows);
}
double valueCost(const AuditShape& shape) {
    return shape.fullCatalog ? firstValueCost(shape) : 0.0;
}
/// With held-out samples, the search of their neighbours among the synthetic ones as well.
double verdictCost(const AuditShape& shape) {
    return catalogCost<&CatalogCost::verdicts>(shape) +
           (shape.fullCatalog && shape.heldOutRows > 0 ? costs(shape).between(shape.rows, shape.heldOutRows) : 0.0);
}
double findingCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).examples(shape.realRows, shape.rows) : 0.0;
}
/// The findings of the earlier phase have most of the examples already.
double secondFindingCost(const AuditShape& shape) {
    return 0.1 * findingCost(shape);
}
double setTestCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).setTests(shape.realRows, shape.rows) : 0.0;
}

constexpr std::string_view kComparing = "comparing distributions";
constexpr std::array kTables{kResultType<PairTables>};
constexpr std::array kVerdicts{kResultType<PairTables>, kResultType<FullCatalogRequested>};
constexpr std::array kRows{kResultType<SyntheticRows>};
constexpr std::array kIdentity{kResultType<RowSummary>, kResultType<RealCentre>};
constexpr std::array kOneClass{kResultType<SyntheticRows>, kResultType<RealOneClass>};
constexpr std::array kDistribution{kResultType<RowSummary>, kResultType<RealRows>};
constexpr std::array kLikelihood{kResultType<SyntheticRows>, kResultType<HeldOutBasis>};
constexpr std::array kUtility{kResultType<SyntheticRows>, kResultType<RealUtility>};
constexpr std::array kWhole{kResultType<FullCatalogRequested>};
constexpr std::array kSetTests{kResultType<SyntheticRows>, kResultType<RealRegions>, kResultType<VerdictScores>};

constexpr std::array kModelStages{
    ModelStage{"neighbors", {}, Phase::Passes, {}, neighborMemory, neighborCost, findNeighbors},
    ModelStage{"verdicts", "judging samples", Phase::Passes, kVerdicts, verdictMemory, verdictCost, judge},
    ModelStage{"first_scores", {}, Phase::Passes, kTables, columnMemory, firstValueCost, computeValues},
    ModelStage{"first_findings", {}, Phase::Passes, {}, findingMemory, findingCost, findFindings},
    ModelStage{"summary", kComparing, Phase::Rest, kRows, nullptr, summaryCost, summarize},
    ModelStage{"embedding", kComparing, Phase::Rest, kIdentity, nullptr, embeddingCost, embed},
    ModelStage{"one_class", "in the one-class embedding", Phase::Rest, kOneClass, oneClassMemory, oneClassCost,
               embedOneClass},
    ModelStage{"distribution", kComparing, Phase::Rest, kDistribution, rowMemory, catalogCost<&CatalogCost::rowScores>,
               compareRows},
    ModelStage{"features", kComparing, Phase::Rest, kRows, featureMemory, catalogCost<&CatalogCost::features>,
               compareFeatures},
    ModelStage{"near_pairs", "nearby pairs", Phase::Rest, kRows, nearPairMemory, catalogCost<&CatalogCost::nearPairs>,
               findNearPairs},
    ModelStage{"likelihood", "feature likelihood", Phase::Rest, kLikelihood, likelihoodMemory, likelihoodCost,
               findLikelihood},
    ModelStage{"utility", "training a classifier", Phase::Rest, kUtility, utilityMemory, utilityCost, findUtility},
    ModelStage{"set_tests", kComparing, Phase::Rest, kSetTests, setTestMemory, setTestCost, testWholeSets},
    ModelStage{"scores", {}, Phase::Rest, kTables, gatheredMemory, valueCost, computeValues},
    ModelStage{"curves", "curves", Phase::Rest, kTables, perRowMemory, catalogCost<&CatalogCost::curves>,
               computeCurves},
    ModelStage{"intervals", "intervals", Phase::Rest, kWhole, intervalMemory, catalogCost<&CatalogCost::intervals>,
               resample},
    ModelStage{"findings", {}, Phase::Rest, {}, secondFindingMemory, secondFindingCost, findFindings},
};

} // namespace

void findPasses(ModelState& state, const JobContext& job) {
    findNeighbors(state, job);
}

AuditShape shapeOf(const AuditRequest& request, const EmbeddingSet& set, const AuditOptions& options) {
    return {.realRows = request.real->rows(),
            .rows = set.rows(),
            .heldOutRows = request.heldOut ? request.heldOut->rows() : 0,
            .dim = set.dim(),
            .labels = labelOutputs(*request.real),
            .fullCatalog = !options.tablesOnly && set.isWhole() && request.real->isWhole(),
            .options = options,
            .grouped = request.real->hasGroups() || set.hasGroups()};
}

StageMemory passMemory(std::size_t rows, std::size_t dim, std::size_t k) {
    return {0, GemmSearch::passBytes(rows, dim, k, false), GemmSearch::passBytes(rows, dim, k, true)};
}

std::size_t heldOutBasisBytes(const AuditShape& shape) {
    return shape.fullCatalog ? featureLikelihoodBytes(shape.realRows, shape.rows, shape.rows, shape.dim) : 0;
}

template <>
std::span<const ModelStage> stagesOf<ModelState>() {
    return kModelStages;
}

MetricInputs ModelState::inputs(const JobContext& job) const {
    return {.real = real,
            .pair = *audit.tables,
            .k = options.k,
            .results = results,
            .seed = options.seed,
            .threads = options.threads,
            .job = job,
            .cover = options.cover,
            .pairSearch = search.pairSearch(),
            .accelerator = search.accelerator()};
}

} // namespace assay
