#include "engine/io/formats.h"
#include "engine/io/refusal.h"
#include "engine/io/table_reader.h"
#include "engine/io/text_encoding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kMostColumns = 65'536;

using Fields = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Whether a decimal number that no double holds is too large, and not too small.
bool isBeyond(std::string_view text) {
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view digits = text.substr(0, mark);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
    long exponent = 0;
    std::string_view power = mark < text.size() ? text.substr(mark + 1) : std::string_view();
    if (power.starts_with('+'))
        power.remove_prefix(1);
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
        return !power.starts_with('-');
    return exponent > static_cast<long>(first) - static_cast<long>(point);
}

/// The float32 nearest to a decimal number. @return nothing where the text is none, not even "nan"
std::optional<float> numberOf(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const char* end = text.data() + text.size();
    float value = 0.0F;
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (text.empty() || stop != end)
        return std::nullopt;
    if (code == std::errc::result_out_of_range) { // as small as nothing, or larger than any float32
        double wide = 0.0;
        if (std::from_chars(text.data(), end, wide).ec == std::errc::result_out_of_range && isBeyond(text))
            return std::nullopt;
        value = static_cast<float>(wide);
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string lower(std::string_view text) {
    std::string result(trimmed(text));
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

enum class Role { Feature, Id, Label, LeftOut };

/// What becomes of each column.
struct Columns {
    std::vector<Role> roles;
    std::vector<std::string> names; ///< empty: there is no header
    std::size_t features = 0;

    std::string text(std::size_t column) const {
        const std::string number = "column " + std::to_string(column + 1);
        return names.empty() ? number : number + " ('" + printable(names[column]) + "')";
    }
};

/// Whether a first line names the columns: where none of its fields is a number, or those that are count the columns,
/// as tables without names of their own are often written.
/// @throws Error{BadInput} for a mixture, which is a header for some and a sample for others
bool isHeader(const Fields& fields, const std::string& place) {
    std::optional<std::string_view> text;
    std::optional<float> last;
    bool counts = true;
    for (const std::string_view field : fields) {
        const std::optional<float> number = numberOf(field);
        if (!number) {
            text = field;
            continue;
        }
        counts = counts && (last ? *number == *last + 1.0F : *number == 0.0F || *number == 1.0F);
        last = number;
    }
    if (text && last && !counts)
        refuse(place, "names of columns or numbers",
               "both, as '" + printable(*text) +
                   "' beside a number; add a header that names the columns of "
                   "text id, path, label or class");
    return text.has_value();
}

Columns columnsOf(const Fields& first, const std::string& place, std::vector<std::string>& notes) {
    Columns columns;
    columns.roles.assign(first.size(), Role::Feature);
    if (isHeader(first, place)) {
        columns.names.assign(first.begin(), first.end());
        const auto assign = [&](Role role, auto isOne) {
            bool taken = false;
            for (std::size_t c = 0; c < first.size(); ++c) {
                if (!isOne(c, lower(first[c])))
                    continue;
                columns.roles[c] = taken ? Role::LeftOut : role;
                if (taken)
                    notes.push_back(place + ": " + columns.text(c) + " left out, as another one says the same");
                taken = true;
            }
        };
        assign(Role::Id, [](std::size_t c, const std::string& name) {
            // Tables with row names leave the first name empty.
            return name == "id" || name == "filename" || name == "file" || name == "path" || (c == 0 && name.empty());
        });
        assign(Role::Label, [](std::size_t, const std::string& name) { return name == "label" || name == "class"; });
    }
    columns.features = static_cast<std::size_t>(std::ranges::count(columns.roles, Role::Feature));
    if (columns.features == 0)
        refuse(place, "at least one column of numbers", "none");
    return columns;
}

/// Reads a table line by line.
class Table {
public:
    Table(const InputFile& input, const JobContext& job)
        : input_(input), job_(job), source_(input.open()), reader_(*source_, input.name()) {}

    EmbeddingParts read() {
        EmbeddingParts parts;
        if (!reader_.next())
            refuse(input_.name(), "lines of numbers", "none");
        separator_ = reader_.separator();
        const Fields& first = reader_.split(separator_);
        if (first.size() > kMostColumns)
            refuse(place(), "at most " + std::to_string(kMostColumns) + " columns", std::to_string(first.size()));
        columns_ = columnsOf(first, place(), parts.source.notes);
        if (columns_.names.empty())
            add(first);
        while (reader_.next()) {
            if (++rows_ % 256 == 0)
                job_.checkpoint(static_cast<double>(reader_.bytesDone()) / static_cast<double>(input_.size()));
            add(reader_.split(separator_));
        }
        parts.dim = columns_.features;
        parts.rows = values_.size() / parts.dim;
        if (parts.rows == 0)
            refuse(input_.name(), "at least one line of numbers", "only a header");
        parts.values = FloatStorage(std::move(values_));
        parts.ids = std::move(ids_);
        if (!labels_.empty())
            parts.labels = labelsFromText(labels_);
        return parts;
    }

private:
    std::string place() const { return input_.name() + ", line " + std::to_string(reader_.line()); }

    void add(const Fields& fields) {
        if (fields.size() != columns_.roles.size())
            refuse(place(), std::to_string(columns_.roles.size()) + " fields, as in the first line",
                   std::to_string(fields.size()));
        for (std::size_t c = 0; c < fields.size(); ++c)
            switch (columns_.roles[c]) {
            case Role::Feature:
                values_.push_back(feature(fields[c], c));
                break;
            case Role::Id:
                ids_.push_back(utf8OrLatin1(fields[c]));
                break;
            case Role::Label:
                labels_.push_back(utf8OrLatin1(fields[c]));
                break;
            case Role::LeftOut:
                break;
            }
    }

    float feature(std::string_view field, std::size_t column) const {
        if (const std::optional<float> value = numberOf(field))
            return *value;
        const bool text = !trimmed(field).empty() && lower(field) != "nan" && lower(field) != "na";
        refuse(place() + ", " + columns_.text(column), "a finite number within the range of float32",
               (field.empty() ? "nothing" : "'" + printable(field, 40) + "'") +
                   (text ? "; leave the column out, or name it id, path, label or class" : ""));
    }

    const InputFile& input_;
    const JobContext& job_;
    std::unique_ptr<ByteSource> source_;
    TableReader reader_;
    char separator_ = ',';
    Columns columns_;
    std::size_t rows_ = 0;
    std::vector<float> values_;
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
    // JSON and markup are text, too, and tell themselves apart.
    if (control || start == std::string_view::npos || std::string_view("{[<%#").find(text[start]) != text.npos)
        return false;
    // Prose has no numbers between separators. A header may be longer than what is looked at.
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
    if (!key.empty())
        refuse(input.name(), "an archive with a key '" + printable(key) + "'", "a table, which has no keys");
    return Table(input, job).read();
}

} // namespace assay
