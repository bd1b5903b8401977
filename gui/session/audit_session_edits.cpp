#include "gui/session/audit_document.h"
#include "gui/session/audit_session.h"
#include "widgets/link/sample_selection.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/subsets/rules/rules_json.h"

#include <QLocale>

#include <algorithm>
#include <filesystem>

// Edits of an AuditSession; its state is in audit_session.cpp.
namespace assay {
namespace {

// The gesture of all typing: GestureTracker counts from 1.
constexpr std::uint64_t kTyping = 0;

/// The samples of a verdict that is not None. @param edits EditState, const or not
auto& setOf(auto& edits, HandVerdict verdict) {
    return verdict == HandVerdict::Rejected   ? edits.byHand
           : verdict == HandVerdict::Accepted ? edits.accepted
                                              : edits.unsure;
}

/// "gan 17", or "12 samples of gan": what an edit is about, for the undo menu and the history.
QString namesOf(const SampleSet& samples, const AuditResult& audit) {
    constexpr qsizetype kLongest = 40;
    const SetId set = samples.front().set;
    const QString name = QString::fromStdString(audit.setOf(set).name());
    if (samples.size() == 1) {
        const QString id = QString::fromStdString(audit.setOf(set).idText(samples.front().row));
        return name + QLatin1Char(' ') + (id.size() > kLongest ? id.left(kLongest) + QStringLiteral("\u2026") : id);
    }
    const QString count = QLocale().toString(static_cast<qulonglong>(samples.size()));
    return samples.countIn(set) == samples.size() ? AuditSession::tr("%1 samples of %2").arg(count, name)
                                                  : AuditSession::tr("%1 samples").arg(count);
}

} // namespace

void AuditSession::setModel(std::size_t model) {
    if (!document_ || model >= document_->audit->models.size() || model == document_->edits.model)
        return;
    EditState next = document_->edits;
    next.model = model;
    // Samples of another model's set are not on show any more; real ones are.
    const SelectionSnapshot& before = *next.selection;
    next.selection = std::make_shared<SelectionSnapshot>(
        SelectionSnapshot{before.samples.in(SetId::Real),
                          before.focus && isReal(before.focus->set) ? before.focus : std::optional<SampleId>()});
    edit(EditKind::Model, tr("choose %1").arg(QString::fromStdString(document_->audit->models[model]->name)),
         std::move(next));
}

void AuditSession::stepModel(int step) {
    if (!state_.hasModel())
        return;
    const auto count = static_cast<long long>(state_.audit->models.size());
    const long long next = (static_cast<long long>(state_.model) + step % count + count) % count;
    setModel(static_cast<std::size_t>(next));
}

void AuditSession::addRules(const FilterRules& rules) {
    FilterRules all = this->rules();
    for (const FilterRule& rule : rules.list) {
        std::erase_if(all.list, [&](const FilterRule& other) { return other.column == rule.column; });
        all.list.push_back(rule);
    }
    setRules(all);
}

void AuditSession::setRules(const FilterRules& rules) {
    if (!document_ || rules == document_->edits.rules)
        return;
    try {
        if (state_.hasModel())
            requireRules(*state_.audit, state_.model, rules.list);
    } catch (const Error& error) {
        emit failed(tr("Changing the rules"), QString::fromStdString(error.what()));
        return;
    }
    EditState next = document_->edits;
    next.rules = rules;
    edit(EditKind::Rules, tr("change rules"), std::move(next));
}

void AuditSession::loadRules(const QString& file) {
    try {
        setRules(readRules(std::filesystem::path(file.toStdU16String()).string()));
    } catch (const Error& error) {
        emit failed(tr("Loading rules"), QString::fromStdString(error.what()));
    }
}

void AuditSession::saveRules(const QString& file) {
    try {
        writeFileAtomically(std::filesystem::path(file.toStdU16String()).string(), rulesToJson(rules()) + '\n');
        emit exported(file);
        if (document_)
            recordWritten(document_->audit, file, tr("the rules"));
    } catch (const Error& error) {
        emit failed(tr("Saving rules"), QString::fromStdString(error.what()));
    }
}

SampleSet AuditSession::selectedOfModel() const {
    return state_.hasModel() ? selection_->samples().in(state_.currentSet()) : SampleSet();
}

bool AuditSession::hasUnsavedDecisions() const {
    if (!document_ || (keeper_.isKeeping() && keeper_.file() == auditFile()))
        return false;
    return !document_->edits.sameDecisions(document_->reported);
}

void AuditSession::decisionsReported(const EditState& reported) {
    if (document_)
        document_->reported = reported;
}

EditState AuditSession::edits() const {
    return document_->edits;
}

bool AuditSession::canDecide() const {
    return !selectedOfModel().empty();
}

bool AuditSession::isSelectionJudged(HandVerdict verdict) const {
    const SampleSet samples = selectedOfModel();
    return !samples.empty() && setOf(document_->edits, verdict)->includes(samples);
}

void AuditSession::toggleByHand(HandVerdict verdict) {
    const SampleSet samples = selectedOfModel();
    if (!samples.empty())
        judge(samples, isSelectionJudged(verdict) ? HandVerdict::None : verdict);
}

void AuditSession::judge(const SampleSet& samples, HandVerdict verdict, const std::optional<SelectionSnapshot>& then) {
    if (!document_)
        return;
    const SampleSet judged = samples - samples.in(SetId::Real); // nobody decides about real samples
    EditState next = document_->edits;
    for (const HandVerdict one : {HandVerdict::Rejected, HandVerdict::Accepted, HandVerdict::Unsure}) {
        std::shared_ptr<const SampleSet>& set = setOf(next, one);
        SampleSet changed = one == verdict ? *set | judged : *set - judged;
        if (changed != *set)
            set = std::make_shared<const SampleSet>(std::move(changed));
    }
    if (next.sameByHand(document_->edits)) {
        if (then)
            selection_->replace(then->samples, then->focus);
        return;
    }
    if (then)
        next.selection = std::make_shared<const SelectionSnapshot>(*then);
    const QString text = verdict == HandVerdict::Rejected   ? tr("reject %1 by hand")
                         : verdict == HandVerdict::Accepted ? tr("keep %1 by hand")
                         : verdict == HandVerdict::Unsure   ? tr("mark %1 as unsure")
                                                            : tr("take back what was decided on %1");
    edit(EditKind::ByHand, text.arg(namesOf(judged, *document_->audit)), std::move(next));
}

void AuditSession::setNote(SampleId sample, const QString& note) {
    if (!document_ || note.trimmed().toStdString() == state_.noteOf(sample))
        return;
    auto notes = std::make_shared<SampleNotes>(*document_->edits.notes);
    if (note.trimmed().isEmpty())
        notes->erase(sample);
    else
        (*notes)[sample] = note.trimmed().toStdString();
    EditState next = document_->edits;
    next.notes = std::move(notes);
    edit(EditKind::Notes,
         (note.trimmed().isEmpty() ? tr("drop note on %1") : tr("write note on %1"))
             .arg(namesOf({sample}, *document_->audit)),
         std::move(next));
}

void AuditSession::nameTag(int tag, const QString& name) {
    if (!document_)
        return;
    TagNames names = *document_->edits.tagNames;
    names.at(static_cast<std::size_t>(tag - 1)) = name.toStdString();
    nameTags(names);
}

void AuditSession::nameTags(const TagNames& names) {
    if (!document_)
        return;
    auto trimmed = std::make_shared<TagNames>();
    std::ranges::transform(names, trimmed->begin(), [](const std::string& name) {
        return QString::fromStdString(name).trimmed().toStdString();
    });
    if (*trimmed == *document_->edits.tagNames)
        return;
    EditState next = document_->edits;
    next.tagNames = std::move(trimmed);
    edit(EditKind::Tags, tr("name tags"), std::move(next));
}

SampleSet AuditSession::selectedOnShow() const {
    return selection_->samples().in(SetId::Real) | selectedOfModel();
}

bool AuditSession::canTag() const {
    return isOpen() && !selectedOnShow().empty();
}

bool AuditSession::isTagged(int tag) const {
    if (!state_.hasModel() || !state_.tags)
        return false;
    const SampleSet& tagged = state_.tags->having(tag);
    return tagged.countIn(SetId::Real) > 0 || tagged.countIn(state_.currentSet()) > 0;
}

TagSet AuditSession::tagsOfSelection() const {
    return state_.tags ? state_.tags->commonTo(selectedOnShow()) : TagSet{0};
}

void AuditSession::changeTags(const QString& text, const std::function<void(SampleTags&, const SampleSet&)>& change) {
    if (!canTag())
        return;
    auto after = std::make_shared<SampleTags>(*document_->edits.tags);
    change(*after, selectedOnShow());
    if (*after == *document_->edits.tags)
        return;
    EditState next = document_->edits;
    next.tags = std::move(after);
    edit(EditKind::Tags, text.arg(namesOf(selectedOnShow(), *document_->audit)), std::move(next));
}

void AuditSession::toggleTag(int tag) {
    const bool take = (tagsOfSelection() & tagSet(tag)) != 0;
    changeTags(take ? tr("take tag %1 from %2").arg(tag) : tr("give tag %1 to %2").arg(tag),
               [take, tag](SampleTags& tags, const SampleSet& samples) {
                   if (take)
                       tags.take(tag, samples);
                   else
                       tags.give(tag, samples);
               });
}

void AuditSession::clearTags() {
    changeTags(tr("clear tags of %1"), [](SampleTags& tags, const SampleSet& samples) { tags.takeAll(samples); });
}

void AuditSession::setFilter(const ViewFilter& filter) {
    if (!document_ || filter == document_->edits.filter)
        return;
    EditState next = document_->edits;
    ViewFilter withoutText = filter;
    withoutText.text = next.filter.text;
    const bool typed = withoutText == next.filter && !filter.text.isEmpty();
    next.filter = filter;
    push(EditKind::Filter, filter.empty() ? tr("show all") : tr("filter"), std::move(next),
         typed ? kTyping : gestures_.current());
}

void AuditSession::showOnlySelected() {
    if (!document_ || selection_->isEmpty())
        return;
    ViewFilter filter = document_->edits.filter;
    filter.among = std::make_shared<const SampleSet>(state_.shownOf(selectedOnShow()));
    if (!filter.among->empty())
        setFilter(filter);
}

void AuditSession::onSelectionChanged() {
    if (applying_ || !document_)
        return;
    EditState next = document_->edits;
    next.selection = std::make_shared<SelectionSnapshot>(SelectionSnapshot{selection_->samples(), selection_->focus()});
    edit(EditKind::Selection, selection_->isEmpty() ? tr("clear selection") : tr("select samples"), std::move(next));
}

void AuditSession::push(EditKind kind, const QString& text, EditState after, std::optional<std::uint64_t> gesture) {
    document_->undo.push(new SessionEdit(kind, text,
                                         {.before = document_->edits, .after = std::move(after), .gesture = gesture},
                                         [this](const EditState& state, const QString& what) { apply(state, what); }));
}

void AuditSession::edit(EditKind kind, const QString& text, EditState after) {
    push(kind, text, std::move(after), gestures_.current());
}

} // namespace assay
