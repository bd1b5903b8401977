#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The real set about its centre, in one evaluation embedding. Found once, shared by every model.
struct RealCentre {
    std::vector<double> centre;    ///< c: the mean for `identity`, (1, .., 1) for `one_class`
    std::vector<double> distance;  ///< |r_i - c|, N; the same number where only rounding tells them apart
    std::vector<double> ascending; ///< the same, sorted

    /// @param set the real rows in the evaluation embedding, N x d @param centre d values @throws Cancelled
    static RealCentre of(MatrixView set, std::vector<double> centre, unsigned threads, const JobContext& job);
};

/// One model beside the real set, in one evaluation embedding.
struct EvaluationTables {
    const RealCentre* real = nullptr;
    std::vector<double> centreDistance; ///< |s_j - c|, M; a real sample's where only rounding tells them apart
    std::vector<std::uint8_t> covered;  ///< per r_i: |r_i - s_n(i)| <= NNDr_1(r_i), 0 or 1, N
    std::vector<double> nearestToMean;  ///< |s_n(i) - mean(s)|, N; likewise among themselves
    double meanDistance = 0.0;          ///< |mean(s) - c|

    /// What the rows' nearest neighbours in this embedding are.
    struct Nearest {
        std::span<const std::uint32_t> synthetic;  ///< n(i): the nearest synthetic row of each real one, N
        std::span<const double> syntheticDistance; ///< |r_i - s_n(i)|, N
        std::span<const double> realDistance;      ///< NNDr_1(r_i), N
    };

    /// A synthetic set in the evaluation embedding.
    struct Synthetic {
        MatrixView rows;              ///< M x d
        std::span<const double> mean; ///< of its columns, d
    };

    /// @param real kept by reference @throws Cancelled
    static EvaluationTables of(const RealCentre& real, const Synthetic& synthetic, const Nearest& nearest,
                               unsigned threads, const JobContext& job);
};

/// One model in the embedding as it is.
struct IdentityEmbedding {
    EvaluationTables tables;
};

/// One model in the one-class embedding.
struct OneClassEmbedding {
    EvaluationTables tables;
};

/// Sample-level precision and recall: Alaa et al., ICML 2022, in the two evaluation embeddings.
namespace metrics {

/// alpha- and beta-quantiles are taken at this many even steps from 0 to 1.
inline constexpr std::size_t kAlphaSteps = 30;

/// Quantiles at j / (count - 1), j = 0 .. count - 1, by linear interpolation between the order statistics. Where one
/// falls on an order statistic it is that value itself.
/// @param ascending at least one value
std::vector<double> evenQuantiles(std::span<const double> ascending, std::size_t count);

/// The smallest alpha whose ball holds a sample at this distance from the centre: the inverse of the quantile.
/// 0 up to the smallest of `ascending`; beyond the largest no ball holds the sample, and the ratio of its distance to
/// the largest says by how much: above 1, infinite where all of `ascending` is 0.
/// @param ascending at least two distances
double smallestAlpha(std::span<const double> ascending, double distance);

double integratedAlphaPrecision(const MetricInputs& in);
double integratedBetaRecall(const MetricInputs& in);
CurveValues alphaPrecisionCurve(const MetricInputs& in);
CurveValues betaRecallCurve(const MetricInputs& in);
std::vector<double> typicality(const MetricInputs& in);
std::vector<double> centreDistance(const MetricInputs& in);
std::vector<double> realCentreDistance(const MetricInputs& in);
std::vector<double> betaCovered(const MetricInputs& in);

double integratedAlphaPrecisionOneClass(const MetricInputs& in);
double integratedBetaRecallOneClass(const MetricInputs& in);
CurveValues alphaPrecisionCurveOneClass(const MetricInputs& in);
CurveValues betaRecallCurveOneClass(const MetricInputs& in);
CurveValues oneClassTraining(const MetricInputs& in);
std::vector<double> typicalityOneClass(const MetricInputs& in);
std::vector<double> centreDistanceOneClass(const MetricInputs& in);
std::vector<double> realCentreDistanceOneClass(const MetricInputs& in);
std::vector<double> betaCoveredOneClass(const MetricInputs& in);

} // namespace metrics
} // namespace assay
