#include "widgets/charts/axis_ticks.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/histogram/histogram_view.h"
#include "widgets/link/sample_selection.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

// How a HistogramView looks; what mouse and keys do is in histogram_view.cpp.
namespace assay {
namespace {

/// Axis labels: short, no trailing zeros beyond the step's own.
QString tickText(double value) {
    return std::abs(value) >= 1000.0
               ? formatCount(static_cast<std::uint64_t>(std::abs(value))).prepend(value < 0 ? "-" : "")
               : QLocale().toString(value, 'g', 3);
}

} // namespace

void HistogramView::paintEmpty(QPainter& painter) const {
    painter.setPen(colors::mutedText(palette()));
    const QString hint = state().hasModel() ? tr("No sample has a value here.")
                                            : tr("%1\nOpen a real and a synthetic set, and the answer comes up here; a "
                                                 "click on a bar selects its samples.")
                                                  .arg(title(columnId_));
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, hint);
}

void HistogramView::paintGrid(QPainter& painter) const {
    const QRect plot = plotArea();
    const QFontMetrics metrics = fontMetrics();
    const int wanted = std::clamp(plot.height() / (3 * metrics.height()), 1, 5);
    for (double tick : axisTicks(0.0, static_cast<double>(tallest_), wanted)) {
        if (tick != std::floor(tick))
            continue; // counts are whole
        const int y = plot.bottom() + 1 -
                      static_cast<int>(std::lround(tick / static_cast<double>(tallest_) * (plot.height() - 4)));
        painter.setPen(colors::gridLine(palette()));
        painter.drawLine(plot.left(), y, plot.right(), y);
        painter.setPen(colors::mutedText(palette()));
        const QRect label(0, y - metrics.height() / 2, plot.left() - 5, metrics.height());
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, formatCount(static_cast<std::uint64_t>(tick)));
    }
    painter.save();
    painter.translate(2, plot.center().y());
    painter.rotate(-90.0);
    const QString side = isReal(set()) ? tr("real samples") : tr("synthetic samples");
    painter.drawText(QRect(-plot.height() / 2 - 10, 0, plot.height() + 20, metrics.height()), Qt::AlignCenter,
                     metrics.elidedText(side, Qt::ElideRight, plot.height() + 20));
    painter.restore();
}

void HistogramView::paintBar(QPainter& painter, std::size_t bin) const {
    const QRect column = binRect(bin);
    const int gap = bins_.discrete() ? std::max(1, column.width() / 10) : (column.width() > 6 ? 1 : 0);
    QRect bar = column.adjusted(bins_.discrete() ? gap : 0, 0, -gap, 0);
    if (bar.width() < 1)
        bar = column;
    if (hoverBin_ == bin)
        painter.fillRect(column, palette().color(QPalette::AlternateBase));
    const int full = heightOf(counts_[bin]);
    const int faded = counts_[bin] > 0
                          ? static_cast<int>(std::lround(double(full) * double(rejected_[bin]) / double(counts_[bin])))
                          : 0;
    const QColor color = isReal(set()) ? colors::real(palette()) : colors::synthetic(palette());
    const auto slice = [&](int from, int tall) {
        return QRect(bar.left(), bar.bottom() + 1 - from - tall, bar.width(), tall);
    };
    painter.fillRect(slice(0, full - faded), color);
    if (faded > 0)
        painter.fillRect(slice(full - faded, faded), colors::rejected(palette()));
    if (selected_[bin] > 0) {
        const int tall =
            std::max(3, static_cast<int>(std::lround(double(full) * double(selected_[bin]) / double(counts_[bin]))));
        const QRect share = slice(0, tall);
        QColor fill = colors::selected(palette());
        fill.setAlphaF(0.35F);
        painter.fillRect(share, fill);
        painter.setPen(QPen(colors::selected(palette()), 2));
        painter.drawRect(share.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1)); // yellow alone is weak on orange
        painter.drawRect(share.adjusted(-1, -1, 0, 0));
    }
    if (cursor_ == bin && hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(column.adjusted(0, 0, -1, 0));
    }
}

void HistogramView::paintBinAxis(QPainter& painter) const {
    const QRect plot = plotArea();
    const QFontMetrics metrics = fontMetrics();
    painter.setPen(colors::mutedText(palette()));
    painter.drawLine(plot.left(), plot.bottom() + 1, plot.right(), plot.bottom() + 1);
    const std::vector<double> ticks =
        bins_.discrete() ? bins_.values
                         : axisTicks(bins_.edges.front(), bins_.edges.back(), std::max(2, plot.width() / 50));
    int free = 0;
    for (double tick : ticks) {
        const QString text = column()->unit == Unit::YesNo || column()->unit == Unit::Word
                                 ? formatValue(tick, *column())
                                 : tickText(tick);
        const int wide = metrics.horizontalAdvance(text);
        const int center = static_cast<int>(std::lround(xOf(tick)));
        painter.drawLine(center, plot.bottom() + 1, center, plot.bottom() + 4);
        const int left = std::clamp(center - wide / 2, 0, std::max(0, width() - wide));
        if (left < free)
            continue; // no room: a tick without its number
        painter.drawText(left, plot.bottom() + 5 + metrics.ascent(), text);
        free = left + wide + 6;
    }
    const QString unit = unitName(column()->unit);
    const QString name = catalogText(column()->title);
    const QString axis = unit.isEmpty() || column()->unit == Unit::Count || column()->unit == Unit::Distance
                             ? name
                             : tr("%1 (%2)").arg(name, unit);
    painter.drawText(QRect(plot.left(), height() - metrics.height() - 3, plot.width(), metrics.height()),
                     Qt::AlignCenter, metrics.elidedText(axis, Qt::ElideRight, plot.width()));
}

void HistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (bins_.count() == 0) {
        paintEmpty(painter);
        return;
    }
    paintGrid(painter);
    for (std::size_t bin = 0; bin < bins_.count(); ++bin)
        paintBar(painter, bin);
    paintBinAxis(painter);
    const auto hovered = selection()->hovered();
    const std::vector<double>* all = values();
    if (hovered && hovered->set == set() && all && hovered->row < all->size() && !std::isnan((*all)[hovered->row])) {
        // Where the sample under the mouse elsewhere belongs.
        const int x = static_cast<int>(std::lround(xOf((*all)[hovered->row])));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::WindowText));
        painter.drawPolygon(QPolygon({QPoint(x - 5, 1), QPoint(x + 5, 1), QPoint(x, 8)}));
    }
}

} // namespace assay
