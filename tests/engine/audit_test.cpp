// The audit against a plain oracle that shares no code with it.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/demo/demo.h"
#include "engine/gpu/backends/backends.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/entropy/entropy.h"
#include "tests/engine/support/naive_audit.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

using namespace assay;
using test::Matrix;

namespace {

bool close(double found, double expected) {
    if (std::isnan(found) || std::isnan(expected))
        return std::isnan(found) && std::isnan(expected);
    return std::abs(found - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

AuditRequest requestOf(const Matrix& real, const std::vector<Matrix>& models, std::size_t k,
                       BackendChoice backend = BackendChoice::Auto) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    for (const Matrix& model : models) {
        const std::string name = "model" + std::to_string(request.models.size());
        request.models.push_back({name, test::asSet(model, name)});
    }
    request.options.k = k;
    request.options.backend = backend;
    return request;
}

struct Case {
    std::string name;
    std::function<Matrix()> real, synthetic;
    std::size_t k;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"same distribution", [] { return gaussian(400, 8, 1); }, [] { return gaussian(300, 8, 2); }, 5},
        {"shifted", [] { return gaussian(300, 12, 3); }, [] { return gaussian(400, 12, 4, 0.7F); }, 5},
        {"narrow", [] { return gaussian(300, 6, 5); }, [] { return gaussian(350, 6, 6, 0.0F, 0.3F); }, 3},
        {"one dimension", [] { return gaussian(300, 1, 7); }, [] { return gaussian(260, 1, 8); }, 5},
        {"ties", [] { return grid(300, 3, 9, 4); }, [] { return grid(280, 3, 10, 4); }, 5},
        {"duplicates beyond the stored neighbours",
         [] { return joined(repeated(gaussian(4, 4, 11), 240), gaussian(60, 4, 19)); },
         [] { return joined(repeated(gaussian(5, 4, 11), 230), gaussian(50, 4, 20)); }, 5},
        {"copies", [] { return gaussian(200, 5, 12); }, [] { return gaussian(200, 5, 12); }, 5},
        {"k = 1", [] { return gaussian(150, 4, 13); }, [] { return gaussian(120, 4, 14); }, 1},
        {"k above the stored neighbours", [] { return gaussian(150, 4, 15); }, [] { return gaussian(120, 4, 16); }, 40},
        {"k = N - 1 = M - 1", [] { return gaussian(30, 4, 17); }, [] { return gaussian(30, 4, 18); }, 29},
    };
    return all;
}

} // namespace

class AuditTest : public QObject {
    Q_OBJECT

private slots:
    void catalogueIsWellFormed();
    void agreesWithTheOracle_data();
    void agreesWithTheOracle();
    void theLargerSetDecidesWhoSearches();
    void storesNeighborsForEveryConsumer();
    void storedNeighborsDoNotChangeMetrics_data();
    void storedNeighborsDoNotChangeMetrics();
    void addedModelsEqualAuditedOnes();
    void partialResultsGrow();
    void coverageShortfallIsTheBetaBinomialOne();
    void coverageShortfallSurvivesLargeK();
    void fewDrawsCoverLessThanTheirShare();
    void perfectCoverageScoresOne();
    void entropyTermsReplaceZeros();
    void refusals_data();
    void refusals();
    void demoTruthIsFound();
    void progressRisesToOne();
    void stopsAtEveryStage_data();
    void stopsAtEveryStage();
};

void AuditTest::catalogueIsWellFormed() {
    std::set<std::string_view> metricIds, columnIds;
    for (const Metric& metric : metricCatalog()) {
        QVERIFY(metricIds.insert(metric.id).second);
        QVERIFY(!metric.title.empty() && !metric.definition.empty() && !metric.source.empty() &&
                metric.compute != nullptr);
    }
    for (const Column& column : columnCatalog()) {
        QVERIFY(columnIds.insert(column.id).second);
        QVERIFY(!column.title.empty() && !column.definition.empty() && !column.source.empty() &&
                column.compute != nullptr);
    }
    std::set<std::string_view> curveIds;
    for (const Curve& curve : curveCatalog()) {
        QVERIFY(curveIds.insert(curve.id).second);
        QVERIFY(!curve.title.empty() && !curve.xTitle.empty() && !curve.yTitle.empty() && !curve.definition.empty() &&
                !curve.source.empty() && curve.compute != nullptr);
    }
    QVERIFY(findMetric("clipped_density") != nullptr);
    QVERIFY(findMetric("no such metric") == nullptr);
}

void AuditTest::agreesWithTheOracle_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("backend");
    for (std::size_t c = 0; c < cases().size(); ++c)
        for (const Backend& backend : backendTable())
            QTest::newRow((cases()[c].name + ", " + std::string(backend.name)).c_str())
                << static_cast<int>(c) << static_cast<int>(backend.choice);
}

void AuditTest::agreesWithTheOracle() {
    QFETCH(int, index);
    QFETCH(int, backend);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix real = c.real();
    const Matrix synthetic = c.synthetic();
    const auto audit = runAudit(requestOf(real, {synthetic}, c.k, static_cast<BackendChoice>(backend)));
    const test::NaiveAudit expected = test::naiveAudit(real.view(), synthetic.view(), c.k);
    const ModelAudit& model = *audit->models.at(0);
    QVERIFY(expected.metrics.size() > 15);
    for (const auto& [id, value] : expected.metrics)
        QVERIFY2(
            close(model.metric(id), value),
            qPrintable(QStringLiteral("%1: found %2, expected %3").arg(id.c_str()).arg(model.metric(id)).arg(value)));
    for (const auto& [id, values] : expected.columns) {
        const std::vector<double>& found = model.column(id);
        QCOMPARE(found.size(), values.size());
        for (std::size_t row = 0; row < values.size(); ++row)
            QVERIFY2(close(found[row], values[row]), qPrintable(QStringLiteral("%1, row %2: found %3, expected %4")
                                                                    .arg(id.c_str())
                                                                    .arg(row)
                                                                    .arg(found[row])
                                                                    .arg(values[row])));
    }
}

void AuditTest::theLargerSetDecidesWhoSearches() {
    const Matrix small = test::gaussian(300, 2, 1);
    const Matrix large = test::gaussian(12000, 2, 2);
    const auto audited = [](const Matrix& real, const std::vector<Matrix>& models) {
        AuditRequest request = requestOf(real, models, 5);
        request.options.tablesOnly = true;
        return runAudit(request);
    };
    const auto ofSmall = audited(small, {small, large});
    QCOMPARE(ofSmall->real->backend, "nanoflann");
    QCOMPARE(ofSmall->models[0]->backend, "nanoflann");
    QCOMPARE(ofSmall->models[1]->backend, "kdtree");
    QCOMPARE(audited(large, {small})->models[0]->backend, "kdtree");
}

void AuditTest::storesNeighborsForEveryConsumer() {
    const auto audit =
        runAudit(requestOf(test::gaussian(100, 4, 1), {test::gaussian(90, 4, 2), test::gaussian(20, 4, 3)}, 5));
    QCOMPARE(audit->real->neighbors.k, std::size_t{32});
    QCOMPARE(audit->models[0]->tables->syntheticToSynthetic.k, std::size_t{32});
    QCOMPARE(audit->models[0]->tables->synthetic.nearest.k, std::size_t{32});
    QCOMPARE(audit->models[0]->tables->real.nearest.k, std::size_t{32});
    QCOMPARE(audit->models[1]->tables->syntheticToSynthetic.k, std::size_t{19});
    QCOMPARE(audit->models[1]->tables->real.nearest.k, std::size_t{20});
}

void AuditTest::storedNeighborsDoNotChangeMetrics_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<BackendChoice>("backend");
    for (int i = 0; i < static_cast<int>(cases().size()); ++i)
        for (const Backend& backend : cpuBackends())
            QTest::addRow("%s, %s", cases()[static_cast<std::size_t>(i)].name.c_str(), backend.name.data())
                << i << backend.choice;
}

void AuditTest::storedNeighborsDoNotChangeMetrics() {
    QFETCH(int, index);
    QFETCH(BackendChoice, backend);
    const Case& sets = cases()[static_cast<std::size_t>(index)];
    AuditRequest request = requestOf(sets.real(), {sets.synthetic()}, sets.k, backend);
    request.options.tablesOnly = true;
    const auto many = runAudit(request);
    request.options.storedNeighbors = 0;
    const auto few = runAudit(request);
    const ModelAudit& expected = *many->models[0];
    const ModelAudit& found = *few->models[0];
    QVERIFY(found.tables->synthetic.nearest.k == std::max<std::size_t>(sets.k, 2));
    QVERIFY(found.tables->syntheticToSynthetic.k <= sets.k + 1);
    const auto equal = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    QCOMPARE(found.metrics.size(), expected.metrics.size());
    for (const MetricValue& value : expected.metrics)
        QVERIFY2(equal(found.metric(value.id), value.value), std::string(value.id).c_str());
    QCOMPARE(found.columns.size(), expected.columns.size());
    for (const ColumnValues& column : expected.columns)
        QVERIFY2(std::ranges::equal(found.column(column.id), column.values, equal), std::string(column.id).c_str());
}

void AuditTest::addedModelsEqualAuditedOnes() {
    const Matrix real = test::gaussian(200, 5, 1);
    const Matrix first = test::gaussian(150, 5, 2);
    const Matrix second = test::gaussian(180, 5, 3, 0.5F);
    const auto whole = runAudit(requestOf(real, {first, second}, 5));
    const auto base = runAudit(requestOf(real, {first}, 5));
    const auto grown = addModels(*base, {{"model1", test::asSet(second, "model1")}}, {});
    QCOMPARE(grown->models.size(), std::size_t{2});
    QVERIFY(grown->real == base->real); // the real set's neighbours are found once
    QVERIFY(grown->models[0] == base->models[0]);
    QCOMPARE(grown->models[1]->metrics.size(), whole->models[1]->metrics.size());
    for (const MetricValue& metric : whole->models[1]->metrics)
        QCOMPARE(grown->models[1]->metric(metric.id), metric.value);
}

void AuditTest::partialResultsGrow() {
    AuditRequest request =
        requestOf(test::gaussian(100, 4, 1), {test::gaussian(90, 4, 2), test::gaussian(80, 4, 3)}, 5);
    std::vector<std::shared_ptr<const AuditResult>> seen;
    request.partial = [&](const std::shared_ptr<const AuditResult>& result) { seen.push_back(result); };
    const auto whole = runAudit(request);
    // The passes of both, then the rest of both.
    QCOMPARE(seen.size(), std::size_t{4});
    QCOMPARE(seen[0]->models.size(), std::size_t{1});
    for (std::size_t s = 1; s < seen.size(); ++s)
        QCOMPARE(seen[s]->models.size(), std::size_t{2});
    const ModelAudit& first = *seen[0]->models[0];
    QVERIFY(!first.hasMetric("frechet_distance") && first.hasMetric("clipped_density"));
    QVERIFY(first.hasMetric("verdict_rejected") && !first.summary.empty());
    QVERIFY(seen[2]->models[0]->hasMetric("frechet_distance") && !seen[2]->models[1]->hasMetric("frechet_distance"));
    for (const MetricValue& metric : first.metrics)
        QCOMPARE(whole->models[0]->metric(metric.id), metric.value);
    // What is large is shared.
    QVERIFY(first.tables == whole->models[0]->tables && seen[0]->real == whole->real);
}

void AuditTest::coverageShortfallIsTheBetaBinomialOne() {
    // P(C = j) = C(m, j) B(k + j, N - k + m - j) / B(k, N - k), straight from the definition.
    const double n = 40, k = 4;
    const auto logBeta = [](double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); };
    const std::vector<double> shortfall = metrics::coverageShortfall(40, 60, 4);
    QCOMPARE(shortfall.size(), std::size_t{61});
    for (int m = 0; m <= 60; ++m) {
        double mean = 0.0;
        for (int j = 0; j <= m; ++j) {
            const double choose = std::lgamma(m + 1.0) - std::lgamma(j + 1.0) - std::lgamma(m - j + 1.0);
            const double probability = std::exp(choose + logBeta(k + j, n - k + m - j) - logBeta(k, n - k));
            mean += std::min<double>(j, k) / k * probability;
        }
        const double expected = m < k ? 1.0 : 1.0 - mean;
        QVERIFY(std::abs(shortfall[static_cast<std::size_t>(m)] - expected) < 1e-12);
    }
}

void AuditTest::coverageShortfallSurvivesLargeK() {
    // k close to N: the ball holds nearly everything, C = m - Bin(m) few, and P(C = 0) is far below any float.
    const std::vector<double> shortfall = metrics::coverageShortfall(40000, 22500, 20000);
    QVERIFY(std::abs(shortfall[22500] - 0.4375) < 1e-6);
}

void AuditTest::fewDrawsCoverLessThanTheirShare() {
    // f(m) is below m / N once two of m > k draws can share a ball beyond k, though rounded it may be the same.
    for (const std::size_t k : {2, 5, 10})
        for (const std::size_t m : {k + 1, k + 8})
            QCOMPARE(metrics::coveragesBelow(k * m, 1'000'000, 100, k), m + 1);
    // k draws never exceed k: f(k) = k / N is not below itself.
    QCOMPARE(metrics::coveragesBelow(25, 1'000'000, 100, 5), std::size_t{5});
    QCOMPARE(metrics::coveragesBelow(26, 1'000'000, 100, 5), std::size_t{6});
    // Not beyond the largest m; nothing is below an empty coverage.
    QCOMPARE(metrics::coveragesBelow(500, 100, 50, 5), std::size_t{51});
    QCOMPARE(metrics::coveragesBelow(0, 100, 50, 5), std::size_t{0});
}

void AuditTest::perfectCoverageScoresOne() {
    // Six exact copies of every real sample: each ball holds more than k.
    const Matrix real = test::gaussian(60, 3, 1);
    const auto audit = runAudit(requestOf(real, {test::repeated(real, 360)}, 5));
    QCOMPARE(audit->models[0]->metric("clipped_coverage_unnormalized"), 1.0);
    QCOMPARE(audit->models[0]->metric("clipped_coverage"), 1.0);
    QCOMPARE(audit->models[0]->metric("authenticity"), 0.0);
}

void AuditTest::entropyTermsReplaceZeros() {
    const std::vector<double> distances{0.0, 2.0, 0.5};
    const std::vector<double> terms = metrics::entropyTerms(distances, 10, 1, 2);
    QCOMPARE(terms[0], terms[2]);
    // h = log n - psi(1) + log pi + 2 log D
    QVERIFY(
        close(terms[1], std::log(10.0) + 0.57721566490153286 + std::log(3.14159265358979324) + 2.0 * std::log(2.0)));
    const std::vector<double> none{0.0, 0.0};
    QVERIFY(std::isnan(metrics::entropyTerms(none, 10, 1, 2)[0]));
}

void AuditTest::refusals_data() {
    QTest::addColumn<int>("realRows");
    QTest::addColumn<int>("realDim");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("k");
    QTest::addColumn<QString>("says");
    QTest::newRow("dimension") << 50 << 4 << 50 << 3 << 5
                               << "model0: expected 4 columns as in the real set real, found 3";
    QTest::newRow("k = N") << 20 << 4 << 50 << 4 << 20
                           << "real: expected more than k = 20 rows, found 20. Choose k = 19 or less.";
    QTest::newRow("k = M") << 50 << 4 << 20 << 4 << 20
                           << "model0: expected more than k = 20 rows, found 20. Choose k = 19 or less.";
    QTest::newRow("k = 0") << 50 << 4 << 50 << 4 << 0 << "k: expected at least 1, found 0";
}

void AuditTest::refusals() {
    QFETCH(int, realRows);
    QFETCH(int, realDim);
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(int, k);
    QFETCH(QString, says);
    const auto request =
        requestOf(test::gaussian(static_cast<std::size_t>(realRows), static_cast<std::size_t>(realDim), 1),
                  {test::gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 2)},
                  static_cast<std::size_t>(k));
    try {
        runAudit(request);
        QFAIL("expected a refusal");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()), says);
    }
}

void AuditTest::demoTruthIsFound() {
    if (test::takesSmallSizes())
        QSKIP("the demo is large");
    const Demo demo = makeDemo();
    AuditRequest request;
    request.real = demo.real;
    for (const auto& model : demo.models)
        request.models.push_back({model->name(), model});
    const auto audit = runAudit(request);
    const auto metric = [&](const char* name, const char* id) {
        for (const auto& model : audit->models)
            if (model->name == name)
                return model->metric(id);
        return std::nan("");
    };
    QVERIFY(metric("faithful", "clipped_density") >= 0.93);
    QVERIFY(metric("faithful", "clipped_coverage") >= 0.93);
    QVERIFY(std::abs(metric("mixed", "clipped_density") - 0.70) <= 0.05);
    QVERIFY(metric("copycat", "authenticity") < 0.1);
    QVERIFY(metric("blurry", "clipped_density") < 0.5);
    QVERIFY(metric("dropped modes", "clipped_density") > 0.9);
    QVERIFY(std::abs(metric("dropped modes", "clipped_coverage") - 0.625) <= 0.05);
    QVERIFY(metric("shrunken", "clipped_density_unclipped") > 1.3);
    QVERIFY(metric("shrunken", "re") < -20.0);
}

void AuditTest::progressRisesToOne() {
    std::vector<double> seen;
    const JobContext job({}, [&](const Progress& progress) { seen.push_back(progress.fraction); });
    runAudit(requestOf(test::gaussian(1200, 20, 1), {test::gaussian(1100, 20, 2)}, 5), job);
    QVERIFY(seen.size() > 10);
    for (std::size_t i = 1; i < seen.size(); ++i)
        QVERIFY2(seen[i] >= seen[i - 1] - 1e-12, // parts meet but for rounding
                 qPrintable(QStringLiteral("%1 after %2").arg(seen[i]).arg(seen[i - 1])));
    QVERIFY(std::abs(seen.back() - 1.0) < 1e-12);
}

void AuditTest::stopsAtEveryStage_data() {
    QTest::addColumn<BackendChoice>("backend");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<bool>("allTied");
    QTest::newRow("product") << BackendChoice::Gemm << 800 << 64 << false;
    QTest::newRow("tree") << BackendChoice::KdTree << 2000 << 3 << false;
    QTest::newRow("product, everything ties") << BackendChoice::Gemm << 400 << 64 << true;
}

void AuditTest::stopsAtEveryStage() {
    QFETCH(BackendChoice, backend);
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(bool, allTied);
    const auto count = static_cast<std::size_t>(rows);
    const auto columns = static_cast<std::size_t>(dim);
    const auto sets = [&](unsigned seed) {
        return allTied ? test::repeated(test::gaussian(1, columns, 1), count) : test::gaussian(count, columns, seed);
    };
    const AuditRequest request = requestOf(sets(1), {sets(2)}, 5, backend);
    const std::string failure = test::stopFailure([&](const JobContext& job) { runAudit(request, job); }, 200);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(audit_test, AuditTest)
#include "audit_test.moc"
