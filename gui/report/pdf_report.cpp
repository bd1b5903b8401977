#include "gui/report/pdf_report.h"

#include "engine/version.h"
#include "gui/report/print_style.h"
#include "gui/report/printed_report.h"
#include "gui/report/report_objects.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextDocument>

#include <memory>

namespace assay {
namespace {

constexpr int kDotsPerInch = 1200;
constexpr double kPointsPerInch = 72.0;
constexpr double kMargin = 45.0;     // points; all around
constexpr double kFootHeight = 26.0; // points; of it, the line and the text take the lower half

/// The page's foot: a line, the title, which is cut where it is too long, and the page's number.
void drawFoot(QPainter& painter, QRectF box, double point, const QString& title, const QString& number) {
    painter.setPen(QPen(reportColor("rule"), 0.5 * point));
    painter.drawLine(box.topLeft(), box.topRight());
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPointSizeF(7.5);
    font.setHintingPreference(QFont::PreferNoHinting);
    painter.setFont(font);
    painter.setPen(reportColor("muted"));
    box.adjust(0.0, 2.0 * point, 0.0, 0.0);
    painter.drawText(box, Qt::AlignRight | Qt::AlignTop, number);
    painter.drawText(box.adjusted(0.0, 0.0, -80.0 * point, 0.0), Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
                     title);
}

/// A page of the document, with a line above each section.
void drawPage(QPainter& painter, const QTextDocument& document, QRectF page, double point) {
    QAbstractTextDocumentLayout& layout = *document.documentLayout();
    painter.save();
    painter.translate(-page.topLeft());
    painter.setPen(QPen(reportColor("rule"), point));
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QRectF box = layout.blockBoundingRect(block);
        const double line = box.top() - 5.0 * point;
        if (block.userState() == BeginsSection && page.contains(box.center()))
            painter.drawLine(QPointF(page.left(), line), QPointF(page.right(), line));
    }
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, reportColor("text"));
    context.clip = page;
    painter.setClipRect(page);
    layout.draw(&painter, context);
    painter.restore();
}

} // namespace

QByteArray pdfReport(const AuditResult& audit, const ReportParts& parts, const JobContext& job) {
    const std::string report = htmlReport(audit, parts, job.part({}, 0.0, 0.4));
    const QString title = QString::fromStdString(reportTitle(audit));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Assay %1").arg(QString::fromUtf8(kVersion)));
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Point);

    const double point = kDotsPerInch / kPointsPerInch;
    const QRectF page(0.0, 0.0, writer.width(), writer.height() - kFootHeight * point);
    const QRectF foot(0.0, page.bottom() + 0.5 * kFootHeight * point, page.width(), 0.5 * kFootHeight * point);
    const std::unique_ptr<QTextDocument> document = printedReport(report, writer, page.size(), job);
    const int pages = document->pageCount();
    QPainter painter(&writer);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
    for (int p = 0; p < pages; ++p) {
        job.checkpoint(0.5 + 0.5 * p / pages);
        if (p > 0)
            writer.newPage();
        drawPage(painter, *document, page.translated(0.0, p * page.height()), point);
        drawFoot(painter, foot, point, title, QStringLiteral("Page %1 of %2").arg(p + 1).arg(pages));
    }
    painter.end();
    return bytes;
}

} // namespace assay
