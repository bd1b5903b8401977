#pragma once

#include "widgets/space/space_drawing.h"

#include <QSize>

#include <functional>
#include <memory>

namespace assay::space {

/// Draws a Drawing with VTK into the framebuffer of the OpenGL context that is current. Lives exactly as long as that
/// context: it is made, used and destroyed with the context current.
class SpaceScene {
public:
    /// Whether lines are smoothed by drawing every pixel several times. Points are smooth in any case.
    enum class Multisampling { Off, On };

    explicit SpaceScene(Multisampling multisampling);
    ~SpaceScene();
    SpaceScene(const SpaceScene&) = delete;
    SpaceScene& operator=(const SpaceScene&) = delete;

    void setCloud(std::size_t index, const Cloud& cloud);
    void setHighlights(const Highlights& highlights);
    /// Colours, box and axes.
    void setSurroundings(const Drawing& drawing);

    /// @param pixels size of the framebuffer
    /// @param scale device pixels per logical pixel
    void render(const SpaceCamera& camera, QSize pixels, double scale);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace assay::space
