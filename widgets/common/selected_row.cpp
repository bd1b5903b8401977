#include "widgets/common/selected_row.h"

#include "widgets/common/colors.h"

#include <QPainter>
#include <QStyleOptionViewItem>

namespace assay {

void tintSelectedRow(QPainter& painter, const QStyleOptionViewItem& option) {
    QColor tint = colors::selected(option.palette);
    tint.setAlphaF(0.22F);
    painter.fillRect(option.rect, tint);
}

void markSelectedRow(QPainter& painter, const QStyleOptionViewItem& option, bool first, bool focused) {
    const QRect rect = option.rect;
    if (first)
        painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), colors::selected(option.palette));
    if (!focused)
        return;
    painter.setPen(QPen(colors::selected(option.palette), 2));
    painter.drawLine(rect.left(), rect.top() + 1, rect.right(), rect.top() + 1);
    painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom());
}

} // namespace assay
