// An audit that is written and read again is the same audit; a file that is none, or is damaged, is refused in one
// line.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/demo.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "engine/store/decisions.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <stop_token>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace assay;

class AuditFileTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void comesBackAsItWas_data();
    void comesBackAsItWas();
    void theDemoIsMadeAgain();
    void goesOnAsIfItHadNeverBeenAway();
    void scoresWhatIsKeptAlike();
    void findsInputsBesideIt();
    void namesAChangedInput();
    void namesAMissingInput();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void refusesANewerFile();
    void refusesViewsInPlaceOfTables();
    void stopEndsAStatement();
    void isWrittenAgainUnlessItHasChanged();
    void refusesDamage();
    void refusesImpossibleRows();
    void aFailedWriteLeavesTheOldFile();
    void isReadableByOtherPrograms();
    void keepsDecisions();
    void leavesOutWhatTheAuditDoesNotHave();
    void readsWhatItCanOfDamagedDecisions_data();
    void readsWhatItCanOfDamagedDecisions();
    void beingKilledLosesNothingThatWasWritten();
    void verdictsOfAnEarlierVersionAreSaidToBe();
    void seriesOfOneStepStillOpen();
    void shardFoldersStillOpen();

private:
    std::string path(const QString& name) const { return folder_.path(name).toStdString(); }
    std::shared_ptr<const EmbeddingSet> set(const QString& name) const { return readEmbeddings(path(name)); }
    AuditRequest request() const;
    /// What reading says when it refuses; empty when it does not.
    static std::string refusal(const std::string& file);
    /// A copy of the audit file that was changed by SQL.
    std::string changed(const QString& name, const std::string& sql) const;

    test::InputFolder folder_;
    std::shared_ptr<const AuditResult> audit_;
};

AuditRequest AuditFileTest::request() const {
    AuditRequest request;
    request.real = set("real.npy");
    request.models = {{"first", set("first.npy")}, {"a name, with \"quotes\"", set("second.npy")}};
    request.options.threads = 2;
    return request;
}

void AuditFileTest::initTestCase() {
    folder_.write("real.npy", test::gaussian(160, 6, 1));
    folder_.write("first.npy", test::gaussian(150, 6, 2));
    folder_.write("second.npy", test::gaussian(140, 6, 3, 0.5F));
    folder_.write("third.npy", test::gaussian(130, 6, 4, 0.0F, 0.5F));
    folder_.write("held-out.npy", test::gaussian(120, 6, 5));
    audit_ = runAudit(request());
    writeAuditFile(*audit_, path("audit.assay"));
}

void AuditFileTest::comesBackAsItWas_data() {
    QTest::addColumn<bool>("heldOut");
    QTest::addColumn<bool>("oneClass");
    QTest::addColumn<bool>("quick");
    QTest::addColumn<bool>("curves");
    QTest::newRow("plain") << false << false << false << false;
    QTest::newRow("with a held-out set and curves") << true << false << false << true;
    QTest::newRow("one-class") << false << true << false << false;
    QTest::newRow("quick") << true << false << true << false;
}

void AuditFileTest::comesBackAsItWas() {
    QFETCH(bool, heldOut);
    QFETCH(bool, oneClass);
    QFETCH(bool, quick);
    QFETCH(bool, curves);
    AuditRequest asked = request();
    if (heldOut)
        asked.heldOut = set("held-out.npy");
    asked.options.oneClass = oneClass;
    asked.options.tablesOnly = quick;
    asked.options.k = 4;
    auto audit = runAudit(asked);
    if (curves) {
        CurveRequest wanted;
        wanted.discard = {"pce"};
        audit = withCurves(audit, wanted, asked.options);
        QVERIFY(!audit->curves.empty());
    }
    writeAuditFile(*audit, path("again.assay"));
    const auto again = readAuditFile(path("again.assay"));
    QCOMPARE(scoresAsJson(*again), scoresAsJson(*audit)); // all aggregates, intervals, curves, findings, comparisons
    QCOMPARE(again->real->neighbors, audit->real->neighbors);
    QCOMPARE(again->real->radius, audit->real->radius);
    QCOMPARE(again->heldOut != nullptr, heldOut);
    for (std::size_t m = 0; m < audit->models.size(); ++m) {
        const ModelAudit& before = *audit->models[m];
        const ModelAudit& after = *again->models[m];
        QCOMPARE(syntheticScoresAsCsv(*again, after),
                 syntheticScoresAsCsv(*audit, before)); // every sample, to the last bit
        QCOMPARE(realScoresAsCsv(*again, after), realScoresAsCsv(*audit, before));
        QCOMPARE(after.tables->syntheticToSynthetic, before.tables->syntheticToSynthetic);
        QCOMPARE(after.tables->synthetic.nearest, before.tables->synthetic.nearest);
        QCOMPARE(after.tables->real.nearest, before.tables->real.nearest);
        QCOMPARE(after.tables->real.inside, before.tables->real.inside);
        QCOMPARE(after.modeCounts, before.modeCounts);
        QCOMPARE(after.good.size(), before.good.size());
        QCOMPARE(after.summary, before.summary);
        QCOMPARE(after.findings.size(), before.findings.size());
        for (std::size_t at = 0; at < before.findings.size(); ++at) {
            QCOMPARE(after.findings[at].kind, before.findings[at].kind);
            QCOMPARE(after.findings[at].marksModel, before.findings[at].marksModel);
            QCOMPARE(after.findings[at].place, before.findings[at].place);
        }
        QCOMPARE(isMarked(after), isMarked(before));
    }
}

void AuditFileTest::theDemoIsMadeAgain() {
    const Demo demo = makeDemo();
    AuditRequest asked;
    asked.real = demo.real;
    asked.models = {{demo.models[1]->name(), demo.models[1]}};
    asked.options.tablesOnly = true;
    const auto audit = runAudit(asked);
    writeAuditFile(*audit, path("demo.assay"));
    const auto again = readAuditFile(path("demo.assay"));
    QCOMPARE(scoresAsJson(*again), scoresAsJson(*audit));
    QVERIFY(again->models[0]->set->images() != nullptr);
}

void AuditFileTest::goesOnAsIfItHadNeverBeenAway() {
    AuditRequest asked = request();
    asked.heldOut = set("held-out.npy");
    const auto audit = runAudit(asked);
    writeAuditFile(*audit, path("more.assay"));
    const auto again = readAuditFile(path("more.assay"));
    const std::vector<AuditModel> third{{"third", set("third.npy")}};
    const auto before = addModels(*audit, third, asked.options);
    const auto after = addModels(*again, third, asked.options);
    QCOMPARE(syntheticScoresAsCsv(*after, *after->models[2]), syntheticScoresAsCsv(*before, *before->models[2]));
    QCOMPARE(metricsAsJson(after->models[2]->metrics), metricsAsJson(before->models[2]->metrics));
}

void AuditFileTest::scoresWhatIsKeptAlike() {
    const auto again = readAuditFile(path("audit.assay"));
    std::vector<bool> kept(audit_->models[0]->set->rows());
    for (std::size_t row = 0; row < kept.size(); ++row)
        kept[row] = audit_->models[0]->column("pce")[row] < 1.0;
    AuditOptions options;
    WhatIf before(audit_, 0, options);
    WhatIf after(again, 0, options);
    QCOMPARE(metricsAsJson(after.evaluate(kept).metrics), metricsAsJson(before.evaluate(kept).metrics));
}

void AuditFileTest::findsInputsBesideIt() {
    QTemporaryDir other;
    for (const char* name : {"real.npy", "first.npy", "second.npy", "audit.assay"})
        QVERIFY(QFile::copy(folder_.path(name), other.filePath(name)));
    QVERIFY(QFile::rename(folder_.path("real.npy"), folder_.path("away.npy")));
    const auto again = readAuditFile(other.filePath("audit.assay").toStdString());
    QVERIFY(QFile::rename(folder_.path("away.npy"), folder_.path("real.npy")));
    QCOMPARE(metricsAsJson(again->models[0]->metrics), metricsAsJson(audit_->models[0]->metrics));
}

void AuditFileTest::namesAChangedInput() {
    QFile input(folder_.path("first.npy"));
    QVERIFY(input.open(QIODevice::ReadWrite));
    QVERIFY(input.seek(input.size() - 3));
    const QByteArray byte = input.read(1);
    QVERIFY(input.seek(input.size() - 3));
    input.write(QByteArray(1, static_cast<char>(byte[0] ^ 1)));
    input.close();
    const std::string found = refusal(path("audit.assay"));
    QVERIFY2(found.find(path("first.npy") + ": expected the file that") == 0, found.c_str());
    QVERIFY(input.open(QIODevice::ReadWrite));
    QVERIFY(input.seek(input.size() - 3));
    input.write(byte);
    input.close();
    QCOMPARE(refusal(path("audit.assay")), std::string());
}

void AuditFileTest::namesAMissingInput() {
    QVERIFY(QFile::rename(folder_.path("second.npy"), folder_.path("away.npy")));
    const std::string found = refusal(path("audit.assay"));
    QVERIFY(QFile::rename(folder_.path("away.npy"), folder_.path("second.npy")));
    QVERIFY2(found.find(path("second.npy") + ": expected an input of") == 0, found.c_str());
}

std::string AuditFileTest::refusal(const std::string& file) {
    try {
        readAuditFile(file);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::BadInput ? error.what()
                                                   : "another kind of error: " + std::string(error.what());
    }
    return {};
}

void AuditFileTest::refusesWhatIsNone_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("not an audit\n").repeated(100);
    QTest::newRow("an SQLite header alone") << QByteArray("SQLite format 3\0", 16);
}

void AuditFileTest::refusesWhatIsNone() {
    QFETCH(QByteArray, content);
    QFile file(folder_.path("none.assay"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const std::string found = refusal(path("none.assay"));
    QVERIFY2(found.find("none.assay: expected an audit file of Assay") != std::string::npos, found.c_str());
    QVERIFY(refusal(path("not-there.assay")).find("found no such file") != std::string::npos);
    Database other(path("other.db"), Database::Mode::Create);
    other.run("CREATE TABLE IF NOT EXISTS value(path, value)");
    QVERIFY(refusal(path("other.db")).find("expected an audit file of Assay") != std::string::npos);
}

std::string AuditFileTest::changed(const QString& name, const std::string& sql) const {
    const QString copy = folder_.path(name);
    QFile::remove(copy);
    QFile::copy(folder_.path("audit.assay"), copy);
    Database database(copy.toStdString(), Database::Mode::Write);
    database.run(sql);
    return copy.toStdString();
}

void AuditFileTest::refusesANewerFile() {
    const std::string found = refusal(changed("newer.assay", "PRAGMA user_version = 1000"));
    QVERIFY2(found.find("newer Assay") != std::string::npos, found.c_str());
}

void AuditFileTest::refusesViewsInPlaceOfTables() {
    // One that never ends.
    QVERIFY(refusal(changed("view.assay", "ALTER TABLE input RENAME TO other; CREATE VIEW input AS WITH RECURSIVE "
                                          "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n"))
                .find("a view or a trigger") != std::string::npos);
    QVERIFY(refusal(changed("trigger.assay", "CREATE TRIGGER t AFTER INSERT ON decision BEGIN SELECT 1; END"))
                .find("a view or a trigger") != std::string::npos);
}

void AuditFileTest::stopEndsAStatement() {
    std::stop_source source;
    Database database(folder_.path("audit.assay").toStdString(), Database::Mode::Read, {},
                      JobContext(source.get_token()));
    const std::string endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    std::thread stopper([&] { source.request_stop(); });
    bool cancelled = false;
    try {
        database.number(endless);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    stopper.join();
    QVERIFY(cancelled);
}

void AuditFileTest::isWrittenAgainUnlessItHasChanged() {
    const std::string file = changed("again.assay", "SELECT 1");
    auto first = std::make_unique<OpenedFile>(file);
    const OpenedFile second(file);
    first->lock();
    writeAuditFile(*audit_, file);
    first.reset(); // another one may go on
    QVERIFY(test::saysAll(test::refusalOf([&] { second.lock(); }, ErrorKind::WriteFailed),
                          "again.assay: expected the file as it was opened|written by somebody else since"));
    OpenedFile(file).lock();
    QVERIFY(!test::refusalOf([&] { OpenedFile("no such file"); }, ErrorKind::BadInput).isEmpty());
}

void AuditFileTest::refusesDamage() {
    const auto refused = [&](const char* sql, const char* words) {
        const std::string found = refusal(changed("damaged.assay", sql));
        QVERIFY2(found.find("damaged.assay: ") != std::string::npos && found.find(words) != std::string::npos,
                 (std::string(sql) + ": '" + found + "'").c_str());
    };
    refused("UPDATE value SET value = 0.5 WHERE path = 'models/0/metrics/authenticity'", "found them changed");
    refused("DELETE FROM value WHERE path = 'digest'", "expected a value");
    refused("DELETE FROM array WHERE path = 'real/radius'", "found them changed");
    refused("UPDATE array SET data = zeroblob(length(data)) WHERE path = 'real/radius'",
            "real/radius: expected the bytes");
    refused("DROP TABLE array", "no such table");
    refused("DELETE FROM input WHERE id = 1", "expected an input for each");
    // Any byte at all: what is opened at all is what was written.
    QFile whole(folder_.path("audit.assay"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    const std::string expected = scoresAsJson(*audit_);
    std::mt19937 random(7);
    int refusals = 0;
    for (int i = 0; i < 60; ++i) {
        QByteArray flipped = bytes;
        const auto at = static_cast<qsizetype>(random() % static_cast<std::uint32_t>(bytes.size()));
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << (random() % 8)));
        QFile file(folder_.path("flipped.assay"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(flipped);
        file.close();
        try {
            QCOMPARE(scoresAsJson(*readAuditFile(path("flipped.assay"))), expected);
        } catch (const Error&) {
            ++refusals;
        }
    }
    QVERIFY2(refusals > 30, qPrintable(QString::number(refusals)));
}

void AuditFileTest::refusesImpossibleRows() {
    // Rows that are not there, with all sums right: as somebody would write them who means it.
    AuditResult wrong = *audit_;
    auto model = std::make_shared<ModelAudit>(*wrong.models[0]);
    PairTables tables = *model->tables;
    tables.synthetic.nearest.index[5] = 1'000'000;
    model->tables = std::make_shared<const PairTables>(std::move(tables));
    wrong.models[0] = model;
    writeAuditFile(wrong, path("wrong.assay"));
    const std::string found = refusal(path("wrong.assay"));
    QVERIFY2(found.find("expected rows below 160, found 1000000") != std::string::npos, found.c_str());
}

void AuditFileTest::aFailedWriteLeavesTheOldFile() {
    QFile old(folder_.path("audit.assay"));
    QVERIFY(old.open(QIODevice::ReadOnly));
    const QByteArray before = old.readAll();
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(writeAuditFile(*audit_, path("audit.assay"), JobContext(stop.get_token(), {})), Cancelled);
    old.seek(0);
    QCOMPARE(old.readAll(), before);
    try {
        writeAuditFile(*audit_, "/no/such/folder/audit.assay");
        QFAIL("written");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::WriteFailed);
    }
    QVERIFY(QDir(folder_.path(QString())).entryList({"*.assay*"}).filter("tmp").isEmpty());
}

void AuditFileTest::isReadableByOtherPrograms() {
    Database database(path("audit.assay"), Database::Mode::Read);
    QCOMPARE(database.number("SELECT count(*) FROM model"), 2);
    Statement metric =
        database.prepare("SELECT value, low, high FROM metric WHERE model = 'first' AND id = 'clipped_density'");
    QVERIFY(metric.step());
    QCOMPARE(metric.real(0), audit_->models[0]->metric("clipped_density"));
    QCOMPARE(metric.real(1), audit_->models[0]->interval("clipped_density")->low);
    Statement column = database.prepare("SELECT type, count, data FROM array WHERE path = 'models/0/columns/fidelity'");
    QVERIFY(column.step());
    QCOMPARE(column.text(0), std::string("<f8"));
    QCOMPARE(column.integer(1), 150);
    QCOMPARE(column.blob(2).size(), std::size_t{1200});
}

void AuditFileTest::keepsDecisions() {
    const std::string file = path("decided.assay");
    Decisions decisions;
    decisions.model = 1;
    decisions.rules = {{"fidelity", Bound::AtLeast, 0.25}, {"pce", Bound::AtMost, 1.0 / 3.0}};
    decisions.rejectedByHand = {{syntheticSet(0), 3}, {syntheticSet(1), 139}};
    decisions.accepted = {{syntheticSet(0), 149}, {syntheticSet(1), 0}};
    decisions.unsure = {{syntheticSet(1), 7}};
    decisions.notes = {{{SetId::Real, 4}, "a \"quoted\" note,\nin two lines"}, {{syntheticSet(1), 7}, "\u00e9"}};
    decisions.tagNames = {"blurred", "", "\u00e9"};
    decisions.tags.give(1, {{SetId::Real, 0}, {syntheticSet(0), 3}});
    decisions.tags.give(9, SampleSet::all(syntheticSet(1), 140));
    decisions.selected = {{SetId::Real, 159}};
    decisions.focus = SampleId{SetId::Real, 159};
    decisions.filter = "{\"text\": \"a\"}";
    decisions.among = SampleSet();
    writeAuditFile(*audit_, file, {}, &decisions);
    QVERIFY(readDecisions(file, *audit_) == decisions);
    decisions.rejectedByHand = {};
    decisions.among.reset();
    decisions.focus.reset();
    writeDecisions(file, decisions);
    QVERIFY(readDecisions(file, *audit_) == decisions);
    // The audit itself is what it was.
    QCOMPARE(scoresAsJson(*readAuditFile(file)), scoresAsJson(*audit_));
    QVERIFY(readDecisions(path("audit.assay"), *audit_) == Decisions{});
    QVERIFY_EXCEPTION_THROWN(writeDecisions(path("real.npy"), decisions), Error);
    QVERIFY_EXCEPTION_THROWN(writeDecisions(path("gone.assay"), decisions), Error);
}

void AuditFileTest::leavesOutWhatTheAuditDoesNotHave() {
    const std::string file = path("decided.assay");
    Decisions decisions;
    decisions.model = 7;
    decisions.rules = {{"no_such_score", Bound::AtLeast, 0.25}};
    decisions.rejectedByHand = {{syntheticSet(0), 3}, {syntheticSet(0), 150}, {syntheticSet(5), 0}};
    decisions.accepted = {{syntheticSet(0), 3}, {syntheticSet(0), 4}, {SetId::Real, 1}};
    decisions.unsure = {{syntheticSet(0), 3}, {syntheticSet(0), 4}, {syntheticSet(0), 5}, {syntheticSet(1), 140}};
    decisions.notes = {{{SetId::Real, 160}, "gone"}, {{syntheticSet(0), 149}, "there"}, {{syntheticSet(9), 0}, "gone"}};
    writeAuditFile(*audit_, file, {}, &decisions);
    const Decisions found = readDecisions(file, *audit_);
    QCOMPARE(found.model, std::size_t{0});
    QVERIFY(found.rules.empty());
    QVERIFY(found.rejectedByHand == (SampleSet{{syntheticSet(0), 3}}));
    // One verdict a sample, and none of real ones.
    QVERIFY(found.accepted == (SampleSet{{syntheticSet(0), 4}}));
    QVERIFY(found.unsure == (SampleSet{{syntheticSet(0), 5}}));
    QVERIFY(found.notes == (SampleNotes{{{syntheticSet(0), 149}, "there"}}));
}

/// What the `step`th edit of a made-up session leaves: every part tells the step.
static Decisions decisionsOfStep(std::uint32_t step) {
    Decisions decisions;
    decisions.rules = {{"pce", Bound::AtMost, static_cast<double>(step)}};
    for (std::uint32_t row = 0; row < 150; ++row)
        if ((row * 7 + step) % 11 < 5)
            decisions.rejectedByHand |= SampleSet{{syntheticSet(0), row}};
    decisions.tags.give(1 + static_cast<int>(step % 9), SampleSet::all(SetId::Real, 1 + step % 160));
    decisions.filter = std::to_string(step);
    return decisions;
}

void AuditFileTest::readsWhatItCanOfDamagedDecisions_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("notes");
    QTest::addColumn<QString>("firstName");
    const auto row = [](const char* what, const char* name, const QString& value, int notes, const char* firstName) {
        QTest::newRow(what) << QString::fromLatin1(name) << value << notes << QString::fromLatin1(firstName);
    };
    row("no JSON", "notes", "[[0, 1, \"a\"", 0, "");
    row("an object", "notes", "{\"0\": \"a\"}", 0, "");
    row("not of a row", "notes", "[[0, -1, \"a\"], [0, 1.5, \"a\"], [0, 4294967297, \"a\"], [0, \"1\", \"a\"]]", 0, "");
    row("not of a set", "notes", "[[3, 0, \"a\"], [-1, 0, \"a\"], [4294967296, 0, \"a\"]]", 0, "");
    row("neither long nor short", "notes", "[[0, 1], [0, 1, \"a\", 2], [], 7, null, [0, 1, 2], [0, 1, \"\"]]", 0, "");
    row("one of many", "notes", "[[0, 999, \"a\"], [2, 139, \"b\"], [2, 140, \"c\"]]", 1, "");
    row("twice the same", "notes", "[[0, 1, \"a\"], [0, 1, \"b\"]]", 1, "");
    row("deep", "notes", QString(100'000, QLatin1Char('[')), 0, "");
    row("too many names", "tag_names", "[\"blurred\"" + QStringLiteral(", \"x\"").repeated(1000) + QLatin1Char(']'), 0,
        "blurred");
    row("few names", "tag_names", "[\"blurred\"]", 0, "blurred");
    row("names that are none", "tag_names", "[1, null, [], {}]", 0, "");
    row("no names", "tag_names", "\"blurred\"", 0, "");
}

void AuditFileTest::readsWhatItCanOfDamagedDecisions() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(int, notes);
    QFETCH(QString, firstName);
    const std::string file = path("damaged-decisions.assay");
    Decisions decisions;
    decisions.accepted = {{syntheticSet(0), 4}};
    writeAuditFile(*audit_, file, {}, &decisions);
    {
        Database database(file, Database::Mode::Write);
        database.prepare("INSERT OR REPLACE INTO decision VALUES(?, ?)")
            .bind(name.toStdString())
            .bind(value.toStdString())
            .run();
    }
    const Decisions found = readDecisions(file, *audit_);
    QCOMPARE(found.notes.size(), static_cast<std::size_t>(notes));
    QCOMPARE(QString::fromStdString(found.tagNames.front()), firstName);
    QVERIFY(found.accepted == decisions.accepted); // the rest is as it was
}

void AuditFileTest::beingKilledLosesNothingThatWasWritten() {
    const std::string file = path("killed.assay");
    writeAuditFile(*audit_, file);
    std::mt19937 random(11);
    const int times =
        qEnvironmentVariableIsSet("ASSAY_KILLS") ? qEnvironmentVariableIntValue("ASSAY_KILLS") : test::sized(40, 8);
    for (int i = 0; i < times; ++i) {
        std::array<int, 2> written{};
        QCOMPARE(pipe(written.data()), 0);
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) { // edits without end; after each it says which one is written
            try {
                for (std::uint32_t step = 1;; ++step) {
                    writeDecisions(file, decisionsOfStep(step));
                    if (write(written[1], &step, sizeof step) != sizeof step)
                        _exit(1);
                }
            } catch (...) {
                _exit(2);
            }
        }
        close(written[1]);
        std::uint32_t last = 0;
        QCOMPARE(read(written[0], &last, sizeof last), static_cast<ssize_t>(sizeof last)); // it has begun
        usleep(static_cast<useconds_t>(random() % 15000));                                 // any moment
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        for (std::uint32_t step = 0; read(written[0], &step, sizeof step) == static_cast<ssize_t>(sizeof step);)
            last = step;
        close(written[0]);
        if (i % 4 == 3) { // a new file in its place has nothing of what was begun
            writeAuditFile(*audit_, file);
            QVERIFY(readDecisions(file, *audit_) == Decisions{});
            QCOMPARE(scoresAsJson(*readAuditFile(file)), scoresAsJson(*audit_));
            continue;
        }
        const Decisions found = readDecisions(file, *audit_);
        const auto step = static_cast<std::uint32_t>(std::stoul(found.filter));
        QVERIFY2(step == last || step == last + 1, qPrintable(QString("%1 for %2").arg(step).arg(last)));
        QVERIFY(found == decisionsOfStep(step));
        Database database(file, Database::Mode::Read);
        Statement check = database.prepare("PRAGMA integrity_check");
        QVERIFY(check.step());
        QCOMPARE(check.text(0), std::string("ok"));
    }
    QCOMPARE(scoresAsJson(*readAuditFile(file)), scoresAsJson(*audit_));
}

void AuditFileTest::verdictsOfAnEarlierVersionAreSaidToBe() {
    const auto noteIn = [](const ModelAudit& model) {
        const auto at = std::ranges::find_if(model.findings,
                                             [](const Finding& finding) { return finding.kind->id == "old_verdicts"; });
        return at == model.findings.end() ? nullptr : &*at;
    };
    AuditResult older = *audit_;
    auto first = std::make_shared<ModelAudit>(*older.models[0]);
    first->verdictStatistics = 1; // as written before versions were recorded
    const auto rename = [](auto& scores) {
        for (auto& score : scores)
            if (score.id == "verdict_crowded")
                score.id = "verdict_over_represented"; // the name of 0.2.0
    };
    rename(first->metrics);
    rename(first->intervals);
    rename(first->resamples);
    constexpr FindingKind kCopies{"copies", "Copies", "", ""};
    Finding copies;
    copies.kind = &kCopies;
    copies.marksModel = true;
    first->findings = {copies};
    older.models[0] = first;
    writeAuditFile(older, path("older.assay"));
    const auto opened = readAuditFile(path("older.assay"));
    const Finding* note = noteIn(*opened->models[0]);
    QVERIFY(note != nullptr && !note->marksModel);
    QVERIFY2(note->sentence.find("(Assay ") != std::string::npos, note->sentence.c_str());
    QVERIFY(noteIn(*opened->models[1]) == nullptr);
    QCOMPARE(opened->models[0]->metric("verdict_crowded"), audit_->models[0]->metric("verdict_crowded"));
    QCOMPARE(opened->models[0]->interval("verdict_crowded") != nullptr,
             audit_->models[0]->interval("verdict_crowded") != nullptr);
    QCOMPARE(opened->models[0]->findings.front().kind->id, std::string_view("copy"));
    QVERIFY(opened->models[0]->findings.front().marksModel);
    QCOMPARE(opened->models[0]->column("verdict"), audit_->models[0]->column("verdict"));
    // Written and read once more it says so once.
    writeAuditFile(*opened, path("older-again.assay"));
    const auto again = readAuditFile(path("older-again.assay"));
    QCOMPARE(again->models[0]->findings.size(), opened->models[0]->findings.size());
    QCOMPARE(noteIn(*again->models[0])->sentence, note->sentence);
    // A model that is added is judged by this version.
    const auto more = addModels(*opened, {{"third", set("third.npy")}}, {}, {});
    QVERIFY(noteIn(*more->models[2]) == nullptr && noteIn(*more->models[0]) != nullptr);
}

namespace {

/// The parts of a set, for a copy that differs in some.
EmbeddingParts partsOf(const EmbeddingSet& set) {
    EmbeddingParts parts;
    const auto first = set.matrix().row(0);
    parts.values = FloatStorage(std::vector<float>(first.data(), first.data() + set.rows() * set.dim()));
    parts.rows = set.rows();
    parts.dim = set.dim();
    parts.source = set.source();
    parts.name = set.name();
    parts.preparation = set.preparation();
    return parts;
}

bool haveSameColumns(const ModelAudit& a, const ModelAudit& b) {
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return !a.columns.empty() && std::ranges::equal(a.columns, b.columns, [&](const auto& x, const auto& y) {
        return x.id == y.id && std::ranges::equal(x.values, y.values, same);
    });
}

} // namespace

/// Version 0.1 took [N, 1, d] for series of one step.
void AuditFileTest::seriesOfOneStepStillOpen() {
    AuditRequest request;
    PreparationPtr preparation;
    for (const char* name : {"steps-real.npy", "steps-model.npy"}) {
        const test::Matrix values = test::gaussian(preparation ? 70 : 80, 5, preparation ? 2 : 1);
        const std::string shape = "(" + std::to_string(values.rows) + ", 1, 5)";
        folder_.writeBytes(name,
                           QByteArray::fromStdString(test::npyFile("<f4", shape, test::bytesOf<float>(values.values))));
        ReadOptions options;
        options.choice.scaling = Scaling::ZScore; // as series of one step were scaled
        options.preparation = preparation;
        const auto set = readEmbeddings(path(name), {}, options);
        preparation = set->preparation();
        EmbeddingParts parts = partsOf(*set);
        auto recorded = std::make_shared<ValuePreparation>(*preparation);
        recorded->scaling = Scaling::Features;
        recorded->window = {1, 5};
        parts.preparation = recorded;
        parts.source.builtIn = "series-flattened";
        auto older = std::make_shared<const EmbeddingSet>(std::move(parts));
        if (!request.real)
            request.real = older;
        else
            request.models = {{"model", older}};
    }
    const auto audit = runAudit(request);
    writeAuditFile(*audit, path("steps.assay"));
    const auto opened = readAuditFile(path("steps.assay"));
    QCOMPARE(opened->real->set->dim(), std::size_t{5});
    const auto valuesOf = [](const EmbeddingSet& set) {
        const auto first = set.matrix().row(0);
        return std::vector<float>(first.data(), first.data() + set.rows() * set.dim());
    };
    QCOMPARE(valuesOf(*opened->models[0]->set), valuesOf(*audit->models[0]->set));
    QCOMPARE(opened->models[0]->metric("clipped_density"), audit->models[0]->metric("clipped_density"));
    QVERIFY(haveSameColumns(*opened->models[0], *audit->models[0]));
    // Real windows are still another thing than samples without steps.
    folder_.writeBytes("windows.npy", QByteArray::fromStdString(test::npyFile(
                                          "<f4", "(40, 5, 1)", test::bytesOf<float>(test::gaussian(40, 5, 3).values))));
    ReadOptions options;
    options.preparation = opened->real->set->preparation();
    QVERIFY_THROWS_EXCEPTION(Error, readEmbeddings(path("windows.npy"), {}, options));
}

/// Version 0.1 took folders that number their files for classes.
void AuditFileTest::shardFoldersStillOpen() {
    const auto shards = [&](const QString& name, unsigned seed, float shift) {
        for (int i = 0; i < 60; ++i) {
            const test::Matrix clip = test::gaussian(1, 4, seed + static_cast<unsigned>(i), shift);
            const QString folder = QString("%1/%2").arg(name).arg(i / 30, 5, 10, QChar('0'));
            QDir(folder_.path(QString())).mkpath(folder);
            folder_.writeBytes(
                QString("%1/%2.npy").arg(folder).arg(i, 2, 10, QChar('0')),
                QByteArray::fromStdString(test::npyFile("<f4", "(4,)", test::bytesOf<float>(clip.values))));
        }
        const auto set = readEmbeddings(path(name));
        EmbeddingParts parts = partsOf(*set);
        std::vector<std::string> folders;
        for (std::size_t row = 0; row < set->rows(); ++row) {
            parts.ids.push_back(set->idText(row));
            folders.push_back(parts.ids.back().substr(0, 5));
        }
        parts.labels = labelsFromText(folders);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    AuditRequest request;
    request.real = shards("shards-real", 1000, 0.0F);
    request.models = {{"model", shards("shards-model", 2000, 0.2F)}};
    const auto audit = runAudit(request);
    QVERIFY(audit->models[0]->classMeans.has_value());
    writeAuditFile(*audit, path("shards.assay"));
    const auto opened = readAuditFile(path("shards.assay"));
    QVERIFY(!opened->real->set->hasLabels());
    QVERIFY(!opened->models[0]->classMeans.has_value());
    QVERIFY(haveSameColumns(*opened->models[0], *audit->models[0]));
    QVERIFY(!scoresAsJson(*opened).empty());
    writeAuditFile(*opened, path("shards-again.assay"));
    QVERIFY(haveSameColumns(*readAuditFile(path("shards-again.assay"))->models[0], *audit->models[0]));
}

ASSAY_TEST(audit_file_test, AuditFileTest)
#include "audit_file_test.moc"
