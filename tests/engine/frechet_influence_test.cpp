// Shares of samples in the Frechet distance against the distance without each of them, its extrapolation to infinitely
// many samples, and the distance of subsets.
#include "engine/audit/run/audit.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/embedding/frechet_infinity.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

Matrix without(const Matrix& matrix, std::size_t left) {
    Matrix rest = matrix;
    const auto first = rest.values.begin() + static_cast<std::ptrdiff_t>(left * matrix.dim);
    rest.values.erase(first, first + static_cast<std::ptrdiff_t>(matrix.dim));
    --rest.rows;
    return rest;
}

/// A model whose first rows are far off.
Matrix withOutliers(std::size_t rows, std::size_t dim, unsigned seed, std::size_t outliers) {
    Matrix matrix = gaussian(rows, dim, seed, 0.1F, 1.1F);
    for (std::size_t i = 0; i < outliers * dim; ++i)
        matrix.values[i] *= 3.0F;
    return matrix;
}

std::vector<double> influenceOf(const Matrix& real, const Matrix& model, unsigned threads = 2) {
    const GaussianFit fit = fitGaussian(model.view());
    const FrechetSpectrum spectrum = frechetSpectrum(fitGaussian(real.view()), fit);
    const std::vector<float> projected = alongDirections(spectrum, model.view(), fit.mean, threads);
    return frechetInfluence(spectrum, model.view(), fit.mean, projected, model.rows, threads);
}

FrechetInfinity infinityOf(const GaussianFit& real, const Matrix& model, const ComputeContext& context = {}) {
    const GaussianFit fit = fitGaussian(model.view());
    const FrechetSpectrum spectrum = frechetSpectrum(real, fit);
    const std::vector<float> projected = alongDirections(spectrum, model.view(), fit.mean, context.threads);
    return frechetInfinity(real, spectrum, model.view(), fit.mean, projected, frechetDistance(real, fit), context);
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    const double meanX = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double meanY = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xy = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - meanX) * (y[i] - meanY);
        xx += (x[i] - meanX) * (x[i] - meanX);
        yy += (y[i] - meanY) * (y[i] - meanY);
    }
    return xy / std::sqrt(xx * yy);
}

} // namespace

class FrechetInfluenceTest : public QObject {
    Q_OBJECT

private slots:
    void isWhatTheDistanceLoses_data();
    void isWhatTheDistanceLoses();
    void plantedOutliersComeFirst();
    void isEqualForAnyNumberOfThreads();
    void infinityDoesNotDependOnTheSize();
    void infinityHoldsTheTruth();
    void fewSamplesHaveNoInfinity();
    void subsetsAreScoredAsSetsOfTheirOwn_data();
    void subsetsAreScoredAsSetsOfTheirOwn();
};

void FrechetInfluenceTest::isWhatTheDistanceLoses_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<int>("realRows");
    QTest::addColumn<double>("lastScale");
    QTest::newRow("few") << 20 << 3 << 30 << 1.0;
    QTest::newRow("300 x 4") << 300 << 4 << 300 << 1.0;
    QTest::newRow("400 x 64") << 400 << 64 << 400 << 1.0;
    QTest::newRow("a narrow feature") << 200 << 8 << 200 << 1e-4;
    QTest::newRow("fewer samples than dimensions") << 60 << 80 << 200 << 1.0;
    QTest::newRow("fewer real samples than dimensions") << 200 << 80 << 60 << 1.0;
    QTest::newRow("fewer of both") << 40 << 80 << 60 << 1.0;
}

void FrechetInfluenceTest::isWhatTheDistanceLoses() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(int, realRows);
    QFETCH(double, lastScale);
    const auto d = static_cast<std::size_t>(dim);
    Matrix real = gaussian(static_cast<std::size_t>(realRows), d, 1);
    Matrix model = withOutliers(static_cast<std::size_t>(rows), d, 2, 2);
    for (Matrix* matrix : {&real, &model})
        for (std::size_t r = 0; r < matrix->rows; ++r)
            matrix->values[r * d + d - 1] *= static_cast<float>(lastScale);
    const GaussianFit fit = fitGaussian(real.view());
    const double whole = frechetDistance(fit, fitGaussian(model.view()));
    std::vector<double> expected;
    for (std::size_t r = 0; r < model.rows; ++r)
        expected.push_back(static_cast<double>(model.rows - 1) *
                           (whole - frechetDistance(fit, fitGaussian(without(model, r).view()))));
    const std::vector<double> found = influenceOf(real, model);
    double largest = 0.0;
    double worst = 0.0;
    for (std::size_t r = 0; r < found.size(); ++r) {
        largest = std::max(largest, std::abs(expected[r]));
        worst = std::max(worst, std::abs(expected[r] - found[r]));
    }
    QVERIFY2(worst <= 1e-4 * largest, qPrintable(QString::number(worst / largest)));
    QVERIFY(correlation(expected, found) >= 0.99999);
}

void FrechetInfluenceTest::plantedOutliersComeFirst() {
    const Matrix real = gaussian(1000, 16, 3);
    const std::vector<double> found = influenceOf(real, withOutliers(1000, 16, 4, 20));
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, std::greater(), [&](std::size_t row) { return found[row]; });
    const auto planted = std::count_if(order.begin(), order.begin() + 20, [](std::size_t row) { return row < 20; });
    QVERIFY2(planted >= 18, qPrintable(QString::number(planted))); // three times a short row is no outlier
}

void FrechetInfluenceTest::isEqualForAnyNumberOfThreads() {
    const Matrix real = gaussian(3000, 24, 5);
    const Matrix model = withOutliers(5000, 24, 6, 10);
    const std::vector<double> one = influenceOf(real, model, 1);
    const GaussianFit fit = fitGaussian(real.view());
    const FrechetInfinity infinity = infinityOf(fit, model, {.seed = 1, .threads = 1});
    for (unsigned threads = 2; threads < 6; ++threads) {
        QVERIFY(influenceOf(real, model, threads) == one);
        const FrechetInfinity other = infinityOf(fit, model, {.seed = 1, .threads = threads});
        QVERIFY(other.distances == infinity.distances && other.value == infinity.value && other.low == infinity.low);
    }
}

/// The real set's fit is the truth, so that its own error does not matter.
void FrechetInfluenceTest::infinityDoesNotDependOnTheSize() {
    constexpr std::size_t kDim = 32;
    const GaussianFit real = fitGaussian(gaussian(200'000, kDim, 7).view());
    constexpr unsigned kSets = 20; // what one small set is off by is the interval's business
    const Matrix large = gaussian(20'000, kDim, 9, 0.1F, 1.1F);
    const double ofLarge = frechetDistance(real, fitGaussian(large.view()));
    const FrechetInfinity b = infinityOf(real, large, {});
    QVERIFY(std::abs(b.distances.back() - ofLarge) <= 1e-12 * ofLarge); // all samples
    double ofSmall = 0.0;
    double value = 0.0;
    for (unsigned set = 0; set < kSets; ++set) {
        const FrechetInfinity a = infinityOf(real, gaussian(800, kDim, 1000 + set, 0.1F, 1.1F), {});
        QVERIFY(a.low < b.high && b.low < a.high);
        QVERIFY(a.r2 > 0.9);
        QCOMPARE(a.sizes.size(), kInfinitySizes);
        ofSmall += a.distances.back() / kSets;
        value += a.value / kSets;
    }
    QVERIFY(ofSmall > 1.5 * ofLarge); // what the metric is for
    // The next term of the law, about d / (2 n) of the first at the smallest n, stays: an eighth here.
    QVERIFY2(std::abs(value - b.value) < 0.2 * (ofSmall - ofLarge), qPrintable(QString::number(value / b.value)));
}

void FrechetInfluenceTest::infinityHoldsTheTruth() {
    constexpr std::size_t kDim = 8;
    constexpr int kRuns = 200;
    const double truth = static_cast<double>(kDim) * (0.1 * 0.1 + 0.2 * 0.2); // shifted by 0.1, deviation 1.2
    const GaussianFit real = fitGaussian(gaussian(1'000'000, kDim, 10).view());
    int held = 0;
    for (unsigned run = 0; run < kRuns; ++run) {
        const FrechetInfinity found = infinityOf(real, gaussian(1000, kDim, 100 + run, 0.1F, 1.2F), {});
        held += found.low <= truth && truth <= found.high ? 1 : 0;
    }
    QVERIFY2(held >= 180 && held < kRuns, qPrintable(QString::number(held)));
}

void FrechetInfluenceTest::fewSamplesHaveNoInfinity() {
    const GaussianFit real = fitGaussian(gaussian(500, 20, 11).view());
    QVERIFY(infinityOf(real, gaussian(159, 20, 12), {}).sizes.empty());
    QVERIFY(!infinityOf(real, gaussian(160, 20, 12), {}).sizes.empty());
}

void FrechetInfluenceTest::subsetsAreScoredAsSetsOfTheirOwn_data() {
    QTest::addColumn<int>("kept"); // of 100
    for (const int kept : {0, 1, 2, 4, 5, 30, 60, 97, 100})
        QTest::newRow(qPrintable(QString::number(kept))) << kept;
}

void FrechetInfluenceTest::subsetsAreScoredAsSetsOfTheirOwn() {
    QFETCH(int, kept);
    const Matrix real = gaussian(120, 4, 13);
    const Matrix model = withOutliers(100, 4, 14, 5);
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models.push_back({"model", test::asSet(model, "model")});
    const auto audit = runAudit(request);
    FrechetOfSubset subsets(audit, 0);
    QVERIFY(subsets.isKnown());
    std::vector<bool> flags(100);
    Matrix part{{}, 0, 4};
    for (std::size_t row = 0; row < 100; ++row) {
        flags[row] = row * 37 % 100 < static_cast<std::size_t>(kept);
        if (!flags[row])
            continue;
        const auto values = model.view().row(row);
        part.values.insert(part.values.end(), values.begin(), values.end());
        ++part.rows;
    }
    const double found = subsets.evaluate(flags);
    QCOMPARE(subsets.evaluate(flags), found);
    if (kept < 2) {
        QVERIFY(std::isnan(found));
        return;
    }
    const double expected = frechetDistance(fitGaussian(real.view()), fitGaussian(part.view()));
    QVERIFY(std::abs(found - expected) <= 1e-9 * expected);
}

ASSAY_TEST(frechet_influence_test, FrechetInfluenceTest)
#include "frechet_influence_test.moc"
