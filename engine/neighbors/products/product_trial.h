#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/subspace_projection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// Results of a short trial on some of the queries of one side.
struct ProductTrial {
    SearchSide side;
    std::size_t k = 0;                       ///< neighbours wanted
    double listed = 0.0;                     ///< per query: rows that the bounds alone leave in the list
    double measured = 0.0;                   ///< per query: rows that had to be measured
    std::vector<std::uint32_t> queries = {}; ///< rows that were tried
    std::vector<float> limits = {};          ///< of each of them: the scaled squared distance of its k-th neighbour
};

/// Below this many rows a pass is over before a trial would be.
inline constexpr std::size_t kTrialRows = 2048;

/// Runs 32 evenly spaced queries of one side against all rows of the other.
/// @param k neighbours wanted, one more where a query is itself in the base
ProductTrial tryProduct(const SearchSide& side, std::size_t k, const JobContext& job);

/// Whether integers may propose in this dimension on this processor.
bool integersPossible(std::size_t dim);

/// The first rows of a set, enough to time a product of floats.
ProductOperand someInSinglePrecision(MatrixView set, const Frame& frame, const JobContext& job);

/// Whether proposing by integers is expected to take less time for one query than proposing by floats: their products
/// are faster, but their wider bounds leave more rows to be measured.
/// @param someSingle the side's first rows as floats, to be timed
bool integersPay(const ProductTrial& trial, const ProductOperand& someSingle);

/// A projection of two sets' rows that is expected to pay in a pass between them, tried on the queries of both sides.
/// None where it does not.
/// @param b the same object as `a` for a pass within one set
std::optional<SubspaceProjection> projectionThatPays(const ProductTrial& a, const ProductTrial& b, const Frame& frame,
                                                     const JobContext& job);

/// Bytes of the lists of all queries of a pass, as long as that leaves each three times k entries.
inline constexpr std::size_t kListBytes = std::size_t{256} << 20;

/// Room for each query's candidates: twice what the trial found, so that a list is seldom compacted in vain, within
/// kListBytes for the queries of both sides.
std::size_t listCapacity(const ProductTrial& trial, std::size_t k, std::size_t queriesOfBothSides);

} // namespace assay
