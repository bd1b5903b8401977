#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_host.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/charts/plot.h"
#include "widgets/distribution/histogram_view.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

namespace {

/// A chart of a few points by itself.
struct FrameWindow {
    QWidget window;
    Plot frame{&window};

    explicit FrameWindow(const ChartAxis& x = {"x", 0.0, 10.0, 2.0, 0}, const ChartAxis& y = {"y", 0.0, 1.0}) {
        window.resize(480, 360);
        frame.resize(480, 360);
        frame.setAxes(x, y);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
    }
    QWidget* at(QPoint point) { return window.childAt(point); }
    void wheel(QPointF point, int notches) {
        QWidget* child = at(point.toPoint());
        const QPointF local = child->mapFrom(&window, point);
        QWheelEvent event(local, child->mapToGlobal(local), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(child, &event);
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
        QWidget* child = at(from);
        const QPoint local = child->mapFrom(&window, from);
        QTest::mousePress(child, button, {}, local);
        QMouseEvent move(QEvent::MouseMove, local + to - from, child->mapToGlobal(local + to - from), Qt::NoButton,
                         button, Qt::NoModifier);
        QCoreApplication::sendEvent(child, &move);
        QTest::mouseRelease(child, button, {}, local + to - from);
    }
    /// Whether the plot takes a key.
    bool key(int key, Qt::KeyboardModifiers modifiers = {}) {
        QKeyEvent event(QEvent::KeyPress, key, modifiers);
        event.setAccepted(true);
        QCoreApplication::sendEvent(&frame, &event);
        return event.isAccepted();
    }
    QToolButton* whole() { return frame.findChild<QToolButton*>(); }
};

double widthOf(const ChartAxis& axis) {
    return axis.to - axis.from;
}

} // namespace

class ChartNavigationTest : public QObject {
    Q_OBJECT

private slots:
    void longTitlesGiveWayToBriefOnes();
    void wheelMagnifiesAroundTheMouse();
    void wheelOverAnAxisKeepsTheOther();
    void everyWayBackShowsTheWhole();
    void dragMovesThePartAndStopsAtTheEnds();
    void clickIsNoDrag();
    void keysDoAllOfIt();
    void otherAxesAreShownWhole();
    void partsHaveTicksOfTheirOwn_data() { test::addChoice("logarithmic", "even", "logarithmic"); }
    void partsHaveTicksOfTheirOwn();
    void histogramsFillTheHeight();
};

void ChartNavigationTest::wheelMagnifiesAroundTheMouse() {
    FrameWindow window;
    QVERIFY(window.frame.isWhole());
    QVERIFY(!window.whole()->isVisible());
    const QPointF mouse = window.frame.toWidget({2.5, 0.75});
    window.wheel(mouse, 3);
    QVERIFY(!window.frame.isWhole());
    QVERIFY(window.whole()->isVisible());
    QVERIFY(std::abs(widthOf(window.frame.xAxis()) - 10.0 / std::pow(1.25, 3)) < 1e-9);
    QVERIFY(std::abs(widthOf(window.frame.yAxis()) - 1.0 / std::pow(1.25, 3)) < 1e-9);
    const QPointF under = window.frame.toValue(mouse);
    QVERIFY(std::abs(under.x() - 2.5) < 0.1 && std::abs(under.y() - 0.75) < 0.02);
    QVERIFY(!window.frame.isInPart({9.9, 0.1}));
    window.wheel(mouse, 1000);
    QVERIFY(widthOf(window.frame.xAxis()) >= 10.0 / 501.0);
    window.wheel(mouse, -1000);
    QVERIFY(window.frame.isWhole());
}

void ChartNavigationTest::wheelOverAnAxisKeepsTheOther() {
    FrameWindow window;
    const QRectF plot = window.frame.plotArea();
    window.wheel({plot.center().x(), plot.bottom() + 16.0}, 1);
    QVERIFY(widthOf(window.frame.xAxis()) < 10.0);
    QCOMPARE(widthOf(window.frame.yAxis()), 1.0);
    window.frame.showWhole();
    window.wheel({plot.left() - 16.0, plot.center().y()}, 1);
    QCOMPARE(widthOf(window.frame.xAxis()), 10.0);
    QVERIFY(widthOf(window.frame.yAxis()) < 1.0);
}

void ChartNavigationTest::everyWayBackShowsTheWhole() {
    FrameWindow window;
    const QPoint middle = window.frame.plotArea().center().toPoint();
    const std::vector<std::function<void()>> ways{[&] { QTest::mouseClick(window.whole(), Qt::LeftButton); },
                                                  [&] {
                                                      QTest::mouseDClick(
                                                          window.at(middle), Qt::LeftButton, {},
                                                          window.at(middle)->mapFrom(&window.window, middle));
                                                  },
                                                  [&] { QVERIFY(window.key(Qt::Key_0, Qt::ControlModifier)); }};
    for (const auto& back : ways) {
        window.wheel(middle, 4);
        QVERIFY(!window.frame.isWhole());
        back();
        QVERIFY(window.frame.isWhole());
        QVERIFY(!window.whole()->isVisible());
        QCOMPARE(widthOf(window.frame.xAxis()), 10.0);
    }
}

void ChartNavigationTest::dragMovesThePartAndStopsAtTheEnds() {
    FrameWindow window;
    const QPoint middle = window.frame.plotArea().center().toPoint();
    window.drag(middle, middle + QPoint(60, 40)); // all is shown: there is nothing to move
    QVERIFY(window.frame.isWhole());
    window.wheel(middle, 4);
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
        const QPointF before = window.frame.toValue(middle);
        window.drag(middle, middle + QPoint(40, 30), button);
        const QPointF moved = window.frame.toValue(middle + QPoint(40, 30));
        QVERIFY(std::abs(moved.x() - before.x()) < 0.1 && std::abs(moved.y() - before.y()) < 0.02);
    }
    const double width = widthOf(window.frame.xAxis());
    for (int i = 0; i < 20; ++i)
        window.drag(middle, middle + QPoint(150, 0));
    QVERIFY(std::abs(window.frame.xAxis().from) < 1e-9);
    QVERIFY(std::abs(widthOf(window.frame.xAxis()) - width) < 1e-9);
}

void ChartNavigationTest::clickIsNoDrag() {
    FrameWindow window;
    PlotSeries series;
    series.points = {{5.0, 0.5}};
    window.frame.show({.x = window.frame.xAxis(), .y = window.frame.yAxis(), .series = {series}});
    const QSignalSpy clicked(&window.frame, &Plot::chosen);
    const QPoint middle = window.frame.plotArea().center().toPoint();
    QTest::mouseClick(window.at(middle), Qt::LeftButton, {}, window.at(middle)->mapFrom(&window.window, middle));
    QCOMPARE(clicked.count(), 1);
    window.wheel(middle, 2);
    window.drag(middle, middle + QPoint(30, 0));
    QCOMPARE(clicked.count(), 1);
}

void ChartNavigationTest::keysDoAllOfIt() {
    FrameWindow window;
    QVERIFY(!window.key(Qt::Key_Right, Qt::ControlModifier)); // nothing to move
    QVERIFY(!window.key(Qt::Key_0));                          // a tag's
    QVERIFY(window.key(Qt::Key_Plus));
    QVERIFY(window.key(Qt::Key_Equal));
    const ChartAxis before = window.frame.xAxis();
    QVERIFY(window.key(Qt::Key_Right, Qt::ControlModifier));
    QVERIFY(window.frame.xAxis().from > before.from);
    QVERIFY(!window.key(Qt::Key_Right)); // the chart's own
    window.frame.reveal({0.5, 0.5});
    QVERIFY(window.frame.isInPart({0.5, 0.5}));
    QVERIFY(window.key(Qt::Key_Minus));
    QVERIFY(window.key(Qt::Key_Minus));
    QVERIFY(window.frame.isWhole());
}

void ChartNavigationTest::otherAxesAreShownWhole() {
    FrameWindow window;
    const ChartAxis x{"x", 0.0, 10.0, 2.0, 0};
    window.key(Qt::Key_Plus);
    const ChartAxis part = window.frame.xAxis();
    window.frame.setAxes(x, {"y", 0.0, 1.0});
    QCOMPARE(window.frame.xAxis().from, part.from); // the same ones
    window.frame.setAxes(x, {"y", 0.0, 2.0});
    QVERIFY(window.frame.isWhole());
}

void ChartNavigationTest::partsHaveTicksOfTheirOwn() {
    QFETCH(bool, logarithmic);
    ChartAxis axis{"samples", 100.0, 10'000.0, 2000.0, 0};
    if (logarithmic) {
        axis.scale = ChartAxis::Scale::Logarithmic;
        axis.ticks = {100, 1000, 10'000};
    }
    QCOMPARE(axis.part(0.0, 1.0), axis);
    QVERIFY(std::abs(axis.shareAt(axis.valueAt(0.3)) - 0.3) < 1e-12);
    const ChartAxis part = axis.part(0.31, 0.32);
    QVERIFY(part.from > axis.from && part.to < axis.to && part.from < part.to);
    if (!logarithmic) {
        QVERIFY(widthOf(part) / part.step >= 2.0);
        return;
    }
    QVERIFY(part.ticks.size() >= 2);
    QStringList texts;
    for (std::size_t i = 0; i < part.ticks.size(); ++i) {
        QVERIFY(part.ticks[i] >= part.from && part.ticks[i] <= part.to);
        QVERIFY(!texts.contains(part.tickText(i)));
        texts << part.tickText(i);
    }
}

void ChartNavigationTest::histogramsFillTheHeight() {
    SampleSelection selection;
    test::TestHost host(&selection);
    HistogramView view("fidelity", host);
    view.resize(420, 300);
    view.showState({test::fakeAudit(), 2, nullptr});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto tallest = [&view] { return view.plot().yAxis().to; };
    const double whole = tallest();
    std::size_t least = 0;
    for (std::size_t bin = 1; bin < view.bins().count(); ++bin)
        if (view.countIn(bin) > 0 && (view.countIn(least) == 0 || view.countIn(bin) < view.countIn(least)))
            least = bin;
    QTest::keyClick(&view.plot(), Qt::Key_Home);
    for (std::size_t bin = 0; bin < least; ++bin)
        QTest::keyClick(&view.plot(), Qt::Key_Right);
    const QPoint mouse(view.plot().columnOf({0, least}).center().x(), view.rect().center().y());
    for (int i = 0; i < 12; ++i) {
        QWheelEvent event(mouse, view.mapToGlobal(mouse), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view.plot(), &event);
    }
    QVERIFY(!view.plot().isWhole());
    QVERIFY2(tallest() < whole, qPrintable(QString::number(tallest())));
    test::shoot(view, "histogram-part");
    // The bar under the mouse is that one, and a click selects its samples.
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, mouse);
    QCOMPARE(selection.samples().size(), view.countIn(least));
    QTest::keyClick(&view.plot(), Qt::Key_0, Qt::ControlModifier);
    QVERIFY(view.plot().isWhole());
    QCOMPARE(tallest(), whole);
}

void ChartNavigationTest::longTitlesGiveWayToBriefOnes() {
    ChartAxis y{"share of all samples of the set", 0.0, 1.0};
    y.brief = "share";
    FrameWindow window({"x", 0.0, 10.0, 2.0, 0}, y);
    const auto shows = [&window](const QString& text) {
        for (const QGraphicsItem* item : window.frame.findChild<QGraphicsView*>()->scene()->items())
            if (const auto* words = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                words && words->isVisible() && words->toPlainText() == text)
                return true;
        return false;
    };
    QTRY_VERIFY(shows(y.title));
    window.frame.resize(480, 140);
    QTRY_VERIFY(shows(y.brief) && !shows(y.title));
    QHelpEvent help(QEvent::ToolTip, QPoint(4, 60), window.frame.mapToGlobal(QPoint(4, 60)));
    QCoreApplication::sendEvent(window.at(QPoint(4, 60)), &help);
    QCOMPARE(QToolTip::text(), y.title);
    window.frame.resize(480, 360);
    QTRY_VERIFY(shows(y.title));
}

ASSAY_TEST(chart_navigation_test, ChartNavigationTest)
#include "chart_navigation_test.moc"
