// How figures move between random halves, against one split after the other.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/resampling/half_shifts.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

using namespace assay;
using test::Matrix;

namespace {

/// By definition, one split at a time.
namespace naive {

using Halves = std::vector<std::size_t>; // 0, 1, or 2 for the last of an odd number
using PerHalf = std::array<double, 2>;

Halves randomHalves(std::size_t rows, std::uint64_t seed, std::uint64_t number) {
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0U);
    Random random = Random::forItem(seed, number);
    random.shuffle(order);
    Halves half(rows, 2);
    for (std::size_t i = 0; i < rows / 2 * 2; ++i)
        half[order[i]] = i < rows / 2 ? 0 : 1;
    return half;
}

struct Split {
    Halves half;
    std::vector<double> radius, clippedRadius; // below zero for the row in neither half
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2.0;
}

Split makeSplit(const MetricInputs& in, std::uint64_t number) {
    const NeighborTable& table = in.real.neighbors;
    Split split{randomHalves(table.rows(), streamSeed(in.seed, "halves of the real set"), number),
                std::vector<double>(table.rows(), -1.0),
                {}};
    std::array<std::vector<double>, 2> radii;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        if (split.half[i] == 2)
            continue;
        split.radius[i] = table.distanceAt(i, table.k - 1);
        std::size_t found = 0;
        for (std::size_t rank = 0; rank < table.k && found < in.k; ++rank)
            if (split.half[table.indexAt(i, rank)] == split.half[i] && ++found == in.k)
                split.radius[i] = table.distanceAt(i, rank);
        radii[split.half[i]].push_back(split.radius[i]);
    }
    split.clippedRadius = split.radius;
    for (std::size_t i = 0; i < table.rows(); ++i)
        if (split.half[i] != 2)
            split.clippedRadius[i] = std::min(split.radius[i], median(radii[split.half[i]]));
    return split;
}

PerHalf realFidelity(const MetricInputs& in, const Split& split) {
    const NeighborTable& table = in.real.neighbors;
    std::vector<std::size_t> holding(table.rows(), 0);
    for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t rank = 0; rank < table.k; ++rank)
            if (split.half[table.indexAt(i, rank)] == split.half[i] &&
                table.distanceAt(i, rank) <= split.clippedRadius[i])
                ++holding[table.indexAt(i, rank)];
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < table.rows(); ++i)
        sum[split.half[i]] += static_cast<double>(std::min(holding[i], in.k));
    const auto whole = static_cast<double>(in.k * (table.rows() / 2));
    return {sum[0] / whole, sum[1] / whole};
}

PerHalf syntheticFidelity(const MetricInputs& in, const Split& split) {
    const NeighborTable& table = in.pair.syntheticToReal;
    std::array<std::size_t, 2> sum{};
    for (std::size_t j = 0; j < table.rows(); ++j)
        for (std::size_t half = 0; half < 2; ++half) {
            std::size_t holding = 0;
            for (std::size_t rank = 0; rank < table.k; ++rank)
                if (split.half[table.indexAt(j, rank)] == half &&
                    table.distanceAt(j, rank) <= split.clippedRadius[table.indexAt(j, rank)])
                    ++holding;
            sum[half] += std::min(holding, in.k);
        }
    const auto whole = static_cast<double>(in.k * table.rows());
    return {static_cast<double>(sum[0]) / whole, static_cast<double>(sum[1]) / whole};
}

PerHalf coverage(const MetricInputs& in, const Split& split, const Halves& synthetic) {
    const NeighborTable& table = in.pair.realToSynthetic;
    std::array<std::size_t, 3> sum{};
    for (std::size_t i = 0; i < table.rows(); ++i) {
        std::size_t inside = 0;
        for (std::size_t rank = 0; rank < table.k; ++rank)
            if (synthetic[table.indexAt(i, rank)] == split.half[i] && table.distanceAt(i, rank) <= split.radius[i])
                ++inside;
        sum[split.half[i]] += std::min(inside, in.k);
    }
    const auto whole = static_cast<double>(in.k * (table.rows() / 2));
    return {static_cast<double>(sum[0]) / whole, static_cast<double>(sum[1]) / whole};
}

/// @param both whether coverage can be told
HalfShifts halfShifts(const MetricInputs& in, bool both) {
    const auto shift = [](const PerHalf& of) { return (of[0] - of[1]) / 2.0; };
    HalfShifts shifts;
    for (std::uint64_t s = 0; s < 64; ++s) {
        const Split split = makeSplit(in, s);
        const PerHalf real = realFidelity(in, split);
        const PerHalf synthetic = syntheticFidelity(in, split);
        shifts.realFidelity.push_back(shift(real));
        const bool defined = real[0] > 0.0 && real[1] > 0.0;
        shifts.clippedDensity.push_back(defined ? shift({synthetic[0] / real[0], synthetic[1] / real[1]}) : 0.0);
        if (!both)
            continue;
        const std::uint64_t seed = streamSeed(in.seed, "halves of " + std::string(in.stream));
        shifts.coverage.push_back(shift(coverage(in, split, randomHalves(in.pair.syntheticToReal.rows(), seed, s))));
    }
    return shifts;
}

} // namespace naive

/// Tables that figures are found from.
struct Tables {
    RealAnalysis real;
    PairTables pair;
};

Tables audited(const Matrix& real, const Matrix& synthetic, std::size_t stored) {
    AuditOptions options;
    options.k = 1;
    options.storedNeighbors = stored;
    options.tablesOnly = true;
    const auto audit = runAudit({test::asSet(real, "real"), {{"s", test::asSet(synthetic, "s")}}, options, {}});
    return {*audit->real, *audit->models[0]->tables};
}

NeighborTable shortened(const NeighborTable& table, std::size_t k) {
    NeighborTable part;
    part.k = k;
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t rank = 0; rank < k; ++rank) {
            part.index.push_back(table.indexAt(row, rank));
            part.distance.push_back(table.distanceAt(row, rank));
        }
    return part;
}

/// Rows of anything, at the distances that distanceAt(row, rank) tells.
NeighborTable tableOf(std::size_t rows, std::size_t base, std::size_t k, unsigned seed,
                      const std::function<double(std::size_t, std::size_t)>& distanceAt) {
    NeighborTable table;
    table.k = k;
    Random random(seed);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(static_cast<std::uint32_t>(random.below(base)));
            table.distance.push_back(distanceAt(row, rank));
        }
    return table;
}

Tables madeUp(std::size_t rows, std::size_t synthetic, std::size_t stored,
              const std::function<double(std::size_t, std::size_t)>& distanceAt) {
    Tables tables;
    tables.real.set = test::asSet(test::gaussian(rows, 1, 1), "real");
    tables.real.neighbors = tableOf(rows, rows, stored, 1, distanceAt);
    tables.pair.syntheticToReal = tableOf(synthetic, rows, stored, 2, distanceAt);
    tables.pair.realToSynthetic = tableOf(rows, synthetic, stored, 3, distanceAt);
    return tables;
}

struct Case {
    const char* name;
    std::size_t k;
    std::function<Tables()> tables;
    bool both = true;
};

const std::vector<Case>& cases() {
    using namespace test;
    static const std::vector<Case> all{
        {"usual", 5, [] { return audited(gaussian(1100, 6, 1), gaussian(900, 6, 2, 0.2F), 32); }},
        {"odd numbers", 5, [] { return audited(gaussian(401, 4, 3), gaussian(333, 4, 4), 32); }},
        {"k = 1", 1, [] { return audited(gaussian(300, 4, 5), gaussian(300, 4, 6), 32); }},
        {"k = 4", 4, [] { return audited(gaussian(301, 4, 7), gaussian(300, 4, 8), 32); }},
        {"k = 17", 17, [] { return audited(gaussian(500, 3, 9), gaussian(401, 3, 10), 60); }},
        {"lists just long enough", 5, [] { return audited(gaussian(600, 4, 11), gaussian(500, 4, 12), 18); }},
        {"lists of everything", 3, [] { return audited(gaussian(21, 4, 13), gaussian(17, 4, 14), 32); }},
        {"as few rows as can be", 3, [] { return audited(gaussian(12, 2, 15), gaussian(12, 2, 16), 32); }},
        {"ties", 5, [] { return audited(grid(501, 3, 17, 3), grid(400, 3, 18, 3), 32); }},
        {"duplicates", 5,
         [] { return audited(repeated(gaussian(25, 4, 19), 400), repeated(gaussian(30, 4, 19), 301), 32); }},
        {"half of them duplicates", 5,
         [] {
             return audited(joined(repeated(gaussian(20, 4, 20), 300), gaussian(300, 4, 21)), gaussian(400, 4, 22), 32);
         }},
        {"far from each other", 5, [] { return audited(gaussian(200, 4, 23), gaussian(200, 4, 24, 50.0F), 32); }},
        {"many in every ball", 5, [] { return audited(gaussian(200, 24, 25), gaussian(250, 24, 26, 0.0F, 0.1F), 32); }},
        {"lists of the other set too short", 5,
         [] {
             Tables tables = audited(gaussian(300, 4, 27), gaussian(300, 4, 28), 32);
             tables.pair.realToSynthetic = shortened(tables.pair.realToSynthetic, 17);
             tables.pair.syntheticToReal = shortened(tables.pair.syntheticToReal, 3);
             return tables;
         },
         false},
        {"too few synthetic samples", 5, [] { return audited(gaussian(300, 4, 29), gaussian(19, 4, 30), 32); }, false},
        {"more samples than are counted at once", 3,
         [] {
             return madeUp(200, 66000, 14, [](std::size_t row, std::size_t rank) {
                 return 1.0 + static_cast<double>(row % 97) / 50.0 + static_cast<double>(rank);
             });
         }},
    };
    return all;
}

} // namespace

class HalfShiftsTest : public QObject {
    Q_OBJECT

private slots:
    void equalOneSplitAfterTheOther_data();
    void equalOneSplitAfterTheOther();
    void tellNothingFromTooLittle();
    void stopWhenAsked();
};

void HalfShiftsTest::equalOneSplitAfterTheOther_data() {
    QTest::addColumn<int>("which");
    for (std::size_t c = 0; c < cases().size(); ++c)
        QTest::newRow(cases()[c].name) << static_cast<int>(c);
}

void HalfShiftsTest::equalOneSplitAfterTheOther() {
    QFETCH(int, which);
    const Case& given = cases()[static_cast<std::size_t>(which)];
    const Tables tables = given.tables();
    MetricInputs in{tables.real, tables.pair, given.k};
    in.seed = 7;
    in.stream = "some model";
    const HalfShifts expected = naive::halfShifts(in, given.both);
    for (const unsigned threads : {1U, 3U}) {
        in.threads = threads;
        const HalfShifts found = halfShifts(in);
        QCOMPARE(found.clippedDensity, expected.clippedDensity);
        QCOMPARE(found.realFidelity, expected.realFidelity);
        QCOMPARE(found.coverage, expected.coverage);
    }
    QVERIFY(std::any_of(expected.realFidelity.begin(), expected.realFidelity.end(),
                        [](double shift) { return shift != 0.0; }));
}

void HalfShiftsTest::tellNothingFromTooLittle() {
    const Matrix synthetic = test::gaussian(300, 4, 1);
    const auto ofTwo = [](std::size_t row, std::size_t) { return row % 2 == 0 ? 1.0 : 2.0; };
    for (const Tables& tables : {audited(test::gaussian(300, 4, 2), synthetic, 17), // lists too short
                                 audited(test::gaussian(19, 4, 3), synthetic, 32),  // too few rows
                                 madeUp(600, 500, 32, ofTwo)}) {                    // more ties than are listed
        const HalfShifts shifts = halfShifts({tables.real, tables.pair, 5});
        QVERIFY(shifts.clippedDensity.empty());
        QVERIFY(shifts.realFidelity.empty());
        QVERIFY(shifts.coverage.empty());
    }
}

void HalfShiftsTest::stopWhenAsked() {
    const Tables tables = audited(test::gaussian(300, 4, 1), test::gaussian(300, 4, 2), 32);
    std::stop_source stop;
    stop.request_stop();
    MetricInputs in{tables.real, tables.pair, 5};
    in.job = JobContext(stop.get_token());
    QVERIFY_EXCEPTION_THROWN(halfShifts(in), Cancelled);
}

ASSAY_TEST(half_shifts_test, HalfShiftsTest)
#include "half_shifts_test.moc"
