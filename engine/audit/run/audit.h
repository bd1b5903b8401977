#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit_search.h"
#include "engine/base/job_context.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How to audit; the same for every model of an audit.
struct AuditOptions {
    std::size_t k = 5; ///< ball size; needs N > k, M > k
    /// Neighbours kept per sample and table, for whoever goes on from the audit: what-if, curves over subsets,
    /// published programs' figures, the inspector. Where the metrics themselves need more, more are kept; 0: only
    /// those.
    std::size_t storedNeighbors = 32;
    BackendChoice backend = BackendChoice::Auto;
    unsigned threads = 0; ///< 0: every core
    std::uint64_t seed = 0;
    /// Whether to train the one-class embedding on the real set and to evaluate in it too (docs/metrics.md). Takes
    /// longer than the passes. Models that are added later are evaluated in whatever the audit began with.
    bool oneClass = false;
    CoverSizes cover;                 ///< of precision and recall cover; both at least 1
    double falseDiscoveryRate = 0.05; ///< of the verdicts: the share of wrong ones to expect; in (0, 1)
    /// Bytes that an audit may use beyond its inputs; 0: what the machine has left. Where full speed needs more, lists
    /// are kept short and products are of integers only; where that needs more, the audit is refused before it starts.
    std::size_t memoryLimit = 0;
    bool tablesOnly = false;                ///< leave out what needs more than the tables, and the intervals
    bool lean = false;                      ///< work in little memory; set by runAudit where the limit asks for it
    SearchMaker makeSearch = makeCpuSearch; ///< the program hands in one that knows graphics cards, too
    AuditSearchMaker search; ///< runs the neighbour passes; empty: this process, with `backend` and `threads`
};

/// One synthetic set to audit.
struct AuditModel {
    std::string name;
    std::shared_ptr<const EmbeddingSet> set;
};

/// The passes of this process: in little memory by GemmSearch, unless a graphics card is chosen, which needs little of
/// the machine's. @throws Error{DeviceFailed}
std::unique_ptr<AuditSearch> makeLocalSearch(const EmbeddingSet& sample, const AuditOptions& options,
                                             const JobContext& job);

/// What to audit.
struct AuditRequest {
    std::shared_ptr<const EmbeddingSet> real;
    std::vector<AuditModel> models;
    AuditOptions options;
    /// Called on the job's thread with what is known so far: when a model's passes are done, with the scores that they
    /// tell, and again when all else is (the last one included).
    std::function<void(std::shared_ptr<const AuditResult>)> partial;
    /// Real samples that the models were not trained on, or null. Audited as if they were synthetic: what their scores
    /// are is what good samples look like, and what nearness to the real set is no copying.
    std::shared_ptr<const EmbeddingSet> heldOut{};
    /// Called on the job's thread when a stage (engine/audit/run/stages.h) of a set is done; for measurements.
    std::function<void(std::string_view stage, std::string_view set)> stageDone{};
};

/// Audits every model against the real set.
/// @throws Error{InvalidArgument} when k does not fit a set, Error{BadInput} when dimensions differ or a file that a
/// set
///         is looked at in was changed meanwhile, Cancelled
std::shared_ptr<const AuditResult> runAudit(const AuditRequest& request, const JobContext& job = {});

/// The same audit with further models: only their own passes are run.
std::shared_ptr<const AuditResult> addModels(const AuditResult& base, const std::vector<AuditModel>& models,
                                             const AuditOptions& options, const JobContext& job = {});

} // namespace assay
