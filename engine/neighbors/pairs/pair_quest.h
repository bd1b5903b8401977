#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// A question about every pair of some queries with the rows of a base set that lists of nearest neighbours have left
/// open. What is known so far says which further pairs can matter; those are found and measured, the others never
/// looked at one by one. Queries are numbered by their place among those asked about. Different queries may be served
/// by different threads at once.
class PairQuest {
public:
    PairQuest() = default;
    PairQuest(const PairQuest&) = delete;
    PairQuest& operator=(const PairQuest&) = delete;
    virtual ~PairQuest() = default;

    /// How far away a base row whose weight is in [least, most] may be and still matter to the query. Negative: no such
    /// row does. Never grows while pairs are met.
    virtual double reach(std::size_t query, double least, double most) const = 0;

    /// Whether this pair was known before: it is then passed over.
    virtual bool knows(std::size_t query, std::uint32_t baseRow) const = 0;

    /// A pair, measured by definition; it may be out of reach.
    virtual void meet(std::size_t query, std::uint32_t baseRow, double weight, double distance) = 0;
};

/// The sets of a quest. Views are kept by reference.
struct QuestSets {
    MatrixView queries;                  ///< stored rows
    std::vector<std::uint32_t> queryRow; ///< rows of the queries that are asked about
    MatrixView base;                     ///< stored rows
    std::vector<std::uint32_t> baseRow;  ///< rows of the base that can matter, in the order to look at them
    std::vector<double> weight;          ///< one per entry of baseRow; or empty: all are 0
};

/// Answers by blocked matrix products: for many dimensions. Bounds exclude most pairs.
/// @param threads 0 for every core
/// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
void pursueByProducts(PairQuest& quest, const QuestSets& sets, unsigned threads, const JobContext& job);

/// Answers by a k-d tree over the base: for few dimensions.
/// @param threads 0 for every core
/// @throws Cancelled
void pursueByTree(PairQuest& quest, const QuestSets& sets, unsigned threads, const JobContext& job);

} // namespace assay
