#pragma once

#include <QMatrix4x4>
#include <QPointF>
#include <QQuaternion>
#include <QSizeF>
#include <QVector3D>

#include <array>
#include <optional>

namespace assay::space {

using Point = std::array<float, 3>;

inline QVector3D toVector(const Point& p) {
    return {p[0], p[1], p[2]};
}

/// Where a point lies on the screen: logical pixels from the top left, and its depth, smaller in front.
struct ScreenPoint {
    QPointF at;
    float depth = 0.0F;
};

/// A camera that orbits about a point of interest. Knows nothing of who draws, so that what is drawn and what is picked
/// go through the same projection.
class SpaceCamera {
public:
    static constexpr float kViewAngle = 30.0F; ///< vertical, in degrees

    /// Looks at a sphere from the default direction such that it fills the view.
    void fit(QVector3D centre, float radius);
    /// The sphere that must stay between the near and the far plane.
    void setScene(QVector3D centre, float radius);

    /// A drag over `size` logical pixels; dragging across the whole height turns by half a revolution.
    void rotate(QPointF delta, QSizeF size);
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
};

/// Projects a point by SpaceCamera::matrix(); none when it lies outside the near and far planes.
std::optional<ScreenPoint> project(const QMatrix4x4& matrix, QSizeF size, const Point& point);

} // namespace assay::space
