#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/base/number_text.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/verdict.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/charts.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/sample_picture.h"
#include "engine/report/scores/explain.h"
#include "engine/subsets/holes/coverage_holes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace assay::report {
namespace {

/// The samples that stand for a finding: their pictures, copies beside their originals, and how many are like them.
void writeExamples(HtmlWriter& html, const AuditResult& audit, const ModelAudit& model, const Finding& finding) {
    if (finding.examples.empty())
        return;
    const bool ofReal = finding.side == Side::Real;
    const EmbeddingSet& set = ofReal ? *audit.real->set : *model.set;
    if (set.images() == nullptr) {
        html.leaf("p", "Examples: " + examplesText(audit, model, finding) + ".", {{"class", "muted"}});
        return;
    }
    const HtmlElement list(html, "div", {{"class", "examples"}});
    for (const FindingExample& example : finding.examples) {
        const HtmlElement item(html, "div", {{"class", "example"}});
        html.open("div", {{"class", "pictures"}});
        drawSample(html, set, example.row, PictureSize::Large,
                   (ofReal ? "Real sample " : "Synthetic sample ") + sampleName(set, example.row));
        if (example.original)
            drawSample(html, *audit.real->set, *example.original, PictureSize::Large,
                       "Real sample " + sampleName(*audit.real->set, *example.original) + ", its original");
        html.close();
        html.leaf("p", exampleCountText(example));
    }
}

void writeFindings(HtmlWriter& html, const AuditResult& audit, const ModelAudit& model) {
    html.leaf("h3", "Findings");
    if (model.findings.empty()) {
        html.leaf("p", "No fault was found.");
        return;
    }
    const HtmlElement list(html, "ol", {{"class", "findings"}});
    for (const Finding& finding : model.findings) {
        const HtmlElement item(html, "li", {{"class", finding.marksModel ? "marked" : "unmarked"}});
        html.open("p");
        html.leaf("strong", finding.kind->title);
        if (finding.marksModel)
            html.leaf("span", " (!) serious", {{"class", "mark-text"}});
        html.close();
        html.leaf("p", finding.sentence);
        writeExamples(html, audit, model, finding);
        std::string measured = "Measured: " + findingValueText(finding);
        if (const std::string interval = findingIntervalText(finding); !interval.empty())
            measured += " (95 % interval " + interval + ")";
        html.leaf("p", measured + ", " + std::string(finding.kind->measure) + ".", {{"class", "muted"}});
        if (!finding.advice.empty())
            html.leaf("p", finding.advice);
    }
}

void writeHistograms(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    html.leaf("h3", "How are fidelity and coverage spread?");
    const HtmlElement figures(html, "div", {{"class", "figures"}});
    html.figure("Fidelity of each synthetic sample: clipped real balls that hold it, divided by k, at most 1. "
                "Lines: what real samples score themselves.",
                [&] { drawFidelityHistogram(html, audit, model); });
    html.figure("Coverage of each real sample: synthetic samples in its ball, divided by k, at most 1. At 0 no "
                "synthetic sample lies in the ball.",
                [&] { drawCoverageHistogram(html, audit, model); });
}

/// Rejected samples and the effect of their rejection.
void writeDecided(HtmlWriter& html, const ModelAudit& model, const KeptSamples& decided) {
    html.leaf("h3", "What was rejected, and what did that do?");
    if (!decided.rules.empty()) {
        html.leaf("p", decided.rules.size() == 1         ? "A rule decides:"
                       : decided.match == RuleMatch::All ? "A sample is kept that passes every rule:"
                                                         : "A sample is kept that passes one of the rules:");
        const HtmlElement list(html, "ul");
        for (const RuleEffect& rule : decided.rules)
            html.leaf("li", fmt::format("{} (rejects {} by itself)", rule.text, rule.rejected));
    }
    html.leaf("p", fmt::format(
                       "{} of {} samples are kept, {} rejected, of these {} by hand{}", decided.left.keptCount,
                       decided.left.keptCount + decided.left.rejectedCount, decided.left.rejectedCount,
                       decided.rejectedByHand,
                       (decided.accepted > 0 ? "; " + std::to_string(decided.accepted) + " are kept by hand." : ".")));
    if (decided.left.falseAlarmRate && !decided.rules.empty())
        html.leaf("p", percentText(*decided.left.falseAlarmRate) + " of the good samples are rejected by the rules.");
    if (!decided.left.kept || !decided.left.random) {
        html.leaf("p", decided.left.rejectedCount > 0 ? "Too few samples are kept for scores of their own."
                                                      : "Nothing is rejected, so nothing changes.");
        return;
    }
    std::vector<std::vector<TableCell>> rows;
    for (const Metric* metric : keptMetrics(model))
        rows.push_back({{titleWithUnit(*metric), std::string(directionText(metric->better))},
                        {scoreText(model, *metric)},
                        {scoreText(*decided.left.kept, *metric)},
                        {scoreText(*decided.left.random, *metric)}});
    writeTable(html, "Scores of all samples of " + model.name + ", of the kept ones, and of as many drawn at random",
               {{"Score"}, {"All", kRight}, {"Kept", kRight}, {"Random", kRight}}, rows);
    html.leaf(
        "p",
        "Only what the kept samples score better than the random ones was gained by choosing. Clipped coverage is "
        "relative to as many good samples as are kept; coverage tells what these still reach.",
        {{"class", "muted"}});
}

} // namespace

void writeModel(HtmlWriter& html, const AuditResult& audit, std::size_t model, const KeptSamples* decided) {
    const ModelAudit& audited = *audit.models[model];
    const std::string anchor = "model-" + std::to_string(model + 1);
    const HtmlElement section(html, "section", {{"class", "model"}, {"aria-labelledby", anchor}});
    html.leaf("h2", fmt::format("{} {}", model + 1, audited.name), {{"id", anchor}});
    html.leaf("p", audited.summary, {{"class", "sentence"}});
    html.leaf("p", counted(audited.set->rows(), "synthetic sample.", "synthetic samples."), {{"class", "muted"}});
    writeFindings(html, audit, audited);
    writeHistograms(html, audit, model);
    if (decided != nullptr)
        writeDecided(html, audited, *decided);
}

void writeAppendix(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job) {
    const std::string anchor = "appendix-" + std::to_string(model + 1);
    const HtmlElement section(html, "section", {{"class", "model"}, {"aria-labelledby", anchor}});
    html.leaf("h2", "Appendix: " + audit.models[model]->name, {{"id", anchor}});
    writeClasses(html, audit, model);
    writeHoles(html, audit, model, job);
    writeFeatures(html, audit, model);
    writeUseful(html, audit, model);
    writeGalleries(html, audit, model, job);
}

namespace {

constexpr std::size_t kGallery = 12;
constexpr std::size_t kNeighbors = 3;

/// Text such as "Nearest real: 17 at 0.312, 40 at 0.355."
std::string nearestText(const AuditResult& audit, const std::vector<NeighborRelation>& nearest) {
    std::string text;
    for (const NeighborRelation& relation : nearest)
        text += (text.empty() ? "Nearest real: " : ", ") + audit.real->set->idText(relation.neighbor.row) + " at " +
                roundedText(relation.distance);
    return text.empty() ? text : text + ".";
}

/// How many of the samples have a bad verdict: even the worst samples of a good model may all be good.
std::string badVerdictText(const ModelAudit& model, const SampleRanking& ranking) {
    if (!model.hasColumn("verdict") || ranking.rows.empty())
        return {};
    const std::vector<double>& verdict = model.column("verdict");
    const auto accused = std::count_if(ranking.rows.begin(), ranking.rows.end(), [&](std::uint32_t row) {
        return static_cast<Verdict>(verdict[row]) != Verdict::Good;
    });
    if (accused == 0)
        return "None of them is called bad.";
    return std::to_string(accused) + " of these " + std::to_string(ranking.rows.size()) + " are called bad.";
}

void writeSample(HtmlWriter& html, const AuditResult& audit, std::size_t model, const SampleRanking& ranking,
                 std::uint32_t row) {
    const ModelAudit& audited = *audit.models[model];
    const SampleId sample{syntheticSet(model), row};
    const std::vector<NeighborRelation> nearest = nearestSamples(audit, model, sample, Side::Real, kNeighbors);
    const std::string name = sampleName(*audited.set, row);
    const HtmlElement item(html, "li");
    html.open("div", {{"class", "pictures"}});
    drawSample(html, *audited.set, row, PictureSize::Large, "Synthetic sample " + name);
    html.open("div", {{"class", "nearest"}});
    for (const NeighborRelation& relation : nearest)
        drawSample(html, *audit.real->set, relation.neighbor.row, PictureSize::Small,
                   "Real sample " + sampleName(*audit.real->set, relation.neighbor.row) + ", at distance " +
                       roundedText(relation.distance));
    html.close();
    html.close();
    const HtmlElement about(html, "p", {{"class", "about"}});
    html.leaf("strong", name);
    html.text(" (" + std::string(ranking.column->title) + " " +
              scoreText(audited.column(ranking.column->id)[row], ranking.column->unit) + "). " +
              explainSample(audit, model, sample) + " ");
    html.leaf("span", nearestText(audit, nearest), {{"class", "muted"}});
}

} // namespace

void writeGalleries(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job) {
    const std::vector<SampleRanking> rankings = sampleRankings(*audit.models[model], kGallery);
    for (const SampleRanking& ranking : rankings) {
        html.leaf("h3", ranking.title);
        html.leaf("p",
                  "By " + std::string(ranking.column->title) + ": " + std::string(ranking.column->definition) +
                      " Each beside its nearest real samples. " + badVerdictText(*audit.models[model], ranking),
                  {{"class", "muted"}});
        const HtmlElement list(html, "ol", {{"class", "gallery"}});
        for (const std::uint32_t row : ranking.rows) {
            job.throwIfStopped();
            writeSample(html, audit, model, ranking, row);
        }
    }
}

namespace {

constexpr std::size_t kMaxHoles = 5;
constexpr std::size_t kMaxNamedClasses = 4; // named of one hole
/// Grouping compares all pairs of missed samples; of more, a report would wait for minutes.
constexpr std::size_t kMaxGrouped = 20'000;

/// Text such as "class 3 (80 %), class 5 (20 %)"; empty without labels.
std::string classesText(const CoverageHole& hole) {
    std::string text;
    for (std::size_t c = 0; c < std::min(hole.classes.size(), kMaxNamedClasses); ++c) {
        const auto& [name, count] = hole.classes[c];
        // A number alone would be ambiguous.
        const bool isNumber = name.find_first_not_of("0123456789") == std::string::npos;
        text += fmt::format("{}{}{} ({})", text.empty() ? "" : ", ", isNumber ? "class " : "", name,
                            percentText(static_cast<double>(count) / static_cast<double>(hole.rows.size())));
    }
    if (hole.classes.size() > kMaxNamedClasses)
        text += fmt::format(" and {} more", hole.classes.size() - kMaxNamedClasses);
    return text;
}

void writeExample(HtmlWriter& html, const AuditResult& audit, std::size_t model, std::uint32_t row) {
    const EmbeddingSet& real = *audit.real->set;
    const EmbeddingSet& synthetic = *audit.models[model]->set;
    const auto nearest = nearestSamples(audit, model, {SetId::Real, row}, Side::Synthetic, kNeighbors);
    const HtmlElement item(html, "li");
    html.open("div", {{"class", "pictures"}});
    drawSample(html, real, row, PictureSize::Large, "Real sample " + sampleName(real, row) + ", missed");
    html.open("div", {{"class", "nearest"}});
    for (const NeighborRelation& relation : nearest)
        drawSample(html, synthetic, relation.neighbor.row, PictureSize::Small,
                   "Synthetic sample " + sampleName(synthetic, relation.neighbor.row) + ", at distance " +
                       roundedText(relation.distance));
    html.close();
    html.close();
    const HtmlElement about(html, "p", {{"class", "about"}});
    html.leaf("strong", sampleName(real, row));
    if (!nearest.empty())
        html.leaf("span", " Nearest synthetic sample at " + roundedText(nearest.front().distance) + ".",
                  {{"class", "muted"}});
}

} // namespace

void writeHoles(HtmlWriter& html, const AuditResult& audit, std::size_t model, const JobContext& job) {
    const ModelAudit& audited = *audit.models[model];
    if (!audited.hasColumn("coverage_verdict"))
        return;
    const auto& verdicts = audited.column("coverage_verdict");
    const auto missed = static_cast<std::size_t>(std::ranges::count(verdicts, 1.0));
    if (missed < kSmallestHole || missed > kMaxGrouped)
        return;
    const CoverageHoles found = coverageHoles(audit, model, job.silent());
    if (found.holes.empty())
        return;
    const std::size_t all = audit.real->set->rows();
    const std::size_t shown = std::min(found.holes.size(), kMaxHoles);
    html.leaf("h3", "What does it not make?");
    html.leaf(
        "p",
        fmt::format("It misses {} of {} real samples, in {}{}. {} Each example stands beside its nearest "
                    "synthetic samples.",
                    countText(found.missed), countText(all),
                    found.holes.size() == 1 ? "one hole" : fmt::format("{} holes", found.holes.size()),
                    found.apart.empty() ? "" : fmt::format(" and {} apart from these", countText(found.apart.size())),
                    shown < found.holes.size() ? fmt::format("The {} largest are shown.", shown)
                                               : "The largest comes first."));
    for (std::size_t h = 0; h < shown; ++h) {
        job.throwIfStopped();
        const CoverageHole& hole = found.holes[h];
        const std::string classes = classesText(hole);
        const double share = static_cast<double>(hole.rows.size()) / static_cast<double>(all);
        html.leaf("p", fmt::format("Hole {}: {} ({} of all){}{}", h + 1, countText(hole.rows.size()) + " real samples",
                                   percentText(share), classes.empty() ? "" : ": ", classes));
        const HtmlElement list(html, "ol", {{"class", "gallery"}});
        for (const std::uint32_t row : hole.examples)
            writeExample(html, audit, model, row);
    }
}

namespace {

/// A column to rank by, and whether its largest values come first.
struct RankedBy {
    std::string_view column;
    bool largestFirst;
};

/// A ranking with its candidate columns: the most suitable first, the last one exists in every audit.
struct RankingKind {
    std::string_view id;
    std::string_view title;
    std::array<RankedBy, 2> by;
};

constexpr std::array<RankingKind, 3> kRankingKinds{
    {{"worst", "Worst samples", {{{"p_any", false}, {"pce", true}}}},
     {"memorised", "Most memorised samples", {{{"copy_ratio", false}, {"nearest_real_distance", false}}}},
     {"typical", "Most typical samples", {{{"typicality", false}, {"clipped_ball_count", true}}}}}};

/// Sort keys: the first sample has the smallest key.
std::vector<double> keysOf(const std::vector<double>& values, bool largestFirst) {
    return largestFirst ? metrics::mapped(values, std::negate()) : values;
}

std::vector<std::uint32_t> firstRows(const ModelAudit& model, const Column& column, bool largestFirst,
                                     std::size_t count) {
    const std::vector<double> keys = keysOf(model.column(column.id), largestFirst);
    std::vector<double> ties;
    if (!column.thenBy.empty() && model.hasColumn(column.thenBy)) // worst first: a column of Direction::Lower falls
        ties = keysOf(model.column(column.thenBy), findColumn(column.thenBy)->better == Direction::Lower);
    std::ranges::replace_if(
        ties, [](double tie) { return std::isnan(tie); }, std::numeric_limits<double>::infinity());
    std::vector<std::uint32_t> rows = rowsWhere(keys.size(), [&](std::size_t row) { return !std::isnan(keys[row]); });
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (keys[a] != keys[b])
            return keys[a] < keys[b];
        if (!ties.empty() && ties[a] != ties[b])
            return ties[a] < ties[b];
        return a < b;
    };
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(), before);
    rows.erase(end, rows.end());
    return rows;
}

} // namespace

std::vector<SampleRanking> sampleRankings(const ModelAudit& model, std::size_t count) {
    std::vector<SampleRanking> rankings;
    for (const RankingKind& kind : kRankingKinds) {
        const auto by = std::ranges::find_if(
            kind.by, [&](std::string_view column) { return model.hasColumn(column); }, &RankedBy::column);
        if (by == kind.by.end())
            continue;
        const Column* column = findColumn(by->column);
        rankings.push_back({kind.id, kind.title, column, firstRows(model, *column, by->largestFirst, count)});
    }
    return rankings;
}

} // namespace assay::report
