#pragma once

#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Helpers that the curves over subsets share.
namespace assay::curves {

/// The metrics that these curves draw: shares, ratios and nats that depend on the synthetic samples, in catalogue
/// order.
std::vector<const Metric*> drawnMetrics(SubsetScores scores);

/// Shares of a curve over samples that are discarded: 0, 1, .. of so many; the last one, which keeps nothing, left out.
constexpr std::size_t kDiscardSteps = 10;

/// Purpose of a random draw. Each purpose has its own random stream, so that one curve does not change another.
enum class Draw : std::uint64_t { HeldOutHalf = 1, Good, Bad, Noise, RealPart, SyntheticPart, Ties, Removal };

/// Derives the seed of one purpose.
std::uint64_t seedFor(std::uint64_t seed, Draw purpose);

/// The rows 0 .. count - 1 in random order.
std::vector<std::uint32_t> shuffledRows(std::size_t count, std::uint64_t seed, Draw purpose);

/// Copies rows of a set, in the given order, to a new set that contains embeddings only.
std::shared_ptr<const EmbeddingSet> rowsOf(const EmbeddingSet& set, std::span<const std::uint32_t> rows,
                                           const std::string& name, const JobContext& job);

/// Options for an audit that serves a curve only: neighbour tables only.
AuditOptions tablesOnly(const AuditOptions& options);

} // namespace assay::curves
