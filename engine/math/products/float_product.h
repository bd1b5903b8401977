#pragma once

#include "engine/math/products/one_openmp_thread.h"

#include <cstddef>

namespace assay {

/// Keeps single-precision products in single precision, whatever the library's environment asks for.
void requireSinglePrecision();

/// Passes a status of oneDNN. @throws std::bad_alloc; Error{InvalidArgument} for a product that was refused
void requireProduct(int status);

/// A row-major factor of a product, as it lies in memory.
struct FloatFactor {
    const float* data;
    std::size_t rows, columns;
    enum class Use { AsItIs, Transposed } use = Use::AsItIs;
};

enum class Into { Replace, Add };

/// Product of two row-major matrices in single precision, on the calling thread.
/// @param product as many rows as x (as used) and as many columns as y (as used), row-major
/// @throws std::bad_alloc; Error{InvalidArgument} when the library refuses
void multiply(const FloatFactor& x, const FloatFactor& y, Into into, float* product);

} // namespace assay
