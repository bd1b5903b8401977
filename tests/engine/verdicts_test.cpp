// What is said of single samples, against the definitions of docs/verdicts.md, one distance at a time; and how often it
// is wrong.
#include "engine/audit/result/by_class.h"
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;
using Values = std::vector<double>;

namespace {

/// Straight from the definitions.
namespace naive {

using Rows = std::vector<std::size_t>;

Rows all(const Matrix& set) {
    Rows rows(set.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

Rows without(Rows rows, std::size_t row) {
    std::erase(rows, row);
    return rows;
}

double between(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double difference =
            static_cast<double>(a.values[i * a.dim + c]) - static_cast<double>(b.values[j * b.dim + c]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// Ascending (distance, row) of a row to some rows of another set.
std::vector<std::pair<double, std::size_t>> ordered(const Matrix& from, std::size_t i, const Matrix& to,
                                                    const Rows& rows) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t j : rows)
        order.emplace_back(between(from, i, to, j), j);
    std::sort(order.begin(), order.end());
    return order;
}

double kth(const Matrix& from, std::size_t i, const Matrix& to, const Rows& rows, std::size_t k) {
    return ordered(from, i, to, rows).at(k - 1).first;
}

std::size_t equalTo(const Matrix& from, std::size_t i, const Matrix& to, const Rows& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](std::size_t j) { return between(from, i, to, j) == 0.0; }));
}

/// Regularised incomplete beta function by its continued fraction (Lentz).
double betaShare(double a, double b, double x) {
    if (x > (a + 1.0) / (a + b + 2.0))
        return 1.0 - betaShare(b, a, 1.0 - x);
    double d = 1.0 / (1.0 - (a + b) * x / (a + 1.0));
    double c = 1.0;
    double fraction = d;
    for (int i = 1; i < 2000; ++i) {
        const double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        const double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        for (const double term : {even, odd}) {
            d = 1.0 / (1.0 + term * d);
            c = 1.0 + term / c;
            fraction *= c * d;
        }
    }
    return fraction *
           std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
}

/// Where the k-th of `near` is at distance 0: probability that as large a share of the equal rows is of `near`, of at
/// most `most` rows in the smaller share; NaN elsewhere.
double countedP(const Matrix& from, std::size_t i, std::size_t k, const Matrix& far, const Rows& farRows,
                const Matrix& near, const Rows& nearRows, double most) {
    if (kth(from, i, near, nearRows, k) > 0.0)
        return std::nan("");
    const auto here = static_cast<double>(equalTo(from, i, near, nearRows));
    const auto there = static_cast<double>(equalTo(from, i, far, farRows));
    const double q = static_cast<double>(nearRows.size()) / static_cast<double>(nearRows.size() + farRows.size());
    const double trials = std::min(here + there, most / std::min(q, 1.0 - q));
    const double successes = trials * here / (here + there);
    return betaShare(successes, trials - successes + 1.0, q);
}

/// Takes counted p-values where there are any, none below 1 / (1 + number of calibration values).
Values orCounted(Values p, const Values& counted, std::size_t calibration) {
    for (std::size_t i = 0; i < p.size(); ++i)
        if (!std::isnan(counted[i]))
            p[i] = std::max(counted[i], 1.0 / (1.0 + static_cast<double>(calibration)));
    return p;
}

/// d log(distance to the k-th of `far` / distance to the k-th of `near`); counted where the latter is 0.
double logRatio(const Matrix& from, std::size_t i, std::size_t k, const Matrix& far, const Rows& farRows,
                const Matrix& near, const Rows& nearRows) {
    const double above = kth(from, i, far, farRows, k);
    const double below = kth(from, i, near, nearRows, k);
    const auto share = [&](const Matrix& to, const Rows& rows) {
        return std::log(static_cast<double>(equalTo(from, i, to, rows)) / static_cast<double>(rows.size()));
    };
    if (below == 0.0)
        return share(near, nearRows) - share(far, farRows);
    return static_cast<double>(from.dim) * std::log(above / below);
}

/// High values are extreme.
Values pValues(const Values& values, const Values& calibration) {
    Values p;
    for (const double value : values) {
        double extreme = 1.0;
        for (const double other : calibration)
            extreme += other >= value ? 1.0 : 0.0;
        p.push_back(extreme / (1.0 + static_cast<double>(calibration.size())));
    }
    return p;
}

double ratio(double distance, double own) {
    if (own == 0.0)
        return distance == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    return distance / own;
}

Values negative(Values values) {
    for (double& value : values)
        value = -value;
    return values;
}

struct Verdicts {
    Values unrealistic, overRepresented, copy, any, verdict, uncovered, densityRatio, coverageRatio;
    double estimatedBad = 0.0;
};

/// Verdicts at a false discovery rate of 5 %, by definition: reject the samples with the r smallest p-values for the
/// largest r with p <= 0.05 r / M.
Values verdictsOf(const Verdicts& found) {
    Values sorted = found.any;
    std::sort(sorted.begin(), sorted.end());
    double bound = -1.0;
    for (std::size_t r = 1; r <= sorted.size(); ++r)
        if (sorted[r - 1] <= 0.05 * static_cast<double>(r) / static_cast<double>(sorted.size()) + 1e-12)
            bound = sorted[r - 1];
    Values verdicts;
    for (std::size_t j = 0; j < sorted.size(); ++j) {
        const double copy = found.copy[j], over = found.overRepresented[j], far = found.unrealistic[j];
        const Verdict worst = copy <= over && copy <= far ? Verdict::Copy
                              : over <= far               ? Verdict::OverRepresented
                                                          : Verdict::Unrealistic;
        verdicts.push_back(static_cast<double>(found.any[j] <= bound ? worst : Verdict::Good));
    }
    return verdicts;
}

/// How the samples of one set look: distances to real samples, log density ratios, copy ratios.
struct Statistics {
    Values distance, densityRatio, copyRatio;
};

/// @param leaveOut whether the samples are the real ones, each left out of its own neighbours
Statistics good(const Matrix& from, const Matrix& real, const Matrix& synthetic, std::size_t k, bool leaveOut) {
    const std::size_t few = std::min({std::size_t{20}, real.rows - 1, synthetic.rows - 1});
    Statistics found;
    for (std::size_t i = 0; i < from.rows; ++i) {
        const Rows others = leaveOut ? without(all(real), i) : all(real);
        const auto order = ordered(from, i, real, others);
        found.distance.push_back(order[k - 1].first);
        found.densityRatio.push_back(logRatio(from, i, few, real, others, synthetic, all(synthetic)));
        const std::size_t nearest = order[0].second;
        found.copyRatio.push_back(ratio(order[0].first, kth(real, nearest, real, without(others, nearest), 1)));
    }
    return found;
}

/// Coverage ratios of real samples in random splits of the real set.
Values split(const Matrix& real, std::size_t m, std::size_t k, std::uint64_t seed) {
    const std::size_t n = real.rows;
    const auto part = static_cast<std::size_t>(std::llround(static_cast<double>(n * m) / static_cast<double>(n + m)));
    Values calibration;
    const std::size_t left = n - part;
    const std::size_t wanted = std::max<std::size_t>(4 * part < n ? left : 4 * n, 4000);
    const bool possible = part >= k && part + k < n;
    for (std::size_t s = 0; possible && s < std::min<std::size_t>(20, (wanted + left - 1) / left); ++s) {
        std::vector<std::uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0U);
        Random(streamSeed(seed, "real split " + std::to_string(s))).shuffle(order);
        const Rows b(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(part));
        const Rows a(order.begin() + static_cast<std::ptrdiff_t>(part), order.end());
        for (const std::size_t row : a)
            calibration.push_back(logRatio(real, row, k, real, b, real, without(a, row)));
    }
    return calibration;
}

Verdicts judge(const Matrix& real, const Matrix& synthetic, const Matrix* heldOut, std::size_t k, std::uint64_t seed) {
    const std::size_t n = real.rows, m = synthetic.rows;
    const std::size_t few = std::min({std::size_t{20}, n - 1, m - 1});
    const Statistics usual =
        heldOut != nullptr ? good(*heldOut, real, synthetic, k, false) : good(real, real, synthetic, k, true);
    Verdicts verdicts;
    Values toReal, copies, counted, countedMissed;
    for (std::size_t j = 0; j < m; ++j) {
        const auto order = ordered(synthetic, j, real, all(real));
        toReal.push_back(order[k - 1].first);
        verdicts.densityRatio.push_back(
            logRatio(synthetic, j, few, real, all(real), synthetic, without(all(synthetic), j)));
        counted.push_back(countedP(synthetic, j, few, real, all(real), synthetic, without(all(synthetic), j), 20.0));
        const std::size_t nearest = order[0].second;
        copies.push_back(ratio(order[0].first, kth(real, nearest, real, without(all(real), nearest), 1)));
    }
    verdicts.unrealistic = pValues(toReal, usual.distance);
    verdicts.overRepresented =
        orCounted(pValues(verdicts.densityRatio, usual.densityRatio), counted, usual.densityRatio.size());
    verdicts.copy = pValues(negative(copies), negative(usual.copyRatio));
    std::size_t above = 0;
    for (std::size_t j = 0; j < m; ++j) {
        const double least = std::min({verdicts.unrealistic[j], verdicts.overRepresented[j], verdicts.copy[j]});
        verdicts.any.push_back(std::min(1.0, 3.0 * least));
        above += 1.0 - std::pow(1.0 - least, 3.0) > 0.5 ? 1 : 0;
    }
    verdicts.verdict = verdictsOf(verdicts);
    verdicts.estimatedBad = std::max(0.0, 1.0 - (1.0 + static_cast<double>(above)) / (static_cast<double>(m) / 2.0));
    for (std::size_t i = 0; i < n; ++i) {
        verdicts.coverageRatio.push_back(logRatio(real, i, k, synthetic, all(synthetic), real, without(all(real), i)));
        countedMissed.push_back(countedP(real, i, k, synthetic, all(synthetic), real, without(all(real), i), 10.0));
    }
    const Values calibration = split(real, m, k, seed);
    verdicts.uncovered = orCounted(pValues(verdicts.coverageRatio, calibration), countedMissed, calibration.size());
    return verdicts;
}

} // namespace naive

std::shared_ptr<const AuditResult> audit(const Matrix& real, const Matrix& synthetic, const Matrix* heldOut = nullptr,
                                         const AuditOptions& options = {}) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(synthetic, "model")}};
    request.options = options;
    if (heldOut != nullptr)
        request.heldOut = test::asSet(*heldOut, "held-out");
    return runAudit(request);
}

void compare(const Values& found, const Values& expected) {
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(found[i] == expected[i] ||
                     std::abs(found[i] - expected[i]) < 1e-12 * std::max(1.0, std::abs(expected[i])),
                 qPrintable(QString("row %1: %2, expected %3").arg(i).arg(found[i]).arg(expected[i])));
}

struct Case {
    Matrix real, synthetic, heldOut;
    AuditOptions options;
};

std::map<std::string, Case> cases() {
    AuditOptions one;
    one.k = 1;
    AuditOptions many;
    many.k = 40;
    AuditOptions tree;
    tree.backend = BackendChoice::KdTree;
    tree.seed = 9;
    const Matrix real = test::gaussian(150, 6, 1);
    const Matrix good = test::gaussian(110, 6, 2);
    std::map<std::string, Case> all;
    all["30 % far noise"] = {real, test::joined(good, test::gaussian(40, 6, 3, 0.0F, 8.0F)), {}, {}};
    all["with held-out samples"] = {real, good, test::gaussian(70, 6, 4), {}};
    all["copies and duplicates"] = {
        test::joined(real, test::repeated(real, 20)), test::joined(good, test::repeated(real, 60)), {}, {}};
    all["a collapsed mode"] = {real, test::joined(good, test::gaussian(60, 6, 5, 0.3F, 0.01F)), {}, {}};
    all["ties"] = {test::grid(130, 3, 6, 4), test::grid(90, 3, 7, 4), {}, {}};
    all["ties, held out"] = {test::grid(130, 3, 6, 4), test::grid(90, 3, 7, 4), test::grid(50, 3, 8, 4), {}};
    // Four, then two different rows on each side, then rows that only one side has.
    all["few different rows"] = {test::grid(130, 2, 6, 2), test::grid(90, 2, 7, 2), {}, {}};
    all["few different rows, held out"] = {
        test::grid(130, 2, 6, 2), test::grid(90, 2, 7, 2), test::grid(60, 2, 8, 2), {}};
    all["few different rows, sizes apart"] = {test::grid(240, 2, 6, 2), test::grid(60, 2, 7, 2), {}, tree};
    all["few different rows, k above k'"] = {test::grid(140, 1, 6, 2), test::grid(100, 1, 7, 2), {}, many};
    all["rows of one side"] = {test::joined(test::grid(100, 2, 6, 2), test::shifted(test::grid(50, 2, 7, 2), 9.0F)),
                               test::joined(test::grid(70, 2, 8, 2), test::shifted(test::grid(40, 2, 9, 2), -9.0F)),
                               {},
                               {}};
    all["one output"] = {real, test::repeated(test::gaussian(1, 6, 11), 80), {}, {}};
    all["k = 1"] = {test::gaussian(60, 2, 8), test::gaussian(80, 2, 9), {}, one};
    all["k = 40"] = {test::gaussian(140, 3, 8), test::gaussian(100, 3, 9), {}, many};
    all["few synthetic"] = {test::gaussian(200, 3, 8), test::gaussian(12, 3, 9), {}, tree};
    all["few real"] = {test::gaussian(24, 3, 8), test::gaussian(300, 3, 9), {}, tree};
    return all;
}

} // namespace

class VerdictsTest : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheDefinitions_data();
    void areThoseOfTheDefinitions();
    void theStrongestTestNamesTheVerdict();
    void joinedRejectAtTheRateAskedFor();
    void setsTooSmallForASplitAreNotJudged();
    void samplesThatAreAllTheSameAccuseNobody();
    void quickLeavesThemOut();
    void ratesThatAreNoneAreRefused();
    void byClassTheyAreShares();
    void areRightAsOftenAsTheySay_data();
    void areRightAsOftenAsTheySay();
};

void VerdictsTest::areThoseOfTheDefinitions_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, unused] : cases())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

/// Whether a split of the real set leaves enough samples that play it.
bool realSideIsJudged(const Matrix& real, const Matrix& synthetic, std::size_t k) {
    const auto n = static_cast<double>(real.rows);
    const auto m = static_cast<double>(synthetic.rows);
    const auto playing = static_cast<std::size_t>(std::llround(n * m / (n + m)));
    return playing >= k && playing + k < real.rows && real.rows - playing >= std::min(8 * k, real.rows / 4);
}

void VerdictsTest::areThoseOfTheDefinitions() {
    QFETCH(QString, name);
    const Case given = cases().at(name.toStdString());
    const Matrix* heldOut = given.heldOut.rows > 0 ? &given.heldOut : nullptr;
    const auto result = audit(given.real, given.synthetic, heldOut, given.options);
    const ModelAudit& model = *result->models.front();
    const naive::Verdicts expected =
        naive::judge(given.real, given.synthetic, heldOut, given.options.k, given.options.seed);
    compare(model.column("p_unrealistic"), expected.unrealistic);
    compare(model.column("p_over_represented"), expected.overRepresented);
    compare(model.column("p_copy"), expected.copy);
    compare(model.column("p_any"), expected.any);
    compare(model.column("verdict"), expected.verdict);
    compare(model.column("log_density_ratio"), expected.densityRatio);
    compare({model.metric("estimated_bad")}, {expected.estimatedBad});
    QCOMPARE(model.hasColumn("p_uncovered"), realSideIsJudged(given.real, given.synthetic, given.options.k));
    if (model.hasColumn("p_uncovered")) {
        compare(model.column("p_uncovered"), expected.uncovered);
        compare(model.column("coverage_ratio"), expected.coverageRatio);
        for (const double value : model.column("q_uncovered"))
            QVERIFY(!std::isnan(value));
    }
    for (const char* column : {"evidence", "p_any", "q_any"})
        for (const double value : model.column(column))
            QVERIFY2(!std::isnan(value), column);
}

void VerdictsTest::theStrongestTestNamesTheVerdict() {
    const Matrix real = test::gaussian(600, 8, 1);
    Matrix synthetic = test::gaussian(400, 8, 2);
    synthetic = test::joined(synthetic, test::gaussian(100, 8, 3, 0.0F, 9.0F)); // over-represented, most of it
    synthetic = test::joined(synthetic, test::repeated(real, 100));             // copies
    const auto result = audit(real, synthetic);
    const ModelAudit& model = *result->models.front();
    const Values& verdict = model.column("verdict");
    const auto& u = model.column("p_unrealistic");
    const auto& o = model.column("p_over_represented");
    const auto& c = model.column("p_copy");
    const auto& q = model.column("q_any");
    std::array<double, 4> counts{};
    for (std::size_t j = 0; j < verdict.size(); ++j) {
        Verdict expected = Verdict::Good;
        if (q[j] <= 0.05)
            expected = c[j] <= o[j] && c[j] <= u[j] ? Verdict::Copy
                       : o[j] <= u[j]               ? Verdict::OverRepresented
                                                    : Verdict::Unrealistic;
        QCOMPARE(verdict[j], static_cast<double>(expected));
        ++counts[static_cast<std::size_t>(verdict[j])];
    }
    QVERIFY(counts[1] + counts[2] >= 95.0);
    QVERIFY(counts[3] >= 60.0);
    const auto share = [&](double count) { return count / static_cast<double>(verdict.size()); };
    QCOMPARE(model.metric("verdict_unrealistic"), share(counts[1]));
    QCOMPARE(model.metric("verdict_over_represented"), share(counts[2]));
    QCOMPARE(model.metric("verdict_copy"), share(counts[3]));
    QCOMPARE(model.metric("verdict_rejected"), 1.0 - share(counts[0]));
    const MetricInterval* interval = model.interval("verdict_rejected");
    QVERIFY(interval != nullptr && interval->low < model.metric("verdict_rejected") &&
            interval->high > model.metric("verdict_rejected"));
    const MetricInterval* bad = model.interval("estimated_bad");
    QVERIFY(bad != nullptr && bad->low <= model.metric("estimated_bad") && bad->high >= model.metric("estimated_bad"));
    QVERIFY(bad->low > 0.2 && bad->high < 0.5);
}

void VerdictsTest::joinedRejectAtTheRateAskedFor() {
    const Matrix real = test::gaussian(600, 8, 1);
    const Matrix synthetic = test::joined(test::gaussian(500, 8, 2), test::gaussian(100, 8, 3, 0.0F, 3.0F));
    double before = 0.0;
    for (const double rate : {0.05, 0.2, 0.4}) {
        AuditOptions options;
        options.falseDiscoveryRate = rate;
        const auto result = audit(real, synthetic, nullptr, options);
        QCOMPARE(result->falseDiscoveryRate, rate);
        const Values& q = result->models.front()->column("q_any");
        const auto rejected = std::count_if(q.begin(), q.end(), [rate](double value) { return value <= rate; });
        QCOMPARE(result->models.front()->metric("verdict_rejected"), static_cast<double>(rejected) / 600.0);
        QVERIFY(result->models.front()->metric("verdict_rejected") > before);
        before = result->models.front()->metric("verdict_rejected");
    }
}

void VerdictsTest::setsTooSmallForASplitAreNotJudged() {
    const auto result = audit(test::gaussian(8, 2, 1), test::gaussian(8, 2, 2, 50.0F));
    QVERIFY(!result->models.front()->hasMetric("coverage_missed"));
    QVERIFY(!result->models.front()->hasColumn("coverage_verdict"));
    // Many synthetic samples for few real ones: the 5th neighbour of 9 is no measure of the 5th of 100.
    const auto uneven = audit(test::gaussian(100, 50, 3), test::gaussian(1000, 50, 4));
    QVERIFY(!uneven->models.front()->hasMetric("coverage_missed"));
    QVERIFY(std::ranges::any_of(uneven->models.front()->findings, [](const Finding& finding) {
        return QString::fromStdString(finding.advice).contains("cannot be told");
    }));
}

void VerdictsTest::samplesThatAreAllTheSameAccuseNobody() {
    const Matrix same = test::repeated(test::gaussian(1, 4, 1), 40);
    const auto result = audit(same, same);
    QCOMPARE(result->models.front()->metric("verdict_rejected"), 0.0);
    QCOMPARE(result->models.front()->metric("coverage_missed"), 0.0);
}

void VerdictsTest::quickLeavesThemOut() {
    AuditOptions options;
    options.tablesOnly = true;
    options.storedNeighbors = 0;
    const auto result = audit(test::gaussian(60, 3, 1), test::gaussian(60, 3, 2), nullptr, options);
    QVERIFY(!result->models.front()->hasColumn("verdict"));
    QVERIFY(!result->models.front()->hasMetric("estimated_bad"));
    options.tablesOnly = false;
    QVERIFY(audit(test::gaussian(60, 3, 1), test::gaussian(60, 3, 2), nullptr, options)
                ->models.front()
                ->hasColumn("verdict"));
}

void VerdictsTest::ratesThatAreNoneAreRefused() {
    for (const double rate : {0.0, 1.0, -0.1, std::nan("")}) {
        AuditOptions options;
        options.falseDiscoveryRate = rate;
        const QString message =
            test::refusalOf([&] { audit(test::gaussian(60, 3, 1), test::gaussian(60, 3, 2), nullptr, options); },
                            ErrorKind::InvalidArgument);
        QVERIFY2(message.contains("false discovery rate: expected a number between 0 and 1"), qPrintable(message));
    }
}

void VerdictsTest::byClassTheyAreShares() {
    const Matrix values = test::joined(test::gaussian(300, 6, 2), test::gaussian(100, 6, 3, 0.0F, 9.0F));
    EmbeddingParts parts;
    parts.values = FloatStorage(std::vector<float>(values.values));
    parts.rows = values.rows;
    parts.dim = values.dim;
    parts.name = "model";
    parts.labels.names = {"good", "noise"};
    for (std::size_t row = 0; row < values.rows; ++row)
        parts.labels.code.push_back(row < 300 ? 0 : 1);
    const auto set = std::make_shared<const EmbeddingSet>(std::move(parts));
    const auto result = runAudit({test::asSet(test::gaussian(400, 6, 1), "real"), {{"model", set}}, {}, {}});
    const auto byClass = scoresByClass(*result->real->set, *result->models.front());
    QVERIFY(byClass.has_value());
    const auto at = std::find(byClass->columns.begin(), byClass->columns.end(), "verdict") - byClass->columns.begin();
    QVERIFY(byClass->classes[0].means[static_cast<std::size_t>(at)] < 0.1);
    QVERIFY(byClass->classes[1].means[static_cast<std::size_t>(at)] > 0.9);
}

void VerdictsTest::areRightAsOftenAsTheySay_data() {
    QTest::addColumn<std::size_t>("dim");
    QTest::newRow("2 dimensions") << std::size_t{2};
    QTest::newRow("16 dimensions") << std::size_t{16};
}

/// bench_verdicts has the whole table.
void VerdictsTest::areRightAsOftenAsTheySay() {
    QFETCH(std::size_t, dim);
    const std::size_t audits = test::sized<std::size_t>(40, 8);
    constexpr std::size_t kRows = 500;
    std::vector<std::array<double, 4>> flagged(audits);
    std::vector<double> wrong(audits, 0.0);
    parallelFor(audits, 0, {}, [&](std::size_t a, unsigned) {
        const auto seed = static_cast<unsigned>(1000 + 3 * a);
        AuditOptions options;
        options.threads = 1;
        const Matrix real = test::gaussian(kRows, dim, seed);
        const auto clean = audit(real, test::gaussian(kRows, dim, seed + 1), nullptr, options);
        const std::array<const char*, 4> columns{"p_unrealistic", "p_over_represented", "p_copy", "p_uncovered"};
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Values& p = clean->models.front()->column(columns[c]);
            flagged[a][c] = static_cast<double>(std::count_if(p.begin(), p.end(), [](double v) { return v <= 0.01; })) /
                            static_cast<double>(kRows);
        }
        const Matrix mixed =
            test::joined(test::gaussian(350, dim, seed + 1), test::gaussian(150, dim, seed + 2, 0.0F, 10.0F));
        const auto dirty = audit(real, mixed, nullptr, options);
        const Values& verdict = dirty->models.front()->column("verdict");
        const auto good = std::count_if(verdict.begin(), verdict.begin() + 350, [](double v) { return v != 0.0; });
        const auto all = std::count_if(verdict.begin(), verdict.end(), [](double v) { return v != 0.0; });
        wrong[a] = all > 0 ? static_cast<double>(good) / static_cast<double>(all) : 0.0;
    });
    const auto mean = [&](auto of) {
        double sum = 0.0;
        for (std::size_t a = 0; a < audits; ++a)
            sum += of(a);
        return sum / static_cast<double>(audits);
    };
    for (std::size_t c = 0; c < 4; ++c) {
        const double share = mean([&](std::size_t a) { return flagged[a][c]; });
        QVERIFY2(share < 0.016, qPrintable(QString("test %1 flags %2").arg(c).arg(share)));
        if (c < 3)
            QVERIFY2(share > 0.004, qPrintable(QString("test %1 flags %2").arg(c).arg(share)));
    }
    const double discovery = mean([&](std::size_t a) { return wrong[a]; });
    QVERIFY2(discovery <= 0.06, qPrintable(QString("%1 of the rejected are good").arg(discovery)));
}

ASSAY_TEST(verdicts_test, VerdictsTest)
#include "verdicts_test.moc"
