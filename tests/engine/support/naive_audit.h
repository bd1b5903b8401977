#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace assay::test {

/// All metrics of one synthetic set against one real set, straight from the definitions in double precision, slow and
/// plain. The oracle that the engine's results are compared with; keys are the catalogue's ids.
struct NaiveAudit {
    std::map<std::string, double> metrics;
    /// Per synthetic sample: fidelity, clipped_ball_count, ball_count, pce, re, authentic, nearest_real,
    /// nearest_real_distance. Per real sample: coverage, ball_synthetic_count, synthetic_ball_count, rce,
    /// real_clipped_ball_count.
    std::map<std::string, std::vector<double>> columns;
};

/// @param real N x d, synthetic M x d, N > k, M > k
NaiveAudit naiveAudit(MatrixView real, MatrixView synthetic, std::size_t k);

} // namespace assay::test
