#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace assay {

/// Rows of two sets whose pairs are searched. The place of a query or of a base row is its index in these lists.
/// Handlers see places only, so a scan may cover a subset in any order. Views are kept by reference.
struct PairRows {
    MatrixView queries; ///< stored rows
    std::span<const std::uint32_t> query;
    MatrixView base; ///< stored rows, of the same dimension
    std::span<const std::uint32_t> baseRow;
};

/// Places [first, last) of base rows, at least one.
struct PlaceRange {
    std::size_t first;
    std::size_t last;
};

/// Pairs of one query with base rows that may be near enough to matter, with bounds on their distances.
struct ProposedPairs {
    std::size_t query;                    ///< its place
    std::span<const std::uint32_t> place; ///< of base rows, each once in a search
    unsigned worker;                      ///< thread that proposes: below resolveThreads() of the proposer's threads

    /// Bounds on the squared distance of a pair, in the stored unit.
    PairBounds bounds(std::size_t pair) const {
        const PairBounds scaled = columns != nullptr
                                      ? boundsOf(*row, columns->bounds(place[pair] - firstPlace), estimate[pair])
                                      : direct->around(estimate[pair]);
        return {scaled.low * unit, scaled.high * unit};
    }
    /// A quick upper bound on the squared distance, at least that of bounds().
    double atMost(std::size_t pair) const {
        const double scaled = columns != nullptr
                                  ? static_cast<double>(estimate[pair]) + static_cast<double>(row->above) +
                                        static_cast<double>(columns->bounds(place[pair] - firstPlace).above)
                                  : direct->around(estimate[pair]).high;
        return scaled * unit;
    }

    std::span<const float> estimate;         ///< of scaled squared distances, as the proposer makes them
    double unit;                             ///< a scaled squared distance of 1 in the stored unit
    const FloatBounds* direct = nullptr;     ///< of estimates that are direct distances,
    const RowBounds* row = nullptr;          ///< or else of those from products: the query's
    const ProductOperand* columns = nullptr; ///< and those of base rows
    std::size_t firstPlace = 0;              ///< of the base row that is the first of `columns`
};

/// Says which pairs of a search matter, and receives them: what to count or to sum. Different queries are served by
/// different threads at once, each query by one at a time.
class PairHandler {
public:
    PairHandler() = default;
    PairHandler(const PairHandler&) = delete;
    PairHandler& operator=(const PairHandler&) = delete;
    virtual ~PairHandler() = default;

    /// The largest distance at which any base row in this range of places can still matter to the query, in the stored
    /// unit; negative where none can. It never grows in the course of a search.
    virtual double farthest(std::size_t query, const PlaceRange& base) const = 0;

    /// Takes in pairs, at least one. All pairs that matter are among those proposed, and some that do not.
    virtual void take(const ProposedPairs& pairs, const JobContext& job) = 0;
};

/// A handler that wants the distances of pairs, each measured.
class MeasuredPairs : public PairHandler {
public:
    void take(const ProposedPairs& pairs, const JobContext& job) override;

    /// The rows whose pairs are searched; the same during a search.
    virtual PairRows rows() const = 0;

protected:
    /// Whether the pair need not be measured. Places, as in farthest().
    virtual bool isKnown(std::size_t query, std::size_t base) const = 0;

    /// A pair with its distance, the double-precision direct difference. It may be beyond farthest().
    virtual void visit(std::size_t query, std::size_t base, double distance) = 0;
};

/// Proposes pairs of rows of two sets to handlers: by blocked matrix products in many dimensions, where error bounds
/// exclude most pairs, on a graphics card where there is one, or by trees of blocks in few.
class PairProposer {
public:
    /// @param a, b two sets of one dimension, kept by reference; either may have the queries
    /// @param threads 0 for every core
    /// @param accelerator multiplies integers; if null, or if it declines, the CPU does. Kept
    /// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
    PairProposer(PairSearch search, MatrixView a, MatrixView b, unsigned threads, const JobContext& job,
                 const Accelerator* accelerator = nullptr);

    PairSearch search() const noexcept { return search_; }

    /// Hands all pairs to the handler that may matter to it. By products base rows come in the order of their places,
    /// by trees near ones first.
    /// @param precision of products; without it, the one that is expected to be faster
    /// @throws Cancelled; what the handler throws
    void propose(const PairRows& rows, PairHandler& handler, const JobContext& job,
                 std::optional<Precision> precision = std::nullopt) const;

private:
    PairSearch search_;
    unsigned threads_;
    const Accelerator* accelerator_;
    Frame frame_;        ///< for products
    double scale_ = 1.0; ///< for trees
};

} // namespace assay
