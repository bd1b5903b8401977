#pragma once

#include "engine/base/job_context.h"

namespace assay {

struct ScoreArguments;

/// The arguments with files that only Python's libraries read replaced by what the Python of --python makes of them.
/// Says on standard error what it runs, unless quiet.
/// @throws Error{BadInput} without --python, saying what it would run; as convertedByPython()
ScoreArguments withPythonFiles(ScoreArguments arguments, const JobContext& job);

} // namespace assay
