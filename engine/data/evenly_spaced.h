#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Copies `rows` evenly spaced rows of a set. The same arguments always select the same rows.
/// @param rows at most set.rows
/// @return rows x set.dim values, row-major
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
