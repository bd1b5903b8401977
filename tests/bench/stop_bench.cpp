// How long each kind of work goes on after a stop request. The contract is 100 ms; the tests only check that a stop
// request ends the work, so that they depend on no clock.
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/math/linear/centre.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/kernel_distance.h"
#include "engine/metrics/embedding/vendi.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace assay;
using namespace assay::bench;

namespace {

using Clock = std::chrono::steady_clock;
using Work = std::function<void(const JobContext&)>;

struct Settings {
    std::size_t rows = 20000;
    std::size_t dim = 128;
    int stops = 15;
    unsigned threads = 0;
    unsigned seed = 1;
};

struct Case {
    std::string name;
    Work work;
};

/// Requests a stop after this time. @return milliseconds from there to Cancelled; nothing where the work ended before
std::optional<double> stopAfter(std::chrono::duration<double> time, const Work& work) {
    std::stop_source source;
    Clock::time_point requested;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(time);
        requested = Clock::now();
        source.request_stop();
    });
    try {
        work(JobContext(source.get_token()));
        return std::nullopt;
    } catch (const Cancelled&) {
    }
    const Clock::time_point ended = Clock::now();
    stopper.join();
    return std::chrono::duration<double, std::milli>(ended - requested).count();
}

void measure(const Case& one, const Settings& settings) {
    const double whole = secondsOf([&] { one.work({}); });
    std::mt19937 random(settings.seed);
    std::vector<double> ms;
    for (int stop = 0; stop < settings.stops; ++stop) {
        const double share = static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
        if (const auto waited = stopAfter(std::chrono::duration<double>(share * whole), one.work))
            ms.push_back(*waited);
    }
    std::printf("| %s | %.2f | %zu |", one.name.c_str(), whole, ms.size());
    if (ms.empty())
        std::printf(" | |\n");
    else
        std::printf(" %.1f | %.1f |\n", median(ms), *std::max_element(ms.begin(), ms.end()));
    std::fflush(stdout);
}

/// What the cases read, made once.
struct Inputs {
    std::shared_ptr<const EmbeddingSet> real, synthetic;
    AuditOptions options; ///< the backend is Auto's choice
    std::shared_ptr<const AuditResult> audit;
    std::string file; ///< .npy, float32, in the page cache
};

Inputs inputsOf(const Settings& settings) {
    const Sets sets = makeSets(settings.rows, settings.dim, 0);
    Inputs inputs{asSet(sets.real, sets, "real"), asSet(sets.synthetic, sets, "synthetic"), {}, {}, {}};
    inputs.options.threads = settings.threads;
    AuditOptions tables = inputs.options;
    tables.tablesOnly = true;
    inputs.audit = runAudit({inputs.real, {{"synthetic", inputs.synthetic}}, tables, {}});
    inputs.file =
        (std::filesystem::temp_directory_path() / ("assay_stop_" + std::to_string(getpid()) + ".npy")).string();
    constexpr std::size_t kFileColumns = 1024;
    writeNpy(inputs.file, npyView<float>(sample(settings.rows, kFileColumns, 0, 3), {settings.rows, kFileColumns}));
    return inputs;
}

void addAudits(std::vector<Case>& cases, const Inputs& inputs) {
    for (const Backend& backend : backendTable())
        for (const bool quick : {false, true}) {
            AuditRequest request{inputs.real, {{"synthetic", inputs.synthetic}}, inputs.options, {}};
            request.options.backend = backend.choice;
            request.options.tablesOnly = quick;
            cases.push_back({(quick ? "quick audit, " : "audit, ") + std::string(backend.name),
                             [request](const JobContext& job) { runAudit(request, job); }});
        }
}

void addSetMetrics(std::vector<Case>& cases, const Inputs& inputs, const Settings& settings) {
    const MatrixView a = inputs.real->matrix();
    const MatrixView b = inputs.synthetic->matrix();
    const unsigned threads = settings.threads;
    cases.push_back({"Frechet distance", [=](const JobContext& job) {
                         frechetDistance(fitGaussian(a, threads, job), fitGaussian(b, threads, job), threads, job);
                     }});
    cases.push_back({"Vendi score", [=](const JobContext& job) {
                         const RowSummary summary = summarizeRows(a, threads, job);
                         vendiScore(similarities(a, summary, threads, job), a, summary, threads, job);
                     }});
    cases.push_back({"kernel distance", [=, subsets = kernelSubsets(a.rows, b.rows, 0)](const JobContext& job) {
                         kernelDistance(a, b, subsets, threads, job);
                     }});
    cases.push_back({"one-class training, 20 epochs", [=](const JobContext& job) {
                         OneClassOptions options;
                         options.epochs = 20;
                         trainOneClass(a, options, {0, threads, job});
                     }});
}

void addViews(std::vector<Case>& cases, const Inputs& inputs, const Settings& settings) {
    std::vector<std::array<float, 3>> start(settings.rows);
    for (std::size_t row = 0; row < settings.rows; ++row)
        std::copy_n(inputs.real->matrix().rowData(row), std::min<std::size_t>(3, settings.dim), start[row].begin());
    cases.push_back({"layout", [&inputs, start, threads = settings.threads](const JobContext& job) {
                         const NeighborGraph graph = neighborGraph(inputs.audit->real->neighbors, threads, job);
                         neighborLayout(graph, start, {0, 1, threads}, job);
                     }});
    const auto addCurve = [&](const char* name, const CurveRequest& request) {
        cases.push_back({name, [&inputs, request](const JobContext& job) {
                             withCurves(inputs.audit, request, inputs.options, job);
                         }});
    };
    addCurve("curve: bad fraction", {BadFractionRequest{}, false, {}});
    addCurve("curve: sample size", {{}, true, {}});
    addCurve("curve: discard by pce", {{}, false, {"pce"}});
    std::vector<bool> kept(settings.rows);
    for (std::size_t row = 0; row < kept.size(); row += 4)
        kept[row] = true;
    cases.push_back({"what-if: a change", [&inputs, kept](const JobContext& job) {
                         WhatIf(inputs.audit, 0, inputs.options, 0).evaluate(kept, job);
                     }});
}

void addReading(std::vector<Case>& cases, const Inputs& inputs) {
    cases.push_back({"reading a file, mapped",
                     [&inputs](const JobContext& job) { readEmbeddings(inputs.file, job, {.mapFrom = 0}); }});
    cases.push_back({"reading a file, copied", [&inputs](const JobContext& job) { readEmbeddings(inputs.file, job); }});
}

} // namespace

int main(int argc, char** argv) {
    Settings settings;
    bench::BenchOptions app("Time from a stop request to the end of the work");
    app.add("-n", settings.rows, "Rows of each set");
    app.add("-d", settings.dim, "Dimensions");
    app.add("--stops", settings.stops, "Stop requests per kind of work, at random moments");
    app.add("--threads", settings.threads, "Worker threads; 0 for every core");
    app.add("--seed", settings.seed, "Of the moments");
    if (!app.parse(argc, argv))
        return app.exitCode();

    const Inputs inputs = inputsOf(settings);
    std::vector<Case> cases;
    addAudits(cases, inputs);
    addSetMetrics(cases, inputs, settings);
    addViews(cases, inputs, settings);
    addReading(cases, inputs);
    std::printf("%zu + %zu x %zu, %d stop requests each, seed %u\n\n", settings.rows, settings.rows, settings.dim,
                settings.stops, settings.seed);
    std::printf("| work | whole s | stopped | median ms | maximum ms |\n|---|---|---|---|---|\n");
    for (const Case& one : cases)
        measure(one, settings);
    std::filesystem::remove(inputs.file);
    return 0;
}
