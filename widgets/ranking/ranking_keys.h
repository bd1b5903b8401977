#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

class EmbeddingSet;

/// Rank of every row when ordered by id, runs of digits as numbers; equal ids share a rank.
std::vector<double> idRanks(const EmbeddingSet& set);

/// 0, 1, .., rows - 1.
std::vector<double> rowNumbers(std::size_t rows);

/// Sorts rows by their keys, what is not a number last; equal ones stay in the order that they have. A million take
/// some 15 ms.
/// @param keys one for each row that `rows` may name
void sortByKey(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling);

} // namespace assay
