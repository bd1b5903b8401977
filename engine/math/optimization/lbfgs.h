#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace assay {

/// A function's value and gradient at one point.
struct Slope {
    double value = 0.0;
    std::vector<double> gradient; ///< as many elements as the point has
};

using Objective = std::function<Slope(std::span<const double> at)>;

/// When minimize() ends, and what it remembers.
struct LbfgsOptions {
    double tolerance = 1e-6;      ///< ends when the gradient's norm is below this share of its norm at the start
    std::size_t remembered = 20;  ///< steps behind the estimate of the curvature
    std::size_t mostSteps = 5000; ///< ends after this many
};

/// Where minimize() ended.
struct Minimum {
    std::vector<double> at;
    double value = 0.0;
    double gradientNorm = 0.0; ///< as a share of the norm at the start
    std::size_t steps = 0;
    std::size_t evaluations = 0;
    bool converged = false; ///< whether the tolerance was reached
};

/// Minimises a smooth convex function by L-BFGS (Liu and Nocedal 1989) with backtracking. A step is accepted by
/// Armijo's rule or, where the value's rounding hides the decrease, by the slope (Hager and Zhang 2005). The result
/// depends only on what the objective returns. Progress advances with the logarithm of the gradient's norm.
/// @throws Cancelled, and what the objective throws
Minimum minimize(const Objective& objective, std::vector<double> start, const LbfgsOptions& options,
                 const JobContext& job);

} // namespace assay
