// Utility and membership of what is kept: as an audit of the kept rows says, and beside as many at random.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// Two clouds; the label tells which, wrong for every third sample from `shuffledFrom` on.
std::shared_ptr<const EmbeddingSet> labelled(std::size_t rows, unsigned seed, std::size_t shuffledFrom = 1'000'000) {
    test::Matrix matrix = test::gaussian(rows, 3, seed);
    std::vector<std::int64_t> labels;
    std::mt19937 random(seed);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::int64_t own = r % 2 == 0 ? 1 : 0;
        matrix.values[r * 3] += static_cast<float>(2 * own);
        labels.push_back(r >= shuffledFrom ? static_cast<std::int64_t>(random() % 2) : own);
    }
    EmbeddingParts parts = EmbeddingParts::of(matrix.values, 3, "set");
    parts.labels = labelsFromIntegers(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const AuditResult> audit(bool withHeldOut) {
    AuditRequest request;
    request.real = labelled(200, 1);
    request.models.push_back({"model", labelled(240, 2, 120)});
    if (withHeldOut)
        request.heldOut = labelled(150, 3);
    return runAudit(request);
}

double valueOf(const std::optional<double>& value) {
    return value.value_or(-1.0);
}

} // namespace

class UsefulWhatIfTest : public QObject {
    Q_OBJECT

private slots:
    void equalsAnAuditOfTheKeptRows_data();
    void equalsAnAuditOfTheKeptRows();
    void keepingWhatIsRightBeatsChance();
    void saysWhyThereIsNone();
    void curvesBeginWithAllSamples();
    void refusesNoRows();
    void stopsWhenAsked();
};

void UsefulWhatIfTest::equalsAnAuditOfTheKeptRows_data() {
    QTest::addColumn<bool>("heldOut");
    QTest::newRow("held-out set") << true;
    QTest::newRow("none") << false;
}

void UsefulWhatIfTest::equalsAnAuditOfTheKeptRows() {
    QFETCH(bool, heldOut);
    const auto whole = audit(heldOut);
    std::vector<bool> kept(240, true);
    for (std::size_t row = 0; row < kept.size(); row += 3)
        kept[row] = false;
    const UsefulIfKept found = UsefulWhatIf(whole, 0).evaluate(kept);
    const KeptAudit expected = auditKept(*whole, 0, kept);
    for (const auto& [scores, model] :
         {std::pair(found.kept, expected.kept), std::pair(found.random, expected.random)}) {
        QCOMPARE(scores.rows, std::size_t{160});
        QCOMPARE(valueOf(scores.accuracy), model->metric("utility_accuracy"));
        QCOMPARE(valueOf(scores.auc), model->metric("utility_auc"));
        QVERIFY(!scores.r2);
        QCOMPARE(scores.membershipAuc.has_value(), heldOut);
        if (heldOut) {
            QCOMPARE(valueOf(scores.membershipAuc), model->metric("membership_auc"));
            QCOMPARE(valueOf(scores.membershipTpr), model->metric("membership_tpr_1"));
        }
    }
}

void UsefulWhatIfTest::keepingWhatIsRightBeatsChance() {
    std::vector<bool> kept(240, false);
    for (std::size_t row = 0; row < 120; ++row)
        kept[row] = true;
    const UsefulIfKept found = UsefulWhatIf(audit(true), 0).evaluate(kept);
    QVERIFY(valueOf(found.kept.auc) > valueOf(found.random.auc));
}

void UsefulWhatIfTest::saysWhyThereIsNone() {
    const auto whole = audit(true);
    std::vector<bool> kept(240, false);
    for (std::size_t row = 0; row < 120; row += 2)
        kept[row] = true; // one class
    const UsefulScores found = UsefulWhatIf(whole, 0).evaluate(kept).kept;
    QVERIFY(!found.accuracy && !found.auc && !found.whyNot.empty());
    QVERIFY(found.membershipAuc.has_value());
}

void UsefulWhatIfTest::curvesBeginWithAllSamples() {
    const auto whole = audit(true);
    const CurveValues curve = usefulCurve(whole, 0, "fidelity");
    QCOMPARE(curve.x.size(), std::size_t{10});
    QCOMPARE(curve.lines.size(), std::size_t{8});
    for (const CurveLine& line : curve.lines) {
        QCOMPARE(line.y.size(), curve.x.size());
        const std::string id = line.name.substr(0, line.name.find('/'));
        QCOMPARE(line.y.front(), whole->models[0]->metric(id));
    }
    QVERIFY(curve.lines[0].y[5] != curve.lines[4].y[5]);
    QVERIFY_EXCEPTION_THROWN(usefulCurve(whole, 0, "coverage"), Error);
}

void UsefulWhatIfTest::refusesNoRows() {
    const UsefulWhatIf whatIf(audit(false), 0);
    QVERIFY_EXCEPTION_THROWN(whatIf.evaluate(std::vector<bool>(240, false)), Error);
    QVERIFY_EXCEPTION_THROWN(UsefulWhatIf(audit(false), 1), Error);
}

void UsefulWhatIfTest::stopsWhenAsked() {
    const UsefulWhatIf whatIf(audit(true), 0);
    const std::vector<bool> kept(240, true);
    const std::string failure = test::stopFailure([&](const JobContext& job) { whatIf.evaluate(kept, job); }, 10);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(useful_what_if_test, UsefulWhatIfTest)
#include "useful_what_if_test.moc"
