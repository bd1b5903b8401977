#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// One of two sets whose rows are compared, and which of them ask for their product: of distance / within over all rows
/// of the other set at a distance of at most `within`.
struct ProductSide {
    MatrixView set;                   ///< stored rows, kept by reference
    std::vector<std::uint32_t> asked; ///< rows, each once
    double within = 1.0;              ///< above 0
};

/// Products of both sides, one for each row that asked. What is below kNegligibleProduct comes as 0: taken from 1 it
/// leaves 1 but for 1e-12.
struct DistanceProducts {
    std::vector<double> a;
    std::vector<double> b;
};

inline constexpr double kNegligibleProduct = 0x1p-40;

/// By blocked matrix products: for many dimensions. Bounds settle rows with many others in reach; of the rest every
/// pair in reach of either row is measured, once for both, until the products are negligible. Relative errors are some
/// 1e-15 per factor. The same to the last bit for any number of threads and by either search.
/// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
DistanceProducts distanceProductsByMatrix(const ProductSide& a, const ProductSide& b, unsigned threads,
                                          const JobContext& job);

/// By k-d trees of both sets: for few dimensions. @throws Cancelled
DistanceProducts distanceProductsByTree(const ProductSide& a, const ProductSide& b, unsigned threads,
                                        const JobContext& job);

} // namespace assay
