#include "gui/jobs/job_runner.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/settle.h"
#include "tests/widgets/support/test_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace assay;
using namespace std::chrono_literals;

namespace {

using IntResult = std::shared_ptr<const int>;
using IntWork = std::function<IntResult(const RunningJob&)>;

/// Works until it is stopped, as well-behaved engine code does.
IntResult workForever(const RunningJob& job) {
    for (;;) {
        job.context().checkpoint(0.5);
        std::this_thread::sleep_for(1ms);
    }
}

/// Holds a job back until it is opened or goes, so that a test that fails still ends.
class Gate {
public:
    ~Gate() { open(); }
    void open() {
        *opened_ = true;
        opened_->notify_all();
    }
    /// What the job waits with.
    std::function<void()> passage() const {
        return [opened = opened_] { opened->wait(false); };
    }

private:
    std::shared_ptr<std::atomic<bool>> opened_ = std::make_shared<std::atomic<bool>>(false);
};

IntWork returning(int value) {
    return [value](const RunningJob&) { return std::make_shared<const int>(value); };
}

} // namespace

class JobRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void handsOnTheResult();
    void runsOffTheCallersThreadAndReportsOnIt();
    void newestJobWins();
    void staleResultsNeverArrive();
    void startsAnotherJobFromAResult();
    void cancelEndsTheJobAtItsNextCheckpoint();
    void cancelOfNothingIsSilent();
    void cancelBeforeTheEndDiscardsTheResult();
    void everyFailureBecomesAnError_data();
    void everyFailureBecomesAnError();
    void staysUsableAfterAFailure();
    void progressIsThrottledButStagesAreNot();
    void deliversPartsInOrderBeforeTheResult();
    void deliversNothingAfterCancel();
    void canBeDestroyedWhileRunning();
    void severalWorkOnOneAudit();
};

void JobRunnerTest::handsOnTheResult() {
    JobRunner runner;
    QSignalSpy finished(&runner, &JobRunner::finished);
    int got = 0;
    QVERIFY(!runner.isRunning());
    runner.start<int>(QStringLiteral("seven"), returning(7), [&](IntResult result) { got = *result; });
    QVERIFY(runner.isRunning());
    QCOMPARE(got, 0); // by queued call, never at once
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(got, 7);
    QVERIFY(!runner.isRunning());
}

void JobRunnerTest::runsOffTheCallersThreadAndReportsOnIt() {
    JobRunner runner;
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<bool> elsewhere = false;
    std::thread::id resultOn;
    runner.start<int>(
        QString(),
        [&](const RunningJob&) {
            elsewhere = std::this_thread::get_id() != here;
            return std::make_shared<const int>(0);
        },
        [&](IntResult) { resultOn = std::this_thread::get_id(); });
    QTRY_VERIFY(!runner.isRunning());
    QVERIFY(elsewhere);
    QVERIFY(resultOn == here);
}

void JobRunnerTest::newestJobWins() {
    JobRunner runner;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    QSignalSpy finished(&runner, &JobRunner::finished);
    std::vector<int> got;
    std::atomic<bool> started = false;
    runner.start<int>(
        QStringLiteral("old"),
        [&](const RunningJob& job) {
            started = true;
            return workForever(job);
        },
        [&](IntResult result) { got.push_back(*result); });
    QTRY_VERIFY(started);
    for (int i = 1; i <= 5; ++i)
        runner.start<int>(QStringLiteral("new"), returning(i), [&](IntResult result) { got.push_back(*result); });
    // One worker posts in order: what the older jobs had to say has been handled by now.
    QTRY_VERIFY(!runner.isRunning());
    QCOMPARE(got, (std::vector<int>{5}));
    QCOMPARE(finished.size(), 1);
    QCOMPARE(cancelled.size(), 0); // a superseded job is silent
}

void JobRunnerTest::staleResultsNeverArrive() {
    std::latch over(1);
    JobRunner runner;
    // The worker drops a job, and with it the last copy of this, once it has posted the job's end.
    std::shared_ptr<void> end(nullptr, [&](void*) { over.count_down(); });
    bool stale = false;
    runner.start<int>(
        QString(),
        [&stale, end = std::move(end)](const RunningJob& job) {
            job.deliver([&stale] { stale = true; });
            return std::make_shared<const int>(1);
        },
        [&](IntResult) { stale = true; });
    over.wait(); // without the event loop: there the old job's news still wait when the new one starts
    int got = 0;
    runner.start<int>(QString(), returning(2), [&](IntResult result) { got = *result; });
    QTRY_COMPARE(got, 2);
    QVERIFY(!stale);
}

void JobRunnerTest::startsAnotherJobFromAResult() {
    JobRunner runner;
    int got = 0;
    runner.start<int>(QString(), returning(1), [&](IntResult) {
        runner.start<int>(QString(), returning(2), [&](IntResult result) { got = *result; });
    });
    QTRY_COMPARE(got, 2);
    QTRY_VERIFY(!runner.isRunning());
}

void JobRunnerTest::cancelEndsTheJobAtItsNextCheckpoint() {
    std::atomic<bool> wentOn = false;
    bool got = false;
    JobRunner runner;
    Gate gate;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    QSignalSpy progress(&runner, &JobRunner::progressChanged);
    runner.start<int>(
        QString(),
        [&wentOn, pass = gate.passage()](const RunningJob& job) {
            job.context().checkpoint(0.5);
            pass();
            job.context().checkpoint(0.6);
            wentOn = true;
            return std::make_shared<const int>(1);
        },
        [&](IntResult) { got = true; });
    QTRY_COMPARE(progress.size(), 1);
    runner.cancel();
    QVERIFY(runner.isRunning()); // until it has stopped
    QCOMPARE(cancelled.size(), 0);
    gate.open();
    QTRY_COMPARE(cancelled.size(), 1);
    QVERIFY(!runner.isRunning());
    QVERIFY(!wentOn && !got);
}

void JobRunnerTest::cancelOfNothingIsSilent() {
    JobRunner runner;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    runner.cancel();
    int got = 0;
    runner.start<int>(QString(), returning(1), [&](IntResult result) { got = *result; });
    QTRY_COMPARE(got, 1); // neither is the next job cancelled
    runner.cancel();
    test::settle();
    QCOMPARE(cancelled.size(), 0);
}

void JobRunnerTest::cancelBeforeTheEndDiscardsTheResult() {
    std::latch begun(1);
    bool got = false;
    JobRunner runner;
    Gate gate;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    runner.start<int>(
        QString(),
        [&begun, pass = gate.passage()](const RunningJob&) {
            begun.count_down();
            pass();
            return std::make_shared<const int>(1);
        },
        [&](IntResult) { got = true; });
    begun.wait();
    runner.cancel();
    gate.open();
    QTRY_COMPARE(cancelled.size(), 1);
    QVERIFY(!got);
}

void JobRunnerTest::everyFailureBecomesAnError_data() {
    test::addColumns<int, int, QString>("failure", "kind", "message");
    QTest::newRow("Error") << 0 << static_cast<int>(ErrorKind::BadInput) << "gan.npz: bad";
    QTest::newRow("bad_alloc") << 1 << static_cast<int>(ErrorKind::NotEnoughMemory) << "memory";
    QTest::newRow("exception") << 2 << static_cast<int>(ErrorKind::InvalidArgument) << "broken";
    QTest::newRow("anything") << 3 << static_cast<int>(ErrorKind::InvalidArgument) << "unknown";
}

void JobRunnerTest::everyFailureBecomesAnError() {
    QFETCH(int, failure);
    QFETCH(int, kind);
    QFETCH(QString, message);
    JobRunner runner;
    std::vector<Error> errors;
    connect(&runner, &JobRunner::failed, this, [&](const Error& error) { errors.push_back(error); });
    QSignalSpy finished(&runner, &JobRunner::finished);
    bool got = false;
    runner.start<int>(
        QString(),
        [failure](const RunningJob&) -> IntResult {
            switch (failure) {
            case 0:
                throw Error(ErrorKind::BadInput, "gan.npz: bad");
            case 1:
                throw std::bad_alloc();
            case 2:
                throw std::runtime_error("broken");
            default:
                throw 42;
            }
        },
        [&](IntResult) { got = true; });
    QTRY_COMPARE(errors.size(), std::size_t{1});
    QCOMPARE(static_cast<int>(errors.front().kind()), kind);
    QVERIFY2(QString::fromUtf8(errors.front().what()).contains(message), errors.front().what());
    QVERIFY(!runner.isRunning());
    QVERIFY(!got);
    QCOMPARE(finished.size(), 0);
}

void JobRunnerTest::staysUsableAfterAFailure() {
    JobRunner runner;
    QSignalSpy failed(&runner, &JobRunner::failed);
    runner.start<int>(
        QString(), [](const RunningJob&) -> IntResult { throw std::bad_alloc(); }, [](IntResult) {});
    QTRY_COMPARE(failed.size(), 1);
    int got = 0;
    runner.start<int>(QString(), returning(3), [&](IntResult result) { got = *result; });
    QTRY_COMPARE(got, 3);
}

void JobRunnerTest::progressIsThrottledButStagesAreNot() {
    // From one report to the next 10 ms go by.
    std::chrono::steady_clock::time_point now(1h);
    JobRunner runner(nullptr, [&now] { return now += 10ms; });
    QSignalSpy progress(&runner, &JobRunner::progressChanged);
    runner.start<int>(
        QString(),
        [](const RunningJob& job) {
            for (int stage = 0; stage < 3; ++stage) {
                const std::string name = "stage " + std::to_string(stage);
                for (int i = 0; i < 100; ++i) // each part has its own copy of the sink
                    job.context().part(name, stage / 3.0, (stage + 1) / 3.0).checkpoint(i / 100.0);
            }
            return std::make_shared<const int>(0);
        },
        [](IntResult) {});
    QTRY_VERIFY(!runner.isRunning());
    QCOMPARE(progress.size(), 3 * 25); // of each stage the first report, then every 40 ms
    QStringList stages;
    double last = 0.0;
    for (const QList<QVariant>& news : progress) {
        QVERIFY(news[0].toDouble() >= last);
        last = news[0].toDouble();
        if (stages.isEmpty() || stages.last() != news[1].toString())
            stages << news[1].toString();
    }
    QCOMPARE(stages, (QStringList{QStringLiteral("stage 0"), QStringLiteral("stage 1"), QStringLiteral("stage 2")}));
}

void JobRunnerTest::deliversPartsInOrderBeforeTheResult() {
    JobRunner runner;
    std::vector<int> seen;
    runner.start<int>(
        QString(),
        [&](const RunningJob& job) {
            for (int i = 0; i < 3; ++i)
                job.deliver([&seen, i] { seen.push_back(i); });
            return std::make_shared<const int>(9);
        },
        [&](IntResult result) { seen.push_back(*result); });
    QTRY_VERIFY(!runner.isRunning());
    QCOMPARE(seen, (std::vector<int>{0, 1, 2, 9}));
}

void JobRunnerTest::deliversNothingAfterCancel() {
    std::latch begun(1);
    bool delivered = false;
    JobRunner runner;
    Gate gate;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    runner.start<int>(
        QString(),
        [&begun, &delivered, pass = gate.passage()](const RunningJob& job) {
            begun.count_down();
            pass();
            job.deliver([&] { delivered = true; });
            return std::make_shared<const int>(0);
        },
        [](IntResult) {});
    begun.wait();
    runner.cancel();
    gate.open();
    QTRY_COMPARE(cancelled.size(), 1);
    QVERIFY(!delivered);
}

void JobRunnerTest::canBeDestroyedWhileRunning() {
    std::atomic<int> running = 0;
    bool got = false;
    {
        JobRunner runner;
        QSignalSpy progress(&runner, &JobRunner::progressChanged);
        runner.start<int>(
            QString(),
            [&](const RunningJob& job) {
                struct Count {
                    std::atomic<int>& n;
                    explicit Count(std::atomic<int>& c) : n(c) { ++n; }
                    ~Count() { --n; }
                } const count(running);
                return workForever(job);
            },
            [&](IntResult) { got = true; });
        QTRY_VERIFY(!progress.isEmpty());
        QCOMPARE(running.load(), 1);
    }                            // the job ends only when it is asked to
    QCOMPARE(running.load(), 0); // joined
    test::settle();
    QVERIFY(!got);
    const JobRunner idle; // never given a job
}

/// As panels do: all read what the window holds, while it starts, stops and drops them.
void JobRunnerTest::severalWorkOnOneAudit() {
    constexpr int kRounds = 300;
    using Rows = std::vector<double>;
    const auto audit = [](int round) {
        auto rows = std::make_shared<Rows>(500);
        std::iota(rows->begin(), rows->end(), round);
        return std::shared_ptr<const Rows>(std::move(rows));
    };
    const auto halved = [](const Rows& rows, const JobContext& job) {
        auto result = std::make_shared<Rows>();
        for (const double value : rows) {
            job.throwIfStopped();
            result->push_back(value / 2.0);
        }
        return std::shared_ptr<const Rows>(std::move(result));
    };
    std::array<JobRunner, 3> runners;
    int answers = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::shared_ptr<const Rows> open = audit(round); // the one before goes
        for (std::size_t one = 0; one < runners.size(); ++one)
            runners[one].start<Rows>(
                QStringLiteral("halving"),
                [open, halved](const RunningJob& job) { return halved(*open, job.context()); },
                [&answers, open, halved](const std::shared_ptr<const Rows>& got) {
                    QCOMPARE(*got, *halved(*open, JobContext()));
                    ++answers;
                });
        if (round % 3 == 0)
            runners[1].cancel();
        if (round % 2 == 0)
            while (std::ranges::any_of(runners, &JobRunner::isRunning))
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    QVERIFY(answers >= kRounds);
}

ASSAY_TEST(job_runner_test, JobRunnerTest)
#include "job_runner_test.moc"
