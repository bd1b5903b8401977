#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/dense_product.h"

namespace assay {

class Accelerator;
struct RowSummary;

/// A matrix with the nonzero eigenvalues of K / N, where K contains the cosine similarities of all pairs of rows. It is
/// K / N itself (N x N) if N <= d, else a d x d matrix. Only the lower triangle is used. A row of zeros has similarity
/// 0 to every row, itself included.
struct Similarities {
    DoubleMatrix matrix;
    bool single = false; ///< whether the products were computed in single precision
};

/// Computes the similarity matrix of a set.
/// @param set N x d
/// @param summary column means and row lengths of the set
/// @param threads 0: all cores
/// @param accelerator computes the products if N > d; if null, or if it declines, the CPU computes them
/// @throws Cancelled, Error{DeviceFailed}, std::bad_alloc
Similarities similarities(MatrixView set, const RowSummary& summary, unsigned threads = 0, const JobContext& job = {},
                          const Accelerator* accelerator = nullptr);

/// Vendi score: the exponential of the Shannon entropy of the eigenvalues of K / N. It is the effective number of
/// different samples. If eigenvalues are so small that single precision may have made them from zeros, the products are
/// recomputed in double precision.
/// @param found similarities of the set; consumed
/// @param set, summary the arguments that `found` was computed from
/// @return in [1, N]: 1 if all rows have equal direction, N if all are orthogonal; NaN if all rows are zero
/// @throws Cancelled, std::bad_alloc
/// Source: Friedman and Dieng, TMLR 2023.
double vendiScore(Similarities found, MatrixView set, const RowSummary& summary, unsigned threads = 0,
                  const JobContext& job = {});

} // namespace assay
