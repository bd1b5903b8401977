#include "engine/cli/sample_scores_step.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/cli/score_arguments.h"
#include "engine/cli/score_steps.h"
#include "engine/external/sample_table.h"
#include "engine/store/decisions.h"

#include <algorithm>

namespace assay {
namespace {

NamedSets setsOf(const AuditRequest& request) {
    NamedSets named;
    named.sets.push_back({request.real->name(), request.real.get()});
    for (const AuditModel& model : request.models)
        named.sets.push_back({model.name, model.set.get()});
    return named;
}

/// Checked before the audit runs, because a later error would lose its scores.
void requireColumns(const FilterRules& rules, const SampleScores& scores) {
    for (const FilterRule& rule : rules.list) {
        const bool isKnown = std::ranges::any_of(scores.parts, [&](const SampleScores::Part& part) {
            return !isReal(part.set) && externalId(part.name, Side::Synthetic) == rule.column;
        });
        if (!isExternal(rule.column) || isKnown)
            continue;
        std::string found;
        for (const SampleScores::Part& part : scores.parts)
            if (const std::string id = externalId(part.name, isReal(part.set) ? Side::Real : Side::Synthetic);
                found.find(id) == std::string::npos)
                found += (found.empty() ? "" : ", ") + id;
        throw Error(ErrorKind::BadInput, "--rules: expected a column '" + rule.column + "' in --sample-scores, found " +
                                             (found.empty() ? "none" : found));
    }
}

} // namespace

std::shared_ptr<const SampleScores> sampleScoresFor(const ScoreArguments& arguments, const AuditRequest& request,
                                                    const AuditResult* opened, const JobContext& job) {
    SampleScores scores = opened ? readDecisions(arguments.open, *opened).sampleScores : SampleScores{};
    if (!arguments.sampleScores.empty()) {
        const NamedSets sets = opened ? NamedSets::of(*opened) : setsOf(request);
        std::vector<std::string> notes;
        for (const std::string& file : arguments.sampleScores)
            scores.add(readSampleTable(file, sets, job, &notes));
        if (!arguments.quiet)
            printNotes(notes);
    }
    if (arguments.rules)
        requireColumns(*arguments.rules, scores);
    return scores.empty() ? nullptr : std::make_shared<const SampleScores>(std::move(scores));
}

} // namespace assay
