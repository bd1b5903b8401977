#pragma once

#include <string>
#include <vector>

namespace assay {

/// Mean and covariance of a set whose samples are elsewhere: what benchmarks publish as reference.
struct SetStatistics {
    std::vector<double> mean;       ///< d values
    std::vector<double> covariance; ///< d x d, as numpy.cov(rowvar=False) gives it
    std::string file;               ///< as given
    std::string sha256;             ///< of the file of the mean
};

} // namespace assay
