#pragma once

#include "widgets/space/drawing/space_drawing.h"

#include <QSize>

#include <chrono>
#include <memory>

namespace assay::space {

/// Draws a Drawing with VTK into the framebuffer of the OpenGL context that is current. Lives exactly as long as that
/// context: it is made, used and destroyed with the context current.
class SpaceScene {
public:
    /// Whether lines are smoothed by drawing every pixel several times. Points are smooth in any case.
    enum class Multisampling { Off, On };

    static constexpr std::chrono::milliseconds kBudget{35};

    explicit SpaceScene(Multisampling multisampling);
    ~SpaceScene();
    SpaceScene(const SpaceScene&) = delete;
    SpaceScene& operator=(const SpaceScene&) = delete;

    /// Takes what is to be drawn from now on; only what is new goes to the graphics card.
    void show(const Drawing& drawing);

    /// Draws as much as about `kBudget` allows: at first a fair sample of all points, with every further call more,
    /// until all are there. A call after anything has changed begins anew, so that turning a million points shows fewer
    /// of them, and at rest all are seen.
    /// @param pixels size of the framebuffer
    /// @param scale device pixels per logical pixel
    /// @return whether everything is drawn
    bool render(const SpaceCamera& camera, QSize pixels, double scale);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace assay::space
