// Pictures, classes and ids of other files find their rows, by id or by row, and nothing is joined silently: which way
// it went, and what was left over, is told; what does not fit is refused.
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/sets/manifest.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/read_labels.h"
#include "engine/io/sets/set_files.h"
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

using Ids = std::vector<std::string>;

RowJoin joinedIds(const Ids& rows, const Ids& partners, JoinBy by = JoinBy::Auto) {
    return joinRows({"emb.npy", "rows", rows.size(), rows}, {"pictures", "pictures", partners.size(), partners}, by);
}

QByteArray plainPng(std::uint8_t grey) {
    const std::vector<std::uint8_t> pixels(16, grey);
    return QByteArray::fromStdString(pngBytes({pixels, 4, 4, 1}));
}

/// `rows` samples whose value is their number.
Matrix numbered(std::size_t rows) {
    Matrix matrix{std::vector<float>(rows * 2), rows, 2};
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] = static_cast<float>(i * i % 17);
    return matrix;
}

} // namespace

class JoinTest : public QObject {
    Q_OBJECT

private slots:
    void init() { folder_ = std::make_unique<InputFolder>(); }
    void joinsByTheStrictestSameness_data();
    void joinsByTheStrictestSameness();
    void joinsByRow();
    void tellsWhatIsLeftOver();
    void refuses_data();
    void refuses();
    void readsLabels_data();
    void readsLabels();
    void picturesFollowTheirIds();
    void picturesInBothOrders();
    void aTableBringsIdsForThePictures();
    void brokenPicturesAreNamed();
    void rowsWithoutPictureStayEmpty();
    void labelsAreNoEmbeddings();
    void droppedRowsKeepTheirNeighboursApart();
    void readsManifests();
    void refusesManifests_data();
    void refusesManifests();
    void theCommandLineJoins();
    void theCommandLineRefusesBeforeScoring();
    void theAuditFileJoinsAgain();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    std::string file(const QString& name) const { return path(name).toStdString(); }
    void text(const QString& name, const QByteArray& bytes) const { folder_->writeBytes(name, bytes); }
    /// Pictures of increasing grey.
    void pictures(const QStringList& names) const;
    std::uint8_t greyOf(const EmbeddingSet& set, std::size_t row) const { return set.images()->pixels(row).at(0); }

    std::unique_ptr<InputFolder> folder_;
};

void JoinTest::pictures(const QStringList& names) const {
    std::uint8_t grey = 10;
    for (const QString& name : names) {
        QDir().mkpath(QFileInfo(path(name)).path());
        text(name, plainPng(grey));
        grey = static_cast<std::uint8_t>(grey + 10);
    }
}

void JoinTest::joinsByTheStrictestSameness_data() {
    QTest::addColumn<Ids>("rows");
    QTest::addColumn<Ids>("partners");
    QTest::addColumn<QString>("same");
    QTest::newRow("equal") << Ids{"b", "a"} << Ids{"a", "b"} << "id";
    QTest::newRow("ending") << Ids{"x/b", "x/a"} << Ids{"x/a.png", "x/b.png"} << "id without ending";
    QTest::newRow("folders") << Ids{"b.png", "a.png"} << Ids{"x/a.png", "y/b.png"} << "file name";
    QTest::newRow("both") << Ids{"b", "a"} << Ids{"x/a.png", "y/b.png"} << "file name without ending";
    QTest::newRow("zeros") << Ids{"10", "0"} << Ids{"000.png", "010.png"}
                           << "file name without ending and leading zeros";
    QTest::newRow("a number is no ending") << Ids{"3.25", "3.5"} << Ids{"3.5", "3.25"} << "id";
}

void JoinTest::joinsByTheStrictestSameness() {
    QFETCH(const Ids, rows);
    QFETCH(const Ids, partners);
    QFETCH(const QString, same);
    const RowJoin join = joinedIds(rows, partners);
    QVERIFY(join.byId);
    QCOMPARE(QString::fromStdString(join.matchedBy), same);
    QCOMPARE(join.partner, (std::vector<std::uint32_t>{1, 0}));
    QVERIFY(join.without.empty() && join.leftOver.empty());
}

void JoinTest::joinsByRow() {
    const RowJoin join = joinedIds(Ids{}, Ids{});
    QVERIFY(!join.byId && join.partner.empty());
    const Ids names{"b", "a"};
    const RowJoin two = joinRows({"emb.npy", "rows", 2}, {"dir", "pictures", 2, names}, JoinBy::Auto);
    QCOMPARE(two.partner, (std::vector<std::uint32_t>{0, 1}));
    QCOMPARE(QString::fromStdString(joinText(two, {"emb.npy", "rows", 2}, {"dir", "pictures", 2, names})),
             QString("dir: joined to emb.npy by row, 2 pictures for 2 rows: the first with 'b', the last with 'a'"));
    // Ids that say otherwise, where a person knows better.
    QCOMPARE(joinedIds({"x", "y"}, {"p", "q"}, JoinBy::Row).partner, (std::vector<std::uint32_t>{0, 1}));
}

void JoinTest::tellsWhatIsLeftOver() {
    const Ids rows{"a", "gone", "b"};
    const Ids partners{"b", "new", "a", "newer"};
    const RowJoin join = joinedIds(rows, partners);
    QCOMPARE(join.partner, (std::vector<std::uint32_t>{2, RowJoin::kNone, 0}));
    QCOMPARE(join.without, (std::vector<std::uint32_t>{1}));
    QCOMPARE(join.leftOver, (std::vector<std::uint32_t>{1, 3}));
    QVERIFY(
        saysAll(QString::fromStdString(joinText(join, {"emb.npy", "rows", 3, rows}, {"d", "pictures", 4, partners})),
                "by id, 4 pictures for 3 rows|1 rows without one ('gone')|2 pictures left over ('new', 'newer')"));
}

void JoinTest::refuses_data() {
    QTest::addColumn<Ids>("rows");
    QTest::addColumn<Ids>("partners");
    QTest::addColumn<int>("by");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const Ids& rows, const Ids& partners, JoinBy by, const char* says) {
        QTest::newRow(title) << rows << partners << static_cast<int>(by) << says;
    };
    row("fewer pictures", {"a", "b", "c"}, {"a", "b"}, JoinBy::Row,
        "pictures: |expected 3 pictures|of emb.npy|found 2");
    row("more pictures", {}, {"a"}, JoinBy::Auto, "expected 0 pictures|found 1|table of ids");
    row("nothing in common", {"a", "b"}, {"x", "y"}, JoinBy::Auto, "such as 'a'|such as 'x'|join by row");
    row("two candidates for an id", {"im1", "im2"}, {"im1.jpg", "im1.png", "im2.png"}, JoinBy::Auto,
        "pictures: expected one of its pictures for each id of emb.npy|'im1.jpg' and 'im1.png'|both 'im1' by their id "
        "without ending");
    row("two rows for a picture", {"a/1", "b/1"}, {"1.png"}, JoinBy::Auto,
        "emb.npy: expected one of its rows for each id of pictures|'a/1' and 'b/1'|both '1'");
    row("no ids on one side", {"a"}, {}, JoinBy::Id, "pictures: expected ids|found none");
    row("an id twice", {"a", "b", "a"}, {"a", "b"}, JoinBy::Auto, "emb.npy: |'a' twice, the 1. and the 3. of its rows");
    row("a picture twice", {"a", "b"}, {"a", "a"}, JoinBy::Auto, "pictures: |'a' twice");
}

void JoinTest::refuses() {
    QFETCH(const Ids, rows);
    QFETCH(const Ids, partners);
    QFETCH(const int, by);
    QFETCH(const QString, says);
    QVERIFY(saysAll(refusalOf([&] { joinedIds(rows, partners, static_cast<JoinBy>(by)); }), says));
}

void JoinTest::readsLabels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Ids>("ids");
    QTest::addColumn<Ids>("labels");
    const auto row = [](const char* title, const char* name, const std::string& bytes, const Ids& ids,
                        const Ids& labels) {
        QTest::newRow(title) << name << QByteArray::fromStdString(bytes) << ids << labels;
    };
    row("table", "l.csv", "other,path,class\nz,1.png,dog\nz,2.png,cat\n", {"1.png", "2.png"}, {"dog", "cat"});
    row("ids only", "l.csv", "id\n1.png\n2.png\n", {"1.png", "2.png"}, {});
    row("one column", "l.txt", "dog\ncat\n", {}, {"dog", "cat"});
    row("one column of numbers", "l.txt", "7\n10\n", {}, {"7", "10"});
    row("one column with a header", "l.txt", "digit\n7\n10\n", {}, {"7", "10"});
    row("one column with a usual header", "l.txt", "Target\ndog\ncat\n", {}, {"dog", "cat"});
    row("npy", "l.npy", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({7, 10})), {}, {"7", "10"});
    row("npz", "l.npz",
        zipFile({{"labels.npy", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({7, 10}))},
                 {"ids.npy", npyFile("<i4", "(2,)", bytesOf<std::int32_t>({1, 2}))}}),
        {"1", "2"}, {"7", "10"});
}

void JoinTest::readsLabels() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const Ids, ids);
    QFETCH(const Ids, labels);
    text(name, bytes);
    const SampleLabels read = readLabels(file(name), {});
    QCOMPARE(read.rows, std::size_t{2});
    QCOMPARE(read.ids, ids);
    Ids names;
    for (const std::uint32_t code : read.labels.code)
        names.push_back(read.labels.names[code]);
    QCOMPARE(names, labels);
    QCOMPARE(read.sha256.size(), std::size_t{64});
}

void JoinTest::picturesFollowTheirIds() {
    folder_->write("emb.npy", numbered(3));
    text("ids.csv", "id,label\nc,x\na,y\nb,x\n");
    pictures({"p/a.png", "p/b.png", "p/c.png", "p/d.png"});
    const auto set = readSet({.embeddings = file("emb.npy"), .pictures = file("p"), .labels = file("ids.csv")});
    QCOMPARE(set->idText(0), std::string("c"));
    QCOMPARE(set->labelText(1), std::string("y"));
    QCOMPARE(int(greyOf(*set, 0)), 30);
    QCOMPARE(int(greyOf(*set, 1)), 10);
    QCOMPARE(int(greyOf(*set, 2)), 20);
    QCOMPARE(set->source().notes.size(), std::size_t{2});
    QVERIFY(saysAll(QString::fromStdString(set->source().notes[0]), "ids.csv|by row, 3 entries for 3 rows"));
    QVERIFY(saysAll(QString::fromStdString(set->source().notes[1]),
                    "by id without ending, 4 pictures for 3 rows|1 pictures left over ('d.png')"));
    // The scores are those of the embeddings alone.
    QCOMPARE(set->source().sha256, readEmbeddings(file("emb.npy"))->source().sha256);
}

void JoinTest::picturesInBothOrders() {
    folder_->write("emb.npy", numbered(2));
    pictures({"p/a-b/x.png", "p/a/x.png"});
    SetFiles files{.embeddings = file("emb.npy"), .pictures = file("p")};
    QCOMPARE(int(greyOf(*readSet(files), 0)), 10);
    files.order = PictureOrder::Parts;
    const auto set = readSet(files);
    QCOMPARE(int(greyOf(*set, 0)), 20);
    QCOMPARE(set->idText(0), std::string("a/x.png"));
    QCOMPARE(set->labelText(0), std::string("a"));
    QVERIFY(set->source().picturesByParts);
}

void JoinTest::aTableBringsIdsForThePictures() {
    folder_->write("emb.npy", numbered(2));
    text("ids.csv", "path\nq/1.png\np/2.png\n");
    pictures({"all/p/2.png", "all/q/1.png"});
    const auto set = readSet({.embeddings = file("emb.npy"), .pictures = file("all"), .labels = file("ids.csv")});
    QCOMPARE(int(greyOf(*set, 0)), 20);
    QCOMPARE(set->labelText(0), std::string("q")); // folders are classes, where nothing else says
}

void JoinTest::brokenPicturesAreNamed() {
    folder_->write("emb.npy", numbered(3));
    pictures({"p/a.png", "p/b.png", "p/c.png"});
    text("p/b.png", "no picture");
    const auto set = readSet({.embeddings = file("emb.npy"), .pictures = file("p")});
    QCOMPARE(set->source().notes.size(), std::size_t{2});
    QVERIFY(saysAll(QString::fromStdString(set->source().notes[1]), "p: 1 file not to be decoded|: 'b.png'"));
    QCOMPARE(int(greyOf(*set, 2)), 30);
    QCOMPARE(set->images()->pixels(1), std::vector<std::uint8_t>(set->images()->bytesPerImage(), 0));
    for (const char* name : {"p/a.png", "p/c.png"})
        text(name, "");
    QVERIFY(saysAll(refusalOf([&] { readSet({.embeddings = file("emb.npy"), .pictures = file("p")}); }),
                    "p: expected pictures|3 files not to be decoded"));
}

void JoinTest::rowsWithoutPictureStayEmpty() {
    folder_->write("emb.npy", numbered(3));
    text("ids.csv", "id\na\nlost\nb\n");
    pictures({"p/a.png", "p/b.png"});
    const auto set = readSet({.embeddings = file("emb.npy"), .pictures = file("p"), .labels = file("ids.csv")});
    QCOMPARE(int(greyOf(*set, 2)), 20);
    const std::vector<std::uint8_t> none = set->images()->pixels(1);
    QCOMPARE(none, std::vector<std::uint8_t>(set->images()->bytesPerImage(), 0));
    // A sample without a class would be missing from every table by class.
    text("labels.csv", "id,label\na,x\nb,y\n");
    text("emb.csv", "id,v,w\na,1,2\nlost,3,4\nb,5,6\n");
    QVERIFY(saysAll(refusalOf([&] { readSet({.embeddings = file("emb.csv"), .labels = file("labels.csv")}); }),
                    "labels.csv|expected an entry for each row|none for 1, such as 'lost'"));
}

void JoinTest::labelsAreNoEmbeddings() {
    folder_->write("emb.npy", numbered(3));
    folder_->writeBytes("labels.h5", "\x89HDF\r\n\x1a\n" + QByteArray(100, '\0'));
    for (const char* key : {"", ":/labels"})
        QVERIFY(saysAll(refusalOf([&] { readSet({.embeddings = file("emb.npy"), .labels = file("labels.h5") + key}); }),
                        "labels.h5: expected a table or list|of classes or ids, found an HDF5 file"));
}

void JoinTest::droppedRowsKeepTheirNeighboursApart() {
    text("emb.csv", "1,2\nnan,4\n5,6\n");
    text("labels.csv", "label\nfirst\ndropped\nlast\n");
    pictures({"p/a.png", "p/b.png", "p/c.png"});
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    const auto set =
        readSet({.embeddings = file("emb.csv"), .pictures = file("p"), .labels = file("labels.csv")}, {}, options);
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->labelText(1), std::string("last"));
    QCOMPARE(int(greyOf(*set, 0)), 10);
    QCOMPARE(int(greyOf(*set, 1)), 30);
    QCOMPARE(set->idText(1), std::string("c.png"));
    text("ids.csv", "id,label\nc,last\nb,dropped\na,first\n");
    const auto byId =
        readSet({.embeddings = file("emb.csv"), .pictures = file("p"), .labels = file("ids.csv")}, {}, options);
    QCOMPARE(byId->idText(0), std::string("c"));
    QCOMPARE(int(greyOf(*byId, 0)), 30);
    QCOMPARE(int(greyOf(*byId, 1)), 10);
    pictures({"few/a.png", "few/b.png"});
    QVERIFY(saysAll(refusalOf([&] { readSet({.embeddings = file("emb.csv"), .pictures = file("few")}, {}, options); }),
                    "expected 3 pictures|found 2"));
}

void JoinTest::readsManifests() {
    text("m.json", R"({"real": {"embeddings": "real.npz:reps", "pictures": "p", "labels": "/l.csv", "join": "id"},
        "models": {"gan": "gan.npy", "vae": {"embeddings": "vae.npy", "pictures": "v", "order": "parts"}},
        "held_out": "held.npy"})");
    const Manifest manifest = readManifest(file("m.json"));
    QCOMPARE(manifest.real.embeddings, file("real.npz:reps"));
    QCOMPARE(manifest.real.pictures, file("p"));
    QCOMPARE(manifest.real.labels, std::string("/l.csv"));
    QVERIFY(manifest.real.join == JoinBy::Id);
    QCOMPARE(manifest.models.size(), std::size_t{2});
    QCOMPARE(manifest.models[0].name, std::string("gan"));
    QCOMPARE(manifest.models[0].files.embeddings, file("gan.npy"));
    QVERIFY(manifest.models[1].files.order == PictureOrder::Parts);
    QCOMPARE(manifest.heldOut->embeddings, file("held.npy"));
    text("list.json", R"({"real": "r.npy", "models": [{"name": "a", "embeddings": "a.npy"}]})");
    QCOMPARE(readManifest(file("list.json")).models[0].name, std::string("a"));
}

void JoinTest::refusesManifests_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const QByteArray& json, const char* says) {
        QTest::newRow(title) << json << says;
    };
    row("not JSON", "{\n\"real\": \n]", "m.json, line 3|expected JSON");
    row("empty", "", "line 1|expected JSON");
    row("a list", "[]", "the file|expected an object|found []");
    row("no real set", "{\"models\": {\"a\": \"b\"}}", "expected 'real'");
    row("no models", "{\"real\": \"r\"}", "expected 'models'");
    row("no model", "{\"real\": \"r\", \"models\": {}}", "models|at least one set");
    row("unknown key", "{\"real\": \"r\", \"models\": {\"a\": \"b\"}, \"k\": 5}", "only real, models, held_out|'k'");
    row("unknown key of a set", "{\"real\": {\"embeddings\": \"r\", \"picture\": \"p\"}, \"models\": {\"a\": \"b\"}}",
        "real|embeddings, pictures, labels, groups, join, order|'picture'");
    row("a number", "{\"real\": 3, \"models\": {\"a\": \"b\"}}", "real|expected an object|found 3");
    row("join", "{\"real\": {\"embeddings\": \"r\", \"join\": \"no\"}, \"models\": {\"a\": \"b\"}}",
        "real.join|'id' or 'row'|\"no\"");
    row("a key twice", "{\"real\": \"r\",\n\"models\": {\"a\": \"b\",\n\"a\": \"c\"}}",
        "m.json: expected each key once in an object|'a' twice");
    row("a key twice at the top", "{\"real\": \"r\", \"models\": {\"a\": \"b\"}, \"real\": \"s\"}",
        "each key once|'real' twice");
    row("a name twice",
        "{\"real\": \"r\", \"models\": [{\"name\": \"a\", \"embeddings\": \"b\"}, {\"name\": \"a\", \"embeddings\": "
        "\"c\"}]}",
        "names that differ|'a'");
    row("a name with a NUL", R"({"real": "r", "models": {"a\u0000b": "c"}})", "names that differ|NUL");
    row("a number beyond double", "{\"real\": 1e99999}", "m.json: expected JSON|beyond what a double can hold");
    row("deep", QByteArray(100000, '['), "nests deeper");
}

void JoinTest::refusesManifests() {
    QFETCH(const QByteArray, json);
    QFETCH(const QString, says);
    text("m.json", json);
    QVERIFY(saysAll(refusalOf([&] { readManifest(file("m.json")); }), says));
}

void JoinTest::theCommandLineJoins() {
    folder_->write("real.npy", numbered(40));
    folder_->write("gan.npy", numbered(30));
    QStringList names;
    QByteArray labels = "id,label\n";
    for (int i = 0; i < 40; ++i) {
        names << QStringLiteral("p/%1.png").arg(i, 3, 10, QLatin1Char('0'));
        labels += QByteArray::number(i) + (i < 20 ? ",low\n" : ",high\n");
    }
    pictures(names);
    text("real.csv", labels);
    const Run run = score({"--real", path("real.npy"), "--real-pictures", path("p"), "--real-labels", path("real.csv"),
                           "--synthetic", "gan=" + path("gan.npy"), "--quick", "--json", "-"});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QVERIFY(saysAll(run.err, "real.csv: joined to|by row, 40 entries for 40 rows|leading zeros, 40 pictures"));
    const QJsonObject real = QJsonDocument::fromJson(run.out).object()["real"].toObject();
    QCOMPARE(real["pictures"].toString(), path("p"));
    QCOMPARE(real["labels"].toObject()["file"].toString(), path("real.csv"));
    QCOMPARE(real["notes"].toArray().size(), 2);

    text("m.json", "{\"real\": {\"embeddings\": \"real.npy\", \"pictures\": \"p\", \"labels\": \"real.csv\"}, "
                   "\"models\": {\"gan\": \"gan.npy\"}}");
    const Run manifest = score({"--manifest", path("m.json"), "--quick", "--json", "-"});
    QVERIFY2(manifest.exitCode == 0, manifest.err.constData());
    const auto metrics = [](const Run& of) -> QJsonValue {
        return QJsonDocument::fromJson(of.out).object()["models"].toArray()[0].toObject()["metrics"];
    };
    QCOMPARE(metrics(manifest), metrics(run));
    QCOMPARE(score({"--manifest", path("m.json"), "--real", path("real.npy")}).exitCode, 2);
}

void JoinTest::theCommandLineRefusesBeforeScoring() {
    folder_->write("real.npy", numbered(4));
    pictures({"p/a.png", "p/b.png", "p/c.png"});
    const QStringList sets{"--real", path("real.npy"), "--synthetic", "gan=" + path("real.npy")};
    const Run few = score(sets + QStringList{"--real-pictures", path("p")});
    QCOMPARE(few.exitCode, 3);
    QVERIFY(saysAll(few.err, "expected 4 pictures, one for each row|found 3"));
    QCOMPARE(few.err.count('\n'), 1);
    const Run model = score(sets + QStringList{"--pictures", "gan=" + path("p")});
    QCOMPARE(model.exitCode, 3);
    QCOMPARE(score(sets + QStringList{"--synthetic", "b=" + path("real.npy"), "--pictures", "c=x"}).exitCode, 2);
    QCOMPARE(score(sets + QStringList{"--held-out-pictures", path("p")}).exitCode, 2);
    text("bad.json", "{");
    QCOMPARE(score({"--manifest", path("bad.json")}).exitCode, 3);
    // Of many columns a message names some.
    QStringList columns;
    for (int c = 0; c < 1000; ++c)
        columns << QStringLiteral("x%1").arg(c);
    text("wide.csv", columns.join(',').toUtf8() + "\n" + QByteArray(999, ',') + "\n");
    const Run wide = score(sets + QStringList{"--real-labels", path("wide.csv")});
    QCOMPARE(wide.exitCode, 3);
    QVERIFY(saysAll(wide.err, "wide.csv|'x0', 'x1'|and 988 more"));
    // A label file is an input, too.
    text("l.txt", "a\nb\nc\nd\n");
    const Run over = score(sets + QStringList{"--real-labels", path("l.txt"), "--json", path("l.txt")});
    QCOMPARE(over.exitCode, 3);
    QVERIFY(over.err.contains("found an input"));
}

void JoinTest::theAuditFileJoinsAgain() {
    folder_->write("real.npy", numbered(12));
    QStringList names;
    QByteArray labels = "label\n";
    for (int i = 0; i < 12; ++i) {
        names << QStringLiteral("p/%1.png").arg(i, 2, 10, QLatin1Char('0'));
        labels += i < 6 ? "a\n" : "b\n";
    }
    pictures(names);
    text("l.csv", labels);
    const Run written =
        score({"--real", path("real.npy"), "--real-pictures", path("p"), "--real-labels", path("l.csv"), "--synthetic",
               "gan=" + path("real.npy"), "-k", "2", "--quick", "--quiet", "--out", path("a.assay")});
    QVERIFY2(written.exitCode == 0, written.err.constData());
    const auto notesOf = [&] {
        const Run opened = score({"--open", path("a.assay"), "--json", "-"});
        return opened.exitCode != 0 ? QString::fromUtf8(opened.err)
                                    : QJsonDocument(QJsonDocument::fromJson(opened.out).object()["real"].toObject())
                                          .toJson(QJsonDocument::Compact);
    };
    QVERIFY(saysAll(notesOf(), "by row, 12 pictures|by row, 12 entries"));
    QVERIFY(QDir().rename(path("p"), path("elsewhere")));
    QVERIFY(saysAll(notesOf(), "p: not there any more; opened without pictures"));
    text("l.csv", labels + "c\n");
    QVERIFY(saysAll(notesOf(), "l.csv: expected the labels that|changed since"));
}

ASSAY_TEST(join_test, JoinTest)
#include "join_test.moc"
