// The four neighbour searches of an audit by k-d tree, on the same rows that tests/bench/ckdtree.py gives SciPy's.
#include "engine/math/products/kernels.h"
#include "engine/math/statistics/quantile.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Rows {
    std::vector<float> values;
    std::size_t dim;
    MatrixView view() const { return {values.data(), values.size() / dim, dim}; }
};

Rows gaussian(std::size_t rows, std::size_t dim, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    Rows result{std::vector<float>(rows * dim), dim};
    for (float& v : result.values)
        v = normal(random);
    return result;
}

void write(const Rows& rows, const std::string& file) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(rows.values.data()),
              static_cast<std::streamsize>(rows.values.size() * sizeof(float)));
}

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int argc, char** argv) {
    bench::BenchOptions app("times the k-d tree");
    std::size_t rows = 100000;
    std::size_t dim = 8;
    std::size_t k = 33;
    unsigned threads = 2;
    int runs = 5;
    std::string write_to;
    app.add("-n", rows, "rows of each set");
    app.add("-d", dim, "dimensions");
    app.add("-k", k, "neighbours");
    app.add("--threads", threads, "threads");
    app.add("--runs", runs, "runs, of which the median is printed");
    app.add("--write", write_to, "write PREFIX.real.f32 and PREFIX.synthetic.f32 for ckdtree.py");
    if (!app.parse(argc, argv))
        return app.exitCode();

    const Rows real = gaussian(rows, dim, 1);
    const Rows synthetic = gaussian(rows, dim, 2);
    if (!write_to.empty()) {
        write(real, write_to + ".real.f32");
        write(synthetic, write_to + ".synthetic.f32");
    }
    const KdTreeSearch tree(threads);
    const JobContext job;
    std::vector<double> self, cross, audit;
    for (int run = 0; run < runs; ++run) {
        NeighborTable realNear, syntheticNear;
        self.push_back(seconds([&] {
            realNear = tree.within(real.view(), k, job);
            syntheticNear = tree.within(synthetic.view(), k, job);
        }));
        cross.push_back(seconds([&] { tree.between({real.view(), k}, {synthetic.view(), k}, job); }));
        const std::vector<double> radiusA = realNear.distancesAt(std::min<std::size_t>(5, k));
        const std::vector<double> radiusB = syntheticNear.distancesAt(std::min<std::size_t>(5, k));
        audit.push_back(seconds([&] {
            tree.between({real.view(), k, radiusA, radiusA}, {synthetic.view(), k, radiusB}, job);
        }));
    }
    std::printf("| rows | dimensions | k | kernels | both self searches s | both cross searches s | all four s | cross "
                "with balls s |\n|---|---|---|---|---|---|---|---|\n| %zu | %zu | %zu | %s | %.3f | %.3f | %.3f | %.3f "
                "|\n",
                rows, dim, k, instructionSet(), median(self), median(cross), median(self) + median(cross),
                median(audit));
    return 0;
}
