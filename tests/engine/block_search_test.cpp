// Sets searched block by block give what they give as a whole.
#include "engine/io/sets/read_embeddings.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/neighbors/products/block_search.h"
#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/tile_product.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cstdint>
#include <limits>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

std::vector<SearchBlock> blocksOf(const Matrix& set, std::size_t parts, std::size_t k) {
    std::vector<SearchBlock> blocks;
    for (std::size_t part = 0; part < parts; ++part) {
        const RowRange rows = RowShare{part, parts}.of(set.rows);
        SearchBlock block;
        block.first = rows.first;
        block.rows = {set.view().rowData(rows.first), rows.count, set.dim};
        block.found.nearest = noNeighbors(rows.count, k);
        blocks.push_back(block);
    }
    return blocks;
}

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& part) {
    all.insert(all.end(), part.begin(), part.end());
}

NeighborTable joinedTable(const std::vector<SearchBlock>& blocks) {
    NeighborTable all{blocks[0].k(), {}, {}};
    for (const SearchBlock& block : blocks) {
        append(all.index, block.found.nearest.index);
        append(all.distance, block.found.nearest.distance);
    }
    return all;
}

std::vector<std::uint32_t> joinedCounts(const std::vector<SearchBlock>& blocks,
                                        std::vector<std::uint32_t> SideResult::*counts) {
    std::vector<std::uint32_t> all;
    for (const SearchBlock& block : blocks)
        append(all, block.found.*counts);
    return all;
}

Frame frameOf(const Matrix& a, const Matrix& b) {
    return Frame::of(a.view(), {a.view(), b.view()}, 1, {});
}

} // namespace

class BlockSearchTest : public QObject {
    Q_OBJECT

private slots:
    void blocksGiveWhatTheWholeGives_data();
    void blocksGiveWhatTheWholeGives();
    void nearestOfTwoTablesCountsEqualEntriesOnce();
    void partsOfABlockComeBack();
    void sharesCoverEveryRowOnce();
};

void BlockSearchTest::blocksGiveWhatTheWholeGives_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("parts");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("integers");
    for (const bool integers : {false, true}) {
        if (integers && !integerProductsAreExact())
            continue; // no plan has them on this processor
        for (const int parts : {1, 2, 3, 7}) {
            const char* precision = integers ? "integers" : "floats";
            QTest::addRow("gaussian, %d parts, %s", parts, precision) << 0 << parts << 6 << integers;
            QTest::addRow("ties and duplicates, %d parts, %s", parts, precision) << 1 << parts << 9 << integers;
            QTest::addRow("fewer rows than k in each, %d parts, %s", parts, precision) << 2 << parts << 12 << integers;
        }
    }
}

void BlockSearchTest::blocksGiveWhatTheWholeGives() {
    QFETCH(int, kind);
    QFETCH(int, parts);
    QFETCH(int, k);
    QFETCH(bool, integers);
    const Matrix a = kind == 0 ? test::gaussian(501, 20, 1) : test::grid(kind == 1 ? 301 : 17, 3, 1, 3);
    const Matrix b = kind == 0 ? test::gaussian(403, 20, 2) : test::grid(kind == 1 ? 205 : 13, 3, 2, 3);
    const auto neighbors = static_cast<std::size_t>(k);
    const auto count = static_cast<std::size_t>(parts);
    const GemmSearch whole(1);
    const ProductPlan plan{
        frameOf(a, b), integers ? Precision::Integer : Precision::Single, {4 * neighbors, 4 * neighbors}};

    std::vector<SearchBlock> blocks = blocksOf(a, count, neighbors);
    for (std::size_t x = 0; x < count; ++x) {
        searchWithin(blocks[x], plan, 2, {});
        for (std::size_t y = 0; y < x; ++y)
            searchBetween(blocks[x], blocks[y], plan, 2, {});
    }
    const NeighborTable self = whole.within(a.view(), neighbors, {});
    QVERIFY(joinedTable(blocks) == self);

    const std::vector<double> radius = self.distancesAt(3);
    const std::vector<double> inner = self.distancesAt(2);
    const std::vector<double> radiusB = whole.within(b.view(), 3, {}).distancesAt(3);
    const PassResult expected = whole.between({a.view(), neighbors, radius, inner}, {b.view(), neighbors, radiusB}, {});
    std::vector<SearchBlock> as = blocksOf(a, count, neighbors);
    std::vector<SearchBlock> bs = blocksOf(b, count, neighbors);
    const auto give = [](std::vector<SearchBlock>& to, const std::vector<double>& from,
                         std::vector<double> SearchBlock::*where) {
        for (SearchBlock& block : to) {
            const auto begin = from.begin() + static_cast<std::ptrdiff_t>(block.first);
            (block.*where).assign(begin, begin + static_cast<std::ptrdiff_t>(block.rows.rows));
        }
    };
    give(as, radius, &SearchBlock::radius);
    give(as, inner, &SearchBlock::innerRadius);
    give(bs, radiusB, &SearchBlock::radius);
    for (std::size_t x = 0; x < count; ++x)
        for (std::size_t y = 0; y < count; ++y)
            searchBetween(as[x], bs[(x + y) % count], plan, 2, {});
    QVERIFY(joinedTable(as) == expected.a.nearest);
    QVERIFY(joinedTable(bs) == expected.b.nearest);
    QCOMPARE(joinedCounts(as, &SideResult::inside), expected.a.inside);
    QCOMPARE(joinedCounts(as, &SideResult::insideInner), expected.a.insideInner);
    QCOMPARE(joinedCounts(as, &SideResult::holding), expected.a.holding);
    QCOMPARE(joinedCounts(bs, &SideResult::inside), expected.b.inside);
    QCOMPARE(joinedCounts(bs, &SideResult::holding), expected.b.holding);
    QCOMPARE(joinedCounts(bs, &SideResult::innerHolding), expected.b.innerHolding);
}

void BlockSearchTest::nearestOfTwoTablesCountsEqualEntriesOnce() {
    const double none = std::numeric_limits<double>::infinity();
    const NeighborTable x{3, {4, 1, 9, 2, kNoNeighbor, kNoNeighbor}, {0.5, 1.0, 1.0, 3.0, none, none}};
    const NeighborTable y{3, {1, 7, 8, 5, 2, kNoNeighbor}, {1.0, 1.0, 1.0, 1.0, 3.0, none}};
    const NeighborTable both{3, {4, 1, 7, 5, 2, kNoNeighbor}, {0.5, 1.0, 1.0, 1.0, 3.0, none}};
    QVERIFY(nearestOf(x, y) == both);
    QVERIFY(nearestOf(y, x) == both);
}

void BlockSearchTest::partsOfABlockComeBack() {
    const Matrix set = test::gaussian(10, 4, 1);
    SearchBlock block = blocksOf(set, 2, 2)[1];
    SearchBlock part = block.part(2, 3);
    QCOMPARE(part.first, std::size_t(7));
    QCOMPARE(part.rows.data, set.view().rowData(7));
    part.found.nearest.index.assign(6, 1);
    part.found.nearest.distance.assign(6, 0.5);
    block.update(part);
    QCOMPARE(block.found.nearest.index,
             (std::vector<std::uint32_t>{kNoNeighbor, kNoNeighbor, kNoNeighbor, kNoNeighbor, 1, 1, 1, 1, 1, 1}));
}

void BlockSearchTest::sharesCoverEveryRowOnce() {
    for (const std::size_t rows : {0, 1, 3, 4, 5, 1000003})
        for (const std::size_t parts : {1, 2, 4, 7}) {
            std::size_t next = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                const RowRange range = RowShare{part, parts}.of(rows);
                QCOMPARE(range.first, next);
                QVERIFY(range.count == rows / parts || range.count == rows / parts + 1);
                next += range.count;
            }
            QCOMPARE(next, rows);
        }
}

ASSAY_TEST(block_search_test, BlockSearchTest)
#include "block_search_test.moc"
