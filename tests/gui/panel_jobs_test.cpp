// What panels ask for is worked out in the background, and said where it does not come.
#include "gui/jobs/panel_jobs.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"
#include "tests/widgets/support/test_host.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_view.h"

#include <QtWidgets>

#include <atomic>

using namespace assay;

namespace {

/// A panel with one question, and its window: the jobs.
class Asking : public Panel {
public:
    explicit Asking(PanelHost& host) : Panel(host) {
        resize(300, 200);
        QWidget::show();
    }

    template <class Work>
    void count(const Work& work) {
        ask("count", QStringLiteral("Counting"), work,
            [this](const std::shared_ptr<const int>& answer) { answers.push_back(*answer); });
    }
    QWidget* problem() const { return findChild<QWidget*>(QStringLiteral("panelProblem")); }
    bool hasProblem() const { return problem() != nullptr && problem()->isVisible(); }
    std::vector<int> answers;

protected:
    void stateChanged(const Changes&) override {}
};

struct JobsHost : test::TestHost {
    void request(Panel* panel, const PanelRequest& request) override { jobs.request(panel, request); }
    PanelJobs jobs;
};

/// An answer that never comes.
int waitForStop(const JobContext& job) {
    while (true) {
        job.throwIfStopped();
        QThread::msleep(1);
    }
}

} // namespace

class PanelJobsTest : public QObject {
    Q_OBJECT

private slots:
    void theNewestRequestIsAnswered();
    void aFailureIsSaidAndTriedAgain();
    void aStoppedRequestIsSaid();
    void requestsPauseWhileNobodyWatches();
    void nothingIsKeptOfAnAuditThatWasLeft();
    void anotherModelEndsTheProblem();
    void aPanelMayGoWhileItsRequestRuns();
    void theLastOrderOfARankingIsShown();
};

void PanelJobsTest::theNewestRequestIsAnswered() {
    JobsHost host;
    Asking panel(host);
    for (int number = 1; number <= 50; ++number)
        panel.count([number](const JobContext&) { return 10 * number; });
    QVERIFY(host.jobs.isRunning());
    QTRY_VERIFY(!host.jobs.isRunning());
    QCOMPARE(panel.answers, (std::vector<int>{500}));
    QVERIFY(!panel.hasProblem());
}

void PanelJobsTest::aFailureIsSaidAndTriedAgain() {
    JobsHost host;
    Asking panel(host);
    std::atomic_int tries = 0;
    panel.count([&](const JobContext&) {
        if (++tries < 3)
            throw Error(ErrorKind::NotEnoughMemory, "no room");
        return 7;
    });
    QTRY_VERIFY(panel.hasProblem());
    QCOMPARE(panel.problem()->findChild<QLabel*>()->text(), QStringLiteral("Counting failed: no room"));
    QCOMPARE(panel.problem()->geometry().bottom(), panel.rect().bottom());
    auto* retry = panel.findChild<QPushButton*>(QStringLiteral("panelRetry"));
    QTest::mouseClick(retry, Qt::LeftButton);
    QVERIFY(!panel.hasProblem());
    QTRY_VERIFY(panel.hasProblem()); // it failed again
    QTest::keyClick(retry, Qt::Key_Space);
    QTRY_COMPARE(panel.answers, (std::vector<int>{7}));
    QVERIFY(!panel.hasProblem());
}

void PanelJobsTest::aStoppedRequestIsSaid() {
    JobsHost host;
    Asking panel(host);
    panel.count(waitForStop);
    host.jobs.cancel();
    QTRY_VERIFY(!host.jobs.isRunning());
    QVERIFY(panel.hasProblem());
    QCOMPARE(panel.problem()->findChild<QLabel*>()->text(), QStringLiteral("Counting: stopped."));
}

void PanelJobsTest::requestsPauseWhileNobodyWatches() {
    JobsHost host;
    Asking panel(host);
    std::atomic_int starts = 0;
    panel.count([&](const JobContext& job) { return ++starts < 3 ? waitForStop(job) : 7; });
    QTRY_COMPARE(starts.load(), 1);
    panel.setWatched(false);
    QTRY_VERIFY(!host.jobs.isRunning());
    QVERIFY(!panel.hasProblem()); // nobody has stopped it
    panel.setWatched(true);
    QTRY_COMPARE(starts.load(), 2);
    panel.setWatched(false); // and back before it has stopped
    panel.setWatched(true);
    QTRY_COMPARE(panel.answers, (std::vector<int>{7}));
    panel.setWatched(false);
    panel.setWatched(true);
    QCoreApplication::processEvents();
    QCOMPARE(starts.load(), 3); // what was answered is not asked again
}

void PanelJobsTest::nothingIsKeptOfAnAuditThatWasLeft() {
    JobsHost host;
    Asking panel(host);
    panel.showState({test::fakeAudit(), 0});
    auto input = std::make_shared<int>(7);
    const std::weak_ptr<int> kept = input;
    panel.count([input](const JobContext&) { return *input; });
    QTRY_COMPARE(panel.answers, (std::vector<int>{7}));
    input.reset();
    QTRY_VERIFY(kept.expired()); // answered
    input = std::make_shared<int>(8);
    const std::weak_ptr<int> paused = input;
    panel.count([input](const JobContext& job) { return *input + waitForStop(job); });
    input.reset();
    panel.setWatched(false);
    QTRY_VERIFY(!host.jobs.isRunning());
    QVERIFY(!paused.expired());
    panel.showState({});
    QTRY_VERIFY(paused.expired());
    panel.setWatched(true);
    QVERIFY(!host.jobs.isRunning() && !panel.hasProblem());
}

void PanelJobsTest::anotherModelEndsTheProblem() {
    const auto audit = test::fakeAudit();
    JobsHost host;
    Asking panel(host);
    panel.showState({audit, 0});
    panel.showProblem(QStringLiteral("no"), [] {});
    ViewState filtered{audit, 0};
    filtered.filter.text = QStringLiteral("7");
    panel.showState(filtered);
    QVERIFY(panel.hasProblem());
    panel.showState({audit, 1});
    QVERIFY(!panel.hasProblem());
}

void PanelJobsTest::aPanelMayGoWhileItsRequestRuns() {
    JobsHost host;
    {
        Asking panel(host);
        panel.count(waitForStop);
        QVERIFY(host.jobs.isRunning());
    }
    QVERIFY(!host.jobs.isRunning());
}

void PanelJobsTest::theLastOrderOfARankingIsShown() {
    constexpr std::size_t kRows = 60'000;
    const auto audit = test::hugeAudit(kRows, false);
    JobsHost host;
    RankingView ranking(host);
    RankingModel& model = *ranking.model();
    ranking.showState({audit, 0, nullptr});
    model.setOrder({"nearest_real_distance", Qt::AscendingOrder});
    model.setOrder({"fidelity", Qt::AscendingOrder});
    model.setGrouping(RankingGrouping::Class);
    QCOMPARE(model.size(), std::size_t{0}); // nothing is waited for
    QVERIFY(model.isListing());
    QTRY_VERIFY(!model.isListing());
    QCOMPARE(model.size(), kRows);
    QCOMPARE(model.groups().size(), std::size_t{3});
    const auto& fidelity = audit->models[0]->column("fidelity");
    for (const SampleGroup& group : model.groups())
        for (std::size_t at = group.first + 1; at < group.first + group.count; ++at)
            QVERIFY(fidelity[model.sampleAt(at - 1).row] <= fidelity[model.sampleAt(at).row]);
}

ASSAY_TEST(panel_jobs_test, PanelJobsTest)
#include "panel_jobs_test.moc"
