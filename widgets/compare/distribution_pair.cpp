#include "widgets/compare/distribution_pair.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QPainter>

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

DistributionPair::DistributionPair(QWidget* parent) : Plot(parent) {
    setObjectName(QStringLiteral("distributionPair"));
    setMagnified({});
    connect(this, &Plot::themed, this, [this] { show(contrast_); });
}

void DistributionPair::show(std::shared_ptr<const ModelContrast> contrast) {
    contrast_ = std::move(contrast);
    PlotContent content;
    if (contrast_ && contrast_->fidelity.bins.count() > 0) {
        const ContrastedColumn& shown = contrast_->fidelity;
        const double most = std::max(std::ranges::max(shown.first), std::ranges::max(shown.second));
        content.x = {tr("Fidelity of each sample"), shown.bins.edges.front(), shown.bins.edges.back()};
        content.x.definition = metricToolTip(*findColumn("fidelity"));
        const double top = std::max(0.05, std::ceil(most * 1.02 * 20.0) / 20.0);
        content.y = {tr("Share of samples"), 0.0, top, top <= 0.1 ? 0.05 : top <= 0.3 ? 0.1 : 0.25, 2};
        content.series = {outline(0), outline(1)};
        content.describe = [this](PlotPoint point) { return describe(point); };
        setAccessibleName(
            tr("Fidelity of each sample of %1 and %2")
                .arg(QString::fromStdString(contrast_->first->name), QString::fromStdString(contrast_->second->name)));
    }
    Plot::show(std::move(content));
}

/// From the axis to the axis; point 2 b + 1 is the left end of bin b.
PlotSeries DistributionPair::outline(std::size_t model) const {
    const HistogramBins& bins = contrast_->fidelity.bins;
    const std::vector<double>& shares = model == 0 ? contrast_->fidelity.first : contrast_->fidelity.second;
    PlotSeries line{.line = QPen(comparedColor(model, palette()), 2.0, model == 0 ? Qt::SolidLine : Qt::DashLine),
                    .pick = PlotSeries::Pick::Line};
    line.points.emplace_back(bins.edges.front(), 0.0);
    for (std::size_t bin = 0; bin < bins.count(); ++bin) {
        line.points.emplace_back(bins.edges[bin], shares[bin]);
        line.points.emplace_back(bins.edges[bin + 1], shares[bin]);
    }
    line.points.emplace_back(bins.edges.back(), 0.0);
    if (model == 0) {
        line.band = comparedColor(0, palette());
        line.band.setAlphaF(0.25F);
        for (const QPointF point : line.points)
            line.upwards.push_back({0.0, point.y()});
    }
    return line;
}

QString DistributionPair::describe(PlotPoint point) const {
    const ContrastedColumn& shown = contrast_->fidelity;
    const std::size_t bin = std::min((std::max<std::size_t>(point.point, 1) - 1) / 2, shown.bins.count() - 1);
    const QString range =
        shown.bins.discrete()
            ? formatNumber(shown.bins.values[bin])
            : tr("%1 to %2").arg(formatNumber(shown.bins.edges[bin]), formatNumber(shown.bins.edges[bin + 1]));
    return tr("Fidelity %1<br>%2: %3 of the samples<br>%4: %5 of the samples")
        .arg(range, QString::fromStdString(contrast_->first->name).left(100).toHtmlEscaped(),
             formatPercent(shown.first[bin]), QString::fromStdString(contrast_->second->name).left(100).toHtmlEscaped(),
             formatPercent(shown.second[bin]));
}

} // namespace assay
