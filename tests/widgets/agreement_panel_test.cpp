// Metrics beside figures of the models from elsewhere: the published human error rates, shown and chosen.
#include "engine/external/external_scores.h"
#include "tests/support/published_models.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/agreement/agreement_panel.h"
#include "widgets/charts/plot.h"
#include "widgets/tables/heat_table.h"

#include <QtWidgets>

#include <algorithm>

using namespace assay;

namespace {

/// The fake audit with the published models in the place of its own.
std::shared_ptr<const AuditResult> publishedAudit() {
    auto audit = std::make_shared<AuditResult>(*test::fakeAudit());
    const ModelAudit base = *audit->models.front();
    audit->models.clear();
    for (const test::PublishedModel& published : test::kPublishedModels) {
        auto model = std::make_shared<ModelAudit>(base);
        model->name = published.name;
        model->metrics = {{"precision", published.precision},
                          {"recall", published.recall},
                          {"density", published.density},
                          {"coverage", published.coverage},
                          {"authenticity", published.authentic / 100.0}};
        audit->models.push_back(std::move(model));
    }
    return audit;
}

std::shared_ptr<const ExternalScores> publishedScores(std::size_t models = test::kPublishedModels.size()) {
    ExternalScores scores{"table11.csv", {}, {"human error rate", "FD"}, {}};
    for (const test::PublishedModel& model : std::span(test::kPublishedModels).first(models))
        scores.rows.push_back({model.name, {model.humanErrorRate, model.frechetDistance}});
    return std::make_shared<const ExternalScores>(std::move(scores));
}

struct AgreementWindow : test::ShownView<AgreementPanel> {
    explicit AgreementWindow(const ViewState& state) : ShownView(state, {820, 360}) {}
    HeatTable* table() const { return view.findChild<HeatTable*>(); }
    Plot* chart() const { return view.findChild<Plot*>("agreementChart"); }
    QString name(int row) const { return table()->model()->headerData(row, Qt::Vertical).toString(); }
    int row(const QString& metric) const {
        int at = 0;
        while (at < table()->model()->rowCount() && name(at) != metric)
            ++at;
        return at;
    }
    void click(int row, int column) const {
        const QRect cell = table()->visualRect(table()->model()->index(row, column));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell.center());
    }
};

} // namespace

class AgreementPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void teachesWhenEmpty();
    void showsThePublishedCoefficients();
    void cellsAreChosenByMouseAndKeys();
    void clickOnAModelChoosesIt();
    void figureHasEveryCoefficient();
};

void AgreementPanelTest::teachesWhenEmpty() {
    AgreementWindow window({});
    QVERIFY(window.text("panelMessage").contains("Open a real"));
    auto* add = window.view.findChild<QPushButton*>("panelMessageButton");
    QVERIFY(!add->isVisible());
    ViewState state{publishedAudit(), 0, nullptr};
    window.view.showState(state);
    QVERIFY(window.text("panelMessage").contains("one row per model"));
    QTest::mouseClick(add, Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::AddModelScores), 1);
    test::shoot(window.view, "agreement-empty");
    state.external = publishedScores(2);
    window.view.showState(state);
    QVERIFY(window.text("panelMessage").contains("table11.csv has different scores for fewer than 3 models"));
    state.external = publishedScores(4);
    window.view.showState(state);
    QVERIFY(window.text("agreementSentence").contains("too few for an interval"));
}

void AgreementPanelTest::showsThePublishedCoefficients() {
    ViewState state{publishedAudit(), 3, nullptr};
    state.external = publishedScores();
    AgreementWindow window(state);
    const auto shown = [&](const QString& metric, int column) {
        return window.table()->model()->index(window.row(metric), column).data().toString();
    };
    QCOMPARE(shown("Coverage", 0), QString("0.98"));
    QCOMPARE(shown("Precision", 0), QString("-0.40"));
    QCOMPARE(shown("FD", 0), QString("-0.98"));
    QVERIFY2(shown("FD", 1).isEmpty(), "nothing is compared with itself");
    QVERIFY2(window.row("Coverage") < window.row("Precision"), "the strongest first");
    QVERIFY(window.text("agreementSentence").startsWith("Coverage correlates best with human error rate"));
    auto* coefficient = window.view.findChild<QComboBox*>("agreementCoefficient");
    coefficient->setCurrentIndex(2);
    emit coefficient->activated(2);
    QCOMPARE(shown("Precision", 0), QString("-0.21"));
    test::shoot(window.view, "agreement");
}

void AgreementPanelTest::cellsAreChosenByMouseAndKeys() {
    ViewState state{publishedAudit(), 3, nullptr};
    state.external = publishedScores();
    AgreementWindow window(state);
    const auto metricShown = [&] { return window.chart()->content().y.title; };
    window.click(window.row("Precision"), 0);
    QCOMPARE(metricShown(), QString("Precision"));
    QCOMPARE(window.chart()->content().series.front().points.size(), 13U);
    QTest::keyClick(window.table(), Qt::Key_Up);
    QCOMPARE(metricShown(), window.name(window.row("Precision") - 1));
    window.click(window.row("Density"), 1);
    QCOMPARE(window.chart()->content().x.title, QString("FD"));
    QVERIFY(window.text("agreementSentence").contains("correlates best with FD"));
}

void AgreementPanelTest::clickOnAModelChoosesIt() {
    ViewState state{publishedAudit(), 3, nullptr};
    state.external = publishedScores();
    AgreementWindow window(state);
    for (const std::size_t entry : {std::size_t{0}, std::size_t{4}, std::size_t{12}}) {
        const PlotPoint point{0, entry};
        QTest::mouseClick(window.chart(), Qt::LeftButton, {}, window.chart()->positionOf(point).toPoint());
        QCOMPARE(window.host.models.back(), window.chart()->idOf(point));
    }
    QCOMPARE(window.host.models.size(), std::size_t{3});
}

void AgreementPanelTest::figureHasEveryCoefficient() {
    ViewState state{publishedAudit(), 3, nullptr};
    AgreementWindow window(state);
    QVERIFY(!window.view.figure());
    state.external = publishedScores();
    window.view.showState(state);
    const auto figure = window.view.figure();
    QVERIFY(figure && figure->chart == window.chart());
    QCOMPARE(figure->data.size(), 1U + 6U + 6U); // five metrics and the other column, for two columns
    QCOMPARE(figure->data[0].size(), 12);
    const auto row = std::ranges::find_if(figure->data, [](const QStringList& one) {
        return one[0] == QLatin1String("coverage") && one[1] == QLatin1String("human error rate");
    });
    QVERIFY(row != figure->data.end());
    QVERIFY(std::abs((*row)[6].toDouble() - 0.977915) < 1e-6);
}

ASSAY_TEST(agreement_panel_test, AgreementPanelTest)
#include "agreement_panel_test.moc"
