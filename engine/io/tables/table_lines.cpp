#include "engine/io/tables/table_lines.h"

#include "engine/base/error.h"
#include "engine/io/files/text_source.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kSampledLines = 64;
constexpr std::size_t kSampledBytes = std::size_t{1} << 20;
/// In the order of preference among separators that fit equally well.
constexpr std::array kSeparators{'\t', ';', '|', ','};

std::string_view withoutSign(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    return text;
}

/// A number with its only comma in place of a point.
bool hasDecimalComma(std::string_view field) {
    if (std::ranges::count(field, ',') != 1 || field.find('.') != std::string_view::npos)
        return false;
    std::string text(field);
    std::ranges::replace(text, ',', '.');
    return numberOf(text).has_value();
}

/// Whether a field is written with a decimal sign, and with which.
enum class DecimalSign { None, Point, Comma, Either };

DecimalSign decimalSignOf(std::string_view field) {
    if (hasDecimalComma(field))
        return isGrouped(field) ? DecimalSign::Either : DecimalSign::Comma;
    const bool point = field.find('.') != std::string_view::npos && numberOf(field);
    return point ? DecimalSign::Point : DecimalSign::None;
}

bool isValue(std::string_view field, char separator) {
    return numberOf(field) || isMissing(field) || truthOf(field) || (separator != ',' && hasDecimalComma(field));
}

/// How well a separator divides the first lines.
struct Division {
    char separator = ',';
    bool even = true;       ///< equally many fields in each line, at least two
    bool namesRows = false; ///< but one less in the first line, which has no value
    std::size_t lines = 0;
    std::size_t fields = 0; ///< of a line
    std::size_t all = 0;
    std::size_t values = 0;   ///< fields that are numbers or missing
    bool numbersBelow = true; ///< of the lines below the first
    bool numberBelow = true;  ///< in each of them

    void add(const std::vector<std::string_view>& line) {
        const auto found = static_cast<std::size_t>(
            std::ranges::count_if(line, [&](std::string_view field) { return isValue(field, separator); }));
        if (lines++ == 0) {
            fields = line.size();
        } else {
            const bool isList = fields > 1 || separator == ' ';
            if (lines == 2 && line.size() == fields + 1 && isList && values == 0 && !line.back().empty()) {
                namesRows = true;
                ++fields;
            }
            numbersBelow = numbersBelow && found == line.size();
            numberBelow = numberBelow && found > 0;
        }
        even = even && line.size() == fields && (fields > 1 || lines == 1);
        all += line.size();
        values += found;
    }
    bool isTable() const { return even && fields > 1; }
    /// Whether every line has a name for each field, and the share of values.
    std::pair<bool, double> fit() const { return {!namesRows, static_cast<double>(values) / static_cast<double>(all)}; }
};

/// The separator that the first line has most of; a comma when it has none.
char mostFrequent(std::string_view record) {
    constexpr std::array order{',', ';', '\t', '|'};
    std::array<std::size_t, order.size()> counts{};
    bool quoted = false;
    for (const char c : record) {
        quoted = quoted != (c == '"');
        for (std::size_t s = 0; !quoted && s < order.size(); ++s)
            counts[s] += c == order[s] ? 1 : 0;
    }
    return order[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/// Skips the comments at the beginning. @return whether a line follows
bool skipComments(TableReader& reader, std::size_t& comments, std::string& last) {
    while (reader.nextLine()) {
        const std::string_view record = reader.record();
        if (!record.starts_with('#') && !(record.size() == 5 && lowerCase(record).starts_with("sep=")))
            return true;
        last = reader.record();
        ++comments;
    }
    return false;
}

bool isComment(const TableReader& reader) {
    return reader.record().starts_with("# ") || reader.record() == "#";
}

/// Passes the comments at the beginning. @return whether a record follows
bool nextBelow(TableReader& reader, std::size_t comments) {
    for (std::size_t c = 0; c < comments; ++c)
        reader.nextLine();
    return reader.next();
}

/// How a separator divides the first lines. Not evenly, where quotes contradict it.
Division divisionBy(char separator, const InputFile& input, std::size_t comments) {
    Division division{.separator = separator};
    const auto source = openText(input);
    TableReader reader(*source, input.name(), separator);
    try {
        std::size_t bytes = 0;
        for (bool more = nextBelow(reader, comments);
             more && division.even && division.lines < kSampledLines && bytes < kSampledBytes; more = reader.next()) {
            bytes += reader.record().size();
            if (comments == 0 || !isComment(reader))
                division.add(reader.split());
        }
    } catch (const Error&) { // said when the table is read
        division.even = false;
    }
    return division;
}

/// The division by the separator that fits best.
/// @param first the first line that is no comment
Division bestDivision(const InputFile& input, const std::string& first, std::size_t comments) {
    Division best{.separator = mostFrequent(first), .even = false};
    for (const char separator : kSeparators)
        if (const Division found = divisionBy(separator, input, comments);
            found.isTable() && (!best.even || found.fit() > best.fit()))
            best = found;
    if (best.even || first.find_first_of(",;|") != std::string::npos)
        return best;
    // Words of a text are divided by blanks, too.
    const Division blanks = divisionBy(' ', input, comments);
    const bool rows = blanks.lines > 1 ? blanks.numbersBelow || (blanks.namesRows && blanks.numberBelow)
                                       : blanks.values == blanks.all;
    return blanks.isTable() && rows ? blanks : best;
}

/// Reads on until a number shows its decimal sign.
bool usesDecimalComma(const InputFile& input, const TableDialect& dialect) {
    const auto source = openText(input);
    TableReader reader(*source, input.name(), dialect.separator);
    std::size_t commas = 0;
    std::size_t points = 0;
    bool more = nextBelow(reader, dialect.comments);
    for (std::size_t lines = 0; (lines < kSampledLines || commas + points == 0) && more; ++lines) {
        if (dialect.comments == 0 || !reader.record().starts_with('#'))
            for (const std::string_view field : reader.split()) {
                const DecimalSign sign = decimalSignOf(field);
                commas += sign == DecimalSign::Comma ? 1 : 0;
                points += sign == DecimalSign::Point ? 1 : 0;
            }
        more = reader.next();
    }
    return commas > points;
}

} // namespace

TableDialect dialectOf(const InputFile& input) {
    TableDialect dialect;
    const auto source = openText(input);
    TableReader reader(*source, input.name(), dialect.separator);
    std::string comment;
    if (!skipComments(reader, dialect.comments, comment))
        return dialect;
    const Division division = bestDivision(input, std::string(reader.record()), dialect.comments);
    dialect.separator = division.separator;
    dialect.namesRows = division.even && division.namesRows;
    dialect.decimalComma = dialect.separator != ',' && usesDecimalComma(input, dialect);
    if (!comment.starts_with('#'))
        return dialect;
    TableDialect named = dialect;
    named.namesInComment = true;
    TableLines lines(input, named);
    lines.next();
    const std::size_t names = lines.fields().size();
    lines.next();
    const bool numbers = std::ranges::any_of(lines.fields(), [](auto field) { return numberOf(field).has_value(); });
    dialect.namesInComment = numbers && names == lines.fields().size();
    return dialect;
}

TableLines::TableLines(const InputFile& input, const TableDialect& dialect)
    : dialect_(dialect), source_(openText(input)), reader_(*source_, input.name(), dialect.separator) {}

bool TableLines::next() {
    while (comments_ < dialect_.comments ? reader_.nextLine() : reader_.next()) {
        const bool atBeginning = comments_ < dialect_.comments;
        comments_ += atBeginning ? 1 : 0;
        const bool names = atBeginning && dialect_.namesInComment && comments_ == dialect_.comments;
        const bool comment = atBeginning || (dialect_.comments > 0 && isComment(reader_));
        if (comment && !names)
            continue;
        if (names)
            reader_.skipCommentSign();
        fields_ = reader_.split();
        if (dialect_.namesRows && !std::exchange(isBelow_, true))
            fields_.insert(fields_.begin(), std::string_view());
        raw_.clear();
        if (dialect_.decimalComma)
            pointDecimals();
        return true;
    }
    return false;
}

/// A number's comma becomes a point, and its point a comma, so that the latter is not taken for a decimal point.
void TableLines::pointDecimals() {
    raw_ = fields_;
    withPoints_.clear();
    withPoints_.reserve(fields_.size()); // fields_ holds views of these strings
    for (std::string_view& field : fields_) {
        const std::string_view number = withoutSign(field);
        const bool isNumeric = number.find_first_not_of("0123456789.,eE+-") == std::string_view::npos;
        const auto points = std::ranges::count(field, '.');
        const bool hasComma = field.find(',') != std::string_view::npos;
        if (!isNumeric || (!hasComma && points != 1)) // dates have two points
            continue;
        std::string text(field);
        for (char& c : text)
            c = c == ',' ? '.' : c == '.' ? ',' : c;
        field = withPoints_.emplace_back(std::move(text));
    }
}

} // namespace assay
