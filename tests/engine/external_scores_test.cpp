#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/external/external_scores.h"
#include "tests/support/published_models.h"
#include "tests/support/test_entry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <string>

using namespace assay;

namespace {

/// An audit of models of which nothing but names and some metrics is known.
AuditResult namedAudit(const std::vector<std::pair<std::string, std::vector<MetricValue>>>& models) {
    AuditResult audit;
    for (const auto& [name, metrics] : models) {
        auto model = std::make_shared<ModelAudit>();
        model->name = name;
        model->metrics = metrics;
        audit.models.push_back(std::move(model));
    }
    return audit;
}

AuditResult publishedAudit() {
    std::vector<std::pair<std::string, std::vector<MetricValue>>> models;
    for (const test::PublishedModel& model : test::kPublishedModels)
        models.push_back({model.name,
                          {{"precision", model.precision},
                           {"recall", model.recall},
                           {"density", model.density},
                           {"coverage", model.coverage},
                           {"authenticity", model.authentic / 100.0}}});
    return namedAudit(models);
}

} // namespace

class ExternalScoresTest : public QObject {
    Q_OBJECT

private slots:
    void readsWhatPeopleWrite();
    void refusesInWords_data();
    void refusesInWords();
    void joinsByName();
    void survivesTheAuditFile();
    void publishedCorrelations();
    void exchangedFiguresAreNoticed();
    void saysHowSureItIs();

private:
    std::string write(const std::string& text) {
        const std::string file = folder_.filePath(QStringLiteral("table.csv")).toStdString();
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    QTemporaryDir folder_;
};

void ExternalScoresTest::readsWhatPeopleWrite() {
    const ExternalScores scores = readExternalScores(write("step,model,comment,human error rate,FID\n"
                                                           "1000,gan,early one,0.25,31.5\n"
                                                           "2000, vae ,,n/a,1e2\n"));
    QCOMPARE(scores.source, std::string("table.csv"));
    QCOMPARE(scores.sha256.size(), 64U);
    QCOMPARE(scores.columns, (std::vector<std::string>{"step", "human error rate", "FID"}));
    QCOMPARE(scores.rows.size(), 2U);
    QCOMPARE(scores.rows[1].model, std::string("vae"));
    QVERIFY(std::isnan(scores.rows[1].values[1]));
    QCOMPARE(scores.rows[1].values[2], 100.0);
    const ExternalScores german = readExternalScores(write("Modell;Fehler\ngan;0,25\nvae;0,5\n"));
    QCOMPARE(german.rows[0].values[0], 0.25);
    QCOMPARE(german.rows[0].model, std::string("gan"));
}

void ExternalScoresTest::refusesInWords_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << ""
                           << "0 lines";
    QTest::newRow("a header alone") << "model,FID\n"
                                    << "1 line";
    QTest::newRow("no header") << "1,2\n3,4\n"
                               << "a first line that names the columns";
    QTest::newRow("no names") << "FID,step\n1,2\n3,4\n"
                              << "the names of the models";
    QTest::newRow("no figures") << "model,note\ngan,good\nvae,bad\n"
                                << "a column of numbers";
    QTest::newRow("twice") << "model,FID\ngan,1\nvae,2\ngan,3\n"
                           << "'gan' again, as in row 2";
    QTest::newRow("no name") << "model,FID\ngan,1\n,2\n"
                             << "row 3";
}

void ExternalScoresTest::refusesInWords() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    try {
        readExternalScores(write(text.toStdString()));
        QFAIL("was read");
    } catch (const Error& error) {
        QVERIFY2(QString::fromUtf8(error.what()).contains(words), error.what());
        QVERIFY(QString::fromUtf8(error.what()).contains("table.csv"));
    }
}

void ExternalScoresTest::joinsByName() {
    ExternalScores scores{
        "a.csv", {}, {"x"}, {{"GAN.npz", {1.0}}, {"cfg1.5", {2.0}}, {"other", {3.0}}, {"vae", {4.0}}}};
    const auto rows = rowsOfModels(scores, namedAudit({{"gan", {}}, {"CFG1.5", {}}, {"missing", {}}, {"vae", {}}}));
    QCOMPARE(rows, (std::vector<std::optional<std::size_t>>{0, 1, std::nullopt, 3}));
}

void ExternalScoresTest::survivesTheAuditFile() {
    const ExternalScores scores{
        "a.csv", std::string(64, 'a'), {"x", "y \"z\""}, {{"gan", {1.25, std::nan("")}}, {"vae", {-3e-7, 2.0}}}};
    QVERIFY(externalFromJson(externalToJson(scores)) == scores);
    for (const char* damaged :
         {"", "{", "[]", "{\"columns\":3}", "{\"source\":1,\"sha256\":\"\",\"columns\":[],\"rows\":[]}"})
        QVERIFY(externalFromJson(damaged).empty());
}

void ExternalScoresTest::publishedCorrelations() {
    ExternalScores scores{"table11.csv", {}, {"human error rate", "FD"}, {}};
    for (const test::PublishedModel& model : test::kPublishedModels)
        scores.rows.push_back({model.name, {model.humanErrorRate, model.frechetDistance}});
    const std::vector<Agreement> all = agreements(publishedAudit(), scores);
    // Pearson, Spearman and Kendall by scipy.stats 1.10.
    const std::map<std::string, std::array<double, 3>> expected{
        {"FD", {-0.978569, -0.977915, -0.921372}},    {"precision", {-0.705652, -0.400279, -0.213352}},
        {"recall", {0.937653, 0.935001, 0.834602}},   {"density", {-0.863981, -0.576179, -0.373367}},
        {"coverage", {0.967943, 0.977915, 0.921372}}, {"authenticity", {0.821215, 0.569069, 0.368549}}};
    std::size_t compared = 0;
    for (const Agreement& agreement : all) {
        if (agreement.column != 0)
            continue;
        const std::string key =
            agreement.metric != nullptr ? std::string(agreement.metric->id) : scores.columns[*agreement.other];
        const std::array<double, 3>& by = expected.at(key);
        QCOMPARE(agreement.models.size(), 13U);
        QVERIFY2(std::abs(agreement.pearson.value - by[0]) < 1e-6, key.c_str());
        QVERIFY2(std::abs(agreement.spearman.value - by[1]) < 1e-6, key.c_str());
        QVERIFY2(std::abs(agreement.kendall.value - by[2]) < 1e-6, key.c_str());
        ++compared;
    }
    QCOMPARE(compared, expected.size());
    QCOMPARE(agreementSentence(all, scores, 0),
             std::string(
                 "Coverage correlates best with human error rate: Spearman 0.98 (0.92 to 0.99), 13 models. One other "
                 "metric correlates with it about as closely."));
}

/// Figures that are called precision and follow recall come from a version that exchanged them.
void ExternalScoresTest::exchangedFiguresAreNoticed() {
    std::vector<std::pair<std::string, std::vector<MetricValue>>> models;
    ExternalScores scores{"s.csv", {}, {"TF Precision", "recall"}, {}};
    for (int i = 0; i < 8; ++i) {
        const double x = 0.1 * i;
        const double y = i % 2 == 0 ? x : 0.9 - x;
        models.push_back({std::string(1, static_cast<char>('a' + i)), {{"precision", y}, {"recall", x}}});
        scores.rows.push_back({models.back().first, {x, x}});
    }
    const AuditResult audit = namedAudit(models);
    const std::vector<Agreement> all = agreements(audit, scores);
    QVERIFY(agreementSentence(all, scores, 0).find("torch-fidelity before 0.4.0") != std::string::npos);
    QVERIFY(agreementSentence(all, scores, 1).find("torch-fidelity") == std::string::npos);
}

void ExternalScoresTest::saysHowSureItIs() {
    const AuditResult audit =
        namedAudit({{"a", {{"density", 1.0}}}, {"b", {{"density", 2.0}}}, {"c", {{"density", 3.0}}}});
    ExternalScores scores{"s.csv", {}, {"FID"}, {{"a", {3.0}}, {"b", {2.0}}, {"c", {1.0}}}};
    QCOMPARE(
        agreementSentence(agreements(audit, scores), scores, 0),
        std::string(
            "Density correlates best with FID: Spearman -1.00, 3 models. That is too few for an interval, so it may be "
            "chance."));
    scores.rows.pop_back();
    QVERIFY(agreements(audit, scores).empty());
    QVERIFY(agreementSentence({}, scores, 0).starts_with("No metric can be compared with FID: fewer than 3 models"));
}

ASSAY_TEST(external_scores_test, ExternalScoresTest)
#include "external_scores_test.moc"
