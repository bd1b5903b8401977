// Sample-level precision and recall in the embeddings as they are, against a plain oracle.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "tests/engine/support/curve_of.h"
#include "tests/engine/support/naive_alpha_beta.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

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

bool close(double found, double expected) {
    if (std::isinf(expected))
        return found == expected;
    return std::abs(found - expected) <= 1e-11 * std::max(1.0, std::abs(expected));
}

/// Where two lists differ, or nothing.
QString difference(const std::vector<double>& found, const std::vector<double>& expected) {
    if (found.size() != expected.size())
        return QStringLiteral("%1 values for %2").arg(found.size()).arg(expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!close(found[i], expected[i]))
            return QStringLiteral("%1: found %2, expected %3").arg(i).arg(found[i], 0, 'g', 17).arg(expected[i]);
    return {};
}

std::shared_ptr<const AuditResult> auditOf(const Matrix& real, const Matrix& synthetic, unsigned threads = 0,
                                           std::size_t k = 3) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(synthetic, "model")}};
    request.options.k = k;
    request.options.threads = threads;
    return runAudit(request);
}

Matrix shuffled(const Matrix& matrix, unsigned seed) {
    std::vector<std::size_t> order(matrix.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    Matrix result{{}, matrix.rows, matrix.dim};
    for (const std::size_t row : order) {
        const auto values = matrix.view().row(row);
        result.values.insert(result.values.end(), values.begin(), values.end());
    }
    return result;
}

struct Case {
    std::string name;
    std::function<Matrix()> real, synthetic;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"same distribution", [] { return gaussian(400, 8, 1); }, [] { return gaussian(300, 8, 2); }},
        {"shifted", [] { return gaussian(300, 12, 3); }, [] { return gaussian(400, 12, 4, 0.7F); }},
        {"narrow", [] { return gaussian(300, 6, 5); }, [] { return gaussian(350, 6, 6, 0.0F, 0.3F); }},
        {"one dimension", [] { return gaussian(300, 1, 7); }, [] { return gaussian(260, 1, 8); }},
        {"more dimensions than samples", [] { return gaussian(25, 70, 9); }, [] { return gaussian(20, 70, 10); }},
        {"as many samples as steps", [] { return gaussian(30, 4, 11); }, [] { return gaussian(30, 4, 11); }},
        {"four samples", [] { return gaussian(4, 3, 12); }, [] { return gaussian(4, 3, 13); }},
        {"duplicates", [] { return joined(repeated(gaussian(4, 4, 14), 200), gaussian(60, 4, 15)); },
         [] { return joined(repeated(gaussian(5, 4, 14), 190), gaussian(50, 4, 16)); }},
        {"copies", [] { return gaussian(200, 5, 17); }, [] { return gaussian(200, 5, 17); }},
        {"constant real",
         [] {
             return repeated(Matrix{{1.0F, 2.0F}, 1, 2}, 40);
         },
         [] { return gaussian(50, 2, 18); }},
        {"constant synthetic", [] { return gaussian(50, 2, 19); },
         [] {
             return repeated(Matrix{{0.5F, 0.25F}, 1, 2}, 40);
         }},
        {"both constant, apart",
         [] {
             return repeated(Matrix{{1.0F, 2.0F}, 1, 2}, 40);
         },
         [] {
             return repeated(Matrix{{1.0F, 3.0F}, 1, 2}, 30);
         }},
        {"both constant, together",
         [] {
             return repeated(Matrix{{1.0F, 2.0F}, 1, 2}, 40);
         },
         [] {
             return repeated(Matrix{{1.0F, 2.0F}, 1, 2}, 30);
         }},
    };
    return all;
}

} // namespace

class AlphaBetaTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheOracle_data();
    void agreesWithTheOracle();
    void curvesHaveThirtyEvenSteps();
    void copiesOfTheRealSetAreIdeal();
    void orderOfRowsDoesNotMatter();
    void tiesSurviveRounding();
    void threadsDoNotMatter();
    void quantileOnAnOrderStatisticIsThatValue();
    void typicalityIsTheInverseOfTheQuantile();
    void typicalityAgreesWithTheCurve();
    void beyondTheLargestBallTypicalityIsAboveOne();
    void addedModelsEqualAuditedOnes();
};

void AlphaBetaTest::agreesWithTheOracle_data() {
    QTest::addColumn<int>("index");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name.c_str()) << static_cast<int>(c);
}

void AlphaBetaTest::agreesWithTheOracle() {
    QFETCH(int, index);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    const Matrix real = c.real();
    const Matrix synthetic = c.synthetic();
    const auto audit = auditOf(real, synthetic);
    const ModelAudit& model = *audit->models.at(0);
    const test::NaiveAlphaBeta expected =
        test::naiveAlphaBeta(real.view(), synthetic.view(), test::naiveMean(real.view()));
    QVERIFY(close(model.metric("integrated_alpha_precision"), expected.integratedAlphaPrecision));
    QVERIFY(close(model.metric("integrated_beta_recall"), expected.integratedBetaRecall));
    QCOMPARE(difference(test::curveOf(model, "alpha_precision_curve").lines.at(0).y, expected.alphaPrecision),
             QString());
    QCOMPARE(difference(test::curveOf(model, "beta_recall_curve").lines.at(0).y, expected.betaRecall), QString());
    QCOMPARE(difference(model.column("typicality"), expected.typicality), QString());
    QCOMPARE(difference(model.column("centre_distance"), expected.centreDistance), QString());
    QCOMPARE(difference(model.column("real_centre_distance"), expected.realCentreDistance), QString());
    QCOMPARE(difference(model.column("beta_covered"), expected.betaCovered), QString());
}

void AlphaBetaTest::curvesHaveThirtyEvenSteps() {
    const auto audit = auditOf(test::gaussian(50, 3, 1), test::gaussian(40, 3, 2));
    for (const char* id : {"alpha_precision_curve", "beta_recall_curve"}) {
        const CurveValues& curve = test::curveOf(*audit->models[0], id);
        QCOMPARE(curve.x.size(), std::size_t{30});
        QCOMPARE(curve.x.front(), 0.0);
        QCOMPARE(curve.x.back(), 1.0);
        QVERIFY(close(curve.x[7], 7.0 / 29.0));
        QVERIFY(std::is_sorted(curve.lines.at(0).y.begin(), curve.lines[0].y.end()));
    }
}

void AlphaBetaTest::copiesOfTheRealSetAreIdeal() {
    const Matrix real = test::gaussian(2900, 6, 1);
    const auto audit = auditOf(real, shuffled(real, 2));
    QVERIFY(audit->models[0]->metric("integrated_alpha_precision") > 1.0 - 2.0 / 2900.0);
    QVERIFY(audit->models[0]->metric("integrated_beta_recall") > 1.0 - 2.0 / 2900.0);
    const std::vector<double>& covered = audit->models[0]->column("beta_covered");
    QCOMPARE(std::accumulate(covered.begin(), covered.end(), 0.0), 2900.0);
}

void AlphaBetaTest::orderOfRowsDoesNotMatter() {
    const Matrix real = test::gaussian(300, 5, 1);
    const Matrix synthetic = test::gaussian(280, 5, 2, 0.2F);
    const auto before = auditOf(real, synthetic);
    const auto after = auditOf(shuffled(real, 3), shuffled(synthetic, 4));
    for (const char* id : {"alpha_precision_curve", "beta_recall_curve"})
        QCOMPARE(test::curveOf(*after->models[0], id).lines.at(0).y,
                 test::curveOf(*before->models[0], id).lines.at(0).y);
}

void AlphaBetaTest::tiesSurviveRounding() {
    // Few distances from the centre, and each of many samples: another offset rounds the mean in another way.
    const auto lattice = [](std::size_t rows, unsigned seed, float offset) {
        Matrix set = test::gaussian(rows, 4, seed);
        for (float& value : set.values)
            value = std::clamp(std::round(value), -1.0F, 1.0F) + offset;
        return set;
    };
    const auto at = [&](float offset) { return auditOf(lattice(301, 1, offset), lattice(253, 2, offset)); };
    const auto expected = at(0.0F);
    for (const float offset : {1.0F, 77.0F, 1000.0F}) {
        const auto found = at(offset);
        for (const char* id : {"alpha_precision_curve", "beta_recall_curve"})
            QCOMPARE(test::curveOf(*found->models[0], id).lines.at(0).y,
                     test::curveOf(*expected->models[0], id).lines.at(0).y);
        for (std::size_t row = 0; row < 253; ++row)
            QVERIFY(std::abs(found->models[0]->column("typicality")[row] -
                             expected->models[0]->column("typicality")[row]) < 1e-9);
    }
}

void AlphaBetaTest::threadsDoNotMatter() {
    const Matrix real = test::gaussian(2000, 40, 1);
    const Matrix synthetic = test::gaussian(1500, 40, 2);
    const auto one = auditOf(real, synthetic, 1);
    const auto three = auditOf(real, synthetic, 3);
    QVERIFY(one->described->centre->centre == three->described->centre->centre);
    for (const char* id : {"typicality", "centre_distance", "real_centre_distance", "beta_covered"})
        QVERIFY(one->models[0]->column(id) == three->models[0]->column(id));
}

void AlphaBetaTest::quantileOnAnOrderStatisticIsThatValue() {
    // 59 values: every second one is a quantile, which a position of alpha times 58 in floating point misses.
    std::vector<double> values(59);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 0.1 * static_cast<double>(i * i);
    const std::vector<double> quantiles = metrics::evenQuantiles(values, 30);
    for (std::size_t j = 0; j < 30; ++j)
        QCOMPARE(quantiles[j], values[2 * j]);
    const std::vector<double> four{1.0, 2.0, 4.0, 8.0};
    QVERIFY(close(metrics::evenQuantiles(four, 3)[1], 3.0));
    QVERIFY(close(metrics::evenQuantiles(four, 7)[1], 1.5));
}

void AlphaBetaTest::typicalityIsTheInverseOfTheQuantile() {
    const std::vector<double> ascending{1.0, 1.0, 1.0, 2.0, 2.0, 5.0};
    QCOMPARE(metrics::smallestAlpha(ascending, 0.5), 0.0);
    QCOMPARE(metrics::smallestAlpha(ascending, 1.0), 0.0);
    QVERIFY(close(metrics::smallestAlpha(ascending, 1.5), 2.5 / 5.0));
    QVERIFY(close(metrics::smallestAlpha(ascending, 2.0), 3.0 / 5.0)); // the first of the two
    QVERIFY(close(metrics::smallestAlpha(ascending, 3.5), 4.5 / 5.0));
    QCOMPARE(metrics::smallestAlpha(ascending, 5.0), 1.0);
}

void AlphaBetaTest::typicalityAgreesWithTheCurve() {
    const auto audit = auditOf(test::gaussian(500, 4, 1), test::gaussian(700, 4, 2, 0.1F, 1.2F));
    const CurveValues& curve = test::curveOf(*audit->models[0], "alpha_precision_curve");
    const std::vector<double>& typicality = audit->models[0]->column("typicality");
    for (std::size_t j = 0; j < curve.x.size(); ++j) {
        const auto within = std::count_if(typicality.begin(), typicality.end(),
                                          [&](double alpha) { return alpha <= curve.x[j] + 1e-12; });
        QCOMPARE(static_cast<double>(within) / 700.0, curve.lines.at(0).y[j]);
    }
}

void AlphaBetaTest::beyondTheLargestBallTypicalityIsAboveOne() {
    const std::vector<double> ascending{0.0, 1.0, 4.0};
    QCOMPARE(metrics::smallestAlpha(ascending, 8.0), 2.0);
    QVERIFY(metrics::smallestAlpha(ascending, std::nextafter(4.0, 5.0)) > 1.0);
    const std::vector<double> none{0.0, 0.0};
    QCOMPARE(metrics::smallestAlpha(none, 0.0), 0.0);
    QCOMPARE(metrics::smallestAlpha(none, 1e-300), std::numeric_limits<double>::infinity());
}

void AlphaBetaTest::addedModelsEqualAuditedOnes() {
    const Matrix real = test::gaussian(200, 5, 1);
    const Matrix second = test::gaussian(180, 5, 3, 0.5F);
    const auto base = auditOf(real, test::gaussian(150, 5, 2));
    const auto grown = addModels(*base, {{"second", test::asSet(second, "second")}}, {});
    const auto whole = auditOf(real, second);
    QCOMPARE(grown->models[1]->metric("integrated_beta_recall"), whole->models[0]->metric("integrated_beta_recall"));
    QVERIFY(grown->models[1]->column("typicality") == whole->models[0]->column("typicality"));
}

ASSAY_TEST(alpha_beta_test, AlphaBetaTest)
#include "alpha_beta_test.moc"
