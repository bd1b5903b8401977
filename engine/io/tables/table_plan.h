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
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// Kinds of the fields in a table's feature columns, collected row by row.
class TableSurvey {
public:
    /// Limit per column: with more different texts, a column more likely holds names than categories.
    static constexpr std::size_t kMaxCategories = 100;
    /// The same where nobody asked for categories: so many texts, or a twentieth of the rows up to kMaxCategories.
    static constexpr std::size_t kFewCategories = 50;
    /// With fewer rows, whole numbers that run from row to row may do so by chance.
    static constexpr std::size_t kFewestNumbered = 10;

    /// @param columns must outlive this object; features that are left out later are ignored
    /// @param unitesMissing as ValueReading::unitesMissing
    TableSurvey(const TableColumns& columns, bool unitesMissing);

    /// Examines the fields of one row.
    void add(const Fields& fields);
    std::size_t rows() const noexcept { return rows_; }

    /// Which columns are taken as categories beside those that a person said are.
    enum class Texts {
        None,
        Clear, ///< of text, but not numbers with a few other fields, which are refused by their line
        All
    };

    /// The columns of categories, with their texts. A note is added for a column of which most fields are numbers.
    /// @throws Error{BadInput} for a column with more than kMaxCategories different texts
    std::vector<CategoryColumn> categories(const std::string& place, Texts texts,
                                           std::vector<std::string>& notes) const;
    /// Columns of text with too many different texts to be taken as categories unasked, and a sentence on each.
    std::vector<std::pair<std::size_t, std::string>> columnsOfNames() const;
    /// The columns of dates and times, without their earliest.
    /// @throws Error{BadInput} for a column of which the order of day and month does not show, or which a person said
    ///         holds dates and does not
    std::vector<DateColumn> dates(const std::string& place) const;
    /// The order by which this file writes the dates of a column of the table: `preferred` where it fits.
    /// @throws Error{BadInput} when no order fits all of its fields
    DateOrder orderLike(std::size_t column, DateOrder preferred, const std::string& place) const;

    /// Columns of the table without a name and without any value, as a separator at the end of each line makes.
    std::vector<std::size_t> blankColumns() const;
    /// Columns of the table that number its rows: whole numbers or texts, all different, that run from row to row or
    /// belong to a column named like a number of rows (isRowNumberName).
    std::vector<std::size_t> rowNumbers() const;
    /// Whether such a column names its rows: it is called an id, or does not only count.
    bool namesRows(std::size_t column) const;

private:
    struct Seen {
        std::size_t notNumbers = 0; ///< fields that are neither numbers, truth values nor missing
        std::size_t dates = 0;      ///< of these
        std::size_t missing = 0;
        DateOrders orders = kAnyDateOrder;
        std::string firstNotNumber;
        std::set<std::string, std::less<>> texts; ///< at most kMaxCategories + 1
        bool runs = true;                         ///< whole numbers, each one more than in the row before
        bool named = false;                       ///< the column is named like a number of rows
        double last = 0.0;
        std::set<std::string, std::less<>> different; ///< of columns that are named so
    };

    const Seen& seenIn(std::size_t column) const;
    bool isFeature(std::size_t feature) const;
    bool isText(std::size_t feature, Texts texts) const;
    /// Index of a feature among those that are features now.
    std::uint32_t indexOf(std::size_t feature) const;
    void addToRun(Seen& seen, std::string_view field) const;
    bool holdsDates(std::size_t feature) const;
    bool isSaid(std::size_t feature, ColumnKind kind) const { return columns_.said[features_[feature]] == kind; }
    /// "1 of 200 fields is no number ('?')"; empty where half of the fields and more are none.
    std::string fewNotNumbers(const Seen& seen) const;

    const TableColumns& columns_;
    bool unitesMissing_;
    std::vector<std::size_t> features_;
    std::vector<Seen> seen_; ///< one per feature
    std::size_t rows_ = 0;
};

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
