#include "widgets/charts/interval_chart.h"

#include "widgets/charts/chart_axis.h"
#include "widgets/common/colors.h"
#include "widgets/common/elided_name.h"

#include <QEvent>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kChartInset = 6;
constexpr int kColumnGap = 8;
constexpr int kRowGap = 6;
constexpr int kTick = 4;
constexpr double kMarkRadius = 5.0; // half the size of a mark
constexpr double kCap = 4.0;        // half the height of an interval's end
constexpr double kPadding = 0.08;
constexpr double kMaxForNames = 0.36; // of the width
constexpr int kBetweenTicks = 52;

/// As short as it can be: "0.5", "98 %".
QString tickText(double value, IntervalAxis::Ticks ticks) {
    constexpr int kDigits = 5;
    return ticks == IntervalAxis::Ticks::Percent
               ? QLocale().toString(100.0 * value, 'g', kDigits) + QStringLiteral(" %")
               : QLocale().toString(value, 'g', kDigits);
}

/// Shapes tell the marks apart where colours do not.
void paintIntervalMark(QPainter& painter, IntervalRow::Mark mark, QPointF at, const QColor& color) {
    const bool hollow = mark == IntervalRow::Mark::Kept || mark == IntervalRow::Mark::Random;
    painter.setPen(QPen(color, 2.0));
    painter.setBrush(hollow ? painter.background() : QBrush(color));
    switch (mark) {
    case IntervalRow::Mark::Real:
        painter.drawRect(
            QRectF(at - QPointF(kMarkRadius - 1, kMarkRadius - 1), QSizeF(2 * kMarkRadius - 2, 2 * kMarkRadius - 2)));
        break;
    case IntervalRow::Mark::Random:
        painter.drawPolygon(QPolygonF({at + QPointF(0, -kMarkRadius), at + QPointF(kMarkRadius, 0),
                                       at + QPointF(0, kMarkRadius), at + QPointF(-kMarkRadius, 0)}));
        break;
    default:
        painter.drawEllipse(at, kMarkRadius - 0.5, kMarkRadius - 0.5);
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace

IntervalChart::IntervalChart(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void IntervalChart::show(const IntervalAxis& axis, const std::vector<IntervalRow>& rows) {
    axis_ = axis;
    rows_ = rows;
    fitAxis();
    setAccessibleName(axis_.title);
    QStringList all;
    for (const IntervalRow& row : rows_)
        all << QStringLiteral("%1: %2").arg(row.name, row.text);
    setAccessibleDescription(all.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void IntervalChart::fitAxis() {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto take = [&](double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    };
    for (const IntervalRow& row : rows_)
        for (const double value : {row.value, row.low, row.high})
            take(value);
    take(axis_.reference.value_or(IntervalRow::kNone));
    if (low > high) {
        low = axis_.lowest;
        high = low + 1.0;
    }
    const double missing = std::max(0.0, std::max(axis_.leastSpan, 1e-9) - (high - low));
    const double padding = kPadding * (high - low) + missing / 2.0;
    from_ = std::max(axis_.lowest, low - padding);
    to_ = std::min(axis_.highest, high + padding);
}

int IntervalChart::lineHeight() const {
    return fontMetrics().height();
}

int IntervalChart::nameWidth() const {
    int wide = 0;
    for (const IntervalRow& row : rows_)
        wide = std::max(wide, fontMetrics().horizontalAdvance(row.name));
    return std::min(wide, static_cast<int>(kMaxForNames * width()));
}

int IntervalChart::valueWidth() const {
    int wide = 0;
    for (const IntervalRow& row : rows_)
        wide = std::max(wide, fontMetrics().horizontalAdvance(row.text));
    return wide;
}

int IntervalChart::top() const {
    return kChartInset / 2 + lineHeight() + (axis_.reference ? lineHeight() : 0) + kRowGap / 2;
}

QRectF IntervalChart::plot() const {
    const int left = kChartInset + nameWidth() + kColumnGap;
    const int right = width() - kChartInset - valueWidth() - kColumnGap;
    const auto height = static_cast<double>(rows_.size()) * (lineHeight() + kRowGap);
    return {static_cast<double>(left), static_cast<double>(top()), static_cast<double>(std::max(20, right - left)),
            height};
}

double IntervalChart::xOf(double value) const {
    const QRectF area = plot();
    return area.left() + (value - from_) / (to_ - from_) * area.width();
}

QRect IntervalChart::rowRect(std::size_t row) const {
    return {0, top() + static_cast<int>(row) * (lineHeight() + kRowGap), width(), lineHeight() + kRowGap};
}

QSize IntervalChart::sizeHint() const {
    const int rows = static_cast<int>(rows_.size());
    return {320, top() + rows * (lineHeight() + kRowGap) + kTick + lineHeight() + kChartInset};
}

QSize IntervalChart::minimumSizeHint() const {
    return {190, sizeHint().height()};
}

QColor IntervalChart::colorOf(IntervalRow::Mark mark) const {
    switch (mark) {
    case IntervalRow::Mark::Real:
        return colors::real(palette());
    case IntervalRow::Mark::Random:
        return colors::mutedText(palette());
    default:
        return colors::synthetic(palette());
    }
}

void IntervalChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBackground(palette().window());
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect title(kChartInset, kChartInset / 2, width() - 2 * kChartInset, lineHeight());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(axis_.title, Qt::ElideRight, title.width()));
    painter.setFont(font());
    paintAxis(painter);
    paintReference(painter);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        paintRow(painter, row);
}

void IntervalChart::paintAxis(QPainter& painter) const {
    const QRectF area = plot();
    const int wanted = std::max(2, static_cast<int>(area.width()) / kBetweenTicks);
    std::vector<double> ticks;
    for (int more = 0; ticks.size() < 2 && more < 2 * wanted; ++more) // one alone tells no scale
        ticks = axisTicks(from_, to_, wanted + more);
    double end = 0.0;
    for (const double tick : ticks) {
        const double x = xOf(tick);
        painter.setPen(QPen(colors::gridLine(palette()), 1.0));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + kTick));
        const QString text = tickText(tick, axis_.ticks);
        const double wide = fontMetrics().horizontalAdvance(text);
        const double left = std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide));
        if (left < end)
            continue; // no room beside the one before
        painter.setPen(colors::mutedText(palette()));
        painter.drawText(QRectF(left, area.bottom() + kTick, wide + 1, lineHeight()), Qt::AlignCenter, text);
        end = left + wide + kColumnGap;
    }
    painter.setPen(QPen(colors::mutedText(palette()), 1.0));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void IntervalChart::paintReference(QPainter& painter) const {
    if (!axis_.reference)
        return;
    const QRectF area = plot();
    const double x = xOf(*axis_.reference);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.0, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top() - 2), QPointF(x, area.bottom()));
    const double wide = fontMetrics().horizontalAdvance(axis_.referenceName);
    const double left =
        std::clamp(x - wide / 2, static_cast<double>(kChartInset), std::max(6.0, width() - kChartInset - wide));
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(QRectF(left, area.top() - 3 - lineHeight(), wide + 1, lineHeight()), Qt::AlignCenter,
                     axis_.referenceName);
}

void IntervalChart::paintRow(QPainter& painter, std::size_t row) const {
    const IntervalRow& shown = rows_[row];
    const QRect line = rowRect(row);
    const double y = line.center().y() + 0.5;
    QStringList names;
    for (const IntervalRow& other : rows_)
        names << other.name;
    painter.setPen(palette().color(QPalette::WindowText));
    const QString name = elidedName(shown.name, names, QFontMetricsF(font()), nameWidth() + 1);
    painter.drawText(QRect(kChartInset, line.top(), nameWidth() + 2, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     name);
    painter.drawText(QRect(width() - kChartInset - valueWidth(), line.top(), valueWidth(), line.height()),
                     Qt::AlignRight | Qt::AlignVCenter, shown.text);
    const QColor color = colorOf(shown.mark);
    painter.setPen(QPen(color, 2.0));
    if (std::isfinite(shown.low) && std::isfinite(shown.high)) {
        painter.drawLine(QPointF(xOf(shown.low), y), QPointF(xOf(shown.high), y));
        for (const double end : {shown.low, shown.high})
            painter.drawLine(QPointF(xOf(end), y - kCap), QPointF(xOf(end), y + kCap));
    }
    if (std::isfinite(shown.value))
        paintIntervalMark(painter, shown.mark, {xOf(shown.value), y}, color);
}

void IntervalChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

QString IntervalChart::toolTipAt(QPoint point) const {
    if (point.y() < top())
        return axis_.definition;
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (rowRect(row).contains(point))
            return rows_[row].toolTip;
    return axis_.definition;
}

bool IntervalChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const QString text = toolTipAt(help->pos()); text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace assay
