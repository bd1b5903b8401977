// The headless program as people and scripts use it: as a process.
#include "engine/gpu/device/device.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/metrics/catalog/catalog.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <limits>

using namespace assay;
using test::Matrix;
using test::Run;
using test::score;

class AssayScoreTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void writesJsonInTheDocumentedShape();
    void writesCsvInTheDocumentedShape();
    void trainsTheOneClassEmbeddingOnRequest();
    void backendsGiveTheSameNumbers_data();
    void backendsGiveTheSameNumbers();
    void quickKeepsToWhatThePassesTell();
    void aHeldOutSetIsReported();
    void namesModels_data();
    void namesModels();
    void usageErrorsExitWith2_data();
    void usageErrorsExitWith2();
    void usageErrorsSayWhatIsExpected_data();
    void usageErrorsSayWhatIsExpected();
    void badInputExitsWith3_data();
    void badInputExitsWith3();
    void moreCoverThanRowsIsRefused();
    void skippedObjectsAreMentioned();
    void theRealSetAsHeldOutIsMentioned();
    void everyKeyIsDocumented();
    void twoModelsAreCompared();
    void labelsGiveScoresByClass();
    void publishedFiguresComeBesideOurs();
    void helpAndVersion();
    void demoNeedsNoFiles();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    QString write(const QString& name, const Matrix& matrix) const { return folder_->write(name, matrix); }
    void writeBytes(const QString& name, const QByteArray& bytes) const { folder_->writeBytes(name, bytes); }

    std::unique_ptr<test::InputFolder> folder_;
};

void AssayScoreTest::init() {
    folder_ = std::make_unique<test::InputFolder>();
    write("real.npy", test::gaussian(120, 6, 1));
    write("fake.npy", test::gaussian(100, 6, 2));
}

void AssayScoreTest::writesJsonInTheDocumentedShape() {
    const Run run = score({"--real", path("real.npy"), "--synthetic", "mine=" + path("fake.npy"), "--json", "-"});
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.err, QByteArray());
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json.keys(), (QStringList{"assay", "cover", "curves", "evaluation_embeddings", "false_discovery_rate", "k",
                                       "models", "real", "schema", "seed"}));
    QCOMPARE(json["schema"].toInt(), 1);
    QCOMPARE(json["k"].toInt(), 5);
    QCOMPARE(json["seed"].toInt(), 0);
    const QJsonObject real = json["real"].toObject();
    QCOMPARE(real.keys(), (QStringList{"dimensions", "file", "rows", "sha256"}));
    QCOMPARE(real["rows"].toInt(), 120);
    QCOMPARE(real["dimensions"].toInt(), 6);
    QCOMPARE(real["file"].toString(), path("real.npy"));
    QFile file(path("real.npy"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(real["sha256"].toString().toLatin1(),
             QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex());
    const QJsonObject model = json["models"].toArray().at(0).toObject();
    QCOMPARE(model.keys(), (QStringList{"backend", "curves", "diagnostics", "file", "findings", "intervals", "metrics",
                                        "name", "private", "rows", "seconds", "sha256", "summary", "useful"}));
    QCOMPARE(model["name"].toString(), "mine");
    QVERIFY(model["backend"] == "nanoflann");
    for (const char* id : {"clipped_density", "clipped_coverage", "pce", "rce", "re", "authenticity", "precision",
                           "recall", "density", "coverage", "real_entropy"})
        QVERIFY2(model["metrics"].toObject()[id].isDouble(), id);
}

void AssayScoreTest::writesCsvInTheDocumentedShape() {
    const QString folder = path("a/new/folder");
    QCOMPARE(score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--csv", folder, "--quiet"}).exitCode,
             0);
    const auto lines = [&](const char* name) {
        QFile file(folder + "/" + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
    };
    const auto synthetic = lines("fake.synthetic.csv");
    QCOMPARE(synthetic.size(), 102); // header, 100 rows, end of file
    QVERIFY2(synthetic[0].startsWith("row,id,label,fidelity,clipped_ball_count,pce,authentic,nearest_real,"
                                     "nearest_real_distance,re,ball_count"),
             synthetic[0].constData());
    QCOMPARE(synthetic[7].split(',').size(), synthetic[0].split(',').size());
    QVERIFY(synthetic[7].startsWith("6,6,,"));
    const auto real = lines("fake.real.csv");
    QCOMPARE(real.size(), 122);
    QVERIFY2(real[0].startsWith("row,id,label,coverage,ball_synthetic_count,rce,nearest_synthetic_distance"),
             real[0].constData());
    for (const Column& column : columnCatalog())
        if (column.needs == needs::kTables || column.needs == needs::kSamples || column.needs == needs::kRows)
            QVERIFY2((column.side == Side::Real ? real : synthetic)[0].split(',').contains(
                         QByteArray(column.id.data(), static_cast<qsizetype>(column.id.size()))),
                     column.id.data());
}

void AssayScoreTest::trainsTheOneClassEmbeddingOnRequest() {
    const auto scores = [&](const QStringList& more) {
        const Run run = score(
            QStringList{"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quiet", "--json", "-"} + more);
        return QJsonDocument::fromJson(run.out).object();
    };
    const auto metrics = [](const QJsonObject& json) {
        return json["models"].toArray().at(0).toObject()["metrics"].toObject();
    };
    const QJsonObject plain = scores({});
    const QJsonObject trained = scores({"--one-class", "--threads", "1"});
    QVERIFY(!metrics(plain).contains("integrated_alpha_precision_one_class"));
    QVERIFY(metrics(trained)["integrated_alpha_precision_one_class"].isDouble());
    QVERIFY(!plain["evaluation_embeddings"].toObject().contains("one_class"));
    QVERIFY(trained["evaluation_embeddings"].toObject().contains("one_class"));
    // Seeded: the same on every run.
    QCOMPARE(metrics(scores({"--one-class"})), metrics(trained));
}

void AssayScoreTest::quickKeepsToWhatThePassesTell() {
    const auto modelOf = [&](const QStringList& more) {
        const Run run = score(
            QStringList{"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quiet", "--json", "-"} + more);
        return QJsonDocument::fromJson(run.out).object()["models"].toArray().at(0).toObject();
    };
    const QJsonObject quick = modelOf({"--quick"})["metrics"].toObject();
    const QJsonObject whole = modelOf({})["metrics"].toObject();
    QVERIFY(!quick.contains("frechet_distance") && whole.contains("frechet_distance"));
    QVERIFY(quick.contains("clipped_density") && quick.size() < whole.size());
    for (const QString& id : quick.keys())
        QCOMPARE(quick[id], whole[id]);
    QCOMPARE(score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quick", "--one-class"}).exitCode,
             2);
}

void AssayScoreTest::aHeldOutSetIsReported() {
    write("held.npy", test::gaussian(90, 6, 3));
    const Run run = score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--held-out", path("held.npy"),
                           "--cover-k", "2", "--cover-c", "4", "--json", "-"});
    QCOMPARE(run.exitCode, 0);
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json["cover"].toObject(), (QJsonObject{{"k", 2}, {"c", 4}}));
    const QJsonObject heldOut = json["held_out"].toObject();
    QCOMPARE(heldOut.keys(), (QStringList{"file", "rows", "sha256"}));
    QCOMPARE(heldOut["rows"].toInt(), 90);
    QCOMPARE(heldOut["sha256"].toString().size(), 64);
    const QJsonObject scores = json["diagnostics"].toObject()["held_out"].toObject();
    for (const char* id : {"fidelity", "pce", "realism", "rarity", "p_precision"})
        QVERIFY2(scores[id].toObject()["quantiles"].toObject().contains("0.05"), id);
    for (const char* id : {"ct_score", "ct_score_global", "fld", "fld_gap"})
        QVERIFY2(json["models"][0]["metrics"].toObject()[id].isDouble(), id);
    write("other.npy", test::gaussian(90, 7, 3));
    const Run other =
        score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--held-out", path("other.npy")});
    QCOMPARE(other.exitCode, 3);
    QVERIFY2(other.err.contains("other.npy: expected 6 columns"), other.err.constData());
}

void AssayScoreTest::backendsGiveTheSameNumbers_data() {
    QTest::addColumn<int>("dim");
    QTest::addColumn<unsigned>("levels");
    QTest::newRow("independent") << 6 << 0U;
    QTest::newRow("full of ties and duplicates") << 3 << 5U;
    QTest::newRow("one dimension") << 1 << 0U;
    QTest::newRow("many dimensions") << 40 << 0U;
}

void AssayScoreTest::backendsGiveTheSameNumbers() {
    QFETCH(int, dim);
    QFETCH(unsigned, levels);
    const auto set = [&](std::size_t rows, unsigned seed) {
        const auto columns = static_cast<std::size_t>(dim);
        return levels == 0 ? test::gaussian(rows, columns, seed) : test::grid(rows, columns, seed, levels);
    };
    write("a.npy", set(400, 5));
    write("b.npy", set(350, 6));
    QByteArray expected; // all that is told of the model, but for who found it and how fast
    for (const char* backend : {"gemm", "kdtree", "nanoflann"})
        for (const char* threads : {"1", "2", "5"}) {
            const Run run = score({"--real", path("a.npy"), "--synthetic", path("b.npy"), "--json", "-", "--backend",
                                   backend, "--threads", threads});
            QCOMPARE(run.exitCode, 0);
            QJsonObject model = QJsonDocument::fromJson(run.out)["models"][0].toObject();
            QCOMPARE(model.take("backend").toString(), backend);
            QVERIFY(model.take("seconds").isDouble());
            QVERIFY(model["metrics"].toObject().size() > 20);
            const QByteArray found = QJsonDocument(model).toJson();
            if (expected.isEmpty())
                expected = found;
            QVERIFY2(found == expected, qPrintable(QStringLiteral("%1, %2 threads").arg(backend, threads)));
        }
}

void AssayScoreTest::namesModels_data() {
    QTest::addColumn<QStringList>("synthetic");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("stem") << QStringList{"fake.npy"} << QStringList{"fake"};
    QTest::newRow("given") << QStringList{"a=fake.npy", "b=fake.npy"} << QStringList{"a", "b"};
    QTest::newRow("made unique") << QStringList{"fake.npy", "fake.npy"} << QStringList{"fake", "fake-2"};
    QTest::newRow("equals sign in the file") << QStringList{"odd=name.npy"} << QStringList{"odd=name"};
}

void AssayScoreTest::namesModels() {
    QFETCH(QStringList, synthetic);
    QFETCH(QStringList, names);
    write("odd=name.npy", test::gaussian(40, 6, 3));
    QProcess process;
    process.setWorkingDirectory(path("."));
    QStringList arguments{"--real", "real.npy", "--json", "-"};
    for (const QString& text : synthetic)
        arguments << "--synthetic" << text;
    process.start(test::scoreProgram(), arguments);
    QVERIFY(process.waitForFinished());
    QStringList found;
    for (const auto& model : QJsonDocument::fromJson(process.readAllStandardOutput())["models"].toArray())
        found << model.toObject()["name"].toString();
    QCOMPARE(found, names);
}

void AssayScoreTest::usageErrorsExitWith2_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("no synthetic") << QStringList{"--real", "x.npy"};
    QTest::newRow("unknown option") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--nonsense"};
    QTest::newRow("backend") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--backend", "abacus"};
    if (cuda::deviceList().usable.empty())
        QTest::newRow("no card") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--backend", "cuda"};
    QTest::newRow("unknown program") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--compat", "nobody"};
    QTest::newRow("k of zero") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "-k", "0"};
    QTest::newRow("k below zero") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "-k", "-3"};
    QTest::newRow("k of words") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "-k", "five"};
    QTest::newRow("curve without JSON") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--bad-fraction"};
    QTest::newRow("nothing to show") << QStringList{"--real", "x.npy", "--synthetic", "y.npy", "--quiet"};
    QTest::newRow("same name twice") << QStringList{"--real",  "x.npy",       "--synthetic",
                                                    "a=y.npy", "--synthetic", "a=z.npy"};
}

void AssayScoreTest::usageErrorsExitWith2() {
    QFETCH(QStringList, arguments);
    const Run run = score(arguments);
    QCOMPARE(run.exitCode, 2);
    QVERIFY(!run.err.isEmpty());
}

void AssayScoreTest::usageErrorsSayWhatIsExpected_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("backend") << QStringList{"--backend", "abacus"}
                             << QStringList{"auto, gemm, kdtree, nanoflann", "cuda", "abacus"};
    QTest::newRow("backend by number") << QStringList{"--backend", "1"} << QStringList{"auto, gemm, kdtree"};
    QTest::newRow("k beyond numbers") << QStringList{"-k", "99999999999999999999"}
                                      << QStringList{"99999999999999999999", "4294967295"};
    const QStringList json{"--json", "-"};
    QTest::newRow("discarding by what is not trained") << json + QStringList{"--discard", "typicality_one_class"}
                                                       << QStringList{"typicality_one_class", "--one-class"};
    QTest::newRow("discarding by what is left out")
        << json + QStringList{"--quick", "--discard", "realism"} << QStringList{"realism", "--quick"};
    QTest::newRow("rules on what is left out")
        << QStringList{"--synthetic", "missing.npy", "--quick", "--rules", "copy"}
        << QStringList{"--rules", "verdict", "--quick"};
    QTest::newRow("a requirement on what is not trained")
        << QStringList{"--require", "integrated_alpha_precision_one_class>=0"}
        << QStringList{"--require", "--one-class"};
    QTest::newRow("a requirement on what is left out") << QStringList{"--quick", "--require", "frechet_distance<=1"}
                                                       << QStringList{"--require", "frechet_distance<=1", "--quick"};
    QTest::newRow("an interval that is left out") << QStringList{"--quick", "--require", "coverage.low>=0"}
                                                  << QStringList{"--require", "coverage.low>=0", "--quick"};
    QTest::newRow("name of a folder") << QStringList{"--synthetic", "a/b=FAKE"}
                                      << QStringList{"a/b", "name without '/'"};
    QTest::newRow("nothing to join") << QStringList{"--join", "id"} << QStringList{"--join", "found nothing to join"};
    QTest::newRow("nothing in that order")
        << QStringList{"--picture-order", "parts"} << QStringList{"--picture-order", "pictures of their own"};
    QTest::newRow("no name") << QStringList{"--synthetic", "=FAKE"} << QStringList{"name"};
    QTest::newRow("name of no file") << QStringList{"--synthetic", "gan="} << QStringList{"expected a file", "gan="};
    QTest::newRow("program") << QStringList{"--compat", "nobody"} << QStringList{"salvy, prdc, fox", "found nobody"};
    QTest::newRow("cover of nothing") << QStringList{"--cover-k", "0"} << QStringList{"from 1 to 65536, found 0"};
    QTest::newRow("threads below none") << QStringList{"--threads", "-1"} << QStringList{"from 0 to 4096, found -1"};
    for (const char* option : {"--json", "--csv", "--held-out"})
        QTest::newRow(option) << QStringList{option, ""} << QStringList{option, "found none"};
}

void AssayScoreTest::usageErrorsSayWhatIsExpected() {
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, says);
    arguments.replaceInStrings("FAKE", path("fake.npy"));
    const Run run = score(QStringList{"--real", path("real.npy"), "--synthetic", path("fake.npy")} + arguments);
    QCOMPARE(run.exitCode, 2);
    for (const QString& text : says)
        QVERIFY2(run.err.contains(text.toUtf8()), run.err.constData());
}

void AssayScoreTest::badInputExitsWith3_data() {
    QTest::addColumn<QString>("synthetic");
    QTest::addColumn<QString>("k");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("missing") << "missing.npy"
                             << "5" << QStringList{"missing.npy"};
    QTest::newRow("dimension") << "narrow.npy"
                               << "5" << QStringList{"narrow.npy", "6", "3"};
    QTest::newRow("NaN") << "nan.npy"
                         << "5" << QStringList{"nan.npy", "NaN", "row 1", "column 2"};
    QTest::newRow("empty array") << "empty.npy"
                                 << "5" << QStringList{"empty.npy"};
    QTest::newRow("truncated") << "truncated.npz"
                               << "5" << QStringList{"truncated.npz"};
    QTest::newRow("k >= N") << "fake.npy"
                            << "120" << QStringList{"real.npy", "120"};
    QTest::newRow("k >= M") << "fake.npy"
                            << "100" << QStringList{"fake.npy", "100"};
}

void AssayScoreTest::badInputExitsWith3() {
    QFETCH(QString, synthetic);
    QFETCH(QString, k);
    QFETCH(QStringList, says);
    write("narrow.npy", test::gaussian(50, 3, 1));
    Matrix nan = test::gaussian(50, 6, 1);
    nan.values[8] = std::numeric_limits<float>::quiet_NaN();
    write("nan.npy", nan);
    write("empty.npy", Matrix{{}, 0, 6});
    const Matrix whole = test::gaussian(50, 6, 1);
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(whole.values, {whole.rows, whole.dim})}};
    writeNpz(path("truncated.npz").toStdString(), items, NpzPacking::Stored);
    QFile file(path("truncated.npz"));
    QVERIFY(file.resize(file.size() / 2));

    const Run run = score({"--real", path("real.npy"), "--synthetic", path(synthetic), "-k", k});
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.out, QByteArray());
    QVERIFY2(run.err.count('\n') == 1, run.err.constData());
    for (const QString& word : says)
        QVERIFY2(run.err.contains(word.toUtf8()), (word + " in " + run.err).toUtf8().constData());
}

void AssayScoreTest::moreCoverThanRowsIsRefused() {
    const QStringList arguments{"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--json", path("x.json")};
    const Run run = score(arguments + QStringList{"--cover-k", "60", "--cover-c", "2"});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains("real.npy") && run.err.contains("120") && run.err.count('\n') == 1, run.err.constData());
    QVERIFY(!QFile::exists(path("x.json")));
    QCOMPARE(score(arguments + QStringList{"--cover-k", "33"}).exitCode, 0);
}

void AssayScoreTest::theRealSetAsHeldOutIsMentioned() {
    write("held.npy", test::gaussian(120, 6, 3));
    const QStringList arguments{"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quick", "--held-out"};
    const Run same = score(arguments + QStringList{path("real.npy")});
    QCOMPARE(same.exitCode, 0);
    QVERIFY2(same.err.contains("the real set itself"), same.err.constData());
    const Run other = score(arguments + QStringList{path("held.npy")});
    QCOMPARE(other.exitCode, 0);
    QVERIFY2(!other.err.contains("note"), other.err.constData());
}

void AssayScoreTest::skippedObjectsAreMentioned() {
    const Matrix whole = test::gaussian(50, 6, 1);
    NpyView pickled = npyView<float>(whole.values, {whole.rows, whole.dim});
    pickled.descr = "|O";
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(whole.values, {whole.rows, whole.dim})},
                                     {"ids", pickled}};
    writeNpz(path("pickled.npz").toStdString(), items, NpzPacking::Stored);
    const Run run = score({"--real", path("real.npy"), "--synthetic", path("pickled.npz")});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.err.contains("'ids'") && run.err.contains("skipped"), run.err.constData());
}

void AssayScoreTest::everyKeyIsDocumented() {
    write("other.npy", test::gaussian(90, 6, 3));
    const std::vector<std::int64_t> labels(50, 1);
    const Matrix whole = test::gaussian(50, 6, 4);
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(whole.values, {whole.rows, whole.dim})},
                                     {"labels", npyView<std::int64_t>(labels, {labels.size()})}};
    writeNpz(path("labelled.npz").toStdString(), items, NpzPacking::Stored);
    const Run run = score({"--real", path("real.npy"), "--synthetic", path("labelled.npz"), "--synthetic",
                           path("other.npy"), "--compat", "alaa", "--json", "-"});
    QCOMPARE(run.exitCode, 0);
    QFile file(QStringLiteral(ASSAY_SOURCE_DIR "/docs/output.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    const auto check = [&](const QJsonObject& object, const QByteArray& where) {
        for (const QString& key : object.keys())
            QVERIFY2(text.contains("`" + where + key.toUtf8() + "`"), qPrintable(where + key));
    };
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    check(json, "");
    check(json["real"].toObject(), "real.");
    const QJsonObject model = json["models"].toArray().at(0).toObject();
    check(model, "models[].");
    check(model["by_class"].toObject(), "by_class.");
    check(model["by_class"]["classes"].toArray().at(0).toObject(), "by_class.classes[].");
    check(model["compat"].toObject(), "compat.");
    check(json["comparisons"].toArray().at(0).toObject(), "comparisons[].");
    QVERIFY(json.contains("comparisons") && model.contains("by_class") && model.contains("compat"));
    for (const auto& value : {model["intervals"]["precision"], json["comparisons"][0]["metrics"]["precision"]})
        for (const QString& key : value.toObject().keys())
            QVERIFY2(text.contains("`" + key.toUtf8() + "`"), qPrintable(key));
}

void AssayScoreTest::twoModelsAreCompared() {
    write("far.npy", test::gaussian(100, 6, 3, 4.0F));
    const Run run = score({"--real", path("real.npy"), "--synthetic", "near=" + path("fake.npy"), "--synthetic",
                           "far=" + path("far.npy"), "--json", "-"});
    const QJsonArray comparisons = QJsonDocument::fromJson(run.out)["comparisons"].toArray();
    QCOMPARE(comparisons.size(), 1);
    QCOMPARE(comparisons[0]["first"].toString(), "near");
    QCOMPARE(comparisons[0]["second"].toString(), "far");
    const QJsonObject density = comparisons[0]["metrics"]["clipped_density"].toObject();
    QVERIFY(density["excludes_zero"].toBool());
    QVERIFY(density["low"].toDouble() > 0.0);
    QVERIFY(density["low"].toDouble() <= density["difference"].toDouble());
}

void AssayScoreTest::labelsGiveScoresByClass() {
    const auto writeLabelled = [&](const char* name, std::size_t rows, std::int64_t classes) {
        std::vector<std::int64_t> labels(rows);
        for (std::size_t row = 0; row < rows; ++row)
            labels[row] = static_cast<std::int64_t>(row) % classes;
        const Matrix whole = test::gaussian(rows, 6, 1);
        const std::vector<NpzItem> items{{"embeddings", npyView<float>(whole.values, {whole.rows, whole.dim})},
                                         {"labels", npyView<std::int64_t>(labels, {labels.size()})}};
        writeNpz(path(name).toStdString(), items, NpzPacking::Stored);
        return path(name);
    };
    const Run run =
        score({"--real", writeLabelled("r.npz", 120, 4), "--synthetic", writeLabelled("s.npz", 90, 3), "--json", "-"});
    const QJsonObject byClass = QJsonDocument::fromJson(run.out)["models"][0]["by_class"].toObject();
    QCOMPARE(byClass["missing_in_synthetic"].toArray(), (QJsonArray{"3"}));
    QCOMPARE(byClass["classes"].toArray().size(), 4);
    QCOMPARE(byClass["classes"][0]["real"].toInt(), 30);
    QVERIFY(byClass["classes"][0]["means"]["fidelity"].isDouble());
    QVERIFY(byClass["classes"][3]["means"]["fidelity"].isNull());
}

void AssayScoreTest::publishedFiguresComeBesideOurs() {
    const Run run = score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--compat", "prdc"});
    QCOMPARE(run.exitCode, 0);
    QVERIFY2(run.out.contains("in the conventions of prdc"), run.out.constData());
    const Run json =
        score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--compat", "prdc", "--json", "-"});
    const QJsonObject model = QJsonDocument::fromJson(json.out)["models"][0].toObject();
    QCOMPARE(model["compat"]["program"].toString(), "prdc");
    QVERIFY(model["compat"]["metrics"]["precision"].isDouble());
    QVERIFY(model["metrics"]["precision"].isDouble());
}

void AssayScoreTest::helpAndVersion() {
    const Run help = score({"--help"});
    QCOMPARE(help.exitCode, 0);
    for (const char* option :
         {"--real", "--synthetic", "-k", "--backend", "--threads", "--json", "--csv", "--compat", "--quiet"})
        QVERIFY2(help.out.contains(option), option);
    QVERIFY(score({"--version"}).out.startsWith("assay-score 0."));
}

void AssayScoreTest::demoNeedsNoFiles() {
    const Run run = score({"--demo", "--json", "-"});
    QCOMPARE(run.exitCode, 0);
    QVERIFY(QJsonDocument::fromJson(run.out)["models"].toArray().size() >= 5);
}

ASSAY_TEST(assay_score_test, AssayScoreTest)
#include "assay_score_test.moc"
