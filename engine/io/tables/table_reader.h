#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Splits text into records and fields as RFC 4180 has it: fields may be quoted, in which two quotes stand for one and
/// line ends are text. Lines end in LF or CRLF; a byte order mark is skipped; empty lines are left out.
class TableReader {
public:
    /// A longer record is refused, whatever the file claims to be.
    static constexpr std::size_t kMostRecordBytes = std::size_t{16} << 20;

    /// @param where for messages
    TableReader(ByteSource& source, std::string where);

    /// Reads the next record. @return false at the end @throws Error{BadInput} for an endless record
    bool next();

    /// Its fields. Valid until the next call of next().
    const std::vector<std::string_view>& split(char separator);

    /// Line on which the record begins, from 1.
    std::size_t line() const noexcept { return line_; }
    /// Bytes of the source up to the record's end.
    std::uint64_t bytesDone() const noexcept { return done_; }

    /// The separator of a first record: the most frequent outside quotes of comma, semicolon and tab; else a comma.
    char separator() const;

private:
    bool fill();
    std::size_t endOfRecord();
    std::string_view unquoted(std::size_t first, std::size_t last);

    ByteSource& source_;
    std::string where_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; ///< what is in the buffer and not yet a record
    std::string_view record_;
    std::vector<std::string_view> fields_;
    std::vector<std::string> unquoted_; ///< fields that differ from their bytes
    std::size_t line_ = 1;
    std::size_t nextLine_ = 1;
    std::uint64_t done_ = 0;
};

} // namespace assay
