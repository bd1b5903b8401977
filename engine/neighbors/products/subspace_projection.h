#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <vector>

namespace assay {

/// The rows of one set under SubspaceProjection.
struct ProjectedRows {
    ProductOperand operand; ///< rows x (dims + 1), integers
    double slack = 0.0;     ///< how far a row may lie from where exact arithmetic would have put it
};

/// A projection onto a subspace of few dimensions, with the length of what it leaves out as one more coordinate. It
/// lengthens no distance (beyond a stretch of a few roundings): what is too far apart there is too far apart, and
/// products there cost a fraction.
///
/// f(x) = (V x, t): V has nearly orthonormal rows that span the directions in which a sample varies most, t is the
/// length of what V leaves out of x. With Q the projection onto V's rows, and |V V' - I| <= e,
///
///     |f(x) - f(y)|^2 = |V (x - y)|^2 + (t_x - t_y)^2 <= (1 + e) |Q (x - y)|^2 + |(I - Q)(x - y)|^2
///                    <= (1 + e) |x - y|^2.
///
/// It pays where most of the variance is in few directions (data near a surface of low dimension). The rows of V are
/// turned against each other at random, so that no coordinate of V x is much larger than the others: one step of
/// 8-bit integers serves them all.
class SubspaceProjection {
public:
    /// Chosen by a sample of a set's rows, the same for the same set.
    /// @param dims at most; fewer where the sample's rows span fewer
    static SubspaceProjection of(MatrixView set, const Frame& frame, std::size_t dims, const JobContext& job);

    /// Projects a set's rows. @param frame the one that the projection was made for @throws Cancelled; std::bad_alloc
    ProjectedRows project(MatrixView set, const Frame& frame, unsigned threads, const JobContext& job) const;

    /// Dimension of the images, with the one for what is left out.
    std::size_t dims() const noexcept { return dims_ + 1; }

    /// By how much distances may grow.
    double stretch() const noexcept { return stretch_; }

private:
    SubspaceProjection(std::size_t dims, std::size_t dim) : dims_(dims), dim_(dim), directions_(dims * dim) {}

    class Mapping;

    std::size_t dims_;
    std::size_t dim_;
    std::vector<float> directions_; ///< dims x dim
    double stretch_ = 1.0;
    float usualRest_ = 0.0F; ///< mean of t in the sample, the origin of its coordinate
};

/// Projected rows of one set, to be compared with those of another.
struct Shortcut {
    const ProductOperand* own;
    const ProductOperand* other;
    double stretch;
    double slack; ///< of both sets

    /// The limit on the projected squared distance that excludes nothing which `limit` on the whole one admits.
    float limitFor(float limit) const;
};

} // namespace assay
