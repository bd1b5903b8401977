#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace assay {

/// A symmetric positive semi-definite operator, applied to `columns` vectors at once: both blocks are column-major,
/// size x columns.
struct SymmetricOperator {
    std::size_t size = 0;
    std::function<void(const double* in, double* out, std::size_t columns)> apply;
};

/// Leading eigenpairs, largest eigenvalue first. `vectors` is column-major, size x values.size(); each vector has unit
/// length.
struct EigenPairs {
    std::vector<double> values;
    std::vector<double> vectors;
};

/// Computes the `count` largest eigenvalues and their eigenvectors by a block Krylov method with full orthogonalisation
/// and restarts. Deterministic: it starts from a fixed pseudo-random block. If the eigenvalues are so similar that the
/// method does not converge, the work is bounded and the best directions found are returned.
/// @param count at most 4 and at most the operator's size
/// @param tolerance accepted length of A x - lambda x, as a share of the largest eigenvalue
/// @throws Cancelled
EigenPairs topEigenvectors(const SymmetricOperator& matrix, std::size_t count, double tolerance,
                           const JobContext& job = {});

} // namespace assay
