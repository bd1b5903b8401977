#pragma once

#include "engine/gpu/device/bounds.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay::cuda::test {

/// A row as a card prepares it for products, made on the CPU: the same bits.
struct PreparedRow {
    std::vector<std::byte> operand; ///< x' (bounds.h), padded
    float step;                     ///< 1 for floats
    RowTerms terms;
    float residual;

    static PreparedRow of(std::span<const float> stored, const Frame& frame, Precision precision);

    /// A value of x', in scaled units.
    double at(std::size_t column, Precision precision) const;
};

/// The product of two operands of as many bytes, in steps, as cuBLAS makes it but for the order of floats.
float operandProduct(const std::byte* x, const std::byte* y, std::size_t columns, Precision precision);

} // namespace assay::cuda::test
