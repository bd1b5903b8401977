#include "tests/support/matrices.h"

#include <algorithm>
#include <random>

namespace assay::test {

Matrix gaussian(std::size_t rows, std::size_t dim, unsigned seed, float mean, float sigma) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(mean, sigma);
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::generate(matrix.values.begin(), matrix.values.end(), [&] { return normal(random); });
    return matrix;
}

Matrix grid(std::size_t rows, std::size_t dim, unsigned seed, unsigned levels) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<unsigned> level(0, levels - 1);
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::generate(matrix.values.begin(), matrix.values.end(), [&] { return static_cast<float>(level(random)); });
    return matrix;
}

Matrix repeated(const Matrix& base, std::size_t rows) {
    Matrix matrix{{}, rows, base.dim};
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = base.view().row(r % base.rows);
        matrix.values.insert(matrix.values.end(), row.begin(), row.end());
    }
    return matrix;
}

Matrix joined(const Matrix& first, const Matrix& second) {
    Matrix matrix{first.values, first.rows + second.rows, first.dim};
    matrix.values.insert(matrix.values.end(), second.values.begin(), second.values.end());
    return matrix;
}

Matrix scaled(Matrix matrix, float factor) {
    for (float& v : matrix.values)
        v *= factor;
    return matrix;
}

Matrix shifted(Matrix matrix, float offset) {
    for (float& v : matrix.values)
        v += offset;
    return matrix;
}

} // namespace assay::test
