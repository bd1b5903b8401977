// Classes as files write them, samples without a class, sets without a class in common, and files of labels.
#include "engine/audit/result/by_class.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/read_labels.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

using Texts = std::vector<std::string>;

QJsonObject jsonOutputOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

/// A table of two numbers and a class, which follow each other.
QByteArray labelled(int rows, std::uint32_t seed, const QList<QByteArray>& classes) {
    const Matrix matrix = gaussian(static_cast<std::size_t>(rows), 2, seed);
    QByteArray text = "x,y,label\n";
    for (int row = 0; row < rows; ++row) {
        const auto at = static_cast<std::size_t>(2 * row);
        text += QByteArray::number(matrix.values[at]) + "," + QByteArray::number(matrix.values[at + 1]) + "," +
                classes[row % classes.size()] + "\n";
    }
    return text;
}

QJsonObject scored(const QList<QByteArray>& real, const QList<QByteArray>& model) {
    const InputFolder folder;
    folder.writeBytes("real.csv", labelled(120, 1, real));
    folder.writeBytes("model.csv", labelled(90, 2, model));
    const Run run =
        score({"--real", folder.path("real.csv"), "--synthetic", "m=" + folder.path("model.csv"), "--json", "-"});
    if (run.exitCode != 0)
        qWarning().noquote() << run.err;
    return jsonOutputOf(run)["models"].toArray()[0].toObject();
}

QStringList classesOf(const QJsonObject& model) {
    QStringList labels;
    const QJsonArray classes = model["by_class"].toObject()["classes"].toArray();
    for (const auto& one : classes)
        labels << one.toObject()["label"].toString();
    return labels;
}

bool isFound(const QJsonObject& model, const char* id) {
    const QJsonArray findings = model["findings"].toArray();
    return std::any_of(findings.begin(), findings.end(), [&](const auto& one) { return one.toObject()["id"] == id; });
}

/// Whether a class is said to be lost: shares of classes can differ otherwise.
bool losesClass(const QJsonObject& model) {
    const QJsonArray findings = model["findings"].toArray();
    return std::any_of(findings.begin(), findings.end(), [&](const auto& one) {
        return one.toObject()["id"] == "class_shares" &&
               one.toObject()["sentence"].toString().startsWith("It never makes ");
    });
}

/// A folder of `count` pictures that differ, named by `name(i)`.
template <typename Name>
void writePictures(const InputFolder& folder, const QString& below, int count, const Name& name) {
    QDir().mkpath(folder.path(below));
    for (int i = 0; i < count; ++i) {
        const std::vector<std::uint8_t> pixels(16, static_cast<std::uint8_t>(i * 8));
        folder.writeBytes(below + "/" + name(i), QByteArray::fromStdString(pngBytes({pixels, 4, 4, 1})));
    }
}

} // namespace

class ClassFieldsTest : public QObject {
    Q_OBJECT

private slots:
    void nearestClassesAreCounted();
    void classesAreWhatTheyAre_data();
    void classesAreWhatTheyAre();
    void arraysOfFloatsAreClasses();
    void setsThatWriteClassesOtherwiseAreCompared_data();
    void setsThatWriteClassesOtherwiseAreCompared();
    void missingLabelsAreNoClass();
    void setsWithoutACommonClassAreAccusedOfNothing();
    void anyColumnOfPicturesNamesIsTheKey_data();
    void anyColumnOfPicturesNamesIsTheKey();
    void labelsWithoutHeaderAreJoinedByNames();
    void classesAreNoKeys();
    void tablesOfTextAlone();
    void namesThatAreNoUtf8HaveOneSpelling();
    void textThatIsNoUtf8HasOneSpelling();
};

void ClassFieldsTest::classesAreWhatTheyAre_data() {
    QTest::addColumn<QStringList>("fields");
    QTest::addColumn<QStringList>("classes");
    const auto row = [](const char* title, const QStringList& fields, const QStringList& classes) {
        QTest::newRow(title) << fields << classes;
    };
    row("whole numbers", {"1", "0"}, {"0", "1"});
    row("decimals", {"1.0", "0.00"}, {"0", "1"});
    row("exponents and signs", {"1e0", "+2"}, {"1", "2"});
    row("truths", {"True", "false", "TRUE"}, {"0", "1"});
    row("truths beside words", {"True", "maybe"}, {"True", "maybe"});
    row("fractions", {"0.50", "0.5"}, {"0.5"});
    row("codes", {"007", "7"}, {"007", "7"});
    row("blanks", {" 1", "1 "}, {"1"});
    row("words", {"none", "mild", "1.0.2", "1e"}, {"1.0.2", "1e", "mild", "none"});
    row("missing", {"a", "", "NA", "NaN", "nan", "None", "null", "<NA>"}, {"", "a"});
    row("all missing", {"", "nan"}, {});
}

void ClassFieldsTest::classesAreWhatTheyAre() {
    QFETCH(const QStringList, fields);
    QFETCH(const QStringList, classes);
    Texts given;
    for (const QString& field : fields)
        given.push_back(field.toStdString());
    QStringList names;
    for (const std::string& name : labelsFromFields(given).names)
        names << QString::fromStdString(name);
    QCOMPARE(names, classes);
}

void ClassFieldsTest::arraysOfFloatsAreClasses() {
    const InputFolder folder;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    folder.writeBytes("labels.npy", QByteArray::fromStdString(npyFile("<f8", "(3,)", bytesOf<double>({1, nan, -2}))));
    const SampleLabels labels = readLabels(folder.path("labels.npy").toStdString(), {});
    QCOMPARE(labels.rows, std::size_t{3});
    QCOMPARE(labels.labels.names, (Texts{"", "-2", "1"}));
    QCOMPARE(labels.labels.code, (std::vector<std::uint32_t>{2, 0, 1}));
    folder.writeBytes("labels.npy", QByteArray::fromStdString(npyFile("<f8", "(2,)", bytesOf<double>({1, 0.5}))));
    QVERIFY(saysAll(refusalOf([&] { readLabels(folder.path("labels.npy").toStdString(), {}); }),
                    "labels as whole numbers or text|found 0.5"));
}

void ClassFieldsTest::setsThatWriteClassesOtherwiseAreCompared_data() {
    QTest::addColumn<QList<QByteArray>>("model");
    QTest::newRow("decimals") << QList<QByteArray>{"0.0", "1.0"};
    QTest::newRow("truths") << QList<QByteArray>{"False", "True"};
    QTest::newRow("quoted") << QList<QByteArray>{"\"0\"", "\"1\""};
}

void ClassFieldsTest::setsThatWriteClassesOtherwiseAreCompared() {
    QFETCH(const QList<QByteArray>, model);
    const QJsonObject scores = scored({"0", "1"}, model);
    QCOMPARE(classesOf(scores), (QStringList{"0", "1"}));
    QVERIFY(!isFound(scores, "class_shares") && !isFound(scores, "other_classes"));
    QCOMPARE(scores["by_class"], scored({"0", "1"}, {"0", "1"})["by_class"]);
}

void ClassFieldsTest::missingLabelsAreNoClass() {
    const QJsonObject scores = scored({"a", "", "b"}, {"a", "b"});
    QCOMPARE(classesOf(scores), (QStringList{"a", "b"}));
    QVERIFY(!isFound(scores, "class_shares"));
    const QJsonArray classes = scores["by_class"].toObject()["classes"].toArray();
    QCOMPARE(classes[0].toObject()["real"].toInt(), 40);
    QCOMPARE(classes[0].toObject()["synthetic"].toInt(), 45);
    // Of a model that labels few of its samples the classes are compared among these.
    QVERIFY(!isFound(scored({"a", "b"}, {"a", "", "", "", "b", "", "", ""}), "class_shares"));
    // A class that the model lacks is still said.
    QVERIFY(losesClass(scored({"a", "", "b"}, {"a", "NA"})));
}

void ClassFieldsTest::setsWithoutACommonClassAreAccusedOfNothing() {
    const QJsonObject scores = scored({"cat", "dog"}, {"0", "1"});
    QVERIFY(!isFound(scores, "class_shares"));
    QVERIFY(isFound(scores, "other_classes"));
    QVERIFY(scores["by_class"].toObject()["missing_in_synthetic"].toArray().isEmpty());
    const QString all = QString::fromUtf8(QJsonDocument(scores).toJson());
    QVERIFY(
        saysAll(all, "no class in common with the real set. The real classes are cat and dog; its own are 0 and 1"));
}

void ClassFieldsTest::anyColumnOfPicturesNamesIsTheKey_data() {
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("prefix");
    for (const char* name : {"file_name", "image", "image_id", "image_name", "img", "file_path", "filepath", "name",
                             "key", "Bild", "weight"})
        QTest::newRow(name) << name + QStringLiteral(",label") << QString();
    QTest::newRow("behind the class") << QStringLiteral("label,Bild") << QString();
    QTest::newRow("paths") << QStringLiteral("where,label") << QStringLiteral("/data/set/");
    QTest::newRow("paths of Windows") << QStringLiteral("where,label") << QStringLiteral("C:\\set\\");
    QTest::newRow("an id that says something else") << QStringLiteral("id,image,label") << QString();
}

void ClassFieldsTest::anyColumnOfPicturesNamesIsTheKey() {
    QFETCH(const QString, header);
    QFETCH(const QString, prefix);
    const InputFolder folder;
    writePictures(folder, "real", 30, [](int i) { return QStringLiteral("%1.png").arg(i, 3, 10, QLatin1Char('0')); });
    QByteArray table = header.toUtf8() + "\n";
    for (int line = 0; line < 30; ++line) {
        const int picture = line * 7 % 30; // another order
        const QByteArray name = (prefix + QStringLiteral("%1.png").arg(picture, 3, 10, QLatin1Char('0'))).toUtf8();
        const QByteArray label = picture % 2 == 0 ? "even" : "odd";
        table += header.startsWith("id,")      ? QByteArray::number(1000 + line) + "," + name + "," + label
                 : header.startsWith("label,") ? label + "," + name
                                               : name + "," + label;
        table += "\n";
    }
    folder.writeBytes("labels.csv", table);
    const auto set =
        readSet({.embeddings = folder.path("real").toStdString(), .labels = folder.path("labels.csv").toStdString()});
    for (std::size_t row = 0; row < set->rows(); ++row)
        QCOMPARE(set->labelText(row), std::string(row % 2 == 0 ? "even" : "odd"));
    QString notes;
    for (const std::string& note : set->source().notes)
        notes += QString::fromStdString(note) + "\n";
    QVERIFY(!notes.contains("by row"));
}

void ClassFieldsTest::labelsWithoutHeaderAreJoinedByNames() {
    const InputFolder folder;
    writePictures(folder, "real", 6, [](int i) { return QStringLiteral("p%1.png").arg(i); });
    folder.writeBytes("labels.csv", "p5.png,b\np4.png,b\np3.png,b\np2.png,a\np1.png,a\np0.png,a\n");
    const auto set =
        readSet({.embeddings = folder.path("real").toStdString(), .labels = folder.path("labels.csv").toStdString()});
    QCOMPARE(set->labelText(0), std::string("a"));
    QCOMPARE(set->labelText(5), std::string("b"));
}

void ClassFieldsTest::classesAreNoKeys() {
    // Classes 0 to 9 are ids of rows, too, but repeat.
    const InputFolder folder;
    QByteArray rows = "id,x,y\n";
    QByteArray labels = "label,number\n";
    for (int i = 0; i < 40; ++i) {
        rows += QByteArray::number(i) + "," + QByteArray::number(i % 7) + "," + QByteArray::number(i % 5) + "\n";
        labels += QByteArray::number((39 - i) % 10) + "," + QByteArray::number(39 - i) + "\n";
    }
    folder.writeBytes("real.csv", rows);
    folder.writeBytes("labels.csv", labels);
    const auto set = readSet(
        {.embeddings = folder.path("real.csv").toStdString(), .labels = folder.path("labels.csv").toStdString()});
    for (std::size_t row = 0; row < set->rows(); ++row)
        QCOMPARE(set->labelText(row), std::to_string(row % 10));
}

void ClassFieldsTest::tablesOfTextAlone() {
    QByteArray real = "q0,q1,q2\n";
    for (int i = 0; i < 60; ++i)
        real += QByteArray(i % 2 == 0 ? "often" : "never") + "," + (i % 3 == 0 ? "a" : "b") + ",\"x, y\"\n";
    const InputFolder folder;
    folder.writeBytes("real.csv", real);
    folder.writeBytes("model.csv", real);
    const QStringList files{"--real", folder.path("real.csv"), "--synthetic", folder.path("model.csv"), "--json", "-",
                            "--quick"};
    const Run unasked = score(files);
    QVERIFY2(unasked.exitCode == 0, unasked.err);
    QVERIFY(saysAll(unasked.err, "text taken as categories: 'q0' (2), 'q1' (2), 'q2' (1)"));
    const Run run = score(files + QStringList{"--one-hot"});
    QVERIFY2(run.exitCode == 0, run.err);
    const QJsonObject preparation = jsonOutputOf(run)["preparation"].toObject();
    QCOMPARE(preparation["categories"].toArray().size(), 3);
    QCOMPARE(preparation["columns"].toInt(), 8);
    // Prose is no table, with or without commas.
    folder.writeBytes("prose.txt", "Dear reader,\nthis is a letter, and no table.\nIt says much, but nothing new.\n");
    QCOMPARE(score({"--real", folder.path("prose.txt"), "--synthetic", folder.path("model.csv"), "--one-hot"}).exitCode,
             3);
}

void ClassFieldsTest::namesThatAreNoUtf8HaveOneSpelling() {
    const InputFolder folder;
    const auto put = [&](const char* below, const char* name, int i) {
        const std::vector<std::uint8_t> pixels(16, static_cast<std::uint8_t>(i * 8));
        const std::filesystem::path file =
            std::filesystem::path(folder.path(QString::fromLatin1(below)).toStdString()) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << pngBytes({pixels, 4, 4, 1});
    };
    QByteArray labels = "file_name,label\n";
    for (int i = 0; i < 12; ++i) {
        const std::string name = "p\xff" + std::to_string(i) + ".png";
        put("real", name.c_str(), i);
        labels += QByteArray::fromStdString(name) + (i % 2 == 0 ? ",a\n" : ",b\n");
    }
    folder.writeBytes("labels.csv", labels);
    const Run run = score({"--real", folder.path("real"), "--real-labels", folder.path("labels.csv"), "--synthetic",
                           "m=" + folder.path("real"), "--csv", folder.path("out"), "--json", folder.path("out.json"),
                           "--report", folder.path("out.html")});
    QVERIFY2(run.exitCode == 0, run.err);
    const auto read = [&](const QString& name) {
        QFile file(folder.path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray spelling = "p\\xff3.png";
    QVERIFY(read("out/m.real.csv").contains(spelling));
    QVERIFY(read("out.html").contains(spelling));
    for (const char* file : {"out/m.real.csv", "out/m.synthetic.csv", "out.json", "out.html"})
        QVERIFY2(!read(file).isEmpty() && QString::fromUtf8(read(file)).toUtf8() == read(file), file);
    QVERIFY(!(run.out + run.err).contains('\xff'));
}

void ClassFieldsTest::textThatIsNoUtf8HasOneSpelling() {
    const InputFolder folder;
    QByteArray table = "id,kind \xe9,x,label\n";
    QByteArray labels = "id,label\n";
    for (int i = 0; i < 40; ++i) {
        const QByteArray number = QByteArray::number(i);
        const QByteArray kind = i % 2 == 0 ? "\xe9t\xe9" : "hiver";
        table += "\xe9" + number + "," + kind + "," + number + "." + number + "," + kind + "\n";
        labels += "\xe9" + number + "," + kind + "\n";
    }
    folder.writeBytes("t.csv", table);
    folder.writeBytes("labels.csv", labels);
    const std::string list = npyFile("|S5", "(40,)", [] {
        std::string texts;
        for (int i = 0; i < 40; ++i)
            texts += i % 2 == 0 ? std::string("\xe9t\xe9\0\0", 5) : "hiver";
        return texts;
    }());
    folder.writeBytes("list.npy", QByteArray::fromStdString(list));
    const std::string spelling = "\\xe9t\\xe9";
    ReadOptions options;
    options.choice.oneHot = true;
    const auto set = readEmbeddings(folder.path("t.csv").toStdString(), {}, options);
    QCOMPARE(set->idText(3), std::string("\\xe93"));
    QCOMPARE(set->labelText(0), spelling);
    const SampleLabels beside = readLabels(folder.path("labels.csv").toStdString(), {});
    QCOMPARE(beside.ids.at(3), std::string("\\xe93"));
    QCOMPARE(beside.labels.names.at(beside.labels.code.at(0)), spelling);
    const SampleLabels array = readLabels(folder.path("list.npy").toStdString(), {});
    QCOMPARE(array.labels.names.at(array.labels.code.at(0)), spelling);
    // Names of columns and their categories, and all outputs.
    const QStringList files{"--real",
                            folder.path("t.csv"),
                            "--synthetic",
                            "m=" + folder.path("t.csv"),
                            "--one-hot",
                            "--csv",
                            folder.path("out"),
                            "--json",
                            folder.path("out.json"),
                            "--report",
                            folder.path("out.html")};
    const Run run = score(files);
    QVERIFY2(run.exitCode == 0, run.err);
    for (const char* name : {"out/m.synthetic.csv", "out.json", "out.html"}) {
        QFile file(folder.path(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        QVERIFY2(QString::fromUtf8(written).toUtf8() == written && !written.contains("\xc3\xa9t\xc3\xa9"), name);
        QVERIFY2(written.contains("\\xe9"), name);
    }
}

void ClassFieldsTest::nearestClassesAreCounted() {
    const QJsonObject nearest = scored({"a", "b"}, {"a", "b"})["nearest_classes"].toObject();
    QCOMPARE(nearest["classes"].toArray(), (QJsonArray{"a", "b"}));
    int own = 0;
    for (int row = 0; row < 2; ++row) {
        const QJsonArray counts = nearest["counts"].toArray()[row].toArray();
        QCOMPARE(counts[0].toInt() + counts[1].toInt(), 45); // every second of 90
        own += counts[row].toInt();
    }
    QCOMPARE(nearest["agreement"].toDouble(), own / 90.0);
    QVERIFY(nearest["real_agreement"].toDouble() > 0.0 && !nearest.contains("confused"));
    // Of many classes, the confusions by number.
    QList<QByteArray> many;
    for (int label = 0; label < 60; ++label)
        many << "c" + QByteArray::number(label);
    const QJsonObject confused = scored(many, many)["nearest_classes"].toObject();
    QVERIFY(!confused.contains("counts"));
    const QJsonArray list = confused["confused"].toArray();
    QVERIFY(!list.isEmpty() && list.size() <= 100);
    for (qsizetype at = 0; at < list.size(); ++at) {
        QVERIFY(list[at].toObject()["own"] != list[at].toObject()["nearest"]);
        QVERIFY(at == 0 || list[at].toObject()["count"].toInt() <= list[at - 1].toObject()["count"].toInt());
    }
    QVERIFY(!scored({"a", "b"}, {""}).contains("nearest_classes"));
}

ASSAY_TEST(class_fields_test, ClassFieldsTest)
#include "class_fields_test.moc"
