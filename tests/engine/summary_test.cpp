// What is said of a model first: what is certain, whatever the number of samples; uncertainty qualifies it.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

constexpr double kMarking = 0.8; // beyond every kind's threshold but those of notes

/// A model of 500 samples about which nothing is known but its findings.
ModelAudit model() {
    ModelAudit made;
    made.set = test::asSet(test::gaussian(500, 2, 1), "model");
    made.metrics = {{"verdict_rejected", 0.5}, {"estimated_bad", 0.5}};
    return made;
}

/// A finding whose sentence begins as those of real ones do and names its kind.
Finding finding(const FindingKind& kind, double value = kMarking) {
    return {.kind = &kind, .value = value, .sentence = "80 % of its samples: " + std::string(kind.id) + "."};
}

std::string summary(const ModelAudit& made, const std::vector<Finding>& findings) {
    const RealAnalysis real;
    return summaryOf({real, nullptr, nullptr, made, 0.05}, findings);
}

/// Where a summary speaks of kinds of findings: groups, the first first.
int groupOf(std::string_view kind) {
    const std::vector<std::vector<std::string_view>> groups{{"copies", "over_represented", "unrealistic"},
                                                            {"new_combinations"},
                                                            {"collapse", "duplicates"},
                                                            {"missing_classes", "missing_modes", "missed"},
                                                            {"wrong_labels"},
                                                            {"shrunken", "scattered"},
                                                            {"few_samples"}};
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (std::ranges::find(groups[g], kind) != groups[g].end())
            return static_cast<int>(g);
    return -1;
}

/// Whether the first kind says what the second does, which is left out then.
bool isSaidBy(std::string_view first, std::string_view second) {
    return first == "collapse" && (second == "shrunken" || second == "scattered");
}

std::vector<const FindingKind*> spokenKinds() {
    std::vector<const FindingKind*> kinds;
    for (const FindingKind& kind : findingKinds())
        if (groupOf(kind.id) >= 0)
            kinds.push_back(&kind);
    return kinds;
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
    void pairsOfFindingsKeepTheirOrder_data();
    void pairsOfFindingsKeepTheirOrder();
    void notesAreNoPartOfIt();
    void whatDoesNotMarkGivesWay();
    void praiseNeedsSamplesAndVariety();
    void certainFindingsAreListedBeforeFewSamples();
    void copiesOfFewSamplesSaySo_data();
    void copiesOfFewSamplesSaySo();
    void mostRegionsAreOneShare();
    void withoutFaultFewSamplesQualify();
};

void SummaryTest::pairsOfFindingsKeepTheirOrder_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    for (const FindingKind* first : spokenKinds())
        for (const FindingKind* second : spokenKinds())
            if (groupOf(first->id) < groupOf(second->id) && !isSaidBy(first->id, second->id)) {
                const auto name = [](const FindingKind* kind) {
                    return QString::fromUtf8(kind->id.data(), static_cast<qsizetype>(kind->id.size()));
                };
                QTest::newRow(qPrintable(name(first) + ", " + name(second))) << name(first) << name(second);
            }
}

/// Neither masks the other, in whichever order the list has them.
void SummaryTest::pairsOfFindingsKeepTheirOrder() {
    QFETCH(QString, first);
    QFETCH(QString, second);
    const auto of = [](const QString& id) {
        const auto kinds = findingKinds();
        return finding(*std::ranges::find(kinds, id.toStdString(), &FindingKind::id));
    };
    for (const bool turned : {false, true}) {
        const std::vector<Finding> list =
            turned ? std::vector{of(second), of(first)} : std::vector{of(first), of(second)};
        const QString text = QString::fromStdString(summary(model(), list));
        const auto begins = text.indexOf(": " + first);
        const auto goesOn = text.indexOf(": " + second + ".");
        QVERIFY2(begins >= 0 && goesOn > begins, qPrintable(text));
    }
}

void SummaryTest::notesAreNoPartOfIt() {
    std::vector<Finding> notes;
    for (const FindingKind& kind : findingKinds())
        if (kind.markFrom == std::numeric_limits<double>::infinity() && kind.id != "held_out_leaks") // hides copies
            notes.push_back(finding(kind, 1000.0));
    QVERIFY(notes.size() >= 6);
    QCOMPARE(summary(model(), notes), std::string("As good as real, as far as 500 samples can tell."));
}

void SummaryTest::whatDoesNotMarkGivesWay() {
    const auto kinds = findingKinds();
    const auto of = [&](std::string_view id, double value) {
        return finding(*std::ranges::find(kinds, id, &FindingKind::id), value);
    };
    // A slight accusation is said, but after what marks the model.
    const QString text = QString::fromStdString(summary(model(), {of("missed", 0.6), of("copies", 0.01)}));
    QVERIFY2(text.indexOf("missed") < text.indexOf("copies"), qPrintable(text));
    QVERIFY2(text.indexOf("missed") >= 0, qPrintable(text));
    // What is slightly missing is said if there is nothing else.
    QVERIFY(summary(model(), {of("copies", 0.6), of("missed", 0.01)}).find("missed") == std::string::npos);
    QVERIFY(summary(model(), {of("missed", 0.01)}).find("missed") != std::string::npos);
}

void SummaryTest::praiseNeedsSamplesAndVariety() {
    const auto kinds = findingKinds();
    const auto of = [&](std::string_view id) { return finding(*std::ranges::find(kinds, id, &FindingKind::id)); };
    const std::string praise = "The rest are as good as real ones.";
    QVERIFY(summary(model(), {of("copies")}).find(praise) != std::string::npos);
    for (const std::string_view doubt :
         {"few_samples", "crowded_combinations", "new_combinations", "collapse", "duplicates", "shrunken", "scattered"})
        QVERIFY2(summary(model(), {of("copies"), of(doubt)}).find(praise) == std::string::npos, doubt.data());
}

void SummaryTest::certainFindingsAreListedBeforeFewSamples() {
    const Matrix real = test::gaussian(400, 16, 5);
    const Matrix near = test::joined(around(rowOf(real, 7), 150, 0.004F), test::gaussian(50, 16, 6));
    const std::vector<Finding> found = audit(real, near)->models.front()->findings;
    const auto few = std::ranges::find_if(found, [](const Finding& f) { return f.kind->id == "few_samples"; });
    QVERIFY(few != found.end() && few->marks() && few != found.begin());
    QVERIFY(std::all_of(found.begin(), few, [](const Finding& f) { return f.marks(); }));
    QVERIFY(std::none_of(few + 1, found.end(), [](const Finding& f) { return f.marks(); }));
}

void SummaryTest::copiesOfFewSamplesSaySo_data() {
    QTest::addColumn<std::size_t>("originals");
    QTest::addColumn<float>("radius");
    QTest::addColumn<QString>("begins");
    QTest::newRow("near one real sample")
        << std::size_t{1} << 0.004F << "100 % of its samples are copies of one real sample (7).";
    QTest::newRow("one real sample, again and again")
        << std::size_t{1} << 0.0F << "100 % of its samples are copies of one real sample (7).";
    QTest::newRow("near twelve") << std::size_t{12} << 0.004F
                                 << "100 % of its samples are copies of only 12 real samples.";
    QTest::newRow("near each") << std::size_t{300} << 0.004F << "100 % of its samples are copies of real ones.";
}

void SummaryTest::copiesOfFewSamplesSaySo() {
    QFETCH(std::size_t, originals);
    QFETCH(float, radius);
    QFETCH(QString, begins);
    const Matrix real = test::gaussian(600, 16, 5);
    Matrix samples{{}, 0, 16};
    for (std::size_t original = 0; original < originals; ++original)
        samples = test::joined(samples, around(rowOf(real, 7 + original), 300 / originals, radius));
    const auto result = audit(real, samples);
    const QString text = QString::fromStdString(result->models.front()->summary);
    QVERIFY2(text.startsWith(begins), qPrintable(text));
    if (originals > 1)
        return;
    QVERIFY2(text.contains(" It misses 9"), qPrintable(text));
    QVERIFY2(text.contains(QString::fromUtf8("With only 300 samples, its clipped density is uncertain by ± 0.")),
             qPrintable(text));
    QVERIFY2(!text.contains("as good as real"), qPrintable(text));
}

void SummaryTest::mostRegionsAreOneShare() {
    const auto kinds = findingKinds();
    const auto of = [&](std::string_view id, double value) {
        return finding(*std::ranges::find(kinds, id, &FindingKind::id), value);
    };
    QVERIFY(summary(model(), {of("missed", 0.9), of("missing_modes", 0.9)}).find(": missed") != std::string::npos);
    QVERIFY(summary(model(), {of("missed", 0.3), of("missing_modes", 0.3)}).find(": missing_modes") !=
            std::string::npos);
    // Names of classes say more, and what they do not explain is said too.
    const std::string both =
        summary(model(), {of("missed", 0.6), of("missing_modes", 0.3), of("missing_classes", 0.3)});
    QVERIFY(both.find(": missing_classes") < both.find(": missing_modes"));
    QVERIFY(both.find(": missing_modes") != std::string::npos && both.find(": missed") == std::string::npos);
}

void SummaryTest::withoutFaultFewSamplesQualify() {
    const auto result = audit(test::gaussian(2000, 8, 1), test::gaussian(40, 8, 2));
    const QString text = QString::fromStdString(result->models.front()->summary);
    QVERIFY2(text.startsWith("No fault found. With only 40 samples, its clipped "), qPrintable(text));
    QVERIFY(isMarked(*result->models.front()));
}

ASSAY_TEST(summary_test, SummaryTest)
#include "summary_test.moc"
