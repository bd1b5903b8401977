#include "engine/io/preparation/require_samples.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// A smaller one, or one of equal values, may be symmetric by chance.
constexpr std::size_t kFewestRows = 4;
/// Of what rounding to float32, twice, may leave of two equal values.
constexpr double kTolerance = 1e-5;

bool hasRowsOfSamples(const EmbeddingParts& parts) {
    const bool hasNamesOfColumns = !parts.ids.empty() && parts.ids == parts.source.columnNames;
    return parts.images || !parts.labels.code.empty() || (!parts.ids.empty() && !hasNamesOfColumns);
}

bool isSymmetric(const EmbeddingParts& parts, const std::vector<double>& offset) {
    const std::size_t n = parts.rows;
    const float* values = parts.values.data();
    const auto value = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(values[row * n + column]) + (offset.empty() ? 0.0 : offset[column]);
    };
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(value(i, i)));
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < row; ++column) {
            const double a = value(row, column);
            const double b = value(column, row);
            // Written so that NaN is not symmetric.
            if (!(std::abs(a - b) <= kTolerance * (std::max(std::abs(a), std::abs(b)) + kTolerance * largest)))
                return false;
        }
    return true;
}

} // namespace

void requireSamples(const EmbeddingParts& parts, const ValueReading& reading, const std::string& place) {
    const auto values = parts.values.span();
    if (parts.rows != parts.dim || parts.rows < kFewestRows || values.size() != parts.rows * parts.dim ||
        !parts.source.builtIn.empty() || hasRowsOfSamples(parts))
        return;
    const bool hasOffset = parts.fileFacts.hasOffset && reading.offset.size() == parts.dim;
    const bool isConstant = std::ranges::all_of(values, [&](float value) { return value == values.front(); });
    if (isConstant || !isSymmetric(parts, hasOffset ? reading.offset : std::vector<double>()))
        return;
    const std::string size = std::to_string(parts.rows);
    refuse(place, "samples, one in each row",
           "a symmetric matrix of " + size + " x " + size +
               ", such as a covariance or a matrix of distances. Give the samples (embeddings) that it was computed "
               "from");
}

} // namespace assay
