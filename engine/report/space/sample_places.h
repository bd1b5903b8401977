#pragma once

#include "engine/base/job_context.h"
#include "engine/report/space/space_points.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace assay {

class Accelerator;
class EmbeddingSet;
struct AuditResult;
struct ModelAudit;

/// Where samples of the real set and of one model lie, in every way that was asked for so far.
struct PlacedSamples {
    std::shared_ptr<const EmbeddingSet> real, synthetic;
    std::shared_ptr<const ModelAudit> model;                ///< whose scores are along the axes
    std::shared_ptr<const PrincipalComponents> components;  ///< of the real set
    std::vector<std::shared_ptr<const SpacePoints>> points; ///< at most one by columns

    /// Null where they have not been placed in this way.
    std::shared_ptr<const SpacePoints> of(const SpaceLayout& layout) const;
    void add(std::shared_ptr<const SpacePoints> found);
};

/// Places the samples of a model and of the real set; for any thread.
/// @param before what is known of the same real set, perhaps with another model; may be null
/// @param accelerator may be null
/// @param publish gets what is known before samples are arranged by neighbours, which takes long
/// @throws Cancelled
std::shared_ptr<const PlacedSamples>
placeSamples(const AuditResult& audit, std::size_t model, const SpaceLayout& layout,
             const std::shared_ptr<const PlacedSamples>& before, const Accelerator* accelerator, const JobContext& job,
             const std::function<void(std::shared_ptr<const PlacedSamples>)>& publish = {});

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
