#include "engine/math/statistics/column_moments.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay {
namespace {

/// Sums f(value - from[column]) over rows. Each piece of rows has its own sum; the pieces are added in order.
template <typename Term>
std::vector<double> sums(MatrixView set, const std::vector<double>& from, unsigned threads, const JobContext& job,
                         Term term) {
    const std::size_t pieceRows = std::max<std::size_t>(1, (std::size_t{1} << 20) / set.dim);
    const std::size_t pieces = (set.rows + pieceRows - 1) / pieceRows;
    std::vector<std::vector<double>> each(pieces);
    parallelFor(pieces, threads, job, [&](std::size_t piece, unsigned) {
        std::vector<double> total(set.dim, 0.0);
        for (std::size_t row = piece * pieceRows; row < std::min(set.rows, (piece + 1) * pieceRows); ++row) {
            const float* values = set.rowData(row);
            for (std::size_t c = 0; c < set.dim; ++c)
                total[c] += term(static_cast<double>(values[c]) - from[c]);
        }
        each[piece] = std::move(total);
    });
    std::vector<double> total(set.dim, 0.0);
    for (const std::vector<double>& one : each)
        for (std::size_t c = 0; c < set.dim; ++c)
            total[c] += one[c];
    return total;
}

} // namespace

ColumnMoments columnMoments(MatrixView set, unsigned threads, const JobContext& job) {
    const auto rows = static_cast<double>(set.rows);
    // About the first row, so that an offset costs no digits and a constant column comes out exactly.
    ColumnMoments moments;
    moments.mean.assign(set.rowData(0), set.rowData(0) + set.dim);
    const std::vector<double> off =
        sums(set, moments.mean, threads, job.part({}, 0.0, 0.5), [](double x) { return x; });
    for (std::size_t c = 0; c < set.dim; ++c)
        moments.mean[c] += off[c] / rows;
    moments.deviation = sums(set, moments.mean, threads, job.part({}, 0.5, 1.0), [](double x) { return x * x; });
    for (double& one : moments.deviation)
        one = std::sqrt(one / rows);
    return moments;
}

std::vector<double> featureDeviations(MatrixView set) {
    constexpr std::size_t kRows = 10000;
    std::vector<float> some;
    if (set.rows > kRows) {
        some = evenlySpaced(set, kRows);
        set = {some.data(), kRows, set.dim};
    }
    return columnMoments(set, 1, {}).deviation;
}

FeatureScales featureScales(MatrixView set) {
    std::vector<double> deviations = featureDeviations(set);
    std::erase_if(deviations, [](double deviation) { return !(deviation > 0.0); });
    if (deviations.empty())
        return {};
    return {quantile(std::span(deviations), 0.25, QuantileRule::Lower),
            *std::max_element(deviations.begin(), deviations.end())};
}

} // namespace assay
