#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace assay {

class Accelerator;

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

/// The first three principal components of a set, for a three-dimensional view of this set and others.
///
/// Each axis has unit length. Its entry of largest magnitude (the first one of several) is positive, so that a set
/// always has the same view. A component that the set does not have (fewer than three dimensions, or no variance left)
/// has a zero axis, and all its coordinates are 0.
class PrincipalComponents {
public:
    static constexpr std::size_t kCount = 3;

    /// Computes mean and axes. Uses at most about 64 MB in addition to the set, for any set size. Up to 2,048
    /// dimensions the covariance is formed; with more dimensions it is applied to vectors without being formed.
    /// @param set N x d, N >= 1, d >= 1
    /// @param threads 0: all cores
    /// @param accelerator forms the covariance; if null, or if it declines, the CPU forms it
    /// @throws Error{InvalidArgument} for an empty set, Error{DeviceFailed}, std::bad_alloc, Cancelled
    static PrincipalComponents fit(MatrixView set, const JobContext& job = {}, unsigned threads = 0,
                                   const Accelerator* accelerator = nullptr);

    std::size_t dim() const noexcept { return mean_.size(); }
    /// Mean of the set, d values.
    const std::vector<double>& mean() const noexcept { return mean_; }
    /// Axis of a component (0 to 2), d values.
    const std::vector<double>& axis(std::size_t component) const { return axes_.at(component); }
    /// Share of the set's total variance along each axis, in [0, 1], descending; all 0 for constant data.
    const std::array<double, kCount>& explainedShare() const noexcept { return explainedShare_; }

    /// Coordinates of each row relative to the fitted set's mean: the orthogonal projection of row - mean onto the
    /// axes, in the unit of the embedding. Distances never grow.
    /// @param set rows x d, with the fitted dimension d
    /// @return three coordinates per row
    /// @throws Error{InvalidArgument} when the dimension differs, Cancelled
    std::vector<std::array<float, kCount>> project(MatrixView set, const JobContext& job = {},
                                                   unsigned threads = 0) const;

private:
    PrincipalComponents() = default;

    std::vector<double> mean_;
    std::array<std::vector<double>, kCount> axes_;
    std::array<double, kCount> explainedShare_{};
};

/// Coordinates of rows along the leading principal components of their set, each with variance 1.
struct WhitenedComponents {
    std::vector<float> values; ///< rows x count, row-major, the largest component first
    std::size_t rows = 0;
    std::size_t count = 0;
};

/// Computes the leading components of a set. Up to 512 dimensions they are exact; above, they are those of the subspace
/// that four power iterations find from seeded random directions, ten more than asked for: what such a set has beyond
/// its leading components hardly turns them, and among components of like variance no one is preferred. The result is
/// equal, to the last bit, for any number of threads on one kind of processor.
/// @param set N x d, each column with mean 0
/// @param count components wanted; those whose variance is rounding are left out
/// @param context its seed is that of the directions alone
/// @throws Cancelled, std::bad_alloc
/// Source: Halko, Martinsson, Tropp, SIAM Review 2011, algorithm 4.4.
WhitenedComponents whitenedComponents(MatrixView set, std::size_t count, const ComputeContext& context);

} // namespace assay
