// The curves: what the papers say of them, at the papers' sizes, and what they cost. docs/curves.md holds the tables.
#include "engine/audit/run/audit.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/metrics/balls/k_sensitivity.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/subsets/curves/requested_curves.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::bench;

namespace {

std::shared_ptr<const EmbeddingSet> setOf(std::vector<float> values, std::size_t dim) {
    EmbeddingParts parts;
    parts.rows = values.size() / dim;
    parts.dim = dim;
    parts.values = FloatStorage(std::move(values));
    parts.name = "set";
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::vector<float> gaussian(std::size_t rows, std::size_t dim, unsigned seed, double mean = 0.0, double sigma = 1.0) {
    std::vector<float> values = sample(rows, dim, 0, seed);
    for (float& value : values)
        value = static_cast<float>(mean + sigma * static_cast<double>(value));
    return values;
}

std::shared_ptr<const ModelAudit> scores(const std::vector<float>& real, const std::vector<float>& synthetic,
                                         std::size_t dim) {
    AuditOptions options;
    options.tablesOnly = true;
    return runAudit({setOf(real, dim), {{"model", setOf(synthetic, dim)}}, options, {}})->models.front();
}

const CurveLine& lineOf(const CurveValues& curve, const char* name) {
    return *std::find_if(curve.lines.begin(), curve.lines.end(),
                         [name](const CurveLine& line) { return line.name == name; });
}

void badFraction(std::size_t rows, std::size_t dim) {
    const auto real = setOf(gaussian(rows, dim, 1), dim);
    const auto good = setOf(gaussian(rows, dim, 2), dim);
    const CurveValues raw = badFractionCurves(real, {good, {}}, {}).raw;
    const std::vector<const char*> metrics{
        "clipped_density", "clipped_coverage", "density",      "coverage", "precision",
        "recall",          "sym_precision",    "authenticity", "pce",      "rce"};
    std::printf("\nBad fraction, N = M = %zu, d = %zu, far noise\n\n| x | 1 - x |", rows, dim);
    for (const char* metric : metrics)
        std::printf(" %s |", metric);
    std::printf("\n|---|---|");
    for (std::size_t m = 0; m < metrics.size(); ++m)
        std::printf("---|");
    double worst[2] = {0.0, 0.0};
    for (std::size_t step = 0; step < raw.x.size(); ++step) {
        std::printf("\n| %.1f | %.1f |", raw.x[step], 1.0 - raw.x[step]);
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            const double value = lineOf(raw, metrics[m]).y[step];
            std::printf(" %.3f |", value);
            if (m < 2)
                worst[m] = std::max(worst[m], std::abs(value - (1.0 - raw.x[step])));
        }
    }
    std::printf("\n\nLargest difference from 1 - x: clipped density %.4f, clipped coverage %.4f\n", worst[0], worst[1]);
}

void matchedOutliers(std::size_t rows, std::size_t dim) {
    std::printf(
        "\nMatched outliers, N = M = %zu, d = %zu: so many of either set are Gaussian with ten times the "
        "deviation\n\n| outliers | clipped density | clipped coverage | density | coverage | precision | recall "
        "|\n|---|---|---|---|---|---|---|\n",
        rows, dim);
    for (const double share : {0.0, 0.01, 0.05, 0.1, 0.2}) {
        std::vector<float> real = gaussian(rows, dim, 3);
        std::vector<float> synthetic = gaussian(rows, dim, 4);
        const auto outliers = static_cast<std::size_t>(share * static_cast<double>(rows));
        for (std::size_t i = 0; i < outliers * dim; ++i) {
            real[i] *= 10.0F;
            synthetic[i] *= 10.0F;
        }
        const auto audit = scores(real, synthetic, dim);
        std::printf("| %.0f %% | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", 100.0 * share,
                    audit->metric("clipped_density"), audit->metric("clipped_coverage"), audit->metric("density"),
                    audit->metric("coverage"), audit->metric("precision"), audit->metric("recall"));
    }
}

void translation(std::size_t rows, std::size_t dim) {
    std::printf("\nTranslation by mu in every coordinate, N = M = %zu, d = %zu\n\n| abs(mu) | clipped density, -mu | "
                "+mu | clipped coverage, -mu | +mu |\n|---|---|---|---|---|\n",
                rows, dim);
    const std::vector<float> real = gaussian(rows, dim, 5);
    for (const double mu : {0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0}) {
        const auto below = scores(real, gaussian(rows, dim, 6, -mu), dim);
        const auto above = scores(real, gaussian(rows, dim, 6, mu), dim);
        std::printf("| %.2f | %.4f | %.4f | %.4f | %.4f |\n", mu, below->metric("clipped_density"),
                    above->metric("clipped_density"), below->metric("clipped_coverage"),
                    above->metric("clipped_coverage"));
    }
}

/// Cross-entropy of centred Gaussians of variance v under one of variance w.
double closedForm(std::size_t dim, double v, double w) {
    return static_cast<double>(dim) / 2.0 * (std::log(2.0 * std::numbers::pi * w) + v / w);
}

void entropies(const std::vector<std::size_t>& sizes) {
    constexpr std::size_t kDim = 10;
    std::printf("\nEntropies of Gaussians, d = %zu, in nats: H(R) added again, as the closed forms have it\n\n"
                "| variance, real | synthetic | N = M | PCE | closed | off | RCE | closed | off | RE | closed | off |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
                kDim);
    const std::pair<double, double> pairs[] = {{0.25, 0.25}, {1.0, 1.0}, {2.5, 2.5}, {1.0, 0.25}, {1.0, 2.5}};
    for (const auto& [variance, other] : pairs)
        for (const std::size_t rows : sizes) {
            const auto audit = scores(gaussian(rows, kDim, 7, 0.0, std::sqrt(variance)),
                                      gaussian(rows, kDim, 8, 0.0, std::sqrt(other)), kDim);
            const double entropy = audit->metric("real_entropy");
            std::printf("| %.2f | %.2f | %zu |", variance, other, rows);
            const std::pair<const char*, double> forms[] = {{"pce", closedForm(kDim, other, variance)},
                                                            {"rce", closedForm(kDim, variance, other)},
                                                            {"re", closedForm(kDim, other, other)}};
            for (const auto& [metric, closed] : forms) {
                const double found = audit->metric(metric) + entropy;
                std::printf(" %.3f | %.3f | %.1f %% |", found, closed, 100.0 * (found / closed - 1.0));
            }
            std::printf("\n");
        }
}

void creepingDensity(const std::vector<std::size_t>& sizes) {
    std::printf("\nN((2, 2), I) against N((0, 0), I)\n\n| N = M | density | coverage | clipped density | clipped "
                "coverage | pce |\n|---|---|---|---|---|---|\n");
    for (const std::size_t rows : sizes) {
        const auto audit = scores(gaussian(rows, 2, 9), gaussian(rows, 2, 10, 2.0), 2);
        std::printf("| %zu | %.4f | %.4f | %.4f | %.4f | %.4f |\n", rows, audit->metric("density"),
                    audit->metric("coverage"), audit->metric("clipped_density"), audit->metric("clipped_coverage"),
                    audit->metric("pce"));
    }
}

void costs(std::size_t rows, std::size_t dim) {
    std::printf(
        "\nCost, N = M = %zu, d = %zu, seconds\n\n| synthetic set | passes and tables | k sensitivity | "
        "calibration | diagnostics | bad fraction | sample size | discard |\n|---|---|---|---|---|---|---|---|\n",
        rows, dim);
    struct Kind {
        const char* name;
        std::vector<float> values;
    };
    const Kind kinds[] = {{"same distribution", gaussian(rows, dim, 12)},
                          {"deviation 0.5: real balls hold most", gaussian(rows, dim, 12, 0.0, 0.5)},
                          {"deviation 2: synthetic balls hold most", gaussian(rows, dim, 12, 0.0, 2.0)}};
    const auto real = setOf(gaussian(rows, dim, 11), dim);
    for (const Kind& kind : kinds) {
        const auto synthetic = setOf(kind.values, dim);
        AuditOptions options;
        options.tablesOnly = true;
        std::shared_ptr<const AuditResult> audit;
        const double passes = secondsOf([&] { audit = runAudit({real, {{"model", synthetic}}, options, {}}); });
        const ModelAudit& model = *audit->models.front();
        MetricInputs inputs{*audit->real, *model.tables, audit->k};
        inputs.results.put(SyntheticRows{synthetic->matrix()});
        const double sensitivity = secondsOf([&] { metrics::kSensitivity(inputs); });
        const double calibration = secondsOf([&] { metrics::coverageCalibration(inputs); });
        const double diagnostics = secondsOf([&] { diagnose(*audit->real, *model.tables, audit->k); });
        const auto demanded = [&](const CurveRequest& request) {
            return secondsOf([&] { withCurves(audit, request, {}); });
        };
        const double bad = demanded({BadFractionRequest{}, false, {}});
        const double size = demanded({{}, true, {}});
        const double discard = demanded({{}, false, {"pce"}});
        std::printf("| %s | %.3f | %.3f | %.4f | %.4f | %.3f | %.3f | %.3f |\n", kind.name, passes, sensitivity,
                    calibration, diagnostics, bad, size, discard);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> tables{"bad", "outliers", "translation", "entropies", "density", "costs"};
    std::size_t rows = 10000;
    std::size_t dim = 32;
    bench::BenchOptions app("The curves at the papers' sizes, and their cost");
    app.add("tables", tables, "Which: bad, outliers, translation, entropies, density, costs");
    app.add("-n", rows, "Rows of each set");
    app.add("-d", dim, "Dimensions");
    if (!app.parse(argc, argv))
        return app.exitCode();
    const std::map<std::string, std::function<void()>> makers{
        {"bad", [&] { badFraction(rows, dim); }},
        {"outliers", [&] { matchedOutliers(rows, dim); }},
        {"translation", [&] { translation(rows, dim); }},
        {"entropies",
         [&] {
             entropies({1000, 10000, 100000});
         }},
        {"density",
         [&] {
             creepingDensity({100, 300, 1000, 3000, 10000, 30000, 100000});
         }},
        {"costs", [&] { costs(rows, dim); }},
    };
    for (const std::string& table : tables)
        if (const auto maker = makers.find(table); maker != makers.end())
            maker->second();
    return 0;
}
