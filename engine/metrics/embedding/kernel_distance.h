#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The rows of one subset of each set.
struct KernelSubset {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
};

/// Mean and standard deviation (of the subsets, not of the mean) of the squared kernel distance over subsets.
struct KernelDistance {
    double mean = 0.0;
    double deviation = 0.0;
};

/// Subsets cut one after the other from each set in seeded random order, shuffled anew where less than a subset is
/// left: no row is in a second subset before most rows were in a first. At most 1,000 rows each, fewer where a set has
/// fewer; as many as it takes to use about every row once, but at least 10 and at most 100. One alone where that holds
/// both sets whole.
std::vector<KernelSubset> kernelSubsets(std::size_t rowsA, std::size_t rowsB, std::uint64_t seed);

/// Squared maximum mean discrepancy under the kernel (x . y / d + 1)^3, unbiased: below zero at times when the sets are
/// alike. Products in single precision about a common centre, sums in double.
/// @param subsets at least one, each with at least 2 rows of both sets
/// @return NaN, NaN for no subsets or subsets of one row
/// @throws Error{InvalidArgument} when dimensions differ, Cancelled
/// Source: Binkowski et al., ICLR 2018.
KernelDistance kernelDistance(MatrixView a, MatrixView b, std::span<const KernelSubset> subsets, unsigned threads = 0,
                              const JobContext& job = {});

} // namespace assay
