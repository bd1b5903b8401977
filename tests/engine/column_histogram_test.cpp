// The samples of a column in bars, against counting them one by one.
#include "engine/subsets/rules/column_histogram.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace assay;

namespace {

constexpr std::uint32_t kSeed = 7;
constexpr std::size_t kRows = 500;

std::vector<double> someValues() {
    std::mt19937 random(kSeed);
    std::lognormal_distribution<double> spread;
    std::vector<double> values(kRows);
    std::ranges::generate(values, [&] { return spread(random); });
    values[3] = std::numeric_limits<double>::quiet_NaN();
    return values;
}

ColumnHistogram histogramOf(const std::vector<double>& values, bool logarithmic = false) {
    ColumnHistogram histogram;
    histogram.choose(values, syntheticSet(0), Unit::Distance, 5, logarithmic);
    histogram.count(values, {});
    return histogram;
}

} // namespace

class ColumnHistogramTest : public QObject {
    Q_OBJECT

private slots:
    void everyValueIsInItsBar_data();
    void everyValueIsInItsBar();
    void cumulativeBarsAddUp();
    void filtersAndRulesAreKept();
    void goodSamplesAreScaled();
};

void ColumnHistogramTest::everyValueIsInItsBar_data() {
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("linear") << false;
    QTest::newRow("logarithmic") << true;
}

void ColumnHistogramTest::everyValueIsInItsBar() {
    QFETCH(bool, logarithmic);
    const std::vector<double> values = someValues();
    const ColumnHistogram histogram = histogramOf(values, logarithmic);
    QVERIFY(histogram.canBeLogarithmic() && histogram.bins().logarithmic == logarithmic);
    QCOMPARE(histogram.total(), kRows);
    QCOMPARE(histogram.missing(), std::size_t{1});
    for (std::size_t bin = 0; bin < histogram.bins().count(); ++bin) {
        const auto isIn = [&](double value) { return histogram.bins().binOf(value) == bin; };
        QCOMPARE(histogram.countIn(bin), static_cast<std::size_t>(std::ranges::count_if(values, isIn)));
        const SampleSet samples = histogram.samplesIn(bin, bin);
        QCOMPARE(samples.size(), histogram.countIn(bin));
        QVERIFY(std::ranges::all_of(samples, [&](SampleId sample) { return isIn(values[sample.row]); }));
    }
}

void ColumnHistogramTest::cumulativeBarsAddUp() {
    const std::vector<double> values = someValues();
    ColumnHistogram histogram = histogramOf(values);
    const ColumnHistogram single = histogram;
    histogram.count(values, {.isCumulative = true});
    histogram.countSelected(histogram.samplesIn(0, 1));
    std::size_t sum = 0;
    for (std::size_t bin = 0; bin < histogram.bins().count(); ++bin) {
        sum += single.countIn(bin);
        QCOMPARE(histogram.countIn(bin), sum);
        QCOMPARE(histogram.selectedIn(bin), std::min(sum, histogram.countIn(1)));
    }
    QCOMPARE(sum, kRows - 1);
}

void ColumnHistogramTest::filtersAndRulesAreKept() {
    const std::vector<double> values = someValues();
    ColumnHistogram histogram = histogramOf(values);
    const SampleSet shown = SampleSet::where(syntheticSet(0), kRows, [](std::size_t row) { return row % 2 == 0; });
    std::vector<bool> kept(kRows, true);
    std::fill_n(kept.begin(), 100, false);
    histogram.count(values, {.shown = &shown, .kept = &kept});
    QCOMPARE(histogram.total(), kRows / 2);
    QCOMPARE(histogram.missing(), std::size_t{0}); // row 3 is hidden
    std::size_t counted = 0;
    std::size_t rejected = 0;
    for (std::size_t bin = 0; bin < histogram.bins().count(); ++bin) {
        counted += histogram.countIn(bin);
        rejected += histogram.rejectedIn(bin);
    }
    QCOMPARE(counted, kRows / 2);
    QCOMPARE(rejected, std::size_t{50});
}

void ColumnHistogramTest::goodSamplesAreScaled() {
    const std::vector<double> values = someValues();
    ColumnHistogram histogram = histogramOf(values);
    QVERIFY(histogram.good().empty());
    histogram.countGood(std::span(values).first(100));
    const double sum = std::accumulate(histogram.good().begin(), histogram.good().end(), 0.0);
    QVERIFY(std::abs(sum - 5.0 * 99.0) < 1e-9); // 500 for 100, of which one has no value
    histogram.countGood({});
    QVERIFY(histogram.good().empty());
}

ASSAY_TEST(column_histogram_test, ColumnHistogramTest)
#include "column_histogram_test.moc"
