// Sample size, discarding, and how curves are added to an audit and written.
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/curves/requested_curves.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace assay;
using test::Matrix;

namespace {

/// Good samples, and every fifth one somewhere else.
Matrix mixed(std::size_t rows, std::size_t dim, unsigned seed) {
    Matrix matrix = test::gaussian(rows, dim, seed);
    for (std::size_t row = 0; row < rows; row += 5)
        for (std::size_t d = 0; d < dim; ++d)
            matrix.values[row * dim + d] *= 4.0F;
    return matrix;
}

std::shared_ptr<const AuditResult> mixedAudit(std::size_t rows = 300) {
    AuditOptions options;
    options.seed = 5;
    return runAudit({test::asSet(test::gaussian(rows + 20, 6, 1), "real"),
                     {{"model", test::asSet(mixed(rows, 6, 2), "model")}},
                     options,
                     {}});
}

const std::vector<double>& lineOf(const CurveValues& curve, const std::string& name) {
    return std::find_if(curve.lines.begin(), curve.lines.end(),
                        [&](const CurveLine& line) { return line.name == name; })
        ->y;
}

bool sameBits(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// An audit of some rows of either set, in ascending order.
std::shared_ptr<const AuditResult> auditOf(const AuditResult& whole, std::vector<std::uint32_t> real,
                                           std::vector<std::uint32_t> synthetic) {
    std::sort(real.begin(), real.end());
    std::sort(synthetic.begin(), synthetic.end());
    AuditOptions options;
    options.seed = whole.seed;
    return runAudit({curves::rowsOf(*whole.real->set, real, "real", {}),
                     {{"model", curves::rowsOf(*whole.models[0]->set, synthetic, "model", {})}},
                     options,
                     {}});
}

std::vector<std::uint32_t> allRows(const EmbeddingSet& set) {
    std::vector<std::uint32_t> rows(set.rows());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

QJsonObject jsonOf(const AuditResult& audit) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(audit))).object();
}

} // namespace

class SubsetCurvesTest : public QObject {
    Q_OBJECT

private slots:
    void removesWorstFirst();
    void discardPointsEqualAudits_data();
    void discardPointsEqualAudits();
    void discardingTheWorstHelpsMoreThanChance();
    void tradeoffIsThePceAndReOfTheCurve();
    void refusesColumnsThatAreNoScores();
    void sampleSizePointsAreMeansOfAudits();
    void sampleSizePartsShareNoSample();
    void sampleSizeBandNarrowsWithTheRoot();
    void sampleSizeBandEndsWhereTheMetricDoes();
    void sampleSizeOfASmallSetIsOnePoint();
    void curvesAreAddedToTheAudit();
    void heldOutSamplesAreTheGoodOnes();
    void jsonHoldsTheCurves();
    void drawsOnlyWhatDependsOnTheModel();
    void stopsWhenAsked();
};

void SubsetCurvesTest::removesWorstFirst() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> score{0.5, 0.1, nan, 0.9, 0.1};
    const auto low = worstFirst(score, Direction::Higher, 1);
    QCOMPARE(low[0], 2U);
    QVERIFY((std::set<std::uint32_t>{low[1], low[2]} == std::set<std::uint32_t>{1, 4}));
    QCOMPARE(low[3], 0U);
    QCOMPARE(low[4], 3U);
    for (const Direction direction : {Direction::Lower, Direction::Neutral}) {
        const auto high = worstFirst(score, direction, 1);
        QCOMPARE(high[0], 2U);
        QCOMPARE(high[1], 3U);
        QCOMPARE(high[2], 0U);
    }
    // Ties go in random order, not by row.
    const std::vector<double> equal(100, 1.0);
    QVERIFY(!std::ranges::is_sorted(worstFirst(equal, Direction::Higher, 1)));
    QVERIFY(worstFirst(equal, Direction::Higher, 1) != worstFirst(equal, Direction::Higher, 2));
}

void SubsetCurvesTest::discardPointsEqualAudits_data() {
    QTest::addColumn<QString>("column");
    for (const char* column : {"pce", "fidelity", "authentic", "re", "nearest_real_distance"})
        QTest::newRow(column) << column;
}

void SubsetCurvesTest::discardPointsEqualAudits() {
    QFETCH(QString, column);
    const auto audit = mixedAudit();
    const std::string id = column.toStdString();
    const CurveValues curve = discardCurve(audit, 0, id);
    const ModelAudit& model = *audit->models[0];
    const std::vector<std::uint32_t> orders[] = {
        worstFirst(model.column(id), findColumn(id)->better, audit->seed),
        curves::shuffledRows(model.set->rows(), audit->seed, curves::Draw::Removal)};
    QCOMPARE(curve.x.size(), std::size_t{10});
    QVERIFY(curve.lines.size() >= 20);
    for (std::size_t step = 0; step < 10; step += test::sized<std::size_t>(1, 3)) {
        QCOMPARE(curve.x[step], static_cast<double>(step) / 10.0);
        for (std::size_t kind = 0; kind < 2; ++kind) {
            const auto first = orders[kind].begin() + static_cast<std::ptrdiff_t>(step * model.set->rows() / 10);
            const auto expected = auditOf(*audit, allRows(*audit->real->set), {first, orders[kind].end()});
            for (const Metric* metric : curves::drawnMetrics(SubsetScores::Samples)) {
                const std::string name = std::string(metric->id) + (kind == 0 ? "" : "/random");
                const double value = expected->models[0]->metric(metric->id);
                const double found = lineOf(curve, name)[step];
                QVERIFY2(metric->needs == needs::kTables
                             ? sameBits(found, value)
                             : sameBits(found, value) || std::abs(found - value) <= 1e-12 * std::abs(value),
                         name.c_str());
            }
        }
    }
}

void SubsetCurvesTest::discardingTheWorstHelpsMoreThanChance() {
    const CurveValues curve = discardCurve(mixedAudit(), 0, "pce");
    QVERIFY(lineOf(curve, "pce")[3] < lineOf(curve, "pce/random")[3] - 0.5);
    QVERIFY(lineOf(curve, "clipped_density")[3] > lineOf(curve, "clipped_density/random")[3] + 0.05);
    QCOMPARE(lineOf(curve, "clipped_density")[0], lineOf(curve, "clipped_density/random")[0]);
}

void SubsetCurvesTest::tradeoffIsThePceAndReOfTheCurve() {
    const CurveValues curve = discardCurve(mixedAudit(), 0, "pce");
    const CurveValues tradeoff = pceReTradeoff(curve);
    QCOMPARE(tradeoff.id, std::string_view("pce_re_tradeoff"));
    QCOMPARE(tradeoff.lines.size(), std::size_t{4});
    for (const char* name : {"pce", "re", "pce/random", "re/random"})
        QCOMPARE(lineOf(tradeoff, name), lineOf(curve, name));
    // What is discarded for fidelity is paid for in diversity.
    QVERIFY(lineOf(tradeoff, "re")[9] < lineOf(tradeoff, "re")[0]);
}

void SubsetCurvesTest::refusesColumnsThatAreNoScores() {
    const auto audit = mixedAudit(60);
    for (const char* column : {"rce", "nearest_real", "nothing", ""})
        QVERIFY(test::saysAll(test::refusalOf([&] { discardCurve(audit, 0, column); }, ErrorKind::InvalidArgument),
                              column));
}

void SubsetCurvesTest::sampleSizePointsAreMeansOfAudits() {
    const auto audit = mixedAudit(440);
    const CurveValues curve = sampleSizeCurve(audit, 0);
    const auto realOrder = curves::shuffledRows(460, audit->seed, curves::Draw::RealPart);
    const auto syntheticOrder = curves::shuffledRows(440, audit->seed, curves::Draw::SyntheticPart);
    QCOMPARE(curve.x, (std::vector<double>{55, 110, 220, 440}));
    std::vector<std::vector<std::vector<double>>> scores(curve.lines.size()); // line, point, part
    for (std::size_t point = 0; point < 4; ++point) {
        const std::size_t parts = 8U >> point;
        for (auto& line : scores)
            line.emplace_back();
        for (std::size_t part = 0; part < parts; ++part) {
            const auto rows = [&](const std::vector<std::uint32_t>& order) {
                const std::size_t each = order.size() / parts;
                const auto first = order.begin() + static_cast<std::ptrdiff_t>(part * each);
                return std::vector<std::uint32_t>(first, first + static_cast<std::ptrdiff_t>(each));
            };
            const auto some = auditOf(*audit, rows(realOrder), rows(syntheticOrder));
            for (std::size_t line = 0; line < scores.size(); ++line)
                scores[line][point].push_back(some->models[0]->metric(curve.lines[line].name));
        }
    }
    for (std::size_t line = 0; line < scores.size(); ++line) {
        const CurveLine& found = curve.lines[line];
        double squares = 0.0; // of n times the deviation from the mean of a size, 7 + 3 + 1 of them free
        for (std::size_t point = 0; point < 4; ++point) {
            const std::vector<double>& parts = scores[line][point];
            const double mean = std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(parts.size());
            QVERIFY2(std::abs(found.y[point] - mean) <= 1e-12 * (1.0 + std::abs(mean)), found.name.c_str());
            for (const double score : parts)
                squares += curve.x[point] * (score - mean) * (score - mean);
        }
        for (std::size_t point = 0; point < 4; ++point) {
            const double reach = 1.959964 * std::sqrt(squares / 11.0 / curve.x[point]);
            const MetricRange bounds = rangeOf(*findMetric(found.name));
            const double high = std::min(found.y[point] + reach, bounds.high);
            const double low = std::max(found.y[point] - reach, bounds.low);
            QVERIFY2(std::abs(found.high[point] - high) <= 1e-6 * reach, found.name.c_str());
            QVERIFY2(std::abs(found.low[point] - low) <= 1e-6 * reach, found.name.c_str());
        }
    }
}

void SubsetCurvesTest::sampleSizePartsShareNoSample() {
    // Parts are runs of one order, which names every row once.
    auto order = curves::shuffledRows(500, 9, curves::Draw::SyntheticPart);
    std::sort(order.begin(), order.end());
    for (std::uint32_t row = 0; row < 500; ++row)
        QCOMPARE(order[row], row);
}

void SubsetCurvesTest::sampleSizeBandNarrowsWithTheRoot() {
    const CurveValues curve = sampleSizeCurve(mixedAudit(800), 0);
    for (const CurveLine& line : curve.lines) {
        QCOMPARE(line.low.size(), curve.x.size());
        const MetricRange bounds = rangeOf(*findMetric(line.name));
        const std::size_t last = curve.x.size() - 1; // the narrowest band
        const double reach = std::max(line.high[last] - line.y[last], line.y[last] - line.low[last]);
        for (std::size_t point = 0; point < curve.x.size(); ++point) {
            const double expected = reach * std::sqrt(curve.x[last] / curve.x[point]);
            const double allowed = 1e-9 * (1.0 + expected);
            QVERIFY2(std::abs(line.high[point] - std::min(line.y[point] + expected, bounds.high)) <= allowed,
                     line.name.c_str());
            QVERIFY2(std::abs(line.low[point] - std::max(line.y[point] - expected, bounds.low)) <= allowed,
                     line.name.c_str());
        }
    }
    // A share scatters by at most half at one sample.
    const auto line = std::find_if(curve.lines.begin(), curve.lines.end(),
                                   [](const CurveLine& candidate) { return candidate.name == "precision"; });
    QVERIFY(line->high.back() - line->low.back() > 0.005);
    QVERIFY(line->high.back() - line->low.back() < 2.0 * 1.96 * 0.5 / std::sqrt(800.0));
}

void SubsetCurvesTest::sampleSizeBandEndsWhereTheMetricDoes() {
    QCOMPARE(rangeOf(*findMetric("recall")).high, 1.0);
    QCOMPARE(rangeOf(*findMetric("density")).low, 0.0);
    QVERIFY(rangeOf(*findMetric("density")).high > 1e300 && rangeOf(*findMetric("pce")).low < -1e300);
    // Good samples, whose scores are near 1, and samples of which hardly any has real ones about it.
    Matrix far = test::gaussian(440, 6, 3);
    for (std::size_t i = 0; i < far.values.size(); ++i)
        far.values[i] = far.values[i] * 2.0F + (i % 6 == 0 ? 3.0F : 0.0F);
    bool least = false;
    bool most = false;
    for (const Matrix& model : {test::gaussian(440, 6, 2), far}) {
        const auto audit = runAudit(
            {test::asSet(test::gaussian(460, 6, 1), "real"), {{"model", test::asSet(model, "model")}}, {}, {}});
        const CurveValues curve = sampleSizeCurve(audit, 0);
        for (const CurveLine& line : curve.lines) {
            const MetricRange bounds = rangeOf(*findMetric(line.name));
            for (std::size_t point = 0; point < curve.x.size(); ++point) {
                QVERIFY2(line.low[point] >= bounds.low && line.high[point] <= bounds.high, line.name.c_str());
                QVERIFY2(line.low[point] <= line.y[point] && line.y[point] <= line.high[point], line.name.c_str());
                // A line that is the same everywhere has no band to be cut off.
                least = least || (line.low[point] == bounds.low && line.y[point] > bounds.low);
                most = most || (line.high[point] == bounds.high && line.y[point] < bounds.high);
            }
        }
    }
    QVERIFY(least && most);
}

void SubsetCurvesTest::sampleSizeOfASmallSetIsOnePoint() {
    const CurveValues curve = sampleSizeCurve(mixedAudit(90), 0);
    QCOMPARE(curve.x, std::vector<double>{90});
    QVERIFY(curve.lines.front().low.empty() && curve.lines.front().high.empty());
}

void SubsetCurvesTest::curvesAreAddedToTheAudit() {
    const auto audit = mixedAudit(200);
    CurveRequest request;
    request.discard = {"pce"};
    const auto first = withCurves(audit, request, {});
    QVERIFY(audit->curves.empty());
    QCOMPARE(first->models[0], audit->models[0]);
    QVERIFY(findRequestedCurve(*first, "discard_by_pce", "model"));
    QCOMPARE(findRequestedCurve(*first, "discard_by_pce", "model")->note, std::string("worst first by PCE; seed 5"));
    QVERIFY(findRequestedCurve(*first, "pce_re_tradeoff", "model"));
    QVERIFY(!findRequestedCurve(*first, "discard_by_pce"));
    request = {};
    request.badFraction.emplace();
    request.sampleSize = true;
    request.discard = {"pce", "fidelity"};
    const auto second = withCurves(first, request, {});
    QCOMPARE(second->curves.size(), std::size_t{3 + 1 + 3}); // what was there is replaced, not doubled
    for (const RequestedCurve& curve : second->curves) {
        QVERIFY2(findAnyCurve(curve.values.id), curve.key.c_str());
        QVERIFY2(!curve.note.empty(), curve.key.c_str());
        for (const CurveLine& line : curve.values.lines)
            QCOMPARE(line.y.size(), curve.values.x.size());
    }
    request = {};
    request.discard = {"rce"};
    QVERIFY(test::saysAll(test::refusalOf([&] { withCurves(audit, request, {}); }, ErrorKind::InvalidArgument), "rce"));
}

void SubsetCurvesTest::heldOutSamplesAreTheGoodOnes() {
    const auto real = test::asSet(test::gaussian(160, 4, 70), "real");
    const auto heldOut = test::asSet(test::gaussian(120, 4, 71), "kept aside");
    AuditRequest asked{real, {{"model", test::asSet(mixed(160, 4, 72), "model")}}, {}, {}};
    asked.heldOut = heldOut;
    const auto audit = runAudit(asked, {});
    CurveRequest request;
    request.badFraction.emplace();
    const auto curve = *findRequestedCurve(*withCurves(audit, request, {}), "bad_fraction");
    QVERIFY2(curve.note.starts_with("120 good samples of kept aside"), curve.note.c_str());
    QVERIFY2(curve.note.find("reference of 160 real samples") != std::string::npos, curve.note.c_str());
    const BadFractionCurves named = badFractionCurves(real, {heldOut, nullptr}, {});
    QCOMPARE(curve.values.lines.front().y, named.raw.lines.front().y);
    QCOMPARE(curve.samples, std::size_t{120});
    QVERIFY(curve.bad.empty());
    request.badFraction->good = test::asSet(test::gaussian(90, 4, 73), "others"); // what is named goes first
    const auto others = *findRequestedCurve(*withCurves(audit, request, {}), "bad_fraction");
    QVERIFY2(others.note.starts_with("90 good samples of others"), others.note.c_str());
    request.badFraction->bad = test::asSet(test::gaussian(40, 4, 74), "faults");
    const auto few = *findRequestedCurve(*withCurves(audit, request, {}), "bad_fraction");
    QCOMPARE(few.samples, std::size_t{40}); // no more than there are bad ones
    QCOMPARE(few.bad, std::string("faults"));
}

void SubsetCurvesTest::jsonHoldsTheCurves() {
    const auto audit = mixedAudit(200);
    CurveRequest request;
    request.badFraction.emplace();
    request.discard = {"fidelity"};
    const QJsonObject json = jsonOf(*withCurves(audit, request, {}));
    const QJsonObject bad = json["curves"].toObject()["bad_fraction"].toObject();
    QCOMPARE(bad["x"].toArray().size(), 11);
    QCOMPARE(bad["lines"].toObject()["clipped_density"].toObject()["y"].toArray().size(), 11);
    QVERIFY(bad["note"].toString().contains("seed 5"));
    const QJsonObject model = json["models"].toArray()[0].toObject();
    QVERIFY(model["curves"].toObject().contains("k_sensitivity"));
    QVERIFY(model["curves"].toObject().contains("coverage_calibration"));
    QCOMPARE(model["curves"].toObject()["discard_by_fidelity"].toObject()["x"].toArray().size(), 10);
    const double equivalent = model["equivalent_bad_fraction"].toObject()["clipped_density"].toDouble(-1.0);
    QVERIFY2(equivalent > 0.05 && equivalent < 0.5, qPrintable(QString::number(equivalent)));
    const QJsonObject plain = jsonOf(*audit);
    QVERIFY(plain["curves"].toObject().isEmpty());
    QVERIFY(!plain["models"].toArray()[0].toObject().contains("equivalent_bad_fraction"));
}

void SubsetCurvesTest::drawsOnlyWhatDependsOnTheModel() {
    std::set<std::string_view> ids;
    for (const Metric* metric : curves::drawnMetrics(SubsetScores::Samples))
        ids.insert(metric->id);
    for (const char* drawn :
         {"clipped_density", "density", "pce", "sym_recall", "p_precision", "p_recall", "precision_cover",
          "recall_cover", "integrated_alpha_precision", "integrated_beta_recall", "realism"})
        QVERIFY2(ids.contains(drawn), drawn);
    for (const char* left : {"real_entropy", "clipped_density_real", "degenerate_neighbors", "frechet_distance"})
        QVERIFY2(!ids.contains(left), left);
}

void SubsetCurvesTest::stopsWhenAsked() {
    const auto audit = runAudit({test::asSet(test::gaussian(1000, 8, 60), "real"),
                                 {{"model", test::asSet(mixed(1000, 8, 61), "model")}},
                                 {},
                                 {}});
    CurveRequest request;
    request.sampleSize = true;
    request.discard = {"pce"};
    const std::string failure =
        test::stopFailure([&](const JobContext& job) { withCurves(audit, request, {}, job); }, 200);
    QVERIFY2(failure.empty(), failure.c_str());
}

ASSAY_TEST(subset_curves_test, SubsetCurvesTest)
#include "subset_curves_test.moc"
