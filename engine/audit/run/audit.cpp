#include "engine/audit/run/audit.h"
#include "engine/audit/findings/findings.h"

#include "engine/audit/run/evaluation_embeddings.h"
#include "engine/audit/run/judge.h"
#include "engine/audit/run/memory_need.h"
#include "engine/audit/run/pass_cost.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel.h"
#include "engine/data/set_requirements.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/balls/catalog_curves.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What was asked for has to be there; the usual sizes give way to sets of a few rows, which have no cover then.
void requireRoomToCover(const CoverSizes& cover, const EmbeddingSet& set) {
    if (cover != CoverSizes{} && set.rows() <= cover.neighbors())
        throw Error(ErrorKind::InvalidArgument,
                    describe(set) + ": precision and recall cover: expected more than k' C = " +
                        std::to_string(cover.neighbors()) + " rows, found " + std::to_string(set.rows()));
}

/// Everything that can be refused, before anything is computed.
void check(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options) {
    requireMoreThan(options.k, real);
    constexpr std::size_t kMostCover = std::size_t{1} << 16;
    for (const std::size_t size : {options.cover.k, options.cover.c})
        if (size < 1 || size > kMostCover)
            throw Error(ErrorKind::InvalidArgument, "cover: expected sizes from 1 to " + std::to_string(kMostCover) +
                                                        ", found " + std::to_string(size));
    if (!(options.falseDiscoveryRate > 0.0 && options.falseDiscoveryRate < 1.0))
        throw Error(ErrorKind::InvalidArgument, "false discovery rate: expected a number between 0 and 1, found " +
                                                    numberText(options.falseDiscoveryRate));
    requireRoomToCover(options.cover, real);
    for (std::size_t m = 0; m < models.size(); ++m) {
        requireSameDimension(real, *models[m].set);
        requireMoreThan(options.k, *models[m].set);
        requireRoomToCover(options.cover, *models[m].set);
        for (std::size_t other = 0; other < m; ++other)
            if (models[other].name == models[m].name)
                throw Error(ErrorKind::InvalidArgument,
                            "model names: expected each once, found '" + models[m].name + "' twice");
    }
}

double median(std::vector<double> values) {
    const std::size_t half = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
    const double upper = values[half];
    if (values.size() % 2 == 1)
        return upper;
    return (*std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half)) + upper) / 2.0;
}

/// Per real sample: clipped balls of the others that hold it. The stored neighbours answer it, but for rows whose whole
/// list lies inside their ball (more ties than stored): those balls are counted by a pass of their own.
std::vector<std::uint32_t> countClippedBalls(const RealAnalysis& real, const AuditSearch& search,
                                             const JobContext& job) {
    const std::size_t rows = real.set->rows();
    const NeighborTable& table = real.neighbors;
    std::vector<std::uint32_t> holding(rows, 0);
    std::vector<std::uint32_t> cutOff;
    std::vector<double> radius;
    for (std::size_t i = 0; i < rows; ++i) {
        if (table.k + 1 < rows && table.distanceAt(i, table.k - 1) <= real.clippedRadius[i]) {
            cutOff.push_back(static_cast<std::uint32_t>(i));
            radius.push_back(real.clippedRadius[i]);
            continue;
        }
        for (std::size_t rank = 0; rank < table.k && table.distanceAt(i, rank) <= real.clippedRadius[i]; ++rank)
            ++holding[table.indexAt(i, rank)];
    }
    if (cutOff.empty())
        return holding;
    const std::vector<std::uint32_t> counted = search.ballsHolding(*real.set, cutOff, radius, job);
    for (std::size_t i = 0; i < rows; ++i)
        holding[i] += counted[i];
    return holding;
}

/// Whether more than the tables is computed.
bool wholeCatalog(const EmbeddingSet& set, const AuditOptions& options) {
    return set.isWhole() && !options.tablesOnly;
}

/// Who answers the passes around a set.
std::unique_ptr<AuditSearch> searchFor(const EmbeddingSet& set, const AuditOptions& options, const JobContext& job) {
    return options.search ? options.search(set, job) : makeLocalSearch(set, options, job);
}

PairTables searchPair(const RealAnalysis& real, const EmbeddingSet& set, const AuditOptions& options,
                      const AuditSearch& search, const JobContext& job) {
    PairTables tables;
    const std::size_t realRows = real.set->rows();
    const std::size_t rows = set.rows();
    const PassCost cost(options.backend, set.dim());
    const double selfShare = cost.within(rows) / (cost.within(rows) + cost.between(realRows, rows));
    tables.syntheticToSynthetic =
        search.selfNeighbors(set, ownNeighbors(options, rows - 1), job.part({}, 0.0, selfShare));
    tables.syntheticRadius = tables.syntheticToSynthetic.distancesAt(options.k);
    // So that the curve over k need not look for them again; in little memory it does.
    const auto largestBalls = [&](const NeighborTable& own) {
        return wholeCatalog(set, options) && !options.lean
                   ? own.distancesAt(std::min(curves::kLargestSensitivityK, own.k))
                   : std::vector<double>();
    };
    const std::vector<double> realBalls = largestBalls(real.neighbors);
    const std::vector<double> syntheticBalls = largestBalls(tables.syntheticToSynthetic);
    CrossResult cross =
        search.cross({*real.set, set, crossNeighbors(options, rows), crossNeighbors(options, realRows), real.radius,
                      real.clippedRadius, tables.syntheticRadius, realBalls, syntheticBalls},
                     job.part({}, selfShare, 1.0));
    tables.furtherSynthetic = std::move(cross.furtherA);
    tables.furtherReal = std::move(cross.furtherB);
    tables.realToSynthetic = std::move(cross.aToB);
    tables.syntheticToReal = std::move(cross.bToA);
    tables.insideBall = std::move(cross.insideBallA);
    tables.insideClippedBall = std::move(cross.insideInnerBallA);
    tables.ballsHolding = std::move(cross.ballsAHolding);
    tables.clippedBallsHolding = std::move(cross.innerBallsAHolding);
    tables.syntheticBallsHolding = std::move(cross.ballsBHolding);
    return tables;
}

/// Rows of a catalogue that this audit has everything for.
template <typename Row>
std::vector<const Row*> availableOf(std::span<const Row> catalog, const MetricInputs& inputs) {
    std::vector<const Row*> rows;
    for (const Row& row : catalog)
        if (have(inputs, row.needs))
            rows.push_back(&row);
    return rows;
}

/// Aggregates and per-sample columns: each is quick and needs no other, so that several are found at a time.
void computeValues(const MetricInputs& given, ModelAudit& audit) {
    MetricInputs inputs = given;
    inputs.job = given.job.silent(); // for threads beside the job's own
    const std::vector<const Metric*> metrics = availableOf(metricCatalog(), inputs);
    const std::vector<const Column*> columns = availableOf(columnCatalog(), inputs);
    audit.metrics.resize(metrics.size());
    audit.columns.resize(columns.size());
    parallelFor(metrics.size() + columns.size(), inputs.threads, inputs.job, [&](std::size_t row, unsigned) {
        if (row < metrics.size()) {
            audit.metrics[row] = {metrics[row]->id, metrics[row]->compute(inputs)};
            return;
        }
        const Column& column = *columns[row - metrics.size()];
        audit.columns[row - metrics.size()] = {column.id, column.compute(inputs)};
    });
}

/// All of the catalogue that this audit has everything for.
void computeCatalog(const RealAnalysis& real, ModelAudit& audit, const AuditOptions& options, const RowSummary& summary,
                    const EvaluationEmbeddings& embeddings, const HeldOutAnalysis* heldOut, const AuditSearch& search,
                    const JobContext& job) {
    MetricInputs inputs{real, audit.tables, options.k};
    // Where several machines share large sets, none of them has all rows.
    inputs.synthetic = embeddings.identity ? audit.set.get() : nullptr;
    inputs.identity = embeddings.identity ? &*embeddings.identity : nullptr;
    inputs.oneClass = embeddings.oneClass ? &*embeddings.oneClass : nullptr;
    inputs.seed = options.seed;
    inputs.threads = options.threads;
    inputs.heldOut = heldOut != nullptr ? &heldOut->basis : nullptr;
    inputs.cover = options.cover;
    const CatalogCost cost = PassCost(options.backend, real.set->dim()).catalog(real.set->rows(), audit.set->rows());
    const double rowsEnd = cost.rowScores / cost.all();
    const double nearEnd = rowsEnd + cost.nearPairs / cost.all();
    const double curvesEnd = nearEnd + cost.curves / cost.all();
    std::optional<RowScores> rows;
    if (inputs.synthetic != nullptr && real.rows != nullptr) {
        rows = scoreRows(real.set->matrix(), *real.rows, inputs.synthetic->matrix(), summary, options.seed,
                         options.threads, job.part({}, 0.0, rowsEnd), search.accelerator());
        inputs.rows = &*rows;
    }
    inputs.job = job.part({}, rowsEnd, nearEnd);
    std::optional<NearPairScores> nearPairs;
    if (inputs.synthetic != nullptr) {
        nearPairs = findNearPairScores(inputs, pairFinderFor(audit.backend));
        inputs.nearPairs = &*nearPairs;
    }
    inputs.job = job.part({}, nearEnd, nearEnd);
    std::optional<VerdictScores> verdicts;
    if (!options.tablesOnly) {
        verdicts =
            judgeSamples(inputs, *audit.set, heldOut != nullptr ? heldOut->audit.get() : nullptr, options, search);
        inputs.verdicts = &*verdicts;
    }
    std::optional<FeatureLikelihood> likelihood;
    if (inputs.synthetic != nullptr && heldOut != nullptr && heldOut->basis.likelihood != nullptr) {
        likelihood = featureLikelihood(*heldOut->basis.likelihood, inputs.synthetic->matrix(), options.seed,
                                       options.threads, inputs.job);
        inputs.likelihood = &*likelihood;
    }
    computeValues(inputs, audit);
    for (const Curve* curve : availableOf(curveCatalog(), inputs)) {
        job.throwIfStopped();
        audit.curves.push_back(curve->compute(inputs));
    }
    if (verdicts)
        audit.good = goodColumns(std::move(verdicts->good));
    audit.diagnostics = diagnose(real, audit.tables, options.k);
    if (options.tablesOnly)
        return;
    inputs.job = job.part({}, curvesEnd, 1.0);
    Uncertainty uncertainty = resampleMetrics(inputs, audit);
    audit.intervals = std::move(uncertainty.intervals);
    audit.resamples = std::move(uncertainty.resamples);
}

/// The passes' share of the work on the real set, training apart, or on a model.
double passShareOfReal(const EmbeddingSet& real, const AuditOptions& options) {
    const PassCost cost(options.backend, real.dim());
    const double passes = cost.within(real.rows());
    return passes / (passes + (wholeCatalog(real, options) ? cost.rowScores(real.rows()) : 0.0));
}

double passShareOfModel(const EmbeddingSet& real, const EmbeddingSet& model, const AuditOptions& options) {
    const PassCost cost(options.backend, real.dim());
    const double passes = cost.within(model.rows()) + cost.between(real.rows(), model.rows());
    return passes / (passes + (wholeCatalog(model, options) ? cost.catalog(real.rows(), model.rows()).all() : 0.0));
}

/// Of the work on the real set.
double trainingShare(const EmbeddingSet& real, const AuditOptions& options) {
    const PassCost cost(options.backend, real.dim());
    const double rest = cost.within(real.rows()) / passShareOfReal(real, options);
    return cost.training(real.rows()) / (cost.training(real.rows()) + rest);
}

/// What metrics of the embeddings as a whole need of the real set.
void describeRows(RealAnalysis& real, const RowSummary& summary, const AuditOptions& options, const AuditSearch& search,
                  const JobContext& job) {
    const MatrixView rows = real.set->matrix();
    const RowSearch rowSearch(search, rows, options, job);
    real.modes = std::make_shared<const RealModes>(
        findModes(rows, options.seed, *rowSearch, options.threads, job.part({}, 0.0, 0.0)));
    real.rows = std::make_shared<const RealRows>(
        analyzeRealRows(rows, summary, options.seed, options.threads, job, search.accelerator()));
}

/// What metrics that compare with a held-out set need of both real sets.
void describeHeldOut(HeldOutAnalysis& heldOut, const RealAnalysis& real, const AuditOptions& options,
                     const JobContext& job) {
    const MatrixView training = real.set->matrix();
    const MatrixView rows = heldOut.audit->set->matrix();
    const NeighborTable& nearest = heldOut.audit->tables.syntheticToReal;
    heldOut.basis.nearestReal = nearest.distancesAt(1);
    heldOut.basis.regions = std::make_shared<const CopyTestRegions>(
        copyTestRegions(training, rows, nearest, options.seed, options.threads, job.part({}, 0.0, 0.33)));
    heldOut.basis.likelihood = std::make_shared<const LikelihoodBasis>(
        likelihoodBasis(training, rows, options.seed, options.threads, job.part({}, 0.33, 1.0)));
}

} // namespace

std::shared_ptr<const RealAnalysis> analyzeReal(std::shared_ptr<const EmbeddingSet> real, const AuditOptions& options,
                                                const JobContext& job) {
    requireMoreThan(options.k, *real);
    if (options.oneClass && !real->isWhole())
        throw Error(ErrorKind::InvalidArgument, "the one-class embedding: expected one process with all rows of " +
                                                    describe(*real) + ", found them shared between several");
    const auto start = Clock::now();
    auto analysis = std::make_shared<RealAnalysis>();
    analysis->set = std::move(real);
    analysis->k = options.k;
    const EmbeddingSet& set = *analysis->set;
    const double trained = options.oneClass ? trainingShare(set, options) : 0.0;
    const double searched = 0.98 * passShareOfReal(set, options);
    const std::string finding = "Finding nearest neighbours of the real set";
    // First the search: it says what there is to train on.
    const double chosen = (1.0 - trained) * 0.02 * searched;
    const auto search = searchFor(set, options, job.part(finding, 0.0, chosen));
    analysis->backend = search->backend();
    if (options.oneClass)
        analysis->oneClass =
            findOneClass(set, options, search->accelerator(),
                         job.part("Training the one-class network on the real set", chosen, chosen + trained));
    const JobContext rest = job.part({}, trained, 1.0);
    analysis->neighbors = search->selfNeighbors(set, ownNeighbors(options, set.rows() - 1),
                                                rest.part(finding, 0.02 * searched, searched));
    analysis->radius = analysis->neighbors.distancesAt(options.k);
    analysis->medianRadius = median(analysis->radius);
    analysis->clippedRadius = analysis->radius;
    for (double& radius : analysis->clippedRadius)
        radius = std::min(radius, analysis->medianRadius);
    const JobContext describing = rest.part("Describing the distribution of the real set", searched, 1.0);
    const double counted = 0.01 / (1.0 - searched);
    analysis->clippedBallsHolding = countClippedBalls(*analysis, *search, describing.part({}, 0.0, counted));
    analysis->notAuthentic = notAuthenticShare(analysis->neighbors);
    analysis->entropy = metrics::meanOf(metrics::entropyTerms(analysis->radius, set.rows() - 1, options.k, set.dim()));
    if (set.isWhole() && !options.tablesOnly) {
        const RowSummary summary =
            summarizeRows(set.matrix(), options.threads, describing.part({}, counted, 2.0 * counted));
        const JobContext last = describing.part({}, 2.0 * counted, 1.0);
        analysis->centre = std::make_shared<const RealCentre>(
            RealCentre::of(set.matrix(), summary.mean, options.threads, last.part({}, 0.0, 0.0)));
        analysis->scales = featureScales(set.matrix());
        describeRows(*analysis, summary, options, *search, last);
    }
    analysis->hardware = search->hardware();
    set.requireUnchanged(job);
    analysis->seconds = secondsSince(start);
    return analysis;
}

std::shared_ptr<const ModelAudit> auditModel(const RealAnalysis& real, const AuditModel& model,
                                             const AuditOptions& options, const JobContext& job,
                                             const HeldOutAnalysis* heldOut) {
    requireSameDimension(*real.set, *model.set);
    requireMoreThan(options.k, *model.set);
    const auto start = Clock::now();
    auto audit = std::make_shared<ModelAudit>();
    audit->name = model.name;
    audit->set = model.set;
    const double passes = 0.99 * passShareOfModel(*real.set, *model.set, options);
    // With the one-class embedding one more search follows, of one side for one neighbour.
    const double searched = real.oneClass ? 0.77 * passes : passes;
    const auto search = searchFor(*model.set, options, job.part({}, 0.0, 0.02 * searched));
    audit->backend = search->backend();
    audit->tables = searchPair(real, *model.set, options, *search, job.part({}, 0.02 * searched, searched));
    RowSummary summary;
    EvaluationEmbeddings embeddings;
    if (wholeCatalog(*model.set, options)) {
        summary = summarizeRows(model.set->matrix(), options.threads, job.part({}, searched, searched));
        embeddings =
            evaluate(real, *model.set, summary.mean, audit->tables, options, job.part({}, searched, passes + 0.01));
    }
    computeCatalog(real, *audit, options, summary, embeddings, heldOut, *search,
                   job.part("comparing distributions", passes + 0.01, 1.0));
    if (real.modes != nullptr && wholeCatalog(*model.set, options)) {
        const RowSearch rowSearch(*search, model.set->matrix(), options, job);
        audit->modeCounts = countModes(*real.modes, model.set->matrix(), *rowSearch, job.part({}, 1.0, 1.0));
    }
    const Subject subject{real, heldOut, *audit, options.falseDiscoveryRate};
    audit->findings = findingsOf(subject);
    audit->summary = summaryOf(subject, audit->findings);
    audit->hardware = search->hardware();
    real.set->requireUnchanged(job);
    audit->set->requireUnchanged(job);
    audit->seconds = secondsSince(start);
    job.checkpoint(1.0);
    return audit;
}

std::shared_ptr<const HeldOutAnalysis> analyzeHeldOut(const RealAnalysis& real,
                                                      const std::shared_ptr<const EmbeddingSet>& heldOut,
                                                      const AuditOptions& options, const JobContext& job) {
    auto analysis = std::make_shared<HeldOutAnalysis>();
    analysis->audit = auditModel(real, {"held-out", heldOut}, options, job.part({}, 0.0, 0.85));
    if (options.tablesOnly || !real.set->isWhole() || !heldOut->isWhole())
        return analysis;
    describeHeldOut(*analysis, real, options, job.part({}, 0.85, 1.0));
    heldOut->requireUnchanged(job);
    return analysis;
}

namespace {

/// The models' own passes and what comes on top, in the unit of PassCost.
double costOf(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options) {
    const PassCost cost(options.backend, real.dim());
    double sum = 0.0;
    for (const AuditModel& model : models)
        sum += (cost.within(model.set->rows()) + cost.between(real.rows(), model.set->rows())) /
               passShareOfModel(real, *model.set, options);
    return sum;
}

/// The options with which the audit fits this machine. Where several machines share it, each holds a part: they see to
/// it themselves.
/// @param heldOut audited too, or null
AuditOptions fitted(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options,
                    const EmbeddingSet* heldOut) {
    if (options.search)
        return options;
    std::size_t beyond = 0;
    for (const AuditModel& model : models)
        if (heldOut != nullptr)
            beyond =
                std::max(beyond, featureLikelihoodBytes(real.rows(), heldOut->rows(), model.set->rows(), real.dim()));
    return withinMemory(real, models, options, beyond);
}

/// Audits `models` one after the other on top of `result`, publishing after each.
std::shared_ptr<const AuditResult> auditAll(AuditResult result, const std::vector<AuditModel>& models,
                                            const AuditOptions& options,
                                            const std::function<void(std::shared_ptr<const AuditResult>)>& partial,
                                            const JobContext& job) {
    const EmbeddingSet& real = *result.real->set;
    const double whole = costOf(real, models, options);
    double done = 0.0;
    for (const AuditModel& model : models) {
        const double begin = std::exchange(done, done + costOf(real, {model}, options));
        result.models.push_back(auditModel(*result.real, model, options,
                                           job.part("Scoring " + model.name, begin / whole, done / whole),
                                           result.heldOut.get()));
        if (partial)
            partial(std::make_shared<const AuditResult>(result));
    }
    return std::make_shared<const AuditResult>(std::move(result));
}

} // namespace

std::shared_ptr<const AuditResult> runAudit(const AuditRequest& request, const JobContext& job) {
    std::vector<AuditModel> heldOut;
    if (request.heldOut)
        heldOut.push_back({"held-out", request.heldOut});
    check(*request.real, heldOut, request.options);
    check(*request.real, request.models, request.options);
    std::vector<AuditModel> all = request.models;
    all.insert(all.end(), heldOut.begin(), heldOut.end());
    const AuditOptions options = fitted(*request.real, all, request.options, request.heldOut.get());
    AuditResult result;
    result.k = request.options.k;
    result.seed = request.options.seed;
    result.cover = request.options.cover;
    result.falseDiscoveryRate = request.options.falseDiscoveryRate;
    const PassCost cost(options.backend, request.real->dim());
    const double realCost = cost.within(request.real->rows()) / passShareOfReal(*request.real, options) +
                            (options.oneClass ? cost.training(request.real->rows()) : 0.0);
    const double whole = realCost + costOf(*request.real, all, options);
    const double realShare = realCost / whole;
    const double modelsFrom = 1.0 - costOf(*request.real, request.models, options) / whole;
    result.real = analyzeReal(request.real, options, job.part({}, 0.0, realShare));
    if (request.heldOut)
        result.heldOut = analyzeHeldOut(*result.real, request.heldOut, options,
                                        job.part("Scoring the held-out set", realShare, modelsFrom));
    return auditAll(std::move(result), request.models, options, request.partial, job.part({}, modelsFrom, 1.0));
}

namespace {

/// What an audit file leaves out, because it follows from the sets (engine/store/audit_file.h), found again where
/// further models need it.
AuditResult completed(AuditResult audit, const AuditOptions& options, const JobContext& job) {
    const bool hasMore = audit.real->centre != nullptr; // than the tables
    if (hasMore && audit.real->rows == nullptr) {
        auto real = std::make_shared<RealAnalysis>(*audit.real);
        const auto search = searchFor(*real->set, options, job);
        describeRows(*real, summarizeRows(real->set->matrix(), options.threads, job), options, *search, job);
        audit.real = std::move(real);
    }
    if (hasMore && audit.heldOut && audit.heldOut->basis.likelihood == nullptr) {
        auto heldOut = std::make_shared<HeldOutAnalysis>(*audit.heldOut);
        describeHeldOut(*heldOut, *audit.real, options, job);
        audit.heldOut = std::move(heldOut);
    }
    return audit;
}

} // namespace

std::shared_ptr<const AuditResult> addModels(const AuditResult& base, const std::vector<AuditModel>& models,
                                             const AuditOptions& given, const JobContext& job) {
    std::vector<AuditModel> all;
    for (const auto& model : base.models)
        all.push_back({model->name, model->set});
    all.insert(all.end(), models.begin(), models.end());
    AuditOptions same = given;
    same.k = base.k;
    same.seed = base.seed;
    same.oneClass = base.real->oneClass != nullptr;
    same.cover = base.cover;
    same.falseDiscoveryRate = base.falseDiscoveryRate;
    check(*base.real->set, all, same);
    const AuditOptions options =
        fitted(*base.real->set, models, same, base.heldOut ? base.heldOut->audit->set.get() : nullptr);
    return auditAll(completed(base, options, job.part("Describing the distribution of the real set", 0.0, 0.0)), models,
                    options, {}, job);
}

} // namespace assay
