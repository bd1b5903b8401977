// PNG files hold the pixels that they were made from, and are refused where these do not fit.
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/report/parts/sample_picture.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QByteArray>
#include <QtTest>

#include <png.h>

#include <cstring>

using namespace assay;

namespace {

/// A PNG read by libpng.
struct ReadBack {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

ReadBack readBack(const std::string& bytes, std::size_t channels) {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        return {};
    image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    ReadBack result{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
    if (png_image_finish_read(&image, nullptr, result.pixels.data(), 0, nullptr) == 0)
        return {};
    return result;
}

std::vector<std::uint8_t> ramp(std::size_t count) {
    std::vector<std::uint8_t> pixels(count);
    for (std::size_t at = 0; at < count; ++at)
        pixels[at] = static_cast<std::uint8_t>(at * 37 + 11);
    return pixels;
}

std::shared_ptr<const EmbeddingSet> pictureSet(std::vector<std::uint8_t> pixels, std::size_t height, std::size_t width,
                                               std::size_t channels) {
    EmbeddingParts parts;
    parts.values = test::gaussian(1, 2, 1).values;
    parts.rows = 1;
    parts.dim = 2;
    parts.images = std::make_shared<const ImageStore>(std::move(pixels), 1, height, width, channels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

ReadBack thumbnail(const report::SamplePicture& picture, std::size_t channels) {
    const QByteArray uri = QByteArray::fromStdString(picture.dataUri);
    return readBack(QByteArray::fromBase64(uri.mid(uri.indexOf(',') + 1)).toStdString(), channels);
}

} // namespace

class PngWriterTest : public QObject {
    Q_OBJECT

private slots:
    void holdsThePixels_data();
    void holdsThePixels();
    void refusesWhatDoesNotFit();
    void smallPicturesStayAsTheyAre();
    void largePicturesAreAveraged();
    void thinPicturesKeepAPixel();
};

void PngWriterTest::holdsThePixels_data() {
    QTest::addColumn<int>("channels");
    QTest::newRow("grey") << 1;
    QTest::newRow("RGB") << 3;
    QTest::newRow("RGBA") << 4;
}

void PngWriterTest::holdsThePixels() {
    QFETCH(int, channels);
    const auto count = static_cast<std::size_t>(channels);
    std::vector<std::uint8_t> pixels = ramp(5 * 7 * count);
    const std::string bytes = pngBytes({pixels, 5, 7, count});
    const ReadBack read = readBack(bytes, count);
    QCOMPARE(read.width, std::size_t(7));
    QCOMPARE(read.height, std::size_t(5));
    QCOMPARE(read.pixels, pixels);
    QCOMPARE(pngBytes({pixels, 5, 7, count}), bytes);
}

void PngWriterTest::refusesWhatDoesNotFit() {
    const std::vector<std::uint8_t> pixels = ramp(12);
    for (const PixelView& wrong :
         {PixelView{pixels, 2, 2, 2}, PixelView{pixels, 2, 2, 4}, PixelView{{}, 0, 0, 1}, PixelView{{}, 3, 0, 1}}) {
        const QString message = test::refusalOf([&] { pngBytes(wrong); }, ErrorKind::InvalidArgument);
        QVERIFY2(test::saysAll(message, "expected|found"), qPrintable(message));
    }
}

void PngWriterTest::smallPicturesStayAsTheyAre() {
    const std::vector<std::uint8_t> pixels = ramp(96 * 20 * 3);
    const report::SamplePicture picture = report::samplePicture(*pictureSet(pixels, 96, 20, 3), 0);
    QCOMPARE(picture.height, std::size_t(96));
    QCOMPARE(thumbnail(picture, 3).pixels, pixels);
}

void PngWriterTest::largePicturesAreAveraged() {
    // 4 x 4 blocks of 2 x 2 pixels: 10, 10, 20, 20 have the mean 15.
    std::vector<std::uint8_t> pixels(8 * 8);
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x)
            pixels[y * 8 + x] = y % 2 == 0 ? 10 : 20;
    const report::SamplePicture picture = report::samplePicture(*pictureSet(pixels, 8, 8, 1), 0, 4);
    QCOMPARE(picture.width, std::size_t(4));
    QCOMPARE(thumbnail(picture, 1).pixels, std::vector<std::uint8_t>(16, 15));
}

void PngWriterTest::thinPicturesKeepAPixel() {
    const report::SamplePicture picture = report::samplePicture(*pictureSet(ramp(2 * 500), 2, 500, 1), 0);
    QCOMPARE(picture.width, std::size_t(96));
    QCOMPARE(picture.height, std::size_t(1));
    QCOMPARE(thumbnail(picture, 1).pixels.size(), std::size_t(96));
}

ASSAY_TEST(png_writer_test, PngWriterTest)
#include "png_writer_test.moc"
