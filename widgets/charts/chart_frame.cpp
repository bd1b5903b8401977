#include "widgets/charts/chart_frame.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/common/colors.h"

#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <utility>

namespace assay {

namespace {

constexpr int kLabelGap = 8; // between the numbers of an axis
constexpr int kMargin = 4;
constexpr int kTitleSlack = 14;       // Qt Charts elides a title before it touches the ends of the plot
constexpr double kNumberShare = 0.22; // of the width, for the numbers beside a chart with a title

QAbstractAxis* makeLinear(QObject* parent) {
    auto* axis = new QValueAxis(parent);
    axis->setTickType(QValueAxis::TicksDynamic);
    axis->setTickAnchor(0.0);
    return axis;
}

QString labelFormat(const ChartAxis& axis) {
    return QStringLiteral("%.%1f").arg(axis.decimals);
}

QAbstractAxis* makeWithTicks(QObject* parent) {
    auto* axis = new QCategoryAxis(parent);
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    return axis;
}

bool hasOwnTicks(const ChartAxis& axis) {
    return axis.scale == ChartAxis::Scale::Logarithmic || !axis.ticks.empty();
}

void showLinear(QValueAxis& axis, const ChartAxis& wanted) {
    // The smaller number of ticks at every moment: a long range with a short step is laid out at once.
    axis.setTickInterval(std::max(axis.tickInterval(), wanted.step));
    axis.setRange(wanted.from, wanted.to);
    axis.setTickInterval(wanted.step);
    axis.setLabelFormat(labelFormat(wanted));
}

/// The ticks that there is room to write at: every second, third, .. from the last one on, which is never left out.
/// Ascending.
std::vector<std::size_t> fittingTicks(const ChartAxis& axis, const QFontMetrics& metrics, double length) {
    std::vector<std::size_t> fitting;
    for (std::size_t step = 1; step <= axis.ticks.size(); ++step) {
        fitting.clear();
        int wide = 0;
        for (std::size_t i = (axis.ticks.size() - 1) % step; i < axis.ticks.size(); i += step) {
            fitting.push_back(i);
            wide = std::max(wide, metrics.horizontalAdvance(axis.tickText(i)) + kLabelGap);
        }
        const auto tooClose = [&](std::size_t a, std::size_t b) {
            return (axis.shareAt(axis.ticks[b]) - axis.shareAt(axis.ticks[a])) * length < wide;
        };
        // Qt Charts cuts short what is wider than the room for each of so many.
        if (wide * static_cast<double>(fitting.size()) <= length &&
            std::ranges::adjacent_find(fitting, tooClose) == fitting.end())
            break;
    }
    return fitting;
}

void showTicks(QCategoryAxis& axis, const ChartAxis& wanted, const std::vector<std::size_t>& ticks) {
    QStringList texts;
    for (const std::size_t tick : ticks)
        texts << wanted.tickText(tick);
    if (texts == axis.categoriesLabels()) // else laying out would go on and on
        return;
    for (const QString& text : axis.categoriesLabels())
        axis.remove(text);
    axis.setStartValue(wanted.plotted(wanted.from) - 1.0); // out of sight: it is no tick
    for (std::size_t i = 0; i < ticks.size(); ++i)
        axis.append(texts[static_cast<qsizetype>(i)], wanted.plotted(wanted.ticks[ticks[i]])); // as a category's end
}

} // namespace

class ChartFrame::View : public QChartView {
public:
    View(QChart* chart, QWidget* parent) : QChartView(chart, parent) {}
    Overlay overlay;
    bool clipped = false; ///< marks of what is not in the part that is shown must not lie on the numbers

protected:
    void drawForeground(QPainter* painter, const QRectF& area) override {
        QChartView::drawForeground(painter, area);
        if (!overlay)
            return;
        painter->save();
        painter->setWorldTransform(QTransform()); // to the widget's own pixels
        painter->setFont(font());
        if (clipped)
            painter->setClipRect(mapFromScene(chart()->mapRectToScene(chart()->plotArea())).boundingRect());
        overlay(*painter);
        painter->restore();
    }
};

ChartFrame::ChartFrame(QWidget* parent) : QWidget(parent), chart_(new QChart) {
    chart_->legend()->hide();
    chart_->setLocalizeNumbers(true);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->setBackgroundRoundness(0);
    chart_->setMargins(QMargins(kMargin, kMargin, 2 * kMargin, kMargin));
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    view_ = new View(chart_, this);
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setFocusPolicy(Qt::NoFocus);
    view_->setViewportUpdateMode(QGraphicsView::FullViewportUpdate); // the overlay is not part of the scene
    view_->viewport()->setMouseTracking(true);
    view_->viewport()->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view_);
    wholeButton_ = new QToolButton(this);
    wholeButton_->setText(tr("Whole chart"));
    wholeButton_->setToolTip(tr("Show all of the axes again (Ctrl+0 or a double click)"));
    wholeButton_->setFocusPolicy(Qt::NoFocus);
    connect(wholeButton_, &QToolButton::clicked, this, &ChartFrame::showWhole);
    placeButton();
    connect(chart_, &QChart::plotAreaChanged, this, &ChartFrame::fitTicks);
    applyTheme();
}

void ChartFrame::setAxis(QAbstractAxis*& axis, const ChartAxis& wanted, Qt::Alignment side) {
    const bool ownTicks = hasOwnTicks(wanted);
    if (!axis || ownTicks != (axis->type() == QAbstractAxis::AxisTypeCategory)) {
        if (axis) {
            axis->setVisible(false); // else it stays in the picture until it is laid out again
            chart_->removeAxis(axis);
            delete axis;
        }
        axis = ownTicks ? makeWithTicks(this) : makeLinear(this);
        chart_->addAxis(axis, side);
        for (QAbstractSeries* series : chart_->series())
            series->attachAxis(axis);
    }
    if (ownTicks)
        axis->setRange(wanted.plotted(wanted.from), wanted.plotted(wanted.to)); // ticks follow in fitTicks()
    else
        showLinear(*static_cast<QValueAxis*>(axis), wanted);
}

void ChartFrame::setAxes(const ChartAxis& x, const ChartAxis& y) {
    const auto isOther = [this](const ChartAxis& a, const ChartAxis& b, Qt::Orientation along) {
        return magnified_.testFlag(along) && a != b;
    };
    if (isOther(x, xWhole_, Qt::Horizontal) || isOther(y, yWhole_, Qt::Vertical))
        part_ = QRectF(0, 0, 1, 1);
    xWhole_ = x;
    yWhole_ = y;
    applyAxes();
}

void ChartFrame::applyAxes() {
    const ChartAxis x = xWhole_.part(part_.left(), part_.right());
    const ChartAxis y = yWhole_.part(part_.top(), part_.bottom());
    // Half of the last number may reach beyond the axis.
    const int beyond = x.ticks.empty() ? 0 : QFontMetrics(font()).horizontalAdvance(x.tickText(x.ticks.size() - 1)) / 2;
    chart_->setMargins(QMargins(kMargin, kMargin, std::max(2 * kMargin, beyond), kMargin));
    setAxis(x_, x, Qt::AlignBottom);
    setAxis(y_, y, Qt::AlignLeft);
    xShown_ = x;
    yShown_ = y;
    view_->clipped = !isWhole();
    placeButton();
    applyTheme();
    fitTicks();
}

void ChartFrame::fitTicks() {
    if (!x_ || !y_)
        return;
    const QFontMetrics metrics(font());
    const auto fit = [](QValueAxis* axis, const ChartAxis& wanted, double room, double label) {
        double step = wanted.step;
        while ((wanted.to - wanted.from) / step > std::max(1.0, room / label))
            step = coarserStep(step);
        if (step != axis->tickInterval())
            axis->setTickInterval(step);
    };
    // Qt Charts cuts numbers short where the chart is narrow: they go before the title, which is the tooltip, too.
    const int number = metrics.horizontalAdvance(QLocale().toString(yShown_.to, 'f', yShown_.decimals));
    if (const bool room = number < kNumberShare * width(); room != y_->isTitleVisible())
        y_->setTitleVisible(room);
    const QRectF plot = chart_->plotArea();
    const auto fitTitle = [](QAbstractAxis* axis, const ChartAxis& wanted, double room) {
        const QFontMetrics words(axis->titleFont());
        const bool fits = words.horizontalAdvance(wanted.title) + kTitleSlack <= room;
        const QString title = wanted.brief.isEmpty() || fits ? wanted.title : wanted.brief;
        if (axis->titleText() != title)
            axis->setTitleText(title);
    };
    fitTitle(x_, xShown_, plot.width());
    fitTitle(y_, yShown_, plot.height());
    fit(static_cast<QValueAxis*>(y_), yShown_, plot.height(), metrics.height() + kLabelGap);
    numbered_.clear();
    if (auto* withTicks = qobject_cast<QCategoryAxis*>(x_)) {
        const std::vector<std::size_t> fitting = fittingTicks(xShown_, metrics, plot.width());
        for (const std::size_t tick : fitting)
            numbered_.push_back(xShown_.ticks[tick]);
        showTicks(*withTicks, xShown_, fitting);
        return;
    }
    const auto widthOf = [&](double value) {
        return metrics.horizontalAdvance(QLocale().toString(value, 'f', xShown_.decimals));
    };
    const int wide = std::max(widthOf(xShown_.from), widthOf(xShown_.to));
    fit(static_cast<QValueAxis*>(x_), xShown_, plot.width(), wide + kLabelGap);
}

void ChartFrame::addSeries(QAbstractSeries* series) {
    chart_->addSeries(series);
    for (QAbstractAxis* axis : chart_->axes())
        series->attachAxis(axis);
}

QList<QPointF> ChartFrame::plotted(const std::vector<QPointF>& values) const {
    QList<QPointF> points;
    points.reserve(static_cast<qsizetype>(values.size()));
    for (const QPointF value : values)
        points.append({xShown_.plotted(value.x()), yShown_.plotted(value.y())});
    return points;
}

void ChartFrame::clearSeries() {
    chart_->removeAllSeries();
}

std::size_t ChartFrame::seriesCount() const {
    return static_cast<std::size_t>(chart_->series().size());
}

void ChartFrame::setOverlay(Overlay overlay) {
    view_->overlay = std::move(overlay);
}

void ChartFrame::refresh() {
    view_->viewport()->update();
}

QPointF ChartFrame::toWidget(QPointF value, QAbstractSeries* series) const {
    return view_->mapFromScene(chart_->mapToScene(chart_->mapToPosition(plotted({value}).front(), series)));
}

QPointF ChartFrame::toWidget(QPointF value) const {
    if (!x_ || !y_)
        return {};
    const QRectF plot = plotArea();
    return {plot.left() + xShown_.shareAt(value.x()) * plot.width(),
            plot.bottom() - yShown_.shareAt(value.y()) * plot.height()};
}

QRectF ChartFrame::plotArea() const {
    return view_->mapFromScene(chart_->mapRectToScene(chart_->plotArea())).boundingRect();
}

void ChartFrame::applyTheme() {
    const QPalette colors = palette();
    chart_->setBackgroundBrush(colors.color(QPalette::Base));
    chart_->setBackgroundPen(Qt::NoPen);
    chart_->setPlotAreaBackgroundVisible(false);
    view_->setBackgroundBrush(colors.color(QPalette::Base));
    chart_->setTitleBrush(colors.color(QPalette::WindowText));
    chart_->setTitleFont(font());
    for (QAbstractAxis* axis : chart_->axes()) {
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setLabelsBrush(colors::mutedText(colors));
        axis->setTitleBrush(colors::mutedText(colors));
        axis->setGridLinePen(QPen(colors::gridLine(colors), 1));
        axis->setMinorGridLinePen(QPen(colors::gridLine(colors), 1, Qt::DotLine));
        axis->setLinePen(QPen(colors::mutedText(colors), 1));
    }
    emit themed();
    refresh();
}

void ChartFrame::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyTheme();
}

void ChartFrame::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButton();
}

void ChartFrame::leaveMouseToParent() {
    view_->setAttribute(Qt::WA_TransparentForMouseEvents);
    setMouseTracking(true);
}

bool ChartFrame::eventFilter(QObject* watched, QEvent* event) {
    if (navigate(event))
        return true;
    switch (event->type()) {
    case QEvent::MouseMove: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (!dragged(mouse, Qt::LeftButton))
            emit mouseMoved(mouse->position().toPoint());
        return true;
    }
    case QEvent::MouseButtonPress:
        dragged(static_cast<QMouseEvent*>(event), Qt::LeftButton);
        return true;
    case QEvent::MouseButtonRelease: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton && !dragged(mouse, Qt::LeftButton))
            emit clicked(mouse->position().toPoint());
        return true;
    }
    case QEvent::Leave:
        emit mouseLeft();
        break;
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const QString text = axisToolTipAt(help->pos()); !text.isEmpty())
            QToolTip::showText(help->globalPos(), text, this);
        else
            emit toolTipWanted(help->pos(), help->globalPos());
        return true;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace assay
