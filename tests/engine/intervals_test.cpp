#include "engine/audit/result/compare.h"
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/resampling/averages.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <cmath>

using namespace assay;
using test::Matrix;

namespace {

using Set = std::shared_ptr<const EmbeddingSet>;

AuditOptions optionsWith(std::size_t k, std::uint64_t seed = 0, unsigned threads = 1) {
    AuditOptions options;
    options.k = k;
    options.seed = seed;
    options.threads = threads;
    return options;
}

std::shared_ptr<const ModelAudit> audited(const Matrix& real, const Matrix& synthetic, const AuditOptions& options) {
    return runAudit({test::asSet(real, "real"), {{"s", test::asSet(synthetic, "s")}}, options, {}})->models[0];
}

/// Good samples, and bad ones far out.
Matrix mixed(std::size_t good, std::size_t bad, std::size_t dim, unsigned seed) {
    return test::joined(test::gaussian(good, dim, seed), test::gaussian(bad, dim, seed + 1, 0.0F, 10.0F));
}

std::string textOf(std::string_view id, const MetricInterval& interval, double value) {
    return std::string(id) + ": " + std::to_string(value) + " in [" + std::to_string(interval.low) + ", " +
           std::to_string(interval.high) + "]";
}

} // namespace

class IntervalsTest : public QObject {
    Q_OBJECT

private slots:
    void everyAverageHasAnIntervalAroundItsValue();
    void sharesHaveTheWidthOfABinomial();
    void resamplesRepeatTheMetric();
    void seedDecidesAndThreadsDoNot();
    void holdTheLongRunMean_data();
    void holdTheLongRunMean();
    void hardCasesGiveIntervals_data();
    void hardCasesGiveIntervals();
    void undefinedMetricsHaveNoBounds();
    void comparingASetWithItselfFindsNothing();
    void comparingTellsApartWhatDiffers();
    void comparingTheOtherWayRoundTurnsTheSign();
    void theSharedRealSetCancels();
};

void IntervalsTest::everyAverageHasAnIntervalAroundItsValue() {
    const auto model = audited(test::gaussian(400, 6, 1), mixed(250, 50, 6, 2), optionsWith(5));
    std::size_t averages = 0;
    for (const Metric& metric : metricCatalog()) {
        const MetricInterval* interval = model->interval(metric.id);
        if (metric.id == "frechet_infinity") { // its own, from disjoint subsets
            QVERIFY(interval != nullptr && interval->low < interval->high);
            continue;
        }
        if (metric.average == nullptr || !model->hasMetric(metric.id)) {
            QVERIFY2(interval == nullptr, metric.id.data());
            continue;
        }
        ++averages;
        QVERIFY2(interval != nullptr, metric.id.data());
        const double value = model->metric(metric.id);
        QVERIFY2(interval->low <= value && value <= interval->high, textOf(metric.id, *interval, value).c_str());
        // Every real sample is as good as certain to be in the synthetic support: p_recall does not vary. Nor does a
        // share of verdicts that no sample has.
        const bool none = metric.needs == needs::kVerdicts || metric.needs == needs::kMissed;
        QVERIFY2(interval->low < interval->high || (metric.id == "p_recall" && value > 0.999999) ||
                     (none && value == 0.0),
                 textOf(metric.id, *interval, value).c_str());
    }
    QVERIFY(averages >= 26);
    QVERIFY(model->interval("degenerate_neighbors") == nullptr);
    QVERIFY(model->interval("clipped_density")->high <= 1.0);
}

void IntervalsTest::sharesHaveTheWidthOfABinomial() {
    const auto model = audited(test::gaussian(500, 4, 1), mixed(600, 400, 4, 2), optionsWith(5));
    {
        const char* id = "rarity_outside"; // a share that is bootstrapped
        const double share = model->metric(id);
        const double expected = 2.0 * 1.96 * std::sqrt(share * (1.0 - share) / 1000.0);
        const MetricInterval& interval = *model->interval(id);
        QVERIFY2(std::abs((interval.high - interval.low) / expected - 1.0) < 0.1, textOf(id, interval, share).c_str());
    }
}

void IntervalsTest::resamplesRepeatTheMetric() {
    // The mean of the resamples is the metric, within 5 standard errors.
    const auto model = audited(test::gaussian(300, 5, 1), mixed(250, 50, 5, 2), optionsWith(5));
    for (const MetricResamples& metric : model->resamples) {
        if (metric.values.empty())
            continue;
        double sum = 0.0;
        double squares = 0.0;
        for (const double value : metric.values) {
            sum += value;
            squares += value * value;
        }
        const double mean = sum / static_cast<double>(kResamples);
        const double deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(kResamples) - mean * mean));
        QVERIFY2(std::abs(mean - model->metric(metric.id)) <=
                     5.0 * deviation / std::sqrt(static_cast<double>(kResamples)),
                 metric.id.data());
    }
}

void IntervalsTest::seedDecidesAndThreadsDoNot() {
    const Matrix real = test::gaussian(200, 5, 1);
    const Matrix synthetic = mixed(120, 30, 5, 2);
    const auto one = audited(real, synthetic, optionsWith(5, 1, 1));
    const auto four = audited(real, synthetic, optionsWith(5, 1, 4));
    const auto other = audited(real, synthetic, optionsWith(5, 2, 1));
    for (std::size_t m = 0; m < one->intervals.size(); ++m) {
        QCOMPARE(four->intervals[m].low, one->intervals[m].low);
        QCOMPARE(four->intervals[m].high, one->intervals[m].high);
    }
    for (const char* id : {"clipped_density", "pce", "rce", "clipped_coverage"})
        QVERIFY2(other->interval(id)->low != one->interval(id)->low, id);
}

void IntervalsTest::holdTheLongRunMean_data() {
    QTest::addColumn<double>("badShare");
    QTest::addColumn<int>("dim");
    QTest::newRow("ideal") << 0.0 << 4;
    QTest::newRow("30 % bad") << 0.3 << 8;
}

void IntervalsTest::holdTheLongRunMean() {
    if (test::takesSmallSizes())
        QSKIP("shares need hundreds of audits");
    QFETCH(double, badShare);
    QFETCH(int, dim);
    constexpr std::size_t kAudits = 400;
    constexpr std::size_t kRows = 120;
    const auto bad = static_cast<std::size_t>(badShare * static_cast<double>(kRows));
    std::vector<std::shared_ptr<const ModelAudit>> models(kAudits);
    parallelFor(kAudits, 0, {}, [&](std::size_t a, unsigned) {
        const auto seed = static_cast<unsigned>(3 * a + 1);
        const Matrix synthetic = bad > 0 ? mixed(kRows - bad, bad, static_cast<std::size_t>(dim), seed + 1)
                                         : test::gaussian(kRows, static_cast<std::size_t>(dim), seed + 1);
        models[a] = audited(test::gaussian(kRows, static_cast<std::size_t>(dim), seed), synthetic, optionsWith(5, a));
    });
    for (const char* id : {"clipped_density", "clipped_density_unclipped"}) {
        double mean = 0.0;
        for (const auto& model : models)
            mean += model->metric(id) / static_cast<double>(kAudits);
        std::size_t held = 0;
        for (const auto& model : models)
            held += model->interval(id)->low <= mean && mean <= model->interval(id)->high ? 1 : 0;
        const double share = static_cast<double>(held) / static_cast<double>(kAudits);
        // At least 95 %, give or take 2.5 standard errors of 400 audits.
        QVERIFY2(share >= 0.922, (std::string(id) + ": " + std::to_string(share)).c_str());
    }
}

void IntervalsTest::hardCasesGiveIntervals_data() {
    QTest::addColumn<int>("realRows");
    QTest::addColumn<int>("syntheticRows");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("levels");
    QTest::newRow("as few rows as can be") << 6 << 6 << 5 << 0;
    QTest::newRow("lists too short for halves") << 200 << 150 << 20 << 0;
    QTest::newRow("lists of everything") << 30 << 25 << 5 << 0;
    QTest::newRow("odd numbers") << 101 << 77 << 3 << 0;
    QTest::newRow("k = 1") << 60 << 50 << 1 << 0;
    QTest::newRow("many ties") << 200 << 150 << 5 << 2;
}

void IntervalsTest::hardCasesGiveIntervals() {
    QFETCH(int, realRows);
    QFETCH(int, syntheticRows);
    QFETCH(int, k);
    QFETCH(int, levels);
    const auto rows = [&](int count, unsigned seed) {
        const auto size = static_cast<std::size_t>(count);
        return levels > 0 ? test::grid(size, 4, seed, static_cast<unsigned>(levels)) : test::gaussian(size, 4, seed);
    };
    const auto model = audited(rows(realRows, 1), rows(syntheticRows, 2), optionsWith(static_cast<std::size_t>(k)));
    for (const MetricInterval& interval : model->intervals)
        if (std::isfinite(model->metric(interval.id)))
            QVERIFY2(interval.low <= interval.high, textOf(interval.id, interval, model->metric(interval.id)).c_str());
    QVERIFY(model->interval("clipped_density")->low >= 0.0);
}

void IntervalsTest::undefinedMetricsHaveNoBounds() {
    const Matrix same{std::vector<float>(30, 1.0F), 30, 1};
    const auto model = audited(same, same, optionsWith(3));
    QVERIFY(std::isnan(model->interval("pce")->low));
    QVERIFY(std::isnan(model->interval("pce")->high));
}

namespace {

std::shared_ptr<const AuditResult> auditedTogether(const Matrix& real, const Matrix& a, const Matrix& b) {
    return runAudit({test::asSet(real, "real"), {{"a", test::asSet(a, "a")}, {"b", test::asSet(b, "b")}}, {}, {}});
}

const MetricDifference& of(const std::vector<MetricDifference>& all, std::string_view id) {
    return *std::find_if(all.begin(), all.end(), [id](const MetricDifference& d) { return d.id == id; });
}

std::shared_ptr<const EmbeddingSet> hashed(const Matrix& matrix, const char* sha256) {
    EmbeddingParts parts;
    parts.values = matrix.values;
    parts.rows = matrix.rows;
    parts.dim = matrix.dim;
    parts.source.sha256 = sha256;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

void IntervalsTest::comparingASetWithItselfFindsNothing() {
    const Matrix synthetic = mixed(80, 20, 4, 2);
    const auto audit = runAudit({test::asSet(test::gaussian(100, 4, 1), "real"),
                                 {{"a", hashed(synthetic, "same")}, {"b", hashed(synthetic, "same")}},
                                 {},
                                 {}});
    const auto comparisons = compareAll(*audit);
    QCOMPARE(comparisons.size(), std::size_t{1});
    QVERIFY(comparisons[0].metrics.size() >= 20);
    for (const MetricDifference& metric : comparisons[0].metrics) {
        QCOMPARE(metric.difference, 0.0);
        QCOMPARE(metric.low, 0.0);
        QCOMPARE(metric.high, 0.0);
        QVERIFY(!metric.excludesZero());
    }
}

void IntervalsTest::comparingTellsApartWhatDiffers() {
    const auto audit = auditedTogether(test::gaussian(400, 4, 1), test::gaussian(400, 4, 2), mixed(200, 200, 4, 3));
    const auto differences = compareAll(*audit)[0].metrics;
    for (const char* id : {"clipped_density", "clipped_coverage", "precision", "pce"}) {
        const MetricDifference& metric = of(differences, id);
        QVERIFY2(metric.excludesZero(), id);
        QVERIFY2(metric.low <= metric.difference && metric.difference <= metric.high, id);
    }
    QCOMPARE(of(differences, "precision").difference,
             audit->models[0]->metric("precision") - audit->models[1]->metric("precision"));
    // Of two samples of the same distribution few metrics may seem to differ.
    const auto alike = auditedTogether(test::gaussian(400, 4, 1), test::gaussian(400, 4, 2), test::gaussian(400, 4, 4));
    QVERIFY(!of(compareAll(*alike)[0].metrics, "clipped_density").excludesZero());
}

void IntervalsTest::comparingTheOtherWayRoundTurnsTheSign() {
    const auto audit = auditedTogether(test::gaussian(200, 4, 1), test::gaussian(200, 4, 2), mixed(100, 50, 4, 3));
    const auto there = compareModels(*audit->models[0], *audit->models[1]);
    const auto back = compareModels(*audit->models[1], *audit->models[0]);
    QCOMPARE(back.size(), there.size());
    for (std::size_t m = 0; m < there.size(); ++m) {
        QCOMPARE(back[m].difference, -there[m].difference);
        QVERIFY(std::abs(back[m].low + there[m].high) < 1e-12);
    }
}

void IntervalsTest::theSharedRealSetCancels() {
    // Two models made of the same samples but a few: what the real set's sampling does to one it does to the other.
    const Matrix base = test::gaussian(600, 4, 2);
    const auto audit = auditedTogether(test::gaussian(100, 4, 1), test::joined(base, test::gaussian(10, 4, 3)),
                                       test::joined(base, test::gaussian(10, 4, 4)));
    const auto width = [](double low, double high) { return high - low; };
    const MetricDifference difference =
        of(compareModels(*audit->models[0], *audit->models[1]), "clipped_density_unclipped");
    const MetricInterval& a = *audit->models[0]->interval("clipped_density_unclipped");
    const MetricInterval& b = *audit->models[1]->interval("clipped_density_unclipped");
    QVERIFY(width(difference.low, difference.high) < 0.8 * std::hypot(width(a.low, a.high), width(b.low, b.high)));
}

ASSAY_TEST(intervals_test, IntervalsTest)
#include "intervals_test.moc"
