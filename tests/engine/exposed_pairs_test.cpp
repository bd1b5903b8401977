// Real samples beside their nearest synthetic ones, and what a classifier takes them for: as the metrics say.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/sample_pairs.h"
#include "engine/audit/run/audit.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> exposedSet(const test::Matrix& matrix, bool labels = true) {
    EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, "set");
    std::vector<std::int64_t> codes;
    for (std::size_t row = 0; row < matrix.rows; ++row)
        codes.push_back(matrix.values[row * matrix.dim] > 0.3F ? 1 : 0);
    if (labels)
        parts.labels = labelsFromIntegers(codes);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// @param heldOut none for 0
std::shared_ptr<const AuditResult> exposedAudit(const test::Matrix& real, const test::Matrix& synthetic,
                                                std::size_t heldOut, bool labels = true) {
    AuditRequest request;
    request.real = exposedSet(real);
    request.models.push_back({"model", exposedSet(synthetic, labels)});
    if (heldOut > 0)
        request.heldOut =
            exposedSet(real.dim == 1 ? test::grid(heldOut, 1, 9, 4) : test::gaussian(heldOut, real.dim, 9));
    return runAudit(request);
}

} // namespace

class ExposedPairsTest : public QObject {
    Q_OBJECT

private slots:
    void foundAreThoseThatTheMetricCounts_data();
    void foundAreThoseThatTheMetricCounts();
    void theMostExposedComeFirst();
    void needsAHeldOutSet();
    void predictedClassesAreRightWhereTheColumnSaysSo_data();
    void predictedClassesAreRightWhereTheColumnSaysSo();
    void thereAreNoClassesWithoutLabels();
    void stopsWhenAsked();
};

void ExposedPairsTest::foundAreThoseThatTheMetricCounts_data() {
    QTest::addColumn<bool>("ties");
    QTest::addColumn<int>("heldOut");
    for (const int heldOut : {57, 100, 150, 350})
        QTest::addRow("%d held out", heldOut) << false << heldOut;
    QTest::newRow("few different values") << true << 150; // held-out samples equal synthetic ones, too
}

void ExposedPairsTest::foundAreThoseThatTheMetricCounts() {
    QFETCH(bool, ties);
    QFETCH(int, heldOut);
    const test::Matrix real = ties ? test::grid(120, 1, 1, 5) : test::gaussian(200, 3, 1);
    const test::Matrix synthetic =
        ties ? test::grid(80, 1, 2, 4) : test::joined(test::scaled(real, 1.001F), test::gaussian(60, 3, 2));
    const auto audit = exposedAudit(real, synthetic, static_cast<std::size_t>(heldOut));
    const SamplePairs pairs = exposedPairs(*audit->models[0], static_cast<std::size_t>(heldOut));
    QCOMPARE(pairs.pairs.size(), real.rows);
    QCOMPARE(static_cast<double>(pairs.remarkable) / static_cast<double>(real.rows),
             audit->models[0]->metric("membership_tpr_1"));
    QVERIFY(ties || pairs.remarkable > 0);
}

void ExposedPairsTest::theMostExposedComeFirst() {
    const test::Matrix real = test::gaussian(150, 3, 1);
    const auto audit = exposedAudit(real, test::gaussian(160, 3, 2), 120);
    const SamplePairs pairs = exposedPairs(*audit->models[0], 120);
    std::vector<bool> seen(150, false);
    for (std::size_t i = 0; i < pairs.pairs.size(); ++i) {
        const SamplePair& pair = pairs.pairs[i];
        QVERIFY(!seen[pair.first]);
        seen[pair.first] = true;
        QCOMPARE(pair.second, audit->models[0]->tables->real.nearest.indexAt(pair.first, 0));
        QCOMPARE(1.0 - pair.ratio, audit->models[0]->column("membership_rank")[pair.first]);
        QVERIFY(i == 0 || pairs.pairs[i - 1].distance <= pair.distance); // the statistic of the attack
    }
}

void ExposedPairsTest::needsAHeldOutSet() {
    const auto audit = exposedAudit(test::gaussian(80, 3, 1), test::gaussian(80, 3, 2), 0);
    QVERIFY(exposedPairs(*audit->models[0], 1).pairs.empty());
}

void ExposedPairsTest::predictedClassesAreRightWhereTheColumnSaysSo_data() {
    QTest::addColumn<int>("heldOut");
    QTest::newRow("held-out set") << 120;
    QTest::newRow("none") << 0;
}

void ExposedPairsTest::predictedClassesAreRightWhereTheColumnSaysSo() {
    QFETCH(int, heldOut);
    const auto audit =
        exposedAudit(test::gaussian(200, 3, 1), test::gaussian(90, 3, 2), static_cast<std::size_t>(heldOut));
    const PredictedClasses classes = UsefulWhatIf(audit, 0).predictedClasses();
    QVERIFY(classes.exist() && classes.model == audit->models[0]);
    const std::vector<double>& right = audit->models[0]->column("utility_correct");
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < right.size(); ++row) {
        QCOMPARE(classes.actual[row] == classes.predicted[row], right[row] == 1.0);
        QCOMPARE(classes.names[classes.actual[row]], audit->real->set->labelText(row));
        wrong += right[row] == 0.0 ? 1 : 0;
    }
    QVERIFY(wrong > 0);
}

void ExposedPairsTest::thereAreNoClassesWithoutLabels() {
    const auto audit = exposedAudit(test::gaussian(80, 3, 1), test::gaussian(80, 3, 2), 0, false);
    QVERIFY(!UsefulWhatIf(audit, 0).predictedClasses().exist());
}

void ExposedPairsTest::stopsWhenAsked() {
    const auto audit = exposedAudit(test::gaussian(120, 3, 1), test::gaussian(120, 3, 2), 50);
    const UsefulWhatIf whatIf(audit, 0);
    const std::string failure = test::stopFailure([&](const JobContext& job) { whatIf.predictedClasses(job); }, 5);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(exposed_pairs_test, ExposedPairsTest)
#include "exposed_pairs_test.moc"
