#include "widgets/agreement/agreement_chart.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/charts/label_place.h"
#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"
#include "widgets/common/number_format.h"

#include <QLineF>
#include <QPainter>
#include <QScatterSeries>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr double kPoint = 10.0;      // diameter
constexpr double kPointRing = 18.0;  // of the current model
constexpr double kPointReach = 12.0; // how near a click must be
constexpr double kPointRoom = 0.06;  // of the range, around the points
constexpr int kTicksWanted = 5;
constexpr QSize kLeastChart{150, 110};
constexpr double kLongestPointName = 120.0;

ChartAxis axisOver(const QString& title, const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax(values);
    const double room = most > least ? kPointRoom * (most - least) : std::max(1.0, std::abs(most));
    ChartAxis axis{title, least - room, most + room};
    const std::vector<double> ticks = axisTicks(axis.from, axis.to, kTicksWanted);
    axis.step = ticks.size() > 1 ? ticks[1] - ticks[0] : axis.to - axis.from;
    axis.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(axis.step) + 1e-9)), 0, 8);
    return axis;
}

} // namespace

AgreementChart::AgreementChart(QWidget* parent)
    : QWidget(parent), frame_(new ChartFrame(this)), models_(new QScatterSeries(this)) {
    setObjectName(QStringLiteral("agreementChart"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(frame_);
    frame_->setMinimumSize(kLeastChart); // less than a chart alone has: a sentence stands above
    models_->setMarkerSize(kPoint);
    frame_->setAxes({}, {});
    frame_->addSeries(models_);
    theme();
    frame_->setOverlay([this](QPainter& painter) { paintNames(painter); });
    connect(frame_, &ChartFrame::themed, this, &AgreementChart::theme);
    connect(frame_, &ChartFrame::mouseMoved, this,
            [this](QPoint point) { frame_->setCursor(entryAt(point) ? Qt::PointingHandCursor : Qt::ArrowCursor); });
    connect(frame_, &ChartFrame::clicked, this, [this](QPoint point) {
        if (const auto entry = entryAt(point))
            emit modelChosen(content_.agreement.models[*entry]);
    });
    connect(frame_, &ChartFrame::toolTipWanted, this, [this](QPoint point, QPoint globalPoint) {
        if (const auto entry = entryAt(point))
            QToolTip::showText(
                globalPoint,
                tr("<b>%1</b><br>%2: %3<br>%4: %5")
                    .arg(content_.names[static_cast<qsizetype>(*entry)].toHtmlEscaped(),
                         content_.xTitle.toHtmlEscaped(), formatNumber(content_.agreement.external[*entry]),
                         content_.yTitle.toHtmlEscaped(), formatNumber(content_.agreement.values[*entry])),
                this);
        else
            QToolTip::hideText();
    });
}

void AgreementChart::showContent(Content content) {
    content_ = std::move(content);
    const Agreement& agreement = content_.agreement;
    QList<QPointF> points;
    for (std::size_t entry = 0; entry < agreement.models.size(); ++entry)
        points << QPointF(agreement.external[entry], agreement.values[entry]);
    if (!points.isEmpty()) {
        ChartAxis y = axisOver(content_.yTitle, agreement.values);
        y.definition = content_.definition;
        frame_->setAxes(axisOver(content_.xTitle, agreement.external), y);
    }
    models_->replace(points);
    frame_->refresh();
}

QPointF AgreementChart::pointOf(std::size_t entry) const {
    return frame_->toWidget({content_.agreement.external[entry], content_.agreement.values[entry]}, models_);
}

std::optional<std::size_t> AgreementChart::entryAt(QPointF point) const {
    std::optional<std::size_t> nearest;
    double least = kPointReach;
    for (std::size_t entry = 0; entry < content_.agreement.models.size(); ++entry)
        if (const double distance = QLineF(pointOf(entry), point).length(); distance < least) {
            least = distance;
            nearest = entry;
        }
    return nearest;
}

void AgreementChart::theme() {
    models_->setColor(colors::synthetic(palette()));
    models_->setPen(QPen(palette().color(QPalette::Base), 1.5));
}

void AgreementChart::paintNames(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font());
    std::vector<QRectF> taken;
    for (std::size_t entry = 0; entry < content_.agreement.models.size(); ++entry)
        taken.emplace_back(pointOf(entry) - QPointF(kPoint, kPoint) / 2, QSizeF(kPoint, kPoint));
    for (std::size_t entry = 0; entry < content_.agreement.models.size(); ++entry) {
        const QPointF at = pointOf(entry);
        if (content_.agreement.models[entry] == content_.current) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
            painter.drawEllipse(at, kPointRing / 2, kPointRing / 2);
        }
        const QString name = elidedName(content_.names[static_cast<qsizetype>(entry)], content_.names, metrics,
                                        std::min(kLongestPointName, 0.5 * frame_->plotArea().width()));
        const QRectF box =
            clearPlace(at, {metrics.horizontalAdvance(name) + 4, metrics.height()}, frame_->plotArea(), {}, taken);
        if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
            continue; // no room: the tooltip still names it
        taken.push_back(box);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(box, Qt::AlignCenter, name);
    }
}

} // namespace assay
