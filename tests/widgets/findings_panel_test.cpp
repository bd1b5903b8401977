// What is wrong with a model, as the panel says it.
#include "engine/audit/findings/findings.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/screenshot.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/findings/finding_card.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/link/sample_selection.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include <memory>
#include <vector>

using namespace assay;

namespace {

const FindingKind& kindOf(std::string_view id) {
    for (const FindingKind& kind : findingKinds())
        if (kind.id == id)
            return kind;
    qFatal("no such kind");
}

/// Three models: nothing wrong, copies, and one with several findings.
std::shared_ptr<const AuditResult> audit() {
    auto made = std::make_shared<AuditResult>(*test::fakeAudit());
    auto model = std::make_shared<ModelAudit>(*made->models[2]);
    Finding noise;
    noise.kind = &kindOf("over_represented");
    noise.value = 0.31;
    noise.low = 0.29;
    noise.high = 0.33;
    noise.sentence = "31 % of its samples are over-represented: most lie where reality has none.";
    noise.advice = "The model puts far more samples there than there are in reality.";
    noise.rows = {3, 5, 8};
    noise.rules = {verdictRule()};
    Finding missing;
    missing.kind = &kindOf("missing_classes");
    missing.value = 0.2;
    missing.sentence = "It lacks 1 of 3 classes: cat.";
    missing.side = Side::Real;
    missing.rows = {0, 7};
    Finding sizes;
    sizes.kind = &kindOf("sizes");
    sizes.value = 0.33;
    sizes.sentence = "The sets differ in size.";
    model->findings = {noise, missing, sizes};
    model->summary =
        "31 % of its samples are over-represented: most lie where reality has none; the rest is as good as real.";
    made->models[2] = model;
    return made;
}

struct FindingsWindow : test::ShownView<FindingsPanel> {
    explicit FindingsWindow(const ViewState& state, QSize size = {340, 420}) : ShownView(state, size) {
        QObject::connect(&view, &FindingsPanel::rulesWanted, [this](const FilterRules& rules) { wanted = rules; });
    }
    FindingCard* card(const char* id) const {
        return view.findChild<FindingCard*>(QStringLiteral("finding_%1").arg(QLatin1String(id)));
    }
    FilterRules wanted;
};

} // namespace

class FindingsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void sumsUpAndListsThemInOrder();
    void aClickSelectsItsSamples();
    void realSamplesAreSelectedAsSuch();
    void keysDoWhatTheMouseDoes();
    void buttonAsksForTheRule();
    void whatIsOnlyToBeKnownSelectsNothing();
    void followsTheModel();
    void teachesWhenEmpty();
};

void FindingsPanelTest::sumsUpAndListsThemInOrder() {
    FindingsWindow window({audit(), 2, nullptr});
    QVERIFY(window.view.findChild<QLabel*>("findingsSummary")->text().contains("most lie where reality has none"));
    const auto cards = window.view.findChildren<FindingCard*>();
    QCOMPARE(cards.size(), 3);
    QVERIFY(window.card("over_represented")->y() < window.card("missing_classes")->y());
    QVERIFY(window.card("missing_classes")->y() < window.card("sizes")->y());
    QVERIFY(window.card("over_represented")->toolTip().contains("95 % interval"));
    test::shoot(window.view, "findings");
}

void FindingsPanelTest::aClickSelectsItsSamples() {
    FindingsWindow window({audit(), 2, nullptr});
    QTest::mouseClick(window.card("over_represented"), Qt::LeftButton, {}, QPoint(30, 20));
    const SetId set = syntheticSet(2);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{set, 3}, {set, 5}, {set, 8}}));
    test::shoot(window.view, "findings-chosen");
}

void FindingsPanelTest::realSamplesAreSelectedAsSuch() {
    FindingsWindow window({audit(), 2, nullptr});
    QTest::mouseClick(window.card("missing_classes"), Qt::LeftButton, {}, QPoint(30, 20));
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{SetId::Real, 0}, {SetId::Real, 7}}));
}

void FindingsPanelTest::keysDoWhatTheMouseDoes() {
    FindingsWindow window({audit(), 2, nullptr});
    window.card("over_represented")->setFocus();
    QTest::keyClick(window.card("over_represented"), Qt::Key_Return);
    QCOMPARE(window.selection.samples().size(), 3U);
    window.selection.clear();
    QTest::keyClick(window.card("missing_classes"), Qt::Key_Space);
    QCOMPARE(window.selection.samples().size(), 2U);
}

void FindingsPanelTest::buttonAsksForTheRule() {
    FindingsWindow window({audit(), 2, nullptr});
    auto* button = window.view.findChild<QPushButton*>("findingRule_over_represented");
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(window.wanted, FilterRules{verdictRule()});
    QVERIFY(window.selection.isEmpty()); // the button is not the card
    QVERIFY(window.view.findChild<QPushButton*>("findingRule_sizes") == nullptr);
}

void FindingsPanelTest::whatIsOnlyToBeKnownSelectsNothing() {
    FindingsWindow window({audit(), 2, nullptr});
    window.selection.select({SetId::Real, 1});
    QTest::mouseClick(window.card("sizes"), Qt::LeftButton, {}, QPoint(30, 10));
    QCOMPARE(window.selection.samples().size(), 1U);
}

void FindingsPanelTest::followsTheModel() {
    const auto shown = audit();
    FindingsWindow window({shown, 2, nullptr});
    window.view.showState({shown, 1, nullptr});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(window.view.findChildren<FindingCard*>().size(), 1);
    QVERIFY(window.card("copies") != nullptr);
    window.view.showState({shown, 0, nullptr});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(window.view.findChildren<FindingCard*>().empty());
    QCOMPARE(window.view.findChild<QLabel*>("findingsSummary")->text(), QString("As good as real."));
}

void FindingsPanelTest::teachesWhenEmpty() {
    FindingsWindow window({});
    auto* hint = window.view.findChild<QLabel*>("findingsHint");
    QVERIFY(hint->isVisible() && hint->text().contains("Open"));
}

ASSAY_TEST(findings_panel_test, FindingsPanelTest)
#include "findings_panel_test.moc"
