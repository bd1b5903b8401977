// One feature of both sets as bars.
#include "engine/data/embedding_set.h"
#include "engine/report/scores/table_features.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <numeric>

using namespace assay;

namespace {

EmbeddingSet oneFeature(std::vector<float> values) {
    EmbeddingParts parts;
    parts.rows = values.size();
    parts.dim = 1;
    parts.values = FloatStorage(std::move(values));
    return EmbeddingSet(std::move(parts));
}

FeatureBars barsOf(const EmbeddingSet& real, const EmbeddingSet& synthetic, const SampleSet* shown = nullptr) {
    return FeatureBars::of(real, synthetic, syntheticSet(0), 0, shown);
}

} // namespace

class FeatureBarsTest : public QObject {
    Q_OBJECT

private slots:
    void fewNumbersHaveABarEach();
    void aFewMeasurementsAreNoCategories();
    void onlyWhatIsShownIsCounted();
    void setsWithoutTheFeatureHaveNoBars();
};

void FeatureBarsTest::fewNumbersHaveABarEach() {
    const EmbeddingSet set = oneFeature({1, 2, 1, 2, 1, 2});
    const FeatureBars bars = barsOf(set, set);
    QCOMPARE(bars.values, (std::vector<double>{1, 2}));
    QVERIFY(bars.names.empty());
    QCOMPARE(bars.count(), std::size_t{2});
    QCOMPARE(bars.sides[1].counts, (std::vector<std::size_t>{3, 3}));
    QCOMPARE(bars.share(0, 1), 0.5);
    QCOMPARE(bars.samplesIn(1, 0), (SampleSet{{syntheticSet(0), 0}, {syntheticSet(0), 2}, {syntheticSet(0), 4}}));
}

void FeatureBarsTest::aFewMeasurementsAreNoCategories() {
    const auto measured = [](float from) {
        std::vector<float> values;
        for (int i = 0; i < 6; ++i)
            values.push_back(from + 0.173F * static_cast<float>(i));
        return oneFeature(std::move(values));
    };
    const FeatureBars bars = barsOf(measured(-0.5F), measured(-0.4F));
    QVERIFY(bars.names.empty() && bars.values.empty());
    QCOMPARE(bars.count(), FeatureBars::kMax);
    QCOMPARE(std::accumulate(bars.sides[1].counts.begin(), bars.sides[1].counts.end(), std::size_t{0}), std::size_t{6});
}

void FeatureBarsTest::onlyWhatIsShownIsCounted() {
    const EmbeddingSet set = oneFeature({1, 2, 1, 2, 1, 2});
    const SampleSet shown{{SetId::Real, 0}, {SetId::Real, 1}, {SetId::Real, 2}};
    const FeatureBars bars = barsOf(set, set, &shown);
    QCOMPARE(bars.sides[0].counts, (std::vector<std::size_t>{2, 1}));
    QCOMPARE(bars.sides[0].total, std::size_t{3});
    QCOMPARE(bars.sides[1].total, std::size_t{0});
    QCOMPARE(bars.share(1, 0), 0.0);
}

void FeatureBarsTest::setsWithoutTheFeatureHaveNoBars() {
    const EmbeddingSet set = oneFeature({1, 2, 1, 2});
    QCOMPARE(FeatureBars::of(set, set, syntheticSet(0), 1, nullptr).count(), std::size_t{0});
}

ASSAY_TEST(feature_bars_test, FeatureBarsTest)
#include "feature_bars_test.moc"
