#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// View of a row-major matrix: rows x dim float32, one sample per row. Does not own the values.
struct MatrixView {
    const float* data = nullptr;
    std::size_t rows = 0;
    std::size_t dim = 0;
    float largest = -1.0F; ///< largest magnitude of an element; negative when it was not computed

    const float* rowData(std::size_t row) const noexcept { return data + row * dim; }
    std::span<const float> row(std::size_t r) const noexcept { return {rowData(r), dim}; }
};

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

/// `count` evenly spaced ones of the rows below `rows`, ascending.
/// @param count at most `rows`
inline std::vector<std::uint32_t> evenlySpacedRows(std::size_t rows, std::size_t count) {
    std::vector<std::uint32_t> spaced(count);
    for (std::size_t r = 0; r < count; ++r)
        spaced[r] = static_cast<std::uint32_t>(r * rows / count);
    return spaced;
}

/// Copies `rows` evenly spaced rows of a set. The same arguments always select the same rows.
/// @param rows at most set.rows
/// @return rows x set.dim values, row-major
inline std::vector<float> evenlySpaced(MatrixView set, std::size_t rows) {
    return gatherRows(set, evenlySpacedRows(set.rows, rows));
}

/// The rows below `count` for which wanted(row) is true, ascending.
template <typename Wanted>
std::vector<std::uint32_t> rowsWhere(std::size_t count, const Wanted& wanted) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < count; ++row)
        if (wanted(row))
            rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

/// How often each of the codes 0 .. codes - 1 occurs.
/// @param coded each below `codes`
inline std::vector<std::uint32_t> countsOf(std::span<const std::uint32_t> coded, std::size_t codes) {
    std::vector<std::uint32_t> counts(codes, 0);
    for (const std::uint32_t code : coded)
        ++counts[code];
    return counts;
}

} // namespace assay
