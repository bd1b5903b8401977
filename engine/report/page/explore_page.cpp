#include "engine/report/page/explore_page.h"

#include "engine/audit/result/audit_result.h"
#include "engine/report/page/page_data.h"
#include "engine/report/page/page_file.h"
#include "engine/report/page/page_resources.h"
#include "engine/report/page/page_samples.h"
#include "engine/report/pages/report.h"
#include "engine/report/parts/html_writer.h"
#include "engine/version.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <span>
#include <vector>

namespace assay {
namespace {

/// Source of a content security policy that allows exactly this text.
std::string hashSource(std::string_view text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
    return "'sha256-" + report::base64(std::as_bytes(std::span(hash))) + "'";
}

/// Everything before the data. The policy forbids any request and any script and style but those of the program.
std::string pageHead(const AuditResult& audit) {
    // Without an icon a browser asks the server for one.
    return fmt::format(R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Assay {}">
<link rel="icon" href="data:,">
<title>{}</title>
<style>{}</style></head>
<body>
{})",
                       hashSource(report::kPageScript), hashSource(report::kPageStyle), kVersion,
                       report::escapedHtml(reportTitle(audit)), report::kPageStyle, report::kPageMarkup);
}

} // namespace

void writeExplorePage(const AuditResult& audit, const PageOptions& options, const std::string& file,
                      const JobContext& job) {
    const std::vector<report::PageRows> rows = report::choosePageSamples(audit, options.samples);
    report::PageFile page(file);
    page.write(pageHead(audit));
    page.json("summary", report::pageSummary(audit, rows, job.part({}, 0.0, 0.1)));
    const JobContext writing = job.part("Writing the page", 0.1, 1.0);
    report::PageData data(page, audit, rows);
    for (std::size_t set = 0; set < rows.size(); ++set) {
        const JobContext step = writing.step(set, rows.size());
        data.writeSet(set, step);
        if (set > 0)
            data.writeModel(set - 1, options.plane, step);
    }
    page.write("<script>");
    page.write(report::kPageScript);
    page.write("</script>\n</body></html>\n");
    job.throwIfStopped();
    page.commit();
}

} // namespace assay
