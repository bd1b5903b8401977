// Figures of models and of samples from elsewhere in the window: asked for, ranked, coloured, filtered and ruled by,
// undone, kept in the audit's file.
#include "engine/external/external_scores.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/store/decisions.h"
#include "gui/commands/commands.h"
#include "gui/session/editor.h"
#include "gui/session/session_edit.h"
#include "gui/window/panel_catalog.h"
#include "gui/window/panel_docks.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "widgets/agreement/agreement_panel.h"
#include "widgets/charts/plot.h"
#include "widgets/distribution/distribution_panel.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/space/view/space_view.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace assay;

class ExternalScoresWindowTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { demo_.reset(); }
    void init() { QVERIFY(demo_->reset()); }
    void modelScoresAreAddedShownAndUndone();
    void refusesWhatFitsNoModel();
    void modelScoresAreKeptInTheAuditFile();

    void addsShowsAndUndoes();
    void ranksByIt();
    void filtersByIt();
    void coloursByIt();
    void rulesByIt();
    void removingTakesRulesAndFilterAlong();
    void refusesInWords();
    void isKeptInTheAuditFile();
    void isToldFromASetWhenDropped();

private:
    std::size_t models() const { return state().audit->models.size(); }
    MainWindow& window() const { return *window_; }
    QString write(const char* name, const QString& text) const {
        test::writeFile(file(name), text.toUtf8());
        return file(name);
    }
    QString write(const QString& text) const { return write("confidence.csv", text); }
    /// A figure per model of the audit: its number.
    QString modelTable() const {
        QString text = QStringLiteral("model,steps\n");
        for (std::size_t model = 0; model < models(); ++model)
            text +=
                QStringLiteral("%1,%2\n").arg(QString::fromStdString(state().audit->models[model]->name)).arg(model);
        return text;
    }
    /// Of the current model: row r has the confidence (r * 37 % 200) / 200, and every tenth row has none.
    QString table() const {
        QString text = QStringLiteral("row,confidence\n");
        for (int row = 0; row < 200; ++row)
            text += row % 10 == 9 ? QStringLiteral("%1,\n").arg(row)
                                  : QStringLiteral("%1,%2\n").arg(row).arg(row * 37 % 200 / 200.0);
        return text;
    }
    void add() {
        session_->addSampleScores(write(table()));
        QVERIFY(test::waitIdle(*session_));
        QVERIFY(state().current().hasColumn("external_confidence"));
    }
    double confidence(std::uint32_t row) const { return state().current().column("external_confidence")[row]; }
};

void ExternalScoresWindowTest::initTestCase() {
    QVERIFY(openDemo());
    QCOMPARE(state().current().set->rows(), 200U);
}

void ExternalScoresWindowTest::addsShowsAndUndoes() {
    FilePrompts prompts = filePrompts();
    QString chosen = write(table());
    prompts.openFile = [&](QWidget*, const QString&, const QString&) { return chosen; };
    Commands commands(&window(), session_, prompts);
    QAction* remove = window().findChild<QAction*>("actionRemoveSampleScores");
    QVERIFY(!remove->isEnabled());
    commands.chooseSampleScores();
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(state().audit->sampleScores && remove->isEnabled());
    QCOMPARE(confidence(1), 37.0 / 200.0);
    auto* panel = window().findChild<DistributionPanel*>();
    QCOMPARE(panel->column(), QString("external_confidence"));
    QTRY_VERIFY2(!panel->visibleRegion().isEmpty(), "what was added comes to the front");
    std::size_t counted = 0;
    for (std::size_t bin = 0; bin < panel->histogram()->bins().count(); ++bin)
        counted += panel->histogram()->countIn(bin);
    QCOMPARE(counted, 180U); // those that have a value
    QCOMPARE(panel->histogram()->plot().xAxis().title,
             QString("confidence; %1 without a value").arg(state().current().set->rows() - counted));
    window().findChild<QAction*>("actionUndo")->trigger();
    QVERIFY(!state().audit->sampleScores && !state().current().hasColumn("external_confidence"));
    QCOMPARE(panel->column(), QString("fidelity"));
    window().findChild<QAction*>("actionRedo")->trigger();
    QCOMPARE(confidence(1), 37.0 / 200.0);
    chosen = {}; // the person cancels
    commands.chooseSampleScores();
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(state().audit->sampleScores);
}

void ExternalScoresWindowTest::ranksByIt() {
    add();
    auto* view = window().findChild<RankingView*>();
    auto* order = view->findChild<QComboBox*>("rankingOrder");
    order->setFocus();
    const int lowest = order->findText("confidence, lowest first");
    QVERIFY(lowest >= 0 && order->findText("confidence, highest first") == lowest + 1);
    while (order->currentIndex() < lowest) // keys, as a person who has the box
        QTest::keyClick(order, Qt::Key_Down);
    RankingModel& model = *view->model();
    QTRY_VERIFY(!model.isListing() && model.sampleAt(0).row == 0);
    for (std::size_t at = 1; at < 180; ++at)
        QVERIFY(confidence(model.sampleAt(at).row) >= confidence(model.sampleAt(at - 1).row));
    for (std::size_t at = 180; at < 200; ++at) // what has no value comes last
        QVERIFY(std::isnan(confidence(model.sampleAt(at).row)));
    QTest::keyClick(order, Qt::Key_Down);
    QTRY_VERIFY(!model.isListing() && confidence(model.sampleAt(0).row) > 0.9);
    window().findChild<QAction*>("actionUndo")->trigger(); // the table goes, and what was ranked by it
    QTRY_COMPARE(model.order().column, std::string("p_any"));
    QVERIFY(order->findText("confidence, lowest first") < 0);
}

void ExternalScoresWindowTest::filtersByIt() {
    add();
    auto* panel = window().findChild<DistributionPanel*>();
    QTRY_VERIFY(!panel->visibleRegion().isEmpty());
    auto* histogram = panel->findChild<HistogramView*>();
    std::size_t bin = 0;
    while (histogram->countIn(bin) == 0)
        ++bin;
    QTest::mouseClick(&histogram->plot(), Qt::LeftButton, {}, histogram->plot().columnOf({0, bin}).center());
    QCOMPARE(selection_->samples().size(), histogram->countIn(bin));
    const auto range = histogram->chosenRange();
    QVERIFY(range);
    ViewFilter filter;
    filter.range = range;
    session_->editor()->setFilter(filter);
    QVERIFY(state().shown != nullptr);
    QCOMPARE(state().shown->countIn(state().currentSet()), histogram->countIn(bin));
    for (const SampleId sample : state().shown->in(state().currentSet()))
        QVERIFY(confidence(sample.row) >= range->low && confidence(sample.row) <= range->high);
    QVERIFY(filterText(state().filter).startsWith("confidence 0 to "));
}

void ExternalScoresWindowTest::coloursByIt() {
    add();
    window().findChild<PanelDocks*>()->showPanel(QStringLiteral("space"));
    auto* space = window().findChild<SpaceView*>();
    QTRY_VERIFY(space->isWatched());
    space->setColorColumn(QStringLiteral("external_confidence"));
    QCOMPARE(space->colorColumn(), QString("external_confidence"));
    window().findChild<QAction*>("actionUndo")->trigger();
    QVERIFY(space->colorColumn() != QString("external_confidence"));
}

void ExternalScoresWindowTest::rulesByIt() {
    add();
    auto* menu = window().findChild<QMenu*>("ruleAddMenu");
    emit menu->aboutToShow();
    const auto actions = menu->actions();
    const auto at =
        std::ranges::find_if(actions, [](const QAction* one) { return one->data() == "external_confidence"; });
    QVERIFY(at != actions.end());
    (*at)->trigger();
    auto* row = window().findChild<QWidget*>("rule_external_confidence");
    QVERIFY(row != nullptr && row->findChild<QCheckBox*>("ruleCheck_external_confidence")->isChecked());
    FilterRules rules;
    rules.list = {{"external_confidence", Bound::AtLeast, 0.5}};
    setRules(rules);
    QCOMPARE(state().kept->size(), 200U);
    for (std::uint32_t sample = 0; sample < 200; ++sample)
        QCOMPARE((*state().kept)[sample], confidence(sample) >= 0.5);
    // Another model has the column, and no values in it.
    session_->editor()->stepModel(1);
    QVERIFY(state().current().hasColumn("external_confidence"));
    QCOMPARE(std::count(state().kept->begin(), state().kept->end(), true), 0);
}

void ExternalScoresWindowTest::removingTakesRulesAndFilterAlong() {
    add();
    FilterRules rules;
    rules.list = {{"external_confidence", Bound::AtLeast, 0.5}, {"fidelity", Bound::AtLeast, 0.0}};
    setRules(rules);
    ViewFilter filter;
    filter.range = ViewFilter::Range{"external_confidence", 0.0, 0.25};
    session_->editor()->setFilter(filter);
    window().findChild<QAction*>("actionRemoveSampleScores")->trigger();
    QVERIFY(!state().audit->sampleScores && state().filter.empty());
    QCOMPARE(state().rules->list.size(), 1U);
    QVERIFY(window().findChild<QWidget*>("rule_external_confidence") == nullptr ||
            !window().findChild<QWidget*>("rule_external_confidence")->isVisible());
    window().findChild<QAction*>("actionUndo")->trigger();
    QCOMPARE(state().rules->list.size(), 2U);
    QVERIFY(state().filter.range && state().current().hasColumn("external_confidence"));
}

void ExternalScoresWindowTest::refusesInWords() {
    for (const auto& [text, words] : {std::pair("row,c\n0,1\n200,2\n", "from 0 to 199"),
                                      std::pair("row,c\n0,1\n1,x\n", "line 3, column 'c': expected a number")}) {
        session_->addSampleScores(write(QString::fromLatin1(text)));
        QVERIFY(test::waitIdle(*session_));
        auto* error = window().findChild<QMessageBox*>("error");
        QVERIFY(error != nullptr);
        QVERIFY2(error->text().startsWith("Adding confidence.csv"), qPrintable(error->text()));
        QVERIFY2(error->informativeText().contains(QLatin1String(words)), qPrintable(error->informativeText()));
        delete error;
        QVERIFY(!state().audit->sampleScores);
    }
}

void ExternalScoresWindowTest::isKeptInTheAuditFile() {
    const auto made = [&](const char* name, unsigned seed) {
        const test::Matrix matrix = test::gaussian(100, 4, seed);
        const QString file = demo_->file(QString::fromLatin1(name));
        writeNpy(file.toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return file;
    };
    AuditFiles files;
    files.real = made("real.npy", 1);
    files.models = {{"gan", made("gan.npy", 2)}};
    SampleSelection selection;
    auto session = std::make_unique<AuditSession>(&selection);
    session->open(files);
    QVERIFY(test::waitIdle(*session) && session->isOpen());
    session->addSampleScores(write("id,confidence\n0,0.25\n1,0.75\n7,0.5\n"));
    QVERIFY(test::waitIdle(*session));
    FilterRules rules;
    rules.list = {{"external_confidence", Bound::AtLeast, 0.5}};
    session->editor()->setRules(rules);
    QCOMPARE(session->document()->keptCount(), 2U);
    const QString file = this->file("scores.assay");
    session->saveAudit(file);
    QVERIFY(test::waitIdle(*session));
    session.reset(); // one session at a time keeps a file
    SampleSelection otherSelection;
    AuditSession other(&otherSelection);
    files = {};
    files.audit = file;
    other.open(files);
    QVERIFY(test::waitIdle(other) && other.isOpen());
    QCOMPARE(other.state().current().column("external_confidence")[1], 0.75);
    QVERIFY(other.state().rules && *other.state().rules == rules);
    QCOMPARE(other.document()->keptCount(), 2U);
    // Scores go as they came.
    other.editor()->removeSampleScores();
    QVERIFY(test::waitIdle(other));
    QCOMPARE(other.document()->keptCount(), 100U);
    QTRY_VERIFY(readDecisions(file.toStdString(), *other.state().audit).sampleScores.empty());
}

void ExternalScoresWindowTest::isToldFromASetWhenDropped() {
    test::drop(window(), {write(table())});
    QTRY_VERIFY(state().findColumn("external_confidence"));
    QVERIFY(!state().external || state().external->empty());
    demo_->reset();
    QVERIFY(!state().findColumn("external_confidence"));
    const std::string model = state().audit->models[0]->name;
    test::drop(window(), {write(QStringLiteral("model,fid\n%1,3.5\n").arg(QString::fromStdString(model)))});
    QTRY_VERIFY(state().external && !state().external->empty());
    QCOMPARE(state().external->columns, std::vector<std::string>{"fid"});
    QCOMPARE(state().audit->models.size(), models());
    demo_->reset();
    // As many columns as the real set has features: another model.
    const std::size_t dim = state().audit->real->set->dim();
    QString rows;
    for (std::size_t row = 0; row < 40; ++row)
        for (std::size_t column = 0; column < dim; ++column)
            rows += QString::number((row * 31 + column * 17) % 101) +
                    (column + 1 < dim ? QLatin1Char(',') : QLatin1Char('\n'));
    const std::size_t before = models();
    test::drop(window(), {write(rows)});
    QTRY_COMPARE_WITH_TIMEOUT(models(), before + 1, test::kHang);
    QVERIFY(test::waitIdle(*session_));
}

void ExternalScoresWindowTest::modelScoresAreAddedShownAndUndone() {
    FilePrompts prompts = filePrompts();
    QString chosen = write("scores.csv", modelTable());
    prompts.openFile = [&](QWidget*, const QString&, const QString&) { return chosen; };
    MainWindow window(session_, &demo_->theme, panelCatalog(), prompts);
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
    FilePrompts prompts = filePrompts();
    QString chosen = write("other.csv", QStringLiteral("model,FID\nsomething,3\nelse,4\n"));
    prompts.openFile = [&](QWidget*, const QString&, const QString&) { return chosen; };
    Commands commands(window_, session_, prompts);
    for (const QString& file : {chosen, demo_->file("nowhere.csv")}) {
        chosen = file;
        commands.chooseExternalScores();
        auto* error = child<QMessageBox>("error");
        QVERIFY(error != nullptr);
        QVERIFY(error->text().startsWith("Adding"));
        QVERIFY(error->informativeText().contains(file.endsWith("other.csv") ? "none of the models" : "nowhere.csv"));
        delete error;
        QVERIFY(!state().external);
    }
}

void ExternalScoresWindowTest::modelScoresAreKeptInTheAuditFile() {
    const ExternalScores scores = readExternalScores(write("scores.csv", modelTable()).toStdString());
    session_->editor()->setExternal(scores);
    const QString file = this->file("external.assay");
    session_->saveAudit(file);
    QVERIFY(test::waitIdle(*session_));
    QTRY_VERIFY(QFile::exists(file));
    QVERIFY(readDecisions(file.toStdString(), *state().audit).external == scores);
    // What a window that opens the file takes over.
    QVERIFY(*editsOf(readDecisions(file.toStdString(), *state().audit)).external == scores);
}

ASSAY_TEST(external_scores_window_test, ExternalScoresWindowTest)
#include "external_scores_window_test.moc"
