#pragma once

namespace assay {

/// Decision by hand about a sample, which overrides the rules; Unsure: reviewed, but the rules decide.
enum class HandVerdict { None, Rejected, Accepted, Unsure };

} // namespace assay
