#pragma once

#include "widgets/space/drawing/space_camera.h"

#include <QWidget>

#include <optional>

namespace assay::space {

class SpaceCanvas;

/// Layer over the 3D picture: emphasised samples and their links, which the cloud must not hide; the outline
/// that is being drawn; and axes: on the plane along the edges, in space their titles where they end and a little cross
/// that shows which way they point.
class SpaceOverlay : public QWidget {
    Q_OBJECT

public:
    explicit SpaceOverlay(SpaceCanvas* canvas);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintHighlights(QPainter& painter) const;
    void paintFlatBall(QPainter& painter) const;
    void paintPlaneAxes(QPainter& painter) const;
    void paintAxisTitles(QPainter& painter) const;
    void paintOrientation(QPainter& painter) const;
    void paintLasso(QPainter& painter) const;
    void paintRegions(QPainter& painter) const;
    /// Text that stays readable over points: on a soft halo in the background's colour.
    void paintText(QPainter& painter, const QRectF& box, const QString& text, const QColor& ink) const;
    /// Where a point is seen; none out of sight.
    std::optional<QPointF> placeOf(const Point& point) const;

    SpaceCanvas* canvas_;
};

} // namespace assay::space
