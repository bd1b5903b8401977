#include "engine/base/error.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "tests/engine/support/naive_spectrum.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <span>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

double totalOf(const test::LongMatrix& rows) {
    long double sum = 0.0L;
    for (const auto& row : rows)
        for (const long double x : row)
            sum += x * x;
    return static_cast<double>(sum);
}

/// From the definition, without a covariance: with S = A^T A of the centred rows A, the trace of (S_a S_b)^(1/2) is the
/// sum of the singular values of A B^T.
double naiveDistance(MatrixView a, MatrixView b) {
    double apart = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const auto mean = [c](MatrixView set) {
            long double sum = 0.0L;
            for (std::size_t r = 0; r < set.rows; ++r)
                sum += static_cast<long double>(set.rowData(r)[c]);
            return sum / static_cast<long double>(set.rows);
        };
        apart += static_cast<double>((mean(a) - mean(b)) * (mean(a) - mean(b)));
    }
    const test::LongMatrix rowsA = test::centredRows(a);
    const test::LongMatrix rowsB = test::centredRows(b);
    const std::vector<double> shared = test::singularValues(test::timesTransposed(rowsA, rowsB));
    return apart + totalOf(rowsA) + totalOf(rowsB) - 2.0 * std::accumulate(shared.begin(), shared.end(), 0.0);
}

double distance(const Matrix& a, const Matrix& b, unsigned threads = 0) {
    return frechetDistance(fitGaussian(a.view(), threads), fitGaussian(b.view(), threads), threads);
}

Matrix changed(Matrix matrix, const std::function<float(float, std::size_t, std::size_t)>& value) {
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t c = 0; c < matrix.dim; ++c)
            matrix.values[r * matrix.dim + c] = value(matrix.values[r * matrix.dim + c], r, c);
    return matrix;
}

/// Every third column is constant and every fifth repeats the first.
Matrix degenerate(const Matrix& matrix) {
    return changed(matrix, [&](float x, std::size_t r, std::size_t c) {
        return c % 3 == 2 ? 4.0F : c % 5 == 0 ? matrix.values[r * matrix.dim] : x;
    });
}

bool close(double found, double expected, double relative) {
    const bool same = std::abs(found - expected) <= relative * std::abs(expected);
    if (!same)
        qWarning("found %.17g, expected %.17g", found, expected);
    return same;
}

} // namespace

class FrechetTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheOracle_data();
    void agreesWithTheOracle();
    void rankDeficientSetsAgreeWithTheOracle_data();
    void rankDeficientSetsAgreeWithTheOracle();
    void nearlyRankDeficientSetsAgreeWithTheOracle_data();
    void nearlyRankDeficientSetsAgreeWithTheOracle();
    void singularValuesAddUp_data();
    void singularValuesAddUp();
    void singularValuesStopWhenAsked();
    void offsetsCostNoDigits();
    void identicalSetsAreAtZero_data();
    void identicalSetsAreAtZero();
    void stretchingHasAClosedForm_data();
    void stretchingHasAClosedForm();
    void shiftsAddTheirSquare();
    void orderOfRowsColumnsAndSetsDoesNotMatter();
    void threadsDoNotChangeTheValue();
    void refusesWhatHasNoCovariance();
    void refusesOtherDimensions();
    void stopsWhenAsked();
};

void FrechetTest::agreesWithTheOracle_data() {
    QTest::addColumn<int>("rowsA");
    QTest::addColumn<int>("rowsB");
    QTest::addColumn<int>("dim");
    for (const auto& [a, b, d] : {std::array{60, 50, 8},
                                  {60, 50, 1},
                                  {2, 60, 1},
                                  {70, 60, 33},
                                  {20, 50, 30},
                                  {50, 20, 30},
                                  {20, 25, 40},
                                  {2, 2, 5},
                                  {30, 30, 30},
                                  {31, 40, 30}})
        QTest::addRow("%d and %d rows of %d", a, b, d) << a << b << d;
    if (!test::takesSmallSizes()) // products of single precision, where they serve
        QTest::addRow("330 and 400 rows of 260") << 330 << 400 << 260;
}

void FrechetTest::agreesWithTheOracle() {
    QFETCH(int, rowsA);
    QFETCH(int, rowsB);
    QFETCH(int, dim);
    const Matrix a = gaussian(static_cast<std::size_t>(rowsA), static_cast<std::size_t>(dim), 1);
    const Matrix b = gaussian(static_cast<std::size_t>(rowsB), static_cast<std::size_t>(dim), 2, 0.3F, 1.5F);
    QVERIFY(close(distance(a, b), naiveDistance(a.view(), b.view()), 1e-9));
}

void FrechetTest::rankDeficientSetsAgreeWithTheOracle_data() {
    agreesWithTheOracle_data();
}

void FrechetTest::rankDeficientSetsAgreeWithTheOracle() {
    QFETCH(int, rowsA);
    QFETCH(int, rowsB);
    QFETCH(int, dim);
    const Matrix a = degenerate(gaussian(static_cast<std::size_t>(rowsA), static_cast<std::size_t>(dim), 3));
    const Matrix b =
        degenerate(gaussian(static_cast<std::size_t>(rowsB), static_cast<std::size_t>(dim), 4, 0.3F, 1.5F));
    // Not one of the many zero eigenvalues may add the root of its rounding error.
    QVERIFY(close(distance(a, b), naiveDistance(a.view(), b.view()), 1e-7));
    QVERIFY(close(distance(a, gaussian(b.rows, b.dim, 5)), naiveDistance(a.view(), gaussian(b.rows, b.dim, 5).view()),
                  1e-7));
}

void FrechetTest::nearlyRankDeficientSetsAgreeWithTheOracle_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("dim");
    QTest::addColumn<float>("noise");
    const std::vector<float> noises{1e-4F, 1e-2F, 1e-3F, 1e-6F};
    for (const float noise : std::span(noises).first(test::sized<std::size_t>(4, 1)))
        for (const auto& [rows, rank, dim] : {std::array{200, 5, 64}, {120, 8, 48}, {40, 5, 64}})
            QTest::addRow("%d rows of rank %d in %d, noise %g", rows, rank, dim, static_cast<double>(noise))
                << rows << rank << dim << noise;
}

void FrechetTest::nearlyRankDeficientSetsAgreeWithTheOracle() {
    QFETCH(int, rows);
    QFETCH(int, rank);
    QFETCH(int, dim);
    QFETCH(float, noise);
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    const Matrix mixing = gaussian(size(rank), size(dim), 31);
    // The same few directions in both sets, and next to nothing in the others.
    const auto drawn = [&](unsigned seed) {
        const Matrix latent = gaussian(size(rows), size(rank), seed);
        return changed(gaussian(size(rows), size(dim), seed + 100, 0.0F, noise),
                       [&](float x, std::size_t r, std::size_t c) {
                           for (std::size_t l = 0; l < size(rank); ++l)
                               x += latent.view().row(r)[l] * mixing.view().row(l)[c];
                           return x;
                       });
    };
    const Matrix a = drawn(41);
    const Matrix b = drawn(42);
    // What the squares of the singular values would lose is some 1e-5.
    QVERIFY(close(distance(a, b), naiveDistance(a.view(), b.view()), 1e-7));
}

void FrechetTest::singularValuesAddUp_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 3}, {2, 9}, {9, 2}, {40, 40}, {20, 65}, {65, 20}})
        QTest::addRow("%d x %d", rows, columns) << rows << columns;
}

void FrechetTest::singularValuesAddUp() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    const Matrix values = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 51);
    DoubleMatrix matrix(values.rows, values.dim);
    test::LongMatrix naive;
    for (std::size_t r = 0; r < values.rows; ++r) {
        std::copy(values.view().row(r).begin(), values.view().row(r).end(), matrix.row(r));
        naive.emplace_back(values.view().row(r).begin(), values.view().row(r).end());
    }
    const std::vector<double> expected = test::singularValues(naive);
    QVERIFY(close(singularValueSum(matrix), std::accumulate(expected.begin(), expected.end(), 0.0), 1e-13));
    QCOMPARE(singularValueSum(DoubleMatrix(values.rows, values.dim)), 0.0);
    QCOMPARE(singularValueSum(DoubleMatrix()), 0.0);
    for (const double scale : {0x1p-900, 0x1p900}) {
        DoubleMatrix scaled = matrix;
        for (double& value : scaled.values)
            value *= scale;
        QVERIFY(close(singularValueSum(scaled) / scale, singularValueSum(matrix), 1e-13));
    }
    matrix.at(0, 0) = std::nan("");
    QVERIFY(std::isnan(singularValueSum(matrix)));
}

void FrechetTest::singularValuesStopWhenAsked() {
    const Matrix values = gaussian(150, 300, 52);
    DoubleMatrix matrix(values.rows, values.dim);
    std::copy(values.values.begin(), values.values.end(), matrix.values.begin());
    const std::string failure = test::stopFailure([&](const JobContext& job) { singularValueSum(matrix, job); }, 1);
    QVERIFY2(failure.empty(), failure.c_str());
}

void FrechetTest::offsetsCostNoDigits() {
    // Multiples of 1/64, so that float32 holds them with and without the offset.
    const auto onGrid = [](float x, std::size_t, std::size_t) { return std::round(x * 64.0F) / 64.0F; };
    const auto moved = [](float x, std::size_t, std::size_t) { return x + 1000.0F; };
    const Matrix a = changed(gaussian(300, 40, 6), onGrid);
    const Matrix b = changed(gaussian(250, 40, 7, 0.02F), onGrid);
    QVERIFY(close(distance(changed(a, moved), changed(b, moved)), distance(a, b), 1e-10));
}

void FrechetTest::identicalSetsAreAtZero_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    for (const auto& [n, d] : {std::pair{200, 20}, {20, 200}, {50, 50}, {100, 1}, {2, 3}})
        QTest::addRow("%d x %d", n, d) << n << d;
}

void FrechetTest::identicalSetsAreAtZero() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    const Matrix a = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 8, 5.0F);
    QVERIFY(distance(a, a) <= 1e-6 * fitGaussian(a.view()).totalVariance);
    const Matrix flat = degenerate(a);
    QVERIFY(distance(flat, flat) <= 1e-6 * fitGaussian(flat.view()).totalVariance);
    const Matrix constant = changed(a, [](float, std::size_t, std::size_t) { return 3.0F; });
    QCOMPARE(distance(constant, constant), 0.0);
}

void FrechetTest::stretchingHasAClosedForm_data() {
    identicalSetsAreAtZero_data();
}

void FrechetTest::stretchingHasAClosedForm() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    // S_b = 9 S_a: |2 mean|^2 + (1 + 9 - 6) tr S_a.
    const Matrix a = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 9, 1.0F);
    const GaussianFit fit = fitGaussian(a.view());
    const double length = std::inner_product(fit.mean.begin(), fit.mean.end(), fit.mean.begin(), 0.0);
    QVERIFY(close(distance(a, scaled(a, 3.0F)), 4.0 * length + 4.0 * fit.totalVariance, 1e-6));
    QVERIFY(close(distance(scaled(a, 4.0F), scaled(a, 8.0F)), 16.0 * distance(a, scaled(a, 2.0F)), 1e-9));
}

void FrechetTest::shiftsAddTheirSquare() {
    const Matrix a = gaussian(300, 16, 10);
    const Matrix b = changed(a, [](float x, std::size_t, std::size_t c) { return x + (c == 3 ? 256.0F : 0.0F); });
    QVERIFY(close(distance(a, b), 256.0 * 256.0, 1e-6));
}

void FrechetTest::orderOfRowsColumnsAndSetsDoesNotMatter() {
    const Matrix a = gaussian(90, 24, 11);
    const Matrix b = gaussian(20, 24, 12, 0.5F);
    const auto turned = [](const Matrix& matrix) {
        return changed(matrix, [&](float, std::size_t r, std::size_t c) {
            return matrix.values[(matrix.rows - 1 - r) * matrix.dim + (c + 7) % matrix.dim];
        });
    };
    QVERIFY(close(distance(b, a), distance(a, b), 1e-12));
    QVERIFY(close(distance(turned(a), turned(b)), distance(a, b), 1e-10));
}

void FrechetTest::threadsDoNotChangeTheValue() {
    const Matrix a = gaussian(700, 90, 13);
    const Matrix b = gaussian(600, 90, 14, 0.1F);
    QCOMPARE(distance(a, b, 1), distance(a, b, 7));
}

void FrechetTest::refusesWhatHasNoCovariance() {
    QVERIFY(test::saysAll(test::refusalOf([] { fitGaussian(gaussian(1, 4, 15).view()); }, ErrorKind::InvalidArgument),
                          "at least 2|1"));
}

void FrechetTest::refusesOtherDimensions() {
    const GaussianFit a = fitGaussian(gaussian(9, 4, 16).view());
    const GaussianFit b = fitGaussian(gaussian(9, 5, 17).view());
    QVERIFY(test::saysAll(test::refusalOf([&] { frechetDistance(a, b); }, ErrorKind::InvalidArgument), "4|5"));
}

void FrechetTest::stopsWhenAsked() {
    const Matrix a = gaussian(900, 200, 18);
    const std::string failure = test::stopFailure([&](const JobContext& job) { fitGaussian(a.view(), 2, job); }, 40);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(frechet_test, FrechetTest)
#include "frechet_test.moc"
