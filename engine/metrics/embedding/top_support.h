#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// How the support of a distribution is estimated from its samples.
struct TopOptions {
    double alpha = 0.1;              ///< share of bootstrap deviations beyond the confidence band
    std::size_t repeats = 10;        ///< bootstrap resamples
    std::size_t projectedDim = 32;   ///< sets of more dimensions are projected to this many
    std::size_t neighborsPerDim = 5; ///< balloon estimator: neighbours per (projected) dimension
    std::size_t mostRows = 10'000;   ///< larger sets are represented by that many rows, drawn at random
    bool shuffled = true;            ///< rows in seeded random order; false: in their own
    std::vector<double> centre;      ///< taken off every row; d values, or empty for the set's own mean
    std::uint64_t seed = 0;
};

/// A set as the confidence band sees it: points, a kernel density over them, and the density below which a point does
/// not count as part of the support. n is the number of rows used, p the number of dimensions after projection.
struct TopSupport {
    std::vector<double> centre;    ///< what was taken off every row, d values
    std::vector<float> points;     ///< n x p
    std::size_t rows = 0;          ///< n
    std::size_t dim = 0;           ///< p
    double bandwidth = 0.0;        ///< h, in the set's own unit times the projection's; NaN where n is too small
    float squaredBandwidth = 0.0F; ///< h^2
    double threshold = 0.0;        ///< c: half width of the confidence band
    std::vector<double> density;   ///< n values: mean over the set of cos(pi/2 |x - y| / h) where |x - y| <= h
};

/// Estimates the support of a set. The density leaves out the kernel's constant factor, which cancels everywhere.
/// @param set N x d
/// @throws Cancelled, std::bad_alloc
/// Source: Kim, Jang, Kim, Yoo, NeurIPS 2023, with the published program's bandwidth rule: the median over rows i of
/// the distance to the (5 p)-th nearest row behind i.
TopSupport topSupport(MatrixView set, const TopOptions& options, unsigned threads = 0, const JobContext& job = {});

/// Bytes that topSupport and densitiesAcross work in with the default options, at most.
std::size_t topSupportBytes(std::size_t rows, std::size_t dim);

/// Densities of two sets at each other's points; NaN where one of them has no bandwidth.
struct BothDensities {
    std::vector<double> ofAAtB; ///< one per row of b
    std::vector<double> ofBAtA; ///< one per row of a
};

/// @param a, b of the same projection
/// @throws Cancelled
BothDensities densitiesAcross(const TopSupport& a, const TopSupport& b, unsigned threads = 0,
                              const JobContext& job = {});

/// Topological precision and recall, and their harmonic mean; each in [0, 1], NaN where a set has no support.
struct TopScores {
    double fidelity = 0.0;
    double diversity = 0.0;
    double f1 = 0.0;
};

/// fidelity: share of the synthetic samples in their own support that are in the real one too; diversity the other way
/// round.
/// @param synthetic with the real set's centre and the same seed
/// @throws Cancelled
TopScores topScores(const TopSupport& real, const TopSupport& synthetic, unsigned threads = 0,
                    const JobContext& job = {});

} // namespace assay
