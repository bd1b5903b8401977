#pragma once

#include "engine/base/available_memory.h"
#include "engine/base/job_context.h"
#include "engine/data/preparation.h"
#include "engine/io/files/input_file.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_header.h"
#include "engine/io/tables/table_layout.h"
#include "engine/io/tables/table_lines.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

class TableSurvey;

/// Contents of a table, for choices that concern all sets of an audit. Columns are called by their names, or by their
/// numbers from 1 where the table has no names.
struct TableFacts {
    std::vector<std::string> columns;    ///< all of them
    std::vector<std::string> rowNumbers; ///< features that number the rows
    /// Features with missing values; without names only found where these are kept, as numbers among the features.
    std::vector<std::string> withMissing;
    bool isTable = false; ///< as FileFacts::isTable
};

/// How a table is read: its dialect, and what each of its columns is.
class TablePlan {
public:
    /// Finds the columns by the first lines, and by the whole table where these do not tell what a column is.
    /// @param input must outlive this object; its reading() tells what is known of the real set
    /// @throws Error{BadInput}; Cancelled
    static TablePlan of(const InputFile& input, const JobContext& job);
    /// Without anything known of another set. @throws Error{BadInput}; Cancelled
    static TableFacts facts(const InputFile& input, const JobContext& job);

    /// Names of all columns, or their numbers from 1, by the first lines alone. @throws Error{BadInput}
    static std::vector<std::string> columnKeys(const InputFile& input);

    const TableColumns& columns() const noexcept { return columns_; }
    const std::vector<CategoryColumn>& categories() const noexcept { return categories_; }
    const std::vector<DateColumn>& dates() const noexcept { return dates_; }
    const std::vector<std::string>& rowNumbers() const noexcept { return rowNumbers_; }
    /// Columns of text that were left out unasked.
    const std::vector<std::string>& leftOutTexts() const noexcept { return leftOutTexts_; }
    std::vector<std::string>& notes() noexcept { return notes_; }

    /// Days since the real set's earliest of a field of the date column `date`, counted in the order of dates(); empty
    /// when it is no date.
    std::optional<double> days(std::string_view field, std::size_t date) const;
    /// Calls take(fields, asWritten) for each sample. @throws Error{BadInput} for lines of another length; Cancelled
    /// @param most number of samples after which it ends; 0: all
    template <typename Take>
    void forEachLine(const JobContext& job, const Take& take, std::size_t most = 0);
    /// Key of a column: its name, or its number from 1.
    std::string keyOf(std::size_t column) const;
    /// File and line of the current sample, for messages.
    std::string place() const { return input_.name() + ", line " + std::to_string(line_); }

private:
    explicit TablePlan(const InputFile& input)
        : input_(input), reading_(input.reading()), dialect_(dialectOf(input)), below_(0) {}

    void note(const std::string& text) { notes_.push_back(input_.name() + ": " + text); }
    bool isIn(const std::vector<std::string>& names, std::size_t column) const;
    void findColumns();
    std::vector<std::string> keys() const;
    bool isTable() const;
    bool needsSurvey() const;
    TableSurvey surveyed(const JobContext& job);
    void findRoles(const JobContext& job);
    void leaveOut(const std::optional<TableSurvey>& survey);
    void leaveOutRowNumbers(const std::vector<std::size_t>& found, const std::optional<TableSurvey>& survey);
    void findCategories(const TableSurvey& survey);
    std::vector<std::string> columnsWithGaps(const JobContext& job);
    void findEarliest(const JobContext& job);
    void requireLength(std::size_t fields) const;

    const InputFile& input_;
    const ValueReading& reading_;
    TableDialect dialect_;
    RowsBelow below_;
    TableColumns columns_;
    std::vector<CategoryColumn> categories_;
    std::vector<DateColumn> dates_;
    std::vector<DateOrder> orders_; ///< of the dates in this file
    std::vector<std::string> rowNumbers_;
    std::vector<std::string> leftOutTexts_;
    std::vector<std::string> notes_;
    std::size_t line_ = 0;
};

template <typename Take>
void TablePlan::forEachLine(const JobContext& job, const Take& take, std::size_t most) {
    TableLines lines(input_, dialect_);
    bool isHeader = !columns_.names.empty();
    GrowingMemory memory(input_.name());
    std::uint64_t bytes = lines.bytesDone();
    for (std::size_t rows = 0; (most == 0 || rows < most) && lines.next(); isHeader = false) {
        if (isHeader)
            continue;
        line_ = lines.line();
        memory.add(lines.bytesDone() - std::exchange(bytes, lines.bytesDone()));
        if (++rows % 256 == 0)
            job.checkpoint(static_cast<double>(lines.bytesDone()) / static_cast<double>(input_.size()));
        requireLength(lines.fields().size());
        take(lines.fields(), lines.asWritten());
    }
}

} // namespace assay
