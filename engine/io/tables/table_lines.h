#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Splits text into records and fields according to RFC 4180: a quote at the beginning of a field quotes it; inside
/// quotes, two quotes stand for one, and line ends belong to the text. Anywhere else a quote is text (`12" pipe`).
/// Lines end in LF or CRLF, or in CR where the beginning has no LF. Skips a byte order mark and empty lines.
class TableReader {
public:
    /// Longest record in bytes; longer ones are refused.
    static constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;

    /// Longest quoted field in bytes that runs over lines; a longer one lacks its closing quote.
    static constexpr std::size_t kMaxQuotedBytes = std::size_t{1} << 20;

    /// Most columns of a table.
    static constexpr std::size_t kMaxColumns = 65'536;

    /// @param where for messages
    /// @param separator a blank stands for one or more blanks or tabs
    TableReader(ByteSource& source, std::string where, char separator);

    /// Reads the next record.
    /// @return false at the end of the source
    /// @throws Error{BadInput} for a record above kMaxRecordBytes, a quote that is not closed, and text behind a
    /// closing quote
    bool next() { return next(true); }
    /// Reads the next line as the record, whatever quotes it holds. @throws Error{BadInput} if it is too long
    bool nextLine() { return next(false); }

    /// The fields of the current record, of more than kMaxColumns the first kMaxColumns + 1. Valid until the next
    /// call of next() or split().
    const std::vector<std::string_view>& split();
    /// Number of fields that the last call of split() found.
    std::size_t fieldCount() const noexcept { return fieldCount_; }

    /// Leaves out a `#` and blanks at the beginning of the current record.
    void skipCommentSign();

    /// Line on which the current record begins, counted from 1.
    std::size_t line() const noexcept { return line_; }
    /// Bytes of the source up to the end of the current record.
    std::uint64_t bytesDone() const noexcept { return done_; }

    /// The current record without its line end.
    std::string_view record() const noexcept { return record_; }

private:
    bool next(bool quotes);
    bool fill();
    std::optional<char> byteAt(std::size_t offset);
    bool isSeparator(char c) const noexcept { return c == separator_ || (separator_ == ' ' && c == '\t'); }
    std::size_t endOfRecord(bool quotes);
    std::size_t endOfQuoted(std::size_t opened);
    std::string place(std::size_t offset) const;
    std::string_view unquoted(std::size_t& at);

    ByteSource& source_;
    std::string where_;
    char separator_;
    std::vector<char> buffer_;
    char lineEnd_ = '\n';
    std::size_t begin_ = 0, end_ = 0; ///< range of the buffer that is not yet part of a record
    std::string_view record_;
    std::vector<std::string_view> fields_;
    std::size_t fieldCount_ = 0;
    std::vector<std::string> unquoted_; ///< fields whose text differs from their bytes
    std::size_t line_ = 1;
    std::size_t nextLine_ = 1;
    std::uint64_t done_ = 0;
};

/// How a table is written.
struct TableDialect {
    char separator = ','; ///< comma, semicolon, tab, bar, or a blank for any number of blanks
    bool decimalComma = false;
    /// Lines at the beginning that start with `#`, or tell the separator to a spreadsheet (`sep=;`). The last one names
    /// the columns when it has as many fields as the line below it, and that line has a number.
    std::size_t comments = 0;
    bool namesInComment = false;
    /// The first line names one column less than the lines below have: their first field is the row's name, as R's
    /// write.table has it.
    bool namesRows = false;
};

/// Finds the dialect by the first lines: the separator that divides all of them into equally many fields, most of which
/// are numbers. Decimal commas are looked for in tables that are not separated by commas; there, the first number that
/// shows its decimal sign decides, wherever it stands.
/// @throws Error{BadInput} as TableReader
TableDialect dialectOf(const InputFile& input);

/// A table's lines, split into fields. UTF-16 is decoded; numbers with decimal commas are given with points.
class TableLines {
public:
    TableLines(const InputFile& input, const TableDialect& dialect);

    /// Reads the next line that is no comment; the first one may be the comment that names the columns.
    /// @return false at the end @throws Error{BadInput} as TableReader
    bool next();
    /// The fields of the current line. Valid until the next call of next().
    const std::vector<std::string_view>& fields() const noexcept { return fields_; }
    /// The same as in the file, with decimal commas.
    const std::vector<std::string_view>& asWritten() const noexcept { return raw_.empty() ? fields_ : raw_; }

    /// Number of fields in the current line, of which fields() has those that TableReader::split() gives.
    std::size_t fieldCount() const noexcept { return reader_.fieldCount(); }
    std::size_t line() const noexcept { return reader_.line(); }
    std::uint64_t bytesDone() const noexcept { return reader_.bytesDone(); }

private:
    void pointDecimals();

    TableDialect dialect_;
    std::unique_ptr<ByteSource> source_;
    TableReader reader_;
    std::size_t comments_ = 0; ///< lines read so far, up to the number of comments at the beginning
    bool isBelow_ = false;     ///< the first line has been read
    std::vector<std::string_view> fields_;
    std::vector<std::string_view> raw_;   ///< empty without decimal commas
    std::vector<std::string> withPoints_; ///< fields whose decimal sign was changed
};

} // namespace assay
