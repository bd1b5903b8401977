#pragma once

#include "engine/cli/score_arguments.h"
#include "engine/cli/signals.h"

namespace assay {

class Communicator;

// Information about the launcher (mpirun, srun) from environment variables, without MPI: connecting to other processes
// takes time, which a single process need not spend.

/// Whether a launcher started this process.
bool startedByLauncher();
/// Number of processes that the launcher started; 1 when unknown.
int startedProcesses();
/// Whether this process has a rank above 0.
bool isSecondaryRank();

/// Whether a launcher started this process together with others. In a build without MPI, a process that a launcher
/// started alone runs as usual.
bool isOneOfSeveral();

/// Runs assay-score as one of several processes that a launcher started. Rank 0 audits and writes the same output as a
/// single process; the other ranks compute their share. A failure of one rank ends all. A build without MPI refuses to
/// run as one of several.
/// @return exit code
int runAsOneOfSeveral(const ScoreArguments& arguments, const Interrupt& interrupt);

/// Scores among the processes of `communicator`; may be called several times in a row. Only in builds with MPI.
/// @return exit code
int scoreTogether(const Communicator& communicator, const ScoreArguments& arguments, const Interrupt& interrupt);

} // namespace assay
