// Tests of features, categories and pairs of whole sets: against definitions written out, on planted faults, and how
// often they accuse two samples of one law.
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/set_tests/feature_tests.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

ComparedRows comparedRowsOf(const Matrix& matrix) {
    return inContentOrder(matrix.view(), {}, 7, 1);
}

FeatureTests featureTestsOf(const Matrix& real, const Matrix& synthetic, const FeatureOrigin& origin = {},
                            unsigned threads = 2) {
    return testFeatures(comparedRowsOf(real), comparedRowsOf(synthetic), origin, {.seed = 3, .threads = threads});
}

/// A matrix whose rows `fill` writes.
using RowLaw = std::function<void(std::mt19937&, std::span<float>)>;

Matrix drawnRows(std::size_t rows, std::size_t dim, unsigned seed, const RowLaw& fill) {
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::mt19937 random(seed);
    for (std::size_t r = 0; r < rows; ++r)
        fill(random, std::span(matrix.values).subspan(r * dim, dim));
    return matrix;
}

Matrix inOtherOrder(const Matrix& matrix, unsigned seed) {
    std::vector<std::size_t> order(matrix.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    Matrix result{{}, matrix.rows, matrix.dim};
    for (const std::size_t row : order) {
        const auto values = matrix.view().row(row);
        result.values.insert(result.values.end(), values.begin(), values.end());
    }
    return result;
}

float normalOf(std::mt19937& random) {
    return std::normal_distribution<float>()(random);
}

void independentNormals(std::mt19937& random, std::span<float> row) {
    std::ranges::generate(row, [&] { return normalOf(random); });
}

/// Each feature has a correlation of 0.8 with the one before it.
void chainOfNormals(std::mt19937& random, std::span<float> row) {
    float last = normalOf(random);
    for (float& value : row)
        value = last = 0.8F * last + 0.6F * normalOf(random);
}

/// Numbers, counts, a rare count, rows of zeros and three categories.
void mixedTable(std::mt19937& random, std::span<float> row) {
    row[0] = normalOf(random);
    row[1] = std::exp(2.0F * normalOf(random));
    row[2] = static_cast<float>(std::poisson_distribution<int>(3.0)(random));
    row[3] = static_cast<float>(std::poisson_distribution<int>(0.02)(random));
    row[4] = std::bernoulli_distribution(0.8)(random) ? 0.0F : row[1];
    std::fill(row.begin() + 5, row.end(), 0.0F);
    row[5 + static_cast<std::size_t>(std::discrete_distribution<int>({0.7, 0.25, 0.05})(random))] = 1.0F;
}

void zeroInflated(std::mt19937& random, std::span<float> row) {
    std::ranges::generate(row, [&] { return std::bernoulli_distribution(0.9)(random) ? 0.0F : normalOf(random); });
}

void heavyTails(std::mt19937& random, std::span<float> row) {
    std::ranges::generate(row, [&] { return std::cauchy_distribution<float>()(random); });
}

/// Shares of a and b up to each value of either.
double naiveKolmogorov(const std::vector<float>& a, const std::vector<float>& b) {
    const auto share = [](const std::vector<float>& values, float limit) {
        return static_cast<double>(std::ranges::count_if(values, [&](float v) { return v <= limit; })) /
               static_cast<double>(values.size());
    };
    double largest = 0.0;
    for (const std::vector<float>* values : {&a, &b})
        for (const float limit : *values)
            largest = std::max(largest, std::abs(share(a, limit) - share(b, limit)));
    return largest;
}

std::vector<float> columnOf(const Matrix& matrix, std::size_t column) {
    std::vector<float> values;
    for (std::size_t r = 0; r < matrix.rows; ++r)
        values.push_back(matrix.view().row(r)[column]);
    return values;
}

std::vector<std::uint32_t> featureNumbers(const FeatureTests& tests) {
    std::vector<std::uint32_t> numbers;
    for (const DifferingFeature& one : tests.features)
        numbers.push_back(one.feature);
    return numbers;
}

bool accuses(const FeatureTests& tests) {
    return !(tests.constantInReal.empty() && tests.constantInSynthetic.empty() && tests.lostCategories.empty() &&
             tests.newCategories.empty() && tests.otherShares.empty() && tests.features.empty() && tests.pairs.empty());
}

} // namespace

class FeatureTestsTest : public QObject {
    Q_OBJECT

private slots:
    void kolmogorovDistanceIsTheLargestDifferenceOfShares();
    void kolmogorovTailIsSciPys_data();
    void kolmogorovTailIsSciPys();
    void findsShiftedAndWidenedFeatures();
    void reportsDistancesByTheDefinition();
    void findsConstantFeatures();
    void aRareCountIsNotConstant();
    void findsOneHotColumns_data();
    void findsOneHotColumns();
    void findsLostNewAndOtherCategories();
    void readsTextColumnsOfScaledTables();
    void findsAShuffledFeatureByItsPairs();
    void comparesPairsOfAtMostAHundredFeatures();
    void rarelyAccusesSamplesOfOneLaw_data();
    void rarelyAccusesSamplesOfOneLaw();
    void doesNotDependOnTheOrderOfRows();
    void doesNotDependOnThreads();
    void stopsWhenAsked();
};

void FeatureTestsTest::kolmogorovDistanceIsTheLargestDifferenceOfShares() {
    for (unsigned seed = 0; seed < 50; ++seed) {
        std::vector<float> a = test::grid(1 + seed, 1, seed, 2 + seed / 3).values; // many ties
        std::vector<float> b = test::grid(60 - seed, 1, seed + 100, 2 + seed / 4).values;
        const double expected = naiveKolmogorov(a, b);
        std::ranges::sort(a);
        std::ranges::sort(b);
        QVERIFY2(std::abs(kolmogorovDistance(a, b) - expected) < 1e-12, qPrintable(QString("seed %1").arg(seed)));
    }
}

void FeatureTestsTest::kolmogorovTailIsSciPys_data() {
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("tail");
    const std::vector<std::pair<double, double>> known{
        {0.0, 1.0},
        {0.3, 0.9999906941986655},
        {0.5, 0.9639452436648751},
        {0.9, 0.3927307079406543},
        {1.0, 0.26999967167735456},
        {1.36, 0.049485876755377884},
        {2.0, 0.0006709252557796953},
        {4.0, 2.532833109818835e-14},
    };
    for (const auto& [x, tail] : known)
        QTest::newRow(qPrintable(QString::number(x))) << x << tail;
}

void FeatureTestsTest::kolmogorovTailIsSciPys() {
    QFETCH(double, x);
    QFETCH(double, tail);
    QVERIFY(std::abs(kolmogorovTail(x) - tail) < 1e-9 * tail + 1e-300);
}

void FeatureTestsTest::findsShiftedAndWidenedFeatures() {
    const Matrix real = drawnRows(600, 12, 1, independentNormals);
    const Matrix synthetic = drawnRows(500, 12, 2, [](std::mt19937& random, std::span<float> row) {
        independentNormals(random, row);
        row[3] = 2.5F * row[3];
        row[7] += 0.7F;
    });
    const FeatureTests tests = featureTestsOf(real, synthetic);
    QCOMPARE(tests.realRows, std::size_t{600});
    QCOMPARE(tests.dim, std::size_t{12});
    std::vector<std::uint32_t> found = featureNumbers(tests);
    std::ranges::sort(found);
    QCOMPARE(found, (std::vector<std::uint32_t>{3, 7}));
    for (const DifferingFeature& one : tests.features)
        if (one.feature == 3) {
            QVERIFY(one.widthRatio && std::abs(*one.widthRatio - 2.5) < 0.4);
            QVERIFY(!one.shift);
        } else {
            QVERIFY(one.shift && std::abs(*one.shift - 0.7) < 0.2);
            QVERIFY(!one.widthRatio);
        }
    QVERIFY(tests.constantInReal.empty() && tests.constantInSynthetic.empty() && tests.pairs.empty());
}

void FeatureTestsTest::reportsDistancesByTheDefinition() {
    const Matrix real = drawnRows(211, 6, 11, heavyTails);
    Matrix synthetic = drawnRows(97, 6, 12, heavyTails);
    for (std::size_t r = 0; r < synthetic.rows; ++r)
        for (std::size_t c = 0; c < 6; ++c)
            synthetic.values[r * 6 + c] += static_cast<float>(c);
    const FeatureTests tests = featureTestsOf(real, synthetic);
    QVERIFY(tests.features.size() >= 4);
    double last = 1.0;
    for (const DifferingFeature& one : tests.features) {
        const double expected = naiveKolmogorov(columnOf(real, one.feature), columnOf(synthetic, one.feature));
        QVERIFY(std::abs(one.distance - expected) < 1e-12);
        QVERIFY(one.distance <= last && one.pValue <= 0.01);
        last = one.distance;
    }
}

void FeatureTestsTest::findsConstantFeatures() {
    const Matrix real = drawnRows(300, 5, 5, [](std::mt19937& random, std::span<float> row) {
        independentNormals(random, row);
        row[1] = 0.0F;
        row[2] = 3.5F;
        row[4] = -2.0F; // the same on both sides
    });
    const Matrix synthetic = drawnRows(300, 5, 6, [](std::mt19937& random, std::span<float> row) {
        independentNormals(random, row);
        row[1] = std::bernoulli_distribution(0.2)(random) ? 1.0F : 0.0F;
        row[3] = 0.25F;
        row[4] = -2.0F;
    });
    const FeatureTests tests = featureTestsOf(real, synthetic);
    QCOMPARE(tests.constantInReal, (std::vector<ConstantFeature>{{1, 0.0}, {2, 3.5}}));
    QCOMPARE(tests.constantInSynthetic, (std::vector<ConstantFeature>{{3, 0.25}}));
    QVERIFY(tests.features.empty()); // said already
}

void FeatureTestsTest::aRareCountIsNotConstant() {
    const auto rare = [](float count) {
        return [count, row = 0](std::mt19937& random, std::span<float> values) mutable {
            values[0] = normalOf(random);
            values[1] = row++ < 3 ? count : 0.0F;
        };
    };
    const FeatureTests tests = featureTestsOf(drawnRows(200, 2, 8, rare(0.0F)), drawnRows(200, 2, 9, rare(2.0F)));
    QVERIFY(!accuses(tests));
}

void FeatureTestsTest::findsOneHotColumns_data() {
    QTest::addColumn<QString>("rows"); // a letter per row: the column that is 1; other columns by the case
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("count");
    QTest::newRow("two categories") << "abab" << 0 << 2;
    QTest::newRow("after a number") << "abcabc" << 1 << 3;
    QTest::newRow("one that is never 1, at the start") << "bcbc" << 0 << 3;
}

void FeatureTestsTest::findsOneHotColumns() {
    QFETCH(QString, rows);
    QFETCH(int, before);
    QFETCH(int, count);
    const std::size_t repeats = 50;
    const auto dim = static_cast<std::size_t>(before + count + 1);
    Matrix matrix{std::vector<float>(static_cast<std::size_t>(rows.size()) * repeats * dim, 0.0F),
                  static_cast<std::size_t>(rows.size()) * repeats, dim};
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        float* row = matrix.values.data() + r * dim;
        for (std::size_t c = 0; c < static_cast<std::size_t>(before); ++c)
            row[c] = static_cast<float>(r) * 0.5F;
        const int letter = rows[static_cast<qsizetype>(r) % rows.size()].toLatin1() - 'a';
        row[before + letter] = 1.0F;
        row[dim - 1] = static_cast<float>(r % 2); // overlaps
    }
    const ComparedRows compared = comparedRowsOf(matrix);
    const std::vector<OneHotColumns> expected{{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(count)}};
    QCOMPARE(oneHotColumns({compared, compared.size()}, {compared, compared.size()}, {}, {.threads = 2}), expected);

    // A named answer that no real row has belongs to its question.
    Matrix named = matrix;
    for (std::size_t r = 0; r < named.rows; ++r)
        named.values[r * dim + dim - 1] = 0.0F;
    std::vector<std::string> names(dim, "colour=x");
    for (int c = 0; c < before; ++c)
        names[static_cast<std::size_t>(c)] = "size";
    const ComparedRows comparedNamed = comparedRowsOf(named);
    QCOMPARE(oneHotColumns({comparedNamed, named.rows}, {comparedNamed, named.rows}, {.names = names}, {.threads = 2}),
             (std::vector<OneHotColumns>{{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(count + 1)}}));
}

void FeatureTestsTest::findsLostNewAndOtherCategories() {
    const auto withShares = [](std::vector<double> shares) {
        return [shares = std::move(shares)](std::mt19937& random, std::span<float> row) {
            std::ranges::fill(row, 0.0F);
            row[0] = normalOf(random);
            row[1 + static_cast<std::size_t>(std::discrete_distribution<int>(shares.begin(), shares.end())(random))] =
                1.0F;
        };
    };
    const Matrix real = drawnRows(1000, 6, 1, withShares({0.5, 0.3, 0.15, 0.05, 0.0}));
    const Matrix synthetic = drawnRows(800, 6, 2, withShares({0.5, 0.15, 0.25, 0.0, 0.1}));
    std::vector<std::string> names{"x", "c=a", "c=b", "c=c", "c=d", "c=e"};
    const FeatureTests tests = featureTestsOf(real, synthetic, {.names = names});
    QCOMPARE(tests.lostCategories.size(), std::size_t{1});
    QCOMPARE(tests.lostCategories[0].feature, 4U);
    QCOMPARE(tests.lostCategories[0].synthetic, std::size_t{0});
    QCOMPARE(tests.lostCategories[0].column, (OneHotColumns{1, 5}));
    QVERIFY(tests.lostCategories[0].real > 30);
    QCOMPARE(tests.newCategories.size(), std::size_t{1});
    QCOMPARE(tests.newCategories[0].feature, 5U);
    QCOMPARE(tests.otherShares.size(), std::size_t{2});
    QVERIFY(tests.features.empty() && tests.constantInReal.empty());
}

void FeatureTestsTest::readsTextColumnsOfScaledTables() {
    ValuePreparation preparation;
    preparation.oneHot = true;
    preparation.categories = {{.column = 1, .name = "city", .categories = {"a", "b", "c"}}};
    preparation.scaling = Scaling::ZScore;
    preparation.mean = {0.0, 0.3, 0.3, 0.4, 0.1};
    preparation.spread = {1.0, 0.5, 0.25, 2.0, 0.3};
    const auto withShares = [&](std::vector<double> shares) {
        return [&preparation, shares = std::move(shares)](std::mt19937& random, std::span<float> row) {
            row[0] = normalOf(random);
            const int category = std::discrete_distribution<int>(shares.begin(), shares.end())(random);
            for (std::size_t c = 1; c < row.size(); ++c)
                row[c] = static_cast<float>(((static_cast<int>(c) == category + 1 ? 1.0 : 0.0) - preparation.mean[c]) /
                                            preparation.spread[c]);
        };
    };
    const Matrix real = drawnRows(500, 5, 1, withShares({0.4, 0.3, 0.3, 0.0}));
    const Matrix synthetic = drawnRows(500, 5, 2, withShares({0.4, 0.3, 0.0, 0.3}));
    const FeatureTests tests = featureTestsOf(real, synthetic, {.preparation = &preparation});
    QCOMPARE(tests.lostCategories.size(), std::size_t{1});
    QCOMPARE(tests.lostCategories[0].feature, 3U);
    QCOMPARE(tests.newCategories.size(), std::size_t{1}); // texts that the real set does not have
    QCOMPARE(tests.newCategories[0].feature, 4U);
    QVERIFY(tests.features.empty() && tests.otherShares.empty());
}

void FeatureTestsTest::findsAShuffledFeatureByItsPairs() {
    const Matrix real = drawnRows(500, 10, 21, chainOfNormals);
    Matrix synthetic = drawnRows(400, 10, 22, chainOfNormals);
    const std::vector<float> column = columnOf(synthetic, 4);
    for (std::size_t r = 0; r < synthetic.rows; ++r)
        synthetic.values[r * 10 + 4] = column[(r + 57) % column.size()];
    const FeatureTests tests = featureTestsOf(real, synthetic);
    QVERIFY(tests.features.empty());
    QVERIFY(tests.pairs.size() >= 2);
    for (const DifferingPair& pair : tests.pairs)
        QVERIFY(pair.first < pair.second && (pair.first == 4 || pair.second == 4));
    QVERIFY(std::abs(tests.pairs[0].real - 0.79) < 0.08);
    QVERIFY(std::abs(tests.pairs[0].synthetic) < 0.15);
}

void FeatureTestsTest::comparesPairsOfAtMostAHundredFeatures() {
    const Matrix real = drawnRows(60, 101, 1, independentNormals);
    const Matrix synthetic = drawnRows(60, 101, 2, chainOfNormals);
    std::vector<std::uint32_t> features(101);
    std::iota(features.begin(), features.end(), 0U);
    const ComparedRows a = comparedRowsOf(real);
    const ComparedRows b = comparedRowsOf(synthetic);
    QVERIFY(differingPairs(a, b, features, {.threads = 2}).empty());
    features.pop_back();
    QVERIFY(!differingPairs(a, b, features, {.threads = 2}).empty());
    QVERIFY(differingPairs(a, b, std::span(features).first(1), {.threads = 2}).empty());
}

void FeatureTestsTest::rarelyAccusesSamplesOfOneLaw_data() {
    QTest::addColumn<int>("law");
    QTest::newRow("normal") << 0;
    QTest::newRow("correlated") << 1;
    QTest::newRow("table") << 2;
    QTest::newRow("zero-inflated") << 3;
    QTest::newRow("heavy tails") << 4;
}

void FeatureTestsTest::rarelyAccusesSamplesOfOneLaw() {
    QFETCH(int, law);
    const std::array<RowLaw, 5> laws{independentNormals, chainOfNormals, mixedTable, zeroInflated, heavyTails};
    const int audits = test::sized(100, 10);
    int accused = 0;
    for (int audit = 0; audit < audits; ++audit) {
        const auto seed = static_cast<unsigned>(2 * audit + 1000);
        const std::size_t rows = 40 + static_cast<std::size_t>(audit % 5) * 60;
        accused += accuses(featureTestsOf(drawnRows(rows, 8, seed, laws[static_cast<std::size_t>(law)]),
                                          drawnRows(300 - rows / 2, 8, seed + 1, laws[static_cast<std::size_t>(law)])))
                       ? 1
                       : 0;
    }
    // At 1 % of false discoveries 1 of 100 is to be expected; 5 or more have a chance of 0.4 %.
    QVERIFY2(accused <= 4, qPrintable(QString("%1 of %2 audits from seed 1000 on").arg(accused).arg(audits)));
}

void FeatureTestsTest::doesNotDependOnTheOrderOfRows() {
    const Matrix real = drawnRows(300, 8, 31, mixedTable);
    const Matrix synthetic = drawnRows(260, 8, 32, [](std::mt19937& random, std::span<float> row) {
        mixedTable(random, row);
        row[0] = row[1] + 0.1F * row[0];
        row[2] += 2.0F;
    });
    const FeatureTests tests = featureTestsOf(real, synthetic);
    QVERIFY(accuses(tests));
    QCOMPARE(featureTestsOf(inOtherOrder(real, 1), inOtherOrder(synthetic, 2)), tests);
}

void FeatureTestsTest::doesNotDependOnThreads() {
    const Matrix real = drawnRows(400, 40, 41, chainOfNormals);
    const Matrix synthetic = drawnRows(300, 40, 42, independentNormals);
    const FeatureTests tests = featureTestsOf(real, synthetic, {}, 1);
    QVERIFY(!tests.pairs.empty());
    for (const unsigned threads : {2U, 5U})
        QCOMPARE(featureTestsOf(real, synthetic, {}, threads), tests);
}

void FeatureTestsTest::stopsWhenAsked() {
    const Matrix matrix = drawnRows(200, 12, 51, independentNormals);
    const ComparedRows compared = comparedRowsOf(matrix);
    QCOMPARE(test::stopFailure(
                 [&](const JobContext& job) { testFeatures(compared, compared, {}, {.threads = 2, .job = job}); }, 200),
             std::string());
}

ASSAY_TEST(feature_tests_test, FeatureTestsTest)

#include "feature_tests_test.moc"
