// What is wrong with a model, as the panel says it.
#include "engine/audit/findings/findings.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/shown_view.h"
#include "widgets/findings/finding_card.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/grid/sample_grid.h"

#include <QtWidgets>

#include <memory>
#include <optional>
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
    noise.kind = &kindOf("crowded");
    noise.marksModel = true;
    noise.place = 1.0;
    noise.value = 0.31;
    noise.low = 0.29;
    noise.high = 0.33;
    noise.sentence = "31 % of its samples crowd into regions with almost no real data.";
    noise.advice = "The model puts far more samples there than the real data has.";
    noise.rows = {3, 5, 8};
    noise.examples = {{5, 2}, {8, 1}};
    noise.exampleOf = {0, 0, 1};
    noise.rules = {verdictRule()};
    Finding missing;
    missing.kind = &kindOf("class_shares");
    missing.marksModel = true;
    missing.place = 2.0;
    missing.value = 0.2;
    missing.sentence = "It lacks 1 of 3 classes: cat.";
    missing.side = Side::Real;
    missing.rows = {0, 7};
    missing.examples = {{7, 2}};
    missing.exampleOf = {0, 0};
    Finding crowded;
    crowded.kind = &kindOf("crowded_combinations");
    crowded.marksModel = true;
    crowded.place = 3.0;
    crowded.value = 0.15;
    crowded.sentence = "15 % of its samples crowd into 1 combination of categories.";
    crowded.rows = {1, 2};
    Finding sizes;
    sizes.kind = &kindOf("sizes");
    sizes.value = 0.33;
    sizes.sentence = "The sets differ in size.";
    model->findings = {noise, missing, crowded, sizes};
    model->summary =
        "31 % of its samples crowd into regions with almost no real data. The rest are as good as real ones.";
    made->models[2] = model;
    return made;
}

struct FindingsWindow : test::ShownView<FindingsPanel> {
    explicit FindingsWindow(const ViewState& state, QSize size = {340, 420}) : ShownView(state, size) {}
    SampleGrid* examples(const char* id) const { return card(id)->findChild<SampleGrid*>("findingExamples"); }
    void clickExample(const char* id, std::size_t at, Qt::KeyboardModifiers modifiers = {}) const {
        SampleGrid* grid = examples(id);
        QTest::mouseClick(grid->viewport(), Qt::LeftButton, modifiers, grid->pictureRect({at, 0}).center());
    }
    QPushButton* button(const QString& name) const { return view.findChild<QPushButton*>(name); }
    FindingCard* card(const char* id) const {
        return view.findChild<FindingCard*>(QStringLiteral("finding_%1").arg(QLatin1String(id)));
    }
    SampleSet rejected() const { return host.verdicts.empty() ? SampleSet() : host.verdicts.back().first; }
    std::optional<SampleId> inspected() const {
        return host.inspected.empty() ? std::nullopt : std::optional(host.inspected.back());
    }
};

/// Two copies of one real sample each, and the original beside them.
std::shared_ptr<const AuditResult> copies(bool pictures) {
    test::FakeOptions options;
    options.pictures = pictures;
    return test::withModel(test::fakeAudit(options), 1, [&](ModelAudit& model) {
        Finding finding = test::copiesFinding(0.5);
        finding.rows = {2, 4, 6, 9};
        finding.examples = {{4, 3, 1}, {9, 1, 0}};
        finding.exampleOf = {0, 0, 0, 1};
        model.findings = {finding};
    });
}

} // namespace

class FindingsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void firstScoresSaySoAndTheRestIsMarked();
    void sumsUpAndListsThemInOrder();
    void aClickSelectsItsSamples();
    void realSamplesAreSelectedAsSuch();
    void keysDoWhatTheMouseDoes();
    void aClickOnAnExampleSelectsWhatIsLikeIt();
    void modifiersAddAndTakeAway();
    void anExampleIsInspectedByKeysAndByADoubleClick();
    void arrowsWalkExamplesAndCards();
    void aCopyStandsBesideItsOriginal();
    void withoutPicturesNamesStandForThem();
    void narrowPanelsShrinkPicturesBeforeTheyWrap();
    void allItsSamplesAreShownAloneAndEverythingAgain();
    void whatNoRuleNamesIsRejectedByHand();
    void whatIsRejectedCannotBeAgain();
    void theButtonRejectsWhatItsCardSays();
    void aFilterOfAnotherKindStays();
    void whatIsOnlyToBeKnownSelectsNothing();
    void groupsAreAskedForWhereTheyWouldExplainIt();
    void verdictsOfAnEarlierVersionCanBeJudgedAgain();
    void followsTheModel();
};

void FindingsPanelTest::sumsUpAndListsThemInOrder() {
    FindingsWindow window({audit(), 2, nullptr});
    QVERIFY(window.text("findingsSummary").contains("almost no real data"));
    const auto cards = window.view.findChildren<FindingCard*>();
    QCOMPARE(cards.size(), 4);
    QVERIFY(window.card("crowded")->y() < window.card("class_shares")->y());
    QVERIFY(window.card("class_shares")->y() < window.card("sizes")->y());
    QVERIFY(window.card("crowded")->toolTip().contains("95 % interval"));
    QVERIFY(window.card("crowded")->toolTip().contains("Marks a model with (!) if it is surely 5 % or more."));
    QVERIFY(window.card("sizes")->toolTip().contains("Never marks a model."));
    test::shoot(window.view, "findings");
}

void FindingsPanelTest::aClickSelectsItsSamples() {
    FindingsWindow window({audit(), 2, nullptr});
    QTest::mouseClick(window.card("crowded"), Qt::LeftButton, {}, QPoint(30, 20));
    const SetId set = syntheticSet(2);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{set, 3}, {set, 5}, {set, 8}}));
    test::shoot(window.view, "findings-chosen");
}

void FindingsPanelTest::realSamplesAreSelectedAsSuch() {
    FindingsWindow window({audit(), 2, nullptr});
    QTest::mouseClick(window.card("class_shares"), Qt::LeftButton, {}, QPoint(30, 20));
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{SetId::Real, 0}, {SetId::Real, 7}}));
}

void FindingsPanelTest::keysDoWhatTheMouseDoes() {
    FindingsWindow window({audit(), 2, nullptr});
    window.card("crowded")->setFocus();
    QTest::keyClick(window.card("crowded"), Qt::Key_Return);
    QCOMPARE(window.selection.samples().size(), 3U);
    window.selection.clear();
    QTest::keyClick(window.card("class_shares"), Qt::Key_Space);
    QCOMPARE(window.selection.samples().size(), 2U);
}

void FindingsPanelTest::aClickOnAnExampleSelectsWhatIsLikeIt() {
    FindingsWindow window({audit(), 2, nullptr});
    const SetId set = syntheticSet(2);
    window.clickExample("crowded", 0);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{set, 3}, {set, 5}}));
    QCOMPARE(window.selection.focus(), std::optional(SampleId{set, 5}));
    window.clickExample("class_shares", 0);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{SetId::Real, 0}, {SetId::Real, 7}}));
    // Where the filter leaves the example out, the others are selected still.
    window.view.showState(test::filtered(
        window.view.state(), {.className = {},
                              .text = {},
                              .range = {},
                              .among = std::make_shared<SampleSet>(std::vector<SampleId>{{set, 3}, {set, 8}})}));
    window.clickExample("crowded", 0);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{set, 3}}));
}

void FindingsPanelTest::modifiersAddAndTakeAway() {
    FindingsWindow window({audit(), 2, nullptr});
    const SetId set = syntheticSet(2);
    window.clickExample("crowded", 0);
    window.clickExample("crowded", 1, Qt::ShiftModifier);
    QCOMPARE(window.selection.samples().size(), 3U);
    window.clickExample("crowded", 0, Qt::ControlModifier);
    QCOMPARE(window.selection.samples(), (std::vector<SampleId>{{set, 8}}));
}

void FindingsPanelTest::anExampleIsInspectedByKeysAndByADoubleClick() {
    FindingsWindow window({audit(), 2, nullptr});
    SampleGrid* examples = window.examples("crowded");
    examples->setFocus();
    QTest::keyClick(examples, Qt::Key_Return);
    QCOMPARE(window.inspected(), std::optional(SampleId{syntheticSet(2), 5}));
    window.selection.clear();
    QTest::keyClick(examples, Qt::Key_Space);
    QCOMPARE(window.selection.samples().size(), 2U);
    QTest::mouseDClick(examples->viewport(), Qt::LeftButton, {}, examples->pictureRect({1, 0}).center());
    QCOMPARE(window.inspected(), std::optional(SampleId{syntheticSet(2), 8}));
    QTest::mouseMove(examples->viewport(), examples->pictureRect({0, 0}).center());
    QTRY_COMPARE(window.selection.hovered(), std::optional(examples->sampleAt({0, 0})));
}

void FindingsPanelTest::arrowsWalkExamplesAndCards() {
    FindingsWindow window({audit(), 2, nullptr});
    SampleGrid* examples = window.examples("crowded");
    examples->setFocus();
    for (const auto& [key, place] :
         {std::pair{Qt::Key_Right, 1U}, std::pair{Qt::Key_Right, 1U}, std::pair{Qt::Key_Left, 0U}}) {
        QTest::keyClick(examples, key);
        QCOMPARE(examples->current(), std::optional(GridPlace{place, 0}));
    }
    QVERIFY2(window.selection.isEmpty(), "arrow keys do not choose");
    window.card("crowded")->setFocus();
    QTest::keyClick(window.card("crowded"), Qt::Key_Down);
    QVERIFY(window.card("class_shares")->hasFocus());
    QTest::keyClick(window.card("class_shares"), Qt::Key_Up);
    QVERIFY(window.card("crowded")->hasFocus());
    // By Tab everything in a card is reached.
    QTest::keyClick(window.card("crowded"), Qt::Key_Tab);
    QVERIFY(examples->hasFocus());
}

void FindingsPanelTest::aCopyStandsBesideItsOriginal() {
    FindingsWindow window({copies(true), 1, nullptr});
    SampleGrid* examples = window.examples("copy");
    QVERIFY(examples->spokenText(0).contains("a copy of"));
    QVERIFY(examples->spokenText(0).contains("3 like this"));
    QVERIFY(examples->spokenText(1).contains("only this one"));
    QWidget* area = examples->viewport();
    const QPoint left = examples->pictureRect({0, 0}).center();
    const QPoint right = examples->pictureRect({0, 1}).center();
    const auto moveTo = [area](QPoint point) { // the pointer itself is the system's
        QMouseEvent move(QEvent::MouseMove, point, area->mapToGlobal(point), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(area, &move);
    };
    moveTo(left);
    QCOMPARE(window.selection.hovered(), std::optional(SampleId{syntheticSet(1), 4}));
    moveTo(right);
    QCOMPARE(window.selection.hovered(), std::optional(SampleId{SetId::Real, 1}));
    QTest::mouseDClick(area, Qt::LeftButton, {}, right);
    QCOMPARE(window.inspected(), std::optional(SampleId{SetId::Real, 1}));
    QTest::mouseClick(area, Qt::LeftButton, {}, left);
    QCOMPARE(window.selection.samples().size(), 3U);
    test::shoot(window.view, "findings-copies");
}

void FindingsPanelTest::withoutPicturesNamesStandForThem() {
    FindingsWindow with({copies(true), 1, nullptr});
    FindingsWindow without({copies(false), 1, nullptr});
    QVERIFY(without.examples("copy")->cellRect(0).height() < with.examples("copy")->cellRect(0).height());
    without.clickExample("copy", 0);
    QCOMPARE(without.selection.samples().size(), 3U);
    test::shoot(without.view, "findings-names");
}

void FindingsPanelTest::narrowPanelsShrinkPicturesBeforeTheyWrap() {
    FindingsWindow wide({copies(true), 1, nullptr}, {600, 400});
    FindingsWindow narrow({copies(true), 1, nullptr}, {270, 400});
    for (const FindingsWindow* window : {&wide, &narrow})
        QCOMPARE(window->examples("copy")->cellRect(0).y(), window->examples("copy")->cellRect(1).y());
    QVERIFY(narrow.examples("copy")->cellRect(0).width() < wide.examples("copy")->cellRect(0).width());
    const FindingsWindow narrowest({copies(true), 1, nullptr}, {200, 400});
    QVERIFY(narrowest.examples("copy")->cellRect(0).y() < narrowest.examples("copy")->cellRect(1).y());
}

void FindingsPanelTest::allItsSamplesAreShownAloneAndEverythingAgain() {
    FindingsWindow window({audit(), 2, nullptr});
    QPushButton* show = window.button("findingShow_crowded");
    QCOMPARE(show->text(), QString("Show all 3"));
    QTest::mouseClick(show, Qt::LeftButton);
    const SetId set = syntheticSet(2);
    QVERIFY(window.view.state().shown != nullptr);
    QCOMPARE(window.view.state().shown->countIn(set), 3U);
    QVERIFY(window.view.state().isShown({set, 5}) && !window.view.state().isShown({set, 4}));
    QVERIFY(window.view.state().isShown({SetId::Real, 4})); // real samples stay to compare with
    QCOMPARE(show->text(), QString("Show the others again"));
    QCOMPARE(window.button("findingShow_class_shares")->text(), QString("Show all 2"));
    show->setFocus();
    QTest::keyClick(show, Qt::Key_Space);
    QVERIFY(window.view.state().shown == nullptr);
    QCOMPARE(show->text(), QString("Show all 3"));
}

void FindingsPanelTest::whatNoRuleNamesIsRejectedByHand() {
    FindingsWindow window({audit(), 2, nullptr});
    QTest::mouseClick(window.button("findingReject_crowded_combinations"), Qt::LeftButton);
    QCOMPARE(window.rejected(), (std::vector<SampleId>{{syntheticSet(2), 1}, {syntheticSet(2), 2}}));
    QVERIFY(window.button("findingReject_class_shares") == nullptr); // nothing synthetic
}

void FindingsPanelTest::whatIsRejectedCannotBeAgain() {
    FindingsWindow window({audit(), 2, nullptr});
    auto kept = std::make_shared<std::vector<bool>>(window.view.state().current().set->rows(), true);
    (*kept)[3] = (*kept)[5] = false;
    ViewState state = window.view.state();
    state.kept = kept;
    window.view.showState(state);
    QVERIFY(window.button("findingReject_crowded")->isEnabled());
    auto fewer = std::make_shared<std::vector<bool>>(*kept);
    (*fewer)[8] = false;
    state.kept = fewer;
    window.view.showState(state);
    QVERIFY(!window.button("findingReject_crowded")->isEnabled());
    QVERIFY(window.button("findingReject_crowded_combinations")->isEnabled());
}

void FindingsPanelTest::theButtonRejectsWhatItsCardSays() {
    FindingsWindow window({audit(), 2, nullptr});
    QPushButton* button = window.button("findingReject_crowded");
    QCOMPARE(button->text(), QString("Reject these 3"));
    QTest::mouseClick(button, Qt::LeftButton);
    const SetId set = syntheticSet(2); // no other model's
    QCOMPARE(window.rejected(), (std::vector<SampleId>{{set, 3}, {set, 5}, {set, 8}}));
    QVERIFY(window.selection.isEmpty()); // the button is not the card
    QVERIFY(window.button("findingReject_sizes") == nullptr);
}

void FindingsPanelTest::aFilterOfAnotherKindStays() {
    ViewState state{audit(), 2, nullptr};
    state.filter.className = "7";
    FindingsWindow window(state);
    QTest::mouseClick(window.button("findingShow_crowded"), Qt::LeftButton);
    QCOMPARE(window.view.state().filter.className, std::optional<std::string>("7"));
    QVERIFY(window.view.state().filter.among != nullptr);
    QTest::mouseClick(window.button("findingShow_crowded"), Qt::LeftButton);
    QVERIFY(window.view.state().filter == state.filter);
}

void FindingsPanelTest::whatIsOnlyToBeKnownSelectsNothing() {
    FindingsWindow window({audit(), 2, nullptr});
    window.selection.select({SetId::Real, 1});
    QTest::mouseClick(window.card("sizes"), Qt::LeftButton, {}, QPoint(30, 10));
    QCOMPARE(window.selection.samples().size(), 1U);
}

void FindingsPanelTest::groupsAreAskedForWhereTheyWouldExplainIt() {
    const auto ungrouped = test::withModel(audit(), 2, [](ModelAudit& model) {
        Finding finding;
        finding.kind = &kindOf("ungrouped");
        finding.sentence = "Some real samples may belong together.";
        model.findings.push_back(finding);
    });
    FindingsWindow window({ungrouped, 2, nullptr});
    QTest::mouseClick(window.button("findingGroups_ungrouped"), Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::ChooseGroups), 1);
    QVERIFY(window.button("findingGroups_crowded") == nullptr);
}

void FindingsPanelTest::verdictsOfAnEarlierVersionCanBeJudgedAgain() {
    const auto older = test::withModel(
        audit(), 1, [&](ModelAudit& model) { model.findings.push_back(oldVerdicts("Assay 0.2.0, 2026-01-01")); });
    FindingsWindow window({older, 1, nullptr});
    QPushButton* button = window.button(QStringLiteral("judgeAgain"));
    QVERIFY(button->isVisible() && button->y() < window.card("old_verdicts")->y());
    test::shoot(window.view, "findings-judge-again");
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(window.host.count(PanelCommand::JudgeAgain), 1);
    window.view.showState({older, 2, nullptr});
    QVERIFY(!button->isVisible());
}

void FindingsPanelTest::followsTheModel() {
    const auto shown = audit();
    FindingsWindow window({shown, 2, nullptr});
    window.view.showState({shown, 1, nullptr});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(window.view.findChildren<FindingCard*>().size(), 1);
    QVERIFY(window.card("copy") != nullptr);
    window.view.showState({shown, 0, nullptr});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(window.view.findChildren<FindingCard*>().empty());
    QCOMPARE(window.text("findingsSummary"), QString("As good as real."));
}

void FindingsPanelTest::firstScoresSaySoAndTheRestIsMarked() {
    const auto whole = audit();
    const auto withModel = [&](bool complete, const std::string& summary) {
        auto made = std::make_shared<AuditResult>(*whole);
        auto model = std::make_shared<ModelAudit>(*made->models[2]);
        model->complete = complete;
        model->summary = summary;
        made->models[2] = model;
        return ViewState{.audit = made, .model = 2};
    };
    FindingsWindow window(withModel(false, "No fault was found so far."));
    const auto* stage = window.view.findChild<QLabel*>(QStringLiteral("findingsStage"));
    QVERIFY(stage->isVisible() && stage->text().startsWith(QLatin1String("First scores")));
    window.view.showState(withModel(true, "31 % of its samples are copies."));
    QVERIFY(stage->isVisible() && stage->text().startsWith(QLatin1String("Updated")));
    window.view.showState({.audit = whole, .model = 0});
    QVERIFY(!stage->isVisible());
    window.view.showState(withModel(false, "The same."));
    window.view.showState(withModel(true, "The same."));
    QVERIFY(!stage->isVisible());
}

ASSAY_TEST(findings_panel_test, FindingsPanelTest)
#include "findings_panel_test.moc"
