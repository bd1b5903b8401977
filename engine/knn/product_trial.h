#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"
#include "engine/knn/candidates.h"
#include "engine/knn/product_bounds.h"

#include <cstddef>

namespace assay {

/// What a short trial on some of the queries of one side found.
struct ProductTrial {
    double listed = 0.0;   ///< per query: rows that the bounds alone leave in the list
    double measured = 0.0; ///< per query: rows that had to be measured
};

/// Runs 32 evenly spaced queries of one side against all rows of the other.
/// @param k neighbours wanted, one more where a query is itself in the base
ProductTrial tryProduct(const SearchSide& side, std::size_t k, const JobContext& job);

/// Seconds that measuring one row takes in a pass.
double secondsPerMeasurement(MatrixView set);

/// Seconds that one product of two rows takes in a tile of their own precision.
double secondsPerProduct(const ProductOperand& operand);

/// Room for each query's candidates: twice what the trial found, so that a list is seldom compacted in vain,
/// within 256 MiB for all queries of both sides as long as that leaves three times k.
std::size_t listCapacity(const ProductTrial& trial, std::size_t k, std::size_t queriesOfBothSides);

} // namespace assay
