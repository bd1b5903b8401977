// Tail scores against the definitions: -log of a rank up to the 90 % quantile, an exponential tail beyond; calibration
// values against a fit of all others.
#include "engine/metrics/verdicts/sample_statistics.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using Values = std::vector<double>;

namespace {

Values drawn(const std::string& law, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::poisson_distribution<int> counts(2.0);
    Values values(count);
    std::ranges::generate(values, [&] {
        if (law == "heavy")
            return std::exp(2.0 * normal(random));
        if (law == "counts")
            return static_cast<double>(counts(random));
        return normal(random);
    });
    return values;
}

/// Straight from the definition. @param quantile the calibration value up to which ranks count
double naiveTail(double value, const Values& calibration, double quantile) {
    double beyond = 0.0;
    double excess = 0.0;
    double atLeast = 0.0;
    for (const double one : calibration) {
        beyond += one > quantile ? 1.0 : 0.0;
        excess += one > quantile ? one - quantile : 0.0;
        atLeast += one >= value ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(calibration.size());
    const double rank = (1.0 + atLeast) / (1.0 + n);
    if (beyond < 5.0)
        return -std::log(std::max(rank, 0.5 / n));
    if (value > quantile)
        return -std::log(0.1) + (value - quantile) / (excess / beyond);
    return -std::log(std::max(rank, 0.1));
}

double quantileOf(Values values) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(0.9 * static_cast<double>(values.size()))];
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

} // namespace

class TailScoresTest : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheDefinition_data();
    void areThoseOfTheDefinition();
    void leftOutAreThoseOfAFitWithoutTheValue_data();
    void leftOutAreThoseOfAFitWithoutTheValue();
    void withoutATailTheRankCounts();
    void orderOfValuesDoesNotMatter();
    void ranksOfTheLargestOfSeveralAreEven();
};

void TailScoresTest::areThoseOfTheDefinition_data() {
    QTest::addColumn<QString>("law");
    QTest::addColumn<std::size_t>("count");
    for (const char* law : {"normal", "heavy", "counts"})
        for (const std::size_t count : {std::size_t{10}, std::size_t{57}, std::size_t{400}})
            QTest::addRow("%s, %zu", law, count) << QString(law) << count;
}

void TailScoresTest::areThoseOfTheDefinition() {
    QFETCH(QString, law);
    QFETCH(std::size_t, count);
    const Values calibration = drawn(law.toStdString(), count, 1);
    Values values = drawn(law.toStdString(), 200, 2);
    values.push_back(100.0);
    values.push_back(-100.0);
    const Values found = tailScores(values, calibration);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = naiveTail(values[i], calibration, quantileOf(calibration));
        QVERIFY2(near(found[i], expected), qPrintable(QString("%1: %2, not %3").arg(i).arg(found[i]).arg(expected)));
        QVERIFY(found[i] >= 0.0);
    }
}

void TailScoresTest::leftOutAreThoseOfAFitWithoutTheValue_data() {
    QTest::addColumn<QString>("law");
    QTest::addColumn<std::size_t>("count");
    for (const char* law : {"normal", "heavy"}) // values that tie at the quantile: withoutATailTheRankCounts
        for (const std::size_t count : {std::size_t{10}, std::size_t{57}, std::size_t{400}})
            QTest::addRow("%s, %zu", law, count) << QString(law) << count;
}

void TailScoresTest::leftOutAreThoseOfAFitWithoutTheValue() {
    QFETCH(QString, law);
    QFETCH(std::size_t, count);
    const Values calibration = drawn(law.toStdString(), count, 3);
    const Values found = tailScoresLeftOut(calibration);
    for (std::size_t i = 0; i < count; ++i) {
        Values others = calibration;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const double expected = naiveTail(calibration[i], others, quantileOf(others));
        QVERIFY2(near(found[i], expected), qPrintable(QString("%1: %2, not %3").arg(i).arg(found[i]).arg(expected)));
    }
}

void TailScoresTest::withoutATailTheRankCounts() {
    Values calibration(100, 0.0);
    std::fill_n(calibration.begin(), 40, 1.0); // the quantile is the largest value
    const Values found = tailScores(Values{0.0, 1.0, 2.0}, calibration);
    QCOMPARE(found[0], 0.0);
    QVERIFY(near(found[1], -std::log(41.0 / 101.0)));
    QVERIFY(near(found[2], -std::log(1.0 / 101.0)));
    const Values own = tailScoresLeftOut(calibration);
    QVERIFY(near(own[0], -std::log(0.4)) && own[0] == own[39]);
    QCOMPARE(own[99], 0.0);
    for (const std::size_t few : {std::size_t{1}, std::size_t{2}, std::size_t{3}})
        for (const double score : tailScoresLeftOut(Values(few, 3.0)))
            QVERIFY(std::isfinite(score));
}

void TailScoresTest::orderOfValuesDoesNotMatter() {
    for (const char* law : {"normal", "heavy", "counts"}) {
        const Values calibration = drawn(law, 300, 4);
        const Values reversed(calibration.rbegin(), calibration.rend());
        const Values scores = tailScoresLeftOut(calibration);
        const Values backwards = tailScoresLeftOut(reversed);
        for (std::size_t i = 0; i < scores.size(); ++i)
            QCOMPARE(scores[i], backwards[scores.size() - 1 - i]);
        for (std::size_t i = 0; i < scores.size(); ++i) // ties stay ties
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(calibration[i] != calibration[j] || scores[i] == scores[j]);
        QCOMPARE(tailScores(calibration, calibration), tailScores(calibration, reversed));
    }
}

/// The rank of the largest of three tail scores is even for new samples, heavy tails or not: the rate of false alarms
/// is what it claims.
void TailScoresTest::ranksOfTheLargestOfSeveralAreEven() {
    constexpr unsigned kTrials = 200;
    constexpr std::size_t kRows = 200;
    double flagged = 0.0;
    for (unsigned trial = 0; trial < kTrials; ++trial) {
        Values good(kRows, 0.0);
        Values fresh(kRows, 0.0);
        for (unsigned test = 0; const char* law : {"normal", "heavy", "counts"}) {
            const Values calibration = drawn(law, kRows, 100 + 10 * trial + test);
            const Values own = tailScoresLeftOut(calibration);
            const Values given = tailScores(drawn(law, kRows, 105 + 10 * trial + test), calibration);
            for (std::size_t i = 0; i < kRows; ++i) {
                good[i] = std::max(good[i], own[i]);
                fresh[i] = std::max(fresh[i], given[i]);
            }
            ++test;
        }
        for (const double score : fresh) {
            const auto atLeast = std::ranges::count_if(good, [score](double one) { return one >= score; });
            flagged += (1.0 + static_cast<double>(atLeast)) / (1.0 + kRows) <= 0.05 ? 1.0 / (kRows * kTrials) : 0.0;
        }
    }
    // Ties among counts make it fewer than 5 %.
    QVERIFY2(flagged > 0.03 && flagged < 0.06, qPrintable(QString::number(flagged)));
}

ASSAY_TEST(tail_scores_test, TailScoresTest)
#include "tail_scores_test.moc"
