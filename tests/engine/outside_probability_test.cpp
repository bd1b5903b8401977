// Probabilities of lying outside a support against all pairs, by matrix products and by trees.
#include "engine/neighbors/pairs/outside_probability.h"
#include "engine/neighbors/pairs/outside_probability_kernels.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/plain_distance.h"
#include "tests/support/simd_targets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

using namespace assay;
using test::gaussian;
using test::Matrix;

namespace {

constexpr PairSearch kSearches[] = {PairSearch::ByProducts, PairSearch::ByTree};

std::vector<std::uint32_t> everyRow(std::size_t rows, std::size_t step = 1) {
    std::vector<std::uint32_t> all;
    for (std::size_t row = 0; row < rows; row += step)
        all.push_back(static_cast<std::uint32_t>(row));
    return all;
}

std::vector<double> naive(const OutsideQuery& side, MatrixView other) {
    std::vector<double> products;
    for (const std::uint32_t row : side.asked) {
        double product = 1.0;
        for (std::size_t o = 0; o < other.rows; ++o) {
            double sum = 0.0;
            for (std::size_t c = 0; c < other.dim; ++c) {
                const double apart =
                    static_cast<double>(side.set.rowData(row)[c]) - static_cast<double>(other.rowData(o)[c]);
                sum += apart * apart;
            }
            product *= std::min(1.0, std::sqrt(sum) / side.within);
        }
        products.push_back(product < kNegligibleProbability ? 0.0 : product);
    }
    return products;
}

struct Case {
    const char* name;
    std::function<Matrix()> a, b;
    double withinA, withinB;
    std::size_t stepA = 1, stepB = 1;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"few in reach", [] { return gaussian(500, 8, 1); }, [] { return gaussian(450, 8, 2); }, 1.5, 1.4},
        {"some settled by bounds", [] { return gaussian(700, 40, 3); }, [] { return gaussian(800, 40, 4, 0.0F, 0.5F); },
         7.0, 7.5},
        {"all settled", [] { return gaussian(500, 20, 5, 0.0F, 0.01F); }, [] { return gaussian(900, 20, 6); }, 9.0,
         9.0},
        {"one side asks", [] { return gaussian(300, 12, 7); }, [] { return gaussian(500, 12, 8); }, 2.5, 2.5, 1, 1000},
        {"some rows ask", [] { return gaussian(600, 16, 9); }, [] { return gaussian(600, 16, 10); }, 3.5, 4.5, 3, 7},
        {"several slabs", [] { return gaussian(250, 6, 11); }, [] { return gaussian(9000, 6, 12); }, 0.9, 0.7, 1, 11},
        {"several groups", [] { return gaussian(9000, 5, 13); }, [] { return gaussian(260, 5, 14); }, 0.8, 0.5, 5, 1},
        {"one close to its end", [] { return gaussian(1, 300, 15); }, [] { return gaussian(2, 300, 16); }, 25.0, 25.0},
        {"copies", [] { return gaussian(300, 4, 17); }, [] { return gaussian(300, 4, 17); }, 1.0, 1.0},
        {"far from zero", [] { return gaussian(300, 12, 18, 3000.0F); }, [] { return gaussian(280, 12, 19, 3000.0F); },
         4.0, 4.0},
    };
    return all;
}

} // namespace

class OutsideProbabilityTest : public QObject {
    Q_OBJECT

private slots:
    void agreeWithAllPairs_data();
    void agreeWithAllPairs();
    void threadsChangeNothing();
    void nobodyAsks();
    void kernelsMeasureAsDefined();
    void progressNeverFalls();
};

void OutsideProbabilityTest::agreeWithAllPairs_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<bool>("tree");
    for (std::size_t c = 0; c < cases().size(); ++c)
        for (const bool tree : {false, true})
            QTest::addRow("%s, %s", cases()[c].name, tree ? "tree" : "matrix") << static_cast<int>(c) << tree;
}

void OutsideProbabilityTest::agreeWithAllPairs() {
    QFETCH(int, number);
    QFETCH(bool, tree);
    const Case& one = cases()[static_cast<std::size_t>(number)];
    const Matrix a = one.a();
    const Matrix b = one.b();
    const OutsideQuery sideA{a.view(), everyRow(a.rows, one.stepA), one.withinA};
    const OutsideQuery sideB{b.view(), one.stepB > b.rows ? std::vector<std::uint32_t>() : everyRow(b.rows, one.stepB),
                             one.withinB};
    const OutsideProbabilities found = outsideProbabilities(kSearches[tree ? 1 : 0], sideA, sideB, 0, {});
    const auto compare = [](const std::vector<double>& products, const std::vector<double>& expected) {
        QCOMPARE(products.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            // What is about as small as may be neglected may be neglected or not.
            const bool edge = std::max(products[i], expected[i]) < 1.01 * kNegligibleProbability;
            QVERIFY2(
                edge || std::abs(products[i] - expected[i]) <= 1e-12 * expected[i],
                qPrintable(QStringLiteral("row %1: found %2, expected %3").arg(i).arg(products[i]).arg(expected[i])));
        }
    };
    compare(found.a, naive(sideA, b.view()));
    compare(found.b, naive(sideB, a.view()));
    // Whichever search an audit takes, its scores are the same to the last bit.
    const OutsideProbabilities otherwise = outsideProbabilities(kSearches[tree ? 0 : 1], sideA, sideB, 2, {});
    QVERIFY(found.a == otherwise.a);
    QVERIFY(found.b == otherwise.b);
}

void OutsideProbabilityTest::threadsChangeNothing() {
    const Matrix a = gaussian(900, 30, 21);
    const Matrix b = gaussian(1000, 30, 22, 0.0F, 0.7F);
    const OutsideQuery sideA{a.view(), everyRow(a.rows), 5.5};
    const OutsideQuery sideB{b.view(), everyRow(b.rows), 6.0};
    for (const PairSearch search : kSearches) {
        const OutsideProbabilities alone = outsideProbabilities(search, sideA, sideB, 1, {});
        const OutsideProbabilities shared = outsideProbabilities(search, sideA, sideB, 5, {});
        QVERIFY(alone.a == shared.a && alone.b == shared.b);
        QVERIFY(std::any_of(alone.a.begin(), alone.a.end(), [](double p) { return p > 0.0 && p < 1.0; }));
    }
}

void OutsideProbabilityTest::nobodyAsks() {
    const Matrix a = gaussian(20, 3, 23);
    for (const PairSearch search : kSearches) {
        const OutsideProbabilities found =
            outsideProbabilities(search, {a.view(), {}, 1.0}, {a.view(), {}, 1.0}, 0, {});
        QVERIFY(found.a.empty() && found.b.empty());
    }
}

void OutsideProbabilityTest::kernelsMeasureAsDefined() {
    for (const std::size_t dim : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 31U, 100U, 1024U}) {
        const Matrix set = test::gaussian(12, dim, static_cast<unsigned>(dim));
        std::vector<const float*> rows;
        for (std::size_t r = 1; r < set.rows; ++r)
            rows.push_back(set.view().rowData(r));
        test::onEveryInstructionSet([&](const char* name) {
            for (std::size_t count = 0; count <= rows.size(); ++count) {
                std::vector<double> squared(rows.size(), -1.0);
                squaredDistancesNear(set.view().rowData(0), rows.data(), count, dim, squared.data());
                for (std::size_t r = 0; r < rows.size(); ++r) {
                    const double direct =
                        r < count ? test::plainSquaredDistance(set.view().rowData(0), rows[r], dim) : -1.0;
                    QVERIFY2(std::abs(squared[r] - direct) <= 1e-14 * std::abs(direct), name);
                }
            }
        });
    }
}

void OutsideProbabilityTest::progressNeverFalls() {
    const Matrix a = gaussian(5000, 24, 24);
    const Matrix b = gaussian(4500, 24, 25);
    for (const PairSearch search : kSearches) {
        std::vector<double> seen;
        const JobContext job({}, [&](const Progress& progress) { seen.push_back(progress.fraction); });
        outsideProbabilities(search, {a.view(), everyRow(a.rows), 4.5}, {b.view(), everyRow(b.rows), 4.5}, 2, job);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        const auto different = std::unique(seen.begin(), seen.end()) - seen.begin();
        QVERIFY2(different > 10, qPrintable(QString::number(different)));
    }
}

ASSAY_TEST(outside_probability_test, OutsideProbabilityTest)
#include "outside_probability_test.moc"
