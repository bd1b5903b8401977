// assay-score: audits without a display, for scripts and clusters.
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/sample_scores.h"
#include "engine/audit/run/audit.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/job_context.h"
#include "engine/cli/cluster_score.h"
#include "engine/cli/export_step.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/score_arguments.h"
#include "engine/cli/score_steps.h"
#include "engine/cli/signals.h"
#include "engine/cli/statistics_step.h"
#include "engine/data/embedding_set.h"
#include "engine/external/sample_table.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/store/decisions.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>

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

/// The sample scores of the opened audit file (null: there is none) and of --sample-scores, for the sets of the request
/// or of the opened audit. Null for none.
/// @throws Error{BadInput} as readSampleTable(), and for rules on external columns that are in none of the tables
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

/// Prints each model's first scores as soon as the neighbour passes are done, for a user who waits for the rest.
auto printPartialScores(ProgressBar& bar) {
    return [&bar, printed = std::size_t{0}](const std::shared_ptr<const AuditResult>& audit) mutable {
        for (; printed < audit->models.size(); ++printed) {
            const ModelAudit& model = *audit->models[printed];
            bar.wipe();
            printMessage(printable(model.name) + ", so far", model.summary);
        }
    };
}

int run(const ScoreArguments& arguments, const Interrupt& interrupt) {
    const bool isWatched = !arguments.quiet && isatty(STDERR_FILENO) == 1;
    ProgressBar bar(isWatched);
    const JobOutcome outcome = outcomeOf(interrupt, [&] {
        checkOutputs(arguments);
        const JobContext job(interrupt.token(), [&bar](const Progress& progress) { bar.show(progress); });
        if (!arguments.replay.empty())
            return replay(arguments, bar, job);
        if (isAgainstStatistics(arguments, job))
            return scoreAgainstStatistics(arguments, job);
        const double loaded = loadingShare(arguments);
        const JobContext loading = job.part({}, 0.0, loaded);
        const bool opening = !arguments.open.empty();
        std::optional<OpenedFile> opened; // that is to be written again
        std::error_code ignored;
        if (opening && std::filesystem::equivalent(arguments.open, arguments.out, ignored))
            opened.emplace(arguments.open);
        AuditRequest request = opening ? AuditRequest{} : load(arguments, {}, loading);
        auto audit = opening ? openAudit(arguments, loading) : nullptr;
        const EmbeddingSet& real = opening ? *audit->real->set : *request.real;
        if (!arguments.statistics.empty())
            writeStatisticsOf(real, arguments, job);
        const CurveRequest curves = loadCurves(arguments, real, job.part({}, loaded, loaded));
        const auto sampleScores = sampleScoresFor(arguments, request, audit.get(), job.part({}, loaded, loaded));
        if (!arguments.quiet && !opening) {
            bar.wipe();
            printNotes(request);
        }
        const bool more = !curves.empty() || !arguments.compat.empty() || arguments.rules;
        const double audited = more ? loaded + 0.3 * (1.0 - loaded) : 1.0;
        const double compared = audited + (curves.empty() ? 0.4 : 0.1) * (1.0 - audited);
        const double drawn = arguments.rules ? 0.8 : 1.0;
        if (isWatched)
            request.partial = printPartialScores(bar);
        if (!opening)
            audit = runAudit(request, job.part({}, loaded, audited));
        audit = withSampleScores(audit, sampleScores);
        const auto compat = compatOf(*audit, arguments, job.part(arguments.compat, audited, compared));
        if (!curves.empty())
            audit = withCurves(audit, curves, arguments.options, job.part({}, compared, drawn));
        const std::vector<KeptAudit> kept = keptOf(*audit, arguments, job.part({}, drawn, 1.0));
        const std::string exported = writeExports(*audit, arguments, job.part({}, 1.0, 1.0));
        bar.wipe();
        if (!arguments.quiet && arguments.json != "-" && !exported.empty())
            printText(exported);
        if (opened)
            opened->lock();
        writeOutputs(*audit, arguments, compat, kept, job.silent());
        return exitCodeOfRequirements(*audit, arguments, kept);
    });
    return printOutcome(outcome, bar);
}

} // namespace

} // namespace assay

int main(int argc, char** argv) {
    // Among several processes, only the first reports errors of the command line. The others end with success: a
    // launcher ends all processes once one has failed, perhaps before the first one has printed its message.
    const bool isAnother = assay::isSecondaryRank();
    if (isAnother) {
        std::cout.setstate(std::ios::failbit);
        std::cerr.setstate(std::ios::failbit);
    }
    int exitCode = 0;
    const auto arguments = assay::parseScoreArguments(argc, argv, exitCode);
    if (!arguments)
        return isAnother ? 0 : exitCode;
    assay::exitOnLostInput();
    assay::ignoreBrokenPipes();
    assay::ignoreFileSizeSignal();
    const assay::Interrupt interrupt;
    return assay::isOneOfSeveral() ? assay::runAsOneOfSeveral(*arguments, interrupt)
                                   : assay::run(*arguments, interrupt);
}
