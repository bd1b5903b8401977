#include "engine/base/time_left.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <random>

using namespace assay;
using namespace std::chrono_literals;
using Clock = TimeLeft::Clock;

namespace {

constexpr Clock::time_point kStart{};
const Clock::time_point kBegin = kStart + 1000s;

Clock::time_point at(double seconds) {
    return kBegin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

struct Shown {
    double time;
    std::optional<std::chrono::seconds> left;
};

/// What is shown, asked every 0.1 s of a job that lasts `total` seconds and whose share at each time is given.
std::vector<Shown> watch(double total, const std::function<double(double)>& share) {
    TimeLeft left;
    std::vector<Shown> shown;
    for (int step = 0; step * 0.1 <= total; ++step) {
        const double time = step * 0.1;
        left.report(at(time), share(time));
        shown.push_back({time, left.estimate(at(time))});
    }
    return shown;
}

/// How often the number that is shown went up.
int rises(const std::vector<Shown>& shown) {
    int count = 0;
    for (std::size_t i = 1; i < shown.size(); ++i)
        count += shown[i].left && shown[i - 1].left && *shown[i].left > *shown[i - 1].left;
    return count;
}

} // namespace

class TimeLeftTest : public QObject {
    Q_OBJECT

private slots:
    void saysNothingAtFirst();
    void countsDownToTheEndOfASteadyJob_data();
    void countsDownToTheEndOfASteadyJob();
    void staysCloseUnderNoise_data();
    void staysCloseUnderNoise();
    void followsAChangeOfSpeedWithoutJumps_data();
    void followsAChangeOfSpeedWithoutJumps();
    void ignoresAQuickBeginning();
    void saysNothingWhenNothingMoves();
    void saysNothingAtTheEnd();
    void aFractionThatFallsBeginsAnew();
    void rareNewsIsNoTrouble();
    void knowsNoMoreThanItHasSeen();
    void saysItInWords_data();
    void saysItInWords();
};

void TimeLeftTest::saysNothingAtFirst() {
    TimeLeft left;
    QVERIFY(!left.estimate(at(0)));
    for (const Shown& shown : watch(59, [](double t) { return t / 60; }))
        QVERIFY2(shown.left.has_value() == (shown.time > 1.95), qPrintable(QString::number(shown.time)));
    for (const Shown& shown : watch(1.5, [](double t) { return t / 1.5; }))
        QVERIFY(!shown.left); // short jobs are over before
}

void TimeLeftTest::countsDownToTheEndOfASteadyJob_data() {
    QTest::addColumn<double>("total");
    for (const double total : {4.0, 10.0, 40.0, 100.0, 250.0, 1000.0, 9000.0})
        QTest::addRow("%g s", total) << total;
}

void TimeLeftTest::countsDownToTheEndOfASteadyJob() {
    QFETCH(double, total);
    const auto shown = watch(total - 0.05, [&](double t) { return t / total; });
    QCOMPARE(rises(shown), 0);
    bool any = false;
    for (const Shown& now : shown) {
        if (!now.left)
            continue;
        any = true;
        const double truth = total - now.time;
        const double said = static_cast<double>(now.left->count());
        const double step = truth <= 60 ? 5.0 : truth <= 300 ? 10.0 : truth <= 3600 ? 60.0 : 300.0;
        if (said == 0.0)
            QVERIFY(truth < 8.1);
        else
            QVERIFY2(said > truth - 0.2 && said < truth + step + 0.2,
                     qPrintable(QString("%1 s left, said %2").arg(truth).arg(said)));
    }
    QVERIFY(any);
}

void TimeLeftTest::staysCloseUnderNoise_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TimeLeftTest::staysCloseUnderNoise() {
    QFETCH(int, seed);
    // Speed changes at random every 0.1 s, from nothing to three times the mean.
    std::mt19937 random(static_cast<unsigned>(seed));
    std::exponential_distribution<double> speed;
    std::vector<double> done{0.0};
    for (int i = 0; i < 900; ++i)
        done.push_back(done.back() + std::min(speed(random), 3.0));
    const auto shown = watch(90, [&](double t) { return done[static_cast<std::size_t>(t * 10 + 0.5)] / done.back(); });
    QVERIFY2(rises(shown) <= 3, qPrintable(QString::number(rises(shown))));
    for (const Shown& now : shown)
        if (now.time > 10 && now.left) {
            const double truth = 90 - now.time;
            QVERIFY2(std::abs(static_cast<double>(now.left->count()) - truth) < 0.35 * truth + 12,
                     qPrintable(QString("%1 s left, said %2").arg(truth).arg(now.left->count())));
        }
}

void TimeLeftTest::followsAChangeOfSpeedWithoutJumps_data() {
    QTest::addColumn<double>("firstSpeed");
    QTest::newRow("three times slower in the second half") << 3.0;
    QTest::newRow("three times faster in the second half") << 1.0 / 3.0;
}

void TimeLeftTest::followsAChangeOfSpeedWithoutJumps() {
    QFETCH(double, firstSpeed);
    // Half of the share at `firstSpeed` times the speed of the other half; 80 s in all.
    const double slow = 80.0 / (0.5 / firstSpeed + 0.5);
    const double turn = 0.5 * slow / firstSpeed;
    const auto shown =
        watch(79.9, [&](double t) { return t < turn ? t * firstSpeed / slow : 0.5 + (t - turn) / slow; });
    for (std::size_t i = 1; i < shown.size(); ++i) {
        if (!shown[i].left || !shown[i - 1].left)
            continue;
        const double change = static_cast<double>((*shown[i].left - *shown[i - 1].left).count());
        QVERIFY2(std::abs(change) <= 10 + 0.35 * static_cast<double>(shown[i - 1].left->count()),
                 qPrintable(QString("%1 at %2 s").arg(change).arg(shown[i].time)));
        if (shown[i].time > turn + 25.0) {
            const double truth = 80.0 - shown[i].time;
            QVERIFY2(std::abs(static_cast<double>(shown[i].left->count()) - truth) < 10.0,
                     qPrintable(QString("%1 s left, said %2").arg(truth).arg(shown[i].left->count())));
        }
    }
}

void TimeLeftTest::ignoresAQuickBeginning() {
    // A tenth is done at once (files from the cache), the rest takes a minute.
    for (const Shown& now : watch(60, [](double t) { return t < 0.3 ? t / 3 : 0.1 + 0.9 * (t - 0.3) / 60; }))
        if (now.left && now.time < 3)
            QVERIFY2(now.left->count() >= 55 && now.left->count() <= 70,
                     qPrintable(QString::number(now.left->count())));
}

void TimeLeftTest::saysNothingWhenNothingMoves() {
    const auto shown = watch(60, [](double t) { return std::min(t, 10.0) / 40; });
    QVERIFY(shown[100].left);
    QVERIFY(!shown[300].left);
    QVERIFY(!shown.back().left);
    for (const Shown& now : watch(30, [](double) { return 0.0; }))
        QVERIFY(!now.left);
}

void TimeLeftTest::saysNothingAtTheEnd() {
    const auto shown = watch(20, [](double t) { return std::min(1.0, t / 19.9); });
    QCOMPARE(shown[shown.size() - 4].left, std::optional(0s));
    QVERIFY(!shown.back().left);
}

void TimeLeftTest::aFractionThatFallsBeginsAnew() {
    const auto shown = watch(40, [](double t) { return t < 20 ? t / 25 : (t - 20) / 100; });
    QVERIFY(shown[199].left);
    for (std::size_t i = 200; i < 220; ++i)
        QVERIFY(!shown[i].left);
    QVERIFY2(shown[260].left && shown[260].left->count() >= 90 && shown[260].left->count() <= 110,
             "the second job's own speed");
    TimeLeft left;
    left.report(at(0), 0.0);
    left.reset();
    QVERIFY(!left.estimate(at(10)));
}

void TimeLeftTest::rareNewsIsNoTrouble() {
    // A report every 3 s, each of 3 percent; asked every 0.1 s.
    for (const Shown& now : watch(95, [](double t) { return std::floor(t / 3) * 0.03; }))
        if (now.left && now.time > 15) {
            const double truth = 100 - now.time;
            QVERIFY2(std::abs(static_cast<double>(now.left->count()) - truth) < 0.3 * truth + 10,
                     qPrintable(QString("%1 s left, said %2").arg(truth).arg(now.left->count())));
        }
}

void TimeLeftTest::knowsNoMoreThanItHasSeen() {
    for (const Shown& now : watch(60, [](double t) { return t / 7200; })) // two hours
        QVERIFY(now.left.has_value() == (now.time > 20.95));
}

void TimeLeftTest::saysItInWords_data() {
    QTest::addColumn<int>("seconds");
    QTest::addColumn<std::string>("text");
    for (const auto& [seconds, text] : {std::pair{0, "a few seconds left"},
                                        {10, "about 10 s left"},
                                        {40, "about 40 s left"},
                                        {60, "about 1 min left"},
                                        {130, "about 2 min 10 s left"},
                                        {300, "about 5 min left"},
                                        {720, "about 12 min left"},
                                        {3600, "about 1 h left"},
                                        {11100, "about 3 h 5 min left"},
                                        {90000, "about 25 h left"}})
        QTest::addRow("%d", seconds) << seconds << std::string(text);
}

void TimeLeftTest::saysItInWords() {
    QFETCH(int, seconds);
    QFETCH(std::string, text);
    QCOMPARE(timeLeftText(std::chrono::seconds(seconds)), text);
}

ASSAY_TEST(time_left_test, TimeLeftTest)
#include "time_left_test.moc"
