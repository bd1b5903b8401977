#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QPainter;
class QRectF;
class QSizeF;
class QWidget;

namespace assay {

/// A chart as it goes into a paper: the drawing without the window around it, a legend, a footnote, and the numbers.
struct Figure {
    struct Entry {
        QString name;
        /// Paints a sample of the line or mark into a box.
        std::function<void(QPainter& painter, const QRectF& box)> sample;
    };

    QString title;
    QWidget* chart = nullptr;      ///< what is drawn; it outlives the figure
    std::vector<Entry> legend;     ///< empty: the drawing says it all
    QString caption;               ///< what it shows, and with what parameters
    std::vector<QStringList> data; ///< the values drawn: headings, then rows; numbers with a point
};

enum class FigureCaption { Shown, Hidden };

/// In logical pixels.
QSizeF figureSize(const Figure& figure, FigureCaption caption);

/// Paints the figure from the origin on: on white, in the light colours, whatever the window's are. What is text stays
/// text where the painter's device knows it.
void paintFigure(QPainter& painter, const Figure& figure, FigureCaption caption);

/// A number in the data of a figure: the shortest text that reads back to the same value, with a decimal point.
QString dataNumber(double value);

} // namespace assay
