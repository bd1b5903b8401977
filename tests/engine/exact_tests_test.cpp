// Exact tests of counts, against SciPy 1.17 and against sums over all tables.
#include "engine/math/statistics/significance_tests.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace assay;

namespace {

bool isClose(double actual, double expected, double relative = 1e-9) {
    return std::abs(actual - expected) <= relative * std::max(std::abs(expected), 1e-300);
}

/// C(n, k) by Pascal's rule, exact for small n.
double choose(std::size_t n, std::size_t k) {
    if (k > n)
        return 0.0;
    double value = 1.0;
    for (std::size_t i = 1; i <= k; ++i)
        value = std::round(value * static_cast<double>(n - k + i) / static_cast<double>(i));
    return value;
}

/// Probability of each number of marked items.
std::vector<double> probabilities(const MarkedDraws& draws) {
    std::vector<double> all(draws.drawn + 1);
    for (std::size_t x = 0; x <= draws.drawn; ++x)
        all[x] = choose(draws.marked, x) * choose(draws.population - draws.marked, draws.drawn - x) /
                 choose(draws.population, draws.drawn);
    return all;
}

} // namespace

class ExactTestsTest : public QObject {
    Q_OBJECT

private slots:
    void fisherIsSciPys_data();
    void fisherIsSciPys();
    void equalsSumsOverAllTables();
    void hypergeometricIsSciPys_data();
    void hypergeometricIsSciPys();
    void drawsFollowTheirLaw_data();
    void drawsFollowTheirLaw();
    void exceedanceIsSciPys_data();
    void exceedanceIsSciPys();
    void exceedanceEndsAtItsBounds();
    void poissonIsSciPys_data();
    void poissonIsSciPys();
};

void ExactTestsTest::fisherIsSciPys_data() {
    QTest::addColumn<std::size_t>("first");
    QTest::addColumn<std::size_t>("ofFirst");
    QTest::addColumn<std::size_t>("second");
    QTest::addColumn<std::size_t>("ofSecond");
    QTest::addColumn<double>("twoSided");
    QTest::addColumn<double>("greater");
    QTest::addColumn<double>("less");
    const auto row = [](const char* name, std::vector<std::size_t> counts, double twoSided, double greater,
                        double less) {
        QTest::newRow(name) << counts[0] << counts[1] << counts[2] << counts[3] << twoSided << greater << less;
    };
    // fisher_exact([[first, ofFirst - first], [second, ofSecond - second]], side)[1]
    row("a few", {3, 20, 9, 25}, 0.17677262260359253, 0.9751247510748362, 0.10585542065973148);
    row("none", {0, 50, 8, 60}, 0.007555423564346809, 1.0, 0.006245022574149038);
    row("tiny", {25, 500, 250, 500}, 3.3175345675821467e-63, 1.0, 1.6587672837910733e-63);
    row("equal", {1, 10, 1, 10}, 1.0, 0.763157894736842, 0.763157894736842);
    row("equal halves", {2, 4, 2, 4}, 1.0, 0.7571428571428571, 0.7571428571428571);
    row("none at all", {0, 10, 0, 20}, 1.0, 1.0, 1.0);
    row("all", {10, 10, 5, 5}, 1.0, 1.0, 1.0);
    row("a million", {500123, 1000000, 499000, 1000000}, 0.11256965609527275, 0.056284828047636376, 0.9440348801003089);
    row("rare of a million", {1200, 1000000, 1000, 900000}, 0.07276373971940867, 0.03766079979321138,
        0.9657191300474537);
    row("mirror", {5, 1000000, 20, 1000000}, 0.004077093659424382, 0.9995447713904629, 0.002038546829712191);
    row("more", {7, 100, 1, 90}, 0.06757251104098315, 0.04484125880266707, 0.994870557111134);
    row("unequal sizes", {0, 1000, 404, 50000}, 0.0007945790934179102, 1.0, 0.0003247819766185384);
}

void ExactTestsTest::fisherIsSciPys() {
    QFETCH(std::size_t, first);
    QFETCH(std::size_t, ofFirst);
    QFETCH(std::size_t, second);
    QFETCH(std::size_t, ofSecond);
    QFETCH(double, twoSided);
    QFETCH(double, greater);
    QFETCH(double, less);
    constexpr double kScipysError = 3e-8; // SciPy's own, at a million
    const double exact = fisherExact(first, ofFirst, second, ofSecond);
    QVERIFY2(isClose(exact, twoSided, kScipysError), qPrintable(QString::number(exact, 'g', 17)));
    QVERIFY(isClose(fisherExact(first, ofFirst, second, ofSecond, Alternative::Greater), greater, kScipysError));
    QVERIFY(isClose(fisherExact(first, ofFirst, second, ofSecond, Alternative::Less), less, kScipysError));
}

void ExactTestsTest::equalsSumsOverAllTables() {
    for (const MarkedDraws draws : {MarkedDraws{12, 5, 7}, {20, 10, 10}, {17, 1, 16}, {40, 33, 11}, {9, 9, 4}}) {
        const std::vector<double> p = probabilities(draws);
        double below = 0.0;
        for (std::size_t x = 0; x <= draws.drawn; ++x) {
            QVERIFY(std::abs(hypergeometricAtLeast(x, draws) - (1.0 - below)) < 1e-13);
            below += p[x];
            QVERIFY(std::abs(hypergeometricAtMost(x, draws) - below) < 1e-13);
            if (x > draws.marked || draws.marked - x > draws.population - draws.drawn)
                continue;
            double asExtreme = 0.0;
            for (const double other : p)
                asExtreme += other <= p[x] * (1.0 + 1e-7) ? other : 0.0;
            const double actual = fisherExact(x, draws.drawn, draws.marked - x, draws.population - draws.drawn);
            QVERIFY2(isClose(actual, asExtreme), qPrintable(QString("%1 of %2").arg(x).arg(draws.drawn)));
        }
    }
}

void ExactTestsTest::hypergeometricIsSciPys_data() {
    QTest::addColumn<std::size_t>("count");
    QTest::addColumn<std::size_t>("population");
    QTest::addColumn<std::size_t>("marked");
    QTest::addColumn<std::size_t>("drawn");
    QTest::addColumn<double>("atMost");
    QTest::addColumn<double>("atLeast");
    const auto row = [](const char* name, std::size_t count, const MarkedDraws& draws, double atMost, double atLeast) {
        QTest::newRow(name) << count << draws.population << draws.marked << draws.drawn << atMost << atLeast;
    };
    // hypergeom.cdf(count, population, marked, drawn), hypergeom.sf(count - 1, population, marked, drawn)
    row("none", 0, {1000, 37, 100}, 0.018792517397986312, 1.0);
    row("few", 5, {60, 20, 30}, 0.006349473145896314, 0.9989239040689564);
    row("a million", 100, {1000000, 300, 400000}, 0.010207598997375066, 0.9926424969065591);
    row("lost class", 0, {51000, 30, 1000}, 0.5519766835239504, 1.0);
}

void ExactTestsTest::hypergeometricIsSciPys() {
    QFETCH(std::size_t, count);
    QFETCH(std::size_t, population);
    QFETCH(std::size_t, marked);
    QFETCH(std::size_t, drawn);
    QFETCH(double, atMost);
    QFETCH(double, atLeast);
    QVERIFY(isClose(hypergeometricAtMost(count, {population, marked, drawn}), atMost));
    QVERIFY(isClose(hypergeometricAtLeast(count, {population, marked, drawn}), atLeast));
}

void ExactTestsTest::drawsFollowTheirLaw_data() {
    QTest::addColumn<std::size_t>("population");
    QTest::addColumn<std::size_t>("marked");
    QTest::addColumn<std::size_t>("drawn");
    const auto row = [](const char* name, const MarkedDraws& draws) {
        QTest::newRow(name) << draws.population << draws.marked << draws.drawn;
    };
    row("one by one", {60, 7, 30});
    row("one by one, exchanged", {60, 40, 12});
    row("by inversion", {400, 60, 150});
    row("by inversion, at the lower bound", {100, 60, 45});
    row("by inversion, at the upper bound", {100, 97, 90});
    row("all", {50, 50, 40});
    row("none", {50, 0, 40});
}

void ExactTestsTest::drawsFollowTheirLaw() {
    QFETCH(std::size_t, population);
    QFETCH(std::size_t, marked);
    QFETCH(std::size_t, drawn);
    const MarkedDraws draws{population, marked, drawn};
    constexpr std::size_t kDraws = 20000;
    constexpr std::uint64_t kSeed = 17;
    Random random(kSeed);
    std::vector<std::size_t> counts(drawn + 1, 0);
    for (std::size_t draw = 0; draw < kDraws; ++draw)
        ++counts.at(drawMarked(draws, random));
    double atMost = 0.0;
    for (std::size_t x = 0; x <= drawn; ++x) {
        atMost += static_cast<double>(counts[x]) / static_cast<double>(kDraws);
        // The Kolmogorov distance of as many draws exceeds 2 / sqrt(draws) with a chance of 0.07 %.
        QVERIFY2(std::abs(atMost - hypergeometricAtMost(x, draws)) < 2.0 / std::sqrt(static_cast<double>(kDraws)),
                 qPrintable(QString("%1 marked, seed %2").arg(x).arg(kSeed)));
    }
}

void ExactTestsTest::exceedanceIsSciPys_data() {
    QTest::addColumn<std::size_t>("count");
    QTest::addColumn<std::size_t>("ofFirst");
    QTest::addColumn<std::size_t>("rank");
    QTest::addColumn<std::size_t>("ofSecond");
    QTest::addColumn<double>("p");
    const auto row = [](const char* name, std::vector<std::size_t> of, double p) {
        QTest::newRow(name) << of[0] << of[1] << of[2] << of[3] << p;
    };
    // nhypergeom.sf(count - 1, ofFirst + ofSecond, ofFirst, rank)
    row("any", {0, 500, 1, 100}, 1.0);
    row("beyond the first", {10, 500, 1, 100}, 0.15907300330808405);
    row("beyond the second", {40, 1000, 2, 200}, 0.00470249453591598);
    row("beyond the fifth", {70, 1000, 5, 300}, 2.8470596093010947e-05);
}

void ExactTestsTest::exceedanceIsSciPys() {
    QFETCH(std::size_t, count);
    QFETCH(std::size_t, ofFirst);
    QFETCH(std::size_t, rank);
    QFETCH(std::size_t, ofSecond);
    QFETCH(double, p);
    const double exact = exceedanceProbability(count, ofFirst, rank, ofSecond);
    QVERIFY2(isClose(exact, p, 1e-7), qPrintable(QString::number(exact, 'g', 17))); // SciPy subtracts from 1
}

void ExactTestsTest::exceedanceEndsAtItsBounds() {
    QCOMPARE(exceedanceProbability(6, 5, 1, 7), 0.0);
    QVERIFY(isClose(exceedanceProbability(5, 5, 1, 7), 1.0 / choose(12, 5)));        // all before all of the others
    QVERIFY(isClose(exceedanceProbability(25, 500, 1, 500), 2.191167238339095e-08)); // prod((500 - i) / (1000 - i))
    QVERIFY(isClose(exceedanceProbability(1, 5, 7, 7), 1.0 - 1.0 / choose(12, 5)));
}

void ExactTestsTest::poissonIsSciPys_data() {
    QTest::addColumn<std::size_t>("count");
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("p");
    const auto row = [](const char* name, std::size_t count, double mean, double p) {
        QTest::newRow(name) << count << mean << p;
    };
    // poisson.cdf(count, mean)
    row("none", 0, 0.5, 0.6065306597126334);
    row("few", 3, 10.0, 0.010336050675925726);
    row("many", 100, 80.0, 0.9868311451240662);
    row("hardly any expected", 2, 1e-9, 1.0);
    row("none expected", 0, 0.0, 1.0);
    row("far tail", 5, 300.0, 1.0601197219852573e-120);
}

void ExactTestsTest::poissonIsSciPys() {
    QFETCH(std::size_t, count);
    QFETCH(double, mean);
    QFETCH(double, p);
    QVERIFY(isClose(poissonAtMost(count, mean), p));
}

ASSAY_TEST(exact_tests_test, ExactTestsTest)
#include "exact_tests_test.moc"
