#pragma once

#include "engine/io/files/input_file.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Surveys the first rows below a table's first line, to decide whether that line is a header.
class RowsBelow {
public:
    /// Number of rows that are enough for a decision.
    static constexpr std::size_t kEnough = 64;

    /// Kinds of fields found in one column.
    struct Column {
        bool numbers = false;
        bool decimals = false; ///< at least one number is written with a decimal point
        bool texts = false;    ///< neither numbers nor missing values
        bool missing = false;
        bool countsRows = true; ///< the fields are 0, 1, 2, ... or 1, 2, 3, ...
    };

    explicit RowsBelow(std::size_t columns) : columns_(columns) {}

    /// Examines one row. Ignores a row with another number of fields, which the reader refuses later.
    void add(const std::vector<std::string_view>& fields);
    bool enough() const noexcept { return rows_ >= kEnough; }
    bool empty() const noexcept { return rows_ == 0; }
    const Column& operator[](std::size_t column) const { return columns_[column]; }

private:
    std::vector<Column> columns_;
    std::size_t rows_ = 0;
};

/// Surveys the first rows below the first line of a table with so many columns.
RowsBelow readRowsBelow(const InputFile& input, std::size_t columns, char separator);

/// Whether a table's first line names its columns; otherwise it is the first sample. Numbers in a header only count the
/// columns, from 0 or from 1, as tables without column names are often written.
/// @param notes receives a sentence when a line of numbers could be either
/// @throws Error{BadInput} for a line that may be a header or a sample
bool isHeader(const std::vector<std::string_view>& first, const RowsBelow& below, const std::string& place,
              std::vector<std::string>& notes);

} // namespace assay
