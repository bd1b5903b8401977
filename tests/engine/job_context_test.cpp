#include "engine/base/error.h"
#include "engine/base/job_context.h"
#include "engine/base/parallel.h"
#include "engine/base/run_alongside.h"
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
    void workersTakeTheNicenessOfTheirCaller();
    void loopsLeaveWorkAsideItsCore();
    void loopsTakeTheCoreBack();
    void workAsideRunsWhereItsResultIsNeeded();
    void workAsideEndsBeforeItsResultDoes();
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
    job.silent().checkpoint(0.5);
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

void JobContextTest::workersTakeTheNicenessOfTheirCaller() {
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

/// More than any other loop of these tests has, so that it is the size of the pool, the caller's thread included.
constexpr unsigned kPool = 7;

/// Work on threads of the pool until it may end.
class BusyThreads {
public:
    /// Returns when all have begun.
    explicit BusyThreads(unsigned count) : begun_(count) {
        parallelFor(kPool, kPool, {}, [](std::size_t, unsigned) {});
        for (unsigned i = 0; i < count; ++i)
            threads_.push_back(runAlongside(kPool, [this] {
                begun_.count_down();
                mayEnd_.wait();
                return gettid();
            }));
        begun_.wait();
    }
    void end() { mayEnd_.count_down(); }
    std::vector<Alongside<pid_t>>& threads() { return threads_; }

private:
    std::latch begun_;
    std::latch mayEnd_{1};
    std::vector<Alongside<pid_t>> threads_; ///< destroyed first: waits
};

} // namespace

void JobContextTest::loopsLeaveWorkAsideItsCore() {
    constexpr unsigned kAside = 2;
    BusyThreads busy(kAside);
    std::latch begun(kPool - kAside);
    std::array<std::atomic<bool>, kPool> seen{};
    parallelFor(300, kPool, {}, [&](std::size_t, unsigned worker) {
        if (!seen[worker].exchange(true))
            begun.arrive_and_wait(); // none does all tasks before the others have begun
        std::this_thread::yield();   // leaves a worker too many some of the tasks
    });
    QCOMPARE(std::count(seen.begin(), seen.end(), true), std::ptrdiff_t{kPool - kAside});
    busy.end();
    for (Alongside<pid_t>& thread : busy.threads())
        QVERIFY(thread.get() != gettid());
}

void JobContextTest::loopsTakeTheCoreBack() {
    for (const bool fails : {false, true}) {
        BusyThreads busy(kPool - 1);
        std::atomic<bool> joined = false;
        const auto loop = [&] {
            parallelFor(100, kPool, {}, [&](std::size_t task, unsigned worker) {
                if (task < 10)
                    QCOMPARE(worker, 0U);
                if (worker != 0) {
                    joined = true;
                    joined.notify_all();
                }
                if (task == 10) { // so far alone
                    busy.end();
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
    }
}

void JobContextTest::workAsideRunsWhereItsResultIsNeeded() {
    BusyThreads busy(kPool - 1);
    auto waiting = runAlongside(kPool, [] { return gettid(); });
    std::atomic<bool> ran = false;
    {
        const auto unneeded = runAlongside(kPool, [&] { return ran = true; });
    }
    QCOMPARE(waiting.get(), gettid());
    busy.end();
    // With one thread, too.
    auto alone = runAlongside(1, [] { return gettid(); });
    QVERIFY(!ran);
    QCOMPARE(alone.get(), gettid());
    auto failing = runAlongside(2, []() -> int { throw Error(ErrorKind::BadInput, "seventeen"); });
    QVERIFY_EXCEPTION_THROWN(failing.get(), Error);
}

void JobContextTest::workAsideEndsBeforeItsResultDoes() {
    std::atomic<bool> ended = false;
    {
        std::latch begun(1);
        const auto result = runAlongside(kPool, [&] {
            begun.count_down();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            return ended = true;
        });
        begun.wait();
    }
    QVERIFY(ended);
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
