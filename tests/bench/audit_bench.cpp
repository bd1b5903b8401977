// The whole audit beside the bare matrix product with the same number of multiplications: N^2 d / 2 for each set with
// itself and N M d for the pair, at N = M. Every measurement runs in a process of its own, so that its peak memory is
// its own; product and audit take turns, and medians are compared.
#include "engine/audit/audit.h"
#include "engine/job/parallel.h"
#include "engine/knn/kernels.h"

#include <CLI/CLI.hpp>
#include <dnnl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Sets {
    std::vector<float> real, synthetic;
    std::size_t rows, dim;
};

/// Independent standard normal coordinates, or (latent > 0) a random two-layer tanh map of few latent ones plus a
/// little noise.
std::vector<float> sample(std::size_t rows, std::size_t dim, std::size_t latent, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(rows * dim);
    if (latent == 0) {
        std::generate(values.begin(), values.end(), [&] { return normal(random); });
        return values;
    }
    std::mt19937 mapRandom(1);
    std::vector<float> map(latent * dim);
    std::generate(map.begin(), map.end(), [&] { return normal(mapRandom) / std::sqrt(static_cast<float>(latent)); });
    std::vector<float> z(latent);
    for (std::size_t r = 0; r < rows; ++r) {
        std::generate(z.begin(), z.end(), [&] { return normal(random); });
        for (std::size_t c = 0; c < dim; ++c) {
            float sum = 0.0F;
            for (std::size_t l = 0; l < latent; ++l)
                sum += z[l] * map[l * dim + c];
            values[r * dim + c] = std::tanh(2.0F * sum) + 0.05F * normal(random);
        }
    }
    return values;
}

struct Measurement {
    double seconds;
    double peakMegabytes;
};

/// Runs `work` in a child process and returns what it measured, with the child's peak resident memory.
Measurement inChild(const std::function<double()>& work) {
    int channel[2];
    if (pipe(channel) != 0)
        std::abort();
    const pid_t child = fork();
    if (child == 0) {
        const double seconds = work();
        const bool written = write(channel[1], &seconds, sizeof seconds) == sizeof seconds;
        _exit(written ? 0 : 1);
    }
    double seconds = std::nan("");
    if (read(channel[0], &seconds, sizeof seconds) != sizeof seconds)
        seconds = std::nan("");
    close(channel[0]);
    close(channel[1]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    return {seconds, static_cast<double>(usage.ru_maxrss) / 1024.0};
}

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::shared_ptr<const EmbeddingSet> asSet(const std::vector<float>& values, const Sets& sets, const char* name) {
    EmbeddingParts parts;
    parts.values = values;
    parts.rows = sets.rows;
    parts.dim = sets.dim;
    parts.name = name;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Two N x N x d products: as many multiplications as the three passes need.
double productSeconds(const Sets& sets) {
    const auto rows = static_cast<dnnl_dim_t>(sets.rows);
    const auto dim = static_cast<dnnl_dim_t>(sets.dim);
    // In slabs, so that sets whose N x N result would not fit can be measured too; large enough to run at full speed.
    const dnnl_dim_t slab = std::min<dnnl_dim_t>(rows, std::max<dnnl_dim_t>(2000, 100'000'000 / rows));
    std::vector<float> result(static_cast<std::size_t>(slab * rows));
    const auto once = [&] {
        for (dnnl_dim_t first = 0; first < rows; first += slab)
            dnnl_sgemm('N', 'T', std::min(slab, rows - first), rows, dim, 1.0F, sets.real.data() + first * dim, dim,
                       sets.synthetic.data(), dim, 0.0F, result.data(), rows);
    };
    once(); // pages of the result, the library's kernels
    return 2.0 * secondsOf(once);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    Sets sets{{}, {}, 10000, 1024};
    std::size_t latent = 0;
    int repeats = 5;
    std::string backend = "gemm";
    CLI::App app{"Whole audit against the bare matrix product of the same number of multiplications"};
    app.add_option("-n", sets.rows, "Rows of each set")->capture_default_str();
    app.add_option("-d", sets.dim, "Dimensions")->capture_default_str();
    app.add_option("--latent", latent, "Latent dimensions of the data; 0 for independent coordinates")
        ->capture_default_str();
    app.add_option("--repeats", repeats)->capture_default_str();
    app.add_option("--backend", backend, "auto, gemm or kdtree")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    AuditOptions options;
    for (const Backend& row : backendTable())
        if (row.name == backend)
            options.backend = row.choice;
    sets.real = sample(sets.rows, sets.dim, latent, 1);
    sets.synthetic = sample(sets.rows, sets.dim, latent, 2);
    const double inputs = 2.0 * static_cast<double>(sets.rows * sets.dim) * sizeof(float) / 1048576.0;

    std::vector<double> products, audits, memory;
    std::string used;
    for (int r = 0; r < repeats; ++r) {
        products.push_back(inChild([&] { return productSeconds(sets); }).seconds);
        const Measurement audit = inChild([&] {
            const auto real = asSet(sets.real, sets, "real");
            const auto synthetic = asSet(sets.synthetic, sets, "synthetic");
            return secondsOf([&] { runAudit({real, {{"synthetic", synthetic}}, options, {}}); });
        });
        audits.push_back(audit.seconds);
        // The child inherits the generated sets and copies them into EmbeddingSets: one of the two copies is the
        // inputs.
        memory.push_back(audit.peakMegabytes - 2.0 * inputs);
    }
    std::printf("| rows | dimensions | latent | backend | kernels | bare product s | audit s | ratio | memory beyond "
                "inputs MB |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    std::printf("| %zu | %zu | %zu | %s | %s | %.3f | %.3f | %.2f | %.0f |\n", sets.rows, sets.dim, latent,
                backend.c_str(), kernels().name, median(products), median(audits), median(audits) / median(products),
                median(memory));
    return 0;
}
