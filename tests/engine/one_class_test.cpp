// The one-class network and its training against plain double-precision ones.
#include "engine/base/error.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/tables/compared_rows.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace assay;
using test::Matrix;

namespace {

constexpr std::size_t kHidden = 200;

/// phi with weights in double precision, one row at a time.
struct PlainNetwork {
    std::size_t dim;
    std::vector<double> weights;

    explicit PlainNetwork(const OneClassNetwork& network)
        : dim(network.dim()), weights(network.weights().begin(), network.weights().end()) {}

    std::vector<double> apply(std::size_t first, std::size_t outputs, const std::vector<double>& in) const {
        std::vector<double> out(outputs, 0.0);
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t i = 0; i < in.size(); ++i)
                out[o] += weights[first + o * in.size() + i] * in[i];
        return out;
    }
    static std::vector<double> rectified(std::vector<double> values) {
        for (double& value : values)
            value = std::max(value, 0.0);
        return values;
    }

    struct Activations {
        std::vector<double> input, first, second, image;
    };
    Activations run(std::span<const float> row) const {
        Activations at;
        at.input.assign(row.begin(), row.end());
        at.first = rectified(apply(0, kHidden, at.input));
        at.second = rectified(apply(kHidden * dim, kHidden, at.first));
        at.image = apply(kHidden * dim + kHidden * kHidden, dim, at.second);
        return at;
    }
    static double squaredDistance(const std::vector<double>& image) {
        double sum = 0.0;
        for (const double value : image)
            sum += (value - 1.0) * (value - 1.0);
        return sum;
    }
    double loss(MatrixView set, const std::vector<std::uint8_t>& heldBack, std::uint8_t of, double nu) const {
        double sum = 0.0;
        double rows = 0.0;
        for (std::size_t r = 0; r < set.rows; ++r)
            if (heldBack[r] == of) {
                sum += squaredDistance(run(set.row(r)).image);
                rows += 1.0;
            }
        return sum / rows / nu;
    }

    /// By the chain rule, one row and one weight at a time.
    std::vector<double> gradient(MatrixView set, const std::vector<std::uint8_t>& heldBack, double nu) const {
        std::vector<double> sum(weights.size(), 0.0);
        const auto rows = static_cast<double>(std::count(heldBack.begin(), heldBack.end(), 0));
        for (std::size_t r = 0; r < set.rows; ++r) {
            if (heldBack[r] != 0)
                continue;
            const Activations at = run(set.row(r));
            std::vector<double> delta = at.image;
            for (double& value : delta)
                value = 2.0 * (value - 1.0) / (rows * nu);
            delta = back(kHidden * dim + kHidden * kHidden, delta, at.second, sum);
            delta = back(kHidden * dim, delta, at.first, sum);
            back(0, delta, at.input, sum);
        }
        return sum;
    }

private:
    /// Adds to the gradient of a layer. @return the delta of its inputs, which are outputs of a ReLU
    std::vector<double> back(std::size_t first, const std::vector<double>& delta, const std::vector<double>& in,
                             std::vector<double>& gradient) const {
        std::vector<double> inner(in.size(), 0.0);
        for (std::size_t o = 0; o < delta.size(); ++o)
            for (std::size_t i = 0; i < in.size(); ++i) {
                gradient[first + o * in.size() + i] += delta[o] * in[i];
                inner[i] += in[i] > 0.0 ? delta[o] * weights[first + o * in.size() + i] : 0.0;
            }
        return inner;
    }
};

std::vector<std::uint8_t> everyFifth(std::size_t rows) {
    std::vector<std::uint8_t> flags(rows);
    for (std::size_t r = 0; r < rows; ++r)
        flags[r] = r % 5 == 2 ? 1 : 0;
    return flags;
}

OneClassOptions epochs(std::size_t count) {
    OneClassOptions options;
    options.epochs = count;
    return options;
}

} // namespace

class OneClassTest : public QObject {
    Q_OBJECT

private slots:
    void weightsStartEvenWithinTheFanIn();
    void refusesWeightsThatDoNotFit();
    void lossesAndGradientAreThePlainNetworks_data();
    void lossesAndGradientAreThePlainNetworks();
    void gradientAgreesWithDifferences();
    void trainingAgreesWithAPlainOne();
    void lossFalls();
    void threadsDoNotMatter();
    void seedsDiffer();
    void equalRowsHaveEqualImages();
    void holdsBackASeededTenth();
    void fewRowsAreAllTrainedOn();
    void refusesValuesTooLarge();
    void stopsWhenAsked_data();
    void stopsWhenAsked();
};

void OneClassTest::weightsStartEvenWithinTheFanIn() {
    const OneClassNetwork network(50, 7);
    QCOMPARE(network.weights().size(), OneClassNetwork::weightCount(50));
    for (std::size_t l = 0; l < OneClassNetwork::kLayers; ++l) {
        const auto weights = network.weights().subspan(network.offset(l), network.inputs(l) * network.outputs(l));
        const double bound = 1.0 / std::sqrt(static_cast<double>(network.inputs(l)));
        double sum = 0.0;
        double squares = 0.0;
        double largest = 0.0;
        for (const float weight : weights) {
            sum += static_cast<double>(weight);
            squares += static_cast<double>(weight) * static_cast<double>(weight);
            largest = std::max(largest, std::abs(static_cast<double>(weight)));
        }
        const auto count = static_cast<double>(weights.size());
        QVERIFY(largest <= bound * (1.0 + 1e-7));
        QVERIFY(largest > 0.999 * bound);
        QVERIFY(std::abs(sum / count) < 5.0 * bound / std::sqrt(3.0 * count));
        QVERIFY(std::abs(squares / count / (bound * bound) - 1.0 / 3.0) < 0.01);
    }
}

void OneClassTest::refusesWeightsThatDoNotFit() {
    const QString message =
        test::refusalOf([] { OneClassNetwork(4, std::vector<float>(10)); }, ErrorKind::InvalidArgument);
    QVERIFY(test::saysAll(message, "4 dimensions|expected 41600 weights|found 10"));
    const QString other = test::refusalOf([] { OneClassNetwork(4, 0).embed(test::gaussian(3, 5, 1).view(), 1, {}); },
                                          ErrorKind::InvalidArgument);
    QVERIFY(test::saysAll(other, "expected 4 dimensions|found 5"));
}

void OneClassTest::lossesAndGradientAreThePlainNetworks_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::newRow("one dimension") << 30 << 1;
    QTest::newRow("few") << 40 << 7;
    QTest::newRow("several chunks") << 1700 << 3;
    QTest::newRow("more dimensions than rows") << 8 << 300;
}

void OneClassTest::lossesAndGradientAreThePlainNetworks() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    const Matrix set = test::gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 3);
    const OneClassNetwork network(set.dim, 5);
    const std::vector<std::uint8_t> heldBack = everyFifth(set.rows);
    OneClassGradient gradient({set.view(), heldBack, 0.01}, 0);
    const auto losses = gradient.compute(network.weights(), {});
    const PlainNetwork plain(network);
    QVERIFY(std::abs(losses.training / plain.loss(set.view(), heldBack, 0, 0.01) - 1.0) < 1e-6);
    QVERIFY(std::abs(losses.validation / plain.loss(set.view(), heldBack, 1, 0.01) - 1.0) < 1e-6);
    const std::vector<double> expected = plain.gradient(set.view(), heldBack, 0.01);
    double largest = 0.0;
    double worst = 0.0;
    for (std::size_t w = 0; w < expected.size(); ++w) {
        largest = std::max(largest, std::abs(expected[w]));
        worst = std::max(worst, std::abs(static_cast<double>(gradient.gradient()[w]) - expected[w]));
    }
    QVERIFY2(worst < 1e-5 * largest, qPrintable(QStringLiteral("off by %1 of %2").arg(worst).arg(largest)));
}

void OneClassTest::gradientAgreesWithDifferences() {
    const Matrix set = test::gaussian(20, 6, 8);
    const OneClassNetwork network(6, 9);
    const std::vector<std::uint8_t> heldBack = everyFifth(20);
    OneClassGradient gradient({set.view(), heldBack, 0.01}, 1);
    gradient.compute(network.weights(), {});
    const double largest = std::abs(*std::max_element(gradient.gradient().begin(), gradient.gradient().end(),
                                                      [](float a, float b) { return std::abs(a) < std::abs(b); }));
    PlainNetwork plain(network);
    constexpr double kStep = 1e-6;
    for (std::size_t w = 0; w < plain.weights.size(); w += 397) {
        const double weight = plain.weights[w];
        plain.weights[w] = weight + kStep;
        const double above = plain.loss(set.view(), heldBack, 0, 0.01);
        plain.weights[w] = weight - kStep;
        const double below = plain.loss(set.view(), heldBack, 0, 0.01);
        plain.weights[w] = weight;
        const auto found = static_cast<double>(gradient.gradient()[w]);
        QVERIFY2(std::abs(found - (above - below) / (2.0 * kStep)) < 1e-5 * largest,
                 qPrintable(QStringLiteral("weight %1: found %2, expected %3")
                                .arg(w)
                                .arg(found)
                                .arg((above - below) / (2.0 * kStep))));
    }
}

void OneClassTest::trainingAgreesWithAPlainOne() {
    const Matrix set = test::gaussian(40, 5, 11);
    constexpr std::size_t kEpochs = 12;
    const OneClassModel model = trainOneClass(set.view(), epochs(kEpochs), {4, 0, {}});
    const Matrix ordered{gatherRows(set.view(), contentOrder(set.view(), {}, 4, 1)), set.rows, set.dim};
    const std::vector<std::uint8_t> heldBack = heldBackRows(40, 0.1, 4);
    PlainNetwork plain{OneClassNetwork(5, 4)};
    std::vector<double> mean(plain.weights.size(), 0.0);
    std::vector<double> square = mean;
    for (std::size_t t = 1; t <= kEpochs; ++t) {
        const double training = plain.loss(ordered.view(), heldBack, 0, 0.01);
        const double validation = plain.loss(ordered.view(), heldBack, 1, 0.01);
        QVERIFY(std::abs(model.history.training[t - 1] / training - 1.0) < 1e-5);
        QVERIFY(std::abs(model.history.validation[t - 1] / validation - 1.0) < 1e-5);
        const std::vector<double> gradient = plain.gradient(ordered.view(), heldBack, 0.01);
        for (std::size_t w = 0; w < gradient.size(); ++w) {
            mean[w] = 0.9 * mean[w] + 0.1 * gradient[w];
            square[w] = 0.999 * square[w] + 0.001 * gradient[w] * gradient[w];
            const double corrected = mean[w] / (1.0 - std::pow(0.9, t));
            const double scale = std::sqrt(square[w] / (1.0 - std::pow(0.999, t))) + 1e-8;
            plain.weights[w] += -1e-3 * 1e-2 * plain.weights[w] - 1e-3 * corrected / scale;
        }
    }
}

void OneClassTest::lossFalls() {
    const OneClassModel model = trainOneClass(test::gaussian(500, 16, 1).view(), {}, {0, 0, {}});
    QCOMPARE(model.history.training.size(), std::size_t{100});
    QCOMPARE(model.history.validation.size(), std::size_t{100});
    QVERIFY(model.history.training.back() < 0.2 * model.history.training.front());
    QVERIFY(model.history.validation.back() < 0.5 * model.history.validation.front());
}

void OneClassTest::threadsDoNotMatter() {
    const Matrix set = test::gaussian(3000, 40, 2);
    const OneClassModel one = trainOneClass(set.view(), epochs(4), {3, 1, {}});
    const OneClassModel three = trainOneClass(set.view(), epochs(4), {3, 3, {}});
    QVERIFY(std::ranges::equal(one.network.weights(), three.network.weights()));
    QCOMPARE(one.history.training, three.history.training);
    QCOMPARE(one.history.validation, three.history.validation);
    QVERIFY(one.network.embed(set.view(), 1, {}) == one.network.embed(set.view(), 3, {}));
}

void OneClassTest::seedsDiffer() {
    const Matrix set = test::gaussian(50, 4, 2);
    const OneClassModel a = trainOneClass(set.view(), epochs(1), {1, 0, {}});
    const OneClassModel b = trainOneClass(set.view(), epochs(1), {2, 0, {}});
    QVERIFY(!std::ranges::equal(a.network.weights(), b.network.weights()));
    QVERIFY(heldBackRows(50, 0.1, 1) != heldBackRows(50, 0.1, 2));
}

void OneClassTest::equalRowsHaveEqualImages() {
    // Over the edges of chunks and in a set of another size.
    for (const std::size_t dim : {1, 13, 200, 1030}) {
        const Matrix few = test::gaussian(7, dim, 4);
        const Matrix many = test::repeated(few, 1600);
        const OneClassNetwork network(dim, 6);
        const std::vector<float> images = network.embed(few.view(), 1, {});
        const std::vector<float> repeated = network.embed(many.view(), 0, {});
        for (std::size_t r = 0; r < many.rows; ++r)
            QVERIFY2(std::equal(repeated.begin() + static_cast<std::ptrdiff_t>(r * dim),
                                repeated.begin() + static_cast<std::ptrdiff_t>((r + 1) * dim),
                                images.begin() + static_cast<std::ptrdiff_t>(r % 7 * dim)),
                     qPrintable(QStringLiteral("row %1 of %2 dimensions").arg(r).arg(dim)));
    }
}

void OneClassTest::holdsBackASeededTenth() {
    const auto flags = heldBackRows(1009, 0.1, 3);
    QCOMPARE(std::count(flags.begin(), flags.end(), 1), 100);
    QVERIFY(flags == heldBackRows(1009, 0.1, 3));
    // Spread over the set, not a block of it.
    QVERIFY(std::count(flags.begin(), flags.begin() + 504, 1) > 30);
    QVERIFY(std::count(flags.begin(), flags.begin() + 504, 1) < 70);
    const auto all = heldBackRows(10, 1.0, 3);
    QCOMPARE(std::count(all.begin(), all.end(), 1), 9);
}

void OneClassTest::fewRowsAreAllTrainedOn() {
    const OneClassModel model = trainOneClass(test::gaussian(9, 3, 1).view(), epochs(3), {0, 0, {}});
    QCOMPARE(model.heldBackRows, std::size_t{0});
    QCOMPARE(model.history.training.size(), std::size_t{3});
    QVERIFY(model.history.validation.empty());
}

void OneClassTest::refusesValuesTooLarge() {
    const Matrix set = test::gaussian(20, 3, 1, 0.0F, 1e37F);
    const QString message = test::refusalOf([&] { trainOneClass(set.view(), {}, {0, 0, {}}); });
    QVERIFY(test::saysAll(message, "one-class network|expected a finite loss|too large"));
}

void OneClassTest::stopsWhenAsked_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::newRow("usual") << 600 << 64;
    QTest::newRow("many dimensions") << 40 << 4096;
    QTest::newRow("few rows") << 20 << 3;
}

void OneClassTest::stopsWhenAsked() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    const Matrix set = test::gaussian(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 1);
    const OneClassOptions options = epochs(5);
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) {
            trainOneClass(set.view(), options, {0, 2, job});
        },
        5 * options.epochs);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(one_class_test, OneClassTest)
#include "one_class_test.moc"
