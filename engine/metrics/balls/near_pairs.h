#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

/// Scores that depend on more pairs than the neighbour tables list. N real, M synthetic rows. The tables settle most
/// samples; for the others the pairs that can still matter are looked for (engine/neighbors/pairs/pair_visitor.h), so
/// that every score is what all N x M distances would give.
struct NearPairScores {
    std::vector<double> pPrecision; ///< M: 1 - product over real samples within A_r of distance / A_r
    std::vector<double> pRecall;    ///< N: 1 - product over synthetic samples within A_s of distance / A_s
    std::vector<double> realism;    ///< M: infinite for a copy, NaN where no real radius is below the median
    std::vector<double> rarity;     ///< M: smallest radius of the real balls that hold it; NaN outside all
};

/// How pairs beyond the tables are found.
enum class PairFinder { Products, Tree };

/// The one that goes with how the neighbours were found. @param backend its name
PairFinder pairFinderFor(std::string_view backend);

/// @param in with the synthetic rows; in.job is looked at
/// @throws Error{InvalidArgument} for more columns than the bounds of products allow; Cancelled
NearPairScores findNearPairScores(const MetricInputs& in, PairFinder finder);

namespace metrics {

// Park and Kim, ICCV 2023
std::vector<double> pPrecisionPerSample(const MetricInputs& in);
std::vector<double> pRecallPerSample(const MetricInputs& in);
double pPrecision(const MetricInputs& in);
double pRecall(const MetricInputs& in);

// Kynkaanniemi et al., NeurIPS 2019
std::vector<double> realismPerSample(const MetricInputs& in);
/// Median over the samples: single copies, which are infinitely realistic, do not move it.
double realism(const MetricInputs& in);

// Han et al. 2022 (ICLR 2023)
std::vector<double> rarityPerSample(const MetricInputs& in);
/// Mean over the samples inside some real ball; NaN when none is.
double rarity(const MetricInputs& in);
/// Share of samples outside every real ball.
double rarityOutside(const MetricInputs& in);

} // namespace metrics
} // namespace assay
