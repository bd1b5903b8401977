// What is found near a point is what measuring every point finds, to the last bit, on every instruction set.
#include "engine/math/products/cosine_kernel.h"
#include "engine/metrics/topological/point_distances.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/simd_targets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

constexpr std::size_t kQueries = PointDistances::kQueries;

struct Near {
    std::vector<std::uint32_t> row;
    std::vector<float> squared;
};

/// What is near kQueries rows of a set, from row `first` on.
std::array<Near, kQueries> nearRows(const PointDistances& points, const Matrix& set, std::size_t first, float limit) {
    PointDistances::Queries queries{{}, limit};
    for (std::size_t q = 0; q < kQueries; ++q)
        queries.points[q] = set.view().rowData((first + q) % set.rows);
    std::array<PointDistances::Found, kQueries> found{};
    for (std::size_t block = 0; block < points.blocks(); ++block)
        points.near(queries, block, found);
    std::array<Near, kQueries> near;
    for (std::size_t q = 0; q < kQueries; ++q) {
        const auto count = static_cast<std::ptrdiff_t>(found[q].count);
        near[q].row.assign(found[q].row.begin(), found[q].row.begin() + count);
        near[q].squared.assign(found[q].squared.begin(), found[q].squared.begin() + count);
    }
    return near;
}

Near atMost(const Near& all, float limit) {
    Near near;
    for (std::size_t h = 0; h < all.row.size(); ++h)
        if (all.squared[h] <= limit) {
            near.row.push_back(all.row[h]);
            near.squared.push_back(all.squared[h]);
        }
    return near;
}

bool sameBits(const Near& a, const Near& b) {
    return a.row == b.row &&
           std::equal(a.squared.begin(), a.squared.end(), b.squared.begin(), b.squared.end(), [](float x, float y) {
               return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
           });
}

/// Rows in a few tight heaps far from each other.
Matrix clustered(std::size_t rows, std::size_t dim, unsigned seed) {
    const Matrix centres = scaled(gaussian(7, dim, seed), 30.0F);
    Matrix set = scaled(gaussian(rows, dim, seed + 1), 0.1F);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < dim; ++c)
            set.values[r * dim + c] += centres.values[r % 7 * dim + c];
    return set;
}

/// One row far away from the rest.
Matrix withOutlier(Matrix set) {
    std::fill_n(set.values.begin() + static_cast<std::ptrdiff_t>(5 * set.dim), set.dim, 1e15F);
    return set;
}

} // namespace

class PointDistancesTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatMeasuringAllFinds_data();
    void findsWhatMeasuringAllFinds();
    void distancesAreRight();
    void whatIsNotFiniteIsNearNothing();
    void kernelIsTheCosine_data();
    void kernelIsTheCosine();
    void weightsAreAddedBothWays();
    void kernelOfNoBandwidth();
};

void PointDistancesTest::findsWhatMeasuringAllFinds_data() {
    QTest::addColumn<Matrix>("base");
    QTest::addColumn<Matrix>("queries");
    for (const std::size_t dim : {1U, 2U, 3U, 4U, 5U, 8U, 15U, 16U, 17U, 24U, 31U, 32U, 33U, 40U, 64U, 65U}) {
        const Matrix a = gaussian(700, dim, 1);
        const Matrix b = gaussian(60, dim, 2, 0.3F, 1.2F);
        const auto row = [dim](const char* what) -> QTestData& { return QTest::addRow("%s in %zu", what, dim); };
        row("random") << a << a;
        row("another set") << a << b;
        row("clustered") << clustered(900, dim, 3) << clustered(900, dim, 3);
        row("duplicated") << test::repeated(gaussian(40, dim, 4), 600) << gaussian(40, dim, 4);
        row("whole numbers") << test::grid(600, dim, 5, 3) << test::grid(60, dim, 6, 3);
        row("huge") << scaled(a, 1e18F) << scaled(b, 1e18F);
        row("tiny") << scaled(a, 1e-18F) << scaled(b, 1e-18F);
        row("below the smallest square") << scaled(a, 1e-23F) << scaled(b, 1e-23F);
        row("far from the origin") << shifted(a, 1e4F) << shifted(b, 1e4F);
        row("far from each other") << a << shifted(b, 50.0F);
        row("an outlier") << withOutlier(a) << withOutlier(b);
        row("all equal") << shifted(scaled(a, 0.0F), 3.0F) << b;
        row("one block less a row") << gaussian(255, dim, 7) << b;
        row("one row") << gaussian(1, dim, 8) << b;
    }
}

void PointDistancesTest::findsWhatMeasuringAllFinds() {
    QFETCH(Matrix, base);
    QFETCH(Matrix, queries);
    test::onEveryInstructionSet([&](const char* name) {
        const PointDistances points(base.values, base.rows, base.dim);
        for (std::size_t first = 0; first < std::min<std::size_t>(queries.rows, 60); first += kQueries) {
            const auto all = nearRows(points, queries, first, std::numeric_limits<float>::infinity());
            std::vector<float> sorted = all[first % 3].squared;
            std::sort(sorted.begin(), sorted.end());
            for (const std::size_t rank :
                 {std::size_t{0}, sorted.size() / 100, sorted.size() / 10, sorted.size() / 2}) {
                // Distances at the limit are near, those just beyond it are not.
                for (const float limit : {sorted[rank], std::nextafter(sorted[rank], 0.0F), sorted[rank] * 0.99F}) {
                    const auto near = nearRows(points, queries, first, limit);
                    for (std::size_t q = 0; q < kQueries; ++q)
                        QVERIFY2(sameBits(near[q], atMost(all[q], limit)),
                                 qPrintable(QString("query %1, limit %2, %3").arg(first + q).arg(limit).arg(name)));
                }
            }
        }
    });
}

void PointDistancesTest::distancesAreRight() {
    const Matrix set = gaussian(600, 32, 9);
    test::onEveryInstructionSet([&](const char* name) {
        const PointDistances points(set.values, set.rows, set.dim);
        const auto near = nearRows(points, set, 8, 40.0F);
        std::size_t next = 0;
        for (std::size_t r = 0; r < set.rows; ++r) {
            double squared = 0.0;
            for (std::size_t c = 0; c < set.dim; ++c)
                squared += std::pow(
                    static_cast<double>(set.view().rowData(r)[c]) - static_cast<double>(set.view().rowData(8)[c]), 2);
            if (next < near[0].row.size() && near[0].row[next] == r)
                QVERIFY2(std::abs(static_cast<double>(near[0].squared[next++]) - squared) <= 1e-5 * squared, name);
            else
                QVERIFY2(squared > 40.0 - 1e-4, name);
        }
        QVERIFY2(next == near[0].row.size(), name);
    });
}

void PointDistancesTest::whatIsNotFiniteIsNearNothing() {
    const float infinity = std::numeric_limits<float>::infinity();
    const Matrix a = gaussian(300, 20, 10);
    for (const float value : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 3e38F}) {
        Matrix broken = a;
        broken.values[3 * a.dim + 1] = value;
        for (const auto& [base, queries] : {std::pair<const Matrix*, const Matrix*>{&broken, &a}, {&a, &broken}}) {
            const PointDistances points(base->values, base->rows, base->dim);
            const auto near = nearRows(points, *queries, 0, 30.0F);
            const auto all = nearRows(points, *queries, 0, infinity);
            for (std::size_t q = 0; q < kQueries; ++q)
                QVERIFY(sameBits(near[q], atMost(all[q], 30.0F)));
            QVERIFY(near[0].row.size() > 1);
            QCOMPARE(near[3].row.empty(), queries == &broken);
        }
    }
}

void PointDistancesTest::kernelIsTheCosine_data() {
    QTest::addColumn<float>("squaredBandwidth");
    for (const float value : {38.25F, 1.0F, 1e-3F, 3e38F, 2e-38F, 1e-40F, 3e-45F})
        QTest::addRow("h^2 = %g", static_cast<double>(value)) << value;
}

void PointDistancesTest::kernelIsTheCosine() {
    QFETCH(float, squaredBandwidth);
    constexpr std::size_t kCount = 1003; // no whole number of vectors
    std::vector<float> squared(kCount);
    for (std::size_t i = 0; i < kCount; ++i) // the last ones lie beyond h
        squared[i] = static_cast<float>(static_cast<double>(squaredBandwidth) * static_cast<double>(i) / 1000.0);
    std::vector<float> onTheFirst;
    test::onEveryInstructionSet([&](const char* name) {
        std::vector<float> values(kCount + 1, -1.0F);
        cosineKernel(squared.data(), kCount, squaredBandwidth, values.data());
        QVERIFY2(values[kCount] == -1.0F && values[0] == kKernelUnit, name);
        for (std::size_t i = 0; i < kCount; ++i) {
            QCOMPARE(values[i], std::trunc(values[i]));
            const double share = std::sqrt(static_cast<double>(squared[i]) / static_cast<double>(squaredBandwidth));
            const double expected = squared[i] <= squaredBandwidth ? std::cos(std::numbers::pi / 2.0 * share) : 0.0;
            const double error = std::abs(static_cast<double>(values[i] / kKernelUnit) - expected);
            QVERIFY2(error < 4e-7, qPrintable(QString("at %1: off by %2, %3").arg(share).arg(error).arg(name)));
        }
        if (onTheFirst.empty())
            onTheFirst = values;
        QVERIFY2(values == onTheFirst, name);
    });
}

void PointDistancesTest::weightsAreAddedBothWays() {
    constexpr std::size_t kWidth = 2 * WeightedRows::kWeightLanes;
    constexpr std::size_t kRows = 20;
    std::mt19937 random(5);
    std::vector<float> weights(kRows * kWidth);
    for (float& weight : weights)
        weight = static_cast<float>(random() % 8);
    const std::vector<std::uint32_t> rows{1, 19, 7, 4};
    const std::vector<float> values{3.0F, kKernelUnit, 0.0F, 1234567.0F};
    std::vector<double> expected(weights.size(), 0.5);
    for (std::size_t h = 0; h < rows.size(); ++h)
        for (std::size_t c = 0; c < kWidth; ++c) {
            expected[2 * kWidth + c] +=
                static_cast<double>(values[h]) * static_cast<double>(weights[rows[h] * kWidth + c]);
            expected[rows[h] * kWidth + c] +=
                static_cast<double>(values[h]) * static_cast<double>(weights[2 * kWidth + c]);
        }
    test::onEveryInstructionSet([&](const char* name) {
        std::vector<double> sums(weights.size(), 0.5);
        addBothWays({weights.data(), sums.data(), kWidth}, 2, rows.data(), values.data(), rows.size());
        QVERIFY2(sums == expected, name);
    });
}

void PointDistancesTest::kernelOfNoBandwidth() {
    const std::vector<float> squared{0.0F, 1e-45F, 1.0F};
    std::vector<float> values(squared.size());
    cosineKernel(squared.data(), squared.size(), 0.0F, values.data());
    QCOMPARE(values, (std::vector<float>{kKernelUnit, 0.0F, 0.0F}));
}

ASSAY_TEST(point_distances_test, PointDistancesTest)
#include "point_distances_test.moc"
