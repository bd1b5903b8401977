#include "engine/report/pages/report.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/io/tables/table_header.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/parts/report_style.h"
#include "engine/version.h"

#include <filesystem>

namespace assay {
namespace {

using report::HtmlElement;
using report::HtmlWriter;

void writeHead(HtmlWriter& html, const std::string& title) {
    html.raw("<!DOCTYPE html>\n");
    html.open("html", {{"lang", "en"}});
    const HtmlElement head(html, "head");
    html.empty("meta", {{"charset", "utf-8"}});
    // The browser enforces this policy: the page can load nothing from elsewhere, whatever its content.
    html.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                        {"content", "default-src 'none'; img-src data:; style-src 'unsafe-inline'"}});
    html.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    html.empty("meta", {{"name", "generator"}, {"content", std::string("Assay ") + kVersion}});
    html.empty("link", {{"rel", "icon"}, {"href", "data:,"}}); // else a browser asks the server for one
    html.leaf("title", title);
    html.raw("\n<style>");
    html.raw(report::reportStyle());
    html.raw("</style>\n");
}

void writeNavigation(HtmlWriter& html, const AuditResult& audit, const ReportParts& parts) {
    const HtmlElement navigation(html, "nav", {{"aria-label", "Contents"}});
    const HtmlElement list(html, "ul");
    const auto entry = [&](const std::string& anchor, const std::string& title) {
        const HtmlElement item(html, "li");
        html.leaf("a", title, {{"href", "#" + anchor}});
    };
    entry("verdicts", "Verdicts");
    entry("comparison", "Comparison");
    if (!parts.external.empty())
        entry("external", "Other scores");
    for (std::size_t m = 0; m < audit.models.size(); ++m)
        entry("model-" + std::to_string(m + 1), audit.models[m]->name);
    entry("methods", "Methods");
    entry("provenance", "Parameters and inputs");
    if (parts.appendix == Appendix::Written)
        for (std::size_t m = 0; m < audit.models.size(); ++m)
            entry("appendix-" + std::to_string(m + 1), "Appendix: " + audit.models[m]->name);
}

std::string setsSentence(const AuditResult& audit) {
    const EmbeddingSet& real = *audit.real->set;
    std::string text = std::to_string(real.rows()) + " real samples of " +
                       counted(real.dim(), "dimension", "dimensions") + "; k = " + std::to_string(audit.k);
    if (audit.heldOut)
        text += "; with a held-out real set";
    return text + ". Made by Assay " + kVersion + ".";
}

std::string extensionOf(const std::string& file) {
    return lowerCase(std::filesystem::path(file).extension().string());
}

} // namespace

std::string reportTitle(const AuditResult& audit) {
    const EmbeddingSet& real = *audit.real->set;
    const std::string file = real.source().file.empty() ? "the built-in demo"
                                                        : std::filesystem::path(real.source().file).filename().string();
    return "Audit of " + counted(audit.models.size(), "generative model", "generative models") + " against " + file;
}

std::string htmlReport(const AuditResult& audit, const ReportParts& parts, const JobContext& job) {
    HtmlWriter html;
    const std::string title = reportTitle(audit);
    writeHead(html, title);
    html.open("body");
    html.leaf("a", "Skip to the verdicts", {{"class", "skip"}, {"href", "#main"}});
    html.open("header");
    html.leaf("h1", title);
    html.leaf("p", setsSentence(audit), {{"class", "muted"}});
    html.close();
    writeNavigation(html, audit, parts);
    html.open("main", {{"id", "main"}});
    report::writeVerdicts(html, audit);
    report::writeComparison(html, audit);
    if (!parts.external.empty())
        report::writeExternal(html, audit, parts.external);
    for (std::size_t m = 0; m < audit.models.size(); ++m)
        report::writeModel(html, audit, m, findBy(parts.decided, &KeptSamples::model, m));
    report::writeMethods(html, audit, parts.appendix);
    report::writeProvenance(html, audit, parts.replayCommand.empty() ? replayCommand(audit) : parts.replayCommand);
    for (std::size_t m = 0; m < audit.models.size() && parts.appendix == Appendix::Written; ++m)
        report::writeAppendix(html, audit, m, job);
    job.throwIfStopped();
    html.close();
    html.close();
    html.close();
    return html.html();
}

void requireReportFile(const std::string& file) {
    const std::string extension = extensionOf(file);
    if (extension != ".html" && extension != ".htm" && extension != ".md")
        throw Error(ErrorKind::InvalidArgument, file +
                                                    ": expected a report's name, which ends with .html, .htm or .md, " +
                                                    "found " + (extension.empty() ? "no extension" : extension));
}

std::string reportText(const AuditResult& audit, const ReportParts& parts, const std::string& file,
                       const JobContext& job) {
    requireReportFile(file);
    return extensionOf(file) == ".md" ? markdownReport(audit, parts, job) : htmlReport(audit, parts, job);
}

void writeReport(const AuditResult& audit, const ReportParts& parts, const std::string& file, const JobContext& job) {
    writeFileAtomically(file, reportText(audit, parts, file, job));
}

} // namespace assay
