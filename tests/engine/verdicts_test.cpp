// What is said of single samples, against the definitions of docs/verdicts.md, one distance at a time; and how often it
// is wrong.
#include "engine/audit/result/by_class.h"
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/metrics/tables/metric_inputs.h"
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

/// Value up to which ranks count, and mean excess over it of the values beyond; 0 if fewer than five are beyond.
struct Tail {
    double begin = 0.0;
    double meanExcess = 0.0;
};

Tail fit(Values calibration) {
    std::sort(calibration.begin(), calibration.end());
    Tail tail{calibration[static_cast<std::size_t>(0.9 * static_cast<double>(calibration.size()))], 0.0};
    double beyond = 0.0;
    double sum = 0.0;
    for (const double value : calibration)
        if (value > tail.begin) {
            beyond += 1.0;
            sum += value - tail.begin;
        }
    if (beyond >= 5.0)
        tail.meanExcess = sum / beyond;
    return tail;
}

double atLeast(const Values& values, double bound) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double v) { return v >= bound; }));
}

/// -log of the chance of at least this value.
double tailScore(double value, const Values& calibration) {
    const Tail tail = fit(calibration);
    const auto n = static_cast<double>(calibration.size());
    const double rank = (1.0 + atLeast(calibration, value)) / (1.0 + n);
    if (tail.meanExcess <= 0.0)
        return -std::log(std::max(rank, 0.5 / n));
    return value > tail.begin ? -std::log(0.1) + (value - tail.begin) / tail.meanExcess
                              : -std::log(std::max(rank, 0.1));
}

/// The same of each calibration value, left out of the calibration. Whether there is a tail is told by all of them, and
/// the excess is a mean over all places beyond the quantile's, values that tie with it included.
Values tailScoresLeftOut(const Values& calibration) {
    const auto n = static_cast<double>(calibration.size());
    const bool hasTail = fit(calibration).meanExcess > 0.0;
    Values scores;
    for (std::size_t i = 0; i < calibration.size(); ++i) {
        const double value = calibration[i];
        const double rank = atLeast(calibration, value) / n;
        if (!hasTail) {
            scores.push_back(-std::log(std::max(rank, 0.5 / n)));
            continue;
        }
        Values others = calibration;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        std::sort(others.begin(), others.end());
        const auto place = static_cast<std::size_t>(0.9 * static_cast<double>(others.size()));
        double sum = 0.0;
        for (std::size_t at = place + 1; at < others.size(); ++at)
            sum += others[at] - others[place];
        const double mean = std::max(sum / static_cast<double>(others.size() - place - 1), 1e-12);
        scores.push_back(value > others[place] ? -std::log(0.1) + (value - others[place]) / mean
                                               : -std::log(std::max(rank, 0.1)));
    }
    return scores;
}

/// The largest p-value that Benjamini and Hochberg reject at 5 %: the r-th for the largest r with p <= 0.05 r / M.
double rejectionBound(Values p) {
    std::sort(p.begin(), p.end());
    double bound = -1.0;
    for (std::size_t r = 1; r <= p.size(); ++r)
        if (p[r - 1] <= 0.05 * static_cast<double>(r) / static_cast<double>(p.size()) + 1e-12)
            bound = p[r - 1];
    return bound;
}

double rounded(double value) {
    return std::round(value * 1e9) / 1e9;
}

/// How the samples of one set look.
struct Statistics {
    Values densityRatio, copyRatio;
    std::array<Values, 3> value; ///< far, dense, copy; high values are suspicious
    std::vector<bool> equalsReal;
};

/// Both sets that samples are compared with.
struct Sets {
    const Matrix& real;
    const Matrix& synthetic;
    const RealPartition& partition;
    std::size_t k, few;
};

enum class Role { Real, Synthetic, HeldOut };

/// Rows of other units than the row's own.
Rows others(const Sets& sets, std::size_t row) {
    Rows rows = all(sets.real);
    std::erase_if(rows, [&](std::size_t j) { return sets.partition.unit[j] == sets.partition.unit[row]; });
    return rows;
}

Statistics statisticsOf(const Matrix& from, Role role, const Sets& sets) {
    Statistics found;
    for (std::size_t i = 0; i < from.rows; ++i) {
        const Rows real = role == Role::Real ? others(sets, i) : all(sets.real);
        const Rows synthetic = role == Role::Synthetic ? without(all(sets.synthetic), i) : all(sets.synthetic);
        const auto order = ordered(from, i, sets.real, real);
        const double nearest = order[0].first;
        double second = std::numeric_limits<double>::infinity();
        for (const auto& [distance, row] : order)
            if (sets.partition.thing[row] != sets.partition.thing[order[0].second])
                second = std::min(second, distance);
        const double far = order[sets.few - 1].first;
        const double own = kth(from, i, sets.synthetic, synthetic, sets.few);
        double density = static_cast<double>(from.dim) * (std::log(far) - std::log(own));
        if (far == 0.0 && own == 0.0)
            density = std::log(static_cast<double>(equalTo(from, i, sets.synthetic, synthetic)) /
                               static_cast<double>(synthetic.size())) -
                      std::log(static_cast<double>(equalTo(from, i, sets.real, real)) /
                               static_cast<double>(sets.real.rows - (role == Role::Real ? 1 : 0)));
        const double copy = nearest == 0.0 ? 0.0 : nearest / second;
        found.densityRatio.push_back(density);
        found.copyRatio.push_back(copy);
        found.equalsReal.push_back(nearest == 0.0);
        found.value[0].push_back(rounded(std::log(std::max(order[sets.k - 1].first, 1e-12))));
        found.value[1].push_back(rounded(density));
        found.value[2].push_back(rounded(-std::log(std::max(copy, 1e-9))));
    }
    return found;
}

/// Infinite ratios a little beyond the largest finite one.
void makeFinite(const std::array<Statistics*, 3>& sides) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Statistics* of : sides)
        for (const double value : of->value[1])
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    if (low > high)
        low = high = 0.0;
    for (Statistics* of : sides)
        for (double& value : of->value[1])
            value = std::isnan(value) ? 0.0 : std::clamp(value, low - 10.0, high + 10.0);
}

/// Whether nearest neighbours tell real and held-out rows apart.
bool areUnlike(const Matrix& heldOut, const Sets& sets) {
    double ofReal = 0.0;
    double ofHeldOut = 0.0;
    const auto units = static_cast<double>(sets.partition.rows.size());
    const auto held = static_cast<double>(heldOut.rows);
    for (const std::uint32_t i : sets.partition.rows)
        ofReal +=
            kth(sets.real, i, sets.real, others(sets, i), 1) < kth(sets.real, i, heldOut, all(heldOut), 1) ? 1 : 0;
    for (std::size_t i = 0; i < heldOut.rows; ++i)
        ofHeldOut +=
            kth(heldOut, i, heldOut, without(all(heldOut), i), 1) < kth(heldOut, i, sets.real, all(sets.real), 1) ? 1
                                                                                                                  : 0;
    ofReal /= units;
    ofHeldOut /= held;
    const double accuracy = (ofReal + ofHeldOut) / 2.0;
    const double variance = ofReal * (1.0 - ofReal) / units + ofHeldOut * (1.0 - ofHeldOut) / held;
    return accuracy >= 0.55 && accuracy - 2.6 * std::sqrt(variance) / 2.0 > 0.5;
}

/// Held-out rows that repeat no real one.
Rows cleanRows(const Matrix& heldOut, const Sets& sets) {
    Rows clean;
    for (std::size_t row = 0; row < heldOut.rows; ++row) {
        const auto order = ordered(heldOut, row, sets.real, all(sets.real));
        if (order[0].first == 0.0 ? sets.partition.equalityIsNatural()
                                  : order[0].first >= sets.partition.reach * order[4].first)
            clean.push_back(row);
    }
    return clean;
}

/// Per synthetic row: whether most of it and its nearest synthetic rows lie in real balls.
std::vector<bool> amongReal(const Sets& sets) {
    const Matrix& synthetic = sets.synthetic;
    std::vector<bool> inside(synthetic.rows, false);
    for (std::size_t i = 0; i < sets.real.rows; ++i) {
        const double radius = kth(sets.real, i, sets.real, others(sets, i), sets.k);
        for (std::size_t j = 0; j < synthetic.rows; ++j)
            inside[j] = inside[j] || between(synthetic, j, sets.real, i) <= radius;
    }
    std::vector<bool> among(synthetic.rows);
    for (std::size_t j = 0; j < synthetic.rows; ++j) {
        const auto crowd = ordered(synthetic, j, synthetic, without(all(synthetic), j));
        std::size_t count = inside[j] ? 1 : 0;
        for (std::size_t rank = 0; rank < sets.few; ++rank)
            count += inside[crowd[rank].second] ? 1 : 0;
        among[j] = 2 * count >= 1 + sets.few;
    }
    return among;
}

struct Verdicts {
    Values unrealistic, overRepresented, copy, any, verdict, densityRatio, copyRatio;
    double estimatedBad = 0.0;
};

/// @param equalRowsAreCopies whether each row that equals a real one is called a copy
Verdicts judge(const Sets& sets, const Matrix* heldOut, bool equalRowsAreCopies) {
    const RealPartition& partition = sets.partition;
    const std::size_t m = sets.synthetic.rows;
    Statistics given = statisticsOf(sets.synthetic, Role::Synthetic, sets);
    Statistics ofReal = statisticsOf(sets.real, Role::Real, sets);
    Statistics ofHeldOut;
    Rows clean;
    if (heldOut != nullptr) {
        ofHeldOut = statisticsOf(*heldOut, Role::HeldOut, sets);
        clean = cleanRows(*heldOut, sets);
    }
    makeFinite({&given, &ofReal, &ofHeldOut});
    // One real row of each unit and the clean held-out rows; these alone where they are of another law.
    Statistics calibration;
    const auto add = [&](const Statistics& from, std::size_t row) {
        for (std::size_t test = 0; test < 3; ++test)
            calibration.value[test].push_back(from.value[test][row]);
        calibration.equalsReal.push_back(from.equalsReal[row]);
    };
    if (clean.size() < 50 || !areUnlike(*heldOut, sets))
        for (const std::uint32_t row : partition.rows)
            add(ofReal, row);
    for (const std::size_t row : clean)
        add(ofHeldOut, row);
    // Equal rows leave the copy test where they are natural.
    const auto leaves = [&](std::size_t test, bool equalsReal) {
        return test == 2 && partition.equalityIsNatural() && equalsReal;
    };
    Verdicts verdicts;
    Values good(calibration.equalsReal.size(), 0.0);
    Values largest(m, 0.0);
    Rows strongest(m, 0);
    const std::array<Values*, 3> p{&verdicts.unrealistic, &verdicts.overRepresented, &verdicts.copy};
    for (std::size_t test = 0; test < 3; ++test) {
        Values values;
        Rows places;
        for (std::size_t place = 0; place < good.size(); ++place)
            if (!leaves(test, calibration.equalsReal[place])) {
                values.push_back(calibration.value[test][place]);
                places.push_back(place);
            }
        *p[test] = pValues(given.value[test], values);
        for (std::size_t j = 0; j < m; ++j)
            if (leaves(test, given.equalsReal[j]))
                (*p[test])[j] = 1.0;
        if (values.size() < 10)
            continue;
        const Values own = tailScoresLeftOut(values);
        for (std::size_t at = 0; at < places.size(); ++at)
            good[places[at]] = std::max(good[places[at]], own[at]);
        for (std::size_t j = 0; j < m; ++j) {
            const double score = leaves(test, given.equalsReal[j]) ? 0.0 : tailScore(given.value[test][j], values);
            if (score > largest[j]) {
                largest[j] = score;
                strongest[j] = test;
            }
        }
    }
    verdicts.any = pValues(largest, good);
    const std::vector<bool> among = amongReal(sets);
    const double bound = rejectionBound(verdicts.any);
    const double isFar = std::max(1.0 / 300.0, 1.001 / (1.0 + static_cast<double>(good.size())));
    for (std::size_t j = 0; j < m; ++j) {
        const Verdict word = equalRowsAreCopies && given.equalsReal[j] ? Verdict::Copy
                             : verdicts.any[j] > bound                 ? Verdict::Good
                             : strongest[j] == 2                       ? Verdict::Copy
                             : verdicts.unrealistic[j] <= isFar        ? Verdict::Unrealistic
                             : among[j]                                ? Verdict::Crowded
                                                                       : Verdict::Invented;
        verdicts.verdict.push_back(static_cast<double>(word));
    }
    const auto above =
        static_cast<double>(std::count_if(verdicts.any.begin(), verdicts.any.end(), [](double v) { return v > 0.5; }));
    verdicts.estimatedBad = std::max(0.0, 1.0 - (1.0 + above) / (static_cast<double>(m) / 2.0));
    verdicts.densityRatio = given.densityRatio;
    verdicts.copyRatio = given.copyRatio;
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
    all["far held-out samples"] = {real, good, test::gaussian(70, 6, 4, 1.0F), {}};
    Matrix repeats = test::gaussian(60, 6, 2, 0.0F, 0.005F);
    for (std::size_t i = 0; i < repeats.values.size(); ++i)
        repeats.values[i] += real.values[i];
    all["near repeats"] = {test::joined(test::gaussian(110, 6, 1), repeats), test::joined(good, repeats), {}, {}};
    all["near repeats, held out"] = {
        real, test::joined(good, repeats), test::joined(repeats, test::gaussian(60, 6, 4)), {}};
    all["three times"] = {test::repeated(real, 450), test::joined(good, test::repeated(real, 15)), {}, {}};
    all["three times, held out"] = {test::repeated(real, 450), good, test::gaussian(70, 6, 4), {}};
    all["between modes"] = {test::joined(test::gaussian(80, 4, 1, -6.0F), test::gaussian(80, 4, 2, 6.0F)),
                            test::joined(test::gaussian(60, 4, 3, -6.0F), test::gaussian(50, 4, 4, 0.0F, 0.7F)),
                            {},
                            {}};
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
    void plantedFaultsHaveTheirWord_data();
    void plantedFaultsHaveTheirWord();
    void orderOfRowsDoesNotMatter();
    void dirtyHeldOutRowsDoNotCalibrate();
    void joinedRejectAtTheRateAskedFor();
    void setsTooSmallForDrawsAreNotJudged();
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

void VerdictsTest::areThoseOfTheDefinitions() {
    QFETCH(QString, name);
    const Case given = cases().at(name.toStdString());
    const Matrix* heldOut = given.heldOut.rows > 0 ? &given.heldOut : nullptr;
    const auto result = audit(given.real, given.synthetic, heldOut, given.options);
    const ModelAudit& model = *result->models.front();
    const RealPartition& partition = *result->real->partition;
    if (name == "near repeats" || name.startsWith("three times"))
        QVERIFY(!partition.isTrivial());
    const std::size_t few =
        std::max<std::size_t>(1, std::min({std::size_t{20}, partition.rows.size() - 2, given.synthetic.rows - 1}));
    const naive::Sets sets{given.real, given.synthetic, partition, given.options.k, few};
    const EqualRowCounts counts =
        countEqualRows(given.real.view(), given.synthetic.view(), given.heldOut.view(), {.threads = 1});
    std::vector<std::uint8_t> isEqual;
    for (const std::uint32_t equal : counts.ofSynthetic.inReal)
        isEqual.push_back(equal > 0 ? 1 : 0);
    const naive::Verdicts expected =
        naive::judge(sets, heldOut, testEqualToReal(isEqual, counts, partition, 0.05).namesSingles);
    compare(model.column("p_unrealistic"), expected.unrealistic);
    compare(model.column("p_over_represented"), expected.overRepresented);
    compare(model.column("p_copy"), expected.copy);
    compare(model.column("copy_ratio"), expected.copyRatio);
    compare(model.column("log_density_ratio"), expected.densityRatio);
    compare(model.column("p_any"), expected.any);
    compare(model.column("verdict"), expected.verdict);
    compare({model.metric("estimated_bad")}, {expected.estimatedBad});
    QVERIFY(model.metric("bad_share") >= model.metric("verdict_rejected") - 1e-12);
    for (const char* column : {"evidence", "p_any", "q_any", "q_uncovered", "coverage_verdict"})
        for (const double value : model.column(column))
            QVERIFY2(!std::isnan(value), column);
    // relabelling_test has the draws. A missed sample has no synthetic one in its ball.
    for (std::size_t i = 0; i < given.real.rows; ++i) {
        const double verdict = model.column("coverage_verdict")[i];
        const double radius = naive::kth(given.real, i, given.real, naive::others(sets, i), given.options.k);
        const bool isThere = naive::kth(given.real, i, given.synthetic, naive::all(given.synthetic), 1) <= radius;
        if (verdict != 0.0) {
            QVERIFY(model.column("q_uncovered")[i] <= 0.05 * (1.0 + 1e-12));
            QCOMPARE(verdict == static_cast<double>(CoverageVerdict::Thin), isThere);
        }
    }
}

void VerdictsTest::theStrongestTestNamesTheVerdict() {
    const Matrix real = test::gaussian(600, 8, 1);
    Matrix synthetic = test::gaussian(400, 8, 2);
    synthetic = test::joined(synthetic, test::gaussian(100, 8, 3, 0.0F, 9.0F)); // far
    synthetic = test::joined(synthetic, test::repeated(real, 100));             // copies
    const auto result = audit(real, synthetic);
    const ModelAudit& model = *result->models.front();
    const Values& verdict = model.column("verdict");
    const Values& q = model.column("q_any");
    std::array<double, 5> counts{};
    for (std::size_t j = 0; j < verdict.size(); ++j) {
        QCOMPARE(verdict[j] != 0.0, q[j] <= 0.05 * (1.0 + 1e-12) || j >= 500);
        if (j >= 500)
            QCOMPARE(verdict[j], static_cast<double>(Verdict::Copy));
        ++counts[static_cast<std::size_t>(verdict[j])];
    }
    const auto share = [&](Verdict which) {
        return counts[static_cast<std::size_t>(which)] / static_cast<double>(verdict.size());
    };
    QVERIFY(counts[static_cast<std::size_t>(Verdict::Unrealistic)] >= 95.0);
    QCOMPARE(model.metric("verdict_unrealistic"), share(Verdict::Unrealistic));
    QCOMPARE(model.metric("verdict_crowded"), share(Verdict::Crowded));
    QCOMPARE(model.metric("verdict_copy"), share(Verdict::Copy));
    QCOMPARE(model.metric("verdict_invented"), share(Verdict::Invented));
    QCOMPARE(model.metric("verdict_rejected"), 1.0 - share(Verdict::Good));
    for (const char* id : {"verdict_rejected", "bad_share"}) {
        const MetricInterval* interval = model.interval(id);
        QVERIFY2(interval != nullptr && interval->low <= model.metric(id) && interval->high >= model.metric(id), id);
        QVERIFY2(interval->low > 0.2 && interval->high < 0.5, id);
    }
}

void VerdictsTest::plantedFaultsHaveTheirWord_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("word");
    QTest::newRow("noise") << "noise"
                           << "unrealistic";
    QTest::newRow("copies with noise") << "copies"
                                       << "copy";
    QTest::newRow("between two modes") << "between"
                                       << "invented";
    QTest::newRow("collapsed") << "collapsed"
                               << "crowded";
}

/// 20 % of the samples.
void VerdictsTest::plantedFaultsHaveTheirWord() {
    QFETCH(QString, fault);
    QFETCH(QString, word);
    constexpr std::size_t kRows = 600;
    constexpr std::size_t kPlanted = 120;
    // Two modes, and a wide one far away, so that a gap between the two is not farther from real rows than these are.
    const auto modes = [](std::size_t rows, unsigned seed) {
        Matrix made = test::gaussian(rows, 6, seed);
        for (std::size_t row = 0; row < rows; ++row) {
            float* const values = made.values.data() + row * 6;
            if (row % 10 == 9) {
                std::transform(values, values + 6, values, [](float value) { return 4.0F * value; });
                values[1] += 60.0F;
            } else if (row % 2 == 0) {
                values[0] += 12.0F;
            }
        }
        return made;
    };
    const Matrix real = modes(kRows, 1);
    Matrix planted = test::gaussian(kPlanted, 6, 3, 0.0F, fault == "noise" ? 60.0F : 0.3F);
    for (std::size_t i = 0; i < planted.values.size(); ++i)
        if (fault == "copies")
            planted.values[i] = real.values[i] + 0.1F * planted.values[i];
        else if (fault == "between" && i % 6 == 0)
            planted.values[i] += 6.0F;
    const auto result = audit(real, test::joined(planted, modes(kRows - kPlanted, 2)));
    const Values& verdict = result->models.front()->column("verdict");
    std::size_t named = 0;
    std::size_t right = 0;
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < kRows; ++j) {
        named += j < kPlanted && verdict[j] != 0.0 ? 1 : 0;
        wrong += j >= kPlanted && verdict[j] != 0.0 ? 1 : 0;
        right += j < kPlanted && kVerdictWords[static_cast<std::size_t>(verdict[j])] == word.toStdString() ? 1 : 0;
    }
    const auto counts = QString("%1 named, %2 of them right, %3 good ones").arg(named).arg(right).arg(wrong);
    QVERIFY2(named >= 95, qPrintable(counts));
    QVERIFY2(static_cast<double>(right) >= 0.9 * static_cast<double>(named), qPrintable(counts));
    QVERIFY2(wrong <= 12, qPrintable(counts));
}

void VerdictsTest::orderOfRowsDoesNotMatter() {
    for (const char* name : {"with held-out samples", "copies and duplicates", "ties, held out", "three times"}) {
        const Case given = cases().at(name);
        std::vector<std::uint32_t> order(given.synthetic.rows);
        std::iota(order.begin(), order.end(), 0U);
        Random(5).shuffle(order);
        const auto shuffled = [](const Matrix& from, const std::vector<std::uint32_t>& rows) {
            Matrix made{{}, rows.size(), from.dim};
            for (const std::uint32_t row : rows)
                made.values.insert(made.values.end(), from.view().row(row).begin(), from.view().row(row).end());
            return made;
        };
        std::vector<std::uint32_t> realOrder(given.real.rows);
        std::iota(realOrder.begin(), realOrder.end(), 0U);
        Random(6).shuffle(realOrder);
        const Matrix* heldOut = given.heldOut.rows > 0 ? &given.heldOut : nullptr;
        const auto first = audit(given.real, given.synthetic, heldOut);
        const auto second = audit(shuffled(given.real, realOrder), shuffled(given.synthetic, order), heldOut);
        for (const char* column : {"p_any", "verdict", "copy_ratio", "log_density_ratio"})
            for (std::size_t at = 0; at < order.size(); ++at)
                QVERIFY2(second->models.front()->column(column)[at] == first->models.front()->column(column)[order[at]],
                         qPrintable(QString("%1, %2, row %3").arg(name).arg(column).arg(at)));
        for (const char* column : {"p_uncovered", "coverage_verdict"})
            for (std::size_t at = 0; at < realOrder.size(); ++at)
                QVERIFY2(second->models.front()->column(column)[at] ==
                             first->models.front()->column(column)[realOrder[at]],
                         qPrintable(QString("%1, %2, row %3").arg(name).arg(column).arg(at)));
    }
}

/// Held-out rows that are training rows with noise would excuse such copies.
void VerdictsTest::dirtyHeldOutRowsDoNotCalibrate() {
    const Matrix real = test::gaussian(500, 16, 1);
    const auto nearly = [&](unsigned seed) {
        Matrix noise = test::gaussian(200, 16, seed, 0.0F, 0.03F);
        for (std::size_t i = 0; i < noise.values.size(); ++i)
            noise.values[i] += real.values[i];
        return noise;
    };
    const Matrix heldOut = test::joined(nearly(2), test::gaussian(100, 16, 3));
    const auto result = audit(real, test::joined(nearly(4), test::gaussian(200, 16, 5)), &heldOut);
    const Values& verdict = result->models.front()->column("verdict");
    const auto copies = std::count(verdict.begin(), verdict.begin() + 200, static_cast<double>(Verdict::Copy));
    QVERIFY2(copies >= 195, qPrintable(QString::number(copies)));
    const auto wrong = std::count_if(verdict.begin() + 200, verdict.end(), [](double v) { return v != 0.0; });
    QVERIFY2(wrong <= 15, qPrintable(QString::number(wrong)));
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

void VerdictsTest::setsTooSmallForDrawsAreNotJudged() {
    const auto few = audit(test::gaussian(6, 2, 1), test::gaussian(8, 2, 2, 50.0F));
    QVERIFY(!few->models.front()->hasMetric("coverage_missed"));
    QVERIFY(!few->models.front()->hasColumn("coverage_verdict"));
    // Many synthetic samples for few real ones are compared with draws of such sizes.
    const auto uneven = audit(test::gaussian(100, 50, 3), test::gaussian(1000, 50, 4));
    QCOMPARE(uneven->models.front()->metric("coverage_missed"), 0.0);
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
    const std::size_t audits = test::sized<std::size_t>(24, 8);
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
