#include "widgets/charts/chart_axis.h"

#include "widgets/charts/axis_ticks.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kTicks = 5; // about as many on a part of an axis

QString shortNumber(double value) {
    return QLocale().toString(value, 'g', 3);
}

} // namespace

double ChartAxis::plotted(double value) const {
    return scale == Scale::Logarithmic ? std::log(value) : value;
}

double ChartAxis::shareAt(double value) const {
    return (plotted(value) - plotted(from)) / (plotted(to) - plotted(from));
}

double ChartAxis::valueAt(double share) const {
    const double at = plotted(from) + share * (plotted(to) - plotted(from));
    return scale == Scale::Logarithmic ? std::exp(at) : at;
}

QString ChartAxis::tickText(std::size_t tick) const {
    return names.isEmpty() ? QLocale().toString(ticks[tick], 'f', decimals) : names[static_cast<qsizetype>(tick)];
}

ChartAxis ChartAxis::part(double first, double last) const {
    if (first <= 0.0 && last >= 1.0)
        return *this;
    ChartAxis shown = *this;
    shown.from = valueAt(first);
    shown.to = valueAt(last);
    const std::vector<double> even = axisTicks(shown.from, shown.to, kTicks);
    if (ticks.empty()) {
        if (even.size() > 1)
            shown.step = std::min(step, even[1] - even[0]);
        shown.decimals = std::max(decimals, tickDecimals(shown.step));
        return shown;
    }
    if (scale == Scale::Logarithmic && !names.isEmpty()) {
        shown.ticks = logarithmicTicks(shown.from, shown.to);
        shown.names.clear();
        for (const double tick : shown.ticks)
            shown.names << shortNumber(tick);
        return shown;
    }
    shown.ticks.clear();
    shown.names.clear();
    for (std::size_t i = 0; i < ticks.size(); ++i)
        if (ticks[i] >= shown.from && ticks[i] <= shown.to) {
            shown.ticks.push_back(ticks[i]);
            if (!names.isEmpty())
                shown.names << names[static_cast<qsizetype>(i)];
        }
    if (!names.isEmpty() || shown.ticks.size() > 1)
        return shown;
    shown.ticks = even;
    shown.decimals = even.size() > 1 ? std::max(decimals, tickDecimals(even[1] - even[0])) : decimals;
    return shown;
}

void ValueRange::include(double value) {
    if (!std::isfinite(value))
        return;
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
}

void ValueRange::include(const std::vector<double>& values) {
    for (const double value : values)
        include(value);
}

ChartAxis fittedAxis(const QString& title, const ValueRange& range, const AxisFit& fit) {
    double low = range.low;
    double high = range.high;
    if (range.empty || (fit.shares && low >= 0.0 && high <= 1.0)) {
        low = 0.0;
        high = 1.0;
    } else if (!(high > low)) {
        const double room = low == 0.0 ? 1.0 : std::abs(low) / 10.0;
        low -= room;
        high += room;
    }
    const double room = fit.margin * (high - low);
    ChartAxis axis{title, low - room, high + room};
    const std::vector<double> ticks = axisTicks(low, high, fit.ticks);
    axis.step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;
    if (fit.counts)
        axis.step = std::max(1.0, std::round(axis.step));
    axis.decimals = tickDecimals(axis.step);
    return axis;
}

ChartAxis logarithmicAxis(const QString& title, const ValueRange& range, double margin) {
    const double room = std::pow(range.high / range.low, margin);
    ChartAxis axis{title, range.low / room, range.high * room};
    axis.decimals = 0;
    axis.scale = ChartAxis::Scale::Logarithmic;
    axis.ticks = logarithmicTicks(axis.from, axis.to);
    for (const double tick : axis.ticks)
        axis.names << shortNumber(tick);
    return axis;
}

} // namespace assay
