// Membership inference with a held-out set: against pairs counted one by one, and what its intervals do.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/held_out/membership.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/shared_data.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

std::vector<double> drawnNumbers(std::size_t count, unsigned seed, int levels) {
    std::mt19937 random(seed);
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<double>(random() % static_cast<unsigned>(levels)));
    return numbers;
}

MembershipScores scoresOf(const std::vector<double>& heldOut) {
    MembershipScores scores;
    scores.heldOutDistance = heldOut;
    return scores;
}

/// P(real < held-out) + P(=) / 2, pair by pair.
double pairwiseAuc(const std::vector<double>& real, const std::vector<double>& heldOut) {
    double sum = 0.0;
    for (const double r : real)
        for (const double h : heldOut)
            sum += r < h ? 1.0 : r == h ? 0.5 : 0.0;
    return sum / static_cast<double>(real.size() * heldOut.size());
}

/// Share of real samples below the largest distance that at most 1 % of the held-out samples lie below.
double pairwiseTpr(const std::vector<double>& real, const std::vector<double>& heldOut) {
    double best = 0.0;
    for (const double threshold : heldOut) {
        const auto below = [&](const std::vector<double>& values) {
            return static_cast<double>(
                std::count_if(values.begin(), values.end(), [&](double value) { return value < threshold; }));
        };
        if (100.0 * below(heldOut) <= static_cast<double>(heldOut.size()))
            best = std::max(best, below(real) / static_cast<double>(real.size()));
    }
    return best;
}

std::shared_ptr<const AuditResult> auditOf(const test::Matrix& real, const test::Matrix& model,
                                           const test::Matrix& heldOut, const AuditOptions& options = {}) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models.push_back({"model", test::asSet(model, "model")});
    request.heldOut = test::asSet(heldOut, "held-out");
    request.options = options;
    return runAudit(request);
}

} // namespace

class MembershipTest : public QObject {
    Q_OBJECT

private slots:
    void countsPairs_data();
    void countsPairs();
    void ranksAreSharesOfHeldOutSamples();
    void copiesAreFound();
    void intervalsHoldTheirValues();
    void resamplesDependOnTheSeedOnly();
    void drawsWholeGroups();
    void recordsAreCompared();
    void absentWithoutAHeldOutSet();
    void digits_data();
    void digits();
};

void MembershipTest::countsPairs_data() {
    QTest::addColumn<int>("real");
    QTest::addColumn<int>("heldOut");
    QTest::addColumn<int>("levels");
    QTest::newRow("few ties") << 500 << 400 << 1'000'000;
    QTest::newRow("many ties") << 300 << 700 << 12;
    QTest::newRow("one value") << 50 << 150 << 1;
    QTest::newRow("fewer than 100 held out") << 200 << 60 << 1000;
    QTest::newRow("one each") << 1 << 1 << 10;
}

void MembershipTest::countsPairs() {
    QFETCH(int, real);
    QFETCH(int, heldOut);
    QFETCH(int, levels);
    const auto members = drawnNumbers(static_cast<std::size_t>(real), 1, levels);
    const auto others = drawnNumbers(static_cast<std::size_t>(heldOut), 2, levels);
    const MembershipScores scores = membershipScores(members, others);
    QVERIFY(std::abs(scores.auc - pairwiseAuc(members, others)) < 1e-12);
    QCOMPARE(scores.tpr1, pairwiseTpr(members, others));
    QCOMPARE(scores.heldOutDistance, others);
}

void MembershipTest::ranksAreSharesOfHeldOutSamples() {
    const std::vector<double> real{0.5, 2.0, 9.0};
    QCOMPARE(membershipScores(real, {1.0, 2.0, 3.0, 4.0}).rank, (std::vector<double>{1.0, 0.5, 0.0}));
}

void MembershipTest::copiesAreFound() {
    const test::Matrix real = test::gaussian(400, 6, 3);
    const test::Matrix heldOut = test::gaussian(500, 6, 4);
    test::Matrix copies = real;
    copies.rows = 100;
    copies.values.resize(copies.rows * copies.dim);
    const auto copied = auditOf(real, copies, heldOut);
    // A quarter lies at distance 0; the rest is as far as held-out samples are.
    QVERIFY(copied->models[0]->metric("membership_tpr_1") >= 0.25);
    QVERIFY(copied->models[0]->metric("membership_auc") > 0.58);
    const std::vector<double>& rank = copied->models[0]->column("membership_rank");
    for (std::size_t row = 0; row < 100; ++row)
        QCOMPARE(rank[row], 1.0);
    const auto fresh = auditOf(real, test::gaussian(400, 6, 5), heldOut);
    const MetricInterval* auc = fresh->models[0]->interval("membership_auc");
    QVERIFY(auc != nullptr && auc->low < 0.5 && auc->high > 0.5);
    const MetricInterval* leaky = copied->models[0]->interval("membership_auc");
    QVERIFY(leaky != nullptr && leaky->low > 0.5);
}

void MembershipTest::intervalsHoldTheirValues() {
    const auto members = drawnNumbers(2000, 6, 100'000);
    const auto others = drawnNumbers(1500, 7, 110'000);
    const MembershipScores scores = membershipScores(members, others);
    const MembershipResamples resamples = resampleMembership(members, scoresOf(others), {1000, 8, 2});
    const Bounds auc = percentileBounds(resamples.auc);
    QVERIFY(auc.low < scores.auc && scores.auc < auc.high);
    // The variance of a Mann-Whitney statistic without ties is about (1 / N + 1 / H) / 12.
    const double expected = 2.0 * 1.96 * std::sqrt((1.0 / 2000.0 + 1.0 / 1500.0) / 12.0);
    QVERIFY(std::abs((auc.high - auc.low) / expected - 1.0) < 0.12);
    const Bounds tpr = percentileBounds(resamples.tpr1);
    QVERIFY(tpr.low <= scores.tpr1 && scores.tpr1 <= tpr.high && tpr.low < tpr.high);
}

void MembershipTest::resamplesDependOnTheSeedOnly() {
    const auto members = drawnNumbers(300, 9, 500);
    const auto others = drawnNumbers(200, 10, 500);
    const MembershipResamples one = resampleMembership(members, scoresOf(others), {200, 11, 1});
    const MembershipResamples five = resampleMembership(members, scoresOf(others), {200, 11, 5});
    QCOMPARE(one.auc, five.auc);
    QCOMPARE(one.tpr1, five.tpr1);
    QVERIFY(one.auc != resampleMembership(members, scoresOf(others), {200, 12, 1}).auc);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) {
            resampleMembership(members, scoresOf(others), {200, 11, 2}, job);
        },
        100);
    QVERIFY2(failure.empty(), failure.c_str());
}

void MembershipTest::drawsWholeGroups() {
    // Every sample of a group has one distance: the groups are what varies, as if each had one sample.
    const auto members = drawnNumbers(60, 21, 100'000);
    const auto others = drawnNumbers(50, 22, 100'000);
    const auto repeated = [](const std::vector<double>& values) {
        std::vector<double> all;
        for (const double value : values)
            all.insert(all.end(), 8, value);
        return all;
    };
    const auto eighths = [](std::size_t groups) {
        std::vector<std::uint32_t> unit(8 * groups);
        for (std::uint32_t row = 0; row < unit.size(); ++row)
            unit[row] = row / 8;
        return unit;
    };
    MembershipScores grouped = scoresOf(repeated(others));
    const Bounds alone = percentileBounds(resampleMembership(repeated(members), grouped, {1000, 8, 2}).auc);
    grouped.realUnit = eighths(members.size());
    grouped.heldOutUnit = eighths(others.size());
    const Bounds together = percentileBounds(resampleMembership(repeated(members), grouped, {1000, 8, 2}).auc);
    const Bounds single = percentileBounds(resampleMembership(members, scoresOf(others), {1000, 8, 2}).auc);
    const double width = together.high - together.low;
    QVERIFY(std::abs(width / (single.high - single.low) - 1.0) < 0.1);
    QVERIFY(width > 2.0 * (alone.high - alone.low));
}

void MembershipTest::recordsAreCompared() {
    NeighborTable table;
    table.k = 2;
    table.index = {0, 1, 0, 1, 1, 0, 0, 1, 2, 1};
    table.distance = {1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 0.0, 5.0, 2.0, 2.0};
    const RecordDistances distances = recordDistances(table);
    QCOMPARE(distances.dcrMedian, 1.0);  // of 1, 0, 3, 0, 2
    QCOMPARE(distances.nndrMedian, 0.5); // of 0.5, 0, 0.75, 0, 1
    QCOMPARE(distances.dcr5, 0.0);
    table.k = 1;
    QVERIFY(std::isnan(recordDistances(table).nndrMedian));
    const auto audit = auditOf(test::gaussian(300, 4, 13), test::gaussian(200, 4, 14), test::gaussian(250, 4, 15));
    const RecordDistances synthetic = recordDistances(audit->models[0]->tables->synthetic.nearest);
    const RecordDistances heldOut = recordDistances(audit->heldOut->audit->tables->synthetic.nearest);
    QCOMPARE(audit->models[0]->metric("dcr_5"), synthetic.dcr5);
    QCOMPARE(audit->models[0]->metric("nndr_median"), synthetic.nndrMedian);
    QCOMPARE(audit->models[0]->metric("dcr_median_held_out"), heldOut.dcrMedian);
    QCOMPARE(audit->models[0]->metric("nndr_5_held_out"), heldOut.nndr5);
}

void MembershipTest::absentWithoutAHeldOutSet() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(100, 3, 16), "real");
    request.models.push_back({"model", test::asSet(test::gaussian(90, 3, 17), "model")});
    const auto audit = runAudit(request);
    for (const char* id : {"membership_auc", "membership_tpr_1", "dcr_5_held_out"})
        QVERIFY(!audit->models[0]->hasMetric(id));
    QVERIFY(!audit->models[0]->hasColumn("membership_rank"));
    QVERIFY(audit->models[0]->hasMetric("dcr_5"));
}

void MembershipTest::digits_data() {
    QTest::addColumn<double>("auc");
    QTest::addColumn<double>("tpr");
    QTest::newRow("gan") << 0.4955 << 0.0106;
    QTest::newRow("gan_early") << 0.5188 << 0.0109;
    QTest::newRow("vae") << 0.5014 << 0.0080;
    QTest::newRow("copycat") << 0.7544 << 0.4552;
}

void MembershipTest::digits() {
    if (test::takesSmallSizes())
        QSKIP("Takes too long in an instrumented build.");
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto heldOut = test::sharedFile("data/mnist/heldout.npz");
    const auto model = test::sharedFile(std::string("data/mnist/") + QTest::currentDataTag() + ".npz");
    if (!real || !heldOut || !model)
        QSKIP("shared/data/mnist is absent");
    QFETCH(double, auc);
    QFETCH(double, tpr);
    const auto search = makeCpuSearch(BackendChoice::Gemm, {}, 0, {});
    const auto synthetic = readEmbeddings(*model);
    const auto nearest = [&](const std::string& file) {
        const auto set = readEmbeddings(file);
        return search->nearest(set->matrix(), synthetic->matrix(), 1, {}).distancesAt(1);
    };
    const MembershipScores scores = membershipScores(nearest(*real), nearest(*heldOut));
    QVERIFY2(std::abs(scores.auc - auc) <= 1e-4, qPrintable(QString::number(scores.auc)));
    QVERIFY2(std::abs(scores.tpr1 - tpr) <= 1e-4, qPrintable(QString::number(scores.tpr1)));
}

ASSAY_TEST(membership_test, MembershipTest)
#include "membership_test.moc"
