#pragma once

#include "engine/data/matrix_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The given rows of a matrix, one after the other.
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
