#include "engine/job/error.h"
#include "engine/job/job_context.h"
#include "engine/job/parallel.h"

#include <QtTest>

#include <atomic>
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

QTEST_GUILESS_MAIN(JobContextTest)
#include "job_context_test.moc"
