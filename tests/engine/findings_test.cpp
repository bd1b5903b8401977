// What is said to be wrong with models whose faults are known, and nothing where there is none.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/math/statistics/binomial.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

/// Four well separated classes in equal numbers, row r of class r % 4; `without` leaves classes out.
struct Labelled {
    Matrix values;
    std::vector<std::uint32_t> labels;
};

Labelled classes(std::size_t rows, unsigned seed, std::size_t firstClasses = 4) {
    Labelled made{test::gaussian(rows, 6, seed), {}};
    for (std::size_t row = 0; row < rows; ++row) {
        const auto label = static_cast<std::uint32_t>(row % firstClasses);
        made.values.values[row * 6 + label] += 12.0F;
        made.labels.push_back(label);
    }
    return made;
}

std::shared_ptr<const EmbeddingSet> labelled(const Labelled& from, const std::string& name) {
    EmbeddingParts parts;
    parts.values = FloatStorage(std::vector<float>(from.values.values));
    parts.rows = from.values.rows;
    parts.dim = from.values.dim;
    parts.name = name;
    parts.labels.names = {"ant", "bee", "cat", "dog"};
    parts.labels.code = from.labels;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const AuditResult> audit(const std::shared_ptr<const EmbeddingSet>& real,
                                         const std::shared_ptr<const EmbeddingSet>& model,
                                         const std::shared_ptr<const EmbeddingSet>& heldOut = nullptr) {
    AuditRequest request;
    request.real = real;
    request.models = {{"model", model}};
    request.heldOut = heldOut;
    return runAudit(request);
}

std::shared_ptr<const AuditResult> audit(const Matrix& real, const Matrix& model) {
    return audit(test::asSet(real, "real"), test::asSet(model, "model"));
}

const Finding* find(const AuditResult& result, std::string_view id) {
    for (const Finding& finding : result.models.front()->findings)
        if (finding.kind->id == id)
            return &finding;
    return nullptr;
}

} // namespace

class FindingsTest : public QObject {
    Q_OBJECT

private slots:
    void goodSamplesAreAsGoodAsReal();
    void aDenseSpotWhereNothingIsIsInvented();
    void gravestModelHasTheMostToSay();
    void copiesComeFirst();
    void allThatSingleSamplesAreAccusedOfIsSaid();
    void aLostClassIsNamedWhateverStrayLabelsSay();
    void aLostClassOfAnUnlabelledModelIsNamed();
    void aLostRegionIsFoundWithoutLabels();
    void whatALostRegionExplainsIsNotCalledBad();
    void littleVarietyIsFound();
    void fewSamplesAreANote();
    void setsOfOtherSizesAreANote();
    void duplicatesAndLeaksAreNotes();
    void wrongLabelsAreFound();
    void featuresOnOtherScalesAreANote();
    void kindsAreUnique();
    void exactSharesEncloseTheTruth();
    void twoSharesAreToldApart();
};

void FindingsTest::goodSamplesAreAsGoodAsReal() {
    const auto result = audit(test::gaussian(1500, 8, 1), test::gaussian(1500, 8, 2));
    for (const Finding& finding : result->models.front()->findings)
        QVERIFY2(!finding.place && !finding.marksModel, finding.sentence.c_str());
    QVERIFY(result->models.front()->summary.starts_with("As good as real"));
    QVERIFY(!isMarked(*result->models.front()));
}

void FindingsTest::aDenseSpotWhereNothingIsIsInvented() {
    const auto result = audit(test::gaussian(1000, 8, 1),
                              test::joined(test::gaussian(700, 8, 2), test::gaussian(300, 8, 3, 4.0F, 0.5F)));
    const Finding* noise = find(*result, "invented");
    if (noise == nullptr)
        noise = find(*result, "unrealistic");
    QVERIFY(noise != nullptr && noise->marks());
    QVERIFY(noise->value > 0.25 && noise->value < 0.35);
    QVERIFY(noise->low && *noise->low<noise->value&& * noise->high> noise->value);
    const auto planted = std::count_if(noise->rows.begin(), noise->rows.end(), [](auto row) { return row >= 700; });
    QVERIFY(planted > 280);
    QCOMPARE(noise->rules, FilterRules{verdictRule()});
    QVERIFY(result->models.front()->summary.starts_with("30 % of its samples are "));
    QVERIFY(isMarked(*result->models.front()));
}

void FindingsTest::gravestModelHasTheMostToSay() {
    constexpr FindingKind kCopies{"copy", "Copies", ""};
    constexpr FindingKind kUnrealistic{"unrealistic", "Unrealistic samples", ""};
    constexpr FindingKind kNote{"sizes", "Sets of different sizes", ""};
    const auto real = std::make_shared<RealAnalysis>();
    real->set = test::asSet(test::gaussian(100, 2, 1), "real");
    AuditResult result;
    result.real = real;
    const auto add = [&](const FindingKind& kind, double value, std::uint32_t rows) {
        auto model = std::make_shared<ModelAudit>();
        model->set = test::asSet(test::gaussian(100, 2, 2), "model");
        Finding finding;
        finding.kind = &kind;
        finding.value = value;
        finding.marksModel = kind.id != "sizes";
        for (std::uint32_t row = 0; row < rows; ++row)
            finding.rows.push_back(row);
        model->findings = {finding};
        result.models.push_back(model);
    };
    add(kNote, 1.0, 0); // marks no model, whatever its value
    QCOMPARE(gravestModel(result), std::size_t{0});
    add(kUnrealistic, 0.3, 30);
    add(kUnrealistic, 0.3, 30); // of equal ones the first
    QCOMPARE(gravestModel(result), std::size_t{1});
    add(kCopies, 0.2, 20); // copies count twice
    QCOMPARE(gravestModel(result), std::size_t{3});
    add(kUnrealistic, 0.5, 50);
    QCOMPARE(gravestModel(result), std::size_t{4});
}

void FindingsTest::copiesComeFirst() {
    const Matrix real = test::gaussian(1000, 16, 1);
    const auto result = audit(real, test::joined(test::gaussian(300, 16, 2), test::repeated(real, 700)));
    const Finding& first = result->models.front()->findings.front();
    QCOMPARE(first.kind->id, std::string_view("equal_to_real")); // a fact needs no p-value
    QVERIFY(first.value == 700.0 && first.marksModel);
    QVERIFY(result->models.front()->summary.starts_with("700 of its samples equal a training row; none of 1,000 real"));
}

void FindingsTest::allThatSingleSamplesAreAccusedOfIsSaid() {
    const Matrix real = test::gaussian(1000, 16, 1);
    const Matrix copiesAndFar = test::joined(test::repeated(real, 250), test::scaled(test::gaussian(100, 16, 4), 4.0F));
    const auto result = audit(real, test::joined(test::gaussian(650, 16, 2), copiesAndFar));
    QVERIFY(find(*result, "equal_to_real") != nullptr);
    QVERIFY(find(*result, "unrealistic") != nullptr);
    const QString summary = QString::fromStdString(result->models.front()->summary);
    QVERIFY2(summary.startsWith("250 of its samples equal a training row"), qPrintable(summary));
    QVERIFY2(summary.contains(" of its samples are unrealistic: far from all real ones."), qPrintable(summary));
}

void FindingsTest::aLostClassIsNamedWhateverStrayLabelsSay() {
    Labelled model = classes(900, 2, 3);
    for (std::size_t row = 0; row < 9; ++row) // a classifier's mistakes
        model.labels[row] = 3;
    const auto result = audit(labelled(classes(1200, 1), "real"), labelled(model, "model"));
    const Finding* missing = find(*result, "class_shares");
    QVERIFY(missing != nullptr && missing->marksModel);
    QCOMPARE(missing->classes, std::vector<std::string>{"dog"});
    QCOMPARE(missing->side, Side::Real);
    QCOMPARE(missing->rows.size(), std::size_t{300});
    QCOMPARE(missing->value, 0.25);
    QCOMPARE(missing->sentence, std::string("It hardly ever makes class dog (25 % of the real samples)."));
    QVERIFY(find(*result, "modes") == nullptr); // the name says more
    QVERIFY(result->models.front()->summary.find("dog") != std::string::npos);
}

void FindingsTest::aLostClassOfAnUnlabelledModelIsNamed() {
    const auto result = audit(labelled(classes(1200, 1), "real"), test::asSet(classes(1200, 2, 3).values, "model"));
    const Finding* missing = find(*result, "class_shares");
    QVERIFY(missing != nullptr);
    QCOMPARE(missing->classes, std::vector<std::string>{"dog"});
}

void FindingsTest::aLostRegionIsFoundWithoutLabels() {
    const auto result = audit(classes(1200, 1).values, classes(1200, 2, 3).values);
    const auto& all = result->models.front()->findings;
    const auto missing = std::ranges::find_if(
        all, [](const Finding& one) { return one.kind->id == "modes" && one.side == Side::Real; });
    QVERIFY(missing != all.end() && missing->marksModel);
    QVERIFY(missing->value > 0.2 && missing->value < 0.3);
    const auto lost = std::count_if(missing->rows.begin(), missing->rows.end(), [](auto row) { return row % 4 == 3; });
    QVERIFY(static_cast<std::size_t>(lost) == missing->rows.size());
}

void FindingsTest::whatALostRegionExplainsIsNotCalledBad() {
    // Its samples are good: what they are too many in one region is what they lack in three.
    const auto result = audit(classes(1200, 1).values, classes(1200, 2, 1).values);
    const ModelAudit& model = *result->models.front();
    QVERIFY(find(*result, "modes") != nullptr);
    QVERIFY(model.metric("estimated_bad") > 0.75 && model.metric("verdict_rejected") < 0.1);
    QVERIFY(model.metric("bad_share") < 0.15);
}

void FindingsTest::littleVarietyIsFound() {
    const auto result = audit(test::gaussian(1000, 8, 1), test::gaussian(1000, 8, 2, 0.0F, 0.6F));
    const Finding* shrunken = find(*result, "shrunken");
    QVERIFY(shrunken != nullptr && shrunken->marksModel);
    QVERIFY(std::abs(shrunken->value - 0.6) < 0.08);
    const auto wide = audit(test::gaussian(1000, 8, 1), test::gaussian(1000, 8, 2, 0.0F, 1.5F));
    const Finding* scattered = find(*wide, "scattered");
    QVERIFY(scattered != nullptr && std::abs(scattered->value - 1.5) < 0.15);
}

void FindingsTest::fewSamplesAreANote() {
    const auto result = audit(test::gaussian(2000, 8, 1), test::gaussian(40, 8, 2));
    const Finding* few = find(*result, "few_samples");
    QVERIFY(few != nullptr && !few->marksModel && !few->place);
    QVERIFY(find(*result, "shrunken") == nullptr && find(*result, "scattered") == nullptr); // sizes are allowed for
}

void FindingsTest::setsOfOtherSizesAreANote() {
    QVERIFY(find(*audit(test::gaussian(500, 4, 1), test::gaussian(540, 4, 2)), "sizes") == nullptr);
    const auto result = audit(test::gaussian(500, 4, 1), test::gaussian(700, 4, 2));
    const Finding* sizes = find(*result, "sizes");
    QVERIFY(sizes != nullptr && !sizes->marksModel);
    QCOMPARE(sizes->value, 0.4);
}

void FindingsTest::duplicatesAndLeaksAreNotes() {
    const Matrix once = test::gaussian(400, 5, 1);
    const Matrix real = test::joined(once, test::repeated(once, 40));
    const Matrix heldOut = test::joined(test::gaussian(280, 5, 3), test::repeated(once, 20));
    const auto result = audit(test::asSet(real, "real"), test::asSet(test::gaussian(400, 5, 2), "model"),
                              test::asSet(heldOut, "held-out"));
    const Finding* duplicates = find(*result, "real_duplicates");
    QVERIFY(duplicates != nullptr && !duplicates->marksModel);
    QCOMPARE(duplicates->rows.size(), std::size_t{80});
    // Of a set without repeats of its own, held-out samples that are in it leave every calibration.
    const auto contaminated = audit(test::asSet(once, "real"), test::asSet(test::gaussian(400, 5, 2), "model"),
                                    test::asSet(heldOut, "held-out"));
    const Finding* leaks = find(*contaminated, "held_out_contaminated");
    QVERIFY(leaks != nullptr && !leaks->marksModel && !leaks->place);
    QCOMPARE(leaks->value, 20.0);
    const auto elsewhere = audit(test::asSet(once, "real"), test::asSet(test::gaussian(400, 5, 2), "model"),
                                 test::asSet(test::gaussian(300, 5, 3, 50.0F), "held-out"));
    QVERIFY(find(*elsewhere, "held_out_unlike") != nullptr);
}

void FindingsTest::wrongLabelsAreFound() {
    // Four clusters far apart, each a class.
    const auto clustered = [](std::size_t rows, unsigned seed, std::size_t wrongEvery) {
        Matrix points = test::gaussian(rows, 6, seed);
        EmbeddingParts parts;
        parts.labels.names = {"a", "b", "c", "d"};
        for (std::size_t row = 0; row < rows; ++row) {
            points.values[row * 6 + row % 4] += 20.0F;
            const bool wrong = wrongEvery > 0 && row % wrongEvery == 0;
            parts.labels.code.push_back(static_cast<std::uint32_t>((row + (wrong ? 1 : 0)) % 4));
        }
        parts.name = "set " + std::to_string(seed);
        parts.rows = rows;
        parts.dim = 6;
        parts.values = points.values;
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    const auto right = audit(clustered(400, 1, 0), clustered(400, 2, 0));
    QVERIFY(find(*right, "wrong_labels") == nullptr);
    const auto wrong = audit(clustered(400, 1, 0), clustered(400, 2, 5));
    const Finding* found = find(*wrong, "wrong_labels");
    QVERIFY(found != nullptr && found->marksModel);
    QVERIFY(found->value > 0.17 && found->value < 0.23 && *found->low < found->value);
    for (const std::uint32_t row : found->rows)
        QVERIFY(row % 5 == 0);
    QVERIFY2(QString::fromStdString(wrong->models[0]->summary).contains("carry another label"),
             wrong->models[0]->summary.c_str());
}

void FindingsTest::featuresOnOtherScalesAreANote() {
    const auto stretched = [](Matrix matrix) {
        for (std::size_t row = 0; row < matrix.rows; ++row)
            matrix.values[row * matrix.dim] *= 5000.0F;
        return matrix;
    };
    const auto result = audit(stretched(test::gaussian(400, 5, 1)), stretched(test::gaussian(400, 5, 2)));
    const Finding* scales = find(*result, "scales");
    QVERIFY(scales != nullptr && scales->value > 4000.0 && scales->value < 6000.0);
    QVERIFY(find(*audit(test::gaussian(400, 5, 1), test::gaussian(400, 5, 2)), "scales") == nullptr);
}

void FindingsTest::kindsAreUnique() {
    std::vector<std::string_view> ids;
    for (const FindingKind& kind : findingKinds()) {
        QVERIFY(std::find(ids.begin(), ids.end(), kind.id) == ids.end());
        ids.push_back(kind.id);
    }
}

void FindingsTest::exactSharesEncloseTheTruth() {
    const Bounds none = clopperPearson(0, 10); // 1 - 0.025^(1/10)
    QCOMPARE(none.low, 0.0);
    QVERIFY(std::abs(none.high - (1.0 - std::pow(0.025, 0.1))) < 1e-9);
    const Bounds all = clopperPearson(10, 10);
    QCOMPARE(all.high, 1.0);
    QVERIFY(std::abs(all.low - std::pow(0.025, 0.1)) < 1e-9);
    const Bounds some = clopperPearson(7, 20); // by the binomial sums that define it
    const auto tail = [](double p, int from, int to) {
        double sum = 0.0;
        for (int x = from; x <= to; ++x)
            sum += std::exp(std::lgamma(21.0) - std::lgamma(x + 1.0) - std::lgamma(21.0 - x)) * std::pow(p, x) *
                   std::pow(1.0 - p, 20 - x);
        return sum;
    };
    QVERIFY(std::abs(tail(some.low, 7, 20) - 0.025) < 1e-9);
    QVERIFY(std::abs(tail(some.high, 0, 7) - 0.025) < 1e-9);
}

void FindingsTest::twoSharesAreToldApart() {
    QCOMPARE(twoSharesPValue(0, 100, 0, 50), 1.0);
    QCOMPARE(twoSharesPValue(100, 100, 50, 50), 1.0);
    QCOMPARE(twoSharesPValue(10, 100, 5, 50), 1.0);
    QVERIFY(std::abs(twoSharesPValue(30, 100, 15, 100) - 0.0111) < 2e-4);
}

ASSAY_TEST(findings_test, FindingsTest)
#include "findings_test.moc"
