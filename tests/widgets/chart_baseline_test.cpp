// Every chart against a stored picture: tests/widgets/baselines/. ASSAY_WRITE_BASELINES=1 stores them anew. Text is set
// in a font of blocks that comes with the tests (baselines/block_font.py), so that a machine's fonts change nothing.
#include "engine/external/external_scores.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "tests/support/published_models.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/baseline.h"
#include "tests/widgets/support/curve_window.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/judged_audit.h"
#include "tests/widgets/support/useful_audit.h"
#include "widgets/agreement/agreement_panel.h"
#include "widgets/classes/classes_panel.h"
#include "widgets/compare/compare_panel.h"
#include "widgets/compare/distribution_pair.h"
#include "widgets/distribution/histogram_view.h"
#include "widgets/features/feature_picture.h"
#include "widgets/features/features_panel.h"
#include "widgets/features/pair_picture.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/keep/keep_panel.h"
#include "widgets/keep/kept_scores.h"
#include "widgets/private/private_panel.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/runs/runs_panel.h"
#include "widgets/scatter/scatter_panel.h"
#include "widgets/scores/scores_panel.h"
#include "widgets/tables/heat_table.h"
#include "widgets/useful/useful_panel.h"

#include <QtWidgets>

#include <functional>
#include <memory>

using namespace assay;

class ChartBaselineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void looksAsStored_data();
    void looksAsStored();
    void noticesWhatIsMissing();

private:
    using Draw = std::function<QImage()>;
    static std::vector<std::pair<const char*, Draw>> charts();

    /// Of a block's mean (test::largestDifference). Qt's raster engine draws the same everywhere but for the rounding
    /// of antialiased edges, which changes a mean by less than 1. A line of one pixel is an eighth of a block: missing
    /// or moved, it changes the mean by an eighth of its contrast, more than 4 from a contrast of 32 on.
    static constexpr double kTolerance = 4.0;

    static void leaveKeyboard();
    static QImage paperOf(const std::optional<Figure>& figure);
    static QImage figureOf(Panel& view);
    static QImage pictureOf(QWidget& widget);
    static ViewState kept(const std::shared_ptr<const AuditResult>& audit, std::size_t model);
    static std::shared_ptr<const AuditResult> numbered();
    static std::shared_ptr<const AuditResult> published();
    static QImage histogram(const char* column, const ViewState& state, bool logarithmic = false);
    static QImage curves(int picked);
    static QImage agreement(bool table);
    static QImage nearestClasses();
    static QImage compared();
    static QImage privacy();
    static QImage usefulness();
    static QImage ranking();
    static QImage features();
    template <typename Picture>
    static QImage picture(const std::function<void(Picture&)>& show);
    static QImage keptBar();
};

/// Frames around what has the keyboard are on some displays alone.
void ChartBaselineTest::leaveKeyboard() {
    test::settle();
    if (QWidget* widget = QApplication::focusWidget())
        widget->clearFocus();
    test::settle();
}

/// As a paper would have it.
QImage ChartBaselineTest::paperOf(const std::optional<Figure>& figure) {
    if (!figure)
        return {};
    QImage picture(figureSize(*figure, FigureCaption::Hidden).toSize(), QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    paintFigure(painter, *figure, FigureCaption::Hidden);
    return picture;
}

QImage ChartBaselineTest::figureOf(Panel& view) {
    leaveKeyboard();
    return paperOf(view.figure());
}

/// As the window has it.
QImage ChartBaselineTest::pictureOf(QWidget& widget) {
    leaveKeyboard();
    QImage picture(widget.size(), QImage::Format_RGB32);
    picture.fill(widget.palette().color(QPalette::Window));
    widget.render(&picture);
    return picture;
}

/// The first third of the samples is rejected.
ViewState ChartBaselineTest::kept(const std::shared_ptr<const AuditResult>& audit, std::size_t model) {
    std::vector<bool> flags(audit->models[model]->set->rows(), true);
    std::fill_n(flags.begin(), flags.size() / 3, false);
    return {audit, model, std::make_shared<const std::vector<bool>>(std::move(flags))};
}

/// Runs "gan-step-1" to "gan-step-8", which get better, and "vae-step-2" to "vae-step-6".
std::shared_ptr<const AuditResult> ChartBaselineTest::numbered() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit({.models = 1}));
    const ModelAudit one = *audit->models[0];
    audit->models.clear();
    for (int run = 1; run <= 11; ++run) {
        const int step = run <= 8 ? run : 2 * (run - 8);
        auto model = std::make_shared<ModelAudit>(one);
        model->name = (run <= 8 ? "gan-step-" : "vae-step-") + std::to_string(step);
        model->intervals.clear();
        for (MetricValue& metric : model->metrics)
            if (metric.id == std::string_view("clipped_coverage") || metric.id == std::string_view("clipped_density")) {
                metric.value = (run <= 8 ? 1.0 : 0.7) - 0.8 / step;
                model->intervals.push_back({metric.id, metric.value - 0.06, metric.value + 0.04});
            }
        audit->models.push_back(std::move(model));
    }
    return audit;
}

/// The fake audit with the published models in the place of its own.
std::shared_ptr<const AuditResult> ChartBaselineTest::published() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    const ModelAudit base = *audit->models.front();
    audit->models.clear();
    for (const test::PublishedModel& one : test::kPublishedModels) {
        auto model = std::make_shared<ModelAudit>(base);
        model->name = one.name;
        model->metrics = {
            {"precision", one.precision}, {"recall", one.recall}, {"density", one.density}, {"coverage", one.coverage}};
        audit->models.push_back(std::move(model));
    }
    return audit;
}

QImage ChartBaselineTest::histogram(const char* column, const ViewState& state, bool logarithmic) {
    SampleSelection selection;
    test::TestHost host(&selection);
    HistogramView view(column, host);
    view.resize(380, 240);
    view.showState(state);
    view.setLook({.logarithmic = logarithmic, .cumulative = false, .outlined = true});
    view.show();
    if (state.kept) // selected samples are outlined
        selection.replace(SampleSet::all(syntheticSet(state.model), state.kept->size() / 2));
    return pictureOf(view);
}

QImage ChartBaselineTest::curves(int picked) {
    test::CurveWindow window({test::auditWith(2), 0, nullptr}, {520, 320});
    window.pick(picked);
    return figureOf(window.view);
}

QImage ChartBaselineTest::agreement(bool table) {
    ExternalScores scores{"table11.csv", {}, {"human error rate", "FD"}, {}};
    for (const test::PublishedModel& model : test::kPublishedModels)
        scores.rows.push_back({model.name, {model.humanErrorRate, model.frechetDistance}});
    ViewState state{published(), 0, nullptr};
    state.external = std::make_shared<const ExternalScores>(std::move(scores));
    test::ShownView<AgreementPanel> window(state, {820, 360});
    return table ? pictureOf(*window.view.findChild<HeatTable*>()) : figureOf(window.view);
}

QImage ChartBaselineTest::nearestClasses() {
    test::ShownView<ClassesPanel> window({test::usefulAudit(), 1, nullptr}, {560, 320});
    window.view.findChild<QComboBox*>("classesPicker")->setCurrentIndex(1);
    return figureOf(window.view);
}

QImage ChartBaselineTest::compared() {
    test::ShownView<ComparePanel> window(ViewState(), {900, 560});
    window.view.showState({test::fakeAudit(), 0, nullptr});
    return figureOf(window.view);
}

QImage ChartBaselineTest::privacy() {
    test::ShownView<PrivatePanel> window({test::usefulAudit(), 1, nullptr}, {640, 360});
    return figureOf(window.view);
}

QImage ChartBaselineTest::usefulness() {
    test::ShownView<UsefulPanel> window(ViewState(), {640, 320});
    window.view.showState({test::usefulAudit(), 1, nullptr});
    return figureOf(window.view);
}

/// The gallery, ranked by PCE.
QImage ChartBaselineTest::ranking() {
    test::ShownView<RankingView> window({test::fakeAudit(), 2, nullptr}, {640, 320});
    window.view.model()->setOrder({"pce", Qt::DescendingOrder});
    if (!QTest::qWaitFor([&] { return !window.view.model()->isListing(); }))
        return {};
    return pictureOf(*window.view.findChild<SampleGrid*>(QStringLiteral("rankingGallery"))->viewport());
}

QImage ChartBaselineTest::features() {
    test::ShownView<FeaturesPanel> window({test::judgedAudit(4), 0, nullptr}, {640, 240});
    return pictureOf(*window.view.findChild<QTableView*>("featuresTable")->viewport());
}

template <typename Picture>
QImage ChartBaselineTest::picture(const std::function<void(Picture&)>& show) {
    SampleSelection selection;
    Picture picture(&selection, nullptr);
    picture.resize(360, 240);
    show(picture);
    picture.show();
    leaveKeyboard();
    return paperOf(picture.figure());
}

QImage ChartBaselineTest::keptBar() {
    test::ShownView<KeepPanel> window(kept(test::fakeAudit(), 0), {300, 500});
    return pictureOf(*window.view.findChild<KeptBar*>());
}

std::vector<std::pair<const char*, ChartBaselineTest::Draw>> ChartBaselineTest::charts() {
    return {{"chart-scatter",
             [] {
                 test::ShownView<ScatterPanel> window({test::fakeAudit(), 1, nullptr}, {420, 320});
                 return figureOf(window.view);
             }},
            {"chart-runs",
             [] {
                 test::ShownView<RunsPanel> window({numbered(), 2, nullptr}, {560, 360});
                 return figureOf(window.view);
             }},
            {"chart-histogram",
             [] {
                 return histogram("fidelity", {test::judgedAudit(4), 0, nullptr});
             }},
            {"chart-histogram-decided", [] { return histogram("pce", kept(test::judgedAudit(4), 0)); }},
            {"chart-histogram-logarithmic",
             [] {
                 return histogram("nearest_real_distance", {test::fakeAudit(), 2, nullptr}, true);
             }},
            {"chart-curve", [] { return curves(0); }},
            {"chart-curve-band", [] { return curves(1); }},
            {"chart-agreement", [] { return agreement(false); }},
            {"chart-agreement-table", [] { return agreement(true); }},
            {"chart-nearest-classes", nearestClasses},
            {"chart-compare", compared},
            {"chart-private", privacy},
            {"chart-useful", usefulness},
            {"chart-ranking", ranking},
            {"chart-features", features},
            {"chart-feature",
             [] {
                 return picture<FeaturePicture>([](FeaturePicture& shown) {
                     shown.showBars({test::judgedAudit(4), 0, nullptr},
                                    FeaturePicture::barsOf({test::judgedAudit(4), 0, nullptr}, 1));
                 });
             }},
            {"chart-feature-pair",
             [] {
                 return picture<PairPicture>([](PairPicture& shown) {
                     shown.showPair({test::judgedAudit(4), 0, nullptr}, 0, 1);
                 });
             }},
            {"chart-kept", keptBar}};
}

void ChartBaselineTest::initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(QPalette(QColor(240, 240, 240)));
    for (const char* face : {"block", "block-bold"}) // bold, too, that no library makes it up
        QVERIFY(QFontDatabase::addApplicationFont(
                    QStringLiteral(ASSAY_SOURCE_DIR "/tests/widgets/baselines/%1.ttf").arg(QLatin1String(face))) >= 0);
    QFont font(QStringLiteral("Assay Block"));
    // Whatever the machine's fontconfig wants.
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(
        static_cast<QFont::StyleStrategy>(QFont::PreferAntialias | QFont::NoSubpixelAntialias | QFont::NoFontMerging));
    constexpr double kPixels = 12.0; // whatever the display's resolution
    font.setPointSizeF(kPixels * 72.0 / QGuiApplication::primaryScreen()->logicalDotsPerInch());
    QApplication::setFont(font);
    QCOMPARE(QFontInfo(font).family(), QString("Assay Block"));
}

void ChartBaselineTest::looksAsStored_data() {
    QTest::addColumn<std::size_t>("chart");
    std::size_t at = 0;
    for (const auto& [name, draw] : charts())
        QTest::newRow(name) << at++;
}

void ChartBaselineTest::looksAsStored() {
    QFETCH(std::size_t, chart);
    const QImage picture = charts()[chart].second();
    QVERIFY(!picture.isNull());
    const QString wrong = test::differenceFromBaseline(picture, QString::fromUtf8(QTest::currentDataTag()), kTolerance);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// The comparison is not blind: the same chart is equal, and one of other samples, or with one line more, is not.
void ChartBaselineTest::noticesWhatIsMissing() {
    const ViewState state{test::judgedAudit(4), 0, nullptr};
    const QImage all = histogram("fidelity", state);
    QVERIFY(test::largestDifference(all, histogram("fidelity", state)) <= kTolerance);
    QVERIFY(test::largestDifference(all, histogram("fidelity", kept(state.audit, 0))) > 2 * kTolerance);
    QImage lined = all;
    QPainter painter(&lined);
    painter.setPen(Qt::gray);
    painter.drawLine(100, 60, 140, 60);
    painter.end();
    QVERIFY(test::largestDifference(all, lined) > kTolerance);
    if (!qEnvironmentVariableIsSet("ASSAY_WRITE_BASELINES"))
        QVERIFY(test::differenceFromBaseline(all, QStringLiteral("no-such-chart"), kTolerance)
                    .startsWith(QLatin1String("no baseline")));
}

ASSAY_TEST(chart_baseline_test, ChartBaselineTest)
#include "chart_baseline_test.moc"
