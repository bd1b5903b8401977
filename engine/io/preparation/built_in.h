#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npy_header.h"

#include <cstddef>
#include <string>

namespace assay {

// Built-in embeddings, used when a file has no embeddings: see SourceInfo::builtIn.

/// Pictures: mean red, green and blue of a grid of 16 x 16 equal cells, 768 columns.
inline constexpr const char* kPixelEmbedding = "pixels-16x16";
/// Cells across and down of kPixelEmbedding, and its dimension.
inline constexpr std::size_t kPixelFieldsAcross = 16;
inline constexpr std::size_t kPixelEmbeddingDim = kPixelFieldsAcross * kPixelFieldsAcross * 3;
/// Pictures: the lowest cosine coefficients of kPixelEmbedding (Scaling::DctLow).
inline constexpr const char* kPixelFrequencies = "pixels-16x16-dct";
/// Pictures, in audits of earlier versions: kPixelEmbedding projected onto the real set's principal components
/// (Scaling::Pca).
inline constexpr const char* kPixelComponents = "pixels-16x16-pca";
/// Series: the time steps of a window one after the other, each feature standardised (Scaling::Features).
inline constexpr const char* kSeriesEmbedding = "series-flattened";

/// The scaling that a built-in embedding needs; Scaling::None for a set with its own embeddings.
Scaling scalingOfBuiltIn(const SourceInfo& source);

/// Warning for the user about scores that are based on a built-in embedding; empty for a set with its own embeddings.
/// @param place start of the text: file, or file and key
std::string builtInNote(const SourceInfo& source, const std::string& place);

/// Whether an array holds series: floats of shape [windows, steps, features] without axes of length one, but that of a
/// single feature.
bool holdsSeries(const NpyHeader& header);

/// The header with which an array is read as a matrix: windows x (steps * features) for series, else
/// without axes of length one.
/// @throws Error{BadInput} for series that are empty, or in Fortran order
NpyHeader asMatrix(const NpyHeader& header, const std::string& where);

/// Sets the shape and, for series, the window and built-in embedding of `parts` from an array's header.
/// @return asMatrix(header)
/// @throws Error{BadInput} when the array is neither a matrix nor series
NpyHeader setShape(EmbeddingParts& parts, const NpyHeader& header, const std::string& where);

/// Key by which an array is said to be series: the name of an array, or what stands behind a file's name.
inline constexpr const char* kSeriesKey = "series";

/// Requires a real set of windows of three features to be said to be series: [N, P, 3] is how point clouds are stored,
/// whose points have no order.
/// @throws Error{BadInput} that says how to say so
void requireSaidSeries(const EmbeddingParts& parts, const std::string& place);

/// Gives prepared series without pictures curves to look at (seriesPictures()).
void drawSeries(EmbeddingParts& parts);

/// Checks that a set is of the same kind as the real set.
/// @throws Error{BadInput} when the window shapes differ, when one has clips and the other frames as samples, or when
/// the real set uses the built-in picture embedding and
///         this set does not
void requireSameKind(const EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place);

} // namespace assay
