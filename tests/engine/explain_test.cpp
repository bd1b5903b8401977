#include "engine/audit/result/audit_result.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/report/scores/explain.h"
#include "tests/support/test_entry.h"

#include <QtTest>

#include <cmath>
#include <map>
#include <memory>

using namespace assay;

namespace {

/// One synthetic sample or one real sample whose tables say exactly what a row of the test table says.
struct Story {
    double distance = 1.0;          // to the nearest real (or, for a real sample, synthetic) sample
    double gap = 0.5;               // of that real sample to its own nearest real neighbour
    double radius = 1.0;            // NNDr_k
    double clippedRadius = 1.0;     // R_i
    std::uint32_t balls = 0;        // unclipped balls that hold it (for a real sample: samples in its ball)
    std::uint32_t clippedBalls = 0; // n_j
    Verdict verdict = Verdict::Good;
    CoverageVerdict coverage = CoverageVerdict::Covered;
    double pUncovered = 0.25;
};

std::shared_ptr<const EmbeddingSet> setNamed(const std::string& name, std::size_t rows) {
    EmbeddingParts parts;
    parts.rows = rows;
    parts.dim = 1;
    parts.values = std::vector<float>(rows, 0.0F);
    parts.name = name;
    for (std::size_t row = 0; row < rows; ++row)
        parts.ids.push_back(name + "-" + std::to_string(row));
    return std::make_shared<EmbeddingSet>(std::move(parts));
}

AuditResult tell(const Story& story, std::size_t k = 5) {
    auto real = std::make_shared<RealAnalysis>();
    real->set = setNamed("real", 2);
    real->k = k;
    real->neighbors = {1, {1, 0}, {story.gap, story.gap}};
    real->radius = {story.radius, story.radius};
    real->innerRadius = {story.clippedRadius, story.clippedRadius};
    auto model = std::make_shared<ModelAudit>();
    model->name = "gan";
    model->set = setNamed("gan", 2);
    PairTables tables;
    tables.synthetic.nearest = {1, {1, 1}, {story.distance, story.distance}};
    tables.real.nearest = {1, {0, 1}, {story.distance, story.distance}};
    tables.syntheticToSynthetic = {1, {1, 0}, {2.0, 2.0}};
    tables.syntheticRadius = {2.0, 1.5};
    tables.synthetic.holding = {story.balls, story.balls};
    tables.synthetic.innerHolding = {story.clippedBalls, story.clippedBalls};
    tables.real.inside = {story.balls, story.balls};
    model->tables = std::make_shared<const PairTables>(std::move(tables));
    model->columns = {{"verdict", std::vector<double>(2, static_cast<double>(story.verdict))},
                      {"copy_ratio", std::vector<double>(2, story.distance / story.gap)},
                      {"p_copy", std::vector<double>{0.0012, 0.0012}},
                      {"p_over_represented", std::vector<double>{0.003, 0.003}},
                      {"p_unrealistic", std::vector<double>{0.0002, 0.0002}},
                      {"log_density_ratio", std::vector<double>(2, std::log(19.0))},
                      {"coverage_verdict", std::vector<double>(2, static_cast<double>(story.coverage))},
                      {"p_uncovered", std::vector<double>(2, story.pUncovered)},
                      {"coverage_ratio", std::vector<double>(2, std::log(20.0))}};
    real->medianRadius = 2.0;
    real->notAuthentic = 0.38;
    AuditResult audit;
    audit.k = k;
    audit.real = real;
    audit.models = {model};
    return audit;
}

} // namespace

class ExplainTest : public QObject {
    Q_OBJECT

private slots:
    void explainsSamples_data();
    void explainsSamples();
    void longIdsAreCut();
    void saysWhyARareSampleIsNotCalledBad();
    void comparesDensitiesByTheSizesOfTheSets();
    void picturesHugeDensitiesByDistances();
    void saysThatASampleIsRepeated();
    void relatesSamplesToTheirNeighbors();
    void knowsNothingWithoutModels();
    void standsByMidRank();

private:
    std::map<std::string, Story> stories_; ///< by data tag
};

void ExplainTest::explainsSamples_data() {
    QTest::addColumn<bool>("real");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("k");
    stories_.clear();
    const auto row = [this](const char* name, bool real, const Story& story, const char* sentence, int k = 5) {
        QTest::newRow(name) << real << QString(sentence) << k;
        stories_[name] = story;
    };
    row("outside every ball", false, {3.42, 1.0, 2.9, 2.9, 0, 0},
        "Apart from the real data: no real sample's ball reaches it. Its nearest real sample is 3.42 away, 18 % beyond "
        "the reach of that one's ball (2.90). Only 1 in 5,000 real samples is that far out.");
    row("outside, nearest ball was clipped", false, {3.42, 1.0, 3.0, 2.9, 0, 0},
        "Apart from the real data: no real sample's ball reaches it. Its nearest real sample is 3.42 away, 18 % beyond "
        "the reach of that one's ball (2.90). Only 1 in 5,000 real samples is that far out.");
    row("only in wide balls", false, {3.42, 1.0, 4.0, 2.9, 2, 0},
        "At the edge of the real data: it lies only in the oversized balls of 2 isolated real samples, which do not "
        "count. Its nearest real sample is 3.42 away, 18 % beyond the reach of that one's ball (2.90). Only 1 in 5,000 "
        "real samples is that far out.");
    row("only in one wide ball", false, {3.42, 1.0, 4.0, 2.9, 1, 0},
        "At the edge of the real data: it lies only in the oversized ball of 1 isolated real sample, which does not "
        "count. Its nearest real sample is 3.42 away, 18 % beyond the reach of that one's ball (2.90). Only 1 in 5,000 "
        "real samples is that far out.");
    row("ball without extent", false, {3.0, 0.0, 0.0, 0.0, 0, 0},
        "Apart from the real data: no real sample's ball reaches it. Its nearest real sample is 3.00 away, beyond the "
        "reach of that one's ball (0). Only 1 in 5,000 real samples is that far out.");
    row("fully faithful", false, {0.75, 0.5, 1.0, 1.0, 9, 7},
        "Looks like real data: it lies in the balls of 7 real samples (5 are enough).");
    row("one ball is enough at k = 1", false, {0.75, 0.5, 1.0, 1.0, 1, 1},
        "Looks like real data: it lies in the ball of 1 real sample (1 is enough).", 1);
    row("partly faithful", false, {0.75, 0.5, 1.0, 1.0, 2, 1},
        "Partly like real data: it lies in the ball of 1 real sample; 5 are needed for full fidelity.");
    row("copy", false, {0.12, 2.31, 3.0, 3.0, 7, 7, Verdict::Copy},
        "Likely a copy of real sample real-1: 19 times closer to it than any other real sample is. Only 1 in 830 real "
        "samples is that close.");
    row("copy, nearly on it", false, {1e-7, 2.31, 3.0, 3.0, 7, 7, Verdict::Copy},
        "Likely a copy of real sample real-1: more than a million times closer to it than any other real sample is. "
        "Only 1 in 830 real samples is that close.");
    row("near, but not accused", false, {0.12, 2.31, 3.0, 3.0, 7, 7},
        "At least as close to real sample real-1 as any other real sample is, which is usual: so are 38 % of real "
        "samples. Looks like real data: it lies in the balls of 7 real samples (5 are enough).");
    row("a tie is unauthentic", false, {2.31, 2.31, 3.0, 3.0, 7, 7},
        "At least as close to real sample real-1 as any other real sample is, which is usual: so are 38 % of real "
        "samples. Looks like real data: it lies in the balls of 7 real samples (5 are enough).");
    row("exact copy", false, {0.0, 2.31, 3.0, 3.0, 7, 7, Verdict::Copy},
        "Likely a copy: it equals real sample real-1. Only 1 in 830 real samples is that close.");
    row("equal, but not accused", false, {0.0, 2.31, 3.0, 3.0, 7, 7},
        "It equals real sample real-1. Looks like real data: it lies in the balls of 7 real samples (5 are enough).");
    row("crowded", false, {0.75, 0.5, 1.0, 1.0, 9, 7, Verdict::Crowded},
        "Crowded: the model is about 19 times as dense here as the real data. Only 1 in 330 real samples lies in "
        "such a crowd.");
    row("invented", false, {0.75, 0.5, 1.0, 1.0, 0, 0, Verdict::Invented},
        "Invented: the model makes many samples like it, where there is almost no real data. Only 1 in 330 real "
        "samples "
        "lies in such a crowd.");
    row("unrealistic", false, {13.2, 1.0, 0.637, 0.637, 0, 0, Verdict::Unrealistic},
        "Unrealistic: 6.6 times as far from the real data as real samples usually are from each other. Only 1 in 5,000 "
        "real samples is that far out.");
    row("far outside", false, {13.2, 1.0, 0.637, 0.637, 0, 0},
        "Apart from the real data: no real sample's ball reaches it. Its nearest real sample is 13.2 away, 20.7 times "
        "the reach of that one's ball (0.637). Only 1 in 5,000 real samples is that far out.");
    row("large numbers", false, {12345.6, 1.0, 6172.8, 6172.8, 0, 0},
        "Apart from the real data: no real sample's ball reaches it. Its nearest real sample is 12346 away, 100 % "
        "beyond the reach of that one's ball (6173). Only 1 in 5,000 real samples is that far out.");
    row("well covered", true, {1.0, 0.5, 2.0, 2.0, 8, 0},
        "Well covered: 8 synthetic samples lie in its ball (5 are enough).");
    row("partly covered", true, {1.0, 0.5, 2.0, 2.0, 1, 0},
        "Partly covered: 1 synthetic sample lies in its ball; 5 are needed for full coverage.");
    row("not covered", true, {3.1, 0.5, 2.9, 2.9, 0, 0},
        "Not covered: none of the 2 synthetic samples lies in its ball. The nearest is 3.10 away, 6.9 % beyond the "
        "ball's radius (2.90). About 1 in 4 real samples would be that isolated by chance.");
    row("missed", true, {3.1, 0.5, 2.9, 2.9, 0, 0, Verdict::Good, CoverageVerdict::Missed, 0.002},
        "Missed: none of the 2 synthetic samples lies in its ball. The nearest is 3.10 away, 6.9 % beyond the ball's "
        "radius (2.90). Only 1 in 500 real samples would be that isolated by chance.");
    row("too thin", true, {3.1, 0.5, 2.9, 2.9, 1, 0, Verdict::Good, CoverageVerdict::Thin, 0.002},
        "Too thin: the model is about 20 times as sparse as the real data here; 1 synthetic sample lies in its ball. "
        "Only 1 in 500 real samples would be that isolated by chance.");
    row("isolated as most", true, {3.1, 0.5, 2.9, 2.9, 0, 0, Verdict::Good, CoverageVerdict::Covered, 0.7},
        "Not covered: none of the 2 synthetic samples lies in its ball. The nearest is 3.10 away, 6.9 % beyond the "
        "ball's radius (2.90). That is usual for real samples.");
}

void ExplainTest::explainsSamples() {
    QFETCH(bool, real);
    QFETCH(QString, sentence);
    QFETCH(int, k);
    const AuditResult audit = tell(stories_.at(QTest::currentDataTag()), static_cast<std::size_t>(k));
    const SampleId sample{real ? SetId::Real : syntheticSet(0), 0};
    QCOMPARE(QString::fromStdString(explainSample(audit, 0, sample)), sentence);
}

void ExplainTest::longIdsAreCut() {
    AuditResult audit = tell({.distance = 0.05, .gap = 1.0, .verdict = Verdict::Copy});
    auto real = std::make_shared<RealAnalysis>(*audit.real);
    real->set = setNamed(std::string(10'000, 'x'), 2);
    audit.real = real;
    const std::string text = explainSample(audit, 0, {syntheticSet(0), 0});
    QVERIFY2(text.starts_with("Likely a copy of real sample xxxx") && text.find("xx-1: ") != std::string::npos &&
                 text.size() < 250,
             text.substr(0, 300).c_str());
}

void ExplainTest::saysWhyARareSampleIsNotCalledBad() {
    AuditResult audit = tell({3.42, 1.0, 4.0, 2.9, 2, 0});
    auto model = std::make_shared<ModelAudit>(*audit.models[0]);
    for (ColumnValues& column : model->columns)
        if (column.id == "p_unrealistic")
            column.values = std::vector<double>{0.04, 0.04};
    audit.models = {model};
    const std::string text = explainSample(audit, 0, {syntheticSet(0), 0});
    QVERIFY2(text.ends_with("Only 1 in 25 real samples is that far out. Among 2 samples that can be chance."),
             text.c_str());
    QVERIFY(!explainSample(tell({3.42, 1.0, 4.0, 2.9, 2, 0}), 0, {syntheticSet(0), 0}).ends_with("chance."));
}

void ExplainTest::comparesDensitiesByTheSizesOfTheSets() {
    AuditResult audit = tell({.verdict = Verdict::Crowded});
    auto real = std::make_shared<RealAnalysis>(*audit.real);
    real->set = setNamed("real", 8); // four times as many as the model's
    audit.real = real;
    const std::string text = explainSample(audit, 0, {syntheticSet(0), 0});
    QVERIFY2(text.starts_with("Crowded: the model is about 76 times as dense here as the real data."), text.c_str());
}

void ExplainTest::picturesHugeDensitiesByDistances() {
    AuditResult audit = tell({.verdict = Verdict::Crowded});
    auto model = std::make_shared<ModelAudit>(*audit.models[0]);
    model->set = std::make_shared<EmbeddingSet>(EmbeddingParts::of(std::vector<float>(20, 0.0F), 10, "gan"));
    for (ColumnValues& column : model->columns)
        if (column.id == "log_density_ratio")
            column.values = std::vector<double>(2, 10.0 * std::log(4.8)); // 6.5 million
    audit.models = {model};
    const std::string text = explainSample(audit, 0, {syntheticSet(0), 0});
    QVERIFY2(text.starts_with("Crowded: synthetic samples lie 4.8 times closer to it than real ones do. Only"),
             text.c_str());
}

void ExplainTest::saysThatASampleIsRepeated() {
    AuditResult audit = tell({.verdict = Verdict::Crowded});
    auto model = std::make_shared<ModelAudit>(*audit.models[0]);
    for (ColumnValues& column : model->columns)
        if (column.id == "log_density_ratio")
            column.values = std::vector<double>(2, HUGE_VAL);
    audit.models = {model};
    const std::string text = explainSample(audit, 0, {syntheticSet(0), 0});
    QVERIFY2(text.starts_with("Crowded: the model repeats this sample at least 1 time; the real data do not."),
             text.c_str());
}

void ExplainTest::relatesSamplesToTheirNeighbors() {
    const AuditResult audit = tell({3.0, 1.0, 4.0, 2.0, 0, 0});
    const auto real = nearestSamples(audit, 0, {syntheticSet(0), 0}, Side::Real, 5);
    QCOMPARE(real.size(), 1U);
    QCOMPARE(real[0].neighbor, (SampleId{SetId::Real, 1}));
    QCOMPARE(real[0].radius, 2.0); // clipped
    QVERIFY(!real[0].inside);
    QCOMPARE(real[0].relativeGap(), 0.5);
    const auto synthetic = nearestSamples(audit, 0, {syntheticSet(0), 1}, Side::Synthetic, 5);
    QCOMPARE(synthetic[0].neighbor, (SampleId{syntheticSet(0), 0}));
    QVERIFY(synthetic[0].inside); // closed balls
    QCOMPARE(synthetic[0].relativeGap(), 0.0);
    const auto ofReal = nearestSamples(audit, 0, {SetId::Real, 1}, Side::Synthetic, 5);
    QCOMPARE(ofReal[0].neighbor, (SampleId{syntheticSet(0), 1}));
    QCOMPARE(ofReal[0].radius, 1.5);
    QVERIFY(nearestSamples(audit, 0, {SetId::Real, 0}, Side::Real, 0).empty());
}

void ExplainTest::knowsNothingWithoutModels() {
    AuditResult audit = tell({});
    audit.models.clear();
    QCOMPARE(explainSample(audit, 0, {SetId::Real, 0}), std::string());
    QVERIFY(nearestSamples(audit, 0, {SetId::Real, 0}, Side::Synthetic, 3).empty());
    QCOMPARE(nearestSamples(audit, 0, {SetId::Real, 0}, Side::Real, 3).size(), 1U);
}

void ExplainTest::standsByMidRank() {
    const std::vector<double> values{1.0, 2.0, 2.0, 3.0, std::nan("")};
    const Standing middle = standingOf(values, 1);
    QCOMPARE(middle.below, 1U);
    QCOMPARE(middle.equal, 2U);
    QCOMPARE(middle.total, 4U);
    QCOMPARE(middle.percentile(), 0.5);
    QCOMPARE(standingOf(values, 4).total, 0U);
}

ASSAY_TEST(explain_test, ExplainTest)
#include "explain_test.moc"
