#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/embedding/frechet_infinity.h"
#include "engine/metrics/embedding/kernel_distance.h"
#include "engine/metrics/topological/top_support.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

struct RowSummary;
struct SetStatistics;

/// Data of the real set for the metrics that read the embeddings directly. Computed once, shared by every model.
struct RealRows {
    std::optional<GaussianFit> fit; ///< empty if min(N, d) > kMaxEigenvalues
    double vendi = kNaN;            ///< Vendi score; NaN if min(N, d) > kMaxEigenvalues
    TopSupport support;
    std::optional<GaussianFit> published; ///< of the statistics that the real set's file states
};

/// The tenth of the synthetic samples with the largest shares in the Frechet distance.
struct FrechetTail {
    std::vector<std::uint32_t> rows; ///< ascending; empty unless `beyond` is surely above the 1 % of a good set
    double without = kNaN;           ///< Frechet distance of the other samples
    double random = kNaN;            ///< to be expected of as many random samples, by the size fit
    double beyond = 0.0;             ///< share of the synthetic samples that add more than 99 % of the real ones would
};

/// Scores that several catalogue rows read, computed together once per model.
struct RowScores {
    double frechetDistance = kNaN; ///< NaN if min(N, d) or min(M, d) > kMaxEigenvalues
    double published = kNaN;       ///< Frechet distance to a published Gaussian; NaN as above, and without one
    FrechetInfinity infinity;      ///< without sizes where frechetDistance is NaN
    std::vector<double> influence; ///< frechetInfluence(): M values; empty where frechetDistance is NaN, or for M < 3
    double vendi = kNaN;           ///< Vendi score of the synthetic set; NaN if min(M, d) > kMaxEigenvalues
    FrechetTail tail;
    KernelDistance kernel;         ///< polynomial kernel
    KernelDistance gaussianKernel; ///< sigma 10, the same subsets
    KernelScores wholeKernels;
    double sliced = kNaN; ///< slicedDistance()
    TopScores top;
};

/// Frechet distance to the mean and covariance that the real set's file states.
struct PublishedFrechet {
    double distance = kNaN;
};

/// Share of each synthetic sample in the Frechet distance.
struct FrechetInfluence {
    std::vector<double> values; ///< M values
};

/// Largest matrix size for eigenvalues. Their cost grows with the cube of the size; this limit keeps it at some
/// seconds.
constexpr std::size_t kMaxEigenvalues = 4096;

/// Computes the real set's part of the scores.
/// @param real N x d, N >= 2
/// @param summary column means and row lengths of the real set
/// @param published EmbeddingSet::published() of the real set; may be null
/// @param context its accelerator computes the products of columns
/// @throws Cancelled, Error{DeviceFailed}, std::bad_alloc
RealRows analyzeRealRows(MatrixView real, const RowSummary& summary, const SetStatistics* published,
                         const ComputeContext& context);

/// Computes the scores of one model.
/// @param real N x d
/// @param analysis result of analyzeRealRows() for `real`
/// @param synthetic M x d, M >= 2, of the same dimension
/// @param summary column means and row lengths of the synthetic set
/// @throws as analyzeRealRows()
RowScores scoreRows(MatrixView real, const RealRows& analysis, MatrixView synthetic, const RowSummary& summary,
                    const ComputeContext& context);

/// Upper bounds of the memory in bytes: `kept` by a RealRows, `working` in addition by analyzeRealRows() or scoreRows()
/// while it runs.
struct RowScoresNeed {
    std::size_t kept = 0;
    std::size_t working = 0;
};
RowScoresNeed rowScoresNeed(std::size_t rows, std::size_t dim);

} // namespace assay
