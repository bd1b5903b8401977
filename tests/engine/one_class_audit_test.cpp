// The audit in the one-class embedding.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/report/scores/score_output.h"
#include "tests/engine/support/curve_of.h"
#include "tests/engine/support/naive_alpha_beta.h"
#include "tests/engine/support/refusals.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace assay;
using test::Matrix;

namespace {

AuditRequest requestOf(const Matrix& real, const Matrix& synthetic) {
    AuditRequest request;
    request.real = test::asSet(real, "real");
    request.models = {{"model", test::asSet(synthetic, "model")}};
    request.options.oneClass = true;
    return request;
}

} // namespace

class OneClassAuditTest : public QObject {
    Q_OBJECT

private slots:
    void progressRises();
    void auditAgreesWithTheOracleInTheEmbedding_data();
    void auditAgreesWithTheOracleInTheEmbedding();
    void isThereOnlyWhenAskedFor();
    void isTrainedOncePerRealSet();
    void jsonTellsTheEmbedding();
    void needsAllRowsInOneProcess();
};

void OneClassAuditTest::progressRises() {
    std::vector<double> seen;
    std::vector<std::string> stages;
    const JobContext job({}, [&](const Progress& progress) {
        seen.push_back(progress.fraction);
        stages.push_back(progress.stage);
    });
    runAudit(requestOf(test::gaussian(900, 12, 1), test::gaussian(800, 12, 2)), job);
    QVERIFY(seen.size() > 200);
    for (std::size_t i = 1; i < seen.size(); ++i)
        QVERIFY2(seen[i] >= seen[i - 1] - 1e-12,
                 qPrintable(QStringLiteral("%1 after %2").arg(seen[i]).arg(seen[i - 1])));
    QVERIFY(std::abs(seen.back() - 1.0) < 1e-12);
    QVERIFY(std::any_of(stages.begin(), stages.end(), [](const std::string& stage) {
        return stage.find("Training the one-class network") != std::string::npos;
    }));
}

void OneClassAuditTest::auditAgreesWithTheOracleInTheEmbedding_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("shifted") << 0;
    QTest::newRow("duplicates") << 1;
    QTest::newRow("fewer samples than steps") << 2;
    QTest::newRow("constant real") << 3;
}

void OneClassAuditTest::auditAgreesWithTheOracleInTheEmbedding() {
    QFETCH(int, which);
    const Matrix real = which == 0 ? test::gaussian(300, 6, 1)
                        : which == 1
                            ? test::joined(test::repeated(test::gaussian(6, 6, 1), 150), test::gaussian(60, 6, 5))
                        : which == 2 ? test::gaussian(20, 6, 1)
                                     : test::repeated(test::gaussian(1, 6, 1), 40);
    const Matrix synthetic = which == 1
                                 ? test::joined(test::repeated(test::gaussian(6, 6, 1), 120), test::gaussian(90, 6, 4))
                                 : test::gaussian(which == 2 ? 15 : 250, 6, 2, 0.4F);
    const auto audit = runAudit(requestOf(real, synthetic));
    const OneClassNetwork& network = audit->described->oneClass->model.network;
    const Matrix realImages{network.embed(real.view(), 0, {}), real.rows, real.dim};
    const Matrix images{network.embed(synthetic.view(), 0, {}), synthetic.rows, synthetic.dim};
    const auto expected = test::naiveAlphaBeta(realImages.view(), images.view(), std::vector<double>(real.dim, 1.0));
    const ModelAudit& model = *audit->models.at(0);
    const auto near = [](const std::vector<double>& found, const std::vector<double>& wanted) {
        return std::ranges::equal(found, wanted, [](double x, double y) {
            return x == y || std::abs(x - y) <= 1e-11 * std::max(1.0, std::abs(y));
        });
    };
    QVERIFY(near({model.metric("integrated_alpha_precision_one_class")}, {expected.integratedAlphaPrecision}));
    QVERIFY(near({model.metric("integrated_beta_recall_one_class")}, {expected.integratedBetaRecall}));
    QVERIFY(near(test::curveOf(model, "alpha_precision_curve_one_class").lines.at(0).y, expected.alphaPrecision));
    QVERIFY(near(test::curveOf(model, "beta_recall_curve_one_class").lines.at(0).y, expected.betaRecall));
    QVERIFY(near(model.column("typicality_one_class"), expected.typicality));
    QVERIFY(near(model.column("centre_distance_one_class"), expected.centreDistance));
    QVERIFY(near(model.column("real_centre_distance_one_class"), expected.realCentreDistance));
    QVERIFY(near(model.column("beta_covered_one_class"), expected.betaCovered));
}

void OneClassAuditTest::isThereOnlyWhenAskedFor() {
    AuditRequest request = requestOf(test::gaussian(60, 4, 1), test::gaussian(50, 4, 2));
    const auto with = runAudit(request);
    QVERIFY(with->models[0]->hasMetric("integrated_alpha_precision_one_class"));
    QVERIFY(with->models[0]->hasColumn("typicality_one_class"));
    QCOMPARE(test::curveOf(*with->models[0], "one_class_training").lines.size(), std::size_t{2});
    request.options.oneClass = false;
    const auto without = runAudit(request);
    QVERIFY(!without->models[0]->hasMetric("integrated_alpha_precision_one_class"));
    QVERIFY(!without->models[0]->hasColumn("typicality_one_class"));
    QVERIFY(without->models[0]->hasMetric("integrated_alpha_precision"));
    QCOMPARE(without->models[0]->metric("integrated_alpha_precision"),
             with->models[0]->metric("integrated_alpha_precision"));
}

void OneClassAuditTest::isTrainedOncePerRealSet() {
    const AuditRequest request = requestOf(test::gaussian(60, 4, 1), test::gaussian(50, 4, 2));
    const auto base = runAudit(request);
    const auto second = test::asSet(test::gaussian(55, 4, 3), "second");
    // Asked for or not: all models of an audit are evaluated alike.
    const auto grown = addModels(*base, {{"second", second}}, {});
    QVERIFY(grown->described->oneClass == base->described->oneClass);
    QVERIFY(grown->models[1]->hasMetric("integrated_beta_recall_one_class"));
    AuditRequest plain = request;
    plain.options.oneClass = false;
    QVERIFY(!addModels(*runAudit(plain), {{"second", second}}, request.options)
                 ->models[1]
                 ->hasMetric("integrated_beta_recall_one_class"));
}

void OneClassAuditTest::jsonTellsTheEmbedding() {
    AuditRequest request = requestOf(test::gaussian(60, 4, 1), test::gaussian(50, 4, 2));
    request.options.seed = 12;
    const auto parsed = [](const AuditResult& audit) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(audit))).object();
    };
    const QJsonObject json = parsed(*runAudit(request));
    const QJsonObject embeddings = json.value("evaluation_embeddings").toObject();
    QCOMPARE(embeddings.keys(), (QStringList{"identity", "one_class"}));
    const QJsonObject oneClass = embeddings.value("one_class").toObject();
    QCOMPARE(oneClass.value("epochs").toInt(), 100);
    QCOMPARE(oneClass.value("learning_rate").toDouble(), 1e-3);
    QCOMPARE(oneClass.value("weight_decay").toDouble(), 1e-2);
    QCOMPARE(oneClass.value("nu").toDouble(), 0.01);
    QCOMPARE(oneClass.value("hidden").toArray(), (QJsonArray{200, 200}));
    QCOMPARE(oneClass.value("held_back_rows").toInt(), 6);
    QCOMPARE(oneClass.value("seed").toInt(), 12);
    const QJsonObject curves = json.value("models").toArray().at(0).toObject().value("curves").toObject();
    const QJsonObject training = curves.value("one_class_training").toObject();
    QCOMPARE(training.value("x").toArray().size(), 100);
    QCOMPARE(training.value("x").toArray().at(0).toDouble(), 1.0);
    for (const char* line : {"training", "validation"})
        QCOMPARE(training.value("lines").toObject().value(line).toObject().value("y").toArray().size(), 100);
    QCOMPARE(curves.value("alpha_precision_curve_one_class").toObject().value("y").toArray().size(), 30);

    request.options.oneClass = false;
    QCOMPARE(parsed(*runAudit(request)).value("evaluation_embeddings").toObject().keys(), QStringList{"identity"});
}

void OneClassAuditTest::needsAllRowsInOneProcess() {
    AuditRequest request = requestOf(test::gaussian(60, 4, 1), test::gaussian(50, 4, 2));
    const Matrix half = test::gaussian(30, 4, 1);
    EmbeddingParts parts;
    parts.values = FloatStorage(half.values);
    parts.rows = 60;
    parts.dim = 4;
    parts.held = RowRange{0, 30};
    parts.name = "real";
    request.real = std::make_shared<const EmbeddingSet>(std::move(parts));
    request.options.search = [](MatrixView sample, const JobContext& job) {
        return makeCpuSearch(BackendChoice::Auto, sample, 1, job);
    };
    const QString message = test::refusalOf([&] { runAudit(request); }, ErrorKind::InvalidArgument);
    QVERIFY(test::saysAll(message, "one-class embedding|expected one process|real"));
}

ASSAY_TEST(one_class_audit_test, OneClassAuditTest)
#include "one_class_audit_test.moc"
