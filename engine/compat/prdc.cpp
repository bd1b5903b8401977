// Naeem et al. 2020: compute_prdc. Balls are open, distances and radii are float32.
#include "engine/compat/published_distances.h"

namespace assay::compat {

std::vector<CompatValue> prdc(const CompatInputs& in) {
    const std::vector<double> real = strictPairwiseBalls(in.real.radius);
    const std::vector<double> synthetic = strictPairwiseBalls(in.model.tables->syntheticRadius);
    const CrossResult counted = countBalls(in, real, {}, synthetic);
    const double mean = total(counted.ballsAHolding) / static_cast<double>(counted.ballsAHolding.size());
    return {{"precision", {shareHeld(counted.ballsAHolding)}},
            {"recall", {shareHeld(counted.ballsBHolding)}},
            {"density", {1.0 / static_cast<double>(in.real.k) * mean}},
            {"coverage", {shareHeld(counted.insideBallA)}}};
}

} // namespace assay::compat
