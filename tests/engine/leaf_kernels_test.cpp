// The k-d tree's inner loops find what they should on every instruction set, and their limits are safe.
#include "engine/neighbors/search/bounds.h"
#include "engine/neighbors/tree/leaf_kernels.h"
#include "engine/neighbors/tree/point_tree.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/plain_distance.h"
#include "tests/support/simd_targets.h"
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
    void findsThePointsWithinTheLimits();
    void findsThePointsNearABox();
    void measuresBetweenBoxes();
    void smallestHasItsRank();
    void boundsHoldTheTrueDistance_data();
    void boundsHoldTheTrueDistance();
    void treeHasEveryRowOnceInItsBoxes();
};

void LeafKernelsTest::findsThePointsWithinTheLimits() {
    for (const std::size_t dim : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 33U, 64U}) {
        // Whole numbers: their distances are exact in single precision.
        const Matrix points = test::grid(dim, kBlockPoints, static_cast<unsigned>(dim), 4);
        const Matrix queries = test::grid(dim, kBlockPoints, static_cast<unsigned>(dim) + 1, 4);
        std::vector<float> limits(kBlockPoints, static_cast<float>(2 * dim));
        limits[5] = -1.0F;
        const auto squaredDistance = [&](std::size_t query, std::size_t point) {
            float squared = 0.0F;
            for (std::size_t c = 0; c < dim; ++c) {
                const float apart = points.values[c * kBlockPoints + point] - queries.values[c * kBlockPoints + query];
                squared += apart * apart;
            }
            return squared;
        };
        for (const std::uint64_t which : {~std::uint64_t{0}, std::uint64_t{0x8000000000000421}, std::uint64_t{0}})
            test::onEveryInstructionSet([&](const char* name) {
                PointHits found{};
                leafKernels().pointsNearPoints(points.values.data(), dim, {queries.values.data(), which, limits.data()},
                                               found);
                for (std::size_t q = 0; q < kBlockPoints; ++q) {
                    std::size_t count = 0;
                    for (std::size_t p = 0; p < kBlockPoints; ++p) {
                        const float squared = squaredDistance(q, p);
                        if ((which >> q & 1) == 0 || squared > limits[q])
                            continue;
                        QVERIFY2(count < found.count[q] && found.position[q][count] == p, name);
                        QVERIFY2(found.squared[q][count] == squared, name);
                        ++count;
                    }
                    QVERIFY2(found.count[q] == count, name);
                }
            });
    }
}

void LeafKernelsTest::findsThePointsNearABox() {
    for (const std::size_t dim : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 33U, 64U}) {
        const Matrix points = test::grid(dim, kBlockPoints, static_cast<unsigned>(dim), 4);
        const std::vector<float> low(dim, 1.0F);
        const std::vector<float> high(dim, 2.0F);
        const std::vector<float> limits(kBlockPoints, static_cast<float>(dim) / 2.0F);
        std::uint64_t expected = 0;
        for (std::size_t p = 0; p < kBlockPoints; ++p) {
            float squared = 0.0F; // coordinates are 0, 1, 2 or 3: each outside the box adds one
            for (std::size_t c = 0; c < dim; ++c)
                squared += points.values[c * kBlockPoints + p] < 1.0F || points.values[c * kBlockPoints + p] > 2.0F;
            expected |= static_cast<std::uint64_t>(squared <= limits[p]) << p;
        }
        test::onEveryInstructionSet([&](const char* name) {
            QVERIFY2(leafKernels().pointsNearBox(points.values.data(), dim, low.data(), high.data(), limits.data()) ==
                         expected,
                     name);
        });
    }
}

void LeafKernelsTest::measuresBetweenBoxes() {
    std::mt19937 random(3);
    for (std::size_t dim = 1; dim <= 40; ++dim) {
        const std::size_t padded = (dim + 15) / 16 * 16;
        std::vector<float> low[2];
        std::vector<float> high[2];
        for (int side = 0; side < 2; ++side) {
            low[side].assign(padded, 0.0F);
            high[side].assign(padded, 0.0F);
            for (std::size_t c = 0; c < dim; ++c) {
                low[side][c] = static_cast<float>(random() % 20);
                high[side][c] = low[side][c] + static_cast<float>(random() % 5);
            }
        }
        float expected = 0.0F;
        for (std::size_t c = 0; c < dim; ++c) {
            const float apart = std::max({low[1][c] - high[0][c], low[0][c] - high[1][c], 0.0F});
            expected += apart * apart;
        }
        test::onEveryInstructionSet([&](const char* name) {
            QVERIFY2(leafKernels().boxDistance(low[0].data(), high[0].data(), low[1].data(), high[1].data(), padded) ==
                         expected,
                     name);
        });
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
        test::onEveryInstructionSet([&](const char* name) {
            for (std::size_t rank = 1; rank <= count; ++rank)
                QVERIFY2(leafKernels().smallest(values.data(), count, rank) == sorted[rank - 1], name);
        });
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
    test::onEveryInstructionSet([&](const char* name) {
        PointHits hits;
        const std::vector<float> limits(kBlockPoints, std::numeric_limits<float>::infinity());
        leafKernels().pointsNearPoints(tree.block(0), columns, {tree.block(0), ~std::uint64_t{0}, limits.data()}, hits);
        for (std::size_t q = 0; q < kBlockPoints; ++q) {
            QVERIFY2(hits.count[q] == kBlockPoints, name);
            for (std::size_t i = 0; i < kBlockPoints; ++i) {
                const float* x = rows.view().rowData(tree.rowsIn(0)[q]);
                const float* y = rows.view().rowData(tree.rowsIn(0)[hits.position[q][i]]);
                const double truth = test::plainSquaredDistance(x, y, columns) * scale * scale;
                QVERIFY2(hits.squared[q][i] <= bounds.outside(truth), name);
                QVERIFY2(!(hits.squared[q][i] <= bounds.inside(truth * (1.0 - 1e-12))), name);
                QVERIFY2(truth <= bounds.limitOver(hits.squared[q][i]), name);
            }
        }
    });
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
