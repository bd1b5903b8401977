// What is marked beside the lines of a curve.
#include "engine/subsets/curves/bad_fraction.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/curve_window.h"
#include "widgets/common/number_format.h"

#include <QLabel>

#include <cmath>

using namespace assay;
using namespace assay::test;

class CurveMarksTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void marksWhereTheModelsLieOnTheBadFraction();
    void marksScoresBeyondTheCurveAtTheirValue();
    void tellsTheNearestOfMarksThatOverlap();
    void marksWhereMeanCoverageLands();
    void marksTheAuditsOwnK();
};

void CurveMarksTest::marksWhereTheModelsLieOnTheBadFraction() {
    auto audit = auditWith(3);
    CurveValues bad{"bad_fraction", {}, {{"clipped_density", {}}, {"pce", {}}}};
    for (int i = 0; i <= 10; ++i) {
        bad.x.push_back(i / 10.0);
        bad.lines[0].y.push_back(0.99 - 0.9 * i / 10.0);
        bad.lines[1].y.push_back(5.0 * i);
    }
    CurveValues relative = bad;
    relative.id = "bad_fraction_relative";
    for (double& y : relative.lines[0].y)
        y /= 0.99;
    audit->curves = {{"bad_fraction", "", "far noise", bad}, {"bad_fraction_relative", "", "far noise", relative}};
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    std::vector<ChartMark> marks = window.view.marks();
    std::erase_if(marks, [](const ChartMark& mark) { return mark.line != 1U; });
    QCOMPARE(marks.size(), 3U);
    QCOMPARE(marks.back().model, std::optional<std::size_t>(0)); // the current one lies above
    for (const ChartMark& mark : marks) {
        const double score = audit->models[*mark.model]->metric("clipped_density");
        QVERIFY(std::abs(mark.x - equivalentBadFraction(bad, "clipped_density", score)) < 1e-12);
        QCOMPARE(mark.y, score);
        QCOMPARE(mark.current, *mark.model == 0);
    }
    const ChartMark noise = *std::ranges::find(marks, std::optional<std::size_t>(2), &ChartMark::model);
    const QString expected =
        QString("noise30\nClipped density: %1\nEquivalent bad fraction: %2")
            .arg(formatNumber(audit->models[2]->metric("clipped_density")), formatPercent(noise.x));
    QCOMPARE(window.readOutAt(noise), expected);
    window.shoot("curve-marks");
    QVERIFY(window.legend->item(1)->toolTip().contains("<b>noise30</b>; Clipped density: "));
    QVERIFY(window.text("curveCaption").contains("own score"));
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_PageDown); // the current one, which is the last
    QVERIFY2(window.chart->readOut().startsWith("faithful"), qPrintable(window.chart->readOut()));
    QTest::keyClick(window.chart, Qt::Key_PageUp);
    QCOMPARE(window.chart->readOut(), expected);
    QTest::keyClick(window.chart, Qt::Key_Return);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2}));
    window.setModel(0);
    window.click(window.placeOf(noise));
    QCOMPARE(window.host.models, (std::vector<std::size_t>{2, 2}));
    window.clickTick(1);
    QVERIFY(!window.readOutAt(noise).contains("Equivalent")); // gone with its line
    window.pick(3);                                           // the same shares, on the relative line
    QCOMPARE(window.view.marks().size(), 6U);
    QVERIFY(std::ranges::any_of(window.view.marks(), [&](const ChartMark& mark) {
        return mark.line == 1U && mark.model == 2U && mark.x == noise.x && std::abs(mark.y - noise.y / 0.99) < 1e-12 &&
               markFacts(*audit, mark) == expected;
    }));
}

void CurveMarksTest::marksScoresBeyondTheCurveAtTheirValue() {
    auto audit = withEveryModel(auditWith(3), [](ModelAudit& model, std::size_t m) {
        setMetric(model, "clipped_density", std::array{0.98, 0.5, 0.05}[m]);
        setMetric(model, "pce", m == 0 ? -3.0 : 10.0);
    });
    CurveValues bad{
        "bad_fraction", {0.0, 0.5, 1.0}, {{"clipped_density", {0.8, 0.45, 0.1}}, {"pce", {2.0, 20.0, 40.0}}}};
    CurveValues relative{"bad_fraction_relative",
                         {0.0, 0.5, 1.0},
                         {{"clipped_density", {1.0, 0.5625, 0.125}}, {"pce", {0.0, 18.0, 38.0}}}};
    audit->curves = {{"bad_fraction", "", "far noise", bad}, {"bad_fraction_relative", "", "far noise", relative}};
    CurveWindow window({audit, 1, nullptr});
    const auto markOf = [&](std::size_t line, std::size_t model) {
        for (const ChartMark& mark : window.view.marks())
            if (mark.line == line && mark.model == model)
                return mark;
        return ChartMark{};
    };
    const auto placeOf = [](const ChartMark& mark) { return QPointF(mark.x, mark.y); };
    window.pick(2);
    QCOMPARE(window.view.marks().size(), 6U);
    QCOMPARE(placeOf(markOf(1, 0)), QPointF(0.0, 0.98));
    QCOMPARE(markOf(1, 0).shape, ChartMark::Shape::Above);
    QCOMPARE(markOf(1, 1).shape, ChartMark::Shape::Point);
    QCOMPARE(markOf(1, 1).y, 0.5);
    QCOMPARE(placeOf(markOf(1, 2)), QPointF(1.0, 0.05));
    QCOMPARE(markOf(1, 2).shape, ChartMark::Shape::Below);
    QCOMPARE(placeOf(markOf(2, 0)), QPointF(0.0, -3.0));
    QCOMPARE(markOf(2, 0).shape, ChartMark::Shape::Below);
    QCOMPARE(window.readOutAt(markOf(1, 0)),
             QString("faithful\nClipped density: 0.980\nBeyond the curve's end: 0.800 with 0 % bad samples"));
    QCOMPARE(window.readOutAt(markOf(1, 2)),
             QString("noise30\nClipped density: 0.0500\nBeyond the curve's end: 0.100 with 100 % bad samples"));
    const QString caption = window.text("curveCaption");
    QVERIFY2(caption.contains("Outlined circles") && caption.contains("Triangles"), qPrintable(caption));
    window.clickTick(2); // the axis reaches as far as the mark
    QVERIFY(window.y().from <= -3.0);
    test::shoot(window.view, "curve-beyond");
    window.pick(3); // on its own scale
    QVERIFY(std::abs(markOf(1, 0).y - 0.98 / 0.8) < 1e-12);
    QCOMPARE(markOf(1, 0).shape, ChartMark::Shape::Above);
    QCOMPARE(placeOf(markOf(2, 0)), QPointF(0.0, -5.0));
    QVERIFY(markFacts(*audit, markOf(1, 0)).contains("Clipped density: 0.980\n"));
    window.pick(0);
    QVERIFY(!window.text("curveCaption").contains("Triangles"));
}

void CurveMarksTest::tellsTheNearestOfMarksThatOverlap() {
    auto audit = withEveryModel(auditWith(2), [](ModelAudit& model, std::size_t m) {
        setMetric(model, "clipped_density", m == 0 ? 0.60 : 0.61);
    });
    audit->curves = {{"bad_fraction", "", "", {"bad_fraction", {0.0, 1.0}, {{"clipped_density", {1.0, 0.0}}}}}};
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    const std::vector<ChartMark>& marks = window.view.marks();
    QCOMPARE(marks.size(), 2U);
    const QPoint apart = window.placeOf(marks[0]) - window.placeOf(marks[1]);
    QVERIFY(apart.manhattanLength() >= 4 && apart.manhattanLength() <= 9);
    for (const ChartMark& mark : marks) {
        window.hover(window.placeOf(mark));
        QCOMPARE(window.chart->readOut(), markFacts(*audit, mark));
    }
}

void CurveMarksTest::marksWhereMeanCoverageLands() {
    const auto audit = withEveryModel(
        auditWith(2), [](ModelAudit& model, std::size_t) { setMetric(model, "clipped_coverage_unnormalized", 0.7); });
    CurveWindow window({audit, 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    QCOMPARE(window.view.marks().size(), 2U);
    const ChartMark& own = window.view.marks().back();
    QVERIFY(own.current && own.shape == ChartMark::Shape::Landed);
    const double mean = audit->models[1]->metric("clipped_coverage_unnormalized");
    const double calibrated = audit->models[1]->metric("clipped_coverage");
    QCOMPARE(QPointF(own.x, own.y), QPointF(calibrated, mean));
    QCOMPARE(window.readOutAt(own), QString("copies (!)\nMean coverage: %1\nClipped coverage: %2")
                                        .arg(formatNumber(mean), formatNumber(calibrated)));
    window.shoot("curve-landed");
}

void CurveMarksTest::marksTheAuditsOwnK() {
    auto audit = auditWith(1);
    CurveWindow window({audit, 0, nullptr});
    window.pick(1);
    QCOMPARE(window.view.marks().size(), 1U);
    const ChartMark own = window.view.marks().front();
    QCOMPARE(own.x, 5.0);
    QCOMPARE(window.chart->content().series.back().names, QStringList({"k = 5"}));
    const QPoint label =
        QPoint(window.placeOf(own).x(), 0) + QPoint(12, static_cast<int>(window.chart->plotArea().top()) + 8);
    window.hover(label);
    QCOMPARE(window.chart->readOut(), QString("k of this audit: 5"));
    window.shoot("curve-own-k");
    audit = std::make_shared<AuditResult>(*audit);
    audit->k = 30; // beyond what the curve holds
    window.view.showState({audit, 0, nullptr});
    QVERIFY(window.view.marks().empty());
}

ASSAY_TEST(curve_marks_test, CurveMarksTest)
#include "curve_marks_test.moc"
