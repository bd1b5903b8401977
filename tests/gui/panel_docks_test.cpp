#include "gui/desktop/menu_actions.h"
#include "gui/window/panel_docks.h"
#include "tests/gui/support/probe_window.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"

#include <QtWidgets>

using namespace assay;
using namespace assay::test;

class PanelDocksTest : public QObject, protected ProbeWindow {
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void panelsStandAsTheCatalogueSays();
    void everyPanelIsToldTheState();
    void panelsBehindOthersWorkNothingOut();
    void panelsBehindOthersForgetAnotherAudit();
    void layoutIsRememberedAndReset();
    void layoutOfFormerIdsIsTakenUp();
    void panelsMissingFromAnOldLayoutAppear();
    void panelsNewToAnOldLayoutBecomeTabsBehind_data();
    void panelsNewToAnOldLayoutBecomeTabsBehind();
    void whoLooksForAPanelSeesIt();
    void tabsKeepTheirNamesWhole();
    void togglesBringTabsToTheFront();
};

void PanelDocksTest::panelsStandAsTheCatalogueSays() {
    openDemo();
    const auto place = [this](const char* name) {
        const auto* dock = child<QDockWidget>(name);
        return QRect(dock->mapTo(window_.get(), QPoint()), dock->size());
    };
    QVERIFY(place("models").right() < place("scatter").left());
    QVERIFY(place("models").bottom() < place("keep").top());
    QVERIFY(place("scatter").right() < place("fidelity").left());
    QVERIFY(place("scatter").bottom() < place("ranking").top());
    QVERIFY(place("fidelity").right() < place("sample").left());
    QVERIFY(place("ranking").right() < place("sample").left());
    // The middle column gets the most room, and no strip stays empty.
    QVERIFY(place("ranking").width() > place("models").width() + place("sample").width());
    QVERIFY(place("sample").height() > 600);
    QVERIFY(place("sample").right() > window_->width() - 20);
    QVERIFY(qAbs(place("models").width() - 260) < 60);
    QVERIFY(window_->tabifiedDockWidgets(child<QDockWidget>("ranking")).contains(child<QDockWidget>("space")));
}

void PanelDocksTest::everyPanelIsToldTheState() {
    openDemo();
    for (const PanelRow& panel : probePanels()) {
        child<QDockWidget>(panel.id.toUtf8().constData())->raise();
        settle();
        const ProbeView* view = probe(panel.id.toUtf8().constData());
        QVERIFY(view);
        QVERIFY(view->told > 0);
        QCOMPARE(view->state().audit, session_->state().audit);
    }
    probe("models")->host().setModel(1);
    QCOMPARE(session_->state().model, std::size_t{1});
    QCOMPARE(probe("sample")->state().model, std::size_t{1});
}

void PanelDocksTest::panelsBehindOthersWorkNothingOut() {
    openDemo();
    child<QDockWidget>("ranking")->raise();
    child<QDockWidget>("keep")->close();
    settle();
    const int space = probe("space")->told;
    const int rules = probe("keep")->told;
    const int ranking = probe("ranking")->told;
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    selection_->select(sample(3));
    selection_->select(sample(4));
    selection_->hover(sample(5));
    QCOMPARE(probe("space")->told, space);
    QCOMPARE(probe("keep")->told, rules);
    QCOMPARE(probe("ranking")->told, ranking + 4);

    // What they missed comes once, when they are seen again.
    child<QDockWidget>("space")->raise();
    settle();
    QCOMPARE(probe("space")->told, space + 3); // state, selection, hover
    QCOMPARE(probe("space")->state().kept, session_->state().kept);
    child<QDockWidget>("keep")->show();
    settle();
    QCOMPARE(probe("keep")->told, rules + 3);
    QCOMPARE(probe("keep")->state().kept, session_->state().kept);
    const int after = probe("ranking")->told;
    session_->editor()->setRules({});
    QCOMPARE(probe("ranking")->told, after); // behind, by now
}

void PanelDocksTest::panelsBehindOthersForgetAnotherAudit() {
    openDemo();
    child<QDockWidget>("space")->raise();
    settle();
    child<QDockWidget>("ranking")->raise();
    settle();
    const std::weak_ptr<const AuditResult> before = session_->state().audit;
    QVERIFY(probe("space")->state().audit);
    openFiles();
    QVERIFY(before.expired()); // no view holds its memory
    child<QDockWidget>("space")->raise();
    settle();
    QCOMPARE(probe("space")->state().audit, session_->state().audit);
}

void PanelDocksTest::layoutIsRememberedAndReset() {
    openDemo();
    child<QDockWidget>("keep")->close();
    QVERIFY(!child<QDockWidget>("keep")->isVisible());
    window_->resize(1234, 777);
    window_->close();
    makeWindow();
    QVERIFY(session_->isOpen());
    QVERIFY(!child<QDockWidget>("keep")->isVisible());
    QVERIFY(child<QDockWidget>("models")->isVisible());
    action("actionResetLayout")->trigger();
    QVERIFY(child<QDockWidget>("keep")->isVisible());
    // Each panel's entry in the View menu shows and hides it.
    child<QDockWidget>("keep")->toggleViewAction()->trigger();
    QVERIFY(!child<QDockWidget>("keep")->isVisible());
}

void PanelDocksTest::layoutOfFormerIdsIsTakenUp() {
    openDemo();
    auto* docks = window_->findChild<PanelDocks*>();
    child<QDockWidget>("keep")->close();
    child<QDockWidget>("sample")->close();
    QByteArray layout = docks->saveLayout();
    child<QDockWidget>("keep")->show();
    child<QDockWidget>("sample")->show();
    QStringList known;
    QByteArray state;
    QDataStream in(layout);
    in >> known >> state;
    const auto written = [](const QString& id) {
        QByteArray bytes;
        QDataStream out(&bytes, QIODevice::WriteOnly);
        out << id;
        return bytes;
    };
    state.replace(written("keep"), written("rules")).replace(written("sample"), written("inspector"));
    std::ranges::replace(known, QStringLiteral("keep"), QStringLiteral("rules"));
    std::ranges::replace(known, QStringLiteral("sample"), QStringLiteral("inspector"));
    QByteArray former;
    QDataStream out(&former, QIODevice::WriteOnly);
    out << known << state;
    docks->show(former, {});
    QVERIFY(child<QDockWidget>("keep")->isHidden() && child<QDockWidget>("sample")->isHidden());
    QVERIFY(!child<QDockWidget>("models")->isHidden());
}

void PanelDocksTest::panelsMissingFromAnOldLayoutAppear() {
    window_.reset();
    std::vector<PanelRow> old = probePanels();
    old.pop_back();
    {
        MainWindow before(session_.get(), theme_.get(), old);
        before.show();
        session_->openDemo();
        QVERIFY(waitIdle(*session_));
        before.close();
    }
    makeWindow();
    QVERIFY(child<QDockWidget>("sample")->isVisible());
}

void PanelDocksTest::panelsNewToAnOldLayoutBecomeTabsBehind_data() {
    QTest::addColumn<QString>("front");
    QTest::newRow("first tab in front") << "ranking";
    QTest::newRow("second tab in front") << "space";
}

void PanelDocksTest::panelsNewToAnOldLayoutBecomeTabsBehind() {
    QFETCH(QString, front);
    openDemo();
    window_->findChild<QDockWidget*>(front)->raise();
    child<QDockWidget>("models")->setMinimumWidth(0);
    window_->resizeDocks({child<QDockWidget>("models")}, {333}, Qt::Horizontal);
    settle();
    const int width = child<QDockWidget>("models")->width();
    window_->close();
    window_.reset();
    std::vector<PanelRow> panels = probePanels();
    PanelRow added = panels[4];
    added.id = QStringLiteral("added");
    added.title = QStringLiteral("Added");
    panels.push_back(added);
    window_ = std::make_unique<MainWindow>(session_.get(), theme_.get(), panels);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    auto* dock = child<QDockWidget>("added");
    QVERIFY(!dock->isHidden());
    QVERIFY(window_->tabifiedDockWidgets(child<QDockWidget>("ranking")).contains(dock));
    QVERIFY(dock->visibleRegion().isEmpty());
    QVERIFY(!window_->findChild<QDockWidget*>(front)->visibleRegion().isEmpty());
    QVERIFY(qAbs(child<QDockWidget>("models")->width() - width) < 10); // the rest is as it was
}

void PanelDocksTest::whoLooksForAPanelSeesIt() {
    openDemo();
    auto* ranking = child<QDockWidget>("ranking");
    ranking->raise();
    QTRY_VERIFY(!ranking->visibleRegion().isEmpty());
    whenFound(*ranking->toggleViewAction())->trigger(); // is in front: stays
    QVERIFY(ranking->isVisible());
    QVERIFY(ranking->toggleViewAction()->isChecked());
    ranking->close();
    whenFound(*ranking->toggleViewAction())->trigger();
    QTRY_VERIFY(!ranking->visibleRegion().isEmpty());
    QVERIFY(ranking->toggleViewAction()->isChecked());
}

void PanelDocksTest::tabsKeepTheirNamesWhole() {
    openDemo();
    const auto bars = window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(!bars.isEmpty());
    window_->resize(700, 700);
    QCoreApplication::processEvents();
    for (const QTabBar* bar : bars) {
        QCOMPARE(bar->elideMode(), Qt::ElideNone);
        QVERIFY(bar->usesScrollButtons());
    }
}

void PanelDocksTest::togglesBringTabsToTheFront() {
    openDemo();
    auto* ranking = child<QDockWidget>("ranking");
    auto* space = child<QDockWidget>("space");
    QVERIFY(space->visibleRegion().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // behind: to the front
    QTRY_VERIFY(!space->visibleRegion().isEmpty());
    QVERIFY(space->toggleViewAction()->isChecked());
    QVERIFY(ranking->visibleRegion().isEmpty());
    QVERIFY(space->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // in front: stays
    QVERIFY(!space->isHidden() && !space->visibleRegion().isEmpty());
    space->toggleViewAction()->trigger(); // the menu's entry takes it away
    QVERIFY(space->isHidden());
    QVERIFY(!space->toggleViewAction()->isChecked());
    QTRY_VERIFY(!ranking->visibleRegion().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // back, in front
    QTRY_VERIFY(!space->visibleRegion().isEmpty());
    QVERIFY(space->toggleViewAction()->isChecked());
}

ASSAY_TEST(panel_docks_test, PanelDocksTest)
#include "panel_docks_test.moc"
