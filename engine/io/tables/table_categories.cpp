#include "engine/io/tables/table_categories.h"

#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_numbers.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kExamples = 5;

/// The text of a field for comparison: without surrounding blanks, as UTF-8.
std::string categoryOf(std::string_view field) {
    return utf8OrLatin1(trimmed(field));
}

std::string columnText(const CategoryColumn& column) {
    return column.name.empty() ? "feature " + std::to_string(column.column + 1) : "'" + printable(column.name) + "'";
}

} // namespace

CategorySurvey::CategorySurvey(const TableColumns& columns)
    : columns_(columns), features_(columns.featureColumns()), seen_(features_.size()) {}

void CategorySurvey::add(const Fields& fields) {
    ++rows_;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        const std::string_view field = fields[features_[f]];
        Seen& seen = seen_[f];
        if (!numberOf(field) && !isMissing(field) && seen.notNumbers++ == 0)
            seen.firstNotNumber = trimmed(field);
        if (seen.texts.size() <= kMostCategories && !seen.texts.contains(trimmed(field)))
            seen.texts.emplace(trimmed(field));
    }
}

std::string CategorySurvey::fewNotNumbers(const Seen& seen) const {
    if (2 * seen.notNumbers >= rows_)
        return {};
    return fmt::format("{} of {} fields {} no {} ('{}'{})", seen.notNumbers, rows_, seen.notNumbers == 1 ? "is" : "are",
                       seen.notNumbers == 1 ? "number" : "numbers", printable(seen.firstNotNumber, 40),
                       seen.notNumbers == 1 ? "" : ", ...");
}

std::vector<CategoryColumn> CategorySurvey::found(const std::string& place, std::vector<std::string>& notes) const {
    std::vector<CategoryColumn> all;
    for (std::size_t f = 0; f < features_.size(); ++f) {
        if (seen_[f].notNumbers == 0)
            continue;
        const std::string where = place + ", " + columns_.text(features_[f]);
        const std::string few = fewNotNumbers(seen_[f]);
        if (seen_[f].texts.size() > kMostCategories)
            refuse(where, "at most " + std::to_string(kMostCategories) + " different texts for --one-hot",
                   few.empty() ? "more; leave the column out, or name it id, path, label or class"
                               : "more, because " + few +
                                     "; leave those fields empty and add --drop-nan, or leave the column out");
        if (!few.empty())
            notes.push_back(fmt::format("{}: its numbers are categories, because {}", where, few));
        CategoryColumn column{static_cast<std::uint32_t>(f), columns_.name(features_[f]), {}};
        std::set<std::string> texts;
        for (const std::string& text : seen_[f].texts)
            texts.insert(categoryOf(text));
        column.categories.assign(texts.begin(), texts.end());
        all.push_back(std::move(column));
    }
    return all;
}

CategoryEncoder::CategoryEncoder(std::vector<CategoryColumn> columns)
    : columns_(std::move(columns)), index_(columns_.size()), others_(columns_.size()) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        for (std::size_t i = 0; i < columns_[c].categories.size(); ++i)
            index_[c].emplace(columns_[c].categories[i], i);
        width_ += columns_[c].categories.size() + 1;
    }
}

std::size_t CategoryEncoder::indexOf(std::size_t column, std::string_view text) const {
    const auto at = index_[column].find(categoryOf(text));
    return at != index_[column].end() ? at->second : columns_[column].categories.size();
}

void CategoryEncoder::append(const Fields& texts, std::vector<float>& values) {
    std::size_t first = values.size();
    values.resize(first + width_, 0.0F);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::size_t count = columns_[c].categories.size();
        const std::size_t at = indexOf(c, texts[c]);
        values[first + at] = 1.0F;
        if (at == count) {
            ++others_[c].count;
            if (others_[c].examples.size() < kExamples)
                others_[c].examples.insert(categoryOf(texts[c]));
        }
        first += count + 1;
    }
}

std::vector<std::string> CategoryEncoder::names() const {
    std::vector<std::string> names;
    for (const CategoryColumn& column : columns_) {
        for (const std::string& category : column.categories)
            names.push_back(column.name + "=" + category);
        names.push_back(column.name + "=(other)");
    }
    return names;
}

std::vector<std::string> CategoryEncoder::notes(const std::string& place) const {
    std::vector<std::string> notes;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (others_[c].count == 0)
            continue;
        std::string text = place + ": " + std::to_string(others_[c].count) + " texts of column " +
                           columnText(columns_[c]) + " are not in the real set and count as one other category: ";
        text +=
            joined(others_[c].examples, ", ", [](const std::string& one) { return "'" + printable(one, 40) + "'"; });
        notes.push_back(text + (others_[c].count > others_[c].examples.size() ? ", ..." : ""));
    }
    return notes;
}

} // namespace assay
