#include "widgets/linked_view.h"

#include "widgets/sample_selection.h"

#include <utility>

namespace assay {

LinkedView::LinkedView(SampleSelection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    connect(selection_, &SampleSelection::changed, this, [this] { selectionChanged(); });
    connect(selection_, &SampleSelection::hoverChanged, this, [this] { hoverChanged(); });
}

void LinkedView::showState(const ViewState& state) {
    const ViewState previous = std::exchange(state_, state);
    stateChanged(previous);
}

} // namespace assay
