// What a person decides about samples in a session: rules, selections, exports, and undo.
#include "gui/session/selection_commands.h"
#include "tests/gui/support/fake_session.h"
#include "tests/support/test_entry.h"

#include <QUndoStack>

#include <malloc.h>

using namespace assay;
using namespace assay::test;

namespace {

const FilterRules kHalf{{"fidelity", Bound::AtLeast, 0.5}};

} // namespace

class SessionEditsTest : public QObject, test::FakeSession {
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void rulesDecideWhatIsKept();
    void rulesHoldForEveryModel();
    void refusesRulesThatDoNotFit();
    void everyEditCanBeUndone();
    void lookingAtSamplesIsNoStep();
    void draggingIsOneUndoStep();
    void newAuditHasAHistoryOfItsOwn();
    void invertsWithinTheModel();
    void aHundredSelectionsOfAMillionFitInTheHistory();
    void exportFailureIsReported();
};

void SessionEditsTest::rulesDecideWhatIsKept() {
    openAndWait();
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}, {"authentic", Bound::AtLeast, 1.0}});
    const ViewState& state = session_->state();
    QVERIFY(state.kept);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < 10; ++row)
        if (state.isKept(row))
            kept.push_back(row);
    QCOMPARE(kept, (std::vector<std::size_t>{2, 4, 5, 6, 7, 8, 9}));
    QCOMPARE(session_->document()->keptCount(), std::size_t{7});
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{3});
    session_->editor()->setRules({});
    QVERIFY(!session_->state().kept);
}

void SessionEditsTest::rulesHoldForEveryModel() {
    openAndWait();
    session_->editor()->setRules(kHalf);
    session_->editor()->setModel(1);
    QVERIFY(session_->state().kept);
    QVERIFY(!session_->state().isKept(4));
    QVERIFY(session_->state().isKept(5));
}

void SessionEditsTest::refusesRulesThatDoNotFit() {
    openAndWait();
    session_->editor()->setRules(kHalf);
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->editor()->setRules({{"no_such_column", Bound::AtMost, 1.0}});
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][1].toString().contains(QStringLiteral("no_such_column")));
    QCOMPARE(session_->document()->rules(), kHalf);
}

void SessionEditsTest::everyEditCanBeUndone() {
    openAndWait();
    QUndoGroup* undo = session_->document()->undoGroup();
    QVERIFY(!undo->canUndo());
    session_->editor()->setRules(kHalf);
    selection_->select(sample(0, 3));
    selection_->toggle(sample(0, 5));
    session_->editor()->setModel(1);
    QCOMPARE(undo->activeStack()->count(), 3); // the one sample that was looked at first is no step

    undo->undo();
    QCOMPARE(session_->state().model, std::size_t{0});
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 3), sample(0, 5)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 5)));
    undo->undo();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 3)}));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 3)));
    QCOMPARE(session_->document()->rules(), kHalf);
    QVERIFY(session_->state().rules && *session_->state().rules == kHalf);
    undo->undo();
    QVERIFY(session_->document()->rules().empty());
    QVERIFY(session_->state().rules->empty());
    QVERIFY(!session_->state().kept);
    QVERIFY(!undo->canUndo());

    for (int i = 0; i < 3; ++i)
        undo->redo();
    QCOMPARE(session_->document()->rules(), kHalf);
    QCOMPARE(session_->state().model, std::size_t{1});
    QVERIFY(selection_->isEmpty());
    // Telling the session what it already shows is no edit.
    session_->editor()->setRules(kHalf);
    session_->editor()->setModel(1);
    selection_->clear();
    QCOMPARE(undo->activeStack()->count(), 3);
}

void SessionEditsTest::lookingAtSamplesIsNoStep() {
    openAndWait();
    const QSignalSpy edited(session_->document(), &Document::edited);
    QUndoGroup* undo = session_->document()->undoGroup();
    for (const std::uint32_t row : {3U, 5U, 7U})
        selection_->select(sample(0, row));
    selection_->clear();
    QVERIFY(!undo->canUndo() && edited.isEmpty());
    selection_->replace({sample(0, 1), sample(0, 2)});
    selection_->replace(selection_->samples(), sample(0, 2)); // the focus alone
    QCOMPARE(undo->activeStack()->count(), 1);
    selection_->select(sample(0, 9)); // what was collected is gone: that can be undone
    QCOMPARE(undo->activeStack()->count(), 2);
    session_->editor()->judge({sample(0, 9)}, HandVerdict::Rejected);
    selection_->select(sample(0, 4));
    undo->undo(); // the verdict, whatever was looked at since
    QVERIFY(!session_->state().rejectedByHand);
    QCOMPARE(selection_->focus(), std::optional(sample(0, 9)));
    undo->undo();
    QCOMPARE(selection_->samples().size(), std::size_t{2});
}

void SessionEditsTest::draggingIsOneUndoStep() {
    openAndWait();
    QWidget slider;
    const auto drag = [&](std::initializer_list<double> values) {
        QTest::mousePress(&slider, Qt::LeftButton);
        for (const double value : values)
            session_->editor()->setRules({{"fidelity", Bound::AtLeast, value}});
        QTest::mouseRelease(&slider, Qt::LeftButton);
    };
    drag({0.1, 0.2, 0.3});
    drag({0.4, 0.5});
    QUndoStack* stack = session_->document()->undoGroup()->activeStack();
    QCOMPARE(stack->count(), 2);
    stack->undo();
    QCOMPARE(session_->document()->rules().list.at(0).value, 0.3);
    stack->undo();
    QVERIFY(session_->document()->rules().empty());
    stack->redo();
    QCOMPARE(session_->document()->rules().list.at(0).value, 0.3);
    QCoreApplication::processEvents(); // the last release is over
    session_->editor()->setRules(kHalf);
    session_->editor()->setRules({});
    QCOMPARE(stack->count(), 3); // without a button held, each edit counts
}

void SessionEditsTest::newAuditHasAHistoryOfItsOwn() {
    openAndWait();
    session_->editor()->setRules(kHalf);
    selection_->select(sample(0, 3));
    session_->openDemo();
    waitIdle();
    QVERIFY(selection_->isEmpty());
    QVERIFY(session_->document()->rules().empty());
    QVERIFY(!session_->document()->undoGroup()->canUndo());
}

void SessionEditsTest::invertsWithinTheModel() {
    openAndWait();
    selection_->replace({{SetId::Real, 2}, sample(0, 0), sample(0, 9)});
    SelectionCommands(session_.get()).others();
    QCOMPARE(selection_->samples().size(), std::size_t{8});
    QCOMPARE(selection_->samples().front(), sample(0, 1));
    QVERIFY(selection_->contains(sample(0, 8)));
}

void SessionEditsTest::aHundredSelectionsOfAMillionFitInTheHistory() {
    openAndWait();
    const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
    const std::size_t before = used();
    std::size_t largest = 0;
    for (std::uint32_t step = 0; step < 100; ++step) {
        // All but one, so that no two are the same.
        selection_->replace(
            SampleSet::where(syntheticSet(0), 1000000, [step](std::size_t row) { return row != 9999 * step; }));
        selection_->clear();
        largest = std::max(largest, used() - before);
    }
    QVERIFY2(largest < (std::size_t{64} << 20), qPrintable(QString::number(largest)));
    QUndoStack* undo = session_->document()->undoGroup()->activeStack();
    QCOMPARE(undo->count(), 200);
    for (std::uint32_t step = 100; step-- > 0;) {
        undo->undo();
        QCOMPARE(selection_->samples().size(), std::size_t{999999});
        QVERIFY(!selection_->contains(sample(0, 9999 * step)));
        undo->undo();
        QVERIFY(selection_->isEmpty());
    }
    QVERIFY(!undo->canUndo());
}

void SessionEditsTest::exportFailureIsReported() {
    openAndWait();
    QSignalSpy failed(session_.get(), &AuditSession::failed);
    session_->exportSamples({.models = {session_->state().model}}, QStringLiteral("/no/such/folder/kept.csv"));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][1].toString().contains(QStringLiteral("/no/such/folder/kept.csv")));
    QVERIFY(session_->isOpen());
}

ASSAY_TEST(session_edits_test, SessionEditsTest)
#include "session_edits_test.moc"
