#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npy_header.h"

#include <string>

namespace assay {

// Embeddings that stand in where a file has none: SourceInfo::builtIn.

/// Pictures: mean red, green and blue of 16 x 16 equal fields, 768 columns.
inline constexpr const char* kPixelEmbedding = "pixels-16x16";
/// The same on the real set's principal components (Scaling::Pca).
inline constexpr const char* kPixelComponents = "pixels-16x16-pca";
/// Series: the steps of a window one after the other, each feature standardised (Scaling::Features).
inline constexpr const char* kSeriesEmbedding = "series-flattened";

/// The scaling that belongs to a built-in embedding; Scaling::None for a set with embeddings of its own.
Scaling scalingOfBuiltIn(const SourceInfo& source);

/// What people have to know of scores by the set's built-in embedding; empty where it has none.
std::string builtInNote(const SourceInfo& source, const std::string& place);

/// Whether an array holds series: floats [windows, steps, features].
bool holdsSeries(const NpyHeader& header);

/// The header by which an array is read as a matrix: of series, windows x (steps x features); else as it is.
/// @throws Error{BadInput} for series without values, or in Fortran order
NpyHeader asMatrix(const NpyHeader& header, const std::string& where);

/// Takes shape and name of a set of samples from its array's header, which is of a matrix or of series.
/// @return asMatrix(header)
/// @throws Error{BadInput} where it is neither
NpyHeader takeShape(EmbeddingParts& parts, const NpyHeader& header, const std::string& where);

/// @throws Error{BadInput} where a set has an embedding of its own and the real set a built-in one or the other way
///         round, or windows of another shape
void requireSameKind(const EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place);

} // namespace assay
