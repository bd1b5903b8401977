#pragma once

#include "engine/gpu/device/device.h"
#include "engine/layout/layout_step.h"
#include "engine/layout/neighbor_graph.h"
#include "tests/cuda/support/contract.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::cuda::test {

// What every device, or what stands in for one, has to do right; failures are counted (check.h).

/// Gram matrices of one row, one column, at the edges of tiles and slices: exact where sums are of whole numbers, in
/// double precision elsewhere.
void checkGram(Device& device);
/// A graph of random edges, both ends listed, and where its rows begin.
struct LayoutCase {
    NeighborGraph graph;
    std::vector<LayoutPosition> start;
    LayoutPlan plan;
};
LayoutCase layoutCase(std::size_t rows, unsigned seed);

/// Layouts against rounds that are made one after the other, to the last bit: one row, rows that fill no block, rows
/// without edges.
void checkLayout(Device& device);

} // namespace assay::cuda::test
