// The k-sensitivity curve against audits with every k, and the ranked balls behind it against counting by definition.
#include "engine/audit/run/audit.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/balls/k_sensitivity.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/pairs/ranked_balls.h"
#include "tests/engine/support/curve_of.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace assay;
using test::Matrix;

namespace {

struct Case {
    const char* name;
    std::function<Matrix()> real, synthetic;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"same distribution", [] { return gaussian(300, 3, 1); }, [] { return gaussian(260, 3, 2); }},
        {"more dimensions", [] { return gaussian(220, 40, 3); }, [] { return gaussian(300, 40, 4); }},
        {"collapsed: real balls hold everything", [] { return gaussian(200, 24, 5); },
         [] { return gaussian(250, 24, 6, 0.0F, 0.1F); }},
        {"wide: synthetic balls hold everything", [] { return gaussian(220, 24, 7, 0.0F, 0.1F); },
         [] { return gaussian(200, 24, 8); }},
        {"far outliers on both sides", [] { return joined(gaussian(200, 8, 9), gaussian(20, 8, 10, 0.0F, 30.0F)); },
         [] { return joined(gaussian(180, 8, 11), gaussian(30, 8, 12, 0.0F, 30.0F)); }},
        {"whole-number grid", [] { return grid(240, 3, 13, 4); }, [] { return grid(260, 3, 14, 4); }},
        {"duplicates beyond the stored neighbours",
         [] { return joined(repeated(gaussian(4, 4, 15), 200), gaussian(50, 4, 16)); },
         [] { return joined(repeated(gaussian(5, 4, 15), 190), gaussian(60, 4, 17)); }},
        {"copies", [] { return gaussian(200, 5, 18); }, [] { return gaussian(200, 5, 18); }},
        {"all the same point", [] { return repeated(gaussian(1, 3, 19), 60); },
         [] { return repeated(gaussian(1, 3, 19), 70); }},
        {"one dimension", [] { return gaussian(150, 1, 20); }, [] { return gaussian(140, 1, 21, 0.5F); }},
        {"fewer samples than levels", [] { return gaussian(9, 4, 22); }, [] { return gaussian(12, 4, 23); }},
    };
    return all;
}

bool sameBits(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

double distanceBetween(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    double sum = 0.0;
    for (std::size_t d = 0; d < a.dim; ++d) {
        const double difference = static_cast<double>(a.rowData(rowA)[d]) - static_cast<double>(b.rowData(rowB)[d]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// Every centre's distance to some of the points.
NeighborTable someDistances(MatrixView centres, MatrixView points) {
    NeighborTable table;
    table.k = (points.rows + 2) / 3;
    for (std::size_t c = 0; c < centres.rows; ++c)
        for (std::size_t rank = 0; rank < table.k; ++rank) {
            table.index.push_back(static_cast<std::uint32_t>((3 * rank + c) % points.rows));
            table.distance.push_back(distanceBetween(centres, c, points, table.index.back()));
        }
    return table;
}

/// Counts by definition.
RankedBallCounts naiveCounts(const RankedBalls& balls) {
    RankedBallCounts counts;
    counts.holding.assign(balls.points.rows * balls.levels, 0);
    counts.clippedHolding.assign(balls.cap.empty() ? 0 : counts.holding.size(), 0);
    for (std::size_t c = 0; c < balls.centres.rows; ++c)
        for (std::size_t p = 0; p < balls.points.rows; ++p) {
            const double distance = distanceBetween(balls.centres, c, balls.points, p);
            for (std::size_t level = 0; level < balls.levels; ++level) {
                const double radius = balls.radius[c * balls.levels + level];
                counts.holding[p * balls.levels + level] += distance <= radius ? 1 : 0;
                if (!balls.cap.empty())
                    counts.clippedHolding[p * balls.levels + level] +=
                        distance <= std::min(radius, balls.cap[level]) ? 1 : 0;
            }
        }
    return counts;
}

} // namespace

class KSensitivityTest : public QObject {
    Q_OBJECT

private slots:
    void everyPointEqualsAnAuditWithThatK_data();
    void everyPointEqualsAnAuditWithThatK();
    void doesNotDependOnTheAuditsOwnK();
    void everySearchGivesTheSame();
    void endsWhereNeighboursEnd();
    void rankedBallsCountByDefinition_data();
    void rankedBallsCountByDefinition();
    void rankedBallsRefuseSizesThatDisagree();
    void rankedBallsStopWhenAsked();
    void calibrationIsTheExpectedCoverage();
};

void KSensitivityTest::everyPointEqualsAnAuditWithThatK_data() {
    QTest::addColumn<int>("which");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name) << static_cast<int>(c);
}

void KSensitivityTest::everyPointEqualsAnAuditWithThatK() {
    QFETCH(int, which);
    const Case& given = cases()[static_cast<std::size_t>(which)];
    const auto real = test::asSet(given.real(), "real");
    const auto synthetic = test::asSet(given.synthetic(), "model");
    const auto audit = runAudit({real, {{"model", synthetic}}, {}, {}});
    const CurveValues& curve = test::curveOf(*audit->models[0], "k_sensitivity");
    const std::size_t most = std::min({std::size_t{20}, real->rows() - 1, synthetic->rows() - 1});
    QCOMPARE(curve.x.size(), most);
    QCOMPARE(curve.lines.size(), std::size_t{10});
    for (std::size_t k = 1; k <= most; k += test::sized<std::size_t>(1, 3)) {
        AuditOptions options;
        options.k = k;
        const auto expected = runAudit({real, {{"model", synthetic}}, options, {}});
        QCOMPARE(curve.x[k - 1], static_cast<double>(k));
        for (const CurveLine& line : curve.lines)
            QVERIFY2(sameBits(line.y[k - 1], expected->models[0]->metric(line.name)),
                     qPrintable(QString("%1 at k = %2: found %3, expected %4")
                                    .arg(QString::fromStdString(line.name))
                                    .arg(k)
                                    .arg(line.y[k - 1], 0, 'g', 17)
                                    .arg(expected->models[0]->metric(line.name), 0, 'g', 17)));
    }
}

void KSensitivityTest::doesNotDependOnTheAuditsOwnK() {
    const auto real = test::asSet(test::gaussian(300, 6, 30), "real");
    const auto synthetic = test::asSet(test::gaussian(280, 6, 31, 0.3F), "model");
    AuditOptions options;
    options.k = 40;
    const auto wide = runAudit({real, {{"model", synthetic}}, options, {}});
    const auto usual = runAudit({real, {{"model", synthetic}}, {}, {}});
    const CurveValues& a = test::curveOf(*wide->models[0], "k_sensitivity");
    const CurveValues& b = test::curveOf(*usual->models[0], "k_sensitivity");
    QCOMPARE(a.x, b.x);
    for (std::size_t line = 0; line < a.lines.size(); ++line)
        QCOMPARE(a.lines[line].y, b.lines[line].y);
}

void KSensitivityTest::everySearchGivesTheSame() {
    const auto real = test::asSet(test::gaussian(500, 24, 34), "real");
    const auto synthetic = test::asSet(test::gaussian(480, 24, 35), "model");
    const auto modelBy = [&](BackendChoice backend) {
        AuditOptions options;
        options.backend = backend;
        return runAudit({real, {{"model", synthetic}}, options, {}})->models[0];
    };
    const auto products = modelBy(BackendChoice::Gemm);
    const auto tree = modelBy(BackendChoice::KdTree);
    const CurveValues& a = test::curveOf(*products, "k_sensitivity");
    const CurveValues& b = test::curveOf(*tree, "k_sensitivity");
    QCOMPARE(a.lines.size(), b.lines.size());
    for (std::size_t line = 0; line < a.lines.size(); ++line)
        QCOMPARE(a.lines[line].y, b.lines[line].y);
}

void KSensitivityTest::endsWhereNeighboursEnd() {
    AuditOptions options;
    options.storedNeighbors = 7; // the verdicts ask for more
    const auto audit = runAudit({test::asSet(test::gaussian(100, 3, 32), "real"),
                                 {{"model", test::asSet(test::gaussian(100, 3, 33), "model")}},
                                 options,
                                 {}});
    QCOMPARE(test::curveOf(*audit->models[0], "k_sensitivity").x.size(), kDensityNeighbors);
}

void KSensitivityTest::rankedBallsCountByDefinition_data() {
    QTest::addColumn<int>("centres");
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dim");
    QTest::addColumn<double>("smallest"); // of the typical distance; 0 for ties
    QTest::newRow("several tiles") << 420 << 300 << 12 << 0.9;
    QTest::newRow("ties everywhere") << 400 << 260 << 3 << 0.0;
    QTest::newRow("one of each") << 1 << 1 << 2 << 0.9;
    QTest::newRow("centres in two parts") << 530 << 12 << 17000 << 0.9;
    QTest::newRow("points in two parts") << 12 << 530 << 17000 << 0.9;
    QTest::newRow("few of many points in reach") << 400 << 2100 << 64 << 0.5; // what integers propose
}

void KSensitivityTest::rankedBallsCountByDefinition() {
    QFETCH(int, centres);
    QFETCH(int, points);
    QFETCH(int, dim);
    QFETCH(double, smallest);
    const bool ties = smallest == 0.0;
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    const Matrix a = ties ? test::grid(size(centres), size(dim), 40, 4) : test::gaussian(size(centres), size(dim), 40);
    const Matrix b = ties ? test::grid(size(points), size(dim), 41, 4) : test::gaussian(size(points), size(dim), 41);
    constexpr std::size_t kLevels = 6;
    const double typical = std::sqrt(2.0 * dim);
    std::vector<double> radius;
    for (std::size_t c = 0; c < a.rows; ++c)
        for (std::size_t level = 0; level < kLevels; ++level) // whole squares for the grid: on the boundary
            radius.push_back(ties ? std::sqrt(static_cast<double>(level + c % 3))
                                  : typical * (smallest + 0.05 * static_cast<double>(level)));
    const std::vector<double> cap = ties ? std::vector<double>{0.0, 1.0, 1.0, std::sqrt(2.0), 2.0, 9.0}
                                         : std::vector<double>(kLevels, typical * (smallest + 0.1));
    RankedBalls balls{a.view(), b.view(), kLevels, radius, cap};
    const RankedBallCounts expected = naiveCounts(balls);
    QVERIFY(*std::max_element(expected.holding.begin(), expected.holding.end()) > 0);
    const NeighborTable known = someDistances(a.view(), b.view());
    for (const PairSearch search : {PairSearch::ByProducts, PairSearch::ByTree})
        for (const NeighborTable* table : {static_cast<const NeighborTable*>(nullptr), &known}) {
            balls.known = table;
            const RankedBallCounts found = countRankedBalls(search, balls, 2, {});
            QCOMPARE(found.holding, expected.holding);
            QCOMPARE(found.clippedHolding, expected.clippedHolding);
        }
}

void KSensitivityTest::rankedBallsRefuseSizesThatDisagree() {
    const Matrix a = test::gaussian(5, 3, 50);
    const Matrix b = test::gaussian(5, 4, 51);
    const std::vector<double> radius(9, 1.0);
    const auto kind = ErrorKind::InvalidArgument;
    QVERIFY(test::saysAll(test::refusalOf(
                              [&] {
                                  countRankedBalls(PairSearch::ByProducts, {a.view(), b.view(), 1, radius, {}}, 1, {});
                              },
                              kind),
                          "columns|expected 3|found 4"));
    QVERIFY(test::saysAll(test::refusalOf(
                              [&] {
                                  countRankedBalls(PairSearch::ByProducts, {a.view(), a.view(), 2, radius, {}}, 1, {});
                              },
                              kind),
                          "radii|expected 10|found 9"));
}

void KSensitivityTest::rankedBallsStopWhenAsked() {
    const Matrix a = test::gaussian(1500, 32, 60);
    const std::vector<double> radius(a.rows * 2, 1.0);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) {
            countRankedBalls(PairSearch::ByProducts, {a.view(), a.view(), 2, radius, {}}, 2, job);
        },
        (a.rows / 128) * (a.rows / 384)); // one a tile
    QVERIFY2(failure.empty(), failure.c_str());
}

void KSensitivityTest::calibrationIsTheExpectedCoverage() {
    const auto audit = runAudit({test::asSet(test::gaussian(300, 4, 70), "real"),
                                 {{"model", test::asSet(test::gaussian(250, 4, 71), "model")}},
                                 {},
                                 {}});
    const CurveValues& curve = test::curveOf(*audit->models[0], "coverage_calibration");
    const std::vector<double> shortfall = metrics::coverageShortfall(300, 250, 5);
    QCOMPARE(curve.x.size(), std::size_t{101});
    for (std::size_t at = 0; at < curve.x.size(); ++at) {
        const std::size_t m = at * 250 / 100;
        QCOMPARE(curve.x[at], static_cast<double>(m) / 250.0);
        QCOMPARE(curve.lines[0].y[at], 1.0 - shortfall[m]);
    }
    QVERIFY(std::is_sorted(curve.lines[0].y.begin(), curve.lines[0].y.end()));
}

ASSAY_TEST(k_sensitivity_test, KSensitivityTest)
#include "k_sensitivity_test.moc"
