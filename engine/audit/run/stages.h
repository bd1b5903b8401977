#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/audit/run/audit_cost.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace assay {

/// Sizes from which a stage's cost and memory are computed.
struct AuditShape {
    std::size_t realRows = 0;
    std::size_t rows = 0;        ///< rows of the model's set
    std::size_t heldOutRows = 0; ///< 0 without a held-out set
    std::size_t dim = 0;
    std::size_t labels = 0; ///< outputs that predict the real labels: one per class, 1 for numbers; 0 without labels
    bool fullCatalog =
        true; ///< whether scores beyond the neighbour tables are computed and this process holds all rows
    const AuditOptions& options;
    bool grouped = false; ///< whether samples of either set belong together
};

/// The shape of a set's audit within a request. `options` is kept by reference.
AuditShape shapeOf(const AuditRequest& request, const EmbeddingSet& set, const AuditOptions& options);

/// Upper bounds of a stage's memory in bytes.
struct StageMemory {
    std::size_t kept = 0;    ///< kept after the stage
    std::size_t working = 0; ///< in addition while it runs at full speed
    std::size_t lean = 0;    ///< in addition while it runs lean
};

/// Memory for `bytes` while a stage of the full catalogue runs, lean or not; none without the full catalogue.
inline StageMemory whileRunning(const AuditShape& shape, std::size_t bytes) {
    const std::size_t needed = shape.fullCatalog ? bytes : 0;
    return {0, needed, needed};
}

/// Phase of a stage. Results of the neighbour passes are published before the rest is computed.
enum class Phase { Passes, Rest };

/// One step of an audit. An audit is a table of stages in the order in which they run.
template <typename State>
struct Stage {
    std::string_view id;
    std::string_view title; ///< title of its progress; may be empty
    Phase phase;
    std::span<const ResultType> needs;        ///< results it reads; the stage is skipped if one is missing
    StageMemory (*memory)(const AuditShape&); ///< null: negligible
    double (*cost)(const AuditShape&);        ///< expected time as PassCost gives it; 0 if the stage is skipped
    void (*run)(State&, const JobContext&);
};

/// Result that requests scores beyond the neighbour tables (AuditOptions::tablesOnly is false).
struct FullCatalogRequested {};
/// Result that requests the one-class embedding (AuditOptions::oneClass).
struct OneClassRequested {};

/// Neighbour search for single rows outside the passes. It is the search of the passes if that runs in this process. If
/// the passes are shared between several processes but each holds the whole sets, it is a new search of this process.
/// All searches return equal results.
class RowSearch {
public:
    RowSearch(const NeighborSearch& search, MatrixView sample, const AuditOptions& options, const JobContext& job)
        : search_(search.isShared() ? nullptr : &search) {
        if (search_ == nullptr) {
            own_ = options.makeSearch(BackendChoice::Auto, sample, options.threads, job);
            search_ = own_.get();
        }
    }
    const NeighborSearch& operator*() const noexcept { return *search_; }

private:
    std::unique_ptr<NeighborSearch> own_;
    const NeighborSearch* search_;
};

/// State of the real set's unfinished audit.
struct RealState {
    std::shared_ptr<RealAnalysis> analysis; ///< the analysis so far; its set is given
    std::shared_ptr<RealDescription> described;
    std::shared_ptr<const EmbeddingSet> heldOut; ///< null without one
    const AuditOptions& options;
    const NeighborSearch& search;
    StageResults results;
};

/// State of a model's unfinished audit.
struct ModelState {
    const RealAnalysis& real;
    const RealDescription* described; ///< null until the real set is described
    const ModelAudit* heldOut;        ///< audit of the held-out set, with its tables; or null
    const AuditOptions& options;
    const NeighborSearch& search;
    ModelAudit audit; ///< name, set and the results so far
    StageResults results{};

    /// Input of the metrics. Precondition: the neighbour passes are finished.
    MetricInputs inputs(const JobContext& job) const;
};

/// Memory of a neighbour pass.
/// @param rows number of rows; of both sets together if there are two
/// @param k neighbours per row
StageMemory passMemory(std::size_t rows, std::size_t dim, std::size_t k);

/// Memory of rows that are copied to be searched again, with what is found for each.
constexpr std::size_t gatheredBytes(std::size_t rows, std::size_t dim) {
    constexpr std::size_t kFoundBytes = 128;
    return rows * (dim * sizeof(float) + kFoundBytes);
}

/// Radii and counts of one row of a set that stay after its passes.
constexpr std::size_t kScalarBytes = std::size_t{5} * 8;

/// The costs of an audit of this shape.
inline PassCost costs(const AuditShape& shape) {
    return {shape.options.backend, shape.dim};
}

using RealStage = Stage<RealState>;
using ModelStage = Stage<ModelState>;

/// The neighbour passes of the real set, and of a model. @throws Cancelled
void findPasses(RealState& state, const JobContext& job);
void findPasses(ModelState& state, const JobContext& job);

/// Finds which rows of the real set count as one sample, from its neighbour tables.
/// @throws Cancelled
void findPartition(RealState& state, const JobContext& job);

/// The stages of the real set (RealState) or of a model (ModelState), in the order in which they run.
template <typename State>
std::span<const Stage<State>> stagesOf();
template <>
std::span<const RealStage> stagesOf<RealState>();
template <>
std::span<const ModelStage> stagesOf<ModelState>();

/// Bytes in which the reference data of a held-out set are computed, at most.
/// @param shape of the held-out set's audit
std::size_t heldOutBasisBytes(const AuditShape& shape);

/// Whether all needed results exist.
bool haveAll(const StageResults& results, std::span<const ResultType> needs);

/// Sum of the costs of all stages of a phase.
template <typename State>
double costOf(Phase phase, const AuditShape& shape) {
    double sum = 0.0;
    for (const Stage<State>& stage : stagesOf<State>())
        if (stage.phase == phase)
            sum += stage.cost(shape);
    return sum;
}

/// Runs the stages of a phase whose needed results exist. Progress advances in proportion to their costs.
/// @param done callback with the stage's id after each stage
template <typename State, typename Done>
void runStages(Phase phase, State& state, const AuditShape& shape, const JobContext& job, const Done& done) {
    const double whole = costOf<State>(phase, shape);
    double sum = 0.0;
    for (const Stage<State>& stage : stagesOf<State>()) {
        if (stage.phase != phase)
            continue;
        const double begin = sum;
        sum += stage.cost(shape);
        if (!haveAll(state.results, stage.needs))
            continue;
        const auto share = [&](double cost) { return whole > 0.0 ? cost / whole : 1.0; };
        const JobContext part = job.part(std::string(stage.title), share(begin), share(sum));
        stage.run(state, part);
        part.checkpoint(1.0);
        done(stage.id);
    }
}

} // namespace assay
