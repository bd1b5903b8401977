#include "widgets/charts/heat_paint.h"

#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"

#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kLetters = 18;               // of a name, at most
constexpr qsizetype kMostMeasured = 60;    // letters of a name: no more are shown
constexpr qsizetype kMostCompared = 60;    // names
constexpr qsizetype kMostSurveyed = 1'000; // names that are measured: further ones are as long

/// Relative luminance of WCAG 2.
double luminanceOf(const QColor& color) {
    const auto linear = [](float part) {
        return part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// A long name without its middle, which no room would show: names of one kind often differ at the end.
QString cutName(const QString& name) {
    return name.size() <= kMostMeasured ? name : name.left(kMostMeasured / 2) + name.right(kMostMeasured / 2);
}

int widestOf(const QStringList& names, const QFontMetrics& metrics) {
    int widest = 0;
    for (const QString& name : names.first(std::min(names.size(), kMostSurveyed)))
        widest = std::max(widest, metrics.horizontalAdvance(cutName(name)));
    return std::min(widest, kLetters * metrics.averageCharWidth());
}

/// The names as they fit, none like another; empty for many, of which that would take long.
QStringList fittedNames(const QStringList& names, const QFontMetrics& metrics, double width) {
    QStringList cut;
    QStringList fitted;
    if (names.size() > kMostCompared)
        return fitted;
    for (const QString& name : names)
        cut << cutName(name);
    for (const QString& name : cut)
        fitted << elidedName(name, cut, QFontMetricsF(metrics), width);
    return fitted;
}

/// One of the fitted names, or one of many names.
QString shownName(const QStringList& fitted, const QStringList& names, int at, const QFontMetricsF& metrics,
                  double width) {
    return at < fitted.size() ? fitted[at] : metrics.elidedText(cutName(names[at]), Qt::ElideMiddle, width);
}

} // namespace

QColor inkOn(const QColor& background) {
    const double luminance = luminanceOf(background);
    return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? QColor(Qt::black) : QColor(Qt::white);
}

void paintHeatCell(QPainter& painter, const QRectF& rect, const HeatCell& cell, const QPalette& palette,
                   Qt::Alignment alignment) {
    QColor ink = palette.color(QPalette::Text);
    if (!std::isnan(cell.shade)) {
        const QColor fill = colors::score(cell.shade, palette);
        ink = inkOn(fill);
        painter.fillRect(rect, fill);
    }
    if (cell.isSame) {
        painter.setPen(QPen(std::isnan(cell.shade) ? colors::mutedText(palette) : ink, 1.0));
        painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5));
    }
    painter.setPen(ink);
    painter.drawText(rect.adjusted(3, 0, -3, 0), alignment, cell.text);
}

HeatSizes heatSizes(const HeatContent& content, const QFontMetrics& metrics) {
    HeatSizes sizes;
    const int columns = widestOf(content.columns, metrics);
    sizes.cellWidth = metrics.horizontalAdvance(content.widest) + kHeatInset + 4;
    sizes.cellHeight = metrics.height() + 8;
    sizes.areTurned = columns + 4 > sizes.cellWidth;
    sizes.rowNames = std::max(widestOf(content.rows, metrics), std::min(metrics.horizontalAdvance(content.rowsTitle),
                                                                        kLetters * metrics.averageCharWidth())) +
                     2 * kHeatInset;
    sizes.columnNames = sizes.areTurned ? columns + 2 * kHeatInset : metrics.height() + 4;
    sizes.title = metrics.height() + 4;
    sizes.shownRows = fittedNames(content.rows, metrics, sizes.rowNames - 2.0 * kHeatInset);
    sizes.shownColumns =
        fittedNames(content.columns, metrics, sizes.areTurned ? sizes.columnNames - 1.0 * kHeatInset : sizes.cellWidth);
    return sizes;
}

void paintRowName(QPainter& painter, const QRectF& rect, const HeatContent& content, const HeatSizes& sizes, int row) {
    const QRectF text = rect.adjusted(kHeatInset, 0, -kHeatInset, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     shownName(sizes.shownRows, content.rows, row, QFontMetricsF(painter.font()), text.width()));
}

void paintColumnName(QPainter& painter, const QRectF& rect, const HeatContent& content, const HeatSizes& sizes,
                     int column) {
    const QFontMetricsF metrics(painter.font());
    if (!sizes.areTurned) {
        painter.drawText(rect, Qt::AlignCenter,
                         shownName(sizes.shownColumns, content.columns, column, metrics, rect.width()));
        return;
    }
    painter.save();
    painter.translate(rect.left(), rect.bottom());
    painter.rotate(-90);
    const QRectF turned(kHeatInset - 1, 0, rect.height() - kHeatInset, rect.width());
    painter.drawText(turned, Qt::AlignLeft | Qt::AlignVCenter,
                     shownName(sizes.shownColumns, content.columns, column, metrics, turned.width()));
    painter.restore();
}

HeatDrawing::HeatDrawing(const HeatContent& content, QWidget* parent)
    : QWidget(parent), content_(content), sizes_(heatSizes(content, QFontMetrics(font()))),
      rows_(std::min<std::size_t>(static_cast<std::size_t>(content.rows.size()), HeatTable::kMostInFigure)),
      columns_(std::min<std::size_t>(static_cast<std::size_t>(content.columns.size()), HeatTable::kMostInFigure)) {
    const QFontMetrics metrics(font());
    const int cells = static_cast<int>(columns_) * sizes_.cellWidth;
    resize(sizes_.rowNames + std::max(cells, metrics.horizontalAdvance(content.columnsTitle)) + kHeatInset,
           sizes_.title + sizes_.columnNames + static_cast<int>(rows_) * sizes_.cellHeight + kHeatInset);
    hide();
}

void HeatDrawing::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font());
    const double top = sizes_.title + sizes_.columnNames;
    const double left = sizes_.rowNames;
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(QRectF(left, 0, width() - left, sizes_.title), Qt::AlignLeft | Qt::AlignVCenter,
                     content_.columnsTitle);
    painter.drawText(QRectF(kHeatInset, top - sizes_.title, left - kHeatInset, sizes_.title),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(content_.rowsTitle, Qt::ElideRight, left - 2.0 * kHeatInset));
    painter.setPen(palette().color(QPalette::Text));
    for (std::size_t column = 0; column < columns_; ++column)
        paintColumnName(painter,
                        QRectF(left + static_cast<double>(column) * sizes_.cellWidth, sizes_.title, sizes_.cellWidth,
                               sizes_.columnNames),
                        content_, sizes_, static_cast<int>(column));
    for (std::size_t row = 0; row < rows_; ++row) {
        const double y = top + static_cast<double>(row) * sizes_.cellHeight;
        painter.setPen(palette().color(QPalette::Text));
        paintRowName(painter, QRectF(0, y, left, sizes_.cellHeight), content_, sizes_, static_cast<int>(row));
        for (std::size_t column = 0; column < columns_; ++column)
            paintHeatCell(
                painter,
                QRectF(left + static_cast<double>(column) * sizes_.cellWidth, y, sizes_.cellWidth, sizes_.cellHeight)
                    .adjusted(0, 0, -1, -1),
                content_.cell(row, column), palette());
    }
}

} // namespace assay
