#pragma once

#include "gui/session/open_audit.h"

#include "engine/store/decisions.h"
#include "widgets/link/view_state.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QObject>
#include <QUndoGroup>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace assay {

class SampleSelection;

/// Numbers the presses of a mouse button, so that all edits of one press (dragging a slider) become one undo step.
class GestureTracker : public QObject {
public:
    GestureTracker() { QCoreApplication::instance()->installEventFilter(this); }

    /// The press going on, its release included; none between presses.
    std::optional<std::uint64_t> current() const { return active_ ? std::optional(gesture_) : std::nullopt; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::uint64_t gesture_ = 0;
    std::uint64_t pressTime_ = 0;
    bool active_ = false; ///< from the press until its release has been dealt with
    bool held_ = false;   ///< a button is down
};

/// The open audit and everything a person has decided about it, with its undo history; and the one state that every
/// view shows, which follows from both and from what jobs have worked out about them.
///
/// AuditSession reads files and computes in the background; edits by a person come from Editor.
class Document : public QObject {
    Q_OBJECT

public:
    /// @param selection outlives the document
    explicit Document(SampleSelection* selection, QObject* parent = nullptr);
    ~Document() override;

    bool isOpen() const noexcept { return open_ != nullptr; }
    const ViewState& state() const noexcept { return state_; }
    SampleSelection* selection() const noexcept { return selection_; }
    std::size_t keptCount() const noexcept { return keptCount_; }
    std::size_t rejectedCount() const noexcept { return rejectedCount_; }

    /// The files of the open audit; none for the demo.
    std::optional<AuditFiles> files() const { return open_ ? open_->files : std::nullopt; }
    void setFiles(const AuditFiles& files) { open_->files = files; }
    /// The audit file that everything is kept in; empty where there is none.
    QString auditFile() const { return open_ && open_->files ? open_->files->audit : QString(); }
    /// Whether the audit file, once written, holds embeddings and pictures itself.
    InputData inputs() const { return open_->inputs; }
    void setInputs(InputData inputs) { open_->inputs = inputs; }
    /// How the window was arranged for the open audit, in the window's own format; empty if it was never set.
    QString windowState() const { return open_ ? open_->window : QString(); }
    /// Not undone. @return whether it is another one than before
    bool setWindowState(const QString& state);

    /// What a person has decided. Precondition: isOpen().
    const EditState& edits() const { return open_->edits; }
    const FilterRules& rules() const noexcept;
    /// The decisions about a model's samples. Precondition: isOpen().
    SampleFilter filterOf(std::size_t model) const;
    /// Content of an audit file. Precondition: isOpen().
    Decisions decisions() const;
    /// Whether something was decided since the last report.
    bool hasUnreportedDecisions() const { return open_ && !open_->edits.sameDecisions(open_->reported); }
    void setReported(const EditState& reported);
    /// Whether another sample is looked at than when `edited` was emitted last.
    bool hasUnsavedSelection() const noexcept { return hasUnsavedSelection_; }

    /// History of the open audit, oldest first; null if none is open.
    std::shared_ptr<const History> history() const { return open_ ? open_->history.entries() : nullptr; }
    /// The clock of the history; the system's at first.
    void setClock(std::function<QDateTime()> clock) { clock_ = std::move(clock); }
    /// Remembers that something was done that decides nothing. Precondition: isOpen().
    void record(const QString& what);
    /// Its active stack is the open audit's.
    QUndoGroup* undoGroup() noexcept { return &undoGroup_; }

    /// Makes `next` (may be null) the open audit. @return the one before
    std::unique_ptr<OpenAudit> setOpenAudit(std::unique_ptr<OpenAudit> next);
    /// The open audit has got further models or curves; everything else stays.
    /// @param first model to show unless a person has done something; no step of the history
    void extend(const std::shared_ptr<const AuditResult>& audit, std::optional<std::size_t> first = std::nullopt);
    /// Goes on from what had been decided when the audit was open last. Not undone.
    void restore(const Decisions& decided, AuditHistory history, InputData inputs);
    /// Takes over what jobs have worked out about the state.
    void setComputed(const Computed& computed);
    /// From now on the samples of rules on sets (engine/subsets/rules/set_rules.h) are asked for (setRulesWanted) in
    /// models of more samples than this, and reject nothing until they are known; in others they are found at once.
    void findSetsLater(std::size_t moreSamplesThan) { foundAtOnce_ = moreSamplesThan; }
    /// Takes over the samples that were asked for; nothing happens where these are another model's.
    void setFoundSets(const std::shared_ptr<const AuditResult>& audit, std::size_t model, const SetRuleRows& rows);
    /// They will not come: they are asked for again with the next edit.
    void giveUpSets() { areSetsAwaited_ = false; }

    /// An edit: one step of the undo history, or part of the step before during one gesture. Precondition: isOpen().
    void edit(EditKind kind, const QString& text, EditState after) {
        push(kind, text, std::move(after), gestures_.current());
    }
    /// The same; all typing is one gesture.
    void editByTyping(EditKind kind, const QString& text, EditState after) {
        push(kind, text, std::move(after), 0); // GestureTracker counts from 1
    }

signals:
    /// Audit, decisions, filter, or what was computed about them has changed.
    void stateChanged(const assay::ViewState& state);
    /// Something was edited, undone or redone that an audit file keeps; looking at a single sample is no edit.
    void edited();
    /// Rules need the samples of these sets (ids of setRules()) of the model.
    void setRulesWanted(std::shared_ptr<const assay::AuditResult> audit, std::size_t model,
                        const std::vector<std::string>& rules);
    /// The history has got an entry.
    void historyChanged();

private:
    void push(EditKind kind, const QString& text, EditState after, std::optional<std::uint64_t> gesture);
    /// @param what was done, for the history
    void apply(const EditState& next, const QString& what);
    void onSelectionChanged();
    /// Derives the state and emits it.
    void publish();
    void show(bool changed = true);
    void decide(const ViewState& before, bool sameSamples);
    std::vector<std::string> missingSets() const;
    void findSets(const ViewState& before);

    SampleSelection* selection_;
    GestureTracker gestures_;
    QUndoGroup undoGroup_;
    std::unique_ptr<OpenAudit> open_; ///< null: nothing is open
    bool applying_ = false;
    bool hasUnsavedSelection_ = false;
    ViewState state_;
    EditState decidedBy_;   ///< what the kept samples of the state follow from
    SetRuleRows foundSets_; ///< of the current model, as far as rules have needed them
    bool areSetsAwaited_ = false;
    std::size_t foundAtOnce_ = std::numeric_limits<std::size_t>::max();
    std::function<QDateTime()> clock_;
    std::size_t keptCount_ = 0;
    std::size_t rejectedCount_ = 0;
};

} // namespace assay
