#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_table.h"

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

/// How pairs beyond the nearest neighbours are found (engine/neighbors/pairs/).
enum class PairSearch { ByProducts, ByTree };

/// One of two sets that are searched for each other's rows, and what is wanted of each of its rows.
struct SideQuery {
    MatrixView rows;
    std::size_t k = 0;                        ///< neighbours in the other set per row, at most its rows; 0 for none
    std::span<const double> radius = {};      ///< closed ball around each row; one per row or empty
    std::span<const double> innerRadius = {}; ///< a second, smaller ball around each row (<= radius); or empty
};

/// Results for the rows of one of two sets. Counts are empty where there are no radii for them.
struct SideResult {
    NeighborTable nearest{};                   ///< in the other set: rows x k
    std::vector<std::uint32_t> inside{};       ///< per row: rows of the other set in its ball
    std::vector<std::uint32_t> insideInner{};  ///< per row: rows of the other set in its inner ball
    std::vector<std::uint32_t> holding{};      ///< per row: balls of the other set that hold it
    std::vector<std::uint32_t> innerHolding{}; ///< per row: inner balls of the other set that hold it

    friend bool operator==(const SideResult&, const SideResult&) = default;
};

/// Results of a search between two sets.
struct PassResult {
    SideResult a, b;

    friend bool operator==(const PassResult&, const PassResult&) = default;
};

/// Adds counts of rows to others of the same rows. Either may be empty, for zeros.
void addCounts(std::vector<std::uint32_t>& total, const std::vector<std::uint32_t>& part);

/// Exact k-nearest-neighbour search and range counts. Every backend returns equal values, bit for bit (the exactness
/// contract). A fast path may only propose candidates; their distances are then measured directly in double precision.
///
/// Sets are given as the rows that this process holds. Where several processes share them (isShared()), these are its
/// share of a set; radii and results are of all rows all the same.
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

    /// Whether several processes search together, so that it takes no rows but those of the sets that they agreed on.
    virtual bool isShared() const { return false; }

    /// The k nearest other rows of every row: rows x k. A row is excluded from its own list by its index; other rows at
    /// distance zero are included.
    /// @throws Error{InvalidArgument} unless 1 <= k < set.rows; Cancelled
    virtual NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const = 0;

    /// One pass over all pairs of two sets, for neighbours in both directions and all range counts.
    /// @param a, b of one dimension. In an audit `a` is the real set
    /// @throws Error{InvalidArgument} when sizes disagree or k is too large; Cancelled
    virtual PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const = 0;

    /// The k nearest rows of `base` to every query: queries x k.
    /// @throws as between()
    NeighborTable nearest(MatrixView queries, MatrixView base, std::size_t k, const JobContext& job) const {
        return between({queries, k}, {base}, job).a.nearest;
    }

    /// Per row of a set: how many closed balls around some of its rows hold it, its own ball apart.
    /// @param centres rows of the set, ascending @param radius one per centre
    /// @throws Cancelled
    virtual std::vector<std::uint32_t> ballsHolding(MatrixView set, std::span<const std::uint32_t> centres,
                                                    std::span<const double> radius, const JobContext& job) const;
};

/// Argument checks that all backends share, so that their error messages are equal.
/// @throws Error{InvalidArgument} unless 1 <= k < rows
void requireNeighbors(std::size_t rows, std::size_t k);
/// @throws Error{InvalidArgument} when dimensions or numbers of radii disagree, or k exceeds the rows of the other set
void requireSides(const SideQuery& a, const SideQuery& b);

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
