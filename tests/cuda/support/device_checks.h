#pragma once

#include "engine/gpu/device/device.h"
#include "engine/layout/layout_step.h"
#include "engine/layout/neighbor_layout.h"
#include "tests/cuda/support/contract.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::cuda::test {

// Checks of single steps of a device, or of what stands in for one; failures are counted (check.h).

/// The steps before tiles are multiplied, for integers and for floats: operands with their bounds, bounds of balls and
/// the longest list against the CPU's, bit for bit; bounds of pairs, since no order of summation is documented for
/// products of floats, against what they have to keep (bounds.h).
void checkBounds(Device& device);
/// The pairs that a device selects by products of integers against the CPU's, bit for bit.
void checkPairs(Device& device);
/// Lists of one pass by products of floats that are too short for a region, so that it is repeated in parts: all
/// distances are zero, and no bound excludes a row.
void checkOverflow(Device& device, std::size_t rows);

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
