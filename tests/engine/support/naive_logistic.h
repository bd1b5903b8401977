#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::test {

using Rows = std::vector<std::vector<double>>;

/// Each feature less the mean and divided by the deviation (divisor N) over `reference`; a constant one only moved.
Rows standardised(const Rows& rows, const Rows& reference);

/// Weights of one vector with the intercept last, that minimise the summed log loss of two classes plus |w|^2 / 2: by
/// Newton's method in plain loops.
/// @param code 0 or 1 per row
std::vector<double> naiveLogistic(const Rows& rows, const std::vector<std::uint32_t>& code);

/// The same of several classes: one vector per class, intercepts last.
Rows naiveMultinomial(const Rows& rows, const std::vector<std::uint32_t>& code, std::size_t classes);

/// Probability of each class: by two vectors (0 and w) or one per class.
Rows naiveProbabilities(const Rows& weights, const Rows& rows);

/// Area under the ROC curve of one class against the rest, averaged by the classes' shares; pair by pair.
double naiveAuc(const Rows& probabilities, const std::vector<std::uint32_t>& code);

} // namespace assay::test
