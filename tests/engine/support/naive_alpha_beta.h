#pragma once

#include "engine/data/matrix_view.h"

#include <vector>

namespace assay::test {

/// Alpha-precision and beta-recall of one synthetic set against one real set in one embedding, straight from the
/// definitions in double precision, slow and plain.
struct NaiveAlphaBeta {
    std::vector<double> alphaPrecision, betaRecall; ///< at 30 even steps
    double integratedAlphaPrecision = 0.0;
    double integratedBetaRecall = 0.0;
    std::vector<double> typicality, centreDistance;      ///< per synthetic sample
    std::vector<double> realCentreDistance, betaCovered; ///< per real sample
};

/// @param centre d values
NaiveAlphaBeta naiveAlphaBeta(MatrixView real, MatrixView synthetic, const std::vector<double>& centre);

/// Mean row.
std::vector<double> naiveMean(MatrixView set);

} // namespace assay::test
