#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/base/number_text.h"
#include "engine/external/external_scores.h"
#include "engine/report/pages/report.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

using report::Audited;

/// Text of unknown origin as one line of Markdown that is displayed literally: it cannot become a link, a table cell or
/// HTML.
std::string escapedMarkdown(std::string_view bytes) {
    constexpr std::string_view kMeaning = "\\`*_{}[]()<>#+-!|~&";
    std::string markdown;
    const std::string text = report::plainText(bytes);
    for (std::size_t at = 0; at < text.size(); ++at) {
        // These characters have a meaning only at the beginning of a line; elsewhere they stay as they are, for
        // readability.
        const bool harmless = at > 0 && (text[at] == '-' || text[at] == '+' || text[at] == '(' || text[at] == ')' ||
                                         text[at] == '!' || text[at] == '#');
        if (kMeaning.find(text[at]) != std::string_view::npos && !harmless)
            markdown += '\\';
        markdown += text[at];
    }
    return markdown;
}

/// Inline code, enclosed in as many backticks as necessary.
std::string markdownCode(std::string_view bytes) {
    std::string text = report::plainText(bytes);
    std::size_t longest = 0;
    std::size_t run = 0;
    for (char& c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
        if (c == '|') // ends a table cell even inside code
            c = '/';
    }
    const std::string fence(longest + 1, '`');
    const std::string pad = longest > 0 ? " " : "";
    return fence + pad + text + pad + fence;
}

void addTableRow(std::string& text, const std::vector<std::string>& cells) {
    text += '|';
    for (const std::string& cell : cells)
        text.append(" ").append(cell).append(" |");
    text += '\n';
}

/// Adds the heading row, and the line that aligns all columns but the first to the right.
void beginTable(std::string& text, const std::vector<std::string>& headings) {
    addTableRow(text, headings);
    text += "|---|";
    for (std::size_t c = 1; c < headings.size(); ++c)
        text += "---:|";
    text += '\n';
}

void addVerdicts(std::string& text, const AuditResult& audit) {
    for (const auto& model : audit.models) {
        text += fmt::format("- **{}**{}: {} {}\n", escapedMarkdown(model->name), isMarked(*model) ? " (!)" : "",
                            escapedMarkdown(model->summary), escapedMarkdown(report::headlineSentence(*model)));
    }
    text += "\nFidelity is clipped density, coverage is clipped coverage. Ranges are 95 % intervals.\n";
}

void addScores(std::string& text, const AuditResult& audit) {
    const std::vector<Audited> sets = report::auditedSets(audit);
    std::vector<std::string> cells{"Score"};
    for (const Audited& audited : sets)
        cells.push_back(escapedMarkdown(audited.name()));
    text += "\n### Scores\n\n";
    beginTable(text, cells);
    for (const Metric* metric : report::shownMetrics(audit)) {
        cells = {escapedMarkdown(report::titleWithUnit(*metric))};
        for (const Audited& audited : sets) {
            cells.push_back(report::scoreText(*audited.model, *metric));
            if (const std::string interval = report::intervalText(*audited.model, *metric); !interval.empty())
                cells.back() += " (" + interval + ")";
        }
        addTableRow(text, cells);
    }
}

void addFindings(std::string& text, const AuditResult& audit) {
    text += "\n### Findings\n";
    for (const auto& model : audit.models) {
        text.append("\n**").append(escapedMarkdown(model->name)).append("**\n\n");
        if (model->findings.empty())
            text += "- No fault was found.\n";
        for (const Finding& finding : model->findings) {
            text.append("- ").append(finding.marksModel ? "(!) " : "").append(escapedMarkdown(finding.sentence));
            if (const std::string interval = report::findingIntervalText(finding); !interval.empty())
                text += " 95 % interval " + interval + ".";
            if (const std::string examples = report::examplesText(audit, *model, finding); !examples.empty())
                text.append(" Examples: ").append(escapedMarkdown(examples)).append(".");
            text += '\n';
        }
    }
}

void addUseful(std::string& text, const AuditResult& audit) {
    text += "\n### Useful and private\n\n";
    for (const auto& model : audit.models)
        text += fmt::format("- **{}**: {} {}\n", escapedMarkdown(model->name), escapedMarkdown(usefulSentence(*model)),
                            escapedMarkdown(privateSentence(audit, *model)));
}

void addExternal(std::string& text, const AuditResult& audit, const ExternalScores& scores) {
    text += "\n### Other scores of the models\n\n";
    const std::vector<Agreement> all = agreements(audit, scores);
    for (std::size_t column = 0; column < scores.columns.size(); ++column)
        text.append("- ").append(escapedMarkdown(agreementSentence(all, scores, column))).append("\n");
}

void addDecided(std::string& text, const AuditResult& audit, const KeptSamples& decided) {
    const ModelAudit& model = *audit.models[decided.model];
    text.append("\n### What was rejected of ").append(escapedMarkdown(model.name)).append("\n\n");
    for (const RuleEffect& rule : decided.rules)
        text += fmt::format("- {} (rejects {} by itself)\n", escapedMarkdown(rule.text), rule.rejected);
    text += fmt::format("- {} samples kept, {} rejected, of these {} by hand\n", decided.left.keptCount,
                        decided.left.rejectedCount, decided.rejectedByHand);
    if (!decided.left.kept || !decided.left.random)
        return;
    text += '\n';
    beginTable(text, {"Score", "All", "Kept", "As many at random"});
    for (const Metric* metric : report::keptMetrics(model))
        addTableRow(text,
                    {escapedMarkdown(report::titleWithUnit(*metric)), report::scoreText(model, *metric),
                     report::scoreText(*decided.left.kept, *metric), report::scoreText(*decided.left.random, *metric)});
}

void addProvenance(std::string& text, const AuditResult& audit, const std::string& command) {
    text += "\n### Parameters and inputs\n\n";
    for (const auto& [name, value] : report::parameterFacts(audit))
        text.append("- ").append(escapedMarkdown(name)).append(": ").append(escapedMarkdown(value)).append("\n");
    text += '\n';
    beginTable(text, {"Set", "File", "Samples", "Dimensions", "SHA-256"});
    for (const report::InputFact& input : report::inputFacts(audit))
        addTableRow(text, {escapedMarkdown(input.role), escapedMarkdown(input.file), std::to_string(input.rows),
                           std::to_string(input.dimensions), markdownCode(input.sha256)});
    // An indented code block cannot be ended by its content.
    text += "\nMade again by\n\n";
    std::istringstream lines(command);
    for (std::string line; std::getline(lines, line);)
        text.append("    ").append(report::plainText(line)).append("\n");
}

} // namespace

std::string markdownReport(const AuditResult& audit, const ReportParts& parts, const JobContext& job) {
    std::string text = "## Evaluation with Assay\n\n";
    text += std::to_string(audit.real->set->rows()) + " real samples of " +
            counted(audit.real->set->dim(), "dimension", "dimensions") + ".\n\n";
    addVerdicts(text, audit);
    job.throwIfStopped();
    addScores(text, audit);
    addFindings(text, audit);
    addUseful(text, audit);
    if (!parts.external.empty())
        addExternal(text, audit, parts.external);
    for (const KeptSamples& decided : parts.decided)
        addDecided(text, audit, decided);
    addProvenance(text, audit, parts.replayCommand.empty() ? replayCommand(audit) : parts.replayCommand);
    return text;
}

} // namespace assay
