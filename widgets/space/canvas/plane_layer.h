#pragma once

#include "widgets/space/drawing/space_camera.h"
#include "widgets/space/plane/plane_picture.h"

#include <vtkActor.h>

#include <array>
#include <memory>

namespace assay::space {

/// Draws a PlaneMap with VTK: its picture, and the contours of the real set's density.
class PlaneLayer {
public:
    PlaneLayer();
    ~PlaneLayer();
    PlaneLayer(const PlaneLayer&) = delete;
    PlaneLayer& operator=(const PlaneLayer&) = delete;

    std::array<vtkActor*, 2> actors() const;
    void set(const PlaneMap& map);
    /// Before or behind the points, which lie at the camera's focal point.
    /// @param scale device pixels per logical pixel
    void place(const SpaceCamera& camera, double scale);
    /// @param first whether the first of the points are being drawn, on top of what lies below them
    /// @param last whether the last of them are, and what lies over them follows
    void show(bool first, bool last);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace assay::space
