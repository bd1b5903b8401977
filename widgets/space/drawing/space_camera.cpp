#include "widgets/space/drawing/space_camera.h"

#include <QtMath>

#include <algorithm>
#include <cmath>

namespace assay::space {

void SpaceCamera::fit(QVector3D centre, float radius) {
    focal_ = centre;
    const float half = qDegreesToRadians(kViewAngle / 2);
    // From here a box does not fill its sphere: a cube, which fills it most, needs 0.921 of the sphere's distance.
    distance_ = 0.93F * std::max(radius, 1e-6F) / std::sin(half);
    flat_ = false;
    // PC 1 to the right, PC 2 up, seen a little from above and from the right, so that depth shows at once.
    orientation_ = QQuaternion::fromAxisAndAngle(0, 1, 0, 28) * QQuaternion::fromAxisAndAngle(1, 0, 0, -20);
}

void SpaceCamera::fitFlat(QVector3D centre, QSizeF half, QSizeF size) {
    flat_ = true;
    orientation_ = {};
    focal_ = centre;
    const double aspect = size.width() / std::max(1.0, size.height());
    const auto height = static_cast<float>(std::max(half.height(), half.width() / std::max(aspect, 1e-3)));
    distance_ = std::max(height, 1e-6F) / std::tan(qDegreesToRadians(kViewAngle / 2));
}

float SpaceCamera::halfHeight() const {
    return distance_ * std::tan(qDegreesToRadians(kViewAngle / 2));
}

QVector3D SpaceCamera::planeAt(QPointF at, QSizeF size) const {
    const double perPixel = 2 * static_cast<double>(halfHeight()) / std::max(1.0, size.height());
    return focal_ + QVector3D(static_cast<float>((at.x() - size.width() / 2) * perPixel),
                              static_cast<float>((size.height() / 2 - at.y()) * perPixel), 0);
}

void SpaceCamera::setScene(QVector3D centre, float radius) {
    sceneCentre_ = centre;
    sceneRadius_ = std::max(radius, 1e-6F);
}

void SpaceCamera::rotate(QPointF delta, QSizeF size) {
    if (flat_)
        return;
    const double degrees = 180.0 / std::max(1.0, size.height());
    const auto yaw = QQuaternion::fromAxisAndAngle(0, 1, 0, static_cast<float>(-delta.x() * degrees));
    const auto pitch = QQuaternion::fromAxisAndAngle(1, 0, 0, static_cast<float>(-delta.y() * degrees));
    orientation_ = (orientation_ * yaw * pitch).normalized();
}

void SpaceCamera::pan(QPointF delta, QSizeF size) {
    const float perPixel = 2 * halfHeight() / static_cast<float>(std::max(1.0, size.height()));
    const auto x = static_cast<float>(-delta.x()) * perPixel;
    const auto y = static_cast<float>(delta.y()) * perPixel;
    focal_ += orientation_.rotatedVector({x, y, 0});
}

void SpaceCamera::zoom(float factor, QPointF cursor, QSizeF size) {
    const QPointF fromMiddle = cursor - QPointF(size.width() / 2, size.height() / 2);
    pan(-fromMiddle, size);
    distance_ = std::clamp(distance_ / factor, sceneRadius_ * 1e-3F, sceneRadius_ * 50.0F);
    pan(fromMiddle, size);
}

QVector3D SpaceCamera::position() const {
    return focal_ + orientation_.rotatedVector({0, 0, distance_});
}

float SpaceCamera::nearPlane() const {
    if (flat_) // all there is lies at the focal point's depth
        return 0.5F * distance_;
    const float toScene = position().distanceToPoint(sceneCentre_) - sceneRadius_ * 1.05F;
    return std::max(toScene, 0.01F * distance_);
}

float SpaceCamera::farPlane() const {
    if (flat_)
        return 1.5F * distance_;
    return std::max(position().distanceToPoint(sceneCentre_) + sceneRadius_ * 1.05F, nearPlane() * 1.01F);
}

QMatrix4x4 SpaceCamera::matrix(QSizeF size) const {
    QMatrix4x4 matrix;
    const auto aspect = static_cast<float>(size.width() / std::max(1.0, size.height()));
    if (flat_)
        matrix.ortho(-aspect * halfHeight(), aspect * halfHeight(), -halfHeight(), halfHeight(), nearPlane(),
                     farPlane());
    else
        matrix.perspective(kViewAngle, aspect, nearPlane(), farPlane());
    matrix.lookAt(position(), focal_, viewUp());
    return matrix;
}

} // namespace assay::space
