// Densities of two sets on the plane against direct kernel estimates, and where they differ.
#include "engine/layout/density_map.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>

using namespace assay;

namespace {

using PlaneSet = std::vector<std::array<float, 3>>;

constexpr unsigned kSeed = 20240611;

/// A share of the points at each centre, with a standard deviation of 0.3.
PlaneSet mixture(std::size_t count, const std::vector<std::array<float, 2>>& centres, const std::vector<double>& shares,
                 unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.3F);
    std::discrete_distribution<std::size_t> mode(shares.begin(), shares.end());
    PlaneSet points(count);
    for (auto& point : points) {
        const auto& centre = centres[mode(random)];
        point = {centre[0] + normal(random), centre[1] + normal(random), 0.0F};
    }
    return points;
}

/// Ten modes on a circle of radius 3.
std::vector<std::array<float, 2>> ring() {
    std::vector<std::array<float, 2>> centres;
    for (int mode = 0; mode < 10; ++mode) {
        const double angle = 2.0 * std::numbers::pi * mode / 10.0;
        centres.push_back({static_cast<float>(3.0 * std::cos(angle)), static_cast<float>(3.0 * std::sin(angle))});
    }
    return centres;
}

PlaneGrid ringGrid() {
    return {{-4.5, -4.5}, {4.5, 4.5}, 192, 192};
}

std::array<double, 2> centreOf(const PlaneGrid& grid, std::size_t cell) {
    return {grid.low[0] + (static_cast<double>(cell % grid.columns) + 0.5) * grid.cellWidth(),
            grid.low[1] + (static_cast<double>(cell / grid.columns) + 0.5) * grid.cellHeight()};
}

/// By definition, at one cell: the mean of the kernels about all points, times the cell's area.
double directDensity(const PlaneSet& points, const PlaneGrid& grid, const std::array<double, 2>& bandwidth,
                     std::size_t cell) {
    const auto at = centreOf(grid, cell);
    double sum = 0.0;
    for (const auto& point : points) {
        const double x = (static_cast<double>(point[0]) - at[0]) / bandwidth[0];
        const double y = (static_cast<double>(point[1]) - at[1]) / bandwidth[1];
        sum += std::exp(-0.5 * (x * x + y * y));
    }
    return sum / static_cast<double>(points.size()) * grid.cellWidth() * grid.cellHeight() /
           (2.0 * std::numbers::pi * bandwidth[0] * bandwidth[1]);
}

double distance(const std::array<double, 2>& a, const std::array<float, 2>& b) {
    return std::hypot(a[0] - static_cast<double>(b[0]), a[1] - static_cast<double>(b[1]));
}

} // namespace

class DensityMapTest : public QObject {
    Q_OBJECT

private slots:
    void equalsADirectKernelEstimate();
    void isHottestAtTheCollapsedModeAndColdestAtTheLostOne();
    void seesNoDifferenceBetweenHalvesOfOneSet();
    void tendsToZeroWhereNeitherSetHasPoints();
    void leavesOutHiddenAndUnplacedPoints();
    void doesNotDependOnTheNumberOfThreads();
    void takesSetsWithoutPoints();
    void levelsEncloseTheirShares();
    void refusesAGridWithoutExtent();
    void stops();
};

void DensityMapTest::equalsADirectKernelEstimate() {
    const PlaneSet real = mixture(400, ring(), std::vector<double>(10, 1.0), kSeed);
    const PlaneSet synthetic = mixture(300, ring(), std::vector<double>(10, 1.0), kSeed + 1);
    const DensityMap map = densityMap({real}, {synthetic}, ringGrid());
    QVERIFY(map.bandwidth[0] > 3.0 * map.grid.cellWidth());
    const double peak = static_cast<double>(*std::ranges::max_element(map.real));
    double worst = 0.0;
    for (std::size_t cell = 0; cell < map.grid.cells(); cell += 7) {
        worst = std::max(
            worst, std::abs(static_cast<double>(map.real[cell]) - directDensity(real, map.grid, map.bandwidth, cell)));
        worst = std::max(worst, std::abs(static_cast<double>(map.synthetic[cell]) -
                                         directDensity(synthetic, map.grid, map.bandwidth, cell)));
    }
    // Linear binning is exact to the second order in cell / bandwidth, which is below a third here.
    QVERIFY2(worst < 0.03 * peak, qPrintable(QString::number(worst / peak)));
}

void DensityMapTest::isHottestAtTheCollapsedModeAndColdestAtTheLostOne() {
    std::vector<double> collapsed(10, 1.0);
    collapsed[3] = 12.0;
    collapsed[7] = 0.0;
    const PlaneSet real = mixture(5'000, ring(), std::vector<double>(10, 1.0), kSeed);
    const PlaneSet synthetic = mixture(5'000, ring(), collapsed, kSeed + 1);
    const DensityMap map = densityMap({real}, {synthetic}, ringGrid());
    const auto hottest = static_cast<std::size_t>(std::ranges::max_element(map.logRatio) - map.logRatio.begin());
    const auto coldest = static_cast<std::size_t>(std::ranges::min_element(map.logRatio) - map.logRatio.begin());
    QVERIFY(distance(centreOf(map.grid, hottest), ring()[3]) < 0.6);
    QVERIFY(distance(centreOf(map.grid, coldest), ring()[7]) < 0.6);
    // 12 of 20 parts in place of 1 of 10.
    const double peak = static_cast<double>(map.logRatio[hottest]);
    QVERIFY2(std::abs(peak - std::log(6.0)) < 0.35, qPrintable(QString::number(peak)));
    QVERIFY(map.certainty[hottest] > 20.0F);
    QVERIFY(map.certainty[coldest] < -10.0F);
}

void DensityMapTest::seesNoDifferenceBetweenHalvesOfOneSet() {
    const PlaneSet real = mixture(20'000, ring(), std::vector<double>(10, 1.0), kSeed);
    const PlaneSet synthetic = mixture(20'000, ring(), std::vector<double>(10, 1.0), kSeed + 1);
    const DensityMap map = densityMap({real}, {synthetic}, ringGrid());
    double squares = 0.0;
    double largest = 0.0;
    for (const float value : map.certainty) {
        squares += static_cast<double>(value) * static_cast<double>(value);
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    // Standard errors where there are points, less where there are none.
    const double root = std::sqrt(squares / static_cast<double>(map.grid.cells()));
    QVERIFY2(root > 0.2 && root < 1.2, qPrintable(QString::number(root)));
    QVERIFY2(largest < 4.5, qPrintable(QString::number(largest)));
}

void DensityMapTest::tendsToZeroWhereNeitherSetHasPoints() {
    const DensityMap map = densityMap({mixture(2'000, ring(), std::vector<double>(10, 1.0), kSeed)},
                                      {mixture(3'000, ring(), std::vector<double>(10, 1.0), kSeed + 1)}, ringGrid());
    for (const std::size_t cell : {std::size_t{0}, map.grid.columns - 1, map.grid.cells() - 1}) {
        QVERIFY(std::abs(map.logRatio[cell]) < 1e-3F);
        QVERIFY(std::abs(map.certainty[cell]) < 1e-2F);
    }
}

void DensityMapTest::leavesOutHiddenAndUnplacedPoints() {
    const PlaneSet real = mixture(1'000, ring(), std::vector<double>(10, 1.0), kSeed);
    PlaneSet more = real;
    more.resize(1'500, {1.0F, 1.0F, 0.0F});
    std::vector<bool> shown(more.size(), true);
    for (std::size_t row = 1'000; row < more.size(); ++row) {
        if (row % 2 == 0)
            more[row] = {std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F};
        else
            shown[row] = false;
    }
    const DensityMap expected = densityMap({real}, {real}, ringGrid());
    const DensityMap map = densityMap({more, &shown}, {real}, ringGrid());
    QCOMPARE(map.counts[0], std::size_t{1'000});
    QCOMPARE(map.real, expected.real);
    QCOMPARE(map.logRatio, expected.logRatio);
}

void DensityMapTest::doesNotDependOnTheNumberOfThreads() {
    const PlaneSet real = mixture(3'000, ring(), std::vector<double>(10, 1.0), kSeed);
    const PlaneSet synthetic = mixture(2'000, ring(), std::vector<double>(10, 1.0), kSeed + 1);
    QCOMPARE(densityMap({real}, {synthetic}, ringGrid(), 1).logRatio,
             densityMap({real}, {synthetic}, ringGrid(), 4).logRatio);
}

void DensityMapTest::takesSetsWithoutPoints() {
    const PlaneSet real = mixture(500, ring(), std::vector<double>(10, 1.0), kSeed);
    const DensityMap map = densityMap({real}, {}, ringGrid());
    QCOMPARE(map.counts[1], std::size_t{0});
    QVERIFY(std::abs(std::accumulate(map.real.begin(), map.real.end(), 0.0) - 1.0) < 0.01);
    for (const auto* values : {&map.synthetic, &map.logRatio, &map.certainty})
        QVERIFY(std::ranges::all_of(*values, [](float value) { return value == 0.0F; }));
    const PlaneSet one{{0.0F, 0.0F, 0.0F}};
    QVERIFY(std::ranges::all_of(densityMap({one}, {one}, ringGrid()).logRatio, [](float v) { return v == 0.0F; }));
}

void DensityMapTest::levelsEncloseTheirShares() {
    const DensityMap map = densityMap({mixture(4'000, ring(), std::vector<double>(10, 1.0), kSeed)}, {}, ringGrid());
    const std::array shares{0.25, 0.5, 0.9};
    const std::vector<float> levels = densityLevels(map.real, shares);
    const double total = std::accumulate(map.real.begin(), map.real.end(), 0.0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        double within = 0.0;
        for (const float value : map.real)
            within += value >= levels[i] ? static_cast<double>(value) : 0.0;
        QVERIFY2(within >= shares[i] * total && within < (shares[i] + 0.02) * total,
                 qPrintable(QString::number(within / total)));
    }
    QCOMPARE(densityLevels(std::vector<float>(4, 0.0F), shares), std::vector<float>(3, 0.0F));
}

void DensityMapTest::refusesAGridWithoutExtent() {
    const auto refusal = [](const PlaneGrid& grid) {
        return test::refusalOf([&] { densityMap({}, {}, grid); }, ErrorKind::InvalidArgument);
    };
    QVERIFY(test::saysAll(refusal({{0.0, 0.0}, {0.0, 1.0}, 16, 16}), "grid|extent"));
    QVERIFY(test::saysAll(refusal({{0.0, 0.0}, {1.0, 1.0}, 1, 16}), "grid|extent"));
}

void DensityMapTest::stops() {
    const PlaneSet real = mixture(100, ring(), std::vector<double>(10, 1.0), kSeed);
    const auto work = [&](const JobContext& job) { densityMap({real}, {real}, ringGrid(), 2, job); };
    const std::string failure = test::stopFailure(work, 100);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(density_map_test, DensityMapTest)
#include "density_map_test.moc"
