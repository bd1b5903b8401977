#pragma once

#include <string_view>

namespace assay {

enum class RecordedValue { Metric, Interval, Column, Curve };

/// Why a value of a record may differ from the one that is computed today without making the record false: a later
/// version corrected or redefined it. Empty if there is no such reason.
/// @param id of the metric, column or curve
/// @param version of Assay that computed the record: "0.1.0"
std::string_view correctionOf(RecordedValue kind, std::string_view id, std::string_view version);

} // namespace assay
