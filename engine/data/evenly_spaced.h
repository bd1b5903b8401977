#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Evenly spaced rows of a set, copied: a sample that is the same for the same set.
/// @param rows at most set.rows
/// @return rows x set.dim values
inline std::vector<float> evenlySpaced(MatrixView set, std::size_t rows) {
    std::vector<float> values;
    values.reserve(rows * set.dim);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = set.row(r * set.rows / rows);
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

} // namespace assay
