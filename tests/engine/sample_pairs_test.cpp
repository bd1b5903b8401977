// Pairs of samples that are nearly the same, against their definitions, and how often good samples are among them.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/sample_pairs.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/sample_statistics.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const AuditResult> audited(const Matrix& real, const Matrix& synthetic,
                                           const Matrix* heldOut = nullptr) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(synthetic, "model")}};
    request.options.k = 3;
    request.options.tablesOnly = true;
    if (heldOut != nullptr)
        request.heldOut = test::asSet(*heldOut, "held out");
    return runAudit(request);
}

double between(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double difference =
            static_cast<double>(a.values[i * a.dim + c]) - static_cast<double>(b.values[j * b.dim + c]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// Row and distance of the nearest row, a row itself left out where the sets are one.
std::pair<std::size_t, double> nearest(const Matrix& from, std::size_t i, const Matrix& to, bool same) {
    std::pair<std::size_t, double> best{0, kInfinity};
    for (std::size_t j = 0; j < to.rows; ++j)
        if (!(same && i == j))
            if (const double distance = between(from, i, to, j); distance < best.second)
                best = {j, distance};
    return best;
}

double naiveReference(const Matrix& real, const Matrix& synthetic, std::size_t row) {
    return nearest(real, nearest(synthetic, row, real, false).first, real, true).second;
}

double naiveRatio(double distance, double reference) {
    if (reference == 0.0)
        return distance == 0.0 ? 0.0 : kInfinity;
    return distance / reference;
}

double naivePairRatio(const Matrix& real, const Matrix& synthetic, std::size_t a, std::size_t b) {
    return naiveRatio(between(synthetic, a, synthetic, b),
                      std::min(naiveReference(real, synthetic, a), naiveReference(real, synthetic, b)));
}

using Rows = std::pair<std::uint32_t, std::uint32_t>;

std::map<Rows, SamplePair> byRows(const SamplePairs& found) {
    std::map<Rows, SamplePair> pairs;
    for (const SamplePair& pair : found.pairs)
        pairs.emplace(Rows(pair.first, pair.second), pair);
    return pairs;
}

/// Whether the list is in order, its remarkable pairs the first ones.
bool isInOrder(const SamplePairs& found) {
    const auto key = [](const SamplePair& pair) {
        return std::tie(pair.ratio, pair.distance, pair.first, pair.second);
    };
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        if (i > 0 && key(found.pairs[i]) < key(found.pairs[i - 1]))
            return false;
        if (isRemarkable(found.pairs[i], found.threshold) != (i < found.remarkable))
            return false;
    }
    return true;
}

/// Adds rows that repeat the first ones, each coordinate moved by normal noise.
Matrix withNearCopies(const Matrix& of, std::size_t copies, unsigned seed, float sigma) {
    Matrix noise = test::gaussian(copies, of.dim, seed, 0.0F, sigma);
    for (std::size_t i = 0; i < noise.values.size(); ++i)
        noise.values[i] += of.values[i];
    return test::joined(of, noise);
}

/// The groups by flood filling over all pairs.
std::vector<std::uint32_t> naiveRepresentatives(const Matrix& real, const Matrix& synthetic, double threshold) {
    std::vector<std::uint32_t> group(synthetic.rows);
    std::iota(group.begin(), group.end(), 0U);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < synthetic.rows; ++a)
            for (std::size_t b = 0; b < synthetic.rows; ++b) {
                const bool near =
                    between(synthetic, a, synthetic, b) == 0.0 || naivePairRatio(real, synthetic, a, b) < threshold;
                if (a != b && near && group[b] < group[a]) {
                    group[a] = group[b];
                    changed = true;
                }
            }
    }
    return group;
}

} // namespace

class SamplePairsTest : public QObject {
    Q_OBJECT

private slots:
    void duplicatesAgreeWithTheDefinition_data() { sets(); }
    void duplicatesAgreeWithTheDefinition();
    void copiesAgreeWithTheDefinition_data() { sets(); }
    void copiesAgreeWithTheDefinition();
    void copyThresholdIsAConformalOne_data() { sets(); }
    void copyThresholdIsAConformalOne();
    void goodSamplesAreSeldomRemarkable_data();
    void goodSamplesAreSeldomRemarkable();
    void findsPlantedNearDuplicates_data();
    void findsPlantedNearDuplicates();
    void findsLeaks();
    void groupsAgreeWithTheDefinition_data() { sets(); }
    void groupsAgreeWithTheDefinition();
    void rejectingTheSecondLeavesOneOfEach();
    void manyEqualSamplesAreOneGroup();
    void fewSamplesLeaveOnlyEqualOnes();
    void whereEqualityIsUsualNothingIsRemarkable();
    void ratiosOfZeros();
    void missingTablesGiveNothing();
    void stops();

private:
    static void sets();
    static Matrix real();
    static Matrix synthetic();
};

void SamplePairsTest::sets() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"gaussian", "grid", "repeated", "line"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

Matrix SamplePairsTest::real() {
    QFETCH(QString, kind);
    if (kind == QLatin1String("grid")) // exact ties, equal samples
        return test::grid(150, 2, 1, 10);
    if (kind == QLatin1String("repeated")) // every reference is 0
        return test::repeated(test::gaussian(60, 3, 2), 120);
    return test::gaussian(150, kind == QLatin1String("line") ? 1 : 4, 3);
}

Matrix SamplePairsTest::synthetic() {
    QFETCH(QString, kind);
    if (kind == QLatin1String("grid"))
        return test::grid(30, 2, 4, 10);
    if (kind == QLatin1String("repeated"))
        return test::repeated(test::gaussian(14, 3, 2), 30);
    return withNearCopies(test::gaussian(25, kind == QLatin1String("line") ? 1 : 4, 5), 6, 6, 0.01F);
}

void SamplePairsTest::duplicatesAgreeWithTheDefinition() {
    const Matrix from = real();
    const Matrix of = synthetic();
    const auto audit = audited(from, of);
    const SamplePairs found = duplicatePairs(*audit->real, *audit->models[0], 0);
    std::map<Rows, double> expected;
    for (std::size_t j = 0; j < of.rows; ++j) {
        const auto other = nearest(of, j, of, true).first;
        expected[Rows(std::min(j, other), std::max(j, other))] = naivePairRatio(from, of, j, other);
    }
    const auto pairs = byRows(found);
    QCOMPARE(pairs.size(), found.pairs.size()); // each once
    QCOMPARE(pairs.size(), expected.size());
    for (const auto& [rows, ratio] : expected) {
        QVERIFY(pairs.contains(rows));
        const SamplePair& pair = pairs.at(rows);
        QCOMPARE(pair.distance, between(of, rows.first, of, rows.second));
        QVERIFY(pair.ratio == ratio || std::abs(pair.ratio - ratio) <= 1e-12 * ratio);
    }
    QVERIFY(isInOrder(found));
}

void SamplePairsTest::copiesAgreeWithTheDefinition() {
    const Matrix from = real();
    const Matrix of = synthetic();
    const auto audit = audited(from, of);
    const SamplePairs found = copyPairs(*audit->real, *audit->models[0]);
    QCOMPARE(found.pairs.size(), of.rows);
    for (const SamplePair& pair : found.pairs) {
        const auto [row, distance] = nearest(of, pair.first, from, false);
        QCOMPARE(std::size_t(pair.second), row);
        QCOMPARE(pair.distance, distance);
        const double ratio = naiveRatio(distance, naiveReference(from, of, pair.first));
        QVERIFY(pair.ratio == ratio || std::abs(pair.ratio - ratio) <= 1e-12 * ratio);
    }
    QCOMPARE(byRows(found).size(), of.rows);
    QVERIFY(isInOrder(found));
    QCOMPARE(found.threshold, copyThreshold(audit->real->neighbors));
}

void SamplePairsTest::copyThresholdIsAConformalOne() {
    const auto audit = audited(real(), synthetic());
    const NeighborTable& table = audit->real->neighbors;
    const double threshold = copyThreshold(table);
    const std::vector<double> good = copyRatiosWithin(table);
    std::vector<double> values = good;
    for (const double value : good) // beside each of them, too
        for (const double factor : {0.999, 1.001})
            values.push_back(value * factor);
    const std::vector<double> p = conformalPValues(values, good, Extreme::Low);
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(values[i] < threshold, p[i] <= kRemarkableShare);
}

void SamplePairsTest::goodSamplesAreSeldomRemarkable_data() {
    QTest::addColumn<std::size_t>("realRows");
    QTest::addColumn<std::size_t>("syntheticRows");
    QTest::addColumn<std::size_t>("dim");
    for (const std::size_t dim : {2, 16}) {
        QTest::addRow("as many, %zu features", dim) << std::size_t{1000} << std::size_t{1000} << dim;
        QTest::addRow("few synthetic, %zu features", dim) << std::size_t{1000} << std::size_t{250} << dim;
        QTest::addRow("few real, %zu features", dim) << std::size_t{500} << std::size_t{1500} << dim;
    }
}

void SamplePairsTest::goodSamplesAreSeldomRemarkable() {
    QFETCH(std::size_t, realRows);
    QFETCH(std::size_t, syntheticRows);
    QFETCH(std::size_t, dim);
    constexpr unsigned kAudits = 12;
    double duplicates = 0.0;
    double copies = 0.0;
    for (unsigned seed = 0; seed < kAudits; ++seed) {
        const auto audit =
            audited(test::gaussian(realRows, dim, 1000 + seed), test::gaussian(syntheticRows, dim, 2000 + seed));
        const ModelAudit& model = *audit->models[0];
        const SamplePairs near = duplicatePairs(*audit->real, model, seed);
        const auto shareOf = [&](std::size_t count) {
            return static_cast<double>(count) / static_cast<double>(syntheticRows * kAudits);
        };
        // The rate is of samples whose nearest other one is remarkably near: both of a pair, or one of them.
        const NeighborTable& own = model.tables->syntheticToSynthetic;
        const auto pairs = byRows(near);
        std::size_t samples = 0;
        for (std::uint32_t j = 0; j < own.rows(); ++j) {
            const std::uint32_t other = own.indexAt(j, 0);
            samples += isRemarkable(pairs.at({std::min(j, other), std::max(j, other)}), near.threshold) ? 1 : 0;
        }
        QVERIFY(near.remarkable <= samples);
        duplicates += shareOf(samples);
        copies += shareOf(copyPairs(*audit->real, model).remarkable);
    }
    qInfo("duplicates %.4f, copies %.4f", duplicates, copies);
    QVERIFY2(duplicates > 0.004 && duplicates < 0.017, qPrintable(QString::number(duplicates)));
    QVERIFY2(copies > 0.004 && copies < 0.017, qPrintable(QString::number(copies)));
}

void SamplePairsTest::findsPlantedNearDuplicates_data() {
    QTest::addColumn<std::size_t>("dim");
    QTest::addColumn<float>("sigma");
    QTest::newRow("exact, 2 features") << std::size_t{2} << 0.0F;
    QTest::newRow("near, 16 features") << std::size_t{16} << 0.02F;
    QTest::newRow("near, 128 features") << std::size_t{128} << 0.1F;
}

void SamplePairsTest::findsPlantedNearDuplicates() {
    QFETCH(std::size_t, dim);
    QFETCH(float, sigma);
    constexpr std::size_t kGood = 1000;
    constexpr std::size_t kPlanted = 100;
    const Matrix synthetic = withNearCopies(test::gaussian(kGood, dim, 21), kPlanted, 22, sigma);
    const auto audit = audited(test::gaussian(kGood, dim, 23), synthetic);
    const SamplePairs found = duplicatePairs(*audit->real, *audit->models[0], 0);
    std::size_t right = 0;
    for (std::size_t i = 0; i < found.remarkable; ++i)
        right += found.pairs[i].second == found.pairs[i].first + kGood ? 1 : 0;
    qInfo("%zu of %zu planted pairs among %zu remarkable ones", right, kPlanted, found.remarkable);
    QCOMPARE(right, kPlanted);
    QVERIFY(found.remarkable - right <= kGood / 50);
    // Nearest first: the planted ones before all others.
    for (std::size_t i = 0; i < kPlanted; ++i)
        QCOMPARE(std::size_t(found.pairs[i].second), found.pairs[i].first + kGood);
    const auto groups = duplicateRepresentatives(*audit->real, *audit->models[0], found.threshold);
    for (std::size_t i = 0; i < kPlanted; ++i)
        QCOMPARE(groups[kGood + i], groups[i]);
}

void SamplePairsTest::findsLeaks() {
    const Matrix real = test::gaussian(800, 16, 31);
    Matrix heldOut = test::gaussian(300, 16, 32);
    std::copy_n(real.values.begin() + 16 * 40, 16 * 10, heldOut.values.begin()); // rows 40 to 49 as 0 to 9
    const auto audit = audited(real, test::gaussian(300, 16, 33), &heldOut);
    const SamplePairs found = copyPairs(*audit->real, *audit->heldOut->audit);
    QCOMPARE(found.pairs.size(), heldOut.rows);
    for (std::uint32_t i = 0; i < 10; ++i)
        QCOMPARE(found.pairs[i], (SamplePair{i, 40 + i, 0.0, 0.0}));
    QVERIFY(found.remarkable >= 10 && found.remarkable <= 10 + heldOut.rows / 30);
}

void SamplePairsTest::groupsAgreeWithTheDefinition() {
    const Matrix from = real();
    const Matrix of = synthetic(); // so few that every list is complete
    const auto audit = audited(from, of);
    QCOMPARE(audit->models[0]->tables->syntheticToSynthetic.k, of.rows - 1);
    for (const double threshold : {0.0, 0.1, 0.5, 1.0, kInfinity})
        QCOMPARE(duplicateRepresentatives(*audit->real, *audit->models[0], threshold),
                 naiveRepresentatives(from, of, threshold));
}

void SamplePairsTest::rejectingTheSecondLeavesOneOfEach() {
    Matrix synthetic = withNearCopies(test::gaussian(200, 16, 41), 60, 42, 0.02F);
    synthetic = withNearCopies(synthetic, 30, 43, 0.02F); // a third one of some
    const auto audit = audited(test::gaussian(400, 16, 44), synthetic);
    const SamplePairs found = duplicatePairs(*audit->real, *audit->models[0], 0);
    std::set<std::uint32_t> rejected;
    for (std::size_t i = 0; i < found.remarkable; ++i)
        rejected.insert(found.pairs[i].second);
    QVERIFY(rejected.size() >= 60);
    const auto groups = duplicateRepresentatives(*audit->real, *audit->models[0], found.threshold);
    for (std::uint32_t row = 0; row < groups.size(); ++row)
        if (groups[row] == row)
            QVERIFY(!rejected.contains(row)); // the lowest of a group is the second of no pair
}

void SamplePairsTest::manyEqualSamplesAreOneGroup() {
    constexpr std::size_t kEqual = 100; // more than a list has room for
    const Matrix synthetic = test::joined(test::gaussian(50, 8, 51), test::repeated(test::gaussian(1, 8, 52), kEqual));
    const auto audit = audited(test::gaussian(200, 8, 53), synthetic);
    QVERIFY(audit->models[0]->tables->syntheticToSynthetic.k < kEqual);
    const auto groups = duplicateRepresentatives(*audit->real, *audit->models[0], 0.0);
    for (std::uint32_t row = 0; row < groups.size(); ++row)
        QCOMPARE(groups[row], std::min(row, 50U));
    QCOMPARE(duplicatePairs(*audit->real, *audit->models[0], 0).remarkable >= kEqual - 1, true);
}

void SamplePairsTest::fewSamplesLeaveOnlyEqualOnes() {
    Matrix synthetic = test::gaussian(20, 4, 61);
    std::copy_n(synthetic.values.begin(), 4, synthetic.values.begin() + 4); // row 1 is row 0
    for (std::size_t c = 0; c < 4; ++c)
        synthetic.values[12 + c] = synthetic.values[8 + c] + 1e-6F; // row 3 is nearly row 2
    const auto audit = audited(test::gaussian(50, 4, 62), synthetic);
    const SamplePairs copies = copyPairs(*audit->real, *audit->models[0]);
    QCOMPARE(copies.threshold, 0.0); // of 50 real samples none is one of a hundred
    QCOMPARE(copies.remarkable, std::size_t{0});
    const auto groups = duplicateRepresentatives(*audit->real, *audit->models[0], 0.0);
    QCOMPARE(groups[1], 0U);
    QCOMPARE(groups[3], 3U);
    QCOMPARE(duplicateThreshold({}, 20, 0), 0.0);
    QCOMPARE(duplicateThreshold(audit->real->neighbors, 0, 0), 0.0);
    QCOMPARE(copyThreshold({}), 0.0);
}

void SamplePairsTest::whereEqualityIsUsualNothingIsRemarkable() {
    // Of 16 combinations each occurs many times, in a good model as in reality.
    const auto usual = audited(test::grid(400, 4, 71, 2), test::grid(300, 4, 72, 2));
    for (const SamplePairs& found :
         {duplicatePairs(*usual->real, *usual->models[0], 0), copyPairs(*usual->real, *usual->models[0])}) {
        QCOMPARE(found.pairs.front().distance, 0.0);
        QCOMPARE(found.threshold, kNoneRemarkable);
        QCOMPARE(found.remarkable, std::size_t{0});
    }
    // Two equal samples among 400 real ones are no habit: a model's equal samples stay remarkable.
    Matrix real = test::gaussian(400, 4, 73);
    std::copy_n(real.values.begin(), 4, real.values.begin() + 4);
    const Matrix once = test::gaussian(150, 4, 74);
    const auto seldom = audited(real, test::joined(once, test::repeated(once, 50)));
    const SamplePairs found = duplicatePairs(*seldom->real, *seldom->models[0], 0);
    QVERIFY(found.threshold >= 0.0 && found.remarkable >= 50);
}

void SamplePairsTest::ratiosOfZeros() {
    QCOMPARE(distanceRatio(0.0, 0.0), 0.0);
    QCOMPARE(distanceRatio(0.0, 2.0), 0.0);
    QCOMPARE(distanceRatio(3.0, 2.0), 1.5);
    QCOMPARE(distanceRatio(1.0, 0.0), kInfinity);
    QVERIFY(isRemarkable({0, 1, 0.0, 0.0}, 0.0));
    QVERIFY(!isRemarkable({0, 1, 1.0, 0.5}, 0.5));
    QVERIFY(!isRemarkable({0, 1, 1.0, kInfinity}, kInfinity));
}

void SamplePairsTest::missingTablesGiveNothing() {
    const auto audit = audited(test::gaussian(40, 3, 71), test::gaussian(30, 3, 72));
    const RealAnalysis none;
    const ModelAudit empty;
    for (const auto& [real, model] : {std::pair(&none, audit->models[0].get()), std::pair(audit->real.get(), &empty)}) {
        QVERIFY(duplicatePairs(*real, *model, 0).pairs.empty());
        QVERIFY(copyPairs(*real, *model).pairs.empty());
        QVERIFY(duplicateRepresentatives(*real, *model, 1.0).empty());
    }
}

void SamplePairsTest::stops() {
    const auto audit = audited(test::gaussian(40, 3, 81), test::gaussian(30, 3, 82));
    const ModelAudit& model = *audit->models[0];
    std::stop_source stop;
    stop.request_stop();
    const JobContext job(stop.get_token());
    QVERIFY_THROWS_EXCEPTION(Cancelled, duplicatePairs(*audit->real, model, 0, job));
    QVERIFY_THROWS_EXCEPTION(Cancelled, copyPairs(*audit->real, model, job));
    QVERIFY_THROWS_EXCEPTION(Cancelled, duplicateRepresentatives(*audit->real, model, 1.0, job));
}

ASSAY_TEST(sample_pairs_test, SamplePairsTest)
#include "sample_pairs_test.moc"
