#include "engine/neighbors/products/subspace_projection.h"
#include "engine/neighbors/products/tile_product.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/plain_distance.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

using namespace assay;
using test::Matrix;

namespace {

/// Rows near a surface of few dimensions: a linear map of few coordinates, some noise, far from zero.
Matrix nearSurface(std::size_t rows, std::size_t dim, std::size_t latent, float noise, unsigned seed) {
    const Matrix z = test::gaussian(rows, latent, seed);
    const Matrix map = test::gaussian(latent, dim, 99);
    Matrix x = test::gaussian(rows, dim, seed + 1, 0.0F, noise);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim; ++c) {
            x.values[r * dim + c] += 7.0F;
            for (std::size_t l = 0; l < latent; ++l)
                x.values[r * dim + c] += z.values[r * latent + l] * map.values[l * dim + c];
        }
    return x;
}

/// Rows of very different sizes: tiny ones, huge ones, equal ones.
Matrix ofAllSizes(std::size_t rows, std::size_t dim, unsigned seed) {
    Matrix x = test::gaussian(rows, dim, seed);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim; ++c) {
            float& value = x.values[r * dim + c];
            value *= std::pow(10.0F, static_cast<float>(r % 7) - 3.0F);
            if (r % 11 == 5)
                value = x.values[c];
        }
    return x;
}

struct Case {
    std::string name;
    std::function<Matrix(unsigned seed)> rows;
    std::size_t dims;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"surface", [](unsigned s) { return nearSurface(200, 300, 6, 0.05F, s); }, 20},
        {"surface without noise", [](unsigned s) { return nearSurface(200, 150, 5, 0.0F, s); }, 12},
        {"surface of more dimensions than kept", [](unsigned s) { return nearSurface(200, 300, 40, 0.1F, s); }, 10},
        {"independent coordinates", [](unsigned s) { return test::gaussian(150, 64, s); }, 8},
        {"all sizes", [](unsigned s) { return ofAllSizes(150, 70, s); }, 9},
        {"one dimension", [](unsigned s) { return test::gaussian(100, 1, s); }, 1},
        {"all rows equal",
         [](unsigned) {
             return Matrix{std::vector<float>(60 * 20, 3.5F), 60, 20};
         },
         4},
        {"fewer rows than dimensions kept", [](unsigned s) { return test::gaussian(10, 90, s); }, 20},
        {"whole numbers", [](unsigned s) { return test::grid(200, 40, s, 3); }, 10},
    };
    return all;
}

double squaredDistance(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
    return test::plainSquaredDistance(a.values.data() + i * a.dim, b.values.data() + j * b.dim, a.dim);
}

} // namespace

class SubspaceProjectionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void excludesNothingWithinTheLimit_data() { everyCase(); }
    void excludesNothingWithinTheLimit();
    void excludesMostOfASurface();
    void isTheSameForTheSameSet();
    void infiniteLimitsStayInfinite();

private:
    static void everyCase();
};

void SubspaceProjectionTest::everyCase() {
    QTest::addColumn<int>("index");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name.c_str()) << static_cast<int>(c);
}

void SubspaceProjectionTest::initTestCase() {
    // Searches ask, too, and project nothing.
    if (!integerProductsAreExact())
        QSKIP("the library's integer products saturate on this processor");
}

void SubspaceProjectionTest::excludesNothingWithinTheLimit() {
    QFETCH(int, index);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix a = c.rows(1);
    const Matrix b = c.rows(2);
    const Frame frame = Frame::of(a.view(), {a.view(), b.view()}, 1, {});
    const SubspaceProjection map = SubspaceProjection::of(a.view(), frame, c.dims, {});
    const ProjectedRows x = map.project(a.view(), frame, 2, {});
    const ProjectedRows y = map.project(b.view(), frame, 1, {});
    QVERIFY(map.stretch() >= 1.0);
    const Shortcut shortcut{&x.operand, &y.operand, map.stretch(), x.slack + y.slack};
    TileProduct product;
    product.multiply({&x.operand, {0, a.rows}}, {&y.operand, {0, b.rows}});
    std::vector<float> estimates(b.rows);
    const auto scale = static_cast<double>(frame.scale);
    for (std::size_t i = 0; i < a.rows; ++i) {
        product.estimates(i, estimates.data());
        for (std::size_t j = 0; j < b.rows; ++j) {
            // The pair itself sets the limit: no pair is ever closer to being excluded.
            const float limit = roundUp(squaredDistance(a, i, b, j) * scale * scale);
            const PruningLimit pruning = PruningLimit::of(shortcut.limitFor(limit), x.operand.bounds(i));
            QVERIFY2(pruning.admits(estimates[j], y.operand.bounds(j)),
                     qPrintable(QStringLiteral("rows %1 and %2, limit %3").arg(i).arg(j).arg(limit)));
        }
    }
}

void SubspaceProjectionTest::excludesMostOfASurface() {
    // What it is for: with a limit of a tenth of the usual distance, hardly a pair near a surface is left.
    const Matrix set = nearSurface(400, 300, 6, 0.05F, 5);
    const Frame frame = Frame::of(set.view(), {set.view()}, 1, {});
    const SubspaceProjection map = SubspaceProjection::of(set.view(), frame, 20, {});
    QVERIFY(map.dims() >= 7 && map.dims() <= 21); // directions that tell nothing may be left out
    const ProjectedRows x = map.project(set.view(), frame, 1, {});
    const Shortcut shortcut{&x.operand, &x.operand, map.stretch(), 2.0 * x.slack};
    TileProduct product;
    product.multiply({&x.operand, {0, set.rows}}, {&x.operand, {0, set.rows}});
    std::vector<float> estimates(set.rows);
    const auto scale = static_cast<double>(frame.scale);
    std::size_t left = 0;
    std::size_t within = 0;
    for (std::size_t i = 0; i < set.rows; ++i) {
        product.estimates(i, estimates.data());
        const double usual = squaredDistance(set, i, set, (i + set.rows / 2) % set.rows);
        const PruningLimit pruning =
            PruningLimit::of(shortcut.limitFor(roundUp(0.1 * usual * scale * scale)), x.operand.bounds(i));
        for (std::size_t j = 0; j < set.rows; ++j) {
            left += pruning.admits(estimates[j], x.operand.bounds(j)) ? 1 : 0;
            within += squaredDistance(set, i, set, j) <= 0.1 * usual ? 1 : 0;
        }
    }
    QVERIFY2(left < 2 * within, qPrintable(QStringLiteral("%1 left of %2 within").arg(left).arg(within)));
}

void SubspaceProjectionTest::isTheSameForTheSameSet() {
    const Matrix set = nearSurface(300, 100, 5, 0.1F, 3);
    const Frame frame = Frame::of(set.view(), {set.view()}, 1, {});
    const auto projected = [&](unsigned threads) {
        return SubspaceProjection::of(set.view(), frame, 10, {}).project(set.view(), frame, threads, {});
    };
    const ProjectedRows one = projected(1);
    const ProjectedRows two = projected(2);
    QCOMPARE(one.slack, two.slack);
    for (std::size_t r = 0; r < set.rows; ++r)
        QVERIFY(std::equal(one.operand.integerRow(r), one.operand.integerRow(r) + one.operand.dim(),
                           two.operand.integerRow(r)));
}

void SubspaceProjectionTest::infiniteLimitsStayInfinite() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Shortcut shortcut{nullptr, nullptr, 1.001, 0.5};
    QCOMPARE(shortcut.limitFor(kInfinity), kInfinity);
    QCOMPARE(shortcut.limitFor(-kInfinity), -kInfinity);
    QVERIFY(shortcut.limitFor(0.0F) >= 0.25F);
}

ASSAY_TEST(subspace_projection_test, SubspaceProjectionTest)
#include "subspace_projection_test.moc"
