#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// How often to resample and from which random numbers.
struct Resampling {
    std::size_t count = 1000;
    std::uint64_t seed = 0; ///< equal seeds and row counts draw equal resamples: what pairs two statistics
    unsigned threads = 0;   ///< 0 for every core; the result does not depend on it
};

/// Means of columns of the same rows under resampling with replacement. One set of draws serves all columns, so
/// whatever joins them in the rows joins them in the resamples.
/// @param columns C columns of n values, n < 2^32
/// @return count x C, row-major; NaN where n is 0 or a column holds NaN
/// @throws Cancelled
std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job = {});

/// Two numbers that enclose.
struct Bounds {
    double low;
    double high;
};

/// The central `level` of some values: their quantiles at (1 - level) / 2 and (1 + level) / 2, linearly interpolated.
/// NaN when there are none or one of them is NaN.
Bounds percentileBounds(std::vector<double> values, double level = 0.95);

/// A seed for one stream of random numbers of a seeded whole.
std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream);

} // namespace assay
