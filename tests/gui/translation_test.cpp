// Whoever translates the window finds all that it says.
#include "tests/support/test_entry.h"

class TranslationTest : public QObject {
    Q_OBJECT

private slots:
    void everyTextHasAContext();
};

void TranslationTest::everyTextHasAContext() {
    QString lupdate =
        QStandardPaths::findExecutable(QStringLiteral("lupdate"), {QLibraryInfo::path(QLibraryInfo::BinariesPath)});
    if (lupdate.isEmpty())
        lupdate = QStandardPaths::findExecutable(QStringLiteral("lupdate"));
    if (lupdate.isEmpty())
        QSKIP("lupdate is not installed (qt6-l10n-tools)");
    const QTemporaryDir folder;
    const QString found = folder.filePath(QStringLiteral("assay.ts"));
    QProcess process;
    process.setWorkingDirectory(QStringLiteral(ASSAY_SOURCE_DIR));
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(lupdate, {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-recursive"),
                            QStringLiteral("gui"), QStringLiteral("widgets"), QStringLiteral("-ts"), found});
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), 0);
    const QString said = QString::fromUtf8(process.readAll());
    const QRegularExpression lost(QStringLiteral("^.*(lacks Q_OBJECT|without context|unknown namespace/class).*$"),
                                  QRegularExpression::MultilineOption);
    const auto match = lost.match(said);
    QVERIFY2(!match.hasMatch(), qPrintable(match.captured()));
    QFile file(found);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString texts = QString::fromUtf8(file.readAll());
    QVERIFY(texts.count(QStringLiteral("<message")) > 500);
    QVERIFY(!texts.contains(QStringLiteral("<name></name>")));
}

ASSAY_TEST(translation_test, TranslationTest)
#include "translation_test.moc"
