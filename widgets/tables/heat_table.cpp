#include "widgets/tables/heat_table.h"

#include <QItemSelectionModel>

#include <algorithm>
#include <tuple>
#include <utility>

namespace assay {
namespace {

constexpr int kNameLetters = 18;
constexpr qsizetype kMaxInToolTip = 300; // letters of a name

QString hintOf(const QString& name) {
    return name.size() <= kMaxInToolTip ? name : name.left(kMaxInToolTip) + QStringLiteral("\u2026");
}

TableCell cellAt(const HeatContent& heat, HeatPlace place) {
    const HeatCell cell = heat.cell(place);
    return {.text = cell.text,
            .hint = heat.toolTip ? heat.toolTip(place) : QString(),
            .description = heat.description ? heat.description(place) : QString(),
            .graphic = CellShade{cell.shade, cell.isSame}};
}

} // namespace

HeatTable::HeatTable(QWidget* parent) : TableView(parent) {
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setAlternatingRowColors(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void HeatTable::setHeat(HeatContent content) {
    const auto heat = std::make_shared<const HeatContent>(std::move(content));
    TableContent table{.rows = static_cast<int>(heat->rows.size()),
                       .isMatrix = true,
                       .columnsTitle = heat->columnsTitle,
                       .widest = heat->widest};
    table.names = {.title = heat->rowsTitle,
                   .cell = [heat](int row) { return textCell(heat->rows[row], hintOf(heat->rows[row])); },
                   .side = Qt::AlignLeft,
                   .most = kNameLetters};
    for (qsizetype column = 0; column < heat->columns.size(); ++column)
        table.columns.push_back({.title = heat->columns[column],
                                 .hint = hintOf(heat->columns[column]),
                                 .cell =
                                     [heat, at = static_cast<std::size_t>(column)](int row) {
                                         return cellAt(*heat, {static_cast<std::size_t>(row), at});
                                     },
                                 .most = kNameLetters});
    setContent(std::move(table));
}

std::vector<HeatPlace> HeatTable::chosen() const {
    std::vector<HeatPlace> places;
    const QItemSelection ranges = selectionModel()->selection();
    for (const QItemSelectionRange& range : ranges)
        for (int row = range.top(); row <= range.bottom(); ++row)
            for (int column = range.left(); column <= range.right(); ++column)
                places.push_back({static_cast<std::size_t>(row), static_cast<std::size_t>(column)});
    if (ranges.size() > 1) {
        std::ranges::sort(places, {}, [](const HeatPlace& at) { return std::pair(at.row, at.column); });
        places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    return places;
}

void HeatTable::choose(HeatPlace place) {
    const QModelIndex index = rows().index(static_cast<int>(place.row), static_cast<int>(place.column));
    scrollTo(index);
    setCurrentIndex(index);
}

} // namespace assay
