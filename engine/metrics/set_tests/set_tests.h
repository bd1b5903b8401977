#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/units.h"
#include "engine/metrics/set_tests/classifier_tests.h"
#include "engine/metrics/set_tests/feature_tests.h"
#include "engine/metrics/set_tests/shares.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/utility/labels.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <optional>

namespace assay {

class EmbeddingSet;
struct RealPartition;
struct SampleUnits;

/// Signs that one set has another unit than the other.
struct ScaleTest {
    /// Median length of synthetic over that of real rows, each about its set's median, where it is another scale: above
    /// 3 or below 1 / 3.
    std::optional<double> factor = {};
    /// The side whose rows all have one length, where those of the other side have not.
    std::optional<Side> unitLength = {};

    bool operator==(const ScaleTest&) const = default;
};

/// Compares the lengths of rows about the median of each feature in their set. Another scale: the medians and the 90 %
/// quantiles of both sides differ by more than a factor of 3, in one direction, and the area under the ROC curve of the
/// lengths is more than 3.3 of its deviations from 0.5 (of DeLong's, and of those of two samples of one law by Mann and
/// Whitney: 8 rows of each side). One length: the deviation of the lengths about 0 is below 1e-4 of their mean; not
/// tested in one dimension. Uses the first featureRows() rows of each set. O(n d). The same to the last bit for any
/// number of threads.
/// @param real, synthetic at least one row each @throws Cancelled
ScaleTest testScale(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context);

/// How far from each other in the file nearest neighbours stand.
struct RowOrderTest {
    std::size_t rows = 0;
    std::size_t beside = 0; ///< rows whose nearest other row is 1 to 5 rows away
    std::size_t apart = 0;  ///< rows whose nearest other row is 21 to 25 rows away
    double pValue = 1.0;    ///< of as many `beside` for the sum of both, where rows were sorted by class

    /// (beside - apart) / rows; 0 without rows.
    double excess() const noexcept;
    /// Whether neighbouring rows of the file are alike: slices, frames or augmentations of one thing.
    bool areNeighborsAlike() const noexcept { return rows >= 60 && excess() >= 0.1 && pValue < 0.001; }

    bool operator==(const RowOrderTest&) const = default;
};

/// Tests whether neighbouring rows of a file are alike. Where rows were only sorted by class, in blocks of 50 or more,
/// at most 65 % of `beside` and `apart` together are `beside`; neighbours come in pairs, so half of them count. O(N).
/// @param real nearest other rows of the real set in itself, in the order of its file, k >= 1
RowOrderTest testRowOrder(const NeighborTable& real);

/// A score and its approximate 95 % interval.
struct BoundedScore {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// Clipped density (not capped at 1) and clipped coverage, computed on one real sample of each unit with its own unit
/// left out: by their definition the scores of a good model of a set that is given three times are far below 1. The
/// intervals take the terms of each sample as independent; they serve to decide whether a score may be called good.
struct UnitScores {
    BoundedScore clippedDensity;
    BoundedScore clippedCoverage;
};

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

/// Input of testSets().
struct SetTestInputs {
    const MetricInputs& in; ///< with the partition of the real set and verdicts on both sides
    const EmbeddingSet& real;
    const EmbeddingSet& synthetic;
    const RealRegions& regions;
    const NeighborSearch& search;
    const SampleUnits& units; ///< of the synthetic set
    const std::optional<MetricInputs>&
        ofUnits; ///< tables of one sample of each group of both sets; none without groups
};

/// The rows of the real set that tests of whole sets compare.
ComparedRows comparedRows(const EmbeddingSet& real, const RealPartition& partition, const ComputeContext& context);

/// @throws Cancelled
SetTests testSets(const SetTestInputs& inputs);

namespace metrics {
double badShare(const MetricInputs& in);
} // namespace metrics

} // namespace assay
