// The digits against reference values made independently of this project. Skipped where they are absent.
#include "engine/audit/run/audit.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/tables/values.h"
#include "tests/engine/support/curve_of.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace assay;

namespace {

/// How far a value may be off. The reference takes the root of a singular covariance's every eigenvalue: 37 of the 128
/// features are constant, their zero eigenvalues come out as some 1e-13, and the roots of these add up to some 1e-5 of
/// its Frechet distances, another amount for every order of the columns. The singular values of the centred rows have
/// no such error (docs/metrics.md).
double tolerance(std::string_view id) {
    return id == "frechet_distance" ? 2e-6 : 1e-9;
}

} // namespace

class GoldenTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aggregates_data();
    void aggregates();
    void alphaBetaCurves_data() { aggregates_data(); }
    void alphaBetaCurves();
    void coverCountingTheSampleItself_data() { aggregates_data(); }
    void coverCountingTheSampleItself();
    void columns_data() { aggregates_data(); }
    void columns();
};

namespace {

/// Elements of a 1-D array, as NumPy writes them on this kind of machine.
template <typename Element>
std::vector<double> readElements(ByteSource& source, std::size_t count, const std::string& where) {
    std::vector<Element> elements(count);
    readExactly(source, std::as_writable_bytes(std::span(elements)), where);
    return {elements.begin(), elements.end()};
}

/// A 1-D array of doubles, 64-bit integers or flags.
std::vector<double> readNumbers(const std::string& file, std::string_view key) {
    const InputFile input = InputFile::onDisk(file);
    const NpzArchive archive(input, {});
    const NpzEntry* entry = archive.find(key);
    const std::string where = archive.where(*entry);
    const auto source = archive.open(*entry);
    const std::string type = readNpyHeader(*source, where).text();
    const std::size_t count = entry->header->shape.at(0);
    if (type.starts_with("float64"))
        return readElements<double>(*source, count, where);
    if (type.starts_with("int64"))
        return readElements<std::int64_t>(*source, count, where);
    return readElements<std::uint8_t>(*source, count, where);
}

struct GoldenColumn {
    const char* key;
    const char* id;
};

constexpr std::array kGoldenColumns{
    GoldenColumn{"synth_fidelity", "fidelity"},
    GoldenColumn{"synth_clipped_ball_count", "clipped_ball_count"},
    GoldenColumn{"synth_pce", "pce"},
    GoldenColumn{"synth_re", "re"},
    GoldenColumn{"synth_authentic", "authentic"},
    GoldenColumn{"synth_nearest_real", "nearest_real"},
    GoldenColumn{"synth_nearest_real_distance", "nearest_real_distance"},
    GoldenColumn{"synth_realism", "realism"},
    GoldenColumn{"real_coverage", "coverage"},
    GoldenColumn{"real_ball_synth_count", "ball_synthetic_count"},
    GoldenColumn{"real_clipped_ball_count", "real_clipped_ball_count"},
    GoldenColumn{"real_rce", "rce"},
};

/// Scored once for all tests of a model.
std::shared_ptr<const AuditResult> auditOf(const std::string& real, const std::string& synthetic,
                                           const std::string& model) {
    static std::map<std::string, std::shared_ptr<const AuditResult>> known;
    std::shared_ptr<const AuditResult>& audit = known[model];
    if (!audit)
        audit = runAudit({readEmbeddings(real), {{model, readEmbeddings(synthetic)}}, {}, {}});
    return audit;
}

} // namespace

void GoldenTest::initTestCase() {
    if (test::takesSmallSizes())
        QSKIP("these figures are of sets of one size");
}

void GoldenTest::aggregates_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"gan", "vae", "copycat"})
        QTest::newRow(model) << model;
}

void GoldenTest::aggregates() {
    QFETCH(QString, model);
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto synthetic = test::sharedFile("data/mnist/" + model.toStdString() + ".npz");
    const auto golden = test::sharedFile("golden/" + model.toStdString() + ".json");
    if (!real || !synthetic || !golden)
        QSKIP("the reference digits are not beside the source tree");

    QFile file(QString::fromStdString(*golden));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object().value("metrics").toObject();
    const auto audit = auditOf(*real, *synthetic, model.toStdString());
    int compared = 0;
    for (const MetricValue& metric : audit->models[0]->metrics) {
        const QJsonValue value =
            expected.value(QString::fromUtf8(metric.id.data(), static_cast<qsizetype>(metric.id.size())));
        if (!value.isDouble())
            continue;
        ++compared;
        QVERIFY2(std::abs(metric.value - value.toDouble()) <= tolerance(metric.id) * std::abs(value.toDouble()),
                 qPrintable(QStringLiteral("%1: found %2, expected %3")
                                .arg(QString::fromUtf8(metric.id.data(), static_cast<qsizetype>(metric.id.size())))
                                .arg(metric.value, 0, 'g', 17)
                                .arg(value.toDouble(), 0, 'g', 17)));
    }
    QVERIFY2(compared >= 24, "the reference holds fewer metrics than the catalogue");
}

void GoldenTest::coverCountingTheSampleItself() {
    QFETCH(QString, model);
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto synthetic = test::sharedFile("data/mnist/" + model.toStdString() + ".npz");
    const auto golden = test::sharedFile("golden/" + model.toStdString() + ".json");
    if (!real || !synthetic || !golden)
        QSKIP("the reference digits are not beside the source tree");

    QFile file(QString::fromStdString(*golden));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object().value("metrics").toObject();
    const auto audit = auditOf(*real, *synthetic, model.toStdString());
    const PairTables& tables = *audit->models[0]->tables;
    const auto shareCountingSelf = [](const NeighborTable& toOther, const NeighborTable& own) {
        return metrics::meanOf(metrics::coverFlags(toOther, own, 3, 9 - 1));
    };
    QCOMPARE(shareCountingSelf(tables.synthetic.nearest, tables.syntheticToSynthetic),
             expected.value("precision_cover_counting_self").toDouble());
    QCOMPARE(shareCountingSelf(tables.real.nearest, audit->real->neighbors),
             expected.value("recall_cover_counting_self").toDouble());
}

void GoldenTest::columns() {
    QFETCH(QString, model);
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto synthetic = test::sharedFile("data/mnist/" + model.toStdString() + ".npz");
    const auto golden = test::sharedFile("golden/" + model.toStdString() + ".npz");
    if (!real || !synthetic || !golden)
        QSKIP("the reference digits are not beside the source tree");

    const auto audit = auditOf(*real, *synthetic, model.toStdString());
    for (const GoldenColumn& column : kGoldenColumns) {
        const std::vector<double> expected = readNumbers(*golden, column.key);
        const std::vector<double>& found = audit->models[0]->column(column.id);
        QCOMPARE(found.size(), expected.size());
        for (std::size_t row = 0; row < found.size(); ++row)
            QVERIFY2(std::abs(found[row] - expected[row]) <= 1e-9 * std::abs(expected[row]),
                     qPrintable(QStringLiteral("%1, row %2: found %3, expected %4")
                                    .arg(QLatin1String(column.id))
                                    .arg(row)
                                    .arg(found[row], 0, 'g', 17)
                                    .arg(expected[row], 0, 'g', 17)));
    }
}

void GoldenTest::alphaBetaCurves() {
    QFETCH(QString, model);
    const auto real = test::sharedFile("data/mnist/real.npz");
    const auto synthetic = test::sharedFile("data/mnist/" + model.toStdString() + ".npz");
    const auto golden = test::sharedFile("golden/" + model.toStdString() + ".json");
    if (!real || !synthetic || !golden)
        QSKIP("the reference digits are not beside the source tree");

    QFile file(QString::fromStdString(*golden));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object().value("metrics").toObject();
    const auto audit = auditOf(*real, *synthetic, model.toStdString());
    const ModelAudit& found = *audit->models[0];
    for (const char* id : {"integrated_alpha_precision", "integrated_beta_recall"})
        QVERIFY(std::abs(found.metric(id) - expected.value(id).toDouble()) <= 1e-12);
    // Counts of samples: exact.
    const std::pair<const char*, std::size_t> sides[] = {{"alpha_precision_curve", found.set->rows()},
                                                         {"beta_recall_curve", audit->real->set->rows()}};
    for (const auto& [id, rows] : sides) {
        const QJsonArray values = expected.value(id).toArray();
        const std::vector<double>& y = test::curveOf(found, id).lines.at(0).y;
        QCOMPARE(static_cast<std::size_t>(values.size()), y.size());
        const auto count = [&](double share) { return std::llround(share * static_cast<double>(rows)); };
        for (std::size_t j = 0; j < y.size(); ++j)
            QCOMPARE(count(y[j]), count(values.at(static_cast<qsizetype>(j)).toDouble()));
    }
}

ASSAY_TEST(golden_test, GoldenTest)
#include "golden_test.moc"
