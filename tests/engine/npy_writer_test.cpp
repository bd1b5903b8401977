#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <numeric>

using namespace assay;
using namespace assay::test;

class NpyWriterTest : public QObject {
    Q_OBJECT

private slots:
    void writesWhatNumPyWrites();
    void writesMatricesThatReadBack();
    void writesArchivesThatReadBack_data();
    void writesArchivesThatReadBack();
    void givesTheSameBytesTwice();
    void archivesHoldNoTimeOfWriting();
    void refusesAShapeThatDoesNotFit();
    void reportsWhatCannotBeWritten();
    void leavesNothingBehindWhenStopped();
};

void NpyWriterTest::writesWhatNumPyWrites() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("rows.npy").toStdString();
    const std::vector<std::uint32_t> rows = {3, 5, 8};
    writeNpy(file, npyView<std::uint32_t>(rows, {3}));
    QFile written(QString::fromStdString(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QByteArray expected("\x93NUMPY\x01\x00v\x00", 10);
    expected += "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }";
    expected += QByteArray(127 - expected.size(), ' ') + "\n";
    expected += QByteArray("\3\0\0\0\5\0\0\0\10\0\0\0", 12);
    QCOMPARE(written.readAll(), expected);
}

void NpyWriterTest::writesMatricesThatReadBack() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("kept.npy").toStdString();
    std::vector<float> values(3000 * 500);
    std::iota(values.begin(), values.end(), -7.0f);
    writeNpy(file, npyView<float>(values, {3000, 500}));
    const auto set = readEmbeddings(file);
    QCOMPARE(set->rows(), std::size_t{3000});
    QCOMPARE(set->dim(), std::size_t{500});
    QVERIFY(std::equal(values.begin(), values.end(), set->matrix().data));
}

void NpyWriterTest::writesArchivesThatReadBack_data() {
    QTest::addColumn<NpzPacking>("packing");
    QTest::newRow("stored") << NpzPacking::Stored;
    QTest::newRow("deflated") << NpzPacking::Deflated;
}

void NpyWriterTest::writesArchivesThatReadBack() {
    QFETCH(NpzPacking, packing);
    QTemporaryDir folder;
    const std::string file = folder.filePath("demo.npz").toStdString();
    std::vector<double> values(2000 * 30);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i % 97) * 0.5;
    std::vector<std::uint8_t> pixels(2000 * 5 * 4 * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(i * 31);
    std::vector<std::int32_t> labels(2000, 4);
    labels[1999] = -2;
    const std::vector<NpzItem> items = {{"embeddings", npyView<double>(values, {2000, 30})},
                                        {"images", npyView<std::uint8_t>(pixels, {2000, 5, 4, 3})},
                                        {"labels", npyView<std::int32_t>(labels, {2000})}};
    writeNpz(file, items, packing);
    const auto set = readEmbeddings(file);
    QVERIFY(std::equal(values.begin(), values.end(), set->matrix().data, set->matrix().data + values.size(),
                       [](double a, float b) { return a == static_cast<double>(b); }));
    QCOMPARE(set->labelText(1999), std::string("-2"));
    QCOMPARE(set->images()->height(), std::size_t{5});
    QVERIFY(std::ranges::equal(set->images()->image(1999), std::span(pixels).last(60)));
    QCOMPARE(set->source().sha256, sha256OfFile(file));
    const qint64 plain = static_cast<qint64>(values.size() * 8 + pixels.size() + labels.size() * 4);
    QCOMPARE(QFileInfo(QString::fromStdString(file)).size() < plain, packing == NpzPacking::Deflated);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"demo.npz"});
}

void NpyWriterTest::givesTheSameBytesTwice() {
    QTemporaryDir folder;
    const std::vector<float> values = {1, 2, 3, 4};
    const std::vector<NpzItem> items = {{"embeddings", npyView<float>(values, {2, 2})}};
    const std::string first = folder.filePath("a.npz").toStdString();
    const std::string second = folder.filePath("b.npz").toStdString();
    writeNpz(first, items, NpzPacking::Deflated);
    writeNpz(second, items, NpzPacking::Deflated);
    QCOMPARE(sha256OfFile(first), sha256OfFile(second));
}

void NpyWriterTest::archivesHoldNoTimeOfWriting() {
    QTemporaryDir folder;
    const std::vector<float> values = {1, 2, 3, 4};
    const NpyView array = npyView<float>(values, {2, 2});
    const QString file = folder.filePath("a.npz");
    writeNpz(file.toStdString(), std::vector<NpzItem>{{"embeddings", array}, {"more", array}}, NpzPacking::Deflated);
    QFile archive(file);
    QVERIFY(archive.open(QIODevice::ReadOnly));
    const QByteArray bytes = archive.readAll();
    // A header's time and date as DOS writes them, 1980-01-01 00:00, and the length of its extra fields: they could
    // hold further times.
    const auto check = [&](const char* signature, qsizetype time, qsizetype extraLength) {
        int headers = 0;
        for (qsizetype at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4), ++headers) {
            QCOMPARE(bytes.mid(at + time, 4), QByteArray("\0\0\x21\0", 4));
            QCOMPARE(bytes.mid(at + extraLength, 2), QByteArray("\0\0", 2));
        }
        QCOMPARE(headers, 2);
    };
    check("PK\3\4", 10, 28); // of an entry
    check("PK\1\2", 12, 30); // in the directory
}

void NpyWriterTest::refusesAShapeThatDoesNotFit() {
    const std::vector<float> values = {1, 2, 3, 4};
    const QString message = refusalOf(
        [&] {
            writeNpy("x.npy", npyView<float>(values, {2, 3}));
        },
        ErrorKind::InvalidArgument);
    QVERIFY(saysAll(message, "x.npy|24 bytes|16"));
}

void NpyWriterTest::reportsWhatCannotBeWritten() {
    const std::vector<float> values = {1};
    const std::vector<NpzItem> items = {{"embeddings", npyView<float>(values, {1, 1})}};
    const auto kind = ErrorKind::WriteFailed;
    QVERIFY(saysAll(refusalOf([&] { writeNpy("/nonexistent/x.npy", items[0].array); }, kind), "/nonexistent/x.npy"));
    QVERIFY(saysAll(refusalOf([&] { writeNpz("/nonexistent/x.npz", items, NpzPacking::Stored); }, kind),
                    "/nonexistent/x.npz"));
    QTemporaryDir folder;
    const std::vector<NpzItem> twice = {items[0], items[0]};
    const std::string file = folder.filePath("x.npz").toStdString();
    QVERIFY(saysAll(refusalOf([&] { writeNpz(file, twice, NpzPacking::Stored); }, kind), "x.npz"));
    QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
}

void NpyWriterTest::leavesNothingBehindWhenStopped() {
    QTemporaryDir folder;
    const std::vector<float> values(1000, 1.0f);
    const std::vector<NpzItem> items = {{"embeddings", npyView<float>(values, {1000, 1})}};
    std::stop_source source;
    source.request_stop();
    const JobContext job(source.get_token());
    const std::string npy = folder.filePath("x.npy").toStdString();
    const std::string npz = folder.filePath("x.npz").toStdString();
    QVERIFY_EXCEPTION_THROWN(writeNpy(npy, items[0].array, job), Cancelled);
    QVERIFY_EXCEPTION_THROWN(writeNpz(npz, items, NpzPacking::Deflated, job), Cancelled);
    QVERIFY(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
}

ASSAY_TEST(npy_writer_test, NpyWriterTest)
#include "npy_writer_test.moc"
