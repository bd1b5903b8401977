#include "widgets/common/share_bar.h"

#include "widgets/common/colors.h"

#include <QPainter>
#include <QStyleOptionViewItem>

#include <cmath>

namespace assay {

QPalette::ColorGroup colorGroupOf(const QStyleOptionViewItem& option) {
    if (!(option.state & QStyle::State_Enabled))
        return QPalette::Disabled;
    return option.state & QStyle::State_Active ? QPalette::Normal : QPalette::Inactive;
}

void paintShareBar(QPainter& painter, const QStyleOptionViewItem& option, double share, Side side) {
    const bool selected = option.state & QStyle::State_Selected;
    QColor color = side == Side::Real ? colors::real(option.palette) : colors::synthetic(option.palette);
    if (selected && colors::isDark(option.palette))
        color = color.darker(170); // the text on it is light
    color.setAlphaF(selected ? 0.6F : 0.28F);
    QRect bar = option.rect.adjusted(1, 2, -1, -2);
    bar.setWidth(static_cast<int>(std::lround(share * bar.width())));
    painter.fillRect(bar, color);
    if (!selected || bar.width() < 2)
        return;
    QColor edge = option.palette.color(colorGroupOf(option), QPalette::HighlightedText);
    edge.setAlphaF(0.6F);
    painter.setPen(edge);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

} // namespace assay
