#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

/// What every backend refuses, in the same words.
/// @throws Error{InvalidArgument} unless 1 <= k < set.rows
void checkSelfQuery(MatrixView set, std::size_t k);
/// @throws Error{InvalidArgument} when dimensions or radii counts disagree, or k exceeds the other set
void checkCrossQuery(const CrossQuery& query);

} // namespace assay
