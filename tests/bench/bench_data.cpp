#include "tests/bench/bench_data.h"

#include <dnnl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <utility>

namespace assay::bench {

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

Sets makeSets(std::size_t rows, std::size_t dim, std::size_t latent) {
    return {sample(rows, dim, latent, 1), sample(rows, dim, latent, 2), rows, dim};
}

std::shared_ptr<const EmbeddingSet> asSet(const std::vector<float>& values, const Sets& sets, const char* name) {
    EmbeddingParts parts;
    parts.values = values;
    parts.rows = sets.rows;
    parts.dim = sets.dim;
    parts.name = name;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

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

} // namespace assay::bench
