#include "engine/math/statistics/adam_w.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace assay;

class AdamWTest : public QObject {
    Q_OBJECT

private slots:
    void takesTheKnownSteps();
    void withoutDecayIsAdam();
};

void AdamWTest::takesTheKnownSteps() {
    // Worked out by another program in double precision. The third weight's gradient is near epsilon.
    const std::vector<std::vector<float>> gradients{{0.5F, -3.0F, 0.0F}, {-0.25F, -1.0F, 1e-6F}, {2.0F, 4.0F, 1e-6F}};
    const std::vector<std::vector<double>> expected{{0.99899000002, -1.9989800000033335, 0.2499975},
                                                    {0.9987136730870784, -1.9980889462565055, 0.24926123757495086},
                                                    {0.9980330383085606, -1.9981529347472522, 0.2484106666063918}};
    AdamW adam(3, {});
    std::vector<float> weights{1.0F, -2.0F, 0.25F};
    for (std::size_t step = 0; step < gradients.size(); ++step) {
        adam.step<float>(gradients[step], weights);
        for (std::size_t w = 0; w < weights.size(); ++w)
            QVERIFY2(std::abs(static_cast<double>(weights[w]) - expected[step][w]) < 3e-7,
                     qPrintable(QStringLiteral("step %1, weight %2: found %3")
                                    .arg(step)
                                    .arg(w)
                                    .arg(static_cast<double>(weights[w]), 0, 'g', 12)));
    }
    // By hand, the first step: the gradient's sign, and the decay.
    AdamW first(1, {});
    std::vector<float> one{1.0F};
    first.step<float>(std::vector<float>{0.5F}, one);
    QVERIFY(std::abs(static_cast<double>(one[0]) - (1.0 - 1e-5 - 1e-3)) < 1e-7);
}

void AdamWTest::withoutDecayIsAdam() {
    constexpr double kRate = 0.5;
    AdamW adam(2, {.learningRate = kRate, .weightDecay = 0.0});
    std::vector<double> weights{3.0, -1.0};
    std::vector<double> expected = weights;
    std::vector<double> mean(2, 0.0);
    std::vector<double> square(2, 0.0);
    for (int step = 1; step <= 20; ++step) {
        std::vector<double> gradient(2);
        for (std::size_t w = 0; w < 2; ++w) { // of w^4 / 4, as the definition has it
            gradient[w] = expected[w] * expected[w] * expected[w];
            mean[w] = 0.9 * mean[w] + 0.1 * gradient[w];
            square[w] = 0.999 * square[w] + 0.001 * gradient[w] * gradient[w];
            const double corrected = mean[w] / (1.0 - std::pow(0.9, step));
            expected[w] -= kRate * corrected / (std::sqrt(square[w] / (1.0 - std::pow(0.999, step))) + 1e-8);
        }
        adam.step<double>(gradient, weights);
        for (std::size_t w = 0; w < 2; ++w)
            QVERIFY(std::abs(weights[w] - expected[w]) < 1e-12);
    }
}

ASSAY_TEST(adam_w_test, AdamWTest)
#include "adam_w_test.moc"
