// Searches at sizes where comparing all pairs takes too long: every backend against nanoflann's tree, bit for bit, and
// some rows against all others.
#include "engine/gpu/backends/backends.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/support/direct_search.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace assay;
using test::Matrix;

namespace {

constexpr std::size_t kNeighbors = 7;

/// Both sets, and what nanoflann finds in them.
struct Sets {
    Matrix a, b;
    NeighborTable ofA;
    std::vector<double> radiusA, innerA, radiusB;
    PassResult cross;

    Sets(std::size_t dim, bool ties) {
        const auto rows = [&](std::size_t count, unsigned seed) {
            return ties ? test::grid(count, dim, seed, 12) : test::gaussian(count, dim, seed);
        };
        a = rows(test::sized<std::size_t>(10000, 3000), 1);
        b = rows(test::sized<std::size_t>(6000, 2000), 2);
        const NanoflannSearch search(2);
        ofA = search.within(a.view(), kNeighbors, {});
        radiusA = ofA.distancesAt(5);
        innerA = ofA.distancesAt(2);
        radiusB = search.within(b.view(), 5, {}).distancesAt(5);
        cross = search.between(sideA(), sideB(), {});
    }
    SideQuery sideA() const { return {a.view(), kNeighbors, radiusA, innerA}; }
    SideQuery sideB() const { return {b.view(), kNeighbors, radiusB}; }
};

struct Kind {
    const char* name;
    std::size_t dim;
    bool ties;
};
constexpr Kind kKinds[] = {{"2 dimensions", 2, false},
                           {"5 dimensions", 5, false},
                           {"12 dimensions", 12, false},
                           {"4 dimensions, ties", 4, true}};

const Sets& setsOf(int kind) {
    static std::map<int, Sets> all;
    const Kind& of = kKinds[kind];
    return all.try_emplace(kind, of.dim, of.ties).first->second;
}

} // namespace

class LargeSearchTest : public QObject {
    Q_OBJECT

private slots:
    void everyBackendFindsTheSame_data();
    void everyBackendFindsTheSame();
    void someRowsAgainstAllOthers_data();
    void someRowsAgainstAllOthers();
};

void LargeSearchTest::everyBackendFindsTheSame_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("kind");
    for (const Backend& backend : backendTable())
        for (int kind = 0; kind < static_cast<int>(std::size(kKinds)); ++kind)
            if (backend.choice != BackendChoice::Nanoflann)
                QTest::addRow("%s, %s", backend.name.data(), kKinds[kind].name)
                    << static_cast<int>(backend.choice) << kind;
}

void LargeSearchTest::everyBackendFindsTheSame() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Sets& sets = setsOf(kind);
    const auto search = makeNeighborSearch(static_cast<BackendChoice>(backend), sets.a.view(), 2, {});
    QVERIFY(search->within(sets.a.view(), kNeighbors, {}) == sets.ofA);
    QVERIFY(search->between(sets.sideA(), sets.sideB(), {}) == sets.cross);
}

void LargeSearchTest::someRowsAgainstAllOthers_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < static_cast<int>(std::size(kKinds)); ++kind)
        QTest::newRow(kKinds[kind].name) << kind;
}

void LargeSearchTest::someRowsAgainstAllOthers() {
    QFETCH(int, kind);
    const Sets& sets = setsOf(kind);
    constexpr std::size_t kRows = 200; // the first, which are as random as any
    const MatrixView some{sets.a.values.data(), kRows, sets.a.dim};
    const NeighborTable expected = test::directNeighbors(sets.b.view(), some, kNeighbors, false);
    QVERIFY(std::equal(expected.index.begin(), expected.index.end(), sets.cross.a.nearest.index.begin()));
    QVERIFY(std::equal(expected.distance.begin(), expected.distance.end(), sets.cross.a.nearest.distance.begin()));
}

ASSAY_TEST(large_search_test, LargeSearchTest)
#include "large_search_test.moc"
