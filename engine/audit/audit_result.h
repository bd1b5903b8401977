#pragma once

#include "engine/audit/intervals.h"
#include "engine/curves/diagnostics.h"
#include "engine/data/embedding_set.h"
#include "engine/data/sample_id.h"
#include "engine/findings/findings.h"
#include "engine/knn/neighbor_table.h"
#include "engine/metrics/catalog.h"
#include "engine/metrics/modes.h"
#include "engine/stats/feature_scales.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct RealCentre;
struct RealOneClass;
struct RealRows;

/// What depends on the real set alone: found once, shared by every model. N rows.
struct RealAnalysis {
    std::shared_ptr<const EmbeddingSet> set;
    std::size_t k = 5;                 ///< ball size of every metric
    NeighborTable neighbors;           ///< real-real, N x ownNeighbors() (engine/audit/memory_need.h)
    std::vector<double> radius;        ///< NNDr_k(r_i)
    std::vector<double> clippedRadius; ///< R_i = min(NNDr_k(r_i), medianRadius)
    double medianRadius = 0.0;         ///< mean of the middle two for an even count
    std::vector<std::uint32_t>
        clippedBallsHolding;                      ///< per real sample: clipped balls of other real samples that hold it
    double entropy = 0.0;                         ///< H(R) in nats
    std::shared_ptr<const RealCentre> centre;     ///< of the embeddings as they are; null where no process has all rows
    std::shared_ptr<const RealOneClass> oneClass; ///< null where it was not asked for
    std::shared_ptr<const RealRows> rows;         ///< for metrics of Needs::Rows; null where no process has all rows
    FeatureScales scales;                         ///< of the features; zeros where no process has all rows
    double notAuthentic = 0.0;                    ///< share of real samples that would not be authentic, each left out
    std::shared_ptr<const RealModes> modes;       ///< null where no process has all rows
    double seconds = 0.0;                         ///< wall time of the real-real pass
    std::string backend;                          ///< "gemm", "kdtree" or "cuda"
    std::string hardware;                         ///< the graphics card that it ran on; empty for the CPU
};

/// What the passes over one model's pairs found. N real, M synthetic rows.
struct PairTables {
    NeighborTable syntheticToSynthetic;               ///< M x ownNeighbors()
    NeighborTable syntheticToReal;                    ///< M x crossNeighbors()
    NeighborTable realToSynthetic;                    ///< N x crossNeighbors()
    FurtherNeighbors furtherReal;                     ///< beyond syntheticToReal, in the largest ball of a curve over k
    FurtherNeighbors furtherSynthetic;                ///< beyond realToSynthetic, likewise
    std::vector<double> syntheticRadius;              ///< NNDs_k(s_j), M
    std::vector<std::uint32_t> ballsHolding;          ///< per s_j: real balls that hold it
    std::vector<std::uint32_t> clippedBallsHolding;   ///< n_j: clipped real balls that hold s_j
    std::vector<std::uint32_t> insideBall;            ///< m_i: synthetic samples in r_i's ball
    std::vector<std::uint32_t> insideClippedBall;     ///< per r_i: synthetic samples in its clipped ball
    std::vector<std::uint32_t> syntheticBallsHolding; ///< per r_i: synthetic balls that hold it
};

/// One aggregate of one model. `id` is a metric's id in the catalogue.
struct MetricValue {
    std::string_view id;
    double value = 0.0;
};

/// One per-sample column of one model. `id` is a column's id in the catalogue; rows are those of its side's set.
struct ColumnValues {
    std::string_view id;
    std::vector<double> values;
};

/// The audit of one synthetic set against the real set.
struct ModelAudit {
    std::string name; ///< unique within an audit
    std::shared_ptr<const EmbeddingSet> set;
    PairTables tables;
    std::vector<MetricValue> metrics;       ///< in catalogue order, without those that lack what they need
    std::vector<ColumnValues> columns;      ///< likewise
    std::vector<CurveValues> curves;        ///< likewise
    std::vector<ColumnValues> good;         ///< columns of the verdicts for the good samples that these are calibrated
                                            ///< on: the held-out set's where there is one, else the real set's
    std::vector<MetricInterval> intervals;  ///< of the metrics that are averages, in catalogue order
    std::vector<MetricResamples> resamples; ///< what they and comparisons of models are found from, in the same order
    Diagnostics diagnostics;
    std::vector<std::uint32_t> modeCounts; ///< synthetic samples of each of the real set's modes; empty without these
    std::vector<Finding> findings;         ///< what is wrong with it, most severe first
    std::string summary;                   ///< the same in one sentence
    std::string backend;
    std::string hardware; ///< as in RealAnalysis
    double seconds = 0.0; ///< wall time of this model's passes and metrics

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

/// A curve that was asked for beyond those of every audit (engine/curves/demanded.h).
struct DemandedCurve {
    std::string key;   ///< in JSON: the curve's id, with what sets it apart from others: "discard_by_pce"
    std::string model; ///< whose it is; empty for one of the whole audit
    std::string note;  ///< what it was made from, for people
    CurveValues values;
    std::size_t samples = 0; ///< synthetic samples of every point, where it has sets of its own; else 0
    std::string bad{};       ///< of the bad fraction: the set of bad samples that was given; empty for noise
};

/// A whole audit. Published as shared_ptr<const AuditResult> and never changed; adding a model makes a new one that
/// shares the parts.
struct AuditResult {
    std::size_t k = 5;
    std::uint64_t seed = 0;
    CoverSizes cover;
    double falseDiscoveryRate = 0.05; ///< of the verdicts
    std::shared_ptr<const RealAnalysis> real;
    std::vector<std::shared_ptr<const ModelAudit>> models;
    std::vector<DemandedCurve> curves;              ///< of runAudit itself none
    std::shared_ptr<const HeldOutAnalysis> heldOut; ///< null without a held-out real set

    /// The set a sample belongs to; `id.set` must be real or name an existing model.
    const EmbeddingSet& setOf(SetId id) const { return isReal(id) ? *real->set : *models[modelIndex(id)]->set; }
};

} // namespace assay
