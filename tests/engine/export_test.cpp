#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/samples/export_samples.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/good_samples.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <clocale>
#include <limits>

using namespace assay;

namespace {

/// Three rows with awkward ids and labels; each synthetic column holds 0.1, 0.2, 0.3, fidelity 0, 0.5, 1.
ModelAudit makeModel() {
    EmbeddingParts parts;
    parts.rows = 3;
    parts.dim = 1;
    parts.values = std::vector<float>{0, 1, 2};
    parts.ids = {"plain", "with, comma", "with \"quotes\""};
    parts.labels = labelsFromText({"cat", "dog, old", "cat"});
    ModelAudit model;
    model.name = "gan";
    model.set = std::make_shared<const EmbeddingSet>(std::move(parts));
    for (const Column& column : columnCatalog()) {
        if (column.side != Side::Synthetic)
            continue;
        const bool fidelity = column.id == "fidelity";
        model.columns.push_back({column.id, fidelity ? std::vector{0.0, 0.5, 1.0} : std::vector{0.1, 0.2, 0.3}});
    }
    return model;
}

const FilterRules kRules{{"fidelity", Bound::AtLeast, 0.75}};

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("(not there)");
}

AuditResult makeAudit() {
    AuditResult audit;
    audit.models = {std::make_shared<const ModelAudit>(makeModel())};
    return audit;
}

std::size_t write(const char* format, const AuditResult& audit, const SampleFilter& filter, ExportWhat what,
                  const std::string& file, const JobContext& job = {}) {
    return exportSamples(audit, {what, {}, {0}, format}, std::vector<SampleFilter>{filter}, file, job);
}

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

private slots:
    void writesRejectedSamplesWithEveryScoreAndTheReason();
    void writesKeptSamplesWithoutAReason();
    void namesWhatWasRejectedByHand();
    void writesTagsWhereThereAreAny();
    void writesNotesAndNamesOfTags();
    void numbersHaveAPointInEveryLocale();
    void writesIdsOneALine();
    void refusesIdsThatAreNoLine();
    void writesJsonLines();
    void writesAListWithItsReasons();
    void writesSeveralModelsIntoAFolder();
    void replacesNoInput();
    void refusesWhatIsNoExport();
    void writesAHeaderEvenForNothing();
    void replacesAnOldFileWhole();
    void failureNamesTheFileAndLeavesNothing();
    void cancelLeavesTheOldFile();
    void reportHoldsTheAuditAndWhatWasDecided();

private:
    std::string path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)).toStdString(); }
    QByteArray content(const char* name) const { return contentOf(folder_.filePath(QString::fromUtf8(name))); }

    QTemporaryDir folder_;
};

void ExportTest::writesRejectedSamplesWithEveryScoreAndTheReason() {
    write("csv", makeAudit(), {kRules}, ExportWhat::Rejected, path("rejected.csv"));
    const QList<QByteArray> lines = content("rejected.csv").split('\n');
    QCOMPARE(lines.size(), 4); // header, two rows, nothing after the last line end
    QByteArray header = "row,id,label";
    QByteArray scores;
    for (const Column& column : columnCatalog())
        if (column.side == Side::Synthetic) {
            header += "," + QByteArray(column.id.data(), static_cast<qsizetype>(column.id.size()));
            scores += column.id == "fidelity" ? ",0.5" : column.unit == Unit::Word ? ",good" : ",0.2";
        }
    QCOMPARE(lines[0], header + ",reason");
    QVERIFY(lines[1].startsWith("0,plain,cat,"));
    QCOMPARE(lines[2], "1,\"with, comma\",\"dog, old\"" + scores + ",fidelity 0.5 < 0.75");
    QCOMPARE(lines[3], QByteArray());
}

void ExportTest::writesKeptSamplesWithoutAReason() {
    write("csv", makeAudit(), {kRules}, ExportWhat::Kept, path("kept.csv"));
    const QList<QByteArray> lines = content("kept.csv").split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[1].startsWith("2,\"with \"\"quotes\"\"\",cat,"), lines[1].constData());
    QVERIFY(lines[1].endsWith(","));
}

void ExportTest::namesWhatWasRejectedByHand() {
    const std::vector<std::uint32_t> rejectedByHand{2};
    write("csv", makeAudit(), {{}, rejectedByHand}, ExportWhat::Rejected, path("by-hand.csv"));
    const QList<QByteArray> lines = content("by-hand.csv").split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].startsWith("2,") && lines[1].endsWith(",rejected by hand"));
    write("ids", makeAudit(), {{}, rejectedByHand}, ExportWhat::Kept, path("by-hand.txt"));
    QCOMPARE(content("by-hand.txt"), QByteArray("plain\nwith, comma\n"));
}

void ExportTest::writesTagsWhereThereAreAny() {
    SampleFilter filter;
    auto tags = std::make_shared<SampleTags>();
    tags->give(4, SampleSet{{syntheticSet(0), 0}});
    tags->give(1, SampleSet{{syntheticSet(0), 0}, {SetId::Real, 1}});
    tags->give(9, SampleSet{{syntheticSet(0), 2}});
    filter.tags = tags;
    write("csv", makeAudit(), filter, ExportWhat::Kept, path("tags.csv"));
    const QList<QByteArray> lines = content("tags.csv").split('\n');
    QVERIFY(lines[0].endsWith(",reason,tags"));
    QVERIFY2(lines[1].endsWith(",,1 4"), lines[1].constData());
    QVERIFY2(lines[2].endsWith(",,"), lines[2].constData());
    QVERIFY2(lines[3].endsWith(",,9"), lines[3].constData());
}

void ExportTest::writesNotesAndNamesOfTags() {
    SampleFilter filter{kRules};
    filter.accepted = {0};
    auto tags = std::make_shared<SampleTags>();
    tags->give(1, SampleSet{{syntheticSet(0), 0}, {syntheticSet(0), 2}});
    tags->give(2, SampleSet{{syntheticSet(0), 2}});
    filter.tags = tags;
    filter.tagNames = std::make_shared<const TagNames>(TagNames{"", "two, heads"});
    filter.notes = std::make_shared<const SampleNotes>(
        SampleNotes{{{syntheticSet(0), 2}, "a \"quoted\"\nnote"}, {{SetId::Real, 0}, "of another set"}});
    write("csv", makeAudit(), filter, ExportWhat::Kept, path("notes.csv"));
    const QByteArray text = content("notes.csv");
    QVERIFY(text.contains(",reason,tags,note\n0,plain,cat,")); // the one that the rules would reject
    QVERIFY2(text.endsWith(",,\"1 two, heads\",\"a \"\"quoted\"\"\nnote\"\n"), text.constData());
    QVERIFY(text.contains(",,1,\n"));
    QVERIFY(!text.contains("of another set"));
}

void ExportTest::numbersHaveAPointInEveryLocale() {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    if (!std::setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        QSKIP("no German locale here");
    write("csv", makeAudit(), {kRules}, ExportWhat::Kept, path("german.csv"));
    std::setlocale(LC_NUMERIC, before.c_str());
    QVERIFY(content("german.csv").contains(",0.3"));
}

void ExportTest::writesIdsOneALine() {
    write("ids", makeAudit(), {kRules}, ExportWhat::Rejected, path("ids.txt"));
    QCOMPARE(content("ids.txt"), QByteArray("plain\nwith, comma\n"));
    write("ids", makeAudit(), {}, ExportWhat::Kept, path("ids.txt"));
    QCOMPARE(content("ids.txt"), QByteArray("plain\nwith, comma\nwith \"quotes\"\n"));
}

void ExportTest::refusesIdsThatAreNoLine() {
    EmbeddingParts parts;
    parts.rows = 2;
    parts.dim = 1;
    parts.values = std::vector<float>{0, 1};
    parts.ids = {"fine", "two\nlines"};
    AuditResult audit;
    ModelAudit model = makeModel();
    model.set = std::make_shared<const EmbeddingSet>(std::move(parts));
    for (ColumnValues& column : model.columns)
        column.values = std::vector<double>(column.values.begin(), column.values.begin() + 2);
    audit.models = {std::make_shared<const ModelAudit>(std::move(model))};
    const auto written = [&] { write("ids", audit, {}, ExportWhat::Kept, path("lines.txt")); };
    QVERIFY_EXCEPTION_THROWN(written(), Error);
    QVERIFY(!QFile::exists(folder_.filePath("lines.txt")));
    QCOMPARE(write("csv", audit, {}, ExportWhat::Kept, path("lines.csv")), std::size_t{2});
    QVERIFY(content("lines.csv").contains("\n1,\"two\nlines\","));
}

void ExportTest::writesJsonLines() {
    SampleFilter filter{kRules};
    SampleTags tags;
    tags.give(2, SampleSet{{syntheticSet(0), 1}});
    tags.give(5, SampleSet{{syntheticSet(0), 1}});
    filter.tags = std::make_shared<const SampleTags>(tags);
    TagNames names;
    names[1] = "two words";
    filter.tagNames = std::make_shared<const TagNames>(names);
    filter.notes = std::make_shared<const SampleNotes>(SampleNotes{{{syntheticSet(0), 1}, "a \"note\"\nof two lines"}});
    AuditResult audit = makeAudit();
    ModelAudit model = *audit.models[0];
    for (ColumnValues& column : model.columns)
        if (column.id == "pce") {
            std::vector<double> values = column.values;
            values[1] = std::numeric_limits<double>::quiet_NaN();
            column.values = std::move(values);
        }
    audit.models = {std::make_shared<const ModelAudit>(std::move(model))};
    QCOMPARE(write("jsonl", audit, filter, ExportWhat::Rejected, path("rejected.jsonl")), std::size_t{2});
    const QList<QByteArray> lines = content("rejected.jsonl").split('\n');
    QCOMPARE(lines.size(), 3);
    const QJsonObject line = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(line["row"].toInt(-1), 1);
    QCOMPARE(line["id"].toString(), QString("with, comma"));
    QCOMPARE(line["label"].toString(), QString("dog, old"));
    QCOMPARE(line["fidelity"].toDouble(), 0.5);
    QVERIFY(line["pce"].isNull() && line.contains("pce"));
    QCOMPARE(line["verdict"].toString(), QString("good"));
    QCOMPARE(line["kept"].toBool(true), false);
    QCOMPARE(line["reason"].toString(), QString("fidelity 0.5 < 0.75"));
    QCOMPARE(line["tags"].toArray(), QJsonArray({"two words", "5"}));
    QCOMPARE(line["note"].toString(), QString("a \"note\"\nof two lines"));
    QCOMPARE(QJsonDocument::fromJson(lines[0]).object()["note"].toString("?"), QString());
}

void ExportTest::writesAListWithItsReasons() {
    const SampleSet listed{{syntheticSet(0), 2}, {syntheticSet(0), 0}, {SetId::Real, 1}, {syntheticSet(1), 1}};
    const std::vector<SampleFilter> filters{{kRules}};
    const std::size_t written =
        exportSamples(makeAudit(), {ExportWhat::Listed, listed, {0}, "csv"}, filters, path("listed.csv"));
    QCOMPARE(written, std::size_t{2});
    const QList<QByteArray> lines = content("listed.csv").split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[1].startsWith("0,") && lines[1].endsWith("fidelity 0 < 0.75"));
    QVERIFY(lines[2].startsWith("2,") && lines[2].endsWith(","));
    const auto beyond = [&] {
        exportSamples(makeAudit(), {ExportWhat::Listed, {{syntheticSet(0), 3}}, {0}, "ids"}, filters, path("no.txt"));
    };
    QVERIFY_EXCEPTION_THROWN(beyond(), Error);
}

void ExportTest::writesSeveralModelsIntoAFolder() {
    AuditResult audit;
    for (const char* name : {"../a/b", "..?a?b", "empty"}) {
        ModelAudit model = makeModel();
        model.name = name;
        audit.models.push_back(std::make_shared<const ModelAudit>(std::move(model)));
    }
    const std::vector<SampleFilter> filters{{kRules}, {}, {{{"fidelity", Bound::AtLeast, 2.0}}}};
    const ExportRequest request{ExportWhat::Kept, {}, {0, 1, 2}, "ids"};
    QCOMPARE(exportSamples(audit, request, filters, path("models/")), std::size_t{4});
    const QDir models(folder_.filePath("models"));
    QCOMPARE(models.entryList(QDir::Files), QStringList({"a_b-2.kept.txt", "a_b.kept.txt"}));
    QCOMPARE(contentOf(models.filePath("a_b.kept.txt")), QByteArray("with \"quotes\"\n"));
    // What is there already stays.
    const auto again = [&] { exportSamples(audit, request, filters, path("models")); };
    QVERIFY_EXCEPTION_THROWN(again(), Error);
    QCOMPARE(models.entryList(QDir::Files).size(), 2);
    const ExportRequest withoutPictures{ExportWhat::Kept, {}, {0, 1}, "pictures"};
    const auto failing = [&] { exportSamples(audit, withoutPictures, filters, path("pictures")); };
    QVERIFY_EXCEPTION_THROWN(failing(), Error);
    QVERIFY(!QFile::exists(folder_.filePath("pictures")));
    const std::vector<SampleFilter> nothing(3, SampleFilter{{{"fidelity", Bound::AtLeast, 2.0}}});
    const auto none = [&] { exportSamples(audit, request, nothing, path("none")); };
    QVERIFY_EXCEPTION_THROWN(none(), Error);
    QVERIFY(!QFile::exists(folder_.filePath("none")));
    QVERIFY(QDir(folder_.path()).entryList({"*tmp*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
}

void ExportTest::replacesNoInput() {
    const std::string input = path("input.csv");
    QFile file(QString::fromStdString(input));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("values") == 6);
    file.close();
    EmbeddingParts parts;
    parts.rows = 3;
    parts.dim = 1;
    parts.values = std::vector<float>{0, 1, 2};
    parts.source.file = input;
    ModelAudit model = makeModel();
    model.set = std::make_shared<const EmbeddingSet>(std::move(parts));
    AuditResult audit;
    audit.models = {std::make_shared<const ModelAudit>(std::move(model))};
    try {
        write("csv", audit, {}, ExportWhat::Kept,
              path("../") + folder_.path().section('/', -1).toStdString() + "/input.csv");
        QFAIL("written");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::WriteFailed);
        QVERIFY2(std::string(error.what()).find("an input") != std::string::npos, error.what());
    }
    QCOMPARE(content("input.csv"), QByteArray("values"));
}

void ExportTest::refusesWhatIsNoExport() {
    const std::vector<SampleFilter> filters{{}};
    const auto noModel = [&] { exportSamples(makeAudit(), {ExportWhat::Kept, {}, {}, "csv"}, filters, path("x.csv")); };
    QVERIFY_EXCEPTION_THROWN(noModel(), Error);
    const auto noFormat = [&] { write("xls", makeAudit(), {}, ExportWhat::Kept, path("x.xls")); };
    QVERIFY_EXCEPTION_THROWN(noFormat(), Error);
    const auto noPictures = [&] { write("pictures", makeAudit(), {}, ExportWhat::Kept, path("x")); };
    QVERIFY_EXCEPTION_THROWN(noPictures(), Error);
    QVERIFY(!QFile::exists(folder_.filePath("x")) && !QFile::exists(folder_.filePath("x.csv")));
}

void ExportTest::writesAHeaderEvenForNothing() {
    write("csv", makeAudit(), {}, ExportWhat::Rejected, path("none.csv"));
    QCOMPARE(content("none.csv").count('\n'), 1);
    write("ids", makeAudit(), {}, ExportWhat::Rejected, path("none.txt"));
    QCOMPARE(content("none.txt"), QByteArray());
}

void ExportTest::replacesAnOldFileWhole() {
    QFile old(folder_.filePath(QStringLiteral("again.txt")));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write(QByteArray(10000, 'x'));
    old.close();
    write("ids", makeAudit(), {kRules}, ExportWhat::Kept, path("again.txt"));
    QCOMPARE(content("again.txt"), QByteArray("with \"quotes\"\n"));
}

void ExportTest::failureNamesTheFileAndLeavesNothing() {
    const std::string file = path("no/such/folder/kept.csv");
    try {
        write("csv", makeAudit(), {kRules}, ExportWhat::Kept, file);
        QFAIL("written");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::WriteFailed);
        QVERIFY2(std::string(error.what()).find(file) != std::string::npos, error.what());
    }
    const FilterRules wrong{{"x", Bound::AtMost, 1}};
    const auto unknown = [&] { write("ids", makeAudit(), {wrong}, ExportWhat::Kept, file); };
    QVERIFY_EXCEPTION_THROWN(unknown(), Error);
}

void ExportTest::cancelLeavesTheOldFile() {
    write("ids", makeAudit(), {}, ExportWhat::Kept, path("stopped.txt"));
    const QByteArray before = content("stopped.txt");
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = [&] {
        write("ids", makeAudit(), {kRules}, ExportWhat::Kept, path("stopped.txt"), JobContext(stop.get_token()));
    };
    QVERIFY_EXCEPTION_THROWN(stopped(), Cancelled);
    QCOMPARE(content("stopped.txt"), before);
}

void ExportTest::reportHoldsTheAuditAndWhatWasDecided() {
    const auto real = test::asSet(test::gaussian(60, 4, 1), "real");
    const auto fake = test::asSet(test::gaussian(50, 4, 2, 0.3F), "fake");
    AuditRequest request{real, {{"first", fake}, {"second", test::asSet(test::gaussian(50, 4, 3), "other")}}, {}, {}};
    request.heldOut = test::asSet(test::gaussian(40, 4, 4), "held");
    const auto audit = runAudit(request);
    const FilterRules rules{{"fidelity", Bound::AtLeast, 0.4}};
    const AppliedFilter outcome(*audit, 1, {rules});
    const WhatIfResult scores = WhatIf(audit, 1).evaluate(outcome.kept());
    exportReport(*audit, {1, {rules}, &scores}, path("report.json"));
    QJsonObject report = QJsonDocument::fromJson(content("report.json")).object();
    const QJsonObject kept = report["kept"].toObject();
    QCOMPARE(kept["model"].toString(), QString("second"));
    QCOMPARE(kept["kept"].toInteger(), static_cast<qint64>(outcome.keptCount()));
    QCOMPARE(kept["rejected"].toInteger(), static_cast<qint64>(outcome.rejectedCount()));
    QCOMPARE(kept["rules"].toArray()[0].toObject()["column"].toString(), QString("fidelity"));
    QCOMPARE(kept["metrics"].toObject()["clipped_density"].toDouble(), scores.metric("clipped_density"));
    QVERIFY(content("report.json").count("\"degenerate_neighbors\": 0,") +
                content("report.json").count("\"degenerate_neighbors\": 0\n") ==
            3); // of two models and of what is kept
    QCOMPARE(kept["false_alarm_rate"].toDouble(), falseAlarmRate(*audit, 1, rules).value());
    report.remove("kept"); // the rest is what the headless program writes
    QCOMPARE(report, QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit))).object());
    exportReport(*audit, {0, {}}, path("report.json"));
    const QJsonObject all = QJsonDocument::fromJson(content("report.json")).object()["kept"].toObject();
    QCOMPARE(all["rejected"].toInt(), 0);
    QVERIFY(!all.contains("metrics") && all["rejected_by_hand"].toArray().isEmpty());
    const std::vector<std::uint32_t> rejectedByHand{3, 17};
    SampleFilter filter{{}, rejectedByHand};
    auto tags = std::make_shared<SampleTags>();
    tags->give(2, SampleSet{{syntheticSet(0), 5}});
    filter.tags = tags;
    filter.accepted = {9};
    filter.notes = std::make_shared<const SampleNotes>(
        SampleNotes{{{syntheticSet(0), 5}, "odd"}, {{syntheticSet(1), 5}, "of another model"}});
    exportReport(*audit, {0, filter}, path("report.json"));
    const QJsonObject some = QJsonDocument::fromJson(content("report.json")).object()["kept"].toObject();
    QCOMPARE(some["rejected"].toInt(), 2);
    QCOMPARE(some["tags"].toArray()[0].toObject()["row"].toInt(), 5);
    QCOMPARE(some["tags"].toArray()[0].toObject()["tags"].toString(), QString("2"));
    QCOMPARE(some["kept_by_hand"].toArray().size(), 1);
    QCOMPARE(some["kept_by_hand"].toArray()[0].toObject()["row"].toInt(), 9);
    QCOMPARE(some["notes"].toArray().size(), 1);
    QCOMPARE(some["notes"].toArray()[0].toObject()["note"].toString(), QString("odd"));
    const QJsonObject second = some["rejected_by_hand"].toArray()[1].toObject();
    QCOMPARE(second["row"].toInt(), 17);
    QCOMPARE(second["id"].toString().toStdString(), audit->models[0]->set->idText(17));
}

ASSAY_TEST(export_test, ExportTest)
#include "export_test.moc"
