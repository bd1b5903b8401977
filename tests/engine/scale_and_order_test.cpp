// Another unit of one set, and rows of a file that resemble their neighbours.
#include "engine/metrics/set_tests/set_tests.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

ScaleTest scaleTestOf(const Matrix& real, const Matrix& synthetic, unsigned threads = 2) {
    return testScale(inContentOrder(real.view(), {}, 1, 1), inContentOrder(synthetic.view(), {}, 1, 1),
                     {.threads = threads});
}

Matrix ofUnitLength(Matrix matrix) {
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        double square = 0.0;
        for (const float value : matrix.view().row(r))
            square += static_cast<double>(value) * static_cast<double>(value);
        for (std::size_t c = 0; c < matrix.dim; ++c)
            matrix.values[r * matrix.dim + c] /= static_cast<float>(std::sqrt(square));
    }
    return matrix;
}

Matrix cauchyRows(std::size_t rows, std::size_t dim, unsigned seed) {
    std::mt19937 random(seed);
    std::cauchy_distribution<float> cauchy;
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::ranges::generate(matrix.values, [&] { return cauchy(random); });
    return matrix;
}

/// Nearest other row of each row, by plain loops.
NeighborTable nearestOtherRows(const Matrix& matrix) {
    NeighborTable table{1, {}, {}};
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        double least = std::numeric_limits<double>::infinity();
        std::uint32_t nearest = 0;
        for (std::size_t other = 0; other < matrix.rows; ++other) {
            double square = other == r ? std::numeric_limits<double>::infinity() : 0.0;
            for (std::size_t c = 0; c < matrix.dim; ++c)
                square += std::pow(static_cast<double>(matrix.view().row(r)[c] - matrix.view().row(other)[c]), 2);
            if (square < least) {
                least = square;
                nearest = static_cast<std::uint32_t>(other);
            }
        }
        table.index.push_back(nearest);
        table.distance.push_back(std::sqrt(least));
    }
    return table;
}

/// Rows in groups: each group has one place, and its rows lie about it.
Matrix slices(std::size_t groups, std::size_t perGroup, float width, unsigned seed) {
    const Matrix centres = test::gaussian(groups, 8, seed);
    Matrix matrix = test::gaussian(groups * perGroup, 8, seed + 1, 0.0F, width);
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t c = 0; c < 8; ++c)
            matrix.values[r * 8 + c] += centres.values[r / perGroup * 8 + c];
    return matrix;
}

} // namespace

class ScaleAndOrderTest : public QObject {
    Q_OBJECT

private slots:
    void findsAnotherUnit_data();
    void findsAnotherUnit();
    void findsRowsOfUnitLength();
    void heavyTailsAreNoOtherUnit();
    void scaleDoesNotDependOnThreads();
    void scaleStopsWhenAsked();
    void findsSlices();
    void rowsSortedByClassAreNotAlike();
    void independentRowsAreNotAlike();
    void countsGapsByTheDefinition();
};

void ScaleAndOrderTest::findsAnotherUnit_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<bool>("found");
    QTest::newRow("pixels of 255") << 255.0 << true;
    QTest::newRow("a tenth") << 0.1 << true;
    QTest::newRow("four times") << 4.0 << true;
    QTest::newRow("twice") << 2.0 << false;
    QTest::newRow("half") << 0.5 << false;
    QTest::newRow("the same") << 1.0 << false;
}

void ScaleAndOrderTest::findsAnotherUnit() {
    QFETCH(double, factor);
    QFETCH(bool, found);
    const Matrix real = test::shifted(test::gaussian(200, 8, 1), 5.0F); // the place does not matter
    const Matrix synthetic = test::scaled(test::gaussian(150, 8, 2), static_cast<float>(factor));
    const ScaleTest result = scaleTestOf(real, synthetic);
    QCOMPARE(result.factor.has_value(), found);
    QVERIFY(!result.unitLength);
    if (found)
        QVERIFY(std::abs(*result.factor / factor - 1.0) < 0.1);
    // A few rows are no proof.
    QVERIFY(!scaleTestOf(test::gaussian(3, 8, 1), test::scaled(test::gaussian(3, 8, 2), static_cast<float>(factor)))
                 .factor);
}

void ScaleAndOrderTest::findsRowsOfUnitLength() {
    const Matrix one = ofUnitLength(test::gaussian(100, 5, 1));
    const Matrix other = test::gaussian(100, 5, 2);
    QVERIFY(scaleTestOf(one, other).unitLength == Side::Real);
    QVERIFY(scaleTestOf(other, one).unitLength == Side::Synthetic);
    QVERIFY(!scaleTestOf(one, ofUnitLength(other)).unitLength);
    QVERIFY(!scaleTestOf(other, test::gaussian(100, 5, 3)).unitLength);
    // In one dimension all are 1 or -1.
    QVERIFY(!scaleTestOf(ofUnitLength(test::gaussian(50, 1, 1)), test::gaussian(50, 1, 2)).unitLength);
}

void ScaleAndOrderTest::heavyTailsAreNoOtherUnit() {
    const int audits = test::sized(100, 20);
    for (int audit = 0; audit < audits; ++audit) {
        const auto seed = static_cast<unsigned>(2 * audit);
        const ScaleTest result = scaleTestOf(cauchyRows(40, 4, seed), cauchyRows(60, 4, seed + 1));
        QVERIFY2(!result.factor && !result.unitLength, qPrintable(QString("seed %1").arg(seed)));
    }
}

void ScaleAndOrderTest::scaleDoesNotDependOnThreads() {
    const Matrix real = cauchyRows(700, 20, 1);
    const Matrix synthetic = test::scaled(cauchyRows(600, 20, 2), 9.0F);
    const ScaleTest result = scaleTestOf(real, synthetic, 1);
    QVERIFY(result.factor);
    QCOMPARE(scaleTestOf(real, synthetic, 3), result);
}

void ScaleAndOrderTest::scaleStopsWhenAsked() {
    const Matrix matrix = test::gaussian(600, 40, 1);
    const ComparedRows compared = inContentOrder(matrix.view(), {}, 1, 1);
    QCOMPARE(test::stopFailure(
                 [&](const JobContext& job) { testScale(compared, compared, {.threads = 2, .job = job}); }, 10),
             std::string());
}

void ScaleAndOrderTest::findsSlices() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        QVERIFY(testRowOrder(nearestOtherRows(slices(60, 5, 0.3F, seed))).areNeighborsAlike());
        QVERIFY(testRowOrder(nearestOtherRows(slices(100, 2, 0.3F, seed))).areNeighborsAlike());
        QVERIFY(!testRowOrder(nearestOtherRows(slices(11, 5, 0.3F, seed))).areNeighborsAlike()); // 55 rows: too few
    }
}

void ScaleAndOrderTest::rowsSortedByClassAreNotAlike() {
    for (unsigned seed = 0; seed < 20; ++seed)
        QVERIFY2(!testRowOrder(nearestOtherRows(slices(6, 60, 0.2F, seed))).areNeighborsAlike(),
                 qPrintable(QString("seed %1").arg(seed)));
}

void ScaleAndOrderTest::independentRowsAreNotAlike() {
    const auto seeds = static_cast<unsigned>(test::sized(100, 20));
    for (unsigned seed = 0; seed < seeds; ++seed)
        QVERIFY2(!testRowOrder(nearestOtherRows(test::gaussian(100, 6, seed))).areNeighborsAlike(),
                 qPrintable(QString("seed %1").arg(seed)));
}

void ScaleAndOrderTest::countsGapsByTheDefinition() {
    // Gaps 1, 5, 6, 20, 21, 25 and 26.
    NeighborTable table{1, {}, {}};
    for (std::uint32_t row = 0; row < 70; ++row)
        table.index.push_back(row == 0 ? 1 : row - 1);
    for (const auto& [row, gap] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{60, 5}, {61, 6}, {62, 20}, {63, 21}, {64, 25}, {65, 26}})
        table.index[row] = row - gap;
    table.distance.assign(70, 1.0);
    const RowOrderTest result = testRowOrder(table);
    QCOMPARE(result.rows, std::size_t{70});
    QCOMPARE(result.beside, std::size_t{65});
    QCOMPARE(result.apart, std::size_t{2});
    QVERIFY(std::abs(result.excess() - 0.9) < 1e-12);
    // At least 32 of 33 at 0.65: 0.65^33 + 33 * 0.35 * 0.65^32.
    QVERIFY(std::abs(result.pValue - (std::pow(0.65, 33) + 33 * 0.35 * std::pow(0.65, 32))) < 1e-12);
    QCOMPARE(testRowOrder(NeighborTable{}).excess(), 0.0);
    QVERIFY(!testRowOrder(NeighborTable{}).areNeighborsAlike());
}

ASSAY_TEST(scale_and_order_test, ScaleAndOrderTest)
#include "scale_and_order_test.moc"
