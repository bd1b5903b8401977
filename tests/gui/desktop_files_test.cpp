// A desktop knows audit files by what is in them, and which program opens them.
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "tests/support/test_entry.h"

using namespace assay;

class DesktopFilesTest : public QObject {
    Q_OBJECT

private slots:
    void auditFilesAreRecognised();
    void theProgramOpensThem();
    void theDesktopFileIsValid();

private:
    static QString resource(const char* name) {
        return QStringLiteral(ASSAY_SOURCE_DIR "/resources/desktop/") + QLatin1String(name);
    }
    static bool runs(const QString& program, const QStringList& arguments, QByteArray& said) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        const bool ended = process.waitForFinished();
        said = process.readAll();
        return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    }
};

void DesktopFilesTest::auditFilesAreRecognised() {
    const QString update = QStandardPaths::findExecutable(QStringLiteral("update-mime-database"));
    if (update.isEmpty())
        QSKIP("update-mime-database (shared-mime-info) is not installed");
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath(QStringLiteral("mime/packages")));
    QVERIFY(QFile::copy(resource("assay-mime.xml"), home.filePath(QStringLiteral("mime/packages/assay-mime.xml"))));
    // Beside the types of the system, as an installation does.
    const QString system = QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                                                  QStringLiteral("mime/packages/freedesktop.org.xml"));
    QVERIFY(QFile::copy(system, home.filePath(QStringLiteral("mime/packages/freedesktop.org.xml"))));
    qputenv("XDG_DATA_DIRS", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.filePath(QStringLiteral("nobody")).toLocal8Bit());
    QByteArray said;
    QVERIFY2(runs(update, {home.filePath(QStringLiteral("mime"))}, said), said.constData());
    QVERIFY2(said.isEmpty(), said.constData());

    const auto made = [&](const char* name, std::int64_t application) {
        const QString file = home.filePath(QLatin1String(name));
        Database database(file.toStdString(), Database::Mode::Create);
        database.run("PRAGMA application_id = " + std::to_string(application) + "; CREATE TABLE value(path)");
        return file;
    };
    const QMimeDatabase types;
    const auto nameOf = [&](const QString& file, QMimeDatabase::MatchMode mode) {
        return types.mimeTypeForFile(file, mode).name();
    };
    const QString type = QStringLiteral("application/x-assay-audit");
    const QString audit = made("no-suffix", kAuditFileId);
    QCOMPARE(nameOf(audit, QMimeDatabase::MatchContent), type);
    QCOMPARE(nameOf(audit, QMimeDatabase::MatchDefault), type);
    QCOMPARE(nameOf(QStringLiteral("/not/there/audit.assay"), QMimeDatabase::MatchExtension), type);
    QVERIFY(nameOf(made("other", 0x41535342), QMimeDatabase::MatchContent) != type);
    QVERIFY(types.mimeTypeForName(type).comment().contains(QStringLiteral("Assay")));
}

void DesktopFilesTest::theProgramOpensThem() {
    QSettings file(resource("assay.desktop"), QSettings::IniFormat);
    file.beginGroup(QStringLiteral("Desktop Entry"));
    QCOMPARE(file.value(QStringLiteral("Exec")).toString(), QString("assay %f"));
    QVERIFY(file.contains(QStringLiteral("MimeType")));
    QFile text(resource("assay.desktop"));
    QVERIFY(text.open(QIODevice::ReadOnly));
    QVERIFY(text.readAll().contains("\nMimeType=application/x-assay-audit;\n"));
    QVERIFY(QFile::exists(QStringLiteral(ASSAY_SOURCE_DIR "/icons/") + file.value(QStringLiteral("Icon")).toString() +
                          QStringLiteral(".svg")));
}

void DesktopFilesTest::theDesktopFileIsValid() {
    const QString validate = QStandardPaths::findExecutable(QStringLiteral("desktop-file-validate"));
    if (validate.isEmpty())
        QSKIP("desktop-file-validate (desktop-file-utils) is not installed");
    QByteArray said;
    QVERIFY2(runs(validate, {resource("assay.desktop")}, said), said.constData());
}

ASSAY_TEST(desktop_files_test, DesktopFilesTest)
#include "desktop_files_test.moc"
