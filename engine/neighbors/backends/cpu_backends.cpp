#include "engine/neighbors/backends/cpu_backends.h"

#include "engine/base/error.h"
#include "engine/data/matrix_view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace assay {
namespace {

// Which backend searches, as measured by tests/bench/crossing_bench.cpp (table in tests/bench/RESULTS.md). Small sets
// of few dimensions are nanoflann's: a well-known library is fast enough there. Of the other two a tree whose 64-point
// leaves are scanned by vector instructions is fastest on all data of few dimensions. In more dimensions, with
// independent coordinates, it visits most leaves and is slower than the product on large sets. It is much faster where
// the data lie near a surface of few dimensions. There a short trial decides. With very many dimensions the product is
// used without a trial. A search of a small set takes less time than a trial.
//
// The constants depend on the speed of the backends: run bench_crossing again after one has changed. Its last column
// shows the rule's choice.

/// nanoflann's sets: a whole quick audit of two of them takes at most some 0.3 s on two cores, of the half second that
/// is allowed. Independent coordinates of 16 and more dimensions take the longest.
constexpr std::size_t kNanoflannRows = 10'000;
constexpr std::size_t kNanoflannValues = 40'000;
constexpr std::size_t kNanoflannDimensions = 32;

// Up to kAlwaysTree dimensions the tree was fastest for all sizes and kinds of data, by a factor of at least 2.5.

/// Above this number of dimensions the product is used: the tree is no longer faster, even on a surface of 10
/// dimensions.
constexpr std::size_t kNeverTree = 256;
/// Sets of up to this number of rows are not timed; the tree is used up to kSmallTree dimensions.
constexpr std::size_t kSmallRows = 4096;
constexpr std::size_t kSmallTree = 32;
/// Searches of an audit per synthetic set (its own neighbours, and both directions between the sets), in units of what
/// the trials measure: for the product one direction, whose pass then serves both; for the tree one self search.
constexpr double kProductPasses = 2.4;
constexpr double kTreePasses = 3.0;
/// Number of queries in the product's trial: two rows of tiles, some tens of milliseconds.
constexpr std::size_t kTrialQueries = 1024;
constexpr std::size_t kTrialNeighbors = 32;

template <typename Search>
std::unique_ptr<NeighborSearch> make(unsigned threads) {
    return std::make_unique<Search>(threads);
}

constexpr std::array kOnCpu{
    Backend{BackendChoice::Gemm, "gemm", "blocked matrix products on the CPU", make<GemmSearch>},
    Backend{BackendChoice::KdTree, "kdtree", "k-d tree of blocks on the CPU, for few dimensions", make<KdTreeSearch>},
    Backend{BackendChoice::Nanoflann, "nanoflann", "nanoflann's k-d tree on the CPU, for small sets of few dimensions",
            make<NanoflannSearch>},
};

double secondsFor(const NeighborSearch& search, MatrixView base, MatrixView queries, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    search.nearest(queries, base, std::min(kTrialNeighbors, base.rows), job);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Estimates the time of a search of all rows. Queries are timed against the whole set, because a product's share of
/// candidates depends on the set's size. One-time work (a centred copy) is counted once.
double estimatedSeconds(const NeighborSearch& search, MatrixView set, MatrixView queries, const JobContext& job) {
    const double once = secondsFor(search, set, {queries.data, 1, queries.dim}, job);
    const double more = std::max(0.0, secondsFor(search, set, queries, job) - once);
    return once +
           more * static_cast<double>(set.rows) / static_cast<double>(std::max<std::size_t>(queries.rows - 1, 1));
}

BackendChoice measuredChoice(MatrixView set, unsigned threads, const JobContext& job) {
    const JobContext quiet = job.part("choosing the fastest search", 0.0, 0.0);
    const std::size_t rows = std::min(kTrialQueries, set.rows);
    const std::vector<float> values = evenlySpaced(set, rows);
    const MatrixView queries{values.data(), rows, set.dim};
    const GemmSearch gemm(threads);
    secondsFor(gemm, queries, queries, quiet); // the library compiles its kernel at the first call
    const double product = kProductPasses * estimatedSeconds(gemm, set, queries, quiet);
    const double tree = kTreePasses * KdTreeSearch(threads).estimatedSeconds(set, kTrialNeighbors, quiet);
    return tree < product ? BackendChoice::KdTree : BackendChoice::Gemm;
}

BackendChoice chosenFor(MatrixView set, unsigned threads, const JobContext& job) {
    if (set.rows <= kNanoflannRows && set.dim <= kNanoflannDimensions && set.rows * set.dim <= kNanoflannValues)
        return BackendChoice::Nanoflann;
    if (set.dim <= kAlwaysTree)
        return BackendChoice::KdTree;
    if (set.dim > kNeverTree)
        return BackendChoice::Gemm;
    if (set.rows <= kSmallRows)
        return set.dim <= kSmallTree ? BackendChoice::KdTree : BackendChoice::Gemm;
    return measuredChoice(set, threads, job);
}

} // namespace

std::span<const Backend> cpuBackends() {
    return kOnCpu;
}

std::unique_ptr<NeighborSearch> makeCpuSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                              const JobContext& job) {
    if (choice == BackendChoice::Auto)
        choice = chosenFor(sample, threads, job);
    for (const Backend& backend : kOnCpu)
        if (backend.choice == choice)
            return makeThinnedSearch(backend.make(threads), threads);
    throw Error(ErrorKind::DeviceFailed, "search: expected one on the CPU, found a graphics card asked for");
}

} // namespace assay
