#include "engine/base/available_memory.h"
#include "engine/base/find_by.h"
#include "engine/data/equal_rows.h"
#include "engine/data/finite.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_layout.h"
#include "engine/io/tables/table_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kExamples = 5;
constexpr std::size_t kMaxUnknown = 100;

std::string columnText(const CategoryColumn& column) {
    return column.name.empty() ? "feature " + std::to_string(column.column + 1) : inQuotes(column.name);
}

/// Converts texts of a table's columns to 0-1 columns: one per category of the real set, in the order of the
/// categories, and one for all other texts.
class CategoryEncoder {
public:
    explicit CategoryEncoder(std::vector<CategoryColumn> columns, bool unitesMissing = false)
        : columns_(std::move(columns)), unitesMissing_(unitesMissing), index_(columns_.size()),
          others_(columns_.size()) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            for (std::size_t i = 0; i < columns_[c].categories.size(); ++i)
                index_[c].emplace(columns_[c].categories[i], i);
            width_ += columns_[c].categories.size() + 1;
        }
    }

    /// Total number of 0-1 columns.
    std::size_t width() const noexcept { return width_; }
    /// Appends the 0-1 values of one row to `values`.
    /// @param texts one per text column, in their order
    void append(const Fields& texts, std::vector<float>& values) {
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
    /// Index of the value that is 1 for a text, among the 0-1 columns of the text column `column`.
    std::size_t indexOf(std::size_t column, std::string_view text) const {
        const auto at = index_[column].find(categoryOf(text, unitesMissing_));
        return at != index_[column].end() ? at->second : columns_[column].categories.size();
    }
    /// Names of the 0-1 columns: "job=clerk", and "job=(other)".
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const CategoryColumn& column : columns_) {
            for (const std::string& category : column.categories)
                names.push_back(column.name + "=" + category);
            names.push_back(column.name + "=(other)");
        }
        return names;
    }
    /// Notes about texts that are not among the categories, one sentence per column.
    std::vector<std::string> notes(const std::string& place) const {
        std::vector<std::string> notes;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (others_[c].count == 0)
                continue;
            std::string text = place + ": " + std::to_string(others_[c].count) + " texts of column " +
                               columnText(columns_[c]) + " are not in the real set and count as one other category: ";
            notes.push_back(
                text + joinedInQuotes(collected(others_[c].texts, [](const auto& counted) { return counted.first; }),
                                      kExamples));
        }
        return notes;
    }
    /// As SourceInfo::unknownTexts.
    std::vector<UnknownText> unknownTexts() const {
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

private:
    struct Other {
        std::size_t count = 0;
        std::map<std::string, std::size_t> texts; ///< with their rows; at most kMaxUnknown
    };

    std::vector<CategoryColumn> columns_;
    bool unitesMissing_;
    std::vector<std::map<std::string, std::size_t, std::less<>>> index_;
    std::vector<Other> others_;
    std::size_t width_ = 0;
};

/// Reads the values of a table.
class Table {
public:
    Table(const InputFile& input, const JobContext& job)
        : input_(input), reading_(input.reading()), job_(job), plan_(TablePlan::of(input, job)),
          columns_(plan_.columns()), features_(columns_.featureColumns()),
          encoder_(plan_.categories(), reading_.unitesMissing) {}

    EmbeddingParts read() {
        requireOffset();
        plan_.forEachLine(job_, [this](const Fields& fields, const Fields& asWritten) { add(fields, asWritten); });
        EmbeddingParts parts;
        parts.dim = columns_.features - plan_.categories().size() + encoder_.width();
        parts.rows = values_.size() / parts.dim;
        if (parts.rows == 0)
            refuse(input_.name(), "at least one line of numbers", "only a header");
        parts.source.notes = std::move(plan_.notes());
        std::ranges::move(encoder_.notes(input_.name()), std::back_inserter(parts.source.notes));
        parts.source.columnNames = featureNames();
        parts.source.unknownTexts = encoder_.unknownTexts();
        parts.values = FloatStorage(std::move(values_));
        parts.ids = std::move(ids_);
        if (!labels_.empty())
            parts.labels = labelsFromFields(std::move(labels_));
        if (const auto at = std::ranges::find(columns_.roles, Role::Group); at != columns_.roles.end())
            setGroups(parts, labelsFromFields(std::move(groups_)),
                      input_.name() + ": " + columns_.text(static_cast<std::size_t>(at - columns_.roles.begin())));
        parts.fileFacts = {.hasOffset = true,
                           .rowHash = std::move(rowHash_),
                           .categories = plan_.categories(),
                           .leftOutTexts = plan_.leftOutTexts(),
                           .dates = plan_.dates(),
                           .rowNumbers = plan_.rowNumbers(),
                           .isTable = !areEmbeddingNames(parts.source.columnNames)};
        return parts;
    }

private:
    using Role = TableColumns::Role;

    void requireOffset() const {
        const std::size_t columns = reading_.offset.size();
        if (columns > 0 && columns != columns_.features - plan_.categories().size() + encoder_.width())
            refuse(plan_.place(), std::to_string(columns) + " columns of features, as the real set has",
                   std::to_string(columns_.features));
    }

    std::vector<std::string> featureNames() const {
        std::vector<std::string> names;
        if (columns_.names.empty())
            return names;
        for (const std::size_t c : features_)
            if (columns_.roles[c] != Role::Category)
                names.push_back(columns_.names[c]);
        std::ranges::move(encoder_.names(), std::back_inserter(names));
        return names;
    }

    void add(const Fields& fields, const Fields& asWritten) {
        std::uint64_t hash = 0;
        std::size_t number = 0;
        std::size_t date = 0;
        texts_.clear();
        makeRoomFor(values_, columns_.features + encoder_.width(), input_.name());
        makeRoomFor(rowHash_, 1, input_.name());
        for (const std::size_t c : features_) {
            const Role role = columns_.roles[c];
            if (role == Role::Category) {
                texts_.push_back(asWritten[c]);
                continue;
            }
            const std::optional<double> wide = role == Role::Date ? plan_.days(fields[c], date++) : numberIn(fields[c]);
            const std::optional<float> value = rounded(wide, fields[c], number++);
            if (!value)
                refuseField(asWritten[c], c, wide.has_value());
            values_.push_back(*value);
            hash = rowHashWith(hash, std::bit_cast<std::uint64_t>(wide.value_or(0.0) + 0.0));
        }
        for (std::size_t c = 0; c < fields.size(); ++c) {
            if (columns_.roles[c] == Role::Id)
                ids_.push_back(utf8OrEscaped(asWritten[c]));
            else if (columns_.roles[c] == Role::Label)
                labels_.push_back(utf8OrEscaped(asWritten[c]));
            else if (columns_.roles[c] == Role::Group)
                groups_.push_back(utf8OrEscaped(asWritten[c]));
        }
        for (std::size_t t = 0; t < texts_.size(); ++t)
            hash = rowHashWith(hash, encoder_.indexOf(t, texts_[t]));
        if (!texts_.empty())
            encoder_.append(texts_, values_);
        rowHash_.push_back(hash);
    }

    static std::optional<double> numberIn(std::string_view field) {
        const std::optional<double> number = numberOf(field);
        return number ? number : truthOf(field);
    }

    /// The value of a field as float32; empty when it is refused.
    /// @param number index of the feature among those that are no text
    std::optional<float> rounded(std::optional<double> wide, std::string_view field, std::size_t number) const {
        const bool keep = reading_.notFinite == ValueReading::NotFinite::Kept;
        if (wide) {
            const float value = !reading_.offset.empty() ? static_cast<float>(*wide - reading_.offset[number])
                                : numberOf(field)        ? nearestFloat(field, *wide)
                                                         : static_cast<float>(*wide);
            return std::isfinite(value) || keep ? std::optional(value) : std::nullopt;
        }
        if (!keep)
            return std::nullopt;
        return isAbsent(field) ? std::optional(std::numeric_limits<float>::quiet_NaN()) : infinityOf(field);
    }

    [[noreturn]] void refuseField(std::string_view field, std::size_t column, bool isNumber) const {
        const std::string place = plan_.place() + ", " + columns_.text(column);
        const std::string found = field.empty() ? "nothing" : inQuotes(field, 40);
        if (columns_.roles[column] == Role::Date && !isMissing(field))
            refuse(place, "a date, as in the real set's column", found);
        if (isNumber || isMissing(field))
            refuse(place, "a finite number within the range of float32", found + "; " + std::string(kNotFiniteAdvice));
        if (const std::string advice = numberAdvice(field); !advice.empty())
            refuse(place, "a finite number within the range of float32", found + ", " + advice);
        refuse(place, "a finite number within the range of float32", found + "; " + std::string(kTextAdvice));
    }

    const InputFile& input_;
    const ValueReading& reading_;
    const JobContext& job_;
    TablePlan plan_;
    const TableColumns& columns_;
    std::vector<std::size_t> features_; ///< feature columns in the order in which they are read
    CategoryEncoder encoder_;
    Fields texts_; ///< text fields of the current line
    std::vector<float> values_;
    std::vector<std::uint64_t> rowHash_;
    std::vector<std::string> ids_;
    std::vector<std::string> labels_;
    std::vector<std::string> groups_;
};

/// The first lines of a text, as far as they are whole; at least one.
std::vector<std::string_view> linesOf(std::string_view text, bool isWhole) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.size(), text.find_first_of("\r\n"));
        const bool cut = end == text.size() && !isWhole && !lines.empty();
        if (end > 0 && !cut)
            lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return lines;
}

/// Whether text without numbers is divided into fields: equally often by one separator in each of several lines, as
/// prose is not.
bool isDivided(const std::vector<std::string_view>& lines) {
    const auto divides = [&](char separator) {
        const auto count = [&](std::string_view line) {
            bool quoted = false;
            return std::ranges::count_if(line, [&](char c) {
                quoted = quoted != (c == '"');
                return c == separator && !quoted;
            });
        };
        const auto first = count(lines.front());
        return first > 0 && std::ranges::all_of(lines, [&](std::string_view line) { return count(line) == first; });
    };
    return lines.size() > 2 && std::ranges::any_of(std::string_view(",;\t|"), divides);
}

/// Whether the line below the first one divides the head of a Markdown table from its body: |---|:-:|.
bool isMarkdown(const std::vector<std::string_view>& lines) {
    const auto isText = [](std::string_view line) { return !line.starts_with('#'); };
    const auto first = std::ranges::find_if(lines, isText);
    if (first == lines.end() || first + 1 == lines.end())
        return false;
    const std::string_view rule = *(first + 1);
    return rule.find("--") != rule.npos && rule.find('|') != rule.npos && rule.find_first_not_of("|-: \t") == rule.npos;
}

bool hasNumber(std::string_view line) {
    constexpr std::string_view separators = ",;|\t ";
    while (true) {
        const std::size_t end = line.find_first_of(separators);
        std::string_view field = trimmed(line.substr(0, end));
        if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
            field = field.substr(1, field.size() - 2);
        if (numberOf(field))
            return true;
        if (end == std::string_view::npos)
            return false;
        line.remove_prefix(end + 1);
    }
}

} // namespace

bool recognisesTable(const InputFile& input) {
    const std::string decoded = textHead(input);
    std::string_view text = decoded;
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const bool control = std::ranges::any_of(
        text, [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; });
    const std::size_t start = text.find_first_not_of(" \r\n");
    // JSON and markup are text, too, but begin with one of these characters.
    if (control || start == std::string_view::npos || std::string_view("{[<%").find(text[start]) != text.npos)
        return false;
    text.remove_prefix(start);
    // Words between blanks, which look like text of a table.
    if (text.starts_with("#!") || text.starts_with("version https://git-lfs"))
        return false;
    const bool isWhole = input.size() <= input.head().size();
    const std::vector<std::string_view> lines = linesOf(text, isWhole);
    // A header may be longer than the part that is checked.
    if (lines.size() == 1 && !isWhole)
        return lines.front().find_first_of(",;|\t") != std::string_view::npos;
    // Prose has no numbers between separators, and a Markdown text below its title has none either.
    const bool comment = lines.front().starts_with('#');
    const auto isRow = [](std::string_view line) { return !line.starts_with('#') && hasNumber(line); };
    return std::ranges::any_of(lines, isRow) || (!comment && isDivided(lines));
}

EmbeddingParts readTable(const InputFile& input, const std::string& key, const JobContext& job) {
    requireNoKey(input.name(), key, "a table, which has no keys");
    if (const std::string head = textHead(input); isMarkdown(linesOf(head, true)))
        refuse(input.name(), "a table with a delimiter between fields and one sample a line, such as CSV",
               "a Markdown table, whose line of dashes is no sample; save it as CSV, as pandas.DataFrame.to_csv does");
    return Table(input, job).read();
}

} // namespace assay
