#include "engine/base/atomic_file.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace assay;
using namespace assay::test;

namespace {

QByteArray contentOf(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be read)");
}

QString unwritten(const QString& target) {
    return refusalOf([&] { writeFileAtomically(target.toStdString(), "text"); }, ErrorKind::WriteFailed);
}

} // namespace

class AtomicFileTest : public QObject {
    Q_OBJECT

private slots:
    void writesAndReplaces();
    void leavesTheOldFileWithoutCommit();
    void keepsPermissions();
    void followsLinks();
    void refusesWhatCannotBeWritten();
    void removesTheTemporaryWhenRenamingFails();
    void reportsAFullDisk();
    void writesToDevicesAndPipes();
};

void AtomicFileTest::writesToDevicesAndPipes() {
    writeFileAtomically("/dev/null", "text");
    QVERIFY(isStream("/dev/null"));
    const QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe");
    QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QProcess reader;
    reader.start("cat", {pipe});
    writeFileAtomically(pipe.toStdString(), "through the pipe");
    QVERIFY(reader.waitForFinished());
    QCOMPARE(reader.readAllStandardOutput(), QByteArray("through the pipe"));
    QVERIFY(isStream(pipe.toStdString())); // still a pipe
}

void AtomicFileTest::writesAndReplaces() {
    QTemporaryDir folder;
    const QString target = folder.filePath("scores.csv");
    writeFileAtomically(target.toStdString(), "one");
    QCOMPARE(contentOf(target), QByteArray("one"));
    AtomicFile file(target.toStdString());
    file.write("two");
    file.write(std::string_view(", three\0", 8));
    QCOMPARE(contentOf(target), QByteArray("one"));
    file.commit();
    QCOMPARE(contentOf(target), QByteArray("two, three\0", 11));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"scores.csv"});
}

void AtomicFileTest::leavesTheOldFileWithoutCommit() {
    QTemporaryDir folder;
    const QString target = folder.filePath("scores.csv");
    writeFileAtomically(target.toStdString(), "old");
    {
        AtomicFile file(target.toStdString());
        file.write("half of the n");
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);
    }
    QCOMPARE(contentOf(target), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"scores.csv"});
}

void AtomicFileTest::keepsPermissions() {
    QTemporaryDir folder;
    const QString target = folder.filePath("x");
    writeFileAtomically(target.toStdString(), "old");
    const auto shared = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::WriteGroup;
    QVERIFY(QFile::setPermissions(target, shared));
    const auto before = QFile::permissions(target);
    writeFileAtomically(target.toStdString(), "new");
    QCOMPARE(QFile::permissions(target), before);
}

void AtomicFileTest::followsLinks() {
    QTemporaryDir folder;
    const QString target = folder.filePath("target");
    const QString link = folder.filePath("link");
    writeFileAtomically(target.toStdString(), "old");
    QVERIFY(QFile::link(target, link));
    writeFileAtomically(link.toStdString(), "new");
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(contentOf(target), QByteArray("new"));
}

void AtomicFileTest::refusesWhatCannotBeWritten() {
    QTemporaryDir folder;
    QVERIFY(
        saysAll(unwritten(folder.filePath("no/such/folder/x")), "no/such/folder/x: cannot be written|No such file"));
    QVERIFY(saysAll(unwritten(folder.path()), folder.path() + ": cannot be written|it is a folder"));
    QVERIFY(saysAll(unwritten(""), "a file name is needed"));
    QVERIFY(saysAll(unwritten(folder.filePath(QString("a") + QChar(0) + "b")), "its name holds a NUL"));
    if (::geteuid() != 0) {
        writeFileAtomically(folder.filePath("mine").toStdString(), "old");
        QFile::setPermissions(folder.filePath("mine"), QFile::ReadOwner);
        QVERIFY(saysAll(unwritten(folder.filePath("mine")), "mine: cannot be written|protected against writing"));
        QCOMPARE(contentOf(folder.filePath("mine")), QByteArray("old"));
        QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner);
        QVERIFY(saysAll(unwritten(folder.filePath("x")), "x: cannot be written|Permission denied"));
        QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
}

void AtomicFileTest::removesTheTemporaryWhenRenamingFails() {
    QTemporaryDir folder;
    const QString target = folder.filePath("x");
    const QString message = refusalOf(
        [&] {
            AtomicFile file(target.toStdString());
            file.write("text");
            QVERIFY(QDir(folder.path()).mkpath("x/y")); // a folder takes the name meanwhile
            file.commit();
        },
        ErrorKind::WriteFailed);
    QVERIFY(saysAll(message, "x: cannot be written|its name"));
    QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
}

void AtomicFileTest::reportsAFullDisk() {
    // A limit on the size of files stands in for a full disk; it must not leak into other tests.
    QTemporaryDir folder;
    const QString target = folder.filePath("x");
    QProcess shell;
    shell.start("bash", {"-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" atomic_file_test --write-too-much \"$1\"",
                         QCoreApplication::applicationFilePath(), target});
    QVERIFY(shell.waitForFinished());
    QVERIFY(saysAll(QString::fromLocal8Bit(shell.readAllStandardOutput()), "x: cannot be written: writing failed"));
    QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
}

int atomic_file_test(int argc, char* argv[]) {
    if (argc == 3 && std::string_view(argv[1]) == "--write-too-much") {
        const std::string text(1 << 20, 'x');
        const QString message = refusalOf([&] { writeFileAtomically(argv[2], text); }, ErrorKind::WriteFailed);
        std::fputs(qPrintable(message), stdout);
        return 0;
    }
    QCoreApplication application(argc, argv);
    AtomicFileTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "atomic_file_test.moc"
