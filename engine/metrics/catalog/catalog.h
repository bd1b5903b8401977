#pragma once

#include "engine/metrics/tables/metric.h"

#include <span>
#include <string_view>

namespace assay {

struct ColumnValues;
struct CoverageVerdicts;
struct FeatureLikelihood;
struct FrechetInfinity;
struct FrechetInfluence;
struct IdentityEmbedding;
struct MembershipScores;
struct NearPairScores;
struct NumberUtilityScores;
struct OneClassEmbedding;
struct PublishedFrechet;
struct RowScores;
struct SetTests;
struct UtilityScores;
struct VerdictScores;

/// StageResults that catalogue rows are computed from (Metric::needs). A result omits the rows whose product the audit
/// lacks.
namespace needs {
inline constexpr ResultType kTables = kResultType<PairTables>; ///< the tables of the finished neighbour passes
inline constexpr ResultType kSamples =
    kResultType<IdentityEmbedding>; ///< evaluation tables of the embeddings, and longer neighbour lists
inline constexpr ResultType kNearPairs = kResultType<NearPairScores>; ///< scores of pairs that no neighbour table lists
inline constexpr ResultType kRows = kResultType<RowScores>; ///< scores computed from the embeddings of whole sets
inline constexpr ResultType kInfluence = kResultType<FrechetInfluence>; ///< shares in the Frechet distance
inline constexpr ResultType kSizeFit = kResultType<FrechetInfinity>;    ///< the Frechet distance by number of samples
inline constexpr ResultType kPublished = kResultType<PublishedFrechet>; ///< Frechet distance to published statistics
inline constexpr ResultType kVerdicts = kResultType<VerdictScores>;     ///< verdicts on the synthetic samples
inline constexpr ResultType kMissed = kResultType<CoverageVerdicts>;    ///< verdicts on the real samples
inline constexpr ResultType kSetTests = kResultType<SetTests>;          ///< tests of whole sets
inline constexpr ResultType kHeldOut = kResultType<FeatureLikelihood>;  ///< scores that need a held-out real set
inline constexpr ResultType kMembership =
    kResultType<MembershipScores>;                                 ///< distances of held-out samples to the model's
inline constexpr ResultType kUtility = kResultType<UtilityScores>; ///< a classifier trained on the synthetic set
inline constexpr ResultType kNumberUtility = kResultType<NumberUtilityScores>; ///< the same where labels are numbers
inline constexpr ResultType kOneClass = kResultType<OneClassEmbedding>;        ///< the one-class embedding
} // namespace needs

/// All aggregates, per-sample columns and curves. Tables, menus, rules, exports, the command line and reports iterate
/// over these catalogues.
std::span<const Metric> metricCatalog();
std::span<const Column> columnCatalog();
std::span<const Curve> curveCatalog();

/// Whether a what-if for a subset recomputes the metric at this level.
bool foundForSubset(const Metric& metric, SubsetScores scores);

/// Whether a metric is a function of the neighbour tables alone.
bool isFromTables(const Metric& metric);

/// The catalogue row with this id, or null.
const Metric* findMetric(std::string_view id);
const Column* findColumn(std::string_view id);
const Curve* findCurve(std::string_view id);

/// The row that describes the values: of the catalogue, or an external one.
/// Precondition: `values` has an id of the catalogue or is external.
const Column& columnOf(const ColumnValues& values);

} // namespace assay
