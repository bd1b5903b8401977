// Shares of classes: planted differences, what chance does, and the prototype's figures.
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/set_tests/shares.h"
#include "engine/metrics/utility/labels.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace assay;
using ClassCounts = std::vector<std::uint32_t>;

namespace {

/// Class counts of independent draws. @param weights relative frequencies
ClassCounts drawnClasses(std::size_t rows, const std::vector<double>& weights, std::uint64_t seed) {
    Random random(seed);
    const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
    ClassCounts counts(weights.size(), 0);
    for (std::size_t r = 0; r < rows; ++r) {
        double left = random.uniform() * whole;
        std::size_t code = 0;
        while (code + 1 < weights.size() && left >= weights[code])
            left -= weights[code++];
        ++counts[code];
    }
    return counts;
}

std::vector<double> zipf(std::size_t classes) {
    std::vector<double> weights;
    for (std::size_t c = 1; c <= classes; ++c)
        weights.push_back(1.0 / static_cast<double>(c));
    return weights;
}

bool isAnyReported(const ClassShares& shares) {
    return !shares.over.empty() || !shares.under.empty() || !shares.lost.empty() || shares.tooManyMissing ||
           shares.distributionDiffers;
}

bool isEqual(const ClassShares& a, const ClassShares& b) {
    return a.p == b.p && a.over == b.over && a.under == b.under && a.missing == b.missing && a.lost == b.lost &&
           a.missingByChance == b.missingByChance && a.tooManyMissing == b.tooManyMissing &&
           a.distributionDiffers == b.distributionDiffers && a.explainedSurplus == b.explainedSurplus;
}

} // namespace

class ClassSharesTest : public QObject {
    Q_OBJECT

private slots:
    void namesAClassWithTooMany();
    void namesLostClasses();
    void namesAFrequentLostClassHoweverRare();
    void comparesTheNumberOfMissingClassesWithChance();
    void comparesAllSharesAtOnce();
    void seldomAccusesGoodModels_data();
    void seldomAccusesGoodModels();
    void dependsOnNeitherCodesNorThreads();
    void reportsNothingOfAnEmptySide();
    void rowsWithoutAClassAreLeftOut();
    void stops();
};

void ClassSharesTest::namesAClassWithTooMany() {
    const ClassShares shares = classShares(ClassCounts{300, 300, 60, 340}, ClassCounts{105, 110, 200, 85}, {});
    QCOMPARE(shares.over, ClassCounts{2});
    QCOMPARE(shares.under, ClassCounts{3}); // 0.34 to 0.17: the others differ by less than a factor of 1.5
    QVERIFY(shares.lost.empty() && shares.missing.empty() && !shares.distributionDiffers);
    QCOMPARE(shares.overSurplus, 0.4 - 0.06);
    QCOMPARE(shares.explainedSurplus, shares.overSurplus);
    QVERIFY(shares.surplusMarks() && !shares.lossMarks());
    QCOMPARE(shares.realShare(2), 0.06);
    QCOMPARE(shares.syntheticShare(2), 0.4);
}

void ClassSharesTest::namesLostClasses() {
    const ClassShares shares = classShares(ClassCounts{100, 200, 150, 50}, ClassCounts{200, 300, 0, 0}, {});
    QCOMPARE(shares.missing, (ClassCounts{2, 3})); // the most frequent first
    QCOMPARE(shares.lost, (ClassCounts{2, 3}));
    QVERIFY(shares.under.empty());
    QCOMPARE(shares.lostShare, 0.4);
    QCOMPARE(shares.realClasses, std::size_t{4});
    QVERIFY(std::abs(shares.explainedSurplus - 0.4) < 1e-12); // 0.2 and 0.2 more in the classes that are left
    QVERIFY(shares.lossMarks());
}

void ClassSharesTest::namesAFrequentLostClassHoweverRare() {
    // 40 of 100,000: no synthetic sample of 20,000 has a chance of (1 - 20,000 / 120,000)^40 = 0.07 %.
    const ClassShares shares = classShares(ClassCounts{99960, 40}, ClassCounts{20000, 0}, {});
    QCOMPARE(shares.lost, ClassCounts{1});
    QVERIFY(!shares.lossMarks() || shares.tooManyMissing);
    // Of 100 samples, a class of 0.5 % is absent by nature.
    const ClassShares few = classShares(ClassCounts{9950, 50}, ClassCounts{100, 0}, {});
    QCOMPARE(few.missing, ClassCounts{1});
    QVERIFY(few.lost.empty() && !isAnyReported(few));
}

void ClassSharesTest::comparesTheNumberOfMissingClassesWithChance() {
    constexpr std::size_t kClasses = 800;
    std::vector<double> half = zipf(kClasses);
    std::fill(half.begin() + kClasses / 2, half.end(), 0.0);
    const ClassShares lost = classShares(drawnClasses(3000, zipf(kClasses), 1), drawnClasses(3000, half, 2), {});
    QVERIFY(lost.tooManyMissing && lost.lossMarks());
    QVERIFY(lost.missing.size() > 200 && lost.missingByChance > 100.0 && lost.missingByChance < 150.0);
    // A third as many samples miss many classes by chance.
    const ClassShares few =
        classShares(drawnClasses(3000, zipf(kClasses), 3), drawnClasses(1000, zipf(kClasses), 4), {});
    QVERIFY(few.missing.size() > 200 && !isAnyReported(few));
}

void ClassSharesTest::comparesAllSharesAtOnce() {
    constexpr std::size_t kClasses = 200;
    ClassCounts tilted(kClasses, 3);
    std::fill(tilted.begin(), tilted.begin() + kClasses / 2, 17U);
    const ClassShares shares = classShares(ClassCounts(kClasses, 10), tilted, {});
    QVERIFY(shares.over.empty() && shares.under.empty() && shares.lost.empty());
    QVERIFY(shares.distributionDiffers);
    QVERIFY(!shares.lossMarks() && !shares.surplusMarks());
}

void ClassSharesTest::seldomAccusesGoodModels_data() {
    QTest::addColumn<std::size_t>("classes");
    QTest::addColumn<bool>("balanced");
    QTest::addColumn<std::size_t>("real");
    QTest::addColumn<std::size_t>("synthetic");
    QTest::newRow("two") << std::size_t{2} << true << std::size_t{300} << std::size_t{200};
    QTest::newRow("ten") << std::size_t{10} << true << std::size_t{500} << std::size_t{500};
    QTest::newRow("hundred") << std::size_t{100} << true << std::size_t{1000} << std::size_t{300};
    QTest::newRow("words") << std::size_t{500} << false << std::size_t{600} << std::size_t{600};
    QTest::newRow("few samples") << std::size_t{50} << false << std::size_t{2000} << std::size_t{40};
}

void ClassSharesTest::seldomAccusesGoodModels() {
    QFETCH(std::size_t, classes);
    QFETCH(bool, balanced);
    QFETCH(std::size_t, real);
    QFETCH(std::size_t, synthetic);
    const std::vector<double> weights = balanced ? std::vector<double>(classes, 1.0) : zipf(classes);
    constexpr std::uint64_t kSeeds = 100;
    int reported = 0;
    int marked = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const ClassShares shares = classShares(drawnClasses(real, weights, 2 * seed),
                                               drawnClasses(synthetic, weights, 2 * seed + 1), {.seed = seed});
        reported += isAnyReported(shares) ? 1 : 0;
        marked += shares.lossMarks() || shares.surplusMarks() ? 1 : 0;
    }
    // At 2 %, 7 or more of 100 have a chance of 0.4 %.
    QVERIFY2(reported <= 6 && marked <= 3, qPrintable(QString("%1 reported, %2 marked").arg(reported).arg(marked)));
}

void ClassSharesTest::dependsOnNeitherCodesNorThreads() {
    constexpr std::size_t kClasses = 300;
    const ClassCounts real = drawnClasses(2000, zipf(kClasses), 6);
    const ClassCounts synthetic = drawnClasses(1500, std::vector<double>(kClasses, 1.0), 7);
    const ClassShares given = classShares(real, synthetic, {.seed = 3, .threads = 1});
    QVERIFY(isAnyReported(given));
    QVERIFY(isEqual(given, classShares(real, synthetic, {.seed = 3, .threads = 4})));
    const std::vector<std::uint32_t> codes = Random(8).order(kClasses);
    ClassCounts otherReal(kClasses);
    ClassCounts otherSynthetic(kClasses);
    for (std::size_t c = 0; c < kClasses; ++c) {
        otherReal[codes[c]] = real[c];
        otherSynthetic[codes[c]] = synthetic[c];
    }
    const ClassShares other = classShares(otherReal, otherSynthetic, {.seed = 3, .threads = 2});
    for (std::size_t c = 0; c < kClasses; ++c)
        QCOMPARE(other.p[codes[c]], given.p[c]);
    QCOMPARE(other.missing.size(), given.missing.size());
    QCOMPARE(other.tooManyMissing, given.tooManyMissing);
    QVERIFY(std::abs(other.missingByChance - given.missingByChance) < 1e-9); // summed in another order
    std::vector<std::uint32_t> over;
    for (const std::uint32_t c : given.over)
        over.push_back(codes[c]);
    std::vector<std::uint32_t> otherOver = other.over;
    std::ranges::sort(over);
    std::ranges::sort(otherOver);
    QCOMPARE(otherOver, over);
}

void ClassSharesTest::reportsNothingOfAnEmptySide() {
    const ClassShares noModel = classShares(ClassCounts{5, 6}, ClassCounts{0, 0}, {});
    QVERIFY(!isAnyReported(noModel) && noModel.missing.empty());
    QVERIFY(!noModel.lossMarks() && !noModel.surplusMarks());
    QVERIFY(!isAnyReported(classShares(ClassCounts{0, 0}, ClassCounts{5, 6}, {})));
    QVERIFY(!isAnyReported(classShares({}, {}, {})));
}

void ClassSharesTest::rowsWithoutAClassAreLeftOut() {
    const test::Matrix matrix = test::gaussian(6, 2, 1);
    const CommonLabels labels{{"a", "b"}, {{}, {0, 2, 3, 5}}, {{}, {0, 1, 1, 0}}};
    const LabelledRows labelled = labelledRows({matrix.view(), {4, 3, 5, 1, 0}}, labels, 1);
    QCOMPARE(labelled.compared.rows, (std::vector<std::uint32_t>{3, 5, 0}));
    QCOMPARE(labelled.code, (std::vector<std::uint32_t>{1, 0, 0}));
    QCOMPARE(countsOf(labelled.code, labels.names.size()), (ClassCounts{2, 1}));
}

void ClassSharesTest::stops() {
    const std::string failure = test::stopFailure(
        [](const JobContext& job) {
            classShares(ClassCounts(20000, 3), ClassCounts(20000, 2), {.threads = 2, .job = job});
        },
        100);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(class_shares_test, ClassSharesTest)
#include "class_shares_test.moc"
