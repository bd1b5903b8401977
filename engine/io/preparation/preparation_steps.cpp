#include "engine/io/preparation/preparation_steps.h"

#include "engine/base/available_memory.h"
#include "engine/base/parallel.h"
#include "engine/data/equal_rows.h"
#include "engine/data/finite.h"
#include "engine/data/image_store.h"
#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_fields.h"
#include "engine/math/statistics/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kNamedRows = 10;

/// Keeps only the entries of the given rows. @param before number of rows before the removal
template <typename Entry>
void keep(std::vector<Entry>& entries, const std::vector<std::size_t>& rows, std::size_t before) {
    if (entries.size() != before)
        return; // none, or too few: EmbeddingSet then reports it
    std::size_t to = 0;
    for (const std::size_t row : rows) {
        if (to != row)
            entries[to] = std::move(entries[row]);
        ++to;
    }
    entries.resize(to);
}

std::string noteText(const EmbeddingParts& parts, const std::vector<std::size_t>& dropped) {
    const bool one = dropped.size() == 1;
    const std::string text = std::to_string(dropped.size()) +
                             (one ? " row with a value that is" : " rows with values that are") + " not finite " +
                             (one ? "was" : "were") + " dropped: ";
    const auto nameOf = [&](std::size_t row) {
        return std::to_string(row) + (parts.ids.empty() ? "" : " (" + inQuotes(parts.ids[row], 40) + ")");
    };
    return text + joined(dropped, ", ", nameOf, kNamedRows) + " (counted from 0)";
}

void keepLabels(ClassLabels& labels, const std::vector<std::size_t>& rows, std::size_t before) {
    keep(labels.code, rows, before);
    std::vector<std::uint32_t> renumbered(labels.names.size(), 0);
    for (const std::uint32_t code : labels.code)
        renumbered[code] = 1;
    std::vector<std::string> names; // classes without remaining rows are removed
    for (std::size_t code = 0; code < renumbered.size(); ++code)
        if (renumbered[code] != 0) {
            renumbered[code] = static_cast<std::uint32_t>(names.size());
            names.push_back(labels.names[code]);
        }
    for (std::uint32_t& code : labels.code)
        code = renumbered[code];
    labels.names = std::move(names);
}

} // namespace

void dropNotFinite(EmbeddingParts& parts, bool wanted, const std::string& place) {
    if (!wanted || parts.values.size() != parts.rows * parts.dim || parts.dim == 0 ||
        firstNotFinite(parts.values.span()) == parts.values.size())
        return;
    const std::span<const float> values = parts.values.span();
    std::vector<std::size_t> rows;
    std::vector<std::size_t> dropped;
    for (std::size_t row = 0; row < parts.rows; ++row) {
        const auto one = values.subspan(row * parts.dim, parts.dim);
        (firstNotFinite(one) == one.size() ? rows : dropped).push_back(row);
    }
    std::vector<std::size_t> notFinite(parts.dim, 0);
    for (const std::size_t row : dropped)
        for (std::size_t c = 0; c < parts.dim; ++c)
            notFinite[c] += std::isfinite(values[row * parts.dim + c]) ? 0 : 1;
    if (rows.empty())
        refuse(place, "some rows of finite values", "none");
    if (!place.empty())
        parts.source.notes.push_back(place + ": " + noteText(parts, dropped));
    std::vector<float> kept;
    reserveFor(kept, rows.size() * parts.dim, place);
    for (const std::size_t row : rows)
        kept.insert(kept.end(), values.begin() + static_cast<std::ptrdiff_t>(row * parts.dim),
                    values.begin() + static_cast<std::ptrdiff_t>((row + 1) * parts.dim));
    const std::size_t before = parts.rows;
    if (parts.ids.empty())
        for (const std::size_t row : rows)
            parts.ids.push_back(std::to_string(row));
    else
        keep(parts.ids, rows, before);
    for (ClassLabels* labels : {&parts.labels, &parts.groups})
        if (labels->code.size() == before)
            keepLabels(*labels, rows, before);
    keep(parts.fileFacts.rowHash, rows, before);
    if (parts.images && parts.images->rows() == before)
        parts.images = chosenPictures(std::move(parts.images), {rows.begin(), rows.end()});
    parts.values = FloatStorage(std::move(kept));
    parts.rows = rows.size();
    parts.source.droppedRows = std::move(dropped);
    parts.source.droppedValues = std::move(notFinite);
}

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
    return column < names.size() ? number + " (" + inQuotes(names[column], 40) + ")" : number;
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
    const std::size_t indicators = indicatorsOf(parts.fileFacts.categories); // they have no missing values
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
                        columns, ", ", [&](const MissingColumn& one) { return inQuotes(keyOf(parts, one.column), 40); },
                        kNamedMissing)));
    if (!parts.source.columnNames.empty())
        for (const MissingColumn& one : columns)
            parts.source.columnNames.push_back(keyOf(parts, one.column) + "=(missing)");
    parts.values = FloatStorage(std::move(values));
    parts.dim = wide;
}

std::size_t indicatorsOf(const std::vector<CategoryColumn>& texts) {
    std::size_t columns = 0;
    for (const CategoryColumn& text : texts)
        columns += text.categories.size() + 1;
    return columns;
}

std::vector<std::string> featureNamesOf(const EmbeddingParts& parts) {
    const std::vector<std::string>& columns = parts.source.columnNames; // numbers, then 0-1 columns
    const std::vector<CategoryColumn>& texts = parts.fileFacts.categories;
    const std::size_t indicators = indicatorsOf(texts);
    if (columns.empty() || columns.size() < indicators)
        return {};
    std::vector<std::string> names(columns.begin(), columns.end() - static_cast<std::ptrdiff_t>(indicators));
    for (const CategoryColumn& text : texts) // in the order of the columns
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(text.column, names.size())),
                     text.name);
    const bool count = std::ranges::all_of(names, [](const std::string& name) { return numberOf(name).has_value(); });
    return count ? std::vector<std::string>() : names;
}

void requireSameNames(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place) {
    const std::vector<std::string>& real = preparation.featureNames;
    const std::vector<std::string> names = featureNamesOf(parts);
    if (names.size() != real.size())
        return;
    const auto same = [](const std::string& a, const std::string& b) { return trimmed(a) == trimmed(b); };
    const auto differing = std::ranges::mismatch(names, real, same).in1;
    if (differing == names.end())
        return;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto elsewhere =
            std::ranges::find_if(real, [&](const std::string& name) { return same(name, names[c]); });
        if (!same(names[c], real[c]) && elsewhere != real.end())
            refuse(place,
                   inQuotes(names[c], 40) + " as feature " + std::to_string(elsewhere - real.begin() + 1) +
                       ", as in the real set",
                   "it as feature " + std::to_string(c + 1));
    }
    const auto at = static_cast<std::size_t>(differing - names.begin());
    parts.source.notes.push_back(place +
                                 ": columns compared by their order, as their names differ from the real set's: " +
                                 inQuotes(names[at], 40) + " with " + inQuotes(real[at], 40) + ", for example");
}

namespace {

struct Hashed {
    std::uint64_t rounded = 0; ///< hash of the row as float32
    std::uint64_t inFile = 0;
    std::size_t row = 0;
};

std::vector<Hashed> hashRows(const EmbeddingParts& parts, const ComputeContext& context) {
    std::vector<Hashed> hashes(parts.rows);
    const std::size_t pieceRows = std::max<std::size_t>(1, (std::size_t{1} << 20) / parts.dim);
    const auto hashRange = [&](std::size_t row, std::size_t last, unsigned) {
        for (; row < last; ++row) {
            std::uint64_t hash = 0;
            for (const float value : parts.values.span().subspan(row * parts.dim, parts.dim))
                hash = rowHashWith(hash, std::bit_cast<std::uint32_t>(value + 0.0F));
            hashes[row] = {hash, parts.fileFacts.rowHash[row], row};
        }
    };
    parallelRanges(parts.rows, pieceRows, context.threads, context.job, hashRange);
    return hashes;
}

} // namespace

void noteEqualRows(EmbeddingParts& parts, const std::string& place, const ComputeContext& context) {
    if (parts.fileFacts.rowHash.size() != parts.rows)
        return;
    std::vector<Hashed> hashes = hashRows(parts, context);
    std::ranges::sort(hashes, {}, [](const Hashed& one) { return std::pair(one.rounded, one.row); });
    std::size_t equal = 0;
    std::pair<std::size_t, std::size_t> example{parts.rows, 0};
    for (std::size_t first = 0; first < hashes.size();) {
        std::size_t end = first + 1;
        std::size_t other = first; // first row that differs in the file
        for (; end < hashes.size() && hashes[end].rounded == hashes[first].rounded; ++end)
            if (other == first && hashes[end].inFile != hashes[first].inFile)
                other = end;
        if (other != first) {
            equal += end - first;
            example = std::min(example, std::pair(hashes[first].row, hashes[other].row));
        }
        first = end;
    }
    if (equal > 0)
        parts.source.notes.push_back(fmt::format(
            "{}: {} rows are equal to others once rounded to float32, from which they differ in the file (rows {} and "
            "{}, for example): distances between them count as 0",
            place, equal, example.first, example.second));
}

} // namespace assay
