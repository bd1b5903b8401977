#include "engine/base/error.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/dense_product.h"
#include "tests/engine/support/naive_spectrum.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

using namespace assay;

namespace {

DoubleMatrix randomMatrix(std::size_t rows, std::size_t columns, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    DoubleMatrix matrix(rows, columns);
    for (double& value : matrix.values)
        value = normal(engine);
    return matrix;
}

double naiveDot(const double* a, const double* b, std::size_t n) {
    long double sum = 0.0L;
    for (std::size_t k = 0; k < n; ++k)
        sum += static_cast<long double>(a[k]) * static_cast<long double>(b[k]);
    return static_cast<double>(sum);
}

/// B B^T of a random matrix: positive semi-definite, of rank `rank`, both triangles.
DoubleMatrix semiDefinite(std::size_t size, std::size_t rank, unsigned seed) {
    const DoubleMatrix b = randomMatrix(size, rank, seed);
    DoubleMatrix product(size, size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            product.at(i, j) = naiveDot(b.row(i), b.row(j), rank);
    return product;
}

test::LongMatrix asLong(const DoubleMatrix& matrix) {
    test::LongMatrix rows;
    for (std::size_t r = 0; r < matrix.rows; ++r)
        rows.emplace_back(matrix.row(r), matrix.row(r) + matrix.columns);
    return rows;
}

/// What stands above the diagonal is not to be read.
DoubleMatrix lowerOf(DoubleMatrix matrix) {
    for (std::size_t i = 0; i < matrix.rows; ++i)
        for (std::size_t j = i + 1; j < matrix.columns; ++j)
            matrix.at(i, j) = std::nan("");
    return matrix;
}

DoubleMatrix threeDiagonals(const std::vector<double>& diagonal, double beside) {
    DoubleMatrix matrix(diagonal.size(), diagonal.size());
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        matrix.at(i, i) = diagonal[i];
        if (i > 0)
            matrix.at(i, i - 1) = beside;
    }
    return matrix;
}

} // namespace

class LinearAlgebraTest : public QObject {
    Q_OBJECT

private slots:
    void productsMatchNaiveOnes_data();
    void productsMatchNaiveOnes();
    void productsTakeConvertedRows();
    void threadsDoNotChangeAProduct();
    void productRefusesDifferentDepths();
    void factorReproducesItsMatrix_data();
    void factorReproducesItsMatrix();
    void eigenvaluesMatchJacobi_data();
    void eigenvaluesMatchJacobi();
    void negativeEigenvaluesAreFound();
    void spectraOfAllShapesAreFound_data();
    void spectraOfAllShapesAreFound();
    void threeDiagonalsHaveTheirEigenvalues();
    void eigenvectorsTurnTheMatrixDiagonal();
    void eigenvaluesSurviveExtremeScales();
    void eigenvaluesStopWhenAsked();
    void whatIsNotFiniteHasNoEigenvalues();
    void factorStopsWhenAsked();
    void infiniteMatrixHasNoFactor();
};

void LinearAlgebraTest::productsMatchNaiveOnes_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("depth");
    for (const auto& [rows, columns, depth] : {std::array{1, 1, 1},
                                               {7, 5, 3},
                                               {8, 24, 192},
                                               {24, 25, 193},
                                               {65, 50, 500},
                                               {1, 130, 7},
                                               {130, 1, 400},
                                               {192, 193, 512},
                                               {400, 193, 513},
                                               {5, 3, 1100}})
        QTest::addRow("%d by %d, depth %d", rows, columns, depth) << rows << columns << depth;
}

void LinearAlgebraTest::productsMatchNaiveOnes() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, depth);
    const auto k = static_cast<std::size_t>(depth);
    const DoubleMatrix a = randomMatrix(static_cast<std::size_t>(rows), k, 1);
    const DoubleMatrix b = randomMatrix(static_cast<std::size_t>(columns), k, 2);
    const DoubleMatrix product = productOf(rowsOf(a), rowsOf(b));
    const DoubleMatrix gram = gramOf(rowsOf(a));
    for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < b.rows; ++j)
            QVERIFY(std::abs(product.at(i, j) - naiveDot(a.row(i), b.row(j), k)) <= 1e-13 * depth);
        for (std::size_t j = 0; j <= i; ++j)
            QVERIFY(std::abs(gram.at(i, j) - naiveDot(a.row(i), a.row(j), k)) <= 1e-13 * depth);
    }
}

void LinearAlgebraTest::productsTakeConvertedRows() {
    // Quarters, and powers of two as factors: sums of their products are exact in any order.
    test::Matrix set = test::gaussian(211, 30, 3, 100.0F);
    for (float& x : set.values)
        x = std::round(4.0F * x) / 4.0F;
    const std::vector<double> mean(30, 99.5);
    std::vector<double> scale(211);
    for (std::size_t r = 0; r < scale.size(); ++r)
        scale[r] = std::ldexp(1.0, static_cast<int>(r % 5));
    DoubleMatrix rows(211, 30);
    DoubleMatrix columns(30, 211);
    for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t c = 0; c < rows.columns; ++c)
            columns.at(c, r) = rows.at(r, c) = (static_cast<double>(set.view().rowData(r)[c]) - 99.5) * scale[r];
    QVERIFY(gramOf(rowsOf(set.view(), mean, scale)).values == gramOf(rowsOf(rows)).values);
    QVERIFY(gramOf(columnsOf(set.view(), mean, scale)).values == gramOf(rowsOf(columns)).values);
    QVERIFY(gramOf(columnsOf(set.view(), mean)).at(2, 1) != 0.0);
}

void LinearAlgebraTest::threadsDoNotChangeAProduct() {
    const DoubleMatrix a = randomMatrix(301, 700, 4);
    QVERIFY(gramOf(rowsOf(a), 1).values == gramOf(rowsOf(a), 5).values);
}

void LinearAlgebraTest::productRefusesDifferentDepths() {
    const DoubleMatrix a = randomMatrix(3, 4, 5);
    const DoubleMatrix b = randomMatrix(3, 5, 6);
    QVERIFY(
        test::saysAll(test::refusalOf([&] { productOf(rowsOf(a), rowsOf(b)); }, ErrorKind::InvalidArgument), "4|5"));
}

void LinearAlgebraTest::factorReproducesItsMatrix_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("rank");
    for (const auto& [size, rank] : {std::pair{1, 1},
                                     {5, 5},
                                     {64, 64},
                                     {65, 65},
                                     {150, 150},
                                     {5, 1},
                                     {5, 0},
                                     {90, 40},
                                     {200, 64},
                                     {200, 65},
                                     {200, 130}})
        QTest::addRow("%d of rank %d", size, rank) << size << rank;
}

void LinearAlgebraTest::factorReproducesItsMatrix() {
    QFETCH(int, size);
    QFETCH(int, rank);
    const DoubleMatrix matrix = semiDefinite(static_cast<std::size_t>(size), static_cast<std::size_t>(rank), 7);
    const DoubleMatrix factor = factorOf(lowerOf(matrix));
    QCOMPARE(factor.rows, static_cast<std::size_t>(rank));
    for (std::size_t i = 0; i < matrix.rows; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < factor.rows; ++k)
                sum += factor.at(k, i) * factor.at(k, j);
            QVERIFY(std::abs(sum - matrix.at(i, j)) <= 1e-11);
        }
}

void LinearAlgebraTest::eigenvaluesMatchJacobi_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("rank");
    for (const auto& [size, rank] :
         {std::pair{1, 1}, {2, 2}, {3, 3}, {32, 40}, {33, 40}, {34, 50}, {65, 70}, {70, 20}, {6, 0}, {40, 1}})
        QTest::addRow("%d of rank %d", size, rank) << size << rank;
}

void LinearAlgebraTest::eigenvaluesMatchJacobi() {
    QFETCH(int, size);
    QFETCH(int, rank);
    const DoubleMatrix matrix = semiDefinite(static_cast<std::size_t>(size), static_cast<std::size_t>(rank), 8);
    std::vector<double> expected = test::singularValues(asLong(matrix)); // the same for a semi-definite matrix
    std::sort(expected.begin(), expected.end());
    const std::vector<double> found = symmetricEigenvalues(lowerOf(matrix));
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(std::abs(found[i] - expected[i]) <= 1e-13 * (expected.back() + 1e-300));
}

void LinearAlgebraTest::negativeEigenvaluesAreFound() {
    // 2 I - 3 e e^T over n = 50 has 2 - 150 once and 2 in all other directions.
    DoubleMatrix matrix(50, 50);
    for (std::size_t i = 0; i < 50; ++i)
        for (std::size_t j = 0; j < 50; ++j)
            matrix.at(i, j) = (i == j ? 2.0 : 0.0) - 3.0;
    const std::vector<double> found = symmetricEigenvalues(matrix);
    QVERIFY(std::abs(found.front() + 148.0) < 1e-11);
    QVERIFY(std::all_of(found.begin() + 1, found.end(), [](double x) { return std::abs(x - 2.0) < 1e-11; }));
}

void LinearAlgebraTest::spectraOfAllShapesAreFound_data() {
    QTest::addColumn<std::vector<double>>("spectrum");
    constexpr std::size_t kSize = 300;
    std::mt19937 engine(31);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> random(kSize);
    std::generate(random.begin(), random.end(), [&] { return uniform(engine); });
    std::vector<double> clustered(kSize);
    std::vector<double> graded(kSize);
    std::vector<double> deficient = random;
    for (std::size_t i = 0; i < kSize; ++i) {
        clustered[i] = 1.0 + static_cast<double>(i % 4) + 1e-9 * static_cast<double>(i);
        graded[i] = std::pow(10.0, -14.0 * static_cast<double>(i) / kSize);
        deficient[i] *= i % 3 == 0 ? 1.0 : 0.0;
    }
    QTest::newRow("random") << random;
    QTest::newRow("clustered") << clustered;
    QTest::newRow("graded") << graded;
    QTest::newRow("graded upwards") << std::vector<double>(graded.rbegin(), graded.rend());
    QTest::newRow("deficient") << deficient;
    QTest::newRow("all equal") << std::vector<double>(kSize, 1.0);
}

void LinearAlgebraTest::spectraOfAllShapesAreFound() {
    QFETCH(std::vector<double>, spectrum);
    const std::size_t n = spectrum.size();
    std::mt19937 engine(32);
    std::normal_distribution<double> normal;
    DoubleMatrix matrix(n, n);
    for (std::size_t i = 0; i < n; ++i)
        matrix.at(i, i) = spectrum[i];
    for (int turn = 0; turn < 3; ++turn) { // by a reflection, A - v w^T - w v^T
        std::vector<double> v(n);
        std::generate(v.begin(), v.end(), [&] { return normal(engine); });
        const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
        std::transform(v.begin(), v.end(), v.begin(), [&](double x) { return x / length; });
        std::vector<double> w(n);
        for (std::size_t i = 0; i < n; ++i)
            w[i] = 2.0 * std::inner_product(v.begin(), v.end(), matrix.row(i), 0.0);
        const double half = 0.5 * std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
        for (std::size_t i = 0; i < n; ++i)
            w[i] -= 2.0 * half * v[i];
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix.at(i, j) -= v[i] * w[j] + w[i] * v[j];
    }
    const std::vector<double> found = symmetricEigenvalues(matrix);
    std::sort(spectrum.begin(), spectrum.end());
    const double largest = std::max(-spectrum.front(), spectrum.back());
    for (std::size_t i = 0; i < n; ++i)
        QVERIFY2(std::abs(found[i] - spectrum[i]) <= 3e-14 * largest,
                 qPrintable(QString::number((found[i] - spectrum[i]) / largest)));
}

void LinearAlgebraTest::threeDiagonalsHaveTheirEigenvalues() {
    // 2 on the diagonal and -1 beside it: 2 - 2 cos(k pi / (n + 1)). A slope on the diagonal decides from which end the
    // matrix is solved; upside down it has the same eigenvalues.
    for (const std::size_t n : {1U, 2U, 3U, 10U, 999U}) {
        const std::vector<double> found = symmetricEigenvalues(threeDiagonals(std::vector<double>(n, 2.0), -1.0));
        for (std::size_t k = 1; k <= n; ++k) {
            const double angle = static_cast<double>(k) * std::numbers::pi / static_cast<double>(n + 1);
            QVERIFY(std::abs(found[k - 1] - (2.0 - 2.0 * std::cos(angle))) <= 2e-14);
        }
        std::vector<double> slope(n);
        std::iota(slope.begin(), slope.end(), 1.0);
        const std::vector<double> up = symmetricEigenvalues(threeDiagonals(slope, -1.0));
        const std::vector<double> down = symmetricEigenvalues(threeDiagonals({slope.rbegin(), slope.rend()}, -1.0));
        QVERIFY(std::abs(std::accumulate(up.begin(), up.end(), 0.0) -
                         std::accumulate(slope.begin(), slope.end(), 0.0)) <= 1e-12 * static_cast<double>(n * n));
        for (std::size_t k = 0; k < n; ++k)
            QVERIFY(std::abs(up[k] - down[k]) <= 1e-14 * static_cast<double>(n + 1));
    }
}

void LinearAlgebraTest::eigenvectorsTurnTheMatrixDiagonal() {
    const DoubleMatrix matrix = semiDefinite(60, 40, 14);
    const Eigendecomposition found = symmetricEigendecomposition(lowerOf(matrix));
    QVERIFY(symmetricEigendecomposition(DoubleMatrix()).values.empty());
    const std::vector<double> expected = symmetricEigenvalues(matrix);
    for (std::size_t i = 0; i < 60; ++i) {
        QVERIFY(std::abs(found.values[i] - expected[i]) <= 1e-13 * expected.back());
        for (std::size_t j = 0; j < 60; ++j)
            QVERIFY(std::abs(naiveDot(found.vectors.row(i), found.vectors.row(j), 60) - (i == j ? 1.0 : 0.0)) < 1e-13);
        for (std::size_t r = 0; r < 60; ++r)
            QVERIFY(std::abs(naiveDot(matrix.row(r), found.vectors.row(i), 60) -
                             found.values[i] * found.vectors.at(i, r)) <= 1e-13 * expected.back());
    }
}

void LinearAlgebraTest::eigenvaluesSurviveExtremeScales() {
    const DoubleMatrix plain = semiDefinite(20, 20, 9);
    const std::vector<double> expected = symmetricEigenvalues(plain);
    for (const double scale : {0x1p-900, 0x1p900}) {
        DoubleMatrix matrix = plain;
        for (double& value : matrix.values)
            value *= scale;
        const std::vector<double> found = symmetricEigenvalues(matrix);
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(std::abs(found[i] / scale - expected[i]) <= 1e-12 * expected.back());
    }
}

void LinearAlgebraTest::eigenvaluesStopWhenAsked() {
    const DoubleMatrix a = randomMatrix(400, 20, 10);
    const DoubleMatrix matrix = gramOf(rowsOf(a));
    const std::string failure = test::stopFailure([&](const JobContext& job) { symmetricEigenvalues(matrix, job); }, 1);
    QVERIFY2(failure.empty(), failure.c_str());
}

void LinearAlgebraTest::whatIsNotFiniteHasNoEigenvalues() {
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        DoubleMatrix matrix = semiDefinite(5, 5, 11);
        matrix.at(3, 1) = value;
        const std::vector<double> found = symmetricEigenvalues(lowerOf(matrix));
        QCOMPARE(found.size(), std::size_t{5});
        QVERIFY(std::all_of(found.begin(), found.end(), [](double x) { return std::isnan(x); }));
    }
}

void LinearAlgebraTest::factorStopsWhenAsked() {
    const DoubleMatrix matrix = semiDefinite(50, 50, 12);
    const std::string failure = test::stopFailure([&](const JobContext& job) { factorOf(matrix, job); }, 1);
    QVERIFY2(failure.empty(), failure.c_str());
}

void LinearAlgebraTest::infiniteMatrixHasNoFactor() {
    DoubleMatrix matrix = semiDefinite(5, 5, 13);
    matrix.at(2, 2) = std::numeric_limits<double>::infinity();
    QCOMPARE(factorOf(matrix).rows, std::size_t{0});
}

ASSAY_TEST(linear_algebra_test, LinearAlgebraTest)
#include "linear_algebra_test.moc"
