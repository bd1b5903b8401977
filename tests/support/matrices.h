#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <vector>

namespace assay::test {

/// A matrix that owns its values.
struct Matrix {
    std::vector<float> values;
    std::size_t rows = 0;
    std::size_t dim = 0;

    MatrixView view() const { return {values.data(), rows, dim}; }
};

/// Independent normal coordinates.
Matrix gaussian(std::size_t rows, std::size_t dim, unsigned seed, float mean = 0.0F, float sigma = 1.0F);
/// Whole-number coordinates in [0, levels): full of exact ties and duplicates.
Matrix grid(std::size_t rows, std::size_t dim, unsigned seed, unsigned levels);
/// Every row of `base` repeated, row r of the result being row r mod base.rows.
Matrix repeated(const Matrix& base, std::size_t rows);
/// The rows of one matrix after those of another of the same dimension.
Matrix joined(const Matrix& first, const Matrix& second);
/// Every value times a factor.
Matrix scaled(Matrix matrix, float factor);
/// Every value plus an offset.
Matrix shifted(Matrix matrix, float offset);

} // namespace assay::test
