#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace assay::space {

/// Text in the middle of a box that stays readable over points: a soft halo in the background's colour.
void drawHaloText(QPainter& painter, const QRectF& box, const QString& text, const QColor& ink, QColor halo);

} // namespace assay::space
