#include "widgets/samples/sample_marks.h"

#include "widgets/common/colors.h"
#include "widgets/link/sample_selection.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace assay {

void paintRejectedCross(QPainter& painter, const QRect& picture, const QPalette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const int size = std::clamp(picture.width() / 6, 7, 16);
    const QRect cross(picture.left() + 4, picture.bottom() - size - 3, size, size);
    for (const auto& [color, width] :
         {std::pair(palette.color(QPalette::Base), 5.0), std::pair(palette.color(QPalette::WindowText), 2.0)}) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.topRight(), cross.bottomLeft());
    }
    painter.restore();
}

SelectionMark selectionMark(const SampleSelection& selection, SampleId sample) {
    if (selection.focus() == sample)
        return SelectionMark::Focused;
    if (selection.contains(sample))
        return SelectionMark::Selected;
    return selection.hovered() == sample ? SelectionMark::Hovered : SelectionMark::None;
}

void paintSelectionFrame(QPainter& painter, const QRect& picture, SelectionMark mark, const QPalette& palette) {
    if (mark == SelectionMark::None)
        return;
    const bool focused = mark == SelectionMark::Focused;
    const bool hovered = mark == SelectionMark::Hovered;
    painter.save();
    painter.setBrush(Qt::NoBrush);
    QPen pen(hovered ? colors::mutedText(palette) : colors::selected(palette), focused ? 4 : hovered ? 1 : 2);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(picture.adjusted(-1, -1, 0, 0));
    if (focused) { // a thin dark line keeps the yellow apart from bright pictures
        painter.setPen(QPen(palette.color(QPalette::WindowText), 1));
        painter.drawRect(picture.adjusted(-4, -4, 3, 3));
    }
    painter.restore();
}

} // namespace assay
