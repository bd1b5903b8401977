#pragma once

#include "engine/data/sample_set.h"

class QPainter;
class QPalette;
class QRect;

/// Marks over the picture of a sample, the same wherever pictures are shown.
namespace assay {

class SampleSelection;

/// Opacity of the picture of a rejected sample.
constexpr double kRejectedOpacity = 0.3;

/// How a sample takes part in the one selection.
enum class SelectionMark { None, Hovered, Selected, Focused };

SelectionMark selectionMark(const SampleSelection& selection, SampleId sample);

/// A frame around the picture: yellow when selected, bold when focused, thin and grey when hovered.
void paintSelectionFrame(QPainter& painter, const QRect& picture, SelectionMark mark, const QPalette& palette);

/// Decision about a sample: rejected, kept by hand, unsure.
enum class DecisionMark { Cross, Check, QuestionMark };

/// Marks the lower left corner of a sample's picture. Every mark has an outline that sets it apart from any picture.
void paintDecisionMark(QPainter& painter, DecisionMark mark, const QRect& picture, const QPalette& palette);

/// Marks the lower right corner: somebody wrote about the sample.
void paintNoteMark(QPainter& painter, const QRect& picture, const QPalette& palette);

} // namespace assay
