#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"
#include "engine/stats/double_matrix.h"

#include <cstddef>
#include <span>

namespace assay {

class Accelerator;
struct RowSummary;

/// A matrix with the eigenvalues other than 0 of K / N, K the cosine similarities of all pairs of rows: K / N itself
/// where N <= d, else d x d. Lower triangle. A row of zeros is like nothing, not even itself.
/// @param set N x d @param summary of it
/// @param accelerator does the products where N > d; null or where it declines: the CPU
/// @throws Cancelled, Error{DeviceFailed}, std::bad_alloc
DoubleMatrix similarityMatrix(MatrixView set, const RowSummary& summary, unsigned threads = 0,
                              const JobContext& job = {}, const Accelerator* accelerator = nullptr);

/// Vendi score: exp of the Shannon entropy of the eigenvalues of K / N, the effective number of different samples.
/// @param eigenvalues of similarityMatrix
/// @return from 1, all rows alike, to N, all at right angles; NaN for rows of nothing but zeros
/// Source: Friedman and Dieng, TMLR 2023.
double vendiScore(std::span<const double> eigenvalues);

/// All of it at once. @throws as above
double vendiScore(MatrixView set, unsigned threads = 0, const JobContext& job = {});

} // namespace assay
