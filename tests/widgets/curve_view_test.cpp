#include "engine/metrics/catalog/catalog.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/curve_window.h"
#include "tests/widgets/support/fake_audit.h"

#include <QLabel>

using namespace assay;
using namespace assay::test;

class CurveViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void picksAmongTheCurvesOfTheModel();
    void keepsThePickWhileAModelLacksIt();
    void overlaysTheModelsOfASingleLine();
    void drawsEveryLineOfOneModel();
    void drawsNoMoreAtFirstThanTheEyeFollows();
    void controlsAtRandomAreNamedAndInTheirUnit();
    void ticksDrawAndAreRemembered();
    void hoverTellsThePoint();
    void keysWalkTheLines();
    void clickOnALineChoosesItsModel();
    void namesTheLinesOfMeasuredCoverage();
    void controlsComeAndGoWithTheirScore();
    void fits_data();
    void fits();
    void saysNothingNewOnTheSameState();
    void teachesWithoutCurves();
};

void CurveViewTest::picksAmongTheCurvesOfTheModel() {
    CurveWindow window({auditWith(2), 0, nullptr});
    QCOMPARE(window.picker->count(), 2);
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    QVERIFY(window.text("curveCaption").contains("expected to reach"));
    QCOMPARE(window.x().title, QString("Share of good samples"));
    window.pick(1);
    QCOMPARE(window.x().title, QString("k"));
    QVERIFY(window.host.models.empty());
}

void CurveViewTest::keepsThePickWhileAModelLacksIt() {
    CurveWindow window({withCurves(auditWith(3), 1, {calibration(1.0)}), 0, nullptr});
    window.pick(1);
    window.setModel(1);
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    window.setModel(2);
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
}

void CurveViewTest::overlaysTheModelsOfASingleLine() {
    CurveWindow window({withCurves(auditWith(3), 1, {}), 2, nullptr});
    QCOMPARE(window.names(), QStringList({"faithful", "noise30"})); // the other one has no curve
    QCOMPARE(window.seriesCount(), 2U);
    QVERIFY(window.legend->item(1)->font().bold());
    QVERIFY(!window.legend->item(0)->font().bold());
    window.setModel(0);
    QVERIFY(window.legend->item(0)->font().bold());
    test::shoot(window.view, "curve-overlay");
}

void CurveViewTest::drawsEveryLineOfOneModel() {
    CurveWindow window({auditWith(3), 0, nullptr});
    window.pick(1);
    QCOMPARE(window.names(), QStringList({"Clipped density", "Clipped coverage", "Recall", "PCE (nats)"}));
    QVERIFY(window.legend->item(3)->toolTip().contains("Precision cross-entropy"));
    // Nats would press the shares flat: off until they are wanted.
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true, true, false}));
    QCOMPARE(window.seriesCount(), 3U);
    test::shoot(window.view, "curve-lines");
}

void CurveViewTest::drawsNoMoreAtFirstThanTheEyeFollows() {
    CurveValues many{"k_sensitivity", {1.0, 2.0}, {}};
    for (const Metric& metric : metricCatalog().first(14))
        many.lines.push_back({std::string(metric.id), {0.1, 0.2}});
    CurveWindow window({withCurves(auditWith(1), 0, {many}), 0, nullptr});
    const std::vector<bool> shown = window.legend->shown();
    QCOMPARE(shown.size(), std::size_t{14});
    QVERIFY(shown[0] && shown[1] && !shown[10] && !shown[13]);
    window.clickTick(13);
    QVERIFY(window.legend->shown()[13]); // all are a click away
}

void CurveViewTest::controlsAtRandomAreNamedAndInTheirUnit() {
    CurveValues discard{"k_sensitivity", {1.0, 2.0}, {}};
    for (const char* name : {"clipped_density", "clipped_density/random", "pce", "pce/random"})
        discard.lines.push_back({name, {0.1, 0.2}});
    CurveWindow window({withCurves(auditWith(1), 0, {discard}), 0, nullptr});
    QCOMPARE(window.names(),
             QStringList({"Clipped density", "Clipped density, at random", "PCE (nats)", "PCE (nats), at random"}));
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true, false, false}));
}

void CurveViewTest::ticksDrawAndAreRemembered() {
    CurveWindow window({auditWith(3), 0, nullptr});
    window.pick(1);
    window.clickTick(1);
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, false, true, false}));
    QCOMPARE(window.seriesCount(), 2U);
    window.legend->setFocus();
    window.legend->setCurrentRow(3);
    QTest::keyClick(window.legend, Qt::Key_Space);
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, false, true, true}));
    window.setModel(1);
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, false, true, true}));
    window.pick(0);
    QCOMPARE(window.legend->shown(), std::vector<bool>(3, true));
    window.pick(1);
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, false, true, true}));
}

void CurveViewTest::hoverTellsThePoint() {
    CurveWindow window({auditWith(2), 0, nullptr});
    QCOMPARE(window.readOutAt(1, 5),
             QString("copies (!)\nShare of good samples: 0.500\nExpected mean coverage: 0.616"));
    window.shoot("curve-hover");
    window.hover(window.placeOf(1, 9) + QPoint(0, 150)); // far below every line
    QCOMPARE(window.chart->readOut(), QString());
    window.pick(1);
    window.clickTick(3);
    QCOMPARE(window.readOutAt(3, 4), QString("PCE (nats)\nk: 5\nValue: 45.0 nats [43.0, 47.0]"));
    window.clickTick(3); // gone with its line
    QCOMPARE(window.chart->readOut(), QString());
}

void CurveViewTest::keysWalkTheLines() {
    CurveWindow window({auditWith(3), 1, nullptr});
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY(window.chart->readOut().startsWith("copies (!)\nShare of good samples: 0\n"));
    QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY(window.chart->readOut().contains("0.100"));
    QTest::keyClick(window.chart, Qt::Key_Down);
    QVERIFY(window.chart->readOut().startsWith("noise30\nShare of good samples: 0.100"));
    QTest::keyClick(window.chart, Qt::Key_Down); // there is none
    QVERIFY(window.chart->readOut().startsWith("noise30"));
    QVERIFY(window.host.models.empty());
    QTest::keyClick(window.chart, Qt::Key_Return);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
}

void CurveViewTest::clickOnALineChoosesItsModel() {
    CurveWindow window({auditWith(3), 0, nullptr});
    window.click(window.placeOf(2, 4));
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
    window.settle();
    window.click(window.placeOf(2, 4)); // already current
    window.legend->setFocus();
    window.legend->setCurrentRow(1);
    QTest::keyClick(window.legend, Qt::Key_Return);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 1}));
    window.pick(1);
    window.click(window.placeOf(0, 4)); // lines of one model: nothing to choose
    QCOMPARE(window.host.models.size(), 2U);
}

void CurveViewTest::namesTheLinesOfMeasuredCoverage() {
    auto audit = auditWith(1);
    audit->curves = {
        {"bad_fraction_coverage",
         "",
         "far noise",
         {"bad_fraction_coverage",
          {0.0, 0.5, 1.0},
          {{"measured", {0.0, 0.7, 0.9}}, {"expected", {0.0, 0.6, 0.9}}, {"clipped_coverage", {0.0, 0.5, 1.0}}}}}};
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.names(), QStringList({"Mean coverage, measured", "Mean coverage, expected", "Clipped coverage"}));
    QCOMPARE(window.readOutAt(2, 1), QString("Clipped coverage\nShare of good samples: 0.500\nValue: 0.500"));
    QCOMPARE(window.y().title, QString("Value"));
}

void CurveViewTest::controlsComeAndGoWithTheirScore() {
    CurveValues discard{"discard", {0.0, 0.1}, {}};
    for (const char* suffix : {"", "/random"})
        for (const char* name : {"clipped_density", "clipped_coverage", "authenticity", "precision", "recall"})
            discard.lines.push_back({name + std::string(suffix), {0.1, 0.2}});
    auto audit = auditWith(1);
    audit->curves = {{"discard_by_pce", audit->models[0]->name, "worst first by PCE; seed 0", discard}};
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.names().first(4), QStringList({"Clipped density", "Clipped density, at random", "Clipped coverage",
                                                   "Clipped coverage, at random"}));
    // As many as the eye follows, each with its control.
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true, true, true, true, true, true, true, false, false}));
    window.shoot("curve-controls");
    window.clickTick(0);
    QCOMPARE(window.legend->shown()[1], false);
    QCOMPARE(window.seriesCount(), 6U);
    window.clickTick(8);
    QCOMPARE(window.legend->shown()[9], true);
    window.clickTick(9); // but it can be had without
    QCOMPARE(window.legend->shown()[8], true);
    QCOMPARE(window.legend->shown()[9], false);
    window.clickTick(9); // and is bound to it again
    window.clickTick(8);
    QCOMPARE(window.legend->shown()[9], false);
}

void CurveViewTest::fits_data() {
    test::addColumns<int, QSize>("models", "size");
    QTest::newRow("one model") << 1 << QSize(820, 440);
    QTest::newRow("twelve models") << 12 << QSize(820, 440);
    QTest::newRow("narrow") << 12 << QSize(330, 420);
    QTest::newRow("flat") << 3 << QSize(640, 200);
}

void CurveViewTest::fits() {
    QFETCH(int, models);
    QFETCH(QSize, size);
    CurveWindow window(
        {auditWith(static_cast<std::size_t>(models), "stable-diffusion-v2-guidance-7.5-steps-50-"), 0, nullptr}, size);
    QVERIFY(window.chart->width() >= 180);
    QVERIFY(window.chart->height() >= 110);
    QVERIFY(window.view.rect().contains(QRect(window.legend->mapTo(&window.view, QPoint()), window.legend->size())));
    window.hover(window.placeOf(0, 10));
    window.shoot(QString("curve-%1-%2x%3").arg(models).arg(size.width()).arg(size.height()));
}

void CurveViewTest::saysNothingNewOnTheSameState() {
    const auto audit = auditWith(3);
    CurveWindow window({audit, 0, nullptr});
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Right);
    const QString told = window.chart->readOut();
    window.view.showState({audit, 0, std::make_shared<std::vector<bool>>(80, true)}); // rules changed
    QCOMPARE(window.chart->readOut(), told);
    window.setModel(2);
    QVERIFY(window.host.models.empty());
}

void CurveViewTest::teachesWithoutCurves() {
    CurveWindow window({test::fakeAudit(), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("holds no curves yet"));
    test::shoot(window.view, "curve-empty");
    window.view.showState({auditWith(1), 0, nullptr});
    QVERIFY(!window.hint->isVisible());
}

ASSAY_TEST(curve_view_test, CurveViewTest)
#include "curve_view_test.moc"
