#include "gui/pages/help_browser.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <memory>

using namespace assay;

class HelpTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyPanelHasAPage();
    void everyLinkLeadsSomewhere();
    void everyPageOfTheListIsThere();
    void backGoesToThePageBefore();
    void searchLeavesThePagesThatContainIt();

private:
    std::unique_ptr<test::DemoWindow> demo_;
};

void HelpTest::initTestCase() {
    demo_ = std::make_unique<test::DemoWindow>();
    QVERIFY(demo_->open());
}

void HelpTest::everyPanelHasAPage() {
    QVERIFY(demo_->reset());
    for (auto* dock : demo_->window.findChildren<QDockWidget*>()) {
        QVERIFY2(QFile::exists(QStringLiteral(":/help/panels/%1.md").arg(dock->objectName())),
                 qPrintable(dock->objectName()));
        demo_->window.commands()->showHelp(dock->objectName());
        auto* shown = demo_->window.findChild<HelpBrowser*>()->findChild<QListWidget*>()->currentItem();
        QVERIFY2(shown != nullptr && shown->text() == dock->windowTitle(), qPrintable(dock->objectName()));
        demo_->window.findChild<HelpBrowser*>()->close();
        const QKeySequence keys = dock->toggleViewAction()->shortcut();
        demo_->window.activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), &demo_->window);
        QTest::keyClick(&demo_->window, keys[0].key(), keys[0].keyboardModifiers());
        test::settle();
        if (!dock->isAncestorOf(QApplication::focusWidget()))
            continue; // it has nothing that takes the keyboard
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        auto* help = demo_->window.findChild<HelpBrowser*>();
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->pageTitle(), dock->windowTitle());
        QCOMPARE(help->findChild<QListWidget*>()->currentItem()->text(), dock->windowTitle());
    }
    QVERIFY(demo_->window.findChild<HelpBrowser*>());
    QCOMPARE(demo_->window.findChildren<HelpBrowser*>().size(), 1);
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
    HelpBrowser help(demo_->window.commands()->helpedPanels(), nullptr);
    auto* pages = help.findChild<QListWidget*>();
    for (int row = 0; row < pages->count(); ++row) {
        pages->setCurrentRow(row);
        QVERIFY2(!help.pageTitle().isEmpty(), qPrintable(pages->item(row)->text()));
        QCOMPARE(pages->currentRow(), row);
    }
}

void HelpTest::backGoesToThePageBefore() {
    HelpBrowser help(demo_->window.commands()->helpedPanels(), nullptr);
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
    HelpBrowser help(demo_->window.commands()->helpedPanels(), nullptr);
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
    QVERIFY(all > demo_->window.commands()->helpedPanels().size());
    QTest::keyClicks(search, QStringLiteral("SELF-contained"));
    QVERIFY(!listed().isEmpty() && listed().size() < all);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(help.pageTitle().isEmpty(), false);
    QCOMPARE(pages->currentItem()->text(), listed().front());
    QVERIFY(help.isVisible());
    search->clear();
    QCOMPARE(listed().size(), all);
}

ASSAY_TEST(help_test, HelpTest)
#include "help_test.moc"
