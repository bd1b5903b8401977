#include "gui/session/audit_session.h"

#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/findings/findings.h"
#include "engine/external/sample_table.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/rules/filter.h"
#include "gui/jobs/statistics_scores.h"

#include <QFileInfo>

#include <algorithm>

namespace assay {
/// Samples among which rules on sets find theirs within a few milliseconds.
constexpr std::size_t kSetsFoundAtOnce = 100'000;

AuditSession::AuditSession(SampleSelection* selection, const EngineCalls& calls, QObject* parent)
    : QObject(parent), document_(selection), editor_(&document_),
      loader_(calls, [this](const NetworkEmbedder::Run& run, const JobContext& job) { embedder_.embed(run, job); }),
      keptScorer_(calls.scoreKept, calls.auditKept),
      usefulScorer_(calls.usefulIfKept), background_{{&jobs_, [this] { jobs_.cancel(); }, true, true},
                                                     {exports_.jobs(), [this] { exports_.cancel(); }, true, true},
                                                     {projector_.jobs(), [this] { projector_.stop(); }},
                                                     {keptScorer_.jobs(), [this] { keptScorer_.stop(); }},
                                                     {usefulScorer_.jobs(), [this] { usefulScorer_.stop(); }},
                                                     {&sets_, [this] { sets_.cancel(); }, false, true}} {
    connect(&editor_, &Editor::failed, this, &AuditSession::failed);
    connect(&document_, &Document::edited, this, &AuditSession::keepDecisions);
    connect(&document_, &Document::historyChanged, this, &AuditSession::keepHistory);
    // First, so that whoever hears of a failure finds the old state.
    connect(&jobs_, &JobRunner::cancelled, this, &AuditSession::rollBack);
    connect(&jobs_, &JobRunner::failed, this, &AuditSession::rollBack);
    for (const Background& one : background_) {
        connect(one.runner, &JobRunner::failed, this, [this, runner = one.runner](const Error& error) {
            emit failed(runner->title(), QString::fromStdString(error.what()));
        });
        followRunner(*one.runner);
    }
    connect(&exports_, &ExportQueue::exported, this, &AuditSession::exported);
    connect(&keeper_, &DecisionKeeper::failed, this, [this](const QString& file, const QString& message) {
        emit failed(tr("Keeping decisions in %1").arg(QFileInfo(file).fileName()), message);
    });
    document_.findSetsLater(kSetsFoundAtOnce);
    connect(&document_, &Document::setRulesWanted, this, &AuditSession::findSets);
    connect(&sets_, &JobRunner::cancelled, &document_, &Document::giveUpSets);
    connect(&sets_, &JobRunner::failed, &document_, &Document::giveUpSets);
    connect(&panelJobs_, &PanelJobs::runnerAdded, this,
            [this](JobRunner* runner) { followRunner(*runner); }); // its panel says why it fails
    // Once every view shows the state.
    connect(&document_, &Document::stateChanged, this, &AuditSession::followState, Qt::QueuedConnection);
    connect(&document_, &Document::stateChanged, this, [this] { followed_ = false; });
    connect(&keptScorer_, &KeptScorer::changed, this, &AuditSession::showComputed);
    connect(&usefulScorer_, &UsefulScorer::scoresChanged, this, &AuditSession::showComputed);
    connect(&projector_, &SpaceProjector::pointsChanged, this, &AuditSession::showComputed);
    connect(&projector_, &SpaceProjector::layoutChanged, this, &AuditSession::showComputed);
    connect(&jobs_, &JobRunner::ended, this, &AuditSession::followState);
}

void AuditSession::followRunner(const JobRunner& runner) {
    connect(&runner, &JobRunner::started, this, &AuditSession::busyChanged);
    connect(&runner, &JobRunner::ended, this, &AuditSession::busyChanged);
}

void AuditSession::findSets(const Result& audit, std::size_t model, const std::vector<std::string>& rules) {
    sets_.start<SetRuleRows>(
        tr("Applying: %1").arg(catalogText(findSetRule(rules.front())->title)),
        [audit, model, rules](const RunningJob&) {
            return std::make_shared<const SetRuleRows>(rowsOfSets(*audit, model, rules));
        },
        [this, audit, model](const std::shared_ptr<const SetRuleRows>& rows) {
            document_.setFoundSets(audit, model, *rows);
        });
}

void AuditSession::followState() {
    // Scoring has the processor first.
    if (jobs_.isRunning() && isOpen())
        return;
    projector_.project(state());
    keptScorer_.follow(state());
    usefulScorer_.follow(state());
    followed_ = true;
    showComputed();
}

void AuditSession::showComputed() {
    if (!followed_)
        return; // of a state before, perhaps
    const KeptEvaluation& kept = keptScorer_.found();
    document_.setComputed({.keptScores = kept.scores,
                           .randomScores = kept.random,
                           .keptAudits = kept.audits,
                           .keptFrechet = kept.frechet,
                           .coverageLost = kept.lost,
                           .usefulOfKept = usefulScorer_.scores(),
                           .points = projector_.points(),
                           .layout = projector_.layout()});
}

bool AuditSession::isBusy() const noexcept {
    return panelJobs_.isRunning() ||
           std::ranges::any_of(background_, [](const Background& one) { return one.runner->isRunning(); });
}

void AuditSession::open(const AuditFiles& files) {
    if (files.audit.isEmpty()) {
        unfinished_ = files;
        startOpening(tr("Opening the audit of %1").arg(QFileInfo(pathOfSpec(files.real)).fileName()), files,
                     [this, loader = loader_, files](const RunningJob& job, const AuditLoader::Partial& partial) {
                         if (!areAgainstStatistics(files, job.context().silent()))
                             return loader.open(files, job.context(), partial);
                         job.deliver([this, scores = scoreAgainstStatistics(files, job.context())] {
                             emit scoredAgainstStatistics(scores);
                         });
                         return Result();
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
            document_.restore(kept->decisions, AuditHistory(std::move(kept->history)), kept->inputs);
            emit windowStateRestored(document_.windowState());
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
            if (!result) { // nothing to open: what is open stays
                unfinished_.reset();
                return;
            }
            showOpening(files, result);
            before_.reset();
            opening_ = false;
            unfinished_.reset();
            if (then)
                then();
            keeper_.keepIn(document_.auditFile());
            document_.record(tr("opened"));
            if (files)
                emit opened(*files);
        });
}

void AuditSession::setWindowState(const QString& state) {
    if (document_.setWindowState(state))
        keepDecisions();
}

bool AuditSession::isKept() const {
    return isOpen() && !opening_ && keeper_.file() == document_.auditFile();
}

bool AuditSession::hasUnsavedDecisions() const {
    return document_.hasUnreportedDecisions() && !(keeper_.isKeeping() && keeper_.file() == document_.auditFile());
}

void AuditSession::keepHistory() {
    if (isKept())
        keeper_.keepHistory(document_.history());
}

void AuditSession::keepDecisions() {
    if (isKept())
        keeper_.keep(document_.decisions(), document_.history());
}

void AuditSession::keepNow() {
    if (document_.hasUnsavedSelection())
        keepDecisions();
    keeper_.flush();
}

void AuditSession::showOpening(const std::optional<AuditFiles>& files, const Result& result) {
    // A new audit shows the model with the most to say, as far as is known, until the person does something. A saved
    // one shows what it showed last.
    const bool isNew = !files || files->audit.isEmpty();
    if (opening_) {
        document_.extend(result, isNew ? std::optional(gravestModel(*result)) : std::nullopt);
        return;
    }
    opening_ = true;
    auto open = std::make_unique<OpenAudit>();
    open->audit = result;
    open->files = files;
    if (isNew)
        open->edits.model = gravestModel(*result);
    before_ = document_.setOpenAudit(std::move(open));
}

void AuditSession::rollBack() {
    if (!std::exchange(opening_, false))
        return;
    document_.setOpenAudit(std::move(before_));
}

bool AuditSession::canExtend(const QString& title, const QString& closed) {
    if (isOpen() && !jobs_.isRunning())
        return true;
    emit failed(title, isOpen() ? tr("Still working on something else. Wait, or cancel it first.") : closed);
    return false;
}

std::function<void(AuditSession::Result)> AuditSession::extendsBy(const QString& what) {
    return [this, what](const Result& result) {
        document_.extend(result);
        document_.record(what);
        rewriteAudit();
    };
}

AuditOptions AuditSession::optionsForMore() const {
    AuditOptions options = document_.files().value_or(AuditFiles{}).options;
    options.k = state().audit->k;
    options.seed = state().audit->seed;
    options.tablesOnly = state().audit->described == nullptr; // as the audit file that was opened
    return options;
}

void AuditSession::addModels(const std::vector<ModelFile>& models) {
    const QString title = tr("Adding models");
    if (models.empty() || !canExtend(title, tr("Open an audit first: models are scored against its real set.")))
        return;
    jobs_.start<AuditResult>(
        title,
        [loader = loader_, base = state().audit, models, options = optionsForMore(),
         embedding = document_.files().value_or(AuditFiles{}).embedding](const RunningJob& job) {
            return loader.addModels(*base, models, options, embedding, job.context());
        },
        [this, models](const Result& result) {
            document_.extend(result);
            QStringList names;
            for (const ModelFile& model : models)
                names << model.name;
            document_.record(tr("added %1").arg(names.join(tr(", "))));
            std::optional<AuditFiles> files = document_.files();
            if (!files)
                return;
            files->models.insert(files->models.end(), models.begin(), models.end());
            document_.setFiles(*files);
            rewriteAudit();
            emit opened(*files);
        });
}

void AuditSession::judgeAgain() {
    const QString title = tr("Judging again");
    if (!canExtend(title, tr("Open an audit first: its samples are judged again.")))
        return;
    jobs_.start<AuditResult>(
        title,
        [loader = loader_, record = state().audit, options = optionsForMore()](const RunningJob& job) {
            return loader.judgeAgain(*record, options, job.context());
        },
        extendsBy(tr("judged again")));
}

void AuditSession::computeCurves(const CurveRequest& request) {
    if (!request.empty())
        startCurves(request, {});
}

void AuditSession::showUsefulCurve(const std::string& column) {
    const std::string key = "useful_by_" + column;
    const bool isThere =
        state().hasModel() && findRequestedCurve(*state().audit, key, state().current().name) != nullptr;
    CurveRequest request;
    request.useful = {column};
    if (isThere)
        emit curveChosen(QString::fromStdString(key));
    else
        computeCurves(request);
}

void AuditSession::computeBadFraction(const QString& bad) {
    CurveRequest request;
    request.badFraction.emplace();
    startCurves(request, bad);
}

void AuditSession::startCurves(const CurveRequest& request, const QString& bad) {
    const QString title = tr("Computing curves");
    if (!canExtend(title, tr("Open an audit first: curves are of its models.")))
        return;
    jobs_.start<AuditResult>(
        title,
        [loader = loader_, base = state().audit, request, bad, options = optionsForMore()](const RunningJob& job) {
            return loader.addCurves(base, request, bad, options, job.context());
        },
        extendsBy(tr("computed curves")));
    emit curvesStarted(request);
}

void AuditSession::addSampleScores(const QString& file) {
    const QString title = tr("Adding %1").arg(QFileInfo(file).fileName());
    if (!canExtend(title, tr("Open an audit first: the scores are of its samples.")))
        return;
    struct Read {
        SampleScores scores;
        std::vector<std::string> notes;
    };
    jobs_.start<Read>(
        title,
        [audit = state().audit, model = state().currentSet(), file](const RunningJob& job) {
            NamedSets sets = NamedSets::of(*audit);
            sets.usual = model;
            Read read;
            read.scores = readSampleTable(file.toStdString(), sets, job.context(), &read.notes);
            return std::make_shared<const Read>(std::move(read));
        },
        [this, of = state().audit->real](const std::shared_ptr<const Read>& read) {
            if (!isOpen() || state().audit->real != of)
                return;
            editor_.addSampleScores(read->scores);
            for (const std::string& note : read->notes)
                document_.record(QString::fromStdString(note));
            const SampleScores::Part& first = read->scores.parts.front();
            emit sampleScoresAdded(
                QString::fromStdString(externalId(first.name, isReal(first.set) ? Side::Real : Side::Synthetic)));
        });
}

void AuditSession::proposeRemoval(const std::string& aim, double wanted) {
    const QString title = tr("Proposing what to remove");
    if (!canExtend(title, tr("Open an audit first: the proposal is about one of its models.")))
        return;
    jobs_.start<RemovalProposal>(
        title,
        [audit = state().audit, model = state().model, aim, wanted](const RunningJob& job) {
            const auto propose = aim == "frechet_distance" ? proposeFrechetRemoval : assay::proposeRemoval;
            return std::make_shared<const RemovalProposal>(propose(audit, model, wanted, {}, job.context()));
        },
        [this, model = state().model](const std::shared_ptr<const RemovalProposal>& proposal) {
            if (model == state().model)
                emit removalProposed(*proposal);
        });
}

void AuditSession::cancel() {
    for (const Background& one : background_)
        if (one.runner->isRunning()) {
            one.cancel();
            if (one.isAskedFor)
                return;
        }
    panelJobs_.cancel();
}

} // namespace assay
