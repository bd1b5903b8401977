#include "gui/report/pdf_report.h"

#include "engine/version.h"
#include "gui/report/page_breaks.h"
#include "gui/report/printed_block.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kDotsPerInch = 1200;
constexpr double kPointsPerInch = 72.0;
constexpr double kMargin = 45.0;     // points; all around
constexpr double kFootHeight = 26.0; // points; of it, the line and the text take the lower half

/// A part of the foot, in a single line of the given width.
void drawFootText(QPainter& painter, const Paper& paper, const QString& text, Qt::Alignment align, QRectF box) {
    PrintedText printed(paper.device, {.points = 7.5, .color = reportColor("muted"), .align = align},
                        text.toHtmlEscaped());
    printed.setWidth(box.width());
    painter.save();
    painter.setClipRect(box); // a title that is too long ends there
    printed.draw(painter, box.topLeft());
    painter.restore();
}

void drawFoot(QPainter& painter, const Paper& paper, double height, const QString& title, const QString& number) {
    const double line = height + 0.5 * kFootHeight * paper.point;
    painter.setPen(QPen(reportColor("rule"), 0.5 * paper.point));
    painter.drawLine(QPointF(0.0, line), QPointF(paper.width, line));
    const double numberWidth = 80.0 * paper.point;
    const QRectF box(0.0, line + 2.0 * paper.point, paper.width, 11.0 * paper.point);
    drawFootText(painter, paper, title, Qt::AlignLeft, box.adjusted(0.0, 0.0, -numberWidth, 0.0));
    drawFootText(painter, paper, number, Qt::AlignRight, box.adjusted(paper.width - numberWidth, 0.0, 0.0, 0.0));
}

void drawPlaced(QPainter& painter, const PrintedBlock& block, const PlacedBlock& placed, const Paper& paper,
                double height) {
    painter.save();
    if (block.height - placed.skipped > height || placed.skipped > 0.0) // a part of it
        painter.setClipRect(QRectF(0.0, 0.0, paper.width, height));
    block.draw(painter, {0.0, placed.top - placed.skipped});
    if (placed.repeats)
        block.repeated->draw(painter, {0.0, placed.top - block.repeated->height});
    painter.restore();
}

} // namespace

QByteArray pdfReport(const AuditResult& audit, const ReportParts& parts, const JobContext& job) {
    const PageNode body = parseReport(htmlReport(audit, parts, job.part({}, 0.0, 0.4)));
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

    Paper paper{&writer, 0.0, kDotsPerInch / kPointsPerInch};
    paper.width = writer.width();
    const double height = writer.height() - kFootHeight * paper.point;
    const auto anchors = std::make_shared<AnchorPages>();
    const PrintedBlocks blocks = printedReport(paper, body, anchors, job);
    const std::vector<std::vector<PlacedBlock>> pages = placeOnPages(blocks, height);
    for (std::size_t p = 0; p < pages.size(); ++p)
        for (const PlacedBlock& placed : pages[p])
            if (placed.skipped == 0.0 && !blocks[placed.block].anchor.isEmpty())
                anchors->insert(blocks[placed.block].anchor, static_cast<int>(p) + 1);

    QPainter painter(&writer);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
    for (std::size_t p = 0; p < pages.size(); ++p) {
        job.checkpoint(0.5 + 0.5 * static_cast<double>(p) / static_cast<double>(pages.size()));
        if (p > 0)
            writer.newPage();
        for (const PlacedBlock& placed : pages[p])
            drawPlaced(painter, blocks[placed.block], placed, paper, height);
        drawFoot(painter, paper, height, title, QStringLiteral("Page %1 of %2").arg(p + 1).arg(pages.size()));
    }
    painter.end();
    return bytes;
}

} // namespace assay
