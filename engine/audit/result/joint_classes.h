#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;

/// The classes of two sets, each once: in numerical order where all are integers, else by code points. Labels are
/// compared as text. Samples without a class have none here.
std::vector<std::string> jointClasses(const EmbeddingSet& first, const EmbeddingSet& second);

/// Per row of a set: index of its class in `classes`; classes.size() for a row without a class. Empty without labels.
/// @param classes jointClasses() of the set and another
std::vector<std::uint32_t> classPlaces(const EmbeddingSet& set, const std::vector<std::string>& classes);

} // namespace assay
