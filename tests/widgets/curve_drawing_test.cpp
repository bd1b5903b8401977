// How curves are drawn: axes, ticks, lines, names beside them.
#include "engine/math/statistics/nan.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/curve_window.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/curve_legend.h"

#include <QLabel>

#include <cmath>
#include <limits>
#include <set>

using namespace assay;
using namespace assay::test;

class CurveDrawingTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void axesFitWhatIsShown();
    void gapsAreNotBridged();
    void drawsPceAgainstRe();
    void endsAreNamedBesideTheLines();
    void idealComesFirstOfMany();
    void drawsTheIdealThatTheCaptionSpeaksOf();
    void sizesAreOnALogarithmicAxis();
    void ticksAreTheSizes_data();
    void ticksAreTheSizes();
    void linesDifferInTwoWays();
};

void CurveDrawingTest::axesFitWhatIsShown() {
    CurveWindow window({auditWith(1), 0, nullptr});
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

void CurveDrawingTest::gapsAreNotBridged() {
    CurveValues values = calibration(1.0);
    values.lines[0].y[3] = kNaN;
    values.lines[0].y[4] = std::numeric_limits<double>::infinity();
    CurveWindow window({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QCOMPARE(window.seriesCount(), 2U);
    window.chart->setFocus();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(window.chart, Qt::Key_Right);
    QVERIFY2(window.chart->readOut().contains("0.500\n"), qPrintable(window.chart->readOut())); // past the gap
    // Nothing at all to draw, and all the same.
    values.lines[0].y.assign(values.x.size(), kNaN);
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    window.settle();
    QTest::keyClick(window.chart, Qt::Key_Right);
    QCOMPARE(window.chart->readOut(), QString());
    values.lines[0].y.assign(values.x.size(), 5.0);
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QVERIFY(window.y().from < 5.0 && window.y().to > 5.0);
    values.lines[0].y.pop_back(); // not a curve
    window.view.showState({withCurves(auditWith(1), 0, {values}), 0, nullptr});
    QCOMPARE(window.picker->count(), 0);
}

void CurveDrawingTest::drawsPceAgainstRe() {
    auto audit = auditWith(1);
    CurveValues tradeoff{"pce_re_tradeoff", {0.0, 0.1, 0.2}, {}};
    tradeoff.lines = {{"pce", {30.0, 12.0, 4.0}},
                      {"re", {5.0, 6.0, 6.0}}, // a value twice: points are told apart by the share
                      {"pce/random", {30.0, 29.0, 31.0}},
                      {"re/random", {5.0, 5.5, 5.2}}};
    audit->curves = {{"pce_re_tradeoff", audit->models[0]->name, "worst first by PCE; seed 0", tradeoff}};
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.x().title, QString("RE (nats)"));
    QCOMPARE(window.y().title, QString("PCE (nats)"));
    QVERIFY(window.x().from < 5.0 && window.x().from > 4.0 && window.x().to > 6.0 && window.x().to < 7.0);
    QCOMPARE(window.names(), QStringList({"Worst by PCE first", "At random"}));
    QCOMPARE(window.legend->shown(), (std::vector<bool>{true, true}));
    QCOMPARE(window.readOutAt(0, 2),
             QString("Worst by PCE first\nRE: 6.00 nats\nPCE: 4.00 nats\nShare discarded: 20 %"));
    window.chart->setFocus();
    QTest::keyClick(window.chart, Qt::Key_Left);
    QVERIFY2(window.chart->readOut().endsWith("PCE: 12.0 nats\nShare discarded: 10 %"),
             qPrintable(window.chart->readOut()));
    window.shoot("curve-tradeoff");
}

void CurveDrawingTest::endsAreNamedBesideTheLines() {
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
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QStringList texts;
    std::vector<QRectF> labels;
    for (std::size_t line = 0; line < 2; ++line)
        for (std::size_t point = 0; point < 10; ++point)
            if (const QRectF label = window.chart->nameRect({line, point}); !label.isNull()) {
                labels.push_back(label);
                texts << window.chart->content().series[line].names[static_cast<qsizetype>(point)];
            }
    QCOMPARE(texts, QStringList({"Share discarded: 0 %", "Share discarded: 90 %", "Share discarded: 90 %"}));
    for (const QRectF& label : labels) {
        QVERIFY(window.chart->plotArea().contains(label));
        for (const QRectF& other : labels)
            QVERIFY(&other == &label || !other.intersects(label));
        for (std::size_t line = 0; line < 2; ++line)
            for (std::size_t point = 0; point + 1 < 10; ++point)
                for (int step = 0; step <= 100; ++step) {
                    const QPointF from = window.placeOf(line, point);
                    const QPointF to = window.placeOf(line, point + 1);
                    QVERIFY(!label.contains(from + (to - from) * step / 100.0));
                }
    }
    window.shoot("curve-tradeoff-ends");
}

void CurveDrawingTest::idealComesFirstOfMany() {
    auto audit = auditWith(1);
    CurveValues bad{"bad_fraction", {0.0, 1.0}, {}};
    for (const char* name : {"pce", "clipped_density", "clipped_coverage", "precision", "recall", "coverage", "density",
                             "sym_precision", "sym_recall"})
        bad.lines.push_back({name, {1.0, 0.0}});
    bad.lines.push_back({"clipped_density/random", {1.0, 0.5}});
    audit->curves = {{"bad_fraction", "", "far noise", bad}};
    CurveWindow window({audit, 0, nullptr});
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

void CurveDrawingTest::drawsTheIdealThatTheCaptionSpeaksOf() {
    auto audit = auditWith(2);
    CurveValues bad{"bad_fraction", {}, {{"clipped_density", {}}, {"pce", {}}}};
    for (int i = 0; i <= 10; ++i) {
        bad.x.push_back(i / 10.0);
        bad.lines[0].y.push_back(0.95 * (1.0 - i / 10.0));
        bad.lines[1].y.push_back(5.0 * i);
    }
    audit->curves = {{"bad_fraction", "", "far noise", bad}};
    audit = withEveryModel(audit, [](ModelAudit& model, std::size_t) {
        model.curves.push_back({"alpha_precision_curve", {0.0, 0.5, 1.0}, {{{}, {0.0, 0.4, 1.0}}}});
    });
    CurveWindow window({audit, 0, nullptr});
    QCOMPARE(window.names().filter("Ideal"), QStringList());
    window.pick(3);
    QCOMPARE(window.picker->currentText(), QString("Bad fraction"));
    QVERIFY(window.text("curveCaption").contains("ideal"));
    QCOMPARE(window.names().front(), QString::fromUtf8("Ideal, 1 \u2212 x"));
    QCOMPARE(window.legend->item(0)->checkState(), Qt::Checked);
    QCOMPARE(window.seriesCount(), std::size_t{2}); // one score and the ideal; nats have their own axis
    window.hover(window.placeOf(0, 3));
    QVERIFY2(window.chart->readOut().startsWith("Ideal") && window.chart->readOut().endsWith("0.700"),
             qPrintable(window.chart->readOut()));
    test::shoot(window.view, "curves-ideal");
    window.clickTick(0);
    QCOMPARE(window.seriesCount(), std::size_t{1});
    window.pick(2);
    QCOMPARE(window.names().front(), QString("Ideal, the diagonal")); // before a line of each model
    QCOMPARE(window.names().size(), 3);
    QVERIFY(window.readOutAt(0, 1).endsWith("0.500"));
}

void CurveDrawingTest::sizesAreOnALogarithmicAxis() {
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
    CurveWindow window({audit, 0, nullptr});
    window.pick(2);
    QCOMPARE(window.x().scale, ChartAxis::Scale::Logarithmic);
    const auto below = [](const CurveWindow& at) { // the axis
        const QRect plot = at.chart->plotArea().toRect();
        return at.chart->grab({0, plot.bottom() + 3, at.chart->width(), at.chart->height()}).toImage();
    };
    const QImage after = below(window); // nothing is left of the linear one
    CurveWindow fresh({withCurves(audit, 0, {}), 0, nullptr});
    QCOMPARE(fresh.picker->currentText(), QString("Sample size"));
    fresh.chart->clearFocus();
    QCOMPARE(below(fresh), after);
    QVERIFY(window.x().from > 0.0 && window.x().from <= 78.0 && window.x().to >= sizes.x.back());
    // Doubling is one step everywhere, where the line is drawn and where the mouse finds it.
    const std::size_t last = sizes.x.size() - 1;
    const int first = window.placeOf(0, 1).x() - window.placeOf(0, 0).x();
    QVERIFY(first > 20);
    for (std::size_t i = 1; i < last; ++i)
        QVERIFY(std::abs(window.placeOf(0, i + 1).x() - window.placeOf(0, i).x() - first) <= 1);
    test::shoot(window.view, "curve-sizes");
    for (std::size_t i = 0; i < last; ++i)
        QVERIFY2(window.isDrawnBetween(0, i), qPrintable(QString::number(i)));
    window.hover(window.placeOf(0, 1));
    QVERIFY2(window.chart->readOut().startsWith("Precision\nSynthetic samples: 156\n"),
             qPrintable(window.chart->readOut()));
    window.shoot("curve-sizes");
    window.pick(1); // and back
    QCOMPARE(window.x().scale, ChartAxis::Scale::Linear);
    QVERIFY(window.isDrawnBetween(0, 0));
}

void CurveDrawingTest::ticksAreTheSizes_data() {
    test::addColumns<std::vector<double>, bool>("sizes", "all");
    QTest::newRow("one") << std::vector<double>{7} << true;
    QTest::newRow("halves, rounded") << std::vector<double>{87, 175, 350} << true;
    std::vector<double> many;
    for (double size = 61; size < 1e6; size *= 2)
        many.push_back(size);
    QTest::newRow("more than there is room for") << many << false;
}

void CurveDrawingTest::ticksAreTheSizes() {
    QFETCH(std::vector<double>, sizes);
    QFETCH(bool, all);
    auto audit = withCurves(auditWith(1), 0, {calibration(1.0)});
    const std::vector<double> flat(sizes.size(), 0.5);
    audit->curves = {{"sample_size", audit->models[0]->name, "", {"sample_size", sizes, {{"recall", flat}}}}};
    QTest::failOnWarning(QRegularExpression("."));
    CurveWindow window({audit, 0, nullptr}, {620, 420});
    QVERIFY(window.x().from < 0.0);
    window.pick(1); // from lines that have points at 0
    const Plot& frame = *window.chart;
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

void CurveDrawingTest::linesDifferInTwoWays() {
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
        colourAndMarker.emplace(colour, static_cast<int>(style.mark.shape));
        dashAndMarker.emplace(dash, static_cast<int>(style.mark.shape));
        QVERIFY(style.mark.fill == style.pen.color() && style.mark.shape != MarkShape::None);
        QVERIFY(style.pen.style() != Qt::DashLine);
        line.controlOf = 0;
        const LineStyle control = lineStyle(line, QApplication::palette());
        QCOMPARE(control.pen.style(), Qt::DashLine);
        QCOMPARE(control.mark.shape, style.mark.shape);
        QVERIFY(control.mark.fill != control.pen.color());
        QVERIFY(std::abs(control.pen.color().hslHue() - style.pen.color().hslHue()) <= 4);
        QVERIFY(control.pen.color().lightness() > style.pen.color().lightness() + 20);
        controls.emplace(control.pen.color().rgb(), static_cast<int>(control.mark.shape));
    }
    const std::vector<double> many(101);
    ChartLine dense{};
    dense.x = &many;
    QCOMPARE(lineStyle(dense, QApplication::palette()).mark.shape,
             MarkShape::None); // markers would be all there is to see
    QCOMPARE(colourAndDash.size(), 24U);
    QCOMPARE(colourAndMarker.size(), 24U);
    QCOMPARE(dashAndMarker.size(), 24U);
    QCOMPARE(controls.size(), 24U);
}

ASSAY_TEST(curve_drawing_test, CurveDrawingTest)
#include "curve_drawing_test.moc"
