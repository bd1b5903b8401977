#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/score_text.h"
#include "widgets/scores_model.h"
#include "widgets/scores_panel.h"
#include "widgets/scores_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QToolTip>
#include <QtTest>

#include <cmath>
#include <limits>
#include <set>

using namespace assay;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Models with these metrics each, and those that every audit has.
std::shared_ptr<const AuditResult> auditWith(const std::vector<std::vector<MetricValue>>& metrics,
                                             const std::string& name = "model") {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit({.models = 1}));
    const auto base = audit->models[0];
    audit->models.clear();
    for (const auto& values : metrics) {
        auto model = std::make_shared<ModelAudit>(*base);
        model->name = name + "-" + std::to_string(audit->models.size());
        model->metrics = values;
        for (const MetricValue& always : {MetricValue{"clipped_density", 0.9}, MetricValue{"clipped_coverage", 0.9},
                                          MetricValue{"authenticity", 0.9}})
            if (!model->hasMetric(always.id))
                model->metrics.push_back(always);
        audit->models.push_back(model);
    }
    return audit;
}

/// Many models with every metric of the catalogue.
std::shared_ptr<const AuditResult> fullAudit(std::size_t models) {
    std::vector<std::vector<MetricValue>> metrics(models);
    for (std::size_t m = 0; m < models; ++m)
        for (const Metric& metric : metricCatalog()) {
            const double share = static_cast<double>(metrics[m].size() % 7 + m + 1) / 20.0;
            const double scale = metric.unit == Unit::Nats ? 87.0 : metric.unit == Unit::Count ? 5000.0 : 1.0;
            metrics[m].push_back({metric.id, share * scale});
        }
    return auditWith(metrics, "stable-diffusion-v2-guidance-7.5-steps-50");
}

/// Three models with resamples: of the metrics that are averages, and evenly spread about what each model has.
std::shared_ptr<const AuditResult> comparableAudit() {
    auto audit = std::make_shared<AuditResult>(*auditWith(
        {{{"pce", 3.0}, {"precision", 0.8}, {"recall", 0.50}, {"over_occurring_fraction", 0.1}, {"fld", 1.0}},
         {{"pce", -9.0}, {"precision", 0.6}, {"recall", 0.51}, {"over_occurring_fraction", 0.3}, {"fld", 2.0}},
         {{"pce", 4.0}, {"precision", kNaN}, {"recall", 0.9}, {"fld", 3.0}}}));
    for (std::size_t m = 0; m < audit->models.size(); ++m) {
        auto model = std::make_shared<ModelAudit>(*audit->models[m]);
        for (const MetricValue& metric : model->metrics)
            if (metric.id != "fld") {
                MetricResamples resamples{metric.id, {}};
                for (int b = -50; b <= 50; ++b) // the second model's scatter the other way
                    resamples.values.push_back(metric.value + (m == 1 ? -0.0004 : 0.0004) * b);
                model->resamples.push_back(resamples);
            }
        audit->models[m] = model;
    }
    return audit;
}

struct Window : test::ShownView<ScoresPanel> {
    ScoresTable* table = view.findChild<ScoresTable*>("scoresTable");
    QLineEdit* search = view.findChild<QLineEdit*>("scoresSearch");
    QComboBox* compare = view.findChild<QComboBox*>("scoresCompare");
    QLabel* sizes = view.findChild<QLabel*>("scoresSizes");

    explicit Window(const ViewState& state, QSize size = {640, 420}) : ShownView(state, size) {}
    QAbstractItemModel* model() const { return table->model(); }
    QStringList titles() const {
        QStringList result;
        for (int row = 0; row < model()->rowCount(); ++row)
            result << model()->headerData(row, Qt::Vertical).toString();
        return result;
    }
    int row(const char* title) const { return static_cast<int>(titles().indexOf(QString(title))); }
    QString cell(int row, int column) const { return model()->index(row, column).data().toString(); }
    QString hint(int row, int column) const { return model()->index(row, column).data(Qt::ToolTipRole).toString(); }
    bool isBest(int row, int column) const { return model()->index(row, column).data(ScoresModel::BestRole).toBool(); }
    QString verdict(int row, int column) const {
        return model()->index(row, column).data(ScoresModel::VerdictRole).toString();
    }
    QString name(int column) const { return model()->headerData(column, Qt::Horizontal).toString(); }
    /// Chooses by keys, as a person would: the first entry of the list is no other model.
    void compareWith(int entry) const {
        compare->setFocus();
        QTest::keyClick(compare, Qt::Key_Home);
        for (int down = 0; down < entry; ++down)
            QTest::keyClick(compare, Qt::Key_Down);
        QCoreApplication::processEvents();
    }
    void clickHeader(int column) {
        QHeaderView* header = table->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 12, header->height() / 2));
    }
};

} // namespace

class ScoresPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void listsWhatAnyModelHasInTheCataloguesOrder();
    void writesNumbersWithThreeDigitsAndUnits();
    void tellsTheIntervalOnHover();
    void marksTheBestOfARow();
    void nearestToTheIdealIsBest_data();
    void nearestToTheIdealIsBest();
    void saysWhyAValueIsMissing();
    void warnsWhereTheBestIsSuspicious();
    void clickOnANameChoosesTheModel();
    void keysWalkTheTableAndChoose();
    void searchLooksIntoDefinitions();
    void copiesWhatIsListed();
    void comparesTwoModels();
    void saysWhatADifferenceTells();
    void differencesFromASuspiciousModelWarn();
    void saysWhyThereIsNoDifference();
    void comparedModelsChangePlaces();
    void comparisonStandsBesideTheCurrentModel();
    void warnsOfUnequalSizes();
    void comparesWholeAuditsAtOnce();
    void namesStandStillWhileScrolling();
    void fits_data();
    void fits();
    void passesTheModelTester();
    void saysNothingNewOnTheSameState();
    void teachesWhenEmpty();
};

void ScoresPanelTest::listsWhatAnyModelHasInTheCataloguesOrder() {
    Window window({auditWith({{{"coverage", 0.5}, {"pce", 2.0}}, {{"recall", 0.25}}}), 0, nullptr});
    QCOMPARE(window.titles(),
             QStringList({"Clipped density", "Clipped coverage", "Authenticity", "PCE (nats)", "Recall", "Coverage"}));
    QCOMPARE(window.model()->columnCount(), 2);
    window.view.showState({fullAudit(2), 0, nullptr});
    QCOMPARE(window.model()->rowCount(), static_cast<int>(metricCatalog().size()));
}

void ScoresPanelTest::writesNumbersWithThreeDigitsAndUnits() {
    Window window({auditWith({{{"pce", 48.3456},
                               {"recall", 0.104321},
                               {"over_occurring_fraction", 0.2},
                               {"degenerate_neighbors", 12345.0}}}),
                   0, nullptr});
    const int pce = window.row("PCE (nats)");
    const int recall = window.row("Recall");
    QCOMPARE(window.cell(pce, 0), QString("48.3"));
    QCOMPARE(window.cell(recall, 0), QString("0.104"));
    QCOMPARE(window.cell(window.row("Degenerate neighbours"), 0), QString("12,345"));
    QVERIFY(window.hint(pce, 0).contains("48.3 nats"));
    QVERIFY(window.hint(pce, 0).contains("Precision cross-entropy"));
    QVERIFY(window.hint(pce, 0).contains("Fox"));
    // Which way is better is said by a shape, and in words.
    const auto header = [&](int row, int role) {
        return window.model()->headerData(row, Qt::Vertical, role).toString();
    };
    const int over = window.row("Over-occurring");
    QCOMPARE(header(over, ScoresModel::MarkRole), QString(QChar(0x2193)));
    QVERIFY(header(over, Qt::AccessibleTextRole).contains("lower is better"));
    QVERIFY(header(pce, ScoresModel::MarkRole).startsWith(QChar(0x2192)));
    QVERIFY(header(pce, ScoresModel::MarkRole).endsWith('0'));
    QVERIFY(header(pce, Qt::ToolTipRole).contains("nearest to 0 is best"));
    QCOMPARE(header(recall, ScoresModel::MarkRole), QString(QChar(0x2191)));
    QVERIFY(header(pce, Qt::AccessibleTextRole).contains("nearest to 0 is best"));
    QVERIFY(!window.isBest(pce, 0)); // nothing to be better than
}

void ScoresPanelTest::tellsTheIntervalOnHover() {
    auto audit = std::make_shared<AuditResult>(*auditWith({{{"pce", 48.3}, {"recall", 0.25}}}));
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    model->intervals = {{"pce", 45.123, 51.987}};
    audit->models[0] = model;
    Window window({audit, 0, nullptr});
    QCOMPARE(window.cell(window.row("PCE (nats)"), 0), QString("48.3"));
    QVERIFY(window.hint(window.row("PCE (nats)"), 0).contains("48.3 nats [45.1, 52.0], 95 % interval"));
    QVERIFY(!window.hint(window.row("Recall"), 0).contains("interval"));
}

void ScoresPanelTest::marksTheBestOfARow() {
    // Higher is better, lower is better, neither, equal as written.
    Window window({auditWith({{{"fld", 3.0}, {"real_entropy", 1.0}, {"precision", 0.2}, {"recall", 0.50001}},
                              {{"fld", 1.0}, {"real_entropy", 2.0}, {"precision", 0.8}, {"recall", 0.50002}},
                              {{"fld", kNaN}, {"real_entropy", 3.0}, {"precision", 0.80004}, {"recall", 0.5}}}),
                   0, nullptr});
    const auto best = [&](const char* title) {
        const int row = window.row(title);
        std::set<int> columns;
        for (int column = 0; column < 3; ++column)
            if (window.isBest(row, column))
                columns.insert(column);
        return columns;
    };
    QCOMPARE(best("Feature likelihood divergence"), std::set<int>{1});
    QCOMPARE(best("Entropy of the real set (nats)"), std::set<int>{});
    QCOMPARE(best("Precision"), (std::set<int>{1, 2}));
    QCOMPARE(best("Recall"), std::set<int>{});
    QVERIFY(window.hint(window.row("Feature likelihood divergence"), 1).contains("lower is better"));
}

void ScoresPanelTest::nearestToTheIdealIsBest_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<std::vector<double>>("values");
    QTest::addColumn<std::set<int>>("best");
    // A set of near-copies has a PCE far below 0.
    for (const char* id : {"pce", "rce", "re", "ct_score", "ct_score_global", "fld_gap", "kernel_distance"})
        QTest::newRow(id) << id << std::vector{-40.0, 2.0, 9.0} << std::set<int>{1};
    for (const char* id : {"density", "clipped_density_unclipped"})
        QTest::newRow(id) << id << std::vector{1.8, 0.9, 0.2} << std::set<int>{1};
    QTest::newRow("equally far on either side") << "re" << std::vector{-0.5, 0.5, 0.7} << std::set<int>{0, 1};
    QTest::newRow("all equally far") << "re" << std::vector{-0.5, 0.5, 0.5} << std::set<int>{};
    QTest::newRow("equal as written") << "density" << std::vector{1.0001, 0.9999, 0.5} << std::set<int>{0, 1};
    QTest::newRow("one without a value") << "pce" << std::vector{kNaN, 3.0, -1.0} << std::set<int>{2};
}

void ScoresPanelTest::nearestToTheIdealIsBest() {
    QFETCH(QString, id);
    QFETCH(std::vector<double>, values);
    QFETCH(std::set<int>, best);
    const Metric& metric = *findMetric(id.toStdString());
    Window window(
        {auditWith({{{metric.id, values[0]}}, {{metric.id, values[1]}}, {{metric.id, values[2]}}}), 0, nullptr});
    const int row = window.row(qPrintable(titleWithUnit(metric)));
    for (int column = 0; column < 3; ++column)
        QCOMPARE(window.isBest(row, column), best.contains(column));
    if (!best.empty())
        QVERIFY(window.hint(row, *best.begin()).contains(directionText(metric.better)));
}

void ScoresPanelTest::saysWhyAValueIsMissing() {
    Window window({auditWith({{{"pce", kNaN}, {"recall", 0.5}}, {{"pce", 1.0}}}), 0, nullptr});
    const int pce = window.row("PCE (nats)");
    const int recall = window.row("Recall");
    QCOMPARE(window.cell(pce, 0), QString("-"));
    QVERIFY(window.hint(pce, 0).contains("Not defined"));
    QCOMPARE(window.cell(recall, 1), QString("-"));
    QVERIFY(window.hint(recall, 1).contains("not computed"));
    Metric metric = *findMetric("recall");
    metric.needs = Needs::HeldOut;
    metric.id = "not-there";
    QVERIFY(missingReason(*window.view.state().audit->models[0], metric).contains("held-out real set"));
}

void ScoresPanelTest::warnsWhereTheBestIsSuspicious() {
    Window window(
        {auditWith({{{"authenticity", 0.6}, {"precision", 0.7}}, {{"authenticity", 0.02}, {"precision", 0.9}}}), 0,
         nullptr});
    QVERIFY(window.isBest(window.row("Precision"), 1));
    QVERIFY(window.hint(window.row("Precision"), 1).contains("98 %"));
    QVERIFY(window.model()->index(0, 1).data(ScoresModel::SuspiciousRole).toBool());
    QVERIFY(window.model()->headerData(1, Qt::Horizontal).toString().endsWith("(!)"));
    QVERIFY(!window.model()->headerData(0, Qt::Horizontal).toString().endsWith("(!)"));
}

void ScoresPanelTest::clickOnANameChoosesTheModel() {
    Window window({test::fakeAudit(), 0, nullptr});
    window.clickHeader(2);
    window.clickHeader(2); // already current
    window.clickHeader(1);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2, 1}));
    QVERIFY(window.model()->headerData(1, Qt::Horizontal, ScoresModel::CurrentRole).toBool());
    QVERIFY(!window.model()->headerData(2, Qt::Horizontal, ScoresModel::CurrentRole).toBool());
    test::shoot(window.view, "scores-3");
}

void ScoresPanelTest::keysWalkTheTableAndChoose() {
    Window window({test::fakeAudit(), 0, nullptr});
    window.table->setFocus();
    window.table->setCurrentIndex(window.model()->index(0, 0));
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right, Qt::Key_Return})
        QTest::keyClick(window.table, key);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2}));
    QCOMPARE(window.table->currentIndex().row(), 1);
    const QPoint other = window.table->visualRect(window.model()->index(0, 1)).center();
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, {}, other);
    QCOMPARE(window.chosen.size(), 1U);
    QTest::mouseDClick(window.table->viewport(), Qt::LeftButton, {}, other);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2, 1}));
}

void ScoresPanelTest::searchLooksIntoDefinitions() {
    Window window({fullAudit(2), 0, nullptr});
    QTest::keyClick(window.table, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(window.search->hasFocus());
    QTest::keyClicks(window.search, "precision cross");
    QCOMPARE(window.titles(), QStringList({"PCE (nats)"}));
    QVERIFY(window.view.findChild<QLabel*>("scoresCount")->text().startsWith("1 of "));
    QTest::keyClick(window.search, Qt::Key_Return);
    QVERIFY(window.table->hasFocus());
    window.search->setText("clipped_cov");
    QVERIFY(window.titles().contains("Clipped coverage"));
    window.search->setText("no such score");
    QCOMPARE(window.model()->rowCount(), 0);
    QVERIFY(window.view.findChild<QLabel*>("scoresCount")->text().contains("No score"));
    test::shoot(window.view, "scores-none-found");
    window.clickHeader(1); // names can be clicked all the same
    QCOMPARE(window.chosen, (std::vector<std::size_t>{1}));
    window.search->clear();
    QCOMPARE(window.model()->rowCount(), static_cast<int>(metricCatalog().size()));
}

void ScoresPanelTest::copiesWhatIsListed() {
    Window window({auditWith({{{"pce", 1.0 / 3.0}, {"recall", 0.25}}, {{"recall", 0.5}}}, "a\tb"), 0, nullptr});
    window.table->setFocus();
    QTest::keyClick(window.table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("score\tid\tunit\tbetter\ta b-0\ta b-1\n"
                                                           "Clipped density\tclipped_density\t\thigher\t0.9\t0.9\n"
                                                           "Clipped coverage\tclipped_coverage\t\thigher\t0.9\t0.9\n"
                                                           "Authenticity\tauthenticity\t\thigher\t0.9\t0.9\n"
                                                           "PCE\tpce\tnats\tnearest to 0\t0.3333333333333333\t\n"
                                                           "Recall\trecall\t\thigher\t0.25\t0.5\n"));
    window.search->setText("recall");
    QTest::mouseClick(window.view.findChild<QToolButton*>("scoresCopy"), Qt::LeftButton);
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + window.model()->rowCount());
    QVERIFY(QToolTip::text().contains("Copied"));
    QToolTip::hideText();
}

void ScoresPanelTest::comparesTwoModels() {
    Window window({comparableAudit(), 0, nullptr}, {840, 420});
    QCOMPARE(window.compare->count(), 3);
    QCOMPARE(window.compare->currentText(), QString("no other model"));
    QCOMPARE(window.model()->columnCount(), 3);
    window.compareWith(1);
    QCOMPARE(window.compare->currentText(), QString("model-1"));
    QCOMPARE(window.model()->columnCount(), 4);
    QCOMPARE(window.name(3), QString("model-0 \u2212 model-1"));
    QCOMPARE(window.cell(window.row("Precision"), 3), QString("+0.200 [0.162, 0.238]"));
    QCOMPARE(window.cell(window.row("Recall"), 3), QString("-0.0100 [-0.0480, 0.0280]"));
    QVERIFY(window.model()->headerData(3, Qt::Horizontal, Qt::ToolTipRole).toString().contains("95 % interval"));
    QVERIFY(!window.isBest(window.row("Precision"), 3));
    QVERIFY(window.isBest(window.row("Precision"), 0));
    test::shoot(window.view, "scores-compared");
    window.compareWith(0);
    QCOMPARE(window.model()->columnCount(), 3);
    QVERIFY(window.chosen.empty());
}

void ScoresPanelTest::saysWhatADifferenceTells() {
    Window window({comparableAudit(), 0, nullptr});
    window.compareWith(1);
    const auto fontOf = [&](int row) { return window.model()->index(row, 3).data(Qt::FontRole).value<QFont>(); };
    const int precision = window.row("Precision");
    const int recall = window.row("Recall");
    const int over = window.row("Over-occurring");
    const int pce = window.row("PCE (nats)");
    QCOMPARE(window.verdict(precision, 3), QString("better"));
    QVERIFY(window.hint(precision, 3).contains("excludes 0: model-0 is better (higher is better)."));
    QVERIFY(fontOf(precision).bold());
    QCOMPARE(window.verdict(recall, 3), QString());
    QVERIFY(window.hint(recall, 3).contains("do not tell the two apart"));
    QVERIFY(!fontOf(recall).bold());
    QCOMPARE(window.verdict(over, 3), QString("better")); // lower
    QCOMPARE(window.verdict(pce, 3), QString("higher"));  // on either side of 0
    window.compareWith(2);
    QCOMPARE(window.verdict(pce, 3), QString("nearer")); // 3 nats, beside 4
    window.compareWith(1);
    window.view.showState({window.view.state().audit, 1, nullptr});
    QCOMPARE(window.verdict(precision, 3), QString("worse"));
    QCOMPARE(window.verdict(pce, 3), QString("lower"));
    window.table->setFocus();
    window.search->setText("precision");
    QTest::mouseClick(window.view.findChild<QToolButton*>("scoresCopy"), Qt::LeftButton);
    QToolTip::hideText();
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
    QVERIFY(lines[0].endsWith("\tmodel-1 - model-0\t95 % low\t95 % high\texcludes 0"));
    const QStringList fields = lines.filter("precision\t")[0].split('\t');
    QCOMPARE(fields.size(), 11);
    QVERIFY(std::abs(fields[7].toDouble() + 0.2) < 1e-12 && std::abs(fields[8].toDouble() + 0.238) < 1e-12);
    QCOMPARE(fields[10], QString("yes"));
}

void ScoresPanelTest::differencesFromASuspiciousModelWarn() {
    auto audit = std::make_shared<AuditResult>(*comparableAudit());
    auto copies = std::make_shared<ModelAudit>(*audit->models[1]);
    for (MetricValue& metric : copies->metrics)
        if (metric.id == "authenticity")
            metric.value = 0.02;
    audit->models[1] = copies;
    Window window({audit, 0, nullptr});
    window.compareWith(1);
    QVERIFY(window.name(3).endsWith("model-1 (!)"));
    QCOMPARE(window.compare->currentText(), QString("model-1 (!)"));
    QVERIFY(window.hint(window.row("Precision"), 3).contains("98 %"));
    window.compareWith(2);
    QVERIFY(!window.hint(window.row("Recall"), 3).contains("(!)"));
}

void ScoresPanelTest::saysWhyThereIsNoDifference() {
    Window window({comparableAudit(), 0, nullptr});
    window.compareWith(2);
    QCOMPARE(window.name(3), QString("model-0 \u2212 model-2"));
    const int fld = window.row("Feature likelihood divergence");
    QCOMPARE(window.cell(fld, 3), QString("-"));
    QVERIFY(window.hint(fld, 3).contains("no interval"));
    const int precision = window.row("Precision");
    QCOMPARE(window.cell(precision, 3), QString("-"));
    QCOMPARE(window.verdict(precision, 3), QString());
    QVERIFY(window.hint(precision, 3).contains("model-2: Not defined"));
    const int over = window.row("Over-occurring");
    QCOMPARE(window.cell(over, 3), QString("-"));
    QVERIFY(window.hint(over, 3).contains("model-2: Was not computed"));
}

void ScoresPanelTest::comparedModelsChangePlaces() {
    const auto audit = comparableAudit();
    Window window({audit, 0, nullptr}, {840, 420});
    window.compareWith(1);
    window.clickHeader(1);
    QCOMPARE(window.name(3), QString("model-1 \u2212 model-0"));
    QCOMPARE(window.compare->currentText(), QString("model-0"));
    window.clickHeader(2);
    QCOMPARE(window.name(3), QString("model-2 \u2212 model-0"));
    QCOMPARE(window.chosen, (std::vector<std::size_t>{1, 2}));
    window.clickHeader(3); // no model
    window.table->setFocus();
    window.table->setCurrentIndex(window.model()->index(0, 3));
    QTest::keyClick(window.table, Qt::Key_Return);
    QCOMPARE(window.chosen.size(), std::size_t{2});
    // By its name it is found again in another audit, where there is one.
    auto other = std::make_shared<AuditResult>(*audit);
    std::swap(other->models[0], other->models[1]);
    window.view.showState({other, 0, nullptr});
    QCOMPARE(window.name(3), QString("model-1 \u2212 model-0"));
    other = std::make_shared<AuditResult>(*audit);
    other->models.erase(other->models.begin());
    window.view.showState({other, 0, nullptr});
    QCOMPARE(window.model()->columnCount(), 2);
    QCOMPARE(window.compare->currentText(), QString("no other model"));
    other->models.pop_back();
    window.view.showState({std::make_shared<AuditResult>(*other), 0, nullptr});
    QVERIFY(!window.compare->isVisible());
}

void ScoresPanelTest::comparisonStandsBesideTheCurrentModel() {
    const auto audit = comparableAudit();
    Window window({audit, 0, nullptr}, {640, 300});
    window.compareWith(2);
    const QHeaderView* header = window.table->horizontalHeader();
    const auto isInSight = [&](int column) {
        const int left = header->sectionViewportPosition(column);
        return left >= 0 && left + header->sectionSize(column) <= window.table->viewport()->width() + 1;
    };
    QCOMPARE(header->visualIndex(3), 1);
    for (const std::size_t model : {1U, 2U, 0U}) {
        window.view.showState({audit, model, nullptr});
        QCOMPARE(header->visualIndex(3), header->visualIndex(static_cast<int>(model)) + 1);
        QVERIFY(isInSight(static_cast<int>(model)));
        QVERIFY(isInSight(3));
    }
    // The numbers and the word fit beside each other.
    QFont bold = window.table->font();
    bold.setBold(true);
    for (int row = 0; row < window.model()->rowCount(); ++row)
        QVERIFY(QFontMetrics(bold).horizontalAdvance(window.cell(row, 3) + "  " + window.verdict(row, 3)) <
                window.table->columnWidth(3));
    window.compareWith(0);
    for (int column = 0; column < 3; ++column)
        QCOMPARE(header->visualIndex(column), column);
}

void ScoresPanelTest::warnsOfUnequalSizes() {
    auto audit = std::make_shared<AuditResult>(*comparableAudit());
    auto model = std::make_shared<ModelAudit>(*audit->models[2]);
    model->set = test::fakeAudit({.synthetic = 1200, .models = 1})->models[0]->set;
    audit->models[2] = model;
    Window window({audit, 0, nullptr});
    QVERIFY(!window.sizes->isVisible());
    window.compareWith(2);
    QVERIFY(window.sizes->isVisible());
    QVERIFY(window.sizes->text().contains("80 and 1,200 samples"));
    for (const char* score : {"coverage", "recall", "RCE", "RE"})
        QVERIFY(window.sizes->text().contains(score));
    test::shoot(window.view, "scores-unequal");
    window.compareWith(1);
    QVERIFY(!window.sizes->isVisible());
}

void ScoresPanelTest::comparesWholeAuditsAtOnce() {
    auto audit = std::make_shared<AuditResult>(*fullAudit(2));
    for (auto& model : audit->models) {
        auto resampled = std::make_shared<ModelAudit>(*model);
        for (const MetricValue& metric : model->metrics) {
            MetricResamples resamples{metric.id, std::vector<double>(kResamples)};
            for (std::size_t b = 0; b < kResamples; ++b)
                resamples.values[b] = metric.value * static_cast<double>((b * 7919) % kResamples);
            resampled->resamples.push_back(resamples);
        }
        model = resampled;
    }
    Window window({audit, 0, nullptr}, {840, 420});
    QElapsedTimer timer;
    timer.start();
    window.compareWith(1);
    QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(window.model()->columnCount(), 3);
    test::shoot(window.view, "scores-compared-full");
}

void ScoresPanelTest::namesStandStillWhileScrolling() {
    Window window({fullAudit(12), 0, nullptr});
    const int before = window.table->verticalHeader()->mapTo(&window.view, QPoint()).x();
    ViewState last = window.view.state();
    last.model = 11;
    window.view.showState(last);
    QCoreApplication::processEvents();
    QHeaderView* header = window.table->horizontalHeader();
    QVERIFY(header->sectionViewportPosition(11) + header->sectionSize(11) <= window.table->viewport()->width() + 1);
    QCOMPARE(window.table->verticalHeader()->mapTo(&window.view, QPoint()).x(), before);
    QVERIFY(window.table->verticalHeader()->isVisible());
}

void ScoresPanelTest::fits_data() {
    QTest::addColumn<int>("models");
    QTest::addColumn<QSize>("size");
    QTest::newRow("one model") << 1 << QSize(820, 420);
    QTest::newRow("three models") << 3 << QSize(820, 420);
    QTest::newRow("twelve models") << 12 << QSize(820, 420);
    QTest::newRow("narrow") << 12 << QSize(300, 300);
}

void ScoresPanelTest::fits() {
    QFETCH(int, models);
    QFETCH(QSize, size);
    Window window({fullAudit(static_cast<std::size_t>(models)), 0, nullptr}, size);
    // Every number is in sight in full, and at least one column beside the names.
    for (int column = 0; column < models; ++column)
        for (int row = 0; row < window.model()->rowCount(); ++row)
            QVERIFY(QFontMetrics(window.table->font()).horizontalAdvance(window.cell(row, column)) <
                    window.table->columnWidth(column));
    QVERIFY(window.table->verticalHeader()->width() <= size.width() / 2);
    QVERIFY(window.table->columnWidth(0) <= window.table->viewport()->width());
    test::shoot(window.view, QString("scores-%1-%2").arg(models).arg(size.width()));
}

void ScoresPanelTest::passesTheModelTester() {
    ScoresModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setAudit(test::fakeAudit());
    QCOMPARE(model.columnCount(), 3);
    model.setCurrent(2);
    model.setCurrent(2, 0);
    model.setCurrent(1, 0);
    QCOMPARE(model.columnCount(), 4);
    model.setCurrent(1);
    QCOMPARE(model.columnCount(), 3);
    model.setCurrent(0, 2);
    model.setAudit(std::make_shared<AuditResult>());
    QCOMPARE(model.rowCount(), 0);
    model.setCurrent(0);
    model.setAudit(nullptr);
    QVERIFY(model.absent().empty());
}

void ScoresPanelTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    Window window({audit, 0, nullptr});
    window.search->setText("density");
    window.view.showState({audit, 0, nullptr});
    window.view.showState({audit, 2, nullptr});
    QVERIFY(window.chosen.empty());
    QCOMPARE(window.search->text(), QString("density")); // a search outlives a change of model
}

void ScoresPanelTest::teachesWhenEmpty() {
    Window window({});
    auto* hint = window.view.findChild<QLabel*>("scoresHint");
    QVERIFY(hint->isVisible());
    window.view.showState({test::fakeAudit(), 0, nullptr});
    QVERIFY(!hint->isVisible());
    window.view.showState({});
    QVERIFY(hint->isVisible());
    QVERIFY(window.chosen.empty());
}

QTEST_MAIN(ScoresPanelTest)
#include "scores_panel_test.moc"
