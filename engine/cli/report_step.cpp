#include "engine/cli/score_steps.h"

#include "engine/data/embedding_set.h"

#include <utility>

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

} // namespace

ReportParts reportParts(const AuditResult& audit, const ScoreArguments& arguments, std::vector<KeptAudit> kept) {
    ReportParts parts;
    if (arguments.report.empty())
        return parts;
    parts.replayCommand = replayOf(audit, arguments);
    const Decisions decisions = decisionsFor(audit, arguments);
    for (std::size_t m = 0; m < kept.size(); ++m)
        if (const SampleFilter filter = filterOf(decisions, m); filter.decides())
            parts.decided.push_back(keptSamples(audit, m, filter, std::move(kept[m])));
    return parts;
}

} // namespace assay
