#pragma once

namespace assay {

// What the environment says about the launcher (mpirun, srun) that started this process, without MPI: joining the other
// processes takes time that a process alone has no use for.

/// Whether a launcher started this process.
bool startedByLauncher();
/// How many processes it started; 1 when that is unknown.
int startedProcesses();
/// Whether this process is not the first of them.
bool startedAsAnother();

} // namespace assay
