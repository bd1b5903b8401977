// The right mouse button on a panel.
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"
#include "widgets/samples/sample_grid.h"

#include <QtWidgets>

using namespace assay;

class PanelMenuTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void isAboutTheSampleUnderThePointer();
    void selectsWhatIsSimilar();
    void copiesIds();
    void inspects();
    void titlesKeepTheirOwnMenu();

private:
    /// Opens the menu on a tile of the gallery, with the keys or buttons that a person would use.
    QMenu* open(std::size_t position) {
        auto* gallery = demo_->window.findChild<SampleGrid*>(QStringLiteral("rankingGallery"));
        const QPoint at = gallery->cellRect(position).center();
        QTest::mousePress(gallery->viewport(), Qt::RightButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, gallery->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(gallery->viewport(), &event);
        QTest::mouseRelease(gallery->viewport(), Qt::RightButton, {}, at);
        return demo_->window.findChild<QMenu*>(QStringLiteral("panelMenu"));
    }
    static void choose(QMenu* menu, const char* action) {
        menu->findChild<QAction*>(QLatin1String(action))->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    SampleId at(std::size_t position) const {
        return demo_->window.findChild<RankingView*>()->model()->sampleAt(position);
    }
};

void PanelMenuTest::initTestCase() {
    QVERIFY(openDemo());
}

void PanelMenuTest::init() {
    QVERIFY(demo_->reset());
    demo_->selection.clear();
}

void PanelMenuTest::isAboutTheSampleUnderThePointer() {
    QMenu* menu = open(3);
    QVERIFY(menu != nullptr && menu->isVisible());
    QCOMPARE(demo_->selection.samples(), std::vector<SampleId>{at(3)});
    test::shoot(*menu, QStringLiteral("panel-menu"));
    // The menu has the window's own commands, with their keys.
    auto* reject = demo_->window.findChild<QAction*>(QStringLiteral("actionRejectByHand"));
    QVERIFY(menu->actions().contains(reject));
    reject->trigger();
    QCOMPARE(demo_->session.document()->rejectedCount(), std::size_t{1});
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // What is selected stays so: the menu is about all of it.
    demo_->selection.replace({at(1), at(2), at(3)});
    menu = open(2);
    QCOMPARE(demo_->selection.samples().size(), std::size_t{3});
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void PanelMenuTest::selectsWhatIsSimilar() {
    const SampleId sample = at(5);
    choose(open(5), "menuSimilar");
    QCOMPARE(demo_->selection.samples().size(), std::size_t{21});
    QCOMPARE(demo_->selection.focus(), std::optional(sample));
}

void PanelMenuTest::copiesIds() {
    const SampleId sample = at(4);
    choose(open(4), "menuCopyIds");
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QString::fromStdString(demo_->session.state().current().set->idText(sample.row)));
}

void PanelMenuTest::inspects() {
    auto* inspector = demo_->window.findChild<QDockWidget*>(QStringLiteral("inspector"));
    inspector->close();
    choose(open(0), "menuInspect");
    QVERIFY(inspector->isVisible());
}

void PanelMenuTest::titlesKeepTheirOwnMenu() {
    auto* dock = demo_->window.findChild<QDockWidget*>(QStringLiteral("models"));
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 5), dock->mapToGlobal(QPoint(20, 5)));
    QCoreApplication::sendEvent(dock, &event);
    QVERIFY(demo_->window.findChild<QMenu*>(QStringLiteral("panelMenu")) == nullptr);
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
}

ASSAY_TEST(panel_menu_test, PanelMenuTest)
#include "panel_menu_test.moc"
