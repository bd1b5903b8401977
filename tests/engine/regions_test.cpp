// Regions of the real set that a model fills too much or not at all: planted modes, and good models.
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/set_tests/shares.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace assay;

namespace {

constexpr std::size_t kModes = 8;

/// Rows about distant corners, a mode each. @param share relative frequencies of the modes
test::Matrix modeRows(std::size_t rows, const std::vector<double>& share, unsigned seed) {
    test::Matrix matrix = test::gaussian(rows, kModes, seed);
    Random random(seed);
    for (std::size_t r = 0; r < rows; ++r) {
        double left = random.uniform();
        std::size_t mode = 0;
        while (mode + 1 < share.size() && left >= share[mode])
            left -= share[mode++];
        matrix.values[r * kModes + mode] += 20.0F;
    }
    return matrix;
}

std::size_t modeOf(MatrixView set, std::size_t row) {
    const auto values = set.row(row);
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

const std::vector<double> kEven(kModes, 1.0 / kModes);

struct Compared {
    RealRegions regions;
    RegionShares shares;
};

Compared comparedSets(MatrixView real, MatrixView synthetic, unsigned threads = 2, std::uint64_t seed = 0) {
    const GemmSearch search(threads);
    Compared result;
    result.regions = cutRegions(inContentOrder(real, {}, seed, threads), search, {.seed = seed, .threads = threads});
    result.shares = regionShares(result.regions, inContentOrder(synthetic, {}, seed, threads), search, {});
    return result;
}

} // namespace

class RegionsTest : public QObject {
    Q_OBJECT

private slots:
    void countsOtherRowsThanItCuts();
    void namesAModeWithTooMany();
    void namesALostMode();
    void seldomAccusesGoodModels_data();
    void seldomAccusesGoodModels();
    void dependsOnNeitherOrderNorThreads();
    void leavesOutSmallSets();
    void takesFewDifferentRows();
    void stops();
};

void RegionsTest::countsOtherRowsThanItCuts() {
    const test::Matrix real = test::gaussian(3000, 4, 1);
    const test::Matrix synthetic = test::gaussian(500, 4, 2);
    const ComparedRows order = inContentOrder(real.view(), {}, 0, 1);
    const Compared result = comparedSets(real.view(), synthetic.view());
    const RealRegions& regions = result.regions;
    QCOMPARE(regions.cells.count(), std::size_t{30});
    QCOMPARE(regions.countedRows, std::vector<std::uint32_t>(order.rows.begin() + 1000, order.rows.end()));
    std::vector<std::uint32_t> counts(30, 0);
    for (const std::uint32_t row : regions.countedRows)
        ++counts[nearestCell(real.view().row(row), regions.cells)];
    QCOMPARE(regions.counts, counts);
    QCOMPARE(result.shares.real, std::size_t{2000});
    QCOMPARE(result.shares.counts, countsOf(cellsOf(synthetic.view(), regions.cells, 1, {}), regions.cells.count()));
}

void RegionsTest::namesAModeWithTooMany() {
    std::vector<double> share(kModes, 0.6 / (kModes - 1));
    share[3] = 0.4;
    const test::Matrix real = modeRows(2000, kEven, 3);
    const test::Matrix synthetic = modeRows(800, share, 4);
    const RegionShares shares = comparedSets(real.view(), synthetic.view()).shares;
    QVERIFY(!shares.many.empty());
    QVERIFY(std::abs(shares.manyShare - 0.4) < 0.05 && std::abs(shares.manyRealShare - 0.125) < 0.03);
    QCOMPARE(shares.explainedSurplus(), shares.manyShare - shares.manyRealShare);
    QVERIFY(std::ranges::is_sorted(shares.rowsInMany) && shares.rowsInMany.size() > 250);
    for (const std::uint32_t row : shares.rowsInMany)
        QCOMPARE(modeOf(synthetic.view(), row), std::size_t{3});
    QVERIFY(!shares.marks());
}

void RegionsTest::namesALostMode() {
    std::vector<double> share(kModes, 1.0 / (kModes - 1));
    share[5] = 0.0;
    const test::Matrix real = modeRows(2000, kEven, 5);
    const test::Matrix synthetic = modeRows(800, share, 6);
    const RegionShares shares = comparedSets(real.view(), synthetic.view()).shares;
    QVERIFY(!shares.nearlyEmpty.empty());
    QCOMPARE(shares.nearlyEmptyShare, 0.0);
    QVERIFY(std::abs(shares.nearlyEmptyRealShare - 0.125) < 0.03);
    QVERIFY(shares.realRowsInNearlyEmpty.size() > 200);
    for (const std::uint32_t row : shares.realRowsInNearlyEmpty)
        QCOMPARE(modeOf(real.view(), row), std::size_t{5});
    const auto exact =
        clopperPearson(static_cast<std::size_t>(std::lround(shares.nearlyEmptyRealShare * 1000.0)), 1000);
    QCOMPARE(shares.nearlyEmptyRealBounds.low, exact.low);
    QCOMPARE(shares.nearlyEmptyBounds.high, clopperPearson(0, 800).high);
    QVERIFY(shares.marks());
}

void RegionsTest::seldomAccusesGoodModels_data() {
    QTest::addColumn<std::size_t>("dim");
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("synthetic");
    QTest::newRow("flat") << std::size_t{2} << std::size_t{600} << std::size_t{400};
    QTest::newRow("many dimensions") << std::size_t{256} << std::size_t{300} << std::size_t{300};
    QTest::newRow("few") << std::size_t{8} << std::size_t{60} << std::size_t{500};
}

void RegionsTest::seldomAccusesGoodModels() {
    QFETCH(std::size_t, dim);
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, synthetic);
    const unsigned seeds = test::sized(100U, 10U);
    int reported = 0;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        const RegionShares shares = comparedSets(test::gaussian(real, dim, 2 * seed).view(),
                                                 test::gaussian(synthetic, dim, 2 * seed + 1).view(), 2, seed)
                                        .shares;
        reported += !shares.many.empty() || !shares.nearlyEmpty.empty() ? 1 : 0;
    }
    // At 1 %, 5 or more of 100 have a chance of 0.3 %.
    QVERIFY2(reported <= 4, qPrintable(QString("%1 of %2").arg(reported).arg(seeds)));
}

void RegionsTest::dependsOnNeitherOrderNorThreads() {
    std::vector<double> share(kModes, 1.0 / (kModes - 1));
    share[5] = 0.0;
    const test::Matrix real = modeRows(1500, kEven, 7);
    const test::Matrix synthetic = modeRows(700, share, 8);
    const auto shuffled = [](const test::Matrix& matrix, const std::vector<std::uint32_t>& order) {
        return test::Matrix{gatherRows(matrix.view(), order), matrix.rows, matrix.dim};
    };
    const std::vector<std::uint32_t> realOrder = Random(1).order(real.rows);
    const Compared given = comparedSets(real.view(), synthetic.view(), 1);
    const Compared threads = comparedSets(real.view(), synthetic.view(), 4);
    const test::Matrix otherReal = shuffled(real, realOrder);
    const test::Matrix otherSynthetic = shuffled(synthetic, Random(2).order(synthetic.rows));
    const Compared other = comparedSets(otherReal.view(), otherSynthetic.view(), 2);
    for (const Compared* same : {&threads, &other}) {
        QCOMPARE(same->regions.cells.centres, given.regions.cells.centres);
        QCOMPARE(same->regions.counts, given.regions.counts);
        QCOMPARE(same->shares.counts, given.shares.counts);
        QCOMPARE(same->shares.nearlyEmpty, given.shares.nearlyEmpty);
        QCOMPARE(same->shares.p, given.shares.p);
    }
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : other.shares.realRowsInNearlyEmpty)
        rows.push_back(realOrder[row]);
    std::ranges::sort(rows);
    QCOMPARE(rows, given.shares.realRowsInNearlyEmpty);
}

void RegionsTest::leavesOutSmallSets() {
    const test::Matrix few = test::gaussian(39, 3, 9);
    const test::Matrix enough = test::gaussian(40, 3, 10);
    QVERIFY(comparedSets(few.view(), enough.view()).regions.empty());
    QVERIFY(comparedSets(few.view(), enough.view()).shares.cell.empty());
    const Compared smallModel = comparedSets(enough.view(), test::gaussian(19, 3, 11).view());
    QVERIFY(!smallModel.regions.empty() && smallModel.shares.cell.empty() && !smallModel.shares.marks());
    QVERIFY(!comparedSets(enough.view(), test::gaussian(20, 3, 11).view()).shares.cell.empty());
}

void RegionsTest::takesFewDifferentRows() {
    const test::Matrix same = test::repeated(test::gaussian(1, 3, 12), 200);
    const Compared result = comparedSets(same.view(), same.view());
    QCOMPARE(result.regions.cells.count(), std::size_t{1});
    QVERIFY(result.shares.many.empty() && result.shares.nearlyEmpty.empty());
}

void RegionsTest::stops() {
    const test::Matrix real = test::gaussian(1000, 8, 13);
    const ComparedRows rows = inContentOrder(real.view(), {}, 0, 2);
    const GemmSearch search(2);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) {
            const RealRegions regions = cutRegions(rows, search, {.threads = 2, .job = job});
            regionShares(regions, rows, search, job.silent());
        },
        100);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(regions_test, RegionsTest)
#include "regions_test.moc"
