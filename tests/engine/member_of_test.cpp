#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/tables/member_of.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <vector>

using namespace assay;

class MemberOfTest : public QObject {
    Q_OBJECT

private slots:
    void readsAMemberOfAProduct();
    void readsAMemberOfAMember();
};

void MemberOfTest::readsAMemberOfAProduct() {
    const RealAnalysis real;
    const PairTables pair;
    MetricInputs in{real, pair, 5};
    VerdictScores scores;
    scores.pCopy = {0.25, 0.5};
    in.products.put(scores);
    QCOMPARE(memberOf<&VerdictScores::pCopy>(in), scores.pCopy);
}

void MemberOfTest::readsAMemberOfAMember() {
    const RealAnalysis real;
    const PairTables pair;
    MetricInputs in{real, pair, 5};
    RowScores scores;
    scores.top.f1 = 0.75;
    scores.vendi = 12.0;
    in.products.put(scores);
    double (*f1)(const MetricInputs&) = memberOf<&RowScores::top, &TopScores::f1>;
    QCOMPARE(f1(in), 0.75);
    QCOMPARE(memberOf<&RowScores::vendi>(in), 12.0);
}

ASSAY_TEST(member_of_test, MemberOfTest)
#include "member_of_test.moc"
