#include "engine/metrics/catalog/catalog.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/diagnostics/diagnostics_panel.h"
#include "widgets/diagnostics/diagnostics_tables.h"
#include "widgets/tables/sample_table.h"

#include <QtWidgets>

#include <limits>

using namespace assay;

namespace {

struct DiagnosticsWindow : test::ShownView<DiagnosticsPanel> {
    TableView* steps = view.findChild<TableView*>("densitySteps");
    TableView* occupancy = view.findChild<TableView*>("ballOccupancy");
    SampleTable* balls = view.findChild<SampleTable*>("fullestBalls");
    QLabel* answer = view.findChild<QLabel*>("diagnosticsAnswer");

    explicit DiagnosticsWindow(const ViewState& state, QSize size = {1000, 420}) : ShownView(state, size) {}
    const Diagnostics& diagnostics() const { return view.state().current().diagnostics; }
    SampleId sampleOf(int row) const { return balls->content().sample(balls->rows().rowAt(row)); }
    QModelIndex at(int row, int column = BallSample) const { return balls->model()->index(row, column); }
    QPoint centreOf(int row) const { return balls->visualRect(at(row)).center(); }
    void click(int row, Qt::KeyboardModifiers keys = {}) const {
        QTest::mouseClick(balls->viewport(), Qt::LeftButton, keys, centreOf(row));
    }
    /// Whether a row has the bar of a selected one.
    bool isLit(int row) const {
        const QRect rect = balls->visualRect(at(row));
        return balls->viewport()->grab().toImage().pixelColor(rect.left() + 1, rect.center().y()) ==
               colors::selected(view.palette());
    }
};

QString text(const QAbstractItemView& table, int row, int column) {
    return table.model()->index(row, column).data().toString();
}

QString toolTip(const QAbstractItemView& table, int row, int column) {
    return table.model()->index(row, column).data(Qt::ToolTipRole).toString();
}

/// The audit with every real sample's id in front of `name`.
std::shared_ptr<const AuditResult> renamed(const std::string& name) {
    const auto audit = test::fakeAudit();
    const EmbeddingSet& set = *audit->real->set;
    EmbeddingParts parts = test::partsOf(set);
    for (std::size_t row = 0; row < set.rows(); ++row)
        parts.ids.push_back(name + set.idText(row) + name);
    return test::withRealSet(audit, std::make_shared<const EmbeddingSet>(std::move(parts)));
}

} // namespace

class DiagnosticsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void stepsSayWhatEachTakesAway();
    void occupancyCountsEveryBall();
    void answersInAWord();
    void fullestBallsAreListed();
    void picturesAreThoseOfTheSamples();
    void clickSelectsTheRealSample();
    void keysWalkAndEnterInspects();
    void comingByTabSelectsNothing();
    void litWhereSelectedElsewhere();
    void headingsSort();
    void followsTheModel();
    void hoverIsTold();
    void narrowPanelScrollsAsOne();
    void longNamesKeepTheirDifference();
    void everyNumberIsExplained();
    void teachesWhenEmpty();
};

void DiagnosticsPanelTest::stepsSayWhatEachTakesAway() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const auto& steps = window.diagnostics().densitySteps;
    QCOMPARE(window.steps->model()->rowCount(), static_cast<int>(steps.size()));
    for (int row = 0; row < 5; ++row) {
        const DensityStep& step = steps[static_cast<std::size_t>(row)];
        const Metric* metric = findMetric(step.metric);
        QCOMPARE(text(*window.steps, row, 0), catalogText(metric->title));
        QCOMPARE(window.steps->content().below(row).text, catalogText(step.change));
        QCOMPARE(text(*window.steps, row, 1), formatNumber(step.value));
        QCOMPARE(text(*window.steps, row, 2), formatPercent(step.overOccurring));
        QCOMPARE(text(*window.steps, row, 3), formatNumber(step.largestContribution));
        QVERIFY(toolTip(*window.steps, row, 1).contains(catalogText(metric->definition).toHtmlEscaped()));
    }
    QVERIFY(toolTip(*window.steps, 0, 2).contains(catalogText(findMetric("over_occurring_fraction")->definition)));
    QVERIFY(toolTip(*window.steps, 1, 2).contains("clipped real balls"));
    QVERIFY(toolTip(*window.steps, 4, 2).contains("capped at k"));
    test::shoot(window.view, "diagnostics");
}

void DiagnosticsPanelTest::occupancyCountsEveryBall() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const BallOccupancy& occupancy = window.diagnostics().occupancy;
    QCOMPARE(window.occupancy->model()->rowCount(), 6);
    QCOMPARE(text(*window.occupancy, 0, 0), QStringLiteral("0"));
    QCOMPARE(text(*window.occupancy, 1, 0), QStringLiteral("1\u20135"));
    QCOMPARE(text(*window.occupancy, 4, 0), QStringLiteral("1,001\u201310,000"));
    QCOMPARE(text(*window.occupancy, 5, 0), QStringLiteral("more than 10,000"));
    for (int row = 0; row < 6; ++row) {
        const auto range = static_cast<std::size_t>(row);
        QCOMPARE(text(*window.occupancy, row, 1), formatCount(occupancy.balls[range]));
        QCOMPARE(text(*window.occupancy, row, 2), formatPercent(static_cast<double>(occupancy.balls[range]) / 60.0));
        QCOMPARE(text(*window.occupancy, row, 3), formatCount(occupancy.clippedBalls[range]));
        QCOMPARE(text(*window.occupancy, row, 4),
                 formatPercent(static_cast<double>(occupancy.clippedBalls[range]) / 60.0));
    }
    // A bar is as long as its share, in the colour of the real set.
    QVERIFY(occupancy.balls[1] > 6 && occupancy.balls[1] < 54);
    const QRect cell = window.occupancy->visualRect(window.occupancy->model()->index(1, 2));
    const QImage image = window.occupancy->viewport()->grab().toImage();
    const int end = cell.left() + cell.width() * static_cast<int>(occupancy.balls[1]) / 60;
    QVERIFY(image.pixelColor(end - 4, cell.bottom() - 3) != image.pixelColor(end + 4, cell.bottom() - 3));
}

void DiagnosticsPanelTest::answersInAWord() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const Diagnostics& diagnostics = window.diagnostics();
    QVERIFY(window.answer->text().contains(formatNumber(diagnostics.densitySteps[0].value)));
    QVERIFY(window.answer->text().contains(formatNumber(diagnostics.densitySteps[1].value)));
    QVERIFY(window.answer->text().contains(formatPercent(diagnostics.fullestShare)));
    const auto none = test::withModel(window.view.state().audit, 2,
                                      [](ModelAudit& model) { model.diagnostics.fullestBalls.clear(); });
    window.view.showState({none, 2, nullptr});
    QVERIFY(window.answer->text().contains("No real ball holds"));
    QCOMPARE(window.balls->model()->rowCount(), 0);
}

void DiagnosticsPanelTest::fullestBallsAreListed() {
    const auto audit = test::fakeAudit();
    DiagnosticsWindow window({audit, 2, nullptr});
    const auto& fullest = window.diagnostics().fullestBalls;
    QCOMPARE(window.balls->model()->rowCount(), static_cast<int>(fullest.size()));
    for (int row = 0; row < 20; ++row) {
        const FullBall& ball = fullest[static_cast<std::size_t>(row)];
        QCOMPARE(window.sampleOf(row), (SampleId{SetId::Real, ball.row}));
        QVERIFY(
            text(*window.balls, row, BallSample).contains(QString::fromStdString(audit->real->set->idText(ball.row))));
        QCOMPARE(std::get<CellPicture>(window.balls->rows().cell(window.at(row)).graphic).below,
                 QString::fromStdString(audit->real->set->labelText(ball.row)));
        QCOMPARE(text(*window.balls, row, BallCount), formatCount(ball.count));
        QCOMPARE(text(*window.balls, row, BallClipped), formatCount(ball.clippedCount));
        QCOMPARE(text(*window.balls, row, BallRadius), formatNumber(ball.radius));
        QCOMPARE(text(*window.balls, row, BallRatio), QStringLiteral("\u00d7 ") + formatNumber(ball.radiusToMedian));
    }
    // most real samples in one place: the median radius is 0
    const auto flat = test::withModel(audit, 2, [&](ModelAudit& model) {
        model.diagnostics.fullestBalls[0].radiusToMedian = std::numeric_limits<double>::quiet_NaN();
    });
    window.view.showState({flat, 2, nullptr});
    QCOMPARE(text(*window.balls, 0, BallRatio), QStringLiteral("-"));
}

void DiagnosticsPanelTest::picturesAreThoseOfTheSamples() {
    const auto audit = test::fakeAudit();
    DiagnosticsWindow window({audit, 2, nullptr});
    ThumbnailCache cache;
    cache.setAudit(audit);
    const QImage shown = window.balls->viewport()->grab(window.balls->visualRect(window.at(1))).toImage();
    const int edge = window.balls->visualRect(window.at(1)).height() - 6;
    QImage wanted(edge, edge, QImage::Format_RGB32);
    wanted.fill(Qt::white);
    QPainter painter(&wanted);
    cache.paint(painter, wanted.rect(), window.sampleOf(1), window.view.palette());
    painter.end();
    for (const QPoint at : {QPoint(edge / 2, edge / 2), QPoint(edge / 4, edge / 2)})
        QCOMPARE(shown.pixelColor(at + QPoint(8, 3)), wanted.pixelColor(at));
}

void DiagnosticsPanelTest::clickSelectsTheRealSample() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const auto& inspected = window.host.inspected;
    window.click(2);
    QCOMPARE(window.selection.samples(), std::vector{window.sampleOf(2)});
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(2)));
    QVERIFY(window.isLit(2) && !window.isLit(1));
    window.click(4, Qt::ControlModifier);
    QCOMPARE(window.selection.samples().size(), std::size_t{2});
    QVERIFY(window.isLit(2) && window.isLit(4));
    window.click(4, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), std::vector{window.sampleOf(2)});
    QVERIFY(inspected.empty());
    QTest::mouseDClick(window.balls->viewport(), Qt::LeftButton, {}, window.centreOf(3));
    QCOMPARE(inspected.size(), std::size_t{1});
    QCOMPARE(inspected[0], window.sampleOf(3));
}

void DiagnosticsPanelTest::keysWalkAndEnterInspects() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const auto& inspected = window.host.inspected;
    window.click(0);
    QTest::keyClick(window.balls, Qt::Key_Down);
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(1)));
    QTest::keyClick(window.balls, Qt::Key_End);
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(19)));
    QVERIFY(window.balls->viewport()->rect().contains(window.centreOf(19)));
    QTest::keyClick(window.balls, Qt::Key_Home);
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(0)));
    window.selection.clear();
    QTest::keyClick(window.balls, Qt::Key_Return);
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(0)));
    QCOMPARE(inspected.size(), std::size_t{1});
}

void DiagnosticsPanelTest::comingByTabSelectsNothing() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    window.view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window.view));
    window.balls->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(window.balls->hasFocus());
    QVERIFY(window.selection.isEmpty());
    QTest::keyClick(window.balls, Qt::Key_Return);
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(0)));
}

void DiagnosticsPanelTest::litWhereSelectedElsewhere() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    QSignalSpy changed(&window.selection, &SampleSelection::changed);
    window.selection.select(window.sampleOf(18));
    QCOMPARE(changed.size(), 1); // looking changes nothing
    QVERIFY(window.balls->viewport()->rect().contains(window.centreOf(18)));
    QVERIFY(window.isLit(18) && !window.isLit(17));
    window.selection.select({syntheticSet(2), window.sampleOf(18).row}); // the same row of another set
    QVERIFY(!window.isLit(18));
}

void DiagnosticsPanelTest::headingsSort() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    const auto clickHeading = [&](int column) {
        const QHeaderView* header = window.balls->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 8, header->height() / 2));
    };
    const auto radius = [&](int row) {
        for (const FullBall& ball : window.diagnostics().fullestBalls)
            if (ball.row == window.sampleOf(row).row)
                return ball.radius;
        return 0.0;
    };
    const auto isSorted = [&](Qt::SortOrder order) {
        for (int row = 1; row < 20; ++row)
            if (order == Qt::AscendingOrder ? radius(row - 1) > radius(row) : radius(row - 1) < radius(row))
                return false;
        return true;
    };
    clickHeading(BallRatio);
    const Qt::SortOrder first = window.balls->horizontalHeader()->sortIndicatorOrder();
    QVERIFY(isSorted(first));
    clickHeading(BallRatio);
    QVERIFY(!isSorted(first));
    const Qt::SortOrder second = window.balls->horizontalHeader()->sortIndicatorOrder();
    QVERIFY(second != first && isSorted(second));
    window.click(2); // rows are samples, wherever they stand
    QCOMPARE(window.selection.focus(), std::optional(window.sampleOf(2)));
    window.view.showState({window.view.state().audit, 1, nullptr});
    QVERIFY(isSorted(second)); // another model keeps the order
}

void DiagnosticsPanelTest::followsTheModel() {
    DiagnosticsWindow window({test::fakeAudit(), 0, nullptr});
    const QString before = text(*window.steps, 0, 1);
    window.view.showState({window.view.state().audit, 1, nullptr});
    QVERIFY(text(*window.steps, 0, 1) != before);
    QCOMPARE(text(*window.steps, 0, 1), formatNumber(window.diagnostics().densitySteps[0].value));
    QCOMPARE(window.sampleOf(0).row, window.diagnostics().fullestBalls[0].row);
    QVERIFY(window.selection.isEmpty());
}

void DiagnosticsPanelTest::hoverIsTold() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    QTest::mouseMove(window.balls->viewport(), window.centreOf(1));
    QTRY_COMPARE(window.selection.hovered(), std::optional(window.sampleOf(1)));
}

void DiagnosticsPanelTest::narrowPanelScrollsAsOne() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr}, {300, 300});
    const auto beside = [&] { return window.balls->mapTo(&window.view, QPoint()).x() > window.view.width() / 3; };
    QVERIFY(!beside());
    QVERIFY(window.balls->height() >= window.balls->heightOf(20));
    auto* body = window.view.findChild<QScrollArea*>()->widget();
    QVERIFY(body->width() <= 300);
    QVERIFY(window.balls->isColumnHidden(BallRadius));
    QVERIFY(!window.balls->isColumnHidden(BallCount));
    QVERIFY(!window.balls->isColumnHidden(BallRatio));
    window.selection.select(window.sampleOf(19));
    const QPoint at = window.balls->viewport()->mapTo(&window.view, window.centreOf(19));
    QVERIFY(window.view.rect().contains(at));
    test::shoot(window.view, "diagnostics-narrow");
    window.view.resize(1000, 420);
    QTRY_VERIFY(beside());
    QVERIFY(!window.balls->isColumnHidden(BallRadius));
}

void DiagnosticsPanelTest::longNamesKeepTheirDifference() {
    DiagnosticsWindow window({renamed(std::string(60, 'x')), 2, nullptr});
    QCOMPARE(window.view.width(), 1000);
    const QRect first = window.balls->visualRect(window.at(0));
    QVERIFY(first.right() <= window.balls->viewport()->width());
    const auto nameOf = [&](int row) {
        const QRect rect = window.balls->visualRect(window.at(row));
        const QRect name = rect.adjusted(rect.height() + 8, 2, -2, -2);
        return window.balls->viewport()->grab(name).toImage().convertToFormat(QImage::Format_Mono);
    };
    QVERIFY(nameOf(0) != nameOf(2)); // both of the same background
    test::shoot(window.view, "diagnostics-long");
}

void DiagnosticsPanelTest::everyNumberIsExplained() {
    DiagnosticsWindow window({test::fakeAudit(), 2, nullptr});
    for (const QTableView* table :
         std::initializer_list<const QTableView*>{window.steps, window.occupancy, window.balls})
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            QVERIFY(!table->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
            for (int row = 0; row < table->model()->rowCount(); ++row)
                QVERIFY(!toolTip(*table, row, column).isEmpty());
        }
    QVERIFY(!window.answer->toolTip().isEmpty());
}

void DiagnosticsPanelTest::teachesWhenEmpty() {
    DiagnosticsWindow window({test::fakeAudit(), 0, nullptr});
    QVERIFY(!window.hint->isVisible());
    window.view.showState({});
    QCOMPARE(window.balls->model()->rowCount(), 0);
    window.view.showState({test::hugeAudit(100), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().contains("no diagnostics"));
    window.selection.select({SetId::Real, 1}); // there is nothing to light
}

ASSAY_TEST(diagnostics_panel_test, DiagnosticsPanelTest)
#include "diagnostics_panel_test.moc"
