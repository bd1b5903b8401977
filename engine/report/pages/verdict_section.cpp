#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"

#include <string>

namespace assay::report {
namespace {

/// Text with the intervals of the findings that decide the verdict, and the headline scores.
std::string uncertaintyOf(const ModelAudit& model) {
    std::string text;
    for (const Finding& finding : model.findings)
        if (const std::string interval = findingIntervalText(finding); finding.marksModel && !interval.empty())
            text += (text.empty() ? "" : "; ") + std::string(finding.kind->title) + ": " + findingValueText(finding) +
                    " (" + interval + ")";
    return text.empty() ? std::string() : text + ".";
}

} // namespace

void writeVerdicts(HtmlWriter& html, const AuditResult& audit) {
    const HtmlElement section(html, "section", {{"aria-labelledby", "verdicts"}});
    html.leaf("h2", "What is wrong with each model?", {{"id", "verdicts"}});
    html.open("ol", {{"class", "verdicts"}});
    for (const Audited& audited : auditedSets(audit)) {
        if (audited.number == 0)
            continue;
        const ModelAudit& model = *audited.model;
        const HtmlElement item(html, "li", {{"class", isMarked(model) ? "marked" : "unmarked"}});
        html.open("p");
        html.text(std::to_string(audited.number) + " ");
        html.open("strong");
        html.leaf("a", model.name, {{"href", "#model-" + std::to_string(audited.number)}});
        html.close();
        if (isMarked(model))
            html.leaf("span", " (!) serious fault", {{"class", "mark-text"}});
        html.close();
        html.leaf("p", model.summary, {{"class", "sentence"}});
        if (const std::string text = uncertaintyOf(model); !text.empty())
            html.leaf("p", text);
        html.leaf("p", headlineSentence(model), {{"class", "muted"}});
    }
    html.close();
    html.leaf("p",
              "Fidelity is clipped density and coverage is clipped coverage: a set of which half is good has 50 %. "
              "Ranges are 95 % intervals. Of the samples called bad, at most " +
                  percentText(audit.falseDiscoveryRate) + " should be good ones.",
              {{"class", "muted"}});
}

} // namespace assay::report
