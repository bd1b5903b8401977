#include "engine/math/optimization/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace assay {
namespace {

constexpr double kArmijo = 1e-4;
constexpr double kRounding = 1e-6; ///< share of a value by which single-precision sums may be off
constexpr std::size_t kMaxTrials = 30;

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double norm(std::span<const double> a) {
    return std::sqrt(dot(a, a));
}

void add(std::vector<double>& to, std::span<const double> what, double times) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += times * what[i];
}

/// The last steps and what the gradient changed by in each.
class Curvature {
public:
    explicit Curvature(std::size_t remembered) : remembered_(remembered) {}

    void forget() { pairs_.clear(); }
    bool knowsAny() const { return !pairs_.empty(); }

    void remember(std::vector<double> step, std::vector<double> change) {
        const double product = dot(step, change);
        if (!(product > 0.0)) // by rounding only: the function is convex
            return;
        if (pairs_.size() == remembered_)
            pairs_.pop_front();
        pairs_.push_back({std::move(step), std::move(change), product});
    }

    /// Minus the estimated inverse Hessian times the gradient, by the two loops over the pairs.
    std::vector<double> direction(std::span<const double> gradient) const {
        std::vector<double> result(gradient.begin(), gradient.end());
        std::vector<double> shares(pairs_.size());
        for (std::size_t p = pairs_.size(); p-- > 0;) {
            shares[p] = dot(pairs_[p].step, result) / pairs_[p].product;
            add(result, pairs_[p].change, -shares[p]);
        }
        const double scale =
            knowsAny() ? pairs_.back().product / dot(pairs_.back().change, pairs_.back().change) : 1.0 / norm(gradient);
        for (double& value : result)
            value *= scale;
        for (std::size_t p = 0; p < pairs_.size(); ++p)
            add(result, pairs_[p].step, shares[p] - dot(pairs_[p].change, result) / pairs_[p].product);
        for (double& value : result)
            value = -value;
        return result;
    }

private:
    struct Pair {
        std::vector<double> step;
        std::vector<double> change;
        double product;
    };
    std::size_t remembered_;
    std::deque<Pair> pairs_;
};

/// A point and the function there.
struct Point {
    std::vector<double> at;
    Slope slope;
};

/// Searches along a direction for a point that is low enough; nothing if none of the trials is.
std::optional<Point> stepFrom(const Objective& objective, const Point& from, std::span<const double> direction,
                              std::size_t& evaluations) {
    const double slope = dot(from.slope.gradient, direction);
    if (!(slope < 0.0))
        return std::nullopt;
    double length = 1.0;
    for (std::size_t trial = 0; trial < kMaxTrials; ++trial) {
        Point to{from.at, {}};
        add(to.at, direction, length);
        to.slope = objective(to.at);
        ++evaluations;
        const double rise = to.slope.value - from.slope.value;
        const bool isLower = rise <= kArmijo * length * slope;
        const bool isFlat = rise <= kRounding * std::abs(from.slope.value) &&
                            dot(to.slope.gradient, direction) <= (2.0 * kArmijo - 1.0) * slope;
        if (isLower || isFlat)
            return to;
        // The lowest point of the parabola through both values with the slope at the start.
        const double lowest = -slope * length * length / (2.0 * (rise - slope * length));
        length = std::isfinite(lowest) ? std::clamp(lowest, 0.1 * length, 0.5 * length) : 0.1 * length;
    }
    return std::nullopt;
}

} // namespace

Minimum minimize(const Objective& objective, std::vector<double> start, const LbfgsOptions& options,
                 const JobContext& job) {
    Point here{std::move(start), {}};
    here.slope = objective(here.at);
    Minimum result;
    result.evaluations = 1;
    const double first = norm(here.slope.gradient);
    const auto share = [&] { return first > 0.0 ? norm(here.slope.gradient) / first : 0.0; };
    Curvature curvature(options.remembered);
    result.gradientNorm = share();
    while (result.gradientNorm > options.tolerance && result.steps < options.mostSteps) {
        job.checkpoint(std::clamp(std::log(result.gradientNorm) / std::log(options.tolerance), 0.0, 1.0));
        std::optional<Point> next =
            stepFrom(objective, here, curvature.direction(here.slope.gradient), result.evaluations);
        if (!next && !curvature.knowsAny())
            break;
        if (!next) { // an estimate that misleads: once more from the gradient alone
            curvature.forget();
            continue;
        }
        std::vector<double> step = next->at;
        add(step, here.at, -1.0);
        std::vector<double> change = next->slope.gradient;
        add(change, here.slope.gradient, -1.0);
        curvature.remember(std::move(step), std::move(change));
        here = std::move(*next);
        ++result.steps;
        result.gradientNorm = share();
    }
    result.converged = result.gradientNorm <= options.tolerance;
    result.value = here.slope.value;
    result.at = std::move(here.at);
    return result;
}

} // namespace assay
