#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/subspace_projection.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/result_collectors.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// Consecutive rows of a set and what is known of them so far, while one pair of blocks after the other is searched
/// until every pair of rows was. Lists are as long as there are rows, or empty where they are not wanted.
struct SearchBlock {
    std::size_t first = 0; ///< number of the first row in its set
    MatrixView rows{};
    std::vector<double> radius{};      ///< closed balls around the rows
    std::vector<double> innerRadius{}; ///< smaller balls around the same rows, or empty
    SideResult found{};                ///< neighbours with row numbers of the other set; noNeighbors() to begin with

    std::size_t k() const noexcept { return found.nearest.k; }
    SideQuery side() const { return {rows, k(), radius, innerRadius}; }

    /// Some of the rows, with what is known of them. Balls and counts are left out: for passes within one set.
    SearchBlock part(std::size_t from, std::size_t count) const;
    /// Copies back what was found for a part.
    void update(const SearchBlock& part);
};

/// Which of the ways that spare work are taken; the results are the same.
enum class Pruning {
    IfTrialShowsGain, ///< those that a short trial finds to pay
    Always,           ///< every one that is possible, for tests
};

struct PlanOptions {
    Frame frame;          ///< common to all blocks of both sets
    unsigned threads = 0; ///< 0 for every core
    bool lean = false; ///< integers even where floats would be faster, and the shortest lists: less memory, more time
    Pruning pruning = Pruning::IfTrialShowsGain;
};

/// How two blocks are searched: by products of floats or integers, and with how long lists of candidates.
struct ProductPlan {
    Frame frame;
    Precision precision = Precision::Single;
    std::array<std::size_t, 2> capacity{}; ///< of the list of each row of either block while its limits are unknown
    std::optional<SubspaceProjection> projection = std::nullopt; ///< through which pairs are excluded first
};

/// Chooses the precision, and whether a projection pays, by a short trial of each block's rows.
/// @param b may be the same object as `a`: then for a search within it
ProductPlan planProducts(const SearchBlock& a, const SearchBlock& b, const PlanOptions& options, const JobContext& job);

/// k-nearest-neighbour search among the rows of one block: every pair of different rows.
void searchWithin(SearchBlock& block, const ProductPlan& plan, unsigned threads, const JobContext& job);

/// k-nearest-neighbour search and range counts over every pair of rows of two blocks, for both of them.
void searchBetween(SearchBlock& a, SearchBlock& b, const ProductPlan& plan, unsigned threads, const JobContext& job);

} // namespace assay
