#include "engine/math/statistics/nan.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/scores_window.h"
#include "widgets/text/score_text.h"

#include <QtWidgets>

#include <algorithm>
#include <set>

using namespace assay;
using test::auditWithMetrics;
using test::fullAudit;
using Window = test::ScoresWindow;

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
    void namesStandStillWhileScrolling();
    void fits_data();
    void fits();
    void saysNothingNewOnTheSameState();
};

void ScoresPanelTest::listsWhatAnyModelHasInTheCataloguesOrder() {
    Window window({auditWithMetrics({{{"coverage", 0.5}, {"pce", 2.0}}, {{"recall", 0.25}}}), 0, nullptr});
    QCOMPARE(window.titles(),
             QStringList({"Clipped density", "Clipped coverage", "Authenticity", "PCE (nats)", "Recall", "Coverage"}));
    QCOMPARE(window.model()->columnCount(), 2);
    window.view.showState({fullAudit(2), 0, nullptr});
    QCOMPARE(window.model()->rowCount(), static_cast<int>(std::ranges::count_if(metricCatalog(), isShownToPeople)));
}

void ScoresPanelTest::writesNumbersWithThreeDigitsAndUnits() {
    Window window({auditWithMetrics({{{"pce", 48.3456},
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
    const auto mark = [&](int row) { return window.table->rows().nameAt(row).mark; };
    const int over = window.row("Over-occurring");
    QCOMPARE(mark(over), QString(QChar(0x2193)));
    QVERIFY(header(over, Qt::AccessibleTextRole).contains("lower is better"));
    QVERIFY(mark(pce).startsWith(QChar(0x2192)));
    QVERIFY(mark(pce).endsWith('0'));
    QVERIFY(header(pce, Qt::ToolTipRole).contains("nearest to 0 is best"));
    QCOMPARE(mark(recall), QString(QChar(0x2191)));
    QVERIFY(header(pce, Qt::AccessibleTextRole).contains("nearest to 0 is best"));
    QVERIFY(!window.isBest(pce, 0)); // nothing to be better than
}

void ScoresPanelTest::tellsTheIntervalOnHover() {
    const auto audit =
        test::withModel(auditWithMetrics({{{"pce", 48.3}, {"recall", 0.25}}}), 0, [&](ModelAudit& model) {
            model.intervals = {{"pce", 45.123, 51.987}};
        });
    Window window({audit, 0, nullptr});
    QCOMPARE(window.cell(window.row("PCE (nats)"), 0), QString("48.3"));
    QVERIFY(window.hint(window.row("PCE (nats)"), 0).contains("48.3 nats [45.1, 52.0], 95 % interval"));
    QVERIFY(!window.hint(window.row("Recall"), 0).contains("interval"));
}

void ScoresPanelTest::marksTheBestOfARow() {
    // Higher is better, lower is better, neither, equal as written.
    Window window({auditWithMetrics({{{"fld", 3.0}, {"real_entropy", 1.0}, {"precision", 0.2}, {"recall", 0.50001}},
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
    test::addColumns<QString, std::vector<double>, std::set<int>>("id", "values", "best");
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
        {auditWithMetrics({{{metric.id, values[0]}}, {{metric.id, values[1]}}, {{metric.id, values[2]}}}), 0, nullptr});
    const int row = window.row(qPrintable(titleWithUnit(metric)));
    for (int column = 0; column < 3; ++column)
        QCOMPARE(window.isBest(row, column), best.contains(column));
    if (!best.empty())
        QVERIFY(window.hint(row, *best.begin()).contains(directionText(metric.better)));
}

void ScoresPanelTest::saysWhyAValueIsMissing() {
    Window window({auditWithMetrics({{{"pce", kNaN}, {"recall", 0.5}}, {{"pce", 1.0}}}), 0, nullptr});
    const int pce = window.row("PCE (nats)");
    const int recall = window.row("Recall");
    QCOMPARE(window.cell(pce, 0), QString("-"));
    QVERIFY(window.hint(pce, 0).contains("Not defined"));
    QCOMPARE(window.cell(recall, 1), QString("-"));
    QVERIFY(window.hint(recall, 1).contains("not computed"));
    Metric metric = *findMetric("recall");
    metric.needs = needs::kHeldOut;
    metric.id = "not-there";
    QVERIFY(missingReason(*window.view.state().audit->models[0], metric).contains("held-out real set"));
    for (const char* id : {"membership_auc", "utility_accuracy", "utility_r2"})
        QVERIFY2(!missingReason(*window.view.state().audit->models[0], *findMetric(id)).contains("passes"), id);
    ModelAudit begun = *window.view.state().audit->models[0];
    begun.complete = false;
    QVERIFY(missingReason(begun, metric).contains("being computed"));
}

void ScoresPanelTest::warnsWhereTheBestIsSuspicious() {
    Window window(
        {auditWithMetrics({{{"authenticity", 0.6}, {"precision", 0.7}}, {{"authenticity", 0.02}, {"precision", 0.9}}}),
         0, nullptr});
    QVERIFY(window.isBest(window.row("Precision"), 1));
    QVERIFY(window.hint(window.row("Precision"), 1).contains("98 %"));
    QCOMPARE(window.shown(window.row("Precision"), 1).mark, QString(QChar(0x25e6))); // hollow
    QCOMPARE(window.shown(window.row("Authenticity"), 0).mark, QString(QChar(0x2022)));
    QVERIFY(window.model()->headerData(1, Qt::Horizontal).toString().endsWith("(!)"));
    QVERIFY(!window.model()->headerData(0, Qt::Horizontal).toString().endsWith("(!)"));
}

void ScoresPanelTest::clickOnANameChoosesTheModel() {
    Window window({test::fakeAudit(), 0, nullptr});
    window.clickHeader(2);
    window.clickHeader(2); // already current
    window.clickHeader(1);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 1}));
    QVERIFY(window.isCurrent(1));
    QVERIFY(!window.isCurrent(2));
    test::shoot(window.view, "scores-3");
}

void ScoresPanelTest::keysWalkTheTableAndChoose() {
    Window window({test::fakeAudit(), 0, nullptr});
    window.table->setFocus();
    window.table->setCurrentIndex(window.model()->index(0, 0));
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right, Qt::Key_Return})
        QTest::keyClick(window.table, key);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
    QCOMPARE(window.table->currentIndex().row(), 1);
    const QPoint other = window.table->visualRect(window.model()->index(0, 1)).center();
    QTest::mouseClick(window.table->viewport(), Qt::LeftButton, {}, other);
    QCOMPARE(window.host.models.size(), 1U);
    QTest::mouseDClick(window.table->viewport(), Qt::LeftButton, {}, other);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 1}));
}

void ScoresPanelTest::searchLooksIntoDefinitions() {
    Window window({fullAudit(2), 0, nullptr});
    QTest::keyClick(window.table, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(window.search->hasFocus());
    QTest::keyClicks(window.search, "precision cross");
    QCOMPARE(window.titles(), QStringList({"PCE (nats)"}));
    QVERIFY(window.text("scoresCount").startsWith("1 of "));
    QTest::keyClick(window.search, Qt::Key_Return);
    QVERIFY(window.table->hasFocus());
    window.search->setText("clipped_cov");
    QVERIFY(window.titles().contains("Clipped coverage"));
    window.search->setText("FID"); // a common name
    QVERIFY(window.titles().contains(QString::fromUtf8("Fr\u00e9chet distance")));
    window.search->setText("no such score");
    QCOMPARE(window.model()->rowCount(), 0);
    QVERIFY(window.text("scoresCount").contains("No score"));
    test::shoot(window.view, "scores-none-found");
    window.clickHeader(1); // names can be clicked all the same
    QCOMPARE(window.host.models, (std::vector<std::size_t>{1}));
    window.search->clear();
    QCOMPARE(window.model()->rowCount(), static_cast<int>(std::ranges::count_if(metricCatalog(), isShownToPeople)));
}

void ScoresPanelTest::copiesWhatIsListed() {
    Window window({auditWithMetrics({{{"pce", 1.0 / 3.0}, {"recall", 0.25}}, {{"recall", 0.5}}}, "a\tb"), 0, nullptr});
    window.table->setFocus();
    QTest::keyClick(window.table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("score\tid\tunit\tbetter\ta b-0\ta b-1\n"
                                                           "Clipped density\tclipped_density\t\thigher\t0.9\t0.9\n"
                                                           "Clipped coverage\tclipped_coverage\t\thigher\t0.9\t0.9\n"
                                                           "Authenticity\tauthenticity\t\thigher\t0.9\t0.9\n"
                                                           "PCE\tpce\tnats\tnearest to 0\t0.3333333333333333\t\n"
                                                           "Recall\trecall\t\thigher\t0.25\t0.5\n"));
    window.search->setText("recall");
    window.click("scoresCopy");
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + window.model()->rowCount());
    QVERIFY(QToolTip::text().contains("Copied"));
    QToolTip::hideText();
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
    test::addColumns<int, QSize>("models", "size");
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

void ScoresPanelTest::saysNothingNewOnTheSameState() {
    const auto audit = test::fakeAudit();
    Window window({audit, 0, nullptr});
    window.search->setText("density");
    window.view.showState({audit, 0, nullptr});
    window.view.showState({audit, 2, nullptr});
    QVERIFY(window.host.models.empty());
    QCOMPARE(window.search->text(), QString("density")); // a search outlives a change of model
}

ASSAY_TEST(scores_panel_test, ScoresPanelTest)
#include "scores_panel_test.moc"