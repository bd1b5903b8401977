#pragma once

#include "engine/base/job_context.h"
#include "engine/data/set_statistics.h"

#include <optional>
#include <string>

namespace assay {

struct EmbeddingParts;
class InputFile;

/// Reads the statistics of a file: `mu` and `sigma` of an `.npz` (pytorch-fid, guided-diffusion), with FILE.npz:mu_s,
/// FILE.npz:s, FILE.npz:mu_clip and so on another pair of it, or NAME.mu.npy beside NAME.cov.npy (fadtk).
/// @param spec FILE, or FILE.npz:KEY
/// @return empty if the file does not exist, or holds no such pair
/// @throws Error{BadInput} if it holds a pair whose shapes do not fit, or a key that names none; Cancelled
std::optional<SetStatistics> readStatistics(const std::string& spec, const JobContext& job = {});

/// Whether a file holds statistics and no samples.
bool holdsOnlyStatistics(const std::string& spec, const JobContext& job = {});

/// Sets `parts.published` from `mu` and `sigma` of an .npz. Where they are of other values than the samples, or cannot
/// be read, a note says so.
/// @param parts as prepared
/// @throws Cancelled
void takePublished(EmbeddingParts& parts, const InputFile& input, const JobContext& job = {});

/// Writes `mu` and `sigma` as pytorch-fid reads them, atomically.
/// @throws Error{WriteFailed}, Cancelled
void writeStatistics(const SetStatistics& statistics, const std::string& file, const JobContext& job = {});

} // namespace assay
