#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/jobs/engine_calls.h"
#include "gui/jobs/network_embedder.h"

#include "engine/base/job_context.h"

#include <functional>
#include <memory>

namespace assay {

/// The straight line from files to an audit, as code for a worker thread. A copyable value without state of its own.
class AuditLoader {
public:
    using Audit = EngineCalls::Audit;
    using Partial = std::function<void(Audit)>;

    /// As NetworkEmbedder::embed.
    using Embed = std::function<void(const NetworkEmbedder::Run&, const JobContext&)>;

    explicit AuditLoader(EngineCalls calls, Embed embed = {}) : calls_(std::move(calls)), embed_(std::move(embed)) {}

    /// Reads every file and audits; sets of pictures or series are embedded first where a network is chosen.
    /// @param partial called on this thread each time a model is done @throws Error, Cancelled
    Audit open(const AuditFiles& files, const JobContext& job, const Partial& partial) const;
    /// Makes the built-in demo and audits it. @throws Cancelled
    Audit openDemo(const JobContext& job, const Partial& partial) const;
    /// Reads further models and runs only their own passes. @param embedding of the audit @throws Error, Cancelled
    Audit addModels(const AuditResult& base, std::vector<ModelFile> models, const AuditOptions& options,
                    const NetworkChoice& embedding, const JobContext& job) const;
    /// Computes further curves. @param bad file of the bad samples of a bad-fraction curve; empty for noise
    /// @throws Error, Cancelled
    Audit addCurves(const Audit& base, CurveRequest request, const QString& bad, const AuditOptions& options,
                    const JobContext& job) const;
    /// Judges an audit again, by this version. @throws Error, Cancelled
    Audit judgeAgain(const AuditResult& record, const AuditOptions& options, const JobContext& job) const {
        return calls_.judgeAgain(record, options, job);
    }

private:
    std::vector<AuditModel> readModels(const std::vector<ModelFile>& files, const PreparationPtr& preparation,
                                       const JobContext& job) const;
    /// A set that is to be read.
    struct Set {
        QString* file;
        BesideFiles* beside;
    };
    /// Replaces files that Python has converted by what it made of them.
    void useConversions(const std::vector<Set>& sets, const JobContext& job) const;
    /// Embeds those of the sets that have no embeddings, and replaces the file of each by that of its embeddings.
    /// @param real embeddings of the real set, on which a network of series is fitted
    /// @return whether there was one
    bool embedSets(const std::vector<Set>& sets, const NetworkChoice& embedding, const QString& real,
                   const JobContext& job) const;

    /// The choice, with what the tables of all sets have.
    PreparationChoice completed(const AuditFiles& files, const JobContext& job) const;

    EngineCalls calls_;
    Embed embed_;
};

} // namespace assay
