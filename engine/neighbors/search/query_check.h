#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// Argument checks that all backends share, so that their error messages are equal.
/// @throws Error{InvalidArgument} unless 1 <= k < set.rows
void checkSelfQuery(MatrixView set, std::size_t k);
/// Checks the arguments of NeighborSearch::cross().
/// @throws Error{InvalidArgument} when dimensions or numbers of radii disagree, or k exceeds the rows of the other set
void checkCrossQuery(const CrossQuery& query);

} // namespace assay
