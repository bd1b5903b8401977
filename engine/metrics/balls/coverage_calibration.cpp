#include "engine/metrics/balls/catalog_curves.h"
#include "engine/metrics/balls/clipped.h"
#include "engine/metrics/tables/pass_tables.h"

#include <algorithm>

namespace assay::curves {

CurveValues coverageCalibration(const MetricInputs& in) {
    constexpr std::size_t kSteps = 100;
    const std::size_t rows = in.pair.clippedBallsHolding.size();
    const std::size_t steps = std::min(kSteps, rows);
    std::vector<std::size_t> draws;
    for (std::size_t step = 0; step <= steps; ++step)
        draws.push_back(step * rows / steps);
    CurveValues curve{{}, {}, {{{}, {}}}};
    for (const std::size_t m : draws)
        curve.x.push_back(static_cast<double>(m) / static_cast<double>(rows));
    for (const double shortfall : metrics::coverageShortfallAt(draws, in.pair.insideBall.size(), in.k))
        curve.lines.front().y.push_back(1.0 - shortfall);
    return curve;
}

} // namespace assay::curves
