// What the inspector compares a sample with: the triangle of a copy, and the features of two samples.
#include "engine/audit/result/audit_result.h"
#include "engine/report/scores/sample_comparison.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> tableOf(std::vector<float> values, std::size_t dim,
                                            PreparationPtr preparation = {}) {
    EmbeddingParts parts = EmbeddingParts::of(std::move(values), dim, "set");
    parts.preparation = std::move(preparation);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Tables as if `real` had the rows 0 at 0, 1 at 3 and 2 at 7 on a line, and the synthetic set one at 0.5.
AuditResult onALine() {
    auto real = std::make_shared<RealAnalysis>();
    real->set = tableOf({0.0F, 3.0F, 7.0F}, 1);
    real->neighbors = {1, {1, 0, 1}, {3.0, 3.0, 4.0}};
    auto model = std::make_shared<ModelAudit>();
    model->set = tableOf({0.5F}, 1);
    PairTables tables;
    tables.synthetic.nearest = {1, {0}, {0.5}};
    model->tables = std::make_shared<const PairTables>(std::move(tables));
    AuditResult audit;
    audit.real = real;
    audit.models = {model};
    return audit;
}

/// An audit of features only.
AuditResult ofFeatures(std::shared_ptr<const EmbeddingSet> realSet, std::shared_ptr<const EmbeddingSet> synthetic) {
    auto real = std::make_shared<RealAnalysis>();
    real->set = std::move(realSet);
    auto model = std::make_shared<ModelAudit>();
    model->set = std::move(synthetic);
    AuditResult audit;
    audit.real = real;
    audit.models = {model};
    return audit;
}

} // namespace

class SampleComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void unusualFeaturesComeFirst();
    void findsTheTriangleOfACopy();
    void hasNoTriangleWithoutTables();
    void putsTheMostDifferentFeatureFirst();
    void showsValuesInTheUnitOfTheFile();
    void textsAreOneColumnByTheirNames();
    void datesAndMissingValuesAreWords();
    void standardsOfTheAuditReplaceTheEstimate();
    void constantFeaturesDifferInfinitely();
};

void SampleComparisonTest::findsTheTriangleOfACopy() {
    const auto triangle = originalTriangle(onALine(), {syntheticSet(0), 0});
    QVERIFY(triangle);
    QCOMPARE(triangle->original, (SampleId{SetId::Real, 0}));
    QCOMPARE(triangle->other, (SampleId{SetId::Real, 1}));
    QCOMPARE(triangle->sampleToOriginal, 0.5);
    QCOMPARE(triangle->originalToOther, 3.0);
    QCOMPARE(triangle->sampleToOther, 2.5);
}

void SampleComparisonTest::hasNoTriangleWithoutTables() {
    QVERIFY(!originalTriangle(onALine(), {SetId::Real, 0}));
    const AuditResult audit = ofFeatures(tableOf({0.0F, 1.0F}, 1), tableOf({0.0F}, 1));
    QVERIFY(!originalTriangle(audit, {syntheticSet(0), 0}));
}

void SampleComparisonTest::putsTheMostDifferentFeatureFirst() {
    // Deviations 1, 10 and 0.5.
    const AuditResult audit =
        ofFeatures(tableOf({-1.0F, -10.0F, 0.5F, 1.0F, 10.0F, 1.5F}, 3), tableOf({2.0F, -10.0F, 2.5F}, 3));
    const FeatureStandards standards = featureStandards(audit);
    QCOMPARE(standards.deviation, (std::vector<double>{1.0, 10.0, 0.5}));
    QCOMPARE(standards.score(2.5, 2), 3.0);
    const auto contrasts = contrastFeatures(audit, standards, {syntheticSet(0), 0}, {SetId::Real, 0});
    QCOMPARE(contrasts.size(), std::size_t{3});
    QCOMPARE(contrasts[0].feature, 2U);
    QCOMPARE(contrasts[0].difference, 4.0);
    QCOMPARE(contrasts[1].feature, 0U);
    QCOMPARE(contrasts[1].first, 2.0);
    QCOMPARE(contrasts[1].second, -1.0);
    QCOMPARE(contrasts[1].difference, 3.0);
    QCOMPARE(contrasts[2].difference, 0.0);
}

void SampleComparisonTest::showsValuesInTheUnitOfTheFile() {
    ValuePreparation preparation;
    preparation.scaling = Scaling::ZScore;
    preparation.columns = 1;
    preparation.offset = {1000.0};
    preparation.mean = {5.0};
    preparation.spread = {2.0};
    const auto shared = std::make_shared<const ValuePreparation>(preparation);
    const AuditResult audit = ofFeatures(tableOf({-1.0F, 1.0F}, 1, shared), tableOf({3.0F}, 1, shared));
    const auto contrasts = contrastFeatures(audit, featureStandards(audit), {syntheticSet(0), 0}, {SetId::Real, 0});
    QCOMPARE(contrasts[0].first, 1011.0);
    QCOMPARE(contrasts[0].second, 1003.0);
    QCOMPARE(contrasts[0].difference, 4.0); // as audited
}

void SampleComparisonTest::textsAreOneColumnByTheirNames() {
    ValuePreparation preparation; // age, then job=clerk, job=cook, job=(other), then city=(empty), city=(other)
    preparation.categories = {{1, "job", {"clerk", "cook"}}, {2, "city", {""}}};
    const auto shared = std::make_shared<const ValuePreparation>(preparation);
    const AuditResult audit =
        ofFeatures(tableOf({-1.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F}, 6, shared),
                   tableOf({-0.5F, 0.0F, 0.0F, 1.0F, 1.0F, 0.0F}, 6, shared));
    const auto contrasts = contrastFeatures(audit, featureStandards(audit), {syntheticSet(0), 0}, {SetId::Real, 0});
    QCOMPARE(contrasts.size(), std::size_t{3});
    QCOMPARE(contrasts[0].column, std::string("job"));
    QCOMPARE(contrasts[0].feature, 1U);
    QCOMPARE(contrasts[0].firstText, std::string("(invented)"));
    QCOMPARE(contrasts[0].secondText, std::string("clerk"));
    QCOMPARE(contrasts[0].difference, std::sqrt(2.0));
    QCOMPARE(contrasts[0].hasDirection, false);
    QCOMPARE(contrasts[1].difference, 0.5);
    QVERIFY(contrasts[1].column.empty() && contrasts[1].firstText.empty());
    QCOMPARE(contrasts[2].secondText, std::string("(empty)"));
    QCOMPARE(contrasts[2].difference, 0.0);
}

void SampleComparisonTest::datesAndMissingValuesAreWords() {
    ValuePreparation preparation; // text before the date, in the file; a column for missing ages
    preparation.scaling = Scaling::ZScore;
    preparation.mean = {40.0, 100.0, 0.0, 0.0, 0.0};
    preparation.spread = {10.0, 50.0, 1.0, 1.0, 1.0};
    preparation.categories = {{1, "job", {"clerk"}}};
    preparation.dates = {{2, "signup", 18262.0, DateOrder::YearFirst}}; // 2020-01-01
    preparation.filled = {{0, 38.0}};
    const auto shared = std::make_shared<const ValuePreparation>(preparation);
    const AuditResult audit =
        ofFeatures(tableOf({-0.3F, -1.98F, 1.0F, 0.0F, 0.0F, 1.3F, 1.0F, 1.0F, 0.0F, 0.0F}, 5, shared),
                   tableOf({-0.2F, -2.0F, 1.0F, 0.0F, 1.0F, -0.2F, -2.0F, 1.0F, 0.0F, 1.0F}, 5, shared));
    const FeatureStandards standards = featureStandards(audit);
    const auto contrasts = contrastFeatures(audit, standards, {syntheticSet(0), 0}, {SetId::Real, 0});
    QCOMPARE(contrasts.size(), std::size_t{3});
    const auto of = [&](std::uint32_t feature) {
        return *std::ranges::find(contrasts, feature, &FeatureContrast::feature);
    };
    QCOMPARE(of(0).firstText, std::string("(missing)"));
    QVERIFY(of(0).secondText.empty());
    QCOMPARE(of(0).second, 37.0); // exactly: the file has whole numbers
    QCOMPARE(of(0).difference, 1.0);
    QCOMPARE(of(1).firstText, std::string("2020-01-01"));
    QCOMPARE(of(1).secondText, std::string("2020-01-02"));
    QVERIFY(of(1).hasDirection && of(1).difference < 0.0);
    const auto both = contrastFeatures(audit, standards, {syntheticSet(0), 0}, {syntheticSet(0), 1});
    QCOMPARE(std::ranges::find(both, 0U, &FeatureContrast::feature)->difference, 0.0);
}

void SampleComparisonTest::standardsOfTheAuditReplaceTheEstimate() {
    AuditResult audit = ofFeatures(tableOf({-1.0F, 1.0F}, 1), tableOf({3.0F}, 1));
    auto model = std::make_shared<ModelAudit>(*audit.models[0]);
    FeatureDifference measured;
    measured.realMean = 1.0;
    measured.realDeviation = 4.0;
    model->featureDifferences.features = {measured};
    audit.models = {model};
    QCOMPARE(featureStandards(audit).score(3.0, 0), 0.5);
}

void SampleComparisonTest::constantFeaturesDifferInfinitely() {
    const AuditResult audit = ofFeatures(tableOf({1.0F, 1.0F}, 1), tableOf({0.0F, 1.0F}, 1));
    const FeatureStandards standards = featureStandards(audit);
    QCOMPARE(contrastFeatures(audit, standards, {syntheticSet(0), 0}, {SetId::Real, 0})[0].difference, -HUGE_VAL);
    QCOMPARE(contrastFeatures(audit, standards, {syntheticSet(0), 1}, {SetId::Real, 0})[0].difference, 0.0);
    QCOMPARE(standards.score(1.0, 0), 0.0);
}

void SampleComparisonTest::unusualFeaturesComeFirst() {
    AuditResult audit;
    auto real = std::make_shared<RealAnalysis>();
    real->set = tableOf({0.0F, 0.0F, 0.0F, 1.0F, -6.0F, 0.25F}, 3);
    audit.real = real;
    const FeatureStandards standards{{0.0, 0.0, 0.0}, {1.0, 2.0, 0.5}};
    const auto unusual = unusualFeatures(audit, standards, {SetId::Real, 1});
    QCOMPARE(unusual.size(), std::size_t{3});
    QCOMPARE(unusual[0].feature, 1U);
    QCOMPARE(unusual[0].difference, -3.0);
    QCOMPARE(unusual[1].feature, 0U);
    QCOMPARE(unusual[2].first, 0.25);
}

ASSAY_TEST(sample_comparison_test, SampleComparisonTest)
#include "sample_comparison_test.moc"
