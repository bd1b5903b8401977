#include "widgets/features/feature_picture.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/features/picture_heading.h"
#include "widgets/link/figure_parameters.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kFeatureTicks = 4;
constexpr double kFeatureHeadroom = 1.05;
constexpr int kNameGap = 8;        // between names below bars
constexpr int kLeastName = 28;     // pixels; with less, names stand below some bars only
constexpr int kLeastBarHeight = 2; // pixels: a single sample among thousands must be seen

int tickDecimals(double step) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
}

double tickStep(double from, double to) {
    const std::vector<double> ticks = axisTicks(from, to, kFeatureTicks);
    return ticks.size() > 1 ? ticks[1] - ticks[0] : to - from;
}

} // namespace

FeaturePicture::FeaturePicture(SampleSelection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      heading_(new PictureHeading(QStringLiteral("\u25a0"), QStringLiteral("\u25a0"), this)),
      frame_(new ChartFrame(this)) {
    setObjectName(QStringLiteral("featurePicture"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("The feature in both sets"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(heading_);
    layout->addWidget(frame_, 1);
    frame_->leaveMouseToParent();
    frame_->setOverlay([this](QPainter& painter) { paintBars(painter); });
    connect(selection_, &SampleSelection::changed, this, [this] {
        countSelected();
        frame_->refresh();
    });
}

void FeaturePicture::showFeature(const ViewState& state, std::uint32_t feature) {
    const QString before = bars_.title;
    state_ = state;
    bars_ = FeatureBars::of(state, feature);
    hovered_.reset();
    if (bars_.title != before || (cursor_ && cursor_->bar >= bars_.count()))
        cursor_.reset();
    showHeading();
    frame_->setVisible(bars_.count() > 0);
    countSelected();
    fitAxes();
    frame_->refresh();
}

void FeaturePicture::showHeading() {
    if (bars_.count() == 0) {
        heading_->setTexts(tr("%1: nothing to draw").arg(bars_.title), {});
        return;
    }
    const auto share = [](const FeatureBars::Side& side) {
        return formatPercent(side.total > 0 ? static_cast<double>(side.missing) / static_cast<double>(side.total)
                                            : 0.0);
    };
    const bool isMissing = bars_.sides[0].missing + bars_.sides[1].missing > 0;
    heading_->setTexts(
        bars_.title,
        isMissing ? tr("missing: %1 of real, %2 of synthetic samples").arg(share(bars_.sides[0]), share(bars_.sides[1]))
                  : QString());
}

void FeaturePicture::countSelected() {
    for (std::size_t side = 0; side < 2; ++side) {
        const FeatureBars::Side& of = bars_.sides[side];
        selected_[side].assign(bars_.count(), 0);
        for (const SampleId sample : state_.shownOf(selection_->samples().in(of.set)))
            if (sample.row < of.barOfRow.size() && of.barOfRow[sample.row] != FeatureBars::kNone)
                ++selected_[side][of.barOfRow[sample.row]];
    }
}

void FeaturePicture::fitAxes() {
    if (bars_.count() == 0)
        return;
    ChartAxis x{bars_.title, bars_.edges.front(), bars_.edges.back()};
    if (bars_.names.isEmpty()) {
        x.step = tickStep(x.from, x.to);
        x.decimals = tickDecimals(x.step);
    } else {
        // A name below every bar where there is room for some letters of it; a number is whole or left out.
        const int room = static_cast<int>(frame_->plotArea().width() / static_cast<double>(bars_.count())) - kNameGap;
        const QFontMetrics metrics(frame_->font());
        for (qsizetype b = 0; b < bars_.names.size(); ++b) {
            x.ticks.push_back(static_cast<double>(b));
            x.names << (bars_.areNumbers
                            ? bars_.names[b]
                            : metrics.elidedText(bars_.names[b], Qt::ElideRight, std::max(room, kLeastName)));
        }
    }
    largest_ = 0.0;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t bar = 0; bar < bars_.count(); ++bar)
            largest_ = std::max(largest_, bars_.share(side, bar));
    ChartAxis y{tr("% of the set"), 0.0, std::max(1e-6, 100.0 * kFeatureHeadroom * largest_)};
    y.brief = QStringLiteral("%");
    y.definition = tr("Share of each set's samples, so that sets of different sizes can be compared");
    y.step = tickStep(0.0, y.to);
    y.decimals = tickDecimals(y.step);
    frame_->setAxes(x, y);
}

std::optional<Figure> FeaturePicture::figure() {
    if (bars_.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = tr("%1 of real and synthetic samples").arg(bars_.title);
    figure.chart = this;
    figure.caption = tr("Share of each set's samples by %1. %2").arg(bars_.title, figureParameters(state_));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("name"), QStringLiteral("real"),
                           QStringLiteral("synthetic")});
    for (std::size_t bar = 0; bar < bars_.count(); ++bar)
        figure.data.push_back({dataNumber(bars_.edges[bar]), dataNumber(bars_.edges[bar + 1]),
                               bars_.names.value(static_cast<qsizetype>(bar)),
                               QString::number(bars_.sides[0].counts[bar]),
                               QString::number(bars_.sides[1].counts[bar])});
    return figure;
}

QRect FeaturePicture::barRect(std::size_t side, std::size_t bar) const {
    const QPoint corner = frame_->pos();
    const double left = frame_->toWidget(QPointF(bars_.edges[bar], 0.0)).x();
    const double right = frame_->toWidget(QPointF(bars_.edges[bar + 1], 0.0)).x();
    const double gap = bars_.names.isEmpty() ? (right - left > 8.0 ? 1.0 : 0.0) : (right - left) * 0.1;
    const double middle = (left + right) / 2.0;
    const QRectF plot = frame_->plotArea();
    const double from = side == 0 ? left + gap : middle;
    const double to = side == 0 ? middle : right - gap;
    const int first = static_cast<int>(std::lround(from));
    return QRect(first, static_cast<int>(plot.top()), std::max(1, static_cast<int>(std::lround(to)) - first),
                 static_cast<int>(plot.height()))
        .translated(corner);
}

std::optional<FeaturePicture::Bar> FeaturePicture::barAt(QPoint point) const {
    const QPointF within = point - frame_->pos();
    if (bars_.count() == 0 || !frame_->plotArea().contains(within))
        return std::nullopt;
    const double low = bars_.edges.front();
    const double place = (frame_->toValue(within).x() - low) / (bars_.edges.back() - low) *
                         static_cast<double>(bars_.count()); // bars are equally wide
    const auto bar = std::min(static_cast<std::size_t>(std::max(0.0, place)), bars_.count() - 1);
    return Bar{place - static_cast<double>(bar) < 0.5 ? std::size_t{0} : std::size_t{1}, bar};
}

QString FeaturePicture::textOf(Bar bar) const {
    const FeatureBars::Side& side = bars_.sides[bar.side];
    const QString count = formatCount(side.counts[bar.bar]);
    QString text = tr("<b>%1</b><br>%2, %3")
                       .arg(bars_.barText(bar.bar).toHtmlEscaped(),
                            bar.side == 0 ? tr("%1 of %2 real samples").arg(count, formatCount(side.total))
                                          : tr("%1 of %2 synthetic samples").arg(count, formatCount(side.total)),
                            formatPercent(bars_.share(bar.side, bar.bar)));
    if (const std::size_t selected = selected_[bar.side][bar.bar]; selected > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selected));
    return text;
}

void FeaturePicture::select(Bar bar, Qt::KeyboardModifiers modifiers) {
    selection_->chooseBy(modifiers, bars_.samplesIn(state_, bar.side, bar.bar));
}

void FeaturePicture::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate(); // names need the room that there is now
    fitAxes();
}

void FeaturePicture::mousePressEvent(QMouseEvent* event) {
    const auto bar = barAt(event->position().toPoint());
    if (!bar || event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    cursor_ = bar;
    select(*bar, event->modifiers());
    frame_->refresh();
}

void FeaturePicture::mouseMoveEvent(QMouseEvent* event) {
    const auto bar = barAt(event->position().toPoint());
    if (bar == hovered_)
        return;
    hovered_ = bar;
    frame_->refresh();
}

void FeaturePicture::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hovered_.reset();
    frame_->refresh();
}

void FeaturePicture::moveCursor(std::ptrdiff_t by) {
    const auto last = static_cast<std::ptrdiff_t>(2 * bars_.count()) - 1;
    const std::ptrdiff_t at =
        cursor_ ? static_cast<std::ptrdiff_t>(2 * cursor_->bar + cursor_->side) + by : (by > 0 ? 0 : last);
    const auto to = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last));
    cursor_ = Bar{to % 2, to / 2};
    setAccessibleDescription(textOf(*cursor_).replace(QStringLiteral("<br>"), QStringLiteral(". ")));
    frame_->refresh();
}

void FeaturePicture::keyPressEvent(QKeyEvent* event) {
    if (bars_.count() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto all = static_cast<std::ptrdiff_t>(2 * bars_.count());
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(-1);
        return;
    case Qt::Key_Right:
        moveCursor(1);
        return;
    case Qt::Key_Home:
        moveCursor(-all);
        return;
    case Qt::Key_End:
        moveCursor(all);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_)
            select(*cursor_, event->modifiers());
        return;
    case Qt::Key_Escape:
        if (!selection_->isEmpty()) {
            selection_->clear();
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void FeaturePicture::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    frame_->refresh();
}

void FeaturePicture::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    frame_->refresh();
}

bool FeaturePicture::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto bar = barAt(help->pos()))
        QToolTip::showText(help->globalPos(), textOf(*bar), this);
    else
        QToolTip::hideText();
    return true;
}

void FeaturePicture::paintBar(QPainter& painter, Bar bar) const {
    const QRect column = barRect(bar.side, bar.bar).translated(-frame_->pos());
    if (hovered_ == bar)
        painter.fillRect(column, palette().color(QPalette::AlternateBase));
    const std::size_t count = bars_.sides[bar.side].counts[bar.bar];
    if (count > 0) {
        const double y = frame_->toWidget(QPointF(bars_.edges.front(), 100.0 * bars_.share(bar.side, bar.bar))).y();
        const int full = std::max(kLeastBarHeight, static_cast<int>(std::lround(frame_->plotArea().bottom() - y)));
        const auto slice = [&](int tall) {
            return QRect(column.left(), column.bottom() + 1 - tall, column.width(), tall);
        };
        painter.fillRect(slice(full), bar.side == 0 ? colors::real(palette()) : colors::synthetic(palette()));
        if (const std::size_t selected = selected_[bar.side][bar.bar]; selected > 0) {
            const QRect share =
                slice(std::max(3, static_cast<int>(std::lround(double(full) * double(selected) / double(count)))));
            QColor fill = colors::selected(palette());
            fill.setAlphaF(0.35F);
            painter.fillRect(share, fill);
            painter.setPen(QPen(colors::selected(palette()), 2));
            painter.drawRect(share.adjusted(1, 1, -1, -1));
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1)); // yellow alone is weak on orange
            painter.drawRect(share.adjusted(-1, -1, 0, 0));
        }
    }
    if (cursor_ == bar && hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(column.adjusted(0, 0, -1, -1));
    }
}

void FeaturePicture::paintBars(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing, false); // bars end on whole pixels
    for (std::size_t bar = 0; bar < bars_.count(); ++bar)
        for (std::size_t side = 0; side < 2; ++side)
            paintBar(painter, {side, bar});
    if (hasFocus() && !cursor_) { // arrow keys have not chosen a bar yet
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(frame_->plotArea().toRect().adjusted(0, 0, -1, -1));
    }
}

} // namespace assay
