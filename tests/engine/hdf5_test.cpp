// Files of HDF5, made by the C library itself where the build has it, and by h5py where that is installed.
#include "engine/data/embedding_set.h"
#include "engine/data/image_store.h"
#include "engine/io/programs/child_process.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/hdf5_writer.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <thread>

using namespace assay;
using namespace assay::test;

namespace {

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

/// 0, 1, 2, ...
template <typename T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<T>(i);
    return values;
}

#ifdef ASSAY_HAVE_HDF5
/// Whether a process with that text in its command line is running.
bool isRunning(const std::string& text) {
    QProcess list;
    list.start("ps", {"-eo", "stat,args"});
    list.waitForFinished();
    for (const QByteArray& line : list.readAllStandardOutput().split('\n'))
        if (!line.startsWith('Z') && line.contains(text.c_str()))
            return true;
    return false;
}

/// A program in place of assay-hdf5.
std::string script(const QTemporaryDir& folder, const QString& commands) {
    QFile program(folder.filePath("reader"));
    if (!program.open(QIODevice::WriteOnly))
        qFatal("cannot write a file");
    program.write("#!/bin/sh\n" + commands.toUtf8() + "\n");
    program.close();
    program.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    return program.fileName().toStdString();
}

hid_t halfType() {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

hid_t textType(std::size_t bytes, H5T_str_t padding = H5T_STR_NULLTERM) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, padding);
    return type;
}
#endif

} // namespace

class Hdf5Test : public QObject {
    Q_OBJECT

private slots:
    void init();
    void recognisesTheFileInEveryBuild();
#ifdef ASSAY_HAVE_HDF5
    void readsEveryType_data();
    void readsEveryType();
    void readsEveryStorage_data();
    void readsEveryStorage();
    void readsOtherFilters();
    void takesCompanionsOfTheGroup();
    void readsTextOfFixedLength();
    void offersAChoice();
    void readsSeries();
    void readsBehindAUserBlock();
    void readsMatlabInItsOrientation_data();
    void readsMatlabInItsOrientation();
    void readsSeriesOfMatlab();
    void classesMayBeDoubles_data();
    void classesMayBeDoubles();
    void readsALargeFileWhereItLies();
    void readsPicturesBesideEmbeddings();
    void dropsRowsAndSubtractsOffsets();
    void followsSoftLinksWithinTheFile();
    void followsNoLinkToAnotherFile();
    void refuses_data();
    void refuses();
    void refusesDamagedChunks();
    void stopsWithinABand();
    void survivesWhatTheLibraryDoesNot_data();
    void survivesWhatTheLibraryDoesNot();
    void unpacksWithinItsMemory();
    void saysWhenMemoryRunsOut();
    void isFoundInLibexec();
    void stopEndsTheReader();
    void readerEndsWithItsParent();
#endif
    void readsWhatH5pyWrites();

private:
    std::string name() const {
        return folder_->filePath("set.h5").toStdString();
    }
    std::shared_ptr<const EmbeddingSet> read(const std::string& key = {}) const {
        return readEmbeddings(name() + (key.empty() ? std::string() : ':' + key));
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void Hdf5Test::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void Hdf5Test::recognisesTheFileInEveryBuild() {
    const std::string signature = "\x89HDF\r\n\x1a\n";
#ifdef ASSAY_HAVE_HDF5
    const QString says = "an HDF5 file";
#else
    const QString says = "HDF5, which it was built without: install libhdf5-dev";
#endif
    for (const std::size_t at : {0, 512, 1024, 4096, 65'536}) {
        const std::string file = std::string(at, ' ') + signature + "nothing else";
        QVERIFY(saysAll(refusalOf([&] { readEmbeddingsFromMemory("set.h5", asBytes(file)); }), says));
    }
}

#ifdef ASSAY_HAVE_HDF5
void Hdf5Test::readsEveryType_data() {
    QTest::addColumn<qint64>("type");
    const auto row = [](const char* title, hid_t type) { QTest::newRow(title) << static_cast<qint64>(type); };
    row("float16", halfType());
    row("float32", H5T_IEEE_F32LE);
    row("float32, big-endian", H5T_IEEE_F32BE);
    row("float64", H5T_IEEE_F64LE);
    row("float64, big-endian", H5T_IEEE_F64BE);
    row("int8", H5T_STD_I8LE);
    row("uint8", H5T_STD_U8LE);
    row("int16", H5T_STD_I16BE);
    row("uint16", H5T_STD_U16LE);
    row("int32", H5T_STD_I32LE);
    row("uint32", H5T_STD_U32BE);
    row("int64", H5T_STD_I64LE);
    row("uint64", H5T_STD_U64BE);
}

void Hdf5Test::readsEveryType() {
    QFETCH(const qint64, type);
    {
        const std::vector<double> values = counted<double>(12);
        const H5Writer file(name());
        file.dataset("any name", {6, 2}, static_cast<hid_t>(type), H5T_NATIVE_DOUBLE, values.data());
    }
    const auto set = read();
    QCOMPARE(set->rows(), std::size_t{6});
    QCOMPARE(set->dim(), std::size_t{2});
    QCOMPARE(set->source().key, std::string("any name"));
    QCOMPARE(valuesOf(*set), counted<float>(12));
}

void Hdf5Test::readsEveryStorage_data() {
    QTest::addColumn<std::vector<quint64>>("chunk");
    QTest::addColumn<QString>("filters");
    for (const char* filters : {"", "gzip", "shuffle", "checksum", "shuffle gzip", "shuffle gzip checksum"})
        for (const std::vector<quint64>& chunk :
             {std::vector<quint64>{1, 1}, {3, 2}, {7, 5}, {4, 5}, {7, 2}, {100, 100}, {2, 100}})
            QTest::addRow("%s chunks of %llu x %llu", filters, chunk[0], chunk[1]) << chunk << filters;
    QTest::newRow("compact") << std::vector<quint64>{} << "compact";
    QTest::newRow("contiguous") << std::vector<quint64>{} << "";
}

void Hdf5Test::readsEveryStorage() {
    QFETCH(const std::vector<quint64>, chunk);
    QFETCH(const QString, filters);
    const Storage storage{{chunk.begin(), chunk.end()},
                          filters.contains("shuffle"),
                          filters.contains("gzip"),
                          filters.contains("checksum"),
                          filters == "compact"};
    {
        const std::vector<float> values = counted<float>(35);
        // A chunk larger than a fixed shape is refused by the library, so such a dataset can grow.
        const H5Writer file(name());
        if (!chunk.empty() && (chunk[0] > 7 || chunk[1] > 5)) {
            const std::vector<hsize_t> shape{7, 5}, most{H5S_UNLIMITED, H5S_UNLIMITED};
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(properties, 2, storage.chunk.data());
            if (storage.shuffle)
                H5Pset_shuffle(properties);
            if (storage.gzip)
                H5Pset_deflate(properties, 6);
            if (storage.checksum)
                H5Pset_fletcher32(properties);
            const hid_t space = H5Screate_simple(2, shape.data(), most.data());
            const hid_t made = H5Dcreate2(file.id(), "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
            H5Dwrite(made, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            H5Dclose(made);
            H5Sclose(space);
            H5Pclose(properties);
        } else {
            file.floats("x", {7, 5}, values, storage);
        }
    }
    QCOMPARE(valuesOf(*read()), counted<float>(35));
}

/// Filters of the library that are not common.
void Hdf5Test::readsOtherFilters() {
    const std::vector<int> values = counted<int>(64);
    const std::vector<hsize_t> shape{32, 2};
    for (const char* filter : {"szip", "scaleoffset", "nbit"}) {
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(properties, 2, std::vector<hsize_t>{16, 2}.data());
        unsigned abilities = 0;
        if (filter == std::string("szip")) {
            H5Zget_filter_info(H5Z_FILTER_SZIP, &abilities);
            if ((abilities & H5Z_FILTER_CONFIG_ENCODE_ENABLED) == 0)
                continue;
            H5Pset_szip(properties, H5_SZIP_NN_OPTION_MASK, 8);
        } else if (filter == std::string("nbit")) {
            H5Pset_nbit(properties);
        } else {
            H5Pset_scaleoffset(properties, H5Z_SO_INT, 0);
        }
        {
            const H5Writer file(name());
            const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
            const hid_t made = H5Dcreate2(file.id(), "x", H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
            QVERIFY2(H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, filter);
            H5Dclose(made);
            H5Sclose(space);
        }
        H5Pclose(properties);
        QCOMPARE(valuesOf(*read()), counted<float>(64));
    }
}

void Hdf5Test::takesCompanionsOfTheGroup() {
    {
        const H5Writer file(name());
        file.group("a");
        file.group("a/b");
        file.floats("a/b/embeddings", {3, 2}, counted<float>(6), {{2, 2}, true, true});
        const std::vector<int> labels{7, 3, 7};
        file.dataset("a/b/labels", {3}, H5T_STD_I16BE, H5T_NATIVE_INT, labels.data());
        file.dataset("a/b/groups", {3}, textType(2), textType(2), "p1p2p1");
        const char* const ids[] = {"one", "", "drei \xc3\xa4"};
        for (const char* key : {"a/b/ids", "ids"})
            file.dataset(key, {3}, textType(H5T_VARIABLE), textType(H5T_VARIABLE), ids, {{2}, false, true});
        const std::vector<std::uint8_t> images = counted<std::uint8_t>(3 * 2 * 2 * 3);
        file.dataset("a/b/images", {3, 2, 2, 3}, H5T_STD_U8LE, H5T_NATIVE_UINT8, images.data(), {{1, 2, 2, 2}});
    }
    for (const char* key : {"", "a/b/embeddings", "/a/b/embeddings"}) {
        const auto set = read(key);
        QCOMPARE(valuesOf(*set), counted<float>(6));
        QCOMPARE(set->labelText(0), std::string("7"));
        QCOMPARE(set->labelText(1), std::string("3"));
        QCOMPARE(set->groups().names, (std::vector<std::string>{"p1", "p2"}));
        QCOMPARE(set->groupText(2), std::string("p1"));
        QCOMPARE(set->idText(0), std::string("one"));
        QCOMPARE(set->idText(2), std::string("drei \xc3\xa4"));
        QVERIFY(set->images());
        QCOMPARE(set->images()->pixels(2), (std::vector<std::uint8_t>{24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35}));
    }
}

void Hdf5Test::readsTextOfFixedLength() {
    {
        const H5Writer file(name());
        file.floats("embeddings", {2, 1}, {1, 2});
        file.dataset("ids", {2}, textType(4, H5T_STR_SPACEPAD), textType(4, H5T_STR_SPACEPAD), "a   bcde");
        file.dataset("labels", {2}, textType(4), textType(4), "x\0zzyes\0", {{}, false, false, false, true});
    }
    const auto set = read();
    QCOMPARE(set->idText(0), std::string("a"));
    QCOMPARE(set->idText(1), std::string("bcde"));
    QCOMPARE(set->labelText(0), std::string("x"));
    QCOMPARE(set->labelText(1), std::string("yes"));
}

void Hdf5Test::offersAChoice() {
    {
        const H5Writer file(name());
        file.group("g");
        file.floats("g/x", {2, 1}, {1, 2});
        file.floats("y", {2, 1}, {3, 4});
    }
    QVERIFY(saysAll(refusalOf([&] { read(); }), "found 2: 'g/x' float32 [2, 1]; 'y' float32 [2, 1]|:key"));
    QCOMPARE(candidateKeys(name()), (std::vector<std::string>{"g/x", "y"}));
    QCOMPARE(valuesOf(*read("g/x")), (std::vector<float>{1, 2}));
    QCOMPARE(valuesOf(*read("/y")), (std::vector<float>{3, 4}));
    QVERIFY(saysAll(refusalOf([&] { read("g"); }), "a tensor 'g'"));
    QVERIFY(saysAll(refusalOf([&] { read("g/../y"); }), "a tensor 'g/../y'"));
}

void Hdf5Test::readsSeries() {
    {
        const H5Writer file(name());
        file.floats("series", {2, 3, 2}, counted<float>(12), {{1, 2, 2}, true, true});
    }
    const auto set = read();
    QCOMPARE(set->dim(), std::size_t{6});
    QCOMPARE(set->source().builtIn, std::string("series-flattened"));
}

void Hdf5Test::readsBehindAUserBlock() {
    {
        const H5Writer file(name(), 1024);
        file.floats("embeddings", {3, 2}, counted<float>(6));
        const char* const ids[] = {"one", "two", "three"};
        file.dataset("ids", {3}, textType(H5T_VARIABLE), textType(H5T_VARIABLE), ids);
        file.floats("chunked", {3, 2}, counted<float>(6), {{2, 1}, true, true});
    }
    QCOMPARE(valuesOf(*read()), counted<float>(6));
    QCOMPARE(read()->idText(2), std::string("three"));
    QCOMPARE(valuesOf(*read("chunked")), counted<float>(6));
}

void Hdf5Test::readsMatlabInItsOrientation_data() {
    QTest::addColumn<bool>("hasHeader");
    QTest::addColumn<bool>("inChunks");
    for (const bool hasHeader : {false, true})
        for (const bool inChunks : {false, true})
            QTest::addRow("%s, %s", hasHeader ? "by the header" : "by an attribute", inChunks ? "chunks" : "whole")
                << hasHeader << inChunks;
}

/// MATLAB's matrix of 4 rows and 3 columns, whose row r is 3 r, 3 r + 1, 3 r + 2, has the axes (3, 4) in HDF5.
void Hdf5Test::readsMatlabInItsOrientation() {
    QFETCH(const bool, hasHeader);
    QFETCH(const bool, inChunks);
    {
        const H5Writer file(name(), 512);
        file.floats("x", {3, 4}, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11},
                    inChunks ? Storage{{2, 3}, true, true} : Storage{});
        const std::vector<std::int32_t> labels{1, 2, 2, 1};
        file.dataset("labels", {4, 1}, H5T_STD_I32LE, H5T_NATIVE_INT32, labels.data()); // 1 x 4
        file.group("#refs#");
        file.floats("#refs#/a", {2, 2}, counted<float>(4));
        for (const char* dataset : {"x", "labels"}) {
            if (hasHeader)
                break;
            const hid_t opened = H5Dopen2(file.id(), dataset, H5P_DEFAULT);
            const hid_t space = H5Screate(H5S_SCALAR);
            H5Aclose(H5Acreate2(opened, "MATLAB_class", textType(6), space, H5P_DEFAULT, H5P_DEFAULT));
            H5Sclose(space);
            H5Dclose(opened);
        }
    }
    if (hasHeader) {
        std::fstream stream(name(), std::ios::binary | std::ios::in | std::ios::out);
        stream << "MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .";
    }
    const auto set = read(hasHeader ? "" : "x");
    QCOMPARE(set->rows(), std::size_t{4});
    QCOMPARE(set->dim(), std::size_t{3});
    QCOMPARE(valuesOf(*set), counted<float>(12));
    QCOMPARE(set->labelText(1), std::string("2"));
    QCOMPARE(set->labelText(3), std::string("1"));
    ReadOptions options;
    options.mapFrom = 0;
    QCOMPARE(valuesOf(*readEmbeddings(name() + ":x", {}, options)), counted<float>(12));
}

/// MATLAB's array of 4 windows, 2 steps and 3 features, whose axes are (3, 2, 4) in HDF5.
void Hdf5Test::readsSeriesOfMatlab() {
    constexpr std::size_t kWindows = 4, kSteps = 2, kFeatures = 3;
    std::vector<float> stored;
    for (std::size_t feature = 0; feature < kFeatures; ++feature)
        for (std::size_t step = 0; step < kSteps; ++step)
            for (std::size_t window = 0; window < kWindows; ++window)
                stored.push_back(static_cast<float>((window * kSteps + step) * kFeatures + feature));
    for (const Storage& storage : {Storage{}, Storage{{2, 2, 3}, true, true}}) {
        {
            const H5Writer file(name(), 512);
            file.floats("x", {kFeatures, kSteps, kWindows}, stored, storage);
        }
        std::fstream stream(name(), std::ios::binary | std::ios::in | std::ios::out);
        stream << "MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .";
        stream.close();
        const std::string npy = npyFile("<f4", "(4, 2, 3)", bytesOf<float>(counted<float>(24)));
        const auto same = readEmbeddingsFromMemory("x.npy", asBytes(npy));
        ReadOptions mapped;
        mapped.mapFrom = 0;
        for (const ReadOptions& options : {ReadOptions{}, mapped}) {
            const auto set = readEmbeddings(name(), {}, options);
            QCOMPARE(set->rows(), kWindows);
            QCOMPARE(set->source().builtIn, std::string("series-flattened"));
            QVERIFY(set->preparation()->window == (WindowShape{kSteps, kFeatures}));
            QCOMPARE(valuesOf(*set), valuesOf(*same));
        }
    }
}

void Hdf5Test::classesMayBeDoubles_data() {
    QTest::addColumn<bool>("isMatlab");
    QTest::addColumn<std::vector<hsize_t>>("axes");
    QTest::newRow("HDF5, a list") << false << std::vector<hsize_t>{4};
    QTest::newRow("HDF5, a column") << false << std::vector<hsize_t>{4, 1};
    QTest::newRow("MATLAB, a column") << true << std::vector<hsize_t>{1, 4};
    QTest::newRow("MATLAB, a row") << true << std::vector<hsize_t>{4, 1};
}

/// MATLAB's numbers are doubles, also where they are classes.
void Hdf5Test::classesMayBeDoubles() {
    QFETCH(const bool, isMatlab);
    QFETCH(const std::vector<hsize_t>, axes);
    const auto write = [&](const std::vector<double>& labels) {
        {
            const H5Writer file(name(), 512);
            file.floats("x", isMatlab ? std::vector<hsize_t>{3, 4} : std::vector<hsize_t>{4, 3}, counted<float>(12));
            file.dataset("labels", axes, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, labels.data());
            file.dataset("groups", axes, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, labels.data());
        }
        if (isMatlab) {
            std::fstream stream(name(), std::ios::binary | std::ios::in | std::ios::out);
            stream << "MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .";
        }
    };
    write({2, 10, std::nan(""), 2});
    const auto set = read("x");
    QCOMPARE(set->rows(), std::size_t{4});
    QCOMPARE(set->labelText(0), std::string("2"));
    QCOMPARE(set->labelText(1), std::string("10"));
    QVERIFY(set->labelText(2).empty());
    QCOMPARE(set->labels().classCount(), std::size_t{2});
    QCOMPARE(set->groupText(1), std::string("10"));
    QVERIFY(set->groupText(2).empty());
    write({2, 10.5, 3, 2});
    QVERIFY(saysAll(refusalOf([&] { read("x"); }), "labels as whole numbers or text|10.5"));
}

void Hdf5Test::readsALargeFileWhereItLies() {
    {
        const H5Writer file(name());
        file.floats("x", {3, 2}, counted<float>(6));
    }
    ReadOptions options;
    options.mapFrom = 0;
    QCOMPARE(valuesOf(*readEmbeddings(name(), {}, options)), counted<float>(6));
    std::ifstream stream(name(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    QCOMPARE(valuesOf(*readEmbeddingsFromMemory("set.h5", asBytes(bytes))), counted<float>(6));
}

void Hdf5Test::readsPicturesBesideEmbeddings() {
    {
        const H5Writer file(name());
        const std::vector<std::uint8_t> images = counted<std::uint8_t>(8);
        file.dataset("pictures", {2, 2, 2}, H5T_STD_U8LE, H5T_NATIVE_UINT8, images.data());
    }
    const EmbeddingParts parts = readPictureParts(name() + ":pictures", PictureOrder::Path, {});
    QCOMPARE(parts.images->rows(), std::size_t{2});
    QCOMPARE(parts.images->pixels(1), (std::vector<std::uint8_t>{4, 5, 6, 7}));
}

void Hdf5Test::dropsRowsAndSubtractsOffsets() {
    {
        const std::vector<double> values{1e9, std::numeric_limits<double>::quiet_NaN(), 1e9 + 0.25, 1e9 + 0.5};
        const H5Writer file(name());
        file.dataset("x", {4, 1}, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, values.data(), {{3, 1}, true, true});
    }
    QVERIFY(saysAll(refusalOf([&] { read(); }), "'x'|NaN in row 1, column 0"));
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    const auto set = readEmbeddings(name(), {}, options);
    const std::vector<float> values = valuesOf(*set);
    QCOMPARE(values.size(), std::size_t{3});
    QCOMPARE(values[1] - values[0], 0.25F);
    QCOMPARE(values[2] - values[0], 0.5F);
}

void Hdf5Test::followsSoftLinksWithinTheFile() {
    {
        const H5Writer file(name());
        file.group("run1");
        file.group("run1/real");
        file.floats("run1/real/x", {2, 1}, {3, 4});
        const std::vector<int> labels{7, 8};
        file.dataset("run1/classes", {2}, H5T_STD_I32LE, H5T_NATIVE_INT, labels.data());
        H5Lcreate_soft("/run1/classes", file.id(), "run1/real/labels", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("run1", file.id(), "latest", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/run1/real/x", file.id(), "alias", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/round", file.id(), "round", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_hard(file.id(), "/", file.id(), "run1/back", H5P_DEFAULT, H5P_DEFAULT);
    }
    // Without a key there is one dataset, under one name.
    for (const char* key : {"", "run1/real/x", "latest/real/x"}) {
        const auto set = read(key);
        QCOMPARE(valuesOf(*set), (std::vector<float>{3, 4}));
        QCOMPARE(set->labelText(1), std::string("8"));
    }
    QCOMPARE(valuesOf(*read("alias")), (std::vector<float>{3, 4}));
    QVERIFY(saysAll(refusalOf([&] { read("round"); }), "'round'|a link that leads to nothing in this file"));
    {
        const H5Writer file(name());
        file.floats("x", {2, 1}, {3, 4});
        file.floats("y", {2, 1}, {5, 6}, {{1, 1}, true, true});
        H5Lcreate_soft("y", file.id(), "embeddings", H5P_DEFAULT, H5P_DEFAULT);
    }
    QCOMPARE(valuesOf(*read()), (std::vector<float>{5, 6}));
}

void Hdf5Test::followsNoLinkToAnotherFile() {
    const std::string other = folder_->filePath("other.h5").toStdString();
    {
        const H5Writer file(other);
        file.floats("secret", {2, 1}, {1, 2});
        file.group("secrets");
        file.floats("secrets/x", {2, 1}, {1, 2});
    }
    {
        const H5Writer file(name());
        file.floats("x", {2, 1}, {3, 4});
        H5Lcreate_external(other.c_str(), "/secret", file.id(), "embeddings", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external(other.c_str(), "/secrets", file.id(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/elsewhere/x", file.id(), "detour", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/nowhere", file.id(), "ids", H5P_DEFAULT, H5P_DEFAULT);
    }
    const auto set = read("x");
    QCOMPARE(valuesOf(*set), (std::vector<float>{3, 4}));
    QVERIFY(saysAll(QString::fromStdString(set->source().notes.at(0)), "'ids' left out: a link that leads to nothing"));
    QVERIFY(saysAll(refusalOf([&] { read(); }), "'embeddings'|a link to another file"));
    QVERIFY(saysAll(refusalOf([&] { read("embeddings"); }), "'embeddings'|a link to another file"));
    QVERIFY(saysAll(refusalOf([&] { read("elsewhere/x"); }), "a tensor 'elsewhere/x'"));
    QVERIFY(saysAll(refusalOf([&] { read("detour"); }), "'detour'|a link that leads to nothing in this file"));
    // Where nothing else is there, the reason is what matters.
    {
        const H5Writer file(name());
        H5Lcreate_soft("/nowhere", file.id(), "x", H5P_DEFAULT, H5P_DEFAULT);
    }
    QVERIFY(saysAll(refusalOf([&] { read(); }), "'x'|a link that leads to nothing"));
}

void Hdf5Test::refuses_data() {
    using Make = std::function<void(const H5Writer&)>;
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const Make& make, const char* says) {
        QTest::newRow(title) << make << says;
    };
    row(
        "no datasets", [](const H5Writer& file) { file.group("g"); }, "no tensors");
    row(
        "one axis",
        [](const H5Writer& file) {
            file.floats("x", {2}, {1, 2});
        },
        "'x' float32 [2]");
    row(
        "no rows",
        [](const H5Writer& file) {
            file.floats("embeddings", {0, 2}, {});
        },
        "at least one row");
    row(
        "never written",
        [](const H5Writer& file) {
            file.dataset("x", {2, 2}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr);
        },
        "'x'|never written");
    row(
        "a huge dataset without chunks",
        [](const H5Writer& file) {
            file.dataset("x", {1ULL << 40, 1ULL << 10}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, nullptr,
                         {{1ULL << 20, 1ULL << 8}, true, true});
        },
        "'x'|values in all 4194304 chunks, found values in 0");
    row(
        "chunks that are missing",
        [](const H5Writer& file) {
            const std::vector<hsize_t> shape{200, 2}, first{0, 0}, some{1, 2};
            const std::vector<float> zeros(2);
            const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
            const hid_t one = H5Screate_simple(2, some.data(), nullptr);
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(properties, 2, std::vector<hsize_t>{100, 2}.data());
            H5Pset_deflate(properties, 6);
            const hid_t made = H5Dcreate2(file.id(), "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, some.data(), nullptr);
            H5Dwrite(made, H5T_NATIVE_FLOAT, one, space, H5P_DEFAULT, zeros.data());
            H5Dclose(made);
            H5Pclose(properties);
            H5Sclose(one);
            H5Sclose(space);
        },
        "'x'|values in all 2 chunks, found values in 1");
    row(
        "a virtual dataset",
        [](const H5Writer& file) {
            const std::vector<hsize_t> shape{2, 1};
            const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_virtual(properties, space, "/etc/passwd", "x", space);
            H5Dclose(H5Dcreate2(file.id(), "embeddings", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
            H5Pclose(properties);
            H5Sclose(space);
        },
        "'embeddings'|a virtual dataset, which lies in other files");
    row(
        "external storage",
        [](const H5Writer& file) {
            const std::vector<hsize_t> shape{2, 1};
            const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_external(properties, "/etc/passwd", 0, 8);
            H5Dclose(H5Dcreate2(file.id(), "embeddings", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
            H5Pclose(properties);
            H5Sclose(space);
        },
        "'embeddings'|external storage");
    row(
        "a packing that the library lacks",
        [](const H5Writer& file) {
            const std::vector<hsize_t> shape{4, 2};
            const std::vector<int> values = counted<int>(8);
            const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(properties, 2, shape.data());
            constexpr H5Z_filter_t kLzf = 32000;
            const auto unchanged = [](unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
                return bytes;
            };
            const H5Z_class2_t lzf{H5Z_CLASS_T_VERS, kLzf, 1, 1, "lzf", nullptr, nullptr, unchanged};
            H5Zregister(&lzf);
            H5Pset_filter(properties, kLzf, H5Z_FLAG_MANDATORY, 0, nullptr);
            const hid_t made = H5Dcreate2(file.id(), "x", H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
            H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            H5Dclose(made);
            H5Pclose(properties);
            H5Sclose(space);
            H5Zunregister(kLzf);
        },
        "'x'|packed by gzip|filter 32000 ('lzf'), which it lacks");
    row(
        "labels of another length",
        [](const H5Writer& file) {
            file.floats("embeddings", {2, 1}, {1, 2});
            file.floats("labels", {3}, {1, 2, 3});
        },
        "'labels'|2 whole numbers or texts, one for each row, found float32 [3]");
    row(
        "pictures of another number",
        [](const H5Writer& file) {
            file.floats("embeddings", {2, 1}, {1, 2});
            file.dataset("images", {1, 2, 2}, H5T_STD_U8LE, H5T_NATIVE_UINT8, "abcd");
        },
        "'images'|2 pictures, one for each row, found uint8 [1, 2, 2]");
    row(
        "numbers of an unusual size",
        [](const H5Writer& file) {
            file.dataset("x", {2, 1}, H5T_NATIVE_LDOUBLE, H5T_NATIVE_LDOUBLE, nullptr);
        },
        "floats of an unusual size");
}

void Hdf5Test::refuses() {
    QFETCH(const std::function<void(const H5Writer&)>, make);
    QFETCH(const QString, says);
    {
        const H5Writer file(name());
        make(file);
    }
    QVERIFY(saysAll(refusalOf([&] { read(); }), "set.h5|" + says));
}

void Hdf5Test::refusesDamagedChunks() {
    {
        const H5Writer file(name());
        std::vector<float> values = counted<float>(40'000);
        file.floats("x", {200, 200}, values, {{50, 50}, true, true, true});
    }
    std::ifstream stream(name(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    QCOMPARE(valuesOf(*readEmbeddingsFromMemory("set.h5", asBytes(bytes))).size(), std::size_t{40'000});
    bytes[bytes.size() - 2000] = static_cast<char>(bytes[bytes.size() - 2000] ^ 1);
    QVERIFY(saysAll(refusalOf([&] { readEmbeddingsFromMemory("set.h5", asBytes(bytes)); }), "values"));
}

void Hdf5Test::stopsWithinABand() {
    {
        const H5Writer file(name());
        file.floats("x", {4000, 200}, counted<float>(800'000), {{4000, 1}, true, true});
    }
    QCOMPARE(stopFailure([&](const JobContext& job) { readEmbeddings(name(), job); }, 40), std::string());
}

void Hdf5Test::survivesWhatTheLibraryDoesNot_data() {
    QTest::addColumn<QString>("commands");
    QTest::addColumn<QString>("says");
    QTest::newRow("a crash") << "kill -SEGV $$"
                             << "crashes";
    QTest::newRow("memory that runs out") << "exit 3"
                                          << "expected enough memory to unpack it, found that it needs more";
    QTest::newRow("a system without memory") << "kill -KILL $$"
                                             << "expected enough memory|when memory runs out";
    QTest::newRow("an endless loop") << "kill -ALRM $$"
                                     << "takes too long";
    QTest::newRow("a reason") << "printf 'one\\0another' >&2; exit 2"
                              << "expected one, found another";
}

void Hdf5Test::survivesWhatTheLibraryDoesNot() {
    QFETCH(const QString, commands);
    QFETCH(const QString, says);
    const Descriptor file = descriptorOf(InputFile::inMemory("set.h5", {}));
    const std::string program = script(*folder_, "printf some\n" + commands);
    const JobContext job;
    QVERIFY(saysAll(refusalOf([&] {
                        Hdf5Process(file, {"values", "x", "set.h5"}, 4, job, program).readAll();
                    }),
                    "set.h5|" + says));
}

void Hdf5Test::unpacksWithinItsMemory() {
    {
        const H5Writer file(name());
        file.floats("x", {1000, 200}, counted<float>(200'000), {{1000, 200}, true, true});
    }
    for (const auto& [memory, code] : {std::pair("1000000", 3), std::pair("100000000", 0)}) {
        QProcess reader;
        reader.setStandardInputFile(QString::fromStdString(name()));
        reader.start(QString::fromStdString(hdf5Program()),
                     {"values", "x", memory, QString::number(QCoreApplication::applicationPid())});
        QVERIFY(reader.waitForFinished());
        QCOMPARE(reader.exitCode(), code);
    }
}

void Hdf5Test::saysWhenMemoryRunsOut() {
    if (takesSmallSizes())
        QSKIP("sanitizers take more address space than is left here");
    {
        const H5Writer file(name());
        file.floats("x", {16 << 20, 1}, std::vector<float>(16 << 20), {{16 << 20, 1}, true, true});
    }
    QProcess reader;
    reader.start("sh", {"-c", QString::fromStdString("ulimit -v 150000; exec '" + hdf5Program() +
                                                     "' values x 0 $PPID <'" + name() + "'")});
    QVERIFY(reader.waitForFinished());
    QCOMPARE(reader.exitCode(), 3);
}

/// As when it is installed.
void Hdf5Test::isFoundInLibexec() {
    {
        const H5Writer file(name());
        file.floats("x", {30, 2}, counted<float>(60), {{30, 2}, true, true});
    }
    const QString bin = folder_->filePath("usr/bin");
    const QString libexec = folder_->filePath("usr/libexec/assay");
    QVERIFY(QDir().mkpath(bin) && QDir().mkpath(libexec));
    QVERIFY(QFile::copy(scoreProgram(), bin + "/assay-score"));
    QVERIFY(QFile::copy(QString::fromStdString(hdf5Program()), libexec + "/assay-hdf5"));
    QProcess process;
    const QString file = QString::fromStdString(name());
    process.start(bin + "/assay-score", {"--real", file, "--synthetic", file, "--quick"});
    const Run run = outcomeOf(process);
    QVERIFY2(run.exitCode == 0, run.err.constData());
}

void Hdf5Test::stopEndsTheReader() {
    const std::string program = script(*folder_, "while true; do sleep 1; done");
    const Descriptor file = descriptorOf(InputFile::inMemory("set.h5", {}));
    std::stop_source source;
    const JobContext job(source.get_token());
    const std::string key = "of-" + std::to_string(QCoreApplication::applicationPid());
    std::optional<Hdf5Process> process;
    process.emplace(file, Hdf5Request{"values", key, "set.h5"}, 4, job, program);
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
    });
    bool cancelled = false;
    try {
        process->readAll();
    } catch (const Cancelled&) {
        cancelled = true;
    }
    stopper.join();
    QVERIFY(cancelled);
    QVERIFY(isRunning("values " + key));
    process.reset();
    QVERIFY(!isRunning("values " + key));
}

/// The reader hangs on a pipe that is full; then its parent is killed.
void Hdf5Test::readerEndsWithItsParent() {
    const std::string key = "of-" + std::to_string(QCoreApplication::applicationPid());
    {
        const H5Writer file(name());
        file.floats(key.c_str(), {1000, 200}, counted<float>(200'000), {{100, 200}});
    }
    const std::string command = hdf5Program() + " values " + key;
    QProcess parent;
    parent.start("sh", {"-c", QString::fromStdString("\"" + hdf5Program() + "\" values " + key + " 0 $$ <'" + name() +
                                                     "' & wait")});
    QVERIFY(parent.waitForStarted());
    QTRY_VERIFY(isRunning(command));
    ::kill(static_cast<pid_t>(parent.processId()), SIGKILL);
    QTRY_VERIFY(!isRunning(command));
    parent.waitForFinished();
}
#endif

void Hdf5Test::readsWhatH5pyWrites() {
#ifndef ASSAY_HAVE_HDF5
    QSKIP("this build reads no HDF5");
#else
    QProcess python;
    python.start("python3", {"-c",
                             "import sys\n"
                             "try:\n import numpy, h5py\nexcept ImportError:\n sys.exit(77)\n"
                             "x = numpy.arange(6000).reshape(1000, 6)\n"
                             "for libver in ('earliest', 'v110'):\n"
                             "  with h5py.File(sys.argv[1] + libver + '.h5', 'w', libver=(libver, 'v110')) as f:\n"
                             "    f.create_dataset('embeddings', data=x.astype('f2') % 2048, compression='gzip',"
                             " shuffle=True)\n"
                             "    f['double'] = x.astype('>f8')\n"
                             "    f.create_dataset('grown', data=x[:10], maxshape=(None, 6), chunks=(3, 4))\n"
                             "    f['grown'].resize((1000, 6))\n"
                             "    f['grown'][10:] = x[10:]\n"
                             "    f['bool'] = x % 2 == 0\n"
                             "    f['labels'] = (x[:, 0] // 6 % 3).astype('i2')\n"
                             "    f['ids'] = ['id %d' % i for i in range(1000)]\n",
                             QString::fromStdString(folder_->filePath("h5py_").toStdString())});
    if (!python.waitForFinished() || python.exitCode() == 77)
        QSKIP("h5py is not installed for python3");
    QCOMPARE(python.exitCode(), 0);
    for (const char* version : {"earliest", "v110"}) {
        const std::string file = folder_->filePath(QString("h5py_%1.h5").arg(version)).toStdString();
        const auto set = readEmbeddings(file);
        QCOMPARE(set->dim(), std::size_t{6});
        QCOMPARE(valuesOf(*set)[2047], 2047.0F);
        QCOMPARE(valuesOf(*set)[2048], 0.0F);
        QCOMPARE(set->labelText(4), std::string("1"));
        QCOMPARE(set->idText(999), std::string("id 999"));
        for (const char* key : {"double", "grown"})
            QCOMPARE(valuesOf(*readEmbeddings(file + ':' + key)), counted<float>(6000));
        QCOMPARE(valuesOf(*readEmbeddings(file + ":bool"))[2], 1.0F);
    }
#endif
}

ASSAY_TEST(hdf5_test, Hdf5Test)
#include "hdf5_test.moc"
