// Covariances, means, projections and boxes are no samples: refused with the way out, or named as what was left out.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/io/sets/statistics_file.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/hdf5_writer.h"
#include "tests/engine/support/pickle_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

using namespace assay;
using namespace assay::test;

namespace {

/// One array of a file in the making.
struct Array {
    std::string key;
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};

/// A symmetric matrix, as covariances are.
Array symmetric(const std::string& key, std::size_t n = 5) {
    Array array{key, {n, n}, std::vector<float>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            array.values[i * n + j] =
                i == j ? 2.0F : 0.1F * static_cast<float>(i + j) + 0.01F * static_cast<float>(i * j);
    return array;
}

/// Different values, which are symmetric in no square.
Array samples(const std::string& key, std::uint64_t rows, std::uint64_t columns) {
    Array array{key, {rows, columns}, {}};
    for (std::uint64_t i = 0; i < rows * columns; ++i)
        array.values.push_back(static_cast<float>(i * 31 % 101));
    return array;
}

Array vectorOf(const std::string& key, std::uint64_t length) {
    Array array = samples(key, 1, length);
    array.shape = {length};
    return array;
}

std::string shapeText(const Array& array) {
    std::string text;
    for (const std::uint64_t side : array.shape)
        text += std::to_string(side) + ", ";
    return text;
}

std::string npz(const std::vector<Array>& arrays) {
    std::vector<ZipItem> items;
    for (const Array& array : arrays)
        items.push_back({array.key + ".npy", npyFile("<f4", "(" + shapeText(array) + ")", bytesOf(array.values))});
    return zipFile(items);
}

std::string safetensors(const std::vector<Array>& arrays) {
    std::string header;
    std::string data;
    for (const Array& array : arrays) {
        const std::string shape = shapeText(array);
        const std::string begin = std::to_string(data.size());
        data += bytesOf(array.values);
        // No raw strings: moc does not understand them when they hold an odd number of quotes.
        header += (header.empty() ? "{" : ", ");
        header += "\"" + array.key + "\": {\"dtype\": \"F32\", \"shape\": [" + shape.substr(0, shape.size() - 2) +
                  "], \"data_offsets\": [" + begin + ", " + std::to_string(data.size()) + "]}";
    }
    header += "}";
    return bytesOf<std::uint64_t>({header.size()}) + header + data;
}

std::string torch(const std::vector<Array>& arrays) {
    std::vector<std::pair<std::string, std::string>> items;
    std::vector<std::string> storages;
    for (const Array& array : arrays) {
        const std::vector<std::uint64_t> strides =
            array.shape.size() == 1 ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{array.shape[1], 1};
        items.emplace_back(array.key, torchTensor("FloatStorage", std::to_string(storages.size()), array.values.size(),
                                                  array.shape, strides));
        storages.push_back(bytesOf(array.values));
    }
    return torchFile(pickleDict(items), storages);
}

using Arrays = std::vector<Array>;

} // namespace

Q_DECLARE_METATYPE(Arrays)

class NotSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void isRefusedInEveryFormat_data();
    void isRefusedInEveryFormat();
    void symmetricMatricesAreRefused();
    void squaresOfSamplesAreTaken_data();
    void squaresOfSamplesAreTaken();
    void tablesOfCorrelationsAreRefused();
    void picturesAreTakenBesideStatistics();
    void saysWhichArrayWasTaken();
    void aKeyTakesWhatIsNamed();
    void nothingIsSaidOfOwnCompanions();

private:
    /// The same arrays in every format that has names. @return the files
    std::vector<std::string> writeAll(const Arrays& arrays) const {
        std::vector<std::string> files{write("a.npz", npz(arrays)), write("a.safetensors", safetensors(arrays)),
                                       write("a.pt", torch(arrays))};
#ifdef ASSAY_HAVE_HDF5
        const std::string name = folder_->filePath("a.h5").toStdString();
        const H5Writer file(name);
        for (const Array& array : arrays)
            file.floats(array.key.c_str(), {array.shape.begin(), array.shape.end()}, array.values);
        files.push_back(name);
#endif
        return files;
    }
    std::string write(const QString& name, const std::string& bytes) const {
        QFile file(folder_->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            qFatal("cannot write a file");
        return file.fileName().toStdString();
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

void NotSamplesTest::isRefusedInEveryFormat_data() {
    QTest::addColumn<Arrays>("arrays");
    QTest::addColumn<QString>("says");
    const QString statistic = "looks like a covariance|Give the samples (embeddings) that it was computed from";
    for (const auto& [mean, covariance] :
         {std::pair("mu", "sigma"), std::pair("clap-laion-audio.mu", "clap-laion-audio.cov"),
          std::pair("Mean", "CovMatrix"), std::pair("real_mean", "real_covariance"), std::pair("mu_s", "sigma_s")})
        QTest::newRow(covariance) << Arrays{vectorOf(mean, 5), symmetric(covariance)} << statistic;
    QTest::newRow("names that say nothing")
        << Arrays{vectorOf("m1", 5), symmetric("s1")} << "a symmetric matrix of 5 x 5|Give the samples";
    QTest::newRow("means of classes") << Arrays{samples("class_means", 10, 6)} << "means of samples|Give the samples";
    QTest::newRow("a plot") << Arrays{samples("X_umap", 50, 2), vectorOf("score", 50)}
                            << "'X_umap' float32 [50, 2]|a projection for plots|append ':X_umap'";
    QTest::newRow("a plot beside a sparse matrix")
        << Arrays{samples("emb2d", 50, 2), vectorOf("data", 70), vectorOf("indices", 70), vectorOf("indptr", 51)}
        << "'emb2d' float32 [50, 2]|a projection|sparse matrix, which is not read|append ':emb2d'";
    QTest::newRow("a sparse matrix alone")
        << Arrays{vectorOf("data", 70), vectorOf("indices", 70), vectorOf("indptr", 51)}
        << "a sparse matrix, which is not read|dense";
    QTest::newRow("boxes") << Arrays{samples("gt_bboxes", 50, 4)} << "'gt_bboxes'|boxes|append ':gt_bboxes'";
    QTest::newRow("components") << Arrays{samples("pca_components", 3, 8)} << "parameters of a model";
}

void NotSamplesTest::isRefusedInEveryFormat() {
    QFETCH(const Arrays, arrays);
    QFETCH(const QString, says);
    for (const std::string& file : writeAll(arrays)) {
        QVERIFY2(saysAll(refusalOf([&] { readEmbeddings(file); }), "expected samples, one in each row|" + says),
                 file.c_str());
        if (holdsOnlyStatistics(file)) // may be the real set, for one score
            QVERIFY(previewSet({file}).isStatistics);
        else
            QVERIFY(saysAll(refusalOf([&] { previewSet({file}); }), says));
    }
}

void NotSamplesTest::symmetricMatricesAreRefused() {
    const Array cov = symmetric("x", 24);
    const std::string plain = write("cov.npy", npyFile("<f4", "(24, 24)", bytesOf(cov.values)));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(plain); }), "cov.npy|a symmetric matrix of 24 x 24"));
    // Products of matrices are symmetric up to rounding.
    std::vector<double> rounded(cov.values.begin(), cov.values.end());
    for (std::size_t i = 0; i < rounded.size(); ++i)
        rounded[i] *= 1.0 + 1e-7 * static_cast<double>(i % 7);
    const std::string wide = write("cov64.npy", npyFile("<f8", "(24, 24)", bytesOf(rounded)));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(wide); }), "a symmetric matrix of 24 x 24"));
    // Also beside samples far from zero, whose offset is subtracted from every set.
    std::vector<double> far;
    for (int i = 0; i < 100 * 24; ++i)
        far.push_back(1.0 + 1e-6 * (i * 31 % 101));
    const auto real = readEmbeddings(write("real.npy", npyFile("<f8", "(100, 24)", bytesOf(far))));
    QVERIFY(!real->preparation()->offset.empty());
    ReadOptions options;
    options.preparation = real->preparation();
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(wide, {}, options); }), "a symmetric matrix of 24 x 24"));
}

void NotSamplesTest::squaresOfSamplesAreTaken_data() {
    QTest::addColumn<Arrays>("arrays");
    QTest::newRow("not symmetric") << Arrays{samples("x", 5, 5)};
    Array nearly = symmetric("x");
    nearly.values[1] += 0.001F;
    QTest::newRow("one value differs") << Arrays{nearly};
    QTest::newRow("three rows") << Arrays{symmetric("x", 3)};
    QTest::newRow("one value everywhere") << Arrays{{"x", {5, 5}, std::vector<float>(25, 0.5F)}};
    QTest::newRow("VAE codes") << Arrays{samples("mu", 20, 5)};
    QTest::newRow("two columns of data") << Arrays{samples("x", 50, 2), vectorOf("y", 50)};
}

void NotSamplesTest::squaresOfSamplesAreTaken() {
    QFETCH(const Arrays, arrays);
    for (const std::string& file : writeAll(arrays))
        QCOMPARE(readEmbeddings(file)->rows(), std::size_t{arrays.front().shape[0]});
}

void NotSamplesTest::tablesOfCorrelationsAreRefused() {
    const std::string square = "1,0.5,0.25,0.1\n0.5,1,0.3,0.2\n0.25,0.3,1,0.6\n0.1,0.2,0.6,1\n";
    std::string named = ",a,b,c,d\n";
    std::string ids = "id,a,b,c,d\n";
    std::size_t at = 0;
    for (const char* name : {"a", "b", "c", "d"}) {
        const std::size_t end = square.find('\n', at);
        const std::string row = square.substr(at, end - at) + "\n";
        named += std::string(name) + "," + row;
        ids += "sample-" + std::string(name) + "," + row;
        at = end + 1;
    }
    for (const std::string& table : {"a,b,c,d\n" + square, named})
        QVERIFY(saysAll(refusalOf([&] { readEmbeddings(write("corr.csv", table)); }), "a symmetric matrix of 4 x 4"));
    QCOMPARE(readEmbeddings(write("samples.csv", ids))->rows(), std::size_t{4}); // rows that have names of their own
}

void NotSamplesTest::picturesAreTakenBesideStatistics() {
    const Array cov = symmetric("sigma", 4);
    const std::string square = npyFile("<f4", "(4, 4)", bytesOf(cov.values));
    const std::string mean = npyFile("<f4", "(4,)", bytesOf<float>({1, 2, 3, 4}));
    std::string pixels;
    for (int i = 0; i < 40 * 2 * 2 * 3; ++i)
        pixels += static_cast<char>(i * 37 % 251);
    const std::string pictures = npyFile("|u1", "(40, 2, 2, 3)", pixels);
    const std::string file = write("reference.npz", zipFile({{"arr_0.npy", pictures},
                                                             {"mu.npy", mean},
                                                             {"sigma.npy", square},
                                                             {"mu_s.npy", mean},
                                                             {"sigma_s.npy", square}}));
    const auto set = readEmbeddings(file);
    QCOMPARE(set->rows(), std::size_t{40});
    QVERIFY(set->images());
    QVERIFY(!set->source().builtIn.empty());
    for (const char* told : {"'arr_0' uint8 [40, 2, 2, 3] taken; left out: 'mu_s' float32 [4]; 'sigma_s'",
                             "mu and sigma of this file were not used: they are of 4 features"})
        QVERIFY2(std::ranges::any_of(set->source().notes,
                                     [&](const std::string& note) { return note.find(told) != std::string::npos; }),
                 told);
    QVERIFY(previewSet({file}).keys.empty());
    // Whatever they are called: there are not as many rows as pictures.
    const std::string other =
        write("other.npz", zipFile({{"arr_0.npy", pictures}, {"m.npy", mean}, {"s.npy", square}}));
    QCOMPARE(readEmbeddings(other)->rows(), std::size_t{40});
}

void NotSamplesTest::saysWhichArrayWasTaken() {
    const Arrays arrays{samples("layer4", 50, 8), samples("X_umap", 50, 2), vectorOf("time", 50)};
    for (const std::string& file : writeAll(arrays)) {
        const auto set = readEmbeddings(file);
        QCOMPARE(set->dim(), std::size_t{8});
        QVERIFY2(std::ranges::any_of(set->source().notes,
                                     [](const std::string& note) {
                                         return QString::fromStdString(note).contains("'layer4' float32 [50, 8] taken; "
                                                                                      "left out: ") &&
                                                QString::fromStdString(note).contains("'X_umap' float32 [50, 2]") &&
                                                QString::fromStdString(note).contains("'time' float32 [50]");
                                     }),
                 file.c_str());
        QVERIFY(previewSet({file}).keys.empty());
        QVERIFY(!previewSet({file}).notes.empty());
    }
}

void NotSamplesTest::aKeyTakesWhatIsNamed() {
    for (const std::string& file : writeAll({samples("X_umap", 50, 2), samples("boxes", 50, 4)})) {
        QCOMPARE(readEmbeddings(file + ":X_umap")->dim(), std::size_t{2});
        QCOMPARE(readEmbeddings(file + ":boxes")->dim(), std::size_t{4});
    }
    // But a covariance is none, whoever says so.
    for (const std::string& file : writeAll({symmetric("sigma")}))
        QVERIFY(saysAll(refusalOf([&] { readEmbeddings(file + ":sigma"); }), "a symmetric matrix of 5 x 5"));
}

void NotSamplesTest::nothingIsSaidOfOwnCompanions() {
    const std::string file =
        write("own.npz", zipFile({{"embeddings.npy", npyFile("<f4", "(2, 2)", bytesOf<float>({1, 2, 3, 5}))},
                                  {"labels.npy", npyFile("<i4", "(2,)", bytesOf<std::int32_t>({1, 2}))},
                                  {"ids.npy", npyFile("<i4", "(2,)", bytesOf<std::int32_t>({7, 8}))},
                                  {"images.npy", npyFile("|u1", "(2, 1, 1)", "ab")}}));
    QVERIFY(readEmbeddings(file)->source().notes.empty());
}

ASSAY_TEST(not_samples_test, NotSamplesTest)
#include "not_samples_test.moc"
