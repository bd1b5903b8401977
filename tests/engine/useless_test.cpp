// What a classifier loses when it is trained on synthetic samples: wrong labels, good models, small sets.
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/set_tests/classifier_tests.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace assay;

namespace {

/// Overlapping clouds, one per class.
struct Clouds {
    test::Matrix matrix;
    std::vector<std::uint32_t> code;

    Clouds(std::size_t rows, std::size_t dim, std::size_t classes, unsigned seed, float apart = 2.0F)
        : matrix(test::gaussian(rows, dim, seed)), code(rows) {
        Random random(seed + 1000U);
        for (std::size_t r = 0; r < rows; ++r) {
            code[r] = static_cast<std::uint32_t>(random.below(classes));
            matrix.values[r * dim + code[r] % dim] += code[r] / dim % 2 == 0 ? apart : -apart;
        }
    }

    LabelledRows labelled() const {
        CommonLabels labels;
        labels.names.resize(std::ranges::max(code) + std::size_t{1});
        labels.rows.emplace_back(code.size());
        std::iota(labels.rows[0].begin(), labels.rows[0].end(), 0U);
        labels.code.push_back(code);
        return labelledRows(inContentOrder(matrix.view(), {}, 0, 1), labels, 0);
    }
    Clouds shuffled(std::uint64_t seed) const {
        const std::vector<std::uint32_t> order = Random(seed).order(code.size());
        Clouds other = *this;
        other.matrix.values = gatherRows(matrix.view(), order);
        for (std::size_t r = 0; r < order.size(); ++r)
            other.code[r] = code[order[r]];
        return other;
    }
};

bool isEqual(const TrainingLoss& a, const TrainingLoss& b) {
    return a.syntheticAccuracy == b.syntheticAccuracy && a.realAccuracy == b.realAccuracy &&
           a.realDeviation == b.realDeviation;
}

} // namespace

class UselessTest : public QObject {
    Q_OBJECT

private slots:
    void namesWrongLabels();
    void comparesWithAsManyRealRows();
    void seldomAccusesGoodModels();
    void learnsOneClass();
    void otherClassesAreWrong();
    void dependsOnNeitherOrderNorThreads();
    void leavesOutWhatItCannotLearn();
    void boundsTheCost();
    void stops();
};

void UselessTest::namesWrongLabels() {
    const Clouds real(400, 4, 3, 1);
    Clouds synthetic(400, 4, 3, 2);
    const auto good = trainingLoss(real.labelled(), synthetic.labelled(), {});
    QVERIFY(good && !good->isReported());
    QVERIFY(good->syntheticAccuracy > 0.75 && std::abs(good->loss()) < 0.05);
    for (std::uint32_t& code : synthetic.code)
        code = (code + 1) % 3;
    const auto wrong = trainingLoss(real.labelled(), synthetic.labelled(), {});
    QVERIFY(wrong && wrong->isReported() && wrong->marks());
    QVERIFY(wrong->syntheticAccuracy < 0.15 && wrong->realAccuracy == good->realAccuracy);
}

void UselessTest::comparesWithAsManyRealRows() {
    const Clouds real(500, 10, 5, 3);
    const auto few = trainingLoss(real.labelled(), Clouds(30, 10, 5, 4).labelled(), {});
    QVERIFY(few);
    QCOMPARE(few->syntheticRows, std::size_t{30});
    QCOMPARE(few->realRows, std::size_t{30});
    const auto many = trainingLoss(real.labelled(), Clouds(1000, 10, 5, 4).labelled(), {});
    QVERIFY(many);
    QCOMPARE(many->realRows, std::size_t{400}); // the others are tested
    QVERIFY(few->realAccuracy < many->realAccuracy && few->realDeviation > many->realDeviation);
    const double deviation = std::sqrt(0.25 / 500.0 + few->realDeviation * few->realDeviation);
    QCOMPARE(few->leastLoss(), few->realAccuracy - few->syntheticAccuracy - 2.6 * deviation);
}

void UselessTest::seldomAccusesGoodModels() {
    const unsigned seeds = test::sized(100U, 5U);
    int reported = 0;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        const std::size_t rows = seed % 2 == 0 ? 40 : 150;
        const auto loss = trainingLoss(Clouds(200, 5, 4, 2 * seed).labelled(),
                                       Clouds(rows, 5, 4, 2 * seed + 1).labelled(), {.seed = seed});
        reported += loss && loss->isReported() ? 1 : 0;
    }
    QVERIFY2(reported <= 5, qPrintable(QString("%1 of %2").arg(reported).arg(seeds)));
}

void UselessTest::learnsOneClass() {
    const Clouds real(100, 3, 2, 5);
    Clouds synthetic(50, 3, 2, 6);
    std::ranges::fill(synthetic.code, 1U);
    const auto loss = trainingLoss(real.labelled(), synthetic.labelled(), {});
    QVERIFY(loss);
    QCOMPARE(loss->syntheticAccuracy, static_cast<double>(std::ranges::count(real.code, 1U)) / 100.0);
}

void UselessTest::otherClassesAreWrong() {
    const Clouds real(100, 3, 2, 7);
    Clouds synthetic(60, 3, 2, 8);
    for (std::size_t r = 0; r < synthetic.code.size(); ++r)
        synthetic.code[r] = static_cast<std::uint32_t>(2 + r % 40);
    const auto loss = trainingLoss(real.labelled(), synthetic.labelled(), {});
    QVERIFY(loss);
    QCOMPARE(loss->syntheticAccuracy, 0.0);
}

void UselessTest::dependsOnNeitherOrderNorThreads() {
    const Clouds real(300, 6, 5, 9);
    const Clouds synthetic(200, 6, 5, 10);
    const auto given = trainingLoss(real.labelled(), synthetic.labelled(), {.threads = 1});
    const auto threads = trainingLoss(real.labelled(), synthetic.labelled(), {.threads = 4});
    const auto other = trainingLoss(real.shuffled(1).labelled(), synthetic.shuffled(2).labelled(), {.threads = 2});
    QVERIFY(given && threads && other);
    QVERIFY(isEqual(*given, *threads));
    QVERIFY(isEqual(*given, *other));
}

void UselessTest::leavesOutWhatItCannotLearn() {
    const Clouds two(100, 3, 2, 11);
    QVERIFY(!trainingLoss(Clouds(100, 3, 1, 12).labelled(), two.labelled(), {}));
    QVERIFY(!trainingLoss(Clouds(2000, 3, 31, 12).labelled(), two.labelled(), {}));
    QVERIFY(!trainingLoss(Clouds(20, 501, 2, 13).labelled(), Clouds(20, 501, 2, 14).labelled(), {}));
    QVERIFY(!trainingLoss(two.labelled(), {{two.matrix.view(), {}}, {}}, {}));
    QVERIFY(!trainingLoss({{two.matrix.view(), {}}, {}}, two.labelled(), {}));
}

void UselessTest::boundsTheCost() {
    const auto many = trainingLoss(Clouds(12000, 2, 2, 15).labelled(), Clouds(6000, 2, 2, 16).labelled(), {});
    QVERIFY(many);
    QCOMPARE(many->testedRows, std::size_t{10000});
    QCOMPARE(many->syntheticRows, std::size_t{5000});
    QCOMPARE(many->realRows, std::size_t{5000});
}

void UselessTest::stops() {
    const Clouds real(200, 4, 3, 17);
    const Clouds synthetic(100, 4, 3, 18);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) { trainingLoss(real.labelled(), synthetic.labelled(), {.threads = 2, .job = job}); },
        50);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(useless_test, UselessTest)
#include "useless_test.moc"
