// assay-score under mpirun: whatever ends one process ends all, with one message, and nothing hangs.
#include "engine/io/numpy/npy_writer.h"
#include "tests/engine/support/ranks.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <csignal>
#include <limits>
#include <memory>
#include <span>
#include <utility>

using namespace assay;
using namespace assay::test;

namespace {

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

/// Whether all ranks are at work on a file that they map.
bool allLookAt(const QByteArray& file, const QProcess& launcher, int ranks) {
    const QList<qint64> ids = ranksOf(launcher);
    return ids.size() == ranks && std::all_of(ids.begin(), ids.end(), [&](qint64 id) {
               return contentOf(QStringLiteral("/proc/%1/maps").arg(id)).contains(file);
           });
}

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

class ClusterEndingsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void refusals_data();
    void refusals();
    void aFileThatChangesMeanwhileEndsAll();
    void aKilledRankEndsAll();
    void aSignalEndsAll_data();
    void aSignalEndsAll();
    void anOutputWithoutAFolderIsToldOnce();
    void onlyOneTellsOfWrongUsage();
    void aStoppedWaitLeavesNoBufferToMpi();
    void anMpiWithoutThreadsIsRefused();

private:
    bool startsALargeAudit(QProcess& launcher);
    QString path(const QString& name) const { return folder_->filePath(name); }
    QString write(const QString& name, const Matrix& matrix) const {
        writeNpy(path(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        return path(name);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    // What all rows of a test share, so that the launcher starts once for them.
    QTemporaryDir shared_;
    QList<Run> refused_;
};

void ClusterEndingsTest::initTestCase() {
    if (const QString why = test::whyNoRanks(); !why.isEmpty())
        QSKIP(qPrintable(why));
}

void ClusterEndingsTest::refusals_data() {
    QTest::addColumn<int>("at");
    for (std::size_t i = 0; i < kRefused.size(); ++i)
        QTest::newRow(kRefused[i].title) << static_cast<int>(i);
}

void ClusterEndingsTest::refusals() {
    QFETCH(int, at);
    if (refused_.isEmpty()) {
        const auto writeShared = [this](const char* name, const Matrix& matrix) {
            writeNpy(shared_.filePath(name).toStdString(), npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
        };
        const Matrix set = gaussian(400, 6, 1);
        writeShared("real.npy", set);
        writeShared("narrow.npy", gaussian(50, 3, 1));
        writeShared("three.npy", gaussian(3, 6, 1));
        writeShared("five.npy", gaussian(5, 6, 1));
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
        refused_ = scoreTogether(4, cases);
    }
    const Run& run = refused_.at(at);
    QVERIFY2(run.exitCode == 3, run.err);
    QCOMPARE(run.err.count("assay-score: "), 1);
    for (const QString& word : kRefused[static_cast<std::size_t>(at)].says)
        QVERIFY2(run.err.contains(word.toUtf8()), (word + " in " + run.err).toUtf8().constData());
    QVERIFY(!QFile::exists(shared_.filePath("out.json")));
}

void ClusterEndingsTest::aFileThatChangesMeanwhileEndsAll() {
    write("large.npy", grid(40000, 128, 1, 1000));
    QProcess launcher;
    startRanks(
        launcher, 3,
        {scoreProgram(), "--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
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

/// Three ranks in the midst of an audit that takes long enough to be ended.
bool ClusterEndingsTest::startsALargeAudit(QProcess& launcher) {
    write("large.npy", grid(sized(60000, 25000), 128, 1, 1000));
    startRanks(
        launcher, 3,
        {scoreProgram(), "--real", path("large.npy"), "--synthetic", path("large.npy"), "--json", path("out.json")});
    return launcher.waitForStarted() && QTest::qWaitFor([&] { return allLookAt("large.npy", launcher, 3); }, 60000) &&
           QTest::qWaitFor([&] { return allHaveComputed(launcher, 3); }, 60000);
}

void ClusterEndingsTest::aKilledRankEndsAll() {
    QProcess launcher;
    QVERIFY(startsALargeAudit(launcher));
    const QList<qint64> ranks = ranksOf(launcher);
    QCOMPARE(ranks.size(), 3);
    ::kill(static_cast<pid_t>(ranks.last()), SIGKILL);
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode != 0 && run.exitCode != -1, run.err);
    QVERIFY2(run.err.contains("process rank 2") && run.err.contains("signal 9"), run.err);
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterEndingsTest::aSignalEndsAll_data() {
    QTest::addColumn<bool>("toLauncher");
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl+C on the launcher") << true << SIGINT;
    QTest::newRow("the launcher terminated") << true << SIGTERM;
    QTest::newRow("one rank interrupted") << false << SIGINT;
}

void ClusterEndingsTest::aSignalEndsAll() {
    QFETCH(bool, toLauncher);
    QFETCH(int, signal);
    QProcess launcher;
    QVERIFY(startsALargeAudit(launcher));
    ::kill(static_cast<pid_t>(toLauncher ? launcher.processId() : ranksOf(launcher).last()), signal);
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode != 0 && run.exitCode != -1, run.err);
    // A launcher that is ending may no longer pass on what its ranks say.
    if (!toLauncher)
        QVERIFY2(run.err.contains("assay-score: rank 2"), run.err);
    QVERIFY(!QFile::exists(path("out.json")));
}

void ClusterEndingsTest::anOutputWithoutAFolderIsToldOnce() {
    write("real.npy", gaussian(100, 6, 1));
    const Run run = scoreTogether(
        2, {"--real", path("real.npy"), "--synthetic", path("real.npy"), "--json", path("no/such/folder.json")});
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.err.count("assay-score: "), 1);
    QVERIFY2(run.err.contains("folder.json"), run.err);
}

void ClusterEndingsTest::onlyOneTellsOfWrongUsage() {
    const Run run = scoreTogether(3, {"--nonsense"});
    QCOMPARE(run.exitCode, 2);
    QCOMPARE(run.err.count("--help for more"), 1);
    QCOMPARE(scoreTogether(3, {"--version"}).out.count("assay-score"), 1);
}

void ClusterEndingsTest::aStoppedWaitLeavesNoBufferToMpi() {
    QProcess launcher;
    startRanks(launcher, 2, {QStringLiteral(ASSAY_BIN_DIR "/message_cases")});
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode == 0 && run.out.isEmpty(), run.out + run.err);
}

void ClusterEndingsTest::anMpiWithoutThreadsIsRefused() {
    QProcess launcher;
    startRanks(launcher, 1, {QStringLiteral(ASSAY_BIN_DIR "/message_cases"), "threads"});
    const Run run = outcomeOf(launcher);
    QVERIFY2(run.exitCode == 3, run.out + run.err);
    QVERIFY2(run.out.contains("MPI_THREAD_FUNNELED, level 1") && run.out.contains("found level 0"), run.out);
}

ASSAY_TEST(cluster_endings_test, ClusterEndingsTest)
#include "cluster_endings_test.moc"
