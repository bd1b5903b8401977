#pragma once

class QPainter;
class QPalette;
class QRect;

namespace assay {

/// Decision about a sample: rejected, kept by hand, unsure.
enum class DecisionMark { Cross, Check, QuestionMark };

/// Marks the lower left corner of a sample's picture. Every mark has an outline that sets it apart from any picture.
void paintDecisionMark(QPainter& painter, DecisionMark mark, const QRect& picture, const QPalette& palette);

/// Marks the lower right corner: somebody wrote about the sample.
void paintNoteMark(QPainter& painter, const QRect& picture, const QPalette& palette);

} // namespace assay
