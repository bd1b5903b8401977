#pragma once

#include "engine/metrics/tables/metric.h"

#include <span>
#include <string_view>

namespace assay {

struct CoverageVerdicts;
struct FeatureLikelihood;
struct IdentityEmbedding;
struct NearPairScores;
struct OneClassEmbedding;
struct RowScores;
struct VerdictScores;

/// What rows of the catalogue are computed from (Metric::needs). What an audit does not have is left out of its result.
namespace needs {
inline constexpr Product kTables = kProduct<PairTables>; ///< the finished passes alone
inline constexpr Product kSamples =
    kProduct<IdentityEmbedding>;                                ///< each sample's embedding, and more of its neighbours
inline constexpr Product kNearPairs = kProduct<NearPairScores>; ///< pairs that no table lists
inline constexpr Product kRows = kProduct<RowScores>;           ///< the embeddings as a whole
inline constexpr Product kVerdicts = kProduct<VerdictScores>;   ///< what is said of each synthetic sample
inline constexpr Product kMissed = kProduct<CoverageVerdicts>;  ///< what is said of each real sample
inline constexpr Product kHeldOut = kProduct<FeatureLikelihood>;  ///< a held-out real set beside the others
inline constexpr Product kOneClass = kProduct<OneClassEmbedding>; ///< the one-class embedding
} // namespace needs

/// Every aggregate, per-sample column and curve. Tables, menus, rules, exports, command line and reports iterate these.
std::span<const Metric> metricCatalog();
std::span<const Column> columnCatalog();
std::span<const Curve> curveCatalog();

/// Which metrics are found for a subset of the synthetic samples.
enum class SubsetScores {
    Tables, ///< those of the finished passes alone: quick enough to follow a hand
    Samples ///< those of each sample's embedding and of pairs that no table lists, too
};

bool foundForSubset(const Metric& metric, SubsetScores scores);

/// The row with this id, or null.
const Metric* findMetric(std::string_view id);
const Column* findColumn(std::string_view id);
const Curve* findCurve(std::string_view id);

} // namespace assay
