#pragma once

#include "engine/job/job_context.h"
#include "engine/report/report.h"

#include <QByteArray>

namespace assay {

/// The report that htmlReport() makes, on A4 pages with numbers: charts as vectors, text that can be selected, always
/// light. On any thread, while there is a QGuiApplication.
/// @throws Cancelled
QByteArray pdfReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

} // namespace assay
