#include "engine/report/parts/html_table.h"

#include "engine/report/parts/html_writer.h"

namespace assay::report {
namespace {

void writeCell(HtmlWriter& html, const TableCell& cell, TableColumn::Align align, bool isHeading) {
    const std::string style = align == TableColumn::Align::Right ? "number" : "words";
    if (isHeading)
        html.open("th", {{"scope", "row"}, {"class", style}});
    else
        html.open("td", {{"class", style}});
    html.text(cell.text);
    if (!cell.below.empty()) {
        html.text(" ");
        html.leaf("span", cell.below, {{"class", "below"}});
    }
    html.close();
}

} // namespace

void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows) {
    html.open("div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption}});
    html.open("table");
    html.leaf("caption", caption);
    html.open("thead");
    html.open("tr");
    for (const TableColumn& column : columns)
        html.leaf("th", column.title,
                  {{"scope", "col"}, {"class", column.align == TableColumn::Align::Right ? "number" : "words"}});
    html.close();
    html.close();
    html.open("tbody");
    for (const std::vector<TableCell>& row : rows) {
        html.open("tr");
        for (std::size_t c = 0; c < row.size(); ++c)
            writeCell(html, row[c], columns[c].align, c == 0);
        html.close();
    }
    html.close();
    html.close();
    html.close();
}

} // namespace assay::report
