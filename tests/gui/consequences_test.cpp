// What remains, while a person decides: scores with intervals beside a random control, coverage lost, proposals.
#include "tests/gui/support/demo_window.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

using namespace assay;

class ConsequencesTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QVERIFY(demo_->reset()); }
    void intervalsFollowTheScores();
    void coverageThatIsLostCanBeKept();
    void proposesWhatToRemove();
    void savesAndLoadsRules();

private:
    AuditSession& session() const { return demo_->session; }
};

void ConsequencesTest::initTestCase() {
    QVERIFY(openDemo());
}

void ConsequencesTest::intervalsFollowTheScores() {
    session().editor()->setRules({{"fidelity", Bound::AtLeast, 0.6}});
    auto* kept = child<QLabel>("scoreOfKept_clipped_density");
    auto* random = child<QLabel>("scoreOfRandom_clipped_density");
    QTRY_VERIFY(kept->text().contains(QChar(0x00B1)));
    QVERIFY(random->text().contains(QChar(0x00B1)));
    const auto audits = session().keptScorer()->found().audits;
    QVERIFY(audits && audits->kept);
    QCOMPARE(audits->kept->metric("clipped_density"), session().keptScorer()->scores()->metric("clipped_density"));
    QCOMPARE(audits->random->metric("clipped_density"),
             session().keptScorer()->found().random->metric("clipped_density"));
    QVERIFY(kept->toolTip().contains(QStringLiteral("95 % interval")));
    test::shoot(demo_->window, QStringLiteral("consequences"));
    session().editor()->setRules({});
    QVERIFY(test::waitIdle(session()));
    QVERIFY(!kept->text().contains(QChar(0x00B1)));
}

void ConsequencesTest::coverageThatIsLostCanBeKept() {
    session().editor()->setRules({{"fidelity", Bound::AtLeast, 1.0}});
    auto* protect = child<QPushButton>("protectCoverers");
    QTRY_VERIFY(protect->isVisible());
    const auto lost = session().keptScorer()->found().lost;
    QVERIFY(lost && !lost->real.empty());
    QVERIFY(child<QLabel>("coverageLost")->isVisible());
    child<QPushButton>("showLost")->click();
    QCOMPARE(demo_->selection.samples(), SampleSet(SetId::Real, lost->real));
    const std::size_t before = session().document()->keptCount();
    protect->click();
    QCOMPARE(session().document()->keptCount(), before + lost->coverers.size());
    for (const std::uint32_t row : lost->coverers)
        QVERIFY(session().state().isKept(row));
    QTRY_VERIFY(session().keptScorer()->found().lost && session().keptScorer()->found().lost->real.empty());
    QVERIFY(!protect->isVisible());
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(session().document()->keptCount(), before);
}

void ConsequencesTest::proposesWhatToRemove() {
    const double now = session().state().current().metric("clipped_density");
    const double wanted = std::min(0.995, now + 0.5 * (1.0 - now));
    const auto propose = [&] {
        QTRY_VERIFY(!child<QMessageBox>("proposal"));
        child<QPushButton>("rulesPropose")->click();
        auto* dialog = child<QInputDialog>("wantedFidelity");
        QTRY_VERIFY(dialog && dialog->isVisible());
        dialog->setDoubleValue(wanted);
        QTest::keyClick(dialog->findChild<QDoubleSpinBox*>(), Qt::Key_Return);
        QTRY_VERIFY(child<QMessageBox>("proposal") && child<QMessageBox>("proposal")->isVisible());
    };
    propose();
    auto* box = child<QMessageBox>("proposal");
    test::shoot(demo_->window, QStringLiteral("proposal"));
    if (now >= wanted) {
        QVERIFY(box->text().startsWith(QStringLiteral("Nothing has to be removed")));
        box->reject();
        return;
    }
    QVERIFY2(demo_->selection.isEmpty(), "a proposal changes nothing by itself");
    QVERIFY(box->text().contains(QStringLiteral(" of this model")));
    box->button(QMessageBox::Cancel)->click();
    QVERIFY(demo_->selection.isEmpty());
    QCOMPARE(session().document()->rejectedCount(), std::size_t{0});
    propose();
    child<QPushButton>("rejectProposal")->click();
    const SampleSet rejected = demo_->selection.samples();
    QVERIFY(!rejected.empty());
    QCOMPARE(session().document()->rejectedCount(), rejected.size());
    QTRY_VERIFY(session().keptScorer()->scores() != nullptr);
    QVERIFY(session().keptScorer()->scores()->metric("clipped_density") >= wanted - 1e-9);
    child<QAction>("actionUndo")->trigger();
    QCOMPARE(session().document()->rejectedCount(), std::size_t{0});
    const SampleId kept = *rejected.begin();
    session().editor()->judge({kept}, HandVerdict::Accepted);
    propose();
    child<QPushButton>("rejectProposal")->click();
    QCOMPARE(session().document()->rejectedCount(), rejected.size() - 1);
    QVERIFY(session().state().isKept(kept.row)); // what was kept by hand stays
    child<QAction>("actionUndo")->trigger();
    child<QAction>("actionUndo")->trigger();
}

void ConsequencesTest::savesAndLoadsRules() {
    FilterRules rules{{"fidelity", Bound::AtLeast, 0.4}, {"pce", Bound::Highest, 0.1, 0.0, {}, Effect::Reject}};
    rules.match = RuleMatch::Any;
    session().editor()->setRules(rules);
    const QString file = demo_->file(QStringLiteral("rules.json"));
    session().saveRules(file);
    session().editor()->setRules({});
    session().loadRules(file);
    QCOMPARE(session().document()->rules(), rules);
    QVERIFY(child<QWidget>("ruleMatch")->isVisible());
    QSignalSpy failed(&session(), &AuditSession::failed);
    session().loadRules(demo_->file(QStringLiteral("nothing.json")));
    QCOMPARE(failed.size(), 1);
    QCOMPARE(session().document()->rules(), rules);
    if (auto* error = child<QMessageBox>("error"))
        error->close();
}

ASSAY_TEST(consequences_test, ConsequencesTest)
#include "consequences_test.moc"
