#pragma once

#include <cstddef>
#include <map>

namespace assay {

/// A number of samples, with its standard error if the samples are drawn anew.
struct CountEstimate {
    double value = 0.0;
    double error = 0.0;
};

/// How varied some of the samples of a set are.
struct Variety {
    CountEstimate different; ///< number of different samples
    CountEstimate single;    ///< number of samples that equal no other
};

/// The expected variety of samples drawn without replacement from a set, so that sets of different sizes can be
/// compared at the size of the smaller one (rarefaction: Hurlbert, Ecology 1971). Errors are those of the jackknife
/// (Efron and Stein, Annals of Statistics 1981), which are upper bounds on average. O(different sizes).
/// @param groups number of groups of equal samples by their size, a sample without an equal one being a group of 1
/// @param drawn at most the number of samples, at least 1
Variety varietyOf(const std::map<std::size_t, std::size_t>& groups, std::size_t drawn);

} // namespace assay
