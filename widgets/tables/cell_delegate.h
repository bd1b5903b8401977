#pragma once

#include "widgets/tables/table_content.h"

#include <QStyledItemDelegate>

namespace assay {

class TableView;

/// Black or white, whichever stands out more from a colour.
QColor inkOn(const QColor& background);

/// Paints the cells of a TableView as their TableCell says.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit CellDelegate(TableView* view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Width that a cell needs.
    int widthOf(const TableCell& cell) const;

private:
    struct Painting;

    void paintGround(const Painting& on) const;
    void paintText(const Painting& on, QRect rect) const;
    void paintRowLine(const Painting& on, const RowLine& line, QRect rect) const;
    void paintFrame(const Painting& on) const;
    static QStringList namesIn(const Painting& on);

    TableView* view_;
};

} // namespace assay
