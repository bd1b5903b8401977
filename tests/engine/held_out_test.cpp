// A held-out real set: what it refuses, what it tells of copies, and thresholds read as false alarms.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/held_out/copy_test.h"
#include "engine/metrics/held_out/feature_likelihood.h"
#include "engine/metrics/held_out/gaussian_mixture.h"
#include "engine/report/scores/json_parts.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/good_samples.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

using namespace assay;
using test::Matrix;
using Values = std::vector<double>;

namespace {

bool close(double found, double expected, double tolerance = 1e-11) {
    return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

double squaredBetween(MatrixView a, std::size_t rowA, MatrixView b, std::size_t rowB) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim; ++c) {
        const double from = static_cast<double>(a.rowData(rowA)[c]) - static_cast<double>(b.rowData(rowB)[c]);
        sum += from * from;
    }
    return sum;
}

/// U counted pair by pair.
double naiveZ(const Values& first, const Values& second) {
    double u = 0.0;
    for (const double a : first)
        for (const double b : second)
            u += a > b ? 1.0 : a == b ? 0.5 : 0.0;
    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    return (u - n * m / 2.0 + 0.5) / std::sqrt(n * m * (n + m + 1.0) / 12.0);
}

/// Three clusters, the first `first` rows of the first one.
Matrix blobs(std::size_t rows, unsigned seed, float sigma = 1.0F) {
    Matrix all = test::gaussian(rows / 2, 6, seed, 0.0F, sigma);
    all = test::joined(all, test::gaussian(rows / 4, 6, seed + 100, 30.0F, sigma));
    return test::joined(all, test::gaussian(rows / 4, 6, seed + 200, -30.0F, sigma));
}

/// Rows of a matrix, each coordinate moved a little.
Matrix nearCopies(const Matrix& of, std::size_t rows, unsigned seed, float by) {
    const Matrix noise = test::gaussian(rows, of.dim, seed, 0.0F, by);
    Matrix copies{{}, rows, of.dim};
    for (std::size_t v = 0; v < rows * of.dim; ++v)
        copies.values.push_back(of.values[v] + noise.values[v]);
    return copies;
}

std::shared_ptr<const AuditResult> audit(const Matrix& real, const std::vector<Matrix>& models, const Matrix& heldOut,
                                         const AuditOptions& options = {}) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    for (const Matrix& model : models)
        request.models.push_back({"model" + std::to_string(request.models.size()), test::asSet(model, "model")});
    request.heldOut = test::asSet(heldOut, "held-out");
    request.options = options;
    return runAudit(request);
}

/// Log-likelihoods of the published mixture and its fit, in plain double loops over all pairs.
class NaiveMixture {
public:
    NaiveMixture(MatrixView centres, MatrixView rows)
        : centres_(centres), rows_(rows), half_(0.5 * static_cast<double>(rows.dim)) {
        for (std::size_t j = 0; j < centres.rows; ++j) {
            double least = INFINITY;
            for (std::size_t r = 0; r < rows.rows; ++r)
                least = std::min(least, squaredBetween(rows, r, centres, j));
            logs.push_back(std::log((least + 1e-3) / static_cast<double>(rows.dim)));
        }
    }

    void fit() {
        Values first(logs.size() + 1, 0.0);
        Values second(first);
        Values losses;
        for (int step = 1; step <= 50; ++step) {
            const auto [loss, gradient] = lossAndGradient();
            losses.push_back(loss);
            for (std::size_t p = 0; p < gradient.size(); ++p) {
                first[p] = 0.9 * first[p] + 0.1 * gradient[p];
                second[p] = 0.999 * second[p] + 0.001 * gradient[p] * gradient[p];
                double& value = p < logs.size() ? logs[p] : origin_;
                value -= 0.5 * (first[p] / (1.0 - std::pow(0.9, step))) /
                         (std::sqrt(second[p] / (1.0 - std::pow(0.999, step))) + 1e-8);
                if (p < logs.size())
                    value = std::clamp(value, -40.0, 40.0);
            }
            if (step > 6 &&
                std::all_of(losses.end() - 5, losses.end(), [&](double one) { return std::abs(one - loss) < 5e-4; }))
                break;
        }
    }

    double nll(MatrixView rows) const {
        double sum = 0.0;
        for (std::size_t r = 0; r < rows.rows; ++r) {
            Values terms;
            for (std::size_t j = 0; j < logs.size(); ++j)
                terms.push_back(term(squaredBetween(rows, r, centres_, j), logs[j]) -
                                std::log(static_cast<double>(logs.size())));
            sum -= logSum(terms);
        }
        return sum / static_cast<double>(rows.rows * rows.dim);
    }

    Values logs;

private:
    double term(double squared, double log) const {
        return -0.5 * squared / std::exp(log) - half_ * log - half_ * std::log(2.0 * std::numbers::pi);
    }

    static double logSum(const Values& terms) {
        const double most = *std::max_element(terms.begin(), terms.end());
        double sum = 0.0;
        for (const double one : terms)
            sum += std::exp(one - most);
        return most + std::log(sum);
    }

    std::pair<double, Values> lossAndGradient() const {
        Values mean(rows_.dim, 0.0);
        for (std::size_t r = 0; r < rows_.rows; ++r)
            for (std::size_t c = 0; c < rows_.dim; ++c)
                mean[c] += static_cast<double>(rows_.rowData(r)[c]) / static_cast<double>(rows_.rows);
        const double whole = static_cast<double>(rows_.rows * rows_.dim);
        Values gradient(logs.size() + 1, 0.0);
        double loss = 0.0;
        for (std::size_t r = 0; r < rows_.rows; ++r) {
            Values squared;
            Values terms;
            for (std::size_t j = 0; j < logs.size(); ++j) {
                squared.push_back(squaredBetween(rows_, r, centres_, j));
                terms.push_back(term(squared.back(), logs[j]) - std::log(static_cast<double>(logs.size())));
            }
            double away = 0.0;
            for (std::size_t c = 0; c < rows_.dim; ++c)
                away += std::pow(static_cast<double>(rows_.rowData(r)[c]) - mean[c], 2.0);
            squared.push_back(0.81 * away);
            terms.push_back(term(squared.back(), origin_));
            const double log = logSum(terms);
            loss -= log / whole;
            for (std::size_t p = 0; p < terms.size(); ++p) {
                const double own = p < logs.size() ? logs[p] : origin_;
                gradient[p] -= std::exp(terms[p] - log) * (0.5 * squared[p] / std::exp(own) - half_) / whole;
            }
        }
        return {loss, gradient};
    }

    MatrixView centres_;
    MatrixView rows_;
    double half_;
    double origin_ = 0.0;
};

} // namespace

class HeldOutTest : public QObject {
    Q_OBJECT

private slots:
    void refusesWhatDoesNotFit();
    void mannWhitneyCountsPairs();
    void regionsAreTheClusters();
    void fewDifferentRowsMakeFewRegions();
    void regionDistancesStayInTheRegion();
    void copyTestWeighsRegions();
    void tellsCopiesFromRealAndPoorSamples();
    void mixtureFollowsThePublishedFit();
    void featuresThatDoNotVaryAreLeftOut();
    void thresholdsReadAsFalseAlarms();
    void quantilesOfTheHeldOutScores();
    void addedModelsAreComparedToo();
    void threadsChangeNothing();
    void stopsWhenAsked();
};

void HeldOutTest::refusesWhatDoesNotFit() {
    const Matrix real = test::gaussian(60, 5, 1);
    const Matrix model = test::gaussian(50, 5, 2);
    const QString other = test::refusalOf([&] { audit(real, {model}, test::gaussian(40, 6, 3)); });
    QVERIFY2(other.contains("held-out: expected 5 columns") && other.contains("found 6"), qPrintable(other));
    const QString few =
        test::refusalOf([&] { audit(real, {model}, test::gaussian(5, 5, 3)); }, ErrorKind::InvalidArgument);
    QVERIFY2(few.contains("held-out: expected more than k = 5 rows, found 5"), qPrintable(few));
    const auto without = runAudit({test::asSet(real, "real"), {{"model", test::asSet(model, "model")}}, {}, {}});
    QVERIFY(!without->heldOut);
    QVERIFY(!without->models[0]->hasMetric("ct_score"));
    QVERIFY(heldOutQuantiles(*without).empty());
}

void HeldOutTest::mannWhitneyCountsPairs() {
    std::mt19937 random(4);
    for (const unsigned levels : {3U, 1000000U})
        for (const auto& [m, n] : {std::pair{1, 1}, std::pair{30, 20}, std::pair{7, 90}}) {
            Values first;
            Values second;
            for (int i = 0; i < m; ++i)
                first.push_back(static_cast<double>(random() % levels));
            for (int i = 0; i < n; ++i)
                second.push_back(static_cast<double>(random() % levels));
            QVERIFY(close(metrics::mannWhitneyZ(first, second), naiveZ(first, second)));
        }
    QVERIFY(std::isnan(metrics::mannWhitneyZ({}, Values{1.0})));
}

void HeldOutTest::regionsAreTheClusters() {
    const Matrix set = blobs(400, 5);
    const Cells cells = kMeans(set.view(), 3, {7, 0, {}});
    QCOMPARE(cells.count(), std::size_t{3});
    for (std::size_t row = 0; row < 400; ++row)
        QCOMPARE(cells.cell[row], cells.cell[row < 200 ? 0 : row < 300 ? 200 : 300]);
    QVERIFY(cells.cell[0] != cells.cell[200] && cells.cell[200] != cells.cell[300] && cells.cell[0] != cells.cell[300]);
    const Cells one = kMeans(set.view(), 3, {7, 1, {}});
    QVERIFY(one.centres == cells.centres);
    QVERIFY(cellsOf(set.view(), cells, 0, {}) == cells.cell);
}

void HeldOutTest::fewDifferentRowsMakeFewRegions() {
    const Matrix two = test::repeated(test::gaussian(2, 4, 6), 50);
    const Cells cells = kMeans(two.view(), 3, {0, 0, {}});
    QCOMPARE(cells.count(), std::size_t{2});
    QVERIFY(cells.cell[0] != cells.cell[1]);
    QCOMPARE(kMeans(test::repeated(test::gaussian(1, 4, 6), 9).view(), 3, {0, 0, {}}).count(), std::size_t{1});
}

void HeldOutTest::regionDistancesStayInTheRegion() {
    const Matrix real = test::gaussian(300, 3, 8);
    const Matrix samples = test::gaussian(200, 3, 9, 0.0F, 1.5F);
    AuditOptions options;
    options.k = 1;
    options.storedNeighbors = 1; // so that the table seldom answers
    options.cover = {1, 1};
    const auto result = audit(real, {samples}, samples, options);
    const CopyTestRegions& regions = *result->heldOut->basis.regions;
    std::size_t elsewhere = 0;
    for (std::size_t row = 0; row < samples.rows; ++row) {
        double least = INFINITY;
        double any = INFINITY;
        for (std::size_t i = 0; i < real.rows; ++i) {
            const double distance = std::sqrt(squaredBetween(samples.view(), row, real.view(), i));
            any = std::min(any, distance);
            if (regions.cells.cell[i] == regions.heldOut.region[row])
                least = std::min(least, distance);
        }
        elsewhere += any < least ? 1 : 0;
        QVERIFY(close(regions.heldOut.nearest[row], least));
    }
    QVERIFY(elsewhere > 0);
}

void HeldOutTest::copyTestWeighsRegions() {
    const RegionDistances synthetic{{0, 0, 0, 1, 1, 2}, {1.0, 2.0, 3.0, 1.0, 5.0, 9.0}};
    const RegionDistances heldOut{{0, 0, 1, 1, 1, 2}, {1.5, 2.5, 2.0, 3.0, 4.0, 1.0}};
    const double first = naiveZ({1.0, 2.0, 3.0}, {1.5, 2.5});
    const double second = naiveZ({1.0, 5.0}, {2.0, 3.0, 4.0});
    const double third = naiveZ({9.0}, {1.0});
    QVERIFY(close(metrics::copyTestScore(synthetic, heldOut, 3, 0.0), (2.0 * first + 3.0 * second + third) / 6.0));
    QVERIFY(close(metrics::copyTestScore(synthetic, heldOut, 3, 1.0 / 6.0), (2.0 * first + 3.0 * second) / 5.0));
    QVERIFY(std::isnan(metrics::copyTestScore(synthetic, heldOut, 3, 0.9)));
}

void HeldOutTest::tellsCopiesFromRealAndPoorSamples() {
    const Matrix real = blobs(800, 10);
    const auto result =
        audit(real, {nearCopies(real, 800, 11, 0.05F), blobs(800, 12), blobs(800, 13, 3.0F)}, blobs(800, 14));
    const ModelAudit& copies = *result->models[0];
    const ModelAudit& good = *result->models[1];
    const ModelAudit& poor = *result->models[2];
    for (const char* id : {"ct_score", "ct_score_global"}) {
        QVERIFY2(copies.metric(id) < -10.0, id);
        QVERIFY2(std::abs(good.metric(id)) < 4.0, id);
        QVERIFY2(poor.metric(id) > 10.0, id);
    }
    QVERIFY(copies.metric("fld_gap") < -50.0);
    QVERIFY(good.metric("fld_gap") > copies.metric("fld_gap") + 20.0);
    QVERIFY(copies.metric("fld") > good.metric("fld") + 20.0);
    QVERIFY(poor.metric("fld") > good.metric("fld") + 5.0);
}

void HeldOutTest::mixtureFollowsThePublishedFit() {
    const Matrix centres = test::gaussian(40, 3, 15);
    const Matrix rows = test::joined(test::gaussian(70, 3, 16), nearCopies(centres, 10, 17, 0.001F));
    const Matrix others = test::gaussian(50, 3, 18);
    NaiveMixture naive(centres.view(), rows.view());
    naive.fit();
    GaussianMixture mixture(centres.view(), 0);
    const double fitted = mixture.fit(rows.view(), {});
    for (std::size_t j = 0; j < centres.rows; ++j)
        QVERIFY2(close(mixture.logVariances()[j], naive.logs[j], 1e-4),
                 qPrintable(QString::number(mixture.logVariances()[j]) + " " + QString::number(naive.logs[j])));
    QVERIFY(close(mixture.meanNll(others.view(), {}), naive.nll(others.view()), 1e-4));
    QVERIFY(close(mixture.meanNll(rows.view(), {}), naive.nll(rows.view()), 1e-4));
    QVERIFY(close(mixture.meanNll(rows.view(), {}), fitted, 1e-6));
}

void HeldOutTest::featuresThatDoNotVaryAreLeftOut() {
    const auto withConstant = [](Matrix matrix) {
        Matrix wider{{}, matrix.rows, matrix.dim + 1};
        for (std::size_t r = 0; r < matrix.rows; ++r) {
            const auto row = matrix.view().row(r);
            wider.values.insert(wider.values.end(), row.begin(), row.end());
            wider.values.push_back(0.1F);
        }
        return wider;
    };
    const Matrix real = test::gaussian(150, 4, 19);
    const Matrix model = test::gaussian(140, 4, 20);
    const Matrix heldOut = test::gaussian(130, 4, 21);
    const auto plain = audit(real, {model}, heldOut);
    const auto wider = audit(withConstant(real), {withConstant(model)}, withConstant(heldOut));
    QCOMPARE(wider->models[0]->metric("fld"), plain->models[0]->metric("fld"));
    const Matrix constant = test::repeated(test::gaussian(1, 4, 22), 30);
    QVERIFY(std::isnan(audit(real, {model}, constant)->models[0]->metric("fld")));
}

void HeldOutTest::thresholdsReadAsFalseAlarms() {
    const auto result =
        audit(test::gaussian(200, 4, 23), {test::gaussian(150, 4, 24, 1.0F)}, test::gaussian(160, 4, 25));
    const Values& scores = result->heldOut->audit->column("pce");
    QCOMPARE(scores.size(), std::size_t{160});
    for (const double threshold : {scores[3], scores[40], -1e9, 1e9}) {
        const auto above = std::count_if(scores.begin(), scores.end(), [&](double s) { return s > threshold; });
        const auto below = std::count_if(scores.begin(), scores.end(), [&](double s) { return s < threshold; });
        const FilterRules atMost{{"pce", Bound::AtMost, threshold}};
        const FilterRules atLeast{{"pce", Bound::AtLeast, threshold}};
        QCOMPARE(falseAlarmRate(*result, 0, atMost).value(), static_cast<double>(above) / 160.0);
        QCOMPARE(falseAlarmRate(*result, 0, atLeast).value(), static_cast<double>(below) / 160.0);
    }
    QCOMPARE(falseAlarmRate(*result, 0, {}).value(), 0.0);
    // As in the audited set, what has no score is on neither side of a bound.
    const Values& rarity = result->heldOut->audit->column("rarity");
    const auto outside = std::ranges::count_if(rarity, [](double value) { return std::isnan(value); });
    QVERIFY(outside > 0);
    const FilterRules any{{"rarity", Bound::AtLeast, -1.0}};
    QCOMPARE(falseAlarmRate(*result, 0, any).value(), static_cast<double>(outside) / 160.0);
    for (const auto& [column, words] : {std::pair{"coverage_of_what", "no column"}, std::pair{"rce", "real samples"}}) {
        const FilterRules unfit{{column, Bound::AtLeast, 0.0}};
        const QString message = test::refusalOf([&] { falseAlarmRate(*result, 0, unfit); }, ErrorKind::InvalidArgument);
        QVERIFY2(message.contains(QLatin1String(words)), qPrintable(message));
    }
}

void HeldOutTest::quantilesOfTheHeldOutScores() {
    const auto result = audit(test::gaussian(200, 4, 26), {test::gaussian(150, 4, 27)}, test::gaussian(101, 4, 28));
    const auto table = heldOutQuantiles(*result);
    const auto find = [&](std::string_view id) {
        return *std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.column == id; });
    };
    Values pce = result->heldOut->audit->column("pce");
    std::sort(pce.begin(), pce.end());
    QCOMPARE(find("pce").values[0], pce.front());
    QCOMPARE(find("pce").values[5], pce[50]);
    QCOMPARE(find("pce").values[10], pce.back());
    QCOMPARE(find("pce").missing, std::size_t{0});
    const Values& rarity = result->heldOut->audit->column("rarity");
    const auto missing = std::count_if(rarity.begin(), rarity.end(), [](double r) { return std::isnan(r); });
    QVERIFY(missing > 0);
    QCOMPARE(find("rarity").missing, static_cast<std::size_t>(missing));
    for (const auto& entry : table)
        QVERIFY(findColumn(entry.column)->side == Side::Synthetic && entry.column != "nearest_real");
}

void HeldOutTest::addedModelsAreComparedToo() {
    const Matrix real = test::gaussian(200, 4, 29);
    const Matrix first = test::gaussian(150, 4, 30);
    const Matrix second = test::gaussian(140, 4, 31, 0.5F);
    const Matrix heldOut = test::gaussian(160, 4, 32);
    const auto both = audit(real, {first, second}, heldOut);
    const auto added = addModels(*audit(real, {first}, heldOut), {{"added", test::asSet(second, "second")}}, {});
    QCOMPARE(added->models.size(), std::size_t{2});
    for (const MetricValue& metric : both->models[1]->metrics)
        QCOMPARE(added->models[1]->metric(metric.id), metric.value);
    QVERIFY(added->models[1]->hasMetric("ct_score") && added->models[1]->hasMetric("fld"));
}

void HeldOutTest::threadsChangeNothing() {
    const Matrix real = blobs(300, 33);
    AuditOptions one;
    one.threads = 1;
    AuditOptions three;
    three.threads = 3;
    const auto a = audit(real, {blobs(280, 34)}, blobs(260, 35), one);
    const auto b = audit(real, {blobs(280, 34)}, blobs(260, 35), three);
    for (const char* id : {"fld", "fld_gap", "ct_score", "ct_score_global"})
        QCOMPARE(a->models[0]->metric(id), b->models[0]->metric(id));
}

void HeldOutTest::stopsWhenAsked() {
    const Matrix training = test::gaussian(600, 20, 36);
    const Matrix heldOut = test::gaussian(600, 20, 37);
    const std::string basis = test::stopFailure(
        [&](const JobContext& job) { likelihoodBasis(training.view(), heldOut.view(), 0, 2, job); }, 4 * training.rows);
    QVERIFY2(basis.empty(), basis.c_str());
    const std::string cells = test::stopFailure(
        [&](const JobContext& job) {
            kMeans(training.view(), 3, {0, 2, job});
        },
        training.rows);
    QVERIFY2(cells.empty(), cells.c_str());
}

ASSAY_TEST(held_out_test, HeldOutTest)
#include "held_out_test.moc"
