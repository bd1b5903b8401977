#pragma once

#include "engine/cli/interrupt.h"
#include "engine/cli/score_arguments.h"

namespace assay {

class Communicator;

/// Whether to run as one of several processes: a launcher started this one. Without MPI in this build one alone runs
/// as always.
bool isOneOfSeveral();

/// assay-score as one of the processes that a launcher started together: rank 0 audits and writes what a single process
/// would, the others help. A failure of one ends all. Without MPI in this build: refuses several.
/// @return exit code
int runAsOneOfSeveral(const ScoreArguments& arguments, const Interrupt& interrupt);

/// The same among processes that have joined each other, which may score several times one after the other. Only with
/// MPI in this build.
int scoreTogether(const Communicator& communicator, const ScoreArguments& arguments, const Interrupt& interrupt);

} // namespace assay
