// assay-score under mpirun: the same figures as one process, and no failure that hangs.
#include "engine/io/npy_writer.h"
#include "engine/metrics/catalog.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"

#include <QtTest>

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <limits>
#include <memory>
#include <span>
#include <unistd.h>

using namespace assay;
using test::Matrix;
using test::outcomeOf;
using test::Run;

namespace {

const QString kProgram = test::scoreProgram();

/// What the launcher and the sanitizers need to run in a container, without ssh and with fewer cores than processes.
QProcessEnvironment environment() {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("OMPI_MCA_plm", "isolated");
    all.insert("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
    all.insert("ASAN_OPTIONS", "detect_leaks=0"); // the MPI library keeps what it has until the end
    return all;
}

void start(QProcess& process, int ranks, const QStringList& arguments) {
    QStringList all{"--oversubscribe", "--bind-to", "none", "-n", QString::number(ranks)};
    if (geteuid() == 0)
        all << "--allow-run-as-root";
    process.setProcessEnvironment(environment());
    process.start("mpirun", all + QStringList{kProgram} + arguments);
}

Run together(int ranks, const QStringList& arguments) {
    QProcess process;
    start(process, ranks, arguments);
    return outcomeOf(process);
}

Run alone(const QStringList& arguments) {
    QProcess process;
    process.start(kProgram, arguments);
    return outcomeOf(process);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : "no such file: " + path.toUtf8();
}

/// The scores without what tells how they were found: the seconds and the backend.
QByteArray scoresIn(const QByteArray& json) {
    QJsonObject kept = QJsonDocument::fromJson(json).object();
    QJsonArray models;
    for (const QJsonValue& value : kept["models"].toArray()) {
        QJsonObject model = value.toObject();
        model.remove("seconds");
        model.remove("backend");
        models << model;
    }
    kept["models"] = models;
    return QJsonDocument(kept).toJson();
}

/// The process ids of the ranks that a launcher has started.
QList<qint64> ranksOf(const QProcess& launcher) {
    const QString process = QStringLiteral("/proc/%1/").arg(launcher.processId());
    QList<qint64> ids;
    for (const QByteArray& id :
         contentOf(process + "task/" + QString::number(launcher.processId()) + "/children").split(' '))
        if (contentOf("/proc/" + id.trimmed() + "/comm").startsWith("assay-score"))
            ids << id.toLongLong();
    return ids;
}

/// Whether all ranks are at work on a file that they map.
bool allLookAt(const QByteArray& file, const QProcess& launcher, int ranks) {
    const QList<qint64> ids = ranksOf(launcher);
    return ids.size() == ranks && std::all_of(ids.begin(), ids.end(), [&](qint64 id) {
               return contentOf(QStringLiteral("/proc/%1/maps").arg(id)).contains(file);
           });
}

} // namespace

class ClusterTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void givesTheBytesOfOneProcess_data();
    void givesTheBytesOfOneProcess();
    void readsArchivesWithLabelsAndIds();
    void demoIsTheSame();
    void aHeldOutSetIsSharedToo();
    void refusals_data();
    void refusals();
    void aFileThatChangesMeanwhileEndsAll();
    void aKilledRankEndsAll();
    void aSignalEndsAll_data();
    void aSignalEndsAll();
    void anOutputWithoutAFolderIsToldOnce();
    void onlyOneTellsOfWrongUsage();

private:
    QString path(const QString& name) const { return folder_->filePath(name); }
    QString write(const QString& name, const Matrix& matrix) const {
        writeNpy(path(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return path(name);
    }
    void compare(int ranks, const QString& real, const QStringList& models, int k) const;

    std::unique_ptr<QTemporaryDir> folder_;
};

void ClusterTest::initTestCase() {
#ifndef ASSAY_HAVE_MPI
    QSKIP("this build knows no MPI");
#endif
#ifdef __SANITIZE_THREAD__
    QSKIP("the MPI library is not built for ThreadSanitizer");
#endif
    if (QStandardPaths::findExecutable("mpirun").isEmpty())
        QSKIP("mpirun is not installed");
}

void ClusterTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void ClusterTest::compare(int ranks, const QString& real, const QStringList& models, int k) const {
    QStringList arguments{"--real", real, "-k", QString::number(k), "--quiet"};
    for (const QString& model : models)
        arguments << "--synthetic" << model;
    const auto outputs = [&](const QString& name) {
        return QStringList{"--json", path(name + ".json"), "--csv", path(name)};
    };
    const Run one = alone(arguments + outputs("one"));
    QVERIFY2(one.exitCode == 0, one.err);
    const Run several = together(ranks, arguments + outputs("several"));
    QVERIFY2(several.exitCode == 0, several.err);
    QCOMPARE(several.out, QByteArray());
    const QByteArray json = contentOf(path("several.json"));
    QVERIFY(json.contains("\"clipped_density\""));
    QCOMPARE(scoresIn(json), scoresIn(contentOf(path("one.json"))));
    const QStringList tables = QDir(path("one")).entryList(QDir::Files);
    QCOMPARE(tables.size(), 2 * models.size());
    QCOMPARE(QDir(path("several")).entryList(QDir::Files), tables);
    for (const QString& table : tables)
        QCOMPARE(contentOf(path("several/" + table)), contentOf(path("one/" + table)));
}

void ClusterTest::givesTheBytesOfOneProcess_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("ranks");
    const auto rows = [](const char* data, int k) {
        for (const int ranks : {1, 2, 3, 4})
            QTest::addRow("%s, %d ranks", data, ranks) << QString(data) << k << ranks;
    };
    rows("uneven", 5);
    rows("few dimensions", 3);
    rows("ties across borders", 5);
    rows("ties at the edge of balls", 4);
    rows("a row in no ball but its own", 5);
    rows("copies of the real set", 5);
    rows("all rows the same", 4);
    rows("fewer rows than ranks times k", 6);
    rows("one row for each rank", 3);
    rows("large enough for a trial", 5);
}

void ClusterTest::givesTheBytesOfOneProcess() {
    QFETCH(QString, data);
    QFETCH(int, k);
    QFETCH(int, ranks);
    Matrix real;
    Matrix fake;
    if (data == "uneven") {
        real = test::gaussian(1003, 24, 1);
        fake = test::gaussian(802, 24, 2, 0.2F);
    } else if (data == "few dimensions") {
        real = test::gaussian(601, 2, 1);
        fake = test::gaussian(499, 2, 2);
    } else if (data == "ties across borders") {
        // Every row of the real set is there several times, in all shares.
        real = test::repeated(test::grid(70, 3, 1, 3), 517);
        fake = test::repeated(test::grid(40, 3, 2, 3), 333);
    } else if (data == "ties at the edge of balls") {
        // On a lattice lists end in the middle of ties, so that balls are counted by a pass of their own.
        real = test::grid(331, 4, 1, 5);
        fake = test::grid(270, 4, 2, 5);
    } else if (data == "a row in no ball but its own") {
        // Forty-two rows at the same distance from the first one, closer to each other; the others far away and apart,
        // so that the median radius is large. The first row's ball ends in the middle of ties and holds itself.
        Matrix group{std::vector<float>(43 * 8, 0.0F), 43, 8};
        for (std::size_t r = 1; r < group.rows; ++r)
            group.values[r * 8 + r % 7] = 1.0F;
        real = test::joined(group, test::gaussian(120, 8, 1, 1e4F, 1e3F));
        fake = test::gaussian(90, 8, 2, 1e4F, 1e3F);
    } else if (data == "copies of the real set") {
        real = test::gaussian(403, 8, 1);
        fake = test::joined(test::gaussian(101, 8, 2), real);
    } else if (data == "all rows the same") {
        real = test::repeated(test::gaussian(1, 5, 1), 41);
        fake = test::repeated(test::gaussian(1, 5, 1), 23);
    } else if (data == "fewer rows than ranks times k") {
        real = test::grid(11, 2, 1, 3);
        fake = test::gaussian(9, 2, 2);
    } else if (data == "one row for each rank") {
        real = test::gaussian(4, 3, 1);
        fake = test::gaussian(5, 3, 2);
    } else {
        // More than 2,048 rows for each of two ranks, on a surface of few dimensions, where integers pay.
        real = test::gaussian(4301, 96, 1);
        fake = test::gaussian(4203, 96, 2);
        for (Matrix* set : {&real, &fake})
            for (std::size_t row = 0; row < set->rows; ++row)
                for (std::size_t c = 6; c < set->dim; ++c) {
                    float* values = set->values.data() + row * set->dim;
                    values[c] = 0.01F * values[c] + values[c % 6] * values[(c / 6) % 6];
                }
    }
    compare(ranks, write("real.npy", real), {"gan=" + write("fake.npy", fake)}, k);
}

void ClusterTest::readsArchivesWithLabelsAndIds() {
    const Matrix real = test::gaussian(203, 6, 1);
    const Matrix fake = test::gaussian(150, 6, 2);
    std::vector<std::int64_t> labels;
    std::vector<std::int64_t> ids;
    for (std::int64_t row = 0; row < 203; ++row) {
        labels.push_back(row % 7);
        ids.push_back(1000 - row);
    }
    const std::vector<NpzItem> items{{"embeddings", npyView<float>(real.values, {real.rows, real.dim})},
                                     {"labels", npyView<std::int64_t>(labels, {labels.size()})},
                                     {"ids", npyView<std::int64_t>(ids, {ids.size()})}};
    writeNpz(path("stored.npz").toStdString(), items, NpzPacking::Stored);
    writeNpz(path("packed.npz").toStdString(), items, NpzPacking::Deflated);
    write("fake.npy", fake);
    compare(3, path("stored.npz"), {path("packed.npz"), path("fake.npy")}, 5);
    QVERIFY(contentOf(path("several/fake.real.csv")).contains("\n5,995,5,"));
}

void ClusterTest::demoIsTheSame() {
    const Run several = together(2, {"--demo", "--json", "-"});
    QVERIFY2(several.exitCode == 0, several.err);
    QCOMPARE(scoresIn(several.out), scoresIn(alone({"--demo", "--json", "-"}).out));
}

void ClusterTest::aHeldOutSetIsSharedToo() {
    const QStringList arguments{"--real",      write("real.npy", test::gaussian(203, 5, 81)),
                                "--synthetic", write("fake.npy", test::gaussian(180, 5, 82)),
                                "--held-out",  write("held.npy", test::gaussian(170, 5, 83)),
                                "--json",      "-",
                                "--quiet"};
    const Run several = together(2, arguments);
    QVERIFY2(several.exitCode == 0, several.err);
    const QJsonObject found = QJsonDocument::fromJson(several.out).object();
    const QJsonObject expected = QJsonDocument::fromJson(alone(arguments).out).object();
    QCOMPARE(found["held_out"], expected["held_out"]);
    const auto scores = [](const QJsonObject& json) { return json["diagnostics"]["held_out"].toObject(); };
    QVERIFY(!scores(found).isEmpty());
    for (const QString& id : scores(found).keys())
        QCOMPARE(scores(found)[id], scores(expected)[id]);
    QCOMPARE(found["models"][0]["metrics"].toObject(), expected["models"][0]["metrics"].toObject());
    QVERIFY(found["models"][0]["metrics"].toObject().contains("ct_score"));
}

void ClusterTest::refusals_data() {
    QTest::addColumn<QString>("synthetic");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("NaN in a late share") << "nan.npy" << 4
                                         << QStringList{"rank 3", "nan.npy", "NaN", "row 390", "column 2"};
    QTest::newRow("NaN in the first share") << "nan0.npy" << 2 << QStringList{"rank 0", "nan0.npy", "row 1,"};
    QTest::newRow("missing file") << "missing.npy" << 2 << QStringList{"rank 0", "missing.npy"};
    QTest::newRow("dimension") << "narrow.npy" << 3 << QStringList{"narrow.npy", "6", "3"};
    QTest::newRow("fewer rows than ranks") << "three.npy" << 4 << QStringList{"three.npy", "4 processes", "found 3"};
    QTest::newRow("k too large") << "five.npy" << 4 << QStringList{"five.npy", "k = 5", "found 5"};
}

void ClusterTest::refusals() {
    QFETCH(QString, synthetic);
    QFETCH(int, ranks);
    QFETCH(QStringList, says);
    Matrix set = test::gaussian(400, 6, 1);
    write("real.npy", set);
    write("narrow.npy", test::gaussian(50, 3, 1));
    write("three.npy", test::gaussian(3, 6, 1));
    write("five.npy", test::gaussian(5, 6, 1));
    const auto writeWithNan = [&](const char* name, std::size_t row) {
        Matrix broken = set;
        broken.values[row * 6 + 2] = std::numeric_limits<float>::quiet_NaN();
        write(name, broken);
    };
    writeWithNan("nan.npy", 390);
    writeWithNan("nan0.npy", 1);
    const Run run =
        together(ranks, {"--real", path("real.npy"), "--synthetic", path(synthetic), "--json", path("out.json")});
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.err.count("assay-score: "), 1);
    for (const QString& word : says)
        QVERIFY2(run.err.contains(word.toUtf8()), (word + " in " + run.err).toUtf8().constData());
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterTest::aFileThatChangesMeanwhileEndsAll() {
    write("large.npy", test::grid(40000, 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3, {"--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 20000);
    // Again and again: whichever value a rank has checked, it finds another one later.
    for (char value = 0; launcher.state() != QProcess::NotRunning; value = static_cast<char>((value + 1) % 64)) {
        QFile file(path("large.npy"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() - 1));
        QCOMPARE(file.write(&value, 1), 1);
        file.close();
        QTest::qWait(300);
    }
    const Run run = outcomeOf(launcher);
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains("assay-score: rank ") && run.err.contains("large.npy") && run.err.contains("was changed"),
             run.err);
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterTest::aKilledRankEndsAll() {
    write("large.npy", test::grid(60000, 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3, {"--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 20000);
    QTest::qWait(700);
    const QList<qint64> ranks = ranksOf(launcher);
    QCOMPARE(ranks.size(), 3);
    ::kill(static_cast<pid_t>(ranks.last()), SIGKILL);
    QElapsedTimer timer;
    timer.start();
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode != 0 && run.exitCode != -1, run.err);
    QVERIFY2(run.err.contains("process rank 2") && run.err.contains("signal 9"), run.err);
    QVERIFY2(timer.elapsed() < 20000, "the others went on");
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterTest::aSignalEndsAll_data() {
    QTest::addColumn<bool>("toLauncher");
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl+C on the launcher") << true << SIGINT;
    QTest::newRow("the launcher terminated") << true << SIGTERM;
    QTest::newRow("one rank interrupted") << false << SIGINT;
}

void ClusterTest::aSignalEndsAll() {
    QFETCH(bool, toLauncher);
    QFETCH(int, signal);
    write("large.npy", test::grid(60000, 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3, {"--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 20000);
    QTest::qWait(700);
    ::kill(static_cast<pid_t>(toLauncher ? launcher.processId() : ranksOf(launcher).last()), signal);
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode != 0 && run.exitCode != -1, run.err);
    // A launcher that is ending may no longer pass on what its ranks say.
    if (!toLauncher)
        QVERIFY2(run.err.contains("assay-score: rank 2"), run.err);
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterTest::anOutputWithoutAFolderIsToldOnce() {
    write("real.npy", test::gaussian(100, 6, 1));
    const Run run = together(
        2, {"--real", path("real.npy"), "--synthetic", path("real.npy"), "--json", path("no/such/folder.json")});
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.err.count("assay-score: "), 1);
    QVERIFY2(run.err.contains("folder.json"), run.err);
}

void ClusterTest::onlyOneTellsOfWrongUsage() {
    const Run run = together(3, {"--nonsense"});
    QCOMPARE(run.exitCode, 2);
    QCOMPARE(run.err.count("--help for more"), 1);
    QCOMPARE(together(3, {"--version"}).out.count("assay-score"), 1);
}

QTEST_GUILESS_MAIN(ClusterTest)
#include "cluster_test.moc"
