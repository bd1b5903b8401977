#include "engine/base/error.h"
#include "engine/math/statistics/bootstrap.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

using namespace assay;

namespace {

using Columns = std::vector<std::vector<double>>;

std::vector<double> normals(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(3.0, 2.0);
    std::vector<double> values(count);
    for (double& value : values)
        value = normal(random);
    return values;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double varianceOf(const std::vector<double>& values) {
    const double mean = meanOf(values);
    double sum = 0.0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum / static_cast<double>(values.size());
}

} // namespace

class BootstrapTest : public QObject {
    Q_OBJECT

private slots:
    void resamplesScatterAsTheMeanDoes_data();
    void resamplesScatterAsTheMeanDoes();
    void everyResampleIsTheMeanOfDrawnRows();
    void oneDrawServesAllColumns();
    void threadsDoNotMatterAndSeedsDo();
    void theSameSeedDrawsTheSameRowsOfAnotherSet();
    void nothingGivesNoNumber();
    void stopsWhenAsked();
    void percentilesInterpolate_data();
    void percentilesInterpolate();
    void streamsDiffer();
};

void BootstrapTest::resamplesScatterAsTheMeanDoes_data() {
    QTest::addColumn<int>("rows");
    for (const int rows : {50, 51, 513, 4000})
        QTest::addRow("%d rows", rows) << rows;
}

void BootstrapTest::resamplesScatterAsTheMeanDoes() {
    QFETCH(int, rows);
    const std::vector<double> column = normals(static_cast<std::size_t>(rows), 5);
    const std::vector<double> means = resampledMeans(Columns{column}, {4000, 7, 0});
    const double deviation = std::sqrt(varianceOf(column) / rows);
    QVERIFY(std::abs(meanOf(means) - meanOf(column)) < 4.0 * deviation / std::sqrt(4000.0));
    QVERIFY(std::abs(std::sqrt(varianceOf(means)) / deviation - 1.0) < 0.05);
}

void BootstrapTest::everyResampleIsTheMeanOfDrawnRows() {
    // Powers of a base above the number of rows tell how often each was drawn.
    const std::vector<double> column{1.0, 8.0, 64.0, 512.0, 4096.0};
    for (const double mean : resampledMeans(Columns{column}, {200, 1, 0})) {
        auto sum = static_cast<std::uint64_t>(std::llround(mean * 5.0));
        std::uint64_t drawn = 0;
        for (; sum > 0; sum /= 8)
            drawn += sum % 8;
        QCOMPARE(drawn, std::uint64_t{5});
    }
}

void BootstrapTest::oneDrawServesAllColumns() {
    const std::vector<double> column = normals(300, 1);
    std::vector<double> twice = column;
    for (double& value : twice)
        value *= 2.0;
    const std::vector<double> means = resampledMeans(Columns{column, twice}, {100, 3, 0});
    for (std::size_t b = 0; b < 100; ++b)
        QCOMPARE(means[2 * b + 1], 2.0 * means[2 * b]);
}

void BootstrapTest::threadsDoNotMatterAndSeedsDo() {
    const Columns columns{normals(1000, 1), normals(1000, 2)};
    const std::vector<double> one = resampledMeans(columns, {333, 3, 1});
    QCOMPARE(resampledMeans(columns, {333, 3, 4}), one);
    QVERIFY(resampledMeans(columns, {333, 4, 1}) != one);
    QCOMPARE(std::set<double>(one.begin(), one.end()).size(), one.size());
}

void BootstrapTest::theSameSeedDrawsTheSameRowsOfAnotherSet() {
    const std::vector<double> column = normals(400, 1);
    std::vector<double> other = column;
    for (double& value : other)
        value += 1.0;
    const std::vector<double> a = resampledMeans(Columns{column}, {50, 9, 0});
    const std::vector<double> b = resampledMeans(Columns{other}, {50, 9, 0});
    for (std::size_t i = 0; i < a.size(); ++i)
        QVERIFY(std::abs(b[i] - a[i] - 1.0) < 1e-12);
}

void BootstrapTest::nothingGivesNoNumber() {
    QVERIFY(resampledMeans({}, {10, 0, 0}).empty());
    for (const double mean : resampledMeans(Columns{{}}, {10, 0, 0}))
        QVERIFY(std::isnan(mean));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> means = resampledMeans(Columns{std::vector(64, nan), std::vector(64, 2.0)}, {10, 0, 0});
    QVERIFY(std::isnan(means[0]));
    QCOMPARE(means[1], 2.0);
    QVERIFY(std::isnan(percentileBounds({}).low));
    QVERIFY(std::isnan(percentileBounds({1.0, nan}).high));
}

void BootstrapTest::stopsWhenAsked() {
    std::stop_source stop;
    stop.request_stop();
    const Columns columns{normals(1000, 1)};
    QVERIFY_EXCEPTION_THROWN(resampledMeans(columns, {}, JobContext(stop.get_token())), Cancelled);
}

void BootstrapTest::percentilesInterpolate_data() {
    QTest::addColumn<QList<double>>("values");
    QTest::addColumn<double>("level");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("one") << QList{4.0} << 0.95 << 4.0 << 4.0;
    QTest::newRow("on values") << QList{5.0, 1.0, 3.0, 2.0, 4.0} << 0.5 << 2.0 << 4.0;
    QTest::newRow("between") << QList{0.0, 10.0} << 0.9 << 0.5 << 9.5;
    QTest::newRow("all") << QList{3.0, 1.0, 2.0} << 1.0 << 1.0 << 3.0;
}

void BootstrapTest::percentilesInterpolate() {
    QFETCH(QList<double>, values);
    QFETCH(double, level);
    QFETCH(double, low);
    QFETCH(double, high);
    const Bounds bounds = percentileBounds({values.begin(), values.end()}, level);
    QVERIFY(std::abs(bounds.low - low) < 1e-12);
    QVERIFY(std::abs(bounds.high - high) < 1e-12);
}

void BootstrapTest::streamsDiffer() {
    QCOMPARE(streamSeed(1, "real"), streamSeed(1, "real"));
    QVERIFY(streamSeed(1, "real") != streamSeed(2, "real"));
    QVERIFY(streamSeed(1, "real") != streamSeed(1, "synthetic"));
}

ASSAY_TEST(bootstrap_test, BootstrapTest)
#include "bootstrap_test.moc"
