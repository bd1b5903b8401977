// What is done to the values of files before they are compared: offsets, scaling, rows that are dropped, text.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/store/audit_file.h"
#include "engine/store/replay.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

std::vector<double> wide(const Matrix& matrix) {
    return {matrix.values.begin(), matrix.values.end()};
}

std::string npyOf(const std::vector<double>& values, std::size_t columns,
                  NpyHeader::Order order = NpyHeader::Order::C) {
    const std::size_t rows = values.size() / columns;
    std::vector<double> laid = values;
    if (order == NpyHeader::Order::Fortran)
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c)
                laid[c * rows + r] = values[r * columns + c];
    return npyFile("<f8", "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")", bytesOf(laid), order);
}

std::string csvOf(const std::vector<double>& values, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += QString::number(values[i], 'g', 17).toStdString() + ((i + 1) % columns == 0 ? "\n" : ",");
    return text;
}

std::shared_ptr<const EmbeddingSet> readPrepared(const QString& file, const PreparationChoice& choice = {},
                                                 const PreparationPtr& preparation = nullptr) {
    ReadOptions options;
    options.choice = choice;
    if (!options.choice.scaling) // tables are z-scored by default
        options.choice.scaling = Scaling::None;
    options.preparation = preparation;
    return readEmbeddings(file.toStdString(), {}, options);
}

std::vector<float> takenFrom(const EmbeddingSet& set) {
    return {set.matrix().data, set.matrix().data + set.rows() * set.dim()};
}

/// 0.01 (x + 1) about an offset, where float32 has steps of 0.0625.
std::vector<double> farAway(const Matrix& matrix, double offset = 1e6) {
    std::vector<double> values = wide(matrix);
    for (double& value : values)
        value = offset + 0.01 * value;
    return values;
}

QJsonObject outputOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

QString allNotes(const EmbeddingSet& set) {
    QString all;
    for (const std::string& note : set.source().notes)
        all += QString::fromStdString(note) + "\n";
    return all;
}

} // namespace

class PreparationTest : public QObject {
    Q_OBJECT

private slots:
    void offsetKeepsWhatRoundingWouldLose_data();
    void offsetKeepsWhatRoundingWouldLose();
    void offsetIsNotTakenWhereItGainsNothing_data();
    void offsetIsNotTakenWhereItGainsNothing();
    void wholeNumbersOf64BitsKeepTheirDifferences();
    void scoresDoNotDependOnAnOffset();
    void rowsThatBecomeEqualAreNoted();
    void tablesAreRoundedOnce();
    void zScoresAreThoseOfAFileScaledBefore();
    void constantColumnsAreLeftAndNamed();
    void whitenedComponentsAreUncorrelated();
    void fewRowsPerComponentAreNotWhitened();
    void rowsThatAreEqualStayEqual();
    void rowsGetUnitLength();
    void anotherNumberOfColumnsIsRefused();
    void recordKeepsThePreparation_data();
    void recordKeepsThePreparation();
    void textBecomesCategoriesOfTheRealSet();
    void tooManyCategoriesAreRefused();
    void numbersAmongWhichIsATextAreSaid();
    void rowsThatAreNotFiniteAreDropped_data();
    void rowsThatAreNotFiniteAreDropped();
    void whatBelongsToDroppedRowsGoesWithThem();
    void filesBesideAreJoinedBeforeRowsGo();
    void namedColumnsAreTakenByName_data();
    void namedColumnsAreTakenByName();
    void openedAuditsKnowTheNames();
    void otherNamesAreNotedOrRefused();
};

void PreparationTest::offsetKeepsWhatRoundingWouldLose_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"c.npy", "fortran.npy", "table.csv", "archive.npz"})
        QTest::newRow(format) << format;
}

void PreparationTest::offsetKeepsWhatRoundingWouldLose() {
    QFETCH(QString, format);
    const InputFolder folder;
    const Matrix matrix = gaussian(200, 3, 1);
    std::vector<double> values = farAway(matrix);
    for (std::size_t r = 0; r < 200; ++r)
        values[r * 3 + 1] -= 1e6; // a column that needs none
    const std::string bytes = format == "table.csv"     ? csvOf(values, 3)
                              : format == "archive.npz" ? zipFile({{"embeddings.npy", npyOf(values, 3)}})
                              : format == "c.npy"       ? npyOf(values, 3)
                                                        : npyOf(values, 3, NpyHeader::Order::Fortran);
    folder.writeBytes(format, QByteArray::fromStdString(bytes));
    const auto set = readPrepared(folder.path(format));
    const std::vector<double>& offset = set->preparation()->offset;
    QCOMPARE(offset.size(), std::size_t{3});
    QCOMPARE(offset[1], 0.0);
    QVERIFY(std::abs(offset[0] - 1e6) < 1.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(takenFrom(*set)[i], static_cast<float>(values[i] - offset[i % 3]));
    QVERIFY(allNotes(*set).isEmpty());
}

void PreparationTest::offsetIsNotTakenWhereItGainsNothing_data() {
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("factor");
    QTest::newRow("about 0") << 0.0 << 1.0;
    QTest::newRow("some spreads away") << 100.0 << 1.0;
    QTest::newRow("constant") << 0.1 << 0.0;
}

void PreparationTest::offsetIsNotTakenWhereItGainsNothing() {
    QFETCH(double, offset);
    QFETCH(double, factor);
    const InputFolder folder;
    std::vector<double> values = wide(gaussian(100, 2, 1));
    for (double& value : values)
        value = offset + factor * value / 3.0;
    folder.writeBytes("real.npy", QByteArray::fromStdString(npyOf(values, 2)));
    const auto set = readPrepared(folder.path("real.npy"));
    QVERIFY(set->preparation()->isNone());
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(takenFrom(*set)[i], static_cast<float>(values[i]));
    // What float32 has lost already cannot be had again.
    std::vector<float> narrow;
    for (const double value : farAway(gaussian(100, 2, 1)))
        narrow.push_back(static_cast<float>(value));
    writeNpy(folder.path("narrow.npy").toStdString(), npyView<float>(narrow, {100, 2}));
    QVERIFY(readPrepared(folder.path("narrow.npy"))->preparation()->isNone());
}

void PreparationTest::wholeNumbersOf64BitsKeepTheirDifferences() {
    const InputFolder folder;
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 50; ++i)
        values.push_back((std::int64_t{1} << 61) + 3 * i); // double has steps of 512 there
    folder.writeBytes("real.npy", QByteArray::fromStdString(npyFile("<i8", "(50, 1)", bytesOf(values))));
    const auto set = readPrepared(folder.path("real.npy"));
    const std::vector<float> taken = takenFrom(*set);
    for (std::size_t i = 1; i < taken.size(); ++i)
        QCOMPARE(taken[i] - taken[i - 1], 3.0F);
}

void PreparationTest::scoresDoNotDependOnAnOffset() {
    const InputFolder folder;
    // In steps of 2^-7 about 2^20: sums with the offset are exact in double, differences are the same with and without.
    const auto rounded = [](Matrix matrix) {
        for (float& value : matrix.values)
            value = std::round(value * 128.0F) / 128.0F / 64.0F;
        return matrix;
    };
    const Matrix real = rounded(gaussian(300, 4, 1));
    const Matrix model = rounded(gaussian(300, 4, 2));
    QStringList files;
    for (const auto& [name, matrix] : {std::pair("real", &real), std::pair("model", &model)})
        for (const double offset : {0.0, 1048576.0}) {
            std::vector<double> values = wide(*matrix);
            for (double& value : values)
                value += offset;
            const QString file = QString("%1-%2.npy").arg(name).arg(offset > 0.0);
            folder.writeBytes(file, QByteArray::fromStdString(npyOf(values, 4)));
            files << folder.path(file);
        }
    const Run plain = score({"--real", files[0], "--synthetic", files[2], "--json", "-"});
    const Run moved =
        score({"--real", files[1], "--synthetic", files[3], "--json", "-", "--out", folder.path("moved.assay")});
    QCOMPARE(plain.exitCode, 0);
    QCOMPARE(moved.exitCode, 0);
    const auto metricsOf = [](const Run& run) {
        return outputOf(run)["models"].toArray()[0].toObject()["metrics"].toObject();
    };
    for (const char* id : {"authenticity", "clipped_density", "clipped_coverage", "precision", "recall"})
        QCOMPARE(metricsOf(moved)[id].toDouble(), metricsOf(plain)[id].toDouble());
    QCOMPARE(outputOf(moved)["preparation"].toObject()["offsets"].toArray().size(), 4);
    QVERIFY(!outputOf(plain).contains("preparation"));
    // A model that is added later is taken in the same way, although its file alone would have another offset.
    const Run opened = score({"--open", folder.path("moved.assay"), "--synthetic", "again=" + files[3], "--json", "-"});
    QCOMPARE(opened.exitCode, 0);
    const QJsonArray models = outputOf(opened)["models"].toArray();
    QCOMPARE(models.size(), 2);
    QCOMPARE(models[1].toObject()["metrics"].toObject()["authenticity"].toDouble(),
             models[0].toObject()["metrics"].toObject()["authenticity"].toDouble());
    QCOMPARE(score({"--replay", folder.path("moved.assay")}).exitCode, 0);
}

void PreparationTest::rowsThatBecomeEqualAreNoted() {
    const InputFolder folder;
    // One value that float32 cannot tell from another, in a column with a spread that an offset does not help.
    std::vector<double> values = wide(gaussian(50, 2, 1));
    values[10] = values[20] = 1.0 + 1.0 / (1 << 28);
    values[11] = values[21] = 0.5;
    values[20] = 1.0;
    folder.writeBytes("real.npy", QByteArray::fromStdString(npyOf(values, 2)));
    QVERIFY(saysAll(allNotes(*readPrepared(folder.path("real.npy"))), "real.npy: 2 rows are equal|rows 5 and 10"));
    values[20] = values[10]; // the same in the file, too
    folder.writeBytes("real.npy", QByteArray::fromStdString(npyOf(values, 2)));
    QVERIFY(allNotes(*readPrepared(folder.path("real.npy"))).isEmpty());
}

void PreparationTest::tablesAreRoundedOnce() {
    // Halfway between two float32 as double, and a little above as text: rounding twice goes down to 1.
    const std::string text = "1.00000005960464477539062500000001\n1.5\n1e-46\n";
    const InputFolder folder;
    folder.writeBytes("real.csv", QByteArray::fromStdString(text));
    QCOMPARE(takenFrom(*readPrepared(folder.path("real.csv"))),
             (std::vector<float>{std::nextafter(1.0F, 2.0F), 1.5F, 0.0F}));
}

void PreparationTest::zScoresAreThoseOfAFileScaledBefore() {
    const InputFolder folder;
    Matrix real = gaussian(300, 3, 1);
    Matrix model = gaussian(250, 3, 2);
    for (Matrix* matrix : {&real, &model})
        for (std::size_t i = 0; i < matrix->values.size(); ++i)
            matrix->values[i] = matrix->values[i] * (i % 3 == 0 ? 1000.0F : 0.5F) + 7.0F;
    const QString realFile = folder.write("real.npy", real);
    const QString modelFile = folder.write("model.npy", model);
    std::vector<double> mean(3, 0.0);
    std::vector<double> spread(3, 0.0);
    for (std::size_t i = 0; i < real.values.size(); ++i)
        mean[i % 3] += static_cast<double>(real.values[i]) / 300.0;
    for (std::size_t i = 0; i < real.values.size(); ++i)
        spread[i % 3] += std::pow(static_cast<double>(real.values[i]) - mean[i % 3], 2.0) / 300.0;
    const auto scaled = [&](Matrix matrix) {
        for (std::size_t i = 0; i < matrix.values.size(); ++i)
            matrix.values[i] =
                static_cast<float>((static_cast<double>(matrix.values[i]) - mean[i % 3]) / std::sqrt(spread[i % 3]));
        return matrix;
    };
    const QString realScaled = folder.write("real-scaled.npy", scaled(real));
    const QString modelScaled = folder.write("model-scaled.npy", scaled(model));
    const auto set = readPrepared(realFile, {.scaling = Scaling::ZScore});
    const auto other = readPrepared(modelFile, {}, set->preparation());
    for (const auto& [found, expected] :
         {std::pair(takenFrom(*set), scaled(real).values), std::pair(takenFrom(*other), scaled(model).values)})
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(found[i] - expected[i]) <= 2e-7F * std::max(1.0F, std::abs(expected[i])));
    const Run by = score({"--real", realFile, "--synthetic", modelFile, "--scale", "zscore", "--json", "-"});
    const Run before = score({"--real", realScaled, "--synthetic", modelScaled, "--json", "-"});
    const auto metricsOf = [](const Run& run) {
        return outputOf(run)["models"].toArray()[0].toObject()["metrics"].toObject();
    };
    for (const char* id : {"authenticity", "clipped_density", "clipped_coverage", "precision", "frechet_distance"})
        QVERIFY(std::abs(metricsOf(by)[id].toDouble() - metricsOf(before)[id].toDouble()) < 1e-6);
    QCOMPARE(outputOf(by)["preparation"].toObject()["scale"].toString(), QString("zscore"));
    // What told that a scaling was missing says nothing any more.
    const Run none = score({"--real", realFile, "--synthetic", modelFile, "--json", "-"});
    const auto findingsOf = [](const Run& run) {
        return QString::fromUtf8(
            QJsonDocument(outputOf(run)["models"].toArray()[0].toObject()["findings"].toArray()).toJson());
    };
    QVERIFY(saysAll(findingsOf(none), "column 0 dominates every distance: it varies up to|--scale zscore"));
    QVERIFY(!findingsOf(by).contains("different scales"));
}

void PreparationTest::constantColumnsAreLeftAndNamed() {
    const InputFolder folder;
    folder.writeBytes("real.csv", "age,one,income\n1,5,100\n2,5,200\n4,5,900\n");
    folder.writeBytes("model.csv", "age,one,income\n1,6,100\n");
    const auto set = readPrepared(folder.path("real.csv"), {.scaling = Scaling::ZScore});
    QCOMPARE(takenFrom(*set)[1], 5.0F);
    QVERIFY(saysAll(allNotes(*set), "real.csv: column 1 ('one')|constant in the real set and left unscaled"));
    QCOMPARE(takenFrom(*readPrepared(folder.path("model.csv"), {}, set->preparation()))[1], 6.0F);
}

void PreparationTest::whitenedComponentsAreUncorrelated() {
    const InputFolder folder;
    Matrix real = gaussian(500, 4, 1);
    for (std::size_t r = 0; r < real.rows; ++r) {
        real.values[r * 4] *= 50.0F;
        real.values[r * 4 + 1] += real.values[r * 4];
        real.values[r * 4 + 3] = 2.0F * real.values[r * 4 + 2] - 1.0F; // says nothing new
    }
    const auto set = readPrepared(folder.write("real.npy", real), {.scaling = Scaling::PcaWhiten});
    QCOMPARE(set->dim(), std::size_t{3});
    const std::vector<float> values = takenFrom(*set);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
            double product = 0.0;
            for (std::size_t r = 0; r < 500; ++r)
                product += static_cast<double>(values[r * 3 + a]) * static_cast<double>(values[r * 3 + b]) / 500.0;
            QVERIFY(std::abs(product - (a == b ? 1.0 : 0.0)) < 1e-5);
        }
    // Mahalanobis distances, by the same rows shifted: the model is taken by the real set's components.
    Matrix moved = real;
    for (float& value : moved.values)
        value += 3.0F;
    const auto model = readPrepared(folder.write("model.npy", moved), {}, set->preparation());
    const std::vector<float> other = takenFrom(*model);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t r = 1; r < 500; ++r)
            QVERIFY(std::abs((other[r * 3 + c] - values[r * 3 + c]) - (other[c] - values[c])) < 1e-4F);
}

void PreparationTest::fewRowsPerComponentAreNotWhitened() {
    const InputFolder folder;
    const QString few = folder.write("few.npy", gaussian(49, 5, 1));
    QVERIFY(saysAll(refusalOf([&] { readPrepared(few, {.scaling = Scaling::PcaWhiten}); }),
                    "few.npy: expected at least 10 rows per principal component for --scale pca-whiten|found 49 rows "
                    "for 5 components|use --scale zscore"));
    const QString enough = folder.write("enough.npy", gaussian(50, 5, 1));
    QCOMPARE(readPrepared(enough, {.scaling = Scaling::PcaWhiten})->dim(), std::size_t{5});
    // A set of fewer rows than columns has one component fewer than rows.
    const QString wide = folder.write("wide.npy", gaussian(20, 200, 1));
    QVERIFY(saysAll(refusalOf([&] { readPrepared(wide, {.scaling = Scaling::PcaWhiten}); }),
                    "wide.npy|found 20 rows for 19 components"));
    // Components that are left out do not count, and models may have as few rows as they like.
    Matrix doubled = gaussian(20, 4, 2);
    for (std::size_t r = 0; r < doubled.rows; ++r)
        for (std::size_t c = 2; c < 4; ++c)
            doubled.values[r * 4 + c] = doubled.values[r * 4 + c - 2];
    const auto set = readPrepared(folder.write("doubled.npy", doubled), {.scaling = Scaling::PcaWhiten});
    QCOMPARE(set->dim(), std::size_t{2});
    QCOMPARE(readPrepared(folder.write("model.npy", gaussian(3, 4, 3)), {}, set->preparation())->rows(),
             std::size_t{3});
}

void PreparationTest::rowsThatAreEqualStayEqual() {
    const InputFolder folder;
    const Matrix real = gaussian(500, 37, 1);
    const auto set = readPrepared(folder.write("real.npy", real), {.scaling = Scaling::PcaWhiten});
    const std::vector<float> first = takenFrom(*set);
    for (const std::size_t rows : {1U, 5U, 193U, 2500U}) { // copies of real row 498
        Matrix copies = gaussian(rows, 37, 2);
        for (std::size_t r = 0; r < rows; ++r)
            std::copy_n(real.view().rowData(498), 37, copies.values.begin() + static_cast<std::ptrdiff_t>(r * 37));
        const auto model = readPrepared(folder.write("model.npy", copies), {}, set->preparation());
        const std::vector<float> values = takenFrom(*model);
        for (std::size_t at = 0; at < values.size(); ++at)
            QVERIFY(values[at] == first[498 * set->dim() + at % set->dim()]);
    }
}

void PreparationTest::rowsGetUnitLength() {
    const InputFolder folder;
    const auto set = readPrepared(folder.write("real.npy", gaussian(50, 3, 1)), {.scaling = Scaling::L2});
    for (std::size_t r = 0; r < 50; ++r) {
        double square = 0.0;
        for (const float value : set->matrix().row(r))
            square += static_cast<double>(value) * static_cast<double>(value);
        QVERIFY(std::abs(square - 1.0) < 1e-6);
    }
    Matrix zero = gaussian(50, 3, 1);
    std::fill_n(zero.values.begin() + 21, 3, 0.0F);
    const QString file = folder.write("zero.npy", zero);
    QVERIFY(saysAll(refusalOf([&] { readPrepared(file, {.scaling = Scaling::L2}); }), "zero.npy|row 7|--scale l2"));
}

void PreparationTest::anotherNumberOfColumnsIsRefused() {
    const InputFolder folder;
    const auto set = readPrepared(folder.write("real.npy", gaussian(50, 3, 1)), {.scaling = Scaling::ZScore});
    const QString model = folder.write("model.npy", gaussian(50, 4, 1));
    QVERIFY(saysAll(refusalOf([&] { readPrepared(model, {}, set->preparation()); }),
                    "model.npy: expected 3 columns|found 4"));
}

void PreparationTest::recordKeepsThePreparation_data() {
    QTest::addColumn<QString>("scale");
    QTest::addColumn<bool>("packed");
    for (const char* scale : {"zscore", "pca-whiten", "l2"})
        for (const bool packed : {false, true})
            QTest::addRow("%s, %s", scale, packed ? "packed" : "referenced") << scale << packed;
}

void PreparationTest::recordKeepsThePreparation() {
    QFETCH(QString, scale);
    QFETCH(bool, packed);
    const InputFolder folder;
    const QString real = folder.write("real.npy", gaussian(120, 4, 1));
    const QString model = folder.write("model.npy", gaussian(120, 4, 2));
    QStringList arguments{"--real", real,    "--synthetic",          model,    "--scale",
                          scale,    "--out", folder.path("a.assay"), "--json", "-"};
    const Run run = score(packed ? arguments << "--pack" : arguments);
    QCOMPARE(run.exitCode, 0);
    const Run opened = score({"--open", folder.path("a.assay"), "--synthetic", "again=" + model, "--json", "-"});
    QCOMPARE(opened.exitCode, 0);
    QCOMPARE(outputOf(opened)["preparation"], outputOf(run)["preparation"]);
    const QJsonArray models = outputOf(opened)["models"].toArray();
    for (const char* id : {"clipped_density", "authenticity", "frechet_distance"})
        QCOMPARE(models[1].toObject()["metrics"].toObject()[id], models[0].toObject()["metrics"].toObject()[id]);
    QCOMPARE(score({"--replay", folder.path("a.assay")}).exitCode, 0);
    QCOMPARE(score({"--open", folder.path("a.assay"), "--scale", "none"}).exitCode, 2);
}

void PreparationTest::textBecomesCategoriesOfTheRealSet() {
    const InputFolder folder;
    folder.writeBytes("real.csv", "id,age,job,pay\na,1,clerk,10\nb,3,nurse,30\nc,5,clerk,20\n");
    folder.writeBytes("model.csv", "id,age,job,pay\nx,3,nurse,20\ny,3,pilot,20\n");
    const auto unasked = readPrepared(folder.path("real.csv"), {.scaling = Scaling::ZScore});
    QVERIFY(unasked->preparation()->oneHot);
    const auto set = readPrepared(folder.path("real.csv"), {.scaling = Scaling::ZScore, .oneHot = true});
    QCOMPARE(set->source().columnNames,
             (std::vector<std::string>{"age", "pay", "job=clerk", "job=nurse", "job=(other)"}));
    QCOMPARE(takenFrom(*unasked), takenFrom(*set));
    const float one = static_cast<float>(2.0 / std::sqrt(8.0 / 3.0));
    const float ten = static_cast<float>(10.0 / std::sqrt(200.0 / 3.0));
    QCOMPARE(takenFrom(*set), (std::vector<float>{-one, -ten, 1, 0, 0, 0, ten, 0, 1, 0, one, 0, 1, 0, 0}));
    const auto model = readPrepared(folder.path("model.csv"), {}, set->preparation());
    QCOMPARE(takenFrom(*model), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 0, 0, 1}));
    QVERIFY(saysAll(allNotes(*model), "model.csv: 1 texts of column 'job' are not in the real set|'pilot'"));
    QCOMPARE(model->idText(1), std::string("y"));
    // A model whose column has another name is not taken for it.
    folder.writeBytes("other.csv", "id,age,town,pay\nx,3,nurse,20\n");
    QVERIFY(
        saysAll(refusalOf([&] { readPrepared(folder.path("other.csv"), {}, set->preparation()); }), "'job'|'town'"));
}

void PreparationTest::tooManyCategoriesAreRefused() {
    const InputFolder folder;
    QByteArray text = "age,name\n";
    for (int i = 0; i < 101; ++i)
        text += QByteArray::number(i) + ",n" + QByteArray::number(i) + "\n";
    folder.writeBytes("real.csv", text);
    QVERIFY(saysAll(refusalOf([&] { readPrepared(folder.path("real.csv"), {.oneHot = true}); }),
                    "column 2 ('name')|at most 100|--ignore-columns"));
}

void PreparationTest::numbersAmongWhichIsATextAreSaid() {
    const InputFolder folder;
    const auto table = [&](int rows) {
        QByteArray text = "age,pay\n";
        for (int row = 0; row < rows; ++row)
            text += QByteArray::number(row) + "," + (row == 7 ? "?" : QByteArray::number(2 * row)) + "\n";
        folder.writeBytes("real.csv", text);
    };
    table(40);
    QVERIFY(saysAll(allNotes(*readPrepared(folder.path("real.csv"), {.oneHot = true})),
                    "column 2 ('pay'): its numbers are categories|1 of 40 fields is no number ('?')"));
    table(140);
    QVERIFY(saysAll(refusalOf([&] { readPrepared(folder.path("real.csv"), {.oneHot = true}); }),
                    "column 2 ('pay')|at most 100|1 of 140 fields is no number ('?')|--missing drop"));
}

void PreparationTest::rowsThatAreNotFiniteAreDropped_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const auto infinity = std::numeric_limits<float>::infinity();
    QTest::newRow("table") << "real.csv" << QByteArray("1,2\n,4\n5,6\n7,inf\n9,10\n");
    QTest::newRow("float32") << "real.npy"
                             << QByteArray::fromStdString(
                                    npyFile("<f4", "(5, 2)", bytesOf<float>({1, 2, nan, 4, 5, 6, 7, infinity, 9, 10})));
    QTest::newRow("float64, one beyond float32")
        << "real.npy"
        << QByteArray::fromStdString(npyFile("<f8", "(5, 2)", bytesOf<double>({1, 2, 1e300, 4, 5, 6, 7, nan, 9, 10})));
}

void PreparationTest::rowsThatAreNotFiniteAreDropped() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    const InputFolder folder;
    folder.writeBytes(name, bytes);
    QVERIFY(saysAll(refusalOf([&] { readPrepared(folder.path(name)); }), "--missing drop"));
    const auto set = readPrepared(folder.path(name), {.missing = Missing::Drop});
    QCOMPARE(takenFrom(*set), (std::vector<float>{1, 2, 5, 6, 9, 10}));
    QCOMPARE(set->source().droppedRows, (std::vector<std::size_t>{1, 3}));
    QVERIFY(saysAll(allNotes(*set), name + ": 2 rows|dropped: 1, 3"));
    QCOMPARE(set->idText(1), std::string("2")); // its row in the file
}

void PreparationTest::whatBelongsToDroppedRowsGoesWithThem() {
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const std::string archive =
        zipFile({{"embeddings.npy", npyFile("<f4", "(3, 1)", bytesOf<float>({nan, 2, 3}))},
                 {"images.npy", npyFile("|u1", "(3, 1, 2)", bytesOf<std::uint8_t>({1, 1, 2, 2, 3, 3}))},
                 {"labels.npy", npyFile("<i8", "(3,)", bytesOf<std::int64_t>({7, 8, 9}))},
                 {"groups.npy", npyFile("<i8", "(3,)", bytesOf<std::int64_t>({1, 2, 2}))},
                 {"ids.npy", npyFile("<i8", "(3,)", bytesOf<std::int64_t>({70, 80, 90}))}});
    const InputFolder folder;
    folder.writeBytes("real.npz", QByteArray::fromStdString(archive));
    const auto set = readPrepared(folder.path("real.npz"), {.missing = Missing::Drop});
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->idText(0), std::string("80"));
    QCOMPARE(set->labelText(1), std::string("9"));
    QCOMPARE(set->labels().names.size(), std::size_t{2});
    QCOMPARE(set->groups().names, (std::vector<std::string>{"2"}));
    QCOMPARE(set->images()->pixels(1), (std::vector<std::uint8_t>{3, 3}));
    QVERIFY(saysAll(allNotes(*set), "0 ('70')"));
}

void PreparationTest::filesBesideAreJoinedBeforeRowsGo() {
    const InputFolder folder;
    folder.writeBytes("real.csv", "1,2\n,4\n5,6\n");
    folder.writeBytes("labels.csv", "label\na\nb\nc\n"); // by row, of the file
    ReadOptions options;
    options.choice.missing = Missing::Drop;
    const auto set = readSet(
        {.embeddings = folder.path("real.csv").toStdString(), .labels = folder.path("labels.csv").toStdString()}, {},
        options);
    QCOMPARE(set->rows(), std::size_t{2});
    QCOMPARE(set->labelText(1), std::string("c"));
}

void PreparationTest::namedColumnsAreTakenByName_data() {
    QTest::addColumn<QByteArray>("real");
    QTest::addColumn<QByteArray>("model");
    QTest::newRow("numbers") << QByteArray("age,income,height\n1,20,300\n4,50,600\n")
                             << QByteArray("income,id,height,age\n20,a,300,1\n50,b,600,4\n");
    QTest::newRow("text") << QByteArray("age,sex,income,city\n1,f,20,x\n4,m,50,y\n")
                          << QByteArray("city,income,age,sex,label\nx,20,1,f,0\ny,50,4,m,1\n");
    QTest::newRow("offset") << QByteArray("age,income\n1000000.01,2\n1000000.02,3\n")
                            << QByteArray("income,age\n2,1000000.01\n3,1000000.02\n");
}

void PreparationTest::namedColumnsAreTakenByName() {
    QFETCH(const QByteArray, real);
    QFETCH(const QByteArray, model);
    const InputFolder folder;
    folder.writeBytes("real.csv", real);
    folder.writeBytes("model.csv", model);
    const auto set = readPrepared(folder.path("real.csv"), {.oneHot = true});
    const auto other = readPrepared(folder.path("model.csv"), {}, set->preparation());
    QCOMPARE(takenFrom(*other), takenFrom(*set));
    QCOMPARE(other->source().columnNames, set->source().columnNames);
    QVERIFY(saysAll(allNotes(*other), "model.csv: columns taken by their names"));
    QVERIFY(!saysAll(allNotes(*set), "columns taken"));
    QCOMPARE(set->preparation()->featureNames.front(), std::string("age"));
}

void PreparationTest::openedAuditsKnowTheNames() {
    const InputFolder folder;
    QByteArray real = "age,income\n";
    QByteArray model = "income,age\n";
    const Matrix matrix = gaussian(60, 2, 1);
    for (std::size_t row = 0; row < 60; ++row) {
        const QByteArray age = QByteArray::number(matrix.values[2 * row]);
        const QByteArray income = QByteArray::number(5.0 + matrix.values[2 * row + 1]);
        real += age + "," + income + "\n";
        model += income + "," + age + "\n";
    }
    folder.writeBytes("real.csv", real);
    folder.writeBytes("model.csv", model);
    QCOMPARE(score({"--real", folder.path("real.csv"), "--synthetic", folder.path("model.csv"), "--quick", "--out",
                    folder.path("a.assay")})
                 .exitCode,
             0);
    const Run opened =
        score({"--open", folder.path("a.assay"), "--synthetic", "again=" + folder.path("model.csv"), "--json", "-"});
    QVERIFY2(opened.exitCode == 0, opened.err);
    const QJsonArray models = outputOf(opened)["models"].toArray();
    for (const auto& scored : models) // every sample equals a real one
        QCOMPARE(scored.toObject()["metrics"].toObject()["authenticity"].toDouble(), 0.0);
    QCOMPARE(models.size(), 2);
}

void PreparationTest::otherNamesAreNotedOrRefused() {
    const InputFolder folder;
    folder.writeBytes("real.csv", "a,b,c\n1,2,3\n4,5,6\n");
    folder.writeBytes("other.csv", "a,x,y\n1,2,3\n");
    folder.writeBytes("moved.csv", "c,b,d\n1,2,3\n");
    folder.writeBytes("plain.csv", "7,2,3\n");
    folder.writeBytes("count.csv", "0,1,2\n1.5,2.5,3.5\n");
    const PreparationPtr preparation = readPrepared(folder.path("real.csv"))->preparation();
    QVERIFY(saysAll(refusalOf([&] { readPrepared(folder.path("other.csv"), {}, preparation); }),
                    "other.csv|no columns 'b', 'c'|too many: 'x', 'y'|--ignore-columns"));
    QVERIFY(saysAll(refusalOf([&] { readPrepared(folder.path("moved.csv"), {}, preparation); }),
                    "moved.csv|no column 'a'|too many: 'd'"));
    for (const char* name : {"plain.csv", "count.csv"})
        QCOMPARE(allNotes(*readPrepared(folder.path(name), {}, preparation)), QString());
    const PreparationPtr counted = readPrepared(folder.path("count.csv"))->preparation();
    QVERIFY(counted->featureNames.empty() && counted->isNone());
    QCOMPARE(allNotes(*readPrepared(folder.path("other.csv"), {}, counted)), QString());
}

ASSAY_TEST(preparation_test, PreparationTest)
#include "preparation_test.moc"
