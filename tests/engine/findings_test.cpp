// What is said to be wrong with models whose faults are known, and nothing where there is none.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
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
    void noiseIsUnrealistic();
    void gravestModelHasTheMostToSay();
    void equalRowsComeFirst();
    void allThatSingleSamplesAreAccusedOfIsSaid();
    void aLostClassIsNamed();
    void strayLabelsAreToldFromALostClass();
    void aClassThatIsTooFrequentIsNamed();
    void withoutLabelsALostClassIsNamedByItsRealSamples();
    void aLostRegionIsFoundWithoutLabels();
    void whatALostRegionExplainsIsNotCalledBad();
    void littleVarietyIsFound();
    void fewSamplesAreANote();
    void setsOfOtherSizesAreANote();
    void duplicatesAndRepeatsInTheHeldOutSetAreNotes();
    void anotherHeldOutSetIsANote();
    void rowsInOrderMarkByFactsAlone();
    void wrongLabelsAreFound();
    void featuresOnOtherScalesAreANote();
    void marksComeFirst();
    void exactSharesEncloseTheTruth();
    void twoSharesAreToldApart();
};

void FindingsTest::goodSamplesAreAsGoodAsReal() {
    const auto result = audit(test::gaussian(1500, 8, 1), test::gaussian(1500, 8, 2));
    for (const Finding& finding : result->models.front()->findings)
        QFAIL(finding.sentence.c_str());
    QCOMPARE(result->models.front()->summary, std::string("As good as real, as far as 1,500 samples can tell."));
    QVERIFY(!isMarked(*result->models.front()));
}

void FindingsTest::noiseIsUnrealistic() {
    const auto result = audit(test::gaussian(1000, 8, 1),
                              test::joined(test::gaussian(700, 8, 2), test::gaussian(300, 8, 3, 4.0F, 0.5F)));
    const Finding* noise = find(*result, "unrealistic");
    QVERIFY(noise != nullptr && noise->marksModel && noise->place);
    QVERIFY(noise->value > 0.25 && noise->value < 0.35);
    QVERIFY(noise->low && *noise->low<noise->value&& * noise->high> noise->value);
    const auto planted = std::count_if(noise->rows.begin(), noise->rows.end(), [](auto row) { return row >= 700; });
    QVERIFY(planted > 280);
    QCOMPARE(noise->rules, FilterRules{verdictRule()});
    const std::string& summary = result->models.front()->summary;
    QVERIFY2(summary.starts_with(noise->sentence), summary.c_str());
    QVERIFY2(noise->sentence.ends_with(" of its samples are unrealistic: far from all real ones."),
             noise->sentence.c_str());
    QVERIFY(isMarked(*result->models.front()));
}

void FindingsTest::gravestModelHasTheMostToSay() {
    constexpr FindingKind kCopy{"copy", "Copies", "", "", FindingKind::OfCopies};
    constexpr FindingKind kEqual{"equal_to_real", "Equal to real samples", "", "", FindingKind::OfCopies};
    constexpr FindingKind kUnrealistic{"unrealistic", "Unrealistic samples", ""};
    constexpr FindingKind kShrunken{"shrunken", "Too little variety", ""};
    const auto real = std::make_shared<RealAnalysis>();
    real->set = test::asSet(test::gaussian(100, 2, 1), "real");
    AuditResult result;
    result.real = real;
    const auto add = [&](const FindingKind& kind, std::uint32_t rows, bool marks = true) {
        auto model = std::make_shared<ModelAudit>();
        model->set = test::asSet(test::gaussian(100, 2, 2), "model");
        Finding finding;
        finding.kind = &kind;
        finding.value = 1.0;
        finding.marksModel = marks;
        for (std::uint32_t row = 0; row < rows; ++row)
            finding.rows.push_back(row);
        model->findings = {finding};
        result.models.push_back(model);
    };
    add(kUnrealistic, 90, false); // marks no model, whatever its samples
    QCOMPARE(gravestModel(result), std::size_t{0});
    add(kShrunken, 0); // names no samples
    QCOMPARE(gravestModel(result), std::size_t{1});
    add(kUnrealistic, 30);
    add(kUnrealistic, 30); // of equal ones the first
    QCOMPARE(gravestModel(result), std::size_t{2});
    add(kCopy, 20); // copies count twice
    QCOMPARE(gravestModel(result), std::size_t{4});
    add(kEqual, 24); // and so do equal samples
    QCOMPARE(gravestModel(result), std::size_t{5});
    add(kUnrealistic, 50);
    QCOMPARE(gravestModel(result), std::size_t{6});
}

void FindingsTest::equalRowsComeFirst() {
    const Matrix real = test::gaussian(1000, 16, 1);
    const auto result = audit(real, test::joined(test::gaussian(300, 16, 2), test::repeated(real, 700)));
    const Finding& first = result->models.front()->findings.front();
    QCOMPARE(first.kind->id, std::string_view("equal_to_real"));
    QCOMPARE(first.value, 700.0);
    QVERIFY(first.marksModel && first.rows.size() == 700 && first.rows.front() == 300);
    QVERIFY(find(*result, "copy") == nullptr); // it would say the same
    const std::string& summary = result->models.front()->summary;
    QVERIFY2(summary.starts_with("700 of its samples equal a training row; the 1,000 real rows are all different."),
             summary.c_str());
    // One equal row is said where no rows repeat by nature, but does not mark.
    const auto one = audit(real, test::joined(test::gaussian(999, 16, 2), test::repeated(real, 1)));
    const Finding* equal = find(*one, "equal_to_real");
    QVERIFY(equal != nullptr && !equal->marksModel && equal->place);
    QVERIFY2(one->models.front()->summary.starts_with("1 of its samples equals a training row; "),
             one->models.front()->summary.c_str());
    // Where rows repeat by nature it is a note.
    const auto natural = audit(test::grid(500, 3, 1, 10), test::grid(500, 3, 2, 10));
    const Finding* note = find(*natural, "equal_to_real");
    QVERIFY(note != nullptr && !note->marksModel && !note->place);
}

void FindingsTest::allThatSingleSamplesAreAccusedOfIsSaid() {
    const Matrix real = test::gaussian(1000, 16, 1);
    Matrix copies = test::repeated(real, 250);
    const Matrix noise = test::gaussian(250, 16, 7, 0.0F, 0.002F);
    std::ranges::transform(copies.values, noise.values, copies.values.begin(), std::plus());
    const Matrix far = test::scaled(test::gaussian(100, 16, 4), 4.0F);
    const auto result = audit(real, test::joined(test::gaussian(650, 16, 2), test::joined(copies, far)));
    const Finding* copy = find(*result, "copy");
    const Finding* unrealistic = find(*result, "unrealistic");
    QVERIFY(copy != nullptr && copy->marksModel && unrealistic != nullptr && unrealistic->marksModel);
    QVERIFY(find(*result, "equal_to_real") == nullptr);
    const std::string& summary = result->models.front()->summary;
    // The larger share comes first.
    QVERIFY2(summary.starts_with(copy->sentence + " " + unrealistic->sentence), summary.c_str());
    QVERIFY2(copy->sentence.ends_with(" of its samples are copies of real ones."), copy->sentence.c_str());
}

void FindingsTest::aLostClassIsNamed() {
    const auto result = audit(labelled(classes(1200, 1), "real"), labelled(classes(900, 2, 3), "model"));
    const Finding* lost = find(*result, "class_shares");
    QVERIFY(lost != nullptr && lost->marksModel && lost->place);
    QCOMPARE(lost->classes, std::vector<std::string>{"dog"});
    QCOMPARE(lost->side, Side::Real);
    QCOMPARE(lost->rows.size(), std::size_t{300});
    QCOMPARE(lost->value, 0.25);
    QCOMPARE(lost->sentence, std::string("It never makes class dog (25 % of the real samples)."));
    QVERIFY(find(*result, "modes") == nullptr); // the name says more
    QVERIFY(result->models.front()->summary.find(lost->sentence) != std::string::npos);
    const auto several = audit(labelled(classes(1200, 1), "real"), labelled(classes(900, 2, 2), "model"));
    const Finding* two = find(*several, "class_shares");
    QVERIFY(two != nullptr && two->marksModel);
    QCOMPARE(two->sentence,
             std::string("It never makes 2 of 4 classes: cat and dog (together 50 % of the real samples)."));
}

void FindingsTest::strayLabelsAreToldFromALostClass() {
    Labelled model = classes(900, 2, 3);
    for (std::size_t row = 0; row < 9; ++row) // a classifier's mistakes
        model.labels[row] = 3;
    const auto result = audit(labelled(classes(1200, 1), "real"), labelled(model, "model"));
    const Finding* shares = find(*result, "class_shares");
    QVERIFY(shares != nullptr && shares->place);
    QCOMPARE(shares->sentence, std::string("It hardly ever makes class dog (25 % of the real samples)."));
    QVERIFY(isMarked(*result->models.front()));
}

void FindingsTest::aClassThatIsTooFrequentIsNamed() {
    Labelled model = classes(800, 2);
    const Labelled ants = classes(400, 3, 1);
    model.values = test::joined(model.values, ants.values);
    model.labels.insert(model.labels.end(), ants.labels.begin(), ants.labels.end());
    const auto result = audit(labelled(classes(1200, 1), "real"), labelled(model, "model"));
    const Finding* over = find(*result, "class_shares");
    QVERIFY(over != nullptr && over->marksModel && over->place);
    QCOMPARE(over->classes, std::vector<std::string>{"ant"});
    QCOMPARE(over->side, Side::Synthetic);
    QCOMPARE(over->rows.size(), std::size_t{600});
    QCOMPARE(over->value, 0.25);
    QVERIFY2(over->sentence.starts_with("Class ant makes up 50 % of its samples but 25 % of the real ones"),
             over->sentence.c_str());
}

void FindingsTest::withoutLabelsALostClassIsNamedByItsRealSamples() {
    // The real set alone has labels.
    const auto result = audit(labelled(classes(1200, 1), "real"), test::asSet(classes(1200, 2, 3).values, "model"));
    const Finding* lost = find(*result, "class_shares"); // by the names of its real samples
    QVERIFY(lost != nullptr && lost->classes == std::vector<std::string>{"dog"});
}

void FindingsTest::aLostRegionIsFoundWithoutLabels() {
    const auto result = audit(classes(1200, 1).values, classes(1200, 2, 3).values);
    const Finding* lost = nullptr;
    for (const Finding& finding : result->models.front()->findings)
        if (finding.kind->id == "modes" && finding.side == Side::Real)
            lost = &finding;
    QVERIFY(lost != nullptr && lost->marksModel && lost->place);
    QVERIFY(lost->value > 0.2 && lost->value < 0.3 && *lost->low < lost->value && lost->value < *lost->high);
    QVERIFY(!lost->rows.empty());
    for (const std::uint32_t row : lost->rows)
        QCOMPARE(row % 4, 3U);
    QVERIFY2(lost->sentence.starts_with("It has almost no samples in "), lost->sentence.c_str());
}

void FindingsTest::whatALostRegionExplainsIsNotCalledBad() {
    // Its samples are good: what they are too many in one region is what they lack in three.
    const auto result = audit(classes(1200, 1).values, classes(1200, 2, 1).values);
    const ModelAudit& model = *result->models.front();
    QVERIFY(find(*result, "modes") != nullptr || find(*result, "missed") != nullptr);
    QVERIFY2(model.metric("verdict_rejected") < 0.1, qPrintable(QString::number(model.metric("verdict_rejected"))));
    QVERIFY2(model.metric("bad_share") < 0.15, qPrintable(QString::number(model.metric("bad_share"))));
}

void FindingsTest::littleVarietyIsFound() {
    const auto result = audit(test::gaussian(1000, 8, 1), test::gaussian(1000, 8, 2, 0.0F, 0.6F));
    const Finding* shrunken = find(*result, "shrunken");
    QVERIFY(shrunken != nullptr && shrunken->marksModel && shrunken->place);
    QVERIFY(std::abs(shrunken->value - 0.6) < 0.05);
    QVERIFY(find(*result, "scattered") == nullptr);
    const auto wide = audit(test::gaussian(1000, 8, 1), test::gaussian(1000, 8, 2, 0.0F, 1.5F));
    const Finding* scattered = find(*wide, "scattered");
    QVERIFY(scattered != nullptr && std::abs(scattered->value - 1.5) < 0.08);
}

void FindingsTest::fewSamplesAreANote() {
    const auto result = audit(test::gaussian(2000, 8, 1), test::gaussian(40, 8, 2));
    const Finding* few = find(*result, "few_samples");
    QVERIFY(few != nullptr && !few->marksModel && !few->place);
    QCOMPARE(few->value, 40.0);
    QVERIFY(few->sentence.find("only 40 synthetic samples") != std::string::npos);
    QVERIFY(!isMarked(*result->models.front()));
    QVERIFY(find(*result, "shrunken") == nullptr && find(*result, "scattered") == nullptr); // sizes alone would tell so
    const auto real = audit(test::gaussian(60, 8, 1), test::gaussian(500, 8, 2));
    QVERIFY(find(*real, "few_samples")->sentence.find("only 60 real samples") != std::string::npos);
    QVERIFY(find(*audit(test::gaussian(100, 4, 1), test::gaussian(100, 4, 2)), "few_samples") == nullptr);
}

void FindingsTest::setsOfOtherSizesAreANote() {
    QVERIFY(find(*audit(test::gaussian(500, 4, 1), test::gaussian(540, 4, 2)), "sizes") == nullptr);
    const auto result = audit(test::gaussian(500, 4, 1), test::gaussian(700, 4, 2));
    const Finding* sizes = find(*result, "sizes");
    QVERIFY(sizes != nullptr && !sizes->marksModel && !sizes->place);
    QCOMPARE(sizes->value, 0.4);
}

void FindingsTest::duplicatesAndRepeatsInTheHeldOutSetAreNotes() {
    const Matrix once = test::gaussian(400, 5, 1);
    const Matrix real = test::joined(once, test::repeated(once, 40));
    const auto model = test::asSet(test::gaussian(400, 5, 2), "model");
    const auto twice = audit(test::asSet(real, "real"), model);
    const Finding* duplicates = find(*twice, "real_duplicates");
    QVERIFY(duplicates != nullptr && !duplicates->marksModel && !duplicates->place);
    QCOMPARE(duplicates->rows.size(), std::size_t{80});
    QCOMPARE(duplicates->side, Side::Real);
    const Matrix heldOut = test::joined(test::gaussian(280, 5, 3), test::repeated(once, 20));
    const auto result = audit(test::asSet(once, "real"), model, test::asSet(heldOut, "held-out"));
    const Finding* repeats = find(*result, "held_out_contaminated");
    QVERIFY(repeats != nullptr && !repeats->marksModel && !repeats->place);
    QCOMPARE(repeats->value, 20.0);
    QCOMPARE(repeats->sentence, std::string("20 of 300 held-out samples repeat real ones or nearly do."));
    QVERIFY(!isMarked(*result->models.front()));
}

void FindingsTest::anotherHeldOutSetIsANote() {
    const auto result =
        audit(test::asSet(test::gaussian(400, 5, 1), "real"), test::asSet(test::gaussian(400, 5, 2), "model"),
              test::asSet(test::gaussian(300, 5, 3, 50.0F), "held-out"));
    const Finding* unlike = find(*result, "held_out_unlike");
    QVERIFY(unlike != nullptr && !unlike->marksModel && !unlike->place);
    QVERIFY(result->models.front()->summary.find("held-out") == std::string::npos);
}

void FindingsTest::rowsInOrderMarkByFactsAlone() {
    // Ten frames of each of 60 scenes; the model has other scenes.
    const auto frames = [](unsigned seed) {
        const Matrix scenes = test::gaussian(60, 16, seed);
        Matrix made = test::gaussian(600, 16, seed + 1, 0.0F, 0.25F);
        for (std::size_t i = 0; i < made.values.size(); ++i)
            made.values[i] += scenes.values[i / 160 * 16 + i % 16];
        return made;
    };
    const auto result = audit(frames(1), test::shifted(frames(10), 1.5F));
    const ModelAudit& model = *result->models.front();
    QCOMPARE(model.findings.front().kind->id, std::string_view("real_ordered"));
    QVERIFY2(model.summary.starts_with(model.findings.front().sentence), model.summary.c_str());
    QVERIFY(model.findings.size() > 1);
    for (const Finding& finding : model.findings)
        QVERIFY2(!finding.marksModel, finding.sentence.c_str());
    // Another unit is a fact whatever the order of the rows.
    QVERIFY(isMarked(*audit(frames(1), test::scaled(frames(10), 255.0F))->models.front()));
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
    QVERIFY2(QString::fromStdString(wrong->models[0]->summary).contains("have a different label"),
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

void FindingsTest::marksComeFirst() {
    const Matrix real = test::gaussian(600, 8, 1);
    const auto result = audit(real, test::joined(test::gaussian(300, 8, 2), test::gaussian(200, 8, 3, 4.0F, 0.5F)));
    const std::vector<Finding>& all = result->models.front()->findings;
    QVERIFY(all.size() > 2 && all.front().marksModel);
    for (std::size_t i = 1; i < all.size(); ++i) {
        QVERIFY(all[i - 1].marksModel || !all[i].marksModel);
        if (all[i - 1].marksModel == all[i].marksModel && all[i].place)
            QVERIFY(all[i - 1].place && *all[i - 1].place <= *all[i].place);
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
