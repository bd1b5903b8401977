#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/audit/run/audit_search.h"
#include "engine/base/job_context.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/products.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace assay {

/// The sizes that a stage's cost follows from.
struct AuditShape {
    std::size_t realRows = 0;
    std::size_t rows = 0;        ///< of the model
    std::size_t heldOutRows = 0; ///< 0 without a held-out set
    std::size_t dim = 0;
    bool whole = true; ///< more than the tables, and all rows in this process
    const AuditOptions& options;
};

/// Bytes that a stage needs, at most.
struct StageMemory {
    std::size_t kept = 0;    ///< that stay
    std::size_t working = 0; ///< beside those, at full speed
    std::size_t lean = 0;    ///< likewise where speed gives way
};

/// When a stage is run: people see what the passes tell before the rest is computed.
enum class Phase { Passes, Rest };

/// One step of an audit. What an audit computes is a table of these, in the order in which they are run.
template <typename State>
struct Stage {
    std::string_view id;
    std::string_view title; ///< of its progress; may be empty
    Phase phase;
    std::span<const Product> needs; ///< without one of them the stage is left out
    std::span<const Product> makes;
    StageMemory (*memory)(const AuditShape&); ///< null: next to nothing
    double (*cost)(const AuditShape&); ///< time beside other stages, in the unit of PassCost; 0 where it is left out
    void (*run)(State&, const JobContext&);
};

/// Asked for: more than the tables (AuditOptions::tablesOnly).
struct WholeCatalog {};
/// Asked for: the one-class embedding.
struct OneClassAsked {};

/// The audit of the real set under way.
struct RealState {
    std::shared_ptr<RealAnalysis> analysis; ///< with the set
    std::shared_ptr<RealDescription> described;
    const AuditOptions& options;
    const AuditSearch& search;
    Products products;
};

/// The audit of a model under way.
struct ModelState {
    const RealAnalysis& real;
    const ModelAudit* heldOut; ///< of the held-out set, with its tables; or null
    const AuditOptions& options;
    const AuditSearch& search;
    ModelAudit audit; ///< name and set, and what is known so far
    Products products{};

    /// What metrics are computed from. The passes have to be done.
    MetricInputs inputs(const JobContext& job) const;
};

/// Of a neighbour pass over so many rows, of both sets together where there are two, for k neighbours.
StageMemory passMemory(std::size_t rows, std::size_t dim, std::size_t k);

using RealStage = Stage<RealState>;
using ModelStage = Stage<ModelState>;

std::span<const RealStage> realStages();
std::span<const ModelStage> modelStages();

/// Whether a stage can be run now.
bool haveAll(const Products& products, std::span<const Product> needs);

/// The costs of all stages of a phase, added up.
template <typename State>
double costOf(std::span<const Stage<State>> stages, Phase phase, const AuditShape& shape) {
    double sum = 0.0;
    for (const Stage<State>& stage : stages)
        if (stage.phase == phase)
            sum += stage.cost(shape);
    return sum;
}

/// Runs the stages of a phase that have what they need. Progress is shared out by their costs.
/// @param done called after each
template <typename State, typename Done>
void runStages(std::span<const Stage<State>> stages, Phase phase, State& state, const AuditShape& shape,
               const JobContext& job, const Done& done) {
    const double whole = costOf(stages, phase, shape);
    double sum = 0.0;
    for (const Stage<State>& stage : stages) {
        if (stage.phase != phase)
            continue;
        const double begin = sum;
        sum += stage.cost(shape);
        if (!haveAll(state.products, stage.needs))
            continue;
        const auto share = [&](double cost) { return whole > 0.0 ? cost / whole : 1.0; };
        const JobContext part = job.part(std::string(stage.title), share(begin), share(sum));
        stage.run(state, part);
        part.checkpoint(1.0);
        done(stage.id);
    }
}

} // namespace assay
