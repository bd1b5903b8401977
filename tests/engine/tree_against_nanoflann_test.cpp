// A second opinion on the searches at sizes where comparing all pairs takes too long: nanoflann's k-d tree.
#include "engine/gpu/backends/backends.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>
#include <nanoflann.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

/// Rows in double precision, as nanoflann sees them.
struct Rows {
    const Matrix& matrix;

    std::size_t kdtree_get_point_count() const { return matrix.rows; }
    double kdtree_get_pt(std::size_t row, std::size_t column) const {
        return static_cast<double>(matrix.values[row * matrix.dim + column]);
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Rows>, Rows, -1, std::uint32_t>;

constexpr std::size_t kNeighbors = 7;

struct Found {
    std::array<std::uint32_t, kNeighbors + 1> index;
    std::array<double, kNeighbors + 1> squared;
};

/// One more than wanted: the first is the row itself where the query is in the tree.
Found searchFor(const Matrix& queries, std::size_t query, const Tree& tree) {
    std::vector<double> row(queries.dim);
    for (std::size_t c = 0; c < queries.dim; ++c)
        row[c] = static_cast<double>(queries.values[query * queries.dim + c]);
    Found found{};
    tree.knnSearch(row.data(), kNeighbors + 1, found.index.data(), found.squared.data());
    return found;
}

} // namespace

class TreeAgainstNanoflannTest : public QObject {
    Q_OBJECT

private slots:
    void findsTheSameNeighbors_data();
    void findsTheSameNeighbors();
};

void TreeAgainstNanoflannTest::findsTheSameNeighbors_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("dim");
    for (const Backend& backend : backendTable())
        for (const int dim : {2, 5, 12})
            QTest::addRow("%s, %d dimensions", backend.name.data(), dim) << static_cast<int>(backend.choice) << dim;
}

void TreeAgainstNanoflannTest::findsTheSameNeighbors() {
    QFETCH(int, backend);
    QFETCH(int, dim);
    // Independent coordinates: no two distances are equal, so that lists can be compared by index.
    const Matrix a = test::gaussian(15000, static_cast<std::size_t>(dim), 1);
    const Matrix b = test::gaussian(9000, static_cast<std::size_t>(dim), 2);
    const Rows rowsA{a};
    const Rows rowsB{b};
    Tree treeA(dim, rowsA, nanoflann::KDTreeSingleIndexAdaptorParams(16));
    Tree treeB(dim, rowsB, nanoflann::KDTreeSingleIndexAdaptorParams(16));
    treeA.buildIndex();
    treeB.buildIndex();
    const auto search = makeNeighborSearch(static_cast<BackendChoice>(backend), a.view(), 2, {});
    const NeighborTable self = search->selfNeighbors(a.view(), kNeighbors, {});
    const CrossResult cross = search->cross({a.view(), b.view(), kNeighbors, kNeighbors, {}, {}, {}}, {});
    const auto compare = [](const NeighborTable& table, std::size_t query, const Found& expected, std::size_t from) {
        for (std::size_t rank = 0; rank < kNeighbors; ++rank) {
            QCOMPARE(table.indexAt(query, rank), expected.index[rank + from]);
            const double distance = std::sqrt(expected.squared[rank + from]);
            QVERIFY(std::abs(table.distanceAt(query, rank) - distance) <= 1e-12 * distance);
        }
    };
    for (std::size_t query = 0; query < a.rows; query += 7) {
        const Found near = searchFor(a, query, treeA);
        QCOMPARE(near.index[0], static_cast<std::uint32_t>(query));
        compare(self, query, near, 1);
        compare(cross.aToB, query, searchFor(a, query, treeB), 0);
    }
    for (std::size_t query = 0; query < b.rows; query += 7)
        compare(cross.bToA, query, searchFor(b, query, treeA), 0);
}

ASSAY_TEST(tree_against_nanoflann_test, TreeAgainstNanoflannTest)
#include "tree_against_nanoflann_test.moc"
