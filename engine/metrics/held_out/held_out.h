#pragma once

#include <memory>
#include <vector>

namespace assay {

struct CopyTestRegions;
struct LikelihoodBasis;

/// Reference data for metrics that need a held-out real set. Computed from the real and the held-out set only, and
/// shared by every model.
struct HeldOutBasis {
    std::vector<double> nearestReal;                   ///< per held-out sample: distance to its nearest real sample
    std::shared_ptr<const CopyTestRegions> regions;    ///< regions of the real set; null if no process holds all rows
    std::shared_ptr<const LikelihoodBasis> likelihood; ///< null if no process holds all rows
};

} // namespace assay
