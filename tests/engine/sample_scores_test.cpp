// Figures of single samples from elsewhere: what is read, how it joins the audit, and where it goes from there.
#include "engine/audit/result/by_class.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/external/sample_table.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/store/decisions.h"
#include "engine/subsets/rules/filter.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

using namespace assay;

class SampleScoresTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void joinsByWhatNamesTheSamples_data();
    void joinsByWhatNamesTheSamples();
    void leavesOutWhatIsNoFigure();
    void refusesInWords_data();
    void refusesInWords();
    void aTableOfOneModelGoesToIt();
    void whatFindsNoPartnerIsSaid();
    void droppedRowsMayBeInTheTable();
    void everyModelHasTheColumns();
    void isTakenAwayAgain();
    void laterTablesReplaceAndAdd();
    void rulesReadIt();
    void outputsHaveIt();
    void survivesTheAuditFile();

private:
    std::string write(const std::string& text) {
        const std::string file = folder_.filePath(QStringLiteral("table.csv")).toStdString();
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    SampleScores read(const std::string& text) { return readSampleTable(write(text), NamedSets::of(*audit_)); }
    std::shared_ptr<const AuditResult> joined(const SampleScores& scores) {
        return withSampleScores(audit_, std::make_shared<const SampleScores>(scores));
    }
    /// A set of the folder's, by its rows' ids: "PREFIX/0000.png"; none for an empty prefix.
    static std::shared_ptr<const EmbeddingSet> makeSet(const std::string& name, unsigned seed,
                                                       const std::string& prefix) {
        const test::Matrix matrix = test::gaussian(60, 3, seed);
        EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, name);
        for (int row = 0; row < 60 && !prefix.empty(); ++row)
            parts.ids.push_back(prefix + QStringLiteral("/%1.png").arg(row, 4, 10, QLatin1Char('0')).toStdString());
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    }

    QTemporaryDir folder_;
    std::shared_ptr<const AuditResult> audit_;
};

void SampleScoresTest::initTestCase() {
    AuditRequest request;
    request.real = makeSet("photos", 1, "real");
    request.models = {{"gan", makeSet("gan", 2, "gan")}, {"vae", makeSet("vae", 3, "")}};
    request.options.tablesOnly = true;
    audit_ = runAudit(request);
}

void SampleScoresTest::joinsByWhatNamesTheSamples_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("set");
    QTest::addColumn<int>("row"); // of the value 0.25
    QTest::newRow("ids") << "id,confidence\ngan/0007.png,0.25\n" << 1 << 7;
    QTest::newRow("names of files without the folder") << "filename\tconfidence\n0007.png\t0.25\n" << 1 << 7;
    QTest::newRow("without an extension") << "image;confidence\n0007;0,25\ngan/0008.png;0,5\n" << 1 << 7;
    QTest::newRow("a model's column") << "model,id,confidence\ngan,0003.png,0.5\nVAE.npy,7,0.25\n" << 2 << 7;
    QTest::newRow("numbers of rows") << "model,row,confidence\nvae,7.0,0.25\n" << 2 << 7;
    QTest::newRow("rows of a set that has ids") << "set,row,confidence\ngan,7,0.25\n" << 1 << 7;
    QTest::newRow("real samples") << "set,id,confidence\nreal,0007,0.25\n" << 0 << 7;
    QTest::newRow("real samples by the set's name") << "set,id,confidence\nphotos,0007,0.25\n" << 0 << 7;
    QTest::newRow("an unnamed column of ids") << "confidence,whose\n0.25,gan/0007.png\n" << 1 << 7;
}

void SampleScoresTest::joinsByWhatNamesTheSamples() {
    QFETCH(QString, text);
    QFETCH(int, set);
    QFETCH(int, row);
    const SampleScores scores = read(text.toStdString());
    const auto at = std::ranges::find(scores.parts, static_cast<SetId>(set), &SampleScores::Part::set);
    QVERIFY(at != scores.parts.end());
    QCOMPARE(at->name, std::string("confidence"));
    QCOMPARE(at->source, std::string("table.csv"));
    QCOMPARE(at->sha256.size(), 64U);
    QCOMPARE(at->values.size(), 60U);
    QCOMPARE(at->values[static_cast<std::size_t>(row)], 0.25);
    QVERIFY(std::isnan(at->values[0])); // not in the table
}

void SampleScoresTest::leavesOutWhatIsNoFigure() {
    const SampleScores scores = read("id,label,rating,note,nothing\n"
                                     "gan/0000.png,cat,1,good,\n"
                                     "gan/0001.png,7,,,\n"
                                     "gan/0002.png,dog,n/a,bad,nan\n");
    QCOMPARE(scores.parts.size(), 1U); // of texts with a number among them, too, none is left
    QCOMPARE(scores.parts[0].name, std::string("rating"));
    QCOMPARE(scores.parts[0].values[0], 1.0);
    QVERIFY(std::isnan(scores.parts[0].values[1]) && std::isnan(scores.parts[0].values[2]));
}

void SampleScoresTest::refusesInWords_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << ""
                           << "found no lines";
    QTest::newRow("a header alone") << "id,confidence\n"
                                    << "found 1 line";
    QTest::newRow("no header") << "1,0.5\n2,0.5\n"
                               << "a first line that names the columns, found numbers";
    QTest::newRow("text alone") << "id,class\ngan/0000.png,cat\n"
                                << "a column of numbers";
    QTest::newRow("text among numbers") << "id,c\ngan/0000.png,1\ngan/0001.png,2\ngan/0002.png,high\n"
                                        << "line 4, column 'c': expected a number, found 'high'";
    QTest::newRow("a percentage") << "id,c\ngan/0000.png,1\ngan/0001.png,90%\n"
                                  << "line 3, column 'c'";
    QTest::newRow("fields") << "id,c\ngan/0000.png,1\ngan/0001.png\n"
                            << "line 3: expected 2 fields, found 1";
    QTest::newRow("an unknown sample") << "id,c\ngan/0000.png,1\nx.png,2\n"
                                       << "line 3, column 'id': expected the id of one sample of gan, such as "
                                          "'gan/0000.png', found 'x.png'";
    QTest::newRow("none of the samples") << "id,c\nx.png,1\n"
                                         << "line 2, column 'id': expected a sample of one of the sets (gan, vae), "
                                            "found 'x.png'";
    QTest::newRow("a row beyond") << "model,row,c\nvae,60,1\n"
                                  << "line 2, column 'row': expected the number of a sample of vae, from 0 to 59, "
                                     "found '60'";
    QTest::newRow("a sample twice") << "id,c\ngan/0000.png,1\n0000,2\n"
                                    << "line 3, column 'id': expected each sample once, found '0000' again, as in "
                                       "line 2";
    QTest::newRow("no sample") << "id,c\ngan/0000.png,1\n,2\n"
                               << "line 3, column 'id': expected a sample";
    QTest::newRow("an unknown model") << "model,id,c\ndiffusion,0,1\n"
                                      << "line 2: expected a model of this audit (gan, vae) or 'real', found "
                                         "'diffusion'";
    QTest::newRow("other rows") << "c\n1\n2\n"
                                << "gan 60, vae 60), or a column of ids, found 2 rows";
    QTest::newRow("other rows of a model") << "model,c\nvae,1\n"
                                           << "60 samples of vae, or a column of ids, found 1";
    QTest::newRow("a name twice") << "id,c,c\ngan/0000.png,1,2\n"
                                  << "'c' in columns 2 and 3";
    QTest::newRow("several models") << "row,c\n0,1\n"
                                    << "a column 'model'";
}

void SampleScoresTest::refusesInWords() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    try {
        read(text.toStdString());
        QFAIL("read");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::BadInput);
        const QString message = QString::fromStdString(error.what());
        QVERIFY2(message.contains(words) && message.contains("table.csv"), error.what());
    }
}

void SampleScoresTest::aTableOfOneModelGoesToIt() {
    NamedSets sets = NamedSets::of(*audit_);
    const std::string file = write("row,c\n3,0.25\n"); // every set has a row 3
    for (const SetId usual : {SetId::Real, syntheticSet(0), syntheticSet(1)}) {
        sets.usual = usual;
        const SampleScores scores = readSampleTable(file, sets);
        QCOMPARE(scores.parts.size(), 1U);
        QCOMPARE(scores.parts[0].set, usual);
    }
    sets.usual = syntheticSet(1); // whose samples have no such ids
    QCOMPARE(readSampleTable(write("id,c\ngan/0003.png,1\n"), sets).parts[0].set, syntheticSet(0));
}

void SampleScoresTest::whatFindsNoPartnerIsSaid() {
    EmbeddingParts parts = EmbeddingParts::of({1, 2, 3, 4}, 1, "holed");
    parts.source.droppedRows = {1};
    const EmbeddingSet holed(std::move(parts));
    const NamedSets sets{{{"real", audit_->real->set.get()}, {"holed", &holed}}};
    std::vector<std::string> notes;
    readSampleTable(write("model,row,c\nholed,0,1\nholed,1,2\nholed,3,4\n"), sets, {}, &notes);
    QCOMPARE(notes.size(), std::size_t{2});
    QVERIFY2(notes[0].ends_with("2 of 4 samples of holed have no row, and no score"), notes[0].c_str());
    QVERIFY2(notes[1].ends_with("1 of its rows are of samples that were left out of holed"), notes[1].c_str());
    notes.clear();
    readSampleTable(write("model,c\nholed,0\nholed,1\nholed,2\nholed,3\nholed,4\n"), sets, {}, &notes);
    QCOMPARE(notes.size(), std::size_t{1});
}

void SampleScoresTest::droppedRowsMayBeInTheTable() {
    EmbeddingParts parts = EmbeddingParts::of({1, 2, 3, 4}, 1, "holed");
    parts.source.droppedRows = {1, 3};
    const EmbeddingSet holed(std::move(parts)); // rows 0, 2, 4 and 5 of the file
    const NamedSets sets{{{"real", audit_->real->set.get()}, {"holed", &holed}}};
    const auto valuesOf = [&](const std::string& text) {
        return readSampleTable(write(text), sets).parts[0].values.get();
    };
    const std::vector<double> expected{0.5, 2.5, 4.5, 5.5};
    QCOMPARE(valuesOf("model,c\nholed,0.5\nholed,1.5\nholed,2.5\nholed,3.5\nholed,4.5\nholed,5.5\n"), expected);
    QCOMPARE(valuesOf("model,row,c\nholed,5,5.5\nholed,1,1.5\nholed,0,0.5\nholed,4,4.5\nholed,2,2.5\n"), expected);
}

void SampleScoresTest::everyModelHasTheColumns() {
    const auto audit = joined(read("model,id,confidence,rating\ngan,0000,0.25,3\ngan,0001,1,4.5\nreal,0002,0.5,1\n"));
    const ModelAudit& gan = *audit->models[0];
    const ModelAudit& vae = *audit->models[1];
    for (const ModelAudit* model : {&gan, &vae})
        for (const char* id : {"external_confidence", "external_rating"}) {
            const Column* column = model->findColumn(id);
            QVERIFY(column != nullptr && column->side == Side::Synthetic);
            QCOMPARE(column->id, std::string_view(id));
        }
    QCOMPARE(gan.column("external_confidence")[1], 1.0);
    QVERIFY(std::isnan(gan.column("external_confidence")[2]) && std::isnan(vae.column("external_confidence")[0]));
    QCOMPARE(gan.findColumn("external_confidence")->unit, Unit::Share);
    QCOMPARE(gan.findColumn("external_rating")->unit, Unit::Ratio);
    QCOMPARE(gan.findColumn("external_rating")->title, std::string_view("rating"));
    const Column* ofReal = vae.findColumn("external_real_confidence");
    QVERIFY(ofReal != nullptr && ofReal->side == Side::Real);
    QCOMPARE(vae.column("external_real_confidence")[2], 0.5);
    QVERIFY(gan.findColumn("fidelity") == findColumn("fidelity"));
    QVERIFY(gan.findColumn("external_other") == nullptr);
    // What was computed is the same object, not a copy.
    QVERIFY(&gan.column("fidelity") == &audit_->models[0]->column("fidelity"));
    // A name of the catalogue is told from it.
    const auto named = joined(read("id,PCE\ngan/0000.png,1\n"));
    QCOMPARE(named->models[0]->findColumn("external_PCE")->title, std::string_view("PCE (external)"));
}

void SampleScoresTest::isTakenAwayAgain() {
    const auto audit = joined(read("id,confidence\ngan/0000.png,0.25\n"));
    QVERIFY(withSampleScores(audit, audit->sampleScores) == audit);
    const auto without = withSampleScores(audit, std::make_shared<const SampleScores>());
    QVERIFY(without->sampleScores == nullptr && !without->models[0]->hasColumn("external_confidence"));
    QCOMPARE(without->models[0]->columns.size(), audit_->models[0]->columns.size());
    // A model that comes later gets the columns of the others.
    auto more = std::make_shared<AuditResult>(*audit);
    more->models.push_back(audit_->models[1]);
    QVERIFY(withSampleScores(more, audit->sampleScores)->models[2]->hasColumn("external_confidence"));
}

void SampleScoresTest::laterTablesReplaceAndAdd() {
    SampleScores all = read("id,confidence,rating\ngan/0000.png,0.25,1\n");
    all.add(read("model,row,confidence\ngan,0,0.5\nvae,0,0.75\n"));
    QCOMPARE(all.parts.size(), 3U);
    const auto audit = joined(all);
    QCOMPARE(audit->models[0]->column("external_confidence")[0], 0.5);
    QCOMPARE(audit->models[0]->column("external_rating")[0], 1.0);
    QCOMPARE(audit->models[1]->column("external_confidence")[0], 0.75);
}

void SampleScoresTest::rulesReadIt() {
    std::string text = "id,confidence\n";
    for (int row = 0; row < 59; ++row) // and none for the last
        text += QStringLiteral("gan/%1.png,%2\n").arg(row, 4, 10, QLatin1Char('0')).arg(row / 100.0).toStdString();
    const auto audit = joined(read(text));
    const auto keptBy = [&](const std::string& rule) {
        return AppliedFilter(*audit, 0, {.rules = rulesFromJson("[" + rule + "]")});
    };
    const AppliedFilter kept = keptBy(R"({"column":"external_confidence","bound":"at_least","value":0.5})");
    QCOMPARE(kept.keptCount(), 9U);
    QVERIFY(kept.kept()[50] && !kept.kept()[49] && !kept.kept()[59]);
    QCOMPARE(kept.reason(1), std::string("external_confidence 0.01 < 0.5"));
    // Without a value a sample is in no range.
    QCOMPARE(keptBy(R"({"column":"external_confidence","bound":"between","value":0,"upper":1,"effect":"reject"})")
                 .keptCount(),
             1U);
    QCOMPARE(keptBy(R"({"column":"external_confidence","bound":"lowest","value":0.5,"effect":"reject"})").keptCount(),
             30U);
    const FilterRules rules = rulesFromJson(R"([{"column":"external_confidence","bound":"at_least","value":0.5}])");
    QCOMPARE(rulesFromJson(rulesToJson(rules)), rules);
    QVERIFY_THROWS_EXCEPTION(Error, requireRules(*audit_, 0, rules.list)); // without the table
    QVERIFY_THROWS_EXCEPTION(
        Error,
        requireRules(*audit, 0, rulesFromJson(R"([{"column":"external_x","bound":"at_least","value":1}])").list));
    QVERIFY_THROWS_EXCEPTION(
        Error, requireRules(*audit, 0,
                            rulesFromJson(R"([{"column":"external_confidence","bound":"is","word":"good"}])").list));
}

void SampleScoresTest::outputsHaveIt() {
    const auto audit = joined(read("id,\"trust, in %\"\ngan/0000.png,25\ngan/0002.png,75\n"));
    std::istringstream lines(syntheticScoresAsCsv(*audit, *audit->models[0]));
    std::string header;
    std::string first;
    std::string second;
    std::getline(lines, header);
    std::getline(lines, first);
    std::getline(lines, second);
    QVERIFY2(header.ends_with(",\"external_trust, in %\""), header.c_str());
    QVERIFY2(first.ends_with(",25"), first.c_str());
    QVERIFY2(second.ends_with(",nan"), second.c_str()); // not available
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit))).object();
    const QJsonObject column = json["external_columns"].toArray()[0].toObject();
    QCOMPARE(column["id"].toString(), QString("external_trust, in %"));
    QCOMPARE(column["set"].toString(), QString("gan"));
    QCOMPARE(column["file"].toString(), QString("table.csv"));
    QCOMPARE(column["values"].toInt(), 2);
    QCOMPARE(column["missing"].toInt(), 58);
    QCOMPARE(column["mean"].toDouble(), 50.0);
    QCOMPARE(column["highest"].toDouble(), 75.0);
    QVERIFY(scoresAsJson(*audit_).find("external_columns") == std::string::npos);
}

void SampleScoresTest::survivesTheAuditFile() {
    const std::string file = folder_.filePath(QStringLiteral("scores.assay")).toStdString();
    Decisions decisions;
    decisions.sampleScores = read("model,id,confidence\ngan,0000,0.25\nvae,3,0.5\nreal,0001,1\n");
    decisions.rules = rulesFromJson(R"([{"column":"external_confidence","bound":"at_least","value":0.2}])");
    const auto audit = joined(decisions.sampleScores);
    AuditFileOptions packed;
    packed.inputs = InputData::Packed;
    writeAuditFile(*audit, file, {}, &decisions, packed);
    const auto again = readAuditFile(file);
    // The columns are among the decisions, so that they can be taken away.
    QVERIFY(!again->models[0]->hasColumn("external_confidence"));
    QVERIFY(readDecisions(file, *again) == decisions);
    // Scores that did not change are not written again; others are.
    decisions.notes[{syntheticSet(0), 1}] = "look";
    writeDecisions(file, decisions);
    QVERIFY(readDecisions(file, *again) == decisions);
    decisions.sampleScores.add(read("id,confidence\ngan/0001.png,0.75\n"));
    writeDecisions(file, decisions);
    QVERIFY(readDecisions(file, *again) == decisions);
    decisions.sampleScores = {};
    decisions.rules = {};
    writeDecisions(file, decisions);
    QVERIFY(readDecisions(file, *again) == decisions);
}

ASSAY_TEST(sample_scores_test, SampleScoresTest)
#include "sample_scores_test.moc"
