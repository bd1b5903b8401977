// What a person says of single samples in a session: verdicts by hand, notes, names of tags, and their history.
#include "gui/session/selection_commands.h"
#include "tests/gui/support/fake_session.h"
#include "tests/support/test_entry.h"

#include <QUndoStack>

using namespace assay;
using namespace assay::test;

class HandVerdictTest : public QObject, test::FakeSession {
    Q_OBJECT

private slots:
    void init() {
        begin();
        openAndWait();
    }
    void cleanup() { end(); }
    void aSampleHasOneVerdict();
    void theSameVerdictTwiceIsNone();
    void everyVerdictCanBeUndone();
    void acceptedGoesBeforeTheRules();
    void unsureIsLeftToTheRules();
    void realSamplesHaveNone();
    void aVerdictAndTheNextSampleAreOneStep();
    void notesCanBeWrittenDroppedAndUndone();
    void namesOfTagsAreOneStep();
    void areUnsavedDecisions();
    void areSelected();
    void rejectionsAddToThoseOfTheRules();
    void rejectionsLeaveRealSamplesAndOtherModelsAlone();
    void rejectionsAreExportedWithTheirReason();

private:
    /// One letter for each of the ten samples: rejected, accepted, unsure or none.
    QString verdicts() const {
        const ViewState& state = session_->state();
        QString text;
        for (std::uint32_t row = 0; row < 10; ++row) {
            const SampleId id{state.currentSet(), row};
            QString one;
            one += state.isRejectedByHand(row) ? QStringLiteral("r") : QString();
            one += state.isAccepted(id) ? QStringLiteral("a") : QString();
            one += state.isUnsure(id) ? QStringLiteral("u") : QString();
            text += one.isEmpty() ? QStringLiteral(".") : one; // longer than ten where there are several
        }
        return text;
    }
    QString kept() const {
        QString text;
        for (std::size_t row = 0; row < 10; ++row)
            text += session_->state().isKept(row) ? '1' : '0';
        return text;
    }
    void undo() { session_->document()->undoGroup()->undo(); }
    void redo() { session_->document()->undoGroup()->redo(); }
};

void HandVerdictTest::aSampleHasOneVerdict() {
    session_->editor()->judge({sample(0, 1), sample(0, 2), sample(0, 3)}, HandVerdict::Rejected);
    QCOMPARE(verdicts(), QStringLiteral(".rrr......"));
    session_->editor()->judge({sample(0, 2), sample(0, 5)}, HandVerdict::Accepted);
    QCOMPARE(verdicts(), QStringLiteral(".rar.a...."));
    session_->editor()->judge({sample(0, 1), sample(0, 2)}, HandVerdict::Unsure);
    QCOMPARE(verdicts(), QStringLiteral(".uur.a...."));
    session_->editor()->judge({sample(0, 1)}, HandVerdict::Rejected);
    session_->editor()->judge({sample(0, 3), sample(0, 5)}, HandVerdict::None);
    QCOMPARE(verdicts(), QStringLiteral(".ru......."));
    session_->editor()->setModel(1);
    QCOMPARE(verdicts(), QStringLiteral(".........."));
}

void HandVerdictTest::theSameVerdictTwiceIsNone() {
    for (const auto& [verdict, letter] : {std::pair(HandVerdict::Rejected, 'r'), std::pair(HandVerdict::Accepted, 'a'),
                                          std::pair(HandVerdict::Unsure, 'u')}) {
        selection_->replace({sample(0, 4)});
        session_->editor()->toggleByHand(verdict);
        QVERIFY(session_->editor()->isSelectionJudged(verdict));
        selection_->replace({sample(0, 4), sample(0, 5)});
        QVERIFY(!session_->editor()->isSelectionJudged(verdict)); // of one of them only
        session_->editor()->toggleByHand(verdict);
        QCOMPARE(verdicts(), QStringLiteral("....%1%1....").arg(QLatin1Char(letter)));
        session_->editor()->toggleByHand(verdict);
        QCOMPARE(verdicts(), QStringLiteral(".........."));
        QVERIFY(!session_->state().kept && !session_->state().rejectedByHand);
    }
}

void HandVerdictTest::everyVerdictCanBeUndone() {
    const QStringList steps{"..........", "r.........", "a.........", "u.........", ".........."};
    const std::array order{HandVerdict::Rejected, HandVerdict::Accepted, HandVerdict::Unsure, HandVerdict::None};
    for (const HandVerdict verdict : order)
        session_->editor()->judge({sample(0, 0)}, verdict);
    QCOMPARE(session_->document()->undoGroup()->activeStack()->count(), 4);
    session_->editor()->judge({sample(0, 0)}, HandVerdict::None); // nothing new
    QCOMPARE(session_->document()->undoGroup()->activeStack()->count(), 4);
    for (qsizetype step = 3; step >= 0; --step) {
        undo();
        QCOMPARE(verdicts(), steps[step]);
    }
    for (qsizetype step = 1; step <= 4; ++step) {
        redo();
        QCOMPARE(verdicts(), steps[step]);
    }
}

void HandVerdictTest::acceptedGoesBeforeTheRules() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(!session_->state().isKept(2));
    const std::size_t kept = session_->document()->keptCount();
    session_->editor()->judge({sample(0, 2)}, HandVerdict::Accepted);
    QVERIFY(session_->state().isKept(2) && !session_->state().isKept(3));
    QCOMPARE(session_->document()->keptCount(), kept + 1);
    session_->editor()->judge({sample(0, 2)}, HandVerdict::Rejected);
    QVERIFY(!session_->state().isKept(2));
    undo();
    QVERIFY(session_->state().isKept(2));
    session_->editor()->setRules({});
    QCOMPARE(session_->document()->keptCount(), std::size_t{10});
    QCOMPARE(verdicts(), QStringLiteral("..a......."));
}

void HandVerdictTest::unsureIsLeftToTheRules() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    session_->editor()->judge({sample(0, 2), sample(0, 7)}, HandVerdict::Unsure);
    QVERIFY(!session_->state().isKept(2) && session_->state().isKept(7));
}

void HandVerdictTest::realSamplesHaveNone() {
    const SampleId real{SetId::Real, 1};
    session_->editor()->judge({real}, HandVerdict::Accepted);
    QVERIFY(!session_->state().isAccepted(real));
    QVERIFY(!session_->document()->undoGroup()->canUndo());
    selection_->replace({real});
    QVERIFY(!session_->editor()->canDecide());
    session_->editor()->toggleByHand(HandVerdict::Unsure);
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    QVERIFY(!session_->state().unsure && !session_->state().rejectedByHand);
}

void HandVerdictTest::aVerdictAndTheNextSampleAreOneStep() {
    selection_->select(sample(0, 3));
    const int before = session_->document()->undoGroup()->activeStack()->count();
    QSignalSpy states(session_->document(), &Document::stateChanged);
    session_->editor()->judge({sample(0, 3)}, HandVerdict::Rejected, SelectionSnapshot{{sample(0, 6)}, sample(0, 6)});
    QCOMPARE(selection_->focus(), std::optional(sample(0, 6)));
    QCOMPARE(session_->document()->undoGroup()->activeStack()->count(), before + 1);
    QCOMPARE(states.size(), 1);
    QCOMPARE(kept(), QStringLiteral("1110111111"));
    undo();
    QCOMPARE(kept(), QStringLiteral("1111111111"));
    QCOMPARE(verdicts(), QStringLiteral(".........."));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 3)));
    redo();
    QCOMPARE(verdicts(), QStringLiteral("...r......"));
    QCOMPARE(selection_->focus(), std::optional(sample(0, 6)));
    // The verdict that a sample has already is no edit, but the next one comes.
    session_->editor()->judge({sample(0, 3)}, HandVerdict::Rejected, SelectionSnapshot{{sample(0, 8)}, sample(0, 8)});
    QCOMPARE(selection_->focus(), std::optional(sample(0, 8)));
}

void HandVerdictTest::notesCanBeWrittenDroppedAndUndone() {
    const SampleId real{SetId::Real, 2};
    session_->editor()->setNote(sample(0, 1), QStringLiteral("  three legs "));
    session_->editor()->setNote(real, QStringLiteral("mislabelled"));
    QCOMPARE(session_->state().noteOf(sample(0, 1)), std::string("three legs"));
    QCOMPARE(session_->state().noteOf(sample(0, 2)), std::string());
    session_->editor()->setNote(sample(0, 1), QStringLiteral("three legs")); // as it is
    QCOMPARE(session_->document()->undoGroup()->activeStack()->count(), 2);
    session_->editor()->setNote(sample(0, 1), QStringLiteral(" "));
    QVERIFY(session_->state().notes->size() == 1 && session_->state().noteOf(sample(0, 1)).empty());
    undo();
    QCOMPARE(session_->state().noteOf(sample(0, 1)), std::string("three legs"));
    undo();
    undo();
    QVERIFY(session_->state().notes->empty());
    redo();
    QCOMPARE(session_->state().noteOf(sample(0, 1)), std::string("three legs"));
}

void HandVerdictTest::namesOfTagsAreOneStep() {
    QCOMPARE(session_->state().tagName(2), std::string("2"));
    session_->editor()->nameTags({"", " blurred ", "", "copy"});
    QCOMPARE(session_->state().tagName(2), std::string("blurred"));
    QCOMPARE(session_->state().tagName(4), std::string("copy"));
    session_->editor()->nameTag(9, QStringLiteral("hands"));
    session_->editor()->nameTag(9, QStringLiteral("hands "));
    QCOMPARE(session_->document()->undoGroup()->activeStack()->count(), 2);
    undo();
    QCOMPARE(session_->state().tagName(9), std::string("9"));
    undo();
    QCOMPARE(session_->state().tagName(2) + session_->state().tagName(4), std::string("24"));
    redo();
    QCOMPARE(session_->state().tagName(2), std::string("blurred"));
}

void HandVerdictTest::areUnsavedDecisions() {
    const auto undone = [this] {
        const bool unsaved = session_->hasUnsavedDecisions();
        undo();
        return unsaved && !session_->hasUnsavedDecisions();
    };
    session_->editor()->judge({sample(0, 3)}, HandVerdict::Accepted);
    QVERIFY(undone());
    session_->editor()->judge({sample(0, 3)}, HandVerdict::Unsure);
    QVERIFY(undone());
    session_->editor()->setNote(sample(0, 3), QStringLiteral("a"));
    QVERIFY(undone());
    session_->editor()->nameTag(1, QStringLiteral("a"));
    QVERIFY(undone());
}

void HandVerdictTest::areSelected() {
    session_->editor()->judge({sample(0, 1), sample(1, 5)}, HandVerdict::Accepted);
    session_->editor()->judge({sample(0, 2)}, HandVerdict::Unsure);
    session_->editor()->judge({sample(0, 3)}, HandVerdict::Rejected);
    const SelectionCommands commands(session_.get());
    commands.acceptedByHand();
    QCOMPARE(selection_->samples(), (SampleSet{sample(0, 1)}));
    commands.unsure();
    QCOMPARE(selection_->samples(), (SampleSet{sample(0, 2)}));
    commands.undecided();
    QCOMPARE(selection_->samples(),
             SampleSet::all(syntheticSet(0), 10) - (SampleSet{sample(0, 1), sample(0, 2), sample(0, 3)}));
}

void HandVerdictTest::rejectionsAddToThoseOfTheRules() {
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    selection_->replace({sample(0, 1), sample(0, 7)});
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    QCOMPARE(kept(), QStringLiteral("0011111011"));
    QCOMPARE(session_->document()->keptCount(), std::size_t{7});
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{3});
    QVERIFY(session_->state().isRejectedByHand(1) && session_->state().isRejectedByHand(7));
    QVERIFY(!session_->state().isRejectedByHand(0));
    session_->editor()->setRules({});
    QCOMPARE(kept(), QStringLiteral("1011111011")); // whatever the rules are
    SelectionCommands(session_.get()).rejectedByHand();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0, 1), sample(0, 7)}));
}

void HandVerdictTest::rejectionsLeaveRealSamplesAndOtherModelsAlone() {
    selection_->replace({{SetId::Real, 4}, sample(0, 4)});
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    QCOMPARE(*session_->state().rejectedByHand, (std::vector<std::uint32_t>{4}));
    session_->editor()->setModel(1);
    QVERIFY(!session_->state().rejectedByHand && !session_->state().kept);
    session_->addModels({{QStringLiteral("more"), QStringLiteral("/data/more.npz")}});
    waitIdle();
    session_->editor()->setModel(0);
    QCOMPARE(kept(), QStringLiteral("1111011111"));
}

void HandVerdictTest::rejectionsAreExportedWithTheirReason() {
    selection_->replace({sample(0, 0), sample(0, 6)});
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.05}});
    session_->editor()->toggleByHand(HandVerdict::Rejected);
    const QTemporaryDir folder;
    QSignalSpy exported(session_.get(), &AuditSession::exported);
    session_->exportSamples({.what = ExportWhat::Rejected, .models = {0}}, folder.filePath("r.csv"));
    QTRY_COMPARE(exported.size(), 1);
    session_->exportSamples({.models = {0}, .format = "ids"}, folder.filePath("k.txt"));
    QTRY_COMPARE(exported.size(), 2);
    const QList<QByteArray> lines = contentOf(folder.filePath("r.csv")).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("row,id,label,"));
    QVERIFY(lines[1].endsWith(",fidelity 0 < 0.05; rejected by hand"));
    QVERIFY(lines[2].startsWith("6,") && lines[2].endsWith(",rejected by hand"));
    QCOMPARE(contentOf(folder.filePath("k.txt")), QByteArray("1\n2\n3\n4\n5\n7\n8\n9\n"));
}

ASSAY_TEST(hand_verdict_test, HandVerdictTest)
#include "hand_verdict_test.moc"
