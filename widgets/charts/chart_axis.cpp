#include "widgets/charts/chart_axis.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
std::vector<double> axisTicks(double low, double high, int wanted) {
    if (!(high > low) || wanted < 1)
        return {low};
    const double raw = (high - low) / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double fraction = raw / power;
    const double step = power * (fraction <= 1.0 ? 1.0 : fraction <= 2.0 ? 2.0 : fraction <= 5.0 ? 5.0 : 10.0);
    std::vector<double> ticks;
    const double slack = step * 1e-9;
    for (double n = std::ceil((low - slack) / step); n * step <= high + slack; n += 1.0)
        ticks.push_back(n == 0.0 ? 0.0 : n * step);
    return ticks;
}

std::vector<double> logarithmicTicks(double low, double high) {
    constexpr double kManyDecades = 4.0;
    const bool powersAlone = std::log10(high / low) > kManyDecades;
    std::vector<double> ticks;
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10.0)
        for (const double factor : {1.0, 2.0, 5.0})
            if (const double tick = factor * power; tick >= low && tick <= high && (factor == 1.0 || !powersAlone))
                ticks.push_back(tick);
    return ticks.size() > 1 ? ticks : axisTicks(low, high, 5);
}

int tickDecimals(double step) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
}

double coarserStep(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    const double fraction = step / power;
    return power * (fraction < 1.5 ? 2.0 : fraction < 3.5 ? 5.0 : 10.0);
}

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
