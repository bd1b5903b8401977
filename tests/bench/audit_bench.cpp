// The audit beside the bare matrix product with the same number of multiplications: N^2 d / 2 for each set with itself
// and N M d for the pair, at N = M; once with every metric that the neighbour passes tell, once with as many neighbours
// kept as the whole catalogue looks at, once with the whole catalogue, which reads the embeddings again; the curve over
// k and the intervals, which every audit finds as well, are timed again by themselves and taken off once. Every
// measurement runs in a process of its own, so that its peak memory is its own; product and audit take turns, and
// medians are compared. With --stages instead: what each stage of one audit takes, beside what was expected of it.
#include "engine/audit/result/intervals.h"
#include "engine/audit/run/audit.h"
#include "engine/audit/run/stages.h"
#include "engine/gpu/backends/backends.h"
#include "engine/math/products/kernels.h"
#include "engine/metrics/balls/k_sensitivity.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::bench;

namespace {

/// What an audit finds beside metrics and per-sample scores.
double secondsOfCurveAndIntervals(const AuditResult& result) {
    const ModelAudit& model = *result.models.front();
    MetricInputs inputs{*result.real, *model.tables, result.k};
    inputs.results.put(SyntheticRows{model.set->matrix()});
    return secondsOf([&] {
        metrics::kSensitivity(inputs);
        resampleMetrics(inputs, model);
    });
}

/// A field of this process's status, in MB.
double statusMegabytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == field) {
            double kilobytes = 0.0;
            status >> kilobytes;
            return kilobytes / 1024.0;
        }
    return 0.0;
}

/// From now on the peak is counted anew.
void forgetPeak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

struct Estimate {
    double cost = 0.0;
    double megabytes = 0.0;
};

template <typename State>
bool estimate(std::span<const Stage<State>> stages, std::string_view id, const AuditShape& shape, Estimate& found) {
    for (const Stage<State>& stage : stages) {
        if (stage.id != id)
            continue;
        const StageMemory memory = stage.memory != nullptr ? stage.memory(shape) : StageMemory{};
        found = {stage.cost(shape), static_cast<double>(memory.kept + memory.working) / 1048576.0};
        return true;
    }
    return false;
}

/// Seconds and memory of every stage of one audit. Memory is the peak while it ran, less what there was before it.
void measureStages(const AuditRequest& asked) {
    AuditRequest request = asked;
    struct Row {
        std::string id, set;
        double seconds, megabytes;
        Estimate expected;
    };
    std::vector<Row> rows;
    const AuditShape shape = shapeOf(request, *request.models[0].set, request.options);
    auto last = std::chrono::steady_clock::now();
    double before = statusMegabytes("VmRSS:");
    forgetPeak();
    request.stageDone = [&](std::string_view stage, std::string_view set) {
        const auto now = std::chrono::steady_clock::now();
        Estimate expected;
        if (!estimate(stagesOf<RealState>(), stage, shape, expected))
            estimate(stagesOf<ModelState>(), stage, shape, expected);
        rows.push_back({std::string(stage), std::string(set), std::chrono::duration<double>(now - last).count(),
                        statusMegabytes("VmHWM:") - before, expected});
        before = statusMegabytes("VmRSS:");
        forgetPeak();
        last = std::chrono::steady_clock::now();
    };
    runAudit(request);
    double seconds = 0.0;
    double cost = 0.0;
    for (const Row& row : rows) {
        seconds += row.seconds;
        cost += row.expected.cost;
    }
    std::printf(
        "| stage | of | s | share | share expected | peak MB | MB expected at most |\n|---|---|---|---|---|---|---|\n");
    for (const Row& row : rows)
        std::printf("| %s | %s | %.3f | %.1f %% | %.1f %% | %.0f | %.0f |\n", row.id.c_str(), row.set.c_str(),
                    row.seconds, 100.0 * row.seconds / seconds, 100.0 * row.expected.cost / cost, row.megabytes,
                    row.expected.megabytes);
    std::printf("| together | | %.3f | | | | |\n", seconds);
}

} // namespace

int main(int argc, char** argv) {
    Sets sets{{}, {}, 10000, 1024};
    std::size_t latent = 0;
    int repeats = 5;
    std::string backend = "gemm";
    bool stages = false;
    std::size_t shift = 0;
    bench::BenchOptions app("Whole audit against the bare matrix product of the same number of multiplications");
    app.add("-n", sets.rows, "Rows of each set");
    app.add("-d", sets.dim, "Dimensions");
    app.add("--latent", latent, "Latent dimensions of the data; 0 for independent coordinates");
    app.add("--repeats", repeats);
    app.add("--backend", backend, "auto, gemm, kdtree or nanoflann");
    app.add("--shift", shift, "Added to the values of the synthetic set: from 1 on, all its samples are in findings");
    app.add("--stages", stages, "Seconds and memory of every stage of one audit");
    if (!app.parse(argc, argv))
        return app.exitCode();

    AuditOptions options;
    for (const Backend& row : backendTable())
        if (row.name == backend)
            options.backend = row.choice;
    sets = makeSets(sets.rows, sets.dim, latent);
    for (float& value : sets.synthetic)
        value += static_cast<float>(shift);
    const double inputs = 2.0 * static_cast<double>(sets.rows * sets.dim) * sizeof(float) / 1048576.0;

    if (stages) {
        measureStages(
            {asSet(sets.real, sets, "real"), {{"synthetic", asSet(sets.synthetic, sets, "synthetic")}}, options, {}});
        return 0;
    }
    AuditOptions passes = options;
    passes.tablesOnly = true;
    AuditOptions shallow = passes;
    shallow.storedNeighbors = 0;
    std::vector<double> products, quick, deep, audits, beside, memory;
    std::string used;
    for (int r = 0; r < repeats; ++r) {
        products.push_back(inChild([&] { return productSeconds(sets); }).seconds);
        const auto request = [&](const AuditOptions& how) {
            return AuditRequest{
                asSet(sets.real, sets, "real"), {{"synthetic", asSet(sets.synthetic, sets, "synthetic")}}, how, {}};
        };
        const auto audited = [&](const AuditOptions& how) {
            return inChild([&] {
                const AuditRequest asked = request(how);
                return secondsOf([&] { runAudit(asked); });
            });
        };
        quick.push_back(audited(shallow).seconds);
        deep.push_back(audited(passes).seconds);
        const Measurement audit = audited(options);
        audits.push_back(audit.seconds);
        beside.push_back(inChild([&] { return secondsOfCurveAndIntervals(*runAudit(request(options))); }).seconds);
        // The child inherits the generated sets and copies them into EmbeddingSets: one of the two copies is the
        // inputs.
        memory.push_back(audit.peakMegabytes - 2.0 * inputs);
    }
    std::printf(
        "| rows | dimensions | latent | backend | kernels | bare product s | quick audit s | ratio "
        "| passes with %zu kept s | ratio | whole catalogue s | beside its passes | without curve and intervals "
        "| memory beyond inputs MB |\n",
        passes.storedNeighbors);
    std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    const double product = median(products);
    std::printf("| %zu | %zu | %zu | %s | %s | %.3f | %.3f | %.2f | %.3f | %.2f | %.3f | %.2f | %.2f | %.0f |\n",
                sets.rows, sets.dim, latent, backend.c_str(), instructionSet(), product, median(quick),
                median(quick) / product, median(deep), median(deep) / product, median(audits),
                median(audits) / median(deep), (median(audits) - median(beside)) / median(deep), median(memory));
    return 0;
}
