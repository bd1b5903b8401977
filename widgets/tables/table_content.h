#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/tables/metric.h"

#include <QColor>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

class QPalette;

namespace assay {

/// Beside a text in a cell or a heading, in pixels.
constexpr int kCellInset = 6;

/// A colour in the palette in force, such as colors::mutedText.
using Ink = std::function<QColor(const QPalette&)>;

/// A bar from the left for a share in [0, 1], in the colour of the set whose samples it is of.
struct CellShare {
    double share = 0.0;
    Side side = Side::Synthetic;
};
/// A bar from the middle, to the right for positive numbers. In [-1, 1].
struct CellShift {
    double part = 0.0;
};
/// A place on the colour map for amounts, in [0, 1]; NaN: no colour.
struct CellShade {
    double at = 0.0;
    bool isSame = false; ///< row and column are the same thing: outlined, which makes the diagonal of a matrix
};
/// An interval about a line at 0, in the cell's ink where it does not hold 0.
struct CellInterval {
    double low = 0.0;
    double value = 0.0;
    double high = 0.0;

    bool excludesZero() const { return low > 0.0 || high < 0.0; }
};
/// The picture of a sample, with a second line below the cell's text.
struct CellPicture {
    SampleId sample;
    QString below{};
};

/// What a cell shows.
struct TableCell {
    QString text{};
    QVariant sort{};       ///< number or text to sort by; invalid or NaN: last in either order
    QString hint{};        ///< tooltip; empty: the row's
    QString description{}; ///< for screen readers; empty: the text
    std::variant<std::monostate, CellShare, CellShift, CellShade, CellInterval, CellPicture> graphic{};
    Ink ink{}; ///< of the text; empty: that of text
    bool isBold = false;
    QString lead{}; ///< words at the left, beside a number
    QString mark{}; ///< a sign at the left of a number, at the right of a name
};

/// A column: its heading and, row by row, its cells. Numbers stand at the right.
struct TableColumn {
    QString title{};
    QString hint{};
    std::function<TableCell(int row)> cell{};
    Qt::AlignmentFlag side = Qt::AlignRight;

    QString description{}; ///< of the heading, for screen readers; empty: the title
    QString below{};       ///< second line of the heading
    Ink bar{};             ///< of a bar at the foot of the heading; empty: none
    bool isBold = false;   ///< heading in bold
    Ink tint{};            ///< of all cells; empty: none
    QStringList names{};   ///< what the title consists of: elided so that no two headings read the same
    QString suffix{};      ///< of the last name, which is never elided

    Qt::TextElideMode elide = Qt::ElideMiddle; ///< names of one kind differ at their ends
    int least = 0;                             ///< width in letters
    int most = 30;                             ///< width in letters, of what is fitted to its contents
    bool takesRoom = false;                    ///< takes the width that the others leave
    int leavesAt = 0;       ///< in a narrow table the column with the lowest number is hidden first; 0: never hidden
    bool isHidden = false;  ///< is not shown now, but keeps its place
    bool areUnique = false; ///< cells are names, elided so that no two read the same

    Qt::Alignment alignment() const { return side | Qt::AlignVCenter; }
};

/// A line across all cells of a row.
struct RowLine {
    QString text{};
    Ink ink{};            ///< of the text; empty: that of text
    bool isTitle = false; ///< in bold in the selected row
    QString suffix{};     ///< of the text, which is never elided
    QStringList others{}; ///< texts of other rows: elided so that no two read the same
    QString aside{};      ///< after the text, where there is room
    Ink asideInk{};
};

/// All that a table shows. Cells are made when they are drawn, so that a million rows cost nothing.
struct TableContent {
    int rows = 0;
    TableColumn names{}; ///< names of the rows, which stay in sight at the left; without cells: none
    std::vector<TableColumn> columns{};

    std::function<QString(int row)> hint{};     ///< tooltip of cells that have none of their own
    std::function<bool(int row)> isMuted{};     ///< cells without an ink of their own are muted
    std::function<QString(int row)> search{};   ///< all that a search looks into
    std::function<SampleId(int row)> sample{};  ///< of a SampleTable: the row's sample
    std::function<RowLine(int row)> above{};    ///< a line above the cells of a row
    std::function<RowLine(int row)> below{};    ///< a line below them
    std::function<QStringList(int row)> copy{}; ///< what is copied of a row; empty: its texts
    QStringList copyHeadings{};                 ///< of `copy`

    Ink selectedBar{}; ///< of a bar in front of selected rows; empty: none
    bool isSortable = true;
    int sortedBy = -1; ///< column of the order at first; -1: that of the rows
    Qt::SortOrder sortedOrder = Qt::AscendingOrder;
    bool isDense = false;     ///< little room between cells
    bool keepsWidths = false; ///< columns are not fitted anew while their headings stay
    bool hasPictures = false; ///< rows are as high as two lines
    /// Rows by columns of one kind, as in a confusion matrix: cells of one width, headings turned where they are wide.
    bool isMatrix = false;
    QString columnsTitle{}; ///< of a matrix, above its headings
    QString widest{};       ///< the widest text of a matrix's cells

    const TableColumn& column(int at) const { return columns[static_cast<std::size_t>(at)]; }
    int columnCount() const { return static_cast<int>(columns.size()); }
    int inset() const { return isDense ? kCellInset / 2 : kCellInset; }
    bool hasNames() const { return static_cast<bool>(names.cell); }
};

/// A number or a text to sort by.
inline TableCell cellOf(QString text, QVariant sort, QString hint = {}) {
    return {.text = std::move(text), .sort = std::move(sort), .hint = std::move(hint)};
}
/// A text that is sorted as it reads.
inline TableCell textCell(const QString& text, QString hint = {}) {
    return cellOf(text, text, std::move(hint));
}

/// Makes the cells of columns from values, one a row: `of([](const Row& row) { return textCell(row.name); })`.
template <class Row>
auto cellsOf(std::vector<Row> rows) {
    return [rows = std::make_shared<const std::vector<Row>>(std::move(rows))](auto make) {
        return [rows, make](int row) { return make((*rows)[static_cast<std::size_t>(row)]); };
    };
}

} // namespace assay
