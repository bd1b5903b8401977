// Real samples by their class and the class they are taken for.
#include "engine/subsets/what_if/useful_what_if.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

namespace {

constexpr std::uint32_t kNone = PredictedClasses::kNone;

ConfusionCounts counts(std::vector<std::uint32_t> actual, std::vector<std::uint32_t> predicted) {
    return ConfusionCounts(std::make_shared<const PredictedClasses>(
        PredictedClasses{nullptr, {"a", "b", "c", "d"}, std::move(actual), std::move(predicted)}));
}

} // namespace

class ConfusionCountsTest : public QObject {
    Q_OBJECT

private slots:
    void countsWhatOccurs();
    void largestErrorIsAShareOfItsClass();
    void samplesOfCellsAreAscending();
    void nothingIsCountedWithoutClasses();
};

void ConfusionCountsTest::countsWhatOccurs() {
    const ConfusionCounts found = counts({0, 0, 0, 3, kNone}, {0, 1, 1, 3, 0});
    QCOMPARE(found.size(), std::size_t{3}); // nothing is of class c, or taken for it
    QCOMPARE(found.nameAt(2), std::string("d"));
    QCOMPARE(found.totalOf(0), std::size_t{3});
    QCOMPARE(found.countAt({0, 1}), std::size_t{2});
    QCOMPARE(found.countAt({1, 0}), std::size_t{0});
    QCOMPARE(found.shareAt({0, 0}), 1.0 / 3.0);
    QCOMPARE(found.shareAt({1, 1}), 0.0); // no real sample is of class b
    QCOMPARE(found.largestCount(), std::size_t{2});
    QVERIFY(found.filledCells() == (std::vector<ConfusionCounts::Place>{{0, 0}, {0, 1}, {2, 2}}));
}

void ConfusionCountsTest::largestErrorIsAShareOfItsClass() {
    QCOMPARE(counts({0, 0, 1, 1, 1}, {1, 0, 0, 1, 1}).largestError(), 0.5);
    QCOMPARE(counts({0, 1}, {0, 1}).largestError(), 0.0);
}

void ConfusionCountsTest::samplesOfCellsAreAscending() {
    const ConfusionCounts found = counts({1, 0, 1, 0}, {1, 1, 1, 0});
    QCOMPARE(found.samplesIn({{1, 1}, {0, 1}, {1, 0}}), (std::vector<std::uint32_t>{0, 1, 2}));
    QVERIFY(found.samplesIn({}).empty());
}

void ConfusionCountsTest::nothingIsCountedWithoutClasses() {
    const ConfusionCounts none(std::make_shared<const PredictedClasses>());
    QCOMPARE(none.size(), std::size_t{0});
    QCOMPARE(none.largestCount(), std::size_t{0});
    QVERIFY(none.filledCells().empty());
}

ASSAY_TEST(confusion_counts_test, ConfusionCountsTest)
#include "confusion_counts_test.moc"
