#pragma once

#include "engine/io/files/input_file.h"
#include "engine/io/tables/table_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

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
