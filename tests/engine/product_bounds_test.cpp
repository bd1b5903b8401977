#include "engine/math/products/kernels.h"
#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/tile_kernels.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/simd_targets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

struct Hits {
    std::vector<float> estimate;
    std::vector<std::uint32_t> column;

    friend bool operator==(const Hits&, const Hits&) = default;
};

/// Both lists of hits that a kernel finds in one tile row.
template <typename Kernel, typename Product>
std::pair<Hits, Hits> select(Kernel kernel, const std::vector<Product>& product, const TileRow& row,
                             const TileColumns& columns) {
    Hits found[2];
    TileHits hits[2];
    for (int side = 0; side < 2; ++side) {
        found[side].estimate.resize(columns.count + 16);
        found[side].column.resize(columns.count + 16);
        hits[side] = {found[side].estimate.data(), found[side].column.data(), 0};
    }
    kernel(product.data(), row, columns, hits[0], hits[1]);
    for (int side = 0; side < 2; ++side) {
        found[side].estimate.resize(hits[side].count);
        found[side].column.resize(hits[side].count);
    }
    return {found[0], found[1]};
}

/// Products of two rows as the operand's precision computes them.
float estimateOf(const ProductOperand& x, std::size_t i, const ProductOperand& y, std::size_t j) {
    const TileColumns column = y.tileColumns(j, 1, nullptr, nullptr, nullptr);
    const TileRow row = x.tileRow(i, 0.0F, 0.0F, 0.0F);
    if (x.precision() == Precision::Integer) {
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < x.dim(); ++c)
            sum += x.integerRow(i)[c] * y.integerRow(j)[c];
        return static_cast<float>(sum) * (row.factor * column.step[0]) + (row.term + column.term[0]);
    }
    float sum = 0.0F;
    for (std::size_t c = 0; c < x.dim(); ++c)
        sum += x.singleRow(i)[c] * y.singleRow(j)[c];
    return sum * (row.factor * column.step[0]) + (row.term + column.term[0]);
}

/// Rows of very different sizes and spreads: plain, far from zero, one heavy coordinate, tiny, huge, equal.
Matrix mixedRows(std::size_t dim, unsigned seed) {
    Matrix rows = test::gaussian(40, dim, seed);
    std::mt19937 random(seed);
    for (std::size_t r = 0; r < rows.rows; ++r) {
        float* row = rows.values.data() + r * dim;
        for (std::size_t c = 0; c < dim; ++c) {
            if (r % 5 == 1)
                row[c] += 30.0F;
            if (r % 5 == 2)
                row[c] *= 1e-4F;
            if (r % 5 == 3)
                row[c] = rows.values[c] + 1e-3F * row[c]; // close to the first row
        }
        if (r % 7 == 0)
            row[random() % dim] *= 500.0F;
    }
    return rows;
}

/// Every remainder of a vector, and more columns than a kernel takes at once.
std::vector<std::size_t> manySizes() {
    std::vector<std::size_t> sizes(70);
    std::iota(sizes.begin(), sizes.end(), std::size_t{1});
    sizes.insert(sizes.end(), {384, 511, 512, 513, 1100});
    return sizes;
}

} // namespace

class ProductBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void boundsHoldTheDistance_data();
    void boundsHoldTheDistance();
    void gateAdmitsWhateverIsWithinItsLimit();
    void infiniteLimitsAdmitAllOrNothing();
    void roundsOneStepBeyond();
    void kernelsSelectWhatTheGatesAdmit();
    void theMostOfALimitExcludesNothingItAdmits();
    void kernelsSelectTheSameNearColumns();
    void kernelsMultiplyOutTheSame();
    void kernelsBoundTheKthSmallest();
    void kernelsKeepTheSame();
    void kernelsEstimateTheSame();
    void quantizedRowsCarryTheirTrueResidual();
};

void ProductBoundsTest::boundsHoldTheDistance_data() {
    QTest::addColumn<int>("precision");
    QTest::addColumn<int>("dim");
    for (const int dim : {1, 2, 7, 16, 33, 128, 1000})
        for (const Precision precision : {Precision::Single, Precision::Integer})
            QTest::addRow("%s-%d", precision == Precision::Single ? "single" : "integer", dim)
                << static_cast<int>(precision) << dim;
}

void ProductBoundsTest::boundsHoldTheDistance() {
    QFETCH(int, precision);
    QFETCH(int, dim);
    const Matrix a = mixedRows(static_cast<std::size_t>(dim), 1);
    const Matrix b = mixedRows(static_cast<std::size_t>(dim), 2);
    const Frame frame = Frame::of(a.view(), {a.view(), b.view()}, 1, {});
    const auto operandOf = [&](const Matrix& set) {
        return ProductOperand::of(set.view(), frame, static_cast<Precision>(precision), 1, {});
    };
    const ProductOperand x = operandOf(a);
    const ProductOperand y = operandOf(b);
    const auto scale = static_cast<double>(frame.scale);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < b.rows; ++j) {
            const double scaled = directDistance(a.view(), i, b.view(), j) * scale;
            const PairBounds bounds = boundsOf(x.bounds(i), y.bounds(j), estimateOf(x, i, y, j));
            QVERIFY2(bounds.low <= scaled * scaled && scaled * scaled <= bounds.high,
                     qPrintable(QStringLiteral("rows %1, %2: %3 in [%4, %5]")
                                    .arg(i)
                                    .arg(j)
                                    .arg(scaled * scaled)
                                    .arg(bounds.low)
                                    .arg(bounds.high)));
        }
}

void ProductBoundsTest::gateAdmitsWhateverIsWithinItsLimit() {
    const Matrix a = mixedRows(64, 3);
    const Frame frame = Frame::of(a.view(), {a.view()}, 1, {});
    const auto scale = static_cast<double>(frame.scale);
    for (const Precision precision : {Precision::Single, Precision::Integer}) {
        const ProductOperand x = ProductOperand::of(a.view(), frame, precision, 1, {});
        std::size_t excluded = 0;
        for (std::size_t i = 0; i < a.rows; ++i)
            for (std::size_t j = 0; j < a.rows; ++j) {
                const double scaled = directDistance(a.view(), i, a.view(), j) * scale;
                const float estimate = estimateOf(x, i, x, j);
                QVERIFY(PruningLimit::of(roundUp(scaled * scaled), x.bounds(i)).admits(estimate, x.bounds(j)));
                QVERIFY(PruningLimit::of(roundUp(scaled * scaled), x.bounds(j)).admits(estimate, x.bounds(i)));
                excluded +=
                    PruningLimit::of(roundDown(scaled * scaled * 0.5), x.bounds(i)).admits(estimate, x.bounds(j)) ? 0
                                                                                                                  : 1;
            }
        QVERIFY2(excluded > a.rows * a.rows / 4, "a limit that admits everything prunes nothing");
    }
}

void ProductBoundsTest::infiniteLimitsAdmitAllOrNothing() {
    const Matrix a = mixedRows(8, 4);
    const Frame frame = Frame::of(a.view(), {a.view()}, 1, {});
    const ProductOperand x = ProductOperand::of(a.view(), frame, Precision::Integer, 1, {});
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < a.rows; ++i) {
        QVERIFY(PruningLimit::of(kInfinity, x.bounds(i)).admits(1e30F, x.bounds(0)));
        QVERIFY(!PruningLimit::of(-kInfinity, x.bounds(i)).admits(-1e30F, x.bounds(0)));
    }
}

void ProductBoundsTest::roundsOneStepBeyond() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::vector<double> values{0.0,     -0.0,   1.0,   -1.0,   0.1,     -0.1,  1e-45, -1e-45,   1e-300,
                                     -1e-300, 3.4e38, 1e300, -1e300, -3.4e38, 1e-38, 7e-39, 12345.678};
    for (const double value : values) {
        const auto nearest = static_cast<float>(value);
        const float above = static_cast<double>(nearest) < value ? std::nextafter(nearest, kInfinity) : nearest;
        QCOMPARE(roundUp(value), std::nextafter(above, kInfinity));
        QCOMPARE(roundDown(-value), -roundUp(value));
    }
    QCOMPARE(roundUp(static_cast<double>(kInfinity)), kInfinity);
    QVERIFY(roundUp(-static_cast<double>(kInfinity)) < -3e38F);
}

void ProductBoundsTest::kernelsSelectWhatTheGatesAdmit() {
    for (const std::size_t columns : manySizes()) {
        std::mt19937 random(static_cast<unsigned>(columns));
        std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
        std::vector<float> values[6];
        for (auto& v : values)
            for (std::size_t c = 0; c < columns; ++c)
                v.push_back(uniform(random));
        TileRow row{-0.02F, 0.6F, 0.1F, -0.05F, 0.9F, 0.8F, 0.0F};
        const float largestResidual = *std::max_element(values[2].begin(), values[2].end());
        const float smallestOffset = *std::min_element(values[3].begin(), values[3].end());
        std::vector<float> most(columns);
        tileKernels().findMost({&row.reach, &row.level, 1}, {largestResidual, smallestOffset}, &row.most);
        tileKernels().findMost({values[4].data(), values[5].data(), columns}, {row.residual, row.offset}, most.data());
        const TileColumns terms{values[0].data(), values[1].data(), values[2].data(), values[3].data(),
                                values[4].data(), values[5].data(), most.data(),      columns};
        std::vector<std::int32_t> integers(columns);
        std::vector<float> singles(columns);
        for (std::size_t c = 0; c < columns; ++c) {
            integers[c] = static_cast<std::int32_t>(random() % 100) - 50;
            singles[c] = static_cast<float>(integers[c]);
        }
        Hits forRow;
        Hits forColumn;
        for (std::size_t c = 0; c < columns; ++c) {
            const float estimate = singles[c] * (row.factor * terms.step[c]) + (row.term + terms.term[c]);
            const auto bounds = [](float residual, float offset) { return RowBounds{residual, offset, 0.0F, 0.0F}; };
            if (PruningLimit{row.reach, row.level}.admits(estimate, bounds(terms.residual[c], terms.offset[c]))) {
                forRow.estimate.push_back(estimate);
                forRow.column.push_back(static_cast<std::uint32_t>(c));
            }
            if (PruningLimit{terms.reach[c], terms.level[c]}.admits(estimate, bounds(row.residual, row.offset))) {
                forColumn.estimate.push_back(estimate);
                forColumn.column.push_back(static_cast<std::uint32_t>(c));
            }
        }
        const std::pair expected{forRow, forColumn};
        test::onEveryInstructionSet([&](const char* name) {
            QVERIFY2(select(tileKernels().selectInteger, integers, row, terms) == expected, name);
            QVERIFY2(select(tileKernels().selectSingle, singles, row, terms) == expected, name);
        });
    }
}

void ProductBoundsTest::theMostOfALimitExcludesNothingItAdmits() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    test::onEveryInstructionSet([](const char* name) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> exponent(-20.0F, 20.0F);
        std::uniform_real_distribution<float> share(0.0F, 1.0F);
        std::size_t admitted = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            const float size = std::exp2(exponent(random));
            const float residual = size * share(random);
            const float offset = size * (share(random) - 0.5F);
            const PruningLimit limit{size * share(random),
                                     trial % 100 == 0 ? kInfinity : size * (2.0F * share(random) - 0.5F)};
            float most = 0.0F;
            tileKernels().findMost({&limit.reach, &limit.level, 1}, {residual, offset}, &most);
            // Just above what is said to be the most: neither the extremes nor anything less may be admitted.
            const float above = std::nextafter(most, kInfinity);
            QVERIFY2(most == kInfinity || !limit.admits(above, {residual, offset, 0.0F, 0.0F}), name);
            QVERIFY2(most == kInfinity || !limit.admits(above, {residual / 2.0F, offset + size / 3.0F, 0.0F, 0.0F}),
                     name);
            admitted += limit.admits(most * (most > 0.0F ? 0.999F : 1.001F), {residual, offset, 0.0F, 0.0F}) ? 1 : 0;
            float nothing = 0.0F;
            const float least = -kInfinity;
            tileKernels().findMost({&least, &least, 1}, {residual, offset}, &nothing);
            QVERIFY2(nothing == least, name);
        }
        QVERIFY2(admitted > 10000, "a most that is far above the limits would save nothing");
    });
}

void ProductBoundsTest::kernelsSelectTheSameNearColumns() {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    std::size_t selected = 0;
    for (const std::size_t columns : manySizes()) {
        std::vector<std::int32_t> product(columns);
        std::vector<float> step(columns), term(columns), most(columns);
        for (std::size_t c = 0; c < columns; ++c) {
            product[c] = static_cast<std::int32_t>(random() % 20000) - 10000;
            step[c] = 0.01F * share(random);
            term[c] = 10.0F * share(random);
            most[c] = random() % 5 == 0 ? -std::numeric_limits<float>::infinity() : 10.0F * share(random);
        }
        const TileRow row{-0.01F, 3.0F, 0.0F, 0.0F, 0.0F, 0.0F, 4.0F};
        const TileColumns terms{step.data(), term.data(), nullptr, nullptr, nullptr, nullptr, most.data(), columns};
        std::vector<std::uint32_t> expected;
        for (std::size_t c = 0; c < columns; ++c) {
            const float estimate = static_cast<float>(product[c]) * (row.factor * step[c]) + (row.term + term[c]);
            if (estimate <= std::max(row.most, most[c]))
                expected.push_back(static_cast<std::uint32_t>(c));
        }
        selected += expected.size();
        test::onEveryInstructionSet([&](const char* name) {
            std::vector<std::uint32_t> found(columns + 16);
            found.resize(tileKernels().selectNear(product.data(), row, terms, found.data()));
            QVERIFY2(found == expected, name);
        });
    }
    QVERIFY(selected > 100);
}

void ProductBoundsTest::kernelsMultiplyOutTheSame() {
    std::mt19937 random(12);
    constexpr std::size_t kRows = 50;
    for (const std::size_t dim : manySizes()) {
        std::vector<std::int8_t> rows(kRows * dim);
        for (std::int8_t& value : rows) // the extremes often, both signs
            value = static_cast<std::int8_t>(random() % 3 == 0 ? 127 - 254 * static_cast<int>(random() % 2)
                                                               : static_cast<int>(random() % 255) - 127);
        std::vector<std::int32_t> sums(kRows, 0);
        for (std::size_t r = 0; r < kRows; ++r)
            sums[r] = std::accumulate(rows.begin() + static_cast<std::ptrdiff_t>(r * dim),
                                      rows.begin() + static_cast<std::ptrdiff_t>((r + 1) * dim), 0);
        for (std::size_t count = 0; count < 20; ++count) { // every remainder of the rows taken at once
            std::vector<std::uint32_t> columns(count);
            for (std::uint32_t& column : columns)
                column = static_cast<std::uint32_t>(random() % kRows);
            std::vector<std::int32_t> expected(count, 0);
            for (std::size_t n = 0; n < count; ++n)
                for (std::size_t c = 0; c < dim; ++c)
                    expected[n] += rows[3 * dim + c] * rows[columns[n] * dim + c];
            test::onEveryInstructionSet([&](const char* name) {
                std::vector<std::int32_t> found(count);
                tileKernels().integerProducts(rows.data() + 3 * dim, {rows.data(), sums.data(), dim}, columns,
                                              found.data());
                QVERIFY2(found == expected, name);
            });
        }
    }
}

void ProductBoundsTest::kernelsBoundTheKthSmallest() {
    for (std::size_t count = 1; count <= 200; ++count) {
        // Half of the sets have many equal values.
        const Matrix values = count % 2 == 0 ? test::gaussian(1, count, static_cast<unsigned>(count))
                                             : test::grid(1, count, static_cast<unsigned>(count), 3);
        std::vector<float> sorted = values.values;
        std::sort(sorted.begin(), sorted.end());
        for (const std::size_t k : {std::size_t{1}, (count + 1) / 2, count}) {
            test::onEveryInstructionSet([&](const char* name) {
                const float found = tileKernels().atLeastKthSmallest(values.values.data(), count, k);
                QVERIFY2(found >= sorted[k - 1], name);
                // Sixteen halvings of the range leave little, unless fewer of them leave few values.
                const auto within = std::upper_bound(sorted.begin(), sorted.end(), found) - sorted.begin();
                QVERIFY2(static_cast<std::size_t>(within) <= k + k / 16 ||
                             found <= sorted[k - 1] + (sorted.back() - sorted.front()) * 2e-5F,
                         name);
            });
        }
    }
}

void ProductBoundsTest::kernelsKeepTheSame() {
    for (std::size_t count = 0; count <= 70; ++count) {
        const Matrix values = test::gaussian(1, count + 1, static_cast<unsigned>(count));
        std::vector<Candidate> list(count);
        for (std::size_t c = 0; c < count; ++c)
            list[c] = {values.values[c], static_cast<std::uint32_t>(c)};
        const float bound = values.values[count / 2];
        std::vector<std::uint32_t> expected;
        for (const Candidate& candidate : list)
            if (candidate.estimate <= bound)
                expected.push_back(candidate.index);
        test::onEveryInstructionSet([&](const char* name) {
            std::vector<Candidate> kept = list;
            kept.resize(tileKernels().keepAtMost(kept.data(), count, bound));
            std::vector<std::uint32_t> found;
            for (const Candidate& candidate : kept) {
                QVERIFY2(candidate.estimate == values.values[candidate.index], name);
                found.push_back(candidate.index);
            }
            QVERIFY2(found == expected, name);
        });
    }
}

void ProductBoundsTest::kernelsEstimateTheSame() {
    const Matrix a = mixedRows(40, 5);
    const Frame frame = Frame::of(a.view(), {a.view()}, 1, {});
    const ProductOperand x = ProductOperand::of(a.view(), frame, Precision::Integer, 1, {});
    std::vector<std::int32_t> product(a.rows);
    std::iota(product.begin(), product.end(), -20);
    const std::vector<float> singles(product.begin(), product.end());
    const TileColumns columns = x.tileColumns(0, a.rows, nullptr, nullptr, nullptr);
    const TileRow row = x.tileRow(3, 0.0F, 0.0F, 0.0F);
    test::onEveryInstructionSet([&](const char* name) {
        std::vector<float> fromIntegers(a.rows);
        std::vector<float> fromSingles(a.rows);
        tileKernels().estimateInteger(product.data(), row, columns, fromIntegers.data());
        tileKernels().estimateSingle(singles.data(), row, columns, fromSingles.data());
        for (std::size_t c = 0; c < a.rows; ++c)
            QVERIFY2(fromIntegers[c] == singles[c] * (row.factor * columns.step[c]) + (row.term + columns.term[c]),
                     name);
        QVERIFY2(fromIntegers == fromSingles, name);
    });
}

void ProductBoundsTest::quantizedRowsCarryTheirTrueResidual() {
    for (const std::size_t dim : {1U, 5U, 16U, 100U, 1024U}) {
        const Matrix rows = mixedRows(dim, 9);
        test::onEveryInstructionSet([&](const char* name) {
            for (std::size_t r = 0; r < rows.rows; ++r) {
                const float* row = rows.values.data() + r * dim;
                std::vector<std::int8_t> integers(dim);
                const QuantizedRow found = tileKernels().quantizeRow(row, dim, integers.data());
                double residual = 0.0;
                std::int32_t squares = 0;
                for (std::size_t c = 0; c < dim; ++c) {
                    QVERIFY2(integers[c] >= -127, name);
                    const double rest = static_cast<double>(row[c]) - static_cast<double>(found.step) * integers[c];
                    residual += rest * rest;
                    squares += integers[c] * integers[c];
                    QVERIFY2(std::abs(rest) <= 0.5001 * static_cast<double>(found.step), name);
                }
                QVERIFY2(found.squaredIntegers == squares, name);
                QVERIFY2(found.sum == std::accumulate(integers.begin(), integers.end(), 0), name);
                const auto norm = static_cast<double>(found.squaredNorm);
                QVERIFY2(std::abs(std::sqrt(residual) - std::sqrt(static_cast<double>(found.squaredResidual))) <=
                             4e-7 * std::sqrt(norm) + 1e-4 * std::sqrt(residual),
                         name);
            }
        });
    }
}

ASSAY_TEST(product_bounds_test, ProductBoundsTest)
#include "product_bounds_test.moc"
