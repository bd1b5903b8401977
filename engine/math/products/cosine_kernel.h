#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// Kernel values are whole multiples of 1 / this: sums of fewer than 2^31 are exact in double precision, in any
/// order.
constexpr float kKernelUnit = 0x1p22F;

/// The kernel cos(pi/2 d / h) of some distances, times kKernelUnit and rounded to whole numbers; 0 beyond h.
/// @param squared d^2 @param squaredBandwidth h^2; for 0 the kernel is 1 at no distance
/// @param values `count` whole numbers from 0 to kKernelUnit
void cosineKernel(const float* squared, std::size_t count, float squaredBandwidth, float* values);

/// Rows of weights or sums, `width` values each, a multiple of kWeightLanes. Weights are whole numbers.
struct WeightedRows {
    static constexpr std::size_t kWeightLanes = 8;
    const float* weights;
    double* sums;
    std::size_t width;
};

/// Adds to the sums of row `i`, for each h < count, values[h] times the weights of rows[h], and to those of rows[h]
/// values[h] times the weights of row `i`.
void addBothWays(const WeightedRows& to, std::size_t i, const std::uint32_t* rows, const float* values,
                 std::size_t count);

} // namespace assay
