#include "engine/metrics/embedding/squared_distances.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

std::vector<float> distances(const Matrix& rows, const Matrix& centres, unsigned threads = 2) {
    std::vector<float> all(rows.rows * centres.rows);
    SquaredDistances(rows.view(), centres.view(), threads, {})
        .each({}, [&](std::size_t row, std::span<const float> squared) {
            std::copy(squared.begin(), squared.end(), all.begin() + static_cast<std::ptrdiff_t>(row * squared.size()));
        });
    return all;
}

double direct(const Matrix& rows, std::size_t r, const Matrix& centres, std::size_t c) {
    double sum = 0.0;
    for (std::size_t d = 0; d < rows.dim; ++d) {
        const double from =
            static_cast<double>(rows.view().rowData(r)[d]) - static_cast<double>(centres.view().rowData(c)[d]);
        sum += from * from;
    }
    return sum;
}

} // namespace

class SquaredDistancesTest : public QObject {
    Q_OBJECT

private slots:
    void agreeWithSumsInDoublePrecision_data();
    void agreeWithSumsInDoublePrecision();
    void equalRowsAreAtNoDistance();
    void scaleByPowersOfTwoIsExact();
    void threadsDoNotMatter();
};

void SquaredDistancesTest::agreeWithSumsInDoublePrecision_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("centres");
    QTest::addColumn<int>("dim");
    QTest::addColumn<float>("offset");
    QTest::newRow("one of each") << 1 << 1 << 3 << 0.0F;
    QTest::newRow("part of a block") << 65 << 385 << 32 << 0.0F;
    QTest::newRow("several blocks") << 200 << 800 << 17 << 0.5F;
    QTest::newRow("far from the origin") << 70 << 90 << 8 << 100.0F;
}

void SquaredDistancesTest::agreeWithSumsInDoublePrecision() {
    QFETCH(int, rows);
    QFETCH(int, centres);
    QFETCH(int, dim);
    QFETCH(float, offset);
    const Matrix a = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 1, offset);
    const Matrix b = gaussian(static_cast<std::size_t>(centres), static_cast<std::size_t>(dim), 2, offset);
    const std::vector<float> found = distances(a, b);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < b.rows; ++c) {
            const double expected = direct(a, r, b, c);
            QVERIFY(std::abs(static_cast<double>(found[r * b.rows + c]) - expected) <= 1e-4 * expected);
        }
}

void SquaredDistancesTest::equalRowsAreAtNoDistance() {
    const Matrix a = test::repeated(gaussian(40, 20, 3, 2.0F), 120);
    const std::vector<float> found = distances(a, a);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < a.rows; ++c)
            QCOMPARE(found[r * a.rows + c] == 0.0F, direct(a, r, a, c) == 0.0);
}

void SquaredDistancesTest::scaleByPowersOfTwoIsExact() {
    Matrix a = gaussian(80, 12, 4);
    Matrix b = gaussian(90, 12, 5);
    std::vector<float> expected = distances(a, b);
    for (float& value : expected)
        value *= 0x1p20F;
    for (Matrix* set : {&a, &b})
        for (float& value : set->values)
            value *= 0x1p10F;
    QVERIFY(distances(a, b) == expected);
}

void SquaredDistancesTest::threadsDoNotMatter() {
    const Matrix a = gaussian(300, 24, 6);
    const Matrix b = gaussian(500, 24, 7);
    QVERIFY(distances(a, b, 1) == distances(a, b, 5));
}

ASSAY_TEST(squared_distances_test, SquaredDistancesTest)
#include "squared_distances_test.moc"
