#include "engine/demo/shapes.h"

#include <algorithm>
#include <cmath>

namespace assay::demo {
namespace {

constexpr double kSqrt3 = 1.7320508075688772;

double length(double x, double y) {
    // Not std::hypot: the standard does not require correct rounding for it.
    return std::sqrt(x * x + y * y);
}

double disc(Point p) {
    return length(p.x, p.y) - 0.86;
}

double ring(Point p) {
    return std::abs(length(p.x, p.y) - 0.68) - 0.23;
}

double roundedBox(Point p, double halfWidth, double halfHeight, double corner) {
    const double x = std::abs(p.x) - halfWidth + corner;
    const double y = std::abs(p.y) - halfHeight + corner;
    return length(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0) - corner;
}

double triangle(Point p) {
    const double half = 0.82;
    double x = std::abs(p.x) - half;
    double y = half / kSqrt3 - p.y + 0.18;
    if (x + kSqrt3 * y > 0.0) {
        const double oldX = x;
        x = (oldX - kSqrt3 * y) / 2.0;
        y = (-kSqrt3 * oldX - y) / 2.0;
    }
    x -= std::clamp(x, -2.0 * half, 0.0);
    return -length(x, y) * (y < 0.0 ? -1.0 : 1.0) - 0.1;
}

double star(Point p) {
    // Maps the plane to one tenth by mirrors at 36 and 72 degrees, then measures the distance to one edge.
    constexpr double kCos36 = 0.80901699437494742;
    constexpr double kSin36 = 0.58778525229247313;
    const double outer = 0.95;
    const double inner = 0.5;
    double x = std::abs(p.x);
    double y = -p.y;
    const auto fold = [&](double nx, double ny) {
        const double over = 2.0 * std::max(nx * x + ny * y, 0.0);
        x -= over * nx;
        y -= over * ny;
    };
    fold(kCos36, -kSin36);
    fold(-kCos36, -kSin36);
    x = std::abs(x);
    y -= outer;
    const double edgeX = inner * kSin36;
    const double edgeY = inner * kCos36 - outer;
    const double along = (x * edgeX + y * edgeY) / (edgeX * edgeX + edgeY * edgeY);
    const double t = std::clamp(along, 0.0, 1.0);
    const double side = y * edgeX - x * edgeY;
    return length(x - edgeX * t, y - edgeY * t) * (side > 0.0 ? 1.0 : -1.0) - 0.04;
}

double cross(Point p) {
    return std::min(roundedBox(p, 0.9, 0.31, 0.1), roundedBox(p, 0.31, 0.9, 0.1));
}

double crescent(Point p) {
    // A disc minus another disc: the distance is not exact near the tips, but the outline is.
    return std::max(length(p.x + 0.05, p.y) - 0.9, 0.7 - length(p.x - 0.4, p.y + 0.14));
}

double heart(Point p) {
    const double scale = 1.55;
    const double x = std::abs(p.x) / scale;
    const double y = (0.88 - p.y) / scale;
    if (x + y > 1.0)
        return (length(x - 0.25, y - 0.75) - 0.35355339059327379) * scale;
    const double diagonal = 0.5 * std::max(x + y, 0.0);
    const double nearest = std::min(length(x, y - 1.0), length(x - diagonal, y - diagonal));
    return nearest * (x > y ? 1.0 : -1.0) * scale;
}

} // namespace

double signedDistance(Shape shape, Point p) {
    switch (shape) {
    case Shape::Disc:
        return disc(p);
    case Shape::Ring:
        return ring(p);
    case Shape::Square:
        return roundedBox(p, 0.76, 0.76, 0.14);
    case Shape::Triangle:
        return triangle(p);
    case Shape::Star:
        return star(p);
    case Shape::Cross:
        return cross(p);
    case Shape::Crescent:
        return crescent(p);
    case Shape::Heart:
        return heart(p);
    }
    return 0.0;
}

} // namespace assay::demo
