#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <span>

namespace assay {

struct PairTables;
struct RealAnalysis;

/// Nearest neighbours among the real samples and one model's together: N + M rows, the real ones first; row N + j and
/// index N + j are synthetic sample j. Read off the audit's tables, so as exact as they are.
/// @param wanted neighbours per row; fewer where the sets, or the tables of an audit that kept few, hold no more
NeighborTable jointNeighbors(const RealAnalysis& real, const PairTables& pair, std::size_t wanted);

/// How far a picture of the samples can be trusted: the share of their nearest neighbours that are among as many
/// nearest in the picture too.
/// @param neighbors of each row among the same rows @param positions as many
/// @param threads 0 for every core
/// @return in [0, 1]; NaN for no neighbours
/// @throws Error{InvalidArgument} when the counts differ, Cancelled
double keptNeighbors(const NeighborTable& neighbors, std::span<const std::array<float, 3>> positions,
                     unsigned threads = 0, const JobContext& job = {});

} // namespace assay
