// Curves that are asked for: offered, awaited, shown.
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/removal.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/curve_window.h"

#include <QtWidgets>

using namespace assay;
using namespace assay::test;

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
    std::erase_if(result->curves, [](const RequestedCurve& curve) { return curve.key == "bad_fraction"; });
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

class CurveRequestsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void demandedCurvesAreThere();
    void asksForCurvesOnDemand();
    void showsACurveThatIsComputedAgain();
    void showsWhatIsComputedAndNothingElse();
    void offersNoCurveWhileAJobRuns();
    void discardsByEveryScoreOfTheAudit();
    void saysWhenTheCurveHasFarFewerSamples();
};

void CurveRequestsTest::demandedCurvesAreThere() {
    auto audit = auditWith(2);
    CurveValues discard = sensitivity();
    discard.id = "discard";
    CurveValues bad = sensitivity();
    bad.id = "bad_fraction";
    audit->curves = {{"discard_by_pce", audit->models[1]->name, "worst first by pce; seed 0", discard},
                     {"bad_fraction", "", "far noise", bad}};
    CurveWindow window({audit, 0, nullptr});
    QCOMPARE(window.picker->count(), 3);
    QCOMPARE(window.picker->itemText(2), QString("Bad fraction"));
    window.setModel(1);
    QCOMPARE(window.picker->itemText(2), QString("Discarding, by PCE"));
    window.pick(2);
    QVERIFY(window.text("curveCaption").contains("seed 0"));
}

void CurveRequestsTest::asksForCurvesOnDemand() {
    CurveWindow window({auditWith(2), 0, nullptr});
    const std::vector<CurveRequest>& asked = window.host.curves;
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto trigger = [&](int at) {
        emit menu->aboutToShow();
        QVERIFY(menu->actions()[at]->isEnabled());
        menu->actions()[at]->trigger();
    };
    for (const int at : {0, 2, 3, 4, 5})
        trigger(at);
    QCOMPARE(asked.size(), std::size_t{5});
    QVERIFY(asked[0].badFraction && !asked[0].sampleSize && asked[0].discard.empty());
    QVERIFY(!asked[1].badFraction && asked[1].sampleSize);
    QVERIFY(asked[2].frontier && !asked[2].sampleSize && asked[2].discard.empty());
    QCOMPARE(asked[3].discard, (std::vector<std::string>{"pce"}));
    QCOMPARE(asked[4].discard, (std::vector<std::string>{"fidelity"}));
    trigger(1);
    QCOMPARE(window.host.count(PanelCommand::AddBadSamples), 1);
    QCOMPARE(asked.size(), std::size_t{5}); // which samples is not known yet
    window.pick(1);
    window.setModel(1); // another change meanwhile does not lose what was looked at
    QCOMPARE(window.picker->currentIndex(), 1);
    window.setModel(0);
    // What was asked for is shown once it is there, and then not offered again.
    trigger(2);
    emit window.host.curvesStarted(asked.back());
    auto audit = std::make_shared<AuditResult>(*window.view.state().audit);
    audit->curves.push_back(
        {"sample_size", audit->models[0]->name, "", {"sample_size", {10.0, 20.0}, {{"pce", {1.0, 2.0}}}}});
    window.view.showState({audit, 0, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Sample size"));
    emit menu->aboutToShow();
    QVERIFY(!menu->actions()[2]->isEnabled() && menu->actions()[0]->isEnabled());
}

void CurveRequestsTest::showsACurveThatIsComputedAgain() {
    CurveWindow window({auditWith(2), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto offersNoise = [&] {
        emit menu->aboutToShow();
        return menu->actions()[0]->isEnabled();
    };
    const auto compute = [&](const std::string& bad) {
        emit window.host.busyChanged(true);
        emit window.host.curvesStarted(badFractionRequest());
        window.view.showState({withBadFraction(*window.view.state().audit, bad), 0, nullptr});
        emit window.host.busyChanged(false);
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

void CurveRequestsTest::showsWhatIsComputedAndNothingElse() {
    CurveWindow window({withBadFraction(*auditWith(2), {}), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    window.pick(1);
    // Whoever closes the dialog of the file asked for nothing, and what is being computed still comes to the front.
    emit window.host.busyChanged(true);
    emit window.host.curvesStarted(sampleSizeRequest());
    menu->actions()[1]->setEnabled(true);
    menu->actions()[1]->trigger();
    window.setModel(1);
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
    window.view.showState({withSampleSize(*window.view.state().audit), 1, nullptr});
    emit window.host.busyChanged(false);
    QCOMPARE(window.picker->currentText(), QString("Sample size"));
    // A job that was cancelled is not waited for: another change of the audit leaves the view where it is.
    window.pick(1);
    emit window.host.busyChanged(true);
    emit window.host.curvesStarted(badFractionRequest());
    emit window.host.busyChanged(false);
    window.view.showState({std::make_shared<AuditResult>(*window.view.state().audit), 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Sensitivity to k"));
    // Nor is one of a person who looks at something else by now.
    emit window.host.busyChanged(true);
    emit window.host.curvesStarted(badFractionRequest());
    window.pick(0);
    window.view.showState({withBadFraction(*window.view.state().audit, "faults"), 1, nullptr});
    QCOMPARE(window.picker->currentText(), QString("Calibration of coverage"));
}

void CurveRequestsTest::offersNoCurveWhileAJobRuns() {
    CurveWindow window({auditWith(1), 0, nullptr});
    auto* menu = window.view.findChild<QMenu*>("curveMoreMenu");
    const auto* scores = window.view.findChild<QMenu*>("curveDiscardMenu");
    const auto offered = [&] {
        return std::ranges::count_if(menu->actions(), &QAction::isEnabled) +
               std::ranges::count_if(scores->actions(), &QAction::isEnabled);
    };
    emit menu->aboutToShow();
    const auto all = menu->actions().size() + scores->actions().size();
    QCOMPARE(offered(), all);
    emit window.host.busyChanged(true); // while the menu is open
    QCOMPARE(offered(), 0);
    emit menu->aboutToShow();
    QCOMPARE(offered(), 0);
    QVERIFY(window.view.findChild<QWidget*>("curveMore")->toolTip().contains("running job"));
    emit window.host.busyChanged(false);
    QCOMPARE(offered(), all);
}

void CurveRequestsTest::discardsByEveryScoreOfTheAudit() {
    const auto audit = withModel(auditWith(2), 1, [](ModelAudit& model) {
        std::erase_if(model.columns, [](const ColumnValues& column) { return column.id == "re"; });
    });
    const ModelAudit& lacking = *audit->models[1];
    CurveWindow window({audit, 0, nullptr});
    auto* more = window.view.findChild<QMenu*>("curveMoreMenu");
    emit more->aboutToShow();
    auto* scores = window.view.findChild<QMenu*>("curveDiscardMenu");
    QCOMPARE(more->actions().back(), scores->menuAction());
    QStringList offered;
    for (const QAction* action : scores->actions())
        offered << action->data().toString().mid(QString("discard_by_").size());
    QStringList expected;
    for (const Column& column : columnCatalog())
        if (canDiscardBy(column.id) && lacking.hasColumn(column.id) && column.id != "pce" && column.id != "fidelity")
            expected << QString::fromUtf8(column.id.data(), static_cast<qsizetype>(column.id.size()));
    QVERIFY(expected.size() >= 3 && expected.contains("authentic") && !expected.contains("re"));
    QCOMPARE(offered, expected);
    QVERIFY(!scores->actions().front()->toolTip().isEmpty());
    more->popup(window.view.mapToGlobal(QPoint(100, 40)));
    QTest::keyClick(more, Qt::Key_Up); // the last entry
    QTest::keyClick(more, Qt::Key_Right);
    QTest::keyClick(scores, Qt::Key_Return);
    const std::vector<std::string> asked = window.host.curves.back().discard;
    QCOMPARE(asked, (std::vector<std::string>{expected.front().toStdString()}));
    // What is there is not offered again.
    auto with = std::make_shared<AuditResult>(*audit);
    with->curves.push_back({"discard_by_" + expected.front().toStdString(),
                            audit->models[0]->name,
                            "",
                            {"discard", {0.0, 0.1}, {{"precision", {0.5, 0.6}}}}});
    CurveRequest discard;
    discard.discard = asked;
    emit window.host.curvesStarted(discard);
    window.view.showState({with, 0, nullptr});
    QVERIFY(window.picker->currentText().startsWith("Discarding, by "));
    emit more->aboutToShow();
    QVERIFY(!scores->actions()[0]->isEnabled() && scores->actions()[1]->isEnabled());
}

void CurveRequestsTest::saysWhenTheCurveHasFarFewerSamples() {
    auto audit = auditWith(2);
    const std::size_t rows = audit->models[0]->set->rows();
    QVERIFY(rows >= 10 && audit->models[1]->set->rows() == rows);
    CurveWindow window({audit, 0, nullptr});
    const auto said = [&](std::size_t samples) {
        audit = withBadFraction(*audit, "faults");
        audit->curves.back().samples = samples;
        emit window.host.curvesStarted(badFractionRequest());
        window.view.showState({audit, 0, nullptr});
        const QString caveat =
            QString("Each point is computed from %1 samples, but models have up to %2").arg(samples).arg(rows);
        const bool inCaption = window.text("curveCaption").contains(caveat);
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

ASSAY_TEST(curve_requests_test, CurveRequestsTest)
#include "curve_requests_test.moc"
