#include "engine/math/statistics/quantile.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace assay;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Some with ties, in no order.
std::vector<double> drawn(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> values(count);
    std::generate(values.begin(), values.end(), [&] { return static_cast<double>(random() % 50) / 7.0; });
    return values;
}

std::vector<double> sorted(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values;
}

double quantileOf(std::vector<double> values, double share, QuantileRule rule = QuantileRule::Linear) {
    return quantile(std::span(values), share, rule);
}

} // namespace

class QuantileTest : public QObject {
    Q_OBJECT

private slots:
    void matchesSortedValues_data();
    void matchesSortedValues();
    void roundsAsNumPyDoes();
    void infiniteValuesHaveQuantiles();
    void medianIsTheMiddleOrTheMeanOfTwo();
};

void QuantileTest::matchesSortedValues_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 3, 4, 10, 11, 1000})
        QTest::addRow("%d values", count) << count;
}

void QuantileTest::matchesSortedValues() {
    QFETCH(int, count);
    const std::vector<double> values = drawn(static_cast<std::size_t>(count), 1);
    const std::vector<double> ascending = sorted(values);
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
        std::vector<double> reordered = values;
        QCOMPARE(orderStatistic(std::span(reordered), rank), ascending[rank]);
        QVERIFY(sorted(reordered) == ascending);
    }
    for (const double share : {0.0, 0.01, 0.25, 0.5, 0.6, 0.975, 1.0}) {
        const double place = share * (count - 1);
        const auto below = static_cast<std::size_t>(place);
        const double low = ascending[below];
        const double high = ascending[std::min(below + 1, ascending.size() - 1)];
        const double part = place - static_cast<double>(below);
        QVERIFY(std::abs(quantileOf(values, share) - (low * (1.0 - part) + high * part)) < 1e-14);
        QCOMPARE(quantileOf(values, share, QuantileRule::Lower), low);
        QCOMPARE(quantileOf(values, share, QuantileRule::Nearest), part < 0.5 ? low : high);
    }
}

void QuantileTest::roundsAsNumPyDoes() {
    // numpy.quantile, 1.26: the difference is taken in the values' own precision, from the nearer end.
    std::vector<float> floats{0.1F, 0.7F, 0.3F};
    QCOMPARE(static_cast<float>(quantile(std::span(floats), 0.25)), 0.2F);
    QCOMPARE(interpolated(0.5F, 16777216.0F, 0.75), 16777216.0 - 16777216.0 * 0.25);
    QCOMPARE(interpolated(0.1, 0.3, 0.75), 0.3 - (0.3 - 0.1) * 0.25);
    QCOMPARE(interpolated(0.1, 0.3, 0.25), 0.1 + (0.3 - 0.1) * 0.25);
}

void QuantileTest::infiniteValuesHaveQuantiles() {
    QCOMPARE(quantileOf({kInfinity, 1.0, kInfinity}, 0.75), kInfinity);
    QCOMPARE(quantileOf({kInfinity, 1.0, 2.0}, 0.75), kInfinity);
    QCOMPARE(quantileOf({kInfinity, 1.0, 2.0}, 0.9), kInfinity);
    QCOMPARE(quantileOf({-kInfinity, 1.0, 2.0}, 0.4), -kInfinity);
    QCOMPARE(quantileOf({-kInfinity, 1.0, 2.0}, 0.5), 1.0);
}

void QuantileTest::medianIsTheMiddleOrTheMeanOfTwo() {
    QCOMPARE(median({3.0}), 3.0);
    QCOMPARE(median({3.0, 1.0}), 2.0);
    QCOMPARE(median({kInfinity, 1.0, -kInfinity}), 1.0);
    for (const std::size_t count : {7U, 8U, 1000U, 1001U}) {
        const std::vector<double> values = drawn(count, 2);
        const std::vector<double> ascending = sorted(values);
        QCOMPARE(median(values), (ascending[(count - 1) / 2] + ascending[count / 2]) / 2.0);
    }
}

ASSAY_TEST(quantile_test, QuantileTest)
#include "quantile_test.moc"
