#pragma once

#include "engine/audit/result/finding.h"
#include "engine/audit/result/intervals.h"
#include "engine/data/embedding_set.h"
#include "engine/data/sample_id.h"
#include "engine/math/statistics/feature_scales.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/features/class_means.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/held_out/held_out.h"
#include "engine/metrics/tables/pass_tables.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct RealCentre;
struct RealModes;
struct RealOneClass;
struct RealRows;

/// What scores beyond the tables need of the real set: found once, shared by every model.
struct RealDescription {
    std::shared_ptr<const RealCentre> centre;     ///< of the embeddings as they are
    std::shared_ptr<const RealOneClass> oneClass; ///< null where it was not asked for
    std::shared_ptr<const RealRows> rows;         ///< for RowScores; of an audit file null until needed
    std::shared_ptr<const RealModes> modes;       ///< likewise
    FeatureScales scales;                         ///< of the features
    std::string hardware;                         ///< as RealAnalysis::hardware, after all of this
};

/// The audit of one synthetic set against the real set.
struct ModelAudit {
    std::string name; ///< unique within an audit
    std::shared_ptr<const EmbeddingSet> set;
    std::shared_ptr<const PairTables> tables = std::make_shared<const PairTables>();
    std::vector<MetricValue> metrics;       ///< in catalogue order, without those that lack what they need
    std::vector<ColumnValues> columns;      ///< likewise
    std::vector<CurveValues> curves;        ///< likewise
    std::vector<ColumnValues> good;         ///< columns of the verdicts for the good samples that these are calibrated
                                            ///< on: the held-out set's where there is one, else the real set's
    std::vector<MetricInterval> intervals;  ///< of the metrics that are averages, in catalogue order
    std::vector<MetricResamples> resamples; ///< what they and comparisons of models are found from, in the same order
    Diagnostics diagnostics;
    FeatureDifferences featureDifferences; ///< empty where there are the tables alone
    std::optional<ClassMeans> classMeans;  ///< likewise, and without classes that both sets have
    std::vector<std::uint32_t> modeCounts; ///< synthetic samples of each of the real set's modes; empty without these
    std::vector<Finding> findings;         ///< what is wrong with it, most severe first
    std::string summary;                   ///< the same in one sentence
    std::string backend;
    std::string hardware; ///< as in RealAnalysis
    double seconds = 0.0; ///< wall time of this model's passes and metrics
    bool complete = true; ///< false: scores beyond those of the passes are still being computed

    /// Value of a metric. @throws Error{InvalidArgument} for one that was not computed
    double metric(std::string_view id) const;
    /// Values of a per-sample column, synthetic or real side. @throws Error{InvalidArgument} for one not computed
    const std::vector<double>& column(std::string_view id) const;
    /// Points of a curve. @throws Error{InvalidArgument} for one not computed
    const CurveValues& curve(std::string_view id) const;

    /// Interval of a metric; null for one that has none.
    const MetricInterval* interval(std::string_view id) const noexcept;

    /// Whether a metric, a column was computed.
    bool hasMetric(std::string_view id) const noexcept;
    bool hasColumn(std::string_view id) const noexcept;
};

/// A curve that was asked for beyond those of every audit (engine/subsets/curves/demanded.h).
struct DemandedCurve {
    std::string key;   ///< in JSON: the curve's id, with what sets it apart from others: "discard_by_pce"
    std::string model; ///< whose it is; empty for one of the whole audit
    std::string note;  ///< what it was made from, for people
    CurveValues values;
    std::size_t samples = 0; ///< synthetic samples of every point, where it has sets of its own; else 0
    std::string bad{};       ///< of the bad fraction: the set of bad samples that was given; empty for noise
};

/// The audit of a held-out real set, and what else depends on it and the real set alone: found once, shared by every
/// model.
struct HeldOutAnalysis {
    std::shared_ptr<const ModelAudit> audit; ///< as if the held-out set were synthetic
    HeldOutBasis basis;                      ///< empty where this process does not have all rows
};

/// A whole audit. Published as shared_ptr<const AuditResult> and never changed; adding a model makes a new one that
/// shares the parts.
struct AuditResult {
    std::size_t k = 5;
    std::uint64_t seed = 0;
    CoverSizes cover;
    double falseDiscoveryRate = 0.05; ///< of the verdicts
    std::shared_ptr<const RealAnalysis> real;
    std::shared_ptr<const RealDescription> described; ///< null where there are the tables alone, or not yet more
    std::vector<std::shared_ptr<const ModelAudit>> models;
    std::vector<DemandedCurve> curves;              ///< of runAudit itself none
    std::shared_ptr<const HeldOutAnalysis> heldOut; ///< null without a held-out real set

    /// The set a sample belongs to; `id.set` must be real or name an existing model.
    const EmbeddingSet& setOf(SetId id) const { return isReal(id) ? *real->set : *models[modelIndex(id)]->set; }
};

} // namespace assay
