#include "widgets/grid/sample_marks.h"

#include "widgets/common/colors.h"
#include "widgets/link/sample_selection.h"

#include <QFont>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr double kStroke = 2.0;
constexpr double kOutline = 5.0;

int markSize(const QRect& picture) {
    return std::clamp(picture.width() / 6, 7, 16);
}

QPainterPath questionMark(const QRectF& place) {
    QFont font;
    font.setBold(true);
    font.setPixelSize(static_cast<int>(place.height()) + 4);
    QPainterPath path;
    path.addText(0, 0, font, QStringLiteral("?"));
    path.translate(place.center() - path.boundingRect().center());
    return path;
}

QPainterPath strokes(DecisionMark mark, const QRectF& place) {
    QPainterPath path;
    if (mark == DecisionMark::Check) {
        path.moveTo(place.left(), place.top() + 0.6 * place.height());
        path.lineTo(place.left() + 0.38 * place.width(), place.bottom());
        path.lineTo(place.right(), place.top());
    } else {
        path.moveTo(place.topLeft());
        path.lineTo(place.bottomRight());
        path.moveTo(place.topRight());
        path.lineTo(place.bottomLeft());
    }
    return path;
}

} // namespace

void paintDecisionMark(QPainter& painter, DecisionMark mark, const QRect& picture, const QPalette& palette) {
    const int size = markSize(picture);
    const QRectF place(picture.left() + 4, picture.bottom() - size - 3, size, size);
    const QColor ink = mark == DecisionMark::Check ? colors::accepted(palette) : palette.color(QPalette::WindowText);
    const QColor paper = palette.color(QPalette::Base);
    painter.setBrush(Qt::NoBrush);
    if (mark == DecisionMark::QuestionMark) {
        const QPainterPath path = questionMark(place);
        painter.strokePath(path, QPen(paper, kOutline - 1.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.fillPath(path, ink);
        return;
    }
    for (const auto& [color, width] : {std::pair(paper, kOutline), std::pair(ink, kStroke)})
        painter.strokePath(strokes(mark, place), QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void paintNoteMark(QPainter& painter, const QRect& picture, const QPalette& palette) {
    // A sheet with two lines of writing.
    const int size = markSize(picture);
    const QRectF sheet(picture.right() - size - 2.5, picture.bottom() - size - 2.5, 0.85 * size, size);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1.0));
    painter.setBrush(palette.color(QPalette::Base));
    painter.drawRect(sheet);
    for (const double at : {0.35, 0.65})
        painter.drawLine(QPointF(sheet.left() + 2.0, sheet.top() + at * size),
                         QPointF(sheet.right() - 2.0, sheet.top() + at * size));
    painter.setBrush(Qt::NoBrush);
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
