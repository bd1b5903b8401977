// How tables are written: separators, decimal commas, encodings, comments, names of columns, and what is no number.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/read_labels.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

std::shared_ptr<const EmbeddingSet> readText(const std::string& text, bool oneHot = false) {
    ReadOptions options;
    options.choice.scaling = Scaling::None;
    options.choice.oneHot = oneHot;
    return readEmbeddingsFromMemory("gan.csv", asBytes(text), {}, {}, options);
}

std::vector<float> valuesIn(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

QString notesOf(const EmbeddingSet& set) {
    QString all;
    for (const std::string& note : set.source().notes)
        all += QString::fromStdString(note) + "\n";
    return all;
}

/// ASCII as UTF-16.
std::string utf16(const std::string& text, bool bigEndian, bool mark) {
    std::string bytes = mark ? (bigEndian ? "\xfe\xff" : "\xff\xfe") : "";
    for (const char c : text)
        bytes += bigEndian ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
}

} // namespace

class TableDialectsTest : public QObject {
    Q_OBJECT

private slots:
    void readsTheSameNumbers_data();
    void readsTheSameNumbers();
    void utf16BeyondAscii();
    void takesNamesInSingularAndPlural_data();
    void takesNamesInSingularAndPlural();
    void targetsAreClassesWhereTheyRepeat_data();
    void targetsAreClassesWhereTheyRepeat();
    void blankColumnsAreLeftOut();
    void idsStayAsWritten();
    void refusesByName_data();
    void refusesByName();
    void labelsComeInTheSameDialects_data();
    void labelsComeInTheSameDialects();
};

void TableDialectsTest::readsTheSameNumbers_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* title, const std::string& text) {
        QTest::newRow(title) << QByteArray::fromStdString(text);
    };
    const std::string plain = "a,b\n1.5,-2\n3,0.25\n";
    row("commas", plain);
    row("semicolons with points", "a;b\n1.5;-2\n3;0.25\n");
    row("decimal commas", "a;b\n1,5;-2\n3;0,25\n");
    row("decimal commas and tabs", "a\tb\n1,5\t-2\n3\t0,25\n");
    row("decimal commas and bars", "a|b\n1,5|-2\n3|0,25\n");
    row("decimal commas without header", "1,5;-2,0\n3,0;0,25\n");
    row("decimal commas in exponents", "a;b\n1,5e0;-2\n3;2,5E-1\n");
    row("decimal commas with a leading comma", "a;b\n1,5;-2\n3;,25\n");
    row("quoted decimal commas", "\"a\";\"b\"\n\"1,5\";\"-2\"\n\"3\";\"0,25\"\n");
    row("bars", "a|b\n1.5|-2\n3|0.25\n");
    row("blanks", "1.5 -2\n3 0.25\n");
    row("aligned by blanks", " 1.500e+00 -2.000e+00\n 3.000e+00  2.500e-01\n");
    row("blanks and names", "a b\n1.5 -2\n3 0.25\n");
    row("names in a comment", "# a b\n1.5 -2\n3 0.25\n");
    row("names in a comment with commas", "# a,b\n1.5,-2\n3,0.25\n");
    row("a comment of words", "# written by numpy on a day\n1.5 -2\n3 0.25\n");
    row("comments around a header", "# a title, with a comma\n# and more\na,b\n1.5,-2\n3,0.25\n# the end\n");
    row("hash for the row number", "#,a,b\n1,1.5,-2\n2,3,0.25\n");
    row("unnamed row names", ",a,b\nx,1.5,-2\ny,3,0.25\n");
    row("a separator at each line's end", "a;b;\n1,5;-2;\n3;0,25;\n");
    row("UTF-16, little", utf16(plain, false, true));
    row("UTF-16, big", utf16(plain, true, true));
    row("UTF-16, little, without a mark", utf16(plain, false, false));
    row("UTF-16, big, without a mark", utf16(plain, true, false));
    row("UTF-16 with semicolons and decimal commas", utf16("a;b\r\n1,5;-2\r\n3;0,25\r\n", false, true));
    row("a spreadsheet's separator line", "sep=;\r\na;b\r\n1,5;-2\r\n3;0,25\r\n");
    row("CR alone", "a,b\r1.5,-2\r3,0.25\r");
    row("UTF-8 with a mark", "\xef\xbb\xbf" + plain);
}

void TableDialectsTest::readsTheSameNumbers() {
    QFETCH(const QByteArray, text);
    const auto set = readText(text.toStdString());
    QCOMPARE(valuesIn(*set), (std::vector<float>{1.5F, -2.0F, 3.0F, 0.25F}));
    QCOMPARE(set->dim(), std::size_t{2});
}

void TableDialectsTest::utf16BeyondAscii() {
    // "ü,x" above "1,2", then a character that takes two units.
    const std::string text("\xff\xfe\xfc\0,\0x\0\n\0"
                           "1\0,\0"
                           "2\0\n\0",
                           2 + 8 + 8);
    const auto set = readText(text);
    QCOMPARE(set->source().columnNames, (std::vector<std::string>{"\xc3\xbc", "x"}));
    const std::string pair("\xff\xfei\0d\0,\0x\0\n\0\x3d\xd8\x00\xde,\0"
                           "1\0\n\0",
                           2 + 10 + 4 + 6);
    QCOMPARE(readText(pair)->idText(0), std::string("\xf0\x9f\x98\x80"));
}

void TableDialectsTest::takesNamesInSingularAndPlural_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("label");
    for (const char* id : {"id", "ids", "filename", "filenames", "file_name", "File", "path", "image_path",
                           "image_paths", "image", "images", "filepath", "image_id"})
        QTest::newRow(id) << QString::fromLatin1(id) << QStringLiteral("label");
    for (const char* label : {"label", "labels", "Class", "classes", "target", "targets"})
        QTest::newRow(label) << QStringLiteral("id") << QString::fromLatin1(label);
}

void TableDialectsTest::takesNamesInSingularAndPlural() {
    QFETCH(const QString, id);
    QFETCH(const QString, label);
    const QString text =
        id + ",embedding_0,embedding_1," + label + "\nim_0.jpg,1,2,0\nim_1.jpg,3,4,1\nim_2.jpg,5,6,1\nim_3.jpg,7,8,0\n";
    const auto set = readText(text.toStdString());
    QCOMPARE(set->dim(), std::size_t{2});
    QCOMPARE(set->idText(1), std::string("im_1.jpg"));
    QCOMPARE(set->labels().names, (std::vector<std::string>{"0", "1"}));
}

void TableDialectsTest::targetsAreClassesWhereTheyRepeat_data() {
    QTest::addColumn<QByteArray>("targets");
    QTest::addColumn<bool>("classes");
    QTest::newRow("whole numbers") << QByteArray("0 1 1 0 2 2") << true;
    QTest::newRow("texts") << QByteArray("a b b a a b") << true;
    QTest::newRow("measurements") << QByteArray("0.5 1.5 1.5 0.5 2.5 2.5") << false;
    QTest::newRow("whole numbers that differ") << QByteArray("151 75 141 206 135 97") << false;
}

void TableDialectsTest::targetsAreClassesWhereTheyRepeat() {
    QFETCH(const QByteArray, targets);
    QFETCH(const bool, classes);
    std::string text = "x,target\n";
    const QList<QByteArray> list = targets.split(' ');
    for (const QByteArray& target : list)
        text += "0.5," + target.toStdString() + "\n";
    const auto set = readText(text);
    QCOMPARE(set->hasLabels(), classes);
    QCOMPARE(set->dim(), classes ? std::size_t{1} : std::size_t{2});
    QCOMPARE(notesOf(*set).contains("'target') taken as classes, not as a feature"), classes);
}

void TableDialectsTest::blankColumnsAreLeftOut() {
    const auto set = readText("a,b,,c\n1,2,,3\n4,5,,6\n");
    QCOMPARE(valuesIn(*set), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    QVERIFY(saysAll(notesOf(*set), "column 3 ('') left out: it has neither a name nor values"));
}

void TableDialectsTest::idsStayAsWritten() {
    const auto set = readText("id;x;label\n1,5;2,5;0,5\n2,5;3,5;a\n");
    QCOMPARE(set->idText(0), std::string("1,5"));
    QCOMPARE(set->labels().names, (std::vector<std::string>{"0,5", "a"}));
    QCOMPARE(valuesIn(*set), (std::vector<float>{2.5F, 3.5F}));
}

void TableDialectsTest::refusesByName_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const char* text, const char* says) {
        QTest::newRow(title) << QByteArray(text) << says;
    };
    row("percent", "a,b\n1,12.5%\n", "line 2, column 2 ('b')|'12.5%'|percent sign");
    row("percent with a comma", "a;b\n1,5;12,5 %\n", "column 2 ('b')|'12,5 %'|percent sign");
    row("thousands in quotes", "a,b\n1.5,\"1,234\"\n", "column 2 ('b')|'1,234'|thousands separators");
    row("thousands and a point", "a,b\n1.5,\"1,234,567.8\"\n", "'1,234,567.8'|thousands separators");
    row("thousands by points", "a;b\n1,5;1.234,5\n", "'1.234,5'|thousands separators");
    row("thousands by two points", "a;b\n1,5;1.234.567\n", "'1.234.567'|thousands separators");
    row("thousands by blanks", "a,b\n1.5,1 234\n", "'1 234'|thousands separators");
    row("thousands by apostrophes", "a,b\n1.5,1'234\n", "'1'234'|thousands separators");
    row("thousands or a decimal comma", "a;b\n1,234;2,345\n", "'1,234'|thousands separators, or may have");
    row("a point among commas", "a;b\n1,5;2,5\n0.5;3,5\n", "line 3, column 1 ('a')|'0.5'|another decimal sign");
    row("a comma among points", "a;b\n1.5;2.5\n2.5;0,5\n", "line 3, column 2 ('b')|'0,5'|another decimal sign");
    row("Markdown", "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n", "found a Markdown table|save it as CSV");
    row("Markdown below a comment", "# made by hand\na | label\n-- | :--\n1 | x\n3 | y\n", "found a Markdown table");
    row("Markdown of text", "|a|b|\n|:-|--|\n|x|y|\n|z|y|\n", "found a Markdown table");
    row("text", "a,b\n" + QByteArray("1,2\n").repeated(40) + "1,red\n",
        "'red'; --one-hot takes text as categories|--ignore-columns NAME leaves");
}

void TableDialectsTest::refusesByName() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, says);
    const std::string bytes = text.toStdString();
    QVERIFY(saysAll(refusalOf([&] { readText(bytes); }), "gan.csv|" + says));
}

void TableDialectsTest::labelsComeInTheSameDialects_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("semicolons") << QByteArray("filenames;labels\nb.png;dog\na.png;cat\n");
    QTest::newRow("bars") << QByteArray("file_name|class\nb.png|dog\na.png|cat\n");
    QTest::newRow("UTF-16") << QByteArray::fromStdString(utf16("image,label\nb.png,dog\na.png,cat\n", false, true));
}

void TableDialectsTest::labelsComeInTheSameDialects() {
    QFETCH(const QByteArray, text);
    const InputFolder folder;
    folder.writeBytes("labels.csv", text);
    const SampleLabels labels = readLabels(folder.path("labels.csv").toStdString(), {});
    QCOMPARE(labels.ids, (std::vector<std::string>{"b.png", "a.png"}));
    QCOMPARE(labels.labels.names, (std::vector<std::string>{"cat", "dog"}));
    QCOMPARE(labels.labels.code, (std::vector<std::uint32_t>{1, 0}));
}

ASSAY_TEST(table_dialects_test, TableDialectsTest)
#include "table_dialects_test.moc"
