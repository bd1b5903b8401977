#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <span>

namespace assay {

struct PairTables;
struct RealAnalysis;

/// Exact nearest neighbours in the union of the real set and one model's set: N + M rows, the real ones first; row N +
/// j and index N + j are synthetic sample j. Merged from the tables of an audit.
/// @param wanted neighbours per row; the result has fewer where the sets or the stored tables do
NeighborTable jointNeighbors(const RealAnalysis& real, const PairTables& pair, std::size_t wanted);

/// Neighbourhood preservation of a layout: the mean share of a row's k nearest neighbours that are among its k nearest
/// in the layout.
/// @param neighbors k neighbours of each row among the same rows
/// @param positions one per row
/// @param threads 0 for every core
/// @return in [0, 1]; NaN for no neighbours
/// @throws Error{InvalidArgument} when the counts differ, Cancelled
double keptNeighbors(const NeighborTable& neighbors, std::span<const std::array<float, 3>> positions,
                     unsigned threads = 0, const JobContext& job = {});

} // namespace assay
