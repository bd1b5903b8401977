#include "engine/base/error.h"
#include "engine/metrics/embedding/kernel_distance.h"
#include "engine/metrics/embedding/sliced_distance.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

double kernel(std::span<const float> x, std::span<const float> y) {
    double dot = 0.0;
    for (std::size_t c = 0; c < x.size(); ++c)
        dot += static_cast<double>(x[c]) * static_cast<double>(y[c]);
    return std::pow(dot / static_cast<double>(x.size()) + 1.0, 3.0);
}

double naiveMean(MatrixView a, const std::vector<std::uint32_t>& x, MatrixView b, const std::vector<std::uint32_t>& y,
                 bool same) {
    double sum = 0.0;
    double pairs = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j)
            if (!same || i != j) {
                sum += kernel(a.row(x[i]), b.row(y[j]));
                pairs += 1.0;
            }
    return sum / pairs;
}

/// One subset, from the definition.
double naiveDistance(MatrixView a, MatrixView b, const KernelSubset& subset) {
    return naiveMean(a, subset.a, a, subset.a, true) + naiveMean(b, subset.b, b, subset.b, true) -
           2.0 * naiveMean(a, subset.a, b, subset.b, false);
}

KernelDistance naiveDistance(MatrixView a, MatrixView b, const std::vector<KernelSubset>& subsets) {
    std::vector<double> values;
    for (const KernelSubset& subset : subsets)
        values.push_back(naiveDistance(a, b, subset));
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / n)};
}

std::vector<std::uint32_t> allRows(const Matrix& matrix) {
    std::vector<std::uint32_t> rows(matrix.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

double wholeDistance(const Matrix& a, const Matrix& b) {
    const std::vector<KernelSubset> whole{{allRows(a), allRows(b)}};
    return kernelDistance(a.view(), b.view(), whole).mean;
}

} // namespace

class KernelDistanceTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheOracle_data();
    void agreesWithTheOracle();
    void gaussianKernelsAgreeWithTheOracle();
    void slicesOfAShiftAreExact();
    void hasAClosedFormForPoints();
    void offsetsCostNoDigits();
    void identicalSetsAreAtMostZero();
    void alikeSetsAreAboutZero();
    void orderOfSetsDoesNotMatter();
    void subsetsUseEveryRowOnce();
    void subsetsFitTheSmallerSet_data();
    void subsetsFitTheSmallerSet();
    void seedsAndThreads();
    void oneRowHasNoValue();
    void refusesOtherDimensions();
    void stopsWhenAsked();
};

void KernelDistanceTest::agreesWithTheOracle_data() {
    QTest::addColumn<int>("rowsA");
    QTest::addColumn<int>("rowsB");
    QTest::addColumn<int>("dim");
    for (const auto& [a, b, d] : {std::array{60, 50, 8},
                                  {300, 200, 5},
                                  {40, 70, 100},
                                  {2, 2, 1},
                                  {130, 129, 3},
                                  {1300, 300, 2},
                                  {60, 75, 4500}})
        QTest::addRow("%d and %d rows of %d", a, b, d) << a << b << d;
}

void KernelDistanceTest::agreesWithTheOracle() {
    QFETCH(int, rowsA);
    QFETCH(int, rowsB);
    QFETCH(int, dim);
    const Matrix a = gaussian(static_cast<std::size_t>(rowsA), static_cast<std::size_t>(dim), 1, 0.2F);
    const Matrix b = gaussian(static_cast<std::size_t>(rowsB), static_cast<std::size_t>(dim), 2, 0.5F, 1.4F);
    const std::vector<KernelSubset> subsets = kernelSubsets(a.rows, b.rows, 7);
    const KernelDistance found = kernelDistance(a.view(), b.view(), subsets);
    const KernelDistance expected = naiveDistance(a.view(), b.view(), subsets);
    QVERIFY(std::abs(found.mean - expected.mean) <= 1e-5 * std::abs(expected.mean));
    QVERIFY(std::abs(found.deviation - expected.deviation) <= 1e-5 * std::abs(expected.mean));
}

/// The conventions of cmmd and KAD, in double precision and from the definition.
void KernelDistanceTest::gaussianKernelsAgreeWithTheOracle() {
    const Matrix a = gaussian(90, 6, 41, 3.0F);
    const Matrix b = gaussian(70, 6, 42, 3.2F, 1.2F);
    const auto square = [](std::span<const float> x, std::span<const float> y, bool unit) {
        const auto length = [&](std::span<const float> row) {
            double sum = 0.0;
            for (const float value : row)
                sum += static_cast<double>(value) * static_cast<double>(value);
            return unit ? std::sqrt(sum) : 1.0;
        };
        const double lengthX = length(x);
        const double lengthY = length(y);
        double sum = 0.0;
        for (std::size_t c = 0; c < x.size(); ++c)
            sum += std::pow(static_cast<double>(x[c]) / lengthX - static_cast<double>(y[c]) / lengthY, 2.0);
        return sum;
    };
    const auto meanOf = [&](const Matrix& x, const Matrix& y, double gamma, bool unit, bool others) {
        double sum = 0.0;
        double pairs = 0.0;
        for (std::size_t i = 0; i < x.rows; ++i)
            for (std::size_t j = 0; j < y.rows; ++j)
                if (!others || i != j) {
                    sum += std::exp(-gamma * square(x.view().row(i), y.view().row(j), unit));
                    pairs += 1.0;
                }
        return sum / pairs;
    };
    const auto distance = [&](double gamma, bool unit, bool unbiased) {
        return meanOf(a, a, gamma, unit, unbiased) + meanOf(b, b, gamma, unit, unbiased) -
               2.0 * meanOf(a, b, gamma, unit, false);
    };
    std::vector<double> squares;
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < i; ++j)
            squares.push_back(square(a.view().row(i), a.view().row(j), false));
    std::ranges::sort(squares);
    const double median = squares[(squares.size() - 1) / 2];
    const KernelScores found = kernelScores(a.view(), b.view(), 3);
    const auto agrees = [](double value, double expected) { return std::abs(value - expected) <= 2e-6 * expected; };
    QVERIFY(agrees(found.cmmd, 1000.0 * distance(1.0 / 200.0, true, false)));
    QVERIFY(std::abs(found.cmmdUnbiased - 1000.0 * distance(1.0 / 200.0, true, true)) <= 2e-6 * found.cmmd);
    QVERIFY(agrees(found.kad, 100.0 * distance(1.0 / (2.0 * median), false, true)));
    const std::vector<KernelSubset> whole{{allRows(a), allRows(b)}};
    QVERIFY(agrees(kernelDistance(a.view(), b.view(), whole, 0, {}, PairKernel::gaussian(10.0)).mean,
                   distance(1.0 / 200.0, false, true)));
    QCOMPARE(kernelScores(a.view(), b.view(), 3, 1).kad, found.kad);
    QVERIFY(std::isnan(kernelScores(test::repeated(gaussian(1, 3, 1), 5).view(), gaussian(5, 3, 2).view(), 1).kad));
}

/// Over whole bases, the squares of a shift's components add up to its own.
void KernelDistanceTest::slicesOfAShiftAreExact() {
    const Matrix a = gaussian(400, 7, 43);
    const double found = slicedDistance(a.view(), test::shifted(a, 0.5F).view(), 5);
    QVERIFY(std::abs(found - 3.0 * 7.0 * 0.25) <= 1e-4 * found);
    QVERIFY(slicedDistance(a.view(), a.view(), 5) == 0.0);
    const Matrix line{{0.0F, 1.0F, 2.0F, 3.0F}, 4, 1};
    const Matrix two{{1.0F, 2.0F}, 2, 1}; // 0, 1 -> 1 and 2, 3 -> 2
    QVERIFY(std::abs(slicedDistance(line.view(), two.view(), 5) - 3.0 * 0.5) <= 1e-6);
    const Matrix wide = gaussian(300, 300, 44);
    const Matrix other = gaussian(250, 300, 45, 0.0F, 1.5F);
    QCOMPARE(slicedDistance(wide.view(), other.view(), 5, 1), slicedDistance(wide.view(), other.view(), 5, 3));
}

void KernelDistanceTest::hasAClosedFormForPoints() {
    // Two points at x and two at y on a line: (x^2 + 1)^3 + (y^2 + 1)^3 - 2 (x y + 1)^3.
    const Matrix a{{2.0F, 2.0F}, 2, 1};
    const Matrix b{{3.0F, 3.0F}, 2, 1};
    QCOMPARE(wholeDistance(a, b), 125.0 + 1000.0 - 2.0 * 343.0);
}

void KernelDistanceTest::offsetsCostNoDigits() {
    // The distance itself is that of the shifted sets: what counts is that products of 1e6 keep the digits of 1.
    Matrix a = gaussian(100, 20, 3);
    Matrix b = gaussian(90, 20, 4, 0.1F);
    for (Matrix* set : {&a, &b})
        for (float& x : set->values)
            x = std::round(x * 64.0F) / 64.0F + 1000.0F;
    const std::vector<KernelSubset> subsets = kernelSubsets(a.rows, b.rows, 0);
    const double expected = naiveDistance(a.view(), b.view(), subsets).mean;
    QVERIFY(std::abs(kernelDistance(a.view(), b.view(), subsets).mean - expected) <= 1e-5 * std::abs(expected));
}

void KernelDistanceTest::identicalSetsAreAtMostZero() {
    const Matrix a = gaussian(200, 6, 5);
    QVERIFY(wholeDistance(a, a) < 0.0); // the unbiased estimate leaves out the pairs of a row with itself
    QVERIFY(wholeDistance(a, a) > -1.0);
    const Matrix constant{std::vector<float>(40, 1.5F), 10, 4};
    QVERIFY(std::abs(wholeDistance(constant, constant)) < 1e-12);
}

void KernelDistanceTest::alikeSetsAreAboutZero() {
    const Matrix a = gaussian(4000, 16, 6);
    const Matrix b = gaussian(4000, 16, 7);
    const KernelDistance alike = kernelDistance(a.view(), b.view(), kernelSubsets(a.rows, b.rows, 1));
    QVERIFY(std::abs(alike.mean) < 3.0 * alike.deviation / 2.0);
    const Matrix c = gaussian(4000, 16, 8, 0.5F);
    QVERIFY(kernelDistance(a.view(), c.view(), kernelSubsets(a.rows, c.rows, 1)).mean > 10.0 * alike.deviation);
}

void KernelDistanceTest::orderOfSetsDoesNotMatter() {
    const Matrix a = gaussian(150, 12, 9);
    const Matrix b = gaussian(170, 12, 10, 0.4F);
    QVERIFY(std::abs(wholeDistance(a, b) - wholeDistance(b, a)) <= 1e-6 * wholeDistance(a, b));
}

void KernelDistanceTest::subsetsUseEveryRowOnce() {
    const std::vector<KernelSubset> subsets = kernelSubsets(20'000, 20'000, 3);
    QCOMPARE(subsets.size(), std::size_t{20});
    std::set<std::uint32_t> seen;
    for (const KernelSubset& subset : subsets) {
        QCOMPARE(subset.a.size(), std::size_t{1000});
        seen.insert(subset.a.begin(), subset.a.end());
    }
    QCOMPARE(seen.size(), std::size_t{20'000});
}

void KernelDistanceTest::subsetsFitTheSmallerSet_data() {
    QTest::addColumn<int>("rowsA");
    QTest::addColumn<int>("rowsB");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("count");
    QTest::newRow("equal and small") << 700 << 700 << 700 << 1;
    QTest::newRow("one is small") << 5000 << 200 << 200 << 25;
    QTest::newRow("both just above") << 1500 << 1500 << 1000 << 10;
    QTest::newRow("large") << 10'000 << 10'000 << 1000 << 10;
    QTest::newRow("very large") << 1'000'000 << 50'000 << 1000 << 100;
    QTest::newRow("one row") << 1 << 40 << 1 << 40;
}

void KernelDistanceTest::subsetsFitTheSmallerSet() {
    QFETCH(int, rowsA);
    QFETCH(int, rowsB);
    QFETCH(int, size);
    QFETCH(int, count);
    const auto subsets = kernelSubsets(static_cast<std::size_t>(rowsA), static_cast<std::size_t>(rowsB), 5);
    QCOMPARE(subsets.size(), static_cast<std::size_t>(count));
    for (const KernelSubset& subset : subsets)
        for (const auto& [rows, all] : {std::pair(subset.a, rowsA), std::pair(subset.b, rowsB)}) {
            QCOMPARE(rows.size(), static_cast<std::size_t>(size));
            const std::set<std::uint32_t> different(rows.begin(), rows.end());
            QCOMPARE(different.size(), rows.size());
            QVERIFY(*different.rbegin() < static_cast<std::uint32_t>(all));
        }
}

void KernelDistanceTest::seedsAndThreads() {
    const Matrix a = gaussian(1500, 9, 11);
    const Matrix b = gaussian(1400, 9, 12, 0.3F);
    const auto value = [&](std::uint64_t seed, unsigned threads) {
        return kernelDistance(a.view(), b.view(), kernelSubsets(a.rows, b.rows, seed), threads).mean;
    };
    QCOMPARE(value(1, 1), value(1, 5));
    QVERIFY(value(1, 0) != value(2, 0));
}

void KernelDistanceTest::oneRowHasNoValue() {
    const Matrix a = gaussian(1, 4, 13);
    const Matrix b = gaussian(30, 4, 14);
    const KernelDistance found = kernelDistance(a.view(), b.view(), kernelSubsets(1, 30, 0));
    QVERIFY(std::isnan(found.mean) && std::isnan(found.deviation));
}

void KernelDistanceTest::refusesOtherDimensions() {
    const Matrix a = gaussian(9, 4, 15);
    const Matrix b = gaussian(9, 5, 16);
    QVERIFY(test::saysAll(test::refusalOf([&] { kernelDistance(a.view(), b.view(), kernelSubsets(9, 9, 0)); },
                                          ErrorKind::InvalidArgument),
                          "4|5"));
}

void KernelDistanceTest::stopsWhenAsked() {
    const Matrix a = gaussian(1200, 16, 17);
    const auto subsets = kernelSubsets(a.rows, a.rows, 0);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) { kernelDistance(a.view(), a.view(), subsets, 2, job); }, 100 * subsets.size());
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(kernel_distance_test, KernelDistanceTest)
#include "kernel_distance_test.moc"
