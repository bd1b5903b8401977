// Scores that look beyond the neighbour tables, against all N x M distances.
#include "engine/audit/run/audit.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/neighbors/products/pass_side.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

using namespace assay;
using test::Matrix;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

bool close(double found, double expected) {
    if (std::isnan(expected) || std::isinf(expected))
        return std::isnan(expected) ? std::isnan(found) : found == expected;
    return std::abs(found - expected) <= 1e-11 * std::max(1.0, std::abs(expected));
}

double distanceBetween(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double from = static_cast<double>(a.rowData(rowA)[c]) - static_cast<double>(b.rowData(rowB)[c]);
        sum += from * from;
    }
    return std::sqrt(sum);
}

Values kthOwn(MatrixView set, std::size_t k) {
    Values radius;
    for (std::size_t i = 0; i < set.rows; ++i) {
        Values all;
        for (std::size_t j = 0; j < set.rows; ++j)
            if (i != j)
                all.push_back(distanceBetween(set, i, set, j));
        std::sort(all.begin(), all.end());
        radius.push_back(k <= all.size() ? all[k - 1] : kNaN);
    }
    return radius;
}

double mean(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(Values values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

Values naiveProduct(MatrixView queries, MatrixView base, double within) {
    Values scores;
    for (std::size_t q = 0; q < queries.rows; ++q) {
        double product = 1.0;
        for (std::size_t b = 0; b < base.rows; ++b) {
            const double distance = distanceBetween(queries, q, base, b);
            if (distance <= within)
                product *= within > 0.0 ? distance / within : 0.0;
        }
        scores.push_back(1.0 - product);
    }
    return scores;
}

NearPairScores naiveScores(MatrixView real, MatrixView synthetic, std::size_t k) {
    const Values radius = kthOwn(real, k);
    const double limit = median(radius);
    NearPairScores scores;
    scores.pPrecision = naiveProduct(synthetic, real, 1.2 * mean(radius));
    scores.pRecall = naiveProduct(real, synthetic, 1.2 * mean(kthOwn(synthetic, k)));
    for (std::size_t j = 0; j < synthetic.rows; ++j) {
        double best = -1.0;
        double smallest = kInfinity;
        for (std::size_t i = 0; i < real.rows; ++i) {
            const double distance = distanceBetween(synthetic, j, real, i);
            if (radius[i] < limit)
                best = std::max(best, distance > 0.0 ? radius[i] / distance : kInfinity);
            if (distance <= radius[i])
                smallest = std::min(smallest, radius[i]);
        }
        scores.realism.push_back(best < 0.0 ? kNaN : best);
        scores.rarity.push_back(std::isinf(smallest) ? kNaN : smallest);
    }
    return scores;
}

/// Rows of several clusters of different width, one after the other.
Matrix clusters(std::size_t rows, std::size_t dim, unsigned seed) {
    Matrix all = test::gaussian(rows / 4, dim, seed, 0.0F, 0.05F);
    all = test::joined(all, test::gaussian(rows / 4, dim, seed + 1, 3.0F, 0.4F));
    all = test::joined(all, test::gaussian(rows / 4, dim, seed + 2, -3.0F, 1.0F));
    return test::joined(all, test::gaussian(rows / 4, dim, seed + 3, 0.5F, 2.0F));
}

struct Case {
    const char* name;
    std::function<Matrix()> real, synthetic;
    std::size_t k = 5;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"plane", [] { return gaussian(900, 2, 1); }, [] { return gaussian(850, 2, 2, 0.3F); }},
        {"few dimensions", [] { return gaussian(900, 8, 3); }, [] { return gaussian(500, 8, 4); }},
        {"several slabs of the base", [] { return gaussian(1300, 16, 5); }, [] { return gaussian(1250, 16, 6); }},
        {"nearly all pairs in reach", [] { return gaussian(sized(900, 260), 256, 7); },
         [] { return gaussian(sized(850, 230), 256, 8); }},
        {"half of the real set in reach",
         [] { return joined(gaussian(40, 256, 12, -0.63F, 0.1F), gaussian(40, 256, 13, 0.63F, 0.1F)); },
         [] { return gaussian(sized(900, 260), 256, 14, 0.63F); }},
        {"some saturated", [] { return gaussian(900, 48, 9); }, [] { return gaussian(850, 48, 10, 0.1F); }},
        {"clusters", [] { return clusters(900, 6, 11); }, [] { return clusters(840, 6, 21); }},
        {"more columns than rows", [] { return gaussian(60, 300, 31); }, [] { return gaussian(50, 300, 32); }},
        {"one dimension", [] { return gaussian(400, 1, 33); }, [] { return gaussian(380, 1, 34); }},
        {"ties", [] { return grid(400, 3, 35, 4); }, [] { return grid(380, 3, 36, 4); }},
        {"far apart", [] { return gaussian(300, 10, 37); }, [] { return gaussian(300, 10, 38, 500.0F); }},
        {"copies", [] { return gaussian(300, 5, 39); }, [] { return gaussian(300, 5, 39); }},
        {"all duplicates", [] { return repeated(gaussian(1, 4, 40), 90); },
         [] { return joined(repeated(gaussian(1, 4, 40), 45), repeated(gaussian(1, 4, 41), 45)); }},
        {"duplicates beyond the stored neighbours",
         [] { return joined(repeated(gaussian(4, 4, 42), 240), gaussian(60, 4, 43)); },
         [] { return joined(repeated(gaussian(5, 4, 42), 230), gaussian(50, 4, 44)); }},
        {"a far centre that few bits of the coordinates are left for", [] { return gaussian(400, 12, 45, 3000.0F); },
         [] { return gaussian(380, 12, 46, 3000.0F); }},
        {"k = 1", [] { return gaussian(300, 20, 47); }, [] { return gaussian(280, 20, 48); }, 1},
    };
    return all;
}

AuditOptions optionsOf(std::size_t k, BackendChoice backend, std::size_t stored, unsigned threads = 0) {
    AuditOptions options;
    options.k = k;
    options.backend = backend;
    options.storedNeighbors = stored;
    options.threads = threads;
    return options;
}

std::shared_ptr<const AuditResult> audit(const Matrix& real, const Matrix& synthetic, const AuditOptions& options) {
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, options, {}});
}

} // namespace

class NearPairsTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithAllDistances_data();
    void agreesWithAllDistances();
    void threadsChangeNothing();
    void orderOfRowsChangesNothing();
    void aggregatesFollowFromTheColumns();
    void coverCountsNeighbours_data();
    void coverCountsNeighbours();
    void coverRaisesTheStoredNeighbours();
    void shortTablesHaveNoCover();
    void stopsWhenAsked();
};

void NearPairsTest::agreesWithAllDistances_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("stored");
    for (std::size_t c = 0; c < cases().size(); ++c)
        for (const auto& [choice, name] :
             {std::pair{BackendChoice::Gemm, "gemm"}, std::pair{BackendChoice::KdTree, "kdtree"}})
            for (int stored = 5; stored <= test::sized(32, 5); stored += 27)
                QTest::addRow("%s, %s, %d stored", cases()[c].name, name, stored)
                    << static_cast<int>(c) << static_cast<int>(choice) << stored;
}

void NearPairsTest::agreesWithAllDistances() {
    QFETCH(int, number);
    QFETCH(int, backend);
    QFETCH(int, stored);
    const Case& one = cases()[static_cast<std::size_t>(number)];
    const Matrix real = one.real();
    const Matrix synthetic = one.synthetic();
    AuditOptions options = optionsOf(one.k, static_cast<BackendChoice>(backend), static_cast<std::size_t>(stored));
    options.cover = {1, 1};
    const auto result = audit(real, synthetic, options);
    const NearPairScores expected = naiveScores(real.view(), synthetic.view(), one.k);
    const auto compare = [&](const char* id, const Values& oracle) {
        const Values& found = result->models[0]->column(id);
        QCOMPARE(found.size(), oracle.size());
        for (std::size_t row = 0; row < oracle.size(); ++row)
            QVERIFY2(close(found[row], oracle[row]), qPrintable(QStringLiteral("%1, row %2: found %3, expected %4")
                                                                    .arg(QString::fromUtf8(id))
                                                                    .arg(row)
                                                                    .arg(found[row], 0, 'g', 17)
                                                                    .arg(oracle[row], 0, 'g', 17)));
    };
    compare("p_precision", expected.pPrecision);
    compare("p_recall", expected.pRecall);
    compare("realism", expected.realism);
    compare("rarity", expected.rarity);
}

void NearPairsTest::threadsChangeNothing() {
    const Matrix real = clusters(900, 24, 51);
    const Matrix synthetic = clusters(880, 24, 61);
    for (const BackendChoice backend : {BackendChoice::Gemm, BackendChoice::KdTree}) {
        const auto one = audit(real, synthetic, optionsOf(5, backend, 9, 1));
        const auto three = audit(real, synthetic, optionsOf(5, backend, 9, 3));
        for (const char* id : {"p_precision", "p_recall", "realism"})
            QVERIFY2(one->models[0]->column(id) == three->models[0]->column(id), id);
        QCOMPARE(one->models[0]->metric("rarity"), three->models[0]->metric("rarity"));
    }
}

void NearPairsTest::orderOfRowsChangesNothing() {
    const Matrix real = clusters(600, 10, 71);
    const Matrix synthetic = clusters(560, 10, 81);
    Matrix mixed = real;
    std::vector<std::size_t> order(real.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    for (std::size_t row = 0; row < real.rows; ++row)
        std::copy_n(real.view().rowData(order[row]), real.dim, mixed.values.data() + row * real.dim);
    const auto before = audit(real, synthetic, optionsOf(5, BackendChoice::Gemm, 9));
    const auto after = audit(mixed, synthetic, optionsOf(5, BackendChoice::Gemm, 9));
    for (const char* id :
         {"p_precision", "p_recall", "realism", "rarity", "rarity_outside", "precision_cover", "recall_cover"})
        QVERIFY2(close(after->models[0]->metric(id), before->models[0]->metric(id)), id);
}

void NearPairsTest::aggregatesFollowFromTheColumns() {
    const auto result = audit(test::gaussian(400, 6, 91), test::gaussian(301, 6, 92, 0.8F), {});
    const ModelAudit& model = *result->models[0];
    QVERIFY(close(model.metric("p_precision"), mean(model.column("p_precision"))));
    QVERIFY(close(model.metric("p_recall"), mean(model.column("p_recall"))));
    QVERIFY(close(model.metric("realism"), median(model.column("realism"))));
    Values inside;
    for (const double rarity : model.column("rarity"))
        if (!std::isnan(rarity))
            inside.push_back(rarity);
    QVERIFY(!inside.empty() && inside.size() < 301);
    QVERIFY(close(model.metric("rarity"), mean(inside)));
    QVERIFY(close(model.metric("rarity_outside"), 1.0 - static_cast<double>(inside.size()) / 301.0));
    QVERIFY(close(1.0 - model.metric("rarity_outside"), model.metric("precision")));
}

void NearPairsTest::coverCountsNeighbours_data() {
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("c");
    for (const auto& [k, c] : {std::pair{3, 3}, std::pair{1, 1}, std::pair{2, 5}, std::pair{7, 6}})
        QTest::addRow("k' = %d, C = %d", k, c) << k << c;
}

void NearPairsTest::coverCountsNeighbours() {
    QFETCH(int, k);
    QFETCH(int, c);
    const Matrix real = test::grid(200, 4, 93, 5);
    const Matrix synthetic = test::grid(180, 4, 94, 5);
    AuditOptions options;
    options.cover = {static_cast<std::size_t>(k), static_cast<std::size_t>(c)};
    const auto result = audit(real, synthetic, options);
    const auto naive = [&](MatrixView set, MatrixView other, std::size_t neighbors) {
        const Values within = neighbors == 0 ? Values(set.rows, 0.0) : kthOwn(set, neighbors);
        double covered = 0.0;
        for (std::size_t row = 0; row < set.rows; ++row) {
            int near = 0;
            for (std::size_t o = 0; o < other.rows; ++o)
                near += distanceBetween(set, row, other, o) <= within[row] ? 1 : 0;
            covered += near >= k ? 1.0 : 0.0;
        }
        return covered / static_cast<double>(set.rows);
    };
    const std::size_t neighbors = options.cover.neighbors();
    const ModelAudit& model = *result->models[0];
    QCOMPARE(model.metric("precision_cover"), naive(synthetic.view(), real.view(), neighbors));
    QCOMPARE(model.metric("recall_cover"), naive(real.view(), synthetic.view(), neighbors));
    // The published program counts the sample itself as its first neighbour.
    QCOMPARE(metrics::meanOf(metrics::coverFlags(model.tables->synthetic.nearest, model.tables->syntheticToSynthetic,
                                                 options.cover.k, neighbors - 1)),
             naive(synthetic.view(), real.view(), neighbors - 1));
}

void NearPairsTest::coverRaisesTheStoredNeighbours() {
    AuditOptions options;
    options.cover = {7, 9};
    const auto result = audit(test::gaussian(200, 4, 95), test::gaussian(180, 4, 96), options);
    QCOMPARE(result->models[0]->tables->syntheticToSynthetic.k, std::size_t{63});
    QVERIFY(result->models[0]->metric("precision_cover") > 0.0);
}

void NearPairsTest::shortTablesHaveNoCover() {
    AuditOptions options;
    options.k = 2;
    const auto result = audit(test::gaussian(9, 4, 97), test::gaussian(9, 4, 98), options);
    QVERIFY(std::isnan(result->models[0]->metric("precision_cover")));
    QVERIFY(std::isnan(result->models[0]->metric("recall_cover")));
}

void NearPairsTest::stopsWhenAsked() {
    const Matrix real = test::gaussian(1000, 10, 99);
    const Matrix synthetic = test::gaussian(1000, 10, 100);
    const auto result = audit(real, synthetic, optionsOf(5, BackendChoice::Gemm, 9));
    MetricInputs inputs{*result->real, *result->models[0]->tables, 5};
    inputs.results.put(SyntheticRows{result->models[0]->set->matrix()});
    for (const PairSearch search : {PairSearch::ByProducts, PairSearch::ByTree}) {
        const std::string failure = test::stopFailure(
            [&](const JobContext& job) {
                inputs.job = job;
                inputs.pairSearch = search;
                findNearPairScores(inputs);
            },
            20);
        QVERIFY2(failure.empty(), failure.c_str());
    }
}

ASSAY_TEST(near_pairs_test, NearPairsTest)
#include "near_pairs_test.moc"
