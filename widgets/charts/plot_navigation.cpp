// The part of its axes that a Plot shows, and how mouse and keys change it.
#include "widgets/charts/plot.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kSmallest = 1.0 / 500.0; // part of an axis
constexpr double kStep = 1.25;            // of a key or of one notch of the wheel
constexpr double kNotch = 120.0;
constexpr double kMove = 0.1;    // of what is shown, by a key
constexpr double kBeside = 12.0; // marks at the edge of the plot reach a little beyond it
const QRectF kWhole(0, 0, 1, 1);

/// Begins and ends within 0 and 1.
void keepWithin(double& begin, double& length) {
    length = std::clamp(length, kSmallest, 1.0);
    begin = std::clamp(begin, 0.0, 1.0 - length);
}

QString toolTipOf(const ChartAxis& axis) {
    return axis.definition.isEmpty() ? axis.title : axis.definition;
}

} // namespace

void Plot::showPart(QRectF part) {
    double left = part.left();
    double width = part.width();
    double low = part.top();
    double height = part.height();
    keepWithin(left, width);
    keepWithin(low, height);
    part = QRectF(left, low, width, height);
    if (part == part_)
        return;
    part_ = part;
    applyAxes();
    emit partChanged();
}

void Plot::showWhole() {
    showPart(kWhole);
}

void Plot::magnify(double factor, QPointF around, Qt::Orientations directions) {
    const QRectF plot = plotArea();
    if (plot.isEmpty())
        return;
    const double x = std::clamp((around.x() - plot.left()) / plot.width(), 0.0, 1.0);
    const double y = std::clamp((plot.bottom() - around.y()) / plot.height(), 0.0, 1.0);
    QRectF part = part_;
    directions &= magnified_;
    if (directions & Qt::Horizontal) {
        part.setWidth(std::clamp(part_.width() / factor, kSmallest, 1.0));
        part.moveLeft(part_.left() + x * (part_.width() - part.width()));
    }
    if (directions & Qt::Vertical) {
        part.setHeight(std::clamp(part_.height() / factor, kSmallest, 1.0));
        part.moveTop(part_.top() + y * (part_.height() - part.height()));
    }
    showPart(part);
}

void Plot::movePart(QPointF pixels) {
    const QRectF plot = plotArea();
    if (!plot.isEmpty())
        showPart(
            part_.translated(-pixels.x() / plot.width() * part_.width(), pixels.y() / plot.height() * part_.height()));
}

bool Plot::isInPart(QPointF value) const {
    constexpr double kSlack = 1e-9;
    const double x = xShown_.shareAt(value.x());
    const double y = yShown_.shareAt(value.y());
    return x >= -kSlack && x <= 1.0 + kSlack && y >= -kSlack && y <= 1.0 + kSlack;
}

void Plot::reveal(QPointF value) {
    if (isWhole() || isInPart(value))
        return;
    QRectF part = part_;
    part.moveCenter({xWhole_.shareAt(value.x()), yWhole_.shareAt(value.y())});
    showPart(part);
}

QPointF Plot::toValue(QPointF point) const {
    const QRectF plot = plotArea();
    if (plot.isEmpty())
        return {};
    return {xShown_.valueAt((point.x() - plot.left()) / plot.width()),
            yShown_.valueAt((plot.bottom() - point.y()) / plot.height())};
}

Qt::Orientations Plot::axesAt(QPointF point) const {
    const QRectF plot = plotArea();
    if (point.y() > plot.bottom() + kBeside)
        return Qt::Horizontal;
    return point.x() < plot.left() - kBeside ? Qt::Vertical : Qt::Horizontal | Qt::Vertical;
}

QString Plot::axisToolTipAt(QPoint point) const {
    const Qt::Orientations beside = axesAt(point);
    if (beside == Qt::Horizontal)
        return toolTipOf(xShown_);
    return beside == Qt::Vertical ? toolTipOf(yShown_) : QString();
}

bool Plot::navigate(const QKeyEvent& event) {
    const QPointF centre = plotArea().center();
    const bool control = event.modifiers() & Qt::ControlModifier;
    const QPointF step(kMove * plotArea().width(), kMove * plotArea().height());
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift
        magnify(kStep, centre, Qt::Horizontal | Qt::Vertical);
        return true;
    case Qt::Key_Minus:
        magnify(1.0 / kStep, centre, Qt::Horizontal | Qt::Vertical);
        return true;
    case Qt::Key_0:
        if (control)
            showWhole();
        return control;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (control && !isWhole())
            movePart({event.key() == Qt::Key_Left ? step.x() : -step.x(), 0.0});
        return control && !isWhole();
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (control && !isWhole())
            movePart({0.0, event.key() == Qt::Key_Up ? step.y() : -step.y()});
        return control && !isWhole();
    default:
        return false;
    }
}

/// Moves the part that is shown by a drag. @return whether the event belongs to one
bool Plot::isDrag(QMouseEvent* event, Qt::MouseButton with) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (event->button() != with)
            return false;
        pressed_ = event->position();
        moving_ = false;
        return true;
    case QEvent::MouseMove: {
        if (!pressed_ || !(event->buttons() & with))
            return false;
        const QPointF by = event->position() - *pressed_;
        if (!moving_ && (isWhole() || by.manhattanLength() < QApplication::startDragDistance()))
            return false;
        moving_ = true;
        pressed_ = event->position();
        movePart(by);
        return true;
    }
    case QEvent::MouseButtonRelease:
        if (event->button() != with || !pressed_)
            return false;
        pressed_.reset();
        return std::exchange(moving_, false);
    default:
        return false;
    }
}

void Plot::wheelEvent(QWheelEvent* event) {
    if (!magnified_) {
        event->ignore(); // what is around the chart scrolls
        return;
    }
    const double notches = event->angleDelta().y() / kNotch;
    if (notches != 0.0)
        magnify(std::pow(kStep, notches), event->position(), axesAt(event->position()));
    event->accept(); // what is around the chart must not scroll away
}

void Plot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (isWhole() || event->button() != Qt::LeftButton)
        mousePressEvent(event);
    else
        showWhole();
}

void Plot::placeButton() {
    wholeButton_->setVisible(!isWhole());
    wholeButton_->raise();
    wholeButton_->adjustSize();
    wholeButton_->move(width() - wholeButton_->width() - 4, 4);
}

} // namespace assay
