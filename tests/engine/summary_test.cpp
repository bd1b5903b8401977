// What is said of a model first: at most three sentences of what speaks against it, in their order; praise is earned.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/base/find_by.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

constexpr std::string_view kPraise = "As good as real, as far as 500 samples can tell.";

/// A finding whose sentence names its kind.
Finding finding(std::string_view kind, std::optional<double> place = {}) {
    return {.kind = findBy(findingKinds(), &FindingKind::id, kind),
            .value = 0.5,
            .sentence = "It is " + std::string(kind) + ".",
            .place = place};
}

/// What a summary reads beside the findings: a model of 500 samples without a fault.
struct Audited {
    RealAnalysis real;
    ModelAudit model;
    VerdictScores verdicts;
    SetTests tests;

    Audited() {
        RealPartition partition;
        partition.unit = partition.rows = {0, 1, 2};
        setPartition(partition);
        model.set = test::asSet(test::gaussian(500, 2, 1), "model");
        setScores({0.97, 0.94, 1.0}, {0.96, 0.93, 0.99});
    }

    void setPartition(const RealPartition& partition) {
        real.partition = std::make_shared<const RealPartition>(partition);
    }
    /// Clipped density and coverage, of rows and of units alike.
    void setScores(const BoundedScore& density, const BoundedScore& coverage) {
        tests.scores = {density, coverage};
        model.metrics = {{"clipped_density", density.value}, {"clipped_coverage", coverage.value}};
        model.intervals = {{"clipped_density", density.low, density.high},
                           {"clipped_coverage", coverage.low, coverage.high}};
    }
    FindingInputs inputs() const {
        return {.real = real,
                .described = nullptr,
                .heldOut = nullptr,
                .model = model,
                .falseDiscoveryRate = 0.05,
                .verdicts = &verdicts,
                .tests = &tests};
    }
    std::string summary(const std::vector<Finding>& findings = {}) const { return summaryOf(inputs(), findings); }
};

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
    void kindsAreUnique();
    void sentencesAreInTheOrderOfTheirPlaces();
    void ofEqualPlacesTheListsOrderHolds();
    void itHasAtMostThreeSentences();
    void notesAreNeverSaid();
    void whateverSpeaksAgainstAModelTakesItsPraise();
    void praiseNeedsBothScores_data();
    void praiseNeedsBothScores();
    void praiseLooksAtOneRowOfEachUnit();
    void withoutTestsThereIsNoPraise();
    void onlyWhatHasAPlaceIsSaidOfAnAudit();
    void copiesOfFewSamplesSaySo_data();
    void copiesOfFewSamplesSaySo();
    void fewSamplesAreANote();
};

void SummaryTest::kindsAreUnique() {
    std::set<std::string_view> ids;
    std::set<std::string_view> titles;
    for (const FindingKind& kind : findingKinds()) {
        QVERIFY2(ids.insert(kind.id).second, kind.id.data());
        QVERIFY2(titles.insert(kind.title).second, kind.title.data());
        QVERIFY2(!kind.title.empty() && !kind.measure.empty(), kind.id.data());
    }
}

void SummaryTest::sentencesAreInTheOrderOfTheirPlaces() {
    std::array findings{finding("scale", 0.0), finding("copy", 1.5), finding("subtle", 11.0)};
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        const std::vector<Finding> list{findings[order[0]], findings[order[1]], findings[order[2]]};
        QCOMPARE(Audited().summary(list), std::string("It is scale. It is copy. It is subtle."));
    } while (std::ranges::next_permutation(order).found);
    // Whether a finding marks the model does not move its sentence.
    findings[2].marksModel = true;
    QCOMPARE(Audited().summary({findings[2], findings[0]}), std::string("It is scale. It is subtle."));
}

void SummaryTest::ofEqualPlacesTheListsOrderHolds() {
    QCOMPARE(Audited().summary({finding("leaks", 9.0), finding("useless", 9.0)}),
             std::string("It is leaks. It is useless."));
    QCOMPARE(Audited().summary({finding("useless", 9.0), finding("leaks", 9.0)}),
             std::string("It is useless. It is leaks."));
}

void SummaryTest::itHasAtMostThreeSentences() {
    std::vector<Finding> findings;
    double place = 20.0;
    for (const FindingKind& kind : findingKinds())
        findings.push_back(finding(kind.id, place -= 0.25));
    const auto last = [&](std::size_t back) { return findings[findings.size() - back].sentence; };
    QCOMPARE(Audited().summary(findings), last(1) + " " + last(2) + " " + last(3));
}

void SummaryTest::notesAreNeverSaid() {
    std::vector<Finding> notes;
    for (const FindingKind& kind : findingKinds()) {
        notes.push_back(finding(kind.id));
        notes.back().marksModel = true; // nor what marks the model without a place
    }
    QCOMPARE(Audited().summary(notes), std::string(kPraise));
    notes.push_back(finding("missed", 6.5));
    QCOMPARE(Audited().summary(notes), std::string("It is missed."));
}

void SummaryTest::whateverSpeaksAgainstAModelTakesItsPraise() {
    QCOMPARE(Audited().summary(), std::string(kPraise));
    Audited low;
    low.setScores({0.5, 0.4, 0.6}, {0.5, 0.4, 0.6});
    for (const FindingKind& kind : findingKinds()) {
        const std::string alone = "It is " + std::string(kind.id) + ".";
        QCOMPARE(Audited().summary({finding(kind.id, 3.0)}), alone);
        QCOMPARE(low.summary({finding(kind.id, 3.0)}), alone);
    }
}

void SummaryTest::praiseNeedsBothScores_data() {
    QTest::addColumn<double>("density");
    QTest::addColumn<double>("coverage");
    QTest::addColumn<QString>("expected");
    const QString praise = QString::fromUtf8(kPraise.data(), static_cast<qsizetype>(kPraise.size()));
    QTest::newRow("both just reach it") << 0.95 << 0.95 << praise;
    QTest::newRow("beyond 1") << 1.3 << 1.0 << praise;
    QTest::newRow("density") << 0.81 << 0.99 << "No fault found, but clipped density is 0.71 (0.61 to 0.81).";
    QTest::newRow("coverage") << 0.99 << 0.94 << "No fault found, but clipped coverage is 0.84 (0.74 to 0.94).";
    QTest::newRow("both") << 0.75 << 0.85
                          << "No fault found, but clipped density is 0.65 (0.55 to 0.75) and clipped coverage is 0.75 "
                             "(0.65 to 0.85).";
    QTest::newRow("below 0") << 0.05 << 0.99 << "No fault found, but clipped density is 0.00 (0.00 to 0.05).";
}

/// The columns are upper ends of intervals of 0.2.
void SummaryTest::praiseNeedsBothScores() {
    QFETCH(double, density);
    QFETCH(double, coverage);
    QFETCH(QString, expected);
    Audited audited;
    audited.setScores({density - 0.1, density - 0.2, density}, {coverage - 0.1, coverage - 0.2, coverage});
    QCOMPARE(QString::fromStdString(audited.summary()), expected);
}

void SummaryTest::praiseLooksAtOneRowOfEachUnit() {
    // Of a set that is given three times the scores of all rows say little.
    Audited audited;
    RealPartition units;
    units.unit = {0, 0, 0, 1, 1, 1};
    units.rows = {0, 3};
    audited.setPartition(units);
    audited.setScores({0.4, 0.3, 0.5}, {0.97, 0.95, 0.99});
    audited.tests.scores.clippedDensity = {0.98, 0.94, 1.02};
    QCOMPARE(audited.summary(), std::string(kPraise));
    audited.tests.scores.clippedDensity = {0.8, 0.7, 0.9};
    QCOMPARE(audited.summary(), std::string("No fault found, but clipped density is 0.80 (0.70 to 0.90)."));
}

void SummaryTest::withoutTestsThereIsNoPraise() {
    const Audited audited;
    FindingInputs in = audited.inputs();
    in.tests = nullptr;
    QCOMPARE(summaryOf(in, {}), std::string("No fault found in single samples."));
    in.verdicts = nullptr;
    QCOMPARE(summaryOf(in, {}),
             std::string("A quick audit does not judge single samples: it looks at too few neighbours."));
    const std::array found{finding("collapse", 0.5)};
    QCOMPARE(summaryOf(in, found), std::string("It is collapse."));
}

void SummaryTest::onlyWhatHasAPlaceIsSaidOfAnAudit() {
    const Matrix real = test::gaussian(600, 8, 5);
    const Matrix far = test::scaled(test::gaussian(60, 8, 6), 4.0F);
    const auto result =
        audit(real, test::joined(test::gaussian(500, 8, 7), test::joined(test::repeated(real, 40), far)));
    const ModelAudit& model = *result->models.front();
    std::vector<Finding> against;
    for (const Finding& one : model.findings) {
        if (one.place)
            against.push_back(one);
        else
            QVERIFY2(model.summary.find(one.sentence) == std::string::npos, one.sentence.c_str());
    }
    QVERIFY(against.size() >= 2);
    std::ranges::stable_sort(against, {}, [](const Finding& one) { return *one.place; });
    std::string expected;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, against.size()); ++i)
        expected += (i == 0 ? "" : " ") + against[i].sentence;
    QCOMPARE(model.summary, expected);
    QCOMPARE(against.front().kind->id, std::string_view("equal_to_real")); // what is certain comes first
    // The list has what marks first.
    QVERIFY(std::ranges::is_sorted(model.findings, std::ranges::greater(), &Finding::marksModel));
}

void SummaryTest::copiesOfFewSamplesSaySo_data() {
    QTest::addColumn<std::size_t>("originals");
    QTest::addColumn<float>("radius");
    QTest::addColumn<QString>("said");
    QTest::newRow("near one real sample")
        << std::size_t{1} << 0.004F << "100 % of its samples are copies of one real sample (7).";
    QTest::newRow("one real sample, again and again")
        << std::size_t{1} << 0.0F << "It produces a single output: all 300 samples are identical.";
    QTest::newRow("near twelve") << std::size_t{12} << 0.004F
                                 << "100 % of its samples are copies of only 12 real samples.";
    QTest::newRow("near each") << std::size_t{300} << 0.004F << "100 % of its samples are copies of real ones.";
}

void SummaryTest::copiesOfFewSamplesSaySo() {
    QFETCH(std::size_t, originals);
    QFETCH(float, radius);
    QFETCH(QString, said);
    const Matrix real = test::gaussian(600, 16, 5);
    Matrix samples{{}, 0, 16};
    for (std::size_t original = 0; original < originals; ++original)
        samples = test::joined(samples, around(rowOf(real, 7 + original), 300 / originals, radius));
    const auto result = audit(real, samples);
    const QString text = QString::fromStdString(result->models.front()->summary);
    QVERIFY2(text.contains(said), qPrintable(text));
    QVERIFY2(!text.contains("as good as real", Qt::CaseInsensitive) && !text.contains("No fault"), qPrintable(text));
    QVERIFY(isMarked(*result->models.front()));
}

void SummaryTest::fewSamplesAreANote() {
    const auto result = audit(test::gaussian(2000, 8, 1), test::gaussian(40, 8, 2));
    const ModelAudit& model = *result->models.front();
    const auto few =
        std::ranges::find_if(model.findings, [](const Finding& one) { return one.kind->id == "few_samples"; });
    QVERIFY(few != model.findings.end() && !few->marksModel && !few->place);
    QVERIFY(!isMarked(model));
    QVERIFY2(model.summary == "As good as real, as far as 40 samples can tell." ||
                 model.summary.starts_with("No fault found, but clipped "),
             model.summary.c_str());
}

ASSAY_TEST(summary_test, SummaryTest)
#include "summary_test.moc"
