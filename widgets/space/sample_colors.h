#pragma once

#include "widgets/link/linked_view.h"
#include "widgets/space/color_bar.h"
#include "widgets/space/space_drawing.h"

#include <QLocale>

#include <string_view>
#include <vector>

class QPalette;

namespace assay {
struct Column;
}

namespace assay::space {

/// Colours of the synthetic samples, one per row, and what they mean.
struct SampleColors {
    std::vector<Rgb> colors;
    ColorLegend legend;
};

/// Synthetic-side columns of the catalogue that the model has and that can be shown as a colour.
std::vector<const Column*> colorableColumns(const ModelAudit& model);

/// Colours the current model's samples by a column (null: all alike). Rejected samples and those without a value are
/// grey. Shares run from 0 to 1; other units from the 1 % to the 99 % quantile, and the labels say when values lie
/// beyond.
SampleColors colorSamples(const ViewState& state, const Column* column, const QPalette& palette, const QLocale& locale);

/// A column's value for people: three significant digits and the unit, or yes and no.
QString valueText(const Column& column, double value, const QLocale& locale);

} // namespace assay::space
