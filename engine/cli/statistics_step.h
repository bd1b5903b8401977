#pragma once

#include "engine/base/job_context.h"
#include "engine/cli/score_arguments.h"
#include "engine/data/embedding_set.h"

namespace assay {

/// Whether the real set of the command line is a file of mean and covariance, without samples.
bool isAgainstStatistics(const ScoreArguments& arguments, const JobContext& job);

/// Scores the models against a mean and covariance: Frechet distance, its value for infinitely many samples, and each
/// sample's share in it. Prints a table, and writes --json and --csv.
/// @return the exit code
/// @throws Error{BadInput} for arguments that need real samples, or when dimensions differ; as readSet(); Cancelled
int scoreAgainstStatistics(const ScoreArguments& arguments, const JobContext& job);

/// Writes mean and covariance of a real set (--statistics).
/// @throws Error{WriteFailed}, Cancelled
void writeStatisticsOf(const EmbeddingSet& real, const ScoreArguments& arguments, const JobContext& job);

} // namespace assay
