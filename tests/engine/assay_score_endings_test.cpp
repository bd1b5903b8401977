// How assay-score ends when the system takes something away: threads, memory, the reader of its output, an input.
#include "engine/base/available_memory.h"
#include "engine/cli/signals.h"
#include "engine/io/files/input_file.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

using namespace assay;
using namespace assay::test;

namespace {

/// A command line of the shell.
Run shell(const QString& command) {
    QProcess process;
    process.start(QStringLiteral("bash"), {QStringLiteral("-c"), command});
    return outcomeOf(process);
}

} // namespace

class AssayScoreEndingsTest : public QObject {
    Q_OBJECT

private slots:
    void worksWithoutAnyOtherThread();
    void claimBeyondTheFreeMemoryIsRefusedBeforeUnpacking();
    void closedOutputLeavesNothing();
    void fullOutputIsAnError_data();
    void fullOutputIsAnError();
    void lostInputIsNamed();
    void folderThatMayNotBeReadIsNamed();
};

void AssayScoreEndingsTest::folderThatMayNotBeReadIsNamed() {
    const InputFolder folder;
    const QString locked = folder.path("pictures");
    QVERIFY(QDir().mkdir(locked) && QFile::setPermissions(locked, {}));
    // Root reads everything but for these two capabilities.
    const QString asAnyone =
        ::geteuid() == 0 ? QStringLiteral("setpriv --bounding-set -dac_override,-dac_read_search ") : QString();
    const Run run = shell(asAnyone + scoreProgram() + " --real " + locked + " --synthetic " + locked);
    QFile::setPermissions(locked, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(
        saysAll(QString::fromUtf8(run.err), "pictures: expected a folder that can be read, found Permission denied"),
        run.err.constData());
}

void AssayScoreEndingsTest::worksWithoutAnyOtherThread() {
#ifdef __SANITIZE_THREAD__
    QSKIP("ThreadSanitizer needs more address space than this leaves");
#endif
    const InputFolder folder;
    const QString real = folder.write("real.npy", gaussian(300, 8, 1));
    const QString model = folder.write("model.npy", gaussian(300, 8, 2));
    // Stacks that are larger than the address space: no thread can be started.
    const Run run = shell("ulimit -s 8000000 && ulimit -v 6000000 && " + scoreProgram() + " --real " + real +
                          " --synthetic " + model + " --json -");
    if (run.exitCode != 0 && run.err.contains("ulimit"))
        QSKIP("this shell may not set limits");
    QVERIFY2(run.exitCode == 0 || run.exitCode == 4, run.err.constData());
    QVERIFY2(run.err.count('\n') <= 1 && !run.err.contains("terminate"), run.err.constData());
}

void AssayScoreEndingsTest::claimBeyondTheFreeMemoryIsRefusedBeforeUnpacking() {
    const std::uint64_t claimed = availableMemory() / 4 * 5 / 4 * 4;
    constexpr std::uint64_t kRatio = 1000; // of what deflate can do, nearly
    constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
    if (claimed == 0 || claimed / kRatio > kMaxBytes)
        QSKIP("too much memory, or nobody knows how much");
    const std::string header = npyFile("<f4", "(" + std::to_string(claimed / 4) + ", 1)", {});
    ZipItem item{"embeddings.npy", header + std::string(claimed / kRatio, '\0'), ZipItem::Packing::Deflated};
    item.sizes = ZipItem::Sizes::Zip64;
    item.claimedSize = claimed + header.size();
    const InputFolder folder;
    folder.writeBytes("bomb.npz", QByteArray::fromStdString(zipFile({item})));
    const Run run = score({"--real", folder.path("bomb.npz"), "--synthetic", folder.path("bomb.npz")});
    QCOMPARE(run.exitCode, 4);
    QVERIFY2(run.err.contains("bomb.npz: 'embeddings': expected to need at most ") &&
                 run.err.contains("of memory, which are free, found "),
             run.err.constData());
}

void AssayScoreEndingsTest::closedOutputLeavesNothing() {
    const InputFolder folder;
    const QString real = folder.write("real.npy", gaussian(300, 8, 1));
    const QString model = folder.write("model.npy", gaussian(300, 8, 2));
    const QString scores = folder.path("scores");
    const Run run = shell("{ sleep 0.3; " + scoreProgram() + " --real " + real + " --synthetic " + model +
                          " --json - --csv " + scores + "; echo \"exit $?\" >&2; } | true");
    QVERIFY2(run.err.contains("exit 3"), run.err.constData());
    QVERIFY2(run.err.contains("standard output: expected someone who reads it"), run.err.constData());
    QVERIFY(!QDir(scores).exists());
}

void AssayScoreEndingsTest::fullOutputIsAnError_data() {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments : {"--help", "--version", "--demo --quick", "--demo --quick --quiet --json -"})
        QTest::newRow(arguments) << arguments;
}

void AssayScoreEndingsTest::fullOutputIsAnError() {
    QFETCH(const QString, arguments);
    const Run run = shell(scoreProgram() + " " + arguments + " >/dev/full");
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.err, QByteArray("assay-score: standard output: expected room to write, found none\n"));
}

void AssayScoreEndingsTest::lostInputIsNamed() {
    const InputFolder folder;
    folder.writeBytes("an input.npy", QByteArray(1 << 20, 'x'));
    const std::string file = folder.path("an input.npy").toStdString();
    std::array<int, 2> ends{};
    QCOMPARE(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        const auto mapping = MappedFile::open(file);
        exitOnLostInput();
        if (truncate(file.c_str(), 0) != 0)
            _exit(1);
        const volatile std::byte* bytes = mapping->bytes().data();
        _exit(bytes[900'000] == std::byte{'x'} ? 1 : 2);
    }
    close(ends[1]);
    std::string told(4096, '\0');
    const ssize_t got = read(ends[0], told.data(), told.size());
    told.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    for (std::array<char, 4096> more{}; const ssize_t count = read(ends[0], more.data(), more.size());)
        told.append(more.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    close(ends[0]);
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == kLostInputExit);
    QCOMPARE(
        QString::fromStdString(told),
        QString("assay-score: %1: expected a file that stays as it is while it is worked on, found that it was cut "
                "short or cannot be read any more\n")
            .arg(QString::fromStdString(file)));
}

ASSAY_TEST(assay_score_endings_test, AssayScoreEndingsTest)
#include "assay_score_endings_test.moc"
