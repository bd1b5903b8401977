#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <filesystem>
#include <limits>

using namespace assay;
using namespace assay::test;
using Packing = ZipItem::Packing;

namespace {

const std::string four = bytesOf<float>({1, 2, 3, 4});

std::string matrix() {
    return npyFile("<f4", "(2, 2)", four);
}

ZipItem entry(const std::string& key, const std::string& npy) {
    return {key + ".npy", npy};
}

std::string objects() {
    return npyFile("|O", "()", "\x80\x04K\x01.");
}

std::shared_ptr<const EmbeddingSet> read(const std::vector<ZipItem>& items, const std::string& key = {}) {
    const std::string file = zipFile(items);
    return readEmbeddingsFromMemory("dir/gan.npz", asBytes(file), key);
}

std::string wide(const std::vector<std::u32string>& texts, std::size_t width, NpyType::ByteOrder order) {
    std::vector<char32_t> units;
    for (std::u32string text : texts) {
        text.resize(width, U'\0');
        units.insert(units.end(), text.begin(), text.end());
    }
    return bytesOf(units, order);
}

} // namespace

Q_DECLARE_METATYPE(std::vector<ZipItem>)

class NpzTest : public QObject {
    Q_OBJECT

private slots:
    void readsTheOwnConvention_data();
    void readsTheOwnConvention();
    void picksTheMatrix_data();
    void picksTheMatrix();
    void offersAChoiceWhereNothingSays();
    void readsPictures_data();
    void readsPictures();
    void manyPicturesStayInTheFile();
    void readsLabelsAndIds_data();
    void readsLabelsAndIds();
    void leavesOutPickledCompanions();
    void takesListsOfTwoAxes();
    void saysWhatMadeTheEmbeddings();
    void refuses_data();
    void refuses();
    void refusesBrokenArchives_data();
    void refusesBrokenArchives();
    void refusesEveryTruncation();
};

void NpzTest::readsTheOwnConvention_data() {
    QTest::addColumn<Packing>("packing");
    QTest::addColumn<ZipItem::Sizes>("sizes");
    QTest::newRow("stored") << Packing::Stored << ZipItem::Sizes::Plain;
    QTest::newRow("deflated") << Packing::Deflated << ZipItem::Sizes::Plain;
    QTest::newRow("stored, zip64") << Packing::Stored << ZipItem::Sizes::Zip64;
    QTest::newRow("deflated, zip64") << Packing::Deflated << ZipItem::Sizes::Zip64;
}

void NpzTest::readsTheOwnConvention() {
    QFETCH(Packing, packing);
    QFETCH(ZipItem::Sizes, sizes);
    std::vector<float> values(300 * 100);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) * 0.25f;
    std::vector<std::int32_t> labels(300);
    for (int i = 0; i < 300; ++i)
        labels[static_cast<std::size_t>(i)] = 100 - i % 3;
    std::vector<ZipItem> items = {
        entry("images", npyFile("|u1", "(300, 2, 1)", std::string(600, '\x7f'))),
        entry("embeddings", npyFile("<f4", "(300, 100)", bytesOf(values))),
        entry("labels", npyFile("<i4", "(300,)", bytesOf(labels))),
    };
    for (ZipItem& item : items) {
        item.packing = packing;
        item.sizes = sizes;
    }
    const auto set = read(items);
    QCOMPARE(set->name(), std::string("gan"));
    QCOMPARE(set->source().file, std::string("dir/gan.npz"));
    QCOMPARE(set->source().key, std::string("embeddings"));
    QCOMPARE(set->source().sha256.size(), std::size_t{64});
    QCOMPARE(set->rows(), std::size_t{300});
    QCOMPARE(set->dim(), std::size_t{100});
    QVERIFY(std::equal(values.begin(), values.end(), set->matrix().data));
    QCOMPARE(set->labels().names, (std::vector<std::string>{"98", "99", "100"}));
    QCOMPARE(set->labelText(0), std::string("100"));
    QCOMPARE(set->labelText(2), std::string("98"));
    QVERIFY(set->images());
    QCOMPARE(set->images()->height(), std::size_t{2});
    QCOMPARE(set->images()->width(), std::size_t{1});
    QCOMPARE(set->images()->channels(), std::size_t{1});
    QCOMPARE(set->idText(17), std::string("17"));
}

void NpzTest::picksTheMatrix_data() {
    QTest::addColumn<std::vector<ZipItem>>("items");
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("picked");
    const ZipItem other = entry("other", npyFile("<f4", "(1, 4)", four));
    const ZipItem reps = entry("reps", npyFile("<f8", "(2, 2)", bytesOf<double>({1, 2, 3, 4})));
    const ZipItem own = entry("embeddings", matrix());
    const ZipItem hparams = entry("hparams", objects());
    const ZipItem model = entry("model", npyFile("<U6", "()", wide({U"dinov2"}, 6, NpyType::ByteOrder::Native)));
    const auto row = [](const char* name, const std::vector<ZipItem>& items, const char* key, const char* picked) {
        QTest::newRow(name) << items << std::string(key) << std::string(picked);
    };
    row("own convention before reps", {reps, other, own}, "", "embeddings");
    row("dgm-eval", {hparams, model, reps}, "", "reps");
    row("dgm-eval with a further matrix", {other, hparams, reps}, "", "reps");
    row("the lone matrix", {entry("x", npyFile("<f4", "(4,)", four)), entry("arr_0", matrix()), hparams}, "", "arr_0");
    row("integers, too", {entry("pixels", npyFile("|u1", "(2, 2)", "abcd"))}, "", "pixels");
    row("asked for", {own, other, reps}, "other", "other");
    row("without the suffix", {{"features", matrix()}}, "", "features");
    row("beside something unreadable", {{"note.txt", "hello"}, entry("z", "not an array"), own}, "", "embeddings");
}

void NpzTest::picksTheMatrix() {
    QFETCH(std::vector<ZipItem>, items);
    QFETCH(std::string, key);
    QFETCH(std::string, picked);
    QCOMPARE(read(items, key)->source().key, picked);
}

void NpzTest::offersAChoiceWhereNothingSays() {
    QTemporaryDir folder;
    const auto choices = [&](const std::string& bytes) {
        QFile file(folder.filePath("some.npz"));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            qFatal("cannot write");
        file.close();
        return candidateKeys(file.fileName().toStdString());
    };
    using Keys = std::vector<std::string>;
    const ZipItem train = entry("train", matrix());
    const ZipItem test = entry("test", matrix());
    const ZipItem labels = entry("labels", npyFile("<f4", "(4,)", four));
    QCOMPARE(choices(zipFile({train, labels, test})), (Keys{"train", "test"}));
    QCOMPARE(choices(zipFile({train, labels})), Keys());
    QCOMPARE(choices(zipFile({train, test, entry("reps", matrix())})), Keys());
    QCOMPARE(choices(matrix()), Keys());
    QCOMPARE(choices("PK\x03\x04 and nothing more"), Keys()); // reading it says what is wrong
    QCOMPARE(candidateKeys(folder.filePath("none.npz").toStdString()), Keys());
}

void NpzTest::readsPictures_data() {
    QTest::addColumn<std::string>("images");
    QTest::addColumn<int>("channels");
    const auto row = [](const char* name, const std::string& shape, int channels) {
        std::string pixels;
        for (int i = 0; i < 2 * 3 * 2 * channels; ++i)
            pixels += static_cast<char>(i);
        QTest::newRow(name) << npyFile("|u1", shape, pixels) << channels;
    };
    row("grey", "(2, 3, 2)", 1);
    row("grey with channel", "(2, 3, 2, 1)", 1);
    row("RGB", "(2, 3, 2, 3)", 3);
    row("RGBA", "(2, 3, 2, 4)", 4);
    // Channels first, as PyTorch has them: element [n, c, h, w] holds its place with channels last.
    std::string planes;
    for (int n = 0; n < 2; ++n)
        for (int c = 0; c < 3; ++c)
            for (int hw = 0; hw < 6; ++hw)
                planes += static_cast<char>((n * 6 + hw) * 3 + c);
    QTest::newRow("channels first") << npyFile("|u1", "(2, 3, 3, 2)", planes) << 3;
    // Written column by column: element [n, h, w, c] holds its place in C order.
    std::string pixels;
    for (int c = 0; c < 3; ++c)
        for (int w = 0; w < 2; ++w)
            for (int h = 0; h < 3; ++h)
                for (int n = 0; n < 2; ++n)
                    pixels += static_cast<char>(((n * 3 + h) * 2 + w) * 3 + c);
    QTest::newRow("Fortran") << npyFile("|u1", "(2, 3, 2, 3)", pixels, NpyHeader::Order::Fortran) << 3;
}

void NpzTest::readsPictures() {
    QFETCH(std::string, images);
    QFETCH(int, channels);
    const auto set = read({entry("embeddings", matrix()), entry("images", images)});
    const ImageStore* store = set->images();
    QVERIFY(store);
    QCOMPARE(store->height(), std::size_t{3});
    QCOMPARE(store->width(), std::size_t{2});
    QCOMPARE(store->channels(), static_cast<std::size_t>(channels));
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t i = 0; i < store->bytesPerImage(); ++i)
            QCOMPARE(std::size_t{store->image(row)[i]}, row * store->bytesPerImage() + i);
}

void NpzTest::manyPicturesStayInTheFile() {
    // Two pictures of 40 MiB each, a value a picture.
    constexpr std::size_t kEdge = 6476;
    constexpr std::size_t kBytes = kEdge * kEdge;
    const std::string pixels = std::string(kBytes, 'a') + std::string(kBytes, 'b');
    const std::string shape = "(2, " + std::to_string(kEdge) + ", " + std::to_string(kEdge) + ")";
    QTemporaryDir folder;
    const auto write = [&](const char* name, const std::string& bytes) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            qFatal("cannot write");
        return file.fileName().toStdString();
    };
    const std::string bytes = zipFile({entry("embeddings", matrix()), entry("images", npyFile("|u1", shape, pixels))});
    const std::string file = write("many.npz", bytes);
    const auto set = readEmbeddings(file);
    const ImageStore& store = *set->images();
    QVERIFY(!store.isInMemory());
    QCOMPARE(store.pixels(0), std::vector<std::uint8_t>(kBytes, 'a'));
    QCOMPARE(store.pixels(1), std::vector<std::uint8_t>(kBytes, 'b'));

    // Replaced by another file of its name: what was opened is still there.
    write("other.npz", "something else");
    std::filesystem::rename(folder.filePath("other.npz").toStdString(), file);
    QCOMPARE(store.pixels(1).size(), kBytes);

    // Written to in place: no longer the pictures that were audited.
    const std::string again = write("again.npz", bytes);
    const auto changed = readEmbeddings(again);
    QCOMPARE(changed->images()->pixels(1).size(), kBytes);
    write("again.npz", bytes.substr(0, bytes.size() / 2));
    QVERIFY(changed->images()->pixels(1).empty());
}

void NpzTest::readsLabelsAndIds_data() {
    QTest::addColumn<std::string>("array");
    QTest::addColumn<std::string>("first");
    QTest::addColumn<std::string>("second");
    const auto row = [](const char* name, const std::string& array, const std::string& first,
                        const std::string& second) { QTest::newRow(name) << array << first << second; };
    using Bytes = NpyType::ByteOrder;
    row("int64", npyFile("<i8", "(2,)", bytesOf<std::int64_t>({-7, 1LL << 60})), "-7", "1152921504606846976");
    row("int32, big-endian", npyFile(">i4", "(2,)", bytesOf<std::int32_t>({3, -4}, Bytes::Swapped)), "3", "-4");
    row("uint8", npyFile("|u1", "(2,)", "\x05\xff"), "5", "255");
    row("uint64", npyFile("<u8", "(2,)", bytesOf<std::uint64_t>({0, 9})), "0", "9");
    row("bool", npyFile("|b1", "(2,)", std::string("\0\1", 2)), "0", "1");
    row("bytes", npyFile("|S4", "(2,)", std::string("cat\0bird", 8)), "cat", "bird");
    row("bytes, UTF-8", npyFile("|S4", "(2,)", std::string("\xc3\xa9\xc3\xa8y\0\0\0", 8)), "\xc3\xa9\xc3\xa8", "y");
    row("bytes, not UTF-8", npyFile("|S2", "(2,)", "\xe9t\xe8s"), "\\xe9t", "\\xe8s");
    row("text", npyFile("<U5", "(2,)", wide({U"z\u00e9ro", U"\u4e94\U0001F600"}, 5, Bytes::Native)), "z\xc3\xa9ro",
        "\xe4\xba\x94\xf0\x9f\x98\x80");
    row("text, big-endian", npyFile(">U3", "(2,)", wide({U"dog", U""}, 3, Bytes::Swapped)), "dog", "");
}

void NpzTest::readsLabelsAndIds() {
    QFETCH(std::string, array);
    QFETCH(std::string, first);
    QFETCH(std::string, second);
    const auto set =
        read({entry("embeddings", matrix()), entry("labels", array), entry("groups", array), entry("ids", array)});
    QVERIFY(set->hasLabels());
    QVERIFY(set->hasGroups());
    QCOMPARE(set->groupText(0), first);
    QCOMPARE(set->groupText(1), second);
    QCOMPARE(set->labelText(0), first);
    QCOMPARE(set->labelText(1), second);
    QCOMPARE(set->idText(0), first);
    QCOMPARE(set->idText(1), second);
}

void NpzTest::leavesOutPickledCompanions() {
    const std::string pickle = npyFile("|O", "(2,)", "\x80\x04.");
    const auto set = read({entry("embeddings", matrix()), entry("labels", pickle), entry("groups", pickle),
                           entry("ids", pickle), entry("images", pickle)});
    QVERIFY(!set->hasLabels());
    QVERIFY(!set->hasGroups());
    QVERIFY(!set->images());
    QCOMPARE(set->idText(1), std::string("1"));
}

void NpzTest::takesListsOfTwoAxes() {
    for (const char* shape : {"(2, 1)", "(1, 2)"}) {
        const std::string list = npyFile("<i4", shape, bytesOf<std::int32_t>({7, 9}));
        const auto set =
            read({entry("embeddings", matrix()), entry("labels", list), entry("groups", list), entry("ids", list)});
        QCOMPARE(set->groupText(1), std::string("9"));
        QCOMPARE(set->labelText(1), std::string("9"));
        QCOMPARE(set->idText(0), std::string("7"));
    }
}

void NpzTest::saysWhatMadeTheEmbeddings() {
    const auto text = [](const std::string& key, const std::u32string& value) {
        const std::string type = "<U" + std::to_string(value.size());
        return entry(key, npyFile(type, "()", wide({value}, value.size(), NpyType::ByteOrder::Native)));
    };
    std::vector<ZipItem> items{entry("embeddings", npyFile("<f4", "(2, 2)", four)), text("model", U"dinov2-vitl14"),
                               text("weights", U"timm, sha256 12"), text("preprocessing", U"224 x 224"),
                               text("notes", U"set: 1 file left out")};
    const std::vector<std::string> expected{"dir/gan.npz: embedded by dinov2-vitl14 (timm, sha256 12), 224 x 224",
                                            "set: 1 file left out"};
    QCOMPARE(read(items)->source().notes, expected);
    items[4] = entry("notes", "damaged");
    QCOMPARE(read(items)->source().notes, std::vector<std::string>{expected.front()});
    items[3] = entry("preprocessing", npyFile("<U9", "()", "short"));
    QVERIFY(read(items)->source().notes.empty());
    items.erase(items.begin() + 1); // someone else's
    QVERIFY(read(items)->source().notes.empty());
}

void NpzTest::refuses_data() {
    QTest::addColumn<std::vector<ZipItem>>("items");
    QTest::addColumn<std::string>("key");
    QTest::addColumn<QString>("says");
    const ZipItem own = entry("embeddings", matrix());
    const auto row = [](const char* name, const std::vector<ZipItem>& items, const QString& says,
                        const std::string& key = {}) {
        QTest::newRow(name) << items << key << "dir/gan.npz|expected|found|" + says;
    };
    const auto with = [&](const char* name, const char* key, const std::string& array, const QString& says) {
        row(name, {own, entry(key, array)}, "'" + QString(key) + "'|" + says);
    };
    row("several matrices",
        {entry("train", matrix()), entry("test", matrix()), entry("x", npyFile("<f4", "(4,)", four))},
        "2: train float32 [2, 2]; test float32 [2, 2]|':key'|gan.npz:train");
    row("no matrix", {entry("mu", npyFile("<f4", "(4,)", four)), entry("hparams", objects())},
        "mu float32 [4]; hparams (Python objects, skipped)");
    row("nothing at all", {}, "no entries");
    row("missing key", {own}, "an array 'other'|embeddings float32 [2, 2]", "other");
    row("1-D embeddings", {entry("embeddings", npyFile("<f4", "(4,)", four)), entry("x", matrix())},
        "'embeddings'|2-D|float32 [4]");
    row("pickled embeddings", {entry("embeddings", objects()), entry("x", matrix())}, "'embeddings'|never loaded");
    row("pickled reps", {entry("reps", objects())}, "'reps'|never loaded");
    row("pickled key", {own, entry("hparams", objects())}, "'hparams'|never loaded", "hparams");
    row("empty embeddings", {entry("embeddings", npyFile("<f4", "(0, 2)", ""))}, "at least one row");
    row("not finite",
        {entry("embeddings", npyFile("<f4", "(1, 2)", bytesOf<float>({1, std::numeric_limits<float>::infinity()})))},
        "'embeddings'|an infinite value in row 0, column 1");
    row("guided-diffusion, classes one-hot",
        {entry("arr_0", npyFile("|u1", "(2, 2, 2, 1)", "abcdefgh")),
         entry("arr_1", npyFile("<i8", "(2, 2)", std::string(32, '\0')))},
        "'arr_1'|one 1 in every row of one-hot labels|a row with 0 of them (row 0)");
    row("one picture of two classes",
        {entry("arr_0", npyFile("|u1", "(1, 2, 2, 1)", "abcd")),
         entry("arr_1", npyFile("<i8", "(1, 2)", std::string(16, '\0')))},
        "'arr_1'|1 entries, one for each row of 'arr_0'|int64 [1, 2]");
    row("Frechet statistics", {entry("mu", npyFile("<f4", "(2,)", four.substr(8))), entry("sigma", matrix())},
        "'sigma' float32 [2, 2], which looks like a covariance|that it was computed from");
    row("key twice", {own, own}, "each key once|'embeddings' more than once");
    row("key with and without suffix", {own, {"embeddings", matrix()}}, "'embeddings' more than once");
    with("labels differ in number", "labels", npyFile("<i4", "(3,)", std::string(12, '\0')),
         "2 entries, one for each row of 'embeddings'|3 (int32 [3])");
    with("ids differ in number", "ids", npyFile("|S1", "(1,)", "a"), "2 entries|1 (text (|S1) [1])");
    with("images differ in number", "images", npyFile("|u1", "(3, 1, 1)", "abc"), "2 entries|3 (uint8 [3, 1, 1])");
    with("labels as fractions", "labels", npyFile("<f4", "(2,)", bytesOf<float>({1, 0.5F})),
         "whole numbers or text|0.5");
    with("labels as a single value", "labels", npyFile("<i4", "()", std::string(4, '\0')), "1-D|int32 []");
    with("labels as one-hot", "labels", npyFile("<i4", "(2, 2)", std::string(16, '\0')),
         "one 1 in every row|0 of them (row 0)");
    with("groups differ in number", "groups", npyFile("<i4", "(3,)", std::string(12, '\0')),
         "'groups'|2 entries, one for each row of 'embeddings'|3 (int32 [3])");
    with("groups as fractions", "groups", npyFile("<f4", "(2,)", bytesOf<float>({1, 0.5F})),
         "groups as whole numbers or text|0.5");
    with("groups as one-hot", "groups", npyFile("<i4", "(2, 2)", std::string(16, '\0')),
         "groups as a 1-D array of whole numbers or text|int32 [2, 2]");
    with("labels beyond int64", "labels", npyFile("<u8", "(2,)", bytesOf<std::uint64_t>({1, 1ull << 63})),
         "9223372036854775808 in row 1");
    with("text of no length", "ids", npyFile("<U0", "(2,)", ""), "text (<U0)");
    with("impossible code point", "ids", npyFile("<U1", "(2,)", bytesOf<std::uint32_t>({65, 0x110000})),
         "invalid code point 1114112 in row 1");
    with("surrogate", "ids", npyFile("<U1", "(2,)", bytesOf<std::uint32_t>({0xD800, 65})), "code point 55296 in row 0");
    with("images as floats", "images", npyFile("<f4", "(2, 1, 1)", four.substr(8)), "uint8|float32 [2, 1, 1]");
    with("images with two channels", "images", npyFile("|u1", "(2, 2, 2, 2)", "abcdefghijklmnop"),
         "1, 3 or 4|uint8 [2, 2, 2, 2]");
    with("images flattened", "images", npyFile("|u1", "(2, 2)", "abcd"), "height|uint8 [2, 2]");
    with("images of no size", "images", npyFile("|u1", "(2, 0, 5)", ""), "height|uint8 [2, 0, 5]");
    with("broken labels", "labels", "nonsense", "a NumPy array|other data");
    with("truncated labels", "labels", npyFile("<i4", "(2,)", "abcd"), "8 bytes for int32 [2]|4 bytes");
}

void NpzTest::refuses() {
    QFETCH(std::vector<ZipItem>, items);
    QFETCH(std::string, key);
    QFETCH(QString, says);
    static const QList<QByteArray> kOnlyPictures{"images as floats", "images with two channels", "images flattened",
                                                 "images of no size"};
    if (!kOnlyPictures.contains(QByteArray(QTest::currentDataTag()))) {
        QVERIFY(saysAll(refusalOf([&] { read(items, key); }), says));
        return;
    }
    // Pictures that cannot be shown cost the pictures, not the embeddings.
    const auto set = read(items, key);
    QVERIFY(!set->images());
    QVERIFY(saysAll(QString::fromStdString(set->source().notes.at(0)), says + "|opened without pictures"));
}

void NpzTest::refusesBrokenArchives_data() {
    QTest::addColumn<std::vector<ZipItem>>("items");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, ZipItem item, const QString& says) {
        QTest::newRow(name) << std::vector<ZipItem>{std::move(item)} << says;
    };
    const std::string npy = matrix();
    const std::string huge = npyFile("<f4", "(1000000000, 1000)", four);
    ZipItem item = entry("embeddings", npy);
    item.crc = 1;
    row("wrong checksum, stored", item, "'embeddings'|checksum");
    item.packing = Packing::Deflated;
    row("wrong checksum, deflated", item, "'embeddings'|checksum");

    item = entry("embeddings", npy);
    item.flags = 1;
    row("encrypted", item, "'embeddings'|without a password|encrypted");
    item = entry("embeddings", npy);
    item.method = 12;
    row("bzip2", item, "'embeddings'|stored or deflated|method 12");
    item = entry("embeddings", npy);
    item.method = 8;
    row("not really deflated", item, "'embeddings'|damaged");

    item = entry("embeddings", huge);
    item.sizes = ZipItem::Sizes::Zip64;
    item.claimedSize = huge.size() - 16 + 4'000'000'000'000;
    row("stored size that lies", item, "'embeddings'|as stored|a claim of 40000000000");
    item.claimedPackedSize = item.claimedSize;
    row("stored sizes beyond the file", item, "'embeddings'|within the file's");
    item.claimedPackedSize.reset();
    item.packing = Packing::Deflated;
    row("deflated size beyond the possible", item, "'embeddings'|deflated ones|a claim of 40000000000");

    // A claim that the packed bytes could just hold: only reading shows that they do not.
    const std::string larger = npyFile("<f4", "(1000, 10)", four);
    item = entry("embeddings", larger);
    item.packing = Packing::Deflated;
    item.claimedSize = larger.size() - 16 + 40000;
    row("deflated size that lies upwards", item, "'embeddings'");
    item = entry("embeddings", npy + std::string(1000, 'x'));
    item.packing = Packing::Deflated;
    item.claimedSize = npy.size();
    row("deflated size that lies downwards", item, "'embeddings'");
}

void NpzTest::refusesBrokenArchives() {
    QFETCH(std::vector<ZipItem>, items);
    QFETCH(QString, says);
    QVERIFY(saysAll(refusalOf([&] { read(items); }), "dir/gan.npz|expected|found|" + says));
    // The same entry does no harm beside a sound one under another key.
    std::vector<ZipItem> beside = items;
    beside.front().name = "junk.npy";
    beside.push_back(entry("embeddings", matrix()));
    QCOMPARE(read(beside)->rows(), std::size_t{2});
}

void NpzTest::refusesEveryTruncation() {
    ZipItem first = entry("embeddings", matrix());
    first.packing = Packing::Deflated;
    const std::string whole = zipFile({first, entry("labels", npyFile("<i4", "(2,)", std::string(8, '\0')))});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string cut = whole.substr(0, length);
        QVERIFY2(
            saysAll(refusalOf([&] { readEmbeddingsFromMemory("gan.npz", asBytes(cut)); }), "gan.npz|expected|found"),
            qPrintable(QString::number(length)));
    }
    // Bytes lost in the middle: the directory is there but everything behind the gap has moved.
    for (std::size_t at = 40; at + 60 < whole.size(); at += 7) {
        std::string gap = whole;
        gap.erase(at, 10);
        QVERIFY2(
            saysAll(refusalOf([&] { readEmbeddingsFromMemory("gan.npz", asBytes(gap)); }), "gan.npz|expected|found"),
            qPrintable(QString::number(at)));
    }
}

ASSAY_TEST(npz_test, NpzTest)
#include "npz_test.moc"
