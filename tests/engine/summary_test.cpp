// What is said of a model first: what is certain and useful, in at most three sentences; praise has to be earned.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

/// A model of 500 samples about which nothing is known but its findings.
ModelAudit model() {
    ModelAudit made;
    made.set = test::asSet(test::gaussian(500, 2, 1), "model");
    return made;
}

/// A finding that speaks against the model at this place.
Finding against(std::string_view id, double place) {
    const auto kinds = findingKinds();
    Finding finding{.kind = &*std::ranges::find(kinds, id, &FindingKind::id)};
    finding.sentence = "Says " + std::string(id) + ".";
    finding.place = place;
    return finding;
}

std::string summary(const std::vector<Finding>& findings, double density = 1.0, double coverage = 1.0) {
    RealAnalysis real;
    auto partition = std::make_shared<RealPartition>();
    partition->unit = partition->rows = {0, 1, 2};
    real.partition = partition;
    const ModelAudit made = model();
    const VerdictScores verdicts;
    SetTests tests;
    tests.scores.clippedDensity = {density, density - 0.05, density + 0.05};
    tests.scores.clippedCoverage = {coverage, coverage - 0.05, coverage + 0.05};
    FindingInputs in{real, nullptr, nullptr, made, 0.05};
    in.verdicts = &verdicts;
    in.tests = &tests;
    return summaryOf(in, findings);
}

std::shared_ptr<const AuditResult> audit(const Matrix& real, const Matrix& synthetic) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(synthetic, "model")}};
    return runAudit(request);
}

Matrix rowOf(const Matrix& from, std::size_t row) {
    const auto begin = from.values.begin() + static_cast<std::ptrdiff_t>(row * from.dim);
    return {std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(from.dim)), 1, from.dim};
}

/// Samples around one row, at most about `radius` away.
Matrix around(const Matrix& row, std::size_t rows, float radius) {
    Matrix samples = test::repeated(row, rows);
    const Matrix noise = test::gaussian(rows, row.dim, 77, 0.0F, radius / 8.0F);
    for (std::size_t i = 0; i < samples.values.size(); ++i)
        samples.values[i] += noise.values[i];
    return samples;
}

} // namespace

class SummaryTest : public QObject {
    Q_OBJECT

private slots:
    void sentencesFollowTheirPlaces();
    void noMoreThanThreeAreSaid();
    void notesAreNoPartOfIt();
    void praiseIsEarned();
    void quickAuditsJudgeNothing();
    void findingsThatMarkAreListedFirst();
    void copiesOfFewSamplesSaySo_data();
    void copiesOfFewSamplesSaySo();
    void goodModelsArePraised();
};

void SummaryTest::sentencesFollowTheirPlaces() {
    const std::vector<Finding> list{against("missed", 6.5), against("copy", 1.2)};
    QCOMPARE(summary(list), std::string("Says copy. Says missed."));
    QCOMPARE(summary({list[1], list[0]}), std::string("Says copy. Says missed."));
    // Of one place the first in the list.
    QCOMPARE(summary({against("leaks", 9.0), against("useless", 9.0)}), std::string("Says leaks. Says useless."));
}

void SummaryTest::noMoreThanThreeAreSaid() {
    QCOMPARE(summary({against("told_apart", 10.0), against("modes", 6.0), against("scale", 0.0), against("missed", 6.5)}),
             std::string("Says scale. Says modes. Says missed."));
}

void SummaryTest::notesAreNoPartOfIt() {
    std::vector<Finding> notes;
    for (const FindingKind& kind : findingKinds())
        notes.push_back({.kind = &kind, .sentence = "A note."});
    QCOMPARE(summary(notes), std::string("As good as real, as far as 500 samples can tell."));
}

void SummaryTest::praiseIsEarned() {
    QCOMPARE(summary({}, 0.91, 0.97), std::string("As good as real, as far as 500 samples can tell."));
    QCOMPARE(summary({}, 0.74, 1.0), std::string("No fault found, but clipped density is 0.74 (0.69 to 0.79)."));
    QCOMPARE(summary({}, 0.74, 0.5), std::string("No fault found, but clipped density is 0.74 (0.69 to 0.79) and clipped "
                                                 "coverage is 0.50 (0.45 to 0.55)."));
}

void SummaryTest::quickAuditsJudgeNothing() {
    const ModelAudit made = model();
    const RealAnalysis real;
    QVERIFY(summaryOf({real, nullptr, nullptr, made, 0.05}, {}).starts_with("A quick audit does not judge"));
}

void SummaryTest::findingsThatMarkAreListedFirst() {
    const Matrix real = test::gaussian(400, 16, 5);
    const Matrix near = test::joined(around(rowOf(real, 7), 30, 0.004F), test::gaussian(50, 16, 6));
    const std::vector<Finding> found = audit(real, near)->models.front()->findings;
    QVERIFY(found.size() > 2 && found.front().marksModel);
    QVERIFY(std::ranges::is_partitioned(found, &Finding::marksModel));
    QVERIFY(std::ranges::is_partitioned(
        found, [](const Finding& one) { return one.marksModel || one.place.has_value(); }));
}

void SummaryTest::copiesOfFewSamplesSaySo_data() {
    QTest::addColumn<std::size_t>("originals");
    QTest::addColumn<QString>("begins");
    QTest::newRow("near one real sample")
        << std::size_t{1} << "100 % of its samples are copies of one real sample (7).";
    QTest::newRow("near twelve") << std::size_t{12} << "100 % of its samples are copies of only 12 real samples.";
    QTest::newRow("near each") << std::size_t{300} << "100 % of its samples are copies of real ones.";
}

void SummaryTest::copiesOfFewSamplesSaySo() {
    QFETCH(std::size_t, originals);
    QFETCH(QString, begins);
    const Matrix real = test::gaussian(600, 16, 5);
    Matrix samples{{}, 0, 16};
    for (std::size_t original = 0; original < originals; ++original)
        samples = test::joined(samples, around(rowOf(real, 7 + original), 300 / originals, 0.004F));
    const QString text = QString::fromStdString(audit(real, samples)->models.front()->summary);
    QVERIFY2(text.contains(begins), qPrintable(text));
    QVERIFY2(!text.contains("s good as real"), qPrintable(text));
}

void SummaryTest::goodModelsArePraised() {
    const auto result = audit(test::gaussian(2000, 8, 1), test::gaussian(40, 8, 2));
    QCOMPARE(result->models.front()->summary, std::string("As good as real, as far as 40 samples can tell."));
    QVERIFY(!isMarked(*result->models.front()));
}

ASSAY_TEST(summary_test, SummaryTest)
#include "summary_test.moc"
