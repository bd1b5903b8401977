#include "engine/metrics/embedding/row_scores.h"

#include "engine/base/large_array.h"
#include "engine/base/random.h"
#include "engine/base/run_alongside.h"
#include "engine/math/linear/centre.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/metrics/embedding/sliced_distance.h"
#include "engine/metrics/embedding/vendi.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

namespace assay {
namespace {

constexpr std::uint64_t kTailStream = 0x7461696c; // sets these draws apart from others of the same seed
constexpr double kKernelSigma = 10.0;             // torch-fidelity's default
constexpr std::size_t kMinInfluenceRows = 3;      // a covariance remains without one of them

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

/// The Frechet distance of a model, and what its samples' shares are found from.
struct FrechetParts {
    double distance;
    double published;
    FrechetSpectrum spectrum;
};

/// Pending eigenvalue computations of a model; each occupies one core while the other scores are computed.
struct Spectra {
    Alongside<FrechetParts> frechet;
    Alongside<double> vendi;
};

Spectra beginSpectra(const RealRows& analysis, MatrixView synthetic, const RowSummary& summary,
                     const ComputeContext& context) {
    const JobContext silent = context.job.silent();
    Spectra spectra;
    if (analysis.fit) {
        const auto begun = std::make_shared<UnfinishedFit>(
            beginFit(synthetic, summary.mean, context.threads, context.job.part({}, 0.0, 0.5), context.accelerator));
        spectra.frechet =
            runAlongside(context.threads, [&real = *analysis.fit, &published = analysis.published, begun, silent] {
                const GaussianFit fit = finishFit(std::move(*begun), 1, silent);
                return FrechetParts{frechetDistance(real, fit, 1, silent),
                                    published ? frechetDistance(*published, fit, 1, silent) : kNaN,
                                    frechetSpectrum(real, fit, 1, silent)};
            });
    }
    spectra.vendi = beginVendi(synthetic, summary, context.part(0.5, 1.0));
    return spectra;
}

/// Rows of a set, side by side.
LargeArray<float> gathered(MatrixView set, std::span<const std::uint32_t> rows) {
    LargeArray<float> values = makeLargeArray<float>(rows.size() * set.dim);
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(set.rowData(rows[i]), set.dim, values.get() + i * set.dim);
    return values;
}

/// Samples of a set whose shape differs from the real one's have larger shares in general. Few make the distance only
/// if many have shares beyond those that real samples in their place would have.
FrechetTail frechetTail(MatrixView real, const GaussianFit& realFit, MatrixView synthetic,
                        const FrechetSpectrum& spectrum, const std::vector<double>& mean, const RowScores& scores,
                        const ComputeContext& context) {
    constexpr std::size_t kMaxRealRows = 5000;
    constexpr double kUsual = 0.99;
    constexpr double kMany = 0.03; // surely; of a good set 1 % are beyond
    FrechetTail tail;
    if (std::isnan(scores.infinity.low) || scores.infinity.low <= 0.0)
        return tail;
    const JobContext& job = context.job;
    std::vector<std::uint32_t> order = contentOrder(real, {}, context.seed, context.threads);
    Random::forItem(context.seed ^ kTailStream, 0).shuffle(order);
    order.resize(std::min(order.size(), kMaxRealRows));
    const LargeArray<float> usual = gathered(real, order);
    const MatrixView usualRows{usual.get(), order.size(), real.dim};
    const std::vector<float> projected =
        alongDirections(spectrum, usualRows, mean, context.threads, job.part({}, 0.0, 0.2));
    std::vector<double> ofReal =
        frechetInfluence(spectrum, usualRows, mean, projected, synthetic.rows, context.threads, job.part({}, 0.2, 0.3));
    const double limit = quantile(std::span<double>(ofReal), kUsual);
    const auto beyond =
        static_cast<std::size_t>(std::ranges::count_if(scores.influence, [&](double x) { return x > limit; }));
    tail.beyond = static_cast<double>(beyond) / static_cast<double>(synthetic.rows);
    if (clopperPearson(beyond, synthetic.rows).low < kMany)
        return tail;
    std::vector<std::uint32_t> rows(synthetic.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::stable_sort(rows, std::greater(), [&](std::uint32_t row) { return scores.influence[row]; });
    const auto tenth = rows.begin() + static_cast<std::ptrdiff_t>((synthetic.rows + 9) / 10);
    tail.rows.assign(rows.begin(), tenth);
    std::ranges::sort(tail.rows);
    const std::vector<std::uint32_t> others(tenth, rows.end());
    const LargeArray<float> left = gathered(synthetic, others);
    const GaussianFit fit =
        fitGaussian({left.get(), others.size(), synthetic.dim}, context.threads, job.part({}, 0.3, 0.6));
    tail.without = frechetDistance(realFit, fit, context.threads, job.part({}, 0.6, 1.0));
    tail.random = scores.infinity.value + scores.infinity.slope / static_cast<double>(others.size());
    return tail;
}

} // namespace

RealRows analyzeRealRows(MatrixView real, const RowSummary& summary, const SetStatistics* published,
                         const ComputeContext& context) {
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
    if (published != nullptr)
        rows.published = gaussianOf(*published, silent);
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
        spectra = beginSpectra(analysis, synthetic, summary, context.part(0.0, 0.2));
    const std::vector<KernelSubset> subsets = kernelSubsetsOf(real, synthetic, context.seed, threads);
    scores.kernel = kernelDistance(real, synthetic, subsets, threads, job.part({}, 0.2, 0.28));
    scores.gaussianKernel =
        kernelDistance(real, synthetic, subsets, threads, job.part({}, 0.28, 0.36), PairKernel::gaussian(kKernelSigma));
    scores.wholeKernels = kernelScores(real, synthetic, context.seed, threads, job.part({}, 0.36, 0.5));
    scores.sliced = slicedDistance(real, synthetic, context.seed, threads, job.part({}, 0.5, 0.6));
    const TopSupport support = topSupport(synthetic, {.centre = analysis.support.centre, .seed = context.seed}, threads,
                                          job.part({}, 0.6, 0.66));
    scores.top = topScores(analysis.support, support, threads, job.part({}, 0.66, 0.7));
    if (spectra.frechet.valid()) {
        const FrechetParts frechet = spectra.frechet.get();
        scores.frechetDistance = frechet.distance;
        scores.published = frechet.published;
        const std::vector<float> projected =
            alongDirections(frechet.spectrum, synthetic, summary.mean, threads, job.part({}, 0.7, 0.75));
        if (synthetic.rows >= kMinInfluenceRows)
            scores.influence = frechetInfluence(frechet.spectrum, synthetic, summary.mean, projected, synthetic.rows,
                                                threads, job.part({}, 0.75, 0.8));
        scores.infinity = frechetInfinity(*analysis.fit, frechet.spectrum, synthetic, summary.mean, projected,
                                          frechet.distance, context.part(0.8, 0.95));
        if (!scores.influence.empty())
            scores.tail = frechetTail(real, *analysis.fit, synthetic, frechet.spectrum, summary.mean, scores,
                                      context.part(0.95, 1.0));
    }
    if (spectra.vendi.valid())
        scores.vendi = spectra.vendi.get();
    return scores;
}

RowScoresNeed rowScoresNeed(std::size_t rows, std::size_t dim) {
    constexpr std::size_t kSlices = std::size_t{2} * 512 * sizeof(double); // of a product's operands, per vector
    const TopOptions top;
    const std::size_t used = std::min(rows, top.mostRows);
    const std::size_t points = used * std::min(dim, top.projectedDim) * sizeof(float);
    const std::size_t size = std::min(rows, dim);
    RowScoresNeed need;
    need.kept = points + used * sizeof(double);
    need.working =
        kernelScoresBytes(rows, dim) + slicedDistanceBytes(rows) + topSupportBytes(rows, dim) + rows * sizeof(double);
    if (size <= kMaxEigenvalues) {
        need.kept += size * dim * sizeof(double);
        // Factor, directions and a factor's transpose, the product of factors and its eigenvectors beside the
        // similarities, and two products at a time.
        need.working += (3 * size * dim + 8 * size * size) * sizeof(double) + 2 * size * kSlices +
                        frechetInfinityBytes(rows, dim) + rows * size * sizeof(float);
    }
    return need;
}

} // namespace assay
