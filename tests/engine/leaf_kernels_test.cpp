// Every variant of the k-d tree's inner loops does the same, and its single-precision limits are safe.
#include "engine/math/products/kernels.h"
#include "engine/neighbors/search/float_bounds.h"
#include "engine/neighbors/tree/leaf_kernels.h"
#include "engine/neighbors/tree/point_tree.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace assay;
using test::Matrix;

class LeafKernelsTest : public QObject {
    Q_OBJECT

private slots:
    void variantsFindTheSamePoints();
    void smallestHasItsRank();
    void boundsHoldTheTrueDistance_data();
    void boundsHoldTheTrueDistance();
    void treeHasEveryRowOnceInItsBoxes();
};

void LeafKernelsTest::variantsFindTheSamePoints() {
    for (const std::size_t dim : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 33U, 64U}) {
        // Whole numbers: their distances are exact in single precision, so every variant must find the same.
        const Matrix points = test::grid(dim, kBlockPoints, static_cast<unsigned>(dim), 4);
        const Matrix queries = test::grid(dim, kBlockPoints, static_cast<unsigned>(dim) + 1, 4);
        std::vector<float> limits(kBlockPoints, static_cast<float>(2 * dim));
        limits[5] = -1.0F;
        for (const std::uint64_t which : {~std::uint64_t{0}, std::uint64_t{0x8000000000000421}, std::uint64_t{0}}) {
            const auto hits = [&](const LeafKernels& kernel) {
                PointHits found{};
                kernel.pointsNearPoints(points.values.data(), queries.values.data(), dim, which, limits.data(), found);
                return found;
            };
            const auto same = [&](const LeafKernels& kernel) {
                const PointHits expected = hits(kGenericLeafKernels);
                const PointHits found = hits(kernel);
                for (std::size_t q = 0; q < kBlockPoints; ++q) {
                    const std::size_t count = expected.count[q];
                    if (found.count[q] != count ||
                        !std::equal(expected.position[q], expected.position[q] + count, found.position[q]) ||
                        !std::equal(expected.squared[q], expected.squared[q] + count, found.squared[q]))
                        return false;
                }
                return true;
            };
            QVERIFY(same(leafKernels()));
            if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
                QVERIFY(same(kAvx2LeafKernels));
        }
        const std::vector<float> low(dim, 1.0F);
        const std::vector<float> high(dim, 2.0F);
        std::fill(limits.begin(), limits.end(), static_cast<float>(dim) / 2.0F);
        const auto near = [&](const LeafKernels& kernel) {
            return kernel.pointsNearBox(points.values.data(), dim, low.data(), high.data(), limits.data());
        };
        std::uint64_t expected = 0;
        for (std::size_t p = 0; p < kBlockPoints; ++p) {
            float squared = 0.0F; // coordinates are 0, 1, 2 or 3: each outside the box adds one
            for (std::size_t c = 0; c < dim; ++c)
                squared += points.values[c * kBlockPoints + p] < 1.0F || points.values[c * kBlockPoints + p] > 2.0F;
            expected |= static_cast<std::uint64_t>(squared <= limits[p]) << p;
        }
        QCOMPARE(near(kGenericLeafKernels), expected);
        QCOMPARE(near(leafKernels()), expected);
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            QCOMPARE(near(kAvx2LeafKernels), expected);
    }
}

void LeafKernelsTest::smallestHasItsRank() {
    std::mt19937 random(7);
    for (std::size_t count = 1; count <= 130; count += 3) {
        std::vector<float> values((count + 15) / 16 * 16);
        for (std::size_t i = 0; i < count; ++i) // ties, zeros and very different magnitudes
            values[i] =
                count % 2 == 0 ? static_cast<float>(random() % 5) : std::ldexp(1.0F, -static_cast<int>(random() % 140));
        std::vector<float> sorted(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t rank = 1; rank <= count; ++rank) {
            QCOMPARE(leafKernels().smallest(values.data(), count, rank), sorted[rank - 1]);
            QCOMPARE(kGenericLeafKernels.smallest(values.data(), count, rank), sorted[rank - 1]);
            if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
                QCOMPARE(kAvx2LeafKernels.smallest(values.data(), count, rank), sorted[rank - 1]);
        }
    }
}

void LeafKernelsTest::boundsHoldTheTrueDistance_data() {
    QTest::addColumn<int>("dim");
    QTest::addColumn<float>("magnitude");
    for (const int dim : {1, 8, 33, 1000})
        for (const float magnitude : {1e-44F, 1e-30F, 1.0F, 1e30F})
            QTest::addRow("%d dimensions of %g", dim, static_cast<double>(magnitude)) << dim << magnitude;
}

void LeafKernelsTest::boundsHoldTheTrueDistance() {
    QFETCH(int, dim);
    QFETCH(float, magnitude);
    const auto columns = static_cast<std::size_t>(dim);
    Matrix rows = test::gaussian(kBlockPoints, columns, 3);
    for (float& v : rows.values)
        v *= magnitude;
    const double scale = unitScale({rows.view()}, {});
    const PointTree tree(rows.view(), scale, 1, {});
    const FloatBounds bounds(columns);
    for (const LeafKernels* kernel : {&kGenericLeafKernels, &leafKernels()}) {
        PointHits hits;
        const std::vector<float> limits(kBlockPoints, std::numeric_limits<float>::infinity());
        kernel->pointsNearPoints(tree.block(0), tree.block(0), columns, ~std::uint64_t{0}, limits.data(), hits);
        for (std::size_t q = 0; q < kBlockPoints; ++q) {
            QCOMPARE(static_cast<std::size_t>(hits.count[q]), kBlockPoints);
            for (std::size_t i = 0; i < kBlockPoints; ++i) {
                const float* x = rows.view().rowData(tree.rowsIn(0)[q]);
                const float* y = rows.view().rowData(tree.rowsIn(0)[hits.position[q][i]]);
                const double truth = kernels().squaredDistance(x, y, columns) * scale * scale;
                QVERIFY(hits.squared[q][i] <= bounds.outside(truth));
                QVERIFY(!(hits.squared[q][i] <= bounds.inside(truth * (1.0 - 1e-12))));
                QVERIFY(truth <= bounds.limitOver(hits.squared[q][i]));
            }
        }
    }
}

void LeafKernelsTest::treeHasEveryRowOnceInItsBoxes() {
    for (const std::size_t rows : {1U, 63U, 64U, 65U, 200U, 5000U}) {
        const Matrix set = test::gaussian(rows, 5, static_cast<unsigned>(rows));
        const double scale = unitScale({set.view()}, {});
        const PointTree tree(set.view(), scale, 2, {});
        std::vector<int> seen(rows, 0);
        for (std::size_t b = 0; b < tree.blocks(); ++b) {
            const std::size_t leaf = tree.leafOf(b);
            QCOMPARE(tree.node(leaf).blocks, 1U);
            QCOMPARE(std::size_t{tree.node(leaf).firstBlock}, b);
            for (std::size_t p = 0; p < tree.pointsIn(b); ++p) {
                const std::uint32_t row = tree.rowsIn(b)[p];
                ++seen[row];
                for (std::size_t c = 0; c < 5; ++c) {
                    const float value = tree.block(b)[c * kBlockPoints + p];
                    QCOMPARE(value, static_cast<float>(set.values[row * 5 + c] * scale));
                    for (const std::size_t node : {std::size_t{0}, leaf})
                        QVERIFY(tree.low(node)[c] <= value && value <= tree.high(node)[c]);
                }
            }
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }
}

ASSAY_TEST(leaf_kernels_test, LeafKernelsTest)
#include "leaf_kernels_test.moc"
