#pragma once

#include "engine/data/sample_set.h"

#include <QObject>

#include <optional>

namespace assay {

/// Effect of choosing samples on the current selection.
/// Toggle takes samples out where all of them are selected, else it adds them.
enum class SelectionChange { Replace, Add, Toggle, Subtract };

/// The same for a click, a brush and a key in every view: Shift adds, Ctrl toggles, Ctrl+Shift subtracts.
SelectionChange selectionChange(Qt::KeyboardModifiers modifiers);

/// The selection after choosing `samples` when `before` was selected.
SampleSet selectionAfter(SampleSet before, SelectionChange how, const SampleSet& samples);

/// The one selection that every view shows and changes.
///
/// It holds a set of selected samples, at most one focused sample (the one the inspector explains), and at most one
/// hovered sample (a preview). The focused sample is always a selected one.
class SampleSelection : public QObject {
    Q_OBJECT

public:
    explicit SampleSelection(QObject* parent = nullptr);

    const SampleSet& samples() const noexcept { return samples_; }
    std::optional<SampleId> focus() const noexcept { return focus_; }
    std::optional<SampleId> hovered() const noexcept { return hovered_; }
    bool contains(SampleId id) const noexcept { return samples_.contains(id); }
    bool isEmpty() const noexcept { return samples_.empty(); }

public slots:
    /// Selects exactly these samples. The focus becomes `focus` if given, else stays if still selected, else is the
    /// only sample of a single selection, else none. Emits nothing when nothing changes.
    void replace(assay::SampleSet samples, std::optional<assay::SampleId> focus = std::nullopt);
    /// Changes what is selected by these samples; the focus follows replace().
    void change(assay::SelectionChange how, const assay::SampleSet& samples,
                std::optional<assay::SampleId> focus = std::nullopt);
    /// The same as keys that are held say (selectionChange()).
    void chooseBy(Qt::KeyboardModifiers modifiers, const assay::SampleSet& samples,
                  std::optional<assay::SampleId> focus = std::nullopt) {
        change(selectionChange(modifiers), samples, focus);
    }
    /// Selects one sample and focuses it.
    void select(assay::SampleId sample) { replace({sample}, sample); }
    /// Adds or removes one sample (Ctrl+click). An added one becomes the focus.
    void toggle(assay::SampleId sample) { change(SelectionChange::Toggle, {sample}, sample); }
    void clear();
    void hover(std::optional<assay::SampleId> sample);

signals:
    void changed();
    void hoverChanged();

private:
    SampleSet samples_;
    std::optional<SampleId> focus_;
    std::optional<SampleId> hovered_;
};

/// A choice that grows and shrinks while it is made: a drag across bars, Shift with the arrow keys. Every step changes
/// what was selected before the first one.
class GrowingChoice {
public:
    /// @param selection outlives this
    explicit GrowingChoice(SampleSelection* selection) : selection_(selection) {}

    /// Begins a gesture: its steps change the selection of this moment.
    void begin() { before_ = after_ = selection_->samples(); }
    /// Begins by itself where the last step did something else, or something else has changed the selection since.
    void step(SelectionChange how, const SampleSet& samples, std::optional<SampleId> focus = std::nullopt);

private:
    SampleSelection* selection_;
    SelectionChange how_ = SelectionChange::Replace;
    SampleSet before_;
    SampleSet after_;
};

} // namespace assay
