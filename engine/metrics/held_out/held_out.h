#pragma once

#include "engine/metrics/held_out/copy_test.h"
#include "engine/metrics/held_out/feature_likelihood.h"

#include <memory>
#include <vector>

namespace assay {

/// What metrics compare with that need a held-out real set: of it and the real set alone, shared by every model.
struct HeldOutBasis {
    std::vector<double> nearestReal;                   ///< of each held-out sample: distance to the nearest real one
    std::shared_ptr<const CopyTestRegions> regions;    ///< of the real set; null where no process has all rows
    std::shared_ptr<const LikelihoodBasis> likelihood; ///< likewise
};

} // namespace assay
