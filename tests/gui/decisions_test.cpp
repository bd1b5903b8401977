// Decisions that are in no report yet are not lost without a question; exports wait for each other.
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class DecisionsTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void closingAsks();
    void openingAnotherAuditAsks();
    void aReportSavesThem();
    void selectionsAreNoDecisions();
    void exportsWaitForEachOther();

private:
    QMessageBox* question() const { return child<QMessageBox>("unsavedDecisions"); }
    void answer(const char* button) {
        auto* found = question()->findChild<QPushButton*>(QString::fromLatin1(button));
        QTest::mouseClick(found, Qt::LeftButton);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
};

void DecisionsTest::init() {
    QVERIFY(openDemo());
}

void DecisionsTest::closingAsks() {
    QVERIFY(!window_->isWindowModified());
    QVERIFY(window_->windowTitle().contains(QLatin1String("[*]")));
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(window_->isWindowModified());
    window_->close();
    QVERIFY(window_->isVisible());
    QTRY_VERIFY(question() && question()->isVisible());
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(!question());
    QVERIFY(window_->isVisible());
    window_->close();
    QTRY_VERIFY(question() && question()->isVisible());
    answer("loseDecisions");
    QTRY_VERIFY(!window_->isVisible());
}

void DecisionsTest::openingAnotherAuditAsks() {
    selection_->select({state().currentSet(), 3});
    session_->editor()->toggleTag(2);
    const auto before = state().audit;
    child<QAction>("actionDemo")->trigger();
    QTRY_VERIFY(question() && question()->isVisible());
    QVERIFY(!session_->isBusy());
    answer("loseDecisions");
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(state().audit != before);
    QVERIFY(!session_->hasUnsavedDecisions());
}

void DecisionsTest::aReportSavesThem() {
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(session_->hasUnsavedDecisions());
    QSignalSpy exported(session_, &AuditSession::exported);
    session_->exportReport(file("report.json"));
    QTRY_COMPARE(exported.size(), 1);
    QVERIFY(!session_->hasUnsavedDecisions() && !window_->isWindowModified());
    setRules({{"fidelity", Bound::AtLeast, 0.6}});
    QVERIFY(session_->hasUnsavedDecisions());
    setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(!session_->hasUnsavedDecisions());
    window_->close();
    QVERIFY(!window_->isVisible());
}

void DecisionsTest::selectionsAreNoDecisions() {
    selection_->select({state().currentSet(), 3});
    QVERIFY(!session_->hasUnsavedDecisions());
}

void DecisionsTest::exportsWaitForEachOther() {
    QSignalSpy exported(session_, &AuditSession::exported);
    QStringList files;
    for (int i = 0; i < 4; ++i) {
        files << demo_->file(QStringLiteral("kept%1.csv").arg(i));
        session_->exportSamples({.models = {0}}, files.back());
    }
    QTRY_COMPARE(exported.size(), 4);
    for (qsizetype i = 0; i < 4; ++i) {
        QCOMPARE(exported[i][0].toString(), files[i]);
        QVERIFY(QFile(files[i]).size() > 1000);
    }
}

ASSAY_TEST(decisions_test, DecisionsTest)
#include "decisions_test.moc"
