#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/row_functions.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <vector>

using namespace assay;

class RowFunctionsTest : public QObject {
    Q_OBJECT

private slots:
    void readsAMemberOfAProduct();
    void readsAMemberOfAMember();
    void readsCountsOfTheTables();
};

void RowFunctionsTest::readsAMemberOfAProduct() {
    const RealAnalysis real;
    const PairTables pair;
    MetricInputs in{real, pair, 5};
    VerdictScores scores;
    scores.pCopy = {0.25, 0.5};
    in.results.put(scores);
    QCOMPARE((memberOf<&VerdictScores::pCopy>(in)), scores.pCopy);
}

void RowFunctionsTest::readsAMemberOfAMember() {
    const RealAnalysis real;
    const PairTables pair;
    MetricInputs in{real, pair, 5};
    RowScores scores;
    scores.top.f1 = 0.75;
    scores.vendi = 12.0;
    in.results.put(scores);
    double (*f1)(const MetricInputs&) = memberOf<&RowScores::top, &TopScores::f1>;
    QCOMPARE(f1(in), 0.75);
    QCOMPARE((memberOf<&RowScores::vendi>(in)), 12.0);
}

void RowFunctionsTest::readsCountsOfTheTables() {
    using RowNumbers = std::vector<double>;
    RealAnalysis real;
    real.entropy = 1.5;
    real.innerHolding = {7};
    PairTables pair;
    pair.synthetic.holding = {0, 5, 6, 1};
    const MetricInputs in{real, pair, 5};
    QCOMPARE((memberOf<&RealAnalysis::entropy>(in)), 1.5);
    QCOMPARE((memberOf<&RealAnalysis::innerHolding>(in)), RowNumbers{7.0});
    QCOMPARE((memberOf<&PairTables::synthetic, &SideResult::holding>(in)), (RowNumbers{0.0, 5.0, 6.0, 1.0}));
    QCOMPARE((isAboveZero<&PairTables::synthetic, &SideResult::holding>(in)), (RowNumbers{0.0, 1.0, 1.0, 1.0}));
    QCOMPARE((isAboveK<&PairTables::synthetic, &SideResult::holding>(in)), (RowNumbers{0.0, 0.0, 1.0, 0.0}));
    QCOMPARE((meanOf<memberOf<&PairTables::synthetic, &SideResult::holding>>(in)), 3.0);
}

ASSAY_TEST(row_functions_test, RowFunctionsTest)
#include "row_functions_test.moc"
