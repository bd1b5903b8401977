#include "gui/session/audit_session.h"

#include "gui/session/audit_document.h"
#include "gui/session/session_decisions.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/findings/findings.h"
#include "engine/subsets/curves/removal.h"

#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>

namespace assay {
AuditSession::AuditSession(SampleSelection* selection, const EngineCalls& calls, QObject* parent)
    : QObject(parent), selection_(selection),
      loader_(calls, [this](const NetworkEmbedder::Run& run, const JobContext& job) { embedder_.embed(run, job); }),
      clock_([] { return QDateTime::currentDateTimeUtc(); }), keptScorer_(calls.scoreKept, calls.auditKept) {
    connect(selection_, &SampleSelection::changed, this, &AuditSession::onSelectionChanged);
    // First, so that whoever hears of a failure finds the old state.
    connect(&jobs_, &JobRunner::cancelled, this, &AuditSession::rollBack);
    connect(&jobs_, &JobRunner::failed, this, &AuditSession::rollBack);
    connectRunner(jobs_);
    connectRunner(*exports_.jobs());
    connect(&exports_, &ExportQueue::exported, this, &AuditSession::exported);
    connect(&keeper_, &DecisionKeeper::failed, this, [this](const QString& file, const QString& message) {
        emit failed(tr("Keeping decisions in %1").arg(QFileInfo(file).fileName()), message);
    });
    connectRunner(*projector_.jobs());
    connectRunner(*keptScorer_.jobs());
    // After the views: they drop the points of the sets before, then new ones come.
    connect(this, &AuditSession::stateChanged, this, &AuditSession::followState, Qt::QueuedConnection);
    connect(&jobs_, &JobRunner::finished, this, &AuditSession::followState);
    connect(&jobs_, &JobRunner::cancelled, this, &AuditSession::followState);
    connect(&jobs_, &JobRunner::failed, this, &AuditSession::followState);
}

AuditSession::~AuditSession() {
    // Undo stacks leave their group here, while nobody listens to the group any more.
    undoGroup_.disconnect();
}

void AuditSession::connectRunner(JobRunner& runner) {
    for (const auto signal : {&JobRunner::finished, &JobRunner::cancelled})
        connect(&runner, signal, this, &AuditSession::busyChanged);
    connect(&runner, &JobRunner::started, this, &AuditSession::busyChanged);
    connect(&runner, &JobRunner::failed, this, [this, &runner](const Error& error) {
        emit failed(runner.title(), QString::fromStdString(error.what()));
        emit busyChanged();
    });
}

void AuditSession::followState() {
    // Scoring has the processor first.
    if (jobs_.isRunning() && isOpen())
        return;
    projector_.project(state_);
    keptScorer_.follow(state_);
}

bool AuditSession::isBusy() const noexcept {
    return jobs_.isRunning() || exports_.jobs()->isRunning() || projector_.jobs()->isRunning() ||
           keptScorer_.jobs()->isRunning();
}

const FilterRules& AuditSession::rules() const noexcept {
    static const FilterRules none;
    return document_ ? document_->edits.rules : none;
}

std::optional<AuditFiles> AuditSession::files() const {
    return document_ ? document_->files : std::nullopt;
}

void AuditSession::open(const AuditFiles& files) {
    if (files.audit.isEmpty()) {
        unfinished_ = files;
        startOpening(tr("Opening the audit of %1").arg(QFileInfo(pathOfSpec(files.real)).fileName()), files,
                     [loader = loader_, files](const RunningJob& job, const AuditLoader::Partial& partial) {
                         return loader.open(files, job.context(), partial);
                     });
        return;
    }
    if (files.audit == keeper_.file()) // what was done last is read again
        keepNow();
    struct Kept {
        Decisions decisions;
        History history;
        InputData inputs;
    };
    const auto kept = std::make_shared<Kept>();
    startOpening(
        tr("Opening %1").arg(QFileInfo(files.audit).fileName()), files,
        [loader = loader_, files, kept](const RunningJob& job, const AuditLoader::Partial& partial) {
            Result audit = loader.open(files, job.context(), partial);
            const std::string file = files.audit.toStdString();
            *kept = {readDecisions(file, *audit), readHistory(file), inputDataOf(file)};
            return audit;
        },
        [this, kept] {
            document_->history = AuditHistory(std::move(kept->history));
            document_->inputs = kept->inputs;
            restore(kept->decisions);
        });
}

void AuditSession::openDemo() {
    startOpening(tr("Opening the demo"), std::nullopt,
                 [loader = loader_](const RunningJob& job, const AuditLoader::Partial& partial) {
                     return loader.openDemo(job.context(), partial);
                 });
}

void AuditSession::startOpening(const QString& title, const std::optional<AuditFiles>& files,
                                std::function<Result(const RunningJob&, const AuditLoader::Partial&)> work,
                                std::function<void()> then) {
    rollBack(); // a job that this one supersedes says nothing more
    jobs_.start<AuditResult>(
        title,
        [this, files, work = std::move(work)](const RunningJob& job) {
            return work(job, [this, files, job](Result partial) {
                job.deliver([this, files, partial = std::move(partial)] { showOpening(files, partial); });
            });
        },
        [this, files, then = std::move(then)](const Result& result) {
            showOpening(files, result);
            before_.reset();
            opening_ = false;
            unfinished_.reset();
            if (then)
                then();
            keeper_.keepIn(auditFile());
            record(tr("opened"));
            if (files)
                emit opened(*files);
        });
}

void AuditSession::restore(const Decisions& decided) {
    document_->edits = editsOf(decided);
    document_->window = QString::fromStdString(decided.window);
    applying_ = true;
    publish();
    selection_->replace(document_->edits.selection->samples, document_->edits.selection->focus);
    applying_ = false;
    emit rulesChanged(rules());
    emit windowStateRestored(document_->window);
}

QString AuditSession::auditFile() const {
    return document_ && document_->files ? document_->files->audit : QString();
}

std::shared_ptr<const History> AuditSession::history() const {
    return document_ ? document_->history.entries() : nullptr;
}

QString AuditSession::windowState() const {
    return document_ ? document_->window : QString();
}

void AuditSession::setWindowState(const QString& state) {
    if (!document_ || state == document_->window)
        return;
    document_->window = state;
    keepDecisions();
}

void AuditSession::record(const QString& what) {
    document_->history.add(what, clock_());
    if (!opening_ && keeper_.file() == auditFile())
        keeper_.keepHistory(document_->history.entries());
    emit historyChanged();
}

Decisions AuditSession::decisions() const {
    Decisions decisions = decisionsOf(document_->edits);
    decisions.window = document_->window.toStdString();
    return decisions;
}

void AuditSession::keepDecisions() {
    if (document_ && !opening_ && keeper_.file() == auditFile())
        keeper_.keep(decisions(), document_->history.entries());
}

void AuditSession::showOpening(const std::optional<AuditFiles>& files, const Result& result) {
    // A new audit shows the model with the most to say, as far as is known, until the person does something. A saved
    // one shows what it showed last.
    const bool isNew = !files || files->audit.isEmpty();
    if (opening_) {
        if (isNew && document_->undo.count() == 0)
            document_->edits.model = gravestModel(*result);
        extend(result);
        return;
    }
    opening_ = true;
    before_ = std::move(document_);
    auto document = std::make_unique<AuditDocument>();
    document->audit = result;
    document->files = files;
    if (isNew)
        document->edits.model = gravestModel(*result);
    enter(std::move(document));
}

void AuditSession::rollBack() {
    if (!std::exchange(opening_, false))
        return;
    enter(std::move(before_));
}

void AuditSession::enter(std::unique_ptr<AuditDocument> document) {
    document_ = std::move(document);
    if (document_)
        undoGroup_.addStack(&document_->undo);
    undoGroup_.setActiveStack(document_ ? &document_->undo : nullptr);
    applying_ = true;
    selection_->hover(std::nullopt);
    // The old selection names samples of the old sets: it goes before the views see new ones.
    selection_->clear();
    publish();
    if (document_)
        selection_->replace(document_->edits.selection->samples, document_->edits.selection->focus);
    applying_ = false;
    emit rulesChanged(rules());
}

void AuditSession::extend(const Result& result) {
    document_->audit = result;
    publish();
}

bool AuditSession::canExtend(const QString& title, const QString& busy, const QString& closed) {
    if (isOpen() && !jobs_.isRunning())
        return true;
    emit failed(title, isOpen() ? busy : closed);
    return false;
}

AuditOptions AuditSession::optionsForMore() const {
    AuditOptions options = document_->files.value_or(AuditFiles{}).options;
    options.k = document_->audit->k;
    options.seed = document_->audit->seed;
    options.tablesOnly = document_->audit->described == nullptr; // as the audit file that was opened
    return options;
}

void AuditSession::addModels(const std::vector<ModelFile>& models) {
    const QString title = tr("Adding models");
    if (models.empty() || !canExtend(title, tr("Still working on something else. Wait, or cancel it first."),
                                     tr("Open an audit first: models are scored against its real set.")))
        return;
    jobs_.start<AuditResult>(
        title,
        [loader = loader_, base = document_->audit, models, options = optionsForMore(),
         embedding = files().value_or(AuditFiles{}).embedding](const RunningJob& job) {
            return loader.addModels(*base, models, options, embedding, job.context());
        },
        [this, models](const Result& result) {
            extend(result);
            QStringList names;
            for (const ModelFile& model : models)
                names << model.name;
            record(tr("added %1").arg(names.join(tr(", "))));
            if (!document_->files)
                return;
            document_->files->models.insert(document_->files->models.end(), models.begin(), models.end());
            rewriteAudit();
            emit opened(*document_->files);
        });
}

void AuditSession::computeCurves(const CurveRequest& request) {
    if (!request.empty())
        startCurves(request, {});
}

void AuditSession::computeBadFraction(const QString& bad) {
    CurveRequest request;
    request.badFraction.emplace();
    startCurves(request, bad);
}

void AuditSession::startCurves(const CurveRequest& request, const QString& bad) {
    const QString title = tr("Computing curves");
    if (!canExtend(title, tr("Still working on something else. Wait, or cancel it first."),
                   tr("Open an audit first: curves are of its models.")))
        return;
    jobs_.start<AuditResult>(
        title,
        [loader = loader_, base = document_->audit, request, bad, options = optionsForMore()](const RunningJob& job) {
            return loader.addCurves(base, request, bad, options, job.context());
        },
        [this](const Result& result) {
            extend(result);
            record(tr("computed curves"));
            rewriteAudit();
        });
    emit curvesStarted(request);
}

void AuditSession::proposeRemoval(double wanted) {
    const QString title = tr("Proposing what to remove");
    if (!canExtend(title, tr("Still working on something else. Wait, or cancel it first."),
                   tr("Open an audit first: the proposal is about one of its models.")))
        return;
    jobs_.start<RemovalProposal>(
        title,
        [audit = state_.audit, model = state_.model, wanted](const RunningJob& job) {
            return std::make_shared<const RemovalProposal>(
                assay::proposeRemoval(audit, model, wanted, {}, job.context()));
        },
        [this, model = state_.model](const std::shared_ptr<const RemovalProposal>& proposal) {
            if (model == state_.model && !proposal->rows.empty())
                selection_->replace(SampleSet(syntheticSet(model), proposal->rows));
            if (model == state_.model)
                emit removalProposed(*proposal);
        });
}

void AuditSession::cancel() {
    if (jobs_.isRunning()) {
        jobs_.cancel();
    } else if (exports_.jobs()->isRunning()) {
        exports_.cancel();
    } else {
        projector_.stop();
        keptScorer_.stop();
    }
}

void AuditSession::apply(const EditState& next, const QString& what) {
    const EditState previous = std::exchange(document_->edits, next);
    applying_ = true;
    if (previous.model != next.model || !previous.sameDecisions(next) || previous.filter != next.filter)
        publish();
    selection_->replace(next.selection->samples, next.selection->focus);
    applying_ = false;
    if (previous.rules != next.rules)
        emit rulesChanged(next.rules);
    if (!previous.sameDecisions(next) && document_->history.addEdit(what, gestures_.current(), clock_()))
        emit historyChanged();
    keepDecisions();
}

void AuditSession::publish() {
    const ViewState before = std::exchange(state_, {});
    if (document_) {
        state_.audit = document_->audit;
        state_.model = document_->edits.model;
    }
    if (!state_.hasModel())
        keptCount_ = rejectedCount_ = 0;
    if (state_.hasModel()) {
        const EditState& edits = document_->edits;
        if (!edits.tags->empty())
            state_.tags = edits.tags;
        if (!edits.accepted->empty())
            state_.accepted = edits.accepted;
        if (!edits.unsure->empty())
            state_.unsure = edits.unsure;
        state_.tagNames = edits.tagNames;
        state_.notes = edits.notes;
        state_.filter = edits.filter;
        const bool sameSamples = before.audit == state_.audit && before.model == state_.model;
        state_.shown = sameSamples && before.filter == state_.filter ? before.shown : shownBy(state_);
        decide(before, sameSamples);
    }
    emit stateChanged(state_);
}

/// Applies rules and decisions by hand where one of them has changed. The same samples stay the same object, so that
/// nobody works anything out again.
void AuditSession::decide(const ViewState& before, bool sameSamples) {
    const EditState& edits = document_->edits;
    const bool sameTags =
        edits.tags == decidedBy_.tags ||
        !std::ranges::any_of(edits.rules.list, [](const FilterRule& rule) { return rule.column == kTagRule; });
    if (sameSamples && edits.rules == decidedBy_.rules && edits.byHand == decidedBy_.byHand &&
        edits.accepted == decidedBy_.accepted && sameTags) {
        state_.kept = before.kept;
        state_.byHand = before.byHand;
        state_.failingRules = before.failingRules;
        return;
    }
    decidedBy_ = edits;
    findNearDuplicates(before);
    SampleFilter decided = filter();
    state_.byHand =
        decided.byHand.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(decided.byHand);
    AppliedFilter applied(*state_.audit, state_.model, std::move(decided));
    keptCount_ = applied.keptCount();
    rejectedCount_ = applied.rejectedCount();
    if (edits.rules.empty() && !state_.byHand)
        return;
    auto failing = std::make_shared<std::vector<std::size_t>>();
    for (std::size_t rule = 0; rule < edits.rules.list.size(); ++rule)
        failing->push_back(applied.failing(rule));
    if (!failing->empty())
        state_.failingRules = std::move(failing);
    const bool sameKept = sameSamples && before.kept && *before.kept == applied.kept();
    state_.kept = sameKept ? before.kept : std::make_shared<const std::vector<bool>>(std::move(applied).kept());
}

/// Computed once for a model, when a rule needs them.
void AuditSession::findNearDuplicates(const ViewState& before) {
    if (!before.hasModel() || &before.current() != &state_.current())
        nearDuplicates_.reset();
    const bool wanted = std::ranges::any_of(document_->edits.rules.list,
                                            [](const FilterRule& rule) { return rule.column == kNearDuplicateRule; });
    if (wanted && !nearDuplicates_)
        nearDuplicates_ =
            std::make_shared<const std::vector<std::uint32_t>>(nearDuplicates(*state_.audit, state_.model));
}

SampleFilter AuditSession::filterOf(std::size_t model) const {
    const EditState& edits = document_->edits;
    const SetId set = syntheticSet(model);
    return {edits.rules,
            edits.byHand->rowsOf(set),
            edits.accepted->rowsOf(set),
            edits.tags,
            edits.tagNames,
            edits.notes,
            model == state_.model ? nearDuplicates_ : nullptr};
}

} // namespace assay
