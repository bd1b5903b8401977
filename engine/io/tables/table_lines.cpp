#include "engine/io/tables/table_lines.h"

#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kQuotedBytes = 20; ///< bytes of a text in a message
constexpr std::string_view kMark = "\xef\xbb\xbf";

} // namespace

TableReader::TableReader(ByteSource& source, std::string where, char separator)
    : source_(source), where_(std::move(where)), separator_(separator), buffer_(kPiece) {
    fill();
    if (std::string_view(buffer_.data(), end_).starts_with(kMark))
        begin_ = kMark.size();
    done_ = begin_;
    const std::string_view beginning(buffer_.data(), end_);
    if (beginning.find('\n') == beginning.npos && beginning.find('\r') != beginning.npos)
        lineEnd_ = '\r';
}

/// Makes room in the buffer and reads more bytes.
/// @return whether bytes were read
bool TableReader::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) {
        if (end_ >= kMaxRecordBytes)
            refuse(where_ + ", line " + std::to_string(nextLine_),
                   "lines of at most " + std::to_string(kMaxRecordBytes >> 20) + " MiB", "a longer one");
        buffer_.resize(2 * buffer_.size());
    }
    const std::size_t got = source_.readSome(std::as_writable_bytes(std::span(buffer_).subspan(end_)));
    end_ += got;
    return got > 0;
}

/// The byte at an offset from the record's first one; nothing at the end of the source.
std::optional<char> TableReader::byteAt(std::size_t offset) {
    while (offset >= end_ - begin_)
        if (!fill())
            return std::nullopt;
    return buffer_[begin_ + offset];
}

/// File and line of an offset from the record's first byte.
std::string TableReader::place(std::size_t offset) const {
    const auto first = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto lines = std::count(first, first + static_cast<std::ptrdiff_t>(offset), lineEnd_);
    return where_ + ", line " + std::to_string(nextLine_ + static_cast<std::size_t>(lines));
}

/// @param opened offset of the quote at a field's beginning, from the record's first byte
/// @return offset behind the closing quote
std::size_t TableReader::endOfQuoted(std::size_t opened) {
    const std::string closed = "a closing quote, followed by a separator or the end of the line";
    std::size_t at = opened + 1;
    while (true) {
        const std::string_view known(buffer_.data() + begin_, end_ - begin_);
        const std::size_t quote = std::min(known.find('"', at), known.size());
        if (quote - opened > kMaxQuotedBytes &&
            known.substr(opened, quote - opened).find(lineEnd_) != std::string_view::npos)
            refuse(place(opened), closed, "none within " + std::to_string(kMaxQuotedBytes >> 20) + " MiB");
        at = quote;
        if (quote == known.size()) {
            if (!fill())
                refuse(place(opened), closed, "none up to the end of the file");
            continue;
        }
        const std::optional<char> behind = byteAt(++at);
        if (behind == '"') {
            ++at;
            continue;
        }
        if (behind && *behind != '\n' && *behind != '\r' && !isSeparator(*behind)) {
            byteAt(at + kQuotedBytes); // read, to be shown
            const std::string_view text(buffer_.data() + begin_ + at, std::min(kQuotedBytes, end_ - begin_ - at));
            refuse(place(at), closed, inQuotes(text.substr(0, text.find_first_of("\r\n"))) + " behind one");
        }
        return at;
    }
}

/// Offset in the buffer, from the record's first byte, of the position after its line end; the remaining length at the
/// end of the source.
/// @param quotes whether quoted fields may hold line ends
std::size_t TableReader::endOfRecord(bool quotes) {
    std::size_t at = 0;
    do {
        for (std::size_t count = end_ - begin_; at < count; count = end_ - begin_) {
            const char* first = buffer_.data() + begin_;
            const char* stop =
                std::find_if(first + at, first + count, [&](char c) { return c == lineEnd_ || (quotes && c == '"'); });
            at = static_cast<std::size_t>(stop - first);
            if (at == count)
                break;
            if (*stop == lineEnd_)
                return at + 1;
            at = at == 0 || isSeparator(stop[-1]) ? endOfQuoted(at) : at + 1;
        }
    } while (fill());
    return end_ - begin_;
}

bool TableReader::next(bool quotes) {
    while (true) {
        const std::size_t bytes = endOfRecord(quotes);
        if (bytes == 0)
            return false;
        record_ = {buffer_.data() + begin_, bytes};
        begin_ += bytes;
        done_ += bytes;
        line_ = nextLine_;
        nextLine_ += static_cast<std::size_t>(std::ranges::count(record_, lineEnd_));
        while (!record_.empty() && (record_.back() == '\n' || record_.back() == '\r'))
            record_.remove_suffix(1);
        if (!record_.empty())
            return true;
    }
}

void TableReader::skipCommentSign() {
    record_.remove_prefix(std::min(record_.size(), record_.find_first_not_of("# ")));
}

/// The text of the quoted field that begins there.
/// @param at receives the position of the separator behind the field
std::string_view TableReader::unquoted(std::size_t& at) {
    std::string& text = unquoted_.emplace_back();
    for (++at; at < record_.size(); ++at) {
        if (record_[at] == '"' && (at + 1 == record_.size() || record_[++at] != '"'))
            break;
        text += record_[at];
    }
    while (at < record_.size() && !isSeparator(record_[at])) // of a line that was read as it is
        ++at;
    return text;
}

const std::vector<std::string_view>& TableReader::split() {
    fields_.clear();
    fieldCount_ = 0;
    unquoted_.clear();
    // Reserves enough, because fields_ holds views of these strings.
    unquoted_.reserve(static_cast<std::size_t>(std::ranges::count(record_, '"')) / 2 + 1);
    const bool blanks = separator_ == ' ';
    for (std::size_t at = 0; at <= record_.size(); ++at) {
        while (blanks && at < record_.size() && isSeparator(record_[at]))
            ++at;
        if (blanks && at == record_.size() && fieldCount_ > 0)
            break;
        const std::size_t first = at;
        std::string_view field;
        if (at < record_.size() && record_[at] == '"') {
            field = unquoted(at);
        } else {
            while (at < record_.size() && !isSeparator(record_[at]))
                ++at;
            field = record_.substr(first, at - first);
        }
        if (++fieldCount_ <= kMaxColumns + 1)
            fields_.push_back(field);
    }
    return fields_;
}

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
