#pragma once

#include "engine/audit/result/audit_result.h"
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

/// Options of an audit; they apply to every model.
struct AuditOptions {
    std::size_t k = 5; ///< number of neighbours that defines a ball; needs N > k, M > k
    /// Neighbours to store per sample and table, for later use: what-if, curves over subsets, published programs'
    /// scores, the inspector. More are stored if metrics need more. 0: only as many as metrics need.
    std::size_t storedNeighbors = 32;
    BackendChoice backend = BackendChoice::Auto;
    unsigned threads = 0; ///< 0: all cores
    std::uint64_t seed = 0;
    /// Whether to train the one-class embedding on the real set and to compute scores in it as well (docs/metrics.md).
    /// It takes longer than the neighbour passes. Models that are added later follow the audit's original choice.
    bool oneClass = false;
    CoverSizes cover; ///< parameters of precision cover and recall cover; both at least 1
    /// Of the verdicts: expected share of wrong ones among the rejected samples; in (0, 1).
    double falseDiscoveryRate = 0.05;
    /// Largest memory use beyond the inputs, in bytes; 0: the free memory of the machine. If full speed needs more, the
    /// audit runs lean (withinMemory()). If that needs more as well, the audit is refused before it starts.
    std::size_t memoryLimit = 0;
    bool tablesOnly = false; ///< omit intervals and all scores that need more than the neighbour tables
    /// Makes the neighbour search; a program can pass one that uses graphics cards.
    SearchMaker makeSearch = makeCpuSearch;
    /// Makes the search for the neighbour passes of a set; empty: this process searches, with `backend` and `threads`.
    std::function<std::unique_ptr<NeighborSearch>(MatrixView sample, const JobContext& job)> search;
};

/// Options that continue an audit: k, seed, cover, one-class choice and false discovery rate are those of `audit`.
/// @param options backend, threads and memory limit
AuditOptions continued(const AuditResult& audit, AuditOptions options);

/// One synthetic set to audit. The name must be unique within an audit.
struct AuditModel {
    std::string name;
    std::shared_ptr<const EmbeddingSet> set;
};

/// Makes the search for the neighbour passes in this process.
/// @param sample a set on which backends may be timed
/// @throws Error{DeviceFailed}
inline std::unique_ptr<NeighborSearch> makeLocalSearch(MatrixView sample, const AuditOptions& options,
                                                       const JobContext& job) {
    return options.makeSearch(options.backend, sample, options.threads, job);
}

/// The set with more rows, which a search between both is chosen for.
const EmbeddingSet& largerOf(const EmbeddingSet& a, const EmbeddingSet& b);

/// Input of runAudit().
struct AuditRequest {
    std::shared_ptr<const EmbeddingSet> real;
    std::vector<AuditModel> models;
    AuditOptions options;
    /// Callback on the job's thread with the results so far: after a model's neighbour passes, with the scores that
    /// need only these, and again when all its scores are computed, the last model included.
    std::function<void(std::shared_ptr<const AuditResult>)> partial;
    /// Real samples that the models were not trained on; null: none. The set is audited as if it were synthetic. Its
    /// scores show how good samples score, and how near samples are to the real set without copying.
    std::shared_ptr<const EmbeddingSet> heldOut{};
    /// Callback on the job's thread when a stage (engine/audit/run/stages.h) of a set is finished; for measurements.
    std::function<void(std::string_view stage, std::string_view set)> stageDone{};
};

/// Audits every model against the real set.
/// @throws Error{InvalidArgument} if an option or a name is invalid or k does not fit a set; Error{BadInput} if
/// dimensions differ, or if a file that a set reads in place was changed; Error{NotEnoughMemory}; Error{DeviceFailed};
/// Cancelled
std::shared_ptr<const AuditResult> runAudit(const AuditRequest& request, const JobContext& job = {});

/// Adds models to a finished audit: only the new models' passes are run. k, seed, cover, one-class choice and false
/// discovery rate are those of `base`.
/// @param options backend, threads and memory limit
/// @return a new result that shares the parts of `base`
/// @throws as runAudit()
std::shared_ptr<const AuditResult> addModels(const AuditResult& base, const std::vector<AuditModel>& models,
                                             const AuditOptions& options, const JobContext& job = {});

} // namespace assay
