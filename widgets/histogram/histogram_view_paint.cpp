#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/histogram/histogram_view.h"
#include "widgets/link/sample_selection.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

// How a HistogramView looks; what mouse and keys do is in histogram_view.cpp.
namespace assay {

void HistogramView::paintEmpty(QPainter& painter) const {
    painter.setPen(colors::mutedText(palette()));
    const QString hint = state().hasModel() ? tr("No sample has a value here.")
                                            : tr("%1\nOpen a real and a synthetic set, and the answer comes up here; a "
                                                 "click on a bar selects its samples.")
                                                  .arg(title());
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, hint);
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

/// Good samples as a line over the bars, dashed so that it is none of them.
void HistogramView::paintOutline(QPainter& painter) const {
    if (good_.empty())
        return;
    QPolygonF line;
    for (std::size_t bin = 0; bin < bins_.count(); ++bin) {
        const double height = frame_->toWidget(QPointF(bins_.edges.front(), good_[bin])).y();
        line << QPointF(xOf(bins_.edges[bin]), height) << QPointF(xOf(bins_.edges[bin + 1]), height);
    }
    const QRect plot = plotArea();
    painter.save();
    painter.setClipRect(plot, Qt::IntersectClip);
    painter.setPen(QPen(isReal(set()) ? palette().color(QPalette::WindowText) : colors::real(palette()), 2));
    painter.drawPolyline(line);
    painter.restore();
}

void HistogramView::paintBars(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing, false); // bars end on whole pixels
    const QRect plot = plotArea();
    for (std::size_t bin = 0; bin < bins_.count(); ++bin)
        if (binRect(bin).intersects(plot))
            paintBar(painter, bin);
    paintOutline(painter);
    if (hasFocus() && !cursor_) { // arrow keys have not chosen a bar yet
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(plot.adjusted(0, 0, -1, -1));
    }
    const auto hovered = selection()->hovered();
    const std::vector<double>* all = values();
    if (hovered && hovered->set == set() && all && hovered->row < all->size() && !std::isnan((*all)[hovered->row])) {
        // Where the sample under the mouse elsewhere belongs.
        const int x = static_cast<int>(std::lround(xOf((*all)[hovered->row])));
        const int y = plot.top();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::WindowText));
        painter.drawPolygon(QPolygon({QPoint(x - 5, y), QPoint(x + 5, y), QPoint(x, y + 7)}));
    }
}

void HistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (bins_.count() == 0)
        paintEmpty(painter);
}

} // namespace assay
