#pragma once

#include "engine/metrics/set_tests/class_shares.h"
#include "engine/metrics/set_tests/feature_tests.h"
#include "engine/metrics/set_tests/regions.h"
#include "engine/metrics/set_tests/row_order.h"
#include "engine/metrics/set_tests/scale.h"
#include "engine/metrics/set_tests/told_apart.h"
#include "engine/metrics/set_tests/unit_scores.h"
#include "engine/metrics/set_tests/useless.h"
#include "engine/metrics/utility/labels.h"

#include <optional>

namespace assay {

class EmbeddingSet;
struct RealPartition;

/// How many samples of a model are bad.
struct BadShare {
    double rejected = 0.0; ///< share with a verdict other than good
    double subtle = 0.0;   ///< estimated share of others; 0 where nothing else says that something is wrong

    double value() const noexcept { return rejected + subtle; }
};

/// All tests of a synthetic set as a whole. They look at one real row of each unit.
struct SetTests {
    ScaleTest scale;
    RowOrderTest order; ///< of the real set
    FeatureTests features;
    ToldApart toldApart;
    CommonLabels labels;                ///< of the real and the synthetic set; empty if one has none
    std::optional<ClassShares> classes; ///< by the codes of `labels`
    RegionShares regions;
    std::optional<TrainingLoss> training;
    UnitScores scores;
    BadShare bad;
};

/// What testSets() reads.
struct SetTestInputs {
    const MetricInputs& in; ///< with the partition of the real set and verdicts on both sides
    const EmbeddingSet& real;
    const EmbeddingSet& synthetic;
    const RealRegions& regions;
    const NeighborSearch& search;
};

/// The rows of the real set that tests of whole sets compare.
ComparedRows comparedRows(const EmbeddingSet& real, const RealPartition& partition, const ComputeContext& context);

/// @throws Cancelled
SetTests testSets(const SetTestInputs& inputs);

namespace metrics {
double badShare(const MetricInputs& in);
} // namespace metrics
} // namespace assay
