// Samples that equal a real row, beside what is natural: planted numbers of copies among laws whose rows repeat, and
// among laws whose rows do not.
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/direct_search.h"
#include "tests/support/test_entry.h"
#include "tests/support/tied_sets.h"

#include "engine/neighbors/backends/cpu_backends.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

struct Tested {
    EqualToReal found;
    RealPartition partition;
    std::vector<std::uint8_t> isEqual;
};

Tested tested(const Matrix& real, const Matrix& synthetic, const Matrix& heldOut = {}) {
    const auto set = test::asSet(real, "real");
    const auto search = makeCpuSearch(BackendChoice::Gemm, set->matrix(), 1, {});
    Tested result{
        {},
        partitionReal(*set, test::directNeighbors(real.view(), real.view(), 32, true), 5, search.get(), {.threads = 1}),
        {}};
    const EqualRowCounts counts = countEqualRows(real.view(), synthetic.view(), heldOut.view(), {.threads = 1});
    for (const std::uint32_t equal : counts.ofSynthetic.inReal)
        result.isEqual.push_back(equal > 0 ? 1 : 0);
    result.found = testEqualToReal(result.isEqual, counts, result.partition, 0.05);
    return result;
}

/// The first rows of one set, then the first rows of another one.
Matrix mixed(const Matrix& first, std::size_t ofFirst, const Matrix& second, std::size_t ofSecond) {
    return test::joined(test::repeated(first, ofFirst), test::repeated(second, ofSecond));
}

} // namespace

class EqualToRealTest : public QObject {
    Q_OBJECT

private slots:
    void countsWhatIsEqual();
    void withoutEqualRowsFewAreEnough();
    void naturalRepeatsAccuseNobody();
    void copiesAmongNaturalRepeatsAreAccused();
    void oneLeakHidesNoCopies();
    void oneValueManyTimesIsOneGroup();
    void withoutDuplicatesEqualitySaysNothing();
};

void EqualToRealTest::countsWhatIsEqual() {
    const Matrix real = test::grid(300, 3, 1, 6);
    const Matrix model = test::grid(200, 3, 2, 6);
    const Matrix held = test::grid(150, 3, 3, 6);
    const auto equals = [](const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
        return std::ranges::equal(a.view().row(i), b.view().row(j));
    };
    const auto count = [&](const Matrix& from, const Matrix& to, bool same) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < from.rows; ++i) {
            bool any = false;
            for (std::size_t j = 0; j < to.rows; ++j)
                any = any || (!(same && i == j) && equals(from, i, to, j));
            found += any ? 1 : 0;
        }
        return found;
    };
    const EqualToReal found = tested(real, model, held).found;
    QCOMPARE(found.samples, count(model, real, false));
    QCOMPARE(found.real, count(real, real, true));
    QCOMPARE(found.ofReal, real.rows);
    QCOMPARE(found.heldOut, count(held, real, false));
    QCOMPARE(found.ofHeldOut, held.rows);
    // 2 A B / (N (N - 1)), A and B the pairs that are equal in the first column, and in the other two.
    double first = 0.0;
    double others = 0.0;
    for (std::size_t i = 0; i < real.rows; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto a = real.view().row(i);
            const auto b = real.view().row(j);
            first += a[0] == b[0] ? 1.0 : 0.0;
            others += a[1] == b[1] && a[2] == b[2] ? 1.0 : 0.0;
        }
    QVERIFY(std::abs(found.expectedPairs - 2.0 * first * others / (300.0 * 299.0)) < 1e-9);
}

void EqualToRealTest::withoutEqualRowsFewAreEnough() {
    const Matrix real = test::gaussian(400, 8, 1);
    const Matrix good = test::gaussian(400, 8, 2);
    const EqualToReal none = tested(real, good).found;
    QVERIFY(none.samples == 0 && !none.isAccused && !none.isImpossible && !none.namesSingles);
    const EqualToReal three = tested(real, mixed(real, 3, good, 397)).found;
    QVERIFY(three.samples == 3 && !three.isAccused && three.isImpossible && !three.namesSingles);
    // Fisher's p of 12 of 400 against 0 of 400 is 0.0002, of 9 it is 0.002.
    QVERIFY(!tested(real, mixed(real, 9, good, 391)).found.isAccused);
    const EqualToReal twelve = tested(real, mixed(real, 12, good, 388)).found;
    QVERIFY(twelve.samples == 12 && twelve.isAccused && twelve.isImpossible);
    // 400 / 401 wrong ones are to be expected: single rows are named from 20 on, at a false discovery rate of 5 %.
    QVERIFY(!twelve.namesSingles);
    QVERIFY(tested(real, mixed(real, 20, good, 380)).found.namesSingles);
    // A held-out set that has none either takes nothing away.
    const EqualToReal heldOut = tested(real, mixed(real, 40, good, 360), test::gaussian(200, 8, 3)).found;
    QVERIFY(heldOut.isAccused && heldOut.heldOut == 0 && heldOut.ofHeldOut == 200);
}

void EqualToRealTest::naturalRepeatsAccuseNobody() {
    unsigned accused = 0;
    for (unsigned seed = 1; seed <= 60; seed += 3) {
        const Matrix real = test::oneHot(400, 3, 4, seed);
        const EqualToReal questions = tested(real, test::oneHot(500, 3, 4, seed + 1)).found;
        const EqualToReal flags = tested(test::flags(300, 12, 0.2F, seed), test::flags(300, 12, 0.2F, seed + 1),
                                         test::flags(200, 12, 0.2F, seed + 2))
                                      .found;
        QVERIFY(questions.samples > 0 && flags.samples > 0);
        QVERIFY(!questions.isImpossible && !flags.isImpossible);
        accused += (questions.isAccused ? 1 : 0) + (flags.isAccused ? 1 : 0);
    }
    QCOMPARE(accused, 0U);
}

void EqualToRealTest::copiesAmongNaturalRepeatsAreAccused() {
    // 20 flags at 0.3: a few of 400 rows repeat, but a third of the model does.
    const Matrix real = test::flags(400, 20, 0.3F, 1);
    const Matrix good = test::flags(400, 20, 0.3F, 2);
    const EqualToReal natural = tested(real, good).found;
    QVERIFY(!natural.isAccused);
    const Tested copies = tested(real, mixed(real, 130, good, 270));
    QVERIFY(copies.found.samples >= 130 && copies.found.isAccused);
    QVERIFY(copies.found.real < 60);
}

void EqualToRealTest::oneLeakHidesNoCopies() {
    const Matrix real = test::gaussian(400, 8, 1);
    const Matrix model = mixed(real, 40, test::gaussian(360, 8, 2), 360);
    const Matrix held = mixed(real, 1, test::gaussian(199, 8, 3), 199);
    const EqualToReal found = tested(real, model, held).found;
    QVERIFY(found.heldOut == 1 && found.isAccused && !found.isImpossible);
}

/// One real row given 60 times by the model is one group: its equality alone does not accuse.
void EqualToRealTest::oneValueManyTimesIsOneGroup() {
    const Matrix real = test::gaussian(400, 8, 1);
    const Matrix model = test::joined(test::repeated(test::repeated(real, 1), 60), test::gaussian(340, 8, 2));
    const EqualToReal found = tested(real, model).found;
    QVERIFY(found.samples == 60 && !found.isAccused && !found.namesSingles);
    QVERIFY(!found.isImpossible); // the model repeats itself
}

void EqualToRealTest::withoutDuplicatesEqualitySaysNothing() {
    const Matrix drawn = test::oneHot(600, 4, 4, 1);
    std::map<std::vector<float>, bool> has;
    Matrix real{{}, 0, drawn.dim};
    for (std::size_t row = 0; row < drawn.rows; ++row) {
        const auto values = drawn.view().row(row);
        if (has.emplace(std::vector<float>(values.begin(), values.end()), true).second) {
            real.values.insert(real.values.end(), values.begin(), values.end());
            ++real.rows;
        }
    }
    const Matrix model = test::oneHot(500, 4, 4, 2);
    const Tested untold = tested(real, model);
    QVERIFY(untold.partition.deduplicated() && untold.partition.equalityIsNatural());
    QVERIFY(untold.found.samples > 100 && untold.found.isUntold);
    QVERIFY(!untold.found.isAccused && !untold.found.isImpossible && !untold.found.namesSingles);
    // Held-out rows of the law show what is natural.
    const EqualToReal told = tested(real, model, test::oneHot(300, 4, 4, 3)).found;
    QVERIFY(!told.isUntold && told.heldOut > 100 && !told.isAccused);
}

ASSAY_TEST(equal_to_real_test, EqualToRealTest)
#include "equal_to_real_test.moc"
