#include "widgets/charts/axis_ticks.h"

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

} // namespace assay
