#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// One of two sets whose rows are compared, and which of them ask for their probability of lying outside the other
/// set's support: the product of distance / within over all rows of that set at a distance of at most `within`
/// (Park and Kim, ICCV 2023).
struct OutsideQuery {
    MatrixView set;                   ///< stored rows, kept by reference
    std::vector<std::uint32_t> asked; ///< rows, each once
    double within = 1.0;              ///< above 0
};

/// Probabilities of both sides, one for each row that asked. What is below kNegligibleProbability comes as 0: taken
/// from 1 it leaves 1 but for 1e-12.
struct OutsideProbabilities {
    std::vector<double> a;
    std::vector<double> b;
};

inline constexpr double kNegligibleProbability = 0x1p-40;

/// Every pair within the distance of either row is measured, once for both, until the probabilities are negligible; by
/// products, bounds first settle rows with many others within the distance. Relative errors are some 1e-15 per factor.
/// The same to the last bit for any number of threads and by either search.
/// @param accelerator see PairProposer
/// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
OutsideProbabilities outsideProbabilities(PairSearch search, const OutsideQuery& a, const OutsideQuery& b,
                                          unsigned threads, const JobContext& job,
                                          const Accelerator* accelerator = nullptr);

} // namespace assay
