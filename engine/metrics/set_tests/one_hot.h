#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/preparation.h"
#include "engine/metrics/tables/compared_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Consecutive 0-1 columns of which one is 1: a column of categories.
struct OneHotColumns {
    std::uint32_t first = 0; ///< its first column of the embedding
    std::uint32_t count = 0; ///< its columns: categories

    bool operator==(const OneHotColumns&) const = default;
};

/// How columns of an embedding came about.
struct FeatureOrigin {
    const ValuePreparation* preparation = nullptr; ///< of the real set; null: values are as in the file
    std::span<const std::string> names = {};       ///< of the columns; empty: they have none
};

/// The first rows of a set.
struct SetRows {
    const ComparedRows& set;
    std::size_t rows; ///< so many are looked at
};

/// The one-hot columns of two sets, ascending. Of tables these are the text columns (FeatureLayout). Other columns
/// count as one-hot where at least two in a row hold only 0 and 1 in both sets and exactly one of them is 1 in every
/// real row. Named columns of the form "question=answer" that follow these with the same question belong to them, also
/// if the answer is in no real row.
/// @throws Cancelled
std::vector<OneHotColumns> oneHotColumns(const SetRows& real, const SetRows& synthetic, const FeatureOrigin& origin,
                                         const ComputeContext& context);

/// How many rows have each category. Of a text column a row has one category (categoryOf()); of other columns those
/// whose value is above 0.5.
/// @param rows the first so many rows are counted
/// @return one count per column of each run, in their order @throws Cancelled
std::vector<std::size_t> categoryCounts(const ComparedRows& set, std::size_t rows,
                                        std::span<const OneHotColumns> columns, const FeatureOrigin& origin,
                                        const ComputeContext& context);

} // namespace assay
