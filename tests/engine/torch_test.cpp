// Files of PyTorch, built byte by byte as torch.save writes them, and by PyTorch itself where it is installed. A pickle
// that would run something is refused by name.
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/pickle_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/test_entry.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace assay;
using namespace assay::test;

namespace {

const std::string kSix = bytesOf<float>({1, 2, 3, 4, 5, 6});

std::shared_ptr<const EmbeddingSet> readTorchFile(const std::string& file, const std::string& key = {}) {
    return readEmbeddingsFromMemory("dir/gan.pt", asBytes(file), key);
}

std::vector<float> valuesOfSet(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

/// The python that has torch, if any; else empty.
QString pythonWithTorch() {
    for (const QString& python : {QStringLiteral("python3"), QStringLiteral("/usr/bin/python3")}) {
        QProcess process;
        process.start(python, {"-c", "import torch"});
        if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
            return python;
    }
    return {};
}

} // namespace

class TorchTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryType_data();
    void readsEveryType();
    void readsStridesAndOffsets_data();
    void readsStridesAndOffsets();
    void takesCompanions();
    void offersAChoice();
    void refuses_data();
    void refuses();
    void runsNothing_data();
    void runsNothing();
    void readsWhatPyTorchWrites();
};

void TorchTest::readsEveryType_data() {
    QTest::addColumn<QString>("storage");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* storage, const std::string& bytes) {
        QTest::newRow(storage) << storage << QByteArray::fromStdString(bytes);
    };
    row("HalfStorage", bytesOf<std::uint16_t>({0x3c00, 0x4000, 0x4200, 0x4400}));
    row("BFloat16Storage", bytesOf<std::uint16_t>({0x3f80, 0x4000, 0x4040, 0x4080}));
    row("FloatStorage", bytesOf<float>({1, 2, 3, 4}));
    row("DoubleStorage", bytesOf<double>({1, 2, 3, 4}));
    row("CharStorage", bytesOf<std::int8_t>({1, 2, 3, 4}));
    row("ByteStorage", bytesOf<std::uint8_t>({1, 2, 3, 4}));
    row("ShortStorage", bytesOf<std::int16_t>({1, 2, 3, 4}));
    row("IntStorage", bytesOf<std::int32_t>({1, 2, 3, 4}));
    row("LongStorage", bytesOf<std::int64_t>({1, 2, 3, 4}));
}

void TorchTest::readsEveryType() {
    QFETCH(const QString, storage);
    QFETCH(const QByteArray, bytes);
    const std::string tensor = torchTensor(storage.toStdString(), "0", 4, {2, 2}, {2, 1});
    const auto set = readTorchFile(torchFile(tensor, {bytes.toStdString()}));
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->name(), std::string("gan"));
    QCOMPARE(valuesOfSet(*set), (std::vector<float>{1, 2, 3, 4}));
}

void TorchTest::readsStridesAndOffsets_data() {
    QTest::addColumn<std::vector<std::uint64_t>>("shape");
    QTest::addColumn<std::vector<std::uint64_t>>("strides");
    QTest::addColumn<int>("offset");
    QTest::addColumn<std::vector<float>>("values");
    using Sizes = std::vector<std::uint64_t>;
    using Values = std::vector<float>;
    QTest::newRow("whole") << Sizes{3, 2} << Sizes{2, 1} << 0 << Values{1, 2, 3, 4, 5, 6};
    QTest::newRow("transposed") << Sizes{2, 3} << Sizes{1, 2} << 0 << Values{1, 3, 5, 2, 4, 6};
    QTest::newRow("rows from the second on") << Sizes{2, 2} << Sizes{2, 1} << 2 << Values{3, 4, 5, 6};
    QTest::newRow("second column") << Sizes{3, 1} << Sizes{2, 1} << 1 << Values{2, 4, 6};
    QTest::newRow("every other row") << Sizes{2, 2} << Sizes{4, 1} << 0 << Values{1, 2, 5, 6};
    QTest::newRow("one row of any stride") << Sizes{1, 3} << Sizes{77, 1} << 3 << Values{4, 5, 6};
}

void TorchTest::readsStridesAndOffsets() {
    QFETCH(const std::vector<std::uint64_t>, shape);
    QFETCH(const std::vector<std::uint64_t>, strides);
    QFETCH(const int, offset);
    QFETCH(const std::vector<float>, values);
    const std::string tensor = torchTensor("FloatStorage", "0", 6, shape, strides, static_cast<std::uint64_t>(offset));
    QCOMPARE(valuesOfSet(*readTorchFile(torchFile(tensor, {kSix}))), values);
}

void TorchTest::takesCompanions() {
    const std::string file =
        torchFile(pickleDict({{"other", torchTensor("FloatStorage", "0", 6, {6}, {1})},
                              {"embeddings", torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1})},
                              {"labels", torchTensor("LongStorage", "1", 3, {3}, {1})},
                              {"ids", pickleList({pickleText("a"), pickleText("b"), pickleText("c")})},
                              {"groups", pickleList({pickleText("v2"), pickleText("v1"), pickleText("v2")})},
                              {"epoch", "K\x05"}}),
                  {kSix, bytesOf<std::int64_t>({10, 9, 10})});
    const auto set = readTorchFile(file);
    QCOMPARE(set->source().key, std::string("embeddings"));
    QCOMPARE(set->labels().names, (std::vector<std::string>{"9", "10"}));
    QCOMPARE(set->labelText(0), std::string("10"));
    QCOMPARE(set->idText(2), std::string("c"));
    QCOMPARE(set->groups().names, (std::vector<std::string>{"v1", "v2"}));
    QCOMPARE(set->groupText(2), std::string("v2"));
    // Whole numbers in floats are classes, too.
    const auto floats =
        readTorchFile(torchFile(pickleDict({{"embeddings", torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1})},
                                            {"labels", torchTensor("FloatStorage", "1", 3, {3, 1}, {1, 1})}}),
                                {kSix, bytesOf<float>({10, 9, 10})}));
    QCOMPARE(floats->labels().names, (std::vector<std::string>{"9", "10"}));
    QCOMPARE(floats->labelText(1), std::string("9"));
}

void TorchTest::offersAChoice() {
    const std::string file =
        torchFile(pickleDict({{"a", torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1})},
                              {"n", pickleDict({{"b", torchTensor("FloatStorage", "0", 6, {2, 3}, {3, 1})}})}}),
                  {kSix});
    QVERIFY(saysAll(refusalOf([&] { readTorchFile(file); }), "found 2: 'a' float32 [3, 2]; 'n.b' float32 [2, 3]|:key"));
    QCOMPARE(readTorchFile(file, "n.b")->rows(), std::size_t{2});
    const std::string inner = pickleDict({{"embeddings", torchTensor("FloatStorage", "0", 6, {2, 3}, {3, 1})}});
    const std::string deep =
        torchFile(pickleDict({{"out", pickleDict({{"train", inner}, {"parts", pickleList({inner})}})},
                              {"proj", pickleDict({{"w", torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1})}})}}),
                  {kSix});
    QVERIFY(saysAll(refusalOf([&] { readTorchFile(deep); }),
                    "found 3: 'out.train.embeddings' float32 [2, 3]; 'out.parts.0.embeddings'|'proj.w'"));
    QCOMPARE(readTorchFile(deep, "out.train.embeddings")->rows(), std::size_t{2});
    const std::string byLayer = "}(" + pickleNumber(12) + torchTensor("FloatStorage", "0", 6, {2, 3}, {3, 1}) +
                                pickleNumber(33) + torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1}) + "u";
    const std::string numbered = torchFile(pickleDict({{"representations", byLayer}}), {kSix});
    QVERIFY(saysAll(refusalOf([&] { readTorchFile(numbered); }), "'representations.12'|'representations.33'"));
    QCOMPARE(readTorchFile(numbered, "representations.33")->rows(), std::size_t{3});
    QTemporaryDir folder;
    const std::string name = folder.filePath("two.pt").toStdString();
    std::ofstream(name, std::ios::binary) << file;
    QCOMPARE(candidateKeys(name), (std::vector<std::string>{"a", "n.b"}));
    QCOMPARE(readEmbeddings(name + ":n.b")->dim(), std::size_t{3});
}

void TorchTest::refuses_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::string& file, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(file) << says;
    };
    const auto one = [](const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& strides,
                        std::uint64_t offset = 0, std::uint64_t items = 6) {
        return torchFile(torchTensor("FloatStorage", "0", items, shape, strides, offset), {kSix});
    };
    row("legacy", std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15) + "\x80\x02M\xe9\x03.",
        "PyTorch 1.6 or later|torch.save");
    row("expanded", one({1U << 30, 1U << 30}, {0, 0}), "6 that are stored|clone()");
    row("2^60 rows", one({std::uint64_t{1} << 60, 8}, {8, 1}), "6 that are stored");
    row("beyond the end", one({3, 2}, {2, 1}, 1), "beyond them");
    row("strides beyond the end", one({2, 2}, {std::uint64_t{1} << 62, 1}), "beyond them");
    row("offset beyond the end", one({1, 1}, {1, 1}, std::uint64_t{1} << 62), "beyond them");
    row("more items than bytes", one({3, 2}, {2, 1}, 0, 7), "7 stored elements, found 24 bytes");
    row("no such entry", torchFile(torchTensor("FloatStorage", "../../x", 6, {3, 2}, {2, 1}), {kSix}),
        "'archive/data/../../x'|no such entry");
    row("complex", torchFile(torchTensor("ComplexFloatStorage", "0", 3, {3, 1}, {1, 1}), {kSix}),
        "a tensor [samples, dimensions]|ComplexFloatStorage");
    row("one dimension", one({6}, {1}), "'' float32 [6]");
    row("no rows", one({0, 4}, {4, 1}), "at least one row");
    row("labels of another length",
        torchFile(pickleDict({{"embeddings", torchTensor("FloatStorage", "0", 6, {3, 2}, {2, 1})},
                              {"labels", pickleList({"K\x01", "K\x02"})}}),
                  {kSix}),
        "'labels'|3 whole numbers or texts, one for each row, found a list of 2");
    const std::string whole = one({3, 2}, {2, 1});
    row("truncated", whole.substr(0, whole.size() / 2), "complete file of PyTorch");
    row("a pickle cut off", zipFile({{"archive/data.pkl", "\x80\x02}q"}}), "'archive/data.pkl'|truncated");
    row("a list that holds itself",
        torchFile("]q\x01h\x01"
                  "a",
                  {}),
        "a tensor [samples, dimensions]");
    row("deep lists", torchFile(std::string(5000, '('), {}), "at most 1000 values in each other");
    row("a huge memo", torchFile("}r\xff\xff\xff\x7f", {}), "counted up");
    row("a text beyond the end", torchFile("X\xff\xff\xff\x7f", {}), "truncated");
}

void TorchTest::refuses() {
    QFETCH(const QByteArray, file);
    QFETCH(const QString, says);
    const std::string bytes = file.toStdString();
    QVERIFY(saysAll(refusalOf([&] { readTorchFile(bytes); }), "gan.pt|" + says));
}

void TorchTest::runsNothing_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const std::string& pickle, const char* says) {
        QTest::newRow(title) << QByteArray::fromStdString(pickle) << says;
    };
    const std::string shell = pickleText("touch /tmp/run");
    row("GLOBAL", "cposix\nsystem\n" + shell + "\x85R", "the name 'posix.system'|never run");
    row("STACK_GLOBAL", pickleText("os") + pickleText("system") + "\x93" + shell + "\x85R", "'os.system'");
    row("a known module", "ctorch._utils\n_rebuild_qtensor\n)R", "'torch._utils._rebuild_qtensor'");
    row("a line feed in a name", pickleText("collections\n") + pickleText("OrderedDict") + "\x93", "never run");
    row("INST", "(ios\nsystem\n", "the opcode INST");
    row("OBJ", "(cnumpy\nndarray\no", "the opcode OBJ");
    row("NEWOBJ", "cnumpy\nndarray\n)\x81", "the opcode NEWOBJ");
    row("EXT1", "\x82\x01", "the opcode EXT1");
    row("a call of a class", "cnumpy\nndarray\n)R", "a call of 'numpy.ndarray'");
    row("a call of text", shell + ")R", "a call of the text 'touch /tmp/run'");
    row("a state for text", shell + "}b", "a state for the text");
    row("a state for a function", "ctorch._utils\n_rebuild_tensor_v2\n)R}b",
        "a state for 'torch._utils._rebuild_tensor_v2'");
}

void TorchTest::runsNothing() {
    QFETCH(const QByteArray, pickle);
    QFETCH(const QString, says);
    const std::string file = torchFile(pickle.toStdString(), {});
    QVERIFY(saysAll(refusalOf([&] { readTorchFile(file); }), "gan.pt|'archive/data.pkl'|" + says));
}

void TorchTest::readsWhatPyTorchWrites() {
    const QString python = pythonWithTorch();
    if (python.isEmpty())
        QSKIP("torch is not installed for python3");
    QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(python, {"-c", "import torch\n"
                                 "x = torch.arange(24.).reshape(6, 4)\n"
                                 "p = torch.nn.Parameter(x.half())\n"
                                 "torch.save(x, 'lone.pt')\n"
                                 "torch.save({'embeddings': x.t(), 'labels': torch.tensor([3, 1, 3, 1]),"
                                 " 'ids': ['a', 'b', 'c', 'd']}, 'set.pth')\n"
                                 "m = torch.nn.Linear(4, 6)\n"
                                 "torch.save({'model': m.state_dict(), 'p': p, 'b': x.bfloat16()[1:, ::2],"
                                 " 'n': x.numpy(), 'step': 3, 'lr': 0.5, 'shape': x.shape}, 'many.pt')\n"
                                 "torch.save(x, 'old.pt', _use_new_zipfile_serialization=False)\n"});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    const auto read = [&](const char* name) { return readEmbeddings(folder.filePath(name).toStdString()); };
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    QCOMPARE(valuesOfSet(*read("lone.pt")), values);
    QCOMPARE(valuesOfSet(*read("many.pt:p")), values);
    QCOMPARE(valuesOfSet(*read("many.pt:n")), values);
    QCOMPARE(valuesOfSet(*read("many.pt:b")), (std::vector<float>{4, 6, 8, 10, 12, 14, 16, 18, 20, 22}));
    QCOMPARE(read("many.pt:model.weight")->rows(), std::size_t{6});
    const auto set = read("set.pth");
    QCOMPARE(set->rows(), std::size_t{4});
    QCOMPARE(set->matrix().row(1)[2], 9.0F);
    QCOMPARE(set->labelText(2), std::string("3"));
    QCOMPARE(set->idText(3), std::string("d"));
    QVERIFY(saysAll(refusalOf([&] { read("old.pt"); }), "old.pt|PyTorch 1.6 or later"));
}

ASSAY_TEST(torch_test, TorchTest)
#include "torch_test.moc"
