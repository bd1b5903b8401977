#pragma once

#include "engine/data/preparation.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Fields of one line of a table.
using Fields = std::vector<std::string_view>;

/// What becomes of each column of a table.
struct TableColumns {
    enum class Role {
        Number,
        Text, ///< becomes columns of 0 and 1
        Id,
        Label,
        LeftOut
    };

    std::vector<Role> roles;
    std::vector<std::string> names; ///< empty: there is no header
    std::size_t features = 0;       ///< of Role::Number or Role::Text

    /// "column 3 ('age')".
    std::string text(std::size_t column) const;
    std::string name(std::size_t column) const { return names.empty() ? std::string() : names[column]; }
    /// Makes the columns of text that are known of the real set columns of Role::Text.
    /// @throws Error{BadInput} where the table has no such column
    void setText(const std::vector<CategoryColumn>& categories, const std::string& place);
    /// The columns that are features, in order.
    std::vector<std::size_t> featureColumns() const;
};

/// By a table's first line, which names the columns or is a sample.
/// @throws Error{BadInput} for a mixture, or no feature at all
TableColumns columnsOf(const Fields& first, const std::string& place, std::vector<std::string>& notes);

} // namespace assay
