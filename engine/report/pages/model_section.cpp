#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/base/number_text.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/charts.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/sample_picture.h"

#include <fmt/format.h>

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

} // namespace assay::report
