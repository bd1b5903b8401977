// Axes of length one say nothing: [N, 1, d], [N, d, 1, 1] and [1, N, d] are N samples of d features.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/pickle_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

const std::vector<float> kValues{1, 2, 3, 4, 5, 7, 7, 8, 9, 0, 1, 3}; // 4 x 3

std::shared_ptr<const EmbeddingSet> read(const std::string& name, const std::string& bytes) {
    return readEmbeddingsFromMemory(name, asBytes(bytes));
}

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

void isFourByThree(const EmbeddingSet& set) {
    QCOMPARE(set.rows(), std::size_t{4});
    QCOMPARE(set.dim(), std::size_t{3});
    QCOMPARE(valuesOf(set), kValues);
    QVERIFY(set.source().builtIn.empty());
    QVERIFY(set.preparation()->isNone());
}

} // namespace

class UnitAxesTest : public QObject {
    Q_OBJECT

private slots:
    void areDropped_data();
    void areDropped();
    void areDroppedInFortranOrder();
    void leaveSeriesOfOneFeature();
    void areDroppedFromSeries();
    void leaveOneColumn();
};

void UnitAxesTest::areDropped_data() {
    QTest::addColumn<std::string>("shape");
    QTest::addColumn<std::vector<std::uint64_t>>("sides");
    const auto row = [](const char* name, const std::string& shape, const std::vector<std::uint64_t>& sides) {
        QTest::newRow(name) << shape << sides;
    };
    row("a token", "(4, 1, 3)", {4, 1, 3});
    row("a pooled map", "(4, 3, 1, 1)", {4, 3, 1, 1});
    row("a batch", "(1, 4, 3)", {1, 4, 3});
    row("tokens of a map", "(4, 1, 1, 3)", {4, 1, 1, 3});
    row("all around", "(1, 4, 1, 3, 1)", {1, 4, 1, 3, 1});
}

void UnitAxesTest::areDropped() {
    QFETCH(const std::string, shape);
    QFETCH(const std::vector<std::uint64_t>, sides);
    const std::string npy = npyFile("<f4", shape, bytesOf(kValues));
    isFourByThree(*read("x.npy", npy));
    const std::string labels = npyFile("<i4", "(4,)", bytesOf<std::int32_t>({1, 2, 1, 2}));
    for (const char* key : {"embeddings", "x"}) {
        const auto set = read("x.npz", zipFile({{std::string(key) + ".npy", npy}, {"labels.npy", labels}}));
        isFourByThree(*set);
        QCOMPARE(set->labelText(1), std::string("2"));
    }
    std::string json = R"({"x": {"dtype": "F32", "shape": [)";
    std::vector<std::uint64_t> strides(sides.size(), 1);
    for (std::size_t axis = sides.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * sides[axis];
    for (std::size_t axis = 0; axis < sides.size(); ++axis)
        json += (axis > 0 ? ", " : "") + std::to_string(sides[axis]);
    json += R"(], "data_offsets": [0, 48]}})";
    isFourByThree(*read("x.safetensors", bytesOf<std::uint64_t>({json.size()}) + json + bytesOf(kValues)));
    isFourByThree(*read("x.pt", torchFile(torchTensor("FloatStorage", "0", 12, sides, strides), {bytesOf(kValues)})));
    // Whole numbers, too.
    const std::string whole = npyFile("<i4", shape, bytesOf(std::vector<std::int32_t>(kValues.begin(), kValues.end())));
    QCOMPARE(valuesOf(*read("x.npy", whole)), kValues);
}

void UnitAxesTest::areDroppedInFortranOrder() {
    std::vector<float> columns;
    for (std::size_t column = 0; column < 3; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            columns.push_back(kValues[row * 3 + column]);
    for (const char* shape : {"(4, 1, 3)", "(4, 3, 1, 1)", "(1, 4, 3)"})
        isFourByThree(*read("x.npy", npyFile("<f4", shape, bytesOf(columns), NpyHeader::Order::Fortran)));
}

void UnitAxesTest::leaveSeriesOfOneFeature() {
    const auto set = read("x.npy", npyFile("<f4", "(4, 3, 1)", bytesOf(kValues)));
    QCOMPARE(set->source().builtIn, std::string("series-flattened"));
    QCOMPARE(set->preparation()->window.steps, std::size_t{3});
    QCOMPARE(set->preparation()->window.features, std::size_t{1});
}

void UnitAxesTest::areDroppedFromSeries() {
    const auto set = read("x.npy", npyFile("<f4", "(2, 1, 3, 2)", bytesOf(kValues)));
    QCOMPARE(set->source().builtIn, std::string("series-flattened"));
    QCOMPARE(set->preparation()->window.steps, std::size_t{3});
    QCOMPARE(set->preparation()->window.features, std::size_t{2});
}

void UnitAxesTest::leaveOneColumn() {
    for (const char* shape : {"(12, 1)", "(12, 1, 1)", "(1, 12, 1)"}) {
        const auto set = read("x.npy", npyFile("<f4", shape, bytesOf(kValues)));
        QCOMPARE(set->rows(), std::size_t{12});
        QCOMPARE(set->dim(), std::size_t{1});
    }
    QVERIFY(saysAll(refusalOf([] { read("x.npy", npyFile("<f4", "(12,)", bytesOf(kValues))); }), "2-D|float32 [12]"));
}

ASSAY_TEST(unit_axes_test, UnitAxesTest)
#include "unit_axes_test.moc"
