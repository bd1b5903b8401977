// CMYK in JPEG, TIFF of 1 to 16 bits and GIF are decoded to the colours that other programs show.
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/picture_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <cmath>

using namespace assay;
using namespace assay::test;

namespace {

// 8 x 8 pixels of cyan 55, magenta 215, yellow 165, black 51 of 255, both with an Adobe marker and inverted: by Pillow,
// and as YCCK by libjpeg-turbo.
const char* const kCmykJpeg =
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFB"
    "gSFBUU/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQEC"
    "AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dX"
    "Z3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4E"
    "QwBNAFkASwAAPwD7Ar4Urxqvsuv/2Q==";
const char* const kYcckJpeg =
    "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFB"
    "gSFBUU/9sAQwEDBAQFBAUJBQUJFA0LDRQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU/8AAFAgACAAI"
    "BAERAAIRAQMRAQQRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQ"
    "cicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqS"
    "k5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAA"
    "AAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBka"
    "JicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxM"
    "XGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwD1itT+ND7Lr//Z";

using Pixels = std::vector<std::uint8_t>;

std::string jpeg(const char* base64) {
    return QByteArray::fromBase64(base64).toStdString();
}

/// Without the Adobe segment, which comes first.
std::string withoutMarker(const std::string& file) {
    return file.substr(0, 2) + file.substr(2 + 16);
}

RgbPicture decode(const std::string& file) {
    return decodePicture(std::as_bytes(std::span(file)));
}

void addNumber(std::string& bytes, unsigned value, TiffOrder order) {
    const std::string pair{static_cast<char>(value & 255U), static_cast<char>(value >> 8)};
    bytes += order == TiffOrder::Little ? pair : std::string(pair.rbegin(), pair.rend());
}

std::string deep(const std::vector<unsigned>& values, TiffOrder order = TiffOrder::Little) {
    std::string bytes;
    for (const unsigned value : values)
        addNumber(bytes, value, order);
    return bytes;
}

const Pixels kColors{255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};

} // namespace

class DecodePictureTest : public QObject {
    Q_OBJECT

private slots:
    void multipliesInks_data();
    void multipliesInks();
    void decodesTiff_data();
    void decodesTiff();
    void decodesGif_data();
    void decodesGif();
    void saysThatThereAreMore();
    void refuses_data();
    void refuses();
    void decodesInManyThreads();
    void foldersAndZipsHoldThemToo();
};

void DecodePictureTest::multipliesInks_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<Pixels>("color");
    QTest::newRow("CMYK, inverted") << jpeg(kCmykJpeg) << Pixels{160, 32, 72};
    QTest::newRow("YCCK, inverted") << jpeg(kYcckJpeg) << Pixels{160, 32, 72};
    // The same numbers as inks: 200 of cyan and 204 of black leave 55 x 51 / 255.
    QTest::newRow("CMYK without a marker") << withoutMarker(jpeg(kCmykJpeg)) << Pixels{11, 43, 33};
}

void DecodePictureTest::multipliesInks() {
    QFETCH(const std::string, file);
    QFETCH(const Pixels, color);
    const RgbPicture picture = decode(file);
    QCOMPARE(picture.width, std::size_t{8});
    QCOMPARE(picture.height, std::size_t{8});
    for (std::size_t i = 0; i < picture.pixels.size(); ++i)
        QVERIFY2(std::abs(picture.pixels[i] - color[i % 3]) <= 2, qPrintable(QString::number(picture.pixels[i])));
}

void DecodePictureTest::decodesTiff_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<Pixels>("pixels");
    const std::vector<std::uint32_t> three{8, 8, 8};
    const std::string rgb = bytesOf<std::uint8_t>(kColors);
    for (const TiffOrder order : {TiffOrder::Little, TiffOrder::Big}) {
        const QByteArray in = order == TiffOrder::Little ? ", little-endian" : ", big-endian";
        QTest::newRow("grey" + in) << tiffFile({{2, 1, {8}, 1, std::string("\x07\xfe")}}, order)
                                   << Pixels{7, 7, 7, 254, 254, 254};
        QTest::newRow("RGB" + in) << tiffFile({{2, 2, three, 2, rgb}}, order) << kColors;
        QTest::newRow("grey of 16 bits" + in) << tiffFile({{3, 1, {16}, 1, deep({0, 0x8000, 0xffff}, order)}}, order)
                                              << Pixels{0, 0, 0, 128, 128, 128, 255, 255, 255};
        QTest::newRow("RGB of 16 bits" + in)
            << tiffFile({{2, 1, {16, 16, 16}, 2, deep({0xffff, 0, 0x0101, 0, 0x8080, 0xffff}, order)}}, order)
            << Pixels{255, 0, 1, 0, 128, 255};
    }
    QTest::newRow("white is zero") << tiffFile({{2, 1, {8}, 0, std::string("\x07\xfe")}})
                                   << Pixels{248, 248, 248, 1, 1, 1};
    QTest::newRow("one bit") << tiffFile({{3, 1, {1}, 1, "\xa0"}}) << Pixels{255, 255, 255, 0, 0, 0, 255, 255, 255};
    std::vector<std::uint32_t> palette(std::size_t{3} * 256, 0);
    palette[1] = palette[256 + 2] = palette[512 + 3] = 0xffff;
    QTest::newRow("palette") << tiffFile({{3, 1, {8}, 3, "\1\2\3", palette}})
                             << Pixels{255, 0, 0, 0, 255, 0, 0, 0, 255};
    QTest::newRow("CMYK") << tiffFile({{2, 1, {8, 8, 8, 8}, 5, std::string("\0\xff\0\0\0\0\0\xff", 8)}})
                          << Pixels{255, 0, 255, 0, 0, 0};
    const std::string half = bytesOf<std::uint8_t>({100, 0, 0, 128, 7, 7, 7, 0});
    QTest::newRow("transparent") << tiffFile({{2, 1, {8, 8, 8, 8}, 2, half, {}, 2}})
                                 << Pixels{177, 127, 127, 255, 255, 255};
    QTest::newRow("transparent, multiplied")
        << tiffFile({{2, 1, {8, 8, 8, 8}, 2, bytesOf<std::uint8_t>({50, 0, 0, 128, 0, 0, 0, 0}), {}, 1}})
        << Pixels{177, 127, 127, 255, 255, 255};
    QTest::newRow("first of two pages") << tiffFile({{2, 1, {8}, 1, "\1\2"}, {1, 1, {8}, 1, "\3"}})
                                        << Pixels{1, 1, 1, 2, 2, 2};
}

void DecodePictureTest::decodesTiff() {
    QFETCH(const std::string, file);
    QFETCH(const Pixels, pixels);
    const RgbPicture picture = decode(file);
    QCOMPARE(picture.width * picture.height * 3, pixels.size());
    QCOMPARE(picture.pixels, pixels);
}

void DecodePictureTest::decodesGif_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<Pixels>("pixels");
    QTest::newRow("one frame") << gifFile(2, 2, kColors, {{0, 0, 2, 2, {0, 1, 2, 3}}}) << kColors;
    QTest::newRow("the first of two") << gifFile(2, 2, kColors, {{0, 0, 2, 2, {0, 1, 2, 3}}, {0, 0, 1, 1, {3}}})
                                      << kColors;
    QTest::newRow("transparent is white")
        << gifFile(2, 1, kColors, {{0, 0, 2, 1, {0, 1}, 1}}) << Pixels{255, 0, 0, 255, 255, 255};
    QTest::newRow("a frame in a corner") << gifFile(2, 2, kColors, {{1, 1, 1, 1, {2}}})
                                         << Pixels{255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255};
    QTest::newRow("a frame beyond the picture")
        << gifFile(1, 1, kColors, {{1, 0, 1, 1, {2}}}) << Pixels{255, 255, 255, 0, 0, 255};
    // Passes: rows 0, 4, 2, 1, 3.
    QTest::newRow("interlaced") << gifFile(1, 5, kColors, {{0, 0, 1, 5, {0, 1, 2, 3, 0}, -1, true}})
                                << Pixels{255, 0, 0, 255, 255, 255, 0, 0, 255, 255, 0, 0, 0, 255, 0};
    Pixels many;
    std::vector<std::uint8_t> indices;
    for (int i = 0; i < 30 * 20; ++i) {
        indices.push_back(static_cast<std::uint8_t>(i % 4));
        many.insert(many.end(), kColors.begin() + (i % 4) * 3, kColors.begin() + (i % 4) * 3 + 3);
    }
    QTest::newRow("several blocks") << gifFile(30, 20, kColors, {{0, 0, 30, 20, indices}}) << many;
}

void DecodePictureTest::decodesGif() {
    QFETCH(const std::string, file);
    QFETCH(const Pixels, pixels);
    QCOMPARE(decode(file).pixels, pixels);
}

void DecodePictureTest::saysThatThereAreMore() {
    const GifFrame frame{0, 0, 1, 1, {0}};
    QVERIFY(!decode(gifFile(1, 1, kColors, {frame})).isFirstOfSeveral);
    QVERIFY(decode(gifFile(1, 1, kColors, {frame, frame})).isFirstOfSeveral);
    const TiffPage page{1, 1, {8}, 1, "\1"};
    QVERIFY(!decode(tiffFile({page})).isFirstOfSeveral);
    QVERIFY(decode(tiffFile({page, page})).isFirstOfSeveral);
}

void DecodePictureTest::refuses_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<QString>("says");
    const std::string tiff = tiffFile({{4, 4, {8}, 1, std::string(16, 'x')}});
    QTest::newRow("TIFF cut in its pixels") << tiff.substr(0, tiff.size() - 8) << "expected a whole TIFF";
    QTest::newRow("TIFF cut in its directory") << tiff.substr(0, 40) << "expected a whole TIFF";
    QTest::newRow("TIFF of four bytes") << tiff.substr(0, 4) << "expected a whole TIFF";
    QTest::newRow("TIFF of 60,000 x 60,000") << tiffFile({{60'000, 60'000, {8}, 1, "x"}}) << "at most|60000 x 60000";
    QTest::newRow("TIFF of floats") << tiffFile({{1, 1, {32}, 1, "abcd", {}, 0, 3}}) << "8 or 16 bits per channel";
    const std::string gif = gifFile(2, 2, kColors, {{0, 0, 2, 2, {0, 1, 2, 3}}});
    QTest::newRow("GIF cut in its pixels") << gif.substr(0, gif.size() - 6) << "expected a whole GIF";
    QTest::newRow("GIF cut in its colours") << gif.substr(0, 100) << "expected a whole GIF";
    QTest::newRow("GIF of six bytes") << gif.substr(0, 6) << "expected a whole GIF";
    QTest::newRow("GIF without a frame") << gifFile(2, 2, kColors, {}) << "a GIF with a frame";
    QTest::newRow("GIF of 60,000 x 60,000") << gifFile(60'000, 60'000, kColors, {{0, 0, 1, 1, {0}}}) << "60000 x 60000";
    QTest::newRow("GIF, too few pixels") << gifFile(2, 2, kColors, {{0, 0, 2, 2, {0, 1}}}) << "expected a whole GIF";
    const std::string cmyk = jpeg(kCmykJpeg);
    QTest::newRow("CMYK cut off") << cmyk.substr(0, cmyk.size() - 12) << "expected a whole JPEG";
}

void DecodePictureTest::refuses() {
    QFETCH(const std::string, file);
    QFETCH(const QString, says);
    QVERIFY(saysAll(refusalOf([&] { decode(file); }), says));
}

void DecodePictureTest::decodesInManyThreads() {
    const std::string good = tiffFile({{2, 2, {8, 8, 8}, 2, bytesOf<std::uint8_t>(kColors)}});
    const std::string bad = good.substr(0, good.size() - 6);
    const std::string gif = gifFile(2, 2, kColors, {{0, 0, 2, 2, {0, 1, 2, 3}}});
    const QString problem = refusalOf([&] { decode(bad); });
    std::atomic<int> wrong = 0;
    parallelFor(3000, 4, {}, [&](std::size_t i, unsigned) {
        if (i % 3 == 0)
            wrong += refusalOf([&] { decode(bad); }) != problem;
        else
            wrong += decode(i % 3 == 1 ? good : gif).pixels != kColors;
    });
    QCOMPARE(wrong.load(), 0);
}

void DecodePictureTest::foldersAndZipsHoldThemToo() {
    const GifFrame frame{0, 0, 2, 2, {0, 1, 2, 3}};
    const TiffPage page{2, 2, {8, 8, 8}, 2, bytesOf<std::uint8_t>(kColors)};
    const std::string png = pngBytes({kColors, 2, 2, 3});
    const std::vector<ZipItem> files{{"a.png", png},
                                     {"b.gif", gifFile(2, 2, kColors, {frame, frame})},
                                     {"c.TIF", tiffFile({page})},
                                     {"d.tiff", tiffFile({page, page})},
                                     {"e.jpg", jpeg(kCmykJpeg)}};
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("pictures"));
    const auto write = [&](const QString& name, const std::string& bytes) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), static_cast<qint64>(bytes.size())) > 0;
    };
    for (const ZipItem& file : files)
        QVERIFY(write("pictures/" + QString::fromStdString(file.name), file.data));
    QVERIFY(write("pictures.zip", zipFile(files)));
    ReadOptions pixels; // before principal components are fitted
    pixels.preparation = std::make_shared<const ValuePreparation>();
    for (const char* name : {"pictures", "pictures.zip"}) {
        const auto set = readEmbeddings(folder.filePath(name).toStdString(), {}, pixels);
        QCOMPARE(set->rows(), files.size());
        for (std::size_t row = 0; row < 4; ++row)
            QVERIFY(std::ranges::equal(set->matrix().row(row), set->matrix().row(0)));
        const std::vector<std::string>& notes = set->source().notes;
        QVERIFY(std::ranges::any_of(notes, [](const std::string& note) {
            return QString::fromStdString(note).contains("2 files of several frames or pages, of which the first is "
                                                         "taken: 'b.gif', 'd.tiff'");
        }));
        QVERIFY(!set->images()->pixels(1).empty());
    }
}

ASSAY_TEST(decode_picture_test, DecodePictureTest)
#include "decode_picture_test.moc"
