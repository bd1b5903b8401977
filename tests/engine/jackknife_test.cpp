// Replicates of the jackknife, against audits of the sets without the rows of a group.
#include "engine/audit/result/compare.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/resampling/jackknife.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace assay;
using test::Matrix;

namespace {

using Audit = std::shared_ptr<const AuditResult>;

Audit audited(const Matrix& real, const Matrix& synthetic, const AuditOptions& options) {
    return runAudit({test::asSet(real, "real"), {{"s", test::asSet(synthetic, "s")}}, options, {}});
}

AuditOptions tablesOf(std::size_t k, std::size_t stored) {
    AuditOptions options;
    options.k = k;
    options.storedNeighbors = stored;
    options.tablesOnly = true;
    return options;
}

MetricInputs inputsOf(const AuditResult& audit) {
    MetricInputs in{*audit.real, *audit.models[0]->tables, audit.k};
    in.seed = 7;
    return in;
}

RowGroups realGroups(const MetricInputs& in) {
    return groupRows(std::array{&in.real.neighbors}, in.seed);
}

RowGroups syntheticGroups(const MetricInputs& in) {
    return groupRows(std::array{&in.pair.syntheticToSynthetic, &in.pair.synthetic.nearest}, in.seed);
}

std::vector<const Metric*> metricsOf(const ModelAudit& model) {
    std::vector<const Metric*> metrics;
    for (const Metric& metric : metricCatalog())
        if (metric.average != nullptr && isFromTables(metric) && model.hasMetric(metric.id))
            metrics.push_back(&metric);
    return metrics;
}

Matrix without(const Matrix& matrix, const RowGroups& groups, std::uint32_t group) {
    Matrix kept{{}, 0, matrix.dim};
    for (std::size_t row = 0; row < matrix.rows; ++row)
        if (groups.group[row] != group) {
            const auto first = matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.dim);
            kept.values.insert(kept.values.end(), first, first + static_cast<std::ptrdiff_t>(matrix.dim));
            ++kept.rows;
        }
    return kept;
}

Matrix inOrder(const Matrix& matrix, const std::vector<std::uint32_t>& order) {
    Matrix shuffled{{}, matrix.rows, matrix.dim};
    for (const std::uint32_t row : order) {
        const auto first = matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.dim);
        shuffled.values.insert(shuffled.values.end(), first, first + static_cast<std::ptrdiff_t>(matrix.dim));
    }
    return shuffled;
}

bool areClose(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

struct Case {
    const char* name;
    std::size_t real, synthetic, dim, k, stored;
    bool fullCatalog = false; ///< with the metrics that need longer lists
    float width = 1.0F;       ///< of the synthetic samples
    double cut = 0.0;         ///< relative error of densities where balls hold more than is listed
};

constexpr Case kCases[]{
    {"lists of everything", 60, 50, 3, 5, 60, true},
    {"usual", 250, 260, 4, 5, 32},
    {"k = 1", 200, 150, 4, 1, 32},
    {"many synthetic samples", 100, 900, 2, 5, 32, false, 1.0F, 0.1},
    {"many real samples", 900, 100, 2, 5, 32},
    {"fewer rows than groups", 24, 20, 2, 3, 32},
    {"narrow", 200, 200, 16, 5, 32, false, 0.1F, 0.1},
};

} // namespace

class JackknifeTest : public QObject {
    Q_OBJECT

private slots:
    void equalsAuditsWithoutTheRows_data();
    void equalsAuditsWithoutTheRows();
    void threadsDoNotMatter();
    void orderOfRowsDoesNotMatter();
    void keepsEqualRowsAndUnitsTogether();
    void groupsHaveEqualSizes();
    void servesWhereListsSuffice();
    void sameSetTwiceDoesNotDiffer();
    void boundsOfFullBallsAreExact();
    void stopsWhenAsked();
};

void JackknifeTest::equalsAuditsWithoutTheRows_data() {
    QTest::addColumn<int>("which");
    for (std::size_t c = 0; c < std::size(kCases); ++c)
        QTest::newRow(kCases[c].name) << static_cast<int>(c);
}

void JackknifeTest::equalsAuditsWithoutTheRows() {
    QFETCH(int, which);
    const Case& given = kCases[which];
    const Matrix real = test::gaussian(given.real, given.dim, 1);
    const Matrix synthetic = test::gaussian(given.synthetic, given.dim, 2, 0.1F, given.width);
    AuditOptions options = tablesOf(given.k, given.stored);
    options.tablesOnly = !given.fullCatalog;
    const Audit audit = audited(real, synthetic, options);
    MetricInputs in = inputsOf(*audit);
    const std::vector<const Metric*> metrics = metricsOf(*audit->models[0]);
    QVERIFY(metrics.size() >= (given.fullCatalog ? 22U : 20U));
    const RowGroups ofReal = realGroups(in);
    const RowGroups ofSynthetic = syntheticGroups(in);
    const std::vector<Replicates> found = jackknife(in, metrics, ofReal, ofSynthetic);
    options.storedNeighbors = std::max(given.real, given.synthetic);
    const auto compare = [&](const std::vector<double> Replicates::*side, std::uint32_t group, const Audit& expected) {
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            const double value = (found[m].*side)[group];
            const double wanted = expected->models[0]->metric(metrics[m]->id);
            const bool isCounted =
                metrics[m]->id.starts_with("density") || metrics[m]->id.starts_with("over_occurring");
            QVERIFY2(
                areClose(value, wanted) || (isCounted && std::abs(value / wanted - 1.0) <= given.cut),
                (std::string(metrics[m]->id) + ": " + std::to_string(value) + ", " + std::to_string(wanted)).c_str());
        }
    };
    for (std::uint32_t g = 0; g < ofReal.count; ++g)
        compare(&Replicates::withoutReal, g, audited(without(real, ofReal, g), synthetic, options));
    for (std::uint32_t g = 0; g < ofSynthetic.count; ++g)
        compare(&Replicates::withoutSynthetic, g, audited(real, without(synthetic, ofSynthetic, g), options));
}

void JackknifeTest::threadsDoNotMatter() {
    const Audit audit = audited(test::gaussian(300, 4, 1), test::gaussian(400, 4, 2), tablesOf(5, 32));
    MetricInputs in = inputsOf(*audit);
    const std::vector<const Metric*> metrics = metricsOf(*audit->models[0]);
    in.threads = 1;
    const auto one = jackknife(in, metrics, realGroups(in), syntheticGroups(in));
    in.threads = 4;
    QVERIFY(jackknife(in, metrics, realGroups(in), syntheticGroups(in)) == one);
}

void JackknifeTest::orderOfRowsDoesNotMatter() {
    const Matrix real = test::gaussian(200, 4, 1);
    const Matrix synthetic = test::gaussian(300, 4, 2, 0.2F);
    const std::vector<std::uint32_t> order = Random(3).order(real.rows);
    const std::vector<std::uint32_t> other = Random(4).order(synthetic.rows);
    const auto first = audited(real, synthetic, {});
    const auto shuffled = audited(inOrder(real, order), inOrder(synthetic, other), {});
    const RowGroups groups = realGroups(inputsOf(*first));
    const RowGroups moved = realGroups(inputsOf(*shuffled));
    for (std::size_t row = 0; row < order.size(); ++row)
        QCOMPARE(moved.group[row], groups.group[order[row]]);
    for (const Metric* metric : metricsOf(*first->models[0])) {
        const MetricInterval& a = *first->models[0]->interval(metric->id);
        const MetricInterval& b = *shuffled->models[0]->interval(metric->id);
        QVERIFY2(areClose(a.low, b.low) && areClose(a.high, b.high), metric->id.data());
    }
}

void JackknifeTest::keepsEqualRowsAndUnitsTogether() {
    const Matrix base = test::gaussian(100, 4, 1);
    const Audit audit = audited(test::repeated(base, 250), base, tablesOf(5, 32));
    const RowGroups groups = realGroups(inputsOf(*audit));
    for (std::size_t row = 0; row + 100 < 250; ++row)
        QCOMPARE(groups.group[row], groups.group[row + 100]);
    std::vector<std::uint32_t> unit(250);
    for (std::uint32_t row = 0; row < 250; ++row)
        unit[row] = row % 50;
    const RowGroups ofUnits = groupRows(std::array{&audit->real->neighbors}, 7, unit);
    QVERIFY(ofUnits.count > 20);
    for (std::size_t row = 0; row < 250; ++row)
        QCOMPARE(ofUnits.group[row], ofUnits.group[row % 50]);
}

void JackknifeTest::groupsHaveEqualSizes() {
    const Audit audit = audited(test::gaussian(510, 4, 1), test::gaussian(20, 4, 2), tablesOf(5, 32));
    const MetricInputs in = inputsOf(*audit);
    const RowGroups groups = realGroups(in);
    QCOMPARE(groups.count, std::uint32_t{25});
    std::array<std::size_t, 25> sizes{};
    for (const std::uint32_t group : groups.group)
        ++sizes[group];
    for (const std::size_t size : sizes)
        QVERIFY(size == 20 || size == 21);
    QCOMPARE(syntheticGroups(in).count, std::uint32_t{20});
    QVERIFY(groupRows(std::array{&in.real.neighbors}, 8).group != groups.group); // another seed
}

void JackknifeTest::servesWhereListsSuffice() {
    const auto serves = [](const Matrix& real, std::size_t k, std::size_t stored) {
        const Audit audit = audited(real, test::gaussian(100, real.dim, 9), tablesOf(k, stored));
        return jackknifeServes(*audit->real, realGroups(inputsOf(*audit)));
    };
    QVERIFY(serves(test::gaussian(300, 4, 1), 5, 32));
    QVERIFY(serves(test::gaussian(20, 4, 1), 5, 32));
    QVERIFY(!serves(test::gaussian(19, 4, 1), 5, 32));                    // too few rows
    QVERIFY(!serves(test::gaussian(300, 4, 1), 30, 32));                  // lists too short
    QVERIFY(!serves(test::grid(600, 2, 1, 3), 5, 32));                    // more ties than are listed
    QVERIFY(!serves(test::repeated(test::gaussian(1, 4, 1), 31), 5, 32)); // one group
}

void JackknifeTest::sameSetTwiceDoesNotDiffer() {
    const Matrix synthetic = test::gaussian(150, 4, 2);
    const auto audit = runAudit({test::asSet(test::gaussian(200, 4, 1), "real"),
                                 {{"a", test::asSet(synthetic, "a")}, {"b", test::asSet(synthetic, "b")}},
                                 {},
                                 {}});
    for (const MetricDifference& metric : compareModels(*audit->models[0], *audit->models[1])) {
        QCOMPARE(metric.difference, 0.0);
        QCOMPARE(metric.low, 0.0);
        QCOMPARE(metric.high, 0.0);
    }
}

void JackknifeTest::boundsOfFullBallsAreExact() {
    const auto audit = runAudit(
        {test::asSet(test::gaussian(100, 16, 1), "real"),
         {{"a", test::asSet(test::gaussian(2000, 16, 2), "a")}, {"b", test::asSet(test::gaussian(2000, 16, 3), "b")}},
         {},
         {}});
    const ModelAudit& model = *audit->models[0];
    const MetricInterval& mean = *model.interval("clipped_coverage_unnormalized");
    QVERIFY(mean.low < 0.995 && mean.high > 0.999); // next to no slot of a ball is empty
    QVERIFY(model.interval("clipped_coverage")->low < model.metric("clipped_coverage"));
    QVERIFY(model.interval("coverage")->low < 1.0);
    for (const MetricDifference& metric : compareModels(model, *audit->models[1]))
        if (metric.id == "clipped_coverage")
            QVERIFY(metric.low < 0.0 && metric.high > 0.0);
}

void JackknifeTest::stopsWhenAsked() {
    const Audit audit = audited(test::gaussian(300, 4, 1), test::gaussian(300, 4, 2), tablesOf(5, 32));
    MetricInputs in = inputsOf(*audit);
    std::stop_source stop;
    stop.request_stop();
    in.job = JobContext(stop.get_token());
    QVERIFY_EXCEPTION_THROWN(jackknife(in, metricsOf(*audit->models[0]), realGroups(in), syntheticGroups(in)),
                             Cancelled);
}

ASSAY_TEST(jackknife_test, JackknifeTest)
#include "jackknife_test.moc"
