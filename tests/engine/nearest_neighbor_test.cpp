// Nearest-neighbour accuracy and intrinsic dimension: against all distances, and on sets whose answer is known.
#include "engine/audit/run/audit.h"
#include "engine/math/products/kernels.h"
#include "engine/metrics/entropy/entropy.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace assay;
using test::Matrix;

namespace {

double nearestBeside(const Matrix& a, std::size_t row, const Matrix& b, bool self) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < b.rows; ++i)
        if (!self || i != row)
            nearest = std::min(nearest,
                               std::sqrt(kernels().squaredDistance(a.view().rowData(row), b.view().rowData(i), b.dim)));
    return nearest;
}

/// Share of rows whose nearest other row, of both sets, is of their own.
double ownShare(const Matrix& own, const Matrix& other) {
    double sum = 0.0;
    for (std::size_t row = 0; row < own.rows; ++row) {
        const double toOwn = nearestBeside(own, row, own, true);
        const double toOther = nearestBeside(own, row, other, false);
        sum += toOwn < toOther ? 1.0 : toOwn > toOther ? 0.0 : 0.5;
    }
    return sum / static_cast<double>(own.rows);
}

std::shared_ptr<const ModelAudit> scoredOf(const Matrix& real, const Matrix& synthetic) {
    AuditOptions options;
    options.tablesOnly = true;
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}})->models[0];
}

/// Standard normal coordinates in `filled` of `dim` dimensions, zeros in the others.
Matrix flat(std::size_t rows, std::size_t dim, std::size_t filled, unsigned seed) {
    const Matrix values = test::gaussian(rows, filled, seed);
    Matrix matrix = test::gaussian(rows, dim, seed);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < dim; ++column)
            matrix.values[row * dim + column] = column < filled ? values.values[row * filled + column] : 0.0F;
    return matrix;
}

} // namespace

class NearestNeighborTest : public QObject {
    Q_OBJECT

private slots:
    void accuracyIsThatOfAllDistances();
    void copiesAreBelowAHalfAndOtherSetsAtOne();
    void dimensionIsThatOfTheSurface_data();
    void dimensionIsThatOfTheSurface();
    void dimensionLeavesOutDuplicates();
};

void NearestNeighborTest::accuracyIsThatOfAllDistances() {
    const Matrix real = test::gaussian(120, 5, 1);
    const Matrix synthetic = test::gaussian(90, 5, 2, 0.3F, 1.2F);
    const auto model = scoredOf(real, synthetic);
    QCOMPARE(model->metric("nn_accuracy"), (ownShare(synthetic, real) + ownShare(real, synthetic)) / 2.0);
    double mean = 0.0;
    for (const double share : model->column("nearest_is_real"))
        mean += share / static_cast<double>(real.rows);
    QVERIFY(std::abs(mean - ownShare(real, synthetic)) < 1e-12);
}

void NearestNeighborTest::copiesAreBelowAHalfAndOtherSetsAtOne() {
    const Matrix real = test::gaussian(200, 6, 3);
    const auto copies = scoredOf(real, real);
    QCOMPARE(copies->metric("nn_accuracy"), 0.0);
    const auto far = scoredOf(real, test::gaussian(200, 6, 4, 100.0F));
    QCOMPARE(far->metric("nn_accuracy"), 1.0);
    const auto same = scoredOf(real, test::gaussian(200, 6, 5));
    QVERIFY(std::abs(same->metric("nn_accuracy") - 0.5) < 0.1);
}

void NearestNeighborTest::dimensionIsThatOfTheSurface_data() {
    QTest::addColumn<int>("filled");
    for (const int filled : {1, 2, 4})
        QTest::addRow("%d of 12 dimensions", filled) << filled;
}

void NearestNeighborTest::dimensionIsThatOfTheSurface() {
    QFETCH(const int, filled);
    const auto dimensions = static_cast<std::size_t>(filled);
    const auto model = scoredOf(flat(2000, 12, dimensions, 6), flat(1800, 12, dimensions, 7));
    for (const char* id :
         {"intrinsic_dimension", "intrinsic_dimension_real", "two_nn_dimension", "two_nn_dimension_real"}) {
        const double found = model->metric(id);
        QVERIFY2(std::abs(found - filled) < 0.15 * filled, qPrintable(QString("%1: %2").arg(id).arg(found)));
    }
}

void NearestNeighborTest::dimensionLeavesOutDuplicates() {
    // Two rows with neighbours at 1 and 2, and one with a copy.
    const NeighborTable table{2, {1, 2, 0, 2, 0, 1}, {1.0, 2.0, 1.0, 2.0, 0.0, 3.0}};
    QCOMPARE(metrics::likelihoodDimension(table, 2), 1.0 / std::log(2.0));
    QVERIFY(std::isnan(metrics::likelihoodDimension(table, 1)));
    const NeighborTable equal{2, {1, 2}, {0.0, 0.0}};
    QVERIFY(std::isnan(metrics::likelihoodDimension(equal, 2)));
}

ASSAY_TEST(nearest_neighbor_test, NearestNeighborTest)
#include "nearest_neighbor_test.moc"
