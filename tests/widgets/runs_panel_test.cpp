// Models of one run as curves, and as a path in the scatter.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/charts/plot.h"
#include "widgets/runs/runs_panel.h"
#include "widgets/scatter/scatter_panel.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

namespace {

/// Copies of one model under other names; each is better by 0.1 than the one before and has an interval of +- 0.04.
std::shared_ptr<const AuditResult> namedAudit(const std::vector<std::string>& names) {
    auto result = std::make_shared<AuditResult>(*test::fakeAudit({.models = 1}));
    const ModelAudit one = *result->models[0];
    result->models.clear();
    double value = 0.2;
    for (const std::string& name : names) {
        auto model = std::make_shared<ModelAudit>(one);
        model->name = name;
        model->intervals.clear();
        for (MetricValue& metric : model->metrics)
            if (metric.id == std::string_view("clipped_coverage") || metric.id == std::string_view("clipped_density")) {
                metric.value = value;
                model->intervals.push_back({metric.id, value - 0.04, value + 0.04});
            }
        value += 0.1;
        result->models.push_back(std::move(model));
    }
    return result;
}

struct RunsWindow : test::ShownView<RunsPanel> {
    QComboBox* runs = view.findChild<QComboBox*>("runsPicker");
    QComboBox* metric = view.findChild<QComboBox*>("runsMetric");
    Plot* chart = view.findChild<Plot*>("runsChart");
    QLabel* answer = view.findChild<QLabel*>("runsAnswer");

    explicit RunsWindow(const ViewState& state, QSize size = {600, 400}) : ShownView(state, size) {
        QCoreApplication::processEvents();
    }
    void click(std::size_t place, std::size_t run = 0) const {
        QTest::mouseClick(chart, Qt::LeftButton, {}, at(place, run).toPoint());
    }
    QPointF at(std::size_t place, std::size_t run = 0) const { return chart->positionOf({run, place}); }
    std::size_t count(std::size_t run = 0) const { return chart->content().series[run].count(); }
    std::size_t drawnRuns() const { return chart->content().series.size(); }
};

} // namespace

class RunsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void pointsAreWhereTheirNumbersAre();
    void equalModelsAreCounted();
    void clicksAndKeysChooseModels();
    void otherScoresAndRunsCanBePicked();
    void numbersFarApartAreLogarithmic();
    void otherRunsAreDrawnBeside();
    void isAFigure();
    void teachesWhenThereIsNoRun();
    void theScatterHasThePath();
    void looksRight_data();
    void looksRight();
};

void RunsPanelTest::pointsAreWhereTheirNumbersAre() {
    RunsWindow window({namedAudit({"gan_2000", "vae", "gan_1000", "gan_4000"}), 0, nullptr});
    QCOMPARE(window.runs->count(), 1);
    QVERIFY(window.runs->currentText().startsWith(QStringLiteral("gan_\u2026")));
    const double numbers[3] = {1000, 2000, 4000};
    const double values[3] = {0.4, 0.2, 0.5};
    for (std::size_t place = 0; place < 3; ++place) {
        const QPointF at = window.chart->toValue(window.at(place));
        QVERIFY(std::abs(at.x() - numbers[place]) < 20.0);
        QVERIFY(std::abs(at.y() - values[place]) < 0.01);
    }
    QCOMPARE(window.count(), std::size_t{3});
    QVERIFY(window.answer->text().contains("gan_4000") && window.answer->text().contains("0.460"));
}

void RunsPanelTest::equalModelsAreCounted() {
    auto audit = std::make_shared<AuditResult>(*namedAudit({"gan_1", "gan_2", "gan_3"}));
    RunsWindow alone({audit, 0, nullptr});
    QVERIFY2(!alone.answer->text().contains("same value"), qPrintable(alone.answer->text()));
    auto second = std::make_shared<ModelAudit>(*audit->models[2]);
    second->name = "gan_2";
    audit->models[1] = second;
    RunsWindow two({audit, 0, nullptr});
    QVERIFY2(two.answer->text().endsWith("Another model reaches the same value."), qPrintable(two.answer->text()));
    auto first = std::make_shared<ModelAudit>(*second);
    first->name = "gan_1";
    audit->models[0] = first;
    RunsWindow three({audit, 0, nullptr});
    QVERIFY2(three.answer->text().contains("2 other models reach"), qPrintable(three.answer->text()));
}

void RunsPanelTest::clicksAndKeysChooseModels() {
    RunsWindow window({namedAudit({"gan_2000", "vae", "gan_1000", "gan_4000"}), 1, nullptr});
    window.click(2);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{3}));
    QTest::keyClick(window.chart, Qt::Key_Right); // the last one
    QCOMPARE(window.host.models.size(), std::size_t{1});
    QTest::keyClick(window.chart, Qt::Key_Left);
    QTest::keyClick(window.chart, Qt::Key_Left);
    QCOMPARE(window.host.models, (std::vector<std::size_t>{3, 0, 2}));
    window.view.showState({window.view.state().audit, 1, nullptr}); // a model outside
    QTest::keyClick(window.chart, Qt::Key_Right);
    QCOMPARE(window.host.models.back(), std::size_t{2});
}

void RunsPanelTest::otherScoresAndRunsCanBePicked() {
    RunsWindow window({namedAudit({"gan_1", "gan_2", "gan", "gan_early"}), 0, nullptr});
    QCOMPARE(window.runs->count(), 2);
    QCOMPARE(window.metric->currentText(), QStringLiteral("Clipped coverage"));
    window.metric->setFocus();
    QTest::keyClick(window.metric, Qt::Key_Home);
    const QString first = window.metric->currentText();
    QVERIFY(first != QStringLiteral("Clipped coverage"));
    window.runs->setFocus();
    QTest::keyClick(window.runs, Qt::Key_Down);
    QVERIFY(window.runs->currentText().startsWith(QStringLiteral("gan_\u2026")));
    QCOMPARE(window.metric->currentText(), first); // kept
    QCOMPARE(window.count(), std::size_t{2});
    QCOMPARE(window.chart->xAxis().names, (QStringList{"early", "end"}));
    window.click(0);
    QCOMPARE(window.host.models.back(), std::size_t{3});
}

void RunsPanelTest::numbersFarApartAreLogarithmic() {
    RunsWindow window({namedAudit({"a_10", "a_100", "a_1000"}), 0, nullptr});
    QVERIFY(window.chart->xAxis().scale == ChartAxis::Scale::Logarithmic);
    const double first = window.at(0).x();
    const double second = window.at(1).x();
    const double third = window.at(2).x();
    QVERIFY(std::abs((third - second) - (second - first)) < 1.5);
    window.view.showState({namedAudit({"a_0", "a_1000"}), 0, nullptr});
    QVERIFY(window.chart->xAxis().scale == ChartAxis::Scale::Linear);
}

void RunsPanelTest::otherRunsAreDrawnBeside() {
    RunsWindow window({namedAudit({"gan_1", "gan_2", "vae_1", "vae_3", "odd"}), 0, nullptr});
    auto* legend = window.view.findChild<QLabel*>("runsLegend");
    auto* beside = window.view.findChild<QCheckBox*>("runsBeside");
    QCOMPARE(window.drawnRuns(), 2U);
    QVERIFY(legend->isVisible() && legend->text().contains("gan_") && legend->text().contains("vae_"));
    // Both stand on one axis, which goes as far as either.
    QCOMPARE(window.at(0, 0).x(), window.at(0, 1).x());
    QVERIFY(window.at(1, 1).x() > window.at(1, 0).x());
    QVERIFY(window.chart->xAxis().to > 3.0);
    QCOMPARE(window.view.figure()->data.size(), std::size_t{5}); // a heading and four models
    QCOMPARE(window.view.figure()->legend.size(), 2U);
    window.click(1, 1);
    QCOMPARE(window.host.models, std::vector<std::size_t>{3});
    QTest::keyClick(window.chart, Qt::Key_Left); // within the other run
    QCOMPARE(window.host.models.back(), 2U);
    test::shoot(window.view, "runs-beside");
    QTest::mouseClick(beside, Qt::LeftButton, {}, QPoint(8, beside->height() / 2));
    QCOMPARE(window.drawnRuns(), 1U);
    QVERIFY(!legend->isVisible() && window.chart->xAxis().to < 3.0);
    QVERIFY(window.view.figure()->legend.empty());
    // Numbers of another parameter are not beside them; nor is a run alone offered the choice.
    RunsWindow other({namedAudit({"gan_step1", "gan_step2", "vae_cfg1", "vae_cfg2"}), 0, nullptr});
    QCOMPARE(other.drawnRuns(), 1U);
    QVERIFY(!other.view.findChild<QCheckBox*>("runsBeside")->isVisible());
}

void RunsPanelTest::isAFigure() {
    RunsWindow window({namedAudit({"gan_2000", "gan_1000"}), 0, nullptr});
    const auto figure = window.view.figure();
    QVERIFY(figure.has_value());
    QCOMPARE(figure->data.size(), std::size_t{3});
    QCOMPARE(figure->data[1].first(2), (QStringList{"gan_1000", "1000"}));
    QVERIFY(std::abs(figure->data[1][2].toDouble() - 0.3) < 1e-9);
    QVERIFY(std::abs(figure->data[1][3].toDouble() - 0.26) < 1e-9);
}

void RunsPanelTest::teachesWhenThereIsNoRun() {
    RunsWindow window({namedAudit({"gan", "vae"}), 0, nullptr});
    QVERIFY(window.hint->isVisible() && window.hint->text().startsWith("No run"));
    QVERIFY(!window.view.figure());
    auto* add = window.view.findChild<QPushButton*>("panelMessageButton");
    QTest::mouseClick(add, Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::AddModels), 1);
    window.view.showState({});
    QVERIFY(window.hint->text().startsWith("Models") && !add->isVisible());
}

void RunsPanelTest::theScatterHasThePath() {
    test::ShownView<ScatterPanel> window({namedAudit({"gan_3", "gan_1", "vae"}), 2, nullptr}, {420, 320});
    auto* button = window.view.findChild<QToolButton*>("runPaths");
    QVERIFY(button->isVisible() && button->isChecked());
    const auto path = [&] {
        std::vector<QPointF> points;
        for (const PlotSeries& series : window.view.plot().content().series)
            if (series.hasArrows)
                std::ranges::copy_if(series.points, std::back_inserter(points),
                                     [](QPointF point) { return std::isfinite(point.x()); });
        return points;
    };
    QCOMPARE(path().size(), std::size_t{2});
    for (const std::size_t model : {1, 0}) {
        const QPointF mark = window.view.plot().positionOf(*window.view.plot().pointWithId(model));
        QCOMPARE(window.view.plot().toWidget(path()[1 - model]), mark);
    }
    const QImage with = window.view.grab().toImage();
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(path().empty());
    QVERIFY(window.view.grab().toImage() != with);
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(path().size(), std::size_t{2});
    window.view.showState({namedAudit({"gan", "vae"}), 0, nullptr});
    QVERIFY(!button->isVisible());
}

void RunsPanelTest::looksRight_data() {
    QTest::addColumn<std::vector<std::string>>("names");
    std::vector<std::string> many;
    for (int step = 1; step <= 40; ++step)
        many.push_back("a model of a long name at training step " + std::to_string(100 * step));
    QTest::newRow("three") << std::vector<std::string>{"gan_1000", "gan_2000", "gan_5000"};
    QTest::newRow("forty-long") << many;
    QTest::newRow("early") << std::vector<std::string>{"gan_early", "gan"};
}

void RunsPanelTest::looksRight() {
    QFETCH(std::vector<std::string>, names);
    RunsWindow window({namedAudit(names), 1, nullptr}, {520, 320});
    QCOMPARE(window.view.size(), QSize(520, 320));
    test::shoot(window.view, QStringLiteral("runs-%1").arg(QTest::currentDataTag()));
    test::ShownView<ScatterPanel> scatter({window.view.state().audit, 1, nullptr}, {420, 320});
    test::shoot(scatter.view, QStringLiteral("scatter-path-%1").arg(QTest::currentDataTag()));
}

ASSAY_TEST(runs_panel_test, RunsPanelTest)
#include "runs_panel_test.moc"
