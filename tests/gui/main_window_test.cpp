#include "engine/metrics/catalog/catalog.h"
#include "tests/gui/support/probe_window.h"
#include "tests/support/test_entry.h"
#include "widgets/common/number_format.h"

#include <QtWidgets>

using namespace assay;
using namespace assay::test;

class MainWindowTest : public QObject, protected ProbeWindow {
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void startPageTeachesAndTheDemoButtonOpensTheDemo();
    void modelComboFollowsAndChooses();
    void keysUndoAndRedoRulesAndSelection();
    void selectMenuWorks();
    void actionsAreOfferedOnlyWhenTheyCanWork();
    void progressShowsAndCancelWorks_data() { test::addChoice("byKey", "button", "Ctrl+."); }
    void progressShowsAndCancelWorks();
    void themeChoiceChangesThePaletteAndIsRemembered();
    void definitionsCanBeSearched();
    void definitionOpensAtTheNameUnderTheMouse();
    void shortcutsListEveryAction();
    void statusLineTellsSizesAndCounts();
    void notesSayWhichCardWasLeftOut();
    void commandBoxFindsWhatTheProgramCanDo();
};

void MainWindowTest::startPageTeachesAndTheDemoButtonOpensTheDemo() {
    QVERIFY(window_->centralWidget()->isVisible());
    for (const auto* dock : window_->findChildren<QDockWidget*>())
        QVERIFY(!dock->isVisible());
    QVERIFY(child<QPushButton>("startOpen")->isVisible());
    openDemo();
    QVERIFY(!window_->centralWidget()->isVisible());
    for (const auto* dock : window_->findChildren<QDockWidget*>())
        if (dock->objectName() != QLatin1String("space")) // a tab behind the ranking
            QVERIFY2(dock->isVisible(), qPrintable(dock->objectName()));
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("demo")));
}

void MainWindowTest::modelComboFollowsAndChooses() {
    auto* combo = child<QComboBox>("modelCombo");
    QVERIFY(!combo->isEnabled());
    openDemo();
    QCOMPARE(combo->count(), 2);
    QCOMPARE(combo->currentText(), QStringLiteral("faithful"));
    QTest::keyClick(window_.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(combo->currentText(), QStringLiteral("copies"));
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Up);
    QCOMPARE(session_->state().model, std::size_t{0});
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(combo->currentText(), QStringLiteral("copies"));
}

void MainWindowTest::keysUndoAndRedoRulesAndSelection() {
    openDemo();
    auto* view = probe("keep");
    // Dragging the slider through several values is one step.
    QSlider* slider = view->slider;
    const int y = slider->height() / 2;
    QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(6, y));
    for (int x = 10; x < slider->width() - 6; x += 10)
        QTest::mouseMove(slider, QPoint(x, y));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() - 10, y));
    QCoreApplication::processEvents();
    QVERIFY(!session_->document()->rules().empty());
    const double dragged = session_->document()->rules().list[0].value;
    QVERIFY(dragged > 0.5);
    QTest::mouseClick(probe("ranking"), Qt::LeftButton, {}, QPoint(5, 5));
    QVERIFY(selection_->contains(sample(4)));
    selection_->toggle(sample(6));

    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(selection_->contains(sample(4)) && !selection_->contains(sample(6)));
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->document()->rules().empty());
    QCOMPARE(slider->value(), 0);
    QVERIFY(!action("actionUndo")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(session_->document()->rules().list[0].value, dragged);
    QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(selection_->contains(sample(4)) && selection_->contains(sample(6)));
    QVERIFY(!action("actionRedo")->isEnabled());
}

void MainWindowTest::selectMenuWorks() {
    openDemo();
    QVERIFY(!action("actionSelectRejected")->isEnabled());
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    action("actionSelectRejected")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0), sample(1)}));
    action("actionInvertSelection")->trigger();
    QCOMPARE(selection_->samples().size(), std::size_t{8});
    action("actionSelectAccused")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(1), sample(3)}));
    action("actionClearSelection")->trigger();
    QVERIFY(selection_->isEmpty());
}

void MainWindowTest::actionsAreOfferedOnlyWhenTheyCanWork() {
    const QStringList needAudit{QStringLiteral("actionAddModels"), QStringLiteral("actionExportKeptCsv"),
                                QStringLiteral("actionNextModel"), QStringLiteral("actionSelectAccused"),
                                QStringLiteral("actionResetLayout")};
    for (const QString& name : needAudit)
        QVERIFY2(!action(name.toUtf8().constData())->isEnabled(), qPrintable(name));
    QVERIFY(!action("actionCancel")->isEnabled());
    openDemo();
    for (const QString& name : needAudit)
        QVERIFY2(action(name.toUtf8().constData())->isEnabled(), qPrintable(name));
}

void MainWindowTest::progressShowsAndCancelWorks() {
    QFETCH(bool, byKey);
    auto* cancel = child<QToolButton>("jobCancel");
    QVERIFY(!cancel->isVisible());
    engine_->hold = true;
    const QString hint = child<QLabel>("startHint")->text();
    QTest::mouseClick(child<QPushButton>("startDemo"), Qt::LeftButton);
    QVERIFY(child<QLabel>("startHint")->text().startsWith(QStringLiteral("Opening the demo")));
    QTRY_VERIFY(cancel->isVisible());
    QTRY_VERIFY(child<QLabel>("jobStage")->text().contains(QStringLiteral("copies")));
    QTRY_VERIFY(session_->isOpen()); // the first model is on show already
    if (byKey)
        QTest::keyClick(window_.get(), Qt::Key_Period, Qt::ControlModifier);
    else
        QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(waitIdle(*session_));
    QCOMPARE(engine_->audited.load(), 1); // the engine, still held, has stopped before its last model
    QVERIFY(!cancel->isVisible());
    QVERIFY(!session_->isOpen());
    QVERIFY(window_->centralWidget()->isVisible()); // back to the start page
    QCOMPARE(child<QLabel>("startHint")->text(), hint);
    QVERIFY(!child<QMessageBox>("error"));
    engine_->hold = false;
    openDemo();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
}

void MainWindowTest::themeChoiceChangesThePaletteAndIsRemembered() {
    action("actionThemeDark")->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 80);
    QCOMPARE(Settings().theme(), ThemeChoice::Dark);
    action("actionThemeLight")->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 200);
    QVERIFY(!theme_->isDark());
}

void MainWindowTest::definitionsCanBeSearched() {
    QTest::keyClick(window_.get(), Qt::Key_F1, Qt::ShiftModifier);
    auto* search = child<QLineEdit>("definitionSearch");
    auto* text = child<QTextBrowser>("definitionText");
    QVERIFY(search && search->isVisible());
    QVERIFY(text->toPlainText().contains(QStringLiteral("clipped_density")));
    QVERIFY(text->toPlainText().contains(QStringLiteral("pce")));
    QTest::keyClicks(search, QStringLiteral("AUTHENTICITY"));
    QVERIFY(text->toPlainText().contains(QStringLiteral("authenticity")));
    QVERIFY(!text->toPlainText().contains(QStringLiteral("clipped_coverage")));
    QTest::keyClicks(search, QStringLiteral(" no such thing"));
    QVERIFY(!text->toPlainText().isEmpty());
}

void MainWindowTest::definitionOpensAtTheNameUnderTheMouse() {
    QToolTip::showText(window_->mapToGlobal(QPoint(50, 50)), metricToolTip(*findMetric("fld_gap")), window_.get());
    QTRY_VERIFY(QToolTip::isVisible());
    QTest::keyClick(window_.get(), Qt::Key_F1, Qt::ShiftModifier);
    QToolTip::hideText();
    const auto windows = window_->findChildren<QDialog*>(QStringLiteral("definitions"));
    auto* text = windows.back()->findChild<QTextBrowser*>();
    QTRY_VERIFY(text->verticalScrollBar()->value() > 0);
    QCOMPARE(text->cursorForPosition(QPoint(20, 6)).block().text(), QStringLiteral("FLD generalisation gap"));
    QVERIFY(text->toPlainText().contains(QStringLiteral("100 (NLL of the real set - NLL of the held-out set)")));
    QVERIFY(text->toHtml().contains(QStringLiteral("https://arxiv.org/abs/2302.04440")));
}

void MainWindowTest::shortcutsListEveryAction() {
    action("actionShortcuts")->trigger();
    const QString text = child<QDialog>("shortcuts")->findChild<QTextBrowser*>()->toPlainText();
    for (const char* expected : {"Ctrl+Z", "Ctrl+.", "Esc", "Edit: Undo", "Audit: Next model", "Select: Clear"})
        QVERIFY2(text.contains(QString::fromUtf8(expected)), expected);
    action("actionAbout")->trigger();
    QVERIFY(child<QMessageBox>("about")->informativeText().contains(QStringLiteral("VTK 9.")));
    QVERIFY(child<QMessageBox>("about")->informativeText().contains(QStringLiteral("GPL version 3")));
}

void MainWindowTest::statusLineTellsSizesAndCounts() {
    auto* status = child<QLabel>("status");
    QVERIFY(status->text().isEmpty());
    openDemo();
    QVERIFY2(status->text().startsWith(QStringLiteral("20 real, 10 synthetic, 2 dimensions, k = 5")),
             qPrintable(status->text()));
    QVERIFY(status->text().contains(QStringLiteral("scored in 0.75 s, exact, CPU (gemm)")));
    QVERIFY(!status->text().contains(QStringLiteral("kept")));
    session_->editor()->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    selection_->replace({sample(1), sample(2), sample(3)});
    QVERIFY(status->text().contains(QStringLiteral("kept 5, rejected 5")));
    QVERIFY(status->text().contains(QStringLiteral("selected 3")));
}

void MainWindowTest::notesSayWhichCardWasLeftOut() {
    const QString notice = QStringLiteral("NVIDIA H200 (140 GiB) is left out: cudaMalloc failed: out of memory");
    engine_->hardware = "CPU; " + notice.toStdString();
    openDemo();
    QVERIFY(child<QLabel>("status")->text().contains(QStringLiteral("exact, CPU (gemm)")));
    QVERIFY(child<QLabel>("status")->toolTip().contains(QStringLiteral("nearest neighbours span a ball")));
    auto* notes = child<QToolButton>("notes");
    QVERIFY(notes->isVisible());
    QCOMPARE(notes->text(), QStringLiteral("1 note")); // once for both models
    QTest::mouseClick(notes, Qt::LeftButton);
    QVERIFY2(child<QMessageBox>("notesBox")->text().contains(notice), qPrintable(notes->toolTip()));
}

void MainWindowTest::commandBoxFindsWhatTheProgramCanDo() {
    openDemo();
    auto* box = child<QLineEdit>("commandBox");
    const auto enter = [&](const QString& text) {
        QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(box->hasFocus());
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
        window_->activateWindow(); // the list was a window, too
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    };
    enter(QStringLiteral("model: copies"));
    QCOMPARE(session_->state().model, std::size_t{1});
    enter(QStringLiteral("undo"));
    QCOMPARE(session_->state().model, std::size_t{0});
}

ASSAY_TEST(main_window_test, MainWindowTest)
#include "main_window_test.moc"
