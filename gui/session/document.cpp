#include "gui/session/document.h"

#include "engine/audit/result/sample_scores.h"
#include "widgets/link/sample_selection.h"

#include <QMouseEvent>
#include <QTimer>

#include <algorithm>

namespace assay {
bool GestureTracker::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()) {
        // A press that a widget ignores comes again for its parent, with the same time: still the same gesture.
        const quint64 time = static_cast<QMouseEvent*>(event)->timestamp();
        if (!active_ || time == 0 || time != pressTime_)
            ++gesture_;
        pressTime_ = time;
        active_ = true;
        held_ = true;
    } else if (event->type() == QEvent::MouseButtonRelease && watched->isWidgetType()) {
        // Views often decide on release, so the gesture ends once the release has been dealt with.
        held_ = false;
        QTimer::singleShot(0, this, [this, ended = gesture_] {
            if (ended == gesture_)
                active_ = false;
        });
    } else if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) && !held_) {
        active_ = false; // a key right after a click is an edit of its own; of a shortcut's key no press is heard
    }
    return QObject::eventFilter(watched, event);
}

Document::Document(SampleSelection* selection, QObject* parent)
    : QObject(parent), selection_(selection), clock_([] { return QDateTime::currentDateTimeUtc(); }) {
    connect(selection_, &SampleSelection::changed, this, &Document::onSelectionChanged);
}

Document::~Document() {
    // Undo stacks leave their group here, while nobody listens to the group any more.
    undoGroup_.disconnect();
}

const FilterRules& Document::rules() const noexcept {
    static const FilterRules none;
    return open_ ? open_->edits.rules : none;
}

bool Document::setWindowState(const QString& state) {
    if (!open_ || state == open_->window)
        return false;
    open_->window = state;
    return true;
}

Decisions Document::decisions() const {
    Decisions decisions = decisionsOf(open_->edits);
    decisions.window = open_->window.toStdString();
    return decisions;
}

void Document::setReported(const EditState& reported) {
    if (open_)
        open_->reported = reported;
}

void Document::record(const QString& what) {
    open_->history.add(what, clock_());
    emit historyChanged();
}

std::unique_ptr<OpenAudit> Document::setOpenAudit(std::unique_ptr<OpenAudit> next) {
    std::unique_ptr<OpenAudit> before = std::exchange(open_, std::move(next));
    if (open_)
        undoGroup_.addStack(&open_->undo);
    undoGroup_.setActiveStack(open_ ? &open_->undo : nullptr);
    applying_ = true;
    selection_->hover(std::nullopt);
    // The old selection names samples of the old sets: it goes before the views see new ones.
    selection_->clear();
    show();
    return before;
}

void Document::extend(const std::shared_ptr<const AuditResult>& audit, std::optional<std::size_t> first) {
    open_->audit = audit;
    if (first && open_->undo.count() == 0 && open_->edits.selection->samples.empty())
        open_->edits.model = *first;
    publish();
}

void Document::restore(const Decisions& decided, AuditHistory history, InputData inputs) {
    open_->history = std::move(history);
    open_->inputs = inputs;
    open_->edits = editsOf(decided);
    open_->window = QString::fromStdString(decided.window);
    show();
}

/// Publishes the state and selects what is selected in it; no edit.
void Document::show(bool changed) {
    applying_ = true;
    if (changed)
        publish();
    if (open_)
        selection_->replace(open_->edits.selection->samples, open_->edits.selection->focus);
    applying_ = false;
}

void Document::setComputed(const Computed& computed) {
    if (computed == state_.computed)
        return;
    state_.computed = computed;
    emit stateChanged(state_);
}

void Document::push(EditKind kind, const QString& text, EditState after, std::optional<std::uint64_t> gesture) {
    open_->undo.push(new SessionEdit(kind, text,
                                     {.before = open_->edits, .after = std::move(after), .gesture = gesture},
                                     [this](const EditState& state, const QString& what) { apply(state, what); }));
}

void Document::apply(const EditState& next, const QString& what) {
    const EditState previous = std::exchange(open_->edits, next);
    const bool decided = !previous.sameDecisions(next);
    show(decided || previous.model != next.model || previous.filter != next.filter);
    if (decided && open_->history.addEdit(what, gestures_.current(), clock_()))
        emit historyChanged();
    hasUnsavedSelection_ = false;
    emit edited();
}

void Document::onSelectionChanged() {
    if (applying_ || !open_)
        return;
    const SampleSet before = open_->edits.selection->samples;
    const SampleSet& now = selection_->samples();
    auto selected = std::make_shared<SelectionSnapshot>(SelectionSnapshot{now, selection_->focus()});
    // Looking at one sample after another is no step: undo takes back what was decided or collected before.
    if (now == before || (now.size() <= 1 && before.size() <= 1)) {
        open_->edits.selection = std::move(selected);
        hasUnsavedSelection_ = true;
        return;
    }
    EditState next = open_->edits;
    next.selection = std::move(selected);
    edit(EditKind::Selection, selection_->isEmpty() ? tr("clear selection") : tr("select samples"), std::move(next));
}

void Document::publish() {
    const ViewState before = std::exchange(state_, {});
    if (open_) {
        open_->audit = withSampleScores(open_->audit, open_->edits.sampleScores);
        state_.audit = open_->audit;
        state_.model = open_->edits.model;
    }
    state_.computed.layout = before.computed.layout;
    if (before.hasModel() && state_.hasModel() && before.audit->real == state_.audit->real &&
        &before.current() == &state_.current())
        state_.computed = before.computed;
    if (!state_.hasModel())
        keptCount_ = rejectedCount_ = 0;
    if (state_.hasModel()) {
        const EditState& edits = open_->edits;
        if (!edits.tags->empty())
            state_.tags = edits.tags;
        if (!edits.accepted->empty())
            state_.accepted = edits.accepted;
        if (!edits.unsure->empty())
            state_.unsure = edits.unsure;
        state_.tagNames = edits.tagNames;
        state_.notes = edits.notes;
        if (!edits.external->empty())
            state_.external = edits.external;
        state_.filter = edits.filter;
        const bool sameRules = before.rules && *before.rules == edits.rules;
        state_.rules = sameRules ? before.rules : std::make_shared<const FilterRules>(edits.rules);
        const bool sameSamples = before.audit == state_.audit && before.model == state_.model;
        state_.shown = sameSamples && before.filter == state_.filter ? before.shown : shownBy(state_);
        decide(before, sameSamples);
    }
    emit stateChanged(state_);
}

/// Applies rules and decisions by hand where one of them has changed. The same samples stay the same object, so that
/// nobody works anything out again.
void Document::decide(const ViewState& before, bool sameSamples) {
    const EditState& edits = open_->edits;
    const bool lacksSets = !areSetsAwaited_ && !missingSets().empty();
    const bool sameTags =
        edits.tags == decidedBy_.tags ||
        !std::ranges::any_of(edits.rules.list, [](const FilterRule& rule) { return rule.column == kTagRule; });
    if (sameSamples && edits.rules == decidedBy_.rules && edits.rejectedByHand == decidedBy_.rejectedByHand &&
        edits.accepted == decidedBy_.accepted && sameTags && !lacksSets) {
        state_.kept = before.kept;
        state_.rejectedByHand = before.rejectedByHand;
        state_.failingRules = before.failingRules;
        return;
    }
    decidedBy_ = edits;
    findSets(before);
    SampleFilter decided = filterOf(state_.model);
    for (const std::string& awaited : missingSets()) // else they would be found here and now
        decided.found[awaited] = std::make_shared<const std::vector<std::uint32_t>>();
    state_.rejectedByHand = decided.rejectedByHand.empty()
                                ? nullptr
                                : std::make_shared<const std::vector<std::uint32_t>>(decided.rejectedByHand);
    AppliedFilter applied(*state_.audit, state_.model, std::move(decided));
    keptCount_ = applied.keptCount();
    rejectedCount_ = applied.rejectedCount();
    if (edits.rules.empty() && !state_.rejectedByHand)
        return;
    auto failing = std::make_shared<std::vector<std::size_t>>();
    for (std::size_t rule = 0; rule < edits.rules.list.size(); ++rule)
        failing->push_back(applied.failing(rule));
    if (!failing->empty())
        state_.failingRules = std::move(failing);
    const bool sameKept = sameSamples && before.kept && *before.kept == applied.kept();
    state_.kept = sameKept ? before.kept : std::make_shared<const std::vector<bool>>(std::move(applied).kept());
}

/// The sets that rules need and that nobody has found in the current model.
std::vector<std::string> Document::missingSets() const {
    std::vector<std::string> missing;
    for (const FilterRule& rule : open_->edits.rules.list)
        if (findSetRule(rule.column) != nullptr && !foundSets_.contains(rule.column))
            missing.push_back(rule.column);
    return missing;
}

/// Found once for a model, when a rule needs them.
void Document::findSets(const ViewState& before) {
    if (!before.hasModel() || &before.current() != &state_.current()) {
        foundSets_.clear();
        areSetsAwaited_ = false;
    }
    const std::vector<std::string> missing = missingSets();
    if (missing.empty() || areSetsAwaited_)
        return;
    if (state_.current().set->rows() <= foundAtOnce_) {
        foundSets_.merge(rowsOfSets(*state_.audit, state_.model, missing));
        return;
    }
    areSetsAwaited_ = true;
    emit setRulesWanted(state_.audit, state_.model, missing);
}

void Document::setFoundSets(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const SetRuleRows& rows) {
    if (!areSetsAwaited_ || !state_.hasModel() || model != state_.model ||
        audit->models[model] != state_.audit->models[model])
        return;
    areSetsAwaited_ = false;
    foundSets_.insert(rows.begin(), rows.end());
    decidedBy_ = {}; // the same rules, but they reject others
    publish();
}

SampleFilter Document::filterOf(std::size_t model) const {
    const EditState& edits = open_->edits;
    const SetId set = syntheticSet(model);
    return {edits.rules,
            edits.rejectedByHand->rowsOf(set),
            edits.accepted->rowsOf(set),
            edits.tags,
            edits.tagNames,
            edits.notes,
            model == state_.model ? foundSets_ : SetRuleRows()};
}

} // namespace assay
