#include "gui/report/report_export.h"
#include "gui/session/audit_document.h"
#include "gui/session/audit_session.h"

#include "engine/report/samples/export_samples.h"
#include "engine/report/scores/export.h"
#include "engine/store/audit_file.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

// Exports of an AuditSession; its state is in audit_session.cpp.
namespace assay {

void AuditSession::recordWritten(const std::shared_ptr<const AuditResult>& audit, const QString& file,
                                 const QString& what) {
    // Models may have been added meanwhile.
    if (document_ && document_->audit->real == audit->real)
        record(tr("wrote %1: %2").arg(QFileInfo(file).fileName(), what));
}

void AuditSession::exportSamples(const ExportRequest& request, const QString& file) {
    if (!state_.hasModel())
        return;
    std::vector<SampleFilter> filters;
    for (std::size_t model = 0; model < state_.audit->models.size(); ++model)
        filters.push_back(filterOf(model));
    const QString text = request.what == ExportWhat::Kept       ? tr("kept samples")
                         : request.what == ExportWhat::Rejected ? tr("rejected samples")
                                                                : tr("chosen samples");
    exports_.add(
        file,
        [audit = state_.audit, request, filters = std::move(filters), file](const RunningJob& job) {
            assay::exportSamples(*audit, request, filters, std::filesystem::path(file.toStdU16String()), job.context());
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
    ReportContent content{.audit = state_.audit,
                          .decisions = decisions(),
                          .options = document_->files.value_or(AuditFiles{}).options,
                          .auditFile = auditFile().toStdString()};
    // Scores that are still being worked out are left out here. A change of this moment has not got that far.
    keptScorer_.follow(state_);
    if (!keptScorer_.jobs()->isRunning()) {
        content.scores = keptScorer_.scores();
        content.kept = keptScorer_.audits();
    }
    exports_.add(
        file,
        [content = std::move(content), file](const RunningJob& job) { writeReportFile(content, file, job.context()); },
        [this, file, audit = state_.audit, reported = edits()] {
            // A section for a model card only sums decisions up: they count as kept in the other formats.
            const bool isCard = QFileInfo(file).suffix().compare(QLatin1String("md"), Qt::CaseInsensitive) == 0;
            if (!isCard && document_ && audit->real == state_.audit->real)
                decisionsReported(reported);
            recordWritten(audit, file, tr("the report"));
        });
}

} // namespace assay
