#include "widgets/charts/plot.h"

#include "widgets/charts/chart_axis.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QLocale>
#include <QPainter>
#include <QScatterSeries>
#include <QToolButton>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace assay {

namespace {

constexpr int kLabelGap = 8; // between the numbers of an axis
constexpr int kMargin = 4;
constexpr int kTitleSlack = 14;       // Qt Charts elides a title before it touches the ends of the plot
constexpr double kNumberShare = 0.22; // of the width, for the numbers beside a chart with a title
constexpr int kMinName = 28;          // pixels; with less, names stand below some ticks only
constexpr double kBelowSeries = 3.5;  // Qt Charts' axes are at 3 of the stack, its series at 4
constexpr double kAboveSeries = 100.0;

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

/// The axis with names that are cut to the room that each has, if it wants that.
ChartAxis withFittingNames(const ChartAxis& axis, const QFontMetrics& metrics, double length) {
    ChartAxis fitted = axis;
    const int room =
        static_cast<int>(length / static_cast<double>(std::max<qsizetype>(1, axis.names.size()))) - kLabelGap;
    if (axis.elideNames)
        for (QString& name : fitted.names)
            name = metrics.elidedText(name, Qt::ElideRight, std::max(room, kMinName));
    return fitted;
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

/// What is painted over the chart's own items of lower z values.
class Plot::Layer : public QGraphicsItem {
public:
    using Paint = std::function<void(QPainter&)>;
    Layer(QChart* chart, double z, Paint paint) : QGraphicsItem(chart), paint_(std::move(paint)) {
        setZValue(z);
        setAcceptedMouseButtons(Qt::NoButton);
    }
    QRectF boundingRect() const override { return parentItem()->boundingRect(); }
    void followChart() { prepareGeometryChange(); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) override {
        painter->save();
        paint_(*painter);
        painter->restore();
    }

private:
    Paint paint_;
};

Plot::Plot(QWidget* parent) : QWidget(parent), chart_(new QChart) {
    chart_->legend()->hide();
    chart_->setLocalizeNumbers(true);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->setBackgroundRoundness(0);
    chart_->setMargins(QMargins(kMargin, kMargin, 2 * kMargin, kMargin));
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    view_ = new QChartView(chart_, this);
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setFocusPolicy(Qt::NoFocus);
    view_->setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    view_->setAttribute(Qt::WA_TransparentForMouseEvents); // mouse and keys are this widget's
    below_ = new Layer(chart_, kBelowSeries, [this](QPainter& painter) { paintBelow(painter); });
    above_ = new Layer(chart_, kAboveSeries, [this](QPainter& painter) { paintAbove(painter); });
    for (Layer* layer : {below_, above_})
        connect(chart_, &QGraphicsWidget::geometryChanged, this, [layer] { layer->followChart(); });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = newLayout<QVBoxLayout>(this);
    layout->addWidget(view_);
    wholeButton_ = new QToolButton(this);
    wholeButton_->setText(tr("Whole chart"));
    wholeButton_->setToolTip(tr("Show all of the axes again (Ctrl+0 or a double click)"));
    wholeButton_->setFocusPolicy(Qt::NoFocus);
    connect(wholeButton_, &QToolButton::clicked, this, &Plot::showWhole);
    placeButton();
    connect(chart_, &QChart::plotAreaChanged, this, &Plot::fitTicks);
    applyTheme();
}

void Plot::setAxis(QAbstractAxis*& axis, const ChartAxis& wanted, Qt::Alignment side) {
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

void Plot::setAxes(const ChartAxis& x, const ChartAxis& y) {
    const auto isOther = [this](const ChartAxis& a, const ChartAxis& b, Qt::Orientation along) {
        return magnified_.testFlag(along) && a != b;
    };
    if (isOther(x, xWhole_, Qt::Horizontal) || isOther(y, yWhole_, Qt::Vertical))
        part_ = QRectF(0, 0, 1, 1);
    xWhole_ = x;
    yWhole_ = y;
    applyAxes();
}

void Plot::applyAxes() {
    const ChartAxis x = xWhole_.part(part_.left(), part_.right());
    const ChartAxis y = yWhole_.part(part_.top(), part_.bottom());
    // Half of the last number may reach beyond the axis.
    const int beyond = x.ticks.empty() ? 0 : QFontMetrics(font()).horizontalAdvance(x.tickText(x.ticks.size() - 1)) / 2;
    chart_->setMargins(QMargins(kMargin, kMargin, std::max(2 * kMargin, beyond), kMargin));
    setAxis(x_, x, Qt::AlignBottom);
    setAxis(y_, y, Qt::AlignLeft);
    xShown_ = x;
    yShown_ = y;
    placeButton();
    applyTheme();
    fitTicks();
}

void Plot::fitTicks() {
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
        const ChartAxis named = withFittingNames(xShown_, metrics, plot.width());
        const std::vector<std::size_t> fitting = fittingTicks(named, metrics, plot.width());
        for (const std::size_t tick : fitting)
            numbered_.push_back(named.ticks[tick]);
        showTicks(*withTicks, named, fitting);
        return;
    }
    const auto widthOf = [&](double value) {
        return metrics.horizontalAdvance(QLocale().toString(value, 'f', xShown_.decimals));
    };
    const int wide = std::max(widthOf(xShown_.from), widthOf(xShown_.to));
    fit(static_cast<QValueAxis*>(x_), xShown_, plot.width(), wide + kLabelGap);
}

void Plot::show(PlotContent content) {
    content_ = std::move(content);
    view_->setVisible(!content_.series.empty());
    for (std::optional<PlotPoint>* point : {&hovered_, &cursor_, &anchor_, &brushed_})
        if (*point && !isThere(**point))
            point->reset();
    chart_->removeAllSeries();
    if (!content_.series.empty()) {
        setAxes(content_.x, content_.y);
        drawSeries();
    }
    refresh();
}

void Plot::pointAt(std::optional<double> x) {
    if (std::exchange(pointedAt_, x) != x)
        refresh();
}

void Plot::drawSeries() {
    for (const PlotSeries& series : content_.series)
        drawBand(series);
    for (const bool above : {false, true})
        for (const PlotSeries& series : content_.series)
            if (series.isAbove == above)
                drawLine(series);
    for (const PlotSeries& series : content_.series)
        drawMarks(series);
}

namespace {

bool isFinite(QPointF value) {
    return std::isfinite(value.x()) && std::isfinite(value.y());
}

/// Runs of points between gaps: nothing is drawn across values that are not numbers.
std::vector<std::vector<QPointF>> runsOf(const std::vector<QPointF>& points) {
    std::vector<std::vector<QPointF>> runs;
    bool isOpen = false;
    for (const QPointF point : points) {
        if (isFinite(point) && !isOpen)
            runs.emplace_back();
        isOpen = isFinite(point);
        if (isOpen)
            runs.back().push_back(point);
    }
    return runs;
}

std::optional<QScatterSeries::MarkerShape> qtShapeOf(MarkShape shape) {
    switch (shape) {
    case MarkShape::Circle:
        return QScatterSeries::MarkerShapeCircle;
    case MarkShape::Square:
        return QScatterSeries::MarkerShapeRectangle;
    case MarkShape::Diamond:
        return QScatterSeries::MarkerShapeRotatedRectangle;
    case MarkShape::TriangleUp:
        return QScatterSeries::MarkerShapeTriangle;
    default:
        return std::nullopt; // painted over the chart
    }
}

} // namespace

void Plot::drawLine(const PlotSeries& series) {
    if (series.line.style() == Qt::NoPen || series.isUpright)
        return;
    for (const std::vector<QPointF>& run : runsOf(series.points)) {
        if (run.size() == 1 && series.mark.shape == MarkShape::None) { // would not be seen at all
            drawMarks({.points = run, .mark = {MarkShape::Circle, 7.0, series.line.color()}});
            continue;
        }
        auto* line = new QLineSeries(this);
        line->replace(plotted(run));
        line->setPen(series.line);
        addSeries(line);
    }
}

void Plot::drawBand(const PlotSeries& series) {
    if (!series.band.isValid() || series.upwards.empty())
        return;
    std::vector<QPointF> low;
    std::vector<QPointF> high;
    for (std::size_t point = 0; point < series.points.size(); ++point) {
        const PlotInterval& interval = series.upwards[point];
        low.emplace_back(series.points[point].x() + 0.0 * interval.high, interval.low); // a gap in both or in none
        high.emplace_back(series.points[point].x() + 0.0 * interval.low, interval.high);
    }
    const auto lower = runsOf(low);
    const auto upper = runsOf(high);
    for (std::size_t run = 0; run < lower.size(); ++run) {
        auto* area = new QAreaSeries(this);
        auto* from = new QLineSeries(area);
        auto* to = new QLineSeries(area);
        from->replace(plotted(lower[run]));
        to->replace(plotted(upper[run]));
        area->setLowerSeries(from);
        area->setUpperSeries(to);
        area->setBrush(series.band);
        area->setPen(Qt::NoPen);
        addSeries(area);
    }
}

void Plot::drawMarks(const PlotSeries& series) {
    const auto shape = qtShapeOf(series.mark.shape);
    if (!shape || !series.bars.empty())
        return;
    std::vector<QPointF> there;
    std::ranges::copy_if(series.points, std::back_inserter(there), isFinite);
    auto* marks = new QScatterSeries(this);
    marks->setMarkerShape(*shape);
    marks->setMarkerSize(series.mark.size);
    marks->setColor(series.mark.fill);
    marks->setPen(series.mark.edge);
    marks->replace(plotted(there));
    addSeries(marks);
}

void Plot::addSeries(QAbstractSeries* series) {
    chart_->addSeries(series);
    for (QAbstractAxis* axis : chart_->axes())
        series->attachAxis(axis);
}

std::size_t Plot::lineCount() const {
    const auto isLine = [](const QAbstractSeries* one) { return one->type() != QAbstractSeries::SeriesTypeScatter; };
    return static_cast<std::size_t>(std::ranges::count_if(chart_->series(), isLine));
}

QList<QPointF> Plot::plotted(const std::vector<QPointF>& values) const {
    QList<QPointF> points;
    points.reserve(static_cast<qsizetype>(values.size()));
    for (const QPointF value : values)
        points.append({xShown_.plotted(value.x()), yShown_.plotted(value.y())});
    return points;
}

void Plot::refresh() {
    view_->viewport()->update();
    update();
}

QPointF Plot::toWidget(QPointF value) const {
    if (!x_ || !y_)
        return {};
    const QRectF plot = plotArea();
    return {plot.left() + xShown_.shareAt(value.x()) * plot.width(),
            plot.bottom() - yShown_.shareAt(value.y()) * plot.height()};
}

QRectF Plot::plotArea() const {
    return view_->mapFromScene(chart_->mapRectToScene(chart_->plotArea())).boundingRect();
}

void Plot::applyTheme() {
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
    refresh();
}

void Plot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    applyTheme();
    emit themed();
}

void Plot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButton();
}

void Plot::paintEvent(QPaintEvent* /*event*/) {
    if (!view_->isHidden())
        return;
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, content_.message);
}

} // namespace assay
