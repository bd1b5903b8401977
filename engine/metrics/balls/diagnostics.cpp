#include "engine/metrics/balls/diagnostics.h"

#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/tables/metric_inputs.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

namespace assay {
namespace {

double largestOf(std::span<const std::uint32_t> counts, std::size_t k) {
    return static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(k);
}

std::vector<DensityStep> densitySteps(const MetricInputs& in) {
    const double largest = largestOf(in.pair.synthetic.holding, in.k);
    const double largestClipped = largestOf(in.pair.synthetic.innerHolding, in.k);
    const double capped = std::min(largestClipped, 1.0);
    const double scale = metrics::clippedDensityReal(in);
    return {
        {"density", "balls of full radius, counts as they are", metrics::density(in),
         metrics::overOccurringFraction(in), largest},
        {"density_clipped_radii", "radii clipped to their median", metrics::densityClippedRadii(in),
         metrics::overOccurringFractionClippedRadii(in), largestClipped},
        {"clipped_density_unnormalized", "and each sample's count capped at k", metrics::clippedDensityUnnormalized(in),
         0.0, capped},
        {"clipped_density_unclipped", "and divided by what the real samples reach",
         metrics::clippedDensityUnclipped(in), 0.0, capped / scale},
        {"clipped_density", "and at most 1", metrics::clippedDensity(in), 0.0, capped / scale},
    };
}

std::array<std::size_t, 6> occupancyOf(std::span<const std::uint32_t> counts) {
    std::array<std::size_t, 6> balls{};
    for (const std::uint32_t count : counts) {
        const auto above = std::upper_bound(BallOccupancy::kFrom.begin(), BallOccupancy::kFrom.end(), count);
        ++balls[static_cast<std::size_t>(above - BallOccupancy::kFrom.begin()) - 1];
    }
    return balls;
}

std::vector<FullBall> fullestBalls(const RealAnalysis& real, const PairTables& pair) {
    std::vector<std::uint32_t> rows(pair.real.inside.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const std::size_t most = std::min(Diagnostics::kFullestBalls, rows.size());
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          const auto place = [&](std::uint32_t row) {
                              return std::tuple(-std::int64_t{pair.real.inside[row]}, real.radius[row], row);
                          };
                          return place(a) < place(b);
                      });
    std::vector<FullBall> balls;
    for (std::size_t b = 0; b < most && pair.real.inside[rows[b]] > 0; ++b) {
        const std::uint32_t row = rows[b];
        balls.push_back({row, pair.real.inside[row], pair.real.insideInner[row], real.radius[row],
                         real.radius[row] / real.medianRadius});
    }
    return balls;
}

} // namespace

Diagnostics diagnose(const RealAnalysis& real, const PairTables& pair, std::size_t k) {
    Diagnostics diagnostics;
    diagnostics.densitySteps = densitySteps({real, pair, k});
    diagnostics.occupancy = {occupancyOf(pair.real.inside), occupancyOf(pair.real.insideInner)};
    diagnostics.fullestBalls = fullestBalls(real, pair);
    const double all = std::accumulate(pair.real.inside.begin(), pair.real.inside.end(), 0.0);
    double fullest = 0.0;
    for (const FullBall& ball : diagnostics.fullestBalls)
        fullest += ball.count;
    diagnostics.fullestShare = all > 0.0 ? fullest / all : 0.0;
    return diagnostics;
}

} // namespace assay
