#pragma once

#include "gui/jobs/engine_calls.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace assay::test {

/// Stands in for the engine: makes small audits with known scores, can be told to fail, and to wait so that a test can
/// look at a running job. Copies of calls() share it, so it outlives every session that uses it.
class FakeEngine {
public:
    EngineCalls calls();

    std::atomic<bool> hold = false; ///< runAudit and addModels wait, stoppable, before their last model
    std::atomic<int> partials = 0;  ///< partial results handed out so far
    std::atomic<int> audited = 0;   ///< models audited so far
    std::string failReading;        ///< readSet of this file throws Error{BadInput}
    bool failAudit = false;         ///< runAudit throws after its first model
    AuditOptions options;           ///< as last given
    std::vector<Scaling> scalings;  ///< how each set was read, in order; changes on the job's thread
    std::string hardware;           ///< of every model
    std::string copying;            ///< name of a model half of whose samples are called copies
    std::string heldOut;            ///< name of the held-out set last given; empty for none

private:
    void waitWhileHeld(const JobContext& job) const;
};

/// A set of `rows` rows of 2 dimensions.
std::shared_ptr<const EmbeddingSet> makeSet(const std::string& name, std::size_t rows);

/// An audited model of `rows` rows: fidelity is row / 10 (0, 0.1, ..), pce is -row, and rows 1 and 3 are unauthentic.
/// Every other column and metric of the catalogue is there as well.
std::shared_ptr<const ModelAudit> makeModel(const std::string& name, std::size_t rows = 10);

/// An audit of such models against 20 real samples.
std::shared_ptr<const AuditResult> makeAudit(const std::vector<std::string>& models);

} // namespace assay::test
