#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <array>
#include <cstddef>
#include <vector>

namespace assay {

class Accelerator;

/// The first three principal components of a set, to look at it and other sets in three dimensions.
///
/// Each axis has unit length and its entry of largest magnitude positive (the first of several), so that the same set
/// always looks the same. A component that the set doesn't have (fewer than three dimensions, or no variance left) has
/// a zero axis: everything projects to 0 there.
class PrincipalComponents {
public:
    static constexpr std::size_t kCount = 3;

    /// Finds mean and axes. Memory beyond the set: at most some 64 MB, whatever the set's size.
    /// Up to 2,048 dimensions the covariance is formed in blocks; beyond, it is only ever applied.
    /// @param set N x d, N >= 1, d >= 1
    /// @param threads 0 for every core
    /// @param accelerator forms the covariance; null or where it declines: the CPU
    /// @throws Error{InvalidArgument} for an empty set, Error{NotEnoughMemory}, Error{DeviceFailed}, Cancelled
    static PrincipalComponents fit(MatrixView set, const JobContext& job = {}, unsigned threads = 0,
                                   const Accelerator* accelerator = nullptr);

    std::size_t dim() const noexcept { return mean_.size(); }
    /// Mean of the set, d values.
    const std::vector<double>& mean() const noexcept { return mean_; }
    /// Axis of a component (0 to 2), d values.
    const std::vector<double>& axis(std::size_t component) const { return axes_.at(component); }
    /// Share of the set's whole variance along each axis, in [0, 1], descending; all 0 for constant data.
    const std::array<double, kCount>& explainedShare() const noexcept { return explainedShare_; }

    /// Coordinates of each row about the fitted set's mean: the orthogonal projection of row - mean onto the axes, so
    /// lengths in the embedding's unit never grow.
    /// @param set rows x d, the same d
    /// @throws Error{InvalidArgument} when the dimension differs, Cancelled
    std::vector<std::array<float, kCount>> project(MatrixView set, const JobContext& job = {},
                                                   unsigned threads = 0) const;

private:
    PrincipalComponents() = default;

    std::vector<double> mean_;
    std::array<std::vector<double>, kCount> axes_;
    std::array<double, kCount> explainedShare_{};
};

} // namespace assay
