#pragma once

#include <cstddef>
#include <span>

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

} // namespace assay
