#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> setWith(ClassLabels labels, std::size_t rows) {
    EmbeddingParts parts;
    parts.values = std::vector<float>(rows, 0.0F);
    parts.rows = rows;
    parts.dim = 1;
    parts.labels = std::move(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Two columns of the synthetic side, one of them of rows, and one of the real side.
ModelAudit modelOf(std::shared_ptr<const EmbeddingSet> set, std::vector<double> fidelity,
                   std::vector<double> coverage) {
    ModelAudit model;
    model.name = "m";
    model.set = std::move(set);
    model.columns = {{"fidelity", fidelity}, {"nearest_real", fidelity}, {"coverage", std::move(coverage)}};
    return model;
}

} // namespace

class ByClassTest : public QObject {
    Q_OBJECT

private slots:
    void meansAreOfEachSidesOwnLabels();
    void aMissingClassIsNamed();
    void oneSideWithoutLabelsLeavesTheOther();
    void samplesWithoutAValueAreLeftOut();
    void noLabelsGiveNothing();
    void labelsMatchByText();
    void numbersComeInNumericalOrder();
    void samplesAreCountedByClass();
    void scoresAreComparedWithinTheirRange();
};

void ByClassTest::meansAreOfEachSidesOwnLabels() {
    const auto real = setWith(labelsFromText({"cat", "dog", "cat"}), 3);
    const auto model =
        modelOf(setWith(labelsFromText({"dog", "cat", "dog", "dog"}), 4), {1.0, 0.5, 0.0, 0.5}, {0.2, 0.4, 0.6});
    const auto byClass = scoresByClass(*real, model);
    QVERIFY(byClass.has_value());
    QCOMPARE(byClass->columns, (std::vector<std::string_view>{"fidelity", "coverage"}));
    QCOMPARE(byClass->classes.size(), std::size_t{2});
    const ClassScores& cat = byClass->classes[0];
    QCOMPARE(cat.label, std::string("cat"));
    QCOMPARE(*cat.real, std::size_t{2});
    QCOMPARE(*cat.synthetic, std::size_t{1});
    QCOMPARE(cat.means[0], 0.5);
    QCOMPARE(cat.means[1], 0.4);
    QCOMPARE(byClass->classes[1].means[0], 0.5);
    QVERIFY(byClass->missing.empty());
}

void ByClassTest::samplesWithoutAValueAreLeftOut() {
    const double none = std::nan("");
    const auto real = setWith(labelsFromText({"cat", "dog"}), 2);
    const auto model =
        modelOf(setWith(labelsFromText({"cat", "cat", "cat", "dog"}), 4), {0.25, none, 0.75, none}, {0.5, 1.0});
    const auto byClass = scoresByClass(*real, model);
    QCOMPARE(byClass->classes[0].means[0], 0.5);
    QCOMPARE(*byClass->classes[0].synthetic, std::size_t{3});
    QVERIFY(std::isnan(byClass->classes[1].means[0]));
}

void ByClassTest::aMissingClassIsNamed() {
    const auto real = setWith(labelsFromIntegers({0, 1, 2, 3}), 4);
    const auto model = modelOf(setWith(labelsFromIntegers({1, 7}), 2), {1.0, 0.0}, {0.1, 0.2, 0.3, 0.4});
    const auto byClass = scoresByClass(*real, model);
    QCOMPARE(byClass->missing, (std::vector<std::string>{"0", "2", "3"}));
    QCOMPARE(byClass->classes.size(), std::size_t{5});
    QVERIFY(std::isnan(byClass->classes[0].means[0])); // no synthetic 0
    QCOMPARE(byClass->classes[0].means[1], 0.1);
    QCOMPARE(byClass->classes[4].label, std::string("7")); // invented by the model: no class is missing
    QCOMPARE(*byClass->classes[4].real, std::size_t{0});
    QVERIFY(std::isnan(byClass->classes[4].means[1]));
}

void ByClassTest::oneSideWithoutLabelsLeavesTheOther() {
    const auto real = setWith(labelsFromIntegers({0, 1}), 2);
    const auto byClass = scoresByClass(*real, modelOf(setWith({}, 2), {1.0, 0.0}, {0.1, 0.2}));
    QCOMPARE(byClass->columns, (std::vector<std::string_view>{"coverage"}));
    QVERIFY(!byClass->classes[0].synthetic.has_value());
    QVERIFY(byClass->missing.empty());
}

void ByClassTest::noLabelsGiveNothing() {
    QVERIFY(!scoresByClass(*setWith({}, 2), modelOf(setWith({}, 2), {1.0, 0.0}, {0.1, 0.2})).has_value());
}

void ByClassTest::labelsMatchByText() {
    const auto real = setWith(labelsFromIntegers({3, 4}), 2);
    const auto byClass = scoresByClass(*real, modelOf(setWith(labelsFromText({"4", "3"}), 2), {1.0, 0.0}, {0.1, 0.2}));
    QCOMPARE(byClass->classes.size(), std::size_t{2});
    QCOMPARE(byClass->classes[0].means[0], 0.0);
    QVERIFY(byClass->missing.empty());
}

void ByClassTest::numbersComeInNumericalOrder() {
    const auto labelsOf = [](std::vector<std::string> names) {
        const auto set = setWith(labelsFromText(names), names.size());
        std::vector<std::string> labels;
        const auto byClass = scoresByClass(*set, modelOf(setWith({}, 1), {1.0}, std::vector(names.size(), 0.0)));
        for (const ClassScores& scores : byClass->classes)
            labels.push_back(scores.label);
        return labels;
    };
    QCOMPARE(labelsOf({"10", "9", "-1"}), (std::vector<std::string>{"-1", "9", "10"}));
    QCOMPARE(labelsOf({"10", "9", "x"}), (std::vector<std::string>{"10", "9", "x"}));
}

void ByClassTest::samplesAreCountedByClass() {
    const auto real = setWith(labelsFromText({"cat", "dog", "cat"}), 3);
    const auto model = modelOf(setWith(labelsFromText({"dog", "eel", "dog"}), 3), {1.0, 0.5, 0.0}, {0.2, 0.4, 0.6});
    const auto byClass = scoresByClass(*real, model);
    const SampleSet cats = samplesOfClass(SetId::Real, *real, "cat");
    QVERIFY(cats == SampleSet(SetId::Real, std::vector<std::uint32_t>{0, 2}));
    QVERIFY(samplesOfClass(SetId::Real, *real, "eel").empty());
    QCOMPARE(countByClass(*byClass, SetId::Real, *real, cats), (std::vector<std::size_t>{2, 0, 0}));
    const SampleSet some(syntheticSet(0), std::vector<std::uint32_t>{0, 1});
    QCOMPARE(countByClass(*byClass, syntheticSet(0), *model.set, some), (std::vector<std::size_t>{0, 1, 1}));
    QCOMPARE(countByClass(*byClass, SetId::Real, *real, some), (std::vector<std::size_t>{0, 0, 0})); // of the other set
}

void ByClassTest::scoresAreComparedWithinTheirRange() {
    ByClass scores;
    scores.columns = {"pce", "balls", "coverage", "fidelity"};
    scores.classes = {{"a", {}, {}, {-2.0, 3.0, 0.2, 0.4}}, {"b", {}, {}, {std::nan(""), 7.0, 0.3, 0.5}}};
    QVERIFY(rangeOfMeans(scores, 0, Unit::Nats) == std::pair(-2.0, 0.0));
    QVERIFY(rangeOfMeans(scores, 1, Unit::Count) == std::pair(0.0, 7.0));
    QVERIFY(rangeOfMeans(scores, 2, Unit::Share) == std::pair(0.0, 1.0));
    QCOMPARE(scoresInReadingOrder(scores), (std::vector<std::size_t>{3, 2, 0, 1}));
}

ASSAY_TEST(by_class_test, ByClassTest)
#include "by_class_test.moc"
