#pragma once

#include "engine/data/preparation.h"
#include "engine/io/tables/table_dates.h"
#include "engine/io/tables/table_layout.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// What the fields of a table's feature columns are, found row by row.
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
    /// Whether a feature column of the table has missing values.
    bool hasMissing(std::size_t column) const { return seenIn(column).missing > 0; }

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

} // namespace assay
