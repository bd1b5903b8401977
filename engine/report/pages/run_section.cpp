#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/model_runs.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {
namespace {

constexpr std::array<std::string_view, 4> kFollowed{"clipped_density", "clipped_coverage", "authenticity", "pce"};

void runTable(HtmlWriter& html, const AuditResult& audit, const ModelRun& run) {
    std::vector<TableColumn> columns{{run.parameter.empty() ? "Model" : run.parameter}};
    for (const std::string_view metric : kFollowed)
        columns.push_back({titleWithUnit(*findMetric(metric)), kRight});
    std::vector<std::vector<TableCell>> rows;
    for (const RunPoint& point : run.points) {
        const ModelAudit& model = *audit.models[point.model];
        rows.push_back(
            {run.parameter.empty() || point.text.empty() ? TableCell{model.name} : TableCell{point.text, model.name}});
        for (const std::string_view metric : kFollowed)
            rows.back().push_back({scoreText(model, *findMetric(metric)), intervalText(model, *findMetric(metric))});
    }
    writeTable(html,
               "Run " + run.prefix + "\xE2\x80\xA6" + run.suffix + ": scores with 95 % intervals, by " +
                   (run.hasWords            ? "stage"
                    : run.parameter.empty() ? "the number in the name"
                                            : run.parameter),
               columns, rows);
}

} // namespace

void writeRuns(HtmlWriter& html, const AuditResult& audit) {
    const std::vector<ModelRun> runs = modelRuns(audit);
    if (runs.empty())
        return;
    html.leaf("h3",
              runs.size() == 1 ? "Do the models of the run get better?" : "Do the models of the runs get better?");
    for (const ModelRun& run : runs)
        runTable(html, audit, run);
}

} // namespace assay::report
