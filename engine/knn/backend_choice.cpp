#include "engine/knn/gemm_search.h"
#include "engine/knn/kdtree_search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace assay {
namespace {

/// Above this many dimensions a k-d tree visits nearly every leaf and has never been seen to win: no trial is run.
constexpr std::size_t kTreeDimensions = 48;
/// Queries of the trial: enough for two rows of tiles, few enough for some tens of milliseconds.
constexpr std::size_t kTrialQueries = 1024;
constexpr std::size_t kTrialNeighbors = 32;

template <typename Search>
std::unique_ptr<NeighborSearch> make(unsigned threads) {
    return std::make_unique<Search>(threads);
}

constexpr std::array kBackends{
    Backend{BackendChoice::Gemm, "gemm", "blocked matrix products on the CPU", make<GemmSearch>},
    Backend{BackendChoice::KdTree, "kdtree", "k-d tree on the CPU, for few dimensions", make<KdTreeSearch>},
};

/// Evenly spaced rows of a set, copied.
std::vector<float> thinned(MatrixView set, std::size_t rows) {
    std::vector<float> values;
    values.reserve(rows * set.dim);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = set.row(r * set.rows / rows);
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

double secondsFor(const NeighborSearch& search, MatrixView base, MatrixView queries, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    search.cross({queries, base, std::min(kTrialNeighbors, base.rows), 0, {}, {}, {}}, job);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Estimates how long a search of all rows takes. Queries are timed against the whole set, because both a tree's
/// pruning and a product's share of proposals depend on its size; what is needed once (a tree, a centred copy) counts
/// once.
double estimatedSeconds(const NeighborSearch& search, MatrixView set, MatrixView queries, const JobContext& job) {
    const double once = secondsFor(search, set, {queries.data, 1, queries.dim}, job);
    const double more = std::max(0.0, secondsFor(search, set, queries, job) - once);
    return once +
           more * static_cast<double>(set.rows) / static_cast<double>(std::max<std::size_t>(queries.rows - 1, 1));
}

BackendChoice measuredChoice(MatrixView set, unsigned threads, const JobContext& job) {
    if (set.dim > kTreeDimensions)
        return BackendChoice::Gemm;
    const std::size_t rows = std::min(kTrialQueries, set.rows);
    const std::vector<float> values = thinned(set, rows);
    const MatrixView queries{values.data(), rows, set.dim};
    const JobContext quiet = job.part("choosing the backend", 0.0, 0.0);
    const GemmSearch gemm(threads);
    secondsFor(gemm, queries, queries, quiet); // the library compiles its kernel at the first call
    const double gemmSeconds = estimatedSeconds(gemm, set, queries, quiet);
    // A tree that loses may lose by far: a few queries tell, before all of them are spent on it.
    const KdTreeSearch tree(threads);
    const MatrixView few{values.data(), std::max<std::size_t>(rows / 16, 1), set.dim};
    if (estimatedSeconds(tree, set, few, quiet) > 4.0 * gemmSeconds)
        return BackendChoice::Gemm;
    return estimatedSeconds(tree, set, queries, quiet) < gemmSeconds ? BackendChoice::KdTree : BackendChoice::Gemm;
}

} // namespace

std::span<const Backend> backendTable() {
    return kBackends;
}

std::unique_ptr<NeighborSearch> makeNeighborSearch(BackendChoice choice, MatrixView sample, unsigned threads,
                                                   const JobContext& job) {
    if (choice == BackendChoice::Auto)
        choice = measuredChoice(sample, threads, job);
    for (const Backend& backend : kBackends)
        if (backend.choice == choice)
            return backend.make(threads);
    return nullptr;
}

} // namespace assay
