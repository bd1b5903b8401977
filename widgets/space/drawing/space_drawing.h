#pragma once

#include "engine/data/sample_set.h"
#include "engine/report/space/space_points.h"
#include "widgets/space/drawing/plane_map.h"
#include "widgets/space/drawing/space_camera.h"

#include <QColor>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

/// Content of the space panel as plain values, which outlive the graphics context, which comes and goes when a dock is
/// torn off or put back.
namespace assay::space {

using Rgb = std::array<std::uint8_t, 3>;

inline Rgb toRgb(const QColor& color) {
    return {static_cast<std::uint8_t>(color.red()), static_cast<std::uint8_t>(color.green()),
            static_cast<std::uint8_t>(color.blue())};
}

inline QColor toColor(Rgb color) {
    return {color[0], color[1], color[2]};
}

using Colors = std::shared_ptr<const std::vector<Rgb>>;

/// All samples of one set.
struct Cloud {
    std::shared_ptr<const std::vector<Point>> points; ///< null: nothing to draw
    Colors colors;                                    ///< one per point
    std::shared_ptr<const std::vector<bool>> shown;   ///< per point; null: all
    float diameter = 5.0F;                            ///< logical pixels
    bool visible = true;

    friend bool operator==(const Cloud&, const Cloud&) = default;
};

/// Emphasised points of one kind, drawn over the clouds with a rim.
struct Marks {
    std::vector<Point> points;
    std::vector<Rgb> colors;
    float diameter = 9.0F;  ///< logical pixels, rim included
    float rimWidth = 2.0F;  ///< logical pixels
    float edgeWidth = 0.0F; ///< logical pixels, of dark edges on both sides of the rim
    QColor rim;
};

/// How a line stands out: to one of several neighbours; part of what decides about a sample; what closes its triangle.
enum class LineStyle { Neighbor, Decisive, Closing };

struct Segment {
    Point from, to;
    Rgb color;
    LineStyle style = LineStyle::Neighbor;
};

struct Ball {
    Point centre;
    float radius = 0.0F;
    QColor color;

    friend bool operator==(const Ball&, const Ball&) = default;
};

enum class MarkKind { Neighbor, Selected, Focused, Hovered };
inline constexpr std::size_t kMarkKinds = 4;

struct Highlights {
    std::array<Marks, kMarkKinds> marks;
    std::vector<Segment> lines;
    std::optional<Ball> ball;

    Marks& of(MarkKind kind) { return marks[static_cast<std::size_t>(kind)]; }
};

/// Whether a point lies anywhere: samples without a value of an axis do not.
inline bool isPlaced(const Point& p) {
    return std::isfinite(p[0] + p[1] + p[2]);
}

/// Whether one of the points does.
inline bool isAnyPlaced(const std::vector<Point>& points) {
    return std::ranges::any_of(points, isPlaced);
}

/// The box that the axes are drawn along.
struct Box {
    Point low{}, high{};

    QVector3D centre() const { return (toVector(low) + toVector(high)) / 2; }
    float radius() const { return (toVector(high) - toVector(low)).length() / 2; }
    friend bool operator==(const Box&, const Box&) = default;
};

inline constexpr std::size_t kRealCloud = 0;
inline constexpr std::size_t kSyntheticCloud = 1;
inline constexpr std::size_t kOtherCloud = 2; ///< other models' samples: seen, and never picked
inline constexpr std::size_t kClouds = 3;

/// A sample that is drawn as its picture, centred on its place. A corner of the frame has the shape of the set's
/// points.
struct Thumbnail {
    static constexpr int kEdge = 46; ///< with its frame, logical pixels

    SampleId sample;
    Point at;
    Rgb color; ///< of its point, now of its frame
    bool selected = false;
};

struct Drawing {
    std::array<Cloud, kClouds> clouds; ///< real, synthetic, other models'
    std::vector<Thumbnail> thumbnails; ///< on the plane
    std::optional<SampleId> hovered;   ///< whose frame stands out
    Highlights highlights;
    std::shared_ptr<const PlaneMap> map; ///< on the plane; null: none
    Box box;
    float reach = 0.0F;                ///< how far from the box's centre anything is drawn
    bool isFlat = false;               ///< on the plane, which slides and never turns
    QStringList titles{};              ///< of the axes; none where they mean nothing
    std::array<AxisRange, 3> ranges{}; ///< values that lie at 0 and at 1 of each axis
    QString notice{};                  ///< over the picture, at the top
    QColor background, axes, frame, text;

    /// Whether the same is drawn under the overlay, from any camera.
    bool hasScene(const Drawing& other) const;
};

/// The box that holds all but the outermost 1 % of the points along each axis, a little padded: one far outlier must
/// not shrink everything else to a dot. Never of size zero.
Box boxAround(const SpacePoints& points);

/// Distance of the farthest point, or of the box's corners, from the box's centre.
float reachOf(const SpacePoints& points, const Box& box);

/// Paints the shape of a set's points: a diamond for real samples, a disc for synthetic ones.
void paintShape(QPainter& painter, SetId set, QPointF centre, double radius);

} // namespace assay::space
