#pragma once

#include "engine/base/job_context.h"
#include "widgets/link/space_points.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace assay {

struct AuditResult;

/// Beside what the other models are wanted.
struct OtherModelsRequest {
    std::shared_ptr<const SpacePoints> points; ///< of the real set and the current model
    std::shared_ptr<const AuditResult> audit;
    std::size_t model = 0; ///< the current one

    friend bool operator==(const OtherModelsRequest&, const OtherModelsRequest&) = default;
};

/// Samples of the models that are not the current one, on the same axes.
struct OtherModels {
    /// Samples of one model at most, evenly spaced in its set: enough to see where it lies, whatever the number of
    /// models.
    static constexpr std::size_t kMost = 20'000;

    OtherModelsRequest request;
    std::vector<std::size_t> model;           ///< of each point: its place in the audit
    std::vector<std::array<float, 3>> points; ///< one model after the other
    bool isSample = false;                    ///< whether a model has more samples than are placed
};

/// Whether a layout has places for samples that it was not made of: neighbours move together, and have none.
bool placesOtherModels(Arrangement arrangement);

/// Places them; for any thread. None where the layout has no places for them.
/// @throws Cancelled
std::shared_ptr<const OtherModels> placeOtherModels(const OtherModelsRequest& request, const JobContext& job);

} // namespace assay
