#include "gui/main_window.h"
#include "gui/open_dialog.h"
#include "gui/panel_docks.h"
#include "gui/theme.h"
#include "tests/gui/support/fake_engine.h"
#include "widgets/linked_view.h"
#include "widgets/sample_selection.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

/// Stands in for a panel: counts what it is told, a click selects row 4, a slider sets a fidelity rule.
class ProbeView : public LinkedView {
public:
    ProbeView(const PanelContext& context)
        : LinkedView(context.selection, nullptr), slider(new QSlider(Qt::Horizontal)) {
        slider->setRange(0, 10);
        (new QVBoxLayout(this))->addWidget(slider);
        connect(slider, &QSlider::valueChanged, context.session, [session = context.session](int value) {
            session->setRules({{"fidelity", Bound::AtLeast, value / 10.0}});
        });
        connect(context.session, &AuditSession::rulesChanged, this, [this](const FilterRules& rules) {
            const QSignalBlocker quiet(slider);
            slider->setValue(rules.empty() ? 0 : qRound(rules[0].value * 10));
        });
    }

    QSlider* slider;
    int told = 0;

protected:
    void stateChanged(const ViewState&) override { ++told; }
    void mouseReleaseEvent(QMouseEvent*) override {
        if (state().hasModel())
            selection()->select({state().currentSet(), 4});
    }
};

std::vector<Panel> probePanels() {
    const auto make = [](const PanelContext& context) { return new ProbeView(context); };
    return {{QStringLiteral("models"),
             QStringLiteral("Models"),
             QStringLiteral("models"),
             {PanelColumn::Who, 0, 0, 260, 400},
             make},
            {QStringLiteral("rules"),
             QStringLiteral("Rules"),
             QStringLiteral("rules"),
             {PanelColumn::Who, 1, 0, 260, 400},
             make},
            {QStringLiteral("overview"),
             QStringLiteral("Overview"),
             QStringLiteral("scatter"),
             {PanelColumn::What, 0, 0, 400, 360},
             make},
            {QStringLiteral("fidelity"),
             QStringLiteral("Fidelity"),
             QStringLiteral("histogram"),
             {PanelColumn::What, 0, 1, 400, 360},
             make},
            {QStringLiteral("ranking"),
             QStringLiteral("Ranking"),
             QStringLiteral("gallery"),
             {PanelColumn::What, 1, 0, 800, 440},
             make},
            {QStringLiteral("space"),
             QStringLiteral("Space"),
             QStringLiteral("space3d"),
             {PanelColumn::What, 1, 0, 800, 440},
             make},
            {QStringLiteral("inspector"),
             QStringLiteral("Inspector"),
             QStringLiteral("inspector"),
             {PanelColumn::Why, 0, 0, 340, 800},
             make}};
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void startPageTeachesAndTheDemoButtonOpensTheDemo();
    void panelsStandAsTheCatalogueSays();
    void everyPanelIsToldTheState();
    void modelComboFollowsAndChooses();
    void keysUndoAndRedoRulesAndSelection();
    void escapeClearsTheSelection();
    void selectMenuWorks();
    void actionsAreOfferedOnlyWhenTheyCanWork();
    void droppedFilesFillTheDialog();
    void droppedFilesAddModelsToAnOpenAudit();
    void openDialogRefusesWhatMakesNoSense();
    void openDialogOpensWhatWasChosen();
    void failureShowsADialogAndKeepsTheOldState();
    void progressShowsAndCancelWorks_data();
    void progressShowsAndCancelWorks();
    void layoutIsRememberedAndReset();
    void panelsMissingFromAnOldLayoutAppear();
    void panelsNewToAnOldLayoutBecomeTabsBehind_data();
    void panelsNewToAnOldLayoutBecomeTabsBehind();
    void togglesBringTabsToTheFront();
    void recentAuditsAreRememberedAndMissingFilesExplained();
    void exportAsksForAFileAndWritesIt();
    void themeChoiceChangesThePaletteAndIsRemembered();
    void definitionsCanBeSearched();
    void shortcutsListEveryAction();
    void statusLineTellsSizesAndCounts();
    void commandBoxFindsWhatTheProgramCanDo();

private:
    void makeWindow();
    void openDemo();
    void openFiles();
    QAction* action(const char* name) const {
        auto* found = window_->findChild<QAction*>(QString::fromUtf8(name));
        if (!found)
            qFatal("no action %s", name);
        return found;
    }
    template <class T>
    T* child(const char* name) const {
        return window_->findChild<T*>(QString::fromUtf8(name));
    }
    ProbeView* probe(const char* dock) const { return dynamic_cast<ProbeView*>(child<QDockWidget>(dock)->widget()); }
    QString touch(const char* name) const;
    void drop(const QStringList& files);
    SampleId sample(std::uint32_t row) const { return {syntheticSet(0), row}; }

    QTemporaryDir home_;
    QTemporaryDir data_;
    std::unique_ptr<FakeEngine> engine_;
    std::unique_ptr<Theme> theme_;
    std::unique_ptr<SampleSelection> selection_;
    std::unique_ptr<AuditSession> session_;
    std::unique_ptr<MainWindow> window_;
    QStringList answers_; ///< what the file dialogs are answered
};

void MainWindowTest::initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home_.path());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

void MainWindowTest::init() {
    QSettings(QStringLiteral("Assay"), QStringLiteral("Assay")).clear();
    engine_ = std::make_unique<FakeEngine>();
    theme_ = std::make_unique<Theme>();
    selection_ = std::make_unique<SampleSelection>();
    session_ = std::make_unique<AuditSession>(selection_.get(), engine_->calls());
    answers_.clear();
    makeWindow();
}

void MainWindowTest::cleanup() {
    window_.reset();
    session_.reset();
    selection_.reset();
    theme_.reset();
    engine_.reset();
}

void MainWindowTest::makeWindow() {
    window_.reset();
    FilePrompts prompts;
    prompts.openOne = [this](QWidget*, const QString&) { return answers_.value(0); };
    prompts.openMany = [this](QWidget*, const QString&) { return answers_; };
    prompts.save = [this](QWidget*, const QString&, const QString& name, const QString&) {
        return answers_.isEmpty() ? QString() : answers_[0] + QLatin1Char('/') + name;
    };
    window_ = std::make_unique<MainWindow>(session_.get(), theme_.get(), probePanels(), prompts);
    window_->resize(1400, 860);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void MainWindowTest::openDemo() {
    QTest::mouseClick(child<QPushButton>("startDemo"), Qt::LeftButton);
    QTRY_VERIFY(session_->isOpen() && !session_->isBusy());
}

void MainWindowTest::openFiles() {
    AuditFiles files;
    files.real = touch("real.npz");
    files.models = {{QStringLiteral("gan"), touch("gan.npz")}, {QStringLiteral("vae"), touch("vae.npz")}};
    session_->open(files);
    QTRY_VERIFY(session_->isOpen() && !session_->isBusy());
}

QString MainWindowTest::touch(const char* name) const {
    QFile file(data_.filePath(QString::fromUtf8(name)));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", name);
    return file.fileName();
}

void MainWindowTest::drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    const QPoint at(300, 300);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(window_.get(), &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &event);
}

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

void MainWindowTest::panelsStandAsTheCatalogueSays() {
    openDemo();
    const auto place = [this](const char* name) {
        const auto* dock = child<QDockWidget>(name);
        return QRect(dock->mapTo(window_.get(), QPoint()), dock->size());
    };
    QTest::qWait(100);
    QVERIFY(place("models").right() < place("overview").left());
    QVERIFY(place("models").bottom() < place("rules").top());
    QVERIFY(place("overview").right() < place("fidelity").left());
    QVERIFY(place("overview").bottom() < place("ranking").top());
    QVERIFY(place("fidelity").right() < place("inspector").left());
    QVERIFY(place("ranking").right() < place("inspector").left());
    // The middle column gets the most room, and no strip stays empty.
    QVERIFY(place("ranking").width() > place("models").width() + place("inspector").width());
    QVERIFY(place("inspector").height() > 600);
    QVERIFY(place("inspector").right() > window_->width() - 20);
    QVERIFY(qAbs(place("models").width() - 260) < 60);
    QVERIFY(window_->tabifiedDockWidgets(child<QDockWidget>("ranking")).contains(child<QDockWidget>("space")));
}

void MainWindowTest::everyPanelIsToldTheState() {
    openDemo();
    for (const Panel& panel : probePanels()) {
        const ProbeView* view = probe(panel.id.toUtf8().constData());
        QVERIFY(view);
        QVERIFY(view->told > 0);
        QCOMPARE(view->state().audit, session_->state().audit);
    }
    emit probe("models")->modelChosen(1);
    QCOMPARE(session_->state().model, std::size_t{1});
    QCOMPARE(probe("inspector")->state().model, std::size_t{1});
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
    auto* view = probe("rules");
    // Dragging the slider through several values is one step.
    QSlider* slider = view->slider;
    const int y = slider->height() / 2;
    QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(6, y));
    for (int x = 10; x < slider->width() - 6; x += 10)
        QTest::mouseMove(slider, QPoint(x, y));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() - 10, y));
    QCoreApplication::processEvents();
    QVERIFY(!session_->rules().empty());
    const double dragged = session_->rules()[0].value;
    QVERIFY(dragged > 0.5);
    QTest::mouseClick(probe("ranking"), Qt::LeftButton, {}, QPoint(5, 5));
    QVERIFY(selection_->contains(sample(4)));

    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(selection_->isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->rules().empty());
    QCOMPARE(slider->value(), 0);
    QVERIFY(!action("actionUndo")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(session_->rules()[0].value, dragged);
    QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(selection_->contains(sample(4)));
    QVERIFY(!action("actionRedo")->isEnabled());
}

void MainWindowTest::escapeClearsTheSelection() {
    openDemo();
    selection_->replace({sample(1), sample(2)});
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(selection_->isEmpty());
    QVERIFY(session_->isOpen());
}

void MainWindowTest::selectMenuWorks() {
    openDemo();
    QVERIFY(!action("actionSelectRejected")->isEnabled());
    session_->setRules({{"fidelity", Bound::AtLeast, 0.2}});
    action("actionSelectRejected")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(0), sample(1)}));
    action("actionInvertSelection")->trigger();
    QCOMPARE(selection_->samples().size(), std::size_t{8});
    action("actionSelectUnauthentic")->trigger();
    QCOMPARE(selection_->samples(), (std::vector<SampleId>{sample(1), sample(3)}));
    action("actionClearSelection")->trigger();
    QVERIFY(selection_->isEmpty());
}

void MainWindowTest::actionsAreOfferedOnlyWhenTheyCanWork() {
    const QStringList needAudit{QStringLiteral("actionAddModels"), QStringLiteral("actionExportKeptCsv"),
                                QStringLiteral("actionNextModel"), QStringLiteral("actionSelectUnauthentic"),
                                QStringLiteral("actionResetLayout")};
    for (const QString& name : needAudit)
        QVERIFY2(!action(name.toUtf8().constData())->isEnabled(), qPrintable(name));
    QVERIFY(!action("actionCancel")->isEnabled());
    openDemo();
    for (const QString& name : needAudit)
        QVERIFY2(action(name.toUtf8().constData())->isEnabled(), qPrintable(name));
}

void MainWindowTest::droppedFilesFillTheDialog() {
    const QString gan = touch("gan.npz");
    const QString train = touch("mnist_train.npz");
    const QString vae = touch("vae.npz");
    drop({gan, train, vae});
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->files().real, train);
    QCOMPARE(dialog->files().models,
             (std::vector<ModelFile>{{QStringLiteral("gan"), gan}, {QStringLiteral("vae"), vae}}));
    QVERIFY(dialog->problem().isEmpty());
    dialog->reject();
    QVERIFY(!session_->isOpen());
}

void MainWindowTest::droppedFilesAddModelsToAnOpenAudit() {
    openFiles();
    drop({touch("copycat.npz"), touch("gan.npz")});
    QTRY_COMPARE(session_->state().audit->models.size(), std::size_t{4});
    QCOMPARE(session_->state().audit->models[2]->name, std::string("copycat"));
    QCOMPARE(session_->state().audit->models[3]->name, std::string("gan (2)"));
    QTRY_COMPARE(child<QComboBox>("modelCombo")->count(), 4);
    drop({data_.filePath(QStringLiteral("not-there.npz"))}); // ignored
    QVERIFY(!session_->isBusy());
}

void MainWindowTest::openDialogRefusesWhatMakesNoSense() {
    action("actionOpen")->trigger();
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog);
    auto* problem = dialog->findChild<QLabel*>(QStringLiteral("problem"));
    QVERIFY(!problem->isVisible()); // nobody is scolded before the first attempt
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QVERIFY(problem->isVisible());
    QVERIFY(problem->text().contains(QStringLiteral("real set")));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("realFile")), QStringLiteral("/no/such/file.npz"));
    QVERIFY(problem->text().contains(QStringLiteral("/no/such/file.npz")));
    dialog->findChild<QLineEdit*>(QStringLiteral("realFile"))->setText(touch("real.npz"));
    QVERIFY(problem->text().contains(QStringLiteral("synthetic")));
    answers_ = {touch("gan.npz"), touch("gan.npz")};
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("addFiles")), Qt::LeftButton);
    QCOMPARE(dialog->files().models[1].name, QStringLiteral("gan (2)"));
    QVERIFY(dialog->problem().isEmpty());
    auto* models = dialog->findChild<QTableWidget*>(QStringLiteral("modelFiles"));
    models->item(1, 0)->setText(QStringLiteral("gan"));
    QVERIFY(dialog->problem().contains(QStringLiteral("gan")));
    models->selectRow(1);
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("removeFiles")), Qt::LeftButton);
    QCOMPARE(dialog->files().models.size(), std::size_t{1});
    QVERIFY(dialog->problem().isEmpty());
    dialog->reject();
}

void MainWindowTest::openDialogOpensWhatWasChosen() {
    QTest::mouseClick(child<QPushButton>("startOpen"), Qt::LeftButton);
    auto* dialog = child<OpenDialog>("openDialog");
    QVERIFY(dialog);
    answers_ = {touch("real.npz")};
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("chooseReal")), Qt::LeftButton);
    answers_ = {touch("vae.npz")};
    QTest::mouseClick(dialog->findChild<QToolButton*>(QStringLiteral("addFiles")), Qt::LeftButton);
    dialog->findChild<QSpinBox*>(QStringLiteral("k"))->setValue(4);
    dialog->findChild<QLineEdit*>(QStringLiteral("heldOutFile"))->setText(QStringLiteral("/no/such/held.npz"));
    QVERIFY(dialog->problem().contains(QStringLiteral("/no/such/held.npz")));
    answers_ = {touch("held.npz")};
    auto* memory = dialog->findChild<QLineEdit*>(QStringLiteral("memoryLimit"));
    dialog->findChild<QCheckBox*>(QStringLiteral("oneClass"))->setChecked(true);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("chooseHeldOut")), Qt::LeftButton);
    memory->setText(QStringLiteral("4 elephants"));
    QVERIFY(dialog->problem().contains(QStringLiteral("4 elephants")));
    memory->setText(QStringLiteral("1.5GiB"));
    dialog->accept();
    QTRY_VERIFY(session_->isOpen() && !session_->isBusy());
    QCOMPARE(session_->state().current().name, std::string("vae"));
    QCOMPARE(engine_->options.k, std::size_t{4});
    QCOMPARE(engine_->heldOut, std::string("held"));
    QCOMPARE(engine_->options.memoryLimit, (std::size_t{3} << 30) / 2);
    QVERIFY(engine_->options.oneClass);
    const QList<AuditFiles> recent = Settings().recentAudits();
    QVERIFY(!recent.isEmpty() && recent.first().heldOut.endsWith(QStringLiteral("held.npz")));
}

void MainWindowTest::failureShowsADialogAndKeepsTheOldState() {
    openFiles();
    const auto audit = session_->state().audit;
    AuditFiles broken = *session_->files();
    broken.models[0].file = touch("broken.npz");
    engine_->failReading = broken.models[0].file.toStdString();
    session_->open(broken);
    QTRY_VERIFY(child<QMessageBox>("error"));
    auto* box = child<QMessageBox>("error");
    QVERIFY(box->isVisible());
    QVERIFY(box->informativeText().contains(QStringLiteral("broken.npz")));
    QVERIFY(box->informativeText().contains(QStringLiteral("expected")));
    QCOMPARE(session_->state().audit, audit);
    QVERIFY(!window_->centralWidget()->isVisible());
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!child<QMessageBox>("error"));
    QCOMPARE(Settings().recentAudits().size(), 1); // what failed is not worth remembering
}

void MainWindowTest::progressShowsAndCancelWorks_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("button") << false;
    QTest::newRow("Ctrl+.") << true;
}

void MainWindowTest::progressShowsAndCancelWorks() {
    QFETCH(bool, byKey);
    auto* cancel = child<QToolButton>("jobCancel");
    QVERIFY(!cancel->isVisible());
    engine_->hold = true;
    QTest::mouseClick(child<QPushButton>("startDemo"), Qt::LeftButton);
    QTRY_VERIFY(cancel->isVisible());
    QTRY_VERIFY(child<QLabel>("jobStage")->text().contains(QStringLiteral("copies")));
    QTRY_VERIFY(session_->isOpen()); // the first model is on show already
    QElapsedTimer clock;
    clock.start();
    if (byKey)
        QTest::keyClick(window_.get(), Qt::Key_Period, Qt::ControlModifier);
    else
        QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY(!session_->isBusy());
    QVERIFY2(clock.elapsed() < 100, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(!cancel->isVisible());
    QVERIFY(!session_->isOpen());
    QVERIFY(window_->centralWidget()->isVisible()); // back to the start page
    QVERIFY(!child<QMessageBox>("error"));
    engine_->hold = false;
    openDemo();
    QCOMPARE(session_->state().audit->models.size(), std::size_t{2});
}

void MainWindowTest::layoutIsRememberedAndReset() {
    openDemo();
    child<QDockWidget>("rules")->close();
    QVERIFY(!child<QDockWidget>("rules")->isVisible());
    window_->resize(1234, 777);
    window_->close();
    makeWindow();
    QVERIFY(session_->isOpen());
    QVERIFY(!child<QDockWidget>("rules")->isVisible());
    QVERIFY(child<QDockWidget>("models")->isVisible());
    action("actionResetLayout")->trigger();
    QVERIFY(child<QDockWidget>("rules")->isVisible());
    // Each panel's entry in the View menu shows and hides it.
    QTest::keyClick(window_.get(), Qt::Key_2, Qt::AltModifier);
    QVERIFY(!child<QDockWidget>("rules")->isVisible());
}

void MainWindowTest::panelsMissingFromAnOldLayoutAppear() {
    window_.reset();
    std::vector<Panel> old = probePanels();
    old.pop_back();
    {
        MainWindow before(session_.get(), theme_.get(), old);
        before.show();
        session_->openDemo();
        QTRY_VERIFY(!session_->isBusy());
        before.close();
    }
    makeWindow();
    QVERIFY(child<QDockWidget>("inspector")->isVisible());
}

void MainWindowTest::panelsNewToAnOldLayoutBecomeTabsBehind_data() {
    QTest::addColumn<QString>("front");
    QTest::newRow("first tab in front") << "ranking";
    QTest::newRow("second tab in front") << "space";
}

void MainWindowTest::panelsNewToAnOldLayoutBecomeTabsBehind() {
    QFETCH(QString, front);
    openDemo();
    window_->findChild<QDockWidget*>(front)->raise();
    child<QDockWidget>("models")->setMinimumWidth(0);
    window_->resizeDocks({child<QDockWidget>("models")}, {333}, Qt::Horizontal);
    QTest::qWait(50);
    const int width = child<QDockWidget>("models")->width();
    window_->close();
    window_.reset();
    std::vector<Panel> panels = probePanels();
    Panel added = panels[4];
    added.id = QStringLiteral("added");
    added.title = QStringLiteral("Added");
    panels.push_back(added);
    window_ = std::make_unique<MainWindow>(session_.get(), theme_.get(), panels);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QTest::qWait(100);
    auto* dock = child<QDockWidget>("added");
    QVERIFY(!dock->isHidden());
    QVERIFY(window_->tabifiedDockWidgets(child<QDockWidget>("ranking")).contains(dock));
    QVERIFY(dock->visibleRegion().isEmpty());
    QVERIFY(!window_->findChild<QDockWidget*>(front)->visibleRegion().isEmpty());
    QVERIFY(qAbs(child<QDockWidget>("models")->width() - width) < 10); // the rest is as it was
}

void MainWindowTest::togglesBringTabsToTheFront() {
    openDemo();
    QTest::qWait(100);
    auto* ranking = child<QDockWidget>("ranking");
    auto* space = child<QDockWidget>("space");
    QVERIFY(space->visibleRegion().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // behind: to the front
    QTRY_VERIFY(!space->visibleRegion().isEmpty());
    QVERIFY(space->toggleViewAction()->isChecked());
    QVERIFY(ranking->visibleRegion().isEmpty());
    QVERIFY(space->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // in front: away
    QVERIFY(space->isHidden());
    QVERIFY(!space->toggleViewAction()->isChecked());
    QTRY_VERIFY(!ranking->visibleRegion().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_6, Qt::AltModifier); // back, in front
    QTRY_VERIFY(!space->visibleRegion().isEmpty());
    QVERIFY(space->toggleViewAction()->isChecked());
}

void MainWindowTest::recentAuditsAreRememberedAndMissingFilesExplained() {
    openFiles();
    auto* menu = child<QMenu>("menuRecent");
    QVERIFY(menu->isEnabled());
    QVERIFY2(menu->actions()[0]->text().contains(QStringLiteral("gan, vae")), qPrintable(menu->actions()[0]->text()));
    openFiles();
    QCOMPARE(Settings().recentAudits().size(), 1); // once each
    menu->actions()[0]->trigger();
    QTRY_VERIFY(!session_->isBusy());
    QVERIFY(!child<QMessageBox>("missingFile"));

    QFile::remove(data_.filePath(QStringLiteral("vae.npz")));
    menu->actions()[0]->trigger();
    auto* box = child<QMessageBox>("missingFile");
    QVERIFY(box && box->text().contains(QStringLiteral("vae.npz")));
    for (QAbstractButton* button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole)
            QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(Settings().recentAudits().isEmpty());
    QVERIFY(!menu->isEnabled());
}

void MainWindowTest::exportAsksForAFileAndWritesIt() {
    openDemo();
    session_->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    action("actionExportKeptIds")->trigger(); // cancelled by the empty answer
    QVERIFY(!session_->isBusy());
    answers_ = {data_.path()};
    action("actionExportKeptIds")->trigger();
    QTRY_VERIFY(!session_->isBusy());
    QFile ids(data_.filePath(QStringLiteral("faithful.kept.txt")));
    QVERIFY(ids.open(QIODevice::ReadOnly));
    QCOMPARE(ids.readAll().count('\n'), 5);
    QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!session_->isBusy());
    QVERIFY(QFile::exists(data_.filePath(QStringLiteral("faithful.rejected.csv"))));
    QTest::keyClick(window_.get(), Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(!session_->isBusy());
    QFile report(data_.filePath(QStringLiteral("demo.audit.json")));
    QVERIFY(report.open(QIODevice::ReadOnly));
    const QJsonObject kept = QJsonDocument::fromJson(report.readAll()).object()[QStringLiteral("kept")].toObject();
    QCOMPARE(kept[QStringLiteral("kept")].toInt(), 5);
    QCOMPARE(kept[QStringLiteral("rules")].toArray().size(), 1);
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
    QTest::keyClick(window_.get(), Qt::Key_F1);
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

void MainWindowTest::shortcutsListEveryAction() {
    action("actionShortcuts")->trigger();
    const QString text = child<QDialog>("shortcuts")->findChild<QTextBrowser*>()->toPlainText();
    for (const char* expected : {"Ctrl+Z", "Ctrl+.", "Esc", "Edit: Undo", "Audit: Next model", "Select: Clear"})
        QVERIFY2(text.contains(QString::fromUtf8(expected)), expected);
    action("actionAbout")->trigger();
    QVERIFY(child<QMessageBox>("about")->informativeText().contains(QStringLiteral("VTK 9.")));
}

void MainWindowTest::statusLineTellsSizesAndCounts() {
    auto* status = child<QLabel>("status");
    QVERIFY(status->text().isEmpty());
    openDemo();
    QVERIFY2(status->text().startsWith(QStringLiteral("20 real, 10 synthetic, 2 dimensions, k = 5")),
             qPrintable(status->text()));
    QVERIFY(status->text().contains(QStringLiteral("scored in 0.75 s, exact, CPU (gemm)")));
    QVERIFY(!status->text().contains(QStringLiteral("kept")));
    session_->setRules({{"fidelity", Bound::AtLeast, 0.5}});
    selection_->replace({sample(1), sample(2), sample(3)});
    QVERIFY(status->text().contains(QStringLiteral("kept 5, rejected 5")));
    QVERIFY(status->text().contains(QStringLiteral("selected 3")));
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

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
