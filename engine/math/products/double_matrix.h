#pragma once

#include "engine/base/large_array.h"

#include <cstddef>
#include <vector>

namespace assay {

/// A row-major matrix of doubles: rows x columns, zero to begin with unless made by unset().
struct DoubleMatrix {
    DoubleMatrix() = default;
    DoubleMatrix(std::size_t rowCount, std::size_t columnCount)
        : rows(rowCount), columns(columnCount), values(rowCount * columnCount, 0.0) {}

    /// For those who set all elements themselves.
    static DoubleMatrix unset(std::size_t rowCount, std::size_t columnCount) {
        DoubleMatrix matrix;
        matrix.rows = rowCount;
        matrix.columns = columnCount;
        matrix.values = decltype(matrix.values)(rowCount * columnCount);
        return matrix;
    }

    double* row(std::size_t r) noexcept { return values.data() + r * columns; }
    const double* row(std::size_t r) const noexcept { return values.data() + r * columns; }
    double& at(std::size_t r, std::size_t c) noexcept { return values[r * columns + c]; }
    double at(std::size_t r, std::size_t c) const noexcept { return values[r * columns + c]; }

    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double, LargeAllocator<double>> values;
};

} // namespace assay
