// Pictures as files: their names are safe and told apart, the manifest knows them, and nothing is half there.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/io/archives/zip_archive.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/samples/export_samples.h"
#include "engine/subsets/rules/filter.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <zip.h>

using namespace assay;

namespace {

const std::vector<std::string> kHostileIds{
    "../../x",      "..",      "",         "/etc/passwd", "equal",
    "equal",        "EQUAL",   "a\nb",     "CON:1",       std::string("zero\0zero", 9),
    "manifest.csv", "equal-2", "\xFF\xFE", "cat.PNG",     std::string(5000, 'x')};

std::shared_ptr<const EmbeddingSet> hostileSet(std::size_t channels) {
    const test::Matrix matrix = test::gaussian(kHostileIds.size(), 3, 1);
    EmbeddingParts parts;
    parts.values = matrix.values;
    parts.rows = matrix.rows;
    parts.dim = 3;
    parts.ids = kHostileIds;
    std::vector<std::uint8_t> pixels(matrix.rows * 2 * 2 * channels);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(i * 5);
    parts.images = std::make_shared<const ImageStore>(std::move(pixels), matrix.rows, 2, 2, channels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const AuditResult> hostileAudit(std::size_t channels = 3) {
    return runAudit({test::asSet(test::gaussian(30, 3, 2), "real"), {{"hostile", hostileSet(channels)}}, {}, {}});
}

void writeAll(const AuditResult& audit, const char* format, const QString& file, const JobContext& job = {}) {
    exportSamples(audit, {ExportWhat::Kept, {}, {0}, format}, std::vector<SampleFilter>(1), file.toStdString(), job);
}

QStringList namesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

} // namespace

class PictureExportTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void hostileIdsStayInTheFolder();
    void hostileIdsAreReadAgain();
    void namesAreSafe_data();
    void namesAreSafe();
    void manifestNamesEveryPicture();
    void everyKindOfPictureIsWritten_data();
    void everyKindOfPictureIsWritten();
    void zipHoldsTheSameFiles();
    void zipIsTheSameEachTime();
    void aFolderWithFilesIsLeftAlone();
    void cancelHalfWayLeavesNothing_data();
    void cancelHalfWayLeavesNothing();
    void aProblemOfAnEntryIsTold();

private:
    QString path(const QString& name) const { return folder_->filePath(name); }

    std::unique_ptr<QTemporaryDir> folder_;
};

void PictureExportTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void PictureExportTest::hostileIdsStayInTheFolder() {
    writeAll(*hostileAudit(), "pictures", path("out/").chopped(1));
    QCOMPARE(namesIn(folder_->path()), QStringList{"out"});
    const QStringList names = namesIn(path("out"));
    QCOMPARE(names.size(), static_cast<qsizetype>(kHostileIds.size() + 1));
    for (const QString& name : names)
        QVERIFY2(QFileInfo(path("out/" + name)).isFile() && name.toUtf8().size() < 200, qPrintable(name));
    QVERIFY(names.contains("x.png") && names.contains("equal.png") && names.contains("manifest.csv"));
}

void PictureExportTest::hostileIdsAreReadAgain() {
    writeAll(*hostileAudit(), "npz", path("hostile.npz"));
    const auto read = readEmbeddings(path("hostile.npz").toStdString());
    for (std::size_t row = 0; row < kHostileIds.size(); ++row)
        QCOMPARE(read->idText(row), utf8OrEscaped(kHostileIds[row]));
}

void PictureExportTest::namesAreSafe_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("safe");
    QTest::newRow("traversal") << QByteArray("../../etc/x") << QByteArray("etc_x");
    QTest::newRow("dots") << QByteArray("..") << QByteArray("sample");
    QTest::newRow("empty") << QByteArray() << QByteArray("sample");
    QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray("a_b");
    QTest::newRow("line end") << QByteArray("a\r\nb") << QByteArray("a__b");
    QTest::newRow("option") << QByteArray("-rf") << QByteArray("rf");
    QTest::newRow("end") << QByteArray("name. .") << QByteArray("name");
    QTest::newRow("umlaut") << QByteArray("gr\xC3\xBCn 1") << QByteArray("gr\xC3\xBCn 1");
    QTest::newRow("no UTF-8") << QByteArray("\xFC") << QByteArray("xfc");
    QTest::newRow("other systems") << QByteArray("a:b?c|d") << QByteArray("a_b_c_d");
    QTest::newRow("long") << QByteArray(119, 'a') + "\xC3\xBC" << QByteArray(119, 'a');
}

void PictureExportTest::namesAreSafe() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, safe);
    QCOMPARE(QByteArray::fromStdString(safeFileName(name.toStdString())), safe);
}

void PictureExportTest::manifestNamesEveryPicture() {
    writeAll(*hostileAudit(), "pictures", path("out"));
    const std::vector<std::string> names = fileNamesOf(kHostileIds, ".png");
    QFile manifest(path("out/manifest.csv"));
    QVERIFY(manifest.open(QIODevice::ReadOnly));
    const QByteArray text = manifest.readAll();
    QVERIFY(text.startsWith("file,row,id,label,fidelity,"));
    std::set<std::string> folded;
    for (std::size_t row = 0; row < names.size(); ++row) {
        QVERIFY(folded.insert(QString::fromStdString(names[row]).toLower().toStdString()).second);
        QVERIFY2(QFile::exists(path("out/" + QString::fromStdString(names[row]))), names[row].c_str());
        QVERIFY(text.contains("\n" + QByteArray::fromStdString(names[row]) + "," + QByteArray::number(row) + ","));
    }
    QCOMPARE(names[4], std::string("equal.png"));
    QCOMPARE(names[5], std::string("equal-2.png"));
    QCOMPARE(names[6], std::string("EQUAL-3.png"));
    QCOMPARE(names[11], std::string("equal-2-2.png"));
    QCOMPARE(names[13], std::string("cat.png"));
}

void PictureExportTest::everyKindOfPictureIsWritten_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("colourType");
    QTest::newRow("grey") << 1 << 0;
    QTest::newRow("colour") << 3 << 2;
    QTest::newRow("transparent") << 4 << 6;
}

void PictureExportTest::everyKindOfPictureIsWritten() {
    QFETCH(int, channels);
    QFETCH(int, colourType);
    writeAll(*hostileAudit(static_cast<std::size_t>(channels)), "pictures", path("out"));
    QFile picture(path("out/x.png"));
    QVERIFY(picture.open(QIODevice::ReadOnly));
    const QByteArray bytes = picture.readAll();
    QVERIFY(bytes.startsWith("\x89PNG\r\n\x1A\n"));
    QCOMPARE(bytes.mid(16, 8), QByteArray::fromHex("0000000200000002")); // width and height of IHDR
    QCOMPARE(static_cast<int>(bytes[25]), colourType);
}

void PictureExportTest::zipHoldsTheSameFiles() {
    const auto audit = hostileAudit();
    writeAll(*audit, "pictures", path("out"));
    writeAll(*audit, "zip", path("out.zip"));
    int code = 0;
    zip_t* archive = zip_open(path("out.zip").toUtf8().constData(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
    QVERIFY(archive != nullptr);
    QStringList names;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        zip_stat_t stat;
        QCOMPARE(zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat), 0);
        names << QString::fromUtf8(stat.name);
        QByteArray bytes(static_cast<qsizetype>(stat.size), '\0');
        zip_file_t* entry = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        QCOMPARE(zip_fread(entry, bytes.data(), stat.size), static_cast<zip_int64_t>(stat.size));
        zip_fclose(entry);
        QFile file(path("out/" + names.back()));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(names.back()));
        QCOMPARE(bytes, file.readAll());
    }
    zip_discard(archive);
    names.sort();
    QStringList files = namesIn(path("out"));
    files.sort();
    QCOMPARE(names, files);
}

void PictureExportTest::zipIsTheSameEachTime() {
    const auto audit = hostileAudit();
    writeAll(*audit, "zip", path("a.zip"));
    writeAll(*audit, "zip", path("b.zip"));
    QFile first(path("a.zip"));
    QFile second(path("b.zip"));
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    QCOMPARE(first.readAll(), second.readAll());
}

void PictureExportTest::aFolderWithFilesIsLeftAlone() {
    QVERIFY(QDir(folder_->path()).mkpath("full") && QDir(folder_->path()).mkpath("empty"));
    QFile file(path("full/mine.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto audit = hostileAudit();
    for (const char* name : {"full", "full/", "full/mine.txt", "no/such/folder"}) {
        try {
            writeAll(*audit, "pictures", path(name));
            QFAIL(name);
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::WriteFailed);
            QVERIFY2(std::string(error.what()).find(path(name).toStdString()) != std::string::npos, error.what());
        }
    }
    QCOMPARE(namesIn(path("full")), QStringList{"mine.txt"});
    writeAll(*audit, "pictures", path("empty"));
    QCOMPARE(namesIn(path("empty")).size(), static_cast<qsizetype>(kHostileIds.size() + 1));
    QCOMPARE(namesIn(folder_->path()), QStringList({"empty", "full"}));
}

void PictureExportTest::cancelHalfWayLeavesNothing_data() {
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("folder") << QByteArray("pictures");
    QTest::newRow("archive") << QByteArray("zip");
}

void PictureExportTest::cancelHalfWayLeavesNothing() {
    QFETCH(QByteArray, format);
    const auto audit = hostileAudit();
    std::stop_source stop;
    const JobContext job(stop.get_token(), [&stop](const Progress& progress) {
        if (progress.fraction > 0.4)
            stop.request_stop();
    });
    const auto stopped = [&] { writeAll(*audit, format.constData(), path("out"), job); };
    QVERIFY_EXCEPTION_THROWN(stopped(), Cancelled);
    QCOMPARE(namesIn(folder_->path()), QStringList());
}

void PictureExportTest::aProblemOfAnEntryIsTold() {
    ZipWriter archive(path("broken.zip").toStdString());
    archive.add(
        "fine.txt", [] { return std::string("text"); }, ZipPacking::Stored);
    archive.add(
        "broken.txt", []() -> std::string { throw Error(ErrorKind::BadInput, "gone"); }, ZipPacking::Stored);
    try {
        archive.commit();
        QFAIL("written");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::BadInput);
        QCOMPARE(error.what(), "gone");
    }
    QVERIFY(!QFile::exists(path("broken.zip")));
}

ASSAY_TEST(picture_export_test, PictureExportTest)
#include "picture_export_test.moc"
