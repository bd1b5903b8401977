#pragma once

#include "engine/data/sample_set.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// Which synthetic samples of a model to write: those that the decisions keep, those that they reject, or a list.
enum class ExportWhat { Kept, Rejected, Listed };

/// Which samples of an audit to write, and in which format. A value type.
struct ExportRequest {
    ExportWhat what = ExportWhat::Kept;
    SampleSet listed{};                ///< for ExportWhat::Listed; real samples are ignored
    std::vector<std::size_t> models{}; ///< indices into AuditResult::models, ascending
    std::string format = "csv";        ///< id in exportFormats()
};

} // namespace assay
