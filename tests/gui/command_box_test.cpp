#include "gui/desktop/menu_actions.h"
#include "gui/session/audit_session.h"
#include "gui/window/command_box.h"
#include "tests/gui/support/fake_session.h"
#include "tests/support/test_entry.h"
#include "widgets/link/sample_selection.h"

#include <QtWidgets>

using namespace assay;

/// The box in a window of two menus, over the demo's two models.
class CommandBoxTest : public QObject, test::FakeSession {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void enterDoesTheFirstThatFits();
    void arrowsAndMouseChooseAmongSeveral();
    void findsBySearchWordsToo();
    void findsSamplesByIdAndRow();
    void findsRealSamplesToo();
    void doesWhatIsSetForWhatWasFound();
    void offersNoOtherAudit();
    void escapeGivesTheKeyboardBack();
    void saysWhenNothingFits();

private:
    void open() {
        window_->activateWindow(); // the list of the time before was a window, too
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        box_->open();
        QTRY_VERIFY(box_->hasFocus());
    }
    void type(const QString& text) {
        open();
        QTest::keyClicks(box_, text);
    }
    void enter(const QString& text) {
        type(text);
        QTest::keyClick(box_, Qt::Key_Return);
        QCOMPARE(box_->text(), QString());
    }
    QAbstractItemView* popup() const { return box_->completer()->popup(); }
    QStringList offers() const {
        QStringList texts;
        for (int row = 0; row < popup()->model()->rowCount(); ++row)
            texts << popup()->model()->index(row, 0).data().toString();
        return texts;
    }
    QAction* command(QMenu* menu, const QString& text) {
        QAction* action = menu->addAction(text);
        connect(action, &QAction::triggered, this, [this, text] { done_ << text; });
        return action;
    }

    std::unique_ptr<QMainWindow> window_;
    CommandBox* box_ = nullptr;
    QWidget* before_ = nullptr; ///< has the keyboard at first
    QStringList done_;
};

void CommandBoxTest::init() {
    done_.clear();
    begin();
    session_->openDemo();
    waitIdle();
    window_ = std::make_unique<QMainWindow>();
    QMenu* select = window_->menuBar()->addMenu(QStringLiteral("&Select"));
    command(select, QStringLiteral("&Clear"));
    command(select, QStringLiteral("Invert within model"));
    command(select, QStringLiteral("Nothing to do"))->setEnabled(false);
    setSearchWords(*command(select, QStringLiteral("Fill")), QStringLiteral("occupancy of balls"));
    QMenu* recent = window_->menuBar()->addMenu(QStringLiteral("&Recent"));
    recent->setObjectName(QStringLiteral("menuRecent"));
    command(recent, QStringLiteral("real.npz: copies"));
    before_ = new QLineEdit;
    window_->setCentralWidget(before_);
    box_ = new CommandBox(window_.get(), session_.get());
    window_->addToolBar(QStringLiteral("bar"))->addWidget(box_);
    window_->resize(700, 300);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    before_->setFocus();
}

void CommandBoxTest::cleanup() {
    window_.reset();
    end();
}

void CommandBoxTest::enterDoesTheFirstThatFits() {
    enter(QStringLiteral("copies"));
    QCOMPARE(session_->state().model, std::size_t{1});
    enter(QStringLiteral("INV sel")); // words in any order
    QCOMPARE(done_, QStringList{QStringLiteral("Invert within model")});
    QVERIFY(before_->hasFocus());
}

void CommandBoxTest::arrowsAndMouseChooseAmongSeveral() {
    type(QStringLiteral("model:"));
    QTRY_VERIFY(popup()->isVisible());
    QCOMPARE(offers(), (QStringList{QStringLiteral("Model: faithful"), QStringLiteral("Model: copies")}));
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Return);
    QTRY_COMPARE(session_->state().model, std::size_t{1});
    type(QStringLiteral("model:"));
    QTRY_VERIFY(popup()->isVisible());
    QTest::mouseClick(popup()->viewport(), Qt::LeftButton, {},
                      popup()->visualRect(popup()->model()->index(0, 0)).center());
    QTRY_COMPARE(session_->state().model, std::size_t{0});
    QVERIFY(box_->text().isEmpty());
}

void CommandBoxTest::findsBySearchWordsToo() {
    type(QStringLiteral("Ball sel")); // of both
    QTRY_VERIFY(popup()->isVisible());
    QCOMPARE(offers(), QStringList{QStringLiteral("Select: Fill")});
    QTest::keyClick(popup(), Qt::Key_Escape);
    enter(QStringLiteral("occupancy"));
    QCOMPARE(done_, QStringList{QStringLiteral("Fill")});
}

void CommandBoxTest::findsSamplesByIdAndRow() {
    enter(QStringLiteral("#7"));
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{syntheticSet(0), 7}}));
    type(QStringLiteral("#1000")); // neither set has so many rows
    QTest::keyClick(box_, Qt::Key_Return);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{syntheticSet(0), 7}}));
}

void CommandBoxTest::findsRealSamplesToo() {
    type(QStringLiteral("#7"));
    QCOMPARE(offers(), (QStringList{QStringLiteral("Sample: 7"), QStringLiteral("Real sample: 7")}));
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Return);
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{{SetId::Real, 7}}));
}

void CommandBoxTest::doesWhatIsSetForWhatWasFound() {
    auto* instead = new QAction(window_.get());
    connect(instead, &QAction::triggered, this, [this] { done_ << QStringLiteral("shown"); });
    for (QAction* action : actionsInMenuOrder(window_.get()))
        if (action->text() == QLatin1String("Fill"))
            setWhenFound(*action, instead);
    enter(QStringLiteral("fill"));
    QCOMPARE(done_, QStringList{QStringLiteral("shown")});
}

void CommandBoxTest::offersNoOtherAudit() {
    type(QStringLiteral("copies"));
    QCOMPARE(offers(), QStringList{QStringLiteral("Model: copies")});
    QTest::keyClick(box_, Qt::Key_Escape);
    type(QStringLiteral("nothing to do"));
    QCOMPARE(offers(), QStringList{QStringLiteral("No matches")}); // disabled commands cannot be run
}

void CommandBoxTest::escapeGivesTheKeyboardBack() {
    selection_->select({syntheticSet(0), 2});
    open();
    QTest::keyClick(box_, Qt::Key_Escape);
    QVERIFY(before_->hasFocus());
    type(QStringLiteral("model"));
    QTRY_VERIFY(popup()->isVisible());
    QTest::keyClick(popup(), Qt::Key_Escape);
    QVERIFY(before_->hasFocus() && box_->text().isEmpty() && !popup()->isVisible());
    before_->setFocus();
    QTest::mouseClick(box_, Qt::LeftButton); // also where no key led to the box
    QVERIFY(box_->hasFocus());
    QTest::keyClick(box_, Qt::Key_Escape);
    QVERIFY(before_->hasFocus());
    QVERIFY(!selection_->isEmpty());
}

void CommandBoxTest::saysWhenNothingFits() {
    type(QStringLiteral("no such thing"));
    QCOMPARE(offers(), QStringList{QStringLiteral("No matches")});
    QTest::keyClick(box_, Qt::Key_Return);
    QVERIFY(box_->hasFocus() && done_.isEmpty());
    QTest::keyClick(box_, Qt::Key_Escape);
    QVERIFY(box_->text().isEmpty());
}

ASSAY_TEST(command_box_test, CommandBoxTest)
#include "command_box_test.moc"
