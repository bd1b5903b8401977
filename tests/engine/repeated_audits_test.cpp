// One input, one result. What runs in parallel is run hundreds of times here, while other threads do the same, and
// compared byte for byte with a run on one thread: an error that comes once in two hundred audits is an error.
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/linear/pca.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/vendi.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <Eigen/Dense>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace assay;

class RepeatedAuditsTest : public QObject {
    Q_OBJECT

private slots:
    void auditsBesideEachOtherAreEqual_data();
    void auditsBesideEachOtherAreEqual();
    void waysToFindNeighborsAgree_data();
    void waysToFindNeighborsAgree();
    void frechetDistancesAgreeWithPlainOnes();
    void numericsBesideEachOtherAreEqual_data();
    void numericsBesideEachOtherAreEqual();
};

namespace {

/// Threads of this test, each of which calls the engine: as the window does, whose jobs run beside each other.
constexpr unsigned kCallers = 4;

void append(std::string& bytes, std::string_view text) {
    bytes.append(text).push_back('\n');
}

void append(std::string& bytes, std::span<const double> values) {
    for (const double value : values) {
        // One NaN is as good as another.
        const double written = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
        bytes.append(reinterpret_cast<const char*>(&written), sizeof written);
    }
}

void append(std::string& bytes, const std::vector<ColumnValues>& columns) {
    for (const ColumnValues& column : columns) {
        append(bytes, column.id);
        append(bytes, column.values.get());
    }
}

/// All that an audit says of a model, but how long it took and what found the neighbours.
std::string bytesOf(const ModelAudit& model) {
    std::string bytes;
    for (const MetricValue& metric : model.metrics) {
        append(bytes, metric.id);
        append(bytes, std::array{metric.value});
    }
    for (const MetricInterval& interval : model.intervals) {
        append(bytes, interval.id);
        append(bytes, std::array{interval.low, interval.high});
    }
    for (const MetricResamples& resamples : model.resamples)
        append(bytes, resamples.values);
    append(bytes, model.columns);
    append(bytes, model.good);
    for (const CurveValues& curve : model.curves)
        for (const CurveLine& line : curve.lines)
            append(bytes, line.y);
    for (const Finding& finding : model.findings) {
        append(bytes, finding.sentence);
        append(bytes, std::array{finding.value, finding.low.value_or(0.0), finding.high.value_or(0.0)});
        for (const FindingExample& example : finding.examples)
            append(bytes, std::array{static_cast<double>(example.row), static_cast<double>(example.count)});
    }
    append(bytes, model.summary);
    return bytes;
}

std::string bytesOf(const AuditResult& audit) {
    std::string bytes;
    for (const auto& model : audit.models)
        bytes += bytesOf(*model);
    if (audit.heldOut)
        bytes += bytesOf(*audit.heldOut->audit);
    return bytes;
}

/// Where two texts of bytesOf() differ first, for the message of a failure.
std::string firstDifference(const std::string& a, const std::string& b) {
    const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    std::string before;
    for (std::size_t i = at; i-- > 0 && before.size() < 40;)
        if (std::isalnum(static_cast<unsigned char>(a[i])) != 0 || a[i] == '_')
            before.insert(before.begin(), a[i]);
        else if (before.size() > 4)
            break;
        else
            before.clear();
    return "byte " + std::to_string(at) + " of " + std::to_string(a.size()) + ", behind " + before;
}

AuditRequest requestOf(std::size_t rows, std::size_t dim, unsigned seed) {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(rows, dim, seed), "real");
    request.models = {{"wide", test::asSet(test::gaussian(rows - rows / 5, dim, seed + 1, 0.1F, 1.3F), "wide")}};
    request.options.seed = seed;
    return request;
}

/// Runs `work` on several threads at once, each of them `times` times. @return the first message that is not empty
std::string besideEachOther(std::size_t times, const std::function<std::string()>& work) {
    std::array<std::string, kCallers> found;
    std::atomic<bool> failed = false;
    std::vector<std::thread> callers;
    for (unsigned caller = 0; caller < kCallers; ++caller)
        callers.emplace_back([&, caller] {
            for (std::size_t time = 0; time < times && !failed && found[caller].empty(); ++time)
                found[caller] = work();
            if (!found[caller].empty())
                failed = true;
        });
    for (std::thread& caller : callers)
        caller.join();
    for (const std::string& message : found)
        if (!message.empty())
            return message;
    return {};
}

} // namespace

void RepeatedAuditsTest::auditsBesideEachOtherAreEqual_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::addColumn<bool>("oneClass");
    QTest::newRow("few dimensions") << 150 << 3 << false;
    QTest::newRow("one-class, held-out set") << 100 << 8 << true;
    QTest::newRow("many dimensions") << 150 << 48 << false;
    QTest::newRow("more dimensions than rows") << 60 << 90 << false;
}

void RepeatedAuditsTest::auditsBesideEachOtherAreEqual() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    QFETCH(bool, oneClass);
    AuditRequest request = requestOf(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 11);
    request.options.oneClass = oneClass;
    if (oneClass)
        request.heldOut = test::asSet(test::gaussian(static_cast<std::size_t>(rows) / 2, request.real->dim(), 14), "h");
    request.options.threads = 1;
    const std::string expected = bytesOf(*runAudit(request));
    std::atomic<unsigned> next = 0;
    const std::string difference = besideEachOther(test::sized<std::size_t>(oneClass ? 2 : 6, 1), [&] {
        constexpr std::array kThreads{2U, 1U, 5U, 3U};
        AuditRequest again = request;
        again.options.threads = kThreads[next++ % kThreads.size()];
        const std::string found = bytesOf(*runAudit(again));
        return found == expected ? std::string() : firstDifference(expected, found);
    });
    QVERIFY2(difference.empty(), difference.c_str());
}

void RepeatedAuditsTest::waysToFindNeighborsAgree_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("dim");
    QTest::newRow("400 x 3") << 400 << 3;
    QTest::newRow("300 x 24") << 300 << 24;
    QTest::newRow("100 x 200") << 100 << 200;
}

void RepeatedAuditsTest::waysToFindNeighborsAgree() {
    QFETCH(int, rows);
    QFETCH(int, dim);
    AuditRequest request = requestOf(static_cast<std::size_t>(rows), static_cast<std::size_t>(dim), 5);
    const std::string expected = bytesOf(*runAudit(request));
    for (const Backend& backend : cpuBackends())
        for (const unsigned threads : {1U, 2U, 5U}) {
            request.options.backend = backend.choice;
            request.options.threads = threads;
            const std::string found = bytesOf(*runAudit(request));
            QVERIFY2(found == expected, (std::string(backend.name) + ", " + std::to_string(threads) +
                                         " threads: " + firstDifference(expected, found))
                                            .c_str());
        }
}

void RepeatedAuditsTest::frechetDistancesAgreeWithPlainOnes() {
    std::atomic<unsigned> next = 1;
    const std::string wrong = besideEachOther(test::sized<std::size_t>(500, 10), [&] {
        const unsigned seed = next++;
        std::mt19937 random(seed);
        const std::size_t dim = 1 + random() % 40;
        const test::Matrix a = test::gaussian(dim + 2 + random() % 300, dim, 2 * seed);
        const test::Matrix b = test::gaussian(dim + 2 + random() % 300, dim, 2 * seed + 1, 0.5F, 1.5F);
        const double found = frechetDistance(fitGaussian(a.view(), 2), fitGaussian(b.view(), 2), 2);

        struct Fit {
            Eigen::VectorXd mean;
            Eigen::MatrixXd covariance;
        };
        const auto fit = [](const test::Matrix& matrix) {
            const Eigen::MatrixXd rows =
                Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                    matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.dim))
                    .cast<double>();
            const Eigen::VectorXd mean = rows.colwise().mean();
            const Eigen::MatrixXd centred = rows.rowwise() - mean.transpose();
            return Fit{mean, centred.transpose() * centred / static_cast<double>(matrix.rows - 1)};
        };
        const Fit p = fit(a);
        const Fit q = fit(b);
        const Eigen::MatrixXd root = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(p.covariance).operatorSqrt();
        const Eigen::VectorXd shared =
            Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(root * q.covariance * root).eigenvalues();
        const double expected = (p.mean - q.mean).squaredNorm() + p.covariance.trace() + q.covariance.trace() -
                                2.0 * shared.cwiseMax(0.0).cwiseSqrt().sum();
        return std::abs(found - expected) <= 1e-6 * expected
                   ? std::string()
                   : "seed " + std::to_string(seed) + ": expected " + std::to_string(expected) + ", found " +
                         std::to_string(found);
    });
    QVERIFY2(wrong.empty(), wrong.c_str());
}

void RepeatedAuditsTest::numericsBesideEachOtherAreEqual_data() {
    QTest::addColumn<int>("work");
    QTest::newRow("product") << 0;
    QTest::newRow("Gram matrix") << 1;
    QTest::newRow("eigenvalues") << 2;
    QTest::newRow("singular values") << 3;
    QTest::newRow("Vendi score") << 4;
    QTest::newRow("principal components") << 5;
    QTest::newRow("resampled means") << 6;
}

void RepeatedAuditsTest::numericsBesideEachOtherAreEqual() {
    QFETCH(int, work);
    const test::Matrix set = test::gaussian(700, 60, 3);
    const std::vector<double> mean = columnMeans(set.view(), 1);
    DoubleMatrix square(150, 150);
    for (std::size_t i = 0; i < square.values.size(); ++i)
        square.values[i] = static_cast<double>(set.values[i]);
    const DoubleMatrix gram = gramOf(rowsOf(square), 1);
    std::vector<std::vector<double>> columns(9);
    for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c].assign(set.values.begin() + static_cast<std::ptrdiff_t>(c * 4000),
                          set.values.begin() + static_cast<std::ptrdiff_t>((c + 1) * 4000));
    const RowSummary summary = summarizeRows(set.view(), 1, {});
    const auto run = [&](unsigned threads) {
        std::string bytes;
        switch (work) {
        case 0:
            append(bytes,
                   productOf(rowsOf(square), columnsOf({set.values.data(), square.columns, set.dim}, mean), threads)
                       .values);
            break;
        case 1:
            append(bytes, gramOf(columnsOf(set.view(), mean), threads).values);
            break;
        case 2:
            append(bytes, symmetricEigenvalues(gram));
            break;
        case 3:
            append(bytes, std::array{singularValueSum(square)});
            break;
        case 4:
            append(bytes,
                   std::array{vendiScore(similarities(set.view(), summary, threads), set.view(), summary, threads)});
            break;
        case 5: {
            const auto fitted = PrincipalComponents::fit(set.view(), {}, threads);
            for (std::size_t axis = 0; axis < PrincipalComponents::kCount; ++axis)
                append(bytes, fitted.axis(axis));
            break;
        }
        default:
            append(bytes, resampledMeans(columns, {64, 1, threads}));
        }
        return bytes;
    };
    const std::string expected = run(1);
    const std::string difference = besideEachOther(test::sized<std::size_t>(work == 5 ? 20 : 120, 5), [&] {
        const std::string found = run(2);
        return found == expected ? std::string() : firstDifference(expected, found);
    });
    QVERIFY2(difference.empty(), difference.c_str());
}

ASSAY_TEST(repeated_audits_test, RepeatedAuditsTest)
#include "repeated_audits_test.moc"
