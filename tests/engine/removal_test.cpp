#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace assay;

namespace {

/// Half of the model is spread too widely: of low fidelity, and alone in covering the rim of the real set.
std::shared_ptr<const AuditResult> wideAudit() {
    test::Matrix fake = test::gaussian(150, 3, 2, 0.0F, 0.5F);
    const test::Matrix wide = test::gaussian(150, 3, 3, 0.0F, 2.0F);
    fake.values.insert(fake.values.end(), wide.values.begin(), wide.values.end());
    fake.rows += wide.rows;
    AuditRequest request;
    request.real = test::asSet(test::gaussian(300, 3, 1), "real");
    request.models = {{"wide", test::asSet(fake, "wide")}};
    return runAudit(request);
}

/// What an audit says without the first `count` of an order.
WhatIfResult without(const std::shared_ptr<const AuditResult>& audit, const std::vector<std::uint32_t>& order,
                     std::size_t count) {
    std::vector<bool> kept(order.size(), true);
    for (std::size_t at = 0; at < count; ++at)
        kept[order[at]] = false;
    return WhatIf(audit, 0).evaluate(kept);
}

} // namespace

class RemovalTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { audit_ = wideAudit(); }
    void ordersAreOfAllRows_data();
    void ordersAreOfAllRows();
    void followsTheNaiveOrder();
    void proposesWhatReachesTheFidelity();
    void saysWhereNothingReachesIt();
    void proposesNothingWhereNothingIsWanted();
    void bringsTheFrechetDistanceDown();
    void namesTheClassThatIsFarOff();
    void theFrontierIsWhatIsLeft();

private:
    std::shared_ptr<const AuditResult> audit_;
};

void RemovalTest::ordersAreOfAllRows_data() {
    QTest::addColumn<double>("weight");
    for (const double weight : {0.0, 0.3, 1.0, 1e6})
        QTest::newRow(qPrintable(QString::number(weight))) << weight;
}

void RemovalTest::ordersAreOfAllRows() {
    QFETCH(double, weight);
    std::vector<std::uint32_t> order = removalOrder(*audit_, 0, weight);
    std::vector<std::uint32_t> all(300);
    std::iota(all.begin(), all.end(), 0U);
    const auto& fidelity = audit_->models[0]->column("fidelity");
    const auto worseFirst = [&](std::uint32_t a, std::uint32_t b) {
        return fidelity[a] != fidelity[b] ? fidelity[a] < fidelity[b] : a < b;
    };
    QCOMPARE(std::ranges::is_sorted(order, worseFirst), weight == 0.0);
    std::ranges::sort(order);
    QCOMPARE(order, all);
}

/// By all distances, counting anew for every step.
void RemovalTest::followsTheNaiveOrder() {
    const ModelAudit& model = *audit_->models[0];
    const MatrixView real = audit_->real->set->matrix();
    const MatrixView fake = model.set->matrix();
    std::vector<std::vector<std::uint32_t>> coverers(real.rows);
    for (std::size_t i = 0; i < real.rows; ++i)
        for (std::uint32_t j = 0; j < fake.rows; ++j) {
            double squared = 0.0;
            for (std::size_t c = 0; c < 3; ++c) {
                const double difference =
                    static_cast<double>(real.rowData(i)[c]) - static_cast<double>(fake.rowData(j)[c]);
                squared += difference * difference;
            }
            if (std::sqrt(squared) <= audit_->real->radius[i])
                coverers[i].push_back(j);
        }
    QVERIFY(std::ranges::all_of(coverers, [](const auto& list) { return list.size() <= 32; }));
    std::vector<bool> gone(300, false);
    std::vector<std::uint32_t> expected;
    for (int step = 0; step < 300; ++step) {
        std::vector<double> key = model.column("fidelity");
        std::vector<double> alone(300, 0.0);
        for (const auto& list : coverers) {
            std::vector<std::uint32_t> left;
            std::ranges::copy_if(list, std::back_inserter(left), [&](std::uint32_t j) { return !gone[j]; });
            if (left.size() == 1)
                ++alone[left.front()];
        }
        std::uint32_t best = 300;
        for (std::uint32_t j = 0; j < 300; ++j) {
            key[j] += 0.3 * alone[j];
            if (!gone[j] && (best == 300 || key[j] < key[best]))
                best = j;
        }
        expected.push_back(best);
        gone[best] = true;
    }
    QCOMPARE(removalOrder(*audit_, 0, 0.3), expected);
}

void RemovalTest::proposesWhatReachesTheFidelity() {
    const double now = audit_->models[0]->metric("clipped_density");
    QVERIFY(now < 0.95);
    const double wanted = now + 0.6 * (1.0 - now);
    const RemovalProposal proposal = proposeRemoval(audit_, 0, wanted);
    QVERIFY(proposal.reached);
    QVERIFY(std::ranges::is_sorted(proposal.rows));
    std::vector<bool> kept(300, true);
    for (const std::uint32_t row : proposal.rows)
        kept[row] = false;
    const WhatIfResult scores = WhatIf(audit_, 0).evaluate(kept);
    QCOMPARE(proposal.scores.aim, scores.metric("clipped_density"));
    QCOMPARE(proposal.scores.coverage, scores.metric("coverage"));
    QVERIFY(proposal.scores.aim >= wanted);
    // The least faithful ones would do as well, and cost more of the real set.
    const WhatIfResult plain = without(audit_, removalOrder(*audit_, 0, 0.0), proposal.plainCount);
    QVERIFY(plain.metric("clipped_density") >= wanted);
    QCOMPARE(proposal.plain.coverage, plain.metric("coverage"));
    QVERIFY2(proposal.scores.coverage > proposal.plain.coverage,
             qPrintable(QString("%1 %2").arg(proposal.scores.coverage).arg(proposal.plain.coverage)));
}

void RemovalTest::saysWhereNothingReachesIt() {
    const RemovalProposal proposal = proposeRemoval(audit_, 0, 50.0);
    QVERIFY(!proposal.reached);
    QVERIFY(proposal.scores.aim < 50.0);
    QVERIFY(proposal.scores.aim >= audit_->models[0]->metric("clipped_density"));
    QVERIFY_EXCEPTION_THROWN(proposeRemoval(audit_, 0, std::nan("")), Error);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(proposeRemoval(audit_, 0, 1.0, {}, JobContext(stop.get_token())), Cancelled);
}

void RemovalTest::proposesNothingWhereNothingIsWanted() {
    const RemovalProposal proposal = proposeRemoval(audit_, 0, 0.0);
    QVERIFY(proposal.reached && proposal.rows.empty());
    QCOMPARE(proposal.scores.coverage, audit_->models[0]->metric("coverage"));
}

void RemovalTest::bringsTheFrechetDistanceDown() {
    const double now = audit_->models[0]->metric("frechet_distance");
    const RemovalProposal proposal = proposeFrechetRemoval(audit_, 0, 0.5 * now);
    QVERIFY(proposal.reached && !proposal.rows.empty());
    QVERIFY(std::ranges::is_sorted(proposal.rows));
    std::vector<bool> kept(300, true);
    for (const std::uint32_t row : proposal.rows)
        kept[row] = false;
    FrechetOfSubset subset(audit_, 0);
    QCOMPARE(proposal.scores.aim, subset.evaluate(kept));
    QVERIFY(proposal.scores.aim <= 0.5 * now);
    QVERIFY2(proposal.plain.aim > 0.8 * now, "at random it stays about the same");
    QCOMPARE(proposal.scores.coverage, WhatIf(audit_, 0).evaluate(kept).metric("coverage"));
    // The shares are those of an audit, and change with what is kept.
    std::vector<double> share = subset.influence(std::vector<bool>(300, true));
    for (std::size_t row = 0; row < 300; ++row)
        QVERIFY(std::abs(share[row] - audit_->models[0]->column("frechet_influence")[row]) <= 1e-6);
    QVERIFY(subset.influence(kept) != share);
    // Where nothing reaches it, no other round brings it further down.
    const RemovalProposal least = proposeFrechetRemoval(audit_, 0, 0.0);
    QVERIFY(!least.reached && least.scores.aim < proposal.scores.aim);
    QVERIFY(least.rows.size() <= 270);
    QVERIFY(proposeFrechetRemoval(audit_, 0, now + 1.0).rows.empty());
    QVERIFY_EXCEPTION_THROWN(proposeFrechetRemoval(audit_, 0, std::nan("")), Error);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(proposeFrechetRemoval(audit_, 0, 0.0, {}, JobContext(stop.get_token())), Cancelled);
}

void RemovalTest::namesTheClassThatIsFarOff() {
    const auto audited = [](float shift, bool labels) {
        test::Matrix fake = test::gaussian(200, 3, 2);
        const test::Matrix shifted = test::gaussian(60, 3, 3, shift);
        fake.values.insert(fake.values.end(), shifted.values.begin(), shifted.values.end());
        fake.rows += shifted.rows;
        EmbeddingParts parts = EmbeddingParts::of(fake.values, 3, "fake");
        std::vector<std::int64_t> classes(260, 4);
        std::fill(classes.begin() + 200, classes.end(), 7);
        if (labels)
            parts.labels = labelsFromIntegers(classes);
        AuditRequest request;
        request.real = test::asSet(test::gaussian(300, 3, 1), "real");
        request.models = {{"fake", std::make_shared<const EmbeddingSet>(std::move(parts))}};
        return runAudit(request);
    };
    const auto audit = audited(2.0F, true);
    const std::optional<ClassFrechet> found = heaviestClass(audit, 0);
    QVERIFY(found && found->label == "7" && found->samples == 60);
    std::vector<bool> others(260, true);
    std::fill(others.begin() + 200, others.end(), false);
    QCOMPARE(found->without, FrechetOfSubset(audit, 0).evaluate(others));
    QVERIFY(found->without < 0.2 * audit->models[0]->metric("frechet_distance"));
    QVERIFY(found->random > 0.7 * audit->models[0]->metric("frechet_distance"));
    QVERIFY(!heaviestClass(audited(2.0F, false), 0));
}

void RemovalTest::theFrontierIsWhatIsLeft() {
    CurveRequest request;
    request.frontier = true;
    const auto audit = withCurves(audit_, request, {});
    const RequestedCurve* curve = findRequestedCurve(*audit, "removal_frontier", "wide");
    QVERIFY(curve);
    const CurveValues& values = curve->values;
    QCOMPARE(values.x.size(), 10U);
    const auto lineOf = [&](const std::string& name) {
        const auto at = std::ranges::find(values.lines, name, &CurveLine::name);
        return at == values.lines.end() ? std::vector<double>() : at->y;
    };
    for (const char* way : {"sparing", "fidelity", "pce", "p_any", "random"})
        for (const char* score : {"clipped_density/", "coverage/"})
            QCOMPARE(lineOf(std::string(score) + way).size(), values.x.size());
    QCOMPARE(lineOf("coverage/sparing")[0], audit_->models[0]->metric("coverage"));
    const WhatIfResult third = without(audit_, removalOrder(*audit_, 0, 1.0), 90);
    QCOMPARE(lineOf("clipped_density/sparing")[3], third.metric("clipped_density"));
    QCOMPARE(lineOf("coverage/sparing")[3], third.metric("coverage"));
    QVERIFY(lineOf("coverage/sparing")[4] > lineOf("coverage/fidelity")[4]);
}

ASSAY_TEST(removal_test, RemovalTest)
#include "removal_test.moc"
