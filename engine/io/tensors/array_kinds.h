#pragma once

#include "engine/io/tensors/tensor_choice.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What a matrix of a file with several arrays most likely is, judged by its name and shape. Only samples are taken
/// without a key.
enum class ArrayKind {
    Samples,
    Covariance, ///< square, named cov, sigma, ...
    Means,      ///< one row named mu, mean, ...; or named means, centroids, ...
    Projection, ///< at most three columns, named umap, tsne, coords, ...
    Boxes,      ///< four or five columns, named boxes, rois, ...
    Parameters  ///< of a model: components, weights, ...
};

/// @param shape rows and columns
ArrayKind kindOf(std::string_view key, const std::vector<std::uint64_t>& shape);

/// Text for the user: "a covariance", "a projection for plots".
std::string_view textOf(ArrayKind kind);

/// Whether some of the arrays are the parts of a sparse matrix (SciPy, AnnData): `indices` and `indptr`, or `row` and
/// `col`, of the same group.
bool holdSparseMatrix(const std::vector<NamedArray>& arrays);

/// The matrices among the arrays that could be samples, by name and shape. Beside a sparse matrix, a matrix of at most
/// three columns is taken for a projection.
/// @return indices in the order of the file
std::vector<std::size_t> sampleMatrices(const std::vector<NamedArray>& arrays);

/// Refuses a file whose only matrices are no samples, or are sparse: names them, what they look like, and the way out.
/// Returns when the file has no matrix.
/// @throws Error{BadInput}
void refuseOtherKinds(const std::vector<NamedArray>& arrays, const std::string& file);

} // namespace assay
