// Which features and classes differ: against the definitions written out, and on sets whose answer is known.
#include "engine/audit/run/audit.h"
#include "engine/metrics/features/feature_differences.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <Eigen/Dense>
#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace assay;
using test::Matrix;

namespace {

std::vector<float> ascending(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values;
}

/// Every value of each as often as the other has values: what then pairs up has to be moved.
double movedOnAverage(const std::vector<float>& a, const std::vector<float>& b) {
    const auto repeated = [](const std::vector<float>& values, std::size_t times) {
        std::vector<double> all;
        for (const float value : values)
            all.insert(all.end(), times, static_cast<double>(value));
        return all;
    };
    const std::vector<double> first = repeated(a, b.size());
    const std::vector<double> second = repeated(b, a.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i)
        sum += std::abs(first[i] - second[i]);
    return sum / static_cast<double>(first.size());
}

Matrix scaled(Matrix matrix, std::size_t column, float by, float plus) {
    for (std::size_t row = 0; row < matrix.rows; ++row)
        matrix.values[row * matrix.dim + column] = matrix.values[row * matrix.dim + column] * by + plus;
    return matrix;
}

std::shared_ptr<const EmbeddingSet> labelled(const Matrix& matrix, const std::vector<std::string>& labels) {
    EmbeddingParts parts;
    parts.values = matrix.values;
    parts.rows = matrix.rows;
    parts.dim = matrix.dim;
    parts.labels = labelsFromText(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::vector<std::string> inTurn(std::size_t rows, const std::vector<std::string>& names) {
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < rows; ++row)
        labels.push_back(names[row % names.size()]);
    return labels;
}

Eigen::VectorXd meanOf(const EmbeddingSet& set, const std::string& label) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(set.dim()));
    double count = 0.0;
    for (std::size_t row = 0; row < set.rows(); ++row)
        if (set.labelText(row) == label) {
            for (std::size_t f = 0; f < set.dim(); ++f)
                sum[static_cast<Eigen::Index>(f)] += static_cast<double>(set.matrix().rowData(row)[f]);
            ++count;
        }
    return sum / count;
}

/// The textbook formula, with a root of the symmetric product.
double frechetOf(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    const auto covariance = [](const Eigen::MatrixXd& rows) {
        const Eigen::MatrixXd centred = rows.rowwise() - rows.colwise().mean();
        return Eigen::MatrixXd(centred.transpose() * centred / static_cast<double>(rows.rows() - 1));
    };
    const Eigen::MatrixXd first = covariance(a);
    const Eigen::MatrixXd second = covariance(b);
    // Fewer rows than columns: eigenvalues of 0 may be rounded to below it.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ofFirst(first);
    const Eigen::MatrixXd root = ofFirst.eigenvectors() * ofFirst.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() *
                                 ofFirst.eigenvectors().transpose();
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(root * second * root).eigenvalues().cwiseMax(0.0);
    return (a.colwise().mean() - b.colwise().mean()).squaredNorm() + first.trace() + second.trace() -
           2.0 * values.cwiseSqrt().sum();
}

} // namespace

class FeatureDifferencesTest : public QObject {
    Q_OBJECT

private slots:
    void distanceIsWhatHasToBeMoved_data();
    void distanceIsWhatHasToBeMoved();
    void chanceIsWhatSamplesOfOneDistributionHave();
    void featuresComeByTheirDistance();
    void constantFeatures();
    void isTheSameForAnyNumberOfThreads();
    void largeSetsAreLookedAtInPart();
    void classMeansFollowTheDefinition();
    void movedClassesAreFound();
    void classesOfOneSideDoNotCount();
    void auditsHoldBoth();
};

void FeatureDifferencesTest::distanceIsWhatHasToBeMoved_data() {
    QTest::addColumn<std::vector<float>>("a");
    QTest::addColumn<std::vector<float>>("b");
    using Column = std::vector<float>;
    QTest::newRow("one value each") << Column{1.0F} << Column{4.0F};
    QTest::newRow("equal") << Column{1.0F, 2.0F, 2.0F} << Column{1.0F, 2.0F, 2.0F};
    QTest::newRow("apart") << Column{0.0F, 1.0F, 3.0F} << Column{10.0F, 20.0F};
    QTest::newRow("interleaved, with ties") << Column{0.0F, 1.0F, 1.0F, 2.0F} << Column{-1.0F, 1.0F, 5.0F};
    QTest::newRow("random") << test::gaussian(61, 1, 1).values << test::gaussian(40, 1, 2, 0.3F).values;
}

void FeatureDifferencesTest::distanceIsWhatHasToBeMoved() {
    QFETCH(std::vector<float>, a);
    QFETCH(std::vector<float>, b);
    const double wanted = movedOnAverage(ascending(a), ascending(b));
    const double found = wassersteinDistance(ascending(a), ascending(b));
    QVERIFY2(std::abs(found - wanted) <= 1e-12 * std::max(1.0, wanted), qPrintable(QString::number(found, 'g', 17)));
    QCOMPARE(wassersteinDistance(ascending(b), ascending(a)), found);
}

void FeatureDifferencesTest::chanceIsWhatSamplesOfOneDistributionHave() {
    // Over many pairs of samples the mean distance is what one real sample foretells.
    double distance = 0.0;
    double byChance = 0.0;
    constexpr unsigned kPairs = 60;
    for (unsigned pair = 0; pair < kPairs; ++pair) {
        const Matrix real = test::gaussian(500, 4, 100 + 2 * pair);
        const Matrix synthetic = test::gaussian(300, 4, 101 + 2 * pair);
        for (const FeatureDifference& feature : featureDifferences(real.view(), synthetic.view(), 1, {}).features) {
            distance += feature.distance;
            byChance += feature.byChance;
        }
    }
    const double ratio = distance / byChance;
    QVERIFY2(ratio > 0.93 && ratio < 1.07, qPrintable(QString::number(ratio)));
}

void FeatureDifferencesTest::featuresComeByTheirDistance() {
    const Matrix real = scaled(test::gaussian(2000, 20, 1), 7, 1000.0F, 0.0F); // wide, and not different
    const Matrix synthetic =
        scaled(scaled(scaled(test::gaussian(1500, 20, 2), 7, 1000.0F, 0.0F), 18, 1.0F, 0.5F), 3, 3.0F, 0.0F);
    const FeatureDifferences found = featureDifferences(real.view(), synthetic.view(), 2, {});
    QCOMPARE(found.features.size(), std::size_t{20});
    QCOMPARE(found.realRows, std::size_t{2000});
    QCOMPARE(found.syntheticRows, std::size_t{1500});
    QCOMPARE(found.features[0].feature, 3U); // three times as wide: 2 sqrt(2 / pi) = 1.6
    QCOMPARE(found.features[1].feature, 18U);
    QVERIFY(std::abs(found.features[0].relativeDistance() - 1.596) < 0.1);
    QVERIFY(std::abs(found.features[1].relativeDistance() - 0.5) < 0.08);
    for (std::size_t f = 2; f < 20; ++f) {
        QVERIFY(found.features[f].distance < 3.0 * found.features[f].byChance);
        QVERIFY(found.features[f].relativeDistance() <= found.features[f - 1].relativeDistance());
    }
    QVERIFY(std::abs(found.features[0].syntheticDeviation - 3.0) < 0.2);
    QVERIFY(std::abs(found.features[1].syntheticMean - 0.5) < 0.1);
}

void FeatureDifferencesTest::constantFeatures() {
    const Matrix real = scaled(scaled(test::gaussian(50, 3, 1), 0, 0.0F, 0.1F), 1, 0.0F, 0.1F);
    const Matrix synthetic = scaled(test::gaussian(50, 3, 2), 1, 0.0F, 0.1F);
    const FeatureDifferences found = featureDifferences(real.view(), synthetic.view(), 1, {});
    QCOMPARE(found.features[0].feature, 0U); // constant in the real set alone
    QCOMPARE(found.features[0].relativeDistance(), std::numeric_limits<double>::infinity());
    QCOMPARE(found.features[2].feature, 1U); // the same constant in both
    QCOMPARE(found.features[2].relativeDistance(), 0.0);
    QCOMPARE(found.features[2].realDeviation, 0.0);
    QCOMPARE(found.features[2].realMean, static_cast<double>(0.1F));
}

void FeatureDifferencesTest::isTheSameForAnyNumberOfThreads() {
    const Matrix real = test::gaussian(300, 70, 1);
    const Matrix synthetic = test::gaussian(200, 70, 2, 0.1F);
    QCOMPARE(featureDifferences(real.view(), synthetic.view(), 3, {}),
             featureDifferences(real.view(), synthetic.view(), 1, {}));
    const auto a = labelled(real, inTurn(300, {"x", "y", "z"}));
    const auto b = labelled(synthetic, inTurn(200, {"x", "y", "z"}));
    QCOMPARE(*compareClassMeans(*a, *b, 3, {}), *compareClassMeans(*a, *b, 1, {}));
}

void FeatureDifferencesTest::largeSetsAreLookedAtInPart() {
    QCOMPARE(featureRows(5'000, 4096), std::size_t{5'000});
    QCOMPARE(featureRows(1'000'000, 20), std::size_t{1'000'000});
    QCOMPARE(featureRows(50'000, 1024), std::size_t{19'531});
    QCOMPARE(featureRows(50'000, 100'000), std::size_t{10'000});
    const Matrix real = test::gaussian(10'400, 2048, 1);
    const FeatureDifferences found = featureDifferences(real.view(), real.view(), 2, {});
    QCOMPARE(found.realRows, std::size_t{10'000});
    QCOMPARE(found.features[0].distance, 0.0);
}

void FeatureDifferencesTest::classMeansFollowTheDefinition() {
    const auto real = labelled(test::gaussian(90, 5, 1), inTurn(90, {"a", "b", "c", "only real"}));
    const auto synthetic =
        labelled(test::gaussian(80, 5, 2, 0.4F, 1.3F), inTurn(80, {"only synthetic", "c", "a", "b", "a"}));
    const auto found = compareClassMeans(*real, *synthetic, 2, {});
    QVERIFY(found.has_value());
    QCOMPARE(found->classes.size(), std::size_t{3});
    Eigen::MatrixXd first(3, 5);
    Eigen::MatrixXd second(3, 5);
    for (int c = 0; c < 3; ++c) {
        const ClassShift& shift = found->classes[static_cast<std::size_t>(c)];
        const std::string& label = real->labels().names[shift.realClass];
        first.row(c) = meanOf(*real, label);
        second.row(c) = meanOf(*synthetic, label);
        QVERIFY(std::abs(shift.distance - (first.row(c) - second.row(c)).norm()) < 1e-12);
        QCOMPARE(shift.synthetic, label == "a" ? 32U : 16U);
    }
    // The means are rounded to float32 there.
    QVERIFY(std::abs(found->frechetDistance - frechetOf(first, second)) < 1e-5 * found->frechetDistance);
}

void FeatureDifferencesTest::movedClassesAreFound() {
    Matrix values = test::gaussian(4000, 8, 3);
    const std::vector<std::string> labels = inTurn(4000, {"0", "1", "2", "3"});
    const auto real = labelled(test::gaussian(4000, 8, 4), labels);
    const auto same = compareClassMeans(*real, *labelled(values, labels), 2, {});
    for (const ClassShift& shift : same->classes)
        QVERIFY(shift.distance < 2.0 * shift.byChance);
    for (std::size_t row = 2; row < values.rows; row += 4)
        values.values[row * values.dim] += 1.0F;
    const auto moved = compareClassMeans(*real, *labelled(values, labels), 2, {});
    for (const ClassShift& shift : moved->classes)
        QCOMPARE(shift.distance > 5.0 * shift.byChance, shift.realClass == 2);
    QVERIFY(moved->frechetDistance > 10.0 * same->frechetDistance);
}

void FeatureDifferencesTest::classesOfOneSideDoNotCount() {
    const auto plain = test::asSet(test::gaussian(40, 3, 1), "plain");
    const auto a = labelled(test::gaussian(40, 3, 1), inTurn(40, {"a", "b"}));
    const auto other = labelled(test::gaussian(40, 3, 2), inTurn(40, {"b", "c"}));
    QVERIFY(!compareClassMeans(*plain, *a, 1, {}));
    QVERIFY(!compareClassMeans(*a, *plain, 1, {}));
    QVERIFY(!compareClassMeans(*a, *other, 1, {})); // one class is no distribution
    QVERIFY(compareClassMeans(*a, *a, 1, {})->frechetDistance < 1e-6);
}

void FeatureDifferencesTest::auditsHoldBoth() {
    const auto real = labelled(test::gaussian(120, 4, 1), inTurn(120, {"a", "b"}));
    const auto synthetic = labelled(test::gaussian(100, 4, 2, 0.2F), inTurn(100, {"b", "a"}));
    AuditOptions options;
    const auto whole = runAudit({real, {{"model", synthetic}}, options, {}});
    QCOMPARE(whole->models[0]->featureDifferences, featureDifferences(real->matrix(), synthetic->matrix(), 1, {}));
    QCOMPARE(*whole->models[0]->classMeans, *compareClassMeans(*real, *synthetic, 1, {}));
    options.tablesOnly = true;
    const auto quick = runAudit({real, {{"model", synthetic}}, options, {}});
    QVERIFY(quick->models[0]->featureDifferences.features.empty());
    QVERIFY(!quick->models[0]->classMeans);
}

ASSAY_TEST(feature_differences_test, FeatureDifferencesTest)
#include "feature_differences_test.moc"
