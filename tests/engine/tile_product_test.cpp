// Products of a tile, made as a whole or in strips, against plain sums.
#include "engine/neighbors/products/tile_product.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

ProductOperand operandOf(const Matrix& rows, Precision precision) {
    const Frame frame = Frame::of(rows.view(), {rows.view()}, 1, {});
    return ProductOperand::of(rows.view(), frame, precision, 1, {});
}

std::int32_t naiveProduct(const ProductOperand& x, std::size_t i, const ProductOperand& y, std::size_t j) {
    std::int32_t sum = 0;
    for (std::size_t c = 0; c < x.dim(); ++c)
        sum += x.integerRow(i)[c] * y.integerRow(j)[c];
    return sum;
}

bool rowIs(const std::int32_t* found, const ProductOperand& x, std::size_t i, const ProductOperand& y,
           const Range& columns) {
    for (std::size_t j = 0; j < columns.count; ++j)
        if (found[j] != naiveProduct(x, i, y, columns.first + j))
            return false;
    return true;
}

} // namespace

class TileProductTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void integersAreExact_data();
    void integersAreExact();
    void rowsCanBeAskedForInAnyOrder();
    void aTileCanBeUsedAgain();
    void largestIntegersAreExact();
    void floatsAreRight_data();
    void floatsAreRight();
};

void TileProductTest::init() {
    // Searches ask, too, and take floats instead.
    if (!integerProductsAreExact() && !QByteArray(QTest::currentTestFunction()).startsWith("floats"))
        QSKIP("the library's integer products saturate on this processor");
}

void TileProductTest::integersAreExact_data() {
    QTest::addColumn<std::size_t>("dim");
    QTest::addColumn<std::size_t>("rows");
    QTest::addColumn<std::size_t>("columns");
    // Dimensions and columns about what one vector and one step hold, and where strips end (256 dimensions, 512
    // columns).
    for (const std::size_t dim : {1U, 2U, 3U, 4U, 5U, 31U, 64U, 130U, 255U, 256U, 257U})
        for (const std::size_t columns : {1U, 15U, 16U, 17U, 48U, 65U})
            QTest::addRow("%zu dimensions, %zu columns", dim, columns) << dim << std::size_t{19} << columns;
    QTest::newRow("one row") << std::size_t{32} << std::size_t{1} << std::size_t{384};
    QTest::newRow("eight rows") << std::size_t{32} << std::size_t{8} << std::size_t{384};
    QTest::newRow("512 columns") << std::size_t{20} << std::size_t{9} << std::size_t{512};
    QTest::newRow("513 columns") << std::size_t{20} << std::size_t{9} << std::size_t{513};
}

void TileProductTest::integersAreExact() {
    QFETCH(std::size_t, dim);
    QFETCH(std::size_t, rows);
    QFETCH(std::size_t, columns);
    const ProductOperand x = operandOf(test::gaussian(rows + 5, dim, 1), Precision::Integer);
    const ProductOperand y = operandOf(test::gaussian(columns + 3, dim, 2), Precision::Integer);
    TileProduct product;
    const Range part{3, columns};
    product.multiply({&x, {5, rows}}, {&y, part});
    for (std::size_t r = 0; r < rows; ++r)
        QVERIFY2(rowIs(product.integerRow(r), x, 5 + r, y, part), qPrintable(QString::number(r)));
}

void TileProductTest::rowsCanBeAskedForInAnyOrder() {
    const ProductOperand x = operandOf(test::gaussian(40, 10, 3), Precision::Integer);
    const ProductOperand y = operandOf(test::gaussian(50, 10, 4), Precision::Integer);
    TileProduct product;
    product.multiply({&x, {0, 40}}, {&y, {0, 50}});
    std::mt19937 random(5);
    for (int asked = 0; asked < 200; ++asked) {
        const std::size_t r = random() % 40;
        QVERIFY(rowIs(product.integerRow(r), x, r, y, {0, 50}));
    }
}

void TileProductTest::aTileCanBeUsedAgain() {
    TileProduct product;
    for (const std::size_t dim : {200U, 300U, 7U, 64U}) { // in strips, whole, in strips
        const ProductOperand x = operandOf(test::gaussian(30, dim, 6), Precision::Integer);
        const ProductOperand y = operandOf(test::gaussian(33, dim, 7), Precision::Integer);
        for (const Range rows : {Range{0, 30}, Range{8, 3}})
            for (const Range columns : {Range{0, 33}, Range{16, 2}}) {
                product.multiply({&x, rows}, {&y, columns});
                for (std::size_t r = 0; r < rows.count; ++r)
                    QVERIFY(rowIs(product.integerRow(r), x, rows.first + r, y, columns));
            }
    }
}

void TileProductTest::largestIntegersAreExact() {
    // Every coordinate becomes 127 or -127.
    Matrix rows{std::vector<float>(64 * 256), 64, 256};
    for (std::size_t i = 0; i < rows.values.size(); ++i)
        rows.values[i] = (i / 256 + (i % 256) * (i / 256 % 3)) % 2 == 0 ? 1.0F : -1.0F;
    const ProductOperand x = operandOf(rows, Precision::Integer);
    TileProduct product;
    product.multiply({&x, {0, 64}}, {&x, {0, 64}});
    for (std::size_t r = 0; r < 64; ++r)
        QVERIFY(rowIs(product.integerRow(r), x, r, x, {0, 64}));
}

void TileProductTest::floatsAreRight_data() {
    QTest::addColumn<std::size_t>("columns");
    QTest::addColumn<std::size_t>("dim");
    // About what is filled up with zeros: fewer than 128 columns, unless rows are very long.
    for (const std::size_t columns : {1U, 15U, 127U, 128U, 130U})
        for (const std::size_t dim : {1U, 3U, 64U, 300U})
            QTest::addRow("%zu columns, %zu dimensions", columns, dim) << columns << dim;
    QTest::newRow("long rows") << std::size_t{5} << std::size_t{4097};
}

void TileProductTest::floatsAreRight() {
    QFETCH(std::size_t, columns);
    QFETCH(std::size_t, dim);
    const ProductOperand x = operandOf(test::gaussian(12, dim, 8), Precision::Single);
    const ProductOperand y = operandOf(test::gaussian(columns + 2, dim, 9), Precision::Single);
    TileProduct product;
    for (const Range part : {Range{2, columns}, Range{0, columns}}) { // what another tile left behind does no harm
        product.multiply({&x, {3, 7}}, {&y, part});
        for (std::size_t r = 0; r < 7; ++r)
            for (std::size_t c = 0; c < columns; ++c) {
                double expected = 0.0;
                double lengths = 0.0;
                for (std::size_t i = 0; i < dim; ++i) {
                    const auto a = static_cast<double>(x.singleRow(3 + r)[i]);
                    const auto b = static_cast<double>(y.singleRow(part.first + c)[i]);
                    expected += a * b;
                    lengths += std::abs(a * b);
                }
                const auto found = static_cast<double>(product.singleRow(r)[c]);
                QVERIFY(std::abs(found - expected) <= static_cast<double>(dim) * 0x1p-24 * lengths);
            }
    }
}

ASSAY_TEST(tile_product_test, TileProductTest)
#include "tile_product_test.moc"
