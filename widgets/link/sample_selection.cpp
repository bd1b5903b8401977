#include "widgets/link/sample_selection.h"

#include <utility>

namespace assay {

SelectionChange selectionChange(Qt::KeyboardModifiers modifiers) {
    const bool control = modifiers.testFlag(Qt::ControlModifier);
    if (modifiers.testFlag(Qt::ShiftModifier))
        return control ? SelectionChange::Subtract : SelectionChange::Add;
    return control ? SelectionChange::Toggle : SelectionChange::Replace;
}

SampleSet selectionAfter(SampleSet before, SelectionChange how, const SampleSet& samples) {
    switch (how) {
    case SelectionChange::Replace:
        return samples;
    case SelectionChange::Add:
        return before |= samples;
    case SelectionChange::Toggle:
        return before.includes(samples) ? before -= samples : before |= samples;
    case SelectionChange::Subtract:
        return before -= samples;
    }
    return before;
}

SampleSelection::SampleSelection(QObject* parent) : QObject(parent) {}

void SampleSelection::replace(SampleSet samples, std::optional<SampleId> focus) {
    std::optional<SampleId> next;
    if (focus && samples.contains(*focus))
        next = focus;
    else if (focus_ && samples.contains(*focus_))
        next = focus_;
    else if (samples.size() == 1)
        next = samples.front();
    if (samples == samples_ && next == focus_)
        return;
    samples_ = std::move(samples);
    focus_ = next;
    emit changed();
}

void SampleSelection::change(SelectionChange how, const SampleSet& samples, std::optional<SampleId> focus) {
    replace(selectionAfter(samples_, how, samples), focus);
}

void SampleSelection::clear() {
    replace({});
}

void SampleSelection::hover(std::optional<SampleId> sample) {
    if (sample == hovered_)
        return;
    hovered_ = sample;
    emit hoverChanged();
}

void GrowingChoice::step(SelectionChange how, const SampleSet& samples, std::optional<SampleId> focus) {
    if (how != std::exchange(how_, how) || selection_->samples() != after_)
        begin();
    selection_->replace(selectionAfter(before_, how, samples), focus);
    after_ = selection_->samples();
}

} // namespace assay
