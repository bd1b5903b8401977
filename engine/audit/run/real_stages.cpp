#include "engine/audit/run/audit_cost.h"
#include "engine/audit/run/further_passes.h"
#include "engine/audit/run/stages.h"
#include "engine/math/linear/centre.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/utility/utility.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace assay {
namespace {

void findNeighbors(RealState& state, const JobContext& job) {
    RealAnalysis& real = *state.analysis;
    const EmbeddingSet& set = *real.set;
    real.neighbors = state.search.within(set.matrix(), ownNeighbors(state.options, set.rows() - 1), job);
    real.radius = real.neighbors.distancesAt(real.k);
    real.medianRadius = median(real.radius);
    real.innerRadius = metrics::mapped(real.radius, [&](double radius) { return std::min(radius, real.medianRadius); });
    real.notAuthentic = notAuthenticShare(real.neighbors);
    real.entropy = metrics::meanOf(metrics::entropyTerms(real.radius, set.rows() - 1, real.k, set.dim()));
}

/// Counts per real sample the clipped balls of other samples that contain it. The stored neighbours suffice, except for
/// balls that contain the whole list (more ties than stored neighbours); one further pass counts those balls.
void countClippedBalls(RealState& state, const JobContext& job) {
    RealAnalysis& real = *state.analysis;
    const std::size_t rows = real.set->rows();
    const NeighborTable& table = real.neighbors;
    std::vector<std::uint32_t> holding(rows, 0);
    std::vector<std::uint32_t> cutOff;
    std::vector<double> radius;
    for (std::size_t i = 0; i < rows; ++i) {
        if (table.k + 1 < rows && table.distanceAt(i, table.k - 1) <= real.innerRadius[i]) {
            cutOff.push_back(static_cast<std::uint32_t>(i));
            radius.push_back(real.innerRadius[i]);
            continue;
        }
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(i, rank) <= real.innerRadius[i]; ++rank)
            ++holding[table.indexAt(i, rank)];
    }
    if (!cutOff.empty()) {
        const std::vector<std::uint32_t> counted = state.search.ballsHolding(real.set->matrix(), cutOff, radius, job);
        for (std::size_t i = 0; i < rows; ++i)
            holding[i] += counted[i];
    }
    real.innerHolding = std::move(holding);
}

void summarize(RealState& state, const JobContext& job) {
    const MatrixView rows = state.analysis->set->matrix();
    RowSummary summary = summarizeRows(rows, state.options.threads, job.part({}, 0.0, 0.5));
    if (!state.described->centre) { // else an audit file's, with more in it than the tables
        state.described->centre = std::make_shared<const RealCentre>(
            RealCentre::of(rows, summary.mean, state.options.threads, job.part({}, 0.5, 1.0)));
        state.described->scales = featureScales(rows);
    }
    state.results.put(std::move(summary));
}

void findRegions(RealState& state, const JobContext& job) {
    const EmbeddingSet& set = *state.analysis->set;
    const ComputeContext context{state.options.seed, state.options.threads, job.part({}, 0.0, 0.0)}; // several searches
    const RowSearch search(state.search, set.matrix(), state.options, context.job);
    state.described->regions = std::make_shared<const RealRegions>(
        cutRegions(comparedRows(set, *state.analysis->partition, context), *search, context));
}

void describeRows(RealState& state, const JobContext& job) {
    state.described->rows = std::make_shared<const RealRows>(analyzeRealRows(
        state.analysis->set->matrix(), state.results.get<RowSummary>(), state.analysis->set->published(),
        {state.options.seed, state.options.threads, job, state.search.accelerator()}));
}

void findUtility(RealState& state, const JobContext& job) {
    state.described->utility = std::make_shared<const RealUtility>(
        realUtility(state.analysis->set, state.heldOut, {state.options.seed, state.options.threads, job}));
}

void train(RealState& state, const JobContext& job) {
    if (!state.described->oneClass)
        state.described->oneClass = findOneClass(*state.analysis->set, state.options, job);
}

constexpr std::size_t kBytesPerWeight = 4 + 2 * 8 + 16 * 4; // engine/metrics/one_class/one_class_network.h

StageMemory neighborMemory(const AuditShape& shape) {
    const std::size_t k = ownNeighbors(shape.options, shape.realRows);
    StageMemory need = passMemory(shape.realRows, shape.dim, k);
    need.kept = shape.realRows * (kScalarBytes + k * kNeighborBytes);
    return need;
}
/// Distances of every row, groups of equal rows, and rows that are searched again.
StageMemory partitionMemory(const AuditShape& shape) {
    constexpr std::size_t kBytesPerRow = 256;
    StageMemory need = whileRunning(shape, gatheredBytes(shape.realRows, shape.dim) + shape.realRows * kBytesPerRow);
    constexpr std::size_t kKeptPerRow = 4 * sizeof(double) + 4 * sizeof(std::uint32_t);
    need.kept = shape.fullCatalog ? shape.realRows * kKeptPerRow : 0;
    return need;
}
StageMemory modeMemory(const AuditShape& shape) {
    return whileRunning(shape, gatheredBytes(shape.realRows, shape.dim));
}
StageMemory rowMemory(const AuditShape& shape) {
    if (!shape.fullCatalog)
        return {};
    const RowScoresNeed need = rowScoresNeed(shape.realRows, shape.dim);
    return {need.kept, need.working, need.working};
}
StageMemory utilityMemory(const AuditShape& shape) {
    const std::size_t tested = shape.heldOutRows > 0 ? shape.heldOutRows : shape.realRows;
    return whileRunning(shape, shape.labels > 0 ? utilityBytes(shape.realRows, tested, shape.dim, shape.labels) : 0);
}
/// The network, its optimiser's means and a gradient per stripe of rows; then the embedded set, which is searched.
StageMemory trainingMemory(const AuditShape& shape) {
    if (!shape.options.oneClass)
        return {};
    StageMemory need = passMemory(shape.realRows, shape.dim, 1);
    need.kept = OneClassNetwork::weightCount(shape.dim) * kBytesPerWeight;
    need.working += shape.realRows * shape.dim * sizeof(float);
    need.lean += shape.realRows * shape.dim * sizeof(float);
    return need;
}

double neighborCost(const AuditShape& shape) {
    return costs(shape).within(shape.realRows);
}
double ballCost(const AuditShape& shape) {
    return costs(shape).values(shape.realRows);
}
double summaryCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).reading(shape.realRows) : 0.0;
}
double partitionCost(const AuditShape& shape) {
    return shape.options.tablesOnly ? 0.0 : costs(shape).values(shape.realRows);
}
double modeCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).modes(shape.realRows) : 0.0;
}
double rowCost(const AuditShape& shape) {
    return shape.fullCatalog ? costs(shape).rowScores(shape.realRows) : 0.0;
}
double utilityCost(const AuditShape& shape) {
    constexpr double kFoldRows = 4.0; // rows that five folds train on, as a multiple of the set's
    const double products = linearModelProducts(shape.realRows, shape.dim, shape.labels);
    return shape.fullCatalog ? costs(shape).utility(products * (shape.heldOutRows > 0 ? 1.0 : kFoldRows)) : 0.0;
}
double trainingCost(const AuditShape& shape) {
    return shape.options.oneClass ? costs(shape).training(shape.realRows) : 0.0;
}

constexpr std::array kWhole{kResultType<FullCatalogRequested>};
constexpr std::array kOneClass{kResultType<OneClassRequested>};
constexpr std::array kSummary{kResultType<RowSummary>};
constexpr std::string_view kFinding = "Finding nearest neighbours of the real set";
constexpr std::string_view kDescribing = "Describing the distribution of the real set";

constexpr std::array kRealStages{
    RealStage{"real_neighbors", kFinding, Phase::Passes, {}, neighborMemory, neighborCost, findNeighbors},
    RealStage{"real_balls", kFinding, Phase::Passes, {}, nullptr, ballCost, countClippedBalls},
    RealStage{"real_partition", kFinding, Phase::Passes, kWhole, partitionMemory, partitionCost, findPartition},
    RealStage{"real_summary", kDescribing, Phase::Rest, kWhole, nullptr, summaryCost, summarize},
    RealStage{"real_regions", kDescribing, Phase::Rest, kWhole, modeMemory, modeCost, findRegions},
    RealStage{"real_distribution", kDescribing, Phase::Rest, kSummary, rowMemory, rowCost, describeRows},
    RealStage{"real_utility", "Training a classifier on the real set", Phase::Rest, kWhole, utilityMemory, utilityCost,
              findUtility},
    RealStage{"training", "Training the one-class network on the real set", Phase::Rest, kOneClass, trainingMemory,
              trainingCost, train},
};

} // namespace

void findPasses(RealState& state, const JobContext& job) {
    findNeighbors(state, job.part({}, 0.0, 0.9));
    countClippedBalls(state, job.part({}, 0.9, 1.0));
}

void findPartition(RealState& state, const JobContext& job) {
    RealAnalysis& real = *state.analysis;
    const EmbeddingSet& set = *real.set;
    const ComputeContext context{state.options.seed, state.options.threads, job.part({}, 0.0, 0.0)};
    std::optional<RowSearch> search;
    if (set.isWhole())
        search.emplace(state.search, set.matrix(), state.options, context.job);
    real.partition = std::make_shared<const RealPartition>(
        partitionReal(set, real.neighbors, real.k, set.isWhole() ? &**search : nullptr, context));
}

template <>
std::span<const RealStage> stagesOf<RealState>() {
    return kRealStages;
}

bool haveAll(const StageResults& results, std::span<const ResultType> needs) {
    return std::ranges::all_of(needs, [&](ResultType need) { return results.has(need); });
}

} // namespace assay
