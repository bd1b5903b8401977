// Decisions that are in no report yet are not lost without a question; exports wait for each other.
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class DecisionsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void closingAsks();
    void openingAnotherAuditAsks();
    void aReportSavesThem();
    void selectionsAreNoDecisions();
    void exportsWaitForEachOther();

private:
    QMessageBox* question() const { return demo_->window.findChild<QMessageBox*>(QStringLiteral("unsavedDecisions")); }
    void answer(const char* button) {
        auto* found = question()->findChild<QPushButton*>(QString::fromLatin1(button));
        QTest::mouseClick(found, Qt::LeftButton);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    std::unique_ptr<test::DemoWindow> demo_;
};

void DecisionsTest::init() {
    demo_.reset();
    demo_ = std::make_unique<test::DemoWindow>();
    QVERIFY(demo_->open());
}

void DecisionsTest::closingAsks() {
    QVERIFY(!demo_->window.isWindowModified());
    QVERIFY(demo_->window.windowTitle().contains(QLatin1String("[*]")));
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(demo_->window.isWindowModified());
    demo_->window.close();
    QVERIFY(demo_->window.isVisible());
    QTRY_VERIFY(question() && question()->isVisible());
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(!question());
    QVERIFY(demo_->window.isVisible());
    demo_->window.close();
    QTRY_VERIFY(question() && question()->isVisible());
    answer("loseDecisions");
    QTRY_VERIFY(!demo_->window.isVisible());
}

void DecisionsTest::openingAnotherAuditAsks() {
    demo_->selection.select({demo_->session.state().currentSet(), 3});
    demo_->session.editor()->toggleTag(2);
    const auto before = demo_->session.state().audit;
    demo_->window.findChild<QAction*>(QStringLiteral("actionDemo"))->trigger();
    QTRY_VERIFY(question() && question()->isVisible());
    QVERIFY(!demo_->session.isBusy());
    answer("loseDecisions");
    QVERIFY(test::waitIdle(demo_->session));
    QVERIFY(demo_->session.state().audit != before);
    QVERIFY(!demo_->session.hasUnsavedDecisions());
}

void DecisionsTest::aReportSavesThem() {
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(demo_->session.hasUnsavedDecisions());
    QSignalSpy exported(&demo_->session, &AuditSession::exported);
    demo_->session.exportReport(demo_->file(QStringLiteral("report.json")));
    QTRY_COMPARE(exported.size(), 1);
    QVERIFY(!demo_->session.hasUnsavedDecisions() && !demo_->window.isWindowModified());
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.6}});
    QVERIFY(demo_->session.hasUnsavedDecisions());
    demo_->session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    QVERIFY(!demo_->session.hasUnsavedDecisions());
    demo_->window.close();
    QVERIFY(!demo_->window.isVisible());
}

void DecisionsTest::selectionsAreNoDecisions() {
    demo_->selection.select({demo_->session.state().currentSet(), 3});
    QVERIFY(!demo_->session.hasUnsavedDecisions());
}

void DecisionsTest::exportsWaitForEachOther() {
    QSignalSpy exported(&demo_->session, &AuditSession::exported);
    QStringList files;
    for (int i = 0; i < 4; ++i) {
        files << demo_->file(QStringLiteral("kept%1.csv").arg(i));
        demo_->session.exportSamples({.models = {0}}, files.back());
    }
    QTRY_COMPARE(exported.size(), 4);
    for (qsizetype i = 0; i < 4; ++i) {
        QCOMPARE(exported[i][0].toString(), files[i]);
        QVERIFY(QFile(files[i]).size() > 1000);
    }
}

ASSAY_TEST(decisions_test, DecisionsTest)
#include "decisions_test.moc"
