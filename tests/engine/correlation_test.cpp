#include "engine/math/statistics/rank_statistics.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <random>
#include <vector>

using namespace assay;

namespace {

/// Kendall's tau-b and Spearman's coefficient as their textbook definitions say, by counting.
double countedKendall(const std::vector<double>& x, const std::vector<double>& y) {
    double concordant = 0;
    double discordant = 0;
    double tiedX = 0;
    double tiedY = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j) {
            const double product = (x[i] - x[j]) * (y[i] - y[j]);
            concordant += product > 0.0;
            discordant += product < 0.0;
            tiedX += x[i] == x[j];
            tiedY += y[i] == y[j];
        }
    const double pairs = n * (n - 1.0) / 2.0;
    return (concordant - discordant) / std::sqrt((pairs - tiedX) * (pairs - tiedY));
}

std::vector<double> countedRanks(const std::vector<double>& values) {
    std::vector<double> ranks;
    for (const double value : values) {
        double below = 0;
        double equal = 0;
        for (const double other : values) {
            below += other < value;
            equal += other == value;
        }
        ranks.push_back(below + (equal + 1.0) / 2.0);
    }
    return ranks;
}

double momentsPearson(const std::vector<double>& x, const std::vector<double>& y) {
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        syy += y[i] * y[i];
        sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

} // namespace

class CorrelationTest : public QObject {
    Q_OBJECT

private slots:
    void equalsTheDefinitions();
    void publishedValues();
    void intervalsCoverTheTruth();
    void nothingToCompare();
};

void CorrelationTest::equalsTheDefinitions() {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        std::uniform_int_distribution<int> few(0, 6); // many ties
        std::vector<double> x(3 + static_cast<std::size_t>(round % 30));
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = few(random);
            y[i] = few(random) + (round % 2 ? x[i] : 0.0);
        }
        if (std::isnan(kendall(x, y).value))
            continue;
        QVERIFY(std::abs(pearson(x, y).value - momentsPearson(x, y)) < 1e-9);
        QVERIFY(std::abs(spearman(x, y).value - momentsPearson(countedRanks(x), countedRanks(y))) < 1e-9);
        QVERIFY(std::abs(kendall(x, y).value - countedKendall(x, y)) < 1e-12);
    }
}

void CorrelationTest::publishedValues() {
    const std::vector<double> x{1, 2, 3, 4, 5};
    const std::vector<double> falling{5, 4, 3, 2, 1};
    for (const auto& coefficient : {pearson(x, falling), spearman(x, falling), kendall(x, falling)}) {
        QCOMPARE(coefficient.value, -1.0);
        QCOMPARE(coefficient.interval->low, -1.0);
        QCOMPARE(coefficient.interval->high, -1.0);
    }
    // Anscombe's first quartet, American Statistician 1973: 0.816 for all four.
    const std::vector<double> a{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const std::vector<double> b{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    QVERIFY(std::abs(pearson(a, b).value - 0.81642) < 1e-5);
}

void CorrelationTest::intervalsCoverTheTruth() {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    constexpr double kTrue = 0.6;
    int covered = 0;
    constexpr int kRounds = 2000;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<double> x(15);
        std::vector<double> y(15);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = normal(random);
            y[i] = kTrue * x[i] + std::sqrt(1.0 - kTrue * kTrue) * normal(random);
        }
        const auto interval = pearson(x, y).interval;
        covered += interval->low <= kTrue && kTrue <= interval->high;
    }
    QVERIFY2(covered > 0.93 * kRounds && covered < 0.97 * kRounds, qPrintable(QString::number(covered)));
}

void CorrelationTest::nothingToCompare() {
    const std::vector<double> same{2, 2, 2, 2, 2, 2};
    const std::vector<double> other{1, 2, 3, 4, 5, 6};
    QVERIFY(std::isnan(pearson(same, other).value) && !pearson(same, other).interval);
    QVERIFY(std::isnan(spearman(other, same).value));
    QVERIFY(std::isnan(kendall(same, other).value));
    QVERIFY(std::isnan(pearson({}, {}).value));
    const std::vector<double> four{1, 2, 3, 4};
    QVERIFY(!kendall(four, four).interval);
}

ASSAY_TEST(correlation_test, CorrelationTest)
#include "correlation_test.moc"
