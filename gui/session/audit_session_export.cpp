#include "gui/session/audit_session.h"

// What an AuditSession writes; what it holds is in audit_session.cpp.
namespace assay {
namespace {

using Rows = std::shared_ptr<const std::vector<std::uint32_t>>;

/// @param byHand null for none; like the rules it outlives the filter
SampleFilter filterOf(const FilterRules& rules, const Rows& byHand) {
    SampleFilter filter{rules};
    if (byHand)
        filter.byHand = *byHand;
    return filter;
}

} // namespace

SampleFilter AuditSession::filter() const {
    return filterOf(rules(), state_.byHand);
}

void AuditSession::exportSamples(ExportWhat what, ExportFormat format, const QString& file) {
    if (!state_.hasModel())
        return;
    const std::shared_ptr<const ModelAudit> model = state_.audit->models[state_.model];
    exports_.add(file, [model, rules = rules(), byHand = state_.byHand, tags = rowTags(), what, format,
                        file](const RunningJob& job) {
        const std::filesystem::path path(file.toStdU16String());
        if (format == ExportFormat::Csv)
            exportCsv(*model, filterOf(rules, byHand), what, path, tags, job.context());
        else
            exportIds(*model, filterOf(rules, byHand), what, path, job.context());
    });
}

void AuditSession::exportReport(const QString& file) {
    if (!state_.hasModel())
        return;
    // Of scores that are still being worked out the report has none. A change of this moment has not got that far.
    keptScorer_.follow(state_);
    const std::shared_ptr<const WhatIfResult> scores = keptScorer_.jobs()->isRunning() ? nullptr : keptScorer_.scores();
    exports_.add(
        file,
        [audit = state_.audit, model = state_.model, rules = rules(), byHand = state_.byHand, tags = rowTags(), scores,
         file](const RunningJob& job) {
            assay::exportReport(*audit, model, filterOf(rules, byHand), scores.get(),
                                std::filesystem::path(file.toStdU16String()), tags, job.context());
        },
        [this, audit = state_.audit, reported = edits()] {
            if (document_ && audit->real == state_.audit->real)
                decisionsReported(reported);
        });
}

} // namespace assay
