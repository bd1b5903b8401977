#pragma once

#include <cstddef>
#include <string>

namespace assay {

class EmbeddingSet;

/// Names a set in messages: its file, plus the key of the array when the file has several; the set's name when it was
/// not read from a file.
std::string describe(const EmbeddingSet& set);

/// Checks that both sets came in the same way, as embeddings or by a built-in embedding (SourceInfo::builtIn), and have
/// the same number of columns.
/// @throws Error{BadInput} naming both sets otherwise
void requireComparable(const EmbeddingSet& real, const EmbeddingSet& other);

/// Checks that k-nearest-neighbour search within the set is possible: k >= 1 and more than k rows.
/// @throws Error{InvalidArgument} otherwise; the message names the set that has too few rows, and the largest k that it
/// allows
void requireMoreThan(std::size_t k, const EmbeddingSet& set);

} // namespace assay
