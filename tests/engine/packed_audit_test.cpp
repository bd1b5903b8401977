// An audit file that holds its inputs needs no others: it opens where they are gone, with the same samples and
// pictures.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/data/image_store.h"
#include "engine/demo/demo.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/store/database.h"
#include "engine/store/decisions.h"
#include "engine/store/replay.h"
#include "tests/engine/support/program_run.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <functional>
#include <memory>
#include <stop_token>
#include <sys/wait.h>
#include <unistd.h>

using namespace assay;

class PackedAuditTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void opensWithoutItsInputs();
    void staysReadableWhenReplaced();
    void packsTheDemo();
    void remembersWhichPicturesAreMissing();
    void canBeComputedAgain();
    void refusesAFlippedByte_data();
    void refusesAFlippedByte();
    void refusesWhatDoesNotFit();
    void showsNoPictureThatChangedLater();
    void stoppingLeavesNothing();
    void beingKilledLeavesNoFile();
    void theCommandPacks();

private:
    std::string path(const QString& name) const { return folder_.path(name).toStdString(); }
    static std::string refusal(const std::string& file);
    /// A copy of the packed file that was changed by SQL.
    std::string changed(const std::string& sql) const;

    test::InputFolder folder_;
    std::shared_ptr<const AuditResult> audit_;
    std::string file_;
    std::vector<std::vector<std::uint8_t>> pictures_; ///< of the model
};

static QByteArray picturesOf(std::size_t rows, int seed) {
    QByteArray pixels;
    for (std::size_t i = 0; i < rows * 40 * 30 * 3; ++i)
        pixels.append(static_cast<char>((i * 7 + i / 101 + static_cast<std::size_t>(seed)) % 251));
    return pixels;
}

/// With classes, ids and pictures, of more than one part.
static void writeArchive(const std::string& file, const test::Matrix& matrix, int seed) {
    const QByteArray pixels = picturesOf(matrix.rows, seed);
    std::vector<std::int64_t> labels, groups;
    std::u32string ids;
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        labels.push_back(static_cast<std::int64_t>(row % 3) * 5);
        groups.push_back(static_cast<std::int64_t>(row / 2));
        ids += U"s\u00e4";
        ids += static_cast<char32_t>(U'A' + row / 26);
        ids += static_cast<char32_t>(U'a' + row % 26);
    }
    const std::vector<NpzItem> items{
        {"reps", npyView<float>(matrix.values, {matrix.rows, matrix.dim})},
        {"labels", npyView<std::int64_t>(labels, {matrix.rows})},
        {"groups", npyView<std::int64_t>(groups, {matrix.rows})},
        {"ids", {"<U4", 16, {matrix.rows}, std::as_bytes(std::span(ids))}},
        {"images", npyView<std::uint8_t>(std::span(reinterpret_cast<const std::uint8_t*>(pixels.data()),
                                                   static_cast<std::size_t>(pixels.size())),
                                         {matrix.rows, 40, 30, 3})}};
    writeNpz(file, items, NpzPacking::Stored);
}

void PackedAuditTest::initTestCase() {
    folder_.write("real.npy", test::gaussian(160, 6, 1));
    folder_.write("held-out.npy", test::gaussian(120, 6, 5));
    writeArchive(path("model.npz"), test::gaussian(650, 6, 2), 3);
    AuditRequest request;
    request.real = readEmbeddings(path("real.npy"));
    request.models = {{"model", readEmbeddings(path("model.npz"))}};
    request.heldOut = readEmbeddings(path("held-out.npy"));
    audit_ = runAudit(request);
    const EmbeddingSet& set = *audit_->models[0]->set;
    QVERIFY(set.hasLabels() && set.hasIds() && set.images() != nullptr);
    for (std::size_t row = 0; row < set.rows(); ++row)
        pictures_.push_back(set.images()->pixels(row));
    file_ = path("packed.assay");
    writeAuditFile(*audit_, file_, {}, nullptr, {InputData::Packed});
    writeAuditFile(*audit_, path("light.assay"));
    QCOMPARE(inputDataOf(file_), InputData::Packed);
    QCOMPARE(inputDataOf(path("light.assay")), InputData::Referenced);
    for (const char* input : {"real.npy", "held-out.npy", "model.npz"})
        QVERIFY(QFile::remove(folder_.path(input)));
}

std::string PackedAuditTest::refusal(const std::string& file) {
    try {
        readAuditFile(file);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::BadInput ? error.what()
                                                   : "another kind of error: " + std::string(error.what());
    }
    return {};
}

static void compareSets(const EmbeddingSet& found, const EmbeddingSet& expected) {
    QCOMPARE(found.rows(), expected.rows());
    QCOMPARE(found.dim(), expected.dim());
    QCOMPARE(found.name(), expected.name());
    QCOMPARE(found.source().file, expected.source().file);
    QCOMPARE(found.source().key, expected.source().key);
    QCOMPARE(found.source().sha256, expected.source().sha256);
    QCOMPARE(found.source().notes, expected.source().notes);
    QVERIFY(std::memcmp(found.matrix().rowData(0), expected.matrix().rowData(0),
                        found.rows() * found.dim() * sizeof(float)) == 0);
    QCOMPARE(found.hasIds(), expected.hasIds());
    QCOMPARE(found.labels().code, expected.labels().code);
    QCOMPARE(found.labels().names, expected.labels().names);
    QCOMPARE(found.groups().code, expected.groups().code);
    QCOMPARE(found.groups().names, expected.groups().names);
    for (std::size_t row = 0; row < expected.rows(); ++row)
        QCOMPARE(found.idText(row), expected.idText(row));
    QCOMPARE(found.images() != nullptr, expected.images() != nullptr);
}

void PackedAuditTest::opensWithoutItsInputs() {
    QVERIFY(refusal(path("light.assay")).find("found no such file") != std::string::npos);
    QTemporaryDir other; // alone, as on another machine
    const std::string moved = other.filePath("sent.assay").toStdString();
    QVERIFY(QFile::copy(QString::fromStdString(file_), other.filePath("sent.assay")));
    const auto again = readAuditFile(moved);
    QCOMPARE(scoresAsJson(*again), scoresAsJson(*audit_));
    compareSets(*again->real->set, *audit_->real->set);
    compareSets(*again->models[0]->set, *audit_->models[0]->set);
    compareSets(*again->heldOut->audit->set, *audit_->heldOut->audit->set);
    QCOMPARE(syntheticScoresAsCsv(*again, *again->models[0]), syntheticScoresAsCsv(*audit_, *audit_->models[0]));
    const ImageStore& images = *again->models[0]->set->images();
    QCOMPARE(images.height(), std::size_t{40});
    QCOMPARE(images.width(), std::size_t{30});
    for (const std::size_t row : {std::size_t{0}, std::size_t{649}, std::size_t{300}})
        QVERIFY(images.pixels(row) == pictures_[row]);
    for (std::size_t row = 0; row < pictures_.size(); ++row)
        QVERIFY2(images.pixels(row) == pictures_[row], qPrintable(QString::number(row)));
    // Packed once more, from what was read: the same file again but for when it was written.
    writeAuditFile(*again, other.filePath("twice.assay").toStdString(), {}, nullptr, {InputData::Packed});
    const auto twice = readAuditFile(other.filePath("twice.assay").toStdString());
    QCOMPARE(scoresAsJson(*twice), scoresAsJson(*audit_));
    QVERIFY(twice->models[0]->set->images()->pixels(77) == pictures_[77]);
}

void PackedAuditTest::staysReadableWhenReplaced() {
    const QString copy = folder_.path("replaced 100%.assay"); // a name that a URI has to escape
    QVERIFY(QFile::copy(QString::fromStdString(file_), copy));
    const auto open = readAuditFile(copy.toStdString());
    const ImageStore& images = *open->models[0]->set->images();
    Decisions decisions;
    decisions.selected = SampleSet::all(syntheticSet(0), 650);
    for (int i = 0; i < 5; ++i)
        writeDecisions(copy.toStdString(), decisions, {{i + 1, "2026-01-01T00:00:00Z", "again"}});
    QVERIFY(images.pixels(640) == pictures_[640]);
    QVERIFY(QFile::remove(copy));
    QVERIFY(images.pixels(3) == pictures_[3]);
}

void PackedAuditTest::packsTheDemo() {
    const Demo demo = makeDemo();
    AuditRequest request;
    request.real = demo.real;
    request.models = {{demo.models[0]->name(), demo.models[0]}};
    request.options.tablesOnly = true;
    const auto audit = runAudit(request);
    writeAuditFile(*audit, path("demo.assay"), {}, nullptr, {InputData::Packed});
    const auto again = readAuditFile(path("demo.assay"));
    QCOMPARE(scoresAsJson(*again), scoresAsJson(*audit));
    QVERIFY(!again->real->set->images()->isInMemory()); // read from the file, not drawn again
    QVERIFY(again->real->set->images()->pixels(7) == demo.real->images()->pixels(7));
}

void PackedAuditTest::remembersWhichPicturesAreMissing() {
    const test::Matrix matrix = test::gaussian(30, 3, 8);
    EmbeddingParts parts;
    parts.name = "real";
    parts.rows = matrix.rows;
    parts.dim = matrix.dim;
    parts.values = FloatStorage(std::vector<float>(matrix.values));
    const auto dots = std::make_shared<const ImageStore>(std::vector<std::uint8_t>(2 * 3, 9), 2, 1, 1, 3);
    std::vector<std::uint32_t> rows(matrix.rows, 1);
    rows[4] = rows[29] = kNoPicture;
    parts.images = chosenPictures(dots, rows);
    AuditRequest request;
    request.real = std::make_shared<const EmbeddingSet>(std::move(parts));
    request.models = {{"model", request.real}};
    request.options.tablesOnly = true;
    writeAuditFile(*runAudit(request), path("some.assay"), {}, nullptr, {InputData::Packed});
    const auto again = readAuditFile(path("some.assay"));
    for (std::size_t row = 0; row < matrix.rows; ++row)
        QCOMPARE(again->real->set->images()->isMissing(row), rows[row] == kNoPicture);
}

void PackedAuditTest::canBeComputedAgain() {
    const auto record = readAuditFile(file_);
    const ReplayResult result = compareWithRecord(*record, *recompute(*record, {}));
    QVERIFY(result.holds());
    QVERIFY(result.compared > 1000);
    QCOMPARE(result.exact, result.compared);
}

std::string PackedAuditTest::changed(const std::string& sql) const {
    const QString copy = folder_.path("changed.assay");
    QFile::remove(copy);
    QFile::copy(QString::fromStdString(file_), copy);
    Database database(copy.toStdString(), Database::Mode::Write);
    database.run(sql);
    return copy.toStdString();
}

void PackedAuditTest::refusesAFlippedByte_data() {
    QTest::addColumn<QByteArray>("array");
    for (const char* array : {"real/packed/embeddings", "models/0/packed/embeddings", "models/0/packed/labels/code",
                              "models/0/packed/groups/code", "models/0/packed/ids/text", "models/0/packed/pictures/0",
                              "models/0/packed/pictures/2", "held_out/packed/embeddings"})
        QTest::newRow(array) << QByteArray(array);
}

void PackedAuditTest::refusesAFlippedByte() {
    QFETCH(QByteArray, array);
    const std::string file = changed("SELECT 1");
    {
        Database database(file, Database::Mode::Write);
        Statement row = database.prepare("SELECT data FROM array WHERE path = ?");
        QVERIFY(row.bind(array.toStdString()).step());
        std::vector<std::byte> bytes(row.blob(0).begin(), row.blob(0).end());
        QVERIFY(!row.step());
        bytes[bytes.size() / 3] ^= std::byte{16};
        Statement change = database.prepare("UPDATE array SET data = ? WHERE path = ?");
        change.bindBlob(bytes).bind(array.toStdString()).run();
    }
    const std::string found = refusal(file);
    const std::string expected =
        file + ": " + array.toStdString() + ": expected the bytes that were written, found others";
    QCOMPARE(found, expected);
}

void PackedAuditTest::refusesWhatDoesNotFit() {
    const auto refused = [&](const char* sql, const char* words) {
        const std::string found = refusal(changed(sql));
        QVERIFY2(found.find("changed.assay: ") != std::string::npos && found.find(words) != std::string::npos,
                 (std::string(sql) + ": '" + found + "'").c_str());
    };
    refused("UPDATE input SET rows = 161 WHERE id = 1", "expected 161 x 6 numbers, found 960");
    refused("UPDATE input SET dim = 0 WHERE id = 1", "expected 160 x 0 numbers");
    refused("DELETE FROM array WHERE path = 'models/0/packed/pictures/1'", "found them changed");
    refused("UPDATE value SET value = 1000000 WHERE path = 'models/0/packed/pictures/width'", "found them changed");
}

void PackedAuditTest::showsNoPictureThatChangedLater() {
    const std::string file = changed("SELECT 1");
    const auto open = readAuditFile(file);
    {
        Database database(file, Database::Mode::Write);
        database.run("UPDATE array SET data = zeroblob(length(data)) WHERE path = 'models/0/packed/pictures/1'");
    }
    const ImageStore& images = *open->models[0]->set->images();
    QVERIFY(images.pixels(0) == pictures_[0]);
    QVERIFY(images.pixels(400).empty());
}

void PackedAuditTest::stoppingLeavesNothing() {
    std::stop_source stop;
    bool packing = false;
    const JobContext job(stop.get_token(), [&](const Progress& progress) {
        packing = packing || progress.fraction > 0.6;
        if (packing)
            stop.request_stop();
    });
    QVERIFY_EXCEPTION_THROWN(writeAuditFile(*audit_, path("stopped.assay"), job, nullptr, {InputData::Packed}),
                             Cancelled);
    QVERIFY(packing);
    QVERIFY(QDir(folder_.path(QString())).entryList({"stopped.assay*"}).isEmpty());
}

void PackedAuditTest::beingKilledLeavesNoFile() {
    for (const double moment : {0.05, 0.3, 0.6, 0.9}) {
        const std::string file = path("killed.assay");
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            const JobContext job({}, [moment](const Progress& progress) {
                if (progress.fraction > moment)
                    kill(getpid(), SIGKILL);
            });
            writeAuditFile(*readAuditFile(file_), file, job, nullptr, {InputData::Packed});
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY2(WIFSIGNALED(status), qPrintable(QString::number(moment)));
        QVERIFY(!QFile::exists(QString::fromStdString(file)));
    }
}

void PackedAuditTest::theCommandPacks() {
    QTemporaryDir inputs;
    const test::Matrix matrix = test::gaussian(90, 5, 8);
    const std::string real = inputs.filePath("real.npy").toStdString();
    writeNpy(real, npyView<float>(matrix.values, {matrix.rows, matrix.dim}));
    const std::string model = inputs.filePath("model.npz").toStdString();
    writeArchive(model, test::gaussian(80, 5, 9), 1);
    const QString packed = folder_.path("command.assay");
    const QString before = folder_.path("before.json");
    const test::Run made =
        test::score({"--real", QString::fromStdString(real), "--synthetic", QString::fromStdString(model), "--out",
                     packed, "--pack", "--json", before, "--quiet"});
    QVERIFY2(made.exitCode == 0, made.err.constData());
    QVERIFY(inputs.remove());
    const auto bytesOf = [](const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QString after = folder_.path("after.json");
    const QString more = folder_.path("more.assay");
    const test::Run again = test::score({"--open", packed, "--json", after, "--out", more, "--quiet"});
    QVERIFY2(again.exitCode == 0, again.err.constData());
    QVERIFY(!bytesOf(before).isEmpty());
    QCOMPARE(bytesOf(after), bytesOf(before));
    // What goes on from it is as complete.
    QCOMPARE(inputDataOf(more.toStdString()), InputData::Packed);
    QCOMPARE(readHistory(more.toStdString()).size(), std::size_t{2});
    const test::Run replayed = test::score({"--replay", more});
    QVERIFY2(replayed.exitCode == 0, replayed.out.constData());
    const test::Run alone = test::score({"--open", packed, "--pack"});
    QCOMPARE(alone.exitCode, 2);
    QVERIFY2(alone.err.contains("--pack: expected with --out"), alone.err.constData());
}

ASSAY_TEST(packed_audit_test, PackedAuditTest)
#include "packed_audit_test.moc"
