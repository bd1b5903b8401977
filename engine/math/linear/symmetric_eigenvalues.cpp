#include "engine/math/linear/symmetric_eigenvalues.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/linear/lapack.h"

#include <utility>

namespace assay {

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable {
        return lapack::symmetricEigenvalues(matrix, lapack::Vectors::No);
    });
}

Eigendecomposition symmetricEigendecomposition(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable {
        std::vector<double> values = lapack::symmetricEigenvalues(matrix, lapack::Vectors::Yes);
        return Eigendecomposition{std::move(values), std::move(matrix)};
    });
}

} // namespace assay
