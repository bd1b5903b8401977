#include "engine/io/tables/table_header.h"

#include "engine/io/files/refusal.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_dates.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay {
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
        "both, as '" + printable(text) + "' beside " + beside +
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
