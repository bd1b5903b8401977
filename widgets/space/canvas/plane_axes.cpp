#include "widgets/space/canvas/plane_axes.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/common/number_format.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/halo_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cstddef>

namespace assay::space {
namespace {

constexpr double kTick = 4.0; // logical pixels
constexpr double kTickGap = 3.0;

/// A value's position along an axis, in the points' unit.
float positionOf(double value, const AxisRange& range) {
    return static_cast<float>((value - range.low) / (range.high - range.low));
}

class Axes {
public:
    Axes(QPainter& painter, const SpaceCanvas& canvas)
        : painter_(painter), canvas_(canvas), metrics_(canvas.font()), matrix_(canvas.camera().matrix(canvas.size())),
          low_(canvas.camera().planeAt(QPointF(0, canvas.height()), canvas.size())),
          high_(canvas.camera().planeAt(QPointF(canvas.width(), 0), canvas.size())) {}

    void paint() {
        painter_.setPen(canvas_.drawing().axes);
        paintAcross();
        paintUp();
    }

private:
    std::vector<double> ticks(std::size_t axis, float low, float high, double length, double apart) const {
        const AxisRange& range = canvas_.axisRanges()[axis];
        return axisTicks(range.valueAt(static_cast<double>(low)), range.valueAt(static_cast<double>(high)),
                         std::max(1, static_cast<int>(length / apart)));
    }

    QPointF at(Point point) const {
        const auto screen = project(matrix_, canvas_.size(), point);
        return screen ? screen->at : QPointF(-1e6, -1e6);
    }

    void paintAcross() {
        const double bottom = canvas_.height();
        for (const double value : ticks(0, low_.x(), high_.x(), canvas_.width(), 90)) {
            const double x = at({positionOf(value, canvas_.axisRanges()[0]), low_.y(), 0}).x();
            const QString text = formatNumber(value);
            QRectF box(0, bottom - kTick - metrics_.height(), metrics_.horizontalAdvance(text) + 2, metrics_.height());
            box.moveCenter({x, box.center().y()});
            // The corner belongs to neither axis.
            if (box.left() < 40 || box.right() > canvas_.width() - 4)
                continue;
            painter_.setPen(canvas_.drawing().axes);
            painter_.drawLine(QPointF(x, bottom), QPointF(x, bottom - kTick));
            drawHaloText(painter_, box, text, canvas_.drawing().axes, canvas_.drawing().background);
        }
        const QString title = canvas_.axisTitles()[0];
        QRectF box(0, bottom - kTick - 2 * metrics_.height() - kTickGap, metrics_.horizontalAdvance(title) + 2,
                   metrics_.height());
        box.moveRight(canvas_.width() - 10);
        drawHaloText(painter_, box, title, canvas_.drawing().text, canvas_.drawing().background);
    }

    void paintUp() {
        for (const double value : ticks(1, low_.y(), high_.y(), canvas_.height(), 40)) {
            const double y = at({low_.x(), positionOf(value, canvas_.axisRanges()[1]), 0}).y();
            const QString text = formatNumber(value);
            QRectF box(kTick + kTickGap, 0, metrics_.horizontalAdvance(text) + 2, metrics_.height());
            box.moveCenter({box.center().x(), y});
            if (box.top() < 6 + metrics_.height() || box.bottom() > canvas_.height() - metrics_.height())
                continue;
            painter_.setPen(canvas_.drawing().axes);
            painter_.drawLine(QPointF(0, y), QPointF(kTick, y));
            drawHaloText(painter_, box, text, canvas_.drawing().axes, canvas_.drawing().background);
        }
        const QString title = canvas_.axisTitles()[1];
        const QRectF box(kTick + kTickGap + 2, 6, metrics_.horizontalAdvance(title) + 2, metrics_.height());
        drawHaloText(painter_, box, title, canvas_.drawing().text, canvas_.drawing().background);
    }

    QPainter& painter_;
    const SpaceCanvas& canvas_;
    QFontMetricsF metrics_;
    QMatrix4x4 matrix_;
    QVector3D low_, high_; ///< corners of what is seen
};

} // namespace

void paintPlaneAxes(QPainter& painter, const SpaceCanvas& canvas) {
    if (canvas.axisTitles().size() >= 2)
        Axes(painter, canvas).paint();
}

} // namespace assay::space
