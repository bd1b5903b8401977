#pragma once

#include "engine/base/job_context.h"
#include "engine/report/pages/report.h"

#include <QByteArray>
#include <QSizeF>
#include <QTextDocument>

#include <memory>
#include <string>

class QPagedPaintDevice;

namespace assay {

/// The report that htmlReport() makes, on A4 pages with numbers: charts as vectors, text that can be selected, always
/// light. On any thread that Qt started, while there is a QGuiApplication.
/// @throws Cancelled
QByteArray pdfReport(const AuditResult& audit, const ReportParts& parts = {}, const JobContext& job = {});

/// A report that is laid out on pages: nothing wider than these, headings on the page of what follows them, rows of
/// tables whole, page numbers in the contents. QTextDocument does the layout and repeats the headings of tables; it
/// cannot keep paragraphs or rows together, nor make letters smaller where a table has no room.
/// @param report by htmlReport() @param device that it is printed on; outlives the document
/// @param page size of a page's text in dots of the device
/// @throws Error{BadInput} where the report is no well-formed XML; Cancelled
std::unique_ptr<QTextDocument> printedReport(const std::string& report, QPagedPaintDevice& device, QSizeF page,
                                             const JobContext& job);

} // namespace assay
