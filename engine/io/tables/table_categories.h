#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/tables/table_layout.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The text of a field for comparison: without surrounding blanks, as UTF-8.
/// @param unitesMissing whether all missing fields have one text, "(missing)"
std::string categoryOf(std::string_view field, bool unitesMissing);

/// Converts texts of a table's columns to 0-1 columns: one per category of the real set, in the order of the
/// categories, and one for all other texts.
class CategoryEncoder {
public:
    explicit CategoryEncoder(std::vector<CategoryColumn> columns, bool unitesMissing = false);

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
    /// As SourceInfo::unknownTexts.
    std::vector<UnknownText> unknownTexts() const;

private:
    struct Other {
        std::size_t count = 0;
        std::map<std::string, std::size_t> texts; ///< with their rows; at most kMaxUnknown
    };

    std::vector<CategoryColumn> columns_;
    bool unitesMissing_;
    std::vector<std::map<std::string, std::size_t, std::less<>>> index_;
    std::vector<Other> others_;
    std::size_t width_ = 0;
};

} // namespace assay
