// Where k-d trees and the matrix product cross: time of each, over dimensions and rows, and how long a whole quick
// audit takes with nanoflann. The constants in engine/neighbors/backends/cpu_backends.cpp come from this table; measure
// them again when a backend has become faster.
#include "engine/audit/run/audit.h"
#include "engine/gpu/backends/backends.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// Rows of `dim` columns: independent normal values (latent = 0), or a bent image of `latent` of them with a little
/// noise.
std::vector<float> samples(std::size_t rows, std::size_t dim, std::size_t latent, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(rows * dim);
    if (latent == 0) {
        for (float& v : values)
            v = normal(random);
        return values;
    }
    std::mt19937_64 shared(12345); // both sets lie on the same surface
    std::vector<float> map(latent * dim);
    for (float& m : map)
        m = normal(shared);
    std::vector<float> z(latent);
    for (std::size_t r = 0; r < rows; ++r) {
        for (float& v : z)
            v = normal(random);
        for (std::size_t c = 0; c < dim; ++c) {
            float sum = 0.0F;
            for (std::size_t l = 0; l < latent; ++l)
                sum += map[l * dim + c] * z[l];
            values[r * dim + c] = std::tanh(sum / 2.0F) + 0.01F * normal(random);
        }
    }
    return values;
}

/// Seconds for what an audit searches per synthetic set: its own neighbours and both directions between the sets. A
/// product serves both rows and columns, a tree is walked once per query.
double secondsFor(const NeighborSearch& search, MatrixView real, MatrixView synthetic, std::size_t k, int runs) {
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        search.within(synthetic, k, {});
        search.between({real, k}, {synthetic, k}, {});
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// Seconds of an audit as by `assay-score --quick`, without reading the files.
double quickAuditSeconds(const bench::Sets& sets, unsigned threads, int runs) {
    AuditRequest request{bench::asSet(sets.real, sets, "real"),
                         {{"synthetic", bench::asSet(sets.synthetic, sets, "synthetic")}},
                         {},
                         {}};
    request.options.tablesOnly = true;
    request.options.storedNeighbors = 0;
    request.options.backend = BackendChoice::Nanoflann;
    request.options.threads = threads;
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < runs; ++run)
        best = std::min(best, bench::secondsOf([&] { runAudit(request); }));
    return best;
}

} // namespace

int main(int argc, char** argv) {
    bench::BenchOptions app("times k-d trees and matrix product side by side");
    std::vector<std::size_t> rows{1000, 2000, 4000, 10000, 50000};
    std::vector<std::size_t> dims{2, 4, 8, 12, 16, 20, 24, 32, 48, 64};
    std::vector<std::size_t> latents{0, 4};
    int runs = 2;
    std::size_t k = 33;
    std::size_t mostForNanoflann = 130'000;
    unsigned threads = 2;
    app.add("-n", rows, "rows of each set");
    app.add("-d", dims, "dimensions");
    app.add("--latent", latents, "latent dimensions, 0 for independent ones");
    app.add("--runs", runs, "runs, of which the best counts");
    app.add("-k", k, "neighbours");
    app.add("--threads", threads, "threads");
    app.add("--most-for-nanoflann", mostForNanoflann, "values of a set up to which nanoflann is timed");
    if (!app.parse(argc, argv))
        return app.exitCode();

    std::printf("| latent | rows | dimensions | product us per row | tree us per row | product / tree "
                "| nanoflann us per row | quick audit with nanoflann s | auto |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
    const GemmSearch product(threads);
    const KdTreeSearch tree(threads);
    const NanoflannSearch nanoflann(threads);
    for (const std::size_t latent : latents)
        for (const std::size_t n : rows)
            for (const std::size_t dim : dims) {
                const bench::Sets sets{samples(n, dim, latent, 1), samples(n, dim, latent, 2), n, dim};
                const double each = 1e6 / static_cast<double>(n);
                const MatrixView a{sets.real.data(), n, dim};
                const MatrixView b{sets.synthetic.data(), n, dim};
                const std::string picked(makeNeighborSearch(BackendChoice::Auto, b, threads, {})->name());
                const double byProduct = secondsFor(product, a, b, k, runs) * each;
                const double byTree = secondsFor(tree, a, b, k, runs) * each;
                std::printf("| %zu | %zu | %zu | %.1f | %.1f | %.2f |", latent, n, dim, byProduct, byTree,
                            byProduct / byTree);
                if (n * dim <= mostForNanoflann)
                    std::printf(" %.1f | %.3f |", secondsFor(nanoflann, a, b, k, runs) * each,
                                quickAuditSeconds(sets, threads, runs));
                else
                    std::printf(" | |");
                std::printf(" %s |\n", picked.c_str());
                std::fflush(stdout);
            }
    return 0;
}
