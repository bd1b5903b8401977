#include "gui/window/panel_catalog.h"

#include "gui/jobs/pair_finder.h"
#include "gui/jobs/picture_loader.h"
#include "gui/jobs/sample_lister.h"
#include "gui/session/audit_session.h"
#include "gui/session/review.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/curves/curve_view.h"
#include "widgets/diagnostics/diagnostics_panel.h"
#include "widgets/features/features_panel.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/histogram/histogram_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/link/sample_selection.h"
#include "widgets/models/fidelity_coverage_chart.h"
#include "widgets/models/models_panel.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/rules/rules_panel.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/space/space_view.h"

#include <QCoreApplication>

namespace assay {
namespace {

const QString kInspector = QStringLiteral("inspector");
/// Samples that are ranked within a few milliseconds, and need no thread.
constexpr std::size_t kRankedAtOnce = 20'000;

/// Translation context of this file's texts.
struct PanelCatalogWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PanelCatalog)
};

LinkedView* makeModels(const PanelContext& context) {
    return new ModelsPanel(context.selection, nullptr);
}

LinkedView* makeFindings(const PanelContext& context) {
    auto* view = new FindingsPanel(context.selection, nullptr);
    QObject::connect(view, &FindingsPanel::rulesWanted, context.session, &AuditSession::addRules);
    return view;
}

LinkedView* makeRules(const PanelContext& context) {
    auto* view = new RulesPanel(context.selection, nullptr);
    AuditSession* session = context.session;
    view->setRules(session->rules());
    QObject::connect(session, &AuditSession::rulesChanged, view, &RulesPanel::setRules);
    QObject::connect(view, &RulesPanel::rulesEdited, session, &AuditSession::setRules);
    QObject::connect(view, &RulesPanel::exportRequested, view, context.exportSamples);
    QObject::connect(view, &RulesPanel::loadRequested, view, context.loadRules);
    QObject::connect(view, &RulesPanel::saveRequested, view, context.saveRules);
    QObject::connect(view, &RulesPanel::proposalRequested, view, context.proposeRemoval);
    KeptScorer* scorer = session->keptScorer();
    view->showState(session->state());
    QObject::connect(view, &RulesPanel::protectRequested, session,
                     [session](const SampleSet& samples) { session->judge(samples, HandVerdict::Accepted); });
    const auto catchUp = [view, scorer] {
        view->showScores(scorer->scores());
        view->showRandomScores(scorer->randomScores());
        view->showAudits(scorer->audits());
        view->showLost(scorer->lost());
    };
    catchUp();
    QObject::connect(scorer, &KeptScorer::auditsChanged, view, &RulesPanel::showAudits);
    QObject::connect(scorer, &KeptScorer::lostChanged, view, &RulesPanel::showLost);
    QObject::connect(scorer, &KeptScorer::scoresChanged, view, &RulesPanel::showScores);
    QObject::connect(scorer, &KeptScorer::randomScoresChanged, view, &RulesPanel::showRandomScores);
    QObject::connect(view, &LinkedView::caughtUp, view, catchUp);
    return view;
}

LinkedView* makeOverview(const PanelContext& context) {
    auto* view = new FidelityCoverageChart(context.selection, nullptr);
    KeptScorer* scorer = context.session->keptScorer();
    view->showState(context.session->state());
    view->showScores(scorer->scores());
    QObject::connect(scorer, &KeptScorer::scoresChanged, view, &FidelityCoverageChart::showScores);
    QObject::connect(view, &LinkedView::caughtUp, view, [view, scorer] { view->showScores(scorer->scores()); });
    return view;
}

LinkedView* makeFidelityHistogram(const PanelContext& context) {
    return new HistogramView("fidelity", context.selection, nullptr);
}

LinkedView* makeCoverageHistogram(const PanelContext& context) {
    return new HistogramView("coverage", context.selection, nullptr);
}

LinkedView* makeRanking(const PanelContext& context) {
    auto* view = new RankingView(context.selection, nullptr, context.pictures);
    view->setWindowTitle(view->currentTitle());
    auto* lister = new SampleLister(view);
    QObject::connect(view->model(), &RankingModel::listingWanted, lister, &SampleLister::list);
    QObject::connect(lister, &SampleLister::listed, view->model(), &RankingModel::showListing);
    view->model()->listLater(kRankedAtOnce);
    context.review->setRanking(view->model());
    QObject::connect(view, &RankingView::currentTitleChanged, view, &QWidget::setWindowTitle);
    QObject::connect(view, &RankingView::inspectRequested, view,
                     [selection = context.selection, show = context.showPanel](SampleId sample) {
                         selection->select(sample);
                         show(kInspector);
                     });
    return view;
}

LinkedView* makePairs(const PanelContext& context) {
    auto* heldOut = new PictureLoader; // no sample of the audit is in the held-out set
    auto* view = new PairsPanel(context.selection, nullptr, context.pictures, heldOut->pictures());
    heldOut->setParent(view);
    auto* finder = new PairFinder(view);
    QObject::connect(view, &PairsPanel::pairsWanted, finder, &PairFinder::find);
    QObject::connect(finder, &PairFinder::found, view, &PairsPanel::showPairs);
    QObject::connect(view, &PairsPanel::inspectRequested, view,
                     [selection = context.selection, show = context.showPanel](SampleId sample) {
                         selection->select(sample);
                         show(kInspector);
                     });
    return view;
}

LinkedView* makeSpace(const PanelContext& context) {
    auto* view = new SpaceView(context.selection);
    SpaceProjector* projector = context.session->projector();
    view->showState(context.session->state());
    view->showArrangement(projector->arrangement());
    view->showPoints(projector->points());
    QObject::connect(projector, &SpaceProjector::pointsChanged, view, &SpaceView::showPoints);
    QObject::connect(view, &LinkedView::caughtUp, view, [view, projector] { view->showPoints(projector->points()); });
    QObject::connect(projector, &SpaceProjector::arrangementChanged, view, &SpaceView::showArrangement);
    QObject::connect(view, &SpaceView::arrangementChosen, projector, &SpaceProjector::arrange);
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
    QObject::connect(view, &CurveView::badSamplesWanted, view, context.chooseBadSamples);
    return view;
}

LinkedView* makeClasses(const PanelContext& context) {
    return new ClassesPanel(context.selection, nullptr);
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
    QObject::connect(view, &InspectorView::noteWritten, context.session, &AuditSession::setNote, Qt::QueuedConnection);
    return view;
}

} // namespace

std::vector<Panel> panelCatalog() {
    using enum PanelColumn;
    return {
        {QStringLiteral("models"),
         PanelCatalogWords::tr("How good is each model?"),
         QStringLiteral("models"),
         {Who, 0, 0, 300, 320},
         makeModels,
         PanelCatalogWords::tr("models list")},
        {QStringLiteral("findings"),
         FindingsPanel::title(),
         QStringLiteral("warning"),
         {Why, 0, 0, 340, 300},
         makeFindings,
         PanelCatalogWords::tr("findings verdict problems")},
        {QStringLiteral("rules"),
         PanelCatalogWords::tr("What to keep?"),
         QStringLiteral("rules"),
         {Who, 1, 0, 300, 510},
         makeRules,
         PanelCatalogWords::tr("rules filter reject export")},
        {QStringLiteral("overview"),
         PanelCatalogWords::tr("Realistic and diverse?"),
         QStringLiteral("scatter"),
         {What, 0, 0, 300, 330},
         makeOverview,
         PanelCatalogWords::tr("fidelity and coverage scatter of all models")},
        {QStringLiteral("fidelity"),
         HistogramView::title("fidelity"),
         QStringLiteral("histogram"),
         {What, 0, 1, 270, 330},
         makeFidelityHistogram},
        {QStringLiteral("coverage"),
         HistogramView::title("coverage"),
         QStringLiteral("histogram"),
         {What, 0, 2, 270, 330},
         makeCoverageHistogram},
        {QStringLiteral("ranking"),
         PanelCatalogWords::tr("Ranking"),
         QStringLiteral("gallery"),
         {What, 1, 0, 840, 500},
         makeRanking},
        {QStringLiteral("space"),
         PanelCatalogWords::tr("Where do samples lie?"),
         QStringLiteral("space3d"),
         {What, 1, 0, 840, 500},
         makeSpace,
         PanelCatalogWords::tr("space 3D embedding, principal components, PCA, neighbours, UMAP")},
        {kInspector,
         PanelCatalogWords::tr("Why this score?"),
         QStringLiteral("inspector"),
         {Why, 1, 0, 340, 530},
         makeInspector,
         PanelCatalogWords::tr("inspector neighbours scores note")},
        {QStringLiteral("scores"),
         ScoresPanel::title(),
         QStringLiteral("table"),
         {What, 1, 0, 840, 500},
         makeScores,
         PanelCatalogWords::tr("all scores table")},
        {QStringLiteral("curves"),
         CurveView::title(),
         QStringLiteral("curves"),
         {What, 1, 0, 840, 500},
         makeCurves,
         PanelCatalogWords::tr(
             "curves discarding discard bad fraction sample size sensitivity to k trade-off alpha beta")},
        {QStringLiteral("classes"),
         ClassesPanel::title(),
         QStringLiteral("classes"),
         {What, 1, 0, 840, 500},
         makeClasses},
        {QStringLiteral("pairs"),
         PairsPanel::title(),
         QStringLiteral("pairs"),
         {What, 1, 0, 840, 500},
         makePairs,
         PanelCatalogWords::tr("pairs near duplicates copies leaks mode collapse held-out")},
        {QStringLiteral("diagnostics"),
         DiagnosticsPanel::title(),
         QStringLiteral("diagnostics"),
         {What, 1, 0, 840, 500},
         makeDiagnostics,
         PanelCatalogWords::tr("diagnostics occupancy fullest balls outliers radius")},
        {QStringLiteral("features"),
         FeaturesPanel::title(),
         QStringLiteral("features"),
         {What, 1, 0, 840, 500},
         makeFeatures,
         PanelCatalogWords::tr("features columns Wasserstein distance mean standard deviation drift")},
    };
}

} // namespace assay
