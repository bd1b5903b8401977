#include "gui/report/pdf_report.h"

#include "engine/version.h"
#include "gui/report/print_markup.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QGuiApplication>
#include <QHash>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QScreen>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <vector>

namespace assay {
namespace {

/// What the style sheet says of paragraphs beyond Qt's formats: QTextBlock::userState().
enum PrintState { KeepsWithNext = 1, BeginsSection = 2 };

/// Lengths that are no size of letters are in points too, as `4u`: QTextDocument knows them in pixels only.
constexpr const char* kStyle = R"css(
p, li, td, th, dt, dd { line-height: 118%; }
p { margin: 4u 0u 0u 0u; }
.h1, .h2, .h3 { font-weight: 700; }
.h1 { font-size: 16pt; margin: 0u; -qt-user-state: 1; }
.h2 { font-size: 13pt; margin: 25u 0u 0u 0u; -qt-user-state: 2; }
.h3 { font-size: 10.5pt; margin: 12u 0u 0u 0u; -qt-user-state: 1; }
.new-page { page-break-before: always; }
.muted, .caption, .below { color: @muted; }
.mark-text { color: @mark; font-weight: 700; }
.sentence { font-size: 10.5pt; }
a { color: @text; text-decoration: none; }
.below { font-size: 7.2pt; font-weight: 400; margin: 0u; }
code { font-family: "DejaVu Sans Mono"; font-size: 8.2pt; font-weight: 400; }
ul { margin: 2.5u 0u 0u 0u; }
li { margin: 2.5u 0u 0u 0u; }
dt { font-size: 9pt; font-weight: 700; margin: 6u 0u 0u 0u; -qt-user-state: 1; }
dd { font-size: 9pt; margin: 1u 0u 0u 0u; }
table { margin: 0u; }
td, th { font-size: 8.5pt; text-align: left; padding: 2u 8u 1.6u 0u; border-bottom: 0.5u solid @rule; }
thead th { border-bottom: 1u solid @muted; }
.number, .number p { text-align: right; }
.caption { font-size: 8.5pt; margin: 8u 0u 0u 0u; }
table.contents { margin: 10u 0u 20u 0u; }
table.contents td { font-size: 9pt; padding: 1u 0u 0.5u 0u; }
td.gap, td.figures, td.examples, td.code { border: 0u; padding: 0u; }
table.panel, table.gallery, table.figures, table.code { margin: 6u 0u 0u 0u; }
td.panel, td.code { background-color: @panel; padding: 6u; font-size: 9.5pt; }
td.panel { border: 0.5u solid @rule; border-left: 3u solid @rule; }
td.marked { border-left: 3u solid @mark; }
td.panel p { font-size: 9.5pt; margin: 2u 0u 0u 0u; }
td.panel p.sentence { font-size: 10.5pt; }
td.gallery { background-color: @panel; padding: 5u; border: 0.5u solid @rule; }
td.gap { width: 6u; }
p.pictures, td.figures { line-height: 100%; }
.tile { font-size: 7.25pt; background-color: #ffffff; }
.own { font-weight: 700; }
td.gallery p.about { font-size: 7.25pt; }
td.examples { padding: 0u 4u 0u 0u; }
td.figures { padding: 0u 7u 0u 0u; }
td.examples p { white-space: nowrap; font-size: 7.25pt; color: @muted; }
td.figures p { font-size: 8pt; color: @muted; }
p.code { font-family: "DejaVu Sans Mono"; font-size: 8pt; margin: 0u; }
)css";

/// Lengths in the formats of a QTextDocument are pixels of the screen, on paper too.
double pixelsPerPoint() {
    const QScreen* screen = QGuiApplication::primaryScreen();
    return (screen == nullptr ? 96.0 : screen->logicalDotsPerInchY()) / 72.0;
}

/// The style sheet, for QTextDocument. Its lengths hold for the screen that the program runs on.
QString printStyle() {
    QString style = QString::fromLatin1(kStyle);
    for (const char* color : {"text", "muted", "mark", "rule", "panel"})
        style.replace(QLatin1Char('@') + QLatin1String(color), reportColor(color).name());
    static const QRegularExpression length(QStringLiteral("([0-9.]+)u\\b"));
    for (QRegularExpressionMatch found = length.match(style); found.hasMatch(); found = length.match(style))
        style.replace(found.capturedStart(), found.capturedLength(),
                      QString::number(found.captured(1).toDouble() * pixelsPerPoint()) + QStringLiteral("px"));
    return style;
}

constexpr double kFigureGap = 14.0;     // points, between two charts
constexpr double kFreeBelow = 8.0;      // points at the end of a page that Qt may need for paddings; less than a line
constexpr std::size_t kShortTable = 12; // rows, with that of the headings, that stay on one page

/// From the top of the highest cell or line to the end of the lowest one.
struct Extent {
    double top = 0.0;
    double bottom = 0.0;
};

/// A part of the report's flow, a paragraph or a table, and where it is while there are no pages.
struct Part {
    QTextBlock block = {};
    QTextTable* table = nullptr;
    std::vector<Extent> rows = {}; ///< of a table; else one

    double top() const { return rows.front().top; }
    double bottom() const { return rows.back().bottom; }
};

bool keepsWithNext(const Part& part, const Part& next) {
    return part.block.isValid() && (part.block.userState() > 0 || next.table != nullptr ||
                                    part.block.text().trimmed().endsWith(QLatin1Char(':')));
}

std::vector<Part> flowOf(const QTextDocument& document) {
    std::vector<Part> parts;
    const QTextFrame* root = document.rootFrame();
    for (auto at = root->begin(); !at.atEnd(); ++at) {
        if (auto* table = qobject_cast<QTextTable*>(at.currentFrame()))
            parts.push_back({.table = table});
        else if (at.currentBlock().isValid() && at.currentBlock().length() > 1) // Qt has empty ones between tables
            parts.push_back({.block = at.currentBlock()});
    }
    return parts;
}

/// Whether numbers are broken into lines: Qt breaks anything where a table is wider than the page.
bool breaksNumbers(const QTextTable& table) {
    for (int row = table.format().headerRowCount(); row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column)
            for (auto at = table.cellAt(row, column).begin(); !at.atEnd(); ++at)
                if (at.currentBlock().layout() != nullptr && at.currentBlock().layout()->lineCount() > 1 &&
                    at.currentBlock().blockFormat().alignment().testFlag(Qt::AlignRight))
                    return true;
    return false;
}

/// Smaller letters where numbers have no room.
void fitTables(const QTextDocument& document, const std::vector<Part>& parts) {
    for (int step = 0; step < 3; ++step) {
        document.documentLayout()->documentSize(); // lays it out
        for (const Part& part : parts) {
            if (part.table == nullptr || !breaksNumbers(*part.table))
                continue;
            for (QTextBlock block = part.table->firstCursorPosition().block();
                 block.isValid() && block.position() <= part.table->lastPosition(); block = block.next()) {
                QTextCursor cursor(block);
                cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
                QTextCharFormat format;
                format.setFontPointSize(0.91 * block.charFormat().fontPointSize());
                cursor.mergeCharFormat(format);
                cursor.mergeBlockCharFormat(format);
            }
        }
    }
}

/// Places page breaks: Qt places them only between the lines of paragraphs and of cells.
class PageBreaker {
public:
    /// @param point dots in a typographic point
    PageBreaker(QTextDocument& document, double height, double point)
        : layout_(*document.documentLayout()), parts_(flowOf(document)), height_(height), point_(point) {}

    void placeBreaks() {
        for (Part& part : parts_) { // all before the first break: breaks change what follows
            const QRectF box = layout_.blockBoundingRect(part.block);
            for (int row = 0; part.table != nullptr && row < part.table->rows(); ++row)
                part.rows.push_back(extentOfRow(*part.table, row));
            if (part.table == nullptr)
                part.rows.push_back({box.top(), box.bottom()});
        }
        for (std::size_t first = 0; first < parts_.size();) {
            std::size_t last = first;
            while (last + 1 < parts_.size() && keepsWithNext(parts_[last], parts_[last + 1]))
                ++last;
            const bool isLong = parts_[last].rows.size() > kShortTable;
            const double bottom = isLong ? parts_[last].rows[2].bottom : parts_[last].bottom();
            if (parts_[first].block.blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_AlwaysBefore ||
                !fits(parts_[first].top(), bottom))
                beginPage(parts_[first]);
            if (isLong)
                placeBreaksInTable(parts_[last]);
            while (parts_[last].bottom() > pageTop_ + height_) // what no page holds
                pageTop_ += height_;
            first = last + 1;
        }
    }

private:
    /// Qt's frames of tables are not where they are drawn: cells are.
    Extent extentOfRow(const QTextTable& table, int row) const {
        Extent extent{1e18, 0.0};
        const double pixel = point_ / pixelsPerPoint();
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            const QTextTableCellFormat format = cell.format().toTableCellFormat();
            const QRectF first = layout_.blockBoundingRect(cell.firstCursorPosition().block());
            const QRectF last = layout_.blockBoundingRect(cell.lastCursorPosition().block());
            extent.top = std::min(extent.top, first.top() - format.topPadding() * pixel);
            extent.bottom = std::max(extent.bottom, last.bottom() + format.bottomPadding() * pixel);
        }
        return extent;
    }

    /// Whether it ends on the current page, or no page has room for it.
    bool fits(double top, double bottom) const {
        const double needed = bottom + kFreeBelow * point_;
        return needed <= pageTop_ + height_ || needed - top > height_;
    }

    void beginPage(const Part& part) {
        pageTop_ = part.top();
        if (part.table != nullptr) {
            QTextTableFormat format = part.table->format();
            format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            format.setTopMargin(0.0);
            part.table->setFormat(format);
            return;
        }
        QTextBlockFormat format;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        format.setTopMargin(0.0);
        QTextCursor(part.block).mergeBlockFormat(format);
    }

    /// Room below a row makes all cells of the next one begin on the next page. Qt repeats the headings there.
    void placeBreaksInTable(const Part& part) {
        const double headings = part.rows[1].top - part.rows[0].top;
        for (std::size_t row = 2; row < part.rows.size(); ++row) {
            const bool isLastButOne = row + 2 == part.rows.size(); // the last one is not alone on a page
            const double top = part.rows[row].top;
            if (fits(top, part.rows[isLastButOne ? row + 1 : row].bottom))
                continue;
            const double left = (pageTop_ + height_ - top) / point_ - kFreeBelow;
            QTextBlockFormat room;
            room.setLineHeight(left * pixelsPerPoint(), QTextBlockFormat::FixedHeight);
            for (int column = 0; left > 0.0 && column < part.table->columns(); ++column)
                part.table->cellAt(static_cast<int>(row) - 1, column).lastCursorPosition().insertBlock(room);
            pageTop_ = top - headings;
        }
    }

    QAbstractTextDocumentLayout& layout_;
    std::vector<Part> parts_;
    double height_;
    double point_;
    double pageTop_ = 0.0; ///< of the current page, in the flow that has no pages
};

/// Writes the numbers of pages into the table of contents.
void fillContents(QTextDocument& document, const QStringList& anchors, double height) {
    QHash<QString, int> pages; // of an anchor the last one: Qt also gives it to an empty paragraph before
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (const QString& anchor : block.charFormat().anchorNames())
            pages[anchor] =
                1 + static_cast<int>((document.documentLayout()->blockBoundingRect(block).top() + 1.0) / height);
    QTextCursor all(&document);
    all.beginEditBlock();
    const auto* contents = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().value(0));
    for (int row = 0; contents != nullptr && row < anchors.size(); ++row)
        contents->cellAt(row, 1).firstCursorPosition().insertText(QString::number(pages.value(anchors[row])));
    document.markContentsDirty(0, document.characterCount()); // Qt loses lines where it lays out a part again
    all.endEditBlock();
}

constexpr int kDotsPerInch = 1200;
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

std::unique_ptr<QTextDocument> printedReport(const std::string& report, QPagedPaintDevice& device, QSizeF page,
                                             const JobContext& job) {
    const double point = device.logicalDpiY() / 72.0; // dots in a typographic point
    auto document = std::make_unique<QTextDocument>();
    auto* objects = new ReportObjects(point, (page.width() - kFigureGap * point) / 2.0);
    objects->setParent(document.get());
    const PrintMarkup markup = printMarkup(report, *objects);
    job.throwIfStopped();

    QFont font;
    font.setFamilies({QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPointSizeF(9.5);
    font.setHintingPreference(QFont::PreferNoHinting);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0.0);
    document->setDefaultFont(font);
    document->setDefaultTextOption(option);
    document->setDefaultStyleSheet(printStyle());
    document->documentLayout()->setPaintDevice(&device);
    document->documentLayout()->registerHandler(QTextFormat::ImageObject, objects);
    document->setHtml(markup.html);
    document->setTextWidth(page.width());
    fitTables(*document, flowOf(*document));
    job.throwIfStopped();
    PageBreaker(*document, page.height(), point).placeBreaks();
    job.throwIfStopped();
    document->setPageSize(page);
    fillContents(*document, markup.contents, page.height());
    return document;
}

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

    const double point = kDotsPerInch / 72.0;
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
