#pragma once

#include "widgets/charts/figure.h"

#include <QString>

class QImage;

namespace assay {

/// The figure as pixels. @param scale pixels a logical one, in [1, 4]
QImage figureImage(const Figure& figure, FigureCaption caption, int scale);

/// Writes the figure: as SVG or PDF with text as text, or as PNG or JPEG, by the file's suffix. A file that is there is
/// replaced once the new one is whole.
/// @param scale of pixels
/// @return what went wrong; empty for nothing
QString saveFigure(const Figure& figure, FigureCaption caption, int scale, const QString& file);

/// Writes the numbers drawn as CSV, likewise.
QString saveFigureData(const Figure& figure, const QString& file);

} // namespace assay
