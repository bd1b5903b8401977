#pragma once

#include "engine/report/space/space_points.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/view_state.h"
#include "widgets/space/drawing/space_drawing.h"

#include <QString>

class QPalette;

namespace assay::space {

/// Input of the highlights.
struct HighlightInputs {
    const ViewState& state; ///< has a model
    const SpacePoints& points;
    const SampleSelection& selection;
    const std::array<Cloud, kClouds>& clouds; ///< coloured as while nothing is selected
    const QPalette& palette;
    SampleSet pictured{}; ///< drawn as pictures, whose frames say that they are selected or hovered
};

/// Emphasised points, lines and ball, and what to say about them.
struct FocusHighlights {
    Highlights highlights;
    QString caption; ///< empty when nothing is focused
};

/// Selected (as many as can be distinguished) and hovered samples; the focused sample's nearest real and nearest
/// synthetic neighbours (the first k of each) with lines to them; for a synthetic sample the triangle that decides
/// whether it is authentic: thick lines to its nearest real sample and from there to that one's nearest other real
/// sample; and the ball that decides about it: for a synthetic sample the nearest real sample's clipped ball, for a
/// real one its own. A ball in d dimensions projected orthogonally onto three is a ball of the same radius about the
/// projected centre. Samples of a hidden set are left out.
FocusHighlights focusHighlights(const HighlightInputs& inputs);

} // namespace assay::space
