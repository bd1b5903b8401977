#pragma once

#include <cstddef>
#include <string>

namespace assay {

class EmbeddingSet;

/// Where a set comes from, for messages: its file, with the array's key where the file has several; its name when it
/// was not read from a file.
std::string describe(const EmbeddingSet& set);

/// @throws Error{BadInput} naming both sets unless `other` has as many columns as the real set
void requireSameDimension(const EmbeddingSet& real, const EmbeddingSet& other);

/// A set of k rows or fewer has no k-th neighbour. @throws Error{InvalidArgument} naming the set, or for k = 0
void requireMoreThan(std::size_t k, const EmbeddingSet& set);

} // namespace assay
