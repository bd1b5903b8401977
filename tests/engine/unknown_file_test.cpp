// A file that no reader recognises is refused in one short sentence that says what it looks like.
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

/// Bytes at an offset, with zeros before and behind.
std::string at(std::size_t offset, const std::string& bytes) {
    return std::string(offset, '\0') + bytes + std::string(40, '\0');
}

} // namespace

class UnknownFileTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatItLooksLike_data();
    void saysWhatItLooksLike();
    void saysThatAFolderHasNothing();
    void namesAWayOutOfParquet();
};

void UnknownFileTest::saysWhatItLooksLike_data() {
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<QString>("look");
    const auto row = [](const char* name, const std::string& bytes, const char* look) {
        QTest::newRow(name) << bytes << QString(look);
    };
    row("pdf", "%PDF-1.7\n", "a PDF document");
    row("png", "\x89PNG\r\n\x1a\n" + at(0, ""), "a single picture: open the folder that it is in");
    row("jpeg", "\xff\xd8\xff\xe0" + at(0, "JFIF"), "a single picture");
    row("gif", "GIF89a" + at(0, ""), "a single picture");
    row("tiff", "II*" + at(0, ""), "a single picture");
    row("webp", "RIFF1234WEBPVP8 " + at(0, ""), "a single picture");
    row("bmp", "BM" + at(4, "6"), "a single picture");
    row("text that begins like a bmp", "BMW and others\n", "text without a table of numbers");
    row("gzip", "\x1f\x8b\x08" + at(0, "x"), "a gzip archive: unpack it first");
    row("xz",
        "\xfd"
        "7zXZ" +
            at(0, ""),
        "an xz archive");
    row("zstd", "\x28\xb5\x2f\xfd" + at(0, ""), "a zstd archive");
    row("tar", "shard-0.npy" + at(246, "ustar"), "a tar archive");
    row("wave", "RIFF1234WAVEfmt " + at(0, ""), "a sound");
    row("mp4",
        at(3, "\x20"
              "ftypisom"),
        "a video");
    row("avif",
        at(3, "\x20"
              "ftypavif"),
        "a picture in AVIF");
    row("matlab 5", "MATLAB 5.0 MAT-file, Platform: GLNXA64" + at(0, ""), "scipy.io.loadmat");
    row("feather", "ARROW1" + at(0, ""), "assay-convert FILE FILE.npz");
    row("sqlite", at(0, "").replace(0, 15, "SQLite format 3"), "an SQLite database");
    row("git lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n", "git lfs pull");
    row("a script", "#!/bin/sh\nexit 1\n", "a script");
    row("prose", "Call me Ishmael.\n", "text without a table of numbers");
    row("json", "{\"a\": [1, 2]}", "JSON");
    row("html", "\n<!DOCTYPE HTML><p>404 Not Found", "an HTML page");
    row("svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "XML");
    row("empty", "", "an empty file");
    row("zeros", std::string(5000, '\0'), "nothing but zeros");
    row("anything", "\xde\xad\xbe\xef\x01\x02", "which begin with de ad be ef 01 02");
    row("excel", zipFile({{"[Content_Types].xml", "<x/>"}, {"xl/workbook.xml", "<x/>"}}), "an Excel workbook");
    row("word", zipFile({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", "<x/>"}}), "an Office document");
    row("open document", zipFile({{"mimetype", "x"}, {"META-INF/manifest.xml", "x"}}), "an OpenDocument file");
    row("zip of texts", zipFile({{"a.txt", "x"}, {"b/c.md", "y"}}), "a zip archive without arrays or pictures");
}

void UnknownFileTest::saysWhatItLooksLike() {
    QFETCH(const std::string, bytes);
    QFETCH(const QString, look);
    const QString message = refusalOf([&] { readEmbeddingsFromMemory("given.dat", std::as_bytes(std::span(bytes))); });
    QVERIFY(saysAll(message, "given.dat: expected samples in one of the formats of docs/formats.md, found |" + look));
    QVERIFY2(message.size() < 250 && !message.contains('\n'), qPrintable(message));
}

void UnknownFileTest::saysThatAFolderHasNothing() {
    QTemporaryDir folder;
    QFile note(folder.filePath("note.txt"));
    QVERIFY(note.open(QIODevice::WriteOnly));
    const QString message = refusalOf([&] { readEmbeddings(folder.path().toStdString()); });
    QVERIFY(saysAll(message, "docs/formats.md|found a folder without pictures or arrays"));
    for (const char* name : {"a.npz", "b.npz", "c.npz"}) {
        QFile clip(folder.filePath(name));
        QVERIFY(clip.open(QIODevice::WriteOnly));
    }
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(folder.path().toStdString()); }),
                    "found a folder of 3 archives in .npz|save each clip as one array in .npy"));
}

void UnknownFileTest::namesAWayOutOfParquet() {
    for (const std::string magic : {"PAR1", "PARE"}) {
        const std::string bytes = magic + std::string(100, 'x') + magic;
        const QString message =
            refusalOf([&] { readEmbeddingsFromMemory("a.parquet", std::as_bytes(std::span(bytes))); });
        QVERIFY(saysAll(message, "a.parquet|a Parquet file|pyarrow|assay-convert FILE.parquet FILE.npz"));
        QVERIFY(!message.contains('\n'));
    }
}

ASSAY_TEST(unknown_file_test, UnknownFileTest)
#include "unknown_file_test.moc"
