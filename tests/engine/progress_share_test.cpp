#include "engine/audit/run/audit.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>

using namespace assay;
using namespace assay::test;

namespace {

/// The share at which each stage of an audit begins, in order.
std::vector<std::pair<std::string, double>> stageBegins(const AuditRequest& request) {
    std::vector<std::pair<std::string, double>> begins;
    const JobContext job({}, [&](const Progress& progress) {
        const std::string stage = progress.stage.substr(0, progress.stage.find(':'));
        if (begins.empty() || begins.back().first != stage)
            begins.emplace_back(stage, progress.fraction);
    });
    runAudit(request, job);
    return begins;
}

} // namespace

/// Shares are meant to be shares of time, or the time left would be told wrong. Times vary, so what is tested are the
/// shares that follow from the sizes.
class ProgressShareTest : public QObject {
    Q_OBJECT

private slots:
    void eachSetGetsTheShareOfItsWork_data();
    void eachSetGetsTheShareOfItsWork();
    void aWholeAuditMovesOnlyForward_data();
    void aWholeAuditMovesOnlyForward();
};

void ProgressShareTest::eachSetGetsTheShareOfItsWork_data() {
    QTest::addColumn<BackendChoice>("backend");
    QTest::addColumn<int>("real");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::addColumn<double>("firstBegins");
    QTest::addColumn<double>("secondBegins");
    // Products: half the square of a set with itself, N M for a pair, and for every row that neighbours are found for
    // the measuring of its candidates, which takes as long as the products of some 20,000 pairs in 6 dimensions.
    const auto gemm = [](const char* name, int realRows, int firstRows, int secondRows) {
        constexpr double kRow = 20'500.0;
        const auto within = [](double n) { return n * n / 2.0 + kRow * n; };
        const auto model = [&](double n) { return within(n) + n * realRows + kRow * (n + realRows); };
        const double all = within(realRows) + model(firstRows) + model(secondRows);
        QTest::newRow(name) << BackendChoice::Gemm << realRows << firstRows << secondRows << within(realRows) / all
                            << (within(realRows) + model(firstRows)) / all;
    };
    gemm("gemm, equal", 600, 600, 600);
    gemm("gemm, small models", 1000, 100, 100);
    gemm("gemm, one large", 100, 1000, 100);
    // Trees: N within, 1.2 (N + M) between, times the depth.
    QTest::newRow("kdtree, equal") << BackendChoice::KdTree << 600 << 600 << 600 << 1.0 / 7.8 << 4.4 / 7.8;
}

void ProgressShareTest::eachSetGetsTheShareOfItsWork() {
    QFETCH(BackendChoice, backend);
    QFETCH(int, real);
    QFETCH(int, first);
    QFETCH(int, second);
    QFETCH(double, firstBegins);
    QFETCH(double, secondBegins);
    const auto setOf = [](int rows, unsigned seed) {
        return asSet(gaussian(static_cast<std::size_t>(rows), 6, seed), "set");
    };
    AuditRequest request{setOf(real, 1), {{"first", setOf(first, 2)}, {"second", setOf(second, 3)}}, {}, {}};
    request.options.backend = backend;
    request.options.tablesOnly = true; // the passes alone
    request.options.threads = 1;       // a second one may take the first tiles before the first one reports
    const auto begins = stageBegins(request);
    QCOMPARE(begins.size(), std::size_t{3});
    QCOMPARE(begins[1].first, std::string("Scoring first"));
    QVERIFY2(std::abs(begins[1].second - firstBegins) < 0.02, qPrintable(QString::number(begins[1].second)));
    QVERIFY2(std::abs(begins[2].second - secondBegins) < 0.02, qPrintable(QString::number(begins[2].second)));
}

void ProgressShareTest::aWholeAuditMovesOnlyForward_data() {
    QTest::addColumn<BackendChoice>("backend");
    QTest::addColumn<int>("dim");
    QTest::newRow("gemm") << BackendChoice::Gemm << 30;
    QTest::newRow("gemm, Gram matrices of single precision") << BackendChoice::Gemm << 300;
    QTest::newRow("kdtree") << BackendChoice::KdTree << 6;
}

void ProgressShareTest::aWholeAuditMovesOnlyForward() {
    QFETCH(BackendChoice, backend);
    QFETCH(int, dim);
    const auto columns = static_cast<std::size_t>(dim);
    AuditRequest request{
        asSet(gaussian(2500, columns, 4), "set"), {{"model", asSet(gaussian(2600, columns, 5), "set")}}, {}, {}};
    request.options.backend = backend;
    std::vector<double> seen;
    double catalogBegins = 1.0;
    runAudit(request, JobContext({}, [&](const Progress& progress) {
                 // The trial of a pass begins anew at times; what follows the passes does not.
                 if (progress.stage.find("istribution") != std::string::npos)
                     seen.push_back(progress.fraction);
                 if (progress.stage == "Scoring model: comparing distributions")
                     catalogBegins = std::min(catalogBegins, progress.fraction);
             }));
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    // What reads the embeddings again takes longer than the passes over so few rows, and moves on as it goes.
    const auto inside =
        std::count_if(seen.begin(), seen.end(), [&](double share) { return share > catalogBegins && share < 1.0; });
    QVERIFY2(catalogBegins < 0.8, qPrintable(QString::number(catalogBegins)));
    QVERIFY2(inside > 20, qPrintable(QString::number(inside)));
}

ASSAY_TEST(progress_share_test, ProgressShareTest)
#include "progress_share_test.moc"
