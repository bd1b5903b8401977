// Conformal p-values, the false discovery rate and the share of bad samples, against their definitions.
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/significance_tests.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace assay;
using Values = std::vector<double>;

class ConformalTest : public QObject {
    Q_OBJECT

private slots:
    void pValuesCountWhatIsAtLeastAsExtreme();
    void whatIsNoNumberNeverAccuses();
    void adjustedIsBenjaminiHochberg();
    void shareNotEvenIsStorey();
};

void ConformalTest::pValuesCountWhatIsAtLeastAsExtreme() {
    const Values calibration{3.0, 1.0, 2.0, 2.0};
    QCOMPARE(conformalPValues(Values{0.0, 1.0, 2.0, 2.5, 3.0, 4.0}, calibration, Extreme::High),
             (Values{1.0, 1.0, 0.8, 0.4, 0.4, 0.2}));
    QCOMPARE(conformalPValues(Values{0.0, 1.0, 2.0, 2.5, 3.0, 4.0}, calibration, Extreme::Low),
             (Values{0.2, 0.4, 0.8, 0.8, 1.0, 1.0}));
    QCOMPARE(conformalPValues(Values{7.0}, {}, Extreme::High), Values{1.0});
    QVERIFY(conformalPValues({}, calibration, Extreme::High).empty());
}

void ConformalTest::whatIsNoNumberNeverAccuses() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    QCOMPARE(conformalPValues(Values{kNaN, 5.0, kInfinity}, {1.0, kNaN, kInfinity}, Extreme::High),
             (Values{1.0, 0.75, 0.75}));
    QCOMPARE(conformalPValues(Values{kNaN, 0.0}, {kNaN, kNaN, kNaN}, Extreme::Low), (Values{1.0, 1.0}));
}

void ConformalTest::adjustedIsBenjaminiHochberg() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> even;
    for (int trial = 0; trial < 50; ++trial) {
        Values p(40);
        for (double& value : p)
            value = std::ceil(20.0 * std::pow(even(random), 3.0)) / 20.0; // ties among them
        const Values adjusted = benjaminiHochberg(p);
        for (const double rate : {0.013, 0.05, 0.21, 0.5, 0.9}) {
            Values sorted = p;
            std::sort(sorted.begin(), sorted.end());
            double bound = -1.0; // the largest p that is at most rate rank / P
            for (std::size_t rank = 1; rank <= sorted.size(); ++rank)
                if (sorted[rank - 1] <= rate * static_cast<double>(rank) / static_cast<double>(sorted.size()))
                    bound = sorted[rank - 1];
            for (std::size_t i = 0; i < p.size(); ++i)
                QCOMPARE(adjusted[i] <= rate, p[i] <= bound);
        }
    }
    QVERIFY(benjaminiHochberg({}).empty());
}

void ConformalTest::shareNotEvenIsStorey() {
    QCOMPARE(shareNotUniform(Values{0.1, 0.2, 0.6, 0.9, 0.01, 0.02, 0.03, 0.04}), 1.0 - 3.0 / 4.0);
    QCOMPARE(shareNotUniform(Values{0.6, 0.7}), 0.0);
    QCOMPARE(shareNotUniform({}), 0.0);
}

ASSAY_TEST(conformal_test, ConformalTest)
#include "conformal_test.moc"
