// Files of Parquet, made by pyarrow where that is installed and the build reads Parquet.
#include "engine/data/embedding_set.h"
#include "engine/io/readers/formats.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/stopping.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace assay;
using namespace assay::test;

namespace {

// Writes NAME.parquet into the folder that is the first argument.
const char* const kScript = R"(
import sys
try:
    import numpy as np, pyarrow as pa, pyarrow.parquet as pq
except ImportError:
    sys.exit(77)
def write(name, columns, **how):
    pq.write_table(pa.table(columns), sys.argv[1] + '/' + name + '.parquet', **how)
n = 10000
x = np.arange(2 * n, dtype='f8').reshape(n, 2)
write('numbers', {'a': x[:, 0], 'label': ['even', 'odd'] * (n // 2), 'b': x[:, 1].astype('i4'),
                  'image_path': ['%d.png' % i for i in range(n)]}, row_group_size=3000, compression='gzip')
write('floats', {'a': x[:, 0].astype('f4'), 'b': x[:, 1].astype('f4')}, compression='none')
for name, dtype in (('half', 'f2'), ('float', 'f4'), ('double', 'f8'), ('int', 'i8')):
    y = (x % 2048).astype(dtype)
    write('lists_' + name, {'caption': ['x'] * n, 'features': pa.array(list(y)), 'class': np.arange(n) % 3},
          row_group_size=2500)
    write('fixed_' + name, {'id': np.arange(n) + 7,
                            'features': pa.FixedSizeListArray.from_arrays(pa.array(y.reshape(-1)), 2)})
write('two', {'first': [[1., 2.]], 'second': [[3., 4., 5.]]})
write('named', {'first': [[1., 2.]], 'embedding': [[3., 4.]]})
write('ragged', {'v': [[1., 2.], [3., 4.], [5.]]})
write('nulls', {'a': [1., None, 3.], 'b': [1., 2., 3.]})
write('null_list', {'v': [None, [1., 2.], [3., None], [5., 6.]]})
write('null_id', {'v': [[1., 2.], [3., 4.]], 'id': ['x', None]})
write('nan', {'a': [1., float('nan')], 'b': [1., 2.]})
write('text', {'age': [1., 2., 3.], 'job': pa.array(['b', None, 'a']).dictionary_encode(), 'size': [3, 2, 1]})
write('other_text', {'age': [1., 2.], 'job': ['c', 'a'], 'size': [5, 6]})
write('number_for_text', {'age': [1., 2.], 'job': [1, 2], 'size': [5, 6]})
write('names', {'a': [1.], 't': [str(i) for i in range(1)]})
write('many_texts', {'a': np.arange(200.), 't': [str(i) for i in range(200)]})
write('dates', {'a': [1.], 'when': pa.array([0], pa.timestamp('s'))})
write('offset', {'a': [1e9, 1e9 + 0.25, 1e9 + 0.5]})
write('empty', {'a': pa.array([], pa.float32())})
write('bool', {'a': [True, False], 'b': [False, True]})
write('large', {'a': np.zeros(100000)})
# Lists of two numbers, whose schema claims another length.
def claim(name, values, length):
    def file(name):
        return sys.argv[1] + '/' + name + '.parquet'
    write(name, {'v': pa.array(values, pa.list_(pa.float32(), 2))})
    write('claimed', {'v': pa.array([], pa.list_(pa.float32(), length))})
    true, false = (pq.read_metadata(file(n)).metadata[b'ARROW:schema'] for n in (name, 'claimed'))
    data = open(file(name), 'rb').read()
    assert data.count(true) == 1 and len(true) == len(false)
    open(file(name), 'wb').write(data.replace(true, false))
claim('long_claim', [[1., 2.]] * n, 2**31 - 1)
)";

std::vector<float> valuesOf(const EmbeddingSet& set) {
    const auto first = set.matrix().row(0);
    return {first.data(), first.data() + set.rows() * set.dim()};
}

} // namespace

class ParquetTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void recognisesTheFileInEveryBuild();
    void readsColumnsOfNumbers();
    void readsColumnsOfLists_data();
    void readsColumnsOfLists();
    void offersAChoice();
    void takesTextAsCategories();
    void dropsRowsWithNulls();
    void subtractsAnOffset();
    void refuses_data();
    void refuses();
    void refusesDamagedFiles();
    void namesPartsOfClipRetrieval();
    void stops();

private:
    bool isMissing() const { return !missing_.isEmpty(); }
    std::string file(const char* name) const { return folder_.filePath(QString("%1.parquet").arg(name)).toStdString(); }
    std::shared_ptr<const EmbeddingSet> read(const char* name, const PreparationChoice& choice = {},
                                             const PreparationPtr& preparation = {}) const {
        ReadOptions options;
        options.choice = choice;
        options.preparation = preparation;
        return readEmbeddings(file(name), {}, options);
    }

    QTemporaryDir folder_;
    QString missing_; ///< why the files are not there
};

void ParquetTest::initTestCase() {
    if (!readsParquet()) {
        missing_ = "this build reads no Parquet";
        return;
    }
    QProcess python;
    python.start("python3", {"-c", kScript, folder_.path()});
    if (!python.waitForFinished(60'000) || python.exitCode() == 77)
        missing_ = "pyarrow is not installed for python3";
    else
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError());
}

void ParquetTest::recognisesTheFileInEveryBuild() {
    const std::string bytes = "PAR1 and nothing else that makes sense PAR1";
    const QString says =
        readsParquet() ? "a Parquet file, found a damaged one" : "Parquet, which it was built without: install";
    QVERIFY(
        saysAll(refusalOf([&] { readEmbeddingsFromMemory("set.parquet", asBytes(bytes)); }), "set.parquet|" + says));
}

void ParquetTest::readsColumnsOfNumbers() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    const auto set = read("numbers");
    QCOMPARE(set->rows(), std::size_t{10'000});
    QCOMPARE(set->dim(), std::size_t{2});
    for (std::size_t i = 0; i < 20'000; ++i)
        QCOMPARE(valuesOf(*set).at(i), static_cast<float>(i));
    QCOMPARE(set->idText(9999), std::string("9999.png"));
    QCOMPARE(set->labelText(9999), std::string("odd"));
    QCOMPARE(set->source().columnNames, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(valuesOf(*read("floats")), valuesOf(*set));
    QCOMPARE(valuesOf(*read("bool")), (std::vector<float>{1, 0, 0, 1}));
}

void ParquetTest::readsColumnsOfLists_data() {
    QTest::addColumn<QString>("type");
    for (const char* type : {"half", "float", "double", "int"})
        QTest::newRow(type) << type;
}

void ParquetTest::readsColumnsOfLists() {
    QFETCH(const QString, type);
    if (isMissing())
        QSKIP(qPrintable(missing_));
    for (const char* kind : {"lists_", "fixed_"}) {
        const auto set = read(qPrintable(kind + type));
        const std::vector<float> values = valuesOf(*set);
        QCOMPARE(values.size(), std::size_t{20'000});
        for (std::size_t i = 0; i < values.size(); ++i)
            QCOMPARE(values[i], static_cast<float>(i % 2048));
        QCOMPARE(set->source().key, std::string("features"));
    }
    QCOMPARE(read(qPrintable("lists_" + type))->labelText(5), std::string("2"));
    QVERIFY(saysAll(QString::fromStdString(read(qPrintable("lists_" + type))->source().notes.at(0)),
                    "left out: 'caption'"));
    QCOMPARE(read(qPrintable("fixed_" + type))->idText(5), std::string("12"));
}

void ParquetTest::offersAChoice() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QVERIFY(saysAll(refusalOf([&] { read("two"); }), "found 2: 'first', 'second'|:key"));
    QCOMPARE(candidateKeys(file("two")), (std::vector<std::string>{"first", "second"}));
    QCOMPARE(valuesOf(*readEmbeddings(file("two") + ":second")), (std::vector<float>{3, 4, 5}));
    QVERIFY(candidateKeys(file("named")).empty());
    QCOMPARE(valuesOf(*read("named")), (std::vector<float>{3, 4}));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(file("two") + ":third"); }), "'third', found 'first', 'second'"));
    QVERIFY(saysAll(refusalOf([&] { readEmbeddings(file("floats") + ":a"); }), "lists of numbers 'a'"));
}

void ParquetTest::takesTextAsCategories() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QVERIFY(saysAll(refusalOf([&] { read("text"); }), "column 'job'|--one-hot"));
    PreparationChoice choice;
    choice.oneHot = true;
    choice.scaling = Scaling::None;
    const auto real = read("text", choice);
    QCOMPARE(real->source().columnNames,
             (std::vector<std::string>{"age", "size", "job=", "job=a", "job=b", "job=(other)"}));
    const std::vector<float> values = valuesOf(*real);
    QCOMPARE(std::vector<float>(values.begin() + 2, values.begin() + 6), (std::vector<float>{0, 0, 1, 0}));
    QCOMPARE(std::vector<float>(values.begin() + 8, values.begin() + 12), (std::vector<float>{1, 0, 0, 0}));
    const auto model = read("other_text", choice, real->preparation());
    const std::vector<float> others = valuesOf(*model);
    QCOMPARE(std::vector<float>(others.begin() + 2, others.begin() + 6), (std::vector<float>{0, 0, 0, 1}));
    QVERIFY(saysAll(refusalOf([&] { read("number_for_text", choice, real->preparation()); }),
                    "column 'job'|text, as in the real set, found int64"));
    QVERIFY(saysAll(refusalOf([&] { read("many_texts", choice); }), "column 't'|at most 100 different texts"));
}

void ParquetTest::dropsRowsWithNulls() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    PreparationChoice choice;
    choice.missing = Missing::Drop;
    QCOMPARE(valuesOf(*read("nulls", choice)), (std::vector<float>{1, 1, 3, 3}));
    QCOMPARE(valuesOf(*read("null_list", choice)), (std::vector<float>{1, 2, 5, 6}));
    QCOMPARE(read("null_list", choice)->source().droppedRows, (std::vector<std::size_t>{0, 2}));
    QCOMPARE(valuesOf(*read("null_id", choice)), (std::vector<float>{1, 2}));
    QCOMPARE(valuesOf(*read("nan", choice)), (std::vector<float>{1, 1}));
}

void ParquetTest::subtractsAnOffset() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    const std::vector<float> values = valuesOf(*read("offset"));
    QCOMPARE(values[1] - values[0], 0.25F);
    QCOMPARE(values[2] - values[0], 0.5F);
}

void ParquetTest::refuses_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* says) { QTest::newRow(name) << name << says; };
    row("ragged", "column 'v'|2 numbers in every list, as in the first, found 1 in row 2");
    row("nulls", "column 'a'|none (null) in row 1|--drop-nan");
    row("null_list", "column 'v'|none (null) in row 0|--drop-nan");
    row("null_id", "column 'id'|none (null) in row 1");
    row("nan", "NaN in row 1, column 0");
    row("names", "column 't'|numbers, found string; leave the column out");
    row("dates", "column 'when'|numbers, found timestamp");
    row("empty", "at least one row");
    row("long_claim", "expected a Parquet file, found a damaged one");
}

void ParquetTest::refuses() {
    QFETCH(const QString, name);
    QFETCH(const QString, says);
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QVERIFY(saysAll(refusalOf([&] { read(qPrintable(name)); }), name + ".parquet|" + says));
}

void ParquetTest::refusesDamagedFiles() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QFile stream(QString::fromStdString(file("two")));
    QVERIFY(stream.open(QIODevice::ReadOnly));
    const std::string whole = stream.readAll().toStdString();
    for (std::size_t length = 4; length < whole.size(); length += 7) {
        const std::string cut = whole.substr(0, length);
        const QString message = refusalOf([&] { readEmbeddingsFromMemory("set.parquet", asBytes(cut), "first"); });
        QVERIFY2(message.startsWith("set.parquet: expected"), qPrintable(message));
    }
    // Whatever a byte is changed to, the file is read or refused.
    for (std::size_t at = 4; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        const QString message = refusalOf([&] { readEmbeddingsFromMemory("set.parquet", asBytes(changed), "first"); });
        QVERIFY2(message == "nothing was refused" || message.contains("expected") || message.contains("memory"),
                 qPrintable(message));
    }
}

void ParquetTest::namesPartsOfClipRetrieval() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QProcess python;
    python.start("python3", {"-c",
                             "import sys, os, numpy as np, pyarrow as pa, pyarrow.parquet as pq\n"
                             "for f in ('img_emb', 'metadata'):\n os.makedirs(sys.argv[1] + '/clip/' + f)\n"
                             "for i in range(2):\n"
                             " np.save(sys.argv[1] + '/clip/img_emb/img_emb_%d.npy' % i,"
                             " np.full((3, 2), i, dtype='f2'))\n"
                             " pq.write_table(pa.table({'caption': ['c'] * 3, 'image_path':"
                             " ['%d/%d.jpg' % (i, j) for j in range(3)]}),"
                             " sys.argv[1] + '/clip/metadata/metadata_%d.parquet' % i)\n",
                             folder_.path()});
    QVERIFY(python.waitForFinished() && python.exitCode() == 0);
    for (const char* folder : {"clip", "clip/img_emb"}) {
        const auto set = readEmbeddings(folder_.filePath(folder).toStdString());
        QCOMPARE(set->idText(0), std::string("0/0.jpg"));
        QCOMPARE(set->idText(5), std::string("1/2.jpg"));
    }
}

void ParquetTest::stops() {
    if (isMissing())
        QSKIP(qPrintable(missing_));
    QCOMPARE(stopFailure([&](const JobContext& job) { readEmbeddings(file("large"), job); }, 4), std::string());
}

ASSAY_TEST(parquet_test, ParquetTest)
#include "parquet_test.moc"
