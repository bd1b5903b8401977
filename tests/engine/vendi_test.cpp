#include "engine/math/linear/centre.h"
#include "engine/metrics/embedding/vendi.h"
#include "tests/engine/support/naive_spectrum.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

/// From the definition: the singular values of the rows at unit length are the roots of the eigenvalues of K.
double naiveScore(MatrixView set) {
    test::LongMatrix rows(set.rows, std::vector<long double>(set.dim));
    for (std::size_t r = 0; r < set.rows; ++r) {
        long double square = 0.0L;
        for (const float x : set.row(r))
            square += static_cast<long double>(x) * static_cast<long double>(x);
        for (std::size_t c = 0; c < set.dim; ++c)
            rows[r][c] = square > 0.0L ? static_cast<long double>(set.rowData(r)[c]) / std::sqrt(square) : 0.0L;
    }
    double entropy = 0.0;
    for (const double s : test::singularValues(rows)) {
        const double share = s * s / static_cast<double>(set.rows);
        entropy -= share > 1e-30 ? share * std::log(share) : 0.0;
    }
    return std::exp(entropy);
}

double vendiOf(MatrixView set, unsigned threads = 0) {
    const RowSummary summary = summarizeRows(set, threads, {});
    return vendiScore(similarities(set, summary, threads), set, summary, threads);
}

bool close(double found, double expected, double relative = 1e-10) {
    const bool same = std::abs(found - expected) <= relative * std::abs(expected);
    if (!same)
        qWarning("found %.17g, expected %.17g", found, expected);
    return same;
}

/// `count` rows, row r along axis r mod axes.
Matrix alongAxes(std::size_t count, std::size_t dim, std::size_t axes) {
    Matrix matrix{std::vector<float>(count * dim, 0.0F), count, dim};
    for (std::size_t r = 0; r < count; ++r)
        matrix.values[r * dim + r % axes] = static_cast<float>(r + 1);
    return matrix;
}

} // namespace

class VendiTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheOracle_data();
    void agreesWithTheOracle();
    void singlePrecisionKeepsItsDigits_data();
    void singlePrecisionKeepsItsDigits();
    void countsDirections();
    void lengthsAndOrderDoNotMatter();
    void duplicatesDoNotMatter();
    void zeroRowsAreLikeNothing();
    void threadsDoNotChangeTheValue();
};

void VendiTest::agreesWithTheOracle_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<float>("mean");
    for (const auto& [n, d] : {std::pair{60, 8}, {8, 60}, {30, 30}, {40, 1}, {1, 5}, {70, 33}})
        for (const float mean : {0.0F, 2.0F})
            QTest::addRow("%d x %d about %g", n, d, static_cast<double>(mean)) << n << d << mean;
}

void VendiTest::agreesWithTheOracle() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(float, mean);
    const Matrix set = gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 1, mean);
    QVERIFY(close(vendiOf(set.view()), naiveScore(set.view())));
}

void VendiTest::singlePrecisionKeepsItsDigits_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<bool>("centred");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("all directions") << 264 << true << 1e-7;
    QTest::newRow("all directions, about a common one") << 264 << false << 1e-7;
    // Rounding would be all that is left in most directions.
    QTest::newRow("few directions") << 12 << true << 1e-10;
    QTest::newRow("few directions, about a common one") << 12 << false << 1e-10;
}

void VendiTest::singlePrecisionKeepsItsDigits() {
    QFETCH(int, rank);
    QFETCH(bool, centred);
    QFETCH(double, tolerance);
    const std::size_t dim = 264;
    const Matrix few = gaussian(330, static_cast<std::size_t>(rank), 6, centred ? 0.0F : 1.0F);
    Matrix set{std::vector<float>(few.rows * dim), few.rows, dim};
    // The same with columns of zeros behind it: more features than rows, whose products are in double precision.
    Matrix wide{std::vector<float>(few.rows * 2 * dim, 0.0F), few.rows, 2 * dim};
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < dim; ++c) {
            const float scale = 1.0F + 0.1F * static_cast<float>(c / few.dim);
            set.values[r * dim + c] = scale * few.values[r * few.dim + c % few.dim];
            wide.values[r * wide.dim + c] = set.values[r * dim + c];
        }
    QVERIFY(close(vendiOf(set.view()), vendiOf(wide.view()), tolerance));
}

void VendiTest::countsDirections() {
    QVERIFY(close(vendiOf(alongAxes(12, 40, 12).view()), 12.0));
    QVERIFY(close(vendiOf(alongAxes(60, 40, 5).view()), 5.0));
    QVERIFY(close(vendiOf(alongAxes(60, 3, 1).view()), 1.0));
}

void VendiTest::lengthsAndOrderDoNotMatter() {
    const Matrix set = gaussian(80, 10, 2, 1.0F);
    Matrix other = set;
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c)
            other.values[(set.rows - 1 - r) * set.dim + c] =
                set.values[r * set.dim + c] * static_cast<float>(std::size_t{1} << (r % 8));
    QVERIFY(close(vendiOf(other.view()), vendiOf(set.view()), 1e-12));
}

void VendiTest::duplicatesDoNotMatter() {
    const Matrix set = gaussian(30, 10, 3, 1.0F);
    QVERIFY(close(vendiOf(test::repeated(set, 90).view()), vendiOf(set.view())));
}

void VendiTest::zeroRowsAreLikeNothing() {
    Matrix set = gaussian(30, 10, 4, 1.0F);
    std::fill_n(set.values.begin(), 50, 0.0F);
    QVERIFY(close(vendiOf(set.view()), naiveScore(set.view())));
    std::fill(set.values.begin(), set.values.end(), 0.0F);
    QVERIFY(std::isnan(vendiOf(set.view())));
}

void VendiTest::threadsDoNotChangeTheValue() {
    const Matrix set = gaussian(500, 70, 5, 1.0F);
    QCOMPARE(vendiOf(set.view(), 1), vendiOf(set.view(), 6));
}

ASSAY_TEST(vendi_test, VendiTest)
#include "vendi_test.moc"
