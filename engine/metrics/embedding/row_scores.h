#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/kernel_distance.h"
#include "engine/metrics/embedding/top_support.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <optional>

namespace assay {

struct RowSummary;

/// What the metrics that are computed from the embeddings themselves need of the real set: found once, shared by every
/// model.
struct RealRows {
    std::optional<GaussianFit> fit; ///< nothing where min(N, d) is more than kMostEigenvalues
    double vendi = 0.0;             ///< NaN likewise
    TopSupport support;
};

/// What several rows of the catalogue read, computed together once per model.
struct RowScores {
    double frechetDistance = 0.0; ///< NaN where min(N, d) or min(M, d) is more than kMostEigenvalues
    double vendi = 0.0;           ///< of the synthetic set; NaN likewise
    KernelDistance kernel;
    TopScores top;
};

/// The work of eigenvalues grows with the cube of their number, and the program is about the samples: some seconds are
/// enough.
constexpr std::size_t kMostEigenvalues = 4096;

/// @param real N x d, N >= 2 @param summary of it
/// @throws Cancelled, Error{DeviceFailed}, std::bad_alloc
RealRows analyzeRealRows(MatrixView real, const RowSummary& summary, const ComputeContext& context);

/// @param synthetic M x d, M >= 2, the real set's d @param summary of it
/// @throws as analyzeRealRows
RowScores scoreRows(MatrixView real, const RealRows& analysis, MatrixView synthetic, const RowSummary& summary,
                    const ComputeContext& context);

/// Bytes that a RealRows keeps, and that either function works in beyond that, at most.
struct RowScoresNeed {
    std::size_t kept = 0;
    std::size_t working = 0;
};
RowScoresNeed rowScoresNeed(std::size_t rows, std::size_t dim);

namespace metrics {

// Read from MetricInputs::rows; NaN where an audit has none.
double frechetDistance(const MetricInputs& in);
double kernelDistanceMean(const MetricInputs& in);
double kernelDistanceDeviation(const MetricInputs& in);
double vendi(const MetricInputs& in);
double vendiReal(const MetricInputs& in);
double topFidelity(const MetricInputs& in);
double topDiversity(const MetricInputs& in);
double topF1(const MetricInputs& in);

} // namespace metrics
} // namespace assay
