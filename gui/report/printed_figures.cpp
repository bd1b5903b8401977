#include "gui/report/printed_block.h"

#include "engine/report/parts/report_style.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QSvgRenderer>

#include <algorithm>
#include <optional>
#include <utility>

namespace assay {
namespace {

constexpr double kFigureGap = 14.0; // points, between two charts
constexpr double kCaptionGap = 3.0; // points, between a chart and its caption

/// A word of a chart. QtSvg would draw its outlines: nothing that can be selected.
struct ChartText {
    QString text;
    QPointF at; ///< in the chart's own units: where its line begins, is in the middle or ends
    Qt::Alignment align;
    double size; ///< of the font, likewise
    bool isLabel;
    bool isTick;
    bool isUpright; ///< read from below
};

/// A chart of which the words are apart from the rest.
struct PrintedFigure {
    std::shared_ptr<QSvgRenderer> lines;
    std::shared_ptr<std::vector<ChartText>> words;
    std::shared_ptr<PrintedText> caption; ///< null for none
    double unit = 1.0;                    ///< dots of the chart's unit
    double height = 0.0;                  ///< of the chart
};

/// The chart with its style in it, and without its words.
QByteArray styledLines(PageNode svg) {
    std::erase_if(svg.children, [](const PageNode& child) { return child.tag == QLatin1String("text"); });
    QString markup = markupOf(svg);
    markup.insert(markup.indexOf(QLatin1Char('>')) + 1,
                  QStringLiteral("<style>%1</style>").arg(QString::fromStdString(report::lightChartStyle())));
    markup.insert(QStringLiteral("<svg").size(), QStringLiteral(" xmlns=\"http://www.w3.org/2000/svg\""));
    return markup.toUtf8();
}

std::vector<ChartText> wordsOf(const PageNode& svg) {
    std::vector<ChartText> words;
    for (const PageNode& child : svg.children) {
        if (child.tag != QLatin1String("text"))
            continue;
        const auto number = [&](const char* name) { return child.attributes.value(QLatin1String(name)).toDouble(); };
        const bool isTick = child.hasClass(QStringLiteral("tick"));
        words.push_back({.text = child.allText(),
                         .at = {number("x"), number("y")},
                         .align = child.hasClass(QStringLiteral("middle")) ? Qt::AlignHCenter
                                  : child.hasClass(QStringLiteral("end"))  ? Qt::AlignRight
                                                                           : Qt::AlignLeft,
                         .size = isTick ? 11.0 : 12.0,
                         .isLabel = child.hasClass(QStringLiteral("label")),
                         .isTick = isTick,
                         .isUpright = child.attributes.contains(QStringLiteral("transform"))});
    }
    return words;
}

void drawWord(QPainter& painter, const ChartText& word, QPointF corner, double unit) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(std::max(1, static_cast<int>(word.size * unit)));
    font.setBold(word.isLabel);
    font.setHintingPreference(QFont::PreferNoHinting);
    const double width = QFontMetricsF(font, painter.device()).horizontalAdvance(word.text);
    const double before = word.align == Qt::AlignLeft ? 0.0 : word.align == Qt::AlignRight ? width : width / 2.0;
    painter.save();
    painter.translate(corner + word.at * unit);
    if (word.isUpright)
        painter.rotate(-90.0);
    if (word.isLabel) { // readable over lines too
        QPainterPath outlines;
        outlines.addText(QPointF(-before, 0.0), font, word.text);
        constexpr double kHalo = 3.0;
        painter.strokePath(outlines,
                           QPen(reportColor("page"), kHalo * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    painter.setFont(font);
    painter.setPen(reportColor(word.isTick ? "muted" : "text"));
    painter.drawText(QPointF(-before, 0.0), word.text);
    painter.restore();
}

std::optional<PrintedFigure> setFigure(const Paper& paper, const PageNode& figure, double width) {
    const PageNode* svg = figure.find(QStringLiteral("svg"));
    if (svg == nullptr)
        return std::nullopt;
    PrintedFigure set;
    set.lines = std::make_shared<QSvgRenderer>(styledLines(*svg));
    set.words = std::make_shared<std::vector<ChartText>>(wordsOf(*svg));
    const QSizeF size = set.lines->viewBoxF().size();
    set.unit = width / std::max(1.0, size.width());
    set.height = size.height() * set.unit;
    if (const PageNode* caption = figure.find(QStringLiteral("figcaption"))) {
        set.caption = std::make_shared<PrintedText>(
            paper.device, TextLook{.points = 8.0, .color = reportColor("muted")}, inlineMarkup(*caption));
        set.caption->setWidth(width);
    }
    return set;
}

/// Two charts with their captions below them, or one with its caption at its side.
PrintedBlock figureRow(const Paper& paper, const std::vector<PrintedFigure>& row, double width) {
    PrintedBlock block;
    const double gap = kCaptionGap * paper.point;
    const double next = width + kFigureGap * paper.point;
    for (const PrintedFigure& figure : row) {
        const double caption = figure.caption ? figure.caption->height() : 0.0;
        const double height = row.size() == 1 ? std::max(figure.height, caption) : figure.height + gap + caption;
        block.height = std::max(block.height, height);
    }
    block.above = 6.0 * paper.point;
    block.draw = [row, width, gap, next](QPainter& painter, QPointF at) {
        for (const PrintedFigure& figure : row) {
            figure.lines->render(&painter, QRectF(at, QSizeF(width, figure.height)));
            for (const ChartText& word : *figure.words)
                drawWord(painter, word, at, figure.unit);
            const QPointF beside = row.size() == 1 ? QPointF(next, 4.0 * gap) : QPointF(0.0, figure.height + gap);
            if (figure.caption)
                figure.caption->draw(painter, at + beside);
            at.rx() += next;
        }
    };
    return block;
}

} // namespace

PrintedBlocks printedFigures(const Paper& paper, const PageNode& figures) {
    constexpr std::size_t kFiguresPerRow = 2;
    const double width = (paper.width - kFigureGap * paper.point) / 2.0;
    std::vector<PrintedFigure> row;
    PrintedBlocks blocks;
    for (const PageNode& child : figures.children) {
        if (auto figure = setFigure(paper, child, width))
            row.push_back(std::move(*figure));
        if (row.size() == kFiguresPerRow)
            blocks.push_back(figureRow(paper, std::exchange(row, {}), width));
    }
    if (!row.empty())
        blocks.push_back(figureRow(paper, row, width));
    return blocks;
}

} // namespace assay
