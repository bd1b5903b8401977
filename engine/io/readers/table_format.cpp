#include "engine/data/not_finite_advice.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/row_hash.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/readers/formats.h"
#include "engine/io/tables/table_categories.h"
#include "engine/io/tables/table_layout.h"
#include "engine/io/tables/table_numbers.h"
#include "engine/io/tables/table_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kMostColumns = 65'536;

/// Reads a table line by line.
class Table {
public:
    Table(const InputFile& input, const JobContext& job)
        : input_(input), reading_(input.reading()), job_(job), encoder_({}) {}

    EmbeddingParts read() {
        EmbeddingParts parts;
        std::vector<CategoryColumn> categories = reading_.categories;
        if (reading_.text == ValueReading::Text::Found)
            categories = survey(parts.source.notes);
        rows_ = 0;
        forEachLine(categories, parts.source.notes, [this](const Fields& fields) { add(fields); });
        const std::size_t texts = categories.size();
        parts.dim = columns_.features - texts + encoder_.width();
        parts.rows = values_.size() / parts.dim;
        if (parts.rows == 0)
            refuse(input_.name(), "at least one line of numbers", "only a header");
        const std::vector<std::string> others = encoder_.notes(input_.name());
        parts.source.notes.insert(parts.source.notes.end(), others.begin(), others.end());
        parts.source.columnNames = featureNames();
        parts.values = FloatStorage(std::move(values_));
        parts.ids = std::move(ids_);
        if (!labels_.empty())
            parts.labels = labelsFromText(labels_);
        parts.fileFacts = {true, std::move(rowHash_), std::move(categories)};
        return parts;
    }

private:
    using Role = TableColumns::Role;

    std::string place() const { return input_.name() + ", line " + std::to_string(reader_->line()); }

    /// Calls `take(fields)` for each sample. @pre the columns are known
    template <typename Take>
    void forEachLine(const std::vector<CategoryColumn>& categories, std::vector<std::string>& notes, const Take& take) {
        source_ = input_.open();
        reader_.emplace(*source_, input_.name());
        if (!reader_->next())
            refuse(input_.name(), "lines of numbers", "none");
        separator_ = reader_->separator();
        const Fields& first = reader_->split(separator_);
        if (first.size() > kMostColumns)
            refuse(place(), "at most " + std::to_string(kMostColumns) + " columns", std::to_string(first.size()));
        columns_ = columnsOf(first, readRowsBelow(input_, first.size(), separator_), place(), notes);
        if (columns_.arrangeAs(reading_.featureNames))
            notes.push_back(input_.name() + ": columns taken by their names, in the order of the real set");
        columns_.setText(categories, place());
        features_ = columns_.featureColumns();
        encoder_ = CategoryEncoder(categories);
        requireOffset();
        if (columns_.names.empty())
            take(first);
        while (reader_->next()) {
            if (++rows_ % 256 == 0)
                job_.checkpoint(static_cast<double>(reader_->bytesDone()) / static_cast<double>(input_.size()));
            const Fields& fields = reader_->split(separator_);
            if (fields.size() != columns_.roles.size())
                refuse(place(), std::to_string(columns_.roles.size()) + " fields, as in the first line",
                       std::to_string(fields.size()));
            take(fields);
        }
    }

    /// Finds the text columns in a first pass over the whole table. Only the second pass reports progress.
    std::vector<CategoryColumn> survey(std::vector<std::string>& notes) {
        std::optional<CategorySurvey> seen;
        std::vector<std::string> unused;
        const JobContext silent = job_.silent();
        forEachLine({}, unused, [&](const Fields& fields) {
            if (!seen)
                seen.emplace(columns_);
            silent.throwIfStopped();
            seen->add(fields);
        });
        return seen ? seen->found(input_.name(), notes) : std::vector<CategoryColumn>();
    }

    void requireOffset() const {
        const std::size_t columns = reading_.offset.size();
        const auto texts = static_cast<std::size_t>(std::ranges::count(columns_.roles, Role::Text));
        if (columns > 0 && columns != columns_.features - texts + encoder_.width())
            refuse(place(), std::to_string(columns) + " columns of features, as the real set has",
                   std::to_string(columns_.features));
    }

    std::vector<std::string> featureNames() const {
        std::vector<std::string> names;
        if (columns_.names.empty())
            return names;
        for (const std::size_t c : features_)
            if (columns_.roles[c] == Role::Number)
                names.push_back(columns_.names[c]);
        const std::vector<std::string> indicators = encoder_.names();
        names.insert(names.end(), indicators.begin(), indicators.end());
        return names;
    }

    void add(const Fields& fields) {
        std::uint64_t hash = 0;
        std::size_t number = 0;
        texts_.clear();
        for (const std::size_t c : features_) {
            if (columns_.roles[c] == Role::Text) {
                texts_.push_back(fields[c]);
                continue;
            }
            const double wide = feature(fields[c], c, number++);
            hash = rowHashWith(hash, std::bit_cast<std::uint64_t>(wide + 0.0));
        }
        for (std::size_t c = 0; c < fields.size(); ++c) {
            if (columns_.roles[c] == Role::Id)
                ids_.push_back(utf8OrLatin1(fields[c]));
            else if (columns_.roles[c] == Role::Label)
                labels_.push_back(utf8OrLatin1(fields[c]));
        }
        for (std::size_t t = 0; t < texts_.size(); ++t)
            hash = rowHashWith(hash, encoder_.indexOf(t, texts_[t]));
        if (!texts_.empty())
            encoder_.append(texts_, values_);
        rowHash_.push_back(hash);
    }

    /// Adds one number to the current row. @return its value in the file
    double feature(std::string_view field, std::size_t column, std::size_t number) {
        const bool keep = reading_.notFinite == ValueReading::NotFinite::Kept;
        const std::optional<double> wide = numberOf(field);
        if (wide) {
            const float value = reading_.offset.empty() ? nearestFloat(field, *wide)
                                                        : static_cast<float>(*wide - reading_.offset[number]);
            if (std::isfinite(value) || keep) {
                values_.push_back(value);
                return *wide;
            }
        }
        if (keep && isMissing(field)) {
            values_.push_back(std::numeric_limits<float>::quiet_NaN());
            return 0.0;
        }
        const std::string found = field.empty() ? "nothing" : "'" + printable(field, 40) + "'";
        const bool text = !wide && !isMissing(field);
        refuse(place() + ", " + columns_.text(column), "a finite number within the range of float32",
               found +
                   (text ? std::string(
                               "; leave the column out, name it id, path, label or class, or take text as categories "
                               "(--one-hot)")
                         : "; " + std::string(kNotFiniteAdvice)));
    }

    const InputFile& input_;
    const ValueReading& reading_;
    const JobContext& job_;
    std::unique_ptr<ByteSource> source_;
    std::optional<TableReader> reader_;
    char separator_ = ',';
    TableColumns columns_;
    std::vector<std::size_t> features_; ///< feature columns in the order in which they are read
    CategoryEncoder encoder_;
    std::size_t rows_ = 0;
    Fields texts_; ///< text fields of the current line
    std::vector<float> values_;
    std::vector<std::uint64_t> rowHash_;
    std::vector<std::string> ids_;
    std::vector<std::string> labels_;
};

} // namespace

bool recognisesTable(const InputFile& input) {
    std::string_view text(reinterpret_cast<const char*>(input.head().data()), input.head().size());
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const bool control = std::ranges::any_of(
        text, [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; });
    const std::size_t start = text.find_first_not_of(" \r\n");
    // JSON and markup are text, too, but begin with one of these characters.
    if (control || start == std::string_view::npos || std::string_view("{[<%#").find(text[start]) != text.npos)
        return false;
    // Prose has no numbers between separators. A header may be longer than the part that is checked.
    constexpr std::string_view separators = ",;\t\r\n";
    std::string_view lines = text.substr(start);
    if (lines.find('\n') == text.npos && input.size() > input.head().size())
        return lines.find_first_of(separators) != text.npos;
    while (true) {
        const std::size_t end = lines.find_first_of(separators);
        std::string_view field = trimmed(lines.substr(0, end));
        if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
            field = field.substr(1, field.size() - 2);
        if (numberOf(field))
            return true;
        if (end == text.npos)
            return false;
        lines.remove_prefix(end + 1);
    }
}

EmbeddingParts readTable(const InputFile& input, const std::string& key, const JobContext& job) {
    requireNoKey(input.name(), key, "a table, which has no keys");
    return Table(input, job).read();
}

} // namespace assay
