#include "gui/jobs/job_runner.h"
#include "gui/status/job_indicator.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

#include <atomic>
#include <chrono>

using namespace assay;
using namespace std::chrono_literals;

class JobIndicatorTest : public QObject {
    Q_OBJECT

private slots:
    void saysHowLongOnceItCanTell();
    void isHiddenWhileIdle();
    void ofSeveralTheFirstIsTold();
};

void JobIndicatorTest::saysHowLongOnceItCanTell() {
    JobRunner runner;
    std::chrono::steady_clock::time_point now(1h);
    JobIndicator indicator({{&runner}}, nullptr, [&now] { return now; });
    auto* bar = indicator.findChild<QProgressBar*>(QStringLiteral("jobProgress"));
    // A job of 43 s, and what the bar says at each time.
    const auto tell = [&, begin = now](std::chrono::milliseconds at) {
        now = begin + at;
        emit runner.progressChanged(std::chrono::duration<double>(at) / 43s, QStringLiteral("Scoring"));
    };
    emit runner.started(QStringLiteral("Opening"));
    for (auto at = 0ms; at < 2s; at += 100ms) {
        tell(at);
        QVERIFY2(!bar->text().contains(QStringLiteral("left")), qPrintable(bar->text()));
    }
    for (auto at = 2000ms; at <= 4s; at += 100ms)
        tell(at);
    QCOMPARE(bar->text(), QStringLiteral("9 %, about 40 s left"));
    QVERIFY(bar->fontMetrics().horizontalAdvance(bar->text()) < bar->width());

    now += 1s;
    emit runner.started(QStringLiteral("Opening"));
    QCOMPARE(bar->text(), QStringLiteral("0 %")); // nothing of the job before
}

void JobIndicatorTest::isHiddenWhileIdle() {
    std::atomic<bool> end = false;
    JobRunner runner;
    QWidget window;
    JobIndicator indicator({{&runner}}, &window);
    window.show();
    QVERIFY(!indicator.isVisible());
    runner.start<int>(
        QStringLiteral("Opening"),
        [&end](const RunningJob&) {
            end.wait(false);
            return std::make_shared<const int>(0);
        },
        [](std::shared_ptr<const int>) {});
    const bool shown = indicator.isVisible();
    end = true;
    end.notify_all();
    QVERIFY(shown);
    QTRY_VERIFY(!indicator.isVisible());
}

void JobIndicatorTest::ofSeveralTheFirstIsTold() {
    JobRunner loading;
    JobRunner exporting;
    int cancelled = 0;
    QWidget window;
    JobIndicator indicator({{&loading}, {&exporting, [&cancelled] { ++cancelled; }}}, &window);
    window.show();
    auto* stage = indicator.findChild<QLabel*>(QStringLiteral("jobStage"));
    auto* cancel = indicator.findChild<QToolButton*>(QStringLiteral("jobCancel"));
    emit exporting.started({});
    emit exporting.progressChanged(0.5, QStringLiteral("Writing kept.csv"));
    QVERIFY(indicator.isVisible());
    QCOMPARE(stage->text(), QStringLiteral("Writing kept.csv"));
    QTest::mouseClick(cancel, Qt::LeftButton);
    QCOMPARE(cancelled, 1);
    emit loading.started({});
    emit loading.progressChanged(0.1, QStringLiteral("Scoring"));
    emit exporting.progressChanged(0.6, QStringLiteral("Writing kept.csv"));
    QCOMPARE(stage->text(), QStringLiteral("Scoring (and 1 more)"));
    QTest::mouseClick(cancel, Qt::LeftButton); // of loading, which nobody runs here
    QCOMPARE(cancelled, 1);
    emit loading.finished();
    QCOMPARE(stage->text(), QStringLiteral("Writing kept.csv"));
    emit exporting.cancelled();
    QVERIFY(!indicator.isVisible());
}

ASSAY_TEST(job_indicator_test, JobIndicatorTest)
#include "job_indicator_test.moc"
