// What assay-score leaves behind when something goes wrong: whole files or none, and an exit code that says so.
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <csignal>
#include <memory>

using namespace assay;
using test::Matrix;
using test::Run;
using test::score;

namespace {

/// As on a disk that has no room for a longer file.
Run scoreWithFileLimit(qint64 kilobytes, const QStringList& arguments) {
    QProcess shell;
    shell.start("bash",
                QStringList{"-c", "ulimit -f \"$0\"; exec \"$@\"", QString::number(kilobytes), test::scoreProgram()} +
                    arguments);
    return test::outcomeOf(shell);
}

} // namespace

class AssayScoreOutputsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void badInputWritesNothing();
    void signalsLeaveNothing_data();
    void signalsLeaveNothing();
    void fullDiskIsNoSuccess();
    void aFullDiskLeavesNoHalfOfTheTables();
    void outputsAreCheckedFirst();
    void outputsAreAllDifferentFiles();
    void namesDoNotSteerTheTerminal();
    void heldOutSamplesHaveATableToo();
    void auditFilesAreOpenedAgain();
    void externalScoresAreComparedAndKept();
    void auditFilesAreWholeOrNotThere();
    void backgroundJobOfAScriptCanBeInterrupted();
    void aFileThatIsCutShortWhileInUseIsReported();

private:
    QString path(const QString& name) const { return folder_->path(name); }
    QString write(const QString& name, const Matrix& matrix) const { return folder_->write(name, matrix); }
    void writeBytes(const QString& name, const QByteArray& bytes) const { folder_->writeBytes(name, bytes); }

    std::unique_ptr<test::InputFolder> folder_;
};

void AssayScoreOutputsTest::init() {
    folder_ = std::make_unique<test::InputFolder>();
    write("real.npy", test::gaussian(120, 6, 1));
    write("fake.npy", test::gaussian(100, 6, 2));
}

void AssayScoreOutputsTest::badInputWritesNothing() {
    writeBytes("kept.json", "before");
    const Run run = score({"--real", path("real.npy"), "--synthetic", path("missing.npy"), "--json", path("kept.json"),
                           "--csv", path("csv")});
    QCOMPARE(run.exitCode, 3);
    QFile file(path("kept.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("before"));
    QVERIFY(!QFile::exists(path("csv")));
}

void AssayScoreOutputsTest::signalsLeaveNothing_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl+C") << SIGINT;
    QTest::newRow("a terminal that is gone") << SIGHUP;
    QTest::newRow("a limit of processor time") << SIGXCPU;
    QTest::newRow("a scheduler's warning") << SIGUSR1;
}

void AssayScoreOutputsTest::signalsLeaveNothing() {
    QFETCH(const int, signal);
    write("large.npy", test::grid(30000, 64, 1, 1000));
    QProcess process;
    // A held-out set that is the real set makes the program print a note when the audit begins.
    process.start(test::scoreProgram(),
                  {"--real", path("large.npy"), "--synthetic", path("large.npy"), "--held-out", path("large.npy"),
                   "--json", path("out.json"), "--backend", "gemm", "--threads", "1"});
    process.setReadChannel(QProcess::StandardError);
    QVERIFY(process.waitForReadyRead());
    QVERIFY(process.readLine().contains("note"));
    for (int times = 0; times < (signal == SIGINT ? 1 : 2); ++times) // shells and kernels repeat the others
        ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + signal);
    QVERIFY(QDir(QFileInfo(path("out.json")).path()).entryList({"out.json*"}).isEmpty());
}

void AssayScoreOutputsTest::fullDiskIsNoSuccess() {
    if (!QFile::exists("/dev/full"))
        QSKIP("this system has no /dev/full");
    QStringList arguments{"--real", path("real.npy"), "--json", "-"};
    for (int m = 0; m < 8; ++m)
        arguments << "--synthetic" << QStringLiteral("m%1=%2").arg(m).arg(path("fake.npy"));
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(test::scoreProgram(), arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("standard output"));
}

void AssayScoreOutputsTest::aFullDiskLeavesNoHalfOfTheTables() {
    const auto sizeOf = [](const QString& file) { return QFileInfo(file).size(); };
    const QString many = write("many.npy", test::gaussian(1000, 6, 3));
    const QStringList arguments{"--real", many, "--synthetic", "m=" + path("fake.npy"), "--quiet"};
    QCOMPARE(score(arguments + QStringList{"--csv", path("whole")}).exitCode, 0);
    const qint64 written = sizeOf(path("whole/m.synthetic.csv"));
    const qint64 tooMuch = sizeOf(path("whole/m.real.csv"));
    QVERIFY(written > 0 && tooMuch > written + 2048);
    // A limit on the size of files that only the table written last exceeds stands in for the disk.
    const Run half = scoreWithFileLimit(tooMuch / 1024 - 1, arguments + QStringList{"--csv", path("half")});
    QCOMPARE(half.exitCode, 3);
    QVERIFY(half.err.contains("m.real.csv"));
    QVERIFY(!QFile::exists(path("half")));
}

void AssayScoreOutputsTest::outputsAreCheckedFirst() {
    const QStringList inputs{"--real", path("real.npy"), "--synthetic", path("fake.npy")};
    const Run missing = score(inputs + QStringList{"--json", path("no/such/folder.json")});
    QCOMPARE(missing.exitCode, 3);
    QVERIFY(missing.err.contains("folder.json"));
    const Run input = score(inputs + QStringList{"--json", path("real.npy")});
    QCOMPARE(input.exitCode, 3);
    QVERIFY(input.err.contains("found an input"));
    const Run file = score(inputs + QStringList{"--csv", path("fake.npy")});
    QCOMPARE(file.exitCode, 3);
    QVERIFY(file.err.contains("expected a folder"));
    const Run longName = score({"--real", path("real.npy"), "--synthetic", "a=" + QString(300, 'x') + ".npy"});
    QCOMPARE(longName.exitCode, 3);
    // Even before the inputs are read.
    const Run device = score({"--real", path("real.npy"), "--synthetic", path("missing.npy"), "--out", "/dev/null"});
    QCOMPARE(device.exitCode, 3);
    QVERIFY2(device.err.contains("/dev/null") && !device.err.contains("missing.npy"), device.err.constData());
    const Run longTable = score(
        {"--real", path("real.npy"), "--synthetic", QString(300, 'x') + "=" + path("missing.npy"), "--csv", path(".")});
    QCOMPARE(longTable.exitCode, 3);
    QVERIFY2(longTable.err.contains("xxx") && !longTable.err.contains("missing.npy"), longTable.err.constData());
}

void AssayScoreOutputsTest::outputsAreAllDifferentFiles() {
    QDir().mkpath(path("tables"));
    const QStringList inputs{"--quiet", "--real", path("real.npy"), "--synthetic", "m=" + path("fake.npy")};
    const auto refused = [&](const QStringList& outputs, const char* says) {
        const Run run = score(inputs + outputs);
        return run.exitCode == 3 && run.err.contains("expected a file of its own") && run.err.contains(says);
    };
    const QString table = path("tables/m.real.csv");
    QVERIFY(refused({"--json", table, "--csv", path("tables")}, "found that of --json"));
    QVERIFY(refused({"--json", path("tables/../tables/./m.real.csv"), "--csv", path("tables")}, "that of --json"));
    QVERIFY(refused({"--json", path("a"), "--junit", path("a"), "--require", "pce>=0"}, "found that of --json"));
    QVERIFY(refused({"--json", path("a.html"), "--report", path("a.html")}, "found that of --json"));
    QVERIFY(refused({"--out", path("a.assay"), "--json", path("a.assay")}, "found that of --out"));
    QVERIFY(refused({"--out", path("fake.npy")}, "found an input"));
    QVERIFY(refused({"--csv", path("tables"), "--rules", "near_duplicate", "--export", "kept=" + table},
                    "found that of --csv (model 'm')"));
    QVERIFY(QDir(path("tables")).isEmpty());
    // Files that an option reads or that lie in an input folder.
    writeBytes("rules.json", R"([{"column": "p_any", "bound": "at_least", "value": 0.01}])");
    QVERIFY(refused({"--rules", path("rules.json"), "--json", path("rules.json")}, "found an input"));
    QDir().mkpath(path("pictures"));
    writeBytes("pictures/0.png", "not read so far");
    QVERIFY(
        refused({"--real-pictures", path("pictures"), "--json", path("pictures/0.png")}, "found a file of the input"));
    // An input that lies where a table would be written.
    QVERIFY(QFile::copy(path("fake.npy"), path("tables/m.synthetic.csv")));
    const Run run = score(
        {"--real", path("real.npy"), "--synthetic", "m=" + path("tables/m.synthetic.csv"), "--csv", path("tables")});
    QCOMPARE(run.exitCode, 3);
    QVERIFY(run.err.contains("found an input"));
    QCOMPARE(
        score(inputs + QStringList{"--json", "/dev/null", "--junit", "/dev/null", "--require", "pce>=-1e9"}).exitCode,
        0);
    const Run below = score(inputs + QStringList{"--csv", path("real.npy/below")});
    QCOMPARE(below.exitCode, 3);
    QVERIFY2(below.err.contains("found the file"), below.err.constData());
}

void AssayScoreOutputsTest::namesDoNotSteerTheTerminal() {
    const Run run = score({"--real", path("real.npy"), "--synthetic", "a\x1b[2Jb=" + path("fake.npy")});
    QCOMPARE(run.exitCode, 0);
    QVERIFY(run.out.contains("a?[2Jb") && !run.out.contains('\x1b') && !run.err.contains("\x1b[2J"));
    const Run missing = score({"--real", path("no\x1b]0;x\x07.npy"), "--synthetic", path("fake.npy")});
    QCOMPARE(missing.exitCode, 3);
    QVERIFY(missing.err.contains("no?]0;x?.npy") && !missing.err.contains('\x1b'));
    // U+009B begins a command, too; U+202E and U+2066 turn the text around.
    const Run turned = score({"--real", path("x\u009b\u202e\u2066\ny.npy"), "--synthetic", path("fake.npy")});
    QVERIFY2(turned.err.contains("x????y.npy"), turned.err.constData());
    const Run option = score({"--nothing\x1b[2J"});
    QVERIFY2(option.exitCode == 2 && !option.err.contains('\x1b'), option.err.constData());
    folder_->writeBytes("table.csv",
                        "id,a\u009b2J,b\u202e\n" + QByteArray("x,1,2\ny,2,3\nz,5,4\nv,3,3\nw,1,4\nu,8,1\nt,2,9\n"));
    const Run table = score({"--real", path("table.csv"), "--synthetic", path("table.csv"), "-k", "1"});
    QVERIFY2(table.exitCode == 0 && !(table.err + table.out).contains("\u009b"), table.err.constData());
    QVERIFY(!(table.err + table.out).contains(QString(QChar(0x202e)).toUtf8()));
}

void AssayScoreOutputsTest::heldOutSamplesHaveATableToo() {
    const QString held = write("held.npy", test::gaussian(90, 6, 3));
    const QStringList real{"--quiet", "--real", path("real.npy")};
    QCOMPARE(score(real + QStringList{"--synthetic", path("fake.npy"), "--csv", path("without")}).exitCode, 0);
    QVERIFY(!QFile::exists(path("without/held-out.csv")));
    QCOMPARE(
        score(real + QStringList{"--synthetic", path("fake.npy"), "--held-out", held, "--csv", path("with")}).exitCode,
        0);
    QCOMPARE(score(real + QStringList{"--synthetic", "m=" + held, "--csv", path("model")}).exitCode, 0);
    const auto bytes = [&](const char* name) {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(bytes("with/held-out.csv").count('\n'), 91);
    QCOMPARE(bytes("with/held-out.csv"), bytes("model/m.synthetic.csv")); // audited as if synthetic
}

void AssayScoreOutputsTest::auditFilesAreOpenedAgain() {
    const QString audit = path("audit.assay");
    const QStringList sets{"--real", path("real.npy"), "--synthetic", path("fake.npy")};
    QCOMPARE(score(sets + QStringList{"--out", audit, "--json", path("before.json"), "--quiet"}).exitCode, 0);
    QCOMPARE(score({"--open", audit, "--json", path("after.json"), "--quiet"}).exitCode, 0);
    const auto content = [this](const char* name) {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(!content("before.json").isEmpty());
    QCOMPARE(content("after.json"), content("before.json"));
    // Going on: a model more, and a curve.
    write("more.npy", test::gaussian(90, 6, 3));
    const Run more = score({"--open", audit, "--synthetic", path("more.npy"), "--discard", "pce", "--out", audit});
    QCOMPARE(more.exitCode, 0);
    const Run all = score({"--open", audit, "--json", "-"});
    QCOMPARE(all.exitCode, 0);
    QVERIFY(all.out.contains("\"more\"") && all.out.contains("discard_by_pce"));
    // What was decided when the audit began is not decided again.
    QCOMPARE(score({"--open", audit, "-k", "3"}).exitCode, 2);
    QCOMPARE(score({"--open", audit, "--real", path("real.npy")}).exitCode, 2);
    QCOMPARE(score({"--open", path("real.npy")}).exitCode, 3);
}

void AssayScoreOutputsTest::externalScoresAreComparedAndKept() {
    QStringList arguments{"--real", path("real.npy"), "--quick"};
    for (int model = 0; model < 5; ++model) {
        const QString name = QStringLiteral("m%1.npy").arg(model);
        write(name, test::gaussian(100, 6, static_cast<unsigned>(10 + model)));
        arguments << "--synthetic" << path(name);
    }
    writeBytes("human.csv", "model,error rate\nm0,0.1\nm1,0.3\nM2.npy,0.2\nm3,0.5\nm4,0.4\n");
    const Run run = score(arguments + QStringList{"--external", path("human.csv"), "--json", path("out.json"), "--out",
                                                  path("out.assay")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QVERIFY2(run.out.contains("best with error rate: Spearman"), run.out.constData());
    const auto externalOf = [&](const char* file) {
        QFile in(path(QString::fromLatin1(file)));
        return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll())["external"].toObject()
                                            : QJsonObject();
    };
    const QJsonObject external = externalOf("out.json");
    QCOMPARE(external["file"].toString(), QString("human.csv"));
    const QJsonObject column = external["columns"].toArray()[0].toObject();
    QCOMPARE(column["values"].toObject()["m2"].toDouble(), 0.2);
    QVERIFY(!column["agreement"].toArray().isEmpty());
    for (const QJsonValue one : column["agreement"].toArray()) {
        QCOMPARE(one["models"].toInt(), 5);
        QVERIFY(one["spearman"]["low"].toDouble() <= one["spearman"]["value"].toDouble());
    }
    // The audit file has them, too.
    QCOMPARE(score({"--open", path("out.assay"), "--json", path("again.json"), "--report", path("out.html")}).exitCode,
             0);
    QFile report(path("out.html"));
    QVERIFY(report.open(QIODevice::ReadOnly));
    const QByteArray html = report.readAll();
    QVERIFY(html.contains("Correlation with error rate") && html.contains("human.csv (SHA-256"));
    QCOMPARE(externalOf("again.json"), external);
    const Run over = score(arguments + QStringList{"--external", path("human.csv"), "--json", path("human.csv")});
    QCOMPARE(over.exitCode, 3);
    QVERIFY2(over.err.contains("human.csv"), over.err.constData());
    const Run refused = score(arguments + QStringList{"--external", path("real.npy")});
    QCOMPARE(refused.exitCode, 2);
    QVERIFY2(refused.err.contains("--external"), refused.err.constData());
}

void AssayScoreOutputsTest::auditFilesAreWholeOrNotThere() {
    const QStringList sets{"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--quiet"};
    const Run nowhere = score(sets + QStringList{"--out", path("no/such/audit.assay")});
    QCOMPARE(nowhere.exitCode, 3);
    // A little room, but not enough for all.
    const Run full = scoreWithFileLimit(64, sets + QStringList{"--out", path("full.assay")});
    QCOMPARE(full.exitCode, 3);
    QVERIFY2(full.err.contains("full.assay: "), full.err.constData());
    QCOMPARE(full.err.count('\n'), 1);
    QVERIFY(!QFile::exists(path("full.assay")));
    QCOMPARE(QDir(path(QString())).entryList({"*assay*"}, QDir::Files | QDir::Hidden), QStringList());
}

void AssayScoreOutputsTest::backgroundJobOfAScriptCanBeInterrupted() {
    // A script's shell has its background jobs ignore Ctrl+C; a signal sent on purpose counts all the same. It is sent
    // when the audit begins, of which the note about the held-out set tells.
    write("large.npy", test::grid(30000, 64, 1, 1000));
    QProcess shell;
    shell.start("bash", {"-c",
                         "mkfifo \"$4\"; "
                         "\"$1\" --real \"$2\" --synthetic \"$2\" --held-out \"$2\" --backend gemm --threads 1 "
                         ">\"$3\" 2>\"$4\" & "
                         "exec 3<\"$4\"; read -r _ <&3; kill -INT $!; wait $!",
                         "bash", test::scoreProgram(), path("large.npy"), path("table.txt"), path("messages")});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.exitCode(), 130);
}

void AssayScoreOutputsTest::aFileThatIsCutShortWhileInUseIsReported() {
    write("large.npy", test::gaussian(17000, 1024, 1)); // large enough to be mapped
    write("small.npy", test::gaussian(500, 1024, 2));   // another file: the large one is opened only once
    QProcess process;
    process.start(test::scoreProgram(), {"--real", path("large.npy"), "--synthetic", path("small.npy"), "--json",
                                         path("out.json"), "--backend", "gemm"});
    QVERIFY(process.waitForStarted());
    QFile maps(QStringLiteral("/proc/%1/maps").arg(process.processId()));
    const auto isMapped = [&] {
        return maps.open(QIODevice::ReadOnly) && [&] {
            const QByteArray text = maps.readAll();
            maps.close();
            return text.contains("large.npy");
        }();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isMapped(), 20000);
    QVERIFY(QFile::resize(path("large.npy"), 1'000'000));
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 3);
    const QByteArray message = process.readAllStandardError();
    QVERIFY2(message.contains("stays as it is while it is worked on"), message.constData());
    QVERIFY(!QFile::exists(path("out.json")));
}

ASSAY_TEST(assay_score_outputs_test, AssayScoreOutputsTest)
#include "assay_score_outputs_test.moc"
