#include "engine/demo/drawing.h"

#include <algorithm>
#include <cmath>

namespace assay::demo {
namespace {

/// Weight of the edge energy relative to the colours.
constexpr double kEdgeWeight = 1.5;

/// A point in the coordinates of a shape: the shape is roughly centred at 0 and has a radius of about 1; y points down.
struct Point {
    double x = 0.0;
    double y = 0.0;
};

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

/// Signed distance from the outline of a shape, negative inside, in the units of Point. Uses only operations that IEEE
/// 754 rounds correctly (no sine, no power), so the value is identical on every machine.
/// Source: formulas after Inigo Quilez, "2D distance functions".
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

constexpr int kSide = static_cast<int>(kPictureSide);
/// The shadow is shifted this many pixels right and down; the distance field has the same margin at the top and left.
constexpr int kShadowShift = 1;
constexpr int kFieldSide = kSide + kShadowShift;

struct Color {
    double red, green, blue;
};

/// Properties of one picture.
struct Scene {
    Shape shape;
    double hue, saturation, lightness;
    double backHue, backSaturation, backLightness;
    double centreX, centreY, radius; ///< pixels
    double cosine, sine;             ///< cosine and sine of the rotation angle
};

double draw(const Varied& varied, double spread, Random& random) {
    return varied.mean + spread * varied.halfWidth * random.bell();
}

Scene drawScene(const ClassRecipe& recipe, double spread, Random& random) {
    Scene scene{};
    scene.shape = recipe.shape;
    scene.hue = draw(recipe.hue, spread, random);
    scene.saturation = recipe.saturation;
    scene.lightness = draw(recipe.lightness, spread, random);
    scene.backHue = draw(recipe.backHue, spread, random);
    scene.backSaturation = recipe.backSaturation;
    scene.backLightness = draw(recipe.backLightness, spread, random);
    scene.centreX = draw(kCentre, spread, random);
    scene.centreY = draw(kCentre, spread, random);
    scene.radius = draw(kRadius, spread, random);
    // Rational rotation: the library's sine and cosine differ in the last bit between platforms.
    const double t = draw(kTurn, spread, random);
    scene.cosine = (1.0 - t * t) / (1.0 + t * t);
    scene.sine = 2.0 * t / (1.0 + t * t);
    return scene;
}

Color fromHsl(double hue, double saturation, double lightness) {
    const double chroma = saturation * std::min(lightness, 1.0 - lightness);
    const auto channel = [&](double offset) {
        double k = offset + 12.0 * (hue - std::floor(hue));
        k = k >= 12.0 ? k - 12.0 : k;
        return lightness - chroma * std::clamp(std::min(k - 3.0, 9.0 - k), -1.0, 1.0);
    };
    return {channel(0.0), channel(8.0), channel(4.0)};
}

Color mix(const Color& a, const Color& b, double share) {
    return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green), a.blue + share * (b.blue - a.blue)};
}

Color brightened(const Color& color, double by) {
    return {color.red + by, color.green + by, color.blue + by};
}

std::uint8_t quantised(double value) {
    return static_cast<std::uint8_t>(std::floor(std::clamp(value, 0.0, 1.0) * 255.0 + 0.5));
}

using Field = std::array<double, static_cast<std::size_t>(kFieldSide) * kFieldSide>;

double fieldAt(const Field& field, int x, int y) {
    return field[static_cast<std::size_t>((y + kShadowShift) * kFieldSide + x + kShadowShift)];
}

/// Signed distance in pixels at the centre of every pixel, with a margin at the top and left.
Field distanceField(const Scene& scene) {
    Field field{};
    std::size_t at = 0;
    for (int y = -kShadowShift; y < kSide; ++y)
        for (int x = -kShadowShift; x < kSide; ++x) {
            const double dx = (x + 0.5 - kSide / 2.0 - scene.centreX) / scene.radius;
            const double dy = (y + 0.5 - kSide / 2.0 - scene.centreY) / scene.radius;
            const Point p{scene.cosine * dx + scene.sine * dy, scene.cosine * dy - scene.sine * dx};
            field[at++] = scene.radius * signedDistance(scene.shape, p);
        }
    return field;
}

} // namespace

Picture drawPicture(const ClassRecipe& recipe, double spread, Random& random) {
    const Scene scene = drawScene(recipe, spread, random);
    const Field field = distanceField(scene);
    const Color back = fromHsl(scene.backHue, scene.backSaturation, scene.backLightness);
    const Color shadow = fromHsl(scene.backHue, scene.backSaturation, 0.55 * scene.backLightness);
    const Color fore = fromHsl(scene.hue, scene.saturation, scene.lightness);
    Picture picture{};
    std::size_t at = 0;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            // Light comes from the upper left: the background darkens downwards, the shape across, and casts a soft
            // shadow.
            const double fade = 0.05 * (1.0 - (y + 0.5) / (kSide / 2.0));
            const double shade = std::clamp((1.5 - fieldAt(field, x - kShadowShift, y - kShadowShift)) / 3.0, 0.0, 1.0);
            const Color ground = mix(brightened(back, fade), shadow, 0.45 * shade);
            const double across = (x + y + 1.0 - kSide - scene.centreX - scene.centreY) / (2.0 * scene.radius);
            const double inside = std::clamp(0.5 - fieldAt(field, x, y), 0.0, 1.0);
            const Color color = mix(ground, brightened(fore, -0.09 * across), inside);
            picture[at++] = quantised(color.red);
            picture[at++] = quantised(color.green);
            picture[at++] = quantised(color.blue);
        }
    return picture;
}

Picture drawNoise(Random& random) {
    double mean[3];
    for (double& channel : mean)
        channel = 0.3 + 0.4 * random.uniform();
    Picture picture{};
    for (std::size_t i = 0; i < picture.size(); ++i)
        picture[i] = quantised(mean[i % 3] + 0.6 * (random.uniform() - 0.5));
    return picture;
}

Picture withNoise(const Picture& picture, int levels, Random& random) {
    Picture result{};
    for (std::size_t i = 0; i < picture.size(); ++i) {
        const int change = static_cast<int>(random.below(static_cast<std::size_t>(2 * levels + 1))) - levels;
        result[i] = static_cast<std::uint8_t>(std::clamp(picture[i] + change, 0, 255));
    }
    return result;
}

Picture blurred(const Picture& picture, std::size_t passes) {
    const auto filter = [](const Picture& from, int stepX, int stepY) {
        Picture to{};
        const auto pixel = [&](int x, int y, int channel) {
            const int cx = std::clamp(x, 0, kSide - 1);
            const int cy = std::clamp(y, 0, kSide - 1);
            return static_cast<int>(from[static_cast<std::size_t>((cy * kSide + cx) * 3 + channel)]);
        };
        std::size_t at = 0;
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x)
                for (int c = 0; c < 3; ++c)
                    to[at++] = static_cast<std::uint8_t>(
                        (pixel(x - stepX, y - stepY, c) + 2 * pixel(x, y, c) + pixel(x + stepX, y + stepY, c) + 2) / 4);
        return to;
    };
    Picture result = picture;
    for (std::size_t pass = 0; pass < passes; ++pass)
        result = filter(filter(result, 1, 0), 0, 1);
    return result;
}

namespace {

constexpr std::size_t kCell = kPictureSide / kCellsAcross;
constexpr std::size_t kRowBytes = kPictureSide * 3;

/// Brightness of the pixel whose red value is at `offset`: integer in 0 .. 2550 (Rec. 601 weights, in tenths).
std::int64_t brightness(const Picture& picture, std::size_t offset) {
    return 3 * picture[offset] + 6 * picture[offset + 1] + picture[offset + 2];
}

} // namespace

std::array<float, kEmbeddingDim> embedPicture(const Picture& picture) {
    std::array<std::int64_t, kEmbeddingDim> sum{};
    for (std::size_t y = 0; y < kPictureSide; ++y)
        for (std::size_t x = 0; x < kPictureSide; ++x) {
            const std::size_t offset = y * kRowBytes + x * 3;
            const std::size_t cell = 4 * ((y / kCell) * kCellsAcross + x / kCell);
            for (std::size_t c = 0; c < 3; ++c)
                sum[cell + c] += picture[offset + c];
            const std::int64_t here = brightness(picture, offset);
            const std::int64_t right = x + 1 < kPictureSide ? brightness(picture, offset + 3) - here : 0;
            const std::int64_t down = y + 1 < kPictureSide ? brightness(picture, offset + kRowBytes) - here : 0;
            sum[cell + 3] += right * right + down * down;
        }
    constexpr double kPixels = static_cast<double>(kCell * kCell);
    std::array<float, kEmbeddingDim> embedding{};
    for (std::size_t i = 0; i < kEmbeddingDim; ++i) {
        const double mean = static_cast<double>(sum[i]) / kPixels;
        embedding[i] = static_cast<float>(i % 4 == 3 ? kEdgeWeight * (std::sqrt(mean) / 2550.0) : mean / 255.0);
    }
    return embedding;
}

} // namespace assay::demo
