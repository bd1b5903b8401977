#pragma once

#include "engine/base/job_context.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"

#include <vector>

namespace assay {

/// Completes the choices for an audit by what its tables hold: the columns that number the rows in any of them, and
/// those with missing values. Files that are no tables, or cannot be read, tell nothing: reading them reports why.
/// @param sets all sets of the audit
/// @throws Error{BadInput} for a column that is in none of the sets, and for oneHot where there is no table; Cancelled
PreparationChoice completedChoice(const PreparationChoice& choice, const std::vector<SetFiles>& sets,
                                  const JobContext& job);

} // namespace assay
