// Scores of whole embeddings against values made without this project: tests/engine/golden/ has them and the scripts
// that made them.
#include "engine/audit/run/audit.h"
#include "engine/io/sets/read_embeddings.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/engine/support/shared_data.h"
#include "tests/support/test_entry.h"
#include "tests/support/test_size.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace assay;
using test::Matrix;

namespace {

/// Kernels are of single-precision products, right to some 1e-10. Of the wide kernel that is more than 1e-6 of the
/// difference of two sets that are nearly alike (held-out digits: 7.6e-5).
double allowedError(const QString& id, double value) {
    const double kernels = id == QLatin1String("kernel_distance_rbf") ? 5e-10 : 0.0;
    return std::max(1e-6 * std::abs(value), kernels);
}

/// Values that depend on random draws may be off by as many standard deviations.
constexpr double kDeviations = 4.0;

QJsonObject golden(const char* name) {
    QFile file(QStringLiteral(ASSAY_SOURCE_DIR "/tests/engine/golden/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

Matrix matrixOf(const QJsonArray& numbers, double scale, std::size_t dim) {
    Matrix matrix{{}, static_cast<std::size_t>(numbers.size()) / dim, dim};
    for (const QJsonValue& number : numbers)
        matrix.values.push_back(static_cast<float>(number.toDouble() / scale));
    return matrix;
}

Matrix firstRows(const std::string& file, std::size_t rows) {
    const auto set = readEmbeddings(file);
    const MatrixView all = set->matrix();
    Matrix matrix{{}, rows, all.dim};
    matrix.values.assign(all.rowData(0), all.rowData(0) + rows * all.dim);
    return matrix;
}

std::shared_ptr<const AuditResult> auditOf(const Matrix& real, const Matrix& synthetic) {
    return runAudit({test::asSet(real, "real"), {{"model", test::asSet(synthetic, "model")}}, {}, {}});
}

/// What differs, or nothing.
QString differences(const ModelAudit& model, const QJsonObject& exact, const QJsonObject& near) {
    QString text;
    const auto compare = [&](const QString& id, double expected, double allowed) {
        const double found = model.metric(id.toStdString());
        if (!(std::abs(found - expected) <= allowed))
            text += QStringLiteral("%1: found %2, expected %3 within %4\n")
                        .arg(id)
                        .arg(found, 0, 'g', 12)
                        .arg(expected, 0, 'g', 12)
                        .arg(allowed, 0, 'g', 3);
    };
    for (auto metric = exact.begin(); metric != exact.end(); ++metric)
        compare(metric.key(), metric->toDouble(), allowedError(metric.key(), metric->toDouble()));
    for (auto metric = near.begin(); metric != near.end(); ++metric)
        compare(metric.key(), metric->toArray().at(0).toDouble(), kDeviations * metric->toArray().at(1).toDouble());
    return text;
}

} // namespace

class EmbeddingGoldenTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheDefinitions_data();
    void agreesWithTheDefinitions();
    void agreesWithPublishedFunctions_data();
    void agreesWithPublishedFunctions();
};

void EmbeddingGoldenTest::agreesWithTheDefinitions_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<QJsonObject>("expected");
    const QJsonObject file = golden("embedding_scores.json");
    const QJsonArray cases = file.value("cases").toArray();
    QVERIFY(!cases.isEmpty());
    for (const QJsonValue& one : cases)
        QTest::newRow(qPrintable(one.toObject().value("name").toString()))
            << file.value("scale").toDouble() << one.toObject();
}

void EmbeddingGoldenTest::agreesWithTheDefinitions() {
    QFETCH(double, scale);
    QFETCH(QJsonObject, expected);
    const auto dim = static_cast<std::size_t>(expected.value("columns").toInt());
    const auto audit = auditOf(matrixOf(expected.value("real").toArray(), scale, dim),
                               matrixOf(expected.value("synthetic").toArray(), scale, dim));
    const ModelAudit& model = *audit->models[0];
    const QString differing =
        differences(model, expected.value("metrics").toObject(), expected.value("near").toObject());
    QVERIFY2(differing.isEmpty(), qPrintable(differing));

    const QJsonArray shares = expected.value("frechet_influence").toArray();
    const std::vector<double>& found = model.column("frechet_influence");
    QCOMPARE(static_cast<std::size_t>(shares.size()), found.size());
    double largest = 0.0;
    for (const QJsonValue& share : shares)
        largest = std::max(largest, std::abs(share.toDouble()));
    for (std::size_t row = 0; row < found.size(); ++row) // shares lie about 0, so their scale is that of the largest
        QVERIFY2(std::abs(found[row] - shares.at(static_cast<qsizetype>(row)).toDouble()) <= 1e-6 * largest,
                 qPrintable(QStringLiteral("share of row %1: %2").arg(row).arg(found[row], 0, 'g', 12)));
}

void EmbeddingGoldenTest::agreesWithPublishedFunctions_data() {
    QTest::addColumn<QJsonObject>("expected");
    const QJsonObject sets = golden("published_scores.json").value("sets").toObject();
    QVERIFY(!sets.isEmpty());
    for (auto set = sets.begin(); set != sets.end(); ++set)
        QTest::newRow(qPrintable(set.key())) << set->toObject();
}

void EmbeddingGoldenTest::agreesWithPublishedFunctions() {
    QFETCH(QJsonObject, expected);
    if (test::takesSmallSizes())
        QSKIP("these figures are of sets of one size");
    const auto realFile = test::sharedFile("data/mnist/real.npz");
    const auto syntheticFile = test::sharedFile(std::string("data/mnist/") + QTest::currentDataTag() + ".npz");
    if (!realFile || !syntheticFile)
        QSKIP("the reference digits are not beside the source tree");

    const QJsonObject file = golden("published_scores.json");
    const auto auditOfFirst = [&](const char* rows) {
        const auto count = static_cast<std::size_t>(file.value(QLatin1String(rows)).toInt());
        return auditOf(firstRows(*realFile, count), firstRows(*syntheticFile, count));
    };
    const QString differing =
        differences(*auditOfFirst("rows")->models[0], expected.value("metrics").toObject(),
                    expected.value("near").toObject()) +
        differences(*auditOfFirst("few_rows")->models[0], expected.value("metrics_of_few").toObject(), {});
    QVERIFY2(differing.isEmpty(), qPrintable(differing));
}

ASSAY_TEST(embedding_golden_test, EmbeddingGoldenTest)
#include "embedding_golden_test.moc"
