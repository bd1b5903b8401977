#include "engine/math/products/centred_products.h"
#include "engine/math/products/panels.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/simd_targets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace assay;

class PanelsTest : public QObject {
    Q_OBJECT

private slots:
    void tilesMatchNaiveProducts_data();
    void tilesMatchNaiveProducts();
    void countsThePanelsThatAreWanted();
    void packsVectorsLessACentre_data();
    void packsVectorsLessACentre();
    void projectsRows_data();
    void projectsRows();
    void gramMatchesNaiveOne_data();
    void gramMatchesNaiveOne();
    void gramTakesMeanAndScale();
    void threadsDoNotChangeAGram();
};

void PanelsTest::tilesMatchNaiveProducts_data() {
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("chunk");
    for (const auto& [depth, chunk] :
         {std::array{1, 1}, {1, 64}, {63, 64}, {64, 64}, {65, 64}, {1000, 256}, {1025, 7}, {300, 1000}})
        QTest::addRow("depth %d, %d at a time", depth, chunk) << depth << chunk;
}

void PanelsTest::tilesMatchNaiveProducts() {
    QFETCH(int, depth);
    QFETCH(int, chunk);
    const auto length = static_cast<std::size_t>(depth);
    // Panels as the kernel takes them: element k of vector v is element v of row k.
    const test::Matrix a = test::gaussian(length, kPanelWidth<float>, 1);
    std::array<test::Matrix, kPanelsAtOnce> b;
    std::array<const float*, kPanelsAtOnce> from{};
    for (std::size_t p = 0; p < b.size(); ++p) {
        b[p] = test::gaussian(length, kPanelWidth<float>, static_cast<unsigned>(2 + p));
        from[p] = b[p].values.data();
    }
    test::onEveryInstructionSet([&](const char* name) {
        for (std::size_t wanted = 1; wanted <= kPanelsAtOnce; ++wanted)
            for (const std::size_t half : {std::size_t{0}, kTileRows}) {
                alignas(64) std::array<double, kTileRows * kTileColumns<float>> tile{};
                tile.fill(1e30); // what was there before is of no account
                multiplyPanels(Panels<float>{.depth = length,
                                             .chunk = static_cast<std::size_t>(chunk),
                                             .a = a.values.data() + half,
                                             .b = from,
                                             .wanted = wanted},
                               tile.data());
                for (std::size_t v = 0; v < kTileRows; ++v)
                    for (std::size_t w = 0; w < wanted * kPanelWidth<float>; ++w) {
                        double sum = 0.0;
                        double sizes = 0.0;
                        for (std::size_t k = 0; k < length; ++k) {
                            const double product =
                                static_cast<double>(a.values[k * kPanelWidth<float> + half + v]) *
                                static_cast<double>(
                                    from[w / kPanelWidth<float>][k * kPanelWidth<float> + w % kPanelWidth<float>]);
                            sum += product;
                            sizes += std::abs(product);
                        }
                        const double roundings = 1.0 + static_cast<double>(std::min(depth, chunk));
                        QVERIFY2(std::abs(tile[v * kTileColumns<float> + w] - sum) <= roundings * 0x1p-24 * sizes,
                                 name);
                    }
            }
    });
}

void PanelsTest::countsThePanelsThatAreWanted() {
    for (const auto& [vectors, panels] : {std::array{1, 1}, {16, 1}, {17, 2}, {32, 2}, {33, 3}, {48, 3}, {1000, 3}})
        QCOMPARE(wantedPanels<float>(static_cast<std::size_t>(vectors)), static_cast<std::size_t>(panels));
}

void PanelsTest::packsVectorsLessACentre_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("depth");
    for (const int count : {0, 1, 15, 16})
        for (const int depth : {1, 15, 16, 17, 32, 100})
            QTest::addRow("%d of %d", count, depth) << count << depth;
}

void PanelsTest::packsVectorsLessACentre() {
    QFETCH(int, count);
    QFETCH(int, depth);
    const auto length = static_cast<std::size_t>(depth);
    const test::Matrix set = test::gaussian(kPanelWidth<float>, length, 3);
    const test::Matrix centre = test::gaussian(1, length, 4);
    std::vector<const float*> vectors;
    for (std::size_t v = 0; v < static_cast<std::size_t>(count); ++v)
        vectors.push_back(set.view().rowData(kPanelWidth<float> - 1 - v));
    constexpr float kUntouched = 1e30F;
    std::vector<float> panel((length + 1) * kPanelWidth<float>, kUntouched);
    packFloatPanel(vectors, length, centre.values.data(), panel.data());
    for (std::size_t v = 0; v < kPanelWidth<float>; ++v) {
        for (std::size_t k = 0; k < length; ++k)
            QCOMPARE(panel[k * kPanelWidth<float> + v], v < vectors.size() ? vectors[v][k] - centre.values[k] : 0.0F);
        QCOMPARE(panel[length * kPanelWidth<float> + v], kUntouched);
    }
}

void PanelsTest::projectsRows_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("directions");
    for (const auto& [count, dim, directions] :
         {std::array{1, 1, 1}, {47, 5, 8}, {48, 64, 9}, {49, 65, 16}, {100, 130, 32}, {300, 33, 40}})
        QTest::addRow("%d rows of %d on %d", count, dim, directions) << count << dim << directions;
}

void PanelsTest::projectsRows() {
    QFETCH(int, count);
    QFETCH(int, dim);
    QFETCH(int, directions);
    const test::Matrix set = test::gaussian(static_cast<std::size_t>(count), static_cast<std::size_t>(dim), 6);
    const test::Matrix centre = test::gaussian(1, set.dim, 7);
    const test::Matrix onto = test::gaussian(static_cast<std::size_t>(directions), set.dim, 8);
    DoubleMatrix matrix(onto.rows, onto.dim);
    matrix.values.assign(onto.values.begin(), onto.values.end());
    std::vector<const float*> rows;
    for (std::size_t r = set.rows; r-- > 0;)
        rows.push_back(set.view().rowData(r));
    const std::vector<float> image = projectRows(rows, centre.values, matrix, 2, {});
    QCOMPARE(image.size(), set.rows * onto.rows);
    QVERIFY(projectRows(rows, centre.values, matrix, 1, {}) == image);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t p = 0; p < onto.rows; ++p) {
            double sum = 0.0;
            double sizes = 0.0;
            for (std::size_t c = 0; c < set.dim; ++c) {
                const double product =
                    (static_cast<double>(rows[r][c]) - static_cast<double>(centre.values[c])) * matrix.at(p, c);
                sum += product;
                sizes += std::abs(product);
            }
            QVERIFY(std::abs(static_cast<double>(image[r * onto.rows + p]) - sum) <= 8.0 * 0x1p-24 * sizes);
        }
}

void PanelsTest::gramMatchesNaiveOne_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    for (const auto& [rows, columns] :
         {std::array{1, 1}, {3, 47}, {100, 48}, {1023, 49}, {1024, 16}, {1025, 100}, {2100, 65}})
        QTest::addRow("%d rows of %d", rows, columns) << rows << columns;
}

void PanelsTest::gramMatchesNaiveOne() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    const test::Matrix set = test::gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 5);
    const std::vector<double> mean(set.dim, 0.0);
    const DoubleMatrix gram = floatGram(set.view(), mean, {}, 2, {});
    QCOMPARE(gram.rows, set.dim);
    for (std::size_t i = 0; i < set.dim; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            double sizes = 0.0;
            for (std::size_t r = 0; r < set.rows; ++r) {
                const double product =
                    static_cast<double>(set.view().rowData(r)[i]) * static_cast<double>(set.view().rowData(r)[j]);
                sum += product;
                sizes += std::abs(product);
            }
            QVERIFY(std::abs(gram.at(i, j) - sum) <= 65.0 * 0x1p-24 * sizes);
        }
}

void PanelsTest::gramTakesMeanAndScale() {
    const test::Matrix set = test::gaussian(300, 20, 8);
    std::vector<double> mean(set.dim);
    std::vector<double> scale(set.rows);
    for (std::size_t c = 0; c < set.dim; ++c)
        mean[c] = 0.1 * static_cast<double>(c);
    for (std::size_t r = 0; r < set.rows; ++r)
        scale[r] = 1.0 / static_cast<double>(r + 1);
    const DoubleMatrix gram = floatGram(set.view(), mean, scale, 1, {});
    for (std::size_t i = 0; i < set.dim; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            double sizes = 0.0;
            for (std::size_t r = 0; r < set.rows; ++r) {
                const auto at = [&](std::size_t c) {
                    return static_cast<double>(set.view().rowData(r)[c]) * scale[r] - mean[c];
                };
                sum += at(i) * at(j);
                sizes += std::abs(at(i) * at(j));
            }
            QVERIFY(std::abs(gram.at(i, j) - sum) <= 67.0 * 0x1p-24 * sizes);
        }
}

void PanelsTest::threadsDoNotChangeAGram() {
    const test::Matrix set = test::gaussian(1500, 90, 9);
    const std::vector<double> mean(set.dim, 0.5);
    const DoubleMatrix one = floatGram(set.view(), mean, {}, 1, {});
    for (const unsigned threads : {2U, 5U})
        QVERIFY(floatGram(set.view(), mean, {}, threads, {}).values == one.values);
}

ASSAY_TEST(panels_test, PanelsTest)
#include "panels_test.moc"
