#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QCryptographicHash>
#include <QtTest>

using namespace assay;
using namespace assay::test;

class Sha256Test : public QObject {
    Q_OBJECT

private slots:
    void hashesKnownTexts_data();
    void hashesKnownTexts();
    void hashesAFileOfManyPieces();
    void stops();
    void refusesWhatIsNoFile();
};

void Sha256Test::hashesKnownTexts_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("hash");
    // FIPS 180-4's own examples.
    QTest::newRow("nothing") << std::string()
                             << std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << std::string("abc")
                         << std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << std::string("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

void Sha256Test::hashesKnownTexts() {
    QFETCH(std::string, text);
    QFETCH(std::string, hash);
    QCOMPARE(sha256OfBytes(asBytes(text)), hash);
    QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(text));
    file.close();
    QCOMPARE(sha256OfFile(file.fileName().toStdString()), hash);
}

void Sha256Test::hashesAFileOfManyPieces() {
    QByteArray bytes(3'500'000, '\0');
    for (qsizetype i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i * i / 7);
    QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    std::vector<double> progress;
    const JobContext job({}, [&](const Progress& p) { progress.push_back(p.fraction); });
    QCOMPARE(sha256OfFile(file.fileName().toStdString(), job),
             QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString());
    QVERIFY(progress.size() >= 4);
    QVERIFY(std::is_sorted(progress.begin(), progress.end()));
    QCOMPARE(progress.back(), 1.0);
}

void Sha256Test::stops() {
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("abc");
    file.flush();
    std::stop_source source;
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(sha256OfFile(file.fileName().toStdString(), JobContext(source.get_token())), Cancelled);
}

void Sha256Test::refusesWhatIsNoFile() {
    QVERIFY(saysAll(refusalOf([] { sha256OfFile("/nonexistent/x"); }), "/nonexistent/x|nothing of that name"));
    QVERIFY(saysAll(refusalOf([] { sha256OfFile("/"); }), "a folder"));
}

ASSAY_TEST(sha256_test, Sha256Test)
#include "sha256_test.moc"
