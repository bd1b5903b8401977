#pragma once

#include <string>
#include <vector>

namespace assay::report {

class HtmlWriter;

/// Heading and alignment of a column. Numbers are aligned to the right, so that digits line up.
struct TableColumn {
    enum class Align { Left, Right };

    std::string title;
    Align align = Align::Left;
};
inline constexpr auto kRight = TableColumn::Align::Right;

/// Contents of a cell: a value, and a note in small print below it.
struct TableCell {
    std::string text;
    std::string below = {};
};

/// Writes a table with one heading row; the first cell of each row is that row's heading. A table wider than the page
/// scrolls on its own, also by keyboard.
/// @param caption must differ from other tables' captions, because screen readers list them
void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows);

} // namespace assay::report
