#pragma once

#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// What the curves over subsets share.
namespace assay::curves {

/// The metrics that such a curve draws: shares, ratios and nats that depend on the synthetic samples. In catalogue
/// order.
std::vector<const Metric*> drawnMetrics(SubsetScores scores);

/// What rows are drawn for: each purpose has random numbers of its own, so that one curve does not change another.
enum class Draw : std::uint64_t { HeldOutHalf = 1, Good, Bad, Noise, RealPart, SyntheticPart, Ties, Removal };

/// A seed for one purpose.
std::uint64_t seedFor(std::uint64_t seed, Draw purpose);

/// The rows 0 .. count - 1 in random order.
std::vector<std::uint32_t> shuffledRows(std::size_t count, std::uint64_t seed, Draw purpose);

/// These rows of a set, in this order, as a set of its own: embeddings only.
std::shared_ptr<const EmbeddingSet> rowsOf(const EmbeddingSet& set, std::span<const std::uint32_t> rows,
                                           const std::string& name, const JobContext& job);

/// Options of an audit that only serves a curve: the tables alone.
AuditOptions tablesOnly(const AuditOptions& options);

} // namespace assay::curves
