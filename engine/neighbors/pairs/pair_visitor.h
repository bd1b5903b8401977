#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Visits pairs of queries and base rows that the stored k-nearest lists omit but that can still change a score. Pairs
/// beyond reach() are skipped in bulk. Queries are numbered by their place in PairSets::queryRow. Different queries may
/// be served by different threads at once.
class PairVisitor {
public:
    PairVisitor() = default;
    PairVisitor(const PairVisitor&) = delete;
    PairVisitor& operator=(const PairVisitor&) = delete;
    virtual ~PairVisitor() = default;

    /// Largest distance at which a base row whose weight is in [least, most] can still change the query's score;
    /// negative where none can. Never grows while pairs are visited.
    virtual double reach(std::size_t query, double least, double most) const = 0;

    /// Whether the stored lists hold this pair: it is then skipped.
    virtual bool isKnown(std::size_t query, std::uint32_t baseRow) const = 0;

    /// A pair with its distance, the double-precision direct difference. It may be beyond reach().
    virtual void visit(std::size_t query, std::uint32_t baseRow, double weight, double distance) = 0;
};

/// The sets whose pairs are visited. Views are kept by reference.
struct PairSets {
    MatrixView queries;                  ///< stored rows
    std::vector<std::uint32_t> queryRow; ///< rows of `queries` to visit pairs of
    MatrixView base;                     ///< stored rows
    std::vector<std::uint32_t> baseRow;  ///< rows of `base` to visit, in this order
    std::vector<double> weight;          ///< one per entry of baseRow; or empty: all are 0
};

/// Visits by blocked matrix products: for many dimensions. Error bounds exclude most pairs.
/// @param threads 0 for every core
/// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
void visitByProducts(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job);

/// Visits by a k-d tree over the base: for few dimensions.
/// @param threads 0 for every core
/// @throws Cancelled
void visitByTree(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job);

} // namespace assay
