#include "gui/job_runner.h"

#include <QSignalSpy>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <new>
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
    void cancelTakesLessThanATenthOfASecond();
    void cancelBeforeTheEndDiscardsTheResult();
    void everyFailureBecomesAnError_data();
    void everyFailureBecomesAnError();
    void staysUsableAfterAFailure();
    void progressIsThrottledButStagesAreNot();
    void deliversPartsInOrderBeforeTheResult();
    void deliversNothingAfterCancel();
    void canBeDestroyedWhileRunning();
};

void JobRunnerTest::handsOnTheResult() {
    JobRunner runner;
    QSignalSpy finished(&runner, &JobRunner::finished);
    int got = 0;
    QVERIFY(!runner.isRunning());
    runner.start<int>(QStringLiteral("seven"), returning(7), [&](IntResult result) { got = *result; });
    QVERIFY(runner.isRunning());
    QCOMPARE(got, 0); // by queued call, never at once
    QVERIFY(finished.wait(2000));
    QCOMPARE(got, 7);
    QVERIFY(!runner.isRunning());
    QCOMPARE(finished.size(), 1);
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
    QTRY_VERIFY(!runner.isRunning());
    QTest::qWait(20);
    QCOMPARE(got, (std::vector<int>{5}));
    QCOMPARE(finished.size(), 1);
    QCOMPARE(cancelled.size(), 0); // a superseded job is silent
}

void JobRunnerTest::staleResultsNeverArrive() {
    JobRunner runner;
    std::atomic<bool> done = false;
    bool stale = false;
    runner.start<int>(
        QString(),
        [&](const RunningJob& job) {
            job.deliver([&] { stale = true; });
            done = true;
            return std::make_shared<const int>(1);
        },
        [&](IntResult) { stale = true; });
    // The old job is over and its news wait in the event loop when the new one starts.
    while (!done)
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(20ms);
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

void JobRunnerTest::cancelTakesLessThanATenthOfASecond() {
    JobRunner runner;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    QSignalSpy progress(&runner, &JobRunner::progressChanged);
    bool got = false;
    runner.start<int>(QString(), workForever, [&](IntResult) { got = true; });
    QVERIFY(progress.wait(2000));
    QElapsedTimer clock;
    clock.start();
    runner.cancel();
    QVERIFY(cancelled.wait(2000));
    QVERIFY2(clock.elapsed() < 100, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(!runner.isRunning());
    QVERIFY(!got);
    runner.cancel(); // nothing runs: nothing happens
    QTest::qWait(20);
    QCOMPARE(cancelled.size(), 1);
}

void JobRunnerTest::cancelBeforeTheEndDiscardsTheResult() {
    JobRunner runner;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    std::atomic<bool> go = false;
    bool got = false;
    runner.start<int>(
        QString(),
        [&](const RunningJob&) {
            while (!go)
                std::this_thread::sleep_for(1ms);
            return std::make_shared<const int>(1);
        },
        [&](IntResult) { got = true; });
    runner.cancel();
    go = true;
    QVERIFY(cancelled.wait(2000));
    QVERIFY(!got);
}

void JobRunnerTest::everyFailureBecomesAnError_data() {
    QTest::addColumn<int>("failure");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("message");
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
    QVERIFY(failed.wait(2000));
    int got = 0;
    runner.start<int>(QString(), returning(3), [&](IntResult result) { got = *result; });
    QTRY_COMPARE(got, 3);
}

void JobRunnerTest::progressIsThrottledButStagesAreNot() {
    JobRunner runner;
    QSignalSpy progress(&runner, &JobRunner::progressChanged);
    QElapsedTimer clock;
    clock.start();
    runner.start<int>(
        QString(),
        [](const RunningJob& job) {
            for (int stage = 0; stage < 3; ++stage) {
                const std::string name = "stage " + std::to_string(stage);
                for (int i = 0; i < 5000; ++i) // each part has its own copy of the sink
                    job.context().part(name, stage / 3.0, (stage + 1) / 3.0).checkpoint(i / 5000.0);
            }
            return std::make_shared<const int>(0);
        },
        [](IntResult) {});
    QTRY_VERIFY(!runner.isRunning());
    const auto most = 3 + clock.elapsed() / 33 + 1;
    QVERIFY2(progress.size() >= 3 && progress.size() <= most, qPrintable(QString::number(progress.size())));
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
    JobRunner runner;
    QSignalSpy cancelled(&runner, &JobRunner::cancelled);
    bool delivered = false;
    std::atomic<bool> go = false;
    runner.start<int>(
        QString(),
        [&](const RunningJob& job) {
            while (!go)
                std::this_thread::sleep_for(1ms);
            job.deliver([&] { delivered = true; });
            return std::make_shared<const int>(0);
        },
        [](IntResult) {});
    runner.cancel();
    go = true;
    QVERIFY(cancelled.wait(2000));
    QVERIFY(!delivered);
}

void JobRunnerTest::canBeDestroyedWhileRunning() {
    std::atomic<int> running = 0;
    bool got = false;
    QElapsedTimer clock;
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
        QVERIFY(progress.wait(2000));
        QCOMPARE(running.load(), 1);
        clock.start();
    }
    QVERIFY(clock.elapsed() < 100);
    QCOMPARE(running.load(), 0); // joined
    QTest::qWait(20);
    QVERIFY(!got);
    const JobRunner idle; // never given a job
}

QTEST_GUILESS_MAIN(JobRunnerTest)
#include "job_runner_test.moc"
