#pragma once

#include "engine/data/sample_id.h"

class QPainter;
class QPalette;
class QRect;

/// Marks over the picture of a sample, the same wherever pictures are shown.
namespace assay {

class SampleSelection;

/// Opacity of the picture of a rejected sample.
constexpr double kRejectedOpacity = 0.3;

/// A cross in the lower left corner: the sample is rejected.
void paintRejectedCross(QPainter& painter, const QRect& picture, const QPalette& palette);

/// How a sample takes part in the one selection.
enum class SelectionMark { None, Hovered, Selected, Focused };

SelectionMark selectionMark(const SampleSelection& selection, SampleId sample);

/// A frame around the picture: yellow when selected, bold when focused, thin and grey when hovered.
void paintSelectionFrame(QPainter& painter, const QRect& picture, SelectionMark mark, const QPalette& palette);

} // namespace assay
