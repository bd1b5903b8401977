#pragma once

#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Leaves out the rows that hold a value which is not finite, with their labels, ids and pictures, and lists them in
/// `source.droppedRows` and, where there is a place, in a note. Rows without ids of their own keep their numbers as
/// ids. A second time nothing is left to do.
/// @param wanted else nothing is done
/// @throws Error{BadInput} when no row is left
void dropNotFinite(EmbeddingParts& parts, bool wanted, const std::string& place);

} // namespace assay
