#pragma once

#include <QMatrix4x4>
#include <QPointF>
#include <QQuaternion>
#include <QSizeF>
#include <QVector3D>
#include <QVector4D>

#include <array>
#include <cmath>
#include <optional>

namespace assay::space {

using Point = std::array<float, 3>;

inline QVector3D toVector(const Point& p) {
    return {p[0], p[1], p[2]};
}

inline Point toPoint(QVector3D v) {
    return {v.x(), v.y(), v.z()};
}

/// Where a point lies on the screen: logical pixels from the top left, and its depth, smaller in front.
struct ScreenPoint {
    QPointF at;
    float depth = 0.0F;
};

/// A camera that orbits about a point of interest, or slides over the plane of the first two coordinates. Knows nothing
/// of who draws, so that what is drawn, what is picked and what the overlay marks go through the same projection.
///
/// It takes the place of vtkInteractorStyleImage and its relatives: those move a vtkCamera of a render window, which is
/// gone while a dock is torn off, know neither lasso nor the other views' modifier keys, and
/// vtkInteractorStyleRubberBand2D draws its rectangle by reading the whole picture back from the graphics card at every
/// step of the mouse.
class SpaceCamera {
public:
    static constexpr float kViewAngle = 30.0F; ///< vertical, in degrees

    /// Looks at a sphere from the default direction such that it fills the view, and turns about its centre.
    void fit(QVector3D centre, float radius);
    /// Looks straight at a rectangle of the plane such that it fills the view, without perspective, and does not turn.
    /// @param half its half width and height
    void fitFlat(QVector3D centre, QSizeF half, QSizeF size);
    bool isFlat() const noexcept { return flat_; }
    /// The sphere that must stay between the near and the far plane.
    void setScene(QVector3D centre, float radius);

    /// A drag over `size` logical pixels; dragging across the whole height turns by half a revolution.
    void rotate(QPointF delta, QSizeF size);
    /// Half the height of what is seen at the focal point's depth, in the points' unit.
    float halfHeight() const;
    /// The point of the plane that is drawn at a position of the screen. @pre isFlat()
    QVector3D planeAt(QPointF at, QSizeF size) const;
    void pan(QPointF delta, QSizeF size);
    /// Comes closer by a factor (farther below 1), keeping what lies under the cursor at the focal point's depth.
    void zoom(float factor, QPointF cursor, QSizeF size);
    /// Turns about this point from now on, and shows it in the middle.
    void lookAt(QVector3D point) { focal_ = point; }

    QVector3D position() const;
    QVector3D focalPoint() const { return focal_; }
    QVector3D viewUp() const { return orientation_.rotatedVector({0, 1, 0}); }
    float nearPlane() const;
    float farPlane() const;

    /// From space to clip coordinates, for a view of this size.
    QMatrix4x4 matrix(QSizeF size) const;
    /// From space to eye directions (no translation): for the little orientation cross.
    QVector3D toEye(QVector3D direction) const { return orientation_.inverted().rotatedVector(direction); }

    friend bool operator==(const SpaceCamera&, const SpaceCamera&) = default;

private:
    QQuaternion orientation_;
    QVector3D focal_;
    float distance_ = 10.0F;
    QVector3D sceneCentre_;
    float sceneRadius_ = 1.0F;
    bool flat_ = false;
};

/// Projects a point by SpaceCamera::matrix(); none when it lies outside the near and far planes, or nowhere (NaN).
/// Here, because a million points are projected between two pictures.
inline std::optional<ScreenPoint> project(const QMatrix4x4& matrix, QSizeF size, const Point& point) {
    const QVector4D clip = matrix * QVector4D(toVector(point), 1.0F);
    if (!(clip.w() > 0.0F) || !(std::abs(clip.z()) <= clip.w()) || std::isnan(clip.x() + clip.y()))
        return std::nullopt;
    return ScreenPoint{{(static_cast<double>(clip.x() / clip.w()) + 1) / 2 * size.width(),
                        (1 - static_cast<double>(clip.y() / clip.w())) / 2 * size.height()},
                       clip.z() / clip.w()};
}

} // namespace assay::space
