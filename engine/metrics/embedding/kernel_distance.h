#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/nan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Row indices of one subset of each of two sets.
struct KernelSubset {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
};

/// Mean and standard deviation of the squared kernel distance over subsets. The deviation describes the scatter of the
/// subsets, not the error of the mean.
struct KernelDistance {
    double mean = 0.0;
    double deviation = 0.0;
};

/// Draws subsets of both sets. Each set is shuffled with the seed and cut into consecutive subsets; it is shuffled
/// again when fewer rows than a subset are left. So most rows are used once before any row is used twice.
///
/// All subsets have the same size: 1,000 rows, or the size of the smaller set. The number of subsets is such that about
/// every row of the larger set is used once, clamped to [10, 100]. It is one if that subset contains both sets whole,
/// and none if a set is empty.
std::vector<KernelSubset> kernelSubsets(std::size_t rowsA, std::size_t rowsB, std::uint64_t seed);

/// Subsets of two sets as above, that depend on the values of their rows and not on the rows' order.
/// @param threads 0: all cores
std::vector<KernelSubset> kernelSubsetsOf(MatrixView a, MatrixView b, std::uint64_t seed, unsigned threads = 0);

/// Kernel of two rows x and y.
struct PairKernel {
    /// exp(-gamma |x - y|^2), or (x . y / d + 1)^3 for gamma = 0.
    double gamma = 0.0;

    static PairKernel gaussian(double sigma) { return {1.0 / (2.0 * sigma * sigma)}; }
};

/// Unbiased estimate of the squared maximum mean discrepancy under a kernel. Values below zero are possible if the sets
/// are similar. Products are computed in single precision around a common centre, sums in double
/// precision.
/// @param a, b rows of equal dimension d
/// @param subsets at least one, each with at least 2 rows of both sets
/// @param threads 0: all cores
/// @return NaN, NaN for no subsets or subsets of one row
/// @throws Error{InvalidArgument} when dimensions differ, Cancelled
/// Source: Binkowski et al., ICLR 2018.
KernelDistance kernelDistance(MatrixView a, MatrixView b, std::span<const KernelSubset> subsets, unsigned threads = 0,
                              const JobContext& job = {}, PairKernel kernel = {});

/// Squared maximum mean discrepancy of all rows, pairs of a row and itself included. O(N^2 + N M + M^2).
/// @param a, b rows of equal dimension
/// @throws Cancelled
double biasedKernelDistance(MatrixView a, MatrixView b, PairKernel kernel, unsigned threads = 0,
                            const JobContext& job = {});

/// Kernel distances of whole sets as publications print them. Sets of more than kKernelRows rows are represented by as
/// many, drawn at random.
struct KernelScores {
    double cmmd = kNaN;         ///< biased, times 1,000, Gaussian kernel of sigma 10 of rows of unit length
    double cmmdUnbiased = kNaN; ///< the same without the bias
    double kad = kNaN; ///< unbiased, times 100, Gaussian kernel as wide as the median distance of two real rows
};
inline constexpr std::size_t kKernelRows = 4000;

/// @param real N x d, N >= 2
/// @param synthetic M x d, M >= 2, of the same dimension
/// @throws Cancelled
/// Source: Jayasumana et al., CVPR 2024 (CMMD); Chung et al., 2025 (KAD).
KernelScores kernelScores(MatrixView real, MatrixView synthetic, std::uint64_t seed, unsigned threads = 0,
                          const JobContext& job = {});
/// Upper bound of the memory that the functions above need for sets of at most `rows` rows, in bytes.
std::size_t kernelScoresBytes(std::size_t rows, std::size_t dim);

} // namespace assay
