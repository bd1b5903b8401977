#include "gui/report/printed_block.h"

#include "engine/report/report_style.h"

#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>
#include <optional>

namespace assay {
namespace {

constexpr double kFigureGap = 14.0;  // points, between two charts
constexpr double kCaptionGap = 3.0; // points, between a chart and its caption

/// The chart with its style in it. What QtSvg draws otherwise than browsers, such as a halo that would cover the letters
/// it stands around, and fonts in one word, is said once more in its terms.
QByteArray styledChart(const PageNode& svg) {
    QString markup = markupOf(svg);
    const QString style =
        QStringLiteral("<style>%1 svg text { font-family: \"DejaVu Sans\"; font-size: 12px; }"
                       "svg text.tick { font-size: 11px; } svg text.label { stroke: none; font-weight: 700; }</style>")
            .arg(QString::fromStdString(report::lightChartStyle()).toHtmlEscaped());
    markup.insert(markup.indexOf(QLatin1Char('>')) + 1, style);
    markup.insert(4, QStringLiteral(" xmlns=\"http://www.w3.org/2000/svg\""));
    return markup.toUtf8();
}

struct PrintedFigure {
    std::shared_ptr<QSvgRenderer> chart;
    std::shared_ptr<PrintedText> caption; ///< null for none
    double height = 0.0;                  ///< of the chart
};

std::optional<PrintedFigure> setFigure(const Paper& paper, const PageNode& figure, double width) {
    const PageNode* svg = figure.find(QStringLiteral("svg"));
    if (svg == nullptr)
        return std::nullopt;
    PrintedFigure set;
    set.chart = std::make_shared<QSvgRenderer>(styledChart(*svg));
    const QSizeF size = set.chart->viewBoxF().size();
    set.height = size.isEmpty() ? 0.0 : width * size.height() / size.width();
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
            figure.chart->render(&painter, QRectF(at, QSizeF(width, figure.height)));
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
