#pragma once

#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/utility/labels.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// The compared rows of a set that have a class, in the same order.
struct LabelledRows {
    ComparedRows compared;
    std::vector<std::uint32_t> code; ///< class of each row of `compared`
};

/// @param labels common labels of several sets @param set place of the rows' set in `labels`
LabelledRows labelledRows(const ComparedRows& compared, const CommonLabels& labels, std::size_t set);

} // namespace assay
