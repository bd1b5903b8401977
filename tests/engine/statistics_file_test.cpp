// Mean and covariance in place of real samples: how they are read, written, refused, and scored against.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/statistics_file.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "tests/engine/support/program_run.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

using namespace assay;
using test::refusalOf;
using test::Run;
using test::saysAll;
using test::score;

namespace {

QJsonObject modelOf(const QString& file) {
    QFile json(file);
    if (!json.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(json.readAll())["models"].toArray().first().toObject();
}

void writePair(const QString& file, const std::vector<double>& mean, const std::vector<double>& covariance,
               std::vector<std::size_t> shape) {
    const std::array items{NpzItem{"mu", npyView(std::span<const double>(mean), {mean.size()})},
                           NpzItem{"sigma", npyView(std::span<const double>(covariance), std::move(shape))}};
    writeNpz(file.toStdString(), items, NpzPacking::Stored);
}

} // namespace

class StatisticsFileTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void standForTheSamples();
    void aPairOfFilesWorksToo();
    void keysNameAPair();
    void samplesBesideTheirStatisticsHaveBothFigures();
    void whatDoesNotFitIsRefused();
    void optionsThatNeedSamplesAreRefused();

private:
    QString path(const QString& name) const { return folder_->path(name); }

    std::unique_ptr<test::InputFolder> folder_;
};

void StatisticsFileTest::init() {
    folder_ = std::make_unique<test::InputFolder>();
    folder_->write("real.npy", test::gaussian(300, 5, 1, 2.0F));
    folder_->write("fake.npy", test::gaussian(200, 5, 2, 2.1F, 1.2F));
}

void StatisticsFileTest::standForTheSamples() {
    const Run whole = score({"--real", path("real.npy"), "--synthetic", path("fake.npy"), "--json", path("a.json"),
                             "--csv", path("a"), "--statistics", path("ref.npz")});
    QVERIFY2(whole.exitCode == 0, whole.err);
    const Run against = score(
        {"--real", path("ref.npz"), "--synthetic", path("fake.npy"), "--json", path("b.json"), "--csv", path("b")});
    QVERIFY2(against.exitCode == 0, against.err);
    QVERIFY(against.out.contains("needs the real ones"));
    const QJsonObject a = modelOf(path("a.json"));
    const QJsonObject b = modelOf(path("b.json"));
    QCOMPARE(b["sha256"], a["sha256"]);
    for (const char* id : {"frechet_distance", "frechet_infinity", "frechet_infinity_r2"}) {
        const double expected = a["metrics"][id].toDouble();
        QVERIFY2(expected != 0.0 && std::abs(b["metrics"][id].toDouble() - expected) <= 1e-9, id);
    }
    const double low = a["intervals"]["frechet_infinity"]["low"].toDouble();
    QVERIFY(low != 0.0 && std::abs(b["intervals"]["frechet_infinity"]["low"].toDouble() - low) <= 1e-9);
    QFile table(path("b/fake.synthetic.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().count('\n'), 201);
}

void StatisticsFileTest::aPairOfFilesWorksToo() {
    const std::vector<double> mean{0.0, 1.0};
    const std::vector<double> covariance{2.0, 0.5, 0.5, 1.0};
    writeNpy(path("x.mu.npy").toStdString(), npyView(std::span<const double>(mean), {2}));
    QVERIFY(!readStatistics(path("x.mu.npy").toStdString())); // alone it is an array like any other
    writeNpy(path("x.cov.npy").toStdString(), npyView(std::span<const double>(covariance), {2, 2}));
    for (const char* name : {"x.mu.npy", "x.cov.npy"}) {
        QVERIFY(holdsOnlyStatistics(path(name).toStdString()));
        const auto found = readStatistics(path(name).toStdString());
        QVERIFY(found && found->mean == mean && found->covariance[2] == 0.5);
    }
}

void StatisticsFileTest::keysNameAPair() {
    const std::vector<double> one{1.0};
    const std::vector<double> two{2.0};
    const std::vector<double> samples(6, 1.0);
    const auto view = [](const std::vector<double>& values, std::vector<std::size_t> shape) {
        return npyView(std::span<const double>(values), std::move(shape));
    };
    const std::array items{NpzItem{"mu", view(one, {1})}, NpzItem{"sigma", view(one, {1, 1})},
                           NpzItem{"mu_s", view(two, {1})}, NpzItem{"sigma_s", view(two, {1, 1})},
                           NpzItem{"arr_0", view(samples, {6, 1})}};
    const std::string file = path("both.npz").toStdString();
    writeNpz(file, items, NpzPacking::Stored);
    QCOMPARE(readStatistics(file)->mean, one);
    for (const char* key : {":s", ":mu_s", ":sigma_s"})
        QCOMPARE(readStatistics(file + key)->mean, two);
    QVERIFY(!readStatistics(file + ":clip"));
    QVERIFY(!holdsOnlyStatistics(file)); // its samples are the real set
    QVERIFY(holdsOnlyStatistics(file + ":mu_s"));
    QVERIFY(!readStatistics(path("real.npy").toStdString()) && !readStatistics(path("none.npz").toStdString()));
}

/// A benchmark's file: some of the real samples, and the mean and covariance of all.
void StatisticsFileTest::samplesBesideTheirStatisticsHaveBothFigures() {
    const test::Matrix all = test::gaussian(600, 3, 1);
    const test::Matrix some{{all.values.begin(), all.values.begin() + 900}, 300, 3};
    const GaussianFit fit = fitGaussian(all.view());
    std::vector<double> covariance(9, 0.0);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t r = 0; r < fit.factor.rows; ++r)
                covariance[3 * i + j] += fit.factor.at(r, i) * fit.factor.at(r, j);
    const auto write = [&](const QString& name, std::size_t dim) {
        const std::array items{
            NpzItem{"embeddings", npyView(std::span<const float>(some.values), {300, 3})},
            NpzItem{"mu", npyView(std::span<const double>(fit.mean.data(), dim), {dim})},
            NpzItem{"sigma", npyView(std::span<const double>(covariance.data(), dim * dim), {dim, dim})}};
        writeNpz(path(name).toStdString(), items, NpzPacking::Stored);
    };
    write("both.npz", 3);
    // A mean and a deviation per sample, as autoencoders write them, are none of the set.
    const std::array latents{NpzItem{"embeddings", npyView(std::span<const float>(some.values), {300, 3})},
                             NpzItem{"mu", npyView(std::span<const float>(some.values), {300, 3})},
                             NpzItem{"sigma", npyView(std::span<const float>(some.values), {300, 3})}};
    writeNpz(path("latents.npz").toStdString(), latents, NpzPacking::Stored);
    const std::vector<std::string> notes = readSet({path("latents.npz").toStdString()})->source().notes;
    QVERIFY(notes.size() == 1 && saysAll(QString::fromStdString(notes[0]), "left out|'mu'|'sigma'"));
    write("other.npz", 2);
    const test::Matrix fake = test::gaussian(200, 3, 2, 0.5F);
    const auto audited = [&](const QString& real, const char* scale) {
        ReadOptions reading;
        reading.choice.scaling = *scalingOf(scale);
        AuditRequest request;
        request.real = readSet({path(real).toStdString()}, {}, reading);
        request.models = {{"fake", test::asSet(fake, "fake")}};
        return runAudit(request);
    };
    const auto both = audited("both.npz", "none");
    const ModelAudit& model = *both->models[0];
    QVERIFY(both->real->set->source().notes.empty());
    const double expected = frechetDistance(fit, fitGaussian(fake.view()));
    QVERIFY(std::abs(model.metric("frechet_published") - expected) <= 1e-9);
    QVERIFY(std::abs(model.metric("frechet_distance") - expected) > 1e-4); // of 300 of the samples
    for (const auto& [file, scale] : {std::pair("other.npz", "none"), std::pair("both.npz", "zscore")}) {
        const auto other = audited(file, scale);
        QVERIFY(!other->models[0]->hasMetric("frechet_published"));
        QVERIFY(other->real->set->source().notes.front().starts_with("mu and sigma of this file were not used: "));
    }
}

void StatisticsFileTest::whatDoesNotFitIsRefused() {
    const auto refusalOfPair = [&](const std::vector<double>& covariance, std::vector<std::size_t> shape) {
        writePair(path("bad.npz"), {0.0, 1.0}, covariance, std::move(shape));
        return refusalOf([&] { static_cast<void>(readStatistics(path("bad.npz").toStdString())); });
    };
    QVERIFY(saysAll(refusalOfPair({1.0}, {1, 1}), "bad.npz|'sigma'|expected a covariance [2, 2]|found float64 [1, 1]"));
    QVERIFY(saysAll(refusalOfPair({1.0, 0.5, 0.0, 1.0}, {2, 2}), "'sigma'|a symmetric matrix|[1, 0]"));
    QVERIFY(saysAll(refusalOfPair({1.0, std::nan(""), std::nan(""), 1.0}, {2, 2}), "'sigma'|finite numbers|nan"));
    writePair(path("two.npz"), {0.0, 1.0}, {1.0, 0.0, 0.0, 1.0}, {2, 2});
    const Run other = score({"--real", path("two.npz"), "--synthetic", path("fake.npy"), "--json", path("c.json")});
    QCOMPARE(other.exitCode, 3);
    QVERIFY(saysAll(QString(other.err), "fake.npy|expected 2 columns|two.npz|found 5"));
    QVERIFY(!QFile::exists(path("c.json")));
    writePair(path("below.npz"), {0.0, 1.0}, {1.0, 2.0, 2.0, 1.0}, {2, 2}); // eigenvalues 3 and -1
    folder_->write("pair.npy", test::gaussian(50, 2, 3));
    folder_->write("one.npy", test::gaussian(1, 2, 3));
    const Run below = score({"--real", path("below.npz"), "--synthetic", path("pair.npy")});
    QVERIFY(below.exitCode == 3 && saysAll(QString(below.err), "below.npz|negative eigenvalues"));
    const Run one = score({"--real", path("two.npz"), "--synthetic", path("one.npy")});
    QVERIFY(one.exitCode == 3 && saysAll(QString(one.err), "one.npy|at least 2 samples|found 1"));
}

void StatisticsFileTest::optionsThatNeedSamplesAreRefused() {
    writePair(path("two.npz"), {0.0, 1.0}, {1.0, 0.0, 0.0, 1.0}, {2, 2});
    for (const QStringList& more : {QStringList{"--held-out", path("real.npy")},
                                    {"--out", path("a.assay")},
                                    {"--report", path("a.html")},
                                    {"--compat", "prdc"},
                                    {"--sample-size"}}) {
        const Run run =
            score(QStringList{"--real", path("two.npz"), "--synthetic", path("fake.npy"), "--json", "-"} + more);
        QCOMPARE(run.exitCode, 3);
        QVERIFY(saysAll(QString(run.err), "two.npz|expected real samples"));
    }
}

ASSAY_TEST(statistics_file_test, StatisticsFileTest)
#include "statistics_file_test.moc"
