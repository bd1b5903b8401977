#pragma once

#include <cstddef>
#include <span>

namespace assay {

/// A row-major matrix owned by someone else: rows x dim float32, one sample a row.
struct MatrixView {
    const float* data = nullptr;
    std::size_t rows = 0;
    std::size_t dim = 0;
    float largest = -1.0F; ///< magnitude of any element, where somebody has looked; negative where nobody has

    const float* rowData(std::size_t row) const noexcept { return data + row * dim; }
    std::span<const float> row(std::size_t r) const noexcept { return {rowData(r), dim}; }
};

} // namespace assay
