// How often the 95 % intervals hold what they are to hold: many small audits of sets drawn anew, and for every metric
// the share of intervals that contain its long-run mean, which is its mean over all of these audits; beside it how wide
// they are, and how wide an interval would be that knew how the metric scatters. For models without faults, and for
// comparisons, see tests/truth/interval_rates.py. `--seconds N` measures instead what intervals cost in an audit of N +
// N rows.
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "tests/bench/bench_options.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// What both sets are drawn from: the real one from the standard normal distribution.
struct Setting {
    const char* name;
    std::size_t real, synthetic, dim;
    float shift;    ///< of the synthetic mean, along the first axis
    float width;    ///< standard deviation of the synthetic samples
    float badShare; ///< of synthetic samples that are ten times as far out
};

constexpr Setting kSettings[]{
    {"ideal, d = 4", 200, 200, 4, 0.0F, 1.0F, 0.0F},        {"ideal, d = 16", 200, 200, 16, 0.0F, 1.0F, 0.0F},
    {"30 % bad, d = 4", 200, 200, 4, 0.0F, 1.0F, 0.3F},     {"30 % bad, d = 16", 200, 200, 16, 0.0F, 1.0F, 0.3F},
    {"shifted by 1, d = 4", 200, 200, 4, 1.0F, 1.0F, 0.0F}, {"shifted by 2, d = 2", 200, 200, 2, 2.0F, 1.0F, 0.0F},
    {"narrow, d = 4", 200, 200, 4, 0.0F, 0.7F, 0.0F},       {"wide, d = 8", 200, 200, 8, 0.0F, 1.3F, 0.0F},
    {"30 % bad, 400 real", 400, 100, 8, 0.0F, 1.0F, 0.3F},  {"30 % bad, 400 synthetic", 100, 400, 8, 0.0F, 1.0F, 0.3F},
};

std::shared_ptr<const EmbeddingSet> drawn(std::size_t rows, std::size_t dim, std::mt19937& random, float shift,
                                          float width, float badShare) {
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> even;
    std::vector<float> values(rows * dim);
    for (std::size_t row = 0; row < rows; ++row) {
        const float scale = even(random) < badShare ? 10.0F : width;
        for (std::size_t c = 0; c < dim; ++c)
            values[row * dim + c] = scale * normal(random) + (c == 0 ? shift : 0.0F);
    }
    EmbeddingParts parts;
    parts.values = std::move(values);
    parts.rows = rows;
    parts.dim = dim;
    parts.name = "drawn";
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

enum class RealSets { Drawn, Fixed };

void simulate(const Setting& setting, std::size_t audits, RealSets realSets, const std::vector<std::string>& wanted) {
    std::vector<std::shared_ptr<const ModelAudit>> done(audits);
    parallelFor(audits, 0, {}, [&](std::size_t a, unsigned) {
        std::mt19937 random(static_cast<unsigned>(a) + 1);
        AuditOptions options;
        options.backend = BackendChoice::KdTree;
        options.threads = 1;
        options.seed = a;
        std::mt19937 fixed(0);
        const auto real =
            drawn(setting.real, setting.dim, realSets == RealSets::Fixed ? fixed : random, 0.0F, 1.0F, 0.0F);
        const auto synthetic =
            drawn(setting.synthetic, setting.dim, random, setting.shift, setting.width, setting.badShare);
        done[a] = runAudit({real, {{"s", synthetic}}, options, {}})->models[0];
    });
    for (const MetricInterval& row : done[0]->intervals) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.id) == wanted.end())
            continue;
        double sum = 0.0;
        double squares = 0.0;
        for (const auto& audit : done) {
            sum += audit->metric(row.id);
            squares += audit->metric(row.id) * audit->metric(row.id);
        }
        const auto n = static_cast<double>(audits);
        const double mean = sum / n;
        const double deviation = std::sqrt(std::max(0.0, squares / n - mean * mean));
        std::size_t held = 0;
        double width = 0.0;
        for (const auto& audit : done) {
            const MetricInterval& interval = *audit->interval(row.id);
            held += interval.low <= mean && mean <= interval.high ? 1 : 0;
            width += (interval.high - interval.low) / n;
        }
        std::printf("| %s | %s | %.4f | %.4f | %.4f | %.1f %% |\n", setting.name, std::string(row.id).c_str(), mean,
                    3.92 * deviation, width, 100.0 * static_cast<double>(held) / n);
    }
    std::fflush(stdout);
}

void measure(std::size_t rows) {
    std::mt19937 random(1);
    const auto real = drawn(rows, 16, random, 0.0F, 1.0F, 0.0F);
    const auto synthetic = drawn(rows, 16, random, 0.0F, 1.0F, 0.1F);
    AuditOptions options;
    const auto audit = runAudit({real, {{"s", synthetic}}, options, {}});
    const auto& model = audit->models[0];
    MetricInputs inputs{*audit->real, *model->tables, options.k};
    inputs.results.putReference(*model->tables);
    inputs.threads = options.threads;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        const auto intervals = resampleMetrics(inputs, *model).intervals;
        std::printf("intervals of %zu metrics at %zu + %zu rows: %.3f s\n", intervals.size(), rows, rows,
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::size_t audits = 1000;
    std::size_t seconds = 0;
    std::vector<std::string> metrics{"clipped_density", "clipped_coverage"};
    int only = -1;
    bool fixedReal = false;
    bench::BenchOptions app("Coverage of the 95 % intervals over many simulated audits");
    app.add("--audits", audits);
    app.add("--metric", metrics, "Which metrics; 'all' for every one");
    app.add("--setting", only, "Number of the one setting to run, from 0");
    app.add("--fixed-real", fixedReal, "Draw the synthetic sets anew, the real set once");
    app.add("--seconds", seconds, "Measure the cost at this many rows instead");
    if (!app.parse(argc, argv))
        return app.exitCode();
    if (seconds > 0) {
        measure(seconds);
        return 0;
    }
    if (metrics == std::vector<std::string>{"all"})
        metrics.clear();
    std::printf("| setting | metric | long-run mean | 3.92 standard deviations | mean width | holds the mean |\n"
                "|---|---|---|---|---|---|\n");
    for (int s = 0; s < static_cast<int>(std::size(kSettings)); ++s)
        if (only < 0 || only == s)
            simulate(kSettings[s], audits, fixedReal ? RealSets::Fixed : RealSets::Drawn, metrics);
    return 0;
}
