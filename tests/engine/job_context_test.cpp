#include "engine/job/aside.h"
#include "engine/job/error.h"
#include "engine/job/job_context.h"
#include "engine/job/parallel.h"

#include <QtTest>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

using namespace assay;

class JobContextTest : public QObject {
    Q_OBJECT

private slots:
    void partsMapOntoTheWhole();
    void checkpointThrowsOnceStopped();
    void parallelForRunsEveryTaskOnce();
    void parallelForPassesOnTheFirstFailure();
    void parallelForStops();
    void loopsLeaveAThreadSetAsideItsCore();
    void loopsTakeTheCoreBack();
    void whatFailsAsideIsNotCounted();
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

namespace {

/// The most workers that a loop of 3 threads runs on.
unsigned workersOf(const JobContext& job) {
    std::atomic<unsigned> most = 0;
    parallelFor(300, 3, job, [&](std::size_t, unsigned worker) {
        for (unsigned seen = most; seen < worker + 1 && !most.compare_exchange_weak(seen, worker + 1);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1)); // leaves the others some of the tasks
    });
    return most;
}

} // namespace

void JobContextTest::loopsLeaveAThreadSetAsideItsCore() {
    const JobContext alone;
    const JobContext job = alone.counting();
    const JobContext part = job.part("part", 0.0, 0.5);
    QCOMPARE(workersOf(part), 3U);
    std::latch mayEnd(1);
    auto first = aside(3, part, [&] {
        mayEnd.wait();
        return 1;
    });
    QCOMPARE(part.setAside(), 1U);
    QCOMPARE(job.setAside(), 1U);
    QCOMPARE(job.silent().setAside(), 0U);
    QCOMPARE(alone.setAside(), 0U);
    QCOMPARE(workersOf(part), 2U);
    QCOMPARE(workersOf(alone), 3U);
    auto second = aside(3, job, [&] {
        mayEnd.wait();
        return 2;
    });
    auto third = aside(3, job, [&] {
        mayEnd.wait();
        return 3;
    });
    QCOMPARE(job.setAside(), 3U);
    QCOMPARE(workersOf(job), 1U);
    mayEnd.count_down();
    QCOMPARE(first.get() + second.get() + third.get(), 6);
    QTRY_COMPARE(job.setAside(), 0U);
    QCOMPARE(workersOf(job), 3U);
}

void JobContextTest::loopsTakeTheCoreBack() {
    const JobContext job = JobContext().counting();
    for (const bool fails : {false, true}) {
        std::latch mayEnd(1);
        auto set = aside(2, job, [&] {
            mayEnd.wait();
            return 1;
        });
        std::atomic<bool> joined = false;
        const auto loop = [&] {
            parallelFor(10'000, 2, job, [&](std::size_t task, unsigned worker) {
                if (task == 10) // so far alone
                    mayEnd.count_down();
                if (task < 10)
                    QCOMPARE(worker, 0U);
                joined = joined || worker == 1;
                if (joined && fails)
                    throw Error(ErrorKind::BadInput, "seventeen");
                if (!joined)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
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
    const JobContext job = JobContext().counting();
    auto failing = aside(2, job, []() -> int { throw Error(ErrorKind::BadInput, "seventeen"); });
    QVERIFY_EXCEPTION_THROWN(failing.get(), Error);
    QTRY_COMPARE(job.setAside(), 0U);
    // With one thread the work waits for get() and takes no core from anybody.
    auto later = aside(1, job, [] { return 4; });
    QCOMPARE(job.setAside(), 0U);
    QCOMPARE(later.get(), 4);
}

QTEST_GUILESS_MAIN(JobContextTest)
#include "job_context_test.moc"
