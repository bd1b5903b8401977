#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// How the support of a distribution is estimated from its samples.
struct TopOptions {
    double alpha = 0.1;              ///< share of bootstrap deviations that lie beyond the confidence band
    std::size_t repeats = 10;        ///< number of bootstrap resamples
    std::size_t projectedDim = 32;   ///< sets with more dimensions are projected to this number
    std::size_t neighborsPerDim = 5; ///< balloon estimator: neighbours per (projected) dimension
    std::size_t mostRows = 10'000;   ///< larger sets are sampled down to this number of rows
    bool shuffled =
        true; ///< true: rows in a seeded random order that depends on their values alone; false: as they are
    std::vector<double> centre; ///< subtracted from every row; d values, or empty for the set's own mean
    std::uint64_t seed = 0;
};

/// Estimated support of a set: its points, a kernel density at them, and a density threshold below which a point does
/// not belong to the support. n is the number of rows used, p the number of dimensions after projection.
struct TopSupport {
    std::vector<double> centre;    ///< what was subtracted from every row, d values
    std::vector<float> points;     ///< n x p
    std::size_t rows = 0;          ///< n
    std::size_t dim = 0;           ///< p
    double bandwidth = 0.0;        ///< bandwidth h in the unit of the projected points; NaN if n is too small
    float squaredBandwidth = 0.0F; ///< h^2
    double threshold = 0.0;        ///< c: half width of the confidence band, in units of `density`
    std::vector<double> density;   ///< n values: mean over the set of cos(pi/2 |x - y| / h) where |x - y| <= h
};

/// Estimates the support of a set. The density leaves out the kernel's constant factor, which cancels everywhere.
/// @param set N x d
/// @throws Cancelled, std::bad_alloc
/// Source: Kim, Jang, Kim, Yoo, NeurIPS 2023, with the published program's bandwidth rule: the median over rows i of
/// the distance to the (5 p)-th nearest row behind i.
TopSupport topSupport(MatrixView set, const TopOptions& options, unsigned threads = 0, const JobContext& job = {});

/// Upper bound in bytes of the working memory of topSupport() and densitiesAcross() with the default options.
std::size_t topSupportBytes(std::size_t rows, std::size_t dim);

/// Density of each of two sets at the points of the other; NaN if a set has no bandwidth.
struct BothDensities {
    std::vector<double> ofAAtB; ///< density of a at each row of b
    std::vector<double> ofBAtA; ///< density of b at each row of a
};

/// @param a, b supports with the same projection (equal seed and dimensions)
/// @throws Cancelled
BothDensities densitiesAcross(const TopSupport& a, const TopSupport& b, unsigned threads = 0,
                              const JobContext& job = {});

/// Topological precision (fidelity), recall (diversity) and their harmonic mean, each in [0, 1]. NaN if a set has no
/// support.
struct TopScores {
    double fidelity = 0.0;
    double diversity = 0.0;
    double f1 = 0.0;
};

/// Computes the scores. Fidelity is the share of the synthetic samples in their own support that also lie in the real
/// support; diversity is the share of the real samples in their own support that also lie in the synthetic support.
/// @param synthetic computed with the real set's centre and with the same seed
/// @throws Cancelled
TopScores topScores(const TopSupport& real, const TopSupport& synthetic, unsigned threads = 0,
                    const JobContext& job = {});

} // namespace assay
