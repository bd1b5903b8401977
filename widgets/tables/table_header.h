#pragma once

#include "widgets/tables/table_content.h"

#include <QHeaderView>

namespace assay {

class RowModel;

/// The one header of tables, for columns (headings) and for rows (their names).
///
/// Headings break into lines, have a second line and a bar in a colour, an arrow where they are sorted by; those of a
/// matrix are turned where cells are narrower. Where names do not fit, no two of them read the same.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    TableHeader(Qt::Orientation orientation, QWidget* parent);

    /// Fits the header to the model's content.
    void fit();
    /// Width of the names of rows.
    void setExtent(int width);
    /// Width of all cells of a matrix.
    int matrixCellWidth() const;
    /// Whether the headings of a matrix read upwards.
    bool areTurned() const { return areTurned_; }

    QSize sizeHint() const override;

protected:
    QSize sectionSizeFromContents(int section) const override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    const RowModel& rows() const;
    const TableContent& content() const;
    QFont fontOf(const TableColumn& column) const;
    QStringList linesOf(const TableColumn& column) const;
    void fitNames();
    int widestName() const;
    QString shownName(int section, double width) const;
    QString shownTitle(const TableColumn& column, const QString& line, int width) const;
    void paintName(QPainter& painter, const QRect& rect, int section) const;
    void paintTurned(QPainter& painter, const QRect& rect, int section) const;
    void paintHeading(QPainter& painter, const QRect& rect, int section) const;

    bool areTurned_ = false;
    int extent_ = 0;          ///< width of names of rows, height of the headings of a matrix
    QStringList fittedNames_; ///< elided so that they differ; empty: many, which are elided in the middle
};

/// The arrow of a sorted column, in the painter's pen: upwards where the smallest comes first.
void paintArrow(QPainter& painter, QPointF top, Qt::SortOrder order);

} // namespace assay
