#pragma once

#include "engine/audit/audit_result.h"
#include "engine/job/job_context.h"
#include "engine/metrics/copy_test.h"
#include "engine/metrics/feature_likelihood.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay {

/// What depends on the real and a held-out real set alone: found once, shared by every model.
struct HeldOutAnalysis {
    std::shared_ptr<const ModelAudit> audit; ///< of the held-out set as if it were synthetic
    /// Regions of the real set; empty where this process does not have all rows.
    std::shared_ptr<const CopyTestRegions> regions;
    std::shared_ptr<const LikelihoodBasis> likelihood; ///< likewise
};

} // namespace assay
