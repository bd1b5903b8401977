// What is written as CSV is read back by other programs as it was, and run by none of them.
#include "engine/io/files/text_encoding.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

class CsvTest : public QObject {
    Q_OBJECT

private slots:
    void quotesWhatWouldBeMisread_data();
    void quotesWhatWouldBeMisread();
};

void CsvTest::quotesWhatWouldBeMisread_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* text, const char* field) { QTest::newRow(text) << text << field; };
    row("", "");
    row("plain text", "plain text");
    row("a,b", "\"a,b\"");
    row("a\"b", "\"a\"\"b\"");
    row("a\nb", "\"a\nb\"");
    row("=1+2", "\"'=1+2\"");
    row("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\"");
    row("-x", "\"'-x\"");
    row("-", "\"'-\"");
    row("@SUM(\"a\")", "\"'@SUM(\"\"a\"\")\"");
    row("\t=1", "\"'\t=1\"");
    row("-12", "-12");
    row("+0.5e-3", "+0.5e-3");
    row("a=b", "a=b");
}

void CsvTest::quotesWhatWouldBeMisread() {
    QFETCH(const QString, text);
    QFETCH(const QString, field);
    std::string line = "1,";
    appendCsvField(line, text.toStdString());
    QCOMPARE(QString::fromStdString(line), "1," + field);
}

ASSAY_TEST(csv_test, CsvTest)
#include "csv_test.moc"
