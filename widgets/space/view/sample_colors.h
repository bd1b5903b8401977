#pragma once

#include "widgets/link/view_state.h"
#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/drawing/space_picker.h"
#include "widgets/space/view/color_bar.h"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QPalette;

namespace assay::space {

/// Something that samples can be coloured by.
struct ColorChoice {
    QString id; ///< one of the following, or the id of a per-sample column
    QString title;
    QString toolTip;
};

inline const QString kColorBySet;                                    ///< empty: a colour for each set
inline const QString kColorByModel = QStringLiteral("#model");       ///< of all models, beside the real set
inline const QString kColorByVerdict = QStringLiteral("#verdict");   ///< of both sides
inline const QString kColorByClass = QStringLiteral("#class");       ///< classes have one colour on both sides
inline const QString kColorByDecision = QStringLiteral("#decision"); ///< kept or rejected, and by whom
inline const QString kColorByTag = QStringLiteral("#tag");           ///< the first one of several

/// What the samples of a state with a model can be coloured by: sets, models, verdicts and classes where there are
/// some, decisions, tags, and the per-sample columns of both sides.
std::vector<ColorChoice> colorChoices(const ViewState& state);

/// Colours of the samples, and what they mean.
struct SampleColors {
    static constexpr std::uint8_t kOnScale = 255; ///< no entry of the legend: the value lies on its scale

    std::array<std::vector<Rgb>, 2> colors;           ///< real, synthetic: one per row
    std::array<std::vector<std::uint8_t>, 2> entries; ///< the same rows: entry of the legend, or kOnScale
    ColorLegend legend;                               ///< its counts are 0, but for other models'
    /// Of each model of the audit; none for one that is not drawn. Empty: only the current one is.
    std::vector<std::optional<Rgb>> models;
};

/// Colours the real and the current model's samples by a choice; an unknown one colours the sets. A score colours the
/// samples of its side: shares run from 0 to 1, other units from the 1 % to the 99 % quantile, and the labels say when
/// values lie beyond. Samples without a value, and rejected ones unless the choice is the decision, are grey. Of
/// classes the ten with the most samples have colours of their own.
SampleColors colorSamples(const ViewState& state, const QString& choice, const QPalette& palette);

/// Counts the samples of each entry of the legend, and those on its scale, and how many of them are selected (none are
/// counted while nothing is).
/// @param seen the real and the synthetic set, as far as they are drawn
void countEntries(SampleColors& colors, const std::array<PickableCloud, 2>& seen, const SampleSet& selected,
                  SetId synthetic);

/// The samples of one entry.
SampleSet samplesOf(const SampleColors& colors, std::size_t entry, const std::array<PickableCloud, 2>& seen,
                    SetId synthetic);

} // namespace assay::space
