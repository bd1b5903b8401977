#pragma once

#include "engine/metrics/verdicts/verdict.h"

#include <QColor>

#include <cstddef>

class QPalette;

/// Colours mean one thing everywhere in the program. Each has a light and a dark variant, picked by the palette in
/// force.
namespace assay::colors {

/// Whether a palette is a dark one: its window is darker than its text.
bool isDark(const QPalette& palette);

QColor real(const QPalette& palette);        ///< slate
QColor synthetic(const QPalette& palette);   ///< orange
QColor selected(const QPalette& palette);    ///< yellow; used as an outline or as a fill, never for anything else
QColor unauthentic(const QPalette& palette); ///< magenta
/// Colour of a verdict: copies are magenta, too; good samples are muted.
QColor verdict(Verdict verdict, const QPalette& palette);
/// The same of real samples: missed ones are blue, thinly covered ones a paler blue.
QColor verdict(CoverageVerdict verdict, const QPalette& palette);
QColor rejected(const QPalette& palette); ///< faded grey
QColor accepted(const QPalette& palette); ///< kept by hand: green, always with a check mark
/// Colour of samples that are not selected while others are, in views that show the selection by colour alone.
QColor unselected(const QPalette& palette);
QColor mutedText(const QPalette& palette); ///< captions, axis labels, hints
QColor gridLine(const QPalette& palette);  ///< separators and chart grids

/// Colours for lines of a chart that have no colour of their own: six colours without another meaning, in turn. Dashes
/// must tell them apart too.
QColor line(std::size_t index, const QPalette& palette);

/// Ten colours that people can tell apart, colour-blind or not, for values that only have names (classes, tags); in
/// turn for more.
QColor category(std::size_t index, const QPalette& palette);

/// The one colour map for differences of both sets, safe for colour blindness: blue where the model has too little
/// (-1), orange, as synthetic samples are, where it has too much (1), the background's grey between. `t` is clamped.
QColor difference(double t, const QPalette& palette);

/// The one colour map for scores, cividis: even steps, safe for colour blindness. `t` is clamped to [0, 1]. On a dark
/// palette the map begins where it stands out from the background.
QColor score(double t, const QPalette& palette);

/// The one colour map of heat tables: nothing (0) is the background of a list, much (1) stands out from it most: dark
/// on white, light on a dark palette. `t` is clamped to [0, 1].
QColor amount(double t, const QPalette& palette);

} // namespace assay::colors
