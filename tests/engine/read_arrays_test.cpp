// Arrays in memory are read as the files that NumPy would write of them, and used in place where they can be.
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <fstream>
#include <numeric>

using namespace assay;

namespace {

/// Memory that says when it is let go of.
class Watched : public ExternalMemory {
public:
    explicit Watched(bool& alive) : alive_(alive) { alive_ = true; }
    ~Watched() override { alive_ = false; }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    bool isUnchanged() const noexcept override { return true; }

private:
    bool& alive_;
};

template <typename T>
std::vector<T> ascending(std::size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T{1});
    return values;
}

/// The array as lent memory, by the header of the file that is written of it.
template <typename T>
LentArray lend(const std::vector<T>& values, std::vector<std::size_t> shape, const std::string& file) {
    const NpyView view = npyView<T>(values, std::move(shape));
    writeNpy(file, view);
    std::ifstream written(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(written)), {});
    bytes.resize(bytes.size() - view.data.size());
    return {bytes, view.data, nullptr};
}

} // namespace

class ReadArraysTest : public QObject {
    Q_OBJECT

private slots:
    void usesFloatRowsInPlace();
    void readsAsTheFile_data();
    void readsAsTheFile();
    void takesLabelsIdsAndPictures();
    void refusesWhatDoesNotFit();
    void noticesChangedValues();

private:
    std::string path(const char* name) const { return folder_.filePath(QLatin1String(name)).toStdString(); }
    QTemporaryDir folder_;
};

void ReadArraysTest::usesFloatRowsInPlace() {
    const std::vector<float> values = ascending<float>(60);
    bool alive = false;
    SetArrays arrays{"gan", "gan (in memory)"};
    arrays.values = lend(values, {20, 3}, path("values.npy"));
    arrays.values->memory = std::make_shared<Watched>(alive);
    auto set = readArrays(arrays);
    arrays.values.reset();
    QCOMPARE(set->matrix().rowData(0), values.data());
    QVERIFY(alive);
    QCOMPARE(set->source().sha256, sha256OfFile(path("values.npy"), {}));
    QCOMPARE(set->source().file, std::string("gan (in memory)"));
    set.reset();
    QVERIFY(!alive);
}

void ReadArraysTest::readsAsTheFile_data() {
    QTest::addColumn<double>("offset");
    QTest::newRow("near zero") << 0.0;
    QTest::newRow("far from zero, where float32 would lose differences") << 1e9;
}

void ReadArraysTest::readsAsTheFile() {
    QFETCH(const double, offset);
    std::vector<double> values = ascending<double>(60);
    for (double& value : values)
        value += offset;
    SetArrays arrays{"gan", "gan (in memory)"};
    arrays.values = lend(values, {20, 3}, path("wide.npy"));
    const auto set = readArrays(arrays);
    const auto read = readEmbeddings(path("wide.npy"));
    QVERIFY(*set->preparation() == *read->preparation());
    for (std::size_t row = 0; row < 20; ++row)
        QVERIFY(std::equal(set->matrix().rowData(row), set->matrix().rowData(row) + 3, read->matrix().rowData(row)));
}

void ReadArraysTest::takesLabelsIdsAndPictures() {
    const std::vector<float> values = ascending<float>(8);
    const std::vector<std::int64_t> labels{7, 7, 8, 9};
    const std::vector<std::int64_t> ids{10, 20, 30, 40};
    const std::vector<std::uint8_t> pixels = ascending<std::uint8_t>(16);
    SetArrays arrays{"gan", "gan (in memory)"};
    arrays.values = lend(values, {4, 2}, path("values.npy"));
    arrays.labels = lend(labels, {4}, path("labels.npy"));
    arrays.groups = lend(labels, {4}, path("labels.npy"));
    arrays.ids = lend(ids, {4}, path("ids.npy"));
    arrays.images = lend(pixels, {4, 2, 2}, path("images.npy"));
    const auto set = readArrays(arrays);
    QCOMPARE(set->labelText(2), std::string("8"));
    QCOMPARE(set->groups().counts(), (std::vector<std::uint32_t>{2, 1, 1}));
    QCOMPARE(set->groupText(3), std::string("9"));
    QCOMPARE(set->idText(3), std::string("40"));
    QVERIFY(set->images());
    QCOMPARE(set->images()->image(1)[0], std::uint8_t{5});
}

void ReadArraysTest::refusesWhatDoesNotFit() {
    const auto messageOf = [](const SetArrays& arrays) {
        try {
            readArrays(arrays);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("read");
    };
    const std::vector<float> values = ascending<float>(8);
    const std::vector<std::int64_t> labels{7, 8};
    SetArrays arrays{"gan", "gan (in memory)"};
    QCOMPARE(messageOf(arrays), std::string("gan (in memory): expected embeddings or pictures, found neither"));
    arrays.values = lend(values, {4, 2}, path("values.npy"));
    arrays.labels = lend(labels, {2}, path("labels.npy"));
    QCOMPARE(messageOf(arrays), std::string("gan (in memory): labels: expected 4 entries, one for each row, found 2"));
    arrays.labels.reset();
    arrays.values->elements = arrays.values->elements.first(20);
    QVERIFY(messageOf(arrays).starts_with("gan (in memory): expected 32 bytes"));
}

void ReadArraysTest::noticesChangedValues() {
    std::vector<float> values = ascending<float>(60);
    bool alive = false;
    SetArrays arrays{"gan", "gan (in memory)"};
    arrays.values = lend(values, {20, 3}, path("values.npy"));
    arrays.values->memory = std::make_shared<Watched>(alive);
    const auto set = readArrays(arrays);
    set->requireUnchanged();
    values[7] = -1.0F;
    QVERIFY_EXCEPTION_THROWN(set->requireUnchanged(), Error);
}

ASSAY_TEST(read_arrays_test, ReadArraysTest)
#include "read_arrays_test.moc"
