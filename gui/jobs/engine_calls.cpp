#include "gui/jobs/engine_calls.h"

#include "engine/data/embedding_set.h"
#include "engine/gpu/backends/backends.h"
#include "engine/io/sets/python_converter.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/store/audit_file.h"
#include "engine/store/replay.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// Cache size of the what-if: less per sample for very large sets, to bound the window's memory.
std::size_t bytesPerSample(const AuditResult& audit, std::size_t model) {
    constexpr std::size_t kMost = std::size_t{512} << 20;
    return std::min(WhatIf::kBytesPerSample, kMost / (audit.real->set->rows() + audit.models[model]->set->rows()));
}

/// Searches of the window may run on graphics cards.
AuditOptions withCards(AuditOptions options = {}) {
    options.makeSearch = makeNeighborSearch;
    return options;
}

/// Nothing is set up before the first call: most people only look at first.
KeptScoring scoreKept(const std::shared_ptr<const AuditResult>& audit, std::size_t model) {
    const auto whatIf = std::make_shared<std::optional<WhatIf>>();
    return [audit, model, whatIf](const std::vector<bool>& kept, const JobContext& job) {
        if (!*whatIf)
            whatIf->emplace(audit, model, withCards(), bytesPerSample(*audit, model));
        return (*whatIf)->evaluate(kept, job);
    };
}

} // namespace

EngineCalls engineCalls() {
    // Copied, never mapped: the window stays open for hours, and people run their generator again meanwhile.
    const auto read = [](const SetFiles& files, const PreparationChoice& choice, const PreparationPtr& preparation,
                         const JobContext& job) {
        ReadOptions options;
        options.choice = choice;
        options.preparation = preparation;
        return readSet(files, job, options);
    };
    const auto readAudit = [](const std::string& file, const JobContext& job) { return readAuditFile(file, job); };
    const auto audited = [](const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const std::vector<bool>& kept,
                            const JobContext& job) { return auditKept(*audit, model, kept, withCards(), job); };
    const auto useful = [](const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                           const std::vector<bool>& kept, const JobContext& job) {
        return UsefulWhatIf(audit, model, withCards(), job.part({}, 0.0, 0.05)).evaluate(kept, job.part({}, 0.05, 1.0));
    };
    const auto run = [](AuditRequest request, const JobContext& job) {
        request.options = withCards(std::move(request.options));
        return runAudit(request, job);
    };
    const auto add = [](const AuditResult& base, const std::vector<AuditModel>& models, const AuditOptions& options,
                        const JobContext& job) { return addModels(base, models, withCards(options), job); };
    const auto curves = [](const std::shared_ptr<const AuditResult>& audit, const CurveRequest& request,
                           const AuditOptions& options,
                           const JobContext& job) { return withCurves(audit, request, withCards(options), job); };
    const auto judge = [](const AuditResult& record, const AuditOptions& options, const JobContext& job) {
        return judgeAgain(record, withCards(options), job);
    };
    const auto preview = [](const SetFiles& files, const JobContext& job) { return previewSet(files, job); };
    const auto kept = [](const SetFiles& files, const JobContext& job) {
        return keptConversion(files, installedConverter(), job);
    };
    return {read,      run,     add,     makeDemo,        curves, judge, scoreKept,
            readAudit, audited, preview, completedChoice, useful, kept};
}

} // namespace assay
