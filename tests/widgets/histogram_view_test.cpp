#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/good_samples.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/test_host.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/charts/plot.h"
#include "widgets/distribution/histogram_view.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>

using namespace assay;

namespace {

struct HistogramWindow {
    SampleSelection selection;
    test::TestHost host{&selection};
    HistogramView view;
    ViewState state;

    explicit HistogramWindow(const std::string& column, std::size_t model = 2, QSize size = {420, 240})
        : view(column, host), state{test::fakeAudit(), model, nullptr} {
        view.resize(size);
        view.showState(state);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    QPoint center(std::size_t bin) const { return view.plot().columnOf({0, bin}).center(); }
    void click(std::size_t bin, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&view.plot(), Qt::LeftButton, modifiers, center(bin));
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&view.plot(), static_cast<Qt::Key>(key), modifiers);
    }
    /// Samples of the current column in the bins from `first` to `last`.
    std::vector<SampleId> expected(const std::string& column, std::size_t first, std::size_t last) const {
        const bool real = findColumn(column)->side == Side::Real;
        const auto& values = state.current().column(column);
        std::vector<SampleId> samples;
        for (std::size_t row = 0; row < values.size(); ++row) {
            const auto bin = view.bins().binOf(values[row]);
            if (bin && *bin >= first && *bin <= last)
                samples.push_back({real ? SetId::Real : state.currentSet(), static_cast<std::uint32_t>(row)});
        }
        return samples;
    }
};

} // namespace

class HistogramViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void clickSelectsABar_data() {
        test::addTexts("column",
                       {"fidelity", "coverage", "pce", "ball_count", "authentic", "nearest_synthetic_distance"});
    }
    void clickSelectsABar();
    void dragBrushesARange();
    void controlAddsAndTakesOut();
    void shiftExtends();
    void keysChooseABar();
    void showsThatItHasTheKeyboard();
    void showsTheSelectionFromElsewhere();
    void fadesWhatIsRejected();
    void tellsRangeCountAndShare();
    void emitsNothingOnTheSameState();
    void teachesWhenEmpty();
    void logarithmicBarsAreChosenAlike();
    void cumulativeBarsAddUp();
    void outlineIsOfGoodSamples();
};

void HistogramViewTest::clickSelectsABar() {
    QFETCH(QString, column);
    HistogramWindow window(column.toStdString());
    QVERIFY(window.view.bins().count() >= 2);
    for (std::size_t bin = 0; bin < window.view.bins().count(); ++bin) {
        window.click(bin);
        QCOMPARE(window.selection.samples(), window.expected(column.toStdString(), bin, bin));
    }
    test::shoot(window.view, "histogram-" + column);
}

void HistogramViewTest::logarithmicBarsAreChosenAlike() {
    HistogramWindow window("nearest_real_distance", 0);
    QVERIFY(window.view.canBeLogarithmic());
    const double widest = window.view.bins().edges.back();
    window.view.setLook({.logarithmic = true});
    QVERIFY(window.view.bins().logarithmic);
    QVERIFY(std::abs(window.view.bins().edges.back() - widest) < 1e-12);
    const int first = window.view.plot().columnOf({0, 0}).width();
    for (std::size_t bin = 0; bin < window.view.bins().count(); ++bin) {
        QVERIFY2(std::abs(window.view.plot().columnOf({0, bin}).width() - first) <= 1,
                 "as wide as each other on this axis");
        window.click(bin);
        QCOMPARE(window.selection.samples(), window.expected("nearest_real_distance", bin, bin));
    }
    test::shoot(window.view, "histogram-logarithmic");
    window.view.setColumn("pce"); // below 0 too
    QVERIFY(!window.view.canBeLogarithmic() && !window.view.bins().logarithmic);
    window.view.setColumn("nearest_real_distance");
    QVERIFY2(window.view.bins().logarithmic, "as it was wanted");
}

void HistogramViewTest::cumulativeBarsAddUp() {
    HistogramWindow window("pce");
    const std::size_t bins = window.view.bins().count();
    std::vector<std::size_t> single;
    for (std::size_t bin = 0; bin < bins; ++bin)
        single.push_back(window.view.countIn(bin));
    window.selection.replace(window.expected("pce", 0, bins / 2));
    window.view.setLook({.cumulative = true});
    std::size_t sum = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        sum += single[bin];
        QCOMPARE(window.view.countIn(bin), sum);
        if (bin <= bins / 2)
            QCOMPARE(window.view.selectedIn(bin), sum);
    }
    window.click(bins / 2); // a bar stays its own samples
    QCOMPARE(window.selection.samples(), window.expected("pce", bins / 2, bins / 2));
    test::shoot(window.view, "histogram-cumulative");
    window.view.setLook({});
    QCOMPARE(window.view.countIn(bins - 1), single.back());
}

void HistogramViewTest::outlineIsOfGoodSamples() {
    HistogramWindow window("nearest_real_distance", 0);
    const std::vector<double> good =
        goodSampleValues(*window.state.audit, 0, "nearest_real_distance").value_or(std::vector<double>());
    QVERIFY(!good.empty());
    const double scale = static_cast<double>(window.state.current().set->rows()) / static_cast<double>(good.size());
    const HistogramBins& bins = window.view.bins();
    for (std::size_t bin = 0; bin < bins.count(); ++bin) {
        const auto naive = std::ranges::count_if(good, [&](double value) { return bins.binOf(value) == bin; });
        QCOMPARE(window.view.outlineOver(bin), scale * static_cast<double>(naive));
    }
    const QImage with = window.view.grab().toImage();
    window.view.setLook({.outlined = false});
    QCOMPARE(window.view.outlineOver(0), 0.0);
    QVERIFY(window.view.grab().toImage() != with);
}

void HistogramViewTest::dragBrushesARange() {
    HistogramWindow window("fidelity");
    QTest::mousePress(&window.view.plot(), Qt::LeftButton, {}, window.center(1));
    for (std::size_t bin : {2U, 3U, 4U}) {
        QMouseEvent move(QEvent::MouseMove, window.center(bin), window.view.mapToGlobal(window.center(bin)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window.view.plot(), &move);
        QCOMPARE(window.selection.samples(), window.expected("fidelity", 1, bin)); // live
    }
    QMouseEvent back(QEvent::MouseMove, QPoint(-50, 0), QPoint(0, 0), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window.view.plot(), &back);
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 0, 1));
    QTest::mouseRelease(&window.view.plot(), Qt::LeftButton, {}, window.center(0));
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 0, 1));
}

void HistogramViewTest::controlAddsAndTakesOut() {
    HistogramWindow window("fidelity");
    window.selection.replace({{SetId::Real, 3}});
    window.click(0, Qt::ControlModifier);
    window.click(5, Qt::ControlModifier);
    auto expected = window.expected("fidelity", 0, 0);
    for (SampleId id : window.expected("fidelity", 5, 5))
        expected.push_back(id);
    expected.push_back({SetId::Real, 3});
    std::sort(expected.begin(), expected.end());
    QCOMPARE(window.selection.samples(), expected);
    window.click(0, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), window.expected("fidelity", 5, 5).size() + 1);
}

void HistogramViewTest::shiftExtends() {
    HistogramWindow window("fidelity");
    window.click(1);
    window.click(4, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 1, 4));
    window.click(0, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 0, 1));
}

void HistogramViewTest::keysChooseABar() {
    HistogramWindow window("fidelity");
    window.press(Qt::Key_End);
    QVERIFY(window.selection.isEmpty());
    window.press(Qt::Key_Return);
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 5, 5));
    window.press(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples(), window.expected("fidelity", 4, 5));
    window.press(Qt::Key_Home);
    window.press(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(),
             window.expected("fidelity", 4, 5).size() + window.expected("fidelity", 0, 0).size());
    window.press(Qt::Key_Escape);
    QVERIFY(window.selection.isEmpty());
}

void HistogramViewTest::showsThatItHasTheKeyboard() {
    HistogramWindow window("fidelity");
    QApplication::setActiveWindow(&window.view); // there may be no window manager to do it
    window.view.plot().clearFocus();
    const QImage without = window.view.grab().toImage();
    window.view.setFocus(Qt::TabFocusReason);
    QVERIFY(window.view.grab().toImage() != without);
}

void HistogramViewTest::showsTheSelectionFromElsewhere() {
    HistogramWindow window("coverage");
    const auto& coverage = window.state.current().column("coverage");
    const std::size_t bin = *window.view.bins().binOf(coverage[7]);
    const QImage before = window.view.grab().toImage();
    window.selection.replace({{SetId::Real, 7}, {window.state.currentSet(), 7}});
    QCOMPARE(window.view.selectedIn(bin), 1U);
    QVERIFY(before != window.view.grab().toImage());
}

void HistogramViewTest::fadesWhatIsRejected() {
    HistogramWindow window("fidelity");
    const QImage before = window.view.grab().toImage();
    window.state.kept = std::make_shared<std::vector<bool>>(80, false);
    window.view.showState(window.state);
    const QImage after = window.view.grab().toImage();
    QVERIFY(before != after);
    test::shoot(window.view, "histogram-rejected");
}

void HistogramViewTest::tellsRangeCountAndShare() {
    HistogramWindow window("fidelity");
    QHelpEvent help(QEvent::ToolTip, window.center(5), window.view.mapToGlobal(window.center(5)));
    QCoreApplication::sendEvent(&window.view.plot(), &help);
    const auto count = window.expected("fidelity", 5, 5).size();
    QVERIFY(QToolTip::text().contains("Fidelity: 1.00"));
    QVERIFY(QToolTip::text().contains(QString("%1 of 80 samples").arg(count)));
    QVERIFY(QToolTip::text().contains("%"));
    QToolTip::hideText();
}

void HistogramViewTest::emitsNothingOnTheSameState() {
    HistogramWindow window("fidelity");
    window.click(5);
    const QSignalSpy changed(&window.selection, &SampleSelection::changed);
    window.view.showState(window.state);
    window.click(5);
    QCOMPARE(changed.count(), 0);
}

void HistogramViewTest::teachesWhenEmpty() {
    HistogramWindow window("coverage");
    window.click(1);
    window.view.showState({});
    QCOMPARE(window.view.bins().count(), 0U);
    QTest::mouseClick(&window.view.plot(), Qt::LeftButton, {}, window.view.rect().center());
    window.press(Qt::Key_Right);
    window.press(Qt::Key_Return);
    test::shoot(window.view, "histogram-empty");
}

ASSAY_TEST(histogram_view_test, HistogramViewTest)
#include "histogram_view_test.moc"
