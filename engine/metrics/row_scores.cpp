#include "engine/metrics/row_scores.h"

#include "engine/audit/audit_result.h"
#include "engine/job/parallel.h"
#include "engine/metrics/vendi.h"
#include "engine/stats/symmetric_eigenvalues.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace assay {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool hasEigenvalues(MatrixView set) {
    return std::min(set.rows, set.dim) <= kMostEigenvalues;
}

TopOptions topOptions(std::uint64_t seed) {
    TopOptions options;
    options.seed = seed;
    return options;
}

/// The two problems share the cores: one alone would leave all but one idle.
void scoreSpectra(const RealRows& analysis, MatrixView synthetic, unsigned threads, const JobContext& job,
                  RowScores& scores) {
    const GaussianFit fit = fitGaussian(synthetic, threads, job.part({}, 0.0, 0.4));
    std::array<DoubleMatrix, 2> matrices{};
    if (analysis.fit)
        matrices[0] = overlapMatrix(*analysis.fit, fit, threads, job.part({}, 0.4, 0.5));
    matrices[1] = similarityMatrix(synthetic, threads, job.part({}, 0.5, 0.8));
    std::array<std::vector<double>, 2> eigenvalues{};
    const JobContext last = job.part({}, 0.8, 1.0);
    parallelFor(matrices.size(), threads, last, [&](std::size_t task, unsigned) {
        eigenvalues[task] = symmetricEigenvalues(std::move(matrices[task]), last);
    });
    if (analysis.fit)
        scores.frechetDistance = frechetDistance(*analysis.fit, fit, eigenvalues[0]);
    scores.vendi = vendiScore(eigenvalues[1]);
}

} // namespace

RealRows analyzeRealRows(MatrixView real, std::uint64_t seed, unsigned threads, const JobContext& job) {
    RealRows rows;
    rows.vendi = kNone;
    if (hasEigenvalues(real)) {
        rows.fit = fitGaussian(real, threads, job.part({}, 0.0, 0.35));
        rows.vendi = vendiScore(real, threads, job.part({}, 0.35, 0.7));
    }
    rows.support = topSupport(real, topOptions(seed), threads, job.part({}, 0.7, 1.0));
    return rows;
}

RowScores scoreRows(MatrixView real, const RealRows& analysis, MatrixView synthetic, std::uint64_t seed,
                    unsigned threads, const JobContext& job) {
    RowScores scores;
    scores.frechetDistance = kNone;
    scores.vendi = kNone;
    if (hasEigenvalues(synthetic))
        scoreSpectra(analysis, synthetic, threads, job.part({}, 0.0, 0.5), scores);
    scores.kernel = kernelDistance(real, synthetic, kernelSubsets(real.rows, synthetic.rows, seed), threads,
                                   job.part({}, 0.5, 0.75));
    TopOptions options = topOptions(seed);
    options.centre = analysis.support.centre;
    scores.top = topScores(analysis.support, topSupport(synthetic, options, threads, job.part({}, 0.75, 0.9)), threads,
                           job.part({}, 0.9, 1.0));
    return scores;
}

RowScoresNeed rowScoresNeed(std::size_t rows, std::size_t dim) {
    constexpr std::size_t kSubsets = std::size_t{2} * 1000;
    constexpr std::size_t kPacked = std::size_t{2} * 256 * sizeof(double); // slices of a product, per vector
    const TopOptions top;
    const std::size_t used = std::min(rows, top.mostRows);
    const std::size_t points = used * std::min(dim, top.projectedDim) * sizeof(float);
    const std::size_t size = std::min(rows, dim);
    RowScoresNeed need;
    need.kept = points + used * sizeof(double);
    need.working = kSubsets * dim * sizeof(float) + topSupportBytes(rows, dim) + rows * sizeof(double);
    if (size <= kMostEigenvalues) {
        need.kept += size * dim * sizeof(double);
        need.working += (size * dim + 3 * size * size) * sizeof(double) + std::max(rows, dim) * kPacked;
    }
    return need;
}

namespace metrics {

double frechetDistance(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->frechetDistance;
}
double kernelDistanceMean(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->kernel.mean;
}
double kernelDistanceDeviation(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->kernel.deviation;
}
double vendi(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->vendi;
}
double vendiReal(const MetricInputs& in) {
    return in.real.rows == nullptr ? kNone : in.real.rows->vendi;
}
double topFidelity(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->top.fidelity;
}
double topDiversity(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->top.diversity;
}
double topF1(const MetricInputs& in) {
    return in.rows == nullptr ? kNone : in.rows->top.f1;
}

} // namespace metrics
} // namespace assay
