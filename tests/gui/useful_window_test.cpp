// Useful and Private in the whole program: asked for where they are seen, live while rules change, and right about sets
// whose truth is known.
#include "engine/io/numpy/npy_writer.h"
#include "tests/engine/support/shared_data.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"
#include "tests/widgets/support/useful_audit.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/curves/curve_view.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/private/private_panel.h"
#include "widgets/useful/useful_panel.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

class UsefulWindowTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void nobodyWorksForCoveredPanels();
    void whatIsKeptFollowsTheRules();
    void aCellSelectsSamplesEverywhere();
    void theCurveIsComputedAndShown();
    void withoutLabelsOrHeldOutSetTheTabsAreGrey();
    void digitsThatWereCopiedLeak();
    void noiseAmongDigitsIsBetterDiscarded();

private:
    QString write(const char* name, const EmbeddingSet& set, bool labels = true) const;
    AuditFiles smallFiles(bool labels = true, bool heldOut = true) const;
    bool open(const AuditFiles& files);
    bool openDigits(const std::vector<const char*>& models);
    void show(const char* panel) const { window_->findChild<QDockWidget*>(QLatin1String(panel))->raise(); }
    void choose(const char* model) const;
    const std::vector<IntervalRow>& rows(const char* chart) const { return child<IntervalChart>(chart)->rows(); }
    const ModelAudit& current() const { return state().current(); }
};

void UsefulWindowTest::init() {
    QVERIFY(makeWindow(engineCalls()));
}

void UsefulWindowTest::cleanup() {
    closeWindow();
}

QString UsefulWindowTest::write(const char* name, const EmbeddingSet& set, bool labels) const {
    const QString file = demo_->file(QStringLiteral("%1.npz").arg(QLatin1String(name)));
    std::vector<std::int64_t> codes(set.labels().code.begin(), set.labels().code.end());
    const MatrixView matrix = set.matrix();
    const std::span<const float> values(matrix.data, matrix.rows * matrix.dim);
    std::vector<NpzItem> items{{"embeddings", npyView<float>(values, {matrix.rows, matrix.dim})}};
    if (labels)
        items.push_back({"labels", npyView<std::int64_t>(codes, {matrix.rows})});
    writeNpz(file.toStdString(), items, NpzPacking::Stored);
    return file;
}

AuditFiles UsefulWindowTest::smallFiles(bool labels, bool heldOut) const {
    const auto sets = test::usefulSets({});
    AuditFiles files;
    files.real = write("real", *sets[0], labels);
    files.models = {{QStringLiteral("honest"), write("honest", *sets[1], labels)},
                    {QStringLiteral("copies"), write("copies", *sets[2], labels)}};
    if (heldOut)
        files.heldOut = write("heldout", *sets[3], labels);
    return files;
}

bool UsefulWindowTest::open(const AuditFiles& files) {
    session_->open(files);
    return QTest::qWaitFor(
               [&] {
                   return session_->isOpen() &&
                          state().audit->models.size() == static_cast<std::size_t>(files.models.size());
               },
               120000) &&
           test::waitIdle(*session_);
}

bool UsefulWindowTest::openDigits(const std::vector<const char*>& models) {
    AuditFiles files;
    files.real = QString::fromStdString(*test::sharedFile("data/mnist/real.npz"));
    files.heldOut = QString::fromStdString(*test::sharedFile("data/mnist/heldout.npz"));
    for (const char* name : models)
        files.models.push_back({QLatin1String(name),
                                QString::fromStdString(*test::sharedFile("data/mnist/" + std::string(name) + ".npz"))});
    return open(files);
}

void UsefulWindowTest::choose(const char* name) const {
    const auto& models = state().audit->models;
    for (std::size_t m = 0; m < models.size(); ++m)
        if (models[m]->name == name)
            session_->editor()->setModel(m);
    QCOMPARE(current().name, std::string(name));
}

void UsefulWindowTest::nobodyWorksForCoveredPanels() {
    QVERIFY(open(smallFiles()));
    setRules({{"fidelity", Bound::AtLeast, 0.3}});
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(state().kept && !state().computed.usefulOfKept);
    show("useful"); // now somebody looks
    QTRY_VERIFY(state().computed.usefulOfKept);
}

void UsefulWindowTest::whatIsKeptFollowsTheRules() {
    QVERIFY(open(smallFiles()));
    choose("copies");
    show("useful");
    QTRY_COMPARE(rows("usefulChart").size(), std::size_t{2});
    const auto isThere = [&](const char* chart, std::size_t count) {
        return rows(chart).size() == count && std::isfinite(rows(chart).back().value);
    };
    setRules({{"authentic", Bound::AtLeast, 1.0}});
    QTRY_VERIFY(isThere("usefulChart", 4));
    const auto first = state().computed.usefulOfKept;
    QCOMPARE(first->kept, state().kept);
    setRules({{"fidelity", Bound::AtLeast, 0.5}}); // others are kept: anew, by itself
    QTRY_VERIFY(state().computed.usefulOfKept && state().computed.usefulOfKept != first);
    QTRY_VERIFY(isThere("usefulChart", 4));
    setRules({{"authentic", Bound::AtLeast, 1.0}});
    show("private");
    QTRY_VERIFY(isThere("privateAuc", 3));
    // Without the copies the set gives less away than as many of its samples at random.
    QVERIFY(rows("privateAuc")[1].value < rows("privateAuc")[2].value);
    QVERIFY(rows("privateFound")[1].value < rows("privateFound")[2].value);
    setRules({});
    QTRY_COMPARE(rows("privateAuc").size(), std::size_t{1});
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!state().computed.usefulOfKept);
}

void UsefulWindowTest::aCellSelectsSamplesEverywhere() {
    QVERIFY(open(smallFiles()));
    show("useful");
    auto* cells = child<QTableView>("usefulConfusion");
    QTRY_COMPARE(cells->model()->rowCount(), 3);
    const QModelIndex cell = cells->model()->index(1, 1);
    QTest::mouseClick(cells->viewport(), Qt::LeftButton, {}, cells->visualRect(cell).center());
    QCOMPARE(selection_->samples().size(), static_cast<std::size_t>(QLocale().toULongLong(cell.data().toString())));
    for (const SampleId sample : selection_->samples())
        QVERIFY(sample.set == SetId::Real && sample.row % 3 == 1);
}

void UsefulWindowTest::theCurveIsComputedAndShown() {
    QVERIFY(open(smallFiles()));
    show("useful");
    auto* button = child<QPushButton>("usefulCurve");
    QTRY_VERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    auto* curves = window_->findChild<CurveView*>();
    QTRY_VERIFY(!curves->visibleRegion().isEmpty());
    QVERIFY(test::waitIdle(*session_));
    QTRY_COMPARE(curves->saveState().value("curve").toString(), QString("useful_by_fidelity"));
    curves->restoreState({{"curve", "k_sensitivity"}});
    show("useful");
    QTRY_VERIFY(!button->visibleRegion().isEmpty());
    QTest::mouseClick(button, Qt::LeftButton); // it is there: no job
    QVERIFY(!session_->jobs()->isRunning());
    QCOMPARE(curves->saveState().value("curve").toString(), QString("useful_by_fidelity"));
}

void UsefulWindowTest::withoutLabelsOrHeldOutSetTheTabsAreGrey() {
    QVERIFY(open(smallFiles(false, false)));
    QStringList reasons;
    for (const QTabBar* bar : window_->findChildren<QTabBar*>())
        for (int tab = 0; tab < bar->count(); ++tab)
            if (bar->tabText(tab) == "Useful" || bar->tabText(tab) == "Private")
                reasons << bar->tabToolTip(tab);
    QCOMPARE(reasons.size(), 2);
    QVERIFY2(reasons[0].contains("no labels") && reasons[1].contains("held-out set"),
             qPrintable(reasons.join(QLatin1Char('\n'))));
    show("private");
    QTRY_VERIFY(window_->findChild<PrivatePanel*>()->findChild<QPushButton*>("panelMessageButton")->isVisible());
    QTest::mouseClick(window_->findChild<PrivatePanel*>()->findChild<QPushButton*>("panelMessageButton"),
                      Qt::LeftButton);
    QTRY_VERIFY(child<QDialog>("openDialog")); // the one action that brings it
}

void UsefulWindowTest::digitsThatWereCopiedLeak() {
    if (test::takesSmallSizes())
        QSKIP("ten thousand digits, at full size only");
    if (!test::sharedFile("data/mnist/real.npz"))
        QSKIP("the digits are not beside the source tree");
    QVERIFY(openDigits({"copycat", "gan"}));
    show("private");
    choose("copycat");
    const auto* panel = window_->findChild<PrivatePanel*>();
    QTRY_VERIFY(panel->exposed().size() == 10000);
    QVERIFY2(text("privateSentence").contains("AUC 0.754") && text("privateSentence").startsWith("Leaks: "),
             qPrintable(text("privateSentence")));
    QVERIFY2(text("privateSummary").startsWith("4,552 of 10,000"), qPrintable(text("privateSummary")));
    // Each stands beside its copy: the synthetic sample has no nearer real one either, and is called a copy at least as
    // often as the model's samples are.
    const std::vector<double>& verdicts = current().column("verdict");
    const auto isCopy = [&](std::size_t row) { return verdicts[row] == static_cast<double>(Verdict::Copy); };
    std::size_t copies = 0;
    for (std::size_t at = 0; at < 100; ++at) {
        const SampleId real = panel->exposed().sampleAt({at, PairSide::Left});
        const SampleId synthetic = panel->exposed().sampleAt({at, PairSide::Right});
        QVERIFY(isReal(real.set) && synthetic.set == state().currentSet());
        QCOMPARE(current().tables->synthetic.nearest.indexAt(synthetic.row, 0), real.row);
        copies += isCopy(synthetic.row) ? 1 : 0;
    }
    std::size_t all = 0;
    for (std::size_t row = 0; row < verdicts.size(); ++row)
        all += isCopy(row) ? 1 : 0;
    QVERIFY(copies * verdicts.size() >= all * 100);
    test::shoot(*window_, "private-copycat");
    choose("gan");
    QTRY_VERIFY(text("privateSentence").contains("AUC 0.49"));
    QVERIFY2(text("privateSentence").startsWith("No leak found"), qPrintable(text("privateSentence")));
    QVERIFY(rows("privateAuc")[0].low < 0.5 && rows("privateAuc")[0].high > 0.5);
    test::shoot(*window_, "private-gan");
    show("useful");
    QTRY_VERIFY(text("usefulSentence").contains("classifies 97.8 % of held-out samples correctly"));
    QTRY_COMPARE(child<QTableView>("usefulConfusion")->model()->rowCount(), 10);
    test::shoot(*window_, "useful-gan");
}

void UsefulWindowTest::noiseAmongDigitsIsBetterDiscarded() {
    if (test::takesSmallSizes())
        QSKIP("ten thousand digits, at full size only");
    if (!test::sharedFile("data/mnist/real.npz"))
        QSKIP("the digits are not beside the source tree");
    QVERIFY(openDigits({"mixed30"}));
    show("useful");
    QTRY_COMPARE(rows("usefulChart").size(), std::size_t{2});
    auto* rule = child<QCheckBox>("ruleCheck_p_any"); // what the verdicts keep
    QTest::mouseClick(rule, Qt::LeftButton, {}, QPoint(8, 8));
    QTRY_VERIFY_WITH_TIMEOUT(rows("usefulChart").size() == 4 && std::isfinite(rows("usefulChart")[3].value), 60000);
    QVERIFY(rows("usefulChart")[2].value > rows("usefulChart")[3].value);
    QVERIFY(text("usefulKept").contains("as many at random"));
}

ASSAY_TEST(useful_window_test, UsefulWindowTest)
#include "useful_window_test.moc"
