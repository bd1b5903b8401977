#include "engine/math/statistics/conformal.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay {

std::vector<double> conformalPValues(std::span<const double> values, std::vector<double> calibration, Extreme end) {
    const auto numbers =
        std::partition(calibration.begin(), calibration.end(), [](double v) { return !std::isnan(v); });
    const auto unknown = static_cast<std::size_t>(calibration.end() - numbers);
    std::sort(calibration.begin(), numbers);
    const double all = 1.0 + static_cast<double>(calibration.size());
    std::vector<double> p(values.size(), 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i]))
            continue;
        const auto extreme = end == Extreme::High
                                 ? numbers - std::lower_bound(calibration.begin(), numbers, values[i])
                                 : std::upper_bound(calibration.begin(), numbers, values[i]) - calibration.begin();
        p[i] = (1.0 + static_cast<double>(unknown) + static_cast<double>(extreme)) / all;
    }
    return p;
}

std::vector<double> benjaminiHochberg(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    std::vector<double> adjusted(p.size());
    double smallest = 1.0;
    for (std::size_t above = 0; above < order.size(); ++above) {
        const auto rank = static_cast<double>(order.size() - above);
        smallest = std::min(smallest, p[order[above]] * static_cast<double>(p.size()) / rank);
        adjusted[order[above]] = smallest;
    }
    return adjusted;
}

double shareNotUniform(std::span<const double> p) {
    if (p.empty())
        return 0.0;
    const auto above = std::count_if(p.begin(), p.end(), [](double value) { return value > 0.5; });
    return std::max(0.0, 1.0 - (1.0 + static_cast<double>(above)) / (static_cast<double>(p.size()) / 2.0));
}

} // namespace assay
