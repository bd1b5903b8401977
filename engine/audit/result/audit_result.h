#pragma once

#include "engine/audit/result/finding.h"
#include "engine/audit/result/intervals.h"
#include "engine/data/embedding_set.h"
#include "engine/data/sample_set.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/features/table_differences.h"
#include "engine/metrics/held_out/copy_test.h"
#include "engine/metrics/tables/column_values.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/utility/utility.h"
#include "engine/metrics/verdicts/verdict.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct RealCentre;
struct RealOneClass;
struct RealRegions;
struct RealRows;
struct RealUtility;

/// Data of the real set for scores that need more than the neighbour tables. Computed once, shared by every model.
struct RealDescription {
    std::shared_ptr<const RealCentre> centre;     ///< distances to the centre in the embedding of the input files
    std::shared_ptr<const RealOneClass> oneClass; ///< null unless AuditOptions::oneClass is set
    std::shared_ptr<const RealRows> rows;         ///< for RowScores; after reading an audit file null until needed
    std::shared_ptr<const RealRegions> regions;   ///< after reading an audit file null until needed
    std::shared_ptr<const RealUtility> utility; ///< a model trained on the real set; as `regions` after reading a file
    FeatureScales scales;                       ///< standard deviations of the features
    std::string hardware;                       ///< as RealAnalysis::hardware, for this description
};

struct SampleScores;

/// The audit of one synthetic set against the real set.
struct ModelAudit {
    std::string name; ///< unique within an audit
    std::shared_ptr<const EmbeddingSet> set;
    std::shared_ptr<const PairTables> tables = std::make_shared<const PairTables>();
    /// In catalogue order; metrics whose required product is missing are omitted.
    std::vector<MetricValue> metrics;
    /// In catalogue order, with omissions as in `metrics`; then the external ones (withSampleScores).
    std::vector<ColumnValues> columns;
    std::vector<CurveValues> curves; ///< in catalogue order, with omissions as in `metrics`
    /// Columns of the verdicts for good samples: the held-out set if there is one, else the real set.
    std::vector<ColumnValues> good;
    std::vector<MetricInterval> intervals; ///< for the metrics that are averages, in catalogue order
    /// Resampled values behind the intervals and the comparisons of models, in the order of `intervals`.
    std::vector<MetricResamples> resamples;
    unsigned verdictStatistics = kVerdictStatistics; ///< version of the statistics behind the verdicts
    Diagnostics diagnostics;
    FeatureDifferences featureDifferences; ///< empty if only the neighbour tables were computed
    TableDifferences tableDifferences;     ///< empty if only the neighbour tables were computed
    std::optional<ClassMeans> classMeans;  ///< also empty if the sets share fewer than two classes
    UtilityReport utility;                 ///< empty if only the neighbour tables were computed
    std::vector<std::uint32_t> modeCounts; ///< synthetic samples per region of the real set; empty without regions
    std::vector<Finding> findings;         ///< most severe first
    std::string summary;                   ///< the findings in one sentence
    std::string backend;
    std::string hardware; ///< as RealAnalysis::hardware
    double seconds = 0.0; ///< wall time of this model's passes and metrics
    bool complete = true; ///< false while scores beyond the neighbour passes are still being computed

    /// Value of a metric.
    /// @throws Error{InvalidArgument} for a metric that was not computed
    double metric(std::string_view id) const;
    /// Values of a per-sample column: M for the synthetic side, N for the real side.
    /// @throws Error{InvalidArgument} for a column that was not computed
    const std::vector<double>& column(std::string_view id) const;

    /// Interval of a metric; null if it has none.
    const MetricInterval* interval(std::string_view id) const noexcept;

    /// Whether the metric or column was computed.
    bool hasMetric(std::string_view id) const noexcept;
    bool hasColumn(std::string_view id) const noexcept;
    /// Description of a column that was computed or is external; null for others.
    const Column* findColumn(std::string_view id) const noexcept;
};

/// A curve on request, beyond those of every audit (engine/subsets/curves/requested_curves.h).
struct RequestedCurve {
    std::string key;   ///< key in JSON: the curve's id and its parameter, such as "discard_by_pce"
    std::string model; ///< the model's name; empty for a curve of the whole audit
    std::string note;  ///< displayed description of the samples used
    CurveValues values;
    std::size_t samples = 0; ///< synthetic samples per point if the curve has sets of its own; else 0
    std::string bad{};       ///< for the bad fraction: name of the given set of bad samples; empty for noise
};

/// The audit of a held-out real set, and the reference data that depend on it and the real set only. Computed once,
/// shared by every model.
struct HeldOutAnalysis {
    std::shared_ptr<const ModelAudit> audit; ///< audit of the held-out set as if it were synthetic
    HeldOutBasis basis;                      ///< empty if this process does not hold all rows
};

/// The version of this program: "0.2.0".
std::string thisVersion();

/// A whole audit. It is published as shared_ptr<const AuditResult> and never changes; adding a model makes a new result
/// that shares the parts.
struct AuditResult {
    std::size_t k = 5;
    std::uint64_t seed = 0;
    CoverSizes cover;
    double falseDiscoveryRate = 0.05; ///< false discovery rate of the verdicts, in (0, 1)
    std::shared_ptr<const RealAnalysis> real;
    /// Null if only the neighbour tables exist, or until the description is computed.
    std::shared_ptr<const RealDescription> described;
    std::vector<std::shared_ptr<const ModelAudit>> models;
    std::vector<RequestedCurve> curves;               ///< curves on request; runAudit() adds none
    std::shared_ptr<const HeldOutAnalysis> heldOut;   ///< null without a held-out real set
    std::shared_ptr<const SampleScores> sampleScores; ///< where external columns come from; null for none
    /// Version of Assay that computed the scores: "0.2.0"; of an audit file, the one that wrote it first.
    std::string computedBy = thisVersion();

    /// The set with this id. Precondition: `id` is the real set's or names an existing model.
    const EmbeddingSet& setOf(SetId id) const { return isReal(id) ? *real->set : *models[modelIndex(id)]->set; }

    /// A value of a per-sample column as it leaves the program: a row of the real set (Unit::Row) becomes its number in
    /// the file, other values stay.
    double valueInFile(const Column& column, double value) const;
};

} // namespace assay
