#include "widgets/findings/example_cells.h"

#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_tooltip.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct ExampleWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ExampleCells)
};

} // namespace

SampleId ExampleCells::sampleOf(const FindingExample& example) const {
    return {finding_.side == Side::Real ? SetId::Real : state().currentSet(), example.row};
}

GridCell ExampleCells::cellOf(const FindingExample& example) const {
    const AuditResult& audit = *state().audit;
    GridCell cell{{{sampleOf(example)}}};
    cell.caption = example.count == 1 ? ExampleWords::tr("only this one")
                                      : ExampleWords::tr("%1 like this").arg(formatCount(example.count));
    cell.spokenText = sampleCaption(audit, sampleOf(example));
    if (example.original) {
        const SampleId original{SetId::Real, *example.original};
        cell.pictures.push_back({original});
        cell.spokenText = ExampleWords::tr("%1, a copy of %2").arg(cell.spokenText, sampleCaption(audit, original));
    }
    cell.spokenText = ExampleWords::tr("%1, %2").arg(cell.spokenText, cell.caption);
    for (GridPicture& picture : cell.pictures)
        picture.rimmed = true;
    return cell;
}

void ExampleCells::show(const ViewState& state) {
    setState(state);
    std::vector<GridCell> made;
    for (const FindingExample& example : finding_.examples)
        made.push_back(cellOf(example));
    set(state, std::move(made));
}

GridLook ExampleCells::look() const {
    GridLook look{.gap = 12, .arrows = GridLook::Arrows::Walk, .extent = GridLook::Extent::Fit};
    const bool pictures =
        state().audit && state().audit->setOf(sampleOf(finding_.examples.front()).set).images() != nullptr;
    look.edge = pictures ? 64 : 72;
    look.height = pictures ? 0 : 36;
    look.smallestEdge = pictures ? 36 : 0;
    return look;
}

void ExampleCells::choose(Place place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = sampleOf(finding_.examples[place.cell]);
    const SampleSet like = state().shownOf(SampleSet(sample.set, finding_.rowsLike(place.cell)));
    selection()->chooseBy(modifiers, like, like.contains(sample) ? std::optional(sample) : std::nullopt);
}

} // namespace assay
