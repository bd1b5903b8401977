#include "gui/session/audit_document.h"
#include "gui/session/audit_session.h"

#include "engine/store/audit_file.h"

#include <QFileInfo>

// What an AuditSession writes; what it holds is in audit_session.cpp.
namespace assay {
void AuditSession::recordWritten(const std::shared_ptr<const AuditResult>& audit, const QString& file,
                                 const QString& what) {
    // Models may have been added meanwhile.
    if (document_ && document_->audit->real == audit->real)
        record(tr("wrote %1: %2").arg(QFileInfo(file).fileName(), what));
}

void AuditSession::exportSamples(ExportWhat what, ExportFormat format, const QString& file) {
    if (!state_.hasModel())
        return;
    const QString model = QString::fromStdString(state_.current().name);
    const QString text =
        what == ExportWhat::Kept ? tr("kept samples of %1").arg(model) : tr("rejected samples of %1").arg(model);
    exports_.add(
        file,
        [audit = state_.audit, model = state_.model, filter = filter(), what, format, file](const RunningJob& job) {
            const std::filesystem::path path(file.toStdU16String());
            if (format == ExportFormat::Csv)
                exportCsv(*audit, model, filter, what, path, job.context());
            else
                exportIds(*audit, model, filter, what, path, job.context());
        },
        [this, audit = state_.audit, file, text] { recordWritten(audit, file, text); });
}

void AuditSession::saveAudit(const QString& file) {
    if (!document_)
        return;
    writeAudit(file, tr("saved as %1").arg(QFileInfo(file).fileName()));
}

void AuditSession::rewriteAudit() {
    if (keeper_.isKeeping())
        writeAudit(auditFile(), {});
}

void AuditSession::writeAudit(const QString& file, const QString& what) {
    exports_.add(
        file,
        [audit = document_->audit, decisions = decisions(), history = document_->history.entries(),
         inputs = document_->inputs, file](const RunningJob& job) {
            writeAuditFile(*audit, std::filesystem::path(file.toStdU16String()).string(), job.context(), &decisions,
                           {inputs, *history});
        },
        [this, audit = document_->audit->real, file, what] {
            if (!document_ || document_->audit->real != audit)
                return;
            if (!document_->files)
                document_->files.emplace();
            document_->files->audit = file;
            keeper_.keepIn(file);
            if (!what.isEmpty())
                record(what);
            keepDecisions(); // what was decided while the file was written
            emit opened(*document_->files);
        });
}

void AuditSession::saveSelfContained(const QString& file) {
    if (!document_)
        return;
    if (QFileInfo(file) == QFileInfo(auditFile())) { // no copy
        document_->inputs = InputData::Packed;
        saveAudit(file);
        return;
    }
    exports_.add(
        file,
        [audit = document_->audit, decisions = decisions(), history = document_->history.entries(),
         file](const RunningJob& job) {
            writeAuditFile(*audit, std::filesystem::path(file.toStdU16String()).string(), job.context(), &decisions,
                           {InputData::Packed, *history});
        },
        [this, audit = document_->audit, file] { recordWritten(audit, file, tr("a self-contained copy")); });
}

void AuditSession::exportReport(const QString& file) {
    if (!state_.hasModel())
        return;
    // Of scores that are still being worked out the report has none. A change of this moment has not got that far.
    keptScorer_.follow(state_);
    const std::shared_ptr<const WhatIfResult> scores = keptScorer_.jobs()->isRunning() ? nullptr : keptScorer_.scores();
    exports_.add(
        file,
        [audit = state_.audit, model = state_.model, filter = filter(), scores, file](const RunningJob& job) {
            assay::exportReport(*audit, model, filter, scores.get(), std::filesystem::path(file.toStdU16String()),
                                job.context());
        },
        [this, audit = state_.audit, reported = edits(), file] {
            if (document_ && audit->real == state_.audit->real)
                decisionsReported(reported);
            recordWritten(audit, file, tr("the report"));
        });
}

} // namespace assay
