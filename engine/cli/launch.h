#pragma once

namespace assay {

// Information about the launcher (mpirun, srun) from environment variables, without MPI: connecting to other processes
// takes time, which a single process need not spend.

/// Whether a launcher started this process.
bool startedByLauncher();
/// Number of processes that the launcher started; 1 when unknown.
int startedProcesses();
/// Whether this process has a rank above 0.
bool isSecondaryRank();

} // namespace assay
