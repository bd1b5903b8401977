#pragma once

#include "engine/data/preparation.h"
#include "engine/io/tables/table_layout.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Finds a table's text columns and their texts, row by row.
class CategorySurvey {
public:
    /// Limit per column: with more different texts, a column more likely holds names than categories.
    static constexpr std::size_t kMostCategories = 100;

    explicit CategorySurvey(const TableColumns& columns);

    /// Examines the fields of one row.
    void add(const Fields& fields);
    /// The text columns found, with their texts as categories. A note is added for a column of which most fields are
    /// numbers.
    /// @throws Error{BadInput} for a column with more than kMostCategories different texts
    std::vector<CategoryColumn> found(const std::string& place, std::vector<std::string>& notes) const;

private:
    struct Seen {
        std::size_t notNumbers = 0;               ///< fields that are neither a number nor missing
        std::string firstNotNumber;               ///< the first of them
        std::set<std::string, std::less<>> texts; ///< at most kMostCategories + 1
    };
    /// "1 of 200 fields is no number ('?')"; empty where half of the fields and more are none.
    std::string fewNotNumbers(const Seen& seen) const;

    const TableColumns& columns_;
    std::vector<std::size_t> features_;
    std::vector<Seen> seen_; ///< one per feature
    std::size_t rows_ = 0;
};

/// Converts texts of a table's columns to 0-1 columns: one per category of the real set, in the order of the
/// categories, and one for all other texts.
class CategoryEncoder {
public:
    explicit CategoryEncoder(std::vector<CategoryColumn> columns);

    /// Total number of 0-1 columns.
    std::size_t width() const noexcept { return width_; }
    /// Appends the 0-1 values of one row to `values`.
    /// @param texts one per text column, in their order
    void append(const Fields& texts, std::vector<float>& values);
    /// Index of the value that is 1 for a text, among the 0-1 columns of the text column `column`.
    std::size_t indexOf(std::size_t column, std::string_view text) const;
    /// Names of the 0-1 columns: "job=clerk", and "job=(other)".
    std::vector<std::string> names() const;
    /// Notes about texts that are not among the categories, one sentence per column.
    std::vector<std::string> notes(const std::string& place) const;

private:
    struct Other {
        std::size_t count = 0;
        std::set<std::string> examples; ///< at most a few
    };

    std::vector<CategoryColumn> columns_;
    std::vector<std::map<std::string, std::size_t, std::less<>>> index_;
    std::vector<Other> others_;
    std::size_t width_ = 0;
};

} // namespace assay
