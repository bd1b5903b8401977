// Tables as people have them: separators, quotes, headers, columns that are not features, and what is refused.
#include "engine/data/embedding_set.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <random>

using namespace assay;
using namespace assay::test;

namespace {

std::shared_ptr<const EmbeddingSet> readText(const std::string& text) {
    ReadOptions options;
    options.choice.scaling = Scaling::None; // values as they are in the file
    return readEmbeddingsFromMemory("dir/gan.csv", asBytes(text), {}, {}, options);
}

std::vector<float> valuesIn(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

} // namespace

class TableTest : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void tellsHeadersFromSamples_data();
    void tellsHeadersFromSamples();
    void takesIdsAndLabels();
    void readsQuotedFields();
    void readsEveryFloatBack();
    void linesMayLieAcrossPieces();
    void tellsWhatItLeavesOut();
    void refuses_data();
    void refuses();
    void recognises_data();
    void recognises();
};

void TableTest::reads_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* title, const QByteArray& text) { QTest::newRow(title) << text; };
    row("commas", "1,2\n3,4\n");
    row("no last line end", "1,2\n3,4");
    row("CRLF", "1,2\r\n3,4\r\n");
    row("semicolons", "1;2\n3;4\n");
    row("tabs", "1\t2\n3\t4\n");
    row("header", "a,b\n1,2\n3,4\n");
    row("header that counts", "id,0,1\nx,1,2\ny,3,4\n");
    row("row names", ",a,b\nx,1,2\ny,3,4\n");
    row("byte order mark", "\xef\xbb\xbf"
                           "a,b\n1,2\n3,4\n");
    row("spaces and signs", " 1 , +2\n3e0,0.4e1\n");
    row("empty lines", "1,2\n\n3,4\n\n\n");
    row("quoted numbers", "\"1\",\"2\"\n\"3\",\"4\"\n");
}

void TableTest::reads() {
    QFETCH(const QByteArray, text);
    const auto set = readText(text.toStdString());
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->dim(), std::size_t{2});
    QCOMPARE(valuesIn(*set), (std::vector<float>{1, 2, 3, 4}));
}

void TableTest::tellsHeadersFromSamples_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<std::size_t>("rows");
    const auto row = [](const char* title, const QByteArray& text, std::size_t rows) {
        QTest::newRow(title) << text << rows;
    };
    row("counts from 0", "0,1,2\n0.5,1.5,2.5\n3.0,4.0,5.0\n", 2);
    row("counts from 1", "1,2,3\n0.5,1.5,2.5\n", 1);
    row("eight that count, whole numbers", "0,1,2,3,4,5,6,7\n9,9,9,9,9,9,9,9\n", 1);
    row("two that could count", "0,1\n3,4\n", 2);
    row("counts with decimals", "0.0,1.0,2.0\n0.5,1.5,2.5\n", 2);
    row("row names and a count", ",0,1\n0,5,7\n1,3,4\n", 2);
    row("a count and a class", "0,1,label\n3,4,dog\n", 1);
    row("a count and a name", "0,1,target\n3,4,7\n", 1);
    row("first sample with NA", "1,NA,2,3\n0.1,0.2,0.3,0.4\n0.5,0.6,0.7,0.8\n", 2);
    row("first sample with an empty field", "0,,1\n0.1,0.2,0.3\n", 1);
    row("first sample without its first field", ",0,1\n0.1,0.2,0.3\n", 1);
    row("header of text over text", "sex,city\nm,3\nf,4\n", 2);
    row("header with an unnamed column", "age,,city\n1,m,C\n", 1);
}

void TableTest::tellsHeadersFromSamples() {
    QFETCH(const QByteArray, text);
    QFETCH(const std::size_t, rows);
    const std::string bytes = text.toStdString();
    ReadOptions options;
    options.choice = {.missing = Missing::Drop, .oneHot = true};
    const auto set = readEmbeddingsFromMemory("gan.csv", asBytes(bytes), {}, {}, options);
    QCOMPARE(set->rows(), rows);
    const bool damaged = QByteArray(QTest::currentDataTag()).startsWith("first sample");
    QCOMPARE(set->source().droppedRows, damaged ? std::vector<std::size_t>{0} : std::vector<std::size_t>{});
}

void TableTest::takesIdsAndLabels() {
    const auto set = readText("Path,x,CLASS,y\na/1.png,1,dog,2\na/2.png,3,cat,4\n");
    QCOMPARE(valuesIn(*set), (std::vector<float>{1, 2, 3, 4}));
    QCOMPARE(set->idText(1), std::string("a/2.png"));
    QCOMPARE(set->labelText(0), std::string("dog"));
    QCOMPARE(set->labelText(1), std::string("cat"));
    QVERIFY(set->source().notes.empty());
}

void TableTest::readsQuotedFields() {
    const auto set = readText("id,x\n\"a, \"\"b\"\"\nc\",1\nplain,2\n");
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->idText(0), std::string("a, \"b\"\nc"));
    QCOMPARE(set->idText(1), std::string("plain"));
}

void TableTest::readsEveryFloatBack() {
    std::mt19937 random(7);
    std::vector<float> wanted;
    std::string text;
    while (wanted.size() < 3000) {
        const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (!std::isfinite(value))
            continue;
        wanted.push_back(value);
        text += QByteArray::number(value, 'g', 9).toStdString() + (wanted.size() % 3 == 0 ? "\n" : ",");
    }
    QCOMPARE(valuesIn(*readText(text)), wanted);
}

void TableTest::linesMayLieAcrossPieces() {
    // Longer in all than three pieces of the reader, and with one record longer than one.
    std::string text = "id,x\n";
    for (int i = 0; i < 100'000; ++i)
        text += "\"row " + std::to_string(i) + "\"," + std::to_string(i) + "\n";
    text += std::string(3'000'000, 'a') + ",0\n";
    const auto set = readText(text);
    QCOMPARE(set->rows(), std::size_t{100'001});
    QCOMPARE(set->idText(100'000).size(), std::size_t{3'000'000});
    for (std::size_t row = 0; row < 100'000; ++row)
        if (set->matrix().row(row)[0] != static_cast<float>(row) || set->idText(row) != "row " + std::to_string(row))
            QFAIL("a row differs");
}

void TableTest::tellsWhatItLeavesOut() {
    const auto set = readText("id,path,x\n7,a.png,1\n8,b.png,2\n");
    QCOMPARE(set->idText(0), std::string("7"));
    QCOMPARE(set->source().notes.size(), std::size_t{1});
    QVERIFY(saysAll(QString::fromStdString(set->source().notes[0]), "column 2 ('path') left out"));
}

void TableTest::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const QByteArray& text, const char* says) {
        QTest::newRow(title) << text << says;
    };
    row("text among numbers", "a,b\n" + QByteArray("1,2\n").repeated(40) + "3,red\n",
        "line 42, column 2 ('b')|'red'; --one-hot takes text as categories");
    row("empty field", "a,b\n1,\n", "line 2, column 2 ('b')|found nothing");
    row("nan", "a,b\n1,NaN\n", "line 2, column 2 ('b')|'NaN'");
    row("infinite", "1,2\n1,-inf\n", "line 2, column 2|'-inf'");
    row("beyond float32", "1,2\n1,1e39\n", "line 2, column 2|range of float32|'1e39'");
    row("beyond any number", "1,2\n1,-1e999\n", "line 2, column 2|range of float32|'-1e999'");
    const QString digits = QStringLiteral("7").repeated(400);
    row("400 digits", ("1,2\n1," + digits + "\n").toLatin1().constData(), "line 2, column 2|range of float32");
    row("too few fields", "1,2\n3\n", "line 2|expected 2 fields, as in the first line, found 1");
    row("too many fields", "1,2\n\n3,4,5\n", "line 3|found 3");
    row("header alone", "a,0\n", "only a header");
    row("no feature", "id,label\n1,2\n", "line 1|at least one column of numbers");
    row("text and a number that counts", "m,1,C\nf,0,S\n",
        "line 1|both, as 'C' beside a number; add a first line that names");
    row("text and a missing value", "m,NA\nf,3\n", "line 1|both, as 'm' beside a missing value");
    row("a count or whole numbers", "0,1,2\n3,4,5\n", "line 1|name the columns by text, or write");
    row("two that count or decimals", "0,1\n0.5,0.7\n", "line 1|name the columns by text, or write");
    row("header or not", "cat,7,9\ndog,1,2\n", "line 1|both, as 'cat' beside a number");
    row("too many columns", QByteArray("1,").repeated(70'000) + "1\n", "line 1|at most 65536 columns, found 70001");
    row("endless line", QByteArray("1,").repeated(10'000'000), "line 1|lines of at most 16 MiB");
    row("endless quote", "1,2\n\"" + QByteArray(20'000'000, 'x'), "line 2|lines of at most 16 MiB");
    row("a quote that is never closed", "a,b\n1,2\n3,\"4\n5,6\n", "line 3|a closing quote|up to the end of the file");
    row("a quote that runs over a mebibyte", "a,b\n1,\"2\n" + QByteArray("3,4\n").repeated(400'000),
        "line 2|a closing quote|none within 1 MiB");
    row("text behind a quote", "a,b\n1,2\n\"1.5\" 7,2\n", "line 3|a closing quote|' 7,2' behind one");
    row("text behind a quote of several lines", "a,b\n1,\"2\n\n\"x\n", "line 4|a closing quote|'x' behind one");
}

void TableTest::refuses() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, says);
    const std::string bytes = text.toStdString();
    QVERIFY(saysAll(refusalOf([&] { readText(bytes); }), "gan.csv|" + says));
}

void TableTest::recognises_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("table");
    QTest::newRow("numbers") << QByteArray("1 , 2\n") << true;
    QTest::newRow("one column") << QByteArray("x\n3\n") << true;
    QTest::newRow("long header") << "feature number," + QByteArray("feature,").repeated(1000) + "x\n" << true;
    QTest::newRow("JSON") << QByteArray("{\"a\": 1}") << false;
    QTest::newRow("prose") << QByteArray("Dear reader,\nthis is no table.\n") << false;
    QTest::newRow("bytes") << QByteArray("1,2\n\0", 5) << false;
    QTest::newRow("blank") << QByteArray("\n\n") << false;
}

void TableTest::recognises() {
    QFETCH(const QByteArray, text);
    QFETCH(const bool, table);
    const std::string bytes = text.toStdString();
    const InputFile input = InputFile::inMemory("a", asBytes(bytes));
    const auto format =
        std::ranges::find(formatTable(), std::string_view("a table (.csv, .tsv)"), &Format::description);
    QCOMPARE(format->recognises(input), table);
}

ASSAY_TEST(table_test, TableTest)
#include "table_test.moc"
