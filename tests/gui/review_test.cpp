// Reviewing by hand with the keyboard alone, notes and names of tags, in the window on a demo.
#include "gui/desktop/settings.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/small_demo.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_table.h"

#include <QtWidgets>

using namespace assay;

class ReviewTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void eachVerdictMovesOn();
    void passesOverWhatIsDecided();
    void goesOverTheRankingAsItIsListed();
    void aListOfTheUndecidedShrinks();
    void aListOfTheSelectedStays();
    void skipsAndGoesBack();
    void undoingReturnsToTheSample();
    void endsWithEscapeAndLeavesTheSelection();
    void endsWhereNobodyDecides();
    void goesOnBehindAnotherTab();
    void allCanBeLookedAt();
    void buttonsDoWhatTheKeysDo();
    void fitsASmallWindow();
    void hasRoomInAnOlderLayout();
    void isNotOnWhenALayoutOfAReviewIsRestored();
    void withoutAReviewAVerdictStays();

    void lettersStayInFieldsAndLists();
    void aNoteIsWrittenWithTheKeyboard();
    void escapeLeavesANoteAsItWas();
    void aNoteIsKeptWhenAnotherSampleComes();
    void tagsGoByTheirNames();
    void theListTellsDecisionsAndNotes();

private:
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : window_, Qt::Key(key), modifiers);
    }
    QString progress() const { return text("reviewText"); }
    bool isOn() const { return child<QToolBar>("reviewBar")->isVisible(); }
    /// Where the focused sample is listed; -1 for nowhere.
    int place() const {
        const auto focus = selection_->focus();
        const auto at = focus ? ranking()->positionOf(*focus) : std::nullopt;
        return at ? static_cast<int>(*at) : -1;
    }
    /// What was decided about the first samples of the ranking: a letter each.
    QString verdicts(std::size_t count) const {
        QString text;
        for (std::size_t at = 0; at < count; ++at)
            text += verdictOf(ranking()->sampleAt(at));
        return text;
    }
    QChar verdictOf(SampleId sample) const {
        const ViewState& state = session_->state();
        return QLatin1Char(state.isRejectedByHand(sample.row) ? 'r'
                           : state.isAccepted(sample)         ? 'a'
                           : state.isUnsure(sample)           ? 'u'
                                                              : '.');
    }
    void startReview() {
        gallery()->setFocus();
        press(Qt::Key_V);
        QVERIFY(isOn());
    }
};

void ReviewTest::initTestCase() {
    QVERIFY(openDemo());
}

void ReviewTest::init() {
    if (isOn())
        action("actionReview")->trigger();
    QVERIFY(demo_->reset());
    QVERIFY(!isOn());
    ranking()->setShow(RankingShow::All);
    ranking()->setOrder({"pce", Qt::DescendingOrder});
    QTest::mouseClick(child<QToolButton>("rankingAsGallery"), Qt::LeftButton);
    dock("ranking")->raise();
    gallery()->setFocus();
}

void ReviewTest::eachVerdictMovesOn() {
    startReview();
    QCOMPARE(place(), 0);
    QCOMPARE(progress(), QStringLiteral("Review: 0 of 200 looked at"));
    press(Qt::Key_A);
    QCOMPARE(place(), 1);
    press(Qt::Key_X);
    QCOMPARE(place(), 2);
    press(Qt::Key_U);
    press(Qt::Key_Space);
    QCOMPARE(place(), 4);
    QCOMPARE(verdicts(5), QStringLiteral("arur."));
    QCOMPARE(progress(), QStringLiteral("Review: 4 of 200 looked at"));
    // Everybody follows.
    QCOMPARE(text("inspectorName").toStdString(), state().current().set->idText(selection_->focus()->row));
    test::shoot(*window_, "review");
}

void ReviewTest::passesOverWhatIsDecided() {
    session_->editor()->judge({ranking()->sampleAt(0), ranking()->sampleAt(2), ranking()->sampleAt(3)},
                              HandVerdict::Unsure);
    startReview();
    QCOMPARE(place(), 1);
    press(Qt::Key_A);
    QCOMPARE(place(), 4);
    QCOMPARE(verdicts(5), QStringLiteral("uauu."));
    // One that is decided already can be decided anew; what comes next is undecided again.
    selection_->select(ranking()->sampleAt(2));
    press(Qt::Key_X);
    QCOMPARE(verdicts(5), QStringLiteral("uaru."));
    QCOMPARE(place(), 4);
}

void ReviewTest::goesOverTheRankingAsItIsListed() {
    ranking()->setOrder({"id", Qt::DescendingOrder});
    ViewFilter filter;
    filter.text = QStringLiteral("9");
    session_->editor()->setFilter(filter);
    const auto listed = ranking()->size();
    QVERIFY(listed > 3 && listed < 200);
    startReview();
    QCOMPARE(progress(), QStringLiteral("Review: 0 of %1 looked at").arg(listed));
    press(Qt::Key_X);
    press(Qt::Key_X);
    QCOMPARE(verdicts(3), QStringLiteral("rr."));
    QCOMPARE(place(), 2);
    QCOMPARE(state().rejectedByHand->size(), std::size_t{2});
    ranking()->setOrder({"id", Qt::AscendingOrder}); // the sample stays, another comes next
    const auto at = place();
    press(Qt::Key_A);
    QCOMPARE(place(), 0); // past those two, from the first one again
    QVERIFY(at > 0);
}

void ReviewTest::aListOfTheUndecidedShrinks() {
    ranking()->setShow(RankingShow::Undecided);
    const SampleId first = ranking()->sampleAt(0);
    const SampleId second = ranking()->sampleAt(1);
    startReview();
    QCOMPARE(progress(), QStringLiteral("Review: 200 left to look at"));
    press(Qt::Key_X);
    QCOMPARE(progress(), QStringLiteral("Review: 199 left to look at"));
    QCOMPARE(selection_->focus(), std::optional(second));
    QCOMPARE(place(), 0);
    QVERIFY(!ranking()->positionOf(first));
    press(Qt::Key_Backspace); // also to what is not listed any more
    QCOMPARE(selection_->focus(), std::optional(first));
    press(Qt::Key_A);
    QCOMPARE(verdictOf(first), QLatin1Char('a'));
    QCOMPARE(selection_->focus(), std::optional(second));
    ranking()->setShow(RankingShow::Reviewed);
    QCOMPARE(ranking()->size(), std::size_t{1});
}

void ReviewTest::aListOfTheSelectedStays() {
    const std::vector<SampleId> chosen{ranking()->sampleAt(5), ranking()->sampleAt(7), ranking()->sampleAt(9)};
    selection_->replace(chosen);
    ranking()->setShow(RankingShow::Selected);
    startReview();
    QCOMPARE(selection_->focus(), std::optional(chosen[0]));
    press(Qt::Key_X);
    press(Qt::Key_A);
    QCOMPARE(verdicts(3), QStringLiteral("ra."));
    QCOMPARE(selection_->samples(), SampleSet(chosen));
    QCOMPARE(progress(), QStringLiteral("Review: 2 of 3 looked at"));
}

void ReviewTest::skipsAndGoesBack() {
    startReview();
    press(Qt::Key_F3);
    QCOMPARE(place(), 1);
    press(Qt::Key_X);
    press(Qt::Key_F3);
    QCOMPARE(place(), 3);
    press(Qt::Key_Backspace);
    QCOMPARE(place(), 2);
    press(Qt::Key_Backspace);
    QCOMPARE(place(), 1); // decided, and shown nevertheless
    press(Qt::Key_Backspace);
    press(Qt::Key_Backspace);
    QCOMPARE(place(), 0); // nothing before it
    selection_->select(ranking()->sampleAt(199));
    press(Qt::Key_A); // after the last one, those that were skipped
    QCOMPARE(place(), 0);
}

void ReviewTest::undoingReturnsToTheSample() {
    startReview();
    press(Qt::Key_A);
    press(Qt::Key_X);
    QCOMPARE(place(), 2);
    const int steps = session_->document()->undoGroup()->activeStack()->index();
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->document()->undoGroup()->activeStack()->index(), steps - 1);
    QCOMPARE(place(), 1);
    QCOMPARE(verdicts(3), QStringLiteral("a.."));
    QCOMPARE(progress(), QStringLiteral("Review: 1 of 200 looked at"));
    press(Qt::Key_X);
    press(Qt::Key_Backspace); // back to look at it again
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(verdicts(3), QStringLiteral("a..")); // the verdict is undone, not the step back
    QCOMPARE(place(), 1);
    press(Qt::Key_Backspace);
    QCOMPARE(place(), 0);
    press(Qt::Key_F3);
    press(Qt::Key_U); // and on
    QCOMPARE(verdicts(3), QStringLiteral("au."));
}

void ReviewTest::endsWithEscapeAndLeavesTheSelection() {
    startReview();
    press(Qt::Key_F3);
    press(Qt::Key_Escape);
    QVERIFY(!isOn());
    QCOMPARE(place(), 1);
    QVERIFY(!action("actionReview")->isChecked() && !action("actionReviewBack")->isEnabled());
    press(Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
}

void ReviewTest::endsWhereNobodyDecides() {
    startReview();
    ranking()->setOrder({"coverage", Qt::AscendingOrder, Side::Real});
    QVERIFY(!isOn());
    QVERIFY(!action("actionReview")->isEnabled());
    ranking()->setOrder({"pce", Qt::DescendingOrder});
    QVERIFY(action("actionReview")->isEnabled());
}

void ReviewTest::goesOnBehindAnotherTab() {
    ranking()->setShow(RankingShow::Undecided);
    startReview();
    dock("scores")->raise();
    QTRY_VERIFY(!window_->findChild<RankingView*>()->isWatched());
    const auto next = ranking()->sampleAt(2);
    window_->setFocus();
    press(Qt::Key_X);
    press(Qt::Key_X);
    QCOMPARE(selection_->focus(), std::optional(next));
    QCOMPARE(progress(), QStringLiteral("Review: 198 left to look at"));
    // Another model: its ranking is gone over from then on.
    const std::size_t other = state().model == 0 ? 1 : 0;
    session_->editor()->setModel(other);
    QCOMPARE(progress(), QStringLiteral("Review: 200 left to look at"));
    press(Qt::Key_F3);
    QCOMPARE(selection_->focus()->set, syntheticSet(other));
    press(Qt::Key_A);
    QCOMPARE(progress(), QStringLiteral("Review: 199 left to look at"));
}

void ReviewTest::allCanBeLookedAt() {
    const std::size_t last = 199;
    std::vector<SampleId> most;
    for (std::size_t at = 0; at < last; ++at)
        most.push_back(ranking()->sampleAt(at));
    session_->editor()->judge(most, HandVerdict::Accepted);
    startReview();
    QCOMPARE(place(), 199);
    press(Qt::Key_X);
    QCOMPARE(progress(), QStringLiteral("Review: all 200 looked at"));
    QCOMPARE(place(), 199); // there is none to go to
    press(Qt::Key_F3);
    QCOMPARE(place(), 199);
}

void ReviewTest::buttonsDoWhatTheKeysDo() {
    startReview();
    const auto click = [this](const char* name) {
        QTest::mouseClick(child<QToolButton>(name), Qt::LeftButton);
        QTest::qWait(0); // the end of the press
    };
    click("review_actionAcceptByHand");
    click("review_actionUnsureByHand");
    click("review_actionRejectByHand");
    QCOMPARE(verdicts(4), QStringLiteral("aur."));
    QCOMPARE(QApplication::focusWidget(), gallery());
    click("review_actionReviewBack");
    QCOMPARE(place(), 2);
    click("review_actionNextUndecided");
    QCOMPARE(place(), 3);
    press(Qt::Key_Z, Qt::ControlModifier); // going back and on are no steps
    QCOMPARE(verdicts(4), QStringLiteral("au.."));
    click("review_actionReview");
    QVERIFY(!isOn());
}

void ReviewTest::fitsASmallWindow() {
    const QSize before = window_->size();
    window_->resize(900, 600);
    startReview();
    press(Qt::Key_A);
    test::settle();
    test::shoot(*window_, "review-small");
    const auto* text = child<QLabel>("reviewText");
    QVERIFY(text->fontMetrics().horizontalAdvance(progress()) <= text->width());
    for (const auto* button : child<QToolBar>("reviewBar")->findChildren<QToolButton*>())
        if (button->objectName().startsWith(QStringLiteral("review_")))
            QVERIFY2(button->isVisible() && button->width() >= button->sizeHint().width() &&
                         window_->rect().contains(QRect(button->mapTo(window_, QPoint()), button->size())),
                     qPrintable(button->text()));
    window_->resize(before);
}

void ReviewTest::hasRoomInAnOlderLayout() {
    auto* bar = child<QToolBar>("reviewBar");
    window_->removeToolBar(bar);
    const QByteArray older = window_->saveState(); // has never heard of the bar
    window_->addToolBarBreak();
    window_->addToolBar(bar);
    QVERIFY(window_->restoreState(older));
    startReview();
    test::settle();
    const auto* above = child<QToolBar>("mainToolBar");
    QVERIFY(bar->geometry().top() >= above->geometry().bottom());
    QVERIFY(bar->width() > window_->width() / 2);
}

void ReviewTest::isNotOnWhenALayoutOfAReviewIsRestored() {
    startReview();
    const Settings settings;
    window_->close(); // nothing is decided, so nobody asks
    window_->show();
    QVERIFY(!settings.workspaces().isEmpty());
    Theme theme;
    SampleSelection selection;
    AuditSession session(&selection, test::smallDemoCalls());
    MainWindow later(&session, &theme);
    later.show();
    session.openDemo();
    QVERIFY(test::waitIdle(session) && session.isOpen());
    QVERIFY(!later.findChild<QToolBar*>(QStringLiteral("reviewBar"))->isVisible());
}

void ReviewTest::withoutAReviewAVerdictStays() {
    selection_->select(ranking()->sampleAt(3));
    press(Qt::Key_A);
    QCOMPARE(place(), 3);
    QVERIFY(action("actionAcceptByHand")->isChecked());
    press(Qt::Key_A);
    QCOMPARE(verdicts(4), QStringLiteral("...."));
    press(Qt::Key_U);
    press(Qt::Key_X);
    QCOMPARE(verdicts(4), QStringLiteral("...r"));
    press(Qt::Key_F3); // this goes without one, too
    QCOMPARE(place(), 4);
}

void ReviewTest::lettersStayInFieldsAndLists() {
    selection_->select(ranking()->sampleAt(0));
    auto* search = child<QLineEdit>("rankingSearch");
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("vaunx "));
    QCOMPARE(search->text(), QStringLiteral("vaunx "));
    QVERIFY(!isOn() && verdicts(0).isEmpty());
    search->clear();
    auto* combo = child<QComboBox>("rankingOrder");
    combo->setFocus();
    for (const int key : {Qt::Key_V, Qt::Key_A, Qt::Key_U, Qt::Key_X})
        QTest::keyClick(combo, Qt::Key(key));
    QVERIFY(!isOn() && !state().rejectedByHand && !state().accepted && !state().unsure);
}

void ReviewTest::aNoteIsWrittenWithTheKeyboard() {
    QVERIFY(!action("actionNote")->isEnabled());
    startReview();
    const SampleId chosen = *selection_->focus();
    const QImage before = gallery()->grab().toImage();
    press(Qt::Key_N);
    auto* note = child<QLineEdit>("inspectorNote");
    QTRY_COMPARE(QApplication::focusWidget(), note);
    QTest::keyClicks(note, QStringLiteral("a vague u, 3 of 9 "));
    QTest::keyClick(note, Qt::Key_Return);
    QTRY_COMPARE(state().noteOf(chosen), std::string("a vague u, 3 of 9"));
    QVERIFY(!state().tags && !state().unsure);
    QCOMPARE(QApplication::focusWidget(), gallery()); // and on with the review
    QVERIFY(gallery()->grab().toImage() != before);   // a mark on its tile
    press(Qt::Key_A);
    QVERIFY(note->text().isEmpty());
    press(Qt::Key_Backspace);
    QCOMPARE(note->text(), QStringLiteral("a vague u, 3 of 9"));
    test::shoot(*window_, "note");
    press(Qt::Key_N);
    note->selectAll();
    QTest::keyClick(note, Qt::Key_Delete);
    QTest::keyClick(note, Qt::Key_Return);
    QTRY_VERIFY(state().notes->empty());
}

void ReviewTest::escapeLeavesANoteAsItWas() {
    selection_->select(ranking()->sampleAt(0));
    session_->editor()->setNote(ranking()->sampleAt(0), QStringLiteral("first"));
    press(Qt::Key_N);
    auto* note = child<QLineEdit>("inspectorNote");
    QTRY_COMPARE(QApplication::focusWidget(), note);
    QTest::keyClicks(note, QStringLiteral(" and more"));
    QCOMPARE(note->text(), QStringLiteral("first and more"));
    QTest::keyClick(note, Qt::Key_Escape);
    test::settle();
    QCOMPARE(note->text(), QStringLiteral("first"));
    QCOMPARE(state().noteOf(ranking()->sampleAt(0)), std::string("first"));
    QVERIFY(!selection_->isEmpty());
    QCOMPARE(QApplication::focusWidget(), gallery());
}

void ReviewTest::aNoteIsKeptWhenAnotherSampleComes() {
    const SampleId first = ranking()->sampleAt(0);
    selection_->select(first);
    press(Qt::Key_N);
    auto* note = child<QLineEdit>("inspectorNote");
    QTRY_COMPARE(QApplication::focusWidget(), note);
    QTest::keyClicks(note, QStringLiteral("half"));
    selection_->replace({first, ranking()->sampleAt(1)}, ranking()->sampleAt(1));
    QTRY_COMPARE(state().noteOf(first), std::string("half"));
    QVERIFY(note->text().isEmpty());
    // Undoing the selection of a sample that is being written about goes as far, and loses nothing.
    QTest::keyClicks(note, QStringLiteral("other"));
    action("actionUndo")->trigger(); // the note
    test::settle();
    QCOMPARE(state().noteOf(ranking()->sampleAt(1)), std::string());
    action("actionUndo")->trigger(); // the selection
    QTRY_COMPARE(state().noteOf(ranking()->sampleAt(1)), std::string("other"));
}

void ReviewTest::tagsGoByTheirNames() {
    action("actionNameTags")->trigger();
    auto* dialog = child<QDialog>("tagNames");
    QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
    test::shoot(*dialog, "tag-names");
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("tagName1")), QStringLiteral("blurred"));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("tagName3")), QStringLiteral("R&D"));
    QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("tagName3")), Qt::Key_Return);
    QTRY_VERIFY(!child<QDialog>("tagNames"));
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_));
    QCOMPARE(action("actionTag1")->text(), QStringLiteral("Tag &1: blurred"));
    QCOMPARE(action("actionSelectTag3")->text(), QStringLiteral("Tag &3: R&&D"));
    QCOMPARE(action("actionTag2")->text(), QStringLiteral("Tag &2"));
    selection_->select(ranking()->sampleAt(2));
    gallery()->setFocus();
    const QImage before = gallery()->grab().toImage();
    press(Qt::Key_1);
    press(Qt::Key_2);
    QVERIFY(text("inspectorOrigin").endsWith(QStringLiteral("tags: blurred 2")));
    QVERIFY(gallery()->grab().toImage() != before);
    QCOMPARE(ranking()->index(2, RankingModel::TagsColumn).data().toString(), QStringLiteral("blurred 2"));
    test::shoot(*window_, "named-tags");
    action("actionUndo")->trigger();
    action("actionUndo")->trigger();
    action("actionUndo")->trigger();
    action("actionUndo")->trigger(); // all names at once
    QCOMPARE(action("actionTag1")->text(), QStringLiteral("Tag &1"));
    QCOMPARE(action("actionTag3")->text(), QStringLiteral("Tag &3"));
}

void ReviewTest::theListTellsDecisionsAndNotes() {
    auto* table = window_->findChild<RankingTable*>();
    QTest::mouseClick(child<QToolButton>("rankingAsTable"), Qt::LeftButton);
    QVERIFY(table->isColumnHidden(RankingModel::NoteColumn));
    setRules({{"fidelity", Bound::AtLeast, 2.0}}); // rejects all
    session_->editor()->judge({ranking()->sampleAt(0)}, HandVerdict::Accepted);
    session_->editor()->judge({ranking()->sampleAt(1)}, HandVerdict::Unsure);
    session_->editor()->judge({ranking()->sampleAt(2)}, HandVerdict::Rejected);
    session_->editor()->setNote(ranking()->sampleAt(1), QStringLiteral("two\nlines"));
    const auto cell = [table](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(cell(0, RankingModel::KeptColumn), QStringLiteral("kept by hand"));
    QCOMPARE(cell(1, RankingModel::KeptColumn), QStringLiteral("unsure, rejected"));
    QCOMPARE(cell(2, RankingModel::KeptColumn), QStringLiteral("rejected by hand"));
    QCOMPARE(cell(3, RankingModel::KeptColumn), QStringLiteral("rejected"));
    QVERIFY(!table->isColumnHidden(RankingModel::NoteColumn));
    QCOMPARE(cell(1, RankingModel::NoteColumn), QStringLiteral("two lines"));
    test::shoot(*window_, "review-list");
    const SampleId accepted = ranking()->sampleAt(0);
    const SampleId written = ranking()->sampleAt(1);
    ranking()->setOrder({"note", Qt::DescendingOrder});
    QCOMPARE(ranking()->sampleAt(0), written);
    ranking()->setOrder({"kept", Qt::DescendingOrder});
    QCOMPARE(ranking()->sampleAt(0), accepted);
    session_->editor()->judge({accepted}, HandVerdict::Rejected); // and the list follows
    QVERIFY(ranking()->sampleAt(0) != accepted);
}

ASSAY_TEST(review_test, ReviewTest)
#include "review_test.moc"
