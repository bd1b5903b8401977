#pragma once

#include "tests/support/matrices.h"

#include <string>
#include <vector>

namespace assay::test {

/// Answers to questions as 0-1 columns. Answers are the rarer the later, and neighbouring questions often agree.
Matrix oneHot(std::size_t rows, std::size_t questions, std::size_t answers, unsigned seed);
/// Columns that are 1 with this probability, else 0.
Matrix flags(std::size_t rows, std::size_t columns, float share, unsigned seed);

/// A real set and a model whose distances tie, and what has to be said of the model.
struct TiedCase {
    std::string name;
    Matrix real, model;
    std::string summary;              ///< the summary holds this
    std::vector<std::string> finding; ///< ids of findings that have to be there
    double rejected;                  ///< share of samples rejected, to 1 %
    double mostBad;                   ///< `estimated_bad` is at most this
    double leastBad = 0.0;            ///< and at least this
};

/// Data of one law, exact collapses, what never occurs and what occurs too often. Two sets of 300 to 1,000 samples
/// each.
std::vector<TiedCase> tiedCases();

} // namespace assay::test
