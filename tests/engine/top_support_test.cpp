#include "engine/metrics/topological/top_support.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

double distance(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double apart = static_cast<double>(a.rowData(i)[c]) - static_cast<double>(b.rowData(j)[c]);
        sum += apart * apart;
    }
    return std::sqrt(sum);
}

/// The published rule, line by line: sorted distances to later rows, the median of the k-th.
double naiveBandwidth(MatrixView set) {
    const std::size_t k = 5 * set.dim;
    std::vector<double> reach;
    for (std::size_t i = 0; i + k < set.rows; ++i) {
        std::vector<double> later;
        for (std::size_t j = i + 1; j < set.rows; ++j)
            later.push_back(distance(set, i, set, j));
        std::sort(later.begin(), later.end());
        reach.push_back(later[k - 1]);
    }
    std::sort(reach.begin(), reach.end());
    return reach[reach.size() / 2 - 1];
}

double naiveDensity(MatrixView of, MatrixView at, std::size_t i, double h) {
    double sum = 0.0;
    for (std::size_t j = 0; j < of.rows; ++j) {
        const double d = distance(at, i, of, j);
        sum += d <= h ? std::cos(std::numbers::pi / 2.0 * d / h) : 0.0;
    }
    return sum / static_cast<double>(of.rows);
}

TopOptions asGiven() {
    TopOptions options;
    options.shuffled = false;
    return options;
}

/// Supports of two sets as an audit makes them.
std::pair<TopSupport, TopSupport> supportsOf(const Matrix& a, const Matrix& b, TopOptions options,
                                             unsigned threads = 0) {
    TopSupport first = topSupport(a.view(), options, threads);
    options.centre = first.centre;
    return {first, topSupport(b.view(), options, threads)};
}

TopScores scoresOf(const Matrix& a, const Matrix& b, TopOptions options = {}, unsigned threads = 0) {
    const auto [first, second] = supportsOf(a, b, options, threads);
    return topScores(first, second, threads);
}

bool same(const TopScores& a, const TopScores& b) {
    return a.fidelity == b.fidelity && a.diversity == b.diversity && a.f1 == b.f1;
}

} // namespace

class TopSupportTest : public QObject {
    Q_OBJECT

private slots:
    void bandwidthAndDensityAgreeWithTheOracle_data();
    void bandwidthAndDensityAgreeWithTheOracle();
    void thresholdIsTheBootstrapsQuantile();
    void scoresCountWhatIsInBothSupports();
    void identicalSetsScoreOne_data();
    void identicalSetsScoreOne();
    void farSetsScoreZero();
    void droppedModesLowerDiversityAlone();
    void scaleAndOffsetDoNotMatter();
    void projectionKeepsDistancesOnAverage();
    void seedsAndThreads();
    void largeSetsAreSampled();
    void duplicatesHaveABandwidthOfZero();
    void fewRowsHaveNoValue();
    void hugeValuesEnd();
    void stopsWhenAsked();
};

void TopSupportTest::bandwidthAndDensityAgreeWithTheOracle_data() {
    QTest::addColumn<int>("rowsA");
    QTest::addColumn<int>("rowsB");
    QTest::addColumn<int>("dim");
    for (const auto& [a, b, d] : {std::array{300, 200, 4}, {500, 300, 16}, {400, 420, 32}, {60, 300, 1}, {257, 100, 3}})
        QTest::addRow("%d and %d rows of %d", a, b, d) << a << b << d;
}

void TopSupportTest::bandwidthAndDensityAgreeWithTheOracle() {
    QFETCH(int, rowsA);
    QFETCH(int, rowsB);
    QFETCH(int, dim);
    const Matrix a = gaussian(static_cast<std::size_t>(rowsA), static_cast<std::size_t>(dim), 1, 0.2F);
    const Matrix b = gaussian(static_cast<std::size_t>(rowsB), static_cast<std::size_t>(dim), 2, 0.4F, 1.2F);
    const auto [first, second] = supportsOf(a, b, asGiven());
    const double h = naiveBandwidth(a.view());
    QVERIFY(std::abs(first.bandwidth - h) <= 1e-6 * h);
    for (std::size_t i = 0; i < a.rows; ++i)
        QVERIFY(std::abs(first.density[i] - naiveDensity(a.view(), a.view(), i, h)) <= 1e-5);
    const BothDensities across = densitiesAcross(first, second);
    for (std::size_t i = 0; i < b.rows; ++i)
        QVERIFY(std::abs(across.ofAAtB[i] - naiveDensity(a.view(), b.view(), i, h)) <= 1e-5);
    for (std::size_t i = 0; i < a.rows && !std::isnan(second.bandwidth); ++i)
        QVERIFY(std::abs(across.ofBAtA[i] - naiveDensity(b.view(), a.view(), i, second.bandwidth)) <= 1e-5);
}

void TopSupportTest::thresholdIsTheBootstrapsQuantile() {
    const Matrix a = gaussian(250, 3, 3);
    TopOptions options = asGiven();
    options.repeats = 300;
    const TopSupport support = topSupport(a.view(), options);
    // The same with another generator.
    std::mt19937 engine(4);
    std::uniform_int_distribution<std::size_t> row(0, a.rows - 1);
    std::vector<double> strays;
    for (int b = 0; b < 300; ++b) {
        Matrix drawn{{}, a.rows, a.dim};
        for (std::size_t i = 0; i < a.rows; ++i) {
            const auto values = a.view().row(row(engine));
            drawn.values.insert(drawn.values.end(), values.begin(), values.end());
        }
        double most = 0.0;
        for (std::size_t i = 0; i < a.rows; ++i)
            most = std::max(most,
                            std::abs(naiveDensity(drawn.view(), a.view(), i, support.bandwidth) - support.density[i]));
        strays.push_back(most);
    }
    std::sort(strays.begin(), strays.end());
    QVERIFY(std::abs(support.threshold / strays[269] - 1.0) < 0.1);
    options.alpha = 1.0; // the smallest of them
    QVERIFY(topSupport(a.view(), options).threshold < support.threshold);
    options.repeats = 0;
    QCOMPARE(topSupport(a.view(), options).threshold, 0.0);
}

void TopSupportTest::scoresCountWhatIsInBothSupports() {
    const Matrix a = gaussian(400, 4, 5);
    const Matrix b = gaussian(350, 4, 6, 0.7F);
    const auto [real, synthetic] = supportsOf(a, b, asGiven());
    const BothDensities across = densitiesAcross(real, synthetic);
    const auto share = [](const TopSupport& set, const TopSupport& other, const std::vector<double>& density) {
        double own = 0.0;
        double both = 0.0;
        for (std::size_t i = 0; i < set.rows; ++i)
            if (set.density[i] > set.threshold) {
                own += 1.0;
                both += density[i] > other.threshold ? 1.0 : 0.0;
            }
        return both / own;
    };
    const TopScores found = topScores(real, synthetic);
    QCOMPARE(found.fidelity, share(synthetic, real, across.ofAAtB));
    QCOMPARE(found.diversity, share(real, synthetic, across.ofBAtA));
    QVERIFY(found.fidelity > 0.1 && found.fidelity < 0.95);
    QCOMPARE(found.f1, 2.0 / (1.0 / found.fidelity + 1.0 / found.diversity));
}

void TopSupportTest::identicalSetsScoreOne_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    for (const auto& [n, d] : {std::pair{300, 4}, {500, 32}, {700, 100}, {100, 1}})
        QTest::addRow("%d x %d", n, d) << n << d;
}

void TopSupportTest::identicalSetsScoreOne() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    const Matrix a = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 7, 1.0F);
    QVERIFY(same(scoresOf(a, a), {1.0, 1.0, 1.0}));
}

void TopSupportTest::farSetsScoreZero() {
    QVERIFY(same(scoresOf(gaussian(500, 40, 8), gaussian(500, 40, 9, 30.0F)), {0.0, 0.0, 0.0}));
}

void TopSupportTest::droppedModesLowerDiversityAlone() {
    const Matrix both = test::joined(gaussian(600, 8, 10), gaussian(600, 8, 11, 20.0F));
    const TopScores scores = scoresOf(both, gaussian(1200, 8, 12));
    QVERIFY(scores.fidelity > 0.9);
    QVERIFY(scores.diversity < 0.65);
}

void TopSupportTest::scaleAndOffsetDoNotMatter() {
    Matrix a = gaussian(400, 50, 13);
    Matrix b = gaussian(400, 50, 14, 0.3F);
    for (Matrix* set : {&a, &b})
        for (float& x : set->values)
            x = std::round(x * 64.0F) / 64.0F;
    const TopScores plain = scoresOf(a, b, asGiven()); // other values have another order
    for (Matrix* set : {&a, &b})
        for (float& x : set->values)
            x = (x + 1000.0F) * 4.0F;
    const TopScores moved = scoresOf(a, b, asGiven());
    QVERIFY(std::abs(plain.fidelity - moved.fidelity) <= 0.0051); // a sample or two on the very edge
    QVERIFY(std::abs(plain.diversity - moved.diversity) <= 0.0051);
}

void TopSupportTest::projectionKeepsDistancesOnAverage() {
    const Matrix a = gaussian(200, 400, 15);
    const TopSupport support = topSupport(a.view(), {});
    QCOMPARE(support.dim, std::size_t{32});
    double sum = 0.0;
    for (const float x : support.points)
        sum += static_cast<double>(x) * static_cast<double>(x);
    // Entries of variance 2 / (400 + 32): each coordinate's is 400 times that.
    QVERIFY(std::abs(sum / static_cast<double>(support.points.size()) / (800.0 / 432.0) - 1.0) < 0.15);
}

void TopSupportTest::seedsAndThreads() {
    const Matrix a = gaussian(500, 60, 16);
    const Matrix b = gaussian(450, 60, 17, 0.2F);
    TopOptions options;
    options.seed = 3;
    QVERIFY(same(scoresOf(a, b, options, 1), scoresOf(a, b, options, 5)));
    const TopSupport first = topSupport(a.view(), options);
    options.seed = 4;
    const TopSupport second = topSupport(a.view(), options);
    QVERIFY(first.bandwidth != second.bandwidth && first.threshold != second.threshold);
}

void TopSupportTest::largeSetsAreSampled() {
    TopOptions options = asGiven();
    options.mostRows = 150;
    const TopSupport support = topSupport(gaussian(400, 5, 18).view(), options);
    QCOMPARE(support.rows, std::size_t{150});
    QCOMPARE(support.density.size(), std::size_t{150});
}

void TopSupportTest::duplicatesHaveABandwidthOfZero() {
    const Matrix a = test::repeated(gaussian(3, 2, 19), 90);
    const TopSupport support = topSupport(a.view(), {});
    QCOMPARE(support.bandwidth, 0.0);
    for (const double value : support.density)
        QCOMPARE(value, 30.0 / 90.0);
    QVERIFY(same(scoresOf(a, a), {1.0, 1.0, 1.0}));
}

void TopSupportTest::fewRowsHaveNoValue() {
    const Matrix a = gaussian(500, 10, 20);
    for (const std::size_t rows : {1, 2, 50, 51}) {
        const TopScores scores = scoresOf(a, gaussian(rows, 10, 21));
        QVERIFY(std::isnan(scores.fidelity) && std::isnan(scores.diversity) && std::isnan(scores.f1));
    }
    QVERIFY(!std::isnan(scoresOf(a, gaussian(52, 10, 21)).f1));
}

void TopSupportTest::hugeValuesEnd() {
    Matrix a = gaussian(200, 4, 22);
    for (float& x : a.values)
        x *= 1e30F;
    QVERIFY(std::isnan(scoresOf(a, a).fidelity)); // squares beyond float32
}

void TopSupportTest::stopsWhenAsked() {
    const Matrix a = gaussian(2000, 16, 23);
    const std::string failure =
        test::stopFailure([&](const JobContext& job) { topSupport(a.view(), {}, 2, job); }, a.rows / 32);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(top_support_test, TopSupportTest)
#include "top_support_test.moc"
