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
/// Rows of the trial. Small enough for some tens of milliseconds, large enough to see how a tree prunes.
constexpr std::size_t kTrialRows = 2048;
constexpr std::size_t kTrialNeighbors = 32;
constexpr std::size_t kTreeTrialQueries = 512;

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

/// Estimates the full pass of both backends from a trial on evenly spaced rows.
BackendChoice measuredChoice(MatrixView set, unsigned threads, const JobContext& job) {
    if (set.dim > kTreeDimensions)
        return BackendChoice::Gemm;
    const std::size_t rows = std::min(kTrialRows, set.rows);
    const std::vector<float> values = thinned(set, rows);
    const MatrixView trial{values.data(), rows, set.dim};
    const JobContext quiet = job.part("choosing the backend", 0.0, 0.0);

    // The product's cost grows with the number of pairs. A tree's queries are timed against the whole set, because how
    // well it prunes depends on the density; a few hundred of them stand for all.
    const double pairs = static_cast<double>(set.rows) * static_cast<double>(set.rows);
    const GemmSearch gemm(threads);
    secondsFor(gemm, trial, trial, quiet); // the library compiles its kernel at the first call
    const double gemmSeconds = secondsFor(gemm, trial, trial, quiet) * pairs / static_cast<double>(rows * rows);

    const KdTreeSearch tree(threads);
    const MatrixView one{values.data(), 1, set.dim};
    const MatrixView few{values.data(), std::min(kTreeTrialQueries, rows), set.dim};
    const double building = secondsFor(tree, set, one, quiet);
    const double searching = std::max(0.0, secondsFor(tree, set, few, quiet) - building);
    const double treeSeconds = building + searching * static_cast<double>(set.rows) /
                                              static_cast<double>(std::max<std::size_t>(few.rows - 1, 1));
    return treeSeconds < gemmSeconds ? BackendChoice::KdTree : BackendChoice::Gemm;
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
