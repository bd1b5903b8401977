#include "gui/session/editor.h"

#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include "engine/base/error.h"

#include <algorithm>

namespace assay {
namespace {

/// The samples of a verdict that is not None. @param edits EditState, const or not
auto& setOf(auto& edits, HandVerdict verdict) {
    return verdict == HandVerdict::Rejected   ? edits.rejectedByHand
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
    const QString count = formatCount(samples.size());
    return samples.countIn(set) == samples.size() ? Editor::tr("%1 samples of %2").arg(count, name)
                                                  : Editor::tr("%1 samples").arg(count);
}

} // namespace

Editor::Editor(Document* document, QObject* parent) : QObject(parent), document_(document) {}

void Editor::edit(EditKind kind, const QString& text, const std::function<void(EditState&)>& apply) {
    EditState next = document_->edits();
    apply(next);
    document_->edit(kind, text, std::move(next));
}

void Editor::setModel(std::size_t model) {
    if (!document_->isOpen() || model >= state().audit->models.size() || model == document_->edits().model)
        return;
    edit(EditKind::Model, tr("choose %1").arg(QString::fromStdString(state().audit->models[model]->name)),
         [model](EditState& next) {
             next.model = model;
             // Samples of another model's set are not on show any more; real ones are.
             auto selected = std::make_shared<SelectionSnapshot>(*next.selection);
             selected->samples = selected->samples.in(SetId::Real);
             if (selected->focus && !isReal(selected->focus->set))
                 selected->focus.reset();
             next.selection = std::move(selected);
         });
}

void Editor::stepModel(int step) {
    if (!state().hasModel())
        return;
    const auto count = static_cast<long long>(state().audit->models.size());
    const long long next = (static_cast<long long>(state().model) + step % count + count) % count;
    setModel(static_cast<std::size_t>(next));
}

void Editor::addRules(const FilterRules& rules) {
    FilterRules all = document_->rules();
    for (const FilterRule& rule : rules.list) {
        std::erase_if(all.list, [&](const FilterRule& other) { return other.column == rule.column; });
        all.list.push_back(rule);
    }
    setRules(all);
}

void Editor::setRules(const FilterRules& rules) {
    if (!document_->isOpen() || rules == document_->edits().rules)
        return;
    try {
        if (state().hasModel())
            requireRules(*state().audit, state().model, rules.list);
    } catch (const Error& error) {
        emit failed(tr("Changing the rules"), QString::fromStdString(error.what()));
        return;
    }
    edit(EditKind::Rules, tr("change rules"), [&](EditState& next) { next.rules = rules; });
}

void Editor::setExternal(const ExternalScores& scores) {
    if (!document_->isOpen() || scores == *document_->edits().external)
        return;
    edit(EditKind::External,
         scores.empty() ? tr("remove model scores")
                        : tr("add model scores of %1").arg(QString::fromStdString(scores.source)),
         [&](EditState& next) { next.external = std::make_shared<const ExternalScores>(scores); });
}

void Editor::addSampleScores(const SampleScores& scores) {
    if (!document_->isOpen() || scores.empty())
        return;
    auto all = std::make_shared<SampleScores>(*document_->edits().sampleScores);
    all->add(scores);
    if (*all != *document_->edits().sampleScores)
        edit(EditKind::External, tr("add sample scores of %1").arg(QString::fromStdString(scores.parts.front().source)),
             [&](EditState& next) { next.sampleScores = std::move(all); });
}

void Editor::removeSampleScores() {
    if (!document_->isOpen() || document_->edits().sampleScores->empty())
        return;
    edit(EditKind::External, tr("remove sample scores"), [](EditState& next) {
        next.sampleScores = std::make_shared<const SampleScores>();
        std::erase_if(next.rules.list, [](const FilterRule& rule) { return isExternal(rule.column); });
        if (next.filter.range && isExternal(next.filter.range->column))
            next.filter.range.reset();
    });
}

SampleSet Editor::selectedOfModel() const {
    return state().hasModel() ? document_->selection()->samples().in(state().currentSet()) : SampleSet();
}

bool Editor::canDecide() const {
    return !selectedOfModel().empty();
}

bool Editor::isSelectionJudged(HandVerdict verdict) const {
    const SampleSet samples = selectedOfModel();
    return !samples.empty() && setOf(document_->edits(), verdict)->includes(samples);
}

void Editor::toggleByHand(HandVerdict verdict) {
    const SampleSet samples = selectedOfModel();
    if (!samples.empty())
        judge(samples, isSelectionJudged(verdict) ? HandVerdict::None : verdict);
}

void Editor::judge(const SampleSet& samples, HandVerdict verdict, const std::optional<SelectionSnapshot>& then) {
    if (!document_->isOpen())
        return;
    const SampleSet judged = samples - samples.in(SetId::Real); // nobody decides about real samples
    EditState next = document_->edits();
    for (const HandVerdict one : {HandVerdict::Rejected, HandVerdict::Accepted, HandVerdict::Unsure}) {
        std::shared_ptr<const SampleSet>& set = setOf(next, one);
        SampleSet changed = one == verdict ? *set | judged : *set - judged;
        if (changed != *set)
            set = std::make_shared<const SampleSet>(std::move(changed));
    }
    if (next.sameByHand(document_->edits())) {
        if (then)
            document_->selection()->replace(then->samples, then->focus);
        return;
    }
    if (then)
        next.selection = std::make_shared<const SelectionSnapshot>(*then);
    const QString text = verdict == HandVerdict::Rejected   ? tr("reject %1 by hand")
                         : verdict == HandVerdict::Accepted ? tr("keep %1 by hand")
                         : verdict == HandVerdict::Unsure   ? tr("mark %1 as unsure")
                                                            : tr("take back what was decided on %1");
    document_->edit(EditKind::ByHand, text.arg(namesOf(judged, *state().audit)), std::move(next));
}

void Editor::setNote(SampleId sample, const QString& note) {
    if (!document_->isOpen() || note.trimmed().toStdString() == state().noteOf(sample))
        return;
    auto notes = std::make_shared<SampleNotes>(*document_->edits().notes);
    if (note.trimmed().isEmpty())
        notes->erase(sample);
    else
        (*notes)[sample] = note.trimmed().toStdString();
    edit(EditKind::Notes,
         (note.trimmed().isEmpty() ? tr("drop note on %1") : tr("write note on %1"))
             .arg(namesOf({sample}, *state().audit)),
         [&](EditState& next) { next.notes = std::move(notes); });
}

void Editor::nameTag(int tag, const QString& name) {
    if (!document_->isOpen())
        return;
    TagNames names = *document_->edits().tagNames;
    names.at(static_cast<std::size_t>(tag - 1)) = name.toStdString();
    nameTags(names);
}

void Editor::nameTags(const TagNames& names) {
    if (!document_->isOpen())
        return;
    auto trimmed = std::make_shared<TagNames>();
    std::ranges::transform(names, trimmed->begin(), [](const std::string& name) {
        return QString::fromStdString(name).trimmed().toStdString();
    });
    if (*trimmed == *document_->edits().tagNames)
        return;
    edit(EditKind::Tags, tr("name tags"), [&](EditState& next) { next.tagNames = std::move(trimmed); });
}

SampleSet Editor::selectedOnShow() const {
    return document_->selection()->samples().in(SetId::Real) | selectedOfModel();
}

SelectedSamples Editor::selected() const {
    SelectedSamples selected;
    if (!state().hasModel() || document_->selection()->isEmpty())
        return selected;
    const SampleSet real = document_->selection()->samples().in(SetId::Real);
    const SampleSet synthetic = selectedOfModel();
    selected.canDecide = !synthetic.empty();
    selected.canTag = selected.canDecide || !real.empty();
    if (selected.canDecide) {
        const EditState& edits = document_->edits();
        selected.rejected = edits.rejectedByHand->includes(synthetic);
        selected.accepted = edits.accepted->includes(synthetic);
        selected.unsure = edits.unsure->includes(synthetic);
    }
    if (state().tags && selected.canTag)
        selected.tags = state().tags->commonTo(real | synthetic);
    return selected;
}

bool Editor::isTagged(int tag) const {
    if (!state().hasModel() || !state().tags)
        return false;
    const SampleSet& tagged = state().tags->having(tag);
    return tagged.countIn(SetId::Real) > 0 || tagged.countIn(state().currentSet()) > 0;
}

void Editor::changeTags(const QString& text, const std::function<void(SampleTags&, const SampleSet&)>& change) {
    if (selectedOnShow().empty())
        return;
    auto after = std::make_shared<SampleTags>(*document_->edits().tags);
    change(*after, selectedOnShow());
    if (*after == *document_->edits().tags)
        return;
    edit(EditKind::Tags, text.arg(namesOf(selectedOnShow(), *state().audit)),
         [&](EditState& next) { next.tags = std::move(after); });
}

void Editor::toggleTag(int tag) {
    const bool take = (selected().tags & tagSet(tag)) != 0;
    changeTags(take ? tr("take tag %1 from %2").arg(tag) : tr("give tag %1 to %2").arg(tag),
               [take, tag](SampleTags& tags, const SampleSet& samples) {
                   if (take)
                       tags.take(tag, samples);
                   else
                       tags.give(tag, samples);
               });
}

void Editor::clearTags() {
    changeTags(tr("clear tags of %1"), [](SampleTags& tags, const SampleSet& samples) { tags.takeAll(samples); });
}

void Editor::setFilter(const ViewFilter& filter) {
    if (!document_->isOpen() || filter == document_->edits().filter)
        return;
    EditState next = document_->edits();
    ViewFilter withoutText = filter;
    withoutText.text = next.filter.text;
    const bool typed = withoutText == next.filter && !filter.text.isEmpty();
    next.filter = filter;
    const QString text = filter.empty() ? tr("show all") : tr("filter");
    if (typed)
        document_->editByTyping(EditKind::Filter, text, std::move(next));
    else
        document_->edit(EditKind::Filter, text, std::move(next));
}

void Editor::showOnlySelected() {
    if (!document_->isOpen() || document_->selection()->isEmpty())
        return;
    if (const SampleSet wanted = state().shownOf(selectedOnShow()); !wanted.empty())
        setFilter(document_->edits().filter.only(wanted));
}

} // namespace assay
