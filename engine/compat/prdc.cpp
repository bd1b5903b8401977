// Naeem et al. 2020: compute_prdc. Balls are open, distances and radii are float32.
#include "engine/compat/published_distances.h"

namespace assay::compat {

std::vector<CompatValue> prdc(const CompatInputs& in) {
    const std::vector<double> real = strictPairwiseBalls(in.real.radius);
    const std::vector<double> synthetic = strictPairwiseBalls(in.model.tables->syntheticRadius);
    const PassResult counted = countBalls(in, real, {}, synthetic);
    const double mean = total(counted.b.holding) / static_cast<double>(counted.b.holding.size());
    return {{"precision", {shareHeld(counted.b.holding)}},
            {"recall", {shareHeld(counted.a.holding)}},
            {"density", {1.0 / static_cast<double>(in.real.k) * mean}},
            {"coverage", {shareHeld(counted.a.inside)}}};
}

} // namespace assay::compat
