// What differs between two tables beyond single features: against the definitions written out, by simulation where
// chance is foretold, and on files as people have them.
#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/metrics/features/table_differences.h"
#include "engine/report/pages/report.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace assay;
using test::Matrix;

namespace {

/// A normal, an exponential and a 0-1 column with a common part, and three without: `weight` is that of the part.
Matrix mixedTable(std::size_t rows, unsigned seed, double weight) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Matrix table{std::vector<float>(rows * 6), rows, 6};
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = table.values.data() + r * 6;
        const double common = normal(random);
        const auto with = [&](double part) { return part * common + std::sqrt(1.0 - part * part) * normal(random); };
        row[0] = static_cast<float>(with(weight));
        row[1] = static_cast<float>(std::exp(0.5 * with(weight)));
        row[2] = with(weight) > 0.8 ? 1.0F : 0.0F;
        row[3] = static_cast<float>(normal(random));
        row[4] = static_cast<float>(-std::log(std::uniform_real_distribution<double>(1e-9, 1.0)(random)));
        row[5] = std::uniform_real_distribution<double>()(random) < 0.2 ? 1.0F : 0.0F;
    }
    return table;
}

std::vector<std::uint32_t> firstColumns(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

CorrelationDifferences compared(const Matrix& real, const Matrix& synthetic, unsigned threads = 1) {
    return correlationDifferences(real.view(), synthetic.view(), firstColumns(real.dim),
                                  FeatureLayout{.numbers = real.dim, .texts = {}, .gaps = {}}, {.threads = threads});
}

std::vector<double> column(const Matrix& table, std::size_t c) {
    std::vector<double> values;
    for (std::size_t r = 0; r < table.rows; ++r)
        values.push_back(static_cast<double>(table.values[r * table.dim + c]));
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double variance = 0.0;
    for (const double value : values)
        variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
    for (double& value : values)
        value = (value - mean) / std::sqrt(variance);
    return values;
}

struct Naive {
    double r = 0.0;
    double variance = 0.0; ///< of r

    Naive(const Matrix& table, std::size_t a, std::size_t b) {
        const std::vector<double> x = column(table, a);
        const std::vector<double> y = column(table, b);
        const auto n = static_cast<double>(table.rows);
        for (std::size_t i = 0; i < x.size(); ++i)
            r += x[i] * y[i] / n;
        for (std::size_t i = 0; i < x.size(); ++i)
            variance += std::pow(x[i] * y[i] - r * (x[i] * x[i] + y[i] * y[i]) / 2.0, 2) / n / n;
    }
    double zDeviation() const { return std::sqrt(variance) / (1.0 - r * r); }
    double bound(double side) const { return std::tanh(std::atanh(r) + side * 1.959963984540054 * zDeviation()); }
};

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

struct Sets {
    std::shared_ptr<const EmbeddingSet> real, model;
};

Sets readBoth(const QByteArray& real, const QByteArray& model, PreparationChoice choice = {}) {
    const test::InputFolder folder;
    folder.writeBytes("real.csv", real);
    folder.writeBytes("model.csv", model);
    const SetFiles files{folder.path("real.csv").toStdString()};
    const SetFiles others{folder.path("model.csv").toStdString()};
    ReadOptions options;
    options.choice = completedChoice(choice, {files, others}, {});
    Sets sets;
    sets.real = readSet(files, {}, options);
    options.preparation = sets.real->preparation();
    sets.model = readSet(others, {}, options);
    return sets;
}

TableDifferences differencesOf(const Sets& sets) {
    return tableDifferences(*sets.real, *sets.model,
                            featureDifferences(sets.real->matrix(), sets.model->matrix(), 1, {}), {.threads = 1});
}

/// A table of "age,job": jobs by their number of rows.
QByteArray jobs(const std::vector<std::pair<QByteArray, int>>& counts, const QByteArray& missingAge = {}) {
    QByteArray text = "age,job\n";
    int row = 0;
    for (const auto& [job, count] : counts)
        for (int i = 0; i < count; ++i, ++row)
            text += (row % 10 == 0 && !missingAge.isNull() ? missingAge : QByteArray::number(20 + row % 37)) + "," +
                    job + "\n";
    return text;
}

} // namespace

class TableDifferencesTest : public QObject {
    Q_OBJECT

private slots:
    void correlationsFollowTheDefinition();
    void equalCorrelationsSeldomDiffer();
    void intervalsAndChanceHold();
    void aLostCorrelationComesFirst();
    void perfectCorrelationsAreCompared();
    void rareFeaturesAreLeftOutAndCounted();
    void ofManyFeaturesTheMostRelevantAreCompared();
    void isTheSameForAnyNumberOfThreads();
    void categoriesAreNamedByColumnAndText();
    void columnsOfOneTextMakeNoPairs();
    void distanceByChanceHolds();
    void missingValuesAreCounted_data();
    void missingValuesAreCounted();
    void auditFilesKeepIt();
    void reportsAndJsonTellIt();
};

void TableDifferencesTest::correlationsFollowTheDefinition() {
    const Matrix real = mixedTable(400, 1, 0.8);
    const Matrix synthetic = mixedTable(300, 2, 0.3);
    const CorrelationDifferences found = compared(real, synthetic);
    QCOMPARE(found.compared, std::size_t{15});
    QCOMPARE(found.pairs.size(), std::size_t{15});
    QCOMPARE(found.realRows, std::size_t{400});
    std::map<double, double> adjusted; // naive p-value by adjusted one: both ascend together
    for (const CorrelationDifference& pair : found.pairs) {
        const Naive a(real, pair.first, pair.second);
        const Naive b(synthetic, pair.first, pair.second);
        QVERIFY(isNear(pair.real, a.r));
        QVERIFY(isNear(pair.synthetic, b.r));
        QVERIFY(isNear(pair.byChance, std::sqrt(2.0 / M_PI * a.variance * 400.0 * (1.0 / 400.0 + 1.0 / 300.0))));
        QVERIFY(isNear(pair.low, b.r - a.r - std::hypot(b.r - b.bound(-1), a.bound(1) - a.r)));
        QVERIFY(isNear(pair.high, b.r - a.r + std::hypot(b.bound(1) - b.r, a.r - a.bound(-1))));
        const double z = (std::atanh(a.r) - std::atanh(b.r)) / std::hypot(a.zDeviation(), b.zDeviation());
        adjusted[std::erfc(std::abs(z) / std::sqrt(2.0))] = pair.pValue;
    }
    double wanted = 1.0;
    auto rank = static_cast<double>(adjusted.size());
    for (auto one = adjusted.rbegin(); one != adjusted.rend(); ++one, --rank) {
        wanted = std::min(wanted, one->first * 15.0 / rank);
        QVERIFY(isNear(one->second, wanted));
    }
}

void TableDifferencesTest::equalCorrelationsSeldomDiffer() {
    // At most 5 % of such comparisons may call a pair different; 18 of 200 is beyond chance at 1 in 100.
    int wrong = 0;
    for (unsigned seed = 0; seed < 200; ++seed)
        wrong += compared(mixedTable(500, 2 * seed, 0.6), mixedTable(400, 2 * seed + 1, 0.6)).differing > 0 ? 1 : 0;
    QVERIFY2(wrong <= 18, qPrintable(QString::number(wrong)));
}

void TableDifferencesTest::intervalsAndChanceHold() {
    int held = 0;
    int pairs = 0;
    double apart = 0.0;
    double byChance = 0.0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Matrix real = mixedTable(500, 1000 + 2 * seed, 0.6);
        for (const auto& pair : compared(real, mixedTable(400, 1001 + 2 * seed, 0.6)).pairs) {
            held += pair.low <= 0.0 && pair.high >= 0.0 ? 1 : 0;
            ++pairs;
            apart += std::abs(pair.difference());
            byChance += pair.byChance;
        }
    }
    const double share = static_cast<double>(held) / pairs;
    QVERIFY2(share > 0.93 && share < 0.97, qPrintable(QString::number(share)));
    QVERIFY2(apart / byChance > 0.95 && apart / byChance < 1.05, qPrintable(QString::number(apart / byChance)));
}

void TableDifferencesTest::aLostCorrelationComesFirst() {
    const CorrelationDifferences found = compared(mixedTable(1000, 1, 0.9), mixedTable(1000, 2, 0.0));
    QCOMPARE(found.differing, std::size_t{3});
    QCOMPARE(found.pairs[0].first, 0U);
    QCOMPARE(found.pairs[0].second, 1U);
    QVERIFY(found.pairs[0].difference() < -0.5 && found.pairs[0].high < -0.4);
    for (std::size_t p = 0; p < found.pairs.size(); ++p)
        QCOMPARE(found.pairs[p].differs(), p < 3);
}

void TableDifferencesTest::perfectCorrelationsAreCompared() {
    Matrix real = mixedTable(300, 1, 0.5);
    Matrix synthetic = mixedTable(300, 2, 0.5);
    for (std::size_t r = 0; r < 300; ++r) { // equal on both sides: 3 and 4; only in the real set: 0 and 5
        real.values[r * 6 + 4] = -2.0F * real.values[r * 6 + 3];
        synthetic.values[r * 6 + 4] = -2.0F * synthetic.values[r * 6 + 3];
        real.values[r * 6 + 5] = real.values[r * 6];
    }
    const CorrelationDifferences found = compared(real, synthetic);
    const auto of = [&](std::uint32_t first, std::uint32_t second) {
        return *std::ranges::find_if(found.pairs,
                                     [&](const auto& one) { return one.first == first && one.second == second; });
    };
    QVERIFY(isNear(of(3, 4).real, -1.0) && isNear(of(3, 4).synthetic, -1.0));
    QCOMPARE(of(3, 4).differs(), false);
    QCOMPARE(of(0, 5).differs(), true);
    QVERIFY(std::isfinite(of(0, 5).low) && std::isfinite(of(0, 5).high));
}

void TableDifferencesTest::rareFeaturesAreLeftOutAndCounted() {
    Matrix real = mixedTable(400, 1, 0.5);
    const Matrix synthetic = mixedTable(400, 2, 0.5);
    for (std::size_t r = 0; r < 400; ++r) {
        real.values[r * 6 + 2] = r < 10 ? 1.0F : 0.0F;
        real.values[r * 6 + 3] = 7.0F;
    }
    const CorrelationDifferences found = compared(real, synthetic);
    QCOMPARE(found.tooRare, std::size_t{2});
    QCOMPARE(found.features, std::size_t{4});
    QCOMPARE(found.compared, std::size_t{6});
    QVERIFY(std::ranges::none_of(found.pairs, [](const auto& one) {
        return one.first == 2 || one.first == 3 || one.second == 2 || one.second == 3;
    }));
    QCOMPARE(compared(mixedTable(3, 1, 0.5), mixedTable(3, 2, 0.5)), CorrelationDifferences());
}

void TableDifferencesTest::ofManyFeaturesTheMostRelevantAreCompared() {
    const Matrix real = test::gaussian(200, 520, 1);
    const Matrix synthetic = test::gaussian(200, 520, 2);
    std::vector<std::uint32_t> order = firstColumns(520);
    std::ranges::reverse(order);
    const CorrelationDifferences found = correlationDifferences(
        real.view(), synthetic.view(), order, FeatureLayout{.numbers = 520, .texts = {}, .gaps = {}}, {});
    QCOMPARE(found.features, std::size_t{512});
    QCOMPARE(found.leftOut, std::size_t{8});
    QCOMPARE(found.compared, std::size_t{130'816});
    QCOMPARE(found.pairs.size(), CorrelationDifferences::kMaxKept);
    QVERIFY(std::ranges::all_of(found.pairs, [](const auto& one) { return one.first >= 8; }));
    const Matrix large = test::gaussian(20'500, 2, 3);
    QCOMPARE(compared(large, large).realRows, std::size_t{20'000});
    QCOMPARE(correlationRows(50'000, 300), std::size_t{4'444});
    QCOMPARE(correlationRows(50'000, 512), std::size_t{4'000});
    QCOMPARE(correlationRows(900, 300), std::size_t{900});
}

void TableDifferencesTest::isTheSameForAnyNumberOfThreads() {
    const Matrix real = mixedTable(900, 1, 0.5);
    const Matrix synthetic = mixedTable(800, 2, 0.3);
    QCOMPARE(compared(real, synthetic, 3), compared(real, synthetic, 1));
}

void TableDifferencesTest::categoriesAreNamedByColumnAndText() {
    const Sets sets = readBoth(jobs({{"clerk", 100}, {"sailor", 60}, {"cook", 2}}),
                               jobs({{"clerk", 70}, {"robot", 25}, {"pilot", 1}}), {.oneHot = true});
    const TableDifferences found = differencesOf(sets);
    QCOMPARE(found.categories.size(), std::size_t{1});
    const CategoryDifference& job = found.categories[0];
    QCOMPARE(job.column, std::string("job"));
    const double distance = (std::abs(100.0 / 162 - 70.0 / 96) + 60.0 / 162 + 2.0 / 162 + 26.0 / 96) / 2.0;
    QVERIFY(isNear(job.distance, distance));
    double byChance = 0.0;
    for (const double share : {100.0 / 162, 60.0 / 162, 2.0 / 162})
        byChance += std::sqrt(2.0 / M_PI * share * (1.0 - share) * (1.0 / 162 + 1.0 / 96)) / 2.0;
    QVERIFY(isNear(job.byChance, byChance));
    std::map<std::string, CategoryCounts> by;
    for (const CategoryCounts& one : job.categories)
        by[one.text] = one;
    QCOMPARE(by.size(), std::size_t{5});
    QVERIFY(!by["clerk"].isAbsent() && by["clerk"].pValue == 1.0);
    QVERIFY(by["sailor"].isMissing() && by["sailor"].isAbsent() && by["sailor"].real == 60);
    QVERIFY(by["robot"].isInvented() && by["robot"].isAbsent() && by["robot"].synthetic == 25);
    QVERIFY(by["cook"].isMissing() && !by["cook"].isAbsent()); // two samples are missed easily
    // Both cooks are real: the fourth smallest of five p-values; the pilot's, third, comes out larger and is lowered.
    const double cook = 162.0 / 258 * 161.0 / 257;
    QVERIFY(isNear(by["cook"].pValue, cook * 5.0 / 4.0));
    QVERIFY(isNear(by["pilot"].pValue, std::min(96.0 / 258 * 5.0 / 3.0, cook * 5.0 / 4.0)));
}

void TableDifferencesTest::columnsOfOneTextMakeNoPairs() {
    const QByteArray table = jobs({{"clerk", 100}, {"sailor", 90}, {"cook", 80}});
    const CorrelationDifferences found = differencesOf(readBoth(table, table, {.oneHot = true})).correlations;
    QCOMPARE(found.features, std::size_t{4}); // age and three jobs; "(other)" is constant
    QCOMPARE(found.compared, std::size_t{3});
    QCOMPARE(found.differing, std::size_t{0});
}

void TableDifferencesTest::distanceByChanceHolds() {
    double distance = 0.0;
    double byChance = 0.0;
    std::mt19937 random(7);
    for (int pair = 0; pair < 60; ++pair) {
        std::discrete_distribution<int> draw{5.0, 3.0, 2.0, 1.0};
        const auto drawn = [&](int rows) {
            std::vector<std::pair<QByteArray, int>> counts{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
            for (int i = 4; i < rows; ++i)
                ++counts[static_cast<std::size_t>(draw(random))].second;
            return jobs(counts);
        };
        const TableDifferences found = differencesOf(readBoth(drawn(300), drawn(200), {.oneHot = true}));
        distance += found.categories[0].distance;
        byChance += found.categories[0].byChance;
    }
    QVERIFY2(distance / byChance > 0.9 && distance / byChance < 1.1, qPrintable(QString::number(distance / byChance)));
}

void TableDifferencesTest::missingValuesAreCounted_data() {
    QTest::addColumn<int>("missing");
    QTest::newRow("a column of its own") << static_cast<int>(Missing::Indicate);
    QTest::newRow("rows left out") << static_cast<int>(Missing::Drop);
}

void TableDifferencesTest::missingValuesAreCounted() {
    QFETCH(int, missing);
    const PreparationChoice choice{.missing = static_cast<Missing>(missing), .oneHot = true};
    const QByteArray whole = jobs({{"clerk", 100}, {"sailor", 90}});
    const QByteArray gaps = jobs({{"clerk", 60}, {"sailor", 60}}, "");
    const TableDifferences found = differencesOf(readBoth(whole, gaps, choice));
    QVERIFY2(found.missingUnknown.empty(), found.missingUnknown.c_str());
    QCOMPARE(found.missing.size(), std::size_t{1});
    const MissingRate& rate = found.missing[0];
    QCOMPARE(rate.column, std::string("age"));
    QCOMPARE(rate.feature, 0U);
    QCOMPARE(rate.real, std::size_t{0});
    QCOMPARE(rate.realRows, std::size_t{190});
    QCOMPARE(rate.synthetic, std::size_t{12});
    QCOMPARE(rate.syntheticRows, std::size_t{120});
    QVERIFY(rate.differs());
    QCOMPARE(rate.syntheticRate(), 0.1);
    const TableDifferences equal = differencesOf(readBoth(gaps, gaps, choice));
    QVERIFY(equal.missing.size() == 1 && !equal.missing[0].differs());
    const TableDifferences text =
        differencesOf(readBoth(jobs({{"clerk", 100}, {"", 50}}), jobs({{"clerk", 80}, {"", 20}}), {.oneHot = true}));
    QVERIFY(text.missing.size() == 1 && text.missing[0].real == 50 && text.missing[0].synthetic == 20);
}

void TableDifferencesTest::auditFilesKeepIt() {
    const Sets sets = readBoth(jobs({{"clerk", 60}, {"sailor", 40}, {"", 5}}), jobs({{"clerk", 50}, {"robot", 30}}, ""),
                               {.missing = Missing::Indicate, .oneHot = true});
    const auto audit = runAudit({sets.real, {{"model", sets.model}}, {}, {}});
    const TableDifferences& made = audit->models[0]->tableDifferences;
    QCOMPARE(made, differencesOf(sets));
    QVERIFY(made.categories.size() == 1 && made.missing.size() == 2 && made.correlations.compared > 0);
    const test::InputFolder folder;
    const std::string file = folder.path("kept.assay").toStdString();
    writeAuditFile(*audit, file, {}, nullptr, {.inputs = InputData::Packed});
    QCOMPARE(readAuditFile(file)->models[0]->tableDifferences, made);
    AuditOptions quick;
    quick.tablesOnly = true;
    QCOMPARE(runAudit({sets.real, {{"model", sets.model}}, quick, {}})->models[0]->tableDifferences,
             TableDifferences());
}

void TableDifferencesTest::reportsAndJsonTellIt() {
    const Sets sets = readBoth(jobs({{"clerk", 60}, {"sailor", 40}}), jobs({{"clerk", 50}, {"robot", 30}}, ""),
                               {.missing = Missing::Indicate, .oneHot = true});
    const auto audit = runAudit({sets.real, {{"model", sets.model}}, {}, {}});
    const QString page = QString::fromStdString(htmlReport(*audit, {.appendix = Appendix::Written}))
                             .replace(QChar::Nbsp, QLatin1Char(' '));
    for (const char* wanted : {"Which features differ?", "sailor (40)", "robot (30)", "correlated differently",
                               "missing in 0 % of the real and 10 % of the synthetic samples"})
        QVERIFY2(page.contains(wanted), wanted);
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit, {}))).object();
    const QJsonObject told = json["models"].toArray()[0].toObject()["diagnostics"].toObject();
    QCOMPARE(told["category_differences"].toArray()[0].toObject()["categories"].toArray().size(), 3);
    QCOMPARE(told["correlation_differences"].toObject()["pairs_compared"].toInt(),
             static_cast<int>(audit->models[0]->tableDifferences.correlations.compared));
    QCOMPARE(told["missing_values"].toObject()["columns"].toArray()[0].toObject()["synthetic"].toInt(), 8);
    // In years, not in deviations.
    for (const QJsonValue& feature : told["feature_differences"].toObject()["features"].toArray())
        if (feature.toObject()["name"].toString() == "age")
            QVERIFY(feature.toObject()["real_mean"].toDouble() > 30.0 &&
                    feature.toObject()["real_deviation"].toDouble() > 5.0);
}

ASSAY_TEST(table_differences_test, TableDifferencesTest)
#include "table_differences_test.moc"
