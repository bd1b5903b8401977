#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/support/test_entry.h"

#include "engine/base/error.h"

#include <QtTest>

#include <random>

using namespace assay;
using namespace assay::test;

namespace {

/// Bytes that mean something to the formats, and so get further than random ones.
const std::vector<std::string> tokens = {"\xff\xff\xff\xff",
                                         std::string(4, '\0'),
                                         "PK\x01\x02",
                                         "PK\x03\x04",
                                         "'<f8'",
                                         "'|O'",
                                         "'<U9'",
                                         "(9999999999,)",
                                         "True",
                                         "}",
                                         "(",
                                         "\x93NUMPY",
                                         "\x7f"};

std::string mutated(std::string bytes, std::mt19937_64& random) {
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
        case 0:
            bytes[at] = static_cast<char>(random());
            break;
        case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 2:
            bytes.erase(at, 1 + below(8));
            break;
        case 3:
            bytes.insert(at, tokens[below(tokens.size())]);
            break;
        case 4: {
            const std::string& token = tokens[below(tokens.size())];
            bytes.replace(at, token.size(), token);
            break;
        }
        default:
            bytes.resize(at);
        }
    }
    return bytes;
}

std::string packedArchive() {
    QTemporaryDir folder;
    const std::string name = folder.filePath("x.npz").toStdString();
    const std::vector<float> values(60, 1.5f);
    const std::vector<std::int32_t> labels = {1, 2, 3};
    const std::vector<NpzItem> items = {{"embeddings", npyView<float>(values, {3, 20})},
                                        {"labels", npyView<std::int32_t>(labels, {3})}};
    writeNpz(name, items, NpzPacking::Deflated);
    QFile file(QString::fromStdString(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class HostileFilesTest : public QObject {
    Q_OBJECT

private slots:
    void mutationsOnlyEverThrowErrors_data();
    void mutationsOnlyEverThrowErrors();
};

void HostileFilesTest::mutationsOnlyEverThrowErrors_data() {
    QTest::addColumn<std::string>("file");
    const std::string eight = bytesOf<float>({1, 2, 3, 4, 5, 6, 7, 8});
    const std::string npy = npyFile("<f4", "(4, 2)", eight);
    const std::vector<ZipItem> stored = {
        {"embeddings.npy", npy},
        {"images.npy", npyFile("|u1", "(4, 1, 2, 3)", std::string(24, 'p'))},
        {"labels.npy", npyFile("<i8", "(4,)", eight)},
        {"ids.npy", npyFile("<U2", "(4,)", bytesOf<char32_t>({65, 66, 0, 0, 67, 0, 68, 0}))}};
    std::vector<ZipItem> wide = stored;
    for (ZipItem& item : wide)
        item.sizes = ZipItem::Sizes::Zip64;
    std::vector<ZipItem> packed = stored;
    for (ZipItem& item : packed)
        item.packing = ZipItem::Packing::Deflated;
    QTest::newRow("npy") << npy;
    QTest::newRow("npy, Fortran, float16") << npyFile(">f2", "(4, 4)", eight, NpyHeader::Order::Fortran, 3);
    QTest::newRow("npz, stored") << zipFile(stored);
    QTest::newRow("npz, zip64") << zipFile(wide);
    QTest::newRow("npz, stored blocks") << zipFile(packed);
    QTest::newRow("npz, deflated") << packedArchive();
}

void HostileFilesTest::mutationsOnlyEverThrowErrors() {
    QFETCH(std::string, file);
    constexpr std::uint64_t seed = 20260101;
    std::mt19937_64 random(seed);
    QVERIFY(readEmbeddingsFromMemory("x", asBytes(file))->rows() > 0);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::string bytes = mutated(file, random);
        try {
            readEmbeddingsFromMemory("x", asBytes(bytes));
        } catch (const Error& error) {
            ++refused;
            QVERIFY2(std::string_view(error.what()).starts_with("x:"), error.what());
        } catch (const std::exception& other) {
            QFAIL(qPrintable(QString("seed %1, mutation %2: %3").arg(seed).arg(i).arg(other.what())));
        }
    }
    QVERIFY(refused > 1000); // else the mutations miss their aim
}

ASSAY_TEST(hostile_files_test, HostileFilesTest)
#include "hostile_files_test.moc"
