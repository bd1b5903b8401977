#include "engine/base/error.h"
#include "engine/math/linear/centre.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

/// Off the origin, with a row of zeros in it.
Matrix sample(std::size_t rows, std::size_t dim) {
    Matrix set = gaussian(rows, dim, 11);
    for (float& value : set.values)
        value += 3.0F;
    std::fill_n(set.values.begin() + static_cast<std::ptrdiff_t>(rows / 2 * dim), dim, 0.0F);
    return set;
}

long double lengthOf(std::span<const float> row) {
    long double square = 0.0L;
    for (const float x : row)
        square += static_cast<long double>(x) * static_cast<long double>(x);
    return std::sqrt(square);
}

bool close(double found, long double expected) {
    const bool same = std::abs(static_cast<long double>(found) - expected) <= 1e-13L * (1.0L + std::abs(expected));
    if (!same)
        qWarning("found %.17g, expected %.17Lg", found, expected);
    return same;
}

} // namespace

class CentreTest : public QObject {
    Q_OBJECT

private slots:
    void summaryAgreesWithTheOracle_data();
    void summaryAgreesWithTheOracle();
    void meansAreThoseOfTheSummary();
    void bothDistancesAreThoseOfEach();
    void threadsDoNotChangeTheValues();
    void stops();
};

void CentreTest::summaryAgreesWithTheOracle_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    for (const auto& [n, d] : {std::pair{1, 1}, {3, 40}, {31, 17}, {33, 16}, {700, 5}})
        QTest::addRow("%d x %d", n, d) << n << d;
}

void CentreTest::summaryAgreesWithTheOracle() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    const Matrix set = sample(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim));
    const RowSummary summary = summarizeRows(set.view(), 2, {});
    QCOMPARE(summary.inverseLength.size(), set.rows);
    std::vector<long double> mean(set.dim, 0.0L);
    std::vector<long double> direction(set.dim, 0.0L);
    for (std::size_t r = 0; r < set.rows; ++r) {
        const long double length = lengthOf(set.view().row(r));
        const long double inverse = length > 0.0L ? 1.0L / length : 0.0L;
        QVERIFY(close(summary.inverseLength[r], inverse));
        for (std::size_t c = 0; c < set.dim; ++c) {
            const auto x = static_cast<long double>(set.values[r * set.dim + c]);
            mean[c] += x / static_cast<long double>(set.rows);
            direction[c] += x * inverse / static_cast<long double>(set.rows);
        }
    }
    for (std::size_t c = 0; c < set.dim; ++c) {
        QVERIFY(close(summary.mean[c], mean[c]));
        QVERIFY(close(summary.meanDirection[c], direction[c]));
    }
}

void CentreTest::meansAreThoseOfTheSummary() {
    const Matrix set = sample(300, 21);
    QVERIFY(columnMeans(set.view(), 2) == summarizeRows(set.view(), 3, {}).mean);
}

void CentreTest::bothDistancesAreThoseOfEach() {
    const Matrix set = sample(300, 21);
    const std::vector<double> mean = columnMeans(set.view());
    const std::vector<double> other(set.dim, 1.0);
    const TwoDistances both = distancesToTwo(mean, other, set.view(), 2, {});
    QVERIFY(both.first == distancesTo(mean, set.view(), 1, {}));
    QVERIFY(both.second == distancesTo(other, set.view(), 1, {}));
    QVERIFY(both.first != both.second);
}

void CentreTest::threadsDoNotChangeTheValues() {
    const Matrix set = sample(500, 19);
    const RowSummary one = summarizeRows(set.view(), 1, {});
    const RowSummary six = summarizeRows(set.view(), 6, {});
    QVERIFY(one.mean == six.mean);
    QVERIFY(one.inverseLength == six.inverseLength);
    QVERIFY(one.meanDirection == six.meanDirection);
}

void CentreTest::stops() {
    std::stop_source stop;
    stop.request_stop();
    const Matrix set = sample(50, 4);
    QVERIFY_EXCEPTION_THROWN(summarizeRows(set.view(), 2, JobContext(stop.get_token())), Cancelled);
}

ASSAY_TEST(centre_test, CentreTest)
#include "centre_test.moc"
