#include "engine/io/tables/table_header.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

namespace assay {

std::string lowerCase(std::string_view name) {
    std::string result(trimmed(name));
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool isIdColumn(std::string_view name, std::size_t column, TableRules rules) {
    // The first six have always meant ids.
    constexpr std::array<std::string_view, 22> kNames{
        "id",         "ids",       "filename",   "file",        "path",       "image_path", "filenames",  "file_name",
        "file_names", "files",     "paths",      "filepath",    "filepaths",  "file_path",  "file_paths", "image_paths",
        "image_id",   "image_ids", "image_name", "image_names", "image_file", "img_path"};
    const auto known = std::span(kNames).first(rules == TableRules::First ? 6 : kNames.size());
    return (column == 0 && name.empty()) || std::ranges::find(known, name) != known.end();
}

bool mayBeIdColumn(std::string_view name) {
    return name == "image" || name == "images" || name == "img";
}

bool isLabelColumn(std::string_view name, TableRules rules) {
    return name == "label" || name == "class" ||
           (rules == TableRules::Current && (name == "labels" || name == "classes"));
}

bool mayBeLabelColumn(std::string_view name) {
    return name == "target" || name == "targets";
}

bool isRowNumberName(std::string_view name) {
    constexpr std::array<std::string_view, 20> kNames{
        "index", "idx", "row",  "rows", "rowid",    "rowname", "rownames", "rownum", "rownumber", "no",
        "nr",    "sno", "slno", "srno", "serialno", "number",  "num",      "sl",     "serial",    "level0"};
    const std::string lower = lowerCase(name);
    if (lower.starts_with("unnamed: ") || lower == "#")
        return true;
    std::string letters; // "S.No", "s_no" and "S No" are one name
    std::ranges::copy_if(lower, std::back_inserter(letters),
                         [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
    return std::ranges::find(kNames, letters) != kNames.end() || endsInId(name);
}

bool endsInId(std::string_view name) {
    const std::string lower = lowerCase(name);
    if (lower == "id" || lower == "uuid" || lower == "guid")
        return true;
    // "student_id", "user id", "PassengerId", "customerID", but not "covid" or "paid".
    const std::string_view own = trimmed(name);
    if (own.size() < 3 || !lower.ends_with("id"))
        return false;
    const char before = own[own.size() - 3];
    const bool apart = before == '_' || before == ' ' || before == '.' || before == '-' || before == ':';
    return apart || (own[own.size() - 2] == 'I' && std::islower(static_cast<unsigned char>(before)) != 0);
}

bool mayBeWeight(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames{"weight",        "weights",       "wt",     "wgt",
                                                     "sample_weight", "survey_weight", "fnlwgt", "sampling_weight"};
    return std::ranges::find(kNames, lowerCase(name)) != kNames.end();
}

bool areEmbeddingNames(const std::vector<std::string>& names) {
    constexpr std::array<std::string_view, 5> kStems{"embeddings", "embedding", "emb", "latents", "latent"};
    return !names.empty() && std::ranges::all_of(names, [&](const std::string& name) {
        const std::string lower = lowerCase(name);
        const auto stem = std::ranges::find_if(kStems, [&](std::string_view one) { return lower.starts_with(one); });
        if (stem == kStems.end())
            return false;
        std::string_view number = std::string_view(lower).substr(stem->size());
        if (number.starts_with('_') || number.starts_with('-') || number.starts_with('.') || number.starts_with(' '))
            number.remove_prefix(1);
        return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    });
}

namespace {

using Line = std::vector<std::string_view>;

/// A sample of so many numbers hardly counts 0, 1, 2, ... by chance.
constexpr std::size_t kCertain = 8;
/// The same where the rows below are written with decimals and the first line is not.
constexpr std::size_t kLikely = 3;

/// The kinds of fields in a first line.
struct FirstLine {
    std::size_t numbers = 0;
    std::size_t missing = 0;                  ///< an unnamed first column not counted
    bool unnamedFirst = false;                ///< the first field is empty, as programs head a column of row names
    bool counts = true;                       ///< the numbers are 0, 1, 2, ... or 1, 2, 3, ..., without decimals
    std::optional<std::string_view> name;     ///< a text
    std::optional<std::string_view> doubtful; ///< a text that the rows below do not show to be a name
    bool hasEvidence = false;                 ///< at least one text is shown to be a name
};

bool isWhole(std::string_view field) {
    return std::ranges::all_of(trimmed(field), [](char c) { return c >= '0' && c <= '9'; });
}

bool isName(std::string_view field, std::size_t column, const RowsBelow& below) {
    const std::string name = lowerCase(field);
    return isIdColumn(name, column) || mayBeIdColumn(name) || isLabelColumn(name) || mayBeLabelColumn(name) ||
           (below[column].numbers && !below[column].texts);
}

FirstLine examined(const Line& fields, const RowsBelow& below) {
    FirstLine line;
    std::optional<double> last;
    for (std::size_t c = 0; c < fields.size(); ++c) {
        if (const std::optional<double> number = numberOf(fields[c])) {
            const bool next = last ? *number == *last + 1.0 : *number == 0.0 || *number == 1.0;
            line.counts = line.counts && next && isWhole(fields[c]);
            last = number;
            ++line.numbers;
        } else if (c == 0 && trimmed(fields[c]).empty()) {
            line.unnamedFirst = true;
        } else if (isMissing(fields[c])) {
            ++line.missing;
        } else if ((below[c].truths && truthOf(fields[c])) || (below[c].dates && dateOrdersOf(fields[c]) != 0)) {
            line.counts = false; // a value like those below, and no count
            ++line.numbers;
        } else {
            line.name = fields[c];
            if (isName(fields[c], c, below))
                line.hasEvidence = true;
            else
                line.doubtful = fields[c];
        }
    }
    return line;
}

[[noreturn]] void refuseMixture(const std::string& place, std::string_view text, const char* beside) {
    refuse(
        place, "names of columns or numbers",
        "both, as " + inQuotes(text) + " beside " + beside +
            "; add a first line that names the columns (of text id, path, label or class, or take text as categories, "
            "--one-hot)");
}

bool hasDecimals(const Line& fields, const RowsBelow& below) {
    for (std::size_t c = 0; c < fields.size(); ++c)
        if (numberOf(fields[c]) && below[c].decimals)
            return true;
    return false;
}

[[noreturn]] void refuseCount(const std::string& place) {
    refuse(place, "names of columns or a sample",
           "numbers that count the columns, which may be either; name the columns by text, or write the numbers of a "
           "sample with decimals, such as 1.0");
}

/// Decides on a line of numbers alone that count the columns.
bool isCount(const FirstLine& line, bool decimals, const std::string& place, std::vector<std::string>& notes) {
    if (line.numbers >= kCertain || (decimals && line.numbers >= kLikely))
        return true;
    if (decimals || line.numbers >= kLikely)
        refuseCount(place);
    notes.push_back(place + ": taken as a sample, although its numbers could count the columns");
    return false;
}

} // namespace

void RowsBelow::add(const Line& fields) {
    if (fields.size() != columns_.size())
        return;
    for (std::size_t c = 0; c < fields.size(); ++c) {
        Column& column = columns_[c];
        const std::optional<double> number = numberOf(fields[c]);
        const bool missing = !number && isMissing(fields[c]);
        const bool truth = !number && truthOf(fields[c]);
        const bool date = !number && !missing && !truth && dateOrdersOf(fields[c]) != 0;
        column.truths = column.truths || truth;
        column.dates = column.dates || date;
        column.numbers = column.numbers || number || truth || date;
        column.decimals = column.decimals || (number && fields[c].find('.') != std::string_view::npos);
        column.missing = column.missing || missing;
        column.texts = column.texts || (!number && !missing && !truth && !date);
        if (column.watched && !missing)
            column.seen.emplace(fields[c]);
        column.runs =
            column.runs && number && *number == std::floor(*number) && (rows_ == 0 || *number == column.last + 1.0);
        column.last = number.value_or(0.0);
        const auto row = static_cast<double>(rows_);
        column.countsRows = column.countsRows && number && (*number == row || *number == row + 1.0);
    }
    ++rows_;
}

bool RowsBelow::repeats(std::size_t column) const {
    const Column& one = columns_[column];
    const bool whole = std::ranges::all_of(one.seen, [](const std::string& field) {
        const std::optional<double> number = numberOf(field);
        return !number || *number == std::floor(*number);
    });
    return one.watched && whole && 2 * one.seen.size() <= rows_ + 2;
}

RowsBelow readRowsBelow(const InputFile& input, const Line& first, const TableDialect& dialect) {
    RowsBelow below(first.size());
    for (std::size_t c = 0; c < first.size(); ++c)
        if (mayBeLabelColumn(lowerCase(first[c])))
            below.watch(c);
    TableLines lines(input, dialect);
    lines.next();
    while (!below.enough() && lines.next())
        below.add(lines.fields());
    return below;
}

bool isHeader(const Line& first, const RowsBelow& below, const std::string& place, std::vector<std::string>& notes) {
    const FirstLine line = examined(first, below);
    if (line.name && line.numbers > 0) {
        if (!line.counts)
            refuseMixture(place, *line.name, "a number");
        if (line.doubtful && line.numbers < kCertain && !below.empty())
            refuseMixture(place, *line.doubtful, "a number");
        return true;
    }
    if (line.name) {
        if (line.missing > 0 && !line.hasEvidence && !below.empty())
            refuseMixture(place, *line.name, "a missing value");
        return true;
    }
    // Without a name, a missing value belongs to a sample, unless an unnamed column of row names comes first.
    if (line.numbers == 0 || line.missing > 0 || !line.counts || below.empty())
        return false;
    if (!line.unnamedFirst)
        return isCount(line, hasDecimals(first, below), place, notes);
    const RowsBelow::Column& rowNames = below[0];
    if (rowNames.missing || rowNames.decimals)
        return false;
    if (!rowNames.texts && !rowNames.countsRows && !hasDecimals(first, below) && line.numbers < kCertain)
        refuseCount(place);
    return true;
}

} // namespace assay
