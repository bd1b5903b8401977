// More than a hundred files that nobody should be able to harm Assay with, each given to assay-score: one line on
// stderr that names the file, exit code 3, less than 64 MiB of memory, no crash.
#include "engine/io/pictures/picture_files.h"
#include "engine/io/readers/format_table.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/hdf5_writer.h"
#include "tests/engine/support/limited_run.h"
#include "tests/engine/support/pickle_bytes.h"
#include "tests/engine/support/picture_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace assay;
using namespace assay::test;

namespace {

const std::string kHostileFloats = bytesOf<float>({1, 2, 3, 4});
const std::string kGoodMatrix = npyFile("<f4", "(2, 2)", kHostileFloats);

void addRow(const char* title, const char* name, const std::string& bytes) {
    QTest::newRow(title) << name << QByteArray::fromStdString(bytes);
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string bigEndianNumbers(const std::vector<std::uint32_t>& values) {
    return bytesOf<std::uint32_t>(values, NpyType::ByteOrder::Swapped);
}

/// A raw deflate stream.
std::string deflated(const std::string& bytes) {
    const QByteArray packed = qCompress(QByteArray::fromStdString(bytes), 9);
    return packed.mid(6).chopped(4).toStdString(); // without Qt's length, zlib's header and checksum
}

std::string gzipFile(const std::string& bytes) {
    return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + deflated(bytes) + std::string(8, '\0');
}

/// An entry that unpacks to so many zeros after its beginning.
ZipItem bomb(const std::string& name, const std::string& start, std::size_t zeros) {
    ZipItem item{name, deflated(start + std::string(zeros, '\0'))};
    item.method = 8;
    item.claimedSize = start.size() + zeros;
    return item;
}

std::string tensorBytes(const std::string& header, const std::string& data = kHostileFloats) {
    return bytesOf<std::uint64_t>({header.size()}) + header + data;
}

std::string oneTensor(const std::string& shape, const std::string& offsets) {
    return tensorBytes("{\"x\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}");
}

std::string wholePickle(const std::string& opcodes) {
    return "\x80\x02" + opcodes + ".";
}

std::string hugePng() {
    std::string file = pngBytes({std::vector<std::uint8_t>(16, 7), 4, 4, 1});
    return file.replace(16, 8, bigEndianNumbers({60000, 60000})).replace(29, 4, bigEndianNumbers({0xa5b92a9e}));
}

ZipItem changed(ZipItem item, const std::function<void(ZipItem&)>& change) {
    change(item);
    return item;
}

void arrayRows() {
    const auto header = [](const std::string& text) { return rawNpy(text, kHostileFloats); };
    addRow("npy of its magic alone", "a.npy", "\x93NUMPY");
    addRow("npy, header cut off", "a.npy", kGoodMatrix.substr(0, 40));
    addRow("npy, truncated", "a.npy", kGoodMatrix.substr(0, kGoodMatrix.size() - 1));
    addRow("npy, more than it says", "a.npy", kGoodMatrix + "x");
    addRow("npy, header of 4 GiB", "a.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
    addRow("npy of version 9", "a.npy", std::string("\x93NUMPY\x09\x00\x10\x00", 10) + std::string(16, ' '));
    addRow("npy of 2^60 rows", "a.npy", npyFile("<f4", "(1152921504606846976, 2)", kHostileFloats));
    addRow("npy, product beyond 64 bits", "a.npy", npyFile("<f4", "(4294967296, 4294967296, 16)", kHostileFloats));
    addRow("npy, number beyond 64 bits", "a.npy", npyFile("<f4", "(99999999999999999999999, 2)", kHostileFloats));
    addRow("npy, negative rows", "a.npy", npyFile("<f4", "(-2, -2)", kHostileFloats));
    addRow("npy of no rows", "a.npy", npyFile("<f4", "(0, 4)", ""));
    addRow("npy of objects", "a.npy", npyFile("|O", "(2, 2)", "cos\nsystem\n(S'true'\ntR."));
    addRow("npy, complex", "a.npy", npyFile("<c8", "(2, 1)", kHostileFloats));
    addRow("npy, items of 2^63 bytes", "a.npy", npyFile("<U9223372036854775807", "(2, 2)", kHostileFloats));
    addRow("npy, one dimension", "a.npy", npyFile("<f4", "(4,)", kHostileFloats));
    addRow("npy, 10,000 dimensions", "a.npy", npyFile("<f4", "(" + repeated("1,", 10'000) + ")", "abcd"));
    addRow("npy, an expression", "a.npy", header("{'descr': __import__('os').system('true'), 'shape': (2, 2)}"));
    addRow("npy, brackets in each other", "a.npy", header("{'descr': " + std::string(50'000, '[')));
    addRow("npy, a text without end", "a.npy", header("{'descr': '<f4"));
    addRow("npy of NaN", "a.npy", npyFile("<f4", "(1, 1)", bytesOf<std::uint32_t>({0x7fc00000})));
    addRow("npy beyond float32", "a.npy", npyFile("<f8", "(1, 1)", bytesOf<double>({1e300})));
}

void archiveRows() {
    const ZipItem good{"embeddings.npy", kGoodMatrix};
    const std::string whole = zipFile({good});
    addRow("zip of nothing", "a.npz", zipFile({}));
    addRow("zip of four bytes", "a.npz", "PK\x03\x04");
    addRow("zip, cut in half", "a.npz", whole.substr(0, whole.size() / 2));
    addRow("zip without its last byte", "a.npz", whole.substr(0, whole.size() - 1));
    addRow("zip, a password", "a.npz", zipFile({changed(good, [](ZipItem& i) { i.flags = 1; })}));
    addRow("zip, an unknown method", "a.npz", zipFile({changed(good, [](ZipItem& i) { i.method = 99; })}));
    addRow("zip, a wrong checksum", "a.npz", zipFile({changed(good, [](ZipItem& i) { i.crc = 1; })}));
    addRow("zip, a claim of 2^50 bytes", "a.npz", zipFile({changed(good, [](ZipItem& i) {
               i.sizes = ZipItem::Sizes::Zip64;
               i.claimedSize = std::uint64_t{1} << 50;
           })}));
    addRow("zip, packed beyond the file", "a.npz", zipFile({changed(good, [](ZipItem& i) {
               i.claimedPackedSize = 1U << 30;
               i.claimedSize = 1U << 30;
           })}));
    addRow("npz, one key twice", "a.npz", zipFile({good, good}));
    addRow("npz in npz", "a.npz", zipFile({{"inner.npz", whole}}));
    addRow("npz, ten in each other", "a.npz", [&] {
        std::string file = whole;
        for (int i = 0; i < 10; ++i)
            file = zipFile({{"inner.zip", file}});
        return file;
    }());
    addRow("npz, names that climb", "a.npz",
           zipFile({{"../../../etc/passwd.npy", npyFile("<f4", "(4,)", kHostileFloats)}}));
    addRow("npz, a name of zeros", "a.npz", zipFile({{std::string(300, '\1'), "x"}}));
    addRow("npz, 2^60 rows", "a.npz",
           zipFile({{"embeddings.npy", npyFile("<f4", "(1152921504606846976, 2)", kHostileFloats)}}));
    addRow("npz, a bomb behind the array", "a.npz", zipFile({bomb("embeddings.npy", kGoodMatrix, 100 << 20)}));
    addRow("npz, labels of 2^40", "a.npz",
           zipFile({good, {"labels.npy", npyFile("<i8", "(1099511627776,)", kHostileFloats)}}));
    addRow("npz, ids that differ in number", "a.npz", zipFile({good, {"ids.npy", npyFile("|S1", "(1,)", "a")}}));
    addRow("npz, samples of 2^48 bytes", "a.npz",
           zipFile({{"arr_0.npy", npyFile("|u1", "(65536, 65536, 65536, 3)", "abc")}}));
    addRow("npz, samples of two channels", "a.npz", zipFile({{"arr_0.npy", npyFile("|u1", "(1, 2, 1, 2)", "abcd")}}));
    addRow("npz, samples without pixels", "a.npz", zipFile({{"arr_0.npy", npyFile("|u1", "(4, 0, 0, 3)", "")}}));
    addRow("npz, 20,000 entries", "a.npz", [&] {
        std::vector<ZipItem> items;
        for (int i = 0; i < 20'000; ++i)
            items.push_back({std::to_string(i), {}});
        return zipFile(items);
    }());
}

void tensorRows() {
    addRow("safetensors, no tensors", "a.safetensors", tensorBytes("{}"));
    addRow("safetensors, header of 2^63", "a.safetensors", bytesOf<std::uint64_t>({std::uint64_t{1} << 63}) + "{}");
    addRow("safetensors, header beyond the file", "a.safetensors", bytesOf<std::uint64_t>({1000}) + "{}");
    addRow("safetensors, damaged", "a.safetensors", tensorBytes("{\"x\":"));
    addRow("safetensors, deep", "a.safetensors", tensorBytes("{\"x\":" + std::string(1'000'000, '[')));
    std::string many = R"({"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    for (int i = 0; i < 100'000; ++i)
        many += ",\"" + std::to_string(i) + "\":{}";
    addRow("safetensors, 100,001 tensors", "a.safetensors", tensorBytes(many + "}"));
    addRow("safetensors, deep objects", "a.safetensors", tensorBytes("{" + repeated("\"x\":{", 100'000)));
    addRow("safetensors, 2^60 rows", "a.safetensors", oneTensor("[1152921504606846976,2]", "[0,16]"));
    addRow("safetensors, product beyond 64 bits", "a.safetensors", oneTensor("[4294967296,4294967296,16]", "[0,0]"));
    addRow("safetensors, negative", "a.safetensors", oneTensor("[-2,-2]", "[0,16]"));
    addRow("safetensors, 10,000 dimensions", "a.safetensors", oneTensor("[" + repeated("1,", 9'999) + "1]", "[0,4]"));
    addRow("safetensors, beyond the end", "a.safetensors",
           oneTensor("[2,2]", "[18446744073709551600,18446744073709551615]"));
    addRow("safetensors, end before begin", "a.safetensors", oneTensor("[2,2]", "[16,0]"));
    addRow("safetensors, a type not known", "a.safetensors",
           tensorBytes("{\"x\":{\"dtype\":\"Q8\",\"shape\":[2,2],\"data_offsets\":[0,16]}}"));
    addRow("safetensors, names of the wrong kind", "a.safetensors", tensorBytes("{\"x\":{\"dtype\":7}}"));
}

#ifdef ASSAY_HAVE_HDF5
/// A file of one dataset of floats that nobody has written to.
std::string claimedDataset(const std::vector<hsize_t>& shape, const Storage& storage = {}) {
    const QTemporaryDir folder;
    const QString name = folder.filePath("a.h5");
    H5Writer(name.toStdString()).dataset("x", shape, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, nullptr, storage);
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}
#endif

void hdf5Rows() {
    const std::string signature = "\x89HDF\r\n\x1a\n";
    addRow("hdf5 of its signature alone", "a.h5", signature);
    addRow("hdf5 of zeros", "a.h5", signature + std::string(4096, '\0'));
    addRow("hdf5 of ones", "a.h5", signature + std::string(4096, '\xff'));
    addRow("hdf5 behind a block", "a.h5", std::string(1 << 20, ',') + signature + std::string(100, '\2'));
#ifdef ASSAY_HAVE_HDF5
    constexpr hsize_t huge = hsize_t{1} << 40;
    addRow("hdf5, 2^60 values", "a.h5", claimedDataset({huge, 1 << 20}));
    addRow("hdf5, 2^60 values in chunks", "a.h5", claimedDataset({huge, 1 << 20}, {{1 << 10, 1 << 10}, true, true}));
    addRow("hdf5, a chunk of 4 GiB", "a.h5", claimedDataset({1 << 20, 500}, {{1 << 20, 500}, true, true}));
    addRow("hdf5, one axis of 2^40", "a.h5", claimedDataset({huge}, {{1}}));
    const std::string whole = claimedDataset({2, 2});
    // Found by fuzzing: a root group without a tree, over which libhdf5 1.10.8 follows a null pointer.
    std::string rootless(6300, '\0');
    rootless.replace(0, 20, std::string("\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0\x04\0\x10\0", 20));
    rootless.replace(32, 10, std::string(8, '\xff') + "\x90\x18").replace(48, 8, std::string(8, '\xff'));
    rootless.replace(64, 1, "\x60").replace(96, 5, std::string("\1\0\1\0\1", 5)).replace(104, 1, "\x18");
    rootless.replace(112, 3, std::string("\x11\0\x10", 3)).replace(128, 8, std::string(8, '\xff'));
    addRow("hdf5 that the library crashes over", "a.h5", rootless);
    addRow("hdf5, cut in half", "a.h5", whole.substr(0, whole.size() / 2));
    addRow("hdf5 without its last byte", "a.h5", whole.substr(0, whole.size() - 1));
#endif
}

void torchRows() {
    const auto tensor = [](const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& strides,
                           std::uint64_t offset = 0, std::uint64_t items = 4) {
        return torchFile(torchTensor("FloatStorage", "0", items, shape, strides, offset), {kHostileFloats});
    };
    constexpr std::uint64_t huge = std::uint64_t{1} << 60;
    addRow("pt that calls os.system", "a.pt", torchFile("cos\nsystem\n" + pickleText("echo run") + "\x85R", {}));
    addRow("pt, os.system by the stack", "a.pt",
           torchFile(pickleText("os") + pickleText("system") + "\x93" + pickleText("echo run") + "\x85R", {}));
    addRow("pt that evaluates", "a.pt", torchFile("c__builtin__\neval\n" + pickleText("1") + "\x85R", {}));
    addRow("pt, numpy's runstring", "a.pt", torchFile("cnumpy.testing._private.utils\nrunstring\n)R", {}));
    addRow("pt, a call in a tensor's place", "a.pt", torchFile(pickleDict({{"embeddings", "cos\ngetcwd\n)R"}}), {}));
    addRow("pt, an object of a class", "a.pt", torchFile("cnumpy\nndarray\n)\x81", {}));
    addRow("pt, INST", "a.pt", torchFile("(ios\nsystem\n", {}));
    addRow("pt before 1.6", "a.pt",
           std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15) + "\x80\x02M\xe9\x03.");
    addRow("pt, 2^60 rows", "a.pt", tensor({huge, 2}, {2, 1}));
    addRow("pt, expanded", "a.pt", tensor({1U << 31, 1U << 31}, {0, 0}));
    addRow("pt, strides beyond the end", "a.pt", tensor({2, 2}, {huge, 1}));
    addRow("pt, strides that wrap", "a.pt", tensor({3, 1}, {std::uint64_t{1} << 63, 1}));
    addRow("pt, an offset beyond the end", "a.pt", tensor({1, 1}, {1, 1}, huge));
    addRow("pt, a storage of 2^60", "a.pt", tensor({2, 2}, {2, 1}, 0, huge));
    addRow("pt, a storage that climbs", "a.pt",
           torchFile(torchTensor("FloatStorage", "../../../../etc/passwd", 4, {2, 2}, {2, 1}), {kHostileFloats}));
    addRow("pt, truncated", "a.pt", tensor({2, 2}, {2, 1}).substr(0, 200));
    addRow("pt, pickle truncated", "a.pt", zipFile({{"archive/data.pkl", "\x80\x02}("}}));
    addRow("pt, pickle empty", "a.pt", zipFile({{"archive/data.pkl", ""}}));
    addRow("pt, marks in each other", "a.pt", torchFile(std::string(1'000'000, '('), {}));
    addRow("pt, lists in each other", "a.pt", torchFile(repeated("](", 500'000), {}));
    addRow("pt, a million lists", "a.pt", torchFile(std::string(1'000'000, ']'), {}));
    addRow("pt, three million values", "a.pt", torchFile(std::string(3'000'000, 'N'), {}));
    addRow("pt, a list filled by itself", "a.pt",
           torchFile("]q" + std::string(1, '\0') + repeated(std::string("h\0a", 3), 100'000), {}));
    addRow("pt, a memo of 2^31", "a.pt", torchFile("}r\xff\xff\xff\x7f", {}));
    addRow("pt, nothing on the stack", "a.pt", torchFile("abseu", {}));
    addRow("pt, a text of 4 GiB", "a.pt", torchFile("X\xff\xff\xff\xff", {}));
    addRow("pt, a text of 2^64", "a.pt", torchFile("\x8e\xff\xff\xff\xff\xff\xff\xff\xff", {}));
    addRow("pt, a number of 255 bytes", "a.pt", torchFile("\x8a\xff" + std::string(255, '\x7f'), {}));
    addRow("pt, a bomb for a pickle", "a.pt", zipFile({bomb("archive/data.pkl", "\x80\x02", 100 << 20)}));
}

void pictureRows() {
    const auto idx = [](char type, const std::vector<std::uint32_t>& shape) {
        return std::string("\0\0", 2) + type + static_cast<char>(shape.size()) + bigEndianNumbers(shape);
    };
    const std::string record = "\x01" + std::string(3072, 'x');
    addRow("idx of four bytes", "a-images-idx3-ubyte", idx(8, {3, 3, 3}).substr(0, 4));
    addRow("idx, truncated", "a-images-idx3-ubyte", idx(8, {2, 2, 2}) + "abc");
    addRow("idx of 2^96 pixels", "a-images-idx3-ubyte", idx(8, {~0U, ~0U, ~0U}) + "abc");
    addRow("idx without pixels", "a-images-idx3-ubyte", idx(8, {~0U, 0, 0}));
    addRow("idx of doubles", "a-images-idx3-ubyte", idx(0x0e, {1, 1, 1}) + "abcdefgh");
    addRow("idx of labels", "a-labels-idx1-ubyte", idx(8, {3}) + "abc");
    addRow("gzip, endless", "a-images-idx3-ubyte.gz", gzipFile(idx(8, {1, 2, 2}) + std::string(100 << 20, '\0')));
    addRow("gzip, a claim of 2^96 pixels", "a-images-idx3-ubyte.gz", gzipFile(idx(8, {~0U, ~0U, ~0U})));
    addRow("gzip, truncated", "a-images-idx3-ubyte.gz",
           gzipFile(idx(8, {100, 28, 28}) + std::string(78'400, 'a')).substr(0, 60));
    addRow("gzip, a wrong checksum", "a-images-idx3-ubyte.gz", gzipFile(idx(8, {1, 2, 2}) + "abcd"));
    addRow("gzip of something else", "a.gz", gzipFile("something else"));
    addRow("gzip of ten bytes", "a.gz", gzipFile("x").substr(0, 10));
    addRow("CIFAR, truncated", "data_batch_1.bin", record.substr(0, 3000));
    addRow("CIFAR, no labels", "test_batch.bin", std::string(3073 * 2, '\xff'));
    addRow("CIFAR, a bad label late", "a.bin", repeated(record, 70) + std::string(3073, '\xff'));
    addRow("pickle that calls os.system", "data_batch_1",
           wholePickle("cposix\nsystem\n" + pickleText("echo run") + "\x85R"));
    addRow("pickle of a reducer", "a.pkl", wholePickle("csubprocess\nPopen\n" + pickleText("true") + "\x85R"));
    addRow("pickle of protocol 0", "a.pkl", "(lp0\nI1\na.");
    addRow("pickle, other data", "a.pkl", wholePickle(pickleDict({{"data", pickleText("x")}})));
    addRow("pickle, 2^60 pictures", "a.pkl",
           wholePickle(pickleDict({{"data", pickledArray("u1", {std::uint64_t{1} << 60, 3072}, "x")}})));
    addRow("pickle, too few labels", "a.pkl",
           wholePickle(pickleDict({{"labels", pickleList({"K\x01"})},
                                   {"data", pickledArray("u1", {2, 3072}, record.substr(1) + record.substr(1))}})));
    addRow("pickle of objects", "a.pkl", wholePickle(pickleDict({{"data", pickledArray("O8", {1, 3072}, "x")}})));
    addRow("picture zip of a PNG of 60,000 x 60,000", "a.zip", zipFile({{"a.png", hugePng()}}));
    addRow("picture zip of a GIF of 60,000 x 60,000", "a.zip",
           zipFile({{"a.gif", gifFile(60'000, 60'000, {0, 0, 0}, {{0, 0, 1, 1, {0}}})}}));
    addRow("picture zip of a TIFF of 60,000 x 60,000", "a.zip",
           zipFile({{"a.tif", tiffFile({{60'000, 60'000, {8}, 1, "x"}})}}));
    addRow("picture zip of a TIFF, most of it missing", "a.zip",
           zipFile({{"a.tif", tiffFile({{2000, 2000, {8}, 1, "x"}})}}));
    addRow("picture zip, a bomb", "a.zip", zipFile({bomb("a.png", "\x89PNG\r\n\x1a\n", 100 << 20)}));
    addRow("picture zip in a picture's place", "a.zip", zipFile({{"a.png", zipFile({{"a.png", hugePng()}})}}));
    addRow("picture zip, names that climb", "a.zip", zipFile({{"../../../../tmp/a.png", "x"}, {"/etc/b.png", "x"}}));
    addRow("picture zip, one name twice", "a.zip", zipFile({{"a.png", "x"}, {"a.png", "x"}}));
    addRow("picture zip, deep JSON", "a.zip",
           zipFile({{"a.png", pngBytes({std::vector<std::uint8_t>(16, 7), 4, 4, 1})},
                    {"dataset.json", std::string(1'000'000, '[')}}));
    addRow("picture zip, JSON of a bomb", "a.zip",
           zipFile({{"a.png", pngBytes({std::vector<std::uint8_t>(16, 7), 4, 4, 1})},
                    bomb("dataset.json", "{\"labels\":", 30 << 20)}));
    addRow("a lone PNG of 60,000 x 60,000", "a.png", hugePng());
}

void textRows() {
    addRow("nothing", "a.csv", "");
    addRow("zeros", "a.csv", std::string(5000, '\0'));
    addRow("random bytes", "a", "\xde\xad\xbe\xef\x01\x02");
    addRow("Parquet", "a.parquet", "PAR1" + std::string(100, 'x') + "PAR1");
    addRow("Parquet, encrypted", "a.parquet", "PARE" + std::string(100, 'x') + "PARE");
    addRow("prose", "a.txt", "Call me Ishmael.\n");
    addRow("JSON", "a.json", "{\"a\": [1, 2]}");
    addRow("HTML", "a.html", "<html><body>404</body></html>");
    addRow("deep JSON", "a.json", std::string(1'000'000, '['));
    addRow("table of a header alone", "a.csv", "1a,2a\n");
    addRow("table, fewer fields", "a.csv", "1,2\n3\n");
    addRow("table, more fields", "a.csv", "1,2\n3,4,5\n");
    addRow("table of NaN", "a.csv", "1,2\n3,nan\n");
    addRow("table, infinite", "a.csv", "1,2\n3,1e999\n");
    addRow("table, a formula", "a.csv", "1,2\n=cmd|' /C calc'!A0,4\n");
    addRow("table, half a header", "a.csv", "a,2\n1,2\n");
    addRow("table, a quote without end", "a.csv", "1,2\n\"" + std::string(1 << 20, '1'));
    addRow("table, a field of zeros", "a.csv", "1,2\n" + std::string(10, '\0') + ",1\n");
}

} // namespace

class HostileInputsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void filesAreRefused_data();
    void filesAreRefused();
    void largeTablesAreRefused_data();
    void largeTablesAreRefused();
    void foldersAndDevicesAreRefused_data();
    void foldersAndDevicesAreRefused();

private:
    void isRefused(const QString& name) const;
    void isRefused(const QString& name, const QByteArray& bytes) const;

    QTemporaryDir folder_;
    std::string good_;
};

void HostileInputsTest::initTestCase() {
    good_ = folder_.filePath("good.csv").toStdString();
    QFile file(QString::fromStdString(good_));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray("1,2\n3,4\n5,7\n6,3\n").repeated(5)) > 0);
}

void HostileInputsTest::isRefused(const QString& name) const {
    const LimitedRun run =
        runLimited({scoreProgram().toStdString(), "--real", name.toStdString(), "--synthetic", good_});
    QVERIFY2(run.exitCode == 3, QByteArray::number(run.exitCode) + ": " + run.err);
    QVERIFY2(run.err.startsWith("assay-score: ") && run.err.endsWith('\n') && run.err.count('\n') == 1, run.err);
    QVERIFY2(run.err.contains(QFileInfo(name).fileName().toUtf8()), run.err);
    QVERIFY2(run.err.contains("expected") || run.err.contains("is empty"), run.err);
    QVERIFY2(run.err.size() < 2000, run.err);
    if (takesSmallSizes()) // a sanitizer's own memory
        return;
    constexpr long most = 64 * 1024;
    QVERIFY2(run.peakKiB < most, QByteArray::number(static_cast<qlonglong>(run.peakKiB)) + " KiB");
}

void HostileInputsTest::isRefused(const QString& name, const QByteArray& bytes) const {
    QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    file.close();
    isRefused(file.fileName());
}

void HostileInputsTest::filesAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    arrayRows();
    archiveRows();
    tensorRows();
    hdf5Rows();
    torchRows();
    pictureRows();
    textRows();
}

void HostileInputsTest::filesAreRefused() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    isRefused(name, bytes);
}

void HostileInputsTest::largeTablesAreRefused_data() {
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("again");
    QTest::addColumn<int>("times");
    QTest::newRow("a line of 17 MiB") << QByteArray("1,2\n1") << QByteArray("1") << (17 << 20);
    QTest::newRow("2 million columns") << QByteArray("1") << QByteArray(",1") << 2'000'000;
    QTest::newRow("a quoted field of 17 MiB") << QByteArray("1,2\n\"") << QByteArray("1\n") << (17 << 19);
}

// Made when they are wanted: a process begins with what the test has in memory.
void HostileInputsTest::largeTablesAreRefused() {
    QFETCH(const QByteArray, start);
    QFETCH(const QByteArray, again);
    QFETCH(const int, times);
    QTemporaryDir folder;
    const QString name = folder.filePath("a.csv");
    {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(start);
        for (int i = 0; i < times; ++i)
            file.write(again);
    }
    isRefused(name);
}

void HostileInputsTest::foldersAndDevicesAreRefused_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"missing", "empty", "loop", "dangling", "fifo inside", "fifo", "device", "huge picture",
                             "link to itself", "no picture by content", "part that is a fifo", "part that is a loop",
                             "part of 2^60 rows", "part that is missing", "part that is a folder"})
        QTest::newRow(kind) << kind;
}

void HostileInputsTest::foldersAndDevicesAreRefused() {
    QFETCH(const QString, kind);
    QTemporaryDir folder;
    const QString inside = folder.filePath("set");
    const auto write = [&](const QByteArray& bytes) {
        QFile file(inside + "/a.png");
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    const auto makePipe = [](const QString& name) { return ::mkfifo(QFile::encodeName(name).constData(), 0600) == 0; };
    if (kind == "device") {
        isRefused("/dev/zero");
        return;
    }
    if (kind == "fifo")
        QVERIFY(makePipe(inside));
    else if (kind == "link to itself")
        QVERIFY(QFile::link("set", inside));
    else if (kind != "missing")
        QVERIFY(QDir().mkpath(inside));
    if (kind == "loop") {
        QVERIFY(QDir().mkpath(inside + "/b"));
        QVERIFY(QFile::link(inside, inside + "/b/back") && QFile::link(inside + "/b", inside + "/b/c.png"));
    }
    if (kind == "dangling")
        QVERIFY(QFile::link("/no/such/file.png", inside + "/a.png"));
    if (kind == "fifo inside")
        QVERIFY(makePipe(inside + "/a.png"));
    if (kind == "huge picture")
        QVERIFY(write(QByteArray::fromStdString(hugePng())));
    if (kind == "no picture by content")
        QVERIFY(write("<svg/>"));
    const QString part = inside + "/img_emb_0.npy";
    if (kind == "part that is a fifo")
        QVERIFY(makePipe(part));
    if (kind == "part that is a loop")
        QVERIFY(QFile::link("img_emb_0.npy", part));
    if (kind == "part of 2^60 rows" || kind == "part that is missing") {
        QFile file(kind == "part that is missing" ? inside + "/img_emb_18446744073709551615.npy" : part);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(npyFile("<f2", "(1152921504606846976, 2)", kHostileFloats)));
    }
    if (kind == "part that is a folder")
        QVERIFY(QDir().mkpath(part));
    isRefused(inside);
}

ASSAY_TEST(hostile_inputs_test, HostileInputsTest)
#include "hostile_inputs_test.moc"
