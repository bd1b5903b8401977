#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;

enum class SortDirection { Ascending, Descending };

/// Sort key of samples: "id", "class", "kept", "tags", "note" or the id of a column of their side.
struct SampleOrder {
    std::string column = "p_any";
    SortDirection direction = SortDirection::Ascending;
    Side side = Side::Synthetic; ///< which set is listed
};

/// Rank of every row when ordered by id, runs of digits as numbers; equal ids share a rank.
std::vector<double> idRanks(const EmbeddingSet& set);

/// 0, 1, .., rows - 1.
std::vector<double> rowNumbers(std::size_t rows);

/// What orders samples of equal value.
struct TieOrder {
    std::string_view column; ///< empty: nothing does
    SortDirection direction = SortDirection::Ascending;
};

/// Evidence orders ties: the statistic of the test that the order is about, else of the sample's verdict; worst first
/// where the order is.
TieOrder tieOrder(const SampleOrder& order);

/// Sorts rows by their keys, what is not a number last; equal ones stay in the order that they have. A million take
/// some 15 ms.
/// @param keys one for each row that `rows` may name
void sortByKey(std::vector<std::uint32_t>& rows, std::span<const double> keys, SortDirection direction);

} // namespace assay
