// What the papers say that the metrics do on Gaussians; bench_curves prints the tables of docs/curves.md. The
// bad-fraction curve has a test of its own.
#include "engine/audit/run/audit.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <cmath>
#include <numbers>

using namespace assay;
using test::Matrix;

namespace {

std::shared_ptr<const ModelAudit> scores(const Matrix& real, const Matrix& synthetic) {
    AuditOptions options;
    options.tablesOnly = true;
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}})->models[0];
}

Matrix withOutliers(Matrix matrix, std::size_t outliers) {
    for (std::size_t i = 0; i < outliers * matrix.dim; ++i)
        matrix.values[i] *= 10.0F;
    return matrix;
}

/// Cross-entropy of centred Gaussians of variance v under one of variance w, in nats.
double crossEntropy(double dim, double v, double w) {
    return dim / 2.0 * (std::log(2.0 * std::numbers::pi * w) + v / w);
}

} // namespace

class PaperBehaviourTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void matchedOutliersLeaveClippedMetricsAlone();
    void translationIsSymmetric();
    void entropiesApproachTheClosedForm_data();
    void entropiesApproachTheClosedForm();
    void densityCreepsUpWithTheSampleSize();
};

void PaperBehaviourTest::initTestCase() {
    if (test::takesSmallSizes())
        QSKIP("what the papers say holds for large sets");
}

void PaperBehaviourTest::matchedOutliersLeaveClippedMetricsAlone() {
    // Salvy et al.: as many outliers of one kind in both sets.
    constexpr std::size_t kRows = 6000;
    const Matrix real = test::gaussian(kRows, 32, 1);
    const Matrix synthetic = test::gaussian(kRows, 32, 2);
    const auto start = scores(real, synthetic);
    for (const std::size_t outliers : {kRows / 100, kRows / 10, kRows / 5}) {
        const auto audit = scores(withOutliers(real, outliers), withOutliers(synthetic, outliers));
        for (const char* metric : {"clipped_density", "clipped_coverage"})
            QVERIFY2(std::abs(audit->metric(metric) - start->metric(metric)) < 0.03,
                     qPrintable(QString("%1, %2 outliers: %3, without: %4")
                                    .arg(metric)
                                    .arg(outliers)
                                    .arg(audit->metric(metric))
                                    .arg(start->metric(metric))));
    }
}

void PaperBehaviourTest::translationIsSymmetric() {
    constexpr std::size_t kRows = 4000;
    const Matrix real = test::gaussian(kRows, 32, 3);
    double last[2] = {1.1, 1.1};
    for (const float mu : {0.0F, 0.2F, 0.5F, 1.0F}) {
        const auto below = scores(real, test::gaussian(kRows, 32, 4, -mu));
        const auto above = scores(real, test::gaussian(kRows, 32, 4, mu));
        int which = 0;
        for (const char* metric : {"clipped_density", "clipped_coverage"}) {
            QVERIFY2(std::abs(below->metric(metric) - above->metric(metric)) < 0.02,
                     qPrintable(QString("%1 at %2: %3 and %4")
                                    .arg(metric)
                                    .arg(static_cast<double>(mu))
                                    .arg(below->metric(metric))
                                    .arg(above->metric(metric))));
            QVERIFY(above->metric(metric) < last[which]);
            last[which++] = above->metric(metric);
        }
    }
}

void PaperBehaviourTest::entropiesApproachTheClosedForm_data() {
    QTest::addColumn<double>("realVariance");
    QTest::addColumn<double>("variance");
    QTest::addColumn<bool>("insideReal");      // whether PCE is of samples where the real set has some
    QTest::addColumn<bool>("insideSynthetic"); // likewise RCE
    QTest::newRow("0.25 of its own kind") << 0.25 << 0.25 << true << true;
    QTest::newRow("1 of its own kind") << 1.0 << 1.0 << true << true;
    QTest::newRow("2.5 of its own kind") << 2.5 << 2.5 << true << true;
    QTest::newRow("0.25 within 1") << 1.0 << 0.25 << true << false;
    QTest::newRow("2.5 around 1") << 1.0 << 2.5 << false << true;
}

void PaperBehaviourTest::entropiesApproachTheClosedForm() {
    QFETCH(double, realVariance);
    QFETCH(double, variance);
    QFETCH(bool, insideReal);
    QFETCH(bool, insideSynthetic);
    constexpr std::size_t kDim = 10;
    const auto offOf = [&](std::size_t rows) {
        const auto audit = scores(test::gaussian(rows, kDim, 5, 0.0F, static_cast<float>(std::sqrt(realVariance))),
                                  test::gaussian(rows, kDim, 6, 0.0F, static_cast<float>(std::sqrt(variance))));
        const auto off = [&](const char* metric, double closed) {
            return std::abs((audit->metric(metric) + audit->metric("real_entropy")) / closed - 1.0);
        };
        return std::array{off("pce", crossEntropy(kDim, variance, realVariance)),
                          off("rce", crossEntropy(kDim, realVariance, variance)),
                          off("re", crossEntropy(kDim, variance, variance))};
    };
    const auto few = offOf(1000);
    const auto many = offOf(12000);
    const bool within[] = {insideReal, insideSynthetic, true};
    for (std::size_t m = 0; m < 3; ++m) {
        const QString text =
            QString("metric %1: off by %2 %, then %3 %").arg(m).arg(100.0 * few[m]).arg(100.0 * many[m]);
        if (within[m])
            QVERIFY2(many[m] < 0.05, qPrintable(text));
        // In tails without samples the estimate lags far behind and comes closer slowly.
        QVERIFY2(many[m] < few[m] || many[m] < 0.01, qPrintable(text));
    }
}

void PaperBehaviourTest::densityCreepsUpWithTheSampleSize() {
    // Fox et al., figure 6: outliers of the real set gain balls as it grows.
    double last = 0.0;
    for (const std::size_t rows : {300U, 3000U, 20000U}) {
        const auto audit = scores(test::gaussian(rows, 2, 9), test::gaussian(rows, 2, 10, 2.0F));
        QVERIFY2(audit->metric("density") > last + 0.1, qPrintable(QString::number(audit->metric("density"))));
        QVERIFY2(std::abs(audit->metric("clipped_density") - 0.18) < 0.03,
                 qPrintable(QString::number(audit->metric("clipped_density"))));
        last = audit->metric("density");
    }
    QVERIFY(last > 0.7 && last < 1.0);
}

ASSAY_TEST(paper_behaviour_test, PaperBehaviourTest)
#include "paper_behaviour_test.moc"
