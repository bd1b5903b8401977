#include "gui/window/panel_catalog.h"

#include "widgets/agreement/agreement_panel.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/compare/compare_panel.h"
#include "widgets/curves/curve_view.h"
#include "widgets/diagnostics/diagnostics_panel.h"
#include "widgets/distribution/distribution_panel.h"
#include "widgets/features/features_panel.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/holes/holes_panel.h"
#include "widgets/keep/keep_panel.h"
#include "widgets/models/models_panel.h"
#include "widgets/pairs/pairs_panel.h"
#include "widgets/private/private_panel.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/runs/runs_chart.h"
#include "widgets/runs/runs_panel.h"
#include "widgets/sample/sample_panel.h"
#include "widgets/scatter/scatter_panel.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/space/view/space_view.h"
#include "widgets/useful/useful_panel.h"

namespace assay {
namespace {

/// Most panels are tabs of one place in the middle. @param row what is not as usual: else its icon is named as it is
template <class T>
PanelRow row(const char* id, const char* key, const QString& title, const QString& searchWords, PanelRow row) {
    row.id = QLatin1String(id);
    row.key = QLatin1String(key);
    row.title = title;
    row.searchWords = searchWords;
    if (row.icon.isEmpty())
        row.icon = row.id;
    row.make = [](PanelHost& host) -> Panel* { return new T(host); };
    return row;
}

QString whyNoRuns(const ViewState& state) {
    return !state.hasModel() || !modelRuns(*state.audit).empty()
               ? QString()
               : Panel::tr("This needs models whose names differ in one number, such as gan_1000 and "
                           "gan_2000.");
}

QString whyNoClasses(const ViewState& state) {
    const bool isThere = !state.hasModel() || (state.audit->real->set->labels().classCount() > 0 &&
                                               state.current().set->labels().classCount() > 0);
    return isThere ? QString() : Panel::tr("This needs class labels of the real and the synthetic set.");
}

QString whyNoAgreement(const ViewState& state) {
    return !state.hasModel() || state.external
               ? QString()
               : Panel::tr("This needs a table of scores of the models from elsewhere: File, Add model scores.");
}

QString whyNoComparison(const ViewState& state) {
    const bool isThere = !state.hasModel() || state.audit->models.size() > 1;
    return isThere ? QString() : Panel::tr("This needs two models.");
}

QString whyNoHoles(const ViewState& state) {
    const bool isThere = !state.hasModel() || state.current().hasColumn("coverage_verdict");
    return isThere ? QString() : Panel::tr("This needs verdicts on the real samples, which a whole audit has.");
}

} // namespace

std::vector<PanelRow> panelCatalog() {
    using enum PanelColumn;
    return {
        row<ModelsPanel>("models", "Alt+1", Panel::tr("Models"), Panel::tr("models list how good is each model"),
                         {.place = {Who, 0, 0, 270, 330}, .question = ModelsPanel::title()}),
        row<FindingsPanel>("findings", "Alt+2", Panel::tr("Findings"), Panel::tr("findings verdict problems"),
                           {.icon = "warning", .place = {What, 0, 0, 780, 200}, .question = FindingsPanel::title()}),
        row<KeepPanel>("keep", "Alt+3", Panel::tr("Keep"), Panel::tr("rules filter reject export"),
                       {.place = {Who, 1, 0, 270, 470}, .question = KeepPanel::title()}),
        row<ScatterPanel>("scatter", "Alt+4", Panel::tr("Scatter"),
                          Panel::tr("fidelity and coverage scatter of all models"),
                          {.place = {What, 1, 0, 390, 230}, .question = Panel::tr("Realistic and diverse?")}),
        row<DistributionPanel>("distribution", "Alt+5", Panel::tr("Distribution"),
                               Panel::tr("histogram fidelity coverage of each sample"),
                               {.icon = "histogram", .place = {What, 1, 1, 390, 230}}),
        row<RankingView>("ranking", "Alt+6", Panel::tr("Ranking"), Panel::tr("gallery samples worst best"),
                         {.icon = "gallery"}),
        row<SpaceView>("space", "Alt+7", Panel::tr("Space"),
                       Panel::tr("space 3D embedding, principal components, PCA, neighbours, UMAP"),
                       {.icon = "space3d", .question = Panel::tr("Where do samples lie?")}),
        row<SamplePanel>("sample", "Alt+8", Panel::tr("Sample"), Panel::tr("inspector neighbours scores note"),
                         {.place = {Why, 0, 0, 405, 800}, .question = Panel::tr("Is it good, and why?")}),
        row<ScoresPanel>("scores", "Alt+9", Panel::tr("Scores"), ScoresPanel::searchWords(),
                         {.icon = "table", .question = ScoresPanel::title()}),
        row<CurveView>(
            "curves", "Alt+0", Panel::tr("Curves"),
            Panel::tr("curves discarding discard bad fraction sample size sensitivity to k trade-off alpha beta"),
            {.question = CurveView::title()}),
        row<ComparePanel>(
            "compare", "Alt+Shift+1", Panel::tr("Compare"),
            Panel::tr("compare two models side by side difference coverage galleries"),
            {.question = ComparePanel::title(), .unavailableReason = whyNoComparison, .isOpenAtFirst = false}),
        row<RunsPanel>("runs", "Alt+Shift+2", Panel::tr("Runs"),
                       Panel::tr("runs training step checkpoint epoch guidance scale truncation early late"),
                       {.question = RunsPanel::title(), .unavailableReason = whyNoRuns, .isOpenAtFirst = false}),
        row<PairsPanel>("pairs", "Alt+Shift+3", Panel::tr("Pairs"),
                        Panel::tr("pairs near duplicates copies leaks mode collapse held-out"),
                        {.question = PairsPanel::title()}),
        row<HolesPanel>("holes", "Alt+Shift+4", Panel::tr("Holes"),
                        Panel::tr("coverage holes missed real samples lost modes gaps"),
                        {.question = HolesPanel::title(), .unavailableReason = whyNoHoles}),
        row<UsefulPanel>(
            "useful", "Alt+Shift+5", Panel::tr("Useful"),
            Panel::tr("useful utility accuracy classifier trained on synthetic confusion matrix classes regression"),
            {.question = UsefulPanel::title(), .unavailableReason = UsefulPanel::whyNothing}),
        row<PrivatePanel>(
            "private", "Alt+Shift+6", Panel::tr("Private"),
            Panel::tr(
                "private privacy membership inference attack leaks exposed training samples held-out closest record"),
            {.question = PrivatePanel::title(), .unavailableReason = PrivatePanel::whyNothing}),
        row<FeaturesPanel>("features", "Alt+Shift+7", Panel::tr("Features"),
                           Panel::tr("features columns Wasserstein distance mean standard deviation drift"),
                           {.question = FeaturesPanel::title()}),
        row<DiagnosticsPanel>("diagnostics", "Alt+Shift+8", Panel::tr("Diagnostics"),
                              Panel::tr("diagnostics occupancy fullest balls outliers radius"),
                              {.question = DiagnosticsPanel::title()}),
        row<ClassesPanel>("classes", "Alt+Shift+9", Panel::tr("Classes"),
                          Panel::tr("classes labels confusion matrix heat table"),
                          {.question = ClassesPanel::title(), .unavailableReason = whyNoClasses}),
        row<AgreementPanel>(
            "agreement", "Alt+Shift+0", Panel::tr("Agreement"),
            Panel::tr("correlation Pearson Spearman Kendall external scores human error rate FID"),
            {.question = AgreementPanel::title(), .unavailableReason = whyNoAgreement, .isOpenAtFirst = false}),
    };
}

} // namespace assay
