#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/base/number_text.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/sample_picture.h"
#include "engine/report/scores/explain.h"
#include "engine/subsets/holes/coverage_holes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace assay::report {
namespace {

constexpr std::size_t kMaxHoles = 5;
constexpr std::size_t kMaxClasses = 4; // named of one hole
constexpr std::size_t kNeighbors = 3;
/// Grouping compares all pairs of missed samples; of more, a report would wait for minutes.
constexpr std::size_t kMaxGrouped = 20'000;

/// Text such as "class 3 (80 %), class 5 (20 %)"; empty without labels.
std::string classesText(const CoverageHole& hole) {
    std::string text;
    for (std::size_t c = 0; c < std::min(hole.classes.size(), kMaxClasses); ++c) {
        const auto& [name, count] = hole.classes[c];
        // A number alone would be ambiguous.
        const bool isNumber = name.find_first_not_of("0123456789") == std::string::npos;
        text += fmt::format("{}{}{} ({})", text.empty() ? "" : ", ", isNumber ? "class " : "", name,
                            percentText(static_cast<double>(count) / static_cast<double>(hole.rows.size())));
    }
    if (hole.classes.size() > kMaxClasses)
        text += fmt::format(" and {} more", hole.classes.size() - kMaxClasses);
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

} // namespace assay::report
