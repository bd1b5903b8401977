// Tests by distances of a held-out set: training samples that are picked out, exchanged files, sets of another law.
#include "engine/base/random.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/held_out/membership.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace assay;
using Distances = std::vector<double>;

namespace {

/// Distances of one law. @param levels above 0: as many different values only
Distances drawnDistances(std::size_t count, std::uint64_t seed, std::size_t levels = 0) {
    Random random(seed);
    Distances distances(count);
    for (double& distance : distances)
        distance = 1.0 + (levels > 0 ? static_cast<double>(random.below(levels)) : random.uniform());
    return distances;
}

/// Moves the first ones towards 0, where nothing else is.
Distances withNear(Distances distances, std::size_t near) {
    for (std::size_t i = 0; i < near; ++i)
        distances[i] *= 0.01;
    return distances;
}

/// Pair by pair: P(low < high) + P(low = high) / 2 of one value of either side.
double placement(double low, double high) {
    return low < high ? 1.0 : low == high ? 0.5 : 0.0;
}

/// Variance of the mean of some values.
double varianceOfMean(const Distances& values) {
    double mean = 0.0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares / static_cast<double>(values.size() - 1) / static_cast<double>(values.size());
}

} // namespace

class LeaksTest : public QObject {
    Q_OBJECT

private slots:
    void countsUpToTheThreshold();
    void tiesCountAsAlarms();
    void namesPlantedCopies();
    void seldomAccusesGoodModels_data();
    void seldomAccusesGoodModels();
    void leavesOutSmallSets();
    void areaIsDeLongs();
    void noticesExchangedFiles();
    void noticesHeldOutSamplesOfAnotherLaw();
};

void LeaksTest::countsUpToTheThreshold() {
    Distances heldOut;
    for (int i = 0; i < 250; ++i)
        heldOut.push_back(10.0 + i);
    const Distances real{1.0, 10.5, 10.9, 11.5, 50.0, 60.0};
    const auto found = pickedOut(real, heldOut);
    QVERIFY(found);
    QCOMPARE(found->threshold, 11.0); // the second nearest of 250
    QCOMPARE(found->picked, std::size_t{3});
    QCOMPARE(found->alarms, std::size_t{2});
    QCOMPARE(found->p, exceedanceProbability(3, 6, 2, 250));
    QCOMPARE(found->share(), 0.5);
    QCOMPARE(found->falseAlarms(), 2.0 / 251.0);
    QVERIFY(found->isReported() && found->marks());
}

void LeaksTest::tiesCountAsAlarms() {
    Distances heldOut(50, 3.0);
    heldOut[7] = heldOut[9] = heldOut[11] = 1.0;
    const auto amongHeldOut = pickedOut(Distances{0.5, 2.0, 3.0}, heldOut);
    QVERIFY(amongHeldOut);
    QCOMPARE(amongHeldOut->alarms, std::size_t{4}); // three at 1, and one more
    heldOut[9] = heldOut[11] = 2.0;
    QCOMPARE(pickedOut(Distances{0.5, 1.0, 3.0}, heldOut)->alarms, std::size_t{2}); // a real one at 1
    QCOMPARE(pickedOut(Distances{0.5, 1.5, 3.0}, heldOut)->alarms, std::size_t{1});
    const auto allEqual = pickedOut(Distances(30, 1.0), Distances(25, 1.0));
    QVERIFY(allEqual);
    QCOMPARE(allEqual->p, 1.0);
    QVERIFY(!allEqual->isReported());
}

void LeaksTest::namesPlantedCopies() {
    const Distances heldOut = drawnDistances(200, 1);
    const auto few = pickedOut(withNear(drawnDistances(1000, 2), 40), heldOut);
    QVERIFY(few && few->isReported() && !few->marks()); // 4 %
    const auto many = pickedOut(withNear(drawnDistances(1000, 2), 100), heldOut);
    QVERIFY(many && many->isReported() && many->marks());
    QVERIFY(many->picked >= 100);
}

void LeaksTest::seldomAccusesGoodModels_data() {
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("heldOut");
    QTest::addColumn<std::size_t>("levels");
    QTest::newRow("few held out") << std::size_t{1000} << std::size_t{50} << std::size_t{0};
    QTest::newRow("many held out") << std::size_t{500} << std::size_t{500} << std::size_t{0};
    QTest::newRow("ties") << std::size_t{500} << std::size_t{150} << std::size_t{5};
    QTest::newRow("some ties") << std::size_t{500} << std::size_t{100} << std::size_t{60};
}

void LeaksTest::seldomAccusesGoodModels() {
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, heldOut);
    QFETCH(std::size_t, levels);
    constexpr std::uint64_t kSeeds = 400;
    int reported = 0;
    int exchanged = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Distances ofReal = drawnDistances(real, 2 * seed, levels);
        const Distances ofHeldOut = drawnDistances(heldOut, 2 * seed + 1, levels);
        reported += pickedOut(ofReal, ofHeldOut)->isReported() ? 1 : 0;
        exchanged += isNearerToHeldOut(ofReal, ofHeldOut) ? 1 : 0;
    }
    // At 0.5 %, 8 or more of 400 have a chance of 0.1 %.
    QVERIFY2(reported <= 7, qPrintable(QString::number(reported)));
    QVERIFY2(exchanged <= 7, qPrintable(QString::number(exchanged)));
}

void LeaksTest::leavesOutSmallSets() {
    QVERIFY(!pickedOut(drawnDistances(100, 1), drawnDistances(19, 2)));
    QVERIFY(!pickedOut({}, drawnDistances(20, 2)));
    QVERIFY(pickedOut(drawnDistances(1, 1), drawnDistances(20, 2)));
    QVERIFY(!isNearerToHeldOut(Distances{5.0}, Distances{1.0, 2.0}));
}

void LeaksTest::areaIsDeLongs() {
    for (const std::size_t levels : {std::size_t{0}, std::size_t{6}}) {
        const Distances low = drawnDistances(40, 3, levels);
        const Distances high = drawnDistances(25, 4, levels);
        Distances ofLow(low.size(), 0.0);
        Distances ofHigh(high.size(), 0.0);
        for (std::size_t i = 0; i < low.size(); ++i)
            for (std::size_t j = 0; j < high.size(); ++j) {
                ofLow[i] += placement(low[i], high[j]) / static_cast<double>(high.size());
                ofHigh[j] += placement(low[i], high[j]) / static_cast<double>(low.size());
            }
        Distances scores = low;
        scores.insert(scores.end(), high.begin(), high.end());
        std::vector<std::uint8_t> isHigh(scores.size(), 0);
        std::fill(isHigh.begin() + static_cast<std::ptrdiff_t>(low.size()), isHigh.end(), std::uint8_t{1});
        const RocArea ranked = rocArea(scores, isHigh);
        double area = 0.0;
        for (const double share : ofHigh)
            area += share / static_cast<double>(high.size());
        QVERIFY(std::abs(ranked.area - area) < 1e-12);
        QVERIFY(std::abs(ranked.variance - varianceOfMean(ofLow) - varianceOfMean(ofHigh)) < 1e-12);
    }
}

void LeaksTest::noticesExchangedFiles() {
    const Distances real = drawnDistances(300, 5);
    const Distances heldOut = drawnDistances(150, 6);
    QVERIFY(isNearerToHeldOut(real, withNear(heldOut, 50)));
    QVERIFY(!isNearerToHeldOut(withNear(real, 100), heldOut));
    QVERIFY(!isNearerToHeldOut(real, heldOut));
}

void LeaksTest::noticesHeldOutSamplesOfAnotherLaw() {
    const Distances nearer(100, 1.0);
    const Distances farther(100, 2.0);
    const NearestNeighborAccuracy unlike = heldOutAccuracy({nearer, farther, farther, nearer});
    QCOMPARE(unlike.accuracy, 1.0);
    QCOMPARE(unlike.deviation, 0.0);
    QVERIFY(unlike.isUnlike());
    QVERIFY(!heldOutAccuracy({nearer, nearer, nearer, nearer}).isUnlike()); // ties speak for neither
    // Three real ones to one held out: the nearest of either is a real one three times in four.
    Distances toReal(100, 1.0);
    std::fill(toReal.begin(), toReal.begin() + 25, 3.0);
    const NearestNeighborAccuracy alike = heldOutAccuracy({toReal, farther, toReal, farther});
    QCOMPARE(alike.accuracy, 0.5);
    QVERIFY(std::abs(alike.deviation - std::sqrt(2.0 * 0.75 * 0.25 / 100.0) / 2.0) < 1e-12);
    QVERIFY(!alike.isUnlike());
    QVERIFY(!heldOutAccuracy({{}, {}, nearer, farther}).isUnlike());
}

ASSAY_TEST(leaks_test, LeaksTest)
#include "leaks_test.moc"
