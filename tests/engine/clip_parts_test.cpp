// Folders of parts as clip-retrieval writes them: one set, in the order of the parts' numbers.
#include "engine/base/sha256.h"
#include "engine/data/embedding_set.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

/// Rows of two float16 columns, `first`, `first + 1`, ... up to 2048, which float16 holds exactly.
std::string halves(std::uint16_t rows, std::uint16_t first) {
    static const std::vector<std::uint16_t> bits{0x0000, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
    std::vector<std::uint16_t> values;
    for (std::uint16_t i = 0; i < 2 * rows; ++i)
        values.push_back(bits.at(first + i));
    return npyFile("<f2", "(" + std::to_string(rows) + ", 2)", bytesOf<std::uint16_t>(values));
}

/// One row of one whole number.
std::string oneNumber(std::int32_t value) {
    return npyFile("<i4", "(1, 1)", bytesOf<std::int32_t>({value}));
}

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

} // namespace

class ClipPartsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readsPartsInNumericOrder();
    void findsTheFolderOfImages();
    void takesTextsByTheirKey();
    void subtractsAnOffsetAcrossParts();
    void dropsRowsOfAnyPart();
    void hashesWhatSha256sumPrints();
    void leavesOtherNamesAlone();
    void refuses_data();
    void refuses();
    void namesTheRowOfNaN();

private:
    void write(const QString& name, const std::string& bytes) const;
    std::string path(const QString& name = {}) const {
        return (name.isEmpty() ? folder_->path() : folder_->filePath(name)).toStdString();
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void ClipPartsTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void ClipPartsTest::write(const QString& name, const std::string& bytes) const {
    const QString full = folder_->filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(full).path()));
    QFile file(full);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), static_cast<qint64>(bytes.size()));
}

void ClipPartsTest::readsPartsInNumericOrder() {
    for (const int digits : {1, 2}) {
        init();
        for (int i = 0; i < 12; ++i)
            write(QString("img_emb_%1.npy").arg(i, digits, 10, QLatin1Char('0')), oneNumber(i));
        QCOMPARE(valuesOf(*readEmbeddings(path())), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    }
}

void ClipPartsTest::findsTheFolderOfImages() {
    write("img_emb/img_emb_0.npy", halves(2, 0));
    write("img_emb/img_emb_1.npy", npyFile("<f2", "(0, 2)", ""));
    write("img_emb/img_emb_2.npy", halves(1, 4));
    write("img_emb/notes.txt", "other files do not matter");
    write("text_emb/text_emb_0.npy", halves(3, 2));
    for (const char* name : {"", "img_emb"}) {
        const auto set = readEmbeddings(path(name));
        QCOMPARE(set->rows(), std::size_t{3});
        QCOMPARE(set->dim(), std::size_t{2});
        QCOMPARE(valuesOf(*set), (std::vector<float>{0, 1, 2, 3, 4, 5}));
        QVERIFY(!set->hasIds());
    }
    const SetPreview preview = previewSet({path()});
    QCOMPARE(preview.rows, std::size_t{3});
    QCOMPARE(preview.dim, std::size_t{2});
}

void ClipPartsTest::takesTextsByTheirKey() {
    write("img_emb/img_emb_0.npy", halves(2, 0));
    write("text_emb/text_emb_0.npy", halves(2, 2));
    QCOMPARE(valuesOf(*readEmbeddings(path() + ":text_emb")), (std::vector<float>{2, 3, 4, 5}));
    QCOMPARE(valuesOf(*readEmbeddings(path("text_emb"))), (std::vector<float>{2, 3, 4, 5}));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path() + ":other"); }), "none of 'other'"));
}

void ClipPartsTest::subtractsAnOffsetAcrossParts() {
    write("img_emb_0.npy", npyFile("<f8", "(2, 1)", bytesOf<double>({1e9, 1e9 + 0.25})));
    write("img_emb_1.npy", npyFile("<f8", "(1, 1)", bytesOf<double>({1e9 + 0.5})));
    const auto set = readEmbeddings(path());
    const std::vector<float> values = valuesOf(*set);
    QCOMPARE(values[1] - values[0], 0.25F);
    QCOMPARE(values[2] - values[0], 0.5F);
}

void ClipPartsTest::dropsRowsOfAnyPart() {
    write("img_emb_0.npy", halves(1, 0));
    write("img_emb_1.npy", npyFile("<f2", "(2, 2)", bytesOf<std::uint16_t>({0x7e00, 0x3c00, 0x4000, 0x4200})));
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    const auto set = readEmbeddings(path(), {}, options);
    QCOMPARE(valuesOf(*set), (std::vector<float>{0, 1, 2, 3}));
    QCOMPARE(set->source().droppedRows, (std::vector<std::size_t>{1}));
}

void ClipPartsTest::hashesWhatSha256sumPrints() {
    for (int i = 0; i < 11; ++i)
        write(QString("img_emb/img_emb_%1.npy").arg(i), oneNumber(i));
    QProcess shell;
    shell.setWorkingDirectory(folder_->filePath("img_emb"));
    shell.start("sh", {"-c", "ls -v img_emb_*.npy | xargs sha256sum | sha256sum"});
    QVERIFY(shell.waitForFinished());
    const std::string printed = shell.readAllStandardOutput().left(64).toStdString();
    QCOMPARE(readEmbeddings(path())->source().sha256, printed);
    QCOMPARE(readEmbeddings(path("img_emb"))->source().sha256, printed);
}

/// Arrays that are named nearly like parts are clips.
void ClipPartsTest::leavesOtherNamesAlone() {
    write("others/img_emb_x.npy", oneNumber(2));
    write("others/img_emb_.npy", oneNumber(1));
    const auto set = readEmbeddings(path("others"));
    QCOMPARE(set->idText(0), std::string("img_emb_"));
    QCOMPARE(valuesOf(*set), (std::vector<float>{1, 2}));
}

void ClipPartsTest::refuses_data() {
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::string& second, const char* name, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(second) << name << says;
    };
    const std::string good = halves(1, 0);
    row("a part that is missing", good, "img_emb_2.npy", "a part 1 before 'img_emb_2.npy'");
    row("a number twice", good, "img_emb_00.npy", "both 'img_emb_0.npy' and 'img_emb_00.npy'");
    row("a number beyond 64 bits", good, "img_emb_99999999999999999999999.npy", "a part 1 before");
    row("another width", npyFile("<f2", "(1, 3)", bytesOf<std::uint16_t>({0, 0, 0})), "img_emb_1.npy",
        "img_emb_1.npy|2 columns, as 'img_emb_0.npy' has, found float16 [1, 3]");
    row("another type", npyFile("<f4", "(1, 2)", bytesOf<float>({0, 0})), "img_emb_1.npy",
        "img_emb_1.npy|float16, as in 'img_emb_0.npy', found float32 [1, 2]");
    row("truncated", good.substr(0, good.size() - 1), "img_emb_1.npy", "img_emb_1.npy|truncated");
    row("Fortran order", npyFile("<f2", "(2, 2)", bytesOf<std::uint16_t>({0, 0, 0, 0}), NpyHeader::Order::Fortran),
        "img_emb_1.npy", "img_emb_1.npy|Fortran order");
    row("one dimension", npyFile("<f2", "(2,)", bytesOf<std::uint16_t>({0, 0})), "img_emb_1.npy", "img_emb_1.npy|2-D");
    row("no array", "something else", "img_emb_1.npy", "img_emb_1.npy|a NumPy array");
}

void ClipPartsTest::refuses() {
    QFETCH(const QByteArray, second);
    QFETCH(const QString, name);
    QFETCH(const QString, says);
    write("img_emb_0.npy", halves(2, 0));
    write(name, second.toStdString());
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path()); }), says));
}

void ClipPartsTest::namesTheRowOfNaN() {
    write("img_emb_0.npy", halves(2, 0));
    write("img_emb_1.npy", npyFile("<f2", "(1, 2)", bytesOf<std::uint16_t>({0x3c00, 0x7e00})));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path()); }), "NaN in row 2, column 1"));
}

ASSAY_TEST(clip_parts_test, ClipPartsTest)
#include "clip_parts_test.moc"
