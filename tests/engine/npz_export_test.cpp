// An exported archive is the same samples: it scores what the kept samples score.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/demo/demo.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/samples/export_samples.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/what_if/what_if.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <bit>

using namespace assay;

namespace {

/// A set with classes, ids and colour pictures.
std::shared_ptr<const EmbeddingSet> pictureSet(std::size_t rows, unsigned seed,
                                               const std::vector<std::string>& classes) {
    const test::Matrix matrix = test::gaussian(rows, 5, seed);
    EmbeddingParts parts;
    parts.values = matrix.values;
    parts.rows = rows;
    parts.dim = 5;
    std::vector<std::string> labels;
    std::vector<std::uint8_t> pixels;
    for (std::size_t row = 0; row < rows; ++row) {
        labels.push_back(classes[row * 7 % classes.size()]);
        parts.ids.push_back("s\xC3\xA4mple " + std::to_string(row));
        for (std::size_t i = 0; i < 4 * 3 * 3; ++i)
            pixels.push_back(static_cast<std::uint8_t>(row * 31 + i * 7));
    }
    parts.labels = labelsFromText(labels);
    parts.images = std::make_shared<const ImageStore>(std::move(pixels), rows, 4, 3, 3);
    parts.name = "set";
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// What a program that knows nothing of the export would make of the same rows.
std::shared_ptr<const EmbeddingSet> gathered(const EmbeddingSet& set, const std::vector<bool>& kept) {
    EmbeddingParts parts;
    std::vector<float> values;
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < set.rows(); ++row)
        if (kept[row]) {
            const auto from = set.matrix().row(row);
            values.insert(values.end(), from.begin(), from.end());
            labels.push_back(set.labelText(row));
            ++parts.rows;
        }
    parts.dim = set.dim();
    parts.values = std::move(values);
    parts.labels = labelsFromText(labels);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

class NpzExportTest : public QObject {
    Q_OBJECT

private slots:
    void scoresWhatTheKeptSamplesScore();
    void holdsPicturesLabelsAndIds_data();
    void holdsPicturesLabelsAndIds();
    void keepsRowNumbersAsIds();
    void nothingIsNoArchive();
    void cancelLeavesNothing();
    void rowNumbersAreAnArray();
    void rowNumbersAreOfTheFileWhereRowsWereDropped();

private:
    std::string path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)).toStdString(); }

    QTemporaryDir folder_;
};

void NpzExportTest::scoresWhatTheKeptSamplesScore() {
    AuditRequest request;
    request.real = pictureSet(260, 1, {"cat", "dog", "10", "9"});
    request.models = {{"first", pictureSet(240, 2, {"cat", "dog"})},
                      {"second", pictureSet(220, 3, {"cat", "10", "9"})}};
    const auto audit = runAudit(request);
    const SampleFilter filter{{{"fidelity", Bound::AtLeast, 0.4}}};
    const std::vector<bool> kept = AppliedFilter(*audit, 1, filter).kept();
    const auto keptCount = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
    QVERIFY(keptCount > 50 && keptCount < 220);
    QCOMPARE(exportSamples(*audit, {ExportWhat::Kept, {}, {1}, "npz"}, std::vector<SampleFilter>(2, filter),
                           path("kept.npz")),
             keptCount);

    const auto read = readEmbeddings(path("kept.npz"));
    const auto again = runAudit({request.real, {{"kept", read}}, {}, {}});
    const auto plain = runAudit({request.real, {{"kept", gathered(*request.models[1].set, kept)}}, {}, {}});
    const auto& found = again->models[0]->metrics;
    const auto& expected = plain->models[0]->metrics;
    QCOMPARE(found.size(), expected.size());
    QVERIFY(found.size() > 20);
    for (std::size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(found[i].id, expected[i].id);
        QVERIFY2(std::bit_cast<std::uint64_t>(found[i].value) == std::bit_cast<std::uint64_t>(expected[i].value),
                 found[i].id.data());
    }
    const WhatIfResult whatIf = WhatIf(audit, 1).evaluate(kept);
    QVERIFY(!whatIf.metrics.empty());
    for (const MetricValue& metric : whatIf.metrics)
        QVERIFY2(std::bit_cast<std::uint64_t>(metric.value) ==
                     std::bit_cast<std::uint64_t>(again->models[0]->metric(metric.id)),
                 metric.id.data());
}

void NpzExportTest::holdsPicturesLabelsAndIds_data() {
    QTest::addColumn<QStringList>("classes");
    QTest::newRow("words") << QStringList{"cat", "d\u00F6g, old", "a'\"\\"};
    QTest::newRow("numbers") << QStringList{"2", "10", "-7"};
    QTest::newRow("numbers and words") << QStringList{"2", "10", "cat"};
    QTest::newRow("numbers in another form") << QStringList{"02", "10", "9"};
}

void NpzExportTest::holdsPicturesLabelsAndIds() {
    QFETCH(QStringList, classes);
    std::vector<std::string> names;
    for (const QString& name : classes)
        names.push_back(name.toStdString());
    const auto set = pictureSet(60, 4, names);
    const auto audit = runAudit({pictureSet(60, 5, names), {{"model", set}}, {}, {}});
    const std::vector<std::uint32_t> rows{1, 2, 3, 5, 40, 59};
    exportSamples(*audit, {ExportWhat::Listed, SampleSet(syntheticSet(0), rows), {0}, "npz"},
                  std::vector<SampleFilter>(1), path("listed.npz"));
    const auto read = readEmbeddings(path("listed.npz"));
    QCOMPARE(read->rows(), rows.size());
    QVERIFY(read->images() != nullptr && read->hasLabels() && read->hasIds());
    QCOMPARE(read->images()->channels(), std::size_t{3});
    QCOMPARE(read->images()->height(), std::size_t{4});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(read->idText(i), set->idText(rows[i]));
        QCOMPARE(read->labelText(i), set->labelText(rows[i]));
        QCOMPARE(read->images()->pixels(i), set->images()->pixels(rows[i]));
        const auto found = read->matrix().row(i);
        const auto expected = set->matrix().row(rows[i]);
        QVERIFY(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
    QCOMPARE(read->labels().names, set->labels().names); // also their order, which sums depend on
}

void NpzExportTest::keepsRowNumbersAsIds() {
    const auto set = test::asSet(test::gaussian(40, 3, 6), "plain");
    const auto audit = runAudit({test::asSet(test::gaussian(40, 3, 7), "real"), {{"plain", set}}, {}, {}});
    exportSamples(*audit,
                  {ExportWhat::Listed, SampleSet(syntheticSet(0), std::vector<std::uint32_t>{3, 17}), {0}, "npz"},
                  std::vector<SampleFilter>(1), path("plain.npz"));
    const auto read = readEmbeddings(path("plain.npz"));
    QVERIFY(read->images() == nullptr && !read->hasLabels());
    QCOMPARE(read->idText(0), std::string("3"));
    QCOMPARE(read->idText(1), std::string("17"));
}

void NpzExportTest::nothingIsNoArchive() {
    const auto set = test::asSet(test::gaussian(40, 3, 6), "plain");
    const auto audit = runAudit({set, {{"plain", set}}, {}, {}});
    const auto nothing = [&] {
        exportSamples(*audit, {ExportWhat::Listed, {}, {0}, "npz"}, std::vector<SampleFilter>(1), path("nothing.npz"));
    };
    QVERIFY_EXCEPTION_THROWN(nothing(), Error);
    QVERIFY(!QFile::exists(folder_.filePath("nothing.npz")));
}

void NpzExportTest::cancelLeavesNothing() {
    const auto set = pictureSet(60, 4, {"a"});
    const auto audit = runAudit({set, {{"model", set}}, {}, {}});
    const QStringList before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden);
    for (const char* format : {"csv", "jsonl", "ids", "npy", "npz", "pictures", "zip"}) {
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = [&] {
            exportSamples(*audit, {ExportWhat::Kept, {}, {0}, format}, std::vector<SampleFilter>(1), path("stopped"),
                          JobContext(stop.get_token()));
        };
        QVERIFY_EXCEPTION_THROWN(stopped(), Cancelled);
        QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
    }
}

void NpzExportTest::rowNumbersAreAnArray() {
    const auto set = test::asSet(test::gaussian(40, 3, 6), "plain");
    const auto audit = runAudit({set, {{"plain", set}}, {}, {}});
    exportSamples(*audit,
                  {ExportWhat::Listed, SampleSet(syntheticSet(0), std::vector<std::uint32_t>{3, 17}), {0}, "npy"},
                  std::vector<SampleFilter>(1), path("rows.npy"));
    QFile file(folder_.filePath("rows.npy"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.contains("'descr': '<i8'") && bytes.contains("'shape': (2,)"));
    QCOMPARE(bytes.size() % 64, 16);
    QCOMPARE(bytes.right(16), QByteArray::fromHex("0300000000000000"
                                                  "1100000000000000"));
}

void NpzExportTest::rowNumbersAreOfTheFileWhereRowsWereDropped() {
    const auto dropping = [](std::size_t rows, std::vector<std::size_t> dropped, unsigned seed) {
        EmbeddingParts parts = EmbeddingParts::of(test::gaussian(rows, 3, seed).values, 3, "plain");
        parts.source.droppedRows = std::move(dropped);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    const auto set = dropping(40, {0, 1, 5, 10}, 6); // the rows of the file are 2 3 4 6 7 8 9 11 ...
    const auto real = dropping(40, {0}, 7);
    QCOMPARE(set->fileRow(2), std::size_t{4});
    QCOMPARE(set->fileRow(3), std::size_t{6});
    QCOMPARE(set->fileRow(39), std::size_t{43});
    const auto audit = runAudit({real, {{"plain", set}}, {}, {}});
    const auto write = [&](const char* format, const char* name) {
        exportSamples(*audit,
                      {ExportWhat::Listed, SampleSet(syntheticSet(0), std::vector<std::uint32_t>{3, 17}), {0}, format},
                      std::vector<SampleFilter>(1), path(name));
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(write("npy", "dropped.npy").right(16), QByteArray::fromHex("0600000000000000"
                                                                        "1500000000000000"));
    const QByteArray nearest =
        QByteArray::number(static_cast<int>(audit->models[0]->column("nearest_real")[3]) + 1); // of the real file
    QVERIFY(write("jsonl", "dropped.jsonl").startsWith("{\"row\":6,\"id\":\"6\""));
    QVERIFY(write("jsonl", "dropped.jsonl").contains("\"nearest_real\":" + nearest + ","));
    QVERIFY(write("csv", "dropped.csv").contains("\n6,6,,"));
    const std::string synthetic = syntheticScoresAsCsv(*audit, *audit->models[0]);
    QVERIFY(synthetic.find("\n6,6,,") != std::string::npos && synthetic.find("\n5,") == std::string::npos);
    QVERIFY(QByteArray::fromStdString(synthetic).split('\n')[4].split(',')[7] == nearest);
    QVERIFY(realScoresAsCsv(*audit, *audit->models[0]).find("\n1,1,,") != std::string::npos);
}

ASSAY_TEST(npz_export_test, NpzExportTest)
#include "npz_export_test.moc"
