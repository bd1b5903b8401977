#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Cells around centres: each row belongs to its nearest centre, with ties to the lower index.
struct Cells {
    std::size_t dim = 0;
    std::vector<float> centres;      ///< cells x dim
    std::vector<std::uint32_t> cell; ///< cell of each row of the set

    std::size_t count() const noexcept { return dim == 0 ? 0 : centres.size() / dim; }
};

/// k-means by Lloyd's algorithm. It starts `starts` times with k-means++ on up to 2,000 rows, evenly spaced in `order`.
/// The start with the smallest squared error continues with all rows, for at most 100 rounds, until the squared
/// movement of the centres is below 1e-4 of the mean variance of a feature. The result does not depend on the number of
/// threads.
/// @param set N x d, N >= 1
/// @param cells at least 1; the result has fewer if the set has fewer different rows
/// @param starts number of starts; one is enough if the quality of the cells matters little
/// @param order all rows of the set once, or empty: as they are. With an order that depends on the rows' values alone
/// the cells do, too
/// @throws Cancelled
Cells kMeans(MatrixView set, std::size_t cells, const ComputeContext& context, std::size_t starts = 10,
             std::span<const std::uint32_t> order = {});

/// Index of the centre nearest to a row, the lower one on ties.
/// @param row of cells.dim values
std::uint32_t nearestCell(std::span<const float> row, const Cells& cells);

/// Index of the nearest centre for each row of another set.
/// @throws Cancelled
std::vector<std::uint32_t> cellsOf(MatrixView set, const Cells& cells, unsigned threads, const JobContext& job);

} // namespace assay
