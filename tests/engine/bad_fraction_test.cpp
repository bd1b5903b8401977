// The bad-fraction curve: every point against an audit of its samples, and what the paper says of it.
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/bad_fraction.h"
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
#include <set>

using namespace assay;
using test::Matrix;

namespace {

struct Case {
    const char* name;
    std::function<Matrix()> real;
    std::function<Matrix()> good; ///< empty: half of the real set
    std::function<Matrix()> bad;  ///< empty: noise
    std::size_t size;             ///< of every point
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"half of the real set, noise", [] { return gaussian(401, 6, 1); }, {}, {}, 200},
        {"held-out set, noise", [] { return gaussian(200, 12, 2); }, [] { return gaussian(150, 12, 3); }, {}, 150},
        {"half of the real set, named bad samples",
         [] { return gaussian(400, 4, 4); },
         {},
         [] { return gaussian(300, 4, 5, 3.0F); },
         200},
        {"fewer bad than good samples", [] { return gaussian(300, 4, 6); }, [] { return gaussian(250, 4, 7); },
         [] { return gaussian(97, 4, 8, 3.0F); }, 97},
        {"ties", [] { return grid(300, 3, 9, 4); }, [] { return grid(200, 3, 10, 4); },
         [] { return grid(200, 3, 11, 6); }, 200},
        {"one dimension", [] { return gaussian(200, 1, 12); }, {}, {}, 100},
    };
    return all;
}

std::shared_ptr<const EmbeddingSet> setOf(const std::function<Matrix()>& matrix, const char* name) {
    return matrix ? test::asSet(matrix(), name) : nullptr;
}

Matrix rowsKept(const EmbeddingSet& set, const std::vector<bool>& kept) {
    Matrix part{{}, 0, set.dim()};
    for (std::size_t row = 0; row < set.rows(); ++row)
        if (kept[row]) {
            const auto values = set.matrix().row(row);
            part.values.insert(part.values.end(), values.begin(), values.end());
            ++part.rows;
        }
    return part;
}

bool sameBits(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

const std::vector<double>& lineOf(const CurveValues& curve, const std::string& name) {
    return std::find_if(curve.lines.begin(), curve.lines.end(),
                        [&](const CurveLine& line) { return line.name == name; })
        ->y;
}

std::multiset<std::vector<float>> rowsOf(const EmbeddingSet& set, std::size_t first, std::size_t count) {
    std::multiset<std::vector<float>> rows;
    for (std::size_t row = first; row < first + count; ++row)
        rows.insert({set.matrix().row(row).begin(), set.matrix().row(row).end()});
    return rows;
}

} // namespace

class BadFractionTest : public QObject {
    Q_OBJECT

private slots:
    void everyPointEqualsAnAuditOfItsSamples_data();
    void everyPointEqualsAnAuditOfItsSamples();
    void halvesShareNoSample();
    void noiseHasTenTimesTheSpread();
    void seedDecidesTheDraws();
    void relativeCurveBeginsAtOne();
    void calibrationIsMeasuredBesideExpectation();
    void clippedMetricsFallAlongTheIdeal();
    void readsOffTheEquivalentFraction();
    void refusesOtherDimensions();
    void stopsWhenAsked();
};

void BadFractionTest::everyPointEqualsAnAuditOfItsSamples_data() {
    QTest::addColumn<int>("which");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name) << static_cast<int>(c);
}

void BadFractionTest::everyPointEqualsAnAuditOfItsSamples() {
    QFETCH(int, which);
    const Case& given = cases()[static_cast<std::size_t>(which)];
    const auto real = test::asSet(given.real(), "real");
    const BadFractionRequest request{setOf(given.good, "good"), setOf(given.bad, "bad")};
    AuditOptions options;
    options.seed = 7;
    const BadFractionCurves curves = badFractionCurves(real, request, options);
    const BadFractionSets sets = badFractionSets(real, request, 7, 1, {});
    QCOMPARE(sets.size, given.size);
    QCOMPARE(curves.raw.x.size(), std::size_t{11});
    std::set<std::string> names;
    for (std::size_t step = 0; step <= 10; ++step) {
        const auto bad = static_cast<std::size_t>(std::lround(static_cast<double>(step * sets.size) / 10.0));
        const std::vector<bool> kept = sets.kept(bad);
        // As many of either kind as the point says.
        const auto half = kept.begin() + static_cast<std::ptrdiff_t>(sets.size);
        QCOMPARE(static_cast<std::size_t>(std::count(half, kept.end(), true)), bad);
        QCOMPARE(static_cast<std::size_t>(std::count(kept.begin(), half, true)), sets.size - bad);
        const auto audit =
            runAudit({sets.reference, {{"point", test::asSet(rowsKept(*sets.pool, kept), "point")}}, options, {}});
        for (const CurveLine& line : curves.raw.lines) {
            names.insert(line.name);
            const double expected = audit->models[0]->metric(line.name);
            const bool exact = findMetric(line.name)->needs == needs::kTables;
            QVERIFY2(sameBits(line.y[step], expected) ||
                         (!exact && std::abs(line.y[step] - expected) <= 1e-12 * std::abs(expected)),
                     qPrintable(QString("%1 at %2: found %3, expected %4")
                                    .arg(QString::fromStdString(line.name))
                                    .arg(step)
                                    .arg(line.y[step], 0, 'g', 17)
                                    .arg(audit->models[0]->metric(line.name), 0, 'g', 17)));
        }
    }
    for (const char* name : {"clipped_density", "clipped_coverage", "density", "coverage", "precision", "recall",
                             "authenticity", "pce", "rce", "re"})
        QVERIFY2(names.contains(name), name);
}

void BadFractionTest::halvesShareNoSample() {
    const auto real = test::asSet(test::gaussian(301, 3, 20), "real");
    const BadFractionSets sets = badFractionSets(real, {}, 3, 1, {});
    QCOMPARE(sets.reference->rows(), std::size_t{151});
    auto both = rowsOf(*sets.reference, 0, 151);
    both.merge(rowsOf(*sets.pool, 0, 150));
    QVERIFY(both == rowsOf(*real, 0, 301));
}

void BadFractionTest::noiseHasTenTimesTheSpread() {
    Matrix matrix = test::gaussian(20000, 3, 21);
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        matrix.values[row * 3] = 5.0F + 2.0F * matrix.values[row * 3];
        matrix.values[row * 3 + 2] = 0.0F;
    }
    const BadFractionSets sets = badFractionSets(test::asSet(matrix, "real"), {}, 4, 2, {});
    for (std::size_t d = 0; d < 3; ++d) {
        double mean = 0.0;
        double square = 0.0;
        for (std::size_t row = 0; row < sets.size; ++row) {
            const double value = static_cast<double>(sets.pool->matrix().rowData(sets.size + row)[d]);
            mean += value / static_cast<double>(sets.size);
            square += value * value / static_cast<double>(sets.size);
        }
        const double deviation = std::sqrt(square - mean * mean);
        const double expected = d == 0 ? 20.0 : d == 1 ? 10.0 : 0.0;
        QVERIFY2(std::abs(deviation - expected) <= 0.03 * expected, qPrintable(QString::number(deviation)));
        QVERIFY2(std::abs(mean - (d == 0 ? 5.0 : 0.0)) <= 0.05 * expected, qPrintable(QString::number(mean)));
    }
}

void BadFractionTest::seedDecidesTheDraws() {
    const auto real = test::asSet(test::gaussian(200, 5, 22), "real");
    const auto poolOf = [&](std::uint64_t seed, unsigned threads) {
        const BadFractionSets sets = badFractionSets(real, {}, seed, threads, {});
        const MatrixView matrix = sets.pool->matrix();
        return std::vector<float>(matrix.data, matrix.data + matrix.rows * matrix.dim);
    };
    QVERIFY(poolOf(1, 1) == poolOf(1, 2));
    QVERIFY(poolOf(1, 1) != poolOf(2, 1));
}

void BadFractionTest::relativeCurveBeginsAtOne() {
    const auto real = test::asSet(test::gaussian(400, 5, 23), "real");
    const BadFractionCurves curves = badFractionCurves(real, {}, {});
    QCOMPARE(lineOf(curves.relative, "clipped_density").front(), 1.0);
    QCOMPARE(lineOf(curves.relative, "pce").front(), 0.0);
    for (std::size_t step = 0; step <= 10; ++step) {
        QCOMPARE(lineOf(curves.relative, "recall")[step],
                 lineOf(curves.raw, "recall")[step] / lineOf(curves.raw, "recall")[0]);
        QCOMPARE(lineOf(curves.relative, "pce")[step], lineOf(curves.raw, "pce")[step] - lineOf(curves.raw, "pce")[0]);
    }
    QVERIFY(lineOf(curves.relative, "pce").back() > 10.0);
}

void BadFractionTest::calibrationIsMeasuredBesideExpectation() {
    const auto real = test::asSet(test::gaussian(2000, 8, 24), "real");
    const BadFractionCurves curves = badFractionCurves(real, {}, {});
    const std::vector<double> shortfall = metrics::coverageShortfall(1000, 1000, 5);
    const std::vector<double>& measured = lineOf(curves.coverage, "measured");
    for (std::size_t step = 0; step <= 10; ++step) {
        QCOMPARE(measured[step], lineOf(curves.raw, "clipped_coverage_unnormalized")[10 - step]);
        QCOMPARE(lineOf(curves.coverage, "expected")[step], 1.0 - shortfall[step * 100]);
        QVERIFY(std::abs(measured[step] - lineOf(curves.coverage, "expected")[step]) < 0.04);
        QCOMPARE(lineOf(curves.coverage, "clipped_coverage")[step], lineOf(curves.raw, "clipped_coverage")[10 - step]);
    }
}

void BadFractionTest::clippedMetricsFallAlongTheIdeal() {
    // Salvy et al., figures 26 and 27.
    if (test::takesSmallSizes())
        QSKIP("what the paper says holds for large sets");
    const auto real = test::asSet(test::gaussian(10000, 32, 25), "real");
    const BadFractionCurves curves =
        badFractionCurves(real, {test::asSet(test::gaussian(10000, 32, 26), "good"), {}}, {});
    for (const char* metric : {"clipped_density", "clipped_coverage"})
        for (std::size_t step = 0; step <= 10; ++step) {
            const double ideal = 1.0 - curves.raw.x[step];
            const double found = lineOf(curves.raw, metric)[step];
            QVERIFY2(std::abs(found - ideal) < 0.03,
                     qPrintable(QString("%1: found %2, expected about %3").arg(metric).arg(found).arg(ideal)));
        }
}

void BadFractionTest::readsOffTheEquivalentFraction() {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const CurveValues raw{"bad_fraction",
                          {0.0, 0.5, 1.0},
                          {{"falling", {0.9, 0.5, 0.1}},
                           {"rising", {-1.0, 0.0, 4.0}},
                           {"twice", {1.0, 0.2, 0.4}},
                           {"flat", {0.3, 0.4, 0.3}},
                           {"gap", {1.0, kNan, 0.0}}}};
    const auto at = [&](const char* metric, double score) { return equivalentBadFraction(raw, metric, score); };
    QCOMPARE(at("falling", 0.7), 0.25);
    QCOMPARE(at("falling", 0.1), 1.0);
    QCOMPARE(at("falling", 0.95), 0.0); // better than good samples
    QCOMPARE(at("falling", -1.0), 1.0); // worse than bad ones
    QCOMPARE(at("rising", -0.5), 0.25);
    QCOMPARE(at("rising", 2.0), 0.75);
    QCOMPARE(at("rising", -7.0), 0.0);
    QCOMPARE(at("rising", 7.0), 1.0);
    QCOMPARE(at("twice", 0.6), 0.25); // the smaller share of two
    for (const char* metric : {"flat", "gap", "missing"})
        QVERIFY(std::isnan(at(metric, 0.35)));
    const auto beyond = [&](const char* metric, double score) { return isBeyondEnds(raw, metric, score); };
    for (const double score : {0.95, -1.0})
        QVERIFY(beyond("falling", score));
    for (const double score : {0.9, 0.7, 0.1})
        QVERIFY(!beyond("falling", score));
    QVERIFY(beyond("rising", -7.0) && beyond("rising", 7.0) && !beyond("rising", 2.0));
    QVERIFY(!beyond("twice", 0.3) && !beyond("twice", 0.2)); // below its last value, but the line comes by
    QVERIFY(beyond("twice", 0.1));
    for (const char* metric : {"flat", "gap", "missing"})
        QVERIFY(!beyond(metric, 7.0));
    QVERIFY(std::isnan(at("falling", kNan)));
}

void BadFractionTest::refusesOtherDimensions() {
    const auto real = test::asSet(test::gaussian(100, 3, 27), "real");
    const auto other = test::asSet(test::gaussian(100, 4, 28), "other");
    for (const BadFractionRequest& request : {BadFractionRequest{other, {}}, BadFractionRequest{{}, other}})
        QVERIFY(test::saysAll(test::refusalOf([&] { badFractionCurves(real, request, {}); }),
                              "other|expected 3 columns|found 4"));
    const auto few = test::asSet(test::gaussian(10, 3, 29), "few");
    QVERIFY(test::saysAll(test::refusalOf([&] { badFractionCurves(few, {}, {}); }, ErrorKind::InvalidArgument),
                          "expected more than k = 5"));
}

void BadFractionTest::stopsWhenAsked() {
    const auto real = test::asSet(test::gaussian(1000, 8, 30), "real");
    const std::string failure =
        test::stopFailure([&](const JobContext& job) { badFractionCurves(real, {}, {}, job); }, 200);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(bad_fraction_test, BadFractionTest)
#include "bad_fraction_test.moc"
