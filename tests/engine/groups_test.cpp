// Samples that belong together (patients, videos) are read from columns, files and folders, find their rows, and are
// said; an audit without groups says nothing of them.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/manifest.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/read_labels.h"
#include "engine/io/sets/set_files.h"
#include "engine/io/sets/set_preview.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <memory>

using namespace assay;
using namespace assay::test;

namespace {

using Texts = std::vector<std::string>;

Texts groupsOf(const EmbeddingSet& set) {
    Texts groups;
    for (std::size_t row = 0; row < set.rows() && set.hasGroups(); ++row)
        groups.push_back(set.groupText(row));
    return groups;
}

QString notesOf(const EmbeddingSet& set) {
    QString notes;
    for (const std::string& note : set.source().notes)
        notes += QString::fromStdString(note) + '\n';
    return notes;
}

/// A table of three features and a column of groups, `each` samples in each.
QByteArray patients(int rows, int each, const QByteArray& name = "patient") {
    QByteArray text = "a,b," + name + ",c\n";
    for (int i = 0; i < rows; ++i)
        text += QByteArray::number(i * i % 17) + ',' + QByteArray::number(i * 7 % 13) + ",p" +
                QByteArray::number(i / each) + ',' + QByteArray::number(i * 5 % 11) + '\n';
    return text;
}

QJsonObject jsonOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

} // namespace

class GroupsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { folder_ = std::make_unique<InputFolder>(); }
    void aColumnThatIsSaid_data();
    void aColumnThatIsSaid();
    void noColumnIsTakenByItsNameAlone();
    void readsFiles_data();
    void readsFiles();
    void refusesFiles_data();
    void refusesFiles();
    void aColumnOfTheLabels();
    void theOwnColumnComesFirst();
    void findsRowsById();
    void framesBelongToTheirClip();
    void droppedRowsTakeTheirGroupsAlong();
    void thePreviewShowsGroups();
    void manifestsNameColumnsAndFiles();
    void anIdHasAStem_data();
    void anIdHasAStem();
    void idsMakeGroups();
    void idsAreLikelyGroups();
    void oneColumnForAllSets();
    void oneColumnForTheSetsThatHaveIt();
    void valuesForSingleSets();
    void theCommandLineRefuses();
    void withoutGroupsNothingIsSaid();
    void theAuditFileReadsThemAgain();
    void aPackedAuditHoldsThem();
    void addedModelsBringTheirs();
    void listsOfSamplesNameThem();
    void rulesRejectWholeGroups();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    std::string file(const QString& name) const { return path(name).toStdString(); }
    void text(const QString& name, const QByteArray& bytes) const { folder_->writeBytes(name, bytes); }
    QByteArray report() const {
        QFile written(path("r.md"));
        return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
    }
    std::shared_ptr<const EmbeddingSet> set(const QString& name, const std::string& groups,
                                            const std::string& labels = {}) const {
        SetFiles files{.embeddings = file(name), .labels = labels};
        files.groups = groups;
        return readSet(files);
    }

    std::unique_ptr<InputFolder> folder_;
};

void GroupsTest::aColumnThatIsSaid_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<std::string>("column");
    QTest::addColumn<Texts>("groups");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* title, const QByteArray& table, const std::string& column, const Texts& groups,
                        const char* note) { QTest::newRow(title) << table << column << groups << QString(note); };
    row("text", "a,who,b\n1,x,5\n2,y,6\n4,x,7\n", "who", {"x", "y", "x"}, "column 2 ('who'): 2 groups");
    row("numbers", "a,who,b\n1,7,5\n2,9,6\n4,7.0,7\n", "who", {"7", "9", "7"}, "2 groups");
    row("a sample alone", "a,who,b\n1,x,5\n2,,6\n4,NA,7\n", "who", {"x", "", ""}, "1 group of|; 2 samples in none");
    row("numbers of the rows", "a,who,b\n1,0,5\n2,1,6\n4,2,7\n", "who", {"0", "1", "2"}, "3 groups");
    row("without names", "1.5,8,5\n2.5,9,6\n4.5,8,7\n", "2", {"8", "9", "8"}, "column 2: 2 groups");
    row("named like ids", "a,id,b\n1,x,5\n2,y,6\n4,x,7\n", "id", {"x", "y", "x"}, "2 groups");
}

void GroupsTest::aColumnThatIsSaid() {
    QFETCH(const QByteArray, table);
    QFETCH(const std::string, column);
    QFETCH(const Texts, groups);
    QFETCH(const QString, note);
    text("real.csv", table);
    ReadOptions options;
    options.choice.scaling = Scaling::None;
    setColumnKind(options.choice, column, ColumnKind::Group);
    const auto said = readSet({file("real.csv")}, {}, options);
    QCOMPARE(groupsOf(*said), groups);
    QCOMPARE(said->dim(), std::size_t{2});
    QVERIFY2(saysAll(notesOf(*said), note), qPrintable(notesOf(*said)));
    QVERIFY(said->source().groups.empty());
    const auto given = set("real.csv", column);
    QCOMPARE(groupsOf(*given), groups);
    QCOMPARE(given->dim(), std::size_t{2});
    QCOMPARE(given->source().groups, column);
    QVERIFY(given->source().groupsSha256.empty());
}

void GroupsTest::noColumnIsTakenByItsNameAlone() {
    text("real.csv", "a,group,patient,b\n1,1,2,5\n2,2,1,6\n4,1,1,7\n");
    const auto read = readSet({file("real.csv")});
    QVERIFY(!read->hasGroups());
    QCOMPARE(read->dim(), std::size_t{4});
}

void GroupsTest::readsFiles_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("key");
    QTest::addColumn<Texts>("ids");
    const auto row = [](const char* title, const QString& name, const auto& bytes, const Texts& ids,
                        const QString& key = {}) {
        QTest::newRow(title) << name << QByteArray::fromStdString(bytes) << key << ids;
    };
    const std::string list = npyFile("<i8", "(2,)", bytesOf<std::int64_t>({7, 10}));
    row("table", "g.csv", std::string("other,path,patient_id\nz,1.png,7\nz,2.png,10\n"), {"1.png", "2.png"});
    row("plural", "g.csv", std::string("path,Videos\n1.png,7\n2.png,10\n"), {"1.png", "2.png"});
    row("the only other column", "g.csv", std::string("id,slide\na,7\nb,10.0\n"), {"a", "b"});
    row("a column that is named", "g.csv", std::string("id,group,ward\na,1,7\nb,1,10\n"), {"a", "b"}, "ward");
    row("a column named like ids", "g.csv", std::string("id,file\na,7\nb,10\n"), {"a", "b"}, "file");
    row("one column", "g.txt", std::string("7\n10\n"), {});
    row("one column with a header", "g.txt", std::string("patient\n7\n10\n"), {});
    row("npy", "g.npy", list, {});
    row("npz", "g.npz",
        zipFile({{"groups.npy", list}, {"ids.npy", npyFile("<i4", "(2,)", bytesOf<std::int32_t>({1, 2}))}}),
        {"1", "2"});
    row("npz by key", "g.npz", zipFile({{"scene.npy", list}}), {}, "scene");
}

void GroupsTest::readsFiles() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, key);
    QFETCH(const Texts, ids);
    text(name, bytes);
    const SampleLabels read = readGroups({file(name), key.toStdString()}, {});
    QCOMPARE(read.rows, std::size_t{2});
    QCOMPARE(read.ids, ids);
    QCOMPARE(read.labels.names.size(), std::size_t{2});
    QCOMPARE(read.labels.names[read.labels.code[0]], std::string("7"));
    QCOMPARE(read.labels.names[read.labels.code[1]], std::string("10"));
    QCOMPARE(read.sha256.size(), std::size_t{64});
}

void GroupsTest::refusesFiles_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const QString& name, const auto& bytes, const char* says,
                        const QString& key = {}) {
        QTest::newRow(title) << name << QByteArray::fromStdString(bytes) << key << QString(says);
    };
    row("several other columns", "g.csv", std::string("id,ward,room\na,1,2\nb,1,3\n"),
        "a column named group, patient,|g.csv:NAME|'id', 'ward', 'room'");
    row("ids alone", "g.csv", std::string("id\na\nb\n"), "a column named group|found 'id'");
    row("no such column", "g.csv", std::string("id,ward\na,1\nb,2\n"), "a column 'room'|'id', 'ward'", "room");
    row("nothing in it", "g.csv", std::string("id,ward\na,\nb,\n"), "names of groups|only missing fields", "ward");
    row("a single array with a key", "g.npy", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({7, 10})),
        "an archive with a key 'x'|a file without keys", "x");
    row("fractions", "g.npy", npyFile("<f4", "(2,)", bytesOf<float>({7, 10.5F})),
        "groups as whole numbers or text|10.5");
    row("an archive without groups", "g.npz",
        zipFile({{"ids.npy", npyFile("<i4", "(1,)", bytesOf<std::int32_t>({1}))}}),
        "expected 'groups', found ids int32 [1]");
    row("another count", "g.txt", std::string("patient\n7\n10\n"), "expected 3 entries, one for each row|found 2");
    row("other ids", "g.csv", std::string("id,patient\nx,1\ny,2\nz,2\n"), "g.csv|'a'|'x'");
    row("an id is missing", "g.csv", std::string("id,patient\na,1\nb,2\n"),
        "g.csv|expected an entry for each row|none for 1, such as 'c'");
}

void GroupsTest::refusesFiles() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, key);
    QFETCH(const QString, says);
    text("emb.csv", "id,v,w\na,1,2\nb,3,5\nc,4,7\n");
    text(name, bytes);
    const std::string groups = file(name) + (key.isEmpty() ? "" : ":" + key.toStdString());
    const QString refusal = refusalOf([&] { set("emb.csv", groups); });
    QVERIFY2(saysAll(refusal, says), qPrintable(refusal));
}

void GroupsTest::aColumnOfTheLabels() {
    text("emb.npy", QByteArray::fromStdString(npyFile("<f4", "(3, 1)", bytesOf<float>({1, 2, 4}))));
    text("l.csv", "id,label,patient\na,x,7\nb,y,8\nc,x,7\n");
    const auto read = set("emb.npy", "patient", file("l.csv"));
    QCOMPARE(groupsOf(*read), (Texts{"7", "8", "7"}));
    QCOMPARE(read->labelText(1), std::string("y"));
    QCOMPARE(read->source().groups, std::string("patient"));
    QVERIFY(read->source().groupsSha256.empty()); // the labels' hash says which file it was
    QVERIFY(saysAll(notesOf(*read), "l.csv: 'patient': 2 groups"));
    QVERIFY(saysAll(
        refusalOf([&] { set("emb.npy", "ward", file("l.csv")); }),
        "emb.npy: expected a column of its table or of its labels, a file, or 'ids', for its groups|'ward'; there "
        "are 'id', 'label', 'patient'"));
    QVERIFY(saysAll(refusalOf([&] { set("emb.npy", "ward"); }), "'ward', which is neither"));
}

void GroupsTest::theOwnColumnComesFirst() {
    text("real.csv", patients(6, 2));
    text("l.csv", "label,patient\na,1\na,1\na,1\nb,1\nb,1\nb,1\n");
    QCOMPARE(set("real.csv", "patient", file("l.csv"))->groups().names, (Texts{"p0", "p1", "p2"}));
    // A file takes the place of what the embeddings' file says.
    const std::string matrix = npyFile("<f4", "(3, 1)", bytesOf<float>({1, 2, 4}));
    text("r.npz", QByteArray::fromStdString(
                      zipFile({{"embeddings.npy", matrix}, {"groups.npy", npyFile("|u1", "(3,)", "\1\1\2")}})));
    text("g.txt", "patient\nx\ny\ny\n");
    QCOMPARE(groupsOf(*set("r.npz", {})), (Texts{"1", "1", "2"}));
    QVERIFY(saysAll(notesOf(*set("r.npz", {})), "r.npz: 'groups': 2 groups of samples that belong together"));
    const auto replaced = set("r.npz", file("g.txt"));
    QCOMPARE(groupsOf(*replaced), (Texts{"x", "y", "y"}));
    QCOMPARE(replaced->source().groupsSha256.size(), std::size_t{64});
}

void GroupsTest::findsRowsById() {
    text("emb.csv", "id,v,w\na,1,2\nb,3,5\nc,4,7\n");
    text("g.csv", "id,patient\nc,9\nb,8\na,8\nd,1\n");
    const auto read = set("emb.csv", file("g.csv"));
    QCOMPARE(groupsOf(*read), (Texts{"8", "8", "9"}));
    QVERIFY(saysAll(notesOf(*read), "by id, 4 entries for 3 rows|1 entries left over ('d')|g.csv: 2 groups"));
}

void GroupsTest::framesBelongToTheirClip() {
    QDir().mkpath(path("clips"));
    const QByteArray two = QByteArray::fromStdString(npyFile("<f4", "(2, 2)", bytesOf<float>({1, 2, 3, 5})));
    text("clips/a.npy", two);
    text("clips/b.npy", two);
    const auto frames = readSet({file("clips") + ":frames"});
    QCOMPARE(groupsOf(*frames), (Texts{"a", "a", "b", "b"}));
    QVERIFY(saysAll(notesOf(*frames), "clips: frames of one clip: 2 groups"));
    QVERIFY(!readSet({file("clips") + ":clips"})->hasGroups());
}

void GroupsTest::droppedRowsTakeTheirGroupsAlong() {
    text("real.csv", "a,b\n1,2\n,4\n5,6\n");
    text("g.csv", "patient\nx\ny\nz\n");
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    options.choice.fillsGaps = false;
    SetFiles files{.embeddings = file("real.csv")};
    files.groups = file("g.csv");
    QCOMPARE(groupsOf(*readSet(files, {}, options)), (Texts{"x", "z"}));
}

void GroupsTest::thePreviewShowsGroups() {
    text("real.csv", patients(8, 2));
    SetFiles files{.embeddings = file("real.csv")};
    files.groups = "patient";
    const SetPreview preview = previewSet(files);
    QCOMPARE(preview.groups, std::size_t{4});
    QCOMPARE(preview.firstGroups, (Texts{"p0", "p0", "p1", "p1", "p2"}));
    QCOMPARE(preview.dimensions, std::size_t{3});
    QVERIFY(preview.columns[2].kind == ColumnKind::Group);
}

void GroupsTest::anIdHasAStem_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("stem");
    const auto row = [](const char* id, const char* stem) { QTest::newRow(id) << id << stem; };
    row("patient12_slice3", "patient12");
    row("video7-0001", "video7");
    row("video7-0001.png", "video7");
    row("scans/p3_12.jpeg", "scans/p3");
    row("a__7", "a");
    row("p1_left_3", "p1_left");
    row("patient12", "");
    row("12", "");
    row("_12", "");
    row("scans/_12", "");
    row("p1_left", "");
    row("cat/0001", "");
    row("", "");
}

void GroupsTest::anIdHasAStem() {
    QFETCH(QString, id);
    QFETCH(QString, stem);
    const std::string text = id.toStdString();
    QCOMPARE(std::string(stemOfId(text)), stem.toStdString());
}

void GroupsTest::idsMakeGroups() {
    text("r.csv", "id,v,w\np1_1,1,2\np1_2,3,5\nq_1,4,7\nalone,5,1\n");
    const auto read = set("r.csv", "ids");
    QCOMPARE(groupsOf(*read), (Texts{"p1", "p1", "q", ""}));
    QCOMPARE(read->source().groups, std::string("ids"));
    QVERIFY(filesOf(read->source()).groups == "ids");
    text("bare.csv", "id,v,w\na1,1,2\na2,3,5\n");
    QVERIFY(saysAll(refusalOf([&] { set("bare.csv", "ids"); }), "patient12_slice3|'a1'"));
    text("none.npy", QByteArray::fromStdString(npyFile("<f4", "(3, 1)", bytesOf<float>({1, 2, 4}))));
    QVERIFY(saysAll(refusalOf([&] { set("none.npy", "ids"); }), "no ids"));
    // A column of that name comes first.
    text("own.csv", "id,v,w,ids\np1_1,1,2,x\np1_2,3,5,y\nq_1,4,7,x\n");
    QCOMPARE(groupsOf(*set("own.csv", "ids")), (Texts{"x", "y", "x"}));
}

void GroupsTest::idsAreLikelyGroups() {
    const auto likely = [](int stems, int each, int alone) {
        Texts ids;
        for (int i = 0; i < stems * each; ++i)
            ids.push_back("p" + std::to_string(i / each) + "_" + std::to_string(i % each));
        for (int i = 0; i < alone; ++i)
            ids.push_back("x" + std::to_string(i));
        return areLikelyGroups(groupsOfIds(ids));
    };
    QVERIFY(likely(10, 4, 0) && likely(12, 4, 48));
    QVERIFY(!likely(9, 4, 40));   // few stems
    QVERIFY(!likely(12, 4, 49));  // most samples stand alone
    QVERIFY(!likely(1, 200, 20)); // one stem for all: sample_0001
    QVERIFY(!likely(40, 1, 0));   // nothing in common
    QVERIFY(!areLikelyGroups({}));
}

void GroupsTest::manifestsNameColumnsAndFiles() {
    text("g.csv", "patient\nx\n");
    text("m.json", R"({"real": {"embeddings": "real.csv", "groups": "patient"},
        "models": {"gan": {"embeddings": "gan.npy", "groups": "g.csv:patient"}}})");
    const Manifest manifest = readManifest(file("m.json"));
    QCOMPARE(manifest.real.groups, std::string("patient"));
    QCOMPARE(manifest.models[0].files.groups, file("g.csv:patient"));
}

void GroupsTest::oneColumnForAllSets() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3));
    text("held.csv", patients(40, 2));
    const QStringList sets{"--real",     path("real.csv"), "--synthetic", "gan=" + path("gan.csv"),
                           "--held-out", path("held.csv"), "--quick",     "--json",
                           "-"};
    const Run run = score(sets + QStringList{"--groups", "patient", "--report", path("r.md")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QVERIFY(saysAll(run.err, "real.csv: column 3 ('patient'): 10 groups of samples that belong together|"
                             "gan.csv: column 3 ('patient'): 10 groups|held.csv: column 3 ('patient'): 20 groups"));
    const QJsonObject json = jsonOf(run);
    QCOMPARE(json["real"].toObject()["groups"].toObject(), (QJsonObject{{"column", "patient"}, {"count", 10}}));
    QCOMPARE(json["models"].toArray()[0].toObject()["groups"].toObject()["count"].toInt(), 10);
    QCOMPARE(json["held_out"].toObject()["groups"].toObject()["count"].toInt(), 20);
    QVERIFY(report().contains("--columns patient=group"));
    const QJsonObject said = jsonOf(score(sets + QStringList{"--columns", "patient=group"}));
    for (const char* part : {"real", "preparation", "held_out"})
        QCOMPARE(said[QLatin1String(part)], json[QLatin1String(part)]);
    QCOMPARE(said["models"].toArray()[0].toObject()["groups"], json["models"].toArray()[0].toObject()["groups"]);
}

void GroupsTest::oneColumnForTheSetsThatHaveIt() {
    text("real.npy", QByteArray::fromStdString(npyFile("<f4", "(6, 1)", bytesOf<float>({1, 2, 4, 5, 7, 9}))));
    text("gan.npy", QByteArray::fromStdString(npyFile("<f4", "(4, 1)", bytesOf<float>({1, 2, 4, 6}))));
    text("l.csv", "label,patient\na,1\na,1\na,2\nb,2\nb,3\nb,3\n");
    const QStringList sets{"--real",
                           path("real.npy"),
                           "--real-labels",
                           path("l.csv"),
                           "--synthetic",
                           "gan=" + path("gan.npy"),
                           "-k",
                           "2",
                           "--quick",
                           "--json",
                           "-"};
    const Run run = score(sets + QStringList{"--groups", "patient"});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const QJsonObject json = jsonOf(run);
    QCOMPARE(json["real"].toObject()["groups"].toObject(), (QJsonObject{{"column", "patient"}, {"count", 3}}));
    QVERIFY(!json["models"].toArray()[0].toObject().contains("groups"));
    QVERIFY(saysAll(run.err, "gan.npy: no column 'patient', so its samples have no groups"));
    const Run none = score(sets + QStringList{"--groups", "ward"});
    QCOMPARE(none.exitCode, 3);
    QVERIFY(saysAll(none.err, "real.npy: expected a column|for its groups|'ward'; there are 'label', 'patient'"));
}

void GroupsTest::valuesForSingleSets() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3, "who"));
    text("vae.npy",
         QByteArray::fromStdString(npyFile("<f4", "(4, 3)", bytesOf<float>({1, 2, 4, 5, 7, 9, 3, 2, 1, 8, 6, 4}))));
    text("g.csv", "patient\n1\n1\n2\n2\n");
    const QStringList sets{"--real",
                           path("real.csv"),
                           "--real-groups",
                           "patient",
                           "--synthetic",
                           "gan=" + path("gan.csv"),
                           "--synthetic",
                           "vae=" + path("vae.npy"),
                           "--groups",
                           "gan=who",
                           "--groups",
                           "vae=" + path("g.csv"),
                           "-k",
                           "2",
                           "--quick",
                           "--json",
                           "-",
                           "--report",
                           path("r.md")};
    const Run run = score(sets);
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const QJsonArray models = jsonOf(run)["models"].toArray();
    QCOMPARE(models[0].toObject()["groups"].toObject(), (QJsonObject{{"column", "who"}, {"count", 10}}));
    const QJsonObject vae = models[1].toObject()["groups"].toObject();
    QCOMPARE(vae["file"].toString(), path("g.csv"));
    QCOMPARE(vae["sha256"].toString().size(), 64);
    QCOMPARE(vae["count"].toInt(), 2);
    const QByteArray written = report();
    QVERIFY(written.contains("--real-groups patient"));
    QVERIFY(written.contains("--groups gan=who"));
    QVERIFY(saysAll(run.err, "g.csv: joined to|by row, 4 entries for 4 rows|g.csv: 2 groups"));
}

void GroupsTest::theCommandLineRefuses() {
    text("real.csv", patients(40, 4));
    const QStringList sets{"--real", path("real.csv"), "--synthetic", "gan=" + path("real.csv")};
    const auto refused = [&](const QStringList& more, int code, const char* says) {
        const Run run = score(sets + more);
        return run.exitCode == code && saysAll(run.err, says);
    };
    QVERIFY(refused({"--groups", "ward"}, 3, "real.csv: expected a column|'ward'; there are 'a', 'b', 'patient', 'c'"));
    QVERIFY(refused({"--groups", "patient", "--groups", "a"}, 2, "one column for all sets|another one, a"));
    QVERIFY(refused({"--held-out-groups", "patient"}, 2, "--held-out-groups|expected with --held-out"));
    QVERIFY(refused({"--columns", "patient=group", "a=group"}, 3, "one column of groups|another one, column"));
    QCOMPARE(score({"--demo", "--groups", "patient"}).exitCode, 2);
    text("g.txt", "patient\n" + QByteArray("1\n").repeated(40));
    QVERIFY(refused({"--real-groups", path("g.txt"), "--json", path("g.txt")}, 3, "found an input"));
}

void GroupsTest::withoutGroupsNothingIsSaid() {
    text("real.csv", patients(40, 4));
    const Run run = score({"--real", path("real.csv"), "--synthetic", "gan=" + path("real.csv"), "--quick", "--json",
                           "-", "--report", path("r.md")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QVERIFY(!run.out.contains("\"groups\""));
    QVERIFY(!report().contains("--groups"));
}

void GroupsTest::theAuditFileReadsThemAgain() {
    text("real.csv", patients(40, 4));
    text("g.csv", "patient\n" + QByteArray("1\n1\n2\n").repeated(10));
    text("gan.csv", "a,b,c\n" + QByteArray("1,2,3\n4,5,6\n7,1,2\n").repeated(10));
    const Run again = score({"--real", path("real.csv"), "--real-groups", "patient", "--synthetic",
                             "gan=" + path("gan.csv"), "--groups", "gan=" + path("g.csv"), "--quick", "--quiet",
                             "--out", path("a.assay"), "--json", path("a.json")});
    QVERIFY2(again.exitCode == 0, again.err.constData());
    const Run opened = score({"--open", path("a.assay"), "--json", "-"});
    QVERIFY2(opened.exitCode == 0, opened.err.constData());
    QFile json(path("a.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonObject first = QJsonDocument::fromJson(json.readAll()).object();
    QCOMPARE(jsonOf(opened)["real"].toObject()["groups"], first["real"].toObject()["groups"]);
    QCOMPARE(jsonOf(opened)["models"].toArray()[0].toObject()["groups"],
             first["models"].toArray()[0].toObject()["groups"]);
    const Run replay = score({"--replay", path("a.assay")});
    QVERIFY2(replay.exitCode == 0, replay.err.constData());
    // A file of groups that was moved beside the audit file is found, a changed one is refused.
    text("g.csv", "patient\n" + QByteArray("1\n").repeated(30));
    QVERIFY(saysAll(score({"--open", path("a.assay")}).err, "g.csv: expected the groups that|changed since"));
    QVERIFY(QFile::remove(path("g.csv")));
    QVERIFY(saysAll(score({"--open", path("a.assay")}).err, "g.csv: expected the groups of|no such file"));
}

void GroupsTest::aPackedAuditHoldsThem() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3));
    const Run written = score({"--real", path("real.csv"), "--synthetic", "gan=" + path("gan.csv"), "--groups",
                               "patient", "--quick", "--quiet", "--out", path("a.assay"), "--pack"});
    QVERIFY2(written.exitCode == 0, written.err.constData());
    for (const char* name : {"real.csv", "gan.csv"})
        QVERIFY(QFile::remove(path(QLatin1String(name))));
    const QJsonObject json = jsonOf(score({"--open", path("a.assay"), "--json", "-"}));
    QCOMPARE(json["real"].toObject()["groups"].toObject(), (QJsonObject{{"column", "patient"}, {"count", 10}}));
    QCOMPARE(json["models"].toArray()[0].toObject()["groups"].toObject()["count"].toInt(), 10);
}

void GroupsTest::addedModelsBringTheirs() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3));
    text("vae.csv", patients(30, 5));
    const Run written = score({"--real", path("real.csv"), "--synthetic", "gan=" + path("gan.csv"), "--groups",
                               "patient", "--quick", "--quiet", "--out", path("a.assay")});
    QVERIFY2(written.exitCode == 0, written.err.constData());
    const Run added = score({"--open", path("a.assay"), "--synthetic", "vae=" + path("vae.csv"), "--json", "-"});
    QVERIFY2(added.exitCode == 0, added.err.constData());
    QCOMPARE(jsonOf(added)["models"].toArray()[1].toObject()["groups"].toObject()["count"].toInt(), 6);
}

void GroupsTest::listsOfSamplesNameThem() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3));
    text("rules.json", R"([{"column": "fidelity", "bound": "at_least", "value": 0}])");
    const Run run =
        score({"--real", path("real.csv"), "--synthetic", "gan=" + path("gan.csv"), "--groups", "patient", "--quick",
               "--quiet", "--export", "kept=" + path("k.csv"), "--export", "kept=" + path("k.jsonl"), "--export",
               "kept=" + path("k.npz"), "--csv", path("tables"), "--rules", path("rules.json")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    const auto linesOf = [&](const QString& name) {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
    };
    QVERIFY(linesOf("k.csv").at(0).startsWith("row,id,label,group,"));
    QVERIFY(linesOf("k.csv").at(1).startsWith("0,0,,p0,"));
    QCOMPARE(QJsonDocument::fromJson(linesOf("k.jsonl").at(0)).object()["group"].toString(), QString("p0"));
    QVERIFY(linesOf("tables/gan.synthetic.csv").at(4).startsWith("3,3,,p1,"));
    QVERIFY(linesOf("tables/gan.real.csv").at(0).startsWith("row,id,label,group,"));
    QCOMPARE(readSet({file("k.npz")})->groupText(0), std::string("p0"));
}

void GroupsTest::rulesRejectWholeGroups() {
    text("real.csv", patients(40, 4));
    text("gan.csv", patients(30, 3));
    text("rules.json", R"([{"column": "group", "bound": "is", "word": "p2", "effect": "reject"}])");
    const Run run =
        score({"--real", path("real.csv"), "--synthetic", "gan=" + path("gan.csv"), "--groups", "patient", "--quick",
               "--quiet", "--rules", path("rules.json"), "--export", "rejected=" + path("r.jsonl")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QFile rejected(path("r.jsonl"));
    QVERIFY(rejected.open(QIODevice::ReadOnly));
    const QByteArrayList lines = rejected.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    for (const QByteArray& line : lines) {
        const QJsonObject sample = QJsonDocument::fromJson(line).object();
        QCOMPARE(sample["group"].toString(), QString("p2"));
        QCOMPARE(sample["reason"].toString(), QString("group p2"));
    }
    text("rules.json", R"([{"column": "group", "bound": "at_least", "value": 2}])");
    const Run refused =
        score({"--real", path("real.csv"), "--synthetic", "gan=" + path("gan.csv"), "--rules", path("rules.json")});
    QCOMPARE(refused.exitCode, 2);
    QVERIFY(saysAll(refused.err, "'is' as 'bound' of a rule on 'group'"));
}

ASSAY_TEST(groups_test, GroupsTest)
#include "groups_test.moc"
