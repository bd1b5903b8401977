#pragma once

#include <QLineF>
#include <QRectF>

#include <vector>

namespace assay {

/// Where a label of a point is read best: beside the point, as near as it can be without lying on a line, its markers
/// or another label. Where there is no such place, the one that the fewest lines cross. All in one widget's pixels.
/// @param off    half the size of the point's mark
/// @param within the label lies in it, unless it is larger
/// @param lines  pieces of what is drawn
/// @param taken  other labels
QRectF clearPlace(QPointF point, QSizeF size, double off, const QRectF& within, const std::vector<QLineF>& lines,
                  const std::vector<QRectF>& taken);

} // namespace assay
