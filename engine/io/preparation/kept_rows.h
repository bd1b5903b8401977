#pragma once

#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Removes the rows that contain a non-finite value, with their labels, ids and pictures. Lists them in
/// `source.droppedRows` and, unless `place` is empty, in a note. When rows have no ids, the remaining rows get their
/// old row numbers as ids. A second call changes nothing.
/// @param wanted false: does nothing
/// @param place file or file and key, for the note and for messages
/// @throws Error{BadInput} when no row remains
void dropNotFinite(EmbeddingParts& parts, bool wanted, const std::string& place);

} // namespace assay
