#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Cells around centres: each row belongs to the nearest centre, the lower one on ties.
struct Cells {
    std::size_t dim = 0;
    std::vector<float> centres;      ///< cells x dim
    std::vector<std::uint32_t> cell; ///< of each row they were found for

    std::size_t count() const noexcept { return dim == 0 ? 0 : centres.size() / dim; }
};

/// k-means by Lloyd's algorithm: starts by k-means++ on up to 2,000 evenly spaced rows, of which the one with the
/// least squared error goes on with all rows until the centres move by less than 1e-4 of the mean variance of a
/// feature (squared), 100 rounds at most. The same for every number of threads.
/// @param set N x d, N >= 1
/// @param cells at least 1; fewer come out when there are fewer different rows
/// @throws Cancelled
/// @param starts one is enough where any cells will do that are not bad
Cells kMeans(MatrixView set, std::size_t cells, const ComputeContext& context, std::size_t starts = 10);

/// The cell of each row of another set. @throws Cancelled
std::vector<std::uint32_t> cellsOf(MatrixView set, const Cells& cells, unsigned threads, const JobContext& job);

} // namespace assay
