// Files of tensors, built byte by byte as the format's own description says, and by its own library where that is
// there.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <optional>

using namespace assay;
using namespace assay::test;

namespace {

std::string tensorFile(const std::string& header, const std::string& data, std::optional<std::uint64_t> length = {}) {
    return bytesOf<std::uint64_t>({length.value_or(header.size())}) + header + data;
}

std::string entryOf(const std::string& key, const std::string& dtype, const std::string& shape, std::size_t begin,
                    std::size_t end) {
    return "\"" + key + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
           std::to_string(begin) + ',' + std::to_string(end) + "]}";
}

const std::string kFour = bytesOf<float>({1, 2, 3, 4});

std::shared_ptr<const EmbeddingSet> readTensors(const std::string& file, const std::string& key = {}) {
    return readEmbeddingsFromMemory("dir/gan.safetensors", asBytes(file), key);
}

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

} // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryType_data();
    void readsEveryType();
    void takesCompanionsAndMetadata();
    void offersAChoice();
    void refuses_data();
    void refuses();
    void readsALargeFileWhereItLies();
    void readsWhatTheOwnLibraryWrites();
};

void SafetensorsTest::readsEveryType_data() {
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* dtype, const std::string& bytes) {
        QTest::newRow(dtype) << dtype << QByteArray::fromStdString(bytes);
    };
    row("F16", bytesOf<std::uint16_t>({0x3c00, 0x4000, 0x4200, 0x4400}));
    row("BF16", bytesOf<std::uint16_t>({0x3f80, 0x4000, 0x4040, 0x4080}));
    row("F32", kFour);
    row("F64", bytesOf<double>({1, 2, 3, 4}));
    row("I8", bytesOf<std::int8_t>({1, 2, 3, 4}));
    row("U8", bytesOf<std::uint8_t>({1, 2, 3, 4}));
    row("I16", bytesOf<std::int16_t>({1, 2, 3, 4}));
    row("U16", bytesOf<std::uint16_t>({1, 2, 3, 4}));
    row("I32", bytesOf<std::int32_t>({1, 2, 3, 4}));
    row("U32", bytesOf<std::uint32_t>({1, 2, 3, 4}));
    row("I64", bytesOf<std::int64_t>({1, 2, 3, 4}));
    row("U64", bytesOf<std::uint64_t>({1, 2, 3, 4}));
}

void SafetensorsTest::readsEveryType() {
    QFETCH(const QString, dtype);
    QFETCH(const QByteArray, bytes);
    const std::string data = bytes.toStdString();
    const auto set =
        readTensors(tensorFile('{' + entryOf("x", dtype.toStdString(), "[2,2]", 0, data.size()) + '}', data));
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->dim(), std::size_t{2});
    QCOMPARE(set->name(), std::string("gan"));
    QCOMPARE(set->source().key, std::string("x"));
    QCOMPARE(valuesOf(*set), (std::vector<float>{1, 2, 3, 4}));
}

void SafetensorsTest::takesCompanionsAndMetadata() {
    const std::string header =
        "{\"__metadata__\":{\"model\":\"a\",\"note\":\"b\"}," + entryOf("embeddings", "F32", "[2,2]", 0, 16) + ',' +
        entryOf("labels", "I32", "[2]", 16, 24) + ',' + entryOf("ids", "U8", "[2]", 24, 26) + ',' +
        entryOf("other", "F32", "[1,1]", 26, 30) + ',' + entryOf("groups", "I16", "[2]", 30, 34) + "}   ";
    const auto set =
        readTensors(tensorFile(header, kFour + bytesOf<std::int32_t>({7, 3}) + bytesOf<std::uint8_t>({200, 100}) +
                                           bytesOf<float>({1}) + bytesOf<std::int16_t>({40, 41})));
    QCOMPARE(set->groups().names, (std::vector<std::string>{"40", "41"}));
    QCOMPARE(set->groupText(1), std::string("41"));
    QCOMPARE(valuesOf(*set), (std::vector<float>{1, 2, 3, 4}));
    QCOMPARE(set->labelText(0), std::string("7"));
    QCOMPARE(set->labelText(1), std::string("3"));
    QCOMPARE(set->idText(0), std::string("200"));
    const auto floats = readTensors(tensorFile('{' + entryOf("embeddings", "F32", "[2,2]", 0, 16) + ',' +
                                                   entryOf("labels", "F64", "[2,1]", 16, 32) + '}',
                                               kFour + bytesOf<double>({12, 3})));
    QCOMPARE(floats->labels().names, (std::vector<std::string>{"3", "12"}));
    QCOMPARE(floats->labelText(0), std::string("12"));
}

void SafetensorsTest::offersAChoice() {
    const std::string file =
        tensorFile('{' + entryOf("a", "F32", "[2,2]", 0, 16) + ',' + entryOf("b", "F32", "[2,1]", 16, 24) + '}',
                   kFour + bytesOf<float>({5, 6}));
    QVERIFY(saysAll(refusalOf([&] { readTensors(file); }), "found 2: 'a' float32 [2, 2]; 'b' float32 [2, 1]|:key"));
    QCOMPARE(valuesOf(*readTensors(file, "b")), (std::vector<float>{5, 6}));
    QTemporaryDir folder;
    const std::string name = folder.filePath("two.safetensors").toStdString();
    std::ofstream(name, std::ios::binary) << file;
    QCOMPARE(candidateKeys(name), (std::vector<std::string>{"a", "b"}));
    QCOMPARE(valuesOf(*readEmbeddings(name + ":b")), (std::vector<float>{5, 6}));
}

void SafetensorsTest::refuses_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::string& file, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(file) << says;
    };
    const auto one = [](const std::string& dtype, const std::string& shape, std::size_t begin, std::size_t end) {
        return tensorFile('{' + entryOf("x", dtype, shape, begin, end) + '}', kFour);
    };
    row("no tensors", tensorFile("{}", {}), "no tensors");
    row("damaged JSON", tensorFile("{\"x\":", kFour), "header in JSON");
    row("deep JSON", tensorFile("{\"x\":" + std::string(100'000, '[') + std::string(100'000, ']') + '}', kFour),
        "in each other");
    row("entry that is a list", tensorFile("{\"x\":[1]}", kFour), "'x'|an object with a 'dtype'");
    row("no offsets", tensorFile("{\"x\":{\"dtype\":\"F32\",\"shape\":[2,2]}}", kFour), "'x'|'data_offsets'");
    row("negative shape", one("F32", "[-2,-2]", 0, 16), "'x'|whole numbers");
    row("2^60 rows", one("F32", "[1152921504606846976,2]", 0, 16), "as many bytes as");
    row("product beyond 64 bits", one("F32", "[4294967296,4294967296,4]", 0, 0), "as many bytes as");
    row("shape and bytes differ", one("F32", "[2,1]", 0, 16), "as many bytes as float32 [2, 1] takes, found 16");
    row("beyond the end", one("F32", "[2,4]", 0, 32), "beyond them");
    row("end before begin", one("F32", "[2,2]", 16, 0), "beyond them");
    row("overlap",
        tensorFile('{' + entryOf("a", "F32", "[2,1]", 0, 8) + ',' + entryOf("b", "F32", "[2,1]", 4, 12) + '}', kFour),
        "'b'|some of 'a'");
    row("one name twice",
        tensorFile('{' + entryOf("a", "F32", "[2,1]", 0, 8) + ',' + entryOf("a", "F32", "[2,1]", 8, 16) + '}', kFour),
        "two named 'a'");
    row("a type that is not read", one("F8_E4M3", "[4,4]", 0, 16), "a tensor [samples, dimensions]|F8_E4M3");
    row("one dimension", one("F32", "[4]", 0, 16), "'x' float32 [4]");
    row("no rows", one("F32", "[0,4]", 0, 0), "at least one row");
    row("NaN", tensorFile('{' + entryOf("x", "F32", "[1,1]", 0, 4) + '}', bytesOf<std::uint32_t>({0x7fc00000})),
        "'x'|NaN in row 0");
    row("groups of another length",
        tensorFile('{' + entryOf("x", "F32", "[2,1]", 0, 8) + ',' + entryOf("groups", "U8", "[8]", 8, 16) + '}', kFour),
        "'groups'|2 whole numbers, one for each row, found uint8 [8]");
    row("labels of another length",
        tensorFile('{' + entryOf("x", "F32", "[2,1]", 0, 8) + ',' + entryOf("labels", "U8", "[8]", 8, 16) + '}', kFour),
        "'labels'|2 whole numbers, one for each row, found uint8 [8]");
    row("header longer than the file", tensorFile("{}", {}, 1000), "expected");
}

void SafetensorsTest::refuses() {
    QFETCH(const QByteArray, file);
    QFETCH(const QString, says);
    const std::string bytes = file.toStdString();
    QVERIFY(saysAll(refusalOf([&] { readTensors(bytes); }), "gan.safetensors|" + says));
}

void SafetensorsTest::readsALargeFileWhereItLies() {
    QTemporaryDir folder;
    const std::string name = folder.filePath("large.safetensors").toStdString();
    const std::string head = entryOf("x", "F32", "[2,2]", 0, 16);
    // Padded, as the library does, so that the tensor begins at a multiple of eight.
    const std::string padded = '{' + head + '}' + std::string((8 - (head.size() + 2) % 8) % 8, ' ');
    std::ofstream(name, std::ios::binary) << tensorFile(padded, kFour);
    ReadOptions options;
    options.mapFrom = 0;
    QCOMPARE(valuesOf(*readEmbeddings(name, {}, options)), (std::vector<float>{1, 2, 3, 4}));
}

void SafetensorsTest::readsWhatTheOwnLibraryWrites() {
    QTemporaryDir folder;
    const QString name = folder.filePath("own.safetensors");
    QProcess python;
    python.start("python3", {"-c",
                             "import sys\n"
                             "try:\n import numpy, safetensors.numpy as s\nexcept ImportError:\n sys.exit(77)\n"
                             "s.save_file({'embeddings': numpy.arange(6, dtype='float16').reshape(3, 2),"
                             " 'labels': numpy.array([1, 0, 1])}, sys.argv[1], {'format': 'np'})",
                             name});
    if (!python.waitForFinished() || python.exitCode() == 77)
        QSKIP("safetensors is not installed for python3");
    QCOMPARE(python.exitCode(), 0);
    const auto set = readEmbeddings(name.toStdString());
    QCOMPARE(valuesOf(*set), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(set->labelText(0), std::string("1"));
}

ASSAY_TEST(safetensors_test, SafetensorsTest)
#include "safetensors_test.moc"
