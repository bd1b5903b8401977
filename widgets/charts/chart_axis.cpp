#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_frame.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int kTicks = 5; // about as many on a part of an axis

int decimalsOf(double step) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
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
        shown.decimals = std::max(decimals, decimalsOf(shown.step));
        return shown;
    }
    if (scale == Scale::Logarithmic && !names.isEmpty()) {
        shown.ticks = logarithmicTicks(shown.from, shown.to);
        shown.names.clear();
        for (const double tick : shown.ticks)
            shown.names << QLocale().toString(tick, 'g', 3);
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
    shown.decimals = even.size() > 1 ? std::max(decimals, decimalsOf(even[1] - even[0])) : decimals;
    return shown;
}

} // namespace assay
