// Counts of near pairs against a plain loop, by both searches.
#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/near_counts.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

class NearCountsTest : public QObject {
    Q_OBJECT

private slots:
    void isThatOfAllDistances();
};

void NearCountsTest::isThatOfAllDistances() {
    const test::Matrix queries = test::gaussian(300, 6, 1);
    const test::Matrix base = test::gaussian(400, 6, 2);
    std::vector<std::uint32_t> expected(queries.rows);
    for (std::size_t q = 0; q < queries.rows; ++q)
        for (std::size_t b = 0; b < base.rows; ++b)
            expected[q] += directDistance(queries.view(), q, base.view(), b) <= 2.5 ? 1U : 0U;
    for (const PairSearch search : {PairSearch::ByProducts, PairSearch::ByTree})
        QVERIFY(nearCounts(search, queries.view(), base.view(), 2.5, 2, {}) == expected);
}

ASSAY_TEST(near_counts_test, NearCountsTest)
#include "near_counts_test.moc"
