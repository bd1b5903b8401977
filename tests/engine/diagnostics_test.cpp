// The step table, the occupancy of balls and the fullest balls against counting by definition.
#include "engine/audit/run/audit.h"
#include "engine/metrics/balls/diagnostics.h"
#include "engine/report/scores/score_output.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

using namespace assay;
using test::Matrix;

namespace {

double distanceOf(std::span<const float> a, std::span<const float> b) {
    double sum = 0.0;
    for (std::size_t d = 0; d < a.size(); ++d)
        sum += (static_cast<double>(a[d]) - static_cast<double>(b[d])) *
               (static_cast<double>(a[d]) - static_cast<double>(b[d]));
    return std::sqrt(sum);
}

std::vector<double> radiiOf(const Matrix& real, std::size_t k) {
    std::vector<double> radii;
    for (std::size_t i = 0; i < real.rows; ++i) {
        std::vector<double> distances;
        for (std::size_t other = 0; other < real.rows; ++other)
            if (other != i)
                distances.push_back(distanceOf(real.view().row(i), real.view().row(other)));
        std::sort(distances.begin(), distances.end());
        radii.push_back(distances[k - 1]);
    }
    return radii;
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

std::vector<std::uint32_t> countsOf(const Matrix& real, const Matrix& synthetic, const std::vector<double>& radii) {
    std::vector<std::uint32_t> counts(real.rows, 0);
    for (std::size_t i = 0; i < real.rows; ++i)
        for (std::size_t j = 0; j < synthetic.rows; ++j)
            counts[i] += distanceOf(real.view().row(i), synthetic.view().row(j)) <= radii[i] ? 1 : 0;
    return counts;
}

/// Table 2's classes, written as they read.
std::array<std::size_t, 6> classesOf(const std::vector<std::uint32_t>& counts) {
    std::array<std::size_t, 6> classes{};
    for (const std::uint32_t count : counts)
        ++classes[count == 0 ? 0 : count <= 5 ? 1 : count <= 100 ? 2 : count <= 1000 ? 3 : count <= 10000 ? 4 : 5];
    return classes;
}

struct Case {
    const char* name;
    std::function<Matrix()> real, synthetic;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"same distribution", [] { return gaussian(300, 4, 1); }, [] { return gaussian(260, 4, 2); }},
        {"outliers on the side where the bad samples are",
         [] { return joined(gaussian(3, 4, 3, 40.0F), gaussian(250, 4, 4)); },
         [] { return joined(gaussian(600, 4, 5), gaussian(900, 4, 12, 3.0F)); }},
        {"nothing in any ball", [] { return gaussian(100, 3, 6); }, [] { return gaussian(100, 3, 7, 500.0F); }},
        {"whole-number grid", [] { return grid(200, 3, 8, 4); }, [] { return grid(300, 3, 9, 4); }},
        {"fewer balls than listed", [] { return gaussian(9, 2, 10); }, [] { return gaussian(30, 2, 11); }},
    };
    return all;
}

std::shared_ptr<const AuditResult> auditOf(const Matrix& real, const Matrix& synthetic) {
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, {}, {}});
}

} // namespace

class DiagnosticsTest : public QObject {
    Q_OBJECT

private slots:
    void countsByDefinition_data();
    void countsByDefinition();
    void stepsAreTheMetrics();
    void outliersHoldMost();
    void zeroMedianHasNoRatio();
    void jsonHoldsThem();
};

void DiagnosticsTest::countsByDefinition_data() {
    QTest::addColumn<int>("which");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name) << static_cast<int>(c);
}

void DiagnosticsTest::countsByDefinition() {
    QFETCH(int, which);
    const Matrix real = cases()[static_cast<std::size_t>(which)].real();
    const Matrix synthetic = cases()[static_cast<std::size_t>(which)].synthetic();
    const auto audit = auditOf(real, synthetic);
    const Diagnostics& found = audit->models[0]->diagnostics;

    const std::vector<double> radii = radiiOf(real, 5);
    const double median = medianOf(radii);
    std::vector<double> clipped = radii;
    for (double& radius : clipped)
        radius = std::min(radius, median);
    const std::vector<std::uint32_t> counts = countsOf(real, synthetic, radii);
    const std::vector<std::uint32_t> clippedCounts = countsOf(real, synthetic, clipped);
    QVERIFY(found.occupancy.balls == classesOf(counts));
    QVERIFY(found.occupancy.clippedBalls == classesOf(clippedCounts));

    std::vector<std::uint32_t> order(real.rows);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : radii[a] < radii[b];
    });
    const auto occupied =
        static_cast<std::size_t>(std::count_if(counts.begin(), counts.end(), [](auto count) { return count > 0; }));
    QCOMPARE(found.fullestBalls.size(), std::min(occupied, std::size_t{20}));
    std::uint64_t listed = 0;
    for (std::size_t b = 0; b < found.fullestBalls.size(); ++b) {
        const FullBall& ball = found.fullestBalls[b];
        QCOMPARE(ball.row, order[b]);
        QCOMPARE(ball.count, counts[ball.row]);
        QCOMPARE(ball.clippedCount, clippedCounts[ball.row]);
        QCOMPARE(ball.radius, radii[ball.row]);
        QCOMPARE(ball.radiusToMedian, radii[ball.row] / median);
        listed += ball.count;
    }
    const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    QCOMPARE(found.fullestShare, all == 0 ? 0.0 : static_cast<double>(listed) / static_cast<double>(all));
}

void DiagnosticsTest::stepsAreTheMetrics() {
    const auto audit = auditOf(cases()[1].real(), cases()[1].synthetic());
    const ModelAudit& model = *audit->models[0];
    const std::vector<DensityStep>& steps = model.diagnostics.densitySteps;
    QCOMPARE(steps.size(), std::size_t{5});
    for (const DensityStep& step : steps)
        QCOMPARE(step.value, model.metric(step.metric));
    QCOMPARE(steps[0].metric, std::string_view("density"));
    QCOMPARE(steps[0].overOccurring, model.metric("over_occurring_fraction"));
    QCOMPARE(steps[1].overOccurring, model.metric("over_occurring_fraction_clipped_radii"));
    for (std::size_t step = 2; step < 5; ++step)
        QCOMPARE(steps[step].overOccurring, 0.0);
    const std::vector<double>& balls = model.column("ball_count");
    const std::vector<double>& clipped = model.column("clipped_ball_count");
    QCOMPARE(steps[0].largestContribution, *std::max_element(balls.begin(), balls.end()) / 5.0);
    QCOMPARE(steps[1].largestContribution, *std::max_element(clipped.begin(), clipped.end()) / 5.0);
    QCOMPARE(steps[2].largestContribution, 1.0);
    QCOMPARE(steps[4].metric, std::string_view("clipped_density"));
    // Outliers inflate the first; clipping takes that away.
    QVERIFY(steps[0].value > 1.2 * steps[1].value);
}

void DiagnosticsTest::outliersHoldMost() {
    const auto audit = auditOf(cases()[1].real(), cases()[1].synthetic());
    const Diagnostics& found = audit->models[0]->diagnostics;
    for (std::size_t b = 0; b < 3; ++b) {
        QVERIFY(found.fullestBalls[b].row < 3); // the outliers are the first rows
        QVERIFY(found.fullestBalls[b].radiusToMedian > 10.0);
        QVERIFY(found.fullestBalls[b].count > 800);
        QCOMPARE(found.fullestBalls[b].clippedCount, 0U);
    }
    QVERIFY(found.occupancy.balls[3] >= 3);
    QCOMPARE(found.occupancy.clippedBalls[3], std::size_t{0});
}

void DiagnosticsTest::zeroMedianHasNoRatio() {
    const auto audit =
        auditOf(test::repeated(test::gaussian(1, 3, 12), 60), test::repeated(test::gaussian(1, 3, 12), 70));
    const Diagnostics& found = audit->models[0]->diagnostics;
    QCOMPARE(found.fullestBalls.front().count, 70U);
    QVERIFY(std::isnan(found.fullestBalls.front().radiusToMedian));
}

void DiagnosticsTest::jsonHoldsThem() {
    const auto audit = auditOf(cases()[1].real(), cases()[1].synthetic());
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit)))
                                 .object()["models"]
                                 .toArray()[0]
                                 .toObject()["diagnostics"]
                                 .toObject();
    QCOMPARE(json["density_steps"].toArray().size(), 5);
    QCOMPARE(json["density_steps"].toArray()[0].toObject()["metric"].toString(), QString("density"));
    const QJsonObject occupancy = json["ball_occupancy"].toObject();
    QCOMPARE(occupancy["synthetic_samples"].toArray().size(), 6);
    double sum = 0.0;
    for (const QJsonValue count : occupancy["balls"].toArray())
        sum += count.toDouble();
    QCOMPARE(sum, 253.0);
    const QJsonObject fullest = json["fullest_balls"].toArray()[0].toObject();
    for (const char* key : {"row", "id", "count", "clipped_count", "radius", "radius_to_median"})
        QVERIFY2(fullest.contains(key), key);
    QCOMPARE(fullest["id"].toString(), QString::number(fullest["row"].toInt()));
}

ASSAY_TEST(diagnostics_test, DiagnosticsTest)
#include "diagnostics_test.moc"
