// More samples at the far end of a statistic than real ones explain: planted numbers, ties, good models.
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/sample_statistics.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace assay;
using Values = std::vector<double>;

namespace {

/// 0, 1, .. count - 1.
Values steps(std::size_t count) {
    Values values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<double>(i);
    return values;
}

/// Values of which so many are far beyond, the others below all real ones.
Values planted(std::size_t count, std::size_t beyond) {
    Values values(count, -1.0);
    std::fill_n(values.begin(), beyond, 1e6);
    return values;
}

Values normal(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> law;
    Values values(count);
    std::ranges::generate(values, [&] { return law(random); });
    return values;
}

} // namespace

class BeyondAllTest : public QObject {
    Q_OBJECT

private slots:
    void countsThemAll();
    void chanceIsLeftOut();
    void closeToTheEndOneRankIsNotEnough();
    void tiesWithTheRankAllCount();
    void fewSamplesHaveNoEnd();
    void goodModelsAreSeldomAccused();
};

void BeyondAllTest::countsThemAll() {
    const auto found = testBeyondAll(Beyond::MoreCrowded, planted(500, 50), steps(400));
    QVERIFY(found.has_value());
    QVERIFY(found->what == Beyond::MoreCrowded);
    QCOMPARE(found->rank, std::size_t{1});
    QCOMPARE(found->samples, std::size_t{50});
    QCOMPARE(found->ofSamples, std::size_t{500});
    QCOMPARE(found->real, std::size_t{1});
    QCOMPARE(found->ofReal, std::size_t{400});
    QVERIFY(std::abs(found->excess - (0.1 - 1.0 / 400.0)) < 1e-12);
    QVERIFY(found->isSure); // 7.5 % at least, and 1.4 % of the real ones at most
    const auto fewer = testBeyondAll(Beyond::Farther, planted(500, 25), steps(400));
    QVERIFY(fewer && fewer->samples == 25 && !fewer->isSure); // 5 %, perhaps 3
}

void BeyondAllTest::chanceIsLeftOut() {
    // The fewest that are reported are those whose probability is at most 0.001 / 3.
    for (std::size_t beyond = 0; beyond <= 30; ++beyond) {
        const bool isRare = beyond > 0 && exceedanceProbability(beyond, 500, 1, 400) <= 0.001 / 3.0;
        const auto found = testBeyondAll(Beyond::Farther, planted(500, beyond), steps(400));
        QCOMPARE(found.has_value(), isRare);
    }
    QVERIFY(!testBeyondAll(Beyond::Farther, {}, steps(400)));
}

/// 15 % lie within the last 5 real ones, but not beyond the last.
void BeyondAllTest::closeToTheEndOneRankIsNotEnough() {
    Values values(400, -1.0);
    std::fill_n(values.begin(), 60, 396.5);
    const auto found = testBeyondAll(Beyond::Farther, values, steps(400));
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, std::size_t{5});
    QCOMPARE(found->samples, std::size_t{60});
    QCOMPARE(found->real, std::size_t{5});
}

void BeyondAllTest::tiesWithTheRankAllCount() {
    // Counts: a tenth of both sets has the largest value.
    Values real(400, 0.0);
    Values values(500, 0.0);
    std::fill_n(real.begin(), 40, 7.0);
    std::fill_n(values.begin(), 55, 7.0);
    QVERIFY(!testBeyondAll(Beyond::Farther, values, real));
    std::fill_n(values.begin(), 200, 7.0);
    const auto found = testBeyondAll(Beyond::Farther, values, real);
    QVERIFY(found.has_value());
    QCOMPARE(found->samples, std::size_t{200});
    QCOMPARE(found->real, std::size_t{41}); // and one more
}

void BeyondAllTest::fewSamplesHaveNoEnd() {
    QVERIFY(!testBeyondAll(Beyond::Farther, planted(500, 500), steps(3)));
    QVERIFY(testBeyondAll(Beyond::Farther, planted(500, 500), steps(59)).has_value());
    QVERIFY(!testBeyondAll(Beyond::CloserToOne, planted(500, 500), steps(59)));
    QVERIFY(testBeyondAll(Beyond::CloserToOne, planted(500, 500), steps(60)).has_value());
}

void BeyondAllTest::goodModelsAreSeldomAccused() {
    struct Sizes {
        std::size_t real, synthetic;
    };
    for (const Sizes sizes : {Sizes{400, 400}, Sizes{60, 900}, Sizes{900, 60}}) {
        constexpr unsigned kTrials = 2000;
        unsigned wrong = 0;
        unsigned wrongOfTied = 0;
        for (unsigned trial = 0; trial < kTrials; ++trial) {
            Values real = normal(sizes.real, 2 * trial);
            Values values = normal(sizes.synthetic, 2 * trial + 1);
            wrong += testBeyondAll(Beyond::Farther, values, real) ? 1 : 0;
            for (Values* set : {&real, &values})
                for (double& value : *set)
                    value = std::round(2.0 * value);
            wrongOfTied += testBeyondAll(Beyond::Farther, values, real) ? 1 : 0;
        }
        // 0.1 % at most by the three ranks; 6 of 2,000 are beyond chance.
        QVERIFY2(wrong <= 6 && wrongOfTied <= 6, qPrintable(QString("%1, %2").arg(wrong).arg(wrongOfTied)));
    }
}

ASSAY_TEST(beyond_all_test, BeyondAllTest)
#include "beyond_all_test.moc"
