#include "engine/base/sha256.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/shared_data.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <unistd.h>

using namespace assay;
using namespace assay::test;

namespace {

std::string save(const QTemporaryDir& folder, const char* name, const std::string& bytes) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(bytes)) < 0)
        qFatal("cannot write a test file");
    return file.fileName().toStdString();
}

QString refused(const std::string& spec) {
    return refusalOf([&] { readEmbeddings(spec); });
}

std::string matrix() {
    return npyFile("<f4", "(2, 2)", bytesOf<float>({1, 2, 3, 4}));
}

} // namespace

class ReadEmbeddingsTest : public QObject {
    Q_OBJECT

private slots:
    void goesByContentNotByName();
    void saysWhereTheSetCameFrom();
    void refusesWhatIsNoFileOfEmbeddings();
    void everyFormatIsComplete();
    void progressNeverFalls();
    void stopsAtEveryCheckpoint();
    void stopsWhenAsked_data();
    void stopsWhenAsked();
    void readsTheReferenceDigits_data();
    void readsTheReferenceDigits();
};

void ReadEmbeddingsTest::goesByContentNotByName() {
    QTemporaryDir folder;
    QCOMPARE(readEmbeddings(save(folder, "array.npz", matrix()))->rows(), std::size_t{2});
    const std::string archive = save(folder, "archive.npy", zipFile({{"x.npy", matrix()}}));
    QCOMPARE(readEmbeddings(archive)->source().key, std::string("x"));
    QCOMPARE(readEmbeddings(archive + ":x")->source().key, std::string("x"));
}

void ReadEmbeddingsTest::saysWhereTheSetCameFrom() {
    QTemporaryDir folder;
    const std::string file = save(folder, "gan.v2.npz", zipFile({{"a.npy", matrix()}, {"b.npy", matrix()}}));
    const auto set = readEmbeddings(file + ":b");
    QCOMPARE(set->name(), std::string("gan.v2"));
    QCOMPARE(set->source().file, file + ":b"); // as given, with the key that was named
    QCOMPARE(set->source().key, std::string("b"));
    QCOMPARE(set->source().sha256, sha256OfFile(file));
}

void ReadEmbeddingsTest::refusesWhatIsNoFileOfEmbeddings() {
    QTemporaryDir folder;
    QVERIFY(
        saysAll(refused("/nonexistent/gan.npz"), "/nonexistent/gan.npz: expected a file, found nothing of that name"));
    QVERIFY(saysAll(refused("/nonexistent/gan.npz:reps"), "/nonexistent/gan.npz: expected a file"));
    QVERIFY(saysAll(refused(""), "expected a file"));
    QVERIFY(saysAll(refused(folder.path().toStdString()), "docs/formats.md|a folder without pictures or arrays"));
    QVERIFY(saysAll(refused("/dev/null"), "/dev/null|a regular file"));
    QVERIFY(saysAll(refused(save(folder, "empty.npz", "")), "empty.npz|an empty file"));
    QVERIFY(saysAll(refused(save(folder, "text.npz", "Dear me,\n")), "text.npz|docs/formats.md|text without a table"));
    QVERIFY(saysAll(refused(save(folder, "short.npz", "PK\x03\x04 cut off")), "short.npz|truncated"));
    const std::string locked = save(folder, "locked.npy", matrix());
    QFile::setPermissions(QString::fromStdString(locked), {});
    if (::geteuid() != 0)
        QVERIFY(saysAll(refused(locked), "locked.npy|Permission denied"));
}

void ReadEmbeddingsTest::everyFormatIsComplete() {
    QVERIFY(formatTable().size() >= 2);
    for (const Format& format : formatTable()) {
        QVERIFY(!format.description.empty() && (format.patterns.empty() == format.description.starts_with("a folder")));
        QVERIFY(format.recognises && format.read);
        QVERIFY(!format.recognises(InputFile::inMemory("empty", {})));
    }
}

void ReadEmbeddingsTest::progressNeverFalls() {
    const std::string payload(4 * 200000, '\0');
    const std::string npy = npyFile("<f4", "(1000, 200)", payload);
    const std::string file = zipFile({{"embeddings.npy", npy, ZipItem::Packing::Deflated},
                                      {"images.npy", npyFile("|u1", "(1000, 20, 40)", payload)}});
    QTemporaryDir folder;
    std::vector<double> seen;
    const JobContext job({}, [&](const Progress& p) { seen.push_back(p.fraction); });
    readEmbeddings(save(folder, "x.npz", file), job);
    QVERIFY(seen.size() >= 8);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QCOMPARE(seen.back(), 1.0);
}

void ReadEmbeddingsTest::stopsAtEveryCheckpoint() {
    const std::string payload(4 * 200000, '\0');
    const std::string file =
        zipFile({{"embeddings.npy", npyFile("<f4", "(1000, 200)", payload, NpyHeader::Order::Fortran)},
                 {"images.npy", npyFile("|u1", "(1000, 20, 40)", payload)},
                 {"labels.npy", npyFile("<i4", "(1000,)", std::string(4000, '\0'))},
                 {"ids.npy", npyFile("|S3", "(1000,)", std::string(3000, 'a'))}});
    QTemporaryDir folder;
    const std::string name = save(folder, "x.npz", file);
    int stops = 0;
    for (bool finished = false; !finished; ++stops) {
        std::stop_source source;
        int calls = 0;
        const JobContext job(source.get_token(), [&](const Progress&) {
            if (calls++ == stops)
                source.request_stop();
        });
        try {
            readEmbeddings(name, job);
            finished = true;
            QVERIFY(calls <= stops + 1); // only the very last report may be followed by nothing
        } catch (const Cancelled&) {
        }
    }
    QVERIFY(stops > 10);
}

void ReadEmbeddingsTest::stopsWhenAsked_data() {
    QTest::addColumn<NpyHeader::Order>("order");
    QTest::newRow("C order") << NpyHeader::Order::C;
    QTest::newRow("Fortran order") << NpyHeader::Order::Fortran;
}

void ReadEmbeddingsTest::stopsWhenAsked() {
    QFETCH(NpyHeader::Order, order);
    const std::size_t bytes = std::size_t{8} * 2000 * 512;
    const std::string file = npyFile("<f8", "(2000, 512)", std::string(bytes, '\0'), order);
    const std::string failure =
        test::stopFailure([&](const JobContext& job) { readEmbeddingsFromMemory("x.npy", asBytes(file), {}, job); },
                          bytes >> 19); // one every half a megabyte
    QVERIFY2(failure.empty(), failure.c_str());
}

void ReadEmbeddingsTest::readsTheReferenceDigits_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("rows");
    for (const auto& [name, rows] : {std::pair{"real", 10000}, {"gan", 10000}, {"copycat", 5000}, {"fourdigits", 4000}})
        QTest::newRow(name) << QString("data/mnist/%1.npz").arg(name) << rows;
}

void ReadEmbeddingsTest::readsTheReferenceDigits() {
    QFETCH(QString, file);
    QFETCH(int, rows);
    const auto path = sharedFile(file.toStdString());
    if (!path)
        QSKIP(qPrintable(file + " is not here"));
    const auto set = readEmbeddings(*path);
    QCOMPARE(set->rows(), static_cast<std::size_t>(rows));
    QCOMPARE(set->dim(), std::size_t{128});
    QVERIFY(set->labels().names.size() <= 10); // digits, or the classifier's guesses of them
    QCOMPARE(set->labels().names.front(), std::string("0"));
    QVERIFY(set->images());
    QCOMPARE(set->images()->rows(), set->rows());
    QCOMPARE(set->images()->bytesPerImage(), std::size_t{28 * 28});
    QFile whole(QString::fromStdString(*path));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QVERIFY(hash.addData(&whole));
    QCOMPARE(set->source().sha256, hash.result().toHex().toStdString());
    QVERIFY(saysAll(refused(*path + ":nothing"), "embeddings float32|labels int32"));
}

ASSAY_TEST(read_embeddings_test, ReadEmbeddingsTest)
#include "read_embeddings_test.moc"
