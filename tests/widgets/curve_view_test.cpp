#include "engine/curves/bad_fraction.h"
#include "engine/curves/discard.h"
#include "engine/data/embedding_set.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/chart_frame.h"
#include "widgets/curve_chart.h"
#include "widgets/curve_legend.h"
#include "widgets/curve_view.h"
#include "widgets/line_style.h"
#include "widgets/number_format.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QtTest>

#include <cmath>
#include <limits>
#include <set>

using namespace assay;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One line, 1 - x to some power, at ten even steps.
CurveValues calibration(double power) {
    CurveValues values{"coverage_calibration", {}, {{{}, {}}}};
    for (int i = 0; i <= 10; ++i) {
        values.x.push_back(i / 10.0);
        values.lines[0].y.push_back(std::pow(i / 10.0, power));
    }
    return values;
}

/// k = 1 .. 20 of shares and of PCE in nats, which has a band.
CurveValues sensitivity() {
    CurveValues values{
        "k_sensitivity", {}, {{"clipped_density", {}}, {"clipped_coverage", {}}, {"recall", {}}, {"pce", {}, {}, {}}}};
    for (int k = 1; k <= 20; ++k) {
        values.x.push_back(k);
        for (std::size_t line = 0; line < 3; ++line)
            values.lines[line].y.push_back(0.9 - 0.2 * static_cast<double>(line) - 0.5 / k);
        values.lines[3].y.push_back(40.0 + k);
        values.lines[3].low.push_back(38.0 + k);
        values.lines[3].high.push_back(42.0 + k);
    }
    return values;
}

std::shared_ptr<AuditResult> auditWith(std::size_t models, const std::string& name = {}) {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit({.models = models}));
    for (std::size_t m = 0; m < models; ++m) {
        auto model = std::make_shared<ModelAudit>(*audit->models[m]);
        if (!name.empty())
            model->name = name + std::to_string(m);
        model->curves = {calibration(0.4 + 0.3 * static_cast<double>(m)), sensitivity()};
        audit->models[m] = model;
    }
    return audit;
}

std::shared_ptr<AuditResult> withCurves(const std::shared_ptr<AuditResult>& audit, std::size_t model,
                                        std::vector<CurveValues> curves) {
    auto result = std::make_shared<AuditResult>(*audit);
    auto changed = std::make_shared<ModelAudit>(*audit->models[model]);
    changed->curves = std::move(curves);
    result->models[model] = changed;
    return result;
}

struct Window : test::ShownView<CurveView> {
    QComboBox* picker = view.findChild<QComboBox*>("curvePicker");
    CurveChart* chart = view.findChild<CurveChart*>("curveChart");
    CurveLegend* legend = view.findChild<CurveLegend*>("curveLegend");

    explicit Window(const ViewState& state, QSize size = {760, 420}) : ShownView(state, size) { settle(); }
    void settle() {
        QCoreApplication::processEvents();
        view.grab();
    }
    void setModel(std::size_t model) {
        ViewState next = view.state();
        next.model = model;
        view.showState(next);
        settle();
    }
    void pick(int at) {
        picker->setFocus();
        while (picker->currentIndex() != at)
            QTest::keyClick(picker, picker->currentIndex() < at ? Qt::Key_Down : Qt::Key_Up);
        settle();
    }
    QWidget* target(QPoint point) { return chart->childAt(point); }
    void hover(QPoint point) {
        QWidget* child = target(point);
        QMouseEvent move(QEvent::MouseMove, child->mapFrom(chart, point), chart->mapToGlobal(point), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(child, &move);
    }
    void click(QPoint point) {
        QWidget* child = target(point);
        QTest::mouseClick(child, Qt::LeftButton, {}, child->mapFrom(chart, point));
    }
    void clickTick(int row) {
        const QRect rect = legend->visualItemRect(legend->item(row));
        QTest::mouseClick(legend->viewport(), Qt::LeftButton, {}, QPoint(rect.left() + 10, rect.center().y()));
        settle();
    }
    QStringList names() const {
        QStringList result;
        for (int row = 0; row < legend->count(); ++row)
            result << legend->item(row)->text();
        return result;
    }
    /// Whether the chart's library draws a line, of the first style, where the mouse would find it.
    bool isDrawnBetween(std::size_t line, std::size_t point) {
        const QPoint middle = (chart->positionOf(line, point) + chart->positionOf(line, point + 1)) / 2;
        const QImage image = chart->grab().toImage();
        const double ratio = image.devicePixelRatio();
        const QColor wanted = lineStyle(ChartLine{}, chart->palette()).pen.color();
        for (int off = -2; off <= 2; ++off) {
            const QColor found = image.pixelColor(((middle + QPoint(off, 0)) * ratio));
            if (std::abs(found.red() - wanted.red()) + std::abs(found.green() - wanted.green()) +
                    std::abs(found.blue() - wanted.blue()) <
                90)
                return true;
        }
        return false;
    }
    const ChartAxis& x() const { return chart->frame().xAxis(); }
    const ChartAxis& y() const { return chart->frame().yAxis(); }
    std::size_t seriesCount() const { return chart->frame().seriesCount(); }
};

} // namespace

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
    void axesFitWhatIsShown();
    void ticksDrawAndAreRemembered();
    void hoverTellsThePoint();
    void keysWalkTheLines();
    void clickOnALineChoosesItsModel();
    void gapsAreNotBridged();
    void demandedCurvesAreThere();
    void drawsPceAgainstRe();
    void endsAreNamedBesideTheLines();
    void idealComesFirstOfMany();
    void drawsTheIdealThatTheCaptionSpeaksOf();
    void asksForCurvesOnDemand();
    void showsACurveThatIsComputedAgain();
    void showsWhatIsComputedAndNothingElse();
    void offersNoCurveWhileAJobRuns();
    void discardsByEveryScoreOfTheAudit();
    void marksWhereTheModelsLieOnTheBadFraction();
    void marksScoresBeyondTheCurveAtTheirValue();
    void saysWhenTheCurveHasFarFewerSamples();
    void tellsTheNearestOfMarksThatOverlap();
    void marksWhereMeanCoverageLands();
    void marksTheAuditsOwnK();
    void namesTheLinesOfMeasuredCoverage();
    void sizesAreOnALogarithmicAxis();
    void ticksAreTheSizes_data();
    void ticksAreTheSizes();
    void linesDifferInTwoWays();
    void controlsComeAndGoWithTheirScore();
    void fits_data();
    void fits();
    void saysNothingNewOnTheSameState();
    void teachesWhenEmpty();
};

void CurveViewTest::picksAmongTheCurvesOfTheModel() {
    Window window({auditWith(2), 0, nullptr});
    QCOMPARE(window.picker->count(), 2);
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    QVERIFY(window.view.findChild<QLabel*>("curveCaption")->text().contains("expected to reach"));
    QCOMPARE(window.x().title, QString("Share of good samples"));
    window.pick(1);
    QCOMPARE(window.x().title, QString("k"));
    QVERIFY(window.chosen.empty());
}

void CurveViewTest::keepsThePickWhileAModelLacksIt() {
    Window window({withCurves(auditWith(3), 1, {calibration(1.0)}), 0, nullptr});
    window.pick(1);
    window.setModel(1);
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    window.setModel(2);
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
}

void CurveViewTest::overlaysTheModelsOfASingleLine() {
    Window window({withCurves(auditWith(3), 1, {}), 2, nullptr});
    QCOMPARE(window.names(), QStringList({"faithful", "noise30"})); // the other one has no curve
    QCOMPARE(window.seriesCount(), 2U);
    QVERIFY(window.legend->item(1)->font().bold());
    QVERIFY(!window.legend->item(0)->font().bold());
    window.setModel(0);
    QVERIFY(window.legend->item(0)->font().bold());
    test::shoot(window.view, "curve-overlay");
}

void CurveViewTest::drawsEveryLineOfOneModel() {
    Window window({auditWith(3), 0, nullptr});
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
    Window window({withCurves(auditWith(1), 0, {many}), 0, nullptr});
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
    Window window({withCurves(auditWith(1), 0, {discard}), 0, nullptr});
    QCOMPARE(window.names(),
             QStringList({"Clipped density", "Clipped density, at random", "PCE (nats)", "PCE (nats), at random"}));
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true, false, false}));
}

void CurveViewTest::axesFitWhatIsShown() {
    Window window({auditWith(1), 0, nullptr});
    QVERIFY(window.y().from < 0.0 && window.y().from > -0.1 && window.y().to > 1.0 && window.y().to < 1.1);
    window.pick(1);
    QVERIFY(window.y().to < 1.1);
    QVERIFY(window.x().step >= 1.0);
    window.clickTick(3);
    QVERIFY(window.y().to >= 62.0);               // the band, too
    QCOMPARE(window.y().title, QString("Value")); // shares and nats
    for (int row = 0; row < 3; ++row)
        window.clickTick(row);
    QVERIFY(window.y().from > 30.0);
    QCOMPARE(window.y().title, QString("Value (nats)"));
    QCOMPARE(window.seriesCount(), 2U); // line and band
    test::shoot(window.view, "curve-band");
    window.clickTick(3);
    QCOMPARE(window.seriesCount(), 0U);
    test::shoot(window.view, "curve-none");
}

void CurveViewTest::ticksDrawAndAreRemembered() {
    Window window({auditWith(3), 0, nullptr});
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
    Window window({auditWith(2), 0, nullptr});
    window.hover(window.chart->positionOf(1, 5));
    QCOMPARE(window.chart->told(), QString("copies (!)\nShare of good samples: 0.500\nExpected mean coverage: 0.616"));
    window.settle();
    test::shoot(window.view, "curve-hover");
    window.hover(window.chart->positionOf(1, 9) + QPoint(0, 150)); // far below every line
    QCOMPARE(window.chart->told(), QString());
    window.pick(1);
    window.clickTick(3);
    window.hover(window.chart->positionOf(3, 4));
    QCOMPARE(window.chart->told(), QString("PCE (nats)\nk: 5\nValue: 45.0 nats [43.0, 47.0]"));
    window.clickTick(3); // gone with its line
    QCOMPARE(window.chart->told(), QString());
}

void CurveViewTest::keysWalkTheLines() {
    Window window({auditWith(3), 1, nullptr});
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY(window.chart->told().startsWith("copies (!)\nShare of good samples: 0\n"));
    QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY(window.chart->told().contains("0.100"));
    QTest::keyClick(window.chart, Qt::Key_Down);
    QVERIFY(window.chart->told().startsWith("noise30\nShare of good samples: 0.100"));
    QTest::keyClick(window.chart, Qt::Key_Down); // there is none
    QVERIFY(window.chart->told().startsWith("noise30"));
    QVERIFY(window.chosen.empty());
    QTest::keyClick(window.chart, Qt::Key_Return);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2}));
}

void CurveViewTest::clickOnALineChoosesItsModel() {
    Window window({auditWith(3), 0, nullptr});
    window.click(window.chart->positionOf(2, 4));
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2}));
    window.settle();
    window.click(window.chart->positionOf(2, 4)); // already current
    window.legend->setFocus();
    window.legend->setCurrentRow(1);
    QTest::keyClick(window.legend, Qt::Key_Return);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2, 1}));
    window.pick(1);
    window.click(window.chart->positionOf(0, 4)); // lines of one model: nothing to choose
    QCOMPARE(window.chosen.size(), 2U);
}

void CurveViewTest::gapsAreNotBridged() {
    CurveValues values = calibration(1.0);
    values.lines[0].y[3] = kNaN;
    values.lines[0].y[4] = std::numeric_limits<double>::infinity();
    QCOMPARE(runsOf(values.x, values.lines[0].y).size(), 2U);
    Window window({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QCOMPARE(window.seriesCount(), 2U);
    window.chart->setFocus();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY2(window.chart->told().contains("0.500\n"), qPrintable(window.chart->told())); // past the gap
    // Nothing at all to draw, and all the same.
    values.lines[0].y.assign(values.x.size(), kNaN);
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    window.settle();
    QTest::keyClick(window.chart, Qt::Key_Right);
    QCOMPARE(window.chart->told(), QString());
    values.lines[0].y.assign(values.x.size(), 5.0);
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QVERIFY(window.y().from < 5.0 && window.y().to > 5.0);
    values.lines[0].y.pop_back(); // not a curve
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QCOMPARE(window.picker->count(), 0);
}

void CurveViewTest::demandedCurvesAreThere() {
    auto audit = auditWith(2);
    CurveValues discard = sensitivity();
    discard.id = "discard";
    CurveValues bad = sensitivity();
    bad.id = "bad_fraction";
    audit->curves = {{"discard_by_pce", audit->models[1]->name, "worst first by pce; seed 0", discard},
                     {"bad_fraction", "", "far noise", bad}};
    Window window({audit, 0, nullptr});
    QCOMPARE(window.picker->count(), 3);
    QCOMPARE(window.picker->itemText(2), QString("Bad fraction"));
    window.setModel(1);
    QCOMPARE(window.picker->itemText(2), QString("Discarding, by PCE"));
    window.pick(2);
    QVERIFY(window.view.findChild<QLabel*>("curveCaption")->text().contains("seed 0"));
}

void CurveViewTest::drawsPceAgainstRe() {
    auto audit = auditWith(1);
    CurveValues tradeoff{"pce_re_tradeoff", {0.0, 0.1, 0.2}, {}};
    tradeoff.lines = {{"pce", {30.0, 12.0, 4.0}},
                      {"re", {5.0, 6.0, 6.0}}, // a value twice: points are told apart by the share
                      {"pce/random", {30.0, 29.0, 31.0}},
                      {"re/random", {5.0, 5.5, 5.2}}};
    audit->curves = {{"pce_re_tradeoff", audit->models[0]->name, "worst first by PCE; seed 0", tradeoff}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.x().title, QString("RE (nats)"));
    QCOMPARE(window.y().title, QString("PCE (nats)"));
    QVERIFY(window.x().from < 5.0 && window.x().from > 4.0 && window.x().to > 6.0 && window.x().to < 7.0);
    QCOMPARE(window.names(), QStringList({"Worst by PCE first", "At random"}));
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true}));
    window.hover(window.chart->positionOf(0, 2));
    QCOMPARE(window.chart->told(), QString("Worst by PCE first\nRE: 6.00 nats\nPCE: 4.00 nats\nShare discarded: 20 %"));
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Left);
    QVERIFY2(window.chart->told().endsWith("PCE: 12.0 nats\nShare discarded: 10 %"), qPrintable(window.chart->told()));
    window.settle();
    test::shoot(window.view, "curve-tradeoff");
}

void CurveViewTest::endsAreNamedBesideTheLines() {
    auto audit = auditWith(1);
    CurveValues tradeoff{"pce_re_tradeoff", {}, {{"pce", {}}, {"re", {}}, {"pce/random", {}}, {"re/random", {}}}};
    for (int i = 0; i < 10; ++i) {
        tradeoff.x.push_back(i / 10.0);
        tradeoff.lines[0].y.push_back(30.0 - 3.0 * i);
        tradeoff.lines[1].y.push_back(5.0 - i * i / 20.0);
        tradeoff.lines[2].y.push_back(30.0 + 0.2 * (i % 3)); // hither and thither about one point
        tradeoff.lines[3].y.push_back(5.0 + 0.05 * (i % 2) - 0.03 * i);
    }
    audit->curves = {{"pce_re_tradeoff", audit->models[0]->name, "worst first by PCE; seed 0", tradeoff}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    const std::vector<CurveChart::EndLabel> labels = window.chart->endLabels();
    QStringList texts;
    for (const CurveChart::EndLabel& label : labels)
        texts << label.text;
    QCOMPARE(texts, QStringList({"Share discarded: 0 %", "Share discarded: 90 %", "Share discarded: 90 %"}));
    for (const CurveChart::EndLabel& label : labels) {
        QVERIFY(window.chart->frame().plotArea().contains(label.box));
        for (const CurveChart::EndLabel& other : labels)
            QVERIFY(&other == &label || !other.box.intersects(label.box));
        for (std::size_t line = 0; line < 2; ++line)
            for (std::size_t point = 0; point + 1 < 10; ++point)
                for (int step = 0; step <= 100; ++step) {
                    const QPointF from = window.chart->positionOf(line, point);
                    const QPointF to = window.chart->positionOf(line, point + 1);
                    QVERIFY(!label.box.contains(from + (to - from) * step / 100.0));
                }
    }
    window.settle();
    test::shoot(window.view, "curve-tradeoff-ends");
}

void CurveViewTest::drawsTheIdealThatTheCaptionSpeaksOf() {
    auto audit = auditWith(2);
    CurveValues bad{"bad_fraction", {}, {{"clipped_density", {}}, {"pce", {}}}};
    for (int i = 0; i <= 10; ++i) {
        bad.x.push_back(i / 10.0);
        bad.lines[0].y.push_back(0.95 * (1.0 - i / 10.0));
        bad.lines[1].y.push_back(5.0 * i);
    }
    audit->curves = {{"bad_fraction", "", "far noise", bad}};
    for (auto& model : audit->models) {
        auto changed = std::make_shared<ModelAudit>(*model);
        changed->curves.push_back({"alpha_precision_curve", {0.0, 0.5, 1.0}, {{{}, {0.0, 0.4, 1.0}}}});
        model = changed;
    }
    Window window({audit, 0, nullptr});
    QCOMPARE(window.names().filter("Ideal"), QStringList());
    window.pick(3);
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    QVERIFY(window.view.findChild<QLabel*>("curveCaption")->text().contains("ideal"));
    QCOMPARE(window.names().front(), QString::fromUtf8("Ideal, 1 \u2212 x"));
    QCOMPARE(window.legend->item(0)->checkState(), Qt::Checked);
    QCOMPARE(window.chart->frame().seriesCount(), std::size_t{2}); // one score and the ideal; nats have their own axis
    window.hover(window.chart->positionOf(0, 3));
    QVERIFY2(window.chart->told().startsWith("Ideal") && window.chart->told().endsWith("0.700"),
             qPrintable(window.chart->told()));
    test::shoot(window.view, "curves-ideal");
    window.clickTick(0);
    QCOMPARE(window.chart->frame().seriesCount(), std::size_t{1});
    window.pick(2);
    QCOMPARE(window.names().front(), QString("Ideal, the diagonal")); // before a line of each model
    QCOMPARE(window.names().size(), 3);
    window.hover(window.chart->positionOf(0, 1));
    QVERIFY(window.chart->told().endsWith("0.500"));
}

void CurveViewTest::idealComesFirstOfMany() {
    auto audit = auditWith(1);
    CurveValues bad{"bad_fraction", {0.0, 1.0}, {}};
    for (const char* name : {"pce", "clipped_density", "clipped_coverage", "precision", "recall", "coverage", "density",
                             "sym_precision", "sym_recall"})
        bad.lines.push_back({name, {1.0, 0.0}});
    bad.lines.push_back({"clipped_density/random", {1.0, 0.5}});
    audit->curves = {{"bad_fraction", "", "far noise", bad}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    QVERIFY(window.names().front().startsWith("Ideal"));
    QCOMPARE(window.names()[1], QString("PCE (nats)")); // its unit is the one that is drawn, the ideal line with it
    QCOMPARE(window.legend->shown().front(), true);
    QCOMPARE(window.legend->shown()[1], true);
    QCOMPARE(window.legend->shown()[2], false);
    bad.lines.erase(bad.lines.begin());
    audit = std::make_shared<AuditResult>(*audit);
    audit->curves.front().values = bad;
    window.view.showState({audit, 0, nullptr});
    const std::vector<bool> shown = window.legend->shown();
    QCOMPARE(std::ranges::count(shown, true), 8); // it is none of the seven that the eye follows
    QCOMPARE(window.names().mid(1, 2), QStringList({"Clipped density", "Clipped density, at random"}));
    window.clickTick(1);
    QVERIFY(!window.legend->shown()[2] && window.legend->shown()[0] && window.legend->shown()[3]);
}

void CurveViewTest::asksForCurvesOnDemand() {
    Window window({auditWith(2), 0, nullptr});
    std::vector<CurveRequest> asked;
    connect(&window.view, &CurveView::curvesWanted, this,
            [&](const CurveRequest& request) { asked.push_back(request); });
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto trigger = [&](int at) {
        emit menu->aboutToShow();
        QVERIFY(menu->actions()[at]->isEnabled());
        menu->actions()[at]->trigger();
    };
    for (const int at : {0, 2, 3, 4})
        trigger(at);
    QCOMPARE(asked.size(), std::size_t{4});
    QVERIFY(asked[0].badFraction && !asked[0].sampleSize && asked[0].discard.empty());
    QVERIFY(!asked[1].badFraction && asked[1].sampleSize);
    QCOMPARE(asked[2].discard, (std::vector<std::string>{"pce"}));
    QCOMPARE(asked[3].discard, (std::vector<std::string>{"fidelity"}));
    bool fileWanted = false;
    connect(&window.view, &CurveView::badSamplesWanted, this, [&] { fileWanted = true; });
    trigger(1);
    QVERIFY(fileWanted);
    QCOMPARE(asked.size(), std::size_t{4}); // which samples is not known yet
    window.pick(1);
    window.setModel(1); // another change meanwhile does not lose what was looked at
    QCOMPARE(window.picker->currentIndex(), 1);
    window.setModel(0);
    // What was asked for is shown once it is there, and then not offered again.
    trigger(2);
    window.view.awaitCurves(asked.back());
    auto audit = std::make_shared<AuditResult>(*window.view.state().audit);
    audit->curves.push_back(
        {"sample_size", audit->models[0]->name, "", {"sample_size", {10.0, 20.0}, {{"pce", {1.0, 2.0}}}}});
    window.view.showState({audit, 0, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Sample size"));
    emit menu->aboutToShow();
    QVERIFY(!menu->actions()[2]->isEnabled() && menu->actions()[0]->isEnabled());
}

namespace {

CurveRequest badFractionRequest() {
    CurveRequest request;
    request.badFraction.emplace();
    return request;
}

CurveRequest sampleSizeRequest() {
    CurveRequest request;
    request.sampleSize = true;
    return request;
}

/// The same audit with the curve of the bad fraction, in place of one that is there.
std::shared_ptr<AuditResult> withBadFraction(const AuditResult& audit, const std::string& bad) {
    auto result = std::make_shared<AuditResult>(audit);
    std::erase_if(result->curves, [](const DemandedCurve& curve) { return curve.key == "bad_fraction"; });
    result->curves.push_back(
        {"bad_fraction", {}, "replaced", {"bad_fraction", {0.0, 1.0}, {{"pce", {1.0, 2.0}}}}, 0, bad});
    return result;
}

std::shared_ptr<AuditResult> withSampleSize(const AuditResult& audit) {
    auto result = std::make_shared<AuditResult>(audit);
    for (const auto& model : audit.models)
        result->curves.push_back({"sample_size", model->name, "", {"sample_size", {7.0}, {{"pce", {1.0}}}}});
    return result;
}

} // namespace

void CurveViewTest::showsACurveThatIsComputedAgain() {
    Window window({auditWith(2), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto offersNoise = [&] {
        emit menu->aboutToShow();
        return menu->actions()[0]->isEnabled();
    };
    const auto compute = [&](const std::string& bad) {
        window.view.setBusy(true);
        window.view.awaitCurves(badFractionRequest());
        window.view.showState({withBadFraction(*window.view.state().audit, bad), 0, nullptr});
        window.view.setBusy(false);
    };
    QVERIFY(offersNoise());
    compute({});
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    QVERIFY(!offersNoise());
    for (int time = 0; time < 2; ++time) { // the same file again gives the same curve, and is as welcome
        window.pick(1);
        compute("faults");
        QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    }
    QVERIFY(offersNoise()); // back to noise
    window.pick(1);
    compute({});
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    QVERIFY(!offersNoise());
}

void CurveViewTest::showsWhatIsComputedAndNothingElse() {
    Window window({withBadFraction(*auditWith(2), {}), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    window.pick(1);
    // Whoever closes the dialog of the file asked for nothing, and what is being computed still comes to the front.
    window.view.setBusy(true);
    window.view.awaitCurves(sampleSizeRequest());
    menu->actions()[1]->setEnabled(true);
    menu->actions()[1]->trigger();
    window.setModel(1);
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
    window.view.showState({withSampleSize(*window.view.state().audit), 1, nullptr});
    window.view.setBusy(false);
    QCOMPARE(window.picker->currentText(), QString("Sample size"));
    // A job that was cancelled is not waited for: another change of the audit leaves the view where it is.
    window.pick(1);
    window.view.setBusy(true);
    window.view.awaitCurves(badFractionRequest());
    window.view.setBusy(false);
    window.view.showState({std::make_shared<AuditResult>(*window.view.state().audit), 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
    // Nor is one of a person who looks at something else by now.
    window.view.setBusy(true);
    window.view.awaitCurves(badFractionRequest());
    window.pick(0);
    window.view.showState({withBadFraction(*window.view.state().audit, "faults"), 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
}

void CurveViewTest::offersNoCurveWhileAJobRuns() {
    Window window({auditWith(1), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto* scores = window.view.findChild<QMenu*>("curveDiscardMenu");
    const auto offered = [&] {
        return std::ranges::count_if(menu->actions(), &QAction::isEnabled) +
               std::ranges::count_if(scores->actions(), &QAction::isEnabled);
    };
    emit menu->aboutToShow();
    const auto all = menu->actions().size() + scores->actions().size();
    QCOMPARE(offered(), all);
    window.view.setBusy(true); // while the menu is open
    QCOMPARE(offered(), 0);
    emit menu->aboutToShow();
    QCOMPARE(offered(), 0);
    QVERIFY(window.view.findChild<QWidget*>("curveMore")->toolTip().contains("running job"));
    window.view.setBusy(false);
    QCOMPARE(offered(), all);
}

void CurveViewTest::discardsByEveryScoreOfTheAudit() {
    auto audit = auditWith(2);
    auto lacking = std::make_shared<ModelAudit>(*audit->models[1]);
    std::erase_if(lacking->columns, [](const ColumnValues& column) { return column.id == "re"; });
    audit->models[1] = lacking;
    Window window({audit, 0, nullptr});
    std::vector<std::string> asked;
    connect(&window.view, &CurveView::curvesWanted, this,
            [&](const CurveRequest& request) { asked = request.discard; });
    auto* more = window.view.findChild<QMenu*>("curveMoreMenu");
    emit more->aboutToShow();
    auto* scores = window.view.findChild<QMenu*>("curveDiscardMenu");
    QCOMPARE(more->actions().back(), scores->menuAction());
    QStringList offered;
    for (const QAction* action : scores->actions())
        offered << action->data().toString().mid(QString("discard_by_").size());
    QStringList expected;
    for (const Column& column : columnCatalog())
        if (canDiscardBy(column.id) && lacking->hasColumn(column.id) && column.id != "pce" && column.id != "fidelity")
            expected << QString::fromUtf8(column.id.data(), static_cast<qsizetype>(column.id.size()));
    QVERIFY(expected.size() >= 3 && expected.contains("authentic") && !expected.contains("re"));
    QCOMPARE(offered, expected);
    QVERIFY(!scores->actions().front()->toolTip().isEmpty());
    more->popup(window.view.mapToGlobal(QPoint(100, 40)));
    QTest::keyClick(more, Qt::Key_Up); // the last entry
    QTest::keyClick(more, Qt::Key_Right);
    QTest::keyClick(scores, Qt::Key_Return);
    QCOMPARE(asked, (std::vector<std::string>{expected.front().toStdString()}));
    // What is there is not offered again.
    auto with = std::make_shared<AuditResult>(*audit);
    with->curves.push_back({"discard_by_" + expected.front().toStdString(),
                            audit->models[0]->name,
                            "",
                            {"discard", {0.0, 0.1}, {{"precision", {0.5, 0.6}}}}});
    CurveRequest discard;
    discard.discard = asked;
    window.view.awaitCurves(discard);
    window.view.showState({with, 0, nullptr});
    QVERIFY(window.picker->currentText().startsWith("Discarding, by "));
    emit more->aboutToShow();
    QVERIFY(!scores->actions()[0]->isEnabled() && scores->actions()[1]->isEnabled());
}

void CurveViewTest::marksWhereTheModelsLieOnTheBadFraction() {
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
    Window window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    std::vector<ChartMark> marks = window.chart->marks();
    std::erase_if(marks, [](const ChartMark& mark) { return mark.line != 1U; });
    QCOMPARE(marks.size(), 3U);
    QCOMPARE(marks.back().model, std::optional<std::size_t>(0)); // the current one lies above
    for (const ChartMark& mark : marks) {
        const double score = audit->models[*mark.model]->metric("clipped_density");
        QVERIFY(std::abs(mark.at.x() - equivalentBadFraction(bad, "clipped_density", score)) < 1e-12);
        QCOMPARE(mark.at.y(), score);
        QCOMPARE(mark.current, *mark.model == 0);
    }
    const ChartMark noise = *std::ranges::find(marks, std::optional<std::size_t>(2), &ChartMark::model);
    const QString expected =
        QString("noise30\nClipped density: %1\nEquivalent bad fraction: %2")
            .arg(formatNumber(audit->models[2]->metric("clipped_density")), formatPercent(noise.at.x()));
    window.hover(window.chart->positionOf(noise));
    QCOMPARE(window.chart->told(), expected);
    window.settle();
    test::shoot(window.view, "curve-marks");
    QVERIFY(window.legend->item(1)->toolTip().contains("<b>noise30</b>; Clipped density: "));
    QVERIFY(window.view.findChild<QLabel*>("curveCaption")->text().contains("own score"));
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_PageDown); // the current one, which is the last
    QVERIFY2(window.chart->told().startsWith("faithful"), qPrintable(window.chart->told()));
    QTest::keyClick(window.chart, Qt::Key_PageUp);
    QCOMPARE(window.chart->told(), expected);
    QTest::keyClick(window.chart, Qt::Key_Return);
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2}));
    window.setModel(0);
    window.click(window.chart->positionOf(noise));
    QCOMPARE(window.chosen, (std::vector<std::size_t>{2, 2}));
    window.clickTick(1);
    window.hover(window.chart->positionOf(noise));
    QVERIFY(!window.chart->told().contains("Equivalent")); // gone with its line
    window.pick(3);                                        // the same shares, on the relative line
    QCOMPARE(window.chart->marks().size(), 6U);
    QVERIFY(std::ranges::any_of(window.chart->marks(), [&](const ChartMark& mark) {
        return mark.line == 1U && mark.model == 2U && mark.at.x() == noise.at.x() &&
               std::abs(mark.at.y() - noise.at.y() / 0.99) < 1e-12 && mark.told == expected;
    }));
}

void CurveViewTest::marksScoresBeyondTheCurveAtTheirValue() {
    auto audit = auditWith(3);
    const std::vector<double> densities{0.98, 0.5, 0.05};
    for (std::size_t m = 0; m < 3; ++m) {
        auto scored = std::make_shared<ModelAudit>(*audit->models[m]);
        for (MetricValue& metric : scored->metrics)
            if (metric.id == "clipped_density")
                metric.value = densities[m];
            else if (metric.id == "pce")
                metric.value = m == 0 ? -3.0 : 10.0;
        audit->models[m] = scored;
    }
    CurveValues bad{
        "bad_fraction", {0.0, 0.5, 1.0}, {{"clipped_density", {0.8, 0.45, 0.1}}, {"pce", {2.0, 20.0, 40.0}}}};
    CurveValues relative{"bad_fraction_relative",
                         {0.0, 0.5, 1.0},
                         {{"clipped_density", {1.0, 0.5625, 0.125}}, {"pce", {0.0, 18.0, 38.0}}}};
    audit->curves = {{"bad_fraction", "", "far noise", bad}, {"bad_fraction_relative", "", "far noise", relative}};
    Window window({audit, 1, nullptr});
    const auto markOf = [&](std::size_t line, std::size_t model) {
        for (const ChartMark& mark : window.chart->marks())
            if (mark.line == line && mark.model == model)
                return mark;
        return ChartMark{};
    };
    window.pick(2);
    QCOMPARE(window.chart->marks().size(), 6U);
    QCOMPARE(markOf(1, 0).at, QPointF(0.0, 0.98));
    QCOMPARE(markOf(1, 0).shape, ChartMark::Shape::Above);
    QCOMPARE(markOf(1, 1).shape, ChartMark::Shape::Point);
    QCOMPARE(markOf(1, 1).at.y(), 0.5);
    QCOMPARE(markOf(1, 2).at, QPointF(1.0, 0.05));
    QCOMPARE(markOf(1, 2).shape, ChartMark::Shape::Below);
    QCOMPARE(markOf(2, 0).at, QPointF(0.0, -3.0));
    QCOMPARE(markOf(2, 0).shape, ChartMark::Shape::Below);
    window.hover(window.chart->positionOf(markOf(1, 0)));
    QCOMPARE(window.chart->told(),
             QString("faithful\nClipped density: 0.980\nBeyond the curve's end: 0.800 with 0 % bad samples"));
    window.hover(window.chart->positionOf(markOf(1, 2)));
    QCOMPARE(window.chart->told(),
             QString("noise30\nClipped density: 0.0500\nBeyond the curve's end: 0.100 with 100 % bad samples"));
    const QString caption = window.view.findChild<QLabel*>("curveCaption")->text();
    QVERIFY2(caption.contains("Outlined circles") && caption.contains("Triangles"), qPrintable(caption));
    window.clickTick(2); // the axis reaches as far as the mark
    QVERIFY(window.y().from <= -3.0);
    test::shoot(window.view, "curve-beyond");
    window.pick(3); // on its own scale
    QVERIFY(std::abs(markOf(1, 0).at.y() - 0.98 / 0.8) < 1e-12);
    QCOMPARE(markOf(1, 0).shape, ChartMark::Shape::Above);
    QCOMPARE(markOf(2, 0).at, QPointF(0.0, -5.0));
    QVERIFY(markOf(1, 0).told.contains("Clipped density: 0.980\n"));
    window.pick(0);
    QVERIFY(!window.view.findChild<QLabel*>("curveCaption")->text().contains("Triangles"));
}

void CurveViewTest::saysWhenTheCurveHasFarFewerSamples() {
    auto audit = auditWith(2);
    const std::size_t rows = audit->models[0]->set->rows();
    QVERIFY(rows >= 10 && audit->models[1]->set->rows() == rows);
    Window window({audit, 0, nullptr});
    const auto said = [&](std::size_t samples) {
        audit = withBadFraction(*audit, "faults");
        audit->curves.back().samples = samples;
        window.view.awaitCurves(badFractionRequest());
        window.view.showState({audit, 0, nullptr});
        const QString caveat = QString("Each point has %1 samples, a model up to %2").arg(samples).arg(rows);
        const bool inCaption = window.view.findChild<QLabel*>("curveCaption")->text().contains(caveat);
        const bool inToolTip = window.picker->toolTip().contains(caveat); // where there is no room for the caption
        return inCaption && inToolTip ? 2 : inCaption || inToolTip ? 1 : 0;
    };
    QCOMPARE(said(rows), 0);
    QCOMPARE(said(rows / 2), 0); // as half of the real set gives
    QCOMPARE(said(rows / 2 - 1), 2);
    QCOMPARE(said(4), 2);
    test::shoot(window.view, "curve-few-samples");
    QCOMPARE(said(0), 0); // a curve of the models themselves
}

void CurveViewTest::tellsTheNearestOfMarksThatOverlap() {
    auto audit = auditWith(2);
    for (std::size_t m = 0; m < 2; ++m) {
        auto scored = std::make_shared<ModelAudit>(*audit->models[m]);
        for (MetricValue& metric : scored->metrics)
            if (metric.id == "clipped_density")
                metric.value = m == 0 ? 0.60 : 0.61;
        audit->models[m] = scored;
    }
    audit->curves = {{"bad_fraction", "", "", {"bad_fraction", {0.0, 1.0}, {{"clipped_density", {1.0, 0.0}}}}}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    const std::vector<ChartMark>& marks = window.chart->marks();
    QCOMPARE(marks.size(), 2U);
    const QPoint apart = window.chart->positionOf(marks[0]) - window.chart->positionOf(marks[1]);
    QVERIFY(apart.manhattanLength() >= 4 && apart.manhattanLength() <= 9);
    for (const ChartMark& mark : marks) {
        window.hover(window.chart->positionOf(mark));
        QCOMPARE(window.chart->told(), mark.told);
    }
}

void CurveViewTest::marksWhereMeanCoverageLands() {
    const auto audit = auditWith(2);
    for (auto& model : audit->models) {
        auto scored = std::make_shared<ModelAudit>(*model);
        scored->metrics.push_back({"clipped_coverage_unnormalized", 0.7});
        model = scored;
    }
    Window window({audit, 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
    QCOMPARE(window.chart->marks().size(), 2U);
    const ChartMark& own = window.chart->marks().back();
    QVERIFY(own.current && own.shape == ChartMark::Shape::Landed);
    const double mean = audit->models[1]->metric("clipped_coverage_unnormalized");
    const double calibrated = audit->models[1]->metric("clipped_coverage");
    QCOMPARE(own.at, QPointF(calibrated, mean));
    window.hover(window.chart->positionOf(own));
    QCOMPARE(window.chart->told(), QString("copies (!)\nMean coverage: %1\nClipped coverage: %2")
                                       .arg(formatNumber(mean), formatNumber(calibrated)));
    window.settle();
    test::shoot(window.view, "curve-landed");
}

void CurveViewTest::marksTheAuditsOwnK() {
    auto audit = auditWith(1);
    Window window({audit, 0, nullptr});
    window.pick(1);
    QCOMPARE(window.chart->marks().size(), 1U);
    const ChartMark own = window.chart->marks().front();
    QCOMPARE(own.at.x(), 5.0);
    QCOMPARE(own.label, QString("k = 5"));
    const QPoint label = QPoint(window.chart->positionOf(own).x(), 0) +
                         QPoint(12, static_cast<int>(window.chart->frame().plotArea().top()) + 8);
    window.hover(label);
    QCOMPARE(window.chart->told(), QString("k of this audit: 5"));
    window.settle();
    test::shoot(window.view, "curve-own-k");
    audit = std::make_shared<AuditResult>(*audit);
    audit->k = 30; // beyond what the curve holds
    window.view.showState({audit, 0, nullptr});
    QVERIFY(window.chart->marks().empty());
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
    Window window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.names(), QStringList({"Mean coverage, measured", "Mean coverage, expected", "Clipped coverage"}));
    window.hover(window.chart->positionOf(2, 1));
    QCOMPARE(window.chart->told(), QString("Clipped coverage\nShare of good samples: 0.500\nValue: 0.500"));
    QCOMPARE(window.y().title, QString("Value"));
}

void CurveViewTest::sizesAreOnALogarithmicAxis() {
    auto audit = auditWith(1);
    CurveValues sizes{"sample_size", {}, {{"precision", {}, {}, {}}}};
    for (double size = 78.0; size <= 10000.0; size *= 2.0) {
        sizes.x.push_back(size);
        sizes.lines[0].y.push_back(sizes.x.size() % 2 == 0 ? 0.2 : 0.8); // the way between is steep
        sizes.lines[0].low.push_back(0.7 - 3.0 / std::sqrt(size));
        sizes.lines[0].high.push_back(0.7 + 3.0 / std::sqrt(size));
    }
    sizes.lines.push_back({"recall", std::vector<double>(sizes.x.size(), 0.05)});
    audit->curves = {{"sample_size", audit->models[0]->name, "disjoint random parts; seed 0", sizes}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.x().scale, ChartAxis::Scale::Logarithmic);
    const auto below = [](const Window& at) { // the axis
        const QRect plot = at.chart->frame().plotArea().toRect();
        return at.chart->grab({0, plot.bottom() + 3, at.chart->width(), at.chart->height()}).toImage();
    };
    const QImage after = below(window); // nothing is left of the linear one
    Window fresh({withCurves(audit, 0, {}), 0, nullptr});
    QCOMPARE(fresh.picker->currentText(), QString("Sample size"));
    fresh.chart->clearFocus();
    QCOMPARE(below(fresh), after);
    QVERIFY(window.x().from > 0.0 && window.x().from <= 78.0 && window.x().to >= sizes.x.back());
    // Doubling is one step everywhere, where the line is drawn and where the mouse finds it.
    const std::size_t last = sizes.x.size() - 1;
    const int first = window.chart->positionOf(0, 1).x() - window.chart->positionOf(0, 0).x();
    QVERIFY(first > 20);
    for (std::size_t i = 1; i < last; ++i)
        QVERIFY(std::abs(window.chart->positionOf(0, i + 1).x() - window.chart->positionOf(0, i).x() - first) <= 1);
    test::shoot(window.view, "curve-sizes");
    for (std::size_t i = 0; i < last; ++i)
        QVERIFY2(window.isDrawnBetween(0, i), qPrintable(QString::number(i)));
    window.hover(window.chart->positionOf(0, 1));
    QVERIFY2(window.chart->told().startsWith("Precision\nSynthetic samples: 156\n"), qPrintable(window.chart->told()));
    window.settle();
    test::shoot(window.view, "curve-sizes");
    window.pick(1); // and back
    QCOMPARE(window.x().scale, ChartAxis::Scale::Linear);
    QVERIFY(window.isDrawnBetween(0, 0));
}

void CurveViewTest::ticksAreTheSizes_data() {
    QTest::addColumn<std::vector<double>>("sizes");
    QTest::addColumn<bool>("all");
    QTest::newRow("one") << std::vector<double>{7} << true;
    QTest::newRow("halves, rounded") << std::vector<double>{87, 175, 350} << true;
    std::vector<double> many;
    for (double size = 61; size < 1e6; size *= 2)
        many.push_back(size);
    QTest::newRow("more than there is room for") << many << false;
}

void CurveViewTest::ticksAreTheSizes() {
    QFETCH(std::vector<double>, sizes);
    QFETCH(bool, all);
    auto audit = withCurves(auditWith(1), 0, {calibration(1.0)});
    const std::vector<double> flat(sizes.size(), 0.5);
    audit->curves = {{"sample_size", audit->models[0]->name, "", {"sample_size", sizes, {{"recall", flat}}}}};
    QTest::failOnWarning(QRegularExpression("."));
    Window window({audit, 0, nullptr}, {620, 420});
    QVERIFY(window.x().from < 0.0);
    window.pick(1); // from lines that have points at 0
    const ChartFrame& frame = window.chart->frame();
    const std::vector<double> numbered = frame.numberedTicks();
    QVERIFY(!numbered.empty() && numbered.back() == sizes.back());
    if (all)
        QCOMPARE(numbered, sizes);
    else
        QVERIFY(numbered.size() >= 4 && numbered.size() < sizes.size() && numbered.front() <= sizes[3]);
    double before = -1e9;
    for (const double size : numbered) {
        QVERIFY(std::ranges::count(sizes, size) == 1);
        const double x = frame.toWidget({size, 0.5}).x();
        QVERIFY(x - before > QFontMetrics(frame.font()).horizontalAdvance(formatNumber(size)));
        before = x;
    }
    // A number below each of them, and none elsewhere.
    window.chart->clearFocus();
    window.settle();
    const QRect plot = frame.plotArea().toRect();
    const QImage image = window.chart->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const QColor base = window.chart->palette().color(QPalette::Base);
    const auto hasInk = [&](double x) {
        const QRect label(static_cast<int>(x) - 4, plot.bottom() + 6, 8, QFontMetrics(frame.font()).height());
        for (int px = label.left(); px <= label.right(); ++px)
            for (int py = label.top(); py <= label.bottom(); ++py)
                if (std::abs(image.pixelColor(QPoint(px, py) * ratio).lightness() - base.lightness()) > 60)
                    return true;
        return false;
    };
    for (const double size : numbered)
        QVERIFY2(hasInk(frame.toWidget({size, 0.5}).x()), qPrintable(QString::number(size)));
    if (numbered.size() == 3)
        QVERIFY(!hasInk((frame.toWidget({numbered[0], 0.5}).x() + frame.toWidget({numbered[1], 0.5}).x()) / 2.0));
    test::shoot(window.view, QString("curve-sizes-%1").arg(sizes.size()));
    window.pick(0); // and back to linear axes
    QVERIFY(frame.numberedTicks().empty());
}

void CurveViewTest::linesDifferInTwoWays() {
    std::set<std::pair<QRgb, int>> colourAndDash;
    std::set<std::pair<QRgb, int>> colourAndMarker;
    std::set<std::pair<int, int>> dashAndMarker; // for eyes that do not tell the colours apart
    std::set<std::pair<QRgb, int>> controls;
    for (std::size_t i = 0; i < 24; ++i) {
        ChartLine line{};
        line.style = i;
        const LineStyle style = lineStyle(line, QApplication::palette());
        const QRgb colour = style.pen.color().rgb();
        const int dash = static_cast<int>(style.pen.style());
        colourAndDash.emplace(colour, dash);
        colourAndMarker.emplace(colour, static_cast<int>(style.marker));
        dashAndMarker.emplace(dash, static_cast<int>(style.marker));
        QVERIFY(!style.hollow && style.marked && style.pen.style() != Qt::DashLine);
        line.controlOf = 0;
        const LineStyle control = lineStyle(line, QApplication::palette());
        QCOMPARE(control.pen.style(), Qt::DashLine);
        QCOMPARE(control.marker, style.marker);
        QVERIFY(control.hollow);
        QVERIFY(std::abs(control.pen.color().hslHue() - style.pen.color().hslHue()) <= 4);
        QVERIFY(control.pen.color().lightness() > style.pen.color().lightness() + 20);
        controls.emplace(control.pen.color().rgb(), static_cast<int>(control.marker));
    }
    const std::vector<double> many(101);
    ChartLine dense{};
    dense.x = &many;
    QVERIFY(!lineStyle(dense, QApplication::palette()).marked); // markers would be all there is to see
    QCOMPARE(colourAndDash.size(), 24U);
    QCOMPARE(colourAndMarker.size(), 24U);
    QCOMPARE(dashAndMarker.size(), 24U);
    QCOMPARE(controls.size(), 24U);
}

void CurveViewTest::controlsComeAndGoWithTheirScore() {
    CurveValues discard{"discard", {0.0, 0.1}, {}};
    for (const char* suffix : {"", "/random"})
        for (const char* name : {"clipped_density", "clipped_coverage", "authenticity", "precision", "recall"})
            discard.lines.push_back({name + std::string(suffix), {0.1, 0.2}});
    auto audit = auditWith(1);
    audit->curves = {{"discard_by_pce", audit->models[0]->name, "worst first by PCE; seed 0", discard}};
    Window window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.names().first(4), QStringList({"Clipped density", "Clipped density, at random", "Clipped coverage",
                                                   "Clipped coverage, at random"}));
    // As many as the eye follows, each with its control.
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true, true, true, true, true, true, true, false, false}));
    window.settle();
    test::shoot(window.view, "curve-controls");
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
    QTest::addColumn<int>("models");
    QTest::addColumn<QSize>("size");
    QTest::newRow("one model") << 1 << QSize(820, 440);
    QTest::newRow("twelve models") << 12 << QSize(820, 440);
    QTest::newRow("narrow") << 12 << QSize(330, 420);
    QTest::newRow("flat") << 3 << QSize(640, 200);
}

void CurveViewTest::fits() {
    QFETCH(int, models);
    QFETCH(QSize, size);
    Window window(
        {auditWith(static_cast<std::size_t>(models), "stable-diffusion-v2-guidance-7.5-steps-50-"), 0, nullptr}, size);
    QVERIFY(window.chart->width() >= 180);
    QVERIFY(window.chart->height() >= 110);
    QVERIFY(window.view.rect().contains(QRect(window.legend->mapTo(&window.view, QPoint()), window.legend->size())));
    window.hover(window.chart->positionOf(0, 10));
    window.settle();
    test::shoot(window.view, QString("curve-%1-%2x%3").arg(models).arg(size.width()).arg(size.height()));
}

void CurveViewTest::saysNothingNewOnTheSameState() {
    const auto audit = auditWith(3);
    Window window({audit, 0, nullptr});
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Right);
    const QString told = window.chart->told();
    window.view.showState({audit, 0, std::make_shared<std::vector<bool>>(80, true)}); // rules changed
    QCOMPARE(window.chart->told(), told);
    window.setModel(2);
    QVERIFY(window.chosen.empty());
}

void CurveViewTest::teachesWhenEmpty() {
    Window window({});
    auto* hint = window.view.findChild<QLabel*>("curveHint");
    QVERIFY(hint->isVisible() && hint->text().contains("Open a real"));
    window.view.showState({test::fakeAudit(), 0, nullptr});
    QVERIFY(hint->isVisible() && hint->text().contains("holds no curves yet"));
    test::shoot(window.view, "curve-empty");
    window.view.showState({auditWith(1), 0, nullptr});
    QVERIFY(!hint->isVisible());
    window.view.showState({});
    QVERIFY(hint->isVisible());
}

QTEST_MAIN(CurveViewTest)
#include "curve_view_test.moc"
