#include "tests/engine/support/naive_spectrum.h"

#include <cmath>
#include <cstddef>

namespace assay::test {
namespace {

long double dot(const std::vector<long double>& a, const std::vector<long double>& b) {
    long double sum = 0.0L;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += a[c] * b[c];
    return sum;
}

/// Turns two rows so that they are at right angles. @return whether they were not
bool turn(std::vector<long double>& a, std::vector<long double>& b) {
    const long double aa = dot(a, a);
    const long double bb = dot(b, b);
    const long double ab = dot(a, b);
    if (std::abs(ab) <= 1e-18L * std::sqrt(aa * bb))
        return false;
    const long double half = (bb - aa) / (2.0L * ab);
    const long double tangent = (half >= 0.0L ? 1.0L : -1.0L) / (std::abs(half) + std::sqrt(1.0L + half * half));
    const long double cosine = 1.0L / std::sqrt(1.0L + tangent * tangent);
    const long double sine = cosine * tangent;
    for (std::size_t c = 0; c < a.size(); ++c) {
        const long double x = a[c];
        a[c] = cosine * x - sine * b[c];
        b[c] = sine * x + cosine * b[c];
    }
    return true;
}

} // namespace

std::vector<double> singularValues(LongMatrix rows) {
    bool turned = true;
    for (int sweep = 0; turned && sweep < 60; ++sweep) {
        turned = false;
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = i + 1; j < rows.size(); ++j)
                turned |= turn(rows[i], rows[j]);
    }
    std::vector<double> values;
    for (const auto& row : rows)
        values.push_back(static_cast<double>(std::sqrt(dot(row, row))));
    return values;
}

LongMatrix centredRows(MatrixView set) {
    LongMatrix rows(set.rows, std::vector<long double>(set.dim));
    for (std::size_t c = 0; c < set.dim; ++c) {
        long double mean = 0.0L;
        for (std::size_t r = 0; r < set.rows; ++r)
            mean += static_cast<long double>(set.rowData(r)[c]);
        mean /= static_cast<long double>(set.rows);
        for (std::size_t r = 0; r < set.rows; ++r)
            rows[r][c] = (static_cast<long double>(set.rowData(r)[c]) - mean) /
                         std::sqrt(static_cast<long double>(set.rows - 1));
    }
    return rows;
}

LongMatrix timesTransposed(const LongMatrix& a, const LongMatrix& b) {
    LongMatrix product(a.size(), std::vector<long double>(b.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            product[i][j] = dot(a[i], b[j]);
    return product;
}

} // namespace assay::test
