#pragma once

#include "widgets/charts/heat_table.h"

#include <QColor>
#include <QRectF>
#include <QWidget>

class QFontMetrics;
class QPainter;

namespace assay {

/// How heat tables are drawn, on the screen and in figures.

constexpr int kHeatInset = 6; ///< beside a name, in pixels

/// Black or white, whichever stands out more from a colour.
QColor inkOn(const QColor& background);

/// Fills a cell and writes its number; without a shade the number is in the colour of text.
void paintHeatCell(QPainter& painter, const QRectF& rect, const HeatCell& cell, const QPalette& palette,
                   Qt::Alignment alignment = Qt::AlignCenter);

/// Sizes of the parts of a table, in pixels.
struct HeatSizes {
    int cellWidth = 0;
    int cellHeight = 0;
    int rowNames = 0;         ///< width of the names of rows
    int columnNames = 0;      ///< height of the names of columns
    int title = 0;            ///< height of the line above them, which says what columns are
    QStringList shownRows;    ///< names elided so that they differ; empty: many, which are elided in the middle
    QStringList shownColumns; ///< the same of columns
    bool areTurned = false;   ///< the names of columns read upwards
};
HeatSizes heatSizes(const HeatContent& content, const QFontMetrics& metrics);

/// The name of a row beside its cells, and of a column above them.
void paintRowName(QPainter& painter, const QRectF& rect, const HeatContent& content, const HeatSizes& sizes, int row);
void paintColumnName(QPainter& painter, const QRectF& rect, const HeatContent& content, const HeatSizes& sizes,
                     int column);

/// The first rows and columns of a content, whole, for figures.
class HeatDrawing : public QWidget {
public:
    HeatDrawing(const HeatContent& content, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const HeatContent& content_;
    HeatSizes sizes_;
    std::size_t rows_;
    std::size_t columns_;
};

} // namespace assay
