#pragma once

#include "engine/metrics/tables/column_values.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/relabelling.h"
#include "engine/metrics/verdicts/sample_statistics.h"
#include "engine/metrics/verdicts/sample_units.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace assay {

/// Largest k' of the density ratio; smaller sets use fewer neighbours (densityNeighbors()).
constexpr std::size_t kDensityNeighbors = 20;

/// Tests and verdicts of the synthetic samples. The false discovery rate bounds the expected share of wrong verdicts
/// among the rejected samples. Definitions: docs/verdicts.md. M values each.
struct VerdictScores {
    std::vector<double> logDensityRatio; ///< nats, up to a constant of the set sizes; can be infinite
    std::vector<double> copyRatio;       ///< distance to the nearest thing over that to the second nearest, in [0, 1]
    std::vector<double> pUnrealistic;
    std::vector<double> pOverRepresented;
    std::vector<double> pCopy;   ///< 1 where equality with a real row is natural
    std::vector<double> pAny;    ///< rank of the sample's largest tail score among those of good samples
    std::vector<double> qAny;    ///< pAny adjusted for the false discovery rate (Benjamini-Hochberg)
    std::vector<double> verdict; ///< a Verdict as a number
    /// Largest tail score, moved and scaled: 0 at the median good sample, 1 at the most extreme one.
    std::vector<double> evidence;
    /// The columns p_unrealistic, p_over_represented, p_copy, p_any, log_density_ratio and copy_ratio of the good
    /// samples: of all held-out samples if there are some, else of all real ones, in the order of the set.
    std::vector<ColumnValues> good;
    EqualToReal equalToReal;
    std::optional<BeyondAll> beyondAll; ///< the largest excess; empty if chance may explain all
    std::size_t heldOutRepeats = 0;     ///< held-out samples that repeat real ones or nearly do
    bool heldOutUnlike = false;         ///< whether held-out and real samples are not drawn alike
};

/// Tests and verdicts of the real samples: which ones the model does not cover, at the given false discovery rate. N
/// values each.
struct CoverageVerdicts {
    std::vector<double> coverageRatio; ///< nats, up to a constant of the set sizes
    std::vector<double> pUncovered;
    std::vector<double> qUncovered;
    std::vector<double> coverageVerdict; ///< a CoverageVerdict as a number
};

/// Neighbours of H held-out real samples: they show what good samples score that the model was not trained on.
struct HeldOutTables {
    MatrixView rows;                  ///< without values where this process does not hold them
    const NeighborTable& toReal;      ///< neighbours in the real set, at least max(k, k') each
    const NeighborTable& toSynthetic; ///< neighbours in the synthetic set, at least k' each
    const NeighborTable& within;      ///< neighbours in the held-out set
    const NeighborTable& realTo;      ///< neighbours of the real samples in the held-out set
    SampleUnits units = {};           ///< which held-out samples count as one
    /// Per held-out sample: the real unit that is its group, too, or a number that no real unit has. Empty without
    /// groups.
    std::vector<std::uint32_t> realUnit = {};
};

/// Input of judgeSynthetic().
struct JudgedSets {
    const MetricInputs& in; ///< with tables of at least k' neighbours
    const RealPartition& partition;
    MatrixView synthetic;             ///< without values where this process does not hold them
    const HeldOutTables* heldOut;     ///< null without held-out samples
    const EqualRowCounts& equal;      ///< may be empty unless needsEqualCounts()
    const NeighborSearch* search;     ///< finds neighbours beyond the lists; null where this process lacks rows
    double falseDiscoveryRate = 0.05; ///< in (0, 1)
    /// Which synthetic samples count as one. Where that is not known no sample is tested for crowding.
    SampleUnits units = {};
};

/// Share of real samples whose distance to their nearest other real sample is at most the distance from that one to a
/// third. These samples would not count as authentic. In [0, 1].
double notAuthenticShare(const NeighborTable& real);

/// Returns k' = max(1, min(kDensityNeighbors, units - 2, M - 1)).
/// @param units of the real set (RealPartition); its rows where all are units of their own
std::size_t densityNeighbors(std::size_t units, std::size_t syntheticRows) noexcept;

/// Whether a synthetic or a held-out sample equals a real one, so that the tests need the numbers of equal rows.
bool needsEqualCounts(const MetricInputs& in, const HeldOutTables* heldOut);

/// Per held-out sample: the number of the real unit that has the name of its group, else a number that no unit has;
/// empty if either set has no groups.
std::vector<std::uint32_t> realUnitsOf(const EmbeddingSet& heldOut, const EmbeddingSet& real,
                                       const RealPartition& partition);

/// Per held-out sample: whether it repeats no real sample, so that it may calibrate.
std::vector<bool> cleanHeldOut(const HeldOutTables& heldOut, const RealPartition& partition);

/// Computes tests and verdicts of the synthetic samples, calibrated on one real sample of each unit and on the held-out
/// samples that do not repeat real ones.
/// @throws Cancelled
VerdictScores judgeSynthetic(const JudgedSets& sets);

/// Computes tests and verdicts of the real samples.
/// @param labels not empty
/// @param falseDiscoveryRate in (0, 1)
CoverageVerdicts judgeReal(const MetricInputs& in, const RealPartition& partition, const Relabelling& labels,
                           double falseDiscoveryRate);

namespace metrics {

/// Per synthetic sample: 1 if its verdict is `which`, else 0.
template <Verdict which>
std::vector<double> isVerdict(const MetricInputs& in) {
    return mapped(in.get<VerdictScores>().verdict,
                  [](double verdict) { return verdict == static_cast<double>(which) ? 1.0 : 0.0; });
}
/// Per sample: 1 if it is rejected (synthetic) or missed or thinly covered (real), else 0.
std::vector<double> isRejected(const MetricInputs& in);
std::vector<double> isMissed(const MetricInputs& in);

// Aggregates of the catalogue: shares of samples, in [0, 1].
double verdictRejected(const MetricInputs& in);
double estimatedBad(const MetricInputs& in);
double coverageMissed(const MetricInputs& in);

} // namespace metrics
} // namespace assay
