#include "gui/window/panel_catalog.h"

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
#include "widgets/models/fidelity_coverage_chart.h"
#include "widgets/models/models_panel.h"
#include "widgets/models/runs_chart.h"
#include "widgets/models/runs_panel.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/privacy/private_panel.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/rules/rules_panel.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/space/view/space_view.h"
#include "widgets/useful/useful_panel.h"

#include <QCoreApplication>

#include <memory>
#include <utility>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct PanelCatalogWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PanelCatalog)
};

template <class T>
Panel* make(PanelHost& host) {
    return new T(host);
}

QString whyNoRuns(const ViewState& state) {
    const bool isThere = !state.hasModel() || !runsOf(state).empty();
    return isThere ? QString()
                   : PanelCatalogWords::tr("This needs models whose names differ in one number, such as gan_1000 and "
                                           "gan_2000.");
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

   } // namespace

std::vector<PanelRow> panelCatalog() {
    using enum PanelColumn;
    const PanelPlace main{What, 2, 0, 780, 370};
    return {
        {.id = QStringLiteral("models"),
         .title = PanelCatalogWords::tr("Models"),
         .icon = QStringLiteral("models"),
         .place = {Who, 0, 0, 270, 330},
         .make = make<ModelsPanel>,
         .searchWords = PanelCatalogWords::tr("models list how good is each model"),
         .question = ModelsPanel::title(),
         .key = QStringLiteral("Alt+1")},
        {.id = QStringLiteral("findings"),
         .title = PanelCatalogWords::tr("Findings"),
         .icon = QStringLiteral("warning"),
         .place = {What, 0, 0, 780, 200},
         .make = make<FindingsPanel>,
         .searchWords = PanelCatalogWords::tr("findings verdict problems"),
         .question = FindingsPanel::title(),
         .key = QStringLiteral("Alt+2")},
        {.id = QStringLiteral("rules"),
         .title = PanelCatalogWords::tr("Keep"),
         .icon = QStringLiteral("rules"),
         .place = {Who, 1, 0, 270, 470},
         .make = make<RulesPanel>,
         .searchWords = PanelCatalogWords::tr("rules filter reject export"),
         .question = RulesPanel::title(),
         .key = QStringLiteral("Alt+3")},
        {.id = QStringLiteral("overview"),
         .title = PanelCatalogWords::tr("Scatter"),
         .icon = QStringLiteral("scatter"),
         .place = {What, 1, 0, 390, 230},
         .make = make<FidelityCoverageChart>,
         .searchWords = PanelCatalogWords::tr("fidelity and coverage scatter of all models"),
         .question = PanelCatalogWords::tr("Realistic and diverse?"),
         .key = QStringLiteral("Alt+4")},
        {.id = QStringLiteral("distribution"),
         .title = PanelCatalogWords::tr("Distribution"),
         .icon = QStringLiteral("histogram"),
         .place = {What, 1, 1, 390, 230},
         .make = make<DistributionPanel>,
         .searchWords = PanelCatalogWords::tr("histogram fidelity coverage of each sample"),
         .key = QStringLiteral("Alt+5")},
        {.id = QStringLiteral("ranking"),
         .title = PanelCatalogWords::tr("Ranking"),
         .icon = QStringLiteral("gallery"),
         .place = main,
         .make = make<RankingView>,
         .searchWords = PanelCatalogWords::tr("gallery samples worst best"),
         .key = QStringLiteral("Alt+6")},
        {.id = QStringLiteral("space"),
         .title = PanelCatalogWords::tr("Space"),
         .icon = QStringLiteral("space3d"),
         .place = main,
         .make = make<SpaceView>,
         .searchWords = PanelCatalogWords::tr("space 3D embedding, principal components, PCA, neighbours, UMAP"),
         .question = PanelCatalogWords::tr("Where do samples lie?"),
         .key = QStringLiteral("Alt+7")},
        {.id = QStringLiteral("inspector"),
         .title = PanelCatalogWords::tr("Sample"),
         .icon = QStringLiteral("inspector"),
         .place = {Why, 0, 0, 405, 800},
         .make = make<InspectorView>,
         .searchWords = PanelCatalogWords::tr("inspector neighbours scores note"),
         .question = PanelCatalogWords::tr("Is it good, and why?"),
         .key = QStringLiteral("Alt+8")},
        {.id = QStringLiteral("scores"),
         .title = PanelCatalogWords::tr("Scores"),
         .icon = QStringLiteral("table"),
         .place = main,
         .make = make<ScoresPanel>,
         .searchWords = PanelCatalogWords::tr("all scores table"),
         .question = ScoresPanel::title(),
         .key = QStringLiteral("Alt+9")},
        {.id = QStringLiteral("curves"),
         .title = PanelCatalogWords::tr("Curves"),
         .icon = QStringLiteral("curves"),
         .place = main,
         .make = make<CurveView>,
         .searchWords = PanelCatalogWords::tr(
             "curves discarding discard bad fraction sample size sensitivity to k trade-off alpha beta"),
         .question = CurveView::title(),
         .key = QStringLiteral("Alt+0")},
        {.id = QStringLiteral("compare"),
         .title = PanelCatalogWords::tr("Compare"),
         .icon = QStringLiteral("compare"),
         .place = main,
         .make = make<ComparePanel>,
         .searchWords = PanelCatalogWords::tr("compare two models side by side difference coverage galleries"),
         .question = ComparePanel::title(),
         .key = QStringLiteral("Alt+Shift+1"),
         .unavailableReason = whyNoComparison,
         .isOpenAtFirst = false},
        {.id = QStringLiteral("runs"),
         .title = PanelCatalogWords::tr("Runs"),
         .icon = QStringLiteral("runs"),
         .place = main,
         .make = make<RunsPanel>,
         .searchWords =
             PanelCatalogWords::tr("runs training step checkpoint epoch guidance scale truncation early late"),
         .question = RunsPanel::title(),
         .key = QStringLiteral("Alt+Shift+2"),
         .unavailableReason = whyNoRuns,
         .isOpenAtFirst = false},
        {.id = QStringLiteral("pairs"),
         .title = PanelCatalogWords::tr("Pairs"),
         .icon = QStringLiteral("pairs"),
         .place = main,
         .make = make<PairsPanel>,
         .searchWords = PanelCatalogWords::tr("pairs near duplicates copies leaks mode collapse held-out"),
         .question = PairsPanel::title(),
         .key = QStringLiteral("Alt+Shift+3")},
        {.id = QStringLiteral("holes"),
         .title = PanelCatalogWords::tr("Holes"),
         .icon = QStringLiteral("holes"),
         .place = main,
         .make = make<HolesPanel>,
         .searchWords = PanelCatalogWords::tr("coverage holes missed real samples lost modes gaps"),
         .question = HolesPanel::title(),
         .key = QStringLiteral("Alt+Shift+4"),
         .unavailableReason = whyNoHoles},
        {.id = QStringLiteral("useful"),
         .title = PanelCatalogWords::tr("Useful"),
         .icon = QStringLiteral("useful"),
         .place = main,
         .make = make<UsefulPanel>,
         .searchWords = PanelCatalogWords::tr(
             "useful utility accuracy classifier trained on synthetic confusion matrix classes regression"),
         .question = UsefulPanel::title(),
         .key = QStringLiteral("Alt+Shift+5"),
         .unavailableReason = UsefulPanel::whyNothing},
        {.id = QStringLiteral("private"),
         .title = PanelCatalogWords::tr("Private"),
         .icon = QStringLiteral("private"),
         .place = main,
         .make = make<PrivatePanel>,
         .searchWords = PanelCatalogWords::tr(
             "private privacy membership inference attack leaks exposed training samples held-out closest record"),
         .question = PrivatePanel::title(),
         .key = QStringLiteral("Alt+Shift+6"),
         .unavailableReason = PrivatePanel::whyNothing},
        {.id = QStringLiteral("features"),
         .title = PanelCatalogWords::tr("Features"),
         .icon = QStringLiteral("features"),
         .place = main,
         .make = make<FeaturesPanel>,
         .searchWords = PanelCatalogWords::tr("features columns Wasserstein distance mean standard deviation drift"),
         .question = FeaturesPanel::title(),
         .key = QStringLiteral("Alt+Shift+7")},
        {.id = QStringLiteral("diagnostics"),
         .title = PanelCatalogWords::tr("Diagnostics"),
         .icon = QStringLiteral("diagnostics"),
         .place = main,
         .make = make<DiagnosticsPanel>,
         .searchWords = PanelCatalogWords::tr("diagnostics occupancy fullest balls outliers radius"),
         .question = DiagnosticsPanel::title(),
         .key = QStringLiteral("Alt+Shift+8")},
        {.id = QStringLiteral("classes"),
         .title = PanelCatalogWords::tr("Classes"),
         .icon = QStringLiteral("classes"),
         .place = main,
         .make = make<ClassesPanel>,
         .searchWords = PanelCatalogWords::tr("classes labels confusion matrix heat table"),
         .question = ClassesPanel::title(),
         .key = QStringLiteral("Alt+Shift+9"),
         .unavailableReason = whyNoClasses},
        {.id = QStringLiteral("agreement"),
         .title = PanelCatalogWords::tr("Agreement"),
         .icon = QStringLiteral("agreement"),
         .place = main,
         .make = make<AgreementPanel>,
         .searchWords =
             PanelCatalogWords::tr("correlation Pearson Spearman Kendall external scores human error rate FID"),
         .question = AgreementPanel::title(),
         .key = QStringLiteral("Alt+Shift+0"),
         .unavailableReason = whyNoAgreement,
         .isOpenAtFirst = false},
    };
}

} // namespace assay
