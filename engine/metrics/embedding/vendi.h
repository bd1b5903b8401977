#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

class Accelerator;
struct RowSummary;

/// A matrix with the eigenvalues other than 0 of K / N, K the cosine similarities of all pairs of rows: K / N itself
/// where N <= d, else d x d. Lower triangle. A row of zeros is like nothing, not even itself.
struct Similarities {
    DoubleMatrix matrix;
    bool single = false; ///< of products in single precision
};

/// @param set N x d @param summary of it
/// @param accelerator does the products where N > d; null or where it declines: the CPU
/// @throws Cancelled, Error{DeviceFailed}, std::bad_alloc
Similarities similarities(MatrixView set, const RowSummary& summary, unsigned threads = 0, const JobContext& job = {},
                          const Accelerator* accelerator = nullptr);

/// Vendi score: exp of the Shannon entropy of the eigenvalues of K / N, the effective number of different samples.
/// Where eigenvalues are as small as what single precision may have made of zeros, the products are found again.
/// @param found similarities of the set, used up @param set, summary as they were found from
/// @return from 1, all rows alike, to N, all at right angles; NaN for rows of nothing but zeros
/// @throws Cancelled, std::bad_alloc
/// Source: Friedman and Dieng, TMLR 2023.
double vendiScore(Similarities found, MatrixView set, const RowSummary& summary, unsigned threads = 0,
                  const JobContext& job = {});

/// All of it at once. @throws as above
double vendiScore(MatrixView set, unsigned threads = 0, const JobContext& job = {});

} // namespace assay
