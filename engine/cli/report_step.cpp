#include "engine/cli/score_steps.h"

#include "engine/data/embedding_set.h"

#include <utility>

namespace assay {

ReportParts reportParts(const AuditResult& audit, const ScoreArguments& arguments, std::vector<KeptAudit> kept) {
    ReportParts parts;
    if (arguments.report.empty())
        return parts;
    parts.replayCommand = replayCommand(audit, arguments.open);
    const Decisions decisions = decisionsFor(audit, arguments);
    for (std::size_t m = 0; m < kept.size(); ++m)
        if (const SampleFilter filter = filterOf(decisions, m); filter.decides())
            parts.decided.push_back(keptSamples(audit, m, filter, std::move(kept[m])));
    return parts;
}

} // namespace assay
