#include "widgets/space/drawing/halo_text.h"

#include <QPainter>

namespace assay::space {

void drawHaloText(QPainter& painter, const QRectF& box, const QString& text, const QColor& ink, QColor halo) {
    halo.setAlpha(190);
    painter.setPen(Qt::NoPen);
    painter.setBrush(halo);
    painter.drawRoundedRect(box.adjusted(-3, 0, 3, 0), 3, 3);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace assay::space
