#include "engine/audit/run/audit.h"
#include "engine/data/embedding_set.h"
#include "engine/data/finite.h"
#include "engine/io/files/input_file.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <sys/resource.h>

using namespace assay;
using namespace assay::test;
using ByteOrder = NpyType::ByteOrder;
using Order = NpyHeader::Order;

namespace {

const ReadOptions kMapAll{.mapFrom = 0};
constexpr std::size_t kRows = 700;
constexpr std::size_t kDim = 450; // more than one piece of the check for NaN

void overwrite(const std::string& name, const std::string& bytes) {
    QFile file(QString::fromStdString(name)); // opened as numpy.save does: cut to nothing, then written
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(bytes)) < 0)
        qFatal("cannot write a test file");
}

/// The same bytes once more, without the moment at which the file is empty: touching it then would end this process.
void rewriteInPlace(const std::string& name, const std::string& bytes) {
    QFile file(QString::fromStdString(name));
    if (!file.open(QIODevice::ReadWrite) || file.write(QByteArray::fromStdString(bytes)) < 0)
        qFatal("cannot write a test file");
}

/// The kernel's clock for files moves in steps of a few milliseconds: a rewrite right after would have the same time.
void makeOld(const std::string& name) {
    std::filesystem::last_write_time(name, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

/// A .npy file of float32 whose elements begin at a multiple of 64, as NumPy writes them.
std::string aligned(std::size_t rows, std::size_t dim, const std::string& payload) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(dim) + "), }";
    header.resize(128 - 10 - 1, ' ');
    return rawNpy(header + "\n", payload);
}

std::string matrixFile(float first, const Matrix& matrix = gaussian(kRows, kDim, 1)) {
    std::vector<float> values = matrix.values;
    values[0] = first;
    return aligned(matrix.rows, matrix.dim, bytesOf(values));
}

std::vector<float> valuesOf(const EmbeddingSet& set) {
    return {set.matrix().data, set.matrix().data + set.rows() * set.dim()};
}

/// Whether two sets say the same about everything that a file determines.
bool sameSets(const EmbeddingSet& a, const EmbeddingSet& b) {
    return a.rows() == b.rows() && a.dim() == b.dim() && valuesOf(a) == valuesOf(b) && a.name() == b.name() &&
           a.source().file == b.source().file && a.source().key == b.source().key &&
           a.source().sha256 == b.source().sha256 && a.labels().names == b.labels().names;
}

} // namespace

class MappedInputTest : public QObject {
    Q_OBJECT

private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void readsTheSameAsACopy_data();
    void readsTheSameAsACopy();
    void looksAtTheFileItself_data();
    void looksAtTheFileItself();
    void anyDamagedArchiveIsReadAsACopyIs();
    void smallFilesAreCopied();
    void refusesInTheSameWords_data();
    void refusesInTheSameWords();
    void keepsTheOldContentWhenReplaced();
    void outlivesTheName();
    void tellsThatTheFileWasRewritten();
    void tellsOtherValuesOfTheSameSizeAndTime_data();
    void tellsOtherValuesOfTheSameSizeAndTime();
    void aCopyDoesNotCare();
    void anAuditOfAChangedFileIsRefused();
    void findsTheFirstOfManyOffenders();
    void theCheckStopsWhenAsked();
    void ofALargeArchiveOneArrayIsInMemory();

private:
    std::string save(const QString& name, const std::string& bytes) const {
        const std::string path = folder_->filePath(name).toStdString();
        overwrite(path, bytes);
        return path;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void MappedInputTest::readsTheSameAsACopy_data() {
    QTest::addColumn<std::string>("bytes");
    const std::vector<float> six = {1, -2, 3.5F, 0, 1e-45F, std::numeric_limits<float>::max()};
    QTest::newRow("float32") << matrixFile(1.0F);
    QTest::newRow("elements at an odd place")
        << rawNpy("{'descr':'<f4','fortran_order':False,'shape':(3,2)}", bytesOf(six));
    QTest::newRow("one column") << npyFile("<f4", "(6, 1)", bytesOf(six));
    QTest::newRow("float32, swapped") << npyFile(">f4", "(3, 2)", bytesOf(six, ByteOrder::Swapped));
    QTest::newRow("float32, Fortran") << npyFile("<f4", "(3, 2)", bytesOf(six), Order::Fortran);
    QTest::newRow("float64") << npyFile("<f8", "(2, 2)", bytesOf<double>({1, 2, 3, 0.1}));
    QTest::newRow("int32") << npyFile("<i4", "(2, 2)", bytesOf<std::int32_t>({1, 2, 3, -4}));
    const ZipItem labels{"labels.npy", npyFile("<i4", "(3,)", bytesOf<std::int32_t>({7, 8, 7}))};
    const ZipItem stored{"embeddings.npy", npyFile("<f4", "(3, 2)", bytesOf(six))};
    ZipItem packed = stored;
    packed.packing = ZipItem::Packing::Deflated;
    QTest::newRow("npz, stored") << zipFile({stored, labels});
    QTest::newRow("npz, stored, second") << zipFile({labels, stored});
    QTest::newRow("npz, deflated") << zipFile({packed, labels});
}

void MappedInputTest::readsTheSameAsACopy() {
    QFETCH(std::string, bytes);
    const std::string file = save("x.npy", bytes);
    const auto copied = readEmbeddings(file);
    const auto mapped = readEmbeddings(file, {}, kMapAll);
    QVERIFY(sameSets(*copied, *mapped));
    QCOMPARE(mapped->source().sha256, sha256OfFile(file));
    QVERIFY(sameSets(*copied, *readEmbeddings(file, {}, {.mapFrom = 0, .threads = 1})));
}

void MappedInputTest::looksAtTheFileItself_data() {
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<bool>("mapped");
    QTest::newRow("npy") << matrixFile(1.0F) << true;
    QTest::newRow("npy, elements at an odd place") << npyFile("<f4", "(1, 1)", bytesOf<float>({1})) << false;
    // 30 bytes and the name come before an entry's data.
    const ZipItem stored{"embeddings.npy", aligned(2, 2, bytesOf<float>({1, 2, 3, 4}))};
    const ZipItem labels{"labels.npy", npyFile("|i1", "(2,)", "ab")};
    QTest::newRow("npz, stored") << zipFile({stored, labels}) << true;
    ZipItem wide = stored;
    wide.sizes = ZipItem::Sizes::Zip64;
    QTest::newRow("npz, zip64") << zipFile({wide, labels}) << true;
    QTest::newRow("npz, second entry") << zipFile({{"x.npy", std::string(25, 'x')}, stored}) << true;
    ZipItem odd = stored;
    odd.name = "reps.npy";
    QTest::newRow("npz, odd place") << zipFile({{"x.npy", std::string(22, 'x')}, odd}) << false;
    ZipItem packed = stored;
    packed.packing = ZipItem::Packing::Deflated;
    QTest::newRow("npz, deflated") << zipFile({packed}) << false;
}

void MappedInputTest::looksAtTheFileItself() {
    QFETCH(std::string, bytes);
    QFETCH(bool, mapped);
    const std::string file = save("x.npy", bytes);
    const auto set = readEmbeddings(file, {}, kMapAll);
    QCOMPARE(set->matrix().data[0], 1.0F);
    // The kernel lists what lies where: the values lie in the file.
    QFile maps("/proc/self/maps");
    QVERIFY(maps.open(QIODevice::ReadOnly));
    const auto at = reinterpret_cast<std::uintptr_t>(set->matrix().data);
    bool found = false;
    for (const QByteArray& line : maps.readAll().split('\n')) {
        const QList<QByteArray> range = line.split(' ').first().split('-');
        found = found || (range.size() == 2 && range[0].toULongLong(nullptr, 16) <= at &&
                          at < range[1].toULongLong(nullptr, 16) && line.endsWith(QByteArray::fromStdString(file)));
    }
    QCOMPARE(found, mapped);
}

void MappedInputTest::anyDamagedArchiveIsReadAsACopyIs() {
    const ZipItem stored{"embeddings.npy", aligned(2, 2, bytesOf<float>({1, 2, 3, 4})), ZipItem::Packing::Stored,
                         ZipItem::Sizes::Zip64};
    const std::string whole = zipFile({{"labels.npy", npyFile("|i1", "(2,)", "ab")}, stored});
    const auto read = [](const std::string& file, const ReadOptions& options) {
        QString said;
        const QString refused = refusalOf([&] {
            const auto set = readEmbeddings(file, {}, options);
            for (const float value : valuesOf(*set))
                said += QString::number(value) + " ";
        });
        return said.isEmpty() ? refused : said;
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char bits : {'\x01', '\xff'}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ bits);
            const std::string file = save("x.npz", damaged);
            QCOMPARE(read(file, kMapAll), read(file, {}));
        }
    }
}

void MappedInputTest::smallFilesAreCopied() {
    const std::string bytes = matrixFile(1.0F);
    const std::string file = save("x.npy", bytes);
    const auto isMapped = [&](std::uint64_t from) {
        const auto set = readEmbeddings(file, {}, {.mapFrom = from});
        overwrite(file, bytes + "x");
        const bool noticed = refusalOf([&] { set->requireUnchanged(); }).contains("changed");
        overwrite(file, bytes);
        return noticed;
    };
    QVERIFY(isMapped(bytes.size()));
    QVERIFY(!isMapped(bytes.size() + 1));
    QVERIFY(!isMapped(ReadOptions::neverMap));
}

void MappedInputTest::refusesInTheSameWords_data() {
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("key");
    const std::string none;
    const std::string four = bytesOf<float>({1, 2, 3, 4});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    QTest::newRow("NaN") << aligned(2, 2, bytesOf<float>({1, 2, 3, nan})) << none;
    QTest::newRow("infinite") << aligned(2, 2, bytesOf<float>({1, -infinity, 3, nan})) << none;
    QTest::newRow("truncated") << aligned(2, 2, four.substr(4)) << none;
    QTest::newRow("further bytes") << aligned(2, 2, four + four) << none;
    QTest::newRow("a byte more") << aligned(2, 2, four + "x") << none;
    QTest::newRow("empty") << aligned(0, 4, none) << none;
    QTest::newRow("objects") << npyFile("|O", "(2, 2)", four) << none;
    QTest::newRow("1-D") << npyFile("<f4", "(4,)", four) << none;
    QTest::newRow("a product that wraps") << aligned(4611686018427387905, 4, four) << none;
    QTest::newRow("no header") << std::string(npyMagic) << none;
    QTest::newRow("a key") << npyFile("<f4", "(2, 2)", four) << std::string(":reps");
    QTest::newRow("other content") << std::string("hello, world") << none;
    QTest::newRow("an empty file") << none << none;
    const auto archive = [](const std::string& npy) { return zipFile({{"reps.npy", npy}, {"ids.npy", npy}}); };
    const std::string bad = npyFile("<f4", "(2, 2)", bytesOf<float>({1, 2, nan, 4}));
    QTest::newRow("NaN in an archive, aligned")
        << zipFile({{"reps__.npy", aligned(2, 2, bytesOf<float>({1, 2, nan, 4}))}}) << std::string(":reps__");
    QTest::newRow("NaN in an archive") << zipFile({{"reps.npy", bad}}) << none;
    QTest::newRow("NaN under a key") << zipFile({{"reps.npy", bad}}) << std::string(":reps");
    QTest::newRow("bad ids") << archive(npyFile("<f4", "(2, 2)", four)) << none;
    QTest::newRow("wrong checksum") << zipFile({{.name = "reps.npy", .data = npyFile("<f4", "(2, 2)", four), .crc = 1}})
                                    << none;
    QTest::newRow("cut archive") << archive(npyFile("<f4", "(2, 2)", four)).substr(0, 300) << none;
}

void MappedInputTest::refusesInTheSameWords() {
    QFETCH(std::string, bytes);
    QFETCH(std::string, key);
    const std::string file = save("x.npz", bytes) + key;
    const QString copied = refusalOf([&] { readEmbeddings(file); });
    QVERIFY2(copied.contains("expected"), qPrintable(copied));
    QCOMPARE(refusalOf([&] { readEmbeddings(file, {}, kMapAll); }), copied);
}

void MappedInputTest::keepsTheOldContentWhenReplaced() {
    const std::string file = save("x.npy", matrixFile(1.0F));
    const auto set = readEmbeddings(file, {}, kMapAll);
    const std::vector<float> before = valuesOf(*set);
    const std::string hash = set->source().sha256;
    std::filesystem::rename(save("new.npy", matrixFile(2.0F)), file);
    QVERIFY(valuesOf(*set) == before);
    set->requireUnchanged(); // what was opened is as it was, whatever bears its name now
    const auto again = readEmbeddings(file, {}, kMapAll);
    QCOMPARE(again->matrix().data[0], 2.0F);
    QVERIFY(again->source().sha256 != hash);
}

void MappedInputTest::outlivesTheName() {
    const std::string file = save("x.npy", matrixFile(1.0F));
    const auto set = readEmbeddings(file, {}, kMapAll);
    const std::vector<float> before = valuesOf(*set);
    std::filesystem::remove(file);
    QVERIFY(valuesOf(*set) == before);
    set->requireUnchanged();
}

void MappedInputTest::tellsThatTheFileWasRewritten() {
    const std::string file = save("x.npy", matrixFile(1.0F));
    makeOld(file);
    const auto set = readEmbeddings(file, {}, kMapAll);
    set->requireUnchanged();
    overwrite(file, matrixFile(2.0F)); // of the same length
    QVERIFY(saysAll(refusalOf([&] { set->requireUnchanged(); }), "x.npy|expected a file that stays as it is|changed"));
}

void MappedInputTest::tellsOtherValuesOfTheSameSizeAndTime_data() {
    QTest::addColumn<std::size_t>("at");
    for (const std::size_t at : {std::size_t{0}, kRows * kDim / 2, kRows * kDim - 1})
        QTest::addRow("value %zu", at) << at;
}

void MappedInputTest::tellsOtherValuesOfTheSameSizeAndTime() {
    QFETCH(std::size_t, at);
    Matrix matrix = gaussian(kRows, kDim, 1);
    const std::string file = save("x.npy", aligned(kRows, kDim, bytesOf(matrix.values)));
    makeOld(file);
    const auto time = std::filesystem::last_write_time(file);
    const auto set = readEmbeddings(file, {}, kMapAll);
    matrix.values[at] += 1.0F;
    rewriteInPlace(file, aligned(kRows, kDim, bytesOf(matrix.values)));
    std::filesystem::last_write_time(file, time); // as a copy that keeps times does
    QVERIFY(saysAll(refusalOf([&] { set->requireUnchanged(); }), "x.npy|stays as it is|changed"));
}

void MappedInputTest::aCopyDoesNotCare() {
    const std::string file = save("x.npy", matrixFile(1.0F));
    const auto set = readEmbeddings(file);
    overwrite(file, "gone");
    set->requireUnchanged();
    QCOMPARE(set->matrix().data[0], 1.0F);
}

void MappedInputTest::anAuditOfAChangedFileIsRefused() {
    const auto real = asSet(gaussian(200, 20, 3), "real");
    const std::string bytes = matrixFile(1.0F, gaussian(300, 20, 4));
    const std::string file = save("gan.npy", bytes);
    for (const bool asReal : {false, true}) {
        overwrite(file, bytes);
        makeOld(file);
        const auto mapped = readEmbeddings(file, {}, kMapAll);
        AuditRequest request{asReal ? mapped : real, {{"m", asReal ? real : mapped}}, {}, {}};
        QCOMPARE(runAudit(request)->models.size(), std::size_t{1});
        // Rewritten while the audit runs, once it says that it does.
        bool rewritten = false;
        const JobContext job({}, [&](const Progress&) {
            if (!std::exchange(rewritten, true))
                rewriteInPlace(file, bytes);
        });
        QVERIFY(saysAll(refusalOf([&] { runAudit(request, job); }), "gan.npy|stays as it is|changed"));
    }
}

void MappedInputTest::findsTheFirstOfManyOffenders() {
    std::vector<float> values(3'000'000, 1.0F);
    QCOMPARE(inspect(values, 4, {}).firstNotFinite, values.size());
    QCOMPARE(inspect(values, 4, {}).largest, 1.0F);
    QCOMPARE(inspect({}, 4, {}).firstNotFinite, std::size_t{0});
    QCOMPARE(inspect({}, 4, {}).largest, 0.0F);
    for (const std::size_t at : {2'999'999UL, 1'000'003UL, 0UL}) {
        values[at] = -2.5F - values[0];
        QCOMPARE(inspect(values, 4, {}).largest, -values[at]);
        values[at] = 1.0F;
    }
    for (const std::size_t at : {2'999'999UL, 2'500'000UL, 600'001UL, 262'144UL, 262'143UL, 0UL}) {
        values[at] = at % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
        QCOMPARE(inspect(values, 4, {}).firstNotFinite, at); // those behind it are still there
    }
    std::fill(values.begin(), values.end(), std::numeric_limits<float>::max());
    QCOMPARE(inspect(values, 4, {}).firstNotFinite, values.size());
    QCOMPARE(inspect(values, 4, {}).largest, std::numeric_limits<float>::max());
}

void MappedInputTest::theCheckStopsWhenAsked() {
    EmbeddingParts parts;
    parts.rows = 3000;
    parts.dim = 1000;
    parts.values = FloatStorage(std::vector<float>(parts.rows * parts.dim, 1.0F));
    const std::string failure =
        stopFailure([&](const JobContext& job) { const EmbeddingSet set(parts, job, 2); }, 10); // one a megabyte
    QVERIFY2(failure.empty(), failure.c_str());
    std::stop_source stopped;
    stopped.request_stop();
    parts.rows = parts.dim = 1;
    parts.values = std::vector<float>{1.0F};
    QVERIFY_EXCEPTION_THROWN(EmbeddingSet(parts, JobContext(stopped.get_token())), Cancelled);
}

void MappedInputTest::ofALargeArchiveOneArrayIsInMemory() {
    // Three GiB of which the disk holds next to nothing: zeros behind the header of the second array.
    constexpr std::uint64_t kHole = std::uint64_t{3} << 30;
    const std::string other = aligned(kHole / 400, 100, {});
    const auto claimed = std::optional<std::uint64_t>(other.size() + kHole);
    const Matrix matrix = gaussian(300, 6, 1);
    std::string start =
        zipFile({{"embeddings.npy", aligned(300, 6, bytesOf(matrix.values))},
                 {.name = "other.npy", .data = other, .claimedSize = claimed, .claimedPackedSize = claimed}});
    const std::size_t directory = start.find("PK\x01\x02");
    std::string end = start.substr(directory);
    start.resize(directory);
    const auto at = static_cast<std::uint32_t>(directory + kHole);
    std::memcpy(end.data() + end.size() - 6, &at, sizeof at); // where the directory begins
    const InputFolder folder;
    const QString large = folder.path("large.npz");
    QFile file(large);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(QByteArray::fromStdString(start)) > 0 && file.seek(static_cast<qint64>(at)) &&
            file.write(QByteArray::fromStdString(end)) > 0);
    file.close();
    const Run run = score({"--real", folder.write("real.npy", gaussian(300, 6, 2)), "--synthetic", large, "--quick"});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    struct rusage usage {};
    QCOMPARE(getrusage(RUSAGE_CHILDREN, &usage), 0);
    QVERIFY2(usage.ru_maxrss < (1 << 20), qPrintable(QString::number(usage.ru_maxrss))); // KiB
}

ASSAY_TEST(mapped_input_test, MappedInputTest)
#include "mapped_input_test.moc"
