#pragma once

#include <QString>

namespace assay {

/// What the style sheet says of paragraphs beyond Qt's formats: QTextBlock::userState().
enum PrintState { KeepsWithNext = 1, BeginsSection = 2 };

/// The style sheet of a printed report, for QTextDocument. Its lengths hold for the screen that the program runs on.
QString printStyle();

/// Lengths in the formats of a QTextDocument are pixels of the screen, on paper too.
double pixelsPerPoint();

} // namespace assay
