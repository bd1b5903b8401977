#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"
#include "engine/stats/double_matrix.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class OneClassDescent; // engine/metrics/one_class_network.h
struct OneClassRows;
struct LayoutPlan; // engine/layout/
struct LayoutPosition;
struct NeighborGraph;

/// What a graphics card takes over beside the search (NeighborSearch::accelerator). It may decline: then there is too
/// little memory on it, and the CPU does the work. Used by one thread at a time, others wait.
class Accelerator {
public:
    virtual ~Accelerator() = default;

    /// Inner products of the columns of y_r = x_r * scale[r] - mean among themselves, over the rows x_r of a set:
    /// d x d, the lower triangle, zeros above. In double precision throughout; the same to the last bit on every run
    /// and whatever memory there is, but not what the CPU's sums round to.
    /// @param mean d values @param scale N values, or empty for 1
    /// @return nothing where it declines
    /// @throws Error{DeviceFailed}, Cancelled
    virtual std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean,
                                             std::span<const double> scale, const JobContext& job) const = 0;

    /// Losses and gradients of one-class networks over a set, in single precision; the same to the last bit on every
    /// run and whatever memory there is.
    /// @param rows the set has to outlive the result, which must not outlive this
    /// @return null where it declines
    /// @throws Error{DeviceFailed}
    virtual std::unique_ptr<OneClassDescent> oneClass(const OneClassRows& rows) const = 0;

    /// Where the rows of a graph come to lie: the CPU's positions, to the last bit.
    /// @param start one per row
    /// @return nothing where it declines
    /// @throws Error{DeviceFailed}, Cancelled
    virtual std::optional<std::vector<LayoutPosition>> layout(const NeighborGraph& graph,
                                                              std::span<const LayoutPosition> start,
                                                              const LayoutPlan& plan, const JobContext& job) const = 0;
};

/// Stages of a job's progress.
inline constexpr std::string_view kOnTheCard = "on the graphics card";
inline constexpr std::string_view kLeftToTheCpu = "too much for the graphics card, on the CPU";

/// The job of the CPU, which does what the accelerator, if there is one, declined to do.
inline JobContext onTheCpu(const JobContext& job, const Accelerator* declined) {
    return job.part(std::string(declined != nullptr ? kLeftToTheCpu : std::string_view()), 0.0, 1.0);
}

} // namespace assay
