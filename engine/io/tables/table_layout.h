#pragma once

#include "engine/data/embedding_set.h"
#include "engine/data/preparation.h"
#include "engine/io/tables/table_header.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Fields of one line of a table.
using Fields = std::vector<std::string_view>;

/// The role of each column of a table.
struct TableColumns {
    using Role = ColumnKind; ///< a column of categories or dates is first a number, until its fields are known

    std::vector<Role> roles;
    std::vector<std::string> names;              ///< one per column; empty: the table has no header
    std::vector<std::optional<ColumnKind>> said; ///< what a person said of each column
    std::size_t features = 0;                    ///< number of columns with Role::Number, Category or Date
    std::vector<std::size_t> order;              ///< set by arrangeAs(); empty: ascending

    /// Names a column in messages: "column 3 ('age')".
    std::string text(std::size_t column) const;
    std::string name(std::size_t column) const { return names.empty() ? std::string() : names[column]; }
    bool has(Role role) const;
    /// Gives Role::Category to the columns that are text columns in the real set.
    /// @throws Error{BadInput} when the table has no such column
    void setText(const std::vector<CategoryColumn>& categories, const std::string& place);
    /// Gives Role::Date to the columns that are dates in the real set.
    /// @throws Error{BadInput} when the table has no such column
    void setDates(const std::vector<DateColumn>& dates, const std::string& place);
    /// Gives Role::LeftOut or Role::Id to a feature.
    void leaveOut(std::size_t column, Role role = Role::LeftOut);
    /// Indices of the feature columns, in the order in which they are read: ascending, or as arrangeAs() found.
    std::vector<std::size_t> featureColumns() const;
    /// Reads the feature columns in the order of these names when the table has the same names in another order.
    /// @return whether the order differs from the file's
    bool arrangeAs(const std::vector<std::string>& featureNames);
    /// Requires the names of the feature columns to be the real set's, in any order, where both have names.
    /// @throws Error{BadInput} with the names that are missing, and those that are too many
    void requireSame(const std::vector<std::string>& featureNames, const std::string& place) const;

private:
    std::size_t columnOf(std::uint32_t feature, const std::string& expected, const std::string& place) const;
};

/// Rules about a table's columns that are known before it is read.
struct ColumnRules {
    const std::vector<std::string>& ignored; ///< names of columns to leave out; numbers from 1 where there are no names
    const std::vector<ColumnChoice>& kinds;  ///< of other columns, named likewise
    TableRules rules = TableRules::Current;
};

/// Determines the columns from a table's first line, which is either a header or the first sample.
/// @param below the first rows below it
/// @param notes receives sentences about columns that are left out, and about a first line that could be a header
/// @throws Error{BadInput} when the line may be a header or a sample, when there are no features, or when two columns
///         are said to be the ids, the labels or the groups
TableColumns columnsOf(const Fields& first, const RowsBelow& below, const ColumnRules& rules, const std::string& place,
                       std::vector<std::string>& notes);

/// The text of a field for comparison: without surrounding blanks, as UTF-8.
/// @param unitesMissing whether all missing fields have one text, "(missing)"
std::string categoryOf(std::string_view field, bool unitesMissing);

} // namespace assay
