#include "engine/base/available_memory.h"
#include "engine/data/not_finite_advice.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/math/statistics/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kNamedMissing = 10;

/// How choices name a column, see PreparationChoice::withMissing.
std::string keyOf(const EmbeddingParts& parts, std::size_t column) {
    const std::vector<std::string>& names = parts.source.columnNames;
    return column < names.size() ? names[column] : std::to_string(column + 1);
}

std::string textOf(const EmbeddingParts& parts, std::size_t column) {
    const std::vector<std::string>& names = parts.source.columnNames;
    const std::string number = "column " + std::to_string(column + 1) + " of the features";
    return column < names.size() ? number + " ('" + printable(names[column], 40) + "')" : number;
}

/// Number of NaN in each column.
std::vector<std::size_t> countMissing(const EmbeddingParts& parts) {
    std::vector<std::size_t> counts(parts.dim, 0);
    const std::span<const float> values = parts.values.span();
    for (std::size_t i = 0; i < values.size(); ++i)
        counts[i % parts.dim] += std::isnan(values[i]) ? 1 : 0;
    return counts;
}

double medianOf(const EmbeddingParts& parts, std::size_t column, const std::string& place) {
    std::vector<double> present;
    const std::span<const float> values = parts.values.span();
    for (std::size_t i = column; i < values.size(); i += parts.dim)
        if (!std::isnan(values[i]))
            present.push_back(values[i]);
    if (present.empty())
        refuse(place + ", " + textOf(parts, column), "at least one value in the real set, for --missing indicate",
               "none; leave the column out (--ignore-columns)");
    return median(std::move(present));
}

} // namespace

std::vector<MissingColumn> fitMissing(const EmbeddingParts& parts, const std::vector<std::string>& also,
                                      const std::string& place) {
    const std::vector<std::size_t> counts = countMissing(parts);
    const bool any = std::ranges::any_of(counts, [](std::size_t count) { return count > 0; });
    if (any && parts.fileFacts.window.steps > 0)
        refuse(place, "series without missing values, for --missing indicate",
               "missing ones; --missing drop leaves such windows out");
    std::size_t indicators = 0; // of text columns; they are the last ones and have no missing values
    for (const CategoryColumn& text : parts.fileFacts.categories)
        indicators += text.categories.size() + 1;
    std::vector<MissingColumn> columns;
    for (std::size_t c = 0; c + indicators < parts.dim; ++c)
        if (counts[c] > 0 || std::ranges::find(also, keyOf(parts, c)) != also.end())
            columns.push_back({static_cast<std::uint32_t>(c), medianOf(parts, c, place)});
    return columns;
}

std::vector<float> filledValues(const EmbeddingParts& parts, const std::vector<MissingColumn>& columns) {
    std::vector<float> values(parts.values.span().begin(), parts.values.span().end());
    for (const MissingColumn& one : columns)
        for (std::size_t i = one.column; i < values.size(); i += parts.dim)
            if (std::isnan(values[i]))
                values[i] = static_cast<float>(one.median);
    return values;
}

void fillMissing(EmbeddingParts& parts, const std::vector<MissingColumn>& columns, const std::string& place) {
    const std::vector<std::size_t> counts = countMissing(parts);
    const auto isFilled = [&](std::size_t c) {
        return std::ranges::find(columns, c, &MissingColumn::column) != columns.end();
    };
    for (std::size_t c = 0; c < counts.size(); ++c)
        if (counts[c] > 0 && !isFilled(c))
            refuse(place + ", " + textOf(parts, c), "no missing values, as in the sets that the audit began with",
                   std::to_string(counts[c]) + "; leave these rows out, or make the audit anew with this set");
    if (columns.empty())
        return;
    requireMemory(parts.rows * (2 * parts.dim + columns.size()) * sizeof(float), place);
    const std::vector<float> filled = filledValues(parts, columns);
    const std::size_t wide = parts.dim + columns.size();
    std::vector<float> values(parts.rows * wide);
    for (std::size_t row = 0; row < parts.rows; ++row) {
        const auto to = values.begin() + static_cast<std::ptrdiff_t>(row * wide);
        std::ranges::copy(std::span(filled).subspan(row * parts.dim, parts.dim), to);
        for (std::size_t m = 0; m < columns.size(); ++m)
            to[static_cast<std::ptrdiff_t>(parts.dim + m)] =
                std::isnan(parts.values.span()[row * parts.dim + columns[m].column]) ? 1.0F : 0.0F;
    }
    std::size_t all = 0;
    for (const std::size_t count : counts)
        all += count;
    parts.source.notes.push_back(
        fmt::format("{}: {} missing {} filled with the real set's median, and a column of 0 and 1 added for each of {}",
                    place, all, all == 1 ? "value" : "values",
                    joined(
                        columns, ", ",
                        [&](const MissingColumn& one) { return "'" + printable(keyOf(parts, one.column), 40) + "'"; },
                        kNamedMissing)));
    if (!parts.source.columnNames.empty())
        for (const MissingColumn& one : columns)
            parts.source.columnNames.push_back(keyOf(parts, one.column) + "=(missing)");
    parts.values = FloatStorage(std::move(values));
    parts.dim = wide;
}

} // namespace assay
