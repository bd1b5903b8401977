// What remains by rules and what an audit must meet: assay-score --rules, --require, --junit, --replay.
#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/store/audit_file.h"
#include "engine/store/replay.h"
#include "engine/subsets/requirements/requirements.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/what_if.h"
#include "engine/version.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <QtTest>

#include <numeric>

using namespace assay;
using test::Run;
using test::score;

class GateTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readsRequirements();
    void refusesWhatIsNoRequirement_data();
    void refusesWhatIsNoRequirement();
    void drawsAsManyRowsAtRandom();
    void scoresWhatIsKeptAsASetOfItsOwn();
    void tooFewKeptHaveNoScores();
    void endsWithOneWhereARequirementIsNotMet();
    void writesJunit();
    void scoresRulesBesideARandomControl();
    void aRecordHolds();
    void aChangedRecordDoesNotHold();
    void anOlderRecordIsNotFalseForWhatWasCorrected();
    void replayNamesAChangedInput();
    void theFirstReadyRuleFindsPlantedNoise();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    QJsonObject json(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }

    std::unique_ptr<test::InputFolder> folder_;
    QStringList sets_;
};

void GateTest::init() {
    folder_ = std::make_unique<test::InputFolder>();
    sets_ = QStringList{"--real", folder_->write("real.npy", test::gaussian(120, 6, 1)), "--synthetic",
                        "gan=" + folder_->write("fake.npy", test::gaussian(100, 6, 2, 0.5F))};
}

void GateTest::readsRequirements() {
    const Requirement plain = parseRequirement("clipped_density>=0.4");
    QCOMPARE(plain.metric, std::string("clipped_density"));
    QVERIFY(plain.model.empty() && !plain.kept && plain.part == Requirement::Part::Value);
    QCOMPARE(plain.relation, Requirement::Relation::AtLeast);
    QCOMPARE(plain.bound, 0.4);
    const Requirement full = parseRequirement("a:b>c:kept.authenticity.low < -1e-3");
    QCOMPARE(full.model, std::string("a:b>c"));
    QCOMPARE(full.metric, std::string("authenticity"));
    QVERIFY(full.kept && full.part == Requirement::Part::Low);
    QCOMPARE(full.relation, Requirement::Relation::Below);
    QCOMPARE(full.bound, -1e-3);
    QCOMPARE(parseRequirement("pce.high<=0").part, Requirement::Part::High);
    QCOMPARE(parseRequirement("pce > 0").relation, Requirement::Relation::Above);
    QCOMPARE(parseRequirement("verdict_over_represented.high<0.1").metric, std::string("verdict_crowded")); // of 0.2.0
}

void GateTest::refusesWhatIsNoRequirement_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("empty") << ""
                           << "METRIC>=NUMBER";
    QTest::newRow("no sign") << "pce=1"
                             << "METRIC>=NUMBER";
    QTest::newRow("no number") << "pce>="
                               << "a number";
    QTest::newRow("no number but text") << "pce>=a"
                                        << "a number";
    QTest::newRow("not a number") << "pce>=nan"
                                  << "a number";
    QTest::newRow("more than a number") << "pce>=1x"
                                        << "a number";
    QTest::newRow("unknown metric") << "fid>=1"
                                    << "id of a metric";
    QTest::newRow("unknown part") << "pce.mid>=1"
                                  << "id of a metric";
    QTest::newRow("no model") << ":pce>=1"
                              << "a model's name";
}

void GateTest::refusesWhatIsNoRequirement() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const QString message = test::refusalOf([&] { parseRequirement(text.toStdString()); }, ErrorKind::InvalidArgument);
    QVERIFY2(message.contains(expected) && message.contains("'" + text + "'"), qPrintable(message));
}

void GateTest::drawsAsManyRowsAtRandom() {
    for (const std::size_t count : {0, 1, 57, 100}) {
        const std::vector<bool> flags = randomRows(100, count);
        QCOMPARE(flags.size(), 100U);
        QCOMPARE(static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true)), count);
        QCOMPARE(randomRows(100, count), flags);
    }
    // Each row about as often as another.
    std::size_t first = 0;
    for (std::size_t rows = 100; rows < 1100; ++rows)
        first += randomRows(rows, rows / 2)[0] ? 1 : 0;
    QVERIFY2(first > 430 && first < 570, qPrintable(QString::number(first)));
}

void GateTest::scoresWhatIsKeptAsASetOfItsOwn() {
    const test::Matrix fake = test::gaussian(100, 6, 2, 0.5F);
    AuditRequest request;
    request.real = test::asSet(test::gaussian(120, 6, 1), "real");
    request.models = {{"gan", test::asSet(fake, "gan")}};
    const auto audit = runAudit(request);
    const SampleFilter filter{FilterRules{{"fidelity", Bound::AtLeast, 0.4}}};
    const KeptAudit kept = auditKept(*audit, 0, filter);
    const AppliedFilter applied(*audit, 0, filter);
    QCOMPARE(kept.keptCount, applied.keptCount());
    QVERIFY(kept.rejectedCount > 0);
    test::Matrix left;
    left.dim = 6;
    for (std::size_t row = 0; row < 100; ++row)
        if (applied.kept()[row]) {
            left.values.insert(left.values.end(), fake.values.begin() + static_cast<std::ptrdiff_t>(6 * row),
                               fake.values.begin() + static_cast<std::ptrdiff_t>(6 * row + 6));
            ++left.rows;
        }
    request.models = {{"gan (kept)", test::asSet(left, "gan (kept)")}};
    const auto alone = runAudit(request);
    const WhatIfResult whatIf = WhatIf(audit, 0).evaluate(applied.kept());
    for (const MetricValue& metric : alone->models[0]->metrics)
        QCOMPARE(kept.kept->metric(metric.id), metric.value);
    QVERIFY(!alone->models[0]->intervals.empty());
    for (const MetricInterval& interval : alone->models[0]->intervals) {
        QCOMPARE(kept.kept->interval(interval.id)->low, interval.low);
        QCOMPARE(kept.kept->interval(interval.id)->high, interval.high);
    }
    QCOMPARE(kept.kept->metric("clipped_density"), whatIf.metric("clipped_density"));
    QCOMPARE(kept.random->set->rows(), kept.keptCount);
}

void GateTest::tooFewKeptHaveNoScores() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(60, 4, 1), "real");
    request.models = {{"gan", test::asSet(test::gaussian(50, 4, 2), "gan")}};
    const auto audit = runAudit(request);
    const KeptAudit kept = auditKept(*audit, 0, {FilterRules{{"fidelity", Bound::AtLeast, 2.0}}});
    QCOMPARE(kept.keptCount, 0U);
    QVERIFY(!kept.kept && !kept.random);
    const std::vector<Requirement> requirements{parseRequirement("kept.pce<=9")};
    const auto outcomes = checkRequirements(*audit, requirements, std::span(&kept, 1));
    QCOMPARE(outcomes.size(), 1U);
    QVERIFY(!outcomes[0].met);
    QCOMPARE(outcomes[0].sentence, std::string("gan: kept.pce: expected <= 9, found none: too few samples are kept"));
}

void GateTest::endsWithOneWhereARequirementIsNotMet() {
    const QStringList quiet = sets_ + QStringList{"--quiet"};
    QCOMPARE(score(quiet + QStringList{"--require", "clipped_density>=0", "--require", "gan:coverage<=1"}).exitCode, 0);
    const Run run = score(quiet + QStringList{"--require", "clipped_density>=9", "--require", "coverage.low>2",
                                              "--require", "precision>=0"});
    QCOMPARE(run.exitCode, 1);
    QCOMPARE(run.err.count('\n'), 2);
    QVERIFY2(run.err.startsWith("assay-score: gan: clipped_density: expected >= 9, found 0"), run.err.constData());
    QVERIFY2(run.err.contains("gan: coverage.low: expected > 2, found 0"), run.err.constData());
    QCOMPARE(score(quiet + QStringList{"--require", "fid>=1"}).exitCode, 2);
    QCOMPARE(score(quiet + QStringList{"--require", "vae:pce>=1"}).exitCode, 2);
}

void GateTest::writesJunit() {
    const Run run = score(sets_ + QStringList{"--quiet", "--require", "clipped_density>=9", "--require", "precision>=0",
                                              "--junit", path("gate.xml")});
    QCOMPARE(run.exitCode, 1);
    QFile file(path("gate.xml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QStringList cases;
    QStringList failures;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("testcase"))
            cases << xml.attributes().value("name").toString();
        if (xml.isStartElement() && xml.name() == QLatin1String("failure"))
            failures << xml.attributes().value("message").toString();
    }
    QVERIFY(!xml.hasError());
    QCOMPARE(cases, (QStringList{"clipped_density>=9", "precision>=0"}));
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures[0].startsWith("gan: clipped_density: expected >= 9, found "));
    QCOMPARE(score(sets_ + QStringList{"--junit", path("other.xml")}).exitCode, 2);
    // Names come from people.
    const Requirement requirement = parseRequirement("pce>=1");
    const RequirementOutcome hostile{&requirement, "a<b>&\"c\"\x01", {}, false, "x"};
    QXmlStreamReader escaped(QByteArray::fromStdString(outcomesAsJunit(std::span(&hostile, 1))));
    while (!escaped.atEnd())
        escaped.readNext();
    QVERIFY2(!escaped.hasError(), qPrintable(escaped.errorString()));
}

void GateTest::scoresRulesBesideARandomControl() {
    folder_->writeBytes("rules.json", R"([{"column":"fidelity","bound":"at_least","value":0.4}])");
    const Run run = score(sets_ + QStringList{"--rules", path("rules.json"), "--json", path("all.json"), "--require",
                                              "kept.clipped_density>=0", "--out", path("a.assay")});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.out.contains("keep fidelity >= 0.4") && run.out.contains("gan (random)"), run.out.constData());
    const QJsonObject all = json("all.json");
    QCOMPARE(all["rules"].toArray()[0].toObject()["column"].toString(), QString("fidelity"));
    const QJsonObject kept = all["models"].toArray()[0].toObject()["kept"].toObject();
    QCOMPARE(kept["kept"].toInt() + kept["rejected"].toInt(), 100);
    QVERIFY(kept["rejected"].toInt() > 0);
    QVERIFY(kept["metrics"].toObject()["clipped_density"].toDouble() >
            kept["random"].toObject()["metrics"].toObject()["clipped_density"].toDouble());
    QVERIFY(!kept["intervals"].toObject().isEmpty());
    // The audit file has the rules.
    QCOMPARE(score({"--open", path("a.assay"), "--quiet", "--require", "kept.clipped_density>=9"}).exitCode, 1);
    QCOMPARE(score(sets_ + QStringList{"--rules", "no such rule"}).exitCode, 2);
    folder_->writeBytes("bad.json", R"([{"column":"fid","bound":"at_least","value":0.4}])");
    const Run bad = score(sets_ + QStringList{"--rules", path("bad.json")});
    QCOMPARE(bad.exitCode, 2);
    QVERIFY2(bad.err.contains("bad.json") && bad.err.contains("entry 1"), bad.err.constData());
}

void GateTest::aRecordHolds() {
    QCOMPARE(score(sets_ + QStringList{"--out", path("a.assay"), "--quiet"}).exitCode, 0);
    const Run run = score({"--replay", path("a.assay")});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.out.contains("the record holds"), run.out.constData());
    // Another way to find the neighbours is another machine.
    QCOMPARE(score({"--replay", path("a.assay"), "--backend", "kdtree", "--threads", "1", "--quiet"}).exitCode, 0);
    QCOMPARE(score({"--replay", path("a.assay"), "--demo"}).exitCode, 2);
    QCOMPARE(score({"--replay", path("real.npy")}).exitCode, 3);
}

void GateTest::aChangedRecordDoesNotHold() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(60, 4, 1), "real");
    request.models = {{"gan", test::asSet(test::gaussian(50, 4, 2), "gan")}};
    const auto audit = runAudit(request);
    const auto again = recompute(*audit, {});
    const ReplayResult same = compareWithRecord(*audit, *again);
    QVERIFY(same.holds());
    QCOMPARE(same.exact, same.compared);
    QVERIFY(same.compared > 50 * audit->models[0]->columns.size() / 2);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    model->metrics[0].value += 1e-6;
    std::vector<double> values = model->columns[0].values;
    values[17] += 0.5;
    model->columns[0].values = std::move(values);
    model->intervals[0].low -= 1.0;
    AuditResult changed = *audit;
    changed.models = {model};
    const ReplayResult result = compareWithRecord(changed, *again);
    QCOMPARE(result.differing, 3U);
    QVERIFY(!result.holds());
    QVERIFY(replayText(result).find("gan: " + std::string(model->metrics[0].id) + ": recorded ") != std::string::npos);
    QVERIFY(isEqualUpToRounding(1.0, 1.0 + 1e-12) && !isEqualUpToRounding(1.0, 1.0 + 1e-7));
    QVERIFY(!isEqualUpToRounding(1.0, std::nan("")));
}

void GateTest::anOlderRecordIsNotFalseForWhatWasCorrected() {
    AuditRequest request;
    request.real = test::asSet(test::gaussian(60, 4, 1), "real");
    request.models = {{"gan", test::asSet(test::gaussian(50, 4, 2), "gan")}};
    const auto audit = runAudit(request);
    auto model = std::make_shared<ModelAudit>(*audit->models[0]);
    model->intervals[0].low -= 1.0;
    model->intervals[0].high += 1.0;
    std::ranges::find(model->metrics, std::string_view("frechet_distance"), &MetricValue::id)->value *= 1.1;
    AuditResult older = *audit;
    older.models = {model};
    QCOMPARE(older.computedBy, std::string(kVersion));
    QCOMPARE(compareWithRecord(older, *audit).differing, 3U); // this version's own
    older.computedBy = "0.1.0";
    const ReplayResult result = compareWithRecord(older, *audit);
    QVERIFY(result.holds());
    QCOMPARE(result.corrected.size(), 2U); // bounds and distances were corrected for different reasons
    QCOMPARE(result.corrected.at(std::string(correctionOf(RecordedValue::Interval, "precision", "0.1.0"))), 2U);
    QCOMPARE(result.corrected.at(std::string(correctionOf(RecordedValue::Metric, "frechet_distance", "0.1.0"))), 1U);
    const std::string text = replayText(result);
    QVERIFY2(text.find("the record holds") != std::string::npos &&
                 text.find("2 values that Assay 0.1.0 recorded") != std::string::npos,
             text.c_str());
    // What no version corrected still counts.
    model->metrics[0].value += 1e-3;
    QCOMPARE(compareWithRecord(older, *audit).differing, 1U);
    QVERIFY(correctionOf(RecordedValue::Interval, "precision", "0.1.9").size() > 0);
    QVERIFY(correctionOf(RecordedValue::Interval, "precision", "0.2.0").empty());
    QVERIFY(correctionOf(RecordedValue::Interval, "precision", "1.0").empty());
    for (const char* metric :
         {"verdict_crowded", "verdict_invented", "bad_share", "estimated_bad", "coverage_missed"}) {
        QVERIFY(correctionOf(RecordedValue::Metric, metric, "0.2.0").starts_with("0.3.0"));
        QVERIFY(correctionOf(RecordedValue::Interval, metric, "0.2.0").starts_with("0.3.0"));
        QVERIFY(correctionOf(RecordedValue::Metric, metric, "0.3.0").empty());
    }
    QVERIFY(correctionOf(RecordedValue::Column, "coverage_verdict", "0.2.0").starts_with("0.3.0"));
    QVERIFY(correctionOf(RecordedValue::Metric, "clipped_density", "0.2.0").empty());
}

void GateTest::replayNamesAChangedInput() {
    QCOMPARE(score(sets_ + QStringList{"--out", path("a.assay"), "--quiet"}).exitCode, 0);
    QFile input(path("fake.npy"));
    QVERIFY(input.open(QIODevice::ReadWrite));
    QVERIFY(input.seek(input.size() - 3));
    char byte = 0;
    QVERIFY(input.getChar(&byte));
    QVERIFY(input.seek(input.size() - 3));
    QVERIFY(input.putChar(static_cast<char>(byte ^ 1)));
    input.close();
    const Run run = score({"--replay", path("a.assay")});
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.err.count('\n'), 1);
    QVERIFY2(run.err.contains("fake.npy"), run.err.constData());
}

void GateTest::theFirstReadyRuleFindsPlantedNoise() {
    const auto real = test::sharedFile("data/mnist/real.npz");
    if (!real)
        QSKIP("../shared/data/mnist is not here");
    const QString folder = QFileInfo(QString::fromStdString(*real)).path();
    const Run run = score({"--real", folder + "/real.npz", "--synthetic", folder + "/mixed30.npz", "--held-out",
                           folder + "/heldout.npz", "--rules", "suspicious", "--json", path("mixed.json"), "--csv",
                           path("csv"), "--quiet"});
    QCOMPARE(run.exitCode, 0);
    QFile truth(folder + "/mixed30_is_bad.npy");
    QVERIFY(truth.open(QIODevice::ReadOnly));
    const QByteArray bytes = truth.readAll();
    QFile table(path("csv/mixed30.synthetic.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QList<QByteArray> header = table.readLine().trimmed().split(',');
    const qsizetype column = header.indexOf("p_any");
    constexpr qsizetype kRows = 5000;
    const qsizetype begin = bytes.size() - kRows; // one byte a sample
    std::size_t noise = 0;
    std::size_t noiseKept = 0;
    std::size_t goodLost = 0;
    for (qsizetype row = 0; row < kRows; ++row) {
        const bool kept = table.readLine().split(',').at(column).toDouble() >= 0.01;
        const bool bad = bytes[begin + row] != 0;
        noise += bad ? 1 : 0;
        noiseKept += bad && kept ? 1 : 0;
        goodLost += !bad && !kept ? 1 : 0;
    }
    QCOMPARE(noise, 1500U);
    QVERIFY2(noiseKept <= 15, qPrintable(QString::number(noiseKept)));
    QVERIFY2(goodLost <= 87, qPrintable(QString::number(goodLost))); // 2.5 % of 3,500
    const QJsonObject model = json("mixed.json")["models"].toArray()[0].toObject();
    const QJsonObject kept = model["kept"].toObject();
    const double all = model["metrics"].toObject()["clipped_density"].toDouble();
    const QJsonArray control = kept["random"].toObject()["intervals"].toObject()["clipped_density"].toArray();
    QVERIFY(all >= control[0].toDouble() && all <= control[1].toDouble());
    const QJsonArray now = kept["intervals"].toObject()["clipped_density"].toArray();
    constexpr double kHeldOut = 0.958; // the held-out digits themselves
    QVERIFY(kHeldOut >= now[0].toDouble() && kHeldOut <= now[1].toDouble());
}

ASSAY_TEST(gate_test, GateTest)
#include "gate_test.moc"
