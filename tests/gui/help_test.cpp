// What leads newcomers: pages of help and the tour.
#include "gui/commands/commands.h"
#include "gui/pages/help_browser.h"
#include "gui/session/tour.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>
#include <set>

using namespace assay;

class HelpTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(openDemo()); }
    void init() {
        QVERIFY(demo_->reset());
        window_->findChild<Tour*>()->end();
        QVERIFY(!isShown());
    }
    void everyPanelHasAPage();
    void everyLinkLeadsSomewhere();
    void everyPageOfTheListIsThere();
    void backGoesToThePageBefore();
    void searchLeavesThePagesThatContainIt();

    void theTourLeadsThroughAllModels();
    void itsBarIsAsHighAsItsText();
    void theTourCanBeLeftAtAnyTime();
    void theTourEndsWithTheAudit();

private:
    void click(const char* button) {
        QTest::mouseClick(child<QToolButton>(button), Qt::LeftButton);
        test::settle();
    }
    bool isShown() const { return child<QToolBar>("tourBar")->isVisible(); }
};

void HelpTest::everyPanelHasAPage() {
    for (auto* dock : window_->findChildren<QDockWidget*>()) {
        QVERIFY2(QFile::exists(QStringLiteral(":/help/panels/%1.md").arg(dock->objectName())),
                 qPrintable(dock->objectName()));
        window_->commands()->showHelp(dock->objectName());
        auto* shown = window_->findChild<HelpBrowser*>()->findChild<QListWidget*>()->currentItem();
        QVERIFY2(shown != nullptr && shown->text() == dock->windowTitle(), qPrintable(dock->objectName()));
        window_->findChild<HelpBrowser*>()->close();
        const QKeySequence keys = dock->toggleViewAction()->shortcut();
        if (keys.isEmpty())
            continue; // there are twenty keys
        window_->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), window_);
        QTest::keyClick(window_, keys[0].key(), keys[0].keyboardModifiers());
        test::settle();
        if (!dock->isAncestorOf(QApplication::focusWidget()))
            continue; // it has nothing that takes the keyboard
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        auto* help = window_->findChild<HelpBrowser*>();
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->pageTitle(), dock->windowTitle());
        QCOMPARE(help->findChild<QListWidget*>()->currentItem()->text(), dock->windowTitle());
    }
    QVERIFY(window_->findChild<HelpBrowser*>());
    QCOMPARE(window_->findChildren<HelpBrowser*>().size(), 1);
}

void HelpTest::everyLinkLeadsSomewhere() {
    const QRegularExpression link(QStringLiteral(R"(\]\(([^)#\s]+\.md)(#[^)]*)?\))"));
    int links = 0;
    QDirIterator pages(QStringLiteral(":/help/panels"), {QStringLiteral("*.md")});
    while (pages.hasNext()) {
        QFile page(pages.next());
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        for (auto found = link.globalMatch(text); found.hasNext(); ++links) {
            const QUrl target = QUrl(QStringLiteral("qrc") + page.fileName()).resolved(QUrl(found.next().captured(1)));
            QVERIFY2(QFile::exists(QLatin1Char(':') + target.path()),
                     qPrintable(page.fileName() + QStringLiteral(" -> ") + target.path()));
        }
    }
    QVERIFY(links > 20);
}

void HelpTest::everyPageOfTheListIsThere() {
    HelpBrowser help(window_->commands()->helpedPanels(), nullptr);
    auto* pages = help.findChild<QListWidget*>();
    for (int row = 0; row < pages->count(); ++row) {
        pages->setCurrentRow(row);
        QVERIFY2(!help.pageTitle().isEmpty(), qPrintable(pages->item(row)->text()));
        QCOMPARE(pages->currentRow(), row);
    }
}

void HelpTest::backGoesToThePageBefore() {
    HelpBrowser help(window_->commands()->helpedPanels(), nullptr);
    help.showPanel(QStringLiteral("no such panel"));
    const QString first = help.pageTitle();
    QVERIFY(!first.isEmpty());
    emit help.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("models.md")));
    QCOMPARE(help.pageTitle(), QStringLiteral("Models"));
    emit help.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("../verdicts.md")));
    QVERIFY(help.pageTitle() != QStringLiteral("Models"));
    help.findChild<QTextBrowser*>()->backward();
    QCOMPARE(help.pageTitle(), QStringLiteral("Models"));
}

void HelpTest::searchLeavesThePagesThatContainIt() {
    HelpBrowser help(window_->commands()->helpedPanels(), nullptr);
    help.show();
    auto* pages = help.findChild<QListWidget*>();
    auto* search = help.findChild<QLineEdit*>(QStringLiteral("helpSearch"));
    const auto listed = [&] {
        QStringList titles;
        for (int row = 0; row < pages->count(); ++row)
            if (!pages->item(row)->isHidden())
                titles << pages->item(row)->text();
        return titles;
    };
    const qsizetype all = listed().size();
    QVERIFY(all > window_->commands()->helpedPanels().size());
    QTest::keyClicks(search, QStringLiteral("SELF-contained"));
    QVERIFY(!listed().isEmpty() && listed().size() < all);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(help.pageTitle().isEmpty(), false);
    QCOMPARE(pages->currentItem()->text(), listed().front());
    QVERIFY(help.isVisible());
    search->clear();
    QCOMPARE(listed().size(), all);
}

void HelpTest::theTourLeadsThroughAllModels() {
    const auto audit = state().audit;
    const std::vector<TourStep> steps = tourOf(*audit);
    QVERIFY(steps.size() >= audit->models.size());
    child<QAction>("actionTour")->trigger();
    QVERIFY(isShown());
    std::set<std::size_t> models;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        models.insert(state().model);
        QCOMPARE(state().model, steps[at].model);
        QVERIFY(text("tourText").startsWith(steps[at].sentence));
        QCOMPARE(selection_->samples(), steps[at].samples);
        if (steps[at].example)
            QCOMPARE(selection_->focus(), steps[at].example);
        QCOMPARE(child<QToolButton>("tourBack")->isEnabled(), at > 0);
        click("tourNext");
    }
    QVERIFY(!isShown()); // "Done" ends it
    QCOMPARE(models.size(), audit->models.size());
    child<QAction>("actionTour")->trigger();
    click("tourNext");
    const QString second = text("tourPlace");
    click("tourNext");
    click("tourBack");
    QCOMPARE(text("tourPlace"), second);
}

void HelpTest::itsBarIsAsHighAsItsText() {
    child<QAction>("actionTour")->trigger();
    const auto* text = child<QLabel>("tourText");
    const auto* button = child<QToolButton>("tourNext");
    for (const int width : {1600, 1440, 1024}) {
        window_->resize(width, 900);
        for (std::size_t at = 0; at < 3; ++at) {
            QTRY_VERIFY2(child<QToolBar>("tourBar")->height() <=
                             std::max(text->heightForWidth(text->width()), button->height()) + 16,
                         qPrintable(text->text()));
            QVERIFY(text->height() >= text->heightForWidth(text->width())); // and no line is cut off
            click("tourNext");
        }
        click("tourBack");
        click("tourBack");
        click("tourBack");
    }
    window_->resize(1440, 900);
    click("tourEnd");
}

void HelpTest::theTourCanBeLeftAtAnyTime() {
    child<QAction>("actionTour")->trigger();
    QVERIFY(child<QAction>("actionTour")->isChecked());
    QTest::keyClick(window_, Qt::Key_Escape);
    QVERIFY(!isShown());
    QVERIFY(!child<QAction>("actionTour")->isChecked());
    child<QAction>("actionTour")->trigger();
    click("tourEnd");
    QVERIFY(!isShown());
}

void HelpTest::theTourEndsWithTheAudit() {
    child<QAction>("actionTour")->trigger();
    QVERIFY(isShown());
    QVERIFY(demo_->open());
    QVERIFY(!isShown());
}

ASSAY_TEST(help_test, HelpTest)
#include "help_test.moc"
