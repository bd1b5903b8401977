// Files that hold pictures and no embeddings: IDX, CIFAR's batches, guided-diffusion's samples, zip archives. All take
// the built-in embedding, keep their classes, and show their pictures from the file.
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/pickle_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace assay;
using namespace assay::test;

namespace {

std::string bigEndian(const std::vector<std::uint32_t>& values) {
    return bytesOf<std::uint32_t>(values, NpyType::ByteOrder::Swapped);
}

/// Three pictures of 2 x 2 pixels.
const std::string kIdxPixels("\x00\x33\x66\x99\xff\xff\xff\xff\x01\x02\x03\x04", 12);
const std::string kIdx = std::string("\0\0\x08\x03", 4) + bigEndian({3, 2, 2}) + kIdxPixels;
const std::string kIdxLabels = std::string("\0\0\x08\x01", 4) + bigEndian({3}) + "\x07\x02\x07";

/// One colour all over, in planes.
std::string cifarPicture(char red, char green, char blue) {
    return std::string(1024, red) + std::string(1024, green) + std::string(1024, blue);
}

std::string pngOf(std::uint8_t grey, std::size_t side = 4) {
    return pngBytes({std::vector<std::uint8_t>(side * side, grey), side, side, 1});
}

std::vector<std::uint8_t> plain(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 1024; ++i)
        pixels.insert(pixels.end(), {red, green, blue});
    return pixels;
}

/// Packed by the system's own gzip; empty where there is none.
std::string gzip(const std::string& bytes) {
    QProcess process;
    process.start("gzip", {"-c"});
    process.write(bytes.data(), static_cast<qint64>(bytes.size()));
    process.closeWriteChannel();
    return process.waitForFinished() ? process.readAllStandardOutput().toStdString() : std::string();
}

/// As pixels-16x16, before the cosine transform.
std::shared_ptr<const EmbeddingSet> readPixels(const std::string& file) {
    ReadOptions options;
    options.preparation = std::make_shared<const ValuePreparation>();
    return readEmbeddings(file, {}, options);
}

} // namespace

class PictureArraysTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readsIdxWithItsLabels();
    void readsIdxInGzip();
    void refusesIdx_data();
    void refusesIdx();
    void readsCifarBatches_data();
    void readsCifarBatches();
    void readsCifarForPython_data();
    void readsCifarForPython();
    void readsCifarThatPython3WroteAgain();
    void leavesOtherBinariesAlone();
    void refusesCifar_data();
    void refusesCifar();
    void readsSamplesOfGuidedDiffusion();
    void readsAnArchiveOfPictures();
    void readsClassesOfStyleGan_data();
    void readsClassesOfStyleGan();
    void refusesArchives_data();
    void refusesArchives();

private:
    std::string write(const QString& name, const std::string& bytes) const {
        const std::string path = folder_->filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    static void isBuiltIn(const EmbeddingSet& set) {
        QCOMPARE(set.dim(), std::size_t{768});
        QVERIFY(set.source().notes.at(0).find("pixels-16x16") != std::string::npos);
        QVERIFY(set.images() != nullptr);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void PictureArraysTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void PictureArraysTest::readsIdxWithItsLabels() {
    const std::string file = write("train-images-idx3-ubyte", kIdx);
    QVERIFY(!readEmbeddings(file)->hasLabels());
    write("train-labels-idx1-ubyte", kIdxLabels);
    const auto set = readPixels(file);
    isBuiltIn(*set);
    QCOMPARE(set->rows(), std::size_t{3});
    QCOMPARE(set->labelText(0), std::string("7"));
    QCOMPARE(set->labelText(1), std::string("2"));
    QVERIFY(set->source().notes.at(1).find("train-labels-idx1-ubyte") != std::string::npos);
    QVERIFY(!set->images()->isInMemory());
    QCOMPARE(set->images()->channels(), std::size_t{1});
    QCOMPARE(set->images()->pixels(2), (std::vector<std::uint8_t>{1, 2, 3, 4}));
    // Fields of the upper left quarter have the first pixel's grey, those of the lower right one the last's.
    QCOMPARE(set->matrix().row(0)[0], 0.0F);
    QCOMPARE(set->matrix().row(0)[767], 0x99 / 255.0F);
    QCOMPARE(set->matrix().row(1)[300], 1.0F);
}

void PictureArraysTest::readsIdxInGzip() {
    const std::string packed = gzip(kIdx);
    if (packed.empty())
        QSKIP("gzip is not installed");
    const std::string file = write("t10k-images-idx3-ubyte.gz", packed);
    write("t10k-labels-idx1-ubyte.gz", gzip(kIdxLabels));
    const auto set = readPixels(file);
    isBuiltIn(*set);
    QCOMPARE(set->labelText(2), std::string("7"));
    QVERIFY(set->images()->isInMemory());
    QCOMPARE(set->images()->pixels(2), (std::vector<std::uint8_t>{1, 2, 3, 4}));
    const auto problem = [&](const std::string& bytes) {
        return refusalOf([&] { readEmbeddingsFromMemory("x-images-idx3-ubyte.gz", asBytes(bytes)); });
    };
    QVERIFY(saysAll(problem(packed.substr(0, packed.size() - 9)), "x-images-idx3-ubyte.gz|truncated"));
    QVERIFY(saysAll(problem(gzip(kIdx + "x")), "the end of the data"));
    QVERIFY(saysAll(problem(packed + packed), "the end of the data"));
    QVERIFY(saysAll(problem(gzip(std::string("\0\0\x08\x03", 4) + bigEndian({0xffffffff, 0xffffffff, 4}) + "x")),
                    "as many bytes as"));
}

void PictureArraysTest::refusesIdx_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("labels");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::string& file, const std::string& labels, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(file) << QByteArray::fromStdString(labels) << says;
    };
    const auto header = [](char type, char axes) { return std::string("\0\0", 2) + type + axes; };
    row("truncated", kIdx.substr(0, 20), {}, "x-images-idx3-ubyte|truncated");
    row("header cut off", kIdx.substr(0, 9), {}, "truncated");
    row("more than it says", kIdx + "x", {}, "12 bytes for unsigned bytes [3, 2, 2], found 13");
    row("2^96 pixels", header(8, 3) + bigEndian({0xffffffff, 0xffffffff, 0xffffffff}) + "x", {}, "truncated");
    row("no pictures", header(8, 3) + bigEndian({0, 2, 2}), {}, "at least one picture");
    row("labels", kIdxLabels, {}, "open the file of the pictures");
    row("floats", header(0x0d, 3) + bigEndian({1, 1, 1, 0}), {}, "unsigned bytes [N, height, width]");
    row("too few labels", kIdx, header(8, 1) + bigEndian({2}) + "ab",
        "x-labels-idx1-ubyte|3 labels|one for each picture, found unsigned bytes [2]");
    row("labels of another kind", kIdx, "text", "x-labels-idx1-ubyte|an IDX file");
}

void PictureArraysTest::refusesIdx() {
    QFETCH(const QByteArray, file);
    QFETCH(const QByteArray, labels);
    QFETCH(const QString, says);
    const std::string name = write("x-images-idx3-ubyte", file.toStdString());
    if (!labels.isEmpty())
        write("x-labels-idx1-ubyte", labels.toStdString());
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(name); }), says));
}

void PictureArraysTest::readsCifarBatches_data() {
    QTest::addColumn<std::string>("label");
    QTest::addColumn<std::string>("other");
    QTest::newRow("CIFAR-10") << std::string("\x09") << std::string("\x03");
    QTest::newRow("CIFAR-100") << std::string("\x13\x09") << std::string("\x05\x03");
}

void PictureArraysTest::readsCifarBatches() {
    QFETCH(const std::string, label);
    QFETCH(const std::string, other);
    const std::string bytes = label + cifarPicture('\xff', 0, '\x33') + other + cifarPicture(1, 2, 3);
    const auto set = readPixels(write("samples.bin", bytes));
    isBuiltIn(*set);
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->labelText(0), std::string("9"));
    QCOMPARE(set->labelText(1), std::string("3"));
    QVERIFY(!set->images()->isInMemory());
    QCOMPARE(set->images()->pixels(1), plain(1, 2, 3));
    QCOMPARE(set->matrix().row(0)[3], 1.0F);
    QCOMPARE(set->matrix().row(0)[5], 0.2F);
    QCOMPARE(readEmbeddingsFromMemory("a.bin", asBytes(bytes))->images()->pixels(1), plain(1, 2, 3));
}

void PictureArraysTest::readsCifarForPython_data() {
    QTest::addColumn<std::string>("labelKey");
    QTest::newRow("CIFAR-10") << std::string("labels");
    QTest::newRow("CIFAR-100") << std::string("fine_labels");
}

void PictureArraysTest::readsCifarForPython() {
    QFETCH(const std::string, labelKey);
    const std::string pixels = cifarPicture('\xff', 0, 0) + cifarPicture(1, 2, 3);
    const std::string pickle = "\x80\x02" +
                               pickleDict({{"batch_label", pickleText("testing batch 1 of 1")},
                                           {labelKey, pickleList({"K\x06", "K\x09"})},
                                           {"data", pickledArray("u1", {2, 3072}, pixels)},
                                           {"filenames", pickleList({pickleText("a.png"), pickleText("b.png")})}}) +
                               ".";
    const auto set = readPixels(write("data_batch_1", pickle));
    isBuiltIn(*set);
    QCOMPARE(set->labelText(1), std::string("9"));
    QCOMPARE(set->idText(1), std::string("b.png"));
    QVERIFY(!set->images()->isInMemory());
    QCOMPARE(set->images()->pixels(1), plain(1, 2, 3));
    QCOMPARE(readEmbeddingsFromMemory("x", asBytes(pickle))->images()->pixels(1), plain(1, 2, 3));
}

void PictureArraysTest::readsCifarThatPython3WroteAgain() {
    const std::string pixels = cifarPicture('\xff', 0, 0) + cifarPicture(1, 2, 3);
    const std::string labels = pickleList({"K\x06", "K\x09"});
    const std::string third = "\x80\x02}(" + test::pickleEncoded("labels") + labels + test::pickleEncoded("data") +
                              pickledArray("u1", {2, 3072}, pixels) + "u.";
    const std::string fifth =
        "\x80\x05" + pickleDict({{"labels", labels}, {"data", test::pickledArray5("u1", {2, 3072}, pixels)}}) + ".";
    for (const std::string& pickle : {third, fifth}) {
        const auto set = readEmbeddingsFromMemory("x", asBytes(pickle));
        QCOMPARE(set->labelText(1), std::string("9"));
        QCOMPARE(set->images()->pixels(1), plain(1, 2, 3));
    }
}

void PictureArraysTest::leavesOtherBinariesAlone() {
    const std::string random = std::string(1, '\x0b') + cifarPicture(1, 2, 3);
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(write("weights.bin", random)); }),
                    "of an unknown kind, which begin with 0b"));
    const std::string records = std::string(1, '\x01') + cifarPicture(1, 2, 3);
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(write("records", records)); }),
                    "of an unknown kind, which begin with 01"));
}

void PictureArraysTest::refusesCifar_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const char* name, const std::string& file, const char* says) {
        QTest::newRow(title) << name << QByteArray::fromStdString(file) << says;
    };
    const std::string record = std::string(1, '\x01') + cifarPicture(1, 2, 3);
    std::string many;
    for (int i = 0; i < 65; ++i)
        many += record;
    row("truncated", "data_batch_1.bin", record.substr(0, 3000), "3073 bytes (CIFAR-10)|3000 bytes");
    row("a label of 10", "test_batch.bin", "\x0a" + cifarPicture(1, 2, 3), "begin with labels");
    row("a bad label late", "samples.bin", many + "\xff" + cifarPicture(1, 2, 3), "record 65");
    const auto batch = [](const std::string& opcodes) { return "\x80\x02" + opcodes + "."; };
    row("names of classes", "batches.meta", batch(pickleDict({{"label_names", pickleList({pickleText("cat")})}})),
        "a batch of CIFAR|a dictionary of 1|numpy.save");
    row("a pickled list", "x.pkl", batch(pickleList({"K\x01"})), "a list of 1");
    row("another shape", "x", batch(pickleDict({{"data", pickledArray("u1", {1, 4}, "abcd")}})), "'data'|uint8 [1, 4]");
    row("bytes and shape differ", "x", batch(pickleDict({{"data", pickledArray("u1", {9, 3072}, "abcd")}})),
        "'data'|truncated");
    row("Python objects", "x", batch(pickleDict({{"data", pickledArray("O8", {1}, "abcd")}})), "object");
    row("labels of another length", "x",
        batch(pickleDict({{"labels", pickleList({"K\x01"})},
                          {"data", pickledArray("u1", {2, 3072}, cifarPicture(1, 2, 3) + cifarPicture(1, 2, 3))}})),
        "'labels'|2 whole numbers, one for each picture, found a list of 1");
    row("a call of the system", "x.pkl", batch("cos\nsystem\n" + pickleText("true") + "\x85R"),
        "'os.system'|never run");
}

void PictureArraysTest::refusesCifar() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, file);
    QFETCH(const QString, says);
    const std::string path = write(name, file.toStdString());
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path); }), name + "|" + says));
}

void PictureArraysTest::readsSamplesOfGuidedDiffusion() {
    const std::string pixels = std::string(12, '\x33') + std::string(12, '\xff');
    const std::string samples = npyFile("|u1", "(2, 2, 2, 3)", pixels);
    const auto set = readPixels(
        write("samples.npz",
              zipFile({{"arr_0.npy", samples}, {"arr_1.npy", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({8, 1}))}})));
    isBuiltIn(*set);
    QCOMPARE(set->source().key, std::string("arr_0"));
    QCOMPARE(set->labelText(0), std::string("8"));
    QCOMPARE(set->images()->pixels(0), std::vector<std::uint8_t>(12, 0x33));
    QCOMPARE(set->matrix().row(0)[5], 0.2F);
    const auto images =
        readPixels(write("images.npz", zipFile({{"images.npy", npyFile("|u1", "(2, 3, 4)", pixels)},
                                                {"ids.npy", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({8, 1}))}})));
    isBuiltIn(*images);
    QCOMPARE(images->idText(1), std::string("1"));
    QCOMPARE(images->images()->width(), std::size_t{4});
    // A matrix beside the pictures is what the scores are of.
    const auto both = readPixels(
        write("both.npz",
              zipFile({{"arr_0.npy", samples}, {"arr_1.npy", npyFile("<f4", "(2, 1)", bytesOf<float>({8, 1}))}})));
    QCOMPARE(both->dim(), std::size_t{1});
    const auto refusal = [&](const std::vector<ZipItem>& items) {
        const std::string file = zipFile(items);
        return refusalOf([&] { readEmbeddingsFromMemory("s.npz", asBytes(file)); });
    };
    QVERIFY(
        saysAll(refusal({{"arr_0.npy", samples}, {"arr_1.npy", npyFile("<i8", "(1,)", bytesOf<std::int64_t>({8}))}}),
                "'arr_1'|2 entries, one for each row of 'arr_0', found 1"));
    QVERIFY(saysAll(refusal({{"arr_0.npy", npyFile("|u1", "(2, 2, 3, 2)", pixels)}}), "'arr_0'|1, 3 or 4 channels"));
    QVERIFY(saysAll(refusal({{"arr_0.npy", npyFile("|u1", "(3, 2, 2, 3)", pixels)}}), "'arr_0'|truncated"));
}

void PictureArraysTest::readsAnArchiveOfPictures() {
    const auto set = readPixels(write("pictures.zip", zipFile({{"dog/2.png", pngOf(51), ZipItem::Packing::Deflated},
                                                               {"cat/1.png", pngOf(255)},
                                                               {"__MACOSX/cat/._1.png", "x"},
                                                               {"cat/0.png", "no picture"},
                                                               {"notes.txt", "x"}})));
    isBuiltIn(*set);
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->idText(0), std::string("cat/1.png"));
    QCOMPARE(set->labelText(1), std::string("dog"));
    QVERIFY(!set->images()->isInMemory());
    QCOMPARE(set->images()->pixels(1), std::vector<std::uint8_t>(48, 51));
    QCOMPARE(set->matrix().row(1)[7], 0.2F);
    QVERIFY(set->source().notes.at(1).find("'cat/0.png' (expected a PNG") != std::string::npos);
    QVERIFY(set->source().notes.at(2).find("'notes.txt'") != std::string::npos);
    QCOMPARE(set->source().sha256.size(), std::size_t{64});
}

void PictureArraysTest::readsClassesOfStyleGan_data() {
    QTest::addColumn<std::string>("json");
    QTest::addColumn<QStringList>("classes");
    QTest::newRow("all") << std::string(R"({"labels": [["00/1.png", 12], ["00/0.png", 3]]})") << QStringList{"3", "12"};
    QTest::newRow("null") << std::string(R"({"labels": null})") << QStringList{"", ""};
    QTest::newRow("classes of null") << std::string(R"({"labels": [["00/0.png", null], ["00/1.png", null]]})")
                                     << QStringList{"", ""};
    QTest::newRow("one of null") << std::string(R"({"labels": [["00/0.png", null], ["00/1.png", 4]]})")
                                 << QStringList{"none", "4"};
    QTest::newRow("vectors") << std::string(R"({"labels": [["00/0.png", [0.5, 1]], ["00/1.png", [1, 2]]]})")
                             << QStringList{"", ""};
    QTest::newRow("other names") << std::string(R"({"labels": [["0.png", 3], ["1.png", 4]]})") << QStringList{"", ""};
    QTest::newRow("another key") << std::string(R"({"other": [["00/0.png", 1]], "labels": null})")
                                 << QStringList{"", ""};
}

void PictureArraysTest::readsClassesOfStyleGan() {
    QFETCH(const std::string, json);
    QFETCH(const QStringList, classes);
    const std::string file = zipFile({{"dataset.json", json}, {"00/0.png", pngOf(51)}, {"00/1.png", pngOf(255)}});
    const auto set = readEmbeddingsFromMemory("ffhq.zip", asBytes(file));
    for (std::size_t i = 0; i < 2; ++i)
        QCOMPARE(QString::fromStdString(set->labelText(i)), classes[static_cast<qsizetype>(i)]);
    const bool said = std::ranges::any_of(set->source().notes, [](const std::string& note) {
        return note.find("classes left out, as none of its names is that of a picture: '0.png'") != note.npos;
    });
    QCOMPARE(said, QByteArray(QTest::currentDataTag()) == "other names");
}

void PictureArraysTest::refusesArchives_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::vector<ZipItem>& items, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(zipFile(items)) << says;
    };
    row("none to be decoded", {{"a.png", "x"}}, "found 1 file not to be decoded: 'a.png'");
    row("one twice", {{"a.png", pngOf(1)}, {"a.png", pngOf(2)}}, "'a.png' more than once");
    row("labels damaged", {{"a.png", pngOf(1)}, {"dataset.json", "{\"labels\": [["}}, "'dataset.json'|damaged");
    row("two classes of a picture",
        {{"a.png", pngOf(1)}, {"dataset.json", R"({"labels": [["a.png", 3], ["a.png", 3], ["a.png", 5]]})"}},
        "'dataset.json': expected one class for each picture, found 'a.png' with 3 and 5");
    row("labels in each other", {{"a.png", pngOf(1)}, {"dataset.json", std::string(100'000, '[')}},
        "'dataset.json'|damaged");
    ZipItem claims{"a.png", pngOf(1), ZipItem::Packing::Deflated};
    claims.claimedSize = 1U << 30;
    row("a claim of a GiB", {claims}, "'a.png' (its entry: expected at most");
    ZipItem locked{"a.png", pngOf(1)};
    locked.flags = 1;
    row("a password", {locked}, "without a password");
    ZipItem changed{"a.png", pngOf(1)};
    changed.crc = 7;
    row("a wrong checksum", {changed}, "CRC");
}

void PictureArraysTest::refusesArchives() {
    QFETCH(const QByteArray, file);
    QFETCH(const QString, says);
    const std::string bytes = file.toStdString();
    QVERIFY(saysAll(refusalOf([&] { readEmbeddingsFromMemory("x.zip", asBytes(bytes)); }), "x.zip|" + says));
}

ASSAY_TEST(picture_arrays_test, PictureArraysTest)
#include "picture_arrays_test.moc"
