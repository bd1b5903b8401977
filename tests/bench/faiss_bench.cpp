// FAISS IndexFlatL2 doing only the four neighbour searches of an audit, beside our whole audit and the bare product.
// FAISS takes its products from the system's BLAS; OpenBLAS picks a kernel by the processor, not always the fastest one
// of those that run on it, so each that is named is tried in a process of its own (OPENBLAS_CORETYPE is read once).
#include "engine/audit/run/audit.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <dlfcn.h>
#include <faiss/IndexFlat.h>
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::bench;

namespace {

constexpr std::size_t kNeighbors = 33; // what an audit keeps, and the sample itself, which a flat index also finds

void searchAll(const std::vector<float>& base, const std::vector<float>& queries, const Sets& sets) {
    faiss::IndexFlatL2 index(static_cast<std::int64_t>(sets.dim));
    const auto rows = static_cast<std::int64_t>(sets.rows);
    index.add(rows, base.data());
    std::vector<float> distances(sets.rows * kNeighbors);
    std::vector<std::int64_t> indices(sets.rows * kNeighbors);
    index.search(rows, queries.data(), kNeighbors, distances.data(), indices.data());
}

double faissSeconds(const Sets& sets) {
    const Sets few{
        std::vector<float>(sets.real.begin(), sets.real.begin() + 100 * static_cast<std::ptrdiff_t>(sets.dim)),
        {},
        100,
        sets.dim};
    searchAll(few.real, few.real, few); // starts the threads
    return secondsOf([&] {
        searchAll(sets.real, sets.real, sets);
        searchAll(sets.synthetic, sets.synthetic, sets);
        searchAll(sets.synthetic, sets.real, sets);
        searchAll(sets.real, sets.synthetic, sets);
    });
}

std::string blasKernel() {
    using Name = char* (*)();
    if (auto* name = reinterpret_cast<Name>(dlsym(RTLD_DEFAULT, "openblas_get_corename")))
        return name();
    return "not OpenBLAS";
}

struct Run {
    double seconds = 0.0;
    std::string kernel;
};

/// This program again, under another environment.
Run faissWith(const std::string& coreType, const Sets& sets, unsigned threads) {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        std::abort();
    const std::string command =
        (coreType == "default" ? "env -u OPENBLAS_CORETYPE " : "OPENBLAS_CORETYPE=" + coreType) +
        " OPENBLAS_NUM_THREADS=" + std::to_string(threads) + " '" +
        std::string(self, static_cast<std::size_t>(length)) + "' --only-faiss -n " + std::to_string(sets.rows) +
        " -d " + std::to_string(sets.dim) + " --threads " + std::to_string(threads);
    Run run;
    char kernel[64] = "";
    FILE* output = popen(command.c_str(), "r");
    if (output == nullptr || std::fscanf(output, "%lf %63[^\n]", &run.seconds, kernel) != 2 || pclose(output) != 0)
        std::fprintf(stderr, "failed: %s\n", command.c_str());
    run.kernel = kernel;
    return run;
}

} // namespace

int main(int argc, char** argv) {
    std::size_t rows = 10000;
    std::size_t dim = 1024;
    unsigned threads = 2;
    int repeats = 3;
    bool onlyFaiss = false;
    std::vector<std::string> coreTypes{"default", "Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids"};
    bench::BenchOptions app("FAISS flat search beside the whole audit");
    app.add("-n", rows, "Rows of each set");
    app.add("-d", dim, "Dimensions");
    app.add("--threads", threads);
    app.add("--repeats", repeats);
    app.add("--core-types", coreTypes, "Values of OPENBLAS_CORETYPE to try; default leaves it unset");
    app.add("--only-faiss", onlyFaiss, "Print the seconds of the four searches and the kernel of the BLAS");
    if (!app.parse(argc, argv))
        return app.exitCode();

    const Sets sets = makeSets(rows, dim, 0);
    if (onlyFaiss) {
        omp_set_num_threads(static_cast<int>(threads));
        const double seconds = faissSeconds(sets);
        std::printf("%.4f %s\n", seconds, blasKernel().c_str());
        return 0;
    }
    AuditOptions options;
    options.threads = threads;
    options.backend = BackendChoice::Gemm;
    std::vector<double> products, audits;
    std::vector<std::vector<double>> searches(coreTypes.size());
    std::vector<std::string> kernels(coreTypes.size());
    for (int r = 0; r < repeats; ++r) {
        products.push_back(inChild([&] { return productSeconds(sets); }).seconds);
        audits.push_back(inChild([&] {
                             const auto real = asSet(sets.real, sets, "real");
                             const auto synthetic = asSet(sets.synthetic, sets, "synthetic");
                             return secondsOf([&] { runAudit({real, {{"synthetic", synthetic}}, options, {}}); });
                         }).seconds);
        for (std::size_t c = 0; c < coreTypes.size(); ++c) {
            const Run run = faissWith(coreTypes[c], sets, threads);
            searches[c].push_back(run.seconds);
            kernels[c] = run.kernel;
        }
    }
    const double audit = median(audits);
    std::printf("%zu + %zu rows, %zu dimensions, k = %zu, %u threads\n\n", rows, rows, dim, kNeighbors, threads);
    std::printf("| what | s | beside our audit |\n|---|---|---|\n");
    std::printf("| bare product (oneDNN, N^2 d / 2 + N^2 d / 2 + N^2 d) | %.2f | %.2f |\n", median(products),
                median(products) / audit);
    std::printf("| our audit, everything | %.2f | 1 |\n", audit);
    for (std::size_t c = 0; c < coreTypes.size(); ++c)
        std::printf("| FAISS, four searches, OPENBLAS_CORETYPE %s (kernel %s) | %.2f | %.1f |\n",
                    coreTypes[c] == "default" ? "unset" : coreTypes[c].c_str(), kernels[c].c_str(), median(searches[c]),
                    median(searches[c]) / audit);
    return 0;
}
