#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The real samples' distances to the centre c of the real set, in one evaluation embedding. Computed once, shared by
/// every model.
struct RealCentre {
    std::vector<double> centre;    ///< centre c, d values: the mean for `identity`, (1, .., 1) for `one_class`
    std::vector<double> distance;  ///< |r_i - c|, N; distances that differ only by rounding are made equal
    std::vector<double> ascending; ///< `distance` sorted, N

    /// Computes the distances.
    /// @param set the real rows in the evaluation embedding, N x d
    /// @param centre d values
    /// @param threads 0: all cores
    /// @throws Cancelled
    static RealCentre of(MatrixView set, std::vector<double> centre, unsigned threads, const JobContext& job);
};

/// Tables of one model and the real set in one evaluation embedding.
struct EvaluationTables {
    const RealCentre* real = nullptr;
    /// |s_j - c|, M; equal to a real sample's distance if only rounding separates them.
    std::vector<double> centreDistance;
    std::vector<std::uint8_t> covered; ///< per r_i: |r_i - s_n(i)| <= NNDr_1(r_i), 0 or 1, N
    /// |s_n(i) - mean(s)|, N; distances that differ only by rounding are made equal.
    std::vector<double> nearestToMean;
    double meanDistance = 0.0; ///< |mean(s) - c|

    /// A synthetic set in the evaluation embedding.
    struct Synthetic {
        MatrixView rows;              ///< M x d
        std::span<const double> mean; ///< of its columns, d
    };

    /// Computes the tables.
    /// @param real kept by reference
    /// @param nearestReal NNDr_1(r_i) in this embedding, N
    /// @param realToSynthetic neighbours of the real rows in the synthetic set, in this embedding
    /// @throws Cancelled
    static EvaluationTables of(const RealCentre& real, const std::vector<double>& nearestReal,
                               const NeighborTable& realToSynthetic, const Synthetic& synthetic,
                               const ComputeContext& context);
};

/// Tables of one model in the embedding of the input files.
struct IdentityEmbedding {
    EvaluationTables tables;
};

/// Tables of one model in the one-class embedding.
struct OneClassEmbedding {
    EvaluationTables tables;
};

/// Sample-level precision and recall: Alaa et al., ICML 2022, in the two evaluation embeddings.
namespace metrics {

/// Number of evenly spaced steps from 0 to 1 at which alpha- and beta-quantiles are computed.
inline constexpr std::size_t kAlphaSteps = 30;

/// Quantiles at j / (count - 1), j = 0 .. count - 1, by linear interpolation between the order statistics. A quantile
/// that coincides with an order statistic is equal to it without rounding.
/// @param ascending at least one value
/// @param count at least 2
/// @return `count` values, ascending
std::vector<double> evenQuantiles(std::span<const double> ascending, std::size_t count);

/// The smallest alpha whose ball contains a sample at this distance from the centre: the inverse of the quantile
/// function. It is 0 up to the smallest value of `ascending`. Beyond the largest value no ball contains the sample; the
/// result is then the distance divided by the largest value, which is above 1, or infinite if all values are 0.
/// @param ascending at least two distances
/// @return in [0, infinity]
double smallestAlpha(std::span<const double> ascending, double distance);

// Rows of the catalogue, for each of the two embeddings (inEmbedding()).
double integratedAlphaPrecision(const EvaluationTables& tables);
double integratedBetaRecall(const EvaluationTables& tables);
CurveValues alphaPrecisionCurve(const EvaluationTables& tables);
CurveValues betaRecallCurve(const EvaluationTables& tables);
std::vector<double> typicality(const EvaluationTables& tables);
std::vector<double> realCentreDistance(const EvaluationTables& tables);
std::vector<double> betaCovered(const EvaluationTables& tables);
CurveValues oneClassTraining(const MetricInputs& in);

/// Applies a function of the tables to those of one embedding: `inEmbedding<OneClassEmbedding, typicality>`.
template <typename Embedding, auto function>
auto inEmbedding(const MetricInputs& in) {
    return function(in.get<Embedding>().tables);
}

} // namespace metrics
} // namespace assay
