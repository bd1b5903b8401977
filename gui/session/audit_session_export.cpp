#include "gui/report/report_export.h"
#include "gui/session/audit_document.h"
#include "gui/session/audit_session.h"
#include "gui/session/session_decisions.h"

#include "engine/audit/export.h"
#include "engine/export/export_samples.h"
#include "engine/store/audit_file.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

// What an AuditSession writes; what it holds is in audit_session.cpp.
namespace assay {

void AuditSession::exportSamples(const ExportRequest& request, const QString& file) {
    if (!state_.hasModel())
        return;
    std::vector<SampleFilter> filters;
    for (std::size_t model = 0; model < state_.audit->models.size(); ++model)
        filters.push_back(filterOf(model));
    exports_.add(file, [audit = state_.audit, request, filters = std::move(filters), file](const RunningJob& job) {
        assay::exportSamples(*audit, request, filters, std::filesystem::path(file.toStdU16String()), job.context());
    });
}

void AuditSession::saveAudit(const QString& file) {
    if (!document_)
        return;
    exports_.add(
        file,
        [audit = document_->audit, decisions = decisionsOf(document_->edits), file](const RunningJob& job) {
            writeAuditFile(*audit, std::filesystem::path(file.toStdU16String()).string(), job.context(), &decisions);
        },
        [this, audit = document_->audit->real, file] {
            if (!document_ || document_->audit->real != audit)
                return;
            if (!document_->files)
                document_->files.emplace();
            document_->files->audit = file;
            keeper_.keepIn(file);
            keepDecisions(); // what was decided while the file was written
            emit opened(*document_->files);
        });
}

void AuditSession::exportReport(const QString& file) {
    if (!state_.hasModel())
        return;
    ReportContent content{.audit = state_.audit,
                          .decisions = decisionsOf(document_->edits),
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
        });
}

} // namespace assay
