// Which real rows count as one: near repeats and repeated sets, but neither laws without repeats nor rows that repeat
// by nature.
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "tests/support/direct_search.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/tied_sets.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;
using Numbers = std::vector<std::uint32_t>;

namespace {

struct Given {
    std::size_t k = 5;
    std::size_t listed = 32; ///< neighbours per row of the stored lists
    BackendChoice backend = BackendChoice::Gemm;
    unsigned threads = 1;
    ClassLabels labels{};
};

RealPartition partitionOf(const Matrix& real, const Given& given = {}) {
    EmbeddingParts parts;
    parts.values = real.values;
    parts.rows = real.rows;
    parts.dim = real.dim;
    parts.name = "real";
    parts.labels = given.labels;
    const EmbeddingSet set(std::move(parts));
    const auto search = makeCpuSearch(given.backend, real.view(), given.threads, {});
    const std::size_t listed = std::min(given.listed, real.rows - 1);
    return partitionReal(set, test::directNeighbors(real.view(), real.view(), listed, true), given.k, search.get(),
                         {.threads = given.threads});
}

Matrix rowsAt(const Matrix& from, const Numbers& rows) {
    Matrix made{{}, rows.size(), from.dim};
    for (const std::uint32_t row : rows)
        made.values.insert(made.values.end(), from.view().row(row).begin(), from.view().row(row).end());
    return made;
}

/// The rows with a little noise.
Matrix nearly(Matrix rows, float noise, unsigned seed) {
    const Matrix moved = test::gaussian(rows.rows, rows.dim, seed, 0.0F, noise);
    std::ranges::transform(rows.values, moved.values, rows.values.begin(), std::plus());
    return rows;
}

Matrix mixture(std::size_t rows, unsigned seed) {
    const Matrix centres = test::gaussian(10, 16, 77, 0.0F, 4.0F);
    std::mt19937 random(seed);
    Matrix made = test::gaussian(rows, 16, seed + 1);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0, mode = random() % 10; c < 16; ++c)
            made.values[row * 16 + c] += centres.values[mode * 16 + c];
    return made;
}

/// Words of Zipf's law, each with an embedding of its own.
Matrix words(std::size_t rows, unsigned seed) {
    const Matrix vocabulary = test::gaussian(3000, 16, 78);
    std::mt19937 random(seed);
    std::vector<double> weight(vocabulary.rows);
    for (std::size_t word = 0; word < weight.size(); ++word)
        weight[word] = 1.0 / (1.0 + static_cast<double>(word));
    std::discrete_distribution<std::uint32_t> law(weight.begin(), weight.end());
    Numbers drawn(rows);
    std::ranges::generate(drawn, [&] { return law(random); });
    return rowsAt(vocabulary, drawn);
}

Matrix counts(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::poisson_distribution<int> law(2.0);
    Matrix made{std::vector<float>(rows * 6), rows, 6};
    std::ranges::generate(made.values, [&] { return static_cast<float>(law(random)); });
    return made;
}

/// Numbers and answers to questions.
Matrix table(std::size_t rows, unsigned seed) {
    const Matrix numbers = test::gaussian(rows, 4, seed);
    const Matrix answers = test::oneHot(rows, 3, 4, seed);
    Matrix made{{}, rows, numbers.dim + answers.dim};
    for (std::size_t row = 0; row < rows; ++row)
        for (const Matrix* part : {&numbers, &answers})
            made.values.insert(made.values.end(), part->view().row(row).begin(), part->view().row(row).end());
    return made;
}

/// Rows of clusters of equal size: `of` rows each, tight.
Matrix clusters(std::size_t count, std::size_t of, unsigned seed) {
    return nearly(test::repeated(test::gaussian(count, 16, seed), count * of), 0.02F, seed + 1);
}

std::size_t number(const Numbers& groups) {
    return std::set(groups.begin(), groups.end()).size();
}

/// Groups by their rows, so that numbers do not matter.
std::set<Numbers> members(const Numbers& groups, const Numbers& nameOf) {
    std::map<std::uint32_t, Numbers> rows;
    for (std::uint32_t row = 0; row < groups.size(); ++row)
        rows[groups[row]].push_back(nameOf[row]);
    std::set<Numbers> all;
    for (auto& [group, in] : rows) {
        std::ranges::sort(in);
        all.insert(in);
    }
    return all;
}

Numbers shuffled(std::size_t rows, unsigned seed) {
    Numbers order(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    return order;
}

} // namespace

class RealPartitionTest : public QObject {
    Q_OBJECT

private slots:
    void lawsWithoutRepeatsHaveNoThings_data();
    void lawsWithoutRepeatsHaveNoThings();
    void nearRepeatsAreOneThing();
    void everyRowWithASisterIsFound();
    void aSetGivenThreeTimesIsOneThingPerRow();
    void halfOfTheSetTwiceIsFound();
    void naturalRepeatsStandForThemselves();
    void clustersDrawnAgainAreNoRepeats();
    void thingsThatAreClassesAreNoRepeats();
    void numbersOfRepeatsTellDrawsApart();
    void distancesLeaveTheOwnUnitOut_data();
    void distancesLeaveTheOwnUnitOut();
    void orderOfRowsDoesNotMatter();
    void backendsAndThreadsDoNotMatter();
    void withoutASearchEveryRowStandsForItself();
};

void RealPartitionTest::lawsWithoutRepeatsHaveNoThings_data() {
    QTest::addColumn<QString>("law");
    for (const char* law : {"Gaussian, 2", "Gaussian, 16", "mixture", "questions", "flags", "counts", "table", "words"})
        QTest::newRow(law) << QString(law);
}

void RealPartitionTest::lawsWithoutRepeatsHaveNoThings() {
    QFETCH(QString, law);
    const auto draw = [&](unsigned seed) {
        return law == "Gaussian, 2"    ? test::gaussian(500, 2, seed)
               : law == "Gaussian, 16" ? test::gaussian(500, 16, seed)
               : law == "mixture"      ? mixture(500, seed)
               : law == "questions"    ? test::oneHot(500, 8, 6, seed)
               : law == "flags"        ? test::flags(500, 30, 0.3F, seed)
               : law == "counts"       ? counts(500, seed)
               : law == "table"        ? table(500, seed)
                                       : words(500, seed);
    };
    std::size_t linked = 0;
    for (unsigned seed = 1; seed <= 40; seed += 4) {
        const RealPartition found = partitionOf(draw(seed));
        linked += found.repeats;
        QCOMPARE(found.rows.size(), number(found.unit));
        QVERIFY(found.unit.size() - found.rows.size() <= 2);
    }
    QVERIFY2(linked <= 2, qPrintable(QString::number(linked))); // half a link is expected, before it is halved
}

void RealPartitionTest::nearRepeatsAreOneThing() {
    const Matrix base = test::gaussian(475, 16, 1);
    const Matrix real = test::joined(base, nearly(test::repeated(base, 25), 0.02F, 2));
    const RealPartition found = partitionOf(real);
    QVERIFY(found.reach > 0.0 && found.reach < 0.5);
    QCOMPARE(found.repeats, std::size_t{25});
    QCOMPARE(number(found.thing), std::size_t{475});
    QVERIFY(found.unit == found.thing);
    for (std::size_t row = 0; row < 25; ++row)
        QCOMPARE(found.thing[row], found.thing[475 + row]);
    QVERIFY(!found.isTrivial() && found.rows.size() == 475);
    QCOMPARE(found.equalRows, std::size_t{0});
    QVERIFY(!found.equalityIsNatural());
}

void RealPartitionTest::everyRowWithASisterIsFound() {
    const Matrix base = test::gaussian(300, 16, 1);
    const RealPartition found = partitionOf(test::joined(base, nearly(base, 0.02F, 2)));
    QCOMPARE(found.rows.size(), std::size_t{300});
    for (std::size_t row = 0; row < 300; ++row)
        QCOMPARE(found.unit[row], found.unit[300 + row]);
}

void RealPartitionTest::aSetGivenThreeTimesIsOneThingPerRow() {
    const RealPartition found = partitionOf(test::repeated(test::gaussian(200, 24, 1), 600));
    QCOMPARE(found.rows.size(), std::size_t{200});
    for (std::size_t row = 0; row < 600; ++row) {
        QCOMPARE(found.thing[row], found.thing[row % 200]);
        QCOMPARE(found.unit[row], found.unit[row % 200]);
        QVERIFY(found.distances.nearest[row] > 0.0);
    }
    QVERIFY(found.equalRows == 0 && !found.equalityIsNatural());
}

void RealPartitionTest::halfOfTheSetTwiceIsFound() {
    const Matrix base = test::gaussian(400, 24, 1);
    const RealPartition found = partitionOf(test::joined(base, test::repeated(base, 200)));
    QCOMPARE(found.rows.size(), std::size_t{400});
}

void RealPartitionTest::naturalRepeatsStandForThemselves() {
    const Matrix real = words(500, 1);
    const RealPartition found = partitionOf(real);
    QVERIFY(found.isTrivial());
    QVERIFY(found.equalityIsNatural() && found.equalRows > 100);
    std::map<std::vector<float>, std::size_t> times;
    const auto rowOf = [&](std::size_t row) {
        return std::vector<float>(real.view().row(row).begin(), real.view().row(row).end());
    };
    for (std::size_t row = 0; row < real.rows; ++row)
        ++times[rowOf(row)];
    QCOMPARE(number(found.thing), times.size()); // equal rows are one thing
    for (std::size_t at = 0; at < found.rows.size(); ++at)
        QCOMPARE(found.equalsAnother[at] != 0, times[rowOf(found.rows[at])] > 1);
}

/// Of 300 people 500 pictures: some have one, some two, three, ..
void RealPartitionTest::clustersDrawnAgainAreNoRepeats() {
    const Matrix people = test::gaussian(300, 16, 1);
    std::mt19937 random(2);
    Numbers drawn(500);
    std::ranges::generate(drawn, [&] { return static_cast<std::uint32_t>(random() % 300); });
    const RealPartition found = partitionOf(nearly(rowsAt(people, drawn), 0.02F, 3));
    QVERIFY(found.reach == 0.0 && found.repeats == 0 && found.isTrivial());
}

void RealPartitionTest::thingsThatAreClassesAreNoRepeats() {
    const Matrix real = clusters(120, 2, 1);
    QCOMPARE(partitionOf(real).rows.size(), std::size_t{120}); // not to be told from repeats without labels
    ClassLabels labels;
    for (std::uint32_t row = 0; row < real.rows; ++row)
        labels.code.push_back(row % 120);
    for (int person = 0; person < 120; ++person)
        labels.names.push_back(std::to_string(person));
    QVERIFY(partitionOf(real, {.labels = labels}).isTrivial());
    for (std::uint32_t& code : labels.code) // two people per class
        code /= 2;
    QCOMPARE(partitionOf(real, {.labels = labels}).rows.size(), std::size_t{120});
}

void RealPartitionTest::numbersOfRepeatsTellDrawsApart() {
    QVERIFY(mayBeDrawnAgain(Numbers(500, 1)));
    QVERIFY(!mayBeDrawnAgain(Numbers(200, 3)));
    Numbers half(200, 2);
    half.insert(half.end(), 200, 1);
    QVERIFY(!mayBeDrawnAgain(half));
    Numbers few(490, 1); // ten pairs among many may come of draws
    few.insert(few.end(), 10, 2);
    QVERIFY(mayBeDrawnAgain(few));
    QVERIFY(mayBeDrawnAgain({}));
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        std::geometric_distribution<std::size_t> law(0.02);
        Numbers times(2000, 0);
        for (int row = 0; row < 500; ++row)
            ++times[std::min<std::size_t>(law(random), 1999)];
        std::erase(times, 0U);
        QVERIFY2(mayBeDrawnAgain(times), qPrintable(QString::number(seed)));
    }
}

void RealPartitionTest::distancesLeaveTheOwnUnitOut_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"trivial", "near repeats", "three times, short lists", "words", "all equal"})
        QTest::newRow(name) << QString(name);
}

void RealPartitionTest::distancesLeaveTheOwnUnitOut() {
    QFETCH(QString, name);
    const Matrix base = test::gaussian(110, 6, 1);
    const Matrix real = name == "trivial"        ? base
                        : name == "near repeats" ? test::joined(base, nearly(test::repeated(base, 60), 0.005F, 2))
                        : name == "words"        ? words(200, 3)
                        : name == "all equal"    ? test::repeated(test::repeated(base, 1), 40)
                                                 : test::repeated(base, 330);
    const RealPartition found = partitionOf(real, {.listed = 20});
    QCOMPARE(found.densityNeighbors, std::min<std::size_t>(20, found.rows.size() - 2));
    if (name == "near repeats" || name.startsWith("three"))
        QVERIFY(!found.isTrivial());
    struct Other {
        double distance;
        std::uint32_t thing;
    };
    for (std::size_t i = 0; i < real.rows; ++i) {
        std::vector<Other> others;
        for (std::size_t j = 0; j < real.rows; ++j) {
            if (found.unit[j] == found.unit[i])
                continue;
            double sum = 0.0;
            for (std::size_t c = 0; c < real.dim; ++c)
                sum += std::pow(static_cast<double>(real.values[i * real.dim + c]) -
                                    static_cast<double>(real.values[j * real.dim + c]),
                                2.0);
            others.push_back({std::sqrt(sum), found.thing[j]});
        }
        std::ranges::stable_sort(others, {}, &Other::distance);
        const auto second =
            std::ranges::find_if(others, [&](const Other& one) { return one.thing != others.front().thing; });
        const auto same = [](double a, double b) { return a == b || std::abs(a - b) < 1e-12; };
        QVERIFY(same(found.distances.nearest[i], others[0].distance));
        QVERIFY(same(found.distances.kth[i], others[4].distance));
        QVERIFY(same(found.distances.density[i], others[found.densityNeighbors - 1].distance));
        QVERIFY(same(found.distances.secondThing[i],
                     second == others.end() ? std::numeric_limits<double>::infinity() : second->distance));
    }
}

void RealPartitionTest::orderOfRowsDoesNotMatter() {
    const Matrix base = test::gaussian(300, 16, 1);
    for (const Matrix& real : {test::joined(base, nearly(test::repeated(base, 40), 0.02F, 2)),
                               test::repeated(base, 900), words(400, 3), test::oneHot(300, 4, 4, 5)}) {
        Numbers given(real.rows);
        std::iota(given.begin(), given.end(), 0U);
        const Numbers order = shuffled(real.rows, 4);
        const RealPartition first = partitionOf(real);
        const RealPartition second = partitionOf(rowsAt(real, order));
        QVERIFY(members(first.thing, given) == members(second.thing, order));
        QCOMPARE(first.rows.size(), second.rows.size());
        QCOMPARE(first.reach, second.reach);
        QCOMPARE(first.repeats, second.repeats);
        QCOMPARE(first.equalRows, second.equalRows);
        QCOMPARE(first.expectedEqualPairs, second.expectedEqualPairs);
        const auto valuesOf = [](const Matrix& from, const Numbers& rows) {
            std::multiset<std::vector<float>> values;
            for (const std::uint32_t row : rows)
                values.emplace(from.view().row(row).begin(), from.view().row(row).end());
            return values;
        };
        QVERIFY(valuesOf(real, first.rows) == valuesOf(rowsAt(real, order), second.rows));
        for (std::size_t at = 0; at < order.size(); ++at) {
            QCOMPARE(second.distances.kth[at], first.distances.kth[order[at]]);
            QCOMPARE(second.distances.secondThing[at], first.distances.secondThing[order[at]]);
        }
    }
}

void RealPartitionTest::backendsAndThreadsDoNotMatter() {
    const Matrix base = test::gaussian(300, 6, 1);
    const Matrix real = test::joined(nearly(test::repeated(base, 60), 0.005F, 2), test::repeated(base, 600));
    const RealPartition first = partitionOf(real);
    for (const Given& given :
         {Given{.backend = BackendChoice::KdTree}, Given{.threads = 4}, Given{.listed = 20}, Given{.listed = 200}}) {
        const RealPartition second = partitionOf(real, given);
        QVERIFY(first.thing == second.thing && first.unit == second.unit && first.rows == second.rows);
        QCOMPARE(first.reach, second.reach);
        QVERIFY(first.distances.nearest == second.distances.nearest && first.distances.kth == second.distances.kth);
        QVERIFY(first.distances.secondThing == second.distances.secondThing &&
                first.distances.density == second.distances.density);
    }
}

/// As in a process that holds a part of the rows.
void RealPartitionTest::withoutASearchEveryRowStandsForItself() {
    const Matrix real = test::repeated(test::gaussian(200, 8, 1), 400);
    const EmbeddingSet set(EmbeddingParts::of(real.values, real.dim, "real"));
    const RealPartition found =
        partitionReal(set, test::directNeighbors(real.view(), real.view(), 32, true), 5, nullptr, {.threads = 1});
    QVERIFY(found.isTrivial() && found.reach == 0.0 && found.repeats == 0);
    QCOMPARE(found.equalRows, std::size_t{400});
}

ASSAY_TEST(real_partition_test, RealPartitionTest)
#include "real_partition_test.moc"
