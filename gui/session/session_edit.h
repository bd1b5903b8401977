#pragma once

#include "engine/audit/result/sample_scores.h"
#include "engine/data/sample_set.h"
#include "engine/external/external_scores.h"
#include "engine/store/decisions.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/tags.h"
#include "widgets/link/view_filter.h"

#include <QCoreApplication>
#include <QUndoCommand>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace assay {

/// Selected samples and the focused one, as SampleSelection holds them.
struct SelectionSnapshot {
    SampleSet samples;
    std::optional<SampleId> focus;

    friend bool operator==(const SelectionSnapshot&, const SelectionSnapshot&) = default;
};

/// Everything about an open audit that a person edits and can undo. A plain value that shares large snapshots.
struct EditState {
    std::size_t model = 0;
    FilterRules rules;
    /// Synthetic samples of any model that were rejected by hand, that are kept whatever the rules say, and that a
    /// person looked at and left to the rules. Each is in one of them at most.
    std::shared_ptr<const SampleSet> rejectedByHand = std::make_shared<SampleSet>();
    std::shared_ptr<const SampleSet> accepted = std::make_shared<SampleSet>();
    std::shared_ptr<const SampleSet> unsure = std::make_shared<SampleSet>();
    /// Tags, their names, and notes of samples of any set.
    std::shared_ptr<const SampleTags> tags = std::make_shared<SampleTags>();
    std::shared_ptr<const TagNames> tagNames = std::make_shared<TagNames>();
    std::shared_ptr<const SampleNotes> notes = std::make_shared<SampleNotes>();
    /// Figures of models from elsewhere; never null.
    std::shared_ptr<const ExternalScores> external = std::make_shared<ExternalScores>();
    /// Figures of samples from elsewhere; never null.
    std::shared_ptr<const SampleScores> sampleScores = std::make_shared<SampleScores>();
    ViewFilter filter;
    std::shared_ptr<const SelectionSnapshot> selection = std::make_shared<SelectionSnapshot>();

    friend bool operator==(const EditState& a, const EditState& b) {
        return a.model == b.model && a.sameDecisions(b) && a.filter == b.filter && *a.selection == *b.selection;
    }

    /// Whether the same is decided about the samples, whichever are shown and selected.
    bool sameDecisions(const EditState& other) const {
        return rules == other.rules && sameByHand(other) && same(tags, other.tags) && same(tagNames, other.tagNames) &&
               same(notes, other.notes) && same(external, other.external) && same(sampleScores, other.sampleScores);
    }
    bool sameByHand(const EditState& other) const {
        return same(rejectedByHand, other.rejectedByHand) && same(accepted, other.accepted) &&
               same(unsure, other.unsure);
    }

private:
    /// Large values are compared only where they are not one object.
    template <class T>
    static bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
        return a == b || *a == *b;
    }
};

/// Converts the edits of a person to the form of an audit file, and back.
Decisions decisionsOf(const EditState& edits);
EditState editsOf(const Decisions& decisions);

enum class EditKind { Model = 1, Rules, ByHand, Tags, Notes, Filter, Selection, External };

/// One undoable edit: the states before and after. Edits of one kind made during one gesture merge.
class SessionEdit : public QUndoCommand {
    Q_DECLARE_TR_FUNCTIONS(assay::SessionEdit)

public:
    /// @param what was done, for people: the edit's text, or that it was taken back
    using Apply = std::function<void(const EditState&, const QString& what)>;

    /// The states around an edit.
    struct Change {
        EditState before;
        EditState after;
        std::optional<std::uint64_t> gesture{}; ///< during which it was made; edits without one never merge
    };

    SessionEdit(EditKind kind, const QString& text, Change change, Apply apply)
        : QUndoCommand(text), kind_(kind), change_(std::move(change)), apply_(std::move(apply)) {}

    void undo() override { apply_(change_.before, tr("undo: %1").arg(text())); }
    void redo() override { apply_(change_.after, text()); }
    int id() const override { return static_cast<int>(kind_); }
    bool mergeWith(const QUndoCommand* newer) override {
        const Change& next = static_cast<const SessionEdit*>(newer)->change_; // QUndoStack has compared the ids
        if (!change_.gesture || change_.gesture != next.gesture)
            return false;
        change_.after = next.after;
        setObsolete(change_.after == change_.before); // dragged there and back again
        return true;
    }

private:
    EditKind kind_;
    Change change_;
    Apply apply_;
};

} // namespace assay
