#include "gui/window/panel_catalog.h"

#include "engine/audit/result/model_contrast.h"
#include "engine/audit/result/nearest_classes.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/jobs/panel_jobs.h"
#include "gui/jobs/picture_loader.h"
#include "gui/session/audit_session.h"
#include "gui/session/review.h"
#include "widgets/agreement/agreement_panel.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/compare/compare_panel.h"
#include "widgets/curves/curve_view.h"
#include "widgets/diagnostics/diagnostics_panel.h"
#include "widgets/features/features_panel.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/histogram/distribution_panel.h"
#include "widgets/holes/holes_panel.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/link/sample_selection.h"
#include "widgets/models/fidelity_coverage_chart.h"
#include "widgets/models/models_panel.h"
#include "widgets/models/runs_chart.h"
#include "widgets/models/runs_panel.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/privacy/private_panel.h"
#include "widgets/ranking/ranking_listing.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/rules/rules_panel.h"
#include "widgets/samples/pair_lists.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/space/drawing/other_models.h"
#include "widgets/space/plane/plane_density.h"
#include "widgets/space/view/space_view.h"
#include "widgets/useful/useful_panel.h"

#include <QCoreApplication>

#include <memory>
#include <utility>

namespace assay {
namespace {

const QString kInspector = QStringLiteral("inspector");
const QString kCurves = QStringLiteral("curves");
/// Samples that are ranked within a few milliseconds, and need no thread.
constexpr std::size_t kRankedAtOnce = 20'000;
/// Samples whose classes are counted as fast.
constexpr std::size_t kCountedAtOnce = 100'000;

/// Translation context of this file's texts.
struct PanelCatalogWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PanelCatalog)
};

using AuditPtr = std::shared_ptr<const AuditResult>;

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}
template <typename T>
std::shared_ptr<const T> shared(std::shared_ptr<const T> value) {
    return value;
}

/// What is worked out about a model, as the answer to a panel's question.
template <typename Find>
auto ofModel(Find find) {
    return [find](const AuditPtr& audit, std::size_t model, const JobContext& job) {
        return shared(find(*audit, model, job));
    };
}

/// What a request describes, likewise.
template <typename Answer>
auto asked(Answer answer) {
    return [answer](const auto& request, const JobContext& job) { return answer(*request, job); };
}

/// Selects a sample and shows it in the inspector.
std::function<void(SampleId)> inspects(const PanelContext& context) {
    return [selection = context.selection, show = context.showPanel](SampleId sample) {
        selection->select(sample);
        show(kInspector);
    };
}

LinkedView* makeModels(const PanelContext& context) {
    return new ModelsPanel(context.selection, nullptr);
}

LinkedView* makeFindings(const PanelContext& context) {
    auto* view = new FindingsPanel(context.selection, nullptr, context.pictures);
    AuditSession* session = context.session;
    QObject::connect(view, &FindingsPanel::judgementWanted, session, &AuditSession::judgeAgain);
    QObject::connect(view, &FindingsPanel::rejectionWanted, session,
                     [session](const SampleSet& samples) { session->editor()->judge(samples, HandVerdict::Rejected); });
    QObject::connect(view, &FindingsPanel::inspectRequested, view, inspects(context));
    return view;
}

LinkedView* makeRules(const PanelContext& context) {
    auto* view = new RulesPanel(context.selection, nullptr);
    AuditSession* session = context.session;
    QObject::connect(view, &RulesPanel::rulesEdited, session->editor(), &Editor::setRules);
    Commands* commands = context.commands;
    QObject::connect(view, &RulesPanel::exportRequested, commands,
                     [commands](ExportWhat what) { commands->exportCurrent(what, QStringLiteral("csv")); });
    QObject::connect(view, &RulesPanel::loadRequested, commands, &Commands::loadRules);
    QObject::connect(view, &RulesPanel::saveRequested, commands, &Commands::saveRules);
    QObject::connect(view, &RulesPanel::proposalRequested, commands, &Commands::proposeRemoval);
    QObject::connect(view, &RulesPanel::protectRequested, session->editor(),
                     [session](const SampleSet& samples) { session->editor()->judge(samples, HandVerdict::Accepted); });
    return view;
}

LinkedView* makeOverview(const PanelContext& context) {
    return new FidelityCoverageChart(context.selection, nullptr);
}

LinkedView* makeDistribution(const PanelContext& context) {
    return new DistributionPanel(context.selection, nullptr);
}

LinkedView* makeRanking(const PanelContext& context) {
    auto* view = new RankingView(context.selection, nullptr, context.pictures);
    view->setWindowTitle(view->currentTitle());
    context.session->panelJobs()->answer(
        view, view->model(), &RankingModel::listingWanted, PanelCatalogWords::tr("Ranking samples"),
        [](const std::shared_ptr<const ListingRequest>& request, const JobContext&) { return listSamples(*request); },
        &RankingModel::showListing);
    view->model()->listLater(kRankedAtOnce);
    context.review->setRanking(view->model());
    QObject::connect(view, &RankingView::currentTitleChanged, view, &QWidget::setWindowTitle);
    QObject::connect(view, &RankingView::inspectRequested, view, inspects(context));
    return view;
}

LinkedView* makePairs(const PanelContext& context) {
    auto* heldOut = new PictureLoader; // no sample of the audit is in the held-out set
    auto* view = new PairsPanel(context.selection, nullptr, context.pictures, heldOut->pictures());
    heldOut->setParent(view);
    context.session->panelJobs()->answer(view, view, &PairsPanel::pairsWanted,
                                         PanelCatalogWords::tr("Looking for pairs"), ofModel(findPairs),
                                         &PairsPanel::showPairs);
    QObject::connect(view, &PairsPanel::inspectRequested, view, inspects(context));
    return view;
}

LinkedView* makeHoles(const PanelContext& context) {
    auto* view = new HolesPanel(context.selection, nullptr, context.pictures);
    context.session->panelJobs()->answer(view, view, &HolesPanel::holesWanted,
                                         PanelCatalogWords::tr("Grouping missed real samples"), ofModel(coverageHoles),
                                         &HolesPanel::showHoles);
    QObject::connect(view, &HolesPanel::inspectRequested, view, inspects(context));
    QObject::connect(view, &HolesPanel::exportRequested, context.commands, &Commands::exportHoles);
    return view;
}

LinkedView* makeCompare(const PanelContext& context) {
    auto* view = new ComparePanel(context.selection, nullptr, context.pictures);
    context.session->panelJobs()->answer(
        view, view, &ComparePanel::contrastWanted, PanelCatalogWords::tr("Comparing two models"),
        [](const AuditPtr& audit, std::size_t first, std::size_t second, const JobContext& job) {
            return shared(contrastModels(*audit, first, second, job));
        },
        &ComparePanel::showContrast);
    QObject::connect(view, &ComparePanel::modelsWanted, context.commands, &Commands::chooseModels);
    QObject::connect(view, &ComparePanel::exportRequested, context.commands, &Commands::exportCoverage);
    QObject::connect(view, &ComparePanel::inspectRequested, view, inspects(context));
    return view;
}

LinkedView* makeUseful(const PanelContext& context) {
    auto* view = new UsefulPanel(context.selection, nullptr);
    AuditSession* session = context.session;
    session->panelJobs()->answer(
        view, view, &UsefulPanel::classesWanted, PanelCatalogWords::tr("Classifying real samples"),
        [](const AuditPtr& audit, std::size_t model, const JobContext& job) {
            return shared(UsefulWhatIf(audit, model, {}, job).predictedClasses(job));
        },
        &UsefulPanel::showClasses);
    QObject::connect(view, &UsefulPanel::keptScoresWanted, session,
                     [session] { session->usefulScorer()->score(session->state()); });
    QObject::connect(view, &UsefulPanel::curveWanted, session, [session, show = context.showPanel](const QString& by) {
        show(kCurves);
        session->showUsefulCurve(by.toStdString());
    });
    return view;
}

LinkedView* makePrivate(const PanelContext& context) {
    auto* view = new PrivatePanel(context.selection, nullptr, context.pictures);
    AuditSession* session = context.session;
    session->panelJobs()->answer(view, view, &PrivatePanel::exposedWanted,
                                 PanelCatalogWords::tr("Ranking real samples by exposure"), ofModel(findExposed),
                                 &PrivatePanel::showExposed);
    QObject::connect(view, &PrivatePanel::keptScoresWanted, session,
                     [session] { session->usefulScorer()->score(session->state()); });
    QObject::connect(view, &PrivatePanel::inspectRequested, view, inspects(context));
    QObject::connect(view, &PrivatePanel::heldOutWanted, context.commands, &Commands::chooseSets);
    return view;
}

LinkedView* makeSpace(const PanelContext& context) {
    auto* view = new SpaceView(context.selection, nullptr, context.pictures);
    QObject::connect(view, &SpaceView::layoutChosen, context.session->projector(), &SpaceProjector::arrange);
    PanelJobs* jobs = context.session->panelJobs();
    jobs->answer(view, view, &SpaceView::densityWanted, PanelCatalogWords::tr("Mapping densities"), asked(planeDensity),
                 &SpaceView::showDensity);
    jobs->answer(view, view, &SpaceView::otherModelsWanted, PanelCatalogWords::tr("Placing the other models"),
                 asked(placeOtherModels), &SpaceView::showOtherModels);
    return view;
}

LinkedView* makeScores(const PanelContext& context) {
    return new ScoresPanel(context.selection, nullptr);
}

LinkedView* makeCurves(const PanelContext& context) {
    auto* view = new CurveView(context.selection, nullptr);
    AuditSession* session = context.session;
    QObject::connect(view, &CurveView::curvesWanted, session, &AuditSession::computeCurves);
    QObject::connect(session, &AuditSession::curvesStarted, view, &CurveView::awaitCurves);
    const auto showBusy = [view, session] { view->setBusy(session->jobs()->isRunning()); };
    QObject::connect(session, &AuditSession::busyChanged, view, showBusy);
    showBusy();
    QObject::connect(session, &AuditSession::curveChosen, view, &CurveView::pick);
    QObject::connect(view, &CurveView::badSamplesWanted, context.commands, &Commands::chooseBadSamples);
    return view;
}

LinkedView* makeAgreement(const PanelContext& context) {
    auto* view = new AgreementPanel(context.selection, nullptr);
    QObject::connect(view, &AgreementPanel::addRequested, context.commands, &Commands::chooseExternalScores);
    return view;
}

LinkedView* makeRuns(const PanelContext& context) {
    auto* view = new RunsPanel(context.selection, nullptr);
    QObject::connect(view, &RunsPanel::modelsWanted, context.commands, &Commands::chooseModels);
    return view;
}

QString whyNoRuns(const ViewState& state) {
    const bool isThere = !state.hasModel() || !modelRuns(*state.audit).empty();
    return isThere ? QString()
                   : PanelCatalogWords::tr("This needs models whose names differ in one number, such as gan_1000 and "
                                           "gan_2000.");
}

LinkedView* makeClasses(const PanelContext& context) {
    auto* view = new ClassesPanel(context.selection, nullptr);
    context.session->panelJobs()->answer(
        view, view, &ClassesPanel::classesWanted, PanelCatalogWords::tr("Looking at classes of nearest samples"),
        [](const AuditPtr& audit, std::size_t model, const JobContext&) {
            return shared(compareClasses(*audit, model));
        },
        &ClassesPanel::showClasses);
    view->findLater(kCountedAtOnce);
    return view;
}

QString whyNoClasses(const ViewState& state) {
    const bool isThere = !state.hasModel() || (state.audit->real->set->labels().classCount() > 0 &&
                                               state.current().set->labels().classCount() > 0);
    return isThere ? QString() : PanelCatalogWords::tr("This needs class labels of the real and the synthetic set.");
}

QString whyNoAgreement(const ViewState& state) {
    return !state.hasModel() || state.external
               ? QString()
               : PanelCatalogWords::tr(
                     "This needs a table of scores of the models from elsewhere: File, Add model scores.");
}

QString whyNoComparison(const ViewState& state) {
    const bool isThere = !state.hasModel() || state.audit->models.size() > 1;
    return isThere ? QString() : PanelCatalogWords::tr("This needs two models.");
}

QString whyNoHoles(const ViewState& state) {
    const bool isThere = !state.hasModel() || state.current().hasColumn("coverage_verdict");
    return isThere ? QString()
                   : PanelCatalogWords::tr("This needs verdicts on the real samples, which a whole audit has.");
}

LinkedView* makeDiagnostics(const PanelContext& context) {
    auto* view = new DiagnosticsPanel(context.selection, nullptr, context.pictures);
    QObject::connect(view, &DiagnosticsPanel::inspectRequested, view,
                     [show = context.showPanel](SampleId) { show(kInspector); });
    return view;
}

LinkedView* makeFeatures(const PanelContext& context) {
    return new FeaturesPanel(context.selection, nullptr);
}

LinkedView* makeInspector(const PanelContext& context) {
    auto* view = new InspectorView(context.selection, nullptr, context.pictures);
    // Later: what is written is kept when another sample comes, also in the middle of an undo.
    QObject::connect(view, &InspectorView::noteWritten, context.session->editor(), &Editor::setNote,
                     Qt::QueuedConnection);
    view->setScoresOpen(Settings().inspectorScoresOpen());
    QObject::connect(view, &InspectorView::scoresOpened, view,
                     [](bool open) { Settings().setInspectorScoresOpen(open); });
    return view;
}

} // namespace

std::vector<Panel> panelCatalog() {
    using enum PanelColumn;
    const PanelPlace main{What, 2, 0, 780, 370};
    return {
        {.id = QStringLiteral("models"),
         .title = PanelCatalogWords::tr("Models"),
         .icon = QStringLiteral("models"),
         .place = {Who, 0, 0, 270, 330},
         .make = makeModels,
         .searchWords = PanelCatalogWords::tr("models list how good is each model"),
         .question = ModelsPanel::title()},
        {.id = QStringLiteral("findings"),
         .title = PanelCatalogWords::tr("Findings"),
         .icon = QStringLiteral("warning"),
         .place = {What, 0, 0, 780, 200},
         .make = makeFindings,
         .searchWords = PanelCatalogWords::tr("findings verdict problems"),
         .question = FindingsPanel::title()},
        {.id = QStringLiteral("rules"),
         .title = PanelCatalogWords::tr("Keep"),
         .icon = QStringLiteral("rules"),
         .place = {Who, 1, 0, 270, 470},
         .make = makeRules,
         .searchWords = PanelCatalogWords::tr("rules filter reject export"),
         .question = RulesPanel::title()},
        {.id = QStringLiteral("overview"),
         .title = PanelCatalogWords::tr("Scatter"),
         .icon = QStringLiteral("scatter"),
         .place = {What, 1, 0, 390, 230},
         .make = makeOverview,
         .searchWords = PanelCatalogWords::tr("fidelity and coverage scatter of all models"),
         .question = PanelCatalogWords::tr("Realistic and diverse?")},
        {.id = QStringLiteral("distribution"),
         .title = PanelCatalogWords::tr("Distribution"),
         .icon = QStringLiteral("histogram"),
         .place = {What, 1, 1, 390, 230},
         .make = makeDistribution,
         .searchWords = PanelCatalogWords::tr("histogram fidelity coverage of each sample")},
        {.id = QStringLiteral("ranking"),
         .title = PanelCatalogWords::tr("Ranking"),
         .icon = QStringLiteral("gallery"),
         .place = main,
         .make = makeRanking,
         .searchWords = PanelCatalogWords::tr("gallery samples worst best")},
        {.id = QStringLiteral("space"),
         .title = PanelCatalogWords::tr("Space"),
         .icon = QStringLiteral("space3d"),
         .place = main,
         .make = makeSpace,
         .searchWords = PanelCatalogWords::tr("space 3D embedding, principal components, PCA, neighbours, UMAP"),
         .question = PanelCatalogWords::tr("Where do samples lie?")},
        {.id = kInspector,
         .title = PanelCatalogWords::tr("Sample"),
         .icon = QStringLiteral("inspector"),
         .place = {Why, 0, 0, 405, 800},
         .make = makeInspector,
         .searchWords = PanelCatalogWords::tr("inspector neighbours scores note"),
         .question = PanelCatalogWords::tr("Is it good, and why?")},
        {.id = QStringLiteral("scores"),
         .title = PanelCatalogWords::tr("Scores"),
         .icon = QStringLiteral("table"),
         .place = main,
         .make = makeScores,
         .searchWords = PanelCatalogWords::tr("all scores table"),
         .question = ScoresPanel::title()},
        {.id = kCurves,
         .title = PanelCatalogWords::tr("Curves"),
         .icon = QStringLiteral("curves"),
         .place = main,
         .make = makeCurves,
         .searchWords = PanelCatalogWords::tr(
             "curves discarding discard bad fraction sample size sensitivity to k trade-off alpha beta"),
         .question = CurveView::title()},
        {.id = QStringLiteral("compare"),
         .title = PanelCatalogWords::tr("Compare"),
         .icon = QStringLiteral("compare"),
         .place = main,
         .make = makeCompare,
         .searchWords = PanelCatalogWords::tr("compare two models side by side difference coverage galleries"),
         .question = ComparePanel::title(),
         .nothingToSay = whyNoComparison,
         .isOpenAtFirst = false},
        {.id = QStringLiteral("runs"),
         .title = PanelCatalogWords::tr("Runs"),
         .icon = QStringLiteral("runs"),
         .place = main,
         .make = makeRuns,
         .searchWords =
             PanelCatalogWords::tr("runs training step checkpoint epoch guidance scale truncation early late"),
         .question = RunsPanel::title(),
         .nothingToSay = whyNoRuns,
         .isOpenAtFirst = false},
        {.id = QStringLiteral("pairs"),
         .title = PanelCatalogWords::tr("Pairs"),
         .icon = QStringLiteral("pairs"),
         .place = main,
         .make = makePairs,
         .searchWords = PanelCatalogWords::tr("pairs near duplicates copies leaks mode collapse held-out"),
         .question = PairsPanel::title()},
        {.id = QStringLiteral("holes"),
         .title = PanelCatalogWords::tr("Holes"),
         .icon = QStringLiteral("holes"),
         .place = main,
         .make = makeHoles,
         .searchWords = PanelCatalogWords::tr("coverage holes missed real samples lost modes gaps"),
         .question = HolesPanel::title(),
         .nothingToSay = whyNoHoles},
        {.id = QStringLiteral("useful"),
         .title = PanelCatalogWords::tr("Useful"),
         .icon = QStringLiteral("useful"),
         .place = main,
         .make = makeUseful,
         .searchWords = PanelCatalogWords::tr(
             "useful utility accuracy classifier trained on synthetic confusion matrix classes regression"),
         .question = UsefulPanel::title(),
         .nothingToSay = UsefulPanel::whyNothing},
        {.id = QStringLiteral("private"),
         .title = PanelCatalogWords::tr("Private"),
         .icon = QStringLiteral("private"),
         .place = main,
         .make = makePrivate,
         .searchWords = PanelCatalogWords::tr(
             "private privacy membership inference attack leaks exposed training samples held-out closest record"),
         .question = PrivatePanel::title(),
         .nothingToSay = PrivatePanel::whyNothing},
        {.id = QStringLiteral("features"),
         .title = PanelCatalogWords::tr("Features"),
         .icon = QStringLiteral("features"),
         .place = main,
         .make = makeFeatures,
         .searchWords = PanelCatalogWords::tr("features columns Wasserstein distance mean standard deviation drift"),
         .question = FeaturesPanel::title()},
        {.id = QStringLiteral("diagnostics"),
         .title = PanelCatalogWords::tr("Diagnostics"),
         .icon = QStringLiteral("diagnostics"),
         .place = main,
         .make = makeDiagnostics,
         .searchWords = PanelCatalogWords::tr("diagnostics occupancy fullest balls outliers radius"),
         .question = DiagnosticsPanel::title()},
        {.id = QStringLiteral("classes"),
         .title = PanelCatalogWords::tr("Classes"),
         .icon = QStringLiteral("classes"),
         .place = main,
         .make = makeClasses,
         .searchWords = PanelCatalogWords::tr("classes labels confusion matrix heat table"),
         .question = ClassesPanel::title(),
         .nothingToSay = whyNoClasses},
        {.id = QStringLiteral("agreement"),
         .title = PanelCatalogWords::tr("Agreement"),
         .icon = QStringLiteral("agreement"),
         .place = main,
         .make = makeAgreement,
         .searchWords =
             PanelCatalogWords::tr("correlation Pearson Spearman Kendall external scores human error rate FID"),
         .question = AgreementPanel::title(),
         .nothingToSay = whyNoAgreement,
         .isOpenAtFirst = false},
    };
}

} // namespace assay
