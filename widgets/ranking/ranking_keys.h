#pragma once

#include "widgets/ranking/ranking_order.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;

/// Rank of every row when ordered by id, runs of digits as numbers; equal ids share a rank.
std::vector<double> idRanks(const EmbeddingSet& set);

/// 0, 1, .., rows - 1.
std::vector<double> rowNumbers(std::size_t rows);

/// What orders samples of equal value.
struct TieOrder {
    std::string_view column; ///< empty: nothing does
    bool falling = false;
};

/// Evidence orders ties: the statistic of the test that the order is about, else of the sample's verdict; worst first
/// where the order is.
TieOrder tieOrder(const RankingOrder& order);

/// Sorts rows by their keys, what is not a number last; equal ones stay in the order that they have. A million take
/// some 15 ms.
/// @param keys one for each row that `rows` may name
void sortByKey(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling);

} // namespace assay
