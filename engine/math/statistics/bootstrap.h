#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// Number of resamples and the seed of their draws.
struct Resampling {
    std::size_t count = 1000;
    std::uint64_t seed = 0; ///< equal seeds and row counts give equal resamples, so that two statistics can be paired
    unsigned threads = 0;   ///< 0: all cores; the result does not depend on it
    /// Rows that are drawn together: per row the number of its unit, 0, 1, .. without gaps; empty: each by itself.
    /// Means are of the drawn rows, of which there are then more or fewer.
    std::span<const std::uint32_t> unit = {};
};

/// Means of columns under resampling of their rows with replacement. All columns share the draws, so that correlations
/// between columns remain in the resamples.
/// @param columns C columns of n values, n < 2^32
/// @return count x C, row-major; NaN if n is 0 or the column contains NaN
/// @throws Cancelled
std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job = {});

/// Lower and upper bound.
struct Bounds {
    double low;
    double high;
};

/// Central interval that contains a share `level` of the values: the linearly interpolated quantiles at (1 - level) / 2
/// and (1 + level) / 2. NaN if there are no values or one of them is NaN.
/// @param level in [0, 1]
Bounds percentileBounds(std::vector<double> values, double level = 0.95);

/// Derives the seed of a named random stream. The result is equal on every machine.
std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream);

} // namespace assay
