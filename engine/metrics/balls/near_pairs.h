#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

namespace assay {

/// Scores that can depend on pairs that the neighbour tables do not list. N real, M synthetic rows. The tables
/// determine the scores of most samples. For the remaining samples the search visits the pairs that can still change a
/// score (engine/neighbors/pairs/pair_proposer.h). Every score therefore equals the score from all N x M distances.
struct NearPairScores {
    /// Park and Kim, ICCV 2023.
    std::vector<double> pPrecision; ///< M: 1 - product over real samples within A_r of distance / A_r, in [0, 1]
    std::vector<double> pRecall;    ///< N: 1 - product over synthetic samples within A_s of distance / A_s, in [0, 1]
    /// M: in [0, infinity], infinite for a copy; NaN if no real radius is below the median.
    std::vector<double> realism;
    std::vector<double> rarity; ///< M: smallest radius of the real balls that contain it; NaN if none does
};

/// Computes the scores of one model.
/// @param in has the product SyntheticRows; in.job reports progress and stops the work
/// @throws Error{InvalidArgument} if the rows have more columns than the error bounds of products allow; Cancelled
NearPairScores findNearPairScores(const MetricInputs& in);

namespace metrics {

/// Median realism of the samples (Kynkaanniemi et al., NeurIPS 2019): a few copies, whose realism is infinite, do not
/// change it.
double realism(const MetricInputs& in);
/// Mean rarity (Han et al., ICLR 2023) of the samples inside at least one real ball; NaN if there is none.
double rarity(const MetricInputs& in);
/// Per synthetic sample: 1 if it lies outside every real ball and has no rarity, else 0.
std::vector<double> isOutsideEveryBall(const MetricInputs& in);

} // namespace metrics
} // namespace assay
