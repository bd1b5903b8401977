#include "engine/base/error.h"
#include "engine/base/job_context.h"
#include "engine/base/parallel.h"
#include "engine/base/run_alongside.h"
#include "engine/base/uninterruptible.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace assay;

class JobContextTest : public QObject {
    Q_OBJECT

private slots:
    void partsMapOntoTheWhole();
    void checkpointThrowsOnceStopped();
    void checksAreSeenBeforeTheyThrow();
    void parallelForRunsEveryTaskOnce();
    void parallelForPassesOnTheFirstFailure();
    void parallelForStops();
    void loopsShareOnePoolOfThreads();
    void nestedLoopsTakeUpNoTaskOfTheOuterOne();
    void workersGiveWayAsTheirCallerDoes();
    void loopsLeaveAThreadSetAsideItsCore();
    void loopsTakeTheCoreBack();
    void whatFailsAsideIsNotCounted();
    void uninterruptibleCallsReturnTheirResult();
    void aStopDoesNotWaitForAnUninterruptibleCall();
};

void JobContextTest::partsMapOntoTheWhole() {
    std::vector<double> seen;
    std::string stage;
    const JobContext job({}, [&](const Progress& p) {
        seen.push_back(p.fraction);
        stage = p.stage;
    });
    const JobContext inner = job.part("outer", 0.5, 1.0).part("inner", 0.5, 1.0);
    inner.checkpoint(0.0);
    inner.checkpoint(1.0);
    QCOMPARE(seen, (std::vector<double>{0.75, 1.0}));
    QCOMPARE(stage, std::string("outer: inner"));
    job.part("outer", 0.5, 1.0).phase("inner", 0.5, 1.0).part("innermost", 0.0, 1.0).checkpoint(1.0);
    QCOMPARE(stage, std::string("outer: inner"));
}

void JobContextTest::checkpointThrowsOnceStopped() {
    std::stop_source source;
    const JobContext job(source.get_token());
    job.checkpoint(0.0);
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(job.checkpoint(0.5), Cancelled);
}

void JobContextTest::checksAreSeenBeforeTheyThrow() {
    std::stop_source source;
    int checks = 0;
    int reports = 0;
    const JobContext job = JobContext(source.get_token(), [&](const Progress&) { ++reports; }).withCheckCallback([&] {
        if (++checks == 4)
            source.request_stop();
    });
    job.checkpoint(0.0);
    job.part("part", 0.0, 0.5).throwIfStopped();
    job.withCoreReservations().silent().checkpoint(0.5);
    QCOMPARE(reports, 1);
    QVERIFY_EXCEPTION_THROWN(job.checkpoint(1.0), Cancelled);
    QCOMPARE(checks, 4);
    QCOMPARE(reports, 1);
}

void JobContextTest::parallelForRunsEveryTaskOnce() {
    std::vector<std::atomic<int>> hits(1000);
    parallelFor(hits.size(), 4, {}, [&](std::size_t t, unsigned) { ++hits[t]; });
    for (const auto& hit : hits)
        QCOMPARE(hit.load(), 1);
}

void JobContextTest::parallelForPassesOnTheFirstFailure() {
    const auto run = [] {
        parallelFor(100, 4, {}, [](std::size_t t, unsigned) {
            if (t == 17)
                throw Error(ErrorKind::BadInput, "seventeen");
        });
    };
    QVERIFY_EXCEPTION_THROWN(run(), Error);
}

void JobContextTest::parallelForStops() {
    std::stop_source source;
    std::atomic<int> done = 0;
    const auto run = [&] {
        parallelFor(100000, 2, JobContext(source.get_token()), [&](std::size_t, unsigned) {
            if (++done == 10)
                source.request_stop();
        });
    };
    QVERIFY_EXCEPTION_THROWN(run(), Cancelled);
    QVERIFY(done < 100);
}

void JobContextTest::loopsShareOnePoolOfThreads() {
    std::mutex mutex;
    std::set<pid_t> threads;
    for (int loop = 0; loop < 100; ++loop)
        parallelFor(30, 3, {}, [&](std::size_t, unsigned) {
            const std::scoped_lock lock(mutex);
            threads.insert(gettid());
        });
    // Two for each loop if loops started their own. The pool is as large as the widest loop before asked for, and its
    // workers take turns.
    QVERIFY2(threads.size() < 20, qPrintable(QString::number(threads.size())));
}

void JobContextTest::nestedLoopsTakeUpNoTaskOfTheOuterOne() {
    constexpr std::size_t kOuter = 50;
    constexpr std::size_t kInner = 40;
    static thread_local bool busy = false;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> mixed = false;
    parallelFor(kOuter, 3, {}, [&](std::size_t, unsigned) {
        mixed = mixed || busy;
        busy = true;
        parallelFor(kInner, 2, {}, [&](std::size_t, unsigned) { ++done; });
        busy = false;
    });
    QCOMPARE(done.load(), kOuter * kInner);
    QVERIFY(!mixed);
}

void JobContextTest::workersGiveWayAsTheirCallerDoes() {
    std::array<int, 3> niceness{};
    std::thread caller([&] {
        setpriority(PRIO_PROCESS, 0, 7);
        std::latch begun(3);
        parallelFor(3, 3, {}, [&](std::size_t, unsigned worker) {
            begun.arrive_and_wait();
            niceness[worker] = getpriority(PRIO_PROCESS, 0);
        });
    });
    caller.join();
    for (const int here : niceness)
        QVERIFY2(here >= 7, qPrintable(QString::number(here)));
}

namespace {

/// How many workers a loop of 3 threads runs on.
/// @param expected no worker's first task ends before so many have begun: none does all tasks before the others come
unsigned workersOf(const JobContext& job, unsigned expected) {
    std::latch begun(expected);
    std::array<std::atomic<bool>, 3> seen{};
    parallelFor(300, 3, job, [&](std::size_t, unsigned worker) {
        if (!seen[worker].exchange(true) && worker < expected)
            begun.arrive_and_wait();
        std::this_thread::yield(); // leaves a worker too many some of the tasks
    });
    return static_cast<unsigned>(std::count(seen.begin(), seen.end(), true));
}

} // namespace

void JobContextTest::loopsLeaveAThreadSetAsideItsCore() {
    const JobContext alone;
    const JobContext job = alone.withCoreReservations();
    const JobContext part = job.part("part", 0.0, 0.5);
    QCOMPARE(workersOf(part, 3), 3U);
    std::latch mayEnd(1);
    auto first = runAlongside(3, part, [&] {
        mayEnd.wait();
        return 1;
    });
    QCOMPARE(part.reservedCores(), 1U);
    QCOMPARE(job.reservedCores(), 1U);
    QCOMPARE(job.silent().reservedCores(), 0U);
    QCOMPARE(alone.reservedCores(), 0U);
    QCOMPARE(workersOf(part, 2), 2U);
    QCOMPARE(workersOf(alone, 3), 3U);
    auto second = runAlongside(3, job, [&] {
        mayEnd.wait();
        return 2;
    });
    auto third = runAlongside(3, job, [&] {
        mayEnd.wait();
        return 3;
    });
    QCOMPARE(job.reservedCores(), 3U);
    QCOMPARE(workersOf(job, 1), 1U);
    mayEnd.count_down();
    QCOMPARE(first.get() + second.get() + third.get(), 6);
    QTRY_COMPARE(job.reservedCores(), 0U);
    QCOMPARE(workersOf(job, 3), 3U);
}

void JobContextTest::loopsTakeTheCoreBack() {
    const JobContext job = JobContext().withCoreReservations();
    for (const bool fails : {false, true}) {
        std::latch mayEnd(1);
        auto set = runAlongside(2, job, [&] {
            mayEnd.wait();
            return 1;
        });
        std::atomic<bool> joined = false;
        const auto loop = [&] {
            parallelFor(100, 2, job, [&](std::size_t task, unsigned worker) {
                if (task < 10)
                    QCOMPARE(worker, 0U);
                if (worker == 1) {
                    joined = true;
                    joined.notify_all();
                }
                if (task == 10) { // so far alone
                    mayEnd.count_down();
                    joined.wait(false);
                }
                if (joined && fails)
                    throw Error(ErrorKind::BadInput, "seventeen");
            });
        };
        if (fails)
            QVERIFY_EXCEPTION_THROWN(loop(), Error);
        else
            loop();
        QVERIFY(joined);
        QCOMPARE(set.get(), 1);
    }
}

void JobContextTest::whatFailsAsideIsNotCounted() {
    const JobContext job = JobContext().withCoreReservations();
    auto failing = runAlongside(2, job, []() -> int { throw Error(ErrorKind::BadInput, "seventeen"); });
    QVERIFY_EXCEPTION_THROWN(failing.get(), Error);
    QTRY_COMPARE(job.reservedCores(), 0U);
    // With one thread the work waits for get() and takes no core from anybody.
    auto later = runAlongside(1, job, [] { return 4; });
    QCOMPARE(job.reservedCores(), 0U);
    QCOMPARE(later.get(), 4);
}

void JobContextTest::uninterruptibleCallsReturnTheirResult() {
    const std::thread::id here = std::this_thread::get_id();
    QVERIFY(runUninterruptible({}, [] { return std::this_thread::get_id(); }) != here);
    const auto failing = [] { runUninterruptible({}, []() -> int { throw Error(ErrorKind::BadInput, "seventeen"); }); };
    QVERIFY_EXCEPTION_THROWN(failing(), Error);
}

void JobContextTest::aStopDoesNotWaitForAnUninterruptibleCall() {
    struct Call {
        std::latch mayEnd{1};
        std::atomic<bool> ended = false;
    };
    const auto shared = std::make_shared<Call>();
    std::stop_source stop;
    std::atomic<int> checks = 0;
    const JobContext job = JobContext(stop.get_token()).withCheckCallback([&] {
        if (++checks == 3) // the first is before the call
            stop.request_stop();
    });
    const auto run = [&] {
        runUninterruptible(job, [shared] {
            shared->mayEnd.wait();
            shared->ended = true;
        });
    };
    QVERIFY_EXCEPTION_THROWN(run(), Cancelled);
    QVERIFY(!shared->ended);
    shared->mayEnd.count_down();
    QTRY_VERIFY(shared->ended); // on its own, with all that it uses
    // A call is not begun once a stop was requested.
    bool begun = false;
    QVERIFY_EXCEPTION_THROWN(runUninterruptible(job, [&] { begun = true; }), Cancelled);
    QVERIFY(!begun);
}

ASSAY_TEST(job_context_test, JobContextTest)
#include "job_context_test.moc"
