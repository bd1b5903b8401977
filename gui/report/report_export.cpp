#include "gui/report/report_export.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/good_samples.h"
#include "gui/report/pdf_report.h"

#include <QFileInfo>

#include <filesystem>
#include <vector>

namespace assay {
namespace {

constexpr double kScoringShare = 0.7; // of the time, where something has to be scored

std::vector<std::size_t> decidedModels(const ReportContent& content) {
    std::vector<std::size_t> models;
    for (std::size_t m = 0; m < content.audit->models.size(); ++m)
        if (filterOf(content.decisions, m).decides())
            models.push_back(m);
    return models;
}

KeptAudit keptAuditOf(const ReportContent& content, std::size_t model, const SampleFilter& filter,
                      const JobContext& job) {
    if (model != content.decisions.model || !content.kept) {
        AuditOptions options = content.options;
        options.makeSearch = makeNeighborSearch;
        return auditKept(*content.audit, model, filter, options, job);
    }
    KeptAudit known = *content.kept;
    known.falseAlarmRate = falseAlarmRate(*content.audit, model, filter.rules);
    return known;
}

ReportParts partsOf(const ReportContent& content, const JobContext& job) {
    ReportParts parts;
    parts.replayCommand = replayCommand(*content.audit, content.auditFile);
    parts.external = content.decisions.external;
    parts.appendix = content.appendix;
    const std::vector<std::size_t> models = decidedModels(content);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, models.size()));
    for (std::size_t at = 0; at < models.size(); ++at) {
        const SampleFilter filter = filterOf(content.decisions, models[at]);
        const double begin = share * static_cast<double>(at);
        const JobContext part =
            job.part("Scoring the kept samples of " + content.audit->models[models[at]]->name, begin, begin + share);
        parts.decided.push_back(
            keptSamples(*content.audit, models[at], filter, keptAuditOf(content, models[at], filter, part)));
    }
    return parts;
}

} // namespace

void writeReportFile(const ReportContent& content, const QString& file, const JobContext& job) {
    const std::filesystem::path path(file.toStdU16String());
    const QString extension = QFileInfo(file).suffix().toLower();
    if (extension == QLatin1String("json")) {
        const std::size_t model = content.decisions.model;
        exportReport(*content.audit,
                     {model, filterOf(content.decisions, model), content.scores.get(), &content.decisions.external},
                     path, job);
        return;
    }
    const bool isPdf = extension == QLatin1String("pdf");
    if (!isPdf && extension != QLatin1String("html") && extension != QLatin1String("htm") &&
        extension != QLatin1String("md"))
        throw Error(ErrorKind::InvalidArgument,
                    file.toStdString() +
                        ": expected a report's name, which ends with .html, .htm, .pdf, .md or .json, found " +
                        (extension.isEmpty() ? std::string("no extension") : "." + extension.toStdString()));
    const ReportParts parts = partsOf(content, job.part({}, 0.0, kScoringShare));
    const JobContext writing = job.part("Writing the report", kScoringShare, 1.0);
    if (!isPdf) {
        writeReport(*content.audit, parts, path.string(), writing);
        return;
    }
    const QByteArray pdf = pdfReport(*content.audit, parts, writing);
    writing.throwIfStopped();
    writeFileAtomically(path.string(), {pdf.constData(), static_cast<std::size_t>(pdf.size())});
}

} // namespace assay
