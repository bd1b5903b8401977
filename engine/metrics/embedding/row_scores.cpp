#include "engine/metrics/embedding/row_scores.h"

#include "engine/base/run_alongside.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/embedding/vendi.h"
#include "engine/metrics/tables/pass_tables.h"

#include <algorithm>
#include <memory>

namespace assay {
namespace {

bool hasEigenvalues(MatrixView set) {
    return std::min(set.rows, set.dim) <= kMaxEigenvalues;
}

/// Computes the products on all cores. The eigenvalues then run on one core, concurrently with what the caller does
/// next.
/// @param summary has to outlive the result
Alongside<double> beginVendi(MatrixView set, const RowSummary& summary, const ComputeContext& context) {
    const auto found =
        std::make_shared<Similarities>(similarities(set, summary, context.threads, context.job, context.accelerator));
    return runAlongside(context.threads, [found, set, &summary, silent = context.job.silent()] {
        return vendiScore(std::move(*found), set, summary, 1, silent);
    });
}

/// Pending eigenvalue computations of a model; each occupies one core while the other scores are computed.
struct Spectra {
    Alongside<double> frechet;
    Alongside<double> vendi;
};

Spectra beginSpectra(const RealRows& analysis, MatrixView synthetic, const RowSummary& summary,
                     const ComputeContext& context) {
    const JobContext silent = context.job.silent();
    Spectra spectra;
    if (analysis.fit) {
        const auto begun = std::make_shared<UnfinishedFit>(
            beginFit(synthetic, summary.mean, context.threads, context.job.part({}, 0.0, 0.5), context.accelerator));
        spectra.frechet = runAlongside(context.threads, [&real = *analysis.fit, begun, silent] {
            return frechetDistance(real, finishFit(std::move(*begun), 1, silent), 1, silent);
        });
    }
    spectra.vendi = beginVendi(synthetic, summary, context.part(0.5, 1.0));
    return spectra;
}

} // namespace

RealRows analyzeRealRows(MatrixView real, const RowSummary& summary, const ComputeContext& context) {
    const unsigned threads = context.threads;
    const JobContext& job = context.job;
    RealRows rows;
    const JobContext silent = job.silent();
    Alongside<GaussianFit> fit;
    Alongside<double> vendi;
    if (hasEigenvalues(real)) {
        // First what leaves one core busy for longest.
        vendi = beginVendi(real, summary, context.part(0.0, 0.3));
        const auto begun = std::make_shared<UnfinishedFit>(
            beginFit(real, summary.mean, threads, job.part({}, 0.3, 0.6), context.accelerator));
        fit = runAlongside(threads, [begun, silent] { return finishFit(std::move(*begun), 1, silent); });
    }
    rows.support = topSupport(real, {.centre = summary.mean, .seed = context.seed}, threads, job.part({}, 0.6, 1.0));
    if (fit.valid())
        rows.fit = fit.get();
    if (vendi.valid())
        rows.vendi = vendi.get();
    return rows;
}

RowScores scoreRows(MatrixView real, const RealRows& analysis, MatrixView synthetic, const RowSummary& summary,
                    const ComputeContext& context) {
    const unsigned threads = context.threads;
    const JobContext& job = context.job;
    RowScores scores;
    Spectra spectra;
    if (hasEigenvalues(synthetic))
        spectra = beginSpectra(analysis, synthetic, summary, context.part(0.0, 0.35));
    scores.kernel = kernelDistance(real, synthetic, kernelSubsetsOf(real, synthetic, context.seed, threads), threads,
                                   job.part({}, 0.35, 0.7));
    const TopSupport support = topSupport(synthetic, {.centre = analysis.support.centre, .seed = context.seed}, threads,
                                          job.part({}, 0.7, 0.85));
    scores.top = topScores(analysis.support, support, threads, job.part({}, 0.85, 1.0));
    if (spectra.frechet.valid())
        scores.frechetDistance = spectra.frechet.get();
    if (spectra.vendi.valid())
        scores.vendi = spectra.vendi.get();
    return scores;
}

RowScoresNeed rowScoresNeed(std::size_t rows, std::size_t dim) {
    constexpr std::size_t kSubsets = std::size_t{2} * 1008;                // whole panels
    constexpr std::size_t kSlices = std::size_t{2} * 512 * sizeof(double); // of a product's operands, per vector
    const TopOptions top;
    const std::size_t used = std::min(rows, top.mostRows);
    const std::size_t points = used * std::min(dim, top.projectedDim) * sizeof(float);
    const std::size_t size = std::min(rows, dim);
    RowScoresNeed need;
    need.kept = points + used * sizeof(double);
    need.working = kSubsets * dim * sizeof(float) + topSupportBytes(rows, dim) + rows * sizeof(double);
    if (size <= kMaxEigenvalues) {
        need.kept += size * dim * sizeof(double);
        // Factor, product of factors and its Gram matrix beside the similarities, and two products at a time.
        need.working += (size * dim + 5 * size * size) * sizeof(double) + 2 * size * kSlices;
    }
    return need;
}

} // namespace assay
