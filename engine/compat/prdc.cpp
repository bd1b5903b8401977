#include "engine/compat/published_distances.h"

namespace assay::compat {

/// Naeem et al. 2020: compute_prdc. Balls are open, distances and radii are float32.
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

/// Stein et al. 2023: prdc as published by Naeem et al., and AuthPct in percent.
std::vector<CompatValue> dgmEval(const CompatInputs& in) {
    std::vector<CompatValue> values = prdc(in);
    float authentic = 0.0F;
    const std::vector<double>& flags = in.model.column("authentic");
    for (const double flag : flags)
        authentic += static_cast<float>(flag);
    values.push_back({"authpct", {static_cast<double>(100.0F * authentic / static_cast<float>(flags.size()))}});
    return values;
}

} // namespace assay::compat
