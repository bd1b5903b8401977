// What remains, while a person decides: scores with intervals beside a random control, coverage lost, proposals.
#include "engine/subsets/what_if/kept_frechet.h"
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <cmath>

using namespace assay;

class ConsequencesTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QVERIFY(demo_->reset()); }
    void intervalsFollowTheScores();
    void coverageThatIsLostCanBeKept();
    void proposesByFrechetDistance();
    void proposesWhatToRemove();
    void savesAndLoadsRules();
};

void ConsequencesTest::initTestCase() {
    QVERIFY(openDemo());
}

void ConsequencesTest::intervalsFollowTheScores() {
    setRules({{"fidelity", Bound::AtLeast, 0.6}});
    auto* kept = child<QLabel>("scoreOfKept_clipped_density");
    auto* random = child<QLabel>("scoreOfRandom_clipped_density");
    QTRY_VERIFY(kept->text().contains(QChar(0x00B1)));
    QVERIFY(random->text().contains(QChar(0x00B1)));
    const auto audits = session_->keptScorer()->found().audits;
    QVERIFY(audits && audits->kept);
    QCOMPARE(audits->kept->metric("clipped_density"), session_->keptScorer()->scores()->metric("clipped_density"));
    QCOMPARE(audits->random->metric("clipped_density"),
             session_->keptScorer()->found().random->metric("clipped_density"));
    QVERIFY(kept->toolTip().contains(QStringLiteral("95 % interval")));
    const auto frechet = session_->keptScorer()->found().frechet;
    QVERIFY(frechet && std::abs(frechet->kept - audits->kept->metric("frechet_distance")) <= 1e-9);
    QVERIFY(std::abs(frechet->random - audits->random->metric("frechet_distance")) <= 1e-9);
    QVERIFY(child<QLabel>("scoreOfKept_frechet_distance")->text() !=
            child<QLabel>("scoreOfAll_frechet_distance")->text());
    test::shoot(*window_, "consequences");
    setRules({});
    QVERIFY(test::waitIdle(*session_));
    QVERIFY(!kept->text().contains(QChar(0x00B1)));
}

void ConsequencesTest::coverageThatIsLostCanBeKept() {
    setRules({{"fidelity", Bound::AtLeast, 1.0}});
    auto* protect = child<QPushButton>("protectCoverers");
    QTRY_VERIFY(protect->isVisible());
    const auto lost = session_->keptScorer()->found().lost;
    QVERIFY(lost && !lost->real.empty());
    QVERIFY(child<QLabel>("coverageLost")->isVisible());
    child<QPushButton>("showLost")->click();
    QCOMPARE(selection_->samples(), SampleSet(SetId::Real, lost->real));
    const std::size_t before = session_->document()->keptCount();
    protect->click();
    QCOMPARE(session_->document()->keptCount(), before + lost->coverers.size());
    for (const std::uint32_t row : lost->coverers)
        QVERIFY(state().isKept(row));
    QTRY_VERIFY(session_->keptScorer()->found().lost && session_->keptScorer()->found().lost->real.empty());
    QVERIFY(!protect->isVisible());
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(session_->document()->keptCount(), before);
}

/// The dialog aims at the Frechet distance as well; what is rejected has the distance that was told.
void ConsequencesTest::proposesByFrechetDistance() {
    const double now = state().current().metric("frechet_distance");
    child<QPushButton>("rulesPropose")->click();
    QTRY_VERIFY(child<QDialog>("wantedScore") && child<QDialog>("wantedScore")->isVisible());
    auto* aim = child<QComboBox>("removalAim");
    QCOMPARE(aim->count(), 2);
    aim->setFocus();
    QTest::keyClick(aim, Qt::Key_Down);
    QCOMPARE(aim->currentText(), QStringLiteral("Fréchet distance"));
    test::shoot(*window_, "proposal_frechet_dialog");
    QVERIFY(child<QDoubleSpinBox>("wantedValue")->value() < now);
    child<QDoubleSpinBox>("wantedValue")->setValue(0.95 * now);
    const double wanted = child<QDoubleSpinBox>("wantedValue")->value();
    QTest::keyClick(child<QDoubleSpinBox>("wantedValue"), Qt::Key_Return);
    QTRY_VERIFY(child<QMessageBox>("proposal") && child<QMessageBox>("proposal")->isVisible());
    test::shoot(*window_, "proposal_frechet");
    const QString told = child<QMessageBox>("proposal")->text();
    QVERIFY2(told.startsWith(QStringLiteral("Samples to remove")) && told.contains(QStringLiteral("at random")),
             qPrintable(told));
    child<QPushButton>("rejectProposal")->click();
    const auto frechet = [&] { return session_->keptScorer()->found().frechet; };
    QTRY_VERIFY(frechet() && frechet()->kept <= wanted);
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{0});
}

void ConsequencesTest::proposesWhatToRemove() {
    const double now = state().current().metric("clipped_density");
    const double wanted = std::min(0.995, now + 0.5 * (1.0 - now));
    const auto propose = [&] {
        QTRY_VERIFY(!child<QMessageBox>("proposal"));
        child<QPushButton>("rulesPropose")->click();
        auto* dialog = child<QDialog>("wantedScore");
        QTRY_VERIFY(dialog && dialog->isVisible());
        child<QDoubleSpinBox>("wantedValue")->setValue(wanted);
        QTest::keyClick(child<QDoubleSpinBox>("wantedValue"), Qt::Key_Return);
        QTRY_VERIFY(child<QMessageBox>("proposal") && child<QMessageBox>("proposal")->isVisible());
    };
    propose();
    auto* box = child<QMessageBox>("proposal");
    test::shoot(*window_, "proposal");
    if (now >= wanted) {
        QVERIFY(box->text().startsWith(QStringLiteral("Nothing has to be removed")));
        box->reject();
        return;
    }
    QVERIFY2(selection_->isEmpty(), "a proposal changes nothing by itself");
    QVERIFY(box->text().contains(QStringLiteral(" of this model")));
    box->button(QMessageBox::Cancel)->click();
    QVERIFY(selection_->isEmpty());
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{0});
    propose();
    child<QPushButton>("rejectProposal")->click();
    const SampleSet rejected = selection_->samples();
    QVERIFY(!rejected.empty());
    QCOMPARE(session_->document()->rejectedCount(), rejected.size());
    QTRY_VERIFY(session_->keptScorer()->scores() != nullptr);
    QVERIFY(session_->keptScorer()->scores()->metric("clipped_density") >= wanted - 1e-9);
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(session_->document()->rejectedCount(), std::size_t{0});
    const SampleId kept = *rejected.begin();
    session_->editor()->judge({kept}, HandVerdict::Accepted);
    propose();
    child<QPushButton>("rejectProposal")->click();
    QCOMPARE(session_->document()->rejectedCount(), rejected.size() - 1);
    QVERIFY(state().isKept(kept.row)); // what was kept by hand stays
    child<QAction>("actionUndo")->trigger();
    child<QAction>("actionUndo")->trigger();
}

void ConsequencesTest::savesAndLoadsRules() {
    FilterRules rules{{"fidelity", Bound::AtLeast, 0.4}, {"pce", Bound::Highest, 0.1, 0.0, {}, Effect::Reject}};
    rules.match = RuleMatch::Any;
    setRules(rules);
    session_->saveRules(file("rules.json"));
    setRules({});
    session_->loadRules(file("rules.json"));
    QCOMPARE(session_->document()->rules(), rules);
    QVERIFY(child<QWidget>("ruleMatch")->isVisible());
    QSignalSpy failed(session_, &AuditSession::failed);
    session_->loadRules(file("nothing.json"));
    QCOMPARE(failed.size(), 1);
    QCOMPARE(session_->document()->rules(), rules);
    if (auto* error = child<QMessageBox>("error"))
        error->close();
}

ASSAY_TEST(consequences_test, ConsequencesTest)
#include "consequences_test.moc"
