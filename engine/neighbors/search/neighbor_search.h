#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_table.h"
#include "engine/neighbors/search/pair_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class Accelerator;

/// Arguments of one pass over all pairs of two sets. Both sets have the same dimension.
struct CrossQuery {
    MatrixView a;                         ///< in an audit: the real set
    MatrixView b;                         ///< in an audit: the synthetic set
    std::size_t kAToB = 0;                ///< neighbours in b per row of a, at most b.rows; 0 for none
    std::size_t kBToA = 0;                ///< neighbours in a per row of b, at most a.rows; 0 for none
    std::span<const double> radiusA;      ///< closed ball around each row of a; a.rows entries or empty
    std::span<const double> innerRadiusA; ///< a second, smaller ball around each row of a (<= radiusA); or empty
    std::span<const double> radiusB;      ///< closed ball around each row of b; b.rows entries or empty
};

/// Results of one pass over all pairs. Counts are empty if the query has no radii for them.
struct CrossResult {
    NeighborTable aToB;                            ///< a.rows x kAToB
    NeighborTable bToA;                            ///< b.rows x kBToA
    std::vector<std::uint32_t> insideBallA;        ///< per row of a: rows of b in its ball
    std::vector<std::uint32_t> insideInnerBallA;   ///< per row of a: rows of b in its inner ball
    std::vector<std::uint32_t> ballsAHolding;      ///< per row of b: balls of a that contain it
    std::vector<std::uint32_t> innerBallsAHolding; ///< per row of b: inner balls of a that contain it
    std::vector<std::uint32_t> insideBallB;        ///< per row of b: rows of a in its ball
    std::vector<std::uint32_t> ballsBHolding;      ///< per row of a: balls of b that contain it

    friend bool operator==(const CrossResult&, const CrossResult&) = default;
};

/// Adds counts of rows to others of the same rows. Either may be empty, for zeros.
inline void addCounts(std::vector<std::uint32_t>& total, const std::vector<std::uint32_t>& part) {
    total.resize(std::max(total.size(), part.size()), 0);
    for (std::size_t i = 0; i < part.size(); ++i)
        total[i] += part[i];
}

/// Exact k-nearest-neighbour search and range counts. Every backend returns equal values, bit for bit (the exactness
/// contract). A fast path may only propose candidates; their distances are then measured directly in double precision.
class NeighborSearch {
public:
    virtual ~NeighborSearch() = default;

    /// Name in the backend table: "gemm", "kdtree", "nanoflann", "cuda".
    virtual std::string_view name() const = 0;

    /// Hardware used in addition to the CPU, for people: "NVIDIA H200 (140 GiB)". Empty for the CPU.
    virtual std::string hardware() const { return {}; }

    /// The faster way to find further pairs of the sets that this search is chosen for.
    virtual PairSearch pairSearch() const { return PairSearch::ByProducts; }

    /// Accelerator for later stages; null if they run on the CPU only. It lives as long as the search.
    virtual const Accelerator* accelerator() const { return nullptr; }

    /// The k nearest other rows of every row: set.rows x k. A row is excluded from its own list by its index; other
    /// rows at distance zero are included.
    /// @throws Error{InvalidArgument} unless 1 <= k < set.rows; Cancelled
    virtual NeighborTable selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const = 0;

    /// Runs one pass over all pairs of two sets, for neighbours in both directions and all range counts.
    /// @throws Error{InvalidArgument} when sizes disagree or k is too large; Cancelled
    virtual CrossResult cross(const CrossQuery& query, const JobContext& job) const = 0;
};

/// Which backend to use.
enum class BackendChoice { Auto, Gemm, KdTree, Nanoflann, Cuda };

/// One row of the backend table.
struct Backend {
    BackendChoice choice;
    std::string_view name;        ///< identifier on the command line
    std::string_view description; ///< description in help texts
    std::unique_ptr<NeighborSearch> (*make)(unsigned threads);
};

/// Function that makes the search of an audit.
/// @param sample a set on which backends may be timed
/// @param threads 0: all cores
/// @throws Error{DeviceFailed}
using SearchMaker = std::function<std::unique_ptr<NeighborSearch>(BackendChoice choice, MatrixView sample,
                                                                  unsigned threads, const JobContext& job)>;

} // namespace assay
