#include "engine/io/sets/read_embeddings.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;

class FileSpecTest : public QObject {
    Q_OBJECT

private slots:
    void splits_data();
    void splits();
    void prefersExistingFiles();
};

void FileSpecTest::splits_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("key");
    const auto row = [](const char* name, const char* text, const char* file, const char* key) {
        QTest::newRow(name) << std::string(text) << std::string(file) << std::string(key);
    };
    row("plain", "gan.npz", "gan.npz", "");
    row("with key", "gan.npz:reps", "gan.npz", "reps");
    row("in a folder", "a/b:c/gan.npz:reps", "a/b:c/gan.npz", "reps");
    row("key with colons", "gan.npz:a:b", "gan.npz", "a:b");
    row("key with slash", "gan.npz:a/b", "gan.npz", "a/b");
    row("MATLAB's", "gan.mat:x", "gan.mat", "x");
    row("empty key", "gan.npz:", "gan.npz", "");
    row("not an archive", "gan:reps", "gan:reps", "");
    row("nothing", "", "", "");
    row("only a colon", ":", ":", "");
}

void FileSpecTest::splits() {
    QFETCH(std::string, text);
    QFETCH(std::string, file);
    QFETCH(std::string, key);
    const FileSpec spec = parseFileSpec(text);
    QCOMPARE(spec.file, file);
    QCOMPARE(spec.key, key);
}

void FileSpecTest::prefersExistingFiles() {
    QTemporaryDir folder;
    const auto create = [&](const char* name) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot create a file");
        return file.fileName().toStdString();
    };
    const std::string odd = create("a.npz:b");
    QCOMPARE(parseFileSpec(odd).file, odd);
    QCOMPARE(parseFileSpec(odd).key, std::string());
    QCOMPARE(parseFileSpec(odd + ":c").file, odd);
    QCOMPARE(parseFileSpec(odd + ":c").key, std::string("c"));
    // An archive under any other name.
    const std::string plain = create("features");
    QCOMPARE(parseFileSpec(plain + ":x").file, plain);
    QCOMPARE(parseFileSpec(plain + ":x").key, std::string("x"));
}

ASSAY_TEST(file_spec_test, FileSpecTest)
#include "file_spec_test.moc"
