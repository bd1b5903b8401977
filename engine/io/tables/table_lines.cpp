#include "engine/io/tables/table_lines.h"

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
    bool even = true;       ///< equally many fields in each line, at least two
    std::size_t fields = 0; ///< of the first line
    std::size_t all = 0;
    std::size_t values = 0;   ///< fields that are numbers or missing
    bool numbersBelow = true; ///< of the lines below the first
    bool isFirst = true;

    void add(const std::vector<std::string_view>& line, char separator) {
        const auto found = static_cast<std::size_t>(
            std::ranges::count_if(line, [&](std::string_view field) { return isValue(field, separator); }));
        if (std::exchange(isFirst, false))
            fields = line.size();
        else
            numbersBelow = numbersBelow && found == line.size();
        even = even && line.size() == fields && fields > 1;
        all += line.size();
        values += found;
    }
    double share() const { return static_cast<double>(values) / static_cast<double>(all); }
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
    while (reader.next()) {
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

/// @param comments whether later lines may be comments, too
char separatorOf(TableReader& reader, bool comments) {
    std::array<Division, kSeparators.size()> found;
    Division blanks;
    const std::string first(reader.record());
    std::size_t lines = 0;
    std::size_t bytes = 0;
    do {
        if (comments && isComment(reader))
            continue;
        for (std::size_t s = 0; s < kSeparators.size(); ++s)
            if (found[s].even)
                found[s].add(reader.split(kSeparators[s]), kSeparators[s]);
        if (blanks.even)
            blanks.add(reader.split(' '), ' ');
        bytes += reader.record().size();
    } while (++lines < kSampledLines && bytes < kSampledBytes && reader.next());
    const Division* best = nullptr;
    for (const Division& one : found)
        if (one.even && (best == nullptr || one.share() > best->share()))
            best = &one;
    if (best != nullptr)
        return kSeparators[static_cast<std::size_t>(best - found.data())];
    // Words of a text are divided by blanks, too.
    const bool rows = lines > 1 ? blanks.numbersBelow : blanks.values == blanks.all;
    return blanks.even && rows && first.find_first_of(",;|") == std::string::npos ? ' ' : mostFrequent(first);
}

/// Reads on until a number shows its decimal sign.
bool usesDecimalComma(const InputFile& input, const TableDialect& dialect) {
    const auto source = openText(input);
    TableReader reader(*source, input.name());
    std::size_t commas = 0;
    std::size_t points = 0;
    for (std::size_t lines = 0; (lines < kSampledLines || commas + points == 0) && reader.next(); ++lines) {
        if (dialect.comments > 0 && reader.record().starts_with('#'))
            continue;
        for (const std::string_view field : reader.split(dialect.separator)) {
            const DecimalSign sign = decimalSignOf(field);
            commas += sign == DecimalSign::Comma ? 1 : 0;
            points += sign == DecimalSign::Point ? 1 : 0;
        }
    }
    return commas > points;
}

} // namespace

TableDialect dialectOf(const InputFile& input) {
    TableDialect dialect;
    const auto source = openText(input);
    TableReader reader(*source, input.name());
    std::string comment;
    if (!skipComments(reader, dialect.comments, comment))
        return dialect;
    dialect.separator = separatorOf(reader, dialect.comments > 0);
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
    : dialect_(dialect), source_(openText(input)), reader_(*source_, input.name()) {}

bool TableLines::next() {
    while (reader_.next()) {
        const bool atBeginning = comments_ < dialect_.comments;
        comments_ += atBeginning ? 1 : 0;
        const bool names = atBeginning && dialect_.namesInComment && comments_ == dialect_.comments;
        const bool comment = atBeginning || (dialect_.comments > 0 && isComment(reader_));
        if (comment && !names)
            continue;
        if (names)
            reader_.skipCommentSign();
        fields_ = reader_.split(dialect_.separator);
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
