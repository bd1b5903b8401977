// Pairs, categories and missing values of a table, and the pictures of features, with mouse and keyboard.
#include "engine/metrics/features/table_differences.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/charts/plot.h"
#include "widgets/features/feature_picture.h"
#include "widgets/features/feature_tables.h"
#include "widgets/features/features_panel.h"
#include "widgets/features/pair_picture.h"
#include "widgets/features/picture_heading.h"

#include <QtWidgets>

#include <numeric>
#include <random>

using namespace assay;

namespace {

constexpr std::size_t kRows = 400;
constexpr std::uint32_t kAge = 0, kTenure = 1;

PreparationPtr tablePreparation() {
    auto preparation = std::make_shared<ValuePreparation>();
    preparation->isTable = true;
    preparation->missing = Missing::Indicate;
    preparation->oneHot = true;
    preparation->scaling = Scaling::ZScore;
    preparation->mean = {40.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    preparation->spread = {10.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    preparation->categories = {{2, "job", {"clerk", "cook", "sailor"}}};
    preparation->filled = {{kAge, 38.0}};
    return preparation;
}

/// Tenure goes with age in the real set alone; the model has robots in place of sailors, and every tenth age is
/// missing.
std::shared_ptr<const EmbeddingSet> people(bool real) {
    std::mt19937 random(real ? 1 : 2);
    std::normal_distribution<float> normal;
    EmbeddingParts parts;
    parts.rows = kRows;
    parts.dim = 7;
    std::vector<float> values;
    for (std::size_t r = 0; r < kRows; ++r) {
        const bool missing = !real && r % 10 == 0;
        const float age = normal(random);
        const float tenure = (real ? 0.9F * age : 0.0F) + 0.4F * normal(random);
        const std::size_t job = r % 4 < 2 ? 0 : r % 4 == 2 ? 1 : real ? 2 : 3;
        values.insert(values.end(), {missing ? -0.2F : age, tenure});
        for (std::size_t j = 0; j < 4; ++j)
            values.push_back(j == job ? 1.0F : 0.0F);
        values.push_back(missing ? 1.0F : 0.0F);
    }
    parts.values = FloatStorage(std::move(values));
    parts.name = real ? "real" : "model";
    parts.source.columnNames = {"age", "tenure", "job=clerk", "job=cook", "job=sailor", "job=(other)", "age=(missing)"};
    if (!real)
        parts.source.unknownTexts = {{0, "robot", kRows / 4}};
    parts.preparation = tablePreparation();
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

ViewState tableState() {
    auto real = std::make_shared<RealAnalysis>();
    real->set = people(true);
    auto model = std::make_shared<ModelAudit>();
    model->set = people(false);
    model->name = "model";
    model->featureDifferences = featureDifferences(real->set->matrix(), model->set->matrix(), 1, {});
    model->tableDifferences = tableDifferences(*real->set, *model->set, model->featureDifferences, {.threads = 1});
    auto audit = std::make_shared<AuditResult>();
    audit->real = real;
    audit->models = {model};
    return {audit, 0, nullptr};
}

struct TableWindow : test::ShownView<FeaturesPanel> {
    QTabBar* tabs = view.findChild<QTabBar*>("featuresTabs");
    QTableView* table = view.findChild<QTableView*>("featuresTable");
    QLabel* answer = view.findChild<QLabel*>("featuresAnswer");
    FeaturePicture* feature = view.findChild<FeaturePicture*>("featurePicture");
    PairPicture* pair = view.findChild<PairPicture*>("pairPicture");

    explicit TableWindow(const ViewState& state, QSize size = {860, 380}) : ShownView(state, size) {}

    void openTab(int tab) {
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
        QCoreApplication::processEvents();
    }
    QString text(int row, int column) const { return table->model()->index(row, column).data().toString(); }
    void clickRow(const QString& name) {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (text(row, 0) == name) {
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                                  table->visualRect(table->model()->index(row, 0)).center());
                QCoreApplication::processEvents();
                return;
            }
        QFAIL(qPrintable("no row " + name));
    }
    void clickBar(std::size_t side, std::size_t bar, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&feature->plot(), Qt::LeftButton, modifiers, feature->plot().columnOf({side, bar}).center());
    }
};

} // namespace

class FeaturePicturesTest : public QObject {
    Q_OBJECT

private slots:
    void everyNumberIsExplained();
    void theCurrentRowIsDrawnInTheUnitOfTheFile();
    void columnsOfTextAreDrawnByTheirCategories();
    void aClickOnABarSelectsItsSamples();
    void theKeyboardSelectsBars();
    void theFilterIsKept();
    void pairsAreDrawnAndSelected();
    void categoriesAreNamed();
    void missingValuesAreShown();
    void greyTabsSayWhy();
    void narrowPanelsPutThePictureBelow();
    void fewNumbersAreWholeOrLeftOut();
};

void FeaturePicturesTest::everyNumberIsExplained() {
    for (const auto table : {pairTable, categoryTable, missingTable}) {
        const TableContent content = table(tableState());
        QVERIFY(content.rows > 0);
        for (const TableColumn& column : content.columns)
            QVERIFY(!column.hint.isEmpty());
        QVERIFY(!content.hint(0).isEmpty());
        QCOMPARE(table({}).rows, 0);
    }
}

void FeaturePicturesTest::theCurrentRowIsDrawnInTheUnitOfTheFile() {
    TableWindow window(tableState());
    QVERIFY(window.feature->isVisible() && !window.pair->isVisible());
    window.clickRow("tenure");
    const FeatureBars& bars = window.feature->bars();
    QCOMPARE(bars.title, std::string("tenure"));
    QCOMPARE(bars.count(), FeatureBars::kMax);
    QVERIFY(bars.edges.front() > -10.0 && bars.edges.front() < 3.0 &&
            bars.edges.back() > 17.0); // years, not deviations
    for (const FeatureBars::Side& side : bars.sides) {
        QCOMPARE(side.total, kRows);
        QCOMPARE(std::accumulate(side.counts.begin(), side.counts.end(), std::size_t{0}), kRows);
    }
    // Against the definition: what lies between the edges.
    const EmbeddingSet& real = *window.view.state().audit->real->set;
    std::size_t wanted = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
        const double value = 10.0 + 5.0 * static_cast<double>(real.matrix().rowData(r)[kTenure]);
        wanted += value >= bars.edges[7] && value < bars.edges[8] ? 1 : 0;
    }
    QCOMPARE(bars.sides[0].counts[7], wanted);
    window.clickRow("age");
    QCOMPARE(window.feature->bars().sides[1].missing, kRows / 10); // no bar of medians
    QVERIFY(window.feature->findChild<PictureHeading*>()->detail().contains("10 % of synthetic"));
    test::shoot(window.view, "features_age");
    QTest::keyClick(window.table, Qt::Key_Home, Qt::ControlModifier); // arrow keys move the current row, too
    QTest::keyClick(window.table, Qt::Key_Down);
    QCOMPARE(
        window.feature->bars().title,
        columnNameOf(
            real,
            static_cast<const FeaturesPanel&>(window.view).state().current().featureDifferences.features[1].feature));
}

void FeaturePicturesTest::columnsOfTextAreDrawnByTheirCategories() {
    TableWindow window(tableState());
    window.clickRow("job=cook");
    const FeatureBars& bars = window.feature->bars();
    QCOMPARE(bars.title, std::string("job"));
    QCOMPARE(bars.names, (std::vector<std::string>{"clerk", "cook", "sailor", "(invented)"}));
    QCOMPARE(bars.sides[0].counts, (std::vector<std::size_t>{kRows / 2, kRows / 4, kRows / 4, 0}));
    QCOMPARE(bars.sides[1].counts, (std::vector<std::size_t>{kRows / 2, kRows / 4, 0, kRows / 4}));
    window.clickRow("age=(missing)");
    QCOMPARE(window.feature->bars().names, (std::vector<std::string>{"present", "missing"}));
    QCOMPARE(window.feature->bars().sides[1].counts[1], kRows / 10);
}

void FeaturePicturesTest::aClickOnABarSelectsItsSamples() {
    TableWindow window(tableState());
    window.clickRow("job=cook");
    window.clickBar(1, 1);
    QCOMPARE(window.selection.samples().size(), kRows / 4);
    QVERIFY(window.selection.contains({syntheticSet(0), 2}) && !window.selection.contains({SetId::Real, 2}));
    QCOMPARE(window.feature->selectedIn(1, 1), kRows / 4);
    window.clickBar(0, 2, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), kRows / 2);
    QVERIFY(window.selection.contains({SetId::Real, 3}));
    test::shoot(window.view, "features_selected");
    window.clickBar(1, 1, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), kRows / 4);
    window.clickBar(0, 0);
    QCOMPARE(window.selection.samples().size(), kRows / 2);
    QCOMPARE(window.feature->selectedIn(0, 0), kRows / 2);
}

void FeaturePicturesTest::theKeyboardSelectsBars() {
    TableWindow window(tableState());
    window.clickRow("job=cook");
    window.table->setFocus();
    QTest::keyClick(window.table, Qt::Key_Tab);
    QTRY_VERIFY(window.feature->plot().hasFocus());
    QTest::keyClick(&window.feature->plot(), Qt::Key_Right); // real clerks
    QTest::keyClick(&window.feature->plot(), Qt::Key_Right); // synthetic clerks
    QTest::keyClick(&window.feature->plot(), Qt::Key_Return);
    QCOMPARE(window.selection.samples().countIn(syntheticSet(0)), kRows / 2);
    QTest::keyClick(&window.feature->plot(), Qt::Key_Right);
    QTest::keyClick(&window.feature->plot(), Qt::Key_Return, Qt::ShiftModifier); // real cooks as well
    QCOMPARE(window.selection.samples().countIn(SetId::Real), kRows / 4);
    QTest::keyClick(&window.feature->plot(), Qt::Key_End);
    QTest::keyClick(&window.feature->plot(), Qt::Key_Return);
    QCOMPARE(window.selection.samples().size(), kRows / 4); // robots
    QVERIFY(window.selection.contains({syntheticSet(0), 3}));
    QTest::keyClick(&window.feature->plot(), Qt::Key_Escape);
    QVERIFY(window.selection.isEmpty());
}

void FeaturePicturesTest::theFilterIsKept() {
    ViewState state = tableState();
    TableWindow window(state);
    window.clickRow("job=cook");
    state.shown = std::make_shared<const SampleSet>(SampleSet::all(SetId::Real, kRows / 2));
    window.view.showState(state);
    QCOMPARE(window.feature->bars().title, std::string("job")); // the row stays
    QCOMPARE(window.feature->bars().sides[0].counts[0], kRows / 4);
    QCOMPARE(window.feature->bars().sides[1].total, std::size_t{0});
    window.clickBar(0, 0);
    QCOMPARE(window.selection.samples().size(), kRows / 4);
}

void FeaturePicturesTest::pairsAreDrawnAndSelected() {
    TableWindow window(tableState());
    window.openTab(FeaturesPanel::Pairs);
    QVERIFY2(window.answer->text().contains("correlated differently"), qPrintable(window.answer->text()));
    QCOMPARE(window.text(0, feature_columns::First), QString("age"));
    QCOMPARE(window.text(0, feature_columns::Second), QString("tenure"));
    QVERIFY(window.text(0, feature_columns::Difference).startsWith(u'-'));
    QVERIFY(window.pair->isVisible() && !window.feature->isVisible());
    const std::size_t marks = 2 * kRows - kRows / 10; // an age that is missing has no place
    QCOMPARE(window.pair->markCount(), marks);
    // The leftmost mark lies on no other.
    Plot& plot = window.pair->plot();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(*plot.pointWithId(0)).toPoint());
    QCOMPARE(window.selection.samples(), (SampleSet{window.pair->sampleOf(0)}));
    QCOMPARE(window.selection.focus(), std::optional(window.pair->sampleOf(0)));
    QVERIFY(plot.hasFocus());
    test::shoot(window.view, "features_pairs");
    QTest::keyClick(&plot, Qt::Key_End);
    QTest::keyClick(&plot, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{2});
    QVERIFY(window.selection.contains(window.pair->sampleOf(marks - 1)));
}

void FeaturePicturesTest::categoriesAreNamed() {
    TableWindow window(tableState());
    window.openTab(FeaturesPanel::Categories);
    QVERIFY2(window.answer->text().contains("job: sailor (100)"), qPrintable(window.answer->text()));
    QVERIFY2(window.answer->text().contains("job: robot (100)"), qPrintable(window.answer->text()));
    QCOMPARE(window.text(0, feature_columns::CategoryDistance), QString("25 %"));
    QCOMPARE(window.text(0, feature_columns::MissingCategories), QString("sailor (100)"));
    QCOMPARE(window.text(0, feature_columns::InventedCategories), QString("robot (100)"));
    QCOMPARE(window.feature->bars().title, std::string("job"));
    test::shoot(window.view, "features_categories");
}

void FeaturePicturesTest::missingValuesAreShown() {
    TableWindow window(tableState());
    window.openTab(FeaturesPanel::MissingValues);
    QCOMPARE(window.table->model()->rowCount(), 1);
    QCOMPARE(window.text(0, 0), QString("age"));
    QCOMPARE(window.text(0, feature_columns::RealRate), QString("0 %"));
    QCOMPARE(window.text(0, feature_columns::SyntheticRate), QString("10 %"));
    QVERIFY2(window.answer->text().contains("Values of age are missing in 0 % of the real and 10 %"),
             qPrintable(window.answer->text()));
    QCOMPARE(window.feature->bars().title, std::string("age"));
    window.openTab(FeaturesPanel::Features);
    QVERIFY(window.answer->text().contains("Features that differ"));
    QCOMPARE(window.table->model()->rowCount(), 7);
}

void FeaturePicturesTest::greyTabsSayWhy() {
    auto result = std::make_shared<AuditResult>(*test::fakeAudit({.models = 1}));
    auto model = std::make_shared<ModelAudit>(*result->models[0]);
    model->featureDifferences = featureDifferences(result->real->set->matrix(), model->set->matrix(), 1, {});
    model->tableDifferences = tableDifferences(*result->real->set, *model->set, model->featureDifferences, {});
    result->models = {model};
    TableWindow window({result, 0, nullptr});
    QVERIFY(window.tabs->isTabEnabled(FeaturesPanel::Pairs));
    QVERIFY(!window.tabs->isTabEnabled(FeaturesPanel::Categories));
    QVERIFY(window.tabs->tabToolTip(FeaturesPanel::Categories).contains("no column holds text"));
    QVERIFY(!window.tabs->isTabEnabled(FeaturesPanel::MissingValues));
    QVERIFY(window.tabs->tabToolTip(FeaturesPanel::MissingValues).contains("No value is missing"));
    window.openTab(FeaturesPanel::Categories);
    QCOMPARE(window.tabs->currentIndex(), static_cast<int>(FeaturesPanel::Features));
}

void FeaturePicturesTest::narrowPanelsPutThePictureBelow() {
    TableWindow window(tableState(), {400, 520});
    QVERIFY(window.feature->isVisible());
    QVERIFY(window.feature->mapTo(&window.view, QPoint()).y() > window.table->mapTo(&window.view, QPoint()).y() + 60);
    window.view.resize(400, 220);
    QCoreApplication::processEvents();
    QVERIFY(!window.feature->isVisible() && window.table->height() > 60);
}

void FeaturePicturesTest::fewNumbersAreWholeOrLeftOut() {
    const auto six = [](float first) {
        EmbeddingParts parts;
        parts.rows = 12; // each number twice, as measurements are not
        parts.dim = 1;
        std::vector<float> values;
        for (std::size_t r = 0; r < parts.rows; ++r)
            values.push_back(first + 0.456789F * static_cast<float>(r % 6));
        parts.values = FloatStorage(std::move(values));
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    auto real = std::make_shared<RealAnalysis>();
    real->set = six(-1.23457F);
    auto model = std::make_shared<ModelAudit>();
    model->set = six(-1.01234F);
    auto audit = std::make_shared<AuditResult>();
    audit->real = real;
    audit->models = {model};
    SampleSelection selection;
    FeaturePicture picture(&selection, nullptr);
    picture.resize(380, 240);
    picture.show();
    picture.showBars({audit, 0, nullptr}, FeaturePicture::barsOf({audit, 0, nullptr}, 0));
    QVERIFY(QTest::qWaitForWindowExposed(&picture));
    const QStringList written = picture.plot().xAxis().names;
    QCOMPARE(written.size(), 12); // the frame leaves out what there is no room for
    QCOMPARE(written.front(), QStringLiteral("-1.23"));
    QCOMPARE(written.back(), QStringLiteral("1.27"));
    for (const QString& number : written)
        QVERIFY2(!number.contains(QChar(0x2026)), qPrintable(number));
}

ASSAY_TEST(feature_pictures_test, FeaturePicturesTest)
#include "feature_pictures_test.moc"
