// Pictures of every kind are decoded, embedded without a network, and shown from their files; what is no picture is
// told.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/sha256.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/pictures/picture_sets.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/scores/score_output.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <numeric>
#include <random>

using namespace assay;

namespace {

// 8 x 8 pixels of one colour, written by other programs (quality 90; lossless).
const char* const kJpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8X"
    "GBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAAR"
    "CAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAD"
    "CP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ACQSy3//2Q==";
const char* const kWebp = "UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAdQlCJXq/+BiOh/AAA=";
constexpr std::array<std::uint8_t, 3> kColor{200, 40, 90};

QByteArray png(const std::vector<std::uint8_t>& pixels, std::size_t height, std::size_t width, std::size_t channels) {
    return QByteArray::fromStdString(pngBytes({pixels, height, width, channels}));
}

/// One colour all over.
QByteArray plainPng(std::uint8_t grey, std::size_t side = 4) {
    return png(std::vector<std::uint8_t>(side * side, grey), side, side, 1);
}

/// 24 bits, rows of 2 pixels padded to 8 bytes: blue, green / red, white from the bottom.
QByteArray smallBmp(std::int32_t height) {
    QByteArray file("BM");
    const auto number = [&](std::uint32_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            file.append(static_cast<char>(value >> (8 * i) & 255U));
    };
    for (const std::uint32_t value : {70U, 0U, 54U, 40U, 2U})
        number(value, 4);
    number(static_cast<std::uint32_t>(height), 4);
    number(1, 2);
    number(24, 2);
    for (int i = 0; i < 6; ++i)
        number(0, 4);
    file.append(QByteArray::fromHex("ff000000ff000000"
                                    "0000ffffffff0000"));
    return file;
}

RgbPicture decode(const QByteArray& file) {
    return decodePicture(std::as_bytes(std::span(file.constData(), static_cast<std::size_t>(file.size()))));
}

} // namespace

class PictureFolderTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void decodesEveryKind();
    void laysTransparencyOnWhite();
    void readsBmpFromBothEnds();
    void refusesWhatIsNoPicture_data();
    void refusesWhatIsNoPicture();
    void meansAreThoseOfAFinerGrid();
    void rowsAreThePathsInOrder();
    void foldersAreClasses();
    void shardsAreNoClasses_data();
    void shardsAreNoClasses();
    void tellsWhatItLeavesOut();
    void refusesAFolderWithoutPictures();
    void doesNotFollowLinksToFolders();
    void showsPicturesFromTheirFiles();
    void fitsPicturesOfSeveralSizes();
    void hashIsThatOfSha256sum();
    void scoresSayWhatTheyAreOf();

private:
    void write(const QString& path, const QByteArray& bytes) const {
        const QString file = folder_->filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    std::shared_ptr<const EmbeddingSet> read() const { return readEmbeddings(folder_->path().toStdString()); }

    std::unique_ptr<QTemporaryDir> folder_;
};

void PictureFolderTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
}

void PictureFolderTest::decodesEveryKind() {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 64; ++i)
        pixels.insert(pixels.end(), kColor.begin(), kColor.end());
    for (const QByteArray& file :
         {png(pixels, 8, 8, 3), QByteArray::fromBase64(kJpeg), QByteArray::fromBase64(kWebp)}) {
        const RgbPicture picture = decode(file);
        QCOMPARE(picture.width, std::size_t{8});
        QCOMPARE(picture.height, std::size_t{8});
        QCOMPARE(picture.pixels.size(), pixels.size());
        for (std::size_t i = 0; i < pixels.size(); ++i)
            QVERIFY(std::abs(picture.pixels[i] - kColor[i % 3]) <= 1); // JPEG rounds
    }
}

void PictureFolderTest::laysTransparencyOnWhite() {
    const RgbPicture picture = decode(png({0, 0, 0, 0, 10, 20, 30, 255}, 1, 2, 4));
    QCOMPARE(picture.pixels, (std::vector<std::uint8_t>{255, 255, 255, 10, 20, 30}));
}

void PictureFolderTest::readsBmpFromBothEnds() {
    const std::vector<std::uint8_t> lower{0, 0, 255, 0, 255, 0};
    const std::vector<std::uint8_t> upper{255, 0, 0, 255, 255, 255};
    const auto stacked = [](std::vector<std::uint8_t> first, const std::vector<std::uint8_t>& second) {
        first.insert(first.end(), second.begin(), second.end());
        return first;
    };
    QCOMPARE(decode(smallBmp(2)).pixels, stacked(upper, lower));
    QCOMPARE(decode(smallBmp(-2)).pixels, stacked(lower, upper));
}

void PictureFolderTest::refusesWhatIsNoPicture_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("found");
    const QByteArray whole = png(std::vector<std::uint8_t>(3000, 7), 100, 10, 3);
    QTest::newRow("empty") << QByteArray() << "an empty file";
    QTest::newRow("text") << QByteArray("hello, world") << "something else";
    QTest::newRow("PNG cut off") << whole.left(whole.size() / 2) << "expected a whole PNG";
    QTest::newRow("PNG of eight bytes") << whole.left(8) << "expected a whole PNG";
    QByteArray huge = whole;
    huge.replace(16, 8, QByteArray::fromHex("0000ea600000ea60"));
    huge.replace(29, 4, QByteArray::fromHex("cff6b387")); // a checksum that does not fit is not looked at first
    QTest::newRow("PNG of 60,000 x 60,000") << huge << "expected";
    const QByteArray jpeg = QByteArray::fromBase64(kJpeg);
    QTest::newRow("JPEG cut off") << jpeg.left(jpeg.size() - 8) << "expected a whole JPEG";
    QTest::newRow("JPEG of two bytes") << jpeg.left(2) << "a picture with pixels|0 x 0";
    QTest::newRow("WebP cut off") << QByteArray::fromBase64(kWebp).left(30) << "expected a whole WebP";
    QTest::newRow("BMP cut off") << smallBmp(2).chopped(1) << "ends early";
    QTest::newRow("BMP of the largest height") << smallBmp(std::numeric_limits<std::int32_t>::min()) << "pixels, found";
    QTest::newRow("BMP without rows") << smallBmp(0) << "a picture with pixels";
}

void PictureFolderTest::refusesWhatIsNoPicture() {
    QFETCH(const QByteArray, file);
    QFETCH(const QString, found);
    QVERIFY(test::saysAll(test::refusalOf([&] { decode(file); }), found));
}

void PictureFolderTest::meansAreThoseOfAFinerGrid() {
    std::mt19937 random(5);
    for (const auto& [width, height, across, down] :
         {std::array<std::size_t, 4>{28, 28, 16, 16}, {5, 3, 16, 16}, {16, 16, 16, 16}, {37, 50, 7, 4}, {1, 1, 3, 2}}) {
        RgbPicture picture{width, height, std::vector<std::uint8_t>(width * height * 3)};
        for (std::uint8_t& value : picture.pixels)
            value = static_cast<std::uint8_t>(random() & 255U);
        const std::vector<float> means = meanColors(picture, across, down);
        QCOMPARE(means.size(), across * down * 3);
        // A grid of which pixels and fields are whole multiples.
        const std::size_t fineWidth = std::lcm(width, across);
        const std::size_t fineHeight = std::lcm(height, down);
        std::vector<double> sums(means.size());
        for (std::size_t y = 0; y < fineHeight; ++y)
            for (std::size_t x = 0; x < fineWidth; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    sums[((y * down / fineHeight) * across + x * across / fineWidth) * 3 + c] +=
                        picture.pixels[((y * height / fineHeight) * width + x * width / fineWidth) * 3 + c];
        const double cells = static_cast<double>(fineWidth * fineHeight) / static_cast<double>(across * down);
        for (std::size_t i = 0; i < means.size(); ++i)
            QVERIFY(std::abs(means[i] - sums[i] / cells) < 1e-4);
    }
}

void PictureFolderTest::rowsAreThePathsInOrder() {
    write("b.PNG", plainPng(255));
    write("a-b/x.png", plainPng(51));
    write("a/x.png", plainPng(102));
    ReadOptions pixels; // before the cosine transform
    pixels.preparation = std::make_shared<const ValuePreparation>();
    const auto set = readEmbeddings(folder_->path().toStdString() + "/", {}, pixels); // the slash changes nothing
    QCOMPARE(set->name(), QFileInfo(folder_->path()).fileName().toStdString());
    QCOMPARE(set->rows(), std::size_t{3});
    QCOMPARE(set->dim(), std::size_t{768});
    QCOMPARE(set->idText(0), std::string("a-b/x.png"));
    QCOMPARE(set->idText(1), std::string("a/x.png"));
    QCOMPARE(set->idText(2), std::string("b.PNG"));
    QVERIFY(!set->hasLabels()); // one picture lies in no folder
    const std::array<float, 3> grey{0.2F, 0.4F, 1.0F};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < set->dim(); ++i)
            QVERIFY(std::abs(set->matrix().row(row)[i] - grey[row]) < 1e-6F);
}

void PictureFolderTest::foldersAreClasses() {
    write("dog/deep/1.png", plainPng(1));
    write("cat/2.png", plainPng(2));
    write("cat/1.png", plainPng(3));
    const auto set = read();
    QCOMPARE(set->labelText(0), std::string("cat"));
    QCOMPARE(set->labelText(1), std::string("cat"));
    QCOMPARE(set->labelText(2), std::string("dog"));
}

void PictureFolderTest::shardsAreNoClasses_data() {
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<bool>("areShards");
    QTest::newRow("a thousand each") << QStringList{"000000/000000.png", "000000/000001.png", "001000/001000.png"}
                                     << true;
    QTest::newRow("numbered one by one") << QStringList{"00000/a.png", "00000/b.png", "00001/c.png", "00001/d.png"}
                                         << true;
    QTest::newRow("img2dataset") << QStringList{"00012/000120345.png", "00013/000130001.png", "00013/000130002.png"}
                                 << true;
    QTest::newRow("short, by their files") << QStringList{"01/0123.png", "02/0201.png", "02/0205.png"} << true;
    QTest::newRow("ten digits") << QStringList{"0/1.png", "0/2.png", "1/1.png", "1/2.png"} << false;
    QTest::newRow("unequal numbers") << QStringList{"00000/a.png", "00001/b.png", "00001/c.png"} << false;
    QTest::newRow("traffic signs") << QStringList{"00000/00000_00000.png", "00001/00000_00000.png",
                                                  "00001/00000_00001.png"}
                                   << false;
    QTest::newRow("three digits") << QStringList{"001/1.png", "002/1.png"} << false;
    QTest::newRow("words") << QStringList{"n0144/1.png", "n0145/2.png"} << false;
}

void PictureFolderTest::shardsAreNoClasses() {
    QFETCH(const QStringList, paths);
    QFETCH(const bool, areShards);
    std::vector<test::ZipItem> items;
    for (const QString& path : paths) {
        write("set/" + path, plainPng(static_cast<std::uint8_t>(items.size())));
        items.push_back({path.toStdString(), plainPng(static_cast<std::uint8_t>(items.size())).toStdString()});
    }
    write("set.zip", QByteArray::fromStdString(test::zipFile(items)));
    for (const char* name : {"set", "set.zip"}) {
        const std::string file = folder_->filePath(name).toStdString();
        const auto set = readEmbeddings(file);
        QCOMPARE(set->hasLabels(), !areShards);
        const bool isSaid = std::ranges::any_of(set->source().notes, [](const std::string& note) {
            return QString::fromStdString(note).contains("numbered folders") &&
                   QString::fromStdString(note).contains("append ':classes'");
        });
        QCOMPARE(isSaid, areShards);
        const auto asked = readEmbeddings(file + ":classes");
        QCOMPARE(asked->labelText(0), paths.front().section('/', 0, 0).toStdString());
        QCOMPARE(asked->source().file, file + ":classes");
        QVERIFY(test::saysAll(test::refusalOf([&] { readEmbeddings(file + ":other"); }), "'classes'|found 'other'"));
    }
}

void PictureFolderTest::tellsWhatItLeavesOut() {
    write("1.png", plainPng(1));
    write("2.png", "no picture");
    write("labels.csv", "a,b");
    write(".hidden/3.png", plainPng(1));
    const auto set = read();
    QCOMPARE(set->rows(), std::size_t{1});
    const std::vector<std::string>& notes = set->source().notes;
    QCOMPARE(notes.size(), std::size_t{3});
    QVERIFY(notes[0].find("pixels-16x16") != std::string::npos);
    QVERIFY(notes[1].find("1 file left out, not to be decoded: '2.png' (expected a PNG") != std::string::npos);
    QVERIFY(notes[2].find("1 file left out, no pictures by name: 'labels.csv'") != std::string::npos);
}

void PictureFolderTest::refusesAFolderWithoutPictures() {
    write("a.txt", "text");
    const auto problem = [&] { return test::refusalOf([&] { read(); }); };
    QVERIFY(test::saysAll(problem(), "a folder without pictures"));
    write("a.png", "text");
    QVERIFY(test::saysAll(problem(), "found 1 file not to be decoded: 'a.png'"));
}

void PictureFolderTest::doesNotFollowLinksToFolders() {
    write("in/1.png", plainPng(1));
    QVERIFY(QFile::link(folder_->path(), folder_->filePath("in/back")));
    QCOMPARE(read()->rows(), std::size_t{1});
}

void PictureFolderTest::showsPicturesFromTheirFiles() {
    write("1.png", plainPng(7));
    write("2.png", plainPng(9));
    const auto set = read();
    const ImageStore& pictures = *set->images();
    QVERIFY(!pictures.isInMemory());
    QCOMPARE(pictures.width(), std::size_t{4});
    QCOMPARE(pictures.channels(), std::size_t{3});
    QCOMPARE(pictures.pixels(1), std::vector<std::uint8_t>(48, 9));
    write("2.png", plainPng(9, 5)); // another picture since
    QVERIFY(pictures.pixels(1).empty());
    QCOMPARE(pictures.pixels(0), std::vector<std::uint8_t>(48, 7));
}

void PictureFolderTest::fitsPicturesOfSeveralSizes() {
    write("1.png", plainPng(7));
    write("2.png", png(std::vector<std::uint8_t>(200, 9), 10, 20, 1));
    const auto set = read();
    const ImageStore& pictures = *set->images();
    QCOMPARE(pictures.channels(), std::size_t{4});
    QCOMPARE(pictures.width(), std::size_t{128});
    const std::vector<std::uint8_t> wide = pictures.pixels(1);
    const auto pixel = [&](std::size_t y, std::size_t x) {
        const std::uint8_t* at = &wide[(y * 128 + x) * 4];
        return std::vector<std::uint8_t>(at, at + 4);
    };
    QCOMPARE(pixel(0, 64), std::vector<std::uint8_t>(4, 0));
    QCOMPARE(pixel(31, 64), std::vector<std::uint8_t>(4, 0));
    QCOMPARE(pixel(32, 0), (std::vector<std::uint8_t>{9, 9, 9, 255}));
    QCOMPARE(pixel(95, 127), (std::vector<std::uint8_t>{9, 9, 9, 255}));
    QCOMPARE(pixel(96, 0), std::vector<std::uint8_t>(4, 0));
}

void PictureFolderTest::hashIsThatOfSha256sum() {
    write("1.png", plainPng(7));
    write("a/2.png", plainPng(9));
    const auto digest = [&](const QString& path) { return sha256OfFile(folder_->filePath(path).toStdString()); };
    const std::string lines = digest("1.png") + "  1.png\n" + digest("a/2.png") + "  a/2.png\n";
    QCOMPARE(read()->source().sha256, sha256OfBytes(std::as_bytes(std::span(lines))));
}

void PictureFolderTest::scoresSayWhatTheyAreOf() {
    for (int i = 0; i < 20; ++i)
        write(QStringLiteral("%1.png").arg(i), plainPng(static_cast<std::uint8_t>(i * i % 251)));
    AuditRequest request;
    request.real = read();
    request.models.push_back({"same", read()});
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*runAudit(request)))).object();
    const auto note = [](const QJsonValue& input) { return input[QStringLiteral("notes")][0].toString(); };
    QVERIFY(note(json[QStringLiteral("real")]).contains(QStringLiteral("pixels-16x16")));
    QVERIFY(note(json[QStringLiteral("models")][0]).contains(QStringLiteral("pixels-16x16")));
    const QJsonArray findings = json[QStringLiteral("models")][0][QStringLiteral("findings")].toArray();
    QVERIFY(std::any_of(findings.begin(), findings.end(), [](const QJsonValue& finding) {
        return finding[QStringLiteral("id")] == QStringLiteral("built_in_embedding") &&
               finding[QStringLiteral("sentence")].toString().contains(QStringLiteral("pixels-16x16"));
    }));
}

ASSAY_TEST(picture_folder_test, PictureFolderTest)
#include "picture_folder_test.moc"
