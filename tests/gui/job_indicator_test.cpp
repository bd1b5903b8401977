#include "gui/job_indicator.h"
#include "gui/job_runner.h"

#include <QtTest>

#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>

#include <atomic>
#include <thread>

using namespace assay;
using namespace std::chrono_literals;

namespace {

/// Runs a job that reports as if it lasted `total`, until it is told to end.
void startSteadyJob(JobRunner& runner, std::chrono::duration<double> total, const std::atomic<bool>& end) {
    runner.start<int>(
        QStringLiteral("Opening"),
        [total, &end](const RunningJob& job) {
            const auto begin = std::chrono::steady_clock::now();
            while (!end) {
                job.context().checkpoint((std::chrono::steady_clock::now() - begin) / total);
                std::this_thread::sleep_for(5ms);
            }
            return std::make_shared<const int>(0);
        },
        [](std::shared_ptr<const int>) {});
}

} // namespace

class JobIndicatorTest : public QObject {
    Q_OBJECT

private slots:
    void saysHowLongOnceItCanTell();
    void isHiddenWhileIdle();
};

void JobIndicatorTest::saysHowLongOnceItCanTell() {
    JobRunner runner;
    JobIndicator indicator(&runner);
    auto* bar = indicator.findChild<QProgressBar*>(QStringLiteral("jobProgress"));
    std::atomic<bool> end = false;
    startSteadyJob(runner, 43s, end);
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY(bar->value() > 0);
    while (clock.elapsed() < 1500) {
        QVERIFY2(!bar->text().contains(QStringLiteral("left")), qPrintable(bar->text()));
        QTest::qWait(50);
    }
    QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("left")), 4000);
    // 40 s are left; a busy machine may be a little off.
    const QStringList expected{QStringLiteral("about 35 s left"), QStringLiteral("about 40 s left"),
                               QStringLiteral("about 45 s left"), QStringLiteral("about 50 s left")};
    const QString words = bar->text().section(QStringLiteral(", "), 1);
    QVERIFY2(expected.contains(words), qPrintable(bar->text()));
    QVERIFY(bar->fontMetrics().horizontalAdvance(bar->text()) < bar->width());

    end = true;
    QTRY_VERIFY(!runner.isRunning());
    end = false;
    startSteadyJob(runner, 1000s, end);
    QVERIFY2(!bar->text().contains(QStringLiteral("left")), "nothing of the job before");
    end = true;
    QTRY_VERIFY(!runner.isRunning());
}

void JobIndicatorTest::isHiddenWhileIdle() {
    JobRunner runner;
    QWidget window;
    JobIndicator indicator(&runner, &window);
    window.show();
    QVERIFY(!indicator.isVisible());
    std::atomic<bool> end = false;
    startSteadyJob(runner, 10s, end);
    QVERIFY(indicator.isVisible());
    end = true;
    QTRY_VERIFY(!indicator.isVisible());
}

QTEST_MAIN(JobIndicatorTest)
#include "job_indicator_test.moc"
