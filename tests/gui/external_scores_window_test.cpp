// Figures of models from elsewhere: asked for, shown, undone and kept in the audit's file.
#include "engine/external/external_scores.h"
#include "engine/store/decisions.h"
#include "gui/commands/commands.h"
#include "gui/session/editor.h"
#include "gui/session/session_edit.h"
#include "gui/window/panel_catalog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/wait_idle.h"
#include "tests/support/test_entry.h"
#include "widgets/agreement/agreement_panel.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QtTest>

#include <memory>

using namespace assay;

class ExternalScoresWindowTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { demo_.reset(); }
    void addsShowsAndUndoes();
    void refusesWhatFitsNoModel();
    void areKeptInTheAuditFile();

private:
    const ViewState& state() const { return demo_->session.state(); }
    QString write(const char* name, const QString& text) const {
        const QString file = demo_->file(QString::fromLatin1(name));
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly) || out.write(text.toUtf8()) < 0)
            return {};
        return file;
    }
    /// A figure per model of the audit: its number.
    QString table() const {
        QString text = QStringLiteral("model,steps\n");
        for (std::size_t model = 0; model < state().audit->models.size(); ++model)
            text +=
                QStringLiteral("%1,%2\n").arg(QString::fromStdString(state().audit->models[model]->name)).arg(model);
        return text;
    }
};

void ExternalScoresWindowTest::initTestCase() {
    QVERIFY(openDemo());
}

void ExternalScoresWindowTest::addsShowsAndUndoes() {
    QVERIFY(demo_->reset());
    FilePrompts prompts = filePrompts();
    QString chosen = write("scores.csv", table());
    prompts.openFile = [&](QWidget*, const QString&, const QString&) { return chosen; };
    MainWindow window(&demo_->session, &demo_->theme, panelCatalog(), prompts);
    window.resize(1440, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    Commands& commands = *window.commands();
    QAction* remove = window.findChild<QAction*>("actionRemoveExternal");
    QVERIFY(!state().external && !remove->isEnabled());
    commands.chooseExternalScores();
    QVERIFY(state().external);
    QCOMPARE(state().external->columns, std::vector<std::string>{"steps"});
    QVERIFY(remove->isEnabled());
    auto* panel = window.findChild<AgreementPanel*>();
    QTRY_VERIFY2(!panel->visibleRegion().isEmpty(), "what was added comes to the front");
    QCOMPARE(state().audit->models.size(), 2U); // the small demo's, too few for a coefficient
    QVERIFY(panel->findChild<QLabel*>("panelMessage")->text().contains("fewer than 3 models"));
    const auto before = state().external;
    chosen = {}; // the person cancels
    commands.chooseExternalScores();
    QCOMPARE(state().external, before);
    window.findChild<QAction*>("actionUndo")->trigger();
    QVERIFY(!state().external);
    window.findChild<QAction*>("actionRedo")->trigger();
    QVERIFY(state().external);
    remove->trigger();
    QVERIFY(!state().external);
}

void ExternalScoresWindowTest::refusesWhatFitsNoModel() {
    QVERIFY(demo_->reset());
    FilePrompts prompts = filePrompts();
    QString chosen = write("other.csv", QStringLiteral("model,FID\nsomething,3\nelse,4\n"));
    prompts.openFile = [&](QWidget*, const QString&, const QString&) { return chosen; };
    Commands commands(&demo_->window, &demo_->session, prompts);
    for (const QString& file : {chosen, demo_->file(QStringLiteral("nowhere.csv"))}) {
        chosen = file;
        commands.chooseExternalScores();
        auto* error = demo_->window.findChild<QMessageBox*>("error");
        QVERIFY(error != nullptr);
        QVERIFY(error->text().startsWith("Adding"));
        QVERIFY(error->informativeText().contains(file.endsWith("other.csv") ? "none of the models" : "nowhere.csv"));
        delete error;
        QVERIFY(!state().external);
    }
}

void ExternalScoresWindowTest::areKeptInTheAuditFile() {
    QVERIFY(demo_->reset());
    const ExternalScores scores = readExternalScores(write("scores.csv", table()).toStdString());
    demo_->session.editor()->setExternal(scores);
    const QString file = demo_->file(QStringLiteral("external.assay"));
    demo_->session.saveAudit(file);
    QVERIFY(test::waitIdle(demo_->session));
    QTRY_VERIFY(QFile::exists(file));
    QVERIFY(readDecisions(file.toStdString(), *state().audit).external == scores);
    // What a window that opens the file takes over.
    QVERIFY(*editsOf(readDecisions(file.toStdString(), *state().audit)).external == scores);
}

ASSAY_TEST(external_scores_window_test, ExternalScoresWindowTest)
#include "external_scores_window_test.moc"
