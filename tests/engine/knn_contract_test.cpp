// The exactness contract: every backend returns what a direct double-precision search returns, bit for bit.
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "engine/math/products/kernels.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/direct_search.h"
#include "tests/support/plain_distance.h"
#include "tests/support/search_cases.h"
#include "tests/support/simd_targets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

using namespace assay;
using test::Matrix;

namespace {

/// One way to search: a backend of the table, or one with what a trial would decide decided beforehand.
struct Way {
    int number;
    std::string name;
    std::unique_ptr<NeighborSearch> (*make)(unsigned threads);
};

std::unique_ptr<NeighborSearch> productByEveryShortcut(unsigned threads) {
    return std::make_unique<GemmSearch>(threads, false, Pruning::Always);
}

std::unique_ptr<NeighborSearch> productInLittleMemory(unsigned threads) {
    return std::make_unique<GemmSearch>(threads, true);
}

const std::vector<Way>& ways() {
    static const std::vector<Way> all = [] {
        std::vector<Way> found;
        for (const Backend& backend : backendTable())
            found.push_back({static_cast<int>(found.size()), std::string(backend.name), backend.make});
        found.push_back({static_cast<int>(found.size()), "gemm by every shortcut", productByEveryShortcut});
        found.push_back({static_cast<int>(found.size()), "gemm in little memory", productInLittleMemory});
        return found;
    }();
    return all;
}

std::vector<double> radiiOf(const NeighborTable& table) {
    return table.distancesAt(table.k);
}

} // namespace

class KnnContractTest : public QObject {
    Q_OBJECT

private slots:
    void withinIsExact_data() { everyBackendAndCase(); }
    void withinIsExact();
    void betweenIsExact_data() { everyBackendAndCase(); }
    void betweenIsExact();
    void randomisedAgainstDirect();
    void kernelsMeasureManyRowsAsOne();
    void kernelsAgreeToTheLastBit();
    void countsOnly();
    void ballsOfEverySize();
    void emptySetsHaveEmptyAnswers_data();
    void emptySetsHaveEmptyAnswers();
    void boxesThatOverflowFloatAreExact();
    void deepTreesAreExact_data();
    void deepTreesAreExact();
    void refusesKTooLarge_data() { everyBackend(); }
    void refusesKTooLarge();
    void answerDoesNotDependOnThreads();
    void autoPicksSomethingExact();
    void autoPicksBySize_data();
    void autoPicksBySize();
    void stopsWhenAsked_data();
    void stopsWhenAsked();

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
        for (std::size_t c = 0; c < test::searchCases().size(); ++c)
            QTest::newRow((backend.name + ": " + test::searchCases()[c].name).c_str())
                << backend.number << static_cast<int>(c);
}

void KnnContractTest::withinIsExact() {
    QFETCH(int, backend);
    QFETCH(int, index);
    const test::SearchCase& c = test::searchCases()[static_cast<std::size_t>(index)];
    const Matrix set = c.a();
    const auto search = ways()[static_cast<std::size_t>(backend)].make(2);
    const NeighborTable found = search->within(set.view(), c.k, {});
    // The same for every backend.
    static std::map<int, NeighborTable> known;
    if (!known.contains(index))
        known[index] = test::directNeighbors(set.view(), set.view(), c.k, true);
    const NeighborTable& expected = known[index];
    QCOMPARE(found.index, expected.index);
    QVERIFY(found == expected);
}

void KnnContractTest::betweenIsExact() {
    QFETCH(int, backend);
    QFETCH(int, index);
    const test::SearchCase& c = test::searchCases()[static_cast<std::size_t>(index)];
    const Matrix a = c.a();
    const Matrix b = c.b();
    /// What is the same for every backend.
    struct Known {
        std::vector<double> radiusA;
        std::vector<double> inner;
        std::vector<double> radiusB;
        PassResult expected;
    };
    static std::map<int, Known> all;
    Known& known = all[index];
    const bool isNew = known.radiusA.empty();
    if (isNew) {
        const std::size_t ballK = std::min<std::size_t>(c.k, 5);
        known.radiusA = radiiOf(test::directNeighbors(a.view(), a.view(), ballK, true));
        known.inner = test::clippedAtMedian(known.radiusA);
        known.radiusB = radiiOf(test::directNeighbors(b.view(), b.view(), ballK, true));
    }
    const test::Sides query{{a.view(), std::min(c.k, b.rows), known.radiusA, known.inner},
                            {b.view(), std::min(c.k, a.rows), known.radiusB}};
    if (isNew)
        known.expected = test::directBetween(query.a, query.b);
    const PassResult& expected = known.expected;
    const auto search = ways()[static_cast<std::size_t>(backend)].make(2);
    const PassResult found = search->between(query.a, query.b, {});
    QVERIFY(found.a.nearest == expected.a.nearest);
    QVERIFY(found.b.nearest == expected.b.nearest);
    QCOMPARE(found.a.inside, expected.a.inside);
    QCOMPARE(found.a.insideInner, expected.a.insideInner);
    QCOMPARE(found.b.holding, expected.b.holding);
    QCOMPARE(found.b.innerHolding, expected.b.innerHolding);
    QCOMPARE(found.b.inside, expected.b.inside);
    QCOMPARE(found.a.holding, expected.a.holding);
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
        const std::vector<double> radius =
            radiiOf(test::directNeighbors(a.view(), a.view(), std::min(k, rowsA - 1), true));
        const test::Sides query{{a.view(), k, radius, radius}, {b.view(), k}};
        const PassResult expected = test::directBetween(query.a, query.b);
        test::onEveryInstructionSet([&](const char* name) {
            for (const Way& backend : ways()) {
                const PassResult found = backend.make(2)->between(query.a, query.b, {});
                QVERIFY2(found == expected,
                         qPrintable(QStringLiteral("round %1, seed %2, %3 x %4 and %5 rows, k %6, %7")
                                        .arg(round)
                                        .arg(seed)
                                        .arg(rowsA)
                                        .arg(dim)
                                        .arg(rowsB)
                                        .arg(k)
                                        .arg(QString::fromLatin1(name))));
            }
        });
    }
}

void KnnContractTest::kernelsMeasureManyRowsAsOne() {
    test::onEveryInstructionSet([](const char* name) {
        for (const std::size_t dim : {1, 7, 8, 31, 32, 33, 100, 1024, 2047, 2048, 2049, 3000}) {
            const Matrix rows = test::gaussian(9, dim, static_cast<unsigned>(dim), 3.0F, 100.0F);
            const std::vector<std::uint32_t> order{5, 1, 8, 0, 3, 3, 7};
            const float* from = rows.view().rowData(2);
            for (std::size_t count = 0; count <= order.size(); ++count) {
                std::vector<double> squared(order.size(), -1.0);
                kernels().squaredDistances(from, rows.view(), {order.data(), count}, squared.data());
                for (std::size_t r = 0; r < order.size(); ++r) {
                    const double direct = test::plainSquaredDistance(from, rows.view().rowData(order[r]), dim);
                    QVERIFY2(squared[r] == (r < count ? direct : -1.0), name);
                }
            }
        }
    });
}

void KnnContractTest::kernelsAgreeToTheLastBit() {
    for (std::size_t dim = 0; dim <= 200; ++dim) {
        const Matrix rows = test::gaussian(2, dim, static_cast<unsigned>(dim), 3.0F, 100.0F);
        const float* x = rows.view().rowData(0);
        const float* y = rows.view().rowData(1);
        const double expected = test::plainSquaredDistance(x, y, dim);
        double direct = 0.0;
        for (std::size_t c = 0; c < dim; ++c)
            direct += std::pow(static_cast<double>(x[c]) - static_cast<double>(y[c]), 2);
        QVERIFY(std::abs(expected - direct) <= 1e-13 * direct);
        test::onEveryInstructionSet(
            [&](const char* name) { QVERIFY2(kernels().squaredDistance(x, y, dim) == expected, name); });
    }
}

void KnnContractTest::countsOnly() {
    const Matrix a = test::gaussian(50, 3, 1);
    const Matrix b = test::gaussian(80, 3, 2);
    const std::vector<double> radius(a.rows, 0.7);
    const test::Sides query{{a.view(), 0, radius}, {b.view()}};
    for (const Way& backend : ways())
        QVERIFY(backend.make(1)->between(query.a, query.b, {}) == test::directBetween(query.a, query.b));
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
        const test::Sides query{{a.view(), k, radius, inner}, {b.view(), k, radiusB}};
        const PassResult expected = test::directBetween(query.a, query.b);
        for (const Way& backend : ways())
            QVERIFY2(backend.make(2)->between(query.a, query.b, {}) == expected,
                     qPrintable(QStringLiteral("%1, k %2").arg(backend.name.c_str()).arg(k)));
    }
    // Distances of whole numbers, exactly on the radius.
    const std::vector<double> one(b.rows, 1.0);
    const test::Sides ties{{b.view(), 0, one, one}, {b.view(), 0, one, one}};
    for (const Way& backend : ways())
        QVERIFY(backend.make(2)->between(ties.a, ties.b, {}) == test::directBetween(ties.a, ties.b));
}

void KnnContractTest::emptySetsHaveEmptyAnswers_data() {
    QTest::addColumn<int>("backend");
    for (std::size_t row = 0; row < backendTable().size(); ++row) // shortcuts are never forced on such sets
        QTest::newRow(ways()[row].name.c_str()) << static_cast<int>(row);
}

void KnnContractTest::emptySetsHaveEmptyAnswers() {
    const Matrix a = test::gaussian(5, 3, 1);
    const std::vector<double> radius(a.rows, 1.0);
    const test::Sides query{{a.view(), 0, radius, radius}, {{nullptr, 0, 3}}};
    QFETCH(int, backend);
    const auto search = ways()[static_cast<std::size_t>(backend)].make(2);
    const PassResult found = search->between(query.a, query.b, {});
    QCOMPARE(found.a.inside, std::vector<std::uint32_t>(a.rows, 0));
    QCOMPARE(found.a.insideInner, std::vector<std::uint32_t>(a.rows, 0));
    QVERIFY(found.b.holding.empty() && found.b.innerHolding.empty());
    const PassResult swapped = search->between({query.b.rows}, {query.a.rows, 0, radius}, {});
    QCOMPARE(swapped.b.inside, std::vector<std::uint32_t>(a.rows, 0));
    QVERIFY(swapped.a.holding.empty() && swapped.a.nearest.index.empty() && swapped.b.nearest.index.empty());
}

void KnnContractTest::boxesThatOverflowFloatAreExact() {
    Matrix set = test::gaussian(500, 3, 90);
    for (std::size_t row = 0; row < set.rows; ++row) {
        set.values[row * 3] = -1.0F - std::abs(set.values[row * 3]);
        set.values[row * 3 + 1] = row % 2 == 0 ? 3e38F : -3e38F;
    }
    const NeighborTable expected = test::directNeighbors(set.view(), set.view(), 300, true);
    for (const Way& backend : ways())
        QVERIFY2(backend.make(2)->within(set.view(), 300, {}) == expected, backend.name.c_str());
}

/// Rows that are 0 but for one power of two each, down to the smallest: halving the sides of a box in turns parts one
/// row at a time from the others.
static Matrix powersOfTwo(std::size_t dim) {
    constexpr std::size_t kPowers = 150;
    Matrix matrix{std::vector<float>(kPowers * dim * dim), kPowers * dim, dim};
    for (std::size_t row = 0; row < matrix.rows; ++row)
        matrix.values[row * dim + row % dim] = std::ldexp(1.0F, -static_cast<int>(row / dim));
    return matrix;
}

void KnnContractTest::deepTreesAreExact_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("dim");
    for (const Way& backend : ways())
        for (const int dim : {test::sized(60, 10), test::sized(90, 20)}) // the latter too deep for the stack
            QTest::addRow("%s, %d dimensions", backend.name.c_str(), dim) << backend.number << dim;
}

void KnnContractTest::deepTreesAreExact() {
    QFETCH(int, backend);
    QFETCH(int, dim);
    const Matrix set = powersOfTwo(static_cast<std::size_t>(dim));
    const Matrix queries{{set.values.begin() + 400 * dim, set.values.begin() + 500 * dim}, 100, set.dim};
    const test::Sides query{{queries.view(), 40}, {set.view()}};
    QVERIFY(ways()[static_cast<std::size_t>(backend)].make(2)->between(query.a, query.b, {}) ==
            test::directBetween(query.a, query.b));
}

void KnnContractTest::refusesKTooLarge() {
    QFETCH(int, backend);
    const Matrix set = test::gaussian(5, 3, 1);
    const Matrix other = test::gaussian(5, 4, 1);
    const auto search = ways()[static_cast<std::size_t>(backend)].make(1);
    QVERIFY_EXCEPTION_THROWN(search->within(set.view(), 5, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->within(set.view(), 0, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->within({}, 1, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->between({set.view(), 6}, {set.view()}, {}), Error);
    QVERIFY_EXCEPTION_THROWN(search->between({set.view(), 1}, {other.view(), 1}, {}), Error);
    const std::vector<double> radius(4, 1.0);
    QVERIFY_EXCEPTION_THROWN(search->between({set.view(), 1, radius}, {set.view(), 1}, {}), Error);
}

void KnnContractTest::answerDoesNotDependOnThreads() {
    const Matrix set = test::grid(1500, 6, 5, 3);
    for (const Way& backend : ways()) {
        const NeighborTable one = backend.make(1)->within(set.view(), 33, {});
        for (const unsigned threads : {2U, 5U})
            QVERIFY(backend.make(threads)->within(set.view(), 33, {}) == one);
    }
}

void KnnContractTest::autoPicksSomethingExact() {
    for (const std::size_t dim : {2U, 64U}) {
        const Matrix set = test::gaussian(400, dim, 3);
        const auto search = makeNeighborSearch(BackendChoice::Auto, set.view(), 2, {});
        QVERIFY(search->within(set.view(), 5, {}) == test::directNeighbors(set.view(), set.view(), 5, true));
    }
}

void KnnContractTest::autoPicksBySize_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<QString>("backend");
    QTest::newRow("few rows of few dimensions") << 1000 << 8 << "nanoflann";
    QTest::newRow("where people start") << 2000 << 16 << "nanoflann";
    QTest::newRow("many rows of few dimensions") << 20000 << 8 << "kdtree";
    QTest::newRow("few rows of many dimensions") << 2000 << 512 << "gemm";
}

void KnnContractTest::autoPicksBySize() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(QString, backend);
    const Matrix set = test::gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 3);
    auto search = makeNeighborSearch(BackendChoice::Auto, set.view(), 2, {});
    QCOMPARE(QString::fromStdString(std::string(search->name())), backend);
    const PairSearch pairs = backend == "gemm" ? PairSearch::ByProducts : PairSearch::ByTree;
    QVERIFY(search->pairSearch() == pairs);
    QVERIFY(withNotice(std::move(search), "a card is left out")->pairSearch() == pairs);
}

void KnnContractTest::stopsWhenAsked_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("dim");
    for (const Way& backend : ways())
        for (const int dim : {4, 64})
            QTest::addRow("%s, %d dimensions", backend.name.c_str(), dim) << backend.number << dim;
}

void KnnContractTest::stopsWhenAsked() {
    QFETCH(int, backend);
    QFETCH(int, dim);
    const Matrix set = test::grid(2500, static_cast<std::size_t>(dim), 5, 1000);
    const Way& way = ways()[static_cast<std::size_t>(backend)];
    const auto search = way.make(2);
    const std::size_t leastChecks = way.name == "cuda" ? 3 : 50; // so few rows are one block on a graphics card
    const std::string failure =
        test::stopFailure([&](const JobContext& job) { search->within(set.view(), 32, job); }, leastChecks);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(knn_contract_test, KnnContractTest)
#include "knn_contract_test.moc"
