// Where the keyboard is, and where it never goes.
#include "gui/window/panel_docks.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/link/panel.h"

#include <QtWidgets>

#include <set>

using namespace assay;

class KeyboardTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(openDemo()); }
    void init() { raise("ranking"); }
    void changingTheTabTakesTheKeyboardAlong();
    void tabNeverEntersACoveredPanel();
    void tabReachesEveryPanelInSight();

private:
    QDockWidget* dock(const char* id) const { return demo_->window.findChild<QDockWidget*>(QString::fromLatin1(id)); }
    void raise(const char* id) const {
        dock(id)->raise();
        demo_->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&demo_->window));
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

void KeyboardTest::changingTheTabTakesTheKeyboardAlong() {
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

void KeyboardTest::tabNeverEntersACoveredPanel() {
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
    QVERIFY(visited.contains(static_cast<const Panel*>(dock("rules")->widget())));
    QVERIFY(visited.contains(static_cast<const Panel*>(dock("ranking")->widget())));
    QVERIFY(stops.size() > 10);
}

void KeyboardTest::tabReachesEveryPanelInSight() {
    demo_->session.editor()->setModel(1);
    demo_->selection.select({syntheticSet(1), 0});
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
    for (const char* panel : {"models", "rules", "ranking", "findings", "inspector"})
        QVERIFY2(visited.contains(dock(panel)->widget()), panel);
    QVERIFY(visited.contains(dock("ranking")->findChild<QWidget*>("rankingGallery")));
}

ASSAY_TEST(keyboard_test, KeyboardTest)
#include "keyboard_test.moc"
