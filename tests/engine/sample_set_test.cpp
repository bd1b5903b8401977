// Sets of samples against std::set, and what copies share.
#include "engine/data/sample_set.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <random>
#include <set>
#include <vector>

using namespace assay;
using Oracle = std::set<SampleId>;

namespace {

constexpr SetId kModel = syntheticSet(2);

std::vector<SampleId> listOf(const SampleSet& set) {
    return {set.begin(), set.end()};
}

std::vector<SampleId> listOf(const Oracle& set) {
    return {set.begin(), set.end()};
}

/// Some hundred samples of a few sets: dense runs, single ones far apart, whole blocks.
Oracle drawn(std::mt19937& random) {
    Oracle samples;
    const auto upTo = [&random](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    for (std::uint32_t run = upTo(6); run > 0; --run) {
        const auto set = static_cast<SetId>(upTo(4));
        const std::uint32_t first = upTo(3) * 4096 + upTo(2) * 60;
        const std::uint32_t step = 1 + upTo(2) * upTo(5000);
        for (std::uint32_t r = 0, count = 1 + upTo(200); r < count; ++r)
            samples.insert({set, first + r * step});
    }
    return samples;
}

} // namespace

class SampleSetTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsEmpty();
    void agreesWithTheOracle();
    void whereAsksEachRow();
    void copiesShareWhatStaysTheSame();
};

void SampleSetTest::nothingIsEmpty() {
    const SampleSet none;
    QVERIFY(none.empty());
    QCOMPARE(none.size(), 0U);
    QVERIFY(none.begin() == none.end());
    QVERIFY(!none.contains({SetId::Real, 0}));
    QVERIFY(none.includes(none));
    QVERIFY(SampleSet::where(kModel, 10000, [](std::size_t) { return false; }) == none);
    QVERIFY(SampleSet(std::vector<SampleId>{}) == none);
    QCOMPARE(none.bytes(), 0U);
}

void SampleSetTest::agreesWithTheOracle() {
    std::mt19937 random(20261123);
    for (int round = 0; round < 300; ++round) {
        const Oracle a = drawn(random);
        const Oracle b = drawn(random);
        std::vector<SampleId> shuffled = listOf(a);
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        if (!shuffled.empty())
            shuffled.push_back(shuffled.front()); // twice is once
        const SampleSet setA(shuffled);
        const SampleSet setB(listOf(b));
        QCOMPARE(listOf(setA), listOf(a));
        QCOMPARE(setA.size(), a.size());
        QCOMPARE(setA.empty(), a.empty());
        QCOMPARE(setA == setB, a == b);
        QCOMPARE(setA.includes(setB), std::ranges::includes(a, b));
        if (!a.empty())
            QCOMPARE(setA.front(), *a.begin());
        const auto compare = [&](SampleSet made, const auto& algorithm) {
            std::vector<SampleId> expected;
            algorithm(a, b, std::back_inserter(expected));
            QCOMPARE(listOf(made), expected);
            QCOMPARE(made.size(), expected.size());
            QVERIFY(made == SampleSet(expected)); // one way to hold the same samples
        };
        compare(setA | setB, [](auto&&... all) { std::ranges::set_union(all...); });
        compare(setA - setB, [](auto&&... all) { std::ranges::set_difference(all...); });
        compare(setA & setB, [](auto&&... all) { std::ranges::set_intersection(all...); });
        for (const SetId set : {SetId::Real, syntheticSet(0), syntheticSet(1), kModel}) {
            const auto inSet = [set](SampleId sample) { return sample.set == set; };
            QCOMPARE(setA.countIn(set), static_cast<std::size_t>(std::ranges::count_if(a, inSet)));
            Oracle one;
            std::ranges::copy_if(a, std::inserter(one, one.end()), inSet);
            QCOMPARE(listOf(setA.in(set)), listOf(one));
            for (const std::uint32_t row : {0U, 63U, 64U, 4095U, 4096U, 8200U})
                QCOMPARE(setA.contains({set, row}), a.contains({set, row}));
        }
        const SampleId any{kModel, static_cast<std::uint32_t>(random() % 9000)};
        SampleSet changed = setA;
        changed.insert(any);
        QVERIFY(changed.contains(any));
        changed.erase(any);
        QVERIFY(!changed.contains(any));
        QCOMPARE(changed.size(), a.size() - (a.contains(any) ? 1 : 0));
    }
}

void SampleSetTest::whereAsksEachRow() {
    const SampleSet third = SampleSet::where(kModel, 10001, [](std::size_t row) { return row % 3 == 1; });
    QCOMPARE(third.size(), 3334U);
    for (std::uint32_t row = 0; row < 10010; ++row)
        QCOMPARE(third.contains({kModel, row}), row < 10001 && row % 3 == 1);
    QCOMPARE(SampleSet::all(SetId::Real, 8192).size(), 8192U);
    const std::vector<std::uint32_t> rows{7, 5, 9000};
    QVERIFY(SampleSet(kModel, rows) == SampleSet({{kModel, 5}, {kModel, 7}, {kModel, 9000}}));
}

void SampleSetTest::copiesShareWhatStaysTheSame() {
    const SampleSet million = SampleSet::all(kModel, 1000000);
    QVERIFY(million.bytes() < 140000); // a bit each, and what holds the blocks
    SampleSet one = million;
    one.erase({kModel, 500000});
    QCOMPARE(one.size(), 999999U);
    QVERIFY(million.contains({kModel, 500000}));
    one.insert({kModel, 500000});
    QVERIFY(one == million);
    QVERIFY(SampleSet({{kModel, 999999}}).bytes() < 5000);
}

ASSAY_TEST(sample_set_test, SampleSetTest)
#include "sample_set_test.moc"
