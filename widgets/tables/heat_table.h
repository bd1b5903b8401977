#pragma once

#include "widgets/tables/table_view.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace assay {

/// One cell of a heat table.
struct HeatCell {
    double shade = std::numeric_limits<double>::quiet_NaN(); ///< place on the colour map, [0, 1]; NaN: no colour
    QString text{};
    bool isSame = false; ///< its row and its column are the same thing: outlined, which makes the diagonal
};

/// A place in a heat table.
struct HeatPlace {
    std::size_t row = 0;
    std::size_t column = 0;

    friend bool operator==(const HeatPlace&, const HeatPlace&) = default;
};

/// What a heat table shows: classes by classes, as in a confusion matrix.
struct HeatContent {
    QString rowsTitle;    ///< what a row is: "Synthetic class"
    QString columnsTitle; ///< what a column is: "Class of the nearest real sample"
    QStringList rows;
    QStringList columns;
    QString widest = QStringLiteral("99.9 %"); ///< the widest text of a cell
    std::function<HeatCell(HeatPlace)> cell{};
    std::function<QString(HeatPlace)> toolTip{};     ///< rich text; may be empty
    std::function<QString(HeatPlace)> description{}; ///< for screen readers; may be empty
};

/// A table of coloured numbers: nothing is the background, much stands out from it.
///
/// A click chooses a cell, on a name its row or column; Ctrl and Shift choose several, arrow keys move. A double click
/// or Enter opens what is chosen.
class HeatTable : public TableView {
    Q_OBJECT

public:
    explicit HeatTable(QWidget* parent);

    /// Shows other content; nothing is chosen.
    void setHeat(HeatContent content);

    /// The chosen cells, row by row.
    std::vector<HeatPlace> chosen() const;
    /// Brings the cell of a place into sight and chooses it, as a click does.
    void choose(HeatPlace place);
};

} // namespace assay
