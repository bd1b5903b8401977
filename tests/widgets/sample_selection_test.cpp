// The one selection: what choosing samples does with those selected before, and what happens to the focus.
#include "tests/support/test_entry.h"
#include "tests/widgets/support/test_rows.h"
#include "widgets/link/sample_selection.h"

using namespace assay;

namespace {

constexpr SetId kModel = syntheticSet(0);

SampleSet rows(std::initializer_list<std::uint32_t> all) {
    return SampleSet(kModel, std::vector<std::uint32_t>(all));
}

} // namespace

class SampleSelectionTest : public QObject {
    Q_OBJECT

private slots:
    void modifiersSayWhatChanges_data();
    void modifiersSayWhatChanges();
    void toggleTakesOutOnlyWhatIsAllSelected();
    void focusIsAlwaysSelected();
    void saysNothingWhereNothingChanges();
    void growingChoiceShrinksAgain();
    void growingChoiceBeginsAgainAfterOthers();
};

void SampleSelectionTest::modifiersSayWhatChanges_data() {
    test::addColumns<int, std::vector<std::uint32_t>>("modifiers", "expected");
    const auto row = [](const char* name, Qt::KeyboardModifiers modifiers, std::vector<std::uint32_t> expected) {
        QTest::newRow(name) << static_cast<int>(modifiers) << expected;
    };
    row("none", {}, {2, 3});
    row("Shift", Qt::ShiftModifier, {1, 2, 3});
    row("Ctrl", Qt::ControlModifier, {1, 2, 3});
    row("Ctrl+Shift", Qt::ControlModifier | Qt::ShiftModifier, {1});
}

void SampleSelectionTest::modifiersSayWhatChanges() {
    QFETCH(int, modifiers);
    QFETCH(std::vector<std::uint32_t>, expected);
    SampleSelection selection;
    selection.replace(rows({1, 2}));
    selection.change(selectionChange(static_cast<Qt::KeyboardModifiers>(modifiers)), rows({2, 3}));
    QVERIFY(selection.samples() == SampleSet(kModel, expected));
}

void SampleSelectionTest::toggleTakesOutOnlyWhatIsAllSelected() {
    SampleSelection selection;
    selection.change(SelectionChange::Toggle, rows({1, 2}));
    selection.change(SelectionChange::Toggle, rows({2, 3}));
    QVERIFY(selection.samples() == rows({1, 2, 3}));
    selection.change(SelectionChange::Toggle, rows({2, 3}));
    QVERIFY(selection.samples() == rows({1}));
}

void SampleSelectionTest::focusIsAlwaysSelected() {
    SampleSelection selection;
    selection.replace(rows({1, 2}));
    QVERIFY(!selection.focus());
    selection.replace(rows({1, 2, 3}), SampleId{kModel, 3});
    selection.change(SelectionChange::Add, rows({4}));
    QCOMPARE(selection.focus(), std::optional(SampleId{kModel, 3}));
    selection.change(SelectionChange::Subtract, rows({3}));
    QVERIFY(!selection.focus());
    selection.change(SelectionChange::Subtract, rows({1, 2}));
    QCOMPARE(selection.focus(), std::optional(SampleId{kModel, 4})); // the only one
}

void SampleSelectionTest::saysNothingWhereNothingChanges() {
    SampleSelection selection;
    const QSignalSpy changes(&selection, &SampleSelection::changed);
    selection.clear();
    selection.change(SelectionChange::Subtract, rows({1}));
    QCOMPARE(changes.size(), 0);
    selection.replace(rows({1, 2}));
    selection.change(SelectionChange::Add, rows({2}));
    QCOMPARE(changes.size(), 1);
}

void SampleSelectionTest::growingChoiceShrinksAgain() {
    SampleSelection selection;
    selection.replace(rows({9}));
    GrowingChoice choice(&selection);
    choice.begin();
    choice.step(SelectionChange::Add, rows({1, 2, 3}));
    choice.step(SelectionChange::Add, rows({1}));
    QVERIFY(selection.samples() == rows({1, 9}));
    choice.step(SelectionChange::Subtract, rows({1, 2})); // of what is selected by now
    QVERIFY(selection.samples() == rows({9}));
}

void SampleSelectionTest::growingChoiceBeginsAgainAfterOthers() {
    SampleSelection selection;
    GrowingChoice choice(&selection);
    choice.begin();
    choice.step(SelectionChange::Add, rows({1, 2}));
    selection.replace(rows({7}));
    choice.step(SelectionChange::Add, rows({3}));
    QVERIFY(selection.samples() == rows({3, 7}));
}

ASSAY_TEST(sample_selection_test, SampleSelectionTest)
#include "sample_selection_test.moc"
