#pragma once

#include "engine/data/preparation.h"
#include "engine/io/tables/table_layout.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Finds the columns of text of a table, row by row, and what stands in them.
class CategorySurvey {
public:
    /// Of a column; beyond, text is more likely a name than a category.
    static constexpr std::size_t kMostCategories = 100;

    explicit CategorySurvey(const TableColumns& columns);

    void add(const Fields& fields);
    /// @throws Error{BadInput} for a column with more than kMostCategories texts
    std::vector<CategoryColumn> found(const std::string& place) const;

private:
    struct Seen {
        bool isText = false;                      ///< some field is neither a number nor missing
        std::set<std::string, std::less<>> texts; ///< at most one more than there may be
    };

    const TableColumns& columns_;
    std::vector<std::size_t> features_;
    std::vector<Seen> seen_; ///< one per feature
};

/// Turns the texts of a table's columns into columns of 0 and 1: one per category of the real set, in their order, and
/// one for every other text.
class CategoryEncoder {
public:
    explicit CategoryEncoder(std::vector<CategoryColumn> columns);

    /// Columns of 0 and 1 in all.
    std::size_t width() const noexcept { return width_; }
    /// Appends them for one row. @param texts of the columns of text, in their order
    void append(const Fields& texts, std::vector<float>& values);
    /// Which of them is 1 for a text of a column, counted from that column's first one.
    std::size_t indexOf(std::size_t column, std::string_view text) const;
    /// Names of the columns of 0 and 1: "job=clerk", and "job=(other)".
    std::vector<std::string> names() const;
    /// What was not among the categories, one sentence per column.
    std::vector<std::string> notes(const std::string& place) const;

private:
    struct Other {
        std::size_t count = 0;
        std::set<std::string> examples; ///< a few
    };

    std::vector<CategoryColumn> columns_;
    std::vector<std::map<std::string, std::size_t, std::less<>>> index_;
    std::vector<Other> others_;
    std::size_t width_ = 0;
};

} // namespace assay
