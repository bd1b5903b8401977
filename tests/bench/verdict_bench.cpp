// How far the verdicts on single samples can be believed: many small audits of sets drawn anew. First where nothing is
// wrong: how many samples each test flags at 1 %. Then with 30 % planted faults: how many of the rejected are wrongly
// rejected at a false discovery rate of 5 %, how many faults are found, and what the bad share is estimated at.
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/gpu/backends/backends.h"
#include "engine/math/statistics/conformal.h"
#include "engine/metrics/held_out/modes.h"
#include "engine/metrics/verdicts/real_splits.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

enum class Shape { Gaussian, Mixture, StudentT };
enum class Fault { None, FarNoise, Collapse, Copies };

constexpr std::array<const char*, 3> kShapes{"Gaussian", "mixture", "Student t, 3 degrees"};
constexpr std::array<const char*, 4> kFaults{"none", "far noise", "collapsed mode", "copies"};
constexpr double kFaultShare = 0.3;

struct Setting {
    Shape shape;
    std::size_t rows; ///< of both sets
    std::size_t dim;
    Fault fault;
};

class Source {
public:
    Source(Shape shape, std::size_t dim, unsigned seed) : shape_(shape), dim_(dim), random_(seed) {}

    void append(std::vector<float>& values) {
        const float scale = shape_ == Shape::StudentT ? std::sqrt(3.0F / chiSquared_(random_)) : 1.0F;
        const float centre = shape_ == Shape::Mixture ? 6.0F * static_cast<float>(mode_(random_)) : 0.0F;
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(scale * normal_(random_) + (c == 0 ? centre : 0.0F));
    }
    void appendNoise(std::vector<float>& values) {
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(10.0F * normal_(random_));
    }
    /// Around one point: a hundredth as wide as a Gaussian set.
    void appendCollapsed(std::vector<float>& values) {
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(0.5F + 0.01F * normal_(random_));
    }
    void appendCopy(const std::vector<float>& of, std::vector<float>& values) {
        const std::size_t row = std::uniform_int_distribution<std::size_t>(0, of.size() / dim_ - 1)(random_);
        for (std::size_t c = 0; c < dim_; ++c)
            values.push_back(of[row * dim_ + c] + 1e-3F * normal_(random_));
    }

private:
    Shape shape_;
    std::size_t dim_;
    std::mt19937 random_;
    std::normal_distribution<float> normal_;
    std::chi_squared_distribution<float> chiSquared_{3.0F};
    std::uniform_int_distribution<int> mode_{0, 4};
};

std::shared_ptr<const EmbeddingSet> asSet(std::vector<float> values, std::size_t dim) {
    EmbeddingParts parts;
    parts.rows = values.size() / dim;
    parts.values = std::move(values);
    parts.dim = dim;
    parts.name = "drawn";
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// What one audit says.
struct Outcome {
    std::array<double, 4> flagged{}; ///< at 1 %: unrealistic, over-represented, copy, missed
    double wrong = 0.0;              ///< share of the rejected that are good
    double found = 0.0;              ///< share of the faults that are rejected
    double missed = 0.0;             ///< share of real samples called missed
    double estimated = 0.0;
};

double shareAtMost(const std::vector<double>& p, double bound) {
    return static_cast<double>(std::count_if(p.begin(), p.end(), [bound](double value) { return value <= bound; })) /
           static_cast<double>(p.size());
}

Outcome audit(const Setting& setting, std::size_t k, unsigned seed) {
    Source source(setting.shape, setting.dim, seed);
    std::vector<float> realRows;
    for (std::size_t i = 0; i < setting.rows; ++i)
        source.append(realRows);
    std::vector<float> rows;
    const auto faults = setting.fault == Fault::None
                            ? std::size_t{0}
                            : static_cast<std::size_t>(kFaultShare * static_cast<double>(setting.rows));
    for (std::size_t i = 0; i < faults; ++i) {
        if (setting.fault == Fault::FarNoise)
            source.appendNoise(rows);
        else if (setting.fault == Fault::Collapse)
            source.appendCollapsed(rows);
        else
            source.appendCopy(realRows, rows);
    }
    for (std::size_t i = faults; i < setting.rows; ++i)
        source.append(rows);
    AuditOptions options;
    options.k = k;
    options.backend = setting.dim <= 16 ? BackendChoice::KdTree : BackendChoice::Gemm;
    options.threads = 1;
    options.tablesOnly = true;
    options.seed = seed;
    const auto realSet = asSet(std::move(realRows), setting.dim);
    const auto audit = runAudit({realSet, {{"s", asSet(std::move(rows), setting.dim)}}, options, {}});
    const auto& real = audit->real;
    const auto& model = audit->models[0];
    const MetricInputs in{*real, *model->tables, k};
    VerdictScores scores = judgeSynthetic(in, nullptr, 0.05);
    const auto search = makeNeighborSearch(options.backend, realSet->matrix(), 1, {});
    const CoverageVerdicts missed =
        judgeReal(in, splitCoverageRatios(*real, setting.rows, k, *search, {seed, 1}), 0.05);

    Outcome outcome;
    outcome.flagged = {shareAtMost(scores.pUnrealistic, 0.01), shareAtMost(scores.pOverRepresented, 0.01),
                       shareAtMost(scores.pCopy, 0.01), shareAtMost(missed.pUncovered, 0.01)};
    const auto rejected = [&](std::size_t from, std::size_t to) {
        return static_cast<double>(std::count_if(scores.verdict.begin() + static_cast<std::ptrdiff_t>(from),
                                                 scores.verdict.begin() + static_cast<std::ptrdiff_t>(to),
                                                 [](double verdict) { return verdict != 0.0; }));
    };
    const double right = rejected(0, faults);
    const double wrong = rejected(faults, setting.rows);
    outcome.wrong = wrong > 0.0 ? wrong / (wrong + right) : 0.0;
    outcome.found = faults > 0 ? right / static_cast<double>(faults) : 0.0;
    outcome.missed =
        1.0 - static_cast<double>(std::count(missed.coverageVerdict.begin(), missed.coverageVerdict.end(), 0.0)) /
                  static_cast<double>(setting.rows);
    outcome.estimated = shareNotUniform(scores.sidakP);
    return outcome;
}

void simulate(const Setting& setting, std::size_t audits, std::size_t k) {
    std::vector<Outcome> outcomes(audits);
    parallelFor(audits, 0, {},
                [&](std::size_t a, unsigned) { outcomes[a] = audit(setting, k, static_cast<unsigned>(a) + 1); });
    const auto percent = [&](const auto& of) {
        double sum = 0.0;
        for (const Outcome& outcome : outcomes)
            sum += of(outcome);
        return 100.0 * sum / static_cast<double>(audits);
    };
    std::printf("| %s | %zu | %zu | %s |", kShapes[static_cast<std::size_t>(setting.shape)], setting.dim, setting.rows,
                kFaults[static_cast<std::size_t>(setting.fault)]);
    for (std::size_t test = 0; test < 4; ++test)
        std::printf(" %.2f |", percent([&](const Outcome& outcome) { return outcome.flagged[test]; }));
    std::printf(" %.1f | %.1f | %.1f | %.1f |\n", percent([](const Outcome& o) { return o.wrong; }),
                percent([](const Outcome& o) { return o.found; }), percent([](const Outcome& o) { return o.missed; }),
                percent([](const Outcome& o) { return o.estimated; }));
    std::fflush(stdout);
}

/// What verdicts and modes take of an audit of N + N Gaussian rows, everything included.
void measure(std::size_t rows, std::size_t dim) {
    Source source(Shape::Gaussian, dim, 1);
    std::vector<float> values;
    for (std::size_t i = 0; i < 2 * rows; ++i)
        source.append(values);
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(rows * dim);
    const auto realSet = asSet({values.begin(), half}, dim);
    const auto modelSet = asSet({half, values.end()}, dim);
    for (int repeat = 0; repeat < 5; ++repeat) {
        std::shared_ptr<const AuditResult> audit;
        const double whole = bench::secondsOf([&] { audit = runAudit({realSet, {{"s", modelSet}}, {}, {}}); });
        const auto& real = audit->real;
        const auto& model = audit->models[0];
        const auto search = makeNeighborSearch(BackendChoice::Auto, realSet->matrix(), 0, {});
        VerdictScores scores;
        const MetricInputs in{*real, *model->tables, 5};
        const double synthetic = bench::secondsOf([&] { scores = judgeSynthetic(in, nullptr, 0.05); });
        const double missed = bench::secondsOf([&] {
            judgeReal(in, splitCoverageRatios(*real, rows, 5, *search, {0, 0}), 0.05);
        });
        RealModes modes;
        const double cut = bench::secondsOf([&] {
            modes = findModes(realSet->matrix(), 0, *search, 0, {});
            countModes(modes, modelSet->matrix(), *search, {});
        });
        std::printf("%zu x %zu x %zu: audit %.2f s, of it synthetic side %.3f, real side %.3f, modes %.3f: %.1f %%\n",
                    rows, rows, dim, whole, synthetic, missed, cut, 100.0 * (synthetic + missed + cut) / whole);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::size_t audits = 200;
    std::size_t k = 5;
    std::vector<std::size_t> rows{500, 5000};
    std::vector<std::size_t> dims{2, 16, 128};
    bool nullOnly = false;
    std::vector<std::size_t> cost;
    bench::BenchOptions app("Calibration and power of the verdicts over many simulated audits");
    app.add("--audits", audits);
    app.add("-k", k);
    app.add("--rows", rows);
    app.add("--dims", dims);
    app.add("--null", nullOnly, "Only sets without faults");
    app.add("--cost", cost, "Measure instead what verdicts take of an audit: rows and dimensions");
    if (!app.parse(argc, argv))
        return app.exitCode();
    if (cost.size() == 2) {
        measure(cost[0], cost[1]);
        return 0;
    }
    std::printf("Percent, means over %zu audits; flagged at 1 %%, the rest at a false discovery rate of 5 %%\n"
                "| data | d | N = M | faults | unrealistic | over-represented | copy | real: missed | wrong of the "
                "rejected | faults found | real samples missed | estimated bad |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
                audits);
    for (const Fault fault : {Fault::None, Fault::FarNoise, Fault::Collapse, Fault::Copies})
        for (const Shape shape : {Shape::Gaussian, Shape::Mixture, Shape::StudentT})
            for (const std::size_t dim : dims)
                for (const std::size_t n : rows)
                    if (fault == Fault::None || !nullOnly)
                        simulate({shape, n, dim, fault}, audits, k);
    return 0;
}
