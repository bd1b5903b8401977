#pragma once

#include <string>
#include <vector>

namespace assay::report {

class HtmlWriter;

/// A column's heading. Numbers stand to the right, so that digits line up.
struct TableColumn {
    enum class Align { Left, Right };

    std::string title;
    Align align = Align::Left;
};
inline constexpr auto kRight = TableColumn::Align::Right;

/// What a cell holds: a value and, in small letters below it, what is known of it.
struct TableCell {
    std::string text;
    std::string below = {};
};

/// A table of one heading row; the first cell of every row is the row's heading. Where it is wider than the page it is
/// scrolled by itself, by keyboard too.
/// @param caption unlike those of other tables: a screen reader lists them
void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows);

} // namespace assay::report
