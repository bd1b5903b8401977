#include "engine/cli/score_steps.h"
#include "engine/data/embedding_set.h"
#include "engine/store/decisions.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// The files and parameters of the audit, and where its decisions are.
std::string replayOf(const AuditResult& audit, const ScoreArguments& arguments) {
    std::string command = replayCommand(audit);
    if (!arguments.open.empty())
        command =
            "assay-score --open " + shellWord(arguments.open) + " --report report.html\n\n# or all anew:\n" + command;
    return command;
}

/// The rows of a model that were rejected by hand, ascending.
std::vector<std::uint32_t> rowsByHand(const Decisions& decisions, std::size_t model) {
    std::vector<std::uint32_t> rows;
    for (const SampleId sample : decisions.byHand.in(syntheticSet(model)))
        rows.push_back(sample.row);
    return rows;
}

} // namespace

ReportParts reportParts(const std::shared_ptr<const AuditResult>& audit, const ScoreArguments& arguments,
                        const JobContext& job) {
    ReportParts parts;
    if (arguments.report.empty())
        return parts;
    parts.replayCommand = replayOf(*audit, arguments);
    if (arguments.open.empty())
        return parts;
    const Decisions decisions = readDecisions(arguments.open, *audit);
    for (std::size_t m = 0; m < audit->models.size(); ++m) {
        const std::vector<std::uint32_t> byHand = rowsByHand(decisions, m);
        SampleFilter filter{{}, byHand};
        if (m == decisions.model) // the rules are about the model that was shown
            filter.rules = decisions.rules;
        if (filter.rules.empty() && filter.byHand.empty())
            continue;
        parts.decided.push_back(
            keptSamples(audit, m, filter, arguments.options, job.part(audit->models[m]->name, 0.0, 1.0)));
    }
    return parts;
}

} // namespace assay
