// The exactness contract: every backend returns what a direct double-precision search returns, bit for bit.
#include "engine/job/error.h"
#include "engine/knn/candidates.h"
#include "engine/knn/gemm_search.h"
#include "engine/knn/kdtree_search.h"
#include "engine/knn/kernels.h"
#include "engine/knn/neighbor_search.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace assay;
using test::Matrix;

namespace {

double naiveDistance(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
    return std::sqrt(kGenericKernels.squaredDistance(a.rowData(i), b.rowData(j), a.dim));
}

NeighborTable naiveNeighbors(MatrixView base, MatrixView queries, std::size_t k, bool sameSet) {
    NeighborTable table;
    table.k = k;
    for (std::size_t q = 0; k > 0 && q < queries.rows; ++q) {
        std::vector<Measured> all;
        for (std::size_t b = 0; b < base.rows; ++b)
            if (!sameSet || b != q)
                all.push_back({naiveDistance(queries, q, base, b), static_cast<std::uint32_t>(b)});
        std::sort(all.begin(), all.end());
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(all[rank].index);
            table.distance.push_back(all[rank].distance);
        }
    }
    return table;
}

CrossResult naiveCross(const CrossQuery& query) {
    CrossResult result;
    result.aToB = naiveNeighbors(query.b, query.a, query.kAToB, false);
    result.bToA = naiveNeighbors(query.a, query.b, query.kBToA, false);
    const auto count = [](std::span<const double> radius, MatrixView centres, MatrixView points,
                          std::vector<std::uint32_t>& inside, std::vector<std::uint32_t>& holding) {
        if (radius.empty())
            return;
        inside.assign(centres.rows, 0);
        holding.assign(points.rows, 0);
        for (std::size_t c = 0; c < centres.rows; ++c)
            for (std::size_t p = 0; p < points.rows; ++p)
                if (naiveDistance(centres, c, points, p) <= radius[c]) {
                    ++inside[c];
                    ++holding[p];
                }
    };
    count(query.radiusA, query.a, query.b, result.insideBallA, result.ballsAHolding);
    count(query.innerRadiusA, query.a, query.b, result.insideInnerBallA, result.innerBallsAHolding);
    count(query.radiusB, query.b, query.a, result.insideBallB, result.ballsBHolding);
    return result;
}

/// One way to search: a backend of the table, or one with what a trial would decide decided beforehand.
struct Way {
    int number;
    std::string name;
    std::unique_ptr<NeighborSearch> (*make)(unsigned threads);
};

std::unique_ptr<NeighborSearch> productByEveryShortcut(unsigned threads) {
    return std::make_unique<GemmSearch>(threads, false, Shortcuts::All);
}

const std::vector<Way>& ways() {
    static const std::vector<Way> all = [] {
        std::vector<Way> found;
        for (const Backend& backend : backendTable())
            found.push_back({static_cast<int>(found.size()), std::string(backend.name), backend.make});
        found.push_back({static_cast<int>(found.size()), "gemm by every shortcut", productByEveryShortcut});
        return found;
    }();
    return all;
}

struct Case {
    std::string name;
    std::function<Matrix()> a, b;
    std::size_t k;
};

Matrix scaled(Matrix matrix, float factor) {
    for (float& v : matrix.values)
        v *= factor;
    return matrix;
}

Matrix shifted(Matrix matrix, float offset) {
    for (float& v : matrix.values)
        v += offset;
    return matrix;
}

Matrix withConstantColumn(Matrix matrix, std::size_t column, float value) {
    for (std::size_t r = 0; r < matrix.rows; ++r)
        matrix.values[r * matrix.dim + column] = value;
    return matrix;
}

/// Rows whose distances differ by less than single precision can tell: on a sphere about the first, but for the last
/// bit.
Matrix nearlyEqualDistances(std::size_t rows, unsigned seed) {
    Matrix matrix = test::gaussian(rows, 3, seed);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = matrix.values.data() + r * 3;
        const float length = r == 0 ? 0.0F : 1.0F / std::hypot(row[0], row[1], row[2]);
        for (std::size_t c = 0; c < 3; ++c)
            row[c] *= length;
    }
    return matrix;
}

/// One set with values of very different magnitude side by side.
Matrix mixedMagnitudes(std::size_t rows, unsigned seed) {
    Matrix matrix = test::gaussian(rows, 6, seed);
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] *= std::pow(10.0F, static_cast<float>(i % 6) * 2.0F - 6.0F);
    return matrix;
}

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"independent, 16 dimensions", [] { return gaussian(700, 16, 1); }, [] { return gaussian(900, 16, 2); }, 7},
        {"several tiles, 40 dimensions", [] { return gaussian(1300, 40, 3); }, [] { return gaussian(1100, 40, 4); },
         33},
        {"odd dimension 133", [] { return gaussian(300, 133, 5); }, [] { return gaussian(310, 133, 6); }, 5},
        {"one dimension", [] { return gaussian(600, 1, 7); }, [] { return gaussian(500, 1, 8); }, 9},
        {"one dimension, ties", [] { return grid(600, 1, 9, 50); }, [] { return grid(700, 1, 10, 50); }, 12},
        {"grid full of ties", [] { return grid(900, 3, 11, 4); }, [] { return grid(800, 3, 12, 4); }, 20},
        {"binary, 12 dimensions", [] { return grid(800, 12, 13, 2); }, [] { return grid(700, 12, 14, 2); }, 33},
        {"every row many times", [] { return repeated(gaussian(20, 8, 15), 800); },
         [] { return repeated(gaussian(25, 8, 15), 700); }, 32},
        {"all rows equal", [] { return repeated(gaussian(1, 5, 16), 700); },
         [] { return repeated(gaussian(1, 5, 16), 600); }, 10},
        {"copies of the real set", [] { return gaussian(600, 24, 17); }, [] { return gaussian(600, 24, 17); }, 6},
        {"k = N - 1", [] { return gaussian(70, 10, 18); }, [] { return gaussian(70, 10, 19); }, 69},
        {"k = N - 1 with ties", [] { return grid(150, 2, 20, 3); }, [] { return grid(150, 2, 21, 3); }, 149},
        {"two rows", [] { return gaussian(2, 4, 22); }, [] { return gaussian(2, 4, 23); }, 1},
        {"far from the origin", [] { return shifted(gaussian(600, 20, 24), 10000.0F); },
         [] { return shifted(gaussian(600, 20, 25), 10000.0F); }, 8},
        {"huge values", [] { return scaled(gaussian(600, 7, 26), 1e30F); },
         [] { return scaled(gaussian(500, 7, 27), 1e30F); }, 6},
        {"values whose sums overflow float", [] { return shifted(scaled(test::grid(900, 1, 40, 700), 1e35F), 2e38F); },
         [] { return shifted(scaled(test::grid(800, 1, 41, 700), 1e35F), 2e38F); }, 6},
        {"tiny values", [] { return scaled(gaussian(600, 7, 28), 1e-30F); },
         [] { return scaled(gaussian(500, 7, 29), 1e-30F); }, 6},
        {"mixed magnitudes", [] { return mixedMagnitudes(600, 30); }, [] { return mixedMagnitudes(500, 31); }, 6},
        {"31 dimensions", [] { return gaussian(260, 31, 50); }, [] { return gaussian(250, 31, 51); }, 9},
        {"32 dimensions", [] { return gaussian(260, 32, 52); }, [] { return gaussian(250, 32, 53); }, 9},
        {"33 dimensions", [] { return gaussian(260, 33, 54); }, [] { return gaussian(250, 33, 55); }, 9},
        {"48 dimensions", [] { return gaussian(260, 48, 56); }, [] { return gaussian(250, 48, 57); }, 9},
        {"33 dimensions, ties", [] { return grid(260, 33, 58, 2); }, [] { return grid(250, 33, 59, 2); }, 40},
        {"one full leaf", [] { return gaussian(64, 4, 60); }, [] { return gaussian(63, 4, 61); }, 63},
        {"a leaf and one row", [] { return gaussian(65, 4, 62); }, [] { return gaussian(129, 4, 63); }, 64},
        {"k = N - 1 over several leaves", [] { return gaussian(300, 5, 64); }, [] { return gaussian(300, 5, 65); },
         299},
        {"equal rows, more than a leaf, k = N - 1", [] { return repeated(gaussian(1, 3, 66), 200); },
         [] { return repeated(gaussian(1, 3, 66), 200); }, 199},
        {"clusters of equal rows, each more than a leaf", [] { return repeated(gaussian(5, 3, 67), 1000); },
         [] { return repeated(gaussian(7, 3, 67), 900); }, 40},
        {"one axis constant", [] { return withConstantColumn(gaussian(500, 3, 68), 1, 1e20F); },
         [] { return withConstantColumn(gaussian(400, 3, 69), 1, 1e20F); }, 12},
        {"one axis constant, others tiny beside it",
         [] { return withConstantColumn(scaled(gaussian(500, 3, 70), 1e-25F), 1, 1e20F); },
         [] { return withConstantColumn(scaled(gaussian(400, 3, 71), 1e-25F), 1, 1e20F); }, 12},
        {"distances equal but for the last bits", [] { return nearlyEqualDistances(700, 72); },
         [] { return nearlyEqualDistances(600, 73); }, 33},
        {"sets far apart", [] { return gaussian(300, 6, 74); }, [] { return shifted(gaussian(300, 6, 75), 3e4F); }, 20},
        {"one set tiny, the other huge", [] { return scaled(gaussian(300, 6, 76), 1e-35F); },
         [] { return scaled(gaussian(300, 6, 77), 1e35F); }, 20},
        {"nothing but zeros", [] { return scaled(gaussian(100, 2, 78), 0.0F); },
         [] { return scaled(gaussian(90, 2, 79), 0.0F); }, 70},
        {"one far outlier",
         [] {
             Matrix m = gaussian(600, 10, 32);
             m.values[5] = 1e6F;
             return m;
         },
         [] { return gaussian(500, 10, 33); }, 6},
    };
    return all;
}

std::vector<double> radiiOf(const NeighborTable& table) {
    return table.distancesAt(table.k);
}

/// Radii no larger than the given ones, about half of them equal: the clipped balls of an audit.
std::vector<double> clippedAtMedian(std::vector<double> radii) {
    std::vector<double> sorted = radii;
    std::sort(sorted.begin(), sorted.end());
    for (double& radius : radii)
        radius = std::min(radius, sorted[sorted.size() / 2]);
    return radii;
}

} // namespace

class KnnContractTest : public QObject {
    Q_OBJECT

private slots:
    void selfNeighborsAreExact_data() { everyBackendAndCase(); }
    void selfNeighborsAreExact();
    void crossIsExact_data() { everyBackendAndCase(); }
    void crossIsExact();
    void randomisedAgainstDirect();
    void kernelsMeasureManyRowsAsOne();
    void kernelsAgreeToTheLastBit();
    void countsOnly();
    void ballsOfEverySize();
    void emptySetsHaveEmptyAnswers();
    void refusesKTooLarge_data() { everyBackend(); }
    void refusesKTooLarge();
    void answerDoesNotDependOnThreads();
    void autoPicksSomethingExact();
    void stopsWithinATenthOfASecond_data();
    void stopsWithinATenthOfASecond();

private:
    void everyBackend();
    void everyBackendAndCase();
};

void KnnContractTest::everyBackend() {
    QTest::addColumn<int>("backend");
    for (const Way& backend : ways())
        QTest::newRow(backend.name.c_str()) << backend.number;
}

void KnnContractTest::everyBackendAndCase() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("index");
    for (const Way& backend : ways())
        for (std::size_t c = 0; c < cases().size(); ++c)
            QTest::newRow((backend.name + ": " + cases()[c].name).c_str()) << backend.number << static_cast<int>(c);
}

void KnnContractTest::selfNeighborsAreExact() {
    QFETCH(int, backend);
    QFETCH(int, index);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix set = c.a();
    const auto search = ways()[static_cast<std::size_t>(backend)].make(2);
    const NeighborTable found = search->selfNeighbors(set.view(), c.k, {});
    const NeighborTable expected = naiveNeighbors(set.view(), set.view(), c.k, true);
    QCOMPARE(found.index, expected.index);
    QVERIFY(found == expected);
}

void KnnContractTest::crossIsExact() {
    QFETCH(int, backend);
    QFETCH(int, index);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix a = c.a();
    const Matrix b = c.b();
    const std::size_t ballK = std::min<std::size_t>(c.k, 5);
    const std::vector<double> radiusA = radiiOf(naiveNeighbors(a.view(), a.view(), ballK, true));
    const std::vector<double> radiusB = radiiOf(naiveNeighbors(b.view(), b.view(), ballK, true));
    const std::vector<double> inner = clippedAtMedian(radiusA);
    const CrossQuery query{a.view(), b.view(), std::min(c.k, b.rows), std::min(c.k, a.rows), radiusA, inner, radiusB};
    const auto search = ways()[static_cast<std::size_t>(backend)].make(2);
    const CrossResult found = search->cross(query, {});
    const CrossResult expected = naiveCross(query);
    QVERIFY(found.aToB == expected.aToB);
    QVERIFY(found.bToA == expected.bToA);
    QCOMPARE(found.insideBallA, expected.insideBallA);
    QCOMPARE(found.insideInnerBallA, expected.insideInnerBallA);
    QCOMPARE(found.ballsAHolding, expected.ballsAHolding);
    QCOMPARE(found.innerBallsAHolding, expected.innerBallsAHolding);
    QCOMPARE(found.insideBallB, expected.insideBallB);
    QCOMPARE(found.ballsBHolding, expected.ballsBHolding);
}

void KnnContractTest::randomisedAgainstDirect() {
    // Shapes, ties and scales drawn at random; the seed is fixed and printed with a failure.
    std::mt19937 random(20260101);
    for (int round = 0; round < 40; ++round) {
        const auto below = [&](unsigned bound) { return static_cast<unsigned>(random()) % bound; };
        const auto seed = static_cast<unsigned>(random());
        const std::size_t rowsA = 2 + below(400);
        const std::size_t rowsB = 2 + below(400);
        const std::size_t dim = 1 + below(30);
        const bool ties = below(2) == 0;
        const unsigned levels = 2 + below(5);
        const Matrix a = ties ? test::grid(rowsA, dim, seed, levels) : test::gaussian(rowsA, dim, seed);
        const Matrix b = ties ? test::grid(rowsB, dim, seed + 1, levels) : test::gaussian(rowsB, dim, seed + 1);
        const std::size_t k = 1 + below(static_cast<unsigned>(std::min(rowsA, rowsB)) - 1);
        const std::vector<double> radius = radiiOf(naiveNeighbors(a.view(), a.view(), std::min(k, rowsA - 1), true));
        const CrossQuery query{a.view(), b.view(), k, k, radius, radius, {}};
        const CrossResult expected = naiveCross(query);
        for (const Way& backend : ways()) {
            const CrossResult found = backend.make(2)->cross(query, {});
            QVERIFY2(found == expected, qPrintable(QStringLiteral("round %1, seed %2, %3 x %4 and %5 rows, k %6")
                                                       .arg(round)
                                                       .arg(seed)
                                                       .arg(rowsA)
                                                       .arg(dim)
                                                       .arg(rowsB)
                                                       .arg(k)));
        }
    }
}

void KnnContractTest::kernelsMeasureManyRowsAsOne() {
    std::vector<const Kernels*> variants{&kGenericKernels, &kernels()};
    if (__builtin_cpu_supports("avx2"))
        variants.push_back(&kAvx2Kernels);
    for (const std::size_t dim : {1, 7, 8, 31, 32, 33, 100, 1024, 2047, 2048, 2049, 3000}) {
        const Matrix rows = test::gaussian(9, dim, static_cast<unsigned>(dim), 3.0F, 100.0F);
        const std::vector<std::uint32_t> order{5, 1, 8, 0, 3, 3, 7};
        for (std::size_t count = 0; count <= order.size(); ++count)
            for (const Kernels* kernel : variants) {
                std::vector<double> squared(order.size(), -1.0);
                kernel->squaredDistances(rows.view().rowData(2), rows.values.data(), dim, order.data(), count,
                                         squared.data());
                for (std::size_t r = 0; r < order.size(); ++r)
                    QCOMPARE(squared[r], r < count ? kGenericKernels.squaredDistance(rows.view().rowData(2),
                                                                                     rows.view().rowData(order[r]), dim)
                                                   : -1.0);
            }
    }
}

void KnnContractTest::kernelsAgreeToTheLastBit() {
    for (std::size_t dim = 1; dim <= 200; ++dim) {
        const Matrix rows = test::gaussian(2, dim, static_cast<unsigned>(dim), 3.0F, 100.0F);
        const double expected = kGenericKernels.squaredDistance(rows.view().rowData(0), rows.view().rowData(1), dim);
        double direct = 0.0;
        for (std::size_t c = 0; c < dim; ++c)
            direct += std::pow(static_cast<double>(rows.values[c]) - static_cast<double>(rows.values[dim + c]), 2);
        QVERIFY(std::abs(expected - direct) <= 1e-13 * direct);
        QCOMPARE(kernels().squaredDistance(rows.view().rowData(0), rows.view().rowData(1), dim), expected);
        if (__builtin_cpu_supports("avx2"))
            QCOMPARE(kAvx2Kernels.squaredDistance(rows.view().rowData(0), rows.view().rowData(1), dim), expected);
    }
}

void KnnContractTest::countsOnly() {
    const Matrix a = test::gaussian(50, 3, 1);
    const Matrix b = test::gaussian(80, 3, 2);
    const std::vector<double> radius(a.rows, 0.7);
    const CrossQuery query{a.view(), b.view(), 0, 0, radius, {}, {}};
    for (const Way& backend : ways())
        QVERIFY(backend.make(1)->cross(query, {}) == naiveCross(query));
}

void KnnContractTest::ballsOfEverySize() {
    // From none to all points in a ball, with neighbours that reach beyond some of the balls and not beyond others.
    const Matrix a = test::gaussian(300, 4, 80);
    const Matrix b = test::grid(330, 4, 81, 3);
    std::vector<double> radius(a.rows);
    std::vector<double> inner(a.rows);
    for (std::size_t i = 0; i < a.rows; ++i) {
        radius[i] = i % 7 == 0 ? 0.0 : 0.03 * static_cast<double>(i);
        inner[i] = i % 3 == 0 ? radius[i] : radius[i] / 2.0;
    }
    std::vector<double> radiusB(b.rows, std::numeric_limits<double>::infinity());
    radiusB[3] = 0.0;
    radiusB[4] = 1.0; // grid points lie on its surface
    for (const std::size_t k : {std::size_t{0}, std::size_t{20}, a.rows}) {
        const CrossQuery query{a.view(), b.view(), k, k, radius, inner, radiusB};
        const CrossResult expected = naiveCross(query);
        for (const Way& backend : ways())
            QVERIFY2(backend.make(2)->cross(query, {}) == expected,
                     qPrintable(QStringLiteral("%1, k %2").arg(backend.name.c_str()).arg(k)));
    }
    // Distances of whole numbers, exactly on the radius.
    const std::vector<double> one(b.rows, 1.0);
    const CrossQuery ties{b.view(), b.view(), 0, 0, one, one, one};
    for (const Way& backend : ways())
        QVERIFY(backend.make(2)->cross(ties, {}) == naiveCross(ties));
}

void KnnContractTest::emptySetsHaveEmptyAnswers() {
    const Matrix a = test::gaussian(5, 3, 1);
    const std::vector<double> radius(a.rows, 1.0);
    const CrossQuery query{a.view(), {nullptr, 0, 3}, 0, 0, radius, radius, {}};
    const CrossResult found = KdTreeSearch(2).cross(query, {});
    QCOMPARE(found.insideBallA, std::vector<std::uint32_t>(a.rows, 0));
    QCOMPARE(found.insideInnerBallA, std::vector<std::uint32_t>(a.rows, 0));
    QVERIFY(found.ballsAHolding.empty() && found.innerBallsAHolding.empty());
}

void KnnContractTest::refusesKTooLarge() {
    QFETCH(int, backend);
    const Matrix set = test::gaussian(5, 3, 1);
    const Matrix other = test::gaussian(5, 4, 1);
    const auto search = ways()[static_cast<std::size_t>(backend)].make(1);
    QVERIFY_EXCEPTION_THROWN(search->selfNeighbors(set.view(), 5, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->selfNeighbors(set.view(), 0, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->selfNeighbors({}, 1, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->cross({set.view(), set.view(), 6, 0, {}, {}, {}}, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->cross({set.view(), other.view(), 1, 1, {}, {}, {}}, {}), Error);
    const std::vector<double> radius(4, 1.0);
    QVERIFY_EXCEPTION_THROWN(search->cross({set.view(), set.view(), 1, 1, radius, {}, {}}, {}), Error);
}

void KnnContractTest::answerDoesNotDependOnThreads() {
    const Matrix set = test::grid(1500, 6, 5, 3);
    for (const Way& backend : ways()) {
        const NeighborTable one = backend.make(1)->selfNeighbors(set.view(), 33, {});
        for (const unsigned threads : {2U, 5U})
            QVERIFY(backend.make(threads)->selfNeighbors(set.view(), 33, {}) == one);
    }
}

void KnnContractTest::autoPicksSomethingExact() {
    for (const std::size_t dim : {2U, 64U}) {
        const Matrix set = test::gaussian(400, dim, 3);
        const auto search = makeNeighborSearch(BackendChoice::Auto, set.view(), 2, {});
        QVERIFY(search->selfNeighbors(set.view(), 5, {}) == naiveNeighbors(set.view(), set.view(), 5, true));
    }
}

void KnnContractTest::stopsWithinATenthOfASecond_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("afterMs");
    for (const Way& backend : ways())
        for (const int afterMs : {1, 40, 150})
            for (const int dim : {4, 512})
                QTest::addRow("%s, %d dimensions, after %d ms", backend.name.c_str(), dim, afterMs)
                    << backend.number << dim << afterMs;
}

void KnnContractTest::stopsWithinATenthOfASecond() {
    QFETCH(int, backend);
    QFETCH(int, dim);
    QFETCH(int, afterMs);
    const Matrix set = test::grid(dim == 4 ? 60000 : 12000, static_cast<std::size_t>(dim), 5, 1000);
    const auto search = makeNeighborSearch(static_cast<BackendChoice>(backend), {}, 2, {});
    const auto waited = test::timeToStop(std::chrono::milliseconds(afterMs),
                                         [&](const JobContext& job) { search->selfNeighbors(set.view(), 32, job); });
    if (!waited)
        QSKIP("the search ended before it was asked to stop");
    QVERIFY2(*waited <= test::kStopBound, qPrintable(QStringLiteral("stopped after %1 ms").arg(waited->count())));
}

QTEST_GUILESS_MAIN(KnnContractTest)
#include "knn_contract_test.moc"
