#include "engine/io/tables/table_categories.h"

#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kExamples = 5;
constexpr std::size_t kMaxUnknown = 100;

std::string columnText(const CategoryColumn& column) {
    return column.name.empty() ? "feature " + std::to_string(column.column + 1) : "'" + printable(column.name) + "'";
}

} // namespace

std::string categoryOf(std::string_view field, bool unitesMissing) {
    return unitesMissing && isAbsent(field) ? "(missing)" : utf8OrEscaped(trimmed(field));
}

CategoryEncoder::CategoryEncoder(std::vector<CategoryColumn> columns, bool unitesMissing)
    : columns_(std::move(columns)), unitesMissing_(unitesMissing), index_(columns_.size()), others_(columns_.size()) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        for (std::size_t i = 0; i < columns_[c].categories.size(); ++i)
            index_[c].emplace(columns_[c].categories[i], i);
        width_ += columns_[c].categories.size() + 1;
    }
}

std::size_t CategoryEncoder::indexOf(std::size_t column, std::string_view text) const {
    const auto at = index_[column].find(categoryOf(text, unitesMissing_));
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
            auto& known = others_[c].texts;
            const std::string text = categoryOf(texts[c], unitesMissing_);
            if (known.size() < kMaxUnknown || known.contains(text))
                ++known[text];
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
        const auto quoted = [](const auto& one) { return "'" + printable(one.first, 40) + "'"; };
        notes.push_back(text + joined(others_[c].texts, ", ", quoted, kExamples));
    }
    return notes;
}

std::vector<UnknownText> CategoryEncoder::unknownTexts() const {
    std::vector<UnknownText> unknown;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const auto first = static_cast<std::ptrdiff_t>(unknown.size());
        for (const auto& [text, count] : others_[c].texts)
            unknown.push_back({c, text, count});
        std::stable_sort(unknown.begin() + first, unknown.end(),
                         [](const UnknownText& a, const UnknownText& b) { return a.count > b.count; });
    }
    return unknown;
}

} // namespace assay
