// The right mouse button on a panel; where the keyboard is, and where it never goes.
#include "gui/window/panel_docks.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/link/panel.h"
#include "widgets/ranking/ranking_model.h"

#include <QtWidgets>

#include <set>

using namespace assay;

class MenuAndKeyboardTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void isAboutTheSampleUnderThePointer();
    void selectsWhatIsSimilar();
    void copiesIds();
    void inspects();
    void titlesKeepTheirOwnMenu();

    void changingTheTabTakesTheKeyboardAlong();
    void tabNeverEntersACoveredPanel();
    void tabReachesEveryPanelInSight();

private:
    /// Opens the menu on a tile of the gallery, with the keys or buttons that a person would use.
    QMenu* open(std::size_t position) {
        const QPoint at = gallery()->cellRect(position).center();
        QTest::mousePress(gallery()->viewport(), Qt::RightButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, gallery()->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(gallery()->viewport(), &event);
        QTest::mouseRelease(gallery()->viewport(), Qt::RightButton, {}, at);
        return child<QMenu>("panelMenu");
    }
    static void choose(QMenu* menu, const char* action) {
        menu->findChild<QAction*>(QLatin1String(action))->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    SampleId at(std::size_t position) const { return ranking()->sampleAt(position); }
    void raise(const char* id) const {
        dock(id)->raise();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_));
        QTRY_VERIFY(static_cast<Panel*>(dock(id)->widget())->isWatched());
    }
    /// The panel that has the keyboard; null for the rest of the window.
    static const Panel* focused() {
        for (const QWidget* part = QApplication::focusWidget(); part != nullptr; part = part->parentWidget())
            if (const auto* view = qobject_cast<const Panel*>(part))
                return view;
        return nullptr;
    }
};

void MenuAndKeyboardTest::initTestCase() {
    QVERIFY(openDemo());
}

void MenuAndKeyboardTest::init() {
    QVERIFY(demo_->reset());
    selection_->clear();
    raise("ranking");
}

void MenuAndKeyboardTest::isAboutTheSampleUnderThePointer() {
    QMenu* menu = open(3);
    QVERIFY(menu != nullptr && menu->isVisible());
    QCOMPARE(selection_->samples(), std::vector<SampleId>{at(3)});
    test::shoot(*menu, "panel-menu");
    // The menu has the window's own commands, with their keys.
    auto* reject = child<QAction>("actionRejectByHand");
    QVERIFY(menu->actions().contains(reject));
    reject->trigger();
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{1});
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // What is selected stays so: the menu is about all of it.
    selection_->replace({at(1), at(2), at(3)});
    menu = open(2);
    QCOMPARE(selection_->samples().size(), std::size_t{3});
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void MenuAndKeyboardTest::selectsWhatIsSimilar() {
    const SampleId sample = at(5);
    choose(open(5), "menuSimilar");
    QCOMPARE(selection_->samples().size(), std::size_t{21});
    QCOMPARE(selection_->focus(), std::optional(sample));
}

void MenuAndKeyboardTest::copiesIds() {
    const SampleId sample = at(4);
    choose(open(4), "menuCopyIds");
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(state().current().set->idText(sample.row)));
}

void MenuAndKeyboardTest::inspects() {
    auto* inspector = dock("sample");
    inspector->close();
    choose(open(0), "menuInspect");
    QVERIFY(inspector->isVisible());
}

void MenuAndKeyboardTest::titlesKeepTheirOwnMenu() {
    auto* dock = this->dock("models");
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 5), dock->mapToGlobal(QPoint(20, 5)));
    QCoreApplication::sendEvent(dock, &event);
    QVERIFY(child<QMenu>("panelMenu") == nullptr);
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
}

void MenuAndKeyboardTest::changingTheTabTakesTheKeyboardAlong() {
    auto* combo = dock("ranking")->findChild<QComboBox*>();
    combo->setFocus();
    QCOMPARE(focused(), dock("ranking")->widget());
    raise("scores");
    QTRY_COMPARE(focused(), dock("scores")->widget());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(QApplication::activePopupWidget() == nullptr || focused() != dock("ranking")->widget());
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
}

void MenuAndKeyboardTest::tabNeverEntersACoveredPanel() {
    std::set<const Panel*> visited;
    std::set<const QWidget*> stops;
    dock("ranking")->findChild<QComboBox*>()->setFocus();
    for (const auto key : {Qt::Key_Tab, Qt::Key_Backtab})
        for (int i = 0; i < 150; ++i) {
            QTest::keyClick(QApplication::focusWidget(), key, key == Qt::Key_Tab ? Qt::NoModifier : Qt::ShiftModifier);
            const Panel* view = focused();
            QVERIFY2(view == nullptr || view->isWatched(), qPrintable(QApplication::focusWidget()->objectName()));
            visited.insert(view);
            stops.insert(QApplication::focusWidget());
        }
    QVERIFY(visited.contains(static_cast<const Panel*>(dock("models")->widget())));
    QVERIFY(visited.contains(static_cast<const Panel*>(dock("keep")->widget())));
    QVERIFY(visited.contains(static_cast<const Panel*>(dock("ranking")->widget())));
    QVERIFY(stops.size() > 10);
}

void MenuAndKeyboardTest::tabReachesEveryPanelInSight() {
    session_->editor()->setModel(1);
    selection_->select({syntheticSet(1), 0});
    QStringList walk;
    std::set<const QWidget*> visited;
    dock("ranking")->findChild<QComboBox*>()->setFocus();
    for (int i = 0; i < 150; ++i) {
        QWidget* before = QApplication::focusWidget();
        visited.insert(before);
        visited.insert(focused());
        QTest::keyClick(before, Qt::Key_Tab);
        walk << QApplication::focusWidget()->metaObject()->className() + QLatin1Char(' ') +
                    QApplication::focusWidget()->objectName();
        QVERIFY2(QApplication::focusWidget() != before, qPrintable(walk.join('\n')));
    }
    for (const char* panel : {"models", "keep", "ranking", "findings", "sample"})
        QVERIFY2(visited.contains(dock(panel)->widget()), panel);
    QVERIFY(visited.contains(dock("ranking")->findChild<QWidget*>("rankingGallery")));
}

ASSAY_TEST(menu_and_keyboard_test, MenuAndKeyboardTest)
#include "menu_and_keyboard_test.moc"
