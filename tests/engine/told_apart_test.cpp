// Classifiers that tell two sets apart: planted differences, two samples of one law, and what they are made of.
#include "engine/math/linear/pca.h"
#include "engine/math/statistics/rank_statistics.h"
#include "engine/metrics/set_tests/classifier_tests.h"
#include "engine/metrics/utility/linear_model.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <Eigen/Dense>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

ToldApart toldApartOf(const Matrix& real, const Matrix& synthetic, unsigned threads = 2, std::uint64_t seed = 3) {
    return toldApart(inContentOrder(real.view(), {}, seed, 1), inContentOrder(synthetic.view(), {}, seed, 1),
                     {.seed = seed, .threads = threads});
}

Matrix withMovedFeature(Matrix matrix, std::size_t feature, float by) {
    for (std::size_t r = 0; r < matrix.rows; ++r)
        matrix.values[r * matrix.dim + feature] += by;
    return matrix;
}

/// Feature 1 becomes a mixture of itself and feature 0.
Matrix withCorrelation(Matrix matrix, float correlation) {
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        float* row = matrix.values.data() + r * matrix.dim;
        row[1] = correlation * row[0] + std::sqrt(1.0F - correlation * correlation) * row[1];
    }
    return matrix;
}

/// Rows backwards, and then every other one first.
Matrix rearranged(const Matrix& matrix) {
    Matrix result{{}, matrix.rows, matrix.dim};
    for (const std::size_t start : {1U, 0U})
        for (std::size_t r = start; r < matrix.rows; r += 2) {
            const auto row = matrix.view().row(matrix.rows - 1 - r);
            result.values.insert(result.values.end(), row.begin(), row.end());
        }
    return result;
}

/// A set whose columns have mean 0, and whose spectrum falls off.
Matrix centredSpectrum(std::size_t rows, std::size_t dim, unsigned seed) {
    Matrix matrix = test::gaussian(rows, dim, seed);
    for (std::size_t c = 0; c < dim; ++c) {
        double mean = 0.0;
        for (std::size_t r = 0; r < rows; ++r)
            mean += static_cast<double>(matrix.values[r * dim + c]) / static_cast<double>(rows);
        for (std::size_t r = 0; r < rows; ++r) {
            float& value = matrix.values[r * dim + c];
            value = static_cast<float>((static_cast<double>(value) - mean) * std::pow(0.9, static_cast<double>(c)));
        }
    }
    return matrix;
}

} // namespace

class ToldApartTest : public QObject {
    Q_OBJECT

private slots:
    void findsAMovedFeature();
    void findsACorrelationByProducts();
    void findsComponentsOfWideSets();
    void rarelyTellsSamplesOfOneLawApart_data();
    void rarelyTellsSamplesOfOneLawApart();
    void needsFortyRowsOfEachSide();
    void acceptsConstantAndEqualRows();
    void doesNotDependOnTheOrderOfRows();
    void doesNotDependOnThreads();
    void stopsWhenAsked();
    void areaCountsPairs();
    void penaltyIsThatOfTheOptimum();
    void whitenedComponentsAreEigenvectors_data();
    void whitenedComponentsAreEigenvectors();
};

void ToldApartTest::findsAMovedFeature() {
    const Matrix real = test::gaussian(500, 16, 1);
    const Matrix synthetic = withMovedFeature(test::gaussian(400, 16, 2), 5, 0.8F);
    const ToldApart result = toldApartOf(real, synthetic);
    QCOMPARE(result.realRows, std::size_t{500});
    QCOMPARE(result.syntheticRows, std::size_t{400});
    const auto strongest = result.strongest();
    QVERIFY(strongest);
    QCOMPARE(strongest->input, SeparationTest::Input::Features);
    QCOMPARE(strongest->feature, 5U);
    // Two normals 0.8 deviations apart: Phi(0.8 / sqrt(2)) = 0.714.
    QVERIFY(std::abs(strongest->area - 0.71) < 0.04);
    QVERIFY(std::abs(strongest->deviation - 0.024) < 0.004);
}

void ToldApartTest::findsACorrelationByProducts() {
    const ToldApart result = toldApartOf(test::gaussian(500, 8, 1), withCorrelation(test::gaussian(500, 8, 2), 0.8F));
    const auto strongest = result.strongest();
    QVERIFY(strongest);
    QCOMPARE(strongest->input, SeparationTest::Input::Products);
    QVERIFY(strongest->area > 0.6);
    QVERIFY(!result.tests.at(0).isSure());
}

void ToldApartTest::findsComponentsOfWideSets() {
    for (const std::size_t dim : {120U, 600U}) {
        const Matrix real = test::gaussian(400, dim, 1);
        const Matrix synthetic = test::shifted(test::gaussian(400, dim, 2), 0.2F);
        const auto strongest = toldApartOf(real, synthetic).strongest();
        QVERIFY(strongest);
        QCOMPARE(strongest->input, SeparationTest::Input::Components);
        QVERIFY(strongest->area > 0.7);
    }
}

void ToldApartTest::rarelyTellsSamplesOfOneLawApart_data() {
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("levels");
    QTest::newRow("normal") << 12 << 0;
    QTest::newRow("correlated") << 3 << 0;
    QTest::newRow("flags") << 10 << 2;
    QTest::newRow("wide") << 130 << 0;
}

void ToldApartTest::rarelyTellsSamplesOfOneLawApart() {
    QFETCH(int, dim);
    QFETCH(int, levels);
    const int audits = test::sized(100, 10);
    int accused = 0;
    for (int audit = 0; audit < audits; ++audit) {
        const auto seed = static_cast<unsigned>(2 * audit + 500);
        const auto drawn = [&](std::size_t rows, unsigned from) {
            const auto columns = static_cast<std::size_t>(dim);
            return levels > 0 ? test::grid(rows, columns, from, static_cast<unsigned>(levels))
                              : withCorrelation(test::gaussian(rows, columns, from), 0.7F);
        };
        const std::size_t rows = 40 + static_cast<std::size_t>(audit % 4) * 50;
        accused += toldApartOf(drawn(rows, seed), drawn(230 - rows, seed + 1)).strongest() ? 1 : 0;
    }
    // Two tests at 0.5 %: 1 of 100 is to be expected at most; 5 or more have a chance of 0.4 %.
    QVERIFY2(accused <= 4, qPrintable(QString("%1 of %2 audits from seed 500 on").arg(accused).arg(audits)));
}

void ToldApartTest::needsFortyRowsOfEachSide() {
    const Matrix few = test::gaussian(39, 4, 1);
    const Matrix enough = test::shifted(test::gaussian(40, 4, 2), 3.0F);
    QVERIFY(toldApartOf(few, enough).tests.empty());
    QVERIFY(!toldApartOf(few, enough).strongest());
    QVERIFY(toldApartOf(test::gaussian(40, 4, 1), enough).strongest());
}

void ToldApartTest::acceptsConstantAndEqualRows() {
    const Matrix constant{std::vector<float>(60 * 3, 2.0F), 60, 3};
    QVERIFY(!toldApartOf(constant, constant).strongest());
    Matrix twoColumnsAlike = test::grid(80, 3, 1, 4);
    for (std::size_t r = 0; r < 80; ++r)
        twoColumnsAlike.values[r * 3 + 2] = twoColumnsAlike.values[r * 3 + 1];
    QVERIFY(!toldApartOf(twoColumnsAlike, twoColumnsAlike).strongest());
    QVERIFY(toldApartOf(constant, test::gaussian(60, 3, 1)).strongest());
    QVERIFY(std::abs(toldApartOf(constant, test::scaled(constant, 2.0F)).strongest().value().area - 1.0) < 1e-12);
}

void ToldApartTest::doesNotDependOnTheOrderOfRows() {
    const Matrix real = test::grid(200, 6, 1, 5);
    const Matrix synthetic = withMovedFeature(test::grid(150, 6, 2, 5), 2, 2.0F);
    const ToldApart result = toldApartOf(real, synthetic);
    QVERIFY(result.strongest());
    QCOMPARE(toldApartOf(rearranged(real), rearranged(synthetic)), result);
}

void ToldApartTest::doesNotDependOnThreads() {
    for (const std::size_t dim : {20U, 700U}) {
        const Matrix real = test::gaussian(1200, dim, 1);
        const Matrix synthetic = test::gaussian(900, dim, 2, 0.02F);
        const ToldApart result = toldApartOf(real, synthetic, 1);
        for (const unsigned threads : {2U, 5U})
            QCOMPARE(toldApartOf(real, synthetic, threads), result);
    }
}

void ToldApartTest::stopsWhenAsked() {
    for (const std::size_t dim : {20U, 600U}) {
        const Matrix matrix = test::gaussian(300, dim, 1);
        const ComparedRows compared = inContentOrder(matrix.view(), {}, 1, 1);
        // Waiting for LAPACK checks by the clock, so the number of checks varies a little.
        QCOMPARE(test::stopFailure(
                     [&](const JobContext& job) { toldApart(compared, compared, {.threads = 2, .job = job}); }, 50),
                 std::string());
    }
}

void ToldApartTest::areaCountsPairs() {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> level(0, 9); // ties
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> scores;
        std::vector<std::uint8_t> isPositive;
        for (int i = 0; i < 40; ++i) {
            isPositive.push_back(i < 15 ? 1 : 0);
            scores.push_back(level(random) + (i < 15 ? 2 : 0));
        }
        const auto wins = [&](std::size_t positive, std::size_t negative) {
            return scores[positive] > scores[negative] ? 1.0 : scores[positive] == scores[negative] ? 0.5 : 0.0;
        };
        const auto meanAndVariance = [](const std::vector<double>& values) {
            const Eigen::Map<const Eigen::VectorXd> all(values.data(), static_cast<Eigen::Index>(values.size()));
            return std::pair(all.mean(),
                             (all.array() - all.mean()).square().sum() / static_cast<double>(all.size() - 1));
        };
        std::vector<double> ofPositives(15, 0.0);
        std::vector<double> ofNegatives(25, 0.0);
        for (std::size_t p = 0; p < 15; ++p)
            for (std::size_t n = 0; n < 25; ++n) {
                ofPositives[p] += wins(p, 15 + n) / 25.0;
                ofNegatives[n] += wins(p, 15 + n) / 15.0;
            }
        const RocArea roc = rocArea(scores, isPositive);
        const auto [area, positives] = meanAndVariance(ofPositives);
        QVERIFY(std::abs(roc.area - area) < 1e-12);
        QVERIFY(std::abs(roc.variance - positives / 15.0 - meanAndVariance(ofNegatives).second / 25.0) < 1e-12);
    }
    QCOMPARE(rocArea(std::vector<double>{1.0}, std::vector<std::uint8_t>{1}).area, 0.5);
}

void ToldApartTest::penaltyIsThatOfTheOptimum() {
    const Matrix matrix = test::gaussian(200, 5, 9);
    std::vector<std::uint32_t> code(200);
    for (std::size_t r = 0; r < code.size(); ++r)
        code[r] = matrix.view().row(r)[0] + matrix.view().row(r)[1] * 0.3F > 0.2F ? 1 : 0;
    const double penalty = 1.0 / 0.03;
    const LinearModel model = trainClassifier({matrix.values, 200, 5}, code, 2, {.threads = 1}, {.penalty = penalty});
    QVERIFY(model.converged);
    // At the least of sum log loss + penalty |w|^2 / 2 the gradient is 0.
    std::vector<double> weights(6);
    for (std::size_t c = 0; c < 6; ++c)
        weights[c] = model.weights[6 + c] - model.weights[c];
    std::vector<double> gradient(6, 0.0);
    for (std::size_t r = 0; r < 200; ++r) {
        double output = weights[5];
        for (std::size_t c = 0; c < 5; ++c)
            output += weights[c] * static_cast<double>(matrix.view().row(r)[c]);
        const double error = 1.0 / (1.0 + std::exp(-output)) - static_cast<double>(code[r]);
        for (std::size_t c = 0; c < 5; ++c)
            gradient[c] += error * static_cast<double>(matrix.view().row(r)[c]);
        gradient[5] += error;
    }
    for (std::size_t c = 0; c < 5; ++c)
        gradient[c] += penalty * weights[c];
    for (const double one : gradient)
        QVERIFY(std::abs(one) < 1e-3);
}

void ToldApartTest::whitenedComponentsAreEigenvectors_data() {
    QTest::addColumn<int>("dim");
    QTest::newRow("products in double precision") << 30;
    QTest::newRow("products in single precision") << 150;
    QTest::newRow("subspace") << 520;
}

void ToldApartTest::whitenedComponentsAreEigenvectors() {
    QFETCH(int, dim);
    constexpr Eigen::Index kCount = 10;
    const Matrix matrix = centredSpectrum(800, static_cast<std::size_t>(dim), 4);
    const WhitenedComponents found = whitenedComponents(matrix.view(), kCount, {.threads = 2});
    QCOMPARE(found.count, static_cast<std::size_t>(kCount));
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::MatrixXd rows = Eigen::Map<const RowMajor>(matrix.values.data(), 800, dim).cast<double>();
    const Eigen::MatrixXd values = Eigen::Map<const RowMajor>(found.values.data(), 800, kCount).cast<double>();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(rows.transpose() * rows / 800.0);
    for (Eigen::Index c = 0; c < kCount; ++c) {
        const Eigen::Index at = dim - 1 - c;
        const Eigen::VectorXd expected = rows * solver.eigenvectors().col(at) / std::sqrt(solver.eigenvalues()[at]);
        QVERIFY(std::abs(values.col(c).squaredNorm() / 800.0 - 1.0) < 1e-3);
        QVERIFY(std::abs(std::abs(values.col(c).dot(expected)) / 800.0 - 1.0) < 1e-3); // either sign
    }
    // Of a set of rank 2 no more than two components are left.
    Matrix flat = test::gaussian(100, 4, 1);
    for (std::size_t r = 0; r < 100; ++r)
        flat.values[r * 4 + 2] = flat.values[r * 4 + 3] = flat.values[r * 4];
    QCOMPARE(whitenedComponents(flat.view(), 4, {.threads = 1}).count, std::size_t{2});
}

ASSAY_TEST(told_apart_test, ToldApartTest)
#include "told_apart_test.moc"
