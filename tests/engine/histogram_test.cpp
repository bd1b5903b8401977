#include "engine/math/statistics/histogram.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace assay;

class HistogramTest : public QObject {
    Q_OBJECT

private slots:
    void givesEveryStepOfAShareItsBin();
    void bracketsContinuousValues();
    void countsGetBinsOfTheirOwn();
    void logarithmicBinsHoldEveryValue();
    void survivesOddColumns();
};

void HistogramTest::givesEveryStepOfAShareItsBin() {
    std::vector<double> values;
    for (int j = 0; j <= 5; ++j)
        values.insert(values.end(), static_cast<std::size_t>(j + 1), j / 5.0);
    const HistogramBins bins = chooseBins(values, Unit::Share, 5);
    QVERIFY(bins.discrete());
    QCOMPARE(countPerBin(bins, values), (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
    QCOMPARE(bins.values.back(), 1.0);
    values.push_back(0.33);
    QVERIFY(!chooseBins(values, Unit::Share, 5).discrete());
}

void HistogramTest::logarithmicBinsHoldEveryValue() {
    std::mt19937_64 random(12);
    std::lognormal_distribution<double> wide(0.0, 3.0);
    std::vector<double> values(10000);
    for (double& v : values)
        v = wide(random);
    const HistogramBins bins = chooseLogarithmicBins(values);
    QVERIFY(bins.logarithmic && bins.count() >= 8 && bins.count() <= 60);
    const std::vector<std::size_t> counts = countPerBin(bins, values);
    std::size_t all = 0;
    for (std::size_t bin = 0; bin < bins.count(); ++bin) {
        const bool last = bin + 1 == bins.count();
        const auto naive = std::ranges::count_if(values, [&](double v) {
            return v >= bins.edges[bin] && (v < bins.edges[bin + 1] || (last && v == bins.edges[bin + 1]));
        });
        QCOMPARE(counts[bin], static_cast<std::size_t>(naive));
        all += counts[bin];
        const double ratio = bins.edges[bin + 1] / bins.edges[bin];
        QVERIFY(std::abs(ratio / (bins.edges[1] / bins.edges[0]) - 1.0) < 1e-6);
    }
    QCOMPARE(all, values.size());
    values[17] = std::nan("");
    QCOMPARE(chooseLogarithmicBins(values).count(), bins.count());
    values[18] = 0.0; // has no logarithm
    QCOMPARE(chooseLogarithmicBins(values).count(), 0U);
    QCOMPARE(chooseLogarithmicBins(std::vector<double>(5, 2.0)).count(), 0U);
    QCOMPARE(chooseLogarithmicBins({}).count(), 0U);
}

void HistogramTest::bracketsContinuousValues() {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<double> values(10000);
    for (double& v : values)
        v = normal(random);
    values[17] = std::nan("");
    const HistogramBins bins = chooseBins(values, Unit::Nats, 5, 60);
    QVERIFY(!bins.discrete());
    QVERIFY(bins.count() >= 20 && bins.count() <= 60);
    const auto counts = countPerBin(bins, values);
    std::size_t sum = 0;
    for (std::size_t count : counts)
        sum += count;
    QCOMPARE(sum, 9999U); // both ends are inside, NaN is not
    QVERIFY(!bins.binOf(std::nan("")));
    QVERIFY(!bins.binOf(1e9));
}

void HistogramTest::countsGetBinsOfTheirOwn() {
    const std::vector<double> few{3, 3, 5, 7};
    const HistogramBins bins = chooseBins(few, Unit::Count, 5);
    QCOMPARE(bins.values, (std::vector<double>{3, 4, 5, 6, 7}));
    QCOMPARE(countPerBin(bins, few), (std::vector<std::size_t>{2, 0, 1, 0, 1}));
    const std::vector<double> wide{0, 100000};
    QVERIFY(!chooseBins(wide, Unit::Count, 5).discrete());
    const std::vector<double> answers{1, 1, 0};
    QCOMPARE(countPerBin(chooseBins(answers, Unit::YesNo, 5), answers), (std::vector<std::size_t>{1, 2}));
}

void HistogramTest::survivesOddColumns() {
    QCOMPARE(chooseBins({}, Unit::Nats, 5).count(), 0U);
    const std::vector<double> nothing{std::nan(""), std::nan("")};
    QCOMPARE(chooseBins(nothing, Unit::Nats, 5).count(), 0U);
    const std::vector<double> same(50, 2.5);
    const HistogramBins bins = chooseBins(same, Unit::Nats, 5);
    QCOMPARE(countPerBin(bins, same), (std::vector<std::size_t>{50}));
    const std::vector<double> spike = [] {
        std::vector<double> v(100, 1.0);
        v.push_back(1000.0);
        return v;
    }();
    QVERIFY(chooseBins(spike, Unit::Nats, 5).count() <= 60U);
}

ASSAY_TEST(histogram_test, HistogramTest)
#include "histogram_test.moc"
