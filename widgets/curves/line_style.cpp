#include "widgets/curves/line_style.h"

#include "widgets/common/colors.h"

#include <QPalette>

#include <array>

namespace assay {
namespace {

constexpr double kCurrentWidth = 2.6;
constexpr double kLineWidth = 1.6;
constexpr std::size_t kFewPoints = 40;

QColor paler(const QColor& color, const QPalette& palette) {
    constexpr float kOwn = 0.55F;
    const QColor base = palette.color(QPalette::Base);
    const auto mix = [](float own, float other) { return kOwn * own + (1.0F - kOwn) * other; };
    return QColor::fromRgbF(mix(color.redF(), base.redF()), mix(color.greenF(), base.greenF()),
                            mix(color.blueF(), base.blueF()));
}

/// Dashes of the scores themselves, in turn.
Qt::PenStyle dashOf(std::size_t style) {
    static constexpr std::array<Qt::PenStyle, 4> kDashes{Qt::SolidLine, Qt::DotLine, Qt::DashDotLine,
                                                         Qt::DashDotDotLine};
    // Six colours meet four dashes again after twelve lines: from there on one dash further.
    return kDashes[(style + style / 12) % kDashes.size()];
}

MarkShape shapeOf(std::size_t style) {
    static constexpr std::array<MarkShape, 6> kShapes{MarkShape::Circle,       MarkShape::Square,
                                                      MarkShape::Diamond,      MarkShape::TriangleUp,
                                                      MarkShape::TriangleDown, MarkShape::Plus};
    return kShapes[style / 4 % kShapes.size()];
}

MarkStyle markOf(const ChartLine& line, const QPen& pen, const QPalette& palette) {
    if (line.ideal || (line.x && line.x->size() > kFewPoints))
        return {};
    return {line.current ? MarkShape::Circle : shapeOf(line.style), 6.4 + pen.widthF() / 2.0,
            line.controlOf ? palette.color(QPalette::Base) : pen.color(), QPen(pen.color(), 1.2)};
}

QPen penOf(const ChartLine& line, const QPalette& palette) {
    if (line.ideal)
        return {colors::mutedText(palette), kLineWidth, Qt::DashLine, Qt::FlatCap};
    if (line.current)
        return {colors::synthetic(palette), kCurrentWidth, Qt::SolidLine, Qt::FlatCap};
    const QColor color = colors::line(line.style, palette);
    return line.controlOf ? QPen(paler(color, palette), kLineWidth, Qt::DashLine, Qt::FlatCap)
                          : QPen(color, kLineWidth, dashOf(line.style), Qt::FlatCap);
}

} // namespace

LineStyle lineStyle(const ChartLine& line, const QPalette& palette) {
    const QPen pen = penOf(line, palette);
    return {pen, markOf(line, pen, palette)};
}

} // namespace assay
