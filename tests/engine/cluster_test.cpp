// assay-score under mpirun: the same figures as one process, and no failure that hangs.
#include "engine/io/npy_writer.h"
#include "engine/metrics/catalog.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTemporaryFile>

#include <algorithm>
#include <array>
#include <csignal>
#include <limits>
#include <memory>
#include <span>
#include <unistd.h>
#include <utility>

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

void start(QProcess& process, int ranks, const QStringList& command) {
    QStringList all{"--oversubscribe", "--bind-to", "none", "-n", QString::number(ranks)};
    if (geteuid() == 0)
        all << "--allow-run-as-root";
    process.setProcessEnvironment(environment());
    process.start("mpirun", all + command);
}

Run together(int ranks, const QStringList& arguments) {
    QProcess process;
    start(process, ranks, QStringList{kProgram} + arguments);
    return outcomeOf(process);
}

/// The same for several lists of arguments, by one start of the launcher: that takes longer than a small audit, and
/// many seconds where the machine's own name does not resolve.
QList<Run> together(int ranks, const QList<QStringList>& cases) {
    QTemporaryFile list;
    if (!list.open())
        return {};
    for (const QStringList& arguments : cases)
        list.write(arguments.join('\t').toLocal8Bit() + '\n');
    list.close();
    QProcess process;
    start(process, ranks, {QStringLiteral(ASSAY_BIN_DIR "/cluster_cases"), list.fileName()});
    const Run all = outcomeOf(process);
    QList<Run> runs;
    for (qsizetype i = 0; i < cases.size(); ++i) {
        const auto between = [i](const QByteArray& text, const char* begin, const char* end) {
            const QByteArray first = begin + QByteArray::number(i) + end;
            const qsizetype from = text.indexOf(first);
            if (from < 0)
                return QByteArray();
            const qsizetype to = text.indexOf(begin + QByteArray::number(i + 1) + end, from);
            return text.mid(from + first.size(), to < 0 ? -1 : to - from - first.size());
        };
        const QByteArray exitCode = between(all.out, "case ", ": exit code ").split('\n').first();
        if (exitCode.isEmpty())
            runs << Run{-1, {}, "did not come to an end: " + all.err};
        else
            runs << Run{exitCode.toInt(), {}, between(all.err, "case ", "\n")};
    }
    return runs;
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

/// The kinds of data that are scored by several processes, with the number of neighbours.
constexpr std::array<std::pair<const char*, int>, 10> kData{{{"uneven", 5},
                                                             {"few dimensions", 3},
                                                             {"ties across borders", 5},
                                                             {"ties at the edge of balls", 4},
                                                             {"a row in no ball but its own", 5},
                                                             {"copies of the real set", 5},
                                                             {"all rows the same", 4},
                                                             {"fewer rows than ranks times k", 6},
                                                             {"one row for each rank", 3},
                                                             {"large enough for a trial", 5}}};

/// What a rank has to refuse in one of its inputs.
struct Refused {
    const char* title;
    const char* synthetic;
    QStringList says;
};

const std::array<Refused, 6> kRefused{
    {{"NaN in a late share", "nan.npy", {"rank 3", "nan.npy", "NaN", "row 390", "column 2"}},
     {"NaN in the first share", "nan0.npy", {"rank 0", "nan0.npy", "row 1,"}},
     {"missing file", "missing.npy", {"rank 0", "missing.npy"}},
     {"dimension", "narrow.npy", {"narrow.npy", "6", "3"}},
     {"fewer rows than ranks", "three.npy", {"three.npy", "4 processes", "found 3"}},
     {"k too large", "five.npy", {"five.npy", "k = 5", "found 5"}}}};

/// Whether each of the ranks has computed for a while, by the processor's time that it has had.
bool allHaveComputed(const QProcess& launcher, int ranks) {
    const QList<qint64> ids = ranksOf(launcher);
    return ids.size() == ranks && std::all_of(ids.begin(), ids.end(), [](qint64 id) {
               constexpr int kUserTime = 11; // of the fields after the name; in hundredths of a second
               const QByteArray stat = contentOf(QStringLiteral("/proc/%1/stat").arg(id));
               return stat.mid(stat.lastIndexOf(')') + 2).split(' ').value(kUserTime).toInt() > 50;
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
    QStringList arguments(const QString& real, const QStringList& models, int k, const QString& outputs) const;
    void compareOutputs(const QString& one, const QString& several, qsizetype models) const;
    void writeSets(const QString& data, const QDir& folder) const;
    void scoreAll(int ranks);

    std::unique_ptr<QTemporaryDir> folder_;
    // What many rows of a test share, so that the launcher starts once for all of them.
    QTemporaryDir shared_;
    QHash<int, QList<Run>> scored_; ///< by number of ranks, in the order of kData; 0: alone
    QList<Run> refused_;
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

QStringList ClusterTest::arguments(const QString& real, const QStringList& models, int k,
                                   const QString& outputs) const {
    QStringList all{"--real", real, "-k", QString::number(k), "--quiet"};
    for (const QString& model : models)
        all << "--synthetic" << model;
    return all << "--json" << outputs + ".json"
               << "--csv" << outputs;
}

/// Compares what a process alone and several together left, given the outputs' names.
void ClusterTest::compareOutputs(const QString& one, const QString& several, qsizetype models) const {
    const QByteArray json = contentOf(several + ".json");
    QVERIFY(json.contains("\"clipped_density\""));
    QCOMPARE(scoresIn(json), scoresIn(contentOf(one + ".json")));
    const QStringList tables = QDir(one).entryList(QDir::Files);
    QCOMPARE(tables.size(), 2 * models);
    QCOMPARE(QDir(several).entryList(QDir::Files), tables);
    for (const QString& table : tables)
        QCOMPARE(contentOf(several + '/' + table), contentOf(one + '/' + table));
}

void ClusterTest::givesTheBytesOfOneProcess_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<int>("ranks");
    for (const auto& [data, k] : kData)
        for (const int ranks : {1, 2, 3, 4})
            QTest::addRow("%s, %d ranks", data, ranks) << QString(data) << ranks;
}

void ClusterTest::writeSets(const QString& data, const QDir& folder) const {
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
    for (const auto& [name, set] : {std::pair{"real.npy", &real}, std::pair{"fake.npy", &fake}})
        writeNpy(folder.filePath(name).toStdString(), npyView<float>(set->values, {set->rows, set->dim}));
}

/// Scores every kind of data by `ranks` processes, or alone by 0, into outputs named by that number.
void ClusterTest::scoreAll(int ranks) {
    QList<QStringList> cases;
    for (const auto& [data, k] : kData) {
        const QDir folder(shared_.filePath(data));
        if (!folder.exists()) {
            QVERIFY(QDir().mkpath(folder.path()));
            writeSets(data, folder);
        }
        cases << arguments(folder.filePath("real.npy"), {"gan=" + folder.filePath("fake.npy")}, k,
                           folder.filePath(QString::number(ranks)));
    }
    if (ranks > 0) {
        scored_[ranks] = together(ranks, cases);
        return;
    }
    for (const QStringList& one : cases)
        scored_[0] << alone(one);
}

void ClusterTest::givesTheBytesOfOneProcess() {
    QFETCH(QString, data);
    QFETCH(int, ranks);
    for (const int processes : {0, ranks})
        if (!scored_.contains(processes))
            scoreAll(processes);
    const auto at = std::find_if(kData.begin(), kData.end(), [&](const auto& one) { return data == one.first; });
    for (const int processes : {0, ranks}) {
        const Run& run = scored_[processes].at(at - kData.begin());
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(run.out, QByteArray());
    }
    const QDir folder(shared_.filePath(data));
    compareOutputs(folder.filePath("0"), folder.filePath(QString::number(ranks)), 1);
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
    const QStringList models{path("packed.npz"), path("fake.npy")};
    const Run one = alone(arguments(path("stored.npz"), models, 5, path("one")));
    QVERIFY2(one.exitCode == 0, one.err);
    const Run several = together(3, arguments(path("stored.npz"), models, 5, path("several")));
    QVERIFY2(several.exitCode == 0, several.err);
    compareOutputs(path("one"), path("several"), models.size());
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
    QTest::addColumn<int>("at");
    for (std::size_t i = 0; i < kRefused.size(); ++i)
        QTest::newRow(kRefused[i].title) << static_cast<int>(i);
}

void ClusterTest::refusals() {
    QFETCH(int, at);
    if (refused_.isEmpty()) {
        const auto writeShared = [this](const char* name, const Matrix& matrix) {
            writeNpy(shared_.filePath(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        };
        const Matrix set = test::gaussian(400, 6, 1);
        writeShared("real.npy", set);
        writeShared("narrow.npy", test::gaussian(50, 3, 1));
        writeShared("three.npy", test::gaussian(3, 6, 1));
        writeShared("five.npy", test::gaussian(5, 6, 1));
        for (const auto& [name, row] : {std::pair{"nan.npy", 390}, std::pair{"nan0.npy", 1}}) {
            Matrix broken = set;
            broken.values[static_cast<std::size_t>(row) * 6 + 2] = std::numeric_limits<float>::quiet_NaN();
            writeShared(name, broken);
        }
        QList<QStringList> cases;
        for (const Refused& refused : kRefused)
            cases << QStringList{"--real",      shared_.filePath("real.npy"),
                                 "--synthetic", shared_.filePath(refused.synthetic),
                                 "--json",      shared_.filePath("out.json")};
        refused_ = together(4, cases);
    }
    const Run& run = refused_.at(at);
    QVERIFY2(run.exitCode == 3, run.err);
    QCOMPARE(run.err.count("assay-score: "), 1);
    for (const QString& word : kRefused[static_cast<std::size_t>(at)].says)
        QVERIFY2(run.err.contains(word.toUtf8()), (word + " in " + run.err).toUtf8().constData());
    QVERIFY(!QFile::exists(shared_.filePath("out.json")));
}

void ClusterTest::aFileThatChangesMeanwhileEndsAll() {
    write("large.npy", test::grid(40000, 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3,
          {kProgram, "--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 60000);
    // Again and again: whichever value a rank has checked, it finds another one later.
    for (char value = 0; launcher.state() != QProcess::NotRunning; value = static_cast<char>((value + 1) % 64)) {
        QFile file(path("large.npy"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() - 1));
        QCOMPARE(file.write(&value, 1), 1);
        file.close();
        launcher.waitForFinished(100);
    }
    const Run run = outcomeOf(launcher);
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.err.contains("assay-score: rank ") && run.err.contains("large.npy") && run.err.contains("was changed"),
             run.err);
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterTest::aKilledRankEndsAll() {
    write("large.npy", test::grid(test::sized(60000, 25000), 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3,
          {kProgram, "--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(allHaveComputed(launcher, 3), 60000);
    const QList<qint64> ranks = ranksOf(launcher);
    QCOMPARE(ranks.size(), 3);
    ::kill(static_cast<pid_t>(ranks.last()), SIGKILL);
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode != 0 && run.exitCode != -1, run.err);
    QVERIFY2(run.err.contains("process rank 2") && run.err.contains("signal 9"), run.err);
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
    write("large.npy", test::grid(test::sized(60000, 25000), 128, 1, 1000));
    QProcess launcher;
    start(launcher, 3,
          {kProgram, "--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    QVERIFY(launcher.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(allLookAt("large.npy", launcher, 3), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(allHaveComputed(launcher, 3), 60000);
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

ASSAY_TEST(cluster_test, ClusterTest)
#include "cluster_test.moc"
