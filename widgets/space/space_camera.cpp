#include "widgets/space/space_camera.h"

#include <QtMath>

#include <algorithm>

namespace assay::space {

void SpaceCamera::fit(QVector3D centre, float radius) {
    focal_ = centre;
    const float half = qDegreesToRadians(kViewAngle / 2);
    // A box seldom fills its sphere: a little closer than the sphere itself would need.
    distance_ = 0.88F * std::max(radius, 1e-6F) / std::sin(half);
    // PC 1 to the right, PC 2 up, seen a little from above and from the right, so that depth shows at once.
    orientation_ = QQuaternion::fromAxisAndAngle(0, 1, 0, 28) * QQuaternion::fromAxisAndAngle(1, 0, 0, -20);
}

void SpaceCamera::setScene(QVector3D centre, float radius) {
    sceneCentre_ = centre;
    sceneRadius_ = std::max(radius, 1e-6F);
}

void SpaceCamera::rotate(QPointF delta, QSizeF size) {
    const double degrees = 180.0 / std::max(1.0, size.height());
    const auto yaw = QQuaternion::fromAxisAndAngle(0, 1, 0, static_cast<float>(-delta.x() * degrees));
    const auto pitch = QQuaternion::fromAxisAndAngle(1, 0, 0, static_cast<float>(-delta.y() * degrees));
    orientation_ = (orientation_ * yaw * pitch).normalized();
}

void SpaceCamera::pan(QPointF delta, QSizeF size) {
    const float perPixel =
        2 * distance_ * std::tan(qDegreesToRadians(kViewAngle / 2)) / static_cast<float>(std::max(1.0, size.height()));
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
    const float toScene = position().distanceToPoint(sceneCentre_) - sceneRadius_ * 1.05F;
    return std::max(toScene, 0.01F * distance_);
}

float SpaceCamera::farPlane() const {
    return std::max(position().distanceToPoint(sceneCentre_) + sceneRadius_ * 1.05F, nearPlane() * 1.01F);
}

QMatrix4x4 SpaceCamera::matrix(QSizeF size) const {
    QMatrix4x4 matrix;
    matrix.perspective(kViewAngle, static_cast<float>(size.width() / std::max(1.0, size.height())), nearPlane(),
                       farPlane());
    matrix.lookAt(position(), focal_, viewUp());
    return matrix;
}

std::optional<ScreenPoint> project(const QMatrix4x4& matrix, QSizeF size, const Point& point) {
    const QVector4D clip = matrix * QVector4D(toVector(point), 1.0F);
    if (!(clip.w() > 0.0F) || std::abs(clip.z()) > clip.w())
        return std::nullopt;
    return ScreenPoint{{(static_cast<double>(clip.x() / clip.w()) + 1) / 2 * size.width(),
                        (1 - static_cast<double>(clip.y() / clip.w())) / 2 * size.height()},
                       clip.z() / clip.w()};
}

} // namespace assay::space
