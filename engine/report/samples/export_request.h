#pragma once

#include "engine/data/sample_set.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// Which of a model's synthetic samples to write: what the decisions keep or reject, or a list.
enum class ExportWhat { Kept, Rejected, Listed };

/// What to write of an audit. A plain value.
struct ExportRequest {
    ExportWhat what = ExportWhat::Kept;
    SampleSet listed{};                ///< of Listed; real samples in it are passed over
    std::vector<std::size_t> models{}; ///< indices into AuditResult::models, ascending
    std::string format = "csv";        ///< id in exportFormats()
};

} // namespace assay
