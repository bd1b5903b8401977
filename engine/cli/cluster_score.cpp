#include "engine/cli/cluster_score.h"

#include "engine/io/files/text_encoding.h"

#include <algorithm>
#include <cstdlib>

namespace assay {
namespace {

/// Number in an environment variable, or -1. Call it before any other thread starts.
int numberIn(const char* variable) {
    const char* text = std::getenv(variable); // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? -1 : std::atoi(text);
}

int startedRank() {
    return std::max({numberIn("OMPI_COMM_WORLD_RANK"), numberIn("PMIX_RANK"), numberIn("PMI_RANK")});
}

} // namespace

bool startedByLauncher() {
    return startedRank() >= 0;
}

int startedProcesses() {
    return std::max({1, numberIn("OMPI_COMM_WORLD_SIZE"), numberIn("PMI_SIZE"), startedRank() + 1});
}

bool isSecondaryRank() {
    return startedRank() > 0;
}

} // namespace assay

#ifdef ASSAY_HAVE_MPI

#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/score_steps.h"
#include "engine/cluster/cluster_audit.h"
#include "engine/cluster/communicator.h"

#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>

namespace assay {
namespace {

class ClusterScore {
public:
    ClusterScore(const Communicator& communicator, const ScoreArguments& arguments, const Interrupt& interrupt)
        : communicator_(communicator), arguments_(withThreads(arguments, communicator)), interrupt_(interrupt),
          audit_(communicator_, arguments_.options.threads),
          bar_(isFirst() && !arguments.quiet && isatty(STDERR_FILENO) == 1),
          lines_(isFirst() && !arguments.quiet && isatty(STDERR_FILENO) == 0),
          // The MPI library transfers a long message only while it is called from time to time.
          job_(interrupt.token(), [this](const Progress& progress) {
              communicator_.progressMessages();
              bar_.show(progress);
              lines_.show(progress);
          }) {}

    int run() {
        AuditRequest request;
        const JobOutcome own = outcomeOf(interrupt_, [&] {
            request = loadShare();
            return 0;
        });
        JobOutcome together;
        const JobOutcome agreeing = outcomeOf(interrupt_, [&] {
            together = audit_.agree(own, setsOf(request), job_);
            return 0;
        });
        if (agreeing.exitCode != 0)
            endAll(agreeing);
        if (together.exitCode != 0)
            return printOutcome(together, bar_);
        return isFirst() ? lead(request) : follow();
    }

private:
    static ScoreArguments withThreads(ScoreArguments arguments, const Communicator& communicator) {
        arguments.options.threads = communicator.threads(arguments.options.threads);
        return arguments;
    }

    bool isFirst() const { return communicator_.rank() == 0; }

    AuditRequest loadShare() {
        if (arguments_.wantCurves())
            throw Error(ErrorKind::InvalidArgument,
                        "curves over subsets (--bad-fraction, --sample-size, --discard): expected one process, found " +
                            std::to_string(communicator_.ranks()));
        if (isFirst())
            checkOutputs(arguments_);
        if (!arguments_.compat.empty())
            throw Error(ErrorKind::InvalidArgument,
                        "--compat: expected one process, found " + std::to_string(communicator_.ranks()));
        if (!arguments_.sampleScores.empty())
            throw Error(ErrorKind::InvalidArgument,
                        "--sample-scores: expected one process, found " + std::to_string(communicator_.ranks()));
        AuditRequest request = load(arguments_, {communicator_.rank(), communicator_.ranks()},
                                    job_.part({}, 0.0, loadingShare(arguments_)));
        for (const auto& set : setsOf(request))
            if (set->rows() < communicator_.ranks())
                throw Error(ErrorKind::InvalidArgument, set->source().file +
                                                            ": expected at least one row for each of " +
                                                            std::to_string(communicator_.ranks()) +
                                                            " processes, found " + std::to_string(set->rows()));
        return request;
    }

    static ClusterAudit::Sets setsOf(const AuditRequest& request) {
        ClusterAudit::Sets sets;
        if (request.real)
            sets.push_back(request.real);
        for (const AuditModel& model : request.models)
            sets.push_back(model.set);
        if (request.heldOut)
            sets.push_back(request.heldOut);
        return sets;
    }

    /// When every set has at most this many rows, rank 0 also computes the scores that need all rows. Their cost grows
    /// with the square of the number of rows and is not shared among ranks.
    static constexpr std::size_t kSmallRows = 200'000;

    static bool isSmall(const AuditRequest& request) {
        const ClusterAudit::Sets sets = setsOf(request);
        return std::all_of(sets.begin(), sets.end(), [](const auto& set) { return set->rows() <= kSmallRows; });
    }

    AuditRequest loadWhole(const JobContext& job) {
        AuditRequest whole = load(arguments_, {}, job);
        audit_.setWholeSets(setsOf(whole));
        return whole;
    }

    int lead(AuditRequest& request) {
        const JobOutcome outcome = outcomeOf(interrupt_, [&] {
            if (!arguments_.quiet)
                notes(request);
            const double loaded = loadingShare(arguments_);
            const double held = loaded + 0.05 * (1.0 - loaded);
            if (isSmall(request))
                request = loadWhole(job_.part({}, loaded, held));
            request.options.search = audit_.search();
            const auto audit = runAudit(request, job_.part({}, held, 1.0));
            bar_.wipe();
            writeOutputs(*audit, arguments_);
            return exitCodeOfRequirements(*audit, arguments_, {});
        });
        if (!audit_.othersWait() || interrupt_.token().stop_requested())
            endAll(outcome);
        audit_.dismiss(outcome.exitCode, {});
        return printOutcome(outcome, bar_);
    }

    int follow() {
        const JobOutcome outcome = outcomeOf(interrupt_, [&] { return audit_.serve(job_); });
        if (!outcome.message.empty())
            endAll(outcome);
        return outcome.exitCode;
    }

    void notes(const AuditRequest& request) {
        bar_.wipe();
        printNotes(request);
        const BackendChoice backend = arguments_.options.backend;
        if (backend != BackendChoice::Auto && backend != BackendChoice::Gemm)
            printMessage("assay-score: note", "several processes search by matrix products; --backend " +
                                                  backendName(backend) + " is not used");
    }

    /// Ends all processes. Other ranks may be anywhere in their work, so they cannot be asked to end.
    [[noreturn]] void endAll(const JobOutcome& outcome) {
        // With SIGTERM the launcher already ends all processes, and rank 0 prints the message; an additional abort
        // takes seconds.
        if (interrupt_.token().stop_requested() && outcome.exitCode == 128 + SIGTERM) {
            if (isFirst())
                printOutcome({outcome.exitCode, "ended by the launcher"}, bar_);
            std::_Exit(outcome.exitCode);
        }
        printOutcome({outcome.exitCode, communicator_.description() + ": " + outcome.message}, bar_);
        communicator_.abort(outcome.exitCode);
    }

    const Communicator& communicator_;
    const ScoreArguments arguments_; ///< with this process's share of the threads
    const Interrupt& interrupt_;
    ClusterAudit audit_;
    ProgressBar bar_;
    ProgressLines lines_;
    JobContext job_;
};

} // namespace

bool isOneOfSeveral() {
    return startedByLauncher();
}

int runAsOneOfSeveral(const ScoreArguments& arguments, const Interrupt& interrupt) {
    std::optional<Communicator> communicator;
    const JobOutcome started = outcomeOf(interrupt, [&] {
        communicator.emplace();
        return 0;
    });
    if (communicator)
        return scoreTogether(*communicator, arguments, interrupt);
    ProgressBar bar(false);
    return isSecondaryRank() ? started.exitCode : printOutcome(started, bar);
}

int scoreTogether(const Communicator& communicator, const ScoreArguments& arguments, const Interrupt& interrupt) {
    return ClusterScore(communicator, arguments, interrupt).run();
}

} // namespace assay

#else

namespace assay {

bool isOneOfSeveral() {
    return startedProcesses() > 1;
}

int runAsOneOfSeveral(const ScoreArguments&, const Interrupt&) {
    constexpr int kUsageExit = 2;
    printMessage("assay-score", "expected to be started alone, found that a launcher started several processes: this "
                                "program was built without MPI");
    return kUsageExit;
}

} // namespace assay

#endif
