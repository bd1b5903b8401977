// Files that Python has converted are kept up to a limit; a shell script plays Python.
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/sets/python_converter.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <filesystem>

using namespace assay;

class ConversionCacheTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void whatWasUsedLongestAgoIsRemoved();
    void aFolderThatCannotBeReadIsAnError();

private:
    SetFiles file(const QString& name) const { return {.embeddings = folder_.filePath(name).toStdString()}; }
    bool isKept(const QString& name) const { return keptConversion(file(name), converter_).has_value(); }
    /// As if the conversion had last been used that many hours ago.
    void age(const QString& name, int hours) const {
        const auto kept = keptConversion(file(name), converter_);
        QVERIFY(kept.has_value());
        std::filesystem::last_write_time(std::filesystem::path(kept->embeddings).parent_path(),
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
    }

    QTemporaryDir folder_;
    PythonConverter converter_;
};

void ConversionCacheTest::init() {
    const QString python = folder_.filePath("python");
    writeFileAtomically(python.toStdString(), "#!/bin/sh\nhead -c 1000 /dev/zero > \"$4\"\n"); // -B SCRIPT IN OUT
    QVERIFY(QFile::setPermissions(python, QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner));
    QDir(folder_.filePath("cache")).removeRecursively();
    converter_ = {.python = python.toStdString(), .script = "none", .folder = folder_.filePath("cache").toStdString()};
    for (const char* name : {"a", "b", "c"}) {
        writeFileAtomically(folder_.filePath(QString(name) + ".jsonl").toStdString(), name);
    }
}

void ConversionCacheTest::whatWasUsedLongestAgoIsRemoved() {
    converter_.mostBytes = 2500;
    convertedByPython(file("a.jsonl"), converter_);
    convertedByPython(file("b.jsonl"), converter_);
    QVERIFY(isKept("a.jsonl") && isKept("b.jsonl"));
    age("a.jsonl", 1);
    age("b.jsonl", 2);
    convertedByPython(file("c.jsonl"), converter_);
    QVERIFY(isKept("a.jsonl") && !isKept("b.jsonl") && isKept("c.jsonl"));
    converter_.mostBytes = 10; // what was just made stays
    convertedByPython(file("b.jsonl"), converter_);
    QVERIFY(!isKept("a.jsonl") && isKept("b.jsonl") && !isKept("c.jsonl"));
}

void ConversionCacheTest::aFolderThatCannotBeReadIsAnError() {
    QVERIFY(QFile::link("nowhere", folder_.filePath("cache")));
    const QString message =
        test::refusalOf([&] { convertedByPython(file("a.jsonl"), converter_); }, ErrorKind::WriteFailed);
    QVERIFY2(message.contains("a.jsonl"), qPrintable(message));
    QFile::remove(folder_.filePath("cache"));
}

ASSAY_TEST(conversion_cache_test, ConversionCacheTest)
#include "conversion_cache_test.moc"
