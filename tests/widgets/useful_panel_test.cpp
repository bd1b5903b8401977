// What the samples are worth as training data: beside real data, by class, and which real samples are taken for what.
#include "engine/audit/findings/findings.h"
#include "engine/metrics/utility/utility.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/shown_view.h"
#include "tests/widgets/support/useful_audit.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/tables/row_model.h"
#include "widgets/useful/useful_content.h"
#include "widgets/useful/useful_panel.h"

#include <QtWidgets>

using namespace assay;

namespace {

/// The panel with someone who classifies the real samples when it asks.
struct UsefulWindow : test::ShownView<UsefulPanel> {
    std::vector<std::size_t> asked;
    QTableView* cells = view.findChild<QTableView*>("usefulConfusion");
    QTableView* classes = view.findChild<QTableView*>("usefulClasses");
    IntervalChart* chart = view.findChild<IntervalChart*>("usefulChart");

    explicit UsefulWindow(const ViewState& state, QSize size = {780, 420}) : ShownView(ViewState(), size) {
        host.onRequest = [this](const PanelRequest& request) {
            asked.push_back(view.state().model);
            request.show(request.work({}));
        };
        view.showState(state);
        QCoreApplication::processEvents();
    }
    void clickCell(int row, int column, Qt::KeyboardModifiers modifiers = {}) const {
        const QModelIndex cell = cells->model()->index(row, column);
        cells->scrollTo(cell);
        QTest::mouseClick(cells->viewport(), Qt::LeftButton, modifiers, cells->visualRect(cell).center());
    }
    std::size_t countAt(int row, int column) const {
        return QLocale().toULongLong(cells->model()->index(row, column).data().toString()); // nothing: 0
    }
};

/// The real samples of a class that are taken for another, without the panel's model.
SampleSet takenFor(const PredictedClasses& classes, std::uint32_t actual, std::uint32_t predicted) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < classes.actual.size(); ++row)
        if (classes.actual[row] == actual && classes.predicted[row] == predicted)
            rows.push_back(row);
    return {SetId::Real, rows};
}

std::shared_ptr<const AuditResult> withReason(std::string_view whyNot) {
    return test::withModel(test::usefulAudit(), 0, [&](ModelAudit& model) {
        model.utility = {};
        model.utility.whyNot = whyNot;
    });
}

ViewState keepingHalf(const std::shared_ptr<const AuditResult>& audit) {
    auto kept = std::make_shared<std::vector<bool>>(audit->models[0]->set->rows(), true);
    for (std::size_t row = 0; row < kept->size(); row += 2)
        (*kept)[row] = false;
    return {audit, 0, kept};
}

} // namespace

class UsefulPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void saysWhyThereIsNothing_data();
    void saysWhyThereIsNothing();
    void saysWhatTheEngineFindsImpossible_data();
    void saysWhatTheEngineFindsImpossible();
    void standsBesideRealData();
    void explainsNumbersWithoutClasses();
    void theClassThatLosesMostIsFirst();
    void aClassSelectsItsRealSamples();
    void aCellSelectsExactlyItsSamples_data() {
        test::addChoice("heldOut", "tested on the real set", "tested on a held-out set");
    }
    void aCellSelectsExactlyItsSamples();
    void keysAndNamesSelectToo();
    void anotherSelectionLeavesTheCells();
    void ignoresClassesOfAnotherModel();
    void keptStandsBesideRandom();
    void saysThatKeptScoresFailed();
    void asksForItsCurve();
    void tellsItsNumbers();
    void manyAndLongNamesStayInside_data();
    void manyAndLongNamesStayInside();
};

void UsefulPanelTest::saysWhyThereIsNothing_data() {
    test::addColumns<QString, QString>("whyNot", "remedy");
    const auto row = [](std::string_view why, const char* remedy) {
        QTest::newRow(std::string(why).c_str()) << QString::fromStdString(std::string(why)) << remedy;
    };
    row(no_utility::kNoRealLabels, "Give every sample a label");
    row(no_utility::kNoLabels, "Give every sample a label");
    row(no_utility::kOneRealClass, "two classes");
    row(no_utility::kOneClass, "two classes");
    row(no_utility::kNothingInCommon, "alike in both sets");
    row(no_utility::kNoClasses, "classes that many samples share");
    row(no_utility::kNotNumbers, "numbers in both sets");
    row(no_utility::kSameNumber, "two classes");
    row(no_utility::kFewSamples, "Label more");
    row(no_utility::kTooLong, "Fewer of any have it");
}

void UsefulPanelTest::saysWhyThereIsNothing() {
    QFETCH(QString, whyNot);
    QFETCH(QString, remedy);
    UsefulWindow window({withReason(whyNot.toStdString()), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.asked.empty());
    QVERIFY2(window.text("panelMessage").contains(whyNot), qPrintable(window.text("panelMessage")));
    QVERIFY2(window.text("panelMessage").contains(remedy), qPrintable(window.text("panelMessage")));
    QVERIFY(!UsefulPanel::whyNothing(window.view.state()).isEmpty()); // of its tab
    QVERIFY(!window.view.figure());
    test::shoot(window.view, QStringLiteral("useful-hint"));
}

void UsefulPanelTest::saysWhatTheEngineFindsImpossible_data() {
    using enum test::UsefulOptions::Labels;
    test::addColumns<test::UsefulOptions, QString>("options", "expected");
    const auto text = [](std::string_view why) { return QString::fromStdString(std::string(why)); };
    QTest::newRow("no real labels") << test::UsefulOptions{.labels = None} << text(no_utility::kNoRealLabels);
    QTest::newRow("no labels") << test::UsefulOptions{.modelLabels = None} << text(no_utility::kNoLabels);
    QTest::newRow("one class") << test::UsefulOptions{.classes = 1} << text(no_utility::kOneRealClass);
    QTest::newRow("other labels") << test::UsefulOptions{.prefix = "a", .modelPrefix = "b"}
                                  << text(no_utility::kNothingInCommon);
}

void UsefulPanelTest::saysWhatTheEngineFindsImpossible() {
    QFETCH(test::UsefulOptions, options);
    QFETCH(QString, expected);
    options.rows = 60;
    UsefulWindow window({test::usefulAudit(options), 0, nullptr});
    QVERIFY2(window.hint->isVisible() && window.text("panelMessage").contains(expected),
             qPrintable(window.text("panelMessage")));
}

void UsefulPanelTest::standsBesideRealData() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 0, nullptr});
    QVERIFY(!window.hint->isVisible());
    QCOMPARE(window.text("usefulSentence"), QString::fromStdString(usefulSentence(*audit->models[0])));
    QCOMPARE(window.chart->rows().size(), std::size_t{2});
    const IntervalRow& synthetic = window.chart->rows()[0];
    const IntervalRow& real = window.chart->rows()[1];
    QCOMPARE(synthetic.value, audit->models[0]->metric("utility_accuracy"));
    QCOMPARE(real.value, audit->models[0]->metric("real_utility_accuracy"));
    QCOMPARE(synthetic.low, audit->models[0]->interval("utility_accuracy")->low);
    QCOMPARE(real.high, audit->models[0]->interval("real_utility_accuracy")->high);
    QVERIFY(window.chart->axis().title.contains("240 held-out samples"));
    QCOMPARE(synthetic.value < real.value, window.chart->xOf(synthetic.value) < window.chart->xOf(real.value));
    for (const IntervalRow& row : window.chart->rows())
        QVERIFY(window.chart->rect().contains(QPoint(static_cast<int>(window.chart->xOf(row.low)), 5)) &&
                window.chart->rect().contains(QPoint(static_cast<int>(window.chart->xOf(row.high)), 5)));
    QVERIFY(UsefulPanel::whyNothing(window.view.state()).isEmpty());
    test::shoot(window.view, "useful");
}

void UsefulPanelTest::explainsNumbersWithoutClasses() {
    using enum test::UsefulOptions::Labels;
    const auto audit = test::usefulAudit({.labels = Numbers, .modelLabels = Numbers});
    UsefulWindow window({audit, 0, nullptr});
    QVERIFY(audit->models[0]->hasMetric("utility_r2"));
    QVERIFY(audit->models[0]->metric("utility_r2") != audit->models[0]->metric("real_utility_r2"));
    QCOMPARE(window.chart->rows()[0].value, audit->models[0]->metric("utility_r2"));
    QCOMPARE(window.chart->rows()[1].value, audit->models[0]->metric("real_utility_r2"));
    QVERIFY(!window.cells->isVisible() && !window.classes->isVisible());
    QVERIFY(window.asked.empty());
    test::shoot(window.view, QStringLiteral("useful-numbers"));
}

void UsefulPanelTest::theClassThatLosesMostIsFirst() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 0, nullptr});
    const auto lost = [&](int row) {
        return window.classes->model()->index(row, UtilityChange).data(RowModel::SortRole).toDouble();
    };
    QCOMPARE(window.classes->model()->rowCount(), 3);
    QVERIFY(lost(0) >= lost(1) && lost(1) >= lost(2) && lost(0) > lost(2));
    const QPoint heading(window.classes->horizontalHeader()->sectionViewportPosition(UtilityClass) + 8, 6);
    QTest::mouseClick(window.classes->horizontalHeader()->viewport(), Qt::LeftButton, {}, heading);
    QTest::mouseClick(window.classes->horizontalHeader()->viewport(), Qt::LeftButton, {}, heading);
    const QString first = window.classes->model()->index(0, 0).data().toString();
    const QString last = window.classes->model()->index(2, 0).data().toString();
    QVERIFY(first != last && (first == "0" || last == "0"));
}

void UsefulPanelTest::aClassSelectsItsRealSamples() {
    UsefulWindow window({test::usefulAudit(), 0, nullptr});
    const QModelIndex row = window.classes->model()->index(1, 0);
    QTest::mouseClick(window.classes->viewport(), Qt::LeftButton, {}, window.classes->visualRect(row).center());
    const auto label = static_cast<std::uint32_t>(row.data().toInt());
    QCOMPARE(window.selection.samples(),
             SampleSet::where(SetId::Real, 240, [label](std::size_t sample) { return sample % 3 == label; }));
}

void UsefulPanelTest::aCellSelectsExactlyItsSamples() {
    QFETCH(bool, heldOut);
    const auto audit = test::usefulAudit({.heldOut = heldOut});
    UsefulWindow window({audit, 0, nullptr});
    QCOMPARE(window.asked, (std::vector<std::size_t>{0}));
    const PredictedClasses classes = UsefulWhatIf(audit, 0).predictedClasses();
    const std::vector<double>& right = audit->models[0]->column("utility_correct");
    std::size_t errors = 0;
    for (int actual = 0; actual < 3; ++actual)
        for (int predicted = 0; predicted < 3; ++predicted) {
            window.clickCell(actual, predicted);
            const SampleSet expected =
                takenFor(classes, static_cast<std::uint32_t>(actual), static_cast<std::uint32_t>(predicted));
            QCOMPARE(window.selection.samples(), expected);
            QCOMPARE(window.countAt(actual, predicted), expected.size());
            for (const SampleId sample : expected)
                QCOMPARE(right[sample.row] == 1.0, actual == predicted);
            errors += actual != predicted ? expected.size() : 0;
        }
    QVERIFY(errors > 0);
    if (!heldOut) // then the counts are those of the report
        for (const Confusion& cell : audit->models[0]->utility.confusion)
            QCOMPARE(window.countAt(static_cast<int>(cell.actual), static_cast<int>(cell.predicted)),
                     std::size_t{cell.count});
}

void UsefulPanelTest::keysAndNamesSelectToo() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 0, nullptr});
    const PredictedClasses classes = UsefulWhatIf(audit, 0).predictedClasses();
    window.clickCell(0, 0);
    QTest::keyClick(window.cells, Qt::Key_Right);
    QCOMPARE(window.selection.samples(), takenFor(classes, 0, 1));
    window.clickCell(1, 0, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), takenFor(classes, 0, 1) | takenFor(classes, 1, 0));
    const QHeaderView* names = window.cells->verticalHeader();
    QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, QPoint(6, names->sectionViewportPosition(2) + 6));
    QCOMPARE(window.selection.samples(), takenFor(classes, 2, 0) | takenFor(classes, 2, 1) | takenFor(classes, 2, 2));
}

void UsefulPanelTest::anotherSelectionLeavesTheCells() {
    UsefulWindow window({test::usefulAudit(), 0, nullptr});
    window.clickCell(0, 0);
    QVERIFY(window.cells->selectionModel()->hasSelection());
    window.selection.select({SetId::Real, 5});
    QVERIFY(!window.cells->selectionModel()->hasSelection());
    QCOMPARE(window.selection.samples(), (SampleSet{{SetId::Real, 5}}));
}

void UsefulPanelTest::ignoresClassesOfAnotherModel() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 1, nullptr});
    const std::size_t before = window.countAt(0, 0);
    PredictedClasses other = UsefulWhatIf(audit, 0).predictedClasses();
    std::ranges::fill(other.predicted, 0U);
    window.view.showClasses(std::make_shared<const PredictedClasses>(other));
    QCOMPARE(window.countAt(0, 0), before);
    window.view.showState({audit, 0, nullptr});
    QCOMPARE(window.asked, (std::vector<std::size_t>{1, 0}));
}

void UsefulPanelTest::keptStandsBesideRandom() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 0, nullptr});
    const auto wanted = [&] { return window.host.count(PanelCommand::ScoreUsefulness); };
    QVERIFY(!window.view.findChild<QLabel*>("usefulKept")->isVisible());
    ViewState state = keepingHalf(audit);
    window.view.showState(state);
    QCOMPARE(wanted(), 1);
    QCOMPARE(window.chart->rows().size(), std::size_t{4});
    QVERIFY(std::isnan(window.chart->rows()[2].value));
    QVERIFY(window.text("usefulKept").contains("as many at random\u2026"));
    const UsefulIfKept scores = UsefulWhatIf(audit, 0).evaluate(*state.kept);
    state.computed.usefulOfKept = std::make_shared<const UsefulOfKept>(UsefulOfKept{state.kept, scores});
    window.view.showState(state);
    QCOMPARE(window.chart->rows()[2].value, *scores.kept.accuracy);
    QCOMPARE(window.chart->rows()[3].value, *scores.random.accuracy);
    QVERIFY2(window.text("usefulKept").contains("120 kept samples"), qPrintable(window.text("usefulKept")));
    QCOMPARE(wanted(), 1);
    test::shoot(window.view, "useful-kept");
    ViewState other = keepingHalf(audit); // other samples: those scores are of none of them
    other.computed = state.computed;
    window.view.showState(other);
    QCOMPARE(wanted(), 2);
    QVERIFY(std::isnan(window.chart->rows()[2].value));
    window.view.showState({audit, 0, nullptr});
    QCOMPARE(window.chart->rows().size(), std::size_t{2});
    QCOMPARE(wanted(), 2);
}

void UsefulPanelTest::saysThatKeptScoresFailed() {
    const auto audit = test::usefulAudit();
    ViewState state = keepingHalf(audit);
    state.computed.usefulOfKept = std::make_shared<const UsefulOfKept>(UsefulOfKept{state.kept, std::nullopt});
    UsefulWindow window(state);
    QVERIFY2(window.text("usefulKept").contains("not computed"), qPrintable(window.text("usefulKept")));
    UsefulIfKept none;
    none.kept.whyNot = no_utility::kOneClass;
    state.computed.usefulOfKept = std::make_shared<const UsefulOfKept>(UsefulOfKept{state.kept, none});
    window.view.showState(state);
    QVERIFY2(window.text("usefulKept").contains("one class only"), qPrintable(window.text("usefulKept")));
}

void UsefulPanelTest::asksForItsCurve() {
    UsefulWindow window({test::usefulAudit(), 0, nullptr});
    window.click("usefulCurve");
    QCOMPARE(window.host.usefulCurves, (std::vector<std::string>{"fidelity"}));
}

void UsefulPanelTest::tellsItsNumbers() {
    const auto audit = test::usefulAudit();
    UsefulWindow window({audit, 0, nullptr});
    const auto figure = window.view.figure();
    QVERIFY(figure && figure->chart && figure->caption.contains("240"));
    QCOMPARE(figure->data[1][0], QString("accuracy"));
    QCOMPARE(figure->data[1][4].toDouble(), audit->models[0]->metric("utility_accuracy"));
    std::size_t samples = 0;
    for (const QStringList& row : figure->data) {
        QCOMPARE(row.size(), figure->data[0].size());
        samples += row[0] == "real_samples" ? row[4].toULongLong() : 0;
    }
    QCOMPARE(samples, std::size_t{240});
}

void UsefulPanelTest::manyAndLongNamesStayInside_data() {
    test::addColumns<test::UsefulOptions, QSize>("options", "size");
    const std::string word = "An uncommonly long name of a class of animals, number ";
    QTest::newRow("40 classes") << test::UsefulOptions{.rows = 480, .classes = 40} << QSize(780, 400);
    QTest::newRow("long names") << test::UsefulOptions{.rows = 240, .prefix = word, .modelPrefix = word}
                                << QSize(780, 400);
    QTest::newRow("long names, narrow") << test::UsefulOptions{.rows = 240, .prefix = word, .modelPrefix = word}
                                        << QSize(300, 420);
}

void UsefulPanelTest::manyAndLongNamesStayInside() {
    QFETCH(test::UsefulOptions, options);
    QFETCH(QSize, size);
    UsefulWindow window({test::usefulAudit(options), 0, nullptr}, size);
    QCOMPARE(window.view.size(), size); // nothing makes the panel wider
    QCOMPARE(window.cells->model()->rowCount(), static_cast<int>(options.classes));
    QCOMPARE(window.view.findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0);
    QVERIFY(window.cells->verticalHeader()->width() <= 180 && window.cells->horizontalHeader()->height() <= 200);
    const int last = static_cast<int>(options.classes) - 1;
    window.clickCell(last, last);
    QCOMPARE(window.selection.samples().size(), window.countAt(last, last));
    QVERIFY(window.cells->model()
                ->headerData(last, Qt::Vertical, Qt::ToolTipRole)
                .toString()
                .contains(QString::fromStdString(options.prefix)));
    test::shoot(window.view, QStringLiteral("useful-%1").arg(QTest::currentDataTag()));
}

ASSAY_TEST(useful_panel_test, UsefulPanelTest)
#include "useful_panel_test.moc"
