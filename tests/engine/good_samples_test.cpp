// What good samples score in the columns that rules look at.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/subsets/rules/good_samples.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace assay;
using test::Matrix;
using Values = std::vector<double>;

namespace {

double mean(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool close(double a, double b) {
    return std::abs(a - b) < 1e-9;
}

} // namespace

class GoodSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void realOnesAreLeftOut();
    void pValuesAreTheirRanks();
    void ruleOnThePValueTakesWhatItSays();
    void verdictsAreThoseOfTheirPValues();
    void heldOutOnesTakeTheirPlace();
    void whatIsNotKnownIsNotClaimed();

private:
    std::shared_ptr<const AuditResult> audit_;   ///< 30 % noise
    std::shared_ptr<const AuditResult> heldOut_; ///< the same with a held-out set
};

void GoodSamplesTest::initTestCase() {
    const Matrix model = test::joined(test::gaussian(350, 5, 2), test::gaussian(150, 5, 3, 0.0F, 9.0F));
    AuditRequest request;
    request.real = test::asSet(test::gaussian(400, 5, 1), "real");
    request.models = {{"model", test::asSet(model, "model")}};
    audit_ = runAudit(request);
    request.heldOut = test::asSet(test::gaussian(230, 5, 4), "held-out");
    heldOut_ = runAudit(request);
}

void GoodSamplesTest::realOnesAreLeftOut() {
    const ModelAudit& model = *audit_->models.front();
    QVERIFY(close(mean(*goodSampleValues(*audit_, 0, "fidelity")), model.metric("clipped_density_real")));
    QVERIFY(close(mean(*goodSampleValues(*audit_, 0, "pce")), 0.0)); // above the real set's own entropy
    QVERIFY(close(mean(*goodSampleValues(*audit_, 0, "authentic")), 1.0 - audit_->real->notAuthentic));
    QCOMPARE(*goodSampleValues(*audit_, 0, "nearest_real_distance"), audit_->real->neighbors.distancesAt(1));
    const Values ratios = *goodSampleValues(*audit_, 0, "copy_ratio");
    QCOMPARE(ratios.size(), std::size_t{400});
    for (std::size_t i = 0; i < ratios.size(); ++i) // to the nearest other real sample, and to the next one
        QCOMPARE(ratios[i], audit_->real->neighbors.distanceAt(i, 0) / audit_->real->neighbors.distanceAt(i, 1));
}

void GoodSamplesTest::pValuesAreTheirRanks() {
    for (const char* column : {"p_unrealistic", "p_over_represented", "p_copy"}) {
        Values p = *goodSampleValues(*audit_, 0, column);
        QCOMPARE(p.size(), std::size_t{400});
        std::sort(p.begin(), p.end());
        for (const double value : p) // as many as it says are at least as extreme
            QVERIFY2(close(value, static_cast<double>(std::upper_bound(p.begin(), p.end(), value) - p.begin()) / 400.0),
                     column);
    }
}

void GoodSamplesTest::ruleOnThePValueTakesWhatItSays() {
    for (const AuditResult* audit : {audit_.get(), heldOut_.get()})
        for (const double share : {0.02, 0.1, 0.5}) {
            const double taken = falseAlarmRate(*audit, 0, FilterRules{{"p_any", Bound::AtLeast, share}}).value();
            QVERIFY2(taken <= share && taken > 0.3 * share, qPrintable(QString::number(taken)));
        }
    QCOMPARE(falseAlarmRate(*audit_, 0, {}).value(), 0.0);
}

void GoodSamplesTest::verdictsAreThoseOfTheirPValues() {
    const ModelAudit& model = *audit_->models.front();
    const Values p = *goodSampleValues(*audit_, 0, "p_any");
    double cut = 0.0; // the largest p-value that is rejected
    for (std::size_t j = 0; j < model.set->rows(); ++j)
        if (model.column("verdict")[j] != 0.0)
            cut = std::max(cut, model.column("p_any")[j]);
    QVERIFY(cut > 0.0);
    const Values verdicts = *goodSampleValues(*audit_, 0, "verdict");
    for (std::size_t i = 0; i < p.size(); ++i)
        QVERIFY(verdicts[i] != 0.0 ? p[i] <= cut : p[i] > 0.0);
    const double taken = falseAlarmRate(*audit_, 0, FilterRules{{"verdict", Bound::AtMost, 0.0}}).value();
    QVERIFY(close(taken, mean(verdicts)));
    QVERIFY(taken < 0.05);
}

void GoodSamplesTest::heldOutOnesTakeTheirPlace() {
    for (const char* column : {"p_any", "verdict", "fidelity", "rarity", "authentic"})
        QCOMPARE(goodSampleValues(*heldOut_, 0, column)->size(), std::size_t{230});
    QCOMPARE(*goodSampleValues(*heldOut_, 0, "fidelity"), heldOut_->heldOut->audit->column("fidelity"));
}

void GoodSamplesTest::whatIsNotKnownIsNotClaimed() {
    QVERIFY(!goodSampleValues(*audit_, 0, "rarity"));
    QVERIFY(
        !falseAlarmRate(*audit_, 0, FilterRules{{"fidelity", Bound::AtLeast, 0.2}, {"rarity", Bound::AtLeast, 0.0}}));
}

ASSAY_TEST(good_samples_test, GoodSamplesTest)
#include "good_samples_test.moc"
