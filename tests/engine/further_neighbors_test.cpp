// Neighbours beyond the nearest, up to a distance: against all distances.
#include "engine/base/error.h"
#include "engine/neighbors/products/gemm_search.h"
#include "tests/support/direct_search.h"
#include "tests/support/search_cases.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

using Entries = std::vector<std::pair<double, std::uint32_t>>;

/// Distances that take in from none to more than 2 k rows, ties and all.
std::vector<double> someDistances(const NeighborTable& all, std::size_t k) {
    std::vector<double> distances(all.rows());
    for (std::size_t row = 0; row < distances.size(); ++row) {
        const std::size_t rank = row * 7 % std::min(all.k, 2 * k + 6);
        distances[row] = rank == 0 ? 0.0 : all.distanceAt(row, rank - 1);
    }
    return distances;
}

Entries within(const NeighborTable& all, std::size_t row, double distance) {
    Entries entries;
    for (std::size_t rank = 0; rank < all.k && all.distanceAt(row, rank) <= distance; ++rank)
        entries.emplace_back(all.distanceAt(row, rank), all.indexAt(row, rank));
    return entries;
}

/// What table and further entries name within a distance.
Entries named(const NeighborTable& table, const FurtherNeighbors& further, std::size_t row, double distance) {
    Entries entries = within(table, row, distance);
    for (std::size_t at = further.begin(row); at < further.end[row]; ++at)
        entries.emplace_back(further.distance[at], further.index[at]);
    return entries;
}

/// What the direct search finds in one of the cases.
struct Known {
    NeighborTable allOfA; ///< every row of B, from each of A
    NeighborTable allOfB;
    CrossResult plain;
    CrossResult withBalls;
};

/// Found once for all tests of a case, of which one is kept: they come one after the other.
const Known& knownOf(int number, const Matrix& a, const Matrix& b, std::size_t k) {
    static int last = -1;
    static Known known;
    if (number == last)
        return known;
    last = number;
    known.allOfA = test::directNeighbors(b.view(), a.view(), b.rows, false);
    known.allOfB = test::directNeighbors(a.view(), b.view(), a.rows, false);
    CrossQuery query{a.view(), b.view(), k, k, {}, {}, {}};
    known.plain = test::directCross(query);
    const std::vector<double> radiusA = known.allOfA.distancesAt(std::min(k, known.allOfA.k));
    const std::vector<double> radiusB = known.allOfB.distancesAt(std::min(k, known.allOfB.k));
    query.radiusA = radiusA;
    query.radiusB = radiusB;
    known.withBalls = test::directCross(query);
    return known;
}

} // namespace

class FurtherNeighborsTest : public QObject {
    Q_OBJECT

private slots:
    void nameAllWithinTheDistance_data();
    void nameAllWithinTheDistance();
    void areLeftWhereTheyWouldBeTooMany();
    void answerOnlyWhatWasAsked();

private:
    static void compare(const NeighborTable& all, const NeighborTable& table, const FurtherNeighbors& further,
                        const std::vector<double>& distances, bool everyRow);
};

void FurtherNeighborsTest::compare(const NeighborTable& all, const NeighborTable& table,
                                   const FurtherNeighbors& further, const std::vector<double>& distances,
                                   bool everyRow) {
    QCOMPARE(further.complete.size(), all.rows());
    QCOMPARE(further.end.size(), all.rows());
    std::size_t complete = 0;
    std::size_t possible = 0;
    for (std::size_t row = 0; row < all.rows(); ++row) {
        const Entries expected = within(all, row, distances[row]);
        const bool few = expected.size() <= 2 * table.k;
        possible += few ? 1 : 0;
        if (everyRow)
            QCOMPARE(further.isComplete(row), few);
        if (!further.isComplete(row)) {
            QCOMPARE(further.end[row], further.begin(row));
            continue;
        }
        ++complete;
        QCOMPARE(named(table, further, row, distances[row]), expected);
    }
    QVERIFY(2 * complete >= possible);
}

void FurtherNeighborsTest::nameAllWithinTheDistance_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<bool>("shortcuts");
    QTest::addColumn<bool>("balls");
    for (std::size_t c = 0; c < test::searchCases().size(); ++c)
        for (const bool shortcuts : {false, true})
            for (const bool balls : {false, true}) {
                if (test::takesSmallSizes() && balls != shortcuts)
                    continue;
                QTest::addRow("%s%s%s", test::searchCases()[c].name.c_str(), shortcuts ? ", contracted" : "",
                              balls ? ", with balls" : "")
                    << static_cast<int>(c) << shortcuts << balls;
            }
}

void FurtherNeighborsTest::nameAllWithinTheDistance() {
    QFETCH(int, number);
    QFETCH(bool, shortcuts);
    QFETCH(bool, balls);
    const test::SearchCase& given = test::searchCases()[static_cast<std::size_t>(number)];
    const Matrix a = given.a();
    const Matrix b = given.b();
    const std::size_t k = std::min({given.k, a.rows, b.rows});
    const Known& known = knownOf(number, a, b, k);
    const NeighborTable& allOfA = known.allOfA;
    const NeighborTable& allOfB = known.allOfB;
    const std::vector<double> distancesA = someDistances(allOfA, k);
    const std::vector<double> distancesB = someDistances(allOfB, k);
    CrossQuery query{a.view(), b.view(), k, k, {}, {}, {}, distancesA, distancesB};
    const std::vector<double> radiusA = allOfA.distancesAt(std::min(k, allOfA.k));
    const std::vector<double> radiusB = allOfB.distancesAt(std::min(k, allOfB.k));
    if (balls) {
        query.radiusA = radiusA;
        query.radiusB = radiusB;
    }
    const GemmSearch search(2, false, shortcuts ? Shortcuts::All : Shortcuts::Measured);
    CrossResult found = search.cross(query, {});
    // Long sets are primed, and contracted ones: a row may be given up early then.
    const bool everyRow = !shortcuts && std::max(a.rows, b.rows) < 2048;
    compare(allOfA, found.aToB, found.furtherA, distancesA, everyRow);
    compare(allOfB, found.bToA, found.furtherB, distancesB, everyRow);
    // Everything else is as without them.
    found.furtherA = {};
    found.furtherB = {};
    query.furtherA = {};
    query.furtherB = {};
    QVERIFY(found == (balls ? known.withBalls : known.plain));
}

void FurtherNeighborsTest::areLeftWhereTheyWouldBeTooMany() {
    const Matrix a = test::gaussian(400, 6, 1);
    const Matrix b = test::gaussian(3000, 6, 2);
    const std::vector<double> far(a.rows, 1e9);
    const CrossResult found = GemmSearch(2).cross({a.view(), b.view(), 8, 0, {}, {}, {}, far, {}}, {});
    QCOMPARE(std::count(found.furtherA.complete.begin(), found.furtherA.complete.end(), 1), 0);
    QVERIFY(found.furtherA.index.empty());
    QVERIFY(found.aToB == test::directNeighbors(b.view(), a.view(), 8, false));
}

void FurtherNeighborsTest::answerOnlyWhatWasAsked() {
    const Matrix a = test::gaussian(40, 6, 3);
    const std::vector<double> tooFew(3, 1.0);
    QVERIFY_EXCEPTION_THROWN(GemmSearch(2).cross({a.view(), a.view(), 8, 8, {}, {}, {}, tooFew, {}}, {}), Error);
    const std::vector<double> far(a.rows, 1.0);
    const CrossResult found = GemmSearch(2).cross({a.view(), a.view(), 8, 0, {}, {}, {}, {}, far}, {});
    QVERIFY(found.furtherA == FurtherNeighbors());
    QVERIFY(found.furtherB == FurtherNeighbors()); // no nearest to be beyond of
    QVERIFY(!found.furtherB.isComplete(3));
}

ASSAY_TEST(further_neighbors_test, FurtherNeighborsTest)
#include "further_neighbors_test.moc"
