#include "gui/window/workspaces.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/distribution/distribution_panel.h"

#include <QtWidgets>

#include <memory>
#include <set>

using namespace assay;

class WorkspacesTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(openDemo()); }
    void init();
    void everyTabIsInSight();
    void everyPanelIsAKeyAway();
    void keysLeadToWorkspaces();
    void eachRestoresWhatItHad();
    void onesOwnAreSavedByName();
    void namesOfTheBuiltInOnesAreTaken();
    void theWindowComesBackAsItWasLeft();
    void distributionTakesAnyColumn();

private:
    Workspaces* workspaces() const { return window_->findChild<Workspaces*>(); }
    void press(int key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(window_, static_cast<Qt::Key>(key), modifiers);
        test::settle();
    }
    std::set<QString> openPanels() const {
        std::set<QString> open;
        for (const auto* one : window_->findChildren<QDockWidget*>())
            if (!one->isHidden())
                open.insert(one->objectName());
        return open;
    }
};

void WorkspacesTest::init() {
    QVERIFY(demo_->reset());
    workspaces()->restore({});
    test::settle();
}

void WorkspacesTest::everyTabIsInSight() {
    QCOMPARE(window_->size(), QSize(1440, 900));
    int tabs = 0;
    for (const auto* bar : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!bar->isVisible())
            continue;
        for (int tab = 0; tab < bar->count(); ++tab) {
            QVERIFY2(bar->rect().contains(bar->tabRect(tab)), qPrintable(bar->tabText(tab)));
            QVERIFY2(!bar->tabText(tab).contains(QLatin1Char(' ')), qPrintable(bar->tabText(tab)));
            ++tabs;
        }
    }
    QVERIFY(tabs >= 6);
}

void WorkspacesTest::everyPanelIsAKeyAway() {
    for (auto* one : window_->findChildren<QDockWidget*>()) {
        const QKeySequence keys = one->toggleViewAction()->shortcut();
        QVERIFY2(!keys.isEmpty(), qPrintable(one->objectName()));
        press(keys[0].key(), keys[0].keyboardModifiers());
        QVERIFY2(!one->visibleRegion().isEmpty(), qPrintable(one->objectName()));
    }
}

void WorkspacesTest::keysLeadToWorkspaces() {
    const std::set<QString> overview = openPanels();
    press(Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(workspaces()->current(), QStringLiteral("explore"));
    QCOMPARE(openPanels(), (std::set<QString>{"space", "ranking", "holes", "distribution", "sample"}));
    QVERIFY(dock("space")->width() > dock("sample")->width());
    press(Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(openPanels(), (std::set<QString>{"models", "findings", "compare", "scores", "classes", "agreement",
                                              "useful", "private", "scatter", "curves", "runs"}));
    press(Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(openPanels(), (std::set<QString>{"ranking", "pairs", "sample"}));
    QVERIFY(dock("sample")->width() > 600);
    QVERIFY(child<QAction>("actionWorkspace_review")->isChecked());
    press(Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(openPanels(), overview);
    QVERIFY(!child<QAction>("actionWorkspace_review")->isChecked());
}

void WorkspacesTest::eachRestoresWhatItHad() {
    dock("keep")->close();
    press(Qt::Key_2, Qt::ControlModifier);
    press(Qt::Key_9, Qt::AltModifier); // the scores come as a tab
    QVERIFY(!dock("scores")->visibleRegion().isEmpty());
    press(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(dock("keep")->isHidden());
    press(Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!dock("scores")->isHidden());
    child<QAction>("actionResetLayout")->trigger();
    test::settle();
    QVERIFY(dock("scores")->isHidden());
    press(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(dock("keep")->isHidden());
}

void WorkspacesTest::onesOwnAreSavedByName() {
    dock("models")->close();
    const std::set<QString> wanted = openPanels();
    child<QAction>("actionSaveWorkspace")->trigger();
    auto* dialog = child<QInputDialog>("workspaceName");
    QVERIFY(dialog);
    dialog->setTextValue(QStringLiteral(" Copies & co "));
    dialog->accept();
    test::settle();
    QCOMPARE(workspaces()->current(), QStringLiteral("Copies & co"));
    press(Qt::Key_1, Qt::ControlModifier);
    dock("models")->show();
    auto* own = child<QAction>("actionWorkspace_Copies & co");
    QVERIFY(own && own->isCheckable() && !own->isChecked());
    own->trigger();
    test::settle();
    QCOMPARE(openPanels(), wanted);
    QVERIFY(child<QAction>("actionWorkspace_Copies & co")->isChecked());
    child<QAction>("actionRemoveWorkspace")->trigger();
    test::settle();
    QCOMPARE(workspaces()->current(), QStringLiteral("overview"));
    QVERIFY(!child<QAction>("actionWorkspace_Copies & co"));
    QVERIFY(!child<QAction>("actionRemoveWorkspace")->isEnabled());
}

void WorkspacesTest::namesOfTheBuiltInOnesAreTaken() {
    for (const char* name : {"", "  ", "overview", "REVIEW", " Explore"})
        QVERIFY2(!workspaces()->saveAs(QString::fromLatin1(name)), name);
    QCOMPARE(workspaces()->all().size(), builtInWorkspaces().size());
}

void WorkspacesTest::theWindowComesBackAsItWasLeft() {
    dock("keep")->close();
    QVERIFY(workspaces()->saveAs(QStringLiteral("mine")));
    press(Qt::Key_4, Qt::ControlModifier);
    const std::set<QString> review = openPanels();
    const QJsonObject saved = workspaces()->saved();
    workspaces()->restore({});
    QCOMPARE(workspaces()->current(), QStringLiteral("overview"));
    QVERIFY(!dock("keep")->isHidden());
    workspaces()->restore(saved);
    test::settle();
    QCOMPARE(workspaces()->current(), QStringLiteral("review"));
    QCOMPARE(openPanels(), review);
    workspaces()->show(QStringLiteral("mine"));
    QVERIFY(dock("keep")->isHidden());
}

void WorkspacesTest::distributionTakesAnyColumn() {
    auto* panel = window_->findChild<DistributionPanel*>();
    auto* box = child<QComboBox>("distributionColumn");
    QCOMPARE(box->currentText(), QStringLiteral("Fidelity"));
    const QString question = dock("distribution")->findChild<QLabel*>("question")->text();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QVERIFY(panel->column() != QStringLiteral("fidelity"));
    QVERIFY(dock("distribution")->findChild<QLabel*>("question")->text() != question);
    auto* menu = child<QToolButton>("distributionLook")->menu();
    emit menu->aboutToShow();
    auto* cumulative = menu->findChild<QAction*>("distributionCumulative");
    QVERIFY(!cumulative->isChecked() && menu->findChild<QAction*>("distributionOutlined")->isChecked());
    cumulative->trigger();
    QVERIFY(panel->histogram()->look().cumulative && panel->histogram()->look().outlined &&
            !panel->histogram()->look().logarithmic);
    for (int i = 0; i < box->count(); ++i) {
        const QString id = box->itemData(i).toString();
        if (id.isEmpty())
            continue; // a heading
        panel->setColumn(id);
        test::settle();
        QVERIFY2(panel->figure().has_value(), qPrintable(id));
    }
    panel->setColumn(QStringLiteral("fidelity"));
}

ASSAY_TEST(workspaces_test, WorkspacesTest)
#include "workspaces_test.moc"
