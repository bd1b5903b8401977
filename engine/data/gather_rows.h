#pragma once

#include "engine/data/matrix_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Copies the given rows of a matrix, in the given order.
/// @param rows each below set.rows; may repeat
/// @return rows.size() x set.dim values, row-major
inline std::vector<float> gatherRows(MatrixView set, std::span<const std::uint32_t> rows) {
    std::vector<float> values;
    values.reserve(rows.size() * set.dim);
    for (const std::uint32_t row : rows) {
        const auto from = set.row(row);
        values.insert(values.end(), from.begin(), from.end());
    }
    return values;
}

} // namespace assay
