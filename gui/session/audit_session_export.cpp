#include "gui/report/report_export.h"
#include "gui/session/audit_session.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/report/page/explore_page.h"
#include "engine/report/samples/export_samples.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/subsets/rules/filter.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

// What an AuditSession writes; the rest is in audit_session.cpp.
namespace assay {

void AuditSession::recordWritten(const std::shared_ptr<const AuditResult>& audit, const QString& file,
                                 const QString& what) {
    // Models may have been added meanwhile.
    if (isOpen() && state().audit->real == audit->real)
        document_.record(tr("wrote %1: %2").arg(QFileInfo(file).fileName(), what));
}

void AuditSession::write(const QString& file, const QString& what, const FileWork& work,
                         const std::function<void()>& done) {
    exports_.add(
        file,
        [work, path = std::filesystem::path(file.toStdU16String())](const RunningJob& job) {
            work(path, job.context());
        },
        [this, audit = state().audit, file, what, done] {
            if (done)
                done();
            recordWritten(audit, file, what);
        });
}

void AuditSession::loadRules(const QString& file) {
    try {
        editor_.setRules(readRules(std::filesystem::path(file.toStdU16String()).string()));
    } catch (const Error& error) {
        emit failed(tr("Loading rules"), QString::fromStdString(error.what()));
    }
}

void AuditSession::saveRules(const QString& file) {
    try {
        writeFileAtomically(std::filesystem::path(file.toStdU16String()).string(),
                            rulesToJson(document_.rules()) + '\n');
        emit exported(file);
        if (isOpen())
            recordWritten(state().audit, file, tr("the rules"));
    } catch (const Error& error) {
        emit failed(tr("Saving rules"), QString::fromStdString(error.what()));
    }
}

void AuditSession::exportSamples(const ExportRequest& request, const QString& file) {
    if (!state().hasModel())
        return;
    std::vector<SampleFilter> filters;
    for (std::size_t model = 0; model < state().audit->models.size(); ++model)
        filters.push_back(document_.filterOf(model));
    const QString text = request.what == ExportWhat::Kept       ? tr("kept samples")
                         : request.what == ExportWhat::Rejected ? tr("rejected samples")
                                                                : tr("chosen samples");
    write(file, text,
          [audit = state().audit, request, filters = std::move(filters)](const std::filesystem::path& path,
                                                                         const JobContext& job) {
              assay::exportSamples(*audit, request, filters, path, job);
          });
}

void AuditSession::exportHoles(const std::shared_ptr<const CoverageHoles>& holes, const QString& file) {
    if (isOpen())
        write(file, tr("missed real samples"),
              [audit = state().audit, holes](const std::filesystem::path& path, const JobContext&) {
                  assay::exportHoles(*audit, *holes, path);
              });
}

void AuditSession::exportCoverage(const std::shared_ptr<const ModelContrast>& contrast, const QString& file) {
    if (isOpen())
        write(file, tr("which real samples are covered"),
              [audit = state().audit, contrast](const std::filesystem::path& path, const JobContext&) {
                  assay::exportCoverage(*audit, *contrast, path);
              });
}

void AuditSession::saveAudit(const QString& file) {
    if (!isOpen())
        return;
    writeAudit(file, tr("saved as %1").arg(QFileInfo(file).fileName()));
}

void AuditSession::rewriteAudit() {
    if (keeper_.isKeeping())
        writeAudit(document_.auditFile(), {});
}

void AuditSession::writeAudit(const QString& file, const QString& what) {
    exports_.add(
        file,
        [audit = state().audit, decisions = document_.decisions(), history = document_.history(),
         inputs = document_.inputs(), file](const RunningJob& job) {
            writeAuditFile(*audit, std::filesystem::path(file.toStdU16String()).string(), job.context(), &decisions,
                           {inputs, *history});
        },
        [this, audit = state().audit->real, file, what] {
            if (!isOpen() || state().audit->real != audit)
                return;
            AuditFiles files = document_.files().value_or(AuditFiles{});
            files.audit = file;
            document_.setFiles(files);
            keeper_.keepIn(file);
            if (!what.isEmpty())
                document_.record(what);
            keepDecisions(); // what was decided while the file was written
            emit opened(files);
        });
}

void AuditSession::saveSelfContained(const QString& file) {
    if (!isOpen())
        return;
    if (QFileInfo(file) == QFileInfo(document_.auditFile())) { // no copy
        document_.setInputs(InputData::Packed);
        saveAudit(file);
        return;
    }
    write(file, tr("a self-contained copy"),
          [audit = state().audit, decisions = document_.decisions(),
           history = document_.history()](const std::filesystem::path& path, const JobContext& job) {
              writeAuditFile(*audit, path.string(), job, &decisions, {InputData::Packed, *history});
          });
}

void AuditSession::exportReport(const QString& file, Appendix appendix) {
    if (!state().hasModel())
        return;
    ReportContent content{.audit = state().audit,
                          .decisions = document_.decisions(),
                          .options = document_.files().value_or(AuditFiles{}).options,
                          .auditFile = document_.auditFile().toStdString(),
                          .appendix = appendix};
    // Scores that are still being worked out are left out here. A change of this moment has not got that far.
    keptScorer_.follow(state());
    if (!keptScorer_.jobs()->isRunning()) {
        content.scores = keptScorer_.found().scores;
        content.kept = keptScorer_.found().audits;
    }
    write(
        file, tr("the report"),
        [content = std::move(content), file](const std::filesystem::path&, const JobContext& job) {
            writeReportFile(content, file, job);
        },
        [this, file, audit = state().audit, reported = document_.edits()] {
            // A section for a model card only sums decisions up: they count as kept in the other formats.
            const bool isCard = QFileInfo(file).suffix().compare(QLatin1String("md"), Qt::CaseInsensitive) == 0;
            if (!isCard && isOpen() && audit->real == state().audit->real)
                document_.setReported(reported);
        });
}

void AuditSession::exportPage(const QString& file) {
    if (!state().hasModel())
        return;
    write(file, tr("a page to explore"),
          [audit = state().audit](const std::filesystem::path& path, const JobContext& job) {
              writeExplorePage(*audit, {}, path.string(), job);
          });
}

} // namespace assay
