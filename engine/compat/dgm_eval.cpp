// Stein et al. 2023: prdc as published by Naeem et al., and AuthPct in percent.
#include "engine/compat/published_distances.h"

namespace assay::compat {

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
