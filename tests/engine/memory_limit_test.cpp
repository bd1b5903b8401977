// Files that need more memory than --memory-limit leaves are refused before they are unpacked, or once they pass it.
#include "engine/base/available_memory.h"
#include "engine/io/pictures/picture_files.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/hdf5_writer.h"
#include "tests/engine/support/limited_run.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QDir>
#include <QFileInfo>
#include <QtTest>

#include <functional>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kClaimed = 400 * kMiB;

/// An entry that claims to unpack to `kClaimed` bytes behind a header, which deflate could.
ZipItem claim(const std::string& name, const std::string& header) {
    ZipItem item{name, header + std::string(kClaimed / 1000, '\0'), ZipItem::Packing::Deflated};
    item.claimedSize = header.size() + kClaimed;
    return item;
}

std::string headerOf(const char* type, std::size_t items, const std::string& others = ",") {
    return npyFile(type, "(" + std::to_string(items) + others + ")", {});
}

const ZipItem kGood{"embeddings.npy", npyFile("<f4", "(4, 2)", bytesOf<float>({1, 2, 3, 5, 8, 1, 4, 4}))};

QByteArray zipOf(const std::vector<ZipItem>& items) {
    return QByteArray::fromStdString(zipFile(items));
}

/// A file of deflate's largest ratio, or of what it claims.
QByteArray gzipOf(const std::string& start, std::size_t zeros, std::size_t behind) {
    const QByteArray all = QByteArray::fromStdString(start) + QByteArray(static_cast<qsizetype>(zeros), '\0');
    return QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + qCompress(all).mid(6).chopped(4) +
           QByteArray(static_cast<qsizetype>(behind), 'x');
}

} // namespace

class MemoryLimitTest : public QObject {
    Q_OBJECT

private slots:
    void countsWhatTheProcessHolds();
    void growingDataAreRefusedInTime();
    void filesAreRefused_data();
    void filesAreRefused();
    void picturesBesideEachOtherAreReadOneByOne();
};

void MemoryLimitTest::countsWhatTheProcessHolds() {
    {
        const MemoryLimit limit(1);
        QCOMPARE(availableMemory(), std::size_t{1});
    }
    const MemoryLimit limit(1024 * kMiB);
    const std::size_t before = availableMemory();
    const std::vector<char> held(256 * kMiB, 'x');
    QVERIFY(availableMemory() + 200 * kMiB < before);
}

void MemoryLimitTest::growingDataAreRefusedInTime() {
    const MemoryLimit limit(1);
    GrowingMemory memory("table.csv");
    memory.add(15 * kMiB);
    QVERIFY(saysAll(refusalOf([&] { memory.add(kMiB); }, ErrorKind::NotEnoughMemory),
                    "table.csv: expected|limit of 1 bytes|needs more"));
}

void MemoryLimitTest::filesAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<std::function<void(const QString&)>>("make");
    const auto row = [](const char* title, const char* name, const QByteArray& bytes) {
        QTest::newRow(title) << name << std::function<void(const QString&)>([bytes](const QString& file) {
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
        });
    };
    row("npz", "a.npz", zipOf({claim("embeddings.npy", headerOf("<f4", kClaimed / 4, ", 1"))}));
    row("npz of doubles", "a.npz", zipOf({claim("embeddings.npy", headerOf("<f8", kClaimed / 8, ", 1"))}));
    row("pictures beside embeddings", "a.npz",
        zipOf({kGood, claim("images.npy", headerOf("|u1", 4, ", 104857600, 1"))}));
    row("one text of 100 MiB each", "a.npz", zipOf({kGood, claim("ids.npy", headerOf("|S104857600", 4))}));
    row("idx", "a-images-idx3-ubyte.gz",
        gzipOf(std::string("\0\0\x08\x03\0\0\x19\0\0\0\x01\0\0\0\x01\0", 16), 1000, 600'000)); // 6400 of 256 x 256
    row("few bytes for each of many pictures", "a-images-idx3-ubyte",
        QByteArray("\0\0\x08\x03\0\x10\0\0\0\0\0\x01\0\0\0\x01", 16) + QByteArray(1 << 20, 'x'));
    row("a table that grows", "a.csv", QByteArray("1,2\n3,4\n").repeated(4 << 20));
    row("safetensors, a long header", "a.safetensors", [] {
        const std::string header =
            R"({"x":{"dtype":"F32","shape":[1)" + QByteArray(",1").repeated(4 << 20).toStdString();
        return QByteArray::fromStdString(bytesOf<std::uint64_t>({header.size() + 3}) + header + "]}}");
    }());
    row("one large picture", "pictures.zip", [] {
        std::vector<ZipItem> items;
        items.push_back({"a.png", pngBytes({std::vector<std::uint8_t>(6000UL * 6000UL, 7), 6000, 6000, 1})});
        return zipOf(items);
    }());
#ifdef ASSAY_HAVE_HDF5
    QTest::newRow("hdf5") << "a.h5" << std::function<void(const QString&)>([](const QString& file) {
        const std::vector<float> zeros(40 * kMiB, 0.0F);
        H5Writer(file.toStdString()).floats("x", {40 * kMiB, 1}, zeros, {{kMiB, 1}, false, true});
    });
#endif
}

void MemoryLimitTest::filesAreRefused() {
    QFETCH(const QString, name);
    QFETCH(const std::function<void(const QString&)>, make);
    const InputFolder folder;
    const QString good = folder.write("good.npy", gaussian(30, 2, 1));
    make(folder.path(name));
    const LimitedRun run = runLimited({scoreProgram().toStdString(), "--memory-limit", "100M", "--real",
                                       folder.path(name).toStdString(), "--synthetic", good.toStdString()});
    QVERIFY2(run.exitCode == 4, QByteArray::number(run.exitCode) + ": " + run.err);
    QVERIFY2(run.err.contains(name.toUtf8()) && run.err.contains("which the limit of 100 MiB leaves, found "), run.err);
    QCOMPARE(run.err.count('\n'), 1);
    if (takesSmallSizes()) // a sanitizer's own memory
        return;
    constexpr long kMost = (100 + 64) * 1024; // with the program's own files
    QVERIFY2(run.peakKiB < kMost, QByteArray::number(static_cast<qlonglong>(run.peakKiB)) + " KiB");
}

void MemoryLimitTest::picturesBesideEachOtherAreReadOneByOne() {
    const InputFolder folder;
    const std::string picture = pngBytes({std::vector<std::uint8_t>(4000UL * 4000UL, 7), 4000, 4000, 1});
    std::vector<ZipItem> items;
    for (int i = 0; i < 12; ++i)
        items.push_back({std::to_string(i) + ".png", picture});
    folder.writeBytes("pictures.zip", zipOf(items));           // 48 MB each, decoded
    const QString limit = takesSmallSizes() ? "900M" : "120M"; // a sanitizer holds what was freed
    const Run run = score({"--memory-limit", limit, "--quick", "--real", folder.path("pictures.zip"), "--synthetic",
                           folder.path("pictures.zip")});
    QVERIFY2(run.exitCode == 0 && !run.err.contains("left out"), run.err.constData());
}

ASSAY_TEST(memory_limit_test, MemoryLimitTest)
#include "memory_limit_test.moc"
