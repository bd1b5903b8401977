#pragma once

#include "engine/base/job_context.h"
#include "engine/report/pages/report.h"

#include <QByteArray>

namespace assay {

/// The report that htmlReport() makes, on A4 pages with numbers: charts as vectors, text that can be selected, always
/// light. On any thread that Qt started, while there is a QGuiApplication.
/// @throws Cancelled
QByteArray pdfReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

} // namespace assay
