// Embeddings that stand in where a file has none: low frequencies of pictures, flattened series.
#include "engine/audit/result/audit_result.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_preview.h"
#include "engine/store/audit_file.h"
#include "tests/engine/support/array_bytes.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::test;

namespace {

/// Pictures of 16 x 16: smooth in grey, tinted by `red` and `blue`.
QByteArray picturesOf(std::size_t count, unsigned seed, double red = 1.0, double blue = 1.0) {
    std::mt19937 random(seed);
    const auto next = [&] { return static_cast<double>(random() % 1000) / 1000.0; };
    std::vector<std::uint8_t> pixels;
    for (std::size_t i = 0; i < count; ++i) {
        const double a = next();
        const double b = next();
        const double c = next();
        for (std::size_t y = 0; y < 16; ++y)
            for (std::size_t x = 0; x < 16; ++x) {
                const double grey = 80.0 * (a + b * std::sin(0.3 * static_cast<double>(x)) * c +
                                            c * std::cos(0.2 * static_cast<double>(y)) + 1.0);
                for (const double tint : {red, 1.0, blue})
                    pixels.push_back(static_cast<std::uint8_t>(std::max(0.0, grey * tint)));
            }
    }
    const std::string array = npyFile("|u1", "(" + std::to_string(count) + ", 16, 16, 3)", bytesOf(pixels));
    return QByteArray::fromStdString(zipFile({{"arr_0.npy", array}}));
}

/// Windows of 5 steps x 2 features, the second a thousand times the first.
std::vector<float> windowsOf(std::size_t count, unsigned seed) {
    Matrix matrix = gaussian(count, 10, seed);
    for (std::size_t i = 1; i < matrix.values.size(); i += 2)
        matrix.values[i] *= 1000.0F;
    return matrix.values;
}

QByteArray npySeries(const std::vector<float>& values, std::size_t steps, std::size_t features) {
    const std::string shape = "(" + std::to_string(values.size() / (steps * features)) + ", " + std::to_string(steps) +
                              ", " + std::to_string(features) + ")";
    return QByteArray::fromStdString(npyFile("<f4", shape, bytesOf(values)));
}

std::shared_ptr<const EmbeddingSet> readAs(const QString& file, const PreparationPtr& preparation = nullptr) {
    ReadOptions options;
    options.preparation = preparation;
    return readEmbeddings(file.toStdString(), {}, options);
}

double squaredDistance(const EmbeddingSet& a, std::size_t i, const EmbeddingSet& b, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.dim(); ++c)
        sum += std::pow(static_cast<double>(a.matrix().row(i)[c]) - static_cast<double>(b.matrix().row(j)[c]), 2.0);
    return sum;
}

QJsonObject outputOf(const Run& run) {
    return QJsonDocument::fromJson(run.out).object();
}

} // namespace

class BuiltInTest : public QObject {
    Q_OBJECT
private slots:
    void frequenciesAreOrthonormal();
    void frequenciesKeepDistancesOfSmoothPictures();
    void frequenciesDoNotDependOnTheRealSet();
    void onePictureIsEnough();
    void anArrayOfPicturesIsPictures();
    void optionsOfTablesAreRefusedForOthers();
    void componentsOfOlderAuditsAreApplied();
    void recordKeepsTheEmbedding_data();
    void recordKeepsTheEmbedding();
    void picturesAndEmbeddingsAreNotCompared();
    void seriesAreStandardisedByFeature();
    void seriesAreFoundInArchives();
    void seriesAreSeenAsSuch();
    void pointCloudsAreNoSeries();
    void seriesAreDrawnAsCurves();
    void windowsOfAnotherShapeAreRefused();
};

void BuiltInTest::frequenciesAreOrthonormal() {
    for (const std::size_t frequencies : {1, 3, 5}) {
        const DoubleMatrix rows = lowFrequencies(5, 2, frequencies);
        QCOMPARE(rows.rows, frequencies * (frequencies + 1));
        QCOMPARE(rows.columns, std::size_t{50});
        for (std::size_t i = 0; i < rows.rows; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double product = 0.0;
                for (std::size_t c = 0; c < rows.columns; ++c)
                    product += rows.at(i, c) * rows.at(j, c);
                QVERIFY(std::abs(product - (i == j ? 1.0 : 0.0)) < 1e-12);
            }
    }
    const DoubleMatrix rows = lowFrequencies(4, 1, 2); // level, then across, then down
    for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 4; ++x) {
            const auto half = [](std::size_t at) {
                return std::sqrt(0.125) * std::cos(std::numbers::pi * (static_cast<double>(at) + 0.5) / 4.0);
            };
            QVERIFY(std::abs(rows.at(0, y * 4 + x) - 0.25) < 1e-12);
            QVERIFY(std::abs(rows.at(1, y * 4 + x) - half(x)) < 1e-12);
            QVERIFY(std::abs(rows.at(2, y * 4 + x) - half(y)) < 1e-12);
        }
}

void BuiltInTest::frequenciesKeepDistancesOfSmoothPictures() {
    const InputFolder folder;
    folder.writeBytes("real.npz", picturesOf(300, 1));
    folder.writeBytes("model.npz", picturesOf(20, 2, 0.6, 1.3)); // in colours that the real set has not
    const auto raw = std::make_shared<const ValuePreparation>();
    const auto real = readAs(folder.path("real.npz"));
    const auto model = readAs(folder.path("model.npz"), real->preparation());
    const auto realPixels = readAs(folder.path("real.npz"), raw);
    const auto modelPixels = readAs(folder.path("model.npz"), raw);
    QCOMPARE(realPixels->dim(), std::size_t{768});
    QCOMPARE(real->dim(), std::size_t{234});
    QCOMPARE(model->dim(), real->dim());
    QCOMPARE(model->source().builtIn, std::string("pixels-16x16-dct"));
    QVERIFY(model->source().notes.at(0).find("the built-in pixels-16x16-dct") != std::string::npos);
    for (std::size_t i = 0; i < 50; ++i)
        for (std::size_t j = 0; j < 20; ++j) {
            const double exact = squaredDistance(*realPixels, i, *modelPixels, j);
            const double found = squaredDistance(*real, i, *model, j);
            QVERIFY2(found <= exact * (1.0 + 1e-5) && found > 0.8 * exact,
                     qPrintable(QString("%1 of %2").arg(found).arg(exact)));
        }
}

void BuiltInTest::frequenciesDoNotDependOnTheRealSet() {
    const InputFolder folder;
    folder.writeBytes("real.npz", picturesOf(60, 1));
    folder.writeBytes("other.npz", picturesOf(90, 2, 0.6, 1.3));
    const auto real = readAs(folder.path("real.npz"));
    const auto other = readAs(folder.path("other.npz"));
    QCOMPARE(*real->preparation(), *other->preparation());
    const auto model = readAs(folder.path("other.npz"), real->preparation());
    for (std::size_t i = 0; i < other->rows(); ++i)
        QVERIFY(std::ranges::equal(model->matrix().row(i), other->matrix().row(i)));
}

void BuiltInTest::onePictureIsEnough() {
    const InputFolder folder;
    folder.writeBytes("one.npz", picturesOf(1, 1));
    QCOMPARE(readAs(folder.path("one.npz"))->dim(), std::size_t{234});
}

void BuiltInTest::anArrayOfPicturesIsPictures() {
    const InputFolder folder;
    const std::string pixels(std::size_t{2} * 16 * 12 * 3, 'x');
    folder.writeBytes("last.npy", QByteArray::fromStdString(npyFile("|u1", "(2, 16, 12, 3)", pixels)));
    folder.writeBytes("first.npy", QByteArray::fromStdString(npyFile("|u1", "(2, 3, 16, 12)", pixels)));
    const auto last = readAs(folder.path("last.npy"));
    const auto first = readAs(folder.path("first.npy"), last->preparation());
    QCOMPARE(last->source().builtIn, std::string(kPixelFrequencies));
    QCOMPARE(first->images()->width(), std::size_t{12});
    QVERIFY(std::ranges::equal(first->matrix().row(0), last->matrix().row(0)));
    QCOMPARE(previewSet({folder.path("first.npy").toStdString()}).height, std::size_t{16});
}

void BuiltInTest::optionsOfTablesAreRefusedForOthers() {
    const InputFolder folder;
    folder.writeBytes("pictures.npz", picturesOf(40, 1));
    const QString embeddings = folder.write("e.npy", gaussian(40, 3, 1));
    const auto refusal = [&](const QString& file, const QStringList& options) {
        const Run run = score(QStringList{"--real", file, "--synthetic", "m=" + file} + options);
        return run.exitCode == 0 ? QString() : QString::fromUtf8(run.err);
    };
    const QString pictures = folder.path("pictures.npz");
    QVERIFY(saysAll(refusal(pictures, {"--missing", "indicate"}), "pictures.npz|--missing indicate|no missing values"));
    QVERIFY(saysAll(refusal(pictures, {"--one-hot"}), "--one-hot|a table|none"));
    QVERIFY(saysAll(refusal(embeddings, {"--one-hot"}), "--one-hot|a table|none"));
    QVERIFY(saysAll(refusal(embeddings, {"--columns", "a=id"}), "--columns|'a'|no table"));
    QCOMPARE(refusal(embeddings, {"--missing", "drop", "--quick"}), QString());
}

void BuiltInTest::componentsOfOlderAuditsAreApplied() {
    const InputFolder folder;
    folder.writeBytes("model.npz", picturesOf(20, 2, 0.6, 1.3));
    const auto pixels = readAs(folder.path("model.npz"), std::make_shared<const ValuePreparation>());
    ValuePreparation made; // the first two values, about 0.25
    made.scaling = Scaling::Pca;
    made.columns = 768;
    made.mean.assign(768, 0.25);
    made.spread = {2.0, 1.0};
    made.axes.assign(std::size_t{2} * 768, 0.0);
    made.axes[0] = 1.0;
    made.axes[768 + 1] = 1.0;
    const auto model = readAs(folder.path("model.npz"), std::make_shared<const ValuePreparation>(made));
    QCOMPARE(model->source().builtIn, std::string("pixels-16x16-pca"));
    QCOMPARE(model->dim(), std::size_t{3});
    for (std::size_t i = 0; i < model->rows(); ++i) {
        double left = 0.0;
        for (std::size_t c = 2; c < 768; ++c)
            left += std::pow(static_cast<double>(pixels->matrix().row(i)[c]) - 0.25, 2.0);
        const auto row = model->matrix().row(i);
        QVERIFY(std::abs(row[0] - (pixels->matrix().row(i)[0] - 0.25F)) < 1e-6F);
        QVERIFY(std::abs(row[1] - (pixels->matrix().row(i)[1] - 0.25F)) < 1e-6F);
        QVERIFY(std::abs(static_cast<double>(row[2]) - std::sqrt(left)) < 1e-5);
    }
}

void BuiltInTest::recordKeepsTheEmbedding_data() {
    QTest::addColumn<bool>("series");
    QTest::addColumn<bool>("packed");
    for (const bool series : {false, true})
        for (const bool packed : {false, true})
            QTest::addRow("%s, %s", series ? "series" : "pictures", packed ? "packed" : "referenced")
                << series << packed;
}

void BuiltInTest::recordKeepsTheEmbedding() {
    QFETCH(bool, series);
    QFETCH(bool, packed);
    const InputFolder folder;
    const QString real = series ? "real.npy" : "real.npz";
    const QString model = series ? "model.npy" : "model.npz";
    folder.writeBytes(real, series ? npySeries(windowsOf(60, 1), 5, 2) : picturesOf(60, 1));
    folder.writeBytes(model, series ? npySeries(windowsOf(60, 2), 5, 2) : picturesOf(60, 2, 0.9));
    QStringList arguments{"--real", folder.path(real),      "--synthetic", folder.path(model),
                          "--out",  folder.path("a.assay"), "--json",      "-"};
    const Run run = score(packed ? arguments << "--pack" : arguments);
    QVERIFY2(run.exitCode == 0, run.err);
    const QString name = series ? "series-flattened" : "pixels-16x16-dct";
    QVERIFY(run.out.contains("built-in embedding " + name.toUtf8()));
    QCOMPARE(outputOf(run)["preparation"].toObject()["scale"].toString(), QString(series ? "features" : "dct-low"));
    if (packed && series) { // the values are in the file; their curves are drawn when it is opened
        QVERIFY(QFileInfo(folder.path("a.assay")).size() < 2'000'000);
        QVERIFY(QFile::remove(folder.path(real)));
        QVERIFY(readAuditFile(folder.path("a.assay").toStdString())->real->set->images()->isDrawn());
        folder.writeBytes(real, npySeries(windowsOf(60, 1), 5, 2));
    }
    const Run opened =
        score({"--open", folder.path("a.assay"), "--synthetic", "again=" + folder.path(model), "--json", "-"});
    QVERIFY2(opened.exitCode == 0, opened.err);
    QCOMPARE(outputOf(opened)["preparation"], outputOf(run)["preparation"]);
    const QJsonArray models = outputOf(opened)["models"].toArray();
    for (const char* id : {"clipped_density", "authenticity", "frechet_distance"})
        QCOMPARE(models[1].toObject()["metrics"].toObject()[id], models[0].toObject()["metrics"].toObject()[id]);
    const Run replayed = score({"--replay", folder.path("a.assay")});
    QVERIFY2(replayed.exitCode == 0, replayed.err);
    for (const char* scale : {"pca", "dct-low"})
        QCOMPARE(score({"--real", folder.path(real), "--synthetic", folder.path(model), "--scale", scale}).exitCode, 2);
}

void BuiltInTest::picturesAndEmbeddingsAreNotCompared() {
    const InputFolder folder;
    folder.writeBytes("pictures.npz", picturesOf(30, 1));
    const QString pictures = folder.path("pictures.npz");
    const QString wide = folder.write("wide.npy", gaussian(30, 768, 1)); // as many columns as there are fields
    const QString narrow = folder.write("narrow.npy", gaussian(30, 5, 2));
    const auto refused = [](const QStringList& arguments, const char* says) {
        const Run run = score(arguments);
        return run.exitCode == 3 && saysAll(run.err, says);
    };
    QVERIFY(refused({"--real", pictures, "--synthetic", wide},
                    "wide.npy: expected only pictures, as in the real set|found embeddings of 768 columns"));
    QVERIFY(refused({"--real", pictures, "--synthetic", wide, "--scale", "l2"},
                    "wide.npy: expected no embeddings, as in the real set|found embeddings of 768 columns"));
    const char* noEmbeddings = "pictures.npz|expected embeddings, as in the real set|built-in pixels-16x16";
    QVERIFY(refused({"--real", wide, "--synthetic", pictures}, noEmbeddings));
    QVERIFY(refused({"--real", narrow, "--synthetic", pictures}, noEmbeddings));
    QVERIFY(refused({"--real", wide, "--synthetic", wide, "--held-out", pictures}, noEmbeddings));
    QVERIFY(refused({"--real", narrow, "--synthetic", pictures, "--scale", "zscore"},
                    "pictures.npz: expected 5 columns, as the real set has|768 of the built-in pixels-16x16"));
}

void BuiltInTest::seriesAreStandardisedByFeature() {
    const InputFolder folder;
    const std::vector<float> values = windowsOf(80, 1);
    folder.writeBytes("real.npy", npySeries(values, 5, 2));
    const auto set = readAs(folder.path("real.npy"));
    QCOMPARE(set->dim(), std::size_t{10});
    QCOMPARE(set->source().builtIn, std::string("series-flattened"));
    for (std::size_t f = 0; f < 2; ++f) {
        double mean = 0.0;
        double square = 0.0;
        for (std::size_t i = f; i < values.size(); i += 2)
            mean += static_cast<double>(values[i]) / 400.0;
        for (std::size_t i = f; i < values.size(); i += 2)
            square += std::pow(static_cast<double>(values[i]) - mean, 2.0) / 400.0;
        for (std::size_t i = f; i < values.size(); i += 2)
            QVERIFY(std::abs(static_cast<double>(set->matrix().row(i / 10)[i % 10]) -
                             (static_cast<double>(values[i]) - mean) / std::sqrt(square)) < 1e-5);
    }
}

void BuiltInTest::pointCloudsAreNoSeries() {
    const InputFolder folder;
    folder.writeBytes("clouds.npy", npySeries(gaussian(40, 64 * 3, 1).values, 64, 3));
    folder.writeBytes("few.npy", npySeries(gaussian(40, 15 * 3, 2).values, 15, 3));
    const QString clouds = folder.path("clouds.npy");
    const Run run = score({"--real", clouds, "--synthetic", clouds});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(saysAll(run.err, "[40, 64, 3]|point clouds|':series'"), run.err);
    // A model is what the real set is.
    const QString said = clouds + ":series";
    QCOMPARE(score({"--real", said, "--synthetic", clouds, "--out", folder.path("a.assay")}).exitCode, 0);
    QCOMPARE(score({"--open", folder.path("a.assay"), "--synthetic", "again=" + clouds}).exitCode, 0);
    QCOMPARE(score({"--replay", folder.path("a.assay")}).exitCode, 0);
    QCOMPARE(score({"--real", folder.path("few.npy"), "--synthetic", folder.path("few.npy")}).exitCode, 0);
    const QString matrix = folder.write("matrix.npy", gaussian(40, 5, 3));
    QVERIFY(saysAll(score({"--real", matrix + ":series", "--synthetic", matrix}).err, "which has no keys"));
}

void BuiltInTest::seriesAreDrawnAsCurves() {
    const InputFolder folder;
    // The first feature rises with time, the second falls; every second window is level at their means.
    std::vector<float> values;
    for (int window = 0; window < 40; ++window)
        for (int step = 0; step < 5; ++step)
            for (const int turn : {1, -1})
                values.push_back(window % 2 == 0 ? static_cast<float>(turn * (step - 2)) : 0.0F);
    folder.writeBytes("real.npy", npySeries(values, 5, 2));
    const auto set = readAs(folder.path("real.npy"));
    const ImageStore* pictures = set->images();
    QVERIFY(pictures != nullptr);
    QCOMPARE(pictures->rows(), std::size_t{40});
    const std::size_t side = pictures->height();
    QCOMPARE(pictures->bytesPerImage(), side * side * 3);
    // Where a column of a picture is blue, or orange: the middle of the curve; -1 where it is not.
    const auto heightOf = [&](std::size_t row, std::size_t x, bool blue) {
        const std::vector<std::uint8_t> pixels = pictures->pixels(row);
        double sum = 0.0;
        int count = 0;
        for (std::size_t y = 0; y < side; ++y) {
            const std::uint8_t* pixel = &pixels[(y * side + x) * 3];
            if (blue ? pixel[2] > pixel[0] + 60 : pixel[0] > pixel[2] + 60) {
                sum += static_cast<double>(y);
                ++count;
            }
        }
        return count == 0 ? -1.0 : sum / count;
    };
    // 2 is two standard deviations: a step's square is 2 on average, in half of the windows.
    const double high = static_cast<double>(side - 1) * (0.5 - 2.0 / 6.0);
    const double low = static_cast<double>(side - 1) * (0.5 + 2.0 / 6.0);
    QVERIFY(std::abs(heightOf(0, 0, true) - low) < 1.0);
    QVERIFY(std::abs(heightOf(0, side - 1, true) - high) < 1.0);
    QVERIFY(std::abs(heightOf(0, 0, false) - high) < 1.0);
    QVERIFY(std::abs(heightOf(0, side - 1, false) - low) < 1.0);
    QVERIFY(std::abs(heightOf(1, 0, true) - static_cast<double>(side - 1) / 2.0) < 1.0);
    QVERIFY(heightOf(1, 0, false) < 0.0); // the first feature covers it
    // Another set is drawn by the real set's scale: ten times as large, it leaves the picture and lies on its border.
    for (float& value : values)
        value *= 10.0F;
    folder.writeBytes("large.npy", npySeries(values, 5, 2));
    const auto large = readAs(folder.path("large.npy"), set->preparation());
    const std::vector<std::uint8_t> pixels = large->images()->pixels(0);
    QVERIFY(pixels[(side - 1) * side * 3] < 0x80); // below, at the left: blue
}

void BuiltInTest::seriesAreSeenAsSuch() {
    const InputFolder folder;
    const std::vector<float> values = windowsOf(12, 1);
    folder.writeBytes("real.npy", npySeries(values, 5, 2));
    const SetPreview preview = previewSet({folder.path("real.npy").toStdString()});
    QCOMPARE(preview.rows, std::size_t{12});
    QCOMPARE(preview.dim, std::size_t{0}); // the embedding is still to be made
    QVERIFY(preview.isSeries() && !preview.isOnlyPictures());
    QCOMPARE(preview.window, (WindowShape{5, 2}));
    QCOMPARE(preview.firstRows[0], std::vector<float>(values.begin(), values.begin() + 8));
}

void BuiltInTest::seriesAreFoundInArchives() {
    const InputFolder folder;
    const std::string series = npySeries(windowsOf(12, 1), 5, 2).toStdString();
    const std::string other = npySeries(windowsOf(6, 2), 2, 5).toStdString();
    folder.writeBytes("only.npz", QByteArray::fromStdString(zipFile({{"x.npy", series}})));
    folder.writeBytes("named.npz", QByteArray::fromStdString(zipFile({{"x.npy", other}, {"series.npy", series}})));
    folder.writeBytes("open.npz", QByteArray::fromStdString(zipFile({{"x.npy", other}, {"y.npy", series}})));
    folder.writeBytes("real.npy", QByteArray::fromStdString(series));
    const auto real = readAs(folder.path("real.npy"));
    for (const char* name : {"only.npz", "named.npz"}) {
        const auto set = readAs(folder.path(name), real->preparation());
        QCOMPARE(set->rows(), std::size_t{12});
        QCOMPARE(squaredDistance(*real, 7, *set, 7), 0.0);
    }
    QVERIFY(saysAll(refusalOf([&] { readAs(folder.path("open.npz")); }), "open.npz|float32 [6, 2, 5]"));
}

void BuiltInTest::windowsOfAnotherShapeAreRefused() {
    const InputFolder folder;
    folder.writeBytes("real.npy", npySeries(windowsOf(40, 1), 5, 2));
    folder.writeBytes("turned.npy", npySeries(windowsOf(40, 1), 2, 5)); // as many numbers in a window
    const QString matrix = folder.write("matrix.npy", gaussian(40, 10, 1));
    const Run run = score({"--real", folder.path("real.npy"), "--synthetic", folder.path("turned.npy")});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(
        saysAll(run.err, "turned.npy: expected series of 5 steps x 2 features|found series of 2 steps x 5 features"),
        run.err);
    const Run none = score({"--real", folder.path("real.npy"), "--synthetic", matrix});
    QVERIFY2(saysAll(none.err, "matrix.npy: expected series of 5 steps x 2 features|found no series"), none.err);
    const Run other = score({"--real", matrix, "--synthetic", folder.path("real.npy")});
    QVERIFY2(saysAll(other.err, "real.npy: expected samples, as the real set has|found series of 5 steps"), other.err);
}

ASSAY_TEST(built_in_test, BuiltInTest)

#include "built_in_test.moc"
