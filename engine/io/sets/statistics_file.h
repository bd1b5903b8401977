#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/dense_product.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Mean and covariance of a set whose samples are elsewhere: what benchmarks publish as reference.
struct SetStatistics {
    std::vector<double> mean; ///< d values
    DoubleMatrix covariance;  ///< d x d, as numpy.cov(rowvar=False) gives it
    std::string file;         ///< as given
    std::string sha256;       ///< of the file of the mean
};

/// Reads the statistics of a file: `mu` and `sigma` of an `.npz` (pytorch-fid, guided-diffusion), with FILE.npz:mu_s,
/// FILE.npz:s, FILE.npz:mu_clip and so on another pair of it, or NAME.mu.npy beside NAME.cov.npy (fadtk).
/// @param spec FILE, or FILE.npz:KEY
/// @return empty if the file does not exist, or holds no such pair
/// @throws Error{BadInput} if it holds a pair whose shapes do not fit, or a key that names none; Cancelled
std::optional<SetStatistics> readStatistics(const std::string& spec, const JobContext& job = {});

/// Whether a file holds statistics and no samples.
bool holdsOnlyStatistics(const std::string& spec, const JobContext& job = {});

/// Writes `mu` and `sigma` as pytorch-fid reads them, atomically.
/// @throws Error{WriteFailed}, Cancelled
void writeStatistics(const SetStatistics& statistics, const std::string& file, const JobContext& job = {});

} // namespace assay
