#include "engine/data/embedding_set.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace assay;
using namespace assay::test;
using Order = NpyHeader::Order;
using ByteOrder = NpyType::ByteOrder;

namespace {

std::vector<float> valuesOf(const std::string& file) {
    const auto set = readEmbeddingsFromMemory("x.npy", asBytes(file));
    return {set->matrix().data, set->matrix().data + set->rows() * set->dim()};
}

QString refused(const std::string& file) {
    return refusalOf([&] { readEmbeddingsFromMemory("x.npy", asBytes(file)); });
}

std::string header(const std::string& descr, const std::string& shape, const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

// 3 x 2, the same matrix in both orders.
template <typename T>
void addType(const char* name, const std::string& code, const std::vector<T>& rowMajor,
             const std::vector<float>& expected) {
    const std::vector<T> columnMajor = {rowMajor[0], rowMajor[2], rowMajor[4], rowMajor[1], rowMajor[3], rowMajor[5]};
    const bool little = std::endian::native == std::endian::little;
    for (const ByteOrder bytes : {ByteOrder::Native, ByteOrder::Swapped}) {
        const char mark = sizeof(T) == 1 ? '|' : (bytes == ByteOrder::Native) == little ? '<' : '>';
        const std::string descr = mark + code;
        QTest::addRow("%s %c C", name, mark) << npyFile(descr, "(3, 2)", bytesOf(rowMajor, bytes)) << expected;
        QTest::addRow("%s %c Fortran", name, mark)
            << npyFile(descr, "(3, 2)", bytesOf(columnMajor, bytes), Order::Fortran) << expected;
        if (sizeof(T) == 1)
            break;
    }
}

template <typename T>
void addInteger(const char* name, const std::string& code) {
    const T low = std::numeric_limits<T>::min();
    const T high = std::numeric_limits<T>::max();
    addType<T>(name, code, {0, 1, 2, 127, low, high},
               {0.0f, 1.0f, 2.0f, 127.0f, static_cast<float>(low), static_cast<float>(high)});
}

} // namespace

class NpyTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryTypeOrderAndEndianness_data();
    void readsEveryTypeOrderAndEndianness();
    void readsEveryHeaderVersion_data();
    void readsEveryHeaderVersion();
    void readsPaddedAndOldHeaders_data();
    void readsPaddedAndOldHeaders();
    void convertsEveryHalfExactly();
    void roundsWhatFloat32CannotHold();
    void readsMoreThanOnePieceInBothOrders_data();
    void readsMoreThanOnePieceInBothOrders();
    void refusesDamage_data();
    void refusesDamage();
    void refusesEveryTruncation();
    void namesTheFirstOffenderInRowOrder_data();
    void namesTheFirstOffenderInRowOrder();
    void refusesAKey();
};

void NpyTest::readsEveryTypeOrderAndEndianness_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::vector<float>>("expected");
    addInteger<std::int8_t>("int8", "i1");
    addInteger<std::int16_t>("int16", "i2");
    addInteger<std::int32_t>("int32", "i4");
    addInteger<std::int64_t>("int64", "i8");
    addInteger<std::uint8_t>("uint8", "u1");
    addInteger<std::uint16_t>("uint16", "u2");
    addInteger<std::uint32_t>("uint32", "u4");
    addInteger<std::uint64_t>("uint64", "u8");
    addType<std::uint8_t>("bool", "b1", {0, 1, 1, 0, 255, 0}, {0, 1, 1, 0, 1, 0});
    addType<std::uint16_t>("float16", "f2", {0x0000, 0x3C00, 0xC000, 0x3555, 0x0001, 0x7BFF},
                           {0.0f, 1.0f, -2.0f, 0.333251953125f, 0x1p-24f, 65504.0f});
    const std::vector<float> floats = {0.0f, -1.5f, 3.25e-5f, 1e-45f, std::numeric_limits<float>::max(), 7.0f};
    addType<float>("float32", "f4", floats, floats);
    addType<double>("float64", "f8", {0.0, -1.5, 0.1, 1e-300, 3.4028234e38, 7.0},
                    {0.0f, -1.5f, 0.1f, 0.0f, std::numeric_limits<float>::max(), 7.0f});
}

void NpyTest::readsEveryTypeOrderAndEndianness() {
    QFETCH(std::string, file);
    QFETCH(std::vector<float>, expected);
    const auto set = readEmbeddingsFromMemory("x.npy", asBytes(file));
    QCOMPARE(set->rows(), std::size_t{3});
    QCOMPARE(set->dim(), std::size_t{2});
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(std::bit_cast<std::uint32_t>(set->matrix().data[i]), std::bit_cast<std::uint32_t>(expected[i]));
}

void NpyTest::readsEveryHeaderVersion_data() {
    QTest::addColumn<int>("version");
    QTest::newRow("1.0") << 1;
    QTest::newRow("2.0") << 2;
    QTest::newRow("3.0") << 3;
}

void NpyTest::readsEveryHeaderVersion() {
    QFETCH(int, version);
    const std::vector<float> values = {1, 2, 3, 4};
    QCOMPARE(valuesOf(npyFile("<f4", "(2, 2)", bytesOf(values), Order::C, version)), values);
}

void NpyTest::readsPaddedAndOldHeaders_data() {
    QTest::addColumn<std::string>("text");
    QTest::newRow("padded") << "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }" + std::string(500, ' ') +
                                   "\n";
    QTest::newRow("no spaces") << std::string("{'descr':'<f4','fortran_order':False,'shape':(2,2)}");
    QTest::newRow("other order") << std::string("{'shape': (2, 2), 'fortran_order': False, 'descr': '<f4'}\n");
    QTest::newRow("double quotes") << std::string("{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 2)}");
    QTest::newRow("Python 2's long") << header("<f4", "(2L, 2L)");
    QTest::newRow("trailing comma") << header("<f4", "(2, 2,)");
    QTest::newRow("native order") << header("=f4", "(2, 2)");
}

void NpyTest::readsPaddedAndOldHeaders() {
    QFETCH(std::string, text);
    const std::vector<float> values = {1, 2, 3, 4};
    QCOMPARE(valuesOf(rawNpy(text, bytesOf(values))), values);
}

void NpyTest::convertsEveryHalfExactly() {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = halfToFloat(static_cast<std::uint16_t>(bits));
        const int exponent = (bits >> 10) & 0x1F;
        const double fraction = bits & 0x3FF;
        const double sign = bits & 0x8000 ? -1.0 : 1.0;
        QCOMPARE(std::signbit(value), sign < 0);
        if (exponent == 31 && fraction != 0) {
            QVERIFY(std::isnan(value));
            continue;
        }
        const double expected = exponent == 31  ? sign * std::numeric_limits<double>::infinity()
                                : exponent == 0 ? sign * std::ldexp(fraction, -24)
                                                : sign * std::ldexp(1024 + fraction, exponent - 25);
        QVERIFY2(static_cast<double>(value) == expected, qPrintable(QString::number(bits, 16)));
    }
}

void NpyTest::roundsWhatFloat32CannotHold() {
    const std::vector<std::int64_t> whole = {16777216, 16777217, 16777219, -16777217};
    QCOMPARE(valuesOf(npyFile("<i8", "(1, 4)", bytesOf(whole))), // one row: no spread, no offset
             (std::vector<float>{16777216.0f, 16777216.0f, 16777220.0f, -16777216.0f}));
    // Half way between two float32 goes to the even one.
    const std::vector<double> halfway = {1.0 + 0x1p-24, 1.0 + 0x1.8p-23};
    QCOMPARE(valuesOf(npyFile("<f8", "(1, 2)", bytesOf(halfway))), (std::vector<float>{1.0f, 1.0f + 0x1p-22f}));
}

void NpyTest::readsMoreThanOnePieceInBothOrders_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::newRow("tall") << 100003 << 3;
    QTest::newRow("wide") << 7 << 40001;
    QTest::newRow("square") << 501 << 509;
    QTest::newRow("one column") << 70000 << 1;
    QTest::newRow("one row") << 1 << 70000;
}

void NpyTest::readsMoreThanOnePieceInBothOrders() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    std::vector<std::int32_t> rowMajor;
    std::vector<std::int32_t> columnMajor;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            rowMajor.push_back(r * columns + c);
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r)
            columnMajor.push_back(r * columns + c);
    const std::vector<float> expected(rowMajor.begin(), rowMajor.end());
    const std::string shape = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
    QVERIFY(valuesOf(npyFile("<i4", shape, bytesOf(rowMajor))) == expected);
    QVERIFY(valuesOf(npyFile("<i4", shape, bytesOf(columnMajor), Order::Fortran)) == expected);
}

void NpyTest::refusesDamage_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<QString>("says");
    const std::string four = bytesOf<float>({1, 2, 3, 4});
    const auto file = [](const char* name, const std::string& bytes, const QString& says) {
        QTest::newRow(name) << bytes << "x.npy|expected|found|" + says;
    };
    file("empty file", "", "an empty file");
    file("other content", "hello, world", "docs/formats.md|text without a table of numbers");
    file("only the magic", std::string(npyMagic), "truncated");
    file("version 9", rawNpy(header("<f4", "(2, 2)"), four, 9), "version 9.0");
    file("header beyond the file", rawNpy(header("<f4", "(2, 2)"), "").substr(0, 40), "truncated or damaged");
    file("huge version 2 header", std::string(npyMagic) + std::string("\2\0\xff\xff\xff\xff{", 7), "4294967295 bytes");
    file("no dictionary", rawNpy("[1, 2]\n", four), "'{' at character 0");
    file("evaluated code",
         rawNpy("{'descr': __import__('os').system('x'), 'fortran_order': False, 'shape': (2, 2)}", four),
         "a quoted text at character 10");
    file("missing shape", rawNpy("{'descr': '<f4', 'fortran_order': False}", four),
         "'descr', 'fortran_order' and 'shape'");
    file("key twice", rawNpy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", four),
         "once");
    file("unknown key", rawNpy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), 'more': 1}", four), "once");
    file("text after", rawNpy(header("<f4", "(2, 2)") + "x", four), "nothing after the closing brace");
    file("negative extent", rawNpy(header("<f4", "(-2, 2)"), four), "a whole number");
    file("number, no tuple", rawNpy(header("<f4", "(4)"), four), "a comma");
    file("extent beyond 64 bits", rawNpy(header("<f4", "(99999999999999999999, 2)"), four), "at most 64 bits");
    file("product beyond 64 bits", rawNpy(header("<f4", "(4294967296, 4294967296)"), four), "4294967296");
    file("bytes beyond 64 bits", rawNpy(header("<f8", "(4611686018427387904, 1)"), four), "fits the file");
    file("product that wraps to the size", rawNpy(header("<f4", "(4611686018427387905, 4)"), four), "fits the file");
    file("absurd shape", rawNpy(header("<f4", "(1000000, 1000000)"), four),
         "4000000000000 bytes|16 bytes: it is truncated");
    file("one value too few", npyFile("<f4", "(2, 2)", four.substr(4)), "16 bytes for float32 [2, 2]|12 bytes");
    file("one byte too many", npyFile("<f4", "(2, 2)", four + "x"), "16 bytes for float32 [2, 2]|17 bytes");
    std::string ones = "(1";
    for (int i = 0; i < 99; ++i)
        ones += ", 1";
    file("too many dimensions", rawNpy(header("<f4", ones + ")"), four), "at most 64 dimensions");
    file("bad boolean", rawNpy(header("<f4", "(2, 2)", "Maybe"), four), "True or False");
    file("escape in text", rawNpy("{'de\\x73cr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", four),
         "without escapes");
    file("open text", rawNpy("{'descr", four), "a closing quote");
    file("open record type", rawNpy("{'descr': [('a', '<f4'", four), "a closing bracket");
    file("0-d", npyFile("<f4", "()", four.substr(12)), "2-D|float32 []");
    file("1-D", npyFile("<f4", "(4,)", four), "2-D|float32 [4]");
    file("3-D", npyFile("<f4", "(2, 2, 1)", four, NpyHeader::Order::Fortran), "C order|float32 [2, 2, 1]");
    file("pictures of two channels", npyFile("|u1", "(1, 2, 4, 2)", four), "1, 3 or 4 channels");
    file("pictures of floats", npyFile("<f4", "(2, 3, 2, 2)", four), "float32 [2, 3, 2, 2]|looks like pictures|uint8");
    file("videos", npyFile("|u1", "(2, 2, 2, 2, 4)", four), "uint8 [2, 2, 2, 2, 4]|looks like videos");
    file("bfloat16", npyFile("|V2", "(2, 2)", four), "looks like bfloat16|astype('float32')");
    file("no rows", npyFile("<f4", "(0, 4)", ""), "at least one row|float32 [0, 4]");
    file("no columns", npyFile("<f4", "(4, 0)", ""), "at least one row|float32 [4, 0]");
    file("very many rows of nothing", npyFile("<f4", "(18446744073709551615, 0)", ""), "at least one row");
    file("objects", npyFile("|O", "(2, 2)", four), "never loaded");
    file("text", npyFile("<U1", "(2, 2)", four), "2-D array of numbers|text (<U1)");
    file("complex", npyFile("<c8", "(1, 2)", four), "type <c8");
    file("float128", npyFile("<f16", "(1, 1)", four), "type <f16");
    file("int3", npyFile("<i3", "(1, 1)", four), "type <i3");
    file("date", npyFile("<M8[ns]", "(1, 2)", four), "type <M8[ns]");
    file("record type",
         rawNpy("{'descr': [('a', '<f4'), ('b', '<f4', (2,))], 'fortran_order': False, 'shape': (1, 2)}", four),
         "type [('a', '<f4')");
    file("no byte order", npyFile("f4", "(2, 2)", four), "'<f4'|'f4'");
    file("irrelevant byte order", npyFile("|f4", "(2, 2)", four), "type |f4");
    file("type without size", npyFile("<f", "(2, 2)", four), "type <f");
    file("type of absurd size", npyFile("<f99999999999999999999999", "(2, 2)", four), "type <f9999");
    file("control characters", npyFile("\x01\x02\x7f", "(2, 2)", four), "'?\?\?'");
}

void NpyTest::refusesDamage() {
    QFETCH(std::string, file);
    QFETCH(QString, says);
    QVERIFY(saysAll(refused(file), says));
}

void NpyTest::refusesEveryTruncation() {
    const std::string whole = npyFile("<f4", "(2, 2)", bytesOf<float>({1, 2, 3, 4}));
    for (std::size_t length = 0; length < whole.size(); ++length)
        QVERIFY2(saysAll(refused(whole.substr(0, length)), "x.npy: expected |, found "),
                 qPrintable(QString::number(length)));
}

void NpyTest::namesTheFirstOffenderInRowOrder_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<QString>("says");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const auto both = [](const char* name, std::vector<double> m, const QString& says) {
        const std::vector<double> columns = {m[0], m[3], m[1], m[4], m[2], m[5]};
        QTest::addRow("%s, C", name) << npyFile("<f8", "(2, 3)", bytesOf(m)) << says;
        QTest::addRow("%s, Fortran", name) << npyFile("<f8", "(2, 3)", bytesOf(columns), Order::Fortran) << says;
        QTest::addRow("%s, swapped", name) << npyFile(">f8", "(2, 3)", bytesOf(m, ByteOrder::Swapped)) << says;
    };
    both("NaN", {1, 2, nan, inf, 5, 6}, "expected finite values, found NaN in row 0, column 2");
    both("infinite", {1, 2, 3, 4, -inf, nan}, "found an infinite value in row 1, column 1");
    both("too large", {1, 2, 3, 1e300, 5, nan}, "range of float32|found 1e+300 in row 1, column 0");
    both("just too large", {1, 2, 3, 4, 5, 3.4028236e38}, "range of float32|row 1, column 2");
    QTest::newRow("float16 infinity") << npyFile("<f2", "(1, 2)", bytesOf<std::uint16_t>({0x3C00, 0x7C00}))
                                      << QString("infinite value in row 0, column 1");
    std::vector<float> late(100000, 1.0f);
    late[99999] = std::numeric_limits<float>::quiet_NaN();
    QTest::newRow("late") << npyFile("<f4", "(50000, 2)", bytesOf(late)) << QString("NaN in row 49999, column 1");
    QTest::newRow("late, Fortran") << npyFile("<f4", "(50000, 2)", bytesOf(late), Order::Fortran)
                                   << QString("NaN in row 49999, column 1");
}

void NpyTest::namesTheFirstOffenderInRowOrder() {
    QFETCH(std::string, file);
    QFETCH(QString, says);
    QVERIFY(saysAll(refused(file), "x.npy|" + says));
}

void NpyTest::refusesAKey() {
    const std::string file = npyFile("<f4", "(1, 1)", bytesOf<float>({1}));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddingsFromMemory("x.npy", asBytes(file), "embeddings"); }),
                    "x.npy|'embeddings'|a single array"));
}

ASSAY_TEST(npy_test, NpyTest)
#include "npy_test.moc"
