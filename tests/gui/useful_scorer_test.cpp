// Utility of what is kept, for views that ask: the newest question wins, and nothing stale is shown.
#include "gui/jobs/kept_scorer.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace assay;

namespace {

/// Says how many samples are kept, when it is let; remembers how it ended.
struct FakeUseful {
    std::atomic<bool> hold = false;
    std::atomic<bool> fail = false;
    std::atomic<int> asked = 0;
    std::atomic<int> stopped = 0;

    EngineCalls::UsefulIfKeptCall call() {
        return [this](const std::shared_ptr<const AuditResult>&, std::size_t, const std::vector<bool>& kept,
                      const JobContext& job) {
            ++asked;
            try {
                while (hold) {
                    job.throwIfStopped();
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            } catch (const Cancelled&) {
                ++stopped;
                throw;
            }
            if (fail)
                throw Error(ErrorKind::NotEnoughMemory, "no memory");
            UsefulIfKept scores;
            scores.kept.rows = static_cast<std::size_t>(std::ranges::count(kept, true));
            return scores;
        };
    }
};

ViewState usefulState(std::size_t count, std::size_t model = 0) {
    const auto audit = test::fakeAudit();
    auto kept = std::make_shared<std::vector<bool>>(audit->models[model]->set->rows(), false);
    std::fill_n(kept->begin(), count, true);
    return {audit, model, kept};
}

} // namespace

class UsefulScorerTest : public QObject {
    Q_OBJECT

private slots:
    void scoresWhatIsAskedForOnce();
    void theNewestQuestionWins();
    void dropsWhatIsNotKeptAnyMore();
    void saysThatItFailedOnce();
    void needsSomeKeptAndSomeRejected();
};

void UsefulScorerTest::scoresWhatIsAskedForOnce() {
    FakeUseful fake;
    UsefulScorer scorer(fake.call());
    const ViewState state = usefulState(30);
    scorer.follow(state);
    QVERIFY(!scorer.jobs()->isRunning()); // nobody has asked
    scorer.score(state);
    scorer.score(state); // another view
    scorer.follow(state);
    QTRY_VERIFY(scorer.scores());
    QCOMPARE(scorer.scores()->kept, state.kept);
    QCOMPARE(scorer.scores()->scores->kept.rows, std::size_t{30});
    scorer.score(state);
    QVERIFY(!scorer.jobs()->isRunning());
    QCOMPARE(fake.asked.load(), 1);
}

void UsefulScorerTest::theNewestQuestionWins() {
    FakeUseful fake;
    fake.hold = true;
    UsefulScorer scorer(fake.call());
    const QSignalSpy changed(&scorer, &UsefulScorer::scoresChanged);
    scorer.score(usefulState(30));
    QTRY_COMPARE(fake.asked.load(), 1);
    const ViewState last = usefulState(20);
    scorer.score(last);
    QTRY_COMPARE(fake.stopped.load(), 1);
    fake.hold = false;
    QTRY_VERIFY(scorer.scores());
    QCOMPARE(scorer.scores()->scores->kept.rows, std::size_t{20});
    QCOMPARE(changed.size(), 1);
}

void UsefulScorerTest::dropsWhatIsNotKeptAnyMore() {
    FakeUseful fake;
    UsefulScorer scorer(fake.call());
    const ViewState state = usefulState(30);
    scorer.score(state);
    QTRY_VERIFY(scorer.scores());
    scorer.follow({state.audit, 1, state.kept}); // of another model
    QVERIFY(!scorer.scores());
    fake.hold = true;
    scorer.score(state);
    QTRY_COMPARE(fake.asked.load(), 2);
    scorer.follow({state.audit, 0, nullptr}); // no rules
    QTRY_COMPARE(fake.stopped.load(), 1);
    QTRY_VERIFY(!scorer.jobs()->isRunning());
    QVERIFY(!scorer.scores());
}

void UsefulScorerTest::saysThatItFailedOnce() {
    FakeUseful fake;
    fake.fail = true;
    UsefulScorer scorer(fake.call());
    const ViewState state = usefulState(30);
    scorer.score(state);
    QTRY_VERIFY(scorer.scores() && !scorer.scores()->scores);
    scorer.score(state);
    QVERIFY(!scorer.jobs()->isRunning());
    QCOMPARE(fake.asked.load(), 1);
    fake.fail = false;
    fake.hold = true;
    scorer.score(usefulState(20));
    QTRY_COMPARE(fake.asked.load(), 2);
    scorer.stop();
    QTRY_VERIFY(!scorer.jobs()->isRunning());
    QVERIFY(scorer.scores() && !scorer.scores()->scores);
}

void UsefulScorerTest::needsSomeKeptAndSomeRejected() {
    FakeUseful fake;
    UsefulScorer scorer(fake.call());
    scorer.score(usefulState(0));
    scorer.score(usefulState(80));
    scorer.score({test::fakeAudit(), 0, nullptr});
    scorer.score({});
    QVERIFY(!scorer.jobs()->isRunning());
    UsefulScorer without({});
    without.score(usefulState(30));
    QVERIFY(!without.jobs()->isRunning());
}

ASSAY_TEST(useful_scorer_test, UsefulScorerTest)
#include "useful_scorer_test.moc"
