#include "widgets/compare/distribution_pair.h"

#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {

QColor comparedColor(std::size_t model, const QPalette& palette) {
    return colors::line(model == 0 ? 0 : 2, palette);
}

void paintComparedSample(QPainter& painter, const QRectF& box, std::size_t model, const QPalette& palette) {
    const QColor color = comparedColor(model, palette);
    const double y = box.center().y();
    if (model == 0) {
        QColor fill = color;
        fill.setAlphaF(0.25F);
        painter.fillRect(QRectF(box.left(), y - 5, box.width(), 10), fill);
    }
    painter.setPen(QPen(color, 2.0, model == 0 ? Qt::SolidLine : Qt::DashLine));
    painter.drawLine(QPointF(box.left(), y - (model == 0 ? 5 : 0)), QPointF(box.right(), y - (model == 0 ? 5 : 0)));
}

DistributionPair::DistributionPair(QWidget* parent) : QWidget(parent), frame_(new ChartFrame(this)) {
    setObjectName(QStringLiteral("distributionPair"));
    frame_->setMagnified({});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(frame_);
    frame_->setOverlay([this](QPainter& painter) { paint(painter); });
    connect(frame_, &ChartFrame::toolTipWanted, this, &DistributionPair::explain);
}

void DistributionPair::show(std::shared_ptr<const ModelContrast> contrast) {
    contrast_ = std::move(contrast);
    if (contrast_ && contrast_->fidelity.bins.count() > 0) {
        const ContrastedColumn& shown = contrast_->fidelity;
        double most = 0.0;
        for (const std::vector<double>* shares : {&shown.first, &shown.second})
            most = std::max(most, std::ranges::max(*shares));
        ChartAxis x{tr("Fidelity of each sample"), shown.bins.edges.front(), shown.bins.edges.back()};
        x.definition = metricToolTip(*findColumn("fidelity"));
        const double top = std::max(0.05, std::ceil(most * 1.02 * 20.0) / 20.0);
        ChartAxis y{tr("Share of samples"), 0.0, top, top / 2.0, 2};
        y.step = top <= 0.1 ? 0.05 : top <= 0.3 ? 0.1 : 0.25;
        frame_->setAxes(x, y);
        setAccessibleName(
            tr("Fidelity of each sample of %1 and %2")
                .arg(QString::fromStdString(contrast_->first->name), QString::fromStdString(contrast_->second->name)));
    }
    frame_->refresh();
}

QPolygonF DistributionPair::outline(std::size_t model) const {
    QPolygonF line;
    if (!contrast_ || contrast_->fidelity.bins.count() == 0)
        return line;
    const HistogramBins& bins = contrast_->fidelity.bins;
    const std::vector<double>& shares = model == 0 ? contrast_->fidelity.first : contrast_->fidelity.second;
    line << frame_->toWidget({bins.edges.front(), 0.0});
    for (std::size_t bin = 0; bin < bins.count(); ++bin)
        line << frame_->toWidget({bins.edges[bin], shares[bin]})
             << frame_->toWidget({bins.edges[bin + 1], shares[bin]});
    line << frame_->toWidget({bins.edges.back(), 0.0});
    return line;
}

void DistributionPair::paint(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QPolygonF first = outline(0);
    if (first.isEmpty())
        return;
    painter.setClipRect(frame_->plotArea().adjusted(-1, -1, 1, 1));
    QColor fill = comparedColor(0, palette());
    fill.setAlphaF(0.25F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(first);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(comparedColor(0, palette()), 2.0));
    painter.drawPolyline(first);
    painter.setPen(QPen(comparedColor(1, palette()), 2.0, Qt::DashLine));
    painter.drawPolyline(outline(1));
}

void DistributionPair::explain(QPoint point, QPoint globalPoint) {
    const auto bin =
        contrast_ ? contrast_->fidelity.bins.binOf(frame_->toValue(point).x()) : std::optional<std::size_t>();
    if (!bin) {
        QToolTip::hideText();
        return;
    }
    const ContrastedColumn& shown = contrast_->fidelity;
    const QString range =
        shown.bins.discrete()
            ? formatNumber(shown.bins.values[*bin])
            : tr("%1 to %2").arg(formatNumber(shown.bins.edges[*bin]), formatNumber(shown.bins.edges[*bin + 1]));
    QToolTip::showText(globalPoint,
                       tr("Fidelity %1<br>%2: %3 of the samples<br>%4: %5 of the samples")
                           .arg(range, QString::fromStdString(contrast_->first->name).left(100).toHtmlEscaped(),
                                formatPercent(shown.first[*bin]),
                                QString::fromStdString(contrast_->second->name).left(100).toHtmlEscaped(),
                                formatPercent(shown.second[*bin])),
                       this);
}

} // namespace assay
