// What is said of utility and membership: findings, JSON, reports, requirements, and the audit file that keeps it.
#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/find_by.h"
#include "engine/report/pages/report.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/subsets/requirements/requirements.h"
#include "tests/engine/support/sample_sets.h"
#include "tests/support/matrices.h"
#include "tests/support/test_entry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

using SetPtr = std::shared_ptr<const EmbeddingSet>;

enum class Labels { Right, Random, None };

/// Two clouds of classes "cat" and "dog".
test::Matrix clouds(std::size_t rows, unsigned seed) {
    test::Matrix matrix = test::gaussian(rows, 5, seed);
    for (std::size_t r = 0; r < rows; r += 2)
        matrix.values[r * 5] += 4.0F;
    return matrix;
}

SetPtr setOf(const test::Matrix& matrix, const std::string& name, Labels labels = Labels::Right) {
    EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, name);
    std::vector<std::string> names;
    std::mt19937 random(5);
    for (std::size_t r = 0; r < matrix.rows; ++r)
        names.emplace_back((labels == Labels::Right ? r % 2 : random() % 2) == 0 ? "cat" : "dog");
    if (labels != Labels::None)
        parts.labels = labelsFromText(names);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

const Finding* findingOf(const ModelAudit& model, std::string_view id) {
    for (const Finding& finding : model.findings)
        if (finding.kind->id == id)
            return &finding;
    return nullptr;
}

} // namespace

class UsefulReportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void copiesLeak();
    void goodSamplesDoNotLeak();
    void shuffledLabelsAreUseless();
    void anotherHeldOutSetIsNamed();
    void jsonHasWordsAndMatrix();
    void jsonSaysWhyThereIsNone();
    void reportsHaveTheSection();
    void requirementsReadThem();
    void anAuditFileKeepsThem();

private:
    const ModelAudit& model(const std::string& name) const {
        return **std::ranges::find_if(audit_->models, [&](const auto& each) { return each->name == name; });
    }

    std::shared_ptr<const AuditResult> audit_;
};

void UsefulReportTest::initTestCase() {
    AuditRequest request;
    const test::Matrix real = clouds(400, 1);
    test::Matrix copies = real;
    copies.rows = 200;
    copies.values.resize(copies.rows * copies.dim);
    request.real = setOf(real, "real");
    request.heldOut = setOf(clouds(400, 2), "held-out");
    request.models = {{"good", setOf(clouds(400, 3), "good")},
                      {"copies", setOf(copies, "copies")},
                      {"shuffled", setOf(clouds(400, 4), "shuffled", Labels::Random)},
                      {"bare", setOf(clouds(400, 6), "bare", Labels::None)}};
    audit_ = runAudit(request);
}

void UsefulReportTest::copiesLeak() {
    const Finding* leaks = findingOf(model("copies"), "leaks");
    QVERIFY(leaks != nullptr && leaks->marksModel);
    QCOMPARE(leaks->side, Side::Real);
    QVERIFY(leaks->rows.size() >= 200 && leaks->rows.size() < 220);
    for (std::uint32_t row = 0; row < 200; ++row)
        QCOMPARE(leaks->rows[row], row);
    const std::size_t found = leaks->rows.size();
    // Beyond guessing: 4 of 400 held-out samples are as near.
    QCOMPARE(leaks->value, static_cast<double>(found) / 400.0 - 4.0 / 401.0);
    QCOMPARE(model("copies").metric("membership_tpr_1"), static_cast<double>(found) / 400.0);
    QVERIFY(leaks->sentence.find("identified with 1 % false alarms") != std::string::npos);
    QVERIFY(!leaks->examples.empty());
}

void UsefulReportTest::goodSamplesDoNotLeak() {
    QVERIFY(findingOf(model("good"), "leaks") == nullptr);
    QVERIFY(findingOf(model("good"), "useless") == nullptr);
    QVERIFY(findingOf(model("good"), "held_out_unlike") == nullptr);
    QVERIFY(privateSentence(*audit_, model("good")).find("No leak found: training samples") != std::string::npos);
}

void UsefulReportTest::shuffledLabelsAreUseless() {
    const Finding* useless = findingOf(model("shuffled"), "useless");
    QVERIFY(useless != nullptr && useless->marksModel);
    // Against as many real samples, tested on real ones: near what was measured on held-out ones.
    const double lost =
        model("shuffled").metric("real_utility_accuracy") - model("shuffled").metric("utility_accuracy");
    QVERIFY2(std::abs(useless->value - lost) < 0.1, qPrintable(QString::number(useless->value - lost)));
    QVERIFY(useless->low && 0.05 < *useless->low && *useless->low < useless->value && useless->value < *useless->high);
    QVERIFY2(useless->sentence.starts_with("A classifier trained on its samples is "), useless->sentence.c_str());
    QVERIFY(useless->advice.find("instead of") != std::string::npos);
    // Its samples themselves are good: what is wrong is said first, and then what follows from it.
    const Finding* labels = findingOf(model("shuffled"), "wrong_labels");
    QVERIFY(labels != nullptr && labels->marksModel);
    QCOMPARE(model("shuffled").summary, labels->sentence + " " + useless->sentence);
    // It is good in all else.
    QVERIFY(findingOf(model("shuffled"), "leaks") == nullptr);
}

void UsefulReportTest::anotherHeldOutSetIsNamed() {
    AuditRequest request;
    request.real = setOf(clouds(300, 7), "real");
    request.heldOut = setOf(test::shifted(clouds(300, 8), 1.5F), "held-out");
    request.models = {{"good", setOf(clouds(300, 9), "good")}};
    const auto audit = runAudit(request);
    const Finding* unlike = findingOf(*audit->models[0], "held_out_unlike");
    QVERIFY(unlike != nullptr && !unlike->marksModel);
    QCOMPARE(unlike->value, 1.0);
    QVERIFY(audit->heldOut->audit->metric("nn_accuracy") > 0.55);
}

void UsefulReportTest::jsonHasWordsAndMatrix() {
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit_))).object();
    const QJsonObject good = json["models"].toArray()[0].toObject();
    const QJsonObject utility = good["useful"].toObject()["utility"].toObject();
    QCOMPARE(good["useful"].toObject()["sentence"].toString().toStdString(), usefulSentence(model("good")));
    QCOMPARE(utility["tested_on"].toString(), "held_out");
    QCOMPARE(utility["tested"].toInt(), 400);
    const QJsonObject confusion = utility["confusion"].toObject();
    QCOMPARE(confusion["classes"].toArray(), (QJsonArray{"cat", "dog"}));
    int sum = 0;
    int right = 0;
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
            const int count = confusion["counts"].toArray()[row].toArray()[column].toInt();
            sum += count;
            right += row == column ? count : 0;
        }
    QCOMPARE(sum, 400);
    QCOMPARE(right / 400.0, model("good").metric("utility_accuracy"));
    QCOMPARE(utility["by_class"].toArray().size(), 2);
    QCOMPARE(good["private"].toObject()["membership"].toObject()["held_out"].toInt(), 400);
    QCOMPARE(good["metrics"].toObject()["membership_auc"].toDouble(), model("good").metric("membership_auc"));
    QVERIFY(good["intervals"].toObject().contains("utility_auc"));
}

void UsefulReportTest::jsonSaysWhyThereIsNone() {
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*audit_))).object();
    const QJsonObject bare = json["models"].toArray()[3].toObject();
    QVERIFY(bare["useful"].toObject()["utility"].isNull());
    QCOMPARE(bare["useful"].toObject()["why_not"].toString(), "The synthetic set has no labels.");
    QVERIFY(!bare["metrics"].toObject().contains("utility_accuracy"));
    QVERIFY(bare["private"].toObject()["membership"].isObject());
    AuditRequest request;
    request.real = setOf(clouds(60, 10), "real");
    request.models = {{"model", setOf(clouds(60, 11), "model")}};
    const auto alone = runAudit(request);
    const QJsonObject none = QJsonDocument::fromJson(QByteArray::fromStdString(scoresAsJson(*alone))).object();
    const QJsonObject said = none["models"].toArray()[0].toObject()["private"].toObject();
    QVERIFY(said["membership"].isNull());
    QVERIFY(said["sentence"].toString().contains("needs a held-out set"));
}

void UsefulReportTest::reportsHaveTheSection() {
    const QString page = QString::fromStdString(htmlReport(*audit_, {.appendix = Appendix::Written}));
    QCOMPARE(page.count("Useful and private"), 4);
    QVERIFY(page.contains("A classifier trained on good classifies"));
    QVERIFY(page.contains("The synthetic set has no labels."));
    QVERIFY(page.contains("What a classifier trained on shuffled takes each class for"));
    const QString markdown = QString::fromStdString(markdownReport(*audit_, {}));
    QVERIFY(markdown.contains("### Useful and private"));
    QVERIFY(markdown.contains("identified with 1 % false alarms"));
}

void UsefulReportTest::requirementsReadThem() {
    const std::vector<Requirement> requirements{parseRequirement("membership_auc.high<=0.55"),
                                                parseRequirement("utility_accuracy>=0.9")};
    const auto outcomes = checkRequirements(*audit_, requirements);
    const auto met = [&](const std::string& name, std::size_t which) {
        for (const RequirementOutcome& outcome : outcomes)
            if (outcome.model == name && outcome.requirement == &requirements[which])
                return outcome.met;
        return false;
    };
    QVERIFY(met("good", 0) && met("good", 1));
    QVERIFY(!met("copies", 0) && met("copies", 1));
    QVERIFY(met("shuffled", 0) && !met("shuffled", 1));
    QVERIFY(!met("bare", 1));
}

void UsefulReportTest::anAuditFileKeepsThem() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("audit.assay").toStdString();
    writeAuditFile(*audit_, file, {}, nullptr, {.inputs = InputData::Packed});
    const auto read = readAuditFile(file);
    QCOMPARE(scoresAsJson(*read), scoresAsJson(*audit_));
    const ModelAudit& before = model("shuffled");
    const ModelAudit& after = *read->models[2];
    QCOMPARE(after.utility.classes, before.utility.classes);
    QVERIFY(after.utility.byClass == before.utility.byClass);
    QVERIFY(after.utility.confusion == before.utility.confusion);
    QCOMPARE(after.column("membership_rank"), before.column("membership_rank"));
    QCOMPARE(read->models[3]->utility.whyNot, model("bare").utility.whyNot);
    // The classifier is no part of the file: models that are added train it anew.
    const auto added = addModels(*read, {{"again", setOf(clouds(400, 3), "good")}}, {});
    QCOMPARE(added->models.back()->metric("utility_auc"), model("good").metric("utility_auc"));
    QCOMPARE(added->models.back()->metric("real_utility_auc"), model("good").metric("real_utility_auc"));
}

ASSAY_TEST(useful_report_test, UsefulReportTest)
#include "useful_report_test.moc"
