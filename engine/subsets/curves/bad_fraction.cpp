#include "engine/subsets/curves/bad_fraction.h"

#include "engine/base/find_by.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/values.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/what_if/what_if.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace assay {
namespace {

using namespace curves;

constexpr std::size_t kMixtureSteps = 10;
/// Standard deviations of the noise, as a multiple of those of the real set's features.
constexpr double kNoiseScale = 10.0;

/// Draws Gaussian rows. Each row has its own random stream, so the result does not depend on the number of threads.
std::vector<float> farNoise(const EmbeddingSet& real, std::size_t rows, std::uint64_t seed, unsigned threads,
                            const JobContext& job) {
    const ColumnMoments spread = columnMoments(real.matrix(), threads, job.part({}, 0.0, 0.0));
    const std::size_t dim = real.dim();
    const std::uint64_t noiseSeed = seedFor(seed, Draw::Noise);
    std::vector<float> values(rows * dim);
    parallelFor(rows, threads, job, [&](std::size_t row, unsigned) {
        auto random = Random::forItem(noiseSeed, row);
        for (std::size_t d = 0; d < dim; d += 2) {
            // Box and Muller: two normal numbers from two even ones. 1 - u is never zero.
            const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
            const double angle = 2.0 * std::numbers::pi * random.uniform();
            const double normal[] = {radius * std::cos(angle), radius * std::sin(angle)};
            for (std::size_t i = 0; i < 2 && d + i < dim; ++i) {
                constexpr double kMost = std::numeric_limits<float>::max();
                const double value = spread.mean[d + i] + kNoiseScale * spread.deviation[d + i] * normal[i];
                values[row * dim + d + i] = static_cast<float>(std::clamp(value, -kMost, kMost));
            }
        }
    });
    return values;
}

void append(std::vector<float>& values, const EmbeddingSet& set, std::span<const std::uint32_t> rows) {
    const std::vector<float> some = gatherRows(set.matrix(), rows);
    values.insert(values.end(), some.begin(), some.end());
}

std::string noteOf(const BadFractionRequest& request, const BadFractionSets& sets, std::uint64_t seed) {
    const std::string rows = std::to_string(sets.size);
    return rows +
           (request.good ? " good samples of " + request.good->name()
                         : " good samples of the real set, kept out of the reference") +
           ", replaced by " +
           (request.bad ? "samples of " + request.bad->name()
                        : "Gaussian noise about the real mean, ten times each feature's standard deviation") +
           "; reference of " + std::to_string(sets.reference->rows()) + " real samples; seed " + std::to_string(seed);
}

} // namespace

std::vector<bool> BadFractionSets::kept(std::size_t badCount) const {
    std::vector<bool> rows(2 * size, false);
    std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(badCount), size, true);
    return rows;
}

BadFractionSets badFractionSets(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                std::uint64_t seed, unsigned threads, const JobContext& job) {
    for (const auto& given : {request.good, request.bad})
        if (given)
            requireComparable(*real, *given);
    BadFractionSets sets;
    std::vector<std::uint32_t> good;
    if (request.good) {
        sets.reference = real;
        good = shuffledRows(request.good->rows(), seed, Draw::Good);
    } else {
        std::vector<std::uint32_t> rows = shuffledRows(real->rows(), seed, Draw::HeldOutHalf);
        const auto half = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
        good.assign(rows.begin(), half);
        std::sort(half, rows.end());
        sets.reference = rowsOf(*real, {half, rows.end()}, "half of " + real->name(), job.part({}, 0.0, 0.2));
    }
    sets.size = std::min(good.size(), request.bad ? request.bad->rows() : good.size());
    std::vector<float> values;
    values.reserve(2 * sets.size * real->dim());
    append(values, request.good ? *request.good : *real, std::span(good).first(sets.size));
    if (request.bad) {
        const auto bad = shuffledRows(request.bad->rows(), seed, Draw::Bad);
        append(values, *request.bad, std::span(bad).first(sets.size));
    } else {
        const std::vector<float> noise = farNoise(*real, sets.size, seed, threads, job.part({}, 0.2, 0.8));
        values.insert(values.end(), noise.begin(), noise.end());
    }
    sets.pool = std::make_shared<const EmbeddingSet>(
        EmbeddingParts::of(std::move(values), real->dim(), "good and bad samples"), job.part({}, 0.8, 1.0), threads);
    sets.note = noteOf(request, sets, seed);
    return sets;
}

namespace {

/// Number of bad samples of a point, rounded to the nearest integer.
std::size_t badCount(std::size_t step, std::size_t size) {
    return (step * size + kMixtureSteps / 2) / kMixtureSteps;
}

/// Every line relative to its first value: a ratio, or a difference for nats, which have no natural zero.
CurveValues relativeTo(const CurveValues& raw) {
    CurveValues relative = raw;
    relative.id = "bad_fraction_relative";
    for (CurveLine& line : relative.lines) {
        const double first = line.y.front();
        for (double& y : line.y)
            y = relativeToFirst(*findMetric(line.name), y, first);
    }
    return relative;
}

/// Three lines over the share of good samples: mean coverage as measured, the mean coverage that the calibration
/// expects for this number of good samples, and clipped coverage.
CurveValues coverageOf(const CurveValues& raw, const BadFractionSets& sets, std::size_t k) {
    const std::vector<double>& mean = findBy(raw.lines, &CurveLine::name, "clipped_coverage_unnormalized")->y;
    const std::vector<double>& calibrated = findBy(raw.lines, &CurveLine::name, "clipped_coverage")->y;
    std::vector<std::size_t> draws;
    for (std::size_t step = 0; step <= kMixtureSteps; ++step)
        draws.push_back(sets.size - badCount(kMixtureSteps - step, sets.size));
    std::vector<double> expected = metrics::mapped(metrics::coverageShortfallAt(draws, sets.reference->rows(), k),
                                                   [](double shortfall) { return 1.0 - shortfall; });
    return {"bad_fraction_coverage",
            raw.x,
            {{"measured", {mean.rbegin(), mean.rend()}},
             {"expected", std::move(expected)},
             {"clipped_coverage", {calibrated.rbegin(), calibrated.rend()}}}};
}

} // namespace

BadFractionCurves badFractionCurves(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                    const AuditOptions& options, const JobContext& job) {
    const BadFractionSets sets = badFractionSets(real, request, options.seed, options.threads,
                                                 job.part("Curve of the bad fraction: preparing samples", 0.0, 0.1));
    const AuditOptions same = tablesOnly(options);
    const auto audit = runAudit({sets.reference, {{"pool", sets.pool}}, same, {}},
                                job.phase("Curve of the bad fraction: finding neighbours", 0.1, 0.6));
    BadFractionCurves curves;
    curves.note = sets.note;
    curves.size = sets.size;
    curves.raw.id = "bad_fraction";
    const std::vector<const Metric*> metrics = drawnMetrics(SubsetScores::Samples);
    for (const Metric* metric : metrics)
        curves.raw.lines.push_back({std::string(metric->id), {}});
    WhatIf whatIf(audit, 0, same, WhatIf::kBytesPerSample, SubsetScores::Samples);
    const JobContext scoring = job.part("Curve of the bad fraction: scoring mixtures", 0.6, 1.0);
    for (std::size_t step = 0; step <= kMixtureSteps; ++step) {
        const WhatIfResult result =
            whatIf.evaluate(sets.kept(badCount(step, sets.size)), scoring.step(step, kMixtureSteps + 1));
        curves.raw.x.push_back(static_cast<double>(step) / kMixtureSteps);
        for (std::size_t m = 0; m < metrics.size(); ++m)
            curves.raw.lines[m].y.push_back(result.metric(metrics[m]->id));
    }
    curves.relative = relativeTo(curves.raw);
    curves.coverage = coverageOf(curves.raw, sets, options.k);
    return curves;
}

double equivalentBadFraction(const CurveValues& raw, std::string_view metric, double score) {
    const CurveLine* line = findBy(raw.lines, &CurveLine::name, metric);
    if (line == nullptr || line->y.empty() || std::isnan(score))
        return kNaN;
    const std::vector<double>& y = line->y;
    if (std::any_of(y.begin(), y.end(), [](double value) { return !std::isfinite(value); }) || y.front() == y.back())
        return kNaN;
    const double sign = y.back() > y.front() ? 1.0 : -1.0;
    if (sign * (score - y.front()) <= 0.0)
        return raw.x.front();
    for (std::size_t i = 1; i < y.size(); ++i)
        if (sign * (y[i] - score) >= 0.0) // the first to reach it: the one before did not
            return raw.x[i - 1] + (raw.x[i] - raw.x[i - 1]) * (score - y[i - 1]) / (y[i] - y[i - 1]);
    return raw.x.back();
}

bool isBeyondEnds(const CurveValues& raw, std::string_view metric, double score) {
    const double share = equivalentBadFraction(raw, metric, score);
    if (std::isnan(share) || (share != raw.x.front() && share != raw.x.back()))
        return false;
    const std::vector<double>& y = findBy(raw.lines, &CurveLine::name, metric)->y;
    const auto [low, high] = std::minmax({y.front(), y.back()});
    return score < low || score > high;
}

double relativeToFirst(const Metric& metric, double value, double first) {
    return metric.unit == Unit::Nats ? value - first : value / first;
}

} // namespace assay
