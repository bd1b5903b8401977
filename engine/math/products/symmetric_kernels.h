#pragma once

#include <cstddef>

namespace assay {

/// The inner loops of the reduction to three diagonals, for the instruction set at hand.
struct SymmetricKernels {
    /// Adds A x to y for the first `size` rows and columns of a symmetric A of which the lower triangle is read, each
    /// element once. @param stride from one row of A to the next
    void (*multiply)(const double* a, std::size_t stride, std::size_t size, const double* x, double* y);
    /// Inner product.
    double (*dot)(const double* a, const double* b, std::size_t size);
    /// y -= s a + t b.
    void (*subtract)(double s, const double* a, double t, const double* b, std::size_t size, double* y);
};

/// The quickest ones that this processor has.
const SymmetricKernels& symmetricKernels();

} // namespace assay
