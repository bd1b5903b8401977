#include "engine/report/parts/html_table.h"

#include "engine/report/parts/html_writer.h"

namespace assay::report {
namespace {

void writeCell(HtmlWriter& html, const TableCell& cell, TableColumn::Align align, bool isHeading) {
    const std::string style = align == TableColumn::Align::Right ? "number" : "words";
    const HtmlElement element = isHeading ? HtmlElement(html, "th", {{"scope", "row"}, {"class", style}})
                                          : HtmlElement(html, "td", {{"class", style}});
    html.text(cell.text);
    if (!cell.below.empty()) {
        html.text(" ");
        html.leaf("span", cell.below, {{"class", "below"}});
    }
}

} // namespace

void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows) {
    const HtmlElement region(html, "div",
                             {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption}});
    const HtmlElement table(html, "table");
    html.leaf("caption", caption);
    html.open("thead");
    html.open("tr");
    for (const TableColumn& column : columns)
        html.leaf("th", column.title,
                  {{"scope", "col"}, {"class", column.align == TableColumn::Align::Right ? "number" : "words"}});
    html.close();
    html.close();
    const HtmlElement body(html, "tbody");
    for (const std::vector<TableCell>& row : rows) {
        const HtmlElement line(html, "tr");
        for (std::size_t c = 0; c < row.size(); ++c)
            writeCell(html, row[c], columns[c].align, c == 0);
    }
}

} // namespace assay::report
