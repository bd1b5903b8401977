#include "gui/jobs/kept_scorer.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/fake_audit.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace assay;

namespace {

/// Answers with the number of kept samples, when it is let; remembers what it was asked.
struct FakeScoring {
    std::atomic<bool> hold = false;
    std::atomic<bool> fail = false;
    std::mutex mutex;
    std::vector<std::size_t> asked;

    EngineCalls::ScoreKept maker() {
        return [this](std::shared_ptr<const AuditResult>, std::size_t) -> KeptScoring {
            return [this](const std::vector<bool>& kept, const JobContext& job) {
                const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
                {
                    const std::scoped_lock lock(mutex);
                    asked.push_back(count);
                }
                while (hold) {
                    job.throwIfStopped();
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                if (fail)
                    throw Error(ErrorKind::NotEnoughMemory, "no memory");
                return WhatIfResult{count, {}};
            };
        };
    }
    std::vector<std::size_t> questions() {
        const std::scoped_lock lock(mutex);
        return asked;
    }
};

ViewState keeping(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::size_t count) {
    auto kept = std::make_shared<std::vector<bool>>(audit->models[model]->set->rows(), false);
    std::fill_n(kept->begin(), count, true);
    return {audit, model, kept};
}

} // namespace

class KeptScorerTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatAnAuditOfTheKeptAloneSays();
    void scoresTheLastOfManyChanges();
    void hasNoScoresWithoutRulesOrWithTooFew();
    void dropsTheScoresOfAnotherModel();
    void staysAtWorkAfterAFailure();
};

void KeptScorerTest::saysWhatAnAuditOfTheKeptAloneSays() {
    AuditRequest request;
    const auto fake = test::fakeAudit();
    request.real = fake->real->set;
    request.models = {{"model", fake->models[1]->set}};
    const auto audit = runAudit(request);
    KeptScorer scorer(engineCalls().scoreKept, {});
    scorer.follow(keeping(audit, 0, 50));
    QTRY_VERIFY(scorer.scores());
    QCOMPARE(scorer.scores()->keptCount, std::size_t{50});

    const MatrixView rows = fake->models[1]->set->matrix();
    std::vector<float> values(rows.rowData(0), rows.rowData(0) + 50 * rows.dim);
    request.models = {
        {"kept", std::make_shared<const EmbeddingSet>(EmbeddingParts::of(std::move(values), rows.dim, "kept"))}};
    const auto expected = runAudit(request);
    for (const char* id : {"clipped_density", "clipped_coverage", "authenticity", "pce"})
        QCOMPARE(scorer.scores()->metric(id), expected->models[0]->metric(id));
}

void KeptScorerTest::scoresTheLastOfManyChanges() {
    FakeScoring fake;
    fake.hold = true;
    KeptScorer scorer(fake.maker(), {});
    std::vector<std::size_t> shown;
    connect(&scorer, &KeptScorer::changed, this, [&] {
        if (scorer.scores() && (shown.empty() || shown.back() != scorer.scores()->keptCount))
            shown.push_back(scorer.scores()->keptCount);
    });
    const auto audit = test::fakeAudit();
    for (const std::size_t count : {70, 60, 50, 40})
        scorer.follow(keeping(audit, 0, count));
    QTRY_COMPARE(fake.questions().size(), std::size_t{1});
    fake.hold = false;
    QTRY_VERIFY(scorer.scores() && scorer.scores()->keptCount == 40);
    QTRY_COMPARE(fake.questions(), (std::vector<std::size_t>{70, 40, 40})); // the last: as many at random
    QCOMPARE(shown, (std::vector<std::size_t>{70, 40})); // a slider that never rests shows scores on its way
    const ViewState same = keeping(audit, 0, 30);
    scorer.follow(same);
    QTRY_COMPARE(scorer.scores()->keptCount, std::size_t{30});
    QTRY_VERIFY(!scorer.jobs()->isRunning()); // nor scores as many at random any more
    scorer.follow(same);
    QVERIFY(!scorer.jobs()->isRunning());
}

void KeptScorerTest::hasNoScoresWithoutRulesOrWithTooFew() {
    FakeScoring fake;
    KeptScorer scorer(fake.maker(), {});
    const auto audit = test::fakeAudit({.k = 5});
    scorer.follow(keeping(audit, 0, 40));
    QTRY_VERIFY(scorer.scores());
    scorer.follow({audit, 0, nullptr});
    QVERIFY(!scorer.scores());
    QTRY_VERIFY(!scorer.jobs()->isRunning());
    scorer.follow(keeping(audit, 0, 5));
    QVERIFY(!scorer.jobs()->isRunning());
    scorer.follow(keeping(audit, 0, 6));
    QTRY_VERIFY(scorer.scores());
    fake.hold = true;
    scorer.follow(keeping(audit, 0, 20));
    scorer.follow({});
    QVERIFY(!scorer.scores());
    QTRY_VERIFY(!scorer.jobs()->isRunning());
    QVERIFY(!scorer.scores());
}

void KeptScorerTest::dropsTheScoresOfAnotherModel() {
    FakeScoring fake;
    KeptScorer scorer(fake.maker(), {});
    const auto audit = test::fakeAudit();
    scorer.follow(keeping(audit, 0, 40));
    QTRY_VERIFY(scorer.scores());
    fake.hold = true;
    scorer.follow(keeping(audit, 1, 30));
    QVERIFY(!scorer.scores());
    scorer.follow(keeping(audit, 2, 20)); // while the other one is at work
    fake.hold = false;
    QTRY_VERIFY(scorer.scores());
    QCOMPARE(scorer.scores()->keptCount, std::size_t{20});
}

void KeptScorerTest::staysAtWorkAfterAFailure() {
    FakeScoring fake;
    fake.fail = true;
    KeptScorer scorer(fake.maker(), {});
    QSignalSpy failed(scorer.jobs(), &JobRunner::failed);
    const auto audit = test::fakeAudit();
    scorer.follow(keeping(audit, 0, 40));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!scorer.scores() && !scorer.jobs()->isRunning());
    fake.fail = false;
    scorer.follow(keeping(audit, 0, 30));
    QTRY_VERIFY(scorer.scores());
}

ASSAY_TEST(kept_scorer_test, KeptScorerTest)
#include "kept_scorer_test.moc"
