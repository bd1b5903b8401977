// Results of audit stages, found by their types.
#include "engine/metrics/tables/metric.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <array>
#include <string>

using namespace assay;

namespace {

struct Incomplete;
struct First {
    int value = 0;
};
struct Second { // laid out as First is, so that nothing but its name tells them apart
    int value = 0;
};
template <int>
struct Numbered {};

} // namespace

class StageResultsTest : public QObject {
    Q_OBJECT

private slots:
    void areEqualOnlyForOneType();
    void areFoundByTheirTypes();
    void areReplacedAndShared();
    void mayBeReferences();
};

void StageResultsTest::areEqualOnlyForOneType() {
    const std::array all{
        ResultType{},        kResultType<First>,       kResultType<Second>,      kResultType<Incomplete>,
        kResultType<First*>, kResultType<const First>, kResultType<Numbered<1>>, kResultType<Numbered<2>>,
        kResultType<int>,    kResultType<unsigned>};
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b)
            QCOMPARE(all[a] == all[b], a == b);
}

void StageResultsTest::areFoundByTheirTypes() {
    StageResults results;
    QVERIFY(!results.has(kResultType<First>) && !results.has(ResultType{}));
    QVERIFY(results.find<First>() == nullptr);
    results.put(First{1});
    QVERIFY(results.find<Second>() == nullptr);
    results.put(Second{2});
    results.put(std::string("text"));
    QCOMPARE(results.get<First>().value, 1);
    QCOMPARE(results.get<Second>().value, 2);
    QCOMPARE(results.get<std::string>(), std::string("text"));
    QVERIFY(!results.has(kResultType<const First>));
}

void StageResultsTest::areReplacedAndShared() {
    StageResults results;
    results.put(First{1});
    const StageResults copy = results;
    results.put(First{3});
    QCOMPARE(results.get<First>().value, 3);
    QCOMPARE(copy.get<First>().value, 1);
}

void StageResultsTest::mayBeReferences() {
    const First lent{7};
    StageResults results;
    results.put(First{1});
    results.putReference(lent);
    QVERIFY(results.find<First>() == &lent);
}

ASSAY_TEST(stage_results_test, StageResultsTest)
#include "stage_results_test.moc"
