// The file of an audit brings the window back as it was left: panels, ranking and curve, beside what was decided. The
// arrangement of audits without a file stays the program's.
#include "engine/io/numpy/npy_writer.h"
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "gui/desktop/settings.h"
#include "gui/window/window_state_keeper.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "widgets/curves/curve_view.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoGroup>
#include <QtTest>

#include <memory>

using namespace assay;

class KeptWindowTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void theWindowComesBackAsItWas();
    void theProgramsOwnArrangementStays();
    void aFileWithoutArrangementTakesTheProgramsOwn();
    void isNotUndone();
    void savingUnderAnotherNameKeepsTheArrangement();
    void anArrangementThatNobodyUnderstandsIsLeftOut();

private:
    QString file(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    AuditFiles inputs() const {
        AuditFiles files;
        files.real = file("real.npy");
        files.models = {{QStringLiteral("model"), file("model.npy")}};
        return files;
    }
    static bool opens(test::DemoWindow& demo, const AuditFiles& files) {
        const QSignalSpy opened(&demo.session, &AuditSession::opened);
        demo.session.open(files);
        return QTest::qWaitFor([&] { return opened.count() == 1; }, 30000) && test::waitIdle(demo.session);
    }
    static bool opens(test::DemoWindow& demo, const QString& audit) {
        AuditFiles files;
        files.audit = audit;
        return opens(demo, files);
    }
    static bool saves(test::DemoWindow& demo, const QString& audit) {
        const QSignalSpy exported(&demo.session, &AuditSession::exported);
        demo.session.saveAudit(audit);
        return QTest::qWaitFor([&] { return exported.count() == 1; }, 30000);
    }
    static QDockWidget* dock(test::DemoWindow& demo, const char* id) {
        return demo.window.findChild<QDockWidget*>(QString::fromLatin1(id));
    }
    static bool isInFront(test::DemoWindow& demo, const char* id) {
        return !dock(demo, id)->widget()->visibleRegion().isEmpty();
    }
    /// Otherwise than any window is at first.
    static void rearrange(test::DemoWindow& demo) {
        dock(demo, "diagnostics")->close();
        dock(demo, "curves")->raise();
        demo.window.resizeDocks({dock(demo, "models")}, {dock(demo, "models")->width() + 90}, Qt::Horizontal);
        demo.window.findChild<RankingModel*>()->setOrder({"coverage", Qt::DescendingOrder, Side::Real});
        auto* show = demo.window.findChild<QComboBox*>(QStringLiteral("rankingShow"));
        show->setCurrentIndex(show->findText(QStringLiteral("rejected")));
        demo.window.findChild<RankingView*>()->setGrouping(RankingGrouping::Nearest);
        demo.window.findChild<RankingView*>()->setNearestShown(true);
        auto* curve = demo.window.findChild<CurveView*>()->findChild<QComboBox*>();
        curve->setCurrentIndex(1);
        emit curve->activated(1);
    }

    QTemporaryDir folder_;
};

void KeptWindowTest::init() {
    for (const auto& [name, seed] : {std::pair{"real.npy", 1}, {"model.npy", 2}}) {
        const test::Matrix matrix = test::gaussian(110, 5, static_cast<unsigned>(seed));
        writeNpy(file(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
    }
}

void KeptWindowTest::theWindowComesBackAsItWas() {
    auto first = std::make_unique<test::DemoWindow>();
    QVERIFY(opens(*first, inputs()));
    QVERIFY(saves(*first, file("audit.assay")));
    rearrange(*first);
    first->selection.replace({{SetId::Real, 5}, {SetId::Real, 7}});
    QCoreApplication::processEvents();
    const int width = dock(*first, "models")->width();
    const QString curve = first->window.findChild<CurveView*>()->saveState().value("curve").toString();
    QVERIFY(!curve.isEmpty());
    first->window.close();
    first.reset();

    test::DemoWindow second; // with settings of its own: another person's
    QVERIFY(opens(second, file("audit.assay")));
    QVERIFY(dock(second, "diagnostics")->isHidden());
    QVERIFY(!dock(second, "distribution")->isHidden());
    QTRY_VERIFY(isInFront(second, "curves"));
    QVERIFY(!isInFront(second, "ranking"));
    QTRY_VERIFY2(qAbs(dock(second, "models")->width() - width) <= 2,
                 qPrintable(QString("%1 for %2").arg(dock(second, "models")->width()).arg(width)));
    const auto* ranking = second.window.findChild<RankingModel*>();
    QCOMPARE(ranking->order(), (RankingOrder{"coverage", Qt::DescendingOrder, Side::Real}));
    QCOMPARE(ranking->show(), RankingShow::Rejected);
    QCOMPARE(second.window.findChild<RankingView*>()->grouping(), RankingGrouping::Nearest);
    QVERIFY(second.window.findChild<RankingView*>()->isNearestShown());
    QCOMPARE(second.window.findChild<QComboBox*>(QStringLiteral("rankingShow"))->currentText(), QString("rejected"));
    QCOMPARE(second.window.findChild<CurveView*>()->saveState().value("curve").toString(), curve);
    QCOMPARE(second.window.findChild<CurveView*>()->findChild<QComboBox*>()->currentIndex(), 1);
    QCOMPARE(second.selection.samples(), (SampleSet{{SetId::Real, 5}, {SetId::Real, 7}}));
    // What is arranged from now on is kept without closing.
    QTRY_VERIFY(!second.window.findChild<WindowStateKeeper*>()->isSettling());
    dock(second, "distribution")->close();
    const auto kept = [&] {
        return QString::fromStdString(
            readDecisions(file("audit.assay").toStdString(), *second.session.state().audit).window);
    };
    const QString before = kept();
    QTRY_VERIFY(kept() != before);
    QCOMPARE(kept(), second.session.document()->windowState());
}

void KeptWindowTest::theProgramsOwnArrangementStays() {
    test::DemoWindow demo;
    QVERIFY(demo.open());
    QVERIFY(!dock(demo, "diagnostics")->isHidden());
    dock(demo, "classes")->close(); // of audits without a file
    QVERIFY(opens(demo, inputs()));
    QVERIFY(dock(demo, "classes")->isHidden());
    QVERIFY(saves(demo, file("audit.assay")));
    rearrange(demo);
    dock(demo, "classes")->show();
    QTRY_VERIFY(readDecisions(file("audit.assay").toStdString(), *demo.session.state().audit).window ==
                    demo.session.document()->windowState().toStdString() &&
                dock(demo, "diagnostics")->isHidden());
    QVERIFY(demo.open());
    QVERIFY(!dock(demo, "diagnostics")->isHidden());
    QVERIFY(dock(demo, "classes")->isHidden());
    QVERIFY(opens(demo, file("audit.assay")));
    QVERIFY(dock(demo, "diagnostics")->isHidden());
    // Nothing of the file's arrangement gets into the settings.
    const QJsonObject own = Settings().workspaces();
    QVERIFY(!own.isEmpty());
    dock(demo, "distribution")->close();
    demo.window.close();
    QCOMPARE(Settings().workspaces(), own);
}

void KeptWindowTest::aFileWithoutArrangementTakesTheProgramsOwn() {
    test::DemoWindow demo;
    QVERIFY(opens(demo, inputs()));
    writeAuditFile(*demo.session.state().audit, file("plain.assay").toStdString());
    QVERIFY(saves(demo, file("audit.assay")));
    rearrange(demo);
    QVERIFY(opens(demo, file("plain.assay")));
    QVERIFY(!dock(demo, "diagnostics")->isHidden());
    QVERIFY(opens(demo, file("audit.assay")));
}

void KeptWindowTest::isNotUndone() {
    test::DemoWindow demo;
    QVERIFY(opens(demo, inputs()));
    QVERIFY(saves(demo, file("audit.assay")));
    dock(demo, "diagnostics")->close();
    QTRY_VERIFY(!demo.session.document()->windowState().isEmpty());
    QVERIFY(!demo.session.document()->undoGroup()->canUndo());
    demo.session.editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    const QString arranged = demo.session.document()->windowState();
    demo.session.document()->undoGroup()->undo();
    QCOMPARE(demo.session.document()->windowState(), arranged);
}

void KeptWindowTest::savingUnderAnotherNameKeepsTheArrangement() {
    test::DemoWindow demo;
    QVERIFY(opens(demo, inputs()));
    QVERIFY(saves(demo, file("audit.assay")));
    rearrange(demo);
    QTRY_VERIFY(demo.session.document()->windowState().contains(QStringLiteral("rejected")));
    QVERIFY(saves(demo, file("other.assay")));
    QVERIFY(dock(demo, "diagnostics")->isHidden());
    demo.session.keepNow();
    QVERIFY(readDecisions(file("other.assay").toStdString(), *demo.session.state().audit).window.find("rejected") !=
            std::string::npos);
}

void KeptWindowTest::anArrangementThatNobodyUnderstandsIsLeftOut() {
    test::DemoWindow demo;
    QVERIFY(opens(demo, inputs()));
    for (const char* window : {"", "no JSON", "{\"layout\": \"AAAA\", \"ranking\": {\"column\": \"no_such_score\"}}",
                               "{\"layout\": 7, \"ranking\": {\"column\": \"coverage\", \"show\": \"whatever\"}}"}) {
        Decisions decisions;
        decisions.window = window;
        writeAuditFile(*demo.session.state().audit, file("odd.assay").toStdString(), {}, &decisions);
        QVERIFY2(opens(demo, file("odd.assay")), window);
        QVERIFY2(!dock(demo, "diagnostics")->isHidden() && !dock(demo, "models")->isHidden(), window);
        QCOMPARE(demo.window.findChild<RankingModel*>()->show(), RankingShow::All);
        QVERIFY(opens(demo, inputs()));
    }
}

ASSAY_TEST(kept_window_test, KeptWindowTest)
#include "kept_window_test.moc"
