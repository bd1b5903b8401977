#include "engine/audit/run/audit.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit_cost.h"
#include "engine/audit/run/stages.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/held_out/copy_test.h"
#include "engine/metrics/held_out/feature_likelihood.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Checks that a set has enough rows for the requested cover. The default sizes are accepted for every set; covers of
/// too small sets are then missing.
void requireRoomToCover(const CoverSizes& cover, const EmbeddingSet& set) {
    if (cover != CoverSizes{} && set.rows() <= cover.neighbors())
        throw Error(ErrorKind::InvalidArgument,
                    describe(set) + ": precision and recall cover: expected more than k' C = " +
                        std::to_string(cover.neighbors()) + " rows, found " + std::to_string(set.rows()));
}

/// Checks all arguments before anything is computed.
void check(const EmbeddingSet& real, const std::vector<AuditModel>& models, const AuditOptions& options) {
    requireMoreThan(options.k, real);
    constexpr std::size_t kMaxCover = std::size_t{1} << 16;
    for (const std::size_t size : {options.cover.k, options.cover.c})
        if (size < 1 || size > kMaxCover)
            throw Error(ErrorKind::InvalidArgument, "cover: expected sizes from 1 to " + std::to_string(kMaxCover) +
                                                        ", found " + std::to_string(size));
    if (!(options.falseDiscoveryRate > 0.0 && options.falseDiscoveryRate < 1.0))
        throw Error(ErrorKind::InvalidArgument, "false discovery rate: expected a number between 0 and 1, found " +
                                                    numberText(options.falseDiscoveryRate));
    requireRoomToCover(options.cover, real);
    for (std::size_t m = 0; m < models.size(); ++m) {
        requireComparable(real, *models[m].set);
        requireMoreThan(options.k, *models[m].set);
        requireRoomToCover(options.cover, *models[m].set);
        for (std::size_t other = 0; other < m; ++other)
            if (models[other].name == models[m].name)
                throw Error(ErrorKind::InvalidArgument,
                            "model names: expected each once, found '" + models[m].name + "' twice");
    }
}

/// Makes the search that runs the neighbour passes of a set.
std::unique_ptr<NeighborSearch> searchFor(const EmbeddingSet& set, const AuditOptions& options, const JobContext& job) {
    const MatrixView sample = set.matrix();
    return options.search ? options.search(sample, job) : makeLocalSearch(sample, options, job);
}

/// A model's unfinished audit and the search that runs its passes.
struct RunningModel {
    /// @param begun audit whose real set the model is compared with
    RunningModel(const AuditResult& begun, const AuditModel& model, const ModelAudit* heldOut,
                 const AuditOptions& options, const JobContext& job)
        : start(Clock::now()), search(searchFor(largerOf(*model.set, *begun.real->set), options, job)),
          state{*begun.real, begun.described.get(), heldOut, options, *search, {}, {}} {
        state.audit.name = model.name;
        state.audit.set = model.set;
        state.audit.backend = search->name();
        if (!options.tablesOnly)
            state.results.put(FullCatalogRequested{});
    }

    Clock::time_point start; ///< start of the current phase; the phases of other models run in between
    double secondsBefore = 0.0;
    std::unique_ptr<NeighborSearch> search;
    ModelState state;
};

/// Shares the results of the real and the held-out set's stages with a model.
void shareResults(StageResults& results, const RealDescription& described, const HeldOutAnalysis* heldOut) {
    const auto share = [&](const auto& part) {
        if (part != nullptr)
            results.putReference(*part);
    };
    share(described.centre);
    share(described.oneClass);
    share(described.rows);
    share(described.regions);
    if (heldOut != nullptr && heldOut->basis.likelihood != nullptr)
        results.putReference(heldOut->basis);
}

/// Runs one audit: first the neighbour passes of every model and the scores that need only these, then the rest.
class AuditRun {
public:
    AuditRun(const AuditRequest& request, AuditOptions options, AuditResult begun, const JobContext& job)
        : request_(request), options_(std::move(options)), result_(std::move(begun)), job_(job) {
        costs_ = costOf<RealState>(Phase::Passes, shapeOf(*request_.real)) * (result_.real ? 0.0 : 1.0);
        costs_ += needsDescription() ? costOf<RealState>(Phase::Rest, shapeOf(*request_.real)) : 0.0;
        for (const Phase phase : {Phase::Passes, Phase::Rest}) {
            for (const AuditModel& model : request_.models)
                costs_ += costOf<ModelState>(phase, shapeOf(*model.set));
            if (request_.heldOut && !result_.heldOut)
                costs_ += costOf<ModelState>(phase, shapeOf(*request_.heldOut));
        }
    }

    std::shared_ptr<const AuditResult> run() {
        runRealPasses();
        runHeldOutPasses();
        std::vector<std::unique_ptr<RunningModel>> models;
        const std::size_t before = result_.models.size();
        for (const AuditModel& model : request_.models) {
            models.push_back(runPasses(model, heldOutAudit()));
            if (needsRest(*model.set)) {
                auto known = std::make_shared<ModelAudit>(models.back()->state.audit);
                known->complete = false;
                publish(before + models.size() - 1, std::move(known));
            }
        }
        describeReal();
        describeHeldOut();
        for (std::size_t m = 0; m < models.size(); ++m)
            publish(before + m, finish(*std::exchange(models[m], nullptr)));
        return std::make_shared<const AuditResult>(std::move(result_));
    }

private:
    AuditShape shapeOf(const EmbeddingSet& set) const { return assay::shapeOf(request_, set, options_); }
    bool needsRest(const EmbeddingSet& set) const { return shapeOf(set).fullCatalog; }
    /// Whether the description of the real set is missing or incomplete. Audit files omit parts that follow from the
    /// sets.
    bool needsDescription() const {
        return needsRest(*request_.real) && (!result_.described || result_.described->rows == nullptr);
    }
    const ModelAudit* heldOutAudit() const {
        return heldOut_ ? &heldOut_->state.audit : result_.heldOut ? result_.heldOut->audit.get() : nullptr;
    }

    /// Next part of the job's progress, in proportion to its cost.
    JobContext next(const std::string& title, double cost) {
        const double begin = done_;
        done_ = costs_ > 0.0 ? std::min(1.0, done_ + cost / costs_) : 1.0;
        return cost > 0.0 ? job_.part(title, begin, done_) : job_.silent();
    }

    auto recorder(const std::string& name) const {
        return [this, name](std::string_view stage) {
            if (request_.stageDone)
                request_.stageDone(stage, name);
        };
    }

    void runRealPasses() {
        if (result_.real) {
            partitionAgain();
            return;
        }
        const auto start = Clock::now();
        const AuditShape shape = shapeOf(*request_.real);
        const JobContext job = next({}, costOf<RealState>(Phase::Passes, shape));
        auto real = std::make_shared<RealAnalysis>();
        real->set = request_.real;
        real->k = options_.k;
        realSearch_ =
            searchFor(*real->set, options_, job.part("Finding nearest neighbours of the real set", 0.0, kChoice));
        real->backend = realSearch_->name();
        RealState state{real, nullptr, request_.heldOut, options_, *realSearch_, {}};
        if (!options_.tablesOnly)
            state.results.put(FullCatalogRequested{});
        runStages(Phase::Passes, state, shape, job.part({}, kChoice, 1.0), recorder("real"));
        real->hardware = realSearch_->hardware();
        real->set->requireUnchanged(job_);
        real->seconds = secondsSince(start);
        result_.real = std::move(real);
    }

    /// An audit file leaves out which real rows count as one sample.
    void partitionAgain() {
        if (options_.tablesOnly || result_.real->partition != nullptr)
            return;
        auto real = std::make_shared<RealAnalysis>(*result_.real);
        realSearch_ = searchFor(*real->set, options_, job_.silent());
        RealState state{real, nullptr, request_.heldOut, options_, *realSearch_, {}};
        findPartition(state, job_.silent());
        result_.real = std::move(real);
    }

    void describeReal() {
        if (!needsDescription())
            return;
        const AuditShape shape = shapeOf(*request_.real);
        const JobContext job = next({}, costOf<RealState>(Phase::Rest, shape));
        if (!realSearch_)
            realSearch_ = searchFor(*request_.real, options_, job.silent());
        auto real = std::make_shared<RealAnalysis>(); // what stages of this phase read
        real->set = request_.real;
        real->k = options_.k;
        real->partition = result_.real->partition;
        auto described = std::make_shared<RealDescription>(result_.described ? *result_.described : RealDescription());
        RealState state{std::move(real), std::move(described), request_.heldOut, options_, *realSearch_, {}};
        state.results.put(FullCatalogRequested{});
        if (options_.oneClass)
            state.results.put(OneClassRequested{});
        runStages(Phase::Rest, state, shape, job, recorder("real"));
        request_.real->requireUnchanged(job_);
        state.described->hardware = realSearch_->hardware();
        result_.described = std::move(state.described);
    }

    void runHeldOutPasses() {
        if (request_.heldOut && !result_.heldOut)
            heldOut_ = runPasses({"held-out", request_.heldOut}, nullptr);
    }

    /// Finishes the audit of the held-out set and computes the reference data for metrics that compare with it.
    void describeHeldOut() {
        auto analysis = std::make_shared<HeldOutAnalysis>();
        if (heldOut_)
            analysis->audit = finish(*std::exchange(heldOut_, nullptr));
        else if (result_.heldOut && result_.heldOut->basis.likelihood == nullptr) // an audit file leaves it out
            analysis->audit = result_.heldOut->audit;
        else
            return;
        const EmbeddingSet& set = *analysis->audit->set;
        if (needsRest(set)) {
            const MatrixView training = request_.real->matrix();
            const NeighborTable& nearest = analysis->audit->tables->synthetic.nearest;
            const JobContext job = job_.part("Scoring the held-out set", done_, done_);
            analysis->basis.nearestReal = nearest.distancesAt(1);
            analysis->basis.regions = std::make_shared<const CopyTestRegions>(
                copyTestRegions(training, set.matrix(), nearest, {options_.seed, options_.threads, job}));
            analysis->basis.likelihood = std::make_shared<const LikelihoodBasis>(
                likelihoodBasis(training, set.matrix(), options_.seed, options_.threads, job));
            set.requireUnchanged(job_);
            recorder("held-out")("held_out_basis");
        }
        result_.heldOut = std::move(analysis);
    }

    std::string titleOf(const AuditModel& model) const {
        return model.set == request_.heldOut ? "Scoring the held-out set" : "Scoring " + model.name;
    }

    std::unique_ptr<RunningModel> runPasses(const AuditModel& model, const ModelAudit* heldOut) {
        const AuditShape shape = shapeOf(*model.set);
        const JobContext job = next(titleOf(model), costOf<ModelState>(Phase::Passes, shape));
        auto running = std::make_unique<RunningModel>(result_, model, heldOut, options_, job.part({}, 0.0, kChoice));
        runStages(Phase::Passes, running->state, shape, job.part({}, kChoice, 1.0), recorder(model.name));
        conclude(*running);
        return running;
    }

    std::shared_ptr<const ModelAudit> finish(RunningModel& running) {
        ModelState& state = running.state;
        running.secondsBefore = state.audit.seconds;
        running.start = Clock::now();
        state.described = result_.described.get();
        state.heldOut = heldOutAudit(); // published under another address by now
        const EmbeddingSet& set = *state.audit.set;
        const AuditShape shape = shapeOf(set);
        if (needsRest(set)) {
            state.results.put(SyntheticRows{set.matrix()});
            shareResults(state.results, *result_.described, result_.heldOut.get());
            if (state.audit.set != request_.heldOut && result_.described->utility != nullptr)
                state.results.putReference(*result_.described->utility);
        }
        const JobContext job =
            next(titleOf({state.audit.name, state.audit.set}), costOf<ModelState>(Phase::Rest, shape));
        runStages(Phase::Rest, state, shape, job, recorder(state.audit.name));
        conclude(running);
        request_.real->requireUnchanged(job_);
        set.requireUnchanged(job_);
        return std::make_shared<const ModelAudit>(std::move(state.audit));
    }

    /// Sets hardware and elapsed time of a model's audit.
    static void conclude(RunningModel& running) {
        ModelAudit& audit = running.state.audit;
        audit.hardware = running.search->hardware();
        audit.seconds = running.secondsBefore + secondsSince(running.start);
    }

    void publish(std::size_t index, std::shared_ptr<const ModelAudit> audit) {
        if (index < result_.models.size())
            result_.models[index] = std::move(audit);
        else
            result_.models.push_back(std::move(audit));
        if (request_.partial)
            request_.partial(std::make_shared<const AuditResult>(result_));
    }

    static constexpr double kChoice = 0.02; ///< share of a set's passes that the choice of the search takes

    const AuditRequest& request_;
    AuditOptions options_;
    AuditResult result_;
    const JobContext& job_;
    std::unique_ptr<NeighborSearch> realSearch_;
    std::unique_ptr<RunningModel> heldOut_;
    double costs_ = 0.0;
    double done_ = 0.0;
};

} // namespace

const EmbeddingSet& largerOf(const EmbeddingSet& a, const EmbeddingSet& b) {
    return a.rows() > b.rows() ? a : b;
}

AuditOptions continued(const AuditResult& audit, AuditOptions options) {
    options.k = audit.k;
    options.seed = audit.seed;
    options.oneClass = audit.described && audit.described->oneClass;
    options.cover = audit.cover;
    options.falseDiscoveryRate = audit.falseDiscoveryRate;
    return options;
}

std::shared_ptr<const AuditResult> runAudit(const AuditRequest& request, const JobContext& job) {
    std::vector<AuditModel> heldOut;
    if (request.heldOut)
        heldOut.push_back({"held-out", request.heldOut});
    check(*request.real, heldOut, request.options);
    check(*request.real, request.models, request.options);
    if (request.options.oneClass && !request.real->isWhole())
        throw Error(ErrorKind::InvalidArgument, "the one-class embedding: expected one process with all rows of " +
                                                    describe(*request.real) + ", found them shared between several");
    AuditResult begun;
    begun.k = request.options.k;
    begun.seed = request.options.seed;
    begun.cover = request.options.cover;
    begun.falseDiscoveryRate = request.options.falseDiscoveryRate;
    return AuditRun(request, withinMemory(request), std::move(begun), job).run();
}

std::shared_ptr<const AuditResult> addModels(const AuditResult& base, const std::vector<AuditModel>& models,
                                             const AuditOptions& given, const JobContext& job) {
    std::vector<AuditModel> all;
    for (const auto& model : base.models)
        all.push_back({model->name, model->set});
    all.insert(all.end(), models.begin(), models.end());
    AuditRequest request{base.real->set, models, continued(base, given), {}};
    if (base.heldOut)
        request.heldOut = base.heldOut->audit->set;
    check(*base.real->set, all, request.options);
    return AuditRun(request, withinMemory(request, &base), base, job).run();
}

} // namespace assay
