// A folder of one .npy per clip: a sample is a clip or a frame, as one chooses; ids are the names of the files.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/sha256.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/pictures/picture_files.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/report/pages/report.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

using namespace assay;
using namespace assay::test;

namespace {

std::string floats(const std::string& shape, const std::vector<float>& values) {
    return npyFile("<f4", shape, bytesOf<float>(values));
}

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

std::vector<std::string> idsOf(const EmbeddingSet& set) {
    std::vector<std::string> ids;
    for (std::size_t row = 0; row < set.rows(); ++row)
        ids.push_back(set.idText(row));
    return ids;
}

using Texts = std::vector<std::string>;

} // namespace

class ClipFolderTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void averagesTheFramesOfAClip();
    void takesEachFrame();
    void asksWhatASampleIs();
    void needsNoChoiceForVectors_data();
    void needsNoChoiceForVectors();
    void modelsFollowTheRealSet();
    void refusesFramesBesideClips();
    void recordsWhatASampleIs();
    void foldersAreClasses();
    void hashesWhatSha256sumPrints();
    void leavesOtherFoldersAlone();
    void dropsClipsWithNan();
    void refuses_data();
    void refuses();

private:
    void write(const QString& name, const std::string& bytes) const {
        const QString full = folder_->filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(full).path()));
        QFile file(full);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), static_cast<qint64>(bytes.size()));
    }
    /// Clips of two features: a of 2 frames, b of 3.
    void writeClips(const QString& below) const {
        write(below + "/b.npy", floats("(3, 2)", {1, 2, 4, 6, 7, 1}));
        write(below + "/a.npy", floats("(2, 2)", {0, 1, 1, 3}));
    }
    std::string path(const QString& name) const { return folder_->filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

void ClipFolderTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void ClipFolderTest::averagesTheFramesOfAClip() {
    writeClips("clips");
    const auto set = readEmbeddings(path("clips") + ":clips");
    QCOMPARE(valuesOf(*set), (std::vector<float>{0.5F, 2, 4, 3}));
    QCOMPARE(idsOf(*set), (Texts{"a", "b"}));
    QCOMPARE(set->source().file, path("clips") + ":clips");
    QCOMPARE(set->name(), std::string("clips"));
    QVERIFY(
        saysAll(QString::fromStdString(set->source().notes.at(0)), "2 files, one sample a file|mean of its frames"));
    QVERIFY(saysAll(QString::fromStdString(set->preparation()->text()), "Each clip is one sample"));
}

void ClipFolderTest::takesEachFrame() {
    writeClips("clips");
    write("clips/notes.txt", "about them");
    const auto set = readEmbeddings(path("clips") + ":frames");
    QCOMPARE(valuesOf(*set), (std::vector<float>{0, 1, 1, 3, 1, 2, 4, 6, 7, 1}));
    QCOMPARE(idsOf(*set), (Texts{"a:0", "a:1", "b:0", "b:1", "b:2"}));
    QVERIFY(saysAll(QString::fromStdString(set->source().notes.at(0)), "2 files, one sample for each frame"));
    QVERIFY(saysAll(QString::fromStdString(set->source().notes.at(1)), "1 file left out|'notes.txt'"));
}

void ClipFolderTest::asksWhatASampleIs() {
    writeClips("clips");
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("clips")); }),
                    "expected a choice of what a sample is|2 clips|'a.npy' float32 [2, 2]|':clips'|':frames'"));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("clips") + ":seconds"); }), "'clips' or 'frames'|'seconds'"));
    const SetPreview preview = previewSet({path("clips")});
    QCOMPARE(preview.keys, (Texts{"clips", "frames"}));
    QVERIFY(preview.keysAreUnits);
    const SetPreview chosen = previewSet({path("clips") + ":frames"});
    QVERIFY(chosen.keys.empty());
    QCOMPARE(chosen.rows, std::size_t{5});
    QCOMPARE(chosen.firstIds.at(1), std::string("a:1"));
}

void ClipFolderTest::needsNoChoiceForVectors_data() {
    QTest::addColumn<std::string>("shape");
    QTest::newRow("one axis") << std::string("(2,)");
    QTest::newRow("one frame") << std::string("(1, 2)");
    QTest::newRow("one batch of one frame") << std::string("(1, 1, 2)");
}

void ClipFolderTest::needsNoChoiceForVectors() {
    QFETCH(const std::string, shape);
    write("clips/x.npy", floats(shape, {1, 2}));
    write("clips/y.npy", npyFile("<f8", shape, bytesOf<double>({3, 4.5})));
    const auto set = readEmbeddings(path("clips"));
    QCOMPARE(valuesOf(*set), (std::vector<float>{1, 2, 3, 4.5F}));
    QCOMPARE(idsOf(*set), (Texts{"x", "y"}));
    QVERIFY(previewSet({path("clips")}).keys.empty());
}

void ClipFolderTest::modelsFollowTheRealSet() {
    writeClips("real");
    writeClips("model");
    for (const auto& [key, rows] : {std::pair(":clips", 2U), std::pair(":frames", 5U)}) {
        const auto real = readEmbeddings(path("real") + key);
        ReadOptions options;
        options.preparation = real->preparation();
        QCOMPARE(readEmbeddings(path("model"), {}, options)->rows(), std::size_t{rows});
    }
}

void ClipFolderTest::refusesFramesBesideClips() {
    writeClips("real");
    writeClips("model");
    ReadOptions options;
    options.preparation = readEmbeddings(path("real") + ":clips")->preparation();
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("model") + ":frames", {}, options); }),
                    "expected one sample a clip, as in the real set|found one sample a frame"));
}

void ClipFolderTest::recordsWhatASampleIs() {
    for (int i = 0; i < 20; ++i) {
        const auto f = static_cast<float>(i);
        write(QString("real/%1.npy").arg(i, 2, 10, QLatin1Char('0')), floats("(2, 2)", {f, f * f, f + 1, 3 * f}));
    }
    AuditRequest request;
    request.real = readEmbeddings(path("real") + ":clips");
    request.models.push_back({"same", request.real});
    const auto audit = runAudit(request);
    QVERIFY(QString::fromStdString(scoresAsJson(*audit)).remove(' ').contains("\"sample\":\"clip\""));
    QVERIFY(QString::fromStdString(replayCommand(*audit)).contains("real:clips"));
    const std::string file = path("a.assay");
    writeAuditFile(*audit, file);
    const auto opened = readAuditFile(file);
    QVERIFY(opened->real->set->preparation()->clips == ClipSample::Mean);
    QCOMPARE(opened->real->set->rows(), std::size_t{20});
}

void ClipFolderTest::foldersAreClasses() {
    for (const char* name : {"cat/x", "dog/x", "dog/y"})
        write(QString("clips/%1.npy").arg(name), floats("(2, 2)", {1, 2, 3, 4}));
    const auto set = readEmbeddings(path("clips") + ":frames");
    QCOMPARE(idsOf(*set), (Texts{"cat/x:0", "cat/x:1", "dog/x:0", "dog/x:1", "dog/y:0", "dog/y:1"}));
    QCOMPARE(set->labelText(1), std::string("cat"));
    QCOMPARE(set->labelText(5), std::string("dog"));
}

void ClipFolderTest::hashesWhatSha256sumPrints() {
    writeClips("clips");
    const auto line = [&](const QString& name) {
        return sha256OfFile(path("clips/" + name)) + "  " + name.toStdString() + "\n";
    };
    const std::string lines = line("a.npy") + line("b.npy");
    QCOMPARE(readEmbeddings(path("clips") + ":clips")->source().sha256, sha256OfBytes(std::as_bytes(std::span(lines))));
}

void ClipFolderTest::leavesOtherFoldersAlone() {
    write("parts/img_emb_0.npy", floats("(2, 2)", {1, 2, 3, 4})); // clip-retrieval's
    QCOMPARE(readEmbeddings(path("parts"))->rows(), std::size_t{2});
    QVERIFY(!readEmbeddings(path("parts"))->hasIds());
    writeClips("pictures");
    for (int i = 0; i < 2; ++i)
        write(QString("pictures/%1.png").arg(i), "x");
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("pictures")); }), "found 2 files not to be decoded"));
    // Pictures that lie among clips are there to be looked at.
    write("both/x.png", pngBytes({std::vector<std::uint8_t>(12, 7), 2, 2, 3}));
    writeClips("both");
    QCOMPARE(readEmbeddings(path("both") + ":clips")->rows(), std::size_t{2});
    QCOMPARE(readPictureParts(path("both"), PictureOrder::Path, {}).ids, Texts{"x.png"});
}

void ClipFolderTest::dropsClipsWithNan() {
    writeClips("clips");
    write("clips/c.npy", floats("(1, 2)", {1, std::numeric_limits<float>::quiet_NaN()}));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("clips") + ":clips"); }), "c.npy|row 0, column 1"));
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    const auto set = readEmbeddings(path("clips") + ":clips", {}, options);
    QCOMPARE(idsOf(*set), (Texts{"a", "b"}));
    QCOMPARE(set->source().droppedRows, std::vector<std::size_t>{2});
}

void ClipFolderTest::refuses_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<QString>("says");
    QTest::newRow("another width") << floats("(1, 3)", {1, 2, 3}) << "z.npy|expected 2 features, as 'a.npy' has";
    QTest::newRow("three axes") << floats("(2, 2, 2)", {1, 2, 3, 4, 5, 6, 7, 8})
                                << "z.npy|one clip: an array [frames, features]";
    QTest::newRow("a number") << floats("()", {1}) << "z.npy|one clip";
    QTest::newRow("no frames") << floats("(0, 2)", {}) << "z.npy";
    QTest::newRow("text") << npyFile("<U1", "(2,)", std::string("a\0\0\0b\0\0\0", 8)) << "z.npy";
    QTest::newRow("cut") << floats("(3, 2)", {1, 2}) << "z.npy|truncated";
    QTest::newRow("no array") << std::string("hello") << "z.npy";
}

void ClipFolderTest::refuses() {
    QFETCH(const std::string, file);
    QFETCH(const QString, says);
    writeClips("clips");
    write("clips/z.npy", file);
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(path("clips") + ":clips"); }), says));
}

ASSAY_TEST(clip_folder_test, ClipFolderTest)
#include "clip_folder_test.moc"
