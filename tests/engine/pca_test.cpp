#include "engine/base/error.h"
#include "engine/math/linear/pca.h"
#include "tests/support/test_entry.h"

#include "tests/engine/support/stopping.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace assay;

namespace {

struct Rows {
    std::vector<float> values;
    std::size_t rows, dim;
    MatrixView view() const { return {values.data(), rows, dim}; }
};

/// Independent columns with falling standard deviations, mixed a little, far from the origin.
Rows sample(std::size_t rows, std::size_t dim, unsigned seed, double offset = 100.0) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    Rows set{std::vector<float>(rows * dim), rows, dim};
    for (std::size_t r = 0; r < rows; ++r) {
        double previous = 0.0;
        for (std::size_t c = 0; c < dim; ++c) {
            const double own = normal(engine) * 8.0 / (1.0 + static_cast<double>(c));
            set.values[r * dim + c] = static_cast<float>(offset + own + 0.5 * previous);
            previous = own;
        }
    }
    return set;
}

/// The oracle: the textbook covariance, then power iteration with deflation in long double.
struct Naive {
    std::vector<std::vector<double>> axes;
    std::vector<double> shares;
};

Naive naivePca(MatrixView set, std::size_t count) {
    const std::size_t d = set.dim;
    std::vector<double> mean(d, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t c = 0; c < d; ++c)
            mean[c] += static_cast<double>(set.row(r)[c]) / static_cast<double>(set.rows);
    std::vector<double> cov(d * d, 0.0);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t i = 0; i < d; ++i) {
            const double x = set.row(r)[i] - mean[i];
            for (std::size_t j = 0; j <= i; ++j)
                cov[i * d + j] += x * (set.row(r)[j] - mean[j]);
        }
    double total = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
        total += cov[i * d + i];
        for (std::size_t j = 0; j < i; ++j)
            cov[j * d + i] = cov[i * d + j];
    }
    Naive naive;
    for (std::size_t k = 0; k < count; ++k) {
        std::vector<double> v(d);
        for (std::size_t i = 0; i < d; ++i)
            v[i] = 1.0 / (1.0 + static_cast<double>(i + k));
        double value = 0.0;
        for (int step = 0; step < 3000; ++step) {
            std::vector<double> next(d, 0.0);
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = 0; j < d; ++j)
                    next[i] += cov[i * d + j] * v[j];
            double norm = 0.0;
            for (const double x : next)
                norm += x * x;
            norm = std::sqrt(norm);
            double change = 0.0;
            for (std::size_t i = 0; i < d; ++i) {
                const double x = norm > 0.0 ? next[i] / norm : 0.0;
                change += std::abs(x - v[i]);
                v[i] = x;
            }
            value = norm;
            if (change < 1e-13)
                break;
        }
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j)
                cov[i * d + j] -= value * v[i] * v[j];
        const auto largest =
            std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
        if (*largest < 0.0)
            for (double& x : v)
                x = -x;
        naive.axes.push_back(v);
        naive.shares.push_back(value / total);
    }
    return naive;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

} // namespace

class PcaTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheNaiveOracle_data();
    void agreesWithTheNaiveOracle();
    void agreesBeyondTheCovariancesReach();
    void projectsTheDifferenceFromTheMeanOntoTheAxes();
    void hasZeroAxesWhereTheSetHasNoComponent_data();
    void hasZeroAxesWhereTheSetHasNoComponent();
    void doesNotDependOnTheNumberOfThreads();
    void findsARepeatedEigenvalueAsOftenAsItOccurs();
    void refusesAnEmptySetAndAnotherDimension();
    void stopsWhenAsked_data();
    void stopsWhenAsked();
};

void PcaTest::agreesWithTheNaiveOracle_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("three dimensions") << 500 << 3 << 1e-9;
    QTest::newRow("double precision") << 3000 << 40 << 1e-9;
    QTest::newRow("fewer rows than dimensions, direct") << 12 << 64 << 1e-9;
    QTest::newRow("blocked covariance") << 1500 << 200 << 1e-5;
    QTest::newRow("fewer rows than dimensions, blocked") << 60 << 300 << 1e-5;
    QTest::newRow("more than one chunk") << 5000 << 150 << 1e-5;
}

void PcaTest::agreesWithTheNaiveOracle() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(double, tolerance);
    const Rows set = sample(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 7);
    const Naive naive = naivePca(set.view(), 3);
    const auto pca = PrincipalComponents::fit(set.view());
    for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY2(
            std::abs(pca.explainedShare()[c] - naive.shares[c]) < tolerance,
            qPrintable(QString("share %1: %2 against %3").arg(c).arg(pca.explainedShare()[c]).arg(naive.shares[c])));
        QVERIFY2(largestDifference(pca.axis(c), naive.axes[c]) < 10 * tolerance, qPrintable(QString::number(c)));
    }
}

void PcaTest::agreesBeyondTheCovariancesReach() {
    // 3,000 dimensions, of which the first five vary: the other columns are constant, so the oracle needs only five.
    const Rows narrow = sample(400, 5, 3);
    Rows wide{std::vector<float>(400 * 3000, -3.0F), 400, 3000};
    for (std::size_t r = 0; r < 400; ++r)
        std::copy_n(narrow.values.begin() + static_cast<std::ptrdiff_t>(r * 5), 5,
                    wide.values.begin() + static_cast<std::ptrdiff_t>(r * 3000));
    const Naive naive = naivePca(narrow.view(), 3);
    const auto pca = PrincipalComponents::fit(wide.view());
    for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY(std::abs(pca.explainedShare()[c] - naive.shares[c]) < 1e-5);
        for (std::size_t i = 0; i < 5; ++i)
            QVERIFY(std::abs(pca.axis(c)[i] - naive.axes[c][i]) < 1e-3);
    }
}

void PcaTest::projectsTheDifferenceFromTheMeanOntoTheAxes() {
    const Rows set = sample(700, 20, 11);
    const Rows other = sample(30, 20, 12, 90.0);
    const auto pca = PrincipalComponents::fit(set.view());
    const auto points = pca.project(other.view());
    QCOMPARE(points.size(), std::size_t{30});
    for (std::size_t r = 0; r < 30; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            double expected = 0.0;
            for (std::size_t i = 0; i < 20; ++i)
                expected += (other.view().row(r)[i] - pca.mean()[i]) * pca.axis(c)[i];
            QVERIFY(std::abs(points[r][c] - expected) < 1e-5 * (1.0 + std::abs(expected)));
        }
}

void PcaTest::hasZeroAxesWhereTheSetHasNoComponent_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<bool>("constant");
    QTest::addColumn<int>("components");
    QTest::newRow("one dimension") << 50 << 1 << false << 1;
    QTest::newRow("two dimensions") << 50 << 2 << false << 2;
    QTest::newRow("a single sample") << 1 << 10 << false << 0;
    QTest::newRow("two samples") << 2 << 10 << false << 1;
    QTest::newRow("two samples, many dimensions") << 2 << 400 << false << 1;
    QTest::newRow("constant") << 40 << 10 << true << 0;
    QTest::newRow("constant, many dimensions") << 40 << 400 << true << 0;
}

void PcaTest::hasZeroAxesWhereTheSetHasNoComponent() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(bool, constant);
    QFETCH(int, components);
    Rows set = sample(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 5);
    if (constant)
        std::fill(set.values.begin(), set.values.end(), 0.1F);
    const auto pca = PrincipalComponents::fit(set.view());
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
        double squared = 0.0;
        for (const double x : pca.axis(c))
            squared += x * x;
        const bool present = c < static_cast<std::size_t>(components);
        QVERIFY(std::abs(squared - (present ? 1.0 : 0.0)) < 1e-6);
        QCOMPARE(pca.explainedShare()[c] > 0.0, present);
        sum += pca.explainedShare()[c];
    }
    QVERIFY(components == 0 || std::abs(sum - 1.0) < 1e-5);
    for (const auto& point : pca.project(set.view()))
        for (std::size_t c = static_cast<std::size_t>(components); c < 3; ++c)
            QCOMPARE(point[c], 0.0F);
}

void PcaTest::doesNotDependOnTheNumberOfThreads() {
    const Rows set = sample(2000, 60, 21);
    const auto one = PrincipalComponents::fit(set.view(), {}, 1);
    const auto four = PrincipalComponents::fit(set.view(), {}, 4);
    QCOMPARE(one.mean(), four.mean());
    for (std::size_t c = 0; c < 3; ++c)
        QCOMPARE(one.axis(c), four.axis(c));
    QCOMPARE(one.project(set.view(), {}, 1), four.project(set.view(), {}, 4));
}

void PcaTest::findsARepeatedEigenvalueAsOftenAsItOccurs() {
    constexpr std::size_t size = 300;
    const SymmetricOperator matrix{size, [](const double* in, double* out, std::size_t columns) {
                                       for (std::size_t i = 0; i < size * columns; ++i) {
                                           const std::size_t row = i % size;
                                           out[i] = in[i] * (row < 3 ? 5.0 : row < 100 ? 2.0 : 1.0);
                                       }
                                   }};
    const EigenPairs pairs = topEigenvectors(matrix, 3, 1e-9);
    for (const double value : pairs.values)
        QVERIFY(std::abs(value - 5.0) < 1e-9);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
            double dot = 0.0;
            for (std::size_t i = 0; i < size; ++i)
                dot += pairs.vectors[a * size + i] * pairs.vectors[b * size + i];
            QVERIFY(std::abs(dot - (a == b ? 1.0 : 0.0)) < 1e-9);
        }
}

void PcaTest::refusesAnEmptySetAndAnotherDimension() {
    QVERIFY_EXCEPTION_THROWN(PrincipalComponents::fit({}), Error);
    const Rows set = sample(10, 4, 1);
    const auto pca = PrincipalComponents::fit(set.view());
    const Rows other = sample(10, 5, 1);
    try {
        pca.project(other.view());
        QFAIL("accepted five dimensions");
    } catch (const Error& error) {
        const QString message = QString::fromStdString(error.what());
        QVERIFY2(message.contains("4") && message.contains("5"), qPrintable(message));
    }
}

void PcaTest::stopsWhenAsked_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::newRow("direct") << 9000 << 16;
    QTest::newRow("blocked covariance") << 800 << 160;
    QTest::newRow("applied only") << 150 << 2100;
}

void PcaTest::stopsWhenAsked() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    Rows set{{}, static_cast<std::size_t>(rows), static_cast<std::size_t>(dim)};
    set.values.resize(set.rows * set.dim);
    std::mt19937 engine(4);
    for (float& x : set.values)
        x = static_cast<float>(engine()) * 1e-9F;
    const std::string failure = test::stopFailure(
        [&](const JobContext& job) { PrincipalComponents::fit(set.view(), job, 2); }, 2 * 16); // two passes
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(pca_test, PcaTest)
#include "pca_test.moc"
