#include "gui/report/printed_text.h"

#include "engine/report/parts/report_style.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPagedPaintDevice>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kLineHeight = 118.0; // percent of the font's own

QFont fontOf(const TextLook& look) {
    QFont font;
    font.setFamilies(look.monospace ? QStringList{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")}
                                    : QStringList{QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPointSizeF(look.points);
    font.setBold(look.bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QString styleOf(const TextLook& look) {
    return QStringLiteral(".muted, .below { color: %1; } .mark-text { color: %2; font-weight: 700; }"
                          "a { color: %3; text-decoration: none; }"
                          ".below { font-weight: 400; font-size: %4pt; }"
                          "code { font-family: 'DejaVu Sans Mono', monospace; font-size: %5pt; font-weight: 400; }")
        .arg(reportColor("muted").name(), reportColor("mark").name(), reportColor("text").name())
        .arg(0.85 * look.points)
        .arg(0.88 * look.points);
}

} // namespace

QColor reportColor(const char* name) {
    return QColor(QString::fromStdString(report::lightColor(name)));
}

PrintedText::PrintedText(QPagedPaintDevice* device, const TextLook& look)
    : document_(std::make_unique<QTextDocument>()), device_(device),
      color_(look.color.isValid() ? look.color : reportColor("text")) {
    document_->setUndoRedoEnabled(false);
    document_->setDocumentMargin(0.0);
    document_->setDefaultFont(fontOf(look));
    document_->setDefaultStyleSheet(styleOf(look));
    document_->documentLayout()->setPaintDevice(device);
    QTextOption option;
    option.setAlignment(look.align);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document_->setDefaultTextOption(option);
}

PrintedText::PrintedText(QPagedPaintDevice* device, const TextLook& look, const QString& html)
    : PrintedText(device, look) {
    document_->setHtml(html);
    finish();
}

PrintedText PrintedText::plain(QPagedPaintDevice* device, const TextLook& look, const QString& text) {
    PrintedText printed(device, look);
    printed.document_->setPlainText(text);
    printed.finish();
    return printed;
}

void PrintedText::finish() {
    QTextCursor cursor(document_.get());
    cursor.select(QTextCursor::Document);
    QTextBlockFormat format;
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(format);
    document_->setTextWidth(-1.0);
}

double PrintedText::widest() const {
    return std::ceil(document_->idealWidth()) + 1.0;
}

double PrintedText::narrowest() const {
    static const QRegularExpression gaps(QStringLiteral("[ \\n\\x{2028}-]+"));
    double width = 0.0;
    for (QTextBlock block = document_->begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QFontMetricsF metrics(at.fragment().charFormat().font().resolve(document_->defaultFont()), device_);
            for (const QString& word : at.fragment().text().split(gaps, Qt::SkipEmptyParts))
                width = std::max(width, metrics.horizontalAdvance(word + QLatin1Char('-')));
        }
    return std::ceil(width) + 1.0;
}

void PrintedText::setWidth(double width) {
    document_->setTextWidth(width);
}

double PrintedText::height() const {
    return document_->size().height();
}

void PrintedText::draw(QPainter& painter, QPointF topLeft) const {
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, color_);
    painter.save();
    painter.translate(topLeft);
    document_->documentLayout()->draw(&painter, context);
    painter.restore();
}

QString inlineMarkup(const PageNode& node) {
    if (node.tag.isEmpty())
        return node.text.toHtmlEscaped();
    QString inside;
    for (const PageNode& child : node.children)
        inside += inlineMarkup(child);
    if (node.tag == QLatin1String("a")) {
        // Links that lead out of the report: on paper nobody can follow what is not written.
        const QString address = node.attributes.value(QStringLiteral("href"));
        if (!address.startsWith(QLatin1Char('#')))
            inside += QStringLiteral(" <span class=\"muted\">%1</span>").arg(address.toHtmlEscaped());
        return inside;
    }
    if (node.tag == QLatin1String("strong"))
        return QStringLiteral("<b>%1</b>").arg(inside);
    if (node.tag == QLatin1String("code"))
        return QStringLiteral("<code>%1</code>").arg(inside);
    if (node.tag == QLatin1String("span"))
        return QStringLiteral("%1<span class=\"%2\">%3</span>")
            .arg(node.hasClass(QStringLiteral("below")) ? QStringLiteral("<br>") : QString(),
                 node.attributes.value(QStringLiteral("class")).toHtmlEscaped(), inside);
    return inside;
}

} // namespace assay
