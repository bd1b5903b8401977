// A sweep of one threshold over a finished audit: what a change costs, downwards, upwards and in jumps.
#include "engine/math/products/kernels.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// Independent normal coordinates, or a mixture of ten modes of which the synthetic set misses some:
/// "shifted": four modes of ten lie beside where they should, each by another distance; "collapsed": it has only half
/// of the modes, and those narrower; "noise": every fifth sample is far noise.
std::vector<float> sample(std::size_t rows, std::size_t dim, const std::string& data, bool synthetic) {
    std::mt19937 random(synthetic ? 2 : 1);
    std::normal_distribution<float> normal;
    std::vector<float> values(rows * dim);
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    if (data == "independent")
        return values;
    std::mt19937 modeRandom(7);
    std::vector<float> centre(10 * dim);
    std::vector<float> shift(10 * dim);
    std::generate(centre.begin(), centre.end(), [&] { return 1.5F * normal(modeRandom); });
    std::generate(shift.begin(), shift.end(), [&] { return normal(modeRandom) * 0.6F; });
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t mode = synthetic && data == "collapsed" ? r % 5 : r % 10;
        for (std::size_t c = 0; c < dim; ++c) {
            float& value = values[r * dim + c];
            if (synthetic && data == "collapsed")
                value *= 0.7F;
            if (synthetic && data == "noise" && r % 5 == 0)
                value *= 10.0F;
            value += centre[mode * dim + c];
            if (synthetic && data == "shifted" && mode < 4)
                value += shift[mode * dim + c] * static_cast<float>(mode + 1) / 2.0F;
        }
    }
    return values;
}

std::shared_ptr<const EmbeddingSet> asSet(std::vector<float> values, std::size_t rows, std::size_t dim,
                                          const char* name) {
    EmbeddingParts parts;
    parts.values = std::move(values);
    parts.rows = rows;
    parts.dim = dim;
    parts.name = name;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

double msOf(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Masks for thresholds from keep-all down to keeping `least`: at even steps of the share kept.
std::vector<std::vector<bool>> sweep(const std::vector<double>& score, Bound bound, std::size_t steps,
                                     std::size_t least) {
    std::vector<double> sorted = score;
    std::sort(sorted.begin(), sorted.end());
    if (bound == Bound::AtMost)
        std::reverse(sorted.begin(), sorted.end());
    std::vector<std::vector<bool>> masks;
    for (std::size_t step = 0; step < steps; ++step) {
        const double threshold = sorted[(sorted.size() - least) * step / (steps - 1)];
        std::vector<bool> kept(score.size());
        for (std::size_t row = 0; row < score.size(); ++row)
            kept[row] = bound == Bound::AtLeast ? score[row] >= threshold : score[row] <= threshold;
        masks.push_back(std::move(kept));
    }
    return masks;
}

void report(const char* what, std::vector<double> ms) {
    const double total = std::accumulate(ms.begin(), ms.end(), 0.0);
    std::sort(ms.begin(), ms.end());
    std::printf("| %s | %.1f | %.1f | %.1f | %.0f |\n", what, ms[ms.size() / 2], ms[ms.size() * 9 / 10], ms.back(),
                total);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::size_t rows = 50000;
    std::size_t dim = 32;
    std::size_t steps = 100;
    std::size_t least = 100;
    std::string data = "independent";
    std::string column = "pce";
    std::string side = "at_most";
    bool verbose = false;
    AuditOptions options;
    options.backend = BackendChoice::Gemm;
    bench::BenchOptions app("What-if sweeps");
    app.add("-n", rows, "Rows of each set");
    app.add("-d", dim, "Dimensions");
    app.add("--steps", steps, "Thresholds of a sweep");
    app.add("--least", least, "Samples that the last threshold keeps");
    app.add("--data", data, "independent, shifted, collapsed or noise");
    app.add("--column", column, "Score that the threshold is put on");
    app.add("--bound", side, "at_most or at_least");
    app.add("--threads", options.threads);
    std::size_t bytes = WhatIf::kBytesPerSample;
    app.add("--bytes", bytes, "Memory bound per sample");
    app.add("--verbose", verbose, "Every change of the first sweep");
    if (!app.parse(argc, argv))
        return app.exitCode();

    const auto real = asSet(sample(rows, dim, data, false), rows, dim, "real");
    const auto synthetic = asSet(sample(rows, dim, data, true), rows, dim, "synthetic");
    const auto audit = runAudit({real, {{"synthetic", synthetic}}, options, {}});
    const ModelAudit& model = *audit->models[0];
    const Bound bound = side == "at_least" ? Bound::AtLeast : Bound::AtMost;
    const std::vector<double>& score = model.column(column);
    const auto masks = sweep(score, bound, steps, least);
    std::printf("%zu + %zu x %zu, %s, %s %s, audit of the model %.2f s, recall %.3f, precision %.3f, kernels %s\n",
                rows, rows, dim, data.c_str(), column.c_str(), side.c_str(), model.seconds, model.metric("recall"),
                model.metric("precision"), instructionSet());

    WhatIf whatIf(audit, 0, options, bytes);
    std::printf("| sweep | median ms | 90 %% ms | worst ms | whole sweep ms |\n|---|---|---|---|---|\n");
    const auto timed = [&](const char* what, const std::vector<std::size_t>& order, bool print) {
        std::vector<double> ms;
        for (const std::size_t step : order) {
            WhatIfResult result;
            ms.push_back(msOf([&] { result = whatIf.evaluate(masks[step]); }));
            if (print)
                std::printf("  kept %6zu  %8.2f ms  recall %.3f  coverage %.3f  re %.3f  held %.0f B\n",
                            result.keptCount, ms.back(), result.metric("recall"), result.metric("clipped_coverage"),
                            result.metric("re"), static_cast<double>(whatIf.bytes()) / static_cast<double>(2 * rows));
        }
        report(what, ms);
    };
    std::vector<std::size_t> order(steps);
    std::iota(order.begin(), order.end(), 0U);
    timed("downwards", order, verbose);
    std::reverse(order.begin(), order.end());
    timed("upwards", order, false);
    std::mt19937 random(3);
    std::shuffle(order.begin(), order.end(), random);
    timed("jumping", order, false);
    std::printf("held: %.0f bytes per sample\n", static_cast<double>(whatIf.bytes()) / static_cast<double>(2 * rows));
    return 0;
}
