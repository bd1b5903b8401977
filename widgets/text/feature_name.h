#pragma once

#include <QString>

#include <cstdint>

namespace assay {

class EmbeddingSet;

/// Name of a feature (a column of the embedding) in the real set's file, else its number: "feature 12".
QString featureName(const EmbeddingSet& real, std::uint32_t feature);

} // namespace assay
