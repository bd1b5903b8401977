// The samples that stand for a finding: one for each group of them, chosen alike whatever computes.
#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/find_by.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

std::shared_ptr<const AuditResult> examplesAudit(const Matrix& real, const Matrix& model, unsigned threads = 2) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(model, "model")}};
    request.options.threads = threads;
    return runAudit(request);
}

const Finding* findingIn(const ModelAudit& model, std::string_view id) {
    const auto at =
        std::ranges::find_if(model.findings, [&](const Finding& finding) { return finding.kind->id == id; });
    return at == model.findings.end() ? nullptr : &*at;
}

MatrixView setOf(const AuditResult& audit, const Finding& finding) {
    return (finding.side == Side::Real ? *audit.real->set : *audit.models.front()->set).matrix();
}

/// The sample nearest to the mean of some samples, the lower one on ties; in long double, row by row.
std::uint32_t naiveMedoid(MatrixView set, const std::vector<std::uint32_t>& rows) {
    std::vector<long double> mean(set.dim, 0.0L);
    for (const std::uint32_t row : rows)
        for (std::size_t c = 0; c < set.dim; ++c)
            mean[c] += static_cast<long double>(set.row(row)[c]) / static_cast<long double>(rows.size());
    std::uint32_t best = 0;
    long double least = std::numeric_limits<long double>::infinity();
    for (const std::uint32_t row : rows) {
        long double squared = 0.0L;
        for (std::size_t c = 0; c < set.dim; ++c) {
            const long double apart = static_cast<long double>(set.row(row)[c]) - mean[c];
            squared += apart * apart;
        }
        if (squared < least) {
            least = squared;
            best = row;
        }
    }
    return best;
}

/// Good samples, then `each` in every one of `places` narrow clouds far from the real set and from each other.
Matrix withClouds(std::size_t good, std::size_t places, std::size_t each) {
    Matrix made = test::gaussian(good, 6, 2);
    for (std::size_t place = 0; place < places; ++place) {
        Matrix cloud = test::gaussian(each, 6, 10 + static_cast<unsigned>(place), 0.0F, 0.3F);
        for (std::size_t row = 0; row < each; ++row)
            cloud.values[row * 6 + place % 6] += place < 6 ? 12.0F : -12.0F;
        made = test::joined(made, cloud);
    }
    return made;
}

/// The finding about the samples of withClouds() that are no good ones.
const Finding* aboutClouds(const AuditResult& audit) {
    for (const char* id : {"unrealistic", "invented", "crowded"})
        if (const Finding* found = findingIn(*audit.models.front(), id))
            return found;
    return nullptr;
}

} // namespace

class FindingExamplesTest : public QObject {
    Q_OBJECT

private slots:
    void everyGroupIsStoodForByItsMedoid_data();
    void everyGroupIsStoodForByItsMedoid();
    void eachPlaceHasItsExample();
    void copiesAreGroupedByTheirOriginal();
    void copiesOfManyAreGroupedByLikeness();
    void fewSamplesHaveFewExamples();
    void anyNumberOfThreadsChoosesTheSame();
    void anEarlierPhaseIsTakenOver();
    void aPartOfASetGetsNone();
    void jsonHasIdsAndCounts();
    void filesOfEarlierVersionsGetThem();
};

void FindingExamplesTest::everyGroupIsStoodForByItsMedoid_data() {
    QTest::addColumn<std::size_t>("each");
    QTest::newRow("all samples are clustered") << std::size_t{60};
    QTest::newRow("some of the samples are clustered") << std::size_t{kExampleRows / 3};
}

void FindingExamplesTest::everyGroupIsStoodForByItsMedoid() {
    QFETCH(std::size_t, each);
    const auto audit = examplesAudit(test::gaussian(2000, 6, 1), withClouds(1000, 4, each));
    std::size_t checked = 0;
    for (const Finding& finding : audit->models.front()->findings) {
        QCOMPARE(finding.examples.empty(), finding.rows.empty());
        QCOMPARE(finding.exampleOf.size(), finding.rows.size());
        QVERIFY(finding.examples.size() <= kMaxExamples);
        std::size_t all = 0;
        for (std::size_t at = 0; at < finding.examples.size(); ++at) {
            const std::vector<std::uint32_t> like = finding.rowsLike(at);
            QCOMPARE(std::size_t{finding.examples[at].count}, like.size());
            QCOMPARE(finding.examples[at].row, naiveMedoid(setOf(*audit, finding), like));
            QVERIFY(at == 0 || finding.examples[at].count <= finding.examples[at - 1].count);
            all += like.size();
            ++checked;
        }
        QCOMPARE(all, finding.rows.size());
    }
    const Finding* clouds = aboutClouds(*audit);
    QVERIFY(clouds != nullptr);
    QCOMPARE(clouds->rows.size() > kExampleRows, each > kExampleRows / 4);
    QVERIFY(checked >= 4);
}

void FindingExamplesTest::eachPlaceHasItsExample() {
    const auto audit = examplesAudit(test::gaussian(1500, 6, 1), withClouds(1000, 5, 80));
    const Finding* clouds = aboutClouds(*audit);
    QVERIFY(clouds != nullptr);
    std::map<std::uint32_t, std::size_t> shown; // cloud, its examples
    for (const FindingExample& example : clouds->examples)
        if (example.row >= 1000)
            ++shown[(example.row - 1000) / 80];
    QCOMPARE(shown.size(), std::size_t{5});
}

void FindingExamplesTest::copiesAreGroupedByTheirOriginal() {
    const Matrix real = test::gaussian(800, 16, 1);
    // Seven originals, of which the first has one copy, the second two, and so on.
    Matrix copies{{}, 0, 16};
    for (std::size_t original = 0; original < 7; ++original) {
        Matrix one{{}, 1, 16};
        const auto row = real.view().row(100 + original);
        one.values.assign(row.begin(), row.end());
        Matrix several = test::repeated(one, 2 * (original + 1));
        const Matrix noise = test::gaussian(several.rows, 16, 20 + static_cast<unsigned>(original), 0.0F, 0.002F);
        std::ranges::transform(several.values, noise.values, several.values.begin(), std::plus());
        copies = test::joined(copies, several);
    }
    const auto audit = examplesAudit(real, test::joined(test::gaussian(400, 16, 2), copies));
    const Finding* found = findingIn(*audit->models.front(), "copy");
    QVERIFY(found != nullptr);
    QCOMPARE(found->rows.size(), std::size_t{56});
    QCOMPARE(found->examples.size(), kMaxExamples);
    for (std::size_t at = 0; at < found->examples.size(); ++at) {
        const FindingExample& example = found->examples[at];
        QCOMPARE(example.original, std::optional<std::uint32_t>(106 - at));
        QCOMPARE(std::size_t{example.count}, 2 * (7 - at));
        QCOMPARE(example.row, naiveMedoid(setOf(*audit, *found), found->rowsLike(at)));
        for (const std::uint32_t row : found->rowsLike(at))
            QCOMPARE(std::size_t{audit->models.front()->tables->synthetic.nearest.indexAt(row, 0)}, 106 - at);
    }
    // Copies of the two other originals are like none of those shown.
    QCOMPARE(std::ranges::count(found->exampleOf, Finding::kNoExample), 6);
}

void FindingExamplesTest::copiesOfManyAreGroupedByLikeness() {
    const Matrix real = test::gaussian(800, 16, 1);
    const auto audit = examplesAudit(real, test::joined(test::gaussian(400, 16, 2), test::repeated(real, 200)));
    const Finding* found = findingIn(*audit->models.front(), "equal_to_real");
    QVERIFY(found != nullptr);
    QCOMPARE(std::ranges::count(found->exampleOf, Finding::kNoExample), 0);
    for (std::size_t at = 0; at < found->examples.size(); ++at) {
        const FindingExample& example = found->examples[at];
        QVERIFY(example.count > 1);
        QCOMPARE(example.original, std::optional<std::uint32_t>(example.row - 400));
        QCOMPARE(example.row, naiveMedoid(setOf(*audit, *found), found->rowsLike(at)));
    }
}

void FindingExamplesTest::fewSamplesHaveFewExamples() {
    const Matrix real = test::gaussian(400, 5, 1);
    const auto audit = examplesAudit(test::joined(real, test::repeated(real, 3)), test::gaussian(400, 5, 2));
    const Finding* duplicates = findingIn(*audit->models.front(), "real_duplicates");
    if (duplicates == nullptr) // 6 of 403 are 1.5 %
        QFAIL("no finding");
    QCOMPARE(duplicates->rows.size(), std::size_t{6});
    // Three different samples, each of them twice.
    QCOMPARE(duplicates->examples.size(), std::size_t{3});
    for (const FindingExample& example : duplicates->examples) {
        QCOMPARE(example.count, 2U);
        QVERIFY(example.row < 3);
        QVERIFY(!example.original);
    }
}

void FindingExamplesTest::anyNumberOfThreadsChoosesTheSame() {
    const Matrix real = test::gaussian(2000, 6, 1);
    const Matrix model = test::joined(withClouds(800, 7, 400), test::repeated(real, 300));
    const auto one = examplesAudit(real, model, 1);
    QVERIFY(findingIn(*one->models.front(), "equal_to_real") != nullptr && aboutClouds(*one) != nullptr);
    for (const unsigned threads : {2U, 5U}) {
        const auto other = examplesAudit(real, model, threads);
        QCOMPARE(other->models.front()->findings.size(), one->models.front()->findings.size());
        for (std::size_t at = 0; at < one->models.front()->findings.size(); ++at) {
            QCOMPARE(other->models.front()->findings[at].examples, one->models.front()->findings[at].examples);
            QCOMPARE(other->models.front()->findings[at].exampleOf, one->models.front()->findings[at].exampleOf);
        }
    }
}

void FindingExamplesTest::anEarlierPhaseIsTakenOver() {
    const auto audit = examplesAudit(test::gaussian(600, 6, 1), withClouds(400, 2, 50));
    const ModelAudit& model = *audit->models.front();
    std::vector<Finding> before = model.findings;
    std::vector<Finding> bare = model.findings;
    for (std::size_t at = 0; at < bare.size(); ++at) {
        bare[at].examples.clear();
        bare[at].exampleOf.clear();
        for (FindingExample& example : before[at].examples)
            example.count += 1000; // what no choice would find
    }
    const FindingInputs in{*audit->real, audit->described.get(), nullptr, model, 0.05};
    const std::vector<Finding> after = withExamples(bare, before, in, {audit->seed, 2});
    for (std::size_t at = 0; at < after.size(); ++at)
        QCOMPARE(after[at].examples, before[at].examples);
    // Of other samples they are chosen anew.
    for (Finding& finding : before)
        if (!finding.rows.empty())
            finding.rows.pop_back();
    const std::vector<Finding> anew = withExamples(bare, before, in, {audit->seed, 2});
    for (std::size_t at = 0; at < anew.size(); ++at)
        QCOMPARE(anew[at].examples, model.findings[at].examples);
}

void FindingExamplesTest::aPartOfASetGetsNone() {
    const auto audit = examplesAudit(test::gaussian(600, 6, 1), withClouds(400, 2, 50));
    EmbeddingParts parts = EmbeddingParts::of(test::gaussian(200, 6, 2).values, 6, "model");
    parts.rows = audit->models.front()->set->rows();
    parts.held = RowRange{0, 200};
    ModelAudit model = *audit->models.front();
    model.set = std::make_shared<const EmbeddingSet>(std::move(parts));
    std::vector<Finding> bare = model.findings;
    for (Finding& finding : bare)
        finding.examples.clear();
    const FindingInputs in{*audit->real, audit->described.get(), nullptr, model, 0.05};
    for (const Finding& finding : withExamples(bare, {}, in, {audit->seed, 2}))
        QVERIFY(finding.examples.empty() == (finding.side == Side::Synthetic || finding.rows.empty()));
}

void FindingExamplesTest::jsonHasIdsAndCounts() {
    const Matrix real = test::gaussian(800, 16, 1);
    const auto audit = examplesAudit(real, test::joined(test::gaussian(400, 16, 2), test::repeated(real, 200)));
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit))).object();
    const QJsonArray findings = json["models"][0]["findings"].toArray();
    const Finding* copies = findingIn(*audit->models.front(), "equal_to_real");
    QVERIFY(copies != nullptr);
    for (const QJsonValue& finding : findings) {
        if (finding["id"].toString() != "equal_to_real")
            continue;
        const QJsonArray examples = finding["examples"].toArray();
        QCOMPARE(examples.size(), static_cast<qsizetype>(kMaxExamples));
        for (qsizetype at = 0; at < examples.size(); ++at) {
            const FindingExample& expected = copies->examples[static_cast<std::size_t>(at)];
            QCOMPARE(examples[at]["row"].toInt(), static_cast<int>(expected.row));
            QCOMPARE(examples[at]["id"].toString(), QString::number(expected.row));
            QCOMPARE(examples[at]["count"].toInt(), static_cast<int>(expected.count));
            QCOMPARE(examples[at]["original"]["row"].toInt(), static_cast<int>(expected.original.value()));
        }
        return;
    }
    QFAIL("no finding");
}

void FindingExamplesTest::filesOfEarlierVersionsGetThem() {
    const auto audit = examplesAudit(test::gaussian(600, 6, 1), withClouds(400, 2, 50));
    AuditResult older = *audit;
    auto model = std::make_shared<ModelAudit>(*older.models.front());
    for (Finding& finding : model->findings) {
        finding.examples.clear();
        finding.exampleOf.clear();
    }
    older.models.front() = model;
    const QTemporaryDir folder;
    const std::string file = folder.filePath("older.assay").toStdString();
    writeAuditFile(older, file, {}, nullptr, {.inputs = InputData::Packed});
    const auto opened = readAuditFile(file);
    for (std::size_t at = 0; at < model->findings.size(); ++at) {
        QCOMPARE(opened->models.front()->findings[at].examples, audit->models.front()->findings[at].examples);
        QCOMPARE(opened->models.front()->findings[at].exampleOf, audit->models.front()->findings[at].exampleOf);
    }
}

ASSAY_TEST(finding_examples_test, FindingExamplesTest)
#include "finding_examples_test.moc"
