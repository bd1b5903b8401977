#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/base/number_text.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/report/pages/sample_ranking.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/sample_picture.h"
#include "engine/report/scores/explain.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::report {
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

} // namespace assay::report
