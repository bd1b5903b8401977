// Every sentence that speaks against a model, by small audits that provoke it: a list to read, and proof that each kind
// of finding can be reached.
#include "engine/audit/findings/findings.h"
#include "engine/audit/run/audit.h"
#include "tests/engine/support/faulty_models.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace assay;

namespace {

std::shared_ptr<const EmbeddingSet> setOf(const test::Matrix& matrix, const std::string& name,
                                          const std::vector<std::string>& labels, std::size_t groups) {
    EmbeddingParts parts = EmbeddingParts::of(matrix.values, matrix.dim, name);
    std::vector<std::string> all;
    for (std::size_t row = 0; row < matrix.rows && !labels.empty(); ++row)
        all.push_back(labels[row % labels.size()]);
    if (!all.empty())
        parts.labels = labelsFromText(all);
    if (groups > 0) {
        std::vector<std::string> names;
        for (std::size_t row = 0; row < matrix.rows; ++row)
            names.push_back(name + " " + std::to_string(row % groups));
        parts.groups = labelsFromText(names);
    }
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

class AllSentencesTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindCanBeSaid();
};

void AllSentencesTest::everyKindCanBeSaid() {
    std::map<std::string, std::set<std::string>> said; // by kind
    for (const test::FaultyModel& one : test::faultyModels()) {
        AuditRequest request;
        request.real = setOf(one.real, "real", one.realLabels, one.realGroups);
        request.models = {{"model", setOf(one.model, "model", one.modelLabels, one.modelGroups)}};
        if (one.heldOut.rows > 0)
            request.heldOut = setOf(one.heldOut, "held-out", {}, 0);
        const auto audit = runAudit(request);
        const ModelAudit& model = *audit->models.front();
        qInfo().noquote() << QString::fromStdString(one.name + (isMarked(model) ? " (!): " : ": ") + model.summary);
        for (const Finding& finding : model.findings) {
            if (finding.place)
                said[std::string(finding.kind->id)].insert(finding.sentence);
            QVERIFY2(finding.sentence.ends_with('.') || finding.sentence.ends_with('?'), finding.sentence.c_str());
            QVERIFY2(finding.sentence.find("nan") == std::string::npos, finding.sentence.c_str());
            QVERIFY2(finding.sentence.find("inf ") == std::string::npos, finding.sentence.c_str());
            QVERIFY2(finding.sentence.find("  ") == std::string::npos, finding.sentence.c_str());
        }
    }
    for (const FindingKind& kind : findingKinds()) {
        const auto& sentences = said[std::string(kind.id)];
        for (const std::string& sentence : sentences)
            qInfo().noquote() << "   " << QString::fromStdString(std::string(kind.id) + ": " + sentence);
        QVERIFY2(sentences.empty() == kind.is(FindingKind::Note), std::string(kind.id).c_str());
    }
}

ASSAY_TEST(all_sentences_test, AllSentencesTest)
#include "all_sentences_test.moc"
